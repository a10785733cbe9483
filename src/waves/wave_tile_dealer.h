// SPDX-License-Identifier: MIT

#pragma once

#include "../bodies/bodies.h"
#include "../core/ids.h"
#include "../flow/grid.h"
#include "tarn/waves.h"
#include "wave_bed.h"
#include "wave_pool.h"

// Who gets the tiles of the pool: wave_tile_dealer.c has the rules.

typedef struct tnInterests
{
	tnIdPool ids;
	tnInterestDef* items;
	int capacity;
} tnInterests;

// A place that an interest asks for.
typedef struct tnWaveWish
{
	int column, row;
	int distance; // in 1024ths of the reach; those that have it already count as nearer
} tnWaveWish;

typedef struct tnWaveDealer
{
	tnInterests interests;
	tnWaveWish* wishes;
	int wishCapacity;
	tnWavePlace* chosen; // by level, coarse first; room for all of the pool
	int chosenCount;
	int32_t* chosenMap; // index + 1 by hash of the place; as large as the map of the pool
} tnWaveDealer;

bool tnWaveDealer_Create(tnWaveDealer* dealer, tnMemory* memory, const tnWavePool* pool);
void tnWaveDealer_Destroy(tnWaveDealer* dealer, tnMemory* memory, const tnWavePool* pool);

// Make room for one more interest. False if memory ran out.
bool tnWaveDealer_Reserve(tnWaveDealer* dealer, tnMemory* memory);
// The same for so many in all.
bool tnWaveDealer_ReserveMany(tnWaveDealer* dealer, tnMemory* memory, int count);

// Is there water under a tile?
bool tnIsWaveTileWet(const tnWavePool* pool, const tnWaveBed* bed, int level, int column, int row);

// A sum of what bodies ask for: another one means that tiles must be dealt anew. 0 if none asks.
uint64_t tnHashWaveBodies(const tnBodies* bodies, const tnGrid* grid);

// Deal anew. Tiles that nobody wants any more retire; new ones start at rest. True if something has changed.
bool tnWaveDealer_Deal(
	tnWaveDealer* dealer, tnWavePool* pool, const tnWaveBed* bed, const tnBodies* bodies, const tnGrid* grid);
