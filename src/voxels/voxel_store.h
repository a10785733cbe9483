// SPDX-License-Identifier: MIT

#pragma once

#include "../core/memory.h"
#include "tarn/voxels.h"

// Where voxels live. A world is a set of blocks of 8 x 8 x 8 chunks of 16 x 16 x 16 voxels.
//
// Liquid of a voxel is one word of 16 bits: 0 for none, else kind << 12 | (units - 1). Ground is one byte. A chunk whose
// ground is the same everywhere has no page for it, and one that is dry, or full of one liquid wherever there is room, has
// none for liquid: rock, air and deep water cost the size of tnVoxelChunk.
//
// Voxel (x, y, z) of a chunk is at (y * 16 + z) * 16 + x: layers, then rows.

#define TN_ROW TN_VOXEL_CHUNK
#define TN_LAYER (TN_VOXEL_CHUNK * TN_VOXEL_CHUNK)
#define TN_BLOCK_CHUNKS 512
#define TN_CHUNKS_ACROSS (TN_VOXEL_BLOCK / TN_VOXEL_CHUNK)
// Voxels of the four sides of a chunk, as they were before a step.
#define TN_SIDE_WORDS (4 * TN_LAYER)
// Words of a page of liquid: the voxels, and the old sides.
#define TN_LIQUID_PAGE (TN_CHUNK_VOXELS + TN_SIDE_WORDS)
#define TN_ALL_LAYERS 0xffffu

typedef enum tnVoxelSide
{
	tn_voxelWest = 0, // -x
	tn_voxelEast,
	tn_voxelNorth, // -z
	tn_voxelSouth,
	tn_voxelDown,
	tn_voxelUp,
	tn_voxelSideCount,
} tnVoxelSide;

// Labels of voxels in connected liquid, see voxel_components.h: 1 to TN_MAX_PARTS, or TN_NO_PART for what falls, and for crumbs
// where there are too many. 0 is dry.
#define TN_MAX_PARTS 14
#define TN_NO_PART 15

typedef struct tnVoxelPart tnVoxelPart;

typedef struct tnVoxelChunk
{
	uint16_t* liquid; // TN_LIQUID_PAGE words, NULL: liquidFill
	uint8_t* solid;   // TN_CHUNK_VOXELS bytes, NULL: solidFill
	uint8_t* labels;  // two voxels a byte, NULL: label 1 wherever there is liquid, if partCount is 1
	tnVoxelPart* parts;
	uint16_t layers;   // those in which something may move: bit y
	uint16_t kinds;    // bit k: liquid k may be here
	uint8_t solidFill; // TN_VOXEL_ROCK: nothing will ever be here
	uint8_t liquidFill;
	uint8_t partCount;
	bool stale : 1;    // liquid has changed since it was last divided into parts
	bool changed : 1;  // since the host asked last
	bool unshown : 1;  // changed since a step began beside the host last (voxel_background.c)
	bool selected : 1; // takes part in this step
	bool taken : 1;    // bodies take room here (voxel_taking.c): then ground has a page
} tnVoxelChunk;

// What the next step may do to chunks: sets of bits as those of a block (voxel_memory_needs.c).
typedef struct tnVoxelReach
{
	uint8_t changes[TN_LAYER / 4]; // voxels may change
	uint8_t lows[TN_LAYER / 4];    // and of these in the lowest layer, and in the highest
	uint8_t highs[TN_LAYER / 4];
	uint8_t sources[TN_LAYER / 4]; // voxels may change before levels look at them
	uint8_t stale[TN_LAYER / 4];   // levels may look at them
	uint8_t woken[TN_LAYER / 4];
	uint8_t opened[TN_LAYER / 4]; // may need pages
	bool isAny;
} tnVoxelReach;

typedef struct tnVoxelBlock tnVoxelBlock;
struct tnVoxelBlock
{
	tnVoxel place; // in blocks
	tnVoxelBlock* neighbours[tn_voxelSideCount];
	// Bit cy of byte cz * 8 + cx: the chunk may move, or is stale.
	uint8_t awake[TN_LAYER / 4];
	uint8_t stale[TN_LAYER / 4];
	uint8_t divided[TN_LAYER / 4];  // chunks with parts
	uint8_t unlinked[TN_LAYER / 4]; // chunks whose parts must look for those of neighbours again
	int32_t awakeCount;
	int32_t staleCount;
	tnVoxelReach reach;
	tnVoxelChunk chunks[TN_BLOCK_CHUNKS]; // (cz * 8 + cx) * 8 + cy: columns are together
};

// Pages of one size, in slabs. Never gives memory back before the world goes.
typedef struct tnPagePool
{
	void** slabs;
	int32_t slabCount;
	int32_t slabCapacity;
	size_t pageSize;
	int32_t pagesPerSlab;
	void* firstFree; // a list through the pages themselves
	int32_t freeCount;
	int32_t usedCount;
} tnPagePool;

typedef struct tnVoxelStore
{
	tnMemory* memory;
	tnVoxelBlock** blocks; // by place: x, then z, then y
	int32_t blockCount;
	int32_t blockCapacity;
	tnPagePool liquidPages;
	tnPagePool solidPages;
	tnPagePool labelPages;
	tnPagePool partPages[2]; // for one part, and for TN_MAX_PARTS
	int32_t cap;
	int32_t liquidLimit; // chunks with pages of liquid
	uint16_t rooms[256]; // units that fit beside so much ground
	int32_t spare;       // and so many more under pressure: tn_pressureRules
} tnVoxelStore;

bool tnPagePool_Reserve(tnPagePool* pool, tnMemory* memory, int32_t freeCount);
// NULL if none is left.
void* tnPagePool_Take(tnPagePool* pool);
void tnPagePool_Give(tnPagePool* pool, void* page);
void tnPagePool_Destroy(tnPagePool* pool, tnMemory* memory);

void tnVoxelStore_Init(tnVoxelStore* store, tnMemory* memory, int32_t cap, int32_t liquidLimit);
void tnVoxelStore_Destroy(tnVoxelStore* store);

// NULL if it is not loaded.
tnVoxelBlock* tnVoxelStore_FindBlock(const tnVoxelStore* store, tnVoxel place);
// NULL if memory ran out. The block must not be there yet.
tnVoxelBlock* tnVoxelStore_AddBlock(tnVoxelStore* store, tnVoxel place);
void tnVoxelStore_RemoveBlock(tnVoxelStore* store, tnVoxelBlock* block);
// A chunk gives back all its pages, and what they hold.
void tnVoxelStore_GivePages(tnVoxelStore* store, tnVoxelChunk* chunk);
// By place of a chunk. NULL if it is not loaded.
tnVoxelChunk* tnVoxelStore_FindChunk(const tnVoxelStore* store, tnVoxel place, tnVoxelBlock** block);

// Give a chunk pages of its own with what it has. Pages must have been reserved.
// False if as many chunks have liquid as may: liquidLimit.
bool tnVoxelStore_OpenLiquid(tnVoxelStore* store, tnVoxelChunk* chunk);
void tnVoxelStore_OpenSolid(tnVoxelStore* store, tnVoxelChunk* chunk);
// Let go of pages that hold nothing of interest.
void tnVoxelStore_CloseLiquid(tnVoxelStore* store, tnVoxelChunk* chunk);
void tnVoxelStore_CloseSolid(tnVoxelStore* store, tnVoxelChunk* chunk);

// Neighbour of a chunk, NULL if it is not loaded. `neighbourBlock` receives its block.
tnVoxelChunk* tnVoxelBlock_GetNeighbour(
	tnVoxelBlock* block, int32_t chunk, tnVoxelSide side, tnVoxelBlock** neighbourBlock, int32_t* neighbourIndex);

void tnVoxelBlock_Wake(tnVoxelBlock* block, int32_t chunk, uint32_t layers);
void tnVoxelBlock_SetLayers(tnVoxelBlock* block, int32_t chunk, uint32_t layers);
void tnVoxelBlock_SetStale(tnVoxelBlock* block, int32_t chunk, bool stale);
// Liquid of voxels has changed in layers of a chunk, and of these at its four sides: wake it and whoever looks at it.
typedef struct tnVoxelChange
{
	uint32_t layers;
	uint32_t sides[4];
} tnVoxelChange;
void tnVoxelBlock_WakeAround(tnVoxelBlock* block, int32_t chunk, const tnVoxelChange* change);

static inline uint16_t tnPackLiquid(int32_t kind, int32_t amount)
{
	return amount > 0 ? (uint16_t)(kind << 12 | (amount - 1)) : 0;
}

static inline int32_t tnGetAmount(uint16_t word)
{
	return word != 0 ? (word & 0xfff) + 1 : 0;
}

static inline int32_t tnGetKind(uint16_t word)
{
	return word >> 12;
}

// Units that fit beside so much ground: 255 counts as 256 parts of 256. Without a table, for loops over many.
static inline uint16_t tnRoomBeside(int32_t solid, int32_t cap)
{
	return (uint16_t)(cap - ((solid + (solid >> 7)) * cap >> 8));
}

static inline int32_t tnGetRoom(const tnVoxelStore* store, const tnVoxelChunk* chunk, int32_t voxel)
{
	return store->rooms[chunk->solid != NULL ? chunk->solid[voxel] : chunk->solidFill];
}

static inline uint16_t tnGetWord(const tnVoxelStore* store, const tnVoxelChunk* chunk, int32_t voxel)
{
	if (chunk->liquid != NULL)
	{
		return chunk->liquid[voxel];
	}
	return chunk->liquidFill != 0 ? tnPackLiquid(chunk->liquidFill, tnGetRoom(store, chunk, voxel)) : 0;
}

static inline int32_t tnGetChunkIndex(int32_t cx, int32_t cy, int32_t cz)
{
	return (cz * TN_CHUNKS_ACROSS + cx) * TN_CHUNKS_ACROSS + cy;
}

static inline tnVoxel tnGetChunkPlace(const tnVoxelBlock* block, int32_t chunk)
{
	return (tnVoxel){block->place.x * TN_CHUNKS_ACROSS + chunk / TN_CHUNKS_ACROSS % TN_CHUNKS_ACROSS,
		block->place.y * TN_CHUNKS_ACROSS + chunk % TN_CHUNKS_ACROSS,
		block->place.z * TN_CHUNKS_ACROSS + chunk / (TN_CHUNKS_ACROSS * TN_CHUNKS_ACROSS)};
}

// Layers that depend on these.
static inline uint32_t tnSpreadLayers(uint32_t layers)
{
	return (layers | layers << 1 | layers >> 1) & TN_ALL_LAYERS;
}
