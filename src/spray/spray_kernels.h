// SPDX-License-Identifier: MIT

#pragma once

#include "../core/instruction_sets.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Where cells of a row may lose water to the air (spray_breaking.c, spray_ledges.c) or are heard (sound.c; spray_kernels.inc has the loops for one
// instruction set). Bit i stands for cell i of `count`, at most 64 of them. Whole vectors are read: up to 7 floats beyond `count`
// and its neighbours.

enum
{
	// Cells along a side of the blocks that sounds are looked for in (sound.c). Divides a tile, and every vector divides it.
	TN_SOUND_BLOCK = 16,
};

// A block of cells, from its first one on: all of its columns are read, and those before and behind them.
typedef struct tnSoundCells
{
	const float* bed;
	const float* depth;
	const float* lift;     // NULL if there is none
	const float* flows[2]; // of the faces before and above the cells, as tnGrid has them
	ptrdiff_t stride;
	int rowCount;
} tnSoundCells;

typedef struct tnSteepLimits
{
	float front, wet, fall;
} tnSteepLimits;

typedef struct tnSteepBits
{
	uint32_t fronts[TN_SOUND_BLOCK];
	uint32_t falls[TN_SOUND_BLOCK];
} tnSteepBits;

typedef struct tnSprayKernels
{
	// Cells from which the surface falls by more than `limit` to a neighbour in which water stands `least` above the ground of both.
	uint64_t (*findFronts)(const float* bed, const float* depth, ptrdiff_t stride, float limit, float least, int count);
	// Cells beside ground that is higher by more than `height`, and less than `wall`.
	uint64_t (*findLedges)(const float* bed, ptrdiff_t stride, float height, float wall, int count);
	// Faces before cells (the low 16 bits of those of a row) and above them (the high ones) where sound.c has something to look at:
	// fronts, through which the surface changes by more than `front`, with water of more than `wet` above both grounds; and
	// falls, with any flow, and the ground of one side higher than the surface of the other by more than `fall`.
	// Returns whether there are any.
	bool (*findSteep)(const tnSoundCells* cells, const tnSteepLimits* limits, tnSteepBits* bits);
	// Cells of every second row that are deeper than `least` and have a face with more flow than base + slope * depth.
	bool (*findFast)(const tnSoundCells* cells, float least, float base, float slope, uint32_t* bits);
} tnSprayKernels;

const tnSprayKernels* tnGetSprayKernels(tnSimd simd);
TN_DECLARE_TABLES(tnSprayKernels);
