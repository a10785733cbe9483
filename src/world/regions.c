// SPDX-License-Identifier: MIT

// Sums over regions, and events of those that are watched.

#include "regions.h"

#include <math.h>
#include <string.h>

enum
{
	// Sums run in this many lanes, always, so that a compiler may vectorise them without changing the bits.
	TN_SUM_LANES = 8,
};

// Sums over the cells of a region.
typedef struct tnRegionSums
{
	double depth;
	int64_t cellCount, wetCount;
	float maxDepth;
} tnRegionSums;

tnRegionDef tnDefaultRegionDef(void)
{
	tnRegionDef def = {0};
	def.shape = tn_discRegion;
	def.extent = (tnVec2){1.0f, 1.0f};
	// Ankle-deep: where a flood begins to matter to somebody on foot.
	def.triggerDepth = 0.1f;
	def.hysteresis = 0.01f; // more than a ripple, less than anybody cares about
	def.stamp = TN_DEF_STAMP;
	return def;
}

tnResult tnCheckRegionDef(const tnGrid* grid, const tnRegionDef* def)
{
	if (def->stamp != TN_DEF_STAMP)
	{
		return tnFail(
			tn_invalidArgument, "stamp must come from tnDefaultRegionDef, got 0x%08x", (unsigned int)def->stamp);
	}
	// The enum may hold any integer that a host put there.
	int shape = (int)def->shape;
	if (shape < 0 || shape >= tn_regionShapeCount)
	{
		return tnFail(tn_invalidArgument, "shape must be tn_discRegion or tn_boxRegion, got %d", shape);
	}
	if (!tnIsFinite(def->center.x) || !tnIsFinite(def->center.z) || !tnGrid_Contains(grid, def->center))
	{
		return tnFail(tn_invalidArgument, "center must be inside the world, got (%g, %g)", (double)def->center.x,
			(double)def->center.z);
	}
	// Written so that NaN fails.
	if (!(def->extent.x > 0.0f && def->extent.x <= TN_MAX_LENGTH))
	{
		return tnFail(
			tn_invalidArgument, "extent.x must be in (0, %g], got %g", (double)TN_MAX_LENGTH, (double)def->extent.x);
	}
	if (def->shape == tn_boxRegion && !(def->extent.z > 0.0f && def->extent.z <= TN_MAX_LENGTH))
	{
		return tnFail(
			tn_invalidArgument, "extent.z must be in (0, %g], got %g", (double)TN_MAX_LENGTH, (double)def->extent.z);
	}
	return tnSuccess();
}

static tnCellBox tnGetRegionBox(const tnGrid* grid, const tnRegionDef* def)
{
	float halfZ = def->shape == tn_discRegion ? def->extent.x : def->extent.z;
	return tnGrid_GetBox(grid, def->center, def->extent.x, halfZ);
}

static bool tnIsCellInRegion(const tnGrid* grid, const tnRegionDef* def, int column, int row)
{
	tnVec2 center = tnGrid_GetCenter(grid, column, row);
	float x = center.x - def->center.x;
	float z = center.z - def->center.z;
	if (def->shape == tn_discRegion)
	{
		return x * x + z * z <= def->extent.x * def->extent.x;
	}
	return tnAbsFloat(x) <= def->extent.x && tnAbsFloat(z) <= def->extent.z;
}

// The columns [begin, end) of a row that are in a region. Both shapes are convex, so there is one span per row.
static void tnGetRegionSpan(
	const tnGrid* grid, const tnRegionDef* def, tnCellBox box, int row, int* columnBegin, int* columnEnd)
{
	int begin = box.columnBegin;
	int end = box.columnEnd;
	if (def->shape == tn_discRegion)
	{
		float z = tnGrid_GetCenter(grid, box.columnBegin, row).z - def->center.z;
		float square = def->extent.x * def->extent.x - z * z;
		tnCellBox narrow = tnGrid_GetBox(grid, def->center, sqrtf(tnMaxFloat(square, 0.0f)), def->extent.x);
		// Rounding must not lose a cell; one too many is trimmed below.
		begin = tnMaxInt(begin, narrow.columnBegin - 1);
		end = tnMinInt(end, narrow.columnEnd + 1);
	}
	while (begin < end && !tnIsCellInRegion(grid, def, begin, row))
	{
		begin += 1;
	}
	while (begin < end && !tnIsCellInRegion(grid, def, end - 1, row))
	{
		end -= 1;
	}
	*columnBegin = begin;
	*columnEnd = end;
}

static void tnAddRow(tnRegionSums* sums, const float* depths, int count)
{
	double lanes[TN_SUM_LANES] = {0};
	int wet[TN_SUM_LANES] = {0};
	float highest[TN_SUM_LANES] = {0};
	int column = 0;
	for (; column + TN_SUM_LANES <= count; column += TN_SUM_LANES)
	{
		for (int lane = 0; lane < TN_SUM_LANES; ++lane)
		{
			float depth = depths[column + lane];
			lanes[lane] += (double)depth;
			wet[lane] += depth > TN_WET_DEPTH ? 1 : 0;
			highest[lane] = tnMaxFloat(highest[lane], depth);
		}
	}
	for (int lane = 0; column < count; ++column, ++lane)
	{
		float depth = depths[column];
		lanes[lane] += (double)depth;
		wet[lane] += depth > TN_WET_DEPTH ? 1 : 0;
		highest[lane] = tnMaxFloat(highest[lane], depth);
	}
	for (int lane = 0; lane < TN_SUM_LANES; ++lane)
	{
		sums->depth += lanes[lane];
		sums->wetCount += wet[lane];
		sums->maxDepth = tnMaxFloat(sums->maxDepth, highest[lane]);
	}
	sums->cellCount += count;
}

// A region that lies between cell centres watches the cell around its centre.
static tnRegionDef tnSnapRegion(const tnGrid* grid, const tnRegionDef* def)
{
	const tnCellBox box = tnGetRegionBox(grid, def);
	for (int row = box.rowBegin; row < box.rowEnd; ++row)
	{
		int begin, end;
		tnGetRegionSpan(grid, def, box, row, &begin, &end);
		if (begin < end)
		{
			return *def;
		}
	}
	tnRegionDef snapped = *def;
	const int column = (int)(((double)def->center.x - grid->origin.x) / grid->cellSize);
	const int row = (int)(((double)def->center.z - grid->origin.z) / grid->cellSize);
	snapped.center =
		tnGrid_GetCenter(grid, tnClampInt(column, 0, grid->columnCount - 1), tnClampInt(row, 0, grid->rowCount - 1));
	snapped.extent = (tnVec2){0.25f * grid->cellSize, 0.25f * grid->cellSize};
	return snapped;
}

static tnRegionSums tnSumRegion(const tnGrid* grid, const tnRegionDef* def)
{
	tnRegionSums sums = {0};
	tnCellBox box = tnGetRegionBox(grid, def);
	for (int row = box.rowBegin; row < box.rowEnd; ++row)
	{
		int begin, end;
		tnGetRegionSpan(grid, def, box, row, &begin, &end);
		if (begin < end)
		{
			tnAddRow(&sums, grid->depth + tnGrid_Index(grid, begin, row), end - begin);
		}
	}
	return sums;
}

static float tnFindMaxDepth(const tnGrid* grid, const tnRegionDef* def)
{
	return tnSumRegion(grid, def).maxDepth;
}

tnRegionState tnMeasureRegion(const tnGrid* grid, const tnRegionDef* def)
{
	const tnRegionDef snapped = tnSnapRegion(grid, def);
	tnRegionSums sums = tnSumRegion(grid, &snapped);
	const double cellArea = (double)grid->cellSize * (double)grid->cellSize;
	tnRegionState state = {0};
	state.volume = sums.depth * cellArea;
	state.wetArea = (double)sums.wetCount * cellArea;
	state.area = (double)sums.cellCount * cellArea;
	state.maxDepth = sums.maxDepth;
	return state;
}

// Gives all arrays room for as many regions as the pool has slots. On failure the set is as it was.
bool tnRegions_ReserveMany(tnRegions* regions, tnMemory* memory, int count)
{
	if (count > 0 && !tnIdPool_ReserveMany(&regions->ids, memory, count))
	{
		return false;
	}
	const int capacity = regions->ids.capacity;
	if (regions->capacity == capacity)
	{
		return true;
	}
	const size_t room = (size_t)capacity;
	tnRegionDef* defs = tnMemory_Alloc(memory, room * sizeof(tnRegionDef));
	uint8_t* states = tnMemory_Alloc(memory, room * sizeof(uint8_t));
	tnRegionEvent* events = tnMemory_Alloc(memory, 2 * room * sizeof(tnRegionEvent));
	if (defs == NULL || states == NULL || events == NULL)
	{
		tnMemory_Free(memory, defs, room * sizeof(tnRegionDef));
		tnMemory_Free(memory, states, room * sizeof(uint8_t));
		tnMemory_Free(memory, events, 2 * room * sizeof(tnRegionEvent));
		return false;
	}
	if (regions->capacity > 0)
	{
		const size_t oldCount = (size_t)regions->capacity;
		memcpy(defs, regions->defs, oldCount * sizeof(tnRegionDef));
		memcpy(states, regions->states, oldCount * sizeof(uint8_t));
		memcpy(events, regions->events, 2 * oldCount * sizeof(tnRegionEvent));
		tnMemory_Free(memory, regions->defs, oldCount * sizeof(tnRegionDef));
		tnMemory_Free(memory, regions->states, oldCount * sizeof(uint8_t));
		tnMemory_Free(memory, regions->events, 2 * oldCount * sizeof(tnRegionEvent));
	}
	regions->defs = defs;
	regions->states = states;
	regions->events = events;
	regions->capacity = capacity;
	return true;
}

static tnRegionId tnRegions_MakeId(const tnRegions* regions, int index)
{
	return (tnRegionId){index + 1, tnIdPool_GetGeneration(&regions->ids, index)};
}

// Is a region above a threshold, given whether it was? It has to fall below by the hysteresis.
static bool tnIsAbove(float depth, float threshold, float hysteresis, bool wasAbove)
{
	return depth > (wasAbove ? threshold - tnMinFloat(hysteresis, 0.5f * threshold) : threshold);
}

static uint8_t tnFindState(const tnRegionDef* def, float maxDepth, uint8_t before)
{
	const bool wet = tnIsAbove(maxDepth, TN_WET_DEPTH, def->hysteresis, (before & tn_regionIsWet) != 0);
	const bool above = tnIsAbove(maxDepth, def->triggerDepth, def->hysteresis, (before & tn_regionIsAbove) != 0);
	return (uint8_t)((wet ? tn_regionIsWet : 0) | (above ? tn_regionIsAbove : 0));
}

static tnResult tnCheckTrigger(const tnRegionDef* def)
{
	if (!(def->triggerDepth > TN_WET_DEPTH && def->triggerDepth <= TN_MAX_LENGTH))
	{
		return tnFail(tn_invalidArgument, "triggerDepth must be in (%g, %g], got %g", (double)TN_WET_DEPTH,
			(double)TN_MAX_LENGTH, (double)def->triggerDepth);
	}
	if (!(def->hysteresis >= 0.0f && def->hysteresis <= TN_MAX_LENGTH))
	{
		return tnFail(tn_invalidArgument, "hysteresis must be in [0, %g], got %g", (double)TN_MAX_LENGTH,
			(double)def->hysteresis);
	}
	return tnSuccess();
}

tnResult tnRegions_Add(tnRegions* regions, tnMemory* memory, const tnGrid* grid, const tnRegionDef* def, tnRegionId* id)
{
	*id = (tnRegionId){0};
	tnResult result = tnCheckRegionDef(grid, def);
	if (result.status != tn_ok)
	{
		return result;
	}
	result = tnCheckTrigger(def);
	if (result.status != tn_ok)
	{
		return result;
	}
	if (!tnRegions_ReserveMany(regions, memory, regions->ids.count + 1))
	{
		return tnFail(tn_outOfMemory, "no memory for region %d", regions->ids.count + 1);
	}
	int index = tnIdPool_Take(&regions->ids);
	regions->defs[index] = tnSnapRegion(grid, def);
	regions->states[index] = tnFindState(def, tnFindMaxDepth(grid, regions->defs + index), 0);
	*id = tnRegions_MakeId(regions, index);
	return tnSuccess();
}

int tnRegions_Find(const tnRegions* regions, tnRegionId id)
{
	return tnIdPool_Find(&regions->ids, id.index1, id.generation);
}

tnResult tnMakeStaleRegion(tnRegionId id)
{
	return tnFail(tn_staleId, "region id is null or stale, got (%d, %u)", (int)id.index1, (unsigned int)id.generation);
}

tnResult tnRegions_Remove(tnRegions* regions, tnRegionId id)
{
	int index = tnRegions_Find(regions, id);
	if (index < 0)
	{
		return tnMakeStaleRegion(id);
	}
	tnIdPool_Release(&regions->ids, index);
	return tnSuccess();
}

void tnRegions_Destroy(tnRegions* regions, tnMemory* memory)
{
	const size_t count = (size_t)regions->capacity;
	tnMemory_Free(memory, regions->defs, count * sizeof(tnRegionDef));
	tnMemory_Free(memory, regions->states, count * sizeof(uint8_t));
	tnMemory_Free(memory, regions->events, 2 * count * sizeof(tnRegionEvent));
	tnIdPool_Destroy(&regions->ids, memory);
	*regions = (tnRegions){0};
}

// Spray may land on a tile that has slept through the step: it is active then and wakes in the next.
static bool tnMayHaveChanged(const tnGrid* grid, const tnRegionDef* def, const tnTiles* tiles)
{
	tnCellBox box = tnGetRegionBox(grid, def);
	for (int tileRow = box.rowBegin / TN_TILE_SIZE; tileRow * TN_TILE_SIZE < box.rowEnd; ++tileRow)
	{
		const ptrdiff_t first = (ptrdiff_t)tileRow * grid->tileColumnCount;
		for (int tile = box.columnBegin / TN_TILE_SIZE; tile * TN_TILE_SIZE < box.columnEnd; ++tile)
		{
			if (tiles->awake[first + tile] != 0 || tiles->active[first + tile] != 0)
			{
				return true;
			}
		}
	}
	return false;
}

static void tnRegions_AddEvent(tnRegions* regions, int index, tnRegionEventKind kind, float maxDepth)
{
	TN_ASSERT(regions->eventCount < 2 * regions->capacity);
	tnRegionEvent* event = &regions->events[regions->eventCount];
	regions->eventCount += 1;
	*event = (tnRegionEvent){0};
	event->region = tnRegions_MakeId(regions, index);
	event->kind = kind;
	event->maxDepth = maxDepth;
	event->userData = regions->defs[index].userData;
}

void tnRegions_Update(tnRegions* regions, const tnGrid* grid, const tnTiles* tiles)
{
	regions->eventCount = 0;
	for (int index = 0; index < regions->ids.slotCount; ++index)
	{
		if (!tnIdPool_IsUsed(&regions->ids, index))
		{
			continue;
		}
		const tnRegionDef* def = &regions->defs[index];
		if (!tnMayHaveChanged(grid, def, tiles))
		{
			continue;
		}
		const float maxDepth = tnFindMaxDepth(grid, def);
		const uint8_t before = regions->states[index];
		const uint8_t now = tnFindState(def, maxDepth, before);
		regions->states[index] = now;
		if ((now ^ before) & tn_regionIsWet)
		{
			tnRegions_AddEvent(regions, index, now & tn_regionIsWet ? tn_becameWet : tn_becameDry, maxDepth);
		}
		if ((now ^ before) & tn_regionIsAbove)
		{
			tnRegions_AddEvent(regions, index, now & tn_regionIsAbove ? tn_roseAbove : tn_fellBelow, maxDepth);
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Snapshots

static void tnArchiveRegion(tnRegionDef* def, tnArchive* archive, const tnGrid* grid)
{
	int shape = (int)def->shape;
	tnArchive_Int(archive, &shape, 0, tn_regionShapeCount - 1, "region.shape");
	def->shape = (tnRegionShape)shape;
	float* values[] = {&def->center.x, &def->center.z, &def->extent.x, &def->triggerDepth, &def->hysteresis};
	for (int i = 0; i < (int)(sizeof(values) / sizeof(values[0])); ++i)
	{
		tnArchive_AnyFloat(archive, values[i], "region");
	}
	// Discs have none.
	tnArchive_RawFloat(archive, &def->extent.z);
	tnArchive_U64(archive, &def->userData);
	def->stamp = TN_DEF_STAMP;
	if (tnArchive_Reads(archive) && tnArchive_IsOk(archive))
	{
		tnResult result = tnCheckRegionDef(grid, def);
		result = result.status == tn_ok ? tnCheckTrigger(def) : result;
		tnArchive_RefuseResult(archive, "region", &result);
	}
}

static void tnArchiveEvents(tnRegions* regions, tnArchive* archive, int slotCount)
{
	int count = regions->eventCount;
	tnArchive_Int(archive, &count, 0, 2 * slotCount, "events");
	for (int i = 0; i < count && tnArchive_IsOk(archive); ++i)
	{
		tnRegionEvent event = !tnArchive_Reads(archive) ? regions->events[i] : (tnRegionEvent){0};
		int index1 = event.region.index1, kind = (int)event.kind;
		tnArchive_Int(archive, &index1, 1, slotCount, "event.region");
		tnArchive_U32(archive, &event.region.generation);
		tnArchive_Int(archive, &kind, 0, tn_fellBelow, "event.kind");
		tnArchive_AnyFloat(archive, &event.maxDepth, "event.maxDepth");
		tnArchive_U64(archive, &event.userData);
		event.region.index1 = index1;
		event.kind = (tnRegionEventKind)kind;
		if (tnArchive_Applies(archive))
		{
			regions->events[i] = event;
		}
	}
	if (tnArchive_Applies(archive))
	{
		regions->eventCount = count;
	}
}

int tnRegions_Archive(tnRegions* regions, tnArchive* archive, const tnGrid* grid)
{
	const int count = tnIdPool_Archive(&regions->ids, archive, "regions");
	for (int i = 0; i < count && tnArchive_IsOk(archive); ++i)
	{
		if (!tnIdPool_ArchiveSlot(&regions->ids, archive, i, NULL))
		{
			continue;
		}
		tnRegionDef def = !tnArchive_Reads(archive) ? regions->defs[i] : (tnRegionDef){0};
		uint8_t state = !tnArchive_Reads(archive) ? regions->states[i] : 0;
		tnArchiveRegion(&def, archive, grid);
		int bits = state;
		tnArchive_Int(archive, &bits, 0, tn_regionIsWet | tn_regionIsAbove, "region.state");
		if (tnArchive_Applies(archive))
		{
			regions->defs[i] = def;
			regions->states[i] = (uint8_t)bits;
		}
	}
	tnIdPool_EndArchive(&regions->ids, archive, count);
	tnArchiveEvents(regions, archive, count);
	return count;
}
