// SPDX-License-Identifier: MIT

// What the layer is offered. The level with half the cells of grid n takes K of its potential of heights on its own grid:
//
//   n = 0:  U (K F_0), where K F_0 is what the flow itself loses; K F_0 if the layer is no finer than the flow
//   n > 0:  K (V F_n) / 4^(n - 1), by gradients of almost fourth order where the level is coarser than the flow
//
// so that what it gets of heights and what the flow loses differ by interpolation only. The potential p of velocities goes to the
// level as it is, over gravity: its rates are A p, with the operator A = omega^2 that the level moves by, and what it gains of
// energy is then known (wave_handover_budget.c). F_n is 2 to 6 cells of its grid long: 4 to 12 of the level, whose bands hold just
// those.

#include "wave_handover_parts.h"

#include <string.h>

// Share of the height at which waves rest that is worth being put into a tile.
#define TN_LEAST_HEIGHT 0.01f
// Changes are at most so many times the largest potential: four gradients, and what prolongation adds.
#define TN_MOST_BEND 20.0f

// Waves of a level are no faster than such: A is below this times gravity over the size of a cell.
#define TN_MOST_PULL 4.0f

// Some cells of a grid.
typedef struct tnSquare
{
	int column, row, size;
} tnSquare;

// Potentials of the finest grid, and how deep cells are that are open: what is not awake is not.
static void tnCopyFinest(const tnTaking* taking, tnSquare square, const tnHandoverScratch* scratch)
{
	const tnGrid* grid = taking->grid;
	const tnHandoverGrid* level = taking->handover->grids;
	const int first = tnMaxInt(square.column, 0);
	const int last = tnMinInt(square.column + square.size, grid->columnCount);
	for (int r = 0; r < square.size; ++r)
	{
		const int row = square.row + r;
		float* outs[tnFieldCount + 1] = {scratch->patches[0] + r * tnPatchStride,
			scratch->patches[1] + r * tnPatchStride, scratch->depths + r * tnPatchStride};
		for (int i = 0; i <= tnFieldCount; ++i)
		{
			memset(outs[i], 0, (size_t)square.size * sizeof(float));
		}
		if (row < 0 || row >= grid->rowCount)
		{
			continue;
		}
		const uint8_t* distance = taking->handover->distance + row / TN_TILE_SIZE * grid->tileColumnCount;
		const float* sources[tnFieldCount + 1] = {tnGetRow(level, level->fields[0], row),
			tnGetRow(level, level->fields[1], row), tnGetRow(level, taking->handover->room, row)};
		for (int column = first, next; column < last; column = next)
		{
			const int tile = column / TN_TILE_SIZE;
			next = tnMinInt(last, (tile + 1) * TN_TILE_SIZE);
			for (int i = 0; i <= tnFieldCount && distance[tile] == 0; ++i)
			{
				memcpy(outs[i] + column - square.column, sources[i] + column, (size_t)(next - column) * sizeof(float));
			}
		}
	}
}

// Is a square of the finest grid all awake?
static bool tnIsAwake(const tnTaking* taking, tnSquare square)
{
	const tnGrid* grid = taking->grid;
	const int lastColumn = square.column + square.size - 1;
	const int lastRow = square.row + square.size - 1;
	if (square.column < 0 || square.row < 0 || lastColumn >= grid->columnCount || lastRow >= grid->rowCount)
	{
		return false;
	}
	for (int row = square.row / TN_TILE_SIZE; row <= lastRow / TN_TILE_SIZE; ++row)
	{
		for (int column = square.column / TN_TILE_SIZE; column <= lastColumn / TN_TILE_SIZE; ++column)
		{
			if (taking->handover->distance[row * grid->tileColumnCount + column] != 0)
			{
				return false;
			}
		}
	}
	return true;
}

// How deep cells of the grid finer than n are, for a square of them; 0 outside of the part in use.
static void tnCopyDepths(const tnTaking* taking, int n, tnSquare square, float* depths)
{
	const tnGrid* grid = taking->grid;
	const tnHandoverGrid* fine = taking->handover->grids + n - 1;
	const int begin = tnMaxInt(square.column, fine->columnBegin);
	const int end = tnMinInt(square.column + square.size, fine->columnEnd);
	for (int r = 0; r < square.size; ++r)
	{
		const int row = square.row + r;
		float* out = depths + r * tnPatchStride;
		memset(out, 0, (size_t)square.size * sizeof(float));
		if (row < fine->rowBegin || row >= fine->rowEnd || begin >= end)
		{
			continue;
		}
		const float* source = n == 1 ? grid->depth + tnGrid_Index(grid, 0, row) : tnGetRow(fine, fine->depths, row);
		memcpy(out + begin - square.column, source + begin, (size_t)(end - begin) * sizeof(float));
	}
}

// The largest potential of a grid in a square.
static float tnGetLargestPotential(const tnTaking* taking, int n, tnSquare square)
{
	const tnHandoverGrid* level = taking->handover->grids + n;
	const int begin = tnClampInt(square.column, level->columnBegin, level->columnEnd - 1);
	const int end = tnClampInt(square.column + square.size, begin + 1, level->columnEnd);
	const int rowBegin = tnClampInt(square.row, level->rowBegin, level->rowEnd - 1);
	const int rowEnd = tnClampInt(square.row + square.size, rowBegin + 1, level->rowEnd);
	float largest = 0.0f;
	for (int row = rowBegin; row < rowEnd; ++row)
	{
		for (int f = 0; f < tnFieldCount; ++f)
		{
			const float* values = tnGetRow(level, level->fields[f], row) + begin;
			largest = tnMaxFloat(largest, taking->rows->getLargest(values, end - begin));
		}
	}
	return largest;
}

// What a tile gets from a coarser grid.
static void tnGetCoarseChange(const tnTaking* taking, int n, int column, int row, const tnHandoverScratch* scratch)
{
	const tnHandoverRows* rows = taking->rows;
	const tnHandoverGrid* coarse = taking->handover->grids + n;
	const tnSquare square = {2 * column - 2, 2 * row - 2, tnPatchSize};
	// Potentials are for the grid of the flow.
	const float perCell = 1.0f / (float)(1 << (2 * (n - 1)));
	const float order = n > 1 ? 1.0f / 14.0f : 0.0f;
	const tnRun columns = {square.column, square.column + square.size};
	float* line = scratch->lines[0];
	tnCopyDepths(taking, n, square, scratch->depths);
	for (int f = 0; f < tnFieldCount; ++f)
	{
		for (int r = 0; r < square.size; ++r)
		{
			const int count = tnRefineAcross(taking, coarse, coarse->fields[f], square.row + r, columns, line);
			const float scale = n > 1 ? tnGetDeepScale(0.5f * coarse->cellSize) : TN_ANY_DEPTH;
			float* patch = scratch->patches[f] + r * tnPatchStride;
			rows->deepenAlong(line, scratch->depths + r * tnPatchStride, scale, NULL, patch, count);
		}
		for (int r = 0; r < TN_WAVE_TILE; ++r)
		{
			const int place = (r + 2) * tnPatchStride + 2;
			if (f == 1)
			{
				memcpy(
					scratch->changes[f] + r * TN_WAVE_TILE, scratch->patches[f] + place, TN_WAVE_TILE * sizeof(float));
				continue;
			}
			rows->bend(scratch->patches[f] + place, scratch->depths + place, tnPatchStride, TN_DRY_DEPTH, perCell,
				order, scratch->changes[f] + r * TN_WAVE_TILE, TN_WAVE_TILE);
		}
	}
}

// Twice as fine: both squares at the strides of changes and patches; the coarse one begins with what prolongation looks at.
static void tnProlongSquare(const tnTaking* taking, const float* coarse, int stride, float* line, float* out)
{
	for (int r = 0; r < TN_WAVE_TILE; ++r)
	{
		const int row = r / 2 + tnProlongReach;
		const float* rows[6];
		for (int q = 0; q < 6; ++q)
		{
			rows[q] = coarse + (r % 2 != 0 ? row + 3 - q : row - 3 + q) * stride;
		}
		taking->rows->prolongAcross(rows, line, TN_WAVE_TILE / 2 + 2 * tnProlongReach);
		taking->rows->prolongAlong(line, out + r * TN_WAVE_TILE, TN_WAVE_TILE / 2);
	}
}

// What a tile gets from the finest grid.
static void tnGetFinestChange(const tnTaking* taking, int factor, int column, int row, const tnHandoverScratch* scratch)
{
	enum
	{
		most = TN_WAVE_TILE / 2 + 2 * tnProlongReach,
		stride = most + TN_HANDOVER_SLACK,
	};
	const int margin = factor == 2 ? tnProlongReach : 0;
	const int size = TN_WAVE_TILE / factor + 2 * margin;
	const tnSquare square = {column - margin - 2, row - margin - 2, size + 4};
	// As it lies in the grid, or a copy that ends where water sleeps.
	const tnHandoverGrid* level = taking->handover->grids;
	const bool inPlace = tnIsAwake(taking, square);
	if (!inPlace)
	{
		tnCopyFinest(taking, square, scratch);
	}
	const ptrdiff_t corner = (ptrdiff_t)square.row * level->stride + square.column;
	const int valueStride = inPlace ? level->stride : tnPatchStride;
	const float* depths = (inPlace ? taking->handover->room + corner : scratch->depths) + 2 * valueStride + 2;
	float small[most * stride];
	for (int f = 0; f < tnFieldCount; ++f)
	{
		const float* values = (inPlace ? level->fields[f] + corner : scratch->patches[f]) + 2 * valueStride + 2;
		float* out = factor == 2 ? small : scratch->changes[f];
		const int outStride = factor == 2 ? stride : TN_WAVE_TILE;
		for (int r = 0; r < size; ++r)
		{
			const ptrdiff_t place = (ptrdiff_t)r * valueStride;
			if (f == 1)
			{
				memcpy(out + r * outStride, values + place, (size_t)size * sizeof(float));
				continue;
			}
			taking->rows->bend(
				values + place, depths + place, valueStride, 0.0f, 1.0f, 0.0f, out + r * outStride, size);
		}
		if (factor == 2)
		{
			tnProlongSquare(taking, small, stride, scratch->lines[0], scratch->changes[f]);
		}
	}
}

// What grid n gives to a tile. False if that is nothing.
static bool tnGetTileChange(const tnTaking* taking, int n, const tnWaveTile* tile, const tnHandoverScratch* scratch)
{
	const tnHandoverGrid* level = taking->handover->grids + n;
	const int factor = tnGetFactor(&taking->waves->pool, n);
	const int width = TN_WAVE_TILE / factor;
	const int column = tile->column * width;
	const int row = tile->row * width;
	if (column + width <= level->columnBegin || column >= level->columnEnd || row + width <= level->rowBegin ||
		row >= level->rowEnd)
	{
		return false;
	}
	const float perCell = n > 0 ? 1.0f / (float)(1 << (2 * (n - 1))) : 1.0f;
	const float limit = TN_LEAST_HEIGHT * taking->waves->def.restHeight;
	const int reach = tnSmoothReach + 1;
	const tnSquare square = {column - reach, row - reach, width + 2 * reach};
	if (!(TN_MOST_BEND * perCell * tnGetLargestPotential(taking, n, square) > limit))
	{
		return false;
	}
	if (n == 0)
	{
		tnGetFinestChange(taking, factor, column, row, scratch);
	}
	else
	{
		tnGetCoarseChange(taking, n, column, row, scratch);
	}
	const float pull = TN_MOST_PULL * taking->waves->gravity / taking->waves->pool.cellSize[tile->level];
	return !tile->rests || taking->rows->getLargest(scratch->changes[0], tnTileFloats) > limit ||
		taking->potentialScale * pull * taking->rows->getLargest(scratch->changes[1], tnTileFloats) > limit;
}

static void tnOfferTile(int item, int workerIndex, void* context)
{
	const tnTaking* taking = context;
	const tnWavePool* pool = &taking->waves->pool;
	const tnHandoverScratch* scratch = taking->handover->scratch + workerIndex;
	tnWaveTile* tile = pool->tiles + pool->order[item];
	tile->offered = false;
	for (int n = taking->firstBand; n < taking->bandCount && !tile->retiring; ++n)
	{
		if (tile->level != tnGetFedLevel(pool, n) || !tnGetTileChange(taking, n, tile, scratch))
		{
			continue;
		}
		const bool masked = tile->varied && tile->fields[tn_waveMask] != NULL;
		for (int r = 0; r < TN_WAVE_TILE; ++r)
		{
			const ptrdiff_t at = (ptrdiff_t)r * TN_WAVE_STRIDE;
			const float* mask = masked ? tile->fields[tn_waveMask] + at : NULL;
			taking->rows->offer(tile->fields[tn_waveOfferedHeight] + at, mask, 1.0f,
				scratch->changes[0] + r * TN_WAVE_TILE, TN_WAVE_TILE);
			taking->rows->offer(tile->fields[tn_waveOfferedPotential] + at, mask, -taking->potentialScale,
				scratch->changes[1] + r * TN_WAVE_TILE, TN_WAVE_TILE);
		}
		tile->offered = true;
	}
}

void tnOfferToLayer(tnTaking* taking, tnParallel* parallel)
{
	tnParallelFor(parallel, taking->waves->pool.count, tnOfferTile, taking);
}
