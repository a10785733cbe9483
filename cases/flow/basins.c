// SPDX-License-Identifier: MIT

// F15: rain and pouring into a terrain with many basins. Ponds end at their spill levels, which are known exactly.

#include "kits/case_kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define TNC_BASIN_SIZE 96
#define TNC_BASIN_COUNT (TNC_BASIN_SIZE * TNC_BASIN_SIZE)
#define TNC_BASIN_SEED 11u
#define TNC_BASIN_MANNING 0.03

// Most water anywhere, meters: sets the time step.
#define TNC_BASIN_DEPTH 5.0

typedef struct tncBasins
{
	tncTable table;
	int32_t heights[TNC_BASIN_COUNT];
	int32_t levels[TNC_BASIN_COUNT];
	// Scratch of tncCollectPond.
	int32_t cells[TNC_BASIN_COUNT];
	bool seen[TNC_BASIN_COUNT];
} tncBasins;

static tncBasins* tncOpenBasins(tncContext* context)
{
	tncBasins* basins = calloc(1, sizeof(tncBasins));
	if (basins == NULL)
	{
		tncRequire(context, NAN, 0.0, 0.0, "out of memory");
		return NULL;
	}
	if (tncReadTable(context, "f15_basins.csv", &basins->table) == false)
	{
		free(basins);
		return NULL;
	}
	tncMakeTerrain256(TNC_BASIN_SIZE, TNC_BASIN_SIZE, TNC_BASIN_SEED, basins->heights);
	tncFloodToSpill(basins->heights, TNC_BASIN_SIZE, TNC_BASIN_SIZE, basins->levels);
	double defect =
		(double)tncCrc32(basins->levels, TNC_BASIN_COUNT) - tncGetRemark(&basins->table, "4-connected: crc32(F)=");
	tncRequire(context, defect, 0.0, 0.0, "checksum of the spill levels: difference");
	return basins;
}

static void tncCloseBasins(tncBasins* basins)
{
	tncFreeTable(&basins->table);
	free(basins);
}

static double tncGetPond(const tncBasins* basins, int pond, const char* column)
{
	return tncGetValue(&basins->table, pond, tncFindColumn(&basins->table, column));
}

// The cells around the pit whose ground is below a level, connected by edges. Returns their number.
static int tncCollectPond(tncBasins* basins, int pond, double level)
{
	for (int i = 0; i < TNC_BASIN_COUNT; ++i)
	{
		basins->seen[i] = false;
	}
	int pit = (int)tncGetPond(basins, pond, "pit_j") * TNC_BASIN_SIZE + (int)tncGetPond(basins, pond, "pit_i");
	basins->cells[0] = pit;
	basins->seen[pit] = true;
	int count = 1;
	for (int next = 0; next < count; ++next)
	{
		int cell = basins->cells[next];
		int column = cell % TNC_BASIN_SIZE;
		int row = cell / TNC_BASIN_SIZE;
		int neighbours[4] = {column > 0 ? cell - 1 : cell, column < TNC_BASIN_SIZE - 1 ? cell + 1 : cell,
			row > 0 ? cell - TNC_BASIN_SIZE : cell, row < TNC_BASIN_SIZE - 1 ? cell + TNC_BASIN_SIZE : cell};
		for (int i = 0; i < 4; ++i)
		{
			int other = neighbours[i];
			if (basins->seen[other] == false && basins->heights[other] < level)
			{
				basins->seen[other] = true;
				basins->cells[count] = other;
				count += 1;
			}
		}
	}
	return count;
}

static double tncGetBasinDepth(const tncRun* run, int cell)
{
	return (double)tncGetDepthRow(run, cell / TNC_BASIN_SIZE)[cell % TNC_BASIN_SIZE];
}

// Mean surface of the collected cells, meters.
static double tncMeasureLevel(const tncRun* run, const tncBasins* basins, int count)
{
	double sum = 0.0;
	for (int i = 0; i < count; ++i)
	{
		int cell = basins->cells[i];
		sum += tncGetBasinDepth(run, cell) + basins->heights[cell] / 256.0;
	}
	return sum / count;
}

static tncScene tncMakeBasinScene(tncContext* context, const tncBasins* basins)
{
	tncScene scene = tncMakeScene(context, TNC_BASIN_SIZE, TNC_BASIN_SIZE, 1.0, 1.0, 0);
	for (int i = 0; i < TNC_BASIN_COUNT && scene.bed != NULL; ++i)
	{
		scene.bed[i] = (float)basins->heights[i] / 256.0f;
	}
	for (int side = 0; side < tn_sideCount; ++side)
	{
		scene.def.edges[side].kind = tn_openEdge;
	}
	scene.def.manning = (float)TNC_BASIN_MANNING;
	return scene;
}

// Errors of the levels of the ponds, in millimeters.
static tncSeries* tncDrawPonds(tncContext* context, tncRange realistic, tncRange ambitious)
{
	tncPanel* panel = tncAddPanel(context, "pond, largest first", "level error (mm)", "levels of the ponds");
	tncSeries* exact = tncPanel_AddSeries(panel, tnc_referenceRole, tnc_levelMark, "exact");
	tncSeries_AddPoint(exact, 0.0, 0.0);
	tncPanel_AddLimits(panel, 1000.0 * realistic.lower, 1000.0 * ambitious.lower);
	tncPanel_AddLimits(panel, 1000.0 * realistic.upper, 1000.0 * ambitious.upper);
	return tncPanel_AddSeries(panel, tnc_resultRole, tnc_dotMark, "computed");
}

// A section through the middle of the largest pond.
static void tncDrawBasins(const tncRun* run, const tncBasins* basins)
{
	int row = (int)tncGetPond(basins, 0, "pit_j");
	tncPanel* panel = tncAddPanel(run->context, "x (m)", "height (m)", "section through the largest pond");
	tncSeries* ground = tncPanel_AddSeries(panel, tnc_groundRole, tnc_lineMark, "bed");
	tncSeries* exact = tncPanel_AddSeries(panel, tnc_referenceRole, tnc_lineMark, "exact");
	tncSeries* result = tncPanel_AddSeries(panel, tnc_resultRole, tnc_lineMark, "computed");
	for (int column = 0; column < TNC_BASIN_SIZE && panel != NULL; ++column)
	{
		int cell = row * TNC_BASIN_SIZE + column;
		double bed = basins->heights[cell] / 256.0;
		double depth = tncGetBasinDepth(run, cell);
		tncSeries_AddPoint(ground, column + 0.5, bed);
		bool inPond = basins->levels[cell] > basins->heights[cell];
		tncSeries_AddPoint(exact, column + 0.5, inPond ? basins->levels[cell] / 256.0 : NAN);
		// A film of a millimeter is no pond.
		tncSeries_AddPoint(result, column + 0.5, depth > 1.0e-3 ? bed + depth : NAN);
	}
}

void tncRunRainOnBasins(tncContext* context)
{
	const double rain = 2.0e-3;
	const double rainSeconds = 600.0;
	const double drySeconds = context->config.ends ? 3600.0 : 7200.0;
	tncBasins* basins = tncOpenBasins(context);
	if (basins == NULL)
	{
		return;
	}
	tncScene scene = tncMakeBasinScene(context, basins);
	scene.rain = (float)rain;
	tncRun run;
	if (tncStartRun(context, &scene, tnc_transpose | tnc_flipColumns, &run))
	{
		double timeStep = tncGetTimeStep(1.0, TNC_BASIN_DEPTH, 0.5);
		tncAdvance(&run, rainSeconds, timeStep);
		// By now all ponds have filled and spilled. The rest is long and quiet.
		tncDropTwin(&run, "rain of 600 s");
		double fallen = tnWorld_GetLedger(run.world).rain;
		tncRequire(
			context, fabs(fallen / (rain * rainSeconds * TNC_BASIN_COUNT) - 1.0), 0.0, 1.0e-5, "rain: volume: error");
		tncRun_SetRain(&run, 0.0);
		tncAdvance(&run, drySeconds, timeStep);

		double lowest = INFINITY;
		double highest = -INFINITY;
		double sum = 0.0;
		tncRange realistic = {-0.001, 0.06};
		tncRange ambitious = {-0.001, 0.025};
		tncSeries* errors = tncDrawPonds(context, realistic, ambitious);
		for (int pond = 0; pond < basins->table.rowCount; ++pond)
		{
			double level = tncGetPond(basins, pond, "level");
			int count = tncCollectPond(basins, pond, level);
			tncRequire(
				context, count - tncGetPond(basins, pond, "cells"), 0.0, 0.0, "pond %d: cells: difference", pond);
			double error = tncMeasureLevel(&run, basins, count) - level / 256.0;
			tncTell(context, error, "pond %d: level error (m)", pond);
			tncSeries_AddPoint(errors, pond, 1000.0 * error);
			lowest = fmin(lowest, error);
			highest = fmax(highest, error);
			sum += error;
		}
		double mean = sum / basins->table.rowCount;
		// Below its sill a pond has lost water, which no method may.
		tncRequire(context, lowest, realistic.lower, INFINITY, "ponds: lowest level error (m)");
		tncJudgeRange(context, true, highest, realistic, ambitious, "ponds: highest level error (m)");
		tncJudge(context, true, mean, 0.007, 0.0035, "ponds: mean level error (m)");

		double film = 0.0;
		double stored = 0.0;
		for (int i = 0; i < TNC_BASIN_COUNT; ++i)
		{
			bool inPond = basins->levels[i] > basins->heights[i];
			double depth = tncGetBasinDepth(&run, i);
			film += inPond ? 0.0 : depth;
			stored += inPond ? depth : 0.0;
		}
		double exact = tncGetRemark(&basins->table, "stored_volume=") / 256.0;
		tncTell(context, stored / exact - 1.0, "stored volume: error");
		tncTell(context, film, "film outside of ponds (m3)");
		tncDrawBasins(&run, basins);
		tncJudgeGates(&run, "rain");
		tncEndRun(&run);
	}
	tncFreeScene(&scene);
	tncCloseBasins(basins);
}

// Steps of a pour: the rate is fitted so that a whole number of steps brings the exact volume.
static void tncPour(tncContext* context, tncBasins* basins, tncRun* run, double timeStep)
{
	const double rate = 0.05;
	double longest = 0.0;
	for (int pond = 0; pond < basins->table.rowCount; ++pond)
	{
		longest = fmax(longest, tncGetPond(basins, pond, "half_volume256") / 256.0 / rate);
	}
	int stepCount = (int)ceil(longest / timeStep);
	tncSourcePair sources[64] = {0};
	int left[64] = {0};
	for (int pond = 0; pond < basins->table.rowCount && pond < 64; ++pond)
	{
		double volume = tncGetPond(basins, pond, "half_volume256") / 256.0;
		left[pond] = (int)ceil(volume / (rate * timeStep));
		tnSourceDef def = tnDefaultSourceDef();
		def.center.x = (float)tncGetPond(basins, pond, "pit_i") + 0.5f;
		def.center.z = (float)tncGetPond(basins, pond, "pit_j") + 0.5f;
		// Only the pit cell has its centre inside.
		def.radius = 0.4f;
		def.rate = (float)(volume / (left[pond] * timeStep));
		sources[pond] = tncRun_CreateSource(run, &def);
	}
	tncRequire(context, run->failed ? 1.0 : 0.0, 0.0, 0.0, "sources that were refused");

	for (int step = 0; step < stepCount; ++step)
	{
		tncSteps(run, 1, timeStep);
		for (int pond = 0; pond < basins->table.rowCount && pond < 64; ++pond)
		{
			left[pond] -= 1;
			if (left[pond] == 0)
			{
				tncRun_DestroySource(run, sources[pond]);
			}
		}
	}
}

// All ponds at once: up to its half level none reaches another hollow.
void tncRunPartlyFilledBasins(tncContext* context)
{
	tncBasins* basins = tncOpenBasins(context);
	if (basins == NULL)
	{
		return;
	}
	tncScene scene = tncMakeBasinScene(context, basins);
	tncRun run;
	if (tncStartRun(context, &scene, tnc_transpose | tnc_flipRows, &run))
	{
		double timeStep = tncGetTimeStep(1.0, TNC_BASIN_DEPTH, 0.5);
		tncPour(context, basins, &run, timeStep);
		tncAdvance(&run, 600.0, timeStep);

		double worst = 0.0;
		double poured = 0.0;
		tncSeries* errors = tncDrawPonds(context, (tncRange){-0.01, 0.01}, (tncRange){-0.001, 0.001});
		for (int pond = 0; pond < basins->table.rowCount; ++pond)
		{
			double level = tncGetPond(basins, pond, "half_level");
			int count = tncCollectPond(basins, pond, level);
			double error = tncMeasureLevel(&run, basins, count) - level / 256.0;
			tncTell(context, error, "pond %d: level error (m)", pond);
			tncSeries_AddPoint(errors, pond, 1000.0 * error);
			worst = fmax(worst, fabs(error));
			poured += tncGetPond(basins, pond, "half_volume256") / 256.0;
		}
		tncJudge(context, true, worst, 0.01, 0.001, "ponds: largest level error (m)");
		tncRequire(context, fabs(tncGetVolume(run.world) / poured - 1.0), 0.0, 1.0e-5, "poured volume: error");
		tncJudgeGates(&run, "poured");
		tncEndRun(&run);
	}
	tncFreeScene(&scene);
	tncCloseBasins(basins);
}
