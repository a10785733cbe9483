// SPDX-License-Identifier: MIT

#pragma once

// A pair of doubles, for sums that float32 is too coarse for. The rules of simd.h hold: lanes do not mix, no fused
// multiply-add, and min means a < b ? a : b on every path.

#include <stdbool.h>
#include <stdint.h>

// Every processor of these kinds has these vectors.
// One operation per line, so that the instruction sets can be compared line by line.
// clang-format off

#if defined(TN_HAVE_SSE2)

#include <emmintrin.h>

typedef __m128d tnDouble2;
typedef __m128d tnMask2;

static inline tnDouble2 tnSet2(double a, double b) { return _mm_set_pd(b, a); }
static inline tnDouble2 tnSplat2(double a) { return _mm_set1_pd(a); }
static inline tnDouble2 tnLoad2(const double* p) { return _mm_loadu_pd(p); }
static inline void tnStore2(double* p, tnDouble2 a) { _mm_storeu_pd(p, a); }
// Two floats, which become doubles.
static inline tnDouble2 tnLoadFloats2(const float* p) { return _mm_cvtps_pd(_mm_castsi128_ps(_mm_loadl_epi64((const __m128i*)p))); }
static inline double tnFirst2(tnDouble2 a) { return _mm_cvtsd_f64(a); }
static inline double tnSecond2(tnDouble2 a) { return _mm_cvtsd_f64(_mm_unpackhi_pd(a, a)); }
static inline tnDouble2 tnAdd2(tnDouble2 a, tnDouble2 b) { return _mm_add_pd(a, b); }
static inline tnDouble2 tnSub2(tnDouble2 a, tnDouble2 b) { return _mm_sub_pd(a, b); }
static inline tnDouble2 tnMul2(tnDouble2 a, tnDouble2 b) { return _mm_mul_pd(a, b); }
static inline tnDouble2 tnDiv2(tnDouble2 a, tnDouble2 b) { return _mm_div_pd(a, b); }
static inline tnDouble2 tnMin2(tnDouble2 a, tnDouble2 b) { return _mm_min_pd(a, b); }
static inline tnMask2 tnGreater2(tnDouble2 a, tnDouble2 b) { return _mm_cmpgt_pd(a, b); }
static inline tnMask2 tnDiffers2(tnDouble2 a, tnDouble2 b) { return _mm_cmpneq_pd(a, b); }
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

#elif defined(TN_HAVE_NEON)

#include <arm_neon.h>

typedef float64x2_t tnDouble2;
typedef uint64x2_t tnMask2;

static inline tnDouble2 tnSet2(double a, double b) { return vcombine_f64(vdup_n_f64(a), vdup_n_f64(b)); }
static inline tnDouble2 tnSplat2(double a) { return vdupq_n_f64(a); }
static inline tnDouble2 tnLoad2(const double* p) { return vld1q_f64(p); }
static inline void tnStore2(double* p, tnDouble2 a) { vst1q_f64(p, a); }
static inline tnDouble2 tnLoadFloats2(const float* p) { return vcvt_f64_f32(vld1_f32(p)); }
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
static inline tnDouble2 tnLoadFloats2(const float* p) { return (tnDouble2){(double)p[0], (double)p[1]}; }
static inline double tnFirst2(tnDouble2 a) { return a.a; }
static inline double tnSecond2(tnDouble2 a) { return a.b; }
static inline tnDouble2 tnAdd2(tnDouble2 a, tnDouble2 b) { return (tnDouble2){a.a + b.a, a.b + b.b}; }
static inline tnDouble2 tnSub2(tnDouble2 a, tnDouble2 b) { return (tnDouble2){a.a - b.a, a.b - b.b}; }
static inline tnDouble2 tnMul2(tnDouble2 a, tnDouble2 b) { return (tnDouble2){a.a * b.a, a.b * b.b}; }
static inline tnDouble2 tnDiv2(tnDouble2 a, tnDouble2 b) { return (tnDouble2){a.a / b.a, a.b / b.b}; }
static inline tnDouble2 tnMin2(tnDouble2 a, tnDouble2 b) { return (tnDouble2){a.a < b.a ? a.a : b.a, a.b < b.b ? a.b : b.b}; }
static inline tnMask2 tnGreater2(tnDouble2 a, tnDouble2 b) { return (tnMask2){a.a > b.a, a.b > b.b}; }
static inline tnMask2 tnDiffers2(tnDouble2 a, tnDouble2 b) { return (tnMask2){a.a != b.a, a.b != b.b}; }
static inline tnDouble2 tnSelect2(tnMask2 mask, tnDouble2 a, tnDouble2 b) { return (tnDouble2){mask.a ? a.a : b.a, mask.b ? a.b : b.b}; }
static inline tnDouble2 tnKeep2(tnMask2 mask, tnDouble2 a) { return (tnDouble2){mask.a ? a.a : 0.0, mask.b ? a.b : 0.0}; }
static inline tnDouble2 tnDrop2(tnMask2 mask, tnDouble2 a) { return (tnDouble2){mask.a ? 0.0 : a.a, mask.b ? 0.0 : a.b}; }
static inline tnDouble2 tnFirsts2(tnDouble2 a, tnDouble2 b) { return (tnDouble2){a.a, b.a}; }
static inline tnDouble2 tnSeconds2(tnDouble2 a, tnDouble2 b) { return (tnDouble2){a.b, b.b}; }
static inline tnDouble2 tnTrunc2(tnDouble2 a) { return (tnDouble2){(double)(int32_t)a.a, (double)(int32_t)a.b}; }

#endif

// clang-format on
