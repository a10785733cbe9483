// SPDX-License-Identifier: MIT

// Watches the goals of a level.

#include "levels/level_state.h"

#include <math.h>
#include <stdlib.h>

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
			const tnResult known = tnWorld_GetBodyState(tnsRun_GetWorld(run), body.id, &state);
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
		near = goal->atMost ? goal->limit / state->value : state->value / goal->limit;
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
	level->begin = tnsRun_GetTime(run);
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
		level->goals[i].value = tnsMeasureGoal(run, info->goals + i);
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
	const double now = tnsRun_GetTime(level->run) - level->begin;
	const double seconds = now - level->time;
	level->time = now;
	for (int i = 0; i < level->info->goalCount; ++i)
	{
		tnsUpdateGoal(level, i, seconds);
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

tnsGoalReport tnsLevel_GetGoal(const tnsLevel* level, int index)
{
	if (index < 0 || index >= level->info->goalCount)
	{
		return (tnsGoalReport){0};
	}
	const tnsGoal* goal = level->info->goals + index;
	const tnsGoalState* state = level->goals + index;
	return (tnsGoalReport){state->value, goal->limit, state->heldFor, tnsGetProgress(goal, state), state->done};
}

int tnsLevel_GetLosingGoal(const tnsLevel* level)
{
	return level->losingGoal;
}
