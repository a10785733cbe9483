// SPDX-License-Identifier: MIT

#include "body_sweep.h"

#include "body_folds.h"
#include "body_thin.h"
#include "simd_double.h"

#include <string.h>

// Columns of a convex body, from its edges alone.
//
// The integral of a plane over a facet is that over all that lies east of its western sides, less that over all that
// lies east of its eastern sides. So each edge brings, to each row of cells that it runs through, the difference of the
// planes of its two facets over what lies east of it: part of the cells that it crosses, which is added there, and
// all of the cells further east, which is left there to be carried on. One pass over the cells at the end carries it.
// Inside of the body the two planes meet in the edge, a fold, and the covered area changes at its outline only, where a
// facet that faces up meets one that does not. So only cells that the outline runs through, the rim, have more to
// tell than two heights, and all others between them are covered wholly.
//
// Planes of steep facets rise far above the body before the next edge takes them away again: sums are doubles. So are
// corners. Of a facet only one triangle is looked at, and its plane misses the other corners by what rounding has done
// to them, times its steepness. What one edge brings too much the outline does not take away: it is left in cells that
// are hardly covered, where it is divided by a small share. With corners of floats nearly upright boxes made waves.

// Facets that are steeper than this are vertical: projected area over the square of the extent of the body. What is
// carried is then at most 1e8 times the height of the body, and its rounding, and that of corners, 1e-8 times.
#define TN_LEAST_FLATNESS 1.0e-8

// A body that covers more than this of a side of a cell, in cells, reaches over it: less is rounding.
#define TN_LEAST_REACH 1.0e-9

// A cell of the rim.
typedef struct tnRim
{
	double area[2], carriedArea[2];
	double x, z, carriedZ; // moments of the covered area from the corner of the cell
	// How far the outline reaches from each side of the cell.
	float fromWest, fromEast, fromNorth, fromSouth;
} tnRim;

// What the body covers of a line of the grid, in cells.
typedef struct tnReach
{
	double low, high;
} tnReach;

// Cells of the rim in a row.
typedef struct tnRowRange
{
	int32_t first, last;
} tnRowRange;

// Widths of edges that stand on the lines before a cell, by axis and side from which they do.
typedef struct tnSweepTouch
{
	float widths[2][2];
} tnSweepTouch;

// Lists of edges: folds by the number of lines that they cross, and others.
enum
{
	tn_longFolds = 16, // or more
	tn_outlines,
	tn_uprightEdges, // between facets that are not seen from above
	tn_listCount,
};

// Where a corner lies.
typedef struct tnCornerCell
{
	int32_t column, row;
} tnCornerCell;

typedef struct tnSweep
{
	const tnPatch* patch;
	tnThinParts* thin;
	int stride;
	tnPlane* planes;
	tnCornerCell* cells; // of corners
	tnReach* reaches[2]; // by axis: what is covered of lines along z, and along x
	tnRowRange* ranges;  // by row
	tnRim* rims;
	int32_t rimCount;
	tnSweepNode* nodes;
	int32_t* lists[tn_listCount]; // of edges
	int32_t listCounts[tn_listCount];
	tnSweepTouch* touches; // of each node; cleared when the first edge stands on a line
	int32_t* rimOf;        // of each node: 0 if it is none
	bool touched;
} tnSweep;

// ---------------------------------------------------------------------------------------------------------------------
// The outline

// An edge of the outline, and what it brings: planes with the sign of the area.
typedef struct tnOutline
{
	double area; // 1 if the body lies east, -1 if it lies west
	double y0[2], slopeX[2], slopeZ[2];
	bool brings[2];
} tnOutline;

static tnRim* tnSweep_AddRim(tnSweep* sweep, int column, int row, int32_t* index)
{
	tnRowRange* range = sweep->ranges + row;
	range->first = tnMinInt(range->first, column);
	range->last = tnMaxInt(range->last, column);
	*index = ++sweep->rimCount;
	tnRim* rim = sweep->rims + *index;
	memset(rim, 0, sizeof(*rim));
	return rim;
}

// What lies east of a part of the outline. Coordinates from the corner of the cell.
static inline void tnSweep_AddOutline(
	tnSweep* sweep, const tnOutline* outline, int column, int row, double xA, double zA, double xB, double zB)
{
	const ptrdiff_t index = (ptrdiff_t)row * sweep->stride + column;
	int32_t* rimIndex = sweep->rimOf + index;
	tnRim* rim = *rimIndex != 0 ? sweep->rims + *rimIndex : tnSweep_AddRim(sweep, column, row, rimIndex);
	tnSweepNode* node = sweep->nodes + index;
	const double dz = zB - zA;
	const double area = dz * (1.0 - 0.5 * (xA + xB));
	const double x = dz * (0.5 - (xA * xA + xA * xB + xB * xB) * (1.0 / 6.0));
	const double middle = 0.5 * (zA + zB);
	const double z = dz * (middle - (xA * (2.0 * zA + zB) + xB * (zA + 2.0 * zB)) * (1.0 / 6.0));
	for (int side = 0; side < 2; ++side)
	{
		if (!outline->brings[side])
		{
			continue;
		}
		const double slopeX = outline->slopeX[side];
		const double slopeZ = outline->slopeZ[side];
		const double height = outline->y0[side] + slopeZ * row;
		node->sides[side].y += (height + slopeX * column) * area + slopeX * x + slopeZ * z;
		node->sides[side].carriedY += dz * (height + slopeZ * middle);
		node->carriedSlope[side] += dz * slopeX;
		rim->area[side] += outline->area * area;
		rim->carriedArea[side] += outline->area * dz;
	}
	if (outline->brings[tn_topSide])
	{
		rim->x += outline->area * x;
		rim->z += outline->area * z;
		rim->carriedZ += outline->area * dz * middle;
		rim->fromEast = tnMaxFloat(rim->fromEast, 1.0f - (float)(xA < xB ? xA : xB));
		rim->fromWest = tnMaxFloat(rim->fromWest, (float)(xA < xB ? xB : xA));
		rim->fromSouth = tnMaxFloat(rim->fromSouth, 1.0f - (float)zA);
		rim->fromNorth = tnMaxFloat(rim->fromNorth, (float)zB);
	}
}

static inline void tnReach_Add(tnReach* reach, bool counts, bool begins, double place)
{
	if (!counts)
	{
		return;
	}
	if (begins)
	{
		reach->low = place < reach->low ? place : reach->low;
	}
	else
	{
		reach->high = place > reach->high ? place : reach->high;
	}
}

static void tnSweep_WalkOutline(
	tnSweep* sweep, const tnOutline* outline, const tnFineCorner* north, const tnFineCorner* south)
{
	const bool east = outline->area > 0.0;
	const bool top = outline->brings[tn_topSide];
	tnTrack track = tnTrack_Begin(north, south, sweep->stride);
	int column = track.column;
	int row = track.row;
	while (track.left > 0)
	{
		double x, z;
		const int across = tnTrack_FindCrossing(&track, &x, &z);
		tnSweep_AddOutline(sweep, outline, column, row, track.x - column, track.z - row, x - column, z - row);
		const bool west = track.dx < 0.0;
		if (across == 0)
		{
			row += 1;
			tnReach_Add(sweep->reaches[1] + row, top, east, x);
		}
		else
		{
			// Running west, what lies east of it lies south, too.
			tnReach_Add(sweep->reaches[0] + column + (west ? 0 : 1), top, east == west, z);
			column += west ? -1 : 1;
		}
		tnTrack_Cross(&track, across, x, z);
	}
	tnSweep_AddOutline(sweep, outline, column, row, track.x - column, track.z - row, track.xBegin + track.dx - column,
		track.zBegin + track.dz - row);
}

static void tnSweep_AddTouch(tnSweep* sweep, int axis, const tnTouchedLine* touched)
{
	if (!sweep->touched)
	{
		const size_t nodeCount = (size_t)sweep->stride * (size_t)(sweep->patch->rowCount + 2);
		memset(sweep->touches, 0, nodeCount * sizeof(tnSweepTouch));
		sweep->touched = true;
	}
	const float low = (float)touched->low->at[1 - axis];
	const float high = (float)touched->high->at[1 - axis];
	for (int i = (int)low; (float)i < high; ++i)
	{
		const int column = axis == 0 ? touched->line : i;
		const int row = axis == 0 ? i : touched->line;
		tnSweepTouch* touch = sweep->touches + (ptrdiff_t)row * sweep->stride + column;
		touch->widths[axis][touched->before] += tnMinFloat((float)(i + 1), high) - tnMaxFloat((float)i, low);
	}
}

static void tnSweep_AddOutlineEdge(tnSweep* sweep, const tnSweepEdge* edge)
{
	const tnPlane* along = edge->along;
	const tnPlane* back = edge->back;
	// Tops that run along lie east, and bottoms that run back.
	const bool east = along->side == tn_topSide || back->side == tn_bottomSide;
	tnOutline outline = {.area = east ? 1.0 : -1.0};
	for (int i = 0; i < 2; ++i)
	{
		const tnPlane* plane = i == 0 ? along : back;
		if (plane->side >= 0)
		{
			outline.brings[plane->side] = true;
			outline.y0[plane->side] = outline.area * plane->y0;
			outline.slopeX[plane->side] = outline.area * plane->slopeX;
			outline.slopeZ[plane->side] = outline.area * plane->slopeZ;
		}
	}
	tnSweep_WalkOutline(sweep, &outline, edge->north, edge->south);
	for (int axis = 0; axis < 2 && outline.brings[tn_topSide] && sweep->thin != NULL; ++axis)
	{
		const tnTouchedLine touched = tnFindTouchedLine(sweep->patch, axis, east, edge->north, edge->south);
		if (touched.line >= 0)
		{
			tnSweep_AddTouch(sweep, axis, &touched);
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Edges

// How many lines an edge crosses.
static inline int tnCountCrossings(const tnCornerCell* a, const tnCornerCell* b)
{
	const int columns = b->column - a->column;
	const int rows = b->row - a->row;
	return tnMaxInt(columns, -columns) + tnMaxInt(rows, -rows);
}

// Folds by the number of lines that they cross, and the outline. Without branches, which would be hard to guess.
static void tnSweep_SortEdges(tnSweep* sweep, const tnMesh* mesh)
{
	// By the sides of both facets, from vertical to top.
	static const int8_t kinds[3][3] = {
		{tn_uprightEdges, tn_outlines, tn_outlines},
		{tn_outlines, 0, tn_outlines},
		{tn_outlines, tn_outlines, 0},
	};
	int32_t counts[tn_listCount] = {0};
	int32_t* lists = sweep->lists[0];
	const int32_t* edge = mesh->edges;
	for (int32_t i = 0; i < mesh->edgeCount; ++i, edge += 4)
	{
		const int kind = kinds[sweep->planes[edge[2]].side + 1][sweep->planes[edge[3]].side + 1];
		const int fold = tnMinInt(tnCountCrossings(sweep->cells + edge[0], sweep->cells + edge[1]), tn_longFolds);
		const int list = kind == 0 ? fold : kind;
		lists[(ptrdiff_t)list * mesh->edgeCount + counts[list]] = i;
		counts[list] += 1;
	}
	memcpy(sweep->listCounts, counts, sizeof(counts));
}

static void tnSweep_AddEdges(tnSweep* sweep, const tnMesh* mesh, const tnFineCorner* corners)
{
	tnSweep_SortEdges(sweep, mesh);
	tnFoldList list = {.planes = sweep->planes, .corners = corners, .edges = mesh->edges};
	for (; list.crossings < tn_longFolds; ++list.crossings)
	{
		list.items = sweep->lists[list.crossings];
		list.count = sweep->listCounts[list.crossings];
		tnFoldList_Walk(&list, sweep->nodes, sweep->stride);
	}
	// Long ones are few, and each of its own length.
	list.count = 1;
	for (int i = 0; i < sweep->listCounts[tn_longFolds]; ++i)
	{
		list.items = sweep->lists[tn_longFolds] + i;
		const int32_t* edge = mesh->edges + 4 * (ptrdiff_t)list.items[0];
		list.crossings = tnCountCrossings(sweep->cells + edge[0], sweep->cells + edge[1]);
		tnFoldList_Walk(&list, sweep->nodes, sweep->stride);
	}
	for (int i = 0; i < sweep->listCounts[tn_outlines]; ++i)
	{
		const int32_t* indices = mesh->edges + 4 * (ptrdiff_t)sweep->lists[tn_outlines][i];
		const tnSweepEdge edge = tnGetSweepEdge(sweep->planes, corners, indices);
		tnSweep_AddOutlineEdge(sweep, &edge);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// What comes out

// What has been carried on so far in a row.
typedef struct tnCarry
{
	double area[2], z;
	double y[2], slope[2];
} tnCarry;

// What is covered of a face.
static inline double tnReach_GetWidth(const tnReach* reach, int place)
{
	const double low = reach->low > place ? reach->low : (double)place;
	const double high = reach->high < place + 1.0 ? reach->high : place + 1.0;
	return high - low;
}

// The same as faces tell it.
static inline float tnSweep_GetFaceShare(const tnSweep* sweep, int axis, int column, int row, double width)
{
	float share = width > 0.0 ? (float)width : 0.0f;
	if (sweep->touched)
	{
		const tnSweepTouch* touch = sweep->touches + (ptrdiff_t)row * sweep->stride + column;
		share += tnMaxFloat(touch->widths[axis][0], touch->widths[axis][1]);
	}
	return share >= TN_WHOLE_SHARE ? 1.0f : (share >= TN_LEAST_SHARE ? share : 0.0f);
}

static void tnSweep_EmitRim(
	const tnSweep* sweep, const tnRim* rim, const double y[2], const tnCarry* carry, int column, int row)
{
	const double topArea = carry->area[tn_topSide] + rim->area[tn_topSide];
	const double bottomArea = carry->area[tn_bottomSide] + rim->area[tn_bottomSide];
	tnInterval layer = {.share = (float)topArea};
	if (!(layer.share >= TN_LEAST_SHARE && bottomArea > 0.0))
	{
		return;
	}
	const float weight = 1.0f / layer.share;
	layer.high = (float)y[tn_topSide] / layer.share;
	layer.low = (float)y[tn_bottomSide] / (float)bottomArea;
	layer.x = (float)(rim->x + 0.5 * carry->area[tn_topSide]) * weight;
	layer.z = (float)(rim->z + carry->z) * weight;
	// It ends at the side of the cell if it crosses it, else where the outline does.
	const double west = tnReach_GetWidth(sweep->reaches[0] + column, row);
	const double east = tnReach_GetWidth(sweep->reaches[0] + column + 1, row);
	const double north = tnReach_GetWidth(sweep->reaches[1] + row, column);
	const double south = tnReach_GetWidth(sweep->reaches[1] + row + 1, column);
	layer.xMin = west > TN_LEAST_REACH ? 0.0f : 1.0f - rim->fromEast;
	layer.xMax = east > TN_LEAST_REACH ? 1.0f : rim->fromWest;
	layer.zMin = north > TN_LEAST_REACH ? 0.0f : 1.0f - rim->fromSouth;
	layer.zMax = south > TN_LEAST_REACH ? 1.0f : rim->fromNorth;
	tnColumn out;
	if (tnPatch_EmitColumn(sweep->patch, column, row, &layer, &out) && out.share < 1.0f && sweep->thin != NULL)
	{
		const float seenX = tnMaxFloat(
			tnSweep_GetFaceShare(sweep, 0, column, row, west), tnSweep_GetFaceShare(sweep, 0, column + 1, row, east));
		const float seenZ = tnMaxFloat(
			tnSweep_GetFaceShare(sweep, 1, column, row, north), tnSweep_GetFaceShare(sweep, 1, column, row + 1, south));
		tnThinParts_Add(sweep->thin, sweep->patch->grid, &out, seenX, seenZ);
	}
}

static inline void tnCarry_GetHeights(const tnCarry* carry, const tnSweepNode* node, int column, double y[2])
{
	const double place = column + 0.5;
	y[0] = node->sides[0].y + carry->y[0] + carry->slope[0] * place;
	y[1] = node->sides[1].y + carry->y[1] + carry->slope[1] * place;
}

static inline void tnCarry_PassOn(tnCarry* carry, const tnSweepNode* node)
{
	for (int side = 0; side < 2; ++side)
	{
		carry->y[side] += node->sides[side].carriedY;
		carry->slope[side] += node->carriedSlope[side];
	}
}

// As many as are written at once, and more.
static inline void tnFill(float* values, int count, float value)
{
	for (int i = 0; i < count; i += TN_COLUMN_PAD)
	{
		for (int lane = 0; lane < TN_COLUMN_PAD; ++lane)
		{
			values[i + lane] = value;
		}
	}
}

// The next columns, all but their heights.
static void tnPatch_FillWholeColumns(const tnPatch* patch, int column, int row, int count)
{
	tnCut* cut = patch->cut;
	const float size = patch->grid->cellSize;
	const int begin = tnCut_AddCells(cut, patch->columnBegin + column, patch->rowBegin + row, count);
	float* fields = cut->fields + begin;
	const size_t stride = (size_t)cut->columnCapacity + TN_COLUMN_PAD;
	tnFill(fields + stride * tn_columnShare, count, 1.0f);
	tnFill(fields + stride * tn_columnZ, count, ((float)row - patch->centerZ + 0.5f) * size);
	tnFill(fields + stride * tn_columnWidthX, count, 1.0f);
	tnFill(fields + stride * tn_columnWidthZ, count, 1.0f);
	tnFill(fields + stride * tn_columnInsetX, count, 0.5f);
	tnFill(fields + stride * tn_columnInsetZ, count, 0.5f);
	float* x = fields + stride * tn_columnX;
	const float center = patch->centerX;
	for (int i = 0; i < count; i += TN_COLUMN_PAD)
	{
		for (int lane = 0; lane < TN_COLUMN_PAD; ++lane)
		{
			x[i + lane] = ((float)(column + i + lane) - center + 0.5f) * size;
		}
	}
}

// Cells that are covered wholly, up to the next one of the rim: most of all, so they are written without detours.
// Returns the column after them.
static int tnSweep_EmitWholeCells(const tnSweep* sweep, tnCarry* carry, int column, int row, int end)
{
	const tnPatch* patch = sweep->patch;
	const tnSweepNode* node = sweep->nodes + (ptrdiff_t)row * sweep->stride;
	const int32_t* rimOf = sweep->rimOf + (ptrdiff_t)row * sweep->stride;
	tnCut* cut = patch->cut;
	const int room = cut->columnCapacity - cut->columnCount;
	float* low = tnCut_GetField(cut, tn_columnLow) + cut->columnCount;
	float* high = tnCut_GetField(cut, tn_columnHigh) + cut->columnCount;
	tnCarry on = *carry;
	const int begin = column;
	int count = 0;
	for (; column < end && rimOf[column] == 0; ++column)
	{
		double y[2];
		tnCarry_GetHeights(&on, node + column, column, y);
		if (!((float)y[tn_topSide] > (float)y[tn_bottomSide]))
		{
			break;
		}
		tnCarry_PassOn(&on, node + column);
		if (count == room)
		{
			cut->truncated = true;
			continue;
		}
		// Rounded as tnLayer_SetShare does, so that it does not matter which way a cell was cut.
		const float middle = 0.5f * ((float)y[tn_bottomSide] + (float)y[tn_topSide]);
		const float half = 0.5f * ((float)y[tn_topSide] - (float)y[tn_bottomSide]);
		low[count] = patch->position.y + (middle - half);
		high[count] = patch->position.y + (middle + half);
		count += 1;
	}
	if (column < end && rimOf[column] == 0)
	{
		// Too flat to take anything.
		tnCarry_PassOn(&on, node + column);
		++column;
	}
	*carry = on;
	if (count > 0)
	{
		tnPatch_FillWholeColumns(patch, begin, row, count);
	}
	return column;
}

static void tnSweep_EmitRow(const tnSweep* sweep, int row)
{
	const tnRowRange range = sweep->ranges[row];
	// Rounding may place a fold on the other side of the outline.
	const int end = tnMinInt(range.last + 1, sweep->patch->columnCount);
	const tnSweepNode* node = sweep->nodes + (ptrdiff_t)row * sweep->stride;
	const int32_t* rimOf = sweep->rimOf + (ptrdiff_t)row * sweep->stride;
	tnCarry carry = {0};
	for (int column = tnMaxInt(range.first - 1, 0); column < end;)
	{
		if (rimOf[column] != 0)
		{
			const tnRim* rim = sweep->rims + rimOf[column];
			double y[2];
			tnCarry_GetHeights(&carry, node + column, column, y);
			tnSweep_EmitRim(sweep, rim, y, &carry, column, row);
			carry.area[0] += rim->carriedArea[0];
			carry.area[1] += rim->carriedArea[1];
			carry.z += rim->carriedZ;
		}
		else if (carry.area[tn_topSide] > 0.5)
		{
			// All or nothing is covered of a cell that the outline does not run through.
			column = tnSweep_EmitWholeCells(sweep, &carry, column, row, end);
			continue;
		}
		tnCarry_PassOn(&carry, node + column);
		++column;
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// All together

// The side of a facet, from twice the projected area of its triangle: tn_topSide, tn_bottomSide or -1.
static inline int tnGetSide(double twice, double least)
{
	return 2 * (twice > least) + (twice < -least) - 1;
}

// The planes of two facets.
static inline void tnMakePlanes(tnPlane* first, tnPlane* second, const tnFineCorner* corners, const int32_t* facetA,
	const int32_t* facetB, double least)
{
	tnDouble2 at[3][3];
	for (int i = 0; i < 3; ++i)
	{
		const tnFineCorner* a = corners + facetA[i];
		const tnFineCorner* b = corners + facetB[i];
		for (int j = 0; j < 3; ++j)
		{
			at[i][j] = tnSet2(a->at[j], b->at[j]);
		}
	}
	const tnDouble2 xB = tnSub2(at[1][0], at[0][0]), zB = tnSub2(at[1][1], at[0][1]), yB = tnSub2(at[1][2], at[0][2]);
	const tnDouble2 xC = tnSub2(at[2][0], at[0][0]), zC = tnSub2(at[2][1], at[0][1]), yC = tnSub2(at[2][2], at[0][2]);
	const tnDouble2 twice = tnSub2(tnMul2(zB, xC), tnMul2(xB, zC));
	const tnDouble2 scale = tnDiv2(tnSplat2(1.0), twice);
	const tnDouble2 slopeX = tnMul2(tnSub2(tnMul2(zB, yC), tnMul2(yB, zC)), scale);
	const tnDouble2 slopeZ = tnMul2(tnSub2(tnMul2(yB, xC), tnMul2(xB, yC)), scale);
	const tnDouble2 y0 = tnSub2(tnSub2(at[0][2], tnMul2(slopeX, at[0][0])), tnMul2(slopeZ, at[0][1]));
	*first = (tnPlane){tnFirst2(y0), tnFirst2(slopeX), tnFirst2(slopeZ), tnGetSide(tnFirst2(twice), least)};
	*second = (tnPlane){tnSecond2(y0), tnSecond2(slopeX), tnSecond2(slopeZ), tnGetSide(tnSecond2(twice), least)};
}

void tnSweep_Prepare(const tnPatch* patch, const tnMesh* mesh, const tnFineCorner* corners, tnPlane* planes)
{
	const double extent = (double)mesh->radius / (double)patch->grid->cellSize;
	const double least = TN_LEAST_FLATNESS * extent * extent;
	for (int i = 0; i < mesh->facetCount; i += 2)
	{
		// The last one may be alone.
		const int other = tnMinInt(i + 1, mesh->facetCount - 1);
		const int32_t* facets = mesh->facets;
		tnMakePlanes(
			planes + i, planes + other, corners, facets + 3 * (ptrdiff_t)i, facets + 3 * (ptrdiff_t)other, least);
	}
}

size_t tnSweep_GetByteCount(const tnMesh* mesh, int columnLimit, int rowLimit)
{
	// One more column and row than nodes of the patch, which have one more than cells.
	const int64_t most = (int64_t)TN_MAX_SWEEP_NODES + columnLimit + rowLimit + 4;
	const int64_t all = (int64_t)(columnLimit + 2) * (rowLimit + 2);
	const size_t nodeCount = (size_t)(all < most ? all : most) + 1;
	const size_t lineCount = (size_t)columnLimit + (size_t)rowLimit + 4;
	const size_t ofColumns =
		nodeCount * (sizeof(tnSweepNode) + sizeof(tnRim) + sizeof(tnSweepTouch) + sizeof(int32_t)) +
		lineCount * (sizeof(tnReach) + sizeof(tnRowRange)) + (size_t)mesh->edgeCount * tn_listCount * sizeof(int32_t);
	const size_t ofFaces = tnSweep_GetFaceByteCount(nodeCount);
	return (size_t)mesh->facetCount * sizeof(tnPlane) + (ofColumns > ofFaces ? ofColumns : ofFaces);
}

static void tnSweep_Place(tnSweep* sweep, const tnMesh* mesh, void* scratch)
{
	const tnPatch* patch = sweep->patch;
	const size_t nodeCount = (size_t)sweep->stride * (size_t)(patch->rowCount + 2);
	sweep->planes = scratch;
	sweep->reaches[0] = (tnReach*)(sweep->planes + mesh->facetCount);
	sweep->reaches[1] = sweep->reaches[0] + patch->columnCount + 2;
	// Rounding may take the end of an edge on the western line for one beyond it.
	sweep->nodes = (tnSweepNode*)(sweep->reaches[1] + patch->rowCount + 2) + 1;
	sweep->ranges = (tnRowRange*)(sweep->nodes + nodeCount);
	sweep->rims = (tnRim*)(sweep->ranges + patch->rowCount + 2);
	sweep->touches = (tnSweepTouch*)(sweep->rims + nodeCount + 1);
	sweep->rimOf = (int32_t*)(sweep->touches + nodeCount) + 1;
	for (int i = 0; i < tn_listCount; ++i)
	{
		sweep->lists[i] = sweep->rimOf + nodeCount + (ptrdiff_t)i * mesh->edgeCount;
	}
	sweep->cells = (tnCornerCell*)(sweep->lists[0] + (ptrdiff_t)tn_listCount * mesh->edgeCount);
	memset(sweep->nodes - 1, 0, (nodeCount + 1) * sizeof(tnSweepNode));
	memset(sweep->rimOf - 1, 0, (nodeCount + 1) * sizeof(int32_t));
	for (int i = 0; i < patch->columnCount + patch->rowCount + 4; ++i)
	{
		// Nothing is covered of a line that the outline does not cross.
		sweep->reaches[0][i] = (tnReach){1.0e30, -1.0e30};
	}
	for (int i = 0; i < patch->rowCount + 2; ++i)
	{
		sweep->ranges[i] = (tnRowRange){patch->columnCount, -1};
	}
}

void tnSweep_MakeColumns(
	const tnPatch* patch, const tnMesh* mesh, const tnFineCorner* corners, tnThinParts* thin, void* scratch)
{
	tnSweep sweep = {.patch = patch, .thin = thin, .stride = patch->columnCount + 2};
	tnSweep_Place(&sweep, mesh, scratch);
	tnSweep_Prepare(patch, mesh, corners, sweep.planes);
	for (int i = 0; i < mesh->pointCount; ++i)
	{
		sweep.cells[i] = (tnCornerCell){(int32_t)corners[i].at[0], (int32_t)corners[i].at[1]};
	}
	tnSweep_AddEdges(&sweep, mesh, corners);
	for (int row = 0; row < patch->rowCount; ++row)
	{
		tnSweep_EmitRow(&sweep, row);
	}
}
