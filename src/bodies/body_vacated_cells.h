// SPDX-License-Identifier: MIT

#pragma once

#include "bodies.h"

// Cells that bodies have just left.
//
// While a body covers a sliver of a cell, the water of that cell stands higher than its depth says. Where the body has gone on,
// depth alone is a dent in the water behind it until the sliver is filled up, as deep as the way of a step times the draft
// of the body: centimeters for a boat. So a group keeps such cells for one more step, covered with nothing: their heads are
// found with those of the others, and are what they were.

// Some of them, side by side in a row.
typedef struct tnLeftRun
{
	int32_t column, columnEnd, row; // of the world, wrapped if it is
} tnLeftRun;

// A surface that stands no higher than this over the water of its cell, in cells, was free. Not zero: under a body that
// hangs over the water it is rounding that decides between zero and the smallest lift.
#define TN_NO_LIFT 1.0e-3f

static inline bool tnWasCovered(const tnGrid* grid, ptrdiff_t index)
{
	return tnAbsFloat(grid->lift[index]) >= TN_NO_LIFT * grid->cellSize;
}

// Find those beside a body that has been cut: cells that were covered, and others between them.
// @return how many, at most `capacity`
int tnBody_FindLeft(const tnBody* body, const tnGrid* grid, tnLeftRun* runs, int capacity);
