// SPDX-License-Identifier: MIT

#pragma once

#include "wave_layer.h"

// Wind blows waves up: wave_wind.c says how.

// The wind is another. What the one before has done counts as what this one would have done in its own time.
void tnWaves_SetWind(tnWaves* waves, tnVec2 wind);

// Every TN_WIND_PERIOD steps, before waves move. Does not allocate.
// @param time of the world after the step, s; @param timeStep of all steps since the last time
void tnWaves_BlowWind(tnWaves* waves, tnParallel* parallel, double time, float timeStep);

enum
{
	TN_WIND_PERIOD = 8,
};
