// SPDX-License-Identifier: MIT

#pragma once

#include "wave_layer.h"

// How displacements enter the bands of the wave layer: wave_entry.c says how.

enum
{
	// Most cells of the finest level along each side of a displacement that is decomposed in one go.
	TN_WAVE_ENTRY_SIZE = 264,
};

// What one band gets.
typedef struct tnWaveAddition
{
	int level;
	tnWaveField field;
	tnWaveBox support;  // all cells that may change
	tnWavePatch values; // m, at least where there are tiles
	double share;       // taken from each cell per weight, so that the sum is zero, m
	bool adds;          // there is something to add
} tnWaveAddition;

// A displacement on its way into the bands.
typedef struct tnWaveEntry
{
	int bandCount;
	tnWavePlan plan; // as far as there are tiles that see it
	size_t floatCount;
	tnWaveAddition additions[TN_MAX_WAVE_LEVELS];
} tnWaveEntry;

// Floats that an entry needs at most.
size_t tnGetWaveEntryFloats(int levelCount);

// May it be added? The text names the field and its value; `name` is what the ellipse is called.
tnResult tnWaves_CheckEllipse(const tnWaves* waves, const tnWaveEllipse* ellipse, const char* name);

// Add the displacement `after` minus `before`, of which one may be NULL, to all bands. False, and nothing added, for
// ellipses that tnWaves_CheckEllipse refuses. Does not allocate.
bool tnWaves_AddEllipses(tnWaves* waves, const tnWaveEllipse* before, const tnWaveEllipse* after);

// Is there a tile for any part of a displacement of these cells of the finest level in the bands [0, levelEnd)?
bool tnWaves_MayEnter(const tnWaves* waves, tnWaveBox box, int levelEnd);
// Find out what a displacement of these cells takes. False if there is no tile for it in the bands [0, levelEnd).
bool tnWaves_PlanEntry(const tnWaves* waves, tnWaveBox box, int levelEnd, tnWaveEntry* entry);
// Room for it: zeros at the beginning of the memory of an entry. At most TN_WAVE_ENTRY_SIZE cells along each side.
tnWavePatch tnBeginWaveEntry(float* memory, tnWaveBox box);
// Decompose what is there now. Writes only to the entry and its memory.
// @param memory entry->floatCount
// @param least bands in which nothing would be higher than this get nothing, m
void tnWaves_Decompose(const tnWaves* waves, tnWaveEntry* entry, float* memory, float least);
// The same for a displacement that is another one for each band: `draw` adds it to a patch of zeros that has cells of
// `level`, which is fine enough for the band, and may be smaller than the displacement.
typedef void tnDrawBandFcn(const tnWavePatch* patch, int level, int band, void* context);
void tnWaves_DecomposeBands(
	const tnWaves* waves, tnWaveEntry* entry, float* memory, float least, tnDrawBandFcn* draw, void* context);
// Add entries to the tiles. Each cell gets them in their order.
void tnWaves_AddEntries(tnWaves* waves, const tnWaveEntry* entries, int count, tnParallel* parallel);

// All of it for one displacement, at the beginning of tnWaves.entryScratch.
void tnWaves_Enter(tnWaves* waves, const tnWavePatch* displacement, float least);

// Add values to the tiles of one band, as a sum of zero and only where waves may be. Values are scratch afterwards.
void tnWaves_AddToBand(tnWaves* waves, int level, const tnWavePatch* values, tnWaveField field, float least);
