// SPDX-License-Identifier: MIT

// Bodies of all shapes and modes.

#include "world_calls.h"

enum
{
	shapeLimit = 3,
	pointLimit = 32,
	triangleLimit = 64,
};

static void ShowPoints(Driver* d, int index, const tnVec3* points, int count)
{
	Show(d, "static const tnVec3 points%d[] = {", index);
	for (int i = 0; i < count; ++i)
	{
		Show(d, "\t{%s, %s, %s},", GetFloatText(points[i].x).text, GetFloatText(points[i].y).text,
			GetFloatText(points[i].z).text);
	}
	ShowText(d, "};");
	Show(d, "shapes[%d].points = points%d;", index, index);
}

static void ShowTriangles(Driver* d, int index, const int32_t* triangles, int count)
{
	Show(d, "static const int32_t triangles%d[] = {", index);
	for (int i = 0; i < count; ++i)
	{
		Show(d, "\t%d, %d, %d,", (int)triangles[3 * i], (int)triangles[3 * i + 1], (int)triangles[3 * i + 2]);
	}
	ShowText(d, "};");
	Show(d, "shapes[%d].triangles = triangles%d;", index, index);
}

static void DrawHull(Driver* d, BodyDraft* draft, int index, float size)
{
	tnVec3* points = draft->points[index];
	tnShapeDef* shape = draft->shapes + index;
	shape->pointCount = DrawInt(d, DrawOneIn(d, 16) ? 0 : 4, 16);
	for (int i = 0; i < shape->pointCount; ++i)
	{
		points[i] = DrawVec3(d, -size, size);
	}
	shape->points = points;
	ShowPoints(d, index, points, shape->pointCount);
}

// A closed mesh: a prism over a polygon, which may be a star and so concave. Now and then something is wrong with it.
static void DrawMesh(Driver* d, BodyDraft* draft, int index, float size)
{
	tnVec3* points = draft->points[index];
	int32_t* triangles = draft->triangles[index];
	tnShapeDef* shape = draft->shapes + index;
	const int corners = DrawInt(d, 3, 8);
	const float inner = DrawBool(d) ? DrawFloat(d, 0.2f, 1.0f) : 1.0f;
	const float height = size * DrawFloat(d, 0.2f, 1.0f);
	for (int i = 0; i < corners; ++i)
	{
		// Exact enough: only its shape matters.
		const float angle = 6.2831853f * (float)i / (float)corners;
		const float radius = i % 2 == 0 ? size : size * inner;
		points[i] = (tnVec3){radius * cosf(angle), -height, -radius * sinf(angle)};
		points[i + corners] = (tnVec3){points[i].x, height, points[i].z};
	}
	points[2 * corners] = (tnVec3){0.0f, -height, 0.0f};
	points[2 * corners + 1] = (tnVec3){0.0f, height, 0.0f};
	shape->pointCount = 2 * corners + 2;
	int count = 0;
	for (int i = 0; i < corners; ++i)
	{
		const int next = (i + 1) % corners;
		const int32_t face[12] = {i, next, next + corners, i, next + corners, i + corners, 2 * corners, next, i,
			2 * corners + 1, i + corners, next + corners};
		memcpy(triangles + 3 * count, face, sizeof(face));
		count += 4;
	}
	shape->triangleCount = count;
	if (DrawOneIn(d, 16))
	{
		triangles[DrawInt(d, 0, 3 * count - 1)] = DrawInt(d, -1, shape->pointCount);
	}
	if (DrawOneIn(d, 16))
	{
		points[DrawInt(d, 0, shape->pointCount - 1)].y = DrawFloat(d, -size, size);
	}
	if (DrawOneIn(d, 32))
	{
		shape->triangleCount -= 1;
	}
	shape->points = points;
	shape->triangles = triangles;
	ShowPoints(d, index, points, shape->pointCount);
	ShowTriangles(d, index, triangles, shape->triangleCount);
}

// A cup: a prism with a hollow in it, open above. Turned over, or closed by what else a body has, it holds nothing.
static void DrawCup(Driver* d, BodyDraft* draft, int index, float size)
{
	tnVec3* points = draft->points[index];
	int32_t* triangles = draft->triangles[index];
	tnShapeDef* shape = draft->shapes + index;
	const int corners = DrawInt(d, 3, 7);
	const float wall = DrawFloat(d, 0.02f, 0.8f);
	const float height = size * DrawFloat(d, 0.2f, 1.0f);
	const float skew = DrawOneIn(d, 4) ? DrawFloat(d, 0.2f, 1.0f) : 1.0f;
	for (int i = 0; i < corners; ++i)
	{
		const float angle = 6.2831853f * (float)i / (float)corners;
		const float x = size * cosf(angle), z = -size * sinf(angle);
		const float inner = 1.0f - wall;
		// One side of the rim may be lower.
		const float top = i == 0 ? height * skew : height;
		points[i] = (tnVec3){x, -height, z};
		points[i + corners] = (tnVec3){x, top, z};
		points[i + 2 * corners] = (tnVec3){inner * x, top, inner * z};
		points[i + 3 * corners] = (tnVec3){inner * x, -inner * height, inner * z};
	}
	points[4 * corners] = (tnVec3){0.0f, -height, 0.0f};
	points[4 * corners + 1] = (tnVec3){0.0f, -(1.0f - wall) * height, 0.0f};
	shape->pointCount = 4 * corners + 2;
	int count = 0;
	for (int i = 0; i < corners; ++i)
	{
		const int next = (i + 1) % corners;
		const int32_t ends[6] = {4 * corners, next, i, 4 * corners + 1, i + 3 * corners, next + 3 * corners};
		memcpy(triangles + 3 * count, ends, sizeof(ends));
		count += 2;
		for (int ring = 0; ring < 3; ++ring)
		{
			const int low = ring * corners, high = low + corners;
			const int32_t side[6] = {i + low, next + low, next + high, i + low, next + high, i + high};
			memcpy(triangles + 3 * count, side, sizeof(side));
			count += 2;
		}
	}
	shape->triangleCount = count;
	shape->points = points;
	shape->triangles = triangles;
	ShowPoints(d, index, points, shape->pointCount);
	ShowTriangles(d, index, triangles, shape->triangleCount);
}

static float DrawExtent(Driver* d, float size)
{
	return DrawOneIn(d, 16) ? DrawPower(d, -3.0f, 3.0f) : size * DrawFloat(d, 0.2f, 1.0f);
}

static void DrawShape(Driver* d, BodyDraft* draft, int index, float size, bool isCup)
{
	tnShapeDef* shape = draft->shapes + index;
	const tnShapeDef preset = tnDefaultShapeDef();
	*shape = preset;
	shape->kind = isCup ? tn_meshShape : (tnShapeKind)DrawInt(d, 0, tn_shapeKindCount - 1 + (DrawOneIn(d, 64) ? 1 : 0));
	switch (shape->kind)
	{
		case tn_boxShape:
			shape->halfExtents.x = DrawExtent(d, size);
			shape->halfExtents.y = DrawExtent(d, size);
			shape->halfExtents.z = DrawExtent(d, size);
			break;
		case tn_hullShape:
			DrawHull(d, draft, index, size);
			break;
		case tn_meshShape:
			if (isCup || !DrawOneIn(d, 3))
			{
				DrawCup(d, draft, index, size);
			}
			else
			{
				DrawMesh(d, draft, index, size);
			}
			break;
		default:
			shape->radius = DrawExtent(d, size);
			shape->halfLength = DrawExtent(d, size);
			break;
	}
	if (DrawOneIn(d, 4))
	{
		shape->pose.position = DrawVec3(d, -size, size);
		shape->pose.rotation = DrawTurn(d);
	}
	shape->stamp += DrawOneIn(d, 128) ? 1u : 0u;
	char name[32];
	snprintf(name, sizeof(name), "shapes[%d]", index);
	ShowFields(d, &shapeDefInfo, name, shape, &preset);
}

void DrawBody(Driver* d, BodyDraft* draft)
{
	const tnBodyDef preset = tnDefaultBodyDef();
	tnBodyDef* def = &draft->def;
	*def = preset;
	const float cell = d->options.voxels ? d->voxelTrack.def.voxelSize : d->track.def.cellSize;
	const float size = cell * (DrawBool(d) ? 1.5f : DrawPower(d, -1.0f, 1.0f));
	// A boat now and then, upright or not.
	const bool isCup = !d->options.voxels && DrawOneIn(d, 4);
	def->shapeCount = !isCup && DrawOneIn(d, 4) ? DrawInt(d, 0, shapeLimit) : 1;
	ShowText(d, "tnShapeDef shapes[3] = {tnDefaultShapeDef(), tnDefaultShapeDef(), tnDefaultShapeDef()};");
	for (int i = 0; i < def->shapeCount; ++i)
	{
		DrawShape(d, draft, i, size, isCup);
	}
	def->shapes = draft->shapes;
	def->mass = DrawBool(d) ? 500.0f * size * size * size : DrawPower(d, -3.0f, 9.0f);
	static const float heavy[] = {INFINITY, INFINITY, 1.0e20f, FLT_MAX};
	def->mass = DrawOneIn(d, 8) ? heavy[DrawInt(d, 0, 3)] : def->mass;
	def->mode = (tnBodyMode)DrawInt(d, 0, tn_bodyModeCount - 1 + (DrawOneIn(d, 64) ? 1 : 0));
	def->pose = DrawPose(d);
	def->pose.rotation = isCup && DrawBool(d) ? (tnQuat){0.0f, 0.0f, 0.0f, 1.0f} : def->pose.rotation;
	if (DrawBool(d))
	{
		def->velocity = DrawVec3(d, -4.0f, 4.0f);
		def->spin = DrawVec3(d, -2.0f, 2.0f);
	}
	if (DrawOneIn(d, 4))
	{
		def->pressureDrag = DrawFloat(d, 0.0f, 2.0f);
		def->suction = DrawFloat(d, 0.0f, 1.0f);
		def->creepSpeed = DrawFloat(d, 0.0f, 2.0f);
		def->skinFriction = DrawFloat(d, 0.0f, 0.1f);
		def->damping = DrawFloat(d, 0.0f, 4.0f);
	}
	def->hollows = !DrawOneIn(d, 8);
	def->userData = (uint64_t)DrawInt(d, 0, 255);
	def->stamp += DrawOneIn(d, 128) ? 1u : 0u;
	ShowStruct(d, &bodyDefInfo, "def", def, &preset);
	ShowText(d, "def.shapes = shapes;");
}

void CheckBodyState(Driver* d, const tnBodyState* state)
{
	const float* floats = &state->volume;
	const bool finite =
		AreFinite(floats, (int)((offsetof(tnBodyState, current) - offsetof(tnBodyState, volume)) / 4) + 2);
	if (!finite || !(state->volume >= 0.0f) || !(state->submergedVolume >= 0.0f) || !(state->waterlineArea >= 0.0f))
	{
		Fail(d, "body", "volume %g, submerged %g, waterline %g at %g, pressure (%g, %g, %g), drag (%g, %g, %g)",
			(double)state->volume, (double)state->submergedVolume, (double)state->waterlineArea,
			(double)state->waterlineHeight, (double)state->pressure.x, (double)state->pressure.y,
			(double)state->pressure.z, (double)state->drag.x, (double)state->drag.y, (double)state->drag.z);
	}
	// Both are sums, rounded.
	if (!d->track.reshaped && state->submergedVolume > 1.00001f * state->volume)
	{
		Fail(d, "body", "volume %.9g, submerged %.9g", (double)state->volume, (double)state->submergedVolume);
	}
	if (state->mode != tn_blockingBody && state->mode != tn_floatingBody)
	{
		Fail(d, "body", "mode %d is in use", (int)state->mode);
	}
}

static void CreateBody(Driver* d)
{
	const int slot = DrawSlot(d);
	SHOW_INT(d, slot);
	static BodyDraft draft;
	DrawBody(d, &draft);
	const tnBodyDef def = draft.def;
	CHANGE(d, tnWorld_CreateBody(world, &def, ids->bodies + slot));
	DONE(d);
	d->track.hadBody = d->track.hadBody || IsOk(d);
	for (int i = 0; i < d->twinCount; ++i)
	{
		const tnBodyId id = d->ids[i].bodies[slot];
		if (tnBody_IsValid(d->worlds[i], id) != IsOk(d) || (!IsOk(d) && (id.index1 != 0 || id.generation != 0)))
		{
			Fail(d, "id", "id %d, %d after status %d", id.index1, (int)id.generation, (int)d->results[i].status);
		}
	}
	CompareOutputs(d, "ids", d->ids[0].bodies + slot, sizeof(Ids), sizeof(tnBodyId));
}

static void ReserveBodies(Driver* d)
{
	const int count = DrawOneIn(d, 8) ? DrawInt(d, -1, 3000) : DrawInt(d, 0, 20);
	static BodyDraft draft;
	DrawBody(d, &draft);
	const tnBodyDef def = draft.def;
	SHOW_INT(d, count);
	// Room only: the water stays as it is.
	ASK(d, tnWorld_ReserveBodies(world, count, &def));
}

static void DestroyBody(Driver* d)
{
	const int slot = DrawSlot(d);
	SHOW_INT(d, slot);
	CHANGE(d, tnWorld_DestroyBody(world, ids->bodies[slot]));
	DONE(d);
	if (tnBody_IsValid(d->worlds[0], d->ids[0].bodies[slot]))
	{
		Fail(d, "id", "a destroyed body is valid");
	}
}

static void MoveBody(Driver* d)
{
	const int slot = DrawSlot(d);
	const tnPose preset = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 0.0f}};
	const tnPose pose = DrawPose(d);
	tnVec3 velocity = {0.0f, 0.0f, 0.0f};
	tnVec3 spin = {0.0f, 0.0f, 0.0f};
	if (DrawBool(d))
	{
		velocity = DrawVec3(d, -6.0f, 6.0f);
		spin = DrawVec3(d, -3.0f, 3.0f);
	}
	SHOW_INT(d, slot);
	SHOW_STRUCT(d, poseInfo, pose, preset);
	SHOW_VEC3(d, velocity);
	SHOW_VEC3(d, spin);
	CHANGE(d, tnWorld_MoveBody(world, ids->bodies[slot], &pose, velocity, spin));
}

static void SetBodyShapes(Driver* d)
{
	const int slot = DrawSlot(d);
	SHOW_INT(d, slot);
	static BodyDraft draft;
	DrawBody(d, &draft);
	const tnBodyDef def = draft.def;
	CHANGE(d, tnWorld_SetBodyShapes(world, ids->bodies[slot], def.shapes, def.shapeCount));
	DONE(d);
	d->track.reshaped = d->track.reshaped || IsOk(d);
}

static void SetBodyMode(Driver* d)
{
	const int slot = DrawSlot(d);
	const tnBodyMode mode = (tnBodyMode)DrawInt(d, 0, tn_bodyModeCount - 1 + (DrawOneIn(d, 32) ? 1 : 0));
	SHOW_INT(d, slot);
	SHOW_INT(d, mode);
	CHANGE(d, tnWorld_SetBodyMode(world, ids->bodies[slot], mode));
}

static void AskBody(Driver* d)
{
	const int slot = DrawSlot(d);
	tnWrench wrenches[twinLimit] = {0};
	tnBodyState states[twinLimit] = {0};
	tnBodyMesh meshes[twinLimit] = {0};
	bool valid[twinLimit] = {0};
	SHOW_INT(d, slot);
	ShowText(d, "tnWrench wrenches[4]; tnBodyState states[4]; tnBodyMesh meshes[4]; bool valid[4];");
	TAKE(d, valid[which] = tnBody_IsValid(world, ids->bodies[slot]));
	ASK(d, tnWorld_GetBodyWrench(world, ids->bodies[slot], wrenches + which));
	if (IsOk(d) != valid[0])
	{
		Fail(d, "id", "valid is %d, the wrench says %d", (int)valid[0], (int)d->results[0].status);
	}
	if (IsOk(d))
	{
		CompareOutputs(d, "wrenches", wrenches, sizeof(wrenches[0]), sizeof(wrenches[0]));
		if (!AreFinite(&wrenches[0].force.x, 6))
		{
			Fail(d, "wrench", "force (%g, %g, %g), torque (%g, %g, %g)", (double)wrenches[0].force.x,
				(double)wrenches[0].force.y, (double)wrenches[0].force.z, (double)wrenches[0].torque.x,
				(double)wrenches[0].torque.y, (double)wrenches[0].torque.z);
		}
	}
	ASK(d, tnWorld_GetBodyState(world, ids->bodies[slot], states + which));
	if (IsOk(d))
	{
		CheckBodyState(d, states);
		CompareOutputs(d, "states", states, sizeof(states[0]), offsetof(tnBodyState, current) + sizeof(tnVec2));
	}
	ASK(d, tnWorld_GetBodyMesh(world, ids->bodies[slot], meshes + which));
	DONE(d);
	for (int i = 0; IsOk(d) && i < 3 * meshes[0].triangleCount; ++i)
	{
		if (meshes[0].triangles[i] < 0 || meshes[0].triangles[i] >= meshes[0].pointCount)
		{
			Fail(d, "mesh", "corner %d is point %d of %d", i, (int)meshes[0].triangles[i], meshes[0].pointCount);
		}
	}
}

static void AskWaterline(Driver* d)
{
	const int slot = DrawSlot(d);
	const int capacity = DrawOneIn(d, 4) ? DrawInt(d, -1, 8) : waterlineLimit;
	const bool none = DrawOneIn(d, 4);
	static tnVec3 lines[twinLimit][waterlineLimit];
	int counts[twinLimit] = {0};
	tnBodyId some[twinLimit][slotCount] = {0};
	int bodyCounts[twinLimit] = {0};
	SHOW_INT(d, slot);
	SHOW_INT(d, capacity);
	SHOW_INT(d, none);
	ShowText(d, "static tnVec3 lines[4][512]; int counts[4] = {0}; tnBodyId some[4][slotCount]; int bodyCounts[4];");
	ASK(d, tnWorld_CopyWaterline(world, ids->bodies[slot], none ? NULL : lines[which], capacity, counts + which));
	if (IsOk(d))
	{
		CompareOutputs(d, "counts", counts, sizeof(counts[0]), sizeof(counts[0]));
		const int count = none || capacity < 0 ? 0 : counts[0] < capacity ? counts[0] : capacity;
		CompareOutputs(d, "waterline", lines, sizeof(lines[0]), sizeof(tnVec3) * (size_t)count);
		if (!AreFinite(&lines[0][0].x, 3 * count) || counts[0] < 0 || counts[0] % 2 != 0)
		{
			Fail(d, "waterline", "of %d points one is not finite", counts[0]);
		}
	}
	TAKE(d, bodyCounts[which] = tnWorld_GetBodies(world, some[which], capacity < slotCount ? capacity : slotCount));
	DONE(d);
	CompareOutputs(d, "bodies", bodyCounts, sizeof(bodyCounts[0]), sizeof(bodyCounts[0]));
}

static int DrawHollow(Driver* d)
{
	return DrawOneIn(d, 16) ? DrawInt(d, -2, TN_MAX_HOLLOWS) : 0;
}

static void SetLeak(Driver* d)
{
	const int slot = DrawSlot(d);
	const int place = DrawOneIn(d, 16) ? DrawInt(d, -1, TN_MAX_LEAKS) : DrawInt(d, 0, 3);
	const bool mends = DrawOneIn(d, 4);
	const tnLeakDef preset = tnDefaultLeakDef();
	tnLeakDef def = preset;
	def.position = DrawVec3(d, -1.0f, 1.0f);
	def.area = DrawFloat(d, 0.0f, 0.2f);
	def.discharge = DrawOneIn(d, 4) ? DrawFloat(d, 0.0f, 1.0f) : 0.6f;
	def.from = DrawHollow(d);
	def.to = DrawOneIn(d, 8) ? DrawHollow(d) : TN_OUTSIDE;
	def.stamp += DrawOneIn(d, 64) ? 1u : 0u;
	SHOW_INT(d, slot);
	SHOW_INT(d, place);
	SHOW_INT(d, mends);
	ShowStruct(d, &leakDefInfo, "def", &def, &preset);
	CHANGE(d, tnWorld_SetLeak(world, ids->bodies[slot], place, mends ? NULL : &def));
}

static void SetPump(Driver* d)
{
	const int slot = DrawSlot(d);
	const int place = DrawOneIn(d, 16) ? DrawInt(d, -1, TN_MAX_LEAKS) : DrawInt(d, 0, 3);
	const bool removes = DrawOneIn(d, 4);
	const tnPumpDef preset = tnDefaultPumpDef();
	tnPumpDef def = preset;
	def.position = DrawVec3(d, -1.0f, 1.0f);
	def.rate = DrawPower(d, -3.0f, 1.0f);
	const bool fills = DrawBool(d);
	def.from = fills ? TN_OUTSIDE : DrawHollow(d);
	def.to = fills ? DrawHollow(d) : TN_OUTSIDE;
	def.stamp += DrawOneIn(d, 64) ? 1u : 0u;
	SHOW_INT(d, slot);
	SHOW_INT(d, place);
	SHOW_INT(d, removes);
	ShowStruct(d, &pumpDefInfo, "def", &def, &preset);
	CHANGE(d, tnWorld_SetPump(world, ids->bodies[slot], place, removes ? NULL : &def));
}

static void SetHollowWater(Driver* d)
{
	const int slot = DrawSlot(d);
	const int hollow = DrawHollow(d);
	const double held = (double)DrawPower(d, -4.0f, 1.0f);
	SHOW_INT(d, slot);
	SHOW_INT(d, hollow);
	Show(d, "const double held = %.17g;", held);
	CHANGE(d, tnWorld_SetHollowWater(world, ids->bodies[slot], hollow, held));
}

static void AskHollow(Driver* d)
{
	const int slot = DrawSlot(d);
	const int hollow = DrawHollow(d);
	tnHollowState states[twinLimit] = {0};
	int counts[twinLimit] = {0};
	SHOW_INT(d, slot);
	SHOW_INT(d, hollow);
	ShowText(d, "tnHollowState states[4]; int counts[4];");
	TAKE(d, counts[which] = tnWorld_GetHollowCount(world, ids->bodies[slot]));
	ASK(d, tnWorld_GetHollow(world, ids->bodies[slot], hollow, states + which));
	DONE(d);
	CompareOutputs(d, "counts", counts, sizeof(counts[0]), sizeof(counts[0]));
	const tnHollowState* state = states;
	if (IsOk(d) &&
		(!(state->volume > 0.0f) || !(state->held >= 0.0) || !AreFinite(&state->level, 1) ||
			!(state->held <= 1.000001 * (double)state->volume) || !AreFinite(&state->center.x, 3)))
	{
		Fail(d, "hollow", "holds %g of %g at %g", state->held, (double)state->volume, (double)state->level);
	}
}

static void AskSlots(Driver* d)
{
	const int slot = DrawSlot(d);
	const int place = DrawOneIn(d, 16) ? DrawInt(d, -1, TN_MAX_LEAKS) : DrawInt(d, 0, 3);
	tnLeakDef leaks[twinLimit] = {0};
	tnPumpDef pumps[twinLimit] = {0};
	bool found[twinLimit] = {0};
	SHOW_INT(d, slot);
	SHOW_INT(d, place);
	ShowText(d, "tnLeakDef leaks[4] = {0}; tnPumpDef pumps[4] = {0}; bool found[4];");
	TAKE(d, found[which] = tnWorld_GetLeak(world, ids->bodies[slot], place, leaks + which));
	CompareOutputs(d, "leak found", found, sizeof(found[0]), sizeof(found[0]));
	TAKE(d, found[which] = tnWorld_GetPump(world, ids->bodies[slot], place, pumps + which));
	DONE(d);
	CompareOutputs(d, "pump found", found, sizeof(found[0]), sizeof(found[0]));
	CompareOutputs(d, "leaks", leaks, sizeof(leaks[0]), offsetof(tnLeakDef, stamp));
	CompareOutputs(d, "pumps", pumps, sizeof(pumps[0]), offsetof(tnPumpDef, stamp));
}

static void AskHollowSurface(Driver* d)
{
	const int slot = DrawSlot(d);
	const int hollow = DrawHollow(d);
	const int capacity = DrawOneIn(d, 4) ? DrawInt(d, -1, 8) : waterlineLimit;
	const bool none = DrawOneIn(d, 4);
	static tnVec3 corners[twinLimit][waterlineLimit];
	int counts[twinLimit] = {0};
	tnBodyMesh meshes[twinLimit] = {0};
	SHOW_INT(d, slot);
	SHOW_INT(d, hollow);
	SHOW_INT(d, capacity);
	SHOW_INT(d, none);
	ShowText(d, "static tnVec3 corners[4][512]; int counts[4] = {0}; tnBodyMesh meshes[4];");
	ASK(d,
		tnWorld_CopyHollowSurface(
			world, ids->bodies[slot], hollow, none ? NULL : corners[which], capacity, counts + which));
	if (IsOk(d))
	{
		CompareOutputs(d, "counts", counts, sizeof(counts[0]), sizeof(counts[0]));
		const int count = none || capacity < 0 ? 0 : counts[0] < capacity ? counts[0] : capacity;
		CompareOutputs(d, "corners", corners, sizeof(corners[0]), sizeof(tnVec3) * (size_t)count);
		if (!AreFinite(&corners[0][0].x, 3 * count) || counts[0] < 0 || counts[0] % 6 != 0)
		{
			Fail(d, "hollow surface", "of %d corners one is not finite", counts[0]);
		}
	}
	ASK(d, tnWorld_GetHollowMesh(world, ids->bodies[slot], hollow, meshes + which));
	DONE(d);
	for (int i = 0; IsOk(d) && i < 3 * meshes[0].triangleCount; ++i)
	{
		if (meshes[0].triangles[i] < 0 || meshes[0].triangles[i] >= meshes[0].pointCount)
		{
			Fail(d, "hollow mesh", "corner %d is point %d of %d", i, (int)meshes[0].triangles[i], meshes[0].pointCount);
		}
	}
}

const DriverCall bodyCalls[] = {{"SetLeak", SetLeak, 4, 0, false}, {"SetPump", SetPump, 4, 0, false},
	{"SetHollowWater", SetHollowWater, 3, 0, false}, {"AskHollow", AskHollow, 3, 0, false},
	{"AskSlots", AskSlots, 2, 0, false}, {"AskHollowSurface", AskHollowSurface, 3, 0, false},
	{"ReserveBodies", ReserveBodies, 2, 0, false}, {"CreateBody", CreateBody, 8, 2, false},
	{"DestroyBody", DestroyBody, 2, 0, false}, {"MoveBody", MoveBody, 9, 0, false},
	{"SetBodyShapes", SetBodyShapes, 3, 0, false}, {"SetBodyMode", SetBodyMode, 3, 0, false},
	{"AskBody", AskBody, 6, 0, false}, {"AskWaterline", AskWaterline, 3, 0, false}};
const int bodyCallCount = (int)(sizeof(bodyCalls) / sizeof(bodyCalls[0]));
