// SPDX-License-Identifier: MIT

#pragma once

// Open boats of 4 x 2 x 1 m with walls of 0.1 m, and a small engine that moves them.

#include "harness.h"
#include "tarn/tarn.h"

#include <math.h>
#include <string.h>

// 2500 kg over 4 x 2 m draw so much, m.
#define BOAT_MASS 2500.0
#define BOAT_DRAFT 0.3125
// 3.8 x 1.8 x 0.9 m.
#define BOAT_HOLLOW 6.156

typedef struct BoatMesh
{
	tnVec3 points[16];
	int32_t triangles[84];
} BoatMesh;

static inline void AddQuad(int32_t* triangles, int* count, int a, int b, int c, int d)
{
	const int32_t quad[6] = {a, b, c, a, c, d};
	memcpy(triangles + *count, quad, sizeof(quad));
	*count += 6;
}

// One closed mesh: outside, top of the walls, inside.
static inline tnShapeDef MakeBoatMesh(BoatMesh* mesh)
{
	static const float signs[4][2] = {{-1.0f, -1.0f}, {1.0f, -1.0f}, {1.0f, 1.0f}, {-1.0f, 1.0f}};
	for (int i = 0; i < 4; ++i)
	{
		const float x = signs[i][0], z = signs[i][1];
		mesh->points[i] = (tnVec3){2.0f * x, -0.5f, 1.0f * z};
		mesh->points[i + 4] = (tnVec3){2.0f * x, 0.5f, 1.0f * z};
		mesh->points[i + 8] = (tnVec3){1.9f * x, 0.5f, 0.9f * z};
		mesh->points[i + 12] = (tnVec3){1.9f * x, -0.4f, 0.9f * z};
	}
	int count = 0;
	AddQuad(mesh->triangles, &count, 0, 1, 2, 3);
	for (int i = 0; i < 4; ++i)
	{
		const int k = (i + 1) % 4;
		AddQuad(mesh->triangles, &count, k, i, i + 4, k + 4);
		AddQuad(mesh->triangles, &count, k + 4, i + 4, i + 8, k + 8);
		AddQuad(mesh->triangles, &count, k + 8, i + 8, i + 12, k + 12);
	}
	AddQuad(mesh->triangles, &count, 15, 14, 13, 12);
	tnShapeDef shape = tnDefaultShapeDef();
	shape.kind = tn_meshShape;
	shape.points = mesh->points;
	shape.pointCount = 16;
	shape.triangles = mesh->triangles;
	shape.triangleCount = count / 3;
	return shape;
}

static inline tnShapeDef MakePlank(float x, float y, float z, float halfX, float halfY, float halfZ)
{
	tnShapeDef shape = tnDefaultShapeDef();
	shape.halfExtents = (tnVec3){halfX, halfY, halfZ};
	shape.pose.position = (tnVec3){x, y, z};
	return shape;
}

// The same of five boxes, and of six with a bulkhead in the middle that is as high as the walls. Walls stand on the floor.
static inline int MakeBoatOfBoxes(tnShapeDef shapes[6], bool bulkhead)
{
	shapes[0] = MakePlank(0.0f, -0.45f, 0.0f, 2.0f, 0.05f, 1.0f);
	shapes[1] = MakePlank(-1.95f, 0.05f, 0.0f, 0.05f, 0.45f, 1.0f);
	shapes[2] = MakePlank(1.95f, 0.05f, 0.0f, 0.05f, 0.45f, 1.0f);
	shapes[3] = MakePlank(0.0f, 0.05f, -0.95f, 1.9f, 0.45f, 0.05f);
	shapes[4] = MakePlank(0.0f, 0.05f, 0.95f, 1.9f, 0.45f, 0.05f);
	shapes[5] = MakePlank(0.0f, 0.05f, 0.0f, 0.05f, 0.45f, 0.9f);
	return bulkhead ? 6 : 5;
}

// A rigid body of the host: symplectic Euler.
typedef struct Boat
{
	tnBodyId id;
	double position[3], velocity[3], spin[3];
	double turn[4]; // x, y, z, w
	double mass, inertia[3];
	double damping; // 1/s, of the host
} Boat;

static inline tnPose GetBoatPose(const Boat* boat)
{
	return (tnPose){{(float)boat->position[0], (float)boat->position[1], (float)boat->position[2]},
		{(float)boat->turn[0], (float)boat->turn[1], (float)boat->turn[2], (float)boat->turn[3]}};
}

// Put a boat of some shapes into the world, its middle at a place.
static inline tnResult AddBoat(
	tnWorld* world, Boat* boat, const tnShapeDef* shapes, int count, double mass, double x, double y, double z)
{
	*boat = (Boat){.position = {x, y, z}, .turn = {0.0, 0.0, 0.0, 1.0}, .mass = mass};
	boat->inertia[0] = mass * (1.0 + 4.0) / 12.0;
	boat->inertia[1] = mass * (16.0 + 4.0) / 12.0;
	boat->inertia[2] = mass * (16.0 + 1.0) / 12.0;
	tnBodyDef def = tnDefaultBodyDef();
	def.shapes = shapes;
	def.shapeCount = count;
	def.mass = (float)mass;
	def.mode = tn_blockingBody;
	def.pose = GetBoatPose(boat);
	return tnWorld_CreateBody(world, &def, &boat->id);
}

static inline void TurnBoat(Boat* boat, int axis, double angle)
{
	double by[4] = {0.0, 0.0, 0.0, cos(0.5 * angle)};
	by[axis] = sin(0.5 * angle);
	const double* q = boat->turn;
	const double out[4] = {
		by[3] * q[0] + by[0] * q[3] + by[1] * q[2] - by[2] * q[1],
		by[3] * q[1] - by[0] * q[2] + by[1] * q[3] + by[2] * q[0],
		by[3] * q[2] + by[0] * q[1] - by[1] * q[0] + by[2] * q[3],
		by[3] * q[3] - by[0] * q[0] - by[1] * q[1] - by[2] * q[2],
	};
	memcpy(boat->turn, out, sizeof(out));
}

// How far the mast of a boat leans, radians.
static inline double GetHeel(const Boat* boat)
{
	const double* q = boat->turn;
	const double up = 1.0 - 2.0 * (q[0] * q[0] + q[2] * q[2]);
	return acos(fmax(-1.0, fmin(1.0, up)));
}

static inline bool TellBoat(tnWorld* world, const Boat* boat)
{
	const tnPose pose = GetBoatPose(boat);
	const tnVec3 v = {(float)boat->velocity[0], (float)boat->velocity[1], (float)boat->velocity[2]};
	const tnVec3 s = {(float)boat->spin[0], (float)boat->spin[1], (float)boat->spin[2]};
	return tnWorld_MoveBody(world, boat->id, &pose, v, s).status == tn_ok;
}

// @param turns false keeps it upright
static inline bool MoveBoat(tnWorld* world, Boat* boat, double dt, bool turns)
{
	tnWrench wrench;
	if (tnWorld_GetBodyWrench(world, boat->id, &wrench).status != tn_ok)
	{
		return false;
	}
	const double force[3] = {wrench.force.x, wrench.force.y, wrench.force.z};
	const double torque[3] = {wrench.torque.x, wrench.torque.y, wrench.torque.z};
	const double* q = boat->turn;
	// Axes of the body in the world.
	const double axes[3][3] = {
		{1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2]), 2.0 * (q[0] * q[1] + q[2] * q[3]), 2.0 * (q[0] * q[2] - q[1] * q[3])},
		{2.0 * (q[0] * q[1] - q[2] * q[3]), 1.0 - 2.0 * (q[0] * q[0] + q[2] * q[2]), 2.0 * (q[1] * q[2] + q[0] * q[3])},
		{2.0 * (q[0] * q[2] + q[1] * q[3]), 2.0 * (q[1] * q[2] - q[0] * q[3]), 1.0 - 2.0 * (q[0] * q[0] + q[1] * q[1])},
	};
	const double keep = 1.0 - boat->damping * dt;
	for (int i = 0; i < 3; ++i)
	{
		boat->velocity[i] = keep * (boat->velocity[i] + dt * (force[i] / boat->mass - (i == 1 ? 9.81 : 0.0)));
		boat->position[i] += dt * boat->velocity[i];
	}
	for (int i = 0; i < 3 && turns; ++i)
	{
		double along = 0.0;
		for (int k = 0; k < 3; ++k)
		{
			along += axes[i][k] * torque[k];
		}
		for (int k = 0; k < 3; ++k)
		{
			boat->spin[k] += dt * axes[i][k] * along / boat->inertia[i];
		}
	}
	const double* s = boat->spin;
	const double speed = sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
	for (int i = 0; i < 3; ++i)
	{
		boat->spin[i] *= keep;
	}
	if (speed > 0.0)
	{
		const double half = 0.5 * dt;
		const double next[4] = {
			q[0] + half * (s[0] * q[3] + s[1] * q[2] - s[2] * q[1]),
			q[1] + half * (s[1] * q[3] + s[2] * q[0] - s[0] * q[2]),
			q[2] + half * (s[2] * q[3] + s[0] * q[1] - s[1] * q[0]),
			q[3] - half * (s[0] * q[0] + s[1] * q[1] + s[2] * q[2]),
		};
		const double length = sqrt(next[0] * next[0] + next[1] * next[1] + next[2] * next[2] + next[3] * next[3]);
		for (int i = 0; i < 4; ++i)
		{
			boat->turn[i] = next[i] / length;
		}
	}
	return true;
}

static inline bool StepBoats(tnWorld* world, Boat* boats, int count, int steps, double dt, bool turns)
{
	bool ok = true;
	for (int step = 0; step < steps && ok; ++step)
	{
		for (int i = 0; i < count; ++i)
		{
			ok = ok && TellBoat(world, boats + i);
		}
		ok = ok && tnWorld_Step(world, (float)dt).status == tn_ok;
		for (int i = 0; i < count; ++i)
		{
			ok = ok && MoveBoat(world, boats + i, dt, turns);
		}
	}
	return ok;
}
