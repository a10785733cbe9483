// SPDX-License-Identifier: MIT

// What a host changes in voxels: ground and liquid in boxes and balls, sources, oceans.

#include "voxel_world.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Boxes

static tnResult tnCheckBox(const tnVoxelWorld* world, tnVoxelBox box)
{
	const int32_t low[3] = {box.low.x, box.low.y, box.low.z};
	const int32_t high[3] = {box.high.x, box.high.y, box.high.z};
	for (int i = 0; i < 3; ++i)
	{
		if (low[i] < -TN_MAX_VOXEL || high[i] > TN_MAX_VOXEL || high[i] <= low[i])
		{
			return tnFail(tn_invalidArgument, "box.%c must be a range within [%d, %d), got [%d, %d)", "xyz"[i],
				-TN_MAX_VOXEL, TN_MAX_VOXEL, low[i], high[i]);
		}
	}
	for (int32_t x = box.low.x >> 7; x <= (box.high.x - 1) >> 7; ++x)
	{
		for (int32_t z = box.low.z >> 7; z <= (box.high.z - 1) >> 7; ++z)
		{
			for (int32_t y = box.low.y >> 7; y <= (box.high.y - 1) >> 7; ++y)
			{
				if (tnVoxelStore_FindBlock(&world->store, (tnVoxel){x, y, z}) == NULL)
				{
					return tnFail(
						tn_invalidArgument, "box must lie in loaded blocks, but (%d, %d, %d) is not loaded", x, y, z);
				}
			}
		}
	}
	return tnSuccess();
}

static tnResult tnCheckEdit(const tnVoxelWorld* world, tnVoxelBox box)
{
	const tnResult ready = tnVoxelWorld_CheckReady(world);
	return ready.status == tn_ok ? tnVoxelWorld_Report(world, tnCheckBox(world, box)) : ready;
}

// The part of a box in one chunk.
typedef struct tnChunkPart
{
	tnVoxelBlock* block;
	int32_t chunk;
	tnVoxelBox inside; // in voxels of the chunk
	tnVoxel offset;    // of its first voxel from that of the box
} tnChunkPart;

typedef bool tnPartFcn(tnVoxelWorld* world, const tnChunkPart* part, void* context);

// The part of a box in chunks of one block.
static bool tnForEachPartOf(tnVoxelWorld* world, tnVoxelBlock* block, tnVoxelBox box, tnPartFcn* fcn, void* context)
{
	const tnVoxel first = {8 * block->place.x, 8 * block->place.y, 8 * block->place.z};
	for (int32_t cx = tnMaxInt(box.low.x >> 4, first.x); cx <= tnMinInt((box.high.x - 1) >> 4, first.x + 7); ++cx)
	{
		for (int32_t cz = tnMaxInt(box.low.z >> 4, first.z); cz <= tnMinInt((box.high.z - 1) >> 4, first.z + 7); ++cz)
		{
			for (int32_t cy = tnMaxInt(box.low.y >> 4, first.y); cy <= tnMinInt((box.high.y - 1) >> 4, first.y + 7);
				 ++cy)
			{
				tnChunkPart part = {.block = block, .chunk = tnGetChunkIndex(cx & 7, cy & 7, cz & 7)};
				part.inside.low.x = tnMaxInt(box.low.x - 16 * cx, 0);
				part.inside.low.y = tnMaxInt(box.low.y - 16 * cy, 0);
				part.inside.low.z = tnMaxInt(box.low.z - 16 * cz, 0);
				part.inside.high.x = tnMinInt(box.high.x - 16 * cx, 16);
				part.inside.high.y = tnMinInt(box.high.y - 16 * cy, 16);
				part.inside.high.z = tnMinInt(box.high.z - 16 * cz, 16);
				part.offset.x = 16 * cx + part.inside.low.x - box.low.x;
				part.offset.y = 16 * cy + part.inside.low.y - box.low.y;
				part.offset.z = 16 * cz + part.inside.low.z - box.low.z;
				if (!fcn(world, &part, context))
				{
					return false;
				}
			}
		}
	}
	return true;
}

// Calls fcn for each chunk until it returns false. Blocks that are not loaded are skipped.
static bool tnForEachPart(tnVoxelWorld* world, tnVoxelBox box, tnPartFcn* fcn, void* context)
{
	for (int32_t x = box.low.x >> 7; x <= (box.high.x - 1) >> 7; ++x)
	{
		for (int32_t z = box.low.z >> 7; z <= (box.high.z - 1) >> 7; ++z)
		{
			for (int32_t y = box.low.y >> 7; y <= (box.high.y - 1) >> 7; ++y)
			{
				tnVoxelBlock* block = tnVoxelStore_FindBlock(&world->store, (tnVoxel){x, y, z});
				if (block != NULL && !tnForEachPartOf(world, block, box, fcn, context))
				{
					return false;
				}
			}
		}
	}
	return true;
}

static void tnNote(tnVoxelChange* change, int32_t x, int32_t y, int32_t z)
{
	const uint32_t bit = 1u << y;
	change->layers |= bit;
	change->sides[tn_voxelWest] |= x == 0 ? bit : 0;
	change->sides[tn_voxelEast] |= x == TN_ROW - 1 ? bit : 0;
	change->sides[tn_voxelNorth] |= z == 0 ? bit : 0;
	change->sides[tn_voxelSouth] |= z == TN_ROW - 1 ? bit : 0;
}

void tnVoxelWriter_Note(tnVoxelWriter* writer, int32_t voxel)
{
	tnNote(&writer->change, voxel & (TN_ROW - 1), voxel >> 8, voxel >> 4 & (TN_ROW - 1));
}

void tnVoxelWriter_Set(tnVoxelWriter* writer, int32_t voxel, uint16_t word)
{
	tnVoxelChunk* chunk = writer->block->chunks + writer->chunk;
	chunk->liquid[voxel] = word;
	chunk->kinds |= word != 0 ? (uint16_t)(1u << tnGetKind(word)) : 0;
	tnVoxelWriter_Note(writer, voxel);
}

void tnVoxelWriter_Wake(const tnVoxelWriter* writer)
{
	if (writer->change.layers != 0)
	{
		tnVoxelBlock_WakeAround(writer->block, writer->chunk, &writer->change);
	}
}

void tnVoxelWorld_SetWord(tnVoxelWorld* world, tnVoxelBlock* block, int32_t chunk, int32_t voxel, uint16_t word)
{
	(void)world;
	tnVoxelWriter writer = {.block = block, .chunk = chunk};
	tnVoxelWriter_Set(&writer, voxel, word);
	tnVoxelWriter_Wake(&writer);
}

// ---------------------------------------------------------------------------------------------------------------------
// Ground

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

bool tnVoxelWorld_ReserveWaiting(tnVoxelWorld* world, int32_t count)
{
	if (world->waitingCount + count <= world->waitingCapacity)
	{
		return true;
	}
	const int32_t capacity = 2 * (world->waitingCount + count);
	tnVoxelWaiting* grown = tnMemory_Grow(&world->memory, world->waiting,
		(size_t)world->waitingCapacity * sizeof(tnVoxelWaiting), (size_t)capacity * sizeof(tnVoxelWaiting));
	if (grown == NULL)
	{
		return false;
	}
	world->waiting = grown;
	world->waitingCapacity = capacity;
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
				tnNote(&change, x, y, z);
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
	(void)tnForEachPart(world, edit->box, tnCountSolid, edit);
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
	(void)tnForEachPart(world, edit->box, tnApplySolid, edit);
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
	const tnResult result = tnCheckEdit(world, box);
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
	tnResult result = tnCheckEdit(world, box);
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
	result = tnVoxelWorld_Report(world, tnCheckBox(world, edit.box));
	return result.status == tn_ok ? tnEditSolid(world, &edit) : result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Liquid

typedef struct tnLiquidEdit
{
	int32_t kind;   // 0: any, only for taking
	int32_t amount; // > 0 adds, < 0 takes, to each voxel
	int64_t limit;  // of height, in units of the world: fill to that level; INT64_MAX for none
	int32_t pages;
	int64_t moved[TN_MAX_LIQUIDS + 1];
} tnLiquidEdit;

// Rock, and nothing to take, stay as they are.
static bool tnHasEffect(const tnVoxelWorld* world, const tnVoxelChunk* chunk, const tnLiquidEdit* edit)
{
	const bool isRock = chunk->solid == NULL && world->store.rooms[chunk->solidFill] == 0;
	return !isRock && (chunk->kinds != 0 || edit->amount > 0);
}

static bool tnCountLiquid(tnVoxelWorld* world, const tnChunkPart* part, void* context)
{
	tnLiquidEdit* edit = context;
	const tnVoxelChunk* chunk = part->block->chunks + part->chunk;
	edit->pages += chunk->liquid == NULL && tnHasEffect(world, chunk, edit) ? 1 : 0;
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
		tnNote(change, first, y, z);
		tnNote(change, last, y, z);
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
				tnNote(change, 1, y, z);
				tnNote(change, row[0] != 0 ? 0 : 1, y, z);
				tnNote(change, row[TN_ROW - 1] != 0 ? TN_ROW - 1 : 1, y, z);
			}
		}
	}
	chunk->kinds |= (uint16_t)(change->layers != 0 ? 1u << kind : 0u);
}

static bool tnApplyLiquid(tnVoxelWorld* world, const tnChunkPart* part, void* context)
{
	tnLiquidEdit* edit = context;
	const tnVoxelChunk* chunk = part->block->chunks + part->chunk;
	if (!tnHasEffect(world, chunk, edit))
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

// What has slept since an ocean was last here is as it left it.
static bool tnApplyOcean(tnVoxelWorld* world, const tnChunkPart* part, void* context)
{
	const tnLiquidEdit* edit = context;
	const tnVoxelChunk* chunk = part->block->chunks + part->chunk;
	const bool isNew = world->oceanIsNew[edit->kind];
	return chunk->layers == 0 && !chunk->stale && !isNew ? true : tnApplyLiquid(world, part, context);
}

static tnResult tnCheckLiquidNumber(const tnVoxelWorld* world, const char* name, int liquid, int low)
{
	if (liquid < low || liquid > world->def.liquidCount)
	{
		return tnFail(tn_invalidArgument, "%s must be in [%d, %d], got %d", name, low, world->def.liquidCount, liquid);
	}
	return tnSuccess();
}

static tnResult tnCheckAmount(const char* name, int amount, int low)
{
	if (amount < low || amount > TN_MAX_VOXEL_CAP)
	{
		return tnFail(tn_invalidArgument, "%s must be in [%d, %d], got %d", name, low, TN_MAX_VOXEL_CAP, amount);
	}
	return tnSuccess();
}

static tnResult tnEditLiquid(tnVoxelWorld* world, tnVoxelBox box, tnLiquidEdit* edit)
{
	(void)tnForEachPart(world, box, tnCountLiquid, edit);
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
	(void)tnForEachPart(world, box, tnApplyLiquid, edit);
	world->version += 1;
	return tnSuccess();
}

tnResult tnVoxelWorld_AddLiquid(tnVoxelWorld* world, tnVoxelBox box, int liquid, int amount, int64_t* added)
{
	if (added != NULL)
	{
		*added = 0;
	}
	tnResult result = tnCheckEdit(world, box);
	if (result.status != tn_ok)
	{
		return result;
	}
	result = tnCheckLiquidNumber(world, "liquid", liquid, 1);
	if (result.status == tn_ok)
	{
		result = tnCheckAmount("amount", amount, 0);
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
	tnResult result = tnCheckEdit(world, box);
	if (result.status != tn_ok)
	{
		return result;
	}
	result = tnCheckAmount("amount", amount, 0);
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

// ---------------------------------------------------------------------------------------------------------------------
// Sources, oceans, reactions, interests

static tnResult tnCheckStamp(uint32_t stamp, const char* origin)
{
	if (stamp != TN_DEF_STAMP)
	{
		return tnFail(tn_invalidArgument, "def.stamp is wrong: start from %s(), got 0x%x", origin, (unsigned)stamp);
	}
	return tnSuccess();
}

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
	result = tnCheckStamp(def->stamp, "tnDefaultVoxelSourceDef");
	if (result.status == tn_ok)
	{
		result = tnCheckBox(world, def->box);
	}
	if (result.status == tn_ok)
	{
		result = tnCheckAmount("rate", def->rate, -TN_MAX_VOXEL_CAP);
	}
	if (result.status == tn_ok)
	{
		result = tnCheckLiquidNumber(world, "liquid", def->liquid, def->rate < 0 ? 0 : 1);
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
	result = tnCheckStamp(def->stamp, "tnDefaultVoxelOceanDef");
	if (result.status == tn_ok)
	{
		result = tnCheckLiquidNumber(world, "liquid", def->liquid, 1);
	}
	if (result.status == tn_ok)
	{
		result = tnCheckBox(world, def->box);
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
	result = tnCheckLiquidNumber(world, "liquid", liquid, 1);
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

tnResult tnVoxelWorld_SetReaction(tnVoxelWorld* world, const tnReactionDef* def)
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
	result = tnCheckStamp(def->stamp, "tnDefaultReactionDef");
	if (result.status == tn_ok)
	{
		result = tnCheckLiquidNumber(world, "first", def->first, 1);
	}
	if (result.status == tn_ok)
	{
		result = tnCheckLiquidNumber(world, "second", def->second, 1);
	}
	if (result.status == tn_ok && def->first == def->second)
	{
		result = tnFail(tn_invalidArgument, "first and second must differ, got %d twice", def->first);
	}
	if (result.status == tn_ok)
	{
		result = tnCheckAmount("rate", def->rate, 1);
	}
	if (result.status == tn_ok && (def->ground < 0 || def->ground > 2))
	{
		result = tnFail(tn_invalidArgument, "ground must be in [0, 2], got %d", def->ground);
	}
	if (result.status == tn_ok && world->reactions[def->second][def->first].rate != 0)
	{
		result = tnFail(
			tn_invalidArgument, "first %d and second %d react already the other way round", def->first, def->second);
	}
	if (result.status != tn_ok)
	{
		return tnVoxelWorld_Report(world, result);
	}
	world->reactions[def->first][def->second] = *def;
	return result;
}

tnResult tnVoxelWorld_SetInterests(tnVoxelWorld* world, const tnVoxel* points, int count)
{
	const tnResult result = tnVoxelWorld_CheckReady(world);
	if (result.status != tn_ok)
	{
		return result;
	}
	if (count < 0 || count > TN_MAX_VOXEL_INTERESTS || (points == NULL && count > 0))
	{
		return tnVoxelWorld_Report(world,
			tnFail(tn_invalidArgument, "count must be in [0, %d] with points, got %d", TN_MAX_VOXEL_INTERESTS, count));
	}
	for (int i = 0; i < count; ++i)
	{
		world->interests[i] = points[i];
	}
	world->interestCount = count;
	return result;
}

static bool tnMarkSourcePart(tnVoxelWorld* world, const tnChunkPart* part, void* context)
{
	const tnLiquidEdit* edit = context;
	const tnVoxelChunk* chunk = part->block->chunks + part->chunk;
	const bool mayHave = chunk->kinds != 0 || (part->block->reach.changes[part->chunk / 8] >> part->chunk % 8 & 1) != 0;
	if (tnHasEffect(world, chunk, edit) || (edit->amount < 0 && mayHave))
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
			(void)tnForEachPart(world, def->box, tnMarkSourcePart, &edit);
		}
	}
	for (int kind = 1; kind <= world->def.liquidCount; ++kind)
	{
		if (world->oceans[kind].liquid != 0)
		{
			tnMarkWoken(world);
			tnLiquidEdit edit = {.kind = kind, .limit = world->oceans[kind].level};
			(void)tnForEachPart(world, world->oceans[kind].box, tnMarkOceanPart, &edit);
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
		(void)tnForEachPart(world, def->box, tnApplyLiquid, &edit);
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
			(void)tnForEachPart(world, world->oceans[kind].box, tnApplyOcean, &edit);
			world->ledgers[kind].ocean += edit.moved[kind];
		}
		world->oceanIsNew[kind] = false;
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// What waits for a place

// Put liquid into the first voxels with room from a place upwards. Returns what is left.
static int64_t tnPlaceAbove(tnVoxelWorld* world, tnVoxel voxel, int32_t kind, int64_t amount)
{
	for (; amount > 0; ++voxel.y)
	{
		tnVoxelBlock* block;
		tnVoxelChunk* chunk =
			tnVoxelStore_FindChunk(&world->store, (tnVoxel){voxel.x >> 4, voxel.y >> 4, voxel.z >> 4}, &block);
		if (chunk == NULL)
		{
			return amount;
		}
		const int32_t index = (voxel.y & 15) * TN_LAYER + (voxel.z & 15) * TN_ROW + (voxel.x & 15);
		const int32_t room = tnGetRoom(&world->store, chunk, index);
		const uint16_t word = tnGetWord(&world->store, chunk, index);
		if (room == 0 && tnGetAmount(word) == 0 && voxel.y > INT32_MIN)
		{
			return amount;
		}
		if (word != 0 && tnGetKind(word) != kind)
		{
			// Above another liquid: it sinks from there, or stays.
			continue;
		}
		const int64_t space = room - tnGetAmount(word);
		const int64_t moved = amount < space ? amount : space;
		if (moved > 0)
		{
			if (!tnVoxelStore_OpenLiquid(&world->store, chunk))
			{
				world->waitingMayFit = true;
				return amount;
			}
			tnVoxelWorld_SetWord(world, block,
				tnGetChunkIndex((voxel.x >> 4) & 7, (voxel.y >> 4) & 7, (voxel.z >> 4) & 7), index,
				tnPackLiquid(kind, tnGetAmount(word) + (int32_t)moved));
			amount -= moved;
		}
	}
	return 0;
}

void tnVoxelWorld_Wait(tnVoxelWorld* world, tnVoxel voxel, int32_t liquid, int64_t amount)
{
	world->waitingMayFit = true;
	TN_ASSERT(world->waitingCount < world->waitingCapacity);
	world->waiting[world->waitingCount++] = (tnVoxelWaiting){voxel, liquid, amount};
}

void tnVoxelWorld_PlaceWaiting(tnVoxelWorld* world)
{
	// What found no place finds none until something changes, which wakes somebody or makes something stale.
	world->waitingRests = world->waitingRests && !tnVoxelWorld_IsBusy(world);
	if (world->waitingCount == 0 || world->waitingRests)
	{
		return;
	}
	world->waitingMayFit = false;
	int32_t kept = 0;
	for (int32_t i = 0; i < world->waitingCount; ++i)
	{
		tnVoxelWaiting waiting = world->waiting[i];
		// From the voxel itself, which may have been dug out again; where it is rock, from the one above it.
		const int64_t before = waiting.amount;
		waiting.amount = tnPlaceAbove(world, waiting.voxel, waiting.liquid, waiting.amount);
		if (waiting.amount == before)
		{
			tnVoxel above = waiting.voxel;
			above.y += 1;
			waiting.amount = tnPlaceAbove(world, above, waiting.liquid, waiting.amount);
		}
		if (waiting.amount > 0)
		{
			world->waiting[kept++] = waiting;
		}
	}
	world->waitingCount = kept;
	// With components it may join one of these (voxel_levels.c).
	world->waitingRests = kept > 0 && world->def.rules == tn_basicRules && !world->waitingMayFit;
}
