// SPDX-License-Identifier: MIT

// Friction of the bed, for kernels of any vector width.

#pragma once

#include "../core/simd.h"
#include "grid.h"

// Manning's friction on a velocity or discharge q, semi-implicit (Bates et al. 2010):
//
//   q / (1 + g n^2 dt |q_old| / h^(7/3))
//
// The cube root comes from a guess in the exponent bits, y, good to 3.3 %, and one step of Halley,
//
//   c = y (y^3 + 2 h) / (2 y^3 + h)
//
// good to 2.3e-5, which is folded into the one division: with D = h^2 y (y^3 + 2 h) and N = 2 y^3 + h it is
// q = q* D / (D + g n^2 dt |q_old| N).
static inline tnFloatW tnRubW(tnFloatW manningFactor, tnFloatW q, tnFloatW h, tnFloatW oldDischarge)
{
	// Dry lanes may hold a negative h: keep them away from the cube root. And h^4 must not overflow.
	const tnFloatW hWet = tnMinW(tnMaxW(h, tnSplatW(TN_DRY_DEPTH)), tnSplatW(10.0f * TN_MAX_LENGTH));
	const tnFloatW y = tnCubeRootGuessW(hWet);
	const tnFloatW y3 = tnMulW(tnMulW(y, y), y);
	const tnFloatW h2 = tnAddW(hWet, hWet);
	const tnFloatW d = tnMulW(tnMulW(tnMulW(hWet, hWet), y), tnAddW(y3, h2));
	const tnFloatW n = tnAddW(tnAddW(y3, y3), hWet);
	const tnFloatW resistance = tnMulW(tnMulW(manningFactor, tnAbsW(oldDischarge)), n);
	return tnDivW(tnMulW(q, d), tnAddW(d, resistance));
}
