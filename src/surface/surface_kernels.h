// SPDX-License-Identifier: MIT

#pragma once

#include "../core/instruction_sets.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Loops of the surface over the rows of a tile and of what lies around it (surface_tile.c; surface_kernels.inc has them for one
// instruction set). They work on whole vectors.
//
// A block is a tile with four cells more on each side. Rows of a block have room beside them, so that every cell has a neighbour
// in memory:
//
//     | pad 12 | 4 | 64 cells of the tile | 4 | pad 12 |
//
// The first cell of the tile is where a line of the cache begins. Pointers of rows below point to the first of the 72 cells.

enum
{
	TN_SURFACE_TILE = 64,
	// The surface is continued over three cells, and slopes look one further.
	TN_SURFACE_RINGS = 3,
	TN_SURFACE_MARGIN = TN_SURFACE_RINGS + 1,
	TN_SURFACE_BLOCK = TN_SURFACE_TILE + 2 * TN_SURFACE_MARGIN,
	TN_SURFACE_PAD = 12,
	TN_SURFACE_STRIDE = TN_SURFACE_BLOCK + 2 * TN_SURFACE_PAD,
	TN_SURFACE_CELLS = TN_SURFACE_BLOCK * TN_SURFACE_STRIDE,
};

// How a cell came to its surface: 0 not at all, 1 it is wet, r + 1 in ring r. Cells that are not there:
#define TN_SURFACE_OUTSIDE 100.0f

// Less foam, or wetness, is none: it would fade for ever.
#define TN_SURFACE_LEAST (1.0f / 1024.0f)

enum
{
	TN_ROW_HAS_DRY = 1,
	TN_ROW_HAS_WET = 2,
	// The two states differ.
	TN_ROW_MOVES = 4,
	TN_ROW_IS_LIFTED = 8,
	// Some cell holds less than twice of what counts as wet, and some cell holds something.
	TN_ROW_IS_SHALLOW = 16,
	TN_ROW_HAS_WATER = 32,
};

// Two states of a row of cells. `lift` NULL: there is none.
typedef struct tnSurfaceStates
{
	const float* bed;
	const float* depth;
	const float* depthBefore;
	const float* lift;
	const float* liftBefore;
	float share; // of the way from the state before to that now, in [0, 1]
	float wetDepth;
} tnSurfaceStates;

// Faces side by side, and the cells before and behind them.
typedef struct tnSurfaceFaces
{
	const float* bed[2];
	const float* depth[2];
	const float* flow;
	float limit; // TN_READ_LIMIT g
	bool storesVelocity;
} tnSurfaceFaces;

// What foam is made from in a row of cells, for worlds that have none.
typedef struct tnSurfaceFoamRow
{
	const float* depth;
	const float* surface[3]; // of the row before, their own, and the next one
	const float* velocityX;
	const float* velocityZ[3];
	const float* drifted; // foam that has come with the water. NULL for none
	float wetDepth, gravity, perTwoCells;
} tnSurfaceFoamRow;

typedef struct tnSurfaceBounds
{
	float lowest, highest; // of the surface, m
	float deepest;         // m
	float fastest;         // squared, m^2/s^2
} tnSurfaceBounds;

// The same of cells side by side, as many as the widest vectors have; instead of the lowest the highest of heights times -1.
enum
{
	TN_BOUND_LANES = 8,
};

typedef struct tnSurfaceBoundLanes
{
	float highest[TN_BOUND_LANES], sunken[TN_BOUND_LANES];
	float deepest[TN_BOUND_LANES], fastest[TN_BOUND_LANES];
} tnSurfaceBoundLanes;

typedef struct tnSurfaceKernels
{
	// Depth and surface between two states, and `rings`: 1 where wet, else 0. Returns what there is: TN_ROW_...
	int (*mix)(const tnSurfaceStates* states, int count, float* depth, float* surface, float* rings);
	// Continue the surface of a row to cells that it has not reached, from cells of rings up to `ring` around them. Returns whether cells
	// are left that it has not reached.
	bool (*grow)(const float* bed, float* surface, float* rings, int ring, int count);
	// Cells that it has not reached: below the ground.
	void (*hide)(const float* bed, const float* rings, float below, int count, float* surface);
	// Velocity of faces, and the section it is that of.
	void (*faces)(const tnSurfaceFaces* faces, int count, float* velocity, float* section);
	// Velocity at the middle of cells from that of the faces before and behind them.
	void (*cells)(const float* before, const float* sectionBefore, const float* after, const float* sectionAfter,
		const float* depth, int count, float* velocity);
	// Slopes and bend. Rows of the block are a stride apart. @param rings NULL if all cells are wet, those around them too
	void (*slopes)(
		const float* surface, const float* rings, float perCell, int count, float* slopeX, float* slopeZ, float* bend);
	// Normals of slopes, of length 1.
	void (*normals)(const float* slopeX, const float* slopeZ, int count, float* x, float* y, float* z);
	// Wetness after some time. Returns whether ground dries.
	bool (*wet)(const float* depth, float scale, float keep, int count, float* wetness);
	// Foam of worlds that have none. Returns whether there is some.
	bool (*foam)(const tnSurfaceFoamRow* row, int count, float* foam);
	// The share of the water that amounts of foam cover.
	void (*cover)(const float* amounts, int count, float* shares);
	// Add a row to the bounds.
	void (*bound)(const float* surface, const float* depth, const float* velocityX, const float* velocityZ, int count,
		tnSurfaceBoundLanes* lanes);
	// Put up to four rows together, one number of each after the other, as halves or floats.
	void (*packHalves)(const float* const* rows, int rowCount, int count, uint16_t* texels);
	void (*packFloats)(const float* const* rows, int rowCount, int count, float* texels);
	// heights - ago * rates
	void (*rewind)(const float* heights, const float* rates, float ago, int count, float* out);
} tnSurfaceKernels;

const tnSurfaceKernels* tnGetSurfaceKernels(tnSimd simd);
TN_DECLARE_TABLES(tnSurfaceKernels);
