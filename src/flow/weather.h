// SPDX-License-Identifier: MIT

#pragma once

#include "../core/exact_sum.h"
#include "../core/parallel.h"
#include "tiles.h"

// Rain, evaporation and infiltration: water that comes or goes everywhere.
//
// A drizzle adds less per step than a float32 depth can hold: 1 mm/h is 5e-9 m in a sixtieth of a second, and 20 m of
// water resolves 2e-6 m. So the amount is saved up until it is worth a few units in the last place, and what rounding
// took or gave is carried over to the next time.

typedef enum tnWeatherKind
{
	tn_rain = 0,
	tn_evaporation,
	tn_infiltration,
	tn_weatherKindCount,
} tnWeatherKind;

// What an application did, summed over cells.
typedef struct tnWeatherSums
{
	tnExactSum moved;  // change of depth, m
	tnExactSum wanted; // the change without rounding, m, at least 0
	int64_t weight;    // factors of the cells that took part, in units of 1/65536
} tnWeatherSums;

typedef struct tnWeather
{
	float rates[tn_weatherKindCount];    // m/s
	float* maps[tn_weatherKindCount];    // factor per cell, row by row; NULL for 1
	double mapSums[tn_weatherKindCount]; // sum of the factors
	float mapPeaks[tn_weatherKindCount]; // largest factor
	double pending[tn_weatherKindCount]; // saved up, m
	tnWeatherSums* rowSums;              // by row
} tnWeather;

bool tnWeather_Create(tnWeather* weather, tnMemory* memory, const tnGrid* grid);
void tnWeather_Destroy(tnWeather* weather, tnMemory* memory, const tnGrid* grid);
tnResult tnWeather_Set(
	tnWeather* weather, tnMemory* memory, const tnGrid* grid, tnWeatherKind kind, float rate, const float* map);

// The least depth worth adding, m: 2^-18 of the largest depth is about 32 units in its last place.
float tnGetDepthQuantum(const tnGrid* grid);

// Adds and takes. `moved` receives the depth that came by each kind, summed over cells, m (negative: went).
void tnWeather_Apply(tnWeather* weather, tnGrid* grid, tnTiles* tiles, tnParallel* parallel, double timeStep,
	double moved[tn_weatherKindCount]);
