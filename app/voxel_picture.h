// SPDX-License-Identifier: MIT

#pragma once

#include "voxel_scene.h"

typedef struct VoxelPicture
{
	const tnsVoxelRun* run;
	const char* path;
	int width, height;
	bool blocky;
} VoxelPicture;

/// Draw a voxel world without a window, and write a PNG.
tnsResult DrawVoxelPicture(const VoxelPicture* picture);
