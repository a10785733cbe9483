// SPDX-License-Identifier: MIT

#pragma once

// Small worlds of voxels for tests.

#include "harness.h"

#include <tarn/tarn.h>

static inline tnVoxelBox VoxelBox(int x0, int y0, int z0, int x1, int y1, int z1)
{
	return (tnVoxelBox){{x0, y0, z0}, {x1, y1, z1}};
}

// One block of rock. NULL on failure.
static inline tnVoxelWorld* MakeRock(const tnVoxelWorldDef* def)
{
	tnVoxelWorld* world = NULL;
	if (tnCreateVoxelWorld(def, &world).status != tn_ok)
	{
		return NULL;
	}
	(void)tnVoxelWorld_LoadBlock(world, (tnVoxel){0, 0, 0});
	(void)tnVoxelWorld_FillSolid(
		world, VoxelBox(0, 0, 0, TN_VOXEL_BLOCK, TN_VOXEL_BLOCK, TN_VOXEL_BLOCK), TN_VOXEL_ROCK);
	return world;
}

// Steps until nothing moves any more. -1: not within the limit.
static inline int RunToRest(tnVoxelWorld* world, int limit)
{
	for (int step = 0; step < limit; ++step)
	{
		if (tnVoxelWorld_IsAtRest(world))
		{
			return step;
		}
		(void)tnVoxelWorld_Step(world, 0);
	}
	return -1;
}

static inline unsigned NextRandom(unsigned* state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}
