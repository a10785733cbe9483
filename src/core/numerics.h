// SPDX-License-Identifier: MIT

// Functions of numbers with the same bits everywhere.

#pragma once

#include "core.h"

// Functions of libm differ between C libraries in the last bit. What reaches the state of the water uses these.

// As floor, of what an int can hold. Where processors have no instruction for it, floor is a dozen.
static inline int tnFloorToInt(double x)
{
	const int whole = (int)x;
	return whole - (x < (double)whole);
}

// Sine of an angle in turns (1 is a full circle), error below 1e-9.
double tnSinTurns(double turns);

// Cube root of x >= 0, error below 1e-9 of it.
double tnCubeRoot(double x);

// e^x, error below 1e-14 of it. 0 below the smallest normal number, the largest number above it.
double tnExp(double x);

// The same by its Taylor series to r^13, which is good to 5e-18 for |r| <= 0.35: for loops over vectors, which part x themselves.
static inline double tnGetExpSeries(double r)
{
	double sum = 1.0 / 6227020800.0;
	sum = 1.0 / 479001600.0 + r * sum;
	sum = 1.0 / 39916800.0 + r * sum;
	sum = 1.0 / 3628800.0 + r * sum;
	sum = 1.0 / 362880.0 + r * sum;
	sum = 1.0 / 40320.0 + r * sum;
	sum = 1.0 / 5040.0 + r * sum;
	sum = 1.0 / 720.0 + r * sum;
	sum = 1.0 / 120.0 + r * sum;
	sum = 1.0 / 24.0 + r * sum;
	sum = 1.0 / 6.0 + r * sum;
	sum = 0.5 + r * sum;
	sum = 1.0 + r * sum;
	return 1.0 + r * sum;
}

// Natural logarithm of x > 0, error below 1e-14 of it or of 1. Below the smallest normal number: that of this number.
double tnLog(double x);

// Hyperbolic tangent, error below 1e-14 of it.
double tnTanh(double x);

// Angle in [-pi/2, pi/2], radians, whose sine is x, error below 1e-14 of it (near the ends 1e-8: there the angle hangs
// on the last bit of x). Beyond [-1, 1]: the ends.
double tnArcSin(double x);
