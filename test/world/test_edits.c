// SPDX-License-Identifier: MIT

// What a host changes while water stands on the ground: brushes, weather. Volume must be true to the last unit.

#include "harness.h"

#include <tarn/tarn.h>

#include <math.h>
#include <stdio.h>

enum
{
	columns = 41,
	rows = 29,
	cells = columns * rows
};

static tnWorld* CreateHilly(float level)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columns;
	def.rowCount = rows;
	tnWorld* world = NULL;
	if (tnCreateWorld(&def, &world).status != tn_ok)
	{
		return NULL;
	}
	float heights[cells];
	for (int i = 0; i < cells; ++i)
	{
		heights[i] = (float)((i * 37) % 64) / 64.0f;
	}
	tnWorld_SetTerrain(world, heights);
	tnWorld_FillToLevel(world, level);
	return world;
}

static float GetBed(const tnWorld* world, int column, int row)
{
	tnFieldView bed = tnWorld_GetBed(world);
	return bed.data[row * bed.stride + column];
}

static float GetDepth(const tnWorld* world, int column, int row)
{
	tnFieldView depth = tnWorld_GetDepth(world);
	return depth.data[row * depth.stride + column];
}

// Every cell of the raised disc rises by the amount inside the rim and by nothing outside it; the water rides along.
static int RaisingLiftsGroundAndWater(void)
{
	tnWorld* world = CreateHilly(2.0f);
	tnWorld* before = CreateHilly(2.0f);
	ENSURE(world != NULL && before != NULL);
	tnBrush brush = tnDefaultBrush();
	brush.center = (tnVec2){20.5f, 14.5f};
	brush.radius = 6.0f;
	brush.falloff = 0.5f;
	brush.amount = 3.0f;
	const double volume = tnWorld_GetLedger(world).volume;
	ENSURE_OK(tnWorld_EditTerrain(world, &brush));
	ENSURE(tnWorld_GetLedger(world).volume == volume);
	for (int i = 0; i < cells; ++i)
	{
		int column = i % columns;
		int row = i / columns;
		double distance = hypot(column - 20.0, row - 14.0);
		float rise = GetBed(world, column, row) - GetBed(before, column, row);
		ENSURE(GetDepth(world, column, row) == GetDepth(before, column, row));
		ENSURE(distance > 3.0 || fabsf(rise - 3.0f) <= 1.0e-6f);
		ENSURE(distance <= 6.0 || rise == 0.0f);
		ENSURE(rise >= 0.0f && rise <= 3.000001f);
		// The same on all sides.
		float mirrored = GetBed(world, 40 - column, 28 - row) - GetBed(before, 40 - column, 28 - row);
		ENSURE_CLOSE(rise, mirrored, 1.0e-6);
	}
	// The hill stands out of the water, which runs off it and is not lost. Rounding: 60 steps of half a unit in the
	// last place.
	for (int i = 0; i < 60; ++i)
	{
		ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
	}
	ENSURE(GetDepth(world, 20, 14) < 1.0f);
	ENSURE_CLOSE(tnWorld_GetLedger(world).volume, volume, 1.0e-6 * volume);
	tnDestroyWorld(world);
	tnDestroyWorld(before);
	return 0;
}

static int FlatteningAndSmoothing(void)
{
	tnWorld* world = CreateHilly(0.5f);
	ENSURE(world != NULL);
	tnBrush brush = tnDefaultBrush();
	brush.kind = tn_flattenBrush;
	brush.shape = tn_squareBrush;
	brush.center = (tnVec2){10.5f, 9.5f};
	brush.radius = 4.0f;
	brush.falloff = 0.0f;
	brush.amount = 1.0f;
	brush.height = 0.75f;
	float corner = GetBed(world, 15, 9);
	ENSURE_OK(tnWorld_EditTerrain(world, &brush));
	for (int row = 5; row <= 13; ++row)
	{
		for (int column = 6; column <= 14; ++column)
		{
			ENSURE(GetBed(world, column, row) == 0.75f);
		}
	}
	ENSURE(GetBed(world, 15, 9) == corner);

	// A lone spike keeps nothing of itself when it is smoothed wholly, and its neighbours get an eighth.
	float spike = 1.75f;
	ENSURE_OK(tnWorld_SetTerrainBlock(world, 10, 9, 1, 1, &spike));
	brush.kind = tn_smoothBrush;
	brush.radius = 1.0f;
	ENSURE_OK(tnWorld_EditTerrain(world, &brush));
	ENSURE(GetBed(world, 10, 9) == 0.75f);
	ENSURE_CLOSE(GetBed(world, 9, 9), 0.875, 1.0e-6);
	ENSURE_CLOSE(GetBed(world, 10, 8), 0.875, 1.0e-6);
	ENSURE_CLOSE(GetBed(world, 11, 10), 0.875, 1.0e-6);
	ENSURE(GetBed(world, 12, 9) == 0.75f);
	tnDestroyWorld(world);
	return 0;
}

// A brush over the edge of the world and one in its corner.
static int BrushesAtTheEdge(void)
{
	tnWorld* world = CreateHilly(1.5f);
	ENSURE(world != NULL);
	const double volume = tnWorld_GetLedger(world).volume;
	tnBrush brush = tnDefaultBrush();
	brush.radius = 5.0f;
	for (int kind = 0; kind < tn_brushKindCount; ++kind)
	{
		brush.kind = (tnBrushKind)kind;
		brush.center = (tnVec2){0.0f, 0.0f};
		ENSURE_OK(tnWorld_EditTerrain(world, &brush));
		brush.center = (tnVec2){(float)columns, (float)rows};
		ENSURE_OK(tnWorld_EditTerrain(world, &brush));
		ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
	}
	ENSURE_CLOSE(tnWorld_GetLedger(world).volume, volume, 1.0e-6 * volume);
	tnDestroyWorld(world);
	return 0;
}

// Evaporation and infiltration take rate x time where there is water, all there is where there is little, and say so.
static int WeatherTakesWhatItSays(void)
{
	for (int kind = 0; kind < 2; ++kind)
	{
		tnWorldDef def = tnDefaultWorldDef();
		def.columnCount = columns;
		def.rowCount = rows;
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		// A wall keeps deep and shallow water apart.
		float heights[cells];
		float depths[cells];
		float map[cells];
		for (int i = 0; i < cells; ++i)
		{
			int column = i % columns;
			heights[i] = column == 20 ? 5.0f : 0.0f;
			depths[i] = column < 20 ? 2.0f : (column > 20 ? 0.0625f : 0.0f);
			map[i] = column < 20 ? 2.0f : 1.0f;
		}
		ENSURE_OK(tnWorld_SetTerrain(world, heights));
		ENSURE_OK(tnWorld_SetDepths(world, depths));
		ENSURE_OK(kind == 0 ? tnWorld_SetEvaporation(world, 0.01f, map) : tnWorld_SetInfiltration(world, 0.01f, map));
		for (int i = 0; i < 640; ++i)
		{
			ENSURE_OK(tnWorld_Step(world, 1.0f / 64.0f));
		}
		// Ten seconds: 0.2 m from the deep side, everything from the other. What is saved up at the end is below 2^-17
		// m.
		ENSURE_CLOSE(GetDepth(world, 3, 3), 1.8, 2.0e-5);
		ENSURE(GetDepth(world, 30, 3) == 0.0f);
		tnLedger ledger = tnWorld_GetLedger(world);
		double taken = -(kind == 0 ? ledger.evaporation : ledger.infiltration);
		ENSURE_CLOSE(taken, (0.2 + 0.0625) * 20.0 * rows, 1.0e-4 * taken);
		ENSURE_CLOSE(ledger.drift, 0.0, 1.0e-6 * taken);
		tnDestroyWorld(world);
	}
	return 0;
}

// Dye stays where the water stays, and an ended rain leaves it diluted, not lost.
static int RainDilutesDye(void)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columns;
	def.rowCount = rows;
	def.tracerCount = 2;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_OK(tnWorld_FillToLevel(world, 1.0f));
	ENSURE_OK(tnWorld_AddTracer(world, 1, (tnVec2){20.0f, 14.0f}, 100.0f, 0.75f));
	ENSURE_OK(tnWorld_SetRain(world, 0.1f, NULL));
	for (int i = 0; i < 320; ++i)
	{
		ENSURE_OK(tnWorld_Step(world, 1.0f / 64.0f));
	}
	tnSample sample = tnWorld_Sample(world, (tnVec2){7.25f, 9.5f});
	ENSURE_CLOSE(sample.depth, 1.5, 1.0e-4);
	ENSURE_CLOSE(sample.tracers[1], 0.5, 1.0e-4);
	ENSURE(sample.tracers[0] == 0.0f);
	tnDestroyWorld(world);
	return 0;
}

// New depths stop the flow, for every method and with what tracers keep of it.
static int NewDepthsStopTheFlow(void)
{
	for (int method = 0; method < tn_methodCount; ++method)
	{
		tnWorldDef def = tnDefaultWorldDef();
		def.columnCount = columns;
		def.rowCount = rows;
		def.method = (tnMethod)method;
		def.tracerCount = 1;
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_AddWater(world, (tnVec2){5.0f, 5.0f}, 4.0f, 100.0f, NULL));
		for (int i = 0; i < 30; ++i)
		{
			ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		}
		float discharge[(columns + 1) * rows];
		ENSURE_OK(tnWorld_CopyDischarge(world, discharge, NULL));
		float largest = 0.0f;
		for (int i = 0; i < (columns + 1) * rows; ++i)
		{
			largest = fmaxf(largest, fabsf(discharge[i]));
		}
		ENSURE(largest > 0.1f);
		ENSURE_OK(tnWorld_FillToLevel(world, 1.0f));
		ENSURE_OK(tnWorld_CopyDischarge(world, discharge, NULL));
		for (int i = 0; i < (columns + 1) * rows; ++i)
		{
			ENSURE(discharge[i] == 0.0f);
		}
		tnDestroyWorld(world);
	}
	return 0;
}

static double GetTurnover(const tnLedger* before, const tnLedger* after)
{
	double sum = after->rain - before->rain;
	for (int side = 0; side < tn_sideCount; ++side)
	{
		sum += fabs(after->edges[side] - before->edges[side]);
	}
	return sum;
}

// Sponges round by as much as their level is high above the ground, and all of that is booked: also where a change of the time
// step kicks the water once more.
static int SpongesAreBooked(void)
{
	enum
	{
		side = 12,
	};
	for (int seed = 1; seed <= TEST_REPEATS(120); ++seed)
	{
		TestRandom random = TestMakeRandom((uint64_t)seed);
		float heights[side * side];
		tnWorldDef def = tnDefaultWorldDef();
		def.columnCount = TestRandomInt(&random, 4, side);
		def.rowCount = TestRandomInt(&random, 4, side);
		def.method = (tnMethod)TestRandomInt(&random, 0, tn_methodCount - 1);
		def.advection = (tnAdvection)TestRandomInt(&random, 0, tn_advectionCount - 1);
		def.maxSubSteps = TestRandomInt(&random, 1, 4);
		for (int i = 0; i < tn_sideCount; ++i)
		{
			def.edges[i].kind = TestRandomInt(&random, 0, 1) == 0 ? tn_absorbEdge : tn_wallEdge;
			def.edges[i].level = TestRandomFloat(&random, -1.0f, 1.0f);
			def.edges[i].spongeWidth = TestRandomInt(&random, 1, side);
		}
		const float high = powf(10.0f, TestRandomFloat(&random, -1.0f, 4.0f));
		for (int i = 0; i < side * side; ++i)
		{
			heights[i] = TestRandomFloat(&random, -high, high);
		}
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_SetTerrain(world, heights));
		ENSURE_OK(tnWorld_SetRain(world, 0.1f, NULL));
		const float longest = powf(10.0f, TestRandomFloat(&random, -4.0f, -1.7f));
		double limit = 0.0;
		tnLedger before = tnWorld_GetLedger(world);
		for (int step = 0; step < 30; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, longest * TestRandomFloat(&random, 0.5f, 1.0f)));
			const tnLedger after = tnWorld_GetLedger(world);
			// Eight roundings of half a unit, for each pass over the depths: sub-steps, and one where their length changes.
			const int passes = tnWorld_GetStats(world).subSteps + 1;
			limit += 8.0 / 16777216.0 * passes * (before.volume + after.volume + GetTurnover(&before, &after));
			if (!(fabs(after.drift) <= limit))
			{
				printf("seed %d, step %d: drift %g of %g, limit %g\n", seed, step, after.drift, after.volume, limit);
			}
			ENSURE(fabs(after.drift) <= limit);
			before = after;
		}
		tnDestroyWorld(world);
	}
	return 0;
}

static const Test s_tests[] = {
	{"RaisingLiftsGroundAndWater", RaisingLiftsGroundAndWater},
	{"FlatteningAndSmoothing", FlatteningAndSmoothing},
	{"BrushesAtTheEdge", BrushesAtTheEdge},
	{"WeatherTakesWhatItSays", WeatherTakesWhatItSays},
	{"RainDilutesDye", RainDilutesDye},
	{"NewDepthsStopTheFlow", NewDepthsStopTheFlow},
	{"SpongesAreBooked", SpongesAreBooked},
};
const TestSuite editsSuite = TEST_SUITE("edits", s_tests);
