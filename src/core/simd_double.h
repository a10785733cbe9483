// SPDX-License-Identifier: MIT

#pragma once

// Two and four doubles, for sums that float32 is too coarse for. The rules of simd.h hold: lanes do not mix, no fused
// multiply-add, and min means a < b ? a : b on every path. Where four are not one vector they are two pairs.

#include "instruction_sets.h"

#include <stdbool.h>
#include <stdint.h>

// Every processor of these kinds has pairs, whatever its kernels are compiled for.
// One operation per line, so that the instruction sets can be compared line by line.
// clang-format off

#if defined(TN_HAVE_SSE2) && !defined(TN_SIMD_SCALAR)

#include <emmintrin.h>

typedef __m128d tnDouble2;
typedef __m128d tnMask2;

static inline tnDouble2 tnSet2(double a, double b) { return _mm_set_pd(b, a); }
static inline tnDouble2 tnSplat2(double a) { return _mm_set1_pd(a); }
static inline tnDouble2 tnLoad2(const double* p) { return _mm_loadu_pd(p); }
static inline void tnStore2(double* p, tnDouble2 a) { _mm_storeu_pd(p, a); }
static inline double tnFirst2(tnDouble2 a) { return _mm_cvtsd_f64(a); }
static inline double tnSecond2(tnDouble2 a) { return _mm_cvtsd_f64(_mm_unpackhi_pd(a, a)); }
static inline tnDouble2 tnAdd2(tnDouble2 a, tnDouble2 b) { return _mm_add_pd(a, b); }
static inline tnDouble2 tnSub2(tnDouble2 a, tnDouble2 b) { return _mm_sub_pd(a, b); }
static inline tnDouble2 tnMul2(tnDouble2 a, tnDouble2 b) { return _mm_mul_pd(a, b); }
static inline tnDouble2 tnDiv2(tnDouble2 a, tnDouble2 b) { return _mm_div_pd(a, b); }
static inline tnDouble2 tnMin2(tnDouble2 a, tnDouble2 b) { return _mm_min_pd(a, b); }
static inline tnMask2 tnGreater2(tnDouble2 a, tnDouble2 b) { return _mm_cmpgt_pd(a, b); }
static inline tnMask2 tnDiffers2(tnDouble2 a, tnDouble2 b) { return _mm_cmpneq_pd(a, b); }
static inline bool tnAny2(tnMask2 mask) { return _mm_movemask_pd(mask) != 0; }
static inline tnDouble2 tnSelect2(tnMask2 mask, tnDouble2 a, tnDouble2 b)
{
	return _mm_or_pd(_mm_and_pd(mask, a), _mm_andnot_pd(mask, b));
}
static inline tnDouble2 tnKeep2(tnMask2 mask, tnDouble2 a) { return _mm_and_pd(mask, a); }
static inline tnDouble2 tnDrop2(tnMask2 mask, tnDouble2 a) { return _mm_andnot_pd(mask, a); }
// The first of both, the second of both.
static inline tnDouble2 tnFirsts2(tnDouble2 a, tnDouble2 b) { return _mm_unpacklo_pd(a, b); }
static inline tnDouble2 tnSeconds2(tnDouble2 a, tnDouble2 b) { return _mm_unpackhi_pd(a, b); }
// Towards zero.
static inline tnDouble2 tnTrunc2(tnDouble2 a) { return _mm_cvtepi32_pd(_mm_cvttpd_epi32(a)); }

#elif defined(TN_HAVE_NEON) && !defined(TN_SIMD_SCALAR)

#include <arm_neon.h>

typedef float64x2_t tnDouble2;
typedef uint64x2_t tnMask2;

static inline tnDouble2 tnSet2(double a, double b) { return vcombine_f64(vdup_n_f64(a), vdup_n_f64(b)); }
static inline tnDouble2 tnSplat2(double a) { return vdupq_n_f64(a); }
static inline tnDouble2 tnLoad2(const double* p) { return vld1q_f64(p); }
static inline void tnStore2(double* p, tnDouble2 a) { vst1q_f64(p, a); }
static inline double tnFirst2(tnDouble2 a) { return vgetq_lane_f64(a, 0); }
static inline double tnSecond2(tnDouble2 a) { return vgetq_lane_f64(a, 1); }
static inline tnDouble2 tnAdd2(tnDouble2 a, tnDouble2 b) { return vaddq_f64(a, b); }
static inline tnDouble2 tnSub2(tnDouble2 a, tnDouble2 b) { return vsubq_f64(a, b); }
static inline tnDouble2 tnMul2(tnDouble2 a, tnDouble2 b) { return vmulq_f64(a, b); }
static inline tnDouble2 tnDiv2(tnDouble2 a, tnDouble2 b) { return vdivq_f64(a, b); }
static inline tnDouble2 tnMin2(tnDouble2 a, tnDouble2 b) { return vbslq_f64(vcltq_f64(a, b), a, b); }
static inline tnMask2 tnGreater2(tnDouble2 a, tnDouble2 b) { return vcgtq_f64(a, b); }
static inline tnMask2 tnDiffers2(tnDouble2 a, tnDouble2 b)
{
	return vreinterpretq_u64_u32(vmvnq_u32(vreinterpretq_u32_u64(vceqq_f64(a, b))));
}
static inline bool tnAny2(tnMask2 mask) { return (vgetq_lane_u64(mask, 0) | vgetq_lane_u64(mask, 1)) != 0; }
static inline tnDouble2 tnSelect2(tnMask2 mask, tnDouble2 a, tnDouble2 b) { return vbslq_f64(mask, a, b); }
static inline tnDouble2 tnKeep2(tnMask2 mask, tnDouble2 a) { return vbslq_f64(mask, a, vdupq_n_f64(0.0)); }
static inline tnDouble2 tnDrop2(tnMask2 mask, tnDouble2 a) { return vbslq_f64(mask, vdupq_n_f64(0.0), a); }
static inline tnDouble2 tnFirsts2(tnDouble2 a, tnDouble2 b) { return vzip1q_f64(a, b); }
static inline tnDouble2 tnSeconds2(tnDouble2 a, tnDouble2 b) { return vzip2q_f64(a, b); }
static inline tnDouble2 tnTrunc2(tnDouble2 a) { return vrndq_f64(a); }

#else

typedef struct tnDouble2 { double a, b; } tnDouble2;
typedef struct tnMask2 { bool a, b; } tnMask2;

static inline tnDouble2 tnSet2(double a, double b) { return (tnDouble2){a, b}; }
static inline tnDouble2 tnSplat2(double a) { return (tnDouble2){a, a}; }
static inline tnDouble2 tnLoad2(const double* p) { return (tnDouble2){p[0], p[1]}; }
static inline void tnStore2(double* p, tnDouble2 a) { p[0] = a.a; p[1] = a.b; }
static inline double tnFirst2(tnDouble2 a) { return a.a; }
static inline double tnSecond2(tnDouble2 a) { return a.b; }
static inline tnDouble2 tnAdd2(tnDouble2 a, tnDouble2 b) { return (tnDouble2){a.a + b.a, a.b + b.b}; }
static inline tnDouble2 tnSub2(tnDouble2 a, tnDouble2 b) { return (tnDouble2){a.a - b.a, a.b - b.b}; }
static inline tnDouble2 tnMul2(tnDouble2 a, tnDouble2 b) { return (tnDouble2){a.a * b.a, a.b * b.b}; }
static inline tnDouble2 tnDiv2(tnDouble2 a, tnDouble2 b) { return (tnDouble2){a.a / b.a, a.b / b.b}; }
static inline tnDouble2 tnMin2(tnDouble2 a, tnDouble2 b) { return (tnDouble2){a.a < b.a ? a.a : b.a, a.b < b.b ? a.b : b.b}; }
static inline tnMask2 tnGreater2(tnDouble2 a, tnDouble2 b) { return (tnMask2){a.a > b.a, a.b > b.b}; }
static inline tnMask2 tnDiffers2(tnDouble2 a, tnDouble2 b) { return (tnMask2){a.a != b.a, a.b != b.b}; }
static inline bool tnAny2(tnMask2 mask) { return mask.a || mask.b; }
static inline tnDouble2 tnSelect2(tnMask2 mask, tnDouble2 a, tnDouble2 b) { return (tnDouble2){mask.a ? a.a : b.a, mask.b ? a.b : b.b}; }
static inline tnDouble2 tnKeep2(tnMask2 mask, tnDouble2 a) { return (tnDouble2){mask.a ? a.a : 0.0, mask.b ? a.b : 0.0}; }
static inline tnDouble2 tnDrop2(tnMask2 mask, tnDouble2 a) { return (tnDouble2){mask.a ? 0.0 : a.a, mask.b ? 0.0 : a.b}; }
static inline tnDouble2 tnFirsts2(tnDouble2 a, tnDouble2 b) { return (tnDouble2){a.a, b.a}; }
static inline tnDouble2 tnSeconds2(tnDouble2 a, tnDouble2 b) { return (tnDouble2){a.b, b.b}; }
static inline tnDouble2 tnTrunc2(tnDouble2 a) { return (tnDouble2){(double)(int32_t)a.a, (double)(int32_t)a.b}; }

#endif

#if defined(TN_SIMD_AVX2)

#include <immintrin.h>

typedef __m256d tnDouble4;
typedef __m256d tnMask4;

static inline tnDouble4 tnJoin4(tnDouble2 a, tnDouble2 b) { return _mm256_insertf128_pd(_mm256_castpd128_pd256(a), b, 1); }
static inline tnDouble4 tnSplat4(double a) { return _mm256_set1_pd(a); }
static inline tnDouble4 tnLoad4(const double* p) { return _mm256_loadu_pd(p); }
static inline void tnStore4(double* p, tnDouble4 a) { _mm256_storeu_pd(p, a); }
// Whole numbers.
static inline void tnStoreInts4(int32_t* p, tnDouble4 a) { _mm_storeu_si128((__m128i*)p, _mm256_cvttpd_epi32(a)); }
static inline tnDouble4 tnAdd4(tnDouble4 a, tnDouble4 b) { return _mm256_add_pd(a, b); }
static inline tnDouble4 tnSub4(tnDouble4 a, tnDouble4 b) { return _mm256_sub_pd(a, b); }
static inline tnDouble4 tnMul4(tnDouble4 a, tnDouble4 b) { return _mm256_mul_pd(a, b); }
static inline tnDouble4 tnDiv4(tnDouble4 a, tnDouble4 b) { return _mm256_div_pd(a, b); }
static inline tnDouble4 tnMin4(tnDouble4 a, tnDouble4 b) { return _mm256_min_pd(a, b); }
static inline tnMask4 tnGreater4(tnDouble4 a, tnDouble4 b) { return _mm256_cmp_pd(a, b, _CMP_GT_OQ); }
static inline tnMask4 tnDiffers4(tnDouble4 a, tnDouble4 b) { return _mm256_cmp_pd(a, b, _CMP_NEQ_UQ); }
static inline bool tnAny4(tnMask4 mask) { return _mm256_movemask_pd(mask) != 0; }
static inline tnDouble4 tnSelect4(tnMask4 mask, tnDouble4 a, tnDouble4 b) { return _mm256_blendv_pd(b, a, mask); }
static inline tnDouble4 tnKeep4(tnMask4 mask, tnDouble4 a) { return _mm256_and_pd(mask, a); }
static inline tnDouble4 tnDrop4(tnMask4 mask, tnDouble4 a) { return _mm256_andnot_pd(mask, a); }
static inline tnDouble4 tnTrunc4(tnDouble4 a) { return _mm256_cvtepi32_pd(_mm256_cvttpd_epi32(a)); }
// Rows become columns.
static inline void tnTranspose4(tnDouble4 rows[4])
{
	const tnDouble4 a = _mm256_unpacklo_pd(rows[0], rows[1]);
	const tnDouble4 b = _mm256_unpackhi_pd(rows[0], rows[1]);
	const tnDouble4 c = _mm256_unpacklo_pd(rows[2], rows[3]);
	const tnDouble4 d = _mm256_unpackhi_pd(rows[2], rows[3]);
	rows[0] = _mm256_permute2f128_pd(a, c, 0x20);
	rows[1] = _mm256_permute2f128_pd(b, d, 0x20);
	rows[2] = _mm256_permute2f128_pd(a, c, 0x31);
	rows[3] = _mm256_permute2f128_pd(b, d, 0x31);
}

#else

typedef struct tnDouble4 { tnDouble2 a, b; } tnDouble4;
typedef struct tnMask4 { tnMask2 a, b; } tnMask4;

static inline tnDouble4 tnJoin4(tnDouble2 a, tnDouble2 b) { return (tnDouble4){a, b}; }
static inline tnDouble4 tnSplat4(double a) { return (tnDouble4){tnSplat2(a), tnSplat2(a)}; }
static inline tnDouble4 tnLoad4(const double* p) { return (tnDouble4){tnLoad2(p), tnLoad2(p + 2)}; }
static inline void tnStore4(double* p, tnDouble4 a) { tnStore2(p, a.a); tnStore2(p + 2, a.b); }
static inline void tnStoreInts4(int32_t* p, tnDouble4 a)
{
	p[0] = (int32_t)tnFirst2(a.a);
	p[1] = (int32_t)tnSecond2(a.a);
	p[2] = (int32_t)tnFirst2(a.b);
	p[3] = (int32_t)tnSecond2(a.b);
}
static inline tnDouble4 tnAdd4(tnDouble4 a, tnDouble4 b) { return (tnDouble4){tnAdd2(a.a, b.a), tnAdd2(a.b, b.b)}; }
static inline tnDouble4 tnSub4(tnDouble4 a, tnDouble4 b) { return (tnDouble4){tnSub2(a.a, b.a), tnSub2(a.b, b.b)}; }
static inline tnDouble4 tnMul4(tnDouble4 a, tnDouble4 b) { return (tnDouble4){tnMul2(a.a, b.a), tnMul2(a.b, b.b)}; }
static inline tnDouble4 tnDiv4(tnDouble4 a, tnDouble4 b) { return (tnDouble4){tnDiv2(a.a, b.a), tnDiv2(a.b, b.b)}; }
static inline tnDouble4 tnMin4(tnDouble4 a, tnDouble4 b) { return (tnDouble4){tnMin2(a.a, b.a), tnMin2(a.b, b.b)}; }
static inline tnMask4 tnGreater4(tnDouble4 a, tnDouble4 b) { return (tnMask4){tnGreater2(a.a, b.a), tnGreater2(a.b, b.b)}; }
static inline tnMask4 tnDiffers4(tnDouble4 a, tnDouble4 b) { return (tnMask4){tnDiffers2(a.a, b.a), tnDiffers2(a.b, b.b)}; }
static inline bool tnAny4(tnMask4 mask) { return tnAny2(mask.a) || tnAny2(mask.b); }
static inline tnDouble4 tnSelect4(tnMask4 mask, tnDouble4 a, tnDouble4 b) { return (tnDouble4){tnSelect2(mask.a, a.a, b.a), tnSelect2(mask.b, a.b, b.b)}; }
static inline tnDouble4 tnKeep4(tnMask4 mask, tnDouble4 a) { return (tnDouble4){tnKeep2(mask.a, a.a), tnKeep2(mask.b, a.b)}; }
static inline tnDouble4 tnDrop4(tnMask4 mask, tnDouble4 a) { return (tnDouble4){tnDrop2(mask.a, a.a), tnDrop2(mask.b, a.b)}; }
static inline tnDouble4 tnTrunc4(tnDouble4 a) { return (tnDouble4){tnTrunc2(a.a), tnTrunc2(a.b)}; }
static inline void tnTranspose4(tnDouble4 rows[4])
{
	const tnDouble4 a = {tnFirsts2(rows[0].a, rows[1].a), tnFirsts2(rows[2].a, rows[3].a)};
	const tnDouble4 b = {tnSeconds2(rows[0].a, rows[1].a), tnSeconds2(rows[2].a, rows[3].a)};
	const tnDouble4 c = {tnFirsts2(rows[0].b, rows[1].b), tnFirsts2(rows[2].b, rows[3].b)};
	const tnDouble4 d = {tnSeconds2(rows[0].b, rows[1].b), tnSeconds2(rows[2].b, rows[3].b)};
	rows[0] = a;
	rows[1] = b;
	rows[2] = c;
	rows[3] = d;
}

#endif

// clang-format on
