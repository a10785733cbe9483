// SPDX-License-Identifier: MIT

// W09: waves over a bed that rises, slowly and at once.

#include "kits/wave_kit.h"

#include <math.h>
#include <stdio.h>

enum
{
	tncShoreColumns = 512,
	// Rows that both levels wrap at.
	tncShoreRows = 128,
	tncShoreLevels = 2,
};

// Wave number of a frequency.
static double tncFindWaveNumber(double omega, double depth)
{
	double low = 1.0e-9, high = 1.0e3;
	for (int i = 0; i < 200; ++i)
	{
		const double middle = 0.5 * (low + high);
		*(tncGetOmega(middle, depth) < omega ? &low : &high) = middle;
	}
	return low;
}

// Depth changes from one to another between two places along x, m.
typedef struct tncSlope
{
	double before, after, begin, end;
	double cellSize, timeStep;
} tncSlope;

static bool tncOpenSlope(tncContext* context, const tncSlope* slope, tncWaves* waves)
{
	tnWorldDef def = tncMakeWaveDef(context, tncShoreColumns, tncShoreRows, slope->cellSize, tncShoreLevels, 0);
	def.edges[tn_west].kind = tn_absorbEdge;
	def.edges[tn_east].kind = tn_absorbEdge;
	def.edges[tn_north].kind = tn_wrapEdge;
	def.edges[tn_south].kind = tn_wrapEdge;
	def.waves.timeStep = (float)slope->timeStep;
	static float depths[tncShoreColumns * tncShoreRows];
	for (int i = 0; i < tncShoreColumns * tncShoreRows; ++i)
	{
		const double x = (i % tncShoreColumns + 0.5) * slope->cellSize;
		const double t = fmin(fmax((x - slope->begin) / fmax(slope->end - slope->begin, 1.0e-9), 0.0), 1.0);
		depths[i] = (float)(slope->before + t * (slope->after - slope->before));
	}
	return tncOpenWavesOver(context, &def, depths, waves);
}

// What passes a place: sums of squares of heights, and of their change in a step.
typedef struct tncPasser
{
	double x, last, squares, changes;
} tncPasser;

static void tncWatch(tncWaves* waves, tncPasser* passer)
{
	const double height = tncGetHeight(waves, passer->x, 0.5 * tncShoreRows * waves->cellSize);
	passer->squares += height * height;
	passer->changes += (height - passer->last) * (height - passer->last);
	passer->last = height;
}

static void tncRunShoaling(tncContext* context)
{
	// 20 waves of 16 m.
	const tncSlope slope = {8.0, 2.0, 330.0, 650.0, 2.0, TNC_WAVE_STEP};
	const tncWaveTrain train = {16.0, 32.0, TNC_AMPLITUDE, 200.0, 8.0, false, 0};
	tncWaves waves;
	if (!tncOpenSlope(context, &slope, &waves))
	{
		return;
	}
	tncAddTrain(&waves, &train);
	tncEnterWaves(&waves, true, true);
	tncPasser passers[2] = {{310.0, 0.0, 0.0, 0.0}, {700.0, 0.0, 0.0, 0.0}};
	tncPanel* panel = tncAddPanel(context, "time (s)", "surface (m)", "shoaling from 8 to 2 m");
	tncSeries* before = tncPanel_AddSeries(panel, tnc_variantRole, tnc_lineMark, "at 8 m");
	tncSeries* after = tncPanel_AddSeries(panel, tnc_resultRole, tnc_lineMark, "at 2 m");
	while (waves.time < 280.0 && waves.failed == false)
	{
		tncStepWaves(&waves, 6);
		tncWatch(&waves, passers);
		tncWatch(&waves, passers + 1);
		tncSeries_AddPoint(before, waves.time, passers[0].last);
		tncSeries_AddPoint(after, waves.time, passers[1].last);
	}
	const double omega = tncGetOmega(2.0 * TNC_PI / train.wavelength, slope.before);
	const double speeds[2] = {
		tncGetGroupSpeed(2.0 * TNC_PI / train.wavelength, slope.before),
		tncGetGroupSpeed(tncFindWaveNumber(omega, slope.after), slope.after),
	};
	// Energy flux speed * sum of squares is the same at both, and so is its mean frequency.
	const double ratio = sqrt(passers[1].squares / passers[0].squares);
	const double exact = sqrt(speeds[0] / speeds[1]);
	tncTell(context, ratio, "8 to 2 m: amplitude over that before (%.4g)", exact);
	tncJudge(context, true, fabs(ratio / exact - 1.0), 0.1, 0.03, "8 to 2 m: amplitude: error");
	const double period = sqrt(passers[1].squares / passers[1].changes * passers[0].changes / passers[0].squares);
	tncJudge(context, true, fabs(period - 1.0), 0.02, 0.005, "8 to 2 m: change of period");
	tncCloseWaves(&waves);
}

// A long wave at a step: what comes back and what goes on, by Lamb.
// @param after depth behind it; before it there are 4 m; @param offset of the step from the edge of a cell of the coarsest level, m
static void tncRunStep(tncContext* context, double wavelength, double after, double offset)
{
	const tncSlope slope = {4.0, after, 2048.0 + offset, 2048.0 + offset, 8.0, 0.1};
	char name[64];
	snprintf(name, sizeof(name), "step to %.3g m %s and %g m", after,
		offset != 0.0 ? "in the middle of a cell" : "between cells", wavelength);
	const tncWaveTrain train = {wavelength, 180.0, TNC_AMPLITUDE, 1100.0, 4.0, false, 0};
	tncWaves waves;
	if (!tncOpenSlope(context, &slope, &waves))
	{
		return;
	}
	tncAddTrain(&waves, &train);
	tncEnterWaves(&waves, true, true);
	// The first place sees what comes, and later what comes back.
	tncPasser come = {1500.0, 0.0, 0.0, 0.0};
	tncPasser back = come;
	tncPasser gone = {2500.0, 0.0, 0.0, 0.0};
	const double speed = tncGetGroupSpeed(2.0 * TNC_PI / wavelength, slope.before);
	const double turn = (slope.begin - train.start) / speed;
	tncPanel* panel = tncAddPanel(context, "time (s)", "surface (m)", "%s", name);
	tncSeries* before = tncPanel_AddSeries(panel, tnc_variantRole, tnc_lineMark, "before the step");
	tncSeries* behind = tncPanel_AddSeries(panel, tnc_resultRole, tnc_lineMark, "behind it");
	while (waves.time < 450.0 && waves.failed == false)
	{
		tncStepWaves(&waves, 3);
		tncPasser* first = waves.time < turn ? &come : &back;
		tncWatch(&waves, first);
		tncWatch(&waves, &gone);
		tncSeries_AddPoint(before, waves.time, first->last);
		tncSeries_AddPoint(behind, waves.time, gone.last);
	}
	const double roots[2] = {sqrt(slope.before), sqrt(slope.after)};
	const double reflected = sqrt(back.squares / come.squares);
	const double transmitted = sqrt(gone.squares / come.squares);
	const double exactReflected = (roots[0] - roots[1]) / (roots[0] + roots[1]);
	const double exactTransmitted = 2.0 * roots[0] / (roots[0] + roots[1]);
	const double ambitious = after < 1.0 ? 0.05 : 0.03;
	tncTell(context, reflected, "%s: reflected amplitude (%.4g)", name, exactReflected);
	tncJudge(
		context, true, fabs(reflected / exactReflected - 1.0), 0.1, ambitious, "%s: reflected amplitude: error", name);
	tncTell(context, transmitted, "%s: transmitted amplitude (%.4g)", name, exactTransmitted);
	tncJudge(context, true, fabs(transmitted / exactTransmitted - 1.0), 0.1, ambitious,
		"%s: transmitted amplitude: error", name);
	tncCloseWaves(&waves);
}

void tncRunShoals(tncContext* context)
{
	tncRunShoaling(context);
	// 11 cells of the coarsest level, and 20.
	tncRunStep(context, 176.0, 1.0, 0.0);
	tncRunStep(context, 320.0, 1.0, 0.0);
	// Those cells are 16 m.
	tncRunStep(context, 176.0, 1.0, 8.0);
	tncRunStep(context, 320.0, 1.0, 8.0);
	// 9 to 1.
	tncRunStep(context, 320.0, 4.0 / 9.0, 0.0);
	tncRunStep(context, 320.0, 4.0 / 9.0, 8.0);
}
