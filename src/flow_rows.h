// SPDX-License-Identifier: MIT

#pragma once

#include "flow_stage.h"

#include <string.h>

// Where a stage finds what: rows of the state, and the slots between them. For the files of the passes.

static inline const tnRow* tnGetRow(const tnBand* band, int row)
{
	return band->rows + (row - band->tableBegin);
}

static inline bool tnIsInside(const tnTrip* trip, int row)
{
	return trip->wrapZ || (row >= 0 && row < trip->grid->rowCount);
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

// The passes that have files of their own. tnRelaxRow and tnMeasureRow are what C and D share.

// R at a position: what its faces carry. @param first nothing was reconstructed before
void tnReconstructRows(const tnBand* band, const tnStage* stage, int row, bool first);
// Slow down what the Z faces below a row carry, and alsoX: the X faces of the row, where they were limited.
void tnLimitCarriedFaces(const tnBand* band, const tnStage* stage, int row, bool alsoX);
// D of a row: its water carries its momentum along.
void tnCompleteRow(const tnBand* band, const tnStage* stage, int row);

// Sponges. Returns the largest depth of the row, which was maxDepth before.
float tnRelaxRow(const tnBand* band, int row, float maxDepth);
// The fastest signal of a row: what limits the next time step. Taken before the sponges act, when all four faces of
// its cells are equally far.
void tnMeasureRow(const tnBand* band, int row);
