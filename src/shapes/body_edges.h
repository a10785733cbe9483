// SPDX-License-Identifier: MIT

// Edges and facets of a mesh.

#pragma once

#include "../core/memory.h"
#include "body_triangles.h"

// Each edge belongs to two triangles, that run along it in opposite directions.
tnResult tnCheckClosed(int index, const tnShapeDef* shape, tnMemory* memory);

// The edges of a closed mesh. False if memory ran out.
bool tnMesh_FindEdges(tnMesh* mesh, tnMemory* memory);
size_t tnGetEdgeBytes(int triangleCount);

// Replace triangles of edges by facets, and leave out the edges within them. False if memory ran out.
bool tnMesh_FindFacets(tnMesh* mesh, tnMemory* memory);
size_t tnGetFacetBytes(int triangleCount);
