// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/voxel_body.h"

// The water that bodies of a run are in: columns, or voxels.

typedef struct tnsWater
{
	// One of them.
	tnWorld* world;
	tnVoxelWorld* voxels;
	// Of a scene of voxels: how large it is, and how much a step may work on.
	tnVoxel size;
	int workLimit;
} tnsWater;

tnResult tnsWater_CreateBody(const tnsWater* water, const tnBodyDef* def, tnBodyId* id);
tnResult tnsWater_DestroyBody(const tnsWater* water, tnBodyId id);
tnResult tnsWater_GetBodyMesh(const tnsWater* water, tnBodyId id, tnBodyMesh* mesh);
tnResult tnsWater_GetBodyState(const tnsWater* water, tnBodyId id, tnBodyState* state);
// m/s^2.
float tnsWater_GetGravity(const tnsWater* water);
// Seconds.
double tnsWater_GetTime(const tnsWater* water);
// Is a point in water?
bool tnsWater_IsWet(const tnsWater* water, tnVec3 point);
// The lowest height at which the bottom of something may be that is put at a point, m.
float tnsWater_GetGround(const tnsWater* water, tnVec3 point);
tnResult tnsWater_Step(const tnsWater* water, float timeStep);
