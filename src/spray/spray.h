// SPDX-License-Identifier: MIT

// Water in the air.

#pragma once

#include "../core/ids.h"
#include "../core/parallel.h"
#include "../flow/grid.h"
#include "../flow/tiles.h"
#include "foam.h"
#include "sound.h"
#include "spray_bodies.h"
#include "spray_kernels.h"
#include "tarn/spray.h"

#include <math.h>

// Water in the air (spray.c: flight; spray_landing.c: where it comes down; spray_births.c: how it is added, and jets;
// spray_brinks.c: what all have in common that take it out of cells; spray_ledges.c: where it falls;
// spray_breaking.c: where crests break).
//
// Its volume is a whole number of units, 2^-46 m of depth in one cell, a part of the last place of any float32 depth of more
// than 2^-23 m: what leaves a cell and what comes back are such numbers exactly, and nothing is lost between.
//
// A mirrored world has mirrored bits, x for z as well: whatever is added up is added in an order that does not matter; random numbers
// hang on the distance to the middle of the world, not on the side; and x and z are whole numbers of a step, a power of two so
// large that all of them are floats, and so are their mirror images.
#define TN_SPRAY_UNITS 70368744177664.0 // 2^46 per meter
// The air holds so many units at most, 65536 m of depth in a cell: sums of them fit into an int64_t.
#define TN_MAX_AIRBORNE ((int64_t)1 << 62)

typedef struct tnJet
{
	tnJetDef def;
	double pending; // m of depth in one cell that is due
} tnJet;

// Particles that one task moves.
#define TN_FLIGHT_BLOCK 256

// A cell in which water lands.
typedef struct tnLanding
{
	int32_t cell;   // column + row * columnCount
	int32_t first;  // particle; tnSpray.landings has the next one, or -1
	double depth;   // of all that landed, m
	double push[2]; // depth times velocity along x and z, m^2/s
} tnLanding;

typedef struct tnSpray
{
	tnSprayDef def;
	tnSprayParticle* particles; // def.capacity of them
	int64_t* units;
	float* tracers;     // tracerCount for each, NULL if there are none
	int32_t* landings;  // in this step: cell in which it lands, or over which side it is gone
	int32_t* landed;    // those that do not fly any more, by blocks of TN_FLIGHT_BLOCK
	int* landedCounts;  // by block
	int64_t* kept;      // units of those that landed which fly on: see spray_rebound.c
	tnLanding* landing; // cells in which water landed in this step
	int32_t* marks;     // by cell, column + row * columnCount: zeros, and notes of the pass that is at work
	uint64_t* rows;     // by tile: rows in which something may be found
	uint64_t* cells;    // by tile, TN_TILE_SIZE rows each: cells of these in which it may be
	int cellCount, tileCount;
	int tracerCount;
	int count;
	int64_t airborne; // units of all particles
	int64_t rest;     // units that rounding has kept from cells, or lent to them
	tnVec2 center;    // of the world, in whole steps
	float perCell;    // cells in a meter
	float rounding;   // added and taken away again leaves whole steps
	int64_t bornCount, landedCount, mergedCount;
	tnIdPool jetIds;
	tnJet* jets;
	int jetCapacity;
	float* splashes; // power of landing water by blocks of sound.h, W, over TN_SPLASH_TIME
	int splashCount;
	tnSprayBodies bodies;
} tnSpray;

typedef struct tnSprayStep
{
	tnGrid* grid;
	tnTiles* tiles;
	tnParallel* parallel;
	tnBodies* bodies;
	tnFoam* foam;
	const tnWaves* waves;
	const tnSprayKernels* kernels;
	tnEdgeKind edges[tn_sideCount];
	float gravity, timeStep;
	int64_t stepCount;
} tnSprayStep;

// What came into the world by jets and left it over edges, m of depth in one cell.
typedef struct tnSprayBook
{
	double sources;
	double edges[tn_sideCount];
} tnSprayBook;

// Nothing but zeros without the layer. False if memory ran out.
bool tnSpray_Create(tnSpray* spray, tnMemory* memory, const tnGrid* grid, const tnSprayDef* def);
void tnSpray_Destroy(tnSpray* spray, tnMemory* memory);
// Room for so many jets in all. False if memory ran out.
bool tnSpray_ReserveJets(tnSpray* spray, tnMemory* memory, int count);
tnSprayBook tnSpray_Step(tnSpray* spray, const tnSprayStep* step);
// m of depth in one cell.
double tnSpray_GetAirborne(const tnSpray* spray);
uint64_t tnSpray_Hash(const tnSpray* spray, uint64_t hash);

// In whole steps of places: the nearest one, the farther one from 0 if there are two.
static inline float tnSpray_Round(const tnSpray* spray, float v)
{
	return copysignf(tnAbsFloat(v) + spray->rounding - spray->rounding, v);
}

// A place that is given by its way from the middle of the world, m.
static inline tnVec3 tnSpray_GetPlace(const tnSpray* spray, float x, float y, float z)
{
	return (tnVec3){spray->center.x + tnSpray_Round(spray, x), y, spray->center.z + tnSpray_Round(spray, z)};
}

// spray_landing.c
// Gives back what has landed. Particles that do not fly any more are still there.
void tnSpray_Land(tnSpray* spray, const tnSprayStep* step);

// spray_births.c
// Water of a birth: where, how fast, of which kind and number.
typedef struct tnBirth
{
	tnVec3 position, velocity;
	tnSprayKind kind;
	uint32_t seed;
	const float* tracers; // NULL: none
} tnBirth;

uint32_t tnScramble(uint32_t v);
// In [0, 1). The next one each time.
float tnNextFraction(uint32_t* state);
// Adds a particle, or gives its water to another one if there are too many. Ask first if the air has room.
void tnSpray_Add(tnSpray* spray, const tnGrid* grid, const tnBirth* birth, int64_t units);
bool tnSpray_HasRoom(const tnSpray* spray, int64_t units);
// Returns what they brought, m of depth in one cell.
double tnSpray_RunJets(tnSpray* spray, const tnSprayStep* step);

// spray_brinks.c
// Cells are looked at every so many steps, and give what is due for all of them.
#define TN_TURN_PERIOD 4

// In which of the cells [begin, begin + count) of a row could there be something? Bit 0 is for the first.
typedef uint64_t tnLookFcn(const tnSpray* spray, const tnSprayStep* step, ptrdiff_t begin, int count);
typedef void tnCellFcn(tnSpray* spray, const tnSprayStep* step, int column, int row);
// Runs a function for all cells in which there could be something. Those that it marks lose what was taken after all have been
// seen.
void tnSpray_VisitCells(tnSpray* spray, const tnSprayStep* step, tnLookFcn* look, tnCellFcn* visit);
// How many units it is to take some depth, m, out of a cell, 0 if that cannot be said exactly, or the air has no room for it.
int64_t tnSpray_CountTaken(const tnSpray* spray, const tnGrid* grid, ptrdiff_t cell, float depth);
void tnSpray_MarkTaken(tnSpray* spray, const tnGrid* grid, int column, int row, float depth);

// Water that leaves over a face, piece by piece.
typedef struct tnBrink
{
	int count;
	int64_t units;                  // of each piece
	uint32_t random;                // of this one, as are those below
	float along;                    // place along the face, from the middle of the world, m
	float height, time, pace, kick; // random numbers in [0, 1)
	float across;                   // place of the face, from the middle of the world, m
	float middle, size;             // of the face
	float way;                      // along the face to the nearest end of the world: -1, 1, 0 in the middle
} tnBrink;

tnBrink tnSpray_MakeBrink(const tnSprayStep* step, int column, int row, bool alongX, int64_t units);
void tnBrink_NextPiece(tnBrink* brink, int piece);

// spray_rebound.c
// Before they land: which keep some of their water?
void tnSpray_SplitJets(tnSpray* spray, const tnSprayStep* step);
// After that: one that does flies on with it.
void tnSpray_Rebound(tnSpray* spray, const tnGrid* grid, int index);

// spray_slam.c
void tnSpray_Slam(tnSpray* spray, const tnSprayStep* step);

// spray_ledges.c
void tnSpray_FallOverLedges(tnSpray* spray, const tnSprayStep* step);

// spray_breaking.c
void tnSpray_BreakCrests(tnSpray* spray, const tnSprayStep* step);

// spray_waves.c
void tnSpray_BreakWaves(tnSpray* spray, const tnSprayStep* step);
