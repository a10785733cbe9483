// SPDX-License-Identifier: MIT

// Bodies in the water bring their own tiles of waves: what they feel does not hang on where somebody looks.

#include "harness.h"

#include <tarn/tarn.h>

#include <math.h>
#include <stdlib.h>

#define TIME_STEP (1.0f / 60.0f)

static tnWorld* CreateLake(int columns, int rows, float depth, int tileCount, tnMethod method)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columns;
	def.rowCount = rows;
	def.cellSize = 1.0f;
	def.method = method;
	def.maxSubSteps = 64;
	def.tasks.workerCount = 1;
	def.waves.enable = true;
	def.waves.tileCount = tileCount;
	def.waves.reserve = true;
	for (int side = 0; side < tn_sideCount; ++side)
	{
		def.edges[side].kind = tn_absorbEdge;
	}
	tnWorld* world = NULL;
	if (tnCreateWorld(&def, &world).status != tn_ok)
	{
		return NULL;
	}
	float* heights = malloc(sizeof(float) * (size_t)(columns * rows));
	for (int i = 0; i < columns * rows; ++i)
	{
		heights[i] = -depth;
	}
	tnWorld_SetTerrain(world, heights);
	tnWorld_FillToLevel(world, 0.0f);
	free(heights);
	return world;
}

static tnInterestId Look(tnWorld* world, float x, float z)
{
	tnInterestDef def = tnDefaultInterestDef();
	def.position = (tnVec2){x, z};
	tnInterestId id;
	tnWorld_CreateInterest(world, &def, &id);
	return id;
}

static tnBodyId AddRaft(tnWorld* world, tnVec2 place, tnVec3 half)
{
	tnShapeDef shape = tnDefaultShapeDef();
	shape.halfExtents = half;
	tnBodyDef def = tnDefaultBodyDef();
	def.shapes = &shape;
	def.shapeCount = 1;
	def.mass = 4000.0f * half.x * half.y * half.z;
	def.pose.position = (tnVec3){place.x, 0.0f, place.z};
	tnBodyId id = {0};
	tnWorld_CreateBody(world, &def, &id);
	return id;
}

static int GetFinest(const tnWorld* world, float x, float z)
{
	tnWaveSample sample = {0};
	tnWorld_SampleWaves(world, (tnVec2){x, z}, &sample);
	return sample.finestLevel;
}

enum
{
	STEP_COUNT = 300
};

// A raft is held where it is while something goes by it, and drops fall around it.
// @param look 0: at the raft, 1: far from it, 2: nowhere
static int FeelWaves(unsigned seed, int look, tnVec3 forces[STEP_COUNT])
{
	TestRandom random = TestMakeRandom(seed);
	tnWorld* world = CreateLake(181, 151, 3.0f + TestRandomFloat(&random, 0.0f, 9.0f), 200,
		TestRandomInt(&random, 0, 1) == 0 ? tn_pipeMethod : tn_shallowMethod);
	ENSURE(world != NULL);
	const tnVec2 raft = {TestRandomFloat(&random, 40.0f, 90.0f), TestRandomFloat(&random, 40.0f, 90.0f)};
	const tnVec3 half = {TestRandomFloat(&random, 0.6f, 3.0f), TestRandomFloat(&random, 0.2f, 0.6f),
		TestRandomFloat(&random, 0.6f, 2.0f)};
	const float aside = TestRandomFloat(&random, 6.0f, 14.0f);
	const float speed = TestRandomFloat(&random, 2.0f, 6.0f);
	const tnBodyId id = AddRaft(world, raft, half);
	if (look < 2)
	{
		Look(world, look == 0 ? raft.x : 170.0f, look == 0 ? raft.z : 140.0f);
	}
	tnWaveEllipse before = {0};
	for (int i = 0; i < STEP_COUNT; ++i)
	{
		const float way = speed * ((float)i * TIME_STEP - 2.5f);
		const tnWaveEllipse now = {{raft.x + way, raft.z + aside}, {1.0f, 0.0f}, {2.5f, 1.2f}, 0.3f};
		ENSURE_OK(tnWorld_AddWave(world, i > 0 ? &before : NULL, &now));
		before = now;
		if (i % 40 == 7)
		{
			const tnWaveDrop drop = {{raft.x - 4.0f, raft.z - 3.0f + 0.01f * (float)i}, 0.02f};
			ENSURE_OK(tnWorld_AddDrops(world, &drop, 1));
		}
		ENSURE_OK(tnWorld_Step(world, TIME_STEP));
		tnBodyState state;
		ENSURE_OK(tnWorld_GetBodyState(world, id, &state));
		forces[i] = state.waveForce;
	}
	ENSURE_EQUAL_INT(GetFinest(world, raft.x, raft.z), 0);
	tnDestroyWorld(world);
	return 0;
}

// The root of the mean square of forces, or of the difference of two.
static double MeasureForces(const tnVec3 a[STEP_COUNT], const tnVec3* b)
{
	double sum = 0.0;
	for (int i = 0; i < STEP_COUNT; ++i)
	{
		const double x = (double)a[i].x - (b != NULL ? (double)b[i].x : 0.0);
		const double y = (double)a[i].y - (b != NULL ? (double)b[i].y : 0.0);
		const double z = (double)a[i].z - (b != NULL ? (double)b[i].z : 0.0);
		sum += x * x + y * y + z * z;
	}
	return sqrt(sum / STEP_COUNT);
}

// Whether a player looks at a raft, elsewhere or there is none, it feels the same of what goes by.
static int LooksDoNotMatter(void)
{
	static tnVec3 forces[3][STEP_COUNT];
	double worst = 0.0;
	for (unsigned seed = 1; seed <= TEST_REPEATS(3); ++seed)
	{
		for (int look = 0; look < 3; ++look)
		{
			ENSURE(FeelWaves(seed, look, forces[look]) == 0);
		}
		const double force = MeasureForces(forces[0], NULL);
		ENSURE(force > 10.0);
		for (int look = 1; look < 3; ++look)
		{
			worst = fmax(worst, MeasureForces(forces[look], forces[0]) / force);
		}
	}
	// Measured 5e-5 with eight seeds.
	ENSURE(worst < 0.001);
	return 0;
}

static tnWorld* Reload(tnWorld* world)
{
	size_t size = 0;
	tnWorld_Save(world, NULL, 0, &size);
	void* bytes = malloc(size);
	tnWorld* made = NULL;
	if (tnWorld_Save(world, bytes, size, &size).status == tn_ok)
	{
		tnCreateWorldFrom(bytes, size, NULL, &made);
	}
	free(bytes);
	return made;
}

// Bodies that go from tile to tile, dive, fly off and are destroyed: tiles follow them, never more than there are, and a world
// that was saved at any step goes on with the same bits.
static int TilesFollowBodies(void)
{
	for (unsigned seed = 1; seed <= TEST_REPEATS(6); ++seed)
	{
		TestRandom random = TestMakeRandom(100 + seed);
		tnWorld* world =
			CreateLake(150 + TestRandomInt(&random, 0, 60), 130, 4.0f, TestRandomInt(&random, 20, 200), tn_pipeMethod);
		ENSURE(world != NULL);
		if (TestRandomInt(&random, 0, 1) == 0)
		{
			Look(world, TestRandomFloat(&random, 0.0f, 150.0f), TestRandomFloat(&random, 0.0f, 130.0f));
		}
		const int bodyCount = TestRandomInt(&random, 1, 5);
		tnBodyId ids[5];
		tnVec3 places[5], velocities[5];
		for (int i = 0; i < bodyCount; ++i)
		{
			const tnVec2 place = {TestRandomFloat(&random, 20.0f, 120.0f), TestRandomFloat(&random, 20.0f, 110.0f)};
			ids[i] = AddRaft(world, place,
				(tnVec3){TestRandomFloat(&random, 0.5f, 8.0f), 0.5f, TestRandomFloat(&random, 0.5f, 3.0f)});
			places[i] = (tnVec3){place.x, 0.0f, place.z};
			velocities[i] = (tnVec3){TestRandomFloat(&random, -20.0f, 20.0f), TestRandomFloat(&random, -2.0f, 4.0f),
				TestRandomFloat(&random, -20.0f, 20.0f)};
		}
		const int saveStep = TestRandomInt(&random, 20, 100);
		tnWorld* other = NULL;
		for (int step = 0; step < 160; ++step)
		{
			for (int twin = 0; twin < (other != NULL ? 2 : 1); ++twin)
			{
				tnWorld* w = twin == 0 ? world : other;
				for (int i = 0; i < bodyCount; ++i)
				{
					const float way = (float)step * TIME_STEP;
					const tnPose pose = {{places[i].x + way * velocities[i].x, places[i].y + way * velocities[i].y,
											 places[i].z + way * velocities[i].z},
						{0.0f, 0.0f, 0.0f, 1.0f}};
					if (i > 0 || step < 130)
					{
						ENSURE_OK(tnWorld_MoveBody(w, ids[i], &pose, velocities[i], (tnVec3){0.0f, 0.0f, 0.0f}));
					}
				}
				if (step == 130)
				{
					ENSURE_OK(tnWorld_DestroyBody(w, ids[0]));
				}
				ENSURE_OK(tnWorld_Step(w, TIME_STEP));
			}
			if (step == saveStep)
			{
				other = Reload(world);
				ENSURE(other != NULL);
			}
			ENSURE(other == NULL || tnWorld_GetHash(other) == tnWorld_GetHash(world));
			tnWaveStats stats;
			ENSURE_OK(tnWorld_GetWaveStats(world, &stats));
			int tileCount = 0;
			for (int level = 0; level < TN_MAX_WAVE_LEVELS; ++level)
			{
				tileCount += stats.tileCounts[level];
			}
			ENSURE(tileCount <= 200);
		}
		tnDestroyWorld(other);
		tnDestroyWorld(world);
	}
	return 0;
}

// A fleet that would take every tile leaves half of them to the player; a raft alone has the finest ones at once, and takes
// them along; on dry ground and high in the air it has none.
static int TilesAreShared(void)
{
	tnWorld* world = CreateLake(400, 400, 5.0f, 120, tn_pipeMethod);
	ENSURE(world != NULL);
	Look(world, 350.0f, 350.0f);
	ENSURE_OK(tnWorld_Step(world, TIME_STEP));
	ENSURE(GetFinest(world, 100.0f, 100.0f) > 0);
	ENSURE_EQUAL_INT(GetFinest(world, 350.0f, 350.0f), 0);
	const tnBodyId raft = AddRaft(world, (tnVec2){100.0f, 100.0f}, (tnVec3){1.0f, 0.5f, 1.0f});
	for (int i = 0; i < 9; ++i)
	{
		ENSURE_OK(tnWorld_Step(world, TIME_STEP));
	}
	ENSURE_EQUAL_INT(GetFinest(world, 100.0f, 100.0f), 0);
	const tnVec3 still = {0.0f, 0.0f, 0.0f};
	tnPose pose = {{200.0f, 0.0f, 90.0f}, {0.0f, 0.0f, 0.0f, 1.0f}};
	ENSURE_OK(tnWorld_MoveBody(world, raft, &pose, still, still));
	for (int i = 0; i < 90; ++i)
	{
		ENSURE_OK(tnWorld_Step(world, TIME_STEP));
	}
	ENSURE_EQUAL_INT(GetFinest(world, 200.0f, 90.0f), 0);
	ENSURE(GetFinest(world, 100.0f, 100.0f) > 0);
	pose.position.y = 30.0f;
	ENSURE_OK(tnWorld_MoveBody(world, raft, &pose, still, still));
	for (int i = 0; i < 90; ++i)
	{
		ENSURE_OK(tnWorld_Step(world, TIME_STEP));
	}
	ENSURE(GetFinest(world, 200.0f, 90.0f) > 0);
	for (int i = 0; i < 150; ++i)
	{
		AddRaft(world, (tnVec2){20.0f + 24.0f * (float)(i % 15), 20.0f + 26.0f * (float)(i / 15)},
			(tnVec3){1.0f, 0.5f, 1.0f});
	}
	for (int i = 0; i < 120; ++i)
	{
		ENSURE_OK(tnWorld_Step(world, TIME_STEP));
	}
	ENSURE_EQUAL_INT(GetFinest(world, 350.0f, 350.0f), 0);
	ENSURE(tnWorld_GetWaveTileCount(world) <= 120);
	tnDestroyWorld(world);
	return 0;
}

static const Test s_tests[] = {
	{"LooksDoNotMatter", LooksDoNotMatter},
	{"TilesFollowBodies", TilesFollowBodies},
	{"TilesAreShared", TilesAreShared},
};
const TestSuite wave_dealingSuite = TEST_SUITE("wave_dealing", s_tests);
