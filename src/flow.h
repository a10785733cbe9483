// SPDX-License-Identifier: MIT

#pragma once

#include "edges.h"
#include "flow_kernels.h"
#include "grid.h"
#include "parallel.h"
#include "tiles.h"

// Moves the water: cuts the world into bands of rows, and takes each band through several sub-steps in one trip through
// the cache.

enum
{
	// Sub-steps per trip at most. More would save little memory traffic and cost more work at the seams of bands.
	TN_TRIP_LIMIT = 4,
};

typedef struct tnFlow tnFlow;

tnFlow* tnCreateFlow(tnMemory* memory, const tnGrid* grid, const tnWorldDef* def, int workerCount);
void tnDestroyFlow(tnFlow* flow, tnMemory* memory);
const tnFlowKernels* tnFlow_GetKernels(const tnFlow* flow);
// Sub-steps that tnFlow_Run takes at most.
int tnFlow_GetTripLimit(const tnFlow* flow);

// Find maxSignal and maxFlow of a grid that other methods have moved.
void tnFlow_Measure(const tnFlow* flow, tnGrid* grid, float gravity);

// What one trip did.
typedef struct tnTripResult
{
	double edgeDepths[tn_sideCount]; // water that came in, m, summed over cells
	float maxDepth;                  // of the awake tiles
	float maxSignal, maxFlow;        // of the awake tiles, m/s: see tnFlowKernels.signalSpeed. 0 without transport
} tnTripResult;

// Advance the awake tiles by 1 .. tnFlow_GetTripLimit sub-steps. Does not allocate.
// @param wait carry momentum along only in each wait-th sub-step, counted over all trips (shallow, not fine)
// @param keepPrevious keep the depths from before in previousDepth
// @param measure find maxSignal and maxFlow
tnTripResult tnFlow_Run(tnFlow* flow, tnGrid* grid, const tnTiles* tiles, const tnEdges* edges, tnParallel* parallel,
	const tnFlowParameters* parameters, float courant, int subStepCount, int wait, bool keepPrevious, bool measure);
