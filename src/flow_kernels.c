// SPDX-License-Identifier: MIT

#include "flow_kernels.h"

// Elsewhere the answer is known without asking.
#if !defined(TN_HAVE_NEON) && !defined(TN_HAVE_WASM)
static bool tnHasAvx2(void)
{
#if defined(TN_HAVE_AVX2) && defined(__GNUC__)
	return __builtin_cpu_supports("avx2") != 0;
#else
	return false;
#endif
}
#endif

tnSimd tnGetBestSimd(void)
{
#if defined(TN_HAVE_NEON)
	return tn_simdNeon;
#elif defined(TN_HAVE_WASM)
	return tn_simdWasm;
#elif defined(TN_HAVE_SSE2)
	return tnHasAvx2() ? tn_simdAvx2 : tn_simdSse2;
#else
	return tnHasAvx2() ? tn_simdAvx2 : tn_simdScalar;
#endif
}

const tnFlowKernels* tnGetFlowKernels(tnSimd simd)
{
	switch (simd == tn_simdAuto ? tnGetBestSimd() : simd)
	{
#ifndef TN_WITHOUT_SCALAR
		case tn_simdScalar:
			return &tnFlowKernelsScalar;
#endif
#ifdef TN_HAVE_SSE2
		case tn_simdSse2:
			return &tnFlowKernelsSse2;
#endif
#ifdef TN_HAVE_AVX2
		case tn_simdAvx2:
			return tnHasAvx2() ? &tnFlowKernelsAvx2 : NULL;
#endif
#ifdef TN_HAVE_NEON
		case tn_simdNeon:
			return &tnFlowKernelsNeon;
#endif
#ifdef TN_HAVE_WASM
		case tn_simdWasm:
			return &tnFlowKernelsWasm;
#endif
		default:
			return NULL;
	}
}

bool tnIsSimdAvailable(tnSimd simd)
{
	return tnGetFlowKernels(simd) != NULL;
}

const char* tnGetSimdName(tnSimd simd)
{
	switch (simd)
	{
		case tn_simdAuto:
			return "auto";
		case tn_simdScalar:
			return "scalar";
		case tn_simdSse2:
			return "sse2";
		case tn_simdAvx2:
			return "avx2";
		case tn_simdNeon:
			return "neon";
		case tn_simdWasm:
			return "wasm";
		default:
			return "unknown";
	}
}
