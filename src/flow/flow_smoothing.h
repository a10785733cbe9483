// SPDX-License-Identifier: MIT

// Smooths the water when the length of sub-steps changes: sub_step_pace.c says why.

#pragma once

#include "flow.h"

// Move water between neighbouring cells of awake tiles, downhill, by
//
//   factor * section * difference in height        m of depth; section as for pipes, at most sectionLimit
//
// but no more than an eighth of what the higher cell holds. Keeps volume; flow on faces stays. Nothing passes edges, but
// for wrapped ones, nor cells that bodies take room from. Tracers go along. Why: sub_step_pace.c.
void tnFlow_Soften(tnFlow* flow, tnGrid* grid, const tnTiles* tiles, const tnEdges* edges, tnParallel* parallel,
	float factor, float sectionLimit);

// Sections that were capped are capped at another height. The flow of faces is scaled where its kinetic energy would grow by that:
// q^2 / (2 A) of pipes when A shrinks, A u^2 / 2 of linear when it grows. Shallow is slowed down in another way.
void tnFlow_Recap(
	tnFlow* flow, tnGrid* grid, const tnTiles* tiles, tnParallel* parallel, float limitBefore, float limitAfter);
