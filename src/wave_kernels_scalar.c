// SPDX-License-Identifier: MIT

#define TN_SIMD_SCALAR
#define TN_WAVE_TABLE tnWaveKernelsScalar
#include "wave_kernels.inc"
