// SPDX-License-Identifier: MIT

#define TN_SIMD_SSE2
#define TN_WAVE_TABLE tnWaveKernelsSse2
#include "wave_kernels.inc"
