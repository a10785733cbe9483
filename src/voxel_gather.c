// SPDX-License-Identifier: MIT

#include "voxel_world.h"

#include <string.h>

// Sides are kept as [side][y][z or x].
void tnKeepSides(tnVoxelChunk* chunk)
{
	const uint16_t* words = chunk->liquid;
	uint16_t* west = chunk->liquid + TN_CHUNK_VOXELS;
	uint16_t* east = west + TN_LAYER;
	uint16_t* north = east + TN_LAYER;
	uint16_t* south = north + TN_LAYER;
	for (int32_t y = 0; y < TN_VOXEL_CHUNK; ++y)
	{
		const uint16_t* layer = words + y * TN_LAYER;
		for (int32_t z = 0; z < TN_ROW; ++z)
		{
			west[y * TN_ROW + z] = layer[z * TN_ROW];
			east[y * TN_ROW + z] = layer[z * TN_ROW + TN_ROW - 1];
		}
		memcpy(north + y * TN_ROW, layer, TN_ROW * sizeof(uint16_t));
		memcpy(south + y * TN_ROW, layer + TN_LAYER - TN_ROW, TN_ROW * sizeof(uint16_t));
	}
}

// First voxel of a side in a layer, and the way to the next.
static const int32_t s_sideStart[4] = {0, TN_ROW - 1, 0, TN_LAYER - TN_ROW};
static const int32_t s_sideStride[4] = {TN_ROW, TN_ROW, 1, 1};

// Who takes no part is a wall: nothing flows to or from layers that sleep, and those that wait must not change.
static bool tnTakesPart(const tnVoxelChunk* chunk, int32_t layer)
{
	return chunk != NULL && chunk->selected && (chunk->layers >> layer & 1u) != 0;
}

// One line of the pad from the side of a neighbour that faces the chunk.
static void tnGatherSide(
	tnVoxelPad* pad, const tnVoxelStore* store, const tnVoxelChunk* neighbour, int side, int32_t layer, int32_t y)
{
	static const int32_t lines[4] = {tn_padWest, tn_padEast, tn_padNorth, tn_padSouth};
	const int32_t target = tnGetPadIndex(y, lines[side]);
	if (!tnTakesPart(neighbour, layer))
	{
		memset(pad->words + target, 0, TN_ROW * sizeof(uint16_t));
		memset(pad->rooms + target, 0, TN_ROW * sizeof(uint16_t));
		return;
	}
	const int facing = side ^ 1;
	const uint16_t* kept = neighbour->liquid + TN_CHUNK_VOXELS + facing * TN_LAYER + layer * TN_ROW;
	memcpy(pad->words + target, kept, TN_ROW * sizeof(uint16_t));
	const int32_t first = layer * TN_LAYER + s_sideStart[facing];
	const int32_t step = s_sideStride[facing];
	uint16_t* rooms = pad->rooms + target;
	if (neighbour->solid == NULL)
	{
		const uint16_t room = store->rooms[neighbour->solidFill];
		for (int32_t i = 0; i < TN_ROW; ++i)
		{
			rooms[i] = room;
		}
		return;
	}
	const uint8_t* solid = neighbour->solid + first;
	for (int32_t i = 0; i < TN_ROW; ++i)
	{
		rooms[i] = store->rooms[solid[i * step]];
	}
}

// A layer of the chunk itself, or of the one below or above.
static void tnGatherLayer(tnVoxelPad* pad, const tnVoxelKernels* kernels, const tnVoxelStore* store,
	const tnVoxelChunk* chunk, int32_t layer, const uint16_t* words, int32_t y)
{
	const int32_t target = tnGetPadIndex(y, tn_padOwn);
	if (!tnTakesPart(chunk, layer))
	{
		memset(pad->words + target, 0, TN_LAYER * sizeof(uint16_t));
		memset(pad->rooms + target, 0, TN_LAYER * sizeof(uint16_t));
		return;
	}
	memcpy(pad->words + target, words, TN_LAYER * sizeof(uint16_t));
	if (chunk->solid != NULL)
	{
		kernels->findRooms(chunk->solid + layer * TN_LAYER, store->cap, pad->rooms + target);
		return;
	}
	const uint16_t room = store->rooms[chunk->solidFill];
	for (int32_t i = 0; i < TN_LAYER; ++i)
	{
		pad->rooms[target + i] = room;
	}
}

// What is beside a layer of the chunk itself, or of the one below or above.
static void tnGatherRing(
	tnVoxelPad* pad, const tnVoxelStore* store, const tnVoxelChunk* const neighbours[4], int32_t layer, int32_t y)
{
	for (int side = 0; side < 4; ++side)
	{
		tnGatherSide(pad, store, neighbours[side], side, layer, y);
	}
}

// What is beside a chunk, or beside the one below or above it. The way goes sideways first: each of those finds what lies
// below it in the same way, also where the block in the corner between is not loaded.
static void tnFindSides(tnVoxelBlock* block, int32_t chunk, int up, const tnVoxelChunk* neighbours[4])
{
	for (int side = 0; side < 4; ++side)
	{
		tnVoxelBlock* owner;
		int32_t index;
		tnVoxelChunk* found = tnVoxelBlock_GetNeighbour(block, chunk, (tnVoxelSide)side, &owner, &index);
		if (found != NULL && up != 0)
		{
			found = tnVoxelBlock_GetNeighbour(owner, index, up < 0 ? tn_voxelDown : tn_voxelUp, &owner, &index);
		}
		neighbours[side] = found;
	}
}

void tnGatherPad(tnVoxelScratch* scratch, const tnVoxelKernels* kernels, const tnVoxelStore* store, tnVoxelBlock* block,
	int32_t chunk, uint32_t layers)
{
	tnVoxelPad* pad = &scratch->pad;
	const tnVoxelChunk* here = block->chunks + chunk;
	const tnVoxelChunk* neighbours[4];
	tnFindSides(block, chunk, 0, neighbours);
	const uint32_t wanted = tnSpreadLayers(layers);
	for (int32_t y = 0; y < TN_VOXEL_CHUNK; ++y)
	{
		if ((wanted >> y & 1u) != 0)
		{
			tnGatherLayer(pad, kernels, store, here, y, here->liquid + y * TN_LAYER, y);
			tnGatherRing(pad, store, neighbours, y, y);
		}
	}
	tnVoxelBlock* owner;
	int32_t index;
	if ((layers & 1u) != 0)
	{
		// It has already moved: what it had at its top is kept.
		const int32_t top = TN_VOXEL_CHUNK - 1;
		const tnVoxelChunk* below = tnVoxelBlock_GetNeighbour(block, chunk, tn_voxelDown, &owner, &index);
		tnGatherLayer(pad, kernels, store, below, top, scratch->oldTop, -1);
		tnFindSides(block, chunk, -1, neighbours);
		tnGatherRing(pad, store, neighbours, top, -1);
	}
	if ((layers >> 15 & 1u) != 0)
	{
		const tnVoxelChunk* above = tnVoxelBlock_GetNeighbour(block, chunk, tn_voxelUp, &owner, &index);
		tnGatherLayer(pad, kernels, store, above, 0, above != NULL ? above->liquid : NULL, TN_VOXEL_CHUNK);
		tnFindSides(block, chunk, 1, neighbours);
		tnGatherRing(pad, store, neighbours, 0, TN_VOXEL_CHUNK);
	}
}

uint32_t tnGetKindsAround(tnVoxelBlock* block, int32_t chunk)
{
	uint32_t kinds = block->chunks[chunk].kinds;
	for (int side = 0; side < tn_voxelSideCount; ++side)
	{
		tnVoxelBlock* owner;
		int32_t index;
		const tnVoxelChunk* neighbour = tnVoxelBlock_GetNeighbour(block, chunk, (tnVoxelSide)side, &owner, &index);
		kinds |= neighbour != NULL ? neighbour->kinds : 0u;
	}
	return kinds;
}
