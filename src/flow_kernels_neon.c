// SPDX-License-Identifier: MIT

#define TN_SIMD_NEON
#define TN_KERNEL_TABLE tnFlowKernelsNeon
#include "flow_kernels.inc"
