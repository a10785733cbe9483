// SPDX-License-Identifier: MIT

// The order of a step with bodies: body_step.c has it.

#pragma once

#include "body_flow.h"

// Prepare for a step of some sub-steps.
void tnBodyFlow_Begin(tnBodyFlow* flow, const tnGrid* grid, const tnTiles* tiles, tnBodies* bodies,
	const tnBodyKernels* kernels, float gravity, float timeStep, int subStepCount);
// Find the heads under bodies and the flow through the faces around them, for the next sub-step, and in the last one
// the forces on bodies.
tnOverrideSource tnBodyFlow_Solve(tnBodyFlow* flow, tnGrid* grid, const tnTiles* tiles, tnBodies* bodies,
	tnParallel* parallel, const tnFlowParameters* parameters);
// Tiles with heads that still change do not fall asleep, whether any water follows or not. Call after the flow of the last sub-step.
void tnBodyFlow_KeepAwake(const tnBodyFlow* flow, const tnGrid* grid, const tnBodies* bodies, tnTiles* tiles);
// The step is over.
void tnBodyFlow_End(tnBodyFlow* flow, tnGrid* grid, const tnTiles* tiles, tnBodies* bodies, tnParallel* parallel);
