// SPDX-License-Identifier: MIT

// What of the flow is short: coarser grids, and B_n on each, as wave_handover.c says.
//
// Each operator is its own transpose, or has it, to the last tap: beyond the edges of the world is its mirror image, where two
// grids both end with it, and beyond the part that is in use are zeros.

#include "wave_handover_parts.h"

#include <math.h>
#include <string.h>

// So often H on either side of the weights where waves of the next grid are not deep. Nothing is cut sharply on the finest grid.
#define TN_MORE_ROUNDS 2

// How far V^T reaches: cells beside the two in the middle.
enum
{
	tnGatherReach = 7,
};

// Where a cell beyond the part in use has its value from: where the part ends with the world, from its mirror image. Negative:
// it has none.
static int tnMirror(int cell, int begin, int end, int count, bool mirrorsHigh)
{
	// In tiny worlds from one mirror to the other.
	while (cell < begin || cell >= end)
	{
		if (cell < begin && begin == 0)
		{
			cell = -1 - cell;
		}
		else if (cell >= end && end == count && mirrorsHigh)
		{
			cell = 2 * count - 1 - cell;
		}
		else
		{
			return -1;
		}
	}
	return cell;
}

// Which grid's columns and rows: of two that follow each other the finer says whether both end with the world.
static int tnMirrorColumn(const tnHandoverGrid* level, const tnHandoverGrid* finer, int column)
{
	return tnMirror(column, level->columnBegin, level->columnEnd, level->columnCount, finer->mirrorsColumns);
}

static int tnMirrorRow(const tnHandoverGrid* level, const tnHandoverGrid* finer, int row)
{
	return tnMirror(row, level->rowBegin, level->rowEnd, level->rowCount, finer->mirrorsRows);
}

// Fill the ends of a line of cells [first, last) of which [from, to) are known.
static void tnExtendEnds(
	const tnHandoverGrid* level, const tnHandoverGrid* finer, float* line, tnRun wanted, tnRun known)
{
	for (int i = wanted.begin; i < wanted.end; ++i)
	{
		if (i == known.begin)
		{
			i = known.end;
			if (i >= wanted.end)
			{
				break;
			}
		}
		const int from = tnMirrorColumn(level, finer, i);
		line[i - wanted.begin] = from >= known.begin && from < known.end ? line[from - wanted.begin] : 0.0f;
	}
}

// A row from a column on, or zeros.
static const float* tnGetRowOrZeros(const tnTaking* taking, const tnHandoverGrid* level, const tnHandoverGrid* finer,
	const float* field, int row, int column)
{
	const int at = tnMirrorRow(level, finer, row);
	return at >= 0 ? field + (ptrdiff_t)at * level->stride + column : taking->handover->zeros;
}

// Cell c of a row takes from fine cells 2c - 7 to 2c + 8.
static void tnCoarsenRow(const tnTaking* taking, const tnHandoverGrid* fine, const float* field, int row, tnRun run,
	float* out, float* const lines[])
{
	const int reach = tnGatherReach;
	const int first = 2 * run.begin - reach;
	const int last = 2 * run.end + reach;
	const int from = tnClampInt(first, fine->columnBegin, fine->columnEnd - 1);
	const int to = tnClampInt(last, from + 1, fine->columnEnd);
	const float* above[tnGatherReach + 1];
	const float* below[tnGatherReach + 1];
	for (int q = 0; q <= reach; ++q)
	{
		above[q] = tnGetRowOrZeros(taking, fine, fine, field, 2 * row - reach + 2 * q, from);
		below[q] = tnGetRowOrZeros(taking, fine, fine, field, 2 * row + reach + 1 - 2 * q, from);
	}
	taking->rows->gatherAcross(above, below, lines[0] + (from - first), to - from);
	tnExtendEnds(fine, fine, lines[0], (tnRun){first, last}, (tnRun){from, to});
	taking->rows->gatherAlong(lines[0], lines[1], lines[2], out + run.begin, run.end - run.begin);
}

int tnRefineAcross(
	const tnTaking* taking, const tnHandoverGrid* coarse, const float* field, int fineRow, tnRun run, float* line)
{
	const int row = tnHalveDown(fineRow);
	const bool odd = fineRow != 2 * row;
	const int half = tnHalveDown(run.begin);
	const int count = tnHalveUp(run.end - run.begin);
	const int reach = tnSmoothReach;
	const int first = half - reach;
	const int last = half + count + reach;
	// Far beyond the world or the part in use there is nothing, or nothing that is looked at.
	if (last <= coarse->columnBegin || first >= coarse->columnEnd)
	{
		memset(line, 0, (size_t)(last - first) * sizeof(float));
		return count;
	}
	const int from = tnMaxInt(first, coarse->columnBegin);
	const int to = tnMinInt(last, coarse->columnEnd);
	const float* rows[2 * tnSmoothReach];
	for (int q = 0; q < 2 * reach; ++q)
	{
		rows[q] = tnGetRowOrZeros(taking, coarse, coarse - 1, field, odd ? row + reach - q : row - reach + q, from);
	}
	taking->rows->smoothAcross(rows, line + (from - first), to - from);
	tnExtendEnds(coarse, coarse - 1, line, (tnRun){first, last}, (tnRun){from, to});
	return count;
}

static void tnCoarsenRows(int item, int workerIndex, void* context)
{
	const tnTaking* taking = context;
	const int n = taking->n;
	const tnHandoverGrid* fine = taking->handover->grids + n;
	const tnHandoverGrid* coarse = fine + 1;
	float* const* lines = taking->handover->scratch[workerIndex].lines;
	float* const* source = n > 0 ? fine->spares : fine->fields;
	const tnRun rows = tnGetRows(coarse, item);
	for (int row = rows.begin; row < rows.end; ++row)
	{
		for (int f = 0; f < tnFieldCount; ++f)
		{
			float* out = tnGetRow(coarse, coarse->fields[f], row);
			// Far from water that is awake there is nothing.
			memset(out + coarse->columnBegin, 0, (size_t)(coarse->columnEnd - coarse->columnBegin) * sizeof(float));
			if (2 * row < fine->rowBegin - 2 * tnGatherReach || 2 * row > fine->rowEnd + 2 * tnGatherReach)
			{
				continue;
			}
			const int nearest = tnClampInt(2 * row, fine->rowBegin, fine->rowEnd - 1);
			tnRun run = {0, -1};
			while (tnNextRun(taking, n, nearest, 1, &run))
			{
				tnRun half = {run.begin / 2, tnHalveUp(run.end)};
				if (n > 0)
				{
					half = (tnRun){coarse->columnBegin, coarse->columnEnd};
				}
				tnCoarsenRow(taking, fine, source[f], row, half, out, lines);
			}
		}
	}
}

// What the next grid has is gathered where that water is deep.
static void tnDeepenRows(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnTaking* taking = context;
	const tnHandoverGrid* level = taking->handover->grids + taking->n;
	const tnRun rows = tnGetRows(level, item);
	const int count = level->columnEnd - level->columnBegin;
	for (int row = rows.begin; row < rows.end; ++row)
	{
		const float* depths = tnGetRow(level, level->depths, row) + level->columnBegin;
		for (int f = 0; f < tnFieldCount; ++f)
		{
			float* out = tnGetRow(level, level->spares[f], row) + level->columnBegin;
			memcpy(out, tnGetRow(level, level->fields[f], row) + level->columnBegin, (size_t)count * sizeof(float));
			taking->rows->deepen(out, depths, tnGetDeepScale(level->cellSize), count);
		}
	}
}

void tnCoarsen(tnTaking* taking, tnParallel* parallel, int n)
{
	if (n > 0)
	{
		tnRunRows(taking, parallel, n, n, tnDeepenRows);
	}
	tnRunRows(taking, parallel, n, n + 1, tnCoarsenRows);
}

// The row above or below: at the end of the world the row itself, at that of the part in use nothing.
static const float* tnGetRowBeside(const tnTaking* taking, const tnHandoverGrid* level, int f, int row, int beside)
{
	if (beside >= level->rowBegin && beside < level->rowEnd)
	{
		return tnGetRow(level, level->fields[f], beside);
	}
	return beside < 0 || beside >= level->rowCount ? tnGetRow(level, level->fields[f], row) : taking->handover->zeros;
}

// A sum of a cell and its four neighbours, into the spares.
static void tnMixRows(int item, int workerIndex, void* context)
{
	const tnTaking* taking = context;
	const int n = taking->n;
	const tnHandoverGrid* level = taking->handover->grids + n;
	float* line = taking->handover->scratch[workerIndex].lines[0] + TN_ROW_PAD;
	const tnRun rows = tnGetRows(level, item);
	for (int row = rows.begin; row < rows.end; ++row)
	{
		for (int f = 0; f < tnFieldCount; ++f)
		{
			tnRun run = {0, -1};
			while (tnNextRun(taking, n, row, 1, &run))
			{
				const int count = run.end - run.begin;
				memcpy(line, tnGetRow(level, level->fields[f], row) + run.begin, (size_t)count * sizeof(float));
				line[-1] = run.begin == 0 ? line[0] : 0.0f;
				line[count] = run.end == level->columnCount ? line[count - 1] : 0.0f;
				const float* above = tnGetRowBeside(taking, level, f, row, row - 1) + run.begin;
				const float* below = tnGetRowBeside(taking, level, f, row, row + 1) + run.begin;
				const float* stencil[3] = {above, line, below};
				taking->rows->mix(stencil, taking->weights[0], taking->weights[1],
					tnGetRow(level, level->spares[f], row) + run.begin, count);
			}
		}
	}
}

static void tnMix(tnTaking* taking, tnParallel* parallel, int n, float here, float beside)
{
	tnHandoverGrid* level = taking->handover->grids + n;
	taking->weights[0] = here;
	taking->weights[1] = beside;
	tnRunRows(taking, parallel, n, n, tnMixRows);
	for (int f = 0; f < tnFieldCount; ++f)
	{
		float* old = level->fields[f];
		level->fields[f] = level->spares[f];
		level->spares[f] = old;
	}
}

// Z = 1 - K / 11.
static void tnDampen(tnTaking* taking, tnParallel* parallel, int n)
{
	tnMix(taking, parallel, n, 7.0f / 11.0f, 1.0f / 11.0f);
}

// Z K, over the most it makes of any wave.
static void tnSharpen(tnTaking* taking, tnParallel* parallel, int n, int rounds)
{
	for (int round = 0; round < rounds; ++round)
	{
		tnMix(taking, parallel, n, 4.0f / 2.75f, -1.0f / 2.75f);
		tnDampen(taking, parallel, n);
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
		memcpy(tnGetRow(level, level->softs[f], rows.begin), tnGetRow(level, level->fields[f], rows.begin),
			count * sizeof(float));
	}
}

static void tnBlendRows(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnTaking* taking = context;
	const tnHandoverGrid* level = taking->handover->grids + taking->n;
	const tnRun rows = tnGetRows(level, item);
	for (int row = rows.begin; row < rows.end; ++row)
	{
		for (int f = 0; f < tnFieldCount; ++f)
		{
			taking->rows->blend(tnGetRow(level, level->softs[f], row) + level->columnBegin, taking->weights[0],
				taking->weights[1], tnGetRow(level, level->fields[f], row) + level->columnBegin,
				level->columnEnd - level->columnBegin);
		}
	}
}

// Fields become a sum of what was kept and of themselves.
static void tnBlend(tnTaking* taking, tnParallel* parallel, int n, float kept, float own)
{
	taking->weights[0] = kept;
	taking->weights[1] = own;
	tnRunRows(taking, parallel, n, n, tnBlendRows);
}

static void tnKeep(tnTaking* taking, tnParallel* parallel, int n)
{
	tnRunRows(taking, parallel, n, n, tnCopyRows);
}

// H^2 (3 - 2 H): as flat as H on top, and steeper below.
static void tnSharpenSoftly(tnTaking* taking, tnParallel* parallel, int n)
{
	if (n == 0)
	{
		tnSharpen(taking, parallel, n, 1);
		return;
	}
	tnSharpen(taking, parallel, n, 2);
	tnKeep(taking, parallel, n);
	tnSharpen(taking, parallel, n, 1);
	tnBlend(taking, parallel, n, 3.0f, -2.0f);
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

void tnChooseShort(tnTaking* taking, tnParallel* parallel, int n)
{
	tnHandoverGrid* level = taking->handover->grids + n;
	level->isSharp = n > 0 && tnMustBeSharp(taking, n);
	tnDampen(taking, parallel, n);
	tnSharpenSoftly(taking, parallel, n);
	if (level->isSharp)
	{
		tnKeep(taking, parallel, n);
		tnSharpen(taking, parallel, n, TN_MORE_ROUNDS);
	}
	tnWeighShort(taking, parallel, n);
	// And back, by the transpose.
	if (level->isSharp)
	{
		tnSharpen(taking, parallel, n, TN_MORE_ROUNDS);
		tnBlend(taking, parallel, n, 1.0f, 1.0f);
	}
	tnSharpenSoftly(taking, parallel, n);
	tnDampen(taking, parallel, n);
}
