// SPDX-License-Identifier: MIT

#define TN_SIMD_WASM
#define TN_VOXEL_TABLE tnVoxelKernelsWasm
#include "voxel_kernels.inc"
