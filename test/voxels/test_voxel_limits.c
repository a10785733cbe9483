// SPDX-License-Identifier: MIT

// Limits of work and of memory: what is left over goes on later, nothing is lost, and all comes to the same rest.

#include "voxel_kit.h"

#include <stdlib.h>
#include <string.h>

enum
{
	maxNeighbourhood = 15 * TN_CHUNK_VOXELS,
	roomX = 117,
	roomY = 37,
	roomZ = 71,
	roomVoxels = roomX * roomY * roomZ,
};

// Rock from block (0, 0, 0) on.
static tnVoxelWorld* MakeRocks(const tnVoxelWorldDef* def, int blockCount)
{
	tnVoxelWorld* world = MakeRock(def);
	for (int i = 1; i < blockCount && world != NULL; ++i)
	{
		(void)tnVoxelWorld_LoadBlock(world, (tnVoxel){i, 0, 0});
		(void)tnVoxelWorld_FillSolid(
			world, VoxelBox(128 * i, 0, 0, 128 * (i + 1), TN_VOXEL_BLOCK, TN_VOXEL_BLOCK), TN_VOXEL_ROCK);
	}
	return world;
}

static tnVoxelBox GetRoom(void)
{
	return VoxelBox(70, 2, 5, 70 + roomX, 2 + roomY, 5 + roomZ);
}

// A room across the border of two blocks, with walls that have gaps at the bottom, pits, and a slope of partial ground. In
// the end water stands above all of it at one level.
static tnVoxelWorld* MakeRoom(int workerCount, int pointCount)
{
	static const tnVoxel points[3] = {{180, 9, 70}, {75, 30, 8}, {128, 2, 40}};
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.tasks.workerCount = workerCount;
	tnVoxelWorld* world = MakeRocks(&def, 2);
	if (world == NULL)
	{
		return NULL;
	}
	(void)tnVoxelWorld_FillSolid(world, GetRoom(), 0);
	for (int i = 0; i < 3; ++i)
	{
		const int x = 96 + 30 * i;
		const int gap = 6 + 25 * i;
		(void)tnVoxelWorld_FillSolid(world, VoxelBox(x, 2, 5, x + 2, 39, 76), TN_VOXEL_ROCK);
		(void)tnVoxelWorld_FillSolid(world, VoxelBox(x, 2, gap, x + 2, 5, gap + 9), 0);
		(void)tnVoxelWorld_FillSolid(world, VoxelBox(x + 7, 1, 20, x + 11, 2, 50), 0);
		(void)tnVoxelWorld_FillSolid(world, VoxelBox(x + 14, 2, 9, x + 17, 3, 60), 60 * (i + 1));
	}
	(void)tnVoxelWorld_AddLiquid(world, VoxelBox(70, 4, 5, 95, 39, 61), 1, 1021, NULL);
	(void)tnVoxelWorld_SetInterests(world, points, pointCount);
	return world;
}

static int EndsAsWithout(int64_t limit, int pointCount, const uint16_t* expected, int64_t volume)
{
	tnVoxelWorld* world = MakeRoom(2, pointCount);
	ENSURE(world != NULL);
	int steps = 0;
	for (; steps < 30000 && !tnVoxelWorld_IsAtRest(world); ++steps)
	{
		ENSURE_OK(tnVoxelWorld_Step(world, limit));
		ENSURE(tnVoxelWorld_GetStats(world).workedVoxelCount <= limit + maxNeighbourhood);
		// Counting all voxels takes longer than a step.
		if (steps < 100 || steps % 16 == 0)
		{
			ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(world, 1).drift, 0);
		}
	}
	ENSURE(tnVoxelWorld_IsAtRest(world));
	const tnVoxelLedger ledger = tnVoxelWorld_GetLedger(world, 1);
	ENSURE_EQUAL_INT(ledger.drift, 0);
	ENSURE_EQUAL_INT(ledger.waiting, 0);
	ENSURE_EQUAL_INT(ledger.volume, volume);
	static uint16_t amounts[roomVoxels];
	ENSURE_OK(tnVoxelWorld_Read(world, GetRoom(), NULL, amounts, NULL));
	int worst = 0;
	for (int i = 0; i < roomVoxels; ++i)
	{
		const int difference = abs(amounts[i] - expected[i]);
		worst = difference > worst ? difference : worst;
	}
	ENSURE(worst <= 1);
	tnDestroyVoxelWorld(world);
	return 0;
}

static int LimitsEndTheSame(void)
{
	tnVoxelWorld* world = MakeRoom(2, 0);
	ENSURE(world != NULL);
	ENSURE(RunToRest(world, 5000) >= 0);
	static uint16_t expected[roomVoxels];
	ENSURE_OK(tnVoxelWorld_Read(world, GetRoom(), NULL, expected, NULL));
	const int64_t volume = tnVoxelWorld_GetLedger(world, 1).volume;
	tnDestroyVoxelWorld(world);
	static const int64_t limits[6] = {1, 1024, 1024, 50000, 50000, 200000};
	static const int points[6] = {0, 0, 3, 0, 1, 3};
	for (int i = 0; i < 6; ++i)
	{
		if (EndsAsWithout(limits[i], points[i], expected, volume) != 0)
		{
			return 1;
		}
	}
	return 0;
}

static int LimitsHaveTheSameBits(void)
{
	static const int64_t limits[3] = {1, 30000, 150000};
	for (int i = 0; i < 3; ++i)
	{
		uint64_t hashes[3] = {0};
		for (int j = 0; j < 3; ++j)
		{
			tnVoxelWorld* world = MakeRoom(1 << j, i);
			ENSURE(world != NULL);
			for (int step = 0; step < 150; ++step)
			{
				ENSURE_OK(tnVoxelWorld_Step(world, limits[i]));
			}
			hashes[j] = tnVoxelWorld_GetHash(world);
			tnDestroyVoxelWorld(world);
		}
		ENSURE_EQUAL_HEX(hashes[1], hashes[0]);
		ENSURE_EQUAL_HEX(hashes[2], hashes[0]);
	}
	return 0;
}

// Steps until all of a basin has settled, with or without a flood far away. 0: never.
static int TimeSplash(bool hasFlood, int64_t limit)
{
	const tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	tnVoxelWorld* world = MakeRocks(&def, 3);
	const tnVoxelBox basin = VoxelBox(11, 3, 9, 40, 20, 34);
	(void)tnVoxelWorld_FillSolid(world, basin, 0);
	(void)tnVoxelWorld_AddLiquid(world, VoxelBox(11, 3, 9, 40, 5, 34), 1, 1000, NULL);
	(void)tnVoxelWorld_AddLiquid(world, VoxelBox(20, 12, 15, 25, 17, 22), 1, 777, NULL);
	(void)tnVoxelWorld_FillSolid(world, VoxelBox(200, 2, 1, 380, 60, 127), 0);
	if (hasFlood)
	{
		(void)tnVoxelWorld_AddLiquid(world, VoxelBox(200, 10, 1, 260, 60, 127), 1, 1024, NULL);
	}
	const tnVoxel point = {23, 5, 20};
	(void)tnVoxelWorld_SetInterests(world, &point, 1);
	int last = 0;
	int step = 0;
	for (; step < 2000 && step - last < 60; ++step)
	{
		for (int i = 0; i < 29 * 17 * 25; ++i)
		{
			const tnVoxel voxel = {11 + i % 29, 3 + i / (29 * 25), 9 + i / 29 % 25};
			last = tnVoxelWorld_GetVoxel(world, voxel).settled ? last : step + 1;
		}
		(void)tnVoxelWorld_Step(world, limit);
	}
	const bool floods = tnVoxelWorld_GetStats(world).awakeChunkCount > 100;
	tnDestroyVoxelWorld(world);
	return step < 2000 && floods == hasFlood ? last : 0;
}

static int NearWaterRunsAtFullRate(void)
{
	const int alone = TimeSplash(false, 0);
	const int beside = TimeSplash(true, 100000);
	ENSURE(alone > 20 && beside > 20);
	// Single units may go another way.
	ENSURE(abs(beside - alone) <= 2);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Memory

// Chunks that wait for pages do not take the turn of those that have some.
static int ChunksWithPagesMove(void)
{
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.chunkLimit = 13;
	def.chunkReserve = 13;
	tnVoxelWorld* world = MakeRocks(&def, 2);
	ENSURE(world != NULL);
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(1, 1, 1, 127, 80, 127), 0));
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(210, 33, 81, 214, 46, 85), 0));
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(211, 45, 82, 212, 46, 83), 1, 500, NULL));
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(20, 60, 20, 50, 61, 50), 1, 1024, NULL));
	for (int step = 0; step < 120; ++step)
	{
		ENSURE_OK(tnVoxelWorld_Step(world, step % 2 == 0 ? 0 : 5000));
		ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(world, 1).drift, 0);
	}
	ENSURE(tnVoxelWorld_GetStats(world).waitingChunkCount > 0);
	for (int i = 0; i < 16; ++i)
	{
		const int amount = tnVoxelWorld_GetVoxel(world, (tnVoxel){210 + i % 4, 33, 81 + i / 4}).amount;
		ENSURE(amount == 31 || amount == 32);
	}
	tnDestroyVoxelWorld(world);
	return 0;
}

// Water in rock has no place: that is rest until somebody digs.
static int EnclosedWaterRests(void)
{
	for (int variant = 0; variant < 3; ++variant)
	{
		tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
		def.rules = variant == 2 ? tn_basicRules : tn_componentRules;
		tnVoxelWorld* world = MakeRock(&def);
		ENSURE(world != NULL);
		ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(50, 50, 50, 53, 51, 53), 0));
		ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(50, 50, 50, 53, 51, 53), 1, 1024, NULL));
		ENSURE(RunToRest(world, 40) >= 0);
		ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(50, 50, 50, 53, 51, 53), TN_VOXEL_ROCK));
		ENSURE(!tnVoxelWorld_IsAtRest(world));
		ENSURE(RunToRest(world, 40) >= 0);
		ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(world, 1).waiting, 9 * 1024);
		// Far away something moves and comes to rest, and finds no place for it either.
		ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(100, 9, 100, 103, 12, 103), 0));
		ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(100, 11, 100, 101, 12, 101), 1, 900, NULL));
		ENSURE(!tnVoxelWorld_IsAtRest(world));
		ENSURE(RunToRest(world, 200) >= 0);
		ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(world, 1).waiting, 9 * 1024);
		if (variant == 1)
		{
			// A pool that is dug within reach takes it.
			ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(58, 40, 48, 70, 60, 55), 0));
			ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(58, 40, 48, 70, 55, 55), 1, 1024, NULL));
		}
		else
		{
			// So does a shaft above it, once it is open.
			ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(50, 51, 50, 53, 60, 53), 0));
		}
		ENSURE(!tnVoxelWorld_IsAtRest(world));
		ENSURE(RunToRest(world, 300) >= 0);
		const tnVoxelLedger ledger = tnVoxelWorld_GetLedger(world, 1);
		ENSURE_EQUAL_INT(ledger.waiting, 0);
		ENSURE_EQUAL_INT(ledger.drift, 0);
		tnDestroyVoxelWorld(world);
	}
	return 0;
}

static const Test s_tests[] = {
	{"LimitsEndTheSame", LimitsEndTheSame},
	{"LimitsHaveTheSameBits", LimitsHaveTheSameBits},
	{"NearWaterRunsAtFullRate", NearWaterRunsAtFullRate},
	{"ChunksWithPagesMove", ChunksWithPagesMove},
	{"EnclosedWaterRests", EnclosedWaterRests},
};
const TestSuite voxel_limitsSuite = TEST_SUITE("voxel_limits", s_tests);
