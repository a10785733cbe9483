// SPDX-License-Identifier: MIT

#include "body_sweep.h"

#include <string.h>

// Sums over the tops and bottoms of a convex body, from its edges alone.
//
// The integral of a plane over a triangle is that over all that lies east of its western sides, less that over all that
// lies east of its eastern sides. So each edge brings, to each row of cells that it runs through, the difference of the
// planes of its two triangles over what lies east of it: part of the cells that it crosses, which is added there, and
// all of the cells further east, which is left at the next cell to be carried on. One pass over the cells at the end
// carries it. Inside of the body the two planes meet in the edge, and the covered area changes at its outline only,
// where a triangle that faces up meets one that does not.
//
// The lines between cells are treated alike: an edge that crosses a Z face brings what lies east of the crossing, one
// that crosses an X face what lies south of it. A line that touches a corner is taken to lie a little to the west or
// north.
//
// Planes of steep triangles rise far above the body before the next edge takes them away again: sums are doubles.

enum
{
	tn_bottomSide = 0,
	tn_topSide,
};

// Triangles that are steeper than this are vertical: projected area over the square of the extent of the body. What is
// carried is then at most 1e8 times the height of the body, and its rounding 1e-8 times.
#define TN_LEAST_FLATNESS 1.0e-8

// What was added to a cell or a face, and what is carried on from there: east, or south for X faces. In place `i` along
// the way it is worth carriedY + carriedSlope * (i + 0.5). Bottoms and tops side by side.
typedef struct tnFlux
{
	double area[2], carriedArea[2];
	double y[2], carriedY[2], carriedSlope[2];
} tnFlux;

typedef struct tnSweepNode
{
	tnFlux cell;
	tnFlux lines[2];       // X face and Z face before the cell
	double x, z, carriedZ; // moments of the covered area from the corner of the cell
	// How far the outline reaches from each side of the cell; 0 if it does not come here.
	float fromWest, fromEast, fromNorth, fromSouth;
} tnSweepNode;

// Widths of edges that stand on the lines before a cell, and integrals of their height: by axis, side from which they
// do, and whether they are bottoms or tops.
typedef struct tnSweepTouch
{
	float widths[2][2][2], y[2][2][2];
} tnSweepTouch;

// The plane of a triangle, in cells of the patch: y = y0 + slopeX * x + slopeZ * z.
typedef struct tnPlane
{
	double y0, slopeX, slopeZ;
	int side; // -1 if it is vertical
} tnPlane;

typedef struct tnSweep
{
	const tnPatch* patch;
	tnSweepNode* nodes;
	int stride;
	tnSweepTouch* touches; // of each node; cleared when the first edge stands on a line
	bool touched;
} tnSweep;

static size_t tnSweep_GetNodeCount(const tnSweep* sweep)
{
	return (size_t)sweep->stride * (size_t)(sweep->patch->rowCount + 2);
}

// An edge from north to south, and what it brings to one side.
typedef struct tnWalk
{
	double x, z, dx, dz; // where it begins and how far it goes
	double y0, slopeX, slopeZ;
	double area; // 1, 0, -1
	int side;
} tnWalk;

// What lies east of a part of an edge of the outline. Coordinates from the corner of the cell.
static void tnSweepNode_AddOutline(
	tnSweepNode* node, const tnWalk* walk, int column, int row, double xA, double zA, double xB, double zB)
{
	const double dz = zB - zA;
	const double area = dz * (1.0 - 0.5 * (xA + xB));
	const double x = dz * (0.5 - (xA * xA + xA * xB + xB * xB) * (1.0 / 6.0));
	const double middle = 0.5 * (zA + zB);
	const double z = dz * (middle - (xA * (2.0 * zA + zB) + xB * (zA + 2.0 * zB)) * (1.0 / 6.0));
	const double height = walk->y0 + walk->slopeZ * row;
	const int side = walk->side;
	tnFlux* flux = &node->cell;
	tnFlux* next = &node[1].cell;
	flux->y[side] += (height + walk->slopeX * column) * area + walk->slopeX * x + walk->slopeZ * z;
	next->carriedY[side] += dz * (height + walk->slopeZ * middle);
	next->carriedSlope[side] += dz * walk->slopeX;
	flux->area[side] += walk->area * area;
	next->carriedArea[side] += walk->area * dz;
	if (walk->side == tn_topSide)
	{
		node->x += walk->area * x;
		node->z += walk->area * z;
		node[1].carriedZ += walk->area * dz * middle;
		node->fromEast = tnMaxFloat(node->fromEast, 1.0f - (float)(xA < xB ? xA : xB));
		node->fromWest = tnMaxFloat(node->fromWest, (float)(xA < xB ? xB : xA));
		node->fromSouth = tnMaxFloat(node->fromSouth, 1.0f - (float)zA);
		node->fromNorth = tnMaxFloat(node->fromNorth, (float)zB);
	}
}

// The same where two planes meet in the edge: their difference is slopeX times the distance from it along x.
static inline void tnSweepNode_AddFold(
	tnSweepNode* node, const tnWalk* walk, double east, double xA, double xB, double dz)
{
	const double a = east - xA;
	const double b = east - xB;
	const double weight = dz * walk->slopeX;
	const int side = walk->side;
	tnFlux* next = &node[1].cell;
	node->cell.y[side] += weight * (1.0 / 6.0) * (a * a + a * b + b * b);
	next->carriedY[side] -= weight * 0.5 * (xA + xB);
	next->carriedSlope[side] += weight;
}

// The edge crosses the X face of a cell at z, going west or east.
static inline void tnSweep_CrossX(tnSweep* sweep, const tnWalk* walk, bool fold, int column, int row, double z)
{
	tnSweepNode* node = sweep->nodes + (ptrdiff_t)row * sweep->stride + column;
	const double sign = walk->dx < 0.0 ? 1.0 : -1.0;
	const double left = row + 1.0 - z;
	const int side = walk->side;
	tnFlux* flux = &node->lines[0];
	tnFlux* next = &node[sweep->stride].lines[0];
	const double slope = sign * walk->slopeZ;
	next->carriedSlope[side] += slope;
	if (fold)
	{
		flux->y[side] += 0.5 * slope * left * left;
		next->carriedY[side] -= slope * z;
		return;
	}
	const double height = sign * (walk->y0 + walk->slopeX * column);
	flux->y[side] += left * (height + slope * (row + 1.0 - 0.5 * left));
	next->carriedY[side] += height;
	flux->area[side] += sign * walk->area * left;
	next->carriedArea[side] += sign * walk->area;
}

// It crosses the Z face of a cell at x.
static inline void tnSweep_CrossZ(tnSweep* sweep, const tnWalk* walk, bool fold, int column, int row, double x)
{
	tnSweepNode* node = sweep->nodes + (ptrdiff_t)row * sweep->stride + column;
	const double left = column + 1.0 - x;
	const int side = walk->side;
	tnFlux* flux = &node->lines[1];
	tnFlux* next = &node[1].lines[1];
	next->carriedSlope[side] += walk->slopeX;
	if (fold)
	{
		flux->y[side] += 0.5 * walk->slopeX * left * left;
		next->carriedY[side] -= walk->slopeX * x;
		return;
	}
	const double height = walk->y0 + walk->slopeZ * row;
	flux->y[side] += left * (height + walk->slopeX * (column + 1.0 - 0.5 * left));
	next->carriedY[side] += height;
	flux->area[side] += walk->area * left;
	next->carriedArea[side] += walk->area;
}

// A part of an edge within a cell.
static inline void tnSweep_AddPart(
	tnSweep* sweep, const tnWalk* walk, bool fold, int column, int row, double xA, double zA, double xB, double zB)
{
	tnSweepNode* node = sweep->nodes + (ptrdiff_t)row * sweep->stride + column;
	if (fold)
	{
		tnSweepNode_AddFold(node, walk, column + 1.0, xA, xB, zB - zA);
	}
	else
	{
		tnSweepNode_AddOutline(node, walk, column, row, xA - column, zA - row, xB - column, zB - row);
	}
}

// From cell to cell along an edge. `fold`: inside of the body, where two planes of the same side meet.
static inline void tnSweep_Walk(tnSweep* sweep, const tnWalk* walk, bool fold)
{
	const bool east = walk->dx > 0.0;
	const int step = east ? 1 : -1;
	const double xEnd = walk->x + walk->dx;
	const double zEnd = walk->z + walk->dz;
	int column = (int)walk->x;
	int row = (int)walk->z;
	// Lines that are crossed: x < line <= xEnd going east, xEnd < line <= x going west, z < line <= zEnd.
	int lineX = east ? column + 1 : column;
	int leftX = east ? (int)xEnd - column : column - (int)xEnd;
	int leftZ = (int)zEnd - row;
	const double slopeX = leftX > 0 ? walk->dz / walk->dx : 0.0;
	const double slopeZ = leftZ > 0 ? walk->dx / walk->dz : 0.0;
	double x = walk->x;
	double z = walk->z;
	while (leftX + leftZ > 0)
	{
		const double zAtX = walk->z + slopeX * ((double)lineX - walk->x);
		if (leftX > 0 && (leftZ == 0 || zAtX <= row + 1.0))
		{
			// Rounding may not leave the row, nor go back.
			const double zNext = zAtX > z ? (zAtX < zEnd ? zAtX : zEnd) : z;
			tnSweep_AddPart(sweep, walk, fold, column, row, x, z, (double)lineX, zNext);
			tnSweep_CrossX(sweep, walk, fold, lineX, row, zNext);
			x = lineX;
			z = zNext;
			column += step;
			lineX += step;
			--leftX;
		}
		else
		{
			const double xAtZ = walk->x + slopeZ * (row + 1.0 - walk->z);
			const double xNext = xAtZ < column ? column : (xAtZ > column + 1.0 ? column + 1.0 : xAtZ);
			tnSweep_AddPart(sweep, walk, fold, column, row, x, z, xNext, row + 1.0);
			tnSweep_CrossZ(sweep, walk, fold, column, row + 1, xNext);
			x = xNext;
			z = row + 1.0;
			++row;
			--leftZ;
		}
	}
	tnSweep_AddPart(sweep, walk, fold, column, row, x, z, xEnd, zEnd);
}

static void tnSweep_WalkFold(tnSweep* sweep, const tnWalk* walk)
{
	tnSweep_Walk(sweep, walk, true);
}

static void tnSweep_WalkOutline(tnSweep* sweep, const tnWalk* walk)
{
	tnSweep_Walk(sweep, walk, false);
}

// ---------------------------------------------------------------------------------------------------------------------
// Edges that stand on lines

// The line that both ends are near to, on the side where the body is; -1 if there is none. The body is east or south of
// the edge if `behind`, and counts as standing on the line from there; else it must not be counted as crossing already.
static inline int tnGetTouchedLine(float a, float b, bool behind)
{
	const int line = (int)((behind ? tnMinFloat(a, b) : tnMaxFloat(a, b)) + (behind ? 0.0f : 1.0f - 1.0e-7f));
	const float at = (float)line;
	const float farther = behind ? tnMaxFloat(a, b) - at : at - tnMinFloat(a, b);
	const float nearer = behind ? tnMinFloat(a, b) - at : at - tnMaxFloat(a, b);
	if (!(nearer >= 0.0f && farther <= TN_TOUCH) || (!behind && farther == 0.0f))
	{
		return -1;
	}
	return line;
}

static void tnSweep_AddTouch(
	tnSweep* sweep, int axis, int line, int before, int side, const tnCorner* a, const tnCorner* b)
{
	const int other = 1 - axis;
	const tnCorner* low = a->at[other] < b->at[other] ? a : b;
	const tnCorner* high = a->at[other] < b->at[other] ? b : a;
	const float width = high->at[other] - low->at[other];
	if (!(width > 0.0f))
	{
		return;
	}
	if (!sweep->touched)
	{
		memset(sweep->touches, 0, tnSweep_GetNodeCount(sweep) * sizeof(tnSweepTouch));
		sweep->touched = true;
	}
	const float slope = (high->at[2] - low->at[2]) / width;
	for (int i = (int)low->at[other]; (float)i < high->at[other]; ++i)
	{
		const float from = tnMaxFloat((float)i, low->at[other]);
		const float to = tnMinFloat((float)(i + 1), high->at[other]);
		const float y = low->at[2] + slope * (0.5f * (from + to) - low->at[other]);
		const int column = axis == 0 ? line : i;
		const int row = axis == 0 ? i : line;
		tnSweepTouch* touch = sweep->touches + (ptrdiff_t)row * sweep->stride + column;
		touch->widths[axis][before][side] += to - from;
		touch->y[axis][before][side] += (to - from) * y;
	}
}

// An edge of the outline. `east`: the body lies east of it, going from north to south; else west.
static void tnSweep_CheckTouch(tnSweep* sweep, int side, bool east, const tnCorner* north, const tnCorner* south)
{
	const int lineX = tnGetTouchedLine(north->at[0], south->at[0], east);
	if (lineX >= 0 && lineX <= sweep->patch->columnCount)
	{
		tnSweep_AddTouch(sweep, 0, lineX, east ? 1 : 0, side, north, south);
	}
	// With the body to the east of an edge that runs south and west, it lies south of it.
	const bool behind = (south->at[0] < north->at[0]) == east;
	const int lineZ = tnGetTouchedLine(north->at[1], south->at[1], behind);
	if (lineZ >= 0 && lineZ <= sweep->patch->rowCount)
	{
		tnSweep_AddTouch(sweep, 1, lineZ, behind ? 1 : 0, side, north, south);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Edges and planes

static void tnMakePlane(tnPlane* plane, const tnCorner* a, const tnCorner* b, const tnCorner* c, double least)
{
	const double xB = (double)b->at[0] - a->at[0], zB = (double)b->at[1] - a->at[1], yB = (double)b->at[2] - a->at[2];
	const double xC = (double)c->at[0] - a->at[0], zC = (double)c->at[1] - a->at[1], yC = (double)c->at[2] - a->at[2];
	const double twice = zB * xC - xB * zC;
	if (!(twice > least || twice < -least))
	{
		plane->side = -1;
		return;
	}
	const double scale = 1.0 / twice;
	plane->side = twice > 0.0 ? tn_topSide : tn_bottomSide;
	plane->slopeX = (zB * yC - yB * zC) * scale;
	plane->slopeZ = (yB * xC - xB * yC) * scale;
	plane->y0 = a->at[2] - plane->slopeX * a->at[0] - plane->slopeZ * a->at[1];
}

static void tnSweep_AddEdge(tnSweep* sweep, const tnPlane* planes, const tnCorner* corners, const int32_t* edge)
{
	// From north to south: the triangle that runs along with it, if it faces up, lies to the east.
	const bool turned = corners[edge[1]].at[1] < corners[edge[0]].at[1];
	const tnCorner* north = corners + edge[turned ? 1 : 0];
	const tnCorner* south = corners + edge[turned ? 0 : 1];
	const tnPlane* along = planes + edge[turned ? 3 : 2];
	const tnPlane* back = planes + edge[turned ? 2 : 3];
	tnWalk walk;
	walk.x = north->at[0];
	walk.z = north->at[1];
	walk.dx = (double)south->at[0] - north->at[0];
	walk.dz = (double)south->at[1] - north->at[1];
	if (along->side == back->side)
	{
		if (along->side >= 0)
		{
			const double sign = along->side == tn_topSide ? 1.0 : -1.0;
			walk.y0 = 0.0;
			walk.slopeX = sign * (along->slopeX - back->slopeX);
			walk.slopeZ = sign * (along->slopeZ - back->slopeZ);
			walk.area = 0.0;
			walk.side = along->side;
			tnSweep_WalkFold(sweep, &walk);
		}
		return;
	}
	for (int i = 0; i < 2; ++i)
	{
		const tnPlane* plane = i == 0 ? along : back;
		if (plane->side < 0)
		{
			continue;
		}
		walk.area = (plane->side == tn_topSide) == (i == 0) ? 1.0 : -1.0;
		walk.y0 = walk.area * plane->y0;
		walk.slopeX = walk.area * plane->slopeX;
		walk.slopeZ = walk.area * plane->slopeZ;
		walk.side = plane->side;
		tnSweep_WalkOutline(sweep, &walk);
		tnSweep_CheckTouch(sweep, plane->side, walk.area > 0.0, north, south);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// What comes out

// Carry on what has been left, from west to east and from north to south.
static inline void tnFlux_Carry(tnFlux* flux, tnFlux* next, double place)
{
	for (int side = 0; side < 2; ++side)
	{
		flux->area[side] += flux->carriedArea[side];
		flux->y[side] += flux->carriedY[side] + flux->carriedSlope[side] * place;
		next->carriedArea[side] += flux->carriedArea[side];
		next->carriedY[side] += flux->carriedY[side];
		next->carriedSlope[side] += flux->carriedSlope[side];
	}
}

static void tnSweep_CarryRow(tnSweep* sweep, int row)
{
	tnSweepNode* node = sweep->nodes + (ptrdiff_t)row * sweep->stride;
	for (int column = 0; column <= sweep->patch->columnCount; ++column, ++node)
	{
		node->x += 0.5 * node->cell.carriedArea[tn_topSide];
		node->z += node->carriedZ;
		node[1].carriedZ += node->carriedZ;
		tnFlux_Carry(&node->cell, &node[1].cell, column + 0.5);
		tnFlux_Carry(&node->lines[0], &node[sweep->stride].lines[0], row + 0.5);
		tnFlux_Carry(&node->lines[1], &node[1].lines[1], column + 0.5);
	}
}

static inline bool tnMakeSweptLayer(tnInterval* layer, const tnFlux* flux)
{
	const float share = (float)flux->area[tn_topSide];
	if (!(share >= TN_LEAST_SHARE && flux->area[tn_bottomSide] > 0.0))
	{
		return false;
	}
	layer->share = share;
	layer->high = (float)flux->y[tn_topSide] / share;
	layer->low = (float)flux->y[tn_bottomSide] / (float)flux->area[tn_bottomSide];
	return true;
}

static void tnSweep_EmitCell(const tnSweep* sweep, const tnSweepNode* node, int column, int row)
{
	tnInterval layer;
	if (!tnMakeSweptLayer(&layer, &node->cell))
	{
		return;
	}
	const float weight = 1.0f / layer.share;
	layer.x = (float)node->x * weight;
	layer.z = (float)node->z * weight;
	// It ends at the side of the cell if it crosses it, else where the outline does.
	const double least = 1.0e-9;
	layer.xMin = node->lines[0].area[tn_topSide] > least ? 0.0f : 1.0f - node->fromEast;
	layer.xMax = node[1].lines[0].area[tn_topSide] > least ? 1.0f : node->fromWest;
	layer.zMin = node->lines[1].area[tn_topSide] > least ? 0.0f : 1.0f - node->fromSouth;
	layer.zMax = node[sweep->stride].lines[1].area[tn_topSide] > least ? 1.0f : node->fromNorth;
	tnPatch_EmitColumn(sweep->patch, column, row, &layer);
}

static void tnSweep_EmitFaces(const tnSweep* sweep, tnSweepNode* node, int column, int row)
{
	for (int axis = 0; axis < 2; ++axis)
	{
		tnFlux* flux = &node->lines[axis];
		if (sweep->touched)
		{
			const tnSweepTouch* touch = sweep->touches + (node - sweep->nodes);
			const int before = touch->widths[axis][1][tn_topSide] > touch->widths[axis][0][tn_topSide] ? 1 : 0;
			for (int side = 0; side < 2; ++side)
			{
				flux->area[side] += touch->widths[axis][before][side];
				flux->y[side] += touch->y[axis][before][side];
			}
		}
		tnInterval layer;
		if (tnMakeSweptLayer(&layer, flux))
		{
			tnPatch_EmitFace(sweep->patch, column, row, axis, &layer);
		}
	}
}

static void tnSweep_EmitRow(const tnSweep* sweep, int row)
{
	const tnPatch* patch = sweep->patch;
	tnSweepNode* node = sweep->nodes + (ptrdiff_t)row * sweep->stride;
	for (int column = 0; column <= patch->columnCount; ++column, ++node)
	{
		if (row < patch->rowCount && column < patch->columnCount)
		{
			tnSweep_EmitCell(sweep, node, column, row);
		}
		tnSweep_EmitFaces(sweep, node, column, row);
	}
}

static void tnSweep_Emit(tnSweep* sweep)
{
	// A row is complete when the Z faces of the next one are. Row by row, while both are near.
	const int rowCount = sweep->patch->rowCount;
	tnSweep_CarryRow(sweep, 0);
	for (int row = 0; row < rowCount; ++row)
	{
		tnSweep_CarryRow(sweep, row + 1);
		tnSweep_EmitRow(sweep, row);
	}
	tnSweep_EmitRow(sweep, rowCount);
}

size_t tnSweep_GetByteCount(const tnMesh* mesh, size_t nodeCount)
{
	return (size_t)mesh->triangleCount * sizeof(tnPlane) + nodeCount * (sizeof(tnSweepNode) + sizeof(tnSweepTouch));
}

void tnSweep_Make(const tnPatch* patch, const tnMesh* mesh, tnCorner* corners, void* scratch)
{
	tnPlane* planes = scratch;
	tnSweep sweep = {.patch = patch, .stride = patch->columnCount + 2};
	const size_t nodeCount = tnSweep_GetNodeCount(&sweep);
	sweep.nodes = (tnSweepNode*)(planes + mesh->triangleCount);
	sweep.touches = (tnSweepTouch*)(sweep.nodes + nodeCount);
	memset(sweep.nodes, 0, nodeCount * sizeof(tnSweepNode));
	// The patch holds the body but for rounding.
	for (int i = 0; i < mesh->pointCount; ++i)
	{
		corners[i].at[0] = tnClampFloat(corners[i].at[0], 0.0f, (float)patch->columnCount);
		corners[i].at[1] = tnClampFloat(corners[i].at[1], 0.0f, (float)patch->rowCount);
	}
	const double extent = (double)mesh->radius / (double)patch->grid->cellSize;
	const double least = TN_LEAST_FLATNESS * extent * extent;
	for (int i = 0; i < mesh->triangleCount; ++i)
	{
		const int32_t* triangle = mesh->triangles + 3 * (ptrdiff_t)i;
		tnMakePlane(planes + i, corners + triangle[0], corners + triangle[1], corners + triangle[2], least);
	}
	for (int i = 0; i < mesh->edgeCount; ++i)
	{
		tnSweep_AddEdge(&sweep, planes, corners, mesh->edges + 4 * (ptrdiff_t)i);
	}
	tnSweep_Emit(&sweep);
}
