// SPDX-License-Identifier: MIT

#pragma once

#include "wave_layer.h"

// How displacements enter the bands of the wave layer: wave_entry.c says how.

enum
{
	// Most cells of the finest level along each side of a displacement that is decomposed in one go.
	TN_WAVE_ENTRY_SIZE = 264,
};

// Floats that tnWaves.entryScratch needs.
size_t tnGetWaveEntryFloats(int levelCount);

// May these be added? The text names the field and its value; `name` is what the ellipse is called.
tnResult tnWaves_CheckEllipse(const tnWaves* waves, const tnWaveEllipse* ellipse, const char* name);
tnResult tnWaves_CheckDrops(const tnWaveDrop* drops, int count);

// Add the displacement `after` minus `before`, of which one may be NULL, to all bands. False, and nothing added, for
// ellipses that tnWaves_CheckEllipse refuses. Does not allocate.
bool tnWaves_AddEllipses(tnWaves* waves, const tnWaveEllipse* before, const tnWaveEllipse* after);
// Add drops that tnWaves_CheckDrops likes. Those outside of the world are left out. Does not allocate.
void tnWaves_AddPoints(tnWaves* waves, const tnWaveDrop* drops, int count);

// Is there a tile for any part of a displacement of these cells of the finest level in the bands [0, levelEnd)?
bool tnWaves_MayEnter(const tnWaves* waves, tnWaveBox box, int levelEnd);
// Room for a displacement of cells of the finest level, m: zeros. At most TN_WAVE_ENTRY_SIZE cells along each side.
tnWavePatch tnWaves_BeginEntry(tnWaves* waves, tnWaveBox box);
// Decompose what is in it now, and add it to the bands [0, levelEnd).
// @param least bands in which nothing would be higher than this get nothing, m
void tnWaves_Enter(tnWaves* waves, const tnWavePatch* displacement, int levelEnd, float least);

// Add values to the tiles of one band, as a sum of zero and only where waves may be. Values are scratch afterwards.
void tnWaves_AddToBand(tnWaves* waves, int level, const tnWavePatch* values, tnWaveField field, float least);
