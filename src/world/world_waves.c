// SPDX-License-Identifier: MIT

// What a host does with the wave layer of a world.

#include "../flow/grid_sample.h"
#include "../waves/wave_drops.h"
#include "../waves/wave_entry.h"
#include "../waves/wave_spectrum.h"
#include "../waves/wave_swell.h"
#include "../waves/wave_wind.h"
#include "world.h"

#include <string.h>

// Heights, m, and rates, m/s, that a host may add: more would be no water.
#define TN_MAX_WAVE_HEIGHT 1.0e6f

static tnResult tnCheckWaves(const tnWorld* world)
{
	tnResult result = tnWorld_CheckReady(world);
	if (result.status == tn_ok && !world->waves.enabled)
	{
		result = tnFail(tn_notAvailable, "waves.enable is false: this world has no wave layer");
	}
	return result;
}

tnResult tnWorld_ReserveWaves(tnWorld* world)
{
	if (!world->waves.enabled || tnWaves_Reserve(&world->waves, &world->memory, &world->grid))
	{
		return tnSuccess();
	}
	char text[TN_MEMORY_TEXT];
	tnMemory_Explain(&world->memory, 0, text);
	return tnFail(tn_outOfMemory, "out of memory for the first waves: %s", text);
}

// Something is about to be put into the layer: tiles must be where the water is now.
static void tnPrepareWaves(tnWorld* world)
{
	tnWaves* waves = &world->waves;
	tnWaves_Stir(waves);
	const float timeStep = waves->timeStep > 0.0f ? waves->timeStep : waves->def.timeStep;
	tnWaves_Prepare(
		waves, &world->grid, &world->tiles, &world->bodies, world->parallel, timeStep, world->stats.stepCount, true);
}

// ---------------------------------------------------------------------------------------------------------------------
// Points of interest

static tnResult tnCheckInterest(const tnInterestDef* def)
{
	if (def == NULL)
	{
		return tnFail(tn_invalidArgument, "def must not be NULL");
	}
	if (def->stamp != TN_DEF_STAMP)
	{
		return tnFail(tn_invalidArgument, "def.stamp is wrong: start from tnDefaultInterestDef(), got 0x%x",
			(unsigned)def->stamp);
	}
	if (!tnIsFinite(def->position.x) || !tnIsFinite(def->position.z))
	{
		return tnFail(tn_invalidArgument, "position must be finite, got (%g, %g)", (double)def->position.x,
			(double)def->position.z);
	}
	if (!(def->reach > 0.0f && def->reach <= TN_MAX_LENGTH))
	{
		return tnFail(
			tn_invalidArgument, "reach must be in (0, %g], got %g", (double)TN_MAX_LENGTH, (double)def->reach);
	}
	return tnSuccess();
}

tnResult tnWorld_CreateInterest(tnWorld* world, const tnInterestDef* def, tnInterestId* id)
{
	if (id != NULL)
	{
		*id = (tnInterestId){0};
	}
	tnResult result = tnCheckWaves(world);
	if (result.status == tn_ok && id == NULL)
	{
		result = tnFail(tn_invalidArgument, "id must not be NULL");
	}
	if (result.status == tn_ok)
	{
		result = tnCheckInterest(def);
	}
	if (result.status == tn_ok && !tnWaveDealer_Reserve(&world->waves.dealer, &world->memory))
	{
		result = tnFail(
			tn_outOfMemory, "no memory for another interest, there are %d", world->waves.dealer.interests.ids.count);
	}
	if (result.status == tn_ok)
	{
		tnInterests* interests = &world->waves.dealer.interests;
		const int index = tnIdPool_Take(&interests->ids);
		interests->items[index] = *def;
		id->index1 = index + 1;
		id->generation = tnIdPool_GetGeneration(&interests->ids, index);
		world->waves.mustDeal = true;
	}
	TN_RECORD(world, result, tn_createInterestCall, TN_WORDS(*id), TN_WORDS(*def));
	return tnWorld_Report(world, result);
}

static int tnFindInterest(const tnWorld* world, tnInterestId id)
{
	return tnIdPool_Find(&world->waves.dealer.interests.ids, id.index1, id.generation);
}

static tnResult tnCheckInterestId(const tnWorld* world, tnInterestId id)
{
	tnResult result = tnCheckWaves(world);
	if (result.status == tn_ok && tnFindInterest(world, id) < 0)
	{
		result = tnFail(tn_staleId, "interest (%d, %u) does not exist", (int)id.index1, (unsigned)id.generation);
	}
	return result;
}

tnResult tnWorld_SetInterest(tnWorld* world, tnInterestId id, const tnInterestDef* def)
{
	tnResult result = tnCheckInterestId(world, id);
	if (result.status == tn_ok)
	{
		result = tnCheckInterest(def);
	}
	if (result.status == tn_ok)
	{
		world->waves.dealer.interests.items[tnFindInterest(world, id)] = *def;
		world->waves.mustDeal = true;
	}
	TN_RECORD(world, result, tn_setInterestCall, TN_WORDS(id), TN_WORDS(*def));
	return tnWorld_Report(world, result);
}

tnResult tnWorld_DestroyInterest(tnWorld* world, tnInterestId id)
{
	tnResult result = tnCheckInterestId(world, id);
	if (result.status == tn_ok)
	{
		tnIdPool_Release(&world->waves.dealer.interests.ids, tnFindInterest(world, id));
		world->waves.mustDeal = true;
	}
	TN_RECORD(world, result, tn_destroyInterestCall, TN_WORDS(id));
	return tnWorld_Report(world, result);
}

bool tnInterest_IsValid(const tnWorld* world, tnInterestId id)
{
	world = tnWorld_GetShown(world);
	return world != NULL && world->waves.enabled && tnFindInterest(world, id) >= 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Making waves

tnResult tnWorld_AddWave(tnWorld* world, const tnWaveEllipse* before, const tnWaveEllipse* after)
{
	tnResult result = tnCheckWaves(world);
	if (result.status == tn_ok && before != NULL)
	{
		result = tnWaves_CheckEllipse(&world->waves, before, "before");
	}
	if (result.status == tn_ok && after != NULL)
	{
		result = tnWaves_CheckEllipse(&world->waves, after, "after");
	}
	const bool any = before != NULL || after != NULL;
	result = result.status == tn_ok && any ? tnWorld_ReserveWaves(world) : result;
	if (result.status == tn_ok && any)
	{
		tnPrepareWaves(world);
		tnWaves_AddEllipses(&world->waves, before, after);
	}
	const int32_t which = (after != NULL ? 1 : 0) | (before != NULL ? 2 : 0);
	TN_RECORD(world, result, tn_addWaveCall, TN_WORDS(which), TN_WORDS_OF(after, 1), TN_WORDS_OF(before, 1));
	return tnWorld_Report(world, result);
}

tnResult tnWorld_AddDrops(tnWorld* world, const tnWaveDrop* drops, int count)
{
	tnResult result = tnCheckWaves(world);
	if (result.status == tn_ok)
	{
		result = tnWaves_CheckDrops(drops, count);
	}
	result = result.status == tn_ok && count > 0 ? tnWorld_ReserveWaves(world) : result;
	if (result.status == tn_ok && count > 0)
	{
		tnPrepareWaves(world);
		tnWaves_AddPoints(&world->waves, drops, count);
	}
	TN_RECORD(world, result, tn_addDropsCall, TN_WORDS_OF(drops, count));
	return tnWorld_Report(world, result);
}

tnResult tnWorld_SetSwell(tnWorld* world, const tnSwell* swells, int count)
{
	tnResult result = tnCheckWaves(world);
	if (result.status == tn_ok)
	{
		result = tnWaves_CheckSwell(&world->waves, &world->grid, swells, count);
	}
	result = result.status == tn_ok && count > 0 ? tnWorld_ReserveWaves(world) : result;
	if (result.status == tn_ok)
	{
		if (count > 0)
		{
			tnWaves_Stir(&world->waves);
		}
		tnWaves_SetSwell(&world->waves, &world->grid, swells, count);
	}
	TN_RECORD(world, result, tn_setSwellCall, TN_WORDS_OF(swells, count));
	return tnWorld_Report(world, result);
}

tnResult tnWorld_SetSpectrum(tnWorld* world, const tnSpectrumDef* def)
{
	tnSwell trains[TN_MAX_TRAINS];
	tnResult result = tnCheckWaves(world);
	if (result.status == tn_ok)
	{
		result = tnWaves_MakeSpectrum(&world->waves, &world->grid, def, trains);
	}
	result = result.status == tn_ok ? tnWorld_ReserveWaves(world) : result;
	if (result.status == tn_ok)
	{
		tnWaves_Stir(&world->waves);
		tnWaves_SetSwell(&world->waves, &world->grid, trains, def->trainCount);
	}
	TN_RECORD(world, result, tn_setSpectrumCall, TN_WORDS(*def));
	return tnWorld_Report(world, result);
}

tnResult tnWorld_SetWind(tnWorld* world, tnVec2 velocity)
{
	tnResult result = tnCheckWaves(world);
	if (result.status == tn_ok && !(tnAbsFloat(velocity.x) <= 100.0f && tnAbsFloat(velocity.z) <= 100.0f))
	{
		result = tnFail(tn_invalidArgument, "velocity must be at most 100 along each axis, got (%g, %g)",
			(double)velocity.x, (double)velocity.z);
	}
	const bool blows = result.status == tn_ok && (velocity.x != 0.0f || velocity.z != 0.0f);
	result = blows ? tnWorld_ReserveWaves(world) : result;
	if (result.status == tn_ok)
	{
		if (blows)
		{
			tnWaves_Stir(&world->waves);
		}
		tnWaves_SetWind(&world->waves, velocity);
	}
	TN_RECORD(world, result, tn_setWindCall, TN_WORDS(velocity));
	return tnWorld_Report(world, result);
}

tnResult tnWorld_SetWaveDamping(tnWorld* world, float damping)
{
	tnResult result = tnCheckWaves(world);
	if (result.status == tn_ok && !(damping >= 0.0f && damping <= TN_MAX_WAVE_DAMPING))
	{
		result = tnFail(
			tn_invalidArgument, "damping must be in [0, %g], got %g", (double)TN_MAX_WAVE_DAMPING, (double)damping);
	}
	if (result.status == tn_ok)
	{
		world->def.waves.damping = damping;
		world->waves.def.damping = damping;
		if (world->waves.ripples != NULL)
		{
			tnRipples_SetDamping(world->waves.ripples, damping);
		}
	}
	TN_RECORD(world, result, tn_setWaveDampingCall, TN_WORDS(damping));
	return tnWorld_Report(world, result);
}

static tnResult tnCheckWaveField(
	const tnWorld* world, int column, int row, int columns, int rows, const float* heights, const float* rates)
{
	const tnWavePool* pool = &world->waves.pool;
	if (columns < 1 || columns > TN_MAX_WAVE_FIELD || rows < 1 || rows > TN_MAX_WAVE_FIELD)
	{
		return tnFail(
			tn_invalidArgument, "columns and rows must be in [1, %d], got %d and %d", TN_MAX_WAVE_FIELD, columns, rows);
	}
	if (column < 0 || column > pool->columnCount[0] - columns || row < 0 || row > pool->rowCount[0] - rows)
	{
		return tnFail(tn_invalidArgument, "the block of %d x %d cells at (%d, %d) must be inside of %d x %d cells",
			columns, rows, column, row, pool->columnCount[0], pool->rowCount[0]);
	}
	const float* fields[2] = {heights, rates};
	const char* names[2] = {"heights", "rates"};
	for (int k = 0; k < 2; ++k)
	{
		for (int i = 0; fields[k] != NULL && i < columns * rows; ++i)
		{
			if (!(tnAbsFloat(fields[k][i]) <= TN_MAX_WAVE_HEIGHT))
			{
				return tnFail(tn_invalidArgument, "%s[%d] must be in [%g, %g], got %g", names[k], i,
					-(double)TN_MAX_WAVE_HEIGHT, (double)TN_MAX_WAVE_HEIGHT, (double)fields[k][i]);
			}
		}
	}
	return tnSuccess();
}

static float tnGetMean(const float* values, size_t count)
{
	double sum = 0.0;
	for (size_t i = 0; i < count; ++i)
	{
		sum += values[i];
	}
	return (float)(sum / (double)count);
}

// All levels at once, unlike drops and ellipses: what the blocks of a large field leave to the coarsest band has a sum of
// zero only together.
static tnResult tnEnterWaveField(tnWorld* world, tnWaveBox box, const float* heights, const float* rates)
{
	tnWaves* waves = &world->waves;
	const int levelCount = waves->pool.levelCount;
	tnWavePlan plan;
	tnPlanWaveEntry(&plan, box, levelCount);
	size_t bandFloats = 0;
	for (int level = 0; level < levelCount; ++level)
	{
		bandFloats += (size_t)plan.bands[level].columnCount * (size_t)plan.bands[level].rowCount;
	}
	const size_t fieldFloats = (size_t)box.columnCount * (size_t)box.rowCount;
	const size_t bytes = (bandFloats + fieldFloats + plan.scratchCount) * sizeof(float);
	float* memory = tnMemory_Alloc(&world->memory, bytes);
	if (memory == NULL)
	{
		return tnFail(tn_outOfMemory, "no memory for a field of %d x %d cells", box.columnCount, box.rowCount);
	}
	// After the last thing that can fail: it deals tiles.
	tnPrepareWaves(world);
	const bool isWhole = box.columnCount == waves->pool.columnCount[0] && box.rowCount == waves->pool.rowCount[0];
	float* field = memory + bandFloats;
	const float* fields[2] = {heights, rates};
	for (int k = 0; k < 2; ++k)
	{
		if (fields[k] == NULL)
		{
			continue;
		}
		// Where it has no rim, nothing jumps if the mean is left out here; otherwise the bands see to it.
		const float mean = isWhole ? tnGetMean(fields[k], fieldFloats) : 0.0f;
		for (size_t i = 0; i < fieldFloats; ++i)
		{
			field[i] = fields[k][i] - mean;
		}
		memset(memory, 0, bandFloats * sizeof(float));
		tnWavePatch bands[TN_MAX_WAVE_LEVELS] = {0};
		float* next = memory;
		for (int level = 0; level < levelCount; ++level)
		{
			bands[level] = (tnWavePatch){plan.bands[level], plan.bands[level].columnCount, next};
			next += (size_t)plan.bands[level].columnCount * (size_t)plan.bands[level].rowCount;
		}
		tnDecomposeWave(&waves->filter, &plan, field, box.columnCount, bands, field + fieldFloats);
		for (int level = 0; level < levelCount; ++level)
		{
			tnWaves_AddToBand(waves, level, bands + level, k == 0 ? tn_waveHeight : tn_waveRate, 0.0f);
		}
	}
	tnMemory_Free(&world->memory, memory, bytes);
	return tnSuccess();
}

tnResult tnWorld_AddWaveField(
	tnWorld* world, int column, int row, int columns, int rows, const float* heights, const float* rates)
{
	tnResult result = tnCheckWaves(world);
	if (result.status == tn_ok)
	{
		result = tnCheckWaveField(world, column, row, columns, rows, heights, rates);
	}
	const bool any = heights != NULL || rates != NULL;
	result = result.status == tn_ok && any ? tnWorld_ReserveWaves(world) : result;
	if (result.status == tn_ok && any)
	{
		result = tnEnterWaveField(world, (tnWaveBox){column, row, columns, rows}, heights, rates);
	}
	const int32_t which = (heights != NULL ? 1 : 0) | (rates != NULL ? 2 : 0);
	TN_RECORD(world, result, tn_addWaveFieldCall, TN_WORDS(column), TN_WORDS(row), TN_WORDS(columns), TN_WORDS(rows),
		TN_WORDS(which), TN_WORDS_OF(heights, (size_t)columns * (size_t)rows),
		TN_WORDS_OF(rates, (size_t)columns * (size_t)rows));
	return tnWorld_Report(world, result);
}

// ---------------------------------------------------------------------------------------------------------------------
// What there is

tnResult tnWorld_SampleWaves(const tnWorld* world, tnVec2 position, tnWaveSample* sample)
{
	world = tnWorld_GetShown(world);
	tnResult result = tnCheckWaves(world);
	if (result.status == tn_ok && sample == NULL)
	{
		result = tnFail(tn_invalidArgument, "sample must not be NULL");
	}
	if (result.status == tn_ok && (!tnIsFinite(position.x) || !tnIsFinite(position.z)))
	{
		result =
			tnFail(tn_invalidArgument, "position must be finite, got (%g, %g)", (double)position.x, (double)position.z);
	}
	if (result.status != tn_ok)
	{
		return tnWorld_Report(world, result);
	}
	*sample = (tnWaveSample){0};
	sample->finestLevel = world->waves.pool.levelCount;
	if (tnGrid_Contains(&world->grid, position) && tnSampleGrid(&world->grid, position).wet)
	{
		tnWaves_Sample(&world->waves, position, sample);
	}
	return result;
}

int tnWorld_GetWaveTileCount(const tnWorld* world)
{
	world = tnWorld_GetShown(world);
	return tnWorld_IsReady(world) && world->waves.enabled ? world->waves.pool.count : 0;
}

tnResult tnWorld_GetWaveTile(const tnWorld* world, int index, tnWaveTileView* view)
{
	world = tnWorld_GetShown(world);
	tnResult result = tnCheckWaves(world);
	if (result.status == tn_ok && view == NULL)
	{
		result = tnFail(tn_invalidArgument, "view must not be NULL");
	}
	if (result.status == tn_ok && (index < 0 || index >= world->waves.pool.count))
	{
		result = tnFail(tn_invalidArgument, "index must be in [0, %d), got %d", world->waves.pool.count, index);
	}
	if (result.status != tn_ok)
	{
		return tnWorld_Report(world, result);
	}
	const tnWavePool* pool = &world->waves.pool;
	const tnWaveTile* tile = pool->tiles + pool->order[index];
	const float cellSize = pool->cellSize[tile->level];
	*view = (tnWaveTileView){0};
	view->level = tile->level;
	view->cellSize = cellSize;
	view->origin = (tnVec2){
		pool->origin.x + (float)(tile->column * TN_WAVE_TILE) * cellSize,
		pool->origin.z + (float)(tile->row * TN_WAVE_TILE) * cellSize,
	};
	view->column = tile->column;
	view->row = tile->row;
	view->size = TN_WAVE_TILE;
	view->heights = tile->fields[tn_waveHeight];
	view->rates = tile->fields[tn_waveRate];
	view->stride = TN_WAVE_STRIDE;
	view->rests = tile->rests;
	return result;
}

tnRippleView tnWorld_GetRipples(const tnWorld* world)
{
	world = tnWorld_GetShown(world);
	if (!tnWorld_IsReady(world) || !world->waves.enabled || world->waves.ripples == NULL || !world->waves.stirred)
	{
		return (tnRippleView){0};
	}
	return tnRipples_GetView(world->waves.ripples);
}

tnBreakers tnWorld_GetBreakers(const tnWorld* world)
{
	world = tnWorld_GetShown(world);
	if (!tnWorld_IsReady(world) || !world->waves.enabled)
	{
		return (tnBreakers){0};
	}
	return (tnBreakers){world->waves.breakers, world->waves.breakerCount};
}

tnResult tnWorld_GetWaveStats(const tnWorld* world, tnWaveStats* stats)
{
	world = tnWorld_GetShown(world);
	tnResult result = tnCheckWaves(world);
	if (result.status == tn_ok && stats == NULL)
	{
		result = tnFail(tn_invalidArgument, "stats must not be NULL");
	}
	if (result.status == tn_ok)
	{
		tnWaves_GetStats(&world->waves, stats);
	}
	return tnWorld_Report(world, result);
}
