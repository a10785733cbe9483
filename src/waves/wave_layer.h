// SPDX-License-Identifier: MIT

#pragma once

#include "../core/parallel.h"
#include "../flow/grid.h"
#include "../flow/tiles.h"
#include "tarn/waves.h"
#include "wave_bed.h"
#include "wave_filter.h"
#include "wave_fit.h"
#include "wave_kernels.h"
#include "wave_pool.h"
#include "wave_ripples.h"
#include "wave_stamp.h"
#include "wave_tile_dealer.h"

// The wave layer of a world: what its parts share. waves.h has what is done with it.

enum
{
	// Time steps that kernels are kept of.
	TN_WAVE_TABLES = 8,
};

typedef struct tnWaves
{
	tnWavesDef def;
	float gravity;
	tnSimd simd;
	bool enabled;
	// Memory for tiles, bed, tables and all that only moving water needs is there: waves.c.
	bool hasRoom;
	// Something has come that may make waves. Before that there are no tiles, and nothing is looked at; room or not, the bits are
	// the same.
	bool stirred;
	tnWavePool pool;
	tnWaveBed bed;
	tnWaveDealer dealer;
	// Kernels of a level, of some time steps: TN_WAVE_TABLES for each level. Which of them are there changes no bit.
	tnWaveTable* tables;
	float tableSteps[TN_MAX_WAVE_LEVELS][TN_WAVE_TABLES]; // that they are fitted to, s; 0 for none
	int nextTables[TN_MAX_WAVE_LEVELS];                   // which is replaced next
	int currentTables[TN_MAX_WAVE_LEVELS];                // which is in use
	float timeStep;                                       // that those in use were chosen for, s; 0 before the first
	int64_t fitCount;                                     // how often coefficients of a tile were made
	tnWaveFilter filter;
	tnWaveStamps* stamps;
	const tnWaveKernels* kernels;
	tnEdgeKind edges[tn_sideCount];
	bool mustDeal;     // interests, edges or the bed have changed
	bool mustWindow;   // tiles have come or gone
	uint64_t bodyHash; // of what bodies asked for when tiles were dealt last
	float driftDue;    // s, for which the current has not yet carried the waves along

	float* scratch; // scratchFloats for each worker, which is a multiple of 16
	size_t scratchFloats;
	int workerCount;
	int* list;           // slots a pass goes over, room for all
	float* entryScratch; // of displacements, at least of one; see wave_entry.c
	size_t entryFloats;

	tnSwell swells[TN_MAX_TRAINS];       // also trains of a spectrum
	double swellWaves[TN_MAX_TRAINS][2]; // their wave vectors, 1/m
	int swellCount;
	tnVec2 wind;
	double windAge; // s, for how long it would have blown to make the waves that it may have made by now
	struct tnSpectrumSums* spectrumSums;

	float* largest;         // by slot: of |height| and |rate| * timeStep, m, after its last step
	tnWaveBreaking* broken; // by slot: of the last step
	int* handed;            // by slot: which finer tiles got energy from it
	tnBreaker* breakers;
	int breakerCount;
	double brokenEnergy;

	tnRipples* ripples; // NULL without

	struct tnWaveHandover* handover; // see wave_handover.c; NULL if the flow keeps its waves
	double account; // energy over density that the flow gave and the layer did not get, m^5/s^2; less than 0 is a debt
} tnWaves;

// The kernels of a level that are in use, and the time step that they, and the coefficients of its tiles, are made for.
static inline const tnWaveTable* tnWaves_GetTable(const tnWaves* waves, int level)
{
	return waves->tables + level * TN_WAVE_TABLES + waves->currentTables[level];
}

static inline float tnWaves_GetFitStep(const tnWaves* waves, int level)
{
	return waves->tableSteps[level][waves->currentTables[level]];
}

// Move a tile by the kernel of its depth: wave_step.c. Who calls it says for which heights and rates, how long, and with what losses.
// Returns the largest of |height| and |rate| * timeStep that it wrote.
float tnWaves_StepTile(const tnWaves* waves, const tnWaveTile* tile, tnWaveTileStep* step);

static inline float* tnWaves_GetScratch(const tnWaves* waves, int workerIndex)
{
	return waves->scratch + waves->scratchFloats * (size_t)workerIndex;
}
