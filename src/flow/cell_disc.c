// SPDX-License-Identifier: MIT

// Adds, takes and pushes the water of a disc of cells.

#include "cell_disc.h"

#include "../core/exact_sum.h"
#include "tracers.h"

bool tnDisc_Covers(const tnDisc* disc, const tnGrid* grid, int column, int row)
{
	if (disc->isCell)
	{
		return column == disc->box.columnBegin && row == disc->box.rowBegin;
	}
	// In units of cells, so that mirrored discs cover mirrored cells.
	const double x = column + 0.5 - ((double)disc->center.x - grid->origin.x) / grid->cellSize;
	const double z = row + 0.5 - ((double)disc->center.z - grid->origin.z) / grid->cellSize;
	const double radius = (double)disc->radius / grid->cellSize;
	return x * x + z * z <= radius * radius;
}

tnDisc tnMakeDisc(const tnGrid* grid, tnVec2 center, float radius)
{
	tnDisc disc = {.center = center, .radius = radius};
	disc.box = tnGrid_GetBox(grid, center, radius, radius);
	for (int pass = 0; pass < 2 && disc.cellCount == 0; ++pass)
	{
		tnExactSum sum = {0};
		for (int row = disc.box.rowBegin; row < disc.box.rowEnd; ++row)
		{
			for (int column = disc.box.columnBegin; column < disc.box.columnEnd; ++column)
			{
				if (tnDisc_Covers(&disc, grid, column, row))
				{
					disc.cellCount += 1;
					tnExactSum_Add(&sum, grid->depth[tnGrid_Index(grid, column, row)]);
				}
			}
		}
		disc.depthSum = tnExactSum_Get(sum);
		if (disc.cellCount == 0)
		{
			// Smaller than a cell and between centres: take the cell around the centre.
			int column = (int)(((double)center.x - grid->origin.x) / grid->cellSize);
			int row = (int)(((double)center.z - grid->origin.z) / grid->cellSize);
			column = tnClampInt(column, 0, grid->columnCount - 1);
			row = tnClampInt(row, 0, grid->rowCount - 1);
			disc.box = (tnCellBox){column, column + 1, row, row + 1};
			disc.isCell = true;
		}
	}
	return disc;
}

// Bring a cell to a new depth. Water that comes has these concentrations; what goes takes its own along. Returns the
// change.
static double tnSetCellDepth(tnGrid* grid, ptrdiff_t cell, float after, const float* tracers)
{
	const float before = grid->depth[cell];
	grid->depth[cell] = after;
	tnGrid_NoteTaken(grid, after < before ? before : 0.0f);
	grid->maxDepth = tnMaxFloat(grid->maxDepth, after);
	for (int i = 0; i < grid->tracerCount && after > before; ++i)
	{
		float* c = grid->tracers[i] + cell;
		*c = tnMixTracer(*c, before, after - before, tracers == NULL ? 0.0f : tracers[i]);
	}
	return (double)after - (double)before;
}

double tnDisc_Add(const tnDisc* disc, tnGrid* grid, float depth, const float* tracers)
{
	tnExactSum sum = {0};
	for (int row = disc->box.rowBegin; row < disc->box.rowEnd; ++row)
	{
		for (int column = disc->box.columnBegin; column < disc->box.columnEnd; ++column)
		{
			if (tnDisc_Covers(disc, grid, column, row))
			{
				const ptrdiff_t cell = tnGrid_Index(grid, column, row);
				// Water that edges have raised above the limit stays.
				const float before = grid->depth[cell];
				const float after = tnMinFloat(before + depth, tnMaxFloat(before, TN_MAX_LENGTH));
				tnExactSum_Add(&sum, tnSetCellDepth(grid, cell, after, tracers));
			}
		}
	}
	return tnExactSum_Get(sum);
}

double tnDisc_Take(const tnDisc* disc, tnGrid* grid, float share)
{
	tnExactSum sum = {0};
	for (int row = disc->box.rowBegin; row < disc->box.rowEnd; ++row)
	{
		for (int column = disc->box.columnBegin; column < disc->box.columnEnd; ++column)
		{
			if (tnDisc_Covers(disc, grid, column, row))
			{
				float* depth = grid->depth + tnGrid_Index(grid, column, row);
				const float before = *depth;
				*depth = before - before * share;
				tnGrid_NoteTaken(grid, before);
				tnExactSum_Add(&sum, (double)before - (double)*depth);
			}
		}
	}
	return tnExactSum_Get(sum);
}

double tnDisc_Hold(const tnDisc* disc, tnGrid* grid, float level, const float* tracers, bool* changed)
{
	tnExactSum sum = {0};
	*changed = false;
	for (int row = disc->box.rowBegin; row < disc->box.rowEnd; ++row)
	{
		for (int column = disc->box.columnBegin; column < disc->box.columnEnd; ++column)
		{
			if (tnDisc_Covers(disc, grid, column, row))
			{
				const ptrdiff_t cell = tnGrid_Index(grid, column, row);
				const double change = tnSetCellDepth(
					grid, cell, tnMaxFloat(level - grid->bed[cell] - tnGrid_GetLift(grid, cell), 0.0f), tracers);
				*changed = *changed || change != 0.0;
				tnExactSum_Add(&sum, change);
			}
		}
	}
	return tnExactSum_Get(sum);
}

// How much water stands above the higher bed at a face; `second` is the cell on its positive side.
static float tnGetSection(const tnGrid* grid, ptrdiff_t second, ptrdiff_t step)
{
	const ptrdiff_t first = second - step;
	return tnFaceDepth(grid->bed[first], grid->depth[first], grid->bed[second], grid->depth[second]);
}

// The momentum that a cell passes on to one of its two faces along an axis: half of its own, or all if the other is
// blocked.
static float tnGetPush(
	const tnDisc* disc, const tnGrid* grid, int column, int row, ptrdiff_t step, bool otherIsLower, double velocity)
{
	if (column < 0 || column >= grid->columnCount || row < 0 || row >= grid->rowCount ||
		!tnDisc_Covers(disc, grid, column, row))
	{
		return 0.0f;
	}
	const ptrdiff_t cell = tnGrid_Index(grid, column, row);
	const float other = tnGetSection(grid, otherIsLower ? cell : cell + step, step);
	return (float)((other > TN_DRY_DEPTH ? 0.5 : 1.0) * grid->depth[cell] * velocity);
}

void tnAddDischarge(tnGrid* grid, int column, int row, bool alongX, float section, float discharge)
{
	float* flow = alongX ? grid->flowX : grid->flowZ;
	const ptrdiff_t step = alongX ? 1 : grid->stride;
	const ptrdiff_t second = tnGrid_Index(grid, column, row);
	// The last face of a wrapped axis is the first one.
	const int position = alongX ? column : row;
	const int count = alongX ? grid->columnCount : grid->rowCount;
	const bool wraps = (alongX ? grid->wrapX : grid->wrapZ) && (position == 0 || position == count);
	const ptrdiff_t face = wraps ? second - step * position : second;
	flow[face] += tnGrid_StoresVelocity(grid) ? discharge / section : discharge;
	if (wraps)
	{
		flow[face + step * count] = flow[face];
	}
	grid->editSpeed = tnMaxFloat(grid->editSpeed, tnAbsFloat(flow[face]));
}

static void tnPushFace(const tnDisc* disc, tnGrid* grid, int column, int row, bool alongX, double velocity)
{
	const ptrdiff_t step = alongX ? 1 : grid->stride;
	const float section = tnGetSection(grid, tnGrid_Index(grid, column, row), step);
	if (section > TN_DRY_DEPTH)
	{
		// Both cells at once: the sum of two does not depend on their order.
		const float fromFirst = tnGetPush(disc, grid, column - alongX, row - !alongX, step, true, velocity);
		const float fromSecond = tnGetPush(disc, grid, column, row, step, false, velocity);
		tnAddDischarge(grid, column, row, alongX, section, fromFirst + fromSecond);
	}
}

bool tnDisc_Push(const tnDisc* disc, tnGrid* grid, tnVec2 impulse)
{
	// The same change of velocity for all water of the disc.
	const double mass = TN_WATER_DENSITY * disc->depthSum * grid->cellSize * grid->cellSize;
	if (!(mass > 0.0))
	{
		return false;
	}
	for (int row = disc->box.rowBegin; row <= disc->box.rowEnd; ++row)
	{
		for (int column = disc->box.columnBegin; column <= disc->box.columnEnd; ++column)
		{
			if (row < disc->box.rowEnd)
			{
				tnPushFace(disc, grid, column, row, true, impulse.x / mass);
			}
			if (column < disc->box.columnEnd)
			{
				tnPushFace(disc, grid, column, row, false, impulse.z / mass);
			}
		}
	}
	return true;
}
