// SPDX-License-Identifier: MIT

#pragma once

#include "bodies.h"
#include "wave_layer.h"

// Bodies make waves too short for the flow, and feel the waves of the layer: wave_bodies.c says how.

// What bodies that have moved displace. After the flow has moved, before the layer does. Does not allocate.
void tnWaves_StirByBodies(tnWaves* waves, const tnGrid* grid, tnBodies* bodies, tnParallel* parallel);

// A body is about to go: what it displaces is given back. Its cut is empty afterwards. Does not allocate.
void tnWaves_ForgetBody(tnWaves* waves, const tnGrid* grid, tnBodies* bodies, tnParallel* parallel, int index);

// Add the force of the layer to what bodies feel. After the layer has moved; does not allocate.
void tnWaves_PushBodies(
	const tnWaves* waves, const tnGrid* grid, tnBodies* bodies, tnParallel* parallel, float timeStep);
