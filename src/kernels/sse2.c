// SPDX-License-Identifier: MIT

// All kernels for SSE2, which every x86-64 processor has.

#include "../core/instruction_sets.h"

#ifdef TN_HAVE_SSE2

#define TN_SIMD_SSE2
#define TN_TABLE(type) type##Sse2
#include "templates.inc"

#endif
