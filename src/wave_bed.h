// SPDX-License-Identifier: MIT

#pragma once

#include "grid.h"
#include "parallel.h"
#include "tiles.h"
#include "wave_pool.h"

// What the wave layer sees of the flow: depth, wet share and current, averaged to the cells of every level from the
// cells of the world on. Brought up to date block by block, and only where the flow moves.

typedef struct tnWaveBedLevel
{
	int columnCount, rowCount, stride;
	float* depth; // mean over what is wet, m; 0 where nothing is
	float* wet;   // share of the cell that is wet and inside the world
	float* velocityX;
	float* velocityZ; // mean current, m/s
} tnWaveBedLevel;

typedef struct tnWaveBed
{
	tnWaveBedLevel levels[TN_MAX_WAVE_LEVELS]; // [0] has the cells of the world
	int levelCount;
	// Blocks are the tiles of the flow: of 64 x 64 cells.
	int blockColumnCount, blockRowCount;
	uint32_t* stamps; // by block: when it changed so much that coefficients must follow
	uint8_t* dirty;   // by block: must be read again
	uint32_t stamp;
	bool keepCurrent;
	float* memory;
	size_t memoryFloats;
	int* list; // blocks to read
} tnWaveBed;

bool tnWaveBed_Create(tnWaveBed* bed, tnMemory* memory, const tnGrid* grid, const tnWavesDef* def);
void tnWaveBed_Destroy(tnWaveBed* bed, tnMemory* memory);

// Something was edited: read all again before the next step.
void tnWaveBed_MarkAll(tnWaveBed* bed);
// Read the blocks that are due.
void tnWaveBed_Refresh(
	tnWaveBed* bed, const tnGrid* grid, const tnTiles* tiles, tnParallel* parallel, int64_t stepCount);

// The latest stamp of the blocks under a rectangle of cells of the world; ends are exclusive, and clipped.
uint32_t tnWaveBed_GetStamp(const tnWaveBed* bed, int columnBegin, int columnEnd, int rowBegin, int rowEnd);
