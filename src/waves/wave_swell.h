// SPDX-License-Identifier: MIT

#pragma once

#include "wave_layer.h"

// Swell: long-crested waves that come in through the edges of the world. See wave_swell.c.

// May this be swell? The text names the field and its value.
tnResult tnWaves_CheckSwell(const tnWaves* waves, const tnGrid* grid, const tnSwell* swells, int count);
// Replace all swell by one that tnWaves_CheckSwell likes, or by trains of a spectrum: TN_MAX_TRAINS at most.
void tnWaves_SetSwell(tnWaves* waves, const tnGrid* grid, const tnSwell* swells, int count);

// Periods of the waves that bands hold, s, in the water at the edges through which waves of a direction come in.
typedef struct tnPeriodRange
{
	double shortest, longest;
} tnPeriodRange;

tnPeriodRange tnWaves_GetSwellPeriods(const tnWaves* waves, const tnGrid* grid, tnVec2 direction);

// Can swell come in anywhere in a tile?
bool tnWaves_TakesSwell(const tnWaves* waves, const tnWaveTile* tile);
// Bring the zone of a tile at the edges of the world towards the waves that come in, after a step.
// @param time of the world after the step, s
void tnWaves_ApplySwell(const tnWaves* waves, tnWaveTile* tile, double time, float timeStep);
