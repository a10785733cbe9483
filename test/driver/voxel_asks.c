// SPDX-License-Identifier: MIT

// What a world of voxels is asked: voxels, samples, meshes, and bodies that float in it.

#include "voxel_calls.h"

// ---------------------------------------------------------------------------------------------------------------------
// Voxels

static void AskVoxels(Driver* d)
{
	const tnVoxelBox box = DrawBox(d);
	const int liquid = DrawInt(d, -1, 4);
	const int capacity = DrawInt(d, -1, 40);
	tnVoxelState states[twinLimit] = {0};
	tnVoxelLedger ledgers[twinLimit] = {0};
	tnVoxelStats stats[twinLimit] = {0};
	tnVoxelWorldDef defs[twinLimit] = {0};
	uint64_t hashes[twinLimit] = {0};
	bool resting[twinLimit] = {0};
	bool loaded[twinLimit] = {0};
	static tnVoxel changed[twinLimit][40];
	int changedCounts[twinLimit] = {0};
	ShowBox(d, "box", box);
	SHOW_INT(d, liquid);
	SHOW_INT(d, capacity);
	ShowText(d, "tnVoxelState states[4]; tnVoxelLedger ledgers[4]; tnVoxelStats stats[4]; tnVoxelWorldDef defs[4];");
	ShowText(
		d, "uint64_t hashes[4]; bool resting[4]; bool loaded[4]; static tnVoxel changed[4][40]; int changedCounts[4];");
	TAKE(d, states[which] = tnVoxelWorld_GetVoxel(voxels, box.low));
	TAKE(d, ledgers[which] = tnVoxelWorld_GetLedger(voxels, liquid));
	TAKE(d, stats[which] = tnVoxelWorld_GetStats(voxels));
	TAKE(d, defs[which] = tnVoxelWorld_GetDef(voxels));
	TAKE(d, hashes[which] = tnVoxelWorld_GetHash(voxels));
	TAKE(d, resting[which] = tnVoxelWorld_IsAtRest(voxels));
	TAKE(d, loaded[which] = tnVoxelWorld_IsLoaded(voxels, box.low));
	TAKE(d, changedCounts[which] = tnVoxelWorld_TakeChanged(voxels, changed[which], capacity));
	DONE(d);
	(void)hashes;
	(void)loaded;
	for (int i = 0; i < d->twinCount; ++i)
	{
		if (states[i].amount != states[0].amount || states[i].room != states[0].room ||
			states[i].liquid != states[0].liquid || states[i].solid != states[0].solid ||
			states[i].loaded != states[0].loaded || ledgers[i].volume != ledgers[0].volume ||
			resting[i] != resting[0] || defs[i].cap != d->voxelTrack.def.cap)
		{
			Fail(d, "twins differ", "twins 0 and %d: amount %d, %d, volume %d, %d, at rest %d, %d", i,
				(int)states[0].amount, (int)states[i].amount, (int)ledgers[0].volume, (int)ledgers[i].volume,
				(int)resting[0], (int)resting[i]);
		}
		if (stats[i].byteCount != (size_t)d->memories[i].liveBytes - GetMesherBytes(d, i))
		{
			Fail(d, "bytes", "%zu bytes, %zu were asked for", stats[i].byteCount,
				(size_t)d->memories[i].liveBytes - GetMesherBytes(d, i));
		}
	}
	if (!d->voxelTrack.reloaded)
	{
		CompareOutputs(d, "changed", changedCounts, sizeof(int), sizeof(int));
		const int count = changedCounts[0] < capacity ? changedCounts[0] : capacity;
		CompareOutputs(d, "changed", changed, sizeof(changed[0]), sizeof(tnVoxel) * (size_t)(count > 0 ? count : 0));
	}
}

static void Read(Driver* d)
{
	enum
	{
		most = 20 * 20 * 20
	};
	const tnVoxelBox box = DrawBox(d);
	const int kinds = DrawInt(d, 0, 7);
	static uint8_t solid[twinLimit][most], liquids[twinLimit][most];
	static uint16_t amounts[twinLimit][most];
	const int64_t count = (int64_t)(box.high.x - (int64_t)box.low.x) * (box.high.y - (int64_t)box.low.y) *
		(box.high.z - (int64_t)box.low.z);
	if (count > most)
	{
		return;
	}
	ShowBox(d, "box", box);
	SHOW_INT(d, kinds);
	ShowText(d, "static uint8_t solid[4][8000], liquids[4][8000]; static uint16_t amounts[4][8000];");
	ASK(d,
		tnVoxelWorld_Read(voxels, box, (kinds & 1) != 0 ? solid[which] : NULL, (kinds & 2) != 0 ? amounts[which] : NULL,
			(kinds & 4) != 0 ? liquids[which] : NULL));
	DONE(d);
	if (IsOk(d) && count > 0)
	{
		CompareOutputs(d, "solid", solid, sizeof(solid[0]), (kinds & 1) != 0 ? (size_t)count : 0);
		CompareOutputs(d, "amounts", amounts, sizeof(amounts[0]), (kinds & 2) != 0 ? 2 * (size_t)count : 0);
		CompareOutputs(d, "liquids", liquids, sizeof(liquids[0]), (kinds & 4) != 0 ? (size_t)count : 0);
	}
}

static tnVec3 DrawPoint(Driver* d)
{
	const float size = d->voxelTrack.def.voxelSize;
	tnVec3 point;
	point.x = DrawFloat(d, -24.0f * size, 24.0f * size);
	point.y = DrawFloat(d, 0.0f, 48.0f * size);
	point.z = DrawFloat(d, -24.0f * size, 24.0f * size);
	return point;
}

static void CheckVoxelSample(Driver* d, const tnVoxelSample* sample)
{
	if (!AreFinite(&sample->level, 6) || !(sample->depth >= 0.0f) || sample->liquid > d->voxelTrack.def.liquidCount)
	{
		Fail(d, "voxel sample", "level %g, depth %g, head %g, velocity (%g, %g, %g)", (double)sample->level,
			(double)sample->depth, (double)sample->head, (double)sample->velocity.x, (double)sample->velocity.y,
			(double)sample->velocity.z);
	}
}

static void Sample(Driver* d)
{
	tnVec3 points[3];
	tnVoxelSample samples[twinLimit][3] = {0};
	ShowText(d, "tnVec3 points[3]; tnVoxelSample samples[4][3];");
	for (int i = 0; i < 3; ++i)
	{
		points[i] = DrawPoint(d);
		Show(d, "points[%d] = (tnVec3){%s, %s, %s};", i, GetFloatText(points[i].x).text, GetFloatText(points[i].y).text,
			GetFloatText(points[i].z).text);
	}
	const int count = DrawOneIn(d, 16) ? DrawInt(d, -1, 0) : 3;
	SHOW_INT(d, count);
	memset(samples, 0, sizeof(samples));
	ASK(d, tnVoxelWorld_Sample(voxels, points[0], &samples[which][0]));
	if (IsOk(d))
	{
		CheckVoxelSample(d, &samples[0][0]);
	}
	ASK(d, tnVoxelWorld_SampleMany(voxels, points, count, samples[which]));
	DONE(d);
	// The current is part of no save, nor is the head, which is the level under a roof.
	const bool reloaded = d->voxelTrack.reloaded;
	for (int i = 0; i < count && IsOk(d); ++i)
	{
		CheckVoxelSample(d, samples[0] + i);
		const float* first = reloaded ? &samples[0][i].depth : &samples[0][i].level;
		CompareOutputs(d, "samples", first, sizeof(samples[0]), (reloaded ? 1 : 6) * sizeof(float));
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Meshes

static void CreateMesher(Driver* d)
{
	const bool destroys = DrawOneIn(d, 8);
	if (!d->dry && (d->meshers[0] == NULL) == destroys)
	{
		return;
	}
	if (destroys)
	{
		ShowText(d, "tnDestroyVoxelMesher(mesher);");
		ShowText(d, "mesher = NULL;");
		for (int i = 0; i < d->twinCount && !d->dry; ++i)
		{
			tnDestroyVoxelMesher(d->meshers[i]);
			d->meshers[i] = NULL;
			d->voxelTrack.mesherBytes[i] = 0;
		}
		CountCalls("tnDestroyVoxelMesher(", true);
		return;
	}
	ShowText(d, "tnVoxelMesher** made[4] = {&mesher, &mesher, &mesher, &mesher};");
	ShowText(d, "const tnAllocator allocators[4] = {{TwinAlloc, TwinFree, &memory}, {TwinAlloc, TwinFree, &memory},");
	ShowText(d, "	{TwinAlloc, TwinFree, &memory}, {TwinAlloc, TwinFree, &memory}};");
	tnVoxelMesher** made[twinLimit] = {0};
	tnAllocator allocators[twinLimit] = {0};
	int64_t before[twinLimit] = {0};
	for (int i = 0; i < twinLimit; ++i)
	{
		made[i] = d->meshers + i;
		allocators[i] = (tnAllocator){TwinAlloc, TwinFree, d->memories + i};
		before[i] = d->memories[i].liveBytes;
	}
	CALL_AND_JUDGE(d, hookMayRest, tnCreateVoxelMesher(allocators + which, made[which]));
	DONE(d);
	for (int i = 0; i < d->twinCount; ++i)
	{
		d->voxelTrack.mesherBytes[i] = (size_t)(d->memories[i].liveBytes - before[i]);
	}
}

size_t GetMesherBytes(const Driver* d, int which)
{
	return d->voxelTrack.mesherBytes[which];
}

static void Mesh(Driver* d)
{
	const tnVoxelMeshDef preset = tnDefaultVoxelMeshDef();
	tnVoxelMeshDef def = preset;
	tnVoxel chunk;
	chunk.x = DrawInt(d, -2, 1);
	chunk.y = DrawInt(d, 0, 2);
	chunk.z = DrawInt(d, -2, 1);
	def.style = (tnVoxelMeshStyle)DrawInt(d, 0, DrawOneIn(d, 32) ? 2 : 1);
	def.liquid = DrawInt(d, DrawOneIn(d, 32) ? -2 : -1, d->voxelTrack.def.liquidCount);
	def.cutOut = DrawBool(d);
	if (DrawOneIn(d, 4))
	{
		def.clip = DrawBox(d);
	}
	def.stamp += DrawOneIn(d, 128) ? 1u : 0u;
	const bool counts = DrawOneIn(d, 8);
	static tnVec3 positions[twinLimit][meshVertexLimit], normals[twinLimit][meshVertexLimit];
	static uint8_t kinds[twinLimit][meshVertexLimit];
	static uint32_t indices[twinLimit][meshIndexLimit];
	tnVoxelMesh meshes[twinLimit] = {0};
	uint64_t keys[twinLimit] = {0};
	const int vertexCapacity = counts ? 0 : meshVertexLimit;
	const int indexCapacity = counts ? 0 : meshIndexLimit;
	ShowVoxel(d, "chunk", chunk);
	SHOW_STRUCT(d, voxelMeshDefInfo, def, preset);
	SHOW_INT(d, vertexCapacity);
	SHOW_INT(d, indexCapacity);
	ShowText(
		d, "static tnVec3 positions[6000], normals[6000]; static uint8_t kinds[6000]; static uint32_t indices[18000];");
	ShowText(d, "tnVoxelMesh meshes[4]; uint64_t keys[4];");
	ShowText(d, "for (int i = 0; i < 4; ++i)");
	ShowText(d, "{");
	ShowText(
		d, "	meshes[i] = (tnVoxelMesh){positions, normals, kinds, vertexCapacity, indices, indexCapacity, 0, 0};");
	ShowText(d, "}");
	for (int i = 0; i < twinLimit; ++i)
	{
		meshes[i] = (tnVoxelMesh){positions[i], normals[i], kinds[i], vertexCapacity, indices[i], indexCapacity, 0, 0};
	}
	CALL_AND_JUDGE(d, hookMayRest, tnVoxelMesher_Build(mesher, voxels, chunk, &def, meshes + which));
	const bool built = IsOk(d);
	const bool tooLarge = d->results[0].status == tn_outOfMemory;
	const tnVoxelMesh* mesh = meshes;
	if (built)
	{
		const int count = counts ? 0 : mesh->vertexCount;
		CompareOutputs(d, "counts", &meshes[0].vertexCount, sizeof(meshes[0]), 2 * sizeof(int32_t));
		CompareOutputs(d, "positions", positions, sizeof(positions[0]), sizeof(tnVec3) * (size_t)count);
		CompareOutputs(d, "normals", normals, sizeof(normals[0]), sizeof(tnVec3) * (size_t)count);
		if (!AreFinite(&positions[0][0].x, 3 * count) || !AreFinite(&normals[0][0].x, 3 * count))
		{
			Fail(d, "mesh", "%d vertices, one is not finite", count);
		}
		for (int i = 0; i < (counts ? 0 : mesh->indexCount); ++i)
		{
			if (indices[0][i] >= (uint32_t)mesh->vertexCount)
			{
				Fail(d, "mesh", "index %d is %d of %d", i, (int)indices[0][i], (int)mesh->vertexCount);
				break;
			}
		}
	}
	CALL_AND_JUDGE(d, hookMayRest, tnVoxelMesher_GetKey(mesher, voxels, chunk, &def, keys + which));
	DONE(d);
	if (IsOk(d))
	{
		CompareOutputs(d, "keys", keys, sizeof(keys[0]), sizeof(keys[0]));
	}
	if (IsOk(d) != (built || tooLarge) || (built && keys[0] == 0 && mesh->indexCount != 0))
	{
		Fail(d, "mesh key", "built %d, key %d, %d indices", (int)built, (int)d->results[0].status,
			(int)mesh->indexCount);
	}
	const bool hasKey = IsOk(d);
	// The same by all workers, twice: a second time there is nothing new.
	static tnVec3 manyPositions[twinLimit][meshVertexLimit], manyNormals[twinLimit][meshVertexLimit];
	tnVoxelMeshTask tasks[twinLimit] = {0};
	int64_t before[twinLimit] = {0};
	for (int i = 0; i < twinLimit; ++i)
	{
		tasks[i].chunk = chunk;
		tasks[i].def = def;
		tasks[i].mesh =
			(tnVoxelMesh){manyPositions[i], manyNormals[i], kinds[i], vertexCapacity, indices[i], indexCapacity, 0, 0};
		before[i] = d->memories[i].liveBytes;
	}
	ShowText(d, "tnVoxelMeshTask tasks[4];");
	ShowText(d, "for (int i = 0; i < 4; ++i)");
	ShowText(d, "{");
	ShowText(d, "	tasks[i] = (tnVoxelMeshTask){.chunk = chunk, .def = def, .mesh = meshes[i]};");
	ShowText(d, "}");
	CALL_AND_JUDGE(d, hookMayRest, tnVoxelMesher_BuildMany(mesher, voxels, tasks + which, 1));
	DONE(d);
	for (int i = 0; i < d->twinCount; ++i)
	{
		d->voxelTrack.mesherBytes[i] += (size_t)(d->memories[i].liveBytes - before[i]);
	}
	if (IsOk(d) != hasKey || (hasKey && tasks[0].isTooLarge != tooLarge) ||
		(hasKey && !tooLarge && tasks[0].key != keys[0]))
	{
		Fail(d, "many meshes", "built %d, too large %d, many %d", (int)built, (int)tooLarge, (int)tasks[0].isTooLarge);
	}
	for (int i = 0; i < d->twinCount && built && IsOk(d) && tasks[0].isNew && !counts; ++i)
	{
		const size_t bytes = sizeof(tnVec3) * (size_t)mesh->vertexCount;
		if (memcmp(manyPositions[i], positions[0], bytes) != 0 || memcmp(manyNormals[i], normals[0], bytes) != 0)
		{
			Fail(d, "many meshes", "twin %d has another mesh", i);
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Bodies

static void CreateBody(Driver* d)
{
	const int slot = DrawSlot(d);
	SHOW_INT(d, slot);
	static BodyDraft draft;
	DrawBody(d, &draft);
	const tnBodyDef def = draft.def;
	CHANGE(d, tnVoxelWorld_CreateBody(voxels, &def, ids->bodies + slot));
	DONE(d);
	d->voxelTrack.hadBody = d->voxelTrack.hadBody || IsOk(d);
	CompareOutputs(d, "ids", d->ids[0].bodies + slot, sizeof(Ids), sizeof(tnBodyId));
	if (tnVoxelWorld_HasBody(d->voxelWorlds[0], d->ids[0].bodies[slot]) != IsOk(d))
	{
		Fail(d, "id", "has body: %d", (int)!IsOk(d));
	}
}

static void DestroyBody(Driver* d)
{
	const int slot = DrawSlot(d);
	SHOW_INT(d, slot);
	bool there[twinLimit] = {0};
	ShowText(d, "bool there[4];");
	TAKE(d, there[which] = tnVoxelWorld_HasBody(voxels, ids->bodies[slot]));
	CHANGE(d, tnVoxelWorld_DestroyBody(voxels, ids->bodies[slot]));
	DONE(d);
	if (IsOk(d) != there[0])
	{
		Fail(d, "id", "was there: %d", (int)there[0]);
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
	CHANGE(d, tnVoxelWorld_MoveBody(voxels, ids->bodies[slot], &pose, velocity, spin));
}

static void AskBody(Driver* d)
{
	const int slot = DrawSlot(d);
	const int capacity = DrawInt(d, -1, slotCount);
	tnWrench wrenches[twinLimit] = {0};
	tnBodyState states[twinLimit] = {0};
	tnBodyMesh meshes[twinLimit] = {0};
	static tnVec3 lines[twinLimit][waterlineLimit];
	int counts[twinLimit] = {0};
	tnBodyId some[twinLimit][slotCount] = {0};
	int bodyCounts[twinLimit] = {0};
	SHOW_INT(d, slot);
	SHOW_INT(d, capacity);
	ShowText(d, "tnWrench wrenches[4]; tnBodyState states[4]; tnBodyMesh meshes[4]; static tnVec3 lines[4][512];");
	ShowText(d, "int counts[4] = {0}; tnBodyId some[4][slotCount]; int bodyCounts[4];");
	TAKE(d, bodyCounts[which] = tnVoxelWorld_GetBodies(voxels, some[which], capacity));
	CompareOutputs(d, "bodies", bodyCounts, sizeof(int), sizeof(int));
	ASK(d, tnVoxelWorld_GetBodyMesh(voxels, ids->bodies[slot], meshes + which));
	ASK(d, tnVoxelWorld_CopyBodyWaterline(voxels, ids->bodies[slot], lines[which], 512, counts + which));
	if (IsOk(d))
	{
		const int count = counts[0] < waterlineLimit ? counts[0] : waterlineLimit;
		CompareOutputs(d, "waterline", lines, sizeof(lines[0]), sizeof(tnVec3) * (size_t)count);
		if (!AreFinite(&lines[0][0].x, 3 * count))
		{
			Fail(d, "waterline", "of %d points one is not finite", counts[0]);
		}
	}
	ASK(d, tnVoxelWorld_GetBodyState(voxels, ids->bodies[slot], states + which));
	if (IsOk(d))
	{
		CheckBodyState(d, states);
		CompareOutputs(d, "states", states, sizeof(states[0]), offsetof(tnBodyState, current) + sizeof(tnVec2));
	}
	ASK(d, tnVoxelWorld_GetBodyWrench(voxels, ids->bodies[slot], wrenches + which));
	DONE(d);
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
}

static void AskLibrary(Driver* d)
{
	TAKE(d, (void)tnDefaultVoxelWorldDef());
	TAKE(d, (void)tnDefaultLiquidDef());
	TAKE(d, (void)tnDefaultReactionDef());
	TAKE(d, (void)tnDefaultVoxelSourceDef());
	TAKE(d, (void)tnDefaultVoxelOceanDef());
	TAKE(d, (void)tnDefaultVoxelMeshDef());
	DONE(d);
	tnDestroyVoxelWorld(NULL);
	CountCalls("tnDestroyVoxelWorld(", true);
}

const DriverCall voxelAskCalls[] = {{"AskVoxels", AskVoxels, 7, 0, false}, {"Read", Read, 5, 0, false},
	{"Sample", Sample, 7, 0, false}, {"CreateMesher", CreateMesher, 5, 3, true}, {"Mesh", Mesh, 8, 0, false},
	{"CreateBody", CreateBody, 5, 2, false}, {"DestroyBody", DestroyBody, 2, 0, false},
	{"MoveBody", MoveBody, 5, 0, false}, {"AskBody", AskBody, 5, 0, false}, {"AskLibrary", AskLibrary, 1, 0, false}};
const int voxelAskCallCount = (int)(sizeof(voxelAskCalls) / sizeof(voxelAskCalls[0]));
