// SPDX-License-Identifier: MIT

#pragma once

#include "voxel_store.h"

// Voxels and their neighbours, across the borders of chunks and blocks.

// A voxel anywhere in the world.
typedef struct tnVoxelSpot
{
	tnVoxelBlock* block;
	tnVoxelChunk* chunk; // NULL: not loaded
	int32_t index;       // of the chunk
	int32_t voxel;
	uint16_t word;
} tnVoxelSpot;

// Along x, y or z.
static inline int32_t tnGetCoordinate(int32_t voxel, int axis)
{
	return voxel >> (axis == 0 ? 0 : (axis == 1 ? 8 : 4)) & 15;
}

// A place of a voxel in the world, from its chunk.
static inline tnVoxel tnGetVoxelPlace(const tnVoxelBlock* block, int32_t chunk, int32_t voxel)
{
	const tnVoxel place = tnGetChunkPlace(block, chunk);
	return (tnVoxel){16 * place.x + voxel % 16, 16 * place.y + voxel / TN_LAYER, 16 * place.z + voxel / TN_ROW % 16};
}

// The next voxel along x, y or z, or the one before.
static inline tnVoxelSpot tnGetNext(const tnVoxelStore* store, const tnVoxelSpot* spot, int axis, bool forward)
{
	static const tnVoxelSide towards[3] = {tn_voxelEast, tn_voxelUp, tn_voxelSouth};
	static const int32_t strides[3] = {1, TN_LAYER, TN_ROW};
	tnVoxelSpot next = *spot;
	const int32_t coordinate = tnGetCoordinate(spot->voxel, axis);
	const int32_t last = TN_VOXEL_CHUNK - 1;
	if (coordinate == (forward ? last : 0))
	{
		const tnVoxelSide side = (tnVoxelSide)((int)towards[axis] ^ (forward ? 0 : 1));
		next.chunk = tnVoxelBlock_GetNeighbour(spot->block, spot->index, side, &next.block, &next.index);
		next.voxel += (forward ? -last : last) * strides[axis];
	}
	else
	{
		next.voxel += (forward ? 1 : -1) * strides[axis];
	}
	next.word = next.chunk != NULL ? tnGetWord(store, next.chunk, next.voxel) : 0;
	return next;
}
