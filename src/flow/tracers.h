// SPDX-License-Identifier: MIT

// Tracers: concentrations that the water carries.

#pragma once

#include "../core/parallel.h"
#include "edges.h"
#include "tiles.h"

// Carry all tracers with the discharge of the sub-step that was just taken.
// @param fine second order
void tnTracers_Advance(
	tnGrid* grid, const tnTiles* tiles, const tnEdges* edges, tnParallel* parallel, float spread, bool fine);

// Mix water of a given concentration into a cell that held `depth`.
static inline float tnMixTracer(float concentration, float depth, float added, float addedConcentration)
{
	float total = depth + added;
	if (!(total > 0.0f) || added == 0.0f)
	{
		return concentration;
	}
	float mixed = (concentration * depth + addedConcentration * added) / total;
	// Rounding must not leave the range between the two.
	float low = tnMinFloat(concentration, addedConcentration);
	float high = tnMaxFloat(concentration, addedConcentration);
	return depth > 0.0f ? tnClampFloat(mixed, low, high) : addedConcentration;
}
