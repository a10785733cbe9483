// SPDX-License-Identifier: MIT

#pragma once

#include "kits/case_kit.h"
#include "tarn/body.h"

/// @file The host of the body cases: rigid bodies that a small physics engine moves (symplectic Euler, quaternions),
/// one step of the engine for each step of the water.

/// Density of water, kg/m^3.
#define TNC_DENSITY 1000.0

typedef struct tncVec3
{
	double x, y, z;
} tncVec3;

typedef struct tncQuat
{
	double x, y, z, w;
} tncQuat;

/// A symmetric tensor of inertia, kg m^2.
typedef struct tncInertia
{
	double xx, yy, zz, xy, xz, yz;
} tncInertia;

/// A body of the engine and its twin in the water.
typedef struct tncRigid
{
	tnBodyId id;
	tncVec3 position, velocity, spin;
	tncQuat rotation;
	double mass;
	/// About the centre of mass, in the axes of the body.
	tncInertia inertia;
	/// Locked axes of the world: x, y, z.
	bool lockMove[3], lockTurn[3];
	/// Damping of the engine, 1/s. There is none unless the case says so.
	double linearDamping, angularDamping;
	/// Not moved by forces at all: it follows its velocity and spin.
	bool isDriven;
	/// Height of the ground, meters, -INFINITY for none; and the coefficient of friction on it.
	double ground, groundFriction;
	/// No drag in the def of its body: for theories that know none.
	bool isSmooth;
	/// Forces of the host besides weight and water, N.
	tncVec3 push;
	/// What the water did in the last step.
	tncVec3 force, torque;
} tncRigid;

/// A rigid body of one shape and a density in units of water. Its inertia is that of the solid shape. At rest,
/// unturned, nothing locked.
tncRigid tncMakeRigid(const tnShapeDef* shape, double density, double x, double y, double z);

/// Shapes without the fields that they do not need. Cylinders lie along y.
tnShapeDef tncMakeBox(double sizeX, double sizeY, double sizeZ);
tnShapeDef tncMakeSphere(double radius);
tnShapeDef tncMakeCylinder(double radius, double length);

/// The turn by an angle about an axis of the world: 0 x, 1 y, 2 z.
tncQuat tncMakeTurn(int axis, double angle);
tncQuat tncMulQuat(tncQuat a, tncQuat b);
tncVec3 tncTurnVec(tncQuat rotation, tncVec3 v);

/// Put a body into the world. A refusal is a failing row. @param mass of the body def, kg; 0 for that of the rigid body
bool tncAddRigid(tncRun* run, tncRigid* rigid, const tnShapeDef* shape, tnBodyMode mode, double mass);

/// Tell the world where the bodies are, step it once, and let the engine take one step with the wrenches.
void tncStepRigids(tncRun* run, tncRigid* rigids, int count, double timeStep);

/// The engine alone, with the forces that the body holds. @param reach how far it reaches below its centre of mass, for
/// the ground, meters
void tncIntegrate(tncRigid* rigid, double reach, double timeStep);

/// Accuracy of a body that is some cells wide: the ambitious limit is one for bodies of at least six cells, and is only
/// hoped for with smaller ones.
void tncJudgeBody(tncContext* context, double cellCount, double value, double realistic, double ambitious,
	const char* format, ...) TNC_PRINTF(6, 7);

/// Kinetic energy, J.
double tncGetKineticEnergy(const tncRigid* rigid);

// ---------------------------------------------------------------------------------------------------------------------
// Water around bodies

/// The surface of a cell, bed + depth + lift, meters.
double tncGetSurface(const tnWorld* world, int column, int row);

/// What a place in the plane is measured by.
typedef struct tncDisc
{
	double x, z, radius;
} tncDisc;

/// Mean surface of the cells whose centres are outside all discs, meters, and the largest distance from `level`.
typedef struct tncLevel
{
	double mean, worst;
} tncLevel;
tncLevel tncMeasureLevel(const tnWorld* world, const tncDisc* discs, int count, double level);

/// A box along the axes, as lower and upper corners.
typedef struct tncBlock
{
	tncVec3 lower, upper;
} tncBlock;

/// Take out of the depths of a scene what a block displaces of water that stands at `level` over a flat bed at 0, so
/// that the water is at rest when the body appears.
void tncCarve(tncScene* scene, const tncBlock* block, double level);

/// Share of a cell that a block covers.
double tncGetCover(const tncBlock* block, double cellSize, int column, int row);

/// Fill a scene over a flat bed at 0 to a level.
void tncFill(tncScene* scene, double level);

/// Momentum of the water along x, N s.
double tncGetWaterMomentum(tncRun* run);
