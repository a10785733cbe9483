// SPDX-License-Identifier: MIT

#pragma once

#include "level.h"
#include "world/scene_model.h"

// A level that is played: level.c watches its goals, level_play.c is what the player may do.

typedef struct tnsGoalState
{
	// First: before the first step.
	double value, first, heldFor;
	bool done;
} tnsGoalState;

struct tnsLevel
{
	tnsRun* run;
	const tnsLevelInfo* info;
	tnsLevelState state;
	// Of the run when the level began, and since then; seconds.
	double begin, time;
	int losingGoal;
	tnsGoalState goals[TNS_MAX_GOALS];
	double left[TNS_MAX_LEVEL_TOOLS];
	// Highest progress of a goal that loses, ever.
	double worstDanger;
	tnJetId jet;
	bool hoseOpen;
};

// Of the tool hose, after a step: what came out is paid. An empty tank closes it, and so does the end of the level.
void tnsLevel_PayHose(tnsLevel* level);

// Is the world one of voxels?
bool tnsLevel_IsVoxels(const tnsLevel* level);

// Is a place over a region? On its rim, too.
bool tnsIsInRegion(const tnRegionDef* region, double x, double z);
