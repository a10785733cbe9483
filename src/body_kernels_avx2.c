// SPDX-License-Identifier: MIT

// Vectors of four, as half a strip has four cells, but with the instructions of AVX2: those name the place of their
// result, and so need fewer copies.
#define TN_SIMD_SSE2
#define TN_BODY_TABLE tnBodyKernelsAvx2
#include "body_kernels.inc"
