// SPDX-License-Identifier: MIT

#pragma once

#include <stdint.h>

// Functions with the same bits on every machine, and random numbers. Of libm the library takes sqrtf and fabsf only.

#define TNA_PI 3.14159265358979323846

// Good to 1e-12 for x in [0, pi].
double tnaSin(double x);
double tnaCos(double x);
// Good to 1e-12 for x in [-700, 700]; 0 below.
double tnaExp(double x);
// For normal x above 0.
double tnaLog(double x);

// xorshift32 (Marsaglia 2003); the state is never 0.
static inline uint32_t tnaNextRandom(uint32_t* state)
{
	uint32_t x = *state;
	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	*state = x;
	return x;
}

// In (0, 1).
static inline float tnaDrawShare(uint32_t* state)
{
	return ((float)(tnaNextRandom(state) >> 8) + 0.5f) * (1.0f / 16777216.0f);
}

// In (-1, 1), mean square 1/3.
static inline float tnaDrawNoise(uint32_t* state)
{
	return 2.0f * tnaDrawShare(state) - 1.0f;
}
