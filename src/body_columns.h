// SPDX-License-Identifier: MIT

#pragma once

#include "core.h"

// What a body takes from the grid, as body_cut.c finds it and body_collect.c uses it.

// What a body takes from a cell: a solid interval over a share of its area.
typedef struct tnColumn
{
	int32_t column, row;  // of the world, wrapped if it is
	float share;          // of the area of the cell, in (0, 1]
	float low, high;      // mean heights of its bottom and top, m
	float x, z;           // middle of what is covered, from the centre of mass of the body, m
	float widthX, widthZ; // extents of what is covered, as shares of the cell size
	float insetX,
		insetZ; // middle of these extents, from the west and the north side of the cell, as shares of the cell
} tnColumn;

// What it takes from a face: a solid interval over a share of its width, at the face itself.
typedef struct tnFaceCut
{
	int32_t column, row; // X face `column` of a row lies before cell `column`, Z face `row` before row `row`
	float share;         // of the width of the face, in (0, 1]
	float low, high;     // m
	bool alongZ;         // a Z face
} tnFaceCut;

typedef struct tnCut
{
	tnColumn* columns; // by row, then column, then from below upwards
	int columnCount, columnCapacity;
	tnFaceCut* faces; // by row, then column, then X before Z, then from below upwards
	int faceCount, faceCapacity;
	bool facesMade; // else there are none yet: see tnCut_MakeFaces
	bool truncated; // there was no room for all
} tnCut;

// Faces on which a body counts that lies between them: see body_thin.h.
typedef struct tnThinParts
{
	tnFaceCut* items;
	int count, capacity;
} tnThinParts;

enum
{
	// Intervals of one body above each other in one cell at most; more are merged.
	TN_MAX_BODY_LAYERS = 4,
};
