// SPDX-License-Identifier: MIT

#pragma once

#include "body_batch.h"
#include "body_strips.h"
#include "flow_kernels.h"

// The loops of body_flow.c over the strips of a group. body_kernels.inc holds the code; it is compiled once for each
// instruction set, for vectors of one, four or eight floats. All tables give the same bits.

typedef struct tnBodySubStep
{
	const tnGrid* grid;
	const tnFlowParameters* parameters;
	float deferred;   // share of the displaced water that later sub-steps get
	bool first, last; // of the step
} tnBodySubStep;

typedef struct tnBodyKernels
{
	// body_cover.inc: what bodies take, as they are collected.
	//
	// Solid intervals of covered cells, from columns as they were cut. Finds leastOpen and stands of the group.
	void (*makeCells)(tnGroup* group, const tnGrid* grid);
	// Which faces are around bodies: those of covered cells.
	void (*findFaces)(const tnGroup* group, const tnGrid* grid);
	// Heads of covered cells, as they were. Marks strips in which some were not covered before.
	void (*placeHeads)(const tnGroup* group, const tnGrid* grid);
	// Discharge that moving bodies carry along, from tn_faceTaken and tn_cellSpeed.
	void (*carryFaces)(const tnGroup* group, bool alongZ);
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
	// Solve the cells of one colour for their own heads. Returns the largest change, m.
	float (*sweep)(const tnGroup* group, float* packed, int colour, float relaxation);
	// Heads are found: discharge and velocity of faces, and sums over the step.
	void (*finish)(const tnBodySubStep* subStep, const tnGroup* group, float* packed);

	// body_feel.inc: means over the step, and what columns feel of their cells: a tnFeltField of each, to `packed`.
	// @param perSubStep 1 / sub-steps
	// @param moved there was a sub-step
	void (*feel)(const tnGroup* group, const tnGrid* grid, float* packed, float perSubStep, bool moved);

	// body_batch.inc: integrals over triangles.
	void (*sumBatch)(tnBatch* batch);
} tnBodyKernels;

const tnBodyKernels* tnGetBodyKernels(tnSimd simd);

extern const tnBodyKernels tnBodyKernelsScalar;
#ifdef TN_HAVE_SSE2
extern const tnBodyKernels tnBodyKernelsSse2;
#endif
#ifdef TN_HAVE_AVX2
extern const tnBodyKernels tnBodyKernelsAvx2;
#endif
#ifdef TN_HAVE_NEON
extern const tnBodyKernels tnBodyKernelsNeon;
#endif
#ifdef TN_HAVE_WASM
extern const tnBodyKernels tnBodyKernelsWasm;
#endif

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
