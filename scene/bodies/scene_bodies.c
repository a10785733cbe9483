// SPDX-License-Identifier: MIT

// The bodies of a scene: they come, act, are let loose and go.

#include "bodies/scene_bodies_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The spring of a crane's rope, rad/s: the load hangs g / frequency^2, about a quarter of a meter, below its hook.
#define TNS_CRANE_FREQUENCY 6.0f
// A load under water has its friction, one that hangs in the air must not turn forever; 1/s.
#define TNS_CRANE_CALM 0.5f

// How the hand of a player holds, rad/s, 1/s, and how many times its own weight it can pull with.
#define TNS_HAND_FREQUENCY 9.0f
#define TNS_HAND_CALM 3.0f
#define TNS_HAND_STRENGTH 40.0f

// How much a motor turns for each radian that the course is off, and against each radian per second of spin, seconds.
#define TNS_RUDDER_COURSE 1.2f
#define TNS_RUDDER_SPIN 1.5f

tnsBodies* tnsCreateBodies(const tnsScene* scene)
{
	tnsBodies* bodies = calloc(1, sizeof(tnsBodies));
	if (bodies == NULL)
	{
		return NULL;
	}
	bodies->grabbed = -1;
	bodies->capacity = scene->info.bodyCount;
	bodies->end = scene->info.bodyCount;
	bodies->items = calloc((size_t)(bodies->capacity > 0 ? bodies->capacity : 1), sizeof(tnsBodyItem));
	bodies->joints = calloc((size_t)(scene->jointCount > 0 ? scene->jointCount : 1), sizeof(tnsJointItem));
	if (bodies->items == NULL || bodies->joints == NULL)
	{
		tnsDestroyBodies(bodies);
		return NULL;
	}
	for (int i = 0; i < scene->bodyRuleCount; ++i)
	{
		const tnsBodyRule* rule = scene->bodies + i;
		for (int copy = 0; copy < rule->copyCount; ++copy)
		{
			// Along x first, then along z, then up.
			const int x = copy % rule->count[0], z = copy / rule->count[0] % rule->count[2];
			const int y = copy / (rule->count[0] * rule->count[2]);
			const tnVec3 shift = {rule->spacing.x * (float)x, rule->spacing.y * (float)y, rule->spacing.z * (float)z};
			tnsBodyItem* item = bodies->items + rule->first + copy;
			item->rule = rule;
			item->start = tnsAdd(rule->pose.position, shift);
			const double delay = copy * rule->delay;
			item->appear = rule->appear + delay;
			item->release = rule->release + delay;
			item->remove = rule->remove + delay;
		}
	}
	return bodies;
}

void tnsDestroyBodies(tnsBodies* bodies)
{
	if (bodies != NULL)
	{
		tnsDestroyPhysics(bodies->physics);
		free(bodies->items);
		free(bodies->joints);
		free(bodies);
	}
}

bool tnsHasItem(const tnsRun* run, int index)
{
	return index >= 0 && index < run->bodies->end && run->bodies->items[index].there;
}

bool tnsReserveItem(tnsBodies* bodies)
{
	if (bodies->end < bodies->capacity)
	{
		return true;
	}
	if (bodies->end >= TNS_MAX_BODIES)
	{
		return false;
	}
	const int capacity = bodies->capacity > 0 ? 2 * bodies->capacity : 16;
	tnsBodyItem* items = realloc(bodies->items, (size_t)capacity * sizeof(tnsBodyItem));
	if (items == NULL)
	{
		return false;
	}
	memset(items + bodies->capacity, 0, (size_t)(capacity - bodies->capacity) * sizeof(tnsBodyItem));
	bodies->items = items;
	bodies->capacity = capacity;
	return true;
}

// At a pose of the frame of the rule, or of the centre of mass.
static tnResult tnsPlaceItem(
	tnsRun* run, int index, const tnsBodyRule* rule, const tnPose* pose, bool atCenter, tnBodyId adopted)
{
	tnsBodies* bodies = run->bodies;
	if (bodies->physics == NULL)
	{
		bodies->physics = tnsCreatePhysics(&run->water, run->scene->info.timeStep);
		if (bodies->physics == NULL)
		{
			return (tnResult){tn_outOfMemory, "out of memory for the physics of bodies"};
		}
	}
	tnsSolid solid;
	tnResult result = tnsMakeSolid(&run->water, rule, &solid);
	if (result.status != tn_ok)
	{
		return result;
	}
	tnBodyDef def = rule->water;
	def.shapes = solid.shapes;
	def.shapeCount = solid.count;
	def.mass = rule->fixed ? INFINITY : (float)solid.mass;
	def.pose.position = atCenter ? pose->position : tnsToWorld(pose, solid.center);
	def.pose.rotation = pose->rotation;
	def.velocity = rule->velocity;
	def.spin = rule->spin;
	def.userData = (uint64_t)index;
	tnsPhysicsBodyDef physicsDef = {0};
	physicsDef.water = &def;
	physicsDef.parts = solid.parts;
	memcpy(physicsDef.inertia, solid.inertia, sizeof(solid.inertia));
	physicsDef.friction = rule->friction;
	physicsDef.bounce = rule->bounce;
	physicsDef.tied = rule->tied;
	physicsDef.adopted = adopted;
	physicsDef.radius = solid.radius;
	tnsBodyItem* item = bodies->items + index;
	result = tnsPhysics_CreateBody(bodies->physics, index, &physicsDef, &item->id);
	if (result.status == tn_ok)
	{
		item->there = true;
		item->tied = rule->tied;
		item->pose = def.pose;
		item->velocity = def.velocity;
		item->spin = def.spin;
		item->mass = def.mass;
		item->radius = solid.radius;
		item->color = rule->color;
		item->center = solid.center;
	}
	if (result.status == tn_ok && atCenter == false)
	{
		result = tnsFillHollows(run, item->id, &rule->hold, solid.center);
		if (result.status != tn_ok)
		{
			tnsDestroyItem(run, index);
		}
	}
	tnsFreeSolid(&solid);
	return result;
}

tnResult tnsCreateItem(tnsRun* run, int index, const tnsBodyRule* rule, const tnPose* pose)
{
	return tnsPlaceItem(run, index, rule, pose, false, (tnBodyId){0});
}

tnResult tnsRestoreItem(tnsRun* run, int index, const tnsBodyRule* rule, const tnPose* pose, tnBodyId adopted)
{
	return tnsPlaceItem(run, index, rule, pose, true, adopted);
}

void tnsDestroyItem(tnsRun* run, int index)
{
	tnsBodies* bodies = run->bodies;
	const tnsScene* scene = run->scene;
	for (int i = 0; i < scene->jointCount; ++i)
	{
		if (bodies->joints[i].made && (scene->joints[i].a == index || scene->joints[i].b == index))
		{
			tnsPhysics_DestroyJoint(bodies->physics, i);
			bodies->joints[i] = (tnsJointItem){false, true};
		}
	}
	tnsPhysics_DestroyBody(bodies->physics, index);
	bodies->grabbed = bodies->grabbed == index ? -1 : bodies->grabbed;
	bodies->items[index].there = false;
	bodies->items[index].done = true;
	bodies->items[index].id = (tnBodyId){0};
}

void tnsGetItemBounds(const tnsRun* run, int index, tnVec3* low, tnVec3* high)
{
	const tnsBodyItem* item = run->bodies->items + index;
	tnBodyMesh mesh = {0};
	*low = item->pose.position;
	*high = item->pose.position;
	(void)tnsWater_GetBodyMesh(&run->water, item->id, &mesh);
	for (int i = 0; i < mesh.pointCount; ++i)
	{
		const tnVec3 p = tnsToWorld(&item->pose, mesh.points[i]);
		*low = (tnVec3){fminf(low->x, p.x), fminf(low->y, p.y), fminf(low->z, p.z)};
		*high = (tnVec3){fmaxf(high->x, p.x), fmaxf(high->y, p.y), fmaxf(high->z, p.z)};
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// What is due

static tnsResult tnsUpdateItem(tnsRun* run, int index, double now)
{
	tnsBodies* bodies = run->bodies;
	tnsBodyItem* item = bodies->items + index;
	if (item->there == false && item->done == false && item->appear <= now)
	{
		const tnPose pose = {item->start, item->rule->pose.rotation};
		const tnResult result = tnsCreateItem(run, index, item->rule, &pose);
		if (result.status != tn_ok)
		{
			return tnsMakeSceneError(run->scene, tns_worldError, item->rule->place, "%s", result.text);
		}
	}
	if (item->there && item->tied && item->release <= now)
	{
		item->tied = false;
		tnsPhysics_SetTied(bodies->physics, index, false);
	}
	if (item->there && item->remove <= now)
	{
		tnsDestroyItem(run, index);
	}
	return (tnsResult){0};
}

static void tnsUpdateJoints(tnsRun* run, double now)
{
	tnsBodies* bodies = run->bodies;
	for (int i = 0; i < run->scene->jointCount; ++i)
	{
		const tnsJointRule* rule = run->scene->joints + i;
		tnsJointItem* joint = bodies->joints + i;
		if (joint->made == false && joint->done == false && tnsHasItem(run, rule->a) &&
			(rule->b < 0 || tnsHasItem(run, rule->b)))
		{
			joint->made = tnsPhysics_CreateJoint(bodies->physics, i, rule);
			joint->done = joint->made == false;
		}
		if (joint->made && rule->cut <= now)
		{
			tnsPhysics_DestroyJoint(bodies->physics, i);
			*joint = (tnsJointItem){false, true};
		}
	}
}

tnsResult tnsUpdateBodies(tnsRun* run, double now)
{
	for (int i = 0; i < run->scene->info.bodyCount; ++i)
	{
		const tnsResult result = tnsUpdateItem(run, i, now);
		if (result.status != tns_ok)
		{
			return result;
		}
	}
	tnsUpdateJoints(run, now);
	return (tnsResult){0};
}

double tnsGetLastTime(const tnsRun* run)
{
	double last = 0.0;
	for (int i = 0; i < run->scene->info.bodyCount; ++i)
	{
		const tnsBodyItem* item = run->bodies->items + i;
		const tnsBodyRule* rule = item->rule;
		const double times[] = {item->appear, item->release, item->remove, rule->lift.given ? rule->lift.start : 0.0,
			rule->lift.given ? rule->lift.stop : 0.0, rule->lift.given ? rule->lift.release : 0.0,
			rule->thrust.given ? rule->thrust.start : 0.0, rule->thrust.given ? rule->thrust.stop : 0.0};
		for (size_t k = 0; k < sizeof(times) / sizeof(times[0]); ++k)
		{
			last = isfinite(times[k]) ? fmax(last, times[k]) : last;
		}
	}
	for (int i = 0; i < run->scene->jointCount; ++i)
	{
		last = isfinite(run->scene->joints[i].cut) ? fmax(last, run->scene->joints[i].cut) : last;
	}
	return last;
}

// ---------------------------------------------------------------------------------------------------------------------
// What bodies do

static void tnsLift(tnsRun* run, int index, double now)
{
	tnsBodyItem* item = run->bodies->items + index;
	const tnsLiftRule* lift = &item->rule->lift;
	if (lift->given == false || now < lift->start || now >= lift->release)
	{
		item->lifted = false;
		return;
	}
	const tnVec3 point = tnsSubtract(lift->at, item->center);
	if (item->lifted == false)
	{
		item->lifted = true;
		item->hook = tnsToWorld(&item->pose, point);
	}
	const tnVec3 velocity = now < lift->stop ? lift->velocity : (tnVec3){0};
	const tnsPull pull = {index, point, item->hook, velocity, TNS_CRANE_FREQUENCY, TNS_CRANE_CALM, INFINITY};
	tnsPhysics_Pull(run->bodies->physics, &pull);
	item->hook = tnsAdd(item->hook, tnsScale(velocity, run->scene->info.timeStep));
}

// The angle by which a motor is turned, positive to turn the body about +y.
static float tnsGetRudder(const tnsThrustRule* thrust, const tnsBodyItem* item, tnVec3 forward)
{
	if (thrust->pathCount == 0)
	{
		return 0.0f;
	}
	const tnVec2 goal = thrust->path[item->pathIndex];
	const float x = goal.x - item->pose.position.x, z = goal.z - item->pose.position.z;
	const float off = atan2f(forward.z * x - forward.x * z, forward.x * x + forward.z * z);
	const float most = thrust->rudder * 0.0174532925f;
	const float wanted = TNS_RUDDER_COURSE * off - TNS_RUDDER_SPIN * item->spin.y;
	return fmaxf(-most, fminf(most, wanted));
}

static void tnsThrust(tnsRun* run, int index, double now)
{
	tnsBodyItem* item = run->bodies->items + index;
	const tnsThrustRule* thrust = &item->rule->thrust;
	if (thrust->given == false || now < thrust->start || now >= thrust->stop)
	{
		return;
	}
	while (item->pathIndex < thrust->pathCount &&
		hypotf(thrust->path[item->pathIndex].x - item->pose.position.x,
			thrust->path[item->pathIndex].z - item->pose.position.z) < thrust->reach)
	{
		item->pathIndex += 1;
	}
	if (thrust->pathCount > 0 && item->pathIndex == thrust->pathCount)
	{
		return;
	}
	// A screw in the air pushes nothing.
	const tnVec3 point = tnsToWorld(&item->pose, tnsSubtract(thrust->at, item->center));
	const tnVec3 forward = tnsRotate(item->pose.rotation, thrust->direction);
	if (tnsWater_IsWet(&run->water, point) == false)
	{
		return;
	}
	const float angle = tnsGetRudder(thrust, item, forward);
	const float c = cosf(angle), s = sinf(angle);
	const tnVec3 turned = {c * forward.x - s * forward.z, forward.y, s * forward.x + c * forward.z};
	tnsPhysics_Push(run->bodies->physics, index, tnsScale(turned, thrust->force), point);
}

// Bodies that went over an edge which does not hold them are gone.
static bool tnsHasLeft(const tnsRun* run, const tnsBodyItem* item)
{
	const tnsCells* cells = &run->scene->cells;
	const double x = (double)item->pose.position.x, z = (double)item->pose.position.z, far = (double)item->radius;
	return !(x > cells->originX - far && x < cells->originX + cells->columnCount * cells->cellSize + far &&
		z > cells->originZ - far && z < cells->originZ + cells->rowCount * cells->cellSize + far &&
		fabsf(item->pose.position.y) < TN_MAX_LENGTH);
}

tnResult tnsStepBodies(tnsRun* run)
{
	tnsBodies* bodies = run->bodies;
	if (bodies->physics == NULL)
	{
		return tnsWater_Step(&run->water, run->scene->info.timeStep);
	}
	const double now = tnsWater_GetTime(&run->water) + 0.5 * (double)run->scene->info.timeStep;
	for (int i = 0; i < run->scene->info.bodyCount; ++i)
	{
		if (bodies->items[i].there)
		{
			tnsLift(run, i, now);
			tnsThrust(run, i, now);
		}
	}
	if (bodies->grabbed >= 0)
	{
		const float gravity = tnsWater_GetGravity(&run->water);
		const float strength = TNS_HAND_STRENGTH * bodies->items[bodies->grabbed].mass * gravity;
		tnsPull pull = {0};
		pull.body = bodies->grabbed;
		pull.point = bodies->grabPoint;
		pull.target = bodies->grabTarget;
		pull.frequency = TNS_HAND_FREQUENCY;
		pull.calm = TNS_HAND_CALM;
		pull.maxForce = strength;
		tnsPhysics_Pull(bodies->physics, &pull);
	}
	const tnResult result = tnsPhysics_Step(bodies->physics);
	for (int i = 0; i < bodies->end; ++i)
	{
		tnsBodyItem* item = bodies->items + i;
		if (item->there == false)
		{
			continue;
		}
		tnsPhysics_GetMotion(bodies->physics, i, &item->pose, &item->velocity, &item->spin);
		if (tnsHasLeft(run, item))
		{
			tnsDestroyItem(run, i);
		}
	}
	return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Looking at them

int tnsRun_GetBodyEnd(const tnsRun* run)
{
	return run->bodies->end;
}

bool tnsRun_GetBody(const tnsRun* run, int index, tnsBody* body)
{
	if (tnsHasItem(run, index) == false)
	{
		return false;
	}
	const tnsBodyItem* item = run->bodies->items + index;
	bool joined = false;
	for (int i = 0; i < run->scene->jointCount; ++i)
	{
		const tnsJointRule* rule = run->scene->joints + i;
		joined = joined || (run->bodies->joints[i].made && (rule->a == index || rule->b == index));
	}
	*body = (tnsBody){item->id, item->pose, item->velocity, item->spin, item->mass, item->color, item->tied || joined,
		run->bodies->grabbed == index};
	return true;
}
