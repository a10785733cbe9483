// SPDX-License-Identifier: MIT

#pragma once

#include "../core/instruction_sets.h"
#include "tarn/base.h"
#include "wave_column_pressure.h"
#include "wave_fit.h"
#include "wave_pool.h"
#include "wave_rectangle_means.h"

// The loops over the cells of a tile of waves. wave_kernels.inc holds the code and the equations; it is compiled once
// for each instruction set, and all give the same bits.

// What a step needs to know of a tile. Heights have a valid halo of TN_WAVE_REACH cells.
typedef struct tnWaveTileStep
{
	float* height;
	float* rate;
	// 1 inside, less where waves fade; NULL if it is 1 everywhere.
	const float* window;
	// Share that is lost per step where the window is 0. In between it falls with the third power.
	float windowLoss;
	float timeStep;
	// Both height and rate are multiplied by it.
	float keep;
	// Loss of height by viscosity: times K h. Heights alone lose twice as fast as amplitudes are meant to.
	float viscous;

	// Depth is the same everywhere, no walls: the coefficients of the band times dt g / dx.
	tnWaveCoefficients uniform;
	// Otherwise fields, of a time step that may be another: what they make is multiplied by `pull`, the share of this one.
	// With S the weighted sum of neighbours, (4 edges + corners) / 6,
	//
	//   K q = mask (q S(mask) - S(mask q))                         Laplacian, positive; no flux where mask is 0
	//
	// all but twist times dt g / dx:
	//
	//   25 taps    slope = beta / 2    rest = alpha - K slope    bend = gamma
	//   49 taps    slope = beta / 2    rest = alpha    slopeRest = -K slope    bend = gamma + 2 sqrt(beta delta)
	//              twist = sqrt(delta / beta)
	//
	// mask is the share of a cell that is water, maskSum = S(mask).
	float pull;
	const float* mask;
	const float* maskSum;
	const float* rest;
	const float* slope;
	const float* bend;
	const float* slopeRest;
	const float* twist;
	float* scratch; // tnWaveKernels.scratchFloats, aligned to 64 bytes; one for each worker
} tnWaveTileStep;

// Waves that are too high break: amplitude sqrt(h^2 + (v / frequency)^2) is held below the limit of each cell.
typedef struct tnWaveBreaking
{
	float* height;
	float* rate;
	float perFrequency;  // 1 / typical angular frequency of the band, s
	float limit;         // of a tile that is not varied, m
	const float* limits; // else by cell, as all fields; NULL for none
	// What it finds: sum over cells of (amplitude^2 - limit^2), m^2, row by row in a fixed order, and where the highest was.
	double lost;
	int column, row;
	float amplitude; // 0 if nothing broke
} tnWaveBreaking;

// The current carries heights and rates along. Both have a valid halo of TN_WAVE_HALO cells, and so have current and mask.
typedef struct tnWaveDrift
{
	float* height;
	float* rate;
	const float* driftX;
	const float* driftZ;
	const float* mask; // NULL without walls
	float spread;      // time step over cell size, s/m
	float* scratch;
} tnWaveDrift;

// Rows of terms of a low pass are rounded up to so many cells: a multiple of every vector width.
#define TN_WAVE_TERM_STEP 8

typedef struct tnWaveKernels
{
	// Advance a tile by one step, in place. Each returns the largest of |height| and |rate| * timeStep that it wrote.
	float (*stepUniform25)(const tnWaveTileStep* step);
	float (*stepUniform49)(const tnWaveTileStep* step);
	float (*stepVaried25)(const tnWaveTileStep* step);
	float (*stepVaried49)(const tnWaveTileStep* step);
	// Ottosson's: v += alpha h + beta G h, with alpha the weight of the impulse, beta that of the Gaussian, both times
	// dt g / dx. Its taps are exp(-gamma r^2) at distances up to 3 cells along each axis; gamma is not scaled.
	float (*stepGaussian)(const tnWaveTileStep* step);
	void (*breakWaves)(tnWaveBreaking* breaking);
	void (*drift)(const tnWaveDrift* drift);
	// One term of the low pass of wave_filter.c: next = 2 x term - next, and sum += weight * next. They have a border of one
	// cell around the cells to compute and begin at its corner. columnCount is a multiple of TN_WAVE_TERM_STEP.
	void (*addTerm)(
		const float* term, float* next, float* sum, size_t stride, float weight, int columnCount, int rowCount);
	// Zeros where the band has no tile, where it rests, and where a rectangle is as wide as its typical wave.
	void (*samplePrints)(tnPrintBand* band, const tnPrints* prints, tnPrintSums* sums);
	// What columns feel: from depths to exponentials of the coarsest band, those of the next finer one, and the forces of one.
	// @param count a multiple of TN_PRINT_STEP
	void (*beginFalls)(tnWaveFalls* falls, int count, double k);
	void (*squareFalls)(tnWaveFalls* falls, int count);
	void (*feelWaves)(tnWaveFalls* falls, int count, const tnPrintSums* waves, double k, double heave);
	size_t scratchFloats;
} tnWaveKernels;

const tnWaveKernels* tnGetWaveKernels(tnSimd simd);

TN_DECLARE_TABLES(tnWaveKernels);
