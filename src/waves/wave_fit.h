// SPDX-License-Identifier: MIT

#pragma once

#include "../core/core.h"
#include "tarn/wave_def.h"

// Bands of waves, and kernels that move the waves of a band with their right speed at any depth. See wave_fit.c.

// Omega^2 = gravity / cellSize (alpha + beta K + gamma K^2 + delta K^3).
typedef struct tnWaveCoefficients
{
	float alpha, beta, gamma, delta;
} tnWaveCoefficients;

// Typical waves of a band, in cells: the middle of 4 to 12 by ratio, nearly.
#define TN_WAVE_TYPICAL_CELLS 6.9f

// Their wave number, 1/m.
static inline float tnGetTypicalWaveNumber(float cellSize)
{
	return 6.2831853f / (TN_WAVE_TYPICAL_CELLS * cellSize);
}

enum
{
	// Nine octaves of depth in seven steps each, ends included.
	TN_WAVE_DEPTHS = 64,
};

typedef struct tnWaveTable
{
	tnWaveCoefficients byDepth[TN_WAVE_DEPTHS]; // at the depths of tnGetWaveDepth
	tnWaveCoefficients deep;                    // the last of them
	float perCellSize;                          // 1/m
	float mostBeta;                             // of all depths
	float mostTimeStep;                         // s, in which it is stable
} tnWaveTable;

// Fits the kernels of one band. Takes some milliseconds, and no memory.
// @param finest the band holds the shortest waves there are: it is open above
// @param cellSize of the band, m
// @param timeStep in which tnWorld_Step moves the waves, s
// @param gravity m/s^2
// Where a time step is too long for the cells, waves are slower than they should be, but stable. Of numbers that are
// not finite, or not above zero (gravity and time step may be zero), come kernels of zeros: nothing moves.
void tnMakeWaveTable(
	tnWaveTable* table, tnWaveKernel kernel, bool finest, float cellSize, float timeStep, float gravity);

// The kernel at a depth in meters. Zeros without water.
tnWaveCoefficients tnWaveTable_Get(const tnWaveTable* table, float depth);

// Depth of an entry of the table, in cells.
float tnGetWaveDepth(int index);

// Phase speed, m/s, at which a kernel moves a wave: its wave vector is in radians per meter. Zero for a wave that does
// not move, and for one that the time step makes unstable.
double tnGetWaveSpeed(
	tnWaveCoefficients kernel, double cellSize, double timeStep, double gravity, double waveX, double waveZ);

// Which share of a wave of kappa radians per cell is handed to a band and to those coarser than it.
double tnGetWaveLowPass(double kappa);

// Which share of a wave of kappa radians per cell is in a band. The shares of all bands add up to 1.
double tnGetWaveShare(double kappa, bool finest);
