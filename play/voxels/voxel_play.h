// SPDX-License-Identifier: MIT

#pragma once

#include "tools/tools.h"
#include "viewer/play_camera.h"
#include "voxel_scene.h"

// A scene of voxels in the viewer: its run, where the cursor points in it, what tools do to it, and the chunks that the
// picture has to catch up with. Everything happens in the part of the world that is shown: nobody digs what cannot be seen.

// Where a ray meets ground or liquid.
typedef struct tnpVoxelHit
{
	bool hit;
	tnVec3 point;
	// Along an axis, towards the eye.
	tnVec3 normal;
	// The top of liquid?
	bool liquid;
} tnpVoxelHit;

enum
{
	// Of one tick: a hand that jumps leaves gaps rather than a slow picture.
	TNP_MAX_BALLS = 32,
};

// What a hand does. A stroke of the tools for liquid acts in each step; one of those for ground puts a ball where it
// begins, more of them along its way, and one after the other while it is held still.
typedef struct tnpVoxelStroke
{
	tnpTool tool;
	// Where the hand was at first and is now, and the way from the eye to it.
	tnpVoxelHit start, hand;
	tnVec3 along;
	// m, and a factor on how fast.
	float radius, strength;
	// The last ball: where, and how many steps until the next. Building grows away from the ground by `lift` meters.
	bool begun;
	tnVec3 last;
	int wait;
	float lift;
	// Balls of ground that the last tick has put.
	tnVec3 balls[TNP_MAX_BALLS];
	int ballCount;
	// Voxels of ground or of liquid that the last tick has changed.
	double moved;
} tnpVoxelStroke;

typedef struct tnpVoxelPlay
{
	tnsVoxelScene* scene;
	tnsVoxelRun* run;
	// Of the run, and of the scene.
	tnVoxelWorld* world;
	const tnsVoxelSceneInfo* info;
	int workerCount;
	size_t memoryLimit;
	// What the pour tool and the lava tool pour: the first liquid that does not glow and that does. 0: there is none.
	int water, lava;
	// Chunks that are drawn, and which of them have changed since they were.
	tnVoxelBox chunks;
	bool* isPending;
	int chunkCount, pendingCount, nextChunk;
	tnpVoxelHit cursor;
	tnpVoxelStroke stroke;
	// The body that the hand points at or holds, -1: none.
	int pointed;
} tnpVoxelPlay;

// Load a scene and begin it. @return NULL if the result is not tns_ok
tnpVoxelPlay* tnpOpenVoxels(const char* path, int workerCount, size_t memoryLimit, tnsResult* result);
// NULL is allowed.
void tnpCloseVoxels(tnpVoxelPlay* voxels);
// From the start. On failure all stays as it was.
tnsResult tnpVoxels_Restart(tnpVoxelPlay* voxels);

tnpStage tnpVoxels_GetStage(const tnpVoxelPlay* voxels);
// Seconds of a step.
float tnpVoxels_GetTimeStep(const tnpVoxelPlay* voxels);
// In m^3, with what waits for a place.
double tnpVoxels_GetVolume(const tnpVoxelPlay* voxels, int liquid);
// Units lost or made, of all liquids: 0.
int64_t tnpVoxels_GetDrift(const tnpVoxelPlay* voxels);

// Show all of it from now on.
tnrResult tnpVoxels_Show(tnpVoxelPlay* voxels, tnrRenderer* renderer);
enum
{
	// Chunks between two looks at the clock.
	TNP_MESH_PORTION = 4,
};

// Make meshes anew of what has changed, for about so long. What is left over comes with the next picture.
void tnpVoxels_CatchUp(tnpVoxelPlay* voxels, tnrRenderer* renderer, double seconds);

// How high ground or liquid reaches below a height at a place, m.
float tnpVoxels_GetTop(const tnpVoxelPlay* voxels, tnVec2 place, float below);

// The first ground, or ground or liquid, along a ray. Direction has length 1.
tnpVoxelHit tnpVoxels_Pick(const tnpVoxelPlay* voxels, tnVec3 origin, tnVec3 direction, bool liquid);

// voxel_tools.c
bool tnpIsVoxelTool(tnpTool tool);
// Does a tool go through liquid, to the ground?
bool tnpIsGroundTool(tnpTool tool);
// One ball of ground, or of air, in the part that is shown.
tnResult tnpVoxels_PutBall(tnpVoxelPlay* voxels, tnpTool tool, tnVec3 center, float radius);
// Act once, for one step.
tnResult tnpVoxels_ApplyStroke(tnpVoxelPlay* voxels, tnpVoxelStroke* stroke);
