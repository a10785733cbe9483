// SPDX-License-Identifier: MIT

// What a sub-step does at a row. At position r it
//
//   A  accelerates the X faces of row r and the Z faces r+1 below it      from depths of rows r and r+1, old
//   R  finds what they carry, where that is a pass of its own             from depths of rows r-1 to r+2, old
//   B  finds the share of its outflow that each cell of row r can afford  from the X faces of r, the Z faces r and r+1
//   C  limits the faces of row r-1 and moves its water                    from the shares of rows r-1 and r
//   D  lets the moved water carry its momentum along, at row r-1-margin   from faces and new depths around it
//
// and so the state is updated in place: C overwrites a row when nobody needs its old depth any more. Pipes and linear
// have no R and no D. With R, A runs one row ahead. Without D faces are accelerated in place; with D the velocities
// between A and D live in slots, because D needs them of rows that it has already written.
//
// A, B and C are here; R is in flow_reconstruct.c and D in flow_transport.c.

#include "flow_stage.h"

#include "flow_reconstruct.h"
#include "flow_transport.h"

#include <math.h>

tnScheme tnMakeScheme(const tnWorldDef* def)
{
	static const tnKernelKind s_pipes[tn_pipeSectionCount] = {
		TN_KERNEL_PIPE_DEPTH, TN_KERNEL_PIPE_FIXED, TN_KERNEL_PIPE_MEAN};
	static const tnTransportKind s_transports[tn_advectionCount] = {
		TN_TRANSPORT_CONSERVATIVE, TN_TRANSPORT_FINE, TN_TRANSPORT_SEMI_LAGRANGIAN, TN_TRANSPORT_MACCORMACK};

	tnScheme scheme = {0};
	scheme.kernels = tnGetFlowKernels(def->simd);
	scheme.storesVelocity = tnMethod_StoresVelocity(def->method);
	scheme.transports = def->method == tn_shallowMethod;
	scheme.transport = s_transports[def->advection];
	scheme.finish = scheme.transports ? TN_FINISH_SHALLOW : (scheme.storesVelocity ? TN_FINISH_LINEAR : TN_FINISH_PIPE);
	const tnKernelKind kind =
		scheme.transports ? TN_KERNEL_SHALLOW : (scheme.storesVelocity ? TN_KERNEL_LINEAR : s_pipes[def->section]);
	scheme.faces = scheme.kernels->faces[kind][def->manning > 0.0f][def->froudeLimit > 0.0f];

	scheme.reach = 2;
	scheme.lag = 2;
	scheme.tripLimit = TN_TRIP_LIMIT;
	scheme.slotsX = 2;
	scheme.slotsZ = 4;
	if (scheme.transports)
	{
		const bool wide = scheme.transport == TN_TRANSPORT_MACCORMACK;
		scheme.reconstructs = scheme.transport == TN_TRANSPORT_FINE;
		scheme.lead = scheme.reconstructs ? 1 : 0;
		scheme.margin = wide ? 2 : 1;
		scheme.reach = 2 + scheme.margin + scheme.lead;
		scheme.lag = 2 + scheme.margin + scheme.lead;
		// The more rows are in flight, the less of them fits in the first cache. A world that stays in the last cache
		// (16 MB for four arrays of a million cells) is better off without trips; bits are the same either way.
		const bool small = (int64_t)def->columnCount * def->rowCount <= 1280 * 1024;
		scheme.tripLimit = wide || !small ? 2 : 1;
		scheme.slotsX = wide || scheme.reconstructs ? 8 : 4;
		scheme.slotsZ = wide || scheme.reconstructs ? 8 : 4;
		scheme.canWait = scheme.transport != TN_TRANSPORT_FINE;
		scheme.looksAcross = def->manning > 0.0f;
	}
	return scheme;
}

// The arrays of slots of a stage: velocities only with transport, guesses only for MacCormack.
enum
{
	TN_DISCHARGE_SLOTS = 1,
	TN_VELOCITY_SLOTS = 2,
	TN_GUESS_SLOTS = 3,
};

static int tnGetSlotKinds(const tnScheme* scheme)
{
	if (!scheme->transports)
	{
		return scheme->storesVelocity ? TN_DISCHARGE_SLOTS : 0;
	}
	return scheme->transport == TN_TRANSPORT_MACCORMACK ? TN_GUESS_SLOTS : TN_VELOCITY_SLOTS;
}

// A row with room for ghosts on both sides; NULL if nothing is dealt yet.
static float* tnDealRow(tnCarver* carver, int stride)
{
	float* row = tnCarve(carver, (size_t)stride * sizeof(float));
	return row != NULL ? row + TN_ROW_PAD : NULL;
}

void tnStage_Deal(tnStage* stage, const tnScheme* scheme, tnCarver* carver, int stride)
{
	float** arrays[1 + 2 * TN_GUESS_SLOTS] = {stage->scale, stage->dischargeX, stage->dischargeZ, stage->velocityX,
		stage->velocityZ, stage->guessX, stage->guessZ};
	for (int i = 0; i < 1 + 2 * tnGetSlotKinds(scheme); ++i)
	{
		const int count = i == 0 ? 2 : (i % 2 == 1 ? scheme->slotsX : scheme->slotsZ);
		for (int slot = 0; slot < count; ++slot)
		{
			arrays[i][slot] = tnDealRow(carver, stride);
		}
	}
	for (int i = 0; i < 5 && scheme->reconstructs; ++i)
	{
		for (int slot = 0; slot < TN_SURFACE_SLOTS; ++slot)
		{
			stage->surface[i][slot] = tnDealRow(carver, stride);
		}
	}
	for (int i = 0; i < 4 && scheme->reconstructs; ++i)
	{
		for (int slot = 0; slot < TN_CARRIED_SLOTS; ++slot)
		{
			stage->carriedX[i][slot] = tnDealRow(carver, stride);
			stage->carriedZ[i][slot] = tnDealRow(carver, stride);
		}
	}
	stage->scrap = tnDealRow(carver, stride);
}

static void tnClearRow(const tnGrid* grid, float* row)
{
	memset(row, 0, (size_t)(grid->stride - 2 * TN_ROW_PAD) * sizeof(float));
}

// Nothing changes it in a step, so no band has copies.
static const float* tnGetRoughness(const tnTrip* trip, int row)
{
	const tnGrid* grid = trip->grid;
	return grid->isRough ? grid->roughness + tnGrid_Index(grid, 0, tnWrapRow(trip, row)) : NULL;
}

static tnFaceRow tnGetFacesX(const tnBand* band, const tnStage* stage, int row)
{
	const tnRow* r = tnGetRow(band, row);
	const float* rough = tnGetRoughness(band->trip, row);
	return (tnFaceRow){
		.roughFirst = rough != NULL ? rough - 1 : NULL,
		.roughSecond = rough,
		.bedFirst = r->bed - 1,
		.depthFirst = r->depth - 1,
		.bedSecond = r->bed,
		.depthSecond = r->depth,
		.residualFirst = r->residual != NULL ? r->residual - 1 : NULL,
		.residualSecond = r->residual,
		.old = r->flowX,
		.oldAcross = {r->flowZ - 1, tnGetRow(band, row + 1)->flowZ - 1, r->flowZ, tnGetRow(band, row + 1)->flowZ},
		.flow = tnGetVelocityX(band, stage, row),
		.discharge = tnGetDischargeX(band, stage, row),
	};
}

static tnFaceRow tnGetFacesZ(const tnBand* band, const tnStage* stage, int row)
{
	const tnRow* above = tnGetRow(band, row - 1);
	const tnRow* below = tnGetRow(band, row);
	return (tnFaceRow){
		.roughFirst = tnGetRoughness(band->trip, row - 1),
		.roughSecond = tnGetRoughness(band->trip, row),
		.bedFirst = above->bed,
		.depthFirst = above->depth,
		.bedSecond = below->bed,
		.depthSecond = below->depth,
		.residualFirst = above->residual,
		.residualSecond = below->residual,
		.old = below->flowZ,
		.oldAcross = {above->flowX, above->flowX + 1, below->flowX, below->flowX + 1},
		.flow = tnGetVelocityZ(band, stage, row),
		.discharge = tnGetDischargeZ(band, stage, row),
	};
}

// Set a face to a discharge that does not come from the kernels.
static void tnSetFace(const tnFaceRow* faces, int face, float discharge, float velocity)
{
	faces->flow[face] = velocity;
	faces->discharge[face] = discharge;
}

// Faces around bodies: X or Z ones of a row.
static void tnSetBodyFaces(const tnTrip* trip, const tnFaceRow* faces, int row, bool alongZ)
{
	// The flow of pipes is their discharge.
	tnOverrideFaces(trip, row, alongZ, faces->discharge, &faces->flow, trip->scheme->storesVelocity ? 1 : 0);
}

// The Z faces between row - 1 and row.
static void tnAccelerateZ(const tnBand* band, const tnStage* stage, int row)
{
	const tnTrip* trip = band->trip;
	const tnFaceRow faces = tnGetFacesZ(band, stage, row);
	bool partial;
	const tnSpanList list = tnGetFaceSpans(trip, row, &partial);
	if (stage->transports)
	{
		if (trip->tiles->awakeCount < trip->tiles->count)
		{
			tnClearAround(trip, row, faces.discharge, faces.flow);
		}
	}
	else if (partial && trip->scheme->storesVelocity)
	{
		// Faces of sleeping tiles hold zeros in the state, but not in the slots of a stage.
		tnClearRow(trip->grid, faces.discharge);
	}
	for (int i = 0; i < list.count; ++i)
	{
		trip->scheme->faces.row(
			trip->parameters, &faces, trip->parameters->pushZ, list.spans[i].begin, list.spans[i].end);
	}
	tnSetBodyFaces(trip, &faces, row, true);
}

// The least depth at which water comes in. Where it carries its momentum along: the critical depth; pressed through the film on
// dry ground it would be faster than any fall could make it. Through an absorbing edge it comes with the depth outside, for the
// same reason where the ground inside is dry.
static float tnGetLeastDepth(const tnTrip* trip, tnSide side, float bed)
{
	const tnEdge* edge = trip->edges->sides + side;
	const float inflow = trip->scheme->transports ? edge->criticalDepth : 0.0f;
	return edge->def.kind == tn_absorbEdge ? tnMaxFloat(edge->level - bed, 0.0f) : inflow;
}

// What falls off an open edge has arrived there in this sub-step: it is as fast as it came, or critical. Over the film that the cell
// had before it would seem to be faster than any fall could make it.
// @param inner velocity of the next face inside
static float tnGetEdgeVelocity(const tnTrip* trip, tnSide side, float discharge, float section, float inner)
{
	const float velocity = discharge / section;
	const float critical = TN_CRITICAL_LIMIT * trip->edges->gravityRoot * sqrtf(section);
	const float fastest = tnMaxFloat(critical, tnAbsFloat(inner));
	return trip->edges->sides[side].def.kind == tn_openEdge ? tnClampFloat(velocity, -fastest, fastest) : velocity;
}

static void tnSetEdgeFace(const tnTrip* trip, const tnFaceRow* faces, int face, tnSide side, float discharge, float bed,
	float depth, float inner)
{
	const float section = tnMaxFloat(depth, tnGetLeastDepth(trip, side, bed));
	const float velocity = section > TN_DRY_DEPTH ? tnGetEdgeVelocity(trip, side, discharge, section, inner) : 0.0f;
	// Adding zero turns -0 into 0: a face at rest has the bits of one that sleeps.
	tnSetFace(faces, face, discharge + 0.0f, (trip->scheme->storesVelocity ? velocity : discharge) + 0.0f);
}

// An open edge of water that carries its momentum along: it falls off with the velocity it arrives with, and at least
// at critical flow. The discharge follows from the depth; taken from the face before, as without momentum, it would
// let the last cell run thin and fast.
static bool tnIsOutfall(const tnTrip* trip, tnSide side)
{
	return trip->scheme->transports && trip->edges->sides[side].def.kind == tn_openEdge;
}

static void tnSetOutfallFace(
	const tnTrip* trip, const tnFaceRow* faces, int face, float outward, float depth, float inner)
{
	const float critical = TN_CRITICAL_LIMIT * trip->edges->gravityRoot * sqrtf(depth);
	const float speed = depth > TN_DRY_DEPTH ? tnMaxFloat(critical, outward * inner) : 0.0f;
	// Adding zero turns -0 into 0.
	tnSetFace(faces, face, outward * (speed * tnMinFloat(depth, trip->parameters->sectionLimit)) + 0.0f,
		outward * speed + 0.0f);
}

// A face inside the world that the water does not reach over waits with the velocity of what runs towards it (shallow). Nothing
// runs towards the face of an edge from outside: without this it would keep the last velocity that it had for ever.
static void tnStillDryEdge(const tnTrip* trip, const tnFaceRow* faces, int face)
{
	const float open =
		tnFaceDepth(faces->bedFirst[face], faces->depthFirst[face], faces->bedSecond[face], faces->depthSecond[face]);
	if (trip->scheme->transports && open < TN_DRY_DEPTH)
	{
		tnSetFace(faces, face, 0.0f, 0.0f);
	}
}

// The X faces at the ends of spans and at the edges of the world.
static void tnSetEndFacesX(const tnBand* band, const tnFaceRow* faces, int row, tnSpanList list)
{
	const tnTrip* trip = band->trip;
	const tnRow* r = tnGetRow(band, row);
	const int n = trip->grid->columnCount;
	for (int i = 0; i < list.count; ++i)
	{
		// Between an awake and a sleeping tile nothing flows.
		const tnSpan span = list.spans[i];
		if (span.begin > 0)
		{
			tnSetFace(faces, span.begin, 0.0f, 0.0f);
		}
		if (span.end < n)
		{
			tnSetFace(faces, span.end, 0.0f, 0.0f);
		}
	}

	const bool atWest = list.spans[0].begin == 0;
	const bool atEast = list.spans[list.count - 1].end >= n;
	if (atEast && list.spans[list.count - 1].end == n)
	{
		// The last face lies just outside the tiles.
		trip->scheme->faces.row(trip->parameters, faces, trip->parameters->pushX, n, n + TN_ROW_PAD);
	}
	if (trip->wrapX)
	{
		if (!atWest || !atEast)
		{
			tnSetFace(faces, 0, 0.0f, 0.0f);
		}
		tnSetFace(faces, n, faces->discharge[0], faces->flow[0]);
		return;
	}
	if (atWest && tnIsOutfall(trip, tn_west))
	{
		tnSetOutfallFace(trip, faces, 0, -1.0f, r->depth[0], faces->flow[1]);
	}
	else if (atWest && tnEdges_Overrides(trip->edges, tn_west))
	{
		const float out = tnEdges_GetOutflow(trip->edges, tn_west, tnWrapRow(trip, row), r->bed[0], r->depth[0],
			-faces->discharge[1], trip->parameters->sectionLimit);
		tnSetEdgeFace(trip, faces, 0, tn_west, -out, r->bed[0], r->depth[0], faces->flow[1]);
	}
	else if (atWest)
	{
		tnStillDryEdge(trip, faces, 0);
	}
	if (atEast && tnIsOutfall(trip, tn_east))
	{
		tnSetOutfallFace(trip, faces, n, 1.0f, r->depth[n - 1], faces->flow[n - 1]);
	}
	else if (atEast && tnEdges_Overrides(trip->edges, tn_east))
	{
		const float out = tnEdges_GetOutflow(trip->edges, tn_east, tnWrapRow(trip, row), r->bed[n - 1], r->depth[n - 1],
			faces->discharge[n - 1], trip->parameters->sectionLimit);
		tnSetEdgeFace(trip, faces, n, tn_east, out, r->bed[n - 1], r->depth[n - 1], faces->flow[n - 1]);
	}
	else if (atEast)
	{
		tnStillDryEdge(trip, faces, n);
	}
}

// A: the X faces of a row and the Z faces below it.
static void tnAccelerateRow(const tnBand* band, const tnStage* stage, int row)
{
	const tnTrip* trip = band->trip;
	const tnFaceRow facesX = tnGetFacesX(band, stage, row);
	const tnSpanList list = tnGetRowSpans(trip, row);
	bool partial;
	tnGetFaceSpans(trip, row + 1, &partial);
	if (stage->transports && trip->tiles->awakeCount < trip->tiles->count)
	{
		tnClearAround(trip, row, facesX.discharge, facesX.flow);
		partial = true;
	}
	if (partial)
	{
		for (int i = 0; i < list.count; ++i)
		{
			trip->scheme->faces.row(
				trip->parameters, &facesX, trip->parameters->pushX, list.spans[i].begin, list.spans[i].end);
		}
		tnAccelerateZ(band, stage, row + 1);
	}
	else
	{
		const tnFaceRow facesZ = tnGetFacesZ(band, stage, row + 1);
		for (int i = 0; i < list.count; ++i)
		{
			trip->scheme->faces.both(trip->parameters, &facesX, &facesZ, list.spans[i].begin, list.spans[i].end);
		}
		tnSetBodyFaces(trip, &facesZ, row + 1, true);
	}
	tnSetBodyFaces(trip, &facesX, row, false);
	if (list.count > 0)
	{
		tnSetEndFacesX(band, &facesX, row, list);
	}
}

// Let the north or south edge decide about its faces. `row` is the row inside.
static void tnSetEdgeFacesZ(const tnBand* band, const tnStage* stage, int row, tnSide side)
{
	const tnTrip* trip = band->trip;
	const bool overrides = tnEdges_Overrides(trip->edges, side);
	if (!overrides && !trip->scheme->transports)
	{
		return;
	}
	const tnRow* r = tnGetRow(band, row);
	const bool north = side == tn_north;
	const tnFaceRow faces = tnGetFacesZ(band, stage, north ? row : row + 1);
	const float* inner = tnGetDischargeZ(band, stage, north ? row + 1 : row);
	const float outward = north ? -1.0f : 1.0f;
	const bool outfall = tnIsOutfall(trip, side);
	const float* innerVelocity = tnGetVelocityZ(band, stage, north ? row + 1 : row);
	const tnSpanList list = tnGetRowSpans(trip, row);
	for (int i = 0; i < list.count; ++i)
	{
		const int end = tnMinInt(list.spans[i].end, trip->grid->columnCount);
		for (int c = list.spans[i].begin; c < end; ++c)
		{
			if (!overrides)
			{
				tnStillDryEdge(trip, &faces, c);
				continue;
			}
			if (outfall)
			{
				tnSetOutfallFace(trip, &faces, c, outward, r->depth[c], innerVelocity[c]);
				continue;
			}
			const float out = tnEdges_GetOutflow(
				trip->edges, side, c, r->bed[c], r->depth[c], outward * inner[c], trip->parameters->sectionLimit);
			tnSetEdgeFace(trip, &faces, c, side, outward * out, r->bed[c], r->depth[c], innerVelocity[c]);
		}
	}
}

static tnLimitRow tnGetLimitRow(const tnBand* band, const tnStage* stage, int row)
{
	return (tnLimitRow){tnGetRow(band, row)->depth, tnGetDischargeX(band, stage, row),
		tnGetDischargeZ(band, stage, row), tnGetDischargeZ(band, stage, row + 1), stage->scale[row & 1]};
}

// What enters from outside is not limited by what a ghost holds.
static void tnSetGhostScales(const tnTrip* trip, float* scale)
{
	const int n = trip->grid->columnCount;
	scale[-1] = trip->wrapX ? scale[n - 1] : 1.0f;
	scale[n] = trip->wrapX ? scale[0] : 1.0f;
}

// B: what each cell of a row can afford.
static void tnLimitCells(const tnBand* band, tnStage* stage, int row)
{
	const tnTrip* trip = band->trip;
	const tnLimitRow limit = tnGetLimitRow(band, stage, row);
	const tnSpanList list = tnGetRowSpans(trip, row);
	bool limited = false;
	for (int i = 0; i < list.count; ++i)
	{
		limited |= trip->scheme->kernels->limit(trip->parameters, &limit, list.spans[i].begin, list.spans[i].end);
	}
	tnSetGhostScales(trip, limit.scale);
	stage->limited[row & 1] = limited;
}

static void tnLimitNothing(const tnBand* band, tnStage* stage, int row)
{
	float* scale = stage->scale[row & 1];
	const int end = band->trip->grid->stride - TN_ROW_PAD;
	for (int c = -1; c < end; ++c)
	{
		scale[c] = 1.0f;
	}
	stage->limited[row & 1] = false;
}

static void tnBookEdges(const tnBand* band, const tnStage* stage, int row)
{
	const tnTrip* trip = band->trip;
	const tnEdge* sides = trip->edges->sides;
	const int n = trip->grid->columnCount;
	double* book = band->result->edgeDepths;
	const double spread = trip->parameters->spread;
	const tnSpanList list = tnGetRowSpans(trip, row);
	if (list.count == 0)
	{
		return;
	}

	const float* limitedX = tnGetDischargeX(band, stage, row);
	if (sides[tn_west].def.kind != tn_wallEdge && !trip->wrapX && list.spans[0].begin == 0)
	{
		book[tn_west] += spread * limitedX[0];
	}
	if (sides[tn_east].def.kind != tn_wallEdge && !trip->wrapX && list.spans[list.count - 1].end >= n)
	{
		book[tn_east] -= spread * limitedX[n];
	}

	for (int side = tn_north; side <= tn_south; ++side)
	{
		const bool north = side == tn_north;
		if (row != (north ? 0 : trip->grid->rowCount - 1) || sides[side].def.kind == tn_wallEdge || trip->wrapZ)
		{
			continue;
		}
		const int face = north ? row : row + 1;
		const float* limitedZ = tnGetDischargeZ(band, stage, face);
		double sum = 0.0;
		for (int i = 0; i < list.count; ++i)
		{
			const int end = tnMinInt(list.spans[i].end, n);
			for (int c = list.spans[i].begin; c < end; ++c)
			{
				sum += limitedZ[c];
			}
		}
		book[side] += north ? spread * sum : -spread * sum;
	}
}

// The discharge of the sub-step, for tracers.
static void tnKeepDischarge(const tnBand* band, const tnStage* stage, int row)
{
	tnGrid* grid = band->trip->grid;
	const float* limitedX = tnGetDischargeX(band, stage, row);
	const float* limitedAbove = tnGetDischargeZ(band, stage, row);
	const float* limitedBelow = tnGetDischargeZ(band, stage, row + 1);
	const tnSpanList list = tnGetRowSpans(band->trip, row);
	for (int i = 0; i < list.count; ++i)
	{
		const int begin = list.spans[i].begin;
		const size_t byteCount = (size_t)(list.spans[i].end - begin) * sizeof(float);
		const ptrdiff_t index = tnGrid_Index(grid, begin, row);
		memcpy(grid->dischargeX + index, limitedX + begin, byteCount + sizeof(float));
		memcpy(grid->dischargeZ + index, limitedAbove + begin, byteCount);
		if (row == grid->rowCount - 1)
		{
			memcpy(grid->dischargeZ + index + grid->stride, limitedBelow + begin, byteCount);
		}
	}
}

// Where the depth before the step is kept, or NULL. The first sub-step of the first trip has it in its hands.
static float* tnGetPrevious(const tnBand* band, const tnStage* stage, int row)
{
	const tnTrip* trip = band->trip;
	const bool keep = trip->keepPrevious && stage->first && row >= band->begin && row < band->end;
	return keep ? trip->grid->previousDepth + tnGrid_Index(trip->grid, 0, row) : NULL;
}

static tnFinishRow tnGetFinishRow(const tnBand* band, const tnStage* stage, int row)
{
	const tnRow* r = tnGetRow(band, row);
	return (tnFinishRow){
		.depth = r->depth,
		.dischargeX = tnGetDischargeX(band, stage, row),
		.dischargeAbove = tnGetDischargeZ(band, stage, row),
		.dischargeBelow = tnGetDischargeZ(band, stage, row + 1),
		.velocityX = tnGetVelocityX(band, stage, row),
		.velocityBelow = tnGetVelocityZ(band, stage, row + 1),
		.scale = stage->scale[row & 1],
		.scaleBelow = stage->scale[(row + 1) & 1],
		.previous = tnGetPrevious(band, stage, row),
		.residual = r->residual,
		.columnCount = band->trip->grid->columnCount,
	};
}

// What is left to do for a row whose water has been moved.
static void tnCloseRow(const tnBand* band, const tnStage* stage, int row, float maxDepth)
{
	const tnTrip* trip = band->trip;
	const int n = trip->grid->columnCount;
	const tnRow* r = tnGetRow(band, row);
	const tnSpanList list = tnGetRowSpans(trip, row);
	if (list.count > 0 && list.spans[list.count - 1].end == n && stage->limited[row & 1])
	{
		// The last face lies just outside the tiles.
		const tnFinishRow finish = tnGetFinishRow(band, stage, row);
		const float backward = finish.dischargeX[n] < 0.0f ? finish.scale[n] : 1.0f;
		const float factor = finish.dischargeX[n] > 0.0f ? finish.scale[n - 1] : backward;
		finish.dischargeX[n] *= factor;
		finish.velocityX[n] *= trip->scheme->storesVelocity ? factor : 1.0f;
	}

	const bool own = row >= band->begin && row < band->end;
	if (own)
	{
		tnBookEdges(band, stage, row);
		if (stage->last && trip->grid->dischargeX != NULL)
		{
			tnKeepDischarge(band, stage, row);
		}
	}
	if (stage->transports && trip->scheme->reconstructs && (stage->limited[row & 1] || stage->limited[(row + 1) & 1]))
	{
		tnLimitCarriedFaces(band, stage, row, true);
	}
	if (stage->transports)
	{
		if (own && stage->last && !trip->edges->anySponge)
		{
			// With sponges the row is not done yet.
			band->result->maxDepth = tnMaxFloat(band->result->maxDepth, maxDepth);
		}
		tnEdges_SetRowGhosts(trip->edges, trip->grid, r);
		tnSetGhostsX(trip, tnGetVelocityX(band, stage, row));
		tnSetGhostsX(trip, tnGetDischargeX(band, stage, row));
		tnSetGhostsZ(trip, tnGetVelocityZ(band, stage, row + 1));
		tnSetGhostsZ(trip, tnGetDischargeZ(band, stage, row + 1));
		return;
	}
	if (own && stage->last && trip->scheme->transports && trip->measure)
	{
		tnMeasureRow(band, row);
	}
	maxDepth = tnRelaxRow(band, row, maxDepth);
	if (own && stage->last)
	{
		band->result->maxDepth = tnMaxFloat(band->result->maxDepth, maxDepth);
	}
	tnEdges_SetRowGhosts(trip->edges, trip->grid, r);
}

// C: limit the faces of a row and move its water.
static void tnFinishCells(const tnBand* band, const tnStage* stage, int row)
{
	const tnTrip* trip = band->trip;
	const tnSpanList list = tnGetRowSpans(trip, row);
	const bool limited = stage->limited[row & 1] || stage->limited[(row + 1) & 1];
	const tnFinishRow finish = tnGetFinishRow(band, stage, row);
	float maxDepth = 0.0f;
	for (int i = 0; i < list.count; ++i)
	{
		maxDepth = tnMaxFloat(maxDepth,
			trip->scheme->kernels->finish[trip->scheme->finish][limited](
				trip->parameters, &finish, list.spans[i].begin, list.spans[i].end));
	}
	tnCloseRow(band, stage, row, maxDepth);
}

// B of a row and C of the row above it, where both have the same spans.
static void tnLimitAndFinishCells(const tnBand* band, tnStage* stage, int row)
{
	const tnTrip* trip = band->trip;
	const tnSpanList list = tnGetRowSpans(trip, row);
	const tnLimitRow limit = tnGetLimitRow(band, stage, row);
	const tnFinishRow finish = tnGetFinishRow(band, stage, row - 1);
	float maxDepth = 0.0f;
	bool limited = false;
	for (int i = 0; i < list.count; ++i)
	{
		const tnSpan span = list.spans[i];
		maxDepth = tnMaxFloat(maxDepth,
			trip->scheme->kernels->limitAndFinish[trip->scheme->finish](
				trip->parameters, &limit, &finish, stage->limited[(row - 1) & 1], &limited, span.begin, span.end));
	}
	tnSetGhostScales(trip, limit.scale);
	stage->limited[row & 1] = limited;
	tnCloseRow(band, stage, row - 1, maxDepth);
}

// Limit the upper faces of the first row of a stage: no row above it is finished that would do it.
static void tnLimitFirstFaces(const tnBand* band, const tnStage* stage, int row)
{
	const tnTrip* trip = band->trip;
	float* velocity = trip->scheme->storesVelocity ? tnGetVelocityZ(band, stage, row) : NULL;
	bool partial;
	const tnSpanList list = tnGetFaceSpans(trip, row, &partial);
	for (int i = 0; i < list.count; ++i)
	{
		trip->scheme->kernels->limitFaces(tnGetDischargeZ(band, stage, row), velocity, stage->scale[(row - 1) & 1],
			stage->scale[row & 1], list.spans[i].begin, list.spans[i].end);
	}
	if (stage->transports)
	{
		tnSetGhostsZ(trip, velocity);
		tnSetGhostsZ(trip, tnGetDischargeZ(band, stage, row));
		if (trip->scheme->reconstructs)
		{
			tnLimitCarriedFaces(band, stage, row - 1, false);
		}
	}
}

// A for a row and the Z faces below it. Row -1 has only those.
static void tnAccelerate(const tnBand* band, const tnStage* stage, int row)
{
	const tnTrip* trip = band->trip;
	const int last = trip->grid->rowCount - 1;
	if (!trip->wrapZ && (row < 0 || row > last))
	{
		if (row == -1)
		{
			tnAccelerateZ(band, stage, 0);
		}
		return;
	}
	tnAccelerateRow(band, stage, row);
	if (row == 0 && !trip->wrapZ)
	{
		tnSetEdgeFacesZ(band, stage, row, tn_north);
		if (trip->scheme->reconstructs)
		{
			tnSetGhostsZ(trip, tnGetVelocityZ(band, stage, 0));
		}
	}
	if (row == last && !trip->wrapZ)
	{
		tnSetEdgeFacesZ(band, stage, row, tn_south);
	}
	if (trip->scheme->reconstructs)
	{
		tnSetGhostsX(trip, tnGetVelocityX(band, stage, row));
		tnSetGhostsZ(trip, tnGetVelocityZ(band, stage, row + 1));
	}
}

// The first position of a stage accelerates all that later ones take for granted.
static void tnAccelerateFirst(const tnBand* band, const tnStage* stage, int row)
{
	const tnTrip* trip = band->trip;
	const int first = row - trip->scheme->lead;
	if (trip->wrapZ || first >= 0)
	{
		tnAccelerateZ(band, stage, first);
		if (trip->scheme->reconstructs)
		{
			tnSetGhostsZ(trip, tnGetVelocityZ(band, stage, first));
		}
	}
	for (int ahead = first; ahead < row + trip->scheme->lead; ++ahead)
	{
		tnAccelerate(band, stage, ahead);
	}
}

// ---------------------------------------------------------------------------------------------------------------------

void tnStage_SetRows(const tnBand* band, tnStage* stage, int begin, int end)
{
	const tnTrip* trip = band->trip;
	const int margin = stage->transports ? trip->scheme->margin : 0;
	const int count = trip->grid->rowCount;
	stage->rowBegin = trip->wrapZ ? begin : tnMaxInt(begin, 0);
	stage->rowEnd = trip->wrapZ ? end : tnMinInt(end, count);
	stage->finishBegin = trip->wrapZ ? begin - margin : tnMaxInt(begin - margin, 0);
	stage->finishEnd = trip->wrapZ ? end + margin : tnMinInt(end + margin, count);
}

int tnStage_GetFirst(const tnStage* stage)
{
	return stage->finishBegin - 1;
}

int tnStage_GetLast(const tnStage* stage, const tnScheme* scheme)
{
	return stage->transports ? tnMaxInt(stage->finishEnd, stage->rowEnd + scheme->margin) : stage->finishEnd;
}

// A, R, B and C at a position.
static void tnMoveRows(const tnBand* band, tnStage* stage, int row)
{
	const tnTrip* trip = band->trip;
	const bool first = row == stage->finishBegin - 1;
	if (first)
	{
		tnAccelerateFirst(band, stage, row);
	}
	tnAccelerate(band, stage, row + trip->scheme->lead);
	if (trip->scheme->reconstructs)
	{
		tnReconstructRows(band, stage, row, first);
	}

	if (!tnIsInside(trip, row))
	{
		// A ghost row: only the faces between it and the world matter.
		tnLimitNothing(band, stage, row);
		if (row > stage->finishBegin)
		{
			tnFinishCells(band, stage, row - 1);
		}
		return;
	}
	bool partial;
	tnGetFaceSpans(trip, row, &partial);
	if (row > stage->finishBegin && !partial)
	{
		tnLimitAndFinishCells(band, stage, row);
		return;
	}
	tnLimitCells(band, stage, row);
	if (row == stage->finishBegin)
	{
		tnLimitFirstFaces(band, stage, row);
	}
	else if (row > stage->finishBegin)
	{
		tnFinishCells(band, stage, row - 1);
	}
}

void tnStage_Visit(const tnBand* band, tnStage* stage, int row)
{
	const tnScheme* scheme = band->trip->scheme;
	if (row <= stage->finishEnd)
	{
		tnMoveRows(band, stage, row);
	}
	const int complete = row - 1 - scheme->margin;
	if (stage->transports && complete >= stage->rowBegin - 1)
	{
		tnCompleteRow(band, stage, complete);
	}
}
