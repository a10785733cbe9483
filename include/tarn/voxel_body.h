// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/body.h"
#include "tarn/voxels.h"

/// @file Rigid bodies that float in a voxel world: the shapes, defs and states of tarn/body.h. The host's physics engine owns
/// their motion, and keeps them out of the ground:
///
///   tnVoxelWorld_MoveBody(world, body, &pose, velocity, spin);   // where the engine has it now
///   tnVoxelWorld_Step(world, 0);
///   tnVoxelWorld_GetBodyWrench(world, body, &wrench);            // add to the engine before its next step
///
/// Voxels stay as they are: a body feels the liquid, and the liquid does not feel it. To dam water with a body make ground of
/// the voxels that it covers.
///
/// Lengths are meters: voxel (x, y, z) begins at (x, y, z) * def.voxelSize.

/// @param def its mode must be tn_autoBody or tn_floatingBody. @param id receives the body, or null
TN_API tnResult tnVoxelWorld_CreateBody(tnVoxelWorld* world, const tnBodyDef* def, tnBodyId* id);
TN_API tnResult tnVoxelWorld_DestroyBody(tnVoxelWorld* world, tnBodyId id);
TN_API bool tnVoxelWorld_HasBody(const tnVoxelWorld* world, tnBodyId id);
/// All bodies, in the order of their index.
/// @param ids room for `capacity`, or NULL to count. @return how many there are
TN_API int tnVoxelWorld_GetBodies(const tnVoxelWorld* world, tnBodyId* ids, int capacity);

/// As tnWorld_MoveBody.
TN_API tnResult tnVoxelWorld_MoveBody(
	tnVoxelWorld* world, tnBodyId id, const tnPose* pose, tnVec3 velocity, tnVec3 spin);

/// What the liquid does to a body, as of the last step: buoyancy across the surface around it, of every liquid that lies there
/// in layers, and drag against its current. Zero before the first step. tn_outOfMemory if that step had no memory to find the
/// current; the next one tries again.
TN_API tnResult tnVoxelWorld_GetBodyWrench(const tnVoxelWorld* world, tnBodyId id, tnWrench* wrench);
/// `waveForce` and `waveTorque` are zero; `mode` is tn_floatingBody.
TN_API tnResult tnVoxelWorld_GetBodyState(const tnVoxelWorld* world, tnBodyId id, tnBodyState* state);
/// Stale after the body is destroyed.
TN_API tnResult tnVoxelWorld_GetBodyMesh(const tnVoxelWorld* world, tnBodyId id, tnBodyMesh* mesh);
/// As tnWorld_CopyWaterline.
TN_API tnResult tnVoxelWorld_CopyBodyWaterline(
	const tnVoxelWorld* world, tnBodyId id, tnVec3* points, int capacity, int* count);
