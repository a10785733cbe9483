// SPDX-License-Identifier: MIT

// Which cells and faces the bodies of a group touch, and what they take from them.
//
// The cells of a group come in two colours, like those of a chessboard, which the solver sweeps in turn. Its faces are
// sorted by row, X faces before Z faces, because that is how the flow asks for them. The map of the world says which
// cell is covered while a group is collected, and is clean again afterwards.

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

// A surface that stands no higher than this over the water of its cell, in cells, was free. Not zero: under a body that
// hangs over the water it is rounding that decides between zero and the smallest lift.
#define TN_NO_LIFT 1.0e-3f

// What a solver may leave over without a body having jumped, in cells.
#define TN_LEFT_OVER 2.0e-3f

enum
{
	// Sweeps at most: this, and two more for each cell of the side of a body.
	TN_LEAST_SWEEPS = 12,
	TN_MOST_SWEEPS = 100,
};

// ---------------------------------------------------------------------------------------------------------------------
// Cells

typedef struct tnCollectContext
{
	tnBodyFlow* flow;
	const tnGrid* grid;
	tnBodies* bodies;
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

static size_t tnGetMapIndex(const tnGrid* grid, tnPlace place)
{
	return (size_t)place.row * (size_t)grid->columnCount + (size_t)place.column;
}

// Cells of one colour, and of the other.
static int tnGetColour(int column, int row)
{
	return (column + row) & 1;
}

// The columns that count, and the places of the cells they cover.
static void tnFindCells(const tnCollectContext* context, tnGroup* group, int colours[2])
{
	tnBodyFlow* flow = context->flow;
	const tnGrid* grid = context->grid;
	tnPlace* next = flow->places + group->cellBegin;
	for (int i = group->bodyBegin; i < group->bodyEnd; ++i)
	{
		const tnBody* body = context->bodies->items + flow->grouped[i];
		int32_t* columnPlaces = tnBody_GetColumnPlaces(body);
		for (int k = 0; k < body->cut.columnCount; ++k)
		{
			const tnColumn* column = body->cut.columns + k;
			const tnPlace place = {column->column, column->row};
			int32_t* entry = flow->map + tnGetMapIndex(grid, place);
			const bool counts = tnColumnCounts(grid, column, &group->hangs);
			columnPlaces[k] = counts ? 0 : -1;
			if (counts && *entry == 0)
			{
				*entry = 1;
				*next = place;
				next += 1;
				colours[tnGetColour(place.column, place.row)] += 1;
			}
		}
	}
}

// The cells of a group: those of one colour first.
static void tnCollectCells(const tnCollectContext* context, tnGroup* group)
{
	tnBodyFlow* flow = context->flow;
	const tnGrid* grid = context->grid;
	int colours[2] = {0, 0};
	tnFindCells(context, group, colours);
	group->cellMiddle = group->cellBegin + colours[0];
	group->cellEnd = group->cellMiddle + colours[1];
	int next[2] = {group->cellBegin, group->cellMiddle};
	for (int i = group->cellBegin; i < group->cellEnd; ++i)
	{
		const tnPlace place = flow->places[i];
		const int colour = tnGetColour(place.column, place.row);
		tnCoveredCell* cell = flow->cells + next[colour];
		cell->index = (int32_t)tnGrid_Index(grid, place.column, place.row);
		for (int side = 0; side < TN_SIDE_COUNT; ++side)
		{
			cell->face[side] = -1;
		}
		cell->firstLayer = -1;
		cell->leastOpen = TN_LEAST_COMPRESSION;
		cell->blocks = false;
		cell->allowance = 0.0f;
		next[colour] += 1;
		flow->map[tnGetMapIndex(grid, place)] = next[colour];
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Faces

enum
{
	// What lies beside a cell, if it is not a covered one.
	TN_FREE = -1,
	TN_OUTSIDE = -2,
};

// Row of a group that a row of the world is.
static int tnGetGroupRow(const tnGrid* grid, const tnGroup* group, int row)
{
	return row < group->firstRow ? row - group->firstRow + grid->rowCount : row - group->firstRow;
}

// A side of a cell belongs to it if no other covered cell comes before: west and north always do.
static bool tnOwnsSide(int side, int next)
{
	return next == TN_FREE || (next >= 0 && (side == TN_WEST || side == TN_NORTH));
}

// The cells beside a covered cell: covered ones, TN_FREE or TN_OUTSIDE.
static void tnFindNeighbors(
	const tnBodyFlow* flow, const tnGrid* grid, int column, int row, int neighbors[TN_SIDE_COUNT])
{
	const int columns = grid->columnCount;
	if (column > 0 && column + 1 < columns && row > 0 && row + 1 < grid->rowCount)
	{
		const int32_t* map = flow->map + (size_t)row * (size_t)columns + (size_t)column;
		neighbors[TN_WEST] = map[-1] - 1;
		neighbors[TN_EAST] = map[1] - 1;
		neighbors[TN_NORTH] = map[-columns] - 1;
		neighbors[TN_SOUTH] = map[columns] - 1;
		return;
	}
	for (int side = 0; side < TN_SIDE_COUNT; ++side)
	{
		int c, r;
		const bool inside = tnGetNeighbor(grid, column, row, side, &c, &r);
		neighbors[side] = inside ? tnFindCell(flow, grid, c, r) : TN_OUTSIDE;
	}
}

static void tnPlaceFace(const tnCollectContext* context, tnGroup* group, int cellIndex, tnPlace place, int side)
{
	tnBodyFlow* flow = context->flow;
	const tnGrid* grid = context->grid;
	int nextColumn, nextRow;
	tnGetNeighbor(grid, place.column, place.row, side, &nextColumn, &nextRow);
	const bool alongZ = side >= TN_NORTH;
	const int groupRow = tnGetGroupRow(grid, group, side == TN_SOUTH ? nextRow : place.row);
	int* end = flow->faceRows + group->rowBegin + 2 * groupRow + (alongZ ? 1 : 0);
	const int faceIndex = *end;
	*end += 1;
	tnCoveredCell* cell = flow->cells + cellIndex;
	const int next = flow->heads[cellIndex].neighbor[side];
	const int32_t nextPlace = (int32_t)tnGrid_Index(grid, nextColumn, nextRow);
	const bool before = side == TN_WEST || side == TN_NORTH;
	tnBodyFace* face = flow->faces + faceIndex;
	face->first = before ? nextPlace : cell->index;
	face->second = before ? cell->index : nextPlace;
	face->head[0] = before ? next : cellIndex;
	face->head[1] = before ? cellIndex : next;
	face->column = before ? place.column : nextColumn;
	face->alongZ = alongZ;
	face->sealed = false;
	face->solids = -1;
	face->ground = tnMaxFloat(grid->bed[face->first], grid->bed[face->second]);
	face->owed = 0.0f;
	cell->face[side] = faceIndex;
	if (next >= 0)
	{
		flow->cells[next].face[side ^ 1] = faceIndex;
	}
	flow->overrides[faceIndex] = (tnFaceOverride){.column = face->column, .alongZ = face->alongZ};
}

// Count the faces of each row, and remember the neighbours of each cell.
static void tnCountFaces(const tnCollectContext* context, const tnGroup* group)
{
	tnBodyFlow* flow = context->flow;
	const tnGrid* grid = context->grid;
	int* rows = flow->faceRows + group->rowBegin;
	for (int i = group->cellBegin; i < group->cellEnd; ++i)
	{
		const tnPlace place = flow->places[i];
		int* neighbors = flow->heads[flow->map[tnGetMapIndex(grid, place)] - 1].neighbor;
		tnFindNeighbors(flow, grid, place.column, place.row, neighbors);
		int* own = rows + 2 * tnGetGroupRow(grid, group, place.row);
		own[0] += tnOwnsSide(TN_WEST, neighbors[TN_WEST]) + tnOwnsSide(TN_EAST, neighbors[TN_EAST]);
		own[1] += tnOwnsSide(TN_NORTH, neighbors[TN_NORTH]);
		if (neighbors[TN_SOUTH] == TN_FREE)
		{
			const int south = place.row + 1 == grid->rowCount ? 0 : place.row + 1;
			rows[2 * tnGetGroupRow(grid, group, south) + 1] += 1;
		}
	}
}

static void tnPlaceFaces(const tnCollectContext* context, tnGroup* group)
{
	tnBodyFlow* flow = context->flow;
	const tnGrid* grid = context->grid;
	for (int i = group->cellBegin; i < group->cellEnd; ++i)
	{
		const tnPlace place = flow->places[i];
		const int cell = flow->map[tnGetMapIndex(grid, place)] - 1;
		for (int side = 0; side < TN_SIDE_COUNT; ++side)
		{
			if (tnOwnsSide(side, flow->heads[cell].neighbor[side]))
			{
				tnPlaceFace(context, group, cell, place, side);
			}
		}
	}
}

// The faces of a group, by row: count, then deal out.
static void tnCollectFaces(const tnCollectContext* context, tnGroup* group)
{
	int* rows = context->flow->faceRows + group->rowBegin;
	const int rowCount = 2 * group->rowCount; // of X faces and of Z faces
	memset(rows, 0, ((size_t)rowCount + 1) * sizeof(int));
	tnCountFaces(context, group);
	int begin = group->faceBegin;
	for (int row = 0; row <= rowCount; ++row)
	{
		const int count = rows[row];
		rows[row] = begin;
		begin += count;
	}
	group->faceEnd = begin;
	tnPlaceFaces(context, group);
	// Each row has moved on to where the next one begins.
	for (int row = rowCount; row > 0; --row)
	{
		rows[row] = rows[row - 1];
	}
	rows[0] = group->faceBegin;
}

// ---------------------------------------------------------------------------------------------------------------------
// What bodies take

static int tnAddSolids(tnBodyFlow* flow, tnGroup* group)
{
	flow->solids[group->solidsEnd] = (tnFaceSolids){.firstLayer = -1};
	group->solidsEnd += 1;
	return group->solidsEnd - 1;
}

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
	const float compression = tnGetCompression(body, grid, flow->gravity, flow->timeStep);
	// Twice the way of its fastest point.
	const float way = 2.0f * flow->timeStep * tnGetFastest(body);
	int32_t* places = tnBody_GetColumnPlaces(body);
	for (int i = 0; i < body->cut.columnCount; ++i)
	{
		const tnColumn* column = body->cut.columns + i;
		if (places[i] < 0)
		{
			continue;
		}
		const int place = tnFindCell(flow, grid, column->column, column->row);
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
		face->solids = face->solids >= 0 ? face->solids : tnAddSolids(flow, group);
		int* chain = &flow->solids[face->solids].firstLayer;
		*chain = tnAddLink(flow, group, layer, cut->alongZ ? velocity.z : velocity.x, *chain);
	}
}

static tnProfile tnMakeChainProfile(tnBodyFlow* flow, int firstLayer, float ground, float sealedGap, float leastOpen,
	float leastBelow, float* speed, tnGroup* group)
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
		tnMakeProfile(ground, layers, count, sealedGap, leastOpen, leastBelow, flow->breaks + group->breakEnd);
	group->breakEnd += profile.count;
	return profile;
}

static void tnMakeCellProfiles(const tnCollectContext* context, tnGroup* group)
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
			flow, cell->firstLayer, grid->bed[cell->index], sealedGap, cell->leastOpen, leastBelow, &speed, group);
		const tnBreak* lowest = cell->profile.breaks;
		cell->sealed = cell->profile.count > 0 && !(lowest->volume > 0.0f) && !(lowest->open > 0.0f);
		flow->heads[i].ground = cell->profile.ground;
		group->stands |= cell->sealed;
	}
	for (int i = group->faceBegin; i < group->faceEnd && group->stands; ++i)
	{
		tnBodyFace* face = flow->faces + i;
		for (int end = 0; end < 2; ++end)
		{
			face->sealed |= face->head[end] >= 0 && flow->cells[face->head[end]].sealed;
		}
	}
}

static void tnMakeFaceProfiles(const tnCollectContext* context, tnGroup* group)
{
	tnBodyFlow* flow = context->flow;
	const float sealedGap = TN_SEALED_GAP * context->grid->cellSize;
	for (int i = group->faceBegin; i < group->faceEnd && group->solidsEnd > group->faceBegin; ++i)
	{
		const tnBodyFace* face = flow->faces + i;
		if (face->solids >= 0)
		{
			tnFaceSolids* solids = flow->solids + face->solids;
			solids->profile = tnMakeChainProfile(
				flow, solids->firstLayer, face->ground, sealedGap, 0.0f, 0.0f, &solids->speed, group);
		}
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

// The head of a cell that has just been covered. If the body has come into standing water, it is the surface of that.
// If the water came after the body, it is lower in this cell than around it, as far as the body explains that.
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
		head->head = tnGetFreeHead(grid, cell->index) + grid->lift[cell->index];
		head->meanHead = 0.0f;
		if (wet && fabsf(grid->lift[cell->index]) < TN_NO_LIFT * grid->cellSize)
		{
			head->head = tnGuessHead(grid, cell, around);
		}
		for (int side = 0; side < TN_SIDE_COUNT; ++side)
		{
			head->neighbor[side] = head->neighbor[side] >= 0 ? head->neighbor[side] : i;
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------

// Read a little of each cache line of the water around a body. A step goes through so much memory that nothing of it
// is near any more; here its lines are fetched side by side, while the passes that follow would wait for one after the
// other. The hint to prefetch them is no use: processors drop it where the address of a page has been forgotten, too.
static void tnFetchWater(const tnBodyFlow* flow, const tnGrid* grid, const tnBody* body)
{
	enum
	{
		TN_LINE_FLOATS = 16,
		// More would push each other out again.
		TN_MOST_CELLS = 16384,
	};
	const int columnBegin = tnMaxInt(body->box.columnBegin, 0);
	const int columnEnd = tnMinInt(body->box.columnEnd, grid->columnCount);
	const int rowBegin = tnMaxInt(body->box.rowBegin, 0);
	const int rowEnd = tnMinInt(body->box.rowEnd, grid->rowCount);
	const float* fields[] = {grid->depth, grid->bed, grid->flowX, grid->flowZ, grid->lift};
	if (columnBegin >= columnEnd || (int64_t)(columnEnd - columnBegin) * (rowEnd - rowBegin) > TN_MOST_CELLS)
	{
		return;
	}
	for (int row = rowBegin; row < rowEnd; ++row)
	{
		for (int column = columnBegin; column < columnEnd - 1 + TN_LINE_FLOATS; column += TN_LINE_FLOATS)
		{
			const int near = tnMinInt(column, columnEnd - 1);
			const ptrdiff_t index = tnGrid_Index(grid, near, row);
			for (int i = 0; i < (int)(sizeof(fields) / sizeof(fields[0])); ++i)
			{
				(void)*(const volatile float*)(fields[i] + index);
			}
			(void)*(const volatile int32_t*)(flow->map + tnGetMapIndex(grid, (tnPlace){near, row}));
		}
	}
}

void tnBodyFlow_CollectGroup(tnBodyFlow* flow, const tnGrid* grid, tnBodies* bodies, int index, int workerIndex)
{
	const tnCollectContext context = {flow, grid, bodies};
	tnGroup* group = flow->groups + index;
	group->side = 1.0f;
	for (int i = group->bodyBegin; i < group->bodyEnd; ++i)
	{
		tnBody* body = bodies->items + flow->grouped[i];
		tnFetchWater(flow, grid, body);
		tnBody_Cut(body, grid, tnBodies_GetScratch(bodies, workerIndex));
		group->side = tnMaxFloat(group->side, sqrtf((float)body->cut.columnCount));
	}
	group->sweepLimit = tnMinInt(TN_LEAST_SWEEPS + 2 * (int)group->side, TN_MOST_SWEEPS);
	tnCollectCells(&context, group);
	tnCollectFaces(&context, group);
	for (int i = group->bodyBegin; i < group->bodyEnd; ++i)
	{
		tnAddColumns(&context, group, bodies->items + flow->grouped[i]);
	}
	tnMakeCellProfiles(&context, group);
	for (int i = group->bodyBegin; i < group->bodyEnd; ++i)
	{
		const tnBody* body = bodies->items + flow->grouped[i];
		if (body->mode == tn_floatingBody)
		{
			continue;
		}
		// What bodies take at faces themselves counts only beside those that stand on the ground.
		const int count = group->stands ? body->cut.faceCount : 0;
		tnAddFaces(&context, group, body, body->cut.faces, count, false, tnBody_GetFacePlaces(body));
		tnAddFaces(&context, group, body, body->thinParts, body->thinCount, true, tnBody_GetThinPlaces(body));
	}
	tnMakeFaceProfiles(&context, group);
	tnPlaceHeads(&context, group);
	for (int i = group->cellBegin; i < group->cellEnd; ++i)
	{
		flow->map[tnGetMapIndex(grid, flow->places[i])] = 0;
	}
}
