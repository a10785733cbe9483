// SPDX-License-Identifier: MIT

// Terrain, water, edges, weather, sources, method: everything of world.h that changes a world.

#include "world_calls.h"

// How long a method takes, for each cell.
static int GetMethodWork(tnMethod method, tnAdvection advection)
{
	if (method != tn_shallowMethod)
	{
		return 1;
	}
	return advection == tn_fineAdvection ? fineWork : shallowWork;
}

static void AddStepWork(Driver* d)
{
	const tnWorldDef* def = &d->track.def;
	for (int i = 0; i < d->twinCount; ++i)
	{
		const int kernelWork = d->defs[i].simd == tn_simdScalar ? scalarWork : 1;
		d->work += GetLaneCount(def) * tnWorld_GetStats(d->worlds[i]).subSteps * kernelWork *
			GetMethodWork(def->method, def->advection);
		d->work += (double)waveWork * 4096.0 * tnWorld_GetWaveTileCount(d->worlds[i]) * kernelWork;
		d->work += (double)bodyWork * tnWorld_GetBodies(d->worlds[i], NULL, 0);
	}
}

static void StepOnce(Driver* d, float timeStep)
{
	int64_t allocationCounts[twinLimit] = {0};
	size_t byteCounts[twinLimit] = {0};
	for (int i = 0; i < d->twinCount && !d->dry; ++i)
	{
		allocationCounts[i] = d->memories[i].allocationCount;
		byteCounts[i] = tnWorld_GetStats(d->worlds[i]).byteCount;
	}
	CALL_AND_JUDGE(d, mayChange | isStep, tnWorld_Step(world, timeStep));
	DONE(d);
	for (int i = 0; i < d->twinCount; ++i)
	{
		if (d->memories[i].allocationCount != allocationCounts[i] ||
			tnWorld_GetStats(d->worlds[i]).byteCount != byteCounts[i])
		{
			Fail(d, "step allocates", "%d allocations in a step",
				(int)(d->memories[i].allocationCount - allocationCounts[i]));
		}
	}
	if (!IsOk(d))
	{
		return;
	}
	d->track.stepCount += 1;
	d->track.reshaped = false;
	d->track.time += timeStep;
	AddStepWork(d);
	CheckStep(d);
}

// Waves are fitted to a time step, which takes long: few different ones.
static float DrawTimeStep(Driver* d)
{
	static const float usual[] = {1.0f / 60.0f, 1.0f / 60.0f, 1.0f / 60.0f, 1.0f / 30.0f, 1.0f / 61.0f};
	if (d->track.def.waves.enable && !DrawOneIn(d, 16))
	{
		return usual[DrawInt(d, 0, 4)];
	}
	if (!DrawOneIn(d, 4))
	{
		return 1.0f / 60.0f;
	}
	// The shortest there is, and what has no square among floats.
	static const float shortest[] = {1.0e-45f, 1.0e-40f, 1.0e-30f, 1.0e-20f, 1.0e-10f, 1.0e-6f};
	if (DrawOneIn(d, 8))
	{
		return shortest[DrawInt(d, 0, 5)];
	}
	return DrawPower(d, -4.0f, DrawOneIn(d, 8) ? 1.0f : 0.0f);
}

static void DoSteps(Driver* d, int count, float timeStep)
{
	ShowText(d, "{");
	SHOW_FLOAT(d, timeStep);
	Show(d, "for (int i = 0; i < %d; ++i)", count);
	for (int i = 0; i < count && !IsOver(d); ++i)
	{
		StepOnce(d, timeStep);
		d->muted = true;
	}
	d->muted = false;
	ShowText(d, "}");
}

static void Step(Driver* d)
{
	DoSteps(d, 1, DrawTimeStep(d));
}

static void Steps(Driver* d)
{
	const int count = DrawInt(d, 1, 12);
	DoSteps(d, count, DrawTimeStep(d));
}

// Nothing happens for a while: time to fall asleep.
static void Wait(Driver* d)
{
	const float timeStep = DrawBool(d) || d->track.def.waves.enable ? 1.0f / 60.0f : 0.1f;
	DoSteps(d, DrawInt(d, 8, 40), timeStep);
}

// Two lengths in turn, as hosts do whose frames do not fit.
static void AlternateSteps(Driver* d)
{
	const int count = DrawInt(d, 1, 6);
	for (int i = 0; i < count && !IsOver(d); ++i)
	{
		DoSteps(d, 1, i % 2 == 0 ? 1.0f / 60.0f : 1.0f / 61.0f);
	}
}

static void SetTerrain(Driver* d)
{
	const float scale = DrawOneIn(d, 8) ? DrawPower(d, -3.0f, 5.0f) : 4.0f;
	float* heights = d->fieldA;
	DrawField(d, "heights", heights, d->track.def.columnCount, d->track.def.rowCount, -scale, scale);
	CHANGE(d, tnWorld_SetTerrain(world, heights));
}

static void SetTerrainBlock(Driver* d)
{
	const int column = DrawInt(d, -1, d->track.def.columnCount);
	const int row = DrawInt(d, -1, d->track.def.rowCount);
	const int columns = DrawInt(d, 0, 8);
	const int rows = DrawInt(d, 0, 8);
	float* heights = d->fieldA;
	DrawField(d, "heights", heights, 8, 8, -2.0f, 4.0f);
	SHOW_INT(d, column);
	SHOW_INT(d, row);
	SHOW_INT(d, columns);
	SHOW_INT(d, rows);
	CHANGE(d, tnWorld_SetTerrainBlock(world, column, row, columns, rows, heights));
}

static void EditTerrain(Driver* d)
{
	const tnBrush preset = tnDefaultBrush();
	tnBrush brush = preset;
	brush.kind = (tnBrushKind)DrawInt(d, 0, tn_brushKindCount - 1 + (DrawOneIn(d, 32) ? 1 : 0));
	brush.shape = (tnBrushShape)DrawInt(d, 0, tn_brushShapeCount - 1 + (DrawOneIn(d, 32) ? 1 : 0));
	brush.center = DrawPlace(d);
	brush.radius = DrawRadius(d);
	brush.falloff = DrawFloat(d, 0.0f, 1.0f);
	brush.amount = brush.kind == tn_raiseBrush ? DrawFloat(d, -3.0f, 3.0f) : DrawFloat(d, 0.0f, 1.0f);
	brush.height = DrawLimited(d, -3.0f, 3.0f, -TN_MAX_LENGTH, TN_MAX_LENGTH);
	SHOW_STRUCT(d, brushInfo, brush, preset);
	CHANGE(d, tnWorld_EditTerrain(world, &brush));
}

static void SetDepths(Driver* d)
{
	const float scale = DrawOneIn(d, 8) ? DrawPower(d, -44.0f, 5.0f) : 4.0f;
	float* depths = d->fieldA;
	DrawField(d, "depths", depths, d->track.def.columnCount, d->track.def.rowCount, 0.0f, scale);
	CHANGE(d, tnWorld_SetDepths(world, depths));
}

static void FillToLevel(Driver* d)
{
	const float level = DrawLimited(d, -4.0f, 6.0f, -TN_MAX_LENGTH, TN_MAX_LENGTH);
	SHOW_FLOAT(d, level);
	CHANGE(d, tnWorld_FillToLevel(world, level));
}

static void SetVelocities(Driver* d)
{
	const float scale = DrawPower(d, -2.0f, 1.5f);
	float* alongX = d->fieldA;
	float* alongZ = d->fieldB;
	DrawField(d, "alongX", alongX, d->track.def.columnCount, d->track.def.rowCount, -scale, scale);
	DrawField(d, "alongZ", alongZ, d->track.def.columnCount, d->track.def.rowCount, -scale, scale);
	CHANGE(d, tnWorld_SetVelocities(world, alongX, alongZ));
}

static void AddWater(Driver* d)
{
	const tnVec2 center = DrawPlace(d);
	const float radius = DrawRadius(d);
	const float volume = DrawFloat(d, -20.0f, 20.0f) * d->track.def.cellSize * d->track.def.cellSize;
	SHOW_VEC2(d, center);
	SHOW_FLOAT(d, radius);
	SHOW_FLOAT(d, volume);
	double moved[twinLimit] = {0.0};
	ShowText(d, "double moved[4] = {0.0};");
	CHANGE(d, tnWorld_AddWater(world, center, radius, volume, moved + which));
	DONE(d);
	CompareOutputs(d, "moved", moved, sizeof(moved[0]), sizeof(moved[0]));
	// Each depth is rounded once: eight roundings of half a unit in the last place (2^-24) at most.
	const double slack = 8.0 / 16777216.0 *
		(fabs((double)volume) +
			d->track.cellCount * d->track.cellArea * (double)tnWorld_GetStats(d->worlds[0]).maxDepth);
	if (moved[0] * (double)volume < 0.0 || fabs(moved[0]) > fabs((double)volume) + slack)
	{
		Fail(d, "moved", "moved %g of %g", moved[0], (double)volume);
	}
}

static void AddImpulse(Driver* d)
{
	const tnVec2 center = DrawPlace(d);
	const float radius = DrawRadius(d);
	const float size = DrawPower(d, 0.0f, 7.0f);
	tnVec2 impulse;
	impulse.x = DrawFloat(d, -size, size);
	impulse.z = DrawFloat(d, -size, size);
	SHOW_VEC2(d, center);
	SHOW_FLOAT(d, radius);
	SHOW_VEC2(d, impulse);
	CHANGE(d, tnWorld_AddImpulse(world, center, radius, impulse));
}

static void WidenTracer(Driver* d, int channel, float low, float high)
{
	d->track.low[channel] = fminf(d->track.low[channel], low);
	d->track.high[channel] = fmaxf(d->track.high[channel], high);
}

static void SetTracer(Driver* d)
{
	const int channel = DrawInt(d, -1, 3);
	float* concentrations = d->fieldA;
	DrawField(d, "concentrations", concentrations, d->track.def.columnCount, d->track.def.rowCount, -1.0f, 3.0f);
	SHOW_INT(d, channel);
	CHANGE(d, tnWorld_SetTracer(world, channel, concentrations));
	DONE(d);
	for (int i = 0; i < d->track.cellCount && IsOk(d); ++i)
	{
		WidenTracer(d, channel, concentrations[i], concentrations[i]);
	}
}

static void AddTracer(Driver* d)
{
	const int channel = DrawInt(d, -1, 3);
	const tnVec2 center = DrawPlace(d);
	const float radius = DrawRadius(d);
	const float concentration = DrawLimited(d, -2.0f, 5.0f, -1.0e6f, 1.0e6f);
	SHOW_INT(d, channel);
	SHOW_VEC2(d, center);
	SHOW_FLOAT(d, radius);
	SHOW_FLOAT(d, concentration);
	CHANGE(d, tnWorld_AddTracer(world, channel, center, radius, concentration));
	DONE(d);
	if (IsOk(d))
	{
		WidenTracer(d, channel, concentration, concentration);
	}
}

static void SetWeather(Driver* d)
{
	const int kind = DrawInt(d, 0, 2);
	const float rate = DrawBool(d) ? 0.0f : DrawPower(d, -8.0f, -1.0f);
	const float* map = NULL;
	SHOW_FLOAT(d, rate);
	if (DrawOneIn(d, 3))
	{
		DrawField(d, "depths", d->fieldA, d->track.def.columnCount, d->track.def.rowCount, 0.0f, 2.0f);
		map = d->fieldA;
	}
	ShowText(d, map != NULL ? "const float* map = depths;" : "const float* map = NULL;");
	d->track.rains = d->track.rains || (kind == 0 && rate != 0.0f);
	switch (kind)
	{
		case 0:
			CHANGE(d, tnWorld_SetRain(world, rate, map));
			break;
		case 1:
			CHANGE(d, tnWorld_SetEvaporation(world, rate, map));
			break;
		default:
			CHANGE(d, tnWorld_SetInfiltration(world, rate, map));
			break;
	}
}

static void SetAcceleration(Driver* d)
{
	tnVec2 acceleration = {0.0f, 0.0f};
	if (DrawBool(d))
	{
		acceleration.x = DrawLimited(d, -3.0f, 3.0f, -1000.0f, 1000.0f);
		acceleration.z = DrawLimited(d, -3.0f, 3.0f, -1000.0f, 1000.0f);
	}
	SHOW_VEC2(d, acceleration);
	CHANGE(d, tnWorld_SetAcceleration(world, acceleration));
	DONE(d);
	d->track.pushed = d->track.pushed || (IsOk(d) && (acceleration.x != 0.0f || acceleration.z != 0.0f));
}

static void SetMethod(Driver* d)
{
	tnMethod method;
	tnAdvection advection;
	DrawMethod(d, &method, &advection);
	SHOW_INT(d, method);
	SHOW_INT(d, advection);
	const bool keepsFlow = (method == tn_pipeMethod) == (d->track.def.method == tn_pipeMethod);
	for (int i = 0; i < d->track.cellCount && !d->dry; ++i)
	{
		const tnFieldView depth = tnWorld_GetDepth(d->worlds[0]);
		d->fieldA[i] = depth.data[i / depth.columnCount * depth.stride + i % depth.columnCount];
	}
	const uint64_t hash = d->hashes[0];
	CHANGE(d, tnWorld_SetMethod(world, method, advection));
	DONE(d);
	if (!IsOk(d))
	{
		return;
	}
	d->report->methodChangeCount += method != d->track.def.method || advection != d->track.def.advection ? 1 : 0;
	d->track.def.method = method;
	d->track.def.advection = advection;
	const tnFieldView depth = tnWorld_GetDepth(d->worlds[0]);
	for (int i = 0; i < d->track.cellCount; ++i)
	{
		const float now = depth.data[i / depth.columnCount * depth.stride + i % depth.columnCount];
		if (now != d->fieldA[i])
		{
			Fail(d, "depth kept", "depth %d was %.9g and is %.9g", i, (double)d->fieldA[i], (double)now);
			return;
		}
	}
	if (keepsFlow && d->hashes[0] != hash)
	{
		Fail(d, "flow kept", "the water has changed");
	}
	for (int i = 0; i < d->twinCount; ++i)
	{
		const tnWorldDef def = tnWorld_GetDef(d->worlds[i]);
		if (def.method != method || def.advection != advection)
		{
			Fail(d, "def", "the def says %d, %d", (int)def.method, (int)def.advection);
		}
		CheckFlow(d, i, false);
	}
}

static void SetVorticityConfinement(Driver* d)
{
	const float strength = DrawBool(d) ? DrawFloat(d, 0.0f, 1.0f) : 0.0f;
	SHOW_FLOAT(d, strength);
	CHANGE(d, tnWorld_SetVorticityConfinement(world, strength));
	DONE(d);
	d->track.def.vorticityConfinement = IsOk(d) ? strength : d->track.def.vorticityConfinement;
}

static void SetEdge(Driver* d)
{
	const tnSide side = (tnSide)DrawInt(d, 0, tn_sideCount - 1 + (DrawOneIn(d, 32) ? 1 : 0));
	const tnEdgeDef preset = tnDefaultEdgeDef();
	tnEdgeDef def = DrawEdge(d);
	def.kind = DrawOneIn(d, 16) ? (tnEdgeKind)DrawInt(d, 0, tn_edgeKindCount) : def.kind;
	SHOW_INT(d, side);
	SHOW_STRUCT(d, edgeDefInfo, def, preset);
	CHANGE(d, tnWorld_SetEdge(world, side, &def));
	DONE(d);
	if (IsOk(d))
	{
		d->track.def.edges[side] = def;
		WidenTracers(d, def.tracers);
	}
}

static void SetEdges(Driver* d)
{
	tnEdgeDef defs[tn_sideCount];
	DrawEdges(d, defs);
	const tnEdgeDef preset = tnDefaultEdgeDef();
	ShowText(
		d, "tnEdgeDef defs[4] = {tnDefaultEdgeDef(), tnDefaultEdgeDef(), tnDefaultEdgeDef(), tnDefaultEdgeDef()};");
	for (int side = 0; side < tn_sideCount; ++side)
	{
		char name[32];
		snprintf(name, sizeof(name), "defs[%d]", side);
		ShowFields(d, &edgeDefInfo, name, defs + side, &preset);
	}
	CHANGE(d, tnWorld_SetEdges(world, defs));
	DONE(d);
	for (int side = 0; side < tn_sideCount && IsOk(d); ++side)
	{
		d->track.def.edges[side] = defs[side];
		WidenTracers(d, defs[side].tracers);
	}
}

static void SetEdgeCurve(Driver* d)
{
	const tnSide side = (tnSide)DrawInt(d, 0, tn_sideCount - 1);
	const int count = DrawInt(d, -1, curveLimit);
	tnCurvePoint points[curveLimit] = {{0.0f, 0.0f}};
	ShowText(d, "tnCurvePoint points[6] = {{0.0f, 0.0f}};");
	float time = DrawOneIn(d, 4) ? DrawFloat(d, 0.0f, 4.0f) : 0.0f;
	for (int i = 0; i < count; ++i)
	{
		time += DrawFloat(d, 0.0f, 0.5f);
		points[i] = (tnCurvePoint){time, DrawFloat(d, -1.0f, 5.0f)};
		Show(d, "points[%d] = (tnCurvePoint){%s, %s};", i, GetFloatText(points[i].time).text,
			GetFloatText(points[i].value).text);
	}
	SHOW_INT(d, side);
	SHOW_INT(d, count);
	CHANGE(d, tnWorld_SetEdgeCurve(world, side, count == 0 ? NULL : points, count));
}

static tnSourceDef DrawSource(Driver* d)
{
	const tnSourceDef preset = tnDefaultSourceDef();
	tnSourceDef def = preset;
	def.kind = (tnSourceKind)DrawInt(d, 0, tn_sourceKindCount - 1 + (DrawOneIn(d, 32) ? 1 : 0));
	def.center = DrawPlace(d);
	def.radius = DrawRadius(d);
	def.rate = DrawLimited(d, -20.0f, 20.0f, -1.0e9f, 1.0e9f) * d->track.def.cellSize * d->track.def.cellSize;
	def.level = DrawLimited(d, -3.0f, 5.0f, -TN_MAX_LENGTH, TN_MAX_LENGTH);
	if (DrawOneIn(d, 3))
	{
		def.velocity.x = DrawLimited(d, -5.0f, 5.0f, -1000.0f, 1000.0f);
		def.velocity.z = DrawLimited(d, -5.0f, 5.0f, -1000.0f, 1000.0f);
	}
	for (int i = 0; i < 3; ++i)
	{
		def.tracers[i] = DrawLimited(d, -1.0f, 2.0f, -1.0e6f, 1.0e6f);
	}
	def.stamp += DrawOneIn(d, 64) ? 1u : 0u;
	SHOW_STRUCT(d, sourceDefInfo, def, preset);
	return def;
}

static void CreateSource(Driver* d)
{
	const int slot = DrawSlot(d);
	const tnSourceDef def = DrawSource(d);
	SHOW_INT(d, slot);
	CHANGE(d, tnWorld_CreateSource(world, &def, ids->sources + slot));
	DONE(d);
	for (int i = 0; i < d->twinCount; ++i)
	{
		const tnSourceId id = d->ids[i].sources[slot];
		if (tnSource_IsValid(d->worlds[i], id) != IsOk(d) || (!IsOk(d) && (id.index1 != 0 || id.generation != 0)))
		{
			Fail(d, "id", "id %d, %d after status %d", id.index1, (int)id.generation, (int)d->results[i].status);
		}
	}
	CompareOutputs(d, "ids", d->ids[0].sources + slot, sizeof(Ids), sizeof(tnSourceId));
	if (IsOk(d))
	{
		WidenTracers(d, def.tracers);
		d->track.pushed = true;
	}
}

static void DestroySource(Driver* d)
{
	// Destroyed and kept: stale from now on.
	const int slot = DrawSlot(d);
	SHOW_INT(d, slot);
	CHANGE(d, tnWorld_DestroySource(world, ids->sources[slot]));
	DONE(d);
	if (tnSource_IsValid(d->worlds[0], d->ids[0].sources[slot]))
	{
		Fail(d, "id", "a destroyed source is valid");
	}
}

static void SetSource(Driver* d)
{
	const int slot = DrawSlot(d);
	const tnSourceDef def = DrawSource(d);
	SHOW_INT(d, slot);
	CHANGE(d, tnWorld_SetSource(world, ids->sources[slot], &def));
	DONE(d);
	if (IsOk(d))
	{
		WidenTracers(d, def.tracers);
	}
}

static void GetSource(Driver* d)
{
	const int slot = DrawSlot(d);
	SHOW_INT(d, slot);
	tnSourceDef defs[twinLimit] = {0};
	double volumes[twinLimit] = {0};
	bool valid[twinLimit] = {0};
	ShowText(d, "tnSourceDef defs[4]; double volumes[4]; bool valid[4];");
	TAKE(d, valid[which] = tnSource_IsValid(world, ids->sources[slot]));
	ASK(d, tnWorld_GetSource(world, ids->sources[slot], defs + which, volumes + which));
	DONE(d);
	if (IsOk(d) != valid[0] || (IsOk(d) && isfinite(volumes[0]) == 0))
	{
		Fail(d, "source", "valid %d, volume %g", (int)valid[0], volumes[0]);
	}
	if (IsOk(d))
	{
		CompareOutputs(d, "volumes", volumes, sizeof(volumes[0]), sizeof(volumes[0]));
	}
}

const DriverCall editCalls[] = {{"Step", Step, 24, 0, false}, {"Steps", Steps, 22, 0, true}, {"Wait", Wait, 5, 0, true},
	{"AlternateSteps", AlternateSteps, 3, 0, false}, {"SetTerrain", SetTerrain, 3, 3, false},
	{"SetTerrainBlock", SetTerrainBlock, 3, 0, false}, {"EditTerrain", EditTerrain, 6, 0, false},
	{"SetDepths", SetDepths, 3, 1, false}, {"FillToLevel", FillToLevel, 3, 3, true},
	{"SetVelocities", SetVelocities, 3, 0, false}, {"AddWater", AddWater, 6, 0, false},
	{"AddImpulse", AddImpulse, 4, 0, false}, {"SetTracer", SetTracer, 2, 0, false},
	{"AddTracer", AddTracer, 3, 0, true}, {"SetWeather", SetWeather, 3, 0, false},
	{"SetAcceleration", SetAcceleration, 3, 0, false}, {"SetMethod", SetMethod, 4, 0, false},
	{"SetVorticityConfinement", SetVorticityConfinement, 3, 0, false}, {"SetEdge", SetEdge, 4, 0, false},
	{"SetEdges", SetEdges, 4, 0, false}, {"SetEdgeCurve", SetEdgeCurve, 3, 0, false},
	{"CreateSource", CreateSource, 4, 2, false}, {"DestroySource", DestroySource, 2, 0, false},
	{"SetSource", SetSource, 3, 0, false}, {"GetSource", GetSource, 2, 0, false}};
const int editCallCount = (int)(sizeof(editCalls) / sizeof(editCalls[0]));
