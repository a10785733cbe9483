// SPDX-License-Identifier: MIT

// Swell. A train of waves that comes in is known in the zone at the edge in which waves of the band fade: there the layer
// is not brought to rest, but to that train,
//
//   h = a B(k dx) cos(k.x - omega t + phase),    v = dh/dt,    omega^2 = g k tanh(k H)
//
// with H the mean depth along the edges that it comes in through, and B the share of the band. Heights and rates lose the
// share s of themselves there in a step (the window of wave_kernels.h), and get G s times the train, so that on its way through
// the zone with the group speed c its amplitude A goes from nothing towards G a:
//
//   c dA/dx = (s / dt) (G a - A)        A = G a (1 - exp(-I)),  I = sum of s dx / (c dt)        G = 1 / (1 - exp(-I))
//
// It comes out with a. Without G it lacked 4 % behind a zone of 24 cells and half behind one of 4. What runs out meets the zone
// as ever. Waves that leave do not see those that come in (relaxation zones; Jacobsen, Fuhrman & Fredsoe 2012).

#include "wave_swell.h"

#include "../core/core.h"
#include "../core/numerics.h"
#include "wave_tile_fit.h"

#include <math.h>
#include <string.h>

#define TN_TWO_PI 6.283185307179586
// Cells of the finest and of the coarsest level: waves between are there in full.
#define TN_SHORTEST_SWELL 4.0
#define TN_LONGEST_SWELL 8.0

// ---------------------------------------------------------------------------------------------------------------------
// Which swell there can be

// Does a train come in through a side, or run along it?
static bool tnEntersBy(const tnSwell* swell, tnSide side)
{
	// Directions into the world.
	const float inwardX[tn_sideCount] = {1.0f, -1.0f, 0.0f, 0.0f};
	const float inwardZ[tn_sideCount] = {0.0f, 0.0f, 1.0f, -1.0f};
	return swell->direction.x * inwardX[side] + swell->direction.z * inwardZ[side] >= 0.0f;
}

static bool tnLetsIn(tnEdgeKind kind)
{
	return kind == tn_levelEdge || kind == tn_absorbEdge;
}

// Mean depth of what is wet along the sides that a train comes in through, m. Very deep if nothing is. Of the flow itself:
// what the layer has seen of it last may be older.
static double tnGetEdgeDepth(const tnWaves* waves, const tnGrid* grid, const tnSwell* swell)
{
	double sum = 0.0;
	double count = 0.0;
	for (int side = 0; side < tn_sideCount; ++side)
	{
		if (!tnLetsIn(waves->edges[side]) || !tnEntersBy(swell, (tnSide)side))
		{
			continue;
		}
		const bool alongZ = side == tn_west || side == tn_east;
		const int length = alongZ ? grid->rowCount : grid->columnCount;
		for (int i = 0; i < length; ++i)
		{
			const int column = alongZ ? (side == tn_west ? 0 : grid->columnCount - 1) : i;
			const int row = alongZ ? i : (side == tn_north ? 0 : grid->rowCount - 1);
			const float depth = grid->depth[tnGrid_Index(grid, column, row)];
			if (depth > TN_WAVE_WET_DEPTH)
			{
				sum += depth;
				count += 1.0;
			}
		}
	}
	return count > 0.0 ? sum / count : TN_MAX_LENGTH;
}

// Wave number of a period at a depth, 1/m, by Newton's method on x tanh x = y from above, where it converges.
static double tnGetWaveNumber(double frequency, double depth, double gravity)
{
	const double y = frequency * frequency * depth / gravity;
	double x = y > 1.0 ? y : sqrt(y);
	for (int i = 0; i < 30; ++i)
	{
		const double t = tnTanh(x);
		x -= (x * t - y) / (t + x * (1.0 - t * t));
	}
	return x / depth;
}

static double tnGetSwellWaveNumber(const tnWaves* waves, const tnGrid* grid, const tnSwell* swell)
{
	return tnGetWaveNumber(TN_TWO_PI / swell->period, tnGetEdgeDepth(waves, grid, swell), waves->gravity);
}

static tnResult tnCheckOneSwell(const tnWaves* waves, const tnGrid* grid, const tnSwell* swell, int index)
{
	const float x = swell->direction.x;
	const float z = swell->direction.z;
	const float length = x * x + z * z;
	if (!(length > 1.0e-12f && length < 1.0e12f))
	{
		return tnFail(tn_invalidArgument, "swells[%d].direction must be finite and not zero, got (%g, %g)", index,
			(double)x, (double)z);
	}
	if (!(swell->amplitude >= 0.0f && swell->amplitude <= 1000.0f))
	{
		return tnFail(
			tn_invalidArgument, "swells[%d].amplitude must be in [0, 1000], got %g", index, (double)swell->amplitude);
	}
	if (!(swell->period >= 1.0e-3f && swell->period <= 1.0e4f))
	{
		return tnFail(
			tn_invalidArgument, "swells[%d].period must be in [0.001, 10000], got %g", index, (double)swell->period);
	}
	if (!tnIsFinite(swell->phase))
	{
		return tnFail(tn_invalidArgument, "swells[%d].phase must be finite, got %g", index, (double)swell->phase);
	}
	const double wavelength = TN_TWO_PI / tnGetSwellWaveNumber(waves, grid, swell);
	const double shortest = TN_SHORTEST_SWELL * waves->pool.cellSize[0];
	const double longest = TN_LONGEST_SWELL * waves->pool.cellSize[waves->pool.levelCount - 1];
	if (!(wavelength >= shortest && wavelength <= longest))
	{
		return tnFail(tn_invalidArgument,
			"swells[%d].period of %g makes waves of %.3g m, but bands hold %.3g to %.3g m", index,
			(double)swell->period, wavelength, shortest, longest);
	}
	return tnSuccess();
}

static double tnGetPeriod(const tnWaves* waves, double wavelength, double depth)
{
	const double k = TN_TWO_PI / wavelength;
	return TN_TWO_PI / sqrt(waves->gravity * k * tnTanh(k * depth));
}

tnPeriodRange tnWaves_GetSwellPeriods(const tnWaves* waves, const tnGrid* grid, tnVec2 direction)
{
	const tnSwell swell = {.direction = direction};
	const double depth = tnGetEdgeDepth(waves, grid, &swell);
	return (tnPeriodRange){tnGetPeriod(waves, TN_SHORTEST_SWELL * waves->pool.cellSize[0], depth),
		tnGetPeriod(waves, TN_LONGEST_SWELL * waves->pool.cellSize[waves->pool.levelCount - 1], depth)};
}

tnResult tnWaves_CheckSwell(const tnWaves* waves, const tnGrid* grid, const tnSwell* swells, int count)
{
	if (count < 0 || count > TN_MAX_SWELLS)
	{
		return tnFail(tn_invalidArgument, "count must be in [0, %d], got %d", TN_MAX_SWELLS, count);
	}
	if (count > 0 && swells == NULL)
	{
		return tnFail(tn_invalidArgument, "swells must not be NULL");
	}
	tnResult result = tnSuccess();
	for (int i = 0; i < count && result.status == tn_ok; ++i)
	{
		result = tnCheckOneSwell(waves, grid, swells + i, i);
	}
	return result;
}

void tnWaves_SetSwell(tnWaves* waves, const tnGrid* grid, const tnSwell* swells, int count)
{
	waves->swellCount = count;
	for (int i = 0; i < count; ++i)
	{
		waves->swells[i] = swells[i];
		const double x = swells[i].direction.x;
		const double z = swells[i].direction.z;
		const double perLength = tnGetSwellWaveNumber(waves, grid, swells + i) / sqrt(x * x + z * z);
		waves->swellWaves[i][0] = x * perLength;
		waves->swellWaves[i][1] = z * perLength;
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Letting it in

bool tnWaves_TakesSwell(const tnWaves* waves, const tnWaveTile* tile)
{
	if (waves->swellCount == 0 || !tile->windows || tile->retiring)
	{
		return false;
	}
	const int level = tile->level;
	const int columns = waves->pool.columnCount[level] - 1;
	const int rows = waves->pool.rowCount[level] - 1;
	const int left = tile->column * TN_WAVE_TILE;
	const int top = tile->row * TN_WAVE_TILE;
	// Cells of the tile that are nearest to each side.
	const int gaps[tn_sideCount] = {left, columns - (left + TN_WAVE_TILE - 1), top, rows - (top + TN_WAVE_TILE - 1)};
	for (int side = 0; side < tn_sideCount; ++side)
	{
		if (tnLetsIn(waves->edges[side]) && gaps[side] < TN_WAVE_FADE_CELLS)
		{
			return true;
		}
	}
	return false;
}

// Where trains come in in a tile: the cube of how deep in the zone a cell is, 0 outside of it, and by which side.
typedef struct tnSwellZone
{
	unsigned sides; // that they come in by
	float cubes[TN_WAVE_TILE * TN_WAVE_TILE];
	uint8_t nearest[TN_WAVE_TILE * TN_WAVE_TILE];
	int ends[TN_WAVE_TILE]; // by row: beyond the last cell of the zone
	// By side, of the columns or rows of the tile; and the sum of cubes from the edge inwards.
	float fades[tn_sideCount][TN_WAVE_TILE];
	double sums[tn_sideCount];
} tnSwellZone;

static void tnSwellZone_Begin(tnSwellZone* zone, const tnWaves* waves, const tnWaveTile* tile)
{
	const tnWavePool* pool = &waves->pool;
	const int lastColumn = pool->columnCount[tile->level] - 1;
	const int lastRow = pool->rowCount[tile->level] - 1;
	zone->sides = 0;
	for (int side = 0; side < tn_sideCount; ++side)
	{
		const bool alongX = side == tn_west || side == tn_east;
		for (int i = 0; i < TN_WAVE_TILE; ++i)
		{
			zone->fades[side][i] = tnGetWaveEdgeFade(pool, waves->edges, 1u << side, tile->level,
				alongX ? tile->column * TN_WAVE_TILE + i : 0, alongX ? 0 : tile->row * TN_WAVE_TILE + i);
		}
		zone->sums[side] = 0.0;
		for (int i = 0; i < TN_WAVE_FADE_CELLS; ++i)
		{
			const double q = tnGetWaveEdgeFade(pool, waves->edges, 1u << side, tile->level,
				side == tn_east ? lastColumn - i : i, side == tn_south ? lastRow - i : i);
			zone->sums[side] += q * q * q;
		}
	}
}

static void tnSwellZone_Find(tnSwellZone* zone, const tnWaveTile* tile, unsigned sides)
{
	const float* mask = tile->varied ? tile->fields[tn_waveMask] : NULL;
	zone->sides = sides;
	for (int row = 0; row < TN_WAVE_TILE; ++row)
	{
		zone->ends[row] = 0;
		for (int column = 0; column < TN_WAVE_TILE; ++column)
		{
			const int at[tn_sideCount] = {column, column, row, row};
			float most = 0.0f;
			int nearest = 0;
			for (int side = 0; side < tn_sideCount; ++side)
			{
				const float fade = (sides >> side & 1) != 0 ? zone->fades[side][at[side]] : 0.0f;
				nearest = fade > most ? side : nearest;
				most = tnMaxFloat(most, fade);
			}
			const bool wet = mask == NULL || mask[row * TN_WAVE_STRIDE + column] > 0.0f;
			const int cell = row * TN_WAVE_TILE + column;
			zone->cubes[cell] = wet ? most * most * most : 0.0f;
			zone->nearest[cell] = (uint8_t)nearest;
			zone->ends[row] = zone->cubes[cell] > 0.0f ? column + 1 : zone->ends[row];
		}
	}
}

// G of a train at a side.
// @param sum of s over the cells of the zone there
static double tnGetSwellGain(const tnWaves* waves, int index, int level, tnSide side, float timeStep, double sum)
{
	const double x = waves->swellWaves[index][0];
	const double z = waves->swellWaves[index][1];
	const double inwards[tn_sideCount] = {x, -x, z, -z};
	const double k = sqrt(x * x + z * z);
	const double frequency = TN_TWO_PI / waves->swells[index].period;
	// Of the depth that k was found for: tanh(k H) = w^2 / (g k), and k H from it.
	const double t = frequency * frequency / (waves->gravity * k);
	const double depth = t < 0.999999 ? 0.5 * tnLog((1.0 + t) / (1.0 - t)) : 0.0;
	const double groupSpeed = 0.5 * frequency / k * (1.0 + depth * (1.0 - t * t) / t);
	const double way = sum * waves->pool.cellSize[level] / timeStep;
	const double speed = groupSpeed * inwards[side] / k;
	const double passed = speed > 0.0 && way < 40.0 * speed ? 1.0 - tnExp(-way / speed) : 1.0;
	// Steps too short for a double take nothing away, and nothing comes in.
	return passed > 0.0 ? 1.0 / passed : 0.0;
}

static void tnApplyTrain(const tnWaves* waves, tnWaveTile* tile, int index, double amplitude, const tnSwellZone* zone,
	double time, float timeStep)
{
	const tnSwell* swell = waves->swells + index;
	const double* waveVector = waves->swellWaves[index];
	const double cellSize = waves->pool.cellSize[tile->level];
	const double frequency = TN_TWO_PI / swell->period;
	const double loss = 1.0 - tnExp(-TN_WAVE_FADE_RATE * sqrt(waves->gravity / cellSize) * timeStep);
	float gains[tn_sideCount] = {0.0f};
	for (int side = 0; side < tn_sideCount; ++side)
	{
		if ((zone->sides >> side & 1) != 0 && zone->sums[side] > 0.0)
		{
			gains[side] = (float)(loss * amplitude *
				tnGetSwellGain(waves, index, tile->level, (tnSide)side, timeStep, loss * zone->sums[side]));
		}
	}
	// The phase turns by the same angle from cell to cell.
	const double turn = waveVector[0] * cellSize / TN_TWO_PI;
	const double cosine = tnSinTurns(turn + 0.25);
	const double sine = tnSinTurns(turn);
	float columnReal[TN_WAVE_TILE], columnImaginary[TN_WAVE_TILE];
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
	const double left = waves->pool.origin.x + (tile->column * TN_WAVE_TILE + 0.5) * cellSize;
	const double top = waves->pool.origin.z + (tile->row * TN_WAVE_TILE + 0.5) * cellSize;
	for (int row = 0; row < TN_WAVE_TILE; ++row)
	{
		if (zone->ends[row] == 0)
		{
			continue;
		}
		const double z = top + row * cellSize;
		double turns = (waveVector[0] * left + waveVector[1] * z) / TN_TWO_PI - time / swell->period + swell->phase;
		turns -= floor(turns);
		const float rowReal = (float)tnSinTurns(turns + 0.25);
		const float rowImaginary = (float)tnSinTurns(turns);
		const float rowRate = (float)frequency;
		float* height = tile->fields[tn_waveHeight] + (ptrdiff_t)row * TN_WAVE_STRIDE;
		float* rate = tile->fields[tn_waveRate] + (ptrdiff_t)row * TN_WAVE_STRIDE;
		for (int column = 0; column < zone->ends[row]; ++column)
		{
			const int cell = row * TN_WAVE_TILE + column;
			const float s = zone->cubes[cell] * gains[zone->nearest[cell]];
			height[column] += s * (columnReal[column] * rowReal - columnImaginary[column] * rowImaginary);
			rate[column] += s * rowRate * (columnReal[column] * rowImaginary + columnImaginary[column] * rowReal);
		}
	}
}

void tnWaves_ApplySwell(const tnWaves* waves, tnWaveTile* tile, double time, float timeStep)
{
	tnSwellZone zone;
	bool begun = false;
	for (int i = 0; i < waves->swellCount; ++i)
	{
		unsigned sides = 0;
		for (int side = 0; side < tn_sideCount; ++side)
		{
			if (tnLetsIn(waves->edges[side]) && tnEntersBy(waves->swells + i, (tnSide)side))
			{
				sides |= 1u << side;
			}
		}
		const double* wave = waves->swellWaves[i];
		const double k = sqrt(wave[0] * wave[0] + wave[1] * wave[1]);
		const double share = tnGetWaveShare(k * waves->pool.cellSize[tile->level], tile->level == 0);
		const double amplitude = waves->swells[i].amplitude * share;
		if (sides == 0 || !(amplitude > 0.0))
		{
			continue;
		}
		if (!begun)
		{
			tnSwellZone_Begin(&zone, waves, tile);
			begun = true;
		}
		// Trains of a sea lie in the order of their directions: most come in by the same sides as the one before.
		if (sides != zone.sides)
		{
			tnSwellZone_Find(&zone, tile, sides);
		}
		tnApplyTrain(waves, tile, i, amplitude, &zone, time, timeStep);
	}
}
