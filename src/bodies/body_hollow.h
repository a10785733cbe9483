// SPDX-License-Identifier: MIT

// The hollows of a body, and the water in them.

#pragma once

#include "../shapes/body_mesh.h"
#include "../shapes/hollow_mesh.h"

// Water in one hollow.
typedef struct tnHollow
{
	double held; // m^3
	double came; // in the last step, m^3, negative if it went
	float tracers[TN_MAX_TRACERS];
	// Of the pose at hand, from the centre of mass, in the axes of the world.
	double level;  // height of the surface; of the lowest point if it is empty
	double area;   // of the surface, m^2
	tnVec3 center; // of the water; of the hollow if it is empty
	float low, high;
} tnHollow;

typedef struct tnLeak
{
	tnLeakDef def;
	double pending; // m^3 that are still too little for a cell to tell, from -> to
	bool used;
} tnLeak;

typedef struct tnPump
{
	tnPumpDef def;
	double pending;
	bool used;
} tnPump;

typedef struct tnBodyHollows
{
	tnMesh shown; // the mesh of the shapes alone
	tnHollowMesh mesh;
	tnVec3* points; // of that mesh, in the axes of the world, from the centre of mass
	tnHollow items[TN_MAX_HOLLOWS];
	tnLeak leaks[TN_MAX_LEAKS];
	tnPump pumps[TN_MAX_LEAKS];
	// Of the last step: to know what else pushes the body.
	tnVec3 velocity;  // m/s
	float timeStep;   // s, 0 if there was none
	tnVec3 otherPush; // acceleration by anything but water and gravity, m/s^2
} tnBodyHollows;

// Look for hollows in a mesh. If there are some, the mesh becomes the one with its hollows filled, and the old one goes along.
// @param hollows receives NULL if there are none
// @return false if memory ran out: nothing has changed then
bool tnMakeBodyHollows(tnMesh* mesh, tnMemory* memory, tnBodyHollows** hollows);
void tnBodyHollows_Free(tnBodyHollows* hollows, tnMemory* memory);

// Find the levels in a pose.
void tnBodyHollows_Settle(tnBodyHollows* hollows, tnQuat rotation);

// What a hollow holds below a height from the centre of mass, in the pose that was settled, m^3.
double tnBodyHollows_GetBelow(const tnBodyHollows* hollows, int index, double height);

// Triangles of the surface of the water in a hollow, in the frame of the body (body_hollow_surface.c).
// @param corners room for `capacity`, or NULL to count
// @return how many corners there are, -1 if memory ran out
int tnBodyHollows_CutSurface(const tnBodyHollows* hollows, int index, tnMemory* memory, tnVec3* corners, int capacity);

static inline double tnBodyHollows_GetHeld(const tnBodyHollows* hollows)
{
	double held = 0.0;
	for (int i = 0; hollows != NULL && i < hollows->mesh.count; ++i)
	{
		held += hollows->items[i].held;
	}
	return held;
}
