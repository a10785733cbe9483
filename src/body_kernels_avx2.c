// SPDX-License-Identifier: MIT

#define TN_SIMD_AVX2
#define TN_BODY_TABLE tnBodyKernelsAvx2
#include "body_kernels.inc"
