// SPDX-License-Identifier: MIT

#pragma once

#include "../bodies/bodies.h"
#include "wave_layer.h"

// Bodies make waves: wave_wakes.c says how.

// Share of a wave that heave makes, and feels, for the water that heaves with the body.
static inline double tnGetHeaveShare(const tnBody* body, double k)
{
	return 1.0 / (1.0 + k * (double)body->heave->addedDepth);
}

// What bodies that have moved displace. After the flow has moved, before the layer does. Does not allocate.
void tnWaves_StirByBodies(tnWaves* waves, const tnGrid* grid, tnBodies* bodies, tnParallel* parallel);

// A body is about to go: what it displaces is given back. Its cut is empty afterwards. Does not allocate.
void tnWaves_ForgetBody(tnWaves* waves, const tnGrid* grid, tnBodies* bodies, tnParallel* parallel, int index);
