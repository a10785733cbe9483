// SPDX-License-Identifier: MIT

#pragma once

#include "bodies/scene_bodies.h"
#include "bodies/scene_solids.h"
#include "files/scene_codec.h"
#include "world/scene_run.h"

// The bodies of a run. scene_bodies.c lets those of the scene come, act and go; scene_body_play.c is what a player
// does.

// A body, or the place for one.
typedef struct tnsBodyItem
{
	bool there;
	// Gone for good, or not to come again.
	bool done;
	bool tied;
	// NULL for what a player has put in, which has a kind and a size instead.
	const tnsBodyRule* rule;
	tnsBodyKind kind;
	float size;
	tnBodyId id;
	// Of the centre of mass.
	tnPose pose;
	tnVec3 velocity, spin;
	float mass, radius;
	tnVec3 color;
	// The centre of mass in the frame in which the scene gives the shapes.
	tnVec3 center;
	// When it comes, is let loose, and goes; seconds.
	double appear, release, remove;
	// Where it comes.
	tnVec3 start;
	// The crane has it: where its hook is.
	bool lifted;
	tnVec3 hook;
	// The next point of its path.
	int pathIndex;
} tnsBodyItem;

typedef struct tnsJointItem
{
	bool made, done;
} tnsJointItem;

struct tnsBodies
{
	// NULL until there is a body.
	tnsPhysics* physics;
	tnsBodyItem* items;
	// Indices in use are below `end`; the first of them are those of the scene.
	int end, capacity;
	tnsJointItem* joints;
	// What the player holds, or -1; the point in the frame of the body, and where it should be.
	int grabbed;
	tnVec3 grabPoint, grabTarget;
};

// Put a body at a place that is free. rule is not kept unless the item has it.
// pose is that of the frame in which the rule gives the shapes.
tnResult tnsCreateItem(tnsRun* run, int index, const tnsBodyRule* rule, const tnPose* pose);
// The same with a body that is in the water already, or null; pose is that of the centre of mass.
tnResult tnsRestoreItem(tnsRun* run, int index, const tnsBodyRule* rule, const tnPose* pose, tnBodyId adopted);
void tnsDestroyItem(tnsRun* run, int index);
// What the scene says of the hollows of a body that is new in the water. @param center of mass, in the frame of the shapes
tnResult tnsFillHollows(tnsRun* run, tnBodyId id, const tnsHoldRule* hold, tnVec3 center);
// Is an index that of a body which is there?
bool tnsHasItem(const tnsRun* run, int index);
// Room for one more index. False if memory ran out or there are too many.
bool tnsReserveItem(tnsBodies* bodies);

enum
{
	TNS_KIND_POINTS = 14,
};

// What a rule of a body that a player puts in points to.
typedef struct tnsKindParts
{
	tnVec3 points[TNS_KIND_POINTS];
	tnShapeDef shape;
} tnsKindParts;

tnsBodyRule tnsMakeKindRule(tnsBodyKind kind, float size, tnsKindParts* parts);

// Bodies of a save, on their way from bytes to a run or back (scene_body_save.c).
typedef struct tnsSavedBodies
{
	tnsBodies* bodies;
	tnsMotion* motions;
	tnsJointState* joints;
	double time;
} tnsSavedBodies;

// False if memory ran out. Of the run as it is; or empty, to be read.
bool tnsMakeSavedBodies(const tnsRun* run, bool reads, tnsSavedBodies* saved);
void tnsFreeSavedBodies(const tnsRun* run, tnsSavedBodies* saved);
void tnsCodeBodies(tnsCodec* codec, const tnsRun* run, tnsSavedBodies* saved);
// Make the bodies of a save, and their joints, beside those of the run. The water is not touched if bodies are adopted.
tnResult tnsBuildBodies(tnsRun* run, tnsSavedBodies* saved, bool adopts);
// Bodies of the save become those of the run. Those before are forgotten; the water keeps them.
void tnsTakeBodies(tnsRun* run, tnsSavedBodies* saved);

// Low and high corners of a body in the frame of the world.
void tnsGetItemBounds(const tnsRun* run, int index, tnVec3* low, tnVec3* high);
