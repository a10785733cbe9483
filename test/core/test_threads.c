// SPDX-License-Identifier: MIT

// Small worlds with all layers on, stepped by different numbers of workers side by side: the same bits after each step,
// and nothing for the thread sanitizer to find.

#include "busy_world.h"
#include "voxel_kit.h"

#include <stdio.h>
#include <string.h>

static const int s_workerCounts[] = {1, 2, 3, 7};

enum
{
	twinCount = sizeof(s_workerCounts) / sizeof(s_workerCounts[0]),
};

// ---------------------------------------------------------------------------------------------------------------------
// Columns

// What has been going on in all of them: a comparison of still water would prove nothing.
typedef struct Bustle
{
	int64_t born;
	int breakers, moving, pushed, foamy;
} Bustle;

static void WatchBustle(const BusyWorld* busy, Bustle* bustle)
{
	bustle->breakers += tnWorld_GetBreakers(busy->world).count;
	tnWaveStats waves = {0};
	if (busy->def.waves.enable && tnWorld_GetWaveStats(busy->world, &waves).status == tn_ok)
	{
		bustle->moving += waves.movingCounts[0];
	}
	const tnFieldView foam = tnWorld_GetFoam(busy->world);
	for (int i = 0; foam.data != NULL && i < foam.columnCount; ++i)
	{
		bustle->foamy += foam.data[foam.rowCount / 2 * foam.stride + i] > 0.0f;
	}
	for (int i = 0; i < busy->bodyCount; ++i)
	{
		tnWrench wrench = {0};
		(void)tnWorld_GetBodyWrench(busy->world, busy->bodies[i], &wrench);
		bustle->pushed += wrench.force.x != 0.0f;
	}
}

static int CompareTwins(uint64_t seed, int stepCount, bool take, Bustle* bustle)
{
	BusyWorld twins[twinCount];
	for (int i = 0; i < twinCount; ++i)
	{
		ENSURE(MakeBusyWorld(twins + i, seed, s_workerCounts[i], take));
	}
	for (int step = 0; step < stepCount; ++step)
	{
		for (int i = 0; i < twinCount; ++i)
		{
			ENSURE_OK(StepBusyWorld(twins + i));
			if (tnWorld_GetHash(twins[i].world) != tnWorld_GetHash(twins[0].world))
			{
				printf("seed %d, step %d: %d workers have other bits\n", (int)seed, step, s_workerCounts[i]);
				ENSURE_EQUAL_HEX(tnWorld_GetHash(twins[i].world), tnWorld_GetHash(twins[0].world));
			}
			for (int body = 0; body < twins[i].bodyCount; ++body)
			{
				tnWrench mine, first;
				ENSURE_OK(tnWorld_GetBodyWrench(twins[i].world, twins[i].bodies[body], &mine));
				ENSURE_OK(tnWorld_GetBodyWrench(twins[0].world, twins[0].bodies[body], &first));
				ENSURE(memcmp(&mine, &first, sizeof(mine)) == 0);
			}
		}
		WatchBustle(twins, bustle);
	}
	bustle->born += tnWorld_GetSprayStats(twins[0].world).bornCount;
	for (int i = 0; i < twinCount; ++i)
	{
		tnDestroyWorld(twins[i].world);
	}
	return 0;
}

static int BusyWorldsHaveOneHash(void)
{
	Bustle bustle = {0};
	for (int seed = 1; seed <= TEST_REPEATS(24); ++seed)
	{
		ENSURE_EQUAL_INT(CompareTwins((uint64_t)seed, 24, false, &bustle), 0);
	}
	ENSURE(bustle.born > 0 && bustle.breakers > 0 && bustle.moving > 0 && bustle.pushed > 0 && bustle.foamy > 0);
	return 0;
}

static int WavesOfTheFlowHaveOneHash(void)
{
	Bustle bustle = {0};
	for (int seed = 1; seed <= TEST_REPEATS(8); ++seed)
	{
		ENSURE_EQUAL_INT(CompareTwins((uint64_t)(1000 + seed), 25, true, &bustle), 0);
	}
	ENSURE(bustle.moving > 0);
	return 0;
}

// Shallow water in a world that wraps, with an odd number of tiles: those of the next coarser level reach over its edge.
static tnWorld* MakeRing(int workerCount, int tilesX, int tilesZ, bool wrapX, bool wrapZ)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = 4 * tilesX;
	def.rowCount = 4 * tilesZ;
	def.tasks.workerCount = workerCount;
	def.edges[tn_west].kind = def.edges[tn_east].kind = wrapX ? tn_wrapEdge : tn_wallEdge;
	def.edges[tn_north].kind = def.edges[tn_south].kind = wrapZ ? tn_wrapEdge : tn_wallEdge;
	def.waves.enable = true;
	def.waves.finerLevels = 4;
	def.waves.levelCount = 3;
	def.waves.tileCount = 64;
	tnWorld* world = NULL;
	if (tnCreateWorld(&def, &world).status == tn_ok)
	{
		// Shallow for all bands, so that each feeds the next finer one.
		(void)tnWorld_FillToLevel(world, 0.03f);
	}
	return world;
}

static int OddRingsHaveOneHash(void)
{
	for (int i = 0; i < TEST_REPEATS(12); ++i)
	{
		const int kind = i % 3;
		const bool wrapX = kind != 1;
		const bool wrapZ = kind != 0;
		const int tilesX = i % 2 == 0 ? 3 : 1 + 2 * (i % 3);
		const int tilesZ = i / 3 % 2 == 0 ? 3 : 1;
		tnWorld* twins[twinCount];
		for (int k = 0; k < twinCount; ++k)
		{
			twins[k] = MakeRing(s_workerCounts[k], tilesX, tilesZ, wrapX, wrapZ);
			ENSURE(twins[k] != NULL);
		}
		TestRandom random = TestMakeRandom((uint64_t)i);
		for (int step = 0; step < 24; ++step)
		{
			const tnWaveDrop drop = {{TestRandomFloat(&random, 0.0f, 4.0f * (float)tilesX),
										 TestRandomFloat(&random, 0.0f, 4.0f * (float)tilesZ)},
				0.05f};
			for (int k = 0; k < twinCount; ++k)
			{
				ENSURE_OK(tnWorld_AddDrops(twins[k], &drop, 1));
				ENSURE_OK(tnWorld_Step(twins[k], 1.0f / 60.0f));
				ENSURE_EQUAL_HEX(tnWorld_GetHash(twins[k]), tnWorld_GetHash(twins[0]));
			}
		}
		for (int k = 0; k < twinCount; ++k)
		{
			tnDestroyWorld(twins[k]);
		}
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Voxels

typedef struct Vessel
{
	tnVoxelWorld* world;
	TestRandom random;
	tnBodyId body;
} Vessel;

static bool MakeVessel(Vessel* vessel, uint64_t seed, int workerCount)
{
	*vessel = (Vessel){.random = TestMakeRandom(seed)};
	TestRandom* random = &vessel->random;
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.liquidCount = 2;
	def.liquids[1].density = 800.0f;
	def.liquids[1].viscosity = TestRandomInt(random, 1, 3);
	def.rules = IsBusyChance(random, 3) ? tn_basicRules : def.rules;
	def.levelInterval = TestRandomInt(random, 1, 8);
	def.tasks.workerCount = workerCount;
	vessel->world = MakeRock(&def);
	bool ok = vessel->world != NULL;
	// Rooms that touch each other, over several chunks.
	for (int i = 0; i < 12 && ok; ++i)
	{
		const int x = TestRandomInt(random, 1, 60), y = TestRandomInt(random, 1, 40), z = TestRandomInt(random, 1, 60);
		const tnVoxelBox box = VoxelBox(x, y, z, x + TestRandomInt(random, 4, 30), y + TestRandomInt(random, 4, 24),
			z + TestRandomInt(random, 4, 30));
		ok = tnVoxelWorld_FillSolid(vessel->world, box, 0).status == tn_ok;
		ok = ok &&
			tnVoxelWorld_AddLiquid(
				vessel->world, box, TestRandomInt(random, 1, 2), TestRandomInt(random, 0, 1023), NULL)
					.status == tn_ok;
	}
	tnReactionDef reaction = tnDefaultReactionDef();
	reaction.first = 1;
	reaction.second = 2;
	ok = ok && (!IsBusyChance(random, 3) || tnVoxelWorld_SetReaction(vessel->world, &reaction).status == tn_ok);
	tnShapeDef shape = tnDefaultShapeDef();
	tnBodyDef body = tnDefaultBodyDef();
	body.shapes = &shape;
	body.shapeCount = 1;
	body.pose.position = (tnVec3){20.0f, 15.0f, 20.0f};
	return ok && tnVoxelWorld_CreateBody(vessel->world, &body, &vessel->body).status == tn_ok;
}

static tnResult StepVessel(Vessel* vessel)
{
	TestRandom* random = &vessel->random;
	const int x = TestRandomInt(random, 0, 80), y = TestRandomInt(random, 0, 60), z = TestRandomInt(random, 0, 80);
	const tnVoxelBox box = VoxelBox(x, y, z, x + 3, y + 3, z + 3);
	const tnVec3 place = {(float)x * 0.75f, (float)y * 0.75f, (float)z * 0.75f};
	tnResult result = {.status = tn_ok};
	switch (TestRandomInt(random, 0, 3))
	{
		case 0:
			result = tnVoxelWorld_FillSolid(vessel->world, box, IsBusyChance(random, 2) ? 0 : 100);
			break;
		case 1:
			result = tnVoxelWorld_AddLiquid(vessel->world, box, TestRandomInt(random, 1, 2), 500, NULL);
			break;
		case 2:
		{
			const tnPose pose = {place, {0.0f, 0.0f, 0.0f, 1.0f}};
			const tnVec3 velocity = {0.0f, -1.0f, 0.0f};
			result = tnVoxelWorld_MoveBody(vessel->world, vessel->body, &pose, velocity, (tnVec3){0.0f, 0.0f, 0.0f});
			break;
		}
		default:
		{
			tnVoxelSample sample;
			result = tnVoxelWorld_Sample(vessel->world, place, &sample);
			break;
		}
	}
	return result.status == tn_ok ? tnVoxelWorld_Step(vessel->world, IsBusyChance(random, 5) ? 20000 : 0) : result;
}

static int VoxelsHaveOneHash(void)
{
	for (int seed = 1; seed <= TEST_REPEATS(6); ++seed)
	{
		Vessel twins[twinCount];
		for (int i = 0; i < twinCount; ++i)
		{
			ENSURE(MakeVessel(twins + i, (uint64_t)seed, s_workerCounts[i]));
		}
		for (int step = 0; step < 30; ++step)
		{
			for (int i = 0; i < twinCount; ++i)
			{
				ENSURE_OK(StepVessel(twins + i));
				ENSURE_EQUAL_HEX(tnVoxelWorld_GetHash(twins[i].world), tnVoxelWorld_GetHash(twins[0].world));
			}
		}
		for (int i = 0; i < twinCount; ++i)
		{
			tnDestroyVoxelWorld(twins[i].world);
		}
	}
	return 0;
}

static const Test s_tests[] = {
	{"BusyWorldsHaveOneHash", BusyWorldsHaveOneHash},
	{"WavesOfTheFlowHaveOneHash", WavesOfTheFlowHaveOneHash},
	{"OddRingsHaveOneHash", OddRingsHaveOneHash},
	{"VoxelsHaveOneHash", VoxelsHaveOneHash},
};

const TestSuite threadsSuite = TEST_SUITE("threads", s_tests);
