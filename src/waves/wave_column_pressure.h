// SPDX-License-Identifier: MIT

#pragma once

#include "wave_rectangle_means.h"

// What waves do to columns of bodies, one band after the other, the coarsest first: wave_column_pressure.inc says how.

typedef struct tnWaveFalls
{
	double weight[TN_PRINT_BLOCK];                                // rho g A, N/m
	double water[TN_PRINT_BLOCK];                                 // H, m
	double bottom[TN_PRINT_BLOCK], top[TN_PRINT_BLOCK];           // d, m; then e^(-k d)
	double bottomFloor[TN_PRINT_BLOCK], topFloor[TN_PRINT_BLOCK]; // e^(-k (2 H - d))
	double isCovered[TN_PRINT_BLOCK];                             // 1 if there is water above it, else 0
	double forceX[TN_PRINT_BLOCK], forceY[TN_PRINT_BLOCK], forceZ[TN_PRINT_BLOCK]; // N
} tnWaveFalls;
