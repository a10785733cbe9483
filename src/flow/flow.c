// SPDX-License-Identifier: MIT

// The order in which rows are computed.
//
// A sub-step visits rows from north to south and updates the state in place (flow_stage.c says what it does at a row).
// Each array is read once and written once: 28 bytes per cell (bed, depth, two flows read; depth, two flows written).
//
// The next sub-step can follow a few rows behind (its lag): two for pipes and linear, which need depths of rows r and
// r+1, finished when the first is at position r+2; three to five where water carries its momentum along. A trip takes
// up to four sub-steps like this through the world, so that memory is read and written once for all of them; the rows
// between the first and the last stay in the cache.
//
//   row  0 1 2 3 4 5 6 7 8
//        4 4 3 3 2 2 1 1 .      sub-step that visits the row, at one moment, with a lag of two
//
// For threads the world is cut into bands of rows of fixed height. In one sub-step a row depends on some rows on either
// side (the reach of the method: two to five), so a band first copies reach * sub-steps old rows of its neighbours
// (halo) and computes those too, each sub-step `reach` rows fewer. The same operations on the same numbers give the
// same bits in both bands. For pipes the cost is 24 row updates per seam and trip of four sub-steps: 2 % for bands of
// 256 rows, 9 % for 64.

#include "flow.h"

#include "flow_stage.h"

#include <string.h>

enum
{
	TN_MAX_BAND_TILES = 4,
	// Depth, both flows, residual.
	TN_HALO_FIELDS = 4,
	// Halo rows on one side at most, for any method (checked on creation).
	TN_MAX_HALO_ROWS = 16,
	TN_TABLE_ROWS = TN_MAX_BAND_TILES * TN_TILE_SIZE + 2 * TN_MAX_HALO_ROWS + 2,
};

typedef struct tnFlowWorker
{
	tnStage stages[TN_TRIP_LIMIT];
	tnRow rows[TN_TABLE_ROWS];
} tnFlowWorker;

// Whether a sub-step of a trip carries momentum along, and for how long.
typedef struct tnTransportPlan
{
	bool transports;
	tnFlowParameters parameters;
} tnTransportPlan;

struct tnFlow
{
	tnScheme scheme;
	tnTransportPlan plan[TN_TRIP_LIMIT];
	int haloRows; // on one side
	int bandRows, bandCount;
	int workerCount;
	float* haloMemory;  // by band, rows of TN_HALO_FIELDS arrays: above, below, and the ghost row below the last
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

// Lower halos hold one more row: the ghost row below the last.
static int tnGetHaloSlots(const tnFlow* flow)
{
	return 2 * flow->haloRows + 1;
}

tnFlow* tnCreateFlow(tnMemory* memory, const tnGrid* grid, const tnWorldDef* def, int workerCount)
{
	tnFlow* flow = tnMemory_Alloc(memory, sizeof(tnFlow));
	if (flow == NULL)
	{
		return NULL;
	}
	flow->scheme = tnMakeScheme(def);
	flow->haloRows = flow->scheme.reach * flow->scheme.tripLimit;
	TN_ASSERT(flow->haloRows <= TN_MAX_HALO_ROWS);
	flow->bandRows = tnGetBandTiles(grid) * TN_TILE_SIZE;
	flow->bandCount = (grid->rowCount + flow->bandRows - 1) / flow->bandRows;
	flow->workerCount = workerCount;

	size_t rowBytes = (size_t)grid->stride * sizeof(float);
	flow->haloBytes = rowBytes * (size_t)tnGetHaloSlots(flow) * TN_HALO_FIELDS * (size_t)flow->bandCount;
	tnStage none;
	tnCarver sizes = {0};
	tnStage_Deal(&none, &flow->scheme, &sizes, grid->stride);
	flow->stageBytes = sizes.used * TN_TRIP_LIMIT * (size_t)workerCount;
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

	tnCarver carver = {.block = (char*)flow->stageMemory};
	for (int worker = 0; worker < workerCount; ++worker)
	{
		for (int i = 0; i < TN_TRIP_LIMIT; ++i)
		{
			tnStage_Deal(flow->workers[worker].stages + i, &flow->scheme, &carver, grid->stride);
		}
	}
	return flow;
}

void tnFlow_Retune(tnFlow* flow, const tnWorldDef* def)
{
	const tnScheme scheme = tnMakeScheme(def);
	// What memory was laid out for.
	TN_ASSERT(scheme.reach == flow->scheme.reach && scheme.transport == flow->scheme.transport);
	TN_ASSERT(scheme.transports == flow->scheme.transports && scheme.storesVelocity == flow->scheme.storesVelocity);
	flow->scheme = scheme;
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
	return flow->scheme.kernels;
}

int tnFlow_GetTripLimit(const tnFlow* flow)
{
	return flow->scheme.tripLimit;
}

int tnFlow_GetBandCount(const tnFlow* flow)
{
	return flow->bandCount;
}

void tnFlow_GetBandRows(const tnFlow* flow, const tnGrid* grid, int band, int* begin, int* end)
{
	*begin = band * flow->bandRows;
	*end = tnMinInt(*begin + flow->bandRows, grid->rowCount);
}

float* tnFlow_GetScratch(tnFlow* flow, const tnGrid* grid, int band)
{
	return flow->haloMemory + (ptrdiff_t)band * tnGetHaloSlots(flow) * TN_HALO_FIELDS * grid->stride + TN_ROW_PAD;
}

// First row and end of the rows that a band needs besides its own.
static void tnGetHalo(const tnTrip* trip, int begin, int end, int* haloBegin, int* haloEnd)
{
	const int reach = trip->scheme->reach * trip->subStepCount;
	*haloBegin = trip->wrapZ ? begin - reach : tnMaxInt(begin - reach, 0);
	*haloEnd = trip->wrapZ ? end + reach : tnMinInt(end + reach, trip->grid->rowCount);
}

// Memory for the copy of a halo row: upper rows first, then lower rows.
static tnRow tnGetHaloSlot(const tnTrip* trip, int bandIndex, int slot)
{
	const ptrdiff_t stride = trip->grid->stride;
	float* memory = trip->flow->haloMemory +
		((ptrdiff_t)bandIndex * tnGetHaloSlots(trip->flow) + slot) * TN_HALO_FIELDS * stride + TN_ROW_PAD;
	return (tnRow){NULL, memory, memory + stride, memory + 2 * stride, memory + 3 * stride};
}

static tnRow tnGetGridRow(const tnGrid* grid, int row)
{
	const ptrdiff_t index = tnGrid_Index(grid, 0, row);
	return (tnRow){grid->bed + index, grid->depth + index, grid->flowX + index, grid->flowZ + index,
		grid->residual != NULL ? grid->residual + index : NULL};
}

static void tnCopySpans(float* target, const float* source, tnSpanList list, int columnCount)
{
	for (int i = 0; i < list.count; ++i)
	{
		// Two more on either side: ghosts, the faces at the end, and what second order sees of sleeping tiles.
		const int begin = list.spans[i].begin - 2;
		const int end = tnMinInt(list.spans[i].end, columnCount) + 2;
		memcpy(target + begin, source + begin, (size_t)(end - begin) * sizeof(float));
	}
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
		if (source.residual != NULL)
		{
			tnCopySpans(target.residual, source.residual, list, trip->grid->columnCount);
		}
		if (trip->wrapZ || row > 0)
		{
			// Where the tile above is awake and this one sleeps, the faces between them are read too: zeros.
			tnCopySpans(target.flowZ, source.flowZ, tnGetRowSpans(trip, row - 1), trip->grid->columnCount);
		}
		for (int near = row - 2; near <= row + 2 && trip->scheme->reconstructs; near += 4)
		{
			// Second order sees depths of tiles that sleep.
			if (trip->wrapZ || (near >= 0 && near < trip->grid->rowCount))
			{
				tnCopySpans(target.depth, source.depth, tnGetRowSpans(trip, near), trip->grid->columnCount);
			}
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
	tnFlow_GetBandRows(trip->flow, trip->grid, bandIndex, &begin, &end);
	tnGetHalo(trip, begin, end, &haloBegin, &haloEnd);
	tnCopyHaloRows(trip, bandIndex, haloBegin, begin, 0);
	tnCopyHaloRows(trip, bandIndex, end, haloEnd, trip->flow->haloRows);

	if (haloEnd == grid->rowCount && end < grid->rowCount && !trip->wrapZ)
	{
		// The faces of the last edge belong to the last band: work on a copy.
		const tnRow target = tnGetHaloSlot(trip, bandIndex, trip->flow->haloRows + haloEnd - end);
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
				entry->flowZ = tnGetHaloSlot(trip, bandIndex, trip->flow->haloRows + row - band->end).flowZ;
			}
			continue;
		}
		*entry = tnGetHaloSlot(
			trip, bandIndex, row < band->begin ? row - haloBegin : trip->flow->haloRows + row - band->end);
		entry->bed = tnGetGridRow(grid, tnWrapRow(trip, row)).bed;
	}
}

static void tnRunBand(int item, int workerIndex, void* context)
{
	const tnTrip* trip = context;
	const tnScheme* scheme = trip->scheme;
	tnFlowWorker* worker = trip->flow->workers + workerIndex;
	const int bandIndex = trip->flow->bandList[item];
	tnBand band = {.trip = trip, .rows = worker->rows, .result = trip->flow->results + bandIndex};
	tnFlow_GetBandRows(trip->flow, trip->grid, bandIndex, &band.begin, &band.end);
	*band.result = (tnTripResult){0};
	tnFillRowTable(&band, bandIndex);

	const int last = trip->subStepCount - 1;
	for (int i = 0; i <= last; ++i)
	{
		tnStage* stage = worker->stages + i;
		stage->transports = trip->flow->plan[i].transports || scheme->looksAcross;
		stage->transport = trip->flow->plan[i].transports ? scheme->transport : TN_TRANSPORT_NOTHING;
		stage->transportParameters = trip->flow->plan[i].parameters;
		const int reach = scheme->reach * (last - i);
		tnStage_SetRows(&band, stage, band.begin - reach, band.end + reach);
		stage->first = i == 0;
		stage->last = i == last;
	}

	const int end = tnStage_GetLast(worker->stages + last, scheme) + scheme->lag * last;
	for (int front = tnStage_GetFirst(worker->stages); front <= end; ++front)
	{
		for (int i = 0; i <= last; ++i)
		{
			tnStage* stage = worker->stages + i;
			const int row = front - scheme->lag * i;
			if (row >= tnStage_GetFirst(stage) && row <= tnStage_GetLast(stage, scheme))
			{
				tnStage_Visit(&band, stage, row);
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

static void tnPlanTransport(tnFlow* flow, tnGrid* grid, const tnFlowParameters* parameters, int subStepCount, int wait)
{
	for (int i = 0; i < subStepCount; ++i)
	{
		tnTransportPlan* plan = flow->plan + i;
		plan->parameters = *parameters;
		plan->transports = false;
		if (!flow->scheme.transports)
		{
			continue;
		}
		grid->waiting += 1;
		grid->waitingSpread += parameters->spread;
		if (grid->waiting >= wait || !flow->scheme.canWait)
		{
			plan->transports = true;
			plan->parameters.waited = grid->waiting > 1 && flow->scheme.canWait;
			plan->parameters.spread = plan->parameters.waited ? grid->waitingSpread : parameters->spread;
			grid->waiting = 0;
			grid->waitingSpread = 0.0f;
		}
	}
}

void tnFlow_Measure(const tnFlow* flow, tnGrid* grid, float gravity)
{
	grid->maxSignal = 0.0f;
	grid->maxFlow = 0.0f;
	for (int row = 0; row < grid->rowCount; ++row)
	{
		const ptrdiff_t index = tnGrid_Index(grid, 0, row);
		const tnSignalRow signal = {
			grid->depth + index, grid->flowX + index, grid->flowZ + index, grid->flowZ + index + grid->stride};
		flow->scheme.kernels->signalSpeed(
			2.0f * gravity, &signal, 0, grid->columnCount, &grid->maxSignal, &grid->maxFlow);
	}
}

tnTripResult tnFlow_Run(tnFlow* flow, tnGrid* grid, const tnTiles* tiles, const tnEdges* edges,
	const tnOverrideSource* overrides, tnParallel* parallel, const tnFlowParameters* parameters, float courant,
	int subStepCount, int wait, bool keepPrevious, bool measure)
{
	tnPlanTransport(flow, grid, parameters, subStepCount, wait);
	TN_ASSERT(0 < subStepCount && subStepCount <= flow->scheme.tripLimit);
	TN_ASSERT(overrides == NULL || subStepCount == 1);
	tnTrip trip = {
		.flow = flow,
		.scheme = &flow->scheme,
		.grid = grid,
		.tiles = tiles,
		.edges = edges,
		.overrides = overrides,
		.parameters = parameters,
		.courant = courant,
		.subStepCount = subStepCount,
		.keepPrevious = keepPrevious,
		.measure = measure,
		.wrapX = edges->sides[tn_west].def.kind == tn_wrapEdge,
		.wrapZ = edges->sides[tn_north].def.kind == tn_wrapEdge,
	};

	int bandCount = 0;
	for (int band = 0; band < flow->bandCount; ++band)
	{
		int begin, end;
		tnFlow_GetBandRows(flow, grid, band, &begin, &end);
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
		total.maxSignal = tnMaxFloat(total.maxSignal, result->maxSignal);
		total.maxFlow = tnMaxFloat(total.maxFlow, result->maxFlow);
	}
	return total;
}
