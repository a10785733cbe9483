// SPDX-License-Identifier: MIT

// Keeps the flow of pipes from turning: flow_curl.c says why.

#pragma once

#include "flow.h"

enum
{
	// Sub-steps from one calming of pipes to the next: what turns does so for seconds.
	TN_CALMING_PERIOD = 8,
};

// Take part of the rotation out of the flow of pipes, in the awake tiles: flow_curl.c.
// @param timeStep seconds since the last time
void tnFlow_CalmPipes(
	tnFlow* flow, tnGrid* grid, const tnTiles* tiles, tnParallel* parallel, double timeStep, float gravity);
