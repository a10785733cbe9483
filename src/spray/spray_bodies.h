// SPDX-License-Identifier: MIT

#pragma once

#include "../bodies/bodies.h"
#include "../shapes/mesh_tree.h"
#include "tarn/spray.h"

// Water in the air meets bodies: spray_hits.c has the rules.

#define TN_IMPULSE_UNITS 1048576.0 // of sums, 2^20 per N s

enum
{
	// Cells along a side of a block: bodies are looked up by block.
	TN_SPRAY_BLOCK = 8,
	// Sums of a body: force and torque along x, y, z, and mass.
	TN_HIT_SUMS = 7,
};

// A body at a moment.
typedef struct tnFrame
{
	double position[3];
	double axes[3][3]; // of the body, in those of the world
} tnFrame;

// A body as spray sees it.
typedef struct tnObstacle
{
	tnMeshTree tree;
	tnPose from, to;    // during this step
	tnFrame begin, end; // of these
	float reach;        // from `to` within which it is during this step, m
	bool isKnown;       // `to` is of the step before
	bool hasJumped;     // it is not known where it was
	float massInverse;  // 1/kg, 0 for what never moves
	float spinInverse;  // 1/(kg m^2), of the axis about which it turns most easily
	double hitMass;     // of the water that met it in the last step, kg
	float submerged;    // volume below the water after the last step, m^3; see spray_slam.c
	bool isSubmergedKnown;
} tnObstacle;

// Where a body is during a step, for a first look.
typedef struct tnSprayBall
{
	tnVec3 center; // as `to` of the obstacle, m
	float reach;
} tnSprayBall;

// Which bodies may be over a block of cells: bit i >> shift for entry i of the list of bodies. And between which heights, m.
typedef struct tnSprayBlock
{
	uint64_t bits;
	float low, high;
} tnSprayBlock;

typedef struct tnSprayBodies
{
	tnObstacle* items;  // by index of the body
	tnSprayBall* balls; // by entry of the list of bodies
	int64_t* sums;      // by worker, then by index of the body: TN_HIT_SUMS each
	int capacity, workerCount;
	tnSprayBlock* blocks;
	int blockColumns, blockRows;
	int shift;       // so that bits are enough for all bodies
	bool isAny;      // any bit
	bool haveJumped; // any of them
} tnSprayBodies;

// @param share of the step
tnFrame tnObstacle_GetFrame(const tnObstacle* item, float share);

struct tnSpray;
struct tnSprayStep;

// Make room for as many bodies as `bodies` has. Called between steps. False if memory ran out.
bool tnSprayBodies_Reserve(
	tnSprayBodies* obstacles, tnMemory* memory, const tnGrid* grid, const tnBodies* bodies, int workerCount);
// What is needed of a new body. The same.
bool tnObstacle_Make(tnObstacle* item, tnMemory* memory, const tnBody* body);
// How easily it gives way.
void tnObstacle_SetMass(tnObstacle* item, const tnBody* body);
void tnSprayBodies_Remove(tnSprayBodies* obstacles, tnMemory* memory, int index);
void tnSprayBodies_Destroy(tnSprayBodies* obstacles, tnMemory* memory);

// Before particles fly: where are bodies, and where do they go?
void tnSprayBodies_Begin(tnSprayBodies* obstacles, const tnGrid* grid, const tnBodies* bodies);
// After that: what particles have done to bodies joins their wrenches.
void tnSprayBodies_End(tnSprayBodies* obstacles, tnBodies* bodies, float timeStep);

// What a particle has to do with bodies in a step.
typedef struct tnContact
{
	int worker;
	float begin, end; // of this part of its flight, as shares of the step
	bool isNew;       // its first step
	bool hasHit;      // a body, in this step: it has changed its velocity already
} tnContact;

// Bodies that may be around a place.
static inline uint64_t tnSprayBodies_Find(const tnSprayBodies* obstacles, const tnGrid* grid, tnVec3 position)
{
	float x = (position.x - grid->origin.x) / grid->cellSize;
	float z = (position.z - grid->origin.z) / grid->cellSize;
	const float width = (float)grid->columnCount;
	const float length = (float)grid->rowCount;
	x = grid->wrapX ? (x < 0.0f ? x + width : (x >= width ? x - width : x)) : x;
	z = grid->wrapZ ? (z < 0.0f ? z + length : (z >= length ? z - length : z)) : z;
	if (!(x >= 0.0f && x < width && z >= 0.0f && z < length))
	{
		return 0;
	}
	const tnSprayBlock* block =
		obstacles->blocks + (int)z / TN_SPRAY_BLOCK * obstacles->blockColumns + (int)x / TN_SPRAY_BLOCK;
	return position.y >= block->low && position.y <= block->high ? block->bits : 0;
}

// A particle has flown from `before` to its position: stop it at bodies. Returns the cell in which it lands by that, row *
// columnCount + column, or -1.
int32_t tnSpray_MeetBodies(
	struct tnSpray* spray, const struct tnSprayStep* step, int index, tnVec3 before, tnContact* contact);
// Water is born a little on its way: let it begin before the first body on it.
void tnSpray_StopAtBodies(struct tnSpray* spray, const struct tnSprayStep* step, tnVec3 from, tnVec3* to);
