// SPDX-License-Identifier: MIT

// Water of voxel worlds: rules, levels, sleep, ledger, bits.

#include "golden.h"
#include "voxel_kit.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Levels

typedef struct Bend
{
	int eighths;
	int level;
	int fewest[3], most[3]; // in the uppermost layer, for caps of 8, 255 and 4096 units
} Bend;

// v01_ubend.csv of the verification set.
static const Bend s_bends[] = {
	{320, 3, {1, 56, 910}, {2, 57, 911}},
	{517, 5, {7, 244, 3925}, {8, 245, 3926}},
	{700, 8, {4, 127, 2048}, {4, 128, 2048}},
	{1203, 15, {3, 123, 1991}, {4, 124, 1992}},
};

// Two shafts joined at the bottom; all is poured into the left one.
static int RunBend(const Bend* bend, int capIndex, int depth, bool isMirrored)
{
	static const int caps[3] = {8, 255, 4096};
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.cap = caps[capIndex];
	tnVoxelWorld* world = MakeRock(&def);
	ENSURE(world != NULL);
	const int z = 13; // across a border of chunks, if it is deep
	const int ranges[3][3] = {{2, 6, 24}, {16, 21, 24}, {2, 21, 3}};
	for (int i = 0; i < 3; ++i)
	{
		const int low = isMirrored ? 24 - ranges[i][1] : ranges[i][0];
		const int high = isMirrored ? 24 - ranges[i][0] : ranges[i][1];
		ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(low, 1, z, high, ranges[i][2], z + depth), 0));
	}
	const int x = isMirrored ? 20 : 3;
	const int64_t total = (int64_t)bend->eighths * def.cap / 8 * depth;
	int64_t left = total;
	for (int step = 0; step < 2000 && (left > 0 || !tnVoxelWorld_IsAtRest(world)); ++step)
	{
		for (int k = 0; k < depth; ++k)
		{
			int64_t added = 0;
			const int amount = left < def.cap ? (int)left : def.cap;
			ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(x, 23, z + k, x + 1, 24, z + k + 1), 1, amount, &added));
			left -= added;
		}
		ENSURE_OK(tnVoxelWorld_Step(world, 0));
	}
	ENSURE_EQUAL_INT(left, 0);
	ENSURE(tnVoxelWorld_IsAtRest(world));
	int fewest = def.cap;
	int most = 0;
	for (int column = 0; column < 24 * depth; ++column)
	{
		const tnVoxelState state = tnVoxelWorld_GetVoxel(world, (tnVoxel){column % 24, bend->level, z + column / 24});
		if (state.room > 0)
		{
			fewest = state.amount < fewest ? state.amount : fewest;
			most = state.amount > most ? state.amount : most;
		}
		const tnVoxelState above =
			tnVoxelWorld_GetVoxel(world, (tnVoxel){column % 24, bend->level + 1, z + column / 24});
		ENSURE_EQUAL_INT(above.amount, 0);
	}
	ENSURE_EQUAL_INT(fewest, bend->fewest[capIndex]);
	ENSURE_EQUAL_INT(most, bend->most[capIndex]);
	const tnVoxelLedger ledger = tnVoxelWorld_GetLedger(world, 1);
	ENSURE_EQUAL_INT(ledger.drift, 0);
	ENSURE_EQUAL_INT(ledger.waiting, 0);
	ENSURE_EQUAL_INT(ledger.volume, total);
	tnDestroyVoxelWorld(world);
	return 0;
}

static int BendsLevel(void)
{
	for (int i = 0; i < 4; ++i)
	{
		for (int cap = 0; cap < 3; ++cap)
		{
			if (RunBend(s_bends + i, cap, 1, false) != 0 || RunBend(s_bends + i, cap, 5, true) != 0)
			{
				return 1;
			}
		}
	}
	return 0;
}

// A shallow layer poured into a corner of a flat basin: no stairs.
static int BasinsAreFlat(void)
{
	for (int place = 0; place < 2; ++place)
	{
		tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
		def.cap = 255;
		tnVoxelWorld* world = MakeRock(&def);
		ENSURE(world != NULL);
		ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(3, 1, 5, 67, 90, 69), 0));
		int64_t left = 64 * 64 * 81 / 2;
		const int x = place == 0 ? 3 : 35;
		const int z = place == 0 ? 5 : 37;
		for (int step = 0; step < 4000 && (left > 0 || !tnVoxelWorld_IsAtRest(world)); ++step)
		{
			int64_t added = 0;
			const int amount = left < 255 ? (int)left : 255;
			ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(x, 80, z, x + 1, 81, z + 1), 1, amount, &added));
			left -= added;
			ENSURE_OK(tnVoxelWorld_Step(world, 0));
		}
		ENSURE(tnVoxelWorld_IsAtRest(world));
		for (int i = 0; i < 64 * 64; ++i)
		{
			const tnVoxelState state = tnVoxelWorld_GetVoxel(world, (tnVoxel){3 + i % 64, 1, 5 + i / 64});
			ENSURE(state.amount == 40 || state.amount == 41);
		}
		ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(world, 1).drift, 0);
		tnDestroyVoxelWorld(world);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Bits

// Rubble with liquid in it, over the borders of chunks.
static tnVoxelWorld* MakeRubble(int workers, tnSimd simd, int liquidCount)
{
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.tasks.workerCount = workers;
	def.simd = simd;
	def.liquidCount = liquidCount;
	def.liquids[1].viscosity = 7;
	def.liquids[2].viscosity = 3;
	tnVoxelWorld* world = MakeRock(&def);
	unsigned random = 5;
	(void)tnVoxelWorld_FillSolid(world, VoxelBox(5, 3, 7, 46, 60, 44), 0);
	for (int i = 0; i < 1500; ++i)
	{
		const int x = (int)(NextRandom(&random) % 41) + 5;
		const int y = (int)(NextRandom(&random) % 57) + 3;
		const int z = (int)(NextRandom(&random) % 37) + 7;
		const int solid = (int)(NextRandom(&random) % 256);
		(void)tnVoxelWorld_FillSolid(world, VoxelBox(x, y, z, x + 1, y + 1, z + 1), solid);
		(void)tnVoxelWorld_AddLiquid(world, VoxelBox(x, y - 1, z, x + 2, y + 1, z + 1 < 44 ? z + 2 : z + 1),
			1 + i % liquidCount, (int)(NextRandom(&random) % 1025), NULL);
	}
	return world;
}

// The same on every machine. It changes only with the rules.
static int BitsAreGolden(void)
{
	for (int variant = 0; variant < 7; ++variant)
	{
		static const int workers[7] = {1, 2, 3, 5, 1, 2, 1};
		static const tnSimd simds[7] = {
			tn_simdAuto, tn_simdAuto, tn_simdAuto, tn_simdAuto, tn_simdScalar, tn_simdSse2, tn_simdAvx2};
		if (!tnIsSimdAvailable(simds[variant]))
		{
			continue;
		}
		tnVoxelWorld* world = MakeRubble(workers[variant], simds[variant], 3);
		ENSURE(world != NULL);
		for (int step = 0; step < 60; ++step)
		{
			ENSURE_OK(tnVoxelWorld_Step(world, 0));
		}
		ENSURE_EQUAL_HEX(tnVoxelWorld_GetHash(world), TNC_GOLDEN_VOXELS);
		for (int liquid = 1; liquid <= 3; ++liquid)
		{
			ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(world, liquid).drift, 0);
		}
		tnDestroyVoxelWorld(world);
	}
	return 0;
}

// Voxels never hold less than nothing or more than fits, and what rests stays.
static int StaysInBounds(void)
{
	tnVoxelWorld* world = MakeRubble(2, tn_simdAuto, 1);
	ENSURE(world != NULL);
	for (int round = 0; round < 40; ++round)
	{
		for (int step = 0; step < 5; ++step)
		{
			ENSURE_OK(tnVoxelWorld_Step(world, 0));
		}
		static uint16_t amounts[64 * 64 * 64];
		static uint8_t solid[64 * 64 * 64];
		ENSURE_OK(tnVoxelWorld_Read(world, VoxelBox(0, 0, 0, 64, 64, 64), solid, amounts, NULL));
		for (int i = 0; i < 64 * 64 * 64; ++i)
		{
			ENSURE(amounts[i] <= 1024 - (solid[i] + (solid[i] >> 7)) * 4);
		}
		ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(world, 1).drift, 0);
	}
	ENSURE(RunToRest(world, 3000) >= 0);
	const tnVoxelStats stats = tnVoxelWorld_GetStats(world);
	ENSURE_EQUAL_INT(stats.awakeChunkCount, 0);
	static uint16_t before[64 * 64 * 64], after[64 * 64 * 64];
	ENSURE_OK(tnVoxelWorld_Read(world, VoxelBox(0, 0, 0, 64, 64, 64), NULL, before, NULL));
	for (int step = 0; step < 1000; ++step)
	{
		ENSURE_OK(tnVoxelWorld_Step(world, 0));
	}
	ENSURE_OK(tnVoxelWorld_Read(world, VoxelBox(0, 0, 0, 64, 64, 64), NULL, after, NULL));
	ENSURE(memcmp(before, after, sizeof(before)) == 0);
	tnDestroyVoxelWorld(world);
	return 0;
}

// Beside a block that is not loaded both sides of a face find the same flow. Of four blocks around an edge one is missing;
// water lies across the borders of the other three.
static int MissingBlocksAreWalls(void)
{
	static const tnVoxel places[3] = {{-1, 0, 0}, {0, 0, 0}, {0, -1, 0}};
	const tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	tnVoxelWorld* world = NULL;
	ENSURE(tnCreateVoxelWorld(&def, &world).status == tn_ok);
	for (int i = 0; i < 3; ++i)
	{
		const tnVoxel low = {places[i].x * TN_VOXEL_BLOCK, places[i].y * TN_VOXEL_BLOCK, places[i].z * TN_VOXEL_BLOCK};
		ENSURE(tnVoxelWorld_LoadBlock(world, places[i]).status == tn_ok);
		ENSURE(
			tnVoxelWorld_FillSolid(world,
				VoxelBox(low.x, low.y, low.z, low.x + TN_VOXEL_BLOCK, low.y + TN_VOXEL_BLOCK, low.z + TN_VOXEL_BLOCK),
				TN_VOXEL_ROCK)
				.status == tn_ok);
	}
	(void)tnVoxelWorld_FillSolid(world, VoxelBox(-7, 0, 3, 9, 12, 10), 0);
	(void)tnVoxelWorld_FillSolid(world, VoxelBox(0, -5, 3, 9, 0, 10), 0);
	(void)tnVoxelWorld_AddLiquid(world, VoxelBox(-7, 3, 3, 4, 9, 8), 1, 1001, NULL);
	for (int step = 0; step < 200; ++step)
	{
		(void)tnVoxelWorld_Step(world, 0);
		ENSURE_EQUAL_INT((int)tnVoxelWorld_GetLedger(world, 1).drift, 0);
	}
	tnDestroyVoxelWorld(world);
	return 0;
}

// Few chunks move one by one, many column by column: a splash must not notice a flood behind a wall.
static int FewChunksMoveAsMany(void)
{
	enum
	{
		wide = 37,
		high = 45,
		deep = 21,
	};
	tnVoxelWorld* worlds[2];
	for (int i = 0; i < 2; ++i)
	{
		tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
		def.tasks.workerCount = 1 + i;
		ENSURE_OK(tnCreateVoxelWorld(&def, worlds + i));
		for (int x = 0; x < 2; ++x)
		{
			const tnVoxelBox all = VoxelBox(128 * x, 0, 0, 128 * x + 128, 128, 128);
			ENSURE_OK(tnVoxelWorld_LoadBlock(worlds[i], (tnVoxel){x, 0, 0}));
			ENSURE_OK(tnVoxelWorld_FillSolid(worlds[i], all, TN_VOXEL_ROCK));
		}
		ENSURE_OK(tnVoxelWorld_FillSolid(worlds[i], VoxelBox(3, 2, 5, 3 + wide, 2 + high, 5 + deep), 0));
		ENSURE_OK(tnVoxelWorld_FillSolid(worlds[i], VoxelBox(20, 2, 5, 22, 20, 19), 180));
		ENSURE_OK(tnVoxelWorld_AddLiquid(worlds[i], VoxelBox(5, 7, 5, 16, 46, 23), 1, 1013, NULL));
	}
	ENSURE_OK(tnVoxelWorld_FillSolid(worlds[1], VoxelBox(130, 1, 7, 239, 50, 121), 0));
	ENSURE_OK(tnVoxelWorld_AddLiquid(worlds[1], VoxelBox(130, 1, 7, 181, 43, 121), 1, 1024, NULL));
	static uint16_t amounts[2][wide * high * deep];
	int told = 0;
	for (int step = 0; step < 60; ++step)
	{
		for (int i = 0; i < 2; ++i)
		{
			ENSURE_OK(tnVoxelWorld_Step(worlds[i], 0));
			const tnVoxelBox room = VoxelBox(3, 2, 5, 3 + wide, 2 + high, 5 + deep);
			ENSURE_OK(tnVoxelWorld_Read(worlds[i], room, NULL, amounts[i], NULL));
		}
		ENSURE(memcmp(amounts[0], amounts[1], sizeof(amounts[0])) == 0);
		const int few = tnVoxelWorld_GetStats(worlds[0]).workedChunkCount;
		const int many = tnVoxelWorld_GetStats(worlds[1]).workedChunkCount;
		ENSURE(few <= 64);
		told += few > 8 && many > 64 ? 1 : 0;
	}
	ENSURE(told >= 30);
	tnDestroyVoxelWorld(worlds[0]);
	tnDestroyVoxelWorld(worlds[1]);
	return 0;
}

static const Test s_tests[] = {
	{"BendsLevel", BendsLevel},
	{"BasinsAreFlat", BasinsAreFlat},
	{"BitsAreGolden", BitsAreGolden},
	{"StaysInBounds", StaysInBounds},
	{"MissingBlocksAreWalls", MissingBlocksAreWalls},
	{"FewChunksMoveAsMany", FewChunksMoveAsMany},
};
const TestSuite voxelsSuite = TEST_SUITE("voxels", s_tests);
