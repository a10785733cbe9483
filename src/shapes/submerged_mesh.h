// SPDX-License-Identifier: MIT

// The part of a mesh that is below the water: its volume, its waterline, and drag on it.

#pragma once

#include "body_mesh.h"
#include "body_motion.h"

// The largest part of a force or torque that is told, N or N m: the sum of all parts is a float, whatever a host asks for.
#define TN_MAX_FORCE 4.0e37f

// Drag is bounded as if there were at least this much water, kg.
#define TN_LEAST_WATER_MASS 1.0e-6f

static inline float tnBoundForce(double value)
{
	return value > (double)TN_MAX_FORCE ? TN_MAX_FORCE : (value < -(double)TN_MAX_FORCE ? -TN_MAX_FORCE : (float)value);
}

// Integrals over the part of a body that is below a level surface, exact for
// its mesh.

// Water that is level and moves as one.
typedef struct tnAmbient
{
	float height;    // of the surface from the centre of mass, m
	tnVec2 velocity; // m/s
} tnAmbient;

typedef struct tnSubmergence
{
	float volume;        // m^3
	tnVec3 center;       // of that volume, from the centre of mass, m; 0 if there is none
	float waterlineArea; // m^2
	tnVec3 dragForce;    // N, see tnBodyDef
	tnVec3 dragTorque;   // N m about the centre of mass
	// How quickly drag brakes: drag is at most `brake` times the speed against the water, N s/m, if there is no spin,
	// and its torque at most `spinBrake` times the spin, N m s, if there is no other motion. They are the sums over
	// pieces of the surface, of area A, with w the speed across and along it and r from the centre of mass, of
	//   density / 2 * A * (C (|w across| + creep) + F |w along|)   and
	//   density / 2 * A * (C (|w across| + creep) |r x normal|^2 + F |w along| |r|^2),
	// C pressureDrag (times suction behind) and F skinFriction. The derivatives of drag are at most twice as large.
	float brake, spinBrake;
} tnSubmergence;

struct tnTriangleKernels;

// @param points turned into the axes of the world, from the centre of mass, m
tnSubmergence tnMesh_Submerge(const struct tnTriangleKernels* kernels, const tnMesh* mesh, const tnVec3* points,
	const tnAmbient* ambient, const tnMotion* motion, const tnBodyDef* def);

// What of a mesh is below a height.
typedef struct tnBelow
{
	double volume; // m^3
	double area;   // at that height, m^2
	tnVec3 center; // of the volume; 0 if there is none
} tnBelow;

// In double and without drag: for water in hollows, whose level is sought. All heights from the centre of mass.
tnBelow tnMesh_MeasureBelow(const tnMesh* mesh, const tnVec3* points, double height);

typedef struct tnDrag
{
	tnVec3 force;  // N
	tnVec3 torque; // N m about the centre of mass
	float turn;    // the part of it about the vertical axis that comes from the water, not from the damping of the def
} tnDrag;

// Drag of what is below the water, divided so that it cannot turn the velocity against the water round within a step, and the
// damping of the spin that the def asks for.
// @param waterMass of the water that gets the opposite of it, kg, or INFINITY
tnDrag tnMesh_BoundDrag(const tnMesh* mesh, const tnBodyDef* def, tnQuat rotation, const tnMotion* motion,
	const tnSubmergence* wet, float waterMass, float timeStep);

// Where a level surface at `height` from the centre of mass meets a triangle. False if it does not.
bool tnMesh_CutTriangle(const tnMesh* mesh, const tnVec3* points, int index, float height, tnVec3 ends[2]);
// Segments where a level surface at `height` from the centre of mass meets the
// mesh: two points each, from the centre of mass. Returns how many points there
// are; writes at most `capacity`.
int tnMesh_CopyWaterline(const tnMesh* mesh, const tnVec3* points, float height, tnVec3* out, int capacity);
