// SPDX-License-Identifier: MIT

#pragma once

// One vector of whole numbers of 16 bits, as wide as the instruction set that the including file was compiled for: the
// companion of simd.h, with the same switches. All values are below 2^15, so that signed comparison serves. Masks are all
// ones or zero in each lane.

#include <stdbool.h>
#include <stdint.h>

// One operation per line, so that the instruction sets can be compared line by line.
// clang-format off

#if defined(TN_SIMD_AVX2)

#include <immintrin.h>

#define TN_SHORT_WIDTH 16
typedef __m256i tnShortW;

static inline tnShortW tnLoadS(const uint16_t* p) { return _mm256_loadu_si256((const __m256i*)(const void*)p); }
static inline void tnStoreS(uint16_t* p, tnShortW a) { _mm256_storeu_si256((__m256i*)(void*)p, a); }
static inline tnShortW tnLoadBytesS(const uint8_t* p) { return _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i*)(const void*)p)); }
static inline tnShortW tnSplatS(int a) { return _mm256_set1_epi16((short)a); }
static inline tnShortW tnAddS(tnShortW a, tnShortW b) { return _mm256_add_epi16(a, b); }
static inline tnShortW tnSubS(tnShortW a, tnShortW b) { return _mm256_sub_epi16(a, b); }
// a - b, or 0 if that is less
static inline tnShortW tnDropS(tnShortW a, tnShortW b) { return _mm256_subs_epu16(a, b); }
static inline tnShortW tnMinS(tnShortW a, tnShortW b) { return _mm256_min_epi16(a, b); }
static inline tnShortW tnMaxS(tnShortW a, tnShortW b) { return _mm256_max_epi16(a, b); }
// a * b / 65536, without signs
static inline tnShortW tnMulHighS(tnShortW a, tnShortW b) { return _mm256_mulhi_epu16(a, b); }
static inline tnShortW tnAndS(tnShortW a, tnShortW b) { return _mm256_and_si256(a, b); }
// a where the mask is not set
static inline tnShortW tnClearS(tnShortW mask, tnShortW a) { return _mm256_andnot_si256(mask, a); }
static inline tnShortW tnOrS(tnShortW a, tnShortW b) { return _mm256_or_si256(a, b); }
static inline tnShortW tnXorS(tnShortW a, tnShortW b) { return _mm256_xor_si256(a, b); }
static inline tnShortW tnGreaterS(tnShortW a, tnShortW b) { return _mm256_cmpgt_epi16(a, b); }
static inline tnShortW tnEqualS(tnShortW a, tnShortW b) { return _mm256_cmpeq_epi16(a, b); }
// a where the mask is set, else b
static inline tnShortW tnSelectS(tnShortW mask, tnShortW a, tnShortW b) { return _mm256_blendv_epi8(b, a, mask); }
#define tnShiftLeftS(a, n) _mm256_slli_epi16(a, n)
#define tnShiftRightS(a, n) _mm256_srli_epi16(a, n)
static inline bool tnAnyS(tnShortW a) { return !_mm256_testz_si256(a, a); }
// Of a mask, bit i: lane i is set
static inline uint32_t tnGetBitsS(tnShortW mask) { return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(_mm256_castsi256_si128(mask), _mm256_extracti128_si256(mask, 1))); }

#elif defined(TN_SIMD_SSE2)

#include <emmintrin.h>

#define TN_SHORT_WIDTH 8
typedef __m128i tnShortW;

static inline tnShortW tnLoadS(const uint16_t* p) { return _mm_loadu_si128((const __m128i*)(const void*)p); }
static inline void tnStoreS(uint16_t* p, tnShortW a) { _mm_storeu_si128((__m128i*)(void*)p, a); }
static inline tnShortW tnLoadBytesS(const uint8_t* p) { return _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i*)(const void*)p), _mm_setzero_si128()); }
static inline tnShortW tnSplatS(int a) { return _mm_set1_epi16((short)a); }
static inline tnShortW tnAddS(tnShortW a, tnShortW b) { return _mm_add_epi16(a, b); }
static inline tnShortW tnSubS(tnShortW a, tnShortW b) { return _mm_sub_epi16(a, b); }
static inline tnShortW tnDropS(tnShortW a, tnShortW b) { return _mm_subs_epu16(a, b); }
static inline tnShortW tnMinS(tnShortW a, tnShortW b) { return _mm_min_epi16(a, b); }
static inline tnShortW tnMaxS(tnShortW a, tnShortW b) { return _mm_max_epi16(a, b); }
static inline tnShortW tnMulHighS(tnShortW a, tnShortW b) { return _mm_mulhi_epu16(a, b); }
static inline tnShortW tnAndS(tnShortW a, tnShortW b) { return _mm_and_si128(a, b); }
static inline tnShortW tnClearS(tnShortW mask, tnShortW a) { return _mm_andnot_si128(mask, a); }
static inline tnShortW tnOrS(tnShortW a, tnShortW b) { return _mm_or_si128(a, b); }
static inline tnShortW tnXorS(tnShortW a, tnShortW b) { return _mm_xor_si128(a, b); }
static inline tnShortW tnGreaterS(tnShortW a, tnShortW b) { return _mm_cmpgt_epi16(a, b); }
static inline tnShortW tnEqualS(tnShortW a, tnShortW b) { return _mm_cmpeq_epi16(a, b); }
static inline tnShortW tnSelectS(tnShortW mask, tnShortW a, tnShortW b) { return _mm_or_si128(_mm_and_si128(mask, a), _mm_andnot_si128(mask, b)); }
#define tnShiftLeftS(a, n) _mm_slli_epi16(a, n)
#define tnShiftRightS(a, n) _mm_srli_epi16(a, n)
static inline bool tnAnyS(tnShortW a) { return _mm_movemask_epi8(_mm_cmpeq_epi8(a, _mm_setzero_si128())) != 0xffff; }
static inline uint32_t tnGetBitsS(tnShortW mask) { return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(mask, _mm_setzero_si128())); }

#elif defined(TN_SIMD_NEON)

#include <arm_neon.h>

#define TN_SHORT_WIDTH 8
typedef uint16x8_t tnShortW;

static inline tnShortW tnLoadS(const uint16_t* p) { return vld1q_u16(p); }
static inline void tnStoreS(uint16_t* p, tnShortW a) { vst1q_u16(p, a); }
static inline tnShortW tnLoadBytesS(const uint8_t* p) { return vmovl_u8(vld1_u8(p)); }
static inline tnShortW tnSplatS(int a) { return vdupq_n_u16((uint16_t)a); }
static inline tnShortW tnAddS(tnShortW a, tnShortW b) { return vaddq_u16(a, b); }
static inline tnShortW tnSubS(tnShortW a, tnShortW b) { return vsubq_u16(a, b); }
static inline tnShortW tnDropS(tnShortW a, tnShortW b) { return vqsubq_u16(a, b); }
static inline tnShortW tnMinS(tnShortW a, tnShortW b) { return vminq_u16(a, b); }
static inline tnShortW tnMaxS(tnShortW a, tnShortW b) { return vmaxq_u16(a, b); }
static inline tnShortW tnMulHighS(tnShortW a, tnShortW b)
{
	const uint32x4_t low = vmull_u16(vget_low_u16(a), vget_low_u16(b));
	const uint32x4_t high = vmull_u16(vget_high_u16(a), vget_high_u16(b));
	return vcombine_u16(vshrn_n_u32(low, 16), vshrn_n_u32(high, 16));
}
static inline tnShortW tnAndS(tnShortW a, tnShortW b) { return vandq_u16(a, b); }
static inline tnShortW tnClearS(tnShortW mask, tnShortW a) { return vbicq_u16(a, mask); }
static inline tnShortW tnOrS(tnShortW a, tnShortW b) { return vorrq_u16(a, b); }
static inline tnShortW tnXorS(tnShortW a, tnShortW b) { return veorq_u16(a, b); }
static inline tnShortW tnGreaterS(tnShortW a, tnShortW b) { return vcgtq_u16(a, b); }
static inline tnShortW tnEqualS(tnShortW a, tnShortW b) { return vceqq_u16(a, b); }
static inline tnShortW tnSelectS(tnShortW mask, tnShortW a, tnShortW b) { return vbslq_u16(mask, a, b); }
#define tnShiftLeftS(a, n) vshlq_n_u16(a, n)
#define tnShiftRightS(a, n) vshrq_n_u16(a, n)
static inline bool tnAnyS(tnShortW a) { return vmaxvq_u16(a) != 0; }
static inline uint32_t tnGetBitsS(tnShortW mask)
{
	static const uint16_t bits[8] = {1, 2, 4, 8, 16, 32, 64, 128};
	return vaddvq_u16(vandq_u16(mask, vld1q_u16(bits)));
}

#elif defined(TN_SIMD_WASM)

#include <wasm_simd128.h>

#define TN_SHORT_WIDTH 8
typedef v128_t tnShortW;

static inline tnShortW tnLoadS(const uint16_t* p) { return wasm_v128_load(p); }
static inline void tnStoreS(uint16_t* p, tnShortW a) { wasm_v128_store(p, a); }
static inline tnShortW tnLoadBytesS(const uint8_t* p) { return wasm_u16x8_load8x8(p); }
static inline tnShortW tnSplatS(int a) { return wasm_i16x8_splat((int16_t)a); }
static inline tnShortW tnAddS(tnShortW a, tnShortW b) { return wasm_i16x8_add(a, b); }
static inline tnShortW tnSubS(tnShortW a, tnShortW b) { return wasm_i16x8_sub(a, b); }
static inline tnShortW tnDropS(tnShortW a, tnShortW b) { return wasm_u16x8_sub_sat(a, b); }
static inline tnShortW tnMinS(tnShortW a, tnShortW b) { return wasm_i16x8_min(a, b); }
static inline tnShortW tnMaxS(tnShortW a, tnShortW b) { return wasm_i16x8_max(a, b); }
static inline tnShortW tnMulHighS(tnShortW a, tnShortW b)
{
	const v128_t low = wasm_u32x4_extmul_low_u16x8(a, b);
	const v128_t high = wasm_u32x4_extmul_high_u16x8(a, b);
	return wasm_i16x8_shuffle(low, high, 1, 3, 5, 7, 9, 11, 13, 15);
}
static inline tnShortW tnAndS(tnShortW a, tnShortW b) { return wasm_v128_and(a, b); }
static inline tnShortW tnClearS(tnShortW mask, tnShortW a) { return wasm_v128_andnot(a, mask); }
static inline tnShortW tnOrS(tnShortW a, tnShortW b) { return wasm_v128_or(a, b); }
static inline tnShortW tnXorS(tnShortW a, tnShortW b) { return wasm_v128_xor(a, b); }
static inline tnShortW tnGreaterS(tnShortW a, tnShortW b) { return wasm_i16x8_gt(a, b); }
static inline tnShortW tnEqualS(tnShortW a, tnShortW b) { return wasm_i16x8_eq(a, b); }
static inline tnShortW tnSelectS(tnShortW mask, tnShortW a, tnShortW b) { return wasm_v128_bitselect(a, b, mask); }
#define tnShiftLeftS(a, n) wasm_i16x8_shl(a, n)
#define tnShiftRightS(a, n) wasm_u16x8_shr(a, n)
static inline bool tnAnyS(tnShortW a) { return wasm_v128_any_true(a); }
static inline uint32_t tnGetBitsS(tnShortW mask) { return (uint32_t)wasm_i16x8_bitmask(mask); }

#elif defined(TN_SIMD_SCALAR)

#define TN_SHORT_WIDTH 1
typedef uint16_t tnShortW;

static inline tnShortW tnLoadS(const uint16_t* p) { return *p; }
static inline void tnStoreS(uint16_t* p, tnShortW a) { *p = a; }
static inline tnShortW tnLoadBytesS(const uint8_t* p) { return *p; }
static inline tnShortW tnSplatS(int a) { return (uint16_t)a; }
static inline tnShortW tnAddS(tnShortW a, tnShortW b) { return (uint16_t)(a + b); }
static inline tnShortW tnSubS(tnShortW a, tnShortW b) { return (uint16_t)(a - b); }
static inline tnShortW tnDropS(tnShortW a, tnShortW b) { return (uint16_t)(a > b ? a - b : 0); }
static inline tnShortW tnMinS(tnShortW a, tnShortW b) { return a < b ? a : b; }
static inline tnShortW tnMaxS(tnShortW a, tnShortW b) { return a > b ? a : b; }
static inline tnShortW tnMulHighS(tnShortW a, tnShortW b) { return (uint16_t)((uint32_t)a * b >> 16); }
static inline tnShortW tnAndS(tnShortW a, tnShortW b) { return a & b; }
static inline tnShortW tnClearS(tnShortW mask, tnShortW a) { return (uint16_t)(a & ~mask); }
static inline tnShortW tnOrS(tnShortW a, tnShortW b) { return a | b; }
static inline tnShortW tnXorS(tnShortW a, tnShortW b) { return a ^ b; }
static inline tnShortW tnGreaterS(tnShortW a, tnShortW b) { return a > b ? 0xffff : 0; }
static inline tnShortW tnEqualS(tnShortW a, tnShortW b) { return a == b ? 0xffff : 0; }
static inline tnShortW tnSelectS(tnShortW mask, tnShortW a, tnShortW b) { return mask != 0 ? a : b; }
#define tnShiftLeftS(a, n) ((uint16_t)((a) << (n)))
#define tnShiftRightS(a, n) ((uint16_t)((a) >> (n)))
static inline bool tnAnyS(tnShortW a) { return a != 0; }
static inline uint32_t tnGetBitsS(tnShortW mask) { return mask & 1u; }

#else
#error "define TN_SIMD_SCALAR, TN_SIMD_SSE2, TN_SIMD_AVX2, TN_SIMD_NEON or TN_SIMD_WASM"
#endif

// clang-format on
