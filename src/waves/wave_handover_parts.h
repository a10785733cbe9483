// SPDX-License-Identifier: MIT

#pragma once

#include "../core/parallel.h"
#include "../flow/grid.h"
#include "../flow/tiles.h"
#include "wave_handover_rows.h"
#include "wave_layer.h"

// What the parts of the handover share: wave_handover.c says what it does, and in which order.

enum
{
	// Grids that give something, and two more: what is long of the coarsest, and depths around.
	tnMoreGrids = 2,
	tnMaxGrids = 18,
	// Rows that are one piece of work. Divides the size of a tile.
	tnBlockRows = 16,
	// Cells of a grid that the next coarser one has in use beside those of it: filters reach farther there. Even.
	tnPartMargin = 16,
	// How far prolongation reaches: cells beside the one in the middle.
	tnProlongReach = 3,
	tnSmoothReach = 4,
	tnFieldCount = 2, // surface and divergence
	// Cells of a tile of the layer and 2 on each side, for gradients of fourth order.
	tnPatchSize = TN_WAVE_TILE + 4,
	tnPatchStride = TN_WAVE_TILE + 16,
	tnPatchFloats = tnPatchSize * tnPatchStride + TN_HANDOVER_SLACK,
	tnTileFloats = TN_WAVE_TILE * TN_WAVE_TILE,
	// Rows of scratch memory.
	tnLineCount = 8,
};

typedef struct tnHandoverGrid
{
	int columnCount, rowCount, stride;
	float cellSize;
	// K of the surface, and divergence; then what is short of them; then potentials.
	float* fields[tnFieldCount];
	float* spares[tnFieldCount]; // sums; what the next grid is made of
	float* softs[tnFieldCount];  // what is less sharply cut; NULL for the finest
	float* depths;               // least depth below each cell, 0 if not all of it is wet, m; NULL for the finest
	float* walls;                // number of closed faces of open cells; NULL for the finest
	float* deepest;              // largest depth, m; NULL for the finest
	// The part in use.
	int columnBegin, columnEnd, rowBegin, rowEnd;
	float share, rateShare;           // r 16^n, r 4^n
	bool mirrorsColumns, mirrorsRows; // this grid and the next end with the world, in the east and in the south
	bool isSharp;                     // there is what is less sharply cut
} tnHandoverGrid;

// Of one worker.
typedef struct tnHandoverScratch
{
	float* lines[tnLineCount];
	float* patches[tnFieldCount];
	float* depths;
	float* changes[tnFieldCount];
} tnHandoverScratch;

typedef struct tnWaveHandover
{
	const tnHandoverRows* rows;
	tnHandoverGrid grids[tnMaxGrids];
	int gridCount;
	int bandCount; // grids that give something
	// By cell of the flow, with a border of zeros, m: depth of cells through whose faces waves are handed over, else 0.
	// Ready in tiles that are awake or beside such.
	float* room;
	uint8_t* distance; // by tile of the flow, to the next that is awake
	float* lowest;     // by tile: of the surface
	float* zeros;      // a row
	double* sums;      // by tile of the layer and by block of rows: of energy, two each
	int sumCount;
	float* memory;
	size_t memoryFloats;
	tnHandoverScratch* scratch; // by worker
	int workerCount, tileCount;
} tnWaveHandover;

// What all passes share.
typedef struct tnTaking
{
	tnWaves* waves;
	tnWaveHandover* handover;
	const tnHandoverRows* rows;
	tnGrid* grid;
	const tnTiles* tiles;
	int n;                    // of the grid that the pass works on
	int firstBand, bandCount; // the finest grid has not always its turn
	double time;              // s, since the last handover
	float reference;          // about how high surfaces are, m
	float fixedSection;       // of pipes, m; 0 if it is the depth
	float potentialScale;     // what potentials of rates are over gravity, m s, times this
	float share;              // of what is offered that is taken
	float perKinetic, lag;    // as of tnHandoverRelease
	float weights[2];         // of a cell and of its neighbours, in sums
} tnTaking;

// Cells [begin, end) of a row.
typedef struct tnRun
{
	int begin, end;
} tnRun;

enum
{
	// Tiles are awake, or so many tiles away from such; this is far.
	tnFar = 3,
};

// How far tiles are from awake ones, and the part of all grids that is in use. False if all sleep.
bool tnFindParts(tnTaking* taking);

// The next run of cells of a row that a pass looks at. On the finest grid: tiles at most so far from awake ones. On
// others: all of the part in use. Start with end -1.
bool tnNextRun(const tnTaking* taking, int n, int row, int most, tnRun* run);

// Rows of a piece of work. Pieces begin at multiples of their size, so they lie in one row of tiles.
tnRun tnGetRows(const tnHandoverGrid* level, int item);

// Run a pass over grid n, by rows of the grid rowsOf.
void tnRunRows(tnTaking* taking, tnParallel* parallel, int n, int rowsOf, tnItemFcn* fcn);

static inline int tnHalveUp(int count)
{
	return (count + 1) / 2;
}

// Half, rounded down also below zero.
static inline int tnHalveDown(int cell)
{
	return cell >= 0 ? cell / 2 : -((1 - cell) / 2);
}

static inline float* tnGetRow(const tnHandoverGrid* level, float* field, int row)
{
	return field + (ptrdiff_t)row * level->stride;
}

// The level of the layer that a grid feeds: with half its cells, or the finest.
static inline int tnGetFedLevel(const tnWavePool* pool, int n)
{
	return tnMaxInt(pool->finerLevels + n - 1, 0);
}

// Cells of that level along a cell of the grid.
static inline int tnGetFactor(const tnWavePool* pool, int n)
{
	return pool->finerLevels + n > 0 ? 2 : 1;
}

// Potentials of coarse grids count where the depth times this is above 1, and all from 2 on.
static inline float tnGetDeepScale(float cellSize)
{
	return 4.0f / cellSize;
}

// On the finest grid all that is open is deep.
#define TN_ANY_DEPTH 1.0e30f

// wave_handover_read.c: the flow as it is.
void tnReadFlow(tnTaking* taking, tnParallel* parallel);

// wave_handover_filter.c: what is long, what is short.
// Cells from begin (even) to end of a row of the next finer grid are made of `line`, with line[4] the first: the number
// of pairs.
int tnRefineAcross(
	const tnTaking* taking, const tnHandoverGrid* coarse, const float* field, int fineRow, tnRun run, float* line);
void tnCoarsen(tnTaking* taking, tnParallel* parallel, int n);
// What is short of grid n becomes potentials.
void tnChooseShort(tnTaking* taking, tnParallel* parallel, int n);

// wave_handover_potential.c: what is deep.
// 1 if waves of cells of this size are all deep, 0 if they are not.
float tnGetDepthWeight(float size, float depth);
void tnWeighShort(tnTaking* taking, tnParallel* parallel, int n);
void tnGatherPotentials(tnTaking* taking, tnParallel* parallel, int n);

// wave_handover_feed.c: what the layer is offered.
void tnOfferToLayer(tnTaking* taking, tnParallel* parallel);

// wave_handover_push.c: from the flow. First the sum of all potentials, then what taking them would release, by the share and by its
// square, m^5/s^2, and then they are taken.
void tnSumPotentials(tnTaking* taking, tnParallel* parallel);
void tnFindRelease(tnTaking* taking, tnParallel* parallel, double release[2]);
void tnPushFlow(tnTaking* taking, tnParallel* parallel);

// wave_handover_budget.c: how much of what is offered the layer may take, and to the layer. True if it is any.
bool tnChooseShare(tnTaking* taking, tnParallel* parallel);
void tnFeedLayer(tnTaking* taking, tnParallel* parallel);
void tnForgetOffer(tnTaking* taking, tnParallel* parallel);
