// SPDX-License-Identifier: MIT

#pragma once

// One tile of waves that goes on at its own other side, and the kernels that step it.

#include "core/hash.h"
#include "harness.h"
#include "waves/wave_fit.h"
#include "waves/wave_kernels.h"

#include <math.h>

#define GRAVITY 9.81f
#define CELL_SIZE 0.25f
#define TIME_STEP (1.0f / 60.0f)

enum
{
	tileSize = TN_WAVE_TILE,
	cellCount = tileSize * tileSize,
	stride = TN_WAVE_STRIDE,
	reach = TN_WAVE_REACH,
	halo = TN_WAVE_HALO,
	origin = TN_WAVE_HALO * TN_WAVE_STRIDE + TN_WAVE_PAD,
	mostScratch = 16384,
};

typedef enum Field
{
	heightField = 0,
	rateField,
	windowField,
	maskField,
	maskSumField,
	restField,
	slopeField,
	bendField,
	slopeRestField,
	twistField,
	driftXField,
	driftZField,
	limitField,
	fieldCount,
} Field;

typedef struct Tile
{
	float memory[fieldCount][TN_WAVE_FIELD];
} Tile;

typedef enum Kernel
{
	uniform25 = 0,
	uniform49,
	varied25,
	varied49,
	gaussian,
	breaking,
	drifting,
	kernelCount,
} Kernel;

// How a kernel is run.
typedef struct Run
{
	Kernel kernel;
	tnSimd simd;
	bool window, viscous;
	float keep;
	tnWaveCoefficients uniform;
} Run;

static Tile s_tile, s_other;
_Alignas(64) static float s_scratch[mostScratch];

static inline float* Get(Tile* tile, Field field)
{
	return tile->memory[field] + origin;
}

static inline int At(int column, int row)
{
	return row * stride + column;
}

static inline int Wrap(int index)
{
	return (index + tileSize) % tileSize;
}

// All but the cells of the tile becomes NaN: nobody may read it before FillHalo.
static inline void Poison(Tile* tile)
{
	for (int field = 0; field < fieldCount; ++field)
	{
		for (int i = 0; i < TN_WAVE_FIELD; ++i)
		{
			tile->memory[field][i] = NAN;
		}
	}
	for (int i = 0; i < mostScratch; ++i)
	{
		s_scratch[i] = NAN;
	}
}

// The tile goes on at its other side.
static inline void FillHalo(Tile* tile, Field field, int width)
{
	float* cells = Get(tile, field);
	for (int row = -width; row < tileSize + width; ++row)
	{
		const bool inside = row >= 0 && row < tileSize;
		for (int column = -width; column < tileSize + width; ++column)
		{
			if (inside && column == 0)
			{
				column = tileSize;
			}
			cells[At(column, row)] = cells[At(Wrap(column), Wrap(row))];
		}
	}
}

static inline void FillAllHalos(Tile* tile)
{
	for (int field = maskField; field <= twistField; ++field)
	{
		FillHalo(tile, field, reach);
	}
	// Drift looks at masks, too.
	FillHalo(tile, maskField, halo);
	FillHalo(tile, driftXField, halo);
	FillHalo(tile, driftZField, halo);
}

// Coefficients times dt g / dx.
static inline tnWaveCoefficients Scale(tnWaveCoefficients kernel)
{
	const float factor = TIME_STEP * GRAVITY / CELL_SIZE;
	return (tnWaveCoefficients){
		factor * kernel.alpha, factor * kernel.beta, factor * kernel.gamma, factor * kernel.delta};
}

static const tnWaveTable* GetTable(bool fine)
{
	static tnWaveTable tables[2];
	static bool made;
	if (!made)
	{
		tnMakeWaveTable(tables, tn_quickWaves, false, CELL_SIZE, TIME_STEP, GRAVITY);
		tnMakeWaveTable(tables + 1, tn_fineWaves, false, CELL_SIZE, TIME_STEP, GRAVITY);
		made = true;
	}
	return tables + fine;
}

// Ottosson's 7 taps: B = 0.53, and weights of about what moves waves of 8 cells.
static inline tnWaveCoefficients GetGaussian(void)
{
	const float falloff = 0.53f * 0.53f;
	double sum = 0.0;
	for (int i = -3; i <= 3; ++i)
	{
		sum += exp(-(double)falloff * i * i);
	}
	const float impulse = -0.9f * TIME_STEP * GRAVITY / CELL_SIZE;
	return (tnWaveCoefficients){impulse, (float)(-(double)impulse / (sum * sum)), falloff, 0.0f};
}

// K of wave_kernels.h at a cell, in double.
static inline double Bend(const double* q, const double* mask, int column, int row)
{
	double own = 0.0, around = 0.0;
	for (int i = 0; i < 9; ++i)
	{
		const int x = i % 3 - 1, z = i / 3 - 1;
		const double weight = i == 4 ? 0.0 : (x == 0 || z == 0 ? 4.0 : 1.0) / 6.0;
		const int at = Wrap(row + z) * tileSize + Wrap(column + x);
		own += weight * mask[at];
		around += weight * mask[at] * q[at];
	}
	const int at = row * tileSize + column;
	return mask[at] * (q[at] * own - around);
}

static inline void BendAll(double* target, const double* q, const double* mask)
{
	for (int i = 0; i < cellCount; ++i)
	{
		target[i] = Bend(q, mask, i % tileSize, i / tileSize);
	}
}

// Fields of varied depth from mask and depths.
static inline void MakeVaried(Tile* tile, bool fine, const float* depths)
{
	static double mask[cellCount], ones[cellCount], slope[cellCount], bent[cellCount];
	for (int i = 0; i < cellCount; ++i)
	{
		const int at = At(i % tileSize, i / tileSize);
		const tnWaveCoefficients kernel = Scale(tnWaveTable_Get(GetTable(fine), depths[i]));
		const double beta = (double)kernel.beta, delta = fine ? (double)kernel.delta : 0.0;
		mask[i] = (double)Get(tile, maskField)[at];
		ones[i] = 1.0;
		slope[i] = 0.5 * beta;
		Get(tile, restField)[at] = kernel.alpha;
		Get(tile, slopeField)[at] = (float)slope[i];
		Get(tile, bendField)[at] = (float)((double)kernel.gamma + 2.0 * sqrt(beta * delta));
		Get(tile, twistField)[at] = (float)sqrt(delta / beta);
	}
	BendAll(bent, slope, mask);
	for (int i = 0; i < cellCount; ++i)
	{
		Get(tile, slopeRestField)[At(i % tileSize, i / tileSize)] = (float)-bent[i];
		Get(tile, restField)[At(i % tileSize, i / tileSize)] -= fine ? 0.0f : (float)bent[i];
	}
	// S(mask) is what K of mask with a mask of ones leaves of 20/6 mask.
	BendAll(bent, mask, ones);
	for (int i = 0; i < cellCount; ++i)
	{
		Get(tile, maskSumField)[At(i % tileSize, i / tileSize)] = (float)(mask[i] * 20.0 / 6.0 - bent[i]);
	}
}

// A tile with everything in it: waves, walls, rough depth, a current in eddies, limits.
static inline void MakeBusy(Tile* tile, bool fine, uint64_t seed)
{
	static float depths[cellCount];
	TestRandom random = TestMakeRandom(seed);
	Poison(tile);
	for (int i = 0; i < cellCount; ++i)
	{
		const int at = At(i % tileSize, i / tileSize);
		const int kind = TestRandomInt(&random, 0, 19);
		Get(tile, maskField)[at] = kind < 2 ? 0.0f : (kind < 4 ? TestRandomFloat(&random, 0.0f, 1.0f) : 1.0f);
		Get(tile, heightField)[at] = TestRandomFloat(&random, -1.0f, 1.0f);
		Get(tile, rateField)[at] = TestRandomFloat(&random, -3.0f, 3.0f);
		Get(tile, windowField)[at] = TestRandomFloat(&random, 0.0f, 1.0f);
		Get(tile, driftXField)[at] = TestRandomFloat(&random, -2.0f, 2.0f);
		Get(tile, driftZField)[at] = TestRandomFloat(&random, -2.0f, 2.0f);
		Get(tile, limitField)[at] = TestRandomFloat(&random, 0.2f, 2.0f);
		// From 2 cm to 10 m.
		depths[i] = 0.02f * (float)pow(500.0, (double)TestRandomFloat(&random, 0.0f, 1.0f));
	}
	MakeVaried(tile, fine, depths);
	FillAllHalos(tile);
}

static inline Run MakeRun(Kernel kernel, tnSimd simd)
{
	const bool fine = kernel == uniform49 || kernel == varied49;
	Run run = {.kernel = kernel, .simd = simd, .keep = 1.0f};
	run.uniform = kernel == gaussian ? GetGaussian() : Scale(GetTable(fine)->deep);
	return run;
}

// One step, halo included. Returns what the kernel does, or of breaking the amplitude.
static inline float Step(Tile* tile, const Run* run)
{
	const tnWaveKernels* kernels = tnGetWaveKernels(run->simd);
	const int width = run->kernel == drifting ? halo : reach;
	FillHalo(tile, heightField, width);
	if (run->kernel == drifting)
	{
		FillHalo(tile, rateField, width);
	}
	const tnWaveTileStep step = {
		.height = Get(tile, heightField),
		.rate = Get(tile, rateField),
		.window = run->window ? Get(tile, windowField) : NULL,
		.windowLoss = 0.3f,
		.timeStep = TIME_STEP,
		.keep = run->keep,
		.viscous = run->viscous ? 0.01f : 0.0f,
		.uniform = run->uniform,
		.pull = 1.0f,
		.mask = Get(tile, maskField),
		.maskSum = Get(tile, maskSumField),
		.rest = Get(tile, restField),
		.slope = Get(tile, slopeField),
		.bend = Get(tile, bendField),
		.slopeRest = Get(tile, slopeRestField),
		.twist = Get(tile, twistField),
		.scratch = s_scratch,
	};
	tnWaveBreaking toBreak = {
		step.height, step.rate, 0.2f, 0.7f, run->window ? Get(tile, limitField) : NULL, -1.0, -1, -1, -1.0f};
	const tnWaveDrift drift = {step.height, step.rate, Get(tile, driftXField), Get(tile, driftZField),
		run->window ? Get(tile, maskField) : NULL, TIME_STEP / CELL_SIZE, s_scratch};
	switch (run->kernel)
	{
		case uniform25:
			return kernels->stepUniform25(&step);
		case uniform49:
			return kernels->stepUniform49(&step);
		case varied25:
			return kernels->stepVaried25(&step);
		case varied49:
			return kernels->stepVaried49(&step);
		case gaussian:
			return kernels->stepGaussian(&step);
		case breaking:
			kernels->breakWaves(&toBreak);
			return toBreak.amplitude;
		default:
			kernels->drift(&drift);
			return 0.0f;
	}
}

static inline uint64_t HashCells(uint64_t hash, Tile* tile)
{
	for (int row = 0; row < tileSize; ++row)
	{
		hash = tnHashBytes(hash, Get(tile, heightField) + At(0, row), tileSize * sizeof(float));
		hash = tnHashBytes(hash, Get(tile, rateField) + At(0, row), tileSize * sizeof(float));
	}
	return hash;
}
