// SPDX-License-Identifier: MIT

// Regions that are watched for water.

#pragma once

#include "../core/ids.h"
#include "../flow/grid.h"
#include "../flow/tiles.h"
#include "tarn/query.h"

enum
{
	tn_regionIsWet = 1,
	tn_regionIsAbove = 2, // its trigger depth
};

// Watched regions. All zero is a valid empty set.
typedef struct tnRegions
{
	tnIdPool ids;
	tnRegionDef* defs;
	// What each region was when it was last looked at: tn_regionIsWet, tn_regionIsAbove.
	uint8_t* states;
	// Room for the two events that a region can make in one step.
	tnRegionEvent* events;
	int capacity;
	int eventCount;
} tnRegions;

// All but the trigger depth, which only a watched region needs.
tnResult tnCheckRegionDef(const tnGrid* grid, const tnRegionDef* def);

// Refuses a bad def. Water that is there already makes no event.
tnResult tnRegions_Add(
	tnRegions* regions, tnMemory* memory, const tnGrid* grid, const tnRegionDef* def, tnRegionId* id);
// Room for so many in all. False if memory ran out.
bool tnRegions_ReserveMany(tnRegions* regions, tnMemory* memory, int count);
// For snapshots. Returns the number of slots.
int tnRegions_Archive(tnRegions* regions, tnArchive* archive, const tnGrid* grid);
tnResult tnRegions_Remove(tnRegions* regions, tnRegionId id);
// Index of a region, or -1 if null or stale.
int tnRegions_Find(const tnRegions* regions, tnRegionId id);
// The failure of a call with an id that is not found.
tnResult tnMakeStaleRegion(tnRegionId id);
void tnRegions_Destroy(tnRegions* regions, tnMemory* memory);

// Make the events of a step. Does not allocate.
// @param tiles as the step has left them: those that were awake in it may have changed, and those that were touched after the flow
void tnRegions_Update(tnRegions* regions, const tnGrid* grid, const tnTiles* tiles);

tnRegionState tnMeasureRegion(const tnGrid* grid, const tnRegionDef* def);
