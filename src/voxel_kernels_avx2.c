// SPDX-License-Identifier: MIT

#define TN_SIMD_AVX2
#define TN_VOXEL_TABLE tnVoxelKernelsAvx2
#include "voxel_kernels.inc"
