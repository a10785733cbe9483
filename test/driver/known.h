// SPDX-License-Identifier: MIT

#pragma once

// What the driver keeps off because it is known to be broken. One line each, with where it is written down; a line goes when
// it is mended. Nothing else in the driver makes way for a mistake. With DRIVER_KNOWN 0 it finds them all.

#ifndef DRIVER_KNOWN
#define DRIVER_KNOWN 1
#endif

enum
{
	// Bodies turned against the grid outrun the current that carries them, with pipes and the linear method: a crate of half the
	// density of water, turned by 30 degrees, by 23 and 14 % on the mean (test_stress.c).
	knownOutrun = DRIVER_KNOWN,
};
