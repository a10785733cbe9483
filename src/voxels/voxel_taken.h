// SPDX-License-Identifier: MIT

// Room that bodies take from liquid: voxel_taking.c says how.

#pragma once

#include "../core/memory.h"
#include "tarn/body.h"
#include "tarn/voxels.h"

// A voxel of which a body takes a share, 1 to TN_VOXEL_ROCK.
typedef struct tnTakenVoxel
{
	tnVoxel voxel;
	int32_t share;
} tnTakenVoxel;

// What is known of a place that bodies take: of a voxel, or of a chunk.
typedef struct tnTakenPlace
{
	tnVoxel place;
	int32_t ground; // of a voxel, below the bodies
	int32_t share;  // of all bodies together, or how many voxels of the chunk are taken; 0: an empty entry
} tnTakenPlace;

// Places by hash: open addressing.
typedef struct tnTakenMap
{
	tnTakenPlace* entries;
	int32_t capacity; // a power of two, or 0
	int32_t count;
} tnTakenMap;

// Where a vertical line meets the mesh of a body, in voxels.
typedef struct tnMeshCrossing
{
	double height;
	int32_t turn; // 1: into the body on the way up, -1: out of it
} tnMeshCrossing;

// What all bodies share to find out what they take.
typedef struct tnTakenScratch
{
	double* points; // three for each
	tnVec3* turned;
	int32_t pointCapacity;
	int32_t* starts; // of crossings of each column
	int32_t startCapacity;
	tnMeshCrossing* crossings;
	int32_t crossingCapacity;
	tnTakenVoxel* voxels;
	int32_t voxelCount;
	int32_t voxelCapacity;
} tnTakenScratch;

struct tnVoxelBody;
struct tnVoxelWorld;

void tnTakenMap_Destroy(tnTakenMap* map, tnMemory* memory);
void tnTakenScratch_Destroy(tnTakenScratch* scratch, tnMemory* memory);

// Can a body take room at all: is it small enough for that? And is it large enough to do so unasked?
bool tnVoxelBody_MayBlock(const struct tnVoxelWorld* world, const struct tnVoxelBody* body);
bool tnVoxelBody_IsWide(const struct tnVoxelWorld* world, const struct tnVoxelBody* body);

// A body that blocks takes the room of a pose, and gives back what it had. Fails without having changed anything.
tnResult tnVoxelBody_TakeRoom(struct tnVoxelWorld* world, struct tnVoxelBody* body, const tnPose* pose);
// It gives all back.
void tnVoxelBody_GiveRoom(struct tnVoxelWorld* world, struct tnVoxelBody* body);
// Voxels of a box are about to go, or to be others: nobody has taken anything there. Bodies look again before the next step.
void tnVoxelWorld_ForgetTaken(struct tnVoxelWorld* world, tnVoxelBox box);
// There are new voxels: bodies look again before the next step.
void tnVoxelWorld_LookAgain(struct tnVoxelWorld* world);
// Those that must, look.
tnResult tnVoxelWorld_TakePending(struct tnVoxelWorld* world);

// Ground of a voxel of a chunk with taken voxels, without bodies.
int32_t tnVoxelWorld_GetGround(const struct tnVoxelWorld* world, tnVoxel voxel, int32_t solid);
// What becomes of a voxel there that gets new ground: with bodies. The second also keeps it.
int32_t tnVoxelWorld_AddTaken(const struct tnVoxelWorld* world, tnVoxel voxel, int32_t ground);
int32_t tnVoxelWorld_SetGround(struct tnVoxelWorld* world, tnVoxel voxel, int32_t ground);
// Is anything taken in a chunk, or in one that touches it?
bool tnVoxelWorld_IsTakenNear(const struct tnVoxelWorld* world, tnVoxel chunk);
// Ground of all of a chunk without bodies. True if it is the same everywhere.
bool tnVoxelWorld_CopyGround(const struct tnVoxelWorld* world, tnVoxel chunk, uint8_t* ground);
