// SPDX-License-Identifier: MIT

#pragma once

#include "../bodies/bodies.h"
#include "../core/parallel.h"
#include "../flow/grid.h"
#include "../flow/tiles.h"
#include "wave_layer.h"

// Hands the short waves of the flow over to the wave layer: wave_handover.c says how.

// False if memory ran out. Of a layer that has its pool and its bed.
bool tnWaves_CreateHandover(tnWaves* waves, tnMemory* memory, const tnGrid* grid, tnSimd simd, int workerCount);
void tnWaves_DestroyHandover(tnWaves* waves, tnMemory* memory);

// How the flow moves.
typedef struct tnHandoverFlow
{
	float fixedSection; // of pipes, m; 0 if it is the depth
	float liveliness;   // gravity along pipes over gravity
	float subStep;      // s, the last one
} tnHandoverFlow;

// The layer has pushed bodies in a step.
// @param friction of the flow, 1/s
void tnWaves_BookPushes(tnWaves* waves, const tnBodies* bodies, float timeStep, float friction);

// Before the flow and the layer move. Does not allocate.
void tnWaves_TakeFromFlow(tnWaves* waves, tnGrid* grid, const tnTiles* tiles, tnParallel* parallel, int64_t stepCount,
	float timeStep, const tnHandoverFlow* flow);
