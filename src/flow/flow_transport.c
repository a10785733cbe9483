// SPDX-License-Identifier: MIT

// Pass D of a sub-step: water carries its momentum along. flow_stage.c has the passes, shallow_kernels.inc the equations.

#include "flow_transport.h"

// Rows and faces beyond the world look like the last ones inside.
static int tnClampRow(const tnTrip* trip, int row, int last)
{
	return trip->wrapZ ? row : tnClampInt(row, 0, last);
}

// What enters through an edge is as fast as the water inside.
static void tnSetCarriedX(tnTransportRow* faces, const tnTrip* trip, const tnStage* stage, int row)
{
	const float* first = tnGetCarriedX(stage, TN_FIRST, row);
	const float* second = tnGetCarriedX(stage, TN_SECOND, row);
	const float* before = tnGetCarriedX(stage, TN_BEFORE, row);
	const float* after = tnGetCarriedX(stage, TN_AFTER, row);
	faces->carriedFirst[0] = second - 1;
	faces->carriedFirst[1] = first;
	faces->carriedSecond[0] = second;
	faces->carriedSecond[1] = first + 1;
	faces->carriedBefore[0] = tnIsInside(trip, row - 1) ? tnGetCarriedX(stage, TN_AFTER, row - 1) : before;
	faces->carriedBefore[1] = before;
	faces->carriedAfter[0] = after;
	faces->carriedAfter[1] = tnIsInside(trip, row + 1) ? tnGetCarriedX(stage, TN_BEFORE, row + 1) : after;
}

static void tnSetCarriedZ(tnTransportRow* faces, const tnStage* stage, int row)
{
	const float* before = tnGetCarriedZ(stage, TN_BEFORE, row);
	const float* after = tnGetCarriedZ(stage, TN_AFTER, row);
	faces->carriedFirst[0] = tnGetCarriedZ(stage, TN_SECOND, row - 1);
	faces->carriedFirst[1] = tnGetCarriedZ(stage, TN_FIRST, row);
	faces->carriedSecond[0] = tnGetCarriedZ(stage, TN_SECOND, row);
	faces->carriedSecond[1] = tnGetCarriedZ(stage, TN_FIRST, row + 1);
	faces->carriedBefore[0] = after - 1;
	faces->carriedBefore[1] = before;
	faces->carriedAfter[0] = after;
	faces->carriedAfter[1] = before + 1;
}

static tnTransportRow tnGetTransportX(const tnBand* band, const tnStage* stage, int row)
{
	const tnTrip* trip = band->trip;
	const int last = trip->grid->rowCount - 1;
	const tnRow* r = tnGetRow(band, row);
	const float* velocity = tnGetVelocityX(band, stage, row);
	const float* discharge = tnGetDischargeX(band, stage, row);
	const float* above = tnGetDischargeZ(band, stage, row);
	const float* below = tnGetDischargeZ(band, stage, row + 1);
	tnTransportRow faces = {
		.bed = {r->bed - 1, r->bed},
		.depth = {r->depth - 1, r->depth},
		.dischargeAlong = {discharge - 1, discharge, discharge + 1},
		.dischargeBefore = {above - 1, above},
		.dischargeAfter = {below - 1, below},
		.velocityOut = r->flowX,
	};
	for (int i = 0; i < 5; ++i)
	{
		faces.along[i] = velocity + i - 2;
		faces.across[i] = tnGetVelocityX(band, stage, tnClampRow(trip, row + i - 2, last));
	}
	faces.acrossVelocity[0] = tnGetVelocityZ(band, stage, row) - 1;
	faces.acrossVelocity[1] = tnGetVelocityZ(band, stage, row);
	faces.acrossVelocity[2] = tnGetVelocityZ(band, stage, row + 1) - 1;
	faces.acrossVelocity[3] = tnGetVelocityZ(band, stage, row + 1);
	for (int i = 0; i < 3; ++i)
	{
		faces.guess[i] = stage->guessX[tnClampRow(trip, row + i - 1, last) & (trip->scheme->slotsX - 1)];
	}
	if (trip->scheme->reconstructs)
	{
		tnSetCarriedX(&faces, trip, stage, row);
	}
	return faces;
}

static tnTransportRow tnGetTransportZ(const tnBand* band, const tnStage* stage, int row)
{
	const tnTrip* trip = band->trip;
	const int last = trip->grid->rowCount;
	const tnRow* first = tnGetRow(band, row - 1);
	const tnRow* second = tnGetRow(band, row);
	const float* velocity = tnGetVelocityZ(band, stage, row);
	const float* above = tnGetDischargeX(band, stage, row - 1);
	const float* below = tnGetDischargeX(band, stage, row);
	tnTransportRow faces = {
		.bed = {first->bed, second->bed},
		.depth = {first->depth, second->depth},
		.dischargeAlong = {tnGetDischargeZ(band, stage, row - 1), tnGetDischargeZ(band, stage, row),
			tnGetDischargeZ(band, stage, row + 1)},
		.dischargeBefore = {above, below},
		.dischargeAfter = {above + 1, below + 1},
		.velocityOut = second->flowZ,
	};
	for (int i = 0; i < 5; ++i)
	{
		faces.along[i] = tnGetVelocityZ(band, stage, tnClampRow(trip, row + i - 2, last));
		faces.across[i] = velocity + i - 2;
	}
	faces.acrossVelocity[0] = tnGetVelocityX(band, stage, row - 1);
	faces.acrossVelocity[1] = tnGetVelocityX(band, stage, row);
	faces.acrossVelocity[2] = tnGetVelocityX(band, stage, row - 1) + 1;
	faces.acrossVelocity[3] = tnGetVelocityX(band, stage, row) + 1;
	for (int i = 0; i < 3; ++i)
	{
		faces.guess[i] = stage->guessZ[tnClampRow(trip, row + i - 1, last) & (trip->scheme->slotsZ - 1)];
	}
	if (trip->scheme->reconstructs)
	{
		tnSetCarriedZ(&faces, stage, row);
	}
	return faces;
}

// The X faces at the edges keep what they have, and between an awake and a sleeping tile nothing flows.
static void tnSetTransportEnds(const tnTrip* trip, float* out, const float* velocity, tnSpanList list)
{
	const int n = trip->grid->columnCount;
	for (int i = 0; i < list.count; ++i)
	{
		const tnSpan span = list.spans[i];
		if (span.begin > 0 || !trip->wrapX)
		{
			out[span.begin] = velocity[span.begin];
		}
		if (span.end >= n)
		{
			out[n] = trip->wrapX ? out[0] : velocity[n];
		}
		else
		{
			out[span.end] = 0.0f;
		}
	}
}

// The X faces of a row and the Z faces below it. The row above the first has only those.
static void tnTransport(const tnBand* band, const tnStage* stage, int row, tnTransportKind kind, bool intoGuess)
{
	const tnTrip* trip = band->trip;
	const tnScheme* scheme = trip->scheme;
	const tnFlowKernels* kernels = scheme->kernels;
	const bool hasX = tnIsInside(trip, row);
	const bool hasZ = hasX && tnIsInside(trip, row + 1);
	bool partial;
	const tnSpanList listZ = tnGetFaceSpans(trip, row + 1, &partial);
	float* outZ = intoGuess ? stage->guessZ[(row + 1) & (scheme->slotsZ - 1)] : tnGetRow(band, row + 1)->flowZ;
	if (!hasZ)
	{
		tnCopyFaces(outZ, tnGetVelocityZ(band, stage, row + 1), listZ);
	}
	if (!hasX)
	{
		return;
	}

	const tnSpanList listX = tnGetRowSpans(trip, row);
	tnTransportRow facesX = tnGetTransportX(band, stage, row);
	tnTransportRow facesZ = tnGetTransportZ(band, stage, row + 1);
	float* outX = intoGuess ? stage->guessX[row & (scheme->slotsX - 1)] : facesX.velocityOut;
	// The kernel does both; where only one is wanted, or the tiles of one sleep, the other goes to the scrap.
	facesX.velocityOut = outX;
	facesZ.velocityOut = hasZ && !partial ? outZ : stage->scrap;
	for (int i = 0; i < listX.count; ++i)
	{
		kernels->transport[kind](
			&stage->transportParameters, &facesX, &facesZ, listX.spans[i].begin, listX.spans[i].end);
	}
	tnSetTransportEnds(trip, outX, tnGetVelocityX(band, stage, row), listX);
	if (hasZ && partial)
	{
		facesX.velocityOut = stage->scrap;
		facesZ.velocityOut = outZ;
		for (int i = 0; i < listZ.count; ++i)
		{
			kernels->transport[kind](
				&stage->transportParameters, &facesX, &facesZ, listZ.spans[i].begin, listZ.spans[i].end);
		}
	}
}

// MacCormack's forward guess of a row and of the Z faces below it. Row -1 has only those.
static void tnGuessRow(const tnBand* band, const tnStage* stage, int row)
{
	const tnTrip* trip = band->trip;
	if (!tnIsInside(trip, row) && row != -1)
	{
		return;
	}
	float* guessX = stage->guessX[row & (trip->scheme->slotsX - 1)];
	float* guessZ = stage->guessZ[(row + 1) & (trip->scheme->slotsZ - 1)];
	if (trip->tiles->awakeCount < trip->tiles->count)
	{
		tnClearAround(trip, row, guessX, guessZ);
	}
	tnTransport(band, stage, row, TN_TRANSPORT_SEMI_LAGRANGIAN, true);
	tnSetGhostsX(trip, guessX);
	tnSetGhostsZ(trip, guessZ);
}

// Of the cells of a row that are awake.
static float tnFindMaxDepthOfRow(const float* depth, tnSpanList list, int columnCount)
{
	float largest = 0.0f;
	for (int i = 0; i < list.count; ++i)
	{
		for (int c = list.spans[i].begin; c < tnMinInt(list.spans[i].end, columnCount); ++c)
		{
			largest = tnMaxFloat(largest, depth[c]);
		}
	}
	return largest;
}

float tnRelaxRow(const tnBand* band, int row, float maxDepth)
{
	const tnTrip* trip = band->trip;
	if (!trip->edges->anySponge || trip->parameters->spread == 0.0f)
	{
		// A kick alone takes no time. Even a factor of 1 would round depths, by as much as the level is high.
		return maxDepth;
	}
	const tnRow* r = tnGetRow(band, row);
	const tnSpanList list = tnGetRowSpans(trip, row);
	const bool own = row >= band->begin && row < band->end;
	double ignored[tn_sideCount] = {0.0};
	const bool isLast = !trip->wrapZ && row == trip->grid->rowCount - 1;
	tnEdges_RelaxRow(trip->edges, trip->grid, r, isLast ? tnGetRow(band, row + 1)->flowZ : NULL, tnWrapRow(trip, row),
		trip->courant, trip->tiles->sleepSpeed * trip->parameters->spread * trip->grid->cellSize,
		own ? trip->tiles->relaxing + (ptrdiff_t)(row / TN_TILE_SIZE) * trip->tiles->columnCount : NULL, list,
		own ? band->result->edgeDepths : ignored);
	return tnFindMaxDepthOfRow(r->depth, list, trip->grid->columnCount);
}

void tnMeasureRow(const tnBand* band, int row)
{
	const tnTrip* trip = band->trip;
	const tnRow* r = tnGetRow(band, row);
	const tnSignalRow signal = {r->depth, r->flowX, r->flowZ, tnGetRow(band, row + 1)->flowZ};
	const tnSpanList list = tnGetRowSpans(trip, row);
	for (int i = 0; i < list.count; ++i)
	{
		trip->scheme->kernels->signalSpeed(trip->parameters->twoGravity, &signal, list.spans[i].begin,
			tnMinInt(list.spans[i].end, trip->grid->columnCount), &band->result->maxSignal, &band->result->maxFlow);
	}
}

void tnCompleteRow(const tnBand* band, const tnStage* stage, int row)
{
	const tnTrip* trip = band->trip;
	const bool complete = row >= stage->rowBegin;
	if (stage->transport == TN_TRANSPORT_MACCORMACK)
	{
		// A row needs guesses of the rows around it and of the Z faces below the next one. At first there are none.
		for (int ahead = complete ? row + 1 : row - 1; ahead <= row + 1; ++ahead)
		{
			tnGuessRow(band, stage, ahead);
		}
	}
	tnTransport(band, stage, row, stage->transport, false);
	if (!complete)
	{
		return;
	}
	const bool measure = stage->last && row >= band->begin && row < band->end;
	if (measure && trip->measure)
	{
		tnMeasureRow(band, row);
	}
	const float maxDepth = tnRelaxRow(band, row, 0.0f);
	tnEdges_SetRowGhosts(trip->edges, trip->grid, tnGetRow(band, row));
	if (!tnIsInside(trip, row + 1))
	{
		tnEdges_SetFlowGhosts(trip->grid, tnGetRow(band, row + 1)->flowZ);
	}
	if (measure)
	{
		band->result->maxDepth = tnMaxFloat(band->result->maxDepth, maxDepth);
	}
}
