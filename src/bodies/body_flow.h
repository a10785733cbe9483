// SPDX-License-Identifier: MIT

#pragma once

#include "../flow/flow_overrides.h"
#include "bodies.h"
#include "body_deck.h"
#include "body_kernels.h"
#include "body_strips.h"
#include "body_thin_parts.h"

#include <math.h>

// How bodies and the flow meet: body_flow.c has the equations, body_kernels.inc their loops, body_groups.c says which
// bodies belong together, body_strips.c which cells a group has, and body_covered_cells.c what bodies take from them.

enum
{
	TN_PACKED_SCRATCH = TN_PACKED_STRIDE * tn_packedFieldCount, // floats
	TN_PACKED_ROOM = TN_STRIP_SIZE * tn_packedFieldCount,       // the same for each strip of large groups
};

// What bodies can need at most, wherever they go. Sums of that of each: they all may be somewhere else.
typedef struct tnBodyNeeds
{
	int64_t bodies, strips, layers, rows;
	int64_t deckColumns; // see body_deck.h
	int leastSpan;       // of the thinnest body, also if it has gone: tnGetLeastSpan
} tnBodyNeeds;

// Memory for what groups have.
typedef struct tnBodyRoom
{
	int bodyCapacity, stripCapacity, layerCapacity, rowCapacity, seamCapacity;
	int packedCapacity, packedCount; // strips, for all groups together or for each worker
	char* block;
	size_t blockBytes;
} tnBodyRoom;

typedef struct tnBodyFlow
{
	const tnBodyKernels* kernels;
	tnBodyNeeds needs;    // of all bodies
	const tnDecks* decks; // lids: body_deck.h
	tnBodyRoom room;
	tnBodyRoom spare; // larger, for when it is needed: tnBodyFlow_ReserveMany
	tnGroup* groups;
	tnOverrideGroup* overrides; // by group
	int* grouped;               // indices of bodies, by group
	int* sortSpace;             // scratch to form them: see body_groups.c
	// Before groups were formed anew.
	tnGroup* oldGroups;
	int* oldGrouped;
	int groupCount;
	int cleanStrips, cleanPacked; // strips that have been used before, of fields and of packed ones

	// What groups have a part of.
	tnStrip* strips;
	tnRun* runs;
	float* fields;
	float* packed;
	int32_t* columns;
	int* chains;
	int* rowStrips;
	tnSeam* seams;
	tnLeftRun* left;
	tnLayerLink* layers;
	tnProfile* profiles;
	tnBreak* breaks;
	tnOverrideRow* overrideRows; // as rowStrips

	tnOverrideRow** rowLists;      // see tnOverrideSource
	int *rowPlaces, *columnBodies; // more of it
	uint64_t* bits;                // scratch for strips, by worker
	float* packedScratch;          // the same for the solver: TN_PACKED_SCRATCH each
	int workerCount;
	char* worldBlock; // these, and the cells with a lift
	size_t worldBytes;

	// Cells with a lift, after the last step and the one before.
	int32_t* lifted[2];
	int liftedCount[2];
	int subStepCount, subStep;
	bool mustCollect; // in the first sub-step
	bool felt;        // forces are those of this step
	bool alike;       // this step is as long as the one before, with as many sub-steps and the same gravity
	float gravity, timeStep;
} tnBodyFlow;

// body_groups.c ------------------------------------------------------------------------------------------------------

void tnBodyNeeds_Add(tnBodyNeeds* needs, const tnGrid* grid, const tnBody* body, int count);
tnBodyNeeds tnBodies_FindNeeds(const tnBodies* bodies, const tnGrid* grid);
// Make room for what bodies can cover at most. Called between steps. False if memory ran out. What is known about groups
// may be lost: so it has to be forgotten in any case then, since the bits must not tell how much room there was.
bool tnBodyFlow_Reserve(tnBodyFlow* flow, tnMemory* memory, tnGrid* grid, const tnBodyNeeds* needs, int workerCount);
// Have that room at hand for when it is needed. Nothing is lost.
bool tnBodyFlow_ReserveMany(
	tnBodyFlow* flow, tnMemory* memory, tnGrid* grid, const tnBodyNeeds* needs, int workerCount);
// These are the bodies now.
void tnBodyFlow_SetNeeds(tnBodyFlow* flow, tnMemory* memory, const tnBodyNeeds* needs);
void tnBodyFlow_Destroy(tnBodyFlow* flow, tnMemory* memory);
// Intervals of a body that may share a cell or a face with others, so that they need a profile: all those in cells, and a
// quarter of what faces can have. Heaps of boxes at random, through each other, need less; what is beyond is merged with what is
// there.
static inline int64_t tnBody_GetSharingLimit(const tnBody* body)
{
	const int64_t columns = body->cut.columnCapacity;
	return columns + (body->cut.faceCapacity + TN_THIN_SIDES * columns) / 4;
}
// Form groups, from the boxes of bodies.
void tnBodyFlow_FormGroups(tnBodyFlow* flow, const tnGrid* grid, const tnBodies* bodies);

// For snapshots: the arrays that depend on the world only; then groups, that know how much they need, get their places, or
// false if there is no room; and when they have what is theirs, the flow is told about them.
bool tnBodyFlow_ReserveWorld(tnBodyFlow* flow, tnMemory* memory, tnGrid* grid, int workerCount);
bool tnBodyFlow_PlaceGroups(tnBodyFlow* flow, const tnGrid* grid);
void tnBodyFlow_ListGroups(tnBodyFlow* flow, const tnGrid* grid);

// body_covered_cells.c -----------------------------------------------------------------------------------------------------

// Cut the bodies of a group and collect what they take from cells and faces.
void tnBodyFlow_CollectGroup(tnBodyFlow* flow, const tnGrid* grid, tnBodies* bodies, int index, int workerIndex);
// A solid interval of a face, beside those that are there.
void tnGroup_AddToFace(tnGroup* group, bool alongZ, int slot, tnLayer layer, float speed);

// body_flow.c --------------------------------------------------------------------------------------------------------

// Show the flow where it finds the faces of a group that has been collected.
void tnBodyFlow_ShowGroup(tnBodyFlow* flow, const tnGrid* grid, int index);
// What a group begins a step with: impulses that bodies owe to its water, and what bodies have displaced.
void tnBodyFlow_BeginGroup(tnBodyFlow* flow, const tnGrid* grid, const tnTiles* tiles, tnBodies* bodies, int index);
// Find the heads of a group and the flow around it, for a sub-step.
void tnBodyFlow_SolveGroup(tnBodyFlow* flow, const tnBodySubStep* subStep, int index, int workerIndex);
// After the step: the surface of a group, as queries and pictures have it.
void tnBodyFlow_PublishGroup(tnBodyFlow* flow, tnGrid* grid, int index);
// Correct a copy of the discharge, made from depths alone, at the faces around bodies. Either array may be NULL.
void tnBodyFlow_PatchDischarge(const tnBodyFlow* flow, const tnGrid* grid, float* dischargeX, float* dischargeZ);

// Scratch of tn_packedFieldCount fields for a group: what is needed for a moment only stays in the cache of the worker,
// if it can.
float* tnBodyFlow_GetPacked(const tnBodyFlow* flow, int index, int workerIndex);

// Helpers of all -----------------------------------------------------------------------------------------------------

// Open meters between the ground of a cell and a height.
static inline float tnGroup_GetVolume(const tnGroup* group, int slot, float ground, float height)
{
	const int own = tnGroup_GetChain(group, tn_cellChain)[slot];
	if (own > 0)
	{
		return tnProfile_GetVolume(group->profiles + own - 1, height);
	}
	const float low = tnGroup_GetField(group, tn_cellLow)[slot];
	const float high = tnGroup_GetField(group, tn_cellHigh)[slot];
	const float below = tnClampFloat(height, low, high) - low;
	return tnMaxFloat((height - ground) - tnGroup_GetField(group, tn_cellSolid)[slot] * below, 0.0f);
}

// Where a face is, from the centre of mass of a body that takes from it: around a world that wraps if that is nearer.
static inline tnVec2 tnGetFaceOffset(const tnGrid* grid, const tnBody* body, const tnFaceCut* face)
{
	const float half = 0.5f * grid->cellSize;
	const tnVec2 center = tnGrid_GetCenter(grid, face->column, face->row);
	const float x = center.x - (face->alongZ ? 0.0f : half) - body->aheadPose.position.x;
	const float z = center.z - (face->alongZ ? half : 0.0f) - body->aheadPose.position.z;
	const float sizeX = (float)grid->columnCount * grid->cellSize;
	const float sizeZ = (float)grid->rowCount * grid->cellSize;
	return (tnVec2){
		grid->wrapX ? x - sizeX * floorf(x / sizeX + 0.5f) : x,
		grid->wrapZ ? z - sizeZ * floorf(z / sizeZ + 0.5f) : z,
	};
}

// Height of the surface of a cell that no body covers, m.
static inline float tnGetFreeHead(const tnGrid* grid, int32_t index)
{
	return grid->bed[index] + grid->depth[index];
}
