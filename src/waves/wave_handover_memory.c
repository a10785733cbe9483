// SPDX-License-Identifier: MIT

// The grids of the handover, and who walks over which part of them.

#include "wave_handover.h"
#include "wave_handover_parts.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Memory

static size_t tnGetLineFloats(const tnGrid* grid)
{
	// A row with what filters look at beside it.
	return (size_t)tnMaxInt(grid->columnCount, tnPatchStride) + 8 * TN_ROW_PAD;
}

static size_t tnGetRoomFloats(const tnHandoverGrid* finest)
{
	return (size_t)finest->stride * (size_t)(finest->rowCount + 2);
}

static float* tnCarveFloats(tnCarver* carver, size_t floats)
{
	return tnCarve(carver, floats * sizeof(float));
}

// Give the grids and the workers their parts of a block, which may be NULL. Returns how many bytes that takes.
static size_t tnLayOut(tnWaveHandover* handover, const tnGrid* grid, float* block)
{
	tnCarver next = {.block = (char*)block};
	for (int n = 0; n < handover->gridCount; ++n)
	{
		tnHandoverGrid* level = handover->grids + n;
		const size_t area = (size_t)level->stride * (size_t)level->rowCount;
		for (int f = 0; f < tnFieldCount; ++f)
		{
			level->fields[f] = tnCarveFloats(&next, area);
			level->spares[f] = tnCarveFloats(&next, area);
			level->softs[f] = n > 0 ? tnCarveFloats(&next, area) : NULL;
		}
		level->depths = n > 0 ? tnCarveFloats(&next, area) : NULL;
		level->walls = n > 0 ? tnCarveFloats(&next, area) : NULL;
		level->deepest = n > 0 ? tnCarveFloats(&next, area) : NULL;
	}
	const tnHandoverGrid* finest = handover->grids;
	float* room = tnCarveFloats(&next, TN_ROW_PAD + tnGetRoomFloats(finest) + TN_HANDOVER_SLACK);
	handover->room = room != NULL ? room + TN_ROW_PAD + finest->stride : NULL;
	handover->zeros = tnCarveFloats(&next, tnGetLineFloats(grid));
	for (int worker = 0; worker < handover->workerCount; ++worker)
	{
		tnHandoverScratch scratch;
		for (int i = 0; i < tnLineCount; ++i)
		{
			scratch.lines[i] = tnCarveFloats(&next, tnGetLineFloats(grid));
		}
		scratch.depths = tnCarveFloats(&next, tnPatchFloats);
		for (int f = 0; f < tnFieldCount; ++f)
		{
			scratch.patches[f] = tnCarveFloats(&next, tnPatchFloats);
			scratch.changes[f] = tnCarveFloats(&next, tnTileFloats);
		}
		if (block != NULL)
		{
			handover->scratch[worker] = scratch;
		}
	}
	return next.used;
}

bool tnWaves_CreateHandover(tnWaves* waves, tnMemory* memory, const tnGrid* grid, tnSimd simd, int workerCount)
{
	tnWaveHandover* handover = tnMemory_Alloc(memory, sizeof(tnWaveHandover));
	waves->handover = handover;
	if (handover == NULL)
	{
		return false;
	}
	const tnWavePool* pool = &waves->pool;
	handover->rows = tnGetHandoverRows(simd);
	// Grid n feeds the level finerLevels + n - 1.
	handover->bandCount = tnMinInt(tnMaxInt(pool->levelCount - pool->finerLevels + 1, 0), tnMaxGrids - tnMoreGrids);
	int columns = grid->columnCount;
	int rows = grid->rowCount;
	// One that says what is long of the coarsest, and one whose depths are around it.
	for (int n = 0; n < handover->bandCount + tnMoreGrids; ++n)
	{
		tnHandoverGrid* level = handover->grids + n;
		level->columnCount = columns;
		level->rowCount = rows;
		level->stride = (columns + TN_ROW_PAD - 1) / TN_ROW_PAD * TN_ROW_PAD + TN_HANDOVER_SLACK;
		level->cellSize = n == 0 ? grid->cellSize : 2.0f * handover->grids[n - 1].cellSize;
		level->mirrorsColumns = grid->columnCount % (2 << n) == 0;
		level->mirrorsRows = grid->rowCount % (2 << n) == 0;
		columns = tnHalveUp(columns);
		rows = tnHalveUp(rows);
		handover->gridCount = n + 1;
	}
	handover->workerCount = workerCount;
	handover->memoryFloats = tnLayOut(handover, grid, NULL) / sizeof(float);
	handover->tileCount = grid->tileColumnCount * grid->tileRowCount;
	bool ok = (handover->memory = tnMemory_Alloc(memory, handover->memoryFloats * sizeof(float))) != NULL;
	ok = ok && (handover->distance = tnMemory_Alloc(memory, (size_t)handover->tileCount)) != NULL;
	ok = ok && (handover->lowest = tnMemory_Alloc(memory, (size_t)handover->tileCount * sizeof(float))) != NULL;
	handover->sumCount = 2 * tnMaxInt(pool->capacity, grid->rowCount / tnBlockRows + 2);
	ok = ok && (handover->sums = tnMemory_Alloc(memory, (size_t)handover->sumCount * sizeof(double))) != NULL;
	ok = ok && (handover->scratch = tnMemory_Alloc(memory, (size_t)workerCount * sizeof(tnHandoverScratch))) != NULL;
	if (!ok)
	{
		tnWaves_DestroyHandover(waves, memory);
		return false;
	}
	tnLayOut(handover, grid, handover->memory);
	return true;
}

void tnWaves_DestroyHandover(tnWaves* waves, tnMemory* memory)
{
	tnWaveHandover* handover = waves->handover;
	if (handover == NULL)
	{
		return;
	}
	tnMemory_Free(memory, handover->memory, handover->memoryFloats * sizeof(float));
	tnMemory_Free(memory, handover->distance, (size_t)handover->tileCount);
	tnMemory_Free(memory, handover->lowest, (size_t)handover->tileCount * sizeof(float));
	tnMemory_Free(memory, handover->sums, (size_t)handover->sumCount * sizeof(double));
	tnMemory_Free(memory, handover->scratch, (size_t)handover->workerCount * sizeof(tnHandoverScratch));
	tnMemory_Free(memory, handover, sizeof(tnWaveHandover));
	waves->handover = NULL;
}

// ---------------------------------------------------------------------------------------------------------------------
// Parts

// The part in use of the next grid begins and ends at even cells, or with the grid.
static int tnGetPartBegin(int begin)
{
	return tnMaxInt(begin / 2 - tnPartMargin, 0) / 2 * 2;
}

static int tnGetPartEnd(int end, int count)
{
	return tnMinInt((tnHalveUp(end) + tnPartMargin + 1) / 2 * 2, count);
}

bool tnFindParts(tnTaking* taking)
{
	tnWaveHandover* handover = taking->handover;
	const tnGrid* grid = taking->grid;
	const int columnCount = grid->tileColumnCount;
	const int rowCount = grid->tileRowCount;
	memset(handover->distance, tnFar, (size_t)handover->tileCount);
	int low[2] = {columnCount, rowCount};
	int high[2] = {0, 0};
	for (int row = 0; row < rowCount; ++row)
	{
		for (int column = 0; column < columnCount; ++column)
		{
			if (!taking->tiles->awake[row * columnCount + column])
			{
				continue;
			}
			for (int r = tnMaxInt(row - 2, 0); r <= tnMinInt(row + 2, rowCount - 1); ++r)
			{
				for (int c = tnMaxInt(column - 2, 0); c <= tnMinInt(column + 2, columnCount - 1); ++c)
				{
					const int across = c < column ? column - c : c - column;
					const int down = r < row ? row - r : r - row;
					uint8_t* place = handover->distance + r * columnCount + c;
					*place = (uint8_t)tnMinInt(*place, tnMaxInt(across, down));
				}
			}
			low[0] = tnMinInt(low[0], column - 2);
			low[1] = tnMinInt(low[1], row - 2);
			high[0] = tnMaxInt(high[0], column + 3);
			high[1] = tnMaxInt(high[1], row + 3);
		}
	}
	if (high[0] == 0)
	{
		return false;
	}
	int columnBegin = tnMaxInt(low[0], 0) * TN_TILE_SIZE;
	int rowBegin = tnMaxInt(low[1], 0) * TN_TILE_SIZE;
	int columnEnd = tnMinInt(high[0] * TN_TILE_SIZE, grid->columnCount);
	int rowEnd = tnMinInt(high[1] * TN_TILE_SIZE, grid->rowCount);
	for (int n = 0; n < handover->gridCount; ++n)
	{
		tnHandoverGrid* level = handover->grids + n;
		level->columnBegin = columnBegin;
		level->rowBegin = rowBegin;
		level->columnEnd = columnEnd;
		level->rowEnd = rowEnd;
		columnBegin = tnGetPartBegin(columnBegin);
		rowBegin = tnGetPartBegin(rowBegin);
		columnEnd = tnGetPartEnd(columnEnd, tnHalveUp(level->columnCount));
		rowEnd = tnGetPartEnd(rowEnd, tnHalveUp(level->rowCount));
	}
	return true;
}

bool tnNextRun(const tnTaking* taking, int n, int row, int most, tnRun* run)
{
	if (n > 0)
	{
		const tnHandoverGrid* level = taking->handover->grids + n;
		const bool first = run->end < 0;
		*run = (tnRun){level->columnBegin, level->columnEnd};
		return first;
	}
	const int tileColumnCount = taking->grid->tileColumnCount;
	const uint8_t* distance = taking->handover->distance + (ptrdiff_t)(row / TN_TILE_SIZE) * tileColumnCount;
	int tile = (tnMaxInt(run->end, 0) + TN_TILE_SIZE - 1) / TN_TILE_SIZE;
	while (tile < tileColumnCount && distance[tile] > most)
	{
		tile += 1;
	}
	if (tile >= tileColumnCount)
	{
		return false;
	}
	run->begin = tile * TN_TILE_SIZE;
	while (tile < tileColumnCount && distance[tile] <= most)
	{
		tile += 1;
	}
	run->end = tnMinInt(tile * TN_TILE_SIZE, taking->grid->columnCount);
	return true;
}

tnRun tnGetRows(const tnHandoverGrid* level, int item)
{
	const int first = (level->rowBegin / tnBlockRows + item) * tnBlockRows;
	return (tnRun){tnMaxInt(first, level->rowBegin), tnMinInt(first + tnBlockRows, level->rowEnd)};
}

void tnRunRows(tnTaking* taking, tnParallel* parallel, int n, int rowsOf, tnItemFcn* fcn)
{
	const tnHandoverGrid* level = taking->handover->grids + rowsOf;
	const int count = (level->rowEnd + tnBlockRows - 1) / tnBlockRows - level->rowBegin / tnBlockRows;
	taking->n = n;
	tnParallelFor(parallel, count, fcn, taking);
}
