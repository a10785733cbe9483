// SPDX-License-Identifier: MIT

// The heights of the wave layer, summed over its bands on one grid.

#include "maps/wave_map.h"

#include "tarn/waves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Most cells of the grid: 64 MB.
static const double s_mostCells = 16.0e6;

// One band as a whole: zero where it has no tiles.
typedef struct Band
{
	float* heights;
	int columnCount, rowCount;
} Band;

int ChooseWaveScale(const tnWorldDef* def)
{
	int scale = 1 << (def->waves.enable ? def->waves.finerLevels : 0);
	while (scale > 1 && (double)def->columnCount * def->rowCount * scale * scale > s_mostCells)
	{
		scale /= 2;
	}
	return scale;
}

static bool CollectBand(const tnWorld* world, int level, float cellSize, const tnWorldDef* def, Band* band)
{
	const float perCell = def->cellSize / cellSize;
	band->columnCount = (int)ceilf((float)def->columnCount * perCell);
	band->rowCount = (int)ceilf((float)def->rowCount * perCell);
	band->heights = calloc((size_t)band->columnCount * (size_t)band->rowCount, sizeof(float));
	if (band->heights == NULL)
	{
		return false;
	}
	for (int i = 0; i < tnWorld_GetWaveTileCount(world); ++i)
	{
		tnWaveTileView view;
		if (tnWorld_GetWaveTile(world, i, &view).status != tn_ok || view.level != level || view.rests)
		{
			continue;
		}
		const int columnBegin = view.column * view.size, rowBegin = view.row * view.size;
		for (int row = 0; row < view.size && rowBegin + row < band->rowCount; ++row)
		{
			const int left = band->columnCount - columnBegin;
			const size_t count = (size_t)(left < view.size ? left : view.size);
			if (left > 0 && rowBegin + row >= 0 && columnBegin >= 0)
			{
				float* target = band->heights + (size_t)(rowBegin + row) * (size_t)band->columnCount;
				memcpy(target + columnBegin, view.heights + (ptrdiff_t)row * view.stride, count * sizeof(float));
			}
		}
	}
	return true;
}

// Four cells around a place and their weights (Catmull and Rom 1974). place is in cells, 0.5 the middle of the first.
static void FindTaps(float place, int count, int taps[4], float weights[4])
{
	const float from = floorf(place - 0.5f);
	const float t = place - 0.5f - from;
	const float w[4] = {
		0.5f * t * (-1.0f + t * (2.0f - t)),
		1.0f + 0.5f * t * t * (-5.0f + 3.0f * t),
		0.5f * t * (1.0f + t * (4.0f - 3.0f * t)),
		0.5f * t * t * (t - 1.0f),
	};
	for (int i = 0; i < 4; ++i)
	{
		const int cell = (int)from - 1 + i;
		taps[i] = cell < 0 ? 0 : cell < count ? cell : count - 1;
		weights[i] = w[i];
	}
}

// Cells of the grid are `share` cells of the band wide.
static bool AddBand(const Band* band, float share, int columnCount, int rowCount, float* heights)
{
	float* line = malloc((size_t)band->columnCount * sizeof(float));
	if (line == NULL)
	{
		return false;
	}
	for (int row = 0; row < rowCount; ++row)
	{
		int taps[4];
		float weights[4];
		FindTaps(((float)row + 0.5f) * share, band->rowCount, taps, weights);
		const float* rows[4];
		for (int i = 0; i < 4; ++i)
		{
			rows[i] = band->heights + (size_t)taps[i] * (size_t)band->columnCount;
		}
		for (int column = 0; column < band->columnCount; ++column)
		{
			line[column] = weights[0] * rows[0][column] + weights[1] * rows[1][column] + weights[2] * rows[2][column] +
				weights[3] * rows[3][column];
		}
		float* target = heights + (size_t)row * (size_t)columnCount;
		for (int column = 0; column < columnCount; ++column)
		{
			FindTaps(((float)column + 0.5f) * share, band->columnCount, taps, weights);
			target[column] += weights[0] * line[taps[0]] + weights[1] * line[taps[1]] + weights[2] * line[taps[2]] +
				weights[3] * line[taps[3]];
		}
	}
	free(line);
	return true;
}

bool CopyWaves(const tnWorld* world, int scale, float* heights)
{
	const tnWorldDef def = tnWorld_GetDef(world);
	const int columnCount = def.columnCount * scale, rowCount = def.rowCount * scale;
	memset(heights, 0, (size_t)columnCount * (size_t)rowCount * sizeof(float));
	bool ok = true;
	for (int level = 0; level < def.waves.levelCount && def.waves.enable && ok; ++level)
	{
		const float cellSize = ldexpf(def.cellSize, level - def.waves.finerLevels);
		const float share = def.cellSize / (float)scale / cellSize;
		if (share > 1.0f)
		{
			continue;
		}
		Band band = {0};
		ok = CollectBand(world, level, cellSize, &def, &band) && AddBand(&band, share, columnCount, rowCount, heights);
		free(band.heights);
	}
	return ok;
}
