// SPDX-License-Identifier: MIT

#include "body_edge_track.h"
#include "body_sweep.h"

#include <string.h>

// Faces of a convex body, from its edges alone: as body_sweep.c does with cells, one dimension down. An edge that
// crosses a Z face brings the difference of the planes of its two facets over what lies east of the crossing, one
// that crosses an X face over what lies south of it.

// What was added to a face, and what is carried on from there: east, or south for X faces. In place `i` along the way
// it is worth carriedY + carriedSlope * (i + 0.5). Bottoms and tops side by side.
typedef struct tnFlux
{
	double width[2], carriedWidth[2];
	double y[2], carriedY[2], carriedSlope[2];
} tnFlux;

// The X face and the Z face before a cell.
typedef struct tnFaceNode
{
	tnFlux lines[2];
} tnFaceNode;

// Widths of edges that stand on the lines before a cell, and integrals of their height: by axis, side from which they
// do, and whether they are bottoms or tops.
typedef struct tnFaceTouch
{
	float widths[2][2][2], y[2][2][2];
} tnFaceTouch;

typedef struct tnFaceSweep
{
	const tnPatch* patch;
	int stride;
	tnFaceNode* nodes;
	tnFaceTouch* touches; // of each node; cleared when the first edge stands on a line
	bool touched;
} tnFaceSweep;

// What an edge brings to one side.
typedef struct tnWalk
{
	double y0, slopeX, slopeZ;
	double width; // 1, -1; 0 for folds
	int side;
} tnWalk;

static size_t tnFaceSweep_GetNodeCount(const tnFaceSweep* sweep)
{
	return (size_t)sweep->stride * (size_t)(sweep->patch->rowCount + 2);
}

// The edge crosses the X face of a cell at z, going west or east.
static inline void tnFaceSweep_CrossX(
	tnFaceSweep* sweep, const tnWalk* walk, bool fold, bool west, int column, int row, double z)
{
	tnFaceNode* node = sweep->nodes + (ptrdiff_t)row * sweep->stride + column;
	const double sign = west ? 1.0 : -1.0;
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
	flux->width[side] += sign * walk->width * left;
	next->carriedWidth[side] += sign * walk->width;
}

// It crosses the Z face of a cell at x.
static inline void tnFaceSweep_CrossZ(tnFaceSweep* sweep, const tnWalk* walk, bool fold, int column, int row, double x)
{
	tnFaceNode* node = sweep->nodes + (ptrdiff_t)row * sweep->stride + column;
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
	flux->width[side] += walk->width * left;
	next->carriedWidth[side] += walk->width;
}

// From cell to cell along an edge. `fold`: inside of the body, where two planes of the same side meet.
static inline void tnFaceSweep_Walk(tnFaceSweep* sweep, const tnWalk* walk, bool fold, const tnSweepEdge* edge)
{
	tnTrack track = tnTrack_Begin(edge->north, edge->south, sweep->stride);
	const bool west = track.dx < 0.0;
	int column = track.column;
	int row = track.row;
	while (track.left > 0)
	{
		double x, z;
		const int across = tnTrack_FindCrossing(&track, &x, &z);
		if (across == 0)
		{
			row += 1;
			tnFaceSweep_CrossZ(sweep, walk, fold, column, row, x);
		}
		else
		{
			tnFaceSweep_CrossX(sweep, walk, fold, west, column + (west ? 0 : 1), row, z);
			column += west ? -1 : 1;
		}
		tnTrack_Cross(&track, across, x, z);
	}
}

static void tnFaceSweep_AddTouch(tnFaceSweep* sweep, int axis, int side, const tnTouchedLine* touched)
{
	if (!sweep->touched)
	{
		memset(sweep->touches, 0, tnFaceSweep_GetNodeCount(sweep) * sizeof(tnFaceTouch));
		sweep->touched = true;
	}
	const float low = (float)touched->low->at[1 - axis];
	const float high = (float)touched->high->at[1 - axis];
	const float bottom = (float)touched->low->at[2];
	const float slope = (float)(touched->high->at[2] - touched->low->at[2]) / (high - low);
	for (int i = (int)low; (float)i < high; ++i)
	{
		const float from = tnMaxFloat((float)i, low);
		const float to = tnMinFloat((float)(i + 1), high);
		const float y = bottom + slope * (0.5f * (from + to) - low);
		const int column = axis == 0 ? touched->line : i;
		const int row = axis == 0 ? i : touched->line;
		tnFaceTouch* touch = sweep->touches + (ptrdiff_t)row * sweep->stride + column;
		touch->widths[axis][touched->before][side] += to - from;
		touch->y[axis][touched->before][side] += (to - from) * y;
	}
}

static void tnFaceSweep_AddEdge(tnFaceSweep* sweep, const tnSweepEdge* edge)
{
	const tnPlane* along = edge->along;
	const tnPlane* back = edge->back;
	if ((int)along->side == (int)back->side)
	{
		if (along->side >= 0)
		{
			const double sign = (int)along->side == tn_topSide ? 1.0 : -1.0;
			const tnWalk walk = {
				.slopeX = sign * (along->slopeX - back->slopeX),
				.slopeZ = sign * (along->slopeZ - back->slopeZ),
				.side = (int)along->side,
			};
			tnFaceSweep_Walk(sweep, &walk, true, edge);
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
		const bool east = ((int)plane->side == tn_topSide) == (i == 0);
		const double sign = east ? 1.0 : -1.0;
		const tnWalk walk = {sign * plane->y0, sign * plane->slopeX, sign * plane->slopeZ, sign, (int)plane->side};
		tnFaceSweep_Walk(sweep, &walk, false, edge);
		for (int axis = 0; axis < 2; ++axis)
		{
			const tnTouchedLine touched = tnFindTouchedLine(sweep->patch, axis, east, edge->north, edge->south);
			if (touched.line >= 0)
			{
				tnFaceSweep_AddTouch(sweep, axis, (int)plane->side, &touched);
			}
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// What comes out

// Carry on what has been left, from west to east and from north to south.
static inline void tnFlux_Carry(tnFlux* flux, tnFlux* next, double place)
{
	for (int side = 0; side < 2; ++side)
	{
		flux->width[side] += flux->carriedWidth[side];
		flux->y[side] += flux->carriedY[side] + flux->carriedSlope[side] * place;
		next->carriedWidth[side] += flux->carriedWidth[side];
		next->carriedY[side] += flux->carriedY[side];
		next->carriedSlope[side] += flux->carriedSlope[side];
	}
}

static void tnFaceSweep_EmitFace(const tnFaceSweep* sweep, const tnFaceNode* node, int axis, int column, int row)
{
	tnFlux flux = node->lines[axis];
	if (sweep->touched)
	{
		const tnFaceTouch* touch = sweep->touches + (node - sweep->nodes);
		const int before = touch->widths[axis][1][tn_topSide] > touch->widths[axis][0][tn_topSide] ? 1 : 0;
		for (int side = 0; side < 2; ++side)
		{
			flux.width[side] += touch->widths[axis][before][side];
			flux.y[side] += touch->y[axis][before][side];
		}
	}
	tnInterval layer = {.share = (float)flux.width[tn_topSide]};
	if (layer.share >= TN_LEAST_SHARE && flux.width[tn_bottomSide] > 0.0)
	{
		layer.high = (float)flux.y[tn_topSide] / layer.share;
		layer.low = (float)flux.y[tn_bottomSide] / (float)flux.width[tn_bottomSide];
		tnPatch_EmitFace(sweep->patch, column, row, axis, &layer);
	}
}

static void tnFaceSweep_EmitRow(const tnFaceSweep* sweep, int row)
{
	tnFaceNode* node = sweep->nodes + (ptrdiff_t)row * sweep->stride;
	for (int column = 0; column <= sweep->patch->columnCount; ++column, ++node)
	{
		tnFlux_Carry(&node->lines[0], &node[sweep->stride].lines[0], row + 0.5);
		tnFlux_Carry(&node->lines[1], &node[1].lines[1], column + 0.5);
		tnFaceSweep_EmitFace(sweep, node, 0, column, row);
		tnFaceSweep_EmitFace(sweep, node, 1, column, row);
	}
}

size_t tnSweep_GetFaceByteCount(size_t nodeCount)
{
	return nodeCount * (sizeof(tnFaceNode) + sizeof(tnFaceTouch));
}

void tnSweep_MakeFaces(const tnPatch* patch, const tnMesh* mesh, const tnFineCorner* corners, void* scratch)
{
	tnPlane* planes = scratch;
	tnFaceSweep sweep = {.patch = patch, .stride = patch->columnCount + 2};
	const size_t nodeCount = tnFaceSweep_GetNodeCount(&sweep);
	sweep.nodes = (tnFaceNode*)(planes + tnGetPlaneRoom(mesh));
	sweep.touches = (tnFaceTouch*)(sweep.nodes + nodeCount);
	memset(sweep.nodes, 0, nodeCount * sizeof(tnFaceNode));
	tnFindPlanes(patch, mesh, corners, planes);
	for (int i = 0; i < mesh->edgeCount; ++i)
	{
		const tnSweepEdge edge = tnGetSweepEdge(planes, corners, mesh->edges + 4 * (ptrdiff_t)i);
		tnFaceSweep_AddEdge(&sweep, &edge);
	}
	for (int row = 0; row <= patch->rowCount; ++row)
	{
		tnFaceSweep_EmitRow(&sweep, row);
	}
}
