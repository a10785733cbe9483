// SPDX-License-Identifier: MIT

// What a host pulls out of a world: checks of the arguments, then the module that knows.

#include "../flow/grid_sample.h"
#include "gauges.h"
#include "ray_cast.h"
#include "regions.h"
#include "world.h"

#include <math.h>

static tnResult tnCheckWorld(const tnWorld* world)
{
	return tnWorld_Report(world, tnWorld_CheckReady(world));
}

static tnResult tnRefuseNull(const tnWorld* world, const char* name)
{
	return tnWorld_Report(world, tnFail(tn_invalidArgument, "%s must not be NULL", name));
}

// ---------------------------------------------------------------------------------------------------------------------
// Fields

static tnFieldView tnMakeView(const tnWorld* world, const float* data)
{
	tnFieldView view = {0};
	view.data = data;
	view.columnCount = world->grid.columnCount;
	view.rowCount = world->grid.rowCount;
	view.stride = world->grid.stride;
	return view;
}

tnFieldView tnWorld_GetBed(const tnWorld* world)
{
	world = tnWorld_GetShown(world);
	return tnWorld_IsReady(world) ? tnMakeView(world, world->grid.bed) : (tnFieldView){0};
}

tnFieldView tnWorld_GetDepth(const tnWorld* world)
{
	world = tnWorld_GetShown(world);
	return tnWorld_IsReady(world) ? tnMakeView(world, world->grid.depth) : (tnFieldView){0};
}

tnFieldView tnWorld_GetPreviousDepth(const tnWorld* world)
{
	world = tnWorld_GetShown(world);
	if (!tnWorld_IsReady(world) || world->grid.previousDepth == NULL)
	{
		return (tnFieldView){0};
	}
	return tnMakeView(world, world->grid.previousDepth);
}

tnFieldView tnWorld_GetTracer(const tnWorld* world, int channel)
{
	world = tnWorld_GetShown(world);
	if (!tnWorld_IsReady(world) || channel < 0 || channel >= world->grid.tracerCount)
	{
		return (tnFieldView){0};
	}
	return tnMakeView(world, world->grid.tracers[channel]);
}

tnFieldView tnWorld_GetFoam(const tnWorld* world)
{
	world = tnWorld_GetShown(world);
	return tnWorld_IsReady(world) && world->grid.foam != NULL ? tnMakeView(world, world->grid.foam) : (tnFieldView){0};
}

tnResult tnWorld_CopyVelocities(const tnWorld* world, float* velocitiesX, float* velocitiesZ)
{
	world = tnWorld_GetShown(world);
	tnResult result = tnCheckWorld(world);
	if (result.status == tn_ok)
	{
		tnGrid_CopyVelocities(&world->grid, velocitiesX, velocitiesZ);
	}
	return result;
}

tnResult tnWorld_CopyDischarge(const tnWorld* world, float* dischargeX, float* dischargeZ)
{
	world = tnWorld_GetShown(world);
	tnResult result = tnCheckWorld(world);
	if (result.status == tn_ok)
	{
		tnGrid_CopyDischarge(&world->grid, dischargeX, dischargeZ);
		if (world->grid.dischargeX == NULL)
		{
			tnBodyFlow_PatchDischarge(&world->bodyFlow, &world->grid, dischargeX, dischargeZ);
		}
	}
	return result;
}

tnResult tnWorld_CopySurface(const tnWorld* world, float alpha, float* surface)
{
	world = tnWorld_GetShown(world);
	tnResult result = tnCheckWorld(world);
	if (result.status != tn_ok)
	{
		return result;
	}
	if (surface == NULL)
	{
		return tnRefuseNull(world, "surface");
	}
	if (!(alpha >= 0.0f && alpha <= 1.0f))
	{
		return tnWorld_Report(world, tnFail(tn_invalidArgument, "alpha must be in [0, 1], got %g", (double)alpha));
	}
	if (alpha < 1.0f && world->grid.previousDepth == NULL)
	{
		return tnWorld_Report(
			world, tnFail(tn_notAvailable, "alpha must be 1 while keepPrevious is off, got %g", (double)alpha));
	}
	tnGrid_CopySurface(&world->grid, alpha, surface);
	return tnSuccess();
}

tnResult tnWorld_CopyAwake(const tnWorld* world, uint8_t* awake)
{
	world = tnWorld_GetShown(world);
	tnResult result = tnCheckWorld(world);
	if (result.status != tn_ok)
	{
		return result;
	}
	if (awake == NULL)
	{
		return tnRefuseNull(world, "awake");
	}
	const tnTiles* tiles = &world->tiles;
	const int columnCount = world->grid.columnCount;
	for (int row = 0; row < world->grid.rowCount; ++row)
	{
		const uint8_t* tileRow = tiles->awake + (size_t)(row / TN_TILE_SIZE) * (size_t)tiles->columnCount;
		uint8_t* cells = awake + (size_t)row * (size_t)columnCount;
		for (int column = 0; column < columnCount; ++column)
		{
			cells[column] = tileRow[column / TN_TILE_SIZE] != 0 ? 1 : 0;
		}
	}
	return tnSuccess();
}

// ---------------------------------------------------------------------------------------------------------------------
// Places

tnSample tnWorld_Sample(const tnWorld* world, tnVec2 position)
{
	world = tnWorld_GetShown(world);
	if (!tnWorld_IsReady(world))
	{
		return (tnSample){0};
	}
	tnSample sample = tnSampleGrid(&world->grid, position);
	tnWaves_AddToSample(&world->waves, position, &sample);
	tnDecks_AddToSample(&world->decks, &world->grid, position, &sample);
	return sample;
}

tnDeckSample tnWorld_SampleDeck(const tnWorld* world, tnVec2 position)
{
	world = tnWorld_GetShown(world);
	if (!tnWorld_IsReady(world))
	{
		return (tnDeckSample){0};
	}
	tnDeckSample sample = tnSampleDeck(&world->decks, &world->grid, position);
	sample.below = tnSampleGrid(&world->grid, position);
	tnWaves_AddToSample(&world->waves, position, &sample.below);
	return sample;
}

int tnWorld_CopyDecks(const tnWorld* world, float* depths, float* surfaces)
{
	world = tnWorld_GetShown(world);
	return tnWorld_IsReady(world) ? tnDecks_Copy(&world->decks, &world->grid, depths, surfaces) : 0;
}

tnResult tnWorld_SampleMany(const tnWorld* world, const tnVec2* positions, int count, tnSample* samples)
{
	world = tnWorld_GetShown(world);
	tnResult result = tnCheckWorld(world);
	if (result.status != tn_ok)
	{
		return result;
	}
	if (count < 0)
	{
		return tnWorld_Report(world, tnFail(tn_invalidArgument, "count must be at least 0, got %d", count));
	}
	if (count > 0 && positions == NULL)
	{
		return tnRefuseNull(world, "positions");
	}
	if (count > 0 && samples == NULL)
	{
		return tnRefuseNull(world, "samples");
	}
	for (int i = 0; i < count; ++i)
	{
		if (!tnIsFinite(positions[i].x) || !tnIsFinite(positions[i].z))
		{
			return tnWorld_Report(world,
				tnFail(tn_invalidArgument, "positions[%d] must be finite, got (%g, %g)", i, (double)positions[i].x,
					(double)positions[i].z));
		}
	}
	tnSampleGridMany(&world->grid, positions, count, samples);
	for (int i = 0; i < count; ++i)
	{
		tnWaves_AddToSample(&world->waves, positions[i], samples + i);
		tnDecks_AddToSample(&world->decks, &world->grid, positions[i], samples + i);
	}
	return tnSuccess();
}

static bool tnIsFiniteVec3(tnVec3 vector)
{
	return tnIsFinite(vector.x) && tnIsFinite(vector.y) && tnIsFinite(vector.z);
}

static tnResult tnCheckRay(tnVec3 origin, tnVec3 direction, float maxDistance)
{
	if (!tnIsFiniteVec3(origin))
	{
		return tnFail(tn_invalidArgument, "origin must be finite, got (%g, %g, %g)", (double)origin.x, (double)origin.y,
			(double)origin.z);
	}
	if (!tnIsFiniteVec3(direction))
	{
		return tnFail(tn_invalidArgument, "direction must be finite, got (%g, %g, %g)", (double)direction.x,
			(double)direction.y, (double)direction.z);
	}
	if (direction.x == 0.0f && direction.y == 0.0f && direction.z == 0.0f)
	{
		return tnFail(tn_invalidArgument, "direction must not be zero, got (0, 0, 0)");
	}
	if (!(maxDistance > 0.0f && tnIsFinite(maxDistance)))
	{
		return tnFail(tn_invalidArgument, "maxDistance must be > 0 and finite, got %g", (double)maxDistance);
	}
	return tnSuccess();
}

tnResult tnWorld_CastRay(const tnWorld* world, tnVec3 origin, tnVec3 direction, float maxDistance, tnRayHit* hit)
{
	world = tnWorld_GetShown(world);
	if (hit != NULL)
	{
		*hit = (tnRayHit){0};
	}
	tnResult result = tnCheckWorld(world);
	if (result.status != tn_ok)
	{
		return result;
	}
	if (hit == NULL)
	{
		return tnRefuseNull(world, "hit");
	}
	result = tnCheckRay(origin, direction, maxDistance);
	if (result.status == tn_ok)
	{
		*hit = tnCastRay(&world->grid, &world->waves, origin, direction, maxDistance);
	}
	return tnWorld_Report(world, result);
}

// ---------------------------------------------------------------------------------------------------------------------
// Regions

tnResult tnWorld_CreateRegion(tnWorld* world, const tnRegionDef* def, tnRegionId* id)
{
	if (id != NULL)
	{
		*id = (tnRegionId){0};
	}
	tnResult result = tnCheckWorld(world);
	if (result.status != tn_ok)
	{
		return result;
	}
	if (def == NULL)
	{
		return tnRefuseNull(world, "def");
	}
	if (id == NULL)
	{
		return tnRefuseNull(world, "id");
	}
	result = tnRegions_Add(&world->regions, &world->memory, &world->grid, def, id);
	TN_RECORD(
		world, result, tn_createRegionCall, TN_WORDS(*id), (tnWords){def, TN_REGION_WORDS}, TN_WORDS(def->userData));
	return tnWorld_Report(world, result);
}

tnResult tnWorld_DestroyRegion(tnWorld* world, tnRegionId id)
{
	tnResult result = tnCheckWorld(world);
	if (result.status != tn_ok)
	{
		return result;
	}
	result = tnRegions_Remove(&world->regions, id);
	TN_RECORD(world, result, tn_destroyRegionCall, TN_WORDS(id));
	return tnWorld_Report(world, result);
}

bool tnRegion_IsValid(const tnWorld* world, tnRegionId id)
{
	world = tnWorld_GetShown(world);
	return world != NULL && tnRegions_Find(&world->regions, id) >= 0;
}

tnResult tnWorld_GetRegionState(const tnWorld* world, tnRegionId id, tnRegionState* state)
{
	world = tnWorld_GetShown(world);
	if (state != NULL)
	{
		*state = (tnRegionState){0};
	}
	tnResult result = tnCheckWorld(world);
	if (result.status != tn_ok)
	{
		return result;
	}
	if (state == NULL)
	{
		return tnRefuseNull(world, "state");
	}
	int index = tnRegions_Find(&world->regions, id);
	if (index < 0)
	{
		return tnWorld_Report(world, tnMakeStaleRegion(id));
	}
	*state = tnMeasureRegion(&world->grid, &world->regions.defs[index]);
	return tnSuccess();
}

tnResult tnWorld_MeasureRegion(const tnWorld* world, const tnRegionDef* def, tnRegionState* state)
{
	world = tnWorld_GetShown(world);
	if (state != NULL)
	{
		*state = (tnRegionState){0};
	}
	tnResult result = tnCheckWorld(world);
	if (result.status != tn_ok)
	{
		return result;
	}
	if (def == NULL)
	{
		return tnRefuseNull(world, "def");
	}
	if (state == NULL)
	{
		return tnRefuseNull(world, "state");
	}
	result = tnCheckRegionDef(&world->grid, def);
	if (result.status == tn_ok)
	{
		*state = tnMeasureRegion(&world->grid, def);
	}
	return tnWorld_Report(world, result);
}

tnRegionEvents tnWorld_GetRegionEvents(const tnWorld* world)
{
	world = tnWorld_GetShown(world);
	tnRegionEvents events = {0};
	if (tnWorld_IsReady(world))
	{
		events.events = world->regions.events;
		events.count = world->regions.eventCount;
	}
	return events;
}

// ---------------------------------------------------------------------------------------------------------------------
// Gauges

tnResult tnWorld_CreateGauge(tnWorld* world, tnVec2 position, tnGaugeId* id)
{
	if (id != NULL)
	{
		*id = (tnGaugeId){0};
	}
	tnResult result = tnCheckWorld(world);
	if (result.status != tn_ok)
	{
		return result;
	}
	if (id == NULL)
	{
		return tnRefuseNull(world, "id");
	}
	result = tnGauges_Add(&world->gauges, &world->memory, &world->grid, &world->waves, position, world->time, id);
	TN_RECORD(world, result, tn_createGaugeCall, TN_WORDS(*id), TN_WORDS(position));
	return tnWorld_Report(world, result);
}

tnResult tnWorld_DestroyGauge(tnWorld* world, tnGaugeId id)
{
	tnResult result = tnCheckWorld(world);
	if (result.status != tn_ok)
	{
		return result;
	}
	result = tnGauges_Remove(&world->gauges, id);
	TN_RECORD(world, result, tn_destroyGaugeCall, TN_WORDS(id));
	return tnWorld_Report(world, result);
}

bool tnGauge_IsValid(const tnWorld* world, tnGaugeId id)
{
	world = tnWorld_GetShown(world);
	return world != NULL && tnGauges_Find(&world->gauges, id) >= 0;
}

tnResult tnWorld_GetGaugeState(const tnWorld* world, tnGaugeId id, tnGaugeState* state)
{
	world = tnWorld_GetShown(world);
	if (state != NULL)
	{
		*state = (tnGaugeState){0};
	}
	tnResult result = tnCheckWorld(world);
	if (result.status != tn_ok)
	{
		return result;
	}
	if (state == NULL)
	{
		return tnRefuseNull(world, "state");
	}
	return tnWorld_Report(world, tnGauges_Get(&world->gauges, &world->grid, &world->waves, id, world->time, state));
}

tnResult tnWorld_ResetGauge(tnWorld* world, tnGaugeId id)
{
	tnResult result = tnCheckWorld(world);
	if (result.status != tn_ok)
	{
		return result;
	}
	result = tnGauges_Reset(&world->gauges, &world->grid, &world->waves, id, world->time);
	TN_RECORD(world, result, tn_resetGaugeCall, TN_WORDS(id));
	return tnWorld_Report(world, result);
}
