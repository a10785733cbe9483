// SPDX-License-Identifier: MIT

#pragma once

#include "../core/core.h"
#include "../core/instruction_sets.h"
#include "flow_overrides.h"
#include "tarn/world.h"

// The inner loops of the flow, one row at a time over cells [begin, end), begin and end multiples of TN_TILE_SIZE.
// flow_kernels.inc holds the equations and the code; it is compiled once per instruction set. All tables give the same
// bits.

typedef struct tnFlowParameters
{
	float accelerationFactor; // g dt / dx, times liveliness for pipes, 1/s (pipe) or s (linear): see flow_kernels.inc
	float pushX, pushZ;       // dt * acceleration of the world, m/s
	float damping;            // 1 / (1 + friction dt)
	float manningFactor;      // g n^2 dt
	float froudeFactor;       // froudeLimit * sqrt(g)
	float sectionLimit;       // largest section the time step is stable for, m
	float signalLimit;   // shallow: fastest signal the time step is stable for, m/s, if sub-steps are capped, else 0
	float fixedSection;  // m, at most sectionLimit
	float spread;        // dt / dx, s/m
	float twoGravity;    // 2 g, m/s^2
	bool waited;         // transport is for several sub-steps
	float leastBoxDepth; // transport takes two cells as no shallower than this together, m
} tnFlowParameters;

// Faces between two rows of cells, or between a row and itself shifted by one: "first" is the cell on the negative
// side.
typedef struct tnFaceRow
{
	const float* bedFirst;
	const float* depthFirst;
	const float* bedSecond;
	const float* depthSecond;
	const float* residualFirst; // what rounding kept from the depths (shallow only)
	const float* residualSecond;
	const float* roughFirst; // squares of the factors on Manning's n; NULL for 1
	const float* roughSecond;
	// What crosses the cells before and after, before the sub-step.
	const float* oldAcross[4];
	const float* old; // discharge (pipe) or velocity (linear, shallow) before
	float* flow;      // out: the same after, before limiting. May be `old`.
	float* discharge; // out: m^2/s, before limiting. The same as flow for pipes.
} tnFaceRow;

typedef struct tnLimitRow
{
	const float* depth;
	const float* dischargeX;     // before limiting, as are the others
	const float* dischargeAbove; // upper Z faces
	const float* dischargeBelow; // lower Z faces
	float* scale;                // out
} tnLimitRow;

typedef struct tnFinishRow
{
	float* depth;                // in and out
	float* dischargeX;           // in and out: limited here
	const float* dischargeAbove; // upper Z faces, limited already
	float* dischargeBelow;       // lower Z faces, in and out: limited here
	float* velocityX;            // in and out, linear and shallow
	float* velocityBelow;        // in and out, linear and shallow
	const float* scale;          // of this row; [-1] and [end] valid
	const float* scaleBelow;
	float* previous; // out: the depth before, or NULL
	float* residual; // in and out: what rounding kept from the depth, shallow only
	int columnCount; // cells of the world in a row: ghosts do not count for the largest depth
} tnFinishRow;

// Velocities and depths of a row of cells.
typedef struct tnSignalRow
{
	const float* depth;
	const float* velocityX;
	const float* velocityAbove;
	const float* velocityBelow;
} tnSignalRow;

typedef enum tnKernelKind
{
	TN_KERNEL_PIPE_FIXED = 0,
	TN_KERNEL_PIPE_DEPTH,
	TN_KERNEL_PIPE_MEAN,
	TN_KERNEL_LINEAR,
	TN_KERNEL_SHALLOW,
	TN_KERNEL_KIND_COUNT,
} tnKernelKind;

// What moving the water touches besides depth and discharge: nothing, velocities, or those and the residual.
typedef enum tnFinishKind
{
	TN_FINISH_PIPE = 0,
	TN_FINISH_LINEAR,
	TN_FINISH_SHALLOW,
	TN_FINISH_KIND_COUNT,
} tnFinishKind;

// How shallow water carries its momentum along.
typedef enum tnTransportKind
{
	TN_TRANSPORT_CONSERVATIVE = 0,
	TN_TRANSPORT_FINE,
	TN_TRANSPORT_SEMI_LAGRANGIAN,
	TN_TRANSPORT_MACCORMACK,
	// Momentum waits: velocities stay as they are.
	TN_TRANSPORT_NOTHING,
	TN_TRANSPORT_KIND_COUNT,
} tnTransportKind;

// A row of cells and what their surface at half time needs (fine).
typedef struct tnSurfaceRow
{
	// Of the row above, the row, and the row below.
	const float* bed[3];
	const float* depth[3];
	// First guess of the discharge through their sides.
	const float* dischargeX;
	const float* dischargeAbove;
	const float* dischargeBelow;
	// Out: surface of each cell in the middle and at its sides, m.
	float* middle;
	float* west;
	float* east;
	float* north;
	float* south;
} tnSurfaceRow;

// Faces between two rows of cells, or between a row and itself shifted by one, and what the second-order flux through
// them needs. "Along" is the direction through the faces, "across" the other one.
typedef struct tnReconstructRow
{
	// The two cells before and the two after a face.
	const float* bed[4];
	const float* depth[4];
	// Surface half a time step later of the cell before and the cell after: in the middle and at the face.
	const float* middle[2];
	const float* surface[2];
	// Velocity through the face before, the face, the face after.
	const float* along[3];
	// The same velocity beside: through the next faces across.
	const float* across[2];
	// Velocity across, through the two sides of the cell before and of the cell after.
	const float* crossing[4];
	float* discharge; // out
	// Out: velocity at the sides of the box of the face, half a time step later: first, second, before, after.
	float* carried[4];
} tnReconstructRow;

// The same for transport, after the water has been moved.
typedef struct tnTransportRow
{
	// Cells before and after a face; depths new.
	const float* bed[2];
	const float* depth[2];
	// Velocity through five faces in a row, [2] is the face itself, along and across.
	const float* along[5];
	const float* across[5];
	// Discharge along: through the face before, the face, the face after.
	const float* dischargeAlong[3];
	// Discharge across, through the sides of the two cells: before and after.
	const float* dischargeBefore[2];
	const float* dischargeAfter[2];
	// Velocity through these four sides.
	const float* acrossVelocity[4];
	// MacCormack: guesses through the faces of three rows, [1] is the row itself.
	const float* guess[3];
	// Velocity at the sides of the box, half a time step later: as the box on the one side and on the other has it
	// (fine).
	const float* carriedFirst[2];
	const float* carriedSecond[2];
	const float* carriedBefore[2];
	const float* carriedAfter[2];
	float* velocityOut;
} tnTransportRow;

// Accelerates faces: one row of them, or the X faces of a row of cells together with the Z faces below it.
typedef struct tnFacesKernel
{
	void (*row)(const tnFlowParameters* parameters, const tnFaceRow* row, float push, int begin, int end);
	void (*both)(const tnFlowParameters* parameters, const tnFaceRow* rowX, const tnFaceRow* rowZ, int begin, int end);
} tnFacesKernel;

typedef struct tnFlowKernels
{
	// Indexed by [kind][Manning][Froude limit].
	tnFacesKernel faces[TN_KERNEL_KIND_COUNT][2][2];

	// The share of its outflow that each cell can afford. Returns whether any cell had to be limited.
	bool (*limit)(const tnFlowParameters* parameters, const tnLimitRow* row, int begin, int end);

	// Limit the faces and move the water. Returns the largest new depth. Indexed by [tnFinishKind][any cell near was
	// limited].
	float (*finish[TN_FINISH_KIND_COUNT][2])(
		const tnFlowParameters* parameters, const tnFinishRow* row, int begin, int end);

	// Both at once, for a row and the one above it. Indexed by [tnFinishKind].
	float (*limitAndFinish[TN_FINISH_KIND_COUNT])(const tnFlowParameters* parameters, const tnLimitRow* limitRow,
		const tnFinishRow* row, bool aboveLimited, bool* anyLimited, int begin, int end);

	// Set the faces of a row to what flow_overrides.h says, those of plain groups that are meant: the discharge, and the
	// velocity in 0, 1 or 4 rows. Rows have room for whole pieces.
	void (*override)(
		float* discharge, float* const* velocities, int velocityCount, const tnOverrideRow* overrides, bool alongZ);

	// Limit one row of Z faces that no finish will reach from above, in place. Velocity NULL for pipes.
	void (*limitFaces)(
		float* discharge, float* velocity, const float* scaleFirst, const float* scaleSecond, int begin, int end);

	// Slow down what limited faces carry as the faces themselves (shallow, fine): discharge and velocity are limited.
	void (*limitCarried)(const float* discharge, const float* velocity, const float* scaleFirst,
		const float* scaleSecond, float* const carried[4], int begin, int end);

	// The surface at the sides of cells (shallow, fine).
	void (*reconstructCells)(const tnFlowParameters* parameters, const tnSurfaceRow* row, int begin, int end);

	// The discharge of second order (shallow, fine).
	void (*reconstruct)(const tnFlowParameters* parameters, const tnReconstructRow* rowX, const tnReconstructRow* rowZ,
		int begin, int end);

	// The velocity after the water has carried it along (shallow): the X faces of a row and the Z faces below it.
	// Indexed by tnTransportKind.
	void (*transport[TN_TRANSPORT_KIND_COUNT])(
		const tnFlowParameters* parameters, const tnTransportRow* rowX, const tnTransportRow* rowZ, int begin, int end);

	// The fastest signal of the cells [begin, end) of a row, |u| + |w| + sqrt(2 g h), m/s, with the faster of two
	// opposite faces, and the fastest flow along an axis. Both are raised to what is found. `end` need not be a
	// multiple.
	void (*signalSpeed)(float twoGravity, const tnSignalRow* row, int begin, int end, float* maxSignal, float* maxFlow);

	// Largest |velocity| in a row: flow over the section for pipes.
	float (*maxSpeed)(const float* bedFirst, const float* depthFirst, const float* bedSecond, const float* depthSecond,
		const float* discharge, int begin, int end);
} tnFlowKernels;

// NULL if it was not built in or this processor lacks it. tn_simdAuto gives the widest.
const tnFlowKernels* tnGetFlowKernels(tnSimd simd);

TN_DECLARE_TABLES(tnFlowKernels);
