// SPDX-License-Identifier: MIT

#define TN_SIMD_NEON
#define TN_BODY_TABLE tnBodyKernelsNeon
#include "body_kernels.inc"
