// SPDX-License-Identifier: MIT

#pragma once

#include "body_layers.h"
#include "body_mesh.h"
#include "grid.h"

// The footprint of a body: a patch of cells of the world.
typedef struct tnPatch
{
	const tnGrid* grid;
	tnCut* cut;
	tnVec3 position;           // of the centre of mass, m
	int columnBegin, rowBegin; // not wrapped
	int columnCount, rowCount;
	float centerX, centerZ; // centre of mass, cells from the corner
} tnPatch;

// Cells from the corner of the patch, and m from the centre of mass. In arrays: 0 is x, 1 is z, 2 is y.
typedef struct tnCorner
{
	float at[3];
} tnCorner;

// Columns that cover less than this of a cell are rounding errors of the sums.
#define TN_LEAST_SHARE 1.0e-6f
// Cells that are covered up to this are covered wholly, so that no sliver of water has to be tracked beside a wall that
// stands on a line of the grid but for rounding.
#define TN_WHOLE_SHARE (1.0f - 1.0e-4f)
// Edges that lie so near to a line of the grid, in cells, stand on it: a body that fills whole cells blocks the faces
// around it, though rounding may place it a little to one side.
#define TN_TOUCH 1.0e-4f

// Write out a layer, limited; nothing if it is too small.
void tnPatch_EmitColumn(const tnPatch* patch, int column, int row, tnInterval* layer);
// @param axis 0 for X faces, 1 for Z faces
void tnPatch_EmitFace(const tnPatch* patch, int column, int row, int axis, tnInterval* layer);

// Cut a simple mesh that lies wholly in its patch. `nodeCount` is (columns + 2) * (rows + 2) of the patch.
size_t tnSweep_GetByteCount(const tnMesh* mesh, size_t nodeCount);
void tnSweep_Make(const tnPatch* patch, const tnMesh* mesh, tnCorner* corners, void* scratch);
