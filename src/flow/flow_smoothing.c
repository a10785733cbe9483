// SPDX-License-Identifier: MIT

// A pass of its own in plain C, since it runs only when the length of sub-steps changes. Bands are softened in place, at the
// same time: what passes the seam between two of them is found before any of them begins.

#include "flow_smoothing.h"

#include "tracers.h"

#include <math.h>
#include <string.h>

// Share of its water that a cell gives through one face at most. It has four.
#define TN_SOFT_SHARE 0.125f

typedef struct tnSoftening
{
	tnFlow* flow;
	tnGrid* grid;
	const tnTiles* tiles;
	float factor, sectionLimit;
} tnSoftening;

// Rows of a band's scratch.
enum
{
	TN_SEAM_ROW = 0, // what passes the seam to the north
	TN_ABOVE_ROW,
	TN_BELOW_ROW,
	TN_ALONG_ROW,
};

static float* tnGetScratchRow(const tnSoftening* softening, int band, int row)
{
	return tnFlow_GetScratch(softening->flow, softening->grid, band) + (ptrdiff_t)row * softening->grid->stride;
}

// What passes from one cell to the other, m.
static inline float tnGetSoftFlux(const tnSoftening* softening, ptrdiff_t first, ptrdiff_t second)
{
	const tnGrid* grid = softening->grid;
	const float surfaceFirst = grid->bed[first] + grid->depth[first];
	const float surfaceSecond = grid->bed[second] + grid->depth[second];
	const float fall = surfaceFirst - surfaceSecond;
	const float section =
		tnMinFloat(tnFaceDepth(grid->bed[first], grid->depth[first], grid->bed[second], grid->depth[second]),
			softening->sectionLimit);
	const float deepest = tnMaxFloat(surfaceFirst, surfaceSecond) - tnMinFloat(grid->bed[first], grid->bed[second]);
	if (!(section > TN_DRY_DEPTH) || tnAbsFloat(fall) <= TN_STILL_SLOPE * deepest ||
		tnGrid_GetLift(grid, first) != 0.0f || tnGrid_GetLift(grid, second) != 0.0f)
	{
		return 0.0f;
	}
	const float most = TN_SOFT_SHARE * grid->depth[fall > 0.0f ? first : second];
	return tnMinFloat(tnMaxFloat(softening->factor * section * fall, -most), most);
}

// Fluxes through the Z faces above a row. There are none where the row or the one above it sleeps.
static void tnFindFluxesAbove(const tnSoftening* softening, int row, float* fluxes)
{
	const tnGrid* grid = softening->grid;
	memset(fluxes, 0, (size_t)grid->columnCount * sizeof(float));
	if (row == 0 && !grid->wrapZ)
	{
		return;
	}
	const int north = row > 0 ? row - 1 : grid->rowCount - 1;
	const int tileRow = north / TN_TILE_SIZE;
	const tnSpanList list = row % TN_TILE_SIZE == 0 ? tnTiles_GetSharedSpans(softening->tiles, tileRow)
													: tnTiles_GetSpans(softening->tiles, tileRow);
	for (int i = 0; i < list.count; ++i)
	{
		const int end = tnMinInt(list.spans[i].end, grid->columnCount);
		for (int c = list.spans[i].begin; c < end; ++c)
		{
			fluxes[c] = tnGetSoftFlux(softening, tnGrid_Index(grid, c, north), tnGrid_Index(grid, c, row));
		}
	}
}

// Fluxes through the X faces of a row, first to last edge.
static void tnFindFluxesAlong(const tnSoftening* softening, int row, tnSpanList list, float* fluxes)
{
	const tnGrid* grid = softening->grid;
	const int n = grid->columnCount;
	memset(fluxes, 0, (size_t)(n + 1) * sizeof(float));
	for (int i = 0; i < list.count; ++i)
	{
		const int end = tnMinInt(list.spans[i].end, n);
		for (int c = list.spans[i].begin + 1; c < end; ++c)
		{
			fluxes[c] = tnGetSoftFlux(softening, tnGrid_Index(grid, c - 1, row), tnGrid_Index(grid, c, row));
		}
	}
	if (grid->wrapX && list.count > 0 && list.spans[0].begin == 0 && list.spans[list.count - 1].end >= n)
	{
		fluxes[0] = tnGetSoftFlux(softening, tnGrid_Index(grid, n - 1, row), tnGrid_Index(grid, 0, row));
		fluxes[n] = fluxes[0];
	}
}

static void tnFindSeam(int band, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnSoftening* softening = context;
	int begin, end;
	tnFlow_GetBandRows(softening->flow, softening->grid, band, &begin, &end);
	tnFindFluxesAbove(softening, begin, tnGetScratchRow(softening, band, TN_SEAM_ROW));
}

static void tnSoftenBand(int band, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnSoftening* softening = context;
	tnGrid* grid = softening->grid;
	const int n = grid->columnCount;
	int begin, end;
	tnFlow_GetBandRows(softening->flow, grid, band, &begin, &end);
	const int next = end < grid->rowCount ? band + 1 : 0;
	const float* above = tnGetScratchRow(softening, band, TN_SEAM_ROW);
	float* along = tnGetScratchRow(softening, band, TN_ALONG_ROW);
	for (int row = begin; row < end; ++row)
	{
		const tnSpanList list = tnTiles_GetSpans(softening->tiles, row / TN_TILE_SIZE);
		float* below = tnGetScratchRow(softening, band, TN_ABOVE_ROW + (row & 1));
		if (row + 1 < end)
		{
			tnFindFluxesAbove(softening, row + 1, below);
		}
		else if (end < grid->rowCount || grid->wrapZ)
		{
			memcpy(below, tnGetScratchRow(softening, next, TN_SEAM_ROW), (size_t)n * sizeof(float));
		}
		else
		{
			memset(below, 0, (size_t)n * sizeof(float));
		}
		tnFindFluxesAlong(softening, row, list, along);

		const ptrdiff_t index = tnGrid_Index(grid, 0, row);
		for (int i = 0; i < list.count; ++i)
		{
			const int last = tnMinInt(list.spans[i].end, n);
			for (int c = list.spans[i].begin; c < last; ++c)
			{
				grid->depth[index + c] += (along[c] - along[c + 1]) + (above[c] - below[c]);
			}
		}
		if (grid->tracerCount > 0)
		{
			memcpy(grid->dischargeX + index, along, (size_t)(n + 1) * sizeof(float));
			memcpy(grid->dischargeZ + index, above, (size_t)n * sizeof(float));
			if (row == grid->rowCount - 1)
			{
				memcpy(grid->dischargeZ + index + grid->stride, below, (size_t)n * sizeof(float));
			}
		}
		above = below;
	}
}

void tnFlow_Soften(tnFlow* flow, tnGrid* grid, const tnTiles* tiles, const tnEdges* edges, tnParallel* parallel,
	float factor, float sectionLimit)
{
	tnSoftening softening = {flow, grid, tiles, factor, sectionLimit};
	const int bandCount = tnFlow_GetBandCount(flow);
	tnParallelFor(parallel, bandCount, tnFindSeam, &softening);
	tnParallelFor(parallel, bandCount, tnSoftenBand, &softening);
	if (grid->tracerCount > 0)
	{
		// Fluxes are in meters already.
		tnTracers_Advance(grid, tiles, edges, parallel, 1.0f, false);
	}
}

// ---------------------------------------------------------------------------------------------------------------------

typedef struct tnRecapping
{
	tnFlow* flow;
	tnGrid* grid;
	const tnTiles* tiles;
	float limitBefore, limitAfter;
	float least; // of both
} tnRecapping;

static inline void tnRecapFace(const tnRecapping* recapping, float* flow, ptrdiff_t first, ptrdiff_t second)
{
	const tnGrid* grid = recapping->grid;
	const float section = tnFaceDepth(grid->bed[first], grid->depth[first], grid->bed[second], grid->depth[second]);
	if (*flow == 0.0f || section <= recapping->least)
	{
		return;
	}
	const float before = tnMinFloat(section, recapping->limitBefore);
	const float after = tnMinFloat(section, recapping->limitAfter);
	*flow *= sqrtf(tnGrid_StoresVelocity(grid) ? before / after : after / before);
}

static void tnRecapBand(int band, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnRecapping* recapping = context;
	const tnGrid* grid = recapping->grid;
	int begin, end;
	tnFlow_GetBandRows(recapping->flow, grid, band, &begin, &end);
	for (int row = begin; row < end; ++row)
	{
		const tnSpanList list = tnTiles_GetSpans(recapping->tiles, row / TN_TILE_SIZE);
		const int north = row > 0 ? row - 1 : (grid->wrapZ ? grid->rowCount - 1 : -1);
		for (int i = 0; i < list.count; ++i)
		{
			const int last = tnMinInt(list.spans[i].end, grid->columnCount);
			for (int c = list.spans[i].begin; c < last; ++c)
			{
				const ptrdiff_t cell = tnGrid_Index(grid, c, row);
				const int west = c > 0 ? c - 1 : (grid->wrapX ? grid->columnCount - 1 : -1);
				if (west >= 0)
				{
					tnRecapFace(recapping, grid->flowX + cell, tnGrid_Index(grid, west, row), cell);
				}
				if (north >= 0)
				{
					tnRecapFace(recapping, grid->flowZ + cell, tnGrid_Index(grid, c, north), cell);
				}
			}
		}
		if (grid->wrapX)
		{
			grid->flowX[tnGrid_Index(grid, grid->columnCount, row)] = grid->flowX[tnGrid_Index(grid, 0, row)];
		}
	}
}

void tnFlow_Recap(
	tnFlow* flow, tnGrid* grid, const tnTiles* tiles, tnParallel* parallel, float limitBefore, float limitAfter)
{
	const bool shrinks = limitAfter < limitBefore;
	const bool gains = grid->method == tn_pipeMethod ? shrinks : (grid->method == tn_linearMethod && !shrinks);
	const float least = tnMinFloat(limitBefore, limitAfter);
	if (!gains || grid->maxDepth <= least)
	{
		return;
	}
	tnRecapping recapping = {flow, grid, tiles, limitBefore, limitAfter, least};
	tnParallelFor(parallel, tnFlow_GetBandCount(flow), tnRecapBand, &recapping);
	if (grid->wrapZ)
	{
		// The faces of the south edge are those of the north edge.
		const ptrdiff_t end = tnGrid_Index(grid, 0, grid->rowCount);
		memcpy(grid->flowZ + end, grid->flowZ, (size_t)grid->columnCount * sizeof(float));
	}
}
