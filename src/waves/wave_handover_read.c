// SPDX-License-Identifier: MIT

// What the handover sees of the flow: its surface and the divergence of its discharge.
//
// Of the surface K S is all that is needed: how much lower the cells beside it stand, through faces that are open. Both are sums over
// faces, so nothing has to be known of what is beyond a wall. A face is open if both its cells are awake, not at a body, and deeper
// than any wave of their size is shallow.

#include "wave_handover_parts.h"

#include <string.h>

// Where the surface falls by more of the depth from cell to cell there is a bore, and no wave that would be handed over. Cells
// that have one beside them are closed, as if they were walls.
#define TN_STEEPEST_FALL 0.02f
// Higher than any.
#define TN_NO_SURFACE 1.0e30f

// ---------------------------------------------------------------------------------------------------------------------
// Reading

// Less water than this is shallow for all waves that its cells hold. A discharge taken from a film would be a gale.
static float tnGetShallowDepth(const tnGrid* grid)
{
	return grid->cellSize * (1.0f / TN_SHALLOW_SIZE);
}

// The lowest surface of four rows of a tile, the same four in its mirror image: by how much surfaces round.
static void tnFindLowest(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnTaking* taking = context;
	const tnGrid* grid = taking->grid;
	float lowest = TN_NO_SURFACE;
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

// Cells of a tile.
static tnRun tnGetTileRun(const tnGrid* grid, int tileColumn)
{
	return (tnRun){tileColumn * TN_TILE_SIZE, tnMinInt((tileColumn + 1) * TN_TILE_SIZE, grid->columnCount)};
}

// The edges of the world are no walls: filters have its mirror image beyond them.
static void tnForgetEdges(const tnTaking* taking, int row, tnRun run, const float* room, float* walls)
{
	const tnGrid* grid = taking->grid;
	const int count = run.end - run.begin;
	for (int i = 0; i < count && (row == 0 || row == grid->rowCount - 1); ++i)
	{
		walls[i] -= room[i] > 0.0f ? (grid->rowCount > 1 ? 1.0f : 2.0f) : 0.0f;
	}
	walls[0] -= run.begin == 0 && room[0] > 0.0f ? 1.0f : 0.0f;
	walls[count - 1] -= run.end == grid->columnCount && room[count - 1] > 0.0f ? 1.0f : 0.0f;
}

static void tnReadPass(int item, const tnTaking* taking, bool opens)
{
	const tnGrid* grid = taking->grid;
	tnWaveHandover* handover = taking->handover;
	const tnHandoverGrid* level = handover->grids;
	const tnRun rows = tnGetRows(level, item);
	const int tileRow = rows.begin / TN_TILE_SIZE;
	for (int tile = 0; tile < grid->tileColumnCount; ++tile)
	{
		const int distance = handover->distance[tileRow * grid->tileColumnCount + tile];
		const tnRun run = tnGetTileRun(grid, tile);
		const size_t bytes = (size_t)(run.end - run.begin) * sizeof(float);
		for (int row = rows.begin; row < rows.end && distance <= 2; ++row)
		{
			float* room = tnGetRow(level, handover->room, row) + run.begin;
			float* outs[2 * tnFieldCount];
			for (int f = 0; f < tnFieldCount; ++f)
			{
				outs[f] = tnGetRow(level, level->fields[f], row) + run.begin;
				outs[tnFieldCount + f] = tnGetRow(level, level->spares[f], row) + run.begin;
			}
			if (distance > 0)
			{
				// What sleeps is closed.
				for (int f = 0; f < 2 * tnFieldCount && !opens; ++f)
				{
					memset(outs[f], 0, bytes);
				}
				if (opens)
				{
					memset(room, 0, bytes);
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
				.shallow = tnGetShallowDepth(grid),
				.steepest = TN_STEEPEST_FALL,
				.perSize = 1.0f / grid->cellSize,
				.room = room,
				.roomStride = level->stride,
				.curvature = outs[0],
				.divergence = outs[1],
				.walls = outs[tnFieldCount],
			};
			if (opens)
			{
				taking->rows->open(&reading, run.end - run.begin);
			}
			else
			{
				taking->rows->read(&reading, run.end - run.begin);
			}
			if (!opens)
			{
				tnForgetEdges(taking, row, run, room, outs[tnFieldCount]);
			}
			// What is beside the world is closed.
			for (int i = run.end; i < run.end + TN_HANDOVER_SLACK && opens && run.end == grid->columnCount; ++i)
			{
				room[i - run.begin] = 0.0f;
			}
		}
	}
}

static void tnOpenRows(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	tnReadPass(item, context, true);
}

static void tnReadRows(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	tnReadPass(item, context, false);
}

// ---------------------------------------------------------------------------------------------------------------------
// Depths

// Walls of a row of the next coarser grid. What is beyond the last row or column has none.
static void tnSumWalls(const tnTaking* taking, int row, tnRun columns)
{
	const int n = taking->n;
	const tnHandoverGrid* fine = taking->handover->grids + n;
	const tnHandoverGrid* coarse = fine + 1;
	float* source = n == 0 ? fine->spares[0] : fine->walls;
	float* out = tnGetRow(coarse, coarse->walls, row);
	tnRun run = {0, -1};
	while (tnNextRun(taking, n, 2 * row, 0, &run))
	{
		const int begin = tnMaxInt(run.begin / 2, columns.begin);
		const int end = tnMinInt(tnHalveUp(run.end), columns.end);
		const bool hasTwo = 2 * row + 1 < fine->rowEnd;
		const float* below = hasTwo ? tnGetRow(fine, source, 2 * row + 1) + 2 * begin : taking->handover->zeros;
		const float* rows[2] = {tnGetRow(fine, source, 2 * row) + 2 * begin, below};
		if (begin < end)
		{
			taking->rows->sum(rows, out + begin, end - begin);
		}
	}
	if (fine->columnCount % 2 != 0 && columns.end == coarse->columnCount)
	{
		const int last = fine->columnCount - 1;
		const int tile = 2 * row / TN_TILE_SIZE * taking->grid->tileColumnCount + last / TN_TILE_SIZE;
		const bool known = n > 0 || taking->handover->distance[tile] == 0;
		const float above = known ? tnGetRow(fine, source, 2 * row)[last] : 0.0f;
		const float below = known && 2 * row + 1 < fine->rowEnd ? tnGetRow(fine, source, 2 * row + 1)[last] : 0.0f;
		out[coarse->columnCount - 1] = above + below;
	}
}

static void tnMeasureRows(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnTaking* taking = context;
	const int n = taking->n;
	const tnGrid* grid = taking->grid;
	const tnHandoverGrid* fine = taking->handover->grids + n;
	const tnHandoverGrid* coarse = fine + 1;
	const ptrdiff_t stride = n == 0 ? grid->stride : fine->stride;
	const float* least = n == 0 ? grid->depth : fine->depths;
	const float* most = n == 0 ? grid->depth : fine->deepest;
	const tnRun rows = tnGetRows(coarse, item);
	const int columnBegin = tnMaxInt(coarse->columnBegin, fine->columnBegin / 2);
	const int columnEnd = tnMinInt(coarse->columnEnd, tnHalveUp(fine->columnEnd));
	for (int row = rows.begin; row < rows.end; ++row)
	{
		const size_t bytes = (size_t)(coarse->columnEnd - coarse->columnBegin) * sizeof(float);
		memset(tnGetRow(coarse, coarse->depths, row) + coarse->columnBegin, 0, bytes);
		memset(tnGetRow(coarse, coarse->deepest, row) + coarse->columnBegin, 0, bytes);
		memset(tnGetRow(coarse, coarse->walls, row) + coarse->columnBegin, 0, bytes);
		if (2 * row < fine->rowBegin || 2 * row >= fine->rowEnd)
		{
			continue;
		}
		const int below = tnMinInt(2 * row + 1, fine->rowCount - 1);
		const ptrdiff_t begin = 2 * columnBegin;
		const float* leasts[2] = {least + 2 * row * stride + begin, least + below * stride + begin};
		const float* mosts[2] = {most + 2 * row * stride + begin, most + below * stride + begin};
		float* outLeast = tnGetRow(coarse, coarse->depths, row);
		float* outMost = tnGetRow(coarse, coarse->deepest, row);
		taking->rows->measure(
			leasts, mosts, TN_DRY_DEPTH, outLeast + columnBegin, outMost + columnBegin, columnEnd - columnBegin);
		tnSumWalls(taking, row, (tnRun){columnBegin, columnEnd});
		if (fine->columnCount % 2 != 0 && columnEnd == coarse->columnCount)
		{
			// The last cell stands alone.
			const ptrdiff_t last = fine->columnCount - 1 - begin;
			const float depth = tnMinFloat(leasts[0][last], leasts[1][last]);
			outLeast[coarse->columnCount - 1] = depth > TN_DRY_DEPTH ? depth : 0.0f;
			outMost[coarse->columnCount - 1] = tnMaxFloat(mosts[0][last], mosts[1][last]);
		}
	}
}

void tnReadFlow(tnTaking* taking, tnParallel* parallel)
{
	tnWaveHandover* handover = taking->handover;
	tnParallelFor(parallel, handover->tileCount, tnFindLowest, taking);
	taking->reference = TN_NO_SURFACE;
	for (int tile = 0; tile < handover->tileCount; ++tile)
	{
		taking->reference = tnMinFloat(taking->reference, handover->lowest[tile]);
	}
	taking->reference = taking->reference < TN_NO_SURFACE ? taking->reference : 0.0f;
	tnRunRows(taking, parallel, 0, 0, tnOpenRows);
	tnRunRows(taking, parallel, 0, 0, tnReadRows);
	for (int n = 0; n + 1 < handover->gridCount && n <= taking->bandCount; ++n)
	{
		tnRunRows(taking, parallel, n, n + 1, tnMeasureRows);
	}
}
