// SPDX-License-Identifier: MIT

// Coefficients of tiles.
//
// With varied depth the operator of a band must stay symmetric and positive, or energy grows where it should only be
// refracted: wave_kernels.inc has its form, and the argument. Fields are made of the kernel coefficients alpha .. delta by
// the depth of each cell. K slope, which does not change with the waves, is made here, once. Depth between the cells of the
// world is interpolated linearly, and so is the shore: a cell of a band may be wet in part.
//
// A cell that an abrupt step goes through gets the depth of the side that has more of it: the mean would be a step more. Beside a step
// alpha, gamma and delta do harm. They are there to make sines run right, and what is at a step is no
// sine: a long wave at a step from 4 to 1 has 0.27 of itself sent back instead of 1/3. Shallow cells beside a step have
// beta alone, right for waves of 6 cells: 0.32 to 0.33. Where depth changes by less than a fifth from cell to cell
// nothing is changed.

#include "wave_tile_fit.h"

#include "../core/core.h"
#include "wave_tile_dealer.h"

#include <math.h>
#include <string.h>

// Depth in cells from which on water is deep for all waves of a band: tanh(k H) is 1 to 1e-4 for the longest, 12 cells.
#define TN_DEEP_CELLS 10.0f

// A step: the lower of two depths beside each other, as a share of the higher one, from which on it is one, and at which
// it is in full.
#define TN_STEP_BEGIN 0.8f
#define TN_STEP_FULL 0.5f
// The higher one, in cells, below which it is shallow for all waves of a band, and from which on it is not for any.
#define TN_STEP_SHALLOW 0.5f
#define TN_STEP_DEEP 1.0f

// Of a cell that a step goes through: the share that the deeper side must have to get it. Not a half: where a cell is cut in the
// middle, rounding should not say which side it is.
#define TN_STEP_SHARE 0.45f
// How much of a step is none where the ground falls on beside it: all of it if half as much goes on falling.
#define TN_STEP_SLOPE 2.0f

// Depths that differ by less than this share are the same.
#define TN_SAME_DEPTH 1.0e-3f

typedef struct tnFitSource
{
	const tnWaveBedLevel* bed;
	int finer; // cells of the tile's level per cell of the bed, as a power of two
	// What lies beyond each side: more of the same, the other side, or a wall.
	bool open[tn_sideCount];
	bool wrapX, wrapZ;
} tnFitSource;

// A column or row of the bed, -1 for a wall.
static int tnClipToBed(int index, int count, bool openBefore, bool openAfter, bool wraps)
{
	if (index >= 0 && index < count)
	{
		return index;
	}
	if (wraps)
	{
		const int rest = index % count;
		return rest < 0 ? rest + count : rest;
	}
	if (index < 0)
	{
		return openBefore ? 0 : -1;
	}
	return openAfter ? count - 1 : -1;
}

// Two cells of the bed that a cell lies between, and the share of the second.
typedef struct tnBetween
{
	int first, second; // -1: a wall
	float share;
} tnBetween;

static tnBetween tnGetBetween(int cell, int finer, int count, bool openBefore, bool openAfter, bool wraps)
{
	if (finer == 0)
	{
		const int index = tnClipToBed(cell, count, openBefore, openAfter, wraps);
		return (tnBetween){index, index, 0.0f};
	}
	// Centre of the cell in cells of the bed, from the centre of cell 0.
	const int perCell = 1 << finer;
	const int twice = 2 * cell + 1 - perCell;
	const int first = (twice >= 0 ? twice : twice - 2 * perCell + 1) / (2 * perCell);
	const float share = (float)(twice - first * 2 * perCell) / (float)(2 * perCell);
	// A wall is at the edge, not at the centre of the first cell: beyond the last centre the last cell has all the say.
	int a = tnClipToBed(first, count, openBefore, openAfter, wraps);
	int b = tnClipToBed(first + 1, count, openBefore, openAfter, wraps);
	const bool outside = (cell < 0 || cell >= count * perCell) && !wraps;
	if (!outside)
	{
		a = a < 0 ? b : a;
		b = b < 0 ? a : b;
	}
	else if (a < 0 || b < 0)
	{
		a = b = -1;
	}
	return (tnBetween){a, b, share};
}

// A value of the bed, weighted by wet shares where `weigh`.
static float tnReadBed(const tnWaveBedLevel* bed, const float* field, tnBetween x, tnBetween z, bool weigh)
{
	if (x.first < 0 || z.first < 0)
	{
		return 0.0f;
	}
	if (x.first == x.second && z.first == z.second)
	{
		return field[(ptrdiff_t)z.first * bed->columnCount + x.first];
	}
	const ptrdiff_t rows[2] = {(ptrdiff_t)z.first * bed->columnCount, (ptrdiff_t)z.second * bed->columnCount};
	const float sharesX[2] = {1.0f - x.share, x.share};
	const float sharesZ[2] = {1.0f - z.share, z.share};
	const ptrdiff_t cells[4] = {rows[0] + x.first, rows[0] + x.second, rows[1] + x.first, rows[1] + x.second};
	float shares[4];
	for (int i = 0; i < 4; ++i)
	{
		shares[i] = sharesX[i % 2] * sharesZ[i / 2] * (weigh ? bed->wet[cells[i]] : 1.0f);
	}
	const float sum = (shares[0] * field[cells[0]] + shares[3] * field[cells[3]]) +
		(shares[1] * field[cells[1]] + shares[2] * field[cells[2]]);
	if (!weigh)
	{
		return sum;
	}
	const float weight = (shares[0] + shares[3]) + (shares[1] + shares[2]);
	return weight > 0.0f ? sum / weight : 0.0f;
}

// Columns of the bed for those of a tile and its halo.
typedef struct tnFitColumns
{
	tnBetween between[TN_WAVE_TILE + 2 * TN_WAVE_HALO];
	// Those that lie in the bed, each on a column of its own: the first of them is `column`.
	int begin, end, column;
} tnFitColumns;

static void tnFindColumns(const tnFitSource* source, const tnWaveTile* tile, tnFitColumns* columns)
{
	const int count = TN_WAVE_TILE + 2 * TN_WAVE_HALO;
	const int first = tile->column * TN_WAVE_TILE - TN_WAVE_HALO;
	const int bedCount = source->bed->columnCount;
	for (int i = 0; i < count; ++i)
	{
		columns->between[i] = tnGetBetween(
			first + i, source->finer, bedCount, source->open[tn_west], source->open[tn_east], source->wrapX);
	}
	columns->begin = tnClampInt(-first, 0, count);
	columns->end = source->finer == 0 ? tnClampInt(bedCount - first, columns->begin, count) : columns->begin;
	columns->column = first + columns->begin;
}

static tnBetween tnFindRow(const tnFitSource* source, const tnWaveTile* tile, int row)
{
	return tnGetBetween(tile->row * TN_WAVE_TILE + row, source->finer, source->bed->rowCount, source->open[tn_north],
		source->open[tn_south], source->wrapZ);
}

// Values of the bed for a row of a tile and its halo: `out` is for the first cell of the halo.
static void tnReadBedRow(
	const tnWaveBedLevel* bed, const float* field, const tnFitColumns* columns, tnBetween z, bool weigh, float* out)
{
	for (int i = 0; i < columns->begin; ++i)
	{
		out[i] = tnReadBed(bed, field, columns->between[i], z, weigh);
	}
	const int count = columns->end - columns->begin;
	if (count > 0 && z.first >= 0)
	{
		const float* first = field + (ptrdiff_t)z.first * bed->columnCount + columns->column;
		memcpy(out + columns->begin, first, (size_t)count * sizeof(float));
	}
	else if (count > 0)
	{
		memset(out + columns->begin, 0, (size_t)count * sizeof(float));
	}
	for (int i = columns->end; i < TN_WAVE_TILE + 2 * TN_WAVE_HALO; ++i)
	{
		out[i] = tnReadBed(bed, field, columns->between[i], z, weigh);
	}
}

static tnFitSource tnMakeSource(const tnWaveFitting* fitting, const tnWaveTile* tile)
{
	const tnWavePool* pool = fitting->pool;
	const int coarser = tile->level - pool->finerLevels;
	tnFitSource source = {0};
	source.bed = fitting->bed->levels + (coarser > 0 ? coarser : 0);
	source.finer = coarser < 0 ? -coarser : 0;
	source.wrapX = pool->wrapX[tile->level];
	source.wrapZ = pool->wrapZ[tile->level];
	for (int side = 0; side < tn_sideCount; ++side)
	{
		source.open[side] = fitting->edges[side] != tn_wallEdge;
	}
	return source;
}

// ---------------------------------------------------------------------------------------------------------------------
// Depth and walls

// S of wave_kernels.h: the weighted sum of the neighbours of a cell.
static float tnSumAround(const float* field, ptrdiff_t at)
{
	const float edges = (field[at - 1] + field[at + 1]) + (field[at - TN_WAVE_STRIDE] + field[at + TN_WAVE_STRIDE]);
	const float corners = (field[at - TN_WAVE_STRIDE - 1] + field[at + TN_WAVE_STRIDE + 1]) +
		(field[at - TN_WAVE_STRIDE + 1] + field[at + TN_WAVE_STRIDE - 1]);
	return (4.0f * edges + corners) * (1.0f / 6.0f);
}

// How much of a step a cell is beside, in [0, 1]. Walls are none.
static float tnGetStep(const float* depths, const float* mask, ptrdiff_t at, float cellSize)
{
	float low = depths[at], high = depths[at];
	for (int row = -1; row <= 1; ++row)
	{
		for (int column = -1; column <= 1; ++column)
		{
			const ptrdiff_t other = at + (ptrdiff_t)row * TN_WAVE_STRIDE + column;
			const bool wet = mask[other] > 0.0f;
			low = wet ? tnMinFloat(low, depths[other]) : low;
			high = wet ? tnMaxFloat(high, depths[other]) : high;
		}
	}
	const float step = tnClampFloat((TN_STEP_BEGIN * high - low) / ((TN_STEP_BEGIN - TN_STEP_FULL) * high), 0.0f, 1.0f);
	const float shallow = (TN_STEP_DEEP * cellSize - high) / ((TN_STEP_DEEP - TN_STEP_SHALLOW) * cellSize);
	return step * tnClampFloat(shallow, 0.0f, 1.0f);
}

static tnWaveCoefficients tnGetCoefficients(
	const tnWaveTable* table, const float* depths, const float* mask, ptrdiff_t at, float cellSize)
{
	const tnWaveCoefficients kernel = tnWaveTable_Get(table, depths[at]);
	if (!(mask[at] > 0.0f) || depths[at] >= TN_STEP_DEEP * cellSize)
	{
		return kernel;
	}
	const float step = tnGetStep(depths, mask, at, cellSize);
	if (step == 0.0f)
	{
		return kernel;
	}
	// K is 1 for waves of 6 cells. No more than some depth has: in long time steps it would not be stable.
	const float alone = tnMinFloat((kernel.alpha + kernel.beta) + (kernel.gamma + kernel.delta), table->mostBeta);
	return (tnWaveCoefficients){
		(1.0f - step) * kernel.alpha,
		kernel.beta + step * (alone - kernel.beta),
		(1.0f - step) * kernel.gamma,
		(1.0f - step) * kernel.delta,
	};
}

enum
{
	// Cells of a row of a tile and its reach.
	TN_REACH_CELLS = TN_WAVE_TILE + 2 * TN_WAVE_REACH,
};

// K of a field, mask (value S(mask) - S(mask value)), for a row of a tile and its reach.
// @param masked mask times values; @param around S(mask); all but this from cell (0, 0) on
static void tnGetBends(const float* restrict mask, const float* restrict masked, const float* restrict values,
	const float* restrict around, ptrdiff_t first, float* restrict bends)
{
	for (int i = 0; i < TN_REACH_CELLS; ++i)
	{
		const ptrdiff_t at = first + i;
		bends[i] = mask[at] * (values[at] * around[i] - tnSumAround(masked, at));
	}
}

// How far a cell that an abrupt step goes through is moved to the depth of one side: the depth that it is missing or has too much,
// and `size`, how large the step is. A mean of both sides makes two small steps of one, with a cell between them, and they
// reflect too little. The side that has more of the cell gets it, so the step lies half a cell off at most. Nothing is moved on
// slopes, where the ground goes on falling on both sides of the cell.
static float tnSharpenAlong(const float* depths, const float* mask, ptrdiff_t at, ptrdiff_t way, float* size)
{
	const float a = depths[at - way];
	const float b = depths[at + way];
	const float d = depths[at];
	*size = tnAbsFloat(a - b);
	const bool wet = mask[at - 2 * way] > 0.0f && mask[at - way] > 0.0f && mask[at] > 0.0f && mask[at + way] > 0.0f &&
		mask[at + 2 * way] > 0.0f;
	const float low = tnMinFloat(a, b);
	const float high = tnMaxFloat(a, b);
	if (!wet || !(low < TN_STEP_BEGIN * high && d > low && d < high))
	{
		return 0.0f;
	}
	const float falls = tnAbsFloat(a - depths[at - 2 * way]) + tnAbsFloat(b - depths[at + 2 * way]);
	const float flat = tnClampFloat(1.0f - TN_STEP_SLOPE * falls / *size, 0.0f, 1.0f);
	const float step = tnClampFloat((TN_STEP_BEGIN * high - low) / ((TN_STEP_BEGIN - TN_STEP_FULL) * high), 0.0f, 1.0f);
	return flat * step * ((d - low >= TN_STEP_SHARE * (high - low) ? high : low) - d);
}

// Depth of a cell as waves of its band see it.
static float tnSharpen(const float* depths, const float* mask, ptrdiff_t at)
{
	float sizeX, sizeZ;
	const float alongX = tnSharpenAlong(depths, mask, at, 1, &sizeX);
	const float alongZ = tnSharpenAlong(depths, mask, at, TN_WAVE_STRIDE, &sizeZ);
	const float moved = sizeX > sizeZ ? alongX : (sizeZ > sizeX ? alongZ : 0.5f * (alongX + alongZ));
	return depths[at] + moved;
}

// What does not depend on the time step.
static void tnFillBed(const tnWaveFitting* fitting, tnWaveTile* tile, const float* depths, const float* mask)
{
	const float steepest = TN_WAVE_STEEPEST / tnGetTypicalWaveNumber(fitting->pool->cellSize[tile->level]);
	const float limit = fitting->def->breakingLimit;
	tile->lowestLimit = limit * steepest;
	for (int row = -TN_WAVE_DEPTH_HALO; row < TN_WAVE_TILE + TN_WAVE_DEPTH_HALO; ++row)
	{
		for (int column = -TN_WAVE_DEPTH_HALO; column < TN_WAVE_TILE + TN_WAVE_DEPTH_HALO; ++column)
		{
			const ptrdiff_t at = (ptrdiff_t)row * TN_WAVE_STRIDE + column;
			tile->fields[tn_waveDepth][at] = tnSharpen(depths, mask, at);
		}
	}
	for (int row = 0; row < TN_WAVE_TILE && tile->fields[tn_waveLimit] != NULL; ++row)
	{
		for (int column = 0; column < TN_WAVE_TILE; ++column)
		{
			const ptrdiff_t at = (ptrdiff_t)row * TN_WAVE_STRIDE + column;
			const float highest = limit * tnMinFloat(steepest, TN_WAVE_SHALLOWEST * depths[at]);
			tile->fields[tn_waveLimit][at] = highest;
			tile->lowestLimit = mask[at] > 0.0f ? tnMinFloat(tile->lowestLimit, highest) : tile->lowestLimit;
		}
	}
	for (int row = -TN_WAVE_HALO; row < TN_WAVE_TILE + TN_WAVE_HALO; ++row)
	{
		const ptrdiff_t at = (ptrdiff_t)row * TN_WAVE_STRIDE - TN_WAVE_HALO;
		memcpy(tile->fields[tn_waveMask] + at, mask + at, (TN_WAVE_TILE + 2 * TN_WAVE_HALO) * sizeof(float));
	}
	for (int row = -TN_WAVE_REACH; row < TN_WAVE_TILE + TN_WAVE_REACH; ++row)
	{
		const ptrdiff_t first = (ptrdiff_t)row * TN_WAVE_STRIDE - TN_WAVE_REACH;
		for (int i = 0; i < TN_REACH_CELLS; ++i)
		{
			tile->fields[tn_waveMaskSum][first + i] = tnSumAround(mask, first + i);
		}
	}
}

void tnWaveTile_FitStep(const tnWaveFitting* fitting, tnWaveTile* tile, float* scratch)
{
	const float cellSize = fitting->pool->cellSize[tile->level];
	const float factor = fitting->timeStep * fitting->gravity / cellSize;
	const tnWaveTable* table = fitting->table;
	const bool fine = tile->fields[tn_waveTwist] != NULL;
	const float* depths = tile->fields[tn_waveDepth];
	const float* mask = tile->fields[tn_waveMask];
	// Wider than those of the tile.
	float* slopes = scratch + (ptrdiff_t)TN_WAVE_HALO * TN_WAVE_STRIDE + TN_WAVE_PAD;

	for (int row = -TN_WAVE_FIT_HALO; row < TN_WAVE_TILE + TN_WAVE_FIT_HALO; ++row)
	{
		for (int column = -TN_WAVE_FIT_HALO; column < TN_WAVE_TILE + TN_WAVE_FIT_HALO; ++column)
		{
			const ptrdiff_t at = (ptrdiff_t)row * TN_WAVE_STRIDE + column;
			const tnWaveCoefficients kernel = tnGetCoefficients(table, depths, mask, at, cellSize);
			slopes[at] = 0.5f * factor * kernel.beta;
			const bool inReach = row >= -TN_WAVE_REACH && row < TN_WAVE_TILE + TN_WAVE_REACH &&
				column >= -TN_WAVE_REACH && column < TN_WAVE_TILE + TN_WAVE_REACH;
			if (inReach)
			{
				tile->fields[tn_waveRest][at] = factor * kernel.alpha;
				tile->fields[tn_waveSlope][at] = slopes[at];
				tile->fields[tn_waveBend][at] = factor * kernel.gamma;
				if (fine)
				{
					// Both are zero where there is no water.
					const bool twists = kernel.beta > 0.0f && kernel.delta > 0.0f;
					const float both = twists ? 2.0f * sqrtf(kernel.beta * kernel.delta) : 0.0f;
					tile->fields[tn_waveTwist][at] = twists ? sqrtf(kernel.delta / kernel.beta) : 0.0f;
					tile->fields[tn_waveBend][at] = factor * (kernel.gamma + both);
				}
			}
		}
	}

	// K slope = mask (slope S(mask) - S(mask slope)).
	for (int row = -TN_WAVE_REACH - 1; row < TN_WAVE_TILE + TN_WAVE_REACH + 1; ++row)
	{
		for (int column = -TN_WAVE_REACH - 1; column < TN_WAVE_TILE + TN_WAVE_REACH + 1; ++column)
		{
			const ptrdiff_t at = (ptrdiff_t)row * TN_WAVE_STRIDE + column;
			slopes[at] *= mask[at];
		}
	}
	for (int row = -TN_WAVE_REACH; row < TN_WAVE_TILE + TN_WAVE_REACH; ++row)
	{
		const ptrdiff_t first = (ptrdiff_t)row * TN_WAVE_STRIDE - TN_WAVE_REACH;
		const float* around = tile->fields[tn_waveMaskSum] + first;
		float* rest = tile->fields[tn_waveRest] + first;
		float bends[TN_REACH_CELLS];
		tnGetBends(mask, slopes, tile->fields[tn_waveSlope], around, first, bends);
		float* slopeRest = fine ? tile->fields[tn_waveSlopeRest] + first : NULL;
		for (int i = 0; i < TN_REACH_CELLS; ++i)
		{
			if (fine)
			{
				slopeRest[i] = -bends[i];
			}
			else
			{
				rest[i] -= bends[i];
			}
		}
	}
}

static float tnGetDriftLimit(const tnWaveFitting* fitting, int level)
{
	return TN_WAVE_DRIFT_PARTS * TN_WAVE_DRIFT_CELLS * fitting->pool->cellSize[level] / fitting->timeStep;
}

static void tnFillDrift(
	const tnWaveFitting* fitting, const tnFitSource* source, const tnFitColumns* columns, tnWaveTile* tile)
{
	tile->drifts = false;
	tile->fastest = 0.0f;
	tile->current = 0.0f;
	tile->driftLimit = 0.0f;
	if (!fitting->def->enableDrift || source->bed->velocityX == NULL)
	{
		return;
	}
	const float limit = tnGetDriftLimit(fitting, tile->level);
	float current = 0.0f;
	float fastest = 0.0f;
	for (int row = -TN_WAVE_HALO; row < TN_WAVE_TILE + TN_WAVE_HALO; ++row)
	{
		const tnBetween z = tnFindRow(source, tile, row);
		const ptrdiff_t first = (ptrdiff_t)row * TN_WAVE_STRIDE - TN_WAVE_HALO;
		float* driftX = tile->fields[tn_waveDriftX] + first;
		float* driftZ = tile->fields[tn_waveDriftZ] + first;
		tnReadBedRow(source->bed, source->bed->velocityX, columns, z, true, driftX);
		tnReadBedRow(source->bed, source->bed->velocityZ, columns, z, true, driftZ);
		for (int i = 0; i < TN_WAVE_TILE + 2 * TN_WAVE_HALO; ++i)
		{
			current = tnMaxFloat(current, tnMaxFloat(tnAbsFloat(driftX[i]), tnAbsFloat(driftZ[i])));
			driftX[i] = tnClampFloat(driftX[i], -limit, limit);
			driftZ[i] = tnClampFloat(driftZ[i], -limit, limit);
			fastest = tnMaxFloat(fastest, tnMaxFloat(tnAbsFloat(driftX[i]), tnAbsFloat(driftZ[i])));
		}
	}
	// A millimeter a second is no current.
	tile->drifts = fastest > 1.0e-3f;
	tile->fastest = fastest;
	tile->current = current;
	tile->driftLimit = limit;
}

bool tnWaveTile_MustFitDrift(const tnWaveFitting* fitting, const tnWaveTile* tile)
{
	// What is slower than both limits is the same for both.
	const float limit = tnGetDriftLimit(fitting, tile->level);
	return limit != tile->driftLimit && tile->current > tnMinFloat(limit, tile->driftLimit);
}

void tnWaveTile_FitDrift(const tnWaveFitting* fitting, tnWaveTile* tile)
{
	const tnFitSource source = tnMakeSource(fitting, tile);
	tnFitColumns columns;
	tnFindColumns(&source, tile, &columns);
	tnFillDrift(fitting, &source, &columns, tile);
}

void tnWaveTile_Fit(const tnWaveFitting* fitting, tnWaveTile* tile, float* scratch)
{
	const tnFitSource source = tnMakeSource(fitting, tile);
	const float cellSize = fitting->pool->cellSize[tile->level];
	const ptrdiff_t corner = (ptrdiff_t)TN_WAVE_HALO * TN_WAVE_STRIDE + TN_WAVE_PAD;
	float* depths = scratch + corner;
	float* mask = scratch + TN_WAVE_FIELD + corner;

	float lowest = TN_MAX_LENGTH;
	float highest = 0.0f;
	bool walls = false;
	double wetSum = 0.0;
	double depthSum = 0.0;
	tnFitColumns columns;
	tnFindColumns(&source, tile, &columns);
	for (int row = -TN_WAVE_HALO; row < TN_WAVE_TILE + TN_WAVE_HALO; ++row)
	{
		const tnBetween z = tnFindRow(&source, tile, row);
		const ptrdiff_t first = (ptrdiff_t)row * TN_WAVE_STRIDE - TN_WAVE_HALO;
		tnReadBedRow(source.bed, source.bed->depth, &columns, z, true, depths + first);
		tnReadBedRow(source.bed, source.bed->wet, &columns, z, false, mask + first);
		for (ptrdiff_t at = first; at < first + TN_WAVE_TILE + 2 * TN_WAVE_HALO; ++at)
		{
			lowest = tnMinFloat(lowest, depths[at]);
			highest = tnMaxFloat(highest, depths[at]);
			walls = walls || mask[at] != 1.0f;
			wetSum += mask[at];
			depthSum += (double)mask[at] * depths[at];
		}
	}

	const bool deep = lowest > TN_DEEP_CELLS * cellSize;
	tile->varied = walls || !(deep || highest - lowest <= TN_SAME_DEPTH * lowest);
	tile->depth = lowest;
	tile->lowestLimit = fitting->def->breakingLimit *
		tnMinFloat(TN_WAVE_STEEPEST / tnGetTypicalWaveNumber(cellSize), TN_WAVE_SHALLOWEST * lowest);
	if (tile->varied)
	{
		tile->depth = wetSum > 0.0 ? (float)(depthSum / wetSum) : 0.0f;
		tnFillBed(fitting, tile, depths, mask);
	}
	tnFillDrift(fitting, &source, &columns, tile);
	tile->fresh = false;
}

// ---------------------------------------------------------------------------------------------------------------------
// Where a band ends

float tnGetWaveEdgeFade(const tnWavePool* pool, const tnEdgeKind* edges, unsigned sides, int level, int column, int row)
{
	const int columns = pool->columnCount[level];
	const int rows = pool->rowCount[level];
	const int gaps[tn_sideCount] = {column, columns - 1 - column, row, rows - 1 - row};
	float fade = 0.0f;
	for (int side = 0; side < tn_sideCount; ++side)
	{
		const bool alongX = side == tn_west || side == tn_east;
		const tnEdgeKind kind = edges[side];
		if ((sides >> side & 1) == 0 || kind == tn_wallEdge ||
			(kind == tn_wrapEdge && (alongX ? pool->wrapX[level] : pool->wrapZ[level])))
		{
			continue;
		}
		// Not more than a sixth of the world: long waves are better reflected a little than not there at all.
		const float width = (float)tnClampInt((alongX ? columns : rows) / 6, 4, TN_WAVE_FADE_CELLS);
		fade = tnMaxFloat(fade, 1.0f - ((float)gaps[side] + 0.5f) / width);
	}
	return tnMinFloat(fade, 1.0f);
}

void tnWaveTile_FitWindow(const tnWaveFitting* fitting, tnWaveTile* tile)
{
	const tnWavePool* pool = fitting->pool;
	bool ends[9] = {false};
	for (int k = 0; k < 9; ++k)
	{
		const int slot = tile->neighbours[k];
		const int column = tile->column + k % 3 - 1;
		const int row = tile->row + k / 3 - 1;
		// Where there is no water there is nothing to go on.
		ends[k] = k != 4 && (slot < 0 || pool->tiles[slot].retiring) && column >= 0 && row >= 0 &&
			column * TN_WAVE_TILE < pool->columnCount[tile->level] &&
			row * TN_WAVE_TILE < pool->rowCount[tile->level] &&
			tnIsWaveTileWet(pool, fitting->bed, tile->level, column, row);
	}

	float* window = tile->fields[tn_waveWindow];
	tile->windows = false;
	for (int row = 0; row < TN_WAVE_TILE; ++row)
	{
		for (int column = 0; column < TN_WAVE_TILE; ++column)
		{
			float fade = tnGetWaveEdgeFade(pool, fitting->edges, ~0u, tile->level, tile->column * TN_WAVE_TILE + column,
				tile->row * TN_WAVE_TILE + row);
			for (int k = 0; k < 9; ++k)
			{
				if (!ends[k])
				{
					continue;
				}
				const float gapsX[3] = {(float)column + 0.5f, 0.0f, (float)(TN_WAVE_TILE - column) - 0.5f};
				const float gapsZ[3] = {(float)row + 0.5f, 0.0f, (float)(TN_WAVE_TILE - row) - 0.5f};
				const float x = gapsX[k % 3];
				const float z = gapsZ[k / 3];
				fade = tnMaxFloat(fade, 1.0f - sqrtf(x * x + z * z) * (1.0f / TN_WAVE_FADE_CELLS));
			}
			window[row * TN_WAVE_STRIDE + column] = 1.0f - fade;
			tile->windows = tile->windows || fade > 0.0f;
		}
	}
}
