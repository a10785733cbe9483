// SPDX-License-Identifier: MIT

#pragma once

#include "../core/parallel.h"
#include "../flow/grid.h"
#include "../flow/tiles.h"
#include "wave_layer.h"

// Hands the short waves of the flow over to the wave layer: wave_handover.c says how.

// Worlds with tnWavesDef.takeFromFlow are refused, because flow and layer together may gain energy: docs/waves.md says what is
// known of it. Tests of the handover itself may have them; nobody else may call this.
void tnOpenHandover(bool open);
bool tnIsHandoverOpen(void);

// False if memory ran out. Of a layer that has its pool and its bed.
bool tnWaves_CreateHandover(tnWaves* waves, tnMemory* memory, const tnGrid* grid, tnSimd simd, int workerCount);
void tnWaves_DestroyHandover(tnWaves* waves, tnMemory* memory);

// Before the flow and the layer move. Does not allocate.
// @param fixedSection of pipes, m; 0 if it is the depth
void tnWaves_TakeFromFlow(tnWaves* waves, tnGrid* grid, const tnTiles* tiles, tnParallel* parallel, int64_t stepCount,
	float timeStep, float fixedSection);
