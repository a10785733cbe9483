// SPDX-License-Identifier: MIT

#pragma once

#include "core.h"
#include "tarn/base.h"

// Which instruction sets kernels are compiled for, and how one of their tables is found.
//
// All that compilers of a target know are there, whatever flags are given: src/kernels/ has a file for each, which is
// empty where it is not wanted. Which of them runs is decided at run time. TN_ONLY_SCALAR leaves out all but plain C.

#if !defined(TN_ONLY_SCALAR)
#if (defined(__x86_64__) && defined(__GNUC__) && !defined(__ILP32__)) || (defined(_M_X64) && !defined(_M_ARM64EC))
#define TN_HAVE_SSE2
#define TN_HAVE_AVX2
#elif defined(__aarch64__) || defined(_M_ARM64)
#define TN_HAVE_NEON
#elif defined(__wasm__)
#define TN_HAVE_WASM
#endif
#endif

#if !defined(TN_WITHOUT_SCALAR)
#define TN_HAVE_SCALAR
#endif

// What tn_simdAuto stands for.
tnSimd tnGetBestSimd(void);

// A kind of kernels is a struct of function pointers, and each instruction set has a table of that type, with its own
// name at the end: tnFlowKernelsAvx2. Templates name theirs TN_TABLE(tnFlowKernels).
#define TN_DECLARE_TABLES(type)     \
	extern const type type##Scalar; \
	extern const type type##Sse2;   \
	extern const type type##Avx2;   \
	extern const type type##Neon;   \
	extern const type type##Wasm
