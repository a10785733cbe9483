// SPDX-License-Identifier: MIT

#pragma once

#include "../core/side_thread.h"
#include "voxel_world.h"

// A step beside the host: voxel_background.c.

typedef struct tnVoxelBackground
{
	tnSideThread* thread;
	bool running; // written by the host's thread only
	int64_t workLimit;
	tnResult result; // of the step
	// A world of its own that is what this one was before the step. It is what hosts read while it runs.
	tnVoxelWorld* shown;
	void* bytes; // what bodies are, and take
	size_t byteCapacity;
	// What hosts can ask for that is not in voxels.
	int64_t waiting[TN_MAX_LIQUIDS + 1];
	tnVoxelStats stats;
	bool rests;
} tnVoxelBackground;
