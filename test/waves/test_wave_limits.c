// SPDX-License-Identifier: MIT

// Waves of everything a host may ask for, sensible or not: what comes out is finite and in the range that the headers
// tell, and without anything that feeds them waves do not grow.

#include "harness.h"
#include "waves/wave_kept_coefficients.h"
#include "world/world.h"

#include <tarn/tarn.h>

#include <math.h>
#include <stdio.h>

enum
{
	maxSide = 40,
};

static bool Chance(TestRandom* random, int count)
{
	return TestRandomInt(random, 1, count) == 1;
}

// All orders of magnitude alike.
static float DrawPower(TestRandom* random, float low, float high)
{
	const float value = expf(TestRandomFloat(random, logf(low), logf(high)));
	return value < low ? low : (value > high ? high : value);
}

typedef struct Sea
{
	tnWorld* world;
	tnWorldDef def;
	TestRandom random;
	float timeStep;
	float width, height;
} Sea;

static tnWorldDef DrawDef(TestRandom* random)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = TestRandomInt(random, 4, maxSide);
	def.rowCount = TestRandomInt(random, 4, maxSide);
	def.cellSize = Chance(random, 2) ? 1.0f : DrawPower(random, 1.0e-3f, 1.0e3f);
	def.gravity = Chance(random, 2) ? 9.81f : DrawPower(random, 1.0e-6f, 1.0e3f);
	def.method = (tnMethod)TestRandomInt(random, 0, tn_methodCount - 1);
	def.maxSubSteps = TestRandomInt(random, 1, 4);
	def.enableSleep = Chance(random, 2);
	for (int axis = 0; axis < 2; ++axis)
	{
		const bool wraps = Chance(random, 3);
		for (int end = 0; end < 2; ++end)
		{
			tnEdgeDef* edge = def.edges + 2 * axis + end;
			edge->kind = wraps ? tn_wrapEdge : (tnEdgeKind)TestRandomInt(random, tn_wallEdge, tn_levelEdge);
			edge->level = 1.0f;
		}
	}
	def.waves.enable = true;
	def.waves.kernel = (tnWaveKernel)TestRandomInt(random, 0, tn_waveKernelCount - 1);
	def.waves.finerLevels = TestRandomInt(random, 0, Chance(random, 4) ? 6 : 2);
	def.waves.levelCount = TestRandomInt(random, 1, def.waves.finerLevels + (def.waves.finerLevels < 6 ? 7 : 6));
	def.waves.tileCount = TestRandomInt(random, 1, 24);
	def.waves.breakingLimit =
		Chance(random, 2) ? 0.0f : (Chance(random, 2) ? 1.0f : DrawPower(random, 1.0e-30f, 10.0f));
	def.waves.damping = Chance(random, 3) ? DrawPower(random, 1.0e-3f, 1.0e3f) : 0.0f;
	def.waves.viscosity = Chance(random, 3) ? DrawPower(random, 1.0e-9f, 1.0e3f) : 0.0f;
	def.waves.restHeight = Chance(random, 3) ? DrawPower(random, 1.0e-30f, 1.0e3f) : 0.0f;
	def.waves.timeStep = Chance(random, 2) ? 1.0f / 60.0f : DrawPower(random, 1.0e-6f, 1.0f);
	def.waves.enableDrift = Chance(random, 2);
	def.waves.enableDetail = Chance(random, 2);
	def.foam.enable = Chance(random, 2);
	return def;
}

// A bed of hills, steps, or noise, above and below the water.
static bool MakeSea(Sea* sea, uint64_t seed)
{
	*sea = (Sea){.random = TestMakeRandom(seed)};
	TestRandom* random = &sea->random;
	sea->def = DrawDef(random);
	const tnWorldDef* def = &sea->def;
	sea->timeStep = Chance(random, 2) ? 1.0f / 60.0f : DrawPower(random, 1.0e-5f, 10.0f);
	sea->width = (float)def->columnCount * def->cellSize;
	sea->height = (float)def->rowCount * def->cellSize;
	if (tnCreateWorld(def, &sea->world).status != tn_ok)
	{
		return false;
	}
	static float bed[maxSide * maxSide];
	const float rough = Chance(random, 3) ? 0.0f : DrawPower(random, 1.0e-3f, 1.0e4f);
	const int stripe = TestRandomInt(random, 1, 9);
	for (int i = 0; i < def->columnCount * def->rowCount; ++i)
	{
		const bool high = (i % def->columnCount / stripe + i / def->columnCount / stripe) % 2 == 0;
		bed[i] = rough * (stripe == 1 ? TestRandomFloat(random, -1.0f, 1.0f) : (high ? 0.5f : -1.0f));
	}
	return tnWorld_SetTerrain(sea->world, bed).status == tn_ok &&
		tnWorld_FillToLevel(sea->world, Chance(random, 2) ? 1.0f : DrawPower(random, 1.0e-2f, 1.0e4f)).status == tn_ok;
}

static tnVec2 DrawPlace(Sea* sea)
{
	return (tnVec2){sea->width * TestRandomFloat(&sea->random, -0.1f, 1.1f),
		sea->height * TestRandomFloat(&sea->random, -0.1f, 1.1f)};
}

static float DrawHeight(TestRandom* random)
{
	return (Chance(random, 2) ? -1.0f : 1.0f) * DrawPower(random, 1.0e-30f, 1.0e6f);
}

static tnResult PutWave(Sea* sea)
{
	TestRandom* random = &sea->random;
	const float cell = sea->def.cellSize / (float)(1 << sea->def.waves.finerLevels);
	const float height = DrawHeight(random);
	switch (TestRandomInt(random, 0, 4))
	{
		case 0:
		{
			const tnWaveDrop drop = {DrawPlace(sea), height};
			return tnWorld_AddDrops(sea->world, &drop, 1);
		}
		case 1:
		{
			const tnWaveEllipse ellipse = {DrawPlace(sea),
				{TestRandomFloat(random, -1.0f, 1.0f), TestRandomFloat(random, 0.1f, 1.0f)},
				{cell * DrawPower(random, 1.0e-3f, 1.0e3f), cell * DrawPower(random, 1.0e-3f, 1.0e3f)}, height};
			return tnWorld_AddWave(sea->world, NULL, &ellipse);
		}
		case 2:
		{
			float field[16];
			for (int i = 0; i < 16; ++i)
			{
				field[i] = DrawHeight(random);
			}
			return tnWorld_AddWaveField(sea->world, 0, 0, 4, 4, field, field);
		}
		case 3:
		{
			const tnSwell swell = {
				{TestRandomFloat(random, -1.0f, 1.0f), 1.0f}, DrawPower(random, 1.0e-6f, 1.0e3f), 2.0f, 0.3f};
			// Its length may be one that no band holds.
			(void)tnWorld_SetSwell(sea->world, &swell, 1);
			return (tnResult){.status = tn_ok};
		}
		default:
			return tnWorld_SetWind(sea->world,
				(tnVec2){TestRandomFloat(random, -100.0f, 100.0f), TestRandomFloat(random, -100.0f, 100.0f)});
	}
}

// Shake the flow.
static tnResult PushWater(Sea* sea)
{
	static float x[maxSide * maxSide], z[maxSide * maxSide];
	const float speed = DrawPower(&sea->random, 1.0e-3f, 1000.0f);
	for (int i = 0; i < maxSide * maxSide; ++i)
	{
		x[i] = TestRandomFloat(&sea->random, -speed, speed);
		z[i] = TestRandomFloat(&sea->random, -speed, speed);
	}
	return tnWorld_SetVelocities(sea->world, x, z);
}

static float GetHighest(const tnWorld* world, bool* finite)
{
	float highest = 0.0f;
	*finite = true;
	for (int i = 0; i < tnWorld_GetWaveTileCount(world); ++i)
	{
		tnWaveTileView view;
		(void)tnWorld_GetWaveTile(world, i, &view);
		for (int k = 0; k < view.size * view.size; ++k)
		{
			const int at = k / view.size * view.stride + k % view.size;
			*finite = *finite && isfinite(view.heights[at]) && isfinite(view.rates[at]);
			highest = fmaxf(highest, fabsf(view.heights[at]));
		}
	}
	return highest;
}

static int CheckOutputs(Sea* sea)
{
	bool finite;
	const float highest = GetHighest(sea->world, &finite);
	ENSURE(finite);
	ENSURE(isfinite(highest));
	const tnVec2 place = DrawPlace(sea);
	tnWaveSample waves;
	ENSURE_OK(tnWorld_SampleWaves(sea->world, place, &waves));
	ENSURE(isfinite(waves.height) && isfinite(waves.rate) && isfinite(waves.slope.x) && isfinite(waves.slope.z));
	ENSURE(isfinite(waves.velocity.x) && isfinite(waves.velocity.z));
	ENSURE(waves.rippleEnergy >= 0.0f && isfinite(waves.rippleEnergy));
	const tnVec2 d = waves.rippleDirection;
	ENSURE(sqrtf(d.x * d.x + d.z * d.z) <= 1.0001f);
	const tnSample sample = tnWorld_Sample(sea->world, place);
	ENSURE(sample.depth >= 0.0f && isfinite(sample.surface) && isfinite(sample.depth));
	ENSURE(isfinite(sample.velocity.x) && isfinite(sample.velocity.z) && sample.foam >= 0.0f && sample.foam <= 1.0f);
	const tnVec3 n = sample.normal;
	ENSURE_CLOSE(sqrtf(n.x * n.x + n.y * n.y + n.z * n.z), 1.0f, 1.0e-4f);
	const tnBreakers breakers = tnWorld_GetBreakers(sea->world);
	for (int i = 0; i < breakers.count; ++i)
	{
		const tnBreaker* b = breakers.breakers + i;
		ENSURE(isfinite(b->position.y) && isfinite(b->amplitude) && b->amplitude >= 0.0f);
		ENSURE(isfinite(b->energy) && b->energy >= 0.0f);
		ENSURE_CLOSE(sqrtf(b->direction.x * b->direction.x + b->direction.z * b->direction.z), 1.0f, 1.0e-4f);
	}
	tnWaveStats stats;
	ENSURE_OK(tnWorld_GetWaveStats(sea->world, &stats));
	for (int i = 0; i < TN_MAX_WAVE_LEVELS; ++i)
	{
		ENSURE(isfinite(stats.energies[i]) && stats.energies[i] >= 0.0);
	}
	ENSURE(isfinite(stats.brokenEnergy));
	return 0;
}

static int AbsurdSeasStayFinite(void)
{
	for (int seed = 1; seed <= TEST_REPEATS(80); ++seed)
	{
		Sea sea;
		ENSURE(MakeSea(&sea, (uint64_t)seed));
		for (int step = 0; step < 40; ++step)
		{
			if (step < 20)
			{
				ENSURE_OK(PutWave(&sea));
			}
			if (step < 20 && Chance(&sea.random, 5))
			{
				ENSURE_OK(PushWater(&sea));
			}
			ENSURE_OK(tnWorld_Step(sea.world, sea.timeStep));
			if (CheckOutputs(&sea) != 0)
			{
				printf("seed %d, step %d\n", seed, step);
				return 1;
			}
		}
		tnDestroyWorld(sea.world);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Nothing comes of nothing

enum
{
	pondSide = 24,
};

// The sum of the squares of all heights.
static double GetSquares(const tnWorld* world)
{
	double sum = 0.0;
	for (int i = 0; i < tnWorld_GetWaveTileCount(world); ++i)
	{
		tnWaveTileView view;
		(void)tnWorld_GetWaveTile(world, i, &view);
		for (int k = 0; k < view.size * view.size; ++k)
		{
			const double h = (double)view.heights[k / view.size * view.stride + k % view.size];
			sum += h * h * (double)view.cellSize * (double)view.cellSize;
		}
	}
	return sum;
}

// Still water over noise, steps and checks, of depths from a tenth of a cell to ten cells.
static tnWorld* MakePond(TestRandom* random, float* timeStep)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = pondSide;
	def.rowCount = pondSide;
	def.cellSize = DrawPower(random, 0.1f, 10.0f);
	const bool wraps = Chance(random, 3);
	for (int side = 0; side < tn_sideCount; ++side)
	{
		def.edges[side].kind = wraps ? tn_wrapEdge : tn_wallEdge;
	}
	def.waves.enable = true;
	def.waves.kernel = Chance(random, 2) ? tn_fineWaves : tn_quickWaves;
	def.waves.finerLevels = TestRandomInt(random, 0, 1);
	def.waves.levelCount = TestRandomInt(random, 1, def.waves.finerLevels + 3);
	def.waves.breakingLimit = 0.0f;
	def.waves.restHeight = 0.0f;
	def.waves.enableDetail = false;
	*timeStep = Chance(random, 2) ? 1.0f / 60.0f : DrawPower(random, 0.005f, 1.0f);
	tnWorld* world = NULL;
	if (tnCreateWorld(&def, &world).status != tn_ok)
	{
		return NULL;
	}
	float bed[pondSide * pondSide];
	const int stripe = TestRandomInt(random, 1, 5);
	const float rough = def.cellSize * DrawPower(random, 0.5f, 10.0f);
	for (int i = 0; i < pondSide * pondSide; ++i)
	{
		const bool high = (i % pondSide / stripe + i / pondSide / stripe) % 2 == 0;
		bed[i] = -rough * (stripe == 1 ? TestRandomFloat(random, 0.0f, 1.0f) : (high ? 0.0f : 1.0f));
	}
	const float level = def.cellSize * DrawPower(random, 0.05f, 5.0f);
	const int side = pondSide << def.waves.finerLevels;
	static float heights[4 * pondSide * pondSide];
	for (int i = 0; i < side * side; ++i)
	{
		heights[i] = TestRandomFloat(random, -0.01f, 0.01f);
	}
	const bool ok = tnWorld_SetTerrain(world, bed).status == tn_ok &&
		tnWorld_FillToLevel(world, level).status == tn_ok &&
		tnWorld_AddWaveField(world, 0, 0, side, side, heights, NULL).status == tn_ok;
	if (!ok)
	{
		tnDestroyWorld(world);
		world = NULL;
	}
	return world;
}

// Depths beside each other in any way: waves that nothing feeds, and nothing breaks, stay as high as they are. They go up and
// down, and longer ones last longer, so by how much is compared over hundreds of steps.
static int RoughBedsMakeNoWaves(void)
{
	enum
	{
		window = 250,
	};
	for (int seed = 1; seed <= TEST_REPEATS(48); ++seed)
	{
		TestRandom random = TestMakeRandom((uint64_t)seed);
		float timeStep;
		tnWorld* world = MakePond(&random, &timeStep);
		ENSURE(world != NULL);
		double highest[3] = {0};
		for (int step = 0; step < 3 * window; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, timeStep));
			if (step % 5 == 0)
			{
				highest[step / window] = fmax(highest[step / window], GetSquares(world));
			}
		}
		if (!(highest[2] <= 2.0 * highest[1]))
		{
			printf("seed %d: %g, then %g, then %g\n", seed, highest[0], highest[1], highest[2]);
		}
		ENSURE(isfinite(highest[1]) && highest[2] <= 2.0 * highest[1]);
		tnDestroyWorld(world);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Time steps that change

static tnWorld* MakeSlope(float cellSize, int keptSteps)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = def.rowCount = pondSide;
	def.cellSize = cellSize;
	def.waves.enable = true;
	def.waves.levelCount = 4;
	def.waves.keptSteps = keptSteps;
	tnWorld* world = NULL;
	float bed[pondSide * pondSide];
	for (int i = 0; i < pondSide * pondSide; ++i)
	{
		bed[i] = -0.2f * cellSize * (float)(1 + i % pondSide);
	}
	if (tnCreateWorld(&def, &world).status == tn_ok)
	{
		(void)tnWorld_SetTerrain(world, bed);
		(void)tnWorld_FillToLevel(world, 0.0f);
	}
	return world;
}

static tnResult DropIn(tnWorld* world, float x)
{
	const tnWaveDrop drop = {{x, x}, 0.01f};
	return tnWorld_AddDrops(world, &drop, 1);
}

// What steps there were before, and so which kernels are kept, changes no bit of what comes later.
static int KeptKernelsChangeNoBit(void)
{
	for (int seed = 1; seed <= TEST_REPEATS(3); ++seed)
	{
		TestRandom random = TestMakeRandom((uint64_t)seed);
		tnWorld* worlds[2] = {MakeSlope(0.3f, 1), MakeSlope(0.3f, 2)};
		ENSURE(worlds[0] != NULL && worlds[1] != NULL);
		// Still water: but for the time nothing changes. One of them forgets more kernels than it can keep.
		for (int step = 0; step < 16; ++step)
		{
			ENSURE_OK(DropIn(worlds[0], -100.0f));
			ENSURE_OK(DropIn(worlds[1], -100.0f));
			ENSURE_OK(tnWorld_Step(worlds[0], 1.0f / 60.0f));
			ENSURE_OK(tnWorld_Step(worlds[1], DrawPower(&random, 1.0e-4f, 1.0f)));
		}
		for (int step = 0; step < 40; ++step)
		{
			const float timeStep = DrawPower(&random, 0.003f, 0.1f);
			for (int i = 0; i < 2; ++i)
			{
				ENSURE_OK(step % 10 == 0 ? DropIn(worlds[i], 3.0f) : (tnResult){.status = tn_ok});
				ENSURE_OK(tnWorld_Step(worlds[i], timeStep));
			}
			ENSURE_EQUAL_HEX(tnWaves_Hash(&worlds[0]->waves, 1), tnWaves_Hash(&worlds[1]->waves, 1));
			ENSURE(step > 0 || GetSquares(worlds[0]) > 0.0);
		}
		tnDestroyWorld(worlds[0]);
		tnDestroyWorld(worlds[1]);
	}
	return 0;
}

// Steps of 1/60 and 1/50 s in turn, or off by a tenth each time, have the kernels of 1/60 s; and kernels are made once.
static int StepsNearbyShareKernels(void)
{
	tnWorld* world = MakeSlope(1.0f, 1);
	ENSURE(world != NULL);
	TestRandom random = TestMakeRandom(1);
	ENSURE_OK(DropIn(world, 3.0f));
	ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
	for (int step = 0; step < 60; ++step)
	{
		ENSURE_OK(tnWorld_Step(world, step % 2 == 0 ? 1.0f / 50.0f : TestRandomFloat(&random, 0.9f, 1.1f) / 60.0f));
		for (int level = 0; level < world->waves.pool.levelCount; ++level)
		{
			ENSURE_EQUAL_INT(world->waves.nextTables[level], 1);
		}
	}
	for (int step = 0; step < 60; ++step)
	{
		ENSURE_OK(tnWorld_Step(world, step % 2 == 0 ? 1.0f / 30.0f : 1.0f / 60.0f));
		ENSURE_EQUAL_INT(world->waves.nextTables[0], 2);
	}
	tnDestroyWorld(world);
	return 0;
}

// Tiles that have their own coefficients for each time step.
static int CountVaried(const tnWorld* world)
{
	const tnWavePool* pool = &world->waves.pool;
	int count = 0;
	for (int i = 0; i < pool->count; ++i)
	{
		count += pool->tiles[pool->order[i]].varied ? 1 : 0;
	}
	return count;
}

// Steps of some lengths by turns, in still water, where beds do not change: once each is known nothing is made anew. All
// tiles keep what they have made for as many as tnWavesDef.keptSteps says.
static int StepsByTurnsMakeTilesOnce(void)
{
	static const float timeSteps[4] = {1.0f / 60.0f, 1.0f / 30.0f, 1.0f / 15.0f, 1.0f / 120.0f};
	for (int mode = 0; mode < 3; ++mode)
	{
		tnWorld* world = MakeSlope(1.0f, mode == 1 ? 4 : 2);
		ENSURE(world != NULL);
		const int lengthCount = mode == 1 ? 4 : 2;
		ENSURE_OK(DropIn(world, 3.0f));
		if (mode == 2)
		{
			// They have one each. As if all other tiles were there, and had what is theirs: one more is left for each.
			world->waves.pool.freeKeptCount = CountVaried(world);
		}
		for (int step = 0; step < lengthCount; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, timeSteps[step]));
		}
		const int64_t made = world->waves.fitCount;
		ENSURE(CountVaried(world) >= 4);
		// The first ones for the time step of the def.
		ENSURE_EQUAL_INT((int)made, lengthCount * CountVaried(world));
		for (int step = 0; step < 40; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, timeSteps[step % lengthCount]));
		}
		ENSURE_EQUAL_INT((int)(world->waves.fitCount - made), 0);
		// Another bed: each of them once more, not more often.
		ENSURE_OK(tnWorld_FillToLevel(world, 0.5f));
		ENSURE_OK(DropIn(world, 3.0f));
		for (int step = 0; step < 40; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, timeSteps[step % lengthCount]));
		}
		ENSURE_EQUAL_INT((int)(world->waves.fitCount - made), lengthCount * CountVaried(world));
		// More lengths than there is room for: some tiles have more than two, until the others want their share.
		for (int step = 0; step < 16; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, timeSteps[step % 4]));
		}
		const int64_t before = world->waves.fitCount;
		ENSURE(mode != 2 || before - made > 4 * CountVaried(world));
		for (int step = 0; step < 40; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, timeSteps[step % 2]));
		}
		ENSURE(world->waves.fitCount - before <= 2 * CountVaried(world));
		tnDestroyWorld(world);
	}
	return 0;
}

// A world that forgets what it has made after each step has the same bits as one that does not, with currents, with shores
// that move, and with tiles that come and go; and more steps than are kept make none of them last.
static int KeptTilesChangeNoBit(void)
{
	static const float timeSteps[6] = {1.0f / 60.0f, 1.0f / 30.0f, 1.0f / 15.0f, 0.011f, 0.004f, 0.05f};
	for (int seed = 1; seed <= TEST_REPEATS(4); ++seed)
	{
		TestRandom random = TestMakeRandom((uint64_t)seed);
		tnWorld* worlds[2] = {MakeSlope(0.5f, 3), MakeSlope(0.5f, 1)};
		ENSURE(worlds[0] != NULL && worlds[1] != NULL);
		const float volume = TestRandomFloat(&random, 5.0f, 30.0f);
		int64_t counts[2] = {0};
		for (int step = 0; step < 80; ++step)
		{
			const float timeStep = timeSteps[TestRandomInt(&random, 0, seed == 1 ? 1 : 5)];
			const float x = TestRandomFloat(&random, 0.0f, 10.0f);
			for (int i = 0; i < 2; ++i)
			{
				tnWavePool* pool = &worlds[i]->waves.pool;
				if (step == 20)
				{
					ENSURE_OK(tnWorld_AddWater(worlds[i], (tnVec2){3.0f, 4.0f}, 2.0f, volume, NULL));
				}
				if (step % 20 == 1)
				{
					ENSURE_OK(DropIn(worlds[i], x));
				}
				for (int slot = 0; i == 1 && slot < pool->capacity; ++slot)
				{
					tnWavePool_ForgetKept(pool, slot);
				}
				ENSURE_OK(tnWorld_Step(worlds[i], timeStep));
				counts[i] = worlds[i]->waves.fitCount;
			}
			ENSURE_EQUAL_HEX(tnWorld_GetHash(worlds[0]), tnWorld_GetHash(worlds[1]));
		}
		ENSURE(counts[0] < counts[1] && GetSquares(worlds[0]) > 0.0);
		tnDestroyWorld(worlds[0]);
		tnDestroyWorld(worlds[1]);
	}
	return 0;
}

// Water that rises by 1 % between two looks, and a current that dies away: tiles follow both in the end, though no look differs
// much from the one before.
static int TilesFollowWhatCreeps(void)
{
	enum
	{
		creepSide = 64,
		creepCells = creepSide * creepSide,
	};
	static float depths[creepCells], alongX[creepCells], alongZ[creepCells];
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = creepSide;
	def.rowCount = creepSide;
	def.method = tn_shallowMethod;
	def.waves.enable = true;
	def.waves.enableDetail = false;
	def.waves.reserve = true;
	for (int i = 0; i < tn_sideCount; ++i)
	{
		def.edges[i].kind = tn_wrapEdge;
	}
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	for (int round = 0; round < 100; ++round)
	{
		const float depth = powf(1.01f, (float)round);
		const float speed = fmaxf(0.6f - 0.01f * (float)round, 0.0f);
		for (int i = 0; i < creepCells; ++i)
		{
			depths[i] = depth;
			alongX[i] = speed;
		}
		ENSURE_OK(tnWorld_SetDepths(world, depths));
		ENSURE_OK(tnWorld_SetVelocities(world, alongX, alongZ));
		for (int step = 0; step < 16; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		}
		// What is read is at most 2 % and 0.02 m/s off, and tiles are a look behind that.
		const tnWavePool* pool = &world->waves.pool;
		for (int i = 0; i < pool->count && round > 1; ++i)
		{
			const tnWaveTile* tile = pool->tiles + pool->order[i];
			ENSURE_CLOSE(tile->depth / depth, 1.0f, 0.04f);
			ENSURE_CLOSE(tile->current, speed, 0.045f);
		}
		ENSURE(pool->count > 0);
	}
	tnDestroyWorld(world);
	return 0;
}

static const Test s_tests[] = {
	{"KeptKernelsChangeNoBit", KeptKernelsChangeNoBit},
	{"StepsNearbyShareKernels", StepsNearbyShareKernels},
	{"StepsByTurnsMakeTilesOnce", StepsByTurnsMakeTilesOnce},
	{"KeptTilesChangeNoBit", KeptTilesChangeNoBit},
	{"RoughBedsMakeNoWaves", RoughBedsMakeNoWaves},
	{"AbsurdSeasStayFinite", AbsurdSeasStayFinite},
	{"TilesFollowWhatCreeps", TilesFollowWhatCreeps},
};

const TestSuite wave_limitsSuite = TEST_SUITE("wave_limits", s_tests);
