// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/world.h"
#include "wave_layer.h"

// Bands of waves over the flow. waves.c has the life of the layer, wave_step.c the order of its step:
//
//   deal tiles -> see the bed -> what comes in (bodies, flow, swell) -> waves -> drift -> break -> ripples

// waves.c ------------------------------------------------------------------------------------------------------------

// Does nothing, and succeeds, if the def has no waves.
bool tnWaves_Create(tnWaves* waves, tnMemory* memory, const tnGrid* grid, const tnWorldDef* def, int workerCount);
void tnWaves_Destroy(tnWaves* waves, tnMemory* memory);
// Get the memory that moving waves need, if it is not there. Changes no bit. False if memory ran out.
bool tnWaves_Reserve(tnWaves* waves, tnMemory* memory, const tnGrid* grid);
// Something comes that may make waves: from now on there are tiles. Call tnWaves_Reserve before.
void tnWaves_Stir(tnWaves* waves);
// Forget all tiles, as before anything was stirred.
void tnWaves_Still(tnWaves* waves);
// Edges of the world are these.
void tnWaves_PutEdges(tnWaves* waves, const tnGrid* grid, const tnEdgeKind* kinds);
// They have changed: tiles and bed must follow.
void tnWaves_SetEdges(tnWaves* waves, const tnGrid* grid, const tnEdgeKind* kinds);

// Gravity is another: kernels and coefficients are made anew in the next step.
void tnWaves_SetGravity(tnWaves* waves, float gravity);

// Numbers of the def are others.
void tnWaves_Retune(tnWaves* waves);

// Angular frequency of typical waves of a level at a depth, 1/s.
float tnWaves_GetFrequency(const tnWaves* waves, int level, float depth);
uint64_t tnWaves_Hash(const tnWaves* waves, uint64_t hash);
void tnWaves_GetStats(const tnWaves* waves, tnWaveStats* stats);

// Most damping of a def, 1/s.
#define TN_MAX_WAVE_DAMPING 1000.0f

// wave_step.c --------------------------------------------------------------------------------------------------------

// Fit kernels to a time step, see the bed, deal tiles, make their coefficients. Between steps `atOnce`: whatever was
// edited is seen.
void tnWaves_Prepare(tnWaves* waves, const tnGrid* grid, tnTiles* tiles, const tnBodies* bodies, tnParallel* parallel,
	float timeStep, int64_t stepCount, bool atOnce);
// Tiles were put in place with what they have seen of the bed: choose kernels, and make coefficients of those that had some.
// @param timeStep of the last step, 0 before the first
void tnWaves_Renew(tnWaves* waves, tnParallel* parallel, float timeStep);
// Advance all waves. Call tnWaves_Prepare before.
// @param time of the world after the step, s; @param rain m/s
void tnWaves_Advance(tnWaves* waves, tnParallel* parallel, double time, float timeStep, int64_t stepCount, float rain);

// wave_sample.c ------------------------------------------------------------------------------------------------------

// What bands tell, and the ripples.
void tnWaves_Sample(const tnWaves* waves, tnVec2 position, tnWaveSample* sample);
// Add the layer, if there is one, to a sample of the flow.
void tnWaves_AddToSample(const tnWaves* waves, tnVec2 position, tnSample* sample);
// What no sample is higher than, above or below the flow, m: of the waves that there were after the last step.
float tnWaves_GetHighest(const tnWaves* waves);
