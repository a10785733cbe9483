// SPDX-License-Identifier: MIT

#pragma once

// Calls on worlds of voxels.

#include "world_calls.h"

enum
{
	blockPlaceCount = 5,
	meshVertexLimit = 6000,
	meshIndexLimit = 18000,
};

// The first four are often loaded.
extern const tnVoxel blockPlaces[blockPlaceCount];

tnVoxelBox DrawBox(Driver* d);
void ShowBox(Driver* d, const char* name, tnVoxelBox box);
void ShowVoxel(Driver* d, const char* name, tnVoxel voxel);

extern const DriverCall voxelEditCalls[], voxelAskCalls[];
extern const int voxelEditCallCount, voxelAskCallCount;
