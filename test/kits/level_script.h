// SPDX-License-Identifier: MIT

#pragma once

// Levels played by scripts: what a player would do at which time, through the functions that the viewer calls.

#include "harness.h"
#include "scene.h"
#include "tools/level_tools.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Action
{
	// Seconds of the level. Stack and cut happen once, at the begin.
	double begin, end;
	// A tool of the level, "drive", or "sweep": push whatever of the first goal is nearest to its place.
	const char* tool;
	// Strokes go from one place to the other. Hose: at `from`. Drive: along `from`. Cut: the body with index from.x.
	// Sweep: first to `from`, and then to `to`.
	tnVec2 from, to;
	// Height of the target of the hose, m. Speed of a sweep, m/s.
	float y;
} Action;

typedef struct LevelPlay
{
	tnsScene* scene;
	tnsRun* run;
	tnsLevel* level;
	tnWorld* world;
	// Actions that were refused, each step counted, and the last reason.
	int refusals;
	char refusal[160];
} LevelPlay;

static inline int BeginLevel(const char* file, int workerCount, tnSimd simd, LevelPlay* play)
{
	char path[512];
	tnsResult result;
	*play = (LevelPlay){0};
	snprintf(path, sizeof(path), "%s/scenes/levels/%s.json", TARN_SOURCE_FOLDER, file);
	play->scene = tnsLoadScene(path, &result);
	ENSURE_TEXT(result.text, "");
	tnsOverrides overrides = tnsDefaultOverrides();
	overrides.workerCount = workerCount;
	overrides.simd = simd;
	result = tnsStartScene(play->scene, &overrides, &play->run);
	ENSURE_TEXT(result.text, "");
	play->world = tnsRun_GetWorld(play->run);
	play->level = tnsCreateLevel(play->run, &result);
	ENSURE_TEXT(result.text, "");
	ENSURE(play->level != NULL);
	return 0;
}

static inline void EndLevel(LevelPlay* play)
{
	tnsDestroyLevel(play->level);
	tnsDestroyRun(play->run);
	tnsDestroyScene(play->scene);
	*play = (LevelPlay){0};
}

static inline tnpTool FindTool(const char* name)
{
	int tool = 0;
	while (tool < tnp_toolCount && strcmp(tnpGetToolName((tnpTool)tool), name) != 0)
	{
		tool += 1;
	}
	return (tnpTool)tool;
}

static inline void Note(LevelPlay* play, bool refused, const char* text)
{
	if (refused)
	{
		play->refusals += 1;
		snprintf(play->refusal, sizeof(play->refusal), "%.150s", text);
	}
}

static inline void Stroke(LevelPlay* play, tnpTool tool, tnVec2 center, tnVec2 velocity)
{
	tnpStroke stroke = {0};
	stroke.tool = tool;
	stroke.center = stroke.from = center;
	stroke.velocity = velocity;
	// The level has its own.
	stroke.radius = stroke.strength = 1.0f;
	stroke.channel = -1;
	const float timeStep = tnsScene_GetInfo(play->scene)->timeStep;
	const tnResult result = tnpApplyLevelStroke(play->level, play->world, &stroke, timeStep);
	Note(play, result.status != tn_ok, result.text);
}

// Like somebody with a broom: behind the crate that is nearest to the entrance, towards it, and then in.
static inline void Sweep(LevelPlay* play, const Action* action)
{
	const tnsGoal* goal = tnsLevel_GetInfo(play->level)->goals;
	const tnRegionDef region = tnsScene_GetRegionDef(play->scene, goal->region);
	// Well inside is far enough, meters.
	const float margin = 1.0f;
	float nearest = INFINITY;
	tnVec2 place = {0};
	for (int i = goal->bodyBegin; i < goal->bodyEnd; ++i)
	{
		tnsBody body;
		if (tnsRun_GetBody(play->run, i, &body) == false)
		{
			continue;
		}
		const float x = body.pose.position.x, z = body.pose.position.z;
		const bool inside = fabsf(x - region.center.x) < region.extent.x - margin &&
			fabsf(z - region.center.z) < region.extent.z - margin;
		const float dx = x - action->from.x, dz = z - action->from.z;
		const float distance = sqrtf(dx * dx + dz * dz);
		if (inside == false && distance < nearest)
		{
			nearest = distance;
			place = (tnVec2){x, z};
		}
	}
	if (isfinite(nearest))
	{
		const tnVec2 goalPlace = place.x < action->from.x - margin ? action->from : action->to;
		const float dx = goalPlace.x - place.x, dz = goalPlace.z - place.z;
		const float length = fmaxf(0.01f, sqrtf(dx * dx + dz * dz));
		const tnVec2 along = {dx / length, dz / length};
		const tnVec2 center = {place.x - 0.5f * along.x, place.z - 0.5f * along.z};
		Stroke(play, tnp_pushTool, center, (tnVec2){along.x * action->y, along.z * action->y});
	}
}

// What is done once.
static inline void Click(LevelPlay* play, const Action* action)
{
	tnsResult result;
	if (strcmp(action->tool, "cut") == 0)
	{
		result = tnsLevel_Cut(play->level, (int)action->from.x);
	}
	else
	{
		const float height = tnWorld_Sample(play->world, action->from).surface;
		result = tnsLevel_Stack(play->level, (tnVec3){action->from.x, height, action->from.z}, NULL);
	}
	Note(play, result.status != tns_ok, result.text);
}

static inline void Hold(LevelPlay* play, const Action* action, double share)
{
	if (strcmp(action->tool, "sweep") == 0)
	{
		Sweep(play, action);
		return;
	}
	const float s = (float)share, rate = (float)(1.0 / (action->end - action->begin));
	const tnVec2 way = {action->to.x - action->from.x, action->to.z - action->from.z};
	const tnVec2 center = {action->from.x + s * way.x, action->from.z + s * way.z};
	Stroke(play, FindTool(action->tool), center, (tnVec2){way.x * rate, way.z * rate});
}

// All actions of one step, then the step.
static inline int StepLevel(LevelPlay* play, const Action* script, int count)
{
	const tnsLevelInfo* info = tnsLevel_GetInfo(play->level);
	const double now = tnsLevel_GetTime(play->level) + 1.0e-6;
	const double step = (double)tnsScene_GetInfo(play->scene)->timeStep;
	tnVec2 drive = {0};
	const Action* hose = NULL;
	for (int i = 0; i < count; ++i)
	{
		const Action* action = script + i;
		const bool once = strcmp(action->tool, "cut") == 0 || strcmp(action->tool, "stack") == 0;
		const bool begins = action->begin <= now && action->begin > now - step;
		const bool lasts = action->begin <= now && now < action->end;
		if (once ? begins == false : lasts == false)
		{
			continue;
		}
		if (once)
		{
			Click(play, action);
		}
		else if (strcmp(action->tool, "drive") == 0)
		{
			drive = action->from;
		}
		else if (strcmp(action->tool, "hose") == 0)
		{
			hose = action;
		}
		else
		{
			Hold(play, action, (now - action->begin) / (action->end - action->begin));
		}
	}
	if (info->hose.given)
	{
		const tnVec3 target = hose != NULL ? (tnVec3){hose->from.x, hose->y, hose->from.z} : (tnVec3){0};
		const tnsResult result = tnsLevel_AimHose(play->level, hose != NULL ? &target : NULL);
		Note(play, result.status != tns_ok, result.text);
	}
	if (info->avatar.given)
	{
		const tnsResult result = tnsLevel_Drive(play->level, drive);
		Note(play, result.status != tns_ok, result.text);
	}
	const tnsResult result = tnsRun_Step(play->run);
	ENSURE_TEXT(result.text, "");
	tnsLevel_Update(play->level);
	return 0;
}

// Until it is won or lost.
static inline int PlayToEnd(LevelPlay* play, const Action* script, int count)
{
	while (tnsLevel_GetState(play->level) == tns_levelPlaying)
	{
		ENSURE(StepLevel(play, script, count) == 0);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// How each level is won. docs/levels.md tells the same in words.

typedef struct LevelScript
{
	// Of the file, without its ending.
	const char* file;
	const Action* actions;
	int count;
} LevelScript;

// The wide gap with earth, then three crates into the gate.
static const Action s_saveTheHouses[] = {
	{1, 14, "raise", {33, 33}, {40, 33}, 0},
	{15, 15, "stack", {62.5f, 33}, {0, 0}, 0},
	{15.5, 15.5, "stack", {64.5f, 33}, {0, 0}, 0},
	{16, 16, "stack", {66.5f, 33}, {0, 0}, 0},
};
static const Action s_fireBrigade[] = {
	{1, 8, "hose", {27, 8}, {0, 0}, 0.6f},
	{8, 15, "hose", {33, 22}, {0, 0}, 2.6f},
	{15, 60, "hose", {26, 16.5f}, {0, 0}, 0.6f},
};
static const Action s_risingWater[] = {
	{1, 38, "pour", {6, 12}, {6, 12}, 0},
	{22, 36, "drive", {1, 0}, {0, 0}, 0},
	{36, 75, "drive", {-0.4f, -1}, {0, 0}, 0},
};
static const Action s_theFord[] = {
	{1, 9, "drain", {12, 11}, {12, 11}, 0},
	{9, 18.5, "drain", {25, 11}, {25, 11}, 0},
	{19, 70, "drive", {1, 0}, {0, 0}, 0},
};
static const Action s_theBroom[] = {
	{1, 60, "sweep", {28, 14}, {35, 14}, 3},
};
// Earth into the branch to the ravine, then the gate.
static const Action s_logDrive[] = {
	{1, 5, "raise", {39.5f, 19}, {41, 16.2f}, 0},
	{5, 9, "raise", {41, 16.2f}, {39.5f, 19}, 0},
	{10, 10, "cut", {0, 0}, {0, 0}, 0},
};
// A ditch to the marsh, then a dam below it.
static const Action s_cleanWater[] = {
	{0.5, 4, "lower", {15, 20.5f}, {18, 27.5f}, 0},
	{4, 7.5, "lower", {18, 27.5f}, {15, 20.5f}, 0},
	{7.5, 11, "lower", {15, 20.5f}, {18, 27.5f}, 0},
	{11, 14.5, "lower", {18, 27.5f}, {15, 20.5f}, 0},
	{15, 17, "raise", {18.5f, 18.7f}, {19.5f, 17}, 0},
	{17, 20, "raise", {19.5f, 17}, {18.5f, 18.7f}, 0},
};
static const Action s_wildWater[] = {
	{18, 60, "drive", {0, 1}, {0, 0}, 0},
};
// A ditch to the east field and a dam below it, then ditches to the others.
static const Action s_dryFields[] = {
	{1, 4, "lower", {40, 9}, {40.5f, 18.5f}, 0},
	{4, 7, "lower", {40.5f, 18.5f}, {40, 9}, 0},
	{7, 9, "raise", {43, 6.5f}, {43, 9.5f}, 0},
	{9, 11, "raise", {43, 9.5f}, {43, 6.5f}, 0},
	{11, 14, "lower", {20.5f, 9}, {22, 22.5f}, 0},
	{14, 17, "lower", {22, 22.5f}, {20.5f, 9}, 0},
	{17, 20, "lower", {20.5f, 9}, {22, 22.5f}, 0},
	{20, 25, "lower", {13, 9}, {12, 18.5f}, 0},
	{25, 30, "lower", {12, 18.5f}, {13, 9}, 0},
	{30, 32, "lower", {13, 9}, {13, 12}, 0},
};
static const Action s_theMine[] = {
	{12, 20, "drain", {13.5f, 12}, {13.5f, 12}, 0},
	{20, 28, "drain", {30.5f, 11}, {30.5f, 11}, 0},
	{28, 34, "drain", {22, 22.5f}, {22, 22.5f}, 0},
	{34, 40, "drain", {13.5f, 12}, {13.5f, 12}, 0},
	{40, 46, "drain", {30.5f, 11}, {30.5f, 11}, 0},
	{46, 52, "drain", {22, 22.5f}, {22, 22.5f}, 0},
};

#define SCRIPT(file, actions)                                        \
	{                                                                \
		file, actions, (int)(sizeof(actions) / sizeof((actions)[0])) \
	}
static const LevelScript s_levelScripts[] = {
	SCRIPT("01_save_the_houses", s_saveTheHouses),
	SCRIPT("02_fire_brigade", s_fireBrigade),
	SCRIPT("03_rising_water", s_risingWater),
	SCRIPT("04_the_ford", s_theFord),
	SCRIPT("05_the_broom", s_theBroom),
	SCRIPT("06_log_drive", s_logDrive),
	SCRIPT("07_clean_water", s_cleanWater),
	SCRIPT("08_wild_water", s_wildWater),
	SCRIPT("09_dry_fields", s_dryFields),
	SCRIPT("10_the_mine", s_theMine),
};
#undef SCRIPT

enum
{
	levelScriptCount = (int)(sizeof(s_levelScripts) / sizeof(s_levelScripts[0])),
};
