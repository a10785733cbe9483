// SPDX-License-Identifier: MIT

// Sums that do not depend on the order of their terms.

#pragma once

#include "core.h"

#include <stdint.h>

// A sum that does not depend on the order of its terms: whole numbers do not round. Sums of depths that come back into
// the state are made with it, so that a turned or mirrored world gets turned or mirrored bits.
//
// A term is split into units of 2^-12 m and the rest in units of 2^-46 m. With |term| < 2^18 m the parts are below 2^30
// and 2^34, and 2^28 terms (TN_MAX_CELLS) fit.
typedef struct tnExactSum
{
	int64_t coarse, fine;
} tnExactSum;

#define TN_COARSE_UNITS 4096.0         // 2^12 per meter
#define TN_FINE_UNITS 70368744177664.0 // 2^46 per meter

static inline void tnExactSum_Add(tnExactSum* sum, double term)
{
	const int64_t coarse = (int64_t)(term * TN_COARSE_UNITS);
	sum->coarse += coarse;
	sum->fine += (int64_t)((term - (double)coarse / TN_COARSE_UNITS) * TN_FINE_UNITS);
}

static inline void tnExactSum_AddSum(tnExactSum* sum, tnExactSum other)
{
	sum->coarse += other.coarse;
	sum->fine += other.fine;
}

static inline double tnExactSum_Get(tnExactSum sum)
{
	return (double)sum.coarse / TN_COARSE_UNITS + (double)sum.fine / TN_FINE_UNITS;
}
