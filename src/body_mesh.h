// SPDX-License-Identifier: MIT

#pragma once

#include "memory.h"
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
	bool simple;     // a vertical line in any pose meets it at most twice: one convex shape
	float radius;    // of the sphere around the origin that holds it, m
	float thickness; // of a simple mesh: no way to look at it makes it narrower than this, m; else 0
	float volume;    // m^3
	tnVec3 centroid; // of the volume
	// Inertia over mass, about the origin, if it were of one density: xx, yy, zz, xy, xz, yz, m^2.
	float inertia[6];
} tnMesh;

// Check the shapes of a def; the text of a failure names the field: "shapes[2].radius must be ...".
// Spheres, capsules and cylinders become polyhedra of the volume of the true shape. Meshes are refused if an edge does
// not belong to exactly two triangles that run along it in opposite directions, with the edge named, if their volume is
// not positive, if an index is out of range, if a point is not finite. Hulls are computed here.
tnResult tnMesh_Create(tnMesh* mesh, tnMemory* memory, const tnShapeDef* shapes, int shapeCount);
void tnMesh_Destroy(tnMesh* mesh, tnMemory* memory);

// Narrowest width of the mesh seen from above in a pose, over the two axes of its footprint, m (for tn_autoBody).
float tnMesh_GetWidth(const tnMesh* mesh, const tnPose* pose);

// A rotation as columns: out = x * axes[0] + y * axes[1] + z * axes[2].
typedef struct tnAxes
{
	tnVec3 x, y, z;
} tnAxes;

// Of a quaternion that need not be of unit length.
tnAxes tnQuat_GetAxes(tnQuat rotation);
tnQuat tnQuat_Normalize(tnQuat q);

// The points of a mesh in the axes of the world, from the centre of mass.
void tnMesh_Turn(const tnMesh* mesh, tnQuat rotation, tnVec3* points);

static inline tnVec3 tnAxes_Turn(const tnAxes* axes, tnVec3 p)
{
	return (tnVec3){
		axes->x.x * p.x + axes->y.x * p.y + axes->z.x * p.z,
		axes->x.y * p.x + axes->y.y * p.y + axes->z.y * p.z,
		axes->x.z * p.x + axes->y.z * p.y + axes->z.z * p.z,
	};
}
