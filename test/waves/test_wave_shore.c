// SPDX-License-Identifier: MIT

// Energy that waves over shallow ground hand to the next finer band: the equations at the top of wave_shore.c.

#include "harness.h"
#include "waves/wave_shore.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define GRAVITY 9.81

enum
{
	size = TN_WAVE_TILE,
	stride = TN_WAVE_STRIDE,
};

// A tile of level 1 with cells of 1 m in slot 0, and four of level 0 in slots 1 to 4.
typedef struct Shore
{
	tnWavePool pool;
	tnWaveTile tiles[5];
	float* memory;
	float* depths;
} Shore;

static const int s_all[4] = {1, 2, 3, 4};

static bool Create(Shore* shore)
{
	memset(shore, 0, sizeof(*shore));
	shore->memory = calloc((size_t)TN_WAVE_FIELD * 11, sizeof(float));
	const ptrdiff_t first = TN_WAVE_HALO * stride + TN_WAVE_PAD;
	for (int i = 0; i < 5 && shore->memory != NULL; ++i)
	{
		tnWaveTile* tile = shore->tiles + i;
		tile->level = i == 0;
		tile->column = i == 0 ? 0 : (i - 1) % 2;
		tile->row = i == 0 ? 0 : (i - 1) / 2;
		tile->used = true;
		tile->fields[tn_waveHeight] = shore->memory + (ptrdiff_t)TN_WAVE_FIELD * 2 * i + first;
		tile->fields[tn_waveRate] = shore->memory + (ptrdiff_t)TN_WAVE_FIELD * (2 * i + 1) + first;
	}
	shore->depths = shore->memory + (ptrdiff_t)TN_WAVE_FIELD * 10 + first;
	shore->pool.tiles = shore->tiles;
	shore->pool.levelCount = 2;
	shore->pool.cellSize[0] = 0.5f;
	shore->pool.cellSize[1] = 1.0f;
	return shore->memory != NULL;
}

static double GetFrequency(double number, double depth)
{
	return sqrt(GRAVITY * number * tanh(number * depth));
}

// A train of the typical length, with its halo.
static void MakeTrain(Shore* shore, double depth, double amplitude, double angle)
{
	const double k = (double)tnGetTypicalWaveNumber(1.0f);
	for (int row = -1; row <= size; ++row)
	{
		for (int column = -1; column <= size; ++column)
		{
			const double theta = k * ((column + 0.5) * cos(angle) + (row + 0.5) * sin(angle));
			shore->tiles[0].fields[tn_waveHeight][row * stride + column] = (float)(amplitude * cos(theta));
			shore->tiles[0].fields[tn_waveRate][row * stride + column] =
				(float)(amplitude * sin(theta) * GetFrequency(k, depth));
		}
	}
}

// J over density and half of gravity; of a level, with the frequencies of the depth of each cell.
static double GetEnergy(const Shore* shore, int level, double depth)
{
	const double k = (double)tnGetTypicalWaveNumber(level == 1 ? 1.0f : 0.5f);
	double sum = 0.0;
	for (int i = level == 1 ? 0 : 1; i < (level == 1 ? 1 : 5); ++i)
	{
		for (int row = 0; row < size; ++row)
		{
			for (int column = 0; column < size; ++column)
			{
				const int coarseColumn = level == 1 ? column : ((i - 1) % 2 * size + column) / 2;
				const int coarseRow = level == 1 ? row : ((i - 1) / 2 * size + row) / 2;
				const double there = depth > 0.0 ? depth : (double)shore->depths[coarseRow * stride + coarseColumn];
				const double frequency = GetFrequency(k, there > 0.02 ? there : 0.02);
				const double h = (double)shore->tiles[i].fields[tn_waveHeight][row * stride + column];
				const double v = (double)shore->tiles[i].fields[tn_waveRate][row * stride + column];
				sum += (h * h + v * v / (frequency * frequency)) * (level == 1 ? 1.0 : 0.25);
			}
		}
	}
	return sum;
}

static void Scatter(Shore* shore, uint64_t seed)
{
	TestRandom random = TestMakeRandom(seed);
	for (int i = 0; i < 5; ++i)
	{
		for (int row = -1; row <= size; ++row)
		{
			for (int column = -1; column <= size; ++column)
			{
				shore->tiles[i].fields[tn_waveHeight][row * stride + column] = TestRandomFloat(&random, -0.1f, 0.1f);
				shore->tiles[i].fields[tn_waveRate][row * stride + column] = TestRandomFloat(&random, -0.2f, 0.2f);
			}
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------

// What one band loses the other gains, over any bed, whatever waves are there. Floats round 1e-7 of each energy, and
// signs are mixed.
static int EnergyIsHandedOver(void)
{
	Shore shore;
	ENSURE(Create(&shore));
	for (int kind = 0; kind < 4; ++kind)
	{
		Scatter(&shore, 7 + (uint64_t)kind);
		TestRandom random = TestMakeRandom(3);
		for (int i = 0; i < size * size; ++i)
		{
			shore.depths[i / size * stride + i % size] = TestRandomFloat(&random, 0.0f, kind < 2 ? 1.5f : 0.3f);
		}
		const double coarse = GetEnergy(&shore, 1, 0.0), fine = GetEnergy(&shore, 0, 0.0);
		for (int i = 0; i < 50; ++i)
		{
			tnWaveShore_HandTo(&shore.pool, 0, s_all, shore.depths, (float)GRAVITY, kind % 2 ? 0.2f : 1.0f / 60.0f);
		}
		const double lost = coarse - GetEnergy(&shore, 1, 0.0), gained = GetEnergy(&shore, 0, 0.0) - fine;
		ENSURE(lost > 0.005 * coarse);
		ENSURE_CLOSE((gained - lost) / (coarse + fine), 0.0, 1.0e-5);
		ENSURE_CLOSE(gained / lost, 1.0, 1.0e-3);
	}
	free(shore.memory);
	return 0;
}

// The rate, and that it is what it says: for waves that stand alone, at several depths and amplitudes.
static int TrainsLoseAtTheStatedRate(void)
{
	const double depths[4] = {0.2, 0.4, 0.7, 1.0};
	Shore shore;
	ENSURE(Create(&shore));
	const double k = (double)tnGetTypicalWaveNumber(1.0f);
	ENSURE_CLOSE(k, 2.0 * PI / 6.9, 1.0e-6);
	for (int i = 0; i < 4; ++i)
	{
		const double amplitude = 0.2 * depths[i];
		MakeTrain(&shore, depths[i], amplitude, 0.3);
		memset(shore.memory + (ptrdiff_t)TN_WAVE_FIELD * 2, 0, (size_t)TN_WAVE_FIELD * 8 * sizeof(float));
		shore.tiles[0].depth = (float)depths[i];
		const double x = k * depths[i];
		const double b = 0.75 * amplitude / (k * k * pow(depths[i], 3.0));
		const double rate =
			GetFrequency(k, depths[i]) / (2.0 * PI) * 0.5 * b * b / (1.0 + b * b) * pow(1.0 - x * x, 2.0);
		ENSURE_CLOSE(
			tnGetHandDownRate((float)k, (float)depths[i], (float)amplitude, (float)GRAVITY), rate, 1.0e-5 * rate);
		const double before = GetEnergy(&shore, 1, depths[i]);
		ENSURE_CLOSE(before, amplitude * amplitude * size * size, 1.0e-5 * before);
		const float timeStep = 0.1f;
		ENSURE_EQUAL_INT(tnWaveShore_HandTo(&shore.pool, 0, s_all, NULL, (float)GRAVITY, timeStep), 15);
		const double lost = before - GetEnergy(&shore, 1, depths[i]);
		const double share = rate * (double)timeStep / (1.0 + rate * (double)timeStep);
		ENSURE_CLOSE(lost / before, share, 1.0e-6 + 1.0e-4 * share);
		ENSURE_CLOSE(GetEnergy(&shore, 0, depths[i]) / before, share, 1.0e-6 + 1.0e-4 * share);
	}
	// Never more than half per period, however shallow.
	const double frequency = GetFrequency(k, 0.02);
	ENSURE_CLOSE(
		tnGetHandDownRate((float)k, 1.0e-9f, 1.0e3f, (float)GRAVITY), 0.5 * frequency / (2.0 * PI), 0.01 * frequency);
	free(shore.memory);
	return 0;
}

// The finer band gets the double wave number, running the same way: its rates are those of a wave of that number.
static int HarmonicsHaveDoubleNumbers(void)
{
	Shore shore;
	ENSURE(Create(&shore));
	const double angles[3] = {0.0, 0.5, 0.25 * PI};
	const double depth = 0.4;
	const double k = (double)tnGetTypicalWaveNumber(1.0f);
	for (int kind = 0; kind < 3; ++kind)
	{
		MakeTrain(&shore, depth, 0.1, angles[kind]);
		memset(shore.memory + (ptrdiff_t)TN_WAVE_FIELD * 2, 0, (size_t)TN_WAVE_FIELD * 8 * sizeof(float));
		shore.tiles[0].depth = (float)depth;
		tnWaveShore_HandTo(&shore.pool, 0, s_all, NULL, (float)GRAVITY, 0.1f);
		double energy = 0.0, cosine = 0.0, sine = 0.0, least = 1.0e9, most = 0.0;
		for (int row = 0; row < 2 * size; ++row)
		{
			for (int column = 0; column < 2 * size; ++column)
			{
				const tnWaveTile* tile = shore.tiles + 1 + 2 * (row / size) + column / size;
				const int cell = row % size * stride + column % size;
				const double h = (double)tile->fields[tn_waveHeight][cell];
				const double s = (double)tile->fields[tn_waveRate][cell] / GetFrequency(2.0 * k, depth);
				const double x = (column + 0.5) * 0.5, z = (row + 0.5) * 0.5;
				const double theta = 2.0 * k * (x * cos(angles[kind]) + z * sin(angles[kind]));
				const double amplitude = hypot(h, s);
				energy += amplitude;
				cosine += h * cos(theta) + s * sin(theta);
				sine += h * sin(theta) - s * cos(theta);
				least = fmin(least, amplitude);
				most = fmax(most, amplitude);
			}
		}
		// Linear interpolation turns phases a little, to and fro.
		ENSURE_CLOSE(cosine / energy, 1.0, 0.01);
		ENSURE_CLOSE(sine / energy, 0.0, 0.001);
		// No blocks: the same height everywhere, but for the interpolation at an angle.
		ENSURE(least > 0.95 * most);
	}
	free(shore.memory);
	return 0;
}

// Deep water, no finer tile, dry ground, rest: not a bit changes.
static int OtherwiseNothingHappens(void)
{
	Shore shore;
	Shore copy;
	ENSURE(Create(&shore) && Create(&copy));
	const size_t bytes = (size_t)TN_WAVE_FIELD * 10 * sizeof(float);
	const int none[4] = {-1, -1, -1, -1};
	Scatter(&shore, 5);
	memcpy(copy.memory, shore.memory, bytes);
	// k H is 1 at 1.0982 m and 2 at 2.2 m.
	const float depths[6] = {1.1f, 2.3f, 1.0e5f, 0.0f, -1.0f, NAN};
	for (int i = 0; i < 6; ++i)
	{
		shore.tiles[0].depth = depths[i];
		ENSURE_EQUAL_INT(tnWaveShore_HandTo(&shore.pool, 0, s_all, NULL, (float)GRAVITY, 0.1f), 0);
		for (int cell = 0; cell < size * size; ++cell)
		{
			shore.depths[cell / size * stride + cell % size] = depths[i];
		}
		ENSURE_EQUAL_INT(tnWaveShore_HandTo(&shore.pool, 0, s_all, shore.depths, (float)GRAVITY, 0.1f), 0);
		ENSURE(memcmp(shore.memory, copy.memory, bytes) == 0);
	}
	shore.tiles[0].depth = 0.3f;
	ENSURE_EQUAL_INT(tnWaveShore_HandTo(&shore.pool, 0, none, NULL, (float)GRAVITY, 0.1f), 0);
	ENSURE_EQUAL_INT(tnWaveShore_HandTo(&shore.pool, 0, s_all, NULL, (float)GRAVITY, 0.0f), 0);
	ENSURE_EQUAL_INT(tnWaveShore_HandTo(&shore.pool, 0, s_all, NULL, 0.0f, 0.1f), 0);
	ENSURE_EQUAL_INT(tnWaveShore_HandTo(&shore.pool, 1, s_all, NULL, (float)GRAVITY, 0.1f), 0);
	shore.tiles[0].rests = true;
	ENSURE_EQUAL_INT(tnWaveShore_HandTo(&shore.pool, 0, s_all, NULL, (float)GRAVITY, 0.1f), 0);
	shore.tiles[0].rests = false;
	ENSURE(memcmp(shore.memory, copy.memory, bytes) == 0);
	// One finer tile only, half of it dry: what lies under the others, and halos, keep their bits.
	const int one[4] = {-1, -1, 3, -1};
	float* mask = calloc(TN_WAVE_FIELD, sizeof(float));
	ENSURE(mask != NULL);
	for (int i = 0; i < size / 2 * stride; ++i)
	{
		mask[i] = 1.0f;
	}
	shore.tiles[3].varied = true;
	shore.tiles[3].fields[tn_waveMask] = mask;
	ENSURE_EQUAL_INT(tnWaveShore_HandTo(&shore.pool, 0, one, NULL, (float)GRAVITY, 0.1f), 4);
	int changed = 0;
	for (int i = 0; i < 5; ++i)
	{
		for (int row = -1; row <= size; ++row)
		{
			for (int column = -1; column <= size; ++column)
			{
				const int cell = row * stride + column;
				const bool differs =
					shore.tiles[i].fields[tn_waveHeight][cell] != copy.tiles[i].fields[tn_waveHeight][cell];
				const bool coarse = i == 0 && row >= 32 && row < 48 && column >= 0 && column < 32;
				const bool fine = i == 3 && row >= 0 && row < 32 && column >= 0 && column < 64;
				ENSURE(!differs || coarse || fine);
				changed += differs;
			}
		}
	}
	ENSURE(changed > 2000);
	free(mask);
	free(shore.memory);
	free(copy.memory);
	return 0;
}

// Of cell (column, row) of a square, mirrored (bits 1 and 2) and transposed (bit 4).
static int Turn(int mirror, int column, int row, int count)
{
	const int c = mirror & 1 ? count - 1 - column : column;
	const int r = mirror & 2 ? count - 1 - row : row;
	return mirror & 4 ? c * count + r : r * count + c;
}

static float* GetFine(const Shore* shore, int place, tnWaveField field)
{
	const int column = place % (2 * size), row = place / (2 * size);
	const tnWaveTile* tile = shore->tiles + 1 + 2 * (row / size) + column / size;
	return tile->fields[field] + row % size * stride + column % size;
}

static int MirroredWavesHaveMirroredBits(void)
{
	Shore shores[8];
	for (int mirror = 0; mirror < 8; ++mirror)
	{
		Shore* shore = shores + mirror;
		ENSURE(Create(shore));
		TestRandom random = TestMakeRandom(11);
		for (int i = 0; i < (size + 2) * (size + 2); ++i)
		{
			const int place = Turn(mirror, i % (size + 2), i / (size + 2), size + 2);
			const int cell = (place / (size + 2) - 1) * stride + place % (size + 2) - 1;
			shore->tiles[0].fields[tn_waveHeight][cell] = TestRandomFloat(&random, -0.1f, 0.1f);
			shore->tiles[0].fields[tn_waveRate][cell] = TestRandomFloat(&random, -0.2f, 0.2f);
			shore->depths[cell] = TestRandomFloat(&random, -0.1f, 1.3f);
		}
		for (int i = 0; i < 4 * size * size; ++i)
		{
			const int place = Turn(mirror, i % (2 * size), i / (2 * size), 2 * size);
			*GetFine(shore, place, tn_waveHeight) = TestRandomFloat(&random, -0.02f, 0.02f);
			*GetFine(shore, place, tn_waveRate) = TestRandomFloat(&random, -0.1f, 0.1f);
		}
		for (int i = 0; i < 3; ++i)
		{
			tnWaveShore_HandTo(&shore->pool, 0, s_all, shore->depths, (float)GRAVITY, 0.1f);
		}
		for (int field = tn_waveHeight; field <= tn_waveRate; ++field)
		{
			for (int i = 0; i < size * size; ++i)
			{
				const int place = Turn(mirror, i % size, i / size, size);
				ENSURE(shore->tiles[0].fields[field][place / size * stride + place % size] ==
					shores[0].tiles[0].fields[field][i / size * stride + i % size]);
			}
			for (int i = 0; i < 4 * size * size; ++i)
			{
				const int place = Turn(mirror, i % (2 * size), i / (2 * size), 2 * size);
				ENSURE(*GetFine(shore, place, (tnWaveField)field) == *GetFine(shores, i, (tnWaveField)field));
			}
		}
	}
	for (int mirror = 0; mirror < 8; ++mirror)
	{
		free(shores[mirror].memory);
	}
	return 0;
}

static const Test s_tests[] = {
	{"EnergyIsHandedOver", EnergyIsHandedOver},
	{"TrainsLoseAtTheStatedRate", TrainsLoseAtTheStatedRate},
	{"HarmonicsHaveDoubleNumbers", HarmonicsHaveDoubleNumbers},
	{"OtherwiseNothingHappens", OtherwiseNothingHappens},
	{"MirroredWavesHaveMirroredBits", MirroredWavesHaveMirroredBits},
};
const TestSuite wave_shoreSuite = TEST_SUITE("wave_shore", s_tests);
