// SPDX-License-Identifier: MIT

#pragma once

#include "../bodies/bodies.h"
#include "wave_layer.h"

// Bodies feel the waves of the layer: wave_forces.c says how.

// Add the force of the layer to what bodies feel. After the layer has moved; does not allocate.
void tnWaves_PushBodies(
	const tnWaves* waves, const tnGrid* grid, tnBodies* bodies, tnParallel* parallel, float timeStep);
