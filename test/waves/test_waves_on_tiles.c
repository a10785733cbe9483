// SPDX-License-Identifier: MIT

// Waves on a tile that goes on at its own other side: the speeds that kernels were fitted to, viscosity, drift with a
// current, breaking, and energy that does not grow.

#include "wave_tile_kit.h"

#include <math.h>

#define PI 3.14159265358979323846

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
	{"SpeedsAreRight", SpeedsAreRight},
	{"GaussianSpeedsAreRight", GaussianSpeedsAreRight},
	{"ViscosityTakesShortWaves", ViscosityTakesShortWaves},
	{"VariedDepthKeepsEnergy", VariedDepthKeepsEnergy},
	{"DriftCarriesWaves", DriftCarriesWaves},
	{"DriftKeepsEnergy", DriftKeepsEnergy},
	{"WavesBreak", WavesBreak},
};

const TestSuite waves_on_tilesSuite = TEST_SUITE("waves_on_tiles", s_tests);
