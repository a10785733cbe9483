// SPDX-License-Identifier: MIT

// Tracers: concentrations carried by the limited discharge of the flow, upwind: first order, or second with the fine
// shallow method.
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
//
// Second order: what flows out of a cell has the concentration of its side, half a time step later,
//
//   ^c = c +- r slope(c),   r = (1 - s) / 2,   s = dt/dx * outflow / h
//
// with s the share of the cell that leaves in the time step, through all faces. Slopes are those of van Leer: the mean
// of the differences on both sides, at most twice the smaller one, 0 at extrema and beside cells that were dry. A cell
// that gives ^c - c more than it has is left with c - sum of wj (^cj - c) / h', which r keeps within the concentrations
// around it: the cell loses at most s (1 - s) slope / 2 of the (1 - s) that stay.

#include "tracers.h"

typedef struct tnTracerContext
{
	tnGrid* grid;
	const tnTiles* tiles;
	const tnEdges* edges;
	float spread;
	bool fine;
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
	// What leaves to the west less what leaves to the east, and to the north and south (second order).
	float outX[TN_TRACER_CHUNK];
	float outZ[TN_TRACER_CHUNK];
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

// ---------------------------------------------------------------------------------------------------------------------
// Second order

// r of a cell, and -1 of a cell that was dry: its number means nothing.
static float tnFindReach(const tnGrid* grid, ptrdiff_t cell, float spread)
{
	const float* flowX = grid->dischargeX + cell;
	const float* flowZ = grid->dischargeZ + cell;
	const float west = flowX[0];
	const float east = flowX[1];
	const float north = flowZ[0];
	const float south = flowZ[grid->stride];
	const float outX = tnMaxFloat(-west, 0.0f) + tnMaxFloat(east, 0.0f);
	const float outZ = tnMaxFloat(-north, 0.0f) + tnMaxFloat(south, 0.0f);
	const float out = spread * (outX + outZ);
	const float before = grid->depth[cell] + spread * ((east - west) + (south - north));
	const float share = out / tnMaxFloat(before, TN_DRY_DEPTH);
	return before > TN_DRY_DEPTH ? 0.5f * tnMaxFloat(1.0f - share, 0.0f) : -1.0f;
}

static void tnFindReachOfTileRow(int tileRow, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnTracerContext* tracers = context;
	const tnGrid* grid = tracers->grid;
	const tnSpanList list = tnTiles_GetSpans(tracers->tiles, tileRow);
	const int rowEnd = tnMinInt((tileRow + 1) * TN_TILE_SIZE, grid->rowCount);
	for (int row = tileRow * TN_TILE_SIZE; row < rowEnd; ++row)
	{
		for (int i = 0; i < list.count; ++i)
		{
			const int end = tnMinInt(list.spans[i].end, grid->columnCount);
			for (int column = list.spans[i].begin; column < end; ++column)
			{
				const ptrdiff_t cell = tnGrid_Index(grid, column, row);
				grid->tracerReach[cell] = tnFindReach(grid, cell, tracers->spread);
			}
		}
	}
}

// Slope over a cell from its neighbours, 0 if one of the three was dry.
static inline float tnFindSlope(
	float before, float here, float after, float reachBefore, float reachHere, float reachAfter)
{
	const float a = here - before;
	const float b = after - here;
	const float least = tnMinFloat(tnMinFloat(tnAbsFloat(a), tnAbsFloat(b)) * 2.0f, tnAbsFloat(0.5f * (a + b)));
	const float size = a * b > 0.0f ? least : 0.0f;
	const float wet = tnMinFloat(reachHere, tnMinFloat(reachBefore, reachAfter)) >= 0.0f ? size : 0.0f;
	return a > 0.0f ? wet : -wet;
}

static void tnFindFineWeights(const tnGrid* grid, ptrdiff_t cell, int count, float spread, tnTracerWeights* weights)
{
	tnFindWeights(grid, cell, count, spread, weights);
	const float* flowX = grid->dischargeX + cell;
	const float* above = grid->dischargeZ + cell;
	const float* below = above + grid->stride;
	const float* depth = grid->depth + cell;
	for (int i = 0; i < count; ++i)
	{
		const float inflow = (weights->west[i] + weights->east[i]) + (weights->north[i] + weights->south[i]);
		// What leaves counts too, so the weight of what stays must be true also where nothing comes in.
		const bool wet = depth[i] > TN_DRY_DEPTH;
		const float kept = wet ? tnMaxFloat(depth[i] - inflow, 0.0f) : weights->kept[i];
		weights->kept[i] = kept;
		weights->total[i] = kept + inflow;
		const float outX = tnMaxFloat(-flowX[i], 0.0f) - tnMaxFloat(flowX[i + 1], 0.0f);
		const float outZ = tnMaxFloat(-above[i], 0.0f) - tnMaxFloat(below[i], 0.0f);
		weights->outX[i] = wet ? spread * outX : 0.0f;
		weights->outZ[i] = wet ? spread * outZ : 0.0f;
	}
}

// @param c, reach five rows, [2] is the row itself
static void tnMixChunkFine(const float* const c[5], const float* const reach[5], float* restrict next, int count,
	const tnTracerWeights* restrict weights)
{
	for (int i = 0; i < count; ++i)
	{
		const float* x = c[2] + i;
		const float* rx = reach[2] + i;
		const float slopeWest = tnFindSlope(x[-2], x[-1], x[0], rx[-2], rx[-1], rx[0]);
		const float slopeX = tnFindSlope(x[-1], x[0], x[1], rx[-1], rx[0], rx[1]);
		const float slopeEast = tnFindSlope(x[0], x[1], x[2], rx[0], rx[1], rx[2]);
		const float slopeNorth = tnFindSlope(c[0][i], c[1][i], x[0], reach[0][i], reach[1][i], rx[0]);
		const float slopeZ = tnFindSlope(c[1][i], x[0], c[3][i], reach[1][i], rx[0], reach[3][i]);
		const float slopeSouth = tnFindSlope(x[0], c[3][i], c[4][i], rx[0], reach[3][i], reach[4][i]);

		const float west = x[-1] + rx[-1] * slopeWest;
		const float east = x[1] - rx[1] * slopeEast;
		const float north = c[1][i] + reach[1][i] * slopeNorth;
		const float south = c[3][i] - reach[3][i] * slopeSouth;
		const float in = (weights->west[i] * west + weights->east[i] * east) +
			(weights->north[i] * north + weights->south[i] * south);
		const float out = rx[0] * (slopeX * weights->outX[i] + slopeZ * weights->outZ[i]);
		const float mean = ((weights->kept[i] * x[0] + out) + in) / weights->total[i];

		float low = TN_WALL;
		float high = -TN_WALL;
		tnWiden(&low, &high, tnMaxFloat(weights->kept[i], rx[0] + 0.5f), x[0]);
		tnWiden(&low, &high, tnMaxFloat(weights->west[i], rx[-1] + 0.5f), x[-1]);
		tnWiden(&low, &high, tnMaxFloat(weights->east[i], rx[1] + 0.5f), x[1]);
		tnWiden(&low, &high, tnMaxFloat(weights->north[i], reach[1][i] + 0.5f), c[1][i]);
		tnWiden(&low, &high, tnMaxFloat(weights->south[i], reach[3][i] + 0.5f), c[3][i]);
		next[i] = tnMinFloat(tnMaxFloat(mean, low), high);
	}
}

// The start of a row, which may lie beyond the world: across a wrapped edge, or the ghost row.
static ptrdiff_t tnGetRowBeyond(const tnTracerContext* tracers, int row)
{
	const int count = tracers->grid->rowCount;
	const bool wrapZ = tracers->edges->sides[tn_north].def.kind == tn_wrapEdge;
	const int inside = wrapZ ? (row + count) % count : tnClampInt(row, -1, count);
	return tnGrid_Index(tracers->grid, 0, inside);
}

static void tnMixFine(
	const tnTracerContext* tracers, int row, int begin, int count, int channel, const tnTracerWeights* weights)
{
	const tnGrid* grid = tracers->grid;
	const float* c[5];
	const float* reach[5];
	for (int i = 0; i < 5; ++i)
	{
		const ptrdiff_t cell = tnGetRowBeyond(tracers, row + i - 2) + begin;
		c[i] = grid->tracers[channel] + cell;
		reach[i] = grid->tracerReach + cell;
	}
	tnMixChunkFine(c, reach, grid->tracersNext[channel] + tnGrid_Index(grid, begin, row), count, weights);
}

// ---------------------------------------------------------------------------------------------------------------------

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
				if (tracers->fine)
				{
					tnFindFineWeights(grid, cell, count, tracers->spread, &weights);
				}
				else
				{
					tnFindWeights(grid, cell, count, tracers->spread, &weights);
				}
				for (int channel = 0; channel < grid->tracerCount; ++channel)
				{
					if (tracers->fine)
					{
						tnMixFine(tracers, row, begin, count, channel, &weights);
						continue;
					}
					tnMixChunk(grid->tracers[channel] + cell, grid->tracersNext[channel] + cell, grid->stride, count,
						&weights);
				}
			}
		}
	}
}

// Two columns on either side.
static void tnSetColumnGhosts(float* line, int n, bool wrapX, float west, float east)
{
	for (int i = 1; i <= 2; ++i)
	{
		line[-i] = wrapX ? line[n - i] : west;
		line[n - 1 + i] = wrapX ? line[i - 1] : east;
	}
}

// Beyond the edges there are no slopes, but for wrapped ones.
static void tnSetReachGhosts(const tnEdges* edges, const tnGrid* grid)
{
	const bool wrapX = edges->sides[tn_west].def.kind == tn_wrapEdge;
	for (int row = 0; row < grid->rowCount; ++row)
	{
		tnSetColumnGhosts(grid->tracerReach + tnGrid_Index(grid, 0, row), grid->columnCount, wrapX, -1.0f, -1.0f);
	}
	for (int row = -1; row <= grid->rowCount; row += grid->rowCount + 1)
	{
		float* line = grid->tracerReach + tnGrid_Index(grid, 0, row);
		for (int column = 0; column < grid->columnCount; ++column)
		{
			line[column] = -1.0f;
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
			tnSetColumnGhosts(
				line, n, wrapX, edges->sides[tn_west].def.tracers[i], edges->sides[tn_east].def.tracers[i]);
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

void tnTracers_Advance(
	tnGrid* grid, const tnTiles* tiles, const tnEdges* edges, tnParallel* parallel, float spread, bool fine)
{
	tnSetTracerGhosts(edges, grid);
	tnTracerContext context = {grid, tiles, edges, spread, fine};
	if (fine)
	{
		tnParallelFor(parallel, grid->tileRowCount, tnFindReachOfTileRow, &context);
		tnSetReachGhosts(edges, grid);
	}
	tnParallelFor(parallel, grid->tileRowCount, tnAdvanceTileRow, &context);
	for (int i = 0; i < grid->tracerCount; ++i)
	{
		float* swap = grid->tracers[i];
		grid->tracers[i] = grid->tracersNext[i];
		grid->tracersNext[i] = swap;
	}
}
