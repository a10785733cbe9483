// SPDX-License-Identifier: MIT

// Walls of any thickness from 0.01 to 2 cells, rows of crates and kinked rows of boxes, as boxes, hulls, meshes and capsules in the
// ground, anywhere and at any yaw: they leak nothing, no water is lost, and the bits are the same for all workers and instruction sets,
// if water sleeps, and for a world that is saved and loaded on the way. Walls of a cell and more that move push what is before them.

#include "harness.h"
#include "tarn/tarn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	columnCount = 40,
	rowCount = 21,
	wallLimit = 32,
	methodCount = 6,
	stepCount = 300,
};

static const float s_cellSize = 0.5f;

typedef enum WallKind
{
	boxWalls = 0,
	hullWalls,
	meshWalls,
	// Lying on the ground, half in it.
	capsuleWalls,
	wallKindCount,
} WallKind;

typedef struct Walls
{
	WallKind kind;
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
	Walls walls = {.thickness = s_cellSize * expf(PickFloat(random, logf(0.01f), logf(2.0f)))};
	walls.kind = (WallKind)PickFloat(random, 0.0f, (float)wallKindCount - 0.001f);
	// Sills of less than a hundredth of a cell do not count.
	walls.thickness = fmaxf(walls.thickness, walls.kind == capsuleWalls ? 0.1f * s_cellSize : 0.0f);
	const int kind = (int)PickFloat(random, 0.0f, walls.kind == capsuleWalls ? 0.999f : 2.999f);
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

// The corners of a box, and its triangles, counterclockwise from outside.
typedef struct BoxMesh
{
	tnVec3 points[8];
	int32_t triangles[36];
} BoxMesh;

static tnShapeDef MakeWallShape(WallKind kind, float thickness, float height, float length, BoxMesh* mesh)
{
	static const int32_t s_triangles[36] = {
		0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1, 2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3};
	tnShapeDef shape = tnDefaultShapeDef();
	shape.halfExtents = (tnVec3){0.5f * thickness, 0.5f * height, 0.5f * length};
	for (int i = 0; i < 8; ++i)
	{
		mesh->points[i] = (tnVec3){(i & 4 ? 1.0f : -1.0f) * shape.halfExtents.x,
			(i & 2 ? 1.0f : -1.0f) * shape.halfExtents.y, (i & 1 ? 1.0f : -1.0f) * shape.halfExtents.z};
	}
	memcpy(mesh->triangles, s_triangles, sizeof(s_triangles));
	shape.points = mesh->points;
	shape.pointCount = 8;
	shape.kind = kind == hullWalls ? tn_hullShape : (kind == meshWalls ? tn_meshShape : tn_boxShape);
	if (kind == meshWalls)
	{
		shape.triangles = mesh->triangles;
		shape.triangleCount = 12;
	}
	if (kind == capsuleWalls)
	{
		shape.kind = tn_capsuleShape;
		shape.radius = 0.5f * thickness;
		shape.halfLength = 0.5f * length;
		// Along z.
		shape.pose.rotation = (tnQuat){0.70710678f, 0.0f, 0.0f, 0.70710678f};
	}
	return shape;
}

// A world of the bytes of this one, which goes.
static tnWorld* Reload(tnWorld* world, const tnWorldDef* hooks)
{
	size_t size = 0;
	tnWorld* loaded = NULL;
	void* bytes = tnWorld_Save(world, NULL, 0, &size).status == tn_ok ? malloc(size) : NULL;
	const bool saved = bytes != NULL && tnWorld_Save(world, bytes, size, &size).status == tn_ok;
	if (saved && tnCreateWorldFrom(bytes, size, hooks, &loaded).status != tn_ok)
	{
		loaded = NULL;
	}
	free(bytes);
	tnDestroyWorld(world);
	return loaded;
}

static tnWorldDef MakeWallsDef(int method, int twin)
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
	return def;
}

static float GetLakeDepth(const Walls* walls)
{
	// Waves must not get over what lies there.
	return walls->kind == capsuleWalls ? fminf(0.6f, 0.15f * walls->thickness) : 0.6f;
}

// @param twin 0, or 1 for other workers, scalars and sleep, which is saved and loaded after some steps
static tnWorld* RunWalls(const Walls* walls, int method, int twin, int reloadStep)
{
	const tnWorldDef def = MakeWallsDef(method, twin);
	tnWorld* world = NULL;
	if (tnCreateWorld(&def, &world).status != tn_ok)
	{
		return NULL;
	}
	float depths[columnCount * rowCount];
	for (int i = 0; i < columnCount * rowCount; ++i)
	{
		depths[i] = GetSide(walls, i % columnCount, i / columnCount) < 0 ? GetLakeDepth(walls) : 0.0f;
	}
	bool good = tnWorld_SetDepths(world, depths).status == tn_ok;
	BoxMesh mesh;
	const tnShapeDef shape = MakeWallShape(walls->kind, walls->thickness, 3.0f, walls->length, &mesh);
	for (int i = 0; i < walls->count && good; ++i)
	{
		const float half = 0.5f * walls->yaw[i];
		tnBodyDef body = tnDefaultBodyDef();
		body.shapes = &shape;
		body.shapeCount = 1;
		body.mass = INFINITY;
		body.mode = tn_blockingBody;
		body.pose = (tnPose){{walls->x[i], walls->kind == capsuleWalls ? 0.0f : 1.5f, walls->z[i]},
			{0.0f, sinf(half), 0.0f, cosf(half)}};
		tnBodyId id;
		good = tnWorld_CreateBody(world, &body, &id).status == tn_ok;
	}
	for (int i = 0; i < stepCount && good; ++i)
	{
		if (twin == 1 && i == reloadStep)
		{
			world = Reload(world, &def);
		}
		good = world != NULL && tnWorld_Step(world, 1.0f / 60.0f).status == tn_ok;
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
		const int reloadStep = (int)PickFloat(&random, 1.0f, (float)stepCount);
		tnWorld* world = RunWalls(&walls, seed % methodCount, 0, reloadStep);
		tnWorld* twin = RunWalls(&walls, seed % methodCount, 1, reloadStep);
		ENSURE(world != NULL && twin != NULL);
		const tnLedger ledger = tnWorld_GetLedger(world);
		const tnFieldView depth = tnWorld_GetDepth(world);
		double behind = 0.0;
		for (int i = 0; i < columnCount * rowCount; ++i)
		{
			const float d = depth.data[i / columnCount * depth.stride + i % columnCount];
			behind += GetSide(&walls, i % columnCount, i / columnCount) > 0 ? (double)d : 0.0;
		}
		ENSURE(ledger.volume > 1.0e-3);
		ENSURE(behind * (double)(s_cellSize * s_cellSize) <= 1.0e-6 * ledger.volume);
		ENSURE(fabs(ledger.drift) < 1.0e-4);
		ENSURE(tnWorld_GetHash(world) == tnWorld_GetHash(twin));
		tnDestroyWorld(world);
		tnDestroyWorld(twin);
	}
	return 0;
}

// Volume before a wall, m^3: in cells whose middles are beyond it.
static double GetVolumeAhead(const tnWorld* world, float x, float z, float yaw)
{
	const tnFieldView depth = tnWorld_GetDepth(world);
	double sum = 0.0;
	for (int i = 0; i < depth.columnCount * depth.rowCount; ++i)
	{
		const float dx = ((float)(i % depth.columnCount) + 0.5f) * s_cellSize - x;
		const float dz = ((float)(i / depth.columnCount) + 0.5f) * s_cellSize - z;
		const bool ahead = cosf(yaw) * dx - sinf(yaw) * dz > 0.0f;
		sum += ahead ? (double)depth.data[i / depth.columnCount * depth.stride + i % depth.columnCount] : 0.0;
	}
	return sum * (double)(s_cellSize * s_cellSize);
}

typedef struct Push
{
	WallKind kind;
	int method;
	float thickness, yaw, x, speed, level;
	int reloadStep;
} Push;

// The share of the water in its way that a wall pushes, or NaN.
static double RunPush(const Push* push, int twin, uint64_t* hash, double* drift)
{
	enum
	{
		pushColumns = 60,
		pushRows = 9,
		restSteps = 60,
		firstStep = 60,
		pushSteps = 240,
	};
	const float middle = 0.5f * (float)pushRows * s_cellSize;
	tnWorldDef def = MakeWallsDef(push->method, twin);
	def.columnCount = pushColumns;
	def.rowCount = pushRows;
	tnWorld* world = NULL;
	BoxMesh mesh;
	const tnShapeDef shape = MakeWallShape(push->kind, push->thickness, 8.0f, 10.0f, &mesh);
	tnBodyDef body = tnDefaultBodyDef();
	body.shapes = &shape;
	body.shapeCount = 1;
	body.mass = INFINITY;
	body.mode = tn_blockingBody;
	body.pose = (tnPose){{push->x, 3.5f, middle}, {0.0f, sinf(0.5f * push->yaw), 0.0f, cosf(0.5f * push->yaw)}};
	tnBodyId id;
	bool good = tnCreateWorld(&def, &world).status == tn_ok &&
		tnWorld_FillToLevel(world, push->level).status == tn_ok &&
		tnWorld_CreateBody(world, &body, &id).status == tn_ok;
	double before = 0.0;
	float x = push->x;
	for (int step = -restSteps; step <= pushSteps && good; ++step)
	{
		if (twin == 1 && step == push->reloadStep)
		{
			world = Reload(world, &def);
		}
		x = push->x + push->speed * fmaxf((float)step, 0.0f) / 60.0f;
		tnPose pose = body.pose;
		pose.position.x = x;
		// The last step is one at rest, so that the body is where it is said to be.
		const tnVec3 velocity = {step >= 0 && step < pushSteps ? push->speed : 0.0f, 0.0f, 0.0f};
		good = world != NULL &&
			tnWorld_MoveBody(world, id, &pose, velocity, (tnVec3){0.0f, 0.0f, 0.0f}).status == tn_ok &&
			tnWorld_Step(world, 1.0f / 60.0f).status == tn_ok;
		before = good && step == firstStep ? GetVolumeAhead(world, x, middle, push->yaw) : before;
	}
	if (!good)
	{
		tnDestroyWorld(world);
		return NAN;
	}
	const double slipped = before - GetVolumeAhead(world, x, middle, push->yaw);
	const double way = (double)push->speed * (pushSteps - firstStep) / 60.0;
	*hash = tnWorld_GetHash(world);
	*drift = tnWorld_GetLedger(world).drift;
	tnDestroyWorld(world);
	return 1.0 - slipped / (way * (double)(pushRows * s_cellSize * push->level));
}

static int MovingWallsPush(void)
{
	for (int seed = 0; seed < TEST_REPEATS(40); ++seed)
	{
		TestRandom random = TestMakeRandom((uint64_t)seed + 1000);
		const Push push = {
			.kind = (WallKind)PickFloat(&random, 0.0f, (float)capsuleWalls - 0.001f),
			.method = seed % methodCount,
			.thickness = s_cellSize * PickFloat(&random, 1.0f, 2.0f),
			.yaw = PickFloat(&random, -0.8f, 0.8f),
			.x = 8.0f + PickFloat(&random, -0.5f, 0.5f),
			.speed = PickFloat(&random, 0.3f, 1.5f),
			.level = PickFloat(&random, 0.5f, 1.5f),
			.reloadStep = (int)PickFloat(&random, -60.0f, 240.0f),
		};
		uint64_t hashes[2] = {0, 1};
		double drift;
		const double pushed = RunPush(&push, 0, hashes, &drift);
		// What sloshes through the cells that the wall covers in part.
		ENSURE_CLOSE(pushed, 1.0, 0.02);
		ENSURE(fabs(drift) < 1.0e-4);
		(void)RunPush(&push, 1, hashes + 1, &drift);
		ENSURE_EQUAL_HEX(hashes[1], hashes[0]);
	}
	return 0;
}

static const Test s_tests[] = {
	{"WallsAreTight", WallsAreTight},
	{"MovingWallsPush", MovingWallsPush},
};

const TestSuite thin_wallsSuite = TEST_SUITE("thin_walls", s_tests);
