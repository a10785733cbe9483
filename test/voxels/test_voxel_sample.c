// SPDX-License-Identifier: MIT

// What the liquid of voxels is at points: surfaces, depths and pressure.

#include "voxel_flow_kit.h"

#include <math.h>

// Liquid at a point, and level, depth and head in voxels.
static int CheckSample(tnVoxelSample sample, int liquid, double level, double depth, double head)
{
	// Floats of numbers below 100.
	const double tolerance = 1.0e-5 * (double)s_size;
	ENSURE(sample.loaded);
	ENSURE_EQUAL_INT(sample.liquid, liquid);
	ENSURE(sample.inLiquid == (liquid != 0));
	ENSURE_CLOSE(sample.level, level * (double)s_size, tolerance);
	ENSURE_CLOSE(sample.depth, depth * (double)s_size, tolerance);
	ENSURE_CLOSE(sample.head, head * (double)s_size, tolerance);
	return 0;
}

#define ENSURE_SAMPLE(sample, liquid, level, depth, head)                                             \
	do                                                                                                \
	{                                                                                                 \
		if (CheckSample((sample), (liquid), (level), (depth), (head)) != 0)                           \
		{                                                                                             \
			TestCheck(__FILE__, __LINE__, #sample " has the level, depth and head it should", false); \
			return 1;                                                                                 \
		}                                                                                             \
	} while (0)

// A lake 4 voxels and 51 units deep, whose bed is half a voxel higher on one side.
static int LakesHaveLevels(void)
{
	const tnVoxelWorldDef def = GetDef();
	tnVoxelWorld* world = MakeRock(&def);
	ENSURE(world != NULL);
	// Across borders of chunks, with as much air above it as two of them have.
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(3, 13, 5, 44, 60, 38), 0));
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(30, 13, 5, 44, 14, 38), 128));
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(3, 13, 5, 44, 17, 38), 1, 255, NULL));
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(3, 17, 5, 44, 18, 38), 1, 51, NULL));
	for (int pass = 0; pass < 2; ++pass)
	{
		const double top = 17.0 + 51.0 / 255.0;
		const double ground = 13.0 + (double)(129 * 255 / 256) / 255.0;
		ENSURE_SAMPLE(Sample(world, 9.5f, 13.0f, 20.3f), 1, top, top - 13.0, top);
		ENSURE_SAMPLE(Sample(world, 9.5f, 16.9f, 20.3f), 1, top, top - 13.0, top);
		ENSURE_SAMPLE(Sample(world, 9.5f, 17.19f, 20.3f), 1, top, top - 13.0, top);
		ENSURE_SAMPLE(Sample(world, 9.5f, 17.21f, 20.3f), 0, top, top - 13.0, top);
		ENSURE_SAMPLE(Sample(world, 9.5f, 59.99f, 20.3f), 0, top, top - 13.0, top);
		ENSURE_SAMPLE(Sample(world, 33.2f, 13.4f, 7.0f), 0, top, top - ground, top); // in ground
		ENSURE_SAMPLE(Sample(world, 33.2f, 13.6f, 7.0f), 1, top, top - ground, top);
		ENSURE_SAMPLE(Sample(world, 33.2f, 40.0f, 7.0f), 0, top, top - ground, top);
		ENSURE_SAMPLE(Sample(world, 9.5f, 12.9f, 20.3f), 0, 13.0, 0.0, 13.0); // in rock
		const tnVoxelSample outside = Sample(world, -0.5f, 3.0f, 4.0f);
		ENSURE(!outside.loaded && !outside.inLiquid && outside.liquid == 0 && outside.level == 0.0f);
		ENSURE(RunToRest(world, 200) >= 0);
	}
	// Through a sheet of ground that is not rock, nothing is seen.
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(9, 30, 20, 10, 31, 21), 64));
	const double sheet = 30.0 + (double)(64 * 255 / 256) / 255.0;
	ENSURE_SAMPLE(Sample(world, 9.5f, 40.0f, 20.3f), 0, sheet, 0.0, sheet);
	ENSURE_SAMPLE(Sample(world, 9.5f, 29.0f, 20.3f), 0, 17.2, 4.2, 17.2);
	tnDestroyVoxelWorld(world);
	return 0;
}

// Water that fills what lies under a roof has the level of the open surfaces that it is connected with. Before it is known
// what is connected, and where no surface is open, it has its own.
static int RoofsHavePressure(void)
{
	const tnVoxelWorldDef def = GetDef();
	tnVoxelWorld* world = MakeRock(&def);
	ENSURE(world != NULL);
	// A shaft, and a cave at its bottom.
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(3, 2, 5, 6, 40, 8), 0));
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(3, 2, 5, 39, 5, 8), 0));
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(3, 2, 5, 39, 5, 8), 1, 255, NULL));
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(3, 5, 5, 6, 20, 8), 1, 255, NULL));
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(3, 20, 5, 6, 21, 8), 1, 51, NULL));
	// Another one without an opening.
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(50, 2, 5, 55, 5, 8), 0));
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(50, 2, 5, 55, 5, 8), 1, 255, NULL));
	// And a lake into which ground hangs that is dry above.
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(60, 2, 5, 75, 6, 8), 0));
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(70, 5, 5, 75, 6, 8), 128));
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(60, 2, 5, 75, 5, 8), 1, 255, NULL));
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(60, 5, 5, 70, 6, 8), 1, 51, NULL));
	ENSURE_SAMPLE(Sample(world, 25.5f, 3.5f, 6.5f), 1, 5.0, 3.0, 5.0);
	ENSURE(RunToRest(world, 400) >= 0);
	ENSURE_SAMPLE(Sample(world, 4.5f, 3.5f, 6.5f), 1, 20.2, 18.2, 20.2);
	ENSURE_SAMPLE(Sample(world, 7.5f, 4.9f, 6.5f), 1, 20.2, 3.0, 20.2);
	ENSURE_SAMPLE(Sample(world, 38.5f, 3.5f, 6.5f), 1, 20.2, 3.0, 20.2);
	ENSURE_SAMPLE(Sample(world, 72.5f, 4.5f, 6.5f), 1, 5.2, 3.0, 5.2);
	ENSURE_SAMPLE(Sample(world, 52.5f, 3.5f, 6.5f), 1, 5.0, 3.0, 5.0);
	// A block that comes and goes does not make it forget for long.
	ENSURE_OK(tnVoxelWorld_LoadBlock(world, (tnVoxel){2, 0, 0}));
	ENSURE_OK(tnVoxelWorld_UnloadBlock(world, (tnVoxel){2, 0, 0}));
	const uint64_t hash = tnVoxelWorld_GetHash(world);
	ENSURE_SAMPLE(Sample(world, 25.5f, 3.5f, 6.5f), 1, 5.0, 3.0, 5.0);
	ENSURE_EQUAL_HEX(tnVoxelWorld_GetHash(world), hash);
	for (int i = 0; i < def.levelInterval; ++i)
	{
		ENSURE_OK(tnVoxelWorld_Step(world, 0));
	}
	ENSURE_SAMPLE(Sample(world, 25.5f, 3.5f, 6.5f), 1, 20.2, 3.0, 20.2);
	tnDestroyVoxelWorld(world);
	return 0;
}

// Two kinds in one column, a shelf with a puddle over a lake, and water that falls.
static int ColumnsEndAtGroundAndAir(void)
{
	const tnVoxelWorldDef def = GetDef();
	tnVoxelWorld* world = MakeRock(&def);
	ENSURE(world != NULL);
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(3, 2, 5, 20, 37, 8), 0));
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(10, 20, 5, 20, 21, 8), TN_VOXEL_ROCK));
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(3, 2, 5, 20, 5, 8), 1, 255, NULL));
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(3, 5, 5, 20, 6, 8), 2, 102, NULL));
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(15, 21, 6, 16, 22, 7), 1, 51, NULL));
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(4, 30, 6, 5, 32, 7), 1, 255, NULL));
	ENSURE_SAMPLE(Sample(world, 8.5f, 3.5f, 6.5f), 1, 5.4, 3.4, 5.4);
	ENSURE_SAMPLE(Sample(world, 8.5f, 5.3f, 6.5f), 2, 5.4, 3.4, 5.4);
	ENSURE_SAMPLE(Sample(world, 8.5f, 25.0f, 6.5f), 0, 5.4, 3.4, 5.4);
	ENSURE_SAMPLE(Sample(world, 15.5f, 19.5f, 6.5f), 0, 5.4, 3.4, 5.4);
	ENSURE_SAMPLE(Sample(world, 15.5f, 21.1f, 6.5f), 1, 21.2, 0.2, 21.2);
	ENSURE_SAMPLE(Sample(world, 15.5f, 30.0f, 6.5f), 0, 21.2, 0.2, 21.2);
	ENSURE_SAMPLE(Sample(world, 17.5f, 30.0f, 6.5f), 0, 21.0, 0.0, 21.0);
	ENSURE_SAMPLE(Sample(world, 4.5f, 30.5f, 6.5f), 1, 32.0, 2.0, 32.0);
	ENSURE_SAMPLE(Sample(world, 4.5f, 29.5f, 6.5f), 0, 5.4, 3.4, 5.4);
	ENSURE_OK(tnVoxelWorld_Step(world, 0));
	ENSURE_SAMPLE(Sample(world, 4.5f, 29.5f, 6.5f), 1, 30.0, 1.0, 30.0);
	ENSURE_SAMPLE(Sample(world, 4.5f, 30.5f, 6.5f), 0, 30.0, 1.0, 30.0);
	// It lay on something that had not moved yet, and went to all four sides.
	ENSURE_SAMPLE(Sample(world, 4.5f, 31.1f, 6.5f), 1, 31.2, 0.2, 31.2);
	tnDestroyVoxelWorld(world);
	return 0;
}

static int BadPointsAreRefused(void)
{
	const tnVoxelWorldDef def = GetDef();
	tnVoxelWorld* world = MakeRock(&def);
	ENSURE(world != NULL);
	const tnVec3 good = {1.0f, 2.0f, 3.0f};
	tnVoxelSample samples[3];
	memset(samples, 0xcd, sizeof(samples));
	tnVoxelSample untouched = samples[0];
	ENSURE_REFUSED(tnVoxelWorld_Sample(NULL, good, samples), tn_invalidArgument, "world");
	ENSURE_REFUSED(tnVoxelWorld_Sample(world, good, NULL), tn_invalidArgument, "sample");
	ENSURE_REFUSED(tnVoxelWorld_Sample(world, (tnVec3){NAN, 0.0f, 0.0f}, samples), tn_invalidArgument, "point.x");
	ENSURE_REFUSED(tnVoxelWorld_Sample(world, (tnVec3){0.0f, INFINITY, 0.0f}, samples), tn_invalidArgument, "inf");
	ENSURE_REFUSED(tnVoxelWorld_Sample(world, (tnVec3){0.0f, 0.0f, 524288.0f}, samples), tn_invalidArgument, "point.z");
	ENSURE_REFUSED(
		tnVoxelWorld_Sample(world, (tnVec3){0.0f, 0.0f, -524288.1f}, samples), tn_invalidArgument, "-524288");
	const tnVec3 points[3] = {good, good, {0.0f, -1.0e30f, 0.0f}};
	ENSURE_REFUSED(tnVoxelWorld_SampleMany(NULL, points, 3, samples), tn_invalidArgument, "world");
	ENSURE_REFUSED(tnVoxelWorld_SampleMany(world, NULL, 3, samples), tn_invalidArgument, "points");
	ENSURE_REFUSED(tnVoxelWorld_SampleMany(world, points, 3, NULL), tn_invalidArgument, "samples");
	ENSURE_REFUSED(tnVoxelWorld_SampleMany(world, points, -1, samples), tn_invalidArgument, "-1");
	ENSURE_REFUSED(tnVoxelWorld_SampleMany(world, points, 3, samples), tn_invalidArgument, "points[2].y");
	for (int i = 0; i < 3; ++i)
	{
		ENSURE(memcmp(samples + i, &untouched, sizeof(untouched)) == 0);
	}
	ENSURE_OK(tnVoxelWorld_SampleMany(world, NULL, 0, NULL));
	ENSURE_OK(tnVoxelWorld_SampleMany(world, points, 2, samples));
	ENSURE(samples[0].loaded && samples[1].level == samples[0].level);
	// The first and the last points of all.
	ENSURE_OK(tnVoxelWorld_Sample(world, (tnVec3){-524288.0f, -524288.0f, 524287.9f}, samples));
	ENSURE(!samples[0].loaded);
	tnDestroyVoxelWorld(world);
	return 0;
}

static const Test s_tests[] = {
	{"LakesHaveLevels", LakesHaveLevels},
	{"RoofsHavePressure", RoofsHavePressure},
	{"ColumnsEndAtGroundAndAir", ColumnsEndAtGroundAndAir},
	{"BadPointsAreRefused", BadPointsAreRefused},
};

const TestSuite voxel_sampleSuite = TEST_SUITE("voxel_sample", s_tests);
