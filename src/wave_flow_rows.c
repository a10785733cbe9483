// SPDX-License-Identifier: MIT

#include "wave_flow_rows.h"

#include "flow_kernels.h"

const tnHandoverRows* tnGetHandoverRows(tnSimd simd)
{
	switch (simd == tn_simdAuto ? tnGetBestSimd() : simd)
	{
#ifdef TN_HAVE_SSE2
		case tn_simdSse2:
			return &tnHandoverRowsSse2;
#endif
#ifdef TN_HAVE_AVX2
		case tn_simdAvx2:
			return &tnHandoverRowsAvx2;
#endif
#ifdef TN_HAVE_NEON
		case tn_simdNeon:
			return &tnHandoverRowsNeon;
#endif
#ifdef TN_HAVE_WASM
		case tn_simdWasm:
			return &tnHandoverRowsWasm;
#endif
#ifndef TN_WITHOUT_SCALAR
		default:
			return &tnHandoverRowsScalar;
#else
		default:
			return NULL;
#endif
	}
}
