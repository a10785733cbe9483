// SPDX-License-Identifier: MIT

// How the flow is organised must not show: sub-steps in one trip or one by one, bands, spans of awake tiles. And the
// knobs of the def do what their units say.

#include "harness.h"

#include <tarn/tarn.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	// Four rows and three columns of tiles, none of them full at the end; several bands.
	columns = 150,
	rows = 201,
	cells = columns * rows
};

static float s_bed[cells];
static float s_depth[cells];

// Rough ground, half of it under water, made of whole 1/256 m.
static void MakeGround(void)
{
	for (int i = 0; i < cells; ++i)
	{
		int column = i % columns;
		int row = i / columns;
		uint32_t noise = (uint32_t)column * 0x9E3779B1u + (uint32_t)row * 0x85EBCA77u;
		noise = (noise ^ (noise >> 15)) * 0x2C1B3C6Du;
		float hill = 3.0f * sinf(0.05f * (float)column) * cosf(0.04f * (float)row);
		s_bed[i] = floorf((hill + (float)(noise >> 28) / 32.0f) * 256.0f) / 256.0f;
		float level = column < columns / 2 ? 4.0f : 0.5f;
		s_depth[i] = level > s_bed[i] ? level - s_bed[i] : 0.0f;
	}
}

static tnWorldDef MakeDef(tnMethod method)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columns;
	def.rowCount = rows;
	def.method = method;
	def.sleepSpeed = 0.0f;
	def.manning = 0.03f;
	return def;
}

static int RunTrips(const tnWorldDef* def, float timeStep, int stepCount, uint64_t* hash)
{
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(def, &world));
	ENSURE_OK(tnWorld_SetTerrain(world, s_bed));
	ENSURE_OK(tnWorld_SetDepths(world, s_depth));
	for (int i = 0; i < stepCount; ++i)
	{
		ENSURE_OK(tnWorld_Step(world, timeStep));
		ENSURE_EQUAL_INT(tnWorld_GetStats(world).subSteps, def->maxSubSteps);
	}
	*hash = tnWorld_GetHash(world);
	tnDestroyWorld(world);
	return 0;
}

// A step of n sub-steps goes through memory once for every four of them; n steps of one go n times, with other halos.
// Gravity is so strong that the cap decides about the number of sub-steps, and powers of two keep time exact.
static int CheckTrips(tnWorldDef def)
{
	MakeGround();
	def.gravity = 1000.0f;
	def.maxSubSteps = 1;
	uint64_t single = 0;
	ENSURE(RunTrips(&def, 1.0f / 64.0f, 120, &single) == 0);
	const int counts[] = {2, 3, 4, 5, 8};
	for (int i = 0; i < 5; ++i)
	{
		if (def.method == tn_pipeMethod && def.section != tn_fixedSection && 8 % counts[i] != 0)
		{
			continue; // pipes are calmed between steps, after eight sub-steps
		}
		uint64_t together = 0;
		def.maxSubSteps = counts[i];
		def.tasks.workerCount = 1 + i;
		ENSURE(RunTrips(&def, (float)counts[i] / 64.0f, 120 / counts[i], &together) == 0);
		ENSURE_EQUAL_HEX(together, single);
	}
	return 0;
}

static int TripsWithWalls(void)
{
	ENSURE(CheckTrips(MakeDef(tn_pipeMethod)) == 0);
	tnWorldDef def = MakeDef(tn_pipeMethod);
	def.section = tn_fixedSection;
	def.fixedSection = 8.0f;
	ENSURE(CheckTrips(def) == 0);
	return CheckTrips(MakeDef(tn_linearMethod));
}

static int TripsWithOpenEdges(void)
{
	tnWorldDef def = MakeDef(tn_linearMethod);
	def.edges[tn_west].kind = tn_inflowEdge;
	def.edges[tn_west].inflow = 0.5f;
	def.edges[tn_east].kind = tn_openEdge;
	def.edges[tn_north].kind = tn_levelEdge;
	def.edges[tn_north].level = 2.0f;
	def.edges[tn_south].kind = tn_absorbEdge;
	def.edges[tn_south].level = 1.0f;
	ENSURE(CheckTrips(def) == 0);
	def.method = tn_pipeMethod;
	return CheckTrips(def);
}

static int TripsAroundTheWorld(void)
{
	tnWorldDef def = MakeDef(tn_pipeMethod);
	for (int side = 0; side < tn_sideCount; ++side)
	{
		def.edges[side].kind = tn_wrapEdge;
	}
	ENSURE(CheckTrips(def) == 0);
	def.method = tn_linearMethod;
	return CheckTrips(def);
}

// ---------------------------------------------------------------------------------------------------------------------
// The knobs

enum
{
	tankColumns = 65,
	tankRows = 5,
	tankCells = tankColumns * tankRows
};

static int CreateTank(const tnWorldDef* def, double amplitude, tnWorld** world)
{
	ENSURE_OK(tnCreateWorld(def, world));
	float depth[tankCells];
	for (int i = 0; i < tankCells; ++i)
	{
		double phase = 3.141592653589793 * ((double)(i % tankColumns) + 0.5) / tankColumns;
		depth[i] = (float)(1.0 + amplitude * cos(phase));
	}
	ENSURE_OK(tnWorld_SetDepths(*world, depth));
	return 0;
}

static tnWorldDef MakeTankDef(void)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = tankColumns;
	def.rowCount = tankRows;
	def.enableSleep = false;
	return def;
}

// Long steps, or each would move less than a float32 depth can tell: 1e-3 m at 0.15 / s is 20 units in the last place
// per step of 1/64 s.
static const float s_longStep = 0.125f;

// Seconds from the start to the first time the first column stands at its mean level: a quarter of a period.
static int MeasureQuarter(const tnWorldDef* def, float timeStep, double* quarter)
{
	tnWorld* world = NULL;
	ENSURE(CreateTank(def, 1.0e-3, &world) == 0);
	double before = tnWorld_GetDepth(world).data[0];
	*quarter = 0.0;
	for (int i = 0; i < 10000 && *quarter == 0.0; ++i)
	{
		ENSURE_OK(tnWorld_Step(world, timeStep));
		double now = tnWorld_GetDepth(world).data[0];
		if (now <= 1.0)
		{
			// Faces are half a sub-step behind the cells, so the swing starts that much early.
			double half = 0.5 / tnWorld_GetStats(world).subSteps;
			*quarter = timeStep * (i + (before - 1.0) / (before - now) + half);
		}
		before = now;
	}
	tnDestroyWorld(world);
	return 0;
}

// A wave in a closed tank of length l swings with the period 2 l / c, c = sqrt(g h) for water and for pipes
// sqrt(liveliness g section). The grid's own error is below 1e-3 at 130 cells per wave.
static int WavesRunAsFastAsTheyShould(void)
{
	tnWorldDef def = MakeTankDef();
	double quarter = 0.0;
	const double expected = 0.5 * tankColumns / sqrt(9.81);

	ENSURE(MeasureQuarter(&def, s_longStep, &quarter) == 0);
	ENSURE_CLOSE(quarter, expected, 2.0e-3 * expected);
	def.liveliness = 0.25f;
	ENSURE(MeasureQuarter(&def, s_longStep, &quarter) == 0);
	ENSURE_CLOSE(quarter, 2.0 * expected, 4.0e-3 * expected);
	def.liveliness = 1.0f;
	def.section = tn_meanSection;
	ENSURE(MeasureQuarter(&def, s_longStep, &quarter) == 0);
	ENSURE_CLOSE(quarter, expected, 2.0e-3 * expected);
	def.section = tn_fixedSection;
	def.fixedSection = 4.0f;
	ENSURE(MeasureQuarter(&def, s_longStep, &quarter) == 0);
	ENSURE_CLOSE(quarter, 0.5 * expected, 1.0e-3 * expected);
	def.method = tn_linearMethod;
	ENSURE(MeasureQuarter(&def, s_longStep, &quarter) == 0);
	ENSURE_CLOSE(quarter, expected, 2.0e-3 * expected);
	return 0;
}

// Past maxSubSteps the fastest waves slow down by what the statistics say, and nothing else happens.
static int TooFewSubStepsSlowTheWaves(void)
{
	tnWorldDef def = MakeTankDef();
	def.maxSubSteps = 1;
	tnWorld* world = NULL;
	ENSURE(CreateTank(&def, 1.0e-3, &world) == 0);
	ENSURE_OK(tnWorld_Step(world, 1.0f / 64.0f));
	tnStats stats = tnWorld_GetStats(world);
	tnDestroyWorld(world);
	ENSURE_EQUAL_INT(stats.subSteps, 1);
	ENSURE_EQUAL_INT(stats.subStepsWanted, 1);
	ENSURE(stats.waveSlowdown == 1.0f);

	// A hundred times the gravity on cells of a quarter needs forty times as many sub-steps.
	def.gravity = 1000.0f;
	def.cellSize = 0.25f;
	double quarter = 0.0;
	ENSURE(CreateTank(&def, 1.0e-3, &world) == 0);
	ENSURE_OK(tnWorld_Step(world, 1.0f / 64.0f));
	stats = tnWorld_GetStats(world);
	tnDestroyWorld(world);
	ENSURE_EQUAL_INT(stats.subSteps, 1);
	ENSURE(stats.subStepsWanted > 1);
	ENSURE(stats.waveSlowdown < 1.0f);
	ENSURE(MeasureQuarter(&def, 1.0f / 64.0f, &quarter) == 0);
	const double expected = 0.5 * tankColumns * 0.25 / sqrt(1000.0) / (double)stats.waveSlowdown;
	ENSURE_CLOSE(quarter, expected, 5.0e-3 * expected);
	return 0;
}

static int GetUniformSpeed(const tnWorldDef* def, int steps, float* speed)
{
	tnWorldDef ring = *def;
	for (int side = 0; side < tn_sideCount; ++side)
	{
		ring.edges[side].kind = tn_wrapEdge;
	}
	tnWorld* world = NULL;
	ENSURE(CreateTank(&ring, 0.0, &world) == 0);
	float along[tankCells];
	float across[tankCells];
	for (int i = 0; i < tankCells; ++i)
	{
		along[i] = 2.0f;
		across[i] = -1.0f;
	}
	ENSURE_OK(tnWorld_SetVelocities(world, along, across));
	for (int i = 0; i < steps; ++i)
	{
		ENSURE_OK(tnWorld_Step(world, 1.0f / 64.0f));
	}
	ENSURE_OK(tnWorld_CopyVelocities(world, along, across));
	*speed = along[tankCells / 2];
	// Both axes feel the same friction rate, and by Manning's n if it counts the whole speed.
	ENSURE((def->manning > 0.0f && def->method != tn_shallowMethod) ||
		fabsf(across[tankCells / 2] + 0.5f * *speed) <= 1.0e-6f);
	tnDestroyWorld(world);
	return 0;
}

// Uniform flow around a wrapped world: without friction it goes on for ever, with a rate k it falls as (1 + k dt)^-n,
// and with Manning's n as 1 / (1 + g n^2 u0 t / h^(4/3)), to first order in dt. There u0 is the whole speed for shallow,
// and the speed along the axis for the others.
static int FrictionTakesItsShare(void)
{
	for (int method = 0; method < tn_methodCount; ++method)
	{
		tnWorldDef def = MakeTankDef();
		def.method = (tnMethod)method;
		float speed = 0.0f;
		ENSURE(GetUniformSpeed(&def, 640, &speed) == 0);
		ENSURE(speed == 2.0f);
		def.friction = 0.5f;
		ENSURE(GetUniformSpeed(&def, 640, &speed) == 0);
		ENSURE_CLOSE(speed, 2.0 * pow(1.0 + 0.5 / 64.0, -640.0), 1.0e-5);
		def.friction = 0.0f;
		def.manning = 0.05f;
		ENSURE(GetUniformSpeed(&def, 640, &speed) == 0);
		const double counted = method == tn_shallowMethod ? sqrt(5.0) : 2.0;
		ENSURE_CLOSE(speed, 2.0 / (1.0 + 9.81 * 0.0025 * counted * 10.0), 5.0e-4);
	}
	return 0;
}

// In a tilted tank the surface comes to rest at the slope a / g.
static int TiltedWaterStandsAtASlope(void)
{
	for (int method = 0; method < tn_methodCount; ++method)
	{
		tnWorldDef def = MakeTankDef();
		def.method = (tnMethod)method;
		// Close to critical damping of the slowest wave, 2 pi sqrt(liveliness g h) / (2 l) = 0.107 / s.
		def.friction = 0.2f;
		def.liveliness = 0.5f;
		tnWorld* world = NULL;
		ENSURE(CreateTank(&def, 0.0, &world) == 0);
		ENSURE_OK(tnWorld_SetAcceleration(world, (tnVec2){0.0981f, 0.0f}));
		for (int i = 0; i < 8 * 200; ++i)
		{
			ENSURE_OK(tnWorld_Step(world, s_longStep));
		}
		tnFieldView depth = tnWorld_GetDepth(world);
		for (int column = 0; column < tankColumns; ++column)
		{
			ENSURE_CLOSE(depth.data[column], 1.0 + 0.01 * (column - tankColumns / 2), 1.0e-5);
		}
		tnDestroyWorld(world);
	}
	return 0;
}

// A jet brings water and momentum: without friction in a wrapped world all of it is still there later.
static int JetsBringMomentum(void)
{
	for (int method = 0; method < tn_methodCount; ++method)
	{
		tnWorldDef def = MakeTankDef();
		def.method = (tnMethod)method;
		for (int side = 0; side < tn_sideCount; ++side)
		{
			def.edges[side].kind = tn_wrapEdge;
		}
		tnWorld* world = NULL;
		ENSURE(CreateTank(&def, 0.0, &world) == 0);
		tnSourceDef jet = tnDefaultSourceDef();
		jet.center = (tnVec2){20.5f, 2.5f};
		jet.radius = 1.5f;
		jet.rate = 0.5f;
		jet.velocity = (tnVec2){4.0f, 0.0f};
		tnSourceId id;
		ENSURE_OK(tnWorld_CreateSource(world, &jet, &id));
		for (int i = 0; i < 64; ++i)
		{
			ENSURE_OK(tnWorld_Step(world, 1.0f / 64.0f));
		}
		double volume = 0.0;
		ENSURE_OK(tnWorld_GetSource(world, id, NULL, &volume));
		ENSURE_CLOSE(volume, 0.5, 1.0e-5);
		float discharge[(tankColumns + 1) * tankRows];
		ENSURE_OK(tnWorld_CopyDischarge(world, discharge, NULL));
		double momentum = 0.0;
		for (int i = 0; i < tankRows; ++i)
		{
			for (int column = 0; column < tankColumns; ++column)
			{
				momentum += (double)discharge[i * (tankColumns + 1) + column];
			}
		}
		// Pressure over the rising surface is the same in both directions; what it leaves is of second order in the
		// rise.
		ENSURE_CLOSE(momentum, 4.0 * volume, 0.03 * 4.0 * volume);
		tnDestroyWorld(world);
	}
	return 0;
}

static const Test s_tests[] = {
	{"TripsWithWalls", TripsWithWalls},
	{"TripsWithOpenEdges", TripsWithOpenEdges},
	{"TripsAroundTheWorld", TripsAroundTheWorld},
	{"WavesRunAsFastAsTheyShould", WavesRunAsFastAsTheyShould},
	{"TooFewSubStepsSlowTheWaves", TooFewSubStepsSlowTheWaves},
	{"FrictionTakesItsShare", FrictionTakesItsShare},
	{"TiltedWaterStandsAtASlope", TiltedWaterStandsAtASlope},
	{"JetsBringMomentum", JetsBringMomentum},
};
const TestSuite flowSuite = TEST_SUITE("flow", s_tests);
