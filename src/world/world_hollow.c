// SPDX-License-Identifier: MIT

// What a host asks and changes about the hollows of bodies: checks of the arguments, and the hollow at hand.

#include "../bodies/body_hollow.h"
#include "../core/physical_constants.h"
#include "world.h"

tnLeakDef tnDefaultLeakDef(void)
{
	return (tnLeakDef){.area = 0.01f, .discharge = 0.6f, .from = 0, .to = TN_OUTSIDE, .stamp = TN_DEF_STAMP};
}

tnPumpDef tnDefaultPumpDef(void)
{
	return (tnPumpDef){.rate = 0.01f, .from = 0, .to = TN_OUTSIDE, .stamp = TN_DEF_STAMP};
}

static tnResult tnFindHollowBody(const tnWorld* world, tnBodyId id, const tnBody** body)
{
	*body = NULL;
	const tnResult result = tnWorld_CheckReady(world);
	if (result.status != tn_ok)
	{
		return result;
	}
	const int index = tnIdPool_Find(&world->bodies.ids, id.index1, id.generation);
	if (index < 0)
	{
		return tnFail(tn_staleId, "body id is null or stale, got (%d, %u)", (int)id.index1, (unsigned)id.generation);
	}
	*body = tnBodies_Get(&world->bodies, index);
	return result;
}

static int tnCountHollows(const tnBody* body)
{
	return body->hollows != NULL ? body->hollows->mesh.count : 0;
}

// Find a body and one of its hollows.
static tnResult tnFindHollow(const tnWorld* world, tnBodyId id, int hollow, const tnBody** body)
{
	tnResult result = tnFindHollowBody(world, id, body);
	if (result.status == tn_ok && !(hollow >= 0 && hollow < tnCountHollows(*body)))
	{
		result = tnFail(tn_invalidArgument, "hollow must be in [0, %d), of which the body has, got %d",
			tnCountHollows(*body), hollow);
	}
	return result;
}

int tnWorld_GetHollowCount(const tnWorld* world, tnBodyId id)
{
	world = tnWorld_GetShown(world);
	const tnBody* body;
	return tnWorld_IsReady(world) && tnFindHollowBody(world, id, &body).status == tn_ok ? tnCountHollows(body) : 0;
}

tnResult tnWorld_GetHollow(const tnWorld* world, tnBodyId id, int hollow, tnHollowState* state)
{
	world = tnWorld_GetShown(world);
	const tnBody* body;
	tnResult result = tnFindHollow(world, id, hollow, &body);
	if (result.status == tn_ok && state == NULL)
	{
		result = tnFail(tn_invalidArgument, "state must not be NULL");
	}
	if (result.status != tn_ok)
	{
		return tnWorld_Report(world, result);
	}
	const tnBodyHollows* hollows = body->hollows;
	const tnHollow* item = hollows->items + hollow;
	const tnHollowShape* shape = hollows->mesh.items + hollow;
	const tnVec3 p = body->pose.position;
	const tnAxes axes = tnQuat_GetAxes(body->pose.rotation);
	float rim = INFINITY;
	for (int i = 0; i < shape->rimCount; ++i)
	{
		rim = tnMinFloat(rim, p.y + tnAxes_Turn(&axes, hollows->mesh.rims[shape->firstRim + i].crest).y);
	}
	*state = (tnHollowState){
		.volume = shape->volume,
		.held = item->held,
		.level = p.y + (float)item->level,
		.rim = rim,
		.center = {p.x + item->center.x, p.y + item->center.y, p.z + item->center.z},
		.open = shape->open,
		.area = shape->lidArea,
		.inflow = hollows->timeStep > 0.0f ? (float)(item->came / (double)hollows->timeStep) : 0.0f,
	};
	return result;
}

tnResult tnWorld_GetHollowMesh(const tnWorld* world, tnBodyId id, int hollow, tnBodyMesh* mesh)
{
	world = tnWorld_GetShown(world);
	const tnBody* body;
	tnResult result = tnFindHollow(world, id, hollow, &body);
	if (result.status == tn_ok && mesh == NULL)
	{
		result = tnFail(tn_invalidArgument, "mesh must not be NULL");
	}
	if (result.status == tn_ok)
	{
		const tnHollowMesh* all = &body->hollows->mesh;
		const tnHollowShape* shape = all->items + hollow;
		*mesh = (tnBodyMesh){.points = all->points,
			.pointCount = all->pointCount,
			.triangles = all->triangles + 3 * (ptrdiff_t)shape->firstTriangle,
			.triangleCount = shape->triangleCount};
	}
	return tnWorld_Report(world, result);
}

tnResult tnWorld_CopyHollowSurface(
	const tnWorld* world, tnBodyId id, int hollow, tnVec3* corners, int capacity, int* count)
{
	world = tnWorld_GetShown(world);
	const tnBody* body;
	tnResult result = tnFindHollow(world, id, hollow, &body);
	if (result.status == tn_ok && (count == NULL || (corners != NULL && capacity < 0)))
	{
		result = count == NULL ? tnFail(tn_invalidArgument, "count must not be NULL")
							   : tnFail(tn_invalidArgument, "capacity must be at least 0, got %d", capacity);
	}
	if (result.status == tn_ok)
	{
		tnMemory memory = world->memory;
		const int found = tnBodyHollows_CutSurface(body->hollows, hollow, &memory, corners, capacity);
		result = found < 0 ? tnFail(tn_outOfMemory, "out of memory for the surface of hollow %d", hollow) : result;
		*count = found < 0 ? 0 : found;
	}
	return tnWorld_Report(world, result);
}

tnResult tnWorld_SetHollowWater(tnWorld* world, tnBodyId id, int hollow, double held)
{
	const tnBody* body;
	tnResult result = tnFindHollow(world, id, hollow, &body);
	if (result.status == tn_ok && !(held >= 0.0 && held <= (double)body->hollows->mesh.items[hollow].volume))
	{
		result = tnFail(tn_invalidArgument, "held must be in [0, %g], the volume of hollow %d, got %g",
			(double)body->hollows->mesh.items[hollow].volume, hollow, held);
	}
	if (result.status == tn_ok)
	{
		tnHollow* item = body->hollows->items + hollow;
		world->ledger.edits += held - item->held;
		item->held = held;
		tnBody* changed = tnBodies_Get(&world->bodies, id.index1 - 1);
		changed->heldMass = (float)((double)TN_WATER_DENSITY * tnBodyHollows_GetHeld(body->hollows));
		changed->moved = true;
		tnBodyHollows_Settle(body->hollows, body->pose.rotation);
	}
	TN_RECORD(world, result, tn_setHollowWaterCall, TN_WORDS(id), TN_WORDS(hollow), TN_WORDS(held));
	return tnWorld_Report(world, result);
}

// Checks that leaks and pumps share.
static tnResult tnCheckSides(const tnBody* body, int from, int to, tnVec3 position)
{
	const int count = tnCountHollows(body);
	if (!(from >= TN_OUTSIDE && from < count))
	{
		return tnFail(tn_invalidArgument, "from must be TN_OUTSIDE or a hollow in [0, %d), got %d", count, from);
	}
	if (!(to >= TN_OUTSIDE && to < count) || to == from)
	{
		return tnFail(tn_invalidArgument, "to must be TN_OUTSIDE or a hollow in [0, %d), and not that of from, got %d",
			count, to);
	}
	if (!(tnAbsFloat(position.x) <= TN_MAX_LENGTH && tnAbsFloat(position.y) <= TN_MAX_LENGTH &&
			tnAbsFloat(position.z) <= TN_MAX_LENGTH))
	{
		return tnFail(tn_invalidArgument, "position must be within %g along each axis, got (%g, %g, %g)",
			(double)TN_MAX_LENGTH, (double)position.x, (double)position.y, (double)position.z);
	}
	return tnSuccess();
}

static tnResult tnCheckStamp(uint32_t stamp, const char* name)
{
	return stamp == TN_DEF_STAMP
		? tnSuccess()
		: tnFail(tn_invalidArgument, "def.stamp is wrong: start from %s(), got 0x%x", name, (unsigned)stamp);
}

// A body without hollows has no slots.
static tnResult tnCheckHollows(const tnBody* body, int slot)
{
	if (tnCountHollows(body) == 0)
	{
		return tnFail(tn_invalidArgument, "body must have a hollow, this one has none");
	}
	return slot >= 0 && slot < TN_MAX_LEAKS
		? tnSuccess()
		: tnFail(tn_invalidArgument, "slot must be in [0, %d), got %d", TN_MAX_LEAKS, slot);
}

tnResult tnWorld_SetLeak(tnWorld* world, tnBodyId id, int slot, const tnLeakDef* def)
{
	const tnBody* body;
	tnResult result = tnFindHollowBody(world, id, &body);
	result = result.status == tn_ok ? tnCheckHollows(body, slot) : result;
	if (result.status == tn_ok && def != NULL)
	{
		result = tnCheckStamp(def->stamp, "tnDefaultLeakDef");
		result = result.status == tn_ok ? tnCheckSides(body, def->from, def->to, def->position) : result;
		if (result.status == tn_ok && !(def->area >= 0.0f && def->area <= 1.0e6f))
		{
			result = tnFail(tn_invalidArgument, "area must be in [0, 1e6], got %g", (double)def->area);
		}
		if (result.status == tn_ok && !(def->discharge > 0.0f && def->discharge <= 1.0f))
		{
			result = tnFail(tn_invalidArgument, "discharge must be in (0, 1], got %g", (double)def->discharge);
		}
	}
	if (result.status == tn_ok)
	{
		body->hollows->leaks[slot] = def != NULL ? (tnLeak){.def = *def, .used = true} : (tnLeak){.used = false};
	}
	const int32_t given = def != NULL ? 1 : 0;
	TN_RECORD(world, result, tn_setLeakCall, TN_WORDS(id), TN_WORDS(slot), TN_WORDS(given), TN_WORDS_OF(def, 1));
	return tnWorld_Report(world, result);
}

tnResult tnWorld_SetPump(tnWorld* world, tnBodyId id, int slot, const tnPumpDef* def)
{
	const tnBody* body;
	tnResult result = tnFindHollowBody(world, id, &body);
	result = result.status == tn_ok ? tnCheckHollows(body, slot) : result;
	if (result.status == tn_ok && def != NULL)
	{
		result = tnCheckStamp(def->stamp, "tnDefaultPumpDef");
		result = result.status == tn_ok ? tnCheckSides(body, def->from, def->to, def->position) : result;
		if (result.status == tn_ok && !(def->rate >= 0.0f && def->rate <= 1.0e6f))
		{
			result = tnFail(tn_invalidArgument, "rate must be in [0, 1e6], got %g", (double)def->rate);
		}
	}
	if (result.status == tn_ok)
	{
		body->hollows->pumps[slot] = def != NULL ? (tnPump){.def = *def, .used = true} : (tnPump){.used = false};
	}
	const int32_t given = def != NULL ? 1 : 0;
	TN_RECORD(world, result, tn_setPumpCall, TN_WORDS(id), TN_WORDS(slot), TN_WORDS(given), TN_WORDS_OF(def, 1));
	return tnWorld_Report(world, result);
}

// The hollows of a body whose slot is asked for. NULL if there are none.
static const tnBodyHollows* tnFindSlot(const tnWorld* world, tnBodyId id, int slot)
{
	const tnBody* body;
	const bool valid = tnWorld_IsReady(world) && slot >= 0 && slot < TN_MAX_LEAKS &&
		tnFindHollowBody(world, id, &body).status == tn_ok;
	return valid ? body->hollows : NULL;
}

bool tnWorld_GetLeak(const tnWorld* world, tnBodyId id, int slot, tnLeakDef* def)
{
	const tnBodyHollows* hollows = tnFindSlot(tnWorld_GetShown(world), id, slot);
	const bool used = hollows != NULL && def != NULL && hollows->leaks[slot].used;
	if (used)
	{
		*def = hollows->leaks[slot].def;
	}
	return used;
}

bool tnWorld_GetPump(const tnWorld* world, tnBodyId id, int slot, tnPumpDef* def)
{
	const tnBodyHollows* hollows = tnFindSlot(tnWorld_GetShown(world), id, slot);
	const bool used = hollows != NULL && def != NULL && hollows->pumps[slot].used;
	if (used)
	{
		*def = hollows->pumps[slot].def;
	}
	return used;
}
