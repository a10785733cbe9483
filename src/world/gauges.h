// SPDX-License-Identifier: MIT

// Gauges: points that remember the water there.

#pragma once

#include "../core/ids.h"
#include "../flow/grid.h"
#include "../waves/waves.h"
#include "tarn/query.h"

typedef struct tnGauge
{
	tnVec2 position;
	tnGaugeState state;
} tnGauge;

// Points that remember. All zero is a valid empty set.
typedef struct tnGauges
{
	tnIdPool ids;
	tnGauge* gauges;
	int capacity;
} tnGauges;

tnResult tnGauges_Add(tnGauges* gauges, tnMemory* memory, const tnGrid* grid, const tnWaves* waves, tnVec2 position,
	double time, tnGaugeId* id);
// Room for so many in all. False if memory ran out.
bool tnGauges_ReserveMany(tnGauges* gauges, tnMemory* memory, int count);
// For snapshots. Returns the number of slots.
int tnGauges_Archive(tnGauges* gauges, tnArchive* archive, const tnGrid* grid);
tnResult tnGauges_Remove(tnGauges* gauges, tnGaugeId id);
// Forget everything but the water there now.
tnResult tnGauges_Reset(tnGauges* gauges, const tnGrid* grid, const tnWaves* waves, tnGaugeId id, double time);
// What is remembered, brought up to date with the water there now.
tnResult tnGauges_Get(
	const tnGauges* gauges, const tnGrid* grid, const tnWaves* waves, tnGaugeId id, double time, tnGaugeState* state);
// Index of a gauge, or -1 if null or stale.
int tnGauges_Find(const tnGauges* gauges, tnGaugeId id);
void tnGauges_Destroy(tnGauges* gauges, tnMemory* memory);

// Look at the water after a step. Does not allocate.
void tnGauges_Update(tnGauges* gauges, const tnGrid* grid, const tnWaves* waves, double time);
