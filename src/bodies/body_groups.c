// SPDX-License-Identifier: MIT

// Which bodies belong together, and memory for what they take.
//
// Bodies whose boxes come near each other form a group. Groups have no cells and no faces in common, so each of them
// is collected (body_covered_cells.c), solved (body_flow.c) and felt (body_wrench.c) by itself, on whatever thread. Room in
// the arrays is dealt out before the bodies are cut, for what they can cover at most: so a group is cut, collected and
// solved in one go, while it is in the cache.

#include "body_flow.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Memory

// What forming groups needs for a moment: an array of each for all bodies of the list.
typedef enum tnGroupScratch
{
	tn_rowBeginScratch = 0, // cells of the box of a body
	tn_rowEndScratch,
	tn_columnBeginScratch,
	tn_columnEndScratch,
	tn_orderScratch,  // by the first row
	tn_parentScratch, // trees of bodies
	tn_groupScratchCount,
	tn_numberScratch = tn_orderScratch, // + 1, of groups, by their roots
} tnGroupScratch;

// Lay the arrays of what groups have into a block. Returns how long it must be.
static size_t tnLayArrays(tnBodyFlow* flow, const tnBodyRoom* room, char* block)
{
	const size_t strips = (size_t)room->stripCapacity;
	const size_t slots = strips * TN_STRIP_SIZE;
	const size_t layers = (size_t)room->layerCapacity;
	const size_t bodies = (size_t)room->bodyCapacity;
	const size_t rows = (size_t)room->rowCapacity;
	tnCarver carver = {.block = block};
	flow->strips = tnCarve(&carver, strips * sizeof(tnStrip));
	flow->runs = tnCarve(&carver, 2 * strips * sizeof(tnRun));
	flow->fields = tnCarve(&carver, slots * tn_bodyFieldCount * sizeof(float));
	flow->packed =
		tnCarve(&carver, (size_t)room->packedCount * (size_t)room->packedCapacity * TN_PACKED_ROOM * sizeof(float));
	flow->columns = tnCarve(&carver, strips * sizeof(int32_t));
	flow->chains = tnCarve(&carver, slots * tn_chainCount * sizeof(int));
	flow->rowStrips = tnCarve(&carver, rows * sizeof(int));
	flow->seams = tnCarve(&carver, (size_t)room->seamCapacity * sizeof(tnSeam));
	flow->left = tnCarve(&carver, TN_LEFT_RUNS * rows * sizeof(tnLeftRun));
	flow->layers = tnCarve(&carver, layers * sizeof(tnLayerLink));
	// Who has a profile has two layers at least, and each of those two breaks.
	flow->profiles = tnCarve(&carver, (layers / 2 + bodies) * sizeof(tnProfile));
	flow->breaks = tnCarve(&carver, 2 * layers * sizeof(tnBreak));
	flow->groups = tnCarve(&carver, bodies * sizeof(tnGroup));
	flow->oldGroups = tnCarve(&carver, bodies * sizeof(tnGroup));
	flow->oldGrouped = tnCarve(&carver, bodies * sizeof(int));
	flow->overrides = tnCarve(&carver, bodies * sizeof(tnOverrideGroup));
	flow->grouped = tnCarve(&carver, bodies * sizeof(int));
	flow->sortSpace = tnCarve(&carver, tn_groupScratchCount * bodies * sizeof(int));
	flow->overrideRows = tnCarve(&carver, rows * sizeof(tnOverrideRow));
	return carver.used;
}

// Rows in which a body may begin, one beyond the world on each side, and one more.
static size_t tnGetRowPlaceCount(const tnGrid* grid)
{
	return (size_t)grid->rowCount + 4;
}

static size_t tnGetColumnBodyCount(const tnGrid* grid)
{
	return (size_t)grid->columnCount + 2;
}

// The same for what depends on the size of the world only.
static size_t tnLayWorldArrays(tnBodyFlow* flow, const tnGrid* grid, char* block)
{
	const size_t cells = (size_t)grid->columnCount * (size_t)grid->rowCount;
	tnCarver carver = {.block = block};
	flow->rowLists = tnCarve(&carver, (size_t)grid->rowCount * sizeof(tnOverrideRow*));
	flow->lifted[0] = tnCarve(&carver, cells * sizeof(int32_t));
	flow->lifted[1] = tnCarve(&carver, cells * sizeof(int32_t));
	flow->rowPlaces = tnCarve(&carver, tnGetRowPlaceCount(grid) * sizeof(int));
	flow->columnBodies = tnCarve(&carver, tnGetColumnBodyCount(grid) * sizeof(int));
	flow->bits = tnCarve(&carver, (size_t)flow->workerCount * tnGetStripBitCount(grid) * sizeof(uint64_t));
	flow->packedScratch = tnCarve(&carver, (size_t)flow->workerCount * TN_PACKED_SCRATCH * sizeof(float));
	return carver.used;
}

static bool tnAllocWorldArrays(tnBodyFlow* flow, tnMemory* memory, tnGrid* grid, int workerCount)
{
	if (flow->worldBlock != NULL)
	{
		return true;
	}
	flow->workerCount = workerCount;
	flow->worldBytes = tnLayWorldArrays(flow, grid, NULL);
	flow->worldBlock = tnGrid_AddLift(grid, memory) ? tnMemory_Alloc(memory, flow->worldBytes) : NULL;
	tnLayWorldArrays(flow, grid, flow->worldBlock);
	return flow->worldBlock != NULL;
}

void tnBodyNeeds_Add(tnBodyNeeds* needs, const tnGrid* grid, const tnBody* body, int count)
{
	const int leastSpan = tnGetLeastSpan(grid, &body->mesh);
	needs->leastSpan = needs->bodies > 0 ? tnMinInt(needs->leastSpan, leastSpan) : leastSpan;
	needs->bodies += count;
	needs->strips += count * tnGetStripLimit(grid, body);
	needs->layers += count * tnBody_GetSharingLimit(body);
	needs->deckColumns += count * tnDecks_GetColumnLimit(grid, body);
	// A row more says where the last one ends.
	needs->rows += count * (tnGetRowLimit(grid, body) + 1);
}

tnBodyNeeds tnBodies_FindNeeds(const tnBodies* bodies, const tnGrid* grid)
{
	tnBodyNeeds needs = {0};
	for (int i = 0; i < bodies->count; ++i)
	{
		tnBodyNeeds_Add(&needs, grid, tnBodies_Get(bodies, bodies->list[i]), 1);
	}
	return needs;
}

// All strips that a group can have, with its pads.
static int64_t tnGetStripsOfGroup(const tnGrid* grid)
{
	return (int64_t)(grid->columnCount / TN_STRIP_SIZE + 3) * (grid->rowCount + 1) + 3;
}

// Strips behind each group that nobody may touch.
static size_t tnGetRedStrips(void)
{
	return tnMemory_HasRedZones() ? 1 : 0;
}

// The room that needs come to. False if it is more than can be counted.
static bool tnFindRoom(const tnBodyNeeds* needs, const tnGrid* grid, int workerCount, tnBodyRoom* room)
{
	const int64_t ofWorld = tnGetStripsOfWorld(grid, needs->leastSpan);
	const int64_t ofGroup = tnGetStripsOfGroup(grid);
	const int64_t strips =
		(needs->strips < ofWorld ? needs->strips : ofWorld) + needs->bodies * (int64_t)tnGetRedStrips();
	// Rows that a group needs beyond those of its bodies if it crosses an edge that wraps: all of them. Groups share no
	// cells, and boxes are at least three cells wide.
	const int64_t crossing = tnMinInt((int)needs->bodies, grid->columnCount / 3 + 1);
	const int64_t rows = needs->rows + (grid->wrapZ ? crossing * (grid->rowCount + 1) : 0);
	if (needs->layers > INT32_MAX / 4 || strips > INT32_MAX / (2 * TN_STRIP_SIZE) || rows > INT32_MAX / 4)
	{
		return false;
	}
	*room = (tnBodyRoom){
		.bodyCapacity = (int)needs->bodies,
		.stripCapacity = (int)strips,
		.layerCapacity = (int)needs->layers,
		.rowCapacity = (int)rows,
		.seamCapacity = grid->wrapX ? (int)(2 * rows) : 0,
	};
	// Large groups have no place in the scratch of a worker. Either each of them has its own, or each worker has one for
	// the largest.
	const int64_t largest = strips < ofGroup ? strips : ofGroup;
	const bool byWorker = workerCount * largest < strips;
	room->packedCapacity = largest * TN_STRIP_SIZE <= TN_PACKED_STRIDE ? 0 : (int)(byWorker ? largest : strips);
	room->packedCount = byWorker ? workerCount : 1;
	return true;
}

static bool tnIsRoomEnough(const tnBodyRoom* room, const tnBodyRoom* wanted)
{
	return room->block != NULL && wanted->bodyCapacity <= room->bodyCapacity &&
		wanted->stripCapacity <= room->stripCapacity && wanted->layerCapacity <= room->layerCapacity &&
		wanted->rowCapacity <= room->rowCapacity && wanted->seamCapacity <= room->seamCapacity &&
		wanted->packedCapacity <= room->packedCapacity && wanted->packedCount <= room->packedCount;
}

static void tnFreeRoom(tnBodyRoom* room, tnMemory* memory)
{
	tnMemory_Free(memory, room->block, room->blockBytes);
	*room = (tnBodyRoom){0};
}

// It is not cleared: that would take longer than all else for thousands of bodies. Steps clear what they are the first to
// use.
static bool tnAllocRoom(tnBodyRoom* room, tnMemory* memory)
{
	tnBodyFlow laid = {0};
	room->blockBytes = tnLayArrays(&laid, room, NULL);
	room->block = tnMemory_AllocDirty(memory, room->blockBytes);
	return room->block != NULL;
}

static int tnGrowALittle(int count)
{
	return count < INT32_MAX / 2 ? count + count / 16 : count;
}

bool tnBodyFlow_Reserve(tnBodyFlow* flow, tnMemory* memory, tnGrid* grid, const tnBodyNeeds* needs, int workerCount)
{
	tnBodyRoom wanted;
	if (!tnAllocWorldArrays(flow, memory, grid, workerCount) || !tnFindRoom(needs, grid, workerCount, &wanted))
	{
		return false;
	}
	if (tnIsRoomEnough(&flow->room, &wanted))
	{
		return true;
	}
	tnBodyRoom grown = flow->spare;
	flow->spare = (tnBodyRoom){0};
	if (!tnIsRoomEnough(&grown, &wanted))
	{
		const tnBodyRoom unused = grown;
		// A little more, so that creating many bodies does not come here each time.
		grown = wanted;
		grown.bodyCapacity = tnGrowALittle(wanted.bodyCapacity);
		const int64_t most =
			tnGetStripsOfWorld(grid, needs->leastSpan) + grown.bodyCapacity * (int64_t)tnGetRedStrips();
		grown.stripCapacity =
			most < tnGrowALittle(wanted.stripCapacity) ? (int)most : tnGrowALittle(wanted.stripCapacity);
		grown.stripCapacity = tnMaxInt(grown.stripCapacity, wanted.stripCapacity);
		grown.layerCapacity = tnGrowALittle(wanted.layerCapacity);
		grown.rowCapacity = tnGrowALittle(wanted.rowCapacity);
		grown.seamCapacity = tnGrowALittle(wanted.seamCapacity);
		if (!tnAllocRoom(&grown, memory))
		{
			flow->spare = unused;
			return false;
		}
		tnMemory_Free(memory, unused.block, unused.blockBytes);
	}
	tnFreeRoom(&flow->room, memory);
	flow->room = grown;
	flow->cleanStrips = 0;
	flow->cleanPacked = 0;
	flow->groupCount = 0;
	tnLayArrays(flow, &flow->room, flow->room.block);
	return true;
}

bool tnBodyFlow_ReserveMany(tnBodyFlow* flow, tnMemory* memory, tnGrid* grid, const tnBodyNeeds* needs, int workerCount)
{
	tnBodyRoom wanted;
	if (!tnAllocWorldArrays(flow, memory, grid, workerCount) || !tnFindRoom(needs, grid, workerCount, &wanted))
	{
		return false;
	}
	if (tnIsRoomEnough(&flow->room, &wanted) || tnIsRoomEnough(&flow->spare, &wanted))
	{
		return true;
	}
	// What is in use stays where it is, with all that it holds: groups move when a body comes.
	if (!tnAllocRoom(&wanted, memory))
	{
		return false;
	}
	tnFreeRoom(&flow->spare, memory);
	flow->spare = wanted;
	return true;
}

void tnBodyFlow_SetNeeds(tnBodyFlow* flow, tnMemory* memory, const tnBodyNeeds* needs)
{
	flow->needs = *needs;
	if (needs->bodies == 0)
	{
		// With the last body all of it goes.
		flow->groupCount = 0;
		tnFreeRoom(&flow->room, memory);
		tnFreeRoom(&flow->spare, memory);
	}
}

void tnBodyFlow_Destroy(tnBodyFlow* flow, tnMemory* memory)
{
	tnFreeRoom(&flow->room, memory);
	tnFreeRoom(&flow->spare, memory);
	tnMemory_Free(memory, flow->worldBlock, flow->worldBytes);
	memset(flow, 0, sizeof(*flow));
}

// ---------------------------------------------------------------------------------------------------------------------
// Groups

// Range of a box along one axis; the whole axis where it crosses a wrapped edge.
typedef struct tnRange
{
	int begin, end;
} tnRange;

static tnRange tnGetRange(int begin, int end, int count, bool wrap)
{
	if (wrap && (begin < 0 || end > count))
	{
		return (tnRange){0, count};
	}
	return (tnRange){begin, end};
}

static tnRange tnGetRows(const tnGrid* grid, const tnBody* body)
{
	return tnGetRange(body->box.rowBegin, body->box.rowEnd, grid->rowCount, grid->wrapZ);
}

static tnRange tnGetColumns(const tnGrid* grid, const tnBody* body)
{
	return tnGetRange(body->box.columnBegin, body->box.columnEnd, grid->columnCount, grid->wrapX);
}

static int tnFindRoot(int* parents, int item)
{
	while (parents[item] != item)
	{
		parents[item] = parents[parents[item]];
		item = parents[item];
	}
	return item;
}

static int* tnGetGroupScratch(const tnBodyFlow* flow, tnGroupScratch array)
{
	return flow->sortSpace + (ptrdiff_t)flow->room.bodyCapacity * (ptrdiff_t)array;
}

// Groups come in the order of their first bodies, as do the bodies in them: so what a group has stays where it is,
// however others move.
static void tnNumberGroups(tnBodyFlow* flow, const tnBodies* bodies)
{
	int* parents = tnGetGroupScratch(flow, tn_parentScratch);
	int* numbers = tnGetGroupScratch(flow, tn_numberScratch);
	memset(numbers, 0, (size_t)bodies->count * sizeof(int));
	flow->groupCount = 0;
	for (int i = 0; i < bodies->count; ++i)
	{
		int* number = numbers + tnFindRoot(parents, i);
		if (*number == 0)
		{
			flow->groups[flow->groupCount] = (tnGroup){0};
			flow->groupCount += 1;
			*number = flow->groupCount;
		}
		flow->groups[*number - 1].bodyEnd += 1;
	}
	int begin = 0;
	for (int i = 0; i < flow->groupCount; ++i)
	{
		const int count = flow->groups[i].bodyEnd;
		flow->groups[i].bodyBegin = begin;
		flow->groups[i].bodyEnd = begin;
		begin += count;
	}
	for (int i = 0; i < bodies->count; ++i)
	{
		tnGroup* group = flow->groups + numbers[tnFindRoot(parents, i)] - 1;
		flow->grouped[group->bodyEnd] = bodies->list[i];
		group->bodyEnd += 1;
	}
}

// A range with what of it lies in the world, and one cell beyond on each side: there is nothing of a body further out.
static tnRange tnClampRange(tnRange range, int count)
{
	return (tnRange){tnClampInt(range.begin, -1, count + 1), tnClampInt(range.end, -1, count + 1)};
}

// Note the cells of all bodies, and order them by their first rows.
static void tnOrderBodies(const tnBodyFlow* flow, const tnGrid* grid, const tnBodies* bodies)
{
	int* rowBegins = tnGetGroupScratch(flow, tn_rowBeginScratch);
	int* rowEnds = tnGetGroupScratch(flow, tn_rowEndScratch);
	int* columnBegins = tnGetGroupScratch(flow, tn_columnBeginScratch);
	int* columnEnds = tnGetGroupScratch(flow, tn_columnEndScratch);
	int* order = tnGetGroupScratch(flow, tn_orderScratch);
	int* places = flow->rowPlaces; // of the bodies that begin in a row: one more than there are rows
	memset(places, 0, tnGetRowPlaceCount(grid) * sizeof(int));
	for (int i = 0; i < bodies->count; ++i)
	{
		const tnBody* body = tnBodies_Get(bodies, bodies->list[i]);
		const tnRange rows = tnClampRange(tnGetRows(grid, body), grid->rowCount);
		const tnRange columns = tnClampRange(tnGetColumns(grid, body), grid->columnCount);
		rowBegins[i] = rows.begin;
		rowEnds[i] = rows.end;
		columnBegins[i] = columns.begin;
		columnEnds[i] = columns.end;
		places[rows.begin + 2] += 1;
	}
	for (size_t row = 1; row < tnGetRowPlaceCount(grid); ++row)
	{
		places[row] += places[row - 1];
	}
	for (int i = 0; i < bodies->count; ++i)
	{
		int* place = places + rowBegins[i] + 1;
		order[*place] = i;
		*place += 1;
	}
}

// Put bodies that come near each other into groups. They come by their first rows, and each column of cells knows the body that
// reaches furthest of those that came before: who overlaps any of them there overlaps that one, and they are in its group already.
static void tnGroupBodies(const tnBodyFlow* flow, const tnGrid* grid, const tnBodies* bodies)
{
	tnOrderBodies(flow, grid, bodies);
	const int* rowBegins = tnGetGroupScratch(flow, tn_rowBeginScratch);
	const int* rowEnds = tnGetGroupScratch(flow, tn_rowEndScratch);
	const int* columnBegins = tnGetGroupScratch(flow, tn_columnBeginScratch);
	const int* columnEnds = tnGetGroupScratch(flow, tn_columnEndScratch);
	const int* order = tnGetGroupScratch(flow, tn_orderScratch);
	int* parents = tnGetGroupScratch(flow, tn_parentScratch);
	int* furthest = flow->columnBodies; // + 1
	memset(furthest, 0, tnGetColumnBodyCount(grid) * sizeof(int));
	for (int i = 0; i < bodies->count; ++i)
	{
		parents[i] = i;
	}
	for (int i = 0; i < bodies->count; ++i)
	{
		const int body = order[i];
		const int begin = columnBegins[body] + 1;
		const int end = rowEnds[body] > rowBegins[body] ? columnEnds[body] + 1 : begin;
		int last = 0; // most columns of a body know the same one
		for (int column = begin; column < end; ++column)
		{
			const int other = furthest[column];
			const bool meets = other > 0 && rowEnds[other - 1] > rowBegins[body];
			if (meets && other != last)
			{
				const int a = tnFindRoot(parents, body);
				const int b = tnFindRoot(parents, other - 1);
				parents[tnMaxInt(a, b)] = tnMinInt(a, b);
				last = other;
			}
			furthest[column] = meets && rowEnds[other - 1] > rowEnds[body] ? other : body + 1;
		}
	}
}

// The cells of a group: the ranges of its bodies together.
static void tnFindExtent(tnGroup* group, const tnGrid* grid, const tnBodies* bodies, const int* indices)
{
	tnRange rows = {0, 0};
	tnRange columns = {0, 0};
	for (int i = group->bodyBegin; i < group->bodyEnd; ++i)
	{
		const tnBody* body = tnBodies_Get(bodies, indices[i]);
		const tnRange ownRows = tnGetRows(grid, body);
		const tnRange ownColumns = tnGetColumns(grid, body);
		const bool first = i == group->bodyBegin;
		rows.begin = first ? ownRows.begin : tnMinInt(rows.begin, ownRows.begin);
		rows.end = first ? ownRows.end : tnMaxInt(rows.end, ownRows.end);
		columns.begin = first ? ownColumns.begin : tnMinInt(columns.begin, ownColumns.begin);
		columns.end = first ? ownColumns.end : tnMaxInt(columns.end, ownColumns.end);
		group->crosses |= grid->wrapX && (body->box.columnBegin < 0 || body->box.columnEnd > grid->columnCount);
	}
	// Beyond an edge that does not wrap there is one row and column more.
	const int rowEnd = tnMinInt(rows.end, grid->wrapZ ? grid->rowCount : grid->rowCount + 1);
	group->firstRow = tnClampInt(rows.begin, 0, grid->rowCount - 1);
	group->rowCount = tnMaxInt(rowEnd - group->firstRow, 0);
	group->columnBegin = group->crosses ? -TN_STRIP_SIZE : tnClampInt(columns.begin, 0, grid->columnCount - 1);
	group->columnEnd = tnMinInt(columns.end, grid->columnCount + 1);
}

// Fields are numbers wherever they are read, also where nothing counts: clear those that are used for the first time.
static void tnClearNewRoom(tnBodyFlow* flow, size_t strips, size_t packed)
{
	if ((size_t)flow->cleanStrips < strips)
	{
		const size_t unit = TN_STRIP_SIZE * tn_bodyFieldCount;
		memset(flow->fields + (size_t)flow->cleanStrips * unit, 0,
			(strips - (size_t)flow->cleanStrips) * unit * sizeof(float));
		flow->cleanStrips = (int)strips;
	}
	if ((size_t)flow->cleanPacked < packed)
	{
		for (int i = 0; i < flow->room.packedCount; ++i)
		{
			const size_t first = (size_t)i * (size_t)flow->room.packedCapacity + (size_t)flow->cleanPacked;
			memset(flow->packed + first * TN_PACKED_ROOM, 0,
				(packed - (size_t)flow->cleanPacked) * TN_PACKED_ROOM * sizeof(float));
		}
		flow->cleanPacked = (int)packed;
	}
}

// The strips of groups lie one behind the other: set red zones between them, or take all away.
static void tnGuardGroups(tnBodyFlow* flow, size_t end, bool on)
{
	if (!tnMemory_HasRedZones())
	{
		return;
	}
	const struct
	{
		void* array;
		size_t unit; // bytes for each strip
	} arrays[] = {
		{flow->strips, sizeof(tnStrip)},
		{flow->runs, 2 * sizeof(tnRun)},
		{flow->fields, TN_STRIP_SIZE * tn_bodyFieldCount * sizeof(float)},
		{flow->columns, sizeof(int32_t)},
		{flow->chains, TN_STRIP_SIZE * tn_chainCount * sizeof(int)},
	};
	for (int k = 0; k < (int)(sizeof(arrays) / sizeof(arrays[0])); ++k)
	{
		char* array = arrays[k].array;
		tnMemory_Allow(array, (size_t)flow->room.stripCapacity * arrays[k].unit);
		for (int i = 1; i <= flow->groupCount && on; ++i)
		{
			// The last one before the next group.
			const size_t next = i < flow->groupCount ? (size_t)(flow->groups[i].strips - flow->strips) : end;
			if (next > (size_t)(flow->groups[i - 1].strips - flow->strips))
			{
				tnMemory_Forbid(array + (next - 1) * arrays[k].unit, arrays[k].unit);
			}
		}
	}
}

// Deal out the arrays to groups that know what they need. False if there is not so much.
static bool tnPlaceGroups(tnBodyFlow* flow, const tnGrid* grid)
{
	size_t strip = 0;
	size_t packed = 0;
	size_t largest = 0;
	size_t layer = 0;
	size_t profile = 0;
	size_t row = 0;
	size_t left = 0;
	for (int i = 0; i < flow->groupCount; ++i)
	{
		tnGroup* group = flow->groups + i;
		// Who is outside of the world has none.
		const size_t room = group->stripLimit > 0 ? tnGetStripRoom(group->stripLimit) : 0;
		group->strips = flow->strips + strip;
		group->runs = flow->runs + 2 * strip;
		group->fields = flow->fields + strip * TN_STRIP_SIZE * tn_bodyFieldCount;
		group->columns = flow->columns + strip;
		group->chains = flow->chains + strip * TN_STRIP_SIZE * tn_chainCount;
		strip += room > 0 ? room + tnGetRedStrips() : 0;
		group->packed = NULL;
		if (tnGetFieldLength(group->stripLimit) > TN_PACKED_STRIDE)
		{
			group->packed = flow->room.packedCount > 1 ? NULL : flow->packed + packed * TN_PACKED_ROOM;
			packed += room;
			largest = room > largest ? room : largest;
		}
		group->layers = flow->layers + layer;
		group->profiles = flow->profiles + profile;
		group->breaks = flow->breaks + 2 * layer;
		group->rowStrips = flow->rowStrips + row;
		group->seams = grid->wrapX ? flow->seams + 2 * row : NULL;
		group->left = flow->left + left;
		layer += (size_t)group->sharingLimit;
		profile += (size_t)group->sharingLimit / 2 + 1;
		row += (size_t)group->rowCount + 1;
		left += (size_t)group->leftCapacity;
	}
	const tnBodyRoom* room = &flow->room;
	const size_t packedEnd = flow->room.packedCount > 1 ? largest : packed;
	if (strip > (size_t)room->stripCapacity || layer > (size_t)room->layerCapacity || row > (size_t)room->rowCapacity ||
		left > TN_LEFT_RUNS * (size_t)room->rowCapacity || packedEnd > (size_t)room->packedCapacity ||
		profile > (size_t)room->layerCapacity / 2 + (size_t)room->bodyCapacity ||
		(grid->wrapX && 2 * row > (size_t)room->seamCapacity))
	{
		return false;
	}
	tnGuardGroups(flow, 0, false);
	tnClearNewRoom(flow, strip, packedEnd);
	tnGuardGroups(flow, strip, true);
	return true;
}

// Deal out the arrays, with room for what the bodies can cover at most.
static void tnDealGroups(tnBodyFlow* flow, const tnGrid* grid, const tnBodies* bodies)
{
	for (int i = 0; i < flow->groupCount; ++i)
	{
		tnGroup* group = flow->groups + i;
		tnFindExtent(group, grid, bodies, flow->grouped);
		group->stripLimit = tnGroup_CountStrips(group, grid, bodies, flow->grouped, flow->bits);
		size_t layerCount = 0;
		for (int k = group->bodyBegin; k < group->bodyEnd; ++k)
		{
			const tnBody* body = tnBodies_Get(bodies, flow->grouped[k]);
			group->leftCapacity += TN_LEFT_RUNS * (int)tnGetRowLimit(grid, body);
			layerCount += (size_t)tnBody_GetSharingLimit(body);
		}
		group->sharingLimit = (int)layerCount;
	}
	const bool fits = tnPlaceGroups(flow, grid);
	TN_ASSERT(fits);
	(void)fits;
}

// Which groups may have faces in which rows.
static void tnListGroups(tnBodyFlow* flow, const tnGrid* grid)
{
	memset(flow->rowLists, 0, (size_t)grid->rowCount * sizeof(tnOverrideRow*));
	for (int i = 0; i < flow->groupCount; ++i)
	{
		const tnGroup* group = flow->groups + i;
		tnOverrideRow* own = flow->overrideRows + (group->rowStrips - flow->rowStrips);
		tnOverrideRow** list = flow->rowLists + group->firstRow;
		// The faces of a row beyond the last one are for the edge.
		const int count = tnMinInt(group->rowCount, grid->rowCount - group->firstRow);
		for (int row = 0; row < count; ++row)
		{
			own[row] = (tnOverrideRow){list[row], flow->overrides + i, group->rowStrips + row};
			list[row] = own + row;
		}
	}
}

// Is a group what it was, and has nothing in it moved? Then what it takes is, too, but for what hangs above the water.
static bool tnIsGroupUnmoved(const tnBodyFlow* flow, const tnBodies* bodies, const tnGroup* old, const tnGroup* group)
{
	bool same = old->bodyBegin == group->bodyBegin && old->bodyEnd == group->bodyEnd && old->strips == group->strips &&
		old->layers == group->layers && old->rowStrips == group->rowStrips && !old->leaves;
	for (int i = group->bodyBegin; i < group->bodyEnd && same; ++i)
	{
		same = flow->grouped[i] == flow->oldGrouped[i] && !tnBodies_Get(bodies, flow->grouped[i])->moved;
	}
	return same;
}

void tnBodyFlow_FormGroups(tnBodyFlow* flow, const tnGrid* grid, const tnBodies* bodies)
{
	tnGroup* groups = flow->oldGroups;
	int* grouped = flow->oldGrouped;
	const int oldCount = flow->groupCount;
	flow->oldGroups = flow->groups;
	flow->oldGrouped = flow->grouped;
	flow->groups = groups;
	flow->grouped = grouped;
	if (bodies->count == 0)
	{
		flow->groupCount = 0;
		tnListGroups(flow, grid);
		return;
	}
	tnGroupBodies(flow, grid, bodies);
	tnNumberGroups(flow, bodies);
	tnDealGroups(flow, grid, bodies);
	for (int i = 0; i < flow->groupCount && i < oldCount; ++i)
	{
		const tnGroup* old = flow->oldGroups + i;
		if (!tnIsGroupUnmoved(flow, bodies, old, flow->groups + i))
		{
			continue;
		}
		if (!old->hangs)
		{
			flow->groups[i] = *old;
			flow->groups[i].kept = true;
			continue;
		}
		flow->groups[i].watched = old->headHash != 0;
		flow->groups[i].headHash = old->headHash;
	}
	tnListGroups(flow, grid);
}

// ---------------------------------------------------------------------------------------------------------------------
// Groups from a snapshot

bool tnBodyFlow_ReserveWorld(tnBodyFlow* flow, tnMemory* memory, tnGrid* grid, int workerCount)
{
	return tnAllocWorldArrays(flow, memory, grid, workerCount);
}

bool tnBodyFlow_PlaceGroups(tnBodyFlow* flow, const tnGrid* grid)
{
	return tnPlaceGroups(flow, grid);
}

void tnBodyFlow_ListGroups(tnBodyFlow* flow, const tnGrid* grid)
{
	tnListGroups(flow, grid);
	for (int i = 0; i < flow->groupCount; ++i)
	{
		tnBodyFlow_ShowGroup(flow, grid, i);
	}
}
