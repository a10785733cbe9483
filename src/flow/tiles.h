// SPDX-License-Identifier: MIT

#pragma once

#include "../core/parallel.h"
#include "flow_kernels.h"
#include "grid.h"

// Which part of the world is computed.
//
// A tile is active while its water moves, or something touched it. Active tiles and their eight neighbours are awake
// and are computed; all others sleep and cost nothing. Faces between an awake and a sleeping tile carry nothing, so
// sleep loses no water. A trip (a few sub-steps) cannot carry a signal across a tile, so the ring of awake but inactive
// tiles around the active ones only has to be looked at between trips: where the water in it moves, it becomes active
// and wakes its own neighbours before the signal gets there.

// A run of awake tiles in a row of tiles, as cells [begin, end).
typedef struct tnSpan
{
	int begin, end;
} tnSpan;

typedef struct tnSpanList
{
	const tnSpan* spans;
	int count;
} tnSpanList;

typedef struct tnTiles
{
	int columnCount, rowCount, count;
	bool wrapX, wrapZ;
	bool enableSleep;
	float sleepSpeed, sleepTime;

	uint8_t* active;
	uint8_t* awake;
	uint8_t* wasAwake; // before the last change, to find those that fell asleep
	float* restTime;   // seconds
	float* maxDepth;   // of a tile that was found at rest by its last scan
	float* maxSpeed;   // of the rows that the last scan looked at: it stops at the first that moves

	tnSpan* spans;       // by row of tiles, spanStride each: awake tiles
	tnSpan* sharedSpans; // awake in this row of tiles and in the next
	int* spanCounts;
	int* sharedCounts;
	int spanStride;

	uint8_t* relaxing; // a sponge has changed a depth in the last trip, or heads of bodies still change

	// A host has touched it since the waves looked last. Not by steps, and whether it sleeps or not.
	uint8_t* edited;
	bool anyEdited;
	bool stepping; // what is touched is touched by a step

	uint32_t*
		changes; // counts what may have changed a cell, or what is kept of the state before: for those who look now and then

	uint32_t* edits; // counts what hosts have touched, and no step

	uint8_t* stale;  // depth has changed since `volumes` was summed
	double* volumes; // sum of depths, m

	int awakeCount;
	float sleepingMaxDepth; // of all tiles that sleep
	bool changed;           // `active` has changed since the spans were made
	int* scanList;          // tiles to scan, room for all
} tnTiles;

bool tnTiles_Create(tnTiles* tiles, tnMemory* memory, const tnGrid* grid, const tnWorldDef* def);
void tnTiles_Destroy(tnTiles* tiles, tnMemory* memory);

// Something happened in these cells: compute them.
void tnTiles_Touch(tnTiles* tiles, tnCellBox box);
void tnTiles_TouchAll(tnTiles* tiles);
// All must show anew that they may sleep; nothing in them is another.
void tnTiles_WakeAll(tnTiles* tiles);
// The same for cells that may lie beyond the edges: where the world wraps they come round, elsewhere nothing is there.
void tnTiles_TouchWrapped(tnTiles* tiles, const tnGrid* grid, tnCellBox box);
// Wake what is not exactly level, for a method that sees slopes within rounding.
void tnTiles_WakeSlopes(tnTiles* tiles, const tnGrid* grid);

// Bring the awake set up to date. Puts tiles to sleep whose turn it is: their faces are stilled.
void tnTiles_Refresh(tnTiles* tiles, tnGrid* grid);

// List the runs of awake tiles, and count them.
void tnTiles_MakeSpans(tnTiles* tiles);

// Look at the tiles that may wake their neighbours (after each trip), and at every eighth step at those that may fall
// asleep.
void tnTiles_Scan(tnTiles* tiles, const tnGrid* grid, const tnFlowKernels* kernels, tnParallel* parallel, bool stepEnds,
	int64_t stepCount, float timeStep);

// Something about all tiles is another, and none has to be computed for it.
void tnTiles_CountChanges(tnTiles* tiles);

// The awake tiles have been computed: their sums are out of date.
void tnTiles_MarkStale(tnTiles* tiles);
// Sum of all depths, m: tile by tile in a fixed order, and only of tiles that have changed.
double tnTiles_SumDepth(tnTiles* tiles, const tnGrid* grid, tnParallel* parallel);

tnSpanList tnTiles_GetSpans(const tnTiles* tiles, int tileRow);
// Spans of the faces between a row of tiles and the next.
tnSpanList tnTiles_GetSharedSpans(const tnTiles* tiles, int tileRow);
