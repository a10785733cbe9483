// SPDX-License-Identifier: MIT

// Snapshots of the wave layer.

#pragma once

#include "../core/archive.h"
#include "waves.h"

// What its bytes need that the layer may not have.
typedef struct tnWavesPlan
{
	int interestCount;
	bool stirred;
} tnWavesPlan;

// False if memory ran out.
bool tnWavesPlan_Prepare(const tnWavesPlan* plan, tnWaves* waves, tnMemory* memory, const tnGrid* grid);

// Everything but what follows from it: coefficients of tiles are made again, unless those that are there are of the same bed.
void tnWaves_Archive(tnWaves* waves, tnArchive* archive, tnParallel* parallel, tnWavesPlan* plan);
