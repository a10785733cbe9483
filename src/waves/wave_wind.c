// SPDX-License-Identifier: MIT

// Wind over water makes waves that grow along its way and with time, as was measured in the North Sea (Hasselmann and others 1973,
// tnGetWindSea): over a fetch X their mean square is 1.6e-7 U^2 X / g, until they are as fast as the wind. After a time t they are no
// higher than over the fetch X(t) at which (CERC 1984)
//
//   g t / U = 68.8 (g X / U^2)^(2/3)
//
// So each tile has a goal: the energy of such a sea, with the fetch at the tile or that of the time if it is shorter, in the waves
// of its band. As long as the waves that are there have less, whoever made them, it adds some,
//
//   h += s a cos(k.x - omega t + phase)    v += s a omega sin(...)    a = sqrt(2 goal / n) - sqrt(2 energy / n)
//
// for n trains of the band that run within 43 degrees of the wind (25 on the mean), with phases of their own. They have the speeds
// of the layer, so what is added meets what was added upwind, and runs on with it. Waves that are higher than the goal are let be:
// wind never takes.
//
// The energy of a tile is a mean over some periods, because trains beat. What is added is interpolated between the middles of tiles.
//
// The fetch is the way against the wind to the next shore or edge: a mean of five rays, each of which counts by its part along the
// wind (Saville 1954). Rays look at coarser water the farther they are. An edge ends it: what a sea beyond it has made is let
// in as swell.

#include "wave_wind.h"

#include "../core/core.h"
#include "../core/hash.h"
#include "../core/numerics.h"
#include "wave_spectrum.h"
#include "waves.h"

#include <math.h>

#define TN_TWO_PI 6.283185307179586
// g t / U over (g X / U^2)^(2/3).
#define TN_DURATION 68.8
// Weakest wind that makes waves, m/s, and longest time, s.
#define TN_LEAST_WIND 0.1
#define TN_MOST_AGE 1.0e7
// m^2; waves of mountains are above all goals.
#define TN_MOST_SQUARE 1.0e30
// Periods in which waves come up to the goal, and over which their energy is a mean. Waves grow over hundreds of them.
#define TN_GROWTH_PERIODS 5.0
#define TN_MEAN_PERIODS 6.0
// Trains run within so much of the wind, turns.
#define TN_WIDEST 0.12
// Lengths of trains, cells.
#define TN_LONGEST_TRAIN 11.0
#define TN_SHORTEST_TRAIN 5.0
// Rays of a fetch: angle between two, turns; steps of a ray as shares of its length so far.
#define TN_RAY_ANGLE (1.0 / 24.0)
#define TN_RAY_STEP (1.0 / 16.0)

enum
{
	TN_WIND_TRAINS = 12,
	TN_RAYS = 5,
	// Steps that a ray has at most: with them it goes 10^6 cells far.
	TN_RAY_STEPS = 240,
	// Parts of a band whose energy is looked up.
	TN_BAND_PARTS = 24,
};

typedef struct tnWindTrain
{
	double x, z;   // wave vector, 1/cell
	double number; // its length
	double phase;  // turns
} tnWindTrain;

typedef struct tnWindPass
{
	tnWaves* waves;
	double time, timeStep;
	double speed;
	double x, z;  // direction of the wind
	double fetch; // of the time that it has blown, m
	tnWindTrain trains[TN_WIND_TRAINS];
} tnWindPass;

void tnWaves_SetWind(tnWaves* waves, tnVec2 wind)
{
	const double before = sqrt((double)waves->wind.x * waves->wind.x + (double)waves->wind.z * waves->wind.z);
	const double after = sqrt((double)wind.x * wind.x + (double)wind.z * wind.z);
	const bool same = wind.x == waves->wind.x && wind.z == waves->wind.z;
	if (!same)
	{
		// As much energy along the new direction: fetches are as 1 / U^2, and times as (X^2 / U)^(1/3).
		const double along = before >= TN_LEAST_WIND && after >= TN_LEAST_WIND
			? ((double)wind.x * waves->wind.x + (double)wind.z * waves->wind.z) / (before * after)
			: 0.0;
		const double ratio = along > 1.0e-6 ? tnExp((2.0 * tnLog(along) + 5.0 * tnLog(before / after)) / 3.0) : 0.0;
		const double age = waves->windAge * ratio;
		waves->windAge = age < TN_MOST_AGE ? age : TN_MOST_AGE;
	}
	waves->wind = wind;
}

// ---------------------------------------------------------------------------------------------------------------------
// Fetch

// Is there water at a place, m from the origin of the world? A cell of the bed that is about as large as a step says it.
static bool tnIsWaterAt(const tnWaves* waves, double x, double z, double step)
{
	const tnWavePool* pool = &waves->pool;
	const int finer = pool->finerLevels;
	int n = 0;
	while (n < waves->bed.levelCount - 1 && 1.5 * (double)pool->cellSize[finer + n] < step)
	{
		n += 1;
	}
	const tnWaveBedLevel* level = waves->bed.levels + n;
	const double cell = pool->cellSize[finer + n];
	const double column = x / cell;
	const double row = z / cell;
	if (!(column > -1.0e9 && column < 1.0e9 && row > -1.0e9 && row < 1.0e9))
	{
		return false;
	}
	int c = (int)floor(column);
	int r = (int)floor(row);
	const bool wrapX = waves->edges[tn_west] == tn_wrapEdge;
	const bool wrapZ = waves->edges[tn_north] == tn_wrapEdge;
	c = wrapX ? tnWrapWaveIndex(c, level->columnCount) : c;
	r = wrapZ ? tnWrapWaveIndex(r, level->rowCount) : r;
	return c >= 0 && c < level->columnCount && r >= 0 && r < level->rowCount &&
		level->wet[(ptrdiff_t)r * level->columnCount + c] >= 0.5f;
}

static double tnMeasureFetch(const tnWindPass* pass, double x, double z)
{
	const tnWaves* waves = pass->waves;
	const double cell = waves->pool.cellSize[waves->pool.finerLevels];
	double sum = 0.0;
	double weights = 0.0;
	for (int i = 0; i < TN_RAYS; ++i)
	{
		const double angle = TN_RAY_ANGLE * (i - TN_RAYS / 2);
		const double cosine = tnSinTurns(angle + 0.25);
		const double sine = tnSinTurns(angle);
		const double wayX = -(pass->x * cosine - pass->z * sine);
		const double wayZ = -(pass->x * sine + pass->z * cosine);
		double length = 0.0;
		for (int k = 0; k < TN_RAY_STEPS; ++k)
		{
			const double step = cell > TN_RAY_STEP * length ? cell : TN_RAY_STEP * length;
			const double next = length + 0.5 * step;
			if (!tnIsWaterAt(waves, x + wayX * next, z + wayZ * next, step))
			{
				break;
			}
			length += step;
		}
		sum += length * cosine * cosine;
		weights += cosine;
	}
	return sum / weights;
}

// At the middle of a tile and of its quarters, where there is water.
static double tnGetTileFetch(const tnWindPass* pass, const tnWaveTile* tile)
{
	static const double places[5][2] = {{0.5, 0.5}, {0.25, 0.25}, {0.75, 0.25}, {0.25, 0.75}, {0.75, 0.75}};
	const double size = (double)pass->waves->pool.cellSize[tile->level] * TN_WAVE_TILE;
	double sum = 0.0;
	int count = 0;
	for (int i = 0; i < 5 && (i == 0 || tile->varied || count == 0); ++i)
	{
		const double x = (tile->column + places[i][0]) * size;
		const double z = (tile->row + places[i][1]) * size;
		if (tnIsWaterAt(pass->waves, x, z, 0.0))
		{
			sum += tnMeasureFetch(pass, x, z);
			count += 1;
		}
	}
	return count > 0 ? sum / count : 0.0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Goal

// Mean square that a sea has in a band, m^2.
static double tnGetBandSquare(const tnWindPass* pass, int level, double fetch)
{
	const tnWaves* waves = pass->waves;
	const tnSpectrumDef sea = tnGetWindSea(waves->wind, (float)fetch, waves->gravity);
	const double square = (double)sea.significantHeight * sea.significantHeight / 16.0;
	if (!(square > 0.0))
	{
		return 0.0;
	}
	const double cellSize = waves->pool.cellSize[level];
	const bool finest = level == 0;
	double sum = 0.0;
	double last = 0.0;
	double lastNumber = 0.0;
	for (int i = 0; i <= TN_BAND_PARTS; ++i)
	{
		// From 12 cells down to 4. Deep water: what is measured is of deep water.
		const double number = TN_TWO_PI / 12.0 * tnExp(1.0986122886681098 * i / TN_BAND_PARTS);
		const double frequency = sqrt((double)waves->gravity * number / cellSize) / TN_TWO_PI;
		const double below = tnGetSpectrumBelow(waves->spectrumSums, sea.peakedness > 2.0f, frequency * sea.peakPeriod);
		if (i > 0)
		{
			sum += (below - last) * tnGetWaveShare(0.5 * (number + lastNumber), finest);
		}
		last = below;
		lastNumber = number;
	}
	return square * sum;
}

// Mean square of the waves of a tile, m^2, potential and kinetic energy alike.
static double tnGetTileSquare(const tnWaveTile* tile, double frequency)
{
	const double perFrequency2 = 1.0 / (frequency * frequency);
	double sum = 0.0;
	double count = 0.0;
	for (int row = 0; row < TN_WAVE_TILE; ++row)
	{
		const ptrdiff_t at = (ptrdiff_t)row * TN_WAVE_STRIDE;
		const float* height = tile->fields[tn_waveHeight] + at;
		const float* rate = tile->fields[tn_waveRate] + at;
		const float* mask = tile->varied ? tile->fields[tn_waveMask] + at : NULL;
		for (int column = 0; column < TN_WAVE_TILE; ++column)
		{
			const double h = height[column];
			const double v = rate[column];
			const double weight = mask != NULL ? (double)mask[column] : 1.0;
			sum += weight * (h * h + v * v * perFrequency2);
			count += weight;
		}
	}
	return count > 0.0 ? 0.5 * sum / count : 0.0;
}

static void tnAimTile(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnWindPass* pass = context;
	tnWaves* waves = pass->waves;
	tnWaveTile* tile = waves->pool.tiles + waves->pool.order[item];
	const double frequency = tnWaves_GetFrequency(waves, tile->level, tile->depth);
	tile->windGain = 0.0f;
	if (tile->retiring || !(frequency > 0.0))
	{
		return;
	}
	const double period = TN_TWO_PI / frequency;
	const double square = tile->rests ? 0.0 : tnGetTileSquare(tile, frequency);
	const double share = pass->timeStep < TN_MEAN_PERIODS * period ? pass->timeStep / (TN_MEAN_PERIODS * period) : 1.0;
	const double mixed = tile->windSquare + share * (square - tile->windSquare);
	tile->windSquare = (float)(mixed < TN_MOST_SQUARE ? mixed : TN_MOST_SQUARE);
	const double local = tnGetTileFetch(pass, tile);
	const double goal = tnGetBandSquare(pass, tile->level, local < pass->fetch ? local : pass->fetch);
	const double mean = tile->windSquare > 0.0f ? tile->windSquare : 0.0;
	const double missing = sqrt(2.0 * goal / TN_WIND_TRAINS) - sqrt(2.0 * mean / TN_WIND_TRAINS);
	const double added = missing * (1.0 - tnExp(-pass->timeStep / (TN_GROWTH_PERIODS * period)));
	// What is lower than what rests would be put to rest again and again.
	tile->windGain = sqrt(goal) > 10.0 * waves->def.restHeight && added > 0.0 ? (float)added : 0.0f;
}

// ---------------------------------------------------------------------------------------------------------------------
// Trains

static double tnDrawOf(int train, int what)
{
	const int32_t key[2] = {train, what};
	return (double)(tnHashBytes(TN_HASH_SEED, key, sizeof(key)) >> 12) / 4503599627370496.0;
}

// The same for all bands, in cells: each has a length and an angle from a part of its own.
static void tnMakeTrains(tnWindPass* pass)
{
	const double octaves = tnLog(TN_LONGEST_TRAIN / TN_SHORTEST_TRAIN);
	for (int i = 0; i < TN_WIND_TRAINS; ++i)
	{
		const int part = (5 * i + 2) % TN_WIND_TRAINS;
		const double cells =
			TN_LONGEST_TRAIN * tnExp(-octaves * ((double)part + tnDrawOf(i, 0)) / (double)TN_WIND_TRAINS);
		const double angle = TN_WIDEST * (2.0 * ((double)i + tnDrawOf(i, 1)) / (double)TN_WIND_TRAINS - 1.0);
		const double cosine = tnSinTurns(angle + 0.25);
		const double sine = tnSinTurns(angle);
		tnWindTrain* train = pass->trains + i;
		train->number = TN_TWO_PI / cells;
		train->x = train->number * (pass->x * cosine - pass->z * sine);
		train->z = train->number * (pass->x * sine + pass->z * cosine);
		train->phase = tnDrawOf(i, 2);
	}
}

static float tnGetGainOf(const tnWavePool* pool, const tnWaveTile* tile, int right, int down)
{
	const int slot = tile->neighbours[3 * (down + 1) + right + 1];
	return slot >= 0 ? pool->tiles[slot].windGain : tile->windGain;
}

// Amplitudes that cells get, between the middles of tiles.
static void tnSpreadGains(const tnWavePool* pool, const tnWaveTile* tile, float gains[TN_WAVE_TILE * TN_WAVE_TILE])
{
	for (int row = 0; row < TN_WAVE_TILE; ++row)
	{
		const float wayZ = ((float)row + 0.5f) / TN_WAVE_TILE - 0.5f;
		const int down = wayZ < 0.0f ? -1 : 1;
		const float shareZ = tnAbsFloat(wayZ);
		for (int half = 0; half < 2; ++half)
		{
			const int right = half == 0 ? -1 : 1;
			const float own = tile->windGain + shareZ * (tnGetGainOf(pool, tile, 0, down) - tile->windGain);
			const float beside = tnGetGainOf(pool, tile, right, 0);
			const float other = beside + shareZ * (tnGetGainOf(pool, tile, right, down) - beside);
			for (int i = 0; i < TN_WAVE_TILE / 2; ++i)
			{
				const int column = half * (TN_WAVE_TILE / 2) + i;
				const float share = tnAbsFloat(((float)column + 0.5f) / TN_WAVE_TILE - 0.5f);
				const ptrdiff_t at = (ptrdiff_t)row * TN_WAVE_STRIDE + column;
				float gain = own + share * (other - own);
				gain *= tile->varied ? tile->fields[tn_waveMask][at] : 1.0f;
				gain *= tile->windows ? tile->fields[tn_waveWindow][at] : 1.0f;
				gains[row * TN_WAVE_TILE + column] = gain;
			}
		}
	}
}

static void tnAddWindTrain(const tnWindPass* pass, tnWaveTile* tile, const tnWindTrain* train, const float* gains)
{
	const double cellSize = pass->waves->pool.cellSize[tile->level];
	const double k = train->number / cellSize;
	const double frequency = sqrt(pass->waves->gravity * k * tnTanh(k * tile->depth));
	float columnReal[TN_WAVE_TILE], columnImaginary[TN_WAVE_TILE];
	const double turn = train->x / TN_TWO_PI;
	const double cosine = tnSinTurns(turn + 0.25);
	const double sine = tnSinTurns(turn);
	double real = 1.0;
	double imaginary = 0.0;
	for (int column = 0; column < TN_WAVE_TILE; ++column)
	{
		columnReal[column] = (float)real;
		columnImaginary[column] = (float)imaginary;
		const double next = real * cosine - imaginary * sine;
		imaginary = real * sine + imaginary * cosine;
		real = next;
	}
	// Phases of the cells themselves, so that it is no matter where the world lies.
	const double left = (double)tile->column * TN_WAVE_TILE + 0.5;
	const double top = (double)tile->row * TN_WAVE_TILE + 0.5;
	const double first = (train->x * left + train->z * top - frequency * pass->time) / TN_TWO_PI + train->phase;
	const float rowRate = (float)frequency;
	for (int row = 0; row < TN_WAVE_TILE; ++row)
	{
		double turns = first + train->z * row / TN_TWO_PI;
		turns -= floor(turns);
		const float rowReal = (float)tnSinTurns(turns + 0.25);
		const float rowImaginary = (float)tnSinTurns(turns);
		float* restrict height = tile->fields[tn_waveHeight] + (ptrdiff_t)row * TN_WAVE_STRIDE;
		float* restrict rate = tile->fields[tn_waveRate] + (ptrdiff_t)row * TN_WAVE_STRIDE;
		const float* gain = gains + (ptrdiff_t)row * TN_WAVE_TILE;
		for (int column = 0; column < TN_WAVE_TILE; ++column)
		{
			height[column] += gain[column] * (columnReal[column] * rowReal - columnImaginary[column] * rowImaginary);
			rate[column] +=
				gain[column] * rowRate * (columnReal[column] * rowImaginary + columnImaginary[column] * rowReal);
		}
	}
}

static void tnBlowTile(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnWindPass* pass = context;
	tnWavePool* pool = &pass->waves->pool;
	const int slot = pool->order[item];
	tnWaveTile* tile = pool->tiles + slot;
	// One that gets nothing itself fades out over its neighbours only.
	if (!(tile->windGain > 0.0f))
	{
		return;
	}
	float gains[TN_WAVE_TILE * TN_WAVE_TILE];
	tnSpreadGains(pool, tile, gains);
	for (int i = 0; i < TN_WIND_TRAINS; ++i)
	{
		tnAddWindTrain(pass, tile, pass->trains + i, gains);
	}
	tnWavePool_Wake(pool, slot);
}

void tnWaves_BlowWind(tnWaves* waves, tnParallel* parallel, double time, float timeStep)
{
	const double x = waves->wind.x;
	const double z = waves->wind.z;
	const double speed = sqrt(x * x + z * z);
	if (!waves->def.enableWindWaves || !(speed >= TN_LEAST_WIND) || !(waves->gravity > 0.0f))
	{
		waves->windAge = 0.0;
		return;
	}
	const double age = waves->windAge + timeStep;
	waves->windAge = age < TN_MOST_AGE ? age : TN_MOST_AGE;
	const double root = sqrt(waves->windAge / TN_DURATION);
	tnWindPass pass = {
		.waves = waves, .time = time, .timeStep = timeStep, .speed = speed, .x = x / speed, .z = z / speed};
	pass.fetch = root * root * root * sqrt(speed * (double)waves->gravity);
	tnMakeTrains(&pass);
	tnParallelFor(parallel, waves->pool.count, tnAimTile, &pass);
	tnParallelFor(parallel, waves->pool.count, tnBlowTile, &pass);
}
