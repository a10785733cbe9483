// SPDX-License-Identifier: MIT

// What the parts of saves share.

#pragma once

#include "tarn/voxel_save.h"
#include "voxel_bytes.h"
#include "voxel_components.h"

// Units that one part has on account, or that wait in one place: less than 2^12 from each of 2^32 voxels.
#define TN_MAX_ACCOUNT ((int64_t)1 << 44)

// Scratch for saves, made with the first one.
typedef struct tnVoxelSaver
{
	uint16_t values[TN_CHUNK_VOXELS];
	uint16_t rooms[TN_CHUNK_VOXELS];
	// A chunk that is read, at its place, with nothing around it but what is assumed above and below.
	tnVoxelBlock block;
	tnVoxelBlock other;
	uint8_t chunkBytes[2][TN_MAX_CHUNK_SAVE];
} tnVoxelSaver;

// NULL: out of memory.
tnVoxelSaver* tnVoxelWorld_GetSaver(tnVoxelWorld* world);
void tnVoxelWorld_DestroySaver(tnVoxelWorld* world);

// Saves know nothing of bodies. Where these take room connected liquid must be looked for again, and what is there and around
// it wakes up.
static inline bool tnIsSavedStale(const tnVoxelChunk* chunk)
{
	return chunk->stale || chunk->taken;
}

static inline uint32_t tnGetSavedLayers(const tnVoxelWorld* world, const tnVoxelChunk* chunk, tnVoxel place)
{
	return tnVoxelWorld_IsTakenNear(world, place) ? TN_ALL_LAYERS : chunk->layers;
}

// voxel_chunk_save.c. The saver must be there to write.
void tnWriteChunk(tnByteWriter* writer, tnVoxelWorld* world, const tnVoxelChunk* chunk, tnVoxel place);
// Pages that are needed to read any chunk.
bool tnReserveForOne(tnVoxelWorld* world);
// Reads into the chunk of the scratch at a place, with pages of its own. On failure there are none.
tnResult tnReadChunk(tnVoxelWorld* world, tnVoxel place, const void* bytes, size_t size, tnVoxelChunk** made);

// The same for all saves: whether there was room for what was written.
tnResult tnFinishSave(const tnVoxelWorld* world, const tnByteWriter* writer, size_t* size);
tnResult tnCheckSaveTarget(const tnVoxelWorld* world, const void* bytes, size_t capacity, size_t* size);
