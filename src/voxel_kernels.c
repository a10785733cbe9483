// SPDX-License-Identifier: MIT

#include "voxel_kernels.h"

#include "flow_kernels.h"

const tnVoxelKernels* tnGetVoxelKernels(tnSimd simd)
{
	switch (simd == tn_simdAuto ? tnGetBestSimd() : simd)
	{
#ifdef TN_HAVE_SSE2
		case tn_simdSse2:
			return &tnVoxelKernelsSse2;
#endif
#ifdef TN_HAVE_AVX2
		case tn_simdAvx2:
			return &tnVoxelKernelsAvx2;
#endif
#ifdef TN_HAVE_NEON
		case tn_simdNeon:
			return &tnVoxelKernelsNeon;
#endif
#ifdef TN_HAVE_WASM
		case tn_simdWasm:
			return &tnVoxelKernelsWasm;
#endif
#ifndef TN_WITHOUT_SCALAR
		default:
			return &tnVoxelKernelsScalar;
#else
		default:
			return NULL;
#endif
	}
}
