// SPDX-License-Identifier: MIT

#pragma once

#include "../bodies/bodies.h"
#include "../core/parallel.h"
#include "../flow/grid.h"
#include "../flow/tiles.h"
#include "../waves/waves.h"
#include "foam_kernels.h"

// Foam on the water (foam.c: how it is carried and fades; foam_births.c: where it comes from). Its fields are those of the
// grid.

// What is added between two steps is counted in whole units, so that the order does not matter.
#define TN_FOAM_UNITS 65536.0f

// Rows of a tile with foam, a bit each: anywhere, and so near to its west and to its east side that it counts beyond.
typedef struct tnFoamSides
{
	uint64_t any, west, east;
} tnFoamSides;

// Rows and columns of a tile, a bit each.
typedef struct tnStirred
{
	uint64_t rows, columns;
} tnStirred;

typedef struct tnFoam
{
	tnFoamDef def;
	uint8_t* busy;    // by tile: there is foam
	uint8_t* carried; // by tile: busy, or beside one that is
	float* most;      // by tile: largest foam, or largest share of a cell that leaves it
	int* list;        // tiles that are carried
	// Cells with foam, a bit each: 64 words for the rows of a tile, with the first column as lowest bit; then the same for
	// the second buffer of foam.
	uint64_t* cells;
	uint64_t* cellsNext;
	tnFoamSides* sides; // by tile: of `cells`, before foam is carried
	tnStirred* stirred; // by tile: where something was added since the last step
	uint64_t* near;     // by tile: rows whose shares count in this step, a bit each
	int tileCount, listCount;
} tnFoam;

typedef struct tnFoamStep
{
	tnFoam* foam;
	tnGrid* grid;
	const tnTiles* tiles;
	const tnBodies* bodies;
	const tnWaves* waves;
	tnParallel* parallel;
	const tnFoamKernels* kernels;
	float gravity, timeStep;
	int64_t stepCount;
} tnFoamStep;

// Nothing but zeros without the layer. False if memory ran out.
bool tnFoam_Create(tnFoam* foam, tnMemory* memory, const tnGrid* grid, const tnFoamDef* def);
void tnFoam_Destroy(tnFoam* foam, tnMemory* memory);
void tnFoam_Step(const tnFoamStep* step);
// Foam and its cells were put in place: find what follows from them.
void tnFoam_Renew(tnFoam* foam, const tnGrid* grid);
// The edges of the world are others now.
void tnFoam_SetEdges(const tnGrid* grid);

// The cells of a tile.
static inline tnCellBox tnGetTileCells(const tnGrid* grid, int tile)
{
	const int column = tile % grid->tileColumnCount * TN_TILE_SIZE;
	const int row = tile / grid->tileColumnCount * TN_TILE_SIZE;
	return (tnCellBox){
		column, tnMinInt(column + TN_TILE_SIZE, grid->columnCount), row, tnMinInt(row + TN_TILE_SIZE, grid->rowCount)};
}

// Cells of a tile with foam, row by row.
static inline uint64_t* tnFoam_GetRows(const tnFoam* foam, int tile)
{
	return foam->cells + (ptrdiff_t)tile * TN_TILE_SIZE;
}

// Ask for a row of a tile: its lines are too few for a processor to foresee them. Part of its caller, or compilers find that it
// does nothing.
TN_INLINE void tnPrefetchRow(const float* cells)
{
	for (int i = 0; i < TN_TILE_SIZE; i += 16)
	{
		TN_PREFETCH(cells + i);
	}
}

// foam_births.c

// Foam for the next step, or for this one if it is still to come. Nothing without the layer. Two workers may add at the same
// time if their cells are in different tiles.
void tnFoam_Add(tnFoam* foam, const tnGrid* grid, int column, int row, float amount);
// Water of that depth comes down in a cell, or is torn off it, with a speed against the water there, m/s.
void tnFoam_AddSplash(tnFoam* foam, const tnGrid* grid, int column, int row, float depth, float speed);
// Bodies and breaking waves.
void tnFoam_Stir(const tnFoamStep* step);
// What the flow of a tile makes, and what was added to it. True if there was any.
bool tnFoam_BearInTile(const tnFoamStep* step, int tile);
