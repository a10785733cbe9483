// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/body.h"

// The shapes of a body as one closed triangle mesh: everything else works on that alone.

typedef struct tnMesh
{
	tnVec3* points; // in the frame of the body
	int pointCount;
	int32_t* triangles; // counterclockwise from outside
	int triangleCount;
	// Of a simple mesh: triangles that lie in one plane are one facet, of which one triangle is kept, the largest.
	int32_t* facets;
	int facetCount;
	// For each edge between facets: the points at its ends, the facet that runs from the first to the second, and the
	// one that runs back.
	int32_t* edges;
	int edgeCount;
	// What it was made of, to make it again from a snapshot: with points and triangles of their own, all in one block. NULL for
	// meshes that belong to no body.
	tnShapeDef* shapes;
	int shapeCount;
	size_t shapeBytes;
	uint64_t shapeHash;
	int* users;      // bodies that these arrays belong to; NULL for one
	bool simple;     // a vertical line in any pose meets it at most twice: one convex shape
	float radius;    // of the sphere around the origin that holds it, m
	float thickness; // of a simple mesh: no way to look at it makes it narrower than this, m; else 0
	float volume;    // m^3
	tnVec3 centroid; // of the volume
	// Inertia over mass, about the origin, if it were of one density: xx, yy, zz, xy, xz, yz, m^2.
	float inertia[6];
} tnMesh;

enum
{
	// Three for each triangle: more points than that are not used.
	TN_MAX_BODY_POINTS = 3 * TN_MAX_BODY_TRIANGLES,
};
