// SPDX-License-Identifier: MIT

// A narrow gap between two walls that stand on the ground, anywhere, at any yaw, of any thickness and width: it passes what a gap of
// that width passes, nothing if another body stands in it or before it, the same in a mirror, and the same bits for all workers and
// instruction sets, and for a world that is saved and loaded on the way.

#include "harness.h"
#include "tarn/tarn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
	columnCount = 44,
	rowCount = 24,
	firstStep = 900,
	lastStep = 2100,
	methodCount = 3,
};

static const float s_cellSize = 0.5f;

typedef struct Gap
{
	int method;
	float width, thickness, x, z, yaw; // cells, rad
	// What stands in its way: a box of this size, so far along its axis and across, cells.
	float plug, along, across, turn;
} Gap;

static float Pick(TestRandom* random, float low, float high)
{
	return TestRandomFloat(random, low, high);
}

static Gap PickGap(TestRandom* random, int method, float widest)
{
	return (Gap){
		.method = method,
		.width = expf(Pick(random, logf(0.04f), logf(widest))),
		.thickness = expf(Pick(random, logf(0.04f), logf(1.5f))),
		.x = 22.0f + ldexpf(rintf(Pick(random, -128.0f, 128.0f)), -8),
		.z = 12.0f + ldexpf(rintf(Pick(random, -128.0f, 128.0f)), -8),
		.yaw = Pick(random, -0.8f, 0.8f),
	};
}

// How far a cell is behind the walls, cells.
static float GetBeyond(const Gap* gap, int column, int row)
{
	return cosf(gap->yaw) * ((float)column + 0.5f - gap->x) - sinf(gap->yaw) * ((float)row + 0.5f - gap->z);
}

static bool AddBox(tnWorld* world, float x, float z, float yaw, tnVec3 halfExtents)
{
	tnShapeDef shape = tnDefaultShapeDef();
	shape.halfExtents = halfExtents;
	tnBodyDef def = tnDefaultBodyDef();
	def.shapes = &shape;
	def.shapeCount = 1;
	def.mass = INFINITY;
	def.mode = tn_blockingBody;
	def.pose = (tnPose){{x, halfExtents.y, z}, {0.0f, sinf(0.5f * yaw), 0.0f, cosf(0.5f * yaw)}};
	tnBodyId id;
	return tnWorld_CreateBody(world, &def, &id).status == tn_ok;
}

// @param other another number of workers and instruction set
static tnWorld* MakeGap(const Gap* gap, bool other, bool mirrored)
{
	static float depths[columnCount * rowCount];
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columnCount;
	def.rowCount = rowCount;
	def.cellSize = s_cellSize;
	def.method = (tnMethod)gap->method;
	def.froudeLimit = def.method == tn_shallowMethod ? def.froudeLimit : TN_CRITICAL_LIMIT;
	def.tasks.workerCount = other ? 3 : 1;
	def.simd = other ? tn_simdScalar : tn_simdAuto;
	tnWorld* world = NULL;
	bool good = tnCreateWorld(&def, &world).status == tn_ok;
	const float half = 0.5f * gap->thickness;
	for (int i = 0; i < columnCount * rowCount; ++i)
	{
		const int column = i % columnCount;
		const float beyond = GetBeyond(gap, mirrored ? columnCount - 1 - column : column, i / columnCount);
		// What a crate has pushed away when it appears may be behind it.
		const float room = gap->along < -half ? gap->plug + 1.0f : 0.0f;
		depths[i] = beyond < -half - room ? 1.0f : 0.0f;
	}
	good = good && tnWorld_SetDepths(world, depths).status == tn_ok;
	const float width = (float)columnCount * s_cellSize;
	for (int side = -1; side <= 1 && good; side += 2)
	{
		const float length = 32.0f;
		const float to = (float)side * 0.5f * (length + gap->width);
		// A mirror must not round it.
		const float x = ldexpf(rintf(ldexpf((gap->x + to * sinf(gap->yaw)) * s_cellSize, 16)), -16);
		const float z = (gap->z + to * cosf(gap->yaw)) * s_cellSize;
		good = AddBox(world, mirrored ? width - x : x, z, mirrored ? -gap->yaw : gap->yaw,
			(tnVec3){half * s_cellSize, 2.0f, 0.5f * length * s_cellSize});
	}
	if (good && gap->plug > 0.0f)
	{
		const float x = gap->x + gap->along * cosf(gap->yaw) + gap->across * sinf(gap->yaw);
		const float z = gap->z - gap->along * sinf(gap->yaw) + gap->across * cosf(gap->yaw);
		const float size = 0.5f * gap->plug * s_cellSize;
		good = AddBox(world, x * s_cellSize, z * s_cellSize, gap->yaw + gap->turn, (tnVec3){size, 2.0f, size});
	}
	if (!good)
	{
		tnDestroyWorld(world);
		return NULL;
	}
	return world;
}

static bool Steps(tnWorld* world, int count)
{
	bool good = world != NULL;
	for (int i = 0; i < count && good; ++i)
	{
		good = tnWorld_Step(world, 1.0f / 60.0f).status == tn_ok;
	}
	return good;
}

// Volume that is as far beyond the walls as that, m^3.
static double GetVolume(const tnWorld* world, const Gap* gap, float from, float to, double* mean)
{
	const tnFieldView depth = tnWorld_GetDepth(world);
	double sum = 0.0;
	int count = 0;
	for (int i = 0; i < columnCount * rowCount; ++i)
	{
		const float beyond = GetBeyond(gap, i % columnCount, i / columnCount);
		const bool counts = beyond > from && beyond < to;
		sum += counts ? (double)depth.data[i / columnCount * depth.stride + i % columnCount] : 0.0;
		count += counts ? 1 : 0;
	}
	*mean = sum / count;
	return sum * (double)(s_cellSize * s_cellSize);
}

// What runs through, over the critical discharge. Of shallow water, which loses its speed where the gap turns from one axis of the
// grid to the other, least where that is wide and deep.
static int GapsPass(void)
{
	int rightCount = 0;
	const int count = TEST_REPEATS(40);
	for (int seed = 0; seed < count; ++seed)
	{
		TestRandom random = TestMakeRandom((uint64_t)seed);
		const Gap gap = PickGap(&random, seed % methodCount, 0.45f);
		tnWorld* world = MakeGap(&gap, false, false);
		ENSURE(Steps(world, firstStep));
		double level;
		double exact = 0.0;
		const double before = GetVolume(world, &gap, -100.0f, 0.0f, &level);
		for (int step = firstStep; step < lastStep; ++step)
		{
			ENSURE(Steps(world, 1));
			(void)GetVolume(world, &gap, -100.0f, -0.5f * gap.thickness - 0.8f, &level);
			exact += 1.705 * (double)(gap.width * s_cellSize) * pow(level, 1.5) / 60.0;
		}
		const double ratio = (before - GetVolume(world, &gap, -100.0f, 0.0f, &level)) / exact;
		const bool right = ratio > 0.9 && ratio < 1.1;
		rightCount += right ? 1 : 0;
		if (!right)
		{
			printf("seed %d: method %d, width %g, thickness %g, yaw %g, at %g, %g: %g\n", seed, gap.method,
				(double)gap.width, (double)gap.thickness, (double)gap.yaw, (double)gap.x, (double)gap.z, ratio);
		}
		ENSURE(ratio > 0.7 && ratio < 1.15);
		ENSURE(fabs(tnWorld_GetLedger(world).drift) < 1.0e-4);
		tnDestroyWorld(world);
	}
	ENSURE(20 * rightCount >= 19 * count);
	return 0;
}

static int StoppedGapsAreTight(void)
{
	for (int seed = 0; seed < TEST_REPEATS(40); ++seed)
	{
		TestRandom random = TestMakeRandom(1000 + (uint64_t)seed);
		Gap gap = PickGap(&random, seed % methodCount, 0.9f);
		// A crate in the gap, or one that leans flat on the walls before it or behind it.
		const int kind = TestRandomInt(&random, 0, 2);
		gap.plug = kind == 0 ? gap.width + Pick(&random, 0.0f, 0.3f) : gap.width + Pick(&random, 0.05f, 1.0f);
		gap.along = kind == 0 ? Pick(&random, -0.5f, 0.5f) * gap.thickness
							  : ((float)kind - 1.5f) * (gap.thickness + gap.plug + 0.01f);
		gap.across = Pick(&random, -0.45f, 0.45f) * (gap.plug - gap.width);
		gap.turn = 0.0f;
		tnWorld* world = MakeGap(&gap, false, false);
		ENSURE(Steps(world, 600));
		double level;
		const double behind =
			GetVolume(world, &gap, 0.5f * gap.thickness + 0.9f + (kind == 2 ? gap.plug : 0.0f), 100.0f, &level);
		if (!(behind < 1.0e-6 * tnWorld_GetLedger(world).volume))
		{
			printf(
				"seed %d: kind %d, plug %g at %g, %g; method %d, width %g, thickness %g, yaw %g, at %g, %g: %g m^3\n",
				seed, kind, (double)gap.plug, (double)gap.along, (double)gap.across, gap.method, (double)gap.width,
				(double)gap.thickness, (double)gap.yaw, (double)gap.x, (double)gap.z, behind);
		}
		ENSURE(behind < 1.0e-6 * tnWorld_GetLedger(world).volume);
		tnDestroyWorld(world);
	}
	return 0;
}

// A world of the bytes of this one, which goes.
static tnWorld* Reload(tnWorld* world)
{
	size_t size = 0;
	tnWorld* loaded = NULL;
	void* bytes = tnWorld_Save(world, NULL, 0, &size).status == tn_ok ? malloc(size) : NULL;
	if (bytes == NULL || tnWorld_Save(world, bytes, size, &size).status != tn_ok ||
		tnCreateWorldFrom(bytes, size, NULL, &loaded).status != tn_ok)
	{
		loaded = NULL;
	}
	free(bytes);
	tnDestroyWorld(world);
	return loaded;
}

static int BitsOfGaps(void)
{
	for (int seed = 0; seed < TEST_REPEATS(24); ++seed)
	{
		TestRandom random = TestMakeRandom(2000 + (uint64_t)seed);
		Gap gap = PickGap(&random, seed % methodCount, 0.9f);
		gap.plug = seed % 2 == 0 ? 0.0f : Pick(&random, 0.1f, 0.8f);
		gap.along = Pick(&random, -1.5f, 1.5f);
		gap.across = Pick(&random, -0.5f, 0.5f);
		gap.turn = Pick(&random, -0.8f, 0.8f);
		tnWorld* world = MakeGap(&gap, false, false);
		tnWorld* twin = MakeGap(&gap, true, false);
		ENSURE(Steps(world, 200) && Steps(twin, 100 + seed));
		twin = Reload(twin);
		ENSURE(Steps(twin, 100 - seed));
		ENSURE_EQUAL_HEX(tnWorld_GetHash(twin), tnWorld_GetHash(world));
		tnDestroyWorld(world);
		tnDestroyWorld(twin);
	}
	return 0;
}

// What is beyond the walls, m^3.
static double GetMirrorVolume(const tnWorld* world, const Gap* gap, bool mirrored)
{
	const tnFieldView depth = tnWorld_GetDepth(world);
	double sum = 0.0;
	for (int i = 0; i < columnCount * rowCount; ++i)
	{
		const int column = mirrored ? columnCount - 1 - i % columnCount : i % columnCount;
		const float beyond = GetBeyond(gap, i % columnCount, i / columnCount);
		sum += beyond > 0.5f * gap->thickness ? (double)depth.data[i / columnCount * depth.stride + column] : 0.0;
	}
	return sum * (double)(s_cellSize * s_cellSize);
}

static int GapsAreMirrored(void)
{
	for (int seed = 0; seed < TEST_REPEATS(24); ++seed)
	{
		TestRandom random = TestMakeRandom(3000 + (uint64_t)seed);
		Gap gap = PickGap(&random, seed % methodCount, 0.9f);
		// A diagonal wall, and one in the corner of a cell.
		gap.yaw = seed % 4 == 0 ? 0.78539816f : gap.yaw;
		gap.x = seed % 8 == 0 ? 22.0f : gap.x;
		gap.z = seed % 8 == 0 ? 12.0f : gap.z;
		tnWorld* world = MakeGap(&gap, false, false);
		tnWorld* mirror = MakeGap(&gap, false, true);
		ENSURE(Steps(world, 200) && Steps(mirror, 200));
		const double through = GetMirrorVolume(world, &gap, false);
		ENSURE_CLOSE(GetMirrorVolume(mirror, &gap, true), through, 1.0e-3 * through);
		tnDestroyWorld(world);
		tnDestroyWorld(mirror);
	}
	return 0;
}

static const Test s_tests[] = {
	{"GapsPass", GapsPass},
	{"StoppedGapsAreTight", StoppedGapsAreTight},
	{"BitsOfGaps", BitsOfGaps},
	{"GapsAreMirrored", GapsAreMirrored},
};

const TestSuite gapsSuite = TEST_SUITE("gaps", s_tests);
