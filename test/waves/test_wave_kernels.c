// SPDX-License-Identifier: MIT

// The loops over the cells of a tile of waves, on tiles that go on at their own other side: against the formulas in
// wave_kernels.h, in double and cell by cell, and for the bits.

#include "wave_tile_kit.h"

#include <math.h>
#include <string.h>

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

static const Test s_tests[] = {
	{"SameBits", SameBits},
	{"BitsAreGolden", BitsAreGolden},
	{"NoDirectionIsSpecial", NoDirectionIsSpecial},
	{"OnlyCellsAreWritten", OnlyCellsAreWritten},
	{"StepsFollowTheirFormulas", StepsFollowTheirFormulas},
	{"SpecialCasesAgree", SpecialCasesAgree},
};

const TestSuite wave_kernelsSuite = TEST_SUITE("wave_kernels", s_tests);
