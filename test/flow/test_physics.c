// SPDX-License-Identifier: MIT

// Quick oracles: what water must do, on small worlds with odd and unequal sizes, through the public interface.

#include "harness.h"

#include <tarn/tarn.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
	columns = 37,
	rows = 23,
	cells = columns * rows
};

static const float s_frame = 1.0f / 60.0f;

static tnWorldDef MakeDef(tnMethod method)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columns;
	def.rowCount = rows;
	def.cellSize = 1.0f;
	def.method = method;
	def.sleepSpeed = 0.0f;
	def.tasks.workerCount = 1;
	return def;
}

static int StepMany(tnWorld* world, int count)
{
	for (int i = 0; i < count; ++i)
	{
		ENSURE_OK(tnWorld_Step(world, s_frame));
	}
	return 0;
}

static float DepthAt(const tnWorld* world, int column, int row)
{
	tnFieldView depth = tnWorld_GetDepth(world);
	return depth.data[row * depth.stride + column];
}

static double SumDepths(const tnWorld* world)
{
	double sum = 0.0;
	for (int i = 0; i < cells; ++i)
	{
		sum += (double)DepthAt(world, i % columns, i / columns);
	}
	return sum;
}

static float MinDepth(const tnWorld* world)
{
	float least = INFINITY;
	for (int i = 0; i < cells; ++i)
	{
		float depth = DepthAt(world, i % columns, i / columns);
		// A NaN is kept.
		least = depth >= least ? least : depth;
	}
	return least;
}

static float MaxSpeed(const tnWorld* world)
{
	float speedX[cells];
	float speedZ[cells];
	if (tnWorld_CopyVelocities(world, speedX, speedZ).status != tn_ok)
	{
		return NAN;
	}
	float fastest = 0.0f;
	for (int i = 0; i < cells; ++i)
	{
		float speed = fabsf(speedX[i]) + fabsf(speedZ[i]);
		fastest = speed <= fastest ? fastest : speed;
	}
	return fastest;
}

// Heights are multiples of 1/16 m, so that level - bed is exact and the right answer is zero, not "small".
static void MakeIslandBed(float* bed)
{
	for (int i = 0; i < cells; ++i)
	{
		int dx = i % columns - 15;
		int dz = i / columns - 9;
		int height = 60 - dx * dx - dz * dz + (i * 7) % 5;
		bed[i] = height > 0 ? (float)height / 16.0f : (float)((i * 5) % 9) / 16.0f;
	}
}

static int CheckLakeAtRest(tnMethod method)
{
	float bed[cells];
	MakeIslandBed(bed);
	tnWorldDef def = MakeDef(method);
	def.enableSleep = false;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_OK(tnWorld_SetTerrain(world, bed));
	ENSURE_OK(tnWorld_FillToLevel(world, 2.5f));
	double volume = SumDepths(world);
	ENSURE(StepMany(world, 600) == 0);
	ENSURE(MaxSpeed(world) == 0.0f);
	for (int i = 0; i < cells; ++i)
	{
		float expected = bed[i] < 2.5f ? 2.5f - bed[i] : 0.0f;
		ENSURE(DepthAt(world, i % columns, i / columns) == expected);
	}
	ENSURE(SumDepths(world) == volume);
	tnDestroyWorld(world);
	return 0;
}

static int LakeAtRest(void)
{
	return CheckLakeAtRest(tn_pipeMethod) + CheckLakeAtRest(tn_linearMethod);
}

// A dam break over an island: the shore moves everywhere, nothing gets lost, no depth is below zero.
static int CheckClosedBox(tnMethod method)
{
	float bed[cells];
	float depth[cells];
	MakeIslandBed(bed);
	for (int i = 0; i < cells; ++i)
	{
		depth[i] = i % columns < 9 ? 5.0f : 0.0f;
	}
	tnWorldDef def = MakeDef(method);
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_OK(tnWorld_SetTerrain(world, bed));
	ENSURE_OK(tnWorld_SetDepths(world, depth));
	double volume = SumDepths(world);
	for (int i = 0; i < 60; ++i)
	{
		ENSURE(StepMany(world, 10) == 0);
		ENSURE(MinDepth(world) >= 0.0f);
	}
	// Each cell rounds by at most half an ulp a sub-step, 6e-8 of its depth, and roundings of either sign cancel: case
	// F11 allows 1e-5 after 100 000 steps.
	ENSURE_CLOSE(SumDepths(world) / volume, 1.0, 1.0e-6);
	ENSURE(DepthAt(world, 36, 11) > 0.0f);
	tnLedger ledger = tnWorld_GetLedger(world);
	ENSURE_CLOSE(ledger.volume, SumDepths(world), 1.0e-9 * volume);
	ENSURE_CLOSE(ledger.edits, volume, 1.0e-9 * volume);
	tnDestroyWorld(world);
	return 0;
}

static int ClosedBoxKeepsVolume(void)
{
	return CheckClosedBox(tn_pipeMethod) + CheckClosedBox(tn_linearMethod);
}

// A wave of one half length in a closed basin: T = 2 L / sqrt(g h). Waves that are sqrt(2) too fast are the classical
// error.
static int CheckStandingWave(tnMethod method)
{
	const double h = 2.0;
	float depth[cells];
	for (int i = 0; i < cells; ++i)
	{
		depth[i] = (float)(h + 2.0e-3 * cos(3.14159265358979 * (i % columns + 0.5) / columns));
	}
	tnWorldDef def = MakeDef(method);
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_OK(tnWorld_SetDepths(world, depth));
	double exact = 2.0 * columns / sqrt(9.81 * h);
	double first = 0.0;
	double last = 0.0;
	int crossings = 0;
	double before = (double)DepthAt(world, 0, 5) - h;
	for (int i = 1; crossings < 3 && i < 4000; ++i)
	{
		ENSURE(StepMany(world, 1) == 0);
		double now = (double)DepthAt(world, 0, 5) - h;
		if ((before > 0.0) != (now > 0.0))
		{
			last = i - 1 + before / (before - now);
			first = crossings == 0 ? last : first;
			crossings += 1;
		}
		before = now;
	}
	ENSURE_EQUAL_INT(crossings, 3);
	// The grid slows the wave by (k dx)^2 / 24, 3e-4, and a height of 1e-3 moves it by as much.
	ENSURE_CLOSE((last - first) / 60.0 / exact, 1.0, 2.0e-3);
	tnDestroyWorld(world);
	return 0;
}

static int StandingWavePeriod(void)
{
	return CheckStandingWave(tn_pipeMethod) + CheckStandingWave(tn_linearMethod);
}

static int CheckMirror(tnMethod method)
{
	float bed[2][cells];
	float depth[2][cells];
	MakeIslandBed(bed[0]);
	for (int i = 0; i < cells; ++i)
	{
		int mirror = i / columns * columns + columns - 1 - i % columns;
		depth[0][i] = i % columns < 11 && i / columns > 4 ? 3.0f : 0.0f;
		bed[1][mirror] = bed[0][i];
		depth[1][mirror] = depth[0][i];
	}
	tnWorld* worlds[2] = {NULL, NULL};
	for (int i = 0; i < 2; ++i)
	{
		tnWorldDef def = MakeDef(method);
		def.manning = 0.02f;
		def.edges[i == 0 ? tn_east : tn_west].kind = tn_openEdge;
		ENSURE_OK(tnCreateWorld(&def, worlds + i));
		ENSURE_OK(tnWorld_SetTerrain(worlds[i], bed[i]));
		ENSURE_OK(tnWorld_SetDepths(worlds[i], depth[i]));
		ENSURE(StepMany(worlds[i], 300) == 0);
	}
	for (int i = 0; i < cells; ++i)
	{
		float a = DepthAt(worlds[0], i % columns, i / columns);
		float b = DepthAt(worlds[1], columns - 1 - i % columns, i / columns);
		ENSURE(memcmp(&a, &b, sizeof(float)) == 0);
	}
	tnDestroyWorld(worlds[0]);
	tnDestroyWorld(worlds[1]);
	return 0;
}

static int MirroredSceneGivesMirroredBits(void)
{
	return CheckMirror(tn_pipeMethod) + CheckMirror(tn_linearMethod);
}

// A valley to the left of a sill in column 20. Water below the sill never gets over, and moving water below it neither.
static int CheckSill(tnMethod method, float level, bool spills)
{
	float bed[cells];
	float depth[cells];
	for (int i = 0; i < cells; ++i)
	{
		bed[i] = i % columns == 20 ? 2.0f : 0.0f;
		depth[i] = i % columns < 20 ? level : 0.0f;
	}
	tnWorldDef def = MakeDef(method);
	def.manning = 0.05f;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_OK(tnWorld_SetTerrain(world, bed));
	ENSURE_OK(tnWorld_SetDepths(world, depth));
	// A ripple of a hundredth of the freeboard and less.
	ENSURE_OK(tnWorld_AddWater(world, (tnVec2){8.5f, 11.5f}, 3.0f, 0.05f, NULL));
	ENSURE(StepMany(world, 900) == 0);
	double beyond = 0.0;
	for (int i = 0; i < cells; ++i)
	{
		beyond += i % columns >= 20 ? (double)DepthAt(world, i % columns, i / columns) : 0.0;
	}
	if (spills)
	{
		// Of the 115.05 m^3 above the sill most are beyond it, and what is below the sill is not.
		ENSURE(beyond > 70.0);
		ENSURE(beyond < 115.05);
	}
	else
	{
		ENSURE(beyond == 0.0);
	}
	tnDestroyWorld(world);
	return 0;
}

static int WaterBelowSillStays(void)
{
	return CheckSill(tn_pipeMethod, 1.75f, false) + CheckSill(tn_linearMethod, 1.75f, false);
}

static int WaterAboveSillSpills(void)
{
	// 0.25 m above the sill, which run over within the 15 s.
	return CheckSill(tn_pipeMethod, 2.25f, true) + CheckSill(tn_linearMethod, 2.25f, true);
}

static int RaisedGroundLiftsWater(void)
{
	tnWorldDef def = MakeDef(tn_pipeMethod);
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_OK(tnWorld_FillToLevel(world, 1.5f));
	double volume = SumDepths(world);
	tnBrush brush = tnDefaultBrush();
	brush.center = (tnVec2){18.5f, 11.5f};
	brush.radius = 4.0f;
	brush.falloff = 0.0f;
	brush.amount = 0.75f;
	ENSURE_OK(tnWorld_EditTerrain(world, &brush));
	ENSURE(SumDepths(world) == volume);
	ENSURE(DepthAt(world, 18, 11) == 1.5f);
	tnSample sample = tnWorld_Sample(world, (tnVec2){18.5f, 11.5f});
	ENSURE_CLOSE(sample.surface, 2.25, 1.0e-6);

	// The hump of water runs off, and none is lost.
	ENSURE(StepMany(world, 600) == 0);
	ENSURE(DepthAt(world, 18, 11) < 1.0f);
	ENSURE_CLOSE(SumDepths(world) / volume, 1.0, 1.0e-6);
	ENSURE_CLOSE(tnWorld_GetLedger(world).drift / volume, 0.0, 1.0e-6);
	tnDestroyWorld(world);
	return 0;
}

// Rain is saved up until it is worth adding to a float: no more than this part of the deepest water may be still to
// come.
static double GetRainQuantum(double maxDepth)
{
	return fmax(maxDepth, 1.0) / 262144.0;
}

// What falls is rate * area * time, up to what is saved up, however small a step's share is against the depth it falls
// on.
static int CheckRain(float level, float rate, float timeStep, int steps)
{
	tnWorldDef def = MakeDef(tn_pipeMethod);
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	if (level > 0.0f)
	{
		ENSURE_OK(tnWorld_FillToLevel(world, level));
	}
	ENSURE_OK(tnWorld_SetRain(world, rate, NULL));
	for (int i = 0; i < steps; ++i)
	{
		ENSURE_OK(tnWorld_Step(world, timeStep));
	}
	double exact = (double)rate * tnWorld_GetTime(world);
	double quantum = GetRainQuantum(level + exact);
	tnLedger ledger = tnWorld_GetLedger(world);
	double fallen = ledger.rain / cells;
	// Otherwise nothing would be proved.
	ENSURE(exact > 2.0 * quantum);
	// 1e-6 of it for the rounding of the time step, and half a float of the depth that was rounded up.
	ENSURE(fallen <= exact * (1.0 + 1.0e-6) + (level + exact) * 6.0e-8);
	ENSURE(fallen >= exact * (1.0 - 1.0e-6) - quantum);
	// The ledger says what the floats hold.
	ENSURE_CLOSE(SumDepths(world) - (double)level * cells, ledger.rain, 1.0e-7 * ledger.volume);
	tnDestroyWorld(world);
	return 0;
}

static int RainBringsItsVolume(void)
{
	ENSURE(CheckRain(0.0f, 1.0e-3f, s_frame, 600) == 0);
	ENSURE(CheckRain(1.0f, 2.0e-5f, s_frame, 600) == 0);
	return 0;
}

// 1e-9 m/s is 1.7e-11 m a frame, and the next float after 20 m is 1.9e-6 m away: added frame by frame it would be lost.
// The lake rests meanwhile, so two days cost little.
static int DrizzleOnDeepWaterIsNotLost(void)
{
	return CheckRain(20.0f, 1.0e-9f, 10.0f, 20000);
}

static int DrainsTakeWhatThereIs(void)
{
	tnWorldDef def = MakeDef(tn_pipeMethod);
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_OK(tnWorld_FillToLevel(world, 0.25f));
	double volume = SumDepths(world);
	tnSourceDef drain = tnDefaultSourceDef();
	drain.center = (tnVec2){12.5f, 7.5f};
	drain.radius = 2.5f;
	drain.rate = -1000.0f;
	tnSourceId id;
	ENSURE_OK(tnWorld_CreateSource(world, &drain, &id));
	ENSURE(StepMany(world, 2400) == 0);
	ENSURE(MinDepth(world) >= 0.0f);
	double taken = 0.0;
	ENSURE_OK(tnWorld_GetSource(world, id, NULL, &taken));
	tnLedger ledger = tnWorld_GetLedger(world);
	ENSURE(taken < 0.0);
	ENSURE_CLOSE(ledger.drains, taken, 1.0e-9 * volume);
	ENSURE_CLOSE(SumDepths(world) - taken, volume, 1.0e-6 * volume);
	// Forty seconds of a drain that swallows all that comes: a wave crosses the world in 24 s.
	ENSURE(SumDepths(world) < 0.5 * volume);
	tnDestroyWorld(world);
	return 0;
}

static int WellsHoldTheirLevel(void)
{
	// It fills a dry world to its level, and drains one that is too full.
	for (int i = 0; i < 2; ++i)
	{
		tnWorldDef def = MakeDef(tn_pipeMethod);
		def.friction = 0.5f;
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_FillToLevel(world, i == 0 ? 0.25f : 2.0f));
		tnSourceDef well = tnDefaultSourceDef();
		well.kind = tn_wellSource;
		well.center = (tnVec2){18.5f, 11.5f};
		well.radius = 4.0f;
		well.level = 1.0f;
		tnSourceId id;
		ENSURE_OK(tnWorld_CreateSource(world, &well, &id));
		ENSURE(StepMany(world, 30) == 0);
		ENSURE_CLOSE(DepthAt(world, 18, 11), 1.0, 1.0e-3);
		ENSURE(StepMany(world, 1800) == 0);
		ENSURE_CLOSE(DepthAt(world, 0, 0), 1.0, 0.02);
		double brought = 0.0;
		ENSURE_OK(tnWorld_GetSource(world, id, NULL, &brought));
		ENSURE((brought > 0.0) == (i == 0));
		ENSURE_CLOSE(tnWorld_GetLedger(world).wells, brought, 1.0e-6);
		tnDestroyWorld(world);
	}
	return 0;
}

// A hump that moves east comes back in the west: after one turn it is where it was.
static int WrappedWaveComesBack(void)
{
	const double h = 1.0;
	const double celerity = sqrt(9.81 * h);
	float depth[cells];
	float speedX[cells];
	float speedZ[cells] = {0};
	for (int i = 0; i < cells; ++i)
	{
		double x = i % columns + 0.5 - 18.5;
		double eta = 1.0e-3 * exp(-x * x / 32.0);
		depth[i] = (float)(h + eta);
		speedX[i] = (float)(eta * celerity / h);
	}
	tnWorldDef def = MakeDef(tn_pipeMethod);
	def.edges[tn_west].kind = tn_wrapEdge;
	def.edges[tn_east].kind = tn_wrapEdge;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_OK(tnWorld_SetDepths(world, depth));
	ENSURE_OK(tnWorld_SetVelocities(world, speedX, speedZ));
	double volume = SumDepths(world);
	// Half a turn: the hump is on the seam.
	int turn = (int)(columns / celerity * 60.0 + 0.5);
	ENSURE(StepMany(world, turn / 2) == 0);
	ENSURE(DepthAt(world, 0, 11) > 1.0006f);
	ENSURE(DepthAt(world, 36, 11) > 1.0006f);
	ENSURE(DepthAt(world, 18, 11) < 1.0002f);
	ENSURE(StepMany(world, turn - turn / 2) == 0);
	int highest = 0;
	for (int column = 0; column < columns; ++column)
	{
		highest = DepthAt(world, column, 11) > DepthAt(world, highest, 11) ? column : highest;
	}
	ENSURE(highest >= 17 && highest <= 19);
	// A hump of 4 cells keeps its height to a tenth over 37 cells of travel: the grid spreads it a little.
	ENSURE(DepthAt(world, highest, 11) > 1.0009f);
	// In the flanks of so low a hump a step brings less than the spacing of floats, 1.2e-7 m, and is rounded the same
	// way many times over, in all rows alike, until the surface is out of step by about a dozen floats: sixteen of
	// them.
	ENSURE_CLOSE(SumDepths(world) / volume, 1.0, 16.0 * 1.2e-7);
	tnDestroyWorld(world);
	return 0;
}

// A constant stays a constant over moving shores, bit for bit where there is water.
static int ConstantTracerStaysConstant(void)
{
	for (int method = 0; method < tn_methodCount; ++method)
	{
		float bed[cells];
		float depth[cells];
		float tracer[2][cells];
		MakeIslandBed(bed);
		for (int i = 0; i < cells; ++i)
		{
			depth[i] = i % columns < 9 ? 4.0f : 0.0f;
			tracer[0][i] = 0.75f;
			tracer[1][i] = i / columns < 11 ? 1.0f : 0.0f;
		}
		tnWorldDef def = MakeDef((tnMethod)method);
		def.tracerCount = 2;
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_SetTerrain(world, bed));
		ENSURE_OK(tnWorld_SetDepths(world, depth));
		ENSURE_OK(tnWorld_SetTracer(world, 0, tracer[0]));
		ENSURE_OK(tnWorld_SetTracer(world, 1, tracer[1]));
		ENSURE(StepMany(world, 400) == 0);
		tnFieldView constant = tnWorld_GetTracer(world, 0);
		tnFieldView halves = tnWorld_GetTracer(world, 1);
		double amount = 0.0;
		for (int i = 0; i < cells; ++i)
		{
			int column = i % columns;
			int row = i / columns;
			float h = DepthAt(world, column, row);
			if (h > 0.0f)
			{
				float c = halves.data[row * halves.stride + column];
				ENSURE(constant.data[row * constant.stride + column] == 0.75f);
				ENSURE(c >= 0.0f && c <= 1.0f);
				amount += (double)c * (double)h;
			}
		}
		ENSURE_CLOSE(amount / (4.0 * 9 * 11), 1.0, 1.0e-5);
		tnDestroyWorld(world);
	}
	return 0;
}

// A bay behind a tide that is slow against the time a wave takes to cross it follows the tide.
static int LevelEdgeFollowsTide(void)
{
	tnWorldDef def = MakeDef(tn_pipeMethod);
	def.manning = 0.03f;
	def.edges[tn_west].kind = tn_levelEdge;
	def.edges[tn_west].level = 3.0f;
	def.edges[tn_west].tideAmplitude = 0.5f;
	def.edges[tn_west].tidePeriod = 240.0f;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_OK(tnWorld_FillToLevel(world, 3.0f));
	double worst = 0.0;
	for (int i = 0; i < 240; ++i)
	{
		ENSURE_OK(tnWorld_Step(world, 0.5f));
		ENSURE_OK(tnWorld_Step(world, 0.5f));
		double tide = 3.0 + 0.5 * sin(2.0 * 3.14159265358979 * tnWorld_GetTime(world) / 240.0);
		worst = fmax(worst, fabs((double)DepthAt(world, 36, 11) - tide));
	}
	// It lags by the 7 s of a crossing, and the start rings: a fifth of the amplitude.
	ENSURE(worst < 0.1);
	tnLedger ledger = tnWorld_GetLedger(world);
	ENSURE_CLOSE(ledger.edges[tn_west], ledger.volume - ledger.edits, 1.0e-6 * ledger.volume);
	tnDestroyWorld(world);
	return 0;
}

static int InflowBringsItsVolume(void)
{
	tnWorldDef def = MakeDef(tn_linearMethod);
	def.edges[tn_north].kind = tn_inflowEdge;
	def.edges[tn_north].inflow = 0.25f;
	def.edges[tn_north].inflowBegin = 5;
	def.edges[tn_north].inflowEnd = 12;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE(StepMany(world, 600) == 0);
	double exact = 0.25 * 7.0 * tnWorld_GetTime(world);
	tnLedger ledger = tnWorld_GetLedger(world);
	ENSURE_CLOSE(ledger.edges[tn_north] / exact, 1.0, 1.0e-5);
	ENSURE_CLOSE(SumDepths(world) / exact, 1.0, 1.0e-5);
	ENSURE(ledger.edges[tn_south] == 0.0);
	tnDestroyWorld(world);
	return 0;
}

static int OpenEdgeDrainsTheWorld(void)
{
	tnWorldDef def = MakeDef(tn_pipeMethod);
	def.edges[tn_east].kind = tn_openEdge;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_OK(tnWorld_FillToLevel(world, 1.0f));
	double volume = SumDepths(world);
	ENSURE(StepMany(world, 3600) == 0);
	ENSURE(MinDepth(world) >= 0.0f);
	ENSURE(SumDepths(world) < 0.1 * volume);
	ENSURE_CLOSE(tnWorld_GetLedger(world).edges[tn_east] + volume, SumDepths(world), 1.0e-6 * volume);
	tnDestroyWorld(world);
	return 0;
}

static int SurfaceIsInterpolated(void)
{
	float before[cells];
	float after[cells];
	float surface[cells];
	tnWorldDef def = MakeDef(tn_pipeMethod);
	def.keepPrevious = true;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_OK(tnWorld_FillToLevel(world, 1.0f));
	ENSURE_OK(tnWorld_AddWater(world, (tnVec2){10.5f, 10.5f}, 3.0f, 20.0f, NULL));
	ENSURE(StepMany(world, 5) == 0);
	for (int i = 0; i < cells; ++i)
	{
		before[i] = DepthAt(world, i % columns, i / columns);
	}
	ENSURE(StepMany(world, 1) == 0);
	float change = 0.0f;
	for (int i = 0; i < cells; ++i)
	{
		after[i] = DepthAt(world, i % columns, i / columns);
		change = fmaxf(change, fabsf(after[i] - before[i]));
	}
	ENSURE(change > 1.0e-3f);
	ENSURE_OK(tnWorld_CopySurface(world, 0.0f, surface));
	ENSURE(memcmp(surface, before, sizeof(before)) == 0);
	ENSURE_OK(tnWorld_CopySurface(world, 1.0f, surface));
	ENSURE(memcmp(surface, after, sizeof(after)) == 0);
	ENSURE_OK(tnWorld_CopySurface(world, 0.5f, surface));
	for (int i = 0; i < cells; ++i)
	{
		ENSURE_CLOSE(surface[i], 0.5 * ((double)before[i] + (double)after[i]), 1.0e-6);
	}
	tnDestroyWorld(world);
	return 0;
}

static int LakeFallsAsleepAndWakes(void)
{
	tnWorldDef def = MakeDef(tn_pipeMethod);
	def.enableSleep = true;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_OK(tnWorld_FillToLevel(world, 1.0f));
	int steps = (int)(def.sleepTime * 60.0f) + 10;
	ENSURE(StepMany(world, steps) == 0);
	ENSURE_EQUAL_INT(tnWorld_GetStats(world).awakeTileCount, 0);
	ENSURE(DepthAt(world, 30, 20) == 1.0f);

	double moved = 0.0;
	ENSURE_OK(tnWorld_AddWater(world, (tnVec2){10.5f, 10.5f}, 2.0f, 5.0f, &moved));
	ENSURE_CLOSE(moved, 5.0, 1.0e-4);
	ENSURE(StepMany(world, 1) == 0);
	ENSURE(tnWorld_GetStats(world).awakeTileCount > 0);
	ENSURE(StepMany(world, 600) == 0);
	ENSURE(DepthAt(world, 30, 20) != 1.0f);
	ENSURE_CLOSE(SumDepths(world), cells + moved, 1.0e-3);
	tnDestroyWorld(world);
	return 0;
}

// A push gives the water the momentum it says: N s over 1000 kg/m^3.
static int ImpulseBecomesMomentum(void)
{
	for (int method = 0; method < tn_methodCount; ++method)
	{
		tnWorldDef def = MakeDef((tnMethod)method);
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_FillToLevel(world, 2.0f));
		ENSURE_OK(tnWorld_AddImpulse(world, (tnVec2){18.5f, 11.5f}, 4.0f, (tnVec2){20000.0f, -5000.0f}));
		float speedX[cells];
		float speedZ[cells];
		ENSURE_OK(tnWorld_CopyVelocities(world, speedX, speedZ));
		double momentumX = 0.0;
		double momentumZ = 0.0;
		for (int i = 0; i < cells; ++i)
		{
			momentumX += 1000.0 * 2.0 * (double)speedX[i];
			momentumZ += 1000.0 * 2.0 * (double)speedZ[i];
		}
		ENSURE_CLOSE(momentumX, 20000.0, 20.0);
		ENSURE_CLOSE(momentumZ, -5000.0, 5.0);
		tnDestroyWorld(world);
	}
	return 0;
}

static const Test s_tests[] = {
	{"LakeAtRest", LakeAtRest},
	{"ClosedBoxKeepsVolume", ClosedBoxKeepsVolume},
	{"StandingWavePeriod", StandingWavePeriod},
	{"MirroredSceneGivesMirroredBits", MirroredSceneGivesMirroredBits},
	{"WaterBelowSillStays", WaterBelowSillStays},
	{"WaterAboveSillSpills", WaterAboveSillSpills},
	{"RaisedGroundLiftsWater", RaisedGroundLiftsWater},
	{"RainBringsItsVolume", RainBringsItsVolume},
	{"DrizzleOnDeepWaterIsNotLost", DrizzleOnDeepWaterIsNotLost},
	{"DrainsTakeWhatThereIs", DrainsTakeWhatThereIs},
	{"WellsHoldTheirLevel", WellsHoldTheirLevel},
	{"WrappedWaveComesBack", WrappedWaveComesBack},
	{"ConstantTracerStaysConstant", ConstantTracerStaysConstant},
	{"LevelEdgeFollowsTide", LevelEdgeFollowsTide},
	{"InflowBringsItsVolume", InflowBringsItsVolume},
	{"OpenEdgeDrainsTheWorld", OpenEdgeDrainsTheWorld},
	{"SurfaceIsInterpolated", SurfaceIsInterpolated},
	{"LakeFallsAsleepAndWakes", LakeFallsAsleepAndWakes},
	{"ImpulseBecomesMomentum", ImpulseBecomesMomentum},
};
const TestSuite physicsSuite = TEST_SUITE("physics", s_tests);
