// SPDX-License-Identifier: MIT

// Pages, blocks and chunks of voxels.

#include "voxel_store.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Pages

// Pages one after the other; under the address sanitizer with red zones between them.
static size_t tnGetSlabBytes(const tnPagePool* pool)
{
	tnCarver carver = {0};
	tnCarve(&carver, pool->pageSize);
	return (size_t)pool->pagesPerSlab * (tnMemory_HasRedZones() ? carver.used : pool->pageSize);
}

bool tnPagePool_Reserve(tnPagePool* pool, tnMemory* memory, int32_t freeCount)
{
	while (pool->freeCount < freeCount)
	{
		if (pool->slabCount == pool->slabCapacity)
		{
			const int32_t capacity = pool->slabCapacity == 0 ? 16 : 2 * pool->slabCapacity;
			void** slabs = tnMemory_Grow(
				memory, pool->slabs, (size_t)pool->slabCapacity * sizeof(void*), (size_t)capacity * sizeof(void*));
			if (slabs == NULL)
			{
				return false;
			}
			pool->slabs = slabs;
			pool->slabCapacity = capacity;
		}
		char* slab = tnMemory_Alloc(memory, tnGetSlabBytes(pool));
		if (slab == NULL)
		{
			return false;
		}
		pool->slabs[pool->slabCount++] = slab;
		const size_t pitch = tnGetSlabBytes(pool) / (size_t)pool->pagesPerSlab;
		for (int32_t i = pool->pagesPerSlab - 1; i >= 0; --i)
		{
			tnMemory_Forbid(slab + (size_t)i * pitch + pool->pageSize, pitch - pool->pageSize);
			tnPagePool_Give(pool, slab + (size_t)i * pitch);
			pool->usedCount += 1;
		}
	}
	return true;
}

void* tnPagePool_Take(tnPagePool* pool)
{
	void* page = pool->firstFree;
	if (page != NULL)
	{
		tnMemory_Allow(page, pool->pageSize);
		memcpy(&pool->firstFree, page, sizeof(void*));
		pool->freeCount -= 1;
		pool->usedCount += 1;
	}
	return page;
}

void tnPagePool_Give(tnPagePool* pool, void* page)
{
	memcpy(page, &pool->firstFree, sizeof(void*));
	// Nobody looks at it any more.
	tnMemory_Forbid(page, pool->pageSize);
	pool->firstFree = page;
	pool->freeCount += 1;
	pool->usedCount -= 1;
}

void tnPagePool_Destroy(tnPagePool* pool, tnMemory* memory)
{
	for (int32_t i = 0; i < pool->slabCount; ++i)
	{
		tnMemory_Free(memory, pool->slabs[i], tnGetSlabBytes(pool));
	}
	tnMemory_Free(memory, pool->slabs, (size_t)pool->slabCapacity * sizeof(void*));
	*pool = (tnPagePool){0};
}

// ---------------------------------------------------------------------------------------------------------------------
// Blocks

void tnVoxelStore_Init(tnVoxelStore* store, tnMemory* memory, int32_t cap, int32_t liquidLimit)
{
	*store = (tnVoxelStore){.memory = memory, .cap = cap, .liquidLimit = liquidLimit};
	store->liquidPages = (tnPagePool){.pageSize = TN_LIQUID_PAGE * sizeof(uint16_t), .pagesPerSlab = 64};
	store->solidPages = (tnPagePool){.pageSize = TN_CHUNK_VOXELS, .pagesPerSlab = 64};
	store->labelPages = (tnPagePool){.pageSize = TN_CHUNK_VOXELS / 2, .pagesPerSlab = 64};
	for (int32_t solid = 0; solid < 256; ++solid)
	{
		store->rooms[solid] = tnRoomBeside(solid, cap);
	}
}

void tnVoxelStore_Destroy(tnVoxelStore* store)
{
	for (int32_t i = 0; i < store->blockCount; ++i)
	{
		tnMemory_Free(store->memory, store->blocks[i], sizeof(tnVoxelBlock));
	}
	tnMemory_Free(store->memory, store->blocks, (size_t)store->blockCapacity * sizeof(tnVoxelBlock*));
	tnPagePool_Destroy(&store->liquidPages, store->memory);
	tnPagePool_Destroy(&store->solidPages, store->memory);
	tnPagePool_Destroy(&store->labelPages, store->memory);
	tnPagePool_Destroy(store->partPages, store->memory);
	tnPagePool_Destroy(store->partPages + 1, store->memory);
}

static int tnComparePlaces(tnVoxel a, tnVoxel b)
{
	if (a.x != b.x)
	{
		return a.x < b.x ? -1 : 1;
	}
	if (a.z != b.z)
	{
		return a.z < b.z ? -1 : 1;
	}
	return a.y == b.y ? 0 : (a.y < b.y ? -1 : 1);
}

// Index of the first block that is not before the place.
static int32_t tnFindBlockIndex(const tnVoxelStore* store, tnVoxel place)
{
	int32_t low = 0;
	int32_t high = store->blockCount;
	while (low < high)
	{
		const int32_t middle = (low + high) / 2;
		if (tnComparePlaces(store->blocks[middle]->place, place) < 0)
		{
			low = middle + 1;
		}
		else
		{
			high = middle;
		}
	}
	return low;
}

tnVoxelBlock* tnVoxelStore_FindBlock(const tnVoxelStore* store, tnVoxel place)
{
	const int32_t index = tnFindBlockIndex(store, place);
	const bool found = index < store->blockCount && tnComparePlaces(store->blocks[index]->place, place) == 0;
	return found ? store->blocks[index] : NULL;
}

static const tnVoxel s_directions[tn_voxelSideCount] = {
	{-1, 0, 0}, {1, 0, 0}, {0, 0, -1}, {0, 0, 1}, {0, -1, 0}, {0, 1, 0}};

static tnVoxelSide tnGetOpposite(tnVoxelSide side)
{
	return (tnVoxelSide)((int)side ^ 1);
}

tnVoxelBlock* tnVoxelStore_AddBlock(tnVoxelStore* store, tnVoxel place)
{
	if (store->blockCount == store->blockCapacity)
	{
		const int32_t capacity = store->blockCapacity == 0 ? 32 : 2 * store->blockCapacity;
		tnVoxelBlock** blocks = tnMemory_Grow(store->memory, store->blocks,
			(size_t)store->blockCapacity * sizeof(tnVoxelBlock*), (size_t)capacity * sizeof(tnVoxelBlock*));
		if (blocks == NULL)
		{
			return NULL;
		}
		store->blocks = blocks;
		store->blockCapacity = capacity;
	}
	tnVoxelBlock* block = tnMemory_Alloc(store->memory, sizeof(tnVoxelBlock));
	if (block == NULL)
	{
		return NULL;
	}
	block->place = place;
	const int32_t index = tnFindBlockIndex(store, place);
	memmove(
		store->blocks + index + 1, store->blocks + index, (size_t)(store->blockCount - index) * sizeof(tnVoxelBlock*));
	store->blocks[index] = block;
	store->blockCount += 1;
	for (int side = 0; side < tn_voxelSideCount; ++side)
	{
		const tnVoxel step = s_directions[side];
		tnVoxelBlock* other =
			tnVoxelStore_FindBlock(store, (tnVoxel){place.x + step.x, place.y + step.y, place.z + step.z});
		block->neighbours[side] = other;
		if (other != NULL)
		{
			other->neighbours[tnGetOpposite((tnVoxelSide)side)] = block;
		}
	}
	return block;
}

void tnVoxelStore_GivePages(tnVoxelStore* store, tnVoxelChunk* chunk)
{
	if (chunk->liquid != NULL)
	{
		tnPagePool_Give(&store->liquidPages, chunk->liquid);
	}
	if (chunk->solid != NULL)
	{
		tnPagePool_Give(&store->solidPages, chunk->solid);
	}
	if (chunk->labels != NULL)
	{
		tnPagePool_Give(&store->labelPages, chunk->labels);
	}
	if (chunk->parts != NULL)
	{
		tnPagePool_Give(store->partPages + (chunk->partCount > 1 ? 1 : 0), chunk->parts);
	}
	chunk->liquid = NULL;
	chunk->solid = NULL;
	chunk->labels = NULL;
	chunk->parts = NULL;
	chunk->partCount = 0;
}

void tnVoxelStore_RemoveBlock(tnVoxelStore* store, tnVoxelBlock* block)
{
	for (int32_t i = 0; i < TN_BLOCK_CHUNKS; ++i)
	{
		tnVoxelStore_GivePages(store, block->chunks + i);
	}
	for (int side = 0; side < tn_voxelSideCount; ++side)
	{
		if (block->neighbours[side] != NULL)
		{
			block->neighbours[side]->neighbours[tnGetOpposite((tnVoxelSide)side)] = NULL;
		}
	}
	const int32_t index = tnFindBlockIndex(store, block->place);
	store->blockCount -= 1;
	memmove(
		store->blocks + index, store->blocks + index + 1, (size_t)(store->blockCount - index) * sizeof(tnVoxelBlock*));
	tnMemory_Free(store->memory, block, sizeof(tnVoxelBlock));
}

tnVoxelChunk* tnVoxelStore_FindChunk(const tnVoxelStore* store, tnVoxel place, tnVoxelBlock** block)
{
	// Arithmetic shifts: -1 is in block -1.
	const tnVoxel home = {place.x >> 3, place.y >> 3, place.z >> 3};
	*block = tnVoxelStore_FindBlock(store, home);
	if (*block == NULL)
	{
		return NULL;
	}
	return (*block)->chunks + tnGetChunkIndex(place.x & 7, place.y & 7, place.z & 7);
}

tnVoxelChunk* tnVoxelBlock_GetNeighbour(
	tnVoxelBlock* block, int32_t chunk, tnVoxelSide side, tnVoxelBlock** neighbourBlock, int32_t* neighbourIndex)
{
	static const int32_t strides[tn_voxelSideCount] = {-8, 8, -64, 64, -1, 1};
	const int32_t last = TN_CHUNKS_ACROSS - 1;
	const int32_t coordinates[3] = {chunk / 8 % 8, chunk / 64, chunk % 8}; // x, z, y: as the sides
	const int32_t coordinate = coordinates[(int)side / 2];
	const bool leaves = coordinate == ((int)side % 2 == 0 ? 0 : last);
	int32_t index = chunk + strides[side];
	tnVoxelBlock* owner = block;
	if (leaves)
	{
		owner = block->neighbours[side];
		index = chunk - last * strides[side];
	}
	*neighbourBlock = owner;
	*neighbourIndex = index;
	return owner != NULL ? owner->chunks + index : NULL;
}

// ---------------------------------------------------------------------------------------------------------------------
// Pages of chunks

bool tnVoxelStore_OpenLiquid(tnVoxelStore* store, tnVoxelChunk* chunk)
{
	if (chunk->liquid != NULL)
	{
		return true;
	}
	// Slabs have more pages than there may be chunks, if these are few.
	if (store->liquidPages.usedCount >= store->liquidLimit)
	{
		return false;
	}
	uint16_t* page = tnPagePool_Take(&store->liquidPages);
	TN_ASSERT(page != NULL);
	if (chunk->liquidFill == 0)
	{
		memset(page, 0, TN_CHUNK_VOXELS * sizeof(uint16_t));
	}
	else
	{
		for (int32_t i = 0; i < TN_CHUNK_VOXELS; ++i)
		{
			page[i] = tnGetWord(store, chunk, i);
		}
	}
	chunk->liquid = page;
	return true;
}

void tnVoxelStore_OpenSolid(tnVoxelStore* store, tnVoxelChunk* chunk)
{
	if (chunk->solid != NULL)
	{
		return;
	}
	uint8_t* page = tnPagePool_Take(&store->solidPages);
	TN_ASSERT(page != NULL);
	memset(page, chunk->solidFill, TN_CHUNK_VOXELS);
	chunk->solid = page;
}

void tnVoxelStore_CloseLiquid(tnVoxelStore* store, tnVoxelChunk* chunk)
{
	if (chunk->liquid == NULL)
	{
		return;
	}
	// Dry, or full of one kind wherever there is room.
	const uint16_t* words = chunk->liquid;
	uint16_t kind = 0;
	for (int32_t i = 0; i < TN_CHUNK_VOXELS && kind == 0; i += TN_ROW)
	{
		for (int32_t j = 0; j < TN_ROW; ++j)
		{
			kind |= words[i + j];
		}
		kind &= 0xf000;
	}
	for (int32_t i = 0; i < TN_CHUNK_VOXELS && kind != 0; i += TN_ROW)
	{
		int32_t odd = 0;
		for (int32_t j = 0; j < TN_ROW; ++j)
		{
			const int32_t room = tnGetRoom(store, chunk, i + j);
			odd += words[i + j] != (room > 0 ? kind | (room - 1) : 0) ? 1 : 0;
		}
		if (odd != 0)
		{
			return;
		}
	}
	if (kind != 0 && chunk->taken)
	{
		// Full only as long as bodies stay.
		return;
	}
	const int32_t fill = kind >> 12;
	chunk->liquidFill = (uint8_t)fill;
	tnPagePool_Give(&store->liquidPages, chunk->liquid);
	chunk->liquid = NULL;
}

void tnVoxelStore_CloseSolid(tnVoxelStore* store, tnVoxelChunk* chunk)
{
	if (chunk->solid == NULL || chunk->taken || memcmp(chunk->solid, chunk->solid + 1, TN_CHUNK_VOXELS - 1) != 0)
	{
		return;
	}
	chunk->solidFill = chunk->solid[0];
	tnPagePool_Give(&store->solidPages, chunk->solid);
	chunk->solid = NULL;
}

// ---------------------------------------------------------------------------------------------------------------------
// Sleep

void tnVoxelBlock_SetLayers(tnVoxelBlock* block, int32_t chunk, uint32_t layers)
{
	const bool was = block->chunks[chunk].layers != 0;
	const bool is = layers != 0;
	block->chunks[chunk].layers = (uint16_t)layers;
	if (was != is)
	{
		block->awake[chunk / 8] ^= (uint8_t)(1 << chunk % 8);
		block->awakeCount += is ? 1 : -1;
	}
}

void tnVoxelBlock_Wake(tnVoxelBlock* block, int32_t chunk, uint32_t layers)
{
	tnVoxelBlock_SetLayers(block, chunk, block->chunks[chunk].layers | layers);
}

void tnVoxelBlock_SetStale(tnVoxelBlock* block, int32_t chunk, bool stale)
{
	if (block->chunks[chunk].stale != stale)
	{
		block->chunks[chunk].stale = stale;
		block->stale[chunk / 8] ^= (uint8_t)(1 << chunk % 8);
		block->staleCount += stale ? 1 : -1;
	}
}

static void tnWakeSides(tnVoxelBlock* block, int32_t chunk, const uint32_t layers[4])
{
	for (int side = 0; side < 4; ++side)
	{
		tnVoxelBlock* owner;
		int32_t index;
		if (layers[side] != 0 && tnVoxelBlock_GetNeighbour(block, chunk, (tnVoxelSide)side, &owner, &index) != NULL)
		{
			tnVoxelBlock_Wake(owner, index, layers[side]);
		}
	}
}

void tnVoxelBlock_WakeAround(tnVoxelBlock* block, int32_t chunk, const tnVoxelChange* change)
{
	block->chunks[chunk].changed = true;
	block->chunks[chunk].unshown = true;
	tnVoxelBlock_SetStale(block, chunk, true);
	tnVoxelBlock_Wake(block, chunk, tnSpreadLayers(change->layers));
	uint32_t sides[4];
	for (int side = 0; side < 4; ++side)
	{
		sides[side] = tnSpreadLayers(change->sides[side]);
	}
	tnWakeSides(block, chunk, sides);
	// A voxel looks at the one below it and above it, and at the four beside it, which do the same.
	for (int side = tn_voxelDown; side <= tn_voxelUp; ++side)
	{
		const int from = side == tn_voxelDown ? 0 : 15;
		const int to = 15 - from;
		tnVoxelBlock* owner;
		int32_t index;
		if ((change->layers >> from & 1u) == 0 ||
			tnVoxelBlock_GetNeighbour(block, chunk, (tnVoxelSide)side, &owner, &index) == NULL)
		{
			continue;
		}
		tnVoxelBlock_Wake(owner, index, 1u << to);
		// Surfaces of the one below end here, and liquid of the one above rests on it or falls.
		if (owner->chunks[index].kinds != 0)
		{
			tnVoxelBlock_SetStale(owner, index, true);
		}
		for (int i = 0; i < 4; ++i)
		{
			sides[i] = (change->sides[i] >> from & 1u) << to;
		}
		tnWakeSides(owner, index, sides);
	}
}
