// SPDX-License-Identifier: MIT

#pragma once

#include "body_mesh.h"
#include "grid.h"

// Cuts a body into what it takes from cells and faces: exactly, by clipping its triangles at the lines of the grid.
//
// Seen from above, each cell sees triangles that face up (tops of solid intervals) and triangles that face down (their
// bottoms). The area of the tops in a cell is the area the body covers, and the integrals of height over tops and
// bottoms give the mean heights of the interval: exact sums, that change continuously when the body moves. The line
// where two cells meet sees the same, one dimension down: the width of a face that the body covers, and the mean
// heights there.

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
	bool truncated; // there was no room for all
} tnCut;

enum
{
	// Intervals of one body above each other in one cell at most; more are merged.
	TN_MAX_BODY_LAYERS = 4,
};

// Room that a body of this radius needs at most for columns and faces, and scratch for cutting it.
typedef struct tnCutSize
{
	int columnCapacity, faceCapacity;
	size_t scratchBytes;
} tnCutSize;

tnCutSize tnCut_GetSize(const tnGrid* grid, const tnMesh* mesh);

// Cut a body. Cells outside the world are left out. Does not allocate.
// @param points the points of the mesh turned into the axes of the world, from the centre of mass, m
// @param position of the centre of mass, m
void tnCut_Make(
	tnCut* cut, const tnGrid* grid, const tnMesh* mesh, const tnVec3* points, tnVec3 position, void* scratch);
