// SPDX-License-Identifier: MIT

#define TN_SIMD_WASM
#define TN_BODY_TABLE tnBodyKernelsWasm
#include "body_kernels.inc"
