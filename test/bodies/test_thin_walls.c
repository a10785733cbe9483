// SPDX-License-Identifier: MIT

// Walls of any thickness from 0.02 to 2 cells, rows of crates and kinked rows of boxes, anywhere and at any yaw: they leak nothing, no
// water is lost, and the bits are the same for all workers and instruction sets, and if water sleeps.

#include "harness.h"
#include "tarn/tarn.h"

#include <math.h>
#include <stdlib.h>

enum
{
	columnCount = 40,
	rowCount = 21,
	wallLimit = 32,
	methodCount = 6,
	stepCount = 300,
};

static const float s_cellSize = 0.5f;

typedef struct Walls
{
	float x[wallLimit], z[wallLimit], yaw[wallLimit];
	int count;
	float thickness, length;
} Walls;

static float PickFloat(TestRandom* random, float low, float high)
{
	return TestRandomFloat(random, low, high);
}

static Walls PickWalls(TestRandom* random)
{
	Walls walls = {.thickness = s_cellSize * expf(PickFloat(random, logf(0.02f), logf(2.0f)))};
	const int kind = (int)PickFloat(random, 0.0f, 2.999f);
	const float most = 0.35f;
	const int counts[] = {1, 3 + (int)PickFloat(random, 0.0f, 28.0f), 2 + (int)PickFloat(random, 0.0f, 7.0f)};
	walls.count = counts[kind];
	const float kink = kind == 2 ? PickFloat(random, -most, most) / (float)(walls.count - 1) : 0.0f;
	const float side = kink > 0.0f ? 0.5f : (kink < 0.0f ? -0.5f : 0.0f);
	float yaw = PickFloat(random, -0.8f, 0.8f) - 0.5f * kink * (float)(walls.count - 1);
	walls.length = 26.0f / (float)walls.count;
	float x = 0.0f, z = 0.0f, meanX = 0.0f, meanZ = 0.0f;
	for (int i = 0; i < walls.count; ++i, yaw += kink)
	{
		walls.yaw[i] = yaw;
		walls.x[i] = x + 0.5f * walls.length * sinf(yaw) + side * walls.thickness * cosf(yaw);
		walls.z[i] = z + 0.5f * walls.length * cosf(yaw) - side * walls.thickness * sinf(yaw);
		x += walls.length * sinf(yaw);
		z += walls.length * cosf(yaw);
		meanX += walls.x[i] / (float)walls.count;
		meanZ += walls.z[i] / (float)walls.count;
	}
	const float toX = 10.0f + PickFloat(random, -0.5f, 0.5f), toZ = 5.25f + PickFloat(random, -0.5f, 0.5f);
	for (int i = 0; i < walls.count; ++i)
	{
		walls.x[i] += toX - meanX;
		walls.z[i] += toZ - meanZ;
	}
	return walls;
}

// -1 before them, 1 behind them, 0 near them.
static int GetSide(const Walls* walls, int column, int row)
{
	float nearest = INFINITY;
	float across = 0.0f;
	for (int i = 0; i < walls->count; ++i)
	{
		const float dx = ((float)column + 0.5f) * s_cellSize - walls->x[i];
		const float dz = ((float)row + 0.5f) * s_cellSize - walls->z[i];
		const float u = cosf(walls->yaw[i]) * dx - sinf(walls->yaw[i]) * dz;
		const float v = sinf(walls->yaw[i]) * dx + cosf(walls->yaw[i]) * dz;
		const float distance =
			hypotf(fmaxf(0.0f, fabsf(u) - 0.5f * walls->thickness), fmaxf(0.0f, fabsf(v) - 0.5f * walls->length));
		across = distance < nearest ? u : across;
		nearest = fminf(nearest, distance);
	}
	return nearest < 0.9f * s_cellSize ? 0 : (across < 0.0f ? -1 : 1);
}

// @param twin 0, or 1 for other workers, scalars and sleep
static tnWorld* RunWalls(const Walls* walls, int method, int twin)
{
	static const tnMethod s_methods[methodCount] = {
		tn_pipeMethod, tn_linearMethod, tn_shallowMethod, tn_shallowMethod, tn_shallowMethod, tn_shallowMethod};
	static const tnAdvection s_advections[methodCount] = {tn_conservativeAdvection, tn_conservativeAdvection,
		tn_conservativeAdvection, tn_fineAdvection, tn_semiLagrangianAdvection, tn_macCormackAdvection};
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columnCount;
	def.rowCount = rowCount;
	def.cellSize = s_cellSize;
	def.method = s_methods[method];
	def.advection = s_advections[method];
	def.froudeLimit = def.method == tn_shallowMethod ? def.froudeLimit : TN_CRITICAL_LIMIT;
	def.enableSleep = twin == 1;
	def.sleepSpeed = 0.0f;
	def.tasks.workerCount = twin == 1 ? 3 : 1;
	def.simd = twin == 1 ? tn_simdScalar : tn_simdAuto;
	tnWorld* world = NULL;
	if (tnCreateWorld(&def, &world).status != tn_ok)
	{
		return NULL;
	}
	float depths[columnCount * rowCount];
	for (int i = 0; i < columnCount * rowCount; ++i)
	{
		depths[i] = GetSide(walls, i % columnCount, i / columnCount) < 0 ? 0.6f : 0.0f;
	}
	bool good = tnWorld_SetDepths(world, depths).status == tn_ok;
	tnShapeDef shape = tnDefaultShapeDef();
	shape.halfExtents = (tnVec3){0.5f * walls->thickness, 1.5f, 0.5f * walls->length};
	for (int i = 0; i < walls->count && good; ++i)
	{
		const float half = 0.5f * walls->yaw[i];
		tnBodyDef body = tnDefaultBodyDef();
		body.shapes = &shape;
		body.shapeCount = 1;
		body.mass = INFINITY;
		body.mode = tn_blockingBody;
		body.pose = (tnPose){{walls->x[i], 1.5f, walls->z[i]}, {0.0f, sinf(half), 0.0f, cosf(half)}};
		tnBodyId id;
		good = tnWorld_CreateBody(world, &body, &id).status == tn_ok;
	}
	for (int i = 0; i < stepCount && good; ++i)
	{
		good = tnWorld_Step(world, 1.0f / 60.0f).status == tn_ok;
	}
	if (!good)
	{
		tnDestroyWorld(world);
		return NULL;
	}
	return world;
}

static int WallsAreTight(void)
{
	for (int seed = 0; seed < TEST_REPEATS(60); ++seed)
	{
		TestRandom random = TestMakeRandom((uint64_t)seed);
		const Walls walls = PickWalls(&random);
		tnWorld* world = RunWalls(&walls, seed % methodCount, 0);
		tnWorld* twin = RunWalls(&walls, seed % methodCount, 1);
		ENSURE(world != NULL && twin != NULL);
		const tnLedger ledger = tnWorld_GetLedger(world);
		const tnFieldView depth = tnWorld_GetDepth(world);
		double behind = 0.0;
		for (int i = 0; i < columnCount * rowCount; ++i)
		{
			const float d = depth.data[i / columnCount * depth.stride + i % columnCount];
			behind += GetSide(&walls, i % columnCount, i / columnCount) > 0 ? (double)d : 0.0;
		}
		ENSURE(ledger.volume > 1.0);
		ENSURE(behind * (double)(s_cellSize * s_cellSize) <= 1.0e-6 * ledger.volume);
		ENSURE(fabs(ledger.drift) < 1.0e-4);
		ENSURE(tnWorld_GetHash(world) == tnWorld_GetHash(twin));
		tnDestroyWorld(world);
		tnDestroyWorld(twin);
	}
	return 0;
}

static const Test s_tests[] = {
	{"WallsAreTight", WallsAreTight},
};

const TestSuite thin_wallsSuite = TEST_SUITE("thin_walls", s_tests);
