// SPDX-License-Identifier: MIT

// A world as bytes, section by section. Each room of src writes its own. A new section is a line in s_sections, and a function
// that archives it in one of the four modes of core/archive.h: bytes without it are those of older versions, so it must be
// able to do without.
//
// Bytes are read twice. First they are checked, and nothing is changed; what they need that the world does not have is noted in
// a plan. Then memory is got for that: nothing that the water could notice is changed by it. Then they are applied, and nothing
// can fail any more.

#include "../bodies/body_snapshot.h"
#include "../core/hash.h"
#include "../flow/flow_snapshot.h"
#include "../spray/spray_snapshot.h"
#include "../waves/wave_snapshot.h"
#include "tarn/snapshot.h"
#include "world.h"

#include <float.h>
#include <string.h>

typedef struct tnWorldPlan
{
	tnWorldDef def; // of the bytes, with the hooks of the world
	tnFlow* flow;   // for another method than the world has
	tnFlowPlan flowPlan;
	tnBodiesPlan bodies;
	tnWavesPlan waves;
	tnSprayPlan spray;
	int regionCount, gaugeCount;
	tnObstacle* obstacles; // of bodies that are made anew
} tnWorldPlan;

// ---------------------------------------------------------------------------------------------------------------------
// The def

static void tnArchiveEnum(tnArchive* archive, int* value, int count, const char* name)
{
	tnArchive_Int(archive, value, 0, count - 1, name);
}

// Of layers that are switched off a def may say anything.
static void tnArchiveWavesDef(tnWavesDef* def, tnArchive* archive)
{
	int kernel = (int)def->kernel;
	tnArchive_Bool(archive, &def->enable, "waves.enable");
	tnArchive_Int(archive, &kernel, INT32_MIN, INT32_MAX, "waves.kernel");
	def->kernel = (tnWaveKernel)kernel;
	tnArchive_Int(archive, &def->finerLevels, INT32_MIN, INT32_MAX, "waves.finerLevels");
	tnArchive_Int(archive, &def->levelCount, INT32_MIN, INT32_MAX, "waves.levelCount");
	tnArchive_Int(archive, &def->tileCount, INT32_MIN, INT32_MAX, "waves.tileCount");
	tnArchive_RawFloat(archive, &def->damping);
	tnArchive_RawFloat(archive, &def->viscosity);
	tnArchive_RawFloat(archive, &def->breakingLimit);
	tnArchive_RawFloat(archive, &def->restHeight);
	tnArchive_Bool(archive, &def->enableDrift, "waves.enableDrift");
	tnArchive_Bool(archive, &def->takeFromFlow, "waves.takeFromFlow");
	tnArchive_Bool(archive, &def->enableDetail, "waves.enableDetail");
	tnArchive_RawFloat(archive, &def->timeStep);
	if (archive->version >= 2)
	{
		tnArchive_Bool(archive, &def->enableWindWaves, "waves.enableWindWaves");
	}
	else
	{
		def->enableWindWaves = false;
	}
}

static void tnArchiveSprayDef(tnSprayDef* def, tnArchive* archive)
{
	int capacity = def->capacity;
	tnArchive_Bool(archive, &def->enable, "spray.enable");
	tnArchive_Int(archive, &capacity, INT32_MIN, INT32_MAX, "spray.capacity");
	def->capacity = capacity;
	tnArchive_RawFloat(archive, &def->ledgeHeight);
	tnArchive_RawFloat(archive, &def->breakingSlope);
	tnArchive_RawFloat(archive, &def->drag);
	tnArchive_RawFloat(archive, &def->slamSpeed);
	tnArchive_RawFloat(archive, &def->wind.x);
	tnArchive_RawFloat(archive, &def->wind.z);
}

// Without hooks. The ranges are for tnCheckWorldDef.
static void tnArchiveDef(tnWorldDef* def, tnArchive* archive)
{
	int method = (int)def->method, section = (int)def->section, advection = (int)def->advection;
	tnArchive_Int(archive, &def->columnCount, 4, 65536, "columnCount");
	tnArchive_Int(archive, &def->rowCount, 4, 65536, "rowCount");
	tnArchive_AnyFloat(archive, &def->cellSize, "cellSize");
	tnVec2_Archive(&def->origin, archive, FLT_MAX, "origin");
	tnArchive_AnyFloat(archive, &def->gravity, "gravity");
	tnArchiveEnum(archive, &method, tn_methodCount, "method");
	tnArchiveEnum(archive, &section, tn_pipeSectionCount, "section");
	tnArchive_AnyFloat(archive, &def->fixedSection, "fixedSection");
	tnArchive_AnyFloat(archive, &def->liveliness, "liveliness");
	tnArchiveEnum(archive, &advection, tn_advectionCount, "advection");
	tnArchive_AnyFloat(archive, &def->vorticityConfinement, "vorticityConfinement");
	tnArchive_AnyFloat(archive, &def->friction, "friction");
	tnArchive_AnyFloat(archive, &def->manning, "manning");
	tnArchive_AnyFloat(archive, &def->froudeLimit, "froudeLimit");
	for (int side = 0; side < tn_sideCount; ++side)
	{
		tnEdgeDef_Archive(def->edges + side, archive);
	}
	tnArchive_Int(archive, &def->maxSubSteps, INT32_MIN, INT32_MAX, "maxSubSteps");
	tnArchive_Bool(archive, &def->enableSleep, "enableSleep");
	tnArchive_AnyFloat(archive, &def->sleepSpeed, "sleepSpeed");
	tnArchive_AnyFloat(archive, &def->sleepTime, "sleepTime");
	tnArchive_Int(archive, &def->tracerCount, 0, TN_MAX_TRACERS, "tracerCount");
	tnArchive_Bool(archive, &def->keepDischarge, "keepDischarge");
	tnArchive_Bool(archive, &def->keepPrevious, "keepPrevious");
	tnArchiveWavesDef(&def->waves, archive);
	tnArchiveSprayDef(&def->spray, archive);
	tnArchive_Bool(archive, &def->foam.enable, "foam.enable");
	tnArchive_RawFloat(archive, &def->foam.lifetime);
	tnArchive_RawFloat(archive, &def->foam.strength);
	def->method = (tnMethod)method;
	def->section = (tnPipeSection)section;
	def->advection = (tnAdvection)advection;
}

static void tnExpectInt(tnArchive* archive, int value, int expected, const char* name)
{
	if (value != expected)
	{
		tnArchive_Refuse(archive, "%s must be %d as in the world, got %d", name, expected, value);
	}
}

static void tnExpectFloat(tnArchive* archive, float value, float expected, const char* name)
{
	if (value != expected)
	{
		tnArchive_Refuse(archive, "%s must be %g as in the world, got %g", name, (double)expected, (double)value);
	}
}

// What cannot change after creation must be the same.
static void tnExpectDef(tnArchive* archive, const tnWorldDef* def, const tnWorldDef* own)
{
	tnExpectInt(archive, def->columnCount, own->columnCount, "columnCount");
	tnExpectInt(archive, def->rowCount, own->rowCount, "rowCount");
	tnExpectFloat(archive, def->cellSize, own->cellSize, "cellSize");
	tnExpectFloat(archive, def->origin.x, own->origin.x, "origin.x");
	tnExpectFloat(archive, def->origin.z, own->origin.z, "origin.z");
	tnExpectInt(archive, def->tracerCount, own->tracerCount, "tracerCount");
	tnExpectInt(archive, def->keepDischarge, own->keepDischarge, "keepDischarge");
	tnExpectInt(archive, def->keepPrevious, own->keepPrevious, "keepPrevious");
	tnExpectInt(archive, def->foam.enable, own->foam.enable, "foam.enable");
	tnExpectInt(archive, def->spray.enable, own->spray.enable, "spray.enable");
	tnExpectInt(archive, def->waves.enable, own->waves.enable, "waves.enable");
	if (own->spray.enable)
	{
		tnExpectInt(archive, def->spray.capacity, own->spray.capacity, "spray.capacity");
	}
	if (own->waves.enable)
	{
		tnExpectInt(archive, (int)def->waves.kernel, (int)own->waves.kernel, "waves.kernel");
		tnExpectInt(archive, def->waves.finerLevels, own->waves.finerLevels, "waves.finerLevels");
		tnExpectInt(archive, def->waves.levelCount, own->waves.levelCount, "waves.levelCount");
		tnExpectInt(archive, def->waves.tileCount, own->waves.tileCount, "waves.tileCount");
		tnExpectInt(
			archive, def->waves.breakingLimit > 0.0f, own->waves.breakingLimit > 0.0f, "waves.breakingLimit > 0");
		tnExpectInt(archive, def->waves.enableDrift, own->waves.enableDrift, "waves.enableDrift");
		tnExpectInt(archive, def->waves.takeFromFlow, own->waves.takeFromFlow, "waves.takeFromFlow");
		tnExpectInt(archive, def->waves.enableDetail, own->waves.enableDetail, "waves.enableDetail");
	}
}

static void tnTakeHooks(tnWorldDef* def, const tnWorldDef* hooks)
{
	def->allocator = hooks->allocator;
	def->tasks = hooks->tasks;
	def->errors = hooks->errors;
	def->memoryLimit = hooks->memoryLimit;
	def->simd = hooks->simd;
	def->waves.keptSteps = hooks->waves.keptSteps;
	def->waves.reserve = hooks->waves.reserve;
	def->stamp = hooks->stamp;
}

// ---------------------------------------------------------------------------------------------------------------------
// Sections

// The def, time and ledger. First, because all others depend on it.
static void tnArchiveWorldPart(tnWorld* world, tnArchive* archive, tnWorldPlan* plan)
{
	tnWorldDef def = world->def;
	tnArchiveDef(&def, archive);
	if (tnArchive_Reads(archive) && tnArchive_IsOk(archive))
	{
		const tnResult result = tnCheckWorldDef(&def);
		tnArchive_RefuseResult(archive, "def", &result);
		tnExpectDef(archive, &def, &world->def);
		plan->def = def;
	}
	double time = world->time;
	tnVec2 acceleration = world->acceleration;
	tnLedger ledger = world->ledger;
	tnStats stats = world->stats;
	tnArchive_Double(archive, &time, 0.0, 1.0e15, "time");
	tnArchive_I64(archive, &stats.stepCount, 0, INT64_MAX / 4, "stepCount");
	tnVec2_Archive(&acceleration, archive, 1000.0f, "acceleration");
	tnArchive_Int(archive, &stats.subSteps, 0, 1000000, "subSteps");
	tnArchive_Int(archive, &stats.subStepsWanted, 0, 1000000, "subStepsWanted");
	tnArchive_Float(archive, &stats.waveSlowdown, 0.0f, 1.0f, "waveSlowdown");
	double* entries[] = {&ledger.sources, &ledger.drains, &ledger.wells, &ledger.rain, &ledger.evaporation,
		&ledger.infiltration, ledger.edges, ledger.edges + 1, ledger.edges + 2, ledger.edges + 3, &ledger.edits};
	for (int i = 0; i < (int)(sizeof(entries) / sizeof(entries[0])); ++i)
	{
		tnArchive_AnyDouble(archive, entries[i], "ledger");
	}
	if (tnArchive_Applies(archive))
	{
		if (plan->flow != NULL)
		{
			tnDestroyFlow(world->flow, &world->memory);
			world->flow = plan->flow;
			plan->flow = NULL;
		}
		world->grid.method = def.method;
		tnWorld_PutDef(world, &def);
		world->time = time;
		world->acceleration = acceleration;
		world->ledger = ledger;
		world->stats = stats;
	}
	tnPace_Archive(&world->pace, archive);
}

static void tnArchiveFlowPart(tnWorld* world, tnArchive* archive, tnWorldPlan* plan)
{
	tnEdges_Archive(&world->edges, archive, &world->memory, &plan->flowPlan);
	if (tnArchive_Applies(archive))
	{
		world->tiles.wrapX = world->edges.sides[tn_west].def.kind == tn_wrapEdge;
		world->tiles.wrapZ = world->edges.sides[tn_north].def.kind == tn_wrapEdge;
		world->grid.wrapX = world->tiles.wrapX;
		world->grid.wrapZ = world->tiles.wrapZ;
	}
	tnGrid_Archive(&world->grid, archive, &plan->flowPlan);
	tnTiles_Archive(&world->tiles, archive);
	tnWeather_Archive(&world->weather, archive, &world->memory, &world->grid, &plan->flowPlan);
	tnSources_Archive(&world->sources, archive, &world->grid, &plan->flowPlan);
	if (tnArchive_Applies(archive))
	{
		tnEdges_PrepareBed(&world->edges, &world->grid);
		tnFoam_SetEdges(&world->grid);
	}
}

static void tnArchiveLookPart(tnWorld* world, tnArchive* archive, tnWorldPlan* plan)
{
	plan->regionCount = tnRegions_Archive(&world->regions, archive, &world->grid);
	plan->gaugeCount = tnGauges_Archive(&world->gauges, archive, &world->grid);
}

static void tnArchiveBodyPart(tnWorld* world, tnArchive* archive, tnWorldPlan* plan)
{
	plan->bodies.wrapX = plan->flowPlan.wrapX;
	plan->bodies.wrapZ = plan->flowPlan.wrapZ;
	plan->bodies.missingCount = plan->bodies.makes || tnArchive_Applies(archive) ? plan->bodies.missingCount : 0;
	tnBodies_Archive(
		&world->bodies, archive, &world->bodyFlow, &world->grid, &world->memory, world->workerCount, &plan->bodies);
	if (tnArchive_Applies(archive) && world->spray.def.enable)
	{
		tnSprayBodies* obstacles = &world->spray.bodies;
		for (int i = 0; i < obstacles->capacity; ++i)
		{
			if (!tnIdPool_IsUsed(&world->bodies.ids, i))
			{
				tnSprayBodies_Remove(obstacles, &world->memory, i);
			}
		}
		for (int i = 0; i < plan->bodies.madeCount; ++i)
		{
			const int index = plan->bodies.made[i].index;
			tnSprayBodies_Remove(obstacles, &world->memory, index);
			obstacles->items[index] = plan->obstacles[i];
			plan->obstacles[i] = (tnObstacle){0};
		}
		for (int i = 0; i < world->bodies.count; ++i)
		{
			const int index = world->bodies.list[i];
			tnObstacle_SetMass(obstacles->items + index, tnBodies_Get(&world->bodies, index));
		}
	}
}

static void tnArchiveDeckPart(tnWorld* world, tnArchive* archive, tnWorldPlan* plan)
{
	tnDecks_Archive(&world->decks, archive, &world->grid, &plan->bodies);
}

static void tnArchiveWavePart(tnWorld* world, tnArchive* archive, tnWorldPlan* plan)
{
	if (!world->waves.enabled)
	{
		return;
	}
	if (tnArchive_Applies(archive))
	{
		tnEdgeKind kinds[tn_sideCount];
		for (int side = 0; side < tn_sideCount; ++side)
		{
			kinds[side] = world->edges.sides[side].def.kind;
		}
		tnWaves_PutEdges(&world->waves, &world->grid, kinds);
	}
	tnWaves_Archive(&world->waves, archive, world->parallel, &plan->waves);
}

static void tnArchiveSprayPart(tnWorld* world, tnArchive* archive, tnWorldPlan* plan)
{
	if (world->spray.def.enable)
	{
		tnSpray_Archive(&world->spray, archive, &world->bodies, &plan->spray);
	}
}

static void tnArchiveFoamPart(tnWorld* world, tnArchive* archive, tnWorldPlan* plan)
{
	(void)plan;
	if (world->foam.def.enable)
	{
		tnFoam_Archive(&world->foam, archive, &world->grid);
	}
}

typedef void tnSectionFcn(tnWorld* world, tnArchive* archive, tnWorldPlan* plan);

// In the order of the bytes. Whoever changes what a section holds raises its version, and reads the older ones:
// archive->version says which it is.
static const struct
{
	char name[TN_SECTION_NAME + 1];
	uint32_t version;
	tnSectionFcn* fcn;
} s_sections[] = {
	{"wrld", 2, tnArchiveWorldPart},
	{"flow", 2, tnArchiveFlowPart},
	{"look", 1, tnArchiveLookPart},
	{"body", 2, tnArchiveBodyPart},
	{"deck", 1, tnArchiveDeckPart},
	{"wave", 3, tnArchiveWavePart},
	{"spry", 1, tnArchiveSprayPart},
	{"foam", 1, tnArchiveFoamPart},
};

static void tnArchiveWorld(tnWorld* world, tnArchive* archive, tnWorldPlan* plan)
{
	tnArchive_Begin(archive, tn_worldSnapshot);
	for (int i = 0; i < (int)(sizeof(s_sections) / sizeof(s_sections[0])) && tnArchive_IsOk(archive); ++i)
	{
		tnArchive_BeginSection(archive, s_sections[i].name, s_sections[i].version);
		if (tnArchive_IsOk(archive))
		{
			s_sections[i].fcn(world, archive, plan);
		}
		tnArchive_EndSection(archive);
	}
	tnArchive_End(archive, tn_worldSnapshot);
}

// ---------------------------------------------------------------------------------------------------------------------
// Calls

static tnArchive tnMakeReader(const void* bytes, size_t size, bool apply, tnFieldFcn* fcn, void* context)
{
	tnArchive archive = tnMakeArchiveReader(bytes, size, apply);
	archive.fieldFcn = fcn;
	archive.fieldContext = context;
	return archive;
}

tnResult tnWorld_SaveWith(
	const tnWorld* world, void* bytes, size_t capacity, size_t* size, tnFieldFcn* fcn, void* context)
{
	tnWorldPlan plan = {0};
	tnArchive archive = tnMakeArchiveWriter(bytes, capacity);
	archive.fieldFcn = fcn;
	archive.fieldContext = context;
	// Nothing is changed by what writes.
	tnArchiveWorld((tnWorld*)world, &archive, &plan);
	*size = archive.at;
	return archive.result;
}

tnResult tnWorld_CheckWith(tnWorld* world, const void* bytes, size_t size, tnFieldFcn* fcn, void* context)
{
	tnWorldPlan plan = {.def = world->def};
	tnArchive check = tnMakeReader(bytes, size, false, fcn, context);
	tnArchiveWorld(world, &check, &plan);
	return check.result;
}

tnResult tnWorld_Save(const tnWorld* world, void* bytes, size_t capacity, size_t* size)
{
	world = tnWorld_GetShown(world);
	if (size != NULL)
	{
		*size = 0;
	}
	tnResult result = tnWorld_CheckReady(world);
	if (result.status == tn_ok && size == NULL)
	{
		result = tnFail(tn_invalidArgument, "size must not be NULL");
	}
	if (result.status == tn_ok && bytes == NULL && capacity > 0)
	{
		result = tnFail(tn_invalidArgument, "bytes must not be NULL when capacity is %zu", capacity);
	}
	if (result.status == tn_ok)
	{
		result = tnWorld_SaveWith(world, bytes, capacity, size, NULL, NULL);
	}
	return tnWorld_Report(world, result);
}

// Get what the bytes need. False if memory ran out.
// @param check that has found out what that is
static bool tnPrepare(tnWorld* world, tnWorldPlan* plan, const tnArchive* check, tnResult* result)
{
	tnMemory* memory = &world->memory;
	const int workerCount = world->workerCount;
	bool ok = true;
	if (plan->def.method != world->def.method || plan->def.advection != world->def.advection)
	{
		ok = (plan->flow = tnCreateFlow(memory, &world->grid, &plan->def, workerCount)) != NULL;
	}
	if (ok && plan->def.vorticityConfinement > 0.0f)
	{
		ok = tnVorticity_Prepare(&world->vorticity, memory, &world->grid, workerCount);
	}
	ok = ok &&
		tnFlowPlan_Prepare(&plan->flowPlan, memory, &world->grid, &world->edges, &world->weather, &world->sources);
	ok = ok && tnRegions_ReserveMany(&world->regions, memory, plan->regionCount);
	ok = ok && tnGauges_ReserveMany(&world->gauges, memory, plan->gaugeCount);
	ok = ok && tnWavesPlan_Prepare(&plan->waves, &world->waves, memory, &world->grid);
	ok = ok && tnSprayPlan_Prepare(&plan->spray, &world->spray, memory);
	ok = ok && tnBodiesPlan_Alloc(&plan->bodies, memory);
	if (ok && plan->bodies.missingCount > 0)
	{
		// Once more, to make the bodies that are missing.
		tnArchive archive = tnMakeReader(check->in, check->size, false, check->fieldFcn, check->fieldContext);
		plan->bodies.makes = true;
		plan->bodies.hasWaves = world->waves.enabled;
		tnArchiveWorld(world, &archive, plan);
		plan->bodies.makes = false;
		*result = archive.result;
		if (result->status != tn_ok)
		{
			return false;
		}
	}
	ok = ok && tnBodiesPlan_Prepare(&plan->bodies, &world->bodies, &world->bodyFlow, memory, &world->grid, workerCount);
	ok = ok && tnDecks_Reserve(&world->decks, memory, &world->grid, tnBodiesPlan_GetDeckColumns(&plan->bodies));
	if (ok && world->spray.def.enable && plan->bodies.needs.bodies > 0)
	{
		ok = tnSprayBodies_Reserve(&world->spray.bodies, memory, &world->grid, &world->bodies, workerCount);
		if (ok && plan->bodies.madeCount > 0)
		{
			const size_t obstacleBytes = (size_t)plan->bodies.madeCount * sizeof(tnObstacle);
			ok = (plan->obstacles = tnMemory_Alloc(memory, obstacleBytes)) != NULL;
		}
		for (int i = 0; i < plan->bodies.madeCount && ok; ++i)
		{
			ok = tnObstacle_Make(plan->obstacles + i, memory, &plan->bodies.made[i].body);
		}
	}
	return ok;
}

static void tnFreePlan(tnWorld* world, tnWorldPlan* plan)
{
	tnMemory* memory = &world->memory;
	for (int i = 0; i < plan->bodies.madeCount && plan->obstacles != NULL; ++i)
	{
		tnMeshTree_Destroy(&plan->obstacles[i].tree, memory);
	}
	tnMemory_Free(memory, plan->obstacles, (size_t)plan->bodies.madeCount * sizeof(tnObstacle));
	tnDestroyFlow(plan->flow, memory);
	tnFlowPlan_Free(&plan->flowPlan, memory, &world->grid);
	tnBodiesPlan_Free(&plan->bodies, memory);
}

tnResult tnWorld_RestoreWith(tnWorld* world, const void* bytes, size_t size, tnFieldFcn* fcn, void* context)
{
	tnWorldPlan plan = {.def = world->def};
	tnArchive check = tnMakeReader(bytes, size, false, fcn, context);
	tnArchiveWorld(world, &check, &plan);
	tnResult result = check.result;
	if (result.status != tn_ok)
	{
		return result;
	}
	if (tnPrepare(world, &plan, &check, &result))
	{
		tnArchive apply = tnMakeReader(bytes, size, true, fcn, context);
		tnArchiveWorld(world, &apply, &plan);
		TN_ASSERT(apply.result.status == tn_ok);
	}
	else if (result.status == tn_ok)
	{
		char text[TN_MEMORY_TEXT];
		tnMemory_Explain(&world->memory, 0, text);
		result = tnFail(tn_outOfMemory, "out of memory to restore a snapshot: %s", text);
	}
	tnFreePlan(world, &plan);
	return result;
}

tnResult tnWorld_Restore(tnWorld* world, const void* bytes, size_t size)
{
	tnResult result = tnWorld_CheckReady(world);
	if (result.status == tn_ok)
	{
		result = tnWorld_RestoreWith(world, bytes, size, NULL, NULL);
	}
	if (result.status == tn_ok && !tnWorld_RecordSnapshot(world))
	{
		result = tnFail(tn_outOfMemory, "the world is restored, but no memory to record that: the recording has ended");
	}
	return tnWorld_Report(world, result);
}

tnResult tnReadSnapshotInfo(const void* bytes, size_t size, tnSnapshotInfo* info)
{
	if (info == NULL)
	{
		return tnFail(tn_invalidArgument, "info must not be NULL");
	}
	*info = (tnSnapshotInfo){0};
	tnArchive archive = tnMakeArchiveReader(bytes, size, false);
	tnArchive_Begin(&archive, tn_worldSnapshot);
	if (tnArchive_IsOk(&archive))
	{
		tnArchive_BeginSection(&archive, s_sections[0].name, s_sections[0].version);
	}
	tnWorldDef def = tnDefaultWorldDef();
	tnArchiveDef(&def, &archive);
	double time = 0.0;
	int64_t stepCount = 0;
	tnArchive_Double(&archive, &time, 0.0, 1.0e15, "time");
	tnArchive_I64(&archive, &stepCount, 0, INT64_MAX / 4, "stepCount");
	if (tnArchive_IsOk(&archive))
	{
		const tnResult result = tnCheckWorldDef(&def);
		tnArchive_RefuseResult(&archive, "def", &result);
	}
	if (tnArchive_IsOk(&archive))
	{
		*info = (tnSnapshotInfo){TN_SNAPSHOT_VERSION, def, time, stepCount};
	}
	return archive.result;
}

tnResult tnCreateWorldFrom(const void* bytes, size_t size, const tnWorldDef* hooks, tnWorld** world)
{
	const tnWorldDef own = hooks != NULL ? *hooks : tnDefaultWorldDef();
	tnResult result = tnSuccess();
	if (world == NULL)
	{
		result = tnFail(tn_invalidArgument, "world must not be NULL");
	}
	else if (own.stamp != TN_DEF_STAMP)
	{
		*world = NULL;
		return tnFail(
			tn_invalidArgument, "hooks.stamp is wrong: start from tnDefaultWorldDef(), got 0x%x", (unsigned)own.stamp);
	}
	tnSnapshotInfo info;
	if (result.status == tn_ok)
	{
		*world = NULL;
		result = tnReadSnapshotInfo(bytes, size, &info);
	}
	tnWorld* made = NULL;
	if (result.status == tn_ok)
	{
		tnTakeHooks(&info.def, &own);
		// It tells its own failures.
		result = tnCreateWorld(&info.def, &made);
		if (result.status != tn_ok)
		{
			return result;
		}
		result = tnWorld_RestoreWith(made, bytes, size, NULL, NULL);
	}
	if (result.status != tn_ok)
	{
		if (own.errors.fcn != NULL)
		{
			own.errors.fcn(&result, own.errors.context);
		}
		tnDestroyWorld(made);
		return result;
	}
	*world = made;
	return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Hashes of tiles

uint64_t tnWorld_GetTileHash(const tnWorld* world, int column, int row)
{
	world = tnWorld_GetShown(world);
	if (!tnWorld_IsReady(world) || column < 0 || column >= world->grid.tileColumnCount || row < 0 ||
		row >= world->grid.tileRowCount)
	{
		return 0;
	}
	const tnGrid* grid = &world->grid;
	const tnCellBox box = tnGetTileCells(grid, row * grid->tileColumnCount + column);
	const size_t bytes = (size_t)(box.columnEnd - box.columnBegin) * sizeof(float);
	uint64_t hash = TN_HASH_SEED;
	for (int r = box.rowBegin; r < box.rowEnd; ++r)
	{
		const ptrdiff_t at = tnGrid_Index(grid, box.columnBegin, r);
		hash = tnHashBytes(hash, grid->bed + at, bytes);
		hash = tnHashBytes(hash, grid->depth + at, bytes);
		// With the faces of the east and south edges, which belong to no other tile.
		hash = tnHashBytes(hash, grid->flowX + at, bytes + (box.columnEnd == grid->columnCount ? sizeof(float) : 0));
		hash = tnHashBytes(hash, grid->flowZ + at, bytes);
		hash = grid->foam != NULL ? tnHashBytes(hash, grid->foam + at, bytes) : hash;
		for (int i = 0; i < grid->tracerCount; ++i)
		{
			hash = tnHashBytes(hash, grid->tracers[i] + at, bytes);
		}
	}
	if (box.rowEnd == grid->rowCount && !grid->wrapZ)
	{
		hash = tnHashBytes(hash, grid->flowZ + tnGrid_Index(grid, box.columnBegin, grid->rowCount), bytes);
	}
	return hash;
}
