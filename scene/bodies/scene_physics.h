// SPDX-License-Identifier: MIT

#pragma once

#include "bodies/scene_water.h"
#include "world/scene_model.h"

// The physics engine that moves the bodies of a run: scene_physics_ode.c, or scene_physics_missing.c where there is
// none and bodies stay where they are. Bodies have the indices of the run.

typedef struct tnsPhysics tnsPhysics;

// NULL if memory ran out.
tnsPhysics* tnsCreatePhysics(const tnsWater* water, float timeStep);
// Takes all bodies out of the water. NULL is allowed.
void tnsDestroyPhysics(tnsPhysics* physics);

// The surface of one shape, in the frame of the body.
typedef struct tnsPart
{
	tnVec3* points;
	int pointCount;
	int32_t* triangles;
	int triangleCount;
} tnsPart;

typedef struct tnsPhysicsBodyDef
{
	// Shapes, mass, pose, velocity, spin and drag. An infinite mass never moves.
	const tnBodyDef* water;
	// One for each shape.
	const tnsPart* parts;
	// About the centre of mass, kg m^2: xx, yy, zz, xy, xz, yz.
	double inertia[6];
	float friction, bounce;
	bool tied;
	// A body that is in the water already, or will be before the next step; null: it is put there. From the centre of mass to
	// the farthest point, m.
	tnBodyId adopted;
	float radius;
} tnsPhysicsBodyDef;

// The index must be free.
tnResult tnsPhysics_CreateBody(tnsPhysics* physics, int index, const tnsPhysicsBodyDef* def, tnBodyId* id);
// With its joints.
void tnsPhysics_DestroyBody(tnsPhysics* physics, int index);

// A tied body stays where it is.
void tnsPhysics_SetTied(tnsPhysics* physics, int index, bool tied);
void tnsPhysics_SetVelocity(tnsPhysics* physics, int index, tnVec3 velocity, tnVec3 spin);
void tnsPhysics_GetMotion(const tnsPhysics* physics, int index, tnPose* pose, tnVec3* velocity, tnVec3* spin);

// How a body moves, to the last digit that the engine has.
typedef struct tnsMotion
{
	double position[3], rotation[4], velocity[3], spin[3];
	bool awake;
} tnsMotion;

tnsMotion tnsPhysics_GetState(const tnsPhysics* physics, int index);
void tnsPhysics_SetState(tnsPhysics* physics, int index, const tnsMotion* motion);
// Seconds since the scene began.
double tnsPhysics_GetTime(const tnsPhysics* physics);
void tnsPhysics_SetTime(tnsPhysics* physics, double time);
// Bodies stay in the water when the physics is destroyed.
void tnsPhysics_Forget(tnsPhysics* physics);

// Joints have indices of their own, those of the scene. Both bodies must be there; b is -1 for the ground.
bool tnsPhysics_CreateJoint(tnsPhysics* physics, int joint, const tnsJointRule* rule);
// How the bodies were when a joint was made, and how far a hinge has turned, rad: with them it can be made again.
typedef struct tnsJointState
{
	tnPose a, b;
	double angle, lastAngle;
} tnsJointState;

tnsJointState tnsPhysics_GetJoint(const tnsPhysics* physics, int joint);
bool tnsPhysics_RestoreJoint(tnsPhysics* physics, int joint, const tnsJointRule* rule, const tnsJointState* state);
void tnsPhysics_DestroyJoint(tnsPhysics* physics, int joint);

// A spring between a point of a body and a target that moves, critically damped. Acts during the next step.
typedef struct tnsPull
{
	int body;
	// In the frame of the body.
	tnVec3 point;
	tnVec3 target, targetVelocity;
	// Of the spring, rad/s.
	float frequency;
	// How fast the spin dies while it is pulled, 1/s.
	float calm;
	// N at most.
	float maxForce;
} tnsPull;

void tnsPhysics_Pull(tnsPhysics* physics, const tnsPull* pull);

// A force at a point, both in the frame of the world. Acts during the next step.
void tnsPhysics_Push(tnsPhysics* physics, int body, tnVec3 force, tnVec3 point);

// Bodies to the water, the water, forces to the bodies, the bodies.
tnResult tnsPhysics_Step(tnsPhysics* physics);
