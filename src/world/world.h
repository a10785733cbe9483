// SPDX-License-Identifier: MIT

#pragma once

#include "../bodies/body_flow.h"
#include "../core/parallel.h"
#include "../flow/edges.h"
#include "../flow/flow.h"
#include "../flow/grid.h"
#include "../flow/sources.h"
#include "../flow/sub_step_pace.h"
#include "../flow/tiles.h"
#include "../flow/vorticity.h"
#include "../flow/weather.h"
#include "../spray/foam.h"
#include "../spray/sound.h"
#include "../spray/spray.h"
#include "../waves/waves.h"
#include "background.h"
#include "gauges.h"
#include "recorder.h"
#include "regions.h"
#include "tarn/query.h"
#include "tarn/world.h"

// The world: all modules, and the order in which they take part in a step (world.c). The public functions are in
// world.c (life and step), world_edit.c (what a host changes), world_query.c (what a host asks),
// world_body.c and world_waves.c.

struct tnWorld
{
	tnWorldDef def; // as created; edges are in `edges`
	tnMemory memory;
	tnParallel* parallel;
	int workerCount;      // that there is memory for, at least as many as parallel has
	int askedWorkerCount; // when it was created; more than there are on a machine without threads
	tnGrid grid;
	tnTiles tiles;
	tnEdges edges;
	tnFlow* flow;
	tnVorticity vorticity;
	tnWeather weather;
	tnSources sources;
	tnRegions regions;
	tnGauges gauges;
	tnBodies bodies;
	tnBodyFlow bodyFlow;
	tnDecks decks;
	tnWaves waves;
	tnSpray spray;
	tnSounds sounds;
	tnFoam foam;
	tnErrorHook errors;
	tnLedger ledger; // entries; volume and drift are made when asked for
	tnVec2 acceleration;
	double time;
	tnPace pace;
	tnStats stats;
	tnRecorder recorder;
	bool locked;              // a step is running
	tnBackground* background; // NULL until a step was made in the background
};

// Tell the error hook about a failure. Returns the result.
tnResult tnWorld_Report(const tnWorld* world, tnResult result);

// Memory for waves, before something makes the first of them. Does nothing without the layer.
tnResult tnWorld_ReserveWaves(tnWorld* world);

// Values of a map of all cells.
static inline size_t tnGetCellCount(const tnWorld* world)
{
	return (size_t)world->grid.columnCount * (size_t)world->grid.rowCount;
}

// Fails if the world is NULL or busy: a task of one of its own calls must not call it.
tnResult tnWorld_CheckReady(const tnWorld* world);
// The same for calls that have no result to return. They do not tell the error hook either, which may ask for them.
bool tnWorld_IsReady(const tnWorld* world);

// What queries read: the world, or what it was before the step that runs in the background.
static inline const tnWorld* tnWorld_GetShown(const tnWorld* world)
{
	return tnWorld_IsStepRunning(world) ? world->background->shown : world;
}

// world.c: the step itself, without checks.
void tnWorld_StepNow(tnWorld* world, float timeStep);
tnResult tnCheckTimeStep(float timeStep);

// recording.c: what is more than words. All do nothing if nobody records.
void tnWorld_RecordStep(tnWorld* world, float timeStep);
void tnWorld_RecordBody(const tnWorld* world, const tnBodyDef* def, tnBodyId id);
void tnWorld_RecordShapes(const tnWorld* world, tnBodyId id, const tnShapeDef* shapes, int shapeCount);
// Numbers of a def that can change between steps, in one order; bools are 0 or 1.
void tnGetTuning(const tnWorldDef* def, float numbers[TN_TUNED_WORDS]);
// All of the world, as after tnWorld_Restore. False, and nobody records any more, if memory ran out.
bool tnWorld_RecordSnapshot(tnWorld* world);

// world_snapshot.c: with fields elsewhere than in the bytes, see tnFieldFcn. The world must be ready.
tnResult tnWorld_SaveWith(
	const tnWorld* world, void* bytes, size_t capacity, size_t* size, tnFieldFcn* fcn, void* context);
tnResult tnWorld_RestoreWith(tnWorld* world, const void* bytes, size_t size, tnFieldFcn* fcn, void* context);
// Would it be restored, but for memory?
tnResult tnWorld_CheckWith(tnWorld* world, const void* bytes, size_t size, tnFieldFcn* fcn, void* context);

// world_def.c
tnResult tnCheckWorldDef(const tnWorldDef* def);

// world_edit.c: wrapped edges are neighbours for sleep.
void tnWorld_ApplyEdges(tnWorld* world);

// world_tune.c: take over a def whose structure is the world's own, for the next step. Its method must be that of `flow`.
void tnWorld_PutDef(tnWorld* world, const tnWorldDef* def);
