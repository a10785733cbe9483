// SPDX-License-Identifier: MIT

// Everything a host can get wrong with a world that is there. Each mistake gets a status, a text that names the field and
// the value, and a call of the error hook, and leaves the world as it was.

#include "bad_input_kit.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct Bench
{
	tnWorld* world;
	Hook hook;
	uint64_t hash;
} Bench;

// A place in the middle of the world.
static const tnVec2 s_middle = {1.0f, 5.0f};

static bool OpenBench(Bench* bench)
{
	static float heights[cellCount], depths[cellCount];
	for (int i = 0; i < cellCount; ++i)
	{
		heights[i] = 0.125f * (float)(i % 5);
		depths[i] = 1.0f;
	}
	memset(bench, 0, sizeof(*bench));
	const tnWorldDef def = MakeDef(&bench->hook);
	bool ok = tnCreateWorld(&def, &bench->world).status == tn_ok;
	ok = ok && tnWorld_SetTerrain(bench->world, heights).status == tn_ok;
	ok = ok && tnWorld_SetDepths(bench->world, depths).status == tn_ok;
	for (int i = 0; i < 3; ++i)
	{
		ok = ok && tnWorld_Step(bench->world, 1.0f / 60.0f).status == tn_ok;
	}
	bench->hash = tnWorld_GetHash(bench->world);
	return ok && bench->hook.count == 0;
}

// A failing call on the bench: status, two parts of the text (the field and the value), the hook, the hash.
static int CheckRefused(Bench* bench, tnResult result, tnStatus status, const char* field, const char* value)
{
	ENSURE_REFUSED(result, status, field);
	ENSURE_TEXT(result.text, value);
	ENSURE_EQUAL_INT(bench->hook.count, 1);
	ENSURE_EQUAL_INT(bench->hook.last.status, status);
	ENSURE_TEXT(bench->hook.last.text, result.text);
	ENSURE_EQUAL_HEX(tnWorld_GetHash(bench->world), bench->hash);
	bench->hook = (Hook){0};
	return 0;
}

#define REFUSE(call, status, field, value)                                          \
	do                                                                              \
	{                                                                               \
		if (CheckRefused(&bench, (call), (status), (field), (value)) != 0)          \
		{                                                                           \
			TestCheck(__FILE__, __LINE__, #call " is refused as it should", false); \
			return 1;                                                               \
		}                                                                           \
	} while (0)

#define INVALID(call, field, value) REFUSE(call, tn_invalidArgument, field, value)

// ---------------------------------------------------------------------------------------------------------------------
// Null worlds

static int NullWorlds(void)
{
	static float field[cellCount];
	const tnEdgeDef edges[tn_sideCount] = {{0}};
	const tnBrush brush = tnDefaultBrush();
	const tnSourceDef sourceDef = tnDefaultSourceDef();
	const tnRegionDef regionDef = tnDefaultRegionDef();
	const tnCurvePoint points[2] = {{0.0f, 1.0f}, {1.0f, 2.0f}};
	const tnVec3 up = {0.0f, 1.0f, 0.0f};
	tnSourceId sourceId = {7, 7};
	tnRegionId regionId = {7, 7};
	tnGaugeId gaugeId = {7, 7};
	tnSourceDef gotSource;
	tnRegionState regionState;
	tnGaugeState gaugeState;
	tnSample sample;
	tnRayHit hit;
	double volume = 7.0;

#define NULL_WORLD(call) ENSURE_REFUSED(call, tn_invalidArgument, "world must not be NULL")
	NULL_WORLD(tnWorld_Step(NULL, 0.1f));
	NULL_WORLD(tnWorld_SetTerrain(NULL, field));
	NULL_WORLD(tnWorld_SetTerrainBlock(NULL, 0, 0, 1, 1, field));
	NULL_WORLD(tnWorld_SetDepths(NULL, field));
	NULL_WORLD(tnWorld_FillToLevel(NULL, 1.0f));
	NULL_WORLD(tnWorld_SetVelocities(NULL, field, field));
	NULL_WORLD(tnWorld_SetTracer(NULL, 0, field));
	NULL_WORLD(tnWorld_SetAcceleration(NULL, s_middle));
	NULL_WORLD(tnWorld_SetMethod(NULL, tn_linearMethod, tn_conservativeAdvection));
	NULL_WORLD(tnWorld_SetVorticityConfinement(NULL, 0.5f));
	NULL_WORLD(tnWorld_SetEdge(NULL, tn_west, edges));
	NULL_WORLD(tnWorld_SetEdges(NULL, edges));
	NULL_WORLD(tnWorld_SetEdgeCurve(NULL, tn_west, points, 2));
	NULL_WORLD(tnWorld_EditTerrain(NULL, &brush));
	NULL_WORLD(tnWorld_AddWater(NULL, s_middle, 1.0f, 1.0f, &volume));
	ENSURE(volume == 0.0);
	NULL_WORLD(tnWorld_AddImpulse(NULL, s_middle, 1.0f, s_middle));
	NULL_WORLD(tnWorld_AddTracer(NULL, 0, s_middle, 1.0f, 1.0f));
	NULL_WORLD(tnWorld_SetRain(NULL, 1.0f, NULL));
	NULL_WORLD(tnWorld_SetEvaporation(NULL, 1.0f, NULL));
	NULL_WORLD(tnWorld_SetInfiltration(NULL, 1.0f, NULL));
	NULL_WORLD(tnWorld_CreateSource(NULL, &sourceDef, &sourceId));
	ENSURE(sourceId.index1 == 0);
	NULL_WORLD(tnWorld_DestroySource(NULL, sourceId));
	NULL_WORLD(tnWorld_SetSource(NULL, sourceId, &sourceDef));
	NULL_WORLD(tnWorld_GetSource(NULL, sourceId, &gotSource, &volume));
	NULL_WORLD(tnWorld_CopyVelocities(NULL, field, field));
	NULL_WORLD(tnWorld_CopyDischarge(NULL, NULL, NULL));
	NULL_WORLD(tnWorld_CopySurface(NULL, 1.0f, field));
	uint8_t awake = 0;
	NULL_WORLD(tnWorld_CopyAwake(NULL, &awake));
	NULL_WORLD(tnWorld_SampleMany(NULL, &s_middle, 1, &sample));
	NULL_WORLD(tnWorld_CastRay(NULL, up, up, 1.0f, &hit));
	ENSURE(!hit.hit);
	NULL_WORLD(tnWorld_CreateRegion(NULL, &regionDef, &regionId));
	ENSURE(regionId.index1 == 0);
	NULL_WORLD(tnWorld_DestroyRegion(NULL, regionId));
	NULL_WORLD(tnWorld_GetRegionState(NULL, regionId, &regionState));
	NULL_WORLD(tnWorld_MeasureRegion(NULL, &regionDef, &regionState));
	NULL_WORLD(tnWorld_CreateGauge(NULL, s_middle, &gaugeId));
	ENSURE(gaugeId.index1 == 0);
	NULL_WORLD(tnWorld_DestroyGauge(NULL, gaugeId));
	NULL_WORLD(tnWorld_GetGaugeState(NULL, gaugeId, &gaugeState));
	NULL_WORLD(tnWorld_ResetGauge(NULL, gaugeId));
#undef NULL_WORLD

	ENSURE_EQUAL_INT(tnWorld_GetDef(NULL).columnCount, 0);
	ENSURE(tnWorld_GetTime(NULL) == 0.0);
	ENSURE(!tnSource_IsValid(NULL, (tnSourceId){1, 1}));
	ENSURE(!tnRegion_IsValid(NULL, (tnRegionId){1, 1}));
	ENSURE(!tnGauge_IsValid(NULL, (tnGaugeId){1, 1}));
	ENSURE(tnWorld_GetBed(NULL).data == NULL && tnWorld_GetBed(NULL).columnCount == 0);
	ENSURE(tnWorld_GetDepth(NULL).data == NULL && tnWorld_GetDepth(NULL).rowCount == 0);
	ENSURE(tnWorld_GetPreviousDepth(NULL).data == NULL);
	ENSURE(tnWorld_GetTracer(NULL, 0).data == NULL);
	ENSURE(!tnWorld_Sample(NULL, s_middle).inside && !tnWorld_Sample(NULL, s_middle).wet);
	ENSURE_EQUAL_INT(tnWorld_GetRegionEvents(NULL).count, 0);
	ENSURE(tnWorld_GetLedger(NULL).volume == 0.0);
	ENSURE_EQUAL_INT(tnWorld_GetStats(NULL).stepCount, 0);
	ENSURE_EQUAL_HEX(tnWorld_GetHash(NULL), 0);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// The step and the whole state

static int TimeSteps(void)
{
	Bench bench;
	ENSURE(OpenBench(&bench));
	const double time = tnWorld_GetTime(bench.world);
	const tnStats before = tnWorld_GetStats(bench.world);
	INVALID(tnWorld_Step(bench.world, 0.0f), "timeStep", "got 0");
	INVALID(tnWorld_Step(bench.world, -0.0f), "timeStep", "0");
	INVALID(tnWorld_Step(bench.world, -1.0f), "timeStep", "got -1");
	INVALID(tnWorld_Step(bench.world, 1.0e9f), "timeStep", "1e+09");
	INVALID(tnWorld_Step(bench.world, 10.5f), "timeStep", "10.5");
	INVALID(tnWorld_Step(bench.world, NAN), "timeStep", "nan");
	INVALID(tnWorld_Step(bench.world, INFINITY), "timeStep", "inf");
	INVALID(tnWorld_Step(bench.world, -INFINITY), "timeStep", "-inf");
	ENSURE(tnWorld_GetTime(bench.world) == time);
	ENSURE_EQUAL_INT(tnWorld_GetStats(bench.world).stepCount, before.stepCount);
	ENSURE_OK(tnWorld_Step(bench.world, FLT_MIN));
	ENSURE_OK(tnWorld_Step(bench.world, 10.0f));
	tnDestroyWorld(bench.world);
	return 0;
}

static int Methods(void)
{
	Bench bench;
	ENSURE(OpenBench(&bench));
	tnWorld* world = bench.world;
	const tnWorldDef before = tnWorld_GetDef(world);
	INVALID(tnWorld_SetMethod(world, tn_methodCount, tn_fineAdvection), "method", "[0, 2], got 3");
	INVALID(tnWorld_SetMethod(world, (tnMethod)-1, tn_fineAdvection), "method", "got -1");
	INVALID(tnWorld_SetMethod(world, (tnMethod)INT32_MAX, tn_fineAdvection), "method", "2147483647");
	INVALID(tnWorld_SetMethod(world, tn_shallowMethod, tn_advectionCount), "advection", "[0, 3], got 4");
	INVALID(tnWorld_SetMethod(world, tn_pipeMethod, (tnAdvection)-1), "advection", "got -1");
	const float strengths[] = {NAN, INFINITY, -INFINITY, -0.5f, 1.001f};
	const char* const texts[] = {"nan", "inf", "-inf", "-0.5", "1.001"};
	for (int i = 0; i < 5; ++i)
	{
		INVALID(tnWorld_SetVorticityConfinement(world, strengths[i]), "strength", texts[i]);
	}
	const tnWorldDef after = tnWorld_GetDef(world);
	ENSURE(memcmp(&after, &before, sizeof(before)) == 0);
	tnDestroyWorld(world);
	return 0;
}

static int Fields(void)
{
	Bench bench;
	ENSURE(OpenBench(&bench));
	static float good[cellCount], bad[cellCount];
	for (int i = 0; i < cellCount; ++i)
	{
		good[i] = 1.0f;
	}
	INVALID(tnWorld_SetTerrain(bench.world, NULL), "heights", "NULL");
	INVALID(tnWorld_SetDepths(bench.world, NULL), "depths", "NULL");
	INVALID(tnWorld_SetVelocities(bench.world, NULL, good), "velocitiesX", "NULL");
	INVALID(tnWorld_SetVelocities(bench.world, good, NULL), "velocitiesZ", "NULL");
	INVALID(tnWorld_SetTracer(bench.world, 0, NULL), "concentrations", "NULL");

	// One bad value anywhere: first, somewhere, last. Cell 5 is column 5 of row 0; the last is column 12 of row 10.
	static const int cells[] = {0, 5, 20, cellCount - 1};
	static const char* const names[] = {"column 0, row 0", "column 5, row 0", "column 7, row 1", "column 12, row 10"};
	static const struct
	{
		float value;
		const char* text;
	} values[] = {{NAN, "nan"}, {INFINITY, "inf"}, {-INFINITY, "-inf"}, {2.0e6f, "2e+06"}, {-2.0e6f, "-2e+06"}};
	for (int i = 0; i < 4; ++i)
	{
		for (int k = 0; k < 5; ++k)
		{
			memcpy(bad, good, sizeof(bad));
			bad[cells[i]] = values[k].value;
			INVALID(tnWorld_SetTerrain(bench.world, bad), "heights[", values[k].text);
			INVALID(tnWorld_SetTerrain(bench.world, bad), names[i], values[k].text);
			INVALID(tnWorld_SetDepths(bench.world, bad), "depths[", values[k].text);
			INVALID(tnWorld_SetDepths(bench.world, bad), names[i], values[k].text);
			INVALID(tnWorld_SetVelocities(bench.world, bad, good), "velocitiesX[", values[k].text);
			INVALID(tnWorld_SetVelocities(bench.world, good, bad), "velocitiesZ[", values[k].text);
			INVALID(tnWorld_SetTracer(bench.world, 1, bad), "concentrations[", values[k].text);
			INVALID(tnWorld_SetRain(bench.world, 1.0e-6f, bad), "map[", values[k].text);
			INVALID(tnWorld_SetEvaporation(bench.world, 1.0e-6f, bad), "map[", names[i]);
			INVALID(tnWorld_SetInfiltration(bench.world, 1.0e-6f, bad), "map[", names[i]);
		}
		memcpy(bad, good, sizeof(bad));
		bad[cells[i]] = -0.5f;
		INVALID(tnWorld_SetDepths(bench.world, bad), "depths[", "got -0.5");
		INVALID(tnWorld_SetRain(bench.world, 1.0e-6f, bad), "map[", "got -0.5");
	}
	INVALID(tnWorld_SetTracer(bench.world, -1, good), "channel", "-1");
	INVALID(tnWorld_SetTracer(bench.world, 2, good), "channel", "2");
	INVALID(tnWorld_SetTracer(bench.world, INT32_MAX, good), "channel", "2147483647");

	INVALID(tnWorld_FillToLevel(bench.world, NAN), "level", "nan");
	INVALID(tnWorld_FillToLevel(bench.world, INFINITY), "level", "inf");
	INVALID(tnWorld_FillToLevel(bench.world, -1.0e6f), "level", "-1e+06");
	INVALID(tnWorld_SetAcceleration(bench.world, (tnVec2){NAN, 0.0f}), "acceleration", "nan");
	INVALID(tnWorld_SetAcceleration(bench.world, (tnVec2){0.0f, -INFINITY}), "acceleration", "-inf");
	INVALID(tnWorld_SetAcceleration(bench.world, (tnVec2){0.0f, 1001.0f}), "acceleration", "1001");

	// Rates.
	static const struct
	{
		float value;
		const char* text;
	} rates[] = {{NAN, "nan"}, {INFINITY, "inf"}, {-1.0e-6f, "-1e-06"}, {1.0e30f, "1e+30"}};
	for (int i = 0; i < 4; ++i)
	{
		INVALID(tnWorld_SetRain(bench.world, rates[i].value, NULL), "rate", rates[i].text);
		INVALID(tnWorld_SetEvaporation(bench.world, rates[i].value, NULL), "rate", rates[i].text);
		INVALID(tnWorld_SetInfiltration(bench.world, rates[i].value, NULL), "rate", rates[i].text);
	}
	// Nothing of all this has left a trace: the next step is that of an untouched world.
	Bench untouched;
	ENSURE(OpenBench(&untouched));
	ENSURE_OK(tnWorld_Step(bench.world, 0.1f));
	ENSURE_OK(tnWorld_Step(untouched.world, 0.1f));
	ENSURE_EQUAL_HEX(tnWorld_GetHash(bench.world), tnWorld_GetHash(untouched.world));
	tnDestroyWorld(untouched.world);
	tnDestroyWorld(bench.world);
	return 0;
}

static int TerrainBlocks(void)
{
	Bench bench;
	ENSURE(OpenBench(&bench));
	float block[6] = {0.0f, 1.0f, 2.0f, NAN, 4.0f, 5.0f};
	INVALID(tnWorld_SetTerrainBlock(bench.world, 2, 3, 3, 2, block), "heights[3] (column 2, row 4)", "nan");
	block[3] = 1.0e30f;
	INVALID(tnWorld_SetTerrainBlock(bench.world, 2, 3, 3, 2, block), "heights[3]", "1e+30");
	block[3] = 3.0f;
	INVALID(tnWorld_SetTerrainBlock(bench.world, 2, 3, 3, 2, NULL), "heights", "NULL");
	INVALID(tnWorld_SetTerrainBlock(bench.world, -1, 3, 3, 2, block), "column", "-1");
	INVALID(tnWorld_SetTerrainBlock(bench.world, 11, 3, 3, 2, block), "column", "11");
	INVALID(tnWorld_SetTerrainBlock(bench.world, INT32_MAX, 3, 3, 2, block), "column", "2147483647");
	INVALID(tnWorld_SetTerrainBlock(bench.world, INT32_MIN, 3, 3, 2, block), "column", "-2147483648");
	INVALID(tnWorld_SetTerrainBlock(bench.world, 2, 3, 0, 2, block), "columns", "0");
	INVALID(tnWorld_SetTerrainBlock(bench.world, 2, 3, -3, 2, block), "columns", "-3");
	INVALID(tnWorld_SetTerrainBlock(bench.world, 2, 3, INT32_MAX, 2, block), "columns", "2147483647");
	INVALID(tnWorld_SetTerrainBlock(bench.world, 2, 3, INT32_MIN, 2, block), "columns", "-2147483648");
	INVALID(tnWorld_SetTerrainBlock(bench.world, 2, -1, 3, 2, block), "row", "-1");
	INVALID(tnWorld_SetTerrainBlock(bench.world, 2, 10, 3, 2, block), "row", "10");
	INVALID(tnWorld_SetTerrainBlock(bench.world, 2, 3, 3, 0, block), "rows", "0");
	INVALID(tnWorld_SetTerrainBlock(bench.world, 2, 3, 3, INT32_MAX, block), "rows", "2147483647");
	INVALID(tnWorld_SetTerrainBlock(bench.world, 2, INT32_MAX, 3, INT32_MAX, block), "row", "2147483647");
	ENSURE_OK(tnWorld_SetTerrainBlock(bench.world, 10, 9, 3, 2, block));
	ENSURE(tnWorld_GetHash(bench.world) != bench.hash);
	tnDestroyWorld(bench.world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Edges

static int Edges(void)
{
	Bench bench;
	ENSURE(OpenBench(&bench));
	tnWorld* world = bench.world;
	tnEdgeDef edge = tnDefaultEdgeDef();
	INVALID(tnWorld_SetEdge(world, tn_west, NULL), "def", "NULL");
	INVALID(tnWorld_SetEdges(world, NULL), "defs", "NULL");
	INVALID(tnWorld_SetEdge(world, (tnSide)-1, &edge), "side", "-1");
	INVALID(tnWorld_SetEdge(world, tn_sideCount, &edge), "side", "4");
	INVALID(tnWorld_SetEdge(world, (tnSide)99, &edge), "side", "99");
	edge.kind = tn_wrapEdge;
	INVALID(tnWorld_SetEdge(world, tn_west, &edge), "kind", "wrap");
	INVALID(tnWorld_SetEdge(world, tn_south, &edge), "kind", "wrap");
	tnEdgeDef edges[tn_sideCount];
	for (int side = 0; side < tn_sideCount; ++side)
	{
		edges[side] = tnDefaultEdgeDef();
	}
	edges[tn_north].kind = tn_wrapEdge;
	INVALID(tnWorld_SetEdges(world, edges), "kind", "wrap");
	edges[tn_north].kind = (tnEdgeKind)77;
	INVALID(tnWorld_SetEdges(world, edges), "kind", "77");
	edges[tn_north].kind = tn_levelEdge;
	edges[tn_north].level = NAN;
	INVALID(tnWorld_SetEdges(world, edges), "level", "nan");
	edge = tnDefaultEdgeDef();
	edge.kind = tn_inflowEdge;
	edge.inflow = -1.0f;
	INVALID(tnWorld_SetEdge(world, tn_east, &edge), "inflow", "-1");
	edge.inflow = INFINITY;
	INVALID(tnWorld_SetEdge(world, tn_east, &edge), "inflow", "inf");
	// The old edges are still there.
	const tnWorldDef def = tnWorld_GetDef(world);
	ENSURE(def.edges[tn_west].kind == tn_inflowEdge && def.edges[tn_south].kind == tn_levelEdge);
	ENSURE(def.edges[tn_east].kind == tn_wallEdge && def.edges[tn_north].kind == tn_wallEdge);
	tnDestroyWorld(world);
	return 0;
}

static int EdgeCurves(void)
{
	Bench bench;
	ENSURE(OpenBench(&bench));
	tnWorld* world = bench.world;
	tnCurvePoint points[4] = {{0.0f, 1.0f}, {1.0f, 2.0f}, {2.0f, 1.0f}, {3.0f, 0.5f}};
	INVALID(tnWorld_SetEdgeCurve(world, tn_south, NULL, 4), "points", "NULL");
	INVALID(tnWorld_SetEdgeCurve(world, tn_south, points, -1), "count", "-1");
	INVALID(tnWorld_SetEdgeCurve(world, tn_south, points, INT32_MAX), "count", "2147483647");
	INVALID(tnWorld_SetEdgeCurve(world, (tnSide)4, points, 4), "side", "4");
	INVALID(tnWorld_SetEdgeCurve(world, (tnSide)-1, points, 4), "side", "-1");
	REFUSE(tnWorld_SetEdgeCurve(world, tn_east, points, 4), tn_notAvailable, "east", "kind");

	points[2].time = 1.0f;
	INVALID(tnWorld_SetEdgeCurve(world, tn_south, points, 4), "points[2].time", "got 1");
	points[2].time = 0.5f;
	INVALID(tnWorld_SetEdgeCurve(world, tn_south, points, 4), "points[2].time", "0.5");
	points[2].time = NAN;
	INVALID(tnWorld_SetEdgeCurve(world, tn_south, points, 4), "points[2].time", "nan");
	points[2].time = 2.0f;
	points[0].time = -INFINITY;
	INVALID(tnWorld_SetEdgeCurve(world, tn_south, points, 4), "points[0].time", "-inf");
	points[0].time = 0.0f;
	points[3].time = INFINITY;
	INVALID(tnWorld_SetEdgeCurve(world, tn_south, points, 4), "points[3].time", "inf");
	points[3].time = 3.0f;
	points[1].value = NAN;
	INVALID(tnWorld_SetEdgeCurve(world, tn_south, points, 4), "points[1].value", "nan");
	INVALID(tnWorld_SetEdgeCurve(world, tn_west, points, 4), "points[1].value", "nan");
	points[1].value = 1.0e6f;
	INVALID(tnWorld_SetEdgeCurve(world, tn_south, points, 4), "points[1].value", "1e+06");
	points[1].value = -0.25f;
	INVALID(tnWorld_SetEdgeCurve(world, tn_west, points, 4), "points[1].value", "-0.25");
	ENSURE_OK(tnWorld_SetEdgeCurve(world, tn_south, points, 4));
	ENSURE_OK(tnWorld_SetEdgeCurve(world, tn_south, NULL, 0));
	tnDestroyWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Edits and sources

// Places and radii that no disc may have.
static const struct
{
	tnVec2 center;
	float radius;
	const char* field;
	const char* text;
} s_badDiscs[] = {
	{{NAN, 5.0f}, 1.0f, "center", "nan"},
	{{1.0f, NAN}, 1.0f, "center", "nan"},
	{{INFINITY, 5.0f}, 1.0f, "center", "inf"},
	{{1.0f, -INFINITY}, 1.0f, "center", "-inf"},
	{{-2.5f, 5.0f}, 1.0f, "center", "-2.5"},
	{{4.75f, 5.0f}, 1.0f, "center", "4.75"},
	{{1.0f, 2.5f}, 1.0f, "center", "2.5"},
	{{1.0f, 8.75f}, 1.0f, "center", "8.75"},
	{{1.0e30f, 5.0f}, 1.0f, "center", "1e+30"},
	{{1.0f, 5.0f}, 0.0f, "radius", "got 0"},
	{{1.0f, 5.0f}, -1.0f, "radius", "got -1"},
	{{1.0f, 5.0f}, NAN, "radius", "nan"},
	{{1.0f, 5.0f}, INFINITY, "radius", "inf"},
	{{1.0f, 5.0f}, 1.0e30f, "radius", "1e+30"},
};

enum
{
	badDiscCount = (int)(sizeof(s_badDiscs) / sizeof(s_badDiscs[0])),
};

static int Edits(void)
{
	Bench bench;
	ENSURE(OpenBench(&bench));
	tnWorld* world = bench.world;
	const tnVec2 impulse = {100.0f, 0.0f};
	for (int i = 0; i < badDiscCount; ++i)
	{
		const tnVec2 center = s_badDiscs[i].center;
		const float radius = s_badDiscs[i].radius;
		double moved = 7.0;
		INVALID(tnWorld_AddWater(world, center, radius, 1.0f, &moved), s_badDiscs[i].field, s_badDiscs[i].text);
		ENSURE(moved == 0.0);
		INVALID(tnWorld_AddImpulse(world, center, radius, impulse), s_badDiscs[i].field, s_badDiscs[i].text);
		INVALID(tnWorld_AddTracer(world, 0, center, radius, 1.0f), s_badDiscs[i].field, s_badDiscs[i].text);
		tnBrush brush = tnDefaultBrush();
		brush.center = center;
		brush.radius = radius;
		INVALID(tnWorld_EditTerrain(world, &brush), s_badDiscs[i].field, s_badDiscs[i].text);
	}
	INVALID(tnWorld_AddWater(world, s_middle, 1.0f, NAN, NULL), "volume", "nan");
	INVALID(tnWorld_AddWater(world, s_middle, 1.0f, INFINITY, NULL), "volume", "inf");
	INVALID(tnWorld_AddWater(world, s_middle, 1.0f, -INFINITY, NULL), "volume", "-inf");
	INVALID(tnWorld_AddWater(world, s_middle, 1.0f, 1.0e30f, NULL), "volume", "1e+30");
	INVALID(tnWorld_AddWater(world, s_middle, 0.1f, 1.0e9f, NULL), "volume", "1e+09");
	INVALID(tnWorld_AddImpulse(world, s_middle, 1.0f, (tnVec2){NAN, 0.0f}), "impulse", "nan");
	INVALID(tnWorld_AddImpulse(world, s_middle, 1.0f, (tnVec2){0.0f, INFINITY}), "impulse", "inf");
	INVALID(tnWorld_AddImpulse(world, s_middle, 1.0f, (tnVec2){0.0f, -1.0e30f}), "impulse", "-1e+30");
	INVALID(tnWorld_AddTracer(world, -1, s_middle, 1.0f, 1.0f), "channel", "-1");
	INVALID(tnWorld_AddTracer(world, 2, s_middle, 1.0f, 1.0f), "channel", "2");
	INVALID(tnWorld_AddTracer(world, 0, s_middle, 1.0f, NAN), "concentration", "nan");
	INVALID(tnWorld_AddTracer(world, 0, s_middle, 1.0f, INFINITY), "concentration", "inf");
	INVALID(tnWorld_AddTracer(world, 0, s_middle, 1.0f, -1.0e7f), "concentration", "-1e+07");
	tnDestroyWorld(world);
	return 0;
}

static int Brushes(void)
{
	Bench bench;
	ENSURE(OpenBench(&bench));
	tnWorld* world = bench.world;
	INVALID(tnWorld_EditTerrain(world, NULL), "brush", "NULL");
	const tnBrush good = {.kind = tn_flattenBrush, .center = s_middle, .radius = 1.0f, .falloff = 0.5f, .amount = 0.5f};
#define BAD_BRUSH(field, value, text)                              \
	do                                                             \
	{                                                              \
		tnBrush brush = good;                                      \
		brush.field = value;                                       \
		INVALID(tnWorld_EditTerrain(world, &brush), #field, text); \
	} while (0)
	BAD_BRUSH(kind, (tnBrushKind)99, "99");
	BAD_BRUSH(kind, (tnBrushKind)-1, "-1");
	BAD_BRUSH(shape, (tnBrushShape)99, "99");
	BAD_BRUSH(shape, (tnBrushShape)-1, "-1");
	BAD_BRUSH(falloff, -0.5f, "-0.5");
	BAD_BRUSH(falloff, 1.5f, "1.5");
	BAD_BRUSH(falloff, NAN, "nan");
	BAD_BRUSH(amount, -0.25f, "-0.25");
	BAD_BRUSH(amount, 1.25f, "1.25");
	BAD_BRUSH(amount, NAN, "nan");
	BAD_BRUSH(amount, INFINITY, "inf");
	BAD_BRUSH(height, NAN, "nan");
	BAD_BRUSH(height, -INFINITY, "-inf");
	BAD_BRUSH(height, 1.0e6f, "1e+06");
#undef BAD_BRUSH
	tnBrush raise = good;
	raise.kind = tn_raiseBrush;
	raise.amount = 1.0e30f;
	INVALID(tnWorld_EditTerrain(world, &raise), "amount", "1e+30");
	raise.amount = NAN;
	INVALID(tnWorld_EditTerrain(world, &raise), "amount", "nan");
	raise.amount = -1.25f;
	ENSURE_OK(tnWorld_EditTerrain(world, &raise));
	tnDestroyWorld(world);
	return 0;
}

static int Sources(void)
{
	Bench bench;
	ENSURE(OpenBench(&bench));
	tnWorld* world = bench.world;
	tnSourceDef good = tnDefaultSourceDef();
	good.center = s_middle;
	tnSourceId existing;
	ENSURE_OK(tnWorld_CreateSource(world, &good, &existing));
	bench.hash = tnWorld_GetHash(world);

	tnSourceId id = {7, 7};
	INVALID(tnWorld_CreateSource(world, NULL, &id), "def", "NULL");
	ENSURE(id.index1 == 0);
	INVALID(tnWorld_CreateSource(world, &good, NULL), "id", "NULL");
	INVALID(tnWorld_SetSource(world, existing, NULL), "def", "NULL");
	const tnSourceDef empty = {0};
	INVALID(tnWorld_CreateSource(world, &empty, &id), "stamp", "0");
	INVALID(tnWorld_SetSource(world, existing, &empty), "stamp", "0");

#define BAD_SOURCE(sourceKind, field, value, text)                       \
	do                                                                   \
	{                                                                    \
		tnSourceDef def = good;                                          \
		def.kind = sourceKind;                                           \
		def.field = value;                                               \
		id = (tnSourceId){7, 7};                                         \
		INVALID(tnWorld_CreateSource(world, &def, &id), #field, text);   \
		ENSURE(id.index1 == 0 && !tnSource_IsValid(world, id));          \
		INVALID(tnWorld_SetSource(world, existing, &def), #field, text); \
	} while (0)
	BAD_SOURCE(tn_rateSource, kind, (tnSourceKind)99, "99");
	BAD_SOURCE(tn_rateSource, kind, (tnSourceKind)-1, "-1");
	BAD_SOURCE(tn_rateSource, rate, NAN, "nan");
	BAD_SOURCE(tn_rateSource, rate, INFINITY, "inf");
	BAD_SOURCE(tn_rateSource, rate, -1.0e10f, "-1e+10");
	BAD_SOURCE(tn_wellSource, level, NAN, "nan");
	BAD_SOURCE(tn_wellSource, level, -INFINITY, "-inf");
	BAD_SOURCE(tn_wellSource, level, 1.0e6f, "1e+06");
	BAD_SOURCE(tn_rateSource, tracers[1], NAN, "nan");
	BAD_SOURCE(tn_rateSource, tracers[0], 1.0e9f, "1e+09");
#undef BAD_SOURCE
	const float speeds[] = {NAN, INFINITY, 1001.0f};
	const char* const speedTexts[] = {"nan", "inf", "1001"};
	for (int i = 0; i < 3; ++i)
	{
		tnSourceDef def = good;
		def.velocity = (tnVec2){0.0f, speeds[i]};
		INVALID(tnWorld_CreateSource(world, &def, &id), "velocity", speedTexts[i]);
		def.velocity = (tnVec2){speeds[i], 0.0f};
		INVALID(tnWorld_SetSource(world, existing, &def), "velocity", speedTexts[i]);
	}
	for (int i = 0; i < badDiscCount; ++i)
	{
		tnSourceDef def = good;
		def.center = s_badDiscs[i].center;
		def.radius = s_badDiscs[i].radius;
		INVALID(tnWorld_CreateSource(world, &def, &id), s_badDiscs[i].field, s_badDiscs[i].text);
		INVALID(tnWorld_SetSource(world, existing, &def), s_badDiscs[i].field, s_badDiscs[i].text);
	}
	// The source is what it was.
	tnSourceDef got;
	double volume = 7.0;
	ENSURE_OK(tnWorld_GetSource(world, existing, &got, &volume));
	ENSURE(got.rate == good.rate && got.kind == good.kind && got.center.x == s_middle.x && volume == 0.0);
	ENSURE_OK(tnWorld_GetSource(world, existing, NULL, NULL));
	tnDestroyWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Stale ids

#define STALE(call, name) REFUSE(call, tn_staleId, name, "stale")

static int StaleIds(void)
{
	Bench bench, other;
	ENSURE(OpenBench(&bench));
	ENSURE(OpenBench(&other));
	tnWorld* world = bench.world;
	tnSourceDef sourceDef = tnDefaultSourceDef();
	sourceDef.center = s_middle;
	tnRegionDef regionDef = tnDefaultRegionDef();
	regionDef.center = s_middle;

	// Null, destroyed, never made, out of range, from a world that has more of them.
	tnSourceId sources[6] = {{0}};
	tnRegionId regions[6] = {{0}};
	tnGaugeId gauges[6] = {{0}};
	ENSURE_OK(tnWorld_CreateSource(world, &sourceDef, &sources[1]));
	ENSURE_OK(tnWorld_DestroySource(world, sources[1]));
	ENSURE_OK(tnWorld_CreateSource(world, &sourceDef, &sources[0]));
	ENSURE_OK(tnWorld_CreateRegion(world, &regionDef, &regions[1]));
	ENSURE_OK(tnWorld_DestroyRegion(world, regions[1]));
	ENSURE_OK(tnWorld_CreateRegion(world, &regionDef, &regions[0]));
	ENSURE_OK(tnWorld_CreateGauge(world, s_middle, &gauges[1]));
	ENSURE_OK(tnWorld_DestroyGauge(world, gauges[1]));
	ENSURE_OK(tnWorld_CreateGauge(world, s_middle, &gauges[0]));
	for (int i = 0; i < 3; ++i)
	{
		ENSURE_OK(tnWorld_CreateSource(other.world, &sourceDef, &sources[2]));
		ENSURE_OK(tnWorld_CreateRegion(other.world, &regionDef, &regions[2]));
		ENSURE_OK(tnWorld_CreateGauge(other.world, s_middle, &gauges[2]));
	}
	sources[3] = (tnSourceId){INT32_MAX, 1};
	regions[3] = (tnRegionId){INT32_MAX, 1};
	gauges[3] = (tnGaugeId){INT32_MAX, 1};
	sources[4] = (tnSourceId){-1, 1};
	regions[4] = (tnRegionId){-1, 1};
	gauges[4] = (tnGaugeId){-1, 1};
	bench.hash = tnWorld_GetHash(world);
	ENSURE(tnSource_IsValid(world, sources[0]) && tnRegion_IsValid(world, regions[0]) &&
		tnGauge_IsValid(world, gauges[0]));
	for (int i = 1; i < 6; ++i)
	{
		tnSourceDef gotSource;
		tnRegionState regionState;
		tnGaugeState gaugeState;
		double volume;
		ENSURE(!tnSource_IsValid(world, sources[i]) && !tnRegion_IsValid(world, regions[i]) &&
			!tnGauge_IsValid(world, gauges[i]));
		STALE(tnWorld_DestroySource(world, sources[i]), "source");
		STALE(tnWorld_SetSource(world, sources[i], &sourceDef), "source");
		STALE(tnWorld_GetSource(world, sources[i], &gotSource, &volume), "source");
		STALE(tnWorld_DestroyRegion(world, regions[i]), "region");
		STALE(tnWorld_GetRegionState(world, regions[i], &regionState), "region");
		STALE(tnWorld_DestroyGauge(world, gauges[i]), "gauge");
		STALE(tnWorld_GetGaugeState(world, gauges[i], &gaugeState), "gauge");
		STALE(tnWorld_ResetGauge(world, gauges[i]), "gauge");
	}
	ENSURE(tnSource_IsValid(world, sources[0]) && tnRegion_IsValid(world, regions[0]) &&
		tnGauge_IsValid(world, gauges[0]));
	tnDestroyWorld(world);
	tnDestroyWorld(other.world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Queries

static int Queries(void)
{
	Bench bench;
	ENSURE(OpenBench(&bench));
	tnWorld* world = bench.world;
	static float field[cellCount];
	INVALID(tnWorld_CopySurface(world, 1.0f, NULL), "surface", "NULL");
	INVALID(tnWorld_CopyAwake(world, NULL), "awake", "NULL");
	INVALID(tnWorld_CopySurface(world, NAN, field), "alpha", "nan");
	INVALID(tnWorld_CopySurface(world, -0.5f, field), "alpha", "-0.5");
	INVALID(tnWorld_CopySurface(world, 1.5f, field), "alpha", "1.5");
	INVALID(tnWorld_CopySurface(world, INFINITY, field), "alpha", "inf");

	tnVec2 places[5] = {s_middle, s_middle, s_middle, s_middle, s_middle};
	tnSample samples[5];
	memset(samples, 0x5a, sizeof(samples));
	tnSample untouched[5];
	memcpy(untouched, samples, sizeof(samples));
	INVALID(tnWorld_SampleMany(world, NULL, 5, samples), "positions", "NULL");
	INVALID(tnWorld_SampleMany(world, places, 5, NULL), "samples", "NULL");
	INVALID(tnWorld_SampleMany(world, places, -1, samples), "count", "-1");
	INVALID(tnWorld_SampleMany(world, places, INT32_MIN, samples), "count", "-2147483648");
	places[3].x = NAN;
	INVALID(tnWorld_SampleMany(world, places, 5, samples), "positions[3]", "nan");
	places[3].x = INFINITY;
	INVALID(tnWorld_SampleMany(world, places, 5, samples), "positions[3]", "inf");
	places[3] = s_middle;
	places[4].z = -INFINITY;
	INVALID(tnWorld_SampleMany(world, places, 5, samples), "positions[4]", "-inf");
	ENSURE_EQUAL_INT(memcmp(samples, untouched, sizeof(samples)), 0);
	ENSURE_OK(tnWorld_SampleMany(world, NULL, 0, NULL));
	ENSURE_OK(tnWorld_SampleMany(world, places, 4, samples));
	ENSURE(!tnWorld_Sample(world, (tnVec2){NAN, NAN}).inside);

	const tnVec3 origin = {1.0f, 10.0f, 5.0f};
	const tnVec3 down = {0.0f, -1.0f, 0.0f};
	tnRayHit hit;
	memset(&hit, 0x5a, sizeof(hit));
	INVALID(tnWorld_CastRay(world, origin, down, 1.0f, NULL), "hit", "NULL");
	INVALID(tnWorld_CastRay(world, (tnVec3){NAN, 0.0f, 0.0f}, down, 1.0f, &hit), "origin", "nan");
	ENSURE(!hit.hit);
	INVALID(tnWorld_CastRay(world, (tnVec3){0.0f, INFINITY, 0.0f}, down, 1.0f, &hit), "origin", "inf");
	INVALID(tnWorld_CastRay(world, (tnVec3){0.0f, 0.0f, -INFINITY}, down, 1.0f, &hit), "origin", "-inf");
	INVALID(tnWorld_CastRay(world, origin, (tnVec3){NAN, 0.0f, 0.0f}, 1.0f, &hit), "direction", "nan");
	INVALID(tnWorld_CastRay(world, origin, (tnVec3){0.0f, 0.0f, INFINITY}, 1.0f, &hit), "direction", "inf");
	INVALID(tnWorld_CastRay(world, origin, (tnVec3){0.0f, 0.0f, 0.0f}, 1.0f, &hit), "direction", "(0, 0, 0)");
	INVALID(tnWorld_CastRay(world, origin, (tnVec3){-0.0f, 0.0f, -0.0f}, 1.0f, &hit), "direction", "(0, 0, 0)");
	INVALID(tnWorld_CastRay(world, origin, down, 0.0f, &hit), "maxDistance", "got 0");
	INVALID(tnWorld_CastRay(world, origin, down, -1.0f, &hit), "maxDistance", "got -1");
	INVALID(tnWorld_CastRay(world, origin, down, NAN, &hit), "maxDistance", "nan");
	INVALID(tnWorld_CastRay(world, origin, down, INFINITY, &hit), "maxDistance", "inf");
	tnDestroyWorld(world);
	return 0;
}

static int RegionsAndGauges(void)
{
	Bench bench;
	ENSURE(OpenBench(&bench));
	tnWorld* world = bench.world;
	tnRegionDef good = tnDefaultRegionDef();
	good.center = s_middle;
	tnRegionId id = {7, 7};
	tnRegionState state;
	INVALID(tnWorld_CreateRegion(world, NULL, &id), "def", "NULL");
	ENSURE(id.index1 == 0);
	INVALID(tnWorld_CreateRegion(world, &good, NULL), "id", "NULL");
	INVALID(tnWorld_MeasureRegion(world, NULL, &state), "def", "NULL");
	INVALID(tnWorld_MeasureRegion(world, &good, NULL), "state", "NULL");
	const tnRegionDef empty = {0};
	INVALID(tnWorld_CreateRegion(world, &empty, &id), "stamp", "0x00000000");
	INVALID(tnWorld_MeasureRegion(world, &empty, &state), "stamp", "0x00000000");

#define BAD_REGION(regionShape, field, value, name, text)                \
	do                                                                   \
	{                                                                    \
		tnRegionDef def = good;                                          \
		def.shape = regionShape;                                         \
		def.field = value;                                               \
		id = (tnRegionId){7, 7};                                         \
		INVALID(tnWorld_CreateRegion(world, &def, &id), name, text);     \
		ENSURE(id.index1 == 0);                                          \
		INVALID(tnWorld_MeasureRegion(world, &def, &state), name, text); \
	} while (0)
	BAD_REGION(tn_discRegion, shape, (tnRegionShape)99, "shape", "99");
	BAD_REGION(tn_discRegion, shape, (tnRegionShape)-1, "shape", "-1");
	BAD_REGION(tn_discRegion, center.x, NAN, "center", "nan");
	BAD_REGION(tn_discRegion, center.z, INFINITY, "center", "inf");
	BAD_REGION(tn_boxRegion, center.x, -2.5f, "center", "-2.5");
	BAD_REGION(tn_boxRegion, center.z, 8.75f, "center", "8.75");
	BAD_REGION(tn_discRegion, extent.x, 0.0f, "extent.x", "got 0");
	BAD_REGION(tn_discRegion, extent.x, -1.0f, "extent.x", "got -1");
	BAD_REGION(tn_discRegion, extent.x, NAN, "extent.x", "nan");
	BAD_REGION(tn_discRegion, extent.x, INFINITY, "extent.x", "inf");
	BAD_REGION(tn_boxRegion, extent.z, 0.0f, "extent.z", "got 0");
	BAD_REGION(tn_boxRegion, extent.z, NAN, "extent.z", "nan");
	BAD_REGION(tn_boxRegion, extent.z, 1.0e30f, "extent.z", "1e+30");
#undef BAD_REGION
	static const struct
	{
		float value;
		const char* text;
	} depths[] = {{0.0f, "got 0"}, {TN_WET_DEPTH, "got 0.001"}, {-1.0f, "got -1"}, {NAN, "nan"}, {INFINITY, "inf"}};
	for (int i = 0; i < 5; ++i)
	{
		tnRegionDef def = good;
		def.triggerDepth = depths[i].value;
		INVALID(tnWorld_CreateRegion(world, &def, &id), "triggerDepth", depths[i].text);
		// Only a watched region needs one.
		ENSURE_OK(tnWorld_MeasureRegion(world, &def, &state));
	}
	ENSURE_OK(tnWorld_CreateRegion(world, &good, &id));
	INVALID(tnWorld_GetRegionState(world, id, NULL), "state", "NULL");

	tnGaugeId gauge = {7, 7};
	INVALID(tnWorld_CreateGauge(world, s_middle, NULL), "id", "NULL");
	for (int i = 0; i < badDiscCount; ++i)
	{
		if (strcmp(s_badDiscs[i].field, "center") == 0)
		{
			gauge = (tnGaugeId){7, 7};
			INVALID(tnWorld_CreateGauge(world, s_badDiscs[i].center, &gauge), "position", s_badDiscs[i].text);
			ENSURE(gauge.index1 == 0);
		}
	}
	ENSURE_OK(tnWorld_CreateGauge(world, s_middle, &gauge));
	INVALID(tnWorld_GetGaugeState(world, gauge, NULL), "state", "NULL");
	tnDestroyWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Memory that runs out later

static int MemoryRunsOutLater(void)
{
	static float map[cellCount];
	TestAllocator counter = {0};
	Bench bench = {0};
	tnWorldDef def = MakeDef(&bench.hook);
	def.allocator = TestGetAllocator(&counter);
	ENSURE_OK(tnCreateWorld(&def, &bench.world));
	ENSURE_OK(tnWorld_FillToLevel(bench.world, 1.0f));
	tnWorld* world = bench.world;
	bench.hash = tnWorld_GetHash(world);
	for (int i = 0; i < cellCount; ++i)
	{
		map[i] = 1.0f;
	}
	const tnCurvePoint points[2] = {{0.0f, 1.0f}, {1.0f, 2.0f}};
	tnSourceDef sourceDef = tnDefaultSourceDef();
	sourceDef.center = s_middle;
	tnRegionDef regionDef = tnDefaultRegionDef();
	regionDef.center = s_middle;
	tnSourceId source;
	tnRegionId region;
	tnGaugeId gauge;

#define OUT_OF_MEMORY(call)                               \
	do                                                    \
	{                                                     \
		counter.failIn = 1;                               \
		counter.failAfterwards = true;                    \
		REFUSE(call, tn_outOfMemory, "memory", "memory"); \
		counter.failIn = 0;                               \
		counter.failAfterwards = false;                   \
	} while (0)
	OUT_OF_MEMORY(tnWorld_SetRain(world, 1.0e-6f, map));
	OUT_OF_MEMORY(tnWorld_SetEvaporation(world, 1.0e-6f, map));
	OUT_OF_MEMORY(tnWorld_SetInfiltration(world, 1.0e-6f, map));
	OUT_OF_MEMORY(tnWorld_SetEdgeCurve(world, tn_south, points, 2));
	OUT_OF_MEMORY(tnWorld_SetMethod(world, tn_shallowMethod, tn_conservativeAdvection));
	ENSURE_EQUAL_INT(tnWorld_GetDef(world).method, tn_pipeMethod);
	OUT_OF_MEMORY(tnWorld_CreateSource(world, &sourceDef, &source));
	ENSURE(source.index1 == 0);
	OUT_OF_MEMORY(tnWorld_CreateRegion(world, &regionDef, &region));
	ENSURE(region.index1 == 0);
	OUT_OF_MEMORY(tnWorld_CreateGauge(world, s_middle, &gauge));
	ENSURE(gauge.index1 == 0);
#undef OUT_OF_MEMORY

	// The n-th allocation of each growth, in a crowd.
	for (int i = 0; i < 70; ++i)
	{
		for (int n = 1; n < 8; ++n)
		{
			counter.failIn = n;
			if (tnWorld_CreateRegion(world, &regionDef, &region).status == tn_ok)
			{
				break;
			}
			ENSURE(region.index1 == 0);
		}
		ENSURE_EQUAL_INT(region.index1, i + 1);
		for (int n = 1; n < 8; ++n)
		{
			counter.failIn = n;
			if (tnWorld_CreateSource(world, &sourceDef, &source).status == tn_ok)
			{
				break;
			}
			ENSURE(source.index1 == 0);
		}
		ENSURE_EQUAL_INT(source.index1, i + 1);
		for (int n = 1; n < 8; ++n)
		{
			counter.failIn = n;
			if (tnWorld_CreateGauge(world, s_middle, &gauge).status == tn_ok)
			{
				break;
			}
			ENSURE(gauge.index1 == 0);
		}
		ENSURE_EQUAL_INT(gauge.index1, i + 1);
	}
	counter.failIn = 0;
	ENSURE_OK(tnWorld_Step(world, 0.1f));
	tnRegionState state;
	ENSURE_OK(tnWorld_GetRegionState(world, region, &state));
	ENSURE(state.area > 0.0);
	tnDestroyWorld(world);
	ENSURE_EQUAL_INT(counter.liveBytes, 0);
	ENSURE_EQUAL_INT(counter.badFreeCount, 0);
	return 0;
}

// A step never asks for memory, whatever is switched on.
static int StepsDoNotAllocate(void)
{
	for (int variant = 0; variant < tn_methodCount * tn_advectionCount; ++variant)
	{
		TestAllocator counter = {0};
		static float map[cellCount];
		for (int i = 0; i < cellCount; ++i)
		{
			map[i] = 0.5f;
		}
		tnWorldDef def = MakeDef(NULL);
		def.method = (tnMethod)(variant / tn_advectionCount);
		def.advection = (tnAdvection)(variant % tn_advectionCount);
		def.vorticityConfinement = 0.25f;
		def.allocator = TestGetAllocator(&counter);
		def.tasks.workerCount = 2;
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_SetRain(world, 1.0e-3f, map));
		ENSURE_OK(tnWorld_SetEvaporation(world, 1.0e-4f, map));
		ENSURE_OK(tnWorld_SetInfiltration(world, 1.0e-4f, NULL));
		const tnCurvePoint points[2] = {{0.0f, 1.0f}, {1.0f, 2.0f}};
		ENSURE_OK(tnWorld_SetEdgeCurve(world, tn_south, points, 2));
		tnSourceDef sourceDef = tnDefaultSourceDef();
		sourceDef.center = s_middle;
		tnRegionDef regionDef = tnDefaultRegionDef();
		regionDef.center = s_middle;
		tnSourceId source;
		tnRegionId region;
		tnGaugeId gauge;
		ENSURE_OK(tnWorld_CreateSource(world, &sourceDef, &source));
		sourceDef.kind = tn_wellSource;
		ENSURE_OK(tnWorld_CreateSource(world, &sourceDef, &source));
		ENSURE_OK(tnWorld_CreateRegion(world, &regionDef, &region));
		ENSURE_OK(tnWorld_CreateGauge(world, s_middle, &gauge));
		const int allocationCount = counter.allocationCount;
		for (int i = 0; i < 200; ++i)
		{
			ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		}
		ENSURE_EQUAL_INT(counter.allocationCount, allocationCount);
		tnDestroyWorld(world);
		ENSURE_EQUAL_INT(counter.liveBytes, 0);
	}
	return 0;
}

static const Test s_tests[] = {
	{"NullWorlds", NullWorlds},
	{"TimeSteps", TimeSteps},
	{"Methods", Methods},
	{"Fields", Fields},
	{"TerrainBlocks", TerrainBlocks},
	{"Edges", Edges},
	{"EdgeCurves", EdgeCurves},
	{"Edits", Edits},
	{"Brushes", Brushes},
	{"Sources", Sources},
	{"StaleIds", StaleIds},
	{"Queries", Queries},
	{"RegionsAndGauges", RegionsAndGauges},
	{"MemoryRunsOutLater", MemoryRunsOutLater},
	{"StepsDoNotAllocate", StepsDoNotAllocate},
};

const TestSuite bad_inputSuite = TEST_SUITE("bad_input", s_tests);
