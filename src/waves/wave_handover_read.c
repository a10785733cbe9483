// SPDX-License-Identifier: MIT

// What the handover sees of the flow: its surface and the divergence of its discharge.
//
// The filters see through walls: cells that are dry, or at a body, or shallower than any wave of their size, are given the
// mean surface of others near by, from the finest grid that has some. So they do where the water sleeps.

#include "wave_handover_parts.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Reading

// Less water than this is shallow for all waves that its cells hold. A discharge taken from a film would be a gale.
static float tnGetShallowDepth(const tnGrid* grid)
{
	return grid->cellSize * (1.0f / TN_SHALLOW_SIZE);
}

// The lowest surface of four rows of a tile, the same four in its mirror image. What is subtracted from surfaces should
// be near to them, so that they round less.
static void tnFindLowest(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnTaking* taking = context;
	const tnGrid* grid = taking->grid;
	float lowest = -TN_UNKNOWN;
	if (taking->handover->distance[item] == 0)
	{
		const float shallow = tnGetShallowDepth(grid);
		const int columnBegin = item % grid->tileColumnCount * TN_TILE_SIZE;
		const int columnEnd = tnMinInt(columnBegin + TN_TILE_SIZE, grid->columnCount);
		const int rowBegin = item / grid->tileColumnCount * TN_TILE_SIZE;
		const int last = tnMinInt(rowBegin + TN_TILE_SIZE, grid->rowCount) - 1;
		const int rows[4] = {rowBegin, (rowBegin + last) / 2, (rowBegin + last + 1) / 2, last};
		for (int i = 0; i < 4; ++i)
		{
			const ptrdiff_t index = tnGrid_Index(grid, 0, rows[i]);
			for (ptrdiff_t cell = index + columnBegin; cell < index + columnEnd; ++cell)
			{
				const float height = grid->bed[cell] + grid->depth[cell];
				lowest = grid->depth[cell] > shallow && height < lowest ? height : lowest;
			}
		}
	}
	taking->handover->lowest[item] = lowest;
}

static uint8_t* tnGetComplete(const tnTaking* taking, int tileColumn, int row)
{
	return taking->handover->complete + row / tnBlockRows * taking->grid->tileColumnCount + tileColumn;
}

// Cells of a tile.
static tnRun tnGetTileRun(const tnGrid* grid, int tileColumn)
{
	return (tnRun){tileColumn * TN_TILE_SIZE, tnMinInt((tileColumn + 1) * TN_TILE_SIZE, grid->columnCount)};
}

static void tnReadRows(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnTaking* taking = context;
	const tnGrid* grid = taking->grid;
	tnWaveHandover* handover = taking->handover;
	const tnHandoverGrid* level = handover->grids;
	const tnRun rows = tnGetRows(level, item);
	const int tileRow = rows.begin / TN_TILE_SIZE;
	for (int tile = 0; tile < grid->tileColumnCount; ++tile)
	{
		const int distance = handover->distance[tileRow * grid->tileColumnCount + tile];
		const tnRun run = tnGetTileRun(grid, tile);
		bool complete = distance < 2;
		for (int row = rows.begin; row < rows.end && distance <= 2; ++row)
		{
			float* surface = tnGetRow(level, level->fields[0], row) + run.begin;
			float* divergence = tnGetRow(level, level->fields[1], row) + run.begin;
			if (distance == 2)
			{
				for (int i = 0; i < run.end - run.begin; ++i)
				{
					surface[i] = TN_UNKNOWN;
					divergence[i] = 0.0f;
				}
				continue;
			}
			const ptrdiff_t cell = tnGrid_Index(grid, run.begin, row);
			const tnHandoverReading reading = {
				.bed = grid->bed + cell,
				.depth = grid->depth + cell,
				.flowX = grid->flowX + cell,
				.flowZ = grid->flowZ + cell,
				.lift = grid->lift != NULL ? grid->lift + cell : NULL,
				.stride = grid->stride,
				.storesVelocity = tnGrid_StoresVelocity(grid),
				.moves = distance == 0,
				.shallow = tnGetShallowDepth(grid),
				.reference = taking->reference,
				.perSize = 1.0f / grid->cellSize,
				.surface = surface,
				.divergence = divergence,
				.room = tnGetRow(level, handover->room, row) + run.begin,
			};
			complete = taking->rows->read(&reading, run.end - run.begin) && complete;
			// What is beside the world is as its last cell to means, and closed.
			for (int i = run.end; i < run.end + TN_HANDOVER_SLACK && run.end == grid->columnCount; ++i)
			{
				surface[i - run.begin] = surface[run.end - 1 - run.begin];
				divergence[i - run.begin] = divergence[run.end - 1 - run.begin];
				tnGetRow(level, handover->room, row)[i] = 0.0f;
			}
		}
		*tnGetComplete(taking, tile, rows.begin) = complete;
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Filling

// Is all known that the filters look at?
static bool tnIsComplete(const tnTaking* taking)
{
	const tnHandoverGrid* level = taking->handover->grids;
	for (int row = level->rowBegin; row < level->rowEnd; row += tnBlockRows)
	{
		for (int column = level->columnBegin; column < level->columnEnd; column += TN_TILE_SIZE)
		{
			if (!*tnGetComplete(taking, column / TN_TILE_SIZE, row))
			{
				return false;
			}
		}
	}
	return true;
}

// The last cell of a row that two cells of a finer row do not fill has the second from the first.
static void tnRepeatLast(const tnHandoverGrid* level, float* row)
{
	row[level->columnCount] = row[level->columnCount - 1];
}

static void tnAverageRows(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnTaking* taking = context;
	const int n = taking->n;
	const tnHandoverGrid* fine = taking->handover->grids + n;
	const tnHandoverGrid* coarse = fine + 1;
	float* const* source = n == 0 ? fine->fields : fine->spares;
	const tnRun rows = tnGetRows(coarse, item);
	for (int row = rows.begin; row < rows.end; ++row)
	{
		const int below = tnMinInt(2 * row + 1, fine->rowCount - 1);
		const float* s[2] = {tnGetRow(fine, source[0], 2 * row), tnGetRow(fine, source[0], below)};
		const float* d[2] = {tnGetRow(fine, source[1], 2 * row), tnGetRow(fine, source[1], below)};
		float* surface = tnGetRow(coarse, coarse->spares[0], row);
		float* divergence = tnGetRow(coarse, coarse->spares[1], row);
		for (int i = coarse->columnBegin; i < coarse->columnEnd && n == 0; ++i)
		{
			surface[i] = TN_UNKNOWN;
			divergence[i] = 0.0f;
		}
		tnRun run = {0, -1};
		while (tnNextRun(taking, n, 2 * row, 1, &run))
		{
			const int begin = run.begin / 2;
			const float* surfaces[2] = {s[0] + 2 * begin, s[1] + 2 * begin};
			const float* divergences[2] = {d[0] + 2 * begin, d[1] + 2 * begin};
			taking->rows->average(
				surfaces, divergences, surface + begin, divergence + begin, tnHalveUp(run.end) - begin);
		}
		tnRepeatLast(coarse, surface);
		tnRepeatLast(coarse, divergence);
	}
}

static void tnFillRows(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnTaking* taking = context;
	const int n = taking->n;
	const tnHandoverGrid* fine = taking->handover->grids + n;
	const tnHandoverGrid* coarse = fine + 1;
	float* const* target = n == 0 ? fine->fields : fine->spares;
	const tnRun rows = tnGetRows(fine, item);
	for (int row = rows.begin; row < rows.end; ++row)
	{
		float* surface = tnGetRow(fine, target[0], row);
		float* divergence = tnGetRow(fine, target[1], row);
		const float* coarseSurface = tnGetRow(coarse, coarse->spares[0], row / 2);
		const float* coarseDivergence = tnGetRow(coarse, coarse->spares[1], row / 2);
		tnRun run = {0, -1};
		while (tnNextRun(taking, n, row, 2, &run))
		{
			// Tile by tile, because most are complete.
			const int step = n == 0 ? TN_TILE_SIZE : run.end - run.begin;
			for (int at = run.begin; at < run.end; at += step)
			{
				if (n > 0 || !*tnGetComplete(taking, at / TN_TILE_SIZE, row))
				{
					const int begin = at / 2;
					taking->rows->fill(coarseSurface + begin, coarseDivergence + begin, surface + 2 * begin,
						divergence + 2 * begin, tnHalveUp(tnMinInt(at + step, run.end)) - begin);
				}
			}
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Depths

static void tnMeasureRows(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnTaking* taking = context;
	const int n = taking->n;
	const tnGrid* grid = taking->grid;
	const tnHandoverGrid* fine = taking->handover->grids + n;
	const tnHandoverGrid* coarse = fine + 1;
	const ptrdiff_t stride = n == 0 ? grid->stride : fine->stride;
	const float* source = n == 0 ? grid->depth : fine->depths;
	const tnRun rows = tnGetRows(coarse, item);
	for (int row = rows.begin; row < rows.end; ++row)
	{
		const int below = tnMinInt(2 * row + 1, fine->rowCount - 1);
		const float* depths[2] = {source + 2 * row * stride, source + below * stride};
		float* out = tnGetRow(coarse, coarse->depths, row);
		const int begin = coarse->columnBegin;
		const float* from[2] = {depths[0] + 2 * begin, depths[1] + 2 * begin};
		taking->rows->measure(from, TN_DRY_DEPTH, out + begin, coarse->columnEnd - begin);
		if (fine->columnCount % 2 != 0)
		{
			// The last cell stands alone.
			const int last = fine->columnCount - 1;
			const float depth = tnMinFloat(depths[0][last], depths[1][last]);
			out[coarse->columnCount - 1] = depth > TN_DRY_DEPTH ? depth : 0.0f;
		}
	}
}

bool tnReadFlow(tnTaking* taking, tnParallel* parallel)
{
	tnWaveHandover* handover = taking->handover;
	tnParallelFor(parallel, handover->tileCount, tnFindLowest, taking);
	taking->reference = -TN_UNKNOWN;
	for (int tile = 0; tile < handover->tileCount; ++tile)
	{
		taking->reference = tnMinFloat(taking->reference, handover->lowest[tile]);
	}
	if (!(taking->reference < -TN_UNKNOWN))
	{
		taking->reference = 0.0f;
	}
	tnRunRows(taking, parallel, 0, 0, tnReadRows);
	if (!tnIsComplete(taking))
	{
		for (int n = 0; n + 1 < handover->gridCount; ++n)
		{
			tnRunRows(taking, parallel, n, n + 1, tnAverageRows);
		}
		if (!(handover->grids[handover->gridCount - 1].spares[0][0] > TN_UNKNOWN))
		{
			return false;
		}
		for (int n = handover->gridCount - 2; n >= 0; --n)
		{
			tnRunRows(taking, parallel, n, n, tnFillRows);
		}
	}
	for (int n = 0; n + 1 < taking->bandCount; ++n)
	{
		tnRunRows(taking, parallel, n, n + 1, tnMeasureRows);
	}
	return true;
}
