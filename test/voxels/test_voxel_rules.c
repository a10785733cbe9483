// SPDX-License-Identifier: MIT

// The three prototypes of Medvecky-Heretik (2018, section 6.1) beside each other: down and sideways only, pressure by slight
// compression, connected components.

#include "voxel_kit.h"

#include <stdlib.h>
#include <string.h>

enum
{
	armHeight = 21,
	bendDepth = 3,
};

// Two shafts of 3 x 3 voxels joined by a tunnel over a border of chunks; water stands in the left one.
static tnVoxelWorld* MakeBend(const tnVoxelWorldDef* def, int fullLayers)
{
	tnVoxelWorld* world = MakeRock(def);
	if (world != NULL)
	{
		(void)tnVoxelWorld_FillSolid(world, VoxelBox(9, 2, 5, 24, 4, 5 + bendDepth), 0);
		(void)tnVoxelWorld_FillSolid(world, VoxelBox(9, 2, 5, 12, 2 + armHeight, 5 + bendDepth), 0);
		(void)tnVoxelWorld_FillSolid(world, VoxelBox(21, 2, 5, 24, 2 + armHeight, 5 + bendDepth), 0);
		(void)tnVoxelWorld_AddLiquid(
			world, VoxelBox(9, 2, 5, 12, 2 + fullLayers, 5 + bendDepth), 1, TN_MAX_VOXEL_CAP, NULL);
	}
	return world;
}

// Height of the water in an arm, in units over the floor: the topmost voxel with water, and what is in it.
static int GetLevel(const tnVoxelWorld* world, int x)
{
	const int cap = tnVoxelWorld_GetDef(world).cap;
	for (int y = armHeight - 1; y >= 0; --y)
	{
		const int amount = tnVoxelWorld_GetVoxel(world, (tnVoxel){x, 2 + y, 6}).amount;
		if (amount > 0)
		{
			return y * cap + (amount < cap ? amount : cap);
		}
	}
	return 0;
}

static int BendsTellTheRulesApart(void)
{
	static const int caps[] = {8, 255, 1024, 2048};
	for (int i = 0; i < 4; ++i)
	{
		int differences[tn_voxelRulesCount];
		for (int rules = 0; rules < tn_voxelRulesCount; ++rules)
		{
			tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
			def.cap = caps[i];
			def.rules = (tnVoxelRules)rules;
			tnVoxelWorld* world = MakeBend(&def, 19);
			ENSURE(world != NULL);
			const int64_t total = tnVoxelWorld_GetLedger(world, 1).added;
			const int steps = RunToRest(world, 40000);
			ENSURE(steps >= 0);
			ENSURE(tnVoxelWorld_GetLedger(world, 1).drift == 0);
			ENSURE(tnVoxelWorld_GetLedger(world, 1).volume == total);
			differences[rules] = GetLevel(world, 10) - GetLevel(world, 22);
			tnDestroyVoxelWorld(world);
		}
		// Nothing rises by itself. Pressure grows by `press` units for each voxel of depth, and differences of one unit rest: one
		// for each of the 12 voxels of the tunnel and of the 19 of an arm. Components level to a unit.
		const int press = caps[i] / 32 > 8 ? caps[i] / 32 : 8;
		ENSURE(differences[tn_basicRules] > 8 * caps[i]);
		ENSURE(abs(differences[tn_pressureRules]) <= caps[i] + caps[i] * (12 + 19) / press);
		ENSURE(abs(differences[tn_componentRules]) <= 1);
	}
	return 0;
}

// Rain and digging under pressure, in ground that takes a share of many voxels: nothing is lost, voxels keep to their limit,
// and workers and instruction sets do not matter. Saved in the middle it goes on in the same way.
static int PressureIsExact(void)
{
	static uint8_t saved[1 << 20];
	static uint8_t state[1 << 16];
	uint64_t hashes[2] = {0, 0};
	for (int variant = 0; variant < 4; ++variant)
	{
		tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
		def.rules = tn_pressureRules;
		def.cap = 200;
		def.simd = variant == 1 ? tn_simdScalar : tn_simdAuto;
		def.tasks.workerCount = variant == 2 ? 3 : 1;
		tnVoxelWorld* world = MakeRock(&def);
		ENSURE(world != NULL);
		unsigned random = 5;
		ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(3, 1, 2, 36, 41, 31), 0));
		for (int step = 0; step < 300; ++step)
		{
			const int x = 3 + (int)(NextRandom(&random) % 30);
			const int y = 1 + (int)(NextRandom(&random) % 36);
			const int z = 2 + (int)(NextRandom(&random) % 26);
			if (step % 3 == 0)
			{
				const int solid = (int)(NextRandom(&random) % 256);
				ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(x, y, z, x + 3, y + 1, z + 2), solid));
			}
			ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(x, y, z, x + 3, y + 4, z + 3), 1, 150, NULL));
			ENSURE_OK(tnVoxelWorld_RemoveLiquid(world, VoxelBox(3, 1, 2, 5, 2, 4), 40, NULL));
			ENSURE_OK(tnVoxelWorld_Step(world, 0));
			ENSURE(tnVoxelWorld_GetLedger(world, 1).drift == 0);
			if (variant == 3 && step == 177)
			{
				size_t size, stateSize;
				ENSURE_OK(tnVoxelWorld_SaveBlock(world, (tnVoxel){0, 0, 0}, saved, sizeof(saved), &size));
				ENSURE_OK(tnVoxelWorld_SaveState(world, state, sizeof(state), &stateSize));
				tnDestroyVoxelWorld(world);
				ENSURE_OK(tnCreateVoxelWorld(&def, &world));
				ENSURE_OK(tnVoxelWorld_LoadBlockFrom(world, (tnVoxel){0, 0, 0}, saved, size));
				ENSURE_OK(tnVoxelWorld_LoadState(world, state, stateSize));
			}
		}
		int over = 0;
		for (int i = 0; i < 33 * 40 * 29; ++i)
		{
			const tnVoxel voxel = {3 + i % 33, 1 + i / 33 % 40, 2 + i / (33 * 40)};
			const tnVoxelState here = tnVoxelWorld_GetVoxel(world, voxel);
			ENSURE(here.amount == 0 || here.room > 0);
			ENSURE(here.amount <= here.room + TN_MAX_VOXEL_CAP - def.cap);
			over += here.amount > here.room ? 1 : 0;
		}
		ENSURE(over > 1000);
		hashes[variant > 0] = tnVoxelWorld_GetHash(world);
		ENSURE(variant == 0 || hashes[0] == hashes[1]);
		tnDestroyVoxelWorld(world);
	}
	return 0;
}

// More than 4096 - cap units of pressure do not fit into a voxel: a column of 128 voxels keeps every unit all the same.
static int DeepColumnsKeepAll(void)
{
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.rules = tn_pressureRules;
	def.cap = 2048;
	tnVoxelWorld* world = MakeRock(&def);
	ENSURE(world != NULL);
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(7, 0, 9, 8, 128, 10), 0));
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(7, 0, 9, 8, 128, 10), 1, 2048, NULL));
	ENSURE(RunToRest(world, 200000) >= 0);
	const tnVoxelLedger ledger = tnVoxelWorld_GetLedger(world, 1);
	ENSURE(ledger.drift == 0 && ledger.volume == 128 * 2048);
	int before = TN_MAX_VOXEL_CAP;
	for (int y = 0; y < 128; ++y)
	{
		const int amount = tnVoxelWorld_GetVoxel(world, (tnVoxel){7, y, 9}).amount;
		ENSURE(amount <= before);
		before = amount;
	}
	ENSURE(before < 2048);
	tnDestroyVoxelWorld(world);
	return 0;
}

static int RefusesLargeCaps(void)
{
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.rules = tn_pressureRules;
	def.cap = 2049;
	tnVoxelWorld* world = NULL;
	const tnResult result = tnCreateVoxelWorld(&def, &world);
	ENSURE(result.status == tn_invalidArgument && world == NULL);
	ENSURE(strstr(result.text, "cap") != NULL && strstr(result.text, "got 2049") != NULL);
	return 0;
}

static const Test s_tests[] = {
	{"BendsTellTheRulesApart", BendsTellTheRulesApart},
	{"PressureIsExact", PressureIsExact},
	{"DeepColumnsKeepAll", DeepColumnsKeepAll},
	{"RefusesLargeCaps", RefusesLargeCaps},
};
const TestSuite voxel_rulesSuite = TEST_SUITE("voxel_rules", s_tests);
