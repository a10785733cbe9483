// SPDX-License-Identifier: MIT

// What every file needs: asserts, results, hints for compilers, and numbers that are compared.

#pragma once

// A product and a sum must not become one fused operation, which rounds once: the bits would be others than on processors
// without it. CMake says so to compilers; this is for those who compile by hand. gcc does it only in its own dialects.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__) && !defined(__STRICT_ANSI__) && (!defined(__x86_64__) || defined(__FMA__))
#pragma GCC optimize("fp-contract=off")
#endif

#include "tarn/base.h"

// Asserts guard what only tarn itself can break. Bad input never gets here: it gets a tnResult.
#ifdef TN_ENABLE_ASSERT
int tnAssertFailed(const char* condition, const char* file, int line);
#if defined(__GNUC__)
#define TN_TRAP() __builtin_trap()
#else
#define TN_TRAP() (*(volatile int*)0 = 0)
#endif
#define TN_ASSERT(condition)                                                \
	do                                                                      \
	{                                                                       \
		if (!(condition) && tnAssertFailed(#condition, __FILE__, __LINE__)) \
		{                                                                   \
			TN_TRAP();                                                      \
		}                                                                   \
	} while (0)
#else
#define TN_ASSERT(condition) ((void)0)
#endif

// Expensive checks after every step.
#ifdef TN_ENABLE_VALIDATE
#define TN_VALIDATE(condition) TN_ASSERT(condition)
#else
#define TN_VALIDATE(condition) ((void)0)
#endif

// A hint that the memory there is wanted soon.
#if defined(__GNUC__)
#define TN_PREFETCH(address) __builtin_prefetch(address)
#else
#define TN_PREFETCH(address) ((void)(address))
#endif

// For functions that must become part of their callers, which call them with constants.
#if defined(__GNUC__)
#define TN_INLINE static inline __attribute__((always_inline))
#elif defined(_MSC_VER)
#define TN_INLINE static __forceinline
#else
#define TN_INLINE static inline
#endif

// For functions that must not.
#if defined(__GNUC__)
#define TN_NOINLINE __attribute__((noinline))
#elif defined(_MSC_VER)
#define TN_NOINLINE __declspec(noinline)
#else
#define TN_NOINLINE
#endif

// A condition that hardly ever holds.
#if defined(__GNUC__)
#define TN_UNLIKELY(condition) __builtin_expect(condition, 0)
#else
#define TN_UNLIKELY(condition) (condition)
#endif

// The place of the lowest bit of those that are set, of which there must be one.
static inline int32_t tnFindLowestBit(uint32_t bits)
{
#if defined(__GNUC__)
	return __builtin_ctz(bits);
#else
	int32_t place = 0;
	while ((bits >> place & 1u) == 0)
	{
		++place;
	}
	return place;
#endif
}

// The same of 64 bits.
static inline int32_t tnFindLowestBit64(uint64_t bits)
{
	return (uint32_t)bits != 0 ? tnFindLowestBit((uint32_t)bits) : 32 + tnFindLowestBit((uint32_t)(bits >> 32));
}

// Defs carry this mark from their default function, so that an uninitialised def is refused and not believed.
#define TN_DEF_STAMP 0x7a12ca3du

#if defined(__MINGW32__) && !defined(__clang__)
// To this compiler "printf" is that of an old run-time of Windows, which has no %zu. core.c uses the one that has.
#define TN_PRINTF(text, first) __attribute__((format(gnu_printf, text, first)))
#elif defined(__GNUC__)
#define TN_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define TN_PRINTF(text, first)
#endif

tnResult tnSuccess(void);
tnResult tnFail(tnStatus status, const char* format, ...) TN_PRINTF(2, 3);

// True for numbers that are neither NaN nor infinite. Written without libm so that it inlines everywhere.
static inline bool tnIsFinite(float value)
{
	return value - value == 0.0f;
}

static inline int tnMinInt(int a, int b)
{
	return a < b ? a : b;
}

static inline int tnMaxInt(int a, int b)
{
	return a > b ? a : b;
}

static inline int tnClampInt(int value, int low, int high)
{
	return value < low ? low : (value > high ? high : value);
}

static inline float tnMinFloat(float a, float b)
{
	return a < b ? a : b;
}

static inline float tnMaxFloat(float a, float b)
{
	return a > b ? a : b;
}

static inline float tnClampFloat(float value, float low, float high)
{
	return value < low ? low : (value > high ? high : value);
}

static inline float tnAbsFloat(float value)
{
	return value < 0.0f ? -value : value;
}
