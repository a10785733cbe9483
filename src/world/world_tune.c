// SPDX-License-Identifier: MIT

// What of a def can change between two steps: numbers. Cells, layers and capacities cannot.

#include "../core/def_checks.h"
#include "world.h"

#include <math.h>

// Of a map on Manning's n: its square is TN_MOST_ROUGHNESS.
#define TN_MOST_FACTOR 1000.0f

void tnWorld_PutDef(tnWorld* world, const tnWorldDef* def)
{
	world->def = *def;
	world->grid.gravity = def->gravity;
	world->edges.gravityRoot = sqrtf(def->gravity);
	world->decks.gravity = def->gravity;
	world->decks.friction = def->friction;
	world->decks.manning = def->manning;
	world->tiles.enableSleep = def->enableSleep;
	world->tiles.sleepSpeed = def->sleepSpeed;
	world->tiles.sleepTime = def->sleepTime;
	world->spray.def = def->spray;
	world->foam.def = def->foam;
	tnFlow_Retune(world->flow, def);
	if (world->waves.enabled)
	{
		world->waves.def = def->waves;
		tnWaves_SetGravity(&world->waves, def->gravity);
		tnWaves_Retune(&world->waves);
	}
}

// All but two of these calls end here: the def with one field changed is checked as on creation.
static tnResult tnTune(tnWorld* world, const tnWorldDef* def, tnResult result)
{
	if (result.status == tn_ok)
	{
		result = tnCheckWorldDef(def);
	}
	if (result.status == tn_ok)
	{
		tnWorld_PutDef(world, def);
		float numbers[TN_TUNED_WORDS];
		tnGetTuning(def, numbers);
		TN_RECORD(world, result, tn_tuneCall, TN_WORDS(numbers));
	}
	return tnWorld_Report(world, result);
}

// The def to be changed; whatever it is, if the world is not ready.
static tnResult tnBeginTuning(const tnWorld* world, tnWorldDef* def)
{
	const tnResult result = tnWorld_CheckReady(world);
	*def = result.status == tn_ok ? world->def : tnDefaultWorldDef();
	return result;
}

tnResult tnWorld_SetGravity(tnWorld* world, float gravity)
{
	tnWorldDef def;
	tnResult result = tnBeginTuning(world, &def);
	const bool changes = result.status == tn_ok && gravity != def.gravity;
	def.gravity = gravity;
	result = tnTune(world, &def, result);
	if (result.status == tn_ok && changes && def.method == tn_shallowMethod)
	{
		// How fast signals are decides about the next sub-steps.
		const float edited = world->grid.editSpeed;
		tnFlow_Measure(world->flow, &world->grid, gravity);
		world->grid.editSpeed = edited;
	}
	if (result.status == tn_ok && changes)
	{
		// Bodies fall by another way in a step, and films are read with another limit.
		tnBodies_CutAllAgain(&world->bodies);
		tnTiles_CountChanges(&world->tiles);
	}
	return result;
}

tnResult tnWorld_SetFriction(tnWorld* world, float friction)
{
	tnWorldDef def;
	const tnResult result = tnBeginTuning(world, &def);
	def.friction = friction;
	return tnTune(world, &def, result);
}

tnResult tnWorld_SetManning(tnWorld* world, float manning)
{
	tnWorldDef def;
	const tnResult result = tnBeginTuning(world, &def);
	def.manning = manning;
	return tnTune(world, &def, result);
}

tnResult tnWorld_SetManningMap(tnWorld* world, const float* map)
{
	tnResult result = tnWorld_CheckReady(world);
	const size_t cellCount = result.status == tn_ok ? (size_t)world->def.columnCount * (size_t)world->def.rowCount : 0;
	for (size_t i = 0; i < cellCount && map != NULL && result.status == tn_ok; ++i)
	{
		// Not a number fails too.
		if (!(map[i] >= 0.0f && map[i] <= TN_MOST_FACTOR))
		{
			result = tnFail(
				tn_invalidArgument, "map[%zu] must be in [0, %g], got %g", i, (double)TN_MOST_FACTOR, (double)map[i]);
		}
	}
	tnGrid* grid = result.status == tn_ok ? &world->grid : NULL;
	if (grid != NULL && map != NULL && !tnGrid_AddRoughness(grid, &world->memory))
	{
		char text[TN_MEMORY_TEXT];
		tnMemory_Explain(&world->memory, 0, text);
		result = tnFail(tn_outOfMemory, "map: out of memory for %zu cells: %s", cellCount, text);
	}
	if (result.status == tn_ok)
	{
		grid->isRough = map != NULL;
		for (size_t i = 0; i < cellCount && map != NULL; ++i)
		{
			const int column = (int)(i % (size_t)grid->columnCount), row = (int)(i / (size_t)grid->columnCount);
			grid->roughness[tnGrid_Index(grid, column, row)] = map[i] * map[i];
		}
		if (map != NULL)
		{
			tnGrid_SetRoughnessAround(grid);
		}
		tnTiles_CountChanges(&world->tiles);
		TN_RECORD(world, result, tn_setManningMapCall, TN_WORDS_OF(map, cellCount));
	}
	return tnWorld_Report(world, result);
}

tnResult tnWorld_SetFroudeLimit(tnWorld* world, float limit)
{
	tnWorldDef def;
	const tnResult result = tnBeginTuning(world, &def);
	def.froudeLimit = limit;
	return tnTune(world, &def, result);
}

tnResult tnWorld_SetLiveliness(tnWorld* world, float liveliness)
{
	tnWorldDef def;
	const tnResult result = tnBeginTuning(world, &def);
	def.liveliness = liveliness;
	return tnTune(world, &def, result);
}

tnResult tnWorld_SetSection(tnWorld* world, tnPipeSection section, float fixedSection)
{
	tnWorldDef def;
	tnResult result = tnBeginTuning(world, &def);
	def.section = section;
	def.fixedSection = fixedSection;
	result = result.status == tn_ok ? tnCheckWorldDef(&def) : result;
	if (result.status == tn_ok)
	{
		tnWorld_PutDef(world, &def);
		const int32_t number = (int32_t)section;
		TN_RECORD(world, result, tn_setSectionCall, TN_WORDS(number), TN_WORDS(fixedSection));
	}
	return tnWorld_Report(world, result);
}

tnResult tnWorld_SetMaxSubSteps(tnWorld* world, int count)
{
	tnWorldDef def;
	const tnResult result = tnBeginTuning(world, &def);
	def.maxSubSteps = count;
	return tnTune(world, &def, result);
}

tnResult tnWorld_SetSleep(tnWorld* world, bool enable, float speed, float time)
{
	tnWorldDef def;
	tnResult result = tnBeginTuning(world, &def);
	const bool changes = enable != def.enableSleep || speed != def.sleepSpeed;
	def.enableSleep = enable;
	def.sleepSpeed = speed;
	def.sleepTime = time;
	result = tnTune(world, &def, result);
	if (result.status == tn_ok && changes)
	{
		// What may sleep by other rules has to show it anew. Nothing was edited: waves must not look at the bed sooner than
		// where nobody sleeps.
		tnTiles_WakeAll(&world->tiles);
	}
	return result;
}

tnResult tnWorld_SetFoam(tnWorld* world, float lifetime, float strength)
{
	tnWorldDef def;
	tnResult result = tnBeginTuning(world, &def);
	if (result.status == tn_ok && !def.foam.enable)
	{
		result = tnFail(tn_notAvailable, "foam.enable is false: this world has no foam");
	}
	def.foam.lifetime = lifetime;
	def.foam.strength = strength;
	return tnTune(world, &def, result);
}

tnResult tnWorld_SetSpray(tnWorld* world, const tnSprayDef* spray)
{
	tnWorldDef def;
	tnResult result = tnBeginTuning(world, &def);
	if (result.status == tn_ok && spray == NULL)
	{
		result = tnFail(tn_invalidArgument, "spray must not be NULL");
	}
	if (result.status == tn_ok && !def.spray.enable)
	{
		result = tnFail(tn_notAvailable, "spray.enable is false: this world has no spray");
	}
	if (result.status == tn_ok && (!spray->enable || spray->capacity != def.spray.capacity))
	{
		result = tnFail(tn_invalidArgument, "spray.enable and spray.capacity must stay true and %d, got %s and %d",
			(int)def.spray.capacity, spray->enable ? "true" : "false", (int)spray->capacity);
	}
	if (result.status == tn_ok)
	{
		def.spray = *spray;
	}
	return tnTune(world, &def, result);
}

tnResult tnWorld_SetWaves(tnWorld* world, float viscosity, float breakingLimit, float restHeight)
{
	tnWorldDef def;
	tnResult result = tnBeginTuning(world, &def);
	if (result.status == tn_ok && !def.waves.enable)
	{
		result = tnFail(tn_notAvailable, "waves.enable is false: this world has no wave layer");
	}
	if (result.status == tn_ok && (breakingLimit > 0.0f) != (def.waves.breakingLimit > 0.0f))
	{
		result = tnFail(tn_invalidArgument, "breakingLimit must stay %s 0, got %g",
			def.waves.breakingLimit > 0.0f ? "above" : "at", (double)breakingLimit);
	}
	const bool changes = breakingLimit != def.waves.breakingLimit;
	def.waves.viscosity = viscosity;
	def.waves.breakingLimit = breakingLimit;
	def.waves.restHeight = restHeight;
	result = tnTune(world, &def, result);
	for (int i = 0; result.status == tn_ok && changes && i < world->waves.pool.count; ++i)
	{
		// Limits of cells are made with the coefficients.
		world->waves.pool.tiles[world->waves.pool.order[i]].fresh = true;
	}
	return result;
}

tnResult tnWorld_SetWorkerCount(tnWorld* world, int count)
{
	tnResult result = tnWorld_CheckReady(world);
	if (result.status == tn_ok && !(count >= 1 && count <= world->askedWorkerCount))
	{
		result = tnFail(tn_invalidArgument, "count must be in [1, %d], got %d", world->askedWorkerCount, count);
	}
	if (result.status == tn_ok)
	{
		tnTaskSystem tasks = world->def.tasks;
		tasks.workerCount = tnMinInt(count, world->workerCount);
		tnParallel* parallel = tnCreateParallel(&world->memory, &tasks);
		if (parallel != NULL)
		{
			tnDestroyParallel(world->parallel, &world->memory);
			world->parallel = parallel;
			world->def.tasks.workerCount = count;
		}
		else
		{
			result = tnFail(tn_outOfMemory, "count: out of memory for %d workers", count);
		}
	}
	return tnWorld_Report(world, result);
}
