// SPDX-License-Identifier: MIT

// The wave layer as bytes: tiles with their heights, rates and what they have seen of the bed; the bed as it was read last;
// points of interest, swell, wind, ripples.

#include "wave_snapshot.h"

#include "../flow/flow_snapshot.h"
#include "wave_ripple_rows.h"
#include "wave_tile_fit.h"

#include <float.h>
#include <string.h>

// Heights, m, and rates, m/s, that bytes may have.
#define TN_MOST_WAVE 1.0e9f

bool tnWavesPlan_Prepare(const tnWavesPlan* plan, tnWaves* waves, tnMemory* memory, const tnGrid* grid)
{
	return !waves->enabled ||
		(tnWaveDealer_ReserveMany(&waves->dealer, memory, plan->interestCount) &&
			(!plan->stirred || tnWaves_Reserve(waves, memory, grid)));
}

// ---------------------------------------------------------------------------------------------------------------------
// Tiles

static void tnArchiveTileField(
	const tnWavePool* pool, const tnWaveTile* tile, tnArchive* archive, tnWaveField field, const char* name)
{
	if (pool->has[field])
	{
		size_t floats;
		float* begin = tnWaveTile_GetMemory(tile, field, &floats);
		tnArchive_Floats(archive, begin, floats, TN_MOST_WAVE, name);
	}
}

// A sum of what coefficients are made of.
static uint64_t tnSumSeen(const tnWaveTile* tile)
{
	const tnWaveField fields[] = {tn_waveMask, tn_waveMaskSum, tn_waveDepth};
	uint64_t sum = tile->varied ? 1 : 0;
	for (int i = 0; i < 3 && tile->varied; ++i)
	{
		size_t floats;
		const float* begin = tnWaveTile_GetMemory(tile, fields[i], &floats);
		sum = sum * 0x9e3779b97f4a7c15ull + tnSumBytes((const uint8_t*)begin, floats * sizeof(float));
	}
	return sum;
}

static void tnArchiveTileValues(tnWaveTile* tile, tnArchive* archive, const tnWavePool* pool)
{
	tnArchive_Int(archive, &tile->level, 0, pool->levelCount - 1, "tile.level");
	const int columns = pool->columnCount[tile->level] / TN_WAVE_TILE;
	const int rows = pool->rowCount[tile->level] / TN_WAVE_TILE;
	tnArchive_Int(archive, &tile->column, -4, columns + 4, "tile.column");
	tnArchive_Int(archive, &tile->row, -4, rows + 4, "tile.row");
	tnArchive_Float(archive, &tile->depth, 0.0f, TN_MOST_WAVE, "tile.depth");
	tnArchive_Float(archive, &tile->lowestLimit, 0.0f, FLT_MAX, "tile.lowestLimit");
	tnArchive_Float(archive, &tile->fastest, 0.0f, TN_MOST_WAVE, "tile.fastest");
	tnArchive_Float(archive, &tile->current, 0.0f, TN_MOST_WAVE, "tile.current");
	tnArchive_Float(archive, &tile->driftLimit, 0.0f, FLT_MAX, "tile.driftLimit");
	tnArchive_Float(archive, &tile->fitStep, 0.0f, 100.0f, "tile.fitStep");
	tnArchive_Float(archive, &tile->retire, 0.0f, 1.0f, "tile.retire");
	tnArchive_Float(archive, &tile->restTime, 0.0f, 1.0e18f, "tile.restTime");
	tnArchive_Bool(archive, &tile->wanted, "tile.wanted");
	tnArchive_Bool(archive, &tile->retiring, "tile.retiring");
	tnArchive_Bool(archive, &tile->rests, "tile.rests");
	tnArchive_Bool(archive, &tile->varied, "tile.varied");
	tnArchive_Bool(archive, &tile->windows, "tile.windows");
	tnArchive_Bool(archive, &tile->drifts, "tile.drifts");
	tnArchive_Bool(archive, &tile->fresh, "tile.fresh");
	tnArchive_U32(archive, &tile->bedStamp);
	tile->windSquare = archive->version >= 3 ? tile->windSquare : 0.0f;
	if (archive->version >= 3)
	{
		tnArchive_Float(archive, &tile->windSquare, 0.0f, FLT_MAX, "tile.windSquare");
	}
	// Where the layer has no current, nothing may drift.
	if (tile->drifts && !pool->has[tn_waveDriftX])
	{
		tnArchive_Refuse(archive, "tile.drifts must be false without drift");
	}
}

static void tnArchiveTile(tnWaves* waves, tnArchive* archive, int slot)
{
	tnWavePool* pool = &waves->pool;
	tnWaveTile tile = pool->tiles[slot];
	const tnWaveTile before = tile;
	const uint64_t seen = tnArchive_Applies(archive) && tile.used ? tnSumSeen(&tile) : 0;
	tnArchive_Bool(archive, &tile.used, "tile.used");
	if (!tile.used)
	{
		if (tnArchive_Applies(archive) && before.used)
		{
			tnWavePool_Release(pool, slot);
		}
		return;
	}
	tnArchiveTileValues(&tile, archive, pool);
	float largest = waves->largest != NULL ? waves->largest[slot] : 0.0f;
	tnArchive_Float(archive, &largest, 0.0f, FLT_MAX, "tile.largest");
	for (int field = tn_waveHeight; field <= tn_waveRate; ++field)
	{
		if (!tile.rests)
		{
			tnArchiveTileField(pool, &tile, archive, (tnWaveField)field, field == tn_waveHeight ? "height" : "rate");
		}
		else if (tnArchive_Applies(archive))
		{
			size_t floats;
			float* begin = tnWaveTile_GetMemory(&tile, (tnWaveField)field, &floats);
			memset(begin, 0, floats * sizeof(float));
		}
	}
	if (tile.windows)
	{
		tnArchiveTileField(pool, &tile, archive, tn_waveWindow, "window");
	}
	if (tile.varied)
	{
		tnArchiveTileField(pool, &tile, archive, tn_waveMask, "mask");
		tnArchiveTileField(pool, &tile, archive, tn_waveMaskSum, "maskSum");
		tnArchiveTileField(pool, &tile, archive, tn_waveDepth, "depth");
		tnArchiveTileField(pool, &tile, archive, tn_waveLimit, "limit");
	}
	if (tile.drifts)
	{
		tnArchiveTileField(pool, &tile, archive, tn_waveDriftX, "driftX");
		tnArchiveTileField(pool, &tile, archive, tn_waveDriftZ, "driftZ");
	}
	if (tnArchive_Applies(archive))
	{
		pool->tiles[slot] = tile;
		waves->largest[slot] = largest;
		const bool isKnown = before.used && before.level == tile.level && seen == tnSumSeen(&tile);
		if (!isKnown)
		{
			const float fitStep = tile.fitStep;
			tnWavePool_ForgetKept(pool, slot);
			pool->tiles[slot].fitStep = fitStep;
		}
	}
}

static void tnArchivePool(tnWaves* waves, tnArchive* archive)
{
	tnWavePool* pool = &waves->pool;
	bool waits = pool->waits;
	tnArchive_Bool(archive, &waits, "waits");
	for (int slot = 0; slot < pool->capacity && tnArchive_IsOk(archive); ++slot)
	{
		tnArchiveTile(waves, archive, slot);
	}
	// There were more slots than a small world has places for.
	for (int slot = pool->capacity; archive->version < 3 && slot < pool->allowance && tnArchive_IsOk(archive); ++slot)
	{
		bool used = false;
		tnArchive_Bool(archive, &used, "tile.used");
		if (used)
		{
			tnArchive_Refuse(archive, "tile.used must be false: there are no more than %d places", pool->capacity);
		}
	}
	if (tnArchive_Applies(archive))
	{
		pool->waits = waits;
		tnWavePool_Link(pool);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// What it has seen

static void tnArchiveBed(tnWaveBed* bed, tnArchive* archive)
{
	tnWaveBed values = *bed;
	const size_t blocks = (size_t)bed->blockColumnCount * (size_t)bed->blockRowCount;
	for (int n = 0; n < bed->levelCount; ++n)
	{
		const tnWaveBedLevel* level = bed->levels + n;
		tnArchiveField field = {
			.values = level->depth,
			.stride = level->columnCount,
			.columns = level->columnCount,
			.rows = level->rowCount,
			.tileColumns = (level->columnCount + 63) / 64,
			.tileRows = (level->rowCount + 63) / 64,
			.most = TN_MOST_WAVE,
			.name = "bed.depth",
			.number = 2 * n,
		};
		tnArchive_Field(archive, &field);
		field.values = level->wet;
		field.most = 1.0f;
		field.name = "bed.wet";
		tnArchive_Field(archive, &field);
		field.least = -TN_MOST_WAVE;
		field.most = TN_MOST_WAVE;
		field.name = "bed.velocity";
		field.values = level->velocityX;
		if (bed->hasCurrent)
		{
			tnArchive_Field(archive, &field);
			field.values = level->velocityZ;
			field.number += 1;
			tnArchive_Field(archive, &field);
		}
	}
	tnArchive_Ints(archive, (int32_t*)bed->stamps, blocks, INT32_MIN, INT32_MAX, "bed.stamps");
	tnArchive_Ints(archive, (int32_t*)bed->walls, blocks, INT32_MIN, INT32_MAX, "bed.walls");
	tnArchive_Bytes(archive, bed->dirty, blocks, 1, "bed.dirty");
	tnArchive_Bytes(archive, bed->moved, blocks, 1, "bed.moved");
	tnArchive_Bool(archive, &values.hadBodies, "bed.hadBodies");
	tnArchive_U32(archive, &values.stamp);
	if (tnArchive_Applies(archive))
	{
		*bed = values;
	}
}

static void tnArchiveRipples(tnRipples* ripples, tnArchive* archive)
{
	for (int kind = tn_rippleEnergy; kind <= tn_rippleDirectionZ; ++kind)
	{
		const tnArchiveField field = {
			.values = ripples->fields[kind],
			.stride = ripples->stride,
			.columns = ripples->columnCount,
			.rows = ripples->rowCount,
			.tileColumns = (ripples->columnCount + 63) / 64,
			.tileRows = (ripples->rowCount + 63) / 64,
			.least = kind == tn_rippleEnergy ? 0.0f : -TN_MOST_WAVE,
			.most = TN_MOST_WAVE,
			.name = "ripples",
			.number = kind,
		};
		tnArchive_Field(archive, &field);
	}
	tnArchive_Bytes(archive, ripples->live, (size_t)ripples->rowCount, 1, "ripples.live");
	bool anyLive = ripples->anyLive;
	tnArchive_Bool(archive, &anyLive, "ripples.anyLive");
	if (tnArchive_Applies(archive))
	{
		ripples->anyLive = anyLive;
		// What cells give is found anew, and cleared where there is nothing.
		memset(ripples->clear, 0, (size_t)ripples->rowCount);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// What a host has asked for

static int tnArchiveInterests(tnInterests* interests, tnArchive* archive)
{
	const int count = tnIdPool_Archive(&interests->ids, archive, "interests");
	for (int i = 0; i < count && tnArchive_IsOk(archive); ++i)
	{
		if (!tnIdPool_ArchiveSlot(&interests->ids, archive, i, NULL))
		{
			continue;
		}
		tnInterestDef def = !tnArchive_Reads(archive) ? interests->items[i] : (tnInterestDef){.stamp = TN_DEF_STAMP};
		tnVec2_Archive(&def.position, archive, FLT_MAX, "interest.position");
		tnArchive_Float(archive, &def.reach, 1.0e-45f, TN_MAX_LENGTH, "interest.reach");
		if (tnArchive_Applies(archive))
		{
			interests->items[i] = def;
		}
	}
	tnIdPool_EndArchive(&interests->ids, archive, count);
	return count;
}

static void tnArchiveSwell(tnWaves* waves, tnArchive* archive)
{
	int count = waves->swellCount;
	tnArchive_Int(archive, &count, 0, TN_MAX_TRAINS, "swellCount");
	for (int i = 0; i < count && tnArchive_IsOk(archive); ++i)
	{
		tnSwell swell = waves->swells[i];
		double wave[2] = {waves->swellWaves[i][0], waves->swellWaves[i][1]};
		tnVec2_Archive(&swell.direction, archive, FLT_MAX, "swell.direction");
		tnArchive_Float(archive, &swell.amplitude, 0.0f, TN_MOST_WAVE, "swell.amplitude");
		tnArchive_Float(archive, &swell.period, 1.0e-30f, FLT_MAX, "swell.period");
		tnArchive_AnyFloat(archive, &swell.phase, "swell.phase");
		tnArchive_Double(archive, wave, -1.0e9, 1.0e9, "swell.wave");
		tnArchive_Double(archive, wave + 1, -1.0e9, 1.0e9, "swell.wave");
		if (tnArchive_Applies(archive))
		{
			waves->swells[i] = swell;
			waves->swellWaves[i][0] = wave[0];
			waves->swellWaves[i][1] = wave[1];
		}
	}
	if (tnArchive_Applies(archive))
	{
		waves->swellCount = count;
	}
}

static void tnArchiveBreakers(tnWaves* waves, tnArchive* archive)
{
	int count = waves->breakerCount;
	tnArchive_Int(archive, &count, 0, waves->def.tileCount, "breakerCount");
	for (int i = 0; i < count && tnArchive_IsOk(archive); ++i)
	{
		tnBreaker breaker = waves->breakers != NULL ? waves->breakers[i] : (tnBreaker){0};
		tnVec3_Archive(&breaker.position, archive, FLT_MAX, "breaker.position");
		tnVec2_Archive(&breaker.direction, archive, 2.0f, "breaker.direction");
		tnArchive_Float(archive, &breaker.amplitude, 0.0f, FLT_MAX, "breaker.amplitude");
		tnArchive_Float(archive, &breaker.wavelength, 0.0f, FLT_MAX, "breaker.wavelength");
		tnArchive_Float(archive, &breaker.energy, 0.0f, FLT_MAX, "breaker.energy");
		if (tnArchive_Applies(archive))
		{
			waves->breakers[i] = breaker;
		}
	}
	if (tnArchive_Applies(archive))
	{
		waves->breakerCount = count;
	}
}

void tnWaves_Archive(tnWaves* waves, tnArchive* archive, tnParallel* parallel, tnWavesPlan* plan)
{
	float timeStep = waves->timeStep;
	float driftDue = waves->driftDue;
	bool mustDeal = waves->mustDeal;
	bool mustWindow = waves->mustWindow;
	int64_t fitCount = waves->fitCount;
	double brokenEnergy = waves->brokenEnergy;
	tnVec2 wind = waves->wind;
	uint64_t bodyHash = waves->bodyHash;
	tnArchive_Float(archive, &timeStep, 0.0f, 10.0f, "timeStep");
	tnArchive_Float(archive, &driftDue, 0.0f, 1000.0f, "driftDue");
	tnArchive_Bool(archive, &mustDeal, "mustDeal");
	tnArchive_Bool(archive, &mustWindow, "mustWindow");
	tnArchive_I64(archive, &fitCount, 0, INT64_MAX / 2, "fitCount");
	tnArchive_Double(archive, &brokenEnergy, 0.0, DBL_MAX, "brokenEnergy");
	tnVec2_Archive(&wind, archive, 100.0f, "wind");
	if (archive->version >= 2)
	{
		tnArchive_U64(archive, &bodyHash);
	}
	// Those of older versions always were.
	double windAge = archive->version < 3 ? 0.0 : waves->windAge;
	bool stirred = archive->version < 3 || waves->stirred;
	if (archive->version >= 3)
	{
		tnArchive_Bool(archive, &stirred, "stirred");
		tnArchive_Double(archive, &windAge, 0.0, 1.0e7, "windAge");
	}
	// Worlds that hand over were refused when older versions were the newest.
	double account = waves->account;
	if (archive->version >= 3 && waves->def.takeFromFlow)
	{
		tnArchive_Double(archive, &account, -DBL_MAX, DBL_MAX, "account");
	}
	plan->stirred = stirred;
	plan->interestCount = tnArchiveInterests(&waves->dealer.interests, archive);
	tnArchiveSwell(waves, archive);
	if (stirred)
	{
		if (tnArchive_Applies(archive))
		{
			tnWaves_Stir(waves);
		}
		tnArchiveBreakers(waves, archive);
		tnArchiveBed(&waves->bed, archive);
		tnArchivePool(waves, archive);
		if (waves->ripples != NULL)
		{
			tnArchiveRipples(waves->ripples, archive);
		}
	}
	else if (tnArchive_Applies(archive))
	{
		tnWaves_Still(waves);
	}
	if (tnArchive_Applies(archive))
	{
		waves->driftDue = driftDue;
		waves->mustDeal = mustDeal;
		waves->mustWindow = mustWindow;
		waves->brokenEnergy = brokenEnergy;
		waves->account = archive->version >= 3 ? account : 0.0;
		waves->wind = wind;
		waves->windAge = windAge;
		waves->bodyHash = archive->version >= 2 ? bodyHash : 0;
		if (stirred)
		{
			tnWaves_Renew(waves, parallel, timeStep);
		}
		waves->fitCount = fitCount;
	}
}
