// SPDX-License-Identifier: MIT

// Edges of the world.
//
// Open: free outfall. The flow over a brink is critical, q = sqrt(g) (2/3 h)^(3/2); water that arrives faster leaves
// faster.
//
// Absorb: a matched sponge with a radiating rim. In the outer `spongeWidth` cells both the surface deviation and the
// discharge decay at the same rate sigma, so that the impedance is that of open water and a wave that comes straight on
// is not reflected at any wavelength:
//
//   d(eta)/dt = ... - sigma (eta - level),   dq/dt = ... - sigma q,   sigma dx / c = profile(distance)
//
// The profile rises with the square of the depth into the sponge; its integral is 3, so a wave crosses with exp(-3) of
// its amplitude. What is left meets the radiation condition of Flather (1976) at the rim, q = sqrt(g h) (eta - level).

#include "edges.h"

#include "../core/numerics.h"

#include <math.h>
#include <string.h>

static const char* s_sideNames[tn_sideCount] = {"west", "east", "north", "south"};

tnEdgeDef tnDefaultEdgeDef(void)
{
	tnEdgeDef def = {0};
	def.kind = tn_wallEdge;
	def.tidePeriod = 60.0f;
	def.inflowEnd = TN_MAX_CELLS;
	def.spongeWidth = 16;
	return def;
}

tnResult tnEdges_CheckDef(const tnEdgeDef* def, const char* name)
{
	if ((int)def->kind < 0 || def->kind >= tn_edgeKindCount)
	{
		return tnFail(
			tn_invalidArgument, "%s.kind must be in [0, %d], got %d", name, tn_edgeKindCount - 1, (int)def->kind);
	}
	if (!(tnAbsFloat(def->level) <= TN_MAX_LENGTH))
	{
		return tnFail(tn_invalidArgument, "%s.level must be in [-%g, %g], got %g", name, (double)TN_MAX_LENGTH,
			(double)TN_MAX_LENGTH, (double)def->level);
	}
	if (!(tnAbsFloat(def->tideAmplitude) <= TN_MAX_LENGTH))
	{
		return tnFail(tn_invalidArgument, "%s.tideAmplitude must be at most %g, got %g", name, (double)TN_MAX_LENGTH,
			(double)def->tideAmplitude);
	}
	if (!(def->tidePeriod > 0.0f && def->tidePeriod <= 1.0e9f))
	{
		return tnFail(tn_invalidArgument, "%s.tidePeriod must be in (0, 1e9], got %g", name, (double)def->tidePeriod);
	}
	if (!(tnAbsFloat(def->tidePhase) <= 1.0e6f))
	{
		return tnFail(tn_invalidArgument, "%s.tidePhase must be in [-1e6, 1e6], got %g", name, (double)def->tidePhase);
	}
	if (!(def->inflow >= 0.0f && def->inflow <= 1.0e6f))
	{
		return tnFail(tn_invalidArgument, "%s.inflow must be in [0, 1e6], got %g", name, (double)def->inflow);
	}
	if (def->inflowBegin < 0 || def->inflowEnd < def->inflowBegin)
	{
		return tnFail(tn_invalidArgument, "%s.inflowBegin and inflowEnd must be 0 <= begin <= end, got %d and %d", name,
			def->inflowBegin, def->inflowEnd);
	}
	if (def->spongeWidth < 1 || def->spongeWidth > 65536)
	{
		return tnFail(tn_invalidArgument, "%s.spongeWidth must be in [1, 65536], got %d", name, def->spongeWidth);
	}
	for (int i = 0; i < TN_MAX_TRACERS; ++i)
	{
		if (!(tnAbsFloat(def->tracers[i]) <= 1.0e6f))
		{
			return tnFail(
				tn_invalidArgument, "%s.tracers[%d] must be in [-1e6, 1e6], got %g", name, i, (double)def->tracers[i]);
		}
	}
	return tnSuccess();
}

tnResult tnEdges_CheckAll(const tnEdgeDef* defs)
{
	for (int side = 0; side < tn_sideCount; ++side)
	{
		char name[32] = "edges[";
		strcat(name, s_sideNames[side]);
		strcat(name, "]");
		tnResult result = tnEdges_CheckDef(defs + side, name);
		if (result.status != tn_ok)
		{
			return result;
		}
	}
	for (int side = 0; side < tn_sideCount; side += 2)
	{
		if ((defs[side].kind == tn_wrapEdge) != (defs[side + 1].kind == tn_wrapEdge))
		{
			return tnFail(tn_invalidArgument,
				"edges[%s].kind and edges[%s].kind must both be wrap or neither, got %d and %d", s_sideNames[side],
				s_sideNames[side + 1], (int)defs[side].kind, (int)defs[side + 1].kind);
		}
	}
	return tnSuccess();
}

static void tnFindSponges(tnEdges* edges)
{
	edges->anySponge = false;
	for (int side = 0; side < tn_sideCount; ++side)
	{
		edges->anySponge = edges->anySponge || edges->sides[side].def.kind == tn_absorbEdge;
	}
}

// Until the next step has evaluated tide and curve.
static void tnPutDef(tnEdge* edge, const tnEdgeDef* def)
{
	edge->def = *def;
	edge->level = def->level;
	edge->inflow = def->inflow;
}

void tnEdges_Init(tnEdges* edges, const tnWorldDef* def)
{
	memset(edges, 0, sizeof(*edges));
	edges->gravityRoot = sqrtf(def->gravity);
	for (int side = 0; side < tn_sideCount; ++side)
	{
		tnPutDef(edges->sides + side, def->edges + side);
	}
	tnFindSponges(edges);
}

void tnEdges_Renew(tnEdges* edges)
{
	tnFindSponges(edges);
}

void tnEdges_Destroy(tnEdges* edges, tnMemory* memory)
{
	for (int side = 0; side < tn_sideCount; ++side)
	{
		tnEdge* edge = edges->sides + side;
		tnMemory_Free(memory, edge->points, (size_t)edge->pointCount * sizeof(tnCurvePoint));
	}
	memset(edges, 0, sizeof(*edges));
}

void tnEdges_Set(tnEdges* edges, tnMemory* memory, tnSide side, const tnEdgeDef* def)
{
	tnEdge* edge = edges->sides + side;
	if (edge->def.kind != def->kind)
	{
		// A curve of levels is none of inflows.
		tnMemory_Free(memory, edge->points, (size_t)edge->pointCount * sizeof(tnCurvePoint));
		edge->points = NULL;
		edge->pointCount = 0;
	}
	tnPutDef(edge, def);
	tnFindSponges(edges);
}

tnResult tnEdges_SetCurve(tnEdges* edges, tnMemory* memory, tnSide side, const tnCurvePoint* points, int count)
{
	tnEdge* edge = edges->sides + side;
	if (count < 0 || count > 1000000)
	{
		return tnFail(tn_invalidArgument, "count must be in [0, 1000000], got %d", count);
	}
	if (count > 0 && points == NULL)
	{
		return tnFail(tn_invalidArgument, "points must not be NULL when count is %d", count);
	}
	if (count > 0 && edge->def.kind != tn_levelEdge && edge->def.kind != tn_inflowEdge)
	{
		return tnFail(tn_notAvailable, "the %s edge must be of kind level or inflow to have a curve, got %d",
			s_sideNames[side], (int)edge->def.kind);
	}
	for (int i = 0; i < count; ++i)
	{
		if (!tnIsFinite(points[i].time) || (i > 0 && !(points[i].time > points[i - 1].time)))
		{
			return tnFail(
				tn_invalidArgument, "points[%d].time must be finite and increase, got %g", i, (double)points[i].time);
		}
		bool inflow = edge->def.kind == tn_inflowEdge;
		float low = inflow ? 0.0f : -TN_MAX_LENGTH;
		float high = inflow ? 1.0e6f : TN_MAX_LENGTH;
		if (!(points[i].value >= low && points[i].value <= high))
		{
			return tnFail(tn_invalidArgument, "points[%d].value must be in [%g, %g], got %g", i, (double)low,
				(double)high, (double)points[i].value);
		}
	}

	tnCurvePoint* copy = NULL;
	if (count > 0)
	{
		copy = tnMemory_Alloc(memory, (size_t)count * sizeof(tnCurvePoint));
		if (copy == NULL)
		{
			return tnFail(tn_outOfMemory, "out of memory for a curve of %d points", count);
		}
		memcpy(copy, points, (size_t)count * sizeof(tnCurvePoint));
	}
	tnMemory_Free(memory, edge->points, (size_t)edge->pointCount * sizeof(tnCurvePoint));
	edge->points = copy;
	edge->pointCount = count;
	return tnSuccess();
}

static double tnEvaluateCurve(const tnCurvePoint* points, int count, double time)
{
	if (time <= points[0].time)
	{
		return points[0].value;
	}
	for (int i = 1; i < count; ++i)
	{
		if (time < points[i].time)
		{
			double share = (time - points[i - 1].time) / ((double)points[i].time - points[i - 1].time);
			return points[i - 1].value + share * ((double)points[i].value - points[i - 1].value);
		}
	}
	return points[count - 1].value;
}

// Ghost cells of a side that water may cross have the bed of the cell inside.
static float tnGhostBed(const tnEdges* edges, tnSide side, float inside, float opposite)
{
	switch (edges->sides[side].def.kind)
	{
		case tn_wallEdge:
			return TN_WALL;
		case tn_wrapEdge:
			return opposite;
		default:
			return inside;
	}
}

void tnEdges_PrepareBed(const tnEdges* edges, tnGrid* grid)
{
	int n = grid->columnCount;
	for (int row = 0; row < grid->rowCount; ++row)
	{
		float* bed = grid->bed + tnGrid_Index(grid, 0, row);
		bed[-1] = tnGhostBed(edges, tn_west, bed[0], bed[n - 1]);
		bed[n] = tnGhostBed(edges, tn_east, bed[n - 1], bed[0]);
		bed[-2] = grid->wrapX ? bed[n - 2] : bed[-1];
		bed[n + 1] = grid->wrapX ? bed[1] : bed[n];
	}

	float* north = grid->bed + tnGrid_Index(grid, 0, -1);
	float* first = grid->bed;
	float* last = grid->bed + tnGrid_Index(grid, 0, grid->rowCount - 1);
	float* south = grid->bed + tnGrid_Index(grid, 0, grid->rowCount);
	for (int column = 0; column < n; ++column)
	{
		north[column] = tnGhostBed(edges, tn_north, first[column], last[column]);
		south[column] = tnGhostBed(edges, tn_south, last[column], first[column]);
	}
}

static float tnGhostDepth(const tnEdge* edge, float bed, float opposite)
{
	switch (edge->def.kind)
	{
		case tn_levelEdge:
			return tnMaxFloat(edge->level - bed, 0.0f);
		case tn_wrapEdge:
			return opposite;
		default:
			return 0.0f;
	}
}

void tnEdges_SetFlowGhosts(const tnGrid* grid, float* flowZ)
{
	const int n = grid->columnCount;
	flowZ[-1] = grid->wrapX ? flowZ[n - 1] : 0.0f;
	flowZ[n] = grid->wrapX ? flowZ[0] : 0.0f;
}

void tnEdges_SetRowGhosts(const tnEdges* edges, const tnGrid* grid, const tnRow* row)
{
	int n = grid->columnCount;
	row->depth[-1] = tnGhostDepth(edges->sides + tn_west, row->bed[0], row->depth[n - 1]);
	row->depth[n] = tnGhostDepth(edges->sides + tn_east, row->bed[n - 1], row->depth[0]);
	// Second order looks two cells across a wrapped edge. Beside a ghost of another kind it never looks further.
	row->depth[-2] = grid->wrapX ? row->depth[n - 2] : row->depth[-1];
	row->depth[n + 1] = grid->wrapX ? row->depth[1] : row->depth[n];
	tnEdges_SetFlowGhosts(grid, row->flowZ);
	if (row->residual != NULL)
	{
		row->residual[-1] = grid->wrapX ? row->residual[n - 1] : 0.0f;
		row->residual[n] = grid->wrapX ? row->residual[0] : 0.0f;
	}
}

// Cells along a side, for waking.
static tnCellBox tnGetSideBox(const tnGrid* grid, tnSide side)
{
	tnCellBox box = {0, grid->columnCount, 0, grid->rowCount};
	switch (side)
	{
		case tn_west:
			box.columnEnd = 1;
			break;
		case tn_east:
			box.columnBegin = grid->columnCount - 1;
			break;
		case tn_north:
			box.rowEnd = 1;
			break;
		default:
			box.rowBegin = grid->rowCount - 1;
			break;
	}
	return box;
}

void tnEdges_BeginStep(tnEdges* edges, tnGrid* grid, tnTiles* tiles, double time)
{
	for (int side = 0; side < tn_sideCount; ++side)
	{
		tnEdge* edge = edges->sides + side;
		const tnEdgeDef* def = &edge->def;
		double level = def->level;
		double inflow = def->inflow;
		if (edge->pointCount > 0)
		{
			double value = tnEvaluateCurve(edge->points, edge->pointCount, time);
			level = def->kind == tn_levelEdge ? value : level;
			inflow = def->kind == tn_inflowEdge ? value : inflow;
		}
		if (def->tideAmplitude != 0.0f && def->kind == tn_levelEdge)
		{
			level += def->tideAmplitude * tnSinTurns(time / def->tidePeriod + def->tidePhase);
		}

		bool moves =
			def->kind == tn_inflowEdge ? inflow > 0.0 : (def->kind == tn_levelEdge && (float)level != edge->level);
		edge->level = (float)level;
		edge->inflow = (float)inflow;
		const double root = inflow / edges->gravityRoot;
		edge->criticalDepth = def->kind == tn_inflowEdge ? (float)tnCubeRoot(root * root) : 0.0f;
		if (moves)
		{
			tnTiles_Touch(tiles, tnGetSideBox(grid, (tnSide)side));
		}
	}
}

void tnEdges_SetGhosts(const tnEdges* edges, tnGrid* grid)
{
	for (int row = 0; row < grid->rowCount; ++row)
	{
		const ptrdiff_t index = tnGrid_Index(grid, 0, row);
		const tnRow line = {grid->bed + index, grid->depth + index, grid->flowX + index, grid->flowZ + index,
			grid->residual != NULL ? grid->residual + index : NULL};
		tnEdges_SetRowGhosts(edges, grid, &line);
	}
	tnEdges_SetFlowGhosts(grid, grid->flowZ + tnGrid_Index(grid, 0, grid->rowCount));
	float* north = grid->depth + tnGrid_Index(grid, 0, -1);
	float* south = grid->depth + tnGrid_Index(grid, 0, grid->rowCount);
	const float* bedFirst = grid->bed;
	const float* bedLast = grid->bed + tnGrid_Index(grid, 0, grid->rowCount - 1);
	const float* last = grid->depth + tnGrid_Index(grid, 0, grid->rowCount - 1);
	for (int column = 0; column < grid->columnCount; ++column)
	{
		north[column] = tnGhostDepth(edges->sides + tn_north, bedFirst[column], last[column]);
		south[column] = tnGhostDepth(edges->sides + tn_south, bedLast[column], grid->depth[column]);
	}
}

bool tnEdges_Overrides(const tnEdges* edges, tnSide side)
{
	tnEdgeKind kind = edges->sides[side].def.kind;
	return kind == tn_openEdge || kind == tn_absorbEdge || kind == tn_inflowEdge;
}

float tnEdges_GetOutflow(
	const tnEdges* edges, tnSide side, int position, float bed, float depth, float inner, float sectionLimit)
{
	const tnEdge* edge = edges->sides + side;
	switch (edge->def.kind)
	{
		case tn_openEdge:
		{
			// A film that is too thin to flow does not fall off either.
			float critical = TN_CRITICAL_LIMIT * edges->gravityRoot * depth * sqrtf(depth);
			return depth > TN_DRY_DEPTH ? tnMaxFloat(critical, inner) : 0.0f;
		}
		case tn_absorbEdge:
		{
			// The still depth counts for the wave speed: it does not change as the wave passes. Where sub-steps are
			// capped the waves inside are slower, and so is this.
			// A film that is too thin to flow does not radiate either: it would never come to rest.
			float still = tnMaxFloat(edge->level - bed, 0.0f);
			float section = tnMaxFloat(still, depth);
			float speed = edges->gravityRoot * sqrtf(tnMinFloat(section, sectionLimit));
			return section > TN_DRY_DEPTH ? speed * (depth - still) : 0.0f;
		}
		case tn_inflowEdge:
			return position >= edge->def.inflowBegin && position < edge->def.inflowEnd && depth < TN_MAX_LENGTH
				? -edge->inflow
				: 0.0f;
		default:
			return 0.0f;
	}
}

// Integral of sigma dx / c over the sponge.
#define TN_SPONGE_STRENGTH 3.0f

// sigma dx / c of one side at a distance from its rim, in cells.
static float tnSpongeProfile(const tnEdge* edge, float distance)
{
	if (edge->def.kind != tn_absorbEdge)
	{
		return 0.0f;
	}
	float width = (float)edge->def.spongeWidth;
	float depth = (width - distance) / width;
	return depth <= 0.0f ? 0.0f : 3.0f * TN_SPONGE_STRENGTH / width * depth * depth;
}

// Two opposite sponges at a position along one axis.
static float tnSpongePair(const tnEdges* edges, tnSide first, float position, int count)
{
	return tnSpongeProfile(edges->sides + first, position) +
		tnSpongeProfile(edges->sides + first + 1, (float)count - position);
}

// The side whose sponge is strongest decides about the level. Equal ones take the higher level, so that no axis is
// preferred.
static tnSide tnFindStrongestSponge(const tnEdges* edges, const tnGrid* grid, float x, float z)
{
	const float distances[tn_sideCount] = {x, (float)grid->columnCount - x, z, (float)grid->rowCount - z};
	tnSide best = tn_west;
	float bestStrength = -1.0f;
	float bestLevel = 0.0f;
	for (int side = 0; side < tn_sideCount; ++side)
	{
		float strength = tnSpongeProfile(edges->sides + side, distances[side]);
		float level = edges->sides[side].def.level;
		if (strength > 0.0f && (strength > bestStrength || (strength == bestStrength && level > bestLevel)))
		{
			best = (tnSide)side;
			bestStrength = strength;
			bestLevel = level;
		}
	}
	return best;
}

static void tnRelaxCells(const tnEdges* edges, const tnGrid* grid, const tnRow* row, float* flowBelow, int rowIndex,
	float courant, float stillness, uint8_t* moving, int begin, int end, double taken[tn_sideCount])
{
	const float z = (float)rowIndex;
	const float cellZ = tnSpongePair(edges, tn_north, z + 0.5f, grid->rowCount);
	const float faceZ = tnSpongePair(edges, tn_north, z, grid->rowCount);
	const float faceBelow = tnSpongePair(edges, tn_north, z + 1.0f, grid->rowCount);
	for (int c = begin; c < end; ++c)
	{
		const float x = (float)c;
		const float cellX = tnSpongePair(edges, tn_west, x + 0.5f, grid->columnCount);
		const float faceX = tnSpongePair(edges, tn_west, x, grid->columnCount);

		const tnSide side = tnFindStrongestSponge(edges, grid, x + 0.5f, z + 0.5f);
		const float lift = tnGrid_GetLift(grid, tnGrid_Index(grid, c, rowIndex));
		const float still = tnMaxFloat(edges->sides[side].def.level - row->bed[c] - lift, 0.0f);
		const float depth = row->depth[c];
		const float relaxed = still + (depth - still) / (1.0f + courant * (cellX + cellZ));
		row->depth[c] = relaxed;
		taken[side] += (double)relaxed - (double)depth;
		// Water that is not at its level may stay there by rounding, until waves or time steps have another length.
		if (moving != NULL && (tnAbsFloat(relaxed - depth) > stillness || (stillness == 0.0f && relaxed != still)))
		{
			moving[c / TN_TILE_SIZE] = 1;
		}
		row->flowX[c] /= 1.0f + courant * (faceX + cellZ);
		row->flowZ[c] /= 1.0f + courant * (cellX + faceZ);
		if (flowBelow != NULL)
		{
			flowBelow[c] /= 1.0f + courant * (cellX + faceBelow);
		}
	}
	if (begin < end && end == grid->columnCount)
	{
		// The face of the east edge, like that of the west edge.
		const float faceX = tnSpongePair(edges, tn_west, (float)end, grid->columnCount);
		row->flowX[end] /= 1.0f + courant * (faceX + cellZ);
	}
}

void tnEdges_RelaxRow(const tnEdges* edges, const tnGrid* grid, const tnRow* row, float* flowBelow, int rowIndex,
	float courant, float stillness, uint8_t* moving, tnSpanList spans, double taken[tn_sideCount])
{
	const int n = grid->columnCount;
	const tnEdge* sides = edges->sides;
	int westEnd = sides[tn_west].def.kind == tn_absorbEdge ? tnMinInt(sides[tn_west].def.spongeWidth, n) : 0;
	int eastBegin = sides[tn_east].def.kind == tn_absorbEdge ? tnMaxInt(n - sides[tn_east].def.spongeWidth, 0) : n;
	if (eastBegin < westEnd || tnSpongePair(edges, tn_north, (float)rowIndex + 0.5f, grid->rowCount) > 0.0f)
	{
		westEnd = n;
		eastBegin = n;
	}
	for (int i = 0; i < spans.count; ++i)
	{
		int begin = spans.spans[i].begin;
		int end = tnMinInt(spans.spans[i].end, n);
		tnRelaxCells(
			edges, grid, row, flowBelow, rowIndex, courant, stillness, moving, begin, tnMinInt(end, westEnd), taken);
		tnRelaxCells(
			edges, grid, row, flowBelow, rowIndex, courant, stillness, moving, tnMaxInt(begin, eastBegin), end, taken);
	}
}
