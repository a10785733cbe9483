// SPDX-License-Identifier: MIT

#define TN_SIMD_SSE2
#define TN_BODY_TABLE tnBodyKernelsSse2
#include "body_kernels.inc"
