// SPDX-License-Identifier: MIT

#define TN_SIMD_AVX2
#define TN_KERNEL_TABLE tnFlowKernelsAvx2
#include "flow_kernels.inc"
