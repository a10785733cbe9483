// SPDX-License-Identifier: MIT

#include "wave_kernels.h"

#include "flow_kernels.h"

const tnWaveKernels* tnGetWaveKernels(tnSimd simd)
{
	switch (simd == tn_simdAuto ? tnGetBestSimd() : simd)
	{
#ifdef TN_HAVE_SSE2
		case tn_simdSse2:
			return &tnWaveKernelsSse2;
#endif
#ifdef TN_HAVE_AVX2
		case tn_simdAvx2:
			return &tnWaveKernelsAvx2;
#endif
#ifdef TN_HAVE_NEON
		case tn_simdNeon:
			return &tnWaveKernelsNeon;
#endif
#ifdef TN_HAVE_WASM
		case tn_simdWasm:
			return &tnWaveKernelsWasm;
#endif
#ifndef TN_WITHOUT_SCALAR
		default:
			return &tnWaveKernelsScalar;
#else
		default:
			return NULL;
#endif
	}
}
