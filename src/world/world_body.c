// SPDX-License-Identifier: MIT

// What a host does with bodies: checks of the arguments, then the module that knows.

#include "../bodies/body_exchange.h"
#include "../bodies/body_hollow.h"
#include "../shapes/body_def_check.h"
#include "../shapes/submerged_mesh.h"
#include "../waves/wave_wakes.h"
#include "world.h"

static tnResult tnFindBody(const tnWorld* world, tnBodyId id, int* index)
{
	*index = tnIdPool_Find(&world->bodies.ids, id.index1, id.generation);
	return *index >= 0
		? tnSuccess()
		: tnFail(tn_staleId, "body id is null or stale, got (%d, %u)", (int)id.index1, (unsigned)id.generation);
}

tnResult tnWorld_CreateBody(tnWorld* world, const tnBodyDef* def, tnBodyId* id)
{
	if (id != NULL)
	{
		*id = (tnBodyId){0};
	}
	tnResult result = tnWorld_CheckReady(world);
	if (result.status == tn_ok && id == NULL)
	{
		result = tnFail(tn_invalidArgument, "id must not be NULL");
	}
	result = result.status == tn_ok ? tnBodies_CheckDef(def) : result;
	if (result.status != tn_ok)
	{
		return tnWorld_Report(world, result);
	}
	// First all memory, then the body: a call that fails changes nothing.
	tnBody body;
	tnMemory* memory = &world->memory;
	const int workerCount = world->workerCount;
	tnObstacle obstacle = {0};
	result = tnWorld_ReserveWaves(world);
	result = result.status == tn_ok ? tnBody_Make(&body, memory, &world->grid, def, world->waves.enabled) : result;
	if (result.status != tn_ok)
	{
		return tnWorld_Report(world, result);
	}
	tnBodyNeeds needs = world->bodyFlow.needs;
	tnBodyNeeds_Add(&needs, &world->grid, &body, 1);
	bool ok = tnBodies_Reserve(&world->bodies, memory, 0, body.scratchBytes, workerCount);
	ok = ok && tnBodyFlow_Reserve(&world->bodyFlow, memory, &world->grid, &needs, workerCount);
	ok = ok && tnDecks_Reserve(&world->decks, memory, &world->grid, needs.deckColumns);
	ok = ok &&
		(!world->spray.def.enable ||
			tnSprayBodies_Reserve(&world->spray.bodies, memory, &world->grid, &world->bodies, workerCount));
	ok = ok && (!world->spray.def.enable || tnObstacle_Make(&obstacle, memory, &body));
	if (!ok)
	{
		tnBody_Free(&body, memory);
		return tnWorld_Report(
			world, tnFail(tn_outOfMemory, "out of memory for a body beside %d others", world->bodies.count));
	}
	world->bodyFlow.groupCount = 0;
	tnBodyFlow_SetNeeds(&world->bodyFlow, memory, &needs);
	*id = tnBodies_Add(&world->bodies, memory, &body);
	// It brings tiles of waves, which what is put into the layer before the next step must find.
	if (world->waves.enabled)
	{
		tnWaves_Stir(&world->waves);
		world->waves.mustDeal = true;
	}
	if (world->spray.def.enable)
	{
		world->spray.bodies.items[id->index1 - 1] = obstacle;
	}
	if (result.status == tn_ok)
	{
		tnWorld_RecordBody(world, def, *id);
	}
	return result;
}

tnResult tnWorld_ReserveBodies(tnWorld* world, int bodyCount, const tnBodyDef* like)
{
	tnResult result = tnWorld_CheckReady(world);
	if (result.status == tn_ok && !(bodyCount >= 0 && bodyCount <= TN_MAX_CELLS))
	{
		result = tnFail(tn_invalidArgument, "bodyCount must be in [0, %d], got %d", TN_MAX_CELLS, bodyCount);
	}
	result = result.status == tn_ok ? tnBodies_CheckDef(like) : result;
	result = result.status == tn_ok ? tnWorld_ReserveWaves(world) : result;
	tnBody body = {0};
	tnMemory* memory = result.status == tn_ok ? &world->memory : NULL;
	result = result.status == tn_ok ? tnBody_Make(&body, memory, &world->grid, like, world->waves.enabled) : result;
	if (result.status != tn_ok)
	{
		return tnWorld_Report(world, result);
	}
	const int workerCount = world->workerCount;
	tnBodyNeeds needs = world->bodyFlow.needs;
	tnBodyNeeds_Add(&needs, &world->grid, &body, tnMaxInt(bodyCount - world->bodies.count, 0));
	bool ok = tnBodies_Reserve(&world->bodies, memory, bodyCount, body.scratchBytes, workerCount);
	ok = ok && tnBodyFlow_ReserveMany(&world->bodyFlow, memory, &world->grid, &needs, workerCount);
	ok = ok && tnDecks_Reserve(&world->decks, memory, &world->grid, needs.deckColumns);
	ok = ok &&
		(!world->spray.def.enable ||
			tnSprayBodies_Reserve(&world->spray.bodies, memory, &world->grid, &world->bodies, workerCount));
	tnBody_Free(&body, memory);
	return tnWorld_Report(
		world, ok ? result : tnFail(tn_outOfMemory, "bodyCount: out of memory for %d bodies", bodyCount));
}

tnResult tnWorld_DestroyBody(tnWorld* world, tnBodyId id)
{
	int index = -1;
	tnResult result = tnWorld_CheckReady(world);
	result = result.status == tn_ok ? tnFindBody(world, id, &index) : result;
	if (result.status == tn_ok)
	{
		tnBodies_Wake(tnBodies_Get(&world->bodies, index), &world->grid, &world->tiles);
		if (world->waves.enabled)
		{
			tnWaves_ForgetBody(&world->waves, &world->grid, &world->bodies, world->parallel, index);
		}
		tnBody_PourOut(tnBodies_Get(&world->bodies, index), &world->grid, &world->tiles);
		tnBodyNeeds needs = world->bodyFlow.needs;
		tnBodyNeeds_Add(&needs, &world->grid, tnBodies_Get(&world->bodies, index), -1);
		tnSprayBodies_Remove(&world->spray.bodies, &world->memory, index);
		tnBodies_Remove(&world->bodies, &world->memory, index);
		tnBodyFlow_SetNeeds(&world->bodyFlow, &world->memory, &needs);
		if (world->bodies.count == 0)
		{
			tnDecks_Release(&world->decks, &world->memory, &world->grid, &world->tiles);
		}
	}
	TN_RECORD(world, result, tn_destroyBodyCall, TN_WORDS(id));
	return tnWorld_Report(world, result);
}

bool tnBody_IsValid(const tnWorld* world, tnBodyId id)
{
	world = tnWorld_GetShown(world);
	return world != NULL && tnIdPool_Find(&world->bodies.ids, id.index1, id.generation) >= 0;
}

tnResult tnWorld_MoveBody(tnWorld* world, tnBodyId id, const tnPose* pose, tnVec3 velocity, tnVec3 spin)
{
	int index = -1;
	tnResult result = tnWorld_CheckReady(world);
	result = result.status == tn_ok ? tnFindBody(world, id, &index) : result;
	result = result.status == tn_ok ? tnBodies_CheckMotion(pose, velocity, spin) : result;
	if (result.status == tn_ok)
	{
		tnBody_Move(tnBodies_Get(&world->bodies, index), pose, velocity, spin);
	}
	TN_RECORD(world, result, tn_moveBodyCall, TN_WORDS(id), TN_WORDS(*pose), TN_WORDS(velocity), TN_WORDS(spin));
	return tnWorld_Report(world, result);
}

// All memory that a body with other shapes needs, before anything changes.
static bool tnWorld_ReserveInstead(tnWorld* world, const tnBody* body, const tnBody* made, tnBodyNeeds* needs)
{
	tnMemory* memory = &world->memory;
	const int workerCount = tnParallel_GetWorkerCount(world->parallel);
	*needs = world->bodyFlow.needs;
	// Both: what the old one needs is there, and goes later.
	tnBodyNeeds_Add(needs, &world->grid, made, 1);
	const bool ok = tnBodies_Reserve(&world->bodies, memory, 0, made->scratchBytes, workerCount) &&
		tnBodyFlow_Reserve(&world->bodyFlow, memory, &world->grid, needs, workerCount) &&
		tnDecks_Reserve(&world->decks, memory, &world->grid, needs->deckColumns);
	tnBodyNeeds_Add(needs, &world->grid, body, -1);
	return ok;
}

tnResult tnWorld_SetBodyShapes(tnWorld* world, tnBodyId id, const tnShapeDef* shapes, int shapeCount)
{
	int index = -1;
	tnResult result = tnWorld_CheckReady(world);
	result = result.status == tn_ok ? tnFindBody(world, id, &index) : result;
	if (result.status != tn_ok)
	{
		return tnWorld_Report(world, result);
	}
	tnBody* body = tnBodies_Get(&world->bodies, index);
	tnMemory* memory = &world->memory;
	tnBodyDef def = body->def;
	def.shapes = shapes;
	def.shapeCount = shapeCount;
	def.pose = body->pose;
	def.velocity = body->motion.velocity;
	def.spin = body->motion.spin;
	tnBody made;
	result = tnBodies_CheckDef(&def);
	result = result.status == tn_ok ? tnBody_Make(&made, memory, &world->grid, &def, world->waves.enabled) : result;
	if (result.status != tn_ok)
	{
		return tnWorld_Report(world, result);
	}
	tnBodyNeeds needs;
	tnObstacle obstacle = {0};
	if (!tnWorld_ReserveInstead(world, body, &made, &needs) ||
		(world->spray.def.enable && !tnObstacle_Make(&obstacle, memory, &made)))
	{
		tnBody_Free(&made, memory);
		return tnWorld_Report(world, tnFail(tn_outOfMemory, "out of memory for other shapes of a body"));
	}
	tnBodies_Wake(body, &world->grid, &world->tiles);
	if (world->waves.enabled && body->printCount > made.cut.columnCapacity)
	{
		tnWaves_ForgetBody(&world->waves, &world->grid, &world->bodies, world->parallel, index);
	}
	// Its new hollows take over what they can; the rest is in the water where the old ones were.
	tnBody_HandOver(body, &made);
	tnBody_PourOut(body, &world->grid, &world->tiles);
	world->bodyFlow.groupCount = 0;
	tnBodyFlow_SetNeeds(&world->bodyFlow, memory, &needs);
	tnBody_Replace(body, memory, &made);
	world->bodies.changed = true;
	if (world->spray.def.enable)
	{
		tnSprayBodies_Remove(&world->spray.bodies, memory, index);
		world->spray.bodies.items[index] = obstacle;
	}
	tnWorld_RecordShapes(world, id, shapes, shapeCount);
	return result;
}

tnResult tnWorld_SetBodyMode(tnWorld* world, tnBodyId id, tnBodyMode mode)
{
	int index = -1;
	tnResult result = tnWorld_CheckReady(world);
	result = result.status == tn_ok ? tnFindBody(world, id, &index) : result;
	if (result.status == tn_ok && ((int)mode < 0 || mode >= tn_bodyModeCount))
	{
		result = tnFail(tn_invalidArgument, "mode must be in [0, %d], got %d", tn_bodyModeCount - 1, (int)mode);
	}
	if (result.status == tn_ok)
	{
		tnBodies_Get(&world->bodies, index)->def.mode = mode;
		tnBodies_Get(&world->bodies, index)->moved = true;
		tnBody_ChooseMode(tnBodies_Get(&world->bodies, index), &world->grid);
	}
	TN_RECORD(world, result, tn_setBodyModeCall, TN_WORDS(id), TN_WORDS(mode));
	return tnWorld_Report(world, result);
}

// ---------------------------------------------------------------------------------------------------------------------
// What the water does

// Find a body and check that there is somewhere to write to.
static tnResult tnLookUp(const tnWorld* world, tnBodyId id, const void* out, const char* name, const tnBody** body)
{
	int index = -1;
	tnResult result = tnWorld_CheckReady(world);
	if (result.status == tn_ok && out == NULL)
	{
		result = tnFail(tn_invalidArgument, "%s must not be NULL", name);
	}
	result = result.status == tn_ok ? tnFindBody(world, id, &index) : result;
	*body = result.status == tn_ok ? tnBodies_Get(&world->bodies, index) : NULL;
	return tnWorld_Report(world, result);
}

tnResult tnWorld_GetBodyWrench(const tnWorld* world, tnBodyId id, tnWrench* wrench)
{
	world = tnWorld_GetShown(world);
	const tnBody* body;
	const tnResult result = tnLookUp(world, id, wrench, "wrench", &body);
	if (body != NULL)
	{
		*wrench = body->wrench;
	}
	return result;
}

tnResult tnWorld_GetBodyState(const tnWorld* world, tnBodyId id, tnBodyState* state)
{
	world = tnWorld_GetShown(world);
	const tnBody* body;
	const tnResult result = tnLookUp(world, id, state, "state", &body);
	if (body != NULL)
	{
		*state = body->state;
		// As the host has it now; the rest is of the last step.
		state->pose = body->pose;
		state->velocity = body->motion.velocity;
		state->spin = body->motion.spin;
		state->mode = body->mode;
		state->volume = body->mesh.volume;
		state->heldVolume = (float)tnBodyHollows_GetHeld(body->hollows);
		state->userData = body->def.userData;
	}
	return result;
}

tnResult tnWorld_GetBodyMesh(const tnWorld* world, tnBodyId id, tnBodyMesh* mesh)
{
	world = tnWorld_GetShown(world);
	const tnBody* body;
	const tnResult result = tnLookUp(world, id, mesh, "mesh", &body);
	if (body != NULL)
	{
		const tnMesh* shown = body->hollows != NULL ? &body->hollows->shown : &body->mesh;
		*mesh = (tnBodyMesh){shown->points, shown->pointCount, shown->triangles, shown->triangleCount};
	}
	return result;
}

tnResult tnWorld_CopyWaterline(const tnWorld* world, tnBodyId id, tnVec3* points, int capacity, int* count)
{
	world = tnWorld_GetShown(world);
	const tnBody* body;
	tnResult result = tnLookUp(world, id, count, "count", &body);
	if (body == NULL)
	{
		return result;
	}
	if (points != NULL && capacity < 0)
	{
		return tnWorld_Report(world, tnFail(tn_invalidArgument, "capacity must be at least 0, got %d", capacity));
	}
	*count = 0;
	if (body->wet)
	{
		const tnVec3 p = body->state.pose.position;
		const float height = body->state.waterlineHeight - p.y;
		const int room = points != NULL ? capacity : 0;
		*count = tnMesh_CopyWaterline(&body->mesh, body->points, height, points, room);
		for (int i = 0; i < tnMinInt(*count, room); ++i)
		{
			points[i] = (tnVec3){points[i].x + p.x, points[i].y + p.y, points[i].z + p.z};
		}
	}
	return result;
}

int tnWorld_GetBodies(const tnWorld* world, tnBodyId* ids, int capacity)
{
	world = tnWorld_GetShown(world);
	if (world == NULL)
	{
		return 0;
	}
	const tnBodies* bodies = &world->bodies;
	for (int i = 0; i < bodies->count && ids != NULL && i < capacity; ++i)
	{
		const int index = bodies->list[i];
		ids[i] = (tnBodyId){index + 1, tnIdPool_GetGeneration(&bodies->ids, index)};
	}
	return bodies->count;
}

static tnFieldView tnViewLift(const tnWorld* world, const float* data)
{
	const tnGrid* grid = &world->grid;
	return data != NULL ? (tnFieldView){data, grid->columnCount, grid->rowCount, grid->stride} : (tnFieldView){0};
}

tnFieldView tnWorld_GetLift(const tnWorld* world)
{
	world = tnWorld_GetShown(world);
	return tnWorld_IsReady(world) ? tnViewLift(world, world->grid.lift) : (tnFieldView){0};
}

tnFieldView tnWorld_GetPreviousLift(const tnWorld* world)
{
	world = tnWorld_GetShown(world);
	return tnWorld_IsReady(world) ? tnViewLift(world, world->grid.previousLift) : (tnFieldView){0};
}
