// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/body.h"
#include "tarn/voxels.h"

/// @file Rigid bodies in a voxel world: the shapes, defs and states of tarn/body.h. The host's physics engine owns their motion,
/// and keeps them out of the ground:
///
///   tnVoxelWorld_MoveBody(world, body, &pose, velocity, spin);   // where the engine has it now
///   tnVoxelWorld_Step(world, 0);
///   tnVoxelWorld_GetBodyWrench(world, body, &wrench);            // add to the engine before its next step
///
/// A body in blocking mode takes room from the liquid: the columns of voxels whose middle it covers, seen from above, and of
/// each voxel there the part between its bottom and its top, in 255 parts. It dams, and it raises the level by what it takes;
/// when it moves on, liquid flows in. Liquid in its way is moved beside it, or above it, and waits where there is no room: not
/// a unit is lost. A body in floating mode feels the liquid, and the liquid does not feel it.
///
/// To the host ground stays what it is: what bodies take is in the `room` of voxels, not in their `solid`, and in no save. Make
/// the bodies of a world that was loaded again, and it goes on as the one that was saved; but chunks beside them are awake then, so
/// with a limit of work (tnVoxelWorld_Step) others may have their turn first.
///
/// Lengths are meters: voxel (x, y, z) begins at (x, y, z) * def.voxelSize.

/// @param def tn_autoBody blocks if the body is at least one voxel long along each of its own axes, and floats else.
/// tn_blockingBody is refused for bodies of more than 2^22 voxels, which tn_autoBody lets float.
/// @param id receives the body, or null
TN_API tnResult tnVoxelWorld_CreateBody(tnVoxelWorld* world, const tnBodyDef* def, tnBodyId* id);
/// The room that it took is free again.
TN_API tnResult tnVoxelWorld_DestroyBody(tnVoxelWorld* world, tnBodyId id);
TN_API bool tnVoxelWorld_HasBody(const tnVoxelWorld* world, tnBodyId id);
/// All bodies, in the order of their index.
/// @param ids room for `capacity`, or NULL to count. @return how many there are
TN_API int tnVoxelWorld_GetBodies(const tnVoxelWorld* world, tnBodyId* ids, int capacity);

/// As tnWorld_MoveBody. It takes the new room before it gives back the old, so that it pushes liquid before it and never through
/// itself. Costs nothing where the pose is the same. tn_outOfMemory, and nothing has changed, if there is no memory for what
/// it takes, or if that would need more chunks of liquid than chunkLimit.
TN_API tnResult tnVoxelWorld_MoveBody(
	tnVoxelWorld* world, tnBodyId id, const tnPose* pose, tnVec3 velocity, tnVec3 spin);

/// What the liquid does to a body, as of the last step: buoyancy across the surface around it, of every liquid that lies there
/// in layers, and drag against its current. Zero before the first step. tn_outOfMemory if that step had no memory to find the
/// current; the next one tries again.
TN_API tnResult tnVoxelWorld_GetBodyWrench(const tnVoxelWorld* world, tnBodyId id, tnWrench* wrench);
/// `waveForce` and `waveTorque` are zero.
TN_API tnResult tnVoxelWorld_GetBodyState(const tnVoxelWorld* world, tnBodyId id, tnBodyState* state);
/// Stale after the body is destroyed.
TN_API tnResult tnVoxelWorld_GetBodyMesh(const tnVoxelWorld* world, tnBodyId id, tnBodyMesh* mesh);
/// As tnWorld_CopyWaterline.
TN_API tnResult tnVoxelWorld_CopyBodyWaterline(
	const tnVoxelWorld* world, tnBodyId id, tnVec3* points, int capacity, int* count);
