// SPDX-License-Identifier: MIT

// Ground of voxels for ODE. What is beside a scene is a wall, however high; above it is air. Rock grows into boxes along x, then
// z, then y, so that a floor is one box and nothing is caught at the seams. A voxel of which ground is a part has a box of its
// own, as high as that.

#include "bodies/scene_ode_ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Voxels along each axis around a body, at most: more of a larger one is not looked at.
#define TNS_GROUND_REACH 96
// Ground thinner than this share of a voxel is no obstacle.
#define TNS_LEAST_GROUND 8

struct tnsOdeGround
{
	tnsWater water;
	float voxelSize;
	dGeomID* boxes;
	int count, capacity;
	uint8_t* solid;
	size_t solidCapacity;
};

tnsOdeGround* tnsCreateOdeGround(const tnsWater* water)
{
	tnsOdeGround* ground = calloc(1, sizeof(tnsOdeGround));
	if (ground != NULL)
	{
		ground->water = *water;
		ground->voxelSize = tnVoxelWorld_GetDef(water->voxels).voxelSize;
	}
	return ground;
}

void tnsDestroyOdeGround(tnsOdeGround* ground)
{
	if (ground != NULL)
	{
		for (int i = 0; i < ground->capacity; ++i)
		{
			dGeomDestroy(ground->boxes[i]);
		}
		free(ground->boxes);
		free(ground->solid);
		free(ground);
	}
}

void tnsOdeGround_Clear(tnsOdeGround* ground)
{
	ground->count = 0;
}

dGeomID tnsOdeGround_GetGeom(const tnsOdeGround* ground, int index)
{
	return ground->boxes[index];
}

static bool tnsReserveBox(tnsOdeGround* ground)
{
	if (ground->count < ground->capacity)
	{
		return true;
	}
	const int capacity = ground->capacity > 0 ? 2 * ground->capacity : 64;
	dGeomID* boxes = realloc(ground->boxes, (size_t)capacity * sizeof(dGeomID));
	if (boxes == NULL)
	{
		return false;
	}
	ground->boxes = boxes;
	for (int i = ground->capacity; i < capacity; ++i)
	{
		ground->boxes[i] = dCreateBox(NULL, 1, 1, 1);
	}
	ground->capacity = capacity;
	return true;
}

// In voxels.
static void tnsAddBox(tnsOdeGround* ground, const double low[3], const double high[3])
{
	if (tnsReserveBox(ground) == false)
	{
		return;
	}
	const double size = (double)ground->voxelSize;
	const dGeomID box = ground->boxes[ground->count++];
	dGeomBoxSetLengths(box, (dReal)((high[0] - low[0]) * size), (dReal)((high[1] - low[1]) * size),
		(dReal)((high[2] - low[2]) * size));
	dGeomSetPosition(box, (dReal)(0.5 * (low[0] + high[0]) * size), (dReal)(0.5 * (low[1] + high[1]) * size),
		(dReal)(0.5 * (low[2] + high[2]) * size));
}

// Ground of a box of voxels: x fastest, then z, then y.
static bool tnsReadGroundBox(tnsOdeGround* ground, tnVoxelBox box)
{
	const int sides[3] = {box.high.x - box.low.x, box.high.z - box.low.z, box.high.y - box.low.y};
	const size_t count = (size_t)sides[0] * (size_t)sides[1] * (size_t)sides[2];
	if (count > ground->solidCapacity)
	{
		uint8_t* solid = realloc(ground->solid, count);
		if (solid == NULL)
		{
			return false;
		}
		ground->solid = solid;
		ground->solidCapacity = count;
	}
	if (tnVoxelWorld_Read(ground->water.voxels, box, ground->solid, NULL, NULL).status != tn_ok)
	{
		return false;
	}
	const tnVoxel size = ground->water.size;
	for (int y = size.y > box.low.y ? size.y : box.low.y; y < box.high.y; ++y)
	{
		for (int z = box.low.z; z < box.high.z; ++z)
		{
			for (int x = box.low.x; x < box.high.x; ++x)
			{
				const bool beside = x < 0 || z < 0 || x >= size.x || z >= size.z;
				const size_t at =
					((size_t)(y - box.low.y) * (size_t)sides[1] + (size_t)(z - box.low.z)) * (size_t)sides[0] +
					(size_t)(x - box.low.x);
				ground->solid[at] = beside ? TN_VOXEL_ROCK : 0;
			}
		}
	}
	return true;
}

// Is a part of the box nothing but rock?
static bool tnsIsRock(const tnsOdeGround* ground, const int sides[3], const int low[3], const int high[3])
{
	for (int y = low[1]; y < high[1]; ++y)
	{
		for (int z = low[2]; z < high[2]; ++z)
		{
			for (int x = low[0]; x < high[0]; ++x)
			{
				if (ground->solid[(y * sides[2] + z) * sides[0] + x] != TN_VOXEL_ROCK)
				{
					return false;
				}
			}
		}
	}
	return true;
}

// The largest box of rock from a voxel on, along x, then z, then y. It is taken out.
static void tnsGrowBox(tnsOdeGround* ground, const int sides[3], const int low[3], int high[3])
{
	static const int axes[3] = {0, 2, 1};
	for (int i = 0; i < 3; ++i)
	{
		const int axis = axes[i];
		for (;;)
		{
			int from[3] = {low[0], low[1], low[2]};
			int to[3] = {high[0], high[1], high[2]};
			from[axis] = high[axis];
			to[axis] = high[axis] + 1;
			if (to[axis] > sides[axis] || tnsIsRock(ground, sides, from, to) == false)
			{
				break;
			}
			high[axis] += 1;
		}
	}
	for (int y = low[1]; y < high[1]; ++y)
	{
		for (int z = low[2]; z < high[2]; ++z)
		{
			memset(ground->solid + (y * sides[2] + z) * sides[0] + low[0], 0, (size_t)(high[0] - low[0]));
		}
	}
}

int tnsOdeGround_Gather(tnsOdeGround* ground, const dReal bounds[6], int* first)
{
	// One voxel more on each side: a body moves within a step.
	int low[3];
	int high[3];
	*first = ground->count;
	for (int i = 0; i < 3; ++i)
	{
		const double from = floor((double)bounds[2 * i] / (double)ground->voxelSize) - 1.0;
		const double to = floor((double)bounds[2 * i + 1] / (double)ground->voxelSize) + 2.0;
		if (!(from > -TN_MAX_VOXEL && to < TN_MAX_VOXEL))
		{
			return 0;
		}
		low[i] = (int)from;
		high[i] = (int)to < low[i] + TNS_GROUND_REACH ? (int)to : low[i] + TNS_GROUND_REACH;
	}
	if (tnsReadGroundBox(ground, (tnVoxelBox){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}}) == false)
	{
		return 0;
	}
	const int sides[3] = {high[0] - low[0], high[1] - low[1], high[2] - low[2]};
	for (int i = 0; i < sides[0] * sides[1] * sides[2]; ++i)
	{
		const int at[3] = {i % sides[0], i / (sides[0] * sides[2]), i / sides[0] % sides[2]};
		const int solid = ground->solid[i];
		if (solid < TNS_LEAST_GROUND)
		{
			continue;
		}
		int end[3] = {at[0] + 1, at[1] + 1, at[2] + 1};
		double top = (double)at[1] + (double)solid / (double)TN_VOXEL_ROCK;
		if (solid == TN_VOXEL_ROCK)
		{
			tnsGrowBox(ground, sides, at, end);
			top = (double)end[1];
		}
		tnsAddBox(ground, (const double[3]){low[0] + at[0], low[1] + at[1], low[2] + at[2]},
			(const double[3]){low[0] + end[0], low[1] + top, low[2] + end[2]});
	}
	return ground->count - *first;
}
