// SPDX-License-Identifier: MIT

#pragma once

#include "grid.h"
#include "ids.h"
#include "parallel.h"
#include "tarn/spray.h"
#include "tiles.h"

// Water in the air (spray.c: flight and landing; spray_births.c: where it comes from).
//
// Its volume is a whole number of units, 2^-46 m of depth in one cell, a part of the last place of any float32 depth of more
// than 2^-23 m: what leaves a cell and what comes back are such numbers exactly, and nothing is lost between.
#define TN_SPRAY_UNITS 70368744177664.0 // 2^46 per meter

typedef struct tnJet
{
	tnJetDef def;
	double pending; // m of depth in one cell that is due
} tnJet;

typedef struct tnSpray
{
	tnSprayDef def;
	tnSprayParticle* particles; // def.capacity of them
	int64_t* units;
	float* tracers;    // tracerCount for each, NULL if there are none
	int32_t* landings; // cell in which it lands, or tnFlying and others, in this step
	int tracerCount;
	int count;
	int64_t rest; // units that rounding has kept from cells, or lent to them
	int64_t bornCount, landedCount, mergedCount;
	tnIdPool jetIds;
	tnJet* jets;
	int jetCapacity;
} tnSpray;

typedef struct tnSprayStep
{
	tnGrid* grid;
	tnTiles* tiles;
	tnParallel* parallel;
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
tnSprayBook tnSpray_Step(tnSpray* spray, const tnSprayStep* step);
// m of depth in one cell.
double tnSpray_GetAirborne(const tnSpray* spray);
uint64_t tnSpray_Hash(const tnSpray* spray, uint64_t hash);

// spray_births.c
// Water of a birth: where, how fast, of which kind and number.
typedef struct tnBirth
{
	tnVec3 position, velocity;
	tnSprayKind kind;
	uint32_t seed;
	const float* tracers; // NULL: none
} tnBirth;

// Adds a particle, or gives its water to another one if there are too many.
void tnSpray_Add(tnSpray* spray, const tnGrid* grid, const tnBirth* birth, int64_t units);
void tnSpray_FallOverLedges(tnSpray* spray, const tnSprayStep* step);
// Returns what they brought, m of depth in one cell.
double tnSpray_RunJets(tnSpray* spray, const tnSprayStep* step);
