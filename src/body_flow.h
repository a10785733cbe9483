// SPDX-License-Identifier: MIT

#pragma once

#include "bodies.h"
#include "body_profile.h"
#include "flow_kernels.h"
#include "flow_overrides.h"

// How bodies and the flow meet: body_flow.c has the equations, body_groups.c says which cells and faces matter.

enum
{
	TN_WEST = 0,
	TN_EAST,
	TN_NORTH,
	TN_SOUTH,
	TN_SIDE_COUNT,
};

// The head of a covered cell as the solver sees it: volume(head) + slope * head = sum + what neighbours add. Volume is
// base + open * head between two heights.
typedef struct tnHead
{
	float head;
	float sum;
	float inverse; // 1 / (open + slope)
	float base;
	float low, high;
	float rate[TN_SIDE_COUNT];   // to neighbours that are covered themselves, else 0
	int neighbor[TN_SIDE_COUNT]; // heads; itself if there is none
} tnHead;

// The rest of a covered cell. It has the same index as its head.
typedef struct tnCoveredCell
{
	int32_t index; // in the grid
	int column, row;
	int face[TN_SIDE_COUNT]; // -1 at an edge of the world
	int firstLayer;          // -1 for none
	float leastOpen;         // see body_flow.c
	bool blocks;             // a body in it takes room from the sections of its faces
	bool sealed;             // and stands on the ground
	float allowance;         // water that bodies can have displaced by moving, m
	float handed, held;      // water without room that this step hands to the flow, and that it keeps, m
	float slope;
	// Means over the sub-steps of the last step: head, and how much more water would be there without bodies, m.
	float meanHead, meanMissing;
	tnProfile profile;
} tnCoveredCell;

// A face of a covered cell: the west face of the cell (column, row), or its north face.
typedef struct tnBodyFace
{
	int32_t first, second; // cells in the grid, before and after
	int head[2];           // of these cells, -1 if no body covers them
	int column;
	bool alongZ;
	int firstLayer;  // -1 for none
	float bodySpeed; // of the solids there, through the face, m/s
	float shut;      // height that solids take from its section in the last sub-step, m
	bool sealed;     // a body stands on the ground beside it: what is solid at the face itself decides
	float fallSum;   // of heads, by which water was pushed in the sub-steps of the last step, m
	float owed;      // impulse that the water there gets, N s
	// Coefficients in a sub-step: discharge = fixed + rate * (fall of head).
	float fixed, rate, section;
	tnProfile profile;
} tnBodyFace;

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
	int breakBegin;
	int firstRow, rowCount; // of its faces; rows wrap
	int rowBegin;           // in tnBodyFlow.faceRows: rowCount + 1 entries
	float relaxation;
	int sweepLimit;
	bool hangs; // columns were left out because they hang above the water
} tnGroup;

typedef struct tnBodyFlow
{
	int32_t* map; // cell of the world -> covered cell + 1
	tnHead* heads;
	tnCoveredCell* cells;
	tnBodyFace* faces;
	tnFaceOverride* overrides; // by face
	tnLayerLink* layers;
	tnBreak* breaks;
	int32_t* scratch; // by cell
	int* faceRows;
	int cellCapacity, faceCapacity, layerCapacity, rowCapacity;

	tnGroup* groups;
	int* grouped;   // indices of bodies, by group
	int* sortSpace; // two for each body
	int groupCount, bodyCapacity;
	tnOverrideSpan* spans; // by row of tiles, one for each group there
	int* spanBegin;
	int spanCapacity;

	// Cells with a lift, after the last step and the one before.
	int32_t* lifted[2];
	int liftedCount[2];
	int subStepCount, subStep;
	float timeStep;
} tnBodyFlow;

// body_groups.c ------------------------------------------------------------------------------------------------------

// Make room for what the bodies can cover at most. Called between steps. False if memory ran out.
bool tnBodyFlow_Reserve(tnBodyFlow* flow, tnMemory* memory, tnGrid* grid, const tnBodies* bodies);
void tnBodyFlow_Destroy(tnBodyFlow* flow, tnMemory* memory, const tnGrid* grid);
// Collect what bodies take from cells and faces.
void tnBodyFlow_Collect(
	tnBodyFlow* flow, const tnGrid* grid, tnBodies* bodies, tnParallel* parallel, float gravity, float timeStep);

// body_flow.c --------------------------------------------------------------------------------------------------------

// Prepare for a step of some sub-steps.
void tnBodyFlow_Begin(tnBodyFlow* flow, tnGrid* grid, tnBodies* bodies, tnParallel* parallel, float gravity,
	float timeStep, int subStepCount);
// Find the heads under bodies and the flow through the faces around them, for the next sub-step.
tnFaceOverrides tnBodyFlow_Solve(
	tnBodyFlow* flow, const tnGrid* grid, tnParallel* parallel, const tnFlowParameters* parameters);
// The step is over: publish the heads.
void tnBodyFlow_End(tnBodyFlow* flow, tnGrid* grid);
// Correct a copy of the discharge, made from depths alone, at the faces around bodies. Either array may be NULL.
void tnBodyFlow_PatchDischarge(const tnBodyFlow* flow, const tnGrid* grid, float* dischargeX, float* dischargeZ);

// Helpers of both ----------------------------------------------------------------------------------------------------

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
