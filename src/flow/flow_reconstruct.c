// SPDX-License-Identifier: MIT

// Pass R of a sub-step: what faces carry, second order. flow_stage.c has the passes, shallow_kernels.inc the equations.

#include "flow_reconstruct.h"

static void tnReconstructCells(const tnBand* band, const tnStage* stage, int row)
{
	const tnTrip* trip = band->trip;
	if (!tnIsInside(trip, row))
	{
		return;
	}
	tnSurfaceRow cells = {
		.dischargeX = tnGetDischargeX(band, stage, row),
		.dischargeAbove = tnGetDischargeZ(band, stage, row),
		.dischargeBelow = tnGetDischargeZ(band, stage, row + 1),
		.middle = tnGetSurface(stage, TN_MIDDLE, row),
		.west = tnGetSurface(stage, TN_WEST_SIDE, row),
		.east = tnGetSurface(stage, TN_EAST_SIDE, row),
		.north = tnGetSurface(stage, TN_NORTH_SIDE, row),
		.south = tnGetSurface(stage, TN_SOUTH_SIDE, row),
	};
	for (int i = 0; i < 3; ++i)
	{
		cells.bed[i] = tnGetRow(band, row - 1 + i)->bed;
		cells.depth[i] = tnGetRow(band, row - 1 + i)->depth;
	}
	const tnSpanList list = tnGetRowSpans(trip, row);
	for (int i = 0; i < list.count; ++i)
	{
		trip->scheme->kernels->reconstructCells(trip->parameters, &cells, list.spans[i].begin, list.spans[i].end);
	}
	tnSetGhostsZ(trip, cells.middle);
	tnSetGhostsZ(trip, cells.east);
}

static tnReconstructRow tnGetReconstructX(const tnBand* band, const tnStage* stage, int row)
{
	const tnTrip* trip = band->trip;
	const tnRow* r = tnGetRow(band, row);
	const float* velocity = tnGetVelocityX(band, stage, row);
	const float* above = tnGetVelocityZ(band, stage, row);
	const float* below = tnGetVelocityZ(band, stage, row + 1);
	tnReconstructRow faces = {
		.bed = {r->bed - 2, r->bed - 1, r->bed, r->bed + 1},
		.depth = {r->depth - 2, r->depth - 1, r->depth, r->depth + 1},
		.middle = {tnGetSurface(stage, TN_MIDDLE, row) - 1, tnGetSurface(stage, TN_MIDDLE, row)},
		.surface = {tnGetSurface(stage, TN_EAST_SIDE, row) - 1, tnGetSurface(stage, TN_WEST_SIDE, row)},
		.along = {velocity - 1, velocity, velocity + 1},
		.across = {tnIsInside(trip, row - 1) ? tnGetVelocityX(band, stage, row - 1) : velocity,
			tnIsInside(trip, row + 1) ? tnGetVelocityX(band, stage, row + 1) : velocity},
		.crossing = {above - 1, below - 1, above, below},
		.discharge = tnGetDischargeX(band, stage, row),
	};
	for (int i = 0; i < 4; ++i)
	{
		faces.carried[i] = tnGetCarriedX(stage, i, row);
	}
	return faces;
}

// The Z faces between row - 1 and row.
static tnReconstructRow tnGetReconstructZ(const tnBand* band, const tnStage* stage, int row)
{
	const float* velocity = tnGetVelocityZ(band, stage, row);
	const float* above = tnGetVelocityX(band, stage, row - 1);
	const float* below = tnGetVelocityX(band, stage, row);
	tnReconstructRow faces = {
		.middle = {tnGetSurface(stage, TN_MIDDLE, row - 1), tnGetSurface(stage, TN_MIDDLE, row)},
		.surface = {tnGetSurface(stage, TN_SOUTH_SIDE, row - 1), tnGetSurface(stage, TN_NORTH_SIDE, row)},
		.along = {tnGetVelocityZ(band, stage, row - 1), velocity, tnGetVelocityZ(band, stage, row + 1)},
		.across = {velocity - 1, velocity + 1},
		.crossing = {above, above + 1, below, below + 1},
		.discharge = tnGetDischargeZ(band, stage, row),
	};
	for (int i = 0; i < 4; ++i)
	{
		faces.bed[i] = tnGetRow(band, row - 2 + i)->bed;
		faces.depth[i] = tnGetRow(band, row - 2 + i)->depth;
		faces.carried[i] = tnGetCarriedZ(stage, i, row);
	}
	return faces;
}

static void tnDiscard(tnReconstructRow* faces, float* scrap)
{
	faces->discharge = scrap;
	for (int i = 0; i < 4; ++i)
	{
		faces->carried[i] = scrap;
	}
}

// Edges, and faces between tiles of which one sleeps, have the velocity that they have, on all sides.
static void tnSetPlainX(const tnBand* band, const tnStage* stage, int row, int face)
{
	const float velocity = tnGetVelocityX(band, stage, row)[face];
	for (int i = 0; i < 4; ++i)
	{
		tnGetCarriedX(stage, i, row)[face] = velocity;
	}
}

static void tnSetReconstructEnds(const tnBand* band, const tnStage* stage, int row, const tnSpanList list)
{
	const tnTrip* trip = band->trip;
	const int n = trip->grid->columnCount;
	float* discharge = tnGetDischargeX(band, stage, row);
	for (int i = 0; i < list.count; ++i)
	{
		const tnSpan span = list.spans[i];
		if (span.begin > 0 || !trip->wrapX)
		{
			tnSetPlainX(band, stage, row, span.begin);
		}
		if (span.end < n || !trip->wrapX)
		{
			tnSetPlainX(band, stage, row, tnMinInt(span.end, n));
		}
	}
	if (trip->wrapX)
	{
		discharge[n] = discharge[0];
	}
	tnSetGhostsX(trip, tnGetCarriedX(stage, TN_FIRST, row));
	tnSetGhostsX(trip, tnGetCarriedX(stage, TN_SECOND, row));
}

// Edges in the north and south.
static void tnSetPlainZ(const tnBand* band, const tnStage* stage, int row, const tnSpanList list)
{
	for (int side = 0; side < 4; ++side)
	{
		tnCopyFaces(tnGetCarriedZ(stage, side, row), tnGetVelocityZ(band, stage, row), list);
	}
}

static void tnSetGhostsBeside(const tnTrip* trip, const tnStage* stage, int row)
{
	tnSetGhostsZ(trip, tnGetCarriedZ(stage, TN_BEFORE, row));
	tnSetGhostsZ(trip, tnGetCarriedZ(stage, TN_AFTER, row));
}

// Faces around bodies are of first order: the discharge that was found for them, and their own velocity at all sides.
static void tnSetPlainOverrides(const tnTrip* trip, const tnStage* stage, int row, bool alongZ, float* discharge)
{
	float* carried[4];
	for (int side = 0; side < 4; ++side)
	{
		carried[side] = alongZ ? tnGetCarriedZ(stage, side, row) : tnGetCarriedX(stage, side, row);
	}
	tnOverrideFaces(trip, row, alongZ, discharge, carried, 4);
}

// The X faces of a row and the Z faces below it, or one of both.
static void tnReconstructFaces(const tnBand* band, const tnStage* stage, int row, bool hasX)
{
	const tnTrip* trip = band->trip;
	const tnFlowKernels* kernels = trip->scheme->kernels;
	const int n = trip->grid->columnCount;
	const bool hasAbove = tnIsInside(trip, row);
	const bool hasBelow = tnIsInside(trip, row + 1);
	const bool hasZ = hasAbove && hasBelow;
	hasX = hasX && hasAbove;
	if (!hasAbove && !hasBelow)
	{
		return;
	}
	bool partial;
	const tnSpanList listZ = tnGetFaceSpans(trip, row + 1, &partial);
	if (trip->tiles->awakeCount < trip->tiles->count)
	{
		for (int i = 0; i < 4; i += 2)
		{
			if (hasX)
			{
				tnClearAround(trip, row, tnGetCarriedX(stage, i, row), tnGetCarriedX(stage, i + 1, row));
			}
			tnClearAround(trip, row + 1, tnGetCarriedZ(stage, i, row + 1), tnGetCarriedZ(stage, i + 1, row + 1));
		}
	}
	tnReconstructRow facesX;
	tnReconstructRow facesZ;
	if (hasAbove)
	{
		facesX = tnGetReconstructX(band, stage, row);
	}
	if (hasZ)
	{
		facesZ = tnGetReconstructZ(band, stage, row + 1);
	}
	if (hasX)
	{
		const tnSpanList listX = tnGetRowSpans(trip, row);
		tnReconstructRow other = hasZ ? facesZ : facesX;
		if (!hasZ || partial)
		{
			tnDiscard(&other, stage->scrap);
		}
		for (int i = 0; i < listX.count; ++i)
		{
			// Edges, and faces between tiles of which one sleeps, keep what they have.
			const tnSpan span = listX.spans[i];
			const float atBegin = facesX.discharge[span.begin];
			const float atEnd = facesX.discharge[tnMinInt(span.end, n)];
			kernels->reconstruct(trip->parameters, &facesX, &other, span.begin, span.end);
			if (span.begin > 0 || !trip->wrapX)
			{
				facesX.discharge[span.begin] = atBegin;
			}
			if (span.end >= n)
			{
				facesX.discharge[n] = atEnd;
			}
		}
		tnSetReconstructEnds(band, stage, row, listX);
	}
	if (!hasZ)
	{
		tnSetPlainZ(band, stage, row + 1, listZ);
	}
	else if (partial || !hasX)
	{
		tnDiscard(&facesX, stage->scrap);
		for (int i = 0; i < listZ.count; ++i)
		{
			kernels->reconstruct(trip->parameters, &facesX, &facesZ, listZ.spans[i].begin, listZ.spans[i].end);
		}
	}
	if (hasX && trip->overrides != NULL)
	{
		tnSetPlainOverrides(trip, stage, row, false, tnGetDischargeX(band, stage, row));
	}
	if (hasZ && trip->overrides != NULL)
	{
		tnSetPlainOverrides(trip, stage, row + 1, true, tnGetDischargeZ(band, stage, row + 1));
	}
	tnSetGhostsBeside(trip, stage, row + 1);
}

void tnLimitCarriedFaces(const tnBand* band, const tnStage* stage, int row, bool alsoX)
{
	const tnTrip* trip = band->trip;
	float* carriedX[4];
	float* carriedZ[4];
	for (int i = 0; i < 4; ++i)
	{
		carriedX[i] = tnGetCarriedX(stage, i, row);
		carriedZ[i] = tnGetCarriedZ(stage, i, row + 1);
	}
	const float* scale = stage->scale[row & 1];
	const tnSpanList list = tnGetRowSpans(trip, alsoX ? row : row + 1);
	for (int i = 0; i < list.count; ++i)
	{
		const tnSpan span = list.spans[i];
		trip->scheme->kernels->limitCarried(tnGetDischargeZ(band, stage, row + 1), tnGetVelocityZ(band, stage, row + 1),
			scale, stage->scale[(row + 1) & 1], carriedZ, span.begin, span.end);
		if (alsoX)
		{
			// The last face of the world may lie just outside the tiles.
			const int end = span.end == trip->grid->columnCount ? span.end + TN_ROW_PAD : span.end;
			trip->scheme->kernels->limitCarried(tnGetDischargeX(band, stage, row), tnGetVelocityX(band, stage, row),
				scale - 1, scale, carriedX, span.begin, end);
		}
	}
	tnSetGhostsX(trip, carriedX[TN_FIRST]);
	tnSetGhostsX(trip, carriedX[TN_SECOND]);
	tnSetGhostsZ(trip, carriedZ[TN_BEFORE]);
	tnSetGhostsZ(trip, carriedZ[TN_AFTER]);
}

void tnReconstructRows(const tnBand* band, const tnStage* stage, int row, bool first)
{
	// The surface at half time needs the first guess of discharges, before faces overwrite it.
	for (int cells = first ? row - 1 : row + 1; cells <= row + 1; ++cells)
	{
		tnReconstructCells(band, stage, cells);
	}
	if (first)
	{
		tnReconstructFaces(band, stage, row - 1, false);
	}
	tnReconstructFaces(band, stage, row, true);
}
