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

// The wave layer of a world: what its parts share. waves.h has what is done with it.

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
	float* entryScratch; // of displacements, at least of one; see wave_entry.c
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

static inline float* tnWaves_GetScratch(const tnWaves* waves, int workerIndex)
{
	return waves->scratch + waves->scratchFloats * (size_t)workerIndex;
}
