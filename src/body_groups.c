// SPDX-License-Identifier: MIT

// Which bodies belong together, and memory for what they take.
//
// Bodies whose boxes come near each other form a group. Groups have no cells and no faces in common, so each of them
// is collected (body_collect.c), solved (body_flow.c) and felt (body_wrench.c) by itself, on whatever thread. Room in
// the arrays is dealt out before the bodies are cut, for what they can cover at most: so a group is cut, collected and
// solved in one go, while it is in the cache.

#include "body_flow.h"

#include "discs.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Memory

static void tnFreeArrays(tnBodyFlow* flow, tnMemory* memory)
{
	const size_t cells = (size_t)flow->cellCapacity;
	const size_t faces = (size_t)flow->faceCapacity;
	const size_t layers = (size_t)flow->layerCapacity;
	const size_t bodies = (size_t)flow->bodyCapacity;
	tnMemory_Free(memory, flow->heads, cells * sizeof(tnHead));
	tnMemory_Free(memory, flow->cells, cells * sizeof(tnCoveredCell));
	tnMemory_Free(memory, flow->places, cells * sizeof(tnPlace));
	tnMemory_Free(memory, flow->faces, faces * sizeof(tnBodyFace));
	tnMemory_Free(memory, flow->solids, faces * sizeof(tnFaceSolids));
	tnMemory_Free(memory, flow->overrides, faces * sizeof(tnFaceOverride));
	tnMemory_Free(memory, flow->layers, layers * sizeof(tnLayerLink));
	tnMemory_Free(memory, flow->breaks, 2 * layers * sizeof(tnBreak));
	tnMemory_Free(memory, flow->faceRows, (size_t)flow->rowCapacity * sizeof(int));
	tnMemory_Free(memory, flow->groups, bodies * sizeof(tnGroup));
	tnMemory_Free(memory, flow->grouped, bodies * sizeof(int));
	tnMemory_Free(memory, flow->sortSpace, 3 * bodies * sizeof(int));
	tnMemory_Free(memory, flow->spans, (size_t)flow->spanCapacity * sizeof(tnOverrideSpan));
	flow->heads = NULL;
	flow->cells = NULL;
	flow->places = NULL;
	flow->faces = NULL;
	flow->solids = NULL;
	flow->overrides = NULL;
	flow->layers = NULL;
	flow->breaks = NULL;
	flow->faceRows = NULL;
	flow->groups = NULL;
	flow->grouped = NULL;
	flow->sortSpace = NULL;
	flow->spans = NULL;
	flow->groupCount = 0;
}

static bool tnAllocArrays(tnBodyFlow* flow, tnMemory* memory)
{
	const size_t cells = (size_t)flow->cellCapacity;
	const size_t faces = (size_t)flow->faceCapacity;
	const size_t layers = (size_t)flow->layerCapacity;
	const size_t bodies = (size_t)flow->bodyCapacity;
	bool ok = (flow->heads = tnMemory_Alloc(memory, cells * sizeof(tnHead))) != NULL;
	ok = ok && (flow->cells = tnMemory_Alloc(memory, cells * sizeof(tnCoveredCell))) != NULL;
	ok = ok && (flow->places = tnMemory_Alloc(memory, cells * sizeof(tnPlace))) != NULL;
	ok = ok && (flow->faces = tnMemory_Alloc(memory, faces * sizeof(tnBodyFace))) != NULL;
	ok = ok && (flow->solids = tnMemory_Alloc(memory, faces * sizeof(tnFaceSolids))) != NULL;
	ok = ok && (flow->overrides = tnMemory_Alloc(memory, faces * sizeof(tnFaceOverride))) != NULL;
	ok = ok && (flow->layers = tnMemory_Alloc(memory, layers * sizeof(tnLayerLink))) != NULL;
	ok = ok && (flow->breaks = tnMemory_Alloc(memory, 2 * layers * sizeof(tnBreak))) != NULL;
	ok = ok && (flow->faceRows = tnMemory_Alloc(memory, (size_t)flow->rowCapacity * sizeof(int))) != NULL;
	ok = ok && (flow->groups = tnMemory_Alloc(memory, bodies * sizeof(tnGroup))) != NULL;
	ok = ok && (flow->grouped = tnMemory_Alloc(memory, bodies * sizeof(int))) != NULL;
	ok = ok && (flow->sortSpace = tnMemory_Alloc(memory, 3 * bodies * sizeof(int))) != NULL;
	ok = ok && (flow->spans = tnMemory_Alloc(memory, (size_t)flow->spanCapacity * sizeof(tnOverrideSpan))) != NULL;
	return ok;
}

static size_t tnGetMapBytes(const tnGrid* grid)
{
	return (size_t)grid->columnCount * (size_t)grid->rowCount * sizeof(int32_t);
}

static void tnFreeMap(tnBodyFlow* flow, tnMemory* memory, const tnGrid* grid)
{
	tnMemory_Free(memory, flow->spanBegin, ((size_t)grid->tileRowCount + 1) * sizeof(int));
	tnMemory_Free(memory, flow->lifted[0], tnGetMapBytes(grid));
	tnMemory_Free(memory, flow->lifted[1], tnGetMapBytes(grid));
	tnMemory_Free(memory, flow->map, tnGetMapBytes(grid));
	flow->spanBegin = NULL;
	flow->lifted[0] = NULL;
	flow->lifted[1] = NULL;
	flow->map = NULL;
}

static bool tnAllocMap(tnBodyFlow* flow, tnMemory* memory, tnGrid* grid)
{
	if (flow->map != NULL)
	{
		return true;
	}
	const size_t bytes = tnGetMapBytes(grid);
	bool ok = tnGrid_AddLift(grid, memory);
	ok = ok && (flow->spanBegin = tnMemory_Alloc(memory, ((size_t)grid->tileRowCount + 1) * sizeof(int))) != NULL;
	ok = ok && (flow->lifted[0] = tnMemory_Alloc(memory, bytes)) != NULL;
	ok = ok && (flow->lifted[1] = tnMemory_Alloc(memory, bytes)) != NULL;
	ok = ok && (flow->map = tnMemory_Alloc(memory, bytes)) != NULL;
	if (!ok)
	{
		tnFreeMap(flow, memory, grid);
	}
	return ok;
}

// Rows of cells that a body can touch at most.
static int64_t tnGetRowLimit(const tnGrid* grid, const tnBody* body)
{
	const double rows = 2.0 * body->mesh.radius / grid->cellSize + 8.0;
	return rows < grid->rowCount + 8 ? (int64_t)rows : grid->rowCount + 8;
}

bool tnBodyFlow_Reserve(tnBodyFlow* flow, tnMemory* memory, tnGrid* grid, const tnBodies* bodies)
{
	if (!tnAllocMap(flow, memory, grid))
	{
		return false;
	}
	int64_t cells = 0;
	int64_t layers = 0;
	int64_t rows = 0;
	int64_t spans = 0;
	for (int i = 0; i < bodies->count; ++i)
	{
		const tnBody* body = bodies->items + bodies->list[i];
		cells += body->cut.columnCapacity;
		layers += (int64_t)body->cut.columnCapacity + body->cut.faceCapacity + body->thinCapacity;
		rows += 2 * tnGetRowLimit(grid, body);
		spans += tnGetRowLimit(grid, body) / TN_TILE_SIZE + 3;
	}
	if (layers > INT32_MAX / 4 || cells > INT32_MAX / 8 || rows > INT32_MAX / 2)
	{
		return false;
	}
	if (cells <= flow->cellCapacity && layers <= flow->layerCapacity && rows <= flow->rowCapacity &&
		spans <= flow->spanCapacity && bodies->count <= flow->bodyCapacity)
	{
		return true;
	}
	// Half as much again, so that creating many bodies does not copy each time.
	tnBodyFlow grown = *flow;
	grown.cellCapacity = (int)(cells + cells / 2);
	grown.faceCapacity = TN_SIDE_COUNT * grown.cellCapacity;
	grown.layerCapacity = (int)(layers + layers / 2);
	grown.rowCapacity = (int)(rows + rows / 2);
	grown.spanCapacity = (int)(spans + spans / 2);
	grown.bodyCapacity = bodies->count + bodies->count / 2 + 1;
	if (!tnAllocArrays(&grown, memory))
	{
		tnFreeArrays(&grown, memory);
		return false;
	}
	tnFreeArrays(flow, memory);
	grown.groupCount = 0;
	*flow = grown;
	return true;
}

void tnBodyFlow_Destroy(tnBodyFlow* flow, tnMemory* memory, const tnGrid* grid)
{
	tnFreeArrays(flow, memory);
	tnFreeMap(flow, memory, grid);
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
	// Roots come before their members. Count, then deal out.
	flow->groupCount = 0;
	for (int i = 0; i < bodies->count; ++i)
	{
		const int root = tnFindRoot(parents, i);
		if (root == i)
		{
			near[i] = flow->groupCount;
			flow->groups[flow->groupCount] = (tnGroup){0};
			flow->groupCount += 1;
		}
		flow->groups[near[root]].bodyEnd += 1;
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
		tnGroup* group = flow->groups + near[tnFindRoot(parents, i)];
		flow->grouped[group->bodyEnd] = order[i];
		group->bodyEnd += 1;
	}
}

// Deal out the arrays, with room for what the bodies can cover at most, and find the rows of each group.
static void tnDealGroups(tnBodyFlow* flow, const tnGrid* grid, const tnBodies* bodies)
{
	int cell = 0;
	int layer = 0;
	int row = 0;
	for (int i = 0; i < flow->groupCount; ++i)
	{
		tnGroup* group = flow->groups + i;
		group->cellBegin = cell;
		group->faceBegin = TN_SIDE_COUNT * cell;
		group->layerBegin = layer;
		group->breakEnd = 2 * layer;
		group->rowBegin = row;
		tnRange rows = {0, 0};
		for (int k = group->bodyBegin; k < group->bodyEnd; ++k)
		{
			const tnBody* body = bodies->items + flow->grouped[k];
			const tnRange own = tnGetRows(grid, body);
			rows.begin = k == group->bodyBegin ? own.begin : tnMinInt(rows.begin, own.begin);
			rows.end = k == group->bodyBegin ? own.end : tnMaxInt(rows.end, own.end);
			cell += body->cut.columnCapacity;
			layer += body->cut.columnCapacity + body->cut.faceCapacity + body->thinCapacity;
		}
		group->firstRow = tnClampInt(rows.begin, 0, grid->rowCount - 1);
		group->rowCount = tnMaxInt(tnMinInt(rows.end, grid->rowCount) - group->firstRow, 0);
		row += 2 * group->rowCount + 1;
		group->cellEnd = group->cellBegin;
		group->cellMiddle = group->cellBegin;
		group->faceEnd = group->faceBegin;
		group->solidsEnd = group->faceBegin;
		group->layerEnd = group->layerBegin;
	}
}
// ---------------------------------------------------------------------------------------------------------------------

// Which groups have faces in which row of tiles.
static void tnListSpans(tnBodyFlow* flow, const tnGrid* grid)
{
	int count = 0;
	for (int tileRow = 0; tileRow < grid->tileRowCount; ++tileRow)
	{
		const tnRange rows = {tileRow * TN_TILE_SIZE, (tileRow + 1) * TN_TILE_SIZE};
		flow->spanBegin[tileRow] = count;
		for (int i = 0; i < flow->groupCount; ++i)
		{
			const tnGroup* group = flow->groups + i;
			if (tnComeNear(rows, (tnRange){group->firstRow, group->firstRow + group->rowCount}) &&
				count < flow->spanCapacity)
			{
				flow->spans[count] = (tnOverrideSpan){group->firstRow, group->rowCount, group->rowBegin};
				count += 1;
			}
		}
	}
	flow->spanBegin[grid->tileRowCount] = count;
}

void tnBodyFlow_FormGroups(tnBodyFlow* flow, const tnGrid* grid, const tnBodies* bodies)
{
	tnGroupBodies(flow, grid, bodies);
	tnDealGroups(flow, grid, bodies);
	tnListSpans(flow, grid);
}
