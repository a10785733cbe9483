// SPDX-License-Identifier: MIT

// Triangles of each kind of shape.

#pragma once

#include "../core/memory.h"
#include "body_triangles.h"

// Points and triangles that a shape needs at most.
void tnGetShapeSize(const tnShapeDef* shape, int* points, int* triangles);

// Add a shape to a mesh that has room for it, in its own frame. The pose is left to the caller.
tnResult tnMesh_AddShape(tnMesh* mesh, tnMemory* memory, int index, const tnShapeDef* shape);
