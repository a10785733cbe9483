// SPDX-License-Identifier: MIT

#pragma once

#include "bodies/scene_physics.h"

// Volume, centre of mass and inertia of bodies, and the little of vectors that bodies need.

tnVec3 tnsAdd(tnVec3 a, tnVec3 b);
tnVec3 tnsSubtract(tnVec3 a, tnVec3 b);
tnVec3 tnsScale(tnVec3 a, float factor);
float tnsDot(tnVec3 a, tnVec3 b);
tnVec3 tnsCross(tnVec3 a, tnVec3 b);
float tnsGetLength(tnVec3 a);
// q is of unit length.
tnVec3 tnsRotate(tnQuat q, tnVec3 a);
tnVec3 tnsRotateBack(tnQuat q, tnVec3 a);
// Of a point of a body.
tnVec3 tnsToWorld(const tnPose* pose, tnVec3 point);
tnVec3 tnsToBody(const tnPose* pose, tnVec3 point);

// A body ready to be put into a world: shapes about the centre of mass. Free with tnsFreeSolid.
typedef struct tnsSolid
{
	tnShapeDef* shapes;
	tnsPart* parts;
	int count;
	// m^3, kg.
	double volume, mass;
	// As in tnsPhysicsBodyDef.
	double inertia[6];
	// The centre of mass in the frame in which the shapes were given.
	tnVec3 center;
	// From the centre of mass to the farthest point, meters.
	float radius;
} tnsSolid;

// The surfaces come from the world itself, so that the volume is the one it pushes up with.
tnResult tnsMakeSolid(const tnsWater* water, const tnsBodyRule* rule, tnsSolid* solid);
void tnsFreeSolid(tnsSolid* solid);
