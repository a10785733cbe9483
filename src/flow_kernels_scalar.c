// SPDX-License-Identifier: MIT

#define TN_SIMD_SCALAR
#define TN_KERNEL_TABLE tnFlowKernelsScalar
#include "flow_kernels.inc"
