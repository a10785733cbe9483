// SPDX-License-Identifier: MIT

#pragma once

#include "../core/instruction_sets.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Loops of the foam of a row of a tile (foam.c, foam_births.c; foam_kernels.inc has them for one instruction set). They work
// on whole vectors: up to 15 floats beyond `count` are read and written, and have no say in what is returned.

enum
{
	TN_FOAM_PAD = 16,
	TN_FOAM_MOST = 64, // most cells of a row at once
};

// All the foam that births can bring a cell to: a part in a million of the water is left bare.
#define TN_MOST_BORN 1.0e6f

// Cells of a row in which the flow may make foam. foam_births.c has the formulas and says what the numbers are.
typedef struct tnBirthCells
{
	const float* bed;
	const float* depth;
	ptrdiff_t stride; // from row to row
	// m^2/s, before the cells, above and below
	const float* dischargeX;
	const float* dischargeZ[2];
	float front, frontLimit, frontLeast;
	float rapids, rapidsLimit;
	float shore, shoreLimit, shoreFall, wetDepth;
	float foamDepth, foamDepthRange;
	float gravity, cellSize, perCell, time;
	float* foam;
} tnBirthCells;

// Cells of a row that foam is carried in, from the first column of their tile on.
typedef struct tnFoamCells
{
	const float* foam[5];    // of two rows above, their own, and two below
	const float* leaving[3]; // of the row above, their own, and the one below
	const float* sharesX;    // of the cells that foam comes from, for a whole step: faces before them
	const float* sharesZ[2]; // likewise: faces above and below
	float part;              // of the step
	float keep;              // what is left after fading
	float* alongX;           // scratch: what passes the faces before them
	float* alongZ;           // the faces above them, if that is known; then those below
	float* next;             // foam after the step
} tnFoamCells;

// Faces side by side, and the cells before and behind them.
typedef struct tnFoamFaces
{
	const float* bed[2];
	const float* depth[2];
	const float* discharge; // m^2/s
	float spread;           // time step / cell size, s/m
} tnFoamFaces;

// Columns of a body, side by side, in water that they may stir.
typedef struct tnStirColumns
{
	// Velocities of the water in their row and those above and below, m/s, from the column before the first one on.
	const float* u[3];
	const float* w[3];
	// Of the cells. No lift if that is NULL.
	const float* bed;
	const float* depth;
	const float* lift;
	// As of tnColumn
	const float* share;
	const float* low;
	const float* high;
	const float* x;
	const float* z;
	// Of the body: m/s and rad/s, along x, y, z
	float velocity[3];
	float spin[3];
	float cellSize;
	float wakeLimit; // m/s
	float wake;      // 1/m
	float timeStep;
	// What they make in their cells, and those west, east, north and south of them.
	float* amounts[5];
} tnStirColumns;

typedef struct tnFoamKernels
{
	// Shares of cells that pass faces: velocity * spread, from -1 to 1. The velocity is discharge / section, as
	// tnGrid_GetUpwindSection has the section.
	void (*shares)(const tnFoamFaces* faces, int count, float* shares);
	// Largest of what leaves cells through the four faces around them.
	float (*leaving)(const float* west, const float* north, const float* south, int count, float* leaving);
	// Returns the largest new foam, and sets a bit for each cell that has some. `known`: what passes the faces above.
	float (*carry)(const tnFoamCells* cells, int begin, int end, bool known, uint64_t* bits);
	// Returns a bit for each cell that makes foam.
	uint64_t (*bear)(const tnBirthCells* cells, int count);
	// Sets a bit for each column that makes any of these amounts.
	void (*stir)(const tnStirColumns* columns, int count, uint32_t* bits);
} tnFoamKernels;

const tnFoamKernels* tnGetFoamKernels(tnSimd simd);
TN_DECLARE_TABLES(tnFoamKernels);

// Less than this in a cell is nothing: far from where floats become slow.
#define TN_NO_FOAM 1.0e-20f
