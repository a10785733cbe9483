// SPDX-License-Identifier: MIT

#define TN_SIMD_SSE2
#define TN_KERNEL_TABLE tnFlowKernelsSse2
#include "flow_kernels.inc"
