// SPDX-License-Identifier: MIT

#pragma once

#include "edges.h"
#include "grid.h"
#include "ids.h"
#include "parallel.h"
#include "tarn/waves.h"
#include "tiles.h"
#include "wave_bed.h"
#include "wave_filter.h"
#include "wave_fit.h"
#include "wave_kernels.h"
#include "wave_pool.h"
#include "wave_stamp.h"

// The wave layer of a world: bands of waves over the flow. waves.c has its life and the order of its step:
//
//   deal tiles -> see the bed -> what comes in (bodies, flow, swell) -> waves -> drift -> break -> ripples

typedef struct tnInterest
{
	tnInterestDef def;
} tnInterest;

typedef struct tnWaves
{
	tnWavesDef def;
	float gravity;
	bool enabled; // everything below is there
	tnWavePool pool;
	tnWaveBed bed;
	tnWaveTable tables[TN_MAX_WAVE_LEVELS];
	float tableTimeStep; // that they were fitted to, s
	tnWaveFilter filter;
	tnWaveStamps* stamps;
	const tnWaveKernels* kernels;
	tnEdgeKind edges[tn_sideCount];

	tnIdPool interestIds;
	tnInterest* interests;
	int interestCapacity;
	bool mustDeal; // interests or the bed have changed
	void* dealing; // candidates, see wave_deal.c
	size_t dealingBytes;

	float* scratch; // by worker: kernels.scratchFloats
	size_t scratchFloats;
	int workerCount;
	float* entryScratch; // of stamps and footprints
	size_t entryFloats;

	tnSwell swells[TN_MAX_SWELLS];
	int swellCount;
	tnVec2 wind;

	float* breakLimits;     // by slot and cell; NULL without a limit
	tnWaveBreaking* broken; // by slot: of the last step
	tnBreaker* breakers;
	int breakerCount;
	double brokenEnergy;

	struct tnWaveHandover* handover; // wave_flow.c; NULL if the flow keeps its waves
	struct tnRipples* ripples;       // wave_ripples.c; NULL without
} tnWaves;
