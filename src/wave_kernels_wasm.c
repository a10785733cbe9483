// SPDX-License-Identifier: MIT

#define TN_SIMD_WASM
#define TN_WAVE_TABLE tnWaveKernelsWasm
#include "wave_kernels.inc"
