// SPDX-License-Identifier: MIT

// Drops that fall on the wave layer: wave_drops.c says how.

#pragma once

#include "wave_layer.h"

// May these be added? The text names the field and its value.
tnResult tnWaves_CheckDrops(const tnWaveDrop* drops, int count);
// Add drops that tnWaves_CheckDrops likes. Those outside of the world are left out. Does not allocate.
void tnWaves_AddPoints(tnWaves* waves, const tnWaveDrop* drops, int count);
