// SPDX-License-Identifier: MIT

// What a body of simple shape takes from cells and faces, found from its edges.

#pragma once

#include "../shapes/body_mesh.h"
#include "body_columns.h"
#include "body_patch.h"

enum
{
	// Larger patches are not swept: columns + 1 times rows + 1. Some megabytes.
	TN_MAX_SWEEP_NODES = 1 << 16,
};

// Cuts simple meshes that lie wholly in their patch, from their edges alone. Facets have one plane each.
//
// @param columnLimit, rowLimit most cells that the body can cover along each axis
size_t tnSweep_GetByteCount(const tnMesh* mesh, int columnLimit, int rowLimit);

// Columns are made by a kernel: body_sweep.inc. Faces:
void tnSweep_MakeFaces(const tnPatch* patch, const tnMesh* mesh, const tnFineCorner* corners, void* scratch);
// Scratch that faces need beside planes.
size_t tnSweep_GetFaceByteCount(size_t nodeCount);
