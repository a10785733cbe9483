// SPDX-License-Identifier: MIT

#pragma once

#include "kits/case_kit.h"
#include "tarn/voxels.h"

/// @file Worlds of voxels whose scene can lie anywhere and be turned: all places of the kit are those of the scene.

/// Steps after which a scene that does not come to rest is given up.
#define TNC_VOXEL_PATIENCE 20000

/// Voxels of the scene are [0, size) along each axis.
typedef struct tncVoxelFrame
{
	tnVoxel size;
	/// Where the corner of the scene is in the world.
	tnVoxel origin;
	/// tncTurn: flips of x and z, then the transposition.
	int turn;
	/// Load blocks in the other order.
	bool isLoadedBackwards;
} tncVoxelFrame;

typedef struct tncVoxels
{
	tncContext* context;
	tnVoxelWorld* world;
	tnVoxelWorldDef def;
	tncVoxelFrame frame;
	bool failed;
} tncVoxels;

/// With the workers and instructions of the run.
tnVoxelWorldDef tncMakeVoxelDef(const tncContext* context, int cap);

/// A scene at a place that is off all borders of chunks and has a border of blocks in its middle: negative coordinates on
/// one side of it.
tncVoxelFrame tncMakeFrame(int sizeX, int sizeY, int sizeZ);

/// Load the blocks of the scene and fill all of them with rock. A refusal is a failing row.
bool tncOpenVoxels(tncContext* context, const tnVoxelWorldDef* def, const tncVoxelFrame* frame, tncVoxels* voxels);
/// The ledgers must close.
void tncCloseVoxels(tncVoxels* voxels);

/// A box of the scene.
tnVoxelBox tncMakeBoxOf(int x0, int y0, int z0, int x1, int y1, int z1);
tnVoxelBox tncMakeVoxelBox(int x, int y, int z);
/// Where it is in the world.
tnVoxelBox tncPlaceBox(const tncVoxels* voxels, tnVoxelBox box);

/// A refusal is a failing row.
void tncCheckVoxels(tncVoxels* voxels, tnResult result);
void tncSetGround(tncVoxels* voxels, tnVoxelBox box, int solid);
/// @return units that found room
int64_t tncPour(tncVoxels* voxels, tnVoxelBox box, int liquid, int amount);
int64_t tncTakeOut(tncVoxels* voxels, tnVoxelBox box, int amount);
/// Give, or take with a rate below 0, each step.
tnVoxelSourceId tncAddVoxelSource(tncVoxels* voxels, tnVoxelBox box, int liquid, int rate);
/// @param level in voxels of the scene
void tncSetSea(tncVoxels* voxels, tnVoxelBox box, int level);

void tncStepVoxels(tncVoxels* voxels, int count);
/// Steps until nothing moves, -1 if that takes more than `limit`.
int tncRestVoxels(tncVoxels* voxels, int limit);

tnVoxelState tncGetVoxelAt(const tncVoxels* voxels, int x, int y, int z);

/// Units and kinds of all voxels of the scene, [(y * size.z + z) * size.x + x], in its own orientation.
void tncReadScene(const tncVoxels* voxels, uint16_t* amounts, uint8_t* liquids);
int tncCountScene(const tncVoxels* voxels);

/// CRC-32 of the units and kinds of the scene.
uint32_t tncHashScene(const tncVoxels* voxels);

/// Sum of the scene, in units, without help of the ledger.
int64_t tncSumScene(const tncVoxels* voxels);

/// Voxels that are not settled.
int tncCountAwake(const tncVoxels* voxels);

/// The state of rest of one pool, from the ground alone: all below the layer `level` is full, and the layer has the rest.
typedef struct tncPool
{
	int level, surfaceCount;
	int64_t rest;
} tncPool;

/// @param bottom a voxel of the pool's lowest layer
tncPool tncFillPool(const tncVoxels* voxels, tnVoxel bottom, int64_t mass);

/// How far the scene is from that: voxels below the surface that are not full, units above it, and the difference between
/// the fullest and emptiest voxels of the layer.
typedef struct tncPoolDefects
{
	int notFull, spread;
	int64_t above;
	/// Largest distance of a voxel of the layer from rest / surfaceCount, in units.
	double deviation;
} tncPoolDefects;

tncPoolDefects tncComparePool(const tncVoxels* voxels, tnVoxel bottom, const tncPool* pool);

/// Side of the cave of the reference tables.
#define TNC_CAVE_SIDE 32
#define TNC_CAVE_VOXELS 32768
/// The exact cave: 1 where rock is, at [(y * side + z) * side + x]. Its z is our height y, its y our z.
void tncMakeCave(int side, int32_t* solid);
/// A scene of the cave alone.
bool tncOpenCave(tncContext* context, const tnVoxelWorldDef* def, int side, int turn, tncVoxels* voxels);
/// Rock where solid is not 0, air elsewhere.
void tncSetSceneGround(tncVoxels* voxels, const int32_t* solid);
