// SPDX-License-Identifier: MIT

#pragma once

#include "../bodies/bodies.h"
#include "wave_layer.h"

// Bodies make waves too short for the flow: wave_wakes.c says how.

// What bodies that have moved displace. After the flow has moved, before the layer does. Does not allocate.
void tnWaves_StirByBodies(tnWaves* waves, const tnGrid* grid, tnBodies* bodies, tnParallel* parallel);

// A body is about to go: what it displaces is given back. Its cut is empty afterwards. Does not allocate.
void tnWaves_ForgetBody(tnWaves* waves, const tnGrid* grid, tnBodies* bodies, tnParallel* parallel, int index);
