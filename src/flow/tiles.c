// SPDX-License-Identifier: MIT

// Finds out which tiles are awake.

#include "tiles.h"

#include <string.h>

// Steps between two looks at an active tile. Looking costs a read of its state.
#define TN_SCAN_INTERVAL 8

// Rest time of a tile that has not been seen at rest yet.
#define TN_MOVING (-1.0f)

typedef struct tnScanContext
{
	tnTiles* tiles;
	const tnGrid* grid;
	const tnFlowKernels* kernels;
} tnScanContext;

bool tnTiles_Create(tnTiles* tiles, tnMemory* memory, const tnGrid* grid, const tnWorldDef* def)
{
	memset(tiles, 0, sizeof(*tiles));
	tiles->columnCount = grid->tileColumnCount;
	tiles->rowCount = grid->tileRowCount;
	tiles->count = tiles->columnCount * tiles->rowCount;
	tiles->enableSleep = def->enableSleep;
	tiles->sleepSpeed = def->sleepSpeed;
	tiles->sleepTime = def->sleepTime;
	tiles->spanStride = tiles->columnCount / 2 + 1;

	size_t count = (size_t)tiles->count;
	size_t rows = (size_t)tiles->rowCount;
	size_t spanBytes = rows * (size_t)tiles->spanStride * sizeof(tnSpan);
	bool ok = (tiles->active = tnMemory_Alloc(memory, count)) != NULL;
	ok = ok && (tiles->awake = tnMemory_Alloc(memory, count)) != NULL;
	ok = ok && (tiles->wasAwake = tnMemory_Alloc(memory, count)) != NULL;
	ok = ok && (tiles->restTime = tnMemory_Alloc(memory, count * sizeof(float))) != NULL;
	ok = ok && (tiles->maxDepth = tnMemory_Alloc(memory, count * sizeof(float))) != NULL;
	ok = ok && (tiles->maxSpeed = tnMemory_Alloc(memory, count * sizeof(float))) != NULL;
	ok = ok && (tiles->spans = tnMemory_Alloc(memory, spanBytes)) != NULL;
	ok = ok && (tiles->sharedSpans = tnMemory_Alloc(memory, spanBytes)) != NULL;
	ok = ok && (tiles->spanCounts = tnMemory_Alloc(memory, rows * sizeof(int))) != NULL;
	ok = ok && (tiles->sharedCounts = tnMemory_Alloc(memory, rows * sizeof(int))) != NULL;
	ok = ok && (tiles->relaxing = tnMemory_Alloc(memory, count)) != NULL;
	ok = ok && (tiles->edited = tnMemory_Alloc(memory, count)) != NULL;
	ok = ok && (tiles->changes = tnMemory_Alloc(memory, count * sizeof(uint32_t))) != NULL;
	ok = ok && (tiles->edits = tnMemory_Alloc(memory, count * sizeof(uint32_t))) != NULL;
	ok = ok && (tiles->stale = tnMemory_Alloc(memory, count)) != NULL;
	ok = ok && (tiles->volumes = tnMemory_Alloc(memory, count * sizeof(double))) != NULL;
	ok = ok && (tiles->scanList = tnMemory_Alloc(memory, count * sizeof(int))) != NULL;
	if (!ok)
	{
		tnTiles_Destroy(tiles, memory);
		return false;
	}
	tnTiles_TouchAll(tiles);
	return true;
}

void tnTiles_Destroy(tnTiles* tiles, tnMemory* memory)
{
	size_t count = (size_t)tiles->count;
	size_t rows = (size_t)tiles->rowCount;
	size_t spanBytes = rows * (size_t)tiles->spanStride * sizeof(tnSpan);
	tnMemory_Free(memory, tiles->active, count);
	tnMemory_Free(memory, tiles->awake, count);
	tnMemory_Free(memory, tiles->wasAwake, count);
	tnMemory_Free(memory, tiles->restTime, count * sizeof(float));
	tnMemory_Free(memory, tiles->maxDepth, count * sizeof(float));
	tnMemory_Free(memory, tiles->maxSpeed, count * sizeof(float));
	tnMemory_Free(memory, tiles->spans, spanBytes);
	tnMemory_Free(memory, tiles->sharedSpans, spanBytes);
	tnMemory_Free(memory, tiles->spanCounts, rows * sizeof(int));
	tnMemory_Free(memory, tiles->sharedCounts, rows * sizeof(int));
	tnMemory_Free(memory, tiles->relaxing, count);
	tnMemory_Free(memory, tiles->edited, count);
	tnMemory_Free(memory, tiles->changes, count * sizeof(uint32_t));
	tnMemory_Free(memory, tiles->edits, count * sizeof(uint32_t));
	tnMemory_Free(memory, tiles->stale, count);
	tnMemory_Free(memory, tiles->volumes, count * sizeof(double));
	tnMemory_Free(memory, tiles->scanList, count * sizeof(int));
	memset(tiles, 0, sizeof(*tiles));
}

static void tnActivate(tnTiles* tiles, int tile)
{
	tiles->restTime[tile] = TN_MOVING;
	tiles->stale[tile] = 1;
	tiles->changes[tile] += 1;
	if (tiles->active[tile] == 0)
	{
		tiles->active[tile] = 1;
		tiles->changed = true;
	}
}

static void tnTouchTile(tnTiles* tiles, int tile)
{
	tnActivate(tiles, tile);
	if (!tiles->stepping)
	{
		tiles->edited[tile] = 1;
		tiles->edits[tile] += 1;
		tiles->anyEdited = true;
	}
}

void tnTiles_Touch(tnTiles* tiles, tnCellBox box)
{
	if (box.columnBegin >= box.columnEnd || box.rowBegin >= box.rowEnd)
	{
		return;
	}
	for (int row = box.rowBegin / TN_TILE_SIZE; row <= (box.rowEnd - 1) / TN_TILE_SIZE; ++row)
	{
		for (int column = box.columnBegin / TN_TILE_SIZE; column <= (box.columnEnd - 1) / TN_TILE_SIZE; ++column)
		{
			tnTouchTile(tiles, row * tiles->columnCount + column);
		}
	}
}

// Cells [begin, end) along one axis of `count`, as up to two runs inside of it.
typedef struct tnRuns
{
	int begin[2], end[2];
} tnRuns;

static tnRuns tnFindRuns(int begin, int end, int count, bool wrap)
{
	if (!wrap || end - begin >= count)
	{
		return (tnRuns){{wrap ? 0 : tnMaxInt(begin, 0)}, {wrap ? count : tnMinInt(end, count)}};
	}
	const int first = (begin % count + count) % count;
	const int last = first + (end - begin);
	return (tnRuns){{first, 0}, {tnMinInt(last, count), last - count}};
}

void tnTiles_TouchWrapped(tnTiles* tiles, const tnGrid* grid, tnCellBox box)
{
	const tnRuns columns = tnFindRuns(box.columnBegin, box.columnEnd, grid->columnCount, tiles->wrapX);
	const tnRuns rows = tnFindRuns(box.rowBegin, box.rowEnd, grid->rowCount, tiles->wrapZ);
	for (int i = 0; i < 4; ++i)
	{
		tnTiles_Touch(tiles, (tnCellBox){columns.begin[i % 2], columns.end[i % 2], rows.begin[i / 2], rows.end[i / 2]});
	}
}

void tnTiles_TouchAll(tnTiles* tiles)
{
	for (int tile = 0; tile < tiles->count; ++tile)
	{
		tnTouchTile(tiles, tile);
	}
}

void tnTiles_WakeAll(tnTiles* tiles)
{
	for (int tile = 0; tile < tiles->count; ++tile)
	{
		tnActivate(tiles, tile);
	}
}

// Is there water on the face between two cells, and does its surface slope?
static bool tnIsSlope(const tnGrid* grid, ptrdiff_t first, ptrdiff_t second)
{
	const float open = tnFaceDepth(grid->bed[first], grid->depth[first], grid->bed[second], grid->depth[second]);
	return open >= TN_DRY_DEPTH && grid->bed[first] + grid->depth[first] != grid->bed[second] + grid->depth[second];
}

void tnTiles_WakeSlopes(tnTiles* tiles, const tnGrid* grid)
{
	for (int row = 0; row < grid->rowCount; ++row)
	{
		for (int column = 0; column < grid->columnCount; ++column)
		{
			const ptrdiff_t cell = tnGrid_Index(grid, column, row);
			const int tile = row / TN_TILE_SIZE * tiles->columnCount + column / TN_TILE_SIZE;
			const bool left = grid->residual != NULL && grid->residual[cell] != 0.0f;
			if (tiles->active[tile] == 0 &&
				(left || tnIsSlope(grid, cell - 1, cell) || tnIsSlope(grid, cell, cell + 1) ||
					tnIsSlope(grid, cell - grid->stride, cell) || tnIsSlope(grid, cell, cell + grid->stride)))
			{
				tnActivate(tiles, tile);
			}
		}
	}
}

// Wake a tile and its neighbours. Across a wrapped edge the last tile may be only a few cells wide, so two are woken
// there.
static void tnWakeAround(tnTiles* tiles, int tileColumn, int tileRow)
{
	int reachX = tiles->wrapX ? 2 : 1;
	int reachZ = tiles->wrapZ ? 2 : 1;
	for (int dz = -reachZ; dz <= reachZ; ++dz)
	{
		int row = tileRow + dz;
		if (tiles->wrapZ)
		{
			row = ((row % tiles->rowCount) + tiles->rowCount) % tiles->rowCount;
		}
		else if (row < 0 || row >= tiles->rowCount)
		{
			continue;
		}
		for (int dx = -reachX; dx <= reachX; ++dx)
		{
			int column = tileColumn + dx;
			if (tiles->wrapX)
			{
				column = ((column % tiles->columnCount) + tiles->columnCount) % tiles->columnCount;
			}
			else if (column < 0 || column >= tiles->columnCount)
			{
				continue;
			}
			tiles->awake[row * tiles->columnCount + column] = 1;
		}
	}
}

// Still the faces of a tile that falls asleep, and bring its second buffers up to date, so that nobody needs to touch
// it again.
static void tnStillTile(tnGrid* grid, int tileColumn, int tileRow)
{
	int columnBegin = tileColumn * TN_TILE_SIZE;
	int rowBegin = tileRow * TN_TILE_SIZE;
	int columnEnd = tnMinInt(columnBegin + TN_TILE_SIZE, grid->columnCount);
	int rowEnd = tnMinInt(rowBegin + TN_TILE_SIZE, grid->rowCount);
	size_t rowBytes = (size_t)(columnEnd - columnBegin) * sizeof(float);

	for (int row = rowBegin; row <= rowEnd; ++row)
	{
		ptrdiff_t index = tnGrid_Index(grid, columnBegin, row);
		memset(grid->flowZ + index, 0, rowBytes);
		if (grid->dischargeZ != NULL)
		{
			memset(grid->dischargeZ + index, 0, rowBytes);
		}
		if (row == rowEnd)
		{
			break;
		}
		memset(grid->flowX + index, 0, rowBytes + sizeof(float));
		if (grid->dischargeX != NULL)
		{
			memset(grid->dischargeX + index, 0, rowBytes + sizeof(float));
		}
		if (grid->previousDepth != NULL)
		{
			memcpy(grid->previousDepth + index, grid->depth + index, rowBytes);
		}
		for (int i = 0; i < grid->tracerCount; ++i)
		{
			memcpy(grid->tracersNext[i] + index, grid->tracers[i] + index, rowBytes);
		}
	}
}

// Across a wrapped edge the faces below the last row are those above the first.
static void tnStillWrappedFaces(tnGrid* grid, int tileColumn)
{
	int columnBegin = tileColumn * TN_TILE_SIZE;
	int columnEnd = tnMinInt(columnBegin + TN_TILE_SIZE, grid->columnCount);
	size_t rowBytes = (size_t)(columnEnd - columnBegin) * sizeof(float);
	ptrdiff_t end = tnGrid_Index(grid, columnBegin, grid->rowCount);
	memset(grid->flowZ + columnBegin, 0, rowBytes);
	memset(grid->flowZ + end, 0, rowBytes);
	if (grid->dischargeZ != NULL)
	{
		memset(grid->dischargeZ + columnBegin, 0, rowBytes);
		memset(grid->dischargeZ + end, 0, rowBytes);
	}
}

static int tnMakeSpans(const uint8_t* first, const uint8_t* second, int count, tnSpan* spans)
{
	int spanCount = 0;
	for (int begin = 0; begin < count;)
	{
		if (!first[begin] || !second[begin])
		{
			begin += 1;
			continue;
		}
		int end = begin;
		while (end < count && first[end] && second[end])
		{
			end += 1;
		}
		spans[spanCount] = (tnSpan){begin * TN_TILE_SIZE, end * TN_TILE_SIZE};
		spanCount += 1;
		begin = end;
	}
	return spanCount;
}

void tnTiles_CountChanges(tnTiles* tiles)
{
	for (int tile = 0; tile < tiles->count; ++tile)
	{
		tiles->changes[tile] += 1;
	}
}

void tnTiles_MarkStale(tnTiles* tiles)
{
	for (int tile = 0; tile < tiles->count && tiles->awakeCount > 0; ++tile)
	{
		tiles->stale[tile] |= tiles->awake[tile];
		tiles->changes[tile] += tiles->awake[tile];
	}
}

static void tnSumTile(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnScanContext* scan = context;
	const tnGrid* grid = scan->grid;
	int tile = scan->tiles->scanList[item];
	int columnBegin = (tile % scan->tiles->columnCount) * TN_TILE_SIZE;
	int rowBegin = (tile / scan->tiles->columnCount) * TN_TILE_SIZE;
	int columnEnd = tnMinInt(columnBegin + TN_TILE_SIZE, grid->columnCount);
	int rowEnd = tnMinInt(rowBegin + TN_TILE_SIZE, grid->rowCount);
	double sum = 0.0;
	for (int row = rowBegin; row < rowEnd; ++row)
	{
		const float* depth = grid->depth + tnGrid_Index(grid, 0, row);
		for (int column = columnBegin; column < columnEnd; ++column)
		{
			sum += depth[column];
		}
	}
	scan->tiles->volumes[tile] = sum;
}

double tnTiles_SumDepth(tnTiles* tiles, const tnGrid* grid, tnParallel* parallel)
{
	int count = 0;
	for (int tile = 0; tile < tiles->count; ++tile)
	{
		if (tiles->stale[tile])
		{
			tiles->scanList[count] = tile;
			tiles->stale[tile] = 0;
			count += 1;
		}
	}
	tnScanContext context = {tiles, grid, NULL};
	tnParallelFor(parallel, count, tnSumTile, &context);

	double sum = 0.0;
	for (int tile = 0; tile < tiles->count; ++tile)
	{
		sum += tiles->volumes[tile];
	}
	return sum;
}

void tnTiles_Refresh(tnTiles* tiles, tnGrid* grid)
{
	if (!tiles->changed)
	{
		return;
	}
	tiles->changed = false;

	memcpy(tiles->wasAwake, tiles->awake, (size_t)tiles->count);
	memset(tiles->awake, tiles->enableSleep ? 0 : 1, (size_t)tiles->count);
	for (int row = 0; row < tiles->rowCount && tiles->enableSleep; ++row)
	{
		for (int column = 0; column < tiles->columnCount; ++column)
		{
			if (tiles->active[row * tiles->columnCount + column])
			{
				tnWakeAround(tiles, column, row);
			}
		}
	}

	tiles->sleepingMaxDepth = 0.0f;
	for (int row = 0; row < tiles->rowCount; ++row)
	{
		for (int column = 0; column < tiles->columnCount; ++column)
		{
			int tile = row * tiles->columnCount + column;
			if (tiles->awake[tile])
			{
				continue;
			}
			if (tiles->wasAwake[tile])
			{
				tnStillTile(grid, column, row);
				tiles->changes[tile] += 1;
				if (tiles->wrapZ && (row == 0 || row == tiles->rowCount - 1))
				{
					tnStillWrappedFaces(grid, column);
				}
			}
			tiles->sleepingMaxDepth = tnMaxFloat(tiles->sleepingMaxDepth, tiles->maxDepth[tile]);
		}
	}
	tnTiles_MakeSpans(tiles);
}

void tnTiles_MakeSpans(tnTiles* tiles)
{
	tiles->awakeCount = 0;
	for (int tile = 0; tile < tiles->count; ++tile)
	{
		tiles->awakeCount += tiles->awake[tile] != 0 ? 1 : 0;
	}
	for (int row = 0; row < tiles->rowCount; ++row)
	{
		const uint8_t* here = tiles->awake + (size_t)row * tiles->columnCount;
		const uint8_t* next = tiles->awake + (size_t)((row + 1) % tiles->rowCount) * tiles->columnCount;
		tiles->spanCounts[row] =
			tnMakeSpans(here, here, tiles->columnCount, tiles->spans + (size_t)row * tiles->spanStride);
		tiles->sharedCounts[row] =
			tnMakeSpans(here, next, tiles->columnCount, tiles->sharedSpans + (size_t)row * tiles->spanStride);
	}
}

static float tnFindLargest(const float* values, int begin, int end)
{
	float largest = 0.0f;
	for (int c = begin; c < end; ++c)
	{
		largest = tnMaxFloat(largest, tnAbsFloat(values[c]));
	}
	return largest;
}

// How fast a face is, whatever it stores. A discharge counts however little water is left above it.
static float tnGetFaceSpeed(const tnGrid* grid, const float* flow, ptrdiff_t first, ptrdiff_t second)
{
	const float depth = tnFaceDepth(grid->bed[first], grid->depth[first], grid->bed[second], grid->depth[second]);
	const float speed = tnAbsFloat(flow[second]);
	return tnGrid_StoresVelocity(grid) ? speed : speed / tnMaxFloat(depth, TN_DRY_DEPTH);
}

// The largest speed of the faces of columns [begin, end) of a row.
static float tnFindRowSpeed(const tnGrid* grid, const tnFlowKernels* kernels, int row, int begin, int end)
{
	const ptrdiff_t index = tnGrid_Index(grid, 0, row);
	const ptrdiff_t above = index - grid->stride;
	const float* bed = grid->bed;
	const float* depth = grid->depth;
	if (tnGrid_StoresVelocity(grid))
	{
		return tnMaxFloat(
			tnFindLargest(grid->flowX + index, begin, end), tnFindLargest(grid->flowZ + index, begin, end));
	}
	// Whole vectors; the faces of the last few columns one by one, since ghosts do not count.
	const int wholeEnd = end - end % TN_ROW_PAD;
	float speed = kernels->maxSpeed(
		bed + index - 1, depth + index - 1, bed + index, depth + index, grid->flowX + index, begin, wholeEnd);
	speed = tnMaxFloat(speed,
		kernels->maxSpeed(
			bed + above, depth + above, bed + index, depth + index, grid->flowZ + index, begin, wholeEnd));
	for (int column = wholeEnd; column < end; ++column)
	{
		speed = tnMaxFloat(speed, tnGetFaceSpeed(grid, grid->flowX, index + column - 1, index + column));
		speed = tnMaxFloat(speed, tnGetFaceSpeed(grid, grid->flowZ, above + column, index + column));
	}
	return speed;
}

static void tnScanTile(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnScanContext* scan = context;
	const tnGrid* grid = scan->grid;
	tnTiles* tiles = scan->tiles;
	int tile = tiles->scanList[item];
	int columnBegin = (tile % tiles->columnCount) * TN_TILE_SIZE;
	int rowBegin = (tile / tiles->columnCount) * TN_TILE_SIZE;
	int columnEnd = tnMinInt(columnBegin + TN_TILE_SIZE, grid->columnCount);
	int rowEnd = tnMinInt(rowBegin + TN_TILE_SIZE, grid->rowCount);

	float maxSpeed = 0.0f;
	float maxDepth = 0.0f;
	// One row that moves settles it, and its depth matters only when it sleeps.
	for (int row = rowBegin; row < rowEnd && maxSpeed <= tiles->sleepSpeed; ++row)
	{
		maxSpeed = tnMaxFloat(maxSpeed, tnFindRowSpeed(grid, scan->kernels, row, columnBegin, columnEnd));
		maxDepth =
			tnMaxFloat(maxDepth, tnFindLargest(grid->depth + tnGrid_Index(grid, 0, row), columnBegin, columnEnd));
	}
	// The faces of the east and south edges belong to no other tile.
	for (int row = rowBegin; row < rowEnd && columnEnd == grid->columnCount; ++row)
	{
		const ptrdiff_t index = tnGrid_Index(grid, columnEnd, row);
		maxSpeed = tnMaxFloat(maxSpeed, tnGetFaceSpeed(grid, grid->flowX, index - 1, index));
	}
	for (int column = columnBegin; column < columnEnd && rowEnd == grid->rowCount; ++column)
	{
		const ptrdiff_t index = tnGrid_Index(grid, column, rowEnd);
		maxSpeed = tnMaxFloat(maxSpeed, tnGetFaceSpeed(grid, grid->flowZ, index - grid->stride, index));
	}
	tiles->maxSpeed[tile] = maxSpeed;
	tiles->maxDepth[tile] = maxDepth;
}

void tnTiles_Scan(tnTiles* tiles, const tnGrid* grid, const tnFlowKernels* kernels, tnParallel* parallel, bool stepEnds,
	int64_t stepCount, float timeStep)
{
	if (!tiles->enableSleep || tiles->awakeCount == 0)
	{
		return;
	}

	int scanCount = 0;
	for (int tile = 0; tile < tiles->count; ++tile)
	{
		bool mayWakeOthers = tiles->awake[tile] && !tiles->active[tile];
		bool mayRest = tiles->active[tile] && stepEnds && (stepCount + tile) % TN_SCAN_INTERVAL == 0;
		if (mayWakeOthers || mayRest)
		{
			tiles->scanList[scanCount] = tile;
			scanCount += 1;
		}
	}

	tnScanContext context = {tiles, grid, kernels};
	tnParallelFor(parallel, scanCount, tnScanTile, &context);

	for (int i = 0; i < scanCount; ++i)
	{
		int tile = tiles->scanList[i];
		if (tiles->maxSpeed[tile] > tiles->sleepSpeed || tiles->relaxing[tile])
		{
			tnActivate(tiles, tile);
		}
		else if (tiles->active[tile])
		{
			// The first look starts the clock: how long the tile had been at rest before is not known.
			tiles->restTime[tile] =
				tiles->restTime[tile] < 0.0f ? 0.0f : tiles->restTime[tile] + TN_SCAN_INTERVAL * timeStep;
			if (tiles->restTime[tile] > tiles->sleepTime)
			{
				tiles->active[tile] = 0;
				tiles->changed = true;
			}
		}
	}
}

tnSpanList tnTiles_GetSpans(const tnTiles* tiles, int tileRow)
{
	return (tnSpanList){tiles->spans + (size_t)tileRow * tiles->spanStride, tiles->spanCounts[tileRow]};
}

tnSpanList tnTiles_GetSharedSpans(const tnTiles* tiles, int tileRow)
{
	return (tnSpanList){tiles->sharedSpans + (size_t)tileRow * tiles->spanStride, tiles->sharedCounts[tileRow]};
}
