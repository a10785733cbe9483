// SPDX-License-Identifier: MIT

// F12: the library's own time step limit, and runs that ask for far too much.

#include "kits/case_kit.h"

#include <math.h>
#include <stdio.h>

// Largest random noise, meters.
#define TNC_NOISE_HEIGHT 1.0e-3

#define TNC_NOISE_COLUMNS 33
#define TNC_NOISE_ROWS 21
#define TNC_NOISE_STEPS 10000

// Noise is measured every so many steps.
#define TNC_NOISE_INTERVAL 100

// How much larger than at the start noise may become: twice by the case, unless it would be more without any
// instability. Two things make it so.
//
// Rounding. Water of 500 m has 31 um between one float and the next, and each step rounds every depth by up to half of
// that: after 10 000 steps such errors have walked as far as the noise is high. So the same noise is run for as many
// steps with a quarter of the time step, far inside any limit: what it grows to there is owed to rounding and to the
// chance in the largest of many values.
//
// The start. Faces are half a step behind the cells. A wave of phase step theta that is at rest there has an amplitude
// of 1 / cos(theta / 2) times the height it starts with, by the exact solution of the scheme, in which
//
//   sin(theta / 2) = s,  s^2 = (c dt / dx)^2 (sin^2(kx dx / 2) + sin^2(kz dx / 2))
//
// so the square of even noise of all waves grows by the mean of 1 / (1 - s^2). At 0.95 of the limit noise is half as high
// again as at a quarter of that step.
//
// An instability is something else: at 0.1 % beyond the limit the shortest wave grows by 9 % in each step, and is a
// thousand times as high long before the end.
#define TNC_NOISE_GROWTH 2.0

// Least share of the theoretical time step. Ambitious is 0.95 less a rounding.
#define TNC_STEP_REALISTIC 0.8
#define TNC_STEP_AMBITIOUS 0.949

// The largest of 70 000 normal values, 4.3 deviations, scatters by 0.3 of them: two such in a quotient, twice.
#define TNC_NOISE_CHANCE 1.2

static double tncMeasureNoise(const tncRun* run, double depth)
{
	double largest = 0.0;
	for (int row = 0; row < run->rowCount; ++row)
	{
		const float* depths = tncGetDepthRow(run, row);
		for (int column = 0; column < run->columnCount; ++column)
		{
			double height = fabs((double)depths[column] - depth);
			largest = height <= largest ? largest : height;
		}
	}
	return largest;
}

// Even noise between walls, the same for every depth.
static tncScene tncMakeNoise(tncContext* context, double depth, double cellSize)
{
	tncScene scene = tncMakeScene(context, TNC_NOISE_COLUMNS, TNC_NOISE_ROWS, cellSize, depth, 0);
	// Steps of the water's own choice: nothing may be left to sub-steps or to slowing down.
	scene.def.maxSubSteps = 1;
	for (int i = 0; i < TNC_NOISE_COLUMNS * TNC_NOISE_ROWS && scene.depth != NULL; ++i)
	{
		double noise = tncNoise((uint32_t)(i % TNC_NOISE_COLUMNS), (uint32_t)(i / TNC_NOISE_COLUMNS), 3);
		scene.depth[i] = (float)(depth + TNC_NOISE_HEIGHT * noise);
	}
	return scene;
}

typedef struct tncGrowth
{
	// Largest noise of all times over the initial noise, and smallest share of the true wave speed.
	double noise, slowdown;
} tncGrowth;

static tncGrowth tncMeasureGrowth(tncRun* run, double depth, double timeStep)
{
	tncGrowth growth = {0.0, 1.0};
	double start = tncMeasureNoise(run, depth);
	for (int i = 0; i < TNC_NOISE_STEPS / TNC_NOISE_INTERVAL; ++i)
	{
		tncSteps(run, TNC_NOISE_INTERVAL, timeStep);
		double noise = tncMeasureNoise(run, depth) / start;
		// Written so that a NaN is kept.
		growth.noise = noise <= growth.noise ? growth.noise : noise;
		growth.slowdown = fmin(growth.slowdown, (double)tnWorld_GetStats(run->world).waveSlowdown);
	}
	return growth;
}

// Root mean square of 1 / cos(theta / 2) over all waves between the walls.
static double tncGetStartFactor(double shareOfLimit)
{
	double sum = 0.0;
	for (int i = 0; i < TNC_NOISE_COLUMNS * TNC_NOISE_ROWS; ++i)
	{
		double sx = sin(0.5 * TNC_PI * (i % TNC_NOISE_COLUMNS) / TNC_NOISE_COLUMNS);
		double sz = sin(0.5 * TNC_PI * (i / TNC_NOISE_COLUMNS) / TNC_NOISE_ROWS);
		sum += 1.0 / (1.0 - 0.5 * shareOfLimit * shareOfLimit * (sx * sx + sz * sz));
	}
	return sqrt(sum / (TNC_NOISE_COLUMNS * TNC_NOISE_ROWS));
}

// What is drawn of all depths and cell sizes.
typedef struct tncNoisePanels
{
	tncPanel* steps;
	tncPanel* growths;
	tncSeries* step;
	tncSeries* growth;
	tncSeries* growthLimit;
	int count;
} tncNoisePanels;

static tncNoisePanels tncDrawNoise(tncContext* context)
{
	tncNoisePanels panels = {0};
	panels.steps = tncAddPanel(context, "depth / cell size (m)", "time step over the limit of theory", "time step");
	tncSeries* exact = tncPanel_AddSeries(panels.steps, tnc_referenceRole, tnc_levelMark, "theory");
	tncSeries_AddPoint(exact, 0.0, 1.0);
	tncPanel_AddLimits(panels.steps, TNC_STEP_REALISTIC, TNC_STEP_AMBITIOUS);
	panels.step = tncPanel_AddSeries(panels.steps, tnc_resultRole, tnc_barMark, "computed");
	panels.growths =
		tncAddPanel(context, "depth / cell size (m)", "largest noise over its start", "noise after 10 000 steps");
	panels.growth = tncPanel_AddSeries(panels.growths, tnc_resultRole, tnc_barMark, "computed");
	panels.growthLimit = tncPanel_AddSeries(panels.growths, tnc_ownRole, tnc_dotMark, "limit");
	return panels;
}

static void tncRunNoise(tncContext* context, double depth, double cellSize, int twinTurn, tncNoisePanels* panels)
{
	char label[48];
	snprintf(label, sizeof(label), "H %g dx %g", depth, cellSize);
	tncScene scene = tncMakeNoise(context, depth, cellSize);
	tncRun run;
	tncRun calm;
	if (tncStartRun(context, &scene, twinTurn, &run))
	{
		// A tiny step makes the library tell its limit.
		tncSteps(&run, 2, 1.0e-6);
		double timeStep = (double)tnWorld_GetStats(run.world).stableTimeStep;
		// The deepest cell decides, unless the section is fixed.
		double section = context->method->model == tnc_fixedPipeModel ? depth : run.maxDepth;
		bool isFull = context->method->model == tnc_shallowModel;
		double speed = sqrt(TNC_GRAVITY * section) + (isFull ? tncGetMaxSpeed(&run) : 0.0);
		double theory = context->method->courantLimit * cellSize / speed;
		double share = timeStep / theory;
		// How close to its own limit the library may go is proved by the growth below; where the scheme is the one of
		// the theory it is known besides.
		double most = isFull ? INFINITY : 0.951;
		tncJudgeRange(context, true, share, (tncRange){TNC_STEP_REALISTIC, most}, (tncRange){TNC_STEP_AMBITIOUS, most},
			"%s: time step over theoretical limit", label);

		tncGrowth growth = tncMeasureGrowth(&run, depth, timeStep);
		tncGrowth calmGrowth = {NAN, NAN};
		if (tncStartRun(context, &scene, TNC_NO_TWIN, &calm))
		{
			calmGrowth = tncMeasureGrowth(&calm, depth, 0.25 * timeStep);
			tncEndRun(&calm);
		}
		double staggered = fmin(0.95, timeStep * sqrt(2.0 * TNC_GRAVITY * section) / cellSize);
		double factor = tncGetStartFactor(staggered) / tncGetStartFactor(0.25 * staggered);
		double limit = fmax(TNC_NOISE_GROWTH, TNC_NOISE_CHANCE * factor * calmGrowth.noise);
		tncTell(context, calmGrowth.noise, "%s: growth of noise at a quarter of the step", label);
		tncRequire(context, growth.noise, 0.0, limit, "%s: growth of noise", label);
		// The limit is taken for the deepest cell: noise of a millimeter may cost as much of the speed. Where water
		// carries itself along, a wave of height a adds a / H of the wave speed to it besides the a / 2H of the depth.
		double wave = TNC_NOISE_GROWTH * TNC_NOISE_HEIGHT / depth;
		double cost = isFull ? fmax(TNC_NOISE_HEIGHT, 1.5 * wave) : TNC_NOISE_HEIGHT;
		tncRequire(context, growth.slowdown, 1.0 - cost, 1.0, "%s: slowdown", label);
		snprintf(label, sizeof(label), "%g/%g", depth, cellSize);
		tncPanel_AddCategory(panels->steps, label);
		tncPanel_AddCategory(panels->growths, label);
		tncSeries_AddPoint(panels->step, panels->count, share);
		tncSeries_AddPoint(panels->growth, panels->count, growth.noise);
		tncSeries_AddPoint(panels->growthLimit, panels->count, limit);
		panels->count += 1;
		snprintf(label, sizeof(label), "H %g dx %g", depth, cellSize);
		tncJudgeGates(&run, label);
		tncEndRun(&run);
	}
	tncFreeScene(&scene);
}

// A frame of 1/30 s without sub-steps over deep water in small cells: 9 cells of travel a step.
static void tncRunDeepFrame(tncContext* context)
{
	const double depth = 500.0;
	const double hill = 20.0;
	tncScene scene = tncMakeScene(context, 65, 43, 0.25, depth, 0);
	scene.def.maxSubSteps = 1;
	for (int i = 0; i < 65 * 43 && scene.depth != NULL; ++i)
	{
		bool inside = i % 65 > 20 && i % 65 < 40 && i / 65 > 10 && i / 65 < 30;
		double noise = tncNoise((uint32_t)(i % 65), (uint32_t)(i / 65), 5);
		scene.depth[i] = (float)(depth + (inside ? hill : 0.0) + noise);
	}
	tncRun run;
	if (tncStartRun(context, &scene, tnc_flipRows, &run))
	{
		tncSteps(&run, 3000, 1.0 / 30.0);
		tnStats stats = tnWorld_GetStats(run.world);
		// A hill of 20 m may meet its own image in a corner.
		tncRequire(context, run.maxDepth, depth, depth + 4.0 * hill, "hostile frame: largest depth (m)");
		tncRequire(context, (double)stats.subSteps, 1.0, 1.0, "hostile frame: sub-steps");
		tncRequire(context, (double)stats.waveSlowdown, 0.0, 0.5, "hostile frame: reported slowdown");
		tncJudgeGates(&run, "hostile frame");
		tncEndRun(&run);
	}
	tncFreeScene(&scene);
}

// A column of 50 m stands in a gap one cell wide between walls of 100 m, dry to both sides.
static void tncRunColumnInGap(tncContext* context)
{
	enum
	{
		columnCount = 65,
		rowCount = 9
	};
	const double column = 50.0;
	for (int i = 0; i < 2; ++i)
	{
		const char* label = i == 0 ? "column in a gap" : "column in a gap without sub-steps";
		tncScene scene = tncMakeScene(context, columnCount, rowCount, 1.0, column, 0);
		scene.def.maxSubSteps = i == 0 ? scene.def.maxSubSteps : 1;
		for (int cell = 0; cell < columnCount * rowCount && scene.bed != NULL && scene.depth != NULL; ++cell)
		{
			scene.bed[cell] = cell / columnCount == rowCount / 2 ? 0.0f : 100.0f;
			scene.depth[cell] = cell == rowCount / 2 * columnCount + columnCount / 2 ? (float)column : 0.0f;
		}
		tncRun run;
		if (tncStartRun(context, &scene, tnc_transpose | (i == 0 ? tnc_flipColumns : tnc_flipRows), &run))
		{
			tncSteps(&run, 3000, 1.0 / 30.0);
			tncRequire(context, run.maxDepth, 0.0, column, "%s: largest depth (m)", label);
			double onWalls = 0.0;
			for (int row = 0; row < rowCount; ++row)
			{
				for (int c = 0; c < columnCount && row != rowCount / 2; ++c)
				{
					onWalls = fmax(onWalls, (double)tncGetDepthRow(&run, row)[c]);
				}
			}
			tncRequire(context, onWalls, 0.0, 0.0, "%s: water on the walls (m)", label);
			tncJudgeGates(&run, label);
			tncEndRun(&run);
		}
		tncFreeScene(&scene);
	}
}

void tncRunStability(tncContext* context)
{
	const double depths[] = {1.0, 10.0, 100.0, 500.0};
	const double cellSizes[] = {0.25, 1.0, 4.0};
	tncNoisePanels panels = tncDrawNoise(context);
	for (int i = 0; i < 4; ++i)
	{
		for (int j = 0; j < 3; ++j)
		{
			// One cell size is enough to see that no direction is special.
			int twinTurn = j == 1 ? 1 + 2 * i : TNC_NO_TWIN;
			tncRunNoise(context, depths[i], cellSizes[j], twinTurn, &panels);
		}
	}
	tncRunDeepFrame(context);
	tncRunColumnInGap(context);
}
