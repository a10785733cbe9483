// SPDX-License-Identifier: MIT

#pragma once

#include "core.h"
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
	float fixedSection;       // m, at most sectionLimit
	float spread;             // dt / dx, s/m
} tnFlowParameters;

// Faces between two rows of cells, or between a row and itself shifted by one: "first" is the cell on the negative
// side.
typedef struct tnFaceRow
{
	const float* bedFirst;
	const float* depthFirst;
	const float* bedSecond;
	const float* depthSecond;
	float* flow;      // in and out: discharge (pipe) or velocity (linear), before limiting
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
	float* velocityX;            // in and out, linear only
	float* velocityBelow;        // in and out, linear only
	const float* scale;          // of this row; [-1] and [end] valid
	const float* scaleBelow;
	float* previous; // out: the depth before, or NULL
	int columnCount; // cells of the world in a row: ghosts do not count for the largest depth
} tnFinishRow;

typedef enum tnKernelKind
{
	TN_KERNEL_PIPE_FIXED = 0,
	TN_KERNEL_PIPE_DEPTH,
	TN_KERNEL_PIPE_MEAN,
	TN_KERNEL_LINEAR,
	TN_KERNEL_KIND_COUNT,
} tnKernelKind;

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

	// Limit the faces and move the water. Returns the largest new depth. Indexed by [linear][any cell near was
	// limited].
	float (*finish[2][2])(const tnFlowParameters* parameters, const tnFinishRow* row, int begin, int end);

	// Both at once, for a row and the one above it. Indexed by [linear].
	float (*limitAndFinish[2])(const tnFlowParameters* parameters, const tnLimitRow* limitRow, const tnFinishRow* row,
		bool aboveLimited, bool* anyLimited, int begin, int end);

	// Limit one row of Z faces that no finish will reach from above, in place. Velocity NULL for pipes.
	void (*limitFaces)(
		float* discharge, float* velocity, const float* scaleFirst, const float* scaleSecond, int begin, int end);

	// Largest |velocity| in a row: flow over the section for pipes.
	float (*maxSpeed)(const float* bedFirst, const float* depthFirst, const float* bedSecond, const float* depthSecond,
		const float* discharge, int begin, int end);
} tnFlowKernels;

// NULL if it was not built in or this processor lacks it. tn_simdAuto gives the widest.
const tnFlowKernels* tnGetFlowKernels(tnSimd simd);
// What tn_simdAuto stands for.
tnSimd tnGetBestSimd(void);

extern const tnFlowKernels tnFlowKernelsScalar;
#ifdef TN_HAVE_SSE2
extern const tnFlowKernels tnFlowKernelsSse2;
#endif
#ifdef TN_HAVE_AVX2
extern const tnFlowKernels tnFlowKernelsAvx2;
#endif
#ifdef TN_HAVE_NEON
extern const tnFlowKernels tnFlowKernelsNeon;
#endif
#ifdef TN_HAVE_WASM
extern const tnFlowKernels tnFlowKernelsWasm;
#endif
