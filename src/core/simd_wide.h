// SPDX-License-Identifier: MIT

#pragma once

// The doubles that a vector of floats becomes, for sums that float32 is too coarse for: as many lanes as simd.h has, of
// which it is a part. Its rules hold.

#include "simd.h"

// One operation per line, so that the instruction sets can be compared line by line.
// clang-format off

#if defined(TN_SIMD_AVX2)

typedef struct tnDoubleW { __m256d a, b; } tnDoubleW;

static inline tnDoubleW tnWidenW(tnFloatW a) { return (tnDoubleW){_mm256_cvtps_pd(_mm256_castps256_ps128(a)), _mm256_cvtps_pd(_mm256_extractf128_ps(a, 1))}; }
static inline tnFloatW tnNarrowW(tnDoubleW a) { return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(a.a)), _mm256_cvtpd_ps(a.b), 1); }
static inline tnDoubleW tnSplatDoubleW(double a) { return (tnDoubleW){_mm256_set1_pd(a), _mm256_set1_pd(a)}; }
static inline tnDoubleW tnLoadDoubleW(const double* p) { return (tnDoubleW){_mm256_loadu_pd(p), _mm256_loadu_pd(p + 4)}; }
static inline void tnStoreDoubleW(double* p, tnDoubleW a) { _mm256_storeu_pd(p, a.a); _mm256_storeu_pd(p + 4, a.b); }
static inline tnDoubleW tnAddDoubleW(tnDoubleW a, tnDoubleW b) { return (tnDoubleW){_mm256_add_pd(a.a, b.a), _mm256_add_pd(a.b, b.b)}; }
static inline tnDoubleW tnSubDoubleW(tnDoubleW a, tnDoubleW b) { return (tnDoubleW){_mm256_sub_pd(a.a, b.a), _mm256_sub_pd(a.b, b.b)}; }
static inline tnDoubleW tnMulDoubleW(tnDoubleW a, tnDoubleW b) { return (tnDoubleW){_mm256_mul_pd(a.a, b.a), _mm256_mul_pd(a.b, b.b)}; }

#elif defined(TN_SIMD_SSE2)

typedef struct tnDoubleW { __m128d a, b; } tnDoubleW;

static inline tnDoubleW tnWidenW(tnFloatW a) { return (tnDoubleW){_mm_cvtps_pd(a), _mm_cvtps_pd(_mm_movehl_ps(a, a))}; }
static inline tnFloatW tnNarrowW(tnDoubleW a) { return _mm_movelh_ps(_mm_cvtpd_ps(a.a), _mm_cvtpd_ps(a.b)); }
static inline tnDoubleW tnSplatDoubleW(double a) { return (tnDoubleW){_mm_set1_pd(a), _mm_set1_pd(a)}; }
static inline tnDoubleW tnLoadDoubleW(const double* p) { return (tnDoubleW){_mm_loadu_pd(p), _mm_loadu_pd(p + 2)}; }
static inline void tnStoreDoubleW(double* p, tnDoubleW a) { _mm_storeu_pd(p, a.a); _mm_storeu_pd(p + 2, a.b); }
static inline tnDoubleW tnAddDoubleW(tnDoubleW a, tnDoubleW b) { return (tnDoubleW){_mm_add_pd(a.a, b.a), _mm_add_pd(a.b, b.b)}; }
static inline tnDoubleW tnSubDoubleW(tnDoubleW a, tnDoubleW b) { return (tnDoubleW){_mm_sub_pd(a.a, b.a), _mm_sub_pd(a.b, b.b)}; }
static inline tnDoubleW tnMulDoubleW(tnDoubleW a, tnDoubleW b) { return (tnDoubleW){_mm_mul_pd(a.a, b.a), _mm_mul_pd(a.b, b.b)}; }

#elif defined(TN_SIMD_NEON)

typedef struct tnDoubleW { float64x2_t a, b; } tnDoubleW;

static inline tnDoubleW tnWidenW(tnFloatW a) { return (tnDoubleW){vcvt_f64_f32(vget_low_f32(a)), vcvt_high_f64_f32(a)}; }
static inline tnFloatW tnNarrowW(tnDoubleW a) { return vcvt_high_f32_f64(vcvt_f32_f64(a.a), a.b); }
static inline tnDoubleW tnSplatDoubleW(double a) { return (tnDoubleW){vdupq_n_f64(a), vdupq_n_f64(a)}; }
static inline tnDoubleW tnLoadDoubleW(const double* p) { return (tnDoubleW){vld1q_f64(p), vld1q_f64(p + 2)}; }
static inline void tnStoreDoubleW(double* p, tnDoubleW a) { vst1q_f64(p, a.a); vst1q_f64(p + 2, a.b); }
static inline tnDoubleW tnAddDoubleW(tnDoubleW a, tnDoubleW b) { return (tnDoubleW){vaddq_f64(a.a, b.a), vaddq_f64(a.b, b.b)}; }
static inline tnDoubleW tnSubDoubleW(tnDoubleW a, tnDoubleW b) { return (tnDoubleW){vsubq_f64(a.a, b.a), vsubq_f64(a.b, b.b)}; }
static inline tnDoubleW tnMulDoubleW(tnDoubleW a, tnDoubleW b) { return (tnDoubleW){vmulq_f64(a.a, b.a), vmulq_f64(a.b, b.b)}; }

#elif defined(TN_SIMD_WASM)

typedef struct tnDoubleW { v128_t a, b; } tnDoubleW;

static inline tnDoubleW tnWidenW(tnFloatW a) { return (tnDoubleW){wasm_f64x2_promote_low_f32x4(a), wasm_f64x2_promote_low_f32x4(wasm_i32x4_shuffle(a, a, 2, 3, 2, 3))}; }
static inline tnFloatW tnNarrowW(tnDoubleW a) { return wasm_i32x4_shuffle(wasm_f32x4_demote_f64x2_zero(a.a), wasm_f32x4_demote_f64x2_zero(a.b), 0, 1, 4, 5); }
static inline tnDoubleW tnSplatDoubleW(double a) { return (tnDoubleW){wasm_f64x2_splat(a), wasm_f64x2_splat(a)}; }
static inline tnDoubleW tnLoadDoubleW(const double* p) { return (tnDoubleW){wasm_v128_load(p), wasm_v128_load(p + 2)}; }
static inline void tnStoreDoubleW(double* p, tnDoubleW a) { wasm_v128_store(p, a.a); wasm_v128_store(p + 2, a.b); }
static inline tnDoubleW tnAddDoubleW(tnDoubleW a, tnDoubleW b) { return (tnDoubleW){wasm_f64x2_add(a.a, b.a), wasm_f64x2_add(a.b, b.b)}; }
static inline tnDoubleW tnSubDoubleW(tnDoubleW a, tnDoubleW b) { return (tnDoubleW){wasm_f64x2_sub(a.a, b.a), wasm_f64x2_sub(a.b, b.b)}; }
static inline tnDoubleW tnMulDoubleW(tnDoubleW a, tnDoubleW b) { return (tnDoubleW){wasm_f64x2_mul(a.a, b.a), wasm_f64x2_mul(a.b, b.b)}; }

#else

typedef double tnDoubleW;

static inline tnDoubleW tnWidenW(tnFloatW a) { return (double)a; }
static inline tnFloatW tnNarrowW(tnDoubleW a) { return (float)a; }
static inline tnDoubleW tnSplatDoubleW(double a) { return a; }
static inline tnDoubleW tnLoadDoubleW(const double* p) { return *p; }
static inline void tnStoreDoubleW(double* p, tnDoubleW a) { *p = a; }
static inline tnDoubleW tnAddDoubleW(tnDoubleW a, tnDoubleW b) { return a + b; }
static inline tnDoubleW tnSubDoubleW(tnDoubleW a, tnDoubleW b) { return a - b; }
static inline tnDoubleW tnMulDoubleW(tnDoubleW a, tnDoubleW b) { return a * b; }

#endif

// clang-format on
