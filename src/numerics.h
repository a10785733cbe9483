// SPDX-License-Identifier: MIT

#pragma once

// Functions of libm differ between C libraries in the last bit. What reaches the state of the water uses these.

// Sine of an angle in turns (1 is a full circle), error below 1e-9.
double tnSinTurns(double turns);

// Cube root of x >= 0, error below 1e-9 of it.
double tnCubeRoot(double x);
