// SPDX-License-Identifier: MIT

// Whatever a host asks for, if it is accepted then what bodies and queries give back is a number, and in the range that the
// headers say: needles and sheets, grains and giants, masses near zero and near infinity, poses far away, motion as fast as
// it may be, steps of any length, and edits between steps.

#include "harness.h"
#include "tarn/tarn.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum
{
	sideCount = 21,
	bodyLimit = 4,
};

static float PickPower(TestRandom* random, float low, float high)
{
	return expf(TestRandomFloat(random, logf(low), logf(high)));
}

static tnVec3 PickVector(TestRandom* random, float size)
{
	return (tnVec3){TestRandomFloat(random, -size, size), TestRandomFloat(random, -size, size),
		TestRandomFloat(random, -size, size)};
}

static bool IsNumber(tnVec3 v)
{
	return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

typedef struct Pool
{
	tnWorld* world;
	tnBodyId bodies[bodyLimit];
	// From the centre of mass to the furthest point of each, m.
	float radii[bodyLimit];
	int bodyCount;
	bool wraps; // in both ways
} Pool;

static float GetRadius(const tnWorld* world, tnBodyId id)
{
	tnBodyMesh mesh;
	float square = 0.0f;
	if (tnWorld_GetBodyMesh(world, id, &mesh).status == tn_ok)
	{
		for (int i = 0; i < mesh.pointCount; ++i)
		{
			const tnVec3 p = mesh.points[i];
			square = fmaxf(square, p.x * p.x + p.y * p.y + p.z * p.z);
		}
	}
	return sqrtf(square);
}

static void AddBody(Pool* pool, TestRandom* random, bool absurd)
{
	tnShapeDef shapes[2] = {tnDefaultShapeDef(), tnDefaultShapeDef()};
	const float low = absurd ? 1.0e-4f : 0.02f;
	const float high = absurd ? 1.0e5f : 20.0f;
	for (int i = 0; i < 2; ++i)
	{
		shapes[i].kind = (tnShapeKind)TestRandomInt(random, 0, tn_cylinderShape);
		shapes[i].halfExtents =
			(tnVec3){PickPower(random, low, high), PickPower(random, low, high), PickPower(random, low, high)};
		shapes[i].radius = PickPower(random, low, high);
		shapes[i].halfLength = PickPower(random, low, high);
		shapes[i].pose.position = PickVector(random, absurd && TestRandomInt(random, 0, 3) == 0 ? 1.0e5f : 2.0f);
		shapes[i].pose.rotation = (tnQuat){TestRandomFloat(random, -1.0f, 1.0f), 0.3f, 0.1f, 1.0f};
	}
	tnBodyDef def = tnDefaultBodyDef();
	def.shapes = shapes;
	def.shapeCount = TestRandomInt(random, 1, 2);
	const float masses[] = {1.0e-30f, 1.0e-6f, 500.0f, 1.0e12f, 1.0e30f, FLT_MAX, INFINITY};
	def.mass = masses[TestRandomInt(random, 0, 6)];
	def.mode = (tnBodyMode)TestRandomInt(random, 0, tn_bodyModeCount - 1);
	def.pressureDrag = TestRandomInt(random, 0, 1) == 0 ? PickPower(random, 0.01f, 1000.0f) : 0.0f;
	def.skinFriction = TestRandomInt(random, 0, 1) == 0 ? PickPower(random, 0.001f, 1000.0f) : 0.0f;
	def.damping = TestRandomInt(random, 0, 2) == 0 ? 0.0f : PickPower(random, 0.01f, 1000.0f);
	def.creepSpeed = TestRandomInt(random, 0, 2) == 0 ? 0.0f : PickPower(random, 0.01f, 1000.0f);
	def.suction = TestRandomFloat(random, 0.0f, 1.0f);
	def.pose.position = (tnVec3){TestRandomFloat(random, -2.0f, 23.0f), TestRandomFloat(random, -1.0f, 4.0f),
		TestRandomFloat(random, -2.0f, 23.0f)};
	tnBodyId id;
	if (tnWorld_CreateBody(pool->world, &def, &id).status == tn_ok)
	{
		pool->radii[pool->bodyCount] = GetRadius(pool->world, id);
		pool->bodies[pool->bodyCount] = id;
		pool->bodyCount += 1;
	}
}

static void MoveBodies(Pool* pool, TestRandom* random, bool absurd)
{
	for (int i = 0; i < pool->bodyCount; ++i)
	{
		tnPose pose = {.rotation = {TestRandomFloat(random, -1.0f, 1.0f), TestRandomFloat(random, -1.0f, 1.0f),
						   TestRandomFloat(random, -1.0f, 1.0f), 1.01f}};
		const bool far = absurd && TestRandomInt(random, 0, 5) == 0;
		pose.position = far ? PickVector(random, 1.0e6f)
							: (tnVec3){TestRandomFloat(random, -2.0f, 23.0f), TestRandomFloat(random, -1.0f, 4.0f),
								  TestRandomFloat(random, -2.0f, 23.0f)};
		const tnVec3 velocity = PickVector(random, absurd ? PickPower(random, 0.1f, 1.0e4f) : 3.0f);
		const tnVec3 spin = PickVector(random, absurd ? PickPower(random, 0.1f, 1.0e4f) : 3.0f);
		(void)tnWorld_MoveBody(pool->world, pool->bodies[i], &pose, velocity, spin);
	}
}

static int CheckBody(const tnWorld* world, tnBodyId id, float radius)
{
	tnWrench wrench;
	tnBodyState state;
	ENSURE_OK(tnWorld_GetBodyWrench(world, id, &wrench));
	ENSURE_OK(tnWorld_GetBodyState(world, id, &state));
	ENSURE(IsNumber(wrench.force) && IsNumber(wrench.torque));
	ENSURE(IsNumber(state.pressure) && IsNumber(state.drag));
	ENSURE(IsNumber(state.waveForce) && IsNumber(state.sprayForce));
	ENSURE(IsNumber(state.pressureTorque) && IsNumber(state.dragTorque));
	ENSURE(IsNumber(state.waveTorque) && IsNumber(state.sprayTorque));
	ENSURE(isfinite(state.current.x) && isfinite(state.current.z));
	ENSURE(isfinite(state.volume) && state.volume > 0.0f);
	ENSURE_CLOSE(state.submergedVolume, 0.5f * state.volume, 0.5f * state.volume);
	ENSURE(state.waterlineArea >= 0.0f && isfinite(state.waterlineArea) && isfinite(state.waterlineHeight));
	ENSURE(state.mode == tn_blockingBody || state.mode == tn_floatingBody);
	// Of the last step, so of the pose that it had then, which is the one it still has.
	const tnVec3 p = state.pose.position, c = state.buoyancyCenter;
	const float reach = 1.001f * 2.0f * radius + 1.0e-6f * (fabsf(p.x) + fabsf(p.y) + fabsf(p.z));
	ENSURE(fabsf(c.x - p.x) <= reach && fabsf(c.z - p.z) <= reach && isfinite(c.y));
	tnVec3 line[64];
	int count;
	ENSURE_OK(tnWorld_CopyWaterline(world, id, line, 64, &count));
	for (int i = 0; i < count && i < 64; ++i)
	{
		ENSURE(IsNumber(line[i]));
	}
	return 0;
}

static int CheckSample(const tnSample* sample)
{
	ENSURE(isfinite(sample->surface) && isfinite(sample->bed) && sample->depth >= 0.0f && isfinite(sample->depth));
	ENSURE(sample->surface >= sample->bed);
	ENSURE(isfinite(sample->velocity.x) && isfinite(sample->velocity.z) && IsNumber(sample->normal));
	const tnVec3 n = sample->normal;
	ENSURE_CLOSE(n.x * n.x + n.y * n.y + n.z * n.z, 1.0f, 1.0e-4f);
	ENSURE(n.y >= 0.0f);
	ENSURE(sample->foam >= 0.0f && sample->foam <= 1.0f);
	for (int i = 0; i < TN_MAX_TRACERS; ++i)
	{
		ENSURE(sample->tracers[i] >= 0.0f && sample->tracers[i] <= 1.0001f);
	}
	return 0;
}

static int CheckWater(const tnWorld* world, TestRandom* random)
{
	static float surface[sideCount * sideCount];
	ENSURE_OK(tnWorld_CopySurface(world, 1.0f, surface));
	const tnFieldView bed = tnWorld_GetBed(world);
	const tnFieldView depth = tnWorld_GetDepth(world);
	for (int i = 0; i < sideCount * sideCount; ++i)
	{
		const int at = i / sideCount * bed.stride + i % sideCount;
		ENSURE(isfinite(surface[i]) && surface[i] >= bed.data[at]);
		ENSURE(depth.data[at] >= 0.0f && isfinite(depth.data[at]));
	}
	for (int i = 0; i < 60; ++i)
	{
		const tnVec2 place = {TestRandomFloat(random, -1.0f, 22.0f), TestRandomFloat(random, -1.0f, 22.0f)};
		const tnSample sample = tnWorld_Sample(world, place);
		ENSURE_EQUAL_INT(CheckSample(&sample), 0);
	}
	return 0;
}

// Both sides of a wrapped edge are one face.
static int CheckSeams(const tnWorld* world)
{
	static float x[(sideCount + 1) * sideCount], z[sideCount * (sideCount + 1)];
	ENSURE_OK(tnWorld_CopyDischarge(world, x, z));
	for (int i = 0; i < sideCount; ++i)
	{
		ENSURE(x[i * (sideCount + 1)] == x[i * (sideCount + 1) + sideCount]);
		ENSURE(z[i] == z[sideCount * sideCount + i]);
	}
	return 0;
}

static tnWorld* MakeWorld(TestRandom* random, bool wraps)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = sideCount;
	def.rowCount = sideCount;
	def.method = (tnMethod)TestRandomInt(random, 0, tn_methodCount - 1);
	def.advection = (tnAdvection)TestRandomInt(random, 0, tn_advectionCount - 1);
	def.tracerCount = TestRandomInt(random, 0, 1);
	def.spray.enable = TestRandomInt(random, 0, 2) == 0;
	def.spray.capacity = 256;
	def.foam.enable = TestRandomInt(random, 0, 2) == 0;
	def.waves.enable = TestRandomInt(random, 0, 4) == 0;
	def.waves.tileCount = 8;
	def.waves.levelCount = 3;
	def.waves.finerLevels = 1;
	def.waves.kernel = tn_quickWaves;
	def.keepDischarge = TestRandomInt(random, 0, 3) == 0;
	for (int side = 0; side < tn_sideCount && wraps; ++side)
	{
		def.edges[side].kind = tn_wrapEdge;
	}
	tnWorld* world = NULL;
	(void)tnCreateWorld(&def, &world);
	return world;
}

static void EditWater(tnWorld* world, TestRandom* random)
{
	static float heights[sideCount * sideCount];
	for (int i = 0; i < sideCount * sideCount; ++i)
	{
		heights[i] = TestRandomFloat(random, 0.0f, 1.0f);
	}
	const int what = TestRandomInt(random, 0, 5);
	if (what == 0 || what == 1)
	{
		(void)tnWorld_SetTerrain(world, heights);
	}
	if (what == 1 || what == 2)
	{
		(void)tnWorld_FillToLevel(world, TestRandomFloat(random, 0.0f, 3.0f));
	}
	if (what == 1 || what == 3)
	{
		// Next to no water, or none, below bodies that have just stood in some.
		const float most = ldexpf(1.0f, -TestRandomInt(random, 0, 160));
		for (int i = 0; i < sideCount * sideCount; ++i)
		{
			heights[i] = TestRandomInt(random, 0, 2) == 0 ? 0.0f : ldexpf(most, -TestRandomInt(random, 0, 40));
		}
		(void)tnWorld_SetDepths(world, heights);
	}
	if (what == 4)
	{
		(void)tnWorld_SetTracer(world, 0, heights);
	}
}

static void ChangeEdges(Pool* pool, TestRandom* random)
{
	tnEdgeDef edges[tn_sideCount];
	const bool wraps = !pool->wraps;
	for (int side = 0; side < tn_sideCount; ++side)
	{
		edges[side] = tnDefaultEdgeDef();
		edges[side].kind = wraps ? tn_wrapEdge : (tnEdgeKind)TestRandomInt(random, tn_wallEdge, tn_levelEdge);
		edges[side].level = TestRandomFloat(random, 0.0f, 3.0f);
	}
	pool->wraps = tnWorld_SetEdges(pool->world, edges).status == tn_ok ? wraps : pool->wraps;
}

static int RunPool(uint64_t seed, bool absurd)
{
	TestRandom random = TestMakeRandom(seed);
	Pool pool = {.wraps = TestRandomInt(&random, 0, 2) == 0};
	pool.world = MakeWorld(&random, pool.wraps);
	ENSURE(pool.world != NULL);
	ENSURE_OK(tnWorld_FillToLevel(pool.world, TestRandomFloat(&random, 0.0f, 3.0f)));
	const int wanted = TestRandomInt(&random, 1, bodyLimit);
	for (int i = 0; i < wanted; ++i)
	{
		AddBody(&pool, &random, absurd);
	}
	const float timeStep = absurd ? PickPower(&random, 1.0e-4f, 1.0f) : 1.0f / 60.0f;
	for (int step = 0; step < 12; ++step)
	{
		MoveBodies(&pool, &random, absurd);
		ENSURE_OK(tnWorld_Step(pool.world, timeStep));
		for (int i = 0; i < pool.bodyCount; ++i)
		{
			ENSURE_EQUAL_INT(CheckBody(pool.world, pool.bodies[i], pool.radii[i]), 0);
		}
		ENSURE_EQUAL_INT(CheckWater(pool.world, &random), 0);
		ENSURE_EQUAL_INT(pool.wraps ? CheckSeams(pool.world) : 0, 0);
		EditWater(pool.world, &random);
		if (TestRandomInt(&random, 0, 5) == 0)
		{
			ChangeEdges(&pool, &random);
		}
		ENSURE_EQUAL_INT(CheckWater(pool.world, &random), 0);
	}
	tnDestroyWorld(pool.world);
	return 0;
}

static int OrdinaryBodies(void)
{
	for (int seed = 0; seed < TEST_REPEATS(60); ++seed)
	{
		ENSURE_EQUAL_INT(RunPool((uint64_t)seed, false), 0);
	}
	return 0;
}

static int AbsurdBodies(void)
{
	for (int seed = 0; seed < TEST_REPEATS(120); ++seed)
	{
		ENSURE_EQUAL_INT(RunPool(7000u + (uint64_t)seed, true), 0);
	}
	return 0;
}

// A needle and a sheet, deep below: what is below the water is all of them, and carries what it displaces.
static int ThinBodiesFloat(void)
{
	const tnVec3 sizes[] = {{1.0e-3f, 5.0f, 1.0e-3f}, {5.0f, 1.0e-4f, 5.0f}, {2.0e-4f, 2.0e-4f, 8.0f}};
	for (int i = 0; i < 3; ++i)
	{
		for (int turn = 0; turn < 8; ++turn)
		{
			tnWorldDef worldDef = tnDefaultWorldDef();
			worldDef.columnCount = 32;
			worldDef.rowCount = 32;
			tnWorld* world = NULL;
			ENSURE_OK(tnCreateWorld(&worldDef, &world));
			ENSURE_OK(tnWorld_FillToLevel(world, 40.0f));
			tnShapeDef shape = tnDefaultShapeDef();
			shape.halfExtents = sizes[i];
			tnBodyDef def = tnDefaultBodyDef();
			def.shapes = &shape;
			def.shapeCount = 1;
			def.pose.position = (tnVec3){16.2f, 20.0f, 15.7f};
			def.pose.rotation = (tnQuat){0.1f * (float)turn, 0.3f, 0.05f * (float)turn, 1.0f};
			tnBodyId id;
			ENSURE_OK(tnWorld_CreateBody(world, &def, &id));
			ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
			tnBodyState state;
			ENSURE_OK(tnWorld_GetBodyState(world, id, &state));
			ENSURE(state.submergedVolume <= state.volume);
			ENSURE_CLOSE(state.submergedVolume, state.volume, 0.02f * state.volume);
			ENSURE_CLOSE(state.pressure.y, 9810.0f * state.volume, 0.05f * 9810.0f * state.volume);
			tnDestroyWorld(world);
		}
	}
	return 0;
}

// Water that may take fewer sub-steps than it needs moves slower, also around bodies that drag it along: what they feel of it is
// never more than a few meters of it.
static int CappedStepsAreStable(void)
{
	static float depths[sideCount * sideCount];
	for (int seed = 0; seed < TEST_REPEATS(400); ++seed)
	{
		TestRandom random = TestMakeRandom(500u + (uint64_t)seed);
		tnWorldDef worldDef = tnDefaultWorldDef();
		worldDef.columnCount = TestRandomInt(&random, 4, 9);
		worldDef.rowCount = TestRandomInt(&random, 4, 9);
		worldDef.cellSize = TestRandomFloat(&random, 0.2f, 1.0f);
		worldDef.gravity = PickPower(&random, 10.0f, 1000.0f);
		worldDef.method = (tnMethod)TestRandomInt(&random, 0, tn_methodCount - 1);
		worldDef.maxSubSteps = TestRandomInt(&random, 1, 3);
		tnEdgeDef* edge = worldDef.edges + TestRandomInt(&random, 0, 3);
		edge->kind = tn_absorbEdge;
		edge->level = 2.0f;
		edge->spongeWidth = 1;
		tnWorld* world;
		ENSURE_OK(tnCreateWorld(&worldDef, &world));
		const bool wet = TestRandomInt(&random, 0, 1) == 0;
		for (int i = 0; i < worldDef.columnCount * worldDef.rowCount; ++i)
		{
			depths[i] = wet ? TestRandomFloat(&random, 1.5f, 2.5f) : 0.0f;
		}
		ENSURE_OK(tnWorld_SetDepths(world, depths));
		tnShapeDef shape = tnDefaultShapeDef();
		shape.halfExtents = (tnVec3){worldDef.cellSize, TestRandomFloat(&random, 0.2f, 1.0f), worldDef.cellSize};
		tnBodyDef def = tnDefaultBodyDef();
		def.shapes = &shape;
		def.shapeCount = 1;
		def.mass = TestRandomInt(&random, 0, 1) == 0 ? INFINITY : 500.0f;
		def.mode = (tnBodyMode)TestRandomInt(&random, 0, tn_bodyModeCount - 1);
		def.pressureDrag = PickPower(&random, 0.3f, 30.0f);
		def.pose.position = (tnVec3){0.5f * worldDef.cellSize * (float)worldDef.columnCount, 2.0f,
			0.5f * worldDef.cellSize * (float)worldDef.rowCount};
		def.velocity = PickVector(&random, 1.0f);
		def.spin = PickVector(&random, 1.0f);
		tnBodyId id;
		ENSURE_OK(tnWorld_CreateBody(world, &def, &id));
		const float timeStep = PickPower(&random, 0.02f, 0.2f);
		for (int step = 0; step < 60; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, timeStep));
			tnBodyState state;
			ENSURE_OK(tnWorld_GetBodyState(world, id, &state));
			ENSURE(fabsf(state.waterlineHeight) < 6.0f);
			ENSURE(hypotf(state.current.x, state.current.z) < 1000.0f);
		}
		tnDestroyWorld(world);
	}
	return 0;
}

static const Test s_tests[] = {
	{"OrdinaryBodies", OrdinaryBodies},
	{"AbsurdBodies", AbsurdBodies},
	{"ThinBodiesFloat", ThinBodiesFloat},
	{"CappedStepsAreStable", CappedStepsAreStable},
};

const TestSuite body_outputsSuite = TEST_SUITE("body_outputs", s_tests);
