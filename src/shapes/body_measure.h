// SPDX-License-Identifier: MIT

// Volume, middle and size of a mesh.

#pragma once

#include "body_triangles.h"

typedef struct tnSolid
{
	double volume;  // m^3
	double x, y, z; // its first moments, m^4
} tnSolid;

// Of the triangles from one on, which have to be closed.
tnSolid tnMesh_GetSolid(const tnMesh* mesh, int firstTriangle);

// A normal of a triangle, twice as long as its area.
void tnMesh_GetNormal(const tnMesh* mesh, const int32_t* triangle, double normal[3]);
double tnNormal_GetLength(const double normal[3]);

// Volume, middle and size of what has been added.
// @param parts the sum of its shapes: small ones that are far apart have no sum otherwise
void tnMesh_Measure(tnMesh* mesh, const tnSolid* parts);
