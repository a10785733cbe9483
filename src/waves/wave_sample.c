// SPDX-License-Identifier: MIT

// The layer at a place: the sum of all bands that are there, each interpolated by Catmull and Rom's cubics (1974) between
// 4 x 4 cells, which know their slope. Water at the surface moves with u = grad phi, where phi = v / (k tanh kH) is the
// potential of a wave that rises with v; k is that of typical waves of the band.

#include "../core/core.h"
#include "../core/numerics.h"
#include "wave_tile_fit.h"
#include "waves.h"

#include <math.h>

typedef struct tnCubic
{
	float values[4];
	float slopes[4]; // per cell
} tnCubic;

static tnCubic tnMakeCubic(float t)
{
	const float t2 = t * t;
	const float t3 = t2 * t;
	return (tnCubic){
		{-0.5f * t + t2 - 0.5f * t3, 1.0f - 2.5f * t2 + 1.5f * t3, 0.5f * t + 2.0f * t2 - 1.5f * t3,
			-0.5f * t2 + 0.5f * t3},
		{-0.5f + 2.0f * t - 1.5f * t2, -5.0f * t + 4.5f * t2, 0.5f + 4.0f * t - 4.5f * t2, -t + 1.5f * t2},
	};
}

// The tile that a cell of the level of another tile beside it is in, or NULL. The cell becomes one of that tile.
static const tnWaveTile* tnFollow(const tnWavePool* pool, const tnWaveTile* tile, int* column, int* row)
{
	const int right = *column < 0 ? -1 : (*column >= TN_WAVE_TILE ? 1 : 0);
	const int down = *row < 0 ? -1 : (*row >= TN_WAVE_TILE ? 1 : 0);
	*column -= right * TN_WAVE_TILE;
	*row -= down * TN_WAVE_TILE;
	const int slot = tile->neighbours[3 * (down + 1) + right + 1];
	return slot >= 0 ? pool->tiles + slot : NULL;
}

typedef struct tnBandSample
{
	float height, rate;
	tnVec2 slope, rateSlope; // per meter
	const tnWaveTile* tile;
} tnBandSample;

static bool tnSampleBand(const tnWaves* waves, int level, tnVec2 position, tnBandSample* sample)
{
	const tnWavePool* pool = &waves->pool;
	const float half = 0.5f * pool->cellSize[level];
	float x, z;
	// The first of the two cells whose centres it lies between, along each axis.
	const int column = tnWavePool_GetCell(pool, level, position.x - half, pool->origin.x, &x);
	const int row = tnWavePool_GetCell(pool, level, position.z - half, pool->origin.z, &z);
	const int tileColumn = tnGetWaveTileOf(x < 0.5f ? column : column + 1);
	const int tileRow = tnGetWaveTileOf(z < 0.5f ? row : row + 1);
	const int slot = tnWavePool_Find(pool, level, tileColumn, tileRow);
	*sample = (tnBandSample){0};
	if (slot < 0)
	{
		return false;
	}
	const tnWaveTile* tile = pool->tiles + slot;
	sample->tile = tile;
	const tnCubic cubicX = tnMakeCubic(x);
	const tnCubic cubicZ = tnMakeCubic(z);
	const float perCell = 1.0f / pool->cellSize[level];
	for (int j = 0; j < 4; ++j)
	{
		float height = 0.0f, rate = 0.0f, slope = 0.0f, rateSlope = 0.0f;
		for (int i = 0; i < 4; ++i)
		{
			int c = column + i - 1 - tileColumn * TN_WAVE_TILE;
			int r = row + j - 1 - tileRow * TN_WAVE_TILE;
			const tnWaveTile* other = tnFollow(pool, tile, &c, &r);
			if (other == NULL || other->rests)
			{
				continue;
			}
			const ptrdiff_t at = (ptrdiff_t)r * TN_WAVE_STRIDE + c;
			const float h = other->fields[tn_waveHeight][at];
			const float v = other->fields[tn_waveRate][at];
			height += cubicX.values[i] * h;
			rate += cubicX.values[i] * v;
			slope += cubicX.slopes[i] * h;
			rateSlope += cubicX.slopes[i] * v;
		}
		sample->height += cubicZ.values[j] * height;
		sample->rate += cubicZ.values[j] * rate;
		sample->slope.x += cubicZ.values[j] * slope * perCell;
		sample->slope.z += cubicZ.slopes[j] * height * perCell;
		sample->rateSlope.x += cubicZ.values[j] * rateSlope * perCell;
		sample->rateSlope.z += cubicZ.slopes[j] * rate * perCell;
	}
	return true;
}

void tnWaves_Sample(const tnWaves* waves, tnVec2 position, tnWaveSample* sample)
{
	*sample = (tnWaveSample){0};
	sample->finestLevel = waves->pool.levelCount;
	for (int level = waves->pool.levelCount - 1; level >= 0; --level)
	{
		tnBandSample band;
		if (!tnSampleBand(waves, level, position, &band))
		{
			continue;
		}
		const float k = tnGetTypicalWaveNumber(waves->pool.cellSize[level]);
		// A centimeter at least: at the shore the formula has no end.
		const float potential = 1.0f / (k * (float)tnTanh((double)k * tnMaxFloat(band.tile->depth, 0.01f)));
		sample->height += band.height;
		sample->rate += band.rate;
		sample->slope.x += band.slope.x;
		sample->slope.z += band.slope.z;
		sample->velocity.x += potential * band.rateSlope.x;
		sample->velocity.z += potential * band.rateSlope.z;
		sample->finestLevel = level;
	}
	if (waves->ripples != NULL && waves->stirred)
	{
		tnRipples_Sample(waves->ripples, position, &sample->rippleEnergy, &sample->rippleDirection);
	}
}

void tnWaves_AddToSample(const tnWaves* waves, tnVec2 position, tnSample* sample)
{
	if (!waves->enabled || !sample->wet || !sample->inside)
	{
		return;
	}
	tnWaveSample added;
	tnWaves_Sample(waves, position, &added);
	// A trough does not go below the bed.
	const float depth = tnMaxFloat(sample->depth + added.height, 0.0f);
	sample->surface = tnMaxFloat(sample->surface + (depth - sample->depth), sample->bed);
	sample->depth = depth;
	sample->velocity.x += added.velocity.x;
	sample->velocity.z += added.velocity.z;
	// The normal of a surface is (-dy/dx, 1, -dy/dz), made to length 1; the flow's is never level with the ground.
	const float up = tnMaxFloat(sample->normal.y, 1.0e-6f);
	const tnVec3 normal = {sample->normal.x / up - added.slope.x, 1.0f, sample->normal.z / up - added.slope.z};
	const float square = normal.x * normal.x + 1.0f + normal.z * normal.z;
	if (square < 1.0e30f)
	{
		const float length = sqrtf(square);
		sample->normal = (tnVec3){normal.x / length, normal.y / length, normal.z / length};
		return;
	}
	// Steeper than anything, but still of length 1.
	const double length = sqrt((double)normal.x * normal.x + 1.0 + (double)normal.z * normal.z);
	sample->normal = (tnVec3){(float)(normal.x / length), (float)(1.0 / length), (float)(normal.z / length)};
}

float tnWaves_GetHighest(const tnWaves* waves)
{
	float highest[TN_MAX_WAVE_LEVELS] = {0.0f};
	for (int i = 0; waves->enabled && i < waves->pool.count; ++i)
	{
		const int slot = waves->pool.order[i];
		const tnWaveTile* tile = waves->pool.tiles + slot;
		highest[tile->level] = tnMaxFloat(highest[tile->level], tile->rests ? 0.0f : waves->largest[slot]);
	}
	float sum = 0.0f;
	for (int level = 0; level < TN_MAX_WAVE_LEVELS; ++level)
	{
		sum += highest[level];
	}
	// Weights of the cubics are 5/4 in sum along each axis, signs aside.
	return 1.5625f * sum;
}
