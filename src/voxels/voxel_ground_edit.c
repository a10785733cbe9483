// SPDX-License-Identifier: MIT

// Ground that a host digs and builds, in boxes and balls. Liquid that has no room any more waits (voxel_waiting.c).

#include "voxel_edit.h"

#include <string.h>

typedef struct tnSolidEdit
{
	tnVoxelBox box;
	const uint8_t* solid; // NULL: value
	uint8_t value;
	bool isBall;
	float center[3]; // in voxels
	float radius;
	int32_t liquidPages, solidPages, waiting;
} tnSolidEdit;

// -1: stays as it is.
static int32_t tnGetNewSolid(const tnSolidEdit* edit, const tnChunkPart* part, int32_t x, int32_t y, int32_t z)
{
	const int32_t fromX = part->offset.x + x - part->inside.low.x;
	const int32_t fromY = part->offset.y + y - part->inside.low.y;
	const int32_t fromZ = part->offset.z + z - part->inside.low.z;
	if (edit->isBall)
	{
		const float dx = (float)(edit->box.low.x + fromX) + 0.5f - edit->center[0];
		const float dy = (float)(edit->box.low.y + fromY) + 0.5f - edit->center[1];
		const float dz = (float)(edit->box.low.z + fromZ) + 0.5f - edit->center[2];
		return dx * dx + dy * dy + dz * dz <= edit->radius * edit->radius ? edit->value : -1;
	}
	if (edit->solid == NULL)
	{
		return edit->value;
	}
	const size_t width = (size_t)(edit->box.high.x - edit->box.low.x);
	const size_t depth = (size_t)(edit->box.high.z - edit->box.low.z);
	return edit->solid[((size_t)fromY * depth + (size_t)fromZ) * width + (size_t)fromX];
}

// All of a chunk gets the same ground, and there is nothing to displace.
static bool tnIsPlainFill(const tnSolidEdit* edit, const tnChunkPart* part)
{
	const tnVoxelBox* inside = &part->inside;
	const bool whole = inside->low.x == 0 && inside->low.y == 0 && inside->low.z == 0 && inside->high.x == 16 &&
		inside->high.y == 16 && inside->high.z == 16;
	const tnVoxelChunk* chunk = part->block->chunks + part->chunk;
	return whole && edit->solid == NULL && !edit->isBall && chunk->kinds == 0 && !chunk->taken;
}

// What the edit will need: found before anything is changed.
static bool tnCountSolid(tnVoxelWorld* world, const tnChunkPart* part, void* context)
{
	tnSolidEdit* edit = context;
	const tnVoxelChunk* chunk = part->block->chunks + part->chunk;
	const tnVoxel place = tnGetChunkPlace(part->block, part->chunk);
	if (tnIsPlainFill(edit, part))
	{
		return true;
	}
	edit->solidPages += chunk->solid == NULL ? 1 : 0;
	edit->liquidPages += chunk->liquid == NULL && chunk->kinds != 0 ? 1 : 0;
	for (int32_t y = part->inside.low.y; chunk->kinds != 0 && y < part->inside.high.y; ++y)
	{
		for (int32_t z = part->inside.low.z; z < part->inside.high.z; ++z)
		{
			for (int32_t x = part->inside.low.x; x < part->inside.high.x; ++x)
			{
				int32_t solid = tnGetNewSolid(edit, part, x, y, z);
				if (chunk->taken && solid >= 0)
				{
					const tnVoxel where = {16 * place.x + x, 16 * place.y + y, 16 * place.z + z};
					solid = tnVoxelWorld_AddTaken(world, where, solid);
				}
				const int32_t amount = tnGetAmount(tnGetWord(&world->store, chunk, y * TN_LAYER + z * TN_ROW + x));
				edit->waiting += solid >= 0 && amount > world->store.rooms[solid] ? 1 : 0;
			}
		}
	}
	return true;
}

static bool tnApplySolid(tnVoxelWorld* world, const tnChunkPart* part, void* context)
{
	const tnSolidEdit* edit = context;
	tnVoxelStore* store = &world->store;
	tnVoxelChunk* chunk = part->block->chunks + part->chunk;
	tnVoxelChange change = {0};
	if (tnIsPlainFill(edit, part))
	{
		if (chunk->solid != NULL)
		{
			tnPagePool_Give(&store->solidPages, chunk->solid);
			chunk->solid = NULL;
		}
		chunk->solidFill = edit->value;
		change = (tnVoxelChange){TN_ALL_LAYERS, {TN_ALL_LAYERS, TN_ALL_LAYERS, TN_ALL_LAYERS, TN_ALL_LAYERS}};
		tnVoxelBlock_WakeAround(part->block, part->chunk, &change);
		return true;
	}
	tnVoxelStore_OpenSolid(store, chunk);
	if (chunk->kinds != 0)
	{
		(void)tnVoxelStore_OpenLiquid(store, chunk);
	}
	const tnVoxel place = tnGetChunkPlace(part->block, part->chunk);
	for (int32_t y = part->inside.low.y; y < part->inside.high.y; ++y)
	{
		for (int32_t z = part->inside.low.z; z < part->inside.high.z; ++z)
		{
			for (int32_t x = part->inside.low.x; x < part->inside.high.x; ++x)
			{
				const int32_t voxel = y * TN_LAYER + z * TN_ROW + x;
				const tnVoxel where = {16 * place.x + x, 16 * place.y + y, 16 * place.z + z};
				int32_t solid = tnGetNewSolid(edit, part, x, y, z);
				if (chunk->taken && solid >= 0)
				{
					solid = tnVoxelWorld_SetGround(world, where, solid);
				}
				if (solid < 0 || solid == chunk->solid[voxel])
				{
					continue;
				}
				chunk->solid[voxel] = (uint8_t)solid;
				tnNoteVoxel(&change, x, y, z);
				const uint16_t word = chunk->liquid != NULL ? chunk->liquid[voxel] : 0;
				const int32_t over = tnGetAmount(word) - store->rooms[solid];
				if (over > 0)
				{
					world->waiting[world->waitingCount++] =
						(tnVoxelWaiting){.voxel = where, .liquid = tnGetKind(word), .amount = over};
					chunk->liquid[voxel] = tnPackLiquid(tnGetKind(word), store->rooms[solid]);
				}
			}
		}
	}
	tnVoxelStore_CloseSolid(store, chunk);
	if (change.layers != 0)
	{
		tnVoxelBlock_WakeAround(part->block, part->chunk, &change);
	}
	return true;
}

static tnResult tnEditSolid(tnVoxelWorld* world, tnSolidEdit* edit)
{
	tnVoxelStore* store = &world->store;
	(void)tnVoxelWorld_ForEachPart(world, edit->box, tnCountSolid, edit);
	const int32_t used = store->liquidPages.usedCount;
	if (edit->liquidPages > 0 && edit->liquidPages > world->def.chunkLimit - used)
	{
		return tnVoxelWorld_Report(world,
			tnFail(tn_outOfMemory, "box needs %d more chunks of liquid, chunkLimit is %d and %d are used",
				edit->liquidPages, world->def.chunkLimit, used));
	}
	const bool enough = tnPagePool_Reserve(&store->solidPages, &world->memory, edit->solidPages) &&
		tnPagePool_Reserve(&store->liquidPages, &world->memory, edit->liquidPages) &&
		tnVoxelWorld_ReserveWaiting(world, edit->waiting);
	if (!enough)
	{
		return tnVoxelWorld_Report(
			world, tnFail(tn_outOfMemory, "box: out of memory for %d chunks", edit->solidPages + edit->liquidPages));
	}
	(void)tnVoxelWorld_ForEachPart(world, edit->box, tnApplySolid, edit);
	world->version += 1;
	world->groundVersion += 1;
	return tnSuccess();
}

static tnResult tnCheckSolid(const tnVoxelWorld* world, int solid)
{
	if (solid < 0 || solid > TN_VOXEL_ROCK)
	{
		return tnVoxelWorld_Report(
			world, tnFail(tn_invalidArgument, "solid must be in [0, %d], got %d", TN_VOXEL_ROCK, solid));
	}
	return tnSuccess();
}

tnResult tnVoxelWorld_SetSolid(tnVoxelWorld* world, tnVoxelBox box, const uint8_t* solid)
{
	const tnResult result = tnVoxelWorld_CheckEdit(world, box);
	if (result.status != tn_ok)
	{
		return result;
	}
	if (solid == NULL)
	{
		return tnVoxelWorld_Report(world, tnFail(tn_invalidArgument, "solid must not be NULL"));
	}
	return tnEditSolid(world, &(tnSolidEdit){.box = box, .solid = solid});
}

tnResult tnVoxelWorld_FillSolid(tnVoxelWorld* world, tnVoxelBox box, int solid)
{
	tnResult result = tnVoxelWorld_CheckEdit(world, box);
	if (result.status == tn_ok)
	{
		result = tnCheckSolid(world, solid);
	}
	return result.status == tn_ok ? tnEditSolid(world, &(tnSolidEdit){.box = box, .value = (uint8_t)solid}) : result;
}

tnResult tnVoxelWorld_FillSolidBall(tnVoxelWorld* world, tnVec3 center, float radius, int solid)
{
	tnResult result = tnVoxelWorld_CheckReady(world);
	if (result.status == tn_ok)
	{
		result = tnCheckSolid(world, solid);
	}
	if (result.status != tn_ok)
	{
		return result;
	}
	const float size = world->def.voxelSize;
	const float limit = (float)TN_MAX_VOXEL;
	const float values[4] = {center.x / size, center.y / size, center.z / size, radius / size};
	static const char* const names[4] = {"center.x", "center.y", "center.z", "radius"};
	for (int i = 0; i < 4; ++i)
	{
		const float low = i == 3 ? 0.0f : -limit;
		if (!(values[i] >= low && values[i] <= (i == 3 ? 1024.0f : limit)))
		{
			return tnVoxelWorld_Report(world,
				tnFail(tn_invalidArgument, "%s must be in [%g, %g] voxels, got %g", names[i], (double)low,
					i == 3 ? 1024.0 : (double)limit, (double)values[i]));
		}
	}
	tnSolidEdit edit = {.value = (uint8_t)solid, .isBall = true, .radius = values[3]};
	memcpy(edit.center, values, sizeof(edit.center));
	int32_t ends[2][3];
	for (int i = 0; i < 3; ++i)
	{
		// Floor: the numbers are small enough for int.
		ends[0][i] = (int32_t)(values[i] - values[3] + limit) - TN_MAX_VOXEL;
		ends[1][i] = (int32_t)(values[i] + values[3] + limit) - TN_MAX_VOXEL + 1;
	}
	edit.box = (tnVoxelBox){{ends[0][0], ends[0][1], ends[0][2]}, {ends[1][0], ends[1][1], ends[1][2]}};
	result = tnVoxelWorld_Report(world, tnVoxelWorld_CheckBox(world, edit.box));
	return result.status == tn_ok ? tnEditSolid(world, &edit) : result;
}
