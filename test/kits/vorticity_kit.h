// SPDX-License-Identifier: MIT

#pragma once

// The cells and steps of tests of eddies, and how fast water turns in a cell.

#include "harness.h"

#include <tarn/tarn.h>

static const float s_cellSize = 0.5f;
static const float s_timeStep = 0.05f;

// dv/dx - du/dz in the middle of a cell whose neighbours are all wet, 1/s.
static inline float VorticityAt(const float* u, const float* v, int columnCount, int cell, float cellSize)
{
	return (v[cell + 1] - v[cell - 1] - u[cell + columnCount] + u[cell - columnCount]) / (2.0f * cellSize);
}
