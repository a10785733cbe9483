// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/voxel_flow.h"
#include "voxel_location.h"
#include "voxel_world.h"

// How fast liquid moves. Two things move it: steps, from voxel to voxel (voxel_flow.c), and levels and jets, which take it
// at one place and put it at another; what they move went through all the liquid between (voxel_current.c).

// What moves over the faces of a voxel.
typedef struct tnFaceFlows
{
	int32_t out[tn_voxelSideCount];   // units a step, less what comes in
	int32_t areas[tn_voxelSideCount]; // wetted, in units of a full voxel
	bool isOpen[tn_voxelSideCount];   // to air, and nothing moves: there is no face
} tnFaceFlows;

// What the rules from voxel to voxel move in the next step of a kind, if nothing happens before: those of voxel_kernels.inc.
tnFaceFlows tnGetStepFlows(const tnVoxelWorld* world, const tnVoxelSpot* spot, int32_t kind);

// At points of which all lie within the voxels of a world. False if memory ran out, and velocities may lack currents.
bool tnSampleVoxels(tnVoxelWorld* world, const tnVec3* points, int count, tnVoxelSample* samples);

// Of the liquid in a voxel, in voxels a step along x, y and z.
void tnGetVoxelVelocity(tnVoxelWorld* world, const tnVoxelSpot* spot, double velocity[3]);
