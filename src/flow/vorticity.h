// SPDX-License-Identifier: MIT

#pragma once

#include "../core/parallel.h"
#include "grid.h"
#include "tiles.h"

// Vorticity confinement: spins eddies up again that the grid has smeared out. Holds no memory until it is asked for.

typedef struct tnVorticity
{
	// Vorticity times cellSize, m/s: of corner (c, r), the north-west corner of cell (c, r), in the layout of the grid.
	float* corners;
	float* workerRows;
	ptrdiff_t rowPitch; // from one of them to the next, floats
	float* speeds;      // by row of tiles: of the fastest face that got faster, m/s
	int workerCount;
} tnVorticity;

// Allocates, unless it has. False if memory ran out (nothing is then held).
bool tnVorticity_Prepare(tnVorticity* vorticity, tnMemory* memory, const tnGrid* grid, int workerCount);
void tnVorticity_Destroy(tnVorticity* vorticity, tnMemory* memory, const tnGrid* grid);

// Act once on the velocities of the awake tiles, right after the sub-steps of a step. Does not allocate.
// @param strength see tnWorldDef.vorticityConfinement
void tnVorticity_Confine(
	tnVorticity* vorticity, tnGrid* grid, const tnTiles* tiles, tnParallel* parallel, float strength, double timeStep);
