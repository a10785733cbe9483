// SPDX-License-Identifier: MIT

// Where the water of a cell is that a body stands in, and how much of a link it leaves open: see body_links.c.

#pragma once

#include "link_obstacles.h"

// Sides of a cell.
enum
{
	tn_westSide = 0,
	tn_eastSide,
	tn_northSide,
	tn_southSide,
	tn_rimSideCount,
};

enum
{
	// Waters that a cell may have which bodies part, and one of which is not by far the largest.
	TN_CELL_WATERS = 4,
};

// The water of a cell, by side: whether links may begin there, and where.
typedef struct tnCellWater
{
	bool free;   // they begin in the middle
	bool filled; // next to nothing is left: it is open to one side at most
	int count;   // of waters that bodies part
	// Else they begin at these sides of the rim: bits, of all waters or none, and at these places along it.
	unsigned open[tn_rimSideCount];
	double at[tn_rimSideCount][TN_CELL_WATERS];
} tnCellWater;

bool tnIsFreeAt(const tnObstacles* obstacles, tnSpot place);

// @param corner of the cell
tnCellWater tnFindWater(const tnObstacles* obstacles, tnSpot corner);

// What is left of a link, as a share of the width of its face.
// @param before where bodies were when the step began; may be NULL
// @param pushed whether that is asked for, if they have moved
double tnFindLink(const tnObstacles* obstacles, const tnObstacles* before, bool* pushed);
