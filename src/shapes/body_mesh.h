// SPDX-License-Identifier: MIT

// The mesh of a body: how it is made, and turned.

#pragma once

#include "../core/memory.h"
#include "body_triangles.h"

// Check the shapes of a def; the text of a failure names the field: "shapes[2].radius must be ...".
// Spheres, capsules and cylinders become polyhedra of the volume of the true shape. Meshes are refused if an edge does
// not belong to exactly two triangles that run along it in opposite directions, with the edge named, if their volume is
// not positive, if an index is out of range, if a point is not finite. Hulls are computed here.
tnResult tnMesh_Create(tnMesh* mesh, tnMemory* memory, const tnShapeDef* shapes, int shapeCount);
void tnMesh_Destroy(tnMesh* mesh, tnMemory* memory);
// Let it remember its shapes. False if memory ran out.
bool tnMesh_KeepShapes(tnMesh* mesh, tnMemory* memory, const tnShapeDef* shapes, int shapeCount);
// Have the arrays of another mesh, if they are the same: bodies by the thousand are alike. Without memory for a count a mesh keeps
// its own. Returns whether they are the same.
bool tnMesh_Share(tnMesh* mesh, tnMesh* other, tnMemory* memory);

// Narrowest width of the mesh seen from above in a pose, over the two axes of its footprint, m (for tn_autoBody).
// @param extent receives how long it is, along the direction in which it spreads most or across it, m
float tnMesh_GetWidth(const tnMesh* mesh, const tnPose* pose, float* extent);

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
