// SPDX-License-Identifier: MIT

// Swell. A train of waves that comes in is known in the zone at the edge in which waves of the band fade: there the layer
// is not brought to rest, but to that train,
//
//   h = a B(k dx) cos(k.x - omega t + phase),    v = dh/dt,    omega^2 = g k tanh(k H)
//
// with H the mean depth along the edges that it comes in through, and B the share of the band. Heights and rates lose the
// share s of themselves there in a step (the window of wave_kernels.h), and get s times the train. A train that solves
// the equations of the band passes through unchanged; what runs out meets the zone as ever. Waves that leave do not see
// those that come in (relaxation zones; Jacobsen, Fuhrman & Fredsoe 2012).

#include "wave_swell.h"

#include "../core/core.h"
#include "../core/numerics.h"
#include "wave_tile_fit.h"

#include <math.h>
#include <string.h>

#define TN_TWO_PI 6.283185307179586

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
	const double shortest = 4.0 * waves->pool.cellSize[0];
	const double longest = 8.0 * waves->pool.cellSize[waves->pool.levelCount - 1];
	if (!(wavelength >= shortest && wavelength <= longest))
	{
		return tnFail(tn_invalidArgument,
			"swells[%d].period of %g makes waves of %.3g m, but bands hold %.3g to %.3g m", index,
			(double)swell->period, wavelength, shortest, longest);
	}
	return tnSuccess();
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

static void tnApplyTrain(
	const tnWaves* waves, tnWaveTile* tile, int index, const float* fades, double time, float timeStep)
{
	const tnSwell* swell = waves->swells + index;
	const double* waveVector = waves->swellWaves[index];
	const double cellSize = waves->pool.cellSize[tile->level];
	const double k = sqrt(waveVector[0] * waveVector[0] + waveVector[1] * waveVector[1]);
	const double share = tnGetWaveShare(k * cellSize, tile->level == 0);
	const double amplitude = swell->amplitude * share;
	if (!(amplitude > 0.0))
	{
		return;
	}
	const double frequency = TN_TWO_PI / swell->period;
	const double loss = 1.0 - tnExp(-TN_WAVE_FADE_RATE * sqrt(waves->gravity / cellSize) * timeStep);
	// The phase turns by the same angle from cell to cell.
	const double turn = waveVector[0] * cellSize / TN_TWO_PI;
	const double cosine = tnSinTurns(turn + 0.25);
	const double sine = tnSinTurns(turn);
	const double left = waves->pool.origin.x + (tile->column * TN_WAVE_TILE + 0.5) * cellSize;
	const double top = waves->pool.origin.z + (tile->row * TN_WAVE_TILE + 0.5) * cellSize;
	for (int row = 0; row < TN_WAVE_TILE; ++row)
	{
		const double z = top + row * cellSize;
		double turns = (waveVector[0] * left + waveVector[1] * z) / TN_TWO_PI - time / swell->period + swell->phase;
		turns -= floor(turns);
		double real = tnSinTurns(turns + 0.25);
		double imaginary = tnSinTurns(turns);
		for (int column = 0; column < TN_WAVE_TILE; ++column)
		{
			const ptrdiff_t at = (ptrdiff_t)row * TN_WAVE_STRIDE + column;
			const float q = fades[row * TN_WAVE_TILE + column];
			if (q > 0.0f)
			{
				const double s = loss * q * q * q;
				tile->fields[tn_waveHeight][at] += (float)(s * amplitude * real);
				tile->fields[tn_waveRate][at] += (float)(s * amplitude * frequency * imaginary);
			}
			const double next = real * cosine - imaginary * sine;
			imaginary = real * sine + imaginary * cosine;
			real = next;
		}
	}
}

void tnWaves_ApplySwell(const tnWaves* waves, tnWaveTile* tile, double time, float timeStep)
{
	const float* mask = tile->varied ? tile->fields[tn_waveMask] : NULL;
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
		float fades[TN_WAVE_TILE * TN_WAVE_TILE];
		for (int row = 0; row < TN_WAVE_TILE; ++row)
		{
			for (int column = 0; column < TN_WAVE_TILE; ++column)
			{
				const bool wet = mask == NULL || mask[row * TN_WAVE_STRIDE + column] > 0.0f;
				fades[row * TN_WAVE_TILE + column] = wet
					? tnGetWaveEdgeFade(&waves->pool, waves->edges, sides, tile->level,
						  tile->column * TN_WAVE_TILE + column, tile->row * TN_WAVE_TILE + row)
					: 0.0f;
			}
		}
		tnApplyTrain(waves, tile, i, fades, time, timeStep);
	}
}
