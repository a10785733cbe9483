// SPDX-License-Identifier: MIT

#pragma once

#include "flow.h"

// One sub-step on its way through the rows of a band. flow.c cuts the world into bands and sends several sub-steps
// through each; flow_stage.c says what one of them does at a row.

enum
{
	// Rows of a ring of slots at most: a power of two.
	TN_MAX_SLOTS = 8,
	// The same, for what second order finds out on its way.
	TN_SURFACE_SLOTS = 2,
	TN_CARRIED_SLOTS = 4,
};

// How a method is computed, chosen once.
typedef struct tnScheme
{
	const tnFlowKernels* kernels;
	tnFacesKernel faces;
	tnTransportKind transport;
	tnFinishKind finish;
	// Faces hold velocities; discharges, and with transport the velocities before it, live in slots of a stage.
	bool storesVelocity;
	bool transports;
	// Momentum may be carried along in the last of several sub-steps for all of them.
	bool canWait;
	// Faces look at the velocities that cross them, so they cannot be accelerated in place.
	bool looksAcross;
	// Fluxes are computed in a pass of their own after the faces have been accelerated.
	bool reconstructs;
	// Rows by which faces are accelerated ahead of the row that is limited.
	int lead;
	// Rows on either side of a row whose faces its transport reads.
	int margin;
	// Rows on either side that a row depends on in one sub-step.
	int reach;
	// Rows between two sub-steps of a trip.
	int lag;
	// Sub-steps of a trip at most.
	int tripLimit;
	// Rings: rows of X faces and of Z faces that are in flight at once, powers of two.
	int slotsX, slotsZ;
} tnScheme;

tnScheme tnMakeScheme(const tnWorldDef* def);

// A sub-step in flight.
typedef struct tnStage
{
	float* scale[2];
	bool limited[2];
	float* dischargeX[TN_MAX_SLOTS];
	float* dischargeZ[TN_MAX_SLOTS];
	float* velocityX[TN_MAX_SLOTS];
	float* velocityZ[TN_MAX_SLOTS];
	// Forward guess of MacCormack.
	float* guessX[TN_MAX_SLOTS];
	float* guessZ[TN_MAX_SLOTS];
	// Fine: the surface in the middle of cells and at their sides, and the velocities that the boxes of faces
	// have at their sides, in the order of tnReconstructRow.
	float* surface[5][TN_SURFACE_SLOTS];
	float* carriedX[4][TN_CARRIED_SLOTS];
	float* carriedZ[4][TN_CARRIED_SLOTS];
	float* scrap; // for results that nobody wants
	// Do velocities live in slots until D, what happens to them there, and for the time of how many sub-steps?
	bool transports;
	tnTransportKind transport;
	tnFlowParameters transportParameters;
	int rowBegin, rowEnd;       // rows it completes
	int finishBegin, finishEnd; // rows whose water it moves: those and the margin
	bool first, last;
} tnStage;

// Rows of slots that a stage needs, and dealing them out from memory of `stride` floats a row.
int tnScheme_GetSlotRows(const tnScheme* scheme);
float* tnStage_Deal(tnStage* stage, const tnScheme* scheme, float* next, int stride);

typedef struct tnTrip
{
	tnFlow* flow;
	const tnScheme* scheme;
	tnGrid* grid;
	const tnTiles* tiles;
	const tnEdges* edges;
	const tnFlowParameters* parameters;
	float courant;
	int subStepCount;
	bool keepPrevious;
	bool measure;
	bool wrapX, wrapZ;
} tnTrip;

// A band during a trip: rows [begin, end) are its own.
typedef struct tnBand
{
	const tnTrip* trip;
	tnRow* rows; // rows[r - tableBegin] is row r, which is a ghost or beyond the world for wrapped ones
	int tableBegin;
	int begin, end;
	tnTripResult* result;
} tnBand;

// The row of the world that a row stands for.
static inline int tnWrapRow(const tnTrip* trip, int row)
{
	int count = trip->grid->rowCount;
	return trip->wrapZ ? ((row % count) + count) % count : row;
}

static inline tnSpanList tnGetRowSpans(const tnTrip* trip, int row)
{
	return tnTiles_GetSpans(trip->tiles, tnWrapRow(trip, row) / TN_TILE_SIZE);
}

// Set the rows of a stage that is to complete rows [begin, end), which may lie beyond the world.
void tnStage_SetRows(const tnBand* band, tnStage* stage, int begin, int end);
// Positions that a stage visits: [first, last].
int tnStage_GetFirst(const tnStage* stage);
int tnStage_GetLast(const tnStage* stage, const tnScheme* scheme);
// Bring one sub-step to a position.
void tnStage_Visit(const tnBand* band, tnStage* stage, int row);
