// SPDX-License-Identifier: MIT

#include "numerics.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

double tnSinTurns(double turns)
{
	// To a quarter turn around 0, where the Taylor series to x^15 is good to 7e-12: (pi/2)^17 / 17! = 6.1e-12.
	double t = turns - floor(turns + 0.5);
	if (t > 0.25)
	{
		t = 0.5 - t;
	}
	else if (t < -0.25)
	{
		t = -0.5 - t;
	}
	const double x = t * 6.283185307179586;
	const double x2 = x * x;
	double sum = -1.0 / 1307674368000.0;
	sum = 1.0 / 6227020800.0 + x2 * sum;
	sum = -1.0 / 39916800.0 + x2 * sum;
	sum = 1.0 / 362880.0 + x2 * sum;
	sum = -1.0 / 5040.0 + x2 * sum;
	sum = 1.0 / 120.0 + x2 * sum;
	sum = -1.0 / 6.0 + x2 * sum;
	return x + x * x2 * sum;
}

double tnCubeRoot(double x)
{
	if (!(x > 1.0e-300))
	{
		return 0.0;
	}
	// A third of the exponent bits is a guess good to 6 %; each step of Newton squares the error.
	uint64_t bits;
	memcpy(&bits, &x, sizeof(bits));
	bits = bits / 3 + UINT64_C(0x2aa0000000000000);
	double y;
	memcpy(&y, &bits, sizeof(y));
	for (int i = 0; i < 4; ++i)
	{
		y = (2.0 * y + x / (y * y)) / 3.0;
	}
	return y;
}
