// SPDX-License-Identifier: MIT

// The convex hull of points.

#pragma once

#include "../core/memory.h"
#include "tarn/body.h"

typedef enum tnHullStatus
{
	tn_hullMade = 0,
	// The points lie in one plane, on one line or in one place.
	tn_hullFlat,
	tn_hullOutOfMemory,
} tnHullStatus;

// The convex hull of points, at least 4 and at most TN_MAX_HULL_POINTS, finite. Points may repeat and lie in planes and
// on lines together. The result is closed and depends on the order of the points only in how flat sides are divided.
// @param triangles receives indices of the points, counterclockwise from outside: room for 2 * count - 4 triangles
tnHullStatus tnMakeHull(const tnVec3* points, int count, tnMemory* memory, int32_t* triangles, int* triangleCount);
