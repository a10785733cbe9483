// SPDX-License-Identifier: MIT

#pragma once

#include "flow_overrides.h"
#include "flow_trip.h"

#include <string.h>

// Where a stage finds what: rows of the state, and the slots between them. For the files of the passes.

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

typedef struct tnTrip
{
	struct tnFlow* flow;
	const tnScheme* scheme;
	tnGrid* grid;
	const tnTiles* tiles;
	const tnEdges* edges;
	const tnOverrideSource* overrides; // NULL for none
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

static inline const tnRow* tnGetRow(const tnBand* band, int row)
{
	return band->rows + (row - band->tableBegin);
}

static inline bool tnIsInside(const tnTrip* trip, int row)
{
	return trip->wrapZ || (row >= 0 && row < trip->grid->rowCount);
}

// What the kernel leaves over: groups that are not plain.
void tnOverrideOthers(const tnTrip* trip, const tnOverrideRow* overrides, int row, bool alongZ, float* discharge,
	float* const* velocities, int velocityCount);

// Set the faces around bodies to what was found for them, X or Z ones of a row: the discharge, and the velocity in 0, 1
// or 4 rows.
static inline void tnOverrideFaces(
	const tnTrip* trip, int row, bool alongZ, float* discharge, float* const* velocities, int velocityCount)
{
	const bool any = trip->overrides != NULL && tnIsInside(trip, row);
	const tnOverrideRow* overrides = any ? trip->overrides->rows[tnWrapRow(trip, row)] : NULL;
	if (overrides == NULL)
	{
		return;
	}
	trip->scheme->kernels->override(discharge, velocities, velocityCount, overrides, alongZ);
	if (!trip->overrides->plain)
	{
		tnOverrideOthers(trip, overrides, row, alongZ, discharge, velocities, velocityCount);
	}
}

// Spans of the Z faces between row - 1 and row.
static inline tnSpanList tnGetFaceSpans(const tnTrip* trip, int row, bool* partial)
{
	int above = tnWrapRow(trip, row - 1);
	int below = tnWrapRow(trip, row);
	*partial = false;
	if (above < 0)
	{
		return tnTiles_GetSpans(trip->tiles, 0);
	}
	int tileAbove = above / TN_TILE_SIZE;
	if (below == trip->grid->rowCount || below / TN_TILE_SIZE == tileAbove)
	{
		return tnTiles_GetSpans(trip->tiles, tileAbove);
	}
	*partial = true;
	return tnTiles_GetSharedSpans(trip->tiles, tileAbove);
}

// Where the discharge of the X faces of a row is, and of the Z faces between row - 1 and row.
static inline float* tnGetDischargeX(const tnBand* band, const tnStage* stage, int row)
{
	const tnScheme* scheme = band->trip->scheme;
	return scheme->storesVelocity ? stage->dischargeX[row & (scheme->slotsX - 1)] : tnGetRow(band, row)->flowX;
}

static inline float* tnGetDischargeZ(const tnBand* band, const tnStage* stage, int row)
{
	const tnScheme* scheme = band->trip->scheme;
	return scheme->storesVelocity ? stage->dischargeZ[row & (scheme->slotsZ - 1)] : tnGetRow(band, row)->flowZ;
}

// Where their velocity is between A and D.
static inline float* tnGetVelocityX(const tnBand* band, const tnStage* stage, int row)
{
	const tnScheme* scheme = band->trip->scheme;
	return stage->transports ? stage->velocityX[row & (scheme->slotsX - 1)] : tnGetRow(band, row)->flowX;
}

static inline float* tnGetVelocityZ(const tnBand* band, const tnStage* stage, int row)
{
	const tnScheme* scheme = band->trip->scheme;
	return stage->transports ? stage->velocityZ[row & (scheme->slotsZ - 1)] : tnGetRow(band, row)->flowZ;
}

enum
{
	// Places in a cell, in the order of tnStage.surface.
	TN_MIDDLE = 0,
	TN_WEST_SIDE,
	TN_EAST_SIDE,
	TN_NORTH_SIDE,
	TN_SOUTH_SIDE,
	// Sides of the box of a face, in the order of tnReconstructRow.carried.
	TN_FIRST = 0,
	TN_SECOND,
	TN_BEFORE,
	TN_AFTER,
};

static inline float* tnGetSurface(const tnStage* stage, int side, int row)
{
	return stage->surface[side][row & (TN_SURFACE_SLOTS - 1)];
}

static inline float* tnGetCarriedX(const tnStage* stage, int side, int row)
{
	return stage->carriedX[side][row & (TN_CARRIED_SLOTS - 1)];
}

static inline float* tnGetCarriedZ(const tnStage* stage, int side, int row)
{
	return stage->carriedZ[side][row & (TN_CARRIED_SLOTS - 1)];
}

// Transport looks from awake tiles into sleeping ones, where nothing moves: clear what it may see of a row of slots.
// Tiles are larger than its reach, so looking at the rows of tiles around is enough.
static inline void tnClearAround(const tnTrip* trip, int row, float* slotA, float* slotB)
{
	enum
	{
		TN_SIGHT = 8,
	};
	for (int near = row - TN_SIGHT; near <= row + TN_SIGHT; near += TN_SIGHT)
	{
		if (!trip->wrapZ && (near < 0 || near >= trip->grid->rowCount))
		{
			continue;
		}
		const tnSpanList list = tnGetRowSpans(trip, near);
		for (int i = 0; i < list.count; ++i)
		{
			const int begin = list.spans[i].begin - TN_SIGHT;
			const size_t byteCount = (size_t)(list.spans[i].end + TN_SIGHT - begin) * sizeof(float);
			memset(slotA + begin, 0, byteCount);
			memset(slotB + begin, 0, byteCount);
		}
	}
}

// Columns just outside the world see what is at its edge, or across it.
static inline void tnSetSlotGhosts(const tnTrip* trip, float* slot, int count, int period)
{
	for (int i = 1; i <= 2; ++i)
	{
		slot[-i] = trip->wrapX ? slot[period - i] : slot[0];
		slot[count - 1 + i] = trip->wrapX ? slot[count - 1 + i - period] : slot[count - 1];
	}
}

static inline void tnSetGhostsX(const tnTrip* trip, float* slot)
{
	tnSetSlotGhosts(trip, slot, trip->grid->columnCount + 1, trip->grid->columnCount);
}

static inline void tnSetGhostsZ(const tnTrip* trip, float* slot)
{
	tnSetSlotGhosts(trip, slot, trip->grid->columnCount, trip->grid->columnCount);
}

static inline void tnCopyFaces(float* target, const float* source, tnSpanList list)
{
	for (int i = 0; i < list.count; ++i)
	{
		const int begin = list.spans[i].begin;
		memcpy(target + begin, source + begin, (size_t)(list.spans[i].end - begin) * sizeof(float));
	}
}
