// SPDX-License-Identifier: MIT

// Bodies of a run to bytes and back. The water has its half of them in its own snapshot; here is what the physics engine knows,
// and what the scene was about to do. Joints are made anew from the scene, with the bodies where they were when it made them.

#include "bodies/scene_bodies_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// More than any body has, m/s and rad/s.
#define TNS_MOST_SPEED 1.0e6

bool tnsMakeSavedBodies(const tnsRun* run, bool reads, tnsSavedBodies* saved)
{
	const size_t jointCount = (size_t)run->scene->jointCount + 1;
	*saved = (tnsSavedBodies){.bodies = reads ? tnsCreateBodies(run->scene) : run->bodies};
	saved->motions = calloc(TNS_MAX_BODIES, sizeof(tnsMotion));
	saved->joints = calloc(jointCount, sizeof(tnsJointState));
	if (saved->bodies == NULL || saved->motions == NULL || saved->joints == NULL)
	{
		tnsFreeSavedBodies(run, saved);
		return false;
	}
	const tnsPhysics* physics = saved->bodies->physics;
	if (physics == NULL)
	{
		return true;
	}
	saved->time = tnsPhysics_GetTime(physics);
	for (int i = 0; i < saved->bodies->end; ++i)
	{
		saved->motions[i] = saved->bodies->items[i].there ? tnsPhysics_GetState(physics, i) : (tnsMotion){0};
	}
	for (int i = 0; i < run->scene->jointCount; ++i)
	{
		saved->joints[i] = saved->bodies->joints[i].made ? tnsPhysics_GetJoint(physics, i) : (tnsJointState){0};
	}
	return true;
}

void tnsFreeSavedBodies(const tnsRun* run, tnsSavedBodies* saved)
{
	if (saved->bodies != NULL && saved->bodies != run->bodies)
	{
		tnsPhysics* physics = saved->bodies->physics;
		if (physics != NULL)
		{
			tnsPhysics_Forget(physics);
		}
		tnsDestroyBodies(saved->bodies);
	}
	free(saved->motions);
	free(saved->joints);
	*saved = (tnsSavedBodies){0};
}

static void tnsCodeMotion(tnsCodec* codec, tnsMotion* motion)
{
	for (int i = 0; i < 3; ++i)
	{
		tnsCodec_Double(codec, motion->position + i, 10.0 * (double)TN_MAX_LENGTH, "the place of a body");
		tnsCodec_Double(codec, motion->velocity + i, TNS_MOST_SPEED, "the speed of a body");
		tnsCodec_Double(codec, motion->spin + i, TNS_MOST_SPEED, "the spin of a body");
	}
	double square = 0.0;
	for (int i = 0; i < 4; ++i)
	{
		tnsCodec_Double(codec, motion->rotation + i, 1.001, "the rotation of a body");
		square += motion->rotation[i] * motion->rotation[i];
	}
	if (tnsCodec_Reads(codec) && !(fabs(square - 1.0) < 1.0e-3))
	{
		tnsCodec_Refuse(codec, "the rotation of a body must have length 1 in the save, got %g", sqrt(square));
	}
	tnsCodec_Bool(codec, &motion->awake);
}

static void tnsCodeItem(tnsCodec* codec, const tnsRun* run, tnsBodyItem* item, tnsMotion* motion)
{
	int kind = (int)item->kind;
	tnsCodec_Bool(codec, &item->there);
	tnsCodec_Bool(codec, &item->done);
	if (item->there == false)
	{
		return;
	}
	tnsCodec_Bool(codec, &item->tied);
	tnsCodec_Bool(codec, &item->lifted);
	if (item->rule == NULL)
	{
		tnsCodec_Int(codec, &kind, 0, tns_bodyKindCount - 1, "the kind of a body");
		tnsCodec_Float(codec, &item->size, 1000.0f, "the size of a body");
		item->kind = (tnsBodyKind)kind;
		if (item->size < 0.01f)
		{
			tnsCodec_Refuse(codec, "the size of a body must be at least 0.01 in the save");
		}
	}
	tnsCodec_Id(codec, &item->id.index1, &item->id.generation);
	tnsCodec_Pose(codec, &item->pose, "the pose of a body");
	tnsCodec_Vector(codec, &item->velocity, (float)TNS_MOST_SPEED, "the speed of a body");
	tnsCodec_Vector(codec, &item->spin, (float)TNS_MOST_SPEED, "the spin of a body");
	tnsCodec_Vector(codec, &item->hook, 10.0f * TN_MAX_LENGTH, "the hook of a crane");
	const int most = item->rule != NULL ? item->rule->thrust.pathCount : 0;
	tnsCodec_Int(codec, &item->pathIndex, 0, most, "the way of a body");
	tnsCodeMotion(codec, motion);
	if (run->world != NULL && item->id.index1 <= 0)
	{
		tnsCodec_Refuse(codec, "a body has no id in the save");
	}
}

void tnsCodeBodies(tnsCodec* codec, const tnsRun* run, tnsSavedBodies* saved)
{
	tnsBodies* bodies = saved->bodies;
	int end = bodies->end;
	tnsCodec_Expect(codec, run->scene->info.bodyCount, "bodies");
	tnsCodec_Expect(codec, run->scene->jointCount, "joints");
	tnsCodec_Int(codec, &end, run->scene->info.bodyCount, TNS_MAX_BODIES, "the number of bodies");
	for (int i = 0; i < end && tnsCodec_IsOk(codec); ++i)
	{
		if (i >= bodies->end)
		{
			if (tnsReserveItem(bodies) == false)
			{
				codec->result = tnsMakeError(tns_outOfMemory, "out of memory for %d bodies", end);
				return;
			}
			bodies->end += 1;
		}
		tnsCodeItem(codec, run, bodies->items + i, saved->motions + i);
	}
	for (int i = 0; i < run->scene->jointCount && tnsCodec_IsOk(codec); ++i)
	{
		tnsJointState* state = saved->joints + i;
		tnsCodec_Bool(codec, &bodies->joints[i].made);
		tnsCodec_Bool(codec, &bodies->joints[i].done);
		if (bodies->joints[i].made)
		{
			tnsCodec_Pose(codec, &state->a, "the pose of a joint");
			tnsCodec_Pose(codec, &state->b, "the pose of a joint");
			tnsCodec_Double(codec, &state->angle, 1.0e9, "the angle of a joint");
			tnsCodec_Double(codec, &state->lastAngle, 1.0e9, "the angle of a joint");
			const tnsJointRule* rule = run->scene->joints + i;
			if (bodies->items[rule->a].there == false || (rule->b >= 0 && bodies->items[rule->b].there == false))
			{
				tnsCodec_Refuse(codec, "joint %d holds a body that is not there in the save", i);
			}
		}
	}
	tnsCodec_Double(codec, &saved->time, 1.0e15, "the time of bodies");
}

static tnResult tnsBuildItem(tnsRun* run, int index, const tnsMotion* motion, bool adopts)
{
	tnsBodies* bodies = run->bodies;
	const tnsBodyItem saved = bodies->items[index];
	tnsKindParts parts;
	const tnsBodyRule made = saved.rule == NULL ? tnsMakeKindRule(saved.kind, saved.size, &parts) : (tnsBodyRule){0};
	const tnsBodyRule* rule = saved.rule != NULL ? saved.rule : &made;
	const tnResult result = tnsRestoreItem(run, index, rule, &saved.pose, adopts ? saved.id : (tnBodyId){0});
	if (result.status != tn_ok)
	{
		return result;
	}
	tnsBodyItem* item = bodies->items + index;
	item->tied = saved.tied;
	item->pose = saved.pose;
	item->velocity = saved.velocity;
	item->spin = saved.spin;
	if (rule->tied && saved.tied == false)
	{
		tnsPhysics_SetTied(bodies->physics, index, false);
	}
	tnsPhysics_SetState(bodies->physics, index, motion);
	return result;
}

tnResult tnsBuildBodies(tnsRun* run, tnsSavedBodies* saved, bool adopts)
{
	tnsBodies* before = run->bodies;
	tnsBodies* bodies = saved->bodies;
	run->bodies = bodies;
	tnResult result = {0};
	for (int i = 0; i < bodies->end && result.status == tn_ok; ++i)
	{
		if (bodies->items[i].there)
		{
			result = tnsBuildItem(run, i, saved->motions + i, adopts);
		}
	}
	for (int i = 0; i < run->scene->jointCount && result.status == tn_ok; ++i)
	{
		if (bodies->joints[i].made)
		{
			bodies->joints[i].made =
				tnsPhysics_RestoreJoint(bodies->physics, i, run->scene->joints + i, saved->joints + i);
		}
	}
	// Joints wake what they hold.
	for (int i = 0; i < bodies->end && result.status == tn_ok; ++i)
	{
		if (bodies->items[i].there)
		{
			tnsPhysics_SetState(bodies->physics, i, saved->motions + i);
		}
	}
	if (bodies->physics != NULL)
	{
		tnsPhysics_SetTime(bodies->physics, saved->time);
	}
	run->bodies = before;
	return result;
}

void tnsTakeBodies(tnsRun* run, tnsSavedBodies* saved)
{
	tnsBodies* before = run->bodies;
	run->bodies = saved->bodies;
	saved->bodies = before;
	tnsFreeSavedBodies(run, saved);
}
