// SPDX-License-Identifier: MIT

// The tiles of the wave layer, which of them are neighbours, and their halos.

#include "wave_pool.h"

#include <string.h>

// Cells of halo that a field has.
static int tnGetFieldHalo(tnWaveField field)
{
	switch (field)
	{
		case tn_waveHeight:
		case tn_waveRate:
		case tn_waveMask:
		case tn_waveDriftX:
		case tn_waveDriftZ:
			return TN_WAVE_HALO;
		case tn_waveWindow:
		case tn_waveLimit:
		case tn_waveOfferedHeight:
		case tn_waveOfferedRate:
			return 0;
		case tn_waveDepth:
			return TN_WAVE_DEPTH_HALO;
		default:
			return TN_WAVE_REACH;
	}
}

static bool tnHasField(tnWaveField field, const tnWavesDef* def)
{
	switch (field)
	{
		case tn_waveSlopeRest:
		case tn_waveTwist:
			return def->kernel == tn_fineWaves;
		case tn_waveDriftX:
		case tn_waveDriftZ:
			return def->enableDrift;
		case tn_waveLimit:
			return def->breakingLimit > 0.0f;
		case tn_waveOfferedHeight:
		case tn_waveOfferedPotential:
		case tn_waveOfferedRate:
			return def->takeFromFlow;
		default:
			return true;
	}
}

static size_t tnGetFieldFloats(tnWaveField field)
{
	return (size_t)(TN_WAVE_TILE + 2 * tnGetFieldHalo(field)) * TN_WAVE_STRIDE;
}

float* tnWaveTile_GetMemory(const tnWaveTile* tile, tnWaveField field, size_t* floats)
{
	*floats = tnGetFieldFloats(field);
	if (tile->fields[field] == NULL)
	{
		return NULL;
	}
	return tile->fields[field] - (ptrdiff_t)tnGetFieldHalo(field) * TN_WAVE_STRIDE - TN_WAVE_PAD;
}

static bool tnIsKept(tnWaveField field)
{
	return field >= tn_waveRest && field <= tn_waveTwist;
}

// Lay a field into a block, if it has one and the layer has a use for it.
static void tnLayField(tnCarver* carver, const tnWavesDef* def, tnWaveField field, float** pointer)
{
	const size_t before = (size_t)tnGetFieldHalo(field) * TN_WAVE_STRIDE + TN_WAVE_PAD;
	float* memory = tnHasField(field, def) ? tnCarve(carver, tnGetFieldFloats(field) * sizeof(float)) : NULL;
	if (memory != NULL)
	{
		*pointer = memory + before;
	}
}

// Lay the fields of all tiles into a block, which may be NULL. Returns how many bytes that takes.
static size_t tnLayTiles(tnWavePool* pool, float* block, const tnWavesDef* def)
{
	tnCarver carver = {.block = (char*)block};
	for (int slot = 0; slot < pool->capacity; ++slot)
	{
		for (int field = 0; field < tn_waveFieldCount; ++field)
		{
			if (!tnIsKept((tnWaveField)field))
			{
				tnLayField(&carver, def, (tnWaveField)field, block != NULL ? pool->tiles[slot].fields + field : NULL);
			}
		}
	}
	for (int i = 0; i < pool->keptCapacity; ++i)
	{
		for (int field = 0; field < TN_WAVE_KEPT_FIELDS; ++field)
		{
			tnLayField(
				&carver, def, (tnWaveField)(tn_waveRest + field), block != NULL ? pool->kept[i].fields + field : NULL);
		}
	}
	return carver.used;
}

bool tnWavePool_Create(tnWavePool* pool, tnMemory* memory, const tnWavesDef* def, int columnCount, int rowCount,
	float cellSize, tnVec2 origin)
{
	*pool = (tnWavePool){0};
	pool->levelCount = def->levelCount;
	pool->finerLevels = def->finerLevels;
	pool->origin = origin;
	pool->allowance = def->tileCount;
	pool->keptSteps = def->keptSteps;
	for (int field = 0; field < tn_waveFieldCount; ++field)
	{
		pool->has[field] = tnHasField((tnWaveField)field, def);
	}
	int64_t places = 0;
	for (int level = 0; level < def->levelCount; ++level)
	{
		const int coarser = level - def->finerLevels;
		double size = cellSize;
		int columns = columnCount;
		int rows = rowCount;
		for (int i = 0; i < coarser; ++i)
		{
			size *= 2.0;
			columns = (columns + 1) / 2;
			rows = (rows + 1) / 2;
		}
		for (int i = coarser; i < 0; ++i)
		{
			size *= 0.5;
			columns *= 2;
			rows *= 2;
		}
		pool->cellSize[level] = (float)size;
		pool->columnCount[level] = columns;
		pool->rowCount[level] = rows;
		places += (int64_t)((columns + TN_WAVE_TILE - 1) / TN_WAVE_TILE) * ((rows + TN_WAVE_TILE - 1) / TN_WAVE_TILE);
	}
	pool->capacity = places < def->tileCount ? (int)places : def->tileCount;

	pool->mapSize = 16;
	while (pool->mapSize < 4 * pool->capacity)
	{
		pool->mapSize *= 2;
	}
	pool->keptCapacity = pool->keptSteps * pool->capacity;
	pool->kept = tnMemory_Alloc(memory, (size_t)pool->keptCapacity * sizeof(tnWaveKept));
	pool->freeKept = tnMemory_Alloc(memory, (size_t)pool->keptCapacity * sizeof(int));
	pool->tiles = tnMemory_Alloc(memory, (size_t)pool->capacity * sizeof(tnWaveTile));
	pool->order = tnMemory_Alloc(memory, (size_t)pool->capacity * sizeof(int));
	pool->map = tnMemory_Alloc(memory, (size_t)pool->mapSize * sizeof(int32_t));
	if (pool->kept == NULL || pool->freeKept == NULL || pool->tiles == NULL || pool->order == NULL || pool->map == NULL)
	{
		tnWavePool_Destroy(pool, memory);
		return false;
	}
	pool->freeKeptCount = pool->keptCapacity;
	for (int i = 0; i < pool->keptCapacity; ++i)
	{
		pool->freeKept[i] = pool->keptCapacity - 1 - i;
	}
	return true;
}

bool tnWavePool_CreateFields(tnWavePool* pool, tnMemory* memory, const tnWavesDef* def)
{
	pool->memoryFloats = tnLayTiles(pool, NULL, def) / sizeof(float);
	pool->memory = tnMemory_Alloc(memory, pool->memoryFloats * sizeof(float));
	if (pool->memory == NULL)
	{
		pool->memoryFloats = 0;
		return false;
	}
	tnLayTiles(pool, pool->memory, def);
	return true;
}

void tnWavePool_FreeFields(tnWavePool* pool, tnMemory* memory)
{
	tnMemory_Free(memory, pool->memory, pool->memoryFloats * sizeof(float));
	pool->memory = NULL;
	pool->memoryFloats = 0;
	for (int slot = 0; slot < pool->capacity && pool->tiles != NULL; ++slot)
	{
		memset(pool->tiles[slot].fields, 0, sizeof(pool->tiles[slot].fields));
	}
}

void tnWavePool_Destroy(tnWavePool* pool, tnMemory* memory)
{
	tnWavePool_FreeFields(pool, memory);
	tnMemory_Free(memory, pool->map, (size_t)pool->mapSize * sizeof(int32_t));
	tnMemory_Free(memory, pool->order, (size_t)pool->capacity * sizeof(int));
	tnMemory_Free(memory, pool->tiles, (size_t)pool->capacity * sizeof(tnWaveTile));
	tnMemory_Free(memory, pool->freeKept, (size_t)pool->keptCapacity * sizeof(int));
	tnMemory_Free(memory, pool->kept, (size_t)pool->keptCapacity * sizeof(tnWaveKept));
	*pool = (tnWavePool){0};
}

void tnWavePool_SetWrap(tnWavePool* pool, bool wrapX, bool wrapZ, int columnCount, int rowCount)
{
	for (int level = 0; level < pool->levelCount; ++level)
	{
		// Cells of the level must fill the world, and tiles the cells.
		const int coarser = level - pool->finerLevels;
		const int columns = coarser > 0 ? 1 << coarser : 1;
		pool->wrapX[level] = wrapX && columnCount % columns == 0 && pool->columnCount[level] % TN_WAVE_TILE == 0;
		pool->wrapZ[level] = wrapZ && rowCount % columns == 0 && pool->rowCount[level] % TN_WAVE_TILE == 0;
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Who is where

uint32_t tnHashWavePlace(int level, int column, int row)
{
	uint32_t hash = (uint32_t)column * 0x9e3779b1u ^ (uint32_t)row * 0x85ebca77u ^ (uint32_t)level * 0xc2b2ae3du;
	hash ^= hash >> 15;
	hash *= 0x2c1b3c6du;
	return hash ^ hash >> 13;
}

int tnWavePool_Find(const tnWavePool* pool, int level, int column, int row)
{
	if (level < 0 || level >= pool->levelCount)
	{
		return -1;
	}
	if (pool->wrapX[level])
	{
		column = tnWrapWaveIndex(column, pool->columnCount[level] / TN_WAVE_TILE);
	}
	if (pool->wrapZ[level])
	{
		row = tnWrapWaveIndex(row, pool->rowCount[level] / TN_WAVE_TILE);
	}
	const uint32_t mask = (uint32_t)pool->mapSize - 1;
	for (uint32_t at = tnHashWavePlace(level, column, row) & mask; pool->map[at] != 0; at = (at + 1) & mask)
	{
		const tnWaveTile* tile = pool->tiles + pool->map[at] - 1;
		if (tile->level == level && tile->column == column && tile->row == row)
		{
			return pool->map[at] - 1;
		}
	}
	return -1;
}

int tnWavePool_FindChild(const tnWavePool* pool, const tnWaveTile* tile, int child)
{
	const int level = tile->level - 1;
	const int column = 2 * tile->column + child % 2;
	const int row = 2 * tile->row + child / 2;
	if (level < 0 || column >= (pool->columnCount[level] + TN_WAVE_TILE - 1) / TN_WAVE_TILE ||
		row >= (pool->rowCount[level] + TN_WAVE_TILE - 1) / TN_WAVE_TILE)
	{
		return -1;
	}
	return tnWavePool_Find(pool, level, column, row);
}

int tnWavePool_Take(tnWavePool* pool, tnWavePlace place)
{
	for (int slot = 0; slot < pool->capacity; ++slot)
	{
		tnWaveTile* tile = pool->tiles + slot;
		if (tile->used)
		{
			continue;
		}
		tile->level = place.level;
		tile->column = place.column;
		tile->row = place.row;
		tile->used = true;
		tile->retiring = false;
		tile->retire = 1.0f;
		tile->restTime = 0.0f;
		tile->windSquare = 0.0f;
		tile->windGain = 0.0f;
		tile->rests = true;
		tile->varied = false;
		tile->windows = false;
		tile->drifts = false;
		tile->offered = false;
		tile->fresh = true;
		for (int field = 0; field <= tn_waveRate; ++field)
		{
			float* begin = tile->fields[field] - TN_WAVE_HALO * TN_WAVE_STRIDE - TN_WAVE_PAD;
			memset(begin, 0, tnGetFieldFloats((tnWaveField)field) * sizeof(float));
		}
		return slot;
	}
	return -1;
}

void tnWavePool_ForgetKept(tnWavePool* pool, int slot)
{
	tnWaveTile* tile = pool->tiles + slot;
	while (tile->keptCount > 0)
	{
		pool->freeKept[pool->freeKeptCount++] = tile->kept[--tile->keptCount];
	}
	tile->fitStep = 0.0f;
}

void tnWavePool_Release(tnWavePool* pool, int slot)
{
	tnWavePool_ForgetKept(pool, slot);
	pool->tiles[slot].used = false;
}

// Coarse levels first, then by row, then by column.
static bool tnComesBefore(const tnWaveTile* a, const tnWaveTile* b)
{
	if (a->level != b->level)
	{
		return a->level > b->level;
	}
	return a->row != b->row ? a->row < b->row : a->column < b->column;
}

static void tnSiftDown(const tnWavePool* pool, int* order, int at, int count)
{
	for (;;)
	{
		int child = 2 * at + 1;
		if (child >= count)
		{
			return;
		}
		if (child + 1 < count && tnComesBefore(pool->tiles + order[child], pool->tiles + order[child + 1]))
		{
			child += 1;
		}
		if (!tnComesBefore(pool->tiles + order[at], pool->tiles + order[child]))
		{
			return;
		}
		const int swap = order[at];
		order[at] = order[child];
		order[child] = swap;
		at = child;
	}
}

void tnWavePool_Link(tnWavePool* pool)
{
	memset(pool->map, 0, (size_t)pool->mapSize * sizeof(int32_t));
	const uint32_t mask = (uint32_t)pool->mapSize - 1;
	pool->count = 0;
	for (int slot = 0; slot < pool->capacity; ++slot)
	{
		const tnWaveTile* tile = pool->tiles + slot;
		if (!tile->used)
		{
			continue;
		}
		pool->order[pool->count++] = slot;
		uint32_t at = tnHashWavePlace(tile->level, tile->column, tile->row) & mask;
		while (pool->map[at] != 0)
		{
			at = (at + 1) & mask;
		}
		pool->map[at] = slot + 1;
	}

	// Heap sort: places are all different, so there is only one order.
	for (int i = pool->count / 2 - 1; i >= 0; --i)
	{
		tnSiftDown(pool, pool->order, i, pool->count);
	}
	for (int end = pool->count - 1; end > 0; --end)
	{
		const int swap = pool->order[0];
		pool->order[0] = pool->order[end];
		pool->order[end] = swap;
		tnSiftDown(pool, pool->order, 0, end);
	}

	for (int i = 0; i < pool->count; ++i)
	{
		tnWaveTile* tile = pool->tiles + pool->order[i];
		for (int k = 0; k < 9; ++k)
		{
			tile->neighbours[k] = tnWavePool_Find(pool, tile->level, tile->column + k % 3 - 1, tile->row + k / 3 - 1);
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// What they share

// Four columns from `begin` on, of which at least one is beyond what was asked for: halos have the room, and four floats
// are one instruction where three are a call. Zeros without a source.
static void tnCopyNarrow(float* target, const float* source, int begin, int rowBegin, int rowEnd)
{
	const float zeros[4] = {0.0f, 0.0f, 0.0f, 0.0f};
	for (int row = rowBegin; row < rowEnd; ++row)
	{
		const ptrdiff_t at = (ptrdiff_t)row * TN_WAVE_STRIDE + begin;
		memcpy(target + at, source != NULL ? source + at : zeros, sizeof(zeros));
	}
}

void tnWavePool_Exchange(const tnWavePool* pool, int slot, tnWaveField field, int width)
{
	const tnWaveTile* tile = pool->tiles + slot;
	for (int k = 0; k < 9; ++k)
	{
		if (k == 4)
		{
			continue;
		}
		const int right = k % 3 - 1;
		const int down = k / 3 - 1;
		const int columnBegin = right < 0 ? -width : (right > 0 ? TN_WAVE_TILE : 0);
		const int rowBegin = down < 0 ? -width : (down > 0 ? TN_WAVE_TILE : 0);
		const int rowEnd = down == 0 ? TN_WAVE_TILE : rowBegin + width;
		float* target = tile->fields[field] + columnBegin;
		const float* source = tile->neighbours[k] >= 0 ? pool->tiles[tile->neighbours[k]].fields[field] + columnBegin -
				right * TN_WAVE_TILE - down * TN_WAVE_TILE * TN_WAVE_STRIDE
													   : NULL;
		if (right != 0 && width <= TN_WAVE_REACH)
		{
			tnCopyNarrow(target, source, right < 0 ? width - 4 : 0, rowBegin, rowEnd);
			continue;
		}
		const size_t bytes = (size_t)(right == 0 ? TN_WAVE_TILE : width) * sizeof(float);
		for (int row = rowBegin; row < rowEnd; ++row)
		{
			if (source != NULL)
			{
				memcpy(target + row * TN_WAVE_STRIDE, source + row * TN_WAVE_STRIDE, bytes);
			}
			else
			{
				memset(target + row * TN_WAVE_STRIDE, 0, bytes);
			}
		}
	}
}

void tnWavePool_Wake(tnWavePool* pool, int slot)
{
	pool->tiles[slot].rests = false;
	pool->tiles[slot].restTime = 0.0f;
}
