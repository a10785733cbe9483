// SPDX-License-Identifier: MIT

// Without a physics engine: bodies stay where they are put.

#include "bodies/scene_physics.h"

#include <math.h>
#include <stdlib.h>

struct tnsPhysics
{
	tnsWater water;
	float timeStep;
	tnBodyId ids[TNS_MAX_BODIES];
	tnPose poses[TNS_MAX_BODIES];
};

bool tnsHavePhysics(void)
{
	return false;
}

tnsPhysics* tnsCreatePhysics(const tnsWater* water, float timeStep)
{
	tnsPhysics* physics = calloc(1, sizeof(tnsPhysics));
	if (physics != NULL)
	{
		physics->water = *water;
		physics->timeStep = timeStep;
	}
	return physics;
}

void tnsDestroyPhysics(tnsPhysics* physics)
{
	for (int i = 0; physics != NULL && i < TNS_MAX_BODIES; ++i)
	{
		tnsPhysics_DestroyBody(physics, i);
	}
	free(physics);
}

tnResult tnsPhysics_CreateBody(tnsPhysics* physics, int index, const tnsPhysicsBodyDef* def, tnBodyId* id)
{
	tnBodyDef still = *def->water;
	still.mass = INFINITY;
	still.velocity = (tnVec3){0};
	still.spin = (tnVec3){0};
	tnResult result = {0};
	if (def->adopted.index1 != 0)
	{
		*id = def->adopted;
	}
	else
	{
		result = tnsWater_CreateBody(&physics->water, &still, id);
	}
	physics->ids[index] = *id;
	physics->poses[index] = still.pose;
	return result;
}

void tnsPhysics_DestroyBody(tnsPhysics* physics, int index)
{
	if (physics->ids[index].index1 != 0)
	{
		(void)tnsWater_DestroyBody(&physics->water, physics->ids[index]);
		physics->ids[index] = (tnBodyId){0};
	}
}

void tnsPhysics_SetTied(tnsPhysics* physics, int index, bool tied)
{
	(void)physics;
	(void)index;
	(void)tied;
}

void tnsPhysics_SetVelocity(tnsPhysics* physics, int index, tnVec3 velocity, tnVec3 spin)
{
	(void)physics;
	(void)index;
	(void)velocity;
	(void)spin;
}

void tnsPhysics_GetMotion(const tnsPhysics* physics, int index, tnPose* pose, tnVec3* velocity, tnVec3* spin)
{
	*pose = physics->poses[index];
	*velocity = (tnVec3){0};
	*spin = (tnVec3){0};
}

tnsMotion tnsPhysics_GetState(const tnsPhysics* physics, int index)
{
	const tnPose pose = physics->poses[index];
	const tnVec3 p = pose.position;
	const tnQuat q = pose.rotation;
	return (tnsMotion){.position = {(double)p.x, (double)p.y, (double)p.z},
		.rotation = {(double)q.x, (double)q.y, (double)q.z, (double)q.w}};
}

void tnsPhysics_SetState(tnsPhysics* physics, int index, const tnsMotion* motion)
{
	(void)physics;
	(void)index;
	(void)motion;
}

double tnsPhysics_GetTime(const tnsPhysics* physics)
{
	(void)physics;
	return 0.0;
}

void tnsPhysics_SetTime(tnsPhysics* physics, double time)
{
	(void)physics;
	(void)time;
}

void tnsPhysics_Forget(tnsPhysics* physics)
{
	for (int i = 0; physics != NULL && i < TNS_MAX_BODIES; ++i)
	{
		physics->ids[i] = (tnBodyId){0};
	}
}

tnsJointState tnsPhysics_GetJoint(const tnsPhysics* physics, int joint)
{
	(void)physics;
	(void)joint;
	return (tnsJointState){.a.rotation.w = 1.0f, .b.rotation.w = 1.0f};
}

bool tnsPhysics_RestoreJoint(tnsPhysics* physics, int joint, const tnsJointRule* rule, const tnsJointState* state)
{
	(void)state;
	return tnsPhysics_CreateJoint(physics, joint, rule);
}

bool tnsPhysics_CreateJoint(tnsPhysics* physics, int joint, const tnsJointRule* rule)
{
	(void)physics;
	(void)joint;
	(void)rule;
	return true;
}

void tnsPhysics_DestroyJoint(tnsPhysics* physics, int joint)
{
	(void)physics;
	(void)joint;
}

void tnsPhysics_Pull(tnsPhysics* physics, const tnsPull* pull)
{
	(void)physics;
	(void)pull;
}

void tnsPhysics_Push(tnsPhysics* physics, int body, tnVec3 force, tnVec3 point)
{
	(void)physics;
	(void)body;
	(void)force;
	(void)point;
}

tnResult tnsPhysics_Step(tnsPhysics* physics)
{
	return tnsWater_Step(&physics->water, physics->timeStep);
}
