// SPDX-License-Identifier: MIT

// Water that nothing drives gains nothing: in closed worlds without friction, with every method, at depths where the number of
// sub-steps changes, for hosts whose time steps vary, and where sub-steps are capped. And a lake at rest rests.

#include "harness.h"
#include "world/world.h"

#include <tarn/tarn.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
	maxSide = 48,
	wayCount = 8,
};

typedef struct Way
{
	const char* name;
	tnMethod method;
	tnPipeSection section;
	tnAdvection advection;
} Way;

static const Way s_ways[wayCount] = {
	{"pipe", tn_pipeMethod, tn_depthSection, tn_conservativeAdvection},
	{"pipe-mean", tn_pipeMethod, tn_meanSection, tn_conservativeAdvection},
	{"pipe-fixed", tn_pipeMethod, tn_fixedSection, tn_conservativeAdvection},
	{"linear", tn_linearMethod, tn_depthSection, tn_conservativeAdvection},
	{"shallow", tn_shallowMethod, tn_depthSection, tn_conservativeAdvection},
	{"shallow-fine", tn_shallowMethod, tn_depthSection, tn_fineAdvection},
	{"shallow-sl", tn_shallowMethod, tn_depthSection, tn_semiLagrangianAdvection},
	{"shallow-mc", tn_shallowMethod, tn_depthSection, tn_macCormackAdvection},
};

static float s_bed[maxSide * maxSide];
static float s_depth[maxSide * maxSide];

// The time steps that a host takes, seconds.
typedef enum Host
{
	STEADY,
	ALTERNATES, // 1/60 and 1/61
	LEAPS,      // 1/60 and 1/30
	JITTERS,    // 0.9 to 1 of 1/60
	SLOWS_DOWN, // now and then for a while at 1/30
	HOST_COUNT,
} Host;

static float GetStep(Host host, int index, TestRandom* random)
{
	const float frame = 1.0f / 60.0f;
	switch (host)
	{
		case ALTERNATES:
			return index % 2 == 0 ? frame : 1.0f / 61.0f;
		case LEAPS:
			return index % 2 == 0 ? frame : 1.0f / 30.0f;
		case JITTERS:
			return frame * TestRandomFloat(random, 0.9f, 1.0f);
		case SLOWS_DOWN:
			return index / 500 % 2 == 0 ? frame : 1.0f / 30.0f;
		default:
			return frame;
	}
}

typedef struct Basin
{
	tnWorldDef def;
	int side;
	float deepest;
} Basin;

// Potential energy above that of the same water at rest, J / (density area of a cell), and the highest wave, m. Waves begin at
// rest, so it is all there is at the start. The shores do not count: a film of water there has a level of its own.
static double GetEnergy(const tnWorld* world, const Basin* basin, double* highest)
{
	const int n = basin->side;
	const tnFieldView depth = tnWorld_GetDepth(world);
	double level = 0.0;
	int wet = 0;
	for (int i = 0; i < n * n; ++i)
	{
		const double h = depth.data[(i / n) * depth.stride + i % n];
		if (h > 0.2 * basin->deepest)
		{
			level += h + s_bed[i];
			wet += 1;
		}
	}
	level /= wet;
	double energy = 0.0;
	*highest = 0.0;
	for (int i = 0; i < n * n; ++i)
	{
		const double h = depth.data[(i / n) * depth.stride + i % n];
		if (h > 0.2 * basin->deepest)
		{
			const double rise = h + s_bed[i] - level;
			energy += 0.5 * basin->def.gravity * rise * rise;
			*highest = fmax(*highest, fabs(rise));
		}
	}
	return energy;
}

// A bowl with shores or a basin with steep walls, with a ripple of a hundredth of its depth.
static int Fill(tnWorld* world, const Basin* basin, bool shores, float steepness, TestRandom* random)
{
	const int n = basin->side;
	const float x0 = TestRandomFloat(random, 0.3f, 0.7f) * (float)n;
	const float z0 = TestRandomFloat(random, 0.3f, 0.7f) * (float)n;
	const float wide = TestRandomFloat(random, 6.0f, 40.0f);
	for (int i = 0; i < n * n; ++i)
	{
		const float x = (float)(i % n) + 0.5f;
		const float z = (float)(i / n) + 0.5f;
		const float r = (x - 0.5f * (float)n) * (x - 0.5f * (float)n) + (z - 0.5f * (float)n) * (z - 0.5f * (float)n);
		const float bowl = 1.0f - r / (0.19f * (float)(n * n));
		const float hills = 1.0f - 0.2f * steepness * (1.0f + sinf(0.4f * x) * sinf(0.3f * z));
		s_bed[i] = -basin->deepest * (shores ? bowl : hills);
		const float ripple = 0.01f * basin->deepest * expf(-((x - x0) * (x - x0) + (z - z0) * (z - z0)) / wide);
		s_depth[i] = s_bed[i] < 0.0f ? ripple - s_bed[i] : 0.0f;
	}
	ENSURE_OK(tnWorld_SetTerrain(world, s_bed));
	ENSURE_OK(tnWorld_SetDepths(world, s_depth));
	return 0;
}

// Run a closed basin. Potential energy comes and goes as waves run, but there is never more of it than at the start, but for a
// twentieth that waves of a hundredth of the depth and shores may make of it.
static int CheckBasin(const Way* way, Host host, int seed, int stepCount)
{
	TestRandom random = TestMakeRandom((uint64_t)seed);
	Basin basin;
	basin.def = tnDefaultWorldDef();
	basin.side = TestRandomInt(&random, 13, maxSide);
	basin.def.columnCount = basin.side;
	basin.def.rowCount = basin.side;
	basin.def.cellSize = TestRandomFloat(&random, 0.15f, 0.6f);
	basin.def.method = way->method;
	basin.def.section = way->section;
	basin.def.advection = way->advection;
	basin.def.enableSleep = TestRandomInt(&random, 0, 1) == 0;
	basin.def.sleepSpeed = 0.0f;
	basin.def.tasks.workerCount = 1;
	static const int caps[] = {1, 2, 8};
	basin.def.maxSubSteps = caps[TestRandomInt(&random, 0, 2)];
	// Where the count of sub-steps goes from n to n + 1.
	const int count = TestRandomInt(&random, 1, 3);
	const double speed = 0.95 * basin.def.cellSize * 60.0 * count;
	const double limit = speed * speed / (2.0 * basin.def.gravity);
	basin.deepest = (float)(limit * (double)TestRandomFloat(&random, 0.99f, 1.005f));
	basin.def.fixedSection = basin.deepest;

	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&basin.def, &world));
	const bool shores = TestRandomInt(&random, 0, 1) == 0;
	ENSURE(Fill(world, &basin, shores, TestRandomFloat(&random, 0.0f, 1.0f), &random) == 0);
	double highest;
	const double start = GetEnergy(world, &basin, &highest);
	for (int i = 0; i < stepCount; ++i)
	{
		ENSURE_OK(tnWorld_Step(world, GetStep(host, i, &random)));
		if (i % 97 == 0)
		{
			const double energy = GetEnergy(world, &basin, &highest);
			if (!(energy <= 1.05 * start))
			{
				printf("%s, host %d, seed %d, step %d: %g of the energy, highest wave %g of the depth (%d cells, %d "
					   "sub-steps of %d, %s)\n",
					way->name, (int)host, seed, i, energy / start, highest / basin.deepest, basin.side, count,
					basin.def.maxSubSteps, shores ? "shores" : "walls");
				tnDestroyWorld(world);
				return 1;
			}
		}
	}
	tnDestroyWorld(world);
	return 0;
}

static int NoSequenceOfSubStepsMakesEnergy(void)
{
	int failCount = 0;
	for (int way = 0; way < wayCount; ++way)
	{
		for (int host = 0; host < HOST_COUNT; ++host)
		{
			for (int i = 0; i < TEST_REPEATS(2); ++i)
			{
				failCount += CheckBasin(s_ways + way, (Host)host, 100 * way + 10 * host + i, 4000);
			}
		}
	}
	ENSURE_EQUAL_INT(failCount, 0);
	return 0;
}

// The pond of a host that steps at 60 Hz, finely through the depth at which it needs a second sub-step.
static int PondsAtTheLimit(void)
{
	for (int way = 0; way < wayCount; ++way)
	{
		for (int i = 0; i < TEST_REPEATS(4); ++i)
		{
			Basin basin = {.def = tnDefaultWorldDef(), .side = 48};
			basin.def.columnCount = 48;
			basin.def.rowCount = 48;
			basin.def.cellSize = 0.25f;
			basin.def.method = s_ways[way].method;
			basin.def.section = s_ways[way].section;
			basin.def.advection = s_ways[way].advection;
			basin.def.tasks.workerCount = 1;
			basin.deepest = 10.3498f - 0.002f * (float)(i * i);
			basin.def.fixedSection = basin.deepest;
			tnWorld* world = NULL;
			ENSURE_OK(tnCreateWorld(&basin.def, &world));
			TestRandom random = TestMakeRandom(5);
			ENSURE(Fill(world, &basin, true, 0.0f, &random) == 0);
			double highest;
			const double start = GetEnergy(world, &basin, &highest);
			int flipCount = 0;
			int last = 0;
			for (int step = 0; step < 3600; ++step)
			{
				ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
				const int subSteps = tnWorld_GetStats(world).subSteps;
				flipCount += last != 0 && subSteps != last;
				last = subSteps;
			}
			ENSURE(flipCount <= 1);
			ENSURE(GetEnergy(world, &basin, &highest) <= 1.05 * start);
			tnDestroyWorld(world);
		}
	}
	return 0;
}

// A basin of uneven depth full of waves a third as high as it is deep: what grew here was rotation, which pipes now lose.
static int PipesInAnUnevenBasin(void)
{
	for (int section = 0; section < tn_pipeSectionCount; ++section)
	{
		tnWorldDef def = tnDefaultWorldDef();
		const int n = 48;
		def.columnCount = n;
		def.rowCount = n;
		def.cellSize = 0.5f;
		def.section = (tnPipeSection)section;
		def.fixedSection = 2.0f;
		def.tasks.workerCount = 1;
		Basin basin = {.def = def, .side = n, .deepest = 2.0f};
		for (int i = 0; i < n * n; ++i)
		{
			s_bed[i] = -2.0f + 0.5f * sinf((float)(i % n) * 0.15f) * sinf((float)(i / n) * 0.1f);
		}
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_SetTerrain(world, s_bed));
		ENSURE_OK(tnWorld_FillToLevel(world, 0.0f));
		ENSURE_OK(tnWorld_AddWater(world, (tnVec2){7.0f, 9.0f}, 4.0f, 35.0f, NULL));
		double highest;
		double hours[6] = {0.0};
		const int third = 36000 / TEST_BREVITY;
		for (int i = 0; i < 6 * third; ++i)
		{
			ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
			// The mean of a while: energy goes to and fro between the basin's modes.
			hours[i / third] += i % 60 == 0 ? GetEnergy(world, &basin, &highest) : 0.0;
		}
		// An hour: less than a hundredth more than in its first ten minutes.
		if (!(hours[5] <= 1.01 * hours[0]))
		{
			printf(
				"section %d: %g %g %g %g %g %g\n", section, hours[0], hours[1], hours[2], hours[3], hours[4], hours[5]);
		}
		ENSURE(hours[5] <= 1.01 * hours[0]);
		tnDestroyWorld(world);
	}
	return 0;
}

// A lake over a rough bed at a level that is no round number, with nothing that lets it sleep.
static int LakesRest(void)
{
	TestRandom random = TestMakeRandom(77);
	for (int i = 0; i < TEST_REPEATS(32); ++i)
	{
		const Way* way = s_ways + i % wayCount;
		const int n = TestRandomInt(&random, 4, maxSide);
		tnWorldDef def = tnDefaultWorldDef();
		def.columnCount = n;
		def.rowCount = n;
		def.cellSize = TestRandomFloat(&random, 0.1f, 3.0f);
		def.method = way->method;
		def.section = way->section;
		def.advection = way->advection;
		def.enableSleep = false;
		def.tasks.workerCount = 1;
		const float deep = powf(10.0f, TestRandomFloat(&random, -1.0f, 1.6f));
		const float level = TestRandomFloat(&random, -1.0f, 1.0f) * powf(10.0f, TestRandomFloat(&random, -2.0f, 2.0f));
		def.fixedSection = deep;
		for (int cell = 0; cell < n * n; ++cell)
		{
			s_bed[cell] = level - deep * TestRandomFloat(&random, -0.1f, 1.0f);
		}
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_SetTerrain(world, s_bed));
		ENSURE_OK(tnWorld_FillToLevel(world, level));
		for (int step = 0; step < 3600; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		}
		const tnFieldView depth = tnWorld_GetDepth(world);
		double off = 0.0;
		for (int cell = 0; cell < n * n; ++cell)
		{
			const double h = depth.data[(cell / n) * depth.stride + cell % n];
			off = h > 0.0 ? fmax(off, fabs(h + (double)s_bed[cell] - (double)level)) : off;
		}
		// A hundredth of a millimeter, or what half a unit in the last place of its numbers is.
		const double unit = 6.0e-8 * fmax((double)deep, fabs((double)level));
		if (!(off <= fmax(1.0e-5, 2.0 * unit)))
		{
			printf("%s, %d x %d, %g m deep, level %.9g: %g m off\n", way->name, n, n, (double)deep, (double)level, off);
		}
		ENSURE(off <= fmax(1.0e-5, 2.0 * unit));
		tnDestroyWorld(world);
	}
	return 0;
}

static void CopyDepths(const tnWorld* world, int n, float* depths)
{
	const tnFieldView view = tnWorld_GetDepth(world);
	for (int cell = 0; cell < n * n; ++cell)
	{
		depths[cell] = view.data[cell / n * view.stride + cell % n];
	}
}

// Levels that no sum of ground and depth gives in float32, over ground of all heights: pipes and linear keep every bit.
static int OddLevelsRest(void)
{
	TestRandom random = TestMakeRandom(78);
	for (int i = 0; i < TEST_REPEATS(400); ++i)
	{
		enum
		{
			n = 16,
		};
		tnWorldDef def = tnDefaultWorldDef();
		def.columnCount = n;
		def.rowCount = n;
		def.cellSize = TestRandomFloat(&random, 0.1f, 3.0f);
		def.method = i % 2 == 0 ? tn_pipeMethod : tn_linearMethod;
		def.section = i % 4 < 2 ? tn_depthSection : tn_meanSection;
		def.enableSleep = false;
		def.tasks.workerCount = 1;
		const float level = TestRandomFloat(&random, 0.3f, 9.0f);
		const float rise = TestRandomFloat(&random, -0.5f, 1.1f);
		for (int cell = 0; cell < n * n; ++cell)
		{
			s_bed[cell] = level * rise * TestRandomFloat(&random, 0.0f, 1.0f);
		}
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_SetTerrain(world, s_bed));
		ENSURE_OK(tnWorld_FillToLevel(world, level));
		static float filled[n * n];
		CopyDepths(world, n, filled);
		for (int step = 0; step < 60; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		}
		CopyDepths(world, n, s_depth);
		if (memcmp(filled, s_depth, sizeof(filled)) != 0)
		{
			printf("method %d, cells of %.9g m, level %.9g, ground up to %.9g of that\n", (int)def.method,
				(double)def.cellSize, (double)level, (double)rise);
		}
		ENSURE_EQUAL_INT(memcmp(filled, s_depth, sizeof(filled)), 0);
		tnDestroyWorld(world);
	}
	return 0;
}

// Films of 0.01 to 1 mm that run over ground of all kinds in a closed basin: never more than a fifth above the energy they began
// with, not for a moment.
static int FilmsGainNoEnergy(void)
{
	enum
	{
		n = 12,
	};
	static float alongX[n * n], alongZ[n * n];
	TestRandom random = TestMakeRandom(79);
	for (int i = 0; i < TEST_REPEATS(64); ++i)
	{
		const Way* way = s_ways + i % wayCount;
		if (way->section == tn_fixedSection)
		{
			// A section of 1 mm, the least, drives a film as if it were that thick: up to 2.5 of its energy.
			continue;
		}
		tnWorldDef def = tnDefaultWorldDef();
		def.columnCount = n;
		def.rowCount = n;
		def.cellSize = TestRandomFloat(&random, 0.2f, 1.7f);
		def.method = way->method;
		def.section = way->section;
		def.advection = way->advection;
		def.enableSleep = false;
		def.tasks.workerCount = 1;
		const float film = powf(10.0f, TestRandomFloat(&random, -5.0f, -3.0f));
		const float rise = powf(10.0f, TestRandomFloat(&random, -4.0f, 0.0f));
		for (int cell = 0; cell < n * n; ++cell)
		{
			const float x = (float)(cell % n) / (float)n - 0.5f;
			const float z = (float)(cell / n) / (float)n - 0.5f;
			s_bed[cell] = rise * (i % 2 == 0 ? TestRandomFloat(&random, 0.0f, 1.0f) : 4.0f * (x * x + z * z));
			s_depth[cell] = film * TestRandomFloat(&random, 0.5f, 1.5f);
			alongX[cell] = TestRandomFloat(&random, -0.1f, 0.1f);
			alongZ[cell] = TestRandomFloat(&random, -0.1f, 0.1f);
		}
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_SetTerrain(world, s_bed));
		ENSURE_OK(tnWorld_SetDepths(world, s_depth));
		ENSURE_OK(tnWorld_SetVelocities(world, alongX, alongZ));
		double first = 0.0, most = 0.0;
		for (int step = 0; step <= 600; ++step)
		{
			if (step > 0)
			{
				ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
			}
			ENSURE_OK(tnWorld_CopyVelocities(world, alongX, alongZ));
			CopyDepths(world, n, s_depth);
			double energy = 0.0;
			for (int cell = 0; cell < n * n; ++cell)
			{
				const double h = s_depth[cell], u = alongX[cell], w = alongZ[cell];
				energy += h * (0.5 * (u * u + w * w) + (double)def.gravity * ((double)s_bed[cell] + 0.5 * h));
			}
			first = step == 0 ? energy : first;
			most = fmax(most, energy);
		}
		if (!(most <= 1.2 * first))
		{
			printf("%s, %g m over ground of %g m: %g of its energy\n", way->name, (double)film, (double)rise,
				most / first);
		}
		ENSURE(most <= 1.2 * first);
		tnDestroyWorld(world);
	}
	return 0;
}

// The largest speed along x of faces that water runs through, m/s. What a dry face remembers does not count.
static double FindFastest(const tnWorld* world)
{
	const tnGrid* grid = &world->grid;
	double fastest = 0.0;
	for (int row = 0; row < grid->rowCount; ++row)
	{
		for (int column = 1; column < grid->columnCount; ++column)
		{
			const ptrdiff_t cell = tnGrid_Index(grid, column, row);
			const double u = fabs((double)grid->flowX[cell]);
			const ptrdiff_t from = grid->flowX[cell] > 0.0f ? cell - 1 : cell;
			const double h = (double)grid->bed[from] + grid->depth[from] - fmax(grid->bed[cell - 1], grid->bed[cell]);
			fastest = h > 1.0e-5 ? fmax(fastest, u) : fastest;
		}
	}
	return fastest;
}

// A film of 0.1 m on a wall that falls down on both sides, and is fed or not: its fastest, over what its fall allows.
static int MeasureFall(const Way* way, float height, int width, bool capped, bool fed, double* ratio)
{
	enum
	{
		columns = 31,
		rows = 5,
		wall = 15,
	};
	const float film = 0.1f;
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columns;
	def.rowCount = rows;
	def.cellSize = 0.25f;
	def.method = way->method;
	def.advection = way->advection;
	def.maxSubSteps = capped ? 1 : 64;
	def.tasks.workerCount = 1;
	def.edges[tn_west].kind = tn_openEdge;
	def.edges[tn_east].kind = tn_openEdge;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	for (int i = 0; i < columns * rows; ++i)
	{
		const bool high = i % columns >= wall && i % columns < wall + width;
		s_bed[i] = high ? height : 0.0f;
		s_depth[i] = high ? film : 0.0f;
	}
	ENSURE_OK(tnWorld_SetTerrain(world, s_bed));
	ENSURE_OK(tnWorld_SetDepths(world, s_depth));
	for (int i = 0; i < rows * width && fed; ++i)
	{
		tnSourceDef source = tnDefaultSourceDef();
		source.center = (tnVec2){((float)(wall + i / rows) + 0.5f) * 0.25f, ((float)(i % rows) + 0.5f) * 0.25f};
		source.radius = 0.12f;
		source.rate = 0.01f;
		tnSourceId id;
		ENSURE_OK(tnWorld_CreateSource(world, &source, &id));
	}
	double fastest = 0.0;
	for (int step = 0; step < 240; ++step)
	{
		ENSURE_OK(tnWorld_Step(world, capped ? 1.0f / 30.0f : 1.0f / 60.0f));
		fastest = fmax(fastest, FindFastest(world));
	}
	*ratio = fastest / sqrt(2.0 * (double)def.gravity * (double)(height + film));
	tnDestroyWorld(world);
	return 0;
}

// Films that leave a wall get no faster than sqrt(2 g fall), however narrow it is and however long a sub-step. Nor do they creep:
// one that is fed and falls from a wall as wide as two cells has most of that speed where sub-steps are not capped.
static int FilmsFallNoFasterThanTheirHead(void)
{
	static const float heights[] = {0.5f, 1.0f, 3.0f, 20.0f, 100.0f};
	int failCount = 0;
	for (int i = 0; i < wayCount * 5 * 2 * 4; ++i)
	{
		const Way* way = s_ways + i / 40;
		const float height = heights[i / 8 % 5];
		const int width = 1 + i / 4 % 2;
		const bool capped = i / 2 % 2 == 1;
		const bool fed = i % 2 == 1;
		if (way->method != tn_shallowMethod)
		{
			continue;
		}
		double ratio = 0.0;
		ENSURE(MeasureFall(way, height, width, capped, fed, &ratio) == 0);
		const bool traced = way->advection > tn_fineAdvection;
		const bool runs = fed && width == 2 && !capped && height <= 20.0f;
		if (!(ratio <= 1.0) || (runs && !(ratio > (traced ? 0.6 : 0.8))))
		{
			printf("%s, wall of %g m, %d cells wide, %s, %s: %.3f of the speed that its fall allows\n", way->name,
				(double)height, width, capped ? "capped" : "free", fed ? "fed" : "left alone", ratio);
			failCount += 1;
		}
	}
	ENSURE_EQUAL_INT(failCount, 0);
	return 0;
}

static const Test s_tests[] = {
	{"NoSequenceOfSubStepsMakesEnergy", NoSequenceOfSubStepsMakesEnergy},
	{"PondsAtTheLimit", PondsAtTheLimit},
	{"PipesInAnUnevenBasin", PipesInAnUnevenBasin},
	{"LakesRest", LakesRest},
	{"OddLevelsRest", OddLevelsRest},
	{"FilmsGainNoEnergy", FilmsGainNoEnergy},
	{"FilmsFallNoFasterThanTheirHead", FilmsFallNoFasterThanTheirHead},
};

const TestSuite energySuite = TEST_SUITE("energy", s_tests);
