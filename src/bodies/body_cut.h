// SPDX-License-Identifier: MIT

#pragma once

#include "../flow/grid.h"
#include "../shapes/body_mesh.h"
#include "body_columns.h"
#include "body_patch.h"

// Cuts a body into what it takes from cells and faces: exactly, by clipping its triangles at the lines of the grid.
//
// Seen from above, each cell sees triangles that face up (tops of solid intervals) and triangles that face down (their
// bottoms). The area of the tops in a cell is the area the body covers, and the integrals of height over tops and
// bottoms give the mean heights of the interval: exact sums, that change continuously when the body moves. The line
// where two cells meet sees the same, one dimension down: the width of a face that the body covers, and the mean
// heights there.

// Columns of a simple mesh that lies wholly in its patch: one for each instruction set, see body_sweep.inc.
typedef void tnCutColumnsFcn(
	const tnPatch* patch, const tnMesh* mesh, const tnFineCorner* corners, tnThinParts* thin, void* scratch);

// Room that a body of this radius needs at most for columns and faces, and scratch for cutting it.
typedef struct tnCutSize
{
	int columnCapacity, faceCapacity;
	size_t scratchBytes;
} tnCutSize;

tnCutSize tnCut_GetSize(const tnGrid* grid, const tnMesh* mesh);

// Cells that a body of this radius can touch at most along one axis, in a world without ends.
int tnGetSpanLimit(const tnGrid* grid, float radius);

// Cells that it touches at least along one axis, as boxes have it: those of its thickness, and one more.
int tnGetLeastSpan(const tnGrid* grid, const tnMesh* mesh);

// Cut a body into columns, and what of it lies between faces. Cells outside the world are left out. Does not allocate.
// @param travel how it has come there, or NULL
// @param within cells beyond which there is nothing of the body, but for rounding: not wrapped. NULL for none.
// @param thin may be NULL
void tnCut_Make(tnCut* cut, const tnGrid* grid, const tnMesh* mesh, const tnPose* pose, const tnTravel* travel,
	const tnCellBox* within, tnCutColumnsFcn* cutColumns, tnThinParts* thin, void* scratch);

// Add the faces, if they are not there: few need them, and they take longer than the columns. All else as it was when
// the columns were made.
void tnCut_MakeFaces(
	tnCut* cut, const tnGrid* grid, const tnMesh* mesh, const tnPose* pose, const tnCellBox* within, void* scratch);
