// SPDX-License-Identifier: MIT

// Chunks and blocks as bytes. A block is its kind and version, runs of chunks with the same bytes (voxel_chunk_save.c), layer by
// layer, what waits in it, and a sum.

#include "voxel_save.h"

#include "../core/def_checks.h"
#include "voxel_location.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Scratch

tnVoxelSaver* tnVoxelWorld_GetSaver(tnVoxelWorld* world)
{
	if (world->saver == NULL)
	{
		world->saver = tnMemory_Alloc(&world->memory, sizeof(tnVoxelSaver));
	}
	tnVoxelStore* store = &world->store;
	const bool enough = world->saver != NULL && tnPagePool_Reserve(&store->labelPages, &world->memory, 1) &&
		tnPagePool_Reserve(store->partPages, &world->memory, 1) &&
		tnPagePool_Reserve(store->partPages + 1, &world->memory, 1);
	return enough ? world->saver : NULL;
}

void tnVoxelWorld_DestroySaver(tnVoxelWorld* world)
{
	tnMemory_Free(&world->memory, world->saver, sizeof(tnVoxelSaver));
}

tnResult tnCheckSaveTarget(const tnVoxelWorld* world, const void* bytes, size_t capacity, size_t* size)
{
	if (size == NULL)
	{
		return tnVoxelWorld_Report(world, tnFail(tn_invalidArgument, "size must not be NULL"));
	}
	*size = 0;
	if (bytes == NULL && capacity > 0)
	{
		return tnVoxelWorld_Report(
			world, tnFail(tn_invalidArgument, "bytes must not be NULL with a capacity of %zu", capacity));
	}
	return tnSuccess();
}

tnResult tnFinishSave(const tnVoxelWorld* world, const tnByteWriter* writer, size_t* size)
{
	*size = writer->size;
	if (writer->bytes != NULL && writer->size > writer->capacity)
	{
		return tnVoxelWorld_Report(world,
			tnFail(tn_invalidArgument, "capacity must be at least %zu, got %zu", writer->size, writer->capacity));
	}
	return tnSuccess();
}

static tnResult tnReportNoMemory(const tnVoxelWorld* world)
{
	return tnVoxelWorld_Report(world, tnFail(tn_outOfMemory, "save: out of memory"));
}

// ---------------------------------------------------------------------------------------------------------------------
// Putting chunks into the world

// Liquid in voxels and on accounts.
static void tnCountChunk(const tnVoxelStore* store, const tnVoxelChunk* chunk, int64_t sums[TN_MAX_LIQUIDS + 1])
{
	memset(sums, 0, (TN_MAX_LIQUIDS + 1) * sizeof(int64_t));
	for (int32_t i = 0; i < TN_CHUNK_VOXELS && chunk->kinds != 0; ++i)
	{
		const uint16_t word = tnGetWord(store, chunk, i);
		sums[tnGetKind(word)] += tnGetAmount(word);
	}
	for (int32_t i = 0; i < chunk->partCount; ++i)
	{
		sums[chunk->parts[i].kind] += chunk->parts[i].account;
	}
}

static void tnSetBit(uint8_t* bits, int32_t chunk, bool value)
{
	const int32_t bit = 1 << chunk % 8;
	bits[chunk / 8] = (uint8_t)(value ? bits[chunk / 8] | bit : bits[chunk / 8] & ~bit);
}

// Move what was read into the world.
static void tnInstall(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index, tnVoxelChunk* made)
{
	// Parts that jets belong to may go.
	tnVoxelWorld_ForgetParts(world);
	int64_t sums[TN_MAX_LIQUIDS + 1];
	tnVoxelChunk* chunk = block->chunks + index;
	if (chunk->taken)
	{
		const tnVoxel low = tnGetVoxelPlace(block, index, 0);
		tnVoxelWorld_ForgetTaken(
			world, (tnVoxelBox){low, {low.x + TN_VOXEL_CHUNK, low.y + TN_VOXEL_CHUNK, low.z + TN_VOXEL_CHUNK}});
	}
	tnCountChunk(&world->store, chunk, sums);
	for (int32_t kind = 1; kind <= TN_MAX_LIQUIDS; ++kind)
	{
		world->ledgers[kind].unloaded += sums[kind];
	}
	tnCountChunk(&world->store, made, sums);
	for (int32_t kind = 1; kind <= TN_MAX_LIQUIDS; ++kind)
	{
		world->ledgers[kind].loaded += sums[kind];
	}
	tnVoxelStore_GivePages(&world->store, chunk);
	chunk->liquid = made->liquid;
	chunk->solid = made->solid;
	chunk->labels = made->labels;
	chunk->parts = made->parts;
	chunk->partCount = made->partCount;
	chunk->kinds = made->kinds;
	chunk->solidFill = made->solidFill;
	chunk->liquidFill = made->liquidFill;
	chunk->changed = true;
	chunk->unshown = true;
	tnVoxelBlock_SetLayers(block, index, made->layers);
	tnVoxelBlock_SetStale(block, index, made->stale);
	tnSetBit(block->divided, index, made->partCount > 0);
	tnSetBit(block->unlinked, index, true);
	static const tnVoxelSide before[3] = {tn_voxelWest, tn_voxelNorth, tn_voxelDown};
	for (int i = 0; i < 3; ++i)
	{
		tnVoxelBlock* owner;
		int32_t other;
		if (tnVoxelBlock_GetNeighbour(block, index, before[i], &owner, &other) != NULL)
		{
			tnSetBit(owner->unlinked, other, true);
		}
	}
	*made = (tnVoxelChunk){0};
}

// Where two chunks differ.
static tnVoxelChange tnCompareChunks(const tnVoxelStore* store, const tnVoxelChunk* a, const tnVoxelChunk* b)
{
	tnVoxelChange change = {0};
	for (int32_t i = 0; i < TN_CHUNK_VOXELS; ++i)
	{
		const int32_t solidA = a->solid != NULL ? a->solid[i] : a->solidFill;
		const int32_t solidB = b->solid != NULL ? b->solid[i] : b->solidFill;
		if (solidA == solidB && tnGetWord(store, a, i) == tnGetWord(store, b, i))
		{
			continue;
		}
		const int32_t x = i % TN_ROW;
		const int32_t z = i / TN_ROW % TN_ROW;
		const uint32_t bit = 1u << i / TN_LAYER;
		change.layers |= bit;
		change.sides[tn_voxelWest] |= x == 0 ? bit : 0;
		change.sides[tn_voxelEast] |= x == TN_ROW - 1 ? bit : 0;
		change.sides[tn_voxelNorth] |= z == 0 ? bit : 0;
		change.sides[tn_voxelSouth] |= z == TN_ROW - 1 ? bit : 0;
	}
	return change;
}

// ---------------------------------------------------------------------------------------------------------------------
// Chunks

static tnResult tnFindSaved(const tnVoxelWorld* world, tnVoxel place, tnVoxelBlock** block)
{
	if (tnVoxelStore_FindChunk(&world->store, place, block) == NULL)
	{
		return tnVoxelWorld_Report(world,
			tnFail(tn_invalidArgument, "chunk (%d, %d, %d) must lie in a loaded block", place.x, place.y, place.z));
	}
	return tnSuccess();
}

tnResult tnVoxelWorld_SaveChunk(tnVoxelWorld* world, tnVoxel place, void* bytes, size_t capacity, size_t* size)
{
	tnVoxelBlock* block = NULL;
	tnResult result = tnVoxelWorld_CheckReady(world);
	if (result.status == tn_ok)
	{
		result = tnCheckSaveTarget(world, bytes, capacity, size);
	}
	if (result.status == tn_ok)
	{
		result = tnFindSaved(world, place, &block);
	}
	if (result.status != tn_ok)
	{
		return result;
	}
	if (tnVoxelWorld_GetSaver(world) == NULL)
	{
		return tnReportNoMemory(world);
	}
	tnByteWriter writer = tnMakeWriter(bytes, capacity);
	tnWriteChunk(&writer, world, block->chunks + tnGetChunkIndex(place.x & 7, place.y & 7, place.z & 7), place);
	return tnFinishSave(world, &writer, size);
}

tnResult tnVoxelWorld_LoadChunk(tnVoxelWorld* world, tnVoxel place, const void* bytes, size_t size)
{
	tnVoxelBlock* block = NULL;
	tnVoxelChunk* made = NULL;
	tnResult result = tnVoxelWorld_CheckReady(world);
	if (result.status == tn_ok)
	{
		result = tnFindSaved(world, place, &block);
	}
	if (result.status != tn_ok)
	{
		return result;
	}
	result = tnReadChunk(world, place, bytes, size, &made);
	if (result.status != tn_ok)
	{
		return tnVoxelWorld_Report(world, result);
	}
	const int32_t index = tnGetChunkIndex(place.x & 7, place.y & 7, place.z & 7);
	tnVoxelChunk* chunk = block->chunks + index;
	// It is in the count with the page that it has.
	const int32_t used = world->store.liquidPages.usedCount - (chunk->liquid != NULL ? 1 : 0);
	if (made->liquid != NULL && used > world->def.chunkLimit)
	{
		tnVoxelStore_GivePages(&world->store, made);
		return tnVoxelWorld_Report(world,
			tnFail(tn_outOfMemory, "save needs one more chunk of liquid, chunkLimit is %d and all are used",
				world->def.chunkLimit));
	}
	// Where nothing is different everybody else is right to sleep. What has woken it stays.
	const tnVoxelChange change = tnCompareChunks(&world->store, chunk, made);
	made->layers |= chunk->layers;
	made->stale = made->stale || chunk->stale;
	tnInstall(world, block, index, made);
	if (change.layers != 0)
	{
		tnVoxelBlock_WakeAround(block, index, &change);
	}
	return tnSuccess();
}

// ---------------------------------------------------------------------------------------------------------------------
// Blocks

static bool tnIsInBlock(tnVoxel voxel, tnVoxel block)
{
	return voxel.x >> 7 == block.x && voxel.y >> 7 == block.y && voxel.z >> 7 == block.z;
}

// Layer by layer: chunks of one layer are often alike.
static int32_t tnGetIndexInOrder(int32_t number)
{
	return number % 64 * 8 + number / 64;
}

static void tnWriteWaiting(tnByteWriter* writer, const tnVoxelWorld* world, tnVoxel block)
{
	uint32_t count = 0;
	for (int32_t i = 0; i < world->waitingCount; ++i)
	{
		count += tnIsInBlock(world->waiting[i].voxel, block) ? 1 : 0;
	}
	tnWriteNumber(writer, count);
	for (int32_t i = 0; i < world->waitingCount; ++i)
	{
		const tnVoxelWaiting* waiting = world->waiting + i;
		if (tnIsInBlock(waiting->voxel, block))
		{
			tnWriteByte(writer, (uint32_t)waiting->voxel.x & 127u);
			tnWriteByte(writer, (uint32_t)waiting->voxel.y & 127u);
			tnWriteByte(writer, (uint32_t)waiting->voxel.z & 127u);
			tnWriteByte(writer, (uint32_t)waiting->liquid);
			tnWriteNumber(writer, (uint64_t)waiting->amount);
		}
	}
}

tnResult tnVoxelWorld_SaveBlock(tnVoxelWorld* world, tnVoxel place, void* bytes, size_t capacity, size_t* size)
{
	tnResult result = tnVoxelWorld_CheckReady(world);
	if (result.status == tn_ok)
	{
		result = tnCheckSaveTarget(world, bytes, capacity, size);
	}
	if (result.status != tn_ok)
	{
		return result;
	}
	tnVoxelBlock* block = tnVoxelStore_FindBlock(&world->store, place);
	if (block == NULL)
	{
		return tnVoxelWorld_Report(
			world, tnFail(tn_invalidArgument, "block (%d, %d, %d) is not loaded", place.x, place.y, place.z));
	}
	tnVoxelSaver* saver = tnVoxelWorld_GetSaver(world);
	if (saver == NULL)
	{
		return tnReportNoMemory(world);
	}
	tnByteWriter writer = tnMakeWriter(bytes, capacity);
	tnWriteByte(&writer, tn_blockSave | TN_SAVE_VERSION);
	size_t lastSize = 0;
	uint32_t run = 0;
	for (int32_t i = 0; i < TN_BLOCK_CHUNKS; ++i)
	{
		const int32_t index = tnGetIndexInOrder(i);
		tnByteWriter one = tnMakeWriter(saver->chunkBytes[1], TN_MAX_CHUNK_SAVE);
		tnWriteChunk(&one, world, block->chunks + index, tnGetChunkPlace(block, index));
		TN_ASSERT(one.size <= TN_MAX_CHUNK_SAVE);
		if (run > 0 && (one.size != lastSize || memcmp(saver->chunkBytes[0], saver->chunkBytes[1], one.size) != 0))
		{
			tnWriteNumber(&writer, run);
			tnWriteNumber(&writer, lastSize);
			tnWriteBytes(&writer, saver->chunkBytes[0], lastSize);
			run = 0;
		}
		if (run == 0)
		{
			memcpy(saver->chunkBytes[0], saver->chunkBytes[1], one.size);
			lastSize = one.size;
		}
		run += 1;
	}
	tnWriteNumber(&writer, run);
	tnWriteNumber(&writer, lastSize);
	tnWriteBytes(&writer, saver->chunkBytes[0], lastSize);
	tnWriteWaiting(&writer, world, place);
	tnWriteSum(&writer);
	return tnFinishSave(world, &writer, size);
}

// What a block needs.
typedef struct tnBlockNeeds
{
	int32_t liquidPages, solidPages, labelPages, partPages[2];
	int32_t waiting;
} tnBlockNeeds;

// Reads all chunks of a block, and what waits. The first time, with needs, nothing is changed.
static tnResult tnReadBlock(
	tnVoxelWorld* world, tnVoxel place, tnByteReader* reader, tnVoxelBlock* block, tnBlockNeeds* needs)
{
	int32_t number = 0;
	while (number < TN_BLOCK_CHUNKS && !reader->failed)
	{
		const int32_t run = (int32_t)tnReadWithin(reader, 1, TN_BLOCK_CHUNKS - number);
		const size_t size = (size_t)tnReadWithin(reader, 1, TN_MAX_CHUNK_SAVE);
		if (reader->failed || size > reader->size - reader->at)
		{
			reader->failed = true;
			break;
		}
		// To know what they need one of them is enough.
		for (int32_t i = 0; i < (block != NULL ? run : 1); ++i)
		{
			const int32_t index = tnGetIndexInOrder(number + i);
			const tnVoxel chunkPlace = {8 * place.x + index / 8 % 8, 8 * place.y + index % 8, 8 * place.z + index / 64};
			tnVoxelChunk* made = NULL;
			const tnResult result = tnReadChunk(world, chunkPlace, reader->bytes + reader->at, size, &made);
			if (result.status != tn_ok)
			{
				return result;
			}
			if (block != NULL)
			{
				tnInstall(world, block, index, made);
				continue;
			}
			needs->liquidPages += made->liquid != NULL ? run : 0;
			needs->solidPages += made->solid != NULL ? run : 0;
			needs->labelPages += made->labels != NULL ? run : 0;
			needs->partPages[made->partCount > 1 ? 1 : 0] += made->parts != NULL ? run : 0;
			tnVoxelStore_GivePages(&world->store, made);
		}
		number += run;
		reader->at += size;
	}
	const int32_t count = (int32_t)tnReadWithin(reader, 0, INT32_MAX);
	for (int32_t i = 0; i < count && !reader->failed; ++i)
	{
		tnVoxelWaiting waiting;
		waiting.voxel.x = 128 * place.x + (int32_t)tnReadWithin(reader, 0, 127);
		waiting.voxel.y = 128 * place.y + (int32_t)tnReadWithin(reader, 0, 127);
		waiting.voxel.z = 128 * place.z + (int32_t)tnReadWithin(reader, 0, 127);
		waiting.liquid = (int32_t)tnReadWithin(reader, 1, world->def.liquidCount);
		waiting.amount = tnReadWithin(reader, 1, TN_MAX_ACCOUNT);
		if (block != NULL)
		{
			world->waiting[world->waitingCount++] = waiting;
			world->waitingRests = false;
			world->ledgers[waiting.liquid].loaded += waiting.amount;
		}
	}
	if (needs != NULL)
	{
		needs->waiting = count;
	}
	if (reader->failed || reader->at != reader->size)
	{
		return tnFail(tn_invalidArgument, "save is damaged at byte %zu", reader->at);
	}
	return tnSuccess();
}

// With one more of each, into which chunks are read.
static tnResult tnReserveForBlock(tnVoxelWorld* world, const tnBlockNeeds* needs)
{
	tnVoxelStore* store = &world->store;
	tnMemory* memory = &world->memory;
	if (needs->liquidPages > world->def.chunkLimit - store->liquidPages.usedCount)
	{
		return tnFail(tn_outOfMemory, "save needs %d more chunks of liquid, chunkLimit is %d and %d are used",
			needs->liquidPages, world->def.chunkLimit, store->liquidPages.usedCount);
	}
	const bool enough = tnPagePool_Reserve(&store->liquidPages, memory, needs->liquidPages + 1) &&
		tnPagePool_Reserve(&store->solidPages, memory, needs->solidPages + 1) &&
		tnPagePool_Reserve(&store->labelPages, memory, needs->labelPages + 1) &&
		tnPagePool_Reserve(store->partPages, memory, needs->partPages[0] + 1) &&
		tnPagePool_Reserve(store->partPages + 1, memory, needs->partPages[1] + 1) &&
		tnVoxelWorld_ReserveWaiting(world, needs->waiting);
	return enough ? tnSuccess() : tnFail(tn_outOfMemory, "save: out of memory for a block");
}

tnResult tnVoxelWorld_LoadBlockFrom(tnVoxelWorld* world, tnVoxel place, const void* bytes, size_t size)
{
	tnResult result = tnVoxelWorld_CheckNewBlock(world, place);
	if (result.status != tn_ok)
	{
		return result;
	}
	tnByteReader reader;
	tnBlockNeeds needs = {0};
	result = tnOpenSave(tn_blockSave, bytes, size, &reader);
	const tnByteReader start = reader;
	if (result.status == tn_ok)
	{
		result = tnReadBlock(world, place, &reader, NULL, &needs);
	}
	if (result.status == tn_ok)
	{
		result = tnReserveForBlock(world, &needs);
	}
	tnVoxelBlock* block = result.status == tn_ok ? tnVoxelStore_AddBlock(&world->store, place) : NULL;
	if (result.status == tn_ok && block == NULL)
	{
		result = tnFail(tn_outOfMemory, "block: out of memory for (%d, %d, %d)", place.x, place.y, place.z);
	}
	if (result.status != tn_ok)
	{
		return tnVoxelWorld_Report(world, result);
	}
	reader = start;
	(void)tnReadBlock(world, place, &reader, block, NULL);
	tnVoxelWorld_LookAgain(world);
	tnVoxelBlock_WakeBorders(block);
	tnVoxelBlock_SetStaleAround(block);
	world->stats.blockCount = world->store.blockCount;
	return tnSuccess();
}
