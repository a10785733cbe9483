// SPDX-License-Identifier: MIT

// Bodies in voxels: voxel_bodies.c says what they feel.

#pragma once

#include "../core/ids.h"
#include "../shapes/submerged_mesh.h"
#include "tarn/voxels.h"
#include "voxel_taken.h"

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
	bool isBlocking; // it takes room from the liquid
	bool isPending;  // it must look again what it takes
	tnTakenVoxel* taken;
	int32_t takenCount;
	int32_t takenCapacity;
	tnBodyState state;
	tnWrench wrench;
} tnVoxelBody;

typedef struct tnVoxelBodies
{
	tnIdPool ids;
	tnVoxelBody* items;
	int capacity;
	tnTakenMap takenVoxels;
	tnTakenMap takenChunks;
	tnTakenScratch scratch;
	bool isPending; // some are
} tnVoxelBodies;

// After a step: what the liquid does to all bodies.
void tnVoxelWorld_FeelBodies(tnVoxelWorld* world);
void tnVoxelBodies_Destroy(tnVoxelBodies* bodies, tnMemory* memory);
