// SPDX-License-Identifier: MIT

#pragma once

#include "body_flow.h"
#include "edges.h"
#include "flow.h"
#include "foam.h"
#include "gauges.h"
#include "grid.h"
#include "pace.h"
#include "parallel.h"
#include "regions.h"
#include "sound.h"
#include "sources.h"
#include "spray.h"
#include "tarn/query.h"
#include "tarn/world.h"
#include "tiles.h"
#include "vorticity.h"
#include "waves.h"
#include "weather.h"

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
