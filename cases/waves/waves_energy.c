// SPDX-License-Identifier: MIT

// W05: what waves lose, and that they gain nothing.

#include "kits/wave_kit.h"

#include <math.h>
#include <stdio.h>

// 256 x 256 cells of 0.25 m that wrap: lengths from 8 cells to a quarter of the world.
enum
{
	tncLossCells = 256,
	tncLossLevels = 3,
	tncLossCount = 7,
};

static const int s_lossWaves[tncLossCount] = {4, 8, 12, 16, 20, 24, 32};

#define TNC_LOSS_CELL 0.25
#define TNC_LOSS_TIME 10.0

static double tncGetLossNumber(int wave)
{
	return 2.0 * TNC_PI * s_lossWaves[wave] / (tncLossCells * TNC_LOSS_CELL);
}

// Amplitude of a standing wave of known frequency, from its heights now and a step before.
static double tncGetAmplitude(const tncWaves* waves, double waveX, double omega)
{
	const double height = tncProjectWave(waves, tnc_bandHeights, waveX, 0.0);
	const double before = height - waves->timeStep * tncProjectWave(waves, tnc_bandRates, waveX, 0.0);
	const double q = omega * waves->timeStep;
	return sqrt(height * height - 2.0 * height * before * cos(q) + before * before) / sin(q);
}

static void tncMeasureLosses(tncContext* context, double damping, double viscosity, double* amplitudes)
{
	tnWorldDef def = tncMakeWaveDef(context, tncLossCells, tncLossCells, TNC_LOSS_CELL, tncLossLevels, 4);
	tncSetWaveEdges(&def, tn_wrapEdge);
	def.waves.damping = (float)damping;
	def.waves.viscosity = (float)viscosity;
	tncWaves waves;
	if (!tncOpenWaves(context, &def, TNC_DEEP, &waves))
	{
		return;
	}
	for (int i = 0; i < tncLossCount; ++i)
	{
		tncAddPlaneWave(&waves, TNC_AMPLITUDE, tncGetLossNumber(i), 0.0);
	}
	tncEnterWaves(&waves, true, false);
	tncStepWaves(&waves, (int64_t)(TNC_LOSS_TIME / TNC_WAVE_STEP + 0.5));
	for (int i = 0; i < tncLossCount; ++i)
	{
		const double k = tncGetLossNumber(i);
		amplitudes[i] = tncGetAmplitude(&waves, k, tncGetOmega(k, TNC_DEEP));
	}
	tncCloseWaves(&waves);
}

// Against a run without losses: what bands in between do to each other is the same in both.
static void tncRunLosses(tncContext* context)
{
	const double damping = 0.1;
	// The shortest wave loses a factor e.
	const double shortest = tncGetLossNumber(tncLossCount - 1);
	const double viscosity = 1.0 / (2.0 * shortest * shortest * TNC_LOSS_TIME);
	double none[tncLossCount] = {0}, damped[tncLossCount] = {0}, viscous[tncLossCount] = {0};
	tncMeasureLosses(context, 0.0, 0.0, none);
	tncMeasureLosses(context, damping, 0.0, damped);
	tncMeasureLosses(context, 0.0, viscosity, viscous);
	double worst = 0.0, worstViscous = 0.0;
	tncPanel* panel = tncAddPanel(context, "wavelength (m)", "amplitude after 10 s", "viscosity");
	tncSeries* exact = tncPanel_AddSeries(panel, tnc_referenceRole, tnc_lineMark, "exp(-2 nu k^2 t)");
	tncSeries* own = tncPanel_AddSeries(panel, tnc_resultRole, tnc_dotMark, "measured");
	for (int i = 0; i < tncLossCount; ++i)
	{
		const double k = tncGetLossNumber(i);
		const double error = fabs(damped[i] / none[i] * exp(damping * TNC_LOSS_TIME) - 1.0);
		const double expected = exp(-2.0 * viscosity * k * k * TNC_LOSS_TIME);
		const double viscousError = fabs(viscous[i] / none[i] / expected - 1.0);
		worst = error <= worst ? worst : error;
		worstViscous = viscousError <= worstViscous ? worstViscous : viscousError;
		tncSeries_AddPoint(exact, 2.0 * TNC_PI / k, expected);
		tncSeries_AddPoint(own, 2.0 * TNC_PI / k, viscous[i] / none[i]);
		if (i == 1 || i == 3 || i == tncLossCount - 1)
		{
			tncTell(context, log(viscous[i] / none[i]) / log(expected), "viscosity: rate over 2 nu k^2 at %.3g m",
				2.0 * TNC_PI / k);
		}
	}
	tncJudge(context, true, worst, 0.02, 0.002, "damping: amplitude after 10 s: error");
	tncJudge(context, true, worstViscous, 0.02, 0.002, "viscosity: amplitude after 10 s: error");
}

static double tncGetEnergy(const tncWaves* waves)
{
	tnWaveStats stats = {0};
	if (tnWorld_GetWaveStats(waves->world, &stats).status != tn_ok)
	{
		return NAN;
	}
	double sum = 0.0;
	for (int level = 0; level < waves->levelCount; ++level)
	{
		sum += stats.energies[level];
	}
	return sum;
}

// Mean over some steps: the energy of a band is told with one frequency for all its waves, so it is not steady.
static double tncGetMeanEnergy(tncWaves* waves, int stepCount)
{
	double sum = 0.0;
	for (int i = 0; i < stepCount; ++i)
	{
		tncStepWaves(waves, 1);
		sum += tncGetEnergy(waves) / stepCount;
	}
	return sum;
}

// A thousand periods of a wave that has to itself one band, or two.
static void tncRunThousandPeriods(tncContext* context, int levelCount, double cells, const char* label)
{
	const int size = 64 << (levelCount - 1);
	tnWorldDef def = tncMakeWaveDef(context, size, size, TNC_LOSS_CELL, levelCount, 3);
	tncSetWaveEdges(&def, tn_wrapEdge);
	tncWaves waves;
	if (!tncOpenWaves(context, &def, TNC_DEEP, &waves))
	{
		return;
	}
	const double length = size * TNC_LOSS_CELL;
	const double k = 2.0 * TNC_PI * floor(size / cells + 0.5) / length;
	const double period = 2.0 * TNC_PI / tncGetOmega(k, TNC_DEEP);
	tncAddPlaneWave(&waves, TNC_AMPLITUDE, k, 0.0);
	tncEnterWaves(&waves, true, false);
	// Over eight periods, which are whole steps to a hundredth of a period.
	const int mean = (int)(8.0 * period / TNC_WAVE_STEP + 0.5);
	const double begin = tncGetMeanEnergy(&waves, mean);
	tncStepWaves(&waves, (int64_t)(1000.0 * period / TNC_WAVE_STEP));
	const double end = tncGetMeanEnergy(&waves, mean);
	tncJudge(context, true, fabs(end / begin - 1.0), 0.01, 0.001, "%s: change of energy in 1000 periods", label);
	tncCloseWaves(&waves);
}

// Random waves with walls, shores and a rough bed for an hour.
static void tncRunHour(tncContext* context)
{
	enum
	{
		size = 64,
		minute = 3600,
	};
	float depths[size * size];
	for (int i = 0; i < size * size; ++i)
	{
		const uint32_t column = (uint32_t)(i % size);
		const uint32_t row = (uint32_t)(i / size);
		const double noise = 0.5 + 0.5 * tncNoise(column / 4, row / 4, 5);
		// Islands in a tenth of it, and depths from 0.1 to 4 m.
		depths[i] = noise < 0.1 ? -1.0f : (float)(0.1 * pow(40.0, noise));
	}
	tnWorldDef def = tncMakeWaveDef(context, size, size, TNC_LOSS_CELL, 2, 0);
	def.waves.restHeight = 0.0f;
	tncWaves waves;
	if (!tncOpenWavesOver(context, &def, depths, &waves))
	{
		return;
	}
	for (int i = 0; i < size * size; ++i)
	{
		waves.heights[i] = (float)(TNC_AMPLITUDE * tncNoise((uint32_t)(i % size), (uint32_t)(i / size), 17));
	}
	tncEnterWaves(&waves, true, false);
	tncPanel* panel = tncAddPanel(context, "time (min)", "energy over that of the start", "an hour on a rough bed");
	tncSeries* own = tncPanel_AddSeries(panel, tnc_resultRole, tnc_lineMark, "energy of all bands");
	tncStepWaves(&waves, minute / 2);
	const double begin = tncGetMeanEnergy(&waves, minute / 20);
	double most = 0.0, last = NAN;
	for (int i = 1; i <= 60 && waves.failed == false; ++i)
	{
		tncStepWaves(&waves, minute - minute / 20);
		last = tncGetMeanEnergy(&waves, minute / 20) / begin;
		most = last <= most ? most : last;
		tncSeries_AddPoint(own, i, last);
	}
	tncRequire(context, most, 0.0, 1.05, "an hour on a rough bed: most energy over that of the start");
	tncJudge(context, true, fabs(last - 1.0), 0.05, 0.01, "an hour on a rough bed: change of energy");
	tncCloseWaves(&waves);
}

// The longest steps that a def allows, on small cells: nothing grows.
static void tncRunLongSteps(tncContext* context, double timeStep)
{
	enum
	{
		size = 128,
		// Energies of random waves come and go by some percent: steps enough to tell that from growth.
		quarter = 10000,
		interval = 50,
	};
	tnWorldDef def = tncMakeWaveDef(context, size, size, TNC_LOSS_CELL, 2, 3);
	tncSetWaveEdges(&def, tn_wrapEdge);
	def.waves.timeStep = (float)timeStep;
	def.waves.restHeight = 0.0f;
	tncWaves waves;
	if (!tncOpenWaves(context, &def, 2.0, &waves))
	{
		return;
	}
	for (int i = 0; i < size * size; ++i)
	{
		waves.heights[i] = (float)(TNC_AMPLITUDE * tncNoise((uint32_t)(i % size), (uint32_t)(i / size), 23));
	}
	tncEnterWaves(&waves, true, false);
	double largest[4] = {0};
	for (int part = 0; part < 4; ++part)
	{
		for (int i = 0; i < quarter; i += interval)
		{
			tncStepWaves(&waves, interval);
			const double energy = tncGetEnergy(&waves);
			largest[part] = energy <= largest[part] ? largest[part] : energy;
		}
	}
	// Of amplitudes, per step.
	const double growth = pow(largest[3] / largest[1], 0.5 / (2.0 * quarter)) - 1.0;
	tncRequire(context, growth, -INFINITY, 1.0e-6, "steps of %g s: growth of waves per step", timeStep);
	tncCloseWaves(&waves);
}

void tncRunWaveLosses(tncContext* context)
{
	tncRunLosses(context);
	tncRunThousandPeriods(context, 1, 8.0, "one band");
	tncRunThousandPeriods(context, 2, 10.0, "two bands");
	tncRunLongSteps(context, TNC_WAVE_STEP);
	if (!context->config.ends)
	{
		tncRunLongSteps(context, 0.1);
		tncRunLongSteps(context, 0.25);
	}
	tncRunLongSteps(context, 1.0);
	tncRunHour(context);
}
