// SPDX-License-Identifier: MIT

// What the processor can do, and the names of instruction sets.

#include "instruction_sets.h"

static bool tnHasAvx2(void)
{
#if defined(TN_HAVE_AVX2) && defined(__GNUC__)
	return __builtin_cpu_supports("avx2") != 0;
#else
	return false;
#endif
}

bool tnIsSimdAvailable(tnSimd simd)
{
	switch (simd)
	{
		case tn_simdAuto:
			return true;
#ifdef TN_HAVE_SCALAR
		case tn_simdScalar:
			return true;
#endif
#ifdef TN_HAVE_SSE2
		case tn_simdSse2:
			return true;
#endif
		case tn_simdAvx2:
			return tnHasAvx2();
#ifdef TN_HAVE_NEON
		case tn_simdNeon:
			return true;
#endif
#ifdef TN_HAVE_WASM
		case tn_simdWasm:
			return true;
#endif
		default:
			return false;
	}
}

tnSimd tnGetBestSimd(void)
{
#if defined(TN_HAVE_NEON)
	return tn_simdNeon;
#elif defined(TN_HAVE_WASM)
	return tn_simdWasm;
#elif defined(TN_HAVE_SSE2)
	return tnHasAvx2() ? tn_simdAvx2 : tn_simdSse2;
#else
	return tn_simdScalar;
#endif
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
