// SPDX-License-Identifier: MIT

#pragma once

#include "grid.h"
#include "parallel.h"
#include "tarn/waves.h"
#include "tiles.h"
#include "wave_bed.h"
#include "wave_deal.h"
#include "wave_filter.h"
#include "wave_fit.h"
#include "wave_kernels.h"
#include "wave_pool.h"
#include "wave_ripples.h"
#include "wave_stamp.h"

// The wave layer of a world: bands of waves over the flow. waves.c has its life, wave_step.c the order of its step:
//
//   deal tiles -> see the bed -> what comes in (bodies, flow, swell) -> waves -> drift -> break -> ripples

typedef struct tnWaves
{
	tnWavesDef def;
	float gravity;
	bool enabled; // everything below is there
	tnWavePool pool;
	tnWaveBed bed;
	tnWaveDealer dealer;
	tnWaveTable* tables; // by level
	float tableTimeStep; // that they were fitted to, s
	tnWaveFilter filter;
	tnWaveStamps* stamps;
	const tnWaveKernels* kernels;
	tnEdgeKind edges[tn_sideCount];
	bool mustDeal;   // interests, edges or the bed have changed
	bool mustWindow; // tiles have come or gone
	float driftDue;  // s, for which the current has not yet carried the waves along

	float* scratch; // scratchFloats for each worker, which is a multiple of 16
	size_t scratchFloats;
	int workerCount;
	int* list;           // slots a pass goes over, room for all
	float* entryScratch; // of displacements, see wave_entry.c
	size_t entryFloats;

	tnSwell swells[TN_MAX_SWELLS];
	double swellWaves[TN_MAX_SWELLS][2]; // their wave vectors, 1/m
	int swellCount;
	tnVec2 wind;

	float* largest;         // by slot: of |height| and |rate| * timeStep, m, after its last step
	tnWaveBreaking* broken; // by slot: of the last step
	int* handed;            // by slot: which finer tiles got energy from it
	tnBreaker* breakers;
	int breakerCount;
	double brokenEnergy;

	tnRipples* ripples; // NULL without

	struct tnWaveHandover* handover; // see wave_flow.c; NULL if the flow keeps its waves
} tnWaves;

// waves.c ------------------------------------------------------------------------------------------------------------

// Does nothing, and succeeds, if the def has no waves.
bool tnWaves_Create(tnWaves* waves, tnMemory* memory, const tnGrid* grid, const tnWorldDef* def, int workerCount);
void tnWaves_Destroy(tnWaves* waves, tnMemory* memory);
// Edges of the world have changed.
void tnWaves_SetEdges(tnWaves* waves, const tnGrid* grid, const tnEdgeKind* kinds);

// Angular frequency of typical waves of a level at a depth, 1/s.
float tnWaves_GetFrequency(const tnWaves* waves, int level, float depth);
uint64_t tnWaves_Hash(const tnWaves* waves, uint64_t hash);
void tnWaves_GetStats(const tnWaves* waves, tnWaveStats* stats);

static inline float* tnWaves_GetScratch(const tnWaves* waves, int workerIndex)
{
	return waves->scratch + waves->scratchFloats * (size_t)workerIndex;
}

// wave_step.c --------------------------------------------------------------------------------------------------------

// Fit kernels to a time step, see the bed, deal tiles, make their coefficients. Between steps `atOnce`: whatever was
// edited is seen.
void tnWaves_Prepare(tnWaves* waves, const tnGrid* grid, const tnTiles* tiles, const tnBodies* bodies,
	tnParallel* parallel, float timeStep, int64_t stepCount, bool atOnce);
// Advance all waves. Call tnWaves_Prepare before.
// @param time of the world after the step, s; @param rain m/s
void tnWaves_Advance(tnWaves* waves, tnParallel* parallel, double time, float timeStep, int64_t stepCount, float rain);

// wave_sample.c ------------------------------------------------------------------------------------------------------

// What bands tell, and the ripples.
void tnWaves_Sample(const tnWaves* waves, tnVec2 position, tnWaveSample* sample);
