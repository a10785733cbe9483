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
	const tnWaveTable* table; // of the level of the tile
	const tnEdgeKind* edges;  // by side
	float gravity;
	float timeStep; // that the table is fitted to, s
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

// Cells that the current may carry waves along at once, each way. The derivative of wave_kernels.inc turns no wave by more
// than 1.8 radians per cell, and its third order keeps |q| from growing up to sqrt(3): 2 x 0.45 x 1.8 = 1.62.
#define TN_WAVE_DRIFT_CELLS 0.45f
// And how many such parts a step may have. A faster current counts as one of that speed: for cells of 0.25 m at 60 Hz it
// would be one of 27 m/s.
#define TN_WAVE_DRIFT_PARTS 4.0f

// See the bed under a tile: its depth, or the depths and walls of one that is varied; the current.
// @param scratch TN_WAVE_FIT_SCRATCH floats
#define TN_WAVE_FIT_SCRATCH (2 * TN_WAVE_FIELD)
void tnWaveTile_Fit(const tnWaveFitting* fitting, tnWaveTile* tile, float* scratch);

// Make the coefficients of a varied tile for a time step, of the bed that it has seen.
void tnWaveTile_FitStep(const tnWaveFitting* fitting, tnWaveTile* tile, float* scratch);

// Currents that are too fast are limited, by a speed that depends on the time step: is there one for which another time step
// makes a difference? Then read it again.
bool tnWaveTile_MustFitDrift(const tnWaveFitting* fitting, const tnWaveTile* tile);
void tnWaveTile_FitDrift(const tnWaveFitting* fitting, tnWaveTile* tile);

// How much waves fade in a cell of a level because the world is open at one of some sides: 0 to 1.
// @param sides bit 1 << tnSide for each
float tnGetWaveEdgeFade(
	const tnWavePool* pool, const tnEdgeKind* edges, unsigned sides, int level, int column, int row);

// Make its window: where the band ends at a side, or the world is open.
void tnWaveTile_FitWindow(const tnWaveFitting* fitting, tnWaveTile* tile);
