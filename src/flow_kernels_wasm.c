// SPDX-License-Identifier: MIT

#define TN_SIMD_WASM
#define TN_KERNEL_TABLE tnFlowKernelsWasm
#include "flow_kernels.inc"
