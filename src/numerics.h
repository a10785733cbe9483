// SPDX-License-Identifier: MIT

#pragma once

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

// Natural logarithm of x > 0, error below 1e-14 of it or of 1. Below the smallest normal number: that of this number.
double tnLog(double x);

// Hyperbolic tangent, error below 1e-14 of it.
double tnTanh(double x);

// Angle in [-pi/2, pi/2], radians, whose sine is x, error below 1e-14 of it (near the ends 1e-8: there the angle hangs
// on the last bit of x). Beyond [-1, 1]: the ends.
double tnArcSin(double x);
