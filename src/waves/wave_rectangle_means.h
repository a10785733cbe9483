// SPDX-License-Identifier: MIT

#pragma once

#include "wave_fit.h"
#include "wave_pool.h"

// What rectangles of the surface have of a band: wave_rectangle_means.inc says how.

enum
{
	// Rectangles at once. They are on the stack, and those of a host's fibers may be small.
	TN_PRINT_BLOCK = 24,
	// They are looked at so many at once: those up to the next multiple of it must be numbers, too.
	TN_PRINT_STEP = 8,
	// Room for vectors that begin at the last one.
	TN_PRINT_SPACE = TN_PRINT_BLOCK + TN_PRINT_STEP,
	// Cells of a band that one may look at, from the cell around its middle on: half of a typical wave, and two more.
	TN_PRINT_REACH = 12,
};

// Middles, from the origin of the layer, and widths, in cells of the world. Rectangles that follow each other and have z and the
// width along it in common are a row.
typedef struct tnPrints
{
	double x[TN_PRINT_BLOCK]; // of each
	float widthX[TN_PRINT_BLOCK];
	double z[TN_PRINT_BLOCK]; // of each row
	float widthZ[TN_PRINT_BLOCK];
	int ends[TN_PRINT_BLOCK]; // of the rectangles of a row
	int count, rowCount;
} tnPrints;

// Mean heights of a band over such rectangles, m, and mean slopes.
typedef struct tnPrintSums
{
	float height[TN_PRINT_SPACE];
	float slopeX[TN_PRINT_SPACE], slopeZ[TN_PRINT_SPACE];
} tnPrintSums;

// A band, and which of its tiles was asked last.
typedef struct tnPrintBand
{
	const tnWavePool* pool;
	int level;
	double scale;   // cells of the band in one of the world
	float perMeter; // cells of the band
	float perUnit;  // the same, over what a slope over a cell has of a typical wave's
	int tileColumn, tileRow;
	int slot; // or -1
} tnPrintBand;

// sin(x) / x of half a width and a typical wave: of at most a cell, where the series is right to 3e-9.
static inline float tnGetWidthShare(float width)
{
	const float perCell = 3.14159265f / TN_WAVE_TYPICAL_CELLS;
	const float y = perCell * perCell * width * width;
	return 1.0f - y * (1.0f / 6.0f - y * (1.0f / 120.0f - y * (1.0f / 5040.0f)));
}

static inline int tnGetPaddedPrintCount(int count)
{
	return (count + TN_PRINT_STEP - 1) & -TN_PRINT_STEP;
}
