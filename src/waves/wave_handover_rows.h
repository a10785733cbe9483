// SPDX-License-Identifier: MIT

#pragma once

#include "../core/instruction_sets.h"

// The loops over rows of cells with which short waves are handed over. wave_handover_rows.inc holds the code; it is compiled
// once for each instruction set, and all give the same bits.
//
// Rows are computed in whole vectors: up to TN_HANDOVER_SLACK floats after the last are read and written, so rows have
// that much room. Nobody reads what is there, unless it says so.

#define TN_HANDOVER_SLACK 16

// Water that is not known. No surface is that low.
#define TN_UNKNOWN -1.0e30f

// Cells of grids whose waves are all deep, and of those whose waves are not, over the depth.
#define TN_DEEP_SIZE 1.55f
#define TN_SHALLOW_SIZE 2.9f

// Some cells of a row of the flow.
typedef struct tnHandoverReading
{
	const float* bed;
	const float* depth;
	const float* flowX;
	const float* flowZ;
	const float* lift; // NULL without bodies
	ptrdiff_t stride;
	bool storesVelocity;
	bool moves; // else it sleeps, and is not open
	float shallow;
	float reference;
	float perSize;
	// Out: surface from the reference on, or TN_UNKNOWN; divergence of the discharge, m/s; depth of cells that are open,
	// else 0.
	float* surface;
	float* divergence;
	float* room;
} tnHandoverReading;

// What is short becomes a potential: times share, weight of the depth, and window.
typedef struct tnHandoverWeight
{
	const float* depths;
	const float* windows;
	float share;
	float cellSize;
	// What is less sharply cut, for where waves of the next grid are deep too; NULL for none.
	const float* softSurface;
	const float* softDivergence;
	float nextSize; // of cells of the next grid, m
	// What is lower is no wave: by a share of the depth, and by so much everywhere, m. And what is slower than this times
	// that, 1/s.
	float noisePerDepth, noise, ratePerHeight;
} tnHandoverWeight;

// Some cells of a row that gives.
typedef struct tnHandoverPush
{
	// Potentials of height and of rate, rows above, here and below, and what of the depth is open.
	const float* heights[3];
	const float* rates[3];
	const float* room[3];
	float mostShare;
	float cellSize;
	bool storesVelocity;
	// What changes.
	float* depth;
	float* residual;      // NULL for none
	float* previousDepth; // NULL for none
	float* flowX;
	float* flowZ;
} tnHandoverPush;

typedef struct tnHandoverRows
{
	// False if some of it is not known, or might not be.
	bool (*read)(const tnHandoverReading* reading, int count);
	// Of pairs of rows: means of what is known, and least depths, 0 below the limit. Counts are of coarse cells.
	void (*average)(const float* const surfaces[2], const float* const divergences[2], float* surface,
		float* divergence, int count);
	void (*measure)(const float* const depths[2], float limit, float* out, int count);
	// Of coarse cells, into two cells each of which the surface is not known.
	void (*fill)(
		const float* coarseSurface, const float* coarseDivergence, float* surface, float* divergence, int count);

	// Restriction across and along rows, see wave_filter.c. For `along`, line[0] is the first of 12 cells of out[0].
	void (*restrictAcross)(const float* const above[6], const float* const below[6], float* out, int count);
	void (*restrictAlong)(const float* line, float* even, float* odd, float* out, int count);
	// Prolongation. Along, count is of coarse cells, and line[3] is the first. The smooth one is for potentials, and
	// there line[4] is.
	void (*prolongAcross)(const float* const rows[6], float* out, int count);
	void (*smoothAcross)(const float* const rows[8], float* out, int count);
	void (*prolongAlong)(const float* line, float* out, int count);
	void (*subtractAlong)(const float* line, float* out, int count);
	// The smooth one times clamp(depth * scale - 1, 0, 1), plus `finer` unless that is NULL. It may be `out`.
	void (*deepenAlong)(const float* line, const float* depths, float scale, const float* finer, float* out, int count);

	void (*weigh)(float* surface, float* divergence, const tnHandoverWeight* weight, int count);
	void (*push)(const tnHandoverPush* push, int count);

	// factor times K of a potential, through faces of which both cells are deeper than the limit. Gradients are
	// 1 + 3 order times that of two cells, less order times that of the two around them.
	void (*bend)(const float* values, const float* depths, int stride, float limit, float factor, float order,
		float* out, int count);
	// height += share change, rate -= share rateChange; share is 0 where the mask is not above 0.
	void (*feed)(
		float* height, float* rate, const float* mask, const float* change, const float* rateChange, int count);
	// Is any of exactly so many values between these?
	bool (*hasBetween)(const float* values, float low, float high, int count);
	// Largest |value| of exactly so many.
	float (*getLargest)(const float* values, int count);
} tnHandoverRows;

const tnHandoverRows* tnGetHandoverRows(tnSimd simd);

TN_DECLARE_TABLES(tnHandoverRows);
