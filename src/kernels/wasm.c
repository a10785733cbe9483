// SPDX-License-Identifier: MIT

// All kernels for the vectors of WebAssembly. As for AVX2, no flag is needed.

#include "../core/instruction_sets.h"

#ifdef TN_HAVE_WASM

#if !defined(__wasm_simd128__)
#pragma clang attribute push(__attribute__((target("simd128"))), apply_to = function)
#endif

#define TN_SIMD_WASM
#define TN_TABLE(type) type##Wasm
#include "templates.inc"

#if !defined(__wasm_simd128__)
#pragma clang attribute pop
#endif

#endif
