// SPDX-License-Identifier: MIT

// F01: water at rest stays at rest, exactly, whatever the ground.

#include "kits/case_kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define TNC_LAKE_SIZE 64
#define TNC_LAKE_SEED 7u
#define TNC_BASIN_SIZE 96
#define TNC_BASIN_SEED 11u

// Steps of a lake at rest.
#define TNC_REST_STEPS 10000
// Steps after which it is looked at for the first time.
#define TNC_SOON_STEPS 1000

typedef struct tncRestResult
{
	double speed, surface, volume;
	int64_t flips;
} tncRestResult;

static void tncCompareRest(tncRun* run, const tncScene* scene, tncRestResult* rest)
{
	*rest = (tncRestResult){0};
	rest->speed = tncGetMaxSpeed(run);
	tnFieldView depth = tnWorld_GetDepth(run->world);
	for (int row = 0; row < run->rowCount; ++row)
	{
		for (int column = 0; column < run->columnCount; ++column)
		{
			float before = scene->depth[row * run->columnCount + column];
			float after = depth.data[row * depth.stride + column];
			double change = fabs((double)after - (double)before);
			rest->surface = change <= rest->surface ? rest->surface : change;
			rest->flips += (before > 0.0f) != (after > 0.0f) ? 1 : 0;
		}
	}
	rest->volume = tncGetVolume(run->world) - run->startVolume;
}

// Step with the largest stable time step and compare with the start.
static void tncMeasureRest(tncRun* run, const tncScene* scene, int stepCount, tncRestResult* rest)
{
	// A first tiny step makes the library tell its limit.
	tncSteps(run, 1, 1.0e-3);
	double timeStep = (double)tnWorld_GetStats(run->world).stableTimeStep;
	int soon = stepCount < TNC_SOON_STEPS ? stepCount : TNC_SOON_STEPS;
	bool isStill = true;
	for (int last = 0; last < 2 && isStill; ++last)
	{
		tncSteps(run, last == 0 ? soon - 1 : 1, timeStep);
		tncCompareRest(run, scene, rest);
		isStill = rest->speed == 0.0 && rest->surface == 0.0 && rest->volume == 0.0;
	}
	// Twice in a row not a bit of the depths has changed and nothing flows: so the last step has changed nothing at all, and
	// nor will those that follow.
	if (isStill == false)
	{
		tncSteps(run, stepCount - (int)(tnWorld_GetStats(run->world).stepCount - 1), timeStep);
		tncCompareRest(run, scene, rest);
	}
}

// The row with the most wet cells.
static int tncFindWettestRow(const tncScene* scene)
{
	int best = 0;
	int most = -1;
	for (int row = 0; row < scene->def.rowCount; ++row)
	{
		int count = 0;
		for (int column = 0; column < scene->def.columnCount; ++column)
		{
			count += scene->depth[row * scene->def.columnCount + column] > 0.0f ? 1 : 0;
		}
		best = count > most ? row : best;
		most = count > most ? count : most;
	}
	return best;
}

// A section before and after. Water at rest is its own reference.
static void tncDrawRest(const tncRun* run, const tncScene* scene, const char* label)
{
	int row = tncFindWettestRow(scene);
	const float* depth = tncGetDepthRow(run, row);
	tncPanel* panel = tncAddPanel(run->context, "x (m)", "height (m)", "%s", label);
	tncSeries* ground = tncPanel_AddSeries(panel, tnc_groundRole, tnc_lineMark, "bed");
	tncSeries* before = tncPanel_AddSeries(panel, tnc_referenceRole, tnc_lineMark, "surface at the start");
	tncSeries* after = tncPanel_AddSeries(panel, tnc_resultRole, tnc_lineMark, "surface after 10 000 steps");
	for (int column = 0; column < run->columnCount && panel != NULL; ++column)
	{
		double x = (column + 0.5) * run->cellSize;
		int cell = row * run->columnCount + column;
		double bed = (double)scene->bed[cell];
		double start = (double)scene->depth[cell];
		double end = (double)depth[column];
		tncSeries_AddPoint(ground, x, bed);
		tncSeries_AddPoint(before, x, start > 0.0 ? bed + start : NAN);
		tncSeries_AddPoint(after, x, end > 0.0 ? bed + end : NAN);
	}
}

static void tncJudgeRest(tncContext* context, tncScene* scene, int twinTurn, bool exact, const char* label)
{
	// Sleep would stop the water after the first exact step: here all steps are to be taken.
	scene->def.enableSleep = false;
	tncRun run;
	if (tncStartRun(context, scene, twinTurn, &run) == false)
	{
		return;
	}
	tncRestResult rest;
	tncMeasureRest(&run, scene, TNC_REST_STEPS, &rest);
	tncDrawRest(&run, scene, label);

	// Without exact heights the level is off by half a bit of depth in each cell, and the water may find its level.
	double limit = exact ? 0.0 : 1.0e-5;
	tncJudgeProperty(context, rest.speed, limit, exact ? 0.0 : 1.0e-6, "%s: fastest (m/s)", label);
	tncJudgeProperty(context, rest.surface, limit, limit, "%s: surface change (m)", label);
	tncRequire(context, (double)rest.flips, 0.0, 0.0, "%s: cells that became wet or dry", label);
	if (exact)
	{
		tncRequire(context, rest.volume, 0.0, 0.0, "%s: volume change (m3)", label);
	}
	tncJudgeGates(&run, label);
	tncEndRun(&run);
}

static void tncFillLake(tncScene* scene, const int32_t* heights, double level)
{
	int count = scene->def.columnCount * scene->def.rowCount;
	for (int i = 0; i < count; ++i)
	{
		scene->bed[i] = (float)heights[i] / 256.0f;
		scene->depth[i] = (float)fmax(0.0, level - (double)scene->bed[i]);
	}
}

static void tncRunTerrainLakes(tncContext* context, const tncTable* table)
{
	enum
	{
		count = TNC_LAKE_SIZE * TNC_LAKE_SIZE
	};
	int32_t* heights = malloc(count * sizeof(int32_t));
	int32_t* depths = malloc(count * sizeof(int32_t));
	tncScene scene = tncMakeScene(context, TNC_LAKE_SIZE, TNC_LAKE_SIZE, 1.0, 2.0, 0);
	if (heights == NULL || depths == NULL || scene.depth == NULL || scene.bed == NULL)
	{
		tncRequire(context, NAN, 0.0, 0.0, "out of memory");
		free(heights);
		free(depths);
		tncFreeScene(&scene);
		return;
	}

	tncMakeTerrain256(TNC_LAKE_SIZE, TNC_LAKE_SIZE, TNC_LAKE_SEED, heights);
	double bedDefect = (double)tncCrc32(heights, count) - tncGetRemark(table, "crc32(z)=");
	tncRequire(context, bedDefect, 0.0, 0.0, "checksum of the bed: difference");

	for (int row = 0; row < table->rowCount; ++row)
	{
		int level = (int)tncGetValue(table, row, tncFindColumn(table, "level256"));
		for (int i = 0; i < count; ++i)
		{
			depths[i] = heights[i] < level ? level - heights[i] : 0;
		}
		double defect = (double)tncCrc32(depths, count) - tncGetValue(table, row, tncFindColumn(table, "crc32_h"));
		tncRequire(context, defect, 0.0, 0.0, "a level %d: checksum of the depths: difference", level);

		char label[32];
		snprintf(label, sizeof(label), "a level %d", level);
		tncFillLake(&scene, heights, level / 256.0);
		tncJudgeRest(context, &scene, 1 + 2 * row, true, label);
	}

	// The level of variant b has no finite binary expansion.
	tncFillLake(&scene, heights, 7.03 + 0.1 / 3.0);
	tncJudgeRest(context, &scene, tnc_transpose | tnc_flipRows, false, "b uneven level");

	free(heights);
	free(depths);
	tncFreeScene(&scene);
}

// Every pond at its own spill level and all edges open: part c of F01 and part a of F15.
static void tncJudgeFilledBasins(tncContext* context, int twinTurn, const char* label)
{
	enum
	{
		count = TNC_BASIN_SIZE * TNC_BASIN_SIZE
	};
	tncTable table;
	if (tncReadTable(context, "f15_basins.csv", &table) == false)
	{
		return;
	}

	int32_t* heights = malloc(count * sizeof(int32_t));
	int32_t* levels = malloc(count * sizeof(int32_t));
	tncScene scene = tncMakeScene(context, TNC_BASIN_SIZE, TNC_BASIN_SIZE, 1.0, 2.0, 0);
	if (heights != NULL && levels != NULL && scene.bed != NULL && scene.depth != NULL)
	{
		tncMakeTerrain256(TNC_BASIN_SIZE, TNC_BASIN_SIZE, TNC_BASIN_SEED, heights);
		tncFloodToSpill(heights, TNC_BASIN_SIZE, TNC_BASIN_SIZE, levels);
		tncRequire(context, (double)tncCrc32(heights, count) - tncGetRemark(&table, "crc32(z)="), 0.0, 0.0,
			"%s: checksum of the bed: difference", label);
		tncRequire(context, (double)tncCrc32(levels, count) - tncGetRemark(&table, "4-connected: crc32(F)="), 0.0, 0.0,
			"%s: checksum of the spill levels: difference", label);
		for (int i = 0; i < count; ++i)
		{
			scene.bed[i] = (float)heights[i] / 256.0f;
			scene.depth[i] = (float)(levels[i] - heights[i]) / 256.0f;
		}
		for (int side = 0; side < tn_sideCount; ++side)
		{
			scene.def.edges[side].kind = tn_openEdge;
		}
		tncJudgeRest(context, &scene, twinTurn, true, label);
	}
	else
	{
		tncRequire(context, NAN, 0.0, 0.0, "out of memory");
	}
	free(heights);
	free(levels);
	tncFreeScene(&scene);
	tncFreeTable(&table);
}

static void tncRunCheckerboard(tncContext* context)
{
	tncScene scene = tncMakeScene(context, 63, 41, 1.0, 2.0, 0);
	if (scene.bed != NULL && scene.depth != NULL)
	{
		for (int row = 0; row < 41; ++row)
		{
			for (int column = 0; column < 63; ++column)
			{
				int cell = row * 63 + column;
				scene.bed[cell] = (row + column) % 2 == 0 ? 0.5f : -0.5f;
				scene.depth[cell] = 2.0f - scene.bed[cell];
			}
		}
	}
	tncJudgeRest(context, &scene, tnc_flipRows, true, "d checkerboard");
	tncFreeScene(&scene);
}

void tncRunLakeAtRest(tncContext* context)
{
	tncTable table;
	if (tncReadTable(context, "f01_lake_at_rest.csv", &table))
	{
		tncRunTerrainLakes(context, &table);
		tncFreeTable(&table);
	}
	tncSetPanelColumns(context, 3);
	tncJudgeFilledBasins(context, tnc_transpose, "c ponds at their spill levels");
	tncRunCheckerboard(context);
}

void tncRunFilledBasins(tncContext* context)
{
	tncJudgeFilledBasins(context, tnc_transpose | tnc_flipColumns | tnc_flipRows, "filled");
}
