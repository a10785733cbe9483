// SPDX-License-Identifier: MIT

// Water in a paraboloid, z = -h0 (1 - r^2 / a^2): F05 (Thacker's exact oscillations) and F11 (volume over many steps).

#include "kits/case_kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Radius of the still water and its depth in the middle, meters.
#define TNC_BOWL_RADIUS 20.0
#define TNC_BOWL_DEPTH 2.0

// Half the side of the box, meters.
#define TNC_BOWL_HALF 32.0

// Distance by which the water is moved out of the middle, meters.
#define TNC_BOWL_SHIFT 10.0

// Start of the radial oscillation: radius of the water, meters.
#define TNC_BOWL_START_RADIUS 16.0

// The middle of the range of its central depth, 1.6 to 2.5 m.
#define TNC_BOWL_MIDDLE_DEPTH 2.05

#define TNC_BOWL_COURANT 0.4

typedef enum tncBowlKind
{
	tnc_planarBowl,
	tnc_radialBowl,
	tnc_lineBowl,
} tncBowlKind;

static double tncGetBowlBed(double x, double z)
{
	return -TNC_BOWL_DEPTH * (1.0 - (x * x + z * z) / (TNC_BOWL_RADIUS * TNC_BOWL_RADIUS));
}

static double tncGetPlanarOmega(void)
{
	return sqrt(2.0 * TNC_GRAVITY * TNC_BOWL_DEPTH) / TNC_BOWL_RADIUS;
}

// The disc of water circles the middle.
static double tncGetPlanarDepth(double x, double z, double time)
{
	double phase = tncGetPlanarOmega() * time;
	double slope = TNC_BOWL_SHIFT * TNC_BOWL_DEPTH / (TNC_BOWL_RADIUS * TNC_BOWL_RADIUS);
	double surface = slope * (2.0 * x * cos(phase) + 2.0 * z * sin(phase) - TNC_BOWL_SHIFT);
	return fmax(0.0, surface - tncGetBowlBed(x, z));
}

static double tncGetRadialDepth(double x, double z, double time)
{
	double a2 = TNC_BOWL_RADIUS * TNC_BOWL_RADIUS;
	double r2 = TNC_BOWL_START_RADIUS * TNC_BOWL_START_RADIUS;
	double A = (a2 - r2) / (a2 + r2);
	double omega = sqrt(8.0 * TNC_GRAVITY * TNC_BOWL_DEPTH) / TNC_BOWL_RADIUS;
	double d = 1.0 - A * cos(omega * time);
	double depth = sqrt(1.0 - A * A) / d - (x * x + z * z) / a2 * (1.0 - A * A) / (d * d);
	return fmax(0.0, TNC_BOWL_DEPTH * depth);
}

// The parabola of water swings along x.
static double tncGetLineDepth(double x, double z, double time)
{
	(void)z;
	double middle = -TNC_BOWL_SHIFT * cos(tncGetPlanarOmega() * time);
	double s = (x - middle) / TNC_BOWL_RADIUS;
	return fmax(0.0, TNC_BOWL_DEPTH * (1.0 - s * s));
}

typedef double tncBowlDepthFcn(double x, double z, double time);

static tncBowlDepthFcn* const s_bowlDepths[] = {tncGetPlanarDepth, tncGetRadialDepth, tncGetLineDepth};

static double tncBowlX(int column, double cellSize)
{
	return (column + 0.5) * cellSize - TNC_BOWL_HALF;
}

static tncScene tncMakeBowl(tncContext* context, tncBowlKind kind, int columnCount, int tracerCount)
{
	int rowCount = kind == tnc_lineBowl ? TNC_CHANNEL_ROWS : columnCount;
	double cellSize = 2.0 * TNC_BOWL_HALF / columnCount;
	tncScene scene = tncMakeScene(context, columnCount, rowCount, cellSize, TNC_BOWL_DEPTH, tracerCount);
	if (scene.bed == NULL || scene.depth == NULL || scene.velocityZ == NULL)
	{
		return scene;
	}
	for (int i = 0; i < columnCount * rowCount; ++i)
	{
		double x = tncBowlX(i % columnCount, cellSize);
		double z = kind == tnc_lineBowl ? 0.0 : tncBowlX(i / columnCount, cellSize);
		scene.bed[i] = (float)tncGetBowlBed(x, z);
		scene.depth[i] = (float)s_bowlDepths[kind](x, z, 0.0);
		bool moves = kind == tnc_planarBowl && scene.depth[i] > 0.0f;
		scene.velocityZ[i] = moves ? (float)(TNC_BOWL_SHIFT * tncGetPlanarOmega()) : 0.0f;
	}
	scene.useVelocity = kind == tnc_planarBowl;
	return scene;
}

tncScene tncMakePlanarBowl(tncContext* context, int columnCount, int tracerCount)
{
	return tncMakeBowl(context, tnc_planarBowl, columnCount, tracerCount);
}

double tncGetPlanarBowlPeriod(void)
{
	return 2.0 * TNC_PI / tncGetPlanarOmega();
}

static double tncMeasureBowl(const tncRun* run, tncBowlKind kind, double time)
{
	double difference = 0.0;
	double sum = 0.0;
	for (int row = 0; row < run->rowCount; ++row)
	{
		const float* depth = tncGetDepthRow(run, row);
		for (int column = 0; column < run->columnCount; ++column)
		{
			double x = tncBowlX(column, run->cellSize);
			double z = kind == tnc_lineBowl ? 0.0 : tncBowlX(row, run->cellSize);
			double exact = s_bowlDepths[kind](x, z, time);
			difference += fabs((double)depth[column] - exact);
			sum += exact;
		}
	}
	return difference / sum;
}

// What swings: the distance of the centre of mass from the middle along x, or the depth in the middle.
static double tncGetSwing(const tncRun* run, tncBowlKind kind)
{
	if (kind == tnc_radialBowl)
	{
		return (double)tncGetDepthRow(run, run->rowCount / 2)[run->columnCount / 2] - TNC_BOWL_MIDDLE_DEPTH;
	}
	double moment = 0.0;
	double mass = 0.0;
	for (int row = 0; row < run->rowCount; ++row)
	{
		const float* depth = tncGetDepthRow(run, row);
		for (int column = 0; column < run->columnCount; ++column)
		{
			moment += (double)depth[column] * tncBowlX(column, run->cellSize);
			mass += (double)depth[column];
		}
	}
	return moment / mass;
}

typedef struct tncBowlLimits
{
	double depth[2];
} tncBowlLimits;

// A section along x through the middle.
static void tncDrawBowl(const tncRun* run, tncBowlKind kind, double time, double periods, const char* label)
{
	tncPanel* panel = tncAddPanel(run->context, "x (m)", "height (m)", "%s, t = %g T", label, periods);
	tncSeries* ground = tncPanel_AddSeries(panel, tnc_groundRole, tnc_lineMark, "bed");
	tncSeries* exact = tncPanel_AddSeries(panel, tnc_referenceRole, tnc_lineMark, "exact");
	tncSeries* result = tncPanel_AddSeries(panel, tnc_resultRole, tnc_lineMark, "computed");
	int row = run->rowCount / 2;
	double z = kind == tnc_lineBowl ? 0.0 : tncBowlX(row, run->cellSize);
	for (int column = 0; column < run->columnCount && panel != NULL; ++column)
	{
		double x = tncBowlX(column, run->cellSize);
		double bed = tncGetBowlBed(x, z);
		double depth = s_bowlDepths[kind](x, z, time);
		double own = (double)tncGetDepthRow(run, row)[column];
		tncSeries_AddPoint(ground, x, bed);
		tncSeries_AddPoint(exact, x, depth > 0.0 ? bed + depth : NAN);
		tncSeries_AddPoint(result, x, own > 1.0e-3 ? bed + own : NAN);
	}
}

// What the swing would be.
static double tncGetExactSwing(tncBowlKind kind, double time)
{
	double phase = tncGetPlanarOmega() * time;
	switch (kind)
	{
		case tnc_planarBowl:
			return TNC_BOWL_SHIFT * cos(phase);
		case tnc_lineBowl:
			return -TNC_BOWL_SHIFT * cos(phase);
		default:
			return tncGetRadialDepth(0.0, 0.0, time) - TNC_BOWL_MIDDLE_DEPTH;
	}
}

static void tncRunBowl(tncContext* context, tncBowlKind kind, const char* label, const tncBowlLimits* limits)
{
	bool same = context->method->model == tnc_shallowModel;
	double period = kind == tnc_radialBowl ? 0.5 * tncGetPlanarBowlPeriod() : tncGetPlanarBowlPeriod();
	tncScene scene = tncMakeBowl(context, kind, 128, 0);
	tncRun run;
	const int twinTurns[] = {[tnc_planarBowl] = tnc_transpose | tnc_flipColumns,
		[tnc_radialBowl] = tnc_flipRows,
		[tnc_lineBowl] = tnc_transpose | tnc_flipColumns | tnc_flipRows};
	if (tncStartRun(context, &scene, twinTurns[kind], &run) == false)
	{
		tncFreeScene(&scene);
		return;
	}

	double startSurface = -INFINITY;
	for (int i = 0; i < run.columnCount * run.rowCount; ++i)
	{
		bool wet = scene.depth[i] > 0.0f;
		startSurface = wet ? fmax(startSurface, (double)scene.bed[i] + (double)scene.depth[i]) : startSurface;
	}

	// Stepped in quarters of a period, each in equal steps, so that crossings of zero can be timed.
	double timeStep = tncGetTimeStep(run.cellSize, 1.5 * TNC_BOWL_DEPTH, TNC_BOWL_COURANT);
	int quarterSteps = (int)ceil(0.25 * period / timeStep);
	timeStep = 0.25 * period / quarterSteps;
	double startSwing = tncGetSwing(&run, kind);
	double swing = startSwing;
	double crossings[2] = {NAN, NAN};
	int crossingCount = 0;
	double lastPeak = 0.0;
	double errorAtPeriod = NAN;
	const double quarters[] = {1, 2, 4, 12};
	tncPanel* panel = tncAddPanel(context, "time (periods)",
		kind == tnc_radialBowl ? "central depth - 2.05 (m)" : "centre of mass, x (m)", "%s: the swing", label);
	tncSeries* exactSwing = tncPanel_AddSeries(panel, tnc_referenceRole, tnc_lineMark, "exact");
	tncSeries* ownSwing = tncPanel_AddSeries(panel, tnc_resultRole, tnc_lineMark, "computed");
	for (int quarter = 1; quarter <= 12; ++quarter)
	{
		for (int step = 0; step < quarterSteps; ++step)
		{
			tncSteps(&run, 1, timeStep);
			double next = tncGetSwing(&run, kind);
			// Every second crossing has the direction of the first: one period each.
			if ((swing > 0.0) != (next > 0.0))
			{
				double at = (double)(run.stepCount - 1) * timeStep + timeStep * swing / (swing - next);
				crossings[0] = crossingCount == 0 ? at : crossings[0];
				crossings[1] = crossingCount == 4 ? at : crossings[1];
				crossingCount += 1;
			}
			lastPeak = quarter > 10 ? fmax(lastPeak, fabs(next)) : 0.0;
			swing = next;
			// Enough points for a smooth curve.
			if (panel != NULL && run.stepCount % 4 == 0)
			{
				double time = (double)run.stepCount * timeStep;
				tncSeries_AddPoint(exactSwing, time / period, tncGetExactSwing(kind, time));
				tncSeries_AddPoint(ownSwing, time / period, next);
			}
		}
		double error = tncMeasureBowl(&run, kind, 0.25 * quarter * period);
		if (quarter == 4 || quarter == 12)
		{
			tncDrawBowl(&run, kind, 0.25 * quarter * period, 0.25 * quarter, label);
		}
		for (int i = 0; i < 4; ++i)
		{
			if (quarters[i] == quarter && quarter != 4)
			{
				tncTell(context, error, "%s: L1(h) after %g periods", label, 0.25 * quarter);
			}
		}
		errorAtPeriod = quarter == 4 ? error : errorAtPeriod;
	}

	tncJudge(context, same, errorAtPeriod, limits->depth[0], limits->depth[1], "%s: L1(h) after 1 period", label);
	double periodError = fabs((crossings[1] - crossings[0]) / (2.0 * period) - 1.0);
	tncJudge(context, same, periodError, 0.02, 0.003, "%s: period: error", label);
	if (kind != tnc_radialBowl)
	{
		tncJudgeRange(context, same, lastPeak / fabs(startSwing), (tncRange){0.75, INFINITY},
			(tncRange){0.97, INFINITY}, "%s: amplitude kept after 3 periods", label);
	}
	tncRequire(context, run.maxSurface, -INFINITY, 1.2 * startSurface, "%s: highest surface (m)", label);
	if (kind == tnc_lineBowl)
	{
		tncRequire(context, tncGetRowSpread(&run), 0.0, 0.0, "%s: difference between rows (m)", label);
	}
	tncJudgeGates(&run, label);
	tncEndRun(&run);
	tncFreeScene(&scene);
}

// The formulas above must be those of the tables.
static void tncCheckBowlTables(tncContext* context)
{
	const char* names[] = {"f05_thacker_1d.csv", "f05_thacker_radial.csv"};
	const char* columns[] = {"h_0.25T", "h_0.25T"};
	for (int i = 0; i < 2; ++i)
	{
		tncTable table;
		if (tncReadTable(context, names[i], &table))
		{
			double time = 0.25 * (i == 0 ? tncGetPlanarBowlPeriod() : 0.5 * tncGetPlanarBowlPeriod());
			double worst = 0.0;
			for (int row = 0; row < table.rowCount; ++row)
			{
				double x = tncGetValue(&table, row, 0);
				double exact = i == 0 ? tncGetLineDepth(x, 0.0, time) : tncGetRadialDepth(x, 0.0, time);
				worst = fmax(worst, fabs(exact - tncGetValue(&table, row, tncFindColumn(&table, columns[i]))));
			}
			// The tables have six to seven digits.
			tncRequire(context, worst, 0.0, 1.0e-5, "formula against %s (m)", names[i]);
			tncFreeTable(&table);
		}
	}
}

void tncRunThacker(tncContext* context)
{
	const tncBowlLimits limits[] = {{{0.2, 0.015}}, {{0.1, 0.02}}, {{0.08, 0.01}}};
	tncSetPanelColumns(context, 3);
	tncCheckBowlTables(context);
	tncRunBowl(context, tnc_planarBowl, "planar", limits + 0);
	tncRunBowl(context, tnc_radialBowl, "radial", limits + 1);
	tncRunBowl(context, tnc_lineBowl, "1D", limits + 2);
}

// Slope by which the world is tilted to and fro, and its angular frequency, 1/s: near the water's own, so that the
// shore keeps moving.
#define TNC_TILT_SLOPE 0.02
#define TNC_TILT_OMEGA 0.31

// Steps that the turned twin is run for: it would double the longest case.
#define TNC_MASS_TWIN_STEPS 10000

static double tncGetMassDrift(const tncRun* run)
{
	return (tncGetVolume(run->world) - run->startVolume) / run->startVolume;
}

void tncRunMass(tncContext* context)
{
	const int checkpoints[] = {1000, TNC_MASS_TWIN_STEPS, context->config.ends ? 25000 : 100000};
	tncScene scene = tncMakeBowl(context, tnc_planarBowl, 64, 0);
	tncRun run;
	if (tncStartRun(context, &scene, tnc_transpose | tnc_flipColumns | tnc_flipRows, &run))
	{
		tncPanel* panel = tncAddPanel(context, "steps", "volume drift over the volume", "volume over 100 000 steps");
		tncSeries* exact = tncPanel_AddSeries(panel, tnc_referenceRole, tnc_levelMark, "exact");
		tncSeries* result = tncPanel_AddSeries(panel, tnc_resultRole, tnc_lineMark, "computed");
		tncSeries_AddPoint(exact, 0.0, 0.0);
		tncPanel_AddLimits(panel, 1.0e-5, 1.0e-6);
		tncPanel_AddLimits(panel, -1.0e-5, -1.0e-6);

		double timeStep = tncGetTimeStep(run.cellSize, 1.5 * TNC_BOWL_DEPTH, TNC_BOWL_COURANT);
		double drift = NAN;
		for (int i = 0; i < 3; ++i)
		{
			while (run.stepCount < checkpoints[i] && run.failed == false)
			{
				double tilt = TNC_TILT_SLOPE * cos(TNC_TILT_OMEGA * timeStep * (double)run.stepCount);
				tncRun_SetAcceleration(&run, TNC_GRAVITY * tilt, 0.0);
				tncSteps(&run, 1, timeStep);
				if (panel != NULL && run.stepCount % 250 == 0)
				{
					tncSeries_AddPoint(result, (double)run.stepCount, tncGetMassDrift(&run));
				}
			}
			drift = tncGetMassDrift(&run);
			if (i < 2)
			{
				tncTell(context, fabs(drift), "volume drift after %d steps", checkpoints[i]);
			}
			if (checkpoints[i] == TNC_MASS_TWIN_STEPS)
			{
				tncDropTwin(&run, "10 000 steps");
			}
		}
		tncJudgeProperty(context, fabs(drift), 1.0e-5, 1.0e-6, "volume drift after %d steps", checkpoints[2]);
		// The forced bowl may gain energy, but the water has to stay in it.
		tncRequire(
			context, run.maxSurface, -INFINITY, tncGetBowlBed(TNC_BOWL_HALF, TNC_BOWL_HALF), "highest surface (m)");
		tncJudgeGates(&run, "forced bowl");
		tncEndRun(&run);
	}
	tncFreeScene(&scene);
}
