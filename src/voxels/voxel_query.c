// SPDX-License-Identifier: MIT

// What a host pulls out of voxels.

#include "../core/hash.h"
#include "voxel_background.h"

#include <string.h>

static const tnVoxelChunk* tnFindVoxel(const tnVoxelWorld* world, tnVoxel voxel, int32_t* index)
{
	tnVoxelBlock* block;
	*index = (voxel.y & 15) * TN_LAYER + (voxel.z & 15) * TN_ROW + (voxel.x & 15);
	return tnVoxelStore_FindChunk(&world->store, (tnVoxel){voxel.x >> 4, voxel.y >> 4, voxel.z >> 4}, &block);
}

// Of the host: without bodies.
static uint8_t tnGetSolid(const tnVoxelWorld* world, const tnVoxelChunk* chunk, int32_t index, tnVoxel voxel)
{
	const uint8_t solid = chunk->solid != NULL ? chunk->solid[index] : chunk->solidFill;
	return chunk->taken && solid != 0 ? (uint8_t)tnVoxelWorld_GetGround(world, voxel, solid) : solid;
}

tnVoxelWorldDef tnVoxelWorld_GetDef(const tnVoxelWorld* world)
{
	return world != NULL ? world->def : tnDefaultVoxelWorldDef();
}

tnVoxelState tnVoxelWorld_GetVoxel(const tnVoxelWorld* world, tnVoxel voxel)
{
	tnVoxelState state = {.solid = TN_VOXEL_ROCK, .settled = true};
	int32_t index = 0;
	world = tnVoxelWorld_GetShown(world);
	const tnVoxelChunk* chunk = tnVoxelWorld_IsReady(world) ? tnFindVoxel(world, voxel, &index) : NULL;
	if (chunk == NULL)
	{
		return state;
	}
	const uint16_t word = tnGetWord(&world->store, chunk, index);
	state.loaded = true;
	state.amount = tnGetAmount(word);
	state.liquid = (uint8_t)tnGetKind(word);
	state.room = tnGetRoom(&world->store, chunk, index);
	state.solid = tnGetSolid(world, chunk, index, voxel);
	state.settled = (chunk->layers >> (voxel.y & 15) & 1u) == 0;
	return state;
}

tnResult tnVoxelWorld_Read(
	const tnVoxelWorld* world, tnVoxelBox box, uint8_t* solid, uint16_t* amounts, uint8_t* liquids)
{
	world = tnVoxelWorld_GetShown(world);
	const tnResult ready = tnVoxelWorld_CheckReady(world);
	if (ready.status != tn_ok)
	{
		return ready;
	}
	if (box.high.x < box.low.x || box.high.y < box.low.y || box.high.z < box.low.z)
	{
		return tnVoxelWorld_Report(world,
			tnFail(tn_invalidArgument, "box.high must not be below box.low, got (%d, %d, %d) and (%d, %d, %d)",
				box.high.x, box.high.y, box.high.z, box.low.x, box.low.y, box.low.z));
	}
	if (solid == NULL && amounts == NULL && liquids == NULL)
	{
		return tnSuccess();
	}
	size_t i = 0;
	for (int32_t y = box.low.y; y < box.high.y; ++y)
	{
		for (int32_t z = box.low.z; z < box.high.z; ++z)
		{
			const tnVoxelChunk* chunk = NULL;
			int32_t index = 0;
			for (int32_t x = box.low.x; x < box.high.x; ++x, ++i)
			{
				if (x == box.low.x || (x & 15) == 0)
				{
					chunk = tnFindVoxel(world, (tnVoxel){x, y, z}, &index);
				}
				const int32_t voxel = (index & ~15) | (x & 15);
				const uint16_t word = chunk != NULL ? tnGetWord(&world->store, chunk, voxel) : 0;
				if (solid != NULL)
				{
					solid[i] = chunk == NULL ? TN_VOXEL_ROCK : tnGetSolid(world, chunk, voxel, (tnVoxel){x, y, z});
				}
				if (amounts != NULL)
				{
					amounts[i] = (uint16_t)tnGetAmount(word);
				}
				if (liquids != NULL)
				{
					liquids[i] = (uint8_t)tnGetKind(word);
				}
			}
		}
	}
	return tnSuccess();
}

int64_t tnVoxelWorld_CountWaiting(const tnVoxelWorld* world, int liquid)
{
	int64_t waiting = tnVoxelWorld_GetAccounts(world, NULL, liquid);
	for (int32_t i = 0; i < world->waitingCount; ++i)
	{
		waiting += world->waiting[i].liquid == liquid ? world->waiting[i].amount : 0;
	}
	return waiting;
}

tnVoxelLedger tnVoxelWorld_GetLedger(const tnVoxelWorld* world, int liquid)
{
	const tnVoxelBackground* background = tnVoxelWorld_IsStepRunning(world) ? world->background : NULL;
	world = tnVoxelWorld_GetShown(world);
	if (!tnVoxelWorld_IsReady(world) || liquid < 1 || liquid > TN_MAX_LIQUIDS)
	{
		return (tnVoxelLedger){0};
	}
	tnVoxelLedger ledger = world->ledgers[liquid];
	for (int32_t b = 0; b < world->store.blockCount; ++b)
	{
		for (int32_t c = 0; c < TN_BLOCK_CHUNKS; ++c)
		{
			const tnVoxelChunk* chunk = world->store.blocks[b]->chunks + c;
			if ((chunk->kinds >> liquid & 1u) == 0)
			{
				continue;
			}
			for (int32_t i = 0; i < TN_CHUNK_VOXELS; ++i)
			{
				const uint16_t word = tnGetWord(&world->store, chunk, i);
				ledger.volume += tnGetKind(word) == liquid ? tnGetAmount(word) : 0;
			}
		}
	}
	ledger.waiting = background != NULL ? background->waiting[liquid] : tnVoxelWorld_CountWaiting(world, liquid);
	ledger.drift = ledger.volume + ledger.waiting -
		(ledger.added + ledger.loaded + ledger.sources + ledger.ocean + ledger.reactions - ledger.removed -
			ledger.unloaded - ledger.drains - ledger.evaporated);
	return ledger;
}

tnVoxelStats tnVoxelWorld_GetStats(const tnVoxelWorld* world)
{
	if (tnVoxelWorld_IsStepRunning(world))
	{
		return world->background->stats;
	}
	if (!tnVoxelWorld_IsReady(world))
	{
		return (tnVoxelStats){0};
	}
	tnVoxelStats stats = world->stats;
	stats.stepCount = world->stepCount;
	stats.blockCount = world->store.blockCount;
	stats.solidChunkCount = world->store.solidPages.usedCount;
	stats.liquidChunkCount = world->store.liquidPages.usedCount;
	stats.awakeChunkCount = 0;
	for (int32_t b = 0; b < world->store.blockCount; ++b)
	{
		stats.awakeChunkCount += world->store.blocks[b]->awakeCount;
	}
	stats.byteCount = world->memory.byteCount;
	if (world->background != NULL && world->background->shown != NULL)
	{
		stats.byteCount += world->background->shown->memory.byteCount;
	}
	return stats;
}

bool tnVoxelWorld_IsBusy(const tnVoxelWorld* world)
{
	int32_t busy = 0;
	for (int32_t b = 0; b < world->store.blockCount; ++b)
	{
		const tnVoxelBlock* block = world->store.blocks[b];
		busy += block->awakeCount + (world->def.rules == tn_componentRules ? block->staleCount : 0);
	}
	return busy > 0 || world->levelsPending;
}

bool tnVoxelWorld_IsAtRest(const tnVoxelWorld* world)
{
	if (tnVoxelWorld_IsStepRunning(world))
	{
		return world->background->rests;
	}
	if (!tnVoxelWorld_IsReady(world))
	{
		return world == NULL;
	}
	bool rests =
		!tnVoxelWorld_IsBusy(world) && (world->waitingCount == 0 || world->waitingRests) && world->sourceIds.count == 0;
	for (int32_t kind = 1; kind <= world->def.liquidCount; ++kind)
	{
		// It fills its box in the next step.
		rests = rests && !(world->oceans[kind].liquid != 0 && world->oceanIsNew[kind]);
	}
	return rests && !world->bodies.isPending && !tnVoxelWorld_EvaporatesYet(world);
}

uint64_t tnVoxelWorld_GetHash(const tnVoxelWorld* world)
{
	world = tnVoxelWorld_GetShown(world);
	if (!tnVoxelWorld_IsReady(world))
	{
		return 0;
	}
	uint64_t hash = tnHashBytes(TN_HASH_SEED, &world->stepCount, sizeof(world->stepCount));
	for (int32_t b = 0; b < world->store.blockCount; ++b)
	{
		const tnVoxelBlock* block = world->store.blocks[b];
		hash = tnHashBytes(hash, &block->place, sizeof(block->place));
		for (int32_t c = 0; c < TN_BLOCK_CHUNKS; ++c)
		{
			const tnVoxelChunk* chunk = block->chunks + c;
			// Pages or not is a matter of memory, but full and dry chunks without are many.
			uint16_t words[TN_ROW];
			// Ground is that of the host: as it is in a save, without bodies.
			uint8_t ground[TN_CHUNK_VOXELS];
			const uint8_t* solid = chunk->solid;
			uint8_t solidFill = chunk->solidFill;
			if (chunk->taken)
			{
				const bool isSame = tnVoxelWorld_CopyGround(world, tnGetChunkPlace(block, c), ground);
				solid = isSame ? NULL : ground;
				solidFill = ground[0];
			}
			const uint8_t fills[4] = {solid == NULL, solid == NULL ? solidFill : 0, chunk->liquid == NULL,
				chunk->liquid == NULL ? chunk->liquidFill : 0};
			hash = tnHashBytes(hash, fills, sizeof(fills));
			if (solid != NULL)
			{
				hash = tnHashBytes(hash, solid, TN_CHUNK_VOXELS);
			}
			for (int32_t row = 0; chunk->liquid != NULL && row < TN_LAYER; ++row)
			{
				memcpy(words, chunk->liquid + row * TN_ROW, sizeof(words));
				uint8_t bytes[2 * TN_ROW];
				for (int32_t i = 0; i < TN_ROW; ++i)
				{
					bytes[2 * i] = (uint8_t)words[i];
					bytes[2 * i + 1] = (uint8_t)(words[i] >> 8);
				}
				hash = tnHashBytes(hash, bytes, sizeof(bytes));
			}
		}
	}
	return hash;
}

int tnVoxelWorld_TakeChanged(tnVoxelWorld* world, tnVoxel* chunks, int capacity)
{
	if (!tnVoxelWorld_IsReady(world))
	{
		return 0;
	}
	int count = 0;
	for (int32_t b = 0; b < world->store.blockCount; ++b)
	{
		tnVoxelBlock* block = world->store.blocks[b];
		for (int32_t c = 0; c < TN_BLOCK_CHUNKS; ++c)
		{
			if (!block->chunks[c].changed)
			{
				continue;
			}
			if (count < capacity && chunks != NULL)
			{
				chunks[count] = tnGetChunkPlace(block, c);
				block->chunks[c].changed = false;
			}
			count += 1;
		}
	}
	return count;
}
