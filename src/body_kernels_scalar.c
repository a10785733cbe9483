// SPDX-License-Identifier: MIT

#define TN_SIMD_SCALAR
#define TN_BODY_TABLE tnBodyKernelsScalar
#include "body_kernels.inc"
