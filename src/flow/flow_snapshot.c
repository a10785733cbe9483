// SPDX-License-Identifier: MIT

// The water as bytes. What follows from the rest is left out: spans of tiles from who is awake, the ground beside the world
// from edges, second buffers of tracers from the first, sums from depths.

#include "flow_snapshot.h"

#include <float.h>
#include <math.h>
#include <string.h>

void tnVec2_Archive(tnVec2* value, tnArchive* archive, float most, const char* name)
{
	tnArchive_Float(archive, &value->x, -most, most, name);
	tnArchive_Float(archive, &value->z, -most, most, name);
}

void tnVec3_Archive(tnVec3* value, tnArchive* archive, float most, const char* name)
{
	tnArchive_Float(archive, &value->x, -most, most, name);
	tnArchive_Float(archive, &value->y, -most, most, name);
	tnArchive_Float(archive, &value->z, -most, most, name);
}

void tnCellBox_Archive(tnCellBox* box, tnArchive* archive, const char* name)
{
	tnArchive_Int(archive, &box->columnBegin, INT32_MIN, INT32_MAX, name);
	tnArchive_Int(archive, &box->columnEnd, INT32_MIN, INT32_MAX, name);
	tnArchive_Int(archive, &box->rowBegin, INT32_MIN, INT32_MAX, name);
	tnArchive_Int(archive, &box->rowEnd, INT32_MIN, INT32_MAX, name);
}

// ---------------------------------------------------------------------------------------------------------------------
// Memory

static size_t tnGetMapBytes(const tnGrid* grid)
{
	return (size_t)grid->columnCount * (size_t)grid->rowCount * sizeof(float);
}

bool tnFlowPlan_Prepare(tnFlowPlan* plan, tnMemory* memory, tnGrid* grid, const tnEdges* edges,
	const tnWeather* weather, tnSources* sources)
{
	bool ok = !plan->hasResidual || tnGrid_AddResidual(grid, memory);
	ok = ok && (!plan->isRough || tnGrid_AddRoughness(grid, memory));
	ok = ok && (!plan->hasLift || tnGrid_AddLift(grid, memory));
	for (int kind = 0; kind < tn_weatherKindCount && ok; ++kind)
	{
		if (plan->hasMaps[kind] && weather->maps[kind] == NULL)
		{
			ok = (plan->maps[kind] = tnMemory_Alloc(memory, tnGetMapBytes(grid))) != NULL;
		}
	}
	for (int side = 0; side < tn_sideCount && ok; ++side)
	{
		const int count = plan->pointCounts[side];
		plan->otherPoints[side] = count != edges->sides[side].pointCount;
		if (plan->otherPoints[side] && count > 0)
		{
			ok = (plan->points[side] = tnMemory_Alloc(memory, (size_t)count * sizeof(tnCurvePoint))) != NULL;
		}
	}
	return ok && tnSources_Reserve(sources, memory, plan->sourceCount);
}

void tnFlowPlan_Free(tnFlowPlan* plan, tnMemory* memory, const tnGrid* grid)
{
	for (int kind = 0; kind < tn_weatherKindCount; ++kind)
	{
		tnMemory_Free(memory, plan->maps[kind], tnGetMapBytes(grid));
		plan->maps[kind] = NULL;
	}
	for (int side = 0; side < tn_sideCount; ++side)
	{
		tnMemory_Free(memory, plan->points[side], (size_t)plan->pointCounts[side] * sizeof(tnCurvePoint));
		plan->points[side] = NULL;
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// The grid

static tnArchiveField tnMakeField(const tnGrid* grid, float* values, float most, const char* name)
{
	return (tnArchiveField){
		.values = values,
		.stride = grid->stride,
		.columns = grid->columnCount,
		.rows = grid->rowCount,
		.tileColumns = grid->tileColumnCount,
		.tileRows = grid->tileRowCount,
		.least = -most,
		.most = most,
		.name = name,
		.tracked = true,
	};
}

static void tnArchiveField_Cells(
	const tnGrid* grid, tnArchive* archive, float* values, float least, float most, const char* name)
{
	tnArchiveField field = tnMakeField(grid, values, most, name);
	field.least = least;
	tnArchive_Field(archive, &field);
}

static void tnArchiveTracer(const tnGrid* grid, tnArchive* archive, int channel)
{
	tnArchiveField field = tnMakeField(grid, grid->tracers[channel], TN_MOST_HEIGHT, "tracers");
	field.number = channel;
	tnArchive_Field(archive, &field);
}

// Faces: one column or row more.
static void tnArchiveField_Faces(const tnGrid* grid, tnArchive* archive, float* values, bool alongZ, const char* name)
{
	tnArchiveField field = tnMakeField(grid, values, TN_MOST_FLOW, name);
	field.columns += alongZ ? 0 : 1;
	field.rows += alongZ ? 1 : 0;
	tnArchive_Field(archive, &field);
}

// A field that a world may do without, in which zeros are as good as none.
static void tnArchiveField_Optional(
	const tnGrid* grid, tnArchive* archive, float* values, bool* has, float most, const char* name)
{
	if (!tnArchive_Reads(archive))
	{
		*has = values != NULL;
	}
	tnArchive_Bool(archive, has, name);
	if (*has)
	{
		tnArchiveField_Cells(grid, archive, values, -most, most, name);
	}
	else if (tnArchive_Applies(archive) && values != NULL)
	{
		for (int row = 0; row < grid->rowCount; ++row)
		{
			memset(values + tnGrid_Index(grid, 0, row), 0, (size_t)grid->columnCount * sizeof(float));
		}
	}
}

static void tnCopyCells(const tnGrid* grid, float* target, const float* source)
{
	for (int row = 0; row < grid->rowCount; ++row)
	{
		const ptrdiff_t at = tnGrid_Index(grid, 0, row);
		memcpy(target + at, source + at, (size_t)grid->columnCount * sizeof(float));
	}
}

// Cells beside the world, as the last sub-step has left them: what is pushed between two steps looks at them.
static void tnArchiveGhosts(const tnGrid* grid, tnArchive* archive, float* field)
{
	const int n = grid->columnCount;
	for (int row = -1; row <= grid->rowCount; ++row)
	{
		float* line = field + tnGrid_Index(grid, 0, row);
		const bool isGhost = row < 0 || row == grid->rowCount;
		tnArchive_Floats(archive, line - 2, 2, FLT_MAX, "ghosts");
		tnArchive_Floats(archive, line, isGhost ? (size_t)n : 0, FLT_MAX, "ghosts");
		tnArchive_Floats(archive, line + n, 2, FLT_MAX, "ghosts");
	}
}

void tnGrid_Archive(tnGrid* grid, tnArchive* archive, tnFlowPlan* plan)
{
	tnArchiveField_Cells(grid, archive, grid->bed, -TN_MOST_HEIGHT, TN_MOST_HEIGHT, "bed");
	tnArchiveField depth = tnMakeField(grid, grid->depth, TN_MOST_HEIGHT, "depth");
	depth.least = 0.0f;
	depth.follows = tn_followsBed;
	depth.other = grid->bed;
	tnArchive_Field(archive, &depth);
	tnArchiveField_Faces(grid, archive, grid->flowX, false, "flowX");
	tnArchiveField_Faces(grid, archive, grid->flowZ, true, "flowZ");
	tnArchiveGhosts(grid, archive, grid->depth);
	tnArchiveGhosts(grid, archive, grid->flowX);
	tnArchiveGhosts(grid, archive, grid->flowZ);
	if (grid->dischargeX != NULL)
	{
		tnArchiveField_Faces(grid, archive, grid->dischargeX, false, "dischargeX");
		tnArchiveField_Faces(grid, archive, grid->dischargeZ, true, "dischargeZ");
	}
	if (grid->previousDepth != NULL)
	{
		depth.values = grid->previousDepth;
		depth.follows = tn_followsField;
		depth.other = grid->depth;
		depth.name = "previousDepth";
		tnArchive_Field(archive, &depth);
	}
	for (int i = 0; i < grid->tracerCount; ++i)
	{
		tnArchiveTracer(grid, archive, i);
		if (tnArchive_Applies(archive))
		{
			// Tiles that sleep have the same in both, and what is awake is written before it is read.
			tnCopyCells(grid, grid->tracersNext[i], grid->tracers[i]);
		}
	}
	tnArchiveField_Optional(grid, archive, grid->residual, &plan->hasResidual, 1.0f, "residual");
	tnArchiveField_Optional(grid, archive, grid->lift, &plan->hasLift, TN_MOST_HEIGHT, "lift");
	if (grid->previousDepth != NULL)
	{
		bool has = grid->previousLift != NULL;
		tnArchiveField_Optional(grid, archive, grid->previousLift, &has, TN_MOST_HEIGHT, "previousLift");
		if (has != plan->hasLift)
		{
			tnArchive_Refuse(archive, "previousLift must be there if lift is, and only then");
		}
	}

	// Version 1 had none.
	plan->isRough = !tnArchive_Reads(archive) && grid->isRough;
	if (archive->version >= 2)
	{
		tnArchive_Bool(archive, &plan->isRough, "roughness");
	}
	if (plan->isRough)
	{
		tnArchiveField_Cells(grid, archive, grid->roughness, 0.0f, TN_MOST_ROUGHNESS, "roughness");
		if (tnArchive_Applies(archive))
		{
			tnGrid_SetRoughnessAround(grid);
		}
	}

	tnGrid values = *grid;
	values.isRough = plan->isRough;
	tnArchive_Int(archive, &values.waiting, 0, 1 << 20, "waiting");
	tnArchive_Float(archive, &values.waitingSpread, 0.0f, 1.0e9f, "waitingSpread");
	tnArchive_Float(archive, &values.maxDepth, 0.0f, 2.0f * TN_MOST_HEIGHT, "maxDepth");
	tnArchive_Bool(archive, &values.maxDepthIsBound, "maxDepthIsBound");
	tnArchive_Float(archive, &values.maxSignal, 0.0f, TN_MOST_FLOW, "maxSignal");
	tnArchive_Float(archive, &values.maxFlow, 0.0f, TN_MOST_FLOW, "maxFlow");
	tnArchive_Float(archive, &values.editSpeed, 0.0f, TN_MOST_FLOW, "editSpeed");
	if (tnArchive_Applies(archive))
	{
		*grid = values;
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Sleep

void tnTiles_Archive(tnTiles* tiles, tnArchive* archive)
{
	const size_t count = (size_t)tiles->count;
	tnTiles values = *tiles;
	tnArchive_Bytes(archive, tiles->active, count, 1, "active");
	tnArchive_Bytes(archive, tiles->awake, count, 1, "awake");
	tnArchive_Bytes(archive, tiles->edited, count, 1, "edited");
	tnArchive_Floats(archive, tiles->restTime, count, 1.0e18f, "restTime");
	tnArchive_Floats(archive, tiles->maxDepth, count, 2.0f * TN_MOST_HEIGHT, "maxDepth");
	tnArchive_Float(archive, &values.sleepingMaxDepth, 0.0f, 2.0f * TN_MOST_HEIGHT, "sleepingMaxDepth");
	tnArchive_Bool(archive, &values.anyEdited, "anyEdited");
	tnArchive_Bool(archive, &values.changed, "changed");
	if (tnArchive_Applies(archive))
	{
		*tiles = values;
		memset(tiles->stale, 1, count);
		// All of it may be another, the ground too. Who hands over fields from elsewhere counts the tiles that change.
		if (archive->fieldFcn == NULL)
		{
			tnTiles_CountChanges(tiles);
			for (size_t tile = 0; tile < count; ++tile)
			{
				tiles->edits[tile] += 1;
			}
		}
		tnTiles_MakeSpans(tiles);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Edges

void tnEdgeDef_Archive(tnEdgeDef* def, tnArchive* archive)
{
	int kind = (int)def->kind;
	tnArchive_Int(archive, &kind, 0, tn_edgeKindCount - 1, "edge.kind");
	def->kind = (tnEdgeKind)kind;
	tnArchive_AnyFloat(archive, &def->level, "edge.level");
	tnArchive_AnyFloat(archive, &def->tideAmplitude, "edge.tideAmplitude");
	tnArchive_AnyFloat(archive, &def->tidePeriod, "edge.tidePeriod");
	tnArchive_AnyFloat(archive, &def->tidePhase, "edge.tidePhase");
	tnArchive_AnyFloat(archive, &def->inflow, "edge.inflow");
	tnArchive_Int(archive, &def->inflowBegin, INT32_MIN, INT32_MAX, "edge.inflowBegin");
	tnArchive_Int(archive, &def->inflowEnd, INT32_MIN, INT32_MAX, "edge.inflowEnd");
	tnArchive_Int(archive, &def->spongeWidth, INT32_MIN, INT32_MAX, "edge.spongeWidth");
	for (int i = 0; i < TN_MAX_TRACERS; ++i)
	{
		tnArchive_AnyFloat(archive, def->tracers + i, "edge.tracers");
	}
}

// Points of a curve. They must be what tnEdges_SetCurve takes.
static void tnArchivePoints(tnArchive* archive, tnEdge* edge, int count)
{
	const bool inflow = edge->def.kind == tn_inflowEdge;
	if (count > 0 && !inflow && edge->def.kind != tn_levelEdge)
	{
		tnArchive_Refuse(
			archive, "an edge of kind %d must have no curve, got one of %d points", (int)edge->def.kind, count);
	}
	float before = 0.0f;
	for (int i = 0; i < count && tnArchive_IsOk(archive); ++i)
	{
		tnCurvePoint point = archive->mode != tn_checkArchive ? edge->points[i] : (tnCurvePoint){0};
		tnArchive_AnyFloat(archive, &point.time, "curve.time");
		tnArchive_Float(
			archive, &point.value, inflow ? 0.0f : -TN_MAX_LENGTH, inflow ? 1.0e6f : TN_MAX_LENGTH, "curve.value");
		if (i > 0 && !(point.time > before))
		{
			tnArchive_Refuse(archive, "curve.time must increase, got %g after %g", (double)point.time, (double)before);
		}
		before = point.time;
		if (tnArchive_Applies(archive))
		{
			edge->points[i] = point;
		}
	}
}

void tnEdges_Archive(tnEdges* edges, tnArchive* archive, tnMemory* memory, tnFlowPlan* plan)
{
	tnEdgeDef defs[tn_sideCount];
	for (int side = 0; side < tn_sideCount; ++side)
	{
		tnEdge edge = edges->sides[side];
		tnEdgeDef_Archive(&edge.def, archive);
		defs[side] = edge.def;
		tnArchive_Float(archive, &edge.level, -2.0f * TN_MAX_LENGTH, 2.0f * TN_MAX_LENGTH, "level");
		tnArchive_Float(archive, &edge.inflow, 0.0f, 1.0e6f, "inflow");
		tnArchive_Float(archive, &edge.criticalDepth, 0.0f, TN_MOST_HEIGHT, "criticalDepth");
		int count = edge.pointCount;
		tnArchive_Int(archive, &count, 0, 1000000, "pointCount");
		plan->pointCounts[side] = count;
		if (tnArchive_Applies(archive) && plan->otherPoints[side])
		{
			tnMemory_Free(memory, edge.points, (size_t)edge.pointCount * sizeof(tnCurvePoint));
			edge.points = plan->points[side];
			edge.pointCount = count;
			plan->points[side] = NULL;
		}
		tnArchivePoints(archive, &edge, count);
		if (tnArchive_Applies(archive))
		{
			edges->sides[side] = edge;
		}
	}
	if (tnArchive_Reads(archive) && tnArchive_IsOk(archive))
	{
		const tnResult result = tnEdges_CheckAll(defs);
		plan->wrapX = defs[tn_west].kind == tn_wrapEdge;
		plan->wrapZ = defs[tn_north].kind == tn_wrapEdge;
		tnArchive_RefuseResult(archive, "edges", &result);
	}
	if (tnArchive_Applies(archive))
	{
		tnEdges_Renew(edges);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Weather and sources

// Maps are fields without pads.
static void tnArchiveMap(tnArchive* archive, const tnGrid* grid, float* map, int number)
{
	tnArchiveField field = tnMakeField(grid, map, 1.0e6f, "map");
	field.number = number;
	field.tracked = false;
	field.stride = grid->columnCount;
	field.least = 0.0f;
	tnArchive_Field(archive, &field);
}

void tnWeather_Archive(tnWeather* weather, tnArchive* archive, tnMemory* memory, const tnGrid* grid, tnFlowPlan* plan)
{
	const double cells = (double)grid->columnCount * grid->rowCount;
	for (int kind = 0; kind < tn_weatherKindCount; ++kind)
	{
		float rate = weather->rates[kind];
		float peak = weather->mapPeaks[kind];
		double sum = weather->mapSums[kind];
		double pending = weather->pending[kind];
		bool hasMap = weather->maps[kind] != NULL;
		tnArchive_Float(archive, &rate, 0.0f, 1000.0f, "rate");
		tnArchive_Double(archive, &pending, -1.0e6, 1.0e6, "pending");
		tnArchive_Float(archive, &peak, 0.0f, 1.0e6f, "mapPeak");
		tnArchive_Double(archive, &sum, 0.0, 1.0e6 * cells, "mapSum");
		tnArchive_Bool(archive, &hasMap, "hasMap");
		plan->hasMaps[kind] = hasMap;
		float* map = weather->maps[kind];
		if (tnArchive_Applies(archive))
		{
			if (!hasMap)
			{
				tnMemory_Free(memory, map, tnGetMapBytes(grid));
				map = NULL;
			}
			else if (map == NULL)
			{
				map = plan->maps[kind];
				plan->maps[kind] = NULL;
			}
			weather->rates[kind] = rate;
			weather->pending[kind] = pending;
			weather->mapPeaks[kind] = peak;
			weather->mapSums[kind] = sum;
			weather->maps[kind] = map;
		}
		if (hasMap)
		{
			tnArchiveMap(archive, grid, map, kind);
		}
	}
}

static void tnArchiveSource(tnSource* source, tnArchive* archive, const tnGrid* grid)
{
	tnSourceDef* def = &source->def;
	int kind = (int)def->kind;
	tnArchive_Int(archive, &kind, 0, tn_sourceKindCount - 1, "kind");
	def->kind = (tnSourceKind)kind;
	tnVec2_Archive(&def->center, archive, FLT_MAX, "center");
	tnArchive_AnyFloat(archive, &def->radius, "radius");
	tnArchive_AnyFloat(archive, &def->rate, "rate");
	tnArchive_AnyFloat(archive, &def->level, "level");
	tnVec2_Archive(&def->velocity, archive, FLT_MAX, "velocity");
	for (int i = 0; i < TN_MAX_TRACERS; ++i)
	{
		tnArchive_AnyFloat(archive, def->tracers + i, "tracers");
	}
	def->stamp = TN_DEF_STAMP;
	tnArchive_Double(archive, &source->pending, -1.0e11, 1.0e11, "pending");
	tnArchive_AnyDouble(archive, &source->volume, "volume");
	if (tnArchive_Reads(archive) && tnArchive_IsOk(archive))
	{
		const tnResult result = tnSources_CheckDef(def, grid);
		tnArchive_RefuseResult(archive, "source", &result);
	}
}

void tnSources_Archive(tnSources* sources, tnArchive* archive, const tnGrid* grid, tnFlowPlan* plan)
{
	const int count = tnIdPool_Archive(&sources->ids, archive, "sources");
	plan->sourceCount = count;
	for (int i = 0; i < count && tnArchive_IsOk(archive); ++i)
	{
		if (!tnIdPool_ArchiveSlot(&sources->ids, archive, i, NULL))
		{
			continue;
		}
		tnSource source = !tnArchive_Reads(archive) ? sources->items[i] : (tnSource){0};
		tnArchiveSource(&source, archive, grid);
		if (tnArchive_Applies(archive))
		{
			sources->items[i] = source;
		}
	}
	tnIdPool_EndArchive(&sources->ids, archive, count);
}

// ---------------------------------------------------------------------------------------------------------------------

void tnPace_Archive(tnPace* pace, tnArchive* archive)
{
	const double longest = 20.0; // twice the longest time step
	tnPace values = *pace;
	tnArchive_Double(archive, &values.step, 0.0, longest, "step");
	tnArchive_Double(archive, &values.subStep, 0.0, longest, "subStep");
	tnArchive_Double(archive, &values.before, 0.0, longest, "before");
	tnArchive_Double(archive, &values.kick, 0.0, longest, "kick");
	tnArchive_Double(archive, &values.longest, 0.0, longest, "longest");
	// Without a limit they are infinite.
	tnArchive_Float(archive, &values.section, 0.0f, HUGE_VALF, "section");
	tnArchive_Float(archive, &values.sectionBefore, 0.0f, HUGE_VALF, "sectionBefore");
	tnArchive_Bool(archive, &values.capped, "capped");
	tnArchive_Bool(archive, &values.cappedBefore, "cappedBefore");
	tnArchive_Int(archive, &values.cappedSteps, 0, 1 << 20, "cappedSteps");
	tnArchive_Int(archive, &values.easySteps, 0, INT32_MAX - 1, "easySteps");
	tnArchive_Bool(archive, &values.careful, "careful");
	tnArchive_Int(archive, &values.wildSteps, 0, 1 << 20, "wildSteps");
	tnArchive_Double(archive, &values.turned, 0.0, 1.0e6, "turned");
	tnArchive_Int(archive, &values.turnedSubSteps, 0, 1 << 20, "turnedSubSteps");
	if (tnArchive_Applies(archive))
	{
		*pace = values;
	}
}
