// SPDX-License-Identifier: MIT

#pragma once

#include "voxel_world.h"

// What changes voxels from outside has in common: boxes in parts (voxel_box_parts.c), liquid (voxel_liquid_edit.c), and checks of
// what hosts hand in.

// The part of a box in one chunk.
typedef struct tnChunkPart
{
	tnVoxelBlock* block;
	int32_t chunk;
	tnVoxelBox inside; // in voxels of the chunk
	tnVoxel offset;    // of its first voxel from that of the box
} tnChunkPart;

typedef bool tnPartFcn(tnVoxelWorld* world, const tnChunkPart* part, void* context);

// Is a box within the range of voxels, and in loaded blocks?
tnResult tnVoxelWorld_CheckBox(const tnVoxelWorld* world, tnVoxelBox box);
// The same, and whether the world can be changed. What is wrong has been reported.
tnResult tnVoxelWorld_CheckEdit(const tnVoxelWorld* world, tnVoxelBox box);
// Calls fcn for each chunk until it returns false. Blocks that are not loaded are skipped.
bool tnVoxelWorld_ForEachPart(tnVoxelWorld* world, tnVoxelBox box, tnPartFcn* fcn, void* context);

// A voxel of a chunk has changed.
static inline void tnNoteVoxel(tnVoxelChange* change, int32_t x, int32_t y, int32_t z)
{
	const uint32_t bit = 1u << y;
	change->layers |= bit;
	change->sides[tn_voxelWest] |= x == 0 ? bit : 0;
	change->sides[tn_voxelEast] |= x == TN_ROW - 1 ? bit : 0;
	change->sides[tn_voxelNorth] |= z == 0 ? bit : 0;
	change->sides[tn_voxelSouth] |= z == TN_ROW - 1 ? bit : 0;
}

typedef struct tnLiquidEdit
{
	int32_t kind;   // 0: any, only for taking
	int32_t amount; // > 0 adds, < 0 takes, to each voxel
	int64_t limit;  // of height, in units of the world: fill to that level; INT64_MAX for none
	int32_t pages;
	int64_t moved[TN_MAX_LIQUIDS + 1];
} tnLiquidEdit;

// Rock, and nothing to take, stay as they are.
bool tnHasLiquidEffect(const tnVoxelWorld* world, const tnVoxelChunk* chunk, const tnLiquidEdit* edit);
// A tnPartFcn with a tnLiquidEdit.
bool tnApplyLiquidEdit(tnVoxelWorld* world, const tnChunkPart* part, void* context);

// Values of hosts. What is wrong is not reported yet.
tnResult tnVoxelWorld_CheckLiquid(const tnVoxelWorld* world, const char* name, int liquid, int low);
tnResult tnCheckVoxelAmount(const char* name, int amount, int low);
tnResult tnCheckVoxelStamp(uint32_t stamp, const char* origin);
