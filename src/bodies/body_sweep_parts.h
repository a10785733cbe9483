// SPDX-License-Identifier: MIT

#pragma once

#include "body_edge_planes.h"
#include "body_patch.h"

// What body_sweep.inc works with, and where it lies.

enum
{
	// Numbers of a side of a node: as many as a vector has.
	TN_SIDE_SUMS = 4,
	// Folds are walked so many at once. Lists of them are copied so many at once, too, and that far beyond their ends.
	TN_FOLD_LANES = 4,
};

// Integrals of heights over a cell, and what is carried on east from there: in column `i` it is worth
// carriedY + carriedSlope * (i + 0.5), and so much of a cell is covered. Bottoms and tops; heights of bottoms are
// counted downwards, so that a fold brings the same to both.
typedef struct tnSweepNode
{
	struct
	{
		double y, carriedY, carriedSlope, carriedArea;
	} sides[2];
} tnSweepNode;

// A cell of the rim.
typedef struct tnRim
{
	double area[2];
	double x, z, carriedZ; // moments of the covered area from the corner of the cell
	// How far the outline reaches from each side of the cell.
	float fromWest, fromEast, fromNorth, fromSouth;
	// What is covered of strips as wide as the way of the body in a step, at each side of the cell; and what of those along z is
	// carried on. All that lies east of the outline, as shares. See tnTravel.
	float strips[tn_cellStripCount];
	float carriedNorth, carriedSouth;
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
	const tnMesh* mesh;
	const tnFineCorner* corners;
	tnThinParts* thin;
	int stride;
	tnPlane* planes;
	tnCornerCell* cells; // of corners
	tnReach* reaches[2]; // by axis: what is covered of lines along z, and along x
	tnRowRange* ranges;  // by row
	tnRim* rims;
	int32_t rimCount;
	tnSweepNode* nodes;
	int32_t* lists;        // of edges, as long as if all were in each of them
	int32_t* folds;        // all of them, short ones first
	tnSweepTouch* touches; // of each node; cleared when the first edge stands on a line
	int32_t* rimOf;        // of each node: 0 if it is none
	bool touched;
} tnSweep;

// Find places in scratch, and clear what has to be.
void tnSweep_Place(tnSweep* sweep, void* scratch);
