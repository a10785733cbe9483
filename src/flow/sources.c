// SPDX-License-Identifier: MIT

// What sources, drains, wells and jets do in a step.

#include "sources.h"

#include "cell_disc.h"
#include "weather.h"

#include <string.h>

tnSourceDef tnDefaultSourceDef(void)
{
	tnSourceDef def = {0};
	def.kind = tn_rateSource;
	def.radius = 1.0f;
	def.rate = 1.0f;
	def.stamp = TN_DEF_STAMP;
	return def;
}

tnResult tnSources_CheckDef(const tnSourceDef* def, const tnGrid* grid)
{
	if (def == NULL)
	{
		return tnFail(tn_invalidArgument, "def must not be NULL");
	}
	if (def->stamp != TN_DEF_STAMP)
	{
		return tnFail(
			tn_invalidArgument, "def.stamp is wrong: start from tnDefaultSourceDef(), got 0x%x", (unsigned)def->stamp);
	}
	if ((int)def->kind < 0 || def->kind >= tn_sourceKindCount)
	{
		return tnFail(tn_invalidArgument, "kind must be in [0, %d], got %d", tn_sourceKindCount - 1, (int)def->kind);
	}
	if (!tnIsFinite(def->center.x) || !tnIsFinite(def->center.z) || !tnGrid_Contains(grid, def->center))
	{
		return tnFail(tn_invalidArgument, "center must be inside the world, got (%g, %g)", (double)def->center.x,
			(double)def->center.z);
	}
	if (!(def->radius > 0.0f && def->radius <= TN_MAX_LENGTH))
	{
		return tnFail(
			tn_invalidArgument, "radius must be in (0, %g], got %g", (double)TN_MAX_LENGTH, (double)def->radius);
	}
	if (!(tnAbsFloat(def->rate) <= 1.0e9f))
	{
		return tnFail(tn_invalidArgument, "rate must be in [-1e9, 1e9], got %g", (double)def->rate);
	}
	if (!(tnAbsFloat(def->level) <= TN_MAX_LENGTH))
	{
		return tnFail(tn_invalidArgument, "level must be in [-%g, %g], got %g", (double)TN_MAX_LENGTH,
			(double)TN_MAX_LENGTH, (double)def->level);
	}
	if (!(tnAbsFloat(def->velocity.x) <= 1000.0f && tnAbsFloat(def->velocity.z) <= 1000.0f))
	{
		return tnFail(tn_invalidArgument, "velocity must be at most 1000 along each axis, got (%g, %g)",
			(double)def->velocity.x, (double)def->velocity.z);
	}
	for (int i = 0; i < TN_MAX_TRACERS; ++i)
	{
		if (!(tnAbsFloat(def->tracers[i]) <= 1.0e6f))
		{
			return tnFail(tn_invalidArgument, "tracers[%d] must be in [-1e6, 1e6], got %g", i, (double)def->tracers[i]);
		}
	}
	return tnSuccess();
}

bool tnSources_Reserve(tnSources* sources, tnMemory* memory, int count)
{
	if (count > 0 && !tnIdPool_ReserveMany(&sources->ids, memory, count))
	{
		return false;
	}
	if (sources->capacity < sources->ids.capacity)
	{
		tnSource* items = tnMemory_Grow(memory, sources->items, (size_t)sources->capacity * sizeof(tnSource),
			(size_t)sources->ids.capacity * sizeof(tnSource));
		if (items == NULL)
		{
			return false;
		}
		sources->items = items;
		sources->capacity = sources->ids.capacity;
	}
	return true;
}

tnResult tnSources_Add(tnSources* sources, tnMemory* memory, const tnSourceDef* def, tnSourceId* id)
{
	if (!tnSources_Reserve(sources, memory, sources->ids.count + 1))
	{
		return tnFail(tn_outOfMemory, "out of memory for a source");
	}
	int index = tnIdPool_Take(&sources->ids);
	sources->items[index] = (tnSource){.def = *def};
	*id = (tnSourceId){index + 1, tnIdPool_GetGeneration(&sources->ids, index)};
	return tnSuccess();
}

void tnSources_Destroy(tnSources* sources, tnMemory* memory)
{
	tnMemory_Free(memory, sources->items, (size_t)sources->capacity * sizeof(tnSource));
	tnIdPool_Destroy(&sources->ids, memory);
	memset(sources, 0, sizeof(*sources));
}

// Bring or take what has been saved up. Returns m^3.
static double tnApplyRate(tnSource* source, tnGrid* grid, tnTiles* tiles, double timeStep)
{
	const tnSourceDef* def = &source->def;
	const double cellArea = (double)grid->cellSize * grid->cellSize;
	source->pending += def->rate * timeStep;

	tnDisc disc = tnMakeDisc(grid, def->center, def->radius);
	const double depth = source->pending / (disc.cellCount * cellArea);
	double moved = 0.0;
	if (depth >= tnGetDepthQuantum(grid))
	{
		moved = tnDisc_Add(&disc, grid, (float)depth, def->tracers) * cellArea;
		source->pending -= moved;
		if (def->velocity.x != 0.0f || def->velocity.z != 0.0f)
		{
			disc = tnMakeDisc(grid, def->center, def->radius);
			const float mass = TN_WATER_DENSITY * (float)moved;
			tnDisc_Push(&disc, grid, (tnVec2){mass * def->velocity.x, mass * def->velocity.z});
		}
	}
	else if (depth <= -tnGetDepthQuantum(grid))
	{
		const double held = disc.depthSum * cellArea;
		const double share = held > 0.0 ? -source->pending / held : 0.0;
		moved = held > 0.0 ? -tnDisc_Take(&disc, grid, share < 1.0 ? (float)share : 1.0f) * cellArea : 0.0;
		// A drain that runs dry is not owed what it missed.
		source->pending = share < 1.0 && held > 0.0 ? source->pending - moved : 0.0;
	}
	if (moved != 0.0)
	{
		tnTiles_Touch(tiles, disc.box);
	}
	return moved;
}

static double tnApplyWell(const tnSource* source, tnGrid* grid, tnTiles* tiles)
{
	tnDisc disc = tnMakeDisc(grid, source->def.center, source->def.radius);
	bool changed;
	double moved = tnDisc_Hold(&disc, grid, source->def.level, source->def.tracers, &changed);
	if (changed)
	{
		tnTiles_Touch(tiles, disc.box);
	}
	return moved * grid->cellSize * grid->cellSize;
}

tnSourceVolumes tnSources_Apply(tnSources* sources, tnGrid* grid, tnTiles* tiles, double timeStep)
{
	tnSourceVolumes volumes = {0};
	for (int i = 0; i < sources->ids.slotCount; ++i)
	{
		if (!tnIdPool_IsUsed(&sources->ids, i))
		{
			continue;
		}
		tnSource* source = sources->items + i;
		double moved;
		if (source->def.kind == tn_wellSource)
		{
			moved = tnApplyWell(source, grid, tiles);
			volumes.wells += moved;
		}
		else
		{
			moved = tnApplyRate(source, grid, tiles, timeStep);
			volumes.sources += moved > 0.0 ? moved : 0.0;
			volumes.drains += moved < 0.0 ? moved : 0.0;
		}
		source->volume += moved;
	}
	return volumes;
}
