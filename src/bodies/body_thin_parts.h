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

static inline void tnThinParts_AddSide(
	tnThinParts* thin, const tnColumn* column, int faceColumn, int faceRow, bool alongZ, float share)
{
	if (share > TN_THIN_SHARE && thin->count < thin->capacity)
	{
		thin->items[thin->count] =
			(tnFaceCut){faceColumn, faceRow, tnMinFloat(share, 1.0f), column->low, column->high, alongZ};
		thin->count += 1;
	}
}

// What stands in a cell that is covered in part.
// @param seenX, seenZ share of the width that one of the two faces along an axis sees, the larger one
static inline void tnThinParts_Add(tnThinParts* thin, const tnGrid* grid, const tnColumn* c, float seenX, float seenZ)
{
	const float thinX = c->widthZ - seenX;
	const float thinZ = c->widthX - seenZ;
	if (thinX > TN_THIN_SHARE)
	{
		const int east = c->column + 1 == grid->columnCount && grid->wrapX ? 0 : c->column + 1;
		tnThinParts_AddSide(thin, c, c->column, c->row, false, thinX * tnMinFloat(1.0f, 2.0f - 2.0f * c->insetX));
		tnThinParts_AddSide(thin, c, east, c->row, false, thinX * tnMinFloat(1.0f, 2.0f * c->insetX));
	}
	if (thinZ > TN_THIN_SHARE)
	{
		const int south = c->row + 1 == grid->rowCount && grid->wrapZ ? 0 : c->row + 1;
		tnThinParts_AddSide(thin, c, c->column, c->row, true, thinZ * tnMinFloat(1.0f, 2.0f - 2.0f * c->insetZ));
		tnThinParts_AddSide(thin, c, c->column, south, true, thinZ * tnMinFloat(1.0f, 2.0f * c->insetZ));
	}
}

// Those of a cut that has its faces.
void tnThinParts_Find(tnThinParts* thin, const tnCut* cut, const tnGrid* grid);
