// SPDX-License-Identifier: MIT

#pragma once

// Small worlds of voxels to sample.

#include "voxel_kit.h"

#include <string.h>

// The voxels of these worlds have 0.5 m and 255 units, so that a unit is about 2 mm.
static const float s_size = 0.5f;

static inline tnVoxelWorldDef GetDef(void)
{
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.cap = 255;
	def.voxelSize = s_size;
	def.liquidCount = 2;
	def.liquids[1].density = 800.0f;
	return def;
}

// At a point given in voxels.
static inline tnVoxelSample Sample(tnVoxelWorld* world, float x, float y, float z)
{
	tnVoxelSample sample;
	memset(&sample, 0xcd, sizeof(sample));
	(void)tnVoxelWorld_Sample(world, (tnVec3){x * s_size, y * s_size, z * s_size}, &sample);
	return sample;
}
