// SPDX-License-Identifier: MIT

// Finds the parts of bodies that are thinner than a cell.

#include "body_thin_parts.h"

static bool tnFaceCut_IsBefore(const tnFaceCut* face, int column, int row, bool alongZ)
{
	if (face->row != row)
	{
		return face->row < row;
	}
	return face->column != column ? face->column < column : !face->alongZ && alongZ;
}

// Share of a face that a body takes at the face itself.
static float tnCut_GetFaceShare(const tnCut* cut, int column, int row, bool alongZ)
{
	int low = 0;
	int high = cut->faceCount;
	while (low < high)
	{
		const int middle = low + (high - low) / 2;
		if (tnFaceCut_IsBefore(cut->faces + middle, column, row, alongZ))
		{
			low = middle + 1;
		}
		else
		{
			high = middle;
		}
	}
	float share = 0.0f;
	for (; low < cut->faceCount; ++low)
	{
		const tnFaceCut* face = cut->faces + low;
		if (face->row != row || face->column != column || face->alongZ != alongZ)
		{
			break;
		}
		share += face->share;
	}
	return share;
}

void tnThinParts_Find(tnThinParts* thin, const tnCut* cut, const tnGrid* grid)
{
	for (int i = 0; i < cut->columnCount; ++i)
	{
		const tnColumn column = tnCut_GetColumn(cut, i);
		const tnColumn* c = &column;
		if (c->share >= 1.0f)
		{
			continue;
		}
		const int east = c->column + 1 == grid->columnCount && grid->wrapX ? 0 : c->column + 1;
		const int south = c->row + 1 == grid->rowCount && grid->wrapZ ? 0 : c->row + 1;
		const float west = tnCut_GetFaceShare(cut, c->column, c->row, false);
		const float north = tnCut_GetFaceShare(cut, c->column, c->row, true);
		const float seenX = tnMaxFloat(west, tnCut_GetFaceShare(cut, east, c->row, false));
		const float seenZ = tnMaxFloat(north, tnCut_GetFaceShare(cut, c->column, south, true));
		tnThinParts_Add(thin, grid, c, seenX, seenZ);
	}
}
