// SPDX-License-Identifier: MIT

#pragma once

#include "bodies/scene_physics.h"

#include <ode/ode.h>

// Geoms of ODE from the shapes of a body, and small matrices.

typedef struct tnsOdeShapes
{
	dGeomID* geoms;
	int count;
	// What geoms of hulls and meshes point into; one each for every geom, or NULL.
	dTriMeshDataID* meshes;
	void** memory;
} tnsOdeShapes;

// body is NULL for one that never moves. False if memory ran out; nothing is left then.
bool tnsMakeOdeShapes(dSpaceID space, dBodyID body, const tnsPhysicsBodyDef* def, tnsOdeShapes* shapes);
void tnsFreeOdeShapes(tnsOdeShapes* shapes);

// How fast a point of a body moves for an impulse at it: a matrix, row by row, 1/kg. at is in the frame of the world.
void tnsGetPointMobility(dBodyID body, const dVector3 at, double* matrix);

// False if the matrix has no inverse.
bool tnsSolve3(const double* matrix, const double* right, double* solution);
