// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/voxels.h"

/// @file What the liquid of a voxel world is at points in space: surface, depth, pressure and current.
///
/// Points are in meters: voxel (x, y, z) covers [x, x + 1) * voxelSize, and so on. The ground of a voxel lies at its bottom,
/// the liquid on top of it. Asking changes nothing in the world.

/// What the liquid is at a point.
typedef struct tnVoxelSample
{
	/// Kind of the liquid at the point. 0: it is in air or in ground. Then the rest tells of the liquid on which one would
	/// land straight below, before any ground.
	uint8_t liquid;
	/// The point is in a block that is loaded. If not, all else is 0.
	bool loaded;
	bool inLiquid;
	/// Height of the surface of the liquid in this column of voxels, m, exactly as the voxels have it: steps between columns
	/// are not smoothed. Of kinds on top of each other it is the surface of the uppermost. Under a roof, where liquid is
	/// under pressure, it is `head` if that is higher. Where there is no liquid it is the height of the ground, and in rock the
	/// top of the voxel.
	float level;
	/// Liquid from the surface down to the ground, or to air below it, m. Kinds on top of each other count together.
	float depth;
	/// How high the liquid would rise in a pipe, m: the mean height of all open surfaces that it is connected with, as the
	/// last look at levels (each levelInterval steps) found them. Connected liquid has one level, so it does not fall along
	/// a pipe. Without such a look, and where liquid falls, it is the top of the liquid here: also in a
	/// world that was loaded in the middle of a flood, until the next look.
	float head;
	/// m/s, of the voxel that the point is in or, from the air, of the uppermost one of the liquid below. The mean over its
	/// faces of what moves from voxel to voxel in the next step and of what levels and jets moved through it of late (see
	/// docs/voxels.md). A voxel a step is voxelSize * stepRate. 0 at rest. It is part of no save: see there.
	tnVec3 velocity;
} tnVoxelSample;

/// Currents of what levels move are found when somebody asks. If there is no memory for that the result is tn_outOfMemory, and
/// nothing is written.
/// @param point m, within the TN_MAX_VOXEL voxels of a world
TN_API tnResult tnVoxelWorld_Sample(tnVoxelWorld* world, tnVec3 point, tnVoxelSample* sample);
/// If one point is refused no sample is written. After tn_outOfMemory velocities may lack currents.
/// @param points, samples `count` of them; may be NULL if there are none
TN_API tnResult tnVoxelWorld_SampleMany(tnVoxelWorld* world, const tnVec3* points, int count, tnVoxelSample* samples);
