// SPDX-License-Identifier: MIT

#pragma once

#include "../core/physical_constants.h"
#include "grid.h"
#include "tiles.h"

// Water in a disc of cells: what sources, pours and pushes have in common.
// A disc is the cells whose centres are within its radius, and at least the cell around its centre.

typedef struct tnDisc
{
	tnCellBox box;
	tnVec2 center;
	float radius;
	int cellCount;
	bool isCell;     // smaller than a cell: all of its box
	double depthSum; // m
} tnDisc;

tnDisc tnMakeDisc(const tnGrid* grid, tnVec2 center, float radius);
bool tnDisc_Covers(const tnDisc* disc, const tnGrid* grid, int column, int row);

// Add the same depth to each cell, with these concentrations. Returns the depth added, summed over cells, m.
double tnDisc_Add(const tnDisc* disc, tnGrid* grid, float depth, const float* tracers);
// Take the same share, in [0, 1], of the water of each cell. Returns the depth taken, m, at least 0.
double tnDisc_Take(const tnDisc* disc, tnGrid* grid, float share);
// Move each surface to a level. Returns the depth that came, m; `changed` tells if any cell did.
double tnDisc_Hold(const tnDisc* disc, tnGrid* grid, float level, const float* tracers, bool* changed);
// Add discharge, m^2/s, to a face through whose section, m, above TN_DRY_DEPTH, water can go.
void tnAddDischarge(tnGrid* grid, int column, int row, bool alongX, float section, float discharge);
// Give the water of the disc momentum, N s. Returns false if there is none.
bool tnDisc_Push(const tnDisc* disc, tnGrid* grid, tnVec2 impulse);
