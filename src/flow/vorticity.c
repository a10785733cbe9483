// SPDX-License-Identifier: MIT

// Vorticity confinement. Fedkiw, Stam & Jensen 2001 push the water around eddies, with w the vorticity:
//
//   f = strength cellSize (N x w),   N = grad|w| / |grad|w||,   w = dv/dx - du/dz
//
// That strength is a rate, 1/s. One number of it suits one size of world only, and since f is linear in w, it makes
// eddies of whatever is there: random velocities of 0.05 mm/s grow to a storm of 3 m/s in a minute. It also makes
// momentum. So the strength is measured in what the grid itself can see, cellSize |grad|w||, and is then dimensionless:
//
//   f = 2 strength cellSize^2 (grad|w| x w) = curl of (strength cellSize^2 |w| w)
//
// This has the direction of Fedkiw's, fades with the square of the motion like the smearing it makes up for, and is a
// curl (Steinhoff et al. 2003): a corner pulls with P ~ |w| w, and the four faces around it get it in pairs.
//
//              u + P                    P of a corner turns the water around it. What it gives to the faces on
//                |                      one side it takes from those on the other: momentum stays, to rounding, with
//      v - P ── corner ── v + P         the mass of a face in the half cells on its sides. Also the circulation
//                |                      that a corner gains its four neighbours lose.
//              u - P
//
// Bounds. Let W be w cellSize, the difference in velocity that a corner sees. P uses the least |W| of the corner and its
// four neighbours, or 0 where they do not all turn the same way, and |P| <= |W| / 4. Then
//
// - a corner loses at most 4 P <= |W| to its neighbours. W keeps its sign, and the sum of |W| does not grow: circulation
//   moves within an eddy and none is made, whatever the strength and the time step. An eddy shrinks to some cells.
// - no face changes by more than half of the differences in velocity beside it.
//
// Corners at dry cells, at edges (but not wrapped ones) and at sleeping tiles count as still. So still water stays still,
// and shores, edges and sleeping tiles are left alone.

#include "vorticity.h"

#include "tarn/query.h"

#include <string.h>

// P over strength |W| W timeStep / cellSize. With 4 and full strength an eddy with a radius of four cells keeps its
// enstrophy for half a minute in the conservative scheme, which alone leaves a sixth of it (test_confinement.c).
#define TN_PULL_SCALE 4.0f

// Largest |P| / |W|: see above.
#define TN_PULL_LIMIT 0.25f

enum
{
	// Of scratch, by worker: pulls of the corners above and below a row, speeds of the faces that got faster.
	TN_WORKER_ROWS = 3,
};

typedef struct tnConfinement
{
	tnVorticity* vorticity;
	tnGrid* grid;
	const tnTiles* tiles;
	float factor; // of |W| W in P, s/m
} tnConfinement;

static ptrdiff_t tnGetScratchOffset(const tnGrid* grid)
{
	return grid->stride + TN_ROW_PAD;
}

static size_t tnGetScratchBytes(const tnGrid* grid)
{
	return (size_t)grid->stride * ((size_t)grid->rowCount + 2) * sizeof(float);
}

// Rows of all workers in a block, which may be NULL; those of one are `pitch` floats apart. Returns how many bytes they take.
static size_t tnDealWorkerRows(const tnGrid* grid, int workerCount, float* block, ptrdiff_t* pitch)
{
	tnCarver carver = {.block = (char*)block};
	for (int i = 0; i < TN_WORKER_ROWS * workerCount; ++i)
	{
		tnCarve(&carver, (size_t)grid->stride * sizeof(float));
		*pitch = i == 0 ? (ptrdiff_t)(carver.used / sizeof(float)) : *pitch;
	}
	return carver.used;
}

static size_t tnGetWorkerBytes(const tnGrid* grid, int workerCount)
{
	ptrdiff_t pitch;
	return tnDealWorkerRows(grid, workerCount, NULL, &pitch);
}

static size_t tnGetSpeedBytes(const tnGrid* grid)
{
	return (size_t)grid->tileRowCount * sizeof(float);
}

bool tnVorticity_Prepare(tnVorticity* vorticity, tnMemory* memory, const tnGrid* grid, int workerCount)
{
	if (vorticity->corners != NULL)
	{
		return true;
	}
	vorticity->workerCount = workerCount;
	float* corners = tnMemory_Alloc(memory, tnGetScratchBytes(grid));
	vorticity->corners = corners == NULL ? NULL : corners + tnGetScratchOffset(grid);
	bool ok = corners != NULL;
	ok = ok && (vorticity->workerRows = tnMemory_Alloc(memory, tnGetWorkerBytes(grid, workerCount))) != NULL;
	if (ok)
	{
		tnDealWorkerRows(grid, workerCount, vorticity->workerRows, &vorticity->rowPitch);
	}
	ok = ok && (vorticity->speeds = tnMemory_Alloc(memory, tnGetSpeedBytes(grid))) != NULL;
	if (!ok)
	{
		tnVorticity_Destroy(vorticity, memory, grid);
	}
	return ok;
}

void tnVorticity_Destroy(tnVorticity* vorticity, tnMemory* memory, const tnGrid* grid)
{
	if (vorticity->corners != NULL)
	{
		tnMemory_Free(memory, vorticity->corners - tnGetScratchOffset(grid), tnGetScratchBytes(grid));
	}
	tnMemory_Free(memory, vorticity->workerRows, tnGetWorkerBytes(grid, vorticity->workerCount));
	tnMemory_Free(memory, vorticity->speeds, tnGetSpeedBytes(grid));
	memset(vorticity, 0, sizeof(*vorticity));
}

// ---------------------------------------------------------------------------------------------------------------------
// What the corners see

// The row of cells north of a row of corners, across a wrapped edge if need be.
static int tnGetRowNorth(const tnGrid* grid, int row)
{
	return row > 0 ? row - 1 : grid->rowCount - 1;
}

// Is a row of corners at an edge where nothing continues?
static bool tnIsRim(const tnGrid* grid, int row)
{
	return !grid->wrapZ && (row == 0 || row == grid->rowCount);
}

// Do the tiles on both sides of a wrapped edge compute?
static bool tnIsJoined(const tnGrid* grid, tnSpanList list)
{
	return grid->wrapX && list.count > 0 && list.spans[0].begin == 0 &&
		list.spans[list.count - 1].end >= grid->columnCount;
}

// Rows of cells around a row of corners.
typedef struct tnCornerRow
{
	const float* depthNorth;
	const float* depthSouth;
	const float* flowNorth;
	const float* flowSouth;
	const float* flowZ;
} tnCornerRow;

static tnCornerRow tnGetCornerRow(const tnGrid* grid, int row)
{
	const ptrdiff_t north = tnGrid_Index(grid, 0, tnGetRowNorth(grid, row));
	const ptrdiff_t south = tnGrid_Index(grid, 0, row);
	return (tnCornerRow){
		grid->depth + north, grid->depth + south, grid->flowX + north, grid->flowX + south, grid->flowZ + south};
}

// Least depth of the four cells around a corner.
static inline float tnGetLeastDepth(const tnCornerRow* row, int west, int east)
{
	return tnMinFloat(tnMinFloat(row->depthNorth[west], row->depthNorth[east]),
		tnMinFloat(row->depthSouth[west], row->depthSouth[east]));
}

static inline float tnGetTurn(const tnCornerRow* row, int west, int east)
{
	const float turn = (row->flowZ[east] - row->flowZ[west]) - (row->flowSouth[east] - row->flowNorth[east]);
	return tnGetLeastDepth(row, west, east) > TN_WET_DEPTH ? turn : 0.0f;
}

// A row of corners. Those that lie within the spans count.
static void tnMeasureCorners(const tnConfinement* confinement, int row, tnSpanList list)
{
	const tnGrid* grid = confinement->grid;
	const int n = grid->columnCount;
	float* corners = confinement->vorticity->corners + tnGrid_Index(grid, 0, row);
	const tnCornerRow cells = tnGetCornerRow(grid, row);
	memset(corners - 1, 0, (size_t)(n + 3) * sizeof(float));
	for (int i = 0; i < list.count; ++i)
	{
		const int end = tnMinInt(list.spans[i].end, n);
		for (int c = list.spans[i].begin + 1; c < end; ++c)
		{
			corners[c] = tnGetTurn(&cells, c - 1, c);
		}
	}
	if (tnIsJoined(grid, list))
	{
		corners[0] = tnGetTurn(&cells, n - 1, 0);
		corners[-1] = corners[n - 1];
		corners[n] = corners[0];
		corners[n + 1] = corners[1];
	}
}

// The corners of a row of tiles; those on the seam to the row of tiles north of it count where both are awake.
static void tnMeasureTiles(int tileRow, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnConfinement* confinement = context;
	const tnGrid* grid = confinement->grid;
	const tnTiles* tiles = confinement->tiles;
	const int rowBegin = tileRow * TN_TILE_SIZE;
	const int rowEnd = tnMinInt(rowBegin + TN_TILE_SIZE, grid->rowCount);
	const int tileNorth = tileRow > 0 ? tileRow - 1 : grid->tileRowCount - 1;
	const tnSpanList none = {NULL, 0};
	tnMeasureCorners(confinement, rowBegin, tnIsRim(grid, rowBegin) ? none : tnTiles_GetSharedSpans(tiles, tileNorth));

	const tnSpanList list = tnTiles_GetSpans(tiles, tileRow);
	for (int row = rowBegin + 1; row < rowEnd && list.count > 0; ++row)
	{
		tnMeasureCorners(confinement, row, list);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// What they do

// The pull of a corner, as a change of velocity times depth.
// @param north, west, own, east, south W of the corner and its neighbours
static inline float tnGetPull(float north, float west, float own, float east, float south, float depth, float factor)
{
	const float low = tnMinFloat(own, tnMinFloat(tnMinFloat(north, south), tnMinFloat(west, east)));
	const float high = tnMaxFloat(own, tnMaxFloat(tnMaxFloat(north, south), tnMaxFloat(west, east)));
	const float least = low > 0.0f ? low : (high < 0.0f ? high : 0.0f);
	// The shallowest cell counts: no face is lighter than that.
	return tnMinFloat(factor * tnAbsFloat(least), TN_PULL_LIMIT) * least * depth;
}

static void tnFindPulls(const tnConfinement* confinement, int row, tnSpanList list, float* pulls)
{
	const tnGrid* grid = confinement->grid;
	const int n = grid->columnCount;
	memset(pulls, 0, (size_t)(n + 1) * sizeof(float));
	if (tnIsRim(grid, row))
	{
		return;
	}
	const int wrapped = row == grid->rowCount ? 0 : row;
	const int after = wrapped == grid->rowCount - 1 && grid->wrapZ ? 0 : wrapped + 1;
	const float* north = confinement->vorticity->corners + tnGrid_Index(grid, 0, tnGetRowNorth(grid, wrapped));
	const float* own = confinement->vorticity->corners + tnGrid_Index(grid, 0, wrapped);
	const float* south = confinement->vorticity->corners + tnGrid_Index(grid, 0, after);
	const tnCornerRow cells = tnGetCornerRow(grid, wrapped);
	const float factor = confinement->factor;
	for (int i = 0; i < list.count; ++i)
	{
		const int end = tnMinInt(list.spans[i].end, n);
		for (int c = list.spans[i].begin + 1; c < end; ++c)
		{
			pulls[c] = tnGetPull(
				north[c], own[c - 1], own[c], own[c + 1], south[c], tnGetLeastDepth(&cells, c - 1, c), factor);
		}
	}
	if (tnIsJoined(grid, list))
	{
		pulls[0] = tnGetPull(north[0], own[-1], own[0], own[1], south[0], tnGetLeastDepth(&cells, n - 1, 0), factor);
		pulls[n] = pulls[0];
	}
}

// Change the velocity of faces [begin, end) by the pulls of the corners at their ends.
// @param depthFirst, depthSecond of the cells on both sides
// @param speeds by column, raised to the speeds of the faces that get faster
static void tnPullFaces(float* flow, const float* pullsFirst, const float* pullsSecond, const float* depthFirst,
	const float* depthSecond, float* speeds, int begin, int end)
{
	for (int c = begin; c < end; ++c)
	{
		const float pull = pullsSecond[c] - pullsFirst[c];
		// The mass of a face is that of half a cell on either side. Where it is 0 there is no pull.
		const float pulled = flow[c] + (pull + pull) / (depthFirst[c] + depthSecond[c]);
		const float next = pull != 0.0f ? pulled : flow[c];
		const float faster = tnAbsFloat(next) > tnAbsFloat(flow[c]) ? tnAbsFloat(next) : 0.0f;
		speeds[c] = tnMaxFloat(speeds[c], faster);
		flow[c] = next;
	}
}

static float tnFindFastest(const float* speeds, int count)
{
	float fastest = 0.0f;
	for (int i = 0; i < count; ++i)
	{
		fastest = tnMaxFloat(fastest, speeds[i]);
	}
	return fastest;
}

static void tnPullTiles(int tileRow, int workerIndex, void* context)
{
	const tnConfinement* confinement = context;
	tnGrid* grid = confinement->grid;
	const ptrdiff_t stride = grid->stride;
	const int n = grid->columnCount;
	const int rowBegin = tileRow * TN_TILE_SIZE;
	const int rowEnd = tnMinInt(rowBegin + TN_TILE_SIZE, grid->rowCount);
	confinement->vorticity->speeds[tileRow] = 0.0f;
	const tnSpanList list = tnTiles_GetSpans(confinement->tiles, tileRow);
	if (list.count == 0)
	{
		return;
	}

	const ptrdiff_t pitch = confinement->vorticity->rowPitch;
	float* rows = confinement->vorticity->workerRows + workerIndex * TN_WORKER_ROWS * pitch;
	float* speeds = rows + 2 * pitch;
	memset(speeds, 0, (size_t)n * sizeof(float));
	tnFindPulls(confinement, rowBegin, list, rows + (rowBegin & 1) * pitch);
	for (int row = rowBegin; row < rowEnd; ++row)
	{
		const float* above = rows + (row & 1) * pitch;
		float* below = rows + ((row + 1) & 1) * pitch;
		tnFindPulls(confinement, row + 1, list, below);
		const ptrdiff_t index = tnGrid_Index(grid, 0, row);
		const float* depth = grid->depth + index;
		for (int i = 0; i < list.count; ++i)
		{
			const int begin = list.spans[i].begin;
			const int end = tnMinInt(list.spans[i].end, n);
			tnPullFaces(grid->flowX + index, above, below, depth - 1, depth, speeds, begin, end);
			tnPullFaces(grid->flowZ + index, above + 1, above, depth - stride, depth, speeds, begin, end);
		}
		if (grid->wrapX)
		{
			grid->flowX[index + n] = grid->flowX[index];
		}
	}
	confinement->vorticity->speeds[tileRow] = tnFindFastest(speeds, n);
}

void tnVorticity_Confine(
	tnVorticity* vorticity, tnGrid* grid, const tnTiles* tiles, tnParallel* parallel, float strength, double timeStep)
{
	const float factor = (float)(TN_PULL_SCALE * strength * timeStep / grid->cellSize);
	tnConfinement confinement = {vorticity, grid, tiles, factor};
	tnParallelFor(parallel, grid->tileRowCount, tnMeasureTiles, &confinement);
	tnParallelFor(parallel, grid->tileRowCount, tnPullTiles, &confinement);
	if (grid->wrapZ)
	{
		// The faces of the south edge are those of the north edge.
		const ptrdiff_t end = tnGrid_Index(grid, 0, grid->rowCount);
		memcpy(grid->flowZ + end, grid->flowZ, (size_t)grid->columnCount * sizeof(float));
	}

	// The next time step must know.
	grid->editSpeed = tnMaxFloat(grid->editSpeed, tnFindFastest(vorticity->speeds, grid->tileRowCount));
}
