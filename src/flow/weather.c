// SPDX-License-Identifier: MIT

// Rain and evaporation.

#include "weather.h"

#include "tracers.h"

#include <string.h>

// Factors of a map are summed in whole units, for the reason given in exact_sum.h.
#define TN_MAP_UNITS 65536

static int64_t tnToMapUnits(float factor)
{
	return (int64_t)((double)factor * TN_MAP_UNITS + 0.5);
}

static size_t tnGetMapBytes(const tnGrid* grid)
{
	return (size_t)grid->columnCount * (size_t)grid->rowCount * sizeof(float);
}

bool tnWeather_Create(tnWeather* weather, tnMemory* memory, const tnGrid* grid)
{
	memset(weather, 0, sizeof(*weather));
	weather->rowSums = tnMemory_Alloc(memory, (size_t)grid->rowCount * sizeof(tnWeatherSums));
	return weather->rowSums != NULL;
}

void tnWeather_Destroy(tnWeather* weather, tnMemory* memory, const tnGrid* grid)
{
	for (int kind = 0; kind < tn_weatherKindCount; ++kind)
	{
		tnMemory_Free(memory, weather->maps[kind], tnGetMapBytes(grid));
	}
	tnMemory_Free(memory, weather->rowSums, (size_t)grid->rowCount * sizeof(tnWeatherSums));
	memset(weather, 0, sizeof(*weather));
}

tnResult tnWeather_Set(
	tnWeather* weather, tnMemory* memory, const tnGrid* grid, tnWeatherKind kind, float rate, const float* map)
{
	if (!(rate >= 0.0f && rate <= 1.0e3f))
	{
		return tnFail(tn_invalidArgument, "rate must be in [0, 1000], got %g", (double)rate);
	}
	const size_t count = (size_t)grid->columnCount * (size_t)grid->rowCount;
	int64_t sum = (int64_t)count * TN_MAP_UNITS;
	float peak = 1.0f;
	float* copy = NULL;
	if (map != NULL)
	{
		sum = 0;
		peak = 0.0f;
		for (size_t i = 0; i < count; ++i)
		{
			if (!(map[i] >= 0.0f && map[i] <= 1.0e6f))
			{
				return tnFail(tn_invalidArgument, "map[%zu] (column %d, row %d) must be in [0, 1e6], got %g", i,
					(int)(i % (size_t)grid->columnCount), (int)(i / (size_t)grid->columnCount), (double)map[i]);
			}
			sum += tnToMapUnits(map[i]);
			peak = tnMaxFloat(peak, map[i]);
		}
		copy = weather->maps[kind] != NULL ? weather->maps[kind] : tnMemory_Alloc(memory, tnGetMapBytes(grid));
		if (copy == NULL)
		{
			return tnFail(tn_outOfMemory, "out of memory for a map of %zu bytes", tnGetMapBytes(grid));
		}
		memcpy(copy, map, tnGetMapBytes(grid));
	}
	else
	{
		tnMemory_Free(memory, weather->maps[kind], tnGetMapBytes(grid));
	}
	weather->maps[kind] = copy;
	weather->mapSums[kind] = (double)sum / TN_MAP_UNITS;
	weather->mapPeaks[kind] = peak;
	weather->rates[kind] = rate;
	return tnSuccess();
}

float tnGetDepthQuantum(const tnGrid* grid)
{
	return tnMaxFloat(grid->maxDepth, 1.0f) * (1.0f / 262144.0f);
}

typedef struct tnWeatherContext
{
	tnGrid* grid;
	const float* map;
	tnWeatherSums* rowSums;
	float amount;
	bool takes;
} tnWeatherContext;

static void tnWeatherRow(int row, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnWeatherContext* weather = context;
	tnGrid* grid = weather->grid;
	const ptrdiff_t index = tnGrid_Index(grid, 0, row);
	float* depth = grid->depth + index;
	const float* map = weather->map == NULL ? NULL : weather->map + (size_t)row * (size_t)grid->columnCount;
	tnWeatherSums sums = {0};
	for (int column = 0; column < grid->columnCount; ++column)
	{
		const float factor = map == NULL ? 1.0f : map[column];
		const float amount = weather->amount * factor;
		const float before = depth[column];
		if (weather->takes)
		{
			// Dry ground gives nothing, and is owed nothing.
			const float taken = tnMinFloat(amount, before);
			depth[column] = before - taken;
			tnExactSum_Add(&sums.wanted, taken);
			sums.weight += before > amount ? tnToMapUnits(factor) : 0;
		}
		else
		{
			depth[column] = tnMinFloat(before + amount, tnMaxFloat(before, TN_MAX_LENGTH));
			tnExactSum_Add(&sums.wanted, before + amount > TN_MAX_LENGTH ? depth[column] - before : amount);
			sums.weight += tnToMapUnits(factor);
			for (int i = 0; i < grid->tracerCount; ++i)
			{
				float* c = grid->tracers[i] + index + column;
				*c = tnMixTracer(*c, before, amount, 0.0f);
			}
		}
		tnExactSum_Add(&sums.moved, (double)depth[column] - (double)before);
	}
	weather->rowSums[row] = sums;
}

static double tnApplyKind(tnWeather* weather, tnGrid* grid, tnParallel* parallel, tnWeatherKind kind)
{
	const float amount = (float)weather->pending[kind];
	tnWeatherContext context = {grid, weather->maps[kind], weather->rowSums, amount, kind != tn_rain};
	tnParallelFor(parallel, grid->rowCount, tnWeatherRow, &context);
	tnWeatherSums total = {0};
	for (int row = 0; row < grid->rowCount; ++row)
	{
		tnExactSum_AddSum(&total.moved, weather->rowSums[row].moved);
		tnExactSum_AddSum(&total.wanted, weather->rowSums[row].wanted);
		total.weight += weather->rowSums[row].weight;
	}
	// Carry over what rounding took or gave.
	const double moved = tnExactSum_Get(total.moved);
	const double missed = tnExactSum_Get(total.wanted) - (moved < 0.0 ? -moved : moved);
	const double weight = (double)total.weight / TN_MAP_UNITS;
	weather->pending[kind] += (weight > 0.0 ? missed / weight : 0.0) - (double)amount;
	return moved;
}

void tnWeather_Apply(tnWeather* weather, tnGrid* grid, tnTiles* tiles, tnParallel* parallel, double timeStep,
	double moved[tn_weatherKindCount])
{
	for (int kind = 0; kind < tn_weatherKindCount; ++kind)
	{
		moved[kind] = 0.0;
		if (!(weather->rates[kind] > 0.0f) || !(weather->mapSums[kind] > 0.0))
		{
			continue;
		}
		if (kind != tn_rain && grid->maxDepth <= 0.0f)
		{
			// Dry ground is owed nothing later on.
			weather->pending[kind] = 0.0;
			continue;
		}
		weather->pending[kind] += weather->rates[kind] * timeStep;
		if (weather->pending[kind] < tnGetDepthQuantum(grid))
		{
			continue;
		}
		float amount = (float)weather->pending[kind];
		moved[kind] = tnApplyKind(weather, grid, parallel, (tnWeatherKind)kind);
		tnTiles_TouchAll(tiles);
		if (kind == tn_rain)
		{
			// An upper bound is enough: the flow finds the exact value.
			grid->maxDepth += amount * weather->mapPeaks[kind];
		}
	}
}
