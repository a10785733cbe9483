// SPDX-License-Identifier: MIT

// Which cells and faces bodies touch, and what they take from them.
//
// Bodies whose boxes come near each other form a group. Groups have no cells and no faces in common, so each of them is
// collected, solved and listed by itself, on whatever thread; a group that nothing has changed in stays as it is. The cells of
// a group come in two colours, like those of a chessboard, which the solver sweeps in turn; its faces are sorted by row,
// because that is how the flow asks for them.

#include "body_flow.h"

#include "discs.h"

#include <math.h>
#include <string.h>

// A floor for the compressibility (body_flow.c), so that water in a closed chamber has a head.
#define TN_LEAST_COMPRESSION 1.0e-3f

// No body is so light that half of it counts as open.
#define TN_MOST_COMPRESSION 0.5f

// Gaps below bodies that are lower than this share of a cell are closed: no grid resolves what runs through there.
#define TN_SEALED_GAP 0.02f

// Columns that hang higher than this above the water, in cells, are left out.
#define TN_CLEARANCE 1.0f

// Bodies that stand on the ground and let the water through leave it this share of a cell: what a cell does not hold
// it cannot pass on.
#define TN_THROUGH_SHARE 0.3f

// What a solver may leave over without a body having jumped, in cells.
#define TN_LEFT_OVER 2.0e-3f

enum
{
	// Sweeps at most: this, and two more for each cell of the side of a body.
	TN_LEAST_SWEEPS = 12,
	TN_MOST_SWEEPS = 100,
};

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
	tnMemory_Free(memory, flow->scratch, cells * sizeof(int32_t));
	tnMemory_Free(memory, flow->faces, faces * sizeof(tnBodyFace));
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
	flow->scratch = NULL;
	flow->faces = NULL;
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
	ok = ok && (flow->scratch = tnMemory_Alloc(memory, cells * sizeof(int32_t))) != NULL;
	ok = ok && (flow->faces = tnMemory_Alloc(memory, faces * sizeof(tnBodyFace))) != NULL;
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

static void tnForgetGroup(tnBodyFlow* flow, const tnGrid* grid, const tnGroup* group)
{
	for (int i = group->cellBegin; i < group->cellEnd; ++i)
	{
		flow->map[(size_t)flow->cells[i].row * (size_t)grid->columnCount + (size_t)flow->cells[i].column] = 0;
	}
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
		rows += tnGetRowLimit(grid, body);
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
	for (int i = 0; i < flow->groupCount; ++i)
	{
		tnForgetGroup(flow, grid, flow->groups + i);
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

// Order the bodies by the first row of their box, then by index. They were in order in the last step and have moved
// little, so insertion is quick.
static void tnSortBodies(const tnGrid* grid, const tnBodies* bodies, int* order)
{
	for (int i = 1; i < bodies->count; ++i)
	{
		const int item = order[i];
		const int row = tnGetRows(grid, bodies->items + item).begin;
		int place = i;
		for (; place > 0; --place)
		{
			const int other = order[place - 1];
			const int otherRow = tnGetRows(grid, bodies->items + other).begin;
			if (otherRow < row || (otherRow == row && other < item))
			{
				break;
			}
			order[place] = other;
		}
		order[place] = item;
	}
}

// Put bodies that come near each other into groups.
static void tnGroupBodies(tnBodyFlow* flow, const tnGrid* grid, const tnBodies* bodies)
{
	int* order = flow->sortSpace;
	int* parents = order + flow->bodyCapacity;
	int* near = parents + flow->bodyCapacity; // those whose rows may still meet others
	memcpy(order, bodies->list, (size_t)bodies->count * sizeof(int));
	tnSortBodies(grid, bodies, order);
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

// Deal out the arrays, and find the rows of each group.
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
		group->breakBegin = 2 * layer;
		group->rowBegin = row;
		tnRange rows = {0, 0};
		for (int k = group->bodyBegin; k < group->bodyEnd; ++k)
		{
			const tnBody* body = bodies->items + flow->grouped[k];
			const tnRange own = tnGetRows(grid, body);
			rows.begin = k == group->bodyBegin ? own.begin : tnMinInt(rows.begin, own.begin);
			rows.end = k == group->bodyBegin ? own.end : tnMaxInt(rows.end, own.end);
			cell += body->cut.columnCount;
			layer += body->cut.columnCount + body->cut.faceCount + body->thinCount;
		}
		group->firstRow = tnClampInt(rows.begin, 0, grid->rowCount - 1);
		group->rowCount = tnMaxInt(tnMinInt(rows.end, grid->rowCount) - group->firstRow, 0);
		row += group->rowCount + 1;
		group->cellEnd = group->cellBegin;
		group->cellMiddle = group->cellBegin;
		group->faceEnd = group->faceBegin;
		group->layerEnd = group->layerBegin;
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Cells

typedef struct tnCollectContext
{
	tnBodyFlow* flow;
	const tnGrid* grid;
	tnBodies* bodies;
	float gravity, timeStep;
} tnCollectContext;

// Is a column so far above the water that it may be left out of this step?
static bool tnHangsFree(const tnGrid* grid, const tnColumn* column)
{
	const ptrdiff_t index = tnGrid_Index(grid, column->column, column->row);
	if (column->low <= grid->bed[index] + tnGrid_GetHeight(grid, index) + TN_CLEARANCE * grid->cellSize)
	{
		return false;
	}
	float surface = grid->bed[index];
	for (int side = 0; side < TN_SIDE_COUNT; ++side)
	{
		int c, r;
		if (tnGetNeighbor(grid, column->column, column->row, side, &c, &r))
		{
			const ptrdiff_t next = tnGrid_Index(grid, c, r);
			surface = tnMaxFloat(surface, grid->bed[next] + tnGrid_GetHeight(grid, next));
		}
	}
	return column->low > surface + TN_CLEARANCE * grid->cellSize;
}

// A column counts if it is not wholly in the ground and not far above the water.
static bool tnColumnCounts(const tnGrid* grid, const tnColumn* column, bool* hangs)
{
	if (column->high <= grid->bed[tnGrid_Index(grid, column->column, column->row)])
	{
		return false;
	}
	const bool free = tnHangsFree(grid, column);
	*hangs |= free;
	return !free;
}

// The cells of a group: those of one colour first.
static void tnCollectCells(const tnCollectContext* context, tnGroup* group)
{
	tnBodyFlow* flow = context->flow;
	const tnGrid* grid = context->grid;
	int32_t* found = flow->scratch + group->cellBegin;
	int count = 0;
	group->hangs = false;
	for (int i = group->bodyBegin; i < group->bodyEnd; ++i)
	{
		const tnCut* cut = &context->bodies->items[flow->grouped[i]].cut;
		for (int k = 0; k < cut->columnCount; ++k)
		{
			const tnColumn* column = cut->columns + k;
			const size_t place = (size_t)column->row * (size_t)grid->columnCount + (size_t)column->column;
			if (flow->map[place] == 0 && tnColumnCounts(grid, column, &group->hangs))
			{
				flow->map[place] = 1;
				found[count] = (int32_t)place;
				count += 1;
			}
		}
	}
	int cell = group->cellBegin;
	for (int colour = 0; colour < 2; ++colour)
	{
		for (int i = 0; i < count; ++i)
		{
			const int column = found[i] % grid->columnCount;
			const int row = found[i] / grid->columnCount;
			if (((column + row) & 1) == colour)
			{
				flow->cells[cell] = (tnCoveredCell){.index = (int32_t)tnGrid_Index(grid, column, row),
					.column = column,
					.row = row,
					.face = {-1, -1, -1, -1},
					.firstLayer = -1,
					.leastOpen = TN_LEAST_COMPRESSION};
				flow->map[found[i]] = cell + 1;
				cell += 1;
			}
		}
		group->cellMiddle = colour == 0 ? cell : group->cellMiddle;
	}
	group->cellEnd = cell;
}

// ---------------------------------------------------------------------------------------------------------------------
// Faces

// Row of a group that a row of the world is.
static int tnGetGroupRow(const tnGrid* grid, const tnGroup* group, int row)
{
	return (row - group->firstRow + grid->rowCount) % grid->rowCount;
}

// A side of a cell belongs to it if no other covered cell comes before: west and north always do.
static bool tnOwnsSide(const tnBodyFlow* flow, const tnGrid* grid, const tnCoveredCell* cell, int side, int* c, int* r)
{
	return tnGetNeighbor(grid, cell->column, cell->row, side, c, r) &&
		(side == TN_WEST || side == TN_NORTH || tnFindCell(flow, grid, *c, *r) < 0);
}

static void tnPlaceFace(
	tnBodyFlow* flow, const tnGrid* grid, int cellIndex, int side, int nextColumn, int nextRow, int faceIndex)
{
	tnCoveredCell* cell = flow->cells + cellIndex;
	const int next = tnFindCell(flow, grid, nextColumn, nextRow);
	const int32_t nextPlace = (int32_t)tnGrid_Index(grid, nextColumn, nextRow);
	const bool before = side == TN_WEST || side == TN_NORTH;
	flow->faces[faceIndex] = (tnBodyFace){
		.first = before ? nextPlace : cell->index,
		.second = before ? cell->index : nextPlace,
		.head = {before ? next : cellIndex, before ? cellIndex : next},
		.column = before ? cell->column : nextColumn,
		.alongZ = side >= TN_NORTH,
		.firstLayer = -1,
	};
	cell->face[side] = faceIndex;
	if (next >= 0)
	{
		flow->cells[next].face[side ^ 1] = faceIndex;
	}
}

// The faces of a group, by row: count, then deal out.
static void tnCollectFaces(const tnCollectContext* context, tnGroup* group)
{
	tnBodyFlow* flow = context->flow;
	const tnGrid* grid = context->grid;
	int* rows = flow->faceRows + group->rowBegin;
	memset(rows, 0, ((size_t)group->rowCount + 1) * sizeof(int));
	for (int pass = 0; pass < 2; ++pass)
	{
		for (int i = group->cellBegin; i < group->cellEnd; ++i)
		{
			const tnCoveredCell* cell = flow->cells + i;
			for (int side = 0; side < TN_SIDE_COUNT; ++side)
			{
				int c, r;
				if (!tnOwnsSide(flow, grid, cell, side, &c, &r))
				{
					continue;
				}
				const int row = tnGetGroupRow(grid, group, side == TN_SOUTH ? r : cell->row);
				if (pass == 0)
				{
					rows[row] += 1;
					continue;
				}
				tnPlaceFace(flow, grid, i, side, c, r, rows[row]);
				rows[row] += 1;
			}
		}
		// After counting: where each row begins. After dealing: the same, moved on by one row.
		int next = group->faceBegin;
		for (int row = 0; row <= group->rowCount; ++row)
		{
			const int value = rows[row];
			rows[row] = next;
			next = pass == 0 ? next + value : value;
		}
		group->faceEnd = rows[group->rowCount];
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// What bodies take

static int tnAddLink(tnBodyFlow* flow, tnGroup* group, tnLayer layer, float speed, int next)
{
	flow->layers[group->layerEnd] = (tnLayerLink){layer, speed, next};
	group->layerEnd += 1;
	return group->layerEnd - 1;
}

// The open share inside a body that keeps an explicit coupling stable: see body_flow.c.
static float tnGetCompression(const tnBody* body, const tnGrid* grid, float gravity, float timeStep)
{
	float area = 0.0f;
	for (int i = 0; i < body->cut.columnCount; ++i)
	{
		area += body->cut.columns[i].share;
	}
	area *= grid->cellSize * grid->cellSize;
	const float draft = body->def.mass / (TN_WATER_DENSITY * tnMaxFloat(area, 1.0e-12f));
	const float share = gravity * timeStep * timeStep / draft;
	return tnClampFloat(share, TN_LEAST_COMPRESSION, TN_MOST_COMPRESSION);
}

// Speed of the fastest point of a body at most, m/s.
static float tnGetFastest(const tnBody* body)
{
	const tnVec3 v = body->motion.velocity;
	const tnVec3 s = body->motion.spin;
	return sqrtf(v.x * v.x + v.y * v.y + v.z * v.z) + body->mesh.radius * sqrtf(s.x * s.x + s.y * s.y + s.z * s.z);
}

static void tnAddColumns(const tnCollectContext* context, tnGroup* group, tnBody* body)
{
	tnBodyFlow* flow = context->flow;
	const tnGrid* grid = context->grid;
	const float compression = tnGetCompression(body, grid, context->gravity, context->timeStep);
	// Twice the way of its fastest point.
	const float way = 2.0f * context->timeStep * tnGetFastest(body);
	int32_t* places = tnBody_GetColumnPlaces(body);
	bool hangs = false;
	for (int i = 0; i < body->cut.columnCount; ++i)
	{
		const tnColumn* column = body->cut.columns + i;
		const int place = tnFindCell(flow, grid, column->column, column->row);
		places[i] = -1;
		if (place < 0 || !tnColumnCounts(grid, column, &hangs))
		{
			continue;
		}
		places[i] = place;
		tnCoveredCell* cell = flow->cells + place;
		const tnLayer layer = {column->share, column->low, column->high};
		cell->firstLayer = tnAddLink(flow, group, layer, 0.0f, cell->firstLayer);
		cell->leastOpen = tnMaxFloat(cell->leastOpen, compression);
		cell->blocks |= body->mode == tn_blockingBody;
		const float height = (column->high - column->low) / grid->cellSize;
		cell->allowance = tnMaxFloat(cell->allowance, way * (1.0f + height) + TN_LEFT_OVER * grid->cellSize);
	}
}

// The face of a group that a cut of a body lies on, or -1.
static int tnFindFace(const tnBodyFlow* flow, const tnGrid* grid, const tnFaceCut* cut)
{
	if (cut->column < 0 || cut->column >= grid->columnCount || cut->row < 0 || cut->row >= grid->rowCount)
	{
		return -1; // at an edge of the world
	}
	const int cell = tnFindCell(flow, grid, cut->column, cut->row);
	if (cell >= 0)
	{
		return flow->cells[cell].face[cut->alongZ ? TN_NORTH : TN_WEST];
	}
	int c, r;
	if (!tnGetNeighbor(grid, cut->column, cut->row, cut->alongZ ? TN_NORTH : TN_WEST, &c, &r))
	{
		return -1;
	}
	const int before = tnFindCell(flow, grid, c, r);
	return before >= 0 ? flow->cells[before].face[cut->alongZ ? TN_SOUTH : TN_EAST] : -1;
}

// @param thin parts that lie between faces: they always count, cuts only at faces that are sealed
static void tnAddFaces(const tnCollectContext* context, tnGroup* group, const tnBody* body, const tnFaceCut* cuts,
	int count, bool thin, int32_t* places)
{
	tnBodyFlow* flow = context->flow;
	const tnGrid* grid = context->grid;
	const float half = 0.5f * grid->cellSize;
	for (int i = 0; i < count; ++i)
	{
		const tnFaceCut* cut = cuts + i;
		places[i] = tnFindFace(flow, grid, cut);
		if (places[i] < 0 || !(thin || flow->faces[places[i]].sealed))
		{
			continue;
		}
		const tnVec2 center = tnGrid_GetCenter(grid, cut->column, cut->row);
		const tnVec3 place = {
			center.x - (cut->alongZ ? 0.0f : half) - body->aheadPose.position.x,
			0.5f * (cut->low + cut->high) - body->aheadPose.position.y,
			center.z - (cut->alongZ ? half : 0.0f) - body->aheadPose.position.z,
		};
		const tnVec3 velocity = tnMotion_At(&body->motion, place);
		tnBodyFace* face = flow->faces + places[i];
		const tnLayer layer = {cut->share, cut->low, cut->high};
		face->firstLayer = tnAddLink(flow, group, layer, cut->alongZ ? velocity.z : velocity.x, face->firstLayer);
	}
}

static tnProfile tnMakeChainProfile(tnBodyFlow* flow, int firstLayer, float ground, float sealedGap, float leastOpen,
	float leastBelow, float* speed, int* breakEnd)
{
	tnLayer layers[TN_MAX_LAYERS];
	int count = 0;
	float weight = 0.0f;
	float sum = 0.0f;
	for (int link = firstLayer; link >= 0; link = flow->layers[link].next)
	{
		const tnLayerLink* item = flow->layers + link;
		count = tnAddLayer(layers, count, item->layer);
		weight += item->layer.share;
		sum += item->layer.share * item->speed;
	}
	*speed = weight > 0.0f ? sum / weight : 0.0f;
	const tnProfile profile =
		tnMakeProfile(ground, layers, count, sealedGap, leastOpen, leastBelow, flow->breaks + *breakEnd);
	*breakEnd += profile.count;
	return profile;
}

static void tnMakeCellProfiles(const tnCollectContext* context, const tnGroup* group, int* breakEnd)
{
	tnBodyFlow* flow = context->flow;
	const tnGrid* grid = context->grid;
	const float sealedGap = TN_SEALED_GAP * grid->cellSize;
	float speed;
	for (int i = group->cellBegin; i < group->cellEnd; ++i)
	{
		tnCoveredCell* cell = flow->cells + i;
		// Nothing is pressed into what stands on the ground: no water gets there, unless it passes through.
		const float leastBelow = cell->blocks ? 0.0f : TN_THROUGH_SHARE;
		cell->profile = tnMakeChainProfile(
			flow, cell->firstLayer, grid->bed[cell->index], sealedGap, cell->leastOpen, leastBelow, &speed, breakEnd);
		const tnBreak* lowest = cell->profile.breaks;
		cell->sealed = cell->profile.count > 0 && !(lowest->volume > 0.0f) && !(lowest->open > 0.0f);
	}
	for (int i = group->faceBegin; i < group->faceEnd; ++i)
	{
		tnBodyFace* face = flow->faces + i;
		for (int end = 0; end < 2; ++end)
		{
			face->sealed |= face->head[end] >= 0 && flow->cells[face->head[end]].sealed;
		}
	}
}

static void tnMakeFaceProfiles(const tnCollectContext* context, const tnGroup* group, int* breakEnd)
{
	tnBodyFlow* flow = context->flow;
	const tnGrid* grid = context->grid;
	const float sealedGap = TN_SEALED_GAP * grid->cellSize;
	for (int i = group->faceBegin; i < group->faceEnd; ++i)
	{
		tnBodyFace* face = flow->faces + i;
		const float ground = tnMaxFloat(grid->bed[face->first], grid->bed[face->second]);
		face->profile =
			tnMakeChainProfile(flow, face->firstLayer, ground, sealedGap, 0.0f, 0.0f, &face->bodySpeed, breakEnd);
		flow->overrides[i] = (tnFaceOverride){.column = face->column, .alongZ = face->alongZ};
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Heads to begin with

// The mean surface of the water around a group. False if it is dry.
static bool tnFindSurroundings(const tnBodyFlow* flow, const tnGrid* grid, const tnGroup* group, float* level)
{
	double sum = 0.0;
	int count = 0;
	for (int i = group->faceBegin; i < group->faceEnd; ++i)
	{
		const tnBodyFace* face = flow->faces + i;
		for (int end = 0; end < 2; ++end)
		{
			const int32_t index = end == 0 ? face->first : face->second;
			if (face->head[end] < 0 && grid->depth[index] > TN_DRY_DEPTH)
			{
				sum += tnGetFreeHead(grid, index);
				count += 1;
			}
		}
	}
	*level = count > 0 ? (float)(sum / count) : 0.0f;
	return count > 0;
}

// The head of a cell that has just been covered. If the body has come into standing water, it is the surface of that. If
// the water came after the body, it is lower in this cell than around it, as far as the body explains that.
static float tnGuessHead(const tnGrid* grid, const tnCoveredCell* cell, float around)
{
	const float surface = tnGetFreeHead(grid, cell->index);
	const float depth = grid->depth[cell->index];
	if (!(around > surface) || !(depth > TN_DRY_DEPTH))
	{
		return surface;
	}
	const float slack = 1.0e-3f;
	return tnMinFloat(around, tnProfile_Solve(&cell->profile, slack, depth + slack * around));
}

static void tnPlaceHeads(const tnCollectContext* context, const tnGroup* group)
{
	tnBodyFlow* flow = context->flow;
	const tnGrid* grid = context->grid;
	float around;
	const bool wet = tnFindSurroundings(flow, grid, group, &around);
	for (int i = group->cellBegin; i < group->cellEnd; ++i)
	{
		const tnCoveredCell* cell = flow->cells + i;
		tnHead* head = flow->heads + i;
		*head = (tnHead){.head = tnGetFreeHead(grid, cell->index) + grid->lift[cell->index]};
		if (wet && grid->lift[cell->index] == 0.0f)
		{
			head->head = tnGuessHead(grid, cell, around);
		}
		for (int side = 0; side < TN_SIDE_COUNT; ++side)
		{
			const int face = cell->face[side];
			const int next = face >= 0 ? flow->faces[face].head[side == TN_EAST || side == TN_SOUTH] : -1;
			head->neighbor[side] = next >= 0 ? next : i;
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------

static void tnCollectGroup(int item, int workerIndex, void* data)
{
	(void)workerIndex;
	const tnCollectContext* context = data;
	tnBodyFlow* flow = context->flow;
	tnGroup* group = flow->groups + item;
	tnCollectCells(context, group);
	tnCollectFaces(context, group);
	float side = 1.0f;
	int breakEnd = group->breakBegin;
	for (int i = group->bodyBegin; i < group->bodyEnd; ++i)
	{
		tnBody* body = context->bodies->items + flow->grouped[i];
		tnAddColumns(context, group, body);
		side = tnMaxFloat(side, sqrtf((float)body->cut.columnCount));
	}
	tnMakeCellProfiles(context, group, &breakEnd);
	for (int i = group->bodyBegin; i < group->bodyEnd; ++i)
	{
		const tnBody* body = context->bodies->items + flow->grouped[i];
		if (body->mode == tn_floatingBody)
		{
			continue;
		}
		tnAddFaces(context, group, body, body->cut.faces, body->cut.faceCount, false, tnBody_GetFacePlaces(body));
		tnAddFaces(context, group, body, body->thinParts, body->thinCount, true, tnBody_GetThinPlaces(body));
	}
	tnMakeFaceProfiles(context, group, &breakEnd);
	// The best relaxation for a square of that many cells with fixed heads around it.
	group->relaxation = tnClampFloat(2.0f / (1.0f + 3.14159f / (side + 1.0f)), 1.0f, 1.8f);
	group->sweepLimit = tnMinInt(TN_LEAST_SWEEPS + 2 * (int)side, TN_MOST_SWEEPS);
	tnPlaceHeads(context, group);
}

static void tnForgetOneGroup(int item, int workerIndex, void* data)
{
	(void)workerIndex;
	const tnCollectContext* context = data;
	const tnGroup* group = context->flow->groups + item;
	tnForgetGroup(context->flow, context->grid, group);
}

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
			if (group->faceEnd > group->faceBegin &&
				tnComeNear(rows, (tnRange){group->firstRow, group->firstRow + group->rowCount}) &&
				count < flow->spanCapacity)
			{
				flow->spans[count] = (tnOverrideSpan){group->firstRow, group->rowCount, group->rowBegin};
				count += 1;
			}
		}
	}
	flow->spanBegin[grid->tileRowCount] = count;
}

void tnBodyFlow_Collect(
	tnBodyFlow* flow, const tnGrid* grid, tnBodies* bodies, tnParallel* parallel, float gravity, float timeStep)
{
	tnCollectContext context = {flow, grid, bodies, gravity, timeStep};
	tnParallelFor(parallel, flow->groupCount, tnForgetOneGroup, &context);
	tnGroupBodies(flow, grid, bodies);
	tnDealGroups(flow, grid, bodies);
	tnParallelFor(parallel, flow->groupCount, tnCollectGroup, &context);
	tnListSpans(flow, grid);
}
