// SPDX-License-Identifier: MIT

// What a body of any shape takes from cells and faces.

#pragma once

#include "../shapes/body_mesh.h"
#include "body_patch.h"

// Cuts any mesh, wherever it is: also across the edges and seams of the world. Columns and faces at once.
//
// @param columnLimit, rowLimit most cells that the body can cover along each axis
size_t tnClip_GetByteCount(const tnMesh* mesh, int columnLimit, int rowLimit);
void tnClip_Make(
	const tnPatch* patch, const tnMesh* mesh, const tnCorner* corners, int columnLimit, int rowLimit, void* scratch);
