// SPDX-License-Identifier: MIT

#pragma once

#include "../flow/grid.h"
#include "body_columns.h"

// A body, or a part of one, that ends within a cell stands in the way of the water without touching both sides of the
// cell. What of its width neither side sees counts on the nearer side in full, and on the other less the farther it is:
//
//   before = width * min(1, 2 - 2 x),  after = width * min(1, 2 x)     x: its middle, 0 .. 1 across the cell
//
// So it takes the same from the flow wherever it is within the cell, and passes from face to face without a jump.

// Parts of a body that take less than this of a face between its sides are left out.
#define TN_THIN_SHARE 0.02f

enum
{
	// Faces that a part counts on at most: those of a cell.
	TN_THIN_SIDES = 4,
};

// What stands in a cell that is covered in part.
// @param index of the column
// @param seenX, seenZ share of the width that one of the two faces along an axis sees, the larger one
static inline void tnThinParts_Add(tnThinParts* thin, int index, const tnColumn* c, float seenX, float seenZ)
{
	const float thinX = c->widthZ - seenX;
	const float thinZ = c->widthX - seenZ;
	if ((thinX > TN_THIN_SHARE || thinZ > TN_THIN_SHARE) && thin->count < thin->capacity)
	{
		thin->items[thin->count] = (tnThinPart){index, thinX, thinZ};
		thin->count += 1;
	}
}

// What it takes from faces. Returns how many there are.
int tnThinPart_Split(const tnThinPart* part, const tnCut* cut, const tnGrid* grid, tnFaceCut sides[TN_THIN_SIDES]);

// Those of a cut that has its faces.
void tnThinParts_Find(tnThinParts* thin, const tnCut* cut, const tnGrid* grid);
