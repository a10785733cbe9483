// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/hollow.h"

// The rooms of a body that has hollows.

typedef struct tnrRooms
{
	tnBodyMesh meshes[TN_MAX_HOLLOWS];
	// Highest point of each in the frame of the body: its lid.
	float tops[TN_MAX_HOLLOWS];
	int count;
} tnrRooms;

// @param world NULL: there are none
void tnrFindRooms(tnrRooms* rooms, const tnWorld* world, tnBodyId id);
// The room that a place is in, or -1. @param mesh of the body
int tnrFindRoom(const tnrRooms* rooms, const tnBodyMesh* mesh, tnVec3 place);
// Triangles of all rooms as shares of a scale, three floats for each vertex. @param vertices NULL to count @return vertices
int tnrListRooms(const tnrRooms* rooms, tnVec3 scale, float* vertices);
