// SPDX-License-Identifier: MIT

#define TN_SIMD_SSE2
#define TN_VOXEL_TABLE tnVoxelKernelsSse2
#include "voxel_kernels.inc"
