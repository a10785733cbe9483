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
	// Height of the target of the hose, and of the hand in voxels, m. Speed of a sweep, m/s.
	float y;
} Action;

typedef struct LevelPlay
{
	tnsScene* scene;
	tnsRun* run;
	tnsLevel* level;
	// NULL with voxels, of which `voxels` then has scene, run and world.
	tnWorld* world;
	tnpVoxelPlay voxels;
	// How far each action misses its place at most, along x and z, m; and which of many ways to miss.
	float miss;
	uint32_t seed;
	// Actions that were refused, each step counted, and the last reason.
	int refusals;
	char refusal[160];
} LevelPlay;

static inline int BeginVoxelLevel(const char* path, int workerCount, tnSimd simd, LevelPlay* play)
{
	tnsResult result;
	tnpVoxelPlay* voxels = &play->voxels;
	voxels->scene = tnsLoadVoxelScene(path, &result);
	ENSURE_TEXT(result.text, "");
	tnVoxelWorldDef hooks = tnDefaultVoxelWorldDef();
	hooks.tasks.workerCount = workerCount;
	hooks.simd = simd;
	voxels->run = tnsVoxelScene_BeginWith(voxels->scene, &hooks, &result);
	ENSURE_TEXT(result.text, "");
	voxels->info = tnsVoxelScene_GetInfo(voxels->scene);
	voxels->world = tnsVoxelRun_GetWorld(voxels->run);
	// As the viewer finds what it pours.
	for (int i = voxels->info->worldDef.liquidCount; i >= 1; --i)
	{
		const tnVec3 glow = voxels->info->liquids[i - 1].glow;
		const bool glows = glow.x + glow.y + glow.z > 0.0f;
		voxels->water = glows ? voxels->water : i;
		voxels->lava = glows ? i : voxels->lava;
	}
	play->run = tnsVoxelRun_GetBodies(voxels->run);
	play->level = tnsCreateLevel(play->run, &result);
	ENSURE_TEXT(result.text, "");
	ENSURE(play->level != NULL);
	return 0;
}

static inline int BeginLevel(const char* file, int workerCount, tnSimd simd, LevelPlay* play)
{
	char path[512];
	tnsResult result;
	*play = (LevelPlay){0};
	snprintf(path, sizeof(path), "%s/scenes/levels/%s.json", TARN_SOURCE_FOLDER, file);
	if (tnsIsVoxelSceneFile(path))
	{
		return BeginVoxelLevel(path, workerCount, simd, play);
	}
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
	if (play->voxels.run != NULL)
	{
		tnsDestroyVoxelRun(play->voxels.run);
		tnsDestroyVoxelScene(play->voxels.scene);
	}
	else
	{
		tnsDestroyRun(play->run);
	}
	tnsDestroyScene(play->scene);
	*play = (LevelPlay){0};
}

// A number from -1 to 1 for each way to miss (the finalizer of MurmurHash3).
static inline float GetMiss(uint32_t seed, int action, uint32_t axis)
{
	uint32_t bits = seed * 0x9E3779B1u + (uint32_t)action * 0x85EBCA77u + axis * 0xC2B2AE3Du;
	bits = (bits ^ bits >> 16) * 0x85EBCA6Bu;
	bits = (bits ^ bits >> 13) * 0xC2B2AE35u;
	bits ^= bits >> 16;
	return (float)(bits >> 8) / 8388608.0f - 1.0f;
}

// The action as a hand does it that misses.
static inline Action Shake(const LevelPlay* play, const Action* action, int index)
{
	Action shaken = *action;
	const tnVec2 off = {play->miss * GetMiss(play->seed, index, 1), play->miss * GetMiss(play->seed, index, 2)};
	if (play->miss == 0.0f || strcmp(action->tool, "cut") == 0)
	{
		return shaken;
	}
	if (strcmp(action->tool, "drive") == 0)
	{
		// The cursor is held some ten cells ahead.
		shaken.from.x += 0.1f * GetMiss(play->seed, index, 1);
		shaken.from.z += 0.1f * GetMiss(play->seed, index, 2);
		return shaken;
	}
	shaken.from = (tnVec2){action->from.x + off.x, action->from.z + off.z};
	if (action->to.x != 0.0f || action->to.z != 0.0f)
	{
		shaken.to = (tnVec2){action->to.x + off.x, action->to.z + off.z};
	}
	return shaken;
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
	const float timeStep = tnsScene_GetInfo(tnsRun_GetScene(play->run))->timeStep;
	const tnResult result = tnpApplyLevelStroke(play->level, play->world, &stroke, timeStep);
	Note(play, result.status != tn_ok, result.text);
}

// Like somebody with a broom: behind the crate that is nearest to the entrance, towards it, and then in.
static inline void Sweep(LevelPlay* play, const Action* action)
{
	const tnsGoal* goal = tnsLevel_GetInfo(play->level)->goals;
	const tnRegionDef region = tnsScene_GetRegionDef(tnsRun_GetScene(play->run), goal->region);
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
		const float height = play->world != NULL ? tnWorld_Sample(play->world, action->from).surface : action->y;
		result = tnsLevel_Stack(play->level, (tnVec3){action->from.x, height, action->from.z}, NULL);
	}
	Note(play, result.status != tns_ok, result.text);
}

// A hand in voxels comes from above.
static inline void HoldVoxels(LevelPlay* play, const Action* action, float share, bool begins)
{
	tnpVoxelStroke* stroke = &play->voxels.stroke;
	if (begins)
	{
		*stroke = (tnpVoxelStroke){.tool = FindTool(action->tool), .along = {0.0f, -1.0f, 0.0f}};
	}
	const bool moves = action->to.x != 0.0f || action->to.z != 0.0f;
	const tnVec2 to = moves ? action->to : action->from;
	stroke->hand.hit = true;
	stroke->hand.point = (tnVec3){
		action->from.x + share * (to.x - action->from.x), action->y, action->from.z + share * (to.z - action->from.z)};
	stroke->hand.normal = (tnVec3){0.0f, 1.0f, 0.0f};
	const tnResult result = tnpApplyVoxelLevelStroke(play->level, &play->voxels, stroke);
	Note(play, result.status != tn_ok, result.text);
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
	const double step = (double)tnsScene_GetInfo(tnsRun_GetScene(play->run))->timeStep;
	tnVec2 drive = {0};
	Action hose = {0};
	bool hosing = false;
	for (int i = 0; i < count; ++i)
	{
		const Action shaken = Shake(play, script + i, i);
		const Action* action = &shaken;
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
			hose = shaken;
			hosing = true;
		}
		else if (play->world == NULL)
		{
			HoldVoxels(play, action, (float)((now - action->begin) / (action->end - action->begin)), begins);
		}
		else
		{
			Hold(play, action, (now - action->begin) / (action->end - action->begin));
		}
	}
	if (info->hose.given)
	{
		const tnVec3 target = {hose.from.x, hose.y, hose.from.z};
		const tnsResult result = tnsLevel_AimHose(play->level, hosing ? &target : NULL);
		Note(play, result.status != tns_ok, result.text);
	}
	if (info->avatar.given)
	{
		const tnsResult result = tnsLevel_Drive(play->level, drive);
		Note(play, result.status != tns_ok, result.text);
	}
	const tnsResult result = play->world != NULL ? tnsRun_Step(play->run) : tnsVoxelRun_Step(play->voxels.run);
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

// Four crates, wherever in the tub.
static const Action s_eureka[] = {
	{1, 1, "stack", {8.5f, 9.5f}, {0, 0}, 0},
	{3, 3, "stack", {11.5f, 9.5f}, {0, 0}, 0},
	{5, 5, "stack", {8.5f, 12.5f}, {0, 0}, 0},
	{7, 7, "stack", {11.5f, 12.5f}, {0, 0}, 0},
};
// Once round the castle, twice in the south.
static const Action s_sandcastle[] = {
	{0.5, 4.5, "raise", {13.5f, 13}, {13.5f, 21.5f}, 0},
	{4.5, 10.5, "raise", {13.5f, 21.5f}, {23.5f, 21.5f}, 0},
	{10.5, 14.5, "raise", {23.5f, 21.5f}, {23.5f, 13}, 0},
	{14.5, 18, "raise", {23.5f, 13}, {23.5f, 21.5f}, 0},
	{18, 24, "raise", {23.5f, 21.5f}, {13.5f, 21.5f}, 0},
	{24, 27, "raise", {13.5f, 21.5f}, {13.5f, 13}, 0},
};
static const Action s_backwater[] = {
	{0.5, 6, "raise", {38.5f, 6.5f}, {38.5f, 13.5f}, 0},
	{6, 12, "raise", {38.5f, 13.5f}, {38.5f, 6.5f}, 0},
	{12, 18, "raise", {38.5f, 6.5f}, {38.5f, 13.5f}, 0},
	{18, 24, "raise", {38.5f, 13.5f}, {38.5f, 6.5f}, 0},
	{20, 90, "drive", {1, 0}, {0, 0}, 0},
};
// The arms of a V, each twice.
static const Action s_rainHarvest[] = {
	{0.5, 5.5, "lower", {3, 19}, {18.5f, 25}, 0},
	{5.5, 10.5, "lower", {18.5f, 25}, {3, 19}, 0},
	{10.5, 15.5, "lower", {37, 19}, {21.5f, 25}, 0},
	{15.5, 20.5, "lower", {21.5f, 25}, {37, 19}, 0},
};
static const Action s_sweetWater[] = {
	{0.5, 13, "drain", {15, 12}, {15, 12}, 0},
	{14, 28, "pour", {15, 12}, {15, 12}, 0},
};
static const Action s_lock[] = {
	{1, 60, "pour", {4.25f, 3.25f}, {0, 0}, 8.5f},
	{20, 75, "drive", {1, 0}, {0, 0}, 0},
};
// Down through the floor of the oasis, a ball below the other.
static const Action s_aquifer[] = {
	{1, 2, "dig", {20, 5}, {0, 0}, 7},
	{2, 3, "dig", {20, 5}, {0, 0}, 6},
	{3, 4, "dig", {20, 5}, {0, 0}, 5},
	{4, 5, "dig", {20, 5}, {0, 0}, 4},
};
static const Action s_lavaFlow[] = {
	{0.5, 1.5, "build", {16.5f, 14}, {0, 0}, 5},
	{1.5, 2.5, "build", {16.5f, 16}, {0, 0}, 5},
};
// A wall in the upper gallery before the shaft, and a hole to the old chamber.
static const Action s_deepMine[] = {
	{0.5, 1.5, "build", {17.5f, 3}, {0, 0}, 10},
	{1.5, 2.5, "build", {17.5f, 5}, {0, 0}, 10},
	{4, 5, "dig", {5, 4}, {0, 0}, 10},
	{5, 6, "dig", {5, 4}, {0, 0}, 9},
	{6, 7, "dig", {5, 4}, {0, 0}, 8},
};
static const Action s_stormCrossing[] = {
	{0.5, 60, "drive", {1, 0}, {0, 0}, 0},
};

#define SCRIPT(file, actions)                                        \
	{                                                                \
		file, actions, (int)(sizeof(actions) / sizeof((actions)[0])) \
	}
static const LevelScript s_levelScripts[] = {
	SCRIPT("01_the_ford", s_theFord),
	SCRIPT("02_fire_brigade", s_fireBrigade),
	SCRIPT("03_rising_water", s_risingWater),
	SCRIPT("04_eureka", s_eureka),
	SCRIPT("05_wild_water", s_wildWater),
	SCRIPT("06_the_broom", s_theBroom),
	SCRIPT("07_the_sandcastle", s_sandcastle),
	SCRIPT("08_log_drive", s_logDrive),
	SCRIPT("09_the_lock", s_lock),
	SCRIPT("10_the_aquifer", s_aquifer),
	SCRIPT("11_dry_fields", s_dryFields),
	SCRIPT("12_the_backwater", s_backwater),
	SCRIPT("13_the_mine", s_theMine),
	SCRIPT("14_rain_harvest", s_rainHarvest),
	SCRIPT("15_sweet_water", s_sweetWater),
	SCRIPT("16_lava_flow", s_lavaFlow),
	SCRIPT("17_clean_water", s_cleanWater),
	SCRIPT("18_the_deep_mine", s_deepMine),
	SCRIPT("19_save_the_houses", s_saveTheHouses),
	SCRIPT("20_storm_crossing", s_stormCrossing),
};
#undef SCRIPT

enum
{
	levelScriptCount = (int)(sizeof(s_levelScripts) / sizeof(s_levelScripts[0])),
};
