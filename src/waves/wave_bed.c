// SPDX-License-Identifier: MIT

// Level n of the bed has cells of 2^n cells of the world along each side, and a block of 64 cells is whole cells of all
// seven levels: a block can be read, and averaged upwards, without looking at its neighbours.

#include "wave_bed.h"

#include "../flow/grid_sample.h"

#include <string.h>

enum
{
	TN_BLOCK = TN_TILE_SIZE,
};

// Share of the depth, and speed of the current in m/s, by which a cell must change to make tiles follow. Phase speeds
// then are off by 1 % at most in shallow water.
#define TN_BED_DEPTH_CHANGE 0.02f
#define TN_BED_CURRENT_CHANGE 0.02f

// A body slower than this, m/s and rad/s, stands still.
#define TN_WALL_SPEED 0.05f
// Bodies that float in deep water are lifted by waves, which pass below them.
#define TN_WALL_RELIEF 0.5f

// Lay the fields of all levels into a block, which may be NULL. Returns how many bytes that takes.
static size_t tnLayLevels(tnWaveBed* bed, float* block, bool moves)
{
	tnCarver carver = {.block = (char*)block};
	for (int n = 0; n < bed->levelCount; ++n)
	{
		tnWaveBedLevel* level = bed->levels + n;
		const size_t bytes = (size_t)level->columnCount * (size_t)level->rowCount * sizeof(float);
		level->depth = tnCarve(&carver, bytes);
		level->wet = tnCarve(&carver, bytes);
		level->velocityX = moves ? tnCarve(&carver, bytes) : NULL;
		level->velocityZ = moves ? tnCarve(&carver, bytes) : NULL;
	}
	return carver.used;
}

void tnWaveBed_Init(tnWaveBed* bed, const tnGrid* grid, const tnWavesDef* def)
{
	*bed = (tnWaveBed){0};
	// One level more than there are bands would be of no use, but level 0 is always needed: finer bands read it.
	bed->levelCount = tnClampInt(def->levelCount - def->finerLevels, 1, 7);
	bed->blockColumnCount = (grid->columnCount + TN_BLOCK - 1) / TN_BLOCK;
	bed->blockRowCount = (grid->rowCount + TN_BLOCK - 1) / TN_BLOCK;
	bed->hasCurrent = def->enableDrift || def->enableDetail;
	for (int n = 0; n < bed->levelCount; ++n)
	{
		tnWaveBedLevel* level = bed->levels + n;
		level->columnCount = (grid->columnCount + (1 << n) - 1) >> n;
		level->rowCount = (grid->rowCount + (1 << n) - 1) >> n;
	}
}

bool tnWaveBed_Create(tnWaveBed* bed, tnMemory* memory)
{
	const size_t blockCount = (size_t)bed->blockColumnCount * (size_t)bed->blockRowCount;
	bed->memoryFloats = tnLayLevels(bed, NULL, bed->hasCurrent) / sizeof(float);
	bed->memory = tnMemory_Alloc(memory, bed->memoryFloats * sizeof(float));
	bed->stamps = tnMemory_Alloc(memory, blockCount * sizeof(uint32_t));
	bed->dirty = tnMemory_Alloc(memory, blockCount);
	bed->moved = tnMemory_Alloc(memory, blockCount);
	bed->list = tnMemory_Alloc(memory, blockCount * sizeof(int));
	bed->walls = tnMemory_Alloc(memory, blockCount * sizeof(uint32_t));
	bed->oldWalls = tnMemory_Alloc(memory, blockCount * sizeof(uint32_t));
	if (bed->walls == NULL || bed->oldWalls == NULL || bed->memory == NULL || bed->stamps == NULL ||
		bed->dirty == NULL || bed->moved == NULL || bed->list == NULL)
	{
		tnWaveBed_Destroy(bed, memory);
		return false;
	}
	tnLayLevels(bed, bed->memory, bed->hasCurrent);
	tnWaveBed_MarkAll(bed);
	return true;
}

void tnWaveBed_Clear(tnWaveBed* bed)
{
	const size_t blockCount = (size_t)bed->blockColumnCount * (size_t)bed->blockRowCount;
	// Array by array: there are red zones between them.
	for (int n = 0; n < bed->levelCount; ++n)
	{
		const tnWaveBedLevel* level = bed->levels + n;
		const size_t bytes = (size_t)level->columnCount * (size_t)level->rowCount * sizeof(float);
		memset(level->depth, 0, bytes);
		memset(level->wet, 0, bytes);
		if (level->velocityX != NULL)
		{
			memset(level->velocityX, 0, bytes);
			memset(level->velocityZ, 0, bytes);
		}
	}
	memset(bed->stamps, 0, blockCount * sizeof(uint32_t));
	memset(bed->moved, 0, blockCount);
	memset(bed->walls, 0, blockCount * sizeof(uint32_t));
	memset(bed->oldWalls, 0, blockCount * sizeof(uint32_t));
	bed->hadBodies = false;
	bed->stamp = 0;
	tnLayLevels(bed, bed->memory, bed->hasCurrent);
	tnWaveBed_MarkAll(bed);
}

void tnWaveBed_Destroy(tnWaveBed* bed, tnMemory* memory)
{
	const size_t blockCount = (size_t)bed->blockColumnCount * (size_t)bed->blockRowCount;
	tnMemory_Free(memory, bed->oldWalls, blockCount * sizeof(uint32_t));
	tnMemory_Free(memory, bed->walls, blockCount * sizeof(uint32_t));
	tnMemory_Free(memory, bed->list, blockCount * sizeof(int));
	tnMemory_Free(memory, bed->moved, blockCount);
	tnMemory_Free(memory, bed->dirty, blockCount);
	tnMemory_Free(memory, bed->stamps, blockCount * sizeof(uint32_t));
	tnMemory_Free(memory, bed->memory, bed->memoryFloats * sizeof(float));
	bed->oldWalls = NULL;
	bed->walls = NULL;
	bed->list = NULL;
	bed->dirty = NULL;
	bed->moved = NULL;
	bed->stamps = NULL;
	bed->memory = NULL;
	bed->memoryFloats = 0;
}

void tnWaveBed_MarkAll(tnWaveBed* bed)
{
	for (int block = 0; block < bed->blockColumnCount * bed->blockRowCount; ++block)
	{
		bed->dirty[block] = 1;
	}
}

typedef struct tnBedReading
{
	tnWaveBed* bed;
	const tnGrid* grid;
	const tnTiles* tiles;
	const tnBodies* bodies;
	uint32_t stamp;
} tnBedReading;

// ---------------------------------------------------------------------------------------------------------------------
// Bodies

// Is a body a wall for waves? One that moves makes waves instead.
static bool tnIsWall(const tnBody* body)
{
	const tnVec3 v = body->motion.velocity;
	const tnVec3 s = body->motion.spin;
	return body->mode == tn_blockingBody && body->relief < TN_WALL_RELIEF &&
		v.x * v.x + v.y * v.y + v.z * v.z < TN_WALL_SPEED * TN_WALL_SPEED &&
		s.x * s.x + s.y * s.y + s.z * s.z < TN_WALL_SPEED * TN_WALL_SPEED;
}

// The cells of a body that are part of a rectangle of cells.
static tnCellBox tnClipBox(const tnBody* body, int columnBegin, int columnEnd, int rowBegin, int rowEnd)
{
	return (tnCellBox){
		tnMaxInt(body->box.columnBegin, columnBegin),
		tnMinInt(body->box.columnEnd, columnEnd),
		tnMaxInt(body->box.rowBegin, rowBegin),
		tnMinInt(body->box.rowEnd, rowEnd),
	};
}

// Blocks in which other bodies stand than before, or stand elsewhere, must be read again.
static void tnFindWalls(tnWaveBed* bed, const tnGrid* grid, const tnBodies* bodies)
{
	const int blockCount = bed->blockColumnCount * bed->blockRowCount;
	uint32_t* swap = bed->oldWalls;
	bed->oldWalls = bed->walls;
	bed->walls = swap;
	memset(bed->walls, 0, (size_t)blockCount * sizeof(uint32_t));
	for (int i = 0; i < bodies->count; ++i)
	{
		const tnBody* body = tnBodies_Get(bodies, bodies->list[i]);
		if (!tnIsWall(body))
		{
			continue;
		}
		// The place of a thing at rest is its checksum; to a centimeter, because engines let things creep.
		const tnVec3 p = body->pose.position;
		uint32_t sum = (uint32_t)(bodies->list[i] + 1) * 0x9e3779b1u;
		sum ^= (uint32_t)(int32_t)tnClampFloat(p.x * 100.0f, -1.0e9f, 1.0e9f) * 0x85ebca77u;
		sum ^= (uint32_t)(int32_t)tnClampFloat(p.y * 100.0f, -1.0e9f, 1.0e9f) * 0xc2b2ae3du;
		sum ^= (uint32_t)(int32_t)tnClampFloat(p.z * 100.0f, -1.0e9f, 1.0e9f) * 0x27d4eb2fu;
		const tnCellBox box = tnClipBox(body, 0, grid->columnCount, 0, grid->rowCount);
		for (int row = box.rowBegin / TN_BLOCK; row * TN_BLOCK < box.rowEnd; ++row)
		{
			for (int column = box.columnBegin / TN_BLOCK; column * TN_BLOCK < box.columnEnd; ++column)
			{
				bed->walls[row * bed->blockColumnCount + column] += sum | 1u;
			}
		}
	}
	for (int block = 0; block < blockCount; ++block)
	{
		bed->dirty[block] |= bed->walls[block] != bed->oldWalls[block] ? 1 : 0;
	}
}

// Take from the water of a block what bodies cover of it: where they reach from the surface down through half of it.
static void tnCoverBlock(const tnBedReading* reading, tnCellBox block, float* wet)
{
	const tnGrid* grid = reading->grid;
	for (int i = 0; i < reading->bodies->count; ++i)
	{
		const tnBody* body = tnBodies_Get(reading->bodies, reading->bodies->list[i]);
		const tnCellBox box = tnClipBox(body, block.columnBegin, block.columnEnd, block.rowBegin, block.rowEnd);
		if (!tnIsWall(body) || box.columnBegin >= box.columnEnd || box.rowBegin >= box.rowEnd)
		{
			continue;
		}
		for (int k = 0; k < body->cut.columnCount; ++k)
		{
			const tnColumn column = tnCut_GetColumn(&body->cut, k);
			if (column.column < block.columnBegin || column.column >= block.columnEnd || column.row < block.rowBegin ||
				column.row >= block.rowEnd)
			{
				continue;
			}
			const ptrdiff_t cell = tnGrid_Index(grid, column.column, column.row);
			const float height = tnGrid_GetHeight(grid, cell);
			const float surface = grid->bed[cell] + height;
			if (column.high > surface && column.low < surface - 0.5f * height)
			{
				float* share =
					wet + (ptrdiff_t)(column.row - block.rowBegin) * TN_BLOCK + column.column - block.columnBegin;
				*share = tnMaxFloat(*share - column.share, 0.0f);
			}
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Reading

// Rows of cells, of which `open` has the shares that no wall covers. As the loops below, these have no branches, so that compilers
// make vectors of them.
//
// What is compared with is what tiles were fitted to, not what was read last: water that rises by little and for long, or a
// current that dies away, is followed in the end. So a block is read as a whole or stays as it was.

static int tnFindOtherDepths(const float* restrict cells, const float* restrict open, int count,
	const float* restrict depths, const float* restrict wets)
{
	int changed = 0;
	for (int i = 0; i < count; ++i)
	{
		const float water = cells[i];
		const float share = open[i];
		const float depth = water > TN_WAVE_WET_DEPTH ? water : 0.0f;
		const float wet = depth > 0.0f ? share : 0.0f;
		const int isOther = wet != wets[i];
		const int isDeeper = tnAbsFloat(depth - depths[i]) > TN_BED_DEPTH_CHANGE * depths[i];
		changed |= isOther | isDeeper;
	}
	return changed;
}

static void tnReadDepths(
	const float* restrict cells, const float* restrict open, int count, float* restrict depths, float* restrict wets)
{
	for (int i = 0; i < count; ++i)
	{
		const float water = cells[i];
		const float share = open[i];
		const float depth = water > TN_WAVE_WET_DEPTH ? water : 0.0f;
		depths[i] = depth;
		wets[i] = depth > 0.0f ? share : 0.0f;
	}
}

static int tnFindOtherVelocities(
	const float* restrict cells, const float* restrict waters, int count, const float* restrict velocities)
{
	int changed = 0;
	for (int i = 0; i < count; ++i)
	{
		const float read = cells[i];
		const float velocity = waters[i] > TN_WAVE_WET_DEPTH ? read : 0.0f;
		const int isOther = tnAbsFloat(velocity - velocities[i]) > TN_BED_CURRENT_CHANGE;
		changed |= isOther;
	}
	return changed;
}

static void tnReadVelocities(
	const float* restrict cells, const float* restrict waters, int count, float* restrict velocities)
{
	for (int i = 0; i < count; ++i)
	{
		const float read = cells[i];
		velocities[i] = waters[i] > TN_WAVE_WET_DEPTH ? read : 0.0f;
	}
}

// Read the cells of the world of a block, or only see whether one of them has changed enough.
static bool tnReadBlock(const tnBedReading* reading, int block, bool moves, bool reads)
{
	const tnGrid* grid = reading->grid;
	const tnWaveBedLevel* level = reading->bed->levels;
	const int columnBegin = block % reading->bed->blockColumnCount * TN_BLOCK;
	const int rowBegin = block / reading->bed->blockColumnCount * TN_BLOCK;
	const int columnEnd = tnMinInt(columnBegin + TN_BLOCK, grid->columnCount);
	const int rowEnd = tnMinInt(rowBegin + TN_BLOCK, grid->rowCount);
	const int count = columnEnd - columnBegin;
	float open[TN_BLOCK * TN_BLOCK];
	const bool walled = reading->bed->walls[block] != 0;
	for (int i = 0; i < (walled ? TN_BLOCK * TN_BLOCK : TN_BLOCK); ++i)
	{
		open[i] = 1.0f;
	}
	if (walled)
	{
		tnCoverBlock(reading, (tnCellBox){columnBegin, columnEnd, rowBegin, rowEnd}, open);
	}
	int changed = 0;
	for (int row = rowBegin; row < rowEnd && (reads || changed == 0); ++row)
	{
		const ptrdiff_t out = (ptrdiff_t)row * level->columnCount + columnBegin;
		const float* waters = grid->depth + tnGrid_Index(grid, columnBegin, row);
		const float* shares = open + (walled ? (row - rowBegin) * TN_BLOCK : 0);
		float velocities[2][TN_BLOCK] = {0};
		if (level->velocityX != NULL && moves)
		{
			tnGrid_CopyVelocityRow(grid, row, columnBegin, columnEnd, velocities[0], velocities[1]);
		}
		if (reads)
		{
			tnReadDepths(waters, shares, count, level->depth + out, level->wet + out);
		}
		else
		{
			changed |= tnFindOtherDepths(waters, shares, count, level->depth + out, level->wet + out);
		}
		for (int axis = 0; axis < 2 && level->velocityX != NULL; ++axis)
		{
			float* kept = (axis == 0 ? level->velocityX : level->velocityZ) + out;
			if (reads)
			{
				tnReadVelocities(velocities[axis], waters, count, kept);
			}
			else
			{
				changed |= tnFindOtherVelocities(velocities[axis], waters, count, kept);
			}
		}
	}
	return changed != 0;
}

// Four cells of a level that become one of the next, for a row of such: how much each counts, and one over the sum of that.
typedef struct tnFours
{
	float shares[4][TN_BLOCK / 2];
	float perWet[TN_BLOCK / 2];
} tnFours;

// @param right, down to the other cells, 0 where the world ends; @param shareX, shareZ of what is there then
static void tnShareFours(const float* restrict wets, ptrdiff_t right, ptrdiff_t down, float shareX, float shareZ,
	int count, tnFours* restrict fours, float* restrict out)
{
	for (int i = 0; i < count; ++i)
	{
		const float a = wets[2 * i];
		const float b = wets[2 * i + right] * shareX;
		const float c = wets[2 * i + down] * shareZ;
		const float d = wets[2 * i + down + right] * (shareX * shareZ);
		// Opposite corners in pairs, so that a turned or mirrored world has the same sums.
		const float wet = (a + d) + (b + c);
		fours->shares[0][i] = a;
		fours->shares[1][i] = b;
		fours->shares[2][i] = c;
		fours->shares[3][i] = d;
		fours->perWet[i] = wet > 0.0f ? 1.0f / wet : 0.0f;
		out[i] = 0.25f * wet;
	}
}

static void tnAverageFours(const float* restrict values, ptrdiff_t right, ptrdiff_t down, int count,
	const tnFours* restrict fours, float* restrict out)
{
	for (int i = 0; i < count; ++i)
	{
		const float outer = fours->shares[0][i] * values[2 * i] + fours->shares[3][i] * values[2 * i + down + right];
		const float inner = fours->shares[1][i] * values[2 * i + right] + fours->shares[2][i] * values[2 * i + down];
		out[i] = (outer + inner) * fours->perWet[i];
	}
}

// Cells of a row of a level, `count` of them from one that begins at `first` in the finer level.
static void tnAverageCells(const tnWaveBedLevel* fine, const tnWaveBedLevel* coarse, ptrdiff_t first, ptrdiff_t out,
	ptrdiff_t right, ptrdiff_t down, float shareX, float shareZ, int count)
{
	tnFours fours;
	tnShareFours(fine->wet + first, right, down, shareX, shareZ, count, &fours, coarse->wet + out);
	tnAverageFours(fine->depth + first, right, down, count, &fours, coarse->depth + out);
	if (coarse->velocityX != NULL)
	{
		tnAverageFours(fine->velocityX + first, right, down, count, &fours, coarse->velocityX + out);
		tnAverageFours(fine->velocityZ + first, right, down, count, &fours, coarse->velocityZ + out);
	}
}

// Average a block from one level to the next.
static void tnAverageBlock(const tnWaveBed* bed, int block, int n)
{
	const tnWaveBedLevel* fine = bed->levels + n - 1;
	const tnWaveBedLevel* coarse = bed->levels + n;
	const int size = TN_BLOCK >> n;
	const int columnBegin = block % bed->blockColumnCount * size;
	const int rowBegin = block / bed->blockColumnCount * size;
	const int columnEnd = tnMinInt(columnBegin + size, coarse->columnCount);
	const int rowEnd = tnMinInt(rowBegin + size, coarse->rowCount);
	// Those that have four cells, and one at the end that may have two.
	const int whole = tnMaxInt(tnMinInt(columnEnd, fine->columnCount / 2), columnBegin);
	for (int row = rowBegin; row < rowEnd; ++row)
	{
		const int down = 2 * row + 1 < fine->rowCount ? fine->columnCount : 0;
		// Beyond the edge of the world: walls, or more of the same.
		const float shareX = bed->openX ? 1.0f : 0.0f;
		const float shareZ = down > 0 || bed->openZ ? 1.0f : 0.0f;
		const ptrdiff_t first = (ptrdiff_t)(2 * row) * fine->columnCount;
		const ptrdiff_t out = (ptrdiff_t)row * coarse->columnCount;
		// A constant way to the right, so that compilers make vectors of it.
		tnAverageCells(
			fine, coarse, first + 2 * columnBegin, out + columnBegin, 1, down, 1.0f, shareZ, whole - columnBegin);
		tnAverageCells(fine, coarse, first + 2 * whole, out + whole, 0, down, shareX, shareZ, columnEnd - whole);
	}
}

static void tnRefreshBlock(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnBedReading* reading = context;
	tnWaveBed* bed = reading->bed;
	const int block = bed->list[item];
	const bool moves = reading->tiles->awake[block] != 0 || reading->tiles->edited[block] != 0;
	const bool changed = tnReadBlock(reading, block, moves, false);
	const bool isDirty = bed->dirty[block] != 0;
	bed->moved[block] = moves ? 1 : 0;
	bed->dirty[block] = 0;
	if (changed)
	{
		bed->stamps[block] = reading->stamp;
		(void)tnReadBlock(reading, block, moves, true);
	}
	// What is beyond an edge may be another without a change of any cell.
	for (int n = 1; n < bed->levelCount && (changed || isDirty); ++n)
	{
		tnAverageBlock(bed, block, n);
	}
}

bool tnWaveBed_Refresh(tnWaveBed* bed, const tnGrid* grid, tnTiles* tiles, const tnBodies* bodies, tnParallel* parallel,
	int64_t stepCount, bool atOnce)
{
	if (bodies->count > 0 || bed->hadBodies)
	{
		tnFindWalls(bed, grid, bodies);
		bed->hadBodies = bodies->count > 0;
	}
	const int blockCount = bed->blockColumnCount * bed->blockRowCount;
	const bool turn = atOnce || stepCount % TN_BED_PERIOD == 0;
	int count = 0;
	for (int block = 0; block < blockCount; ++block)
	{
		const bool moves = tiles->awake[block] != 0 || bed->moved[block] != 0 || tiles->edited[block] != 0;
		if (bed->dirty[block] != 0 || (moves && turn))
		{
			bed->list[count++] = block;
		}
	}
	const uint32_t stamp = bed->stamp + 1;
	tnBedReading reading = {bed, grid, tiles, bodies, stamp};
	tnParallelFor(parallel, count, tnRefreshBlock, &reading);
	if (turn)
	{
		memset(tiles->edited, 0, (size_t)tiles->count);
		tiles->anyEdited = false;
	}
	bool changed = false;
	for (int i = 0; i < count; ++i)
	{
		changed = changed || bed->stamps[bed->list[i]] == stamp;
	}
	bed->stamp = changed ? stamp : bed->stamp;
	return changed;
}

uint32_t tnWaveBed_GetStamp(const tnWaveBed* bed, int columnBegin, int columnEnd, int rowBegin, int rowEnd)
{
	uint32_t latest = 0;
	const int blockColumnBegin = tnMaxInt(columnBegin, 0) / TN_BLOCK;
	const int blockRowBegin = tnMaxInt(rowBegin, 0) / TN_BLOCK;
	const int blockColumnEnd = tnMinInt((columnEnd + TN_BLOCK - 1) / TN_BLOCK, bed->blockColumnCount);
	const int blockRowEnd = tnMinInt((rowEnd + TN_BLOCK - 1) / TN_BLOCK, bed->blockRowCount);
	for (int row = blockRowBegin; row < blockRowEnd; ++row)
	{
		for (int column = blockColumnBegin; column < blockColumnEnd; ++column)
		{
			const uint32_t stamp = bed->stamps[row * bed->blockColumnCount + column];
			latest = stamp > latest ? stamp : latest;
		}
	}
	return latest;
}

bool tnWaveBed_IsWet(const tnWaveBed* bed, int columnBegin, int columnEnd, int rowBegin, int rowEnd)
{
	// A level in which the rectangle is a few cells wide.
	int n = 0;
	while (n + 1 < bed->levelCount && (columnEnd - columnBegin) >> n > 8)
	{
		n += 1;
	}
	const tnWaveBedLevel* level = bed->levels + n;
	const int lastColumn = tnMinInt((columnEnd - 1) >> n, level->columnCount - 1);
	const int lastRow = tnMinInt((rowEnd - 1) >> n, level->rowCount - 1);
	for (int row = tnMaxInt(rowBegin, 0) >> n; row <= lastRow; ++row)
	{
		for (int column = tnMaxInt(columnBegin, 0) >> n; column <= lastColumn; ++column)
		{
			if (level->wet[(ptrdiff_t)row * level->columnCount + column] > 0.0f)
			{
				return true;
			}
		}
	}
	return false;
}
