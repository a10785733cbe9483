// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/body.h"
#include "tarn/voxel_body.h"

#include <ode/ode.h>

/// @file Glue between a world of ODE and a world of water. ODE moves the bodies, tarn pushes them:
///
///   tnoCreateCoupling(water, world, &coupling);
///   tnoCoupling_Attach(coupling, body, NULL, NULL);   // shapes from the geoms of the body
///   ...
///   tnoCoupling_Step(coupling, timeStep);             // poses to the water, the water, forces to the bodies
///   dSpaceCollide(...), dWorldQuickStep(...)          // as always; or tnoStep for all of it
///
/// Everything happens in the order in which bodies were attached and on the calling thread, so that a run gives the
/// same bits again, whatever the number of workers of the water. ODE may have been built for double or single
/// precision.
///
/// Destroy the coupling before the two worlds, and detach a body before dBodyDestroy: ODE cannot say whether an id is
/// still good, so anything else reads freed memory.

typedef struct tnoCoupling tnoCoupling;

/// @param coupling receives the coupling, or NULL if the result is not tn_ok
TN_EXTERN_C tnResult tnoCreateCoupling(tnWorld* water, dWorldID world, tnoCoupling** coupling);

/// The same with water of voxels. tnoCoupling_Step steps them once, whatever its timeStep: that of ODE should be
/// 1 / def.stepRate.
/// @param workLimit of tnVoxelWorld_Step
TN_EXTERN_C tnResult tnoCreateVoxelCoupling(
	tnVoxelWorld* voxels, dWorldID world, int64_t workLimit, tnoCoupling** coupling);

/// Takes all attached bodies out of the water. NULL is allowed.
TN_EXTERN_C void tnoDestroyCoupling(tnoCoupling* coupling);

/// Put a body into the water.
/// @param def NULL for defaults. Its mass, pose, velocity and spin are not used: they come from ODE. A kinematic body
/// has an infinite mass. With shapes NULL they are made from the geoms of the body: boxes, spheres, capsules, cylinders
/// and triangle meshes, with their offsets. ODE does not tell what a convex geom was made from: give the shapes.
/// @param id receives the body in the water, or null. May be NULL.
TN_EXTERN_C tnResult tnoCoupling_Attach(tnoCoupling* coupling, dBodyID body, const tnBodyDef* def, tnBodyId* id);

/// Couple a body of ODE with one that is in the water already, for instance because tnWorld_Restore has put it back: its shapes
/// are those it has there, and nothing changes in the water until the next step. Only water of columns.
/// @param radius from the centre of mass to the farthest point, m
TN_EXTERN_C tnResult tnoCoupling_Adopt(tnoCoupling* coupling, dBodyID body, tnBodyId id, float radius);

/// Couple no body any more, and leave the water as it is: bodies stay in it where they are.
TN_EXTERN_C void tnoCoupling_Forget(tnoCoupling* coupling);

/// Take a body out of the water: it closes in where the body was.
TN_EXTERN_C tnResult tnoCoupling_Detach(tnoCoupling* coupling, dBodyID body);

TN_EXTERN_C int tnoCoupling_GetCount(const tnoCoupling* coupling);
/// The body in the water. Null if it is not attached.
TN_EXTERN_C tnBodyId tnoCoupling_GetBody(const tnoCoupling* coupling, dBodyID body);

/// Tell the water where the bodies are, step it, and add its forces to the bodies: they act in the next step of ODE. A
/// body whose pose or velocity the water refuses (not finite, too fast, too far away) stays where the water had it and
/// gets no force; the rest is done, and the first refusal returned.
///
/// A body in the water does not fall asleep while it or the water around it is faster than 0.02 m/s, whatever the
/// engine's own limits are. Once asleep it sleeps on until the water is faster than that, or until the force or torque
/// on it has changed by more than 2 % of its weight (times its size) since it fell asleep. What floats without touching
/// anything never sleeps: ODE sees to that.
TN_EXTERN_C tnResult tnoCoupling_Step(tnoCoupling* coupling, float timeStep);

/// Add the forces of the last tnoCoupling_Step once more: ODE forgets forces after each of its steps, so this goes
/// before each further one if it takes several to one step of the water.
TN_EXTERN_C void tnoCoupling_AddForces(tnoCoupling* coupling);

/// How tnoStep makes contacts and steps.
typedef struct tnoStepDef
{
	/// Coulomb friction, and share of the speed that comes back from a bounce, in [0, 1].
	float friction, bounce;
	/// Steps of ODE in one step of the water, at least 1.
	int subSteps;
	/// Of dWorldQuickStep, at least 1. 0: dWorldStep, exact and slow.
	int iterations;
	/// For the random order in which dWorldQuickStep works; the same before each step.
	uint32_t seed;
} tnoStepDef;

/// Friction 0.6, no bounce, 1 step of 30 iterations.
TN_EXTERN_C tnoStepDef tnoDefaultStepDef(void);

/// tnoCoupling_Step, then collide everything in the space and step ODE.
/// @param def NULL for defaults
TN_EXTERN_C tnResult tnoStep(tnoCoupling* coupling, dSpaceID space, const tnoStepDef* def, float timeStep);

/// dCollide that survives two cylinders on one axis, like logs end to end: ODE 0.16 stops the program for them. For hosts
/// with a callback of their own for contacts.
TN_EXTERN_C int tnoCollideGeoms(dGeomID a, dGeomID b, int flags, dContactGeom* contacts, int skip);

/// Between a body of ODE and a pose: ODE has w first, and may count in double precision.
TN_EXTERN_C tnPose tnoGetPose(dBodyID body);
TN_EXTERN_C void tnoSetPose(dBodyID body, const tnPose* pose);

// -----------------------------------------------------------------------------------------------------------------
// Terrain

typedef struct tnoTerrain tnoTerrain;

/// The bed of a world as a geom that bodies rest on. It reads the bed while ODE collides, so edits show at once.
/// @param walls which edges bodies cannot pass (tn_west, tn_east, tn_north, tn_south). NULL for all of them.
/// @return NULL if an argument is NULL or memory ran out
TN_EXTERN_C tnoTerrain* tnoCreateTerrain(const tnWorld* water, dSpaceID space, const bool* walls);

/// Before the space and the water. NULL is allowed.
TN_EXTERN_C void tnoDestroyTerrain(tnoTerrain* terrain);

/// Is this geom the ground or a wall?
TN_EXTERN_C bool tnoTerrain_HasGeom(const tnoTerrain* terrain, dGeomID geom);
