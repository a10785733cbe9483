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
#include "gauges.h"
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
	bool locked; // a step is running
};

// Tell the error hook about a failure. Returns the result.
tnResult tnWorld_Report(const tnWorld* world, tnResult result);

// Fails if the world is NULL or busy: a task of one of its own calls must not call it.
tnResult tnWorld_CheckReady(const tnWorld* world);
// The same for calls that have no result to return. They do not tell the error hook either, which may ask for them.
bool tnWorld_IsReady(const tnWorld* world);

// world_def.c
tnResult tnCheckWorldDef(const tnWorldDef* def);

// world_edit.c: wrapped edges are neighbours for sleep.
void tnWorld_ApplyEdges(tnWorld* world);
