// SPDX-License-Identifier: MIT

#pragma once

// What the driver keeps off because it is known to be broken. One line each, with where it is written down; a line goes when
// it is mended. Nothing else in the driver makes way for a mistake. With DRIVER_KNOWN 0 it finds them all.

#ifndef DRIVER_KNOWN
#define DRIVER_KNOWN 1
#endif

enum
{
	// Energy of violent water. The linear method gains some where water falls over steps higher than it is deep: 1.23 of it within
	// 18 steps, 4 x 4 cells over a random bed of -4 to 4 m. And where sub-steps are capped, what is counted here as kinetic
	// energy is not what moves the water.
	knownEnergy = DRIVER_KNOWN,
};
