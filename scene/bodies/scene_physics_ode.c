// SPDX-License-Identifier: MIT

// Bodies of a run, moved by ODE. Everything happens in a fixed order on one thread, so that the same run gives the same
// bits again.

#include "bodies/scene_ode_ground.h"
#include "bodies/scene_ode_shapes.h"
#include "bodies/scene_physics.h"
#include "bodies/scene_solids.h"
#include "tarn_ode.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// Longest step of ODE, seconds, and its iterations: a stack of ten crates stands still with these.
#define TNS_SUB_STEP (1.0f / 119.0f)
#define TNS_ITERATIONS 40

// Friction of the ground.
#define TNS_GROUND_FRICTION 0.8f

// Contacts between two geoms at most; and between bodies, of one body and of all: a crate among crates has about
// thirty. Thousands of bodies in one place would take minutes for a step.
#define TNS_MAX_CONTACTS 12
#define TNS_MAX_BODY_CONTACTS 64
#define TNS_MAX_ALL_CONTACTS 20000

// m/s and rad/s. What is faster passes through things between two steps anyway.
#define TNS_MAX_SPEED 200.0f
#define TNS_MAX_SPIN 60.0f

// What a body slower than this, m/s and rad/s, for this time, s, does is sleep. tarn_ode.h says when the water wakes
// it.
#define TNS_SLEEP_SPEED 0.02f
#define TNS_SLEEP_SPIN 0.02f
#define TNS_SLEEP_TIME 0.5f

// What drives hinges and slides, N m and N: more than water in a scene can push back with.
#define TNS_DRIVE_TORQUE 2.0e4
#define TNS_DRIVE_FORCE 1.0e6
#define TNS_PI 3.14159265358979323846

typedef struct tnsSlot
{
	bool used;
	// NULL for one that never moves.
	dBodyID body;
	tnsOdeShapes shapes;
	// Of one that never moves: the others belong to the coupling.
	tnBodyId id;
	tnPose pose;
	float friction, bounce;
	// With other bodies, in this sub-step.
	int contactCount;
	// Boxes of the ground around it, in this step.
	int firstBox, boxCount;
} tnsSlot;

// b is -1 for the ground. Points are in the frames of the bodies.
typedef struct tnsRope
{
	int a, b;
	tnVec3 pointA, pointB;
	float length;
} tnsRope;

typedef struct tnsJointSlot
{
	bool used;
	// NULL for a rope.
	dJointID joint;
	tnsRope rope;
	const tnsJointRule* rule;
	// Of a hinge: how far it has turned in all, and what ODE said last, which is in [-pi, pi]; rad.
	double angle, lastAngle;
	// Of the bodies, when it was made.
	tnPose poseA, poseB;
} tnsJointSlot;

typedef struct tnsPush
{
	int body;
	tnVec3 force, point;
} tnsPush;

struct tnsPhysics
{
	tnsWater water;
	float timeStep;
	double time; // s since the scene began
	int subSteps;
	dWorldID world;
	dSpaceID space;
	dJointGroupID contacts;
	tnoCoupling* coupling;
	// Ground: of columns, or of voxels.
	tnoTerrain* terrain;
	tnsOdeGround* ground;
	tnsSlot slots[TNS_MAX_BODIES];
	tnsJointSlot joints[TNS_MAX_ITEMS];
	int jointEnd;
	// A body can hang on a crane and be held by the player.
	tnsPull pulls[TNS_MAX_BODIES + 1];
	tnsPush pushes[TNS_MAX_BODIES + 1];
	int pullCount, pushCount;
	// Between bodies, in this sub-step.
	int contactCount;
};

bool tnsHavePhysics(void)
{
	return true;
}

// ODE prints what it has to say about bad numbers. It goes on after it, and nothing in tarn prints.
static void tnsIgnoreMessage(int number, const char* format, va_list arguments)
{
	(void)number;
	(void)format;
	(void)arguments;
}

// The ground, and the coupling to what is on it.
static bool tnsMakeSurroundings(tnsPhysics* physics)
{
	const tnsWater* water = &physics->water;
	if (water->voxels != NULL)
	{
		physics->ground = tnsCreateOdeGround(water);
		return physics->ground != NULL &&
			tnoCreateVoxelCoupling(water->voxels, physics->world, water->workLimit, &physics->coupling).status == tn_ok;
	}
	const tnWorldDef def = tnWorld_GetDef(water->world);
	bool walls[tn_sideCount];
	for (int side = 0; side < tn_sideCount; ++side)
	{
		const tnEdgeKind kind = def.edges[side].kind;
		walls[side] = kind == tn_wallEdge || kind == tn_inflowEdge || kind == tn_wrapEdge;
	}
	physics->terrain = tnoCreateTerrain(water->world, physics->space, walls);
	return physics->terrain != NULL &&
		tnoCreateCoupling(water->world, physics->world, &physics->coupling).status == tn_ok;
}

tnsPhysics* tnsCreatePhysics(const tnsWater* water, float timeStep)
{
	tnsPhysics* physics = calloc(1, sizeof(tnsPhysics));
	if (physics == NULL)
	{
		return NULL;
	}
	dInitODE2(0);
	dSetMessageHandler(tnsIgnoreMessage);
	physics->water = *water;
	physics->timeStep = timeStep;
	physics->subSteps = (int)ceilf(timeStep / TNS_SUB_STEP);
	physics->world = dWorldCreate();
	physics->space = dHashSpaceCreate(NULL);
	physics->contacts = dJointGroupCreate(0);
	dWorldSetGravity(physics->world, 0, (dReal)-tnsWater_GetGravity(water), 0);
	dWorldSetQuickStepNumIterations(physics->world, TNS_ITERATIONS);
	// A contact may be this deep, m, and comes apart with at most this speed, m/s: stacks rest, and nothing is shot
	// out.
	dWorldSetContactSurfaceLayer(physics->world, (dReal)0.003);
	dWorldSetContactMaxCorrectingVel(physics->world, (dReal)1.0);
	dWorldSetAutoDisableFlag(physics->world, 1);
	dWorldSetAutoDisableLinearThreshold(physics->world, (dReal)TNS_SLEEP_SPEED);
	dWorldSetAutoDisableAngularThreshold(physics->world, (dReal)TNS_SLEEP_SPIN);
	dWorldSetAutoDisableTime(physics->world, (dReal)TNS_SLEEP_TIME);
	dWorldSetAutoDisableSteps(physics->world, 0);
	dWorldSetAutoDisableAverageSamplesCount(physics->world, 8);
	// Levels of the hash: boxes of 1/4 m to 32 m.
	dHashSpaceSetLevels(physics->space, -2, 5);

	if (tnsMakeSurroundings(physics) == false)
	{
		tnsDestroyPhysics(physics);
		return NULL;
	}
	return physics;
}

void tnsDestroyPhysics(tnsPhysics* physics)
{
	if (physics == NULL)
	{
		return;
	}
	for (int i = 0; i < TNS_MAX_BODIES; ++i)
	{
		tnsPhysics_DestroyBody(physics, i);
	}
	tnoDestroyCoupling(physics->coupling);
	tnoDestroyTerrain(physics->terrain);
	tnsDestroyOdeGround(physics->ground);
	dJointGroupDestroy(physics->contacts);
	dSpaceDestroy(physics->space);
	dWorldDestroy(physics->world);
	dCloseODE();
	free(physics);
}

// ---------------------------------------------------------------------------------------------------------------------
// Bodies

static bool tnsSetMass(dBodyID body, const tnsPhysicsBodyDef* def)
{
	const double* i = def->inertia;
	// What dMassCheck asks for, and a bit more: a body whose inertia is next to nothing about an axis would spin up.
	if (!(def->water->mass > 0.0f && i[0] > 0.0 && i[1] > 0.0 && i[2] > 0.0))
	{
		return false;
	}
	dMass mass;
	dMassSetParameters(&mass, (dReal)def->water->mass, 0, 0, 0, (dReal)i[0], (dReal)i[1], (dReal)i[2], (dReal)i[3],
		(dReal)i[4], (dReal)i[5]);
	if (dMassCheck(&mass) == 0)
	{
		return false;
	}
	dBodySetMass(body, &mass);
	return true;
}

tnResult tnsPhysics_CreateBody(tnsPhysics* physics, int index, const tnsPhysicsBodyDef* def, tnBodyId* id)
{
	tnsSlot* slot = physics->slots + index;
	const tnBodyDef* water = def->water;
	*slot = (tnsSlot){0};
	slot->friction = def->friction;
	slot->bounce = def->bounce;
	slot->pose = water->pose;
	const bool moves = isinf(water->mass) == 0;
	if (moves)
	{
		slot->body = dBodyCreate(physics->world);
		tnoSetPose(slot->body, &water->pose);
		dBodySetLinearVel(slot->body, (dReal)water->velocity.x, (dReal)water->velocity.y, (dReal)water->velocity.z);
		dBodySetAngularVel(slot->body, (dReal)water->spin.x, (dReal)water->spin.y, (dReal)water->spin.z);
		if (tnsSetMass(slot->body, def) == false)
		{
			dBodyDestroy(slot->body);
			return (tnResult){tn_invalidArgument, "mass and inertia of the body must be positive"};
		}
	}
	tnResult result = {0};
	if (tnsMakeOdeShapes(physics->space, slot->body, def, &slot->shapes) == false)
	{
		result = (tnResult){tn_outOfMemory, "out of memory for the shapes of a body"};
	}
	else
	{
		const bool adopts = def->adopted.index1 != 0;
		*id = def->adopted;
		result = moves && adopts ? tnoCoupling_Adopt(physics->coupling, slot->body, def->adopted, def->radius)
			: moves              ? tnoCoupling_Attach(physics->coupling, slot->body, water, id)
			: adopts             ? (tnResult){0}
								 : tnsWater_CreateBody(&physics->water, water, id);
	}
	if (result.status != tn_ok)
	{
		tnsFreeOdeShapes(&slot->shapes);
		if (moves)
		{
			dBodyDestroy(slot->body);
		}
		return result;
	}
	for (int i = 0; i < slot->shapes.count; ++i)
	{
		dGeomSetData(slot->shapes.geoms[i], slot);
	}
	slot->used = true;
	slot->id = *id;
	if (moves && def->tied)
	{
		tnsPhysics_SetTied(physics, index, true);
	}
	return result;
}

void tnsPhysics_DestroyBody(tnsPhysics* physics, int index)
{
	tnsSlot* slot = physics->slots + index;
	if (slot->used == false)
	{
		return;
	}
	for (int i = 0; i < physics->jointEnd; ++i)
	{
		const tnsJointSlot* joint = physics->joints + i;
		if (joint->used && (joint->rope.a == index || joint->rope.b == index))
		{
			tnsPhysics_DestroyJoint(physics, i);
		}
	}
	if (slot->body != NULL)
	{
		(void)tnoCoupling_Detach(physics->coupling, slot->body);
		// What lies on it must notice.
		for (int i = 0; i < TNS_MAX_BODIES; ++i)
		{
			if (physics->slots[i].used && physics->slots[i].body != NULL)
			{
				dBodyEnable(physics->slots[i].body);
			}
		}
	}
	else if (slot->id.index1 != 0)
	{
		(void)tnsWater_DestroyBody(&physics->water, slot->id);
	}
	tnsFreeOdeShapes(&slot->shapes);
	if (slot->body != NULL)
	{
		dBodyDestroy(slot->body);
	}
	*slot = (tnsSlot){0};
}

void tnsPhysics_SetTied(tnsPhysics* physics, int index, bool tied)
{
	const tnsSlot* slot = physics->slots + index;
	if (slot->body == NULL)
	{
		return;
	}
	if (tied)
	{
		dBodySetLinearVel(slot->body, 0, 0, 0);
		dBodySetAngularVel(slot->body, 0, 0, 0);
		dBodySetKinematic(slot->body);
	}
	else
	{
		dBodySetDynamic(slot->body);
		dBodyEnable(slot->body);
	}
}

void tnsPhysics_SetVelocity(tnsPhysics* physics, int index, tnVec3 velocity, tnVec3 spin)
{
	const tnsSlot* slot = physics->slots + index;
	if (slot->body != NULL)
	{
		dBodySetLinearVel(slot->body, (dReal)velocity.x, (dReal)velocity.y, (dReal)velocity.z);
		dBodySetAngularVel(slot->body, (dReal)spin.x, (dReal)spin.y, (dReal)spin.z);
		dBodyEnable(slot->body);
	}
}

void tnsPhysics_GetMotion(const tnsPhysics* physics, int index, tnPose* pose, tnVec3* velocity, tnVec3* spin)
{
	const tnsSlot* slot = physics->slots + index;
	*pose = slot->pose;
	*velocity = (tnVec3){0};
	*spin = (tnVec3){0};
	if (slot->body != NULL)
	{
		const dReal* v = dBodyGetLinearVel(slot->body);
		const dReal* w = dBodyGetAngularVel(slot->body);
		*pose = tnoGetPose(slot->body);
		*velocity = (tnVec3){(float)v[0], (float)v[1], (float)v[2]};
		*spin = (tnVec3){(float)w[0], (float)w[1], (float)w[2]};
	}
}

tnsMotion tnsPhysics_GetState(const tnsPhysics* physics, int index)
{
	const tnsSlot* slot = physics->slots + index;
	tnsMotion motion = {.awake = true};
	const tnVec3 p = slot->pose.position;
	const tnQuat r = slot->pose.rotation;
	if (slot->body == NULL)
	{
		const double position[3] = {(double)p.x, (double)p.y, (double)p.z};
		const double rotation[4] = {(double)r.x, (double)r.y, (double)r.z, (double)r.w};
		memcpy(motion.position, position, sizeof(position));
		memcpy(motion.rotation, rotation, sizeof(rotation));
		return motion;
	}
	const dReal* position = dBodyGetPosition(slot->body);
	const dReal* rotation = dBodyGetQuaternion(slot->body);
	const dReal* velocity = dBodyGetLinearVel(slot->body);
	const dReal* spin = dBodyGetAngularVel(slot->body);
	for (int i = 0; i < 3; ++i)
	{
		motion.position[i] = (double)position[i];
		motion.velocity[i] = (double)velocity[i];
		motion.spin[i] = (double)spin[i];
	}
	for (int i = 0; i < 4; ++i)
	{
		// ODE has w first.
		motion.rotation[i] = (double)rotation[(i + 1) % 4];
	}
	motion.awake = dBodyIsEnabled(slot->body) != 0;
	return motion;
}

void tnsPhysics_SetState(tnsPhysics* physics, int index, const tnsMotion* motion)
{
	tnsSlot* slot = physics->slots + index;
	if (slot->body == NULL)
	{
		return;
	}
	const double* r = motion->rotation;
	const double length = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3];
	const dQuaternion turn = {(dReal)r[3], (dReal)r[0], (dReal)r[1], (dReal)r[2]};
	dBodySetPosition(slot->body, (dReal)motion->position[0], (dReal)motion->position[1], (dReal)motion->position[2]);
	// What has no length cannot be a turn; ODE would stop the program.
	if (length > 0.5)
	{
		dBodySetQuaternion(slot->body, turn);
	}
	dBodySetLinearVel(slot->body, (dReal)motion->velocity[0], (dReal)motion->velocity[1], (dReal)motion->velocity[2]);
	dBodySetAngularVel(slot->body, (dReal)motion->spin[0], (dReal)motion->spin[1], (dReal)motion->spin[2]);
	slot->pose = tnoGetPose(slot->body);
	if (motion->awake)
	{
		dBodyEnable(slot->body);
	}
	else
	{
		dBodyDisable(slot->body);
	}
}

double tnsPhysics_GetTime(const tnsPhysics* physics)
{
	return physics->time;
}

void tnsPhysics_SetTime(tnsPhysics* physics, double time)
{
	physics->time = time;
}

void tnsPhysics_Forget(tnsPhysics* physics)
{
	tnoCoupling_Forget(physics->coupling);
	for (int i = 0; i < TNS_MAX_BODIES; ++i)
	{
		physics->slots[i].id = (tnBodyId){0};
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Joints

static tnPose tnsGetSlotPose(const tnsPhysics* physics, int index)
{
	tnPose pose = {{0}, {0.0f, 0.0f, 0.0f, 1.0f}};
	tnVec3 velocity, spin;
	if (index >= 0)
	{
		tnsPhysics_GetMotion(physics, index, &pose, &velocity, &spin);
	}
	return pose;
}

bool tnsPhysics_CreateJoint(tnsPhysics* physics, int joint, const tnsJointRule* rule)
{
	tnsJointSlot* slot = physics->joints + joint;
	const dBodyID a = physics->slots[rule->a].body;
	const dBodyID b = rule->b >= 0 ? physics->slots[rule->b].body : NULL;
	if (a == NULL && b == NULL)
	{
		return false;
	}
	const tnPose poseA = tnsGetSlotPose(physics, rule->a), poseB = tnsGetSlotPose(physics, rule->b);
	*slot = (tnsJointSlot){.rule = rule, .poseA = poseA, .poseB = poseB};
	slot->rope.a = rule->a;
	slot->rope.b = rule->b;
	slot->rope.pointA = tnsToBody(&poseA, rule->at);
	slot->rope.pointB = tnsToBody(&poseB, rule->to);
	slot->rope.length = rule->length > 0.0f ? rule->length : tnsGetLength(tnsSubtract(rule->at, rule->to));
	const dReal at[3] = {(dReal)rule->at.x, (dReal)rule->at.y, (dReal)rule->at.z};
	switch (rule->kind)
	{
		case tns_ballJoint:
			slot->joint = dJointCreateBall(physics->world, NULL);
			dJointAttach(slot->joint, a, b);
			dJointSetBallAnchor(slot->joint, at[0], at[1], at[2]);
			break;
		case tns_hingeJoint:
			slot->joint = dJointCreateHinge(physics->world, NULL);
			dJointAttach(slot->joint, a, b);
			dJointSetHingeAnchor(slot->joint, at[0], at[1], at[2]);
			dJointSetHingeAxis(slot->joint, (dReal)rule->axis.x, (dReal)rule->axis.y, (dReal)rule->axis.z);
			break;
		case tns_fixedJoint:
			slot->joint = dJointCreateFixed(physics->world, NULL);
			dJointAttach(slot->joint, a, b);
			dJointSetFixed(slot->joint);
			break;
		case tns_slideJoint:
			slot->joint = dJointCreateSlider(physics->world, NULL);
			dJointAttach(slot->joint, a, b);
			dJointSetSliderAxis(slot->joint, (dReal)rule->axis.x, (dReal)rule->axis.y, (dReal)rule->axis.z);
			dJointSetSliderParam(slot->joint, dParamLoStop, (dReal)rule->range[0]);
			dJointSetSliderParam(slot->joint, dParamHiStop, (dReal)rule->range[1]);
			break;
		default:
			break;
	}
	slot->used = true;
	physics->jointEnd = joint >= physics->jointEnd ? joint + 1 : physics->jointEnd;
	return true;
}

void tnsPhysics_DestroyJoint(tnsPhysics* physics, int joint)
{
	tnsJointSlot* slot = physics->joints + joint;
	if (slot->used == false)
	{
		return;
	}
	const int ends[2] = {slot->rope.a, slot->rope.b};
	for (int i = 0; i < 2; ++i)
	{
		const dBodyID body = ends[i] >= 0 ? physics->slots[ends[i]].body : NULL;
		if (body != NULL)
		{
			dBodyEnable(body);
		}
	}
	if (slot->joint != NULL)
	{
		dJointDestroy(slot->joint);
	}
	*slot = (tnsJointSlot){0};
}

tnsJointState tnsPhysics_GetJoint(const tnsPhysics* physics, int joint)
{
	const tnsJointSlot* slot = physics->joints + joint;
	return (tnsJointState){slot->poseA, slot->poseB, slot->angle, slot->lastAngle};
}

// Engines take the poses of the moment for those in which a joint is at rest: bodies go back to them while it is made.
bool tnsPhysics_RestoreJoint(tnsPhysics* physics, int joint, const tnsJointRule* rule, const tnsJointState* state)
{
	const int ends[2] = {rule->a, rule->b};
	const tnPose* poses[2] = {&state->a, &state->b};
	tnsMotion motions[2] = {0};
	for (int i = 0; i < 2; ++i)
	{
		if (ends[i] >= 0 && physics->slots[ends[i]].body != NULL)
		{
			motions[i] = tnsPhysics_GetState(physics, ends[i]);
			tnoSetPose(physics->slots[ends[i]].body, poses[i]);
		}
	}
	const bool made = tnsPhysics_CreateJoint(physics, joint, rule);
	physics->joints[joint].angle = made ? state->angle : 0.0;
	physics->joints[joint].lastAngle = made ? state->lastAngle : 0.0;
	for (int i = 0; i < 2; ++i)
	{
		if (ends[i] >= 0 && physics->slots[ends[i]].body != NULL)
		{
			tnsPhysics_SetState(physics, ends[i], motions + i);
		}
	}
	return made;
}

// Turns that a hinge is driven to at a time, between the points of its curve.
static double tnsGetTurns(const tnsJointRule* rule, double time)
{
	const tnCurvePoint* point = rule->turns;
	for (int i = 1; i < rule->turnCount; ++i, ++point)
	{
		const double from = (double)point[0].time, to = (double)point[1].time;
		if (time < to)
		{
			const double share = fmax(time - from, 0.0) / (to - from);
			return (double)point[0].value + share * (double)(point[1].value - point[0].value);
		}
	}
	return (double)point->value;
}

// How far a body has turned on its hinge, rad.
static double tnsGetWheelAngle(const tnsPhysics* physics, int wheel)
{
	for (int i = 0; i < physics->jointEnd; ++i)
	{
		const tnsJointSlot* slot = physics->joints + i;
		if (slot->used && slot->rule->kind == tns_hingeJoint && slot->rope.a == wheel)
		{
			return slot->angle;
		}
	}
	return 0.0;
}

static void tnsWakeJoint(const tnsPhysics* physics, const tnsJointSlot* slot)
{
	const dBodyID body = physics->slots[slot->rope.a].body;
	if (body != NULL)
	{
		dBodyEnable(body);
	}
}

// Hinges that are driven or hold by friction, and slides that follow a wheel: like a screw they do not give way to the water.
static void tnsDriveJoints(tnsPhysics* physics, double time, float h)
{
	const double mostSpin = 20.0, mostSpeed = 2.0; // rad/s, m/s: what somebody at a wheel can do, and more
	for (int i = 0; i < physics->jointEnd; ++i)
	{
		tnsJointSlot* slot = physics->joints + i;
		if (slot->used == false || slot->rule->kind != tns_hingeJoint)
		{
			continue;
		}
		const double now = (double)dJointGetHingeAngle(slot->joint);
		slot->angle += remainder(now - slot->lastAngle, 2.0 * TNS_PI);
		slot->lastAngle = now;
		const tnsJointRule* rule = slot->rule;
		double spin = 0.0, torque = (double)rule->friction;
		if (rule->turnCount > 0 && time <= (double)rule->turns[rule->turnCount - 1].time)
		{
			const double way = 2.0 * TNS_PI * tnsGetTurns(rule, time) - slot->angle;
			spin = fmin(fmax(way / (double)h, -mostSpin), mostSpin);
			torque = fmax(torque, TNS_DRIVE_TORQUE);
			tnsWakeJoint(physics, slot);
		}
		dJointSetHingeParam(slot->joint, dParamVel, (dReal)spin);
		dJointSetHingeParam(slot->joint, dParamFMax, (dReal)torque);
	}
	for (int i = 0; i < physics->jointEnd; ++i)
	{
		const tnsJointSlot* slot = physics->joints + i;
		if (slot->used == false || slot->rule->kind != tns_slideJoint || slot->rule->wheel < 0)
		{
			continue;
		}
		const tnsJointRule* rule = slot->rule;
		const double turns = tnsGetWheelAngle(physics, rule->wheel) / (2.0 * TNS_PI);
		const double target = fmin(fmax(turns * (double)rule->perTurn, (double)rule->range[0]), (double)rule->range[1]);
		const double way = target - (double)dJointGetSliderPosition(slot->joint);
		dJointSetSliderParam(slot->joint, dParamVel, (dReal)fmin(fmax(way / (double)h, -mostSpeed), mostSpeed));
		dJointSetSliderParam(slot->joint, dParamFMax, (dReal)TNS_DRIVE_FORCE);
		if (fabs(way) > 1.0e-4)
		{
			tnsWakeJoint(physics, slot);
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Forces

void tnsPhysics_Pull(tnsPhysics* physics, const tnsPull* pull)
{
	if (physics->pullCount <= TNS_MAX_BODIES)
	{
		physics->pulls[physics->pullCount++] = *pull;
	}
}

void tnsPhysics_Push(tnsPhysics* physics, int body, tnVec3 force, tnVec3 point)
{
	if (physics->pushCount <= TNS_MAX_BODIES)
	{
		physics->pushes[physics->pushCount++] = (tnsPush){body, force, point};
	}
}

// A spring of a frequency f on a mass m, critically damped, as an impulse of one sub-step h (Catto, Soft Constraints,
// 2011): k = m f^2, c = 2 m f, and with softness 1 / (h (c + h k)) the impulse is right for any h.
static void tnsApplyPull(const tnsPhysics* physics, const tnsPull* pull, float time, float h)
{
	const dBodyID body = physics->slots[pull->body].body;
	if (body == NULL || dBodyIsKinematic(body))
	{
		return;
	}
	dBodyEnable(body);
	dMass mass;
	dVector3 at, speed;
	dBodyGetMass(body, &mass);
	dBodyGetRelPointPos(body, (dReal)pull->point.x, (dReal)pull->point.y, (dReal)pull->point.z, at);
	dBodyGetRelPointVel(body, (dReal)pull->point.x, (dReal)pull->point.y, (dReal)pull->point.z, speed);
	const double m = (double)mass.mass, f = (double)pull->frequency, step = (double)h;
	const double k = m * f * f, c = 2.0 * m * f;
	const double softness = 1.0 / (step * (c + step * k));
	const double target[3] = {(double)(pull->target.x + pull->targetVelocity.x * time),
		(double)(pull->target.y + pull->targetVelocity.y * time),
		(double)(pull->target.z + pull->targetVelocity.z * time)};
	const double targetSpeed[3] = {
		(double)pull->targetVelocity.x, (double)pull->targetVelocity.y, (double)pull->targetVelocity.z};
	double matrix[9], wanted[3], force[3];
	tnsGetPointMobility(body, at, matrix);
	for (int i = 0; i < 3; ++i)
	{
		matrix[4 * i] += softness;
		wanted[i] = -((double)speed[i] - targetSpeed[i] + ((double)at[i] - target[i]) * step * k * softness);
	}
	if (tnsSolve3(matrix, wanted, force) == false)
	{
		return;
	}
	const double size = sqrt(force[0] * force[0] + force[1] * force[1] + force[2] * force[2]) / step;
	const double scale = size > (double)pull->maxForce ? (double)pull->maxForce / size / step : 1.0 / step;
	dBodyAddForceAtPos(
		body, (dReal)(force[0] * scale), (dReal)(force[1] * scale), (dReal)(force[2] * scale), at[0], at[1], at[2]);
	// The spin dies away: a torque of inertia * spin * rate, in the frame of the body.
	dVector3 spin;
	const dReal* w = dBodyGetAngularVel(body);
	dBodyVectorFromWorld(body, w[0], w[1], w[2], spin);
	dReal torque[3];
	for (int i = 0; i < 3; ++i)
	{
		torque[i] =
			-(dReal)pull->calm * (mass.I[4 * i] * spin[0] + mass.I[4 * i + 1] * spin[1] + mass.I[4 * i + 2] * spin[2]);
	}
	dBodyAddRelTorque(body, torque[0], torque[1], torque[2]);
}

// A rope pulls when it is longer than it is, and takes a fifth of the excess back in a sub-step.
static void tnsApplyRope(const tnsPhysics* physics, const tnsRope* rope, float h)
{
	const dBodyID bodies[2] = {physics->slots[rope->a].body, rope->b >= 0 ? physics->slots[rope->b].body : NULL};
	const tnPose poses[2] = {tnsGetSlotPose(physics, rope->a), tnsGetSlotPose(physics, rope->b)};
	const tnVec3 ends[2] = {tnsToWorld(&poses[0], rope->pointA), tnsToWorld(&poses[1], rope->pointB)};
	const tnVec3 along = tnsSubtract(ends[1], ends[0]);
	const float distance = tnsGetLength(along);
	if (distance <= rope->length || distance <= 0.0f)
	{
		return;
	}
	const double n[3] = {(double)(along.x / distance), (double)(along.y / distance), (double)(along.z / distance)};
	double mobility = 0.0, closing = 0.0;
	for (int i = 0; i < 2; ++i)
	{
		if (bodies[i] == NULL || dBodyIsKinematic(bodies[i]))
		{
			continue;
		}
		const dVector3 at = {(dReal)ends[i].x, (dReal)ends[i].y, (dReal)ends[i].z};
		double matrix[9];
		dVector3 speed;
		tnsGetPointMobility(bodies[i], at, matrix);
		dBodyGetPointVel(bodies[i], at[0], at[1], at[2], speed);
		for (int k = 0; k < 3; ++k)
		{
			mobility += n[k] * (matrix[3 * k] * n[0] + matrix[3 * k + 1] * n[1] + matrix[3 * k + 2] * n[2]);
			closing += (i == 0 ? 1.0 : -1.0) * n[k] * (double)speed[k];
		}
	}
	const double wanted = 0.2 * (double)(distance - rope->length) / (double)h - closing;
	if (wanted <= 0.0 || mobility <= 0.0)
	{
		return;
	}
	const double force = wanted / mobility / (double)h;
	for (int i = 0; i < 2; ++i)
	{
		if (bodies[i] != NULL && dBodyIsKinematic(bodies[i]) == 0)
		{
			const double sign = i == 0 ? force : -force;
			dBodyEnable(bodies[i]);
			dBodyAddForceAtPos(bodies[i], (dReal)(sign * n[0]), (dReal)(sign * n[1]), (dReal)(sign * n[2]),
				(dReal)ends[i].x, (dReal)ends[i].y, (dReal)ends[i].z);
		}
	}
}

static void tnsApplyForces(const tnsPhysics* physics, float time, float h)
{
	for (int i = 0; i < physics->pullCount; ++i)
	{
		tnsApplyPull(physics, physics->pulls + i, time, h);
	}
	for (int i = 0; i < physics->pushCount; ++i)
	{
		const tnsPush* push = physics->pushes + i;
		const dBodyID body = physics->slots[push->body].body;
		if (body != NULL && dBodyIsKinematic(body) == 0)
		{
			dBodyEnable(body);
			dBodyAddForceAtPos(body, (dReal)push->force.x, (dReal)push->force.y, (dReal)push->force.z,
				(dReal)push->point.x, (dReal)push->point.y, (dReal)push->point.z);
		}
	}
	for (int i = 0; i < physics->jointEnd; ++i)
	{
		if (physics->joints[i].used && physics->joints[i].joint == NULL)
		{
			tnsApplyRope(physics, &physics->joints[i].rope, h);
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Stepping

static bool tnsCanMove(dBodyID body)
{
	return body != NULL && dBodyIsEnabled(body) && dBodyIsKinematic(body) == 0;
}

// Does the pair have too many contacts already? Those with the ground always count.
static bool tnsIsCrowded(const tnsPhysics* physics, const tnsSlot* a, const tnsSlot* b)
{
	return a != NULL && b != NULL &&
		(physics->contactCount >= TNS_MAX_ALL_CONTACTS || a->contactCount >= TNS_MAX_BODY_CONTACTS ||
			b->contactCount >= TNS_MAX_BODY_CONTACTS);
}

static void tnsCollide(void* context, dGeomID a, dGeomID b)
{
	tnsPhysics* physics = context;
	const dBodyID bodyA = dGeomGetBody(a), bodyB = dGeomGetBody(b);
	tnsSlot* slotA = dGeomGetData(a);
	tnsSlot* slotB = dGeomGetData(b);
	if ((tnsCanMove(bodyA) == false && tnsCanMove(bodyB) == false) || bodyA == bodyB ||
		tnsIsCrowded(physics, slotA, slotB) ||
		(bodyA != NULL && bodyB != NULL && dAreConnectedExcluding(bodyA, bodyB, dJointTypeContact)))
	{
		return;
	}
	const float frictionA = slotA != NULL ? slotA->friction : TNS_GROUND_FRICTION;
	const float frictionB = slotB != NULL ? slotB->friction : TNS_GROUND_FRICTION;
	const float bounceA = slotA != NULL ? slotA->bounce : 0.0f, bounceB = slotB != NULL ? slotB->bounce : 0.0f;
	dContact contacts[TNS_MAX_CONTACTS];
	const int count = tnoCollideGeoms(a, b, TNS_MAX_CONTACTS, &contacts[0].geom, sizeof(dContact));
	if (slotA != NULL && slotB != NULL)
	{
		physics->contactCount += count;
		slotA->contactCount += bodyA != NULL ? count : 0;
		slotB->contactCount += bodyB != NULL ? count : 0;
	}
	for (int i = 0; i < count; ++i)
	{
		// Of shapes that are very thin or far too large ODE finds contacts that are none.
		const dContactGeom* geom = &contacts[i].geom;
		const dReal length =
			geom->normal[0] * geom->normal[0] + geom->normal[1] * geom->normal[1] + geom->normal[2] * geom->normal[2];
		const dReal sum = geom->pos[0] + geom->pos[1] + geom->pos[2] + geom->depth;
		if (isfinite((double)sum) == 0 || !(length > (dReal)0.9 && length < (dReal)1.1))
		{
			continue;
		}
		dSurfaceParameters surface = {0};
		surface.mode = dContactApprox1 | dContactBounce | dContactSoftERP | dContactSoftCFM;
		surface.mu = (dReal)sqrtf(frictionA * frictionB);
		surface.bounce = (dReal)fmaxf(bounceA, bounceB);
		// m/s. Slower bounces would never end.
		surface.bounce_vel = (dReal)0.3;
		surface.soft_erp = (dReal)0.2;
		surface.soft_cfm = (dReal)1.0e-6;
		contacts[i].surface = surface;
		dJointAttach(dJointCreateContact(physics->world, physics->contacts, contacts + i), bodyA, bodyB);
	}
}

// Ground of voxels around all that moves.
static void tnsGatherGround(tnsPhysics* physics)
{
	tnsOdeGround_Clear(physics->ground);
	for (int i = 0; i < TNS_MAX_BODIES; ++i)
	{
		tnsSlot* slot = physics->slots + i;
		slot->boxCount = 0;
		if (slot->used == false || tnsCanMove(slot->body) == false || slot->shapes.count == 0)
		{
			continue;
		}
		dReal bounds[6];
		dGeomGetAABB(slot->shapes.geoms[0], bounds);
		for (int k = 1; k < slot->shapes.count; ++k)
		{
			dReal part[6];
			dGeomGetAABB(slot->shapes.geoms[k], part);
			for (int axis = 0; axis < 3; ++axis)
			{
				bounds[2 * axis] = part[2 * axis] < bounds[2 * axis] ? part[2 * axis] : bounds[2 * axis];
				bounds[2 * axis + 1] =
					part[2 * axis + 1] > bounds[2 * axis + 1] ? part[2 * axis + 1] : bounds[2 * axis + 1];
			}
		}
		slot->boxCount = tnsOdeGround_Gather(physics->ground, bounds, &slot->firstBox);
	}
}

static bool tnsIsApart(const dReal a[6], const dReal b[6])
{
	return a[0] > b[1] || b[0] > a[1] || a[2] > b[3] || b[2] > a[3] || a[4] > b[5] || b[4] > a[5];
}

static void tnsCollideWithGround(tnsPhysics* physics)
{
	for (int i = 0; i < TNS_MAX_BODIES; ++i)
	{
		const tnsSlot* slot = physics->slots + i;
		for (int k = 0; slot->used && k < slot->shapes.count; ++k)
		{
			dReal mine[6];
			dGeomGetAABB(slot->shapes.geoms[k], mine);
			for (int box = 0; box < slot->boxCount; ++box)
			{
				const dGeomID geom = tnsOdeGround_GetGeom(physics->ground, slot->firstBox + box);
				dReal other[6];
				dGeomGetAABB(geom, other);
				if (tnsIsApart(mine, other) == false)
				{
					tnsCollide(physics, slot->shapes.geoms[k], geom);
				}
			}
		}
	}
}

// No force may do more in a sub-step than bring a body to the highest speed and spin. Only what is absurdly light for
// its size ever meets such forces.
static void tnsLimitForces(const tnsPhysics* physics, float h)
{
	for (int i = 0; i < TNS_MAX_BODIES; ++i)
	{
		const dBodyID body = physics->slots[i].used ? physics->slots[i].body : NULL;
		if (tnsCanMove(body) == false)
		{
			continue;
		}
		dMass mass;
		dBodyGetMass(body, &mass);
		const dReal* f = dBodyGetForce(body);
		const dReal* t = dBodyGetTorque(body);
		const double force = sqrt((double)(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]));
		const double torque = sqrt((double)(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]));
		const double least = fmin(fmin((double)mass.I[0], (double)mass.I[5]), (double)mass.I[10]);
		const double mostForce = (double)(TNS_MAX_SPEED / h) * (double)mass.mass;
		const double mostTorque = (double)(TNS_MAX_SPIN / h) * least;
		if (force > mostForce)
		{
			const dReal scale = (dReal)(mostForce / force);
			dBodySetForce(body, f[0] * scale, f[1] * scale, f[2] * scale);
		}
		if (torque > mostTorque)
		{
			const dReal scale = (dReal)(mostTorque / torque);
			dBodySetTorque(body, t[0] * scale, t[1] * scale, t[2] * scale);
		}
	}
}

// ODE stops the program when it is given numbers that are none. A body that got some goes back to where it was.
static void tnsKeepInBounds(tnsPhysics* physics)
{
	for (int i = 0; i < TNS_MAX_BODIES; ++i)
	{
		tnsSlot* slot = physics->slots + i;
		if (slot->used == false || slot->body == NULL)
		{
			continue;
		}
		tnPose pose;
		tnVec3 velocity, spin;
		tnsPhysics_GetMotion(physics, i, &pose, &velocity, &spin);
		const float speed = tnsGetLength(velocity), turning = tnsGetLength(spin);
		const float place = tnsGetLength(pose.position);
		const float turn = pose.rotation.x + pose.rotation.y + pose.rotation.z + pose.rotation.w;
		if (isfinite(speed + turning + place + turn) == 0)
		{
			tnoSetPose(slot->body, &slot->pose);
			tnsPhysics_SetVelocity(physics, i, (tnVec3){0}, (tnVec3){0});
			continue;
		}
		slot->pose = pose;
		slot->contactCount = 0;
		if (speed > TNS_MAX_SPEED || turning > TNS_MAX_SPIN)
		{
			tnsPhysics_SetVelocity(physics, i, tnsScale(velocity, fminf(1.0f, TNS_MAX_SPEED / fmaxf(speed, 1.0f))),
				tnsScale(spin, fminf(1.0f, TNS_MAX_SPIN / fmaxf(turning, 1.0f))));
		}
	}
}

tnResult tnsPhysics_Step(tnsPhysics* physics)
{
	// The thread may be another one than that of the step before.
	dAllocateODEDataForThread(dAllocateMaskAll);
	// It can be tuned while the scene runs.
	dWorldSetGravity(physics->world, 0, (dReal)-tnsWater_GetGravity(&physics->water), 0);
	const tnResult result = tnoCoupling_Step(physics->coupling, physics->timeStep);
	const float h = physics->timeStep / (float)physics->subSteps;
	if (physics->ground != NULL)
	{
		tnsGatherGround(physics);
	}
	for (int i = 0; i < physics->subSteps; ++i)
	{
		if (i > 0)
		{
			tnoCoupling_AddForces(physics->coupling);
		}
		tnsApplyForces(physics, h * (float)i, h);
		tnsDriveJoints(physics, physics->time + (double)(h * (float)i), h);
		tnsLimitForces(physics, h);
		physics->contactCount = 0;
		dSpaceCollide(physics->space, physics, tnsCollide);
		if (physics->ground != NULL)
		{
			tnsCollideWithGround(physics);
		}
		dRandSetSeed(1);
		dWorldQuickStep(physics->world, (dReal)h);
		dJointGroupEmpty(physics->contacts);
		tnsKeepInBounds(physics);
	}
	physics->time += (double)physics->timeStep;
	physics->pullCount = 0;
	physics->pushCount = 0;
	return result;
}
