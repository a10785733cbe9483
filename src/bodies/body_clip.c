// SPDX-License-Identifier: MIT

#include "body_clip.h"

#include <string.h>

// The triangles of a body are clipped into rows and the rows into cells, and the pieces are summed up cell by cell. Where
// a clip cuts a triangle, the cut itself is what the body takes from the face there.
//
// A clip takes the crossing of an edge from its lower to its higher end, and lines are taken in rising order, so that
// the two triangles of an edge get the same points and sums close.

enum
{
	// A triangle between two pairs of lines has at most seven corners. Rounding may give one more.
	TN_MAX_CORNERS = 8,
	// Nodes that are summed up at once: large patches are cut in bands of whole rows. Some megabytes.
	TN_BAND_NODES = 1 << 16,
	TN_BAND_LAYER_NODES = 1 << 11,
};

typedef struct tnPolygon
{
	// Each corner of a polygon can give two of a part.
	tnCorner corners[2 * TN_MAX_CORNERS];
	int count;
} tnPolygon;

// Where a line of the grid cuts a polygon.
typedef struct tnSpan
{
	float from, to; // the other coordinate, cells
	float fromY, toY;
	int count; // 2 if there is one
} tnSpan;

// What a body takes from a face: widths, and integrals of height over them.
typedef struct tnLine
{
	float topWidth, topY, bottomWidth, bottomY;
} tnLine;

// A cell and the faces before it. Sums over tops and bottoms; x, z and limits are taken from the corner of the cell.
typedef struct tnNode
{
	float topArea, topX, topZ, topY;
	float bottomArea, bottomY;
	float xMin, xMax, zMin, zMax;
	float strips[tn_cellStripCount];
	tnLine lines[2]; // X face, Z face
} tnNode;

// Edges of the mesh that lie on a line: of pieces before it, and of those behind it. Widths of a face that is touched
// are those of the side that has more. So a box that fills whole cells blocks the faces around it, on all sides.
typedef struct tnTouch
{
	tnLine lines[2][2]; // X face, Z face; before, behind
} tnTouch;

typedef struct tnLayerNode
{
	tnStack cell;
	tnStack lines[2];
	tnStack touches[2][2];
} tnLayerNode;

typedef struct tnCutter
{
	tnPatch patch;
	int bandBegin, bandEnd;  // rows of nodes that are summed up: there is one more than rows of cells
	int cellEnd;             // end of those that are cells
	int bandRows;            // most rows of a band
	const tnCorner* corners; // points of the mesh
	tnNode* nodes;           // of the band, rows of columnCount + 1. NULL if the mesh is not simple
	tnTouch* touches;        // the same
	tnLayerNode* layers;     // instead, if it is not
	bool touched;            // `touches` are in use
	bool up;                 // the triangle at hand
	tnCorner origin;         // a corner of it
	float slopeX, slopeZ;    // m per cell
} tnCutter;

// ---------------------------------------------------------------------------------------------------------------------
// Sums

static inline ptrdiff_t tnCutter_Index(const tnCutter* cutter, int column, int row)
{
	return (ptrdiff_t)(row - cutter->bandBegin) * (cutter->patch.columnCount + 1) + column;
}

static inline void tnCutter_AddPiece(tnCutter* cutter, int column, int row, const tnSlot* piece)
{
	const ptrdiff_t index = tnCutter_Index(cutter, column, row);
	if (cutter->layers != NULL)
	{
		tnStack_Add(&cutter->layers[index].cell, cutter->up, piece);
		return;
	}
	tnNode* node = cutter->nodes + index;
	if (!cutter->up)
	{
		node->bottomArea += piece->area;
		node->bottomY += piece->y;
		return;
	}
	const bool first = node->topArea == 0.0f;
	node->topArea += piece->area;
	node->topX += piece->x;
	node->topZ += piece->z;
	node->topY += piece->y;
	node->xMin = first ? piece->xMin : tnMinFloat(node->xMin, piece->xMin);
	node->xMax = first ? piece->xMax : tnMaxFloat(node->xMax, piece->xMax);
	node->zMin = first ? piece->zMin : tnMinFloat(node->zMin, piece->zMin);
	node->zMax = first ? piece->zMax : tnMaxFloat(node->zMax, piece->zMax);
	for (int i = 0; i < tn_cellStripCount; ++i)
	{
		node->strips[i] += piece->strips[i];
	}
}

static inline void tnLine_Add(tnLine* line, bool up, float width, float y)
{
	if (up)
	{
		line->topWidth += width;
		line->topY += y;
	}
	else
	{
		line->bottomWidth += width;
		line->bottomY += y;
	}
}

// A part of a face, with its heights at both ends. `side` is 0 for edges that touch it from before, 1 from behind, -1
// for cuts.
static inline void tnCutter_AddWidth(
	tnCutter* cutter, int axis, int side, int column, int row, float width, float yA, float yB)
{
	const ptrdiff_t index = tnCutter_Index(cutter, column, row);
	const float y = 0.5f * width * (yA + yB);
	if (cutter->layers != NULL)
	{
		tnLayerNode* node = cutter->layers + index;
		const tnSlot piece = {.area = width, .y = y, .yMin = tnMinFloat(yA, yB), .yMax = tnMaxFloat(yA, yB)};
		tnStack_Add(side < 0 ? &node->lines[axis] : &node->touches[axis][side], cutter->up, &piece);
		return;
	}
	if (side < 0)
	{
		tnLine_Add(&cutter->nodes[index].lines[axis], cutter->up, width, y);
		return;
	}
	if (!cutter->touched)
	{
		const size_t rows = (size_t)(cutter->bandEnd - cutter->bandBegin);
		memset(cutter->touches, 0, rows * (size_t)(cutter->patch.columnCount + 1) * sizeof(tnTouch));
		cutter->touched = true;
	}
	tnLine_Add(&cutter->touches[index].lines[axis][side], cutter->up, width, y);
}

// A cell that lies wholly below or above the triangle.
static inline void tnCutter_AddCell(tnCutter* cutter, int column, int row)
{
	const float dx = (float)column + 0.5f - cutter->origin.at[0];
	const float dz = (float)row + 0.5f - cutter->origin.at[1];
	const float y = cutter->origin.at[2] + cutter->slopeX * dx + cutter->slopeZ * dz;
	const float reach = 0.5f * (tnAbsFloat(cutter->slopeX) + tnAbsFloat(cutter->slopeZ));
	const tnSlot piece = {1.0f, 0.5f, 0.5f, y, y - reach, y + reach, 0.0f, 1.0f, 0.0f, 1.0f, {1.0f, 1.0f, 1.0f, 1.0f}};
	tnCutter_AddPiece(cutter, column, row, &piece);
}

// Mean of the lesser of 1 and a line from a to b.
static inline float tnGetMeanBelow(float a, float b)
{
	const float high = tnMaxFloat(a, b);
	const float low = tnMinFloat(a, b);
	if (low >= 1.0f)
	{
		return 1.0f;
	}
	return high <= 1.0f ? 0.5f * (a + b) : 1.0f - 0.5f * (1.0f - low) * ((1.0f - low) / (high - low));
}

// What a polygon that faces up takes of the strips of its cell. The area on this side of a line is the integral along the sides of
// the polygon of how far they are from the side of the cell, or the line.
static void tnCutter_FindStrips(const tnCutter* cutter, int column, int row, const tnPolygon* polygon, float* strips)
{
	const tnVec2 width = cutter->patch.stripWidths;
	const float perX = 1.0f / width.x;
	const float perZ = 1.0f / width.z;
	const tnCorner* last = polygon->corners + polygon->count - 1;
	float xA = tnClampFloat(last->at[0] - (float)column, 0.0f, 1.0f);
	float zA = tnClampFloat(last->at[1] - (float)row, 0.0f, 1.0f);
	for (int i = 0; i < polygon->count; ++i)
	{
		const float xB = tnClampFloat(polygon->corners[i].at[0] - (float)column, 0.0f, 1.0f);
		const float zB = tnClampFloat(polygon->corners[i].at[1] - (float)row, 0.0f, 1.0f);
		strips[tn_westStrip] -= (zB - zA) * tnGetMeanBelow(perX * xA, perX * xB);
		strips[tn_eastStrip] += (zB - zA) * tnGetMeanBelow(perX * (1.0f - xA), perX * (1.0f - xB));
		strips[tn_northStrip] += (xB - xA) * tnGetMeanBelow(perZ * zA, perZ * zB);
		strips[tn_southStrip] -= (xB - xA) * tnGetMeanBelow(perZ * (1.0f - zA), perZ * (1.0f - zB));
		xA = xB;
		zA = zB;
	}
}

// A polygon within a cell.
static inline void tnCutter_AddPolygon(tnCutter* cutter, int column, int row, const tnPolygon* polygon)
{
	const tnCorner* corners = polygon->corners;
	const float x0 = corners[0].at[0];
	const float z0 = corners[0].at[1];
	const float y0 = corners[0].at[2];
	float xMin = x0, xMax = x0, zMin = z0, zMax = z0, yMin = y0, yMax = y0;
	float area = 0.0f, x = 0.0f, z = 0.0f, y = 0.0f;
	float xA = 0.0f, zA = 0.0f, yA = 0.0f;
	for (int i = 1; i < polygon->count; ++i)
	{
		const float xB = corners[i].at[0] - x0;
		const float zB = corners[i].at[1] - z0;
		const float yB = corners[i].at[2] - y0;
		xMin = tnMinFloat(xMin, corners[i].at[0]);
		xMax = tnMaxFloat(xMax, corners[i].at[0]);
		zMin = tnMinFloat(zMin, corners[i].at[1]);
		zMax = tnMaxFloat(zMax, corners[i].at[1]);
		yMin = tnMinFloat(yMin, corners[i].at[2]);
		yMax = tnMaxFloat(yMax, corners[i].at[2]);
		// Twice the area of a triangle of the fan, positive if it faces up.
		const float twice = zA * xB - xA * zB;
		area += twice;
		x += twice * (xA + xB);
		z += twice * (zA + zB);
		y += twice * (yA + yB);
		xA = xB;
		zA = zB;
		yA = yB;
	}
	const float sign = cutter->up ? 1.0f : -1.0f;
	area *= 0.5f * sign;
	const float sixth = sign * (1.0f / 6.0f);
	const float dx = x0 - (float)column;
	const float dz = z0 - (float)row;
	tnSlot piece = {
		.area = area,
		.x = area * dx + x * sixth,
		.z = area * dz + z * sixth,
		.y = area * y0 + y * sixth,
		.yMin = yMin,
		.yMax = yMax,
		.xMin = xMin - (float)column,
		.xMax = xMax - (float)column,
		.zMin = zMin - (float)row,
		.zMax = zMax - (float)row,
	};
	if (cutter->up && cutter->patch.travel.perSpeed > 0.0f)
	{
		tnCutter_FindStrips(cutter, column, row, polygon, piece.strips);
	}
	tnCutter_AddPiece(cutter, column, row, &piece);
}

// ---------------------------------------------------------------------------------------------------------------------
// Clipping

static inline void tnSpan_Add(tnSpan* span, float other, float y)
{
	if (span->count == 0)
	{
		span->from = other;
		span->fromY = y;
	}
	else
	{
		span->to = other;
		span->toY = y;
	}
	++span->count;
}

static inline tnCorner tnCross(const tnCorner* a, const tnCorner* b, int axis, float line)
{
	const bool rising = a->at[axis] < b->at[axis];
	const tnCorner* low = rising ? a : b;
	const tnCorner* high = rising ? b : a;
	const float t = (line - low->at[axis]) / (high->at[axis] - low->at[axis]);
	tnCorner corner;
	corner.at[0] = low->at[0] + t * (high->at[0] - low->at[0]);
	corner.at[1] = low->at[1] + t * (high->at[1] - low->at[1]);
	corner.at[2] = low->at[2] + t * (high->at[2] - low->at[2]);
	corner.at[axis] = line;
	return corner;
}

// Cut a polygon in two, at a line that it reaches over on both sides.
static inline tnSpan tnPolygon_Split(const tnPolygon* polygon, int axis, float line, tnPolygon* low, tnPolygon* high)
{
	tnSpan span = {0};
	int lowCount = 0;
	int highCount = 0;
	const tnCorner* previous = polygon->corners + polygon->count - 1;
	float before = previous->at[axis] - line;
	for (int i = 0; i < polygon->count; ++i)
	{
		const tnCorner* corner = polygon->corners + i;
		const float distance = corner->at[axis] - line;
		if ((before < 0.0f && distance > 0.0f) || (before > 0.0f && distance < 0.0f))
		{
			const tnCorner crossing = tnCross(previous, corner, axis, line);
			low->corners[lowCount++] = crossing;
			high->corners[highCount++] = crossing;
			tnSpan_Add(&span, crossing.at[1 - axis], crossing.at[2]);
		}
		if (distance <= 0.0f)
		{
			low->corners[lowCount++] = *corner;
		}
		if (distance >= 0.0f)
		{
			high->corners[highCount++] = *corner;
		}
		if (distance == 0.0f)
		{
			tnSpan_Add(&span, corner->at[1 - axis], corner->at[2]);
		}
		previous = corner;
		before = distance;
	}
	low->count = tnMinInt(lowCount, TN_MAX_CORNERS);
	high->count = tnMinInt(highCount, TN_MAX_CORNERS);
	return span;
}

static inline void tnPolygon_GetRange(const tnPolygon* polygon, int axis, float* low, float* high)
{
	float least = polygon->corners[0].at[axis];
	float most = least;
	for (int i = 1; i < polygon->count; ++i)
	{
		least = tnMinFloat(least, polygon->corners[i].at[axis]);
		most = tnMaxFloat(most, polygon->corners[i].at[axis]);
	}
	*low = least;
	*high = most;
}

// Of a number that is at least 0 and not large.
static inline float tnGetCeil(float value)
{
	const float whole = (float)(int)value;
	return whole < value ? whole + 1.0f : whole;
}

// A cut along x, at the Z face `row`: it may run through several columns.
static void tnCutter_AddRowSpan(tnCutter* cutter, int side, int row, tnSpan span)
{
	if (span.count < 2 || row >= cutter->bandEnd || row < cutter->bandBegin)
	{
		return;
	}
	const bool rising = span.from < span.to;
	const float low = rising ? span.from : span.to;
	const float high = rising ? span.to : span.from;
	const float lowY = rising ? span.fromY : span.toY;
	const float highY = rising ? span.toY : span.fromY;
	if (!(high > 0.0f && low < (float)cutter->patch.columnCount && high > low))
	{
		return;
	}
	const float slope = (highY - lowY) / (high - low);
	const float end = tnMinFloat(high, (float)cutter->patch.columnCount);
	float x = tnMaxFloat(low, 0.0f);
	float y = low < 0.0f ? lowY + slope * (x - low) : lowY;
	for (int column = (int)x; x < end; ++column)
	{
		const float next = (float)(column + 1);
		const float nextX = tnMinFloat(next, end);
		const float nextY = nextX == high ? highY : lowY + slope * (nextX - low);
		tnCutter_AddWidth(cutter, 1, side, column, row, nextX - x, y, nextY);
		x = nextX;
		y = nextY;
	}
}

// Edges of a polygon that lie on a line, but for rounding, without crossing it.
static void tnCutter_AddTouches(tnCutter* cutter, const tnPolygon* polygon, int axis, int side, int line, int row)
{
	const float at = (float)line;
	const tnCorner* previous = polygon->corners + polygon->count - 1;
	for (int i = 0; i < polygon->count; ++i)
	{
		const tnCorner* corner = polygon->corners + i;
		if (tnAbsFloat(previous->at[axis] - at) <= TN_TOUCH && tnAbsFloat(corner->at[axis] - at) <= TN_TOUCH)
		{
			const tnSpan span = {previous->at[1 - axis], corner->at[1 - axis], previous->at[2], corner->at[2], 2};
			if (axis == 1)
			{
				tnCutter_AddRowSpan(cutter, side, line, span);
			}
			else
			{
				const float width = tnAbsFloat(span.to - span.from);
				tnCutter_AddWidth(cutter, 0, side, line, row, width, span.fromY, span.toY);
			}
		}
		previous = corner;
	}
}

static inline void tnCutter_AddColumnSpan(tnCutter* cutter, int column, int row, const tnSpan* span)
{
	if (span->count >= 2)
	{
		const float width = tnAbsFloat(span->to - span->from);
		tnCutter_AddWidth(cutter, 0, -1, column, row, width, span->fromY, span->toY);
	}
}

// Cut what lies in a row into cells, up to `high` along x. Returns the column that was reached.
static inline void tnCutter_WalkColumns(
	tnCutter* cutter, int column, int row, float high, const tnPolygon* start, tnPolygon* spare)
{
	const tnPolygon* polygon = start;
	tnPolygon piece;
	int turn = 0;
	while (high > (float)(column + 1))
	{
		tnPolygon* rest = spare + turn;
		const tnSpan span = tnPolygon_Split(polygon, 0, (float)(column + 1), &piece, rest);
		tnCutter_AddPolygon(cutter, column, row, &piece);
		tnCutter_AddColumnSpan(cutter, column + 1, row, &span);
		polygon = rest;
		turn ^= 1;
		++column;
	}
	tnCutter_AddPolygon(cutter, column, row, polygon);
}

// Cells that a slice covers wholly, if it reaches from the line before the row to the one behind it.
static void tnGetWholeCells(const tnSpan* north, const tnSpan* south, int columnCount, int* begin, int* end)
{
	*begin = 0;
	*end = 0;
	if (north->count < 2 || south->count < 2)
	{
		return;
	}
	const float low = tnMaxFloat(tnMinFloat(north->from, north->to), tnMinFloat(south->from, south->to));
	const float high = tnMinFloat(tnMaxFloat(north->from, north->to), tnMaxFloat(south->from, south->to));
	if (high - low < 1.0f || low >= (float)columnCount || high <= 0.0f)
	{
		return;
	}
	const int whole = low > 0.0f ? (int)low : 0;
	*begin = (float)whole < low ? whole + 1 : whole;
	*end = high < (float)columnCount ? (int)high : columnCount;
}

// What lies in one row. Spans: where it was cut from the rows beside.
static void tnCutter_AddSlice(
	tnCutter* cutter, int row, const tnPolygon* slice, const tnSpan* north, const tnSpan* south)
{
	float low, high;
	tnPolygon_GetRange(slice, 0, &low, &high);
	const float limit = (float)cutter->patch.columnCount;
	if (!(high >= 0.0f && low <= limit))
	{
		return;
	}
	if (low >= 0.0f && low - (float)(int)low <= TN_TOUCH)
	{
		tnCutter_AddTouches(cutter, slice, 0, 1, (int)low, row);
	}
	if (high <= limit && tnGetCeil(high) - high <= TN_TOUCH)
	{
		tnCutter_AddTouches(cutter, slice, 0, 0, (int)tnGetCeil(high), row);
	}
	if (!(high > 0.0f && low < limit))
	{
		return;
	}
	tnPolygon clipped[2], spare[2], outside;
	if (low < 0.0f)
	{
		const tnSpan span = tnPolygon_Split(slice, 0, 0.0f, &outside, clipped);
		tnCutter_AddColumnSpan(cutter, 0, row, &span);
		slice = clipped;
		low = 0.0f;
	}
	if (high > limit)
	{
		const tnSpan span = tnPolygon_Split(slice, 0, limit, clipped + 1, &outside);
		tnCutter_AddColumnSpan(cutter, cutter->patch.columnCount, row, &span);
		slice = clipped + 1;
		high = limit;
	}
	int begin, end;
	tnGetWholeCells(north, south, cutter->patch.columnCount, &begin, &end);
	if (end <= begin)
	{
		tnCutter_WalkColumns(cutter, (int)low, row, high, slice, spare);
		return;
	}
	tnPolygon part;
	if (low < (float)begin)
	{
		const tnSpan span = tnPolygon_Split(slice, 0, (float)begin, &part, &outside);
		tnCutter_AddColumnSpan(cutter, begin, row, &span);
		tnCutter_WalkColumns(cutter, (int)low, row, (float)begin, &part, spare);
	}
	const float rise = 0.5f * cutter->slopeZ;
	for (int column = begin; column < end; ++column)
	{
		tnCutter_AddCell(cutter, column, row);
		if (column > begin)
		{
			const float y = cutter->origin.at[2] + cutter->slopeX * ((float)column - cutter->origin.at[0]) +
				cutter->slopeZ * ((float)row + 0.5f - cutter->origin.at[1]);
			tnCutter_AddWidth(cutter, 0, -1, column, row, 1.0f, y - rise, y + rise);
		}
	}
	if (high > (float)end)
	{
		const tnSpan span = tnPolygon_Split(slice, 0, (float)end, &outside, &part);
		tnCutter_AddColumnSpan(cutter, end, row, &span);
		tnCutter_WalkColumns(cutter, end, row, high, &part, spare);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Triangles

static void tnCutter_WalkRows(tnCutter* cutter, const tnPolygon* triangle, float low, float high)
{
	tnPolygon spare[2], slice;
	const tnPolygon* polygon = triangle;
	tnSpan north = {0};
	int turn = 0;
	int row = cutter->bandBegin;
	if (low < (float)row)
	{
		north = tnPolygon_Split(polygon, 1, (float)row, &slice, spare);
		tnCutter_AddRowSpan(cutter, -1, row, north);
		polygon = spare;
		turn = 1;
	}
	else
	{
		row = (int)low;
	}
	for (; row < cutter->cellEnd; ++row)
	{
		if (high <= (float)(row + 1))
		{
			const tnSpan south = {0};
			tnCutter_AddSlice(cutter, row, polygon, &north, &south);
			return;
		}
		tnPolygon* rest = spare + turn;
		const tnSpan south = tnPolygon_Split(polygon, 1, (float)(row + 1), &slice, rest);
		tnCutter_AddSlice(cutter, row, &slice, &north, &south);
		tnCutter_AddRowSpan(cutter, -1, row + 1, south);
		polygon = rest;
		turn ^= 1;
		north = south;
	}
}

static void tnCutter_AddTriangle(tnCutter* cutter, const tnCorner* a, const tnCorner* b, const tnCorner* c)
{
	const float zMin = tnMinFloat(a->at[1], tnMinFloat(b->at[1], c->at[1]));
	const float zMax = tnMaxFloat(a->at[1], tnMaxFloat(b->at[1], c->at[1]));
	const float xMin = tnMinFloat(a->at[0], tnMinFloat(b->at[0], c->at[0]));
	const float xMax = tnMaxFloat(a->at[0], tnMaxFloat(b->at[0], c->at[0]));
	const float begin = (float)cutter->bandBegin;
	if (!(zMax >= begin - TN_TOUCH && zMin <= (float)cutter->cellEnd && xMax >= 0.0f &&
			xMin <= (float)cutter->patch.columnCount))
	{
		return;
	}
	const float xB = b->at[0] - a->at[0], zB = b->at[1] - a->at[1], yB = b->at[2] - a->at[2];
	const float xC = c->at[0] - a->at[0], zC = c->at[1] - a->at[1], yC = c->at[2] - a->at[2];
	const float twice = zB * xC - xB * zC;
	if (twice == 0.0f)
	{
		return;
	}
	cutter->up = twice > 0.0f;
	tnPolygon polygon;
	polygon.corners[0] = *a;
	polygon.corners[1] = *b;
	polygon.corners[2] = *c;
	polygon.count = 3;
	if (xMin > 0.0f && zMin > begin && xMax < (float)cutter->patch.columnCount && zMax < (float)cutter->cellEnd)
	{
		const int column = (int)xMin;
		const int row = (int)zMin;
		if (xMin > (float)column + TN_TOUCH && zMin > (float)row + TN_TOUCH && xMax < (float)(column + 1) - TN_TOUCH &&
			zMax < (float)(row + 1) - TN_TOUCH)
		{
			tnCutter_AddPolygon(cutter, column, row, &polygon);
			return;
		}
	}
	cutter->origin = *a;
	cutter->slopeX = (zB * yC - yB * zC) / twice;
	cutter->slopeZ = (yB * xC - xB * yC) / twice;
	if (zMin >= begin && zMin - (float)(int)zMin <= TN_TOUCH)
	{
		tnCutter_AddTouches(cutter, &polygon, 1, 1, (int)zMin, 0);
	}
	if (zMax < (float)cutter->bandEnd && tnGetCeil(zMax) - zMax <= TN_TOUCH)
	{
		tnCutter_AddTouches(cutter, &polygon, 1, 0, (int)tnGetCeil(zMax), 0);
	}
	if (zMax > begin && zMin < (float)cutter->cellEnd)
	{
		tnCutter_WalkRows(cutter, &polygon, zMin, zMax);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// What comes out

// Sums of a simple mesh as a layer. False if there is nothing.
static inline bool tnMakeLayer(tnInterval* layer, float topArea, float topY, float bottomArea, float bottomY)
{
	if (!(topArea >= TN_LEAST_SHARE && bottomArea > 0.0f))
	{
		return false;
	}
	layer->share = topArea;
	layer->high = topY / topArea;
	layer->low = bottomY / bottomArea;
	return true;
}

static void tnCutter_EmitNode(tnCutter* cutter, int column, int row)
{
	const ptrdiff_t index = tnCutter_Index(cutter, column, row);
	const tnNode* node = cutter->nodes + index;
	tnInterval layer;
	if (tnMakeLayer(&layer, node->topArea, node->topY, node->bottomArea, node->bottomY))
	{
		layer.x = node->topX / node->topArea;
		layer.z = node->topZ / node->topArea;
		layer.xMin = node->xMin;
		layer.xMax = node->xMax;
		layer.zMin = node->zMin;
		layer.zMax = node->zMax;
		memcpy(layer.strips, node->strips, sizeof(layer.strips));
		tnColumn out;
		tnPatch_EmitColumn(&cutter->patch, column, row, &layer, &out);
	}
	for (int axis = 0; axis < 2; ++axis)
	{
		tnLine line = node->lines[axis];
		if (cutter->touched)
		{
			const tnLine* sides = cutter->touches[index].lines[axis];
			const tnLine* more = sides + (sides[1].topWidth > sides[0].topWidth ? 1 : 0);
			line.topWidth += more->topWidth;
			line.topY += more->topY;
			line.bottomWidth += more->bottomWidth;
			line.bottomY += more->bottomY;
		}
		if (tnMakeLayer(&layer, line.topWidth, line.topY, line.bottomWidth, line.bottomY))
		{
			tnPatch_EmitFace(&cutter->patch, column, row, axis, &layer);
		}
	}
}

static float tnStack_GetTopWidth(const tnStack* stack)
{
	float width = 0.0f;
	for (int i = 0; i < stack->counts[1]; ++i)
	{
		width += stack->slots[1][i].area;
	}
	return width;
}

static void tnCutter_EmitLayers(tnCutter* cutter, int column, int row)
{
	tnLayerNode* node = cutter->layers + tnCutter_Index(cutter, column, row);
	tnInterval layers[TN_MAX_BODY_LAYERS];
	int count = tnStack_Match(&node->cell, layers);
	for (int i = 0; i < count; ++i)
	{
		// Tops that lie above each other have more area than what they cover.
		const float extent = (layers[i].xMax - layers[i].xMin) * (layers[i].zMax - layers[i].zMin);
		if (layers[i].share > extent)
		{
			tnLayer_SetShare(layers + i, extent);
		}
		tnColumn out;
		tnPatch_EmitColumn(&cutter->patch, column, row, layers + i, &out);
	}
	for (int axis = 0; axis < 2; ++axis)
	{
		const tnStack* sides = node->touches[axis];
		const tnStack* more = sides + (tnStack_GetTopWidth(sides + 1) > tnStack_GetTopWidth(sides) ? 1 : 0);
		for (int side = 0; side < 2; ++side)
		{
			for (int i = 0; i < more->counts[side]; ++i)
			{
				tnStack_Add(&node->lines[axis], side == 1, &more->slots[side][i]);
			}
		}
		count = tnStack_Match(&node->lines[axis], layers);
		for (int i = 0; i < count; ++i)
		{
			tnPatch_EmitFace(&cutter->patch, column, row, axis, layers + i);
		}
	}
}

// All nodes of the band, in the order of their cells in the world.
static void tnCutter_Emit(tnCutter* cutter)
{
	const int width = cutter->patch.columnCount + 1;
	const tnGrid* grid = cutter->patch.grid;
	// Columns from here on lie behind the seam of a world without ends.
	int seam = grid->wrapX ? grid->columnCount - cutter->patch.columnBegin : 0;
	seam = seam > 0 && seam < width ? seam : 0;
	for (int row = cutter->bandBegin; row < cutter->bandEnd; ++row)
	{
		for (int i = 0; i < width; ++i)
		{
			const int column = i + seam < width ? i + seam : i + seam - width;
			if (cutter->layers != NULL)
			{
				tnCutter_EmitLayers(cutter, column, row);
			}
			else
			{
				tnCutter_EmitNode(cutter, column, row);
			}
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Bands

static int tnGetBandRows(int width, int rowCount, bool simple)
{
	const int most = (simple ? TN_BAND_NODES : TN_BAND_LAYER_NODES) / width;
	return tnClampInt(most, 1, rowCount + 1);
}

// Lay the nodes into scratch, which may be NULL. Returns how many bytes that takes.
static size_t tnCutter_PlaceScratch(tnCutter* cutter, const tnMesh* mesh, int columnLimit, int rowLimit, void* scratch)
{
	tnCarver carver = {.block = scratch};
	cutter->bandRows = tnGetBandRows(columnLimit + 1, rowLimit, mesh->simple);
	const size_t nodeCount = (size_t)cutter->bandRows * (size_t)(columnLimit + 1);
	if (mesh->simple)
	{
		cutter->nodes = tnCarve(&carver, nodeCount * sizeof(tnNode));
		cutter->touches = tnCarve(&carver, nodeCount * sizeof(tnTouch));
	}
	else
	{
		cutter->layers = tnCarve(&carver, nodeCount * sizeof(tnLayerNode));
	}
	return carver.used;
}

size_t tnClip_GetByteCount(const tnMesh* mesh, int columnLimit, int rowLimit)
{
	tnCutter cutter = {0};
	return tnCutter_PlaceScratch(&cutter, mesh, columnLimit, rowLimit, NULL);
}

static void tnCutter_CutBand(tnCutter* cutter, const tnMesh* mesh)
{
	const tnCorner* corners = cutter->corners;
	const size_t nodeCount = (size_t)(cutter->bandEnd - cutter->bandBegin) * (size_t)(cutter->patch.columnCount + 1);
	cutter->touched = false;
	if (cutter->layers == NULL)
	{
		memset(cutter->nodes, 0, nodeCount * sizeof(tnNode));
	}
	for (size_t i = 0; cutter->layers != NULL && i < nodeCount; ++i)
	{
		tnLayerNode* node = cutter->layers + i;
		memset(node->cell.counts, 0, sizeof(node->cell.counts));
		for (int axis = 0; axis < 2; ++axis)
		{
			memset(node->lines[axis].counts, 0, sizeof(node->cell.counts));
			memset(node->touches[axis][0].counts, 0, sizeof(node->cell.counts));
			memset(node->touches[axis][1].counts, 0, sizeof(node->cell.counts));
		}
	}
	const int32_t* triangle = mesh->triangles;
	for (int i = 0; i < mesh->triangleCount; ++i, triangle += 3)
	{
		tnCutter_AddTriangle(cutter, corners + triangle[0], corners + triangle[1], corners + triangle[2]);
	}
	tnCutter_Emit(cutter);
}

static void tnCutter_CutRows(tnCutter* cutter, const tnMesh* mesh, int begin, int end)
{
	for (int row = begin; row < end; row += cutter->bandRows)
	{
		cutter->bandBegin = row;
		cutter->bandEnd = tnMinInt(row + cutter->bandRows, end);
		cutter->cellEnd = tnMinInt(cutter->bandEnd, cutter->patch.rowCount);
		tnCutter_CutBand(cutter, mesh);
	}
}

void tnClip_Make(
	const tnPatch* patch, const tnMesh* mesh, const tnCorner* corners, int columnLimit, int rowLimit, void* scratch)
{
	tnCutter cutter = {.patch = *patch, .corners = corners};
	tnCutter_PlaceScratch(&cutter, mesh, columnLimit, rowLimit, scratch);
	// Rows from the seam on lie at the north end of a world without ends, and come first.
	const int rowEnd = patch->rowCount + 1;
	int seam = patch->grid->wrapZ ? patch->grid->rowCount - patch->rowBegin : 0;
	seam = seam > 0 && seam < rowEnd ? seam : 0;
	tnCutter_CutRows(&cutter, mesh, seam, rowEnd);
	tnCutter_CutRows(&cutter, mesh, 0, seam);
}
