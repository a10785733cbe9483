// SPDX-License-Identifier: MIT

// Watches the goals of a level.

#include "levels/level_state.h"

#include "bodies/scene_water.h"
#include "world/scene_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const tnsLevelInfo* tnsScene_GetLevel(const tnsScene* scene)
{
	return scene != NULL && scene->hasLevel ? &scene->level : NULL;
}

const char* tnsGetLevelStateName(tnsLevelState state)
{
	static const char* const names[tns_levelStateCount] = {"playing", "won", "lost"};
	return (int)state >= 0 && state < tns_levelStateCount ? names[state] : "";
}

// ---------------------------------------------------------------------------------------------------------------------
// Measuring

bool tnsIsInRegion(const tnRegionDef* region, double x, double z)
{
	const double dx = x - (double)region->center.x, dz = z - (double)region->center.z;
	const double ex = (double)region->extent.x, ez = (double)region->extent.z;
	return region->shape == tn_discRegion ? dx * dx + dz * dz <= ex * ex : fabs(dx) <= ex && fabs(dz) <= ez;
}

static int tnsClampCell(double cell, int count)
{
	return cell < 0.0 ? 0 : cell > count - 1 ? count - 1 : (int)cell;
}

// Mean concentration in the water of the cells whose centres are inside.
static double tnsMeasureTracer(const tnWorld* world, const tnRegionDef* region, int channel)
{
	const tnWorldDef def = tnWorld_GetDef(world);
	const tnFieldView depth = tnWorld_GetDepth(world), tracer = tnWorld_GetTracer(world, channel);
	const double size = (double)def.cellSize, left = (double)def.origin.x, top = (double)def.origin.z;
	const double cx = (double)region->center.x - left, cz = (double)region->center.z - top;
	const double ex = (double)region->extent.x;
	const double ez = region->shape == tn_discRegion ? ex : (double)region->extent.z;
	const int lastColumn = tnsClampCell((cx + ex) / size, depth.columnCount);
	const int lastRow = tnsClampCell((cz + ez) / size, depth.rowCount);
	double water = 0.0, carried = 0.0;
	for (int row = tnsClampCell((cz - ez) / size, depth.rowCount); row <= lastRow; ++row)
	{
		for (int column = tnsClampCell((cx - ex) / size, depth.columnCount); column <= lastColumn; ++column)
		{
			if (tnsIsInRegion(region, left + (column + 0.5) * size, top + (row + 0.5) * size))
			{
				const size_t offset = (size_t)row;
				const double d = (double)depth.data[offset * (size_t)depth.stride + (size_t)column];
				water += d;
				carried += d * (double)tracer.data[offset * (size_t)tracer.stride + (size_t)column];
			}
		}
	}
	return water > 0.0 ? carried / water : 0.0;
}

bool tnsLevel_IsVoxels(const tnsLevel* level)
{
	return level->run->water.voxels != NULL;
}

static int tnsFloorVoxel(double height, int count)
{
	return height <= 0.0 ? 0 : height >= count ? count : (int)floor(height);
}

// Depth, wet share and volume of a liquid in the voxels whose middles are over the region and between the heights. A column is wet when it
// holds a quarter of a voxel.
static double tnsMeasureVoxels(const tnsRun* run, const tnsGoal* goal, const tnRegionDef* region)
{
	const tnVoxelWorldDef def = tnVoxelWorld_GetDef(run->water.voxels);
	const tnVoxel n = run->water.size;
	const double size = (double)def.voxelSize, cap = (double)def.cap;
	const double ex = (double)region->extent.x, ez = region->shape == tn_discRegion ? ex : (double)region->extent.z;
	const int bottom = tnsFloorVoxel((double)goal->low / size + 0.5, n.y);
	const int top = tnsFloorVoxel((double)goal->high / size + 0.5, n.y);
	const int lastColumn = tnsClampCell(((double)region->center.x + ex) / size, n.x);
	const int lastRow = tnsClampCell(((double)region->center.z + ez) / size, n.z);
	double deepest = 0.0, volume = 0.0;
	int columns = 0, wet = 0;
	for (int z = tnsClampCell(((double)region->center.z - ez) / size, n.z); z <= lastRow; ++z)
	{
		for (int x = tnsClampCell(((double)region->center.x - ex) / size, n.x); x <= lastColumn; ++x)
		{
			if (tnsIsInRegion(region, (x + 0.5) * size, (z + 0.5) * size) == false)
			{
				continue;
			}
			double sum = 0.0;
			for (int y = bottom; y < top; ++y)
			{
				const tnVoxelState state = tnVoxelWorld_GetVoxel(run->water.voxels, (tnVoxel){x, y, z});
				sum += state.liquid == goal->liquid ? (double)state.amount / cap : 0.0;
			}
			volume += sum * size * size * size;
			deepest = fmax(deepest, sum * size);
			columns += 1;
			wet += sum >= 0.25 ? 1 : 0;
		}
	}
	return goal->measure == tns_depthMeasure ? deepest
		: goal->measure == tns_volumeMeasure ? volume
		: columns > 0                        ? (double)wet / columns
											 : 0.0;
}

static double tnsMeasureBodies(const tnsRun* run, const tnsGoal* goal, const tnRegionDef* region)
{
	double value = 0.0;
	for (int i = goal->bodyBegin; i < goal->bodyEnd; ++i)
	{
		tnsBody body;
		if (tnsRun_GetBody(run, i, &body) == false)
		{
			continue;
		}
		const tnVec3 p = body.pose.position;
		tnBodyState state;
		if (goal->measure == tns_submergedMeasure)
		{
			const tnResult known = tnsWater_GetBodyState(&run->water, body.id, &state);
			const bool solid = known.status == tn_ok && state.volume > 0.0f;
			value = fmax(value, solid ? (double)state.submergedVolume / (double)state.volume : 0.0);
		}
		else if (p.y >= goal->low && p.y <= goal->high && tnsIsInRegion(region, (double)p.x, (double)p.z))
		{
			value += 1.0;
		}
	}
	return value;
}

static double tnsMeasureGoal(const tnsRun* run, const tnsGoal* goal)
{
	const tnRegionDef region = tnsScene_GetRegionDef(tnsRun_GetScene(run), goal->region);
	const tnWorld* world = tnsRun_GetWorld(run);
	tnRegionState state;
	switch (goal->measure)
	{
		case tns_tracerMeasure:
			return tnsMeasureTracer(world, &region, goal->tracer);
		case tns_bodiesMeasure:
		case tns_submergedMeasure:
			return tnsMeasureBodies(run, goal, &region);
		default:
			break;
	}
	if (run->water.voxels != NULL)
	{
		return tnsMeasureVoxels(run, goal, &region);
	}
	if (tnWorld_MeasureRegion(world, &region, &state).status != tn_ok)
	{
		return 0.0;
	}
	return goal->measure == tns_depthMeasure ? (double)state.maxDepth
		: goal->measure == tns_volumeMeasure ? state.volume
		: state.area > 0.0                   ? state.wetArea / state.area
											 : 0.0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Goals

static bool tnsIsTrue(const tnsGoal* goal, double value)
{
	return goal->atMost ? value <= goal->limit : value >= goal->limit;
}

static void tnsUpdateGoal(tnsLevel* level, int index, double seconds)
{
	const tnsGoal* goal = level->info->goals + index;
	tnsGoalState* state = level->goals + index;
	state->value = tnsMeasureGoal(level->run, goal);
	const bool kept = goal->once && state->done;
	const bool holds = tnsIsTrue(goal, state->value);
	state->heldFor = kept ? state->heldFor : holds ? state->heldFor + seconds : 0.0;
	// A sum of steps is not the whole to the last bit.
	const double slack = 1.0e-6;
	state->done = kept || (holds && state->heldFor >= goal->seconds - slack);
}

static float tnsGetProgress(const tnsGoal* goal, const tnsGoalState* state)
{
	if (state->done)
	{
		return 1.0f;
	}
	double near = 1.0;
	if (tnsIsTrue(goal, state->value) == false)
	{
		// From where it began: a bar starts empty. What was true at first and is so no more has no such way.
		const bool began = tnsIsTrue(goal, state->first) == false;
		near = began       ? (state->value - state->first) / (goal->limit - state->first)
			: goal->atMost ? goal->limit / state->value
						   : state->value / goal->limit;
		near = near > 0.0 ? near : 0.0;
	}
	// Half for getting there, half for staying.
	return (float)(goal->seconds > 0.0 ? 0.5 * near + 0.5 * fmin(1.0, state->heldFor / goal->seconds) : near);
}

static void tnsDecide(tnsLevel* level)
{
	const tnsLevelInfo* info = level->info;
	// The clock of the run is a sum of steps, too.
	const bool over = level->time >= info->timeLimit - 1.0e-6;
	bool all = true;
	for (int i = 0; i < info->goalCount; ++i)
	{
		if (info->goals[i].loses && level->goals[i].done)
		{
			level->state = tns_levelLost;
			level->losingGoal = i;
			return;
		}
		all = all && (info->goals[i].loses || level->goals[i].done);
	}
	if (all && (over || info->winsAtEnd == false))
	{
		level->state = tns_levelWon;
	}
	else if (over)
	{
		level->state = tns_levelLost;
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Levels

static tnResult tnsMakeHose(tnsLevel* level)
{
	const tnsLevelHose* hose = &level->info->hose;
	tnJetDef def = tnDefaultJetDef();
	def.position = hose->position;
	def.rate = 0.0f;
	return hose->given ? tnWorld_CreateJet(tnsRun_GetWorld(level->run), &def, &level->jet) : (tnResult){0};
}

tnsLevel* tnsCreateLevel(tnsRun* run, tnsResult* result)
{
	tnsResult unused;
	result = result != NULL ? result : &unused;
	*result = (tnsResult){0};
	if (run == NULL)
	{
		*result = tnsMakeError(tns_invalidArgument, "a level needs a run");
		return NULL;
	}
	const tnsLevelInfo* info = tnsScene_GetLevel(tnsRun_GetScene(run));
	if (info == NULL)
	{
		return NULL;
	}
	tnsLevel* level = calloc(1, sizeof(tnsLevel));
	if (level == NULL)
	{
		*result = tnsMakeError(tns_outOfMemory, "out of memory for a level");
		return NULL;
	}
	level->run = run;
	level->info = info;
	level->begin = tnsWater_GetTime(&run->water);
	level->losingGoal = -1;
	for (int i = 0; i < info->toolCount; ++i)
	{
		level->left[i] = info->tools[i].budget;
	}
	const tnResult made = tnsMakeHose(level);
	if (made.status != tn_ok)
	{
		*result = tnsMakeError(tns_worldError, "the hose of the level: %s", made.text);
		free(level);
		return NULL;
	}
	// What stands in the report before the first step; nothing is decided yet.
	for (int i = 0; i < info->goalCount; ++i)
	{
		level->goals[i].value = level->goals[i].first = tnsMeasureGoal(run, info->goals + i);
	}
	return level;
}

void tnsDestroyLevel(tnsLevel* level)
{
	free(level);
}

void tnsLevel_Update(tnsLevel* level)
{
	if (level->state != tns_levelPlaying)
	{
		return;
	}
	const double now = tnsWater_GetTime(&level->run->water) - level->begin;
	const double seconds = now - level->time;
	level->time = now;
	for (int i = 0; i < level->info->goalCount; ++i)
	{
		tnsUpdateGoal(level, i, seconds);
		const double danger = (double)tnsGetProgress(level->info->goals + i, level->goals + i);
		level->worstDanger = level->info->goals[i].loses ? fmax(level->worstDanger, danger) : level->worstDanger;
	}
	tnsDecide(level);
	tnsLevel_PayHose(level);
}

tnsLevelState tnsLevel_GetState(const tnsLevel* level)
{
	return level->state;
}

double tnsLevel_GetTime(const tnsLevel* level)
{
	return level->time;
}

double tnsLevel_GetTimeLeft(const tnsLevel* level)
{
	return fmax(0.0, level->info->timeLimit - level->time);
}

const tnsLevelInfo* tnsLevel_GetInfo(const tnsLevel* level)
{
	return level->info;
}

tnsRun* tnsLevel_GetRun(const tnsLevel* level)
{
	return level->run;
}

tnsGoalReport tnsLevel_GetGoal(const tnsLevel* level, int index)
{
	if (index < 0 || index >= level->info->goalCount)
	{
		return (tnsGoalReport){0};
	}
	const tnsGoal* goal = level->info->goals + index;
	const tnsGoalState* state = level->goals + index;
	tnsGoalReport report = {.value = state->value,
		.limit = goal->limit,
		.heldFor = state->heldFor,
		.progress = tnsGetProgress(goal, state),
		.count = -1,
		.needed = -1,
		.done = state->done};
	if (goal->measure == tns_bodiesMeasure)
	{
		// Those that are gone are counted, where so few of them may be left.
		report.count = (int)(goal->atMost ? fmax(0.0, state->first - state->value) : state->value);
		report.needed = (int)ceil(goal->atMost ? state->first - goal->limit : goal->limit);
	}
	return report;
}

int tnsLevel_GetLosingGoal(const tnsLevel* level)
{
	return level->losingGoal;
}

double tnsLevel_GetSuspense(const tnsLevel* level)
{
	const tnsLevelInfo* info = level->info;
	if (level->state != tns_levelPlaying)
	{
		return 0.0;
	}
	double suspense = tnsLevel_GetTimeLeft(level), longest = 0.0;
	bool all = info->winsAtEnd == false;
	for (int i = 0; i < info->goalCount; ++i)
	{
		const tnsGoal* goal = info->goals + i;
		const tnsGoalState* state = level->goals + i;
		const bool holds = state->done || tnsIsTrue(goal, state->value);
		const double wait = state->done ? 0.0 : fmax(0.0, goal->seconds - state->heldFor);
		if (goal->loses)
		{
			suspense = holds ? fmin(suspense, wait) : suspense;
			continue;
		}
		all = all && holds;
		longest = fmax(longest, wait);
	}
	return all ? fmin(suspense, longest) : suspense;
}

static bool tnsIsLiquidTool(const char* name)
{
	return strcmp(name, "pour") == 0 || strcmp(name, "drain") == 0 || strcmp(name, "hose") == 0 ||
		strcmp(name, "lava") == 0;
}

tnsStars tnsLevel_GetStars(const tnsLevel* level)
{
	const tnsLevelInfo* info = level->info;
	const tnsStarRules* rules = &info->stars;
	tnsStars stars = {.worstDanger = level->worstDanger};
	for (int i = 0; i < info->toolCount; ++i)
	{
		const double budget = info->tools[i].budget;
		const double used = isfinite(budget) && budget > 0.0 ? 1.0 - level->left[i] / budget : 0.0;
		double* most = tnsIsLiquidTool(info->tools[i].name) ? &stars.waterUsed : &stars.toolsUsed;
		*most = fmax(*most, used);
	}
	const bool won = level->state == tns_levelWon;
	stars.time = won && rules->time >= 0.0 && level->time <= rules->time + 1.0e-6;
	stars.tools = won && rules->tools >= 0.0 && stars.toolsUsed <= rules->tools;
	stars.water = won && rules->water >= 0.0 && stars.waterUsed <= rules->water;
	stars.danger = won && rules->danger >= 0.0 && level->worstDanger <= rules->danger;
	stars.count = won + stars.time + stars.tools + stars.water + stars.danger;
	stars.most = 1 + (rules->time >= 0.0) + (rules->tools >= 0.0) + (rules->water >= 0.0) + (rules->danger >= 0.0);
	return stars;
}
