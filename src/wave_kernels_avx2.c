// SPDX-License-Identifier: MIT

#define TN_SIMD_AVX2
#define TN_WAVE_TABLE tnWaveKernelsAvx2
#include "wave_kernels.inc"
