// SPDX-License-Identifier: MIT

// What a host does with the spray of a world.

#include "world.h"

tnJetDef tnDefaultJetDef(void)
{
	tnJetDef def = {0};
	def.velocity = (tnVec3){15.0f, 5.0f, 0.0f};
	def.rate = 0.02f;
	def.radius = 0.05f;
	def.spread = 0.02f;
	def.stamp = TN_DEF_STAMP;
	return def;
}

static tnResult tnCheckSprayLayer(const tnWorld* world)
{
	tnResult result = tnWorld_CheckReady(world);
	if (result.status == tn_ok && !world->spray.def.enable)
	{
		result = tnFail(tn_notAvailable, "spray.enable is false: this world has no spray");
	}
	return result;
}

static tnResult tnCheckVector(const char* name, tnVec3 v, float limit)
{
	const bool ok = tnAbsFloat(v.x) <= limit && tnAbsFloat(v.y) <= limit && tnAbsFloat(v.z) <= limit;
	return ok ? tnSuccess()
			  : tnFail(tn_invalidArgument, "%s must be within %g along each axis, got (%g, %g, %g)", name,
					(double)limit, (double)v.x, (double)v.y, (double)v.z);
}

static tnResult tnCheckJet(const tnJetDef* def)
{
	if (def == NULL)
	{
		return tnFail(tn_invalidArgument, "def must not be NULL");
	}
	if (def->stamp != TN_DEF_STAMP)
	{
		return tnFail(
			tn_invalidArgument, "def.stamp is wrong: start from tnDefaultJetDef(), got 0x%x", (unsigned)def->stamp);
	}
	tnResult result = tnCheckVector("position", def->position, TN_MAX_LENGTH);
	result = result.status == tn_ok ? tnCheckVector("velocity", def->velocity, 200.0f) : result;
	if (result.status != tn_ok)
	{
		return result;
	}
	const struct
	{
		const char* name;
		float value, limit;
	} numbers[] = {{"rate", def->rate, 1000.0f}, {"radius", def->radius, 10.0f}, {"spread", def->spread, 1.0f}};
	for (int i = 0; i < 3; ++i)
	{
		if (!(numbers[i].value >= 0.0f && numbers[i].value <= numbers[i].limit))
		{
			return tnFail(tn_invalidArgument, "%s must be in [0, %g], got %g", numbers[i].name,
				(double)numbers[i].limit, (double)numbers[i].value);
		}
	}
	return result;
}

static tnResult tnAddJet(tnWorld* world, const tnJetDef* def, tnJetId* id)
{
	tnSpray* spray = &world->spray;
	if (!tnSpray_ReserveJets(spray, &world->memory, spray->jetIds.count + 1))
	{
		return tnFail(tn_outOfMemory, "out of memory for a jet");
	}
	const int index = tnIdPool_Take(&spray->jetIds);
	spray->jets[index] = (tnJet){.def = *def};
	*id = (tnJetId){index + 1, tnIdPool_GetGeneration(&spray->jetIds, index)};
	return tnSuccess();
}

tnResult tnWorld_CreateJet(tnWorld* world, const tnJetDef* def, tnJetId* id)
{
	if (id != NULL)
	{
		*id = (tnJetId){0};
	}
	tnResult result = tnCheckSprayLayer(world);
	if (result.status == tn_ok && id == NULL)
	{
		result = tnFail(tn_invalidArgument, "id must not be NULL");
	}
	result = result.status == tn_ok ? tnCheckJet(def) : result;
	result = result.status == tn_ok ? tnAddJet(world, def, id) : result;
	TN_RECORD(world, result, tn_createJetCall, TN_WORDS(*id), TN_WORDS(*def));
	return tnWorld_Report(world, result);
}

static tnResult tnFindJet(const tnWorld* world, tnJetId id, int* index)
{
	tnResult result = tnCheckSprayLayer(world);
	*index = result.status == tn_ok ? tnIdPool_Find(&world->spray.jetIds, id.index1, id.generation) : -1;
	if (result.status == tn_ok && *index < 0)
	{
		result = tnFail(tn_staleId, "jet id is null or stale, got (%d, %u)", (int)id.index1, (unsigned)id.generation);
	}
	return result;
}

tnResult tnWorld_DestroyJet(tnWorld* world, tnJetId id)
{
	int index;
	const tnResult result = tnFindJet(world, id, &index);
	if (result.status == tn_ok)
	{
		tnIdPool_Release(&world->spray.jetIds, index);
	}
	TN_RECORD(world, result, tn_destroyJetCall, TN_WORDS(id));
	return tnWorld_Report(world, result);
}

tnResult tnWorld_SetJet(tnWorld* world, tnJetId id, const tnJetDef* def)
{
	int index;
	tnResult result = tnFindJet(world, id, &index);
	result = result.status == tn_ok ? tnCheckJet(def) : result;
	if (result.status == tn_ok)
	{
		world->spray.jets[index].def = *def;
	}
	TN_RECORD(world, result, tn_setJetCall, TN_WORDS(id), TN_WORDS(*def));
	return tnWorld_Report(world, result);
}

tnSprayView tnWorld_GetSpray(const tnWorld* world)
{
	world = tnWorld_GetShown(world);
	return tnWorld_IsReady(world) ? (tnSprayView){world->spray.particles, world->spray.count} : (tnSprayView){0};
}

tnSprayStats tnWorld_GetSprayStats(const tnWorld* world)
{
	world = tnWorld_GetShown(world);
	if (!tnWorld_IsReady(world))
	{
		return (tnSprayStats){0};
	}
	const tnSpray* spray = &world->spray;
	const double cellArea = (double)world->grid.cellSize * world->grid.cellSize;
	return (tnSprayStats){
		.particleCount = spray->count,
		.bornCount = spray->bornCount,
		.landedCount = spray->landedCount,
		.mergedCount = spray->mergedCount,
		.airborne = tnSpray_GetAirborne(spray) * cellArea,
	};
}
