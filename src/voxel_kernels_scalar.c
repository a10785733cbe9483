// SPDX-License-Identifier: MIT

#define TN_SIMD_SCALAR
#define TN_VOXEL_TABLE tnVoxelKernelsScalar
#include "voxel_kernels.inc"
