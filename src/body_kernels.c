// SPDX-License-Identifier: MIT

#include "body_kernels.h"

const tnBodyKernels* tnGetBodyKernels(tnSimd simd)
{
	switch (simd == tn_simdAuto ? tnGetBestSimd() : simd)
	{
#ifdef TN_HAVE_SSE2
		case tn_simdSse2:
			return &tnBodyKernelsSse2;
#endif
#ifdef TN_HAVE_AVX2
		case tn_simdAvx2:
			return &tnBodyKernelsAvx2;
#endif
#ifdef TN_HAVE_NEON
		case tn_simdNeon:
			return &tnBodyKernelsNeon;
#endif
#ifdef TN_HAVE_WASM
		case tn_simdWasm:
			return &tnBodyKernelsWasm;
#endif
#ifndef TN_WITHOUT_SCALAR
		default:
			return &tnBodyKernelsScalar;
#else
		default:
			return NULL;
#endif
	}
}
