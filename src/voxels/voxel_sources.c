// SPDX-License-Identifier: MIT

// Sources, drains and oceans: what a host sets once, and what they do in each step.

#include "voxel_edit.h"

bool tnVoxelWorld_ReserveSources(tnVoxelWorld* world, int32_t count)
{
	tnIdPool* ids = &world->sourceIds;
	if (count > ids->capacity)
	{
		// As many as tnIdPool_Reserve would make, without making them one by one.
		int32_t capacity = tnMaxInt(ids->capacity, 16);
		while (capacity < count)
		{
			capacity *= 2;
		}
		uint32_t* grown = tnMemory_Grow(&world->memory, ids->generations,
			(size_t)ids->capacity * sizeof(ids->generations[0]), (size_t)capacity * sizeof(ids->generations[0]));
		if (grown == NULL)
		{
			return false;
		}
		ids->generations = grown;
		ids->capacity = capacity;
	}
	if (ids->capacity > world->sourceCapacity)
	{
		tnVoxelSource* grown = tnMemory_Grow(&world->memory, world->sources,
			(size_t)world->sourceCapacity * sizeof(tnVoxelSource), (size_t)ids->capacity * sizeof(tnVoxelSource));
		if (grown == NULL)
		{
			return false;
		}
		world->sources = grown;
		world->sourceCapacity = ids->capacity;
	}
	return true;
}

tnResult tnVoxelWorld_CreateSource(tnVoxelWorld* world, const tnVoxelSourceDef* def, tnVoxelSourceId* id)
{
	tnResult result = tnVoxelWorld_CheckReady(world);
	if (result.status != tn_ok)
	{
		return result;
	}
	if (def == NULL || id == NULL)
	{
		return tnVoxelWorld_Report(
			world, tnFail(tn_invalidArgument, "%s must not be NULL", def == NULL ? "def" : "id"));
	}
	*id = (tnVoxelSourceId){0};
	result = tnCheckVoxelStamp(def->stamp, "tnDefaultVoxelSourceDef");
	if (result.status == tn_ok)
	{
		result = tnVoxelWorld_CheckBox(world, def->box);
	}
	if (result.status == tn_ok)
	{
		result = tnCheckVoxelAmount("rate", def->rate, -TN_MAX_VOXEL_CAP);
	}
	if (result.status == tn_ok)
	{
		result = tnVoxelWorld_CheckLiquid(world, "liquid", def->liquid, def->rate < 0 ? 0 : 1);
	}
	if (result.status != tn_ok)
	{
		return tnVoxelWorld_Report(world, result);
	}
	if (!tnVoxelWorld_ReserveSources(world, world->sourceIds.count + 1))
	{
		return tnVoxelWorld_Report(world, tnFail(tn_outOfMemory, "source: out of memory"));
	}
	const int index = tnIdPool_Take(&world->sourceIds);
	world->sources[index].def = *def;
	*id = (tnVoxelSourceId){index + 1, tnIdPool_GetGeneration(&world->sourceIds, index)};
	return tnSuccess();
}

tnResult tnVoxelWorld_DestroySource(tnVoxelWorld* world, tnVoxelSourceId id)
{
	const tnResult result = tnVoxelWorld_CheckReady(world);
	if (result.status != tn_ok)
	{
		return result;
	}
	const int index = tnIdPool_Find(&world->sourceIds, id.index1, id.generation);
	if (index < 0)
	{
		return tnVoxelWorld_Report(world, tnFail(tn_staleId, "source %d is null or was destroyed", id.index1));
	}
	tnIdPool_Release(&world->sourceIds, index);
	return tnSuccess();
}

// Which liquid is an ocean's is found when chunks are divided into parts.
static void tnForgetOceans(tnVoxelWorld* world, int32_t liquid)
{
	for (int32_t b = 0; b < world->store.blockCount; ++b)
	{
		for (int32_t c = 0; c < TN_BLOCK_CHUNKS; ++c)
		{
			tnVoxelBlock* block = world->store.blocks[b];
			if ((block->chunks[c].kinds >> liquid & 1u) != 0)
			{
				tnVoxelBlock_SetStale(block, c, true);
			}
		}
	}
}

tnResult tnVoxelWorld_SetOcean(tnVoxelWorld* world, const tnVoxelOceanDef* def)
{
	tnResult result = tnVoxelWorld_CheckReady(world);
	if (result.status != tn_ok)
	{
		return result;
	}
	if (def == NULL)
	{
		return tnVoxelWorld_Report(world, tnFail(tn_invalidArgument, "def must not be NULL"));
	}
	result = tnCheckVoxelStamp(def->stamp, "tnDefaultVoxelOceanDef");
	if (result.status == tn_ok)
	{
		result = tnVoxelWorld_CheckLiquid(world, "liquid", def->liquid, 1);
	}
	if (result.status == tn_ok)
	{
		result = tnVoxelWorld_CheckBox(world, def->box);
	}
	const int64_t limit = (int64_t)TN_MAX_VOXEL * world->def.cap;
	if (result.status == tn_ok && (def->level < -limit || def->level > limit))
	{
		result = tnFail(tn_invalidArgument, "level must be in [%lld, %lld], got %lld", (long long)-limit,
			(long long)limit, (long long)def->level);
	}
	if (result.status != tn_ok)
	{
		return tnVoxelWorld_Report(world, result);
	}
	world->oceans[def->liquid] = *def;
	world->oceanIsNew[def->liquid] = true;
	tnForgetOceans(world, def->liquid);
	return result;
}

tnResult tnVoxelWorld_RemoveOcean(tnVoxelWorld* world, int liquid)
{
	tnResult result = tnVoxelWorld_CheckReady(world);
	if (result.status != tn_ok)
	{
		return result;
	}
	result = tnVoxelWorld_CheckLiquid(world, "liquid", liquid, 1);
	if (result.status == tn_ok && world->oceans[liquid].liquid == 0)
	{
		result = tnFail(tn_invalidArgument, "liquid %d has no ocean", liquid);
	}
	if (result.status != tn_ok)
	{
		return tnVoxelWorld_Report(world, result);
	}
	world->oceans[liquid] = (tnVoxelOceanDef){0};
	world->oceanIsNew[liquid] = false;
	tnForgetOceans(world, liquid);
	return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// In a step

// What has slept since an ocean was last here is as it left it.
static bool tnApplyOcean(tnVoxelWorld* world, const tnChunkPart* part, void* context)
{
	const tnLiquidEdit* edit = context;
	const tnVoxelChunk* chunk = part->block->chunks + part->chunk;
	const bool isNew = world->oceanIsNew[edit->kind];
	return chunk->layers == 0 && !chunk->stale && !isNew ? true : tnApplyLiquidEdit(world, part, context);
}

static bool tnMarkSourcePart(tnVoxelWorld* world, const tnChunkPart* part, void* context)
{
	const tnLiquidEdit* edit = context;
	const tnVoxelChunk* chunk = part->block->chunks + part->chunk;
	const bool mayHave = chunk->kinds != 0 || (part->block->reach.changes[part->chunk / 8] >> part->chunk % 8 & 1) != 0;
	if (tnHasLiquidEffect(world, chunk, edit) || (edit->amount < 0 && mayHave))
	{
		tnMarkChange(part->block, part->chunk, part->inside.low.y == 0, part->inside.high.y == TN_VOXEL_CHUNK);
	}
	return true;
}

// Chunks that sleep are not looked at: they are as the ocean left them.
static bool tnMarkOceanPart(tnVoxelWorld* world, const tnChunkPart* part, void* context)
{
	const tnLiquidEdit* edit = context;
	const tnVoxelBlock* block = part->block;
	const tnVoxelChunk* chunk = block->chunks + part->chunk;
	const bool isRock = chunk->solid == NULL && world->store.rooms[chunk->solidFill] == 0;
	const int64_t cap = world->def.cap;
	const int64_t bottom = (int64_t)tnGetChunkPlace(block, part->chunk).y * TN_VOXEL_CHUNK;
	bool changes = chunk->layers != 0 || chunk->stale || world->oceanIsNew[edit->kind] ||
		(block->reach.woken[part->chunk / 8] >> part->chunk % 8 & 1) != 0;
	// Dry ones are filled up to the level, and full ones are emptied down to it.
	const bool mayChange = chunk->liquid != NULL ||
		(chunk->liquidFill == 0 ? (bottom + part->inside.low.y) * cap < edit->limit
								: (bottom + part->inside.high.y) * cap > edit->limit);
	if (!isRock && changes && mayChange)
	{
		tnMarkChange(part->block, part->chunk, part->inside.low.y == 0, part->inside.high.y == TN_VOXEL_CHUNK);
	}
	return true;
}

void tnVoxelWorld_MarkSources(tnVoxelWorld* world)
{
	for (int i = 0; i < world->sourceIds.slotCount; ++i)
	{
		if (tnIdPool_IsUsed(&world->sourceIds, i))
		{
			const tnVoxelSourceDef* def = &world->sources[i].def;
			tnLiquidEdit edit = {.kind = def->liquid, .amount = def->rate, .limit = INT64_MAX};
			(void)tnVoxelWorld_ForEachPart(world, def->box, tnMarkSourcePart, &edit);
		}
	}
	for (int kind = 1; kind <= world->def.liquidCount; ++kind)
	{
		if (world->oceans[kind].liquid != 0)
		{
			tnMarkWoken(world);
			tnLiquidEdit edit = {.kind = kind, .limit = world->oceans[kind].level};
			(void)tnVoxelWorld_ForEachPart(world, world->oceans[kind].box, tnMarkOceanPart, &edit);
		}
	}
}

void tnVoxelWorld_ApplySources(tnVoxelWorld* world)
{
	for (int i = 0; i < world->sourceIds.slotCount; ++i)
	{
		if (!tnIdPool_IsUsed(&world->sourceIds, i))
		{
			continue;
		}
		const tnVoxelSourceDef* def = &world->sources[i].def;
		tnLiquidEdit edit = {.kind = def->liquid, .amount = def->rate, .limit = INT64_MAX};
		(void)tnVoxelWorld_ForEachPart(world, def->box, tnApplyLiquidEdit, &edit);
		for (int kind = 1; kind <= TN_MAX_LIQUIDS; ++kind)
		{
			world->ledgers[kind].sources += edit.moved[kind] > 0 ? edit.moved[kind] : 0;
			world->ledgers[kind].drains -= edit.moved[kind] < 0 ? edit.moved[kind] : 0;
		}
	}
	for (int kind = 1; kind <= world->def.liquidCount; ++kind)
	{
		if (world->oceans[kind].liquid == 0)
		{
			continue;
		}
		// Up to the level, and down to it.
		for (int sign = -1; sign <= 1; sign += 2)
		{
			tnLiquidEdit edit = {.kind = kind, .amount = sign * TN_MAX_VOXEL_CAP, .limit = world->oceans[kind].level};
			(void)tnVoxelWorld_ForEachPart(world, world->oceans[kind].box, tnApplyOcean, &edit);
			world->ledgers[kind].ocean += edit.moved[kind];
		}
		world->oceanIsNew[kind] = false;
	}
}
