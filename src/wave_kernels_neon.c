// SPDX-License-Identifier: MIT

#define TN_SIMD_NEON
#define TN_WAVE_TABLE tnWaveKernelsNeon
#include "wave_kernels.inc"
