// SPDX-License-Identifier: MIT

#pragma once

#include "body_flow.h"

// Publish the heads, and find what the water did to each body in the last step: sets wrench and state, and what the
// water is owed in return.
void tnBodies_Feel(
	tnBodies* bodies, tnBodyFlow* flow, tnGrid* grid, tnParallel* parallel, float gravity, float timeStep);
