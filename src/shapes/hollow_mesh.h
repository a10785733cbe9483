// SPDX-License-Identifier: MIT

// Which rooms of a mesh would hold water, or stay dry in it: hulls of boats, tanks, holds between bulkheads.

#pragma once

#include "../core/memory.h"
#include "body_triangles.h"
#include "tarn/hollow.h"

// A piece of the rim of a hollow, over which water comes and goes. All in the frame of the body.
typedef struct tnRim
{
	tnVec3 crest;  // the highest point on the way out from the middle of the piece
	tnVec3 beyond; // where the way out ends, beyond the wall, at the height of the crest
	float length;  // m
	int16_t other; // the hollow on the other side of it, or -1 for the world
} tnRim;

// One hollow: a closed mesh, and where its rim is.
typedef struct tnHollowShape
{
	int firstTriangle, triangleCount;
	int firstRim, rimCount;
	float volume;    // m^3
	tnVec3 centroid; // of the volume
	float lid;       // height of the plane that closes it, in the frame of the body, m
	float lidArea;   // m^2
	bool open;       // it has a lid; if not it is closed on all sides
} tnHollowShape;

typedef struct tnHollowMesh
{
	tnVec3* points; // in the frame of the body
	int pointCount;
	int32_t* triangles; // counterclockwise, seen from outside of the hollow
	int triangleCount;
	tnRim* rims;
	int rimCount;
	tnHollowShape items[TN_MAX_HOLLOWS];
	int count;
} tnHollowMesh;

// Look for hollows.
// @param hull receives the mesh with all of its hollows filled: what the water around it meets. Only if there are hollows.
// @param hollows receives the hollows; count is 0 if there are none
// @return false if memory ran out: then there is nothing to destroy
bool tnFindHollows(const tnMesh* mesh, tnMemory* memory, tnMesh* hull, tnHollowMesh* hollows);
void tnHollowMesh_Destroy(tnHollowMesh* hollows, tnMemory* memory);
