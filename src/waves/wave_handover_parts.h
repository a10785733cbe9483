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
	// Grids that filters look at, and one more for what they leave out.
	tnMaxGrids = 18,
	// Rows that are one piece of work. Divides the size of a tile.
	tnBlockRows = 16,
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
	// Surface and divergence; then what is short of them; then potentials F.
	float* fields[tnFieldCount];
	// Means to fill gaps with; then what is long of the finer grid; then what is short, not sharply cut. NULL for the finest.
	float* spares[tnFieldCount];
	float* depths; // least depth below each cell, 0 if not all of it is wet, m; NULL for the finest
	// The part in use.
	int columnBegin, columnEnd, rowBegin, rowEnd;
	float share;  // r 4^n
	bool isSharp; // the spares have what is less sharply cut
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
	uint8_t* complete; // by block of rows of a tile: all of it is known
	float* lowest;     // by tile: of the surface
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
	float reference;          // subtracted from all surfaces, m
	bool toSpares;            // passes between grids write and read the spares of the coarser, not its fields
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

// Beyond the part in use water is as if in a mirror: waves stand at walls, and water that sleeps is level.
static inline int tnReflect(int cell, int begin, int end)
{
	const int low = cell < begin ? 2 * begin - 1 - cell : cell;
	const int high = low >= end ? 2 * end - 1 - low : low;
	return tnClampInt(high, begin, end - 1);
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

// wave_handover_read.c: the flow as it is. False if there is no water.
bool tnReadFlow(tnTaking* taking, tnParallel* parallel);

// wave_handover_filter.c: what is long, what is short.
// Cells from begin (even) to end of a row of the next finer grid are made of `line`, with line[3] the first: the number
// of pairs. Potentials are prolonged smoothly, with line[4] the first.
int tnRefineAcross(const tnTaking* taking, const tnHandoverGrid* coarse, const float* field, int fineRow, tnRun run,
	bool smooth, float* line);
void tnCoarsen(tnTaking* taking, tnParallel* parallel, int n, bool toSpares);
void tnSharpen(tnTaking* taking, tnParallel* parallel, int n);

// wave_handover_potential.c: what is deep.
// 1 if waves of cells of this size are all deep, 0 if they are not.
float tnGetDepthWeight(float size, float depth);
void tnWeighShort(tnTaking* taking, tnParallel* parallel, int n);
void tnGatherPotentials(tnTaking* taking, tnParallel* parallel, int n);

// wave_handover_feed.c, wave_handover_push.c: to the layer, from the flow.
void tnFeedLayer(tnTaking* taking, tnParallel* parallel);
void tnPushFlow(tnTaking* taking, tnParallel* parallel);
