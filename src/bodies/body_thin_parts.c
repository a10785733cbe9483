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
		tnThinParts_Add(thin, i, c, seenX, seenZ);
	}
}

static int tnAddSide(tnFaceCut* sides, int count, const tnColumn* c, int column, int row, bool alongZ, float share)
{
	if (!(share > TN_THIN_SHARE))
	{
		return count;
	}
	sides[count] = (tnFaceCut){column, row, tnMinFloat(share, 1.0f), c->low, c->high, alongZ};
	return count + 1;
}

int tnThinPart_Split(const tnThinPart* part, const tnCut* cut, const tnGrid* grid, tnFaceCut sides[TN_THIN_SIDES])
{
	const tnColumn column = tnCut_GetColumn(cut, part->column);
	const tnColumn* c = &column;
	int count = 0;
	if (part->takenX > TN_THIN_SHARE)
	{
		const int east = c->column + 1 == grid->columnCount && grid->wrapX ? 0 : c->column + 1;
		const float before = part->takenX * tnMinFloat(1.0f, 2.0f - 2.0f * c->insetX);
		const float after = part->takenX * tnMinFloat(1.0f, 2.0f * c->insetX);
		count = tnAddSide(sides, count, c, c->column, c->row, false, before);
		count = tnAddSide(sides, count, c, east, c->row, false, after);
	}
	if (part->takenZ > TN_THIN_SHARE)
	{
		const int south = c->row + 1 == grid->rowCount && grid->wrapZ ? 0 : c->row + 1;
		const float before = part->takenZ * tnMinFloat(1.0f, 2.0f - 2.0f * c->insetZ);
		const float after = part->takenZ * tnMinFloat(1.0f, 2.0f * c->insetZ);
		count = tnAddSide(sides, count, c, c->column, c->row, true, before);
		count = tnAddSide(sides, count, c, c->column, south, true, after);
	}
	return count;
}
