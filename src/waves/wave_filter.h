// SPDX-License-Identifier: MIT

#pragma once

#include "../core/core.h"
#include "tarn/wave_def.h"

#include <stddef.h>

// How a displacement enters the bands of the wave layer: wave_filter.c says how.
//
// Level l has cells of size s 2^l. All levels share one lattice of integers: cell (column, row) of level l + 1 covers
// columns 2 column and 2 column + 1, rows 2 row and 2 row + 1 of level l. Cells may have negative numbers.

// Terms of the low pass after the first; so many cells it reaches out.
#define TN_WAVE_FILTER_REACH 16

// Some cells of a level.
typedef struct tnWaveBox
{
	int column, row; // of the first cell
	int columnCount, rowCount;
} tnWaveBox;

// What two boxes have in common.
static inline tnWaveBox tnMeetWaveBoxes(tnWaveBox a, tnWaveBox b)
{
	const int column = a.column > b.column ? a.column : b.column;
	const int row = a.row > b.row ? a.row : b.row;
	const int columnsA = a.column + a.columnCount - column, columnsB = b.column + b.columnCount - column;
	const int rowsA = a.row + a.rowCount - row, rowsB = b.row + b.rowCount - row;
	const int columns = columnsA < columnsB ? columnsA : columnsB;
	const int rows = rowsA < rowsB ? rowsA : rowsB;
	return (tnWaveBox){column, row, columns > 0 ? columns : 0, rows > 0 ? rows : 0};
}

static inline bool tnHasWaveCells(tnWaveBox box)
{
	return box.columnCount > 0 && box.rowCount > 0;
}

// Values of a box, at values[(row - box.row) * stride + column - box.column].
typedef struct tnWavePatch
{
	tnWaveBox box;
	int stride;
	float* values;
} tnWavePatch;

typedef struct tnWaveFilter
{
	float terms[TN_WAVE_FILTER_REACH + 1];
	const struct tnWaveKernels* kernels;
} tnWaveFilter;

// What a displacement needs to be decomposed.
typedef struct tnWavePlan
{
	int levelCount;
	tnWaveBox averages[TN_MAX_WAVE_LEVELS]; // the displacement seen from level l
	tnWaveBox smooth[TN_MAX_WAVE_LEVELS];   // its low pass
	tnWaveBox bands[TN_MAX_WAVE_LEVELS];    // all cells that may change in band l
	size_t scratchCount;                    // floats
} tnWavePlan;

// Weight of a wave number, radians per cell, in fits of low passes.
double tnGetFitWeight(double angle);
// Solves a positive definite system of equations, row-major, in place: values become the solution.
void tnSolveNormalEquations(int count, double* matrix, double* values);

tnWaveFilter tnMakeWaveFilter(tnSimd simd);

// Each of these has a box of all that is not zero in its result, if outside of the source are zeros. The target may be any
// part of it. What the source must have for that, of what is not zero: tnGetRestrictSource, tnGetProlongSource; for the low
// pass tnGetSmoothBox again.

// To the next coarser level.
tnWaveBox tnGetRestrictedBox(tnWaveBox box);
tnWaveBox tnGetRestrictSource(tnWaveBox target);
size_t tnGetRestrictScratch(tnWaveBox box); // floats
void tnRestrictWave(const tnWavePatch* source, const tnWavePatch* target, float* scratch);

// From a coarser level, times a factor, added to the cells that the target has.
tnWaveBox tnGetProlongedBox(tnWaveBox box);
tnWaveBox tnGetProlongSource(tnWaveBox target);
size_t tnGetProlongScratch(tnWaveBox box); // floats
void tnProlongWave(const tnWavePatch* source, float factor, const tnWavePatch* target, float* scratch);

// The low pass of what tnRestrictWave made.
tnWaveBox tnGetSmoothBox(tnWaveBox box);
size_t tnGetSmoothScratch(tnWaveBox box); // floats
void tnSmoothWave(const tnWaveFilter* filter, const tnWavePatch* source, const tnWavePatch* target, float* scratch);

// Add a patch to the cells that another has.
void tnAddPatch(const tnWavePatch* source, const tnWavePatch* target);

// Prepare to decompose a displacement of the finest level. False for a box that is empty or beyond all reason (more than
// 4096 cells wide, or 2^28 cells off), or a level count outside of [1, TN_MAX_WAVE_LEVELS].
bool tnPlanWaveEntry(tnWavePlan* plan, tnWaveBox box, int levelCount);
// Add a displacement (mean height of each cell of the box of the plan, same unit as the bands) to the bands. bands[l] may
// have any box: cells outside of it are left out, and with them their share of the volume.
void tnDecomposeWave(const tnWaveFilter* filter, const tnWavePlan* plan, const float* displacement, int stride,
	const tnWavePatch* bands, float* scratch);
