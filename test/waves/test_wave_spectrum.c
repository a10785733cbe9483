// SPDX-License-Identifier: MIT

// Seas: trains of waves that have the energy, the periods and the directions of a spectrum, and what they are in a world.

#include "harness.h"
#include "waves/wave_spectrum.h"
#include "waves/wave_swell.h"
#include "world/world.h"

#include <tarn/tarn.h>

#include <math.h>
#include <stdlib.h>

#define TIME_STEP (1.0f / 15.0f)
#define GRAVITY 9.81
#define PI 3.14159265358979

static tnWorld* CreateSea(int columns, int rows, float depth, int workerCount, tnSimd simd)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columns;
	def.rowCount = rows;
	def.cellSize = 2.0f;
	def.gravity = (float)GRAVITY;
	def.maxSubSteps = 64;
	def.tasks.workerCount = workerCount;
	def.simd = simd;
	def.waves.enable = true;
	def.waves.finerLevels = 1;
	def.waves.levelCount = 5;
	def.waves.tileCount = 64;
	def.waves.breakingLimit = 0.0f;
	def.waves.enableDetail = false;
	def.waves.timeStep = TIME_STEP;
	for (int side = 0; side < tn_sideCount; ++side)
	{
		def.edges[side].kind = tn_absorbEdge;
	}
	tnWorld* world = NULL;
	if (tnCreateWorld(&def, &world).status != tn_ok)
	{
		return NULL;
	}
	float* heights = malloc(sizeof(float) * (size_t)(columns * rows));
	for (int i = 0; i < columns * rows; ++i)
	{
		heights[i] = -depth;
	}
	tnWorld_SetTerrain(world, heights);
	tnWorld_FillToLevel(world, 0.0f);
	free(heights);
	return world;
}

// S(f) of a peak of 1 at f = 1, per frequency.
static double GetDensity(double f, double peakedness)
{
	const double width = f <= 1.0 ? 0.07 : 0.09;
	return pow(f, -5.0) * exp(-1.25 * pow(f, -4.0)) *
		pow(peakedness, exp(-(f - 1.0) * (f - 1.0) / (2.0 * width * width)));
}

// Sum over frequencies between two, of a power of them.
static double Integrate(double low, double high, double peakedness, double power)
{
	const int count = 20000;
	double sum = 0.0;
	for (int i = 0; i < count; ++i)
	{
		const double f = low + (high - low) * (i + 0.5) / count;
		sum += GetDensity(f, peakedness) * pow(f, power);
	}
	return sum * (high - low) / count;
}

// Energy, mean frequencies and mean direction of the trains are those of the spectrum between the periods that bands hold, for
// any numbers and any seed.
static int TrainsHaveTheSpectrum(void)
{
	tnWorld* world = CreateSea(64, 48, 30.0f, 1, tn_simdAuto);
	ENSURE(world != NULL);
	for (unsigned seed = 1; seed <= TEST_REPEATS(40); ++seed)
	{
		TestRandom random = TestMakeRandom(seed);
		tnSpectrumDef def = tnDefaultSpectrumDef();
		const double turn = (double)TestRandomFloat(&random, -3.1f, 3.1f);
		def.direction = (tnVec2){(float)(3.0 * cos(turn)), (float)(3.0 * sin(turn))};
		def.significantHeight = TestRandomFloat(&random, 0.0f, 3.0f);
		def.peakPeriod = TestRandomFloat(&random, 3.0f, 6.0f);
		def.peakedness = TestRandomFloat(&random, 1.0f, 7.0f);
		def.spread = TestRandomInt(&random, 0, 3) == 0 ? TestRandomFloat(&random, 50.0f, 1000.0f)
													   : TestRandomFloat(&random, 0.5f, 40.0f);
		def.trainCount = TestRandomInt(&random, 24, TN_MAX_TRAINS);
		def.seed = seed;
		tnSwell trains[TN_MAX_TRAINS];
		ENSURE_OK(tnWaves_MakeSpectrum(&world->waves, &world->grid, &def, trains));
		const tnPeriodRange periods = tnWaves_GetSwellPeriods(&world->waves, &world->grid, def.direction);
		const double low = (double)def.peakPeriod / periods.longest;
		const double high = (double)def.peakPeriod / periods.shortest;
		const double peakedness = (double)def.peakedness;
		const double all = Integrate(0.2, 40.0, peakedness, 0.0);
		const double held = Integrate(fmax(low, 0.2), high, peakedness, 0.0);
		double energy = 0.0, frequency = 0.0, along = 0.0, across = 0.0;
		for (int i = 0; i < def.trainCount; ++i)
		{
			const tnSwell* train = trains + i;
			ENSURE(
				(double)train->period >= 0.999 * periods.shortest && (double)train->period <= 1.001 * periods.longest);
			energy += 0.5 * (double)train->amplitude * (double)train->amplitude;
			frequency += 1.0 / (double)train->period / def.trainCount;
			const double c = (double)train->direction.x * cos(turn) + (double)train->direction.z * sin(turn);
			along += c / def.trainCount;
			across +=
				((double)train->direction.z * cos(turn) - (double)train->direction.x * sin(turn)) / def.trainCount;
			ENSURE_CLOSE(hypot((double)train->direction.x, (double)train->direction.z), 1.0, 1.0e-6);
		}
		const double wanted = (double)def.significantHeight * (double)def.significantHeight / 16.0 * held / all;
		ENSURE_CLOSE(energy, wanted, 0.001 * wanted);
		// Trains are somewhere in their parts: measured 0.013 of it.
		const double mean = Integrate(fmax(low, 0.2), high, peakedness, 1.0) / held / (double)def.peakPeriod;
		ENSURE_CLOSE(frequency, mean, 0.03 * mean);
		// The mean cosine of cos(a/2)^2s is s / (s + 1).
		ENSURE_CLOSE(along, (double)def.spread / ((double)def.spread + 1.0), 0.03);
		ENSURE_CLOSE(across, 0.0, 0.05);
	}
	tnDestroyWorld(world);
	return 0;
}

// A sea that runs in through the edges of a deep world: the mean square of its surface is m0, that of its rate the one of m0 w^2,
// and its slopes are steep along the mean direction and across it as w^4 / g^2 has it.
static int SeasFillTheWorld(void)
{
	tnWorld* world = CreateSea(128, 120, 40.0f, 1, tn_simdAuto);
	ENSURE(world != NULL);
	tnSpectrumDef def = tnDefaultSpectrumDef();
	def.significantHeight = 0.8f;
	def.peakPeriod = 3.2f;
	def.direction = (tnVec2){1.0f, 0.5f};
	def.spread = 30.0f;
	def.trainCount = 64;
	def.seed = 5;
	ENSURE_OK(tnWorld_SetSpectrum(world, &def));
	tnSwell trains[TN_MAX_TRAINS];
	ENSURE_OK(tnWaves_MakeSpectrum(&world->waves, &world->grid, &def, trains));
	double wanted[5] = {0.0};
	for (int i = 0; i < def.trainCount; ++i)
	{
		const double square = 0.5 * (double)trains[i].amplitude * (double)trains[i].amplitude;
		const double frequency = 2.0 * PI / (double)trains[i].period;
		const double k = frequency * frequency / GRAVITY;
		wanted[0] += square;
		wanted[1] += square * frequency * frequency;
		wanted[2] += square * k * k * (double)trains[i].direction.x * (double)trains[i].direction.x;
		wanted[3] += square * k * k * (double)trains[i].direction.z * (double)trains[i].direction.z;
		wanted[4] += square * k * k * (double)trains[i].direction.x * (double)trains[i].direction.z;
	}
	ENSURE_CLOSE(wanted[0], 0.04, 0.003);
	double sums[5] = {0.0};
	int count = 0;
	for (int step = 0; step < 190 * 15; ++step)
	{
		ENSURE_OK(tnWorld_Step(world, TIME_STEP));
		// The slowest waves that count have crossed it by then.
		for (int place = 0; place < 36 && step >= 80 * 15 && step % 7 == 0; ++place)
		{
			const tnVec2 at = {75.0f + 19.7f * (float)(place % 6), 72.0f + 18.9f * (float)(place / 6)};
			tnWaveSample sample;
			ENSURE_OK(tnWorld_SampleWaves(world, at, &sample));
			sums[0] += (double)sample.height * (double)sample.height;
			sums[1] += (double)sample.rate * (double)sample.rate;
			sums[2] += (double)sample.slope.x * (double)sample.slope.x;
			sums[3] += (double)sample.slope.z * (double)sample.slope.z;
			sums[4] += (double)sample.slope.x * (double)sample.slope.z;
			count += 1;
		}
	}
	// Measured 0.02, 0.035, 0.06, 0.08, 0.08: a part is chance, and waves in two bands at once fade by beats.
	for (int i = 0; i < 5; ++i)
	{
		ENSURE_CLOSE(sums[i] / count, wanted[i], 0.12 * wanted[i]);
	}
	tnDestroyWorld(world);
	return 0;
}

// The sea of a wind against the curves of 1973, worked by hand: 10 m/s over 100 km, a gale over 20 km, and a wind that has
// blown over half an ocean.
static int WindsMakeSeas(void)
{
	const tnSpectrumDef breeze = tnGetWindSea((tnVec2){8.0f, 6.0f}, 1.0e5f, 9.81f);
	ENSURE_CLOSE(breeze.significantHeight, 1.615, 0.005);
	ENSURE_CLOSE(breeze.peakPeriod, 6.05, 0.02);
	ENSURE_CLOSE(breeze.direction.x / breeze.direction.z, 8.0 / 6.0, 1.0e-6);
	ENSURE(breeze.peakedness == 3.3f);
	const tnSpectrumDef gale = tnGetWindSea((tnVec2){0.0f, -20.0f}, 2.0e4f, 9.81f);
	ENSURE_CLOSE(gale.significantHeight, 1.445, 0.005);
	ENSURE_CLOSE(gale.peakPeriod, 4.50, 0.02);
	const tnSpectrumDef grown = tnGetWindSea((tnVec2){10.0f, 0.0f}, 3.0e6f, 9.81f);
	ENSURE_CLOSE(grown.significantHeight, 2.480, 0.005);
	ENSURE_CLOSE(grown.peakPeriod, 8.29, 0.02);
	ENSURE(grown.peakedness == 1.0f);
	ENSURE(tnGetWindSea((tnVec2){0.0f, 0.0f}, 1.0e4f, 9.81f).significantHeight == 0.0f);
	ENSURE(tnGetWindSea((tnVec2){NAN, 1.0f}, 1.0e4f, 9.81f).significantHeight == 0.0f);
	ENSURE(tnGetWindSea((tnVec2){9.0f, 1.0f}, -1.0f, 9.81f).significantHeight == 0.0f);
	ENSURE(tnGetWindSea((tnVec2){9.0f, 1.0f}, INFINITY, 9.81f).significantHeight == 0.0f);
	ENSURE(tnGetWindSea((tnVec2){9.0f, 1.0f}, 100.0f, 0.0f).significantHeight == 0.0f);
	return 0;
}

static int BadSeasAreRefused(void)
{
	tnWorld* world = CreateSea(64, 48, 30.0f, 1, tn_simdAuto);
	ENSURE(world != NULL);
	tnSpectrumDef good = tnDefaultSpectrumDef();
	ENSURE_OK(tnWorld_SetSpectrum(world, &good));
	const uint64_t hash = tnWorld_GetHash(world);
	ENSURE_REFUSED(tnWorld_SetSpectrum(world, NULL), tn_invalidArgument, "def must not be NULL");
#define REFUSE(field, value, text)                                                  \
	do                                                                              \
	{                                                                               \
		tnSpectrumDef bad = good;                                                   \
		bad.field = (value);                                                        \
		ENSURE_REFUSED(tnWorld_SetSpectrum(world, &bad), tn_invalidArgument, text); \
	} while (0)
	REFUSE(stamp, 1, "stamp");
	REFUSE(direction.x, 0.0f, "direction must be finite and not zero, got (0, 0)");
	REFUSE(direction.z, NAN, "direction");
	REFUSE(significantHeight, -1.0f, "significantHeight must be in [0, 100], got -1");
	REFUSE(significantHeight, NAN, "significantHeight");
	REFUSE(peakPeriod, 0.0f, "peakPeriod must be in");
	REFUSE(peakPeriod, 0.01f, "peakPeriod of 0.01 leaves 1 of the energy to bands that are not there");
	REFUSE(peakPeriod, 60.0f, "peakPeriod of 60 leaves");
	REFUSE(peakedness, 0.5f, "peakedness");
	REFUSE(spread, INFINITY, "spread");
	REFUSE(trainCount, 0, "trainCount must be in [1, 64], got 0");
	REFUSE(trainCount, TN_MAX_TRAINS + 1, "trainCount");
	ENSURE_EQUAL_HEX(tnWorld_GetHash(world), hash);
	tnDestroyWorld(world);
	return 0;
}

// Any sea over any world: the same bits for any number of workers and instruction set, and for a world that was saved and goes on.
static int SameBits(void)
{
	for (unsigned seed = 1; seed <= TEST_REPEATS(4); ++seed)
	{
		uint64_t first = 0;
		for (int twin = 0; twin < 3; ++twin)
		{
			TestRandom random = TestMakeRandom(seed);
			const int columns = TestRandomInt(&random, 37, 90);
			const int rows = TestRandomInt(&random, 37, 90);
			tnWorld* world = CreateSea(columns, rows, TestRandomFloat(&random, 2.0f, 30.0f), twin + 1,
				twin == 1 ? tn_simdScalar : tn_simdAuto);
			ENSURE(world != NULL);
			for (int step = 0; step < 60; ++step)
			{
				if (step % 25 == 3)
				{
					tnSpectrumDef def = tnDefaultSpectrumDef();
					def.direction =
						(tnVec2){TestRandomFloat(&random, -1.0f, 1.0f), TestRandomFloat(&random, -1.0f, 1.0f)};
					def.peakPeriod = TestRandomFloat(&random, 2.5f, 6.0f);
					def.spread = TestRandomFloat(&random, 0.0f, 100.0f);
					def.trainCount = TestRandomInt(&random, 1, TN_MAX_TRAINS);
					def.seed = TestRandomBits(&random);
					ENSURE_OK(tnWorld_SetSpectrum(world, &def));
				}
				if (twin == 2 && step == 40)
				{
					size_t size = 0;
					tnWorld_Save(world, NULL, 0, &size);
					void* bytes = malloc(size);
					ENSURE_OK(tnWorld_Save(world, bytes, size, &size));
					tnDestroyWorld(world);
					ENSURE_OK(tnCreateWorldFrom(bytes, size, NULL, &world));
					free(bytes);
				}
				ENSURE_OK(tnWorld_Step(world, TIME_STEP));
			}
			tnWaveStats stats;
			ENSURE_OK(tnWorld_GetWaveStats(world, &stats));
			ENSURE(stats.energies[2] > 0.0);
			first = twin == 0 ? tnWorld_GetHash(world) : first;
			ENSURE_EQUAL_HEX(tnWorld_GetHash(world), first);
			tnDestroyWorld(world);
		}
	}
	return 0;
}

// A train of swell alone has the height that was asked for, however short the zone that it comes in by: 24, 12, 8 and 4 cells of
// its band.
static int TrainsHaveTheirHeight(void)
{
	const float periods[4] = {2.3f, 2.8f, 3.5f, 4.4f};
	for (int i = 0; i < 4; ++i)
	{
		tnWorld* world = CreateSea(72, 72, 40.0f, 1, tn_simdAuto);
		ENSURE(world != NULL);
		const tnSwell swell = {{1.0f, 0.3f}, 0.1f, periods[i], 0.1f};
		ENSURE_OK(tnWorld_SetSwell(world, &swell, 1));
		double sum = 0.0;
		int count = 0;
		for (int step = 0; step < 80 * 15; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, TIME_STEP));
			for (int place = 0; place < 36 && step >= 55 * 15; ++place)
			{
				const tnVec2 at = {45.0f + 9.7f * (float)(place % 6), 47.0f + 8.9f * (float)(place / 6)};
				tnWaveSample sample;
				ENSURE_OK(tnWorld_SampleWaves(world, at, &sample));
				sum += (double)sample.height * (double)sample.height;
				count += 1;
			}
		}
		// Measured 0.1000, 0.1021, 0.1050, 0.1100: the last two are sent back from one edge to the other.
		ENSURE_CLOSE(sqrt(2.0 * sum / count), 0.1, i < 2 ? 0.004 : 0.013);
		tnDestroyWorld(world);
	}
	return 0;
}

static const Test s_tests[] = {
	{"TrainsHaveTheSpectrum", TrainsHaveTheSpectrum},
	{"TrainsHaveTheirHeight", TrainsHaveTheirHeight},
	{"SeasFillTheWorld", SeasFillTheWorld},
	{"WindsMakeSeas", WindsMakeSeas},
	{"BadSeasAreRefused", BadSeasAreRefused},
	{"SameBits", SameBits},
};
const TestSuite wave_spectrumSuite = TEST_SUITE("wave_spectrum", s_tests);
