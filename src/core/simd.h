// SPDX-License-Identifier: MIT

#pragma once

// One vector of floats, as wide as the instruction set that the including file was compiled for. A kernel file defines
// exactly one of TN_SIMD_SCALAR, TN_SIMD_SSE2, TN_SIMD_AVX2, TN_SIMD_NEON, TN_SIMD_WASM before including this.
//
// The rules that keep the bits the same for every width: kernels never add across lanes; no fused multiply-add and no
// estimates; min and max mean a < b ? a : b and a > b ? a : b on every path, so that zeros and NaN agree.
// Comparison gives a mask; tnKeepW(mask, a) is a where the mask is set and 0 elsewhere, and tnGetBitsW(mask) a bit for each
// lane, that of the first one lowest. tnEvenW and tnOddW take every
// second lane of two vectors that follow each other, tnZipLowW and tnZipHighW put them together again. Vectors of eight
// can be loaded and stored by their first four lanes: the others then hold anything. They can be stored by their last
// four, too, and parted into every second lane and the others.

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// One operation per line, so that the instruction sets can be compared line by line.
// clang-format off

#if defined(TN_SIMD_AVX2)

#include <immintrin.h>

#define TN_SIMD_WIDTH 8
typedef __m256 tnFloatW;
typedef __m256 tnMaskW;

static inline tnFloatW tnLoadW(const float* p) { return _mm256_loadu_ps(p); }
static inline void tnStoreW(float* p, tnFloatW a) { _mm256_storeu_ps(p, a); }
static inline tnFloatW tnSplatW(float a) { return _mm256_set1_ps(a); }
static inline tnFloatW tnAddW(tnFloatW a, tnFloatW b) { return _mm256_add_ps(a, b); }
static inline tnFloatW tnSubW(tnFloatW a, tnFloatW b) { return _mm256_sub_ps(a, b); }
static inline tnFloatW tnMulW(tnFloatW a, tnFloatW b) { return _mm256_mul_ps(a, b); }
static inline tnFloatW tnDivW(tnFloatW a, tnFloatW b) { return _mm256_div_ps(a, b); }
static inline tnFloatW tnMinW(tnFloatW a, tnFloatW b) { return _mm256_min_ps(a, b); }
static inline tnFloatW tnMaxW(tnFloatW a, tnFloatW b) { return _mm256_max_ps(a, b); }
static inline tnFloatW tnSqrtW(tnFloatW a) { return _mm256_sqrt_ps(a); }
static inline tnFloatW tnAbsW(tnFloatW a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a); }
static inline tnFloatW tnNegW(tnFloatW a) { return _mm256_xor_ps(_mm256_set1_ps(-0.0f), a); }
static inline tnMaskW tnGreaterW(tnFloatW a, tnFloatW b) { return _mm256_cmp_ps(a, b, _CMP_GT_OQ); }
static inline tnFloatW tnKeepW(tnMaskW mask, tnFloatW a) { return _mm256_and_ps(mask, a); }
static inline tnFloatW tnSelectW(tnMaskW mask, tnFloatW a, tnFloatW b) { return _mm256_blendv_ps(b, a, mask); }
static inline tnMaskW tnOrMaskW(tnMaskW a, tnMaskW b) { return _mm256_or_ps(a, b); }
static inline tnMaskW tnAndMaskW(tnMaskW a, tnMaskW b) { return _mm256_and_ps(a, b); }
static inline bool tnAnyW(tnMaskW mask) { return _mm256_movemask_ps(mask) != 0; }
static inline uint32_t tnGetBitsW(tnMaskW mask) { return (uint32_t)_mm256_movemask_ps(mask); }
static inline tnFloatW tnPartW(tnFloatW a)
{
	return _mm256_permutevar8x32_ps(a, _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7));
}
static inline tnFloatW tnEvenW(tnFloatW a, tnFloatW b)
{
	return _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(_mm256_shuffle_ps(a, b, 0x88)), 0xd8));
}
static inline tnFloatW tnOddW(tnFloatW a, tnFloatW b)
{
	return _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(_mm256_shuffle_ps(a, b, 0xdd)), 0xd8));
}
static inline tnFloatW tnZipLowW(tnFloatW a, tnFloatW b)
{
	return _mm256_permute2f128_ps(_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b), 0x20);
}
static inline tnFloatW tnZipHighW(tnFloatW a, tnFloatW b)
{
	return _mm256_permute2f128_ps(_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b), 0x31);
}
static inline tnFloatW tnLoadLowW(const float* p) { return _mm256_castps128_ps256(_mm_loadu_ps(p)); }
static inline void tnStoreLowW(float* p, tnFloatW a) { _mm_storeu_ps(p, _mm256_castps256_ps128(a)); }
static inline void tnStoreHighW(float* p, tnFloatW a) { _mm_storeu_ps(p, _mm256_extractf128_ps(a, 1)); }
static inline tnFloatW tnCubeRootGuessW(tnFloatW a)
{
	__m256 bits = _mm256_cvtepi32_ps(_mm256_castps_si256(a));
	__m256i third = _mm256_cvttps_epi32(_mm256_mul_ps(bits, _mm256_set1_ps(1.0f / 3.0f)));
	return _mm256_castsi256_ps(_mm256_add_epi32(third, _mm256_set1_epi32(0x2a514067)));
}

#elif defined(TN_SIMD_SSE2)

#include <emmintrin.h>

#define TN_SIMD_WIDTH 4
typedef __m128 tnFloatW;
typedef __m128 tnMaskW;

static inline tnFloatW tnLoadW(const float* p) { return _mm_loadu_ps(p); }
static inline void tnStoreW(float* p, tnFloatW a) { _mm_storeu_ps(p, a); }
static inline tnFloatW tnSplatW(float a) { return _mm_set1_ps(a); }
static inline tnFloatW tnAddW(tnFloatW a, tnFloatW b) { return _mm_add_ps(a, b); }
static inline tnFloatW tnSubW(tnFloatW a, tnFloatW b) { return _mm_sub_ps(a, b); }
static inline tnFloatW tnMulW(tnFloatW a, tnFloatW b) { return _mm_mul_ps(a, b); }
static inline tnFloatW tnDivW(tnFloatW a, tnFloatW b) { return _mm_div_ps(a, b); }
static inline tnFloatW tnMinW(tnFloatW a, tnFloatW b) { return _mm_min_ps(a, b); }
static inline tnFloatW tnMaxW(tnFloatW a, tnFloatW b) { return _mm_max_ps(a, b); }
static inline tnFloatW tnSqrtW(tnFloatW a) { return _mm_sqrt_ps(a); }
static inline tnFloatW tnAbsW(tnFloatW a) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), a); }
static inline tnFloatW tnNegW(tnFloatW a) { return _mm_xor_ps(_mm_set1_ps(-0.0f), a); }
static inline tnMaskW tnGreaterW(tnFloatW a, tnFloatW b) { return _mm_cmpgt_ps(a, b); }
static inline tnFloatW tnKeepW(tnMaskW mask, tnFloatW a) { return _mm_and_ps(mask, a); }
static inline tnFloatW tnSelectW(tnMaskW mask, tnFloatW a, tnFloatW b)
{
	return _mm_or_ps(_mm_and_ps(mask, a), _mm_andnot_ps(mask, b));
}
static inline tnMaskW tnOrMaskW(tnMaskW a, tnMaskW b) { return _mm_or_ps(a, b); }
static inline tnMaskW tnAndMaskW(tnMaskW a, tnMaskW b) { return _mm_and_ps(a, b); }
static inline bool tnAnyW(tnMaskW mask) { return _mm_movemask_ps(mask) != 0; }
static inline uint32_t tnGetBitsW(tnMaskW mask) { return (uint32_t)_mm_movemask_ps(mask); }
static inline tnFloatW tnEvenW(tnFloatW a, tnFloatW b) { return _mm_shuffle_ps(a, b, 0x88); }
static inline tnFloatW tnOddW(tnFloatW a, tnFloatW b) { return _mm_shuffle_ps(a, b, 0xdd); }
static inline tnFloatW tnZipLowW(tnFloatW a, tnFloatW b) { return _mm_unpacklo_ps(a, b); }
static inline tnFloatW tnZipHighW(tnFloatW a, tnFloatW b) { return _mm_unpackhi_ps(a, b); }
static inline tnFloatW tnCubeRootGuessW(tnFloatW a)
{
	__m128 bits = _mm_cvtepi32_ps(_mm_castps_si128(a));
	__m128i third = _mm_cvttps_epi32(_mm_mul_ps(bits, _mm_set1_ps(1.0f / 3.0f)));
	return _mm_castsi128_ps(_mm_add_epi32(third, _mm_set1_epi32(0x2a514067)));
}

#elif defined(TN_SIMD_NEON)

#include <arm_neon.h>

#define TN_SIMD_WIDTH 4
typedef float32x4_t tnFloatW;
typedef uint32x4_t tnMaskW;

static inline tnFloatW tnLoadW(const float* p) { return vld1q_f32(p); }
static inline void tnStoreW(float* p, tnFloatW a) { vst1q_f32(p, a); }
static inline tnFloatW tnSplatW(float a) { return vdupq_n_f32(a); }
static inline tnFloatW tnAddW(tnFloatW a, tnFloatW b) { return vaddq_f32(a, b); }
static inline tnFloatW tnSubW(tnFloatW a, tnFloatW b) { return vsubq_f32(a, b); }
static inline tnFloatW tnMulW(tnFloatW a, tnFloatW b) { return vmulq_f32(a, b); }
static inline tnFloatW tnDivW(tnFloatW a, tnFloatW b) { return vdivq_f32(a, b); }
// vminq and vmaxq treat zeros and NaN in their own way: compare and select instead.
static inline tnFloatW tnMinW(tnFloatW a, tnFloatW b) { return vbslq_f32(vcltq_f32(a, b), a, b); }
static inline tnFloatW tnMaxW(tnFloatW a, tnFloatW b) { return vbslq_f32(vcgtq_f32(a, b), a, b); }
static inline tnFloatW tnSqrtW(tnFloatW a) { return vsqrtq_f32(a); }
static inline tnFloatW tnAbsW(tnFloatW a) { return vabsq_f32(a); }
static inline tnFloatW tnNegW(tnFloatW a) { return vnegq_f32(a); }
static inline tnMaskW tnGreaterW(tnFloatW a, tnFloatW b) { return vcgtq_f32(a, b); }
static inline tnFloatW tnKeepW(tnMaskW mask, tnFloatW a)
{
	return vreinterpretq_f32_u32(vandq_u32(mask, vreinterpretq_u32_f32(a)));
}
static inline tnFloatW tnSelectW(tnMaskW mask, tnFloatW a, tnFloatW b) { return vbslq_f32(mask, a, b); }
static inline tnMaskW tnOrMaskW(tnMaskW a, tnMaskW b) { return vorrq_u32(a, b); }
static inline tnMaskW tnAndMaskW(tnMaskW a, tnMaskW b) { return vandq_u32(a, b); }
static inline bool tnAnyW(tnMaskW mask) { return vmaxvq_u32(mask) != 0; }
static inline uint32_t tnGetBitsW(tnMaskW mask)
{
	static const uint32_t bits[4] = {1, 2, 4, 8};
	return vaddvq_u32(vandq_u32(mask, vld1q_u32(bits)));
}
static inline tnFloatW tnEvenW(tnFloatW a, tnFloatW b) { return vuzp1q_f32(a, b); }
static inline tnFloatW tnOddW(tnFloatW a, tnFloatW b) { return vuzp2q_f32(a, b); }
static inline tnFloatW tnZipLowW(tnFloatW a, tnFloatW b) { return vzip1q_f32(a, b); }
static inline tnFloatW tnZipHighW(tnFloatW a, tnFloatW b) { return vzip2q_f32(a, b); }
static inline tnFloatW tnCubeRootGuessW(tnFloatW a)
{
	float32x4_t bits = vcvtq_f32_s32(vreinterpretq_s32_f32(a));
	int32x4_t third = vcvtq_s32_f32(vmulq_f32(bits, vdupq_n_f32(1.0f / 3.0f)));
	return vreinterpretq_f32_s32(vaddq_s32(third, vdupq_n_s32(0x2a514067)));
}

#elif defined(TN_SIMD_WASM)

#include <wasm_simd128.h>

#define TN_SIMD_WIDTH 4
typedef v128_t tnFloatW;
typedef v128_t tnMaskW;

static inline tnFloatW tnLoadW(const float* p) { return wasm_v128_load(p); }
static inline void tnStoreW(float* p, tnFloatW a) { wasm_v128_store(p, a); }
static inline tnFloatW tnSplatW(float a) { return wasm_f32x4_splat(a); }
static inline tnFloatW tnAddW(tnFloatW a, tnFloatW b) { return wasm_f32x4_add(a, b); }
static inline tnFloatW tnSubW(tnFloatW a, tnFloatW b) { return wasm_f32x4_sub(a, b); }
static inline tnFloatW tnMulW(tnFloatW a, tnFloatW b) { return wasm_f32x4_mul(a, b); }
static inline tnFloatW tnDivW(tnFloatW a, tnFloatW b) { return wasm_f32x4_div(a, b); }
// pmin(x, y) is y < x ? y : x, pmax(x, y) is x < y ? y : x
static inline tnFloatW tnMinW(tnFloatW a, tnFloatW b) { return wasm_f32x4_pmin(b, a); }
static inline tnFloatW tnMaxW(tnFloatW a, tnFloatW b) { return wasm_f32x4_pmax(b, a); }
static inline tnFloatW tnSqrtW(tnFloatW a) { return wasm_f32x4_sqrt(a); }
static inline tnFloatW tnAbsW(tnFloatW a) { return wasm_f32x4_abs(a); }
static inline tnFloatW tnNegW(tnFloatW a) { return wasm_f32x4_neg(a); }
static inline tnMaskW tnGreaterW(tnFloatW a, tnFloatW b) { return wasm_f32x4_gt(a, b); }
static inline tnFloatW tnKeepW(tnMaskW mask, tnFloatW a) { return wasm_v128_and(mask, a); }
static inline tnFloatW tnSelectW(tnMaskW mask, tnFloatW a, tnFloatW b) { return wasm_v128_bitselect(a, b, mask); }
static inline tnMaskW tnOrMaskW(tnMaskW a, tnMaskW b) { return wasm_v128_or(a, b); }
static inline tnMaskW tnAndMaskW(tnMaskW a, tnMaskW b) { return wasm_v128_and(a, b); }
static inline bool tnAnyW(tnMaskW mask) { return wasm_v128_any_true(mask); }
static inline uint32_t tnGetBitsW(tnMaskW mask) { return (uint32_t)wasm_i32x4_bitmask(mask); }
static inline tnFloatW tnEvenW(tnFloatW a, tnFloatW b) { return wasm_i32x4_shuffle(a, b, 0, 2, 4, 6); }
static inline tnFloatW tnOddW(tnFloatW a, tnFloatW b) { return wasm_i32x4_shuffle(a, b, 1, 3, 5, 7); }
static inline tnFloatW tnZipLowW(tnFloatW a, tnFloatW b) { return wasm_i32x4_shuffle(a, b, 0, 4, 1, 5); }
static inline tnFloatW tnZipHighW(tnFloatW a, tnFloatW b) { return wasm_i32x4_shuffle(a, b, 2, 6, 3, 7); }
static inline tnFloatW tnCubeRootGuessW(tnFloatW a)
{
	v128_t bits = wasm_f32x4_convert_i32x4(a);
	v128_t third = wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_mul(bits, wasm_f32x4_splat(1.0f / 3.0f)));
	return wasm_i32x4_add(third, wasm_i32x4_splat(0x2a514067));
}

#elif defined(TN_SIMD_SCALAR)

#define TN_SIMD_WIDTH 1
typedef float tnFloatW;
typedef bool tnMaskW;

static inline tnFloatW tnLoadW(const float* p) { return *p; }
static inline void tnStoreW(float* p, tnFloatW a) { *p = a; }
static inline tnFloatW tnSplatW(float a) { return a; }
static inline tnFloatW tnAddW(tnFloatW a, tnFloatW b) { return a + b; }
static inline tnFloatW tnSubW(tnFloatW a, tnFloatW b) { return a - b; }
static inline tnFloatW tnMulW(tnFloatW a, tnFloatW b) { return a * b; }
static inline tnFloatW tnDivW(tnFloatW a, tnFloatW b) { return a / b; }
static inline tnFloatW tnMinW(tnFloatW a, tnFloatW b) { return a < b ? a : b; }
static inline tnFloatW tnMaxW(tnFloatW a, tnFloatW b) { return a > b ? a : b; }
static inline tnFloatW tnSqrtW(tnFloatW a) { return sqrtf(a); }
static inline tnFloatW tnAbsW(tnFloatW a) { return fabsf(a); }
static inline tnFloatW tnNegW(tnFloatW a) { return -a; }
static inline tnMaskW tnGreaterW(tnFloatW a, tnFloatW b) { return a > b; }
static inline tnFloatW tnKeepW(tnMaskW mask, tnFloatW a) { return mask ? a : 0.0f; }
static inline tnFloatW tnSelectW(tnMaskW mask, tnFloatW a, tnFloatW b) { return mask ? a : b; }
static inline tnMaskW tnOrMaskW(tnMaskW a, tnMaskW b) { return a || b; }
static inline tnMaskW tnAndMaskW(tnMaskW a, tnMaskW b) { return a && b; }
static inline bool tnAnyW(tnMaskW mask) { return mask; }
static inline uint32_t tnGetBitsW(tnMaskW mask) { return mask ? 1u : 0u; }
static inline tnFloatW tnEvenW(tnFloatW a, tnFloatW b) { (void)b; return a; }
static inline tnFloatW tnOddW(tnFloatW a, tnFloatW b) { (void)a; return b; }
static inline tnFloatW tnZipLowW(tnFloatW a, tnFloatW b) { (void)b; return a; }
static inline tnFloatW tnZipHighW(tnFloatW a, tnFloatW b) { (void)a; return b; }
static inline tnFloatW tnCubeRootGuessW(tnFloatW a)
{
	int32_t bits;
	memcpy(&bits, &a, sizeof(bits));
	bits = (int32_t)((float)bits * (1.0f / 3.0f)) + 0x2a514067;
	memcpy(&a, &bits, sizeof(a));
	return a;
}

#else
#error "define TN_SIMD_SCALAR, TN_SIMD_SSE2, TN_SIMD_AVX2, TN_SIMD_NEON or TN_SIMD_WASM"
#endif
// clang-format on

// The largest lane. Maxima do not depend on order, so this is no sum across lanes in disguise.
static inline float tnMaxLaneW(tnFloatW a)
{
	float lanes[TN_SIMD_WIDTH];
	tnStoreW(lanes, a);
	float largest = lanes[0];
	for (int i = 1; i < TN_SIMD_WIDTH; ++i)
	{
		largest = lanes[i] > largest ? lanes[i] : largest;
	}
	return largest;
}
