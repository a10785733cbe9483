// SPDX-License-Identifier: MIT

#pragma once

#include "../flow/flow_kernels.h"
#include "../shapes/triangle_kernels.h"
#include "body_patch.h"
#include "body_strips.h"

// The loops of body_flow.c over the strips of a group. body_kernels.inc holds the code; it is compiled once for each
// instruction set, for vectors of one, four or eight floats. All tables give the same bits.

typedef struct tnBodySubStep
{
	const tnGrid* grid;
	const tnFlowParameters* parameters;
	float deferred;   // share of the displaced water that later sub-steps get
	bool first, last; // of the step
} tnBodySubStep;

// What a body brings to the cells of its columns.
typedef struct tnCoverValues
{
	float takes;     // the share of it that takes from the flow: see body_relief.c
	float givesWay;  // the share of that that gives way: see body_flow.c
	float way;       // twice that of its fastest point in a step, m
	float leftOver;  // what a solver may leave over without a body having jumped, m
	float clearance; // columns that hang higher than this above the water are left out, m
	float blocked;   // 1 if it takes from the sections of faces, else 0
} tnCoverValues;

// How a body moves.
typedef struct tnSweptValues
{
	const tnMotion* motion;
	float height;   // of its centre of mass, as it was cut, m
	float perSpeed; // cells in a step for a speed of 1 m/s, s/m
	bool blocks;
} tnSweptValues;

// What columns feel of the water of their cells.
typedef struct tnFeltValues
{
	const float* taken; // height that solids keep from the water below the mean head, m; by slot
	float perSubStep;   // 1 / sub-steps
	bool moved;         // there was a sub-step
	// Cuts show the body where it is expected at the end of the step; forces act where it is, m.
	float shift;
} tnFeltValues;

// The surface as a body feels it: level + slope . (place - middle), with places from the centre of mass.
typedef struct tnFeltPlane
{
	double level;     // m
	double middle[2]; // m
	double slope[2];
} tnFeltPlane;

// Sums over columns that stand in water, and over what is around all of them.
typedef enum tnColumnSum
{
	tn_pushXSum = 0, // of missing times rise, and its torque about the centre of mass
	tn_pushZSum,
	tn_turnSum,
	tn_shareXSum, // of share times place, and times head
	tn_shareZSum,
	tn_shareHeadSum,
	tn_shareSum,
	tn_missingSum, // of the water that columns keep away, m
	tn_waterSum,   // around all: depth, m; what goes through faces, is open and is closed of them
	tn_throughXSum,
	tn_throughZSum,
	tn_openXSum,
	tn_openZSum,
	tn_closedXSum,
	tn_closedZSum,
	tn_throughTurnSum, // moments about the centre of mass, and of what would go through if the water turned by 1 rad/s
	tn_openTurnSum,
	tn_closedTurnSum,
	tn_openXMomentSum, // first moments of what is open of X faces, and of Z faces
	tn_openZMomentSum,
	tn_columnSumCount,
} tnColumnSum;

typedef struct tnBodyKernels
{
	// body_sweep.inc: columns and thin parts of a simple mesh that lies wholly in its patch.
	// @param thin may be NULL
	tnCutColumnsFcn* cutColumns;

	// body_columns.inc: the columns of a body, as they are collected.
	//
	// Put them into cells.
	void (*cover)(tnGroup* group, const tnGrid* grid, tnCut* cut, const tnCoverValues* values);
	// What they take at faces as they move, to tn_faceTakenX and Z, and in cells, to tn_cellSweptX and Z.
	void (*sweepAlong)(const tnGroup* group, const tnGrid* grid, const tnCut* cut, const tnSweptValues* values);

	// body_cover.inc: what bodies take, as they are collected.
	//
	// Solid intervals of covered cells, from columns as they were cut. Finds leastOpen and stands of the group.
	void (*makeCells)(tnGroup* group, const tnGrid* grid);
	// Which faces are around bodies: those of covered cells.
	void (*findFaces)(const tnGroup* group, const tnGrid* grid);
	// Heads of covered cells, as they were. Marks strips in which some were not covered before.
	void (*placeHeads)(const tnGroup* group, const tnGrid* grid);
	// Cells around a group, as often as they are beside one that is covered: how many are wet, and the sum of their heads.
	void (*sumSurroundings)(const tnGroup* group, const tnGrid* grid, double sums[2]);
	// Discharge that moving bodies carry along, from these.
	void (*carryFaces)(const tnGroup* group, bool alongZ);
	// What that comes to in cells in a step, to tn_cellNarrowed.
	// @param perSpeed time step over cell size, s/m
	// @param passable whether water passes through some of the bodies that move
	void (*narrowCells)(const tnGroup* group, float perSpeed, bool passable);
	// Water that bodies have displaced since the last step: what this step hands to the flow, and what it keeps.
	// @param kept share of what a jump has displaced
	void (*findDisplaced)(const tnGroup* group, const tnGrid* grid, float kept);

	// body_kernels.inc: a sub-step.
	//
	// Heads of cells that no body covers.
	void (*placeFreeHeads)(const tnBodySubStep* subStep, const tnGroup* group);
	// Coefficients of faces: discharge = fixed + rate * (fall of head).
	void (*prepareFaces)(const tnBodySubStep* subStep, const tnGroup* group, float* packed);
	// Equations of the covered cells. Returns their largest slope.
	float (*prepareCells)(const tnBodySubStep* subStep, const tnGroup* group, float* packed);
	// Solve all cells for their own heads, one colour after the other. Returns the largest change, m.
	float (*sweep)(const tnGroup* group, float* packed, float relaxation);
	// Heads are found: discharge and velocity of faces, and sums over the step.
	void (*finish)(const tnBodySubStep* subStep, const tnGroup* group, float* packed);

	// body_columns.inc: drag is owed to the water.
	//
	// Sum of the depths of their cells, m.
	double (*sumDepths)(const tnGrid* grid, const tnCut* cut);
	// Debts of their cells, per m of depth.
	void (*owe)(const tnGroup* group, const tnGrid* grid, const tnCut* cut, float owedX, float owedZ);

	// body_mean_heads.inc: means over the step, and tnFeltValues.taken.
	void (*feel)(const tnGroup* group, const tnGrid* grid, float* taken, float perSubStep);

	// body_columns.inc: what columns feel then.
	void (*sumColumns)(const tnGroup* group, const tnGrid* grid, const tnCut* cut, const tnFeltValues* values,
		double sums[tn_columnSumCount]);
	// Height that columns have below their own head and not below a plane, times share; and the same times x and z.
	void (*liftColumns)(const tnGroup* group, const tnGrid* grid, const tnCut* cut, const tnFeltValues* values,
		const tnFeltPlane* plane, double sums[3]);

	// triangle_kernels.inc: integrals over triangles.
	const tnTriangleKernels* triangles;
} tnBodyKernels;

const tnBodyKernels* tnGetBodyKernels(tnSimd simd);

TN_DECLARE_TABLES(tnBodyKernels);

// body_covered_cells.c: for the few columns that do not count, or share a cell ---------------------------------------------

void tnGroup_CoverColumn(
	tnGroup* group, const tnGrid* grid, tnCut* cut, const tnCoverValues* values, int column, int slot);

// body_flow.c: for the few cells and faces that fields do not describe -----------------------------------------------

// Open height of the faces [begin, end) up to the heads upstream, which tn_faceFixed holds, to tn_faceSection.
void tnGroup_SetOddSections(const tnGroup* group, const tnGrid* grid, int begin, int end, bool alongZ);
// The line that the volume of a cell follows around a height: base + open * height between low and high.
typedef struct tnLine
{
	float base, open, low, high;
} tnLine;

// @param ground bed of its cell, m
tnLine tnGroup_GetLine(const tnGroup* group, int slot, float ground, float height);
// The height x at which volume(x) + slope * x = sum.
float tnGroup_SolveCell(const tnGroup* group, int slot, float ground, float slope, float sum);
