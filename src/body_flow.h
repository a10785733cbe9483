// SPDX-License-Identifier: MIT

#pragma once

#include "bodies.h"
#include "body_profile.h"
#include "flow_kernels.h"
#include "flow_overrides.h"

// How bodies and the flow meet: body_flow.c has the equations, body_groups.c says
// which bodies belong together, body_collect.c which cells and faces matter.

enum
{
	TN_WEST = 0,
	TN_EAST,
	TN_NORTH,
	TN_SOUTH,
	TN_SIDE_COUNT,
};

// The head of a covered cell as the solver sees it: volume(head) + slope * head = sum + what neighbours add. Volume is
// base + open * head between two heights. One line of a cache.
typedef struct tnHead
{
	float head;
	float sum;
	float inverse; // 1 / (open + slope)
	float base;
	float low, high;
	float ground;
	float meanHead;              // over the sub-steps of the last step, m
	float rate[TN_SIDE_COUNT];   // to neighbours that are covered themselves, else 0
	int neighbor[TN_SIDE_COUNT]; // heads; itself if there is none
} tnHead;

// The rest of a covered cell. It has the same index as its head.
typedef struct tnCoveredCell
{
	int32_t index;           // in the grid
	int face[TN_SIDE_COUNT]; // -1 at an edge of the world
	int firstLayer;          // -1 for none
	float leastOpen;         // see body_flow.c
	bool blocks;             // a body in it takes room from the sections of its faces
	bool sealed;             // and stands on the ground
	float allowance;         // water that bodies can have displaced by moving, m
	float handed, held;      // water without room that this step hands to the flow, and that it keeps, m
	float slope;
	float meanMissing; // how much more water would be there without bodies: mean over the sub-steps of the last step, m
	tnProfile profile;
} tnCoveredCell;

// What solids take from a face itself: few faces have any.
typedef struct tnFaceSolids
{
	int firstLayer;
	float speed; // of the solids, through the face, m/s
	tnProfile profile;
} tnFaceSolids;

// A face of a covered cell: the west face of the cell (column, row), or its north face.
typedef struct tnBodyFace
{
	int32_t first, second; // cells in the grid, before and after
	int head[2];           // of these cells, -1 if no body covers them
	int column;
	bool alongZ;
	bool sealed;   // a body stands on the ground beside it: what is solid at the face itself decides
	int solids;    // -1 for none
	float ground;  // m
	float owed;    // impulse that the water there gets, N s
	float fallSum; // of heads, by which water was pushed in the sub-steps of the last step, m
	float shut;    // height that solids take from its section in the last sub-step, m
	// Coefficients in a sub-step: discharge = fixed + rate * (fall of head).
	float fixed, rate, section;
} tnBodyFace;

typedef struct tnPlace
{
	int32_t column, row;
} tnPlace;

typedef struct tnLayerLink
{
	tnLayer layer;
	float speed;
	int next;
} tnLayerLink;

// Bodies that may share cells, and what they cover. Groups share nothing, so each can be worked on by itself.
typedef struct tnGroup
{
	int bodyBegin, bodyEnd;             // in tnBodyFlow.grouped
	int cellBegin, cellEnd, cellMiddle; // [begin, middle) have no neighbours among themselves, nor have the others
	int faceBegin, faceEnd;
	int layerBegin, layerEnd;
	int breakEnd;
	int solidsEnd;          // from faceBegin
	int firstRow, rowCount; // of its faces; rows wrap
	int rowBegin;           // in tnBodyFlow.faceRows: 2 rowCount + 1 entries, see flow_overrides.h
	float side;             // of its largest body, in cells
	int sweepLimit;
	bool hangs;      // columns were left out because they hang above the water
	bool stands;     // a body stands on the ground: it has faces that are sealed
	int liftedBegin; // in tnBodyFlow.lifted
} tnGroup;

typedef struct tnBodyFlow
{
	int32_t* map; // cell of the world -> covered cell + 1, while a group is collected; else 0
	tnHead* heads;
	tnCoveredCell* cells;
	tnBodyFace* faces;
	tnFaceSolids* solids;      // as many as faces
	tnFaceOverride* overrides; // by face
	tnLayerLink* layers;
	tnBreak* breaks;
	tnPlace* places; // by cell, in the order in which they were found
	int* faceRows;
	int cellCapacity, faceCapacity, layerCapacity, rowCapacity;

	tnGroup* groups;
	int* grouped;   // indices of bodies, by group
	int* sortSpace; // three for each body
	int groupCount, bodyCapacity;
	tnOverrideSpan* spans; // by row of tiles, one for each group there
	int* spanBegin;
	int spanCapacity;

	// Cells with a lift, after the last step and the one before.
	int32_t* lifted[2];
	int liftedCount[2];
	int subStepCount, subStep;
	bool mustCollect; // in the first sub-step
	float gravity, timeStep;
} tnBodyFlow;

// body_groups.c ------------------------------------------------------------------------------------------------------

// Make room for what the bodies can cover at most. Called between steps. False if memory ran out.
bool tnBodyFlow_Reserve(tnBodyFlow* flow, tnMemory* memory, tnGrid* grid, const tnBodies* bodies);
void tnBodyFlow_Destroy(tnBodyFlow* flow, tnMemory* memory, const tnGrid* grid);
// Form groups, from the boxes of bodies.
void tnBodyFlow_FormGroups(tnBodyFlow* flow, const tnGrid* grid, const tnBodies* bodies);

// body_collect.c -----------------------------------------------------------------------------------------------------

// Cut the bodies of a group and collect what they take from cells and faces.
void tnBodyFlow_CollectGroup(tnBodyFlow* flow, const tnGrid* grid, tnBodies* bodies, int index, int workerIndex);

// body_flow.c --------------------------------------------------------------------------------------------------------

// Prepare for a step of some sub-steps.
void tnBodyFlow_Begin(
	tnBodyFlow* flow, tnGrid* grid, tnBodies* bodies, float gravity, float timeStep, int subStepCount);
// Find the heads under bodies and the flow through the faces around them, for the next sub-step.
tnFaceOverrides tnBodyFlow_Solve(
	tnBodyFlow* flow, const tnGrid* grid, tnBodies* bodies, tnParallel* parallel, const tnFlowParameters* parameters);
// The step is over. Heads must then be published group by group.
void tnBodyFlow_End(tnBodyFlow* flow, tnGrid* grid, tnBodies* bodies, tnParallel* parallel);
void tnBodyFlow_PublishGroup(tnBodyFlow* flow, tnGrid* grid, int index);
// Correct a copy of the discharge, made from depths alone, at the faces around bodies. Either array may be NULL.
void tnBodyFlow_PatchDischarge(const tnBodyFlow* flow, const tnGrid* grid, float* dischargeX, float* dischargeZ);

// Helpers of all -----------------------------------------------------------------------------------------------------

// The neighbour of a cell. False beyond an edge that does not wrap.
static inline bool tnGetNeighbor(const tnGrid* grid, int column, int row, int side, int* nextColumn, int* nextRow)
{
	int c = column + (side == TN_EAST) - (side == TN_WEST);
	int r = row + (side == TN_SOUTH) - (side == TN_NORTH);
	if (grid->wrapX)
	{
		c = c < 0 ? c + grid->columnCount : (c >= grid->columnCount ? c - grid->columnCount : c);
	}
	if (grid->wrapZ)
	{
		r = r < 0 ? r + grid->rowCount : (r >= grid->rowCount ? r - grid->rowCount : r);
	}
	*nextColumn = c;
	*nextRow = r;
	return c >= 0 && c < grid->columnCount && r >= 0 && r < grid->rowCount;
}

static inline int tnFindCell(const tnBodyFlow* flow, const tnGrid* grid, int column, int row)
{
	return flow->map[(size_t)row * (size_t)grid->columnCount + (size_t)column] - 1;
}

// Height of the surface of a cell that no body covers, m.
static inline float tnGetFreeHead(const tnGrid* grid, int32_t index)
{
	return grid->bed[index] + grid->depth[index];
}
