// SPDX-License-Identifier: MIT

// What of the flow is short: (1 - U R)^m of each grid, with R and U restriction and prolongation of wave_filter.c.
//
// Powers of 1 - U R are taken one by one, in place: b -= U (R b), where R b lies in the spares of the next grid. The first
// R is that which makes the next grid anyway.

#include "wave_handover_parts.h"

#include <math.h>
#include <string.h>

// Powers of 1 - U R where waves of the next grid are deep, and where they are not. Nothing is cut sharply on the finest grid.
#define TN_ROUNDS 2
#define TN_SHARP_ROUNDS 6

// How far restriction reaches: cells beside the two in the middle.
enum
{
	tnRestrictReach = 5,
};

// Fill the ends of a line of cells [first, last) of which [from, to) are known.
static void tnReflectEnds(float* line, int first, int last, int from, int to, int begin, int end)
{
	for (int i = first; i < from; ++i)
	{
		line[i - first] = line[tnClampInt(tnReflect(i, begin, end), from, to - 1) - first];
	}
	for (int i = to; i < last; ++i)
	{
		line[i - first] = line[tnClampInt(tnReflect(i, begin, end), from, to - 1) - first];
	}
}

// Cell c of a row of restricted values takes from fine cells 2c - 5 to 2c + 6.
static void tnCoarsenRow(const tnTaking* taking, const tnHandoverGrid* fine, const float* field, int row, tnRun run,
	float* out, float* const lines[])
{
	const int first = 2 * run.begin - tnRestrictReach;
	const int last = 2 * run.end + tnRestrictReach;
	const int from = tnMaxInt(first, fine->columnBegin);
	const int to = tnMinInt(last, fine->columnEnd);
	const float* above[6];
	const float* below[6];
	for (int q = 0; q < 6; ++q)
	{
		const int aboveRow = tnReflect(2 * row - 5 + 2 * q, fine->rowBegin, fine->rowEnd);
		const int belowRow = tnReflect(2 * row + 6 - 2 * q, fine->rowBegin, fine->rowEnd);
		above[q] = field + (ptrdiff_t)aboveRow * fine->stride + from;
		below[q] = field + (ptrdiff_t)belowRow * fine->stride + from;
	}
	taking->rows->restrictAcross(above, below, lines[0] + (from - first), to - from);
	tnReflectEnds(lines[0], first, last, from, to, fine->columnBegin, fine->columnEnd);
	taking->rows->restrictAlong(lines[0], lines[1], lines[2], out + run.begin, run.end - run.begin);
}

int tnRefineAcross(const tnTaking* taking, const tnHandoverGrid* coarse, const float* field, int fineRow, tnRun run,
	bool smooth, float* line)
{
	const int row = tnHalveDown(fineRow);
	const bool odd = fineRow != 2 * row;
	const int half = tnHalveDown(run.begin);
	const int count = tnHalveUp(run.end - run.begin);
	const int reach = smooth ? tnSmoothReach : tnProlongReach;
	const int first = half - reach;
	const int last = half + count + reach;
	const int from = tnClampInt(first, coarse->columnBegin, coarse->columnEnd - 1);
	const int to = tnClampInt(last, coarse->columnBegin + 1, coarse->columnEnd);
	const float* rows[2 * tnSmoothReach];
	for (int q = 0; q < 2 * reach; ++q)
	{
		const int at = odd ? row + reach - q : row - reach + q;
		rows[q] = field + (ptrdiff_t)tnReflect(at, coarse->rowBegin, coarse->rowEnd) * coarse->stride + from;
	}
	(smooth ? taking->rows->smoothAcross : taking->rows->prolongAcross)(rows, line + (from - first), to - from);
	tnReflectEnds(line, first, last, from, to, coarse->columnBegin, coarse->columnEnd);
	return count;
}

static void tnCoarsenRows(int item, int workerIndex, void* context)
{
	const tnTaking* taking = context;
	const int n = taking->n;
	const tnHandoverGrid* fine = taking->handover->grids + n;
	const tnHandoverGrid* coarse = fine + 1;
	float* const* lines = taking->handover->scratch[workerIndex].lines;
	float* const* target = taking->toSpares ? coarse->spares : coarse->fields;
	const tnRun rows = tnGetRows(coarse, item);
	for (int row = rows.begin; row < rows.end; ++row)
	{
		for (int f = 0; f < tnFieldCount; ++f)
		{
			float* out = tnGetRow(coarse, target[f], row);
			// Far from water that is awake there are the means, and then nothing.
			const float* mean = tnGetRow(coarse, coarse->spares[f], row);
			int done = coarse->columnBegin;
			tnRun run = {0, -1};
			while (tnNextRun(taking, n, 2 * row, 1, &run))
			{
				const tnRun half = {run.begin / 2, tnHalveUp(run.end)};
				for (; done < half.begin; ++done)
				{
					out[done] = taking->toSpares ? 0.0f : mean[done];
				}
				tnCoarsenRow(taking, fine, fine->fields[f], row, half, out, lines);
				done = half.end;
			}
			for (; done < coarse->columnEnd; ++done)
			{
				out[done] = taking->toSpares ? 0.0f : mean[done];
			}
		}
	}
}

void tnCoarsen(tnTaking* taking, tnParallel* parallel, int n, bool toSpares)
{
	taking->toSpares = toSpares;
	tnRunRows(taking, parallel, n, n + 1, tnCoarsenRows);
}

// Subtract what is long.
static void tnSharpenRows(int item, int workerIndex, void* context)
{
	const tnTaking* taking = context;
	const int n = taking->n;
	const tnHandoverGrid* fine = taking->handover->grids + n;
	const tnHandoverGrid* coarse = fine + 1;
	float* line = taking->handover->scratch[workerIndex].lines[0];
	float* const* source = taking->toSpares ? coarse->spares : coarse->fields;
	const tnRun rows = tnGetRows(fine, item);
	for (int row = rows.begin; row < rows.end; ++row)
	{
		const uint8_t* distance =
			taking->handover->distance + (n == 0 ? row / TN_TILE_SIZE * taking->grid->tileColumnCount : 0);
		for (int f = 0; f < tnFieldCount; ++f)
		{
			float* out = tnGetRow(fine, fine->fields[f], row);
			tnRun run = {0, -1};
			while (tnNextRun(taking, n, row, 1, &run))
			{
				const int begin = run.begin / 2 * 2;
				const int count = tnRefineAcross(taking, coarse, source[f], row, (tnRun){begin, run.end}, false, line);
				taking->rows->subtractAlong(line, out + begin, count);
			}
			// Around that nothing is short.
			for (int tile = 0; n == 0 && !taking->toSpares && tile < taking->grid->tileColumnCount; ++tile)
			{
				if (distance[tile] == 2)
				{
					const int begin = tile * TN_TILE_SIZE;
					const int end = tnMinInt(begin + TN_TILE_SIZE, fine->columnCount);
					memset(out + begin, 0, (size_t)(end - begin) * sizeof(float));
				}
			}
		}
	}
}

static void tnCopyRows(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnTaking* taking = context;
	const tnHandoverGrid* level = taking->handover->grids + taking->n;
	const tnRun rows = tnGetRows(level, item);
	const size_t count = (size_t)(rows.end - rows.begin) * (size_t)level->stride;
	for (int f = 0; f < tnFieldCount; ++f)
	{
		memcpy(tnGetRow(level, level->spares[f], rows.begin), tnGetRow(level, level->fields[f], rows.begin),
			count * sizeof(float));
	}
}

// Is there water in which waves of this grid are deep and those of the next are not?
static bool tnMustBeSharp(const tnTaking* taking, int n)
{
	const tnHandoverGrid* level = taking->handover->grids + n;
	const float low = level->cellSize * (1.0f / TN_SHALLOW_SIZE);
	const float high = n + 1 < taking->handover->bandCount ? 2.0f * level->cellSize * (1.0f / TN_DEEP_SIZE) : INFINITY;
	for (int row = level->rowBegin; row < level->rowEnd; ++row)
	{
		const float* depths = tnGetRow(level, level->depths, row) + level->columnBegin;
		if (taking->rows->hasBetween(depths, low, high, level->columnEnd - level->columnBegin))
		{
			return true;
		}
	}
	return false;
}

void tnSharpen(tnTaking* taking, tnParallel* parallel, int n)
{
	tnHandoverGrid* level = taking->handover->grids + n;
	level->isSharp = n > 0 && tnMustBeSharp(taking, n);
	const int rounds = level->isSharp ? TN_SHARP_ROUNDS : TN_ROUNDS;
	for (int round = 0; round < rounds; ++round)
	{
		if (round == TN_ROUNDS)
		{
			tnRunRows(taking, parallel, n, n, tnCopyRows);
		}
		if (round > 0)
		{
			tnCoarsen(taking, parallel, n, true);
		}
		taking->toSpares = round > 0;
		tnRunRows(taking, parallel, n, n, tnSharpenRows);
	}
}
