// SPDX-License-Identifier: MIT

#pragma once

#include "../core/instruction_sets.h"

#include <stddef.h>
#include <stdint.h>

// Where cells of a row may lose water to the air (spray_breaking.c, spray_ledges.c; spray_kernels.inc has the loops for one
// instruction set). Bit i stands for cell i of `count`, at most 64 of them. Whole vectors are read: up to 7 floats beyond `count`
// and its neighbours.

typedef struct tnSprayKernels
{
	// Cells from which the surface falls by more than `limit` to a neighbour in which water stands `least` above the ground of both.
	uint64_t (*findFronts)(const float* bed, const float* depth, ptrdiff_t stride, float limit, float least, int count);
	// Cells beside ground that is higher by more than `height`, and less than `wall`.
	uint64_t (*findLedges)(const float* bed, ptrdiff_t stride, float height, float wall, int count);
} tnSprayKernels;

const tnSprayKernels* tnGetSprayKernels(tnSimd simd);
TN_DECLARE_TABLES(tnSprayKernels);
