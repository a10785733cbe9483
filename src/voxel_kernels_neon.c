// SPDX-License-Identifier: MIT

#define TN_SIMD_NEON
#define TN_VOXEL_TABLE tnVoxelKernelsNeon
#include "voxel_kernels.inc"
