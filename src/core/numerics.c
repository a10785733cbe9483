// SPDX-License-Identifier: MIT

// Sines, cube roots, powers of e and other functions, with the same bits everywhere.

#include "numerics.h"

#include <float.h>
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

double tnExp(double x)
{
	// Results that are normal numbers.
	if (!(x > -708.0))
	{
		return 0.0;
	}
	if (x > 709.0)
	{
		return DBL_MAX;
	}
	// x = n ln 2 + r with |r| <= 0.35. The first part of ln 2 has zeros at its end, so that n times it is exact.
	const int whole = tnFloorToInt(x * 1.4426950408889634 + 0.5);
	const double n = whole;
	const double r = (x - n * 6.93147180369123816490e-01) - n * 1.90821492927058770002e-10;
	const double sum = tnGetExpSeries(r);
	// Two powers of two, because 2^1024 alone would not fit.
	const int half = whole / 2;
	const uint64_t lowBits = (uint64_t)(1023 + half) << 52;
	const uint64_t highBits = (uint64_t)(1023 + whole - half) << 52;
	double low, high;
	memcpy(&low, &lowBits, sizeof(low));
	memcpy(&high, &highBits, sizeof(high));
	return sum * low * high;
}

double tnLog(double x)
{
	if (!(x > DBL_MIN))
	{
		x = DBL_MIN;
	}
	if (x > DBL_MAX)
	{
		x = DBL_MAX;
	}
	// x = 2^n m with m in [0.7, 1.4]: log m = 2 artanh s with s = (m - 1) / (m + 1), |s| <= 0.172, to s^19.
	uint64_t bits;
	memcpy(&bits, &x, sizeof(bits));
	int n = (int)(bits >> 52) - 1023;
	bits = (bits & UINT64_C(0x000fffffffffffff)) | UINT64_C(0x3ff0000000000000);
	double m;
	memcpy(&m, &bits, sizeof(m));
	if (m > 1.4142135623730951)
	{
		m *= 0.5;
		n += 1;
	}
	const double s = (m - 1.0) / (m + 1.0);
	const double s2 = s * s;
	double sum = 1.0 / 19.0;
	for (int k = 17; k > 1; k -= 2)
	{
		sum = 1.0 / k + s2 * sum;
	}
	return n * 1.90821492927058770002e-10 + (2.0 * s + 2.0 * s * s2 * sum) + n * 6.93147180369123816490e-01;
}

double tnTanh(double x)
{
	const double a = fabs(x);
	if (a < 0.5)
	{
		// Lambert's continued fraction, which has no cancellation at 0.
		const double x2 = x * x;
		double fraction = 15.0;
		for (int k = 13; k > 0; k -= 2)
		{
			fraction = k + x2 / fraction;
		}
		return x / fraction;
	}
	// From 20 on it is 1 to the last bit.
	const double e = a < 20.0 ? tnExp(-2.0 * a) : 0.0;
	const double t = (1.0 - e) / (1.0 + e);
	return x < 0.0 ? -t : t;
}

double tnArcSin(double x)
{
	// Half of the angle, twice: sin(a/2) = sin a / sqrt(2 (1 + cos a)). Then |s| <= 0.3827, where the series to s^29 is
	// good to 2e-15.
	double s = x < -1.0 ? -1.0 : (x > 1.0 ? 1.0 : x);
	for (int i = 0; i < 2; ++i)
	{
		s = s / sqrt(2.0 * (1.0 + sqrt((1.0 - s) * (1.0 + s))));
	}
	// Coefficients of s^(2k+1): (1 3 5 ... (2k-1)) / (2 4 6 ... 2k) / (2k+1), from the last to the first.
	const double s2 = s * s;
	double sum = 1.0;
	for (int k = 14; k > 0; --k)
	{
		sum = 1.0 + sum * s2 * ((2.0 * k - 1.0) * (2.0 * k - 1.0)) / (2.0 * k * (2.0 * k + 1.0));
	}
	return 4.0 * s * sum;
}
