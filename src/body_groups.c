// SPDX-License-Identifier: MIT

// Which bodies belong together, and memory for what they take.
//
// Bodies whose boxes come near each other form a group. Groups have no cells and no faces in common, so each of them
// is collected (body_collect.c), solved (body_flow.c) and felt (body_wrench.c) by itself, on whatever thread. Room in
// the arrays is dealt out before the bodies are cut, for what they can cover at most: so a group is cut, collected and
// solved in one go, while it is in the cache.

#include "body_flow.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Memory

// A part of one block of memory, which starts on a line of the cache. With no block it only counts.
static void* tnCarve(char* block, size_t* used, size_t bytes)
{
	const size_t line = 64;
	void* part = block != NULL ? block + *used : NULL;
	*used += (bytes + line - 1) / line * line;
	return part;
}

// Lay the arrays of what groups have into a block. Returns how long it must be.
static size_t tnLayArrays(tnBodyFlow* flow, char* block)
{
	const size_t strips = (size_t)flow->stripCapacity;
	const size_t slots = strips * TN_STRIP_SIZE;
	const size_t layers = (size_t)flow->layerCapacity;
	const size_t bodies = (size_t)flow->bodyCapacity;
	const size_t rows = (size_t)flow->rowCapacity;
	size_t used = 0;
	flow->strips = tnCarve(block, &used, strips * sizeof(tnStrip));
	flow->runs = tnCarve(block, &used, 2 * strips * sizeof(tnRun));
	flow->fields = tnCarve(block, &used, slots * tn_bodyFieldCount * sizeof(float));
	flow->packed = tnCarve(block, &used, slots * tn_packedFieldCount * sizeof(float));
	flow->columns = tnCarve(block, &used, strips * sizeof(int32_t));
	flow->chains = tnCarve(block, &used, slots * tn_chainCount * sizeof(int));
	flow->rowStrips = tnCarve(block, &used, rows * sizeof(int));
	flow->seams = tnCarve(block, &used, (size_t)flow->seamCapacity * sizeof(tnSeam));
	flow->left = tnCarve(block, &used, TN_LEFT_RUNS * (size_t)flow->rowCapacity * sizeof(tnLeftRun));
	flow->layers = tnCarve(block, &used, layers * sizeof(tnLayerLink));
	flow->profiles = tnCarve(block, &used, layers * sizeof(tnProfile));
	flow->breaks = tnCarve(block, &used, 2 * layers * sizeof(tnBreak));
	flow->groups = tnCarve(block, &used, bodies * sizeof(tnGroup));
	flow->oldGroups = tnCarve(block, &used, bodies * sizeof(tnGroup));
	flow->oldGrouped = tnCarve(block, &used, bodies * sizeof(int));
	flow->overrides = tnCarve(block, &used, bodies * sizeof(tnOverrideGroup));
	flow->grouped = tnCarve(block, &used, bodies * sizeof(int));
	flow->sortSpace = tnCarve(block, &used, 4 * bodies * sizeof(int));
	flow->overrideRows = tnCarve(block, &used, rows * sizeof(tnOverrideRow));
	return used;
}

// The same for what depends on the size of the world only.
static size_t tnLayWorldArrays(tnBodyFlow* flow, const tnGrid* grid, char* block)
{
	const size_t cells = (size_t)grid->columnCount * (size_t)grid->rowCount;
	size_t used = 0;
	flow->rowLists = tnCarve(block, &used, (size_t)grid->rowCount * sizeof(tnOverrideRow*));
	flow->lifted[0] = tnCarve(block, &used, cells * sizeof(int32_t));
	flow->lifted[1] = tnCarve(block, &used, cells * sizeof(int32_t));
	flow->bits = tnCarve(block, &used, (size_t)flow->workerCount * tnGetStripBitCount(grid) * sizeof(uint64_t));
	flow->packedScratch = tnCarve(block, &used, (size_t)flow->workerCount * TN_PACKED_SCRATCH * sizeof(float));
	return used;
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
	if (flow->worldBlock == NULL)
	{
		return false;
	}
	memset(flow->worldBlock, 0, flow->worldBytes);
	return true;
}

typedef struct tnNeeds
{
	int64_t strips, layers, rows, seams;
} tnNeeds;

// Rows that a group needs beyond those of its bodies if it crosses an edge that wraps: all of them.
static int tnGetRowsAround(const tnGrid* grid)
{
	return grid->wrapZ ? grid->rowCount + 1 : 0;
}

static tnNeeds tnFindNeeds(const tnGrid* grid, const tnBodies* bodies)
{
	tnNeeds needs = {0};
	for (int i = 0; i < bodies->count; ++i)
	{
		const tnBody* body = bodies->items + bodies->list[i];
		// A row more says where the last one ends.
		needs.strips += tnGetStripRoom(grid, body);
		needs.layers += (int64_t)body->cut.columnCapacity + body->cut.faceCapacity + body->thinCapacity;
		needs.rows += tnGetRowLimit(grid, body) + 1;
	}
	// Groups share no cells, and boxes are at least three cells wide.
	const int64_t most = tnMinInt(bodies->count, grid->columnCount / 3 + 1);
	needs.rows += most * tnGetRowsAround(grid);
	needs.seams = grid->wrapX ? 2 * needs.rows : 0;
	return needs;
}

bool tnBodyFlow_Reserve(tnBodyFlow* flow, tnMemory* memory, tnGrid* grid, const tnBodies* bodies)
{
	if (!tnAllocWorldArrays(flow, memory, grid, bodies->workerCount))
	{
		return false;
	}
	const tnNeeds needs = tnFindNeeds(grid, bodies);
	if (needs.layers > INT32_MAX / 4 || needs.strips > INT32_MAX / (2 * TN_STRIP_SIZE) || needs.rows > INT32_MAX / 4)
	{
		return false;
	}
	if (needs.strips <= flow->stripCapacity && needs.layers <= flow->layerCapacity && needs.rows <= flow->rowCapacity &&
		needs.seams <= flow->seamCapacity && bodies->count <= flow->bodyCapacity)
	{
		return true;
	}
	// Half as much again, so that creating many bodies does not copy each time.
	tnBodyFlow grown = *flow;
	grown.stripCapacity = (int)(needs.strips + needs.strips / 2);
	grown.layerCapacity = (int)(needs.layers + needs.layers / 2);
	grown.rowCapacity = (int)(needs.rows + needs.rows / 2);
	grown.seamCapacity = (int)(needs.seams + needs.seams / 2);
	grown.bodyCapacity = bodies->count + bodies->count / 2 + 1;
	grown.blockBytes = tnLayArrays(&grown, NULL);
	grown.block = tnMemory_Alloc(memory, grown.blockBytes);
	if (grown.block == NULL)
	{
		return false;
	}
	// Cells beside those of a group are read, and count for nothing: but they have to be numbers.
	memset(grown.block, 0, grown.blockBytes);
	tnLayArrays(&grown, grown.block);
	tnMemory_Free(memory, flow->block, flow->blockBytes);
	grown.groupCount = 0;
	*flow = grown;
	return true;
}

void tnBodyFlow_Destroy(tnBodyFlow* flow, tnMemory* memory)
{
	tnMemory_Free(memory, flow->block, flow->blockBytes);
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

static bool tnComeNear(tnRange a, tnRange b)
{
	return a.begin < b.end && b.begin < a.end;
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

// Does a body come before another: by the first row of its box, then by index?
static bool tnComesBefore(const tnGrid* grid, const tnBodies* bodies, int a, int b)
{
	const int rowA = tnGetRows(grid, bodies->items + a).begin;
	const int rowB = tnGetRows(grid, bodies->items + b).begin;
	return rowA < rowB || (rowA == rowB && a < b);
}

// Order the bodies by merging runs of growing length. Returns where the result is: in `order` or in `spare`.
static int* tnSortBodies(const tnGrid* grid, const tnBodies* bodies, int* order, int* spare)
{
	const int count = bodies->count;
	for (int length = 1; length < count; length *= 2)
	{
		for (int begin = 0; begin < count; begin += 2 * length)
		{
			const int middle = tnMinInt(begin + length, count);
			const int end = tnMinInt(begin + 2 * length, count);
			int a = begin;
			int b = middle;
			for (int place = begin; place < end; ++place)
			{
				const bool first = b == end || (a < middle && tnComesBefore(grid, bodies, order[a], order[b]));
				spare[place] = first ? order[a] : order[b];
				a += first ? 1 : 0;
				b += first ? 0 : 1;
			}
		}
		int* sorted = spare;
		spare = order;
		order = sorted;
	}
	return order;
}

// Where an index of a body is in the list of bodies, which is sorted.
static int tnFindListed(const tnBodies* bodies, int index)
{
	int low = 0;
	int high = bodies->count;
	while (high - low > 1)
	{
		const int middle = low + (high - low) / 2;
		low = bodies->list[middle] <= index ? middle : low;
		high = bodies->list[middle] <= index ? high : middle;
	}
	return low;
}

// Groups come in the order of their first bodies, as do the bodies in them: so what a group has stays where it is,
// however others move.
// @param order bodies
// @param parents trees of bodies, by place in the order
// @param places scratch
static void tnNumberGroups(tnBodyFlow* flow, const tnBodies* bodies, const int* order, int* parents, int* places)
{
	int* numbers = flow->sortSpace + 3 * (ptrdiff_t)flow->bodyCapacity; // + 1, of groups, by their roots
	for (int i = 0; i < bodies->count; ++i)
	{
		places[tnFindListed(bodies, order[i])] = i;
		numbers[i] = 0;
	}
	flow->groupCount = 0;
	for (int i = 0; i < bodies->count; ++i)
	{
		int* number = numbers + tnFindRoot(parents, places[i]);
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
		tnGroup* group = flow->groups + numbers[tnFindRoot(parents, places[i])] - 1;
		flow->grouped[group->bodyEnd] = bodies->list[i];
		group->bodyEnd += 1;
	}
}

// Put bodies that come near each other into groups.
static void tnGroupBodies(tnBodyFlow* flow, const tnGrid* grid, const tnBodies* bodies)
{
	int* space = flow->sortSpace;
	int* near = space + 2 * (ptrdiff_t)flow->bodyCapacity; // those whose rows may still meet others
	memcpy(space, bodies->list, (size_t)bodies->count * sizeof(int));
	int* order = tnSortBodies(grid, bodies, space, space + flow->bodyCapacity);
	int* parents = order == space ? space + flow->bodyCapacity : space;
	int nearCount = 0;
	for (int i = 0; i < bodies->count; ++i)
	{
		const tnBody* body = bodies->items + order[i];
		const tnRange rows = tnGetRows(grid, body);
		const tnRange columns = tnGetColumns(grid, body);
		parents[i] = i;
		int kept = 0;
		for (int k = 0; k < nearCount; ++k)
		{
			const tnBody* other = bodies->items + order[near[k]];
			if (tnGetRows(grid, other).end <= rows.begin)
			{
				continue;
			}
			near[kept] = near[k];
			kept += 1;
			if (tnComeNear(columns, tnGetColumns(grid, other)))
			{
				const int a = tnFindRoot(parents, i);
				const int b = tnFindRoot(parents, near[k]);
				parents[tnMaxInt(a, b)] = tnMinInt(a, b);
			}
		}
		near[kept] = i;
		nearCount = kept + 1;
	}
	tnNumberGroups(flow, bodies, order, parents, near);
}

// The cells of a group: the ranges of its bodies together.
static void tnFindExtent(tnGroup* group, const tnGrid* grid, const tnBodies* bodies, const int* indices)
{
	tnRange rows = {0, 0};
	tnRange columns = {0, 0};
	for (int i = group->bodyBegin; i < group->bodyEnd; ++i)
	{
		const tnBody* body = bodies->items + indices[i];
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

// Deal out the arrays, with room for what the bodies can cover at most.
static void tnDealGroups(tnBodyFlow* flow, const tnGrid* grid, const tnBodies* bodies)
{
	size_t strip = 0;
	size_t layer = 0;
	size_t row = 0;
	size_t left = 0;
	for (int i = 0; i < flow->groupCount; ++i)
	{
		tnGroup* group = flow->groups + i;
		tnFindExtent(group, grid, bodies, flow->grouped);
		group->strips = flow->strips + strip;
		group->runs = flow->runs + 2 * strip;
		group->fields = flow->fields + strip * TN_STRIP_SIZE * tn_bodyFieldCount;
		group->packed = flow->packed + strip * TN_STRIP_SIZE * tn_packedFieldCount;
		group->columns = flow->columns + strip;
		group->chains = flow->chains + strip * TN_STRIP_SIZE * tn_chainCount;
		group->layers = flow->layers + layer;
		group->profiles = flow->profiles + layer;
		group->breaks = flow->breaks + 2 * layer;
		group->rowStrips = flow->rowStrips + row;
		group->seams = grid->wrapX ? flow->seams + 2 * row : NULL;
		group->left = flow->left + left;
		for (int k = group->bodyBegin; k < group->bodyEnd; ++k)
		{
			const tnBody* body = bodies->items + flow->grouped[k];
			strip += (size_t)tnGetStripRoom(grid, body);
			group->leftCapacity += TN_LEFT_RUNS * (int)tnGetRowLimit(grid, body);
			layer += (size_t)body->cut.columnCapacity + (size_t)body->cut.faceCapacity + (size_t)body->thinCapacity;
		}
		row += (size_t)group->rowCount + 1;
		left += (size_t)group->leftCapacity;
	}
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

// Is a group what it was, and has nothing in it moved? Then what it takes is, too.
static bool tnIsGroupKept(const tnBodyFlow* flow, const tnBodies* bodies, const tnGroup* old, const tnGroup* group)
{
	bool same = old->bodyBegin == group->bodyBegin && old->bodyEnd == group->bodyEnd && old->strips == group->strips &&
		old->layers == group->layers && old->rowStrips == group->rowStrips && !old->hangs && !old->leaves;
	for (int i = group->bodyBegin; i < group->bodyEnd && same; ++i)
	{
		same = flow->grouped[i] == flow->oldGrouped[i] && !bodies->items[flow->grouped[i]].moved;
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
	tnGroupBodies(flow, grid, bodies);
	tnDealGroups(flow, grid, bodies);
	for (int i = 0; i < flow->groupCount && i < oldCount; ++i)
	{
		if (tnIsGroupKept(flow, bodies, flow->oldGroups + i, flow->groups + i))
		{
			flow->groups[i] = flow->oldGroups[i];
			flow->groups[i].kept = true;
		}
	}
	tnListGroups(flow, grid);
}
