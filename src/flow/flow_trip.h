// SPDX-License-Identifier: MIT

// A trip: a few sub-steps that go through the rows together. What all of its passes share.

#pragma once

#include "edges.h"
#include "flow_kernels.h"
#include "grid.h"
#include "tiles.h"

enum
{
	// Sub-steps per trip at most. More would save little memory traffic and cost more work at the seams of bands.
	TN_TRIP_LIMIT = 4,
};

// What one trip did.
typedef struct tnTripResult
{
	double edgeDepths[tn_sideCount]; // water that came in, m, summed over cells
	float maxDepth;                  // of the awake tiles
	float maxSignal, maxFlow;        // of the awake tiles, m/s: see tnFlowKernels.signalSpeed. 0 without transport
} tnTripResult;
