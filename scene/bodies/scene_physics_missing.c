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
	const tnResult result = tnsWater_CreateBody(&physics->water, &still, id);
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
