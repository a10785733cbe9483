// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/body.h"

/// @file Glue between a world of Bullet and a world of water. Bullet moves the bodies, tarn pushes them:
///
///   tnbCreateCoupling(water, world, &coupling);
///   tnbCoupling_Attach(coupling, body, NULL, NULL);   // shapes from the collision shape of the body
///   ...
///   tnbCoupling_Step(coupling, timeStep);             // poses to the water, the water, forces to the bodies
///   world->stepSimulation(timeStep, 0);               // as always; or tnbStep for both
///
/// Everything happens in the order in which bodies were attached and on the calling thread. Bullet may have been built
/// for single or double precision. Destroy the coupling before the two worlds, and detach a body before it is deleted.

#ifdef __cplusplus
class btDynamicsWorld;
class btRigidBody;
#else
typedef struct btDynamicsWorld btDynamicsWorld;
typedef struct btRigidBody btRigidBody;
#endif

typedef struct tnbCoupling tnbCoupling;

/// @param coupling receives the coupling, or NULL if the result is not tn_ok
TN_EXTERN_C tnResult tnbCreateCoupling(tnWorld* water, btDynamicsWorld* world, tnbCoupling** coupling);

/// Takes all attached bodies out of the water. NULL is allowed.
TN_EXTERN_C void tnbDestroyCoupling(tnbCoupling* coupling);

/// Put a body into the water.
/// @param def NULL for defaults. Its mass, pose, velocity and spin are not used: they come from Bullet. Static and
/// kinematic bodies have an infinite mass. With shapes NULL they are made from the collision shape of the body: boxes,
/// spheres, capsules, cylinders, convex hulls, triangle meshes and compounds of them. The margin that Bullet puts
/// around hulls and meshes is left out.
/// @param id receives the body in the water, or null. May be NULL.
TN_EXTERN_C tnResult tnbCoupling_Attach(tnbCoupling* coupling, btRigidBody* body, const tnBodyDef* def, tnBodyId* id);

/// Take a body out of the water: it closes in where the body was.
TN_EXTERN_C tnResult tnbCoupling_Detach(tnbCoupling* coupling, btRigidBody* body);

TN_EXTERN_C int tnbCoupling_GetCount(const tnbCoupling* coupling);
/// The body in the water. Null if it is not attached.
TN_EXTERN_C tnBodyId tnbCoupling_GetBody(const tnbCoupling* coupling, const btRigidBody* body);

/// Tell the water where the bodies are, step it, and add its forces to the bodies: they act in the next stepSimulation,
/// in all of its sub-steps. A body whose pose or velocity the water refuses stays where the water had it and gets no
/// force; the rest is done, and the first refusal returned.
///
/// A body in the water does not fall asleep while it or the water around it is faster than 0.02 m/s, whatever the
/// engine's own limits are. Once asleep it sleeps on until the water is faster than that, or until the force or torque
/// on it has changed by more than 2 % of its weight (times its size) since it fell asleep.
TN_EXTERN_C tnResult tnbCoupling_Step(tnbCoupling* coupling, float timeStep);

/// tnbCoupling_Step, then stepSimulation in `subSteps` (at least 1) equal steps.
TN_EXTERN_C tnResult tnbStep(tnbCoupling* coupling, float timeStep, int subSteps);
