// SPDX-License-Identifier: MIT

#pragma once

#include "../core/instruction_sets.h"

// The loops over rows of cells with which short waves are handed over. wave_handover_rows.inc holds the code; it is compiled
// once for each instruction set, and all give the same bits.
//
// Rows are computed in whole vectors: up to TN_HANDOVER_SLACK floats after the last are read and written, so rows have
// that much room. Nobody reads what is there, unless it says so.

#define TN_HANDOVER_SLACK 16

// Cells of grids whose waves are all deep, and of those whose waves are not, over the depth.
#define TN_DEEP_SIZE 1.55f
#define TN_SHALLOW_SIZE 2.9f

// Depth of cells that are closed because a bore is beside them, and how many walls that is worth. Nothing is taken near bores.
#define TN_BORE -1.0f
#define TN_WALLS_PER_BORE 1000.0f

// Some cells of a row of the flow, and the rows above and below it.
typedef struct tnHandoverReading
{
	const float* bed;
	const float* depth;
	const float* flowX;
	const float* flowZ;
	const float* lift; // NULL without bodies
	ptrdiff_t stride;
	bool storesVelocity;
	float shallow;
	float steepest; // most that a surface may fall from cell to cell, over the depth
	float perSize;
	// Depth of cells that are open, else 0: out, and then in.
	float* room;
	ptrdiff_t roomStride;
	// Out: K of the surface, m, and divergence of the discharge, m/s, through open faces.
	float* curvature;
	float* divergence;
	float* walls; // closed faces of open cells
} tnHandoverReading;

// What is short becomes a potential: times share, weight of the depth, and window.
typedef struct tnHandoverWeight
{
	const float* depths;
	const float* deepest; // of half as many cells as there are depths around: two or four of them have one
	const float* walls;   // closed faces around
	const float* windows;
	float share, rateShare;
	float leastSection; // of pipes, m; 0 if it is the depth
	float cellSize;
	// Of what is sharply cut is taken what waves of the next grid are too long for, and of what is not the rest. NULL for none of
	// the first.
	float* softHeight;
	float* softRate;
	float nextSize; // of cells of the next grid, m
	// What is lower is no wave: by a share of the depth, and by so much everywhere, m. And what is slower than this times
	// that, 1/s.
	float noisePerDepth, noise, ratePerHeight;
	// Where K of the surface is larger than this times the depth waves are too high: none is taken from twice as much on.
	float steep;
	float perWall;
	float mostPerDepth; // potentials of heights over the depth
} tnHandoverWeight;

// Some cells of a row that gives.
typedef struct tnHandoverPush
{
	// Potentials of height and of rate, rows above, here and below, and what of the depth is open.
	const float* heights[3];
	const float* rates[3];
	const float* room[3];
	float mostShare;
	float share; // of what is offered that is taken
	float cellSize;
	bool storesVelocity;
	float fixedSection; // of pipes, m; 0 if it is the depth
	// What changes.
	float* depth;
	float* residual;      // NULL for none
	float* previousDepth; // NULL for none
	float* flowX;
	float* flowZ;
} tnHandoverPush;

// What taking from some cells of a row releases of the flow's energy: wave_handover_budget.c.
typedef struct tnHandoverRelease
{
	tnHandoverPush push; // what would be taken, all of it; nothing is changed
	const float* bed;
	ptrdiff_t stride; // of bed, depth and flow
	float gravity;
	float perKinetic; // share of q^2 / section that is energy twice over
	float lag;        // s, by which surfaces are ahead of discharges, twice
	// To these, by cell, is added what goes with the share that is taken, and with its square, m^3/s^2.
	float* linear;
	float* square;
} tnHandoverRelease;

// What a row of a tile of the layer gains. As energies of rows, sums are by column.
typedef struct tnHandoverGain
{
	const float* height;
	const float* rate;
	const float* offeredHeight;
	// After a step of `timeStep` from rest: potential minus timeStep times what its rate comes to, and this, over -timeStep.
	const float* potential;
	const float* push;
	float timeStep;
	float* linear;
	float* square;
} tnHandoverGain;

typedef struct tnHandoverRows
{
	// Two passes over the flow: which cells are open, and then what there is.
	void (*open)(const tnHandoverReading* reading, int count);
	void (*read)(const tnHandoverReading* reading, int count);
	// Of pairs of rows: least depths, 0 below the limit, and largest. Counts are of coarse cells.
	void (*measure)(const float* const least[2], const float* const most[2], float limit, float* outLeast,
		float* outMost, int count);
	// And sums.
	void (*sum)(const float* const rows[2], float* out, int count);

	// Restriction across and along rows, the transpose of smooth prolongation. For `along`, line[0] is the first of 16 cells
	// of out[0].
	void (*gatherAcross)(const float* const above[8], const float* const below[8], float* out, int count);
	void (*gatherAlong)(const float* line, float* even, float* odd, float* out, int count);
	// Prolongation: of wave_filter.c, and a smooth one for potentials. Along, count is of coarse cells, and line[3] is the first
	// of the one, line[4] of the other.
	void (*prolongAcross)(const float* const rows[6], float* out, int count);
	void (*prolongAlong)(const float* line, float* out, int count);
	void (*smoothAcross)(const float* const rows[8], float* out, int count);
	// The smooth one times clamp(depth * scale - 1, 0, 1), plus `finer` unless that is NULL. It may be `out`.
	void (*deepenAlong)(const float* line, const float* depths, float scale, const float* finer, float* out, int count);
	// row *= clamp(depth * scale - 1, 0, 1)
	void (*deepen)(float* row, const float* depths, float scale, int count);
	// here times a cell plus beside times its four neighbours. Rows above, here, below.
	void (*mix)(const float* const rows[3], float here, float beside, float* out, int count);
	// out = a more + b out
	void (*blend)(const float* more, float a, float b, float* out, int count);

	void (*weigh)(float* surface, float* divergence, const tnHandoverWeight* weight, int count);
	void (*push)(const tnHandoverPush* push, int count);

	void (*release)(const tnHandoverRelease* release, int count);
	void (*gain)(const tnHandoverGain* gain, int count);
	// factor times K of a potential, through faces of which both cells are deeper than the limit. Gradients are
	// 1 + 3 order times that of two cells, less order times that of the two around them.
	void (*bend)(const float* values, const float* depths, int stride, float limit, float factor, float order,
		float* out, int count);
	// out += change, 0 where the mask is not above 0; NULL for no mask.
	void (*offer)(float* out, const float* mask, float factor, const float* change, int count);
	// value += share change
	void (*feed)(float* value, float share, const float* change, int count);
	// Is any of exactly so many values between these?
	bool (*hasBetween)(const float* values, float low, float high, int count);
	// Largest |value| of exactly so many.
	float (*getLargest)(const float* values, int count);
} tnHandoverRows;

const tnHandoverRows* tnGetHandoverRows(tnSimd simd);

TN_DECLARE_TABLES(tnHandoverRows);
