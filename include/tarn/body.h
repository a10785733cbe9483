// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/query.h"

/// @file Rigid bodies in the water. The host's physics engine owns their motion:
///
///   tnWorld_MoveBody(world, body, pose, velocity, spin);   // where the engine has it now
///   tnWorld_Step(world, timeStep);
///   tnWorld_GetBodyWrench(world, body, &wrench);           // add to the engine before its next step
///
/// What bodies push aside stays in the world and in its ledger; what they hold in their hollows (hollow.h) is in the ledger, too. A body in
/// blocking mode dams and
/// diverts the flow, which runs under and over it; a body in floating mode only pushes the surface up, and the flow
/// passes through it.

/// A turn, as a unit quaternion: x, y, z is the axis times the sine of half of the angle, w its cosine.
typedef struct tnQuat
{
	float x, y, z, w;
} tnQuat;

/// Where a body is: a point p of its frame is at position + rotation * p.
typedef struct tnPose
{
	/// Of the centre of mass, meters.
	tnVec3 position;
	/// Need not be of unit length, but not near zero.
	tnQuat rotation;
} tnPose;

// ---------------------------------------------------------------------------------------------------------------------
// Shapes

typedef enum tnShapeKind
{
	/// halfExtents.
	tn_boxShape = 0,
	/// radius.
	tn_sphereShape,
	/// radius and halfLength: a cylinder along y with half spheres at both ends.
	tn_capsuleShape,
	/// radius and halfLength, along y.
	tn_cylinderShape,
	/// The convex hull of `points`.
	tn_hullShape,
	/// `points` and `triangles`: closed, and seen from outside the corners of each triangle run counterclockwise. May
	/// be concave and may consist of several parts. Open and inside-out meshes are refused.
	tn_meshShape,
	tn_shapeKindCount,
} tnShapeKind;

/// Most triangles of all shapes of a body together, 2^21.
#define TN_MAX_BODY_TRIANGLES (1 << 21)
/// Most points of a hull.
#define TN_MAX_HULL_POINTS 4096

/// One solid. Bodies of several shapes are compounds; shapes that overlap count twice where they do.
typedef struct tnShapeDef
{
	tnShapeKind kind;
	/// Meters, in (0, TN_MAX_LENGTH].
	tnVec3 halfExtents;
	float radius;
	/// From the middle to the end of the straight part, meters: > 0 for cylinders, >= 0 for capsules.
	float halfLength;
	/// Copied. Meters.
	const tnVec3* points;
	int pointCount;
	/// Three indices of points for each triangle. Copied.
	const int32_t* triangles;
	int triangleCount;
	/// Where the shape lies in the frame of the body.
	tnPose pose;
	uint32_t stamp;
} tnShapeDef;

/// A box of 1 m, in the middle of the body.
TN_API tnShapeDef tnDefaultShapeDef(void);

// ---------------------------------------------------------------------------------------------------------------------
// Bodies

/// A body. Zero is null.
typedef struct tnBodyId
{
	int32_t index1;
	uint32_t generation;
} tnBodyId;

typedef enum tnBodyMode
{
	/// Blocking, unless the body is narrower than a cell. What never moves (infinite mass) and is as long as a cell blocks
	/// however thin it is: a fence.
	tn_autoBody = 0,
	/// Water never enters the body: it is dammed, diverted, runs under and over. The head of the water below is
	/// tracked.
	tn_blockingBody,
	/// The body pushes the surface up by what it displaces, but the flow passes through (after Thuerey et al. 2007).
	/// For small bodies in calm water.
	tn_floatingBody,
	tn_bodyModeCount,
} tnBodyMode;

typedef struct tnBodyDef
{
	/// The solids it consists of, at least one. Copied. The origin of their frame is the centre of mass.
	const tnShapeDef* shapes;
	int shapeCount;
	/// kg, > 0. Forces follow from the shapes alone; the mass says how quickly the body can give way, which bounds
	/// forces that would otherwise throw a light body back and forth. For a body that the host never lets move:
	/// INFINITY.
	float mass;
	tnBodyMode mode;
	tnPose pose;
	/// Of the centre of mass, m/s, and the spin about it, rad/s; both in the frame of the world.
	tnVec3 velocity, spin;
	/// Pressure on what moves against the water, over half density * (normal speed)^2: drag, lift and slam come from
	/// it. At least 0; default 1.
	float pressureDrag;
	/// Suction behind, as a share of that, in [0, 1]; default 0.5.
	float suction;
	/// Relative speed below which that pressure grows like the speed and not like its square, m/s, at least 0; default
	/// 0.5. Only for the sideways part of a surface: it makes a body come to rest, and drift with the current in the
	/// end.
	float creepSpeed;
	/// Skin friction over half density * (tangential speed)^2, at least 0; default 0.005.
	float skinFriction;
	/// Damping of the spin of what is submerged, 1/s, at least 0; default 0.5. Heads are known to a cell, so a round
	/// body a cell or two wide feels a few newton meters too many about its own axis; nothing else would stop it from
	/// spinning.
	float damping;
	/// Look for hollows that stay dry, like the inside of a boat (hollow.h); default true. Shapes that have none, like a box, are as
	/// they are in any case.
	bool hollows;
	/// Comes back in states.
	uint64_t userData;
	uint32_t stamp;
} tnBodyDef;

/// A crate of 1 m and 500 kg at the origin needs nothing but shapes.
TN_API tnBodyDef tnDefaultBodyDef(void);

/// @param id receives the body, or null
TN_API tnResult tnWorld_CreateBody(tnWorld* world, const tnBodyDef* def, tnBodyId* id);
/// The water closes in where it was, and gets what it held.
TN_API tnResult tnWorld_DestroyBody(tnWorld* world, tnBodyId id);

/// Make room for bodies ahead, for instance while a level is loaded: for all that bodies share (ids, lists and what the
/// flow around them needs at most, wherever they go). While there are at most bodyCount bodies, none larger than that of
/// the def, creating one allocates only what it has for itself: its mesh, and what it takes from the cells that it can touch.
/// Changes no bit of the water. The room goes when the last body does.
/// @param bodyCount in all, those that are there included, at least 0
/// @param like a body as large as the largest of them
TN_API tnResult tnWorld_ReserveBodies(tnWorld* world, int bodyCount, const tnBodyDef* like);
TN_API bool tnBody_IsValid(const tnWorld* world, tnBodyId id);

/// Tell where the body is and how it moves, in the frame of the world. It may be anywhere, also outside the world,
/// within 10 * TN_MAX_LENGTH; a jump across the world is a jump, and the water in its way is lifted.
/// @param velocity of the centre of mass, m/s; @param spin rad/s; both at most 1e4 along each axis
TN_API tnResult tnWorld_MoveBody(tnWorld* world, tnBodyId id, const tnPose* pose, tnVec3 velocity, tnVec3 spin);
/// Give a body other shapes in place: a door that opens, a soft or animated body that is another mesh in each step. Id, pose,
/// motion, mass and what the water owes it stay, and until the next step its state is that of the old shapes, but for the
/// volume. Room that is taken or left is water that is displaced or closes in, as if the
/// body had moved; the ledger does not change. If the new mesh has as many points as the old one, they are taken to be the same
/// points, which have moved since the last step, and the water is pushed aside as fast as they say; else the body has jumped, and
/// the water gives way in half a second. Drag knows only the motion of the body as a whole. If there are as many hollows as
/// before they keep their water, leaks and pumps; what has no room, or all of it if not, pours out. Allocates, also in games that step
/// without: what the new shapes need is made before what the old ones needed goes. A call that fails changes nothing.
TN_API tnResult tnWorld_SetBodyShapes(tnWorld* world, tnBodyId id, const tnShapeDef* shapes, int shapeCount);
TN_API tnResult tnWorld_SetBodyMode(tnWorld* world, tnBodyId id, tnBodyMode mode);

/// What the water does to a body: the mean over the last step. Always numbers: no part of a force or torque (see
/// tnBodyState) is told that is larger than 4e37, which takes a def beyond all reason.
typedef struct tnWrench
{
	/// N, in the frame of the world.
	tnVec3 force;
	/// N m about the centre of mass, in the frame of the world.
	tnVec3 torque;
} tnWrench;

/// Zero before the first step.
TN_API tnResult tnWorld_GetBodyWrench(const tnWorld* world, tnBodyId id, tnWrench* wrench);

/// The parts of the wrench, and what the body has to do with the water.
typedef struct tnBodyState
{
	tnPose pose;
	tnVec3 velocity, spin;
	/// What is in use: tn_blockingBody or tn_floatingBody.
	tnBodyMode mode;
	/// Volume of its shapes, with the hollows in them, and what of it is below the water, m^3.
	float volume, submergedVolume;
	/// Middle of what is below the water; the position of the body if nothing is.
	tnVec3 buoyancyCenter;
	/// Area of the body at the waterline, m^2, and the mean height of the water there, meters.
	float waterlineArea, waterlineHeight;
	/// Parts of the force, N: weight of the water it displaces with the push of waves and heads; and what comes from
	/// moving against the water (drag, lift, slam).
	tnVec3 pressure, drag;
	/// What the waves of the wave layer add to that, N; zero in worlds without it.
	tnVec3 waveForce;
	/// What water in the air does that meets it, N; zero in worlds without spray.
	tnVec3 sprayForce;
	/// Weight of the water in its hollows, and what it takes to move that along, N; zero if there is none.
	tnVec3 heldForce;
	/// Parts of the torque about the centre of mass, N m.
	tnVec3 pressureTorque, dragTorque, waveTorque, sprayTorque, heldTorque;
	/// Water in all of its hollows, m^3.
	float heldVolume;
	/// Velocity of the water around it, m/s.
	tnVec2 current;
	uint64_t userData;
} tnBodyState;

TN_API tnResult tnWorld_GetBodyState(const tnWorld* world, tnBodyId id, tnBodyState* state);

/// The shapes of a body as one closed triangle mesh in its frame. Stale after the body is destroyed.
typedef struct tnBodyMesh
{
	const tnVec3* points;
	int pointCount;
	/// Three indices for each triangle, counterclockwise from outside.
	const int32_t* triangles;
	int triangleCount;
} tnBodyMesh;

TN_API tnResult tnWorld_GetBodyMesh(const tnWorld* world, tnBodyId id, tnBodyMesh* mesh);

/// Where the water meets the body after the last step: line segments, two points each, in no particular order.
/// @param points room for `capacity` points, or NULL to count. @param count receives how many there are
TN_API tnResult tnWorld_CopyWaterline(const tnWorld* world, tnBodyId id, tnVec3* points, int capacity, int* count);

/// All bodies, in the order of their index.
/// @param ids room for `capacity`, or NULL to count. Returns how many there are.
TN_API int tnWorld_GetBodies(const tnWorld* world, tnBodyId* ids, int capacity);

/// How much higher than bed + depth the surface stands, meters: in cells that a body takes room from. Depth is the
/// volume of water of a cell over its area; below a body the surface is the height to which the water would rise in a
/// pipe through it. Zero elsewhere. Data is NULL while there has been no body.
TN_API tnFieldView tnWorld_GetLift(const tnWorld* world);
/// The same before the last step, to go with tnWorld_GetPreviousDepth. Data is NULL if def.keepPrevious is off.
TN_API tnFieldView tnWorld_GetPreviousLift(const tnWorld* world);
