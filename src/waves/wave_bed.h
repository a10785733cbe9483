// SPDX-License-Identifier: MIT

#pragma once

#include "../bodies/bodies.h"
#include "../core/parallel.h"
#include "../flow/grid.h"
#include "../flow/tiles.h"
#include "wave_pool.h"

// What the wave layer sees of the flow: depth, wet share and current, averaged to the cells of every level from the
// cells of the world on. Bodies that stand still and block the flow are no water for waves either. Brought up to date block by block, and only where the flow moves.

// Cells with less water than this are dry for waves, m: a centimeter, below which waves are a tenth of what makes them
// visible.
#define TN_WAVE_WET_DEPTH 0.01f

enum
{
	// Blocks in which the flow moves are read every so many steps, all at the same time: a mirrored world must see
	// mirrored water. A quarter of a second at 60 Hz: depth changes more slowly than that, or the waves have other troubles.
	TN_BED_PERIOD = 16,
};

typedef struct tnWaveBedLevel
{
	int columnCount, rowCount;
	// At [row * columnCount + column].
	float* depth; // mean over what is wet, m; 0 where nothing is
	float* wet;   // share of the cell that is wet and inside the world
	// Mean current, m/s. NULL if nothing drifts.
	float* velocityX;
	float* velocityZ;
} tnWaveBedLevel;

typedef struct tnWaveBed
{
	tnWaveBedLevel levels[TN_MAX_WAVE_LEVELS]; // [0] has the cells of the world
	int levelCount;
	bool hasCurrent;
	// Blocks are the tiles of the flow, of 64 x 64 cells.
	int blockColumnCount, blockRowCount;
	uint32_t* stamps; // by block: when it changed so much that coefficients must follow
	uint8_t* dirty;   // by block: must be read again
	uint8_t* moved;   // by block: the flow was awake there when it was last read
	int* list;        // blocks to read
	uint32_t* walls;  // by block: a checksum of the bodies that stand in it, and when they were last looked at
	uint32_t* oldWalls;
	bool hadBodies;
	uint32_t stamp; // of the last change anywhere
	bool openX,
		openZ; // the world has no walls at its far sides: cells that reach over them are as wet as what is inside
	float* memory;
	size_t memoryFloats;
} tnWaveBed;

// Only its sizes: tnWaveBed_Create gets the memory.
void tnWaveBed_Init(tnWaveBed* bed, const tnGrid* grid, const tnWavesDef* def);
// False if memory ran out.
bool tnWaveBed_Create(tnWaveBed* bed, tnMemory* memory);
// Give it back. The sizes stay.
void tnWaveBed_Destroy(tnWaveBed* bed, tnMemory* memory);
// As it was created: nothing was ever read.
void tnWaveBed_Clear(tnWaveBed* bed);

// Read all again next time.
void tnWaveBed_MarkAll(tnWaveBed* bed);
// Read the blocks that are due: all that move or were edited, every few steps, or now if `atOnce`. What sleeps has not changed
// since it was read, so sleep changes no bit of the bed.
// True if some of them have changed so much that tiles must follow.
bool tnWaveBed_Refresh(tnWaveBed* bed, const tnGrid* grid, tnTiles* tiles, const tnBodies* bodies, tnParallel* parallel,
	int64_t stepCount, bool atOnce);

// The latest stamp of the blocks under a rectangle of cells of the world; ends are exclusive, and clipped.
uint32_t tnWaveBed_GetStamp(const tnWaveBed* bed, int columnBegin, int columnEnd, int rowBegin, int rowEnd);

// Is there water anywhere under a rectangle of cells of a level from the cells of the world on? Ends are exclusive, and
// clipped. A few cells more may be looked at.
bool tnWaveBed_IsWet(const tnWaveBed* bed, int columnBegin, int columnEnd, int rowBegin, int rowEnd);
