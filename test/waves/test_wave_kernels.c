// SPDX-License-Identifier: MIT

// The loops over the cells of a tile of waves, on tiles that go on at their own other side: against the formulas in
// wave_kernels.h, in double and cell by cell; against the speeds that the kernels were fitted to; and for the bits.

#include "core/hash.h"
#include "flow/flow_kernels.h"
#include "harness.h"
#include "waves/wave_fit.h"
#include "waves/wave_kernels.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846
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

static float* Get(Tile* tile, Field field)
{
	return tile->memory[field] + origin;
}

static int At(int column, int row)
{
	return row * stride + column;
}

static int Wrap(int index)
{
	return (index + tileSize) % tileSize;
}

// All but the cells of the tile becomes NaN: nobody may read it before FillHalo.
static void Poison(Tile* tile)
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
static void FillHalo(Tile* tile, Field field, int width)
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

static void FillAllHalos(Tile* tile)
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
static tnWaveCoefficients Scale(tnWaveCoefficients kernel)
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
static tnWaveCoefficients GetGaussian(void)
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
static double Bend(const double* q, const double* mask, int column, int row)
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

static void BendAll(double* target, const double* q, const double* mask)
{
	for (int i = 0; i < cellCount; ++i)
	{
		target[i] = Bend(q, mask, i % tileSize, i / tileSize);
	}
}

// Fields of varied depth from mask and depths.
static void MakeVaried(Tile* tile, bool fine, const float* depths)
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
static void MakeBusy(Tile* tile, bool fine, uint64_t seed)
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

static Run MakeRun(Kernel kernel, tnSimd simd)
{
	const bool fine = kernel == uniform49 || kernel == varied49;
	Run run = {.kernel = kernel, .simd = simd, .keep = 1.0f};
	run.uniform = kernel == gaussian ? GetGaussian() : Scale(GetTable(fine)->deep);
	return run;
}

// One step, halo included. Returns what the kernel does, or of breaking the amplitude.
static float Step(Tile* tile, const Run* run)
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

static uint64_t HashCells(uint64_t hash, Tile* tile)
{
	for (int row = 0; row < tileSize; ++row)
	{
		hash = tnHashBytes(hash, Get(tile, heightField) + At(0, row), tileSize * sizeof(float));
		hash = tnHashBytes(hash, Get(tile, rateField) + At(0, row), tileSize * sizeof(float));
	}
	return hash;
}

// ---------------------------------------------------------------------------------------------------------------------
// Bits

// Each kernel with and without window, viscosity and mask, on a tile with everything in it.
static uint64_t HashKernel(Kernel kernel, tnSimd simd)
{
	uint64_t hash = TN_HASH_SEED;
	for (int i = 0; i < 4; ++i)
	{
		MakeBusy(&s_tile, kernel == varied49, 3);
		Run run = MakeRun(kernel, simd);
		run.window = i % 2 == 1;
		run.viscous = i / 2 == 1;
		run.keep = i == 0 ? 1.0f : 0.995f;
		for (int j = 0; j < 4; ++j)
		{
			const float largest = Step(&s_tile, &run);
			hash = tnHashBytes(hash, &largest, sizeof(largest));
		}
		hash = HashCells(hash, &s_tile);
	}
	return hash;
}

static int SameBits(void)
{
	for (int kernel = 0; kernel < kernelCount; ++kernel)
	{
		const uint64_t scalar = HashKernel(kernel, tn_simdScalar);
		for (int simd = tn_simdAuto; simd <= tn_simdWasm; ++simd)
		{
			if (tnIsSimdAvailable((tnSimd)simd))
			{
				ENSURE(tnGetWaveKernels((tnSimd)simd)->scratchFloats <= mostScratch);
				ENSURE_EQUAL_HEX(HashKernel(kernel, (tnSimd)simd), scalar);
			}
		}
	}
	return 0;
}

// The same bits on every machine, for any compiler, and in WebAssembly. Of sums, products and roots only: depths and
// Gaussians here come from libm.
static int BitsAreGolden(void)
{
	uint64_t hash = TN_HASH_SEED;
	TestRandom random = TestMakeRandom(17);
	for (int kernel = 0; kernel < kernelCount; ++kernel)
	{
		Poison(&s_tile);
		for (int i = 0; i < cellCount; ++i)
		{
			for (int field = 0; field < fieldCount; ++field)
			{
				const float low = field <= rateField ? -1.0f : (field < maskField ? 0.0f : 0.1f);
				Get(&s_tile, field)[At(i % tileSize, i / tileSize)] = TestRandomFloat(&random, low, 1.0f);
			}
		}
		FillAllHalos(&s_tile);
		const Run run = {kernel, tn_simdAuto, true, true, 0.99f, {0.3f, 0.2f, -0.05f, 0.02f}};
		for (int i = 0; i < 3; ++i)
		{
			Step(&s_tile, &run);
		}
		hash = HashCells(hash, &s_tile);
	}
	ENSURE_EQUAL_HEX(hash, UINT64_C(0xfe63109252b210c8));
	return 0;
}

// The place of a cell in a tile that is flipped along x (1), along z (2), transposed (4).
static int Turn(int i, int way)
{
	int column = i % tileSize, row = i / tileSize;
	column = (way & 1) != 0 ? tileSize - 1 - column : column;
	row = (way & 2) != 0 ? tileSize - 1 - row : row;
	return (way & 4) != 0 ? At(row, column) : At(column, row);
}

static void TurnTile(Tile* target, Tile* source, int way)
{
	Poison(target);
	for (int field = 0; field < fieldCount; ++field)
	{
		// Along which a current flows, before and after.
		const bool turns = (way & 4) != 0 && (field == driftXField || field == driftZField);
		const Field to = turns ? driftXField + driftZField - field : field;
		const bool flips = (field == driftXField && (way & 1) != 0) || (field == driftZField && (way & 2) != 0);
		for (int i = 0; i < cellCount; ++i)
		{
			const float value = Get(source, field)[At(i % tileSize, i / tileSize)];
			Get(target, to)[Turn(i, way)] = flips ? -value : value;
		}
	}
	FillAllHalos(target);
}

// A tile that is flipped or transposed gives flipped or transposed bits.
static int NoDirectionIsSpecial(void)
{
	for (int i = 0; i < kernelCount * 7; ++i)
	{
		const int way = i % 7 + 1;
		Run run = MakeRun(i / 7, tn_simdAuto);
		run.window = true;
		run.viscous = true;
		run.keep = 0.99f;
		MakeBusy(&s_tile, run.kernel == varied49, 5);
		TurnTile(&s_other, &s_tile, way);
		for (int j = 0; j < 3; ++j)
		{
			const float largest = Step(&s_tile, &run);
			ENSURE(Step(&s_other, &run) == largest);
		}
		for (int j = 0; j < cellCount; ++j)
		{
			const int at = At(j % tileSize, j / tileSize), there = Turn(j, way);
			const float* h = Get(&s_tile, heightField) + at;
			const float* v = Get(&s_tile, rateField) + at;
			ENSURE(memcmp(h, Get(&s_other, heightField) + there, sizeof(float)) == 0);
			ENSURE(memcmp(v, Get(&s_other, rateField) + there, sizeof(float)) == 0);
		}
	}
	return 0;
}

// Only cells of the tile are written, and what is beyond the halo changes nothing: it is NaN here.
static int OnlyCellsAreWritten(void)
{
	for (int kernel = 0; kernel < kernelCount; ++kernel)
	{
		Run run = MakeRun(kernel, tn_simdAuto);
		run.window = true;
		MakeBusy(&s_tile, kernel == varied49, 7);
		FillHalo(&s_tile, heightField, kernel == drifting ? halo : reach);
		if (kernel == drifting)
		{
			FillHalo(&s_tile, rateField, halo);
		}
		s_other = s_tile;
		Step(&s_tile, &run);
		bool changed = false;
		for (int i = 0; i < fieldCount * TN_WAVE_FIELD; ++i)
		{
			const int field = i / TN_WAVE_FIELD, at = i % TN_WAVE_FIELD;
			const int row = at / stride - halo, column = at % stride - TN_WAVE_PAD;
			const bool inside = row >= 0 && row < tileSize && column >= 0 && column < tileSize;
			const bool same = memcmp(s_tile.memory[field] + at, s_other.memory[field] + at, sizeof(float)) == 0;
			const bool mayChange = inside && (field == heightField || field == rateField);
			ENSURE(same || mayChange);
			ENSURE(!mayChange || isfinite(s_tile.memory[field][at]));
			changed = changed || !same;
		}
		ENSURE(changed);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Formulas

// What a step pulls at v, in double.
static void GetPull(double* pull, Tile* tile, const Run* run)
{
	static double h[cellCount], y[cellCount], z[cellCount], g[cellCount], sloped[cellCount], mask[cellCount];
	static double u[cellCount], more[cellCount];
	const bool varied = run->kernel == varied25 || run->kernel == varied49;
	const bool fine = run->kernel == uniform49 || run->kernel == varied49;
	const double beta = (double)run->uniform.beta, delta = fine ? (double)run->uniform.delta : 0.0;
	for (int i = 0; i < cellCount; ++i)
	{
		const int at = At(i % tileSize, i / tileSize);
		h[i] = (double)Get(tile, heightField)[at];
		mask[i] = varied ? (double)Get(tile, maskField)[at] : 1.0;
	}
	BendAll(y, h, mask);
	for (int i = 0; i < cellCount; ++i)
	{
		const int at = At(i % tileSize, i / tileSize);
		const double twist = varied ? (fine ? (double)Get(tile, twistField)[at] : 0.0) : sqrt(delta / beta);
		g[i] = h[i] - twist * y[i];
		sloped[i] = (varied ? (double)Get(tile, slopeField)[at] : 0.5 * beta) * g[i];
	}
	BendAll(u, g, mask);
	BendAll(more, sloped, mask);
	for (int i = 0; i < cellCount; ++i)
	{
		const int at = At(i % tileSize, i / tileSize);
		const double slope = varied ? (double)Get(tile, slopeField)[at] : 0.5 * beta;
		const double bend =
			varied ? (double)Get(tile, bendField)[at] : (double)run->uniform.gamma + 2.0 * sqrt(beta * delta);
		const double twist = varied ? (fine ? (double)Get(tile, twistField)[at] : 0.0) : sqrt(delta / beta);
		u[i] = slope * u[i] + more[i] + (varied && fine ? (double)Get(tile, slopeRestField)[at] * g[i] : 0.0);
		z[i] = bend * y[i] - twist * u[i];
	}
	BendAll(more, z, mask);
	for (int i = 0; i < cellCount; ++i)
	{
		const int at = At(i % tileSize, i / tileSize);
		const double rest = (double)(varied ? Get(tile, restField)[at] : run->uniform.alpha);
		pull[i] = mask[i] > 0.0 ? rest * h[i] + u[i] + more[i] : 0.0;
	}
}

// A step does what wave_kernels.h says, at every cell, and reports the largest number that it wrote.
static int StepsFollowTheirFormulas(void)
{
	static double pull[cellCount], before[cellCount];
	for (int i = 0; i < 16; ++i)
	{
		Run run = MakeRun(i / 4, tn_simdAuto);
		run.window = i % 2 == 1;
		run.viscous = i / 2 % 2 == 1;
		run.keep = 0.98f;
		MakeBusy(&s_tile, run.kernel == varied49, 11);
		for (int j = 0; j < cellCount; ++j)
		{
			// The largest number is a height, or a rate, and it is negative.
			const int at = At(j % tileSize, j / tileSize);
			float* h = Get(&s_tile, heightField) + at;
			float* v = Get(&s_tile, rateField) + at;
			*h = run.viscous ? 0.01f * fabsf(*h) : -fabsf(*h);
			*v = run.viscous ? -fabsf(*v) : 0.1f * *v;
		}
		s_other = s_tile;
		GetPull(pull, &s_tile, &run);
		static double mask[cellCount], h[cellCount];
		for (int j = 0; j < cellCount; ++j)
		{
			const int at = At(j % tileSize, j / tileSize);
			mask[j] = run.kernel >= varied25 ? (double)Get(&s_tile, maskField)[at] : 1.0;
			h[j] = (double)Get(&s_tile, heightField)[at];
		}
		BendAll(before, h, mask);
		// 25 taps have no use for it.
		run.uniform.delta = run.kernel == uniform25 ? 123.0f : run.uniform.delta;
		const float largest = Step(&s_tile, &run);

		double high = 0.0, error = 0.0;
		for (int j = 0; j < cellCount; ++j)
		{
			const int at = At(j % tileSize, j / tileSize);
			const double q = 1.0 - (double)Get(&s_other, windowField)[at];
			const double keep = (double)run.keep * (run.window ? 1.0 - (double)0.3f * q * q * q : 1.0);
			const double v = mask[j] > 0.0 ? (double)Get(&s_other, rateField)[at] - pull[j] : 0.0;
			const double moved = h[j] + (double)TIME_STEP * v - (run.viscous ? (double)0.01f * before[j] : 0.0);
			const float newHeight = Get(&s_tile, heightField)[at], newRate = Get(&s_tile, rateField)[at];
			error = fmax(error, fabs((double)newHeight - keep * (mask[j] > 0.0 ? moved : 0.0)));
			error = fmax(error, fabs((double)newRate - keep * v));
			high = fmax(high, fmax(fabs((double)newHeight), fabs((double)(newRate * TIME_STEP))));
			ENSURE(mask[j] > 0.0 || (newHeight == 0.0f && newRate == 0.0f));
		}
		// Heights are up to 1, rates up to 3: a dozen roundings of 2^-24 of numbers below 16.
		ENSURE_CLOSE(error, 0.0, 4.0e-6);
		ENSURE(largest == (float)high);
	}
	return 0;
}

// Damping is a factor, exactly; a window of 1 is none; without walls, varied depth that does not vary is uniform.
static int SpecialCasesAgree(void)
{
	for (int kernel = uniform25; kernel <= gaussian; ++kernel)
	{
		Run run = MakeRun(kernel, tn_simdAuto);
		MakeBusy(&s_tile, kernel == varied49, 13);
		s_other = s_tile;
		Step(&s_tile, &run);
		run.keep = 0.75f;
		run.window = true;
		for (int i = 0; i < cellCount; ++i)
		{
			Get(&s_other, windowField)[At(i % tileSize, i / tileSize)] = i % 3 == 0 ? 0.0f : 1.0f;
		}
		Step(&s_other, &run);
		for (int i = 0; i < cellCount; ++i)
		{
			const int at = At(i % tileSize, i / tileSize);
			const float factor = i % 3 == 0 ? run.keep * (1.0f - 0.3f) : run.keep;
			ENSURE(Get(&s_other, heightField)[at] == factor * Get(&s_tile, heightField)[at]);
			ENSURE(Get(&s_other, rateField)[at] == factor * Get(&s_tile, rateField)[at]);
		}
	}
	for (int i = 0; i < 4; ++i)
	{
		const bool fine = i % 2 == 1;
		static float depths[cellCount];
		TestRandom random = TestMakeRandom(19);
		Poison(&s_tile);
		for (int j = 0; j < cellCount; ++j)
		{
			const int at = At(j % tileSize, j / tileSize);
			Get(&s_tile, heightField)[at] = TestRandomFloat(&random, -1.0f, 1.0f);
			Get(&s_tile, rateField)[at] = TestRandomFloat(&random, -1.0f, 1.0f);
			Get(&s_tile, maskField)[at] = 1.0f;
			depths[j] = i < 2 ? 0.3f : 100.0f;
		}
		MakeVaried(&s_tile, fine, depths);
		FillAllHalos(&s_tile);
		s_other = s_tile;
		Run uniform = MakeRun(fine ? uniform49 : uniform25, tn_simdAuto);
		uniform.uniform = Scale(tnWaveTable_Get(GetTable(fine), depths[0]));
		uniform.viscous = true;
		Run varied = MakeRun(fine ? varied49 : varied25, tn_simdAuto);
		varied.viscous = true;
		double error = 0.0, largest = 0.0;
		for (int j = 0; j < 50; ++j)
		{
			Step(&s_tile, &uniform);
			Step(&s_other, &varied);
		}
		for (int j = 0; j < cellCount; ++j)
		{
			const int at = At(j % tileSize, j / tileSize);
			const double one = (double)Get(&s_tile, heightField)[at];
			error = fmax(error, fabs(one - (double)Get(&s_other, heightField)[at]));
			largest = fmax(largest, fabs(one));
		}
		ENSURE(largest > 0.1);
		// Fifty steps of roundings of 2^-24 that may all go the same way.
		ENSURE_CLOSE(error, 0.0, 1.0e-5);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Waves

typedef struct Wave
{
	double real, imaginary;
} Wave;

// The share of a wave with so many crests along x and z in a field.
static Wave Project(Tile* tile, Field field, int crestsX, int crestsZ)
{
	Wave wave = {0.0, 0.0};
	for (int i = 0; i < cellCount; ++i)
	{
		const int column = i % tileSize, row = i / tileSize;
		const double angle = 2.0 * PI / tileSize * (crestsX * column + crestsZ * row);
		const double q = (double)Get(tile, field)[At(column, row)];
		wave.real += 2.0 / cellCount * q * cos(angle);
		wave.imaginary += 2.0 / cellCount * q * sin(angle);
	}
	return wave;
}

// A wave that runs along (crestsX, crestsZ), with the angle that it turns by in a step.
static void PutWave(Tile* tile, int crestsX, int crestsZ, double turn)
{
	Poison(tile);
	for (int i = 0; i < cellCount; ++i)
	{
		const int at = At(i % tileSize, i / tileSize);
		const double angle = 2.0 * PI / tileSize * (crestsX * (i % tileSize) + crestsZ * (i / tileSize));
		Get(tile, heightField)[at] = (float)cos(angle);
		// A rate belongs to the half step before.
		Get(tile, rateField)[at] = (float)((cos(angle) - cos(angle + turn)) / (double)TIME_STEP);
	}
}

// By what angle a wave turns in a step, from two moments and what it is about.
static double MeasureTurn(Wave wave, int steps, double about)
{
	const double angle = atan2(wave.imaginary, wave.real);
	const double turns = floor((about * steps - angle) / (2.0 * PI) + 0.5);
	return (angle + 2.0 * PI * turns) / steps;
}

// Waves run with the speeds that the kernels are fitted to, along axes, across, and in between, and keep their height.
static int SpeedsAreRight(void)
{
	static const int crests[][2] = {{8, 0}, {0, 11}, {6, 6}, {4, -9}};
	enum
	{
		crestCount = 4,
		stepCount = 1500
	};
	for (int i = 0; i < 2 * crestCount * 2; ++i)
	{
		const bool fine = i % 2 == 1;
		const int* crest = crests[i / 2 % crestCount];
		const float depth = i < 2 * crestCount ? 100.0f : 0.2f;
		const double number = 2.0 * PI / (tileSize * (double)CELL_SIZE) * hypot(crest[0], crest[1]);
		const tnWaveCoefficients kernel = tnWaveTable_Get(GetTable(fine), depth);
		const double speed = tnGetWaveSpeed(kernel, CELL_SIZE, TIME_STEP, GRAVITY,
			2.0 * PI / (tileSize * (double)CELL_SIZE) * crest[0], 2.0 * PI / (tileSize * (double)CELL_SIZE) * crest[1]);
		const double turn = speed * number * (double)TIME_STEP;
		Run run = MakeRun(fine ? uniform49 : uniform25, tn_simdAuto);
		run.uniform = Scale(kernel);
		PutWave(&s_tile, crest[0], crest[1], turn);
		for (int j = 0; j < stepCount; ++j)
		{
			Step(&s_tile, &run);
		}
		const Wave wave = Project(&s_tile, heightField, crest[0], crest[1]);
		// Coefficients have 2^-24 of relative error, and so has each of 1500 steps.
		ENSURE_CLOSE(MeasureTurn(wave, stepCount, turn) / turn, 1.0, 1.0e-6);
		ENSURE_CLOSE(hypot(wave.real, wave.imaginary), 1.0, 1.0e-4);
		// 25 taps are good for 1 %.
		const double exact = sqrt((double)GRAVITY / number * tanh(number * (double)depth));
		ENSURE_CLOSE(speed / exact, 1.0, fine ? 0.004 : 0.01);
	}
	return 0;
}

// Ottosson's kernel: 4 sin^2(turn / 2) = -dt (alpha + beta G(kx) G(kz)).
static int GaussianSpeedsAreRight(void)
{
	static const int crests[][2] = {{8, 0}, {0, 6}, {5, -5}};
	enum
	{
		stepCount = 600
	};
	for (int i = 0; i < 3; ++i)
	{
		const Run run = MakeRun(gaussian, tn_simdAuto);
		double both = 1.0;
		for (int k = 0; k < 2; ++k)
		{
			double symbol = 1.0;
			for (int j = 1; j <= 3; ++j)
			{
				symbol += 2.0 * exp(-(double)run.uniform.gamma * j * j) * cos(2.0 * PI / tileSize * crests[i][k] * j);
			}
			both *= symbol;
		}
		const double square = -(double)TIME_STEP * ((double)run.uniform.alpha + (double)run.uniform.beta * both);
		ENSURE(square > 0.0);
		const double turn = 2.0 * asin(0.5 * sqrt(square));
		PutWave(&s_tile, crests[i][0], crests[i][1], turn);
		for (int j = 0; j < stepCount; ++j)
		{
			Step(&s_tile, &run);
		}
		const Wave wave = Project(&s_tile, heightField, crests[i][0], crests[i][1]);
		// Here the Gaussian and the impulse nearly cancel: rounding of the weights counts some ten times.
		ENSURE_CLOSE(MeasureTurn(wave, stepCount, turn) / turn, 1.0, 1.0e-5);
		ENSURE_CLOSE(hypot(wave.real, wave.imaginary), 1.0, 1.0e-4);
	}
	return 0;
}

// Viscosity: of waves that do not run, each step leaves 1 - viscous K.
static int ViscosityTakesShortWaves(void)
{
	for (int crests = 4; crests <= 16; crests *= 2)
	{
		Run run = {.kernel = uniform25, .viscous = true, .keep = 1.0f};
		PutWave(&s_tile, crests, 0, 0.0);
		for (int i = 0; i < 100; ++i)
		{
			Step(&s_tile, &run);
		}
		const double symbol = 2.0 - 2.0 * cos(2.0 * PI / tileSize * crests);
		const double expected = pow(1.0 - (double)0.01f * symbol, 100.0);
		ENSURE_CLOSE(Project(&s_tile, heightField, crests, 0).real / expected, 1.0, 1.0e-4);
	}
	return 0;
}

// dt v.v + h.P h - dt v.P h, which the steps keep (the invariant of x' = x + dt y', y' = y - P x for a symmetric P).
static double GetEnergy(Tile* tile, const Run* run)
{
	s_other = *tile;
	Step(&s_other, run);
	double sum = 0.0;
	for (int i = 0; i < cellCount; ++i)
	{
		const int at = At(i % tileSize, i / tileSize);
		const double h = (double)Get(tile, heightField)[at], v = (double)Get(tile, rateField)[at];
		const double pull = v - (double)Get(&s_other, rateField)[at];
		sum += (double)TIME_STEP * v * v + pull * (h - (double)TIME_STEP * v);
	}
	return sum;
}

// Rough depth, walls and cells that are partly dry: waves neither grow nor fade.
static int VariedDepthKeepsEnergy(void)
{
	for (int i = 0; i < 2; ++i)
	{
		const bool fine = i == 1;
		const Run run = MakeRun(fine ? varied49 : varied25, tn_simdAuto);
		MakeBusy(&s_tile, fine, 23);
		Step(&s_tile, &run);
		const double start = GetEnergy(&s_tile, &run);
		double low = start, high = start;
		for (int j = 0; j < 20000; ++j)
		{
			Step(&s_tile, &run);
			if (j % 1000 == 999)
			{
				const double energy = GetEnergy(&s_tile, &run);
				low = fmin(low, energy);
				high = fmax(high, energy);
			}
		}
		ENSURE(start > 0.0);
		// 20000 steps of roundings of 2^-24: 1e-3 if all went the same way, 1e-5 if at random.
		ENSURE_CLOSE(low / start, 1.0, 1.0e-4);
		ENSURE_CLOSE(high / start, 1.0, 1.0e-4);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Drift

static double SumSquares(Tile* tile, Field field)
{
	double sum = 0.0;
	for (int i = 0; i < cellCount; ++i)
	{
		const double q = (double)Get(tile, field)[At(i % tileSize, i / tileSize)];
		sum += q * q;
	}
	return sum;
}

// A uniform current of 2 m/s carries waves of 8 cells along for 10 s. Rates and heights alike, and along any direction.
static int DriftCarriesWaves(void)
{
	static const double currents[][2] = {{2.0, 0.0}, {0.0, -2.0}, {1.3, 1.3}};
	static const int crests[][2] = {{8, 0}, {0, 8}, {6, 6}};
	enum
	{
		stepCount = 600
	};
	for (int i = 0; i < 3; ++i)
	{
		const Run run = MakeRun(drifting, tn_simdAuto);
		const double turn = 2.0 * PI / tileSize * (currents[i][0] * crests[i][0] + currents[i][1] * crests[i][1]) *
			(double)(TIME_STEP / CELL_SIZE);
		PutWave(&s_tile, crests[i][0], crests[i][1], turn);
		for (int j = 0; j < cellCount; ++j)
		{
			const int at = At(j % tileSize, j / tileSize);
			Get(&s_tile, driftXField)[at] = (float)currents[i][0];
			Get(&s_tile, driftZField)[at] = (float)currents[i][1];
		}
		FillHalo(&s_tile, driftXField, halo);
		FillHalo(&s_tile, driftZField, halo);
		const Wave before = Project(&s_tile, rateField, crests[i][0], crests[i][1]);
		for (int j = 0; j < stepCount; ++j)
		{
			Step(&s_tile, &run);
		}
		const Wave wave = Project(&s_tile, heightField, crests[i][0], crests[i][1]);
		const Wave rate = Project(&s_tile, rateField, crests[i][0], crests[i][1]);
		// Slopes are right to 0.7 %. Third order loses turn^4 / 24 of the amplitude in each step: 0.3 % in all.
		ENSURE_CLOSE(MeasureTurn(wave, stepCount, turn) / turn, 1.0, 0.007);
		const double kept = hypot(wave.real, wave.imaginary);
		ENSURE_CLOSE(kept, exp(-stepCount * pow(turn, 4.0) / 24.0), 2.0e-4);
		ENSURE(kept > 0.9965 && kept < 1.0);
		ENSURE_CLOSE(hypot(rate.real, rate.imaginary), kept * hypot(before.real, before.imaginary), 1.0e-3);
	}
	return 0;
}

// Eddies and walls: energy does not grow, and nothing gets into walls.
static int DriftKeepsEnergy(void)
{
	Run run = MakeRun(drifting, tn_simdAuto);
	for (int i = 0; i < 2; ++i)
	{
		run.window = i == 1; // with the mask
		MakeBusy(&s_tile, false, 29);
		for (int j = 0; j < cellCount; ++j)
		{
			const int column = j % tileSize, row = j / tileSize, at = At(column, row);
			// Waves of eight cells and more: sums of random ones would be of all lengths, and lose what is too short.
			const double x = 2.0 * PI / tileSize * column, z = 2.0 * PI / tileSize * row;
			const float wet = Get(&s_tile, maskField)[at] > 0.0f || i == 0 ? 1.0f : 0.0f;
			Get(&s_tile, heightField)[at] = wet * (float)(sin(5.0 * x + 2.0 * z) + cos(7.0 * z - x));
			Get(&s_tile, rateField)[at] = wet;
			Get(&s_tile, driftXField)[at] = (float)(0.8 * sin(z) * cos(x));
			Get(&s_tile, driftZField)[at] = (float)(-0.8 * cos(z) * sin(x));
		}
		FillAllHalos(&s_tile);
		double energy = SumSquares(&s_tile, heightField), rates = SumSquares(&s_tile, rateField);
		const double start = energy;
		for (int j = 0; j < 300; ++j)
		{
			Step(&s_tile, &run);
			const double next = SumSquares(&s_tile, heightField), nextRates = SumSquares(&s_tile, rateField);
			// Less by turn^4 / 12 of each wave, but for rounding.
			ENSURE(next <= energy * (1.0 + 1.0e-6) && nextRates <= rates * (1.0 + 1.0e-6));
			energy = next;
			rates = nextRates;
		}
		// Eddies shorten waves: after 5 s some have lost a little.
		ENSURE(energy > 0.99 * start);
		for (int j = 0; j < cellCount && i == 1; ++j)
		{
			const int at = At(j % tileSize, j / tileSize);
			ENSURE(Get(&s_tile, maskField)[at] > 0.0f || Get(&s_tile, heightField)[at] == 0.0f);
		}
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Breaking

static int WavesBreak(void)
{
	const tnWaveKernels* kernels = tnGetWaveKernels(tn_simdAuto);
	for (int i = 0; i < 2; ++i)
	{
		MakeBusy(&s_tile, false, 31);
		s_other = s_tile;
		tnWaveBreaking toBreak = {.height = Get(&s_tile, heightField),
			.rate = Get(&s_tile, rateField),
			.perFrequency = 0.3f,
			.limit = 0.8f,
			.limits = i == 1 ? Get(&s_tile, limitField) : NULL,
			.lost = 5.0,
			.amplitude = 5.0f};
		kernels->breakWaves(&toBreak);
		double lost = 0.0, highest = 0.0;
		int brokenCount = 0, column = -1, row = -1;
		for (int j = 0; j < cellCount; ++j)
		{
			const int at = At(j % tileSize, j / tileSize);
			const double h = (double)Get(&s_other, heightField)[at], v = (double)Get(&s_other, rateField)[at];
			const double newHeight = (double)Get(&s_tile, heightField)[at],
						 newRate = (double)Get(&s_tile, rateField)[at];
			const double amplitude = hypot(h, (double)0.3f * v);
			const double limit = i == 1 ? (double)Get(&s_tile, limitField)[at] : (double)0.8f;
			if (amplitude > limit * (1.0 + 1.0e-6))
			{
				++brokenCount;
				lost += amplitude * amplitude - limit * limit;
				ENSURE_CLOSE(hypot(newHeight, (double)0.3f * newRate), limit, 1.0e-6);
				// It is lower, and does not move otherwise.
				ENSURE_CLOSE(newHeight * v, newRate * h, 1.0e-6);
				column = amplitude > highest ? j % tileSize : column;
				row = amplitude > highest ? j / tileSize : row;
				highest = fmax(highest, amplitude);
			}
			else if (amplitude < limit * (1.0 - 1.0e-6))
			{
				ENSURE(newHeight == h && newRate == v);
			}
		}
		ENSURE(brokenCount > 100 && brokenCount < cellCount - 100);
		ENSURE_CLOSE(toBreak.lost / lost, 1.0, 1.0e-5);
		ENSURE_CLOSE(toBreak.amplitude, highest, 1.0e-6);
		ENSURE_EQUAL_INT(toBreak.column, column);
		ENSURE_EQUAL_INT(toBreak.row, row);

		toBreak.limits = NULL;
		toBreak.limit = 100.0f;
		s_other = s_tile;
		kernels->breakWaves(&toBreak);
		ENSURE(toBreak.lost == 0.0 && toBreak.amplitude == 0.0f);
		ENSURE(HashCells(TN_HASH_SEED, &s_tile) == HashCells(TN_HASH_SEED, &s_other));
	}
	return 0;
}

static const Test s_tests[] = {
	{"SameBits", SameBits},
	{"BitsAreGolden", BitsAreGolden},
	{"NoDirectionIsSpecial", NoDirectionIsSpecial},
	{"OnlyCellsAreWritten", OnlyCellsAreWritten},
	{"StepsFollowTheirFormulas", StepsFollowTheirFormulas},
	{"SpecialCasesAgree", SpecialCasesAgree},
	{"SpeedsAreRight", SpeedsAreRight},
	{"GaussianSpeedsAreRight", GaussianSpeedsAreRight},
	{"ViscosityTakesShortWaves", ViscosityTakesShortWaves},
	{"VariedDepthKeepsEnergy", VariedDepthKeepsEnergy},
	{"DriftCarriesWaves", DriftCarriesWaves},
	{"DriftKeepsEnergy", DriftKeepsEnergy},
	{"WavesBreak", WavesBreak},
};
const TestSuite wave_kernelsSuite = TEST_SUITE("wave_kernels", s_tests);
