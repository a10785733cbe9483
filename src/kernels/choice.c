// SPDX-License-Identifier: MIT

// Finds the table of a kind of kernels for an instruction set.

#include "../bodies/body_kernels.h"
#include "../flow/flow_kernels.h"
#include "../shapes/triangle_kernels.h"
#include "../spray/foam_kernels.h"
#include "../spray/spray_kernels.h"
#include "../surface/surface_kernels.h"
#include "../voxels/voxel_kernels.h"
#include "../waves/wave_handover_rows.h"
#include "../waves/wave_kernels.h"

#ifdef TN_HAVE_SCALAR
#define TN_SCALAR_CASE(type) \
	case tn_simdScalar:      \
		return &type##Scalar;
#else
#define TN_SCALAR_CASE(type)
#endif
#ifdef TN_HAVE_SSE2
#define TN_SSE2_CASE(type) \
	case tn_simdSse2:      \
		return &type##Sse2;
#else
#define TN_SSE2_CASE(type)
#endif
#ifdef TN_HAVE_AVX2
#define TN_AVX2_CASE(type) \
	case tn_simdAvx2:      \
		return tnIsSimdAvailable(tn_simdAvx2) ? &type##Avx2 : NULL;
#else
#define TN_AVX2_CASE(type)
#endif
#ifdef TN_HAVE_NEON
#define TN_NEON_CASE(type) \
	case tn_simdNeon:      \
		return &type##Neon;
#else
#define TN_NEON_CASE(type)
#endif
#ifdef TN_HAVE_WASM
#define TN_WASM_CASE(type) \
	case tn_simdWasm:      \
		return &type##Wasm;
#else
#define TN_WASM_CASE(type)
#endif

// NULL if it was not built in or this processor lacks it.
#define TN_DEFINE_CHOICE(type, get)                           \
	const type* get(tnSimd simd)                              \
	{                                                         \
		switch (simd == tn_simdAuto ? tnGetBestSimd() : simd) \
		{                                                     \
			TN_SCALAR_CASE(type)                              \
			TN_SSE2_CASE(type)                                \
			TN_AVX2_CASE(type)                                \
			TN_NEON_CASE(type)                                \
			TN_WASM_CASE(type)                                \
			default:                                          \
				return NULL;                                  \
		}                                                     \
	}

TN_DEFINE_CHOICE(tnTriangleKernels, tnGetTriangleKernels)
TN_DEFINE_CHOICE(tnFlowKernels, tnGetFlowKernels)
TN_DEFINE_CHOICE(tnBodyKernels, tnGetBodyKernels)
TN_DEFINE_CHOICE(tnWaveKernels, tnGetWaveKernels)
TN_DEFINE_CHOICE(tnHandoverRows, tnGetHandoverRows)
TN_DEFINE_CHOICE(tnFoamKernels, tnGetFoamKernels)
TN_DEFINE_CHOICE(tnSprayKernels, tnGetSprayKernels)
TN_DEFINE_CHOICE(tnSurfaceKernels, tnGetSurfaceKernels)
TN_DEFINE_CHOICE(tnVoxelKernels, tnGetVoxelKernels)
