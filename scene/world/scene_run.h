// SPDX-License-Identifier: MIT

#pragma once

#include "bodies/scene_water.h"
#include "world/scene_model.h"

// What a run is made of. Filled and stepped by scene_run.c; the bodies belong to scene_bodies.c.

typedef struct tnsBodies tnsBodies;
typedef struct tnsWaves tnsWaves;

// What rain, evaporation and infiltration have in common.
typedef tnResult tnsSetRateFcn(tnWorld* world, float rate, const float* map);

typedef struct tnsRainState
{
	const tnsRainRule* rule;
	tnsSetRateFcn* setFcn;
	// NULL: the same everywhere.
	float* map;
	bool on;
} tnsRainState;

struct tnsRun
{
	const tnsScene* scene;
	// NULL in a scene of voxels, of which there are bodies only.
	tnWorld* world;
	tnsWater water;
	double seconds;
	int64_t stepCount, stepIndex;
	tnSourceId* sources;
	bool* sourceOn;
	tnGaugeId* gauges;
	tnRegionId* regions;
	// When each edit is due next, infinite if never again.
	double* editTimes;
	// Heights of a block, for edits of the terrain. NULL if there are none.
	float* scratch;
	tnsRainState rains[3];
	// Rain on top of the scene's, m/s: what is wanted, and what the world has. With a map they are mixed per cell.
	float extraRain, extraRainSet;
	float* mixedRain;
	// Never NULL.
	tnsBodies* bodies;
	tnsWaves* waves;
	tnsGroundLook ground;
	tnJetId* jets;
	bool* jetOn;
};

// ---------------------------------------------------------------------------------------------------------------------
// Bodies. Each result says in the place of the scene what went wrong.

// Without bodies yet. NULL if memory ran out.
tnsBodies* tnsCreateBodies(const tnsScene* scene);
// While the world is still there. NULL is allowed.
void tnsDestroyBodies(tnsBodies* bodies);

// Let bodies come, go and loose that are due.
// now is the time of the boundary, and half a step.
tnsResult tnsUpdateBodies(tnsRun* run, double now);

// When the last of what a scene lets happen to bodies is due, seconds.
double tnsGetLastTime(const tnsRun* run);

// Step the water and the bodies in it.
tnResult tnsStepBodies(tnsRun* run);

// ---------------------------------------------------------------------------------------------------------------------
// Waves

// Without anything in the world yet. NULL if memory ran out.
tnsWaves* tnsCreateWaves(const tnsScene* scene);
// NULL is allowed.
void tnsDestroyWaves(tnsWaves* waves);

// Swell, wind and points of interest of the start.
tnsResult tnsBeginWaves(tnsRun* run);

// Move what moves, and let drops fall. After the bodies.
// now is the time of the boundary, and half a step.
tnsResult tnsUpdateWaves(tnsRun* run, double now);

// ---------------------------------------------------------------------------------------------------------------------
// Spray

tnsResult tnsBeginJets(tnsRun* run);
// Turn jets on and off that are due.
tnsResult tnsUpdateJets(tnsRun* run, double now);
