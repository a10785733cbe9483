// SPDX-License-Identifier: MIT

// The life of a world and the order of a step:
//
//   sources, rain, hollows ─→ edges of this time ─→ bodies cut ─→ who is awake ─→ some sub-steps of
//   heads at bodies, flow, tracers ─→ forces on bodies ─→ decks ─→ waves, spray, foam ─→ regions, gauges
//
// What sources, rain and edges bring and take is booked in the ledger; what bodies hold in their hollows is a part of it.

#include "world.h"

#include "../bodies/body_exchange.h"
#include "../bodies/body_step.h"
#include "../core/hash.h"
#include "../flow/flow_curl.h"
#include "../flow/flow_smoothing.h"
#include "../flow/tracers.h"
#include "../waves/wave_forces.h"
#include "../waves/wave_handover.h"
#include "../waves/wave_wakes.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum
{
	// Most sub-steps of one transport: more would save little.
	TN_MAX_TRANSPORT_WAIT = 4,
};

// Longest sub-step, seconds: where there is no water there is no limit either.
#define TN_MAX_TIME_STEP 10.0

tnResult tnWorld_Report(const tnWorld* world, tnResult result)
{
	if (result.status != tn_ok && world != NULL && world->errors.fcn != NULL)
	{
		world->errors.fcn(&result, world->errors.context);
	}
	return result;
}

tnResult tnWorld_CheckReady(const tnWorld* world)
{
	if (world == NULL)
	{
		return tnFail(tn_invalidArgument, "world must not be NULL");
	}
	if (tnWorld_IsStepRunning(world))
	{
		// Before anything that the step writes is looked at.
		return tnFail(tn_notAvailable, "world is stepping in the background: call tnWorld_EndStep first");
	}
	if (world->locked)
	{
		return tnFail(tn_notAvailable, "world is stepping: call this before or after tnWorld_Step");
	}
	if (tnParallel_IsRunning(world->parallel))
	{
		return tnFail(tn_notAvailable, "world is busy: tasks must not call the world that they work for");
	}
	return tnSuccess();
}

bool tnWorld_IsReady(const tnWorld* world)
{
	return world != NULL && !tnWorld_IsStepRunning(world) && !world->locked && !tnParallel_IsRunning(world->parallel);
}

static tnResult tnReportCreate(const tnWorldDef* def, tnResult result)
{
	if (result.status != tn_ok && def != NULL && def->stamp == TN_DEF_STAMP && def->errors.fcn != NULL)
	{
		def->errors.fcn(&result, def->errors.context);
	}
	return result;
}

static double tnGetStableTimeStep(const tnWorld* world)
{
	// The fastest wave: sqrt(g section).
	const tnWorldDef* def = &world->def;
	double section = world->grid.maxDepth;
	if (def->method == tn_pipeMethod)
	{
		section = (def->section == tn_fixedSection ? def->fixedSection : section) * def->liveliness;
	}
	double signal = sqrt(2.0 * def->gravity * (section > 1.0e-9 ? section : 1.0e-9));
	if (def->method == tn_shallowMethod)
	{
		// Where water carries its momentum along, the flow adds to the wave.
		const double edited = signal + 2.0 * world->grid.editSpeed;
		signal = world->grid.maxSignal > edited ? world->grid.maxSignal : edited;
	}
	double limit = tnPace_GetCourant(&world->pace) * def->cellSize / signal;
	return limit < TN_MAX_TIME_STEP ? limit : TN_MAX_TIME_STEP;
}

static bool tnCreateParts(tnWorld* world)
{
	const tnWorldDef* def = &world->def;
	bool ok = (world->parallel = tnCreateParallel(&world->memory, &def->tasks)) != NULL;
	world->workerCount = ok ? tnParallel_GetWorkerCount(world->parallel) : 0;
	world->askedWorkerCount = def->tasks.workerCount;
	ok = ok && tnGrid_Create(&world->grid, &world->memory, def);
	ok = ok && tnTiles_Create(&world->tiles, &world->memory, &world->grid, def);
	ok = ok && tnWeather_Create(&world->weather, &world->memory, &world->grid);
	if (ok)
	{
		world->flow = tnCreateFlow(&world->memory, &world->grid, def, world->workerCount);
	}
	ok = ok && world->flow != NULL;
	ok = ok && tnSpray_Create(&world->spray, &world->memory, &world->grid, &def->spray);
	ok = ok && tnFoam_Create(&world->foam, &world->memory, &world->grid, &def->foam);
	ok = ok && tnWaves_Create(&world->waves, &world->memory, &world->grid, def, world->workerCount);
	if (ok && def->vorticityConfinement > 0.0f)
	{
		ok = tnVorticity_Prepare(&world->vorticity, &world->memory, &world->grid, world->workerCount);
	}
	return ok;
}

tnResult tnCreateWorld(const tnWorldDef* def, tnWorld** world)
{
	if (world == NULL)
	{
		return tnReportCreate(def, tnFail(tn_invalidArgument, "world must not be NULL"));
	}
	*world = NULL;
	tnResult result = tnCheckWorldDef(def);
	if (result.status != tn_ok)
	{
		return tnReportCreate(def, result);
	}

	tnMemory memory;
	tnMemory_Init(&memory, &def->allocator, def->memoryLimit);
	tnWorld* made = tnMemory_Alloc(&memory, sizeof(tnWorld));
	if (made != NULL)
	{
		made->memory = memory;
		made->def = *def;
		made->errors = def->errors;
		if (!tnCreateParts(made))
		{
			memory = made->memory;
			tnDestroyWorld(made);
			made = NULL;
		}
	}
	if (made == NULL)
	{
		char text[TN_MEMORY_TEXT];
		tnMemory_Explain(&memory, tnGrid_GetByteCount(def), text);
		return tnReportCreate(def,
			tnFail(tn_outOfMemory, "columnCount * rowCount: out of memory for %d * %d cells: %s", def->columnCount,
				def->rowCount, text));
	}

	tnEdges_Init(&made->edges, def);
	tnWorld_ApplyEdges(made);
	made->stats.simd = def->simd == tn_simdAuto ? tnGetBestSimd() : def->simd;
	made->stats.waveSlowdown = 1.0f;
	made->decks.gravity = def->gravity;
	made->decks.friction = def->friction;
	made->decks.manning = def->manning;
	*world = made;
	return result;
}

void tnDestroyWorld(tnWorld* world)
{
	if (tnWorld_IsStepRunning(world) && tnWorld_EndStep(world).status != tn_ok)
	{
		return;
	}
	if (world == NULL || tnWorld_Report(world, tnWorld_CheckReady(world)).status != tn_ok)
	{
		return;
	}
	tnMemory* memory = &world->memory;
	tnWorld_EndBackground(world);
	tnDestroyParallel(world->parallel, memory);
	tnDestroyFlow(world->flow, memory);
	tnVorticity_Destroy(&world->vorticity, memory, &world->grid);
	tnWeather_Destroy(&world->weather, memory, &world->grid);
	tnTiles_Destroy(&world->tiles, memory);
	tnDecks_Destroy(&world->decks, memory);
	tnBodyFlow_Destroy(&world->bodyFlow, memory);
	tnGrid_Destroy(&world->grid, memory);
	tnEdges_Destroy(&world->edges, memory);
	tnSources_Destroy(&world->sources, memory);
	tnRegions_Destroy(&world->regions, memory);
	tnGauges_Destroy(&world->gauges, memory);
	tnBodies_Destroy(&world->bodies, memory);
	tnRecorder_Stop(&world->recorder, memory);
	tnWaves_Destroy(&world->waves, memory);
	tnSpray_Destroy(&world->spray, memory);
	tnSounds_Destroy(&world->sounds, memory);
	tnFoam_Destroy(&world->foam, memory);
	// The world lives in its own memory: take the hooks out before the last block goes.
	tnMemory last = world->memory;
	tnMemory_Free(&last, world, sizeof(tnWorld));
	TN_ASSERT(last.byteCount == 0);
}

tnWorldDef tnWorld_GetDef(const tnWorld* world)
{
	world = tnWorld_GetShown(world);
	if (world == NULL)
	{
		return (tnWorldDef){0};
	}
	tnWorldDef def = world->def;
	for (int side = 0; side < tn_sideCount; ++side)
	{
		def.edges[side] = world->edges.sides[side].def;
	}
	return def;
}

double tnWorld_GetTime(const tnWorld* world)
{
	world = tnWorld_GetShown(world);
	return world == NULL ? 0.0 : world->time;
}

// ---------------------------------------------------------------------------------------------------------------------
// The step

static double tnGetLiveliness(const tnWorldDef* def)
{
	return def->method == tn_pipeMethod ? def->liveliness : 1.0;
}

// The section whose waves a sub-step can follow if they may go `courant` of the way that is stable, m.
static double tnGetSectionLimit(const tnWorldDef* def, double subStep, double courant)
{
	const double speed = courant * def->cellSize / subStep;
	return speed * speed / (2.0 * def->gravity * tnGetLiveliness(def));
}

// @param kick seconds for which the surface pushes the water
// @param timeStep seconds for which the water moves: a sub-step
// @param capped sub-steps are longer than the water would like
static tnFlowParameters tnMakeParameters(const tnWorld* world, double kick, double timeStep, bool capped)
{
	const tnWorldDef* def = &world->def;
	const double liveliness = tnGetLiveliness(def);
	// Hosts whose time step varies do not make sections breathe.
	const double longest = world->pace.longest;
	const double courant = tnPace_GetCourant(&world->pace);
	const double sectionLimit = tnGetSectionLimit(def, longest, courant);

	tnFlowParameters parameters = {0};
	parameters.accelerationFactor = (float)(liveliness * def->gravity * kick / def->cellSize);
	parameters.pushX = (float)(liveliness * world->acceleration.x * kick);
	parameters.pushZ = (float)(liveliness * world->acceleration.z * kick);
	parameters.damping = (float)(1.0 / (1.0 + def->friction * kick));
	parameters.manningFactor = (float)((double)def->gravity * def->manning * def->manning * kick);
	parameters.froudeFactor = (float)(def->froudeLimit * sqrt(def->gravity));
	parameters.sectionLimit = (float)sectionLimit;
	parameters.fixedSection = tnMinFloat(def->fixedSection, (float)sectionLimit);
	// Not 0 in the shortest of time steps: that would mean that no water moves at all, which is something else.
	parameters.spread = tnMaxFloat((float)(timeStep / def->cellSize), FLT_MIN);
	parameters.twoGravity = 2.0f * def->gravity;
	// A cell that loses all its water keeps what rounding makes of it, some 1e-7 of what was there.
	parameters.leastBoxDepth = tnMaxFloat(2.0e-6f, world->grid.maxDepth * (1.0f / 524288.0f));
	parameters.signalLimit = capped ? (float)(courant * def->cellSize / longest) : 0.0f;
	return parameters;
}

static void tnBringAndTake(tnWorld* world, double timeStep)
{
	tnLedger* ledger = &world->ledger;
	const double cellArea = (double)world->grid.cellSize * world->grid.cellSize;
	tnDecks_Watch(&world->decks, &world->grid);

	const tnSourceVolumes volumes = tnSources_Apply(&world->sources, &world->grid, &world->tiles, timeStep);
	ledger->sources += volumes.sources;
	ledger->drains += volumes.drains;
	ledger->wells += volumes.wells;

	double moved[tn_weatherKindCount];
	tnWeather_Apply(&world->weather, &world->grid, &world->tiles, world->parallel, timeStep, moved);
	ledger->rain += moved[tn_rain] * cellArea;
	ledger->evaporation += moved[tn_evaporation] * cellArea;
	ledger->infiltration += moved[tn_infiltration] * cellArea;
	tnDecks_Catch(&world->decks, &world->grid, &world->sources);
	tnBodies_Exchange(&world->bodies, &world->grid, &world->tiles, world->def.gravity, (float)timeStep);
}

// Sub-steps after which shallow water must carry its momentum along: the fastest may go half a cell till then.
// Waves need short steps, slow water does not. Where nothing moves yet, what begins to move must not wait.
static int tnGetTransportWait(const tnGrid* grid, float spread)
{
	const float flow = tnMaxFloat(grid->maxFlow, grid->editSpeed);
	const float share = flow * spread;
	return share > 0.0f && share <= 0.25f ? (int)tnMinFloat(0.5f / share, (float)TN_MAX_TRANSPORT_WAIT) : 1;
}

// Are there bodies, or was there one a moment ago?
static bool tnHasBodies(const tnWorld* world)
{
	const tnBodyFlow* flow = &world->bodyFlow;
	return world->bodies.count > 0 || flow->groupCount > 0 || flow->liftedCount[0] > 0 || flow->liftedCount[1] > 0;
}

// Is a body in the water that gives way? What it feels of waves it does not always take from them, so waves of its own that were handed
// over and came back to it would push it again and again: wave_handover.c.
static bool tnHasFreeBodies(const tnWorld* world)
{
	const tnBodies* bodies = &world->bodies;
	for (int i = 0; i < bodies->count; ++i)
	{
		const tnBody* body = tnBodies_Get(bodies, bodies->list[i]);
		if (body->wet && tnIsFinite(body->def.mass))
		{
			return true;
		}
	}
	return false;
}

// Rain over the whole world, m/s.
static float tnGetMeanRain(const tnWorld* world)
{
	const tnWeather* weather = &world->weather;
	const double cells = (double)world->grid.columnCount * world->grid.rowCount;
	return weather->rates[tn_rain] *
		(weather->maps[tn_rain] != NULL ? (float)(weather->mapSums[tn_rain] / cells) : 1.0f);
}

// Sub-steps or caps that change must not lift waves: sub_step_pace.c. By how much the surface has to be softened.
static double tnFindSoftening(tnWorld* world)
{
	const tnWorldDef* def = &world->def;
	tnPace* pace = &world->pace;
	const float sectionLimit = (float)tnGetSectionLimit(def, pace->longest, tnPace_GetCourant(pace));
	const float limitBefore = pace->section > 0.0f ? pace->section : sectionLimit;
	pace->section = sectionLimit;
	pace->sectionBefore = limitBefore;
	// Shallow water loses more than a rare change brings, and where it comes faster, in a dam break, the surface is no wave.
	const bool rare = def->method == tn_shallowMethod && pace->wildSteps == 0;
	if (rare || (pace->before == pace->subStep && limitBefore == sectionLimit))
	{
		return 0.0;
	}
	const bool fixed = def->method == tn_pipeMethod && def->section == tn_fixedSection;
	const float deepest = fixed ? def->fixedSection : world->grid.maxDepth;
	const double section = tnMinFloat(deepest, limitBefore);
	const double shorter = pace->subStep / pace->before;
	const double lower = section > 0.0 ? tnMinFloat(deepest, sectionLimit) / section : 1.0;
	// Where nothing is capped the ratio is that of the sub-steps alone.
	return tnPace_GetSoftening(
		section / tnGetSectionLimit(def, pace->before, 1.0), shorter * shorter * (lower < 1.0 ? lower : 1.0));
}

static void tnSoften(tnWorld* world, double softening, bool bodies)
{
	const tnWorldDef* def = &world->def;
	tnPace* pace = &world->pace;
	tnGrid* grid = &world->grid;
	tnFlow_Recap(world->flow, grid, &world->tiles, world->parallel, pace->sectionBefore, pace->section);
	if (!(softening > 0.0))
	{
		return;
	}
	if (!bodies && pace->kick != pace->subStep)
	{
		// Halfway through the kick. Heads at bodies are for whole sub-steps.
		tnFlowParameters half = tnMakeParameters(world, pace->kick - 0.5 * pace->subStep, pace->before, false);
		half.sectionLimit = pace->sectionBefore;
		half.signalLimit = pace->cappedBefore ? sqrtf(half.twoGravity * pace->sectionBefore) : 0.0f;
		half.spread = 0.0f;
		tnFlow_Run(world->flow, grid, &world->tiles, &world->edges, NULL, world->parallel, &half, 0.0f, 1, INT_MAX,
			false, false);
		pace->kick = 0.5 * pace->subStep;
	}
	const double pushed = 0.5 * pace->before / def->cellSize;
	const double factor = softening * pushed * pushed * def->gravity * tnGetLiveliness(def);
	tnFlow_Soften(world->flow, grid, &world->tiles, &world->edges, world->parallel, (float)factor, pace->sectionBefore);
	tnEdges_SetGhosts(&world->edges, grid);
}

// Take the sub-steps of one step, in trips.
static void tnMoveWater(tnWorld* world, double timeStep, int subStepCount)
{
	tnGrid* grid = &world->grid;
	const double cellArea = (double)grid->cellSize * grid->cellSize;
	const bool capped = world->stats.waveSlowdown < 1.0f;
	const double subStep = world->pace.subStep;
	const tnFlowParameters parameters = tnMakeParameters(world, subStep, subStep, capped);
	const bool changed = world->pace.kick != subStep;
	const tnFlowParameters change = tnMakeParameters(world, world->pace.kick, subStep, capped);
	const float courant =
		(float)sqrt((double)world->def.gravity * tnMinFloat(grid->maxDepth, parameters.sectionLimit)) *
		parameters.spread;
	// Tracers need the discharge of every sub-step, and bodies have a say in it.
	const bool bodies = tnHasBodies(world);
	const int tripLimit = grid->tracerCount > 0 || bodies ? 1 : tnFlow_GetTripLimit(world->flow);

	const int wait = tnGetTransportWait(grid, parameters.spread);

	for (int done = 0; done < subStepCount && world->tiles.awakeCount > 0;)
	{
		// The first sub-step of another length is kicked for half of the one before: sub_step_pace.c.
		const bool first = changed && done == 0;
		const int count = first ? 1 : tnMinInt(tripLimit, subStepCount - done);
		const bool last = done + count == subStepCount;
		const tnFlowParameters* now = first ? &change : &parameters;
		tnOverrideSource overrides;
		if (bodies)
		{
			overrides = tnBodyFlow_Solve(&world->bodyFlow, grid, &world->tiles, &world->bodies, world->parallel, now);
		}
		const tnTripResult trip =
			tnFlow_Run(world->flow, grid, &world->tiles, &world->edges, bodies ? &overrides : NULL, world->parallel,
				now, courant, count, wait, done == 0 && grid->previousDepth != NULL, last);
		if (grid->tracerCount > 0)
		{
			tnTracers_Advance(grid, &world->tiles, &world->edges, world->parallel, parameters.spread,
				world->def.method == tn_shallowMethod && world->def.advection == tn_fineAdvection);
		}
		done += count;
		grid->maxDepth = tnMaxFloat(trip.maxDepth, world->tiles.sleepingMaxDepth);
		grid->maxDepthIsBound = false;
		if (last)
		{
			grid->maxSignal = trip.maxSignal;
			grid->maxFlow = trip.maxFlow;
			grid->editSpeed = 0.0f;
		}
		for (int side = 0; side < tn_sideCount; ++side)
		{
			world->ledger.edges[side] += trip.edgeDepths[side] * cellArea;
		}
		if (bodies)
		{
			tnBodyFlow_KeepAwake(&world->bodyFlow, grid, &world->bodies, &world->tiles);
		}
		tnTiles_MarkStale(&world->tiles);
		tnTiles_Scan(&world->tiles, grid, tnFlow_GetKernels(world->flow), world->parallel, done == subStepCount,
			world->stats.stepCount, (float)timeStep);
		if (done < subStepCount)
		{
			tnTiles_Refresh(&world->tiles, grid);
		}
	}
}

// What pipes have turned: flow_curl.c. A fixed section is a gradient's, and turns nothing.
static void tnCalm(tnWorld* world)
{
	tnPace* pace = &world->pace;
	if (pace->turnedSubSteps < TN_CALMING_PERIOD)
	{
		return;
	}
	if (world->def.method == tn_pipeMethod && world->def.section != tn_fixedSection)
	{
		tnFlow_CalmPipes(world->flow, &world->grid, &world->tiles, world->parallel, pace->turned, world->def.gravity);
	}
	pace->turned = 0.0;
	pace->turnedSubSteps = 0;
}

#ifdef TN_ENABLE_VALIDATE
static bool tnAllDepthsValid(const tnGrid* grid)
{
	for (int row = 0; row < grid->rowCount; ++row)
	{
		const float* depth = grid->depth + tnGrid_Index(grid, 0, row);
		for (int column = 0; column < grid->columnCount; ++column)
		{
			if (!(depth[column] >= 0.0f) || !tnIsFinite(depth[column]))
			{
				return false;
			}
		}
	}
	return true;
}
#endif

static void tnMoveSpray(tnWorld* world, float timeStep)
{
	tnSprayStep step = {
		.grid = &world->grid,
		.tiles = &world->tiles,
		.parallel = world->parallel,
		.bodies = &world->bodies,
		.foam = &world->foam,
		.waves = &world->waves,
		.kernels = tnGetSprayKernels(world->def.simd),
		.gravity = world->def.gravity,
		.timeStep = timeStep,
		.stepCount = world->stats.stepCount,
	};
	for (int side = 0; side < tn_sideCount; ++side)
	{
		step.edges[side] = world->edges.sides[side].def.kind;
	}
	const tnSprayBook book = tnSpray_Step(&world->spray, &step);
	const double cellArea = (double)world->grid.cellSize * world->grid.cellSize;
	world->ledger.sources += book.sources * cellArea;
	for (int side = 0; side < tn_sideCount; ++side)
	{
		world->ledger.edges[side] -= book.edges[side] * cellArea;
	}
}

static void tnMoveFoam(tnWorld* world, float timeStep)
{
	const tnFoamStep step = {
		.foam = &world->foam,
		.grid = &world->grid,
		.tiles = &world->tiles,
		.bodies = &world->bodies,
		.waves = &world->waves,
		.parallel = world->parallel,
		.kernels = tnGetFoamKernels(world->def.simd),
		.gravity = world->def.gravity,
		.timeStep = timeStep,
		.stepCount = world->stats.stepCount,
	};
	tnFoam_Step(&step);
}

tnResult tnCheckTimeStep(float timeStep)
{
	return timeStep > 0.0f && timeStep <= (float)TN_MAX_TIME_STEP
		? tnSuccess()
		: tnFail(tn_invalidArgument, "timeStep must be in (0, %g], got %g", TN_MAX_TIME_STEP, (double)timeStep);
}

tnResult tnWorld_Step(tnWorld* world, float timeStep)
{
	tnResult result = tnWorld_CheckReady(world);
	result = result.status == tn_ok ? tnCheckTimeStep(timeStep) : result;
	if (result.status != tn_ok)
	{
		return tnWorld_Report(world, result);
	}
	tnWorld_StepNow(world, timeStep);
	tnWorld_RecordStep(world, timeStep);
	return result;
}

void tnWorld_StepNow(tnWorld* world, float timeStep)
{
	world->locked = true;
	world->tiles.stepping = true;
	const double seconds = timeStep;
	tnBringAndTake(world, seconds);
	tnEdges_BeginStep(&world->edges, &world->grid, &world->tiles, world->time + seconds);
	if (world->acceleration.x != 0.0f || world->acceleration.z != 0.0f)
	{
		tnTiles_TouchAll(&world->tiles);
	}
	tnBodies_Aim(&world->bodies, &world->grid, &world->tiles, world->parallel, world->def.gravity, timeStep);
	tnTiles_Refresh(&world->tiles, &world->grid);
	tnStats* stats = &world->stats;
	const bool hasWaves = world->waves.enabled && world->waves.stirred;
	const bool handsOver = hasWaves && world->waves.handover != NULL;
	if (handsOver)
	{
		// Before the flow has moved short waves in its own way.
		tnWaves_Prepare(&world->waves, &world->grid, &world->tiles, &world->bodies, world->parallel, timeStep,
			stats->stepCount, false);
		const bool isFixed = world->def.method == tn_pipeMethod && world->def.section == tn_fixedSection;
		const tnHandoverFlow flow = {
			.fixedSection = isFixed ? world->def.fixedSection : 0.0f,
			.liveliness = (float)tnGetLiveliness(&world->def),
			.subStep = (float)world->pace.subStep,
		};
		if (!tnHasFreeBodies(world))
		{
			tnWaves_TakeFromFlow(
				&world->waves, &world->grid, &world->tiles, world->parallel, stats->stepCount, timeStep, &flow);
		}
	}

	tnPace_Begin(&world->pace, seconds, tnHasBodies(world));
	const double stable = tnGetStableTimeStep(world);
	stats->subStepsWanted = tnPace_Choose(&world->pace, seconds, stable, world->def.maxSubSteps);
	stats->subSteps = tnMinInt(stats->subStepsWanted, world->def.maxSubSteps);
	tnPace_Settle(&world->pace, seconds, stats->subSteps, stable);
	stats->waveSlowdown = world->pace.capped ? (float)(stable / world->pace.longest) : 1.0f;
	const double softening = tnFindSoftening(world);
	const bool bodies = tnHasBodies(world);
	if (bodies)
	{
		world->bodyFlow.decks = &world->decks;
		tnBodyFlow_Begin(&world->bodyFlow, &world->grid, &world->tiles, &world->bodies,
			tnGetBodyKernels(world->def.simd), world->def.gravity, timeStep, stats->subSteps);
	}
	if (world->tiles.awakeCount > 0)
	{
		tnEdges_SetGhosts(&world->edges, &world->grid);
		tnSoften(world, softening, bodies);
		tnMoveWater(world, seconds, stats->subSteps);
		if (world->def.method == tn_shallowMethod && world->def.vorticityConfinement > 0.0f)
		{
			tnVorticity_Confine(&world->vorticity, &world->grid, &world->tiles, world->parallel,
				world->def.vorticityConfinement, seconds);
		}
	}

	tnCalm(world);

	if (bodies)
	{
		tnBodyFlow_End(&world->bodyFlow, &world->grid, &world->tiles, &world->bodies, world->parallel);
		tnDecks_Step(&world->decks, &world->grid, &world->tiles, &world->bodies, stats->stepCount, timeStep);
		if (world->decks.count > 0 && (world->grid.wrapX || world->grid.wrapZ))
		{
			// What is beyond an edge that wraps is what a deck may have given to.
			tnEdges_SetGhosts(&world->edges, &world->grid);
		}
	}

	if (hasWaves)
	{
		if (!handsOver)
		{
			tnWaves_Prepare(&world->waves, &world->grid, &world->tiles, &world->bodies, world->parallel, timeStep,
				stats->stepCount, false);
		}
		tnWaves_StirByBodies(&world->waves, &world->grid, &world->bodies, world->parallel);
		// What bodies displace on their way through the step meets these heights, so the force on that way is theirs, too.
		tnWaves_PushBodies(&world->waves, &world->grid, &world->bodies, world->parallel, timeStep);
		if (handsOver)
		{
			tnWaves_BookPushes(&world->waves, &world->bodies, timeStep, world->def.friction);
		}
		tnWaves_Advance(
			&world->waves, world->parallel, world->time + seconds, timeStep, stats->stepCount, tnGetMeanRain(world));
	}

	tnBodies_FeelHeld(&world->bodies, world->parallel, world->def.gravity);
	if (world->spray.def.enable)
	{
		tnDecks_Watch(&world->decks, &world->grid);
		tnMoveSpray(world, timeStep);
		tnDecks_Catch(&world->decks, &world->grid, NULL);
	}
	if (world->foam.def.enable)
	{
		tnMoveFoam(world, timeStep);
	}

	world->time += seconds;
	stats->stepCount += 1;
	tnRegions_Update(&world->regions, &world->grid, &world->tiles);
	tnGauges_Update(&world->gauges, &world->grid, &world->waves, world->time);
	TN_VALIDATE(tnAllDepthsValid(&world->grid));
	world->tiles.stepping = false;
	world->locked = false;
}

// ---------------------------------------------------------------------------------------------------------------------
// Ledger, statistics, hash

tnLedger tnWorld_GetLedger(tnWorld* world)
{
	if (!tnWorld_IsReady(world))
	{
		return (tnLedger){0};
	}
	tnLedger ledger = world->ledger;
	const double cellArea = (double)world->grid.cellSize * world->grid.cellSize;
	ledger.volume =
		(tnTiles_SumDepth(&world->tiles, &world->grid, world->parallel) + tnDecks_SumDepth(&world->decks)) * cellArea;
	double booked = ledger.sources + ledger.drains + ledger.wells + ledger.rain + ledger.evaporation +
		ledger.infiltration + ledger.edits;
	for (int side = 0; side < tn_sideCount; ++side)
	{
		booked += ledger.edges[side];
	}
	ledger.airborne = tnSpray_GetAirborne(&world->spray) * cellArea;
	ledger.held = tnBodies_GetHeld(&world->bodies);
	ledger.drift = ledger.volume + ledger.airborne + ledger.held - booked;
	return ledger;
}

tnStats tnWorld_GetStats(const tnWorld* world)
{
	const tnWorld* own = world;
	world = tnWorld_GetShown(world);
	if (!tnWorld_IsReady(world))
	{
		return (tnStats){0};
	}
	tnStats stats = world->stats;
	stats.maxDepth = tnGrid_FindMaxDepth(&world->grid);
	stats.stableTimeStep = (float)tnGetStableTimeStep(world);
	stats.tileCount = world->tiles.count;
	stats.awakeTileCount = world->tiles.awakeCount;
	stats.byteCount = own->memory.byteCount;
	if (own->background != NULL)
	{
		stats.byteCount += own->background->shown->memory.byteCount;
	}
	return stats;
}

// A field of zeros is as good as none: a world that becomes shallow keeps its hash.
static bool tnHasValues(const tnGrid* grid, const float* field, int row)
{
	const ptrdiff_t index = tnGrid_Index(grid, 0, row);
	for (int column = 0; column < grid->columnCount && field != NULL; ++column)
	{
		if (field[index + column] != 0.0f)
		{
			return true;
		}
	}
	return false;
}

uint64_t tnWorld_GetHash(const tnWorld* world)
{
	world = tnWorld_GetShown(world);
	if (!tnWorld_IsReady(world))
	{
		return 0;
	}
	const tnGrid* grid = &world->grid;
	const size_t rowBytes = (size_t)grid->columnCount * sizeof(float);
	uint64_t hash = tnHashBytes(TN_HASH_SEED, &world->time, sizeof(world->time));
	for (int row = 0; row < grid->rowCount; ++row)
	{
		const ptrdiff_t index = tnGrid_Index(grid, 0, row);
		hash = tnHashBytes(hash, grid->bed + index, rowBytes);
		hash = tnHashBytes(hash, grid->depth + index, rowBytes);
		hash = tnHashBytes(hash, grid->flowX + index, rowBytes + sizeof(float));
		hash = tnHashBytes(hash, grid->flowZ + index, rowBytes);
		if (tnHasValues(grid, grid->residual, row))
		{
			hash = tnHashBytes(hash, grid->residual + index, rowBytes);
		}
		if (tnHasValues(grid, grid->lift, row))
		{
			hash = tnHashBytes(hash, grid->lift + index, rowBytes);
		}
		if (tnHasValues(grid, grid->foam, row))
		{
			hash = tnHashBytes(hash, grid->foam + index, rowBytes);
		}
		for (int i = 0; i < grid->tracerCount; ++i)
		{
			hash = tnHashBytes(hash, grid->tracers[i] + index, rowBytes);
		}
	}
	if (grid->waiting > 0)
	{
		hash = tnHashBytes(hash, &grid->waitingSpread, sizeof(grid->waitingSpread));
	}
	if (!world->tiles.wrapZ)
	{
		// The faces of the south edge. A wrapped world has none: they are those of the north edge.
		hash = tnHashBytes(hash, grid->flowZ + tnGrid_Index(grid, 0, grid->rowCount), rowBytes);
	}
	if (world->waves.enabled)
	{
		hash = tnWaves_Hash(&world->waves, hash);
	}
	hash = tnSpray_Hash(&world->spray, hash);
	hash = tnDecks_Hash(&world->decks, hash);
	return tnBodies_HashHeld(&world->bodies, hash);
}
