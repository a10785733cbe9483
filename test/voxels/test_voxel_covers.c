// SPDX-License-Identifier: MIT

// Liquids that lie on others press on them.

#include "voxel_kit.h"

enum
{
	oil = 1,
	water = 2,
	brine = 3,
	shaftZ = 11, // three voxels deep
	shaftDepth = 3,
	shaftTop = 60,
	cap = 1024,
};

static const double s_densities[4] = {0.0, 800.0, 1000.0, 1200.0};

// Two shafts joined at the bottom: x in [5, 5 + widths[0]), and the other one across the border of a chunk.
typedef struct Bend
{
	tnVoxelWorld* world;
	int begins[2];
	int widths[2];
} Bend;

static Bend MakeSlowBend(int leftWidth, int rightWidth, int workerCount, int oilViscosity)
{
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.tasks.workerCount = workerCount;
	def.liquidCount = 3;
	for (int i = 0; i < 3; ++i)
	{
		def.liquids[i].density = (float)s_densities[i + 1];
	}
	def.liquids[oil - 1].viscosity = oilViscosity;
	Bend bend = {MakeRock(&def), {5, 29}, {leftWidth, rightWidth}};
	for (int arm = 0; arm < 2 && bend.world != NULL; ++arm)
	{
		const int x = bend.begins[arm];
		(void)tnVoxelWorld_FillSolid(
			bend.world, VoxelBox(x, 1, shaftZ, x + bend.widths[arm], shaftTop, shaftZ + shaftDepth), 0);
	}
	(void)tnVoxelWorld_FillSolid(bend.world, VoxelBox(5, 1, shaftZ, 31, 3, shaftZ + shaftDepth), 0);
	return bend;
}

static Bend MakeBend(int leftWidth, int rightWidth, int workerCount)
{
	return MakeSlowBend(leftWidth, rightWidth, workerCount, 1);
}

static void Pour(const Bend* bend, int arm, int low, int high, int liquid)
{
	const int x = bend->begins[arm];
	(void)tnVoxelWorld_AddLiquid(
		bend->world, VoxelBox(x, low, shaftZ, x + bend->widths[arm], high, shaftZ + shaftDepth), liquid, cap, NULL);
}

// Both arms full of a liquid from the bottom to a height.
static void PourBoth(const Bend* bend, int high, int liquid)
{
	(void)tnVoxelWorld_AddLiquid(bend->world, VoxelBox(5, 1, shaftZ, 31, 3, shaftZ + shaftDepth), liquid, cap, NULL);
	Pour(bend, 0, 3, high, liquid);
	Pour(bend, 1, 3, high, liquid);
}

// Weight of all that lies in an arm, in voxels of water for each column.
static double GetWeight(const Bend* bend, int arm)
{
	double sum = 0.0;
	const int columns = bend->widths[arm] * shaftDepth;
	for (int i = 0; i < columns * (shaftTop - 1); ++i)
	{
		const tnVoxel voxel = {
			bend->begins[arm] + i % bend->widths[arm], 1 + i / columns, shaftZ + i / bend->widths[arm] % shaftDepth};
		const tnVoxelState state = tnVoxelWorld_GetVoxel(bend->world, voxel);
		sum += state.amount * s_densities[state.liquid] / (1000.0 * cap);
	}
	return sum / columns;
}

// How far the weights of the arms may be apart: by what one voxel more in one of them and less in the other changes, and
// levels of whole units.
static double GetSlack(const Bend* bend, int heavy)
{
	return s_densities[heavy] / 1000.0 * (1.0 / (bend->widths[0] * shaftDepth) + 1.0 / (bend->widths[1] * shaftDepth)) +
		0.01;
}

static int RunBendToRest(const Bend* bend)
{
	const tnVoxelLedger before[4] = {{0}, tnVoxelWorld_GetLedger(bend->world, 1),
		tnVoxelWorld_GetLedger(bend->world, 2), tnVoxelWorld_GetLedger(bend->world, 3)};
	int steps = 0;
	for (; steps < 4000 && !tnVoxelWorld_IsAtRest(bend->world); ++steps)
	{
		ENSURE_OK(tnVoxelWorld_Step(bend->world, 0));
		for (int liquid = 1; liquid <= 3; ++liquid)
		{
			ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(bend->world, liquid).drift, 0);
		}
	}
	ENSURE(tnVoxelWorld_IsAtRest(bend->world));
	for (int liquid = 1; liquid <= 3; ++liquid)
	{
		const tnVoxelLedger ledger = tnVoxelWorld_GetLedger(bend->world, liquid);
		ENSURE_EQUAL_INT(ledger.waiting, 0);
		ENSURE_EQUAL_INT(
			ledger.volume - ledger.ocean, before[liquid].volume + before[liquid].waiting - before[liquid].ocean);
	}
	return 0;
}

static int CheckWeights(const Bend* bend, int heavy)
{
	ENSURE_CLOSE(GetWeight(bend, 0), GetWeight(bend, 1), GetSlack(bend, heavy));
	return 0;
}

static int RunBend(int leftWidth, int rightWidth, int oilViscosity)
{
	const Bend bend = MakeSlowBend(leftWidth, rightWidth, 1, oilViscosity);
	ENSURE(bend.world != NULL);
	PourBoth(&bend, 20, water);
	Pour(&bend, 0, 20, 30, oil);
	ENSURE_EQUAL_INT(RunBendToRest(&bend), 0);
	ENSURE_EQUAL_INT(CheckWeights(&bend, water), 0);
	// More water on the open arm lifts the oil.
	Pour(&bend, 1, 45, 52, water);
	ENSURE_EQUAL_INT(RunBendToRest(&bend), 0);
	ENSURE_EQUAL_INT(CheckWeights(&bend, water), 0);
	// Oil on that one as well: no surface is open.
	Pour(&bend, 1, 52, 58, oil);
	ENSURE_EQUAL_INT(RunBendToRest(&bend), 0);
	ENSURE_EQUAL_INT(CheckWeights(&bend, water), 0);
	tnDestroyVoxelWorld(bend.world);
	return 0;
}

static int OilPressesWater(void)
{
	static const int cases[5][3] = {{5, 5, 1}, {7, 2, 1}, {1, 6, 1}, {1, 1, 1}, {3, 4, 5}};
	for (int i = 0; i < 5; ++i)
	{
		if (RunBend(cases[i][0], cases[i][1], cases[i][2]) != 0)
		{
			return 1;
		}
	}
	return 0;
}

// Brine below, water and oil on it.
static int ThreeLiquidsPress(void)
{
	const Bend bend = MakeBend(5, 3, 1);
	ENSURE(bend.world != NULL);
	PourBoth(&bend, 22, brine);
	Pour(&bend, 0, 22, 28, water);
	Pour(&bend, 0, 28, 37, oil);
	ENSURE_EQUAL_INT(RunBendToRest(&bend), 0);
	ENSURE_EQUAL_INT(CheckWeights(&bend, brine), 0);
	tnDestroyVoxelWorld(bend.world);
	return 0;
}

// An ocean of water keeps its level, whatever lies on the other arm.
static int OceansPressBack(void)
{
	const Bend bend = MakeBend(5, 4, 1);
	ENSURE(bend.world != NULL);
	PourBoth(&bend, 20, water);
	Pour(&bend, 0, 20, 30, oil);
	tnVoxelOceanDef ocean = tnDefaultVoxelOceanDef();
	ocean.box = VoxelBox(29, 10, shaftZ, 33, 11, shaftZ + shaftDepth);
	ocean.liquid = water;
	ocean.level = 24 * cap;
	ENSURE_OK(tnVoxelWorld_SetOcean(bend.world, &ocean));
	ENSURE_EQUAL_INT(RunBendToRest(&bend), 0);
	ENSURE_CLOSE(GetWeight(&bend, 1), 23.0, 0.01);
	ENSURE_CLOSE(GetWeight(&bend, 0), 23.0, 1.0 / 15.0 + 0.01);
	tnDestroyVoxelWorld(bend.world);
	return 0;
}

// Oil under a lid cannot rise: the water stays where it is, and all of it is there.
static int LidsHoldOil(void)
{
	const Bend bend = MakeBend(5, 3, 1);
	ENSURE(bend.world != NULL);
	ENSURE_OK(tnVoxelWorld_FillSolid(bend.world, VoxelBox(5, 30, shaftZ, 10, 31, shaftZ + shaftDepth), TN_VOXEL_ROCK));
	PourBoth(&bend, 20, water);
	Pour(&bend, 0, 20, 30, oil);
	Pour(&bend, 1, 20, 45, water);
	ENSURE_EQUAL_INT(RunBendToRest(&bend), 0);
	ENSURE(GetWeight(&bend, 1) > 40.0);
	tnDestroyVoxelWorld(bend.world);
	return 0;
}

// A lake of water with a film of oil on one half of it, and one that is poured over a slope.
static int FilmsComeToRest(void)
{
	uint64_t hashes[2] = {0};
	for (int run = 0; run < 2; ++run)
	{
		const Bend bend = MakeBend(5, 3, run + 1);
		ENSURE(bend.world != NULL);
		unsigned random = 3;
		ENSURE_OK(tnVoxelWorld_FillSolid(bend.world, VoxelBox(40, 1, 40, 77, 60, 71), 0));
		for (int i = 0; i < 300; ++i)
		{
			const int x = 40 + (int)(NextRandom(&random) % 37);
			const int z = 40 + (int)(NextRandom(&random) % 31);
			const int y = 1 + (int)(NextRandom(&random) % 14);
			const int solid = (int)(NextRandom(&random) % 256);
			ENSURE_OK(tnVoxelWorld_FillSolid(bend.world, VoxelBox(x, y, z, x + 1, y + 1, z + 1), solid));
		}
		ENSURE_OK(tnVoxelWorld_FillSolid(bend.world, VoxelBox(57, 6, 40, 58, 40, 71), TN_VOXEL_ROCK));
		ENSURE_OK(tnVoxelWorld_AddLiquid(bend.world, VoxelBox(40, 1, 40, 77, 10, 71), water, 1000, NULL));
		ENSURE_OK(tnVoxelWorld_AddLiquid(bend.world, VoxelBox(40, 20, 40, 57, 24, 66), oil, 900, NULL));
		ENSURE_OK(tnVoxelWorld_AddLiquid(bend.world, VoxelBox(60, 20, 50, 66, 24, 66), brine, 900, NULL));
		for (int step = 0; step < 100; ++step)
		{
			ENSURE_OK(tnVoxelWorld_Step(bend.world, 0));
		}
		hashes[run] = tnVoxelWorld_GetHash(bend.world);
		ENSURE_EQUAL_INT(RunBendToRest(&bend), 0);
		tnDestroyVoxelWorld(bend.world);
	}
	ENSURE_EQUAL_HEX(hashes[1], hashes[0]);
	return 0;
}

// All three in random order, below a lid or open: columns with several tops above each other, and nothing gets lost.
static int MixedBendsComeToRest(void)
{
	static const unsigned seeds[7] = {1, 2, 49, 50, 74, 84, 94};
	for (int i = 0; i < 7; ++i)
	{
		const Bend bend = MakeBend(2, 3, 1);
		ENSURE(bend.world != NULL);
		unsigned random = seeds[i] * 977u;
		for (int j = 0; j < 5 * shaftDepth * 40; ++j)
		{
			const int column = j / shaftDepth % 5;
			const int x = column < 2 ? bend.begins[0] + column : bend.begins[1] + column - 2;
			const int y = 3 + j / (5 * shaftDepth);
			const int z = shaftZ + j % shaftDepth;
			const int liquid = 1 + (int)(NextRandom(&random) % 3);
			ENSURE_OK(tnVoxelWorld_AddLiquid(bend.world, VoxelBox(x, y, z, x + 1, y + 1, z + 1), liquid, cap, NULL));
		}
		ENSURE_OK(
			tnVoxelWorld_AddLiquid(bend.world, VoxelBox(5, 1, shaftZ, 31, 3, shaftZ + shaftDepth), brine, cap, NULL));
		const int lid = seeds[i] % 2 == 1 ? 43 : 45;
		ENSURE_OK(
			tnVoxelWorld_FillSolid(bend.world, VoxelBox(5, lid, shaftZ, 40, 46, shaftZ + shaftDepth), TN_VOXEL_ROCK));
		ENSURE_EQUAL_INT(RunBendToRest(&bend), 0);
		tnDestroyVoxelWorld(bend.world);
	}
	return 0;
}

static const Test s_tests[] = {
	{"OilPressesWater", OilPressesWater},
	{"ThreeLiquidsPress", ThreeLiquidsPress},
	{"OceansPressBack", OceansPressBack},
	{"LidsHoldOil", LidsHoldOil},
	{"FilmsComeToRest", FilmsComeToRest},
	{"MixedBendsComeToRest", MixedBendsComeToRest},
};
const TestSuite voxel_coversSuite = TEST_SUITE("voxel_covers", s_tests);
