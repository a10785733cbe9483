// SPDX-License-Identifier: MIT

// The order in which rows are computed.
//
// A sub-step visits rows from north to south. At position r it
//
//   A  accelerates the X faces of row r and the Z faces r+1 below it      from depths of rows r and r+1, old
//   B  finds the share of its outflow that each cell of row r can afford  from the X faces of r, the Z faces r and r+1
//   C  limits the faces of row r-1 and moves its water                     from the shares of rows r-1 and r
//
// and so the state is updated in place: C overwrites row r-1 when nobody needs its old depth any more. Each array is
// read once and written once: 28 bytes per cell (bed, depth, two flows read; depth, two flows written).
//
// The next sub-step can follow two rows behind: it needs depths of rows r and r+1, which the first has finished when it
// is at position r+2. A trip takes up to four sub-steps like this through the world, so that memory is read and written
// once for all of them; the rows between the first and the last stay in the cache.
//
//   row  0 1 2 3 4 5 6 7 8
//        4 4 3 3 2 2 1 1 .      sub-step that visits the row, at one moment
//
// For threads the world is cut into bands of rows of fixed height. In one sub-step a row depends on two rows on either
// side, so a band first copies 2 * sub-steps old rows of its neighbours (halo) and computes those too, each sub-step
// two rows fewer. The same operations on the same numbers give the same bits in both bands. The cost is 24 row updates
// per seam and trip of four sub-steps: 2 % for bands of 256 rows, 9 % for 64.

#include "flow.h"

#include <string.h>

enum
{
	TN_MAX_BAND_TILES = 4,
	TN_HALO_ROWS = 2 * TN_TRIP_LIMIT,
	// Lower halos hold one more row: the ghost row below the last.
	TN_HALO_SLOTS = 2 * TN_HALO_ROWS + 1,
	TN_TABLE_ROWS = TN_MAX_BAND_TILES * TN_TILE_SIZE + 2 * TN_HALO_ROWS + 2,
	// Rows of slots of a stage: scale and discharge X two each, discharge Z four.
	TN_STAGE_ROWS = 8,
};

// A sub-step in flight. Rows alternate between two slots. Z faces need three at a time (above and below a row that is
// finished, and below the next), so they go round four.
typedef struct tnStage
{
	float* scale[2];
	bool limited[2];
	// Methods that store velocity have their discharge here. Pipes have it in the state itself.
	float* dischargeX[2];
	float* dischargeZ[4];
	int rowBegin, rowEnd; // rows it finishes
	bool first, last;
} tnStage;

typedef struct tnFlowWorker
{
	tnStage stages[TN_TRIP_LIMIT];
	tnRow rows[TN_TABLE_ROWS];
} tnFlowWorker;

struct tnFlow
{
	const tnFlowKernels* kernels;
	tnFacesKernel faces;
	bool linear;
	int bandRows, bandCount;
	int workerCount;
	float* haloMemory;  // by band, TN_HALO_SLOTS rows of depth, flowX, flowZ
	float* stageMemory; // by worker
	tnFlowWorker* workers;
	tnTripResult* results; // by band
	int* bandList;         // bands with awake tiles
	size_t haloBytes, stageBytes;
};

static int tnGetBandTiles(const tnGrid* grid)
{
	// At least eight bands where there are enough rows, for the sake of many workers.
	return tnClampInt(grid->tileRowCount / 8, 1, TN_MAX_BAND_TILES);
}

static tnFacesKernel tnSelectFaces(const tnFlowKernels* kernels, const tnWorldDef* def)
{
	static const tnKernelKind s_pipes[tn_pipeSectionCount] = {
		TN_KERNEL_PIPE_DEPTH, TN_KERNEL_PIPE_FIXED, TN_KERNEL_PIPE_MEAN};
	const tnKernelKind kind = def->method == tn_linearMethod ? TN_KERNEL_LINEAR : s_pipes[def->section];
	return kernels->faces[kind][def->manning > 0.0f][def->froudeLimit > 0.0f];
}

tnFlow* tnCreateFlow(tnMemory* memory, const tnGrid* grid, const tnWorldDef* def, int workerCount)
{
	tnFlow* flow = tnMemory_Alloc(memory, sizeof(tnFlow));
	if (flow == NULL)
	{
		return NULL;
	}
	flow->kernels = tnGetFlowKernels(def->simd);
	flow->faces = tnSelectFaces(flow->kernels, def);
	flow->linear = def->method == tn_linearMethod;
	flow->bandRows = tnGetBandTiles(grid) * TN_TILE_SIZE;
	flow->bandCount = (grid->rowCount + flow->bandRows - 1) / flow->bandRows;
	flow->workerCount = workerCount;

	size_t rowBytes = (size_t)grid->stride * sizeof(float);
	flow->haloBytes = rowBytes * TN_HALO_SLOTS * 3 * (size_t)flow->bandCount;
	flow->stageBytes = rowBytes * TN_STAGE_ROWS * TN_TRIP_LIMIT * (size_t)workerCount;
	bool ok = (flow->haloMemory = tnMemory_Alloc(memory, flow->haloBytes)) != NULL;
	ok = ok && (flow->stageMemory = tnMemory_Alloc(memory, flow->stageBytes)) != NULL;
	ok = ok && (flow->workers = tnMemory_Alloc(memory, sizeof(tnFlowWorker) * (size_t)workerCount)) != NULL;
	ok = ok && (flow->results = tnMemory_Alloc(memory, sizeof(tnTripResult) * (size_t)flow->bandCount)) != NULL;
	ok = ok && (flow->bandList = tnMemory_Alloc(memory, sizeof(int) * (size_t)flow->bandCount)) != NULL;
	if (!ok)
	{
		tnDestroyFlow(flow, memory);
		return NULL;
	}

	float* next = flow->stageMemory + TN_ROW_PAD;
	for (int worker = 0; worker < workerCount; ++worker)
	{
		for (int i = 0; i < TN_TRIP_LIMIT; ++i)
		{
			tnStage* stage = flow->workers[worker].stages + i;
			float** slots[TN_STAGE_ROWS] = {
				stage->scale,
				stage->scale + 1,
				stage->dischargeX,
				stage->dischargeX + 1,
				stage->dischargeZ,
				stage->dischargeZ + 1,
				stage->dischargeZ + 2,
				stage->dischargeZ + 3,
			};
			for (int slot = 0; slot < TN_STAGE_ROWS; ++slot)
			{
				*slots[slot] = next;
				next += grid->stride;
			}
		}
	}
	return flow;
}

void tnDestroyFlow(tnFlow* flow, tnMemory* memory)
{
	if (flow == NULL)
	{
		return;
	}
	tnMemory_Free(memory, flow->haloMemory, flow->haloBytes);
	tnMemory_Free(memory, flow->stageMemory, flow->stageBytes);
	tnMemory_Free(memory, flow->workers, sizeof(tnFlowWorker) * (size_t)flow->workerCount);
	tnMemory_Free(memory, flow->results, sizeof(tnTripResult) * (size_t)flow->bandCount);
	tnMemory_Free(memory, flow->bandList, sizeof(int) * (size_t)flow->bandCount);
	tnMemory_Free(memory, flow, sizeof(tnFlow));
}

const tnFlowKernels* tnFlow_GetKernels(const tnFlow* flow)
{
	return flow->kernels;
}

// ---------------------------------------------------------------------------------------------------------------------
// One trip

typedef struct tnTrip
{
	tnFlow* flow;
	tnGrid* grid;
	const tnTiles* tiles;
	const tnEdges* edges;
	const tnFlowParameters* parameters;
	float courant;
	int subStepCount;
	bool keepPrevious;
	bool wrapX, wrapZ;
} tnTrip;

// A band during a trip: rows [begin, end) are its own.
typedef struct tnBand
{
	const tnTrip* trip;
	tnRow* rows; // rows[r - tableBegin] is row r, which is a ghost or beyond the world for wrapped ones
	int tableBegin;
	int begin, end;
	tnTripResult* result;
} tnBand;

static inline const tnRow* tnGetRow(const tnBand* band, int row)
{
	return band->rows + (row - band->tableBegin);
}

// The row of the world that a row stands for.
static inline int tnWrapRow(const tnTrip* trip, int row)
{
	int count = trip->grid->rowCount;
	return trip->wrapZ ? ((row % count) + count) % count : row;
}

static tnSpanList tnGetRowSpans(const tnTrip* trip, int row)
{
	return tnTiles_GetSpans(trip->tiles, tnWrapRow(trip, row) / TN_TILE_SIZE);
}

// Spans of the Z faces between row - 1 and row.
static tnSpanList tnGetFaceSpans(const tnTrip* trip, int row, bool* partial)
{
	int above = tnWrapRow(trip, row - 1);
	int below = tnWrapRow(trip, row);
	*partial = false;
	if (above < 0)
	{
		return tnTiles_GetSpans(trip->tiles, 0);
	}
	int tileAbove = above / TN_TILE_SIZE;
	if (below == trip->grid->rowCount || below / TN_TILE_SIZE == tileAbove)
	{
		return tnTiles_GetSpans(trip->tiles, tileAbove);
	}
	*partial = true;
	return tnTiles_GetSharedSpans(trip->tiles, tileAbove);
}

static void tnClearRow(const tnGrid* grid, float* row)
{
	memset(row, 0, (size_t)(grid->stride - 2 * TN_ROW_PAD) * sizeof(float));
}

// Where the discharge of the X faces of a row is, and of the Z faces between row - 1 and row.
static float* tnGetDischargeX(const tnBand* band, const tnStage* stage, int row)
{
	return band->trip->flow->linear ? stage->dischargeX[row & 1] : tnGetRow(band, row)->flowX;
}

static float* tnGetDischargeZ(const tnBand* band, const tnStage* stage, int row)
{
	return band->trip->flow->linear ? stage->dischargeZ[row & 3] : tnGetRow(band, row)->flowZ;
}

static tnFaceRow tnGetFacesX(const tnBand* band, const tnStage* stage, int row)
{
	const tnRow* r = tnGetRow(band, row);
	return (tnFaceRow){r->bed - 1, r->depth - 1, r->bed, r->depth, r->flowX, tnGetDischargeX(band, stage, row)};
}

static tnFaceRow tnGetFacesZ(const tnBand* band, const tnStage* stage, int row)
{
	const tnRow* above = tnGetRow(band, row - 1);
	const tnRow* below = tnGetRow(band, row);
	return (tnFaceRow){
		above->bed, above->depth, below->bed, below->depth, below->flowZ, tnGetDischargeZ(band, stage, row)};
}

// The Z faces between row - 1 and row.
static void tnAccelerateZ(const tnBand* band, const tnStage* stage, int row)
{
	const tnTrip* trip = band->trip;
	const tnFaceRow faces = tnGetFacesZ(band, stage, row);
	bool partial;
	const tnSpanList list = tnGetFaceSpans(trip, row, &partial);
	if (partial && trip->flow->linear)
	{
		// Faces of sleeping tiles hold zeros in the state, but not in the slots of a stage.
		tnClearRow(trip->grid, faces.discharge);
	}
	for (int i = 0; i < list.count; ++i)
	{
		trip->flow->faces.row(
			trip->parameters, &faces, trip->parameters->pushZ, list.spans[i].begin, list.spans[i].end);
	}
}

// Set a face to a discharge that does not come from the kernels.
static void tnSetFace(const tnFaceRow* faces, int face, float discharge, float velocity)
{
	faces->flow[face] = velocity;
	faces->discharge[face] = discharge;
}

static void tnSetEdgeFace(const tnTrip* trip, const tnFaceRow* faces, int face, float discharge, float depth)
{
	const float velocity = depth > TN_DRY_DEPTH ? discharge / depth : 0.0f;
	// Adding zero turns -0 into 0: a face at rest has the bits of one that sleeps.
	tnSetFace(faces, face, discharge + 0.0f, (trip->flow->linear ? velocity : discharge) + 0.0f);
}

// The X faces at the ends of spans and at the edges of the world.
static void tnSetEndFacesX(const tnBand* band, const tnFaceRow* faces, int row, tnSpanList list)
{
	const tnTrip* trip = band->trip;
	const tnRow* r = tnGetRow(band, row);
	const int n = trip->grid->columnCount;
	for (int i = 0; i < list.count; ++i)
	{
		// Between an awake and a sleeping tile nothing flows.
		const tnSpan span = list.spans[i];
		if (span.begin > 0)
		{
			tnSetFace(faces, span.begin, 0.0f, 0.0f);
		}
		if (span.end < n)
		{
			tnSetFace(faces, span.end, 0.0f, 0.0f);
		}
	}

	const bool atWest = list.spans[0].begin == 0;
	const bool atEast = list.spans[list.count - 1].end >= n;
	if (atEast && list.spans[list.count - 1].end == n)
	{
		// The last face lies just outside the tiles.
		trip->flow->faces.row(trip->parameters, faces, trip->parameters->pushX, n, n + TN_ROW_PAD);
	}
	if (trip->wrapX)
	{
		if (!atWest || !atEast)
		{
			tnSetFace(faces, 0, 0.0f, 0.0f);
		}
		tnSetFace(faces, n, faces->discharge[0], faces->flow[0]);
		return;
	}
	if (atWest && tnEdges_Overrides(trip->edges, tn_west))
	{
		const float out = tnEdges_GetOutflow(trip->edges, tn_west, tnWrapRow(trip, row), r->bed[0], r->depth[0],
			-faces->discharge[1], trip->parameters->sectionLimit);
		tnSetEdgeFace(trip, faces, 0, -out, r->depth[0]);
	}
	if (atEast && tnEdges_Overrides(trip->edges, tn_east))
	{
		const float out = tnEdges_GetOutflow(trip->edges, tn_east, tnWrapRow(trip, row), r->bed[n - 1], r->depth[n - 1],
			faces->discharge[n - 1], trip->parameters->sectionLimit);
		tnSetEdgeFace(trip, faces, n, out, r->depth[n - 1]);
	}
}

// A: the X faces of a row and the Z faces below it.
static void tnAccelerateRow(const tnBand* band, const tnStage* stage, int row)
{
	const tnTrip* trip = band->trip;
	const tnFaceRow facesX = tnGetFacesX(band, stage, row);
	const tnSpanList list = tnGetRowSpans(trip, row);
	bool partial;
	tnGetFaceSpans(trip, row + 1, &partial);
	if (partial)
	{
		for (int i = 0; i < list.count; ++i)
		{
			trip->flow->faces.row(
				trip->parameters, &facesX, trip->parameters->pushX, list.spans[i].begin, list.spans[i].end);
		}
		tnAccelerateZ(band, stage, row + 1);
	}
	else
	{
		const tnFaceRow facesZ = tnGetFacesZ(band, stage, row + 1);
		for (int i = 0; i < list.count; ++i)
		{
			trip->flow->faces.both(trip->parameters, &facesX, &facesZ, list.spans[i].begin, list.spans[i].end);
		}
	}
	if (list.count > 0)
	{
		tnSetEndFacesX(band, &facesX, row, list);
	}
}

// Let the north or south edge decide about its faces. `row` is the row inside.
static void tnSetEdgeFacesZ(const tnBand* band, const tnStage* stage, int row, tnSide side)
{
	const tnTrip* trip = band->trip;
	if (!tnEdges_Overrides(trip->edges, side))
	{
		return;
	}
	const tnRow* r = tnGetRow(band, row);
	const bool north = side == tn_north;
	const tnFaceRow faces = tnGetFacesZ(band, stage, north ? row : row + 1);
	const float* inner = tnGetDischargeZ(band, stage, north ? row + 1 : row);
	const float outward = north ? -1.0f : 1.0f;
	const tnSpanList list = tnGetRowSpans(trip, row);
	for (int i = 0; i < list.count; ++i)
	{
		const int end = tnMinInt(list.spans[i].end, trip->grid->columnCount);
		for (int c = list.spans[i].begin; c < end; ++c)
		{
			const float out = tnEdges_GetOutflow(
				trip->edges, side, c, r->bed[c], r->depth[c], outward * inner[c], trip->parameters->sectionLimit);
			tnSetEdgeFace(trip, &faces, c, outward * out, r->depth[c]);
		}
	}
}

static tnLimitRow tnGetLimitRow(const tnBand* band, const tnStage* stage, int row)
{
	return (tnLimitRow){tnGetRow(band, row)->depth, tnGetDischargeX(band, stage, row),
		tnGetDischargeZ(band, stage, row), tnGetDischargeZ(band, stage, row + 1), stage->scale[row & 1]};
}

// What enters from outside is not limited by what a ghost holds.
static void tnSetGhostScales(const tnTrip* trip, float* scale)
{
	const int n = trip->grid->columnCount;
	scale[-1] = trip->wrapX ? scale[n - 1] : 1.0f;
	scale[n] = trip->wrapX ? scale[0] : 1.0f;
}

// B: what each cell of a row can afford.
static void tnLimitCells(const tnBand* band, tnStage* stage, int row)
{
	const tnTrip* trip = band->trip;
	const tnLimitRow limit = tnGetLimitRow(band, stage, row);
	const tnSpanList list = tnGetRowSpans(trip, row);
	bool limited = false;
	for (int i = 0; i < list.count; ++i)
	{
		limited |= trip->flow->kernels->limit(trip->parameters, &limit, list.spans[i].begin, list.spans[i].end);
	}
	tnSetGhostScales(trip, limit.scale);
	stage->limited[row & 1] = limited;
}

static void tnLimitNothing(const tnBand* band, tnStage* stage, int row)
{
	float* scale = stage->scale[row & 1];
	const int end = band->trip->grid->stride - TN_ROW_PAD;
	for (int c = -1; c < end; ++c)
	{
		scale[c] = 1.0f;
	}
	stage->limited[row & 1] = false;
}

static void tnBookEdges(const tnBand* band, const tnStage* stage, int row)
{
	const tnTrip* trip = band->trip;
	const tnEdge* sides = trip->edges->sides;
	const int n = trip->grid->columnCount;
	double* book = band->result->edgeDepths;
	const double spread = trip->parameters->spread;
	const tnSpanList list = tnGetRowSpans(trip, row);
	if (list.count == 0)
	{
		return;
	}

	const float* limitedX = tnGetDischargeX(band, stage, row);
	if (sides[tn_west].def.kind != tn_wallEdge && !trip->wrapX && list.spans[0].begin == 0)
	{
		book[tn_west] += spread * limitedX[0];
	}
	if (sides[tn_east].def.kind != tn_wallEdge && !trip->wrapX && list.spans[list.count - 1].end >= n)
	{
		book[tn_east] -= spread * limitedX[n];
	}

	for (int side = tn_north; side <= tn_south; ++side)
	{
		const bool north = side == tn_north;
		if (row != (north ? 0 : trip->grid->rowCount - 1) || sides[side].def.kind == tn_wallEdge || trip->wrapZ)
		{
			continue;
		}
		const int face = north ? row : row + 1;
		const float* limitedZ = tnGetDischargeZ(band, stage, face);
		double sum = 0.0;
		for (int i = 0; i < list.count; ++i)
		{
			const int end = tnMinInt(list.spans[i].end, n);
			for (int c = list.spans[i].begin; c < end; ++c)
			{
				sum += limitedZ[c];
			}
		}
		book[side] += north ? spread * sum : -spread * sum;
	}
}

// The discharge of the sub-step, for tracers.
static void tnKeepDischarge(const tnBand* band, const tnStage* stage, int row)
{
	tnGrid* grid = band->trip->grid;
	const float* limitedX = tnGetDischargeX(band, stage, row);
	const float* limitedAbove = tnGetDischargeZ(band, stage, row);
	const float* limitedBelow = tnGetDischargeZ(band, stage, row + 1);
	const tnSpanList list = tnGetRowSpans(band->trip, row);
	for (int i = 0; i < list.count; ++i)
	{
		const int begin = list.spans[i].begin;
		const size_t byteCount = (size_t)(list.spans[i].end - begin) * sizeof(float);
		const ptrdiff_t index = tnGrid_Index(grid, begin, row);
		memcpy(grid->dischargeX + index, limitedX + begin, byteCount + sizeof(float));
		memcpy(grid->dischargeZ + index, limitedAbove + begin, byteCount);
		if (row == grid->rowCount - 1)
		{
			memcpy(grid->dischargeZ + index + grid->stride, limitedBelow + begin, byteCount);
		}
	}
}

// Where the depth before the step is kept, or NULL. The first sub-step of the first trip has it in its hands.
static float* tnGetPrevious(const tnBand* band, const tnStage* stage, int row)
{
	const tnTrip* trip = band->trip;
	const bool keep = trip->keepPrevious && stage->first && row >= band->begin && row < band->end;
	return keep ? trip->grid->previousDepth + tnGrid_Index(trip->grid, 0, row) : NULL;
}

static tnFinishRow tnGetFinishRow(const tnBand* band, const tnStage* stage, int row)
{
	const tnRow* r = tnGetRow(band, row);
	return (tnFinishRow){
		.depth = r->depth,
		.dischargeX = tnGetDischargeX(band, stage, row),
		.dischargeAbove = tnGetDischargeZ(band, stage, row),
		.dischargeBelow = tnGetDischargeZ(band, stage, row + 1),
		.velocityX = r->flowX,
		.velocityBelow = tnGetRow(band, row + 1)->flowZ,
		.scale = stage->scale[row & 1],
		.scaleBelow = stage->scale[(row + 1) & 1],
		.previous = tnGetPrevious(band, stage, row),
		.columnCount = band->trip->grid->columnCount,
	};
}

// Of the cells of a row that are awake.
static float tnFindMaxDepth(const float* depth, tnSpanList list, int columnCount)
{
	float largest = 0.0f;
	for (int i = 0; i < list.count; ++i)
	{
		for (int c = list.spans[i].begin; c < tnMinInt(list.spans[i].end, columnCount); ++c)
		{
			largest = tnMaxFloat(largest, depth[c]);
		}
	}
	return largest;
}

// What is left to do for a row whose water has been moved.
static void tnCloseRow(const tnBand* band, const tnStage* stage, int row, float maxDepth)
{
	const tnTrip* trip = band->trip;
	const int n = trip->grid->columnCount;
	const tnRow* r = tnGetRow(band, row);
	const tnSpanList list = tnGetRowSpans(trip, row);
	if (list.count > 0 && list.spans[list.count - 1].end == n && stage->limited[row & 1])
	{
		// The last face lies just outside the tiles.
		const tnFinishRow finish = tnGetFinishRow(band, stage, row);
		const float factor = finish.dischargeX[n] > 0.0f ? finish.scale[n - 1] : finish.scale[n];
		finish.dischargeX[n] *= factor;
		finish.velocityX[n] *= trip->flow->linear ? factor : 1.0f;
	}

	const bool own = row >= band->begin && row < band->end;
	if (own)
	{
		tnBookEdges(band, stage, row);
		if (stage->last && trip->grid->dischargeX != NULL)
		{
			tnKeepDischarge(band, stage, row);
		}
	}
	if (trip->edges->anySponge)
	{
		double ignored[tn_sideCount] = {0.0};
		const bool isLast = !trip->wrapZ && row == trip->grid->rowCount - 1;
		tnEdges_RelaxRow(trip->edges, trip->grid, r, isLast ? tnGetRow(band, row + 1)->flowZ : NULL,
			tnWrapRow(trip, row), trip->courant,
			trip->tiles->sleepSpeed * trip->parameters->spread * trip->grid->cellSize,
			own ? trip->tiles->relaxing + (ptrdiff_t)(row / TN_TILE_SIZE) * trip->tiles->columnCount : NULL, list,
			own ? band->result->edgeDepths : ignored);
		maxDepth = tnFindMaxDepth(r->depth, list, n);
	}
	if (own && stage->last)
	{
		band->result->maxDepth = tnMaxFloat(band->result->maxDepth, maxDepth);
	}
	tnEdges_SetRowGhosts(trip->edges, trip->grid, r);
}

// C: limit the faces of a row and move its water.
static void tnFinishCells(const tnBand* band, const tnStage* stage, int row)
{
	const tnTrip* trip = band->trip;
	const bool linear = trip->flow->linear;
	const tnSpanList list = tnGetRowSpans(trip, row);
	const bool limited = stage->limited[row & 1] || stage->limited[(row + 1) & 1];
	const tnFinishRow finish = tnGetFinishRow(band, stage, row);
	float maxDepth = 0.0f;
	for (int i = 0; i < list.count; ++i)
	{
		maxDepth = tnMaxFloat(maxDepth,
			trip->flow->kernels->finish[linear][limited](
				trip->parameters, &finish, list.spans[i].begin, list.spans[i].end));
	}
	tnCloseRow(band, stage, row, maxDepth);
}

// B of a row and C of the row above it, where both have the same spans.
static void tnLimitAndFinishCells(const tnBand* band, tnStage* stage, int row)
{
	const tnTrip* trip = band->trip;
	const tnSpanList list = tnGetRowSpans(trip, row);
	const tnLimitRow limit = tnGetLimitRow(band, stage, row);
	const tnFinishRow finish = tnGetFinishRow(band, stage, row - 1);
	float maxDepth = 0.0f;
	bool limited = false;
	for (int i = 0; i < list.count; ++i)
	{
		const tnSpan span = list.spans[i];
		maxDepth = tnMaxFloat(maxDepth,
			trip->flow->kernels->limitAndFinish[trip->flow->linear](
				trip->parameters, &limit, &finish, stage->limited[(row - 1) & 1], &limited, span.begin, span.end));
	}
	tnSetGhostScales(trip, limit.scale);
	stage->limited[row & 1] = limited;
	tnCloseRow(band, stage, row - 1, maxDepth);
}

// Limit the upper faces of the first row of a stage: no row above it is finished that would do it.
static void tnLimitFirstFaces(const tnBand* band, const tnStage* stage, int row)
{
	const tnTrip* trip = band->trip;
	float* velocity = trip->flow->linear ? tnGetRow(band, row)->flowZ : NULL;
	bool partial;
	const tnSpanList list = tnGetFaceSpans(trip, row, &partial);
	for (int i = 0; i < list.count; ++i)
	{
		trip->flow->kernels->limitFaces(tnGetDischargeZ(band, stage, row), velocity, stage->scale[(row - 1) & 1],
			stage->scale[row & 1], list.spans[i].begin, list.spans[i].end);
	}
}

// Bring one sub-step to position `row`.
static void tnVisitRow(const tnBand* band, tnStage* stage, int row)
{
	const tnTrip* trip = band->trip;
	const bool inside = trip->wrapZ || (row >= 0 && row < trip->grid->rowCount);
	if (!inside)
	{
		// A ghost row: only the faces between it and the world matter.
		if (row < 0)
		{
			tnAccelerateZ(band, stage, 0);
		}
		tnLimitNothing(band, stage, row);
		if (row > stage->rowBegin)
		{
			tnFinishCells(band, stage, row - 1);
		}
		return;
	}

	if (row == stage->rowBegin - 1)
	{
		tnAccelerateZ(band, stage, row);
	}
	tnAccelerateRow(band, stage, row);
	if (row == 0 && !trip->wrapZ)
	{
		tnSetEdgeFacesZ(band, stage, row, tn_north);
	}
	if (row == trip->grid->rowCount - 1 && !trip->wrapZ)
	{
		tnSetEdgeFacesZ(band, stage, row, tn_south);
	}

	bool partial;
	tnGetFaceSpans(trip, row, &partial);
	if (row > stage->rowBegin && !partial)
	{
		tnLimitAndFinishCells(band, stage, row);
		return;
	}
	tnLimitCells(band, stage, row);
	if (row == stage->rowBegin)
	{
		tnLimitFirstFaces(band, stage, row);
	}
	else if (row > stage->rowBegin)
	{
		tnFinishCells(band, stage, row - 1);
	}
}

// First row and end of the rows that a band needs besides its own.
static void tnGetHalo(const tnTrip* trip, int begin, int end, int* haloBegin, int* haloEnd)
{
	int reach = 2 * trip->subStepCount;
	*haloBegin = trip->wrapZ ? begin - reach : tnMaxInt(begin - reach, 0);
	*haloEnd = trip->wrapZ ? end + reach : tnMinInt(end + reach, trip->grid->rowCount);
}

// Memory for the copy of a halo row: upper rows first, then lower rows.
static tnRow tnGetHaloSlot(const tnTrip* trip, int bandIndex, int slot)
{
	const ptrdiff_t stride = trip->grid->stride;
	float* memory = trip->flow->haloMemory + ((ptrdiff_t)bandIndex * TN_HALO_SLOTS + slot) * 3 * stride + TN_ROW_PAD;
	return (tnRow){NULL, memory, memory + stride, memory + 2 * stride};
}

static tnRow tnGetGridRow(const tnGrid* grid, int row)
{
	const ptrdiff_t index = tnGrid_Index(grid, 0, row);
	return (tnRow){grid->bed + index, grid->depth + index, grid->flowX + index, grid->flowZ + index};
}

static void tnCopySpans(float* target, const float* source, tnSpanList list, int columnCount)
{
	for (int i = 0; i < list.count; ++i)
	{
		// One more on either side: ghosts, and the faces at the end.
		const int begin = list.spans[i].begin - 1;
		const int end = tnMinInt(list.spans[i].end, columnCount) + 1;
		memcpy(target + begin, source + begin, (size_t)(end - begin) * sizeof(float));
	}
}

static void tnBandBounds(const tnTrip* trip, int bandIndex, int* begin, int* end)
{
	*begin = bandIndex * trip->flow->bandRows;
	*end = tnMinInt(*begin + trip->flow->bandRows, trip->grid->rowCount);
}

static void tnCopyHaloRows(const tnTrip* trip, int bandIndex, int begin, int end, int firstSlot)
{
	for (int row = begin; row < end; ++row)
	{
		const tnRow source = tnGetGridRow(trip->grid, tnWrapRow(trip, row));
		const tnRow target = tnGetHaloSlot(trip, bandIndex, firstSlot + row - begin);
		const tnSpanList list = tnGetRowSpans(trip, row);
		tnCopySpans(target.depth, source.depth, list, trip->grid->columnCount);
		tnCopySpans(target.flowX, source.flowX, list, trip->grid->columnCount);
		tnCopySpans(target.flowZ, source.flowZ, list, trip->grid->columnCount);
		if (trip->wrapZ || row > 0)
		{
			// Where the tile above is awake and this one sleeps, the faces between them are read too: zeros.
			tnCopySpans(target.flowZ, source.flowZ, tnGetRowSpans(trip, row - 1), trip->grid->columnCount);
		}
	}
}

static void tnCopyHalo(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnTrip* trip = context;
	const tnGrid* grid = trip->grid;
	const int bandIndex = trip->flow->bandList[item];
	int begin, end, haloBegin, haloEnd;
	tnBandBounds(trip, bandIndex, &begin, &end);
	tnGetHalo(trip, begin, end, &haloBegin, &haloEnd);
	tnCopyHaloRows(trip, bandIndex, haloBegin, begin, 0);
	tnCopyHaloRows(trip, bandIndex, end, haloEnd, TN_HALO_ROWS);

	if (haloEnd == grid->rowCount && end < grid->rowCount && !trip->wrapZ)
	{
		// The faces of the last edge belong to the last band: work on a copy.
		const tnRow target = tnGetHaloSlot(trip, bandIndex, TN_HALO_ROWS + haloEnd - end);
		const tnRow source = tnGetGridRow(grid, grid->rowCount);
		tnCopySpans(target.flowZ, source.flowZ, tnGetRowSpans(trip, grid->rowCount - 1), grid->columnCount);
	}
}

static void tnFillRowTable(tnBand* band, int bandIndex)
{
	const tnTrip* trip = band->trip;
	const tnGrid* grid = trip->grid;
	int haloBegin, haloEnd;
	tnGetHalo(trip, band->begin, band->end, &haloBegin, &haloEnd);
	band->tableBegin = haloBegin - 1;
	for (int row = haloBegin - 1; row <= haloEnd; ++row)
	{
		tnRow* entry = band->rows + (row - band->tableBegin);
		if (row >= band->begin && row < band->end)
		{
			*entry = tnGetGridRow(grid, row);
			continue;
		}
		if (row == haloBegin - 1 || row == haloEnd)
		{
			// Ghost rows of the world; never looked at where there are none.
			*entry = tnGetGridRow(grid, trip->wrapZ ? 0 : row);
			if (row == haloEnd && row > band->end)
			{
				entry->flowZ = tnGetHaloSlot(trip, bandIndex, TN_HALO_ROWS + row - band->end).flowZ;
			}
			continue;
		}
		*entry = tnGetHaloSlot(trip, bandIndex, row < band->begin ? row - haloBegin : TN_HALO_ROWS + row - band->end);
		entry->bed = tnGetGridRow(grid, tnWrapRow(trip, row)).bed;
	}
}

static void tnRunBand(int item, int workerIndex, void* context)
{
	const tnTrip* trip = context;
	tnFlowWorker* worker = trip->flow->workers + workerIndex;
	const int bandIndex = trip->flow->bandList[item];
	tnBand band = {.trip = trip, .rows = worker->rows, .result = trip->flow->results + bandIndex};
	tnBandBounds(trip, bandIndex, &band.begin, &band.end);
	*band.result = (tnTripResult){0};
	tnFillRowTable(&band, bandIndex);

	const int last = trip->subStepCount - 1;
	for (int i = 0; i <= last; ++i)
	{
		tnStage* stage = worker->stages + i;
		int reach = 2 * (last - i);
		stage->rowBegin = trip->wrapZ ? band.begin - reach : tnMaxInt(band.begin - reach, 0);
		stage->rowEnd = trip->wrapZ ? band.end + reach : tnMinInt(band.end + reach, trip->grid->rowCount);
		stage->first = i == 0;
		stage->last = i == last;
	}

	for (int front = worker->stages[0].rowBegin - 1; front <= band.end + 2 * last; ++front)
	{
		for (int i = 0; i <= last; ++i)
		{
			tnStage* stage = worker->stages + i;
			const int row = front - 2 * i;
			if (row >= stage->rowBegin - 1 && row <= stage->rowEnd)
			{
				tnVisitRow(&band, stage, row);
			}
		}
	}
}

// The faces of the south edge of a wrapped world are those of the north edge, and its ghost rows the rows across. The
// flow works on copies of both; queries read these.
static void tnMirrorWrap(tnGrid* grid)
{
	const size_t rowBytes = (size_t)grid->columnCount * sizeof(float);
	const ptrdiff_t end = tnGrid_Index(grid, 0, grid->rowCount);
	memcpy(grid->flowZ + end, grid->flowZ, rowBytes);
	memcpy(grid->depth + end, grid->depth, rowBytes);
	memcpy(grid->depth - grid->stride, grid->depth + end - grid->stride, rowBytes);
}

tnTripResult tnFlow_Run(tnFlow* flow, tnGrid* grid, const tnTiles* tiles, const tnEdges* edges, tnParallel* parallel,
	const tnFlowParameters* parameters, float courant, int subStepCount, bool keepPrevious)
{
	TN_ASSERT(0 < subStepCount && subStepCount <= TN_TRIP_LIMIT);
	tnTrip trip = {
		.flow = flow,
		.grid = grid,
		.tiles = tiles,
		.edges = edges,
		.parameters = parameters,
		.courant = courant,
		.subStepCount = subStepCount,
		.keepPrevious = keepPrevious,
		.wrapX = edges->sides[tn_west].def.kind == tn_wrapEdge,
		.wrapZ = edges->sides[tn_north].def.kind == tn_wrapEdge,
	};

	int bandCount = 0;
	for (int band = 0; band < flow->bandCount; ++band)
	{
		int begin, end;
		tnBandBounds(&trip, band, &begin, &end);
		int awake = 0;
		for (int tileRow = begin / TN_TILE_SIZE; tileRow <= (end - 1) / TN_TILE_SIZE; ++tileRow)
		{
			awake += tnTiles_GetSpans(tiles, tileRow).count;
		}
		if (awake > 0)
		{
			flow->bandList[bandCount] = band;
			bandCount += 1;
		}
	}

	memset(tiles->relaxing, 0, (size_t)tiles->count);
	tnParallelFor(parallel, bandCount, tnCopyHalo, &trip);
	tnParallelFor(parallel, bandCount, tnRunBand, &trip);

	if (trip.wrapZ)
	{
		tnMirrorWrap(grid);
	}

	tnTripResult total = {0};
	for (int i = 0; i < bandCount; ++i)
	{
		const tnTripResult* result = flow->results + flow->bandList[i];
		for (int side = 0; side < tn_sideCount; ++side)
		{
			total.edgeDepths[side] += result->edgeDepths[side];
		}
		total.maxDepth = tnMaxFloat(total.maxDepth, result->maxDepth);
	}
	return total;
}
