// SPDX-License-Identifier: MIT

// All kernels in plain C.

#include "../core/instruction_sets.h"

#ifdef TN_HAVE_SCALAR

#define TN_SIMD_SCALAR
#define TN_TABLE(type) type##Scalar
#include "templates.inc"

#endif
