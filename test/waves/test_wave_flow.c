// SPDX-License-Identifier: MIT

// Short waves go from the flow to the wave layer, long ones and eddies stay.

#include "harness.h"

#include <tarn/tarn.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define GRAVITY 9.81
#define TIME_STEP (1.0f / 60.0f)

typedef struct Scene
{
	int columnCount, rowCount;
	float cellSize, depth;
	tnMethod method;
	int finerLevels, levelCount;
	int workerCount;
	bool waves, handover;
	tnSimd simd;
} Scene;

static const Scene s_lake = {
	.columnCount = 128,
	.rowCount = 128,
	.cellSize = 1.0f,
	.depth = 10.0f,
	.method = tn_pipeMethod,
	.finerLevels = 1,
	.levelCount = 6,
	.workerCount = 1,
	.waves = true,
	.handover = true,
	.simd = tn_simdAuto,
};

// A flat bed at -depth, filled to 0, the middle at the origin.
static tnWorld* CreateLake(const Scene* scene)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = scene->columnCount;
	def.rowCount = scene->rowCount;
	def.cellSize = scene->cellSize;
	def.origin =
		(tnVec2){-0.5f * (float)scene->columnCount * scene->cellSize, -0.5f * (float)scene->rowCount * scene->cellSize};
	def.method = scene->method;
	def.gravity = (float)GRAVITY;
	def.friction = 0.0f;
	def.manning = 0.0f;
	def.maxSubSteps = 64;
	def.tasks.workerCount = scene->workerCount;
	def.simd = scene->simd;
	def.waves.enable = scene->waves;
	def.waves.takeFromFlow = scene->handover;
	def.waves.finerLevels = scene->finerLevels;
	def.waves.levelCount = scene->levelCount;
	def.waves.tileCount = 512;
	def.waves.enableDetail = false;
	tnWorld* world = NULL;
	const tnResult result = tnCreateWorld(&def, &world);
	if (result.status != tn_ok)
	{
		return NULL;
	}
	const int count = scene->columnCount * scene->rowCount;
	float* heights = malloc((size_t)count * sizeof(float));
	for (int i = 0; i < count; ++i)
	{
		heights[i] = -scene->depth;
	}
	tnWorld_SetTerrain(world, heights);
	tnWorld_FillToLevel(world, 0.0f);
	free(heights);
	return world;
}

// Raise the water by amplitude exp(-r^2 / (2 s^2)), middle at x, z.
static void RaiseHump(tnWorld* world, const Scene* scene, double amplitude, double s, double x, double z)
{
	const int count = scene->columnCount * scene->rowCount;
	float* depths = malloc((size_t)count * sizeof(float));
	for (int i = 0; i < count; ++i)
	{
		const double cx = (i % scene->columnCount + 0.5 - 0.5 * scene->columnCount) * (double)scene->cellSize - x;
		const double cz =
			((double)(i / scene->columnCount) + 0.5 - 0.5 * scene->rowCount) * (double)scene->cellSize - z;
		depths[i] = (float)((double)scene->depth + amplitude * exp(-(cx * cx + cz * cz) / (2.0 * s * s)));
	}
	tnWorld_SetDepths(world, depths);
	free(depths);
}

static double GetFrequency(double k, double depth)
{
	return sqrt(GRAVITY * k * tanh(k * depth));
}

static double GetBessel(double x)
{
	double sum = 0.0;
	const int count = (int)(0.5 * x) + 16;
	for (int i = 0; i < count; ++i)
	{
		sum += cos(x * sin(0.5 * PI * (i + 0.5) / count));
	}
	return sum / count;
}

// The ring that such a hump becomes, exactly: an integral over wave numbers.
static double GetRing(double r, double time, double amplitude, double s, double depth)
{
	double sum = 0.0;
	const double step = 0.006 / s;
	for (double k = 0.5 * step; k * s < 5.0; k += step)
	{
		sum += s * s * exp(-0.5 * k * k * s * s) * GetBessel(k * r) * cos(GetFrequency(k, depth) * time) * k * step;
	}
	return amplitude * sum;
}

// Difference from the exact ring over its size, in the mean square over the circle of 48 m.
static double MeasureRing(const Scene* scene, double s, int stepCount, double* drift)
{
	tnWorld* world = CreateLake(scene);
	RaiseHump(world, scene, 0.1, s, 0.0, 0.0);
	for (int i = 0; i < stepCount; ++i)
	{
		tnWorld_Step(world, TIME_STEP);
	}
	double error = 0.0, size = 0.0;
	for (double r = 0.0; r < 48.0; r += 1.0)
	{
		const double exact = GetRing(r, stepCount / 60.0, 0.1, s, scene->depth);
		const double surface = tnWorld_Sample(world, (tnVec2){(float)r, 0.01f}).surface;
		error += (surface - exact) * (surface - exact) * (r + 1.0);
		size += exact * exact * (r + 1.0);
	}
	const tnLedger ledger = tnWorld_GetLedger(world);
	*drift = ledger.drift / ledger.volume;
	tnDestroyWorld(world);
	return sqrt(error / size);
}

// A hump in deep water becomes a ring of waves whose long ones run ahead. In the flow alone all run together.
static int HumpsBecomeRings(void)
{
	Scene scene = s_lake;
	double drift;
	const double with = MeasureRing(&scene, 4.0, 180, &drift);
	ENSURE(fabs(drift) < 1.0e-6);
	scene.handover = false;
	double driftWithout;
	const double without = MeasureRing(&scene, 4.0, 180, &driftWithout);
	// Measured 0.097 and 1.3; the layer alone has 0.05.
	ENSURE(with < 0.12);
	ENSURE(without > 1.0);
	// Where the depth lies badly between two bands.
	scene.handover = true;
	scene.depth = 7.0f;
	// Measured 0.139.
	ENSURE(MeasureRing(&scene, 4.0, 180, &drift) < 0.15);
	return 0;
}

// As short as the flow can hold waves: three cells across. All grids have to agree about what they take.
static int ShortHumpsBecomeRings(void)
{
	Scene scene = s_lake;
	scene.depth = 2.0f;
	double drift;
	// Measured 0.11; the flow alone has 0.98.
	ENSURE(MeasureRing(&scene, 1.5, 120, &drift) < 0.15);
	ENSURE(fabs(drift) < 1.0e-6);
	return 0;
}

// Amplitude of a standing wave of the flow alone.
static double MeasureLong(const Scene* scene, double number, int stepCount, double* frequency)
{
	tnWorld* world = CreateLake(scene);
	const int count = scene->columnCount * scene->rowCount;
	float* depths = malloc((size_t)count * sizeof(float));
	for (int i = 0; i < count; ++i)
	{
		depths[i] =
			scene->depth + 0.02f * (float)cos(number * (i % scene->columnCount + 0.5) * (double)scene->cellSize);
	}
	tnWorld_SetDepths(world, depths);
	free(depths);
	double largest = 0.0, last = 1.0;
	int crossing = 0;
	double lastCrossing = 0.0;
	for (int i = 0; i < stepCount; ++i)
	{
		tnWorld_Step(world, TIME_STEP);
		const tnFieldView depth = tnWorld_GetDepth(world);
		double amplitude = 0.0;
		for (int c = 0; c < scene->columnCount; ++c)
		{
			amplitude += 2.0 / scene->columnCount * ((double)depth.data[c] - (double)scene->depth) *
				cos(number * (c + 0.5) * (double)scene->cellSize);
		}
		if (last * amplitude < 0.0)
		{
			crossing += 1;
			lastCrossing = (i + last / (last - amplitude)) / 60.0;
		}
		last = amplitude;
		largest = i > stepCount * 9 / 10 && fabs(amplitude) > largest ? fabs(amplitude) : largest;
	}
	*frequency = PI * (crossing - 0.5) / lastCrossing;
	tnDestroyWorld(world);
	return largest / 0.02;
}

// Waves of 12.8 depths stay in the flow for ten periods, and are as fast as ever.
static int LongWavesStay(void)
{
	Scene scene = s_lake;
	// 2.5 m deep, so that 10 periods are short.
	scene.rowCount = 64;
	scene.depth = 2.5f;
	const double number = 2.0 * PI / 32.0;
	const int stepCount = (int)(60.0 * 10.0 * 32.0 / sqrt(GRAVITY * 2.5));
	double frequency, frequencyWithout;
	const double with = MeasureLong(&scene, number, stepCount, &frequency);
	scene.handover = false;
	const double without = MeasureLong(&scene, number, stepCount, &frequencyWithout);
	ENSURE(with * with >= 0.99 * without * without);
	ENSURE_CLOSE(frequency, frequencyWithout, 0.002 * frequencyWithout);
	return 0;
}

// Sum of squares of the vorticity of a whirl after some time.
static double MeasureWhirl(const Scene* scene, int stepCount)
{
	tnWorld* world = CreateLake(scene);
	const int columns = scene->columnCount;
	const int count = columns * scene->rowCount;
	float* u = malloc((size_t)count * sizeof(float));
	float* v = malloc((size_t)count * sizeof(float));
	for (int i = 0; i < count; ++i)
	{
		const double x = i % columns + 0.5 - 0.5 * columns;
		const double z = (double)(i / columns) + 0.5 - 0.5 * scene->rowCount;
		const double speed = 0.05 * exp(-(x * x + z * z) / (2.0 * 8.0 * 8.0));
		u[i] = (float)(-speed * z);
		v[i] = (float)(speed * x);
	}
	tnWorld_SetVelocities(world, u, v);
	for (int i = 0; i < stepCount; ++i)
	{
		tnWorld_Step(world, TIME_STEP);
	}
	tnWorld_CopyVelocities(world, u, v);
	double sum = 0.0;
	for (int i = 0; i < count - columns - 1; ++i)
	{
		const double curl = (double)(v[i + 1] - v[i]) - (double)(u[i + columns] - u[i]);
		sum += curl * curl;
	}
	free(u);
	free(v);
	tnDestroyWorld(world);
	return sum;
}

// Eddies in deep water turn on as if there were no layer.
static int WhirlsStay(void)
{
	Scene scene = s_lake;
	scene.method = tn_shallowMethod;
	const double with = MeasureWhirl(&scene, 600);
	scene.handover = false;
	const double without = MeasureWhirl(&scene, 600);
	ENSURE_CLOSE(with, without, 0.01 * without);
	return 0;
}

// Water at rest stays at rest, exactly, over rough ground and at any level, also while it is kept awake.
static int LakesRest(void)
{
	// Islands everywhere, and a beach behind which all is dry.
	for (int i = 0; i < 4; ++i)
	{
		Scene scene = s_lake;
		scene.method = i % 2 == 0 ? tn_pipeMethod : tn_shallowMethod;
		tnWorld* world = CreateLake(&scene);
		const int count = scene.columnCount * scene.rowCount;
		float* heights = malloc((size_t)count * sizeof(float));
		TestRandom random = TestMakeRandom(3);
		for (int k = 0; k < count; ++k)
		{
			const float beach = (float)(k % scene.columnCount) - 0.4f * (float)scene.columnCount;
			heights[k] = floorf(i < 2 ? TestRandomFloat(&random, -40.0f, 4.0f) : beach) * 0.25f;
		}
		tnWorld_SetTerrain(world, heights);
		ENSURE_OK(tnWorld_FillToLevel(world, 0.75f));
		for (int step = 0; step < 240; ++step)
		{
			tnWorld_AddImpulse(world, (tnVec2){0.0f, 0.0f}, 1.0f, (tnVec2){0.0f, 0.0f});
			tnWorld_Step(world, TIME_STEP);
		}
		tnWaveStats stats;
		ENSURE_OK(tnWorld_GetWaveStats(world, &stats));
		const tnFieldView depth = tnWorld_GetDepth(world);
		for (int k = 0; k < count; ++k)
		{
			const float d = depth.data[(ptrdiff_t)(k / scene.columnCount) * depth.stride + k % scene.columnCount];
			ENSURE(d == (heights[k] < 0.75f ? 0.75f - heights[k] : 0.0f));
		}
		for (int level = 0; level < scene.levelCount; ++level)
		{
			ENSURE_EQUAL_INT(stats.movingCounts[level], 0);
		}
		free(heights);
		tnDestroyWorld(world);
	}
	return 0;
}

// Waves leave the flow, and it falls asleep under them.
static int FlowSleepsUnderWaves(void)
{
	tnWorld* world = CreateLake(&s_lake);
	RaiseHump(world, &s_lake, 0.01, 1.5, 3.0, -5.0);
	for (int i = 0; i < 1200; ++i)
	{
		tnWorld_Step(world, TIME_STEP);
	}
	ENSURE_EQUAL_INT(tnWorld_GetStats(world).awakeTileCount, 0);
	tnDestroyWorld(world);
	return 0;
}

// Mirrored water has mirrored bits, in the flow and in the layer.
static int MirroredBits(void)
{
	Scene scene = s_lake;
	tnWorld* worlds[2];
	for (int i = 0; i < 2; ++i)
	{
		worlds[i] = CreateLake(&scene);
		RaiseHump(worlds[i], &scene, 0.05, 3.0, i == 0 ? 20.25 : -20.25, 7.0);
		for (int step = 0; step < 90; ++step)
		{
			tnWorld_Step(worlds[i], TIME_STEP);
		}
	}
	const tnFieldView a = tnWorld_GetDepth(worlds[0]);
	const tnFieldView b = tnWorld_GetDepth(worlds[1]);
	for (int row = 0; row < scene.rowCount; ++row)
	{
		for (int column = 0; column < scene.columnCount; ++column)
		{
			ENSURE(a.data[row * a.stride + column] == b.data[row * b.stride + scene.columnCount - 1 - column]);
		}
	}
	for (int i = 0; i < tnWorld_GetWaveTileCount(worlds[0]); ++i)
	{
		tnWaveTileView view;
		ENSURE_OK(tnWorld_GetWaveTile(worlds[0], i, &view));
		// Levels that fill whole tiles have mirrors.
		for (int k = 0; k < tnWorld_GetWaveTileCount(worlds[1]) && view.level <= 2; ++k)
		{
			tnWaveTileView other;
			ENSURE_OK(tnWorld_GetWaveTile(worlds[1], k, &other));
			const int tileColumns = (scene.columnCount << scene.finerLevels >> view.level) / 64;
			if (other.level != view.level || other.row != view.row || other.column != tileColumns - 1 - view.column)
			{
				continue;
			}
			for (int cell = 0; cell < 64 * 64; ++cell)
			{
				const int row = cell / 64;
				const int column = cell % 64;
				ENSURE(view.heights[row * view.stride + column] == other.heights[row * other.stride + 63 - column]);
			}
		}
	}
	tnDestroyWorld(worlds[0]);
	tnDestroyWorld(worlds[1]);
	return 0;
}

// A hump between islands, in a world of odd size.
static uint64_t HashIslands(tnMethod method, int workerCount, tnSimd simd)
{
	Scene scene = s_lake;
	scene.columnCount = 201;
	scene.rowCount = 151;
	scene.method = method;
	scene.workerCount = workerCount;
	scene.simd = simd;
	tnWorld* world = CreateLake(&scene);
	const int count = scene.columnCount * scene.rowCount;
	float* heights = malloc((size_t)count * sizeof(float));
	for (int k = 0; k < count; ++k)
	{
		const double x = k % scene.columnCount - 100.0;
		const double z = (double)(k / scene.columnCount) - 75.0;
		heights[k] = floorf((float)(8.0 * cos(0.1 * x) * cos(0.13 * z) - 6.0));
	}
	tnWorld_SetTerrain(world, heights);
	tnWorld_FillToLevel(world, 0.5f);
	tnWorld_AddWater(world, (tnVec2){20.0f, 7.0f}, 5.0f, 40.0f, NULL);
	for (int step = 0; step < 60; ++step)
	{
		tnWorld_Step(world, TIME_STEP);
	}
	const uint64_t hash = tnWorld_GetHash(world);
	free(heights);
	tnDestroyWorld(world);
	return hash;
}

static int SameBitsForAnyMachine(void)
{
	for (int i = 0; i < 2; ++i)
	{
		const tnMethod method = i == 0 ? tn_pipeMethod : tn_shallowMethod;
		const uint64_t first = HashIslands(method, 1, tn_simdAuto);
		for (int workerCount = 2; workerCount <= 5; workerCount += 3)
		{
			if (TEST_LEAVES_OUT(workerCount - 1) == false)
			{
				ENSURE_EQUAL_HEX(HashIslands(method, workerCount, tn_simdAuto), first);
			}
		}
		// Waves are the same above both methods: one is enough if a quarter is.
		for (int simd = tn_simdScalar; simd <= tn_simdWasm; ++simd)
		{
			if (tnIsSimdAvailable((tnSimd)simd) && TEST_LEAVES_OUT(i) == false)
			{
				ENSURE_EQUAL_HEX(HashIslands(method, 1, (tnSimd)simd), first);
			}
		}
	}
	return 0;
}

// Steep shores, islands, waves as high as the water is deep: depths stay at or above zero, volume stays.
static int ShoresAreSafe(void)
{
	for (int i = 0; i < 2; ++i)
	{
		Scene scene = s_lake;
		scene.method = i == 0 ? tn_pipeMethod : tn_shallowMethod;
		tnWorld* world = CreateLake(&scene);
		const int count = scene.columnCount * scene.rowCount;
		float* heights = malloc((size_t)count * sizeof(float));
		for (int k = 0; k < count; ++k)
		{
			const double x = k % scene.columnCount - 64.0;
			const double z = (double)(k / scene.columnCount) - 50.0;
			heights[k] = (float)(fabs(x + z) < 6.0 ? 1.0 : 4.0 * cos(0.1 * x) * cos(0.13 * z) - 3.0);
		}
		tnWorld_SetTerrain(world, heights);
		tnWorld_FillToLevel(world, 0.0f);
		tnWorld_AddWater(world, (tnVec2){-20.0f, -20.0f}, 6.0f, 400.0f, NULL);
		for (int step = 0; step < 240; ++step)
		{
			tnWorld_Step(world, TIME_STEP);
			const tnFieldView depth = tnWorld_GetDepth(world);
			for (int k = 0; k < count && step % 16 == 0; ++k)
			{
				ENSURE(depth.data[(ptrdiff_t)(k / scene.columnCount) * depth.stride + k % scene.columnCount] >= 0.0f);
			}
		}
		const tnLedger ledger = tnWorld_GetLedger(world);
		ENSURE_CLOSE(ledger.drift / ledger.volume, 0.0, 1.0e-6);
		free(heights);
		tnDestroyWorld(world);
	}
	return 0;
}

static const Test s_tests[] = {
	{"HumpsBecomeRings", HumpsBecomeRings},
	{"ShortHumpsBecomeRings", ShortHumpsBecomeRings},
	{"LongWavesStay", LongWavesStay},
	{"WhirlsStay", WhirlsStay},
	{"LakesRest", LakesRest},
	{"FlowSleepsUnderWaves", FlowSleepsUnderWaves},
	{"MirroredBits", MirroredBits},
	{"SameBitsForAnyMachine", SameBitsForAnyMachine},
	{"ShoresAreSafe", ShoresAreSafe},
};
const TestSuite wave_flowSuite = TEST_SUITE("wave_flow", s_tests);
