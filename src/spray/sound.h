// SPDX-License-Identifier: MIT

#pragma once

#include "../core/parallel.h"
#include "../flow/grid.h"
#include "../flow/tiles.h"
#include "spray_kernels.h"
#include "tarn/sound.h"

// Power that water loses, by blocks of cells (sound.c).

// What has been heard in a block. Sums of power times place, to find the centre.
typedef struct tnSoundBlock
{
	double falling, breaking, flowing; // W
	double x, y, z;                    // W m
	double square;                     // of the distance from the origin of the grid, over the ground, W m^2
} tnSoundBlock;

typedef struct tnSounds
{
	tnSoundBlock* blocks; // NULL until somebody asks
	int* order;           // of the blocks, loudest first
	int blockCount;
} tnSounds;

typedef struct tnSoundScan
{
	const tnGrid* grid;
	const tnTiles* tiles;
	tnParallel* parallel;
	const tnSprayKernels* kernels;
	float gravity;
	float friction, manning; // of the world
	// Falls that are deeper than this leave the columns as spray: they are heard where it lands. TN_WALL: none do.
	float ledgeHeight;
	// Power of landing spray by blocks, W, or NULL.
	const float* splashes;
} tnSoundScan;

int tnSounds_CountBlocks(const tnGrid* grid);
// Blocks in a row of them.
int tnSounds_CountColumns(const tnGrid* grid);
// False if memory ran out.
bool tnSounds_Prepare(tnSounds* sounds, tnMemory* memory, const tnGrid* grid);
void tnSounds_Destroy(tnSounds* sounds, tnMemory* memory);
// Returns how many there are.
int tnSounds_Find(tnSounds* sounds, const tnSoundScan* scan, tnSound* found, int capacity);
