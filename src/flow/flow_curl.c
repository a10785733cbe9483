// SPDX-License-Identifier: MIT

// Why pipes must not turn, and how they are kept from it.
//
// Water that does not carry its momentum along obeys du/dt = -g grad(eta): a gradient, so what turns goes on turning at the same
// rate, curl u = const, and waves make nothing turn. Pipes store the discharge q = A u instead, and A follows the waves:
//
//   dq/dt = -g A grad(eta)      so that      d(curl u)/dt = -curl(u dA/dt / A)
//
// which is not zero on average. Waves over an uneven bed wind up gyres, and loops of a few cells along a shore, where A changes
// most; the gyres have no surface, so nothing works against them and nothing takes their energy. In a closed basin without
// friction the waves kept their height for hours while kinetic energy grew ninefold (suite energy).
//
// Pipes cannot carry eddies along anyway. So rotation is given an eddy viscosity, for which waves do not exist: with W the
// difference in velocity around a corner of four cells,
//
//              u + P                    P = -share W A,   A the least section of the four faces
//                |
//      v - P ── corner ── v + P         W = v_east - v_west - (u_south - u_north)
//                |
//              u - P                    in discharges, m^2/s
//
// - What goes round a corner brings no cell any water: surface and volume do not notice, and potential energy stays.
// - Kinetic energy, the sum of q^2 / (2 A), changes by P W + P^2 / (2 A) a face and corner. A face has two corners, so the sum is
//   at most -share (1 - 4 share) A W^2: it never grows for shares up to a quarter.
// - Waves have W = 0 on any bed to first order, since for them u is a gradient.
//
// Corners at dry faces and at falls, where water stands below the bed of a neighbour, at edges (but not wrapped ones), at sleeping tiles and at cells that bodies take room from are left alone.

#include "flow_curl.h"

#include <string.h>

// How fast a loop around a single corner would die, 1/s, in eighths; a gyre of n cells is slower by (n / 6)^2.
#define TN_CALMING_RATE 0.3

// Water with this Froude number and more is left alone, but for the share of it that goes in loops around a single corner, W^2 over
// four times the sum of the squares of the four velocities: it runs down a slope or to a fall, where shear is as it should be,
// and a viscosity would make falls surge.
#define TN_SLOW_FROUDE 0.5f

// Largest share: half of what is stable.
#define TN_MAX_CALMING 0.125

typedef struct tnCalming
{
	tnFlow* flow;
	tnGrid* grid;
	const tnTiles* tiles;
	float share;
	float slowFactor; // 1 / (square of TN_SLOW_FROUDE times gravity), s^2/m
} tnCalming;

// Rows of a band's scratch.
enum
{
	TN_SEAM_ROW = 0, // pulls of the corners on the seam to the north
	TN_PULL_ROW,     // two of them, in turn
};

static float* tnGetScratchRow(const tnCalming* calming, int band, int row)
{
	return tnFlow_GetScratch(calming->flow, calming->grid, band) + (ptrdiff_t)row * calming->grid->stride;
}

// The pull of the corner between four cells.
static inline float tnGetPull(
	const tnCalming* calming, ptrdiff_t northWest, ptrdiff_t northEast, ptrdiff_t southWest, ptrdiff_t southEast)
{
	const tnGrid* grid = calming->grid;
	const float* bed = grid->bed;
	const float* depth = grid->depth;
	if (grid->lift != NULL &&
		(grid->lift[northWest] != 0.0f || grid->lift[northEast] != 0.0f || grid->lift[southWest] != 0.0f ||
			grid->lift[southEast] != 0.0f))
	{
		return 0.0f;
	}
	const float north = tnFaceDepth(bed[northWest], depth[northWest], bed[northEast], depth[northEast]);
	const float south = tnFaceDepth(bed[southWest], depth[southWest], bed[southEast], depth[southEast]);
	const float west = tnFaceDepth(bed[northWest], depth[northWest], bed[southWest], depth[southWest]);
	const float east = tnFaceDepth(bed[northEast], depth[northEast], bed[southEast], depth[southEast]);
	const float least = tnMinFloat(tnMinFloat(north, south), tnMinFloat(west, east));
	const float lowest = tnMinFloat(tnMinFloat(bed[northWest] + depth[northWest], bed[northEast] + depth[northEast]),
		tnMinFloat(bed[southWest] + depth[southWest], bed[southEast] + depth[southEast]));
	const float highest =
		tnMaxFloat(tnMaxFloat(bed[northWest], bed[northEast]), tnMaxFloat(bed[southWest], bed[southEast]));
	if (!(least > TN_DRY_DEPTH) || !(lowest > highest))
	{
		return 0.0f;
	}
	const float velocityEast = grid->flowZ[southEast] / east;
	const float velocityWest = grid->flowZ[southWest] / west;
	const float velocitySouth = grid->flowX[southEast] / south;
	const float velocityNorth = grid->flowX[northEast] / north;
	const float square = (velocityEast * velocityEast + velocityWest * velocityWest) +
		(velocitySouth * velocitySouth + velocityNorth * velocityNorth);
	const float slow = tnMaxFloat(1.0f - 0.25f * square * calming->slowFactor / least, 0.0f);
	const float turn = (velocitySouth - velocityNorth) - (velocityEast - velocityWest);
	const float loop = square > 0.0f ? 0.25f * turn * turn / square : 0.0f;
	return calming->share * tnMaxFloat(slow, loop) * least * turn;
}

// Pulls of the corners above a row, those between columns c - 1 and c at c.
static void tnFindPulls(const tnCalming* calming, int row, float* pulls)
{
	const tnGrid* grid = calming->grid;
	const int n = grid->columnCount;
	memset(pulls, 0, (size_t)(n + 1) * sizeof(float));
	if (!grid->wrapZ && (row == 0 || row == grid->rowCount))
	{
		return;
	}
	const int southRow = row < grid->rowCount ? row : 0;
	const int northRow = row > 0 ? row - 1 : grid->rowCount - 1;
	const int tileRow = northRow / TN_TILE_SIZE;
	const tnSpanList list = southRow % TN_TILE_SIZE == 0 ? tnTiles_GetSharedSpans(calming->tiles, tileRow)
														 : tnTiles_GetSpans(calming->tiles, tileRow);
	const ptrdiff_t north = tnGrid_Index(grid, 0, northRow);
	const ptrdiff_t south = tnGrid_Index(grid, 0, southRow);
	for (int i = 0; i < list.count; ++i)
	{
		const int end = tnMinInt(list.spans[i].end, n);
		for (int c = list.spans[i].begin + 1; c < end; ++c)
		{
			pulls[c] = tnGetPull(calming, north + c - 1, north + c, south + c - 1, south + c);
		}
	}
	if (grid->wrapX && list.count > 0 && list.spans[0].begin == 0 && list.spans[list.count - 1].end >= n)
	{
		pulls[0] = tnGetPull(calming, north + n - 1, north, south + n - 1, south);
		pulls[n] = pulls[0];
	}
}

static void tnFindSeam(int band, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnCalming* calming = context;
	int begin, end;
	tnFlow_GetBandRows(calming->flow, calming->grid, band, &begin, &end);
	tnFindPulls(calming, begin, tnGetScratchRow(calming, band, TN_SEAM_ROW));
}

static void tnCalmBand(int band, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnCalming* calming = context;
	tnGrid* grid = calming->grid;
	const int n = grid->columnCount;
	int begin, end;
	tnFlow_GetBandRows(calming->flow, grid, band, &begin, &end);
	const int next = end < grid->rowCount ? band + 1 : 0;
	const float* above = tnGetScratchRow(calming, band, TN_SEAM_ROW);
	for (int row = begin; row < end; ++row)
	{
		float* below = tnGetScratchRow(calming, band, TN_PULL_ROW + (row & 1));
		if (row + 1 < end)
		{
			tnFindPulls(calming, row + 1, below);
		}
		else if (end < grid->rowCount || grid->wrapZ)
		{
			memcpy(below, tnGetScratchRow(calming, next, TN_SEAM_ROW), (size_t)(n + 1) * sizeof(float));
		}
		else
		{
			memset(below, 0, (size_t)(n + 1) * sizeof(float));
		}
		float* flowX = grid->flowX + tnGrid_Index(grid, 0, row);
		float* flowZ = grid->flowZ + tnGrid_Index(grid, 0, row);
		for (int c = 0; c < n; ++c)
		{
			flowX[c] += below[c] - above[c];
			flowZ[c] += above[c] - above[c + 1];
		}
		if (grid->wrapX)
		{
			flowX[n] = flowX[0];
		}
		above = below;
	}
}

void tnFlow_CalmPipes(
	tnFlow* flow, tnGrid* grid, const tnTiles* tiles, tnParallel* parallel, double timeStep, float gravity)
{
	const double share = TN_CALMING_RATE * timeStep;
	tnCalming calming = {flow, grid, tiles, (float)(share < TN_MAX_CALMING ? share : TN_MAX_CALMING),
		1.0f / (TN_SLOW_FROUDE * TN_SLOW_FROUDE * gravity)};
	const int bandCount = tnFlow_GetBandCount(flow);
	tnParallelFor(parallel, bandCount, tnFindSeam, &calming);
	tnParallelFor(parallel, bandCount, tnCalmBand, &calming);
	if (grid->wrapZ)
	{
		// The faces of the south edge are those of the north edge.
		const ptrdiff_t end = tnGrid_Index(grid, 0, grid->rowCount);
		memcpy(grid->flowZ + end, grid->flowZ, (size_t)grid->columnCount * sizeof(float));
	}
}
