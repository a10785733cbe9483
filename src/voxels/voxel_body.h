// SPDX-License-Identifier: MIT

// Bodies in voxels: voxel_bodies.c says what they feel.

#pragma once

#include "../core/ids.h"
#include "../shapes/submerged_mesh.h"
#include "tarn/voxels.h"

typedef struct tnVoxelBody
{
	tnBodyDef def; // without shapes
	tnMesh mesh;
	tnPose pose;
	tnMotion motion;
	tnVec3* points;  // of the mesh, in the axes of the world, from the centre of mass
	tnVec3* sheared; // see tnFeelVoxelBody
	bool isWet;      // it touched liquid in the last step
	bool isShort;    // what it felt there was no memory to find out
	tnBodyState state;
	tnWrench wrench;
} tnVoxelBody;

typedef struct tnVoxelBodies
{
	tnIdPool ids;
	tnVoxelBody* items;
	int capacity;
} tnVoxelBodies;

// After a step: what the liquid does to all bodies.
void tnVoxelWorld_FeelBodies(tnVoxelWorld* world);
void tnVoxelBodies_Destroy(tnVoxelBodies* bodies, tnMemory* memory);
