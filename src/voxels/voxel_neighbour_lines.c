// SPDX-License-Identifier: MIT

// What a chunk sees of its neighbours in a step: lines of voxels along its sides.

#include "voxel_world.h"

#include <string.h>

// Sides are kept as [side][y][z or x], of layers that take part.
void tnKeepSides(tnVoxelChunk* chunk)
{
	const uint16_t* words = chunk->liquid;
	uint16_t* west = chunk->liquid + TN_CHUNK_VOXELS;
	uint16_t* east = west + TN_LAYER;
	uint16_t* north = east + TN_LAYER;
	uint16_t* south = north + TN_LAYER;
	for (uint32_t layers = chunk->layers; layers != 0; layers &= layers - 1)
	{
		const int32_t y = tnFindLowestBit(layers);
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
static uint32_t tnGetTakingPart(const tnVoxelChunk* chunk)
{
	return chunk != NULL && chunk->selected ? chunk->layers : 0;
}

// Lines of a neighbour from a layer upwards.
static tnVoxelLines tnFindLines(const tnVoxelStore* store, const tnVoxelChunk* neighbour, int side, int32_t first)
{
	const uint32_t layers = tnGetTakingPart(neighbour) >> first;
	if (layers == 0)
	{
		return (tnVoxelLines){0};
	}
	const int facing = side ^ 1;
	return (tnVoxelLines){
		.words = neighbour->liquid + TN_CHUNK_VOXELS + facing * TN_LAYER + first * TN_ROW,
		.solid = neighbour->solid != NULL ? neighbour->solid + first * TN_LAYER + s_sideStart[facing] : NULL,
		.stride = s_sideStride[facing],
		.room = store->rooms[neighbour->solidFill],
		.layers = layers,
	};
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

// A chunk from a layer upwards, the words of which may be elsewhere, and what is beside it.
static void tnFindSlab(const tnVoxelStore* store, const tnVoxelChunk* chunk, int32_t first, const uint16_t* words,
	const tnVoxelChunk* const neighbours[4], tnVoxelSlab* slab)
{
	slab->layers = tnGetTakingPart(chunk) >> first;
	slab->words = words;
	slab->solid = slab->layers != 0 && chunk->solid != NULL ? chunk->solid + first * TN_LAYER : NULL;
	slab->room = slab->layers != 0 ? store->rooms[chunk->solidFill] : 0;
	for (int side = 0; side < 4; ++side)
	{
		slab->lines[side] = tnFindLines(store, neighbours[side], side, first);
	}
}

void tnGatherPad(tnVoxelPad* pad, const tnVoxelStore* store, const tnVoxelPick* pick, const uint16_t* topBelow,
	const uint16_t* bottomAbove)
{
	tnVoxelBlock* block = pick->block;
	const tnVoxelChunk* here = block->chunks + pick->chunk;
	const tnVoxelChunk* neighbours[4];
	tnFindSides(block, pick->chunk, 0, neighbours);
	tnFindSlab(store, here, 0, here->liquid, neighbours, pad->slabs + 1);
	tnVoxelBlock* owner;
	int32_t index;
	if ((pick->layers & 1u) != 0)
	{
		const tnVoxelChunk* below = tnVoxelBlock_GetNeighbour(block, pick->chunk, tn_voxelDown, &owner, &index);
		tnFindSides(block, pick->chunk, -1, neighbours);
		tnFindSlab(store, below, TN_VOXEL_CHUNK - 1, topBelow, neighbours, pad->slabs);
	}
	if ((pick->layers >> (TN_VOXEL_CHUNK - 1) & 1u) != 0)
	{
		const tnVoxelChunk* above = tnVoxelBlock_GetNeighbour(block, pick->chunk, tn_voxelUp, &owner, &index);
		tnFindSides(block, pick->chunk, 1, neighbours);
		const uint16_t* words = bottomAbove != NULL || above == NULL ? bottomAbove : above->liquid;
		tnFindSlab(store, above, 0, words, neighbours, pad->slabs + 2);
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
