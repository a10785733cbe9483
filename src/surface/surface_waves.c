// SPDX-License-Identifier: MIT

// The wave layer in a surface: the heights of its bands at the middle of cells, by the same cubics as tnWaves_Sample. Along each axis
// the places of the cells of a row repeat themselves, so a row of a band is first found between four rows of its cells, and then at
// the places between four columns.

#include "surface.h"

#include <math.h>
#include <string.h>

enum
{
	// Cells of a band that a row of a block lies in are cut into pieces of so many at most: room of the scratch.
	TN_WAVE_PIECE = 2048,
};

void tnSurface_FindWaves(tnSurface* surface)
{
	const tnWaves* waves = &surface->world->waves;
	for (int tile = 0; tile < surface->tileCount; ++tile)
	{
		surface->tiles[tile].wavy = false;
	}
	if (!waves->enabled || !surface->def.addWaves)
	{
		return;
	}
	for (int i = 0; i < waves->pool.count; ++i)
	{
		const tnWaveTile* tile = waves->pool.tiles + waves->pool.order[i];
		if (tile->rests)
		{
			continue;
		}
		// Cells of the world that it is over, and two of its own around, which cubics look at.
		const double perCell = (double)waves->pool.cellSize[tile->level] / surface->cellSize;
		const double more = TN_SURFACE_MARGIN + 2.0 * perCell;
		const int left = (int)fmax(tile->column * TN_WAVE_TILE * perCell - more, 0.0);
		const int top = (int)fmax(tile->row * TN_WAVE_TILE * perCell - more, 0.0);
		const int right = (int)fmin((tile->column + 1) * TN_WAVE_TILE * perCell + more, surface->columnCount - 1);
		const int bottom = (int)fmin((tile->row + 1) * TN_WAVE_TILE * perCell + more, surface->rowCount - 1);
		for (int row = top / TN_SURFACE_TILE; row <= bottom / TN_SURFACE_TILE; ++row)
		{
			for (int column = left / TN_SURFACE_TILE; column <= right / TN_SURFACE_TILE; ++column)
			{
				surface->tiles[row * surface->tileColumnCount + column].wavy = true;
			}
		}
	}
}

static void tnMakeWeights(float t, float weights[4])
{
	const float t2 = t * t, t3 = t2 * t;
	weights[0] = -0.5f * t + t2 - 0.5f * t3;
	weights[1] = 1.0f - 2.5f * t2 + 1.5f * t3;
	weights[2] = 0.5f * t + 2.0f * t2 - 1.5f * t3;
	weights[3] = -0.5f * t2 + 0.5f * t3;
}

// Heights of some cells of a row of a band at the moment of the surface; 0 where there is no tile, or it rests.
static void tnCopyBandRow(const tnSurface* surface, int level, int row, int column, int count, float* out)
{
	const tnWavePool* pool = &surface->world->waves.pool;
	for (int i = 0; i < count;)
	{
		const int tileColumn = tnGetWaveTileOf(column + i), tileRow = tnGetWaveTileOf(row);
		const int first = column + i - tileColumn * TN_WAVE_TILE;
		const int piece = tnMinInt(TN_WAVE_TILE - first, count - i);
		const int slot = tnWavePool_Find(pool, level, tileColumn, tileRow);
		if (slot < 0 || pool->tiles[slot].rests)
		{
			memset(out + i, 0, (size_t)piece * sizeof(float));
		}
		else
		{
			const ptrdiff_t at = (ptrdiff_t)(row - tileRow * TN_WAVE_TILE) * TN_WAVE_STRIDE + first;
			surface->kernels->rewind(pool->tiles[slot].fields[tn_waveHeight] + at,
				pool->tiles[slot].fields[tn_waveRate] + at, surface->back, piece, out + i);
		}
		i += piece;
	}
}

// Add a band to a row of cells: `count` of them from a column of the world on.
static void tnAddBand(
	const tnSurface* surface, int level, int column, int row, int count, tnSurfaceScratch* scratch, float* heights)
{
	const double ratio = (double)surface->cellSize / surface->world->waves.pool.cellSize[level];
	const double z = (row + 0.5) * ratio - 0.5;
	const int line = (int)floor(z);
	float weightsZ[4];
	tnMakeWeights((float)(z - line), weightsZ);
	// As many cells at once as there is room for.
	const int most = tnMaxInt((int)((TN_WAVE_PIECE - 8) / ratio), 1);
	for (int begin = 0; begin < count; begin += most)
	{
		const int end = tnMinInt(begin + most, count);
		const int first = (int)floor((column + begin + 0.5) * ratio - 0.5) - 1;
		const int last = (int)floor((column + end - 1 + 0.5) * ratio - 0.5) + 2;
		float* sum = scratch->waves;
		float* part = scratch->waves + TN_WAVE_PIECE;
		for (int j = 0; j < 4; ++j)
		{
			tnCopyBandRow(surface, level, line + j - 1, first, last - first + 1, part);
			for (int i = 0; i <= last - first; ++i)
			{
				sum[i] = j == 0 ? weightsZ[0] * part[i] : sum[i] + weightsZ[j] * part[i];
			}
		}
		for (int i = begin; i < end; ++i)
		{
			const double x = (column + i + 0.5) * ratio - 0.5;
			const int cell = (int)floor(x);
			float weights[4];
			tnMakeWeights((float)(x - cell), weights);
			const float* at = sum + (cell - 1 - first);
			heights[i] += weights[0] * at[0] + weights[1] * at[1] + weights[2] * at[2] + weights[3] * at[3];
		}
	}
}

void tnSurface_AddWaves(const tnSurface* surface, tnCellBox box, tnSurfaceScratch* scratch)
{
	const tnGrid* grid = &surface->world->grid;
	const tnWavePool* pool = &surface->world->waves.pool;
	const int begin = tnMaxInt(-1, -box.columnBegin);
	const int end = tnMinInt(TN_SURFACE_TILE + 1, surface->columnCount - box.columnBegin);
	for (int row = tnMaxInt(-1, -box.rowBegin); row <= TN_SURFACE_TILE && box.rowBegin + row < surface->rowCount; ++row)
	{
		float* heights = scratch->waveRow;
		memset(heights, 0, sizeof(scratch->waveRow));
		for (int level = pool->levelCount - 1; level >= 0; --level)
		{
			tnAddBand(surface, level, box.columnBegin + begin, box.rowBegin + row, end - begin, scratch, heights);
		}
		for (int column = begin; column < end; ++column)
		{
			const ptrdiff_t at = tnSurface_GetBlockIndex(column, row);
			const float ring = scratch->rings[at];
			const float bed = grid->bed[tnGrid_Index(grid, box.columnBegin + column, box.rowBegin + row)];
			float* own = scratch->surface + at;
			const float moved = *own + heights[column - begin];
			if (ring == 1.0f)
			{
				// A trough does not go below the bed.
				*own = tnMaxFloat(moved, bed);
			}
			else if (ring > 0.5f)
			{
				// And a crest not over ground that is dry.
				*own = *own <= bed ? tnMinFloat(moved, bed) : moved;
			}
		}
	}
}
