// SPDX-License-Identifier: MIT

// Flow in channels: F07 (with friction), F08 (over a bump), F16 (a pond left behind a crest), F18 (over a weir).

#include "kits/case_kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Share of a cell that waves cross in a step.
#define TNC_CHANNEL_COURANT 0.5

static tncScene tncMakeChannel(tncContext* context, int columnCount, double cellSize, double depth)
{
	return tncMakeScene(context, columnCount, TNC_CHANNEL_ROWS, cellSize, depth, 0);
}

static bool tncIsFilled(tncContext* context, const tncScene* scene)
{
	bool filled = scene->bed != NULL && scene->depth != NULL && scene->velocityX != NULL;
	if (filled == false)
	{
		tncRequire(context, NAN, 0.0, 0.0, "out of memory");
	}
	return filled;
}

static void tncSetColumn(tncScene* scene, int column, double bed, double depth, double speed)
{
	for (int row = 0; row < TNC_CHANNEL_ROWS; ++row)
	{
		int cell = row * scene->def.columnCount + column;
		scene->bed[cell] = (float)bed;
		scene->depth[cell] = (float)depth;
		scene->velocityX[cell] = (float)speed;
	}
}

static void tncSetInflow(tncScene* scene, double discharge)
{
	scene->def.edges[tn_west].kind = tn_inflowEdge;
	scene->def.edges[tn_west].inflow = (float)discharge;
}

static void tncSetOutLevel(tncScene* scene, double level)
{
	scene->def.edges[tn_east].kind = tn_levelEdge;
	scene->def.edges[tn_east].level = (float)level;
}

static void tncJudgeRows(tncRun* run, const char* label)
{
	tncRequire(run->context, tncGetRowSpread(run), 0.0, 0.0, "%s: difference between rows (m)", label);
	tncJudgeGates(run, label);
}

// Means of depth and discharge over time in the first row, for flows that swing around their mean without friction. The
// weights of the mean rise and fall like a cosine, so that swings leave no trace even if they are cut off anywhere.
typedef struct tncMeans
{
	double* depth;
	double* discharge;
	float* faces;
	int columnCount;
} tncMeans;

static bool tncStartMeans(tncRun* run, tncMeans* means)
{
	means->columnCount = run->columnCount;
	means->depth = calloc((size_t)run->columnCount, sizeof(double));
	means->discharge = calloc((size_t)run->columnCount, sizeof(double));
	means->faces = calloc((size_t)(run->columnCount + 1) * (size_t)run->rowCount, sizeof(float));
	return means->depth != NULL && means->discharge != NULL && means->faces != NULL;
}

static void tncFreeMeans(tncMeans* means)
{
	free(means->depth);
	free(means->discharge);
	free(means->faces);
}

static void tncAverage(tncRun* run, tncMeans* means, double seconds, double timeStep)
{
	int64_t stepCount = (int64_t)ceil(seconds / timeStep);
	for (int64_t i = 0; i < stepCount && run->failed == false; ++i)
	{
		tncSteps(run, 1, timeStep);
		tnResult result = tnWorld_CopyDischarge(run->world, means->faces, NULL);
		run->failed = run->failed || result.status != tn_ok;
		// The weights add up to 1.
		double weight = (1.0 - cos(2.0 * TNC_PI * ((double)i + 0.5) / (double)stepCount)) / (double)stepCount;
		const float* depth = tncGetDepthRow(run, 0);
		for (int column = 0; column < means->columnCount; ++column)
		{
			double discharge = 0.5 * ((double)means->faces[column] + (double)means->faces[column + 1]);
			means->depth[column] += weight * (double)depth[column];
			means->discharge[column] += weight * discharge;
		}
	}
}

static double tncGetDischargeError(const tncMeans* means, double discharge)
{
	double sum = 0.0;
	for (int column = 0; column < means->columnCount; ++column)
	{
		sum += fabs(means->discharge[column] - discharge);
	}
	return sum / (means->columnCount * discharge);
}

// Bed and surface, then the discharge, each with its reference.
static void tncDrawMeans(tncContext* context, const tncMeans* means, const float* bed, double cellSize,
	const double* reference, double discharge, const char* label)
{
	tncPanel* panel = tncAddPanel(context, "x (m)", "height (m)", "%s: surface", label);
	tncSeries* ground = tncPanel_AddSeries(panel, tnc_groundRole, tnc_lineMark, "bed");
	tncSeries* exact = tncPanel_AddSeries(panel, tnc_referenceRole, tnc_lineMark, "exact");
	tncSeries* result = tncPanel_AddSeries(panel, tnc_resultRole, tnc_lineMark, "computed");
	tncPanel* second = tncAddPanel(context, "x (m)", "discharge (m\xC2\xB2/s)", "%s: discharge", label);
	tncSeries* exactFlow = tncPanel_AddSeries(second, tnc_referenceRole, tnc_lineMark, "exact");
	tncSeries* resultFlow = tncPanel_AddSeries(second, tnc_resultRole, tnc_lineMark, "computed");
	for (int column = 0; column < means->columnCount && panel != NULL; ++column)
	{
		double x = (column + 0.5) * cellSize;
		double height = (double)bed[column];
		tncSeries_AddPoint(ground, x, height);
		tncSeries_AddPoint(exact, x, height + reference[column]);
		tncSeries_AddPoint(result, x, height + means->depth[column]);
		tncSeries_AddPoint(exactFlow, x, discharge);
		tncSeries_AddPoint(resultFlow, x, means->discharge[column]);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// F07

#define TNC_UNIFORM_SLOPE 0.005
#define TNC_UNIFORM_MANNING 0.03
#define TNC_UNIFORM_DEPTH 0.5

static double tncGetUniformSpeed(void)
{
	return pow(TNC_UNIFORM_DEPTH, 2.0 / 3.0) * sqrt(TNC_UNIFORM_SLOPE) / TNC_UNIFORM_MANNING;
}

// An endless channel: the world is tilted and its ends wrap. Starts at rest.
static void tncRunEndlessChannel(tncContext* context)
{
	tncScene scene = tncMakeChannel(context, 37, 1.0, TNC_UNIFORM_DEPTH);
	if (tncIsFilled(context, &scene))
	{
		for (int column = 0; column < 37; ++column)
		{
			tncSetColumn(&scene, column, 0.0, TNC_UNIFORM_DEPTH, 0.0);
		}
		scene.def.manning = (float)TNC_UNIFORM_MANNING;
		scene.def.edges[tn_west].kind = tn_wrapEdge;
		scene.def.edges[tn_east].kind = tn_wrapEdge;
	}
	tncRun run;
	if (tncStartRun(context, &scene, tnc_transpose | tnc_flipColumns, &run))
	{
		// The speed settles in about u / (2 g S), 15 s.
		tncRun_SetAcceleration(&run, TNC_GRAVITY * TNC_UNIFORM_SLOPE, 0.0);
		tncPanel* panel = tncAddPanel(context, "time (s)", "speed (m/s)", "endless slope: speed");
		tncSeries* exact = tncPanel_AddSeries(panel, tnc_referenceRole, tnc_levelMark, "exact");
		tncSeries* result = tncPanel_AddSeries(panel, tnc_resultRole, tnc_lineMark, "computed");
		tncSeries_AddPoint(exact, 0.0, tncGetUniformSpeed());
		int stepCount = (int)ceil(300.0 / tncGetTimeStep(1.0, TNC_UNIFORM_DEPTH, TNC_CHANNEL_COURANT) - 1.0e-6);
		double timeStep = 300.0 / stepCount;
		while (run.stepCount < stepCount && run.failed == false)
		{
			tncSteps(&run, 1, timeStep);
			if (panel != NULL && run.stepCount % 8 == 0)
			{
				tncSeries_AddPoint(result, (double)run.stepCount * timeStep, tncGetMaxSpeed(&run));
			}
		}
		double speed = tncGetMaxSpeed(&run);
		tncJudge(context, true, fabs(speed / tncGetUniformSpeed() - 1.0), 0.01, 0.001, "endless slope: speed: error");
		tncJudgeRows(&run, "endless slope");
		tncEndRun(&run);
	}
	tncFreeScene(&scene);
}

// A sloping channel fed from the west, held at its normal depth in the east. Starts half as deep.
static void tncRunUniformChannel(tncContext* context)
{
	enum
	{
		columnCount = 301
	};
	double discharge = tncGetUniformSpeed() * TNC_UNIFORM_DEPTH;
	tncScene scene = tncMakeChannel(context, columnCount, 1.0, TNC_UNIFORM_DEPTH);
	if (tncIsFilled(context, &scene))
	{
		for (int column = 0; column < columnCount; ++column)
		{
			double bed = (columnCount - column - 0.5) * TNC_UNIFORM_SLOPE;
			tncSetColumn(&scene, column, bed, 0.5 * TNC_UNIFORM_DEPTH, 0.0);
		}
		scene.def.manning = (float)TNC_UNIFORM_MANNING;
		tncSetInflow(&scene, discharge);
		tncSetOutLevel(&scene, TNC_UNIFORM_DEPTH);
	}
	tncRun run;
	if (tncStartRun(context, &scene, tnc_flipColumns | tnc_flipRows, &run))
	{
		tncAdvance(&run, 1500.0, tncGetTimeStep(1.0, 2.0 * TNC_UNIFORM_DEPTH, TNC_CHANNEL_COURANT));
		// The inner third: the ends have a length of adjustment of about h / S, 100 m.
		double worst = 0.0;
		for (int column = columnCount / 3; column < 2 * columnCount / 3; ++column)
		{
			double depth = (double)tncGetDepthRow(&run, 0)[column];
			worst = fmax(worst, fabs(depth / TNC_UNIFORM_DEPTH - 1.0));
		}
		tncJudge(context, true, worst, 0.01, 0.001, "uniform flow: depth: error");
		tncPanel* panel = tncAddPanel(context, "x (m)", "depth (m)", "uniform flow: depth");
		tncSeries* exact = tncPanel_AddSeries(panel, tnc_referenceRole, tnc_levelMark, "exact");
		tncSeries* result = tncPanel_AddSeries(panel, tnc_resultRole, tnc_lineMark, "computed");
		tncSeries_AddPoint(exact, 0.0, TNC_UNIFORM_DEPTH);
		for (int column = 0; column < columnCount && panel != NULL; ++column)
		{
			tncSeries_AddPoint(result, column + 0.5, (double)tncGetDepthRow(&run, 0)[column]);
		}
		tncJudgeRows(&run, "uniform flow");
		tncEndRun(&run);
	}
	tncFreeScene(&scene);
}

typedef struct tncMacDonald
{
	const char* fileName;
	const char* bedName;
	const char* label;
	double cellSize, discharge, manning, seconds;
	double depthLimits[2], dischargeLimits[2];
	// Place of the jump, meters, 0 for none.
	double jump;
	int twinTurn;
} tncMacDonald;

// The place where the surface rises most from one cell to the next.
static double tncFindJump(const double* depth, const float* bed, int columnCount, double cellSize)
{
	int best = 0;
	double bestRise = -INFINITY;
	for (int i = 0; i + 1 < columnCount; ++i)
	{
		double rise = depth[i + 1] + (double)bed[i + 1] - depth[i] - (double)bed[i];
		if (rise > bestRise)
		{
			best = i;
			bestRise = rise;
		}
	}
	return (best + 1) * cellSize;
}

static void tncRunMacDonald(tncContext* context, const tncMacDonald* channel)
{
	tncTable table;
	if (tncReadTable(context, channel->fileName, &table) == false)
	{
		return;
	}
	// The first and the last line of the table are the ends of the channel.
	int columnCount = table.rowCount - 2;
	int bedColumn = tncFindColumn(&table, channel->bedName);
	int depthColumn = tncFindColumn(&table, "h");
	double maxDepth = 0.0;
	tncScene scene = tncMakeChannel(context, columnCount, channel->cellSize, 1.0);
	double* reference = calloc((size_t)columnCount, sizeof(double));
	if (reference != NULL && tncIsFilled(context, &scene))
	{
		for (int column = 0; column < columnCount; ++column)
		{
			reference[column] = tncGetValue(&table, column + 1, depthColumn);
			double speed = channel->discharge / reference[column];
			tncSetColumn(&scene, column, tncGetValue(&table, column + 1, bedColumn), reference[column], speed);
			maxDepth = fmax(maxDepth, reference[column]);
		}
		scene.useVelocity = true;
		scene.def.manning = (float)channel->manning;
		tncSetInflow(&scene, channel->discharge);
		tncSetOutLevel(&scene,
			tncGetValue(&table, columnCount + 1, bedColumn) + tncGetValue(&table, columnCount + 1, depthColumn));
	}

	tncRun run;
	if (reference != NULL && tncStartRun(context, &scene, channel->twinTurn, &run))
	{
		double timeStep = tncGetTimeStep(channel->cellSize, 1.5 * maxDepth, TNC_CHANNEL_COURANT);
		tncAdvance(&run, channel->seconds, timeStep);
		tncMeans means;
		if (tncStartMeans(&run, &means))
		{
			tncAverage(&run, &means, 2.0 * timeStep, timeStep);
			double depthError = tncMeasureL1(means.depth, reference, columnCount);
			double dischargeError = tncGetDischargeError(&means, channel->discharge);
			tncJudge(context, true, depthError, channel->depthLimits[0], channel->depthLimits[1], "%s: L1(h)",
				channel->label);
			tncJudge(context, true, dischargeError, channel->dischargeLimits[0], channel->dischargeLimits[1],
				"%s: discharge: mean error", channel->label);
			if (channel->jump > 0.0)
			{
				double jump = tncFindJump(means.depth, scene.bed, columnCount, channel->cellSize);
				double cells = fabs(jump - channel->jump) / channel->cellSize;
				tncJudge(context, true, cells, 3.0, 1.0, "%s: jump: distance in cells", channel->label);
			}
			tncDrawMeans(context, &means, scene.bed, channel->cellSize, reference, channel->discharge, channel->label);
		}
		tncFreeMeans(&means);
		tncJudgeRows(&run, channel->label);
		tncEndRun(&run);
	}
	free(reference);
	tncFreeScene(&scene);
	tncFreeTable(&table);
}

void tncRunSteadyChannels(tncContext* context)
{
	bool isFull = context->method->model == tnc_shallowModel;
	tncMacDonald subcritical = {"f07_macdonald_sub.csv", isFull ? "z" : "z_inertia",
		isFull ? "subcritical" : "subcritical on the bed of inertia", 10.0, 2.0, 0.033, 2500.0, {0.02, 0.008},
		{0.01, 0.001}, 0.0, tnc_transpose | tnc_flipRows};
	tncMacDonald jump = {"f07_macdonald_jump.csv", "z", "jump", 1.0, 2.0, 0.0328, 300.0, {0.015, 0.005}, {0.01, 0.005},
		200.0 / 3.0, tnc_flipColumns};
	tncRunEndlessChannel(context);
	tncRunUniformChannel(context);
	tncRunMacDonald(context, &subcritical);
	if (isFull)
	{
		tncRunMacDonald(context, &jump);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// F08

#define TNC_BUMP_COLUMNS 100
#define TNC_BUMP_CELL 0.25

typedef struct tncBump
{
	const char* column;
	const char* label;
	double discharge, outLevel;
	double depthLimits[2], dischargeLimits[2];
	double jump;
	bool fromRest;
	int twinTurn;
} tncBump;

// Depth of the surface over the crest below the surface at the outflow.
static double tncGetDip(const double* depth, const float* bed)
{
	double low = INFINITY;
	for (int column = 0; column < TNC_BUMP_COLUMNS; ++column)
	{
		low = fmin(low, depth[column] + (double)bed[column]);
	}
	return depth[TNC_BUMP_COLUMNS - 1] + (double)bed[TNC_BUMP_COLUMNS - 1] - low;
}

// Methods without self-advection keep a flat surface: how uneven it may be in the mean over some swings, meters. A
// tenth of the dip of 0.092 m that the full equations have.
#define TNC_BUMP_FLATNESS 0.0092

static void tncRunOneBump(tncContext* context, const tncTable* table, const tncBump* bump)
{
	bool same = context->method->model == tnc_shallowModel;
	double reference[TNC_BUMP_COLUMNS];
	tncScene scene = tncMakeChannel(context, TNC_BUMP_COLUMNS, TNC_BUMP_CELL, 2.0);
	if (tncIsFilled(context, &scene))
	{
		for (int column = 0; column < TNC_BUMP_COLUMNS; ++column)
		{
			double bed = tncGetValue(table, column, tncFindColumn(table, "z"));
			reference[column] = tncGetValue(table, column, tncFindColumn(table, bump->column));
			double depth = bump->fromRest ? bump->outLevel - bed : reference[column];
			tncSetColumn(&scene, column, bed, depth, bump->fromRest ? 0.0 : bump->discharge / depth);
		}
		scene.useVelocity = true;
		tncSetInflow(&scene, bump->discharge);
		if (bump->outLevel > 0.0)
		{
			tncSetOutLevel(&scene, bump->outLevel);
		}
		else
		{
			scene.def.edges[tn_east].kind = tn_openEdge;
		}
	}

	tncRun run;
	tncMeans means = {0};
	if (tncStartRun(context, &scene, bump->twinTurn, &run) == false)
	{
		tncFreeScene(&scene);
		return;
	}
	double timeStep = tncGetTimeStep(TNC_BUMP_CELL, 2.0 * 2.0, TNC_CHANNEL_COURANT);
	if (bump->fromRest)
	{
		// Slowly against the period of the swings, which would not die away.
		const tnCurvePoint curve[] = {{0.0f, 0.0f}, {100.0f, (float)bump->discharge}};
		tncRun_SetEdgeCurve(&run, tn_west, curve, 2);
		tncAdvance(&run, 100.0, timeStep);
	}
	// Without friction and self-advection the water between the inflow and the held level swings on, four lengths a
	// period (23 s), and its mean is looked at. With self-advection a held inflow takes (1 - F) / (1 + F) of every
	// swing, a third here, and the flow itself has to be steady in the end.
	double meanSeconds = same ? 2.0 * timeStep : 100.0;
	tncAdvance(&run, 150.0 - meanSeconds, timeStep);
	if (tncStartMeans(&run, &means))
	{
		tncAverage(&run, &means, meanSeconds, timeStep);
		double low = INFINITY;
		double high = -INFINITY;
		for (int column = 0; column < TNC_BUMP_COLUMNS; ++column)
		{
			double surface = means.depth[column] + (double)scene.bed[column];
			low = fmin(low, surface);
			high = fmax(high, surface);
		}
		tncJudge(context, same, tncMeasureL1(means.depth, reference, TNC_BUMP_COLUMNS), bump->depthLimits[0],
			bump->depthLimits[1], "%s: L1(h)", bump->label);
		// What comes in must go through everywhere, whatever the equations.
		tncJudge(context, true, tncGetDischargeError(&means, bump->discharge), bump->dischargeLimits[0],
			bump->dischargeLimits[1], "%s: discharge: mean error", bump->label);
		if (same && bump->jump > 0.0)
		{
			double jump = tncFindJump(means.depth, scene.bed, TNC_BUMP_COLUMNS, TNC_BUMP_CELL);
			tncTell(context, jump - bump->jump, "%s: jump: distance (m)", bump->label);
		}
		if (same && bump->outLevel == 2.0)
		{
			double exactDip = tncGetDip(reference, scene.bed);
			tncTell(context, tncGetDip(means.depth, scene.bed) / exactDip - 1.0, "%s: dip: error", bump->label);
		}
		tncDrawMeans(context, &means, scene.bed, TNC_BUMP_CELL, reference, bump->discharge, bump->label);
		if (same == false)
		{
			tncRequire(
				context, high - low, 0.0, TNC_BUMP_FLATNESS, "%s: unevenness of the mean surface (m)", bump->label);
		}
	}
	tncFreeMeans(&means);
	tncJudgeRows(&run, bump->label);
	tncEndRun(&run);
	tncFreeScene(&scene);
}

void tncRunBump(tncContext* context)
{
	const tncBump bumps[] = {
		{"h_sub", "subcritical", 4.42, 2.0, {0.003, 0.0003}, {0.01, 0.001}, 0.0, false, tnc_transpose},
		{"h_sub", "subcritical from rest", 4.42, 2.0, {0.003, 0.0003}, {0.01, 0.001}, 0.0, true,
			tnc_transpose | tnc_flipColumns},
		{"h_trans", "transcritical", 1.53, 0.0, {0.04, 0.002}, {0.01, 0.001}, 0.0, false,
			tnc_flipColumns | tnc_flipRows},
		{"h_shock", "with a jump", 0.18, 0.33, {0.025, 0.006}, {0.01, 0.005}, 11.6656184, false,
			tnc_transpose | tnc_flipRows},
	};
	tncTable table;
	if (tncReadTable(context, "f08_bump.csv", &table) == false)
	{
		return;
	}
	// Critical flow needs self-advection: only the subcritical cases say something about other methods.
	int count = context->method->model == tnc_shallowModel ? 4 : 2;
	for (int i = 0; i < count; ++i)
	{
		tncRunOneBump(context, &table, bumps + i);
	}
	tncFreeTable(&table);
}

// ---------------------------------------------------------------------------------------------------------------------
// F16

static double tncInterpolateBed(const double* xs, const double* zs, int count, double x)
{
	for (int i = 1; i < count; ++i)
	{
		if (x <= xs[i])
		{
			return zs[i - 1] + (zs[i] - zs[i - 1]) * (x - xs[i - 1]) / (xs[i] - xs[i - 1]);
		}
	}
	return zs[count - 1];
}

// The pond: the columns behind the crest, in x up to 100 m, whose ground is below it.
#define TNC_POND_BEGIN 51
#define TNC_POND_CREST 1.0

typedef struct tncPond
{
	// Lowest and highest surface above the crest, meters, and fastest speed, m/s.
	double low, high, fastest;
} tncPond;

// The speed of a column is its discharge over its depth: the thin sheet that still leaves over the crest is faster, but
// it is not the water of the pond.
static tncPond tncMeasurePond(tncRun* run, const tncScene* scene)
{
	tncPond pond = {INFINITY, -INFINITY, 0.0};
	float* faces = calloc((size_t)(run->columnCount + 1) * TNC_CHANNEL_ROWS, sizeof(float));
	if (faces == NULL || tnWorld_CopyDischarge(run->world, faces, NULL).status != tn_ok)
	{
		pond.fastest = NAN;
	}
	for (int column = TNC_POND_BEGIN; column < run->columnCount && isnan(pond.fastest) == false; ++column)
	{
		double bed = (double)scene->bed[column];
		double depth = (double)tncGetDepthRow(run, 0)[column];
		if (bed < TNC_POND_CREST && depth > 0.0)
		{
			double speed = 0.5 * fabs((double)faces[column] + (double)faces[column + 1]) / depth;
			pond.low = fmin(pond.low, depth + bed - TNC_POND_CREST);
			pond.high = fmax(pond.high, depth + bed - TNC_POND_CREST);
			pond.fastest = speed <= pond.fastest ? pond.fastest : speed;
		}
	}
	free(faces);
	return pond;
}

// Seconds between two points of a picture.
#define TNC_POND_INTERVAL 10.0

// Advance and record the surface at the held edge and in the pond.
static void tncAdvancePond(tncRun* run, const tncScene* scene, double seconds, double timeStep, tncSeries* outside,
	tncSeries* inside, tncSeries* sea)
{
	const int pondColumn = 75;
	double begin = tnWorld_GetTime(run->world);
	int count = sea != NULL ? (int)(seconds / TNC_POND_INTERVAL) : 1;
	// The steps of a run must not depend on whether it is drawn.
	int64_t stepCount = (int64_t)ceil(seconds / timeStep - 1.0e-6);
	int64_t done = 0;
	for (int i = 1; i <= count; ++i)
	{
		int64_t next = stepCount * i / count;
		tncSteps(run, next - done, seconds / (double)stepCount);
		done = next;
		double time = begin + seconds * i / count;
		const float* depth = tncGetDepthRow(run, 0);
		double level = time < 600.0 ? 0.5 + 0.9 * time / 600.0 : (time < 1200.0 ? 1.4 : 0.5);
		level = time >= 1200.0 && time < 1800.0 ? 1.4 - 0.9 * (time - 1200.0) / 600.0 : level;
		tncSeries_AddPoint(sea, time, level);
		tncSeries_AddPoint(outside, time, (double)depth[0] + (double)scene->bed[0]);
		bool isWet = depth[pondColumn] > 0.0f;
		tncSeries_AddPoint(inside, time, isWet ? (double)depth[pondColumn] + (double)scene->bed[pondColumn] : NAN);
	}
}

static void tncDrawPond(const tncRun* run, const tncScene* scene)
{
	tncPanel* panel = tncAddPanel(run->context, "x (m)", "height (m)", "after 5400 s");
	tncSeries* ground = tncPanel_AddSeries(panel, tnc_groundRole, tnc_lineMark, "bed");
	tncSeries* exact = tncPanel_AddSeries(panel, tnc_referenceRole, tnc_lineMark, "exact");
	tncSeries* result = tncPanel_AddSeries(panel, tnc_resultRole, tnc_lineMark, "computed");
	for (int column = 0; column < run->columnCount && panel != NULL; ++column)
	{
		double x = (column + 0.5) * run->cellSize;
		double bed = (double)scene->bed[column];
		double depth = (double)tncGetDepthRow(run, 0)[column];
		double level = column < TNC_POND_BEGIN ? 0.5 : TNC_POND_CREST;
		tncSeries_AddPoint(ground, x, bed);
		tncSeries_AddPoint(exact, x, level > bed ? level : NAN);
		// A film of a millimeter is no water to look at.
		tncSeries_AddPoint(result, x, depth > 1.0e-3 ? bed + depth : NAN);
	}
}

void tncRunDisconnected(tncContext* context)
{
	enum
	{
		columnCount = 100
	};
	const double xs[] = {0.0, 40.0, 49.0, 51.0, 60.0, 90.0, 100.0};
	const double zs[] = {0.0, 0.0, 1.0, 1.0, 0.2, 0.2, 2.0};
	const tnCurvePoint curve[] = {{0.0f, 0.5f}, {600.0f, 1.4f}, {1200.0f, 1.4f}, {1800.0f, 0.5f}};

	tncScene scene = tncMakeChannel(context, columnCount, 1.0, 0.5);
	if (tncIsFilled(context, &scene))
	{
		for (int column = 0; column < columnCount; ++column)
		{
			double bed = tncInterpolateBed(xs, zs, 7, column + 0.5);
			tncSetColumn(&scene, column, bed, column < 50 ? fmax(0.0, 0.5 - bed) : 0.0, 0.0);
		}
		scene.def.manning = 0.03f;
		scene.def.edges[tn_west].kind = tn_levelEdge;
		scene.def.edges[tn_west].level = 0.5f;
	}

	tncRun run;
	if (tncStartRun(context, &scene, tnc_transpose | tnc_flipColumns | tnc_flipRows, &run))
	{
		tncRun_SetEdgeCurve(&run, tn_west, curve, 4);
		tncPanel* panel = tncAddPanel(context, "time (s)", "level (m)", "levels");
		tncSeries* sea = tncPanel_AddSeries(panel, tnc_referenceRole, tnc_lineMark, "held level");
		tncSeries* crest = tncPanel_AddSeries(panel, tnc_referenceRole, tnc_levelMark, "crest, where the pond ends");
		tncSeries* outside = tncPanel_AddSeries(panel, tnc_variantRole, tnc_lineMark, "computed at the edge");
		tncSeries* inside = tncPanel_AddSeries(panel, tnc_resultRole, tnc_lineMark, "computed");
		tncSeries_AddPoint(crest, 0.0, TNC_POND_CREST);
		double timeStep = tncGetTimeStep(1.0, 2.0, TNC_CHANNEL_COURANT);
		tncAdvancePond(&run, &scene, 3600.0, timeStep, outside, inside, sea);
		tncPond half = tncMeasurePond(&run, &scene);
		tncTell(context, half.high, "pond at 3600 s: highest level above the crest (m)");
		tncTell(context, half.fastest, "pond at 3600 s: fastest (m/s)");
		tncAdvancePond(&run, &scene, 1800.0, timeStep, outside, inside, sea);

		tncPond pond = tncMeasurePond(&run, &scene);
		tncRange realistic = {-0.001, 0.01};
		tncRange ambitious = {-0.001, 0.004};
		tncJudgeRange(context, true, pond.low, realistic, ambitious, "pond: lowest level above the crest (m)");
		tncJudgeRange(context, true, pond.high, realistic, ambitious, "pond: highest level above the crest (m)");
		tncJudge(context, true, pond.fastest, 0.001, 0.001, "pond: fastest (m/s)");
		tncDrawPond(&run, &scene);
		tncJudgeRows(&run, "channel");
		tncEndRun(&run);
	}
	tncFreeScene(&scene);
}

// ---------------------------------------------------------------------------------------------------------------------
// F18

#define TNC_WEIR_COLUMNS 140
#define TNC_WEIR_CELL 0.5

// Where the upstream head is read: half way between the inflow and the weir.
#define TNC_WEIR_GAUGE 20

static double tncGetWeirBed(bool hasRamps, double x)
{
	// Upstream 20 m, up 10 m, crest 6 m of 1 m height, down 20 m, downstream 14 m.
	if (hasRamps == false)
	{
		return x > 30.0 && x < 36.0 ? 1.0 : 0.0;
	}
	return fmax(0.0, fmin(1.0, fmin((x - 20.0) / 10.0, (56.0 - x) / 20.0)));
}

// One weir, one discharge, one rule.
typedef struct tncWeir
{
	bool hasRamps;
	double discharge, froudeLimit;
	int twinTurn;
	// The profile is drawn.
	bool isDrawn;
} tncWeir;

static double tncGetWeirHead(double discharge)
{
	return 1.5 * cbrt(discharge * discharge / TNC_GRAVITY);
}

static void tncDrawWeir(tncContext* context, const tncMeans* means, const float* bed, double head, const char* label)
{
	tncPanel* panel = tncAddPanel(context, "x (m)", "height (m)", "%s: surface", label);
	tncSeries* ground = tncPanel_AddSeries(panel, tnc_groundRole, tnc_lineMark, "bed");
	tncSeries* exact = tncPanel_AddSeries(panel, tnc_referenceRole, tnc_lineMark, "exact head upstream");
	tncSeries* result = tncPanel_AddSeries(panel, tnc_resultRole, tnc_lineMark, "computed");
	tncSeries_AddPoint(exact, 0.0, 1.0 + head);
	tncSeries_AddPoint(exact, 30.0, 1.0 + head);
	for (int column = 0; column < means->columnCount && panel != NULL; ++column)
	{
		double x = (column + 0.5) * TNC_WEIR_CELL;
		tncSeries_AddPoint(ground, x, (double)bed[column]);
		tncSeries_AddPoint(result, x, (double)bed[column] + means->depth[column]);
	}
}

// Upstream energy head above the crest over the exact one.
static double tncMeasureWeirHead(tncContext* context, const tncWeir* weir, const char* label)
{
	double exact = tncGetWeirHead(weir->discharge);
	tncScene scene = tncMakeChannel(context, TNC_WEIR_COLUMNS, TNC_WEIR_CELL, 1.0 + exact);
	if (tncIsFilled(context, &scene))
	{
		for (int column = 0; column < TNC_WEIR_COLUMNS; ++column)
		{
			double x = (column + 0.5) * TNC_WEIR_CELL;
			double bed = tncGetWeirBed(weir->hasRamps, x);
			tncSetColumn(&scene, column, bed, x < 30.0 ? fmax(0.0, 1.0 + exact - bed) : 0.0, 0.0);
		}
		scene.def.froudeLimit = (float)weir->froudeLimit;
		tncSetInflow(&scene, weir->discharge);
		scene.def.edges[tn_east].kind = tn_openEdge;
	}

	double head = NAN;
	tncRun run;
	if (tncStartRun(context, &scene, weir->twinTurn, &run))
	{
		double timeStep = tncGetTimeStep(TNC_WEIR_CELL, 2.0, TNC_CHANNEL_COURANT);
		tncAdvance(&run, 200.0, timeStep);
		tncMeans means;
		if (tncStartMeans(&run, &means))
		{
			tncAverage(&run, &means, 100.0, timeStep);
			double depth = means.depth[TNC_WEIR_GAUGE];
			double speed = weir->discharge / depth;
			head = depth - 1.0 + speed * speed / (2.0 * TNC_GRAVITY);
			if (weir->isDrawn)
			{
				tncDrawWeir(context, &means, scene.bed, exact, label);
			}
		}
		tncFreeMeans(&means);
		tncJudgeRows(&run, label);
		tncEndRun(&run);
	}
	tncFreeScene(&scene);
	return head / exact;
}

void tncRunWeir(tncContext* context)
{
	const double discharges[] = {0.02, 0.1, 0.5};
	bool same = context->method->model == tnc_shallowModel;
	for (int shape = 0; shape < 2; ++shape)
	{
		bool hasRamps = shape == 0;
		double realistic = hasRamps ? 0.2 : 0.4;
		double ambitious = hasRamps ? 0.05 : 0.15;
		const char* name = hasRamps ? "a ramps" : "b steps";
		tncPanel* panel =
			tncAddPanel(context, "discharge (m\xC2\xB2/s)", "head over the exact one", "%s: upstream head", name);
		tncSeries* exact = tncPanel_AddSeries(panel, tnc_referenceRole, tnc_levelMark, "exact");
		tncSeries* result = tncPanel_AddSeries(panel, tnc_resultRole, tnc_barMark, "computed");
		tncSeries* variant =
			same ? NULL : tncPanel_AddSeries(panel, tnc_variantRole, tnc_barMark, "with the limit of critical flow");
		tncSeries_AddPoint(exact, 0.0, 1.0);
		tncPanel_AddLimits(panel, 1.0 - realistic, 1.0 - ambitious);
		tncPanel_AddLimits(panel, 1.0 + realistic, 1.0 + ambitious);
		for (int i = 0; i < 3; ++i)
		{
			char label[48];
			tncWeir weir = {hasRamps, discharges[i], 0.0, 1 + 3 * shape + i, i == 1};
			snprintf(label, sizeof(label), "%s q %g", name, discharges[i]);
			double unlimited = tncMeasureWeirHead(context, &weir, label);
			tncJudge(context, same, fabs(unlimited - 1.0), realistic, ambitious, "%s: head: error", label);
			tncSeries_AddPoint(result, i, unlimited);
			if (same == false)
			{
				snprintf(label, sizeof(label), "%s q %g with critical limit", name, discharges[i]);
				// The limit takes the surface upstream for the energy head: it misses the velocity head of the
				// approach, 1.4 % at the largest discharge.
				weir.froudeLimit = (double)TN_CRITICAL_LIMIT;
				weir.isDrawn = false;
				double limited = tncMeasureWeirHead(context, &weir, label);
				tncJudge(context, true, fabs(limited - 1.0), 0.05, 0.01, "%s: head: error", label);
				tncSeries_AddPoint(variant, i, limited);
			}
			snprintf(label, sizeof(label), "%g", discharges[i]);
			tncPanel_AddCategory(panel, label);
		}
	}
}
