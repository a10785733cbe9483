// SPDX-License-Identifier: MIT

// Life, edges, hash and stats of the wave layer.
//
// A lake on which nothing ever moved needs no waves. So the layer has its memory in two parts. Lists, points of interest, swell and
// wind are there from the beginning. Fields of tiles, bed, tables, ripples and scratch come with the first call that may make waves
// (tnWaves_Reserve, tnWaves_Stir), since no step may ask for memory. That this call was made is a part of the state; that memory is
// there is not: a world that is put back to before it has the memory, and the bits of one that never had.

#include "waves.h"

#include "../core/core.h"
#include "../core/hash.h"
#include "../core/numerics.h"
#include "wave_entry.h"
#include "wave_handover.h"
#include "wave_spectrum.h"
#include "wave_tile_fit.h"

#include <math.h>
#include <string.h>

// kg/m^3, as everywhere in tarn.
#define TN_WATER 1000.0

// Of water at 20 degrees, m^2/s: waves of bands may do without, ripples live on it.
#define TN_WATER_VISCOSITY 1.0e-6f

static size_t tnGetTableBytes(const tnWaves* waves)
{
	return (size_t)waves->def.levelCount * TN_WAVE_TABLES * sizeof(tnWaveTable);
}

// The small part of the layer: what answers questions while nothing was ever stirred.
bool tnWaves_Create(tnWaves* waves, tnMemory* memory, const tnGrid* grid, const tnWorldDef* def, int workerCount)
{
	*waves = (tnWaves){0};
	if (!def->waves.enable)
	{
		return true;
	}
	waves->def = def->waves;
	waves->simd = def->simd;
	waves->gravity = def->gravity;
	waves->workerCount = workerCount;
	waves->kernels = tnGetWaveKernels(def->simd);
	waves->filter = tnMakeWaveFilter(def->simd);
	bool ok = tnWavePool_Create(
		&waves->pool, memory, &waves->def, grid->columnCount, grid->rowCount, grid->cellSize, grid->origin);
	if (ok && waves->def.enableDetail)
	{
		const tnRipplesDef ripples = {
			.columnCount = grid->columnCount,
			.rowCount = grid->rowCount,
			.cellSize = grid->cellSize,
			.origin = grid->origin,
			.finestCell = waves->pool.cellSize[0],
			.gravity = waves->gravity,
			.viscosity = tnMaxFloat(waves->def.viscosity, TN_WATER_VISCOSITY),
			.damping = waves->def.damping,
			.film = 1.0f,
		};
		ok = (waves->ripples = tnRipples_Make(memory, &ripples)) != NULL;
	}
	ok = ok && tnWaveDealer_Create(&waves->dealer, memory, &waves->pool);
	tnWaveBed_Init(&waves->bed, grid, &waves->def);
	const bool now = waves->def.reserve || waves->def.takeFromFlow;
	ok = ok && (!now || tnWaves_Reserve(waves, memory, grid));
	if (!ok)
	{
		tnWaves_Destroy(waves, memory);
		return false;
	}
	waves->enabled = true;
	if (now)
	{
		tnWaves_Stir(waves);
	}
	return true;
}

static void tnWaves_FreeRoom(tnWaves* waves, tnMemory* memory)
{
	const size_t capacity = (size_t)waves->pool.capacity;
	tnWaves_DestroyHandover(waves, memory);
	if (waves->ripples != NULL)
	{
		tnRipples_Free(waves->ripples, memory);
	}
	tnMemory_Free(memory, waves->breakers, capacity * sizeof(tnBreaker));
	tnMemory_Free(memory, waves->handed, capacity * sizeof(int));
	tnMemory_Free(memory, waves->broken, capacity * sizeof(tnWaveBreaking));
	tnMemory_Free(memory, waves->largest, capacity * sizeof(float));
	tnMemory_Free(memory, waves->entryScratch, waves->entryFloats * sizeof(float));
	tnMemory_Free(memory, waves->list, capacity * sizeof(int));
	tnMemory_Free(memory, waves->scratch, waves->scratchFloats * (size_t)waves->workerCount * sizeof(float));
	tnMemory_Free(memory, waves->spectrumSums, tnGetSpectrumSumsBytes());
	waves->spectrumSums = NULL;
	tnMemory_Free(memory, waves->stamps, sizeof(tnWaveStamps));
	tnMemory_Free(memory, waves->tables, tnGetTableBytes(waves));
	tnWaveBed_Destroy(&waves->bed, memory);
	tnWavePool_FreeFields(&waves->pool, memory);
	waves->breakers = NULL;
	waves->handed = NULL;
	waves->broken = NULL;
	waves->largest = NULL;
	waves->entryScratch = NULL;
	waves->list = NULL;
	waves->scratch = NULL;
	waves->stamps = NULL;
	waves->tables = NULL;
}

bool tnWaves_Reserve(tnWaves* waves, tnMemory* memory, const tnGrid* grid)
{
	if (waves->hasRoom)
	{
		return true;
	}
	waves->scratchFloats = waves->kernels->scratchFloats > (size_t)TN_WAVE_FIT_SCRATCH ? waves->kernels->scratchFloats
																					   : (size_t)TN_WAVE_FIT_SCRATCH;
	tnCarver scratch = {0};
	tnCarve(&scratch, waves->scratchFloats * sizeof(float));
	const size_t scratchBytes = waves->scratchFloats * sizeof(float);
	waves->scratchFloats = scratch.used / sizeof(float);

	bool ok = tnWavePool_CreateFields(&waves->pool, memory, &waves->def);
	ok = ok && tnWaveBed_Create(&waves->bed, memory);
	const size_t capacity = (size_t)waves->pool.capacity;
	const int workerCount = waves->workerCount;
	ok = ok && (waves->tables = tnMemory_Alloc(memory, tnGetTableBytes(waves))) != NULL;
	ok = ok && (waves->spectrumSums = tnMemory_Alloc(memory, tnGetSpectrumSumsBytes())) != NULL;
	ok = ok && (waves->stamps = tnMemory_Alloc(memory, sizeof(tnWaveStamps))) != NULL;
	ok = ok &&
		(waves->scratch = tnMemory_Alloc(memory, waves->scratchFloats * (size_t)workerCount * sizeof(float))) != NULL;
	// Enough for all workers in blocks that are filled, and for more of them than that where they are not.
	waves->entryFloats = tnGetWaveEntryFloats(waves->def.levelCount) * (size_t)tnMinInt(workerCount, 4);
	ok = ok && (waves->entryScratch = tnMemory_Alloc(memory, waves->entryFloats * sizeof(float))) != NULL;
	ok = ok && (waves->list = tnMemory_Alloc(memory, capacity * sizeof(int))) != NULL;
	ok = ok && (waves->largest = tnMemory_Alloc(memory, capacity * sizeof(float))) != NULL;
	ok = ok && (waves->broken = tnMemory_Alloc(memory, capacity * sizeof(tnWaveBreaking))) != NULL;
	ok = ok && (waves->handed = tnMemory_Alloc(memory, capacity * sizeof(int))) != NULL;
	ok = ok && (waves->breakers = tnMemory_Alloc(memory, capacity * sizeof(tnBreaker))) != NULL;
	ok = ok && (waves->ripples == NULL || tnRipples_Reserve(waves->ripples, memory));
	ok = ok && (!waves->def.takeFromFlow || tnWaves_CreateHandover(waves, memory, grid, waves->simd, workerCount));
	if (!ok)
	{
		tnWaves_FreeRoom(waves, memory);
		return false;
	}
	scratch = (tnCarver){.block = (char*)waves->scratch};
	for (int i = 0; i < workerCount; ++i)
	{
		tnCarve(&scratch, scratchBytes);
	}
	tnMakeWaveStamps(waves->stamps);
	tnMakeSpectrumSums(waves->spectrumSums);
	waves->hasRoom = true;
	return true;
}

void tnWaves_Destroy(tnWaves* waves, tnMemory* memory)
{
	tnWaves_FreeRoom(waves, memory);
	tnRipples_Destroy(waves->ripples, memory);
	tnWaveDealer_Destroy(&waves->dealer, memory, &waves->pool);
	tnWavePool_Destroy(&waves->pool, memory);
	*waves = (tnWaves){0};
}

void tnWaves_Still(tnWaves* waves)
{
	tnWavePool* pool = &waves->pool;
	for (int slot = 0; slot < pool->capacity; ++slot)
	{
		tnWavePool_Release(pool, slot);
	}
	tnWavePool_Link(pool);
	pool->waits = false;
	waves->stirred = false;
	waves->timeStep = 0.0f;
	waves->driftDue = 0.0f;
	waves->account = 0.0;
	waves->bodyHash = 0;
	waves->breakerCount = 0;
	waves->mustDeal = false;
	waves->mustWindow = false;
}

void tnWaves_Stir(tnWaves* waves)
{
	if (waves->stirred)
	{
		return;
	}
	// Whatever was in this memory: what is not looked at was put back to an earlier time, perhaps.
	tnWaves_Still(waves);
	tnWaveBed_Clear(&waves->bed);
	if (waves->ripples != NULL)
	{
		tnRipples_Clear(waves->ripples);
	}
	waves->stirred = true;
	waves->mustDeal = true;
}

void tnWaves_PutEdges(tnWaves* waves, const tnGrid* grid, const tnEdgeKind* kinds)
{
	memcpy(waves->edges, kinds, sizeof(waves->edges));
	waves->bed.openX = kinds[tn_east] != tn_wallEdge;
	waves->bed.openZ = kinds[tn_south] != tn_wallEdge;
	tnWavePool_SetWrap(
		&waves->pool, kinds[tn_west] == tn_wrapEdge, kinds[tn_north] == tn_wrapEdge, grid->columnCount, grid->rowCount);
	if (waves->ripples != NULL)
	{
		tnRipples_SetEdges(waves->ripples, kinds);
	}
}

void tnWaves_SetEdges(tnWaves* waves, const tnGrid* grid, const tnEdgeKind* kinds)
{
	if (!waves->enabled)
	{
		return;
	}
	tnWaves_PutEdges(waves, grid, kinds);
	if (!waves->stirred)
	{
		return;
	}
	tnWavePool_Link(&waves->pool);
	tnWaveBed_MarkAll(&waves->bed);
	for (int i = 0; i < waves->pool.count; ++i)
	{
		waves->pool.tiles[waves->pool.order[i]].fresh = true;
	}
	waves->mustDeal = true;
	waves->mustWindow = true;
}

void tnWaves_SetGravity(tnWaves* waves, float gravity)
{
	if (!waves->enabled || waves->gravity == gravity)
	{
		return;
	}
	waves->gravity = gravity;
	memset(waves->tableSteps, 0, sizeof(waves->tableSteps));
	waves->timeStep = 0.0f;
	for (int slot = 0; slot < waves->pool.capacity; ++slot)
	{
		tnWavePool_ForgetKept(&waves->pool, slot);
	}
	if (waves->ripples != NULL)
	{
		tnRipples_SetGravity(waves->ripples, gravity);
	}
}

void tnWaves_Retune(tnWaves* waves)
{
	if (waves->ripples != NULL)
	{
		tnRipples_SetViscosity(waves->ripples, tnMaxFloat(waves->def.viscosity, TN_WATER_VISCOSITY));
		tnRipples_SetDamping(waves->ripples, waves->def.damping);
	}
}

float tnWaves_GetFrequency(const tnWaves* waves, int level, float depth)
{
	const double k = tnGetTypicalWaveNumber(waves->pool.cellSize[level]);
	return (float)sqrt(waves->gravity * k * tnTanh(k * depth));
}

uint64_t tnWaves_Hash(const tnWaves* waves, uint64_t hash)
{
	const tnWavePool* pool = &waves->pool;
	if (waves->handover != NULL)
	{
		hash = tnHashBytes(hash, &waves->account, sizeof(waves->account));
	}
	for (int i = 0; i < pool->count; ++i)
	{
		const tnWaveTile* tile = pool->tiles + pool->order[i];
		const int32_t place[3] = {tile->level, tile->column, tile->row};
		hash = tnHashBytes(hash, place, sizeof(place));
		for (int row = 0; row < TN_WAVE_TILE && !tile->rests; ++row)
		{
			const ptrdiff_t at = (ptrdiff_t)row * TN_WAVE_STRIDE;
			hash = tnHashBytes(hash, tile->fields[tn_waveHeight] + at, TN_WAVE_TILE * sizeof(float));
			hash = tnHashBytes(hash, tile->fields[tn_waveRate] + at, TN_WAVE_TILE * sizeof(float));
		}
	}
	return hash;
}

// Energy of a tile, J: both parts with the typical frequency of its level.
static double tnGetTileEnergy(const tnWaves* waves, const tnWaveTile* tile)
{
	const float frequency = tnWaves_GetFrequency(waves, tile->level, tile->depth);
	const double perFrequency = frequency > 0.0f ? 1.0 / ((double)frequency * frequency) : 0.0;
	double sum = 0.0;
	for (int row = 0; row < TN_WAVE_TILE; ++row)
	{
		for (int column = 0; column < TN_WAVE_TILE; ++column)
		{
			const ptrdiff_t at = (ptrdiff_t)row * TN_WAVE_STRIDE + column;
			const double height = tile->fields[tn_waveHeight][at];
			const double rate = tile->fields[tn_waveRate][at];
			const double mask = tile->varied ? tile->fields[tn_waveMask][at] : 1.0;
			sum += mask * (height * height + rate * rate * perFrequency);
		}
	}
	const double size = waves->pool.cellSize[tile->level];
	return 0.5 * TN_WATER * waves->gravity * size * size * sum;
}

void tnWaves_GetStats(const tnWaves* waves, tnWaveStats* stats)
{
	*stats = (tnWaveStats){0};
	const tnWavePool* pool = &waves->pool;
	for (int i = 0; i < pool->count; ++i)
	{
		const tnWaveTile* tile = pool->tiles + pool->order[i];
		stats->tileCounts[tile->level] += 1;
		if (!tile->rests)
		{
			stats->movingCounts[tile->level] += 1;
			stats->energies[tile->level] += tnGetTileEnergy(waves, tile);
		}
	}
	stats->brokenEnergy = waves->brokenEnergy;
	stats->byteCount = pool->memoryFloats * sizeof(float) + waves->bed.memoryFloats * sizeof(float) +
		(size_t)pool->capacity * (sizeof(tnWaveTile) + sizeof(int)) + (size_t)pool->mapSize * sizeof(int32_t) +
		(size_t)pool->keptCapacity * (sizeof(tnWaveKept) + sizeof(int));
	if (waves->hasRoom)
	{
		stats->byteCount += tnGetTableBytes(waves) + sizeof(tnWaveStamps) +
			waves->scratchFloats * (size_t)waves->workerCount * sizeof(float);
	}
}
