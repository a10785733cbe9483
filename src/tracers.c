// SPDX-License-Identifier: MIT

// Tracers: concentrations carried by the limited discharge of the flow, first order upwind.
//
//   d(h c)/dt = -d(q c)/dx - d(p c)/dz
//
// What flows into a cell brings the concentration of the cell it comes from; what stays keeps its own:
//
//   c' = (w0 c + sum of wi ci) / (w0 + sum of wi),   wi = dt/dx * inflow through face i,   w0 = h' - sum of wi
//
// h' is the new depth, so w0 is the part of the old water that did not leave, at least 0. This is a mean with positive
// weights: bounds hold, and a constant stays constant. Rounding could break both in the last bit, so the mean is
// clamped to the concentrations that entered it. The amount h c is conserved up to rounding.

#include "tracers.h"

typedef struct tnTracerContext
{
	tnGrid* grid;
	const tnTiles* tiles;
	const tnEdges* edges;
	float spread;
} tnTracerContext;

// Cells that are worked on together: their weights stay in the first-level cache for all channels, and the loops over
// them are simple enough for a compiler to use vectors.
enum
{
	TN_TRACER_CHUNK = TN_TILE_SIZE,
};

typedef struct tnTracerWeights
{
	float west[TN_TRACER_CHUNK];
	float east[TN_TRACER_CHUNK];
	float north[TN_TRACER_CHUNK];
	float south[TN_TRACER_CHUNK];
	float kept[TN_TRACER_CHUNK];
	float total[TN_TRACER_CHUNK];
} tnTracerWeights;

static void tnFindWeights(const tnGrid* grid, ptrdiff_t cell, int count, float spread, tnTracerWeights* weights)
{
	const float* flowX = grid->dischargeX + cell;
	const float* above = grid->dischargeZ + cell;
	const float* below = above + grid->stride;
	const float* depth = grid->depth + cell;
	for (int i = 0; i < count; ++i)
	{
		const float west = spread * tnMaxFloat(flowX[i], 0.0f);
		const float east = spread * tnMaxFloat(-flowX[i + 1], 0.0f);
		const float north = spread * tnMaxFloat(above[i], 0.0f);
		const float south = spread * tnMaxFloat(-below[i], 0.0f);
		const float inflow = (west + east) + (north + south);
		// A cell that is dry and stays dry keeps its number.
		const float left = depth[i] - inflow;
		const float kept = inflow > 0.0f ? tnMaxFloat(left, 0.0f) : 1.0f;
		weights->west[i] = west;
		weights->east[i] = east;
		weights->north[i] = north;
		weights->south[i] = south;
		weights->kept[i] = kept;
		weights->total[i] = kept + inflow;
	}
}

// Widen [low, high] by a concentration that takes part.
static inline void tnWiden(float* low, float* high, float weight, float concentration)
{
	const float forLow = weight > 0.0f ? concentration : TN_WALL;
	const float forHigh = weight > 0.0f ? concentration : -TN_WALL;
	*low = tnMinFloat(*low, forLow);
	*high = tnMaxFloat(*high, forHigh);
}

static void tnMixChunk(
	const float* restrict c, float* restrict next, ptrdiff_t stride, int count, const tnTracerWeights* restrict weights)
{
	for (int i = 0; i < count; ++i)
	{
		float low = TN_WALL;
		float high = -TN_WALL;
		tnWiden(&low, &high, weights->kept[i], c[i]);
		tnWiden(&low, &high, weights->west[i], c[i - 1]);
		tnWiden(&low, &high, weights->east[i], c[i + 1]);
		tnWiden(&low, &high, weights->north[i], c[i - stride]);
		tnWiden(&low, &high, weights->south[i], c[i + stride]);
		const float x = weights->west[i] * c[i - 1] + weights->east[i] * c[i + 1];
		const float z = weights->north[i] * c[i - stride] + weights->south[i] * c[i + stride];
		const float mean = (weights->kept[i] * c[i] + (x + z)) / weights->total[i];
		next[i] = tnMinFloat(tnMaxFloat(mean, low), high);
	}
}

static void tnAdvanceTileRow(int tileRow, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnTracerContext* tracers = context;
	const tnGrid* grid = tracers->grid;
	const tnSpanList list = tnTiles_GetSpans(tracers->tiles, tileRow);
	const int rowEnd = tnMinInt((tileRow + 1) * TN_TILE_SIZE, grid->rowCount);
	tnTracerWeights weights;
	for (int row = tileRow * TN_TILE_SIZE; row < rowEnd; ++row)
	{
		for (int i = 0; i < list.count; ++i)
		{
			const int end = tnMinInt(list.spans[i].end, grid->columnCount);
			for (int begin = list.spans[i].begin; begin < end; begin += TN_TRACER_CHUNK)
			{
				const int count = tnMinInt(TN_TRACER_CHUNK, end - begin);
				const ptrdiff_t cell = tnGrid_Index(grid, begin, row);
				tnFindWeights(grid, cell, count, tracers->spread, &weights);
				for (int channel = 0; channel < grid->tracerCount; ++channel)
				{
					tnMixChunk(grid->tracers[channel] + cell, grid->tracersNext[channel] + cell, grid->stride, count,
						&weights);
				}
			}
		}
	}
}

// Ghost cells hold the concentration of the water outside.
static void tnSetTracerGhosts(const tnEdges* edges, const tnGrid* grid)
{
	const int n = grid->columnCount;
	const bool wrapX = edges->sides[tn_west].def.kind == tn_wrapEdge;
	const bool wrapZ = edges->sides[tn_north].def.kind == tn_wrapEdge;
	for (int i = 0; i < grid->tracerCount; ++i)
	{
		float* c = grid->tracers[i];
		for (int row = 0; row < grid->rowCount; ++row)
		{
			float* line = c + tnGrid_Index(grid, 0, row);
			line[-1] = wrapX ? line[n - 1] : edges->sides[tn_west].def.tracers[i];
			line[n] = wrapX ? line[0] : edges->sides[tn_east].def.tracers[i];
		}
		float* north = c + tnGrid_Index(grid, 0, -1);
		float* south = c + tnGrid_Index(grid, 0, grid->rowCount);
		const float* last = c + tnGrid_Index(grid, 0, grid->rowCount - 1);
		for (int column = 0; column < n; ++column)
		{
			north[column] = wrapZ ? last[column] : edges->sides[tn_north].def.tracers[i];
			south[column] = wrapZ ? c[column] : edges->sides[tn_south].def.tracers[i];
		}
	}
	if (wrapZ)
	{
		// The faces below the last row are those above the first.
		float* below = grid->dischargeZ + tnGrid_Index(grid, 0, grid->rowCount);
		for (int column = 0; column < n; ++column)
		{
			below[column] = grid->dischargeZ[column];
		}
	}
}

void tnTracers_Advance(tnGrid* grid, const tnTiles* tiles, const tnEdges* edges, tnParallel* parallel, float spread)
{
	tnSetTracerGhosts(edges, grid);
	tnTracerContext context = {grid, tiles, edges, spread};
	tnParallelFor(parallel, grid->tileRowCount, tnAdvanceTileRow, &context);
	for (int i = 0; i < grid->tracerCount; ++i)
	{
		float* swap = grid->tracers[i];
		grid->tracers[i] = grid->tracersNext[i];
		grid->tracersNext[i] = swap;
	}
}
