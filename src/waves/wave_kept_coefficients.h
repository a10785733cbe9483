// SPDX-License-Identifier: MIT

#pragma once

#include "wave_pool.h"

// Coefficients of tiles that are kept for time steps to come.

// Let a varied tile have the coefficients for a time step, those that are kept, or room for new ones. True if they have to be
// made.
bool tnWavePool_UseKept(tnWavePool* pool, int slot, float timeStep);
