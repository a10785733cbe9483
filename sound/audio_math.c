// SPDX-License-Identifier: MIT

// Functions with the same bits on every machine: sums and products of doubles, nothing fused.

#include "audio_math.h"

#include <string.h>

double tnaSin(double x)
{
	// Around the middle of [0, pi] the sine is even: a cosine of the rest.
	return tnaCos(x > 0.5 * TNA_PI ? x - 0.5 * TNA_PI : 0.5 * TNA_PI - x);
}

double tnaCos(double x)
{
	if (x > 0.5 * TNA_PI)
	{
		return -tnaCos(TNA_PI - x);
	}
	// Taylor, up to x^20 / 20!: 2e-15 at pi / 2.
	const double square = x * x;
	double sum = 1.0;
	for (int n = 20; n > 0; n -= 2)
	{
		sum = 1.0 - sum * square / (double)(n * (n - 1));
	}
	return sum;
}

double tnaExp(double x)
{
	if (!(x > -700.0))
	{
		return 0.0;
	}
	const double limited = x < 700.0 ? x : 700.0;
	const double shifted = limited * 1.44269504088896340736 + 1024.0;
	const int power = (int)(shifted + 0.5) - 1024;
	const double rest = limited - (double)power * 0.69314718055994530942;
	double sum = 1.0;
	for (int n = 14; n > 0; --n)
	{
		sum = 1.0 + sum * rest / (double)n;
	}
	const uint64_t bits = (uint64_t)(power + 1023) << 52;
	double scale;
	memcpy(&scale, &bits, sizeof(scale));
	return sum * scale;
}

double tnaLog(double x)
{
	uint64_t bits;
	memcpy(&bits, &x, sizeof(bits));
	const int power = (int)(bits >> 52) - 1023;
	bits = (bits & UINT64_C(0x000fffffffffffff)) | UINT64_C(0x3ff0000000000000);
	double rest;
	memcpy(&rest, &bits, sizeof(rest));
	// log(m) = 2 artanh((m - 1) / (m + 1)), with m in [1, 2).
	const double t = (rest - 1.0) / (rest + 1.0);
	double sum = 0.0;
	for (int n = 27; n > 0; n -= 2)
	{
		sum = sum * t * t + 1.0 / (double)n;
	}
	return 2.0 * t * sum + (double)power * 0.69314718055994530942;
}
