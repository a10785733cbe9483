// SPDX-License-Identifier: MIT

// Narrow gaps between two bodies that stand on the ground, in walls that are turned against the grid: see link_gaps.c.

#pragma once

#include "link_standers.h"

enum
{
	TN_NEAR_BODIES = 16,
};

// Make room for gaps in what is left of the scratch, behind the lists of bodies.
void tnPlaceGaps(tnLinkContext* context, int* scratchEnd);

// Convex bodies in the cells of a link and around them, by index. 0 if there are too many, or no two.
int tnFindNearBodies(const tnLinkContext* context, const tnLinkPlace* place, int near[TN_NEAR_BODIES]);

// Close such gaps between these bodies, at a height. Returns how wide the one is that passes through the face of the link, in cells,
// or 0.
double tnPlugGaps(const tnLinkContext* context, const tnLinkPlace* place, const int* near, int count, double height,
	tnObstacles* obstacles);
