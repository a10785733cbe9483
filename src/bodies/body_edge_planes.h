// SPDX-License-Identifier: MIT

#pragma once

#include "../shapes/body_mesh.h"

#include <stddef.h>

// The planes of the facets of a body. How they are kept is the same for every instruction set; how they are found is not
// (body_edge_track.h).

enum
{
	tn_bottomSide = 0,
	tn_topSide,
};

// The plane of a facet, in cells of the patch: y = y0 + slopeX * x + slopeZ * z.
typedef struct tnPlane
{
	double y0, slopeX, slopeZ;
	double side; // -1 if it is vertical
} tnPlane;

enum
{
	// Planes are found so many at once.
	TN_PLANE_LANES = 4,
};

// How many are written.
static inline size_t tnGetPlaneRoom(const tnMesh* mesh)
{
	return (size_t)(mesh->facetCount + TN_PLANE_LANES - 1) / TN_PLANE_LANES * TN_PLANE_LANES;
}
