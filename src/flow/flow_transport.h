// SPDX-License-Identifier: MIT

// Pass D of a sub-step: water carries its momentum along.

#pragma once

#include "flow_rows.h"

// Pass D of a row: its water carries its momentum along.
void tnCompleteRow(const tnBand* band, const tnStage* stage, int row);

// What is left to do for a row whose velocities are final; without D, after C.

// Sponges. Returns the largest depth of the row, which was maxDepth before.
float tnRelaxRow(const tnBand* band, int row, float maxDepth);
// The fastest signal of a row: what limits the next time step. Taken before the sponges act, when all four faces of
// its cells are equally far.
void tnMeasureRow(const tnBand* band, int row);
