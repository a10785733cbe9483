// SPDX-License-Identifier: MIT

// What a world did before it went back must not matter: memory in which bodies, foam and waves were holds numbers of what never
// happened, and none of them may be read. Worlds of several tiles with thin bodies that come, move fast and go.

#include "busy_world.h"
#include "snapshot_kit.h"

#include <stdio.h>

enum
{
	undoneSteps = 44,
	undoneBodies = 4,
};

// What the host has in its hands, and goes back with the world.
typedef struct UndoneHost
{
	tnBodyId bodies[undoneBodies];
	tnPose poses[undoneBodies];
	tnVec3 velocities[undoneBodies];
} UndoneHost;

static const int s_side = 130;

static tnWorld* MakeUndoneWorld(uint64_t seed)
{
	TestRandom random = TestMakeRandom(seed);
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = s_side, def.rowCount = s_side;
	def.method = (tnMethod)TestRandomInt(&random, 0, tn_methodCount - 1);
	def.foam.enable = true;
	def.sleepSpeed = 0.01f;
	def.sleepTime = 0.1f;
	def.spray.enable = IsBusyChance(&random, 2);
	def.tasks.workerCount = 1;
	tnWorld* world = NULL;
	if (tnCreateWorld(&def, &world).status != tn_ok)
	{
		return NULL;
	}
	static float bed[130 * 130];
	const int stripe = TestRandomInt(&random, 3, 12);
	for (int i = 0; i < s_side * s_side; ++i)
	{
		const bool high = (i % s_side / stripe + i / s_side / stripe) % 3 == 0;
		bed[i] = (high ? 1.5f : 0.0f) + TestRandomFloat(&random, 0.0f, 0.2f);
	}
	const bool ok = tnWorld_SetTerrain(world, bed).status == tn_ok &&
		tnWorld_FillToLevel(world, TestRandomFloat(&random, 0.3f, 1.2f)).status == tn_ok;
	if (!ok)
	{
		tnDestroyWorld(world);
	}
	return ok ? world : NULL;
}

// Boards and boxes, some of them thinner than a cell.
static tnResult MakeUndoneBody(tnWorld* world, UndoneHost* host, int slot, TestRandom* random)
{
	tnShapeDef shape = tnDefaultShapeDef();
	shape.halfExtents = (tnVec3){
		TestRandomFloat(random, 0.3f, 3.0f), TestRandomFloat(random, 0.3f, 1.2f), TestRandomFloat(random, 0.3f, 3.0f)};
	tnBodyDef def = tnDefaultBodyDef();
	def.shapes = &shape;
	def.shapeCount = 1;
	def.mode = tn_blockingBody;
	def.pose.position = (tnVec3){TestRandomFloat(random, 40.0f, 90.0f), TestRandomFloat(random, 0.4f, 1.6f),
		TestRandomFloat(random, 40.0f, 90.0f)};
	def.pose.rotation = (tnQuat){0.0f, TestRandomFloat(random, -1.0f, 1.0f), 0.0f, 1.0f};
	host->poses[slot] = def.pose;
	host->velocities[slot] = (tnVec3){TestRandomFloat(random, -6.0f, 6.0f), 0.0f, TestRandomFloat(random, -6.0f, 6.0f)};
	return tnWorld_CreateBody(world, &def, &host->bodies[slot]);
}

// What happens in a step, which follows from its number and a seed alone.
static tnResult StepUndoneWorld(tnWorld* world, UndoneHost* host, uint64_t seed, int step)
{
	TestRandom random = TestMakeRandom(seed * 1000003u + (uint64_t)step);
	tnResult result = {.status = tn_ok};
	for (int i = 0; i < undoneBodies && result.status == tn_ok; ++i)
	{
		if (!tnBody_IsValid(world, host->bodies[i]))
		{
			result = IsBusyChance(&random, 6) ? MakeUndoneBody(world, host, i, &random) : result;
			continue;
		}
		if (IsBusyChance(&random, 14))
		{
			result = tnWorld_DestroyBody(world, host->bodies[i]);
			continue;
		}
		tnPose* pose = host->poses + i;
		pose->position.x += host->velocities[i].x / 60.0f;
		pose->position.z += host->velocities[i].z / 60.0f;
		result = tnWorld_MoveBody(world, host->bodies[i], pose, host->velocities[i], (tnVec3){0.0f, 0.5f, 0.0f});
	}
	const tnVec2 place = {TestRandomFloat(&random, 30.0f, 100.0f), TestRandomFloat(&random, 30.0f, 100.0f)};
	if (result.status == tn_ok && IsBusyChance(&random, 3))
	{
		result = tnWorld_AddImpulse(world, place, 3.0f,
			(tnVec2){TestRandomFloat(&random, -3.0e4f, 3.0e4f), TestRandomFloat(&random, -3.0e4f, 3.0e4f)});
	}
	if (result.status == tn_ok && IsBusyChance(&random, 6))
	{
		result = tnWorld_AddFoam(world, place, 2.0f, 1.0f);
	}
	return result.status == tn_ok ? tnWorld_Step(world, 1.0f / 60.0f) : result;
}

// A world that goes straight on, and one that does something else again and again, goes back and does what the other did.
static int CompareUndone(uint64_t seed)
{
	uint64_t hashes[undoneSteps + 1];
	tnWorld* straight = MakeUndoneWorld(seed);
	tnWorld* world = MakeUndoneWorld(seed);
	ENSURE(straight != NULL && world != NULL);
	UndoneHost host = {0};
	for (int i = 0; i < undoneSteps; ++i)
	{
		ENSURE_OK(StepUndoneWorld(straight, &host, seed, i));
		hashes[i + 1] = tnWorld_GetHash(straight);
	}
	tnDestroyWorld(straight);
	TestRandom random = TestMakeRandom(seed * 31u);
	host = (UndoneHost){0};
	for (int i = 0; i < undoneSteps;)
	{
		Bytes bytes;
		ENSURE(SaveWorld(world, &bytes));
		const UndoneHost saved = host;
		// By turns the same steps ahead of time, and others.
		const uint64_t other = IsBusyChance(&random, 2) ? seed : seed + 1000u;
		const int detour = TestRandomInt(&random, 4, 24);
		for (int k = 0; k < detour; ++k)
		{
			ENSURE_OK(StepUndoneWorld(world, &host, other, i + k));
		}
		ENSURE_OK(tnWorld_Restore(world, bytes.data, bytes.size));
		FreeBytes(&bytes);
		host = saved;
		for (int k = TestRandomInt(&random, 2, 8); k > 0 && i < undoneSteps; --k, ++i)
		{
			ENSURE_OK(StepUndoneWorld(world, &host, seed, i));
			ENSURE_EQUAL_HEX(tnWorld_GetHash(world), hashes[i + 1]);
		}
	}
	tnDestroyWorld(world);
	return 0;
}

static int LeavesNothingBehind(void)
{
	for (uint64_t seed = 1; seed <= (uint64_t)TEST_REPEATS(60); ++seed)
	{
		if (CompareUndone(seed) != 0)
		{
			printf("seed %llu\n", (unsigned long long)seed);
			return 1;
		}
	}
	return 0;
}

static const Test s_tests[] = {
	{"LeavesNothingBehind", LeavesNothingBehind},
};

const TestSuite undoneSuite = TEST_SUITE("undone", s_tests);
