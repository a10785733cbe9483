// SPDX-License-Identifier: MIT

// Hostile scenes: films on slopes, columns that collapse, floods. Water stays slower than its head allows, and energy does
// not grow.

#include "harness.h"

#include <tarn/tarn.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// ---------------------------------------------------------------------------------------------------------------------
// Hostile scenes
//
// Water is never faster than its head: sqrt(v^2 + 2 g drop) with the velocity v it comes with and the drop from its
// highest surface to the lowest bed. Only water that is set free at once may be: the tip of a dam break runs with
// 2 sqrt(g h), that is sqrt(2) times as fast, because the water behind pushes it (Ritter). The two components of a
// velocity live on different faces and are judged one by one.

#define GRAVITY 9.81
#define RITTER_FACTOR 1.41421356

enum
{
	hostileCells = 128 * 64
};

typedef struct Hostile
{
	const char* name;
	tnWorld* world;
	int columnCount, cellCount;
	double fastest;
	// Highest surface so far.
	double highest;
	// Most that waves were slowed down, in (0, 1].
	double slowest;
} Hostile;

static float s_hostileBed[hostileCells];
static float s_hostileDepth[hostileCells];
static float s_hostileX[hostileCells];
static float s_hostileZ[hostileCells];

static const char* const s_advectionNames[tn_advectionCount] = {
	"conservative", "fine", "semi-Lagrangian", "MacCormack"};

static tnWorldDef MakeHostileDef(int advection, int columnCount, int rowCount, int maxSubSteps)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columnCount;
	def.rowCount = rowCount;
	def.method = tn_shallowMethod;
	def.advection = (tnAdvection)advection;
	def.maxSubSteps = maxSubSteps;
	return def;
}

static int StartHostile(Hostile* scene, const char* name, const tnWorldDef* def)
{
	*scene = (Hostile){
		.name = name, .columnCount = def->columnCount, .cellCount = def->columnCount * def->rowCount, .slowest = 1.0};
	ENSURE(scene->cellCount <= hostileCells);
	ENSURE_OK(tnCreateWorld(def, &scene->world));
	ENSURE_OK(tnWorld_SetTerrain(scene->world, s_hostileBed));
	ENSURE_OK(tnWorld_SetDepths(scene->world, s_hostileDepth));
	return 0;
}

static int LookAtHostile(Hostile* scene)
{
	const tnFieldView depth = tnWorld_GetDepth(scene->world);
	const tnFieldView bed = tnWorld_GetBed(scene->world);
	ENSURE_OK(tnWorld_CopyVelocities(scene->world, s_hostileX, s_hostileZ));
	for (int i = 0; i < scene->cellCount; ++i)
	{
		const int column = i % scene->columnCount;
		const int row = i / scene->columnCount;
		const float d = depth.data[row * depth.stride + column];
		const float speed = fmaxf(fabsf(s_hostileX[i]), fabsf(s_hostileZ[i]));
		ENSURE(d >= 0.0f && isfinite(d) && isfinite(s_hostileX[i]) && isfinite(s_hostileZ[i]));
		scene->fastest = speed > scene->fastest ? speed : scene->fastest;
		const double surface = (double)bed.data[row * bed.stride + column] + d;
		scene->highest = d > 0.0f && surface > scene->highest ? surface : scene->highest;
	}
	return 0;
}

static int StepHostile(Hostile* scene, int count, float timeStep)
{
	for (int i = 0; i < count; ++i)
	{
		ENSURE_OK(tnWorld_Step(scene->world, timeStep));
		ENSURE(LookAtHostile(scene) == 0);
		scene->slowest = fmin(scene->slowest, (double)tnWorld_GetStats(scene->world).waveSlowdown);
	}
	// Each step rounds each depth by at most half a unit in the last place, 6e-8; the errors of many cells cancel.
	const tnLedger ledger = tnWorld_GetLedger(scene->world);
	ENSURE(fabs(ledger.drift) <= 1.0e-6 * ledger.volume);
	return 0;
}

// Ends a scene. Prints what was wrong with it, so that all are seen at once.
static int EndHostile(Hostile* scene, int advection, double limit)
{
	tnDestroyWorld(scene->world);
	if (scene->fastest <= limit)
	{
		return 0;
	}
	printf("%s, %s: %g m/s, limit %g\n", scene->name, s_advectionNames[advection], scene->fastest, limit);
	return 1;
}

static double GetFallSpeed(double drop)
{
	return sqrt(2.0 * GRAVITY * drop);
}

// A film of 5 cm runs over the edge of a cliff 100 m high, or down a steep slope, at all time steps.
static int FilmsFallNoFasterThanTheirHead(void)
{
	enum
	{
		columnCount = 128,
		rowCount = 4,
		edge = 32
	};
	static const int widths[] = {0, 4, 10, 40};
	static const float timeSteps[] = {1.0f / 60.0f, 0.25f, 1.0f};
	int failCount = 0;
	for (int advection = 0; advection < tn_advectionCount; ++advection)
	{
		for (int i = 0; i < 12; ++i)
		{
			if (TEST_LEAVES_OUT(advection + i))
			{
				continue;
			}
			const int width = widths[i % 4];
			const float timeStep = timeSteps[i / 4];
			for (int cell = 0; cell < columnCount * rowCount; ++cell)
			{
				const int column = cell % columnCount;
				const float down = (float)(column - edge + 1) / (float)(width + 1);
				s_hostileBed[cell] = 100.0f * fminf(fmaxf(1.0f - down, 0.0f), 1.0f);
				s_hostileDepth[cell] = 0.0f;
			}
			tnWorldDef def = MakeHostileDef(advection, columnCount, rowCount, 64);
			def.edges[tn_west].kind = tn_inflowEdge;
			def.edges[tn_west].inflow = 0.05f;
			def.edges[tn_east].kind = tn_openEdge;
			char name[64];
			snprintf(name, sizeof(name), "cliff of %d cells, steps of %g s", width, (double)timeStep);
			Hostile scene;
			ENSURE(StartHostile(&scene, name, &def) == 0);
			ENSURE(StepHostile(&scene, (int)(40.0f / timeStep), timeStep) == 0);
			// The film arrives at 100 m with the energy of critical flow and no more. The limit has a hundredth to
			// spare for the film of the front, where depths of 1e-6 m are rounded at 100 m (2^-17 m).
			const double energyHead = 1.5 * cbrt(0.05 * 0.05 / GRAVITY);
			failCount += EndHostile(&scene, advection, 1.01 * GetFallSpeed(100.0 + energyHead));
		}
	}
	ENSURE_EQUAL_INT(failCount, 0);
	return 0;
}

// A column 50 m high is set free on dry ground: one cell wide and seven, with as many sub-steps as it takes and with
// fewer.
static int ColumnsCollapse(void)
{
	enum
	{
		columnCount = 64,
		rowCount = 64
	};
	static const float timeSteps[] = {1.0f / 60.0f, 1.0f / 60.0f, 1.0f / 60.0f, 0.2f, 1.0f};
	static const int halfWidths[] = {0, 3, 3, 3, 3};
	static const int subSteps[] = {64, 64, 1, 4, 1};
	int failCount = 0;
	for (int advection = 0; advection < tn_advectionCount; ++advection)
	{
		for (int i = 0; i < 5; ++i)
		{
			if (TEST_LEAVES_OUT(advection + i))
			{
				continue;
			}
			for (int cell = 0; cell < columnCount * rowCount; ++cell)
			{
				const int x = abs(cell % columnCount - 30);
				const int z = abs(cell / columnCount - 31);
				s_hostileBed[cell] = 0.0f;
				s_hostileDepth[cell] = x <= halfWidths[i] && z <= halfWidths[i] ? 50.0f : 0.0f;
			}
			const tnWorldDef def = MakeHostileDef(advection, columnCount, rowCount, subSteps[i]);
			char name[64];
			snprintf(name, sizeof(name), "column of half %d, steps of %g s in %d", halfWidths[i], (double)timeSteps[i],
				subSteps[i]);
			Hostile scene;
			ENSURE(StartHostile(&scene, name, &def) == 0);
			ENSURE(StepHostile(&scene, 300, timeSteps[i]) == 0);
			// Slowed down or not, after 5 s and 300 steps a column does not stand.
			const float left = tnWorld_GetStats(scene.world).maxDepth;
			if (left > 10.0f)
			{
				printf("%s, %s: still %g m high\n", name, s_advectionNames[advection], (double)left);
				failCount += 1;
			}
			failCount += EndHostile(&scene, advection, RITTER_FACTOR * GetFallSpeed(50.0));
		}
	}
	ENSURE_EQUAL_INT(failCount, 0);
	return 0;
}

// The wall that held 200 m of water is gone. Sub-steps are far too few for it: the water is slowed down, but it moves.
static int DamsOfDeepWaterBreak(void)
{
	enum
	{
		columnCount = 96,
		rowCount = 4,
		wall = 48
	};
	static const float timeSteps[] = {1.0f / 240.0f, 1.0f / 60.0f, 1.0f / 60.0f, 0.1f, 0.5f};
	static const int subSteps[] = {1, 1, 64, 1, 1};
	int failCount = 0;
	for (int advection = 0; advection < tn_advectionCount; ++advection)
	{
		for (int i = 0; i < 5; ++i)
		{
			for (int cell = 0; cell < columnCount * rowCount; ++cell)
			{
				s_hostileBed[cell] = cell % columnCount == wall ? 250.0f : 0.0f;
				s_hostileDepth[cell] = cell % columnCount < wall ? 200.0f : 0.0f;
			}
			const tnWorldDef def = MakeHostileDef(advection, columnCount, rowCount, subSteps[i]);
			char name[64];
			snprintf(name, sizeof(name), "dam, steps of %g s in %d", (double)timeSteps[i], subSteps[i]);
			Hostile scene;
			ENSURE(StartHostile(&scene, name, &def) == 0);
			ENSURE(StepHostile(&scene, 2, timeSteps[i]) == 0);
			ENSURE(scene.fastest == 0.0);
			ENSURE((scene.slowest < 1.0) == (i != 0 && i != 2));
			for (int cell = 0; cell < columnCount * rowCount; ++cell)
			{
				s_hostileBed[cell] = 0.0f;
			}
			ENSURE_OK(tnWorld_SetTerrain(scene.world, s_hostileBed));
			ENSURE(StepHostile(&scene, 400, timeSteps[i]) == 0);
			// A sub-step of a wave or of the flow takes it half a cell or so: in 400 of them water gets 48 cells far.
			const tnFieldView depth = tnWorld_GetDepth(scene.world);
			if (!(depth.data[columnCount - 1] > 1.0f))
			{
				printf("%s, %s: %g m at the far end\n", name, s_advectionNames[advection],
					(double)depth.data[columnCount - 1]);
				failCount += 1;
			}
			failCount += EndHostile(&scene, advection, RITTER_FACTOR * GetFallSpeed(200.0));
		}
	}
	ENSURE_EQUAL_INT(failCount, 0);
	return 0;
}

// A cloudburst on pillars 20 m high, one cell and three cells wide.
static int RainRunsOffPillars(void)
{
	enum
	{
		columnCount = 36,
		rowCount = 36
	};
	int failCount = 0;
	for (int advection = 0; advection < tn_advectionCount; ++advection)
	{
		for (int i = 0; i < 4; ++i)
		{
			if (TEST_LEAVES_OUT(advection + i))
			{
				continue;
			}
			const int width = i % 2 == 0 ? 1 : 3;
			for (int cell = 0; cell < columnCount * rowCount; ++cell)
			{
				const int sum = cell % columnCount / width + cell / columnCount / width;
				s_hostileBed[cell] = sum % 2 == 0 ? 10.0f : -10.0f;
				s_hostileDepth[cell] = 0.0f;
			}
			const tnWorldDef def = MakeHostileDef(advection, columnCount, rowCount, i < 2 ? 64 : 1);
			char name[64];
			snprintf(name, sizeof(name), "pillars %d wide, %d sub-steps", width, def.maxSubSteps);
			Hostile scene;
			ENSURE(StartHostile(&scene, name, &def) == 0);
			ENSURE_OK(tnWorld_SetRain(scene.world, 0.01f, NULL));
			ENSURE(StepHostile(&scene, 1200, 1.0f / 60.0f) == 0);
			// 20 s of 1 cm/s on top.
			failCount += EndHostile(&scene, advection, RITTER_FACTOR * GetFallSpeed(20.2));
		}
	}
	ENSURE_EQUAL_INT(failCount, 0);
	return 0;
}

// The strongest inflow there is, through one face into a dry world, and a source as strong in one cell.
static int FloodsOfBiblicalSize(void)
{
	enum
	{
		columnCount = 64,
		rowCount = 16
	};
	int failCount = 0;
	for (int advection = 0; advection < tn_advectionCount; ++advection)
	{
		for (int i = 0; i < 3; ++i)
		{
			for (int cell = 0; cell < columnCount * rowCount; ++cell)
			{
				s_hostileBed[cell] = 0.0f;
				s_hostileDepth[cell] = 0.0f;
			}
			tnWorldDef def = MakeHostileDef(advection, columnCount, rowCount, i == 1 ? 4 : 64);
			if (i < 2)
			{
				def.edges[tn_west].kind = tn_inflowEdge;
				def.edges[tn_west].inflow = 1.0e6f;
				def.edges[tn_west].inflowBegin = 8;
				def.edges[tn_west].inflowEnd = 9;
			}
			char name[64];
			snprintf(name, sizeof(name), "%s, %d sub-steps", i < 2 ? "inflow" : "source", def.maxSubSteps);
			Hostile scene;
			ENSURE(StartHostile(&scene, name, &def) == 0);
			if (i == 2)
			{
				tnSourceDef source = tnDefaultSourceDef();
				source.center = (tnVec2){20.5f, 8.5f};
				source.radius = 0.3f;
				source.rate = 1.0e6f;
				tnSourceId id;
				ENSURE_OK(tnWorld_CreateSource(scene.world, &source, &id));
			}
			ENSURE(StepHostile(&scene, 120, 1.0f / 60.0f) == 0);
			// It enters at critical flow at most, with its head on top of what stands there. To water in slow motion it
			// is so much stronger.
			const double criticalSpeed = cbrt(GRAVITY * 1.0e6 / scene.slowest);
			const double head = scene.highest + 0.5 * criticalSpeed * criticalSpeed / GRAVITY;
			failCount += EndHostile(&scene, advection, RITTER_FACTOR * GetFallSpeed(head));
		}
	}
	ENSURE_EQUAL_INT(failCount, 0);
	return 0;
}

// Films from far below to just above what moves at all, on rough ground and in a bowl, pushed about.
static int FilmsSlosh(void)
{
	enum
	{
		columnCount = 64,
		rowCount = 64
	};
	int failCount = 0;
	for (int advection = 0; advection < tn_advectionCount; ++advection)
	{
		for (int i = 0; i < 4; ++i)
		{
			if (TEST_LEAVES_OUT(advection + i))
			{
				continue;
			}
			TestRandom random = TestMakeRandom((uint64_t)i);
			const tnWorldDef def = MakeHostileDef(advection, columnCount, rowCount, 8);
			for (int cell = 0; cell < columnCount * rowCount; ++cell)
			{
				const int x = cell % columnCount - 32;
				const int z = cell / columnCount - 32;
				const float rough = TestRandomFloat(&random, 0.0f, 1.0f);
				s_hostileBed[cell] = i % 2 == 0 ? (float)(x * x + z * z) / 2048.0f : rough;
				const float exponent = TestRandomFloat(&random, -7.0f, i < 2 ? -5.0f : -3.0f);
				s_hostileDepth[cell] = powf(10.0f, exponent);
				s_hostileX[cell] = TestRandomFloat(&random, -2.0f, 2.0f);
				s_hostileZ[cell] = TestRandomFloat(&random, -2.0f, 2.0f);
			}
			char name[64];
			snprintf(name, sizeof(name), "films %d", i);
			Hostile scene;
			ENSURE(StartHostile(&scene, name, &def) == 0);
			ENSURE_OK(tnWorld_SetVelocities(scene.world, s_hostileX, s_hostileZ));
			ENSURE(StepHostile(&scene, 600, 1.0f / 60.0f) == 0);
			// 2 m/s along each axis to begin with, and 1 m to fall.
			failCount += EndHostile(&scene, advection, RITTER_FACTOR * sqrt(8.0 + 2.0 * GRAVITY));
		}
	}
	ENSURE_EQUAL_INT(failCount, 0);
	return 0;
}

// Energy per density, m^5/s^2 for cells of 1 m: potential above the bed 0, and kinetic by face.
static double GetEnergy(tnWorld* world, int columnCount, int rowCount)
{
	static float faces[hostileCells + 256];
	const tnFieldView depth = tnWorld_GetDepth(world);
	const tnFieldView bed = tnWorld_GetBed(world);
	double sum = 0.0;
	for (int axis = 0; axis < 2; ++axis)
	{
		const int faceColumns = columnCount + (axis == 0 ? 1 : 0);
		tnWorld_CopyDischarge(world, axis == 0 ? faces : NULL, axis == 1 ? faces : NULL);
		for (int row = 0; row < rowCount; ++row)
		{
			for (int column = 0; column < columnCount; ++column)
			{
				const int second = row * depth.stride + column;
				const int first = second - (axis == 0 ? 1 : depth.stride);
				if (axis == 0)
				{
					const double d = depth.data[second];
					sum += GRAVITY * d * ((double)bed.data[second] + 0.5 * d);
				}
				const float discharge = faces[row * faceColumns + column];
				if (discharge == 0.0f || (axis == 0 ? column : row) == 0)
				{
					continue;
				}
				// As the library does it, in float: the surface upstream above the higher bed, or the higher surface.
				const float ground = fmaxf(bed.data[first], bed.data[second]);
				const float surfaceFirst = bed.data[first] + depth.data[first];
				const float surfaceSecond = bed.data[second] + depth.data[second];
				float section = (discharge > 0.0f ? surfaceFirst : surfaceSecond) - ground;
				section = section > 0.0f ? section : fmaxf(surfaceFirst, surfaceSecond) - ground;
				const double velocity = (double)discharge / section;
				sum += 0.25 * velocity * velocity * ((double)depth.data[first] + depth.data[second]);
			}
		}
	}
	return sum;
}

// Energy of the same water at rest.
static double GetRestEnergy(tnWorld* world, int columnCount, int rowCount)
{
	const tnFieldView bed = tnWorld_GetBed(world);
	const double volume = tnWorld_GetLedger(world).volume;
	double low = -100.0;
	double high = 100.0;
	double energy = 0.0;
	for (int i = 0; i < 60; ++i)
	{
		const double level = 0.5 * (low + high);
		double held = 0.0;
		energy = 0.0;
		for (int cell = 0; cell < columnCount * rowCount; ++cell)
		{
			const double ground = bed.data[cell / columnCount * bed.stride + cell % columnCount];
			const double d = fmax(level - ground, 0.0);
			held += d;
			energy += GRAVITY * d * (ground + 0.5 * d);
		}
		*(held > volume ? &high : &low) = level;
	}
	return energy;
}

typedef struct Basin
{
	const char* name;
	// Energy may pass its first value by this share.
	double growth;
} Basin;

// A closed basin without friction: kinetic and potential energy together, above that of rest, never grow. Velocities
// are half a sub-step ahead of depths (a leapfrog), which makes the sum swing by up to omega dt / 2 around what is kept:
// 1.8 % for the ripples here (wave number 0.5/m in 2 m of water, 1/60 s), and more for the waves of one or two cells
// that steps of 10 m make.
static int EnergyDoesNotGrow(void)
{
	enum
	{
		columnCount = 48,
		rowCount = 40
	};
	static const Basin basins[] = {{"ripples", 0.02}, {"dam break", 0.0}, {"bowl", 0.0}, {"rough ground", 0.0},
		{"rough surface", 0.0}, {"column", 0.0}, {"pillars", 0.05}};
	int failCount = 0;
	for (int advection = 0; advection < tn_advectionCount; ++advection)
	{
		for (int i = 0; i < 7; ++i)
		{
			if (TEST_LEAVES_OUT(advection + i))
			{
				continue;
			}
			TestRandom random = TestMakeRandom((uint64_t)i);
			for (int cell = 0; cell < columnCount * rowCount; ++cell)
			{
				const int column = cell % columnCount;
				const int row = cell / columnCount;
				const bool west = column < columnCount / 2;
				const float x = (float)(column - columnCount / 2);
				const float z = (float)(row - rowCount / 2);
				float bed = 0.0f;
				float level = west ? 2.0f : 1.0f;
				switch (i)
				{
					case 0:
						level = 2.0f + 0.05f * sinf(0.4f * x) * cosf(0.3f * z);
						break;
					case 1:
						break;
					case 2:
						bed = 0.01f * (x * x + z * z);
						level = west ? 2.5f : 0.0f;
						break;
					case 3:
						bed = TestRandomFloat(&random, 0.0f, 2.0f);
						level = west ? 4.0f : 1.0f;
						break;
					case 4:
						level = TestRandomFloat(&random, 0.0f, 2.0f);
						break;
					case 5:
						level = column < 8 && row < 8 ? 50.0f : 0.0f;
						break;
					default:
						bed = (column + row) % 2 == 0 ? 0.0f : 10.0f;
						level = west ? bed + 12.0f : 0.0f;
						break;
				}
				s_hostileBed[cell] = bed;
				s_hostileDepth[cell] = fmaxf(level - bed, 0.0f);
			}
			const tnWorldDef def = MakeHostileDef(advection, columnCount, rowCount, 64);
			Hostile scene;
			ENSURE(StartHostile(&scene, basins[i].name, &def) == 0);
			const double rest = GetRestEnergy(scene.world, columnCount, rowCount);
			const double first = GetEnergy(scene.world, columnCount, rowCount) - rest;
			ENSURE(first > 0.0);
			double most = 0.0;
			for (int step = 0; step < 600; ++step)
			{
				ENSURE_OK(tnWorld_Step(scene.world, 1.0f / 60.0f));
				most = fmax(most, (GetEnergy(scene.world, columnCount, rowCount) - rest) / first);
			}
			tnDestroyWorld(scene.world);
			if (most > 1.0 + basins[i].growth)
			{
				printf("%s, %s: energy %g\n", basins[i].name, s_advectionNames[advection], most);
				failCount += 1;
			}
		}
	}
	ENSURE_EQUAL_INT(failCount, 0);
	return 0;
}

static const Test s_tests[] = {
	{"FilmsFallNoFasterThanTheirHead", FilmsFallNoFasterThanTheirHead},
	{"ColumnsCollapse", ColumnsCollapse},
	{"DamsOfDeepWaterBreak", DamsOfDeepWaterBreak},
	{"RainRunsOffPillars", RainRunsOffPillars},
	{"FloodsOfBiblicalSize", FloodsOfBiblicalSize},
	{"FilmsSlosh", FilmsSlosh},
	{"EnergyDoesNotGrow", EnergyDoesNotGrow},
};

const TestSuite hostileSuite = TEST_SUITE("hostile", s_tests);
