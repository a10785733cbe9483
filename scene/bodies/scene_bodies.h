// SPDX-License-Identifier: MIT

#pragma once

#include "scene.h"
#include "tarn/body.h"

/// @file The bodies of a run, and what a player does with them. A physics engine moves them (adapters/): where tarn was
/// built without one, bodies of a scene stay where they are and can be looked at, not played with.

/// Most bodies of a run, those of the player included.
#define TNS_MAX_BODIES 4096

/// Can bodies move, or was tarn built without a physics engine?
bool tnsHavePhysics(void);

/// A body of a run as it is now.
typedef struct tnsBody
{
	tnBodyId id;
	tnPose pose;
	tnVec3 velocity, spin;
	/// kg. INFINITY for a body that never moves.
	float mass;
	/// As light (not as a screen counts it), 0 to 1.
	tnVec3 color;
	/// Held in place or tied to another until it is cut loose.
	bool tied;
	/// The player holds it.
	bool grabbed;
} tnsBody;

/// Bodies have indices from 0 on. An index stays the same as long as the body is there; `false` for one that is not.
int tnsRun_GetBodyEnd(const tnsRun* run);
bool tnsRun_GetBody(const tnsRun* run, int index, tnsBody* body);

/// Cast a ray at the bodies. Returns the index of the first one hit, or -1.
/// @param distance receives how far, in units of the length of the direction. @param point receives where. May be NULL.
int tnsRun_PickBody(const tnsRun* run, tnVec3 origin, tnVec3 direction, float* distance, tnVec3* point);

/// Hold a body at a point of it: from then on a spring pulls that point to the target of tnsRun_DragBody. One at a
/// time.
tnsResult tnsRun_GrabBody(tnsRun* run, int index, tnVec3 point);
void tnsRun_DragBody(tnsRun* run, tnVec3 target);
/// Let go; with a velocity, throw. @param velocity m/s, added to none: the body gets it. NULL: as it moves.
void tnsRun_ReleaseBody(tnsRun* run, const tnVec3* velocity);

/// What a player can put into the world.
typedef enum tnsBodyKind
{
	tns_crate = 0,
	tns_heavyCrate,
	tns_ball,
	tns_barrel,
	tns_log,
	tns_boulder,
	/// Of 75 kg at 1.75 m, with the weight in the feet: stands up again, in a boat as in the water.
	tns_person,
	tns_bodyKindCount,
} tnsBodyKind;

const char* tnsGetBodyKindName(tnsBodyKind kind);
/// The size that a kind has by nature, meters; 0 if it comes in all sizes.
float tnsGetBodyKindSize(tnsBodyKind kind);

/// Put a body into the world. Where another body is it stands on top of it: stacking.
/// @param size of its longest side, meters, > 0. @param index receives its index. May be NULL.
tnsResult tnsRun_AddBody(tnsRun* run, tnsBodyKind kind, tnVec3 position, float size, int* index);
tnsResult tnsRun_RemoveBody(tnsRun* run, int index);

/// Cut all ties of a body: it is free from then on.
tnsResult tnsRun_CutLoose(tnsRun* run, int index);

/// Push a body at its centre of mass during the next step.
/// @param force N
tnsResult tnsRun_PushBody(tnsRun* run, int index, tnVec3 force);

/// Hole the hull of a body that has a hollow (tarn/hollow.h); at a hole: mend that one. The hole opens the hollow that is nearest.
/// @param point in the world. @param area m^2. @param holed receives if there is a hole now. May be NULL.
tnsResult tnsRun_HoleBody(tnsRun* run, int index, tnVec3 point, float area, bool* holed);

/// Put a pump into the hollow that is nearest to a point, which pumps to that point; where there is one: take it away.
/// @param rate m^3/s. @param runs receives if there is a pump now. May be NULL.
tnsResult tnsRun_PumpBody(tnsRun* run, int index, tnVec3 point, float rate, bool* runs);
