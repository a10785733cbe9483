// SPDX-License-Identifier: MIT

#include "voxel_components.h"

#include <string.h>

// Where connected liquid ends: its surfaces, open to the air or covered by lighter liquids.

static void tnViewLayers(const tnVoxelWorld* world, const tnVoxelChunk* chunk, int32_t first, int32_t count,
	tnVoxelView* view, int32_t target)
{
	const tnVoxelStore* store = &world->store;
	const tnVoxelKernels* kernels = world->kernels;
	uint16_t* words = view->words + target;
	uint16_t* spaces = view->spaces + target;
	if (chunk == NULL)
	{
		memset(words, 0, (size_t)count * sizeof(uint16_t));
		memset(spaces, 0, (size_t)count * sizeof(uint16_t));
		return;
	}
	const uint16_t room = store->rooms[chunk->solidFill];
	for (int32_t i = 0; i < count && chunk->solid == NULL; ++i)
	{
		spaces[i] = room;
	}
	for (int32_t i = 0; i < count && chunk->solid != NULL; i += TN_LAYER)
	{
		kernels->findRooms(chunk->solid + first + i, store->cap, spaces + i);
	}
	if (chunk->liquid == NULL && chunk->liquidFill == 0)
	{
		memset(words, 0, (size_t)count * sizeof(uint16_t));
		return;
	}
	for (int32_t i = 0; i < count && chunk->liquid == NULL; ++i)
	{
		words[i] = tnPackLiquid(chunk->liquidFill, spaces[i]);
	}
	if (chunk->liquid != NULL)
	{
		memcpy(words, chunk->liquid + first, (size_t)count * sizeof(uint16_t));
	}
	kernels->findSpaces(words, count, spaces);
}

void tnViewChunk(const tnVoxelWorld* world, tnVoxelBlock* block, int32_t index, tnVoxelView* view)
{
	tnVoxelBlock* owner;
	int32_t other;
	const tnVoxelChunk* below = tnVoxelBlock_GetNeighbour(block, index, tn_voxelDown, &owner, &other);
	const tnVoxelChunk* above = tnVoxelBlock_GetNeighbour(block, index, tn_voxelUp, &owner, &other);
	tnViewLayers(world, below, TN_CHUNK_VOXELS - TN_LAYER, TN_LAYER, view, 0);
	tnViewLayers(world, block->chunks + index, 0, TN_CHUNK_VOXELS, view, TN_LAYER);
	tnViewLayers(world, above, 0, TN_LAYER, view, TN_LAYER + TN_CHUNK_VOXELS);
}

// What kind of surface an open voxel is. False if none: under a liquid that is not lighter.
static bool tnDescribeSurface(
	const tnVoxelWorld* world, const tnVoxelView* view, int64_t bottom, tnVoxelSurface* surface)
{
	const int32_t cap = world->def.cap;
	const int32_t here = TN_LAYER + surface->voxel;
	const int32_t kindAbove = tnGetKind(view->words[here + TN_LAYER]);
	const int32_t space = view->spaces[here];
	surface->amount = tnGetAmount(view->words[here]);
	surface->room = space;
	surface->level = (bottom + surface->voxel / TN_LAYER + 1) * cap - space;
	if (kindAbove != 0)
	{
		const tnLiquidDef* liquids = world->def.liquids;
		const bool isUnder = liquids[kindAbove - 1].density < liquids[surface->part->kind - 1].density;
		surface->isPressed = isUnder && space != 0;
		surface->isCovered = isUnder && space == 0;
		return isUnder || space != 0;
	}
	if (space == 0)
	{
		surface->above = true;
		surface->room = view->spaces[here + TN_LAYER];
		surface->isDry = surface->room < cap;
		surface->level += cap - surface->room;
	}
	return true;
}

int32_t tnListSurfaces(const tnVoxelWorld* world, const tnDivideTask* task, const uint8_t* labels,
	const tnVoxelView* view, tnVoxelSurface* surfaces)
{
	const int64_t bottom = (int64_t)tnGetChunkPlace(task->block, task->chunk).y * TN_VOXEL_CHUNK;
	int32_t count = 0;
	uint16_t rows[TN_ROW];
	for (int32_t line = 0; line < TN_VOXEL_CHUNK * TN_ROW && task->partCount > 0; ++line)
	{
		if (line % TN_ROW == 0)
		{
			world->kernels->markSurfaces(view, line / TN_ROW, rows);
		}
		for (uint32_t bits = rows[line % TN_ROW]; bits != 0; bits &= bits - 1)
		{
			const uint32_t voxel = (uint32_t)(line * TN_ROW + tnFindLowestBit(bits));
			const uint32_t label = labels != NULL ? labels[voxel / 2] >> (4 * (voxel % 2)) & 15 : 1;
			if (label != 0 && label != TN_NO_PART)
			{
				surfaces[count] = (tnVoxelSurface){.part = task->parts + label - 1, .voxel = (int32_t)voxel};
				count += tnDescribeSurface(world, view, bottom, surfaces + count) ? 1 : 0;
			}
		}
	}
	return count;
}

int32_t tnFindSurfaces(
	const tnVoxelWorld* world, tnVoxelBlock* block, int32_t index, tnVoxelView* view, tnVoxelSurface* surfaces)
{
	const tnVoxelChunk* chunk = block->chunks + index;
	tnViewChunk(world, block, index, view);
	const tnDivideTask task = {.block = block, .chunk = index, .partCount = chunk->partCount, .parts = chunk->parts};
	return tnListSurfaces(world, &task, chunk->labels, view, surfaces);
}
