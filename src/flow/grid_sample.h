// SPDX-License-Identifier: MIT

#pragma once

#include "grid.h"
#include "tarn/query.h"

// The water at any place, and whole fields as a host wants them. Reads the grid, changes nothing.

// A place that is not finite is taken for the corner of cell (0, 0), with `inside` false.
tnSample tnSampleGrid(const tnGrid* grid, tnVec2 position);

// The same bits as tnSampleGrid for each place, faster.
void tnSampleGridMany(const tnGrid* grid, const tnVec2* positions, int count, tnSample* samples);

// As in query.h. Either array may be NULL.
// One row of cells [columnBegin, columnEnd), or all.
void tnGrid_CopyVelocityRow(
	const tnGrid* grid, int row, int columnBegin, int columnEnd, float* velocitiesX, float* velocitiesZ);
void tnGrid_CopyVelocities(const tnGrid* grid, float* velocitiesX, float* velocitiesZ);
void tnGrid_CopyDischarge(const tnGrid* grid, float* dischargeX, float* dischargeZ);

// Alpha 1 works without previous depths.
void tnGrid_CopySurface(const tnGrid* grid, float alpha, float* surface);
