// SPDX-License-Identifier: MIT

// All kernels for AVX2. They are made for it here and not by a flag, so that any way of compiling this file will do. Never
// for FMA: a fused multiply-add rounds once instead of twice, and the bits would be others.

#include "../core/instruction_sets.h"

#ifdef TN_HAVE_AVX2

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#elif defined(__GNUC__)
#pragma GCC target("avx2")
#endif

#define TN_SIMD_AVX2
#define TN_TABLE(type) type##Avx2
#include "templates.inc"

#if defined(__clang__)
#pragma clang attribute pop
#endif

#endif
