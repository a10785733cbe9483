// SPDX-License-Identifier: MIT

// Liquid that is added to boxes, and taken from them, by a host, by sources and by oceans.

#include "voxel_edit.h"

#include <string.h>

// Rock, and nothing to take, stay as they are.
bool tnHasLiquidEffect(const tnVoxelWorld* world, const tnVoxelChunk* chunk, const tnLiquidEdit* edit)
{
	const bool isRock = chunk->solid == NULL && world->store.rooms[chunk->solidFill] == 0;
	return !isRock && (chunk->kinds != 0 || edit->amount > 0);
}

static bool tnCountLiquid(tnVoxelWorld* world, const tnChunkPart* part, void* context)
{
	tnLiquidEdit* edit = context;
	const tnVoxelChunk* chunk = part->block->chunks + part->chunk;
	edit->pages += chunk->liquid == NULL && tnHasLiquidEffect(world, chunk, edit) ? 1 : 0;
	return true;
}

// What a voxel will have, of what it has.
static inline int32_t tnGetEdited(const tnLiquidEdit* edit, int32_t old, int32_t room, int64_t top)
{
	// It may have more than fits, under pressure.
	int32_t most = tnMaxInt(room, old);
	int32_t least = 0;
	if (edit->limit != INT64_MAX)
	{
		// Ground is at the bottom of a voxel.
		const int64_t height = edit->limit - top + room;
		most = (int32_t)(height < 0 ? 0 : (height < room ? height : room));
		least = edit->amount < 0 ? tnMinInt(most, old) : 0;
		most = tnMaxInt(most, edit->amount > 0 ? old : 0);
	}
	return tnClampInt(old + edit->amount, least, tnMaxInt(most, least));
}

// A row of voxels. @param top of its layer, in units
static void tnApplyLiquidRow(tnVoxelWorld* world, const tnChunkPart* part, int32_t y, int32_t z, int64_t top,
	tnLiquidEdit* edit, tnVoxelChange* change)
{
	const tnVoxelStore* store = &world->store;
	tnVoxelChunk* chunk = part->block->chunks + part->chunk;
	const int32_t row = y * TN_LAYER + z * TN_ROW;
	const int32_t asked = edit->kind;
	uint32_t kinds = 0;
	int32_t first = TN_ROW;
	int32_t last = -1;
	for (int32_t x = part->inside.low.x; x < part->inside.high.x; ++x)
	{
		const uint16_t word = tnGetWord(store, chunk, row + x);
		const int32_t kind = word != 0 ? tnGetKind(word) : asked;
		if (kind == 0 || (asked != 0 && kind != asked))
		{
			continue;
		}
		const int32_t old = tnGetAmount(word);
		const int32_t now = tnGetEdited(edit, old, tnGetRoom(store, chunk, row + x), top);
		// There may be as many chunks with liquid as may be: next time.
		if (now != old && (chunk->liquid != NULL || tnVoxelStore_OpenLiquid(&world->store, chunk)))
		{
			chunk->liquid[row + x] = tnPackLiquid(kind, now);
			edit->moved[kind] += now - old;
			kinds |= 1u << kind;
			first = tnMinInt(first, x);
			last = x;
		}
	}
	if (last >= 0)
	{
		chunk->kinds |= (uint16_t)kinds;
		tnNoteVoxel(change, first, y, z);
		tnNoteVoxel(change, last, y, z);
	}
}

// The kind that an edit is about in a chunk with a page, 0 if there are several, or a limit of height.
static int32_t tnGetPlainKind(const tnVoxelChunk* chunk, const tnLiquidEdit* edit)
{
	int32_t kind = edit->kind;
	for (int32_t i = 1; i <= TN_MAX_LIQUIDS && edit->kind == 0; ++i)
	{
		kind = chunk->kinds == 1u << i ? i : kind;
	}
	return chunk->liquid != NULL && edit->limit == INT64_MAX ? kind : 0;
}

// As tnApplyLiquidRow for whole layers of one kind: rain falls on thousands of voxels in each step.
static void tnApplyPlain(
	const tnVoxelWorld* world, const tnChunkPart* part, int32_t kind, tnLiquidEdit* edit, tnVoxelChange* change)
{
	tnVoxelChunk* chunk = part->block->chunks + part->chunk;
	const tnVoxelBox* inside = &part->inside;
	uint16_t mask[TN_LAYER] = {0};
	uint16_t rooms[TN_LAYER], moved[TN_LAYER];
	for (int32_t z = inside->low.z; z < inside->high.z; ++z)
	{
		memset(mask + z * TN_ROW + inside->low.x, 0xff, (size_t)(inside->high.x - inside->low.x) * sizeof(uint16_t));
	}
	const uint16_t room = world->store.rooms[chunk->solidFill];
	for (int32_t i = 0; i < TN_LAYER && chunk->solid == NULL; ++i)
	{
		rooms[i] = room;
	}
	for (int32_t y = inside->low.y; y < inside->high.y; ++y)
	{
		if (chunk->solid != NULL)
		{
			world->kernels->findRooms(chunk->solid + y * TN_LAYER, world->store.cap, rooms);
		}
		world->kernels->pour(chunk->liquid + y * TN_LAYER, rooms, mask, kind, edit->amount, moved);
		for (int32_t z = inside->low.z; z < inside->high.z; ++z)
		{
			const uint16_t* row = moved + z * TN_ROW;
			int32_t sum = 0;
			int32_t any = 0;
			for (int32_t x = 0; x < TN_ROW; ++x)
			{
				sum += (int16_t)row[x];
				any |= row[x];
			}
			edit->moved[kind] += sum;
			if (any != 0)
			{
				// The middle, and the sides if they have changed.
				tnNoteVoxel(change, 1, y, z);
				tnNoteVoxel(change, row[0] != 0 ? 0 : 1, y, z);
				tnNoteVoxel(change, row[TN_ROW - 1] != 0 ? TN_ROW - 1 : 1, y, z);
			}
		}
	}
	chunk->kinds |= (uint16_t)(change->layers != 0 ? 1u << kind : 0u);
}

bool tnApplyLiquidEdit(tnVoxelWorld* world, const tnChunkPart* part, void* context)
{
	tnLiquidEdit* edit = context;
	const tnVoxelChunk* chunk = part->block->chunks + part->chunk;
	if (!tnHasLiquidEffect(world, chunk, edit))
	{
		return true;
	}
	const int64_t bottom = (int64_t)tnGetChunkPlace(part->block, part->chunk).y * TN_VOXEL_CHUNK;
	const int32_t plainKind = tnGetPlainKind(chunk, edit);
	tnVoxelChange change = {0};
	if (plainKind != 0)
	{
		tnApplyPlain(world, part, plainKind, edit, &change);
	}
	for (int32_t y = part->inside.low.y; y < part->inside.high.y && plainKind == 0; ++y)
	{
		for (int32_t z = part->inside.low.z; z < part->inside.high.z; ++z)
		{
			tnApplyLiquidRow(world, part, y, z, (bottom + y + 1) * world->def.cap, edit, &change);
		}
	}
	if (change.layers != 0)
	{
		tnVoxelBlock_WakeAround(part->block, part->chunk, &change);
	}
	return true;
}

tnResult tnVoxelWorld_CheckLiquid(const tnVoxelWorld* world, const char* name, int liquid, int low)
{
	if (liquid < low || liquid > world->def.liquidCount)
	{
		return tnFail(tn_invalidArgument, "%s must be in [%d, %d], got %d", name, low, world->def.liquidCount, liquid);
	}
	return tnSuccess();
}

tnResult tnCheckVoxelAmount(const char* name, int amount, int low)
{
	if (amount < low || amount > TN_MAX_VOXEL_CAP)
	{
		return tnFail(tn_invalidArgument, "%s must be in [%d, %d], got %d", name, low, TN_MAX_VOXEL_CAP, amount);
	}
	return tnSuccess();
}

static tnResult tnEditLiquid(tnVoxelWorld* world, tnVoxelBox box, tnLiquidEdit* edit)
{
	(void)tnVoxelWorld_ForEachPart(world, box, tnCountLiquid, edit);
	tnPagePool* pool = &world->store.liquidPages;
	if (edit->pages > 0 && edit->pages > world->def.chunkLimit - pool->usedCount)
	{
		return tnVoxelWorld_Report(world,
			tnFail(tn_outOfMemory, "box needs %d more chunks of liquid, chunkLimit is %d and %d are used", edit->pages,
				world->def.chunkLimit, pool->usedCount));
	}
	if (!tnPagePool_Reserve(pool, &world->memory, edit->pages))
	{
		return tnVoxelWorld_Report(world, tnFail(tn_outOfMemory, "box: out of memory for %d chunks", edit->pages));
	}
	(void)tnVoxelWorld_ForEachPart(world, box, tnApplyLiquidEdit, edit);
	world->version += 1;
	return tnSuccess();
}

tnResult tnVoxelWorld_AddLiquid(tnVoxelWorld* world, tnVoxelBox box, int liquid, int amount, int64_t* added)
{
	if (added != NULL)
	{
		*added = 0;
	}
	tnResult result = tnVoxelWorld_CheckEdit(world, box);
	if (result.status != tn_ok)
	{
		return result;
	}
	result = tnVoxelWorld_CheckLiquid(world, "liquid", liquid, 1);
	if (result.status == tn_ok)
	{
		result = tnCheckVoxelAmount("amount", amount, 0);
	}
	if (result.status != tn_ok)
	{
		return tnVoxelWorld_Report(world, result);
	}
	tnLiquidEdit edit = {.kind = liquid, .amount = amount, .limit = INT64_MAX};
	result = tnEditLiquid(world, box, &edit);
	world->ledgers[liquid].added += edit.moved[liquid];
	if (added != NULL)
	{
		*added = edit.moved[liquid];
	}
	return result;
}

tnResult tnVoxelWorld_RemoveLiquid(tnVoxelWorld* world, tnVoxelBox box, int amount, int64_t* removed)
{
	if (removed != NULL)
	{
		*removed = 0;
	}
	tnResult result = tnVoxelWorld_CheckEdit(world, box);
	if (result.status != tn_ok)
	{
		return result;
	}
	result = tnCheckVoxelAmount("amount", amount, 0);
	if (result.status != tn_ok)
	{
		return tnVoxelWorld_Report(world, result);
	}
	tnLiquidEdit edit = {.kind = 0, .amount = -amount, .limit = INT64_MAX};
	result = tnEditLiquid(world, box, &edit);
	int64_t sum = 0;
	for (int kind = 1; kind <= TN_MAX_LIQUIDS; ++kind)
	{
		world->ledgers[kind].removed -= edit.moved[kind];
		sum -= edit.moved[kind];
	}
	if (removed != NULL)
	{
		*removed = sum;
	}
	return result;
}
