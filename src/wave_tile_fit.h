// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/world.h"
#include "wave_bed.h"
#include "wave_fit.h"
#include "wave_pool.h"

// What the kernels have to know of a tile, made from the bed under it and the tiles around it: wave_tile_fit.c.

typedef struct tnWaveFitting
{
	const tnWavesDef* def;
	const tnWavePool* pool;
	const tnWaveBed* bed;
	const tnWaveTable* tables; // by level
	const tnEdgeKind* edges;   // by side
	float gravity, timeStep;
} tnWaveFitting;

enum
{
	// Cells over which a band fades where it ends. By measurement: waves of 4 to 11 cells come back with 0.5 % of their
	// amplitude straight on and 0.7 % at 45 degrees (docs/waves_study.md).
	TN_WAVE_FADE_CELLS = 24,
};

// Loss of amplitude where a window is 0, in sqrt(g/dx): the rate that goes with that width.
#define TN_WAVE_FADE_RATE 0.3f

// Amplitude at which waves break: steepness H / lambda = 0.142 (Michell 1893) means k a = 0.44, and H = 0.78 depth
// (McCowan 1894).
#define TN_WAVE_STEEPEST 0.44f
#define TN_WAVE_SHALLOWEST 0.39f

// Make the coefficients of a tile: fields of varied depth, or one depth; the current.
// @param scratch TN_WAVE_FIT_SCRATCH floats
#define TN_WAVE_FIT_SCRATCH (4 * TN_WAVE_FIELD)
void tnWaveTile_Fit(const tnWaveFitting* fitting, tnWaveTile* tile, float* scratch);

// How much waves fade in a cell of a level because the world is open at one of some sides: 0 to 1.
// @param sides bit 1 << tnSide for each
float tnGetWaveEdgeFade(
	const tnWavePool* pool, const tnEdgeKind* edges, unsigned sides, int level, int column, int row);

// Make its window: where the band ends at a side, or the world is open.
void tnWaveTile_FitWindow(const tnWaveFitting* fitting, tnWaveTile* tile);
