// SPDX-License-Identifier: MIT

#pragma once

#include "../core/parallel.h"
#include "flow_overrides.h"
#include "flow_trip.h"

// Moves the water: cuts the world into bands of rows, and takes each band through several sub-steps in one trip through
// the cache.

typedef struct tnFlow tnFlow;

tnFlow* tnCreateFlow(tnMemory* memory, const tnGrid* grid, const tnWorldDef* def, int workerCount);
// Friction or limits of the def are others, its method is not.
void tnFlow_Retune(tnFlow* flow, const tnWorldDef* def);
void tnDestroyFlow(tnFlow* flow, tnMemory* memory);
const tnFlowKernels* tnFlow_GetKernels(const tnFlow* flow);
// Sub-steps that tnFlow_Run takes at most.
int tnFlow_GetTripLimit(const tnFlow* flow);

// Bands of rows, and memory of each that is free between trips: at least four rows of the grid's stride.
int tnFlow_GetBandCount(const tnFlow* flow);
void tnFlow_GetBandRows(const tnFlow* flow, const tnGrid* grid, int band, int* begin, int* end);
float* tnFlow_GetScratch(tnFlow* flow, const tnGrid* grid, int band);

// Find maxSignal and maxFlow of a grid that other methods have moved.
void tnFlow_Measure(const tnFlow* flow, tnGrid* grid, float gravity);

// Advance the awake tiles by 1 .. tnFlow_GetTripLimit sub-steps. Does not allocate.
// @param wait carry momentum along only in each wait-th sub-step, counted over all trips (shallow, not fine)
// @param overrides faces that are not for the kernels, or NULL. Only for a single sub-step.
// @param keepPrevious keep the depths from before in previousDepth
// @param measure find maxSignal and maxFlow
tnTripResult tnFlow_Run(tnFlow* flow, tnGrid* grid, const tnTiles* tiles, const tnEdges* edges,
	const tnOverrideSource* overrides, tnParallel* parallel, const tnFlowParameters* parameters, float courant,
	int subStepCount, int wait, bool keepPrevious, bool measure);
