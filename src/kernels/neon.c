// SPDX-License-Identifier: MIT

// All kernels for NEON, which every 64-bit ARM processor has.

#include "../core/instruction_sets.h"

#ifdef TN_HAVE_NEON

#define TN_SIMD_NEON
#define TN_TABLE(type) type##Neon
#include "templates.inc"

#endif
