// SPDX-License-Identifier: MIT

// W01: how fast waves run.

#include "kits/wave_kit.h"

#include <math.h>
#include <stdio.h>

// Of the finest level, m.
#define TNC_FINE_CELL 0.25

enum
{
	tncOctaveCount = 5,
	tncDepthCount = 5,
	// Periods that a wave is followed for, at least.
	tncPeriodCount = 10,
	// Tiles of the level that an octave lies in, and of the next finer one.
	tncTwoLevels = 1 + 4,
};

static const double s_depths[tncDepthCount] = {0.5, 2.0, 8.0, 32.0, TNC_DEEP};

// Waves along x and z in a world that wraps: of 8 to 16 lengths of it, so that they are 4 to 8 cells long in the level
// whose 64 cells fill the world. Together these levels are all lengths there are.
typedef struct tncDirection
{
	const char* name;
	int waves[9][2];
	int count;
} tncDirection;

enum
{
	tncAxis,
	tncDiagonal,
	tncSlant,
	tncDirectionCount,
};

static const tncDirection s_directions[tncDirectionCount] = {
	{"along the axis", {{8, 0}, {9, 0}, {10, 0}, {11, 0}, {12, 0}, {13, 0}, {14, 0}, {15, 0}, {16, 0}}, 9},
	{"along the diagonal", {{6, 6}, {7, 7}, {8, 8}, {9, 9}, {10, 10}, {11, 11}}, 6},
	// To a degree.
	{"at 30 degrees", {{7, 4}, {9, 5}, {12, 7}}, 3},
};

// A standing wave and the phase that it has come to.
typedef struct tncMode
{
	int direction;
	double waveX, waveZ;  // 1/m
	double length, omega; // m, 1/s: exact
	double phase, firstPhase, firstTime;
	double speed; // measured over exact
	bool isDone;
} tncMode;

typedef struct tncOctaveModes
{
	tncMode modes[18];
	int count;
} tncOctaveModes;

static tncOctaveModes tncMakeModes(int octave, double depth)
{
	tncOctaveModes modes = {0};
	const double size = ldexp(64.0 * TNC_FINE_CELL, octave);
	for (int d = 0; d < tncDirectionCount; ++d)
	{
		for (int i = 0; i < s_directions[d].count; ++i)
		{
			tncMode* mode = modes.modes + modes.count++;
			mode->direction = d;
			mode->waveX = 2.0 * TNC_PI * s_directions[d].waves[i][0] / size;
			mode->waveZ = 2.0 * TNC_PI * s_directions[d].waves[i][1] / size;
			const double k = hypot(mode->waveX, mode->waveZ);
			mode->length = 2.0 * TNC_PI / k;
			mode->omega = tncGetOmega(k, depth);
		}
	}
	return modes;
}

// The height before the last step is known from the rate, so the phase of cos(omega t) is exact.
static void tncFollow(const tncWaves* waves, tncMode* mode)
{
	if (mode->isDone)
	{
		return;
	}
	const double height = tncProjectWave(waves, tnc_bandHeights, mode->waveX, mode->waveZ);
	const double rate = tncProjectWave(waves, tnc_bandRates, mode->waveX, mode->waveZ);
	const double angle = mode->omega * TNC_WAVE_STEP;
	const double sine = (height - TNC_WAVE_STEP * rate - height * cos(angle)) / sin(angle);
	const double phase = atan2(sine, height);
	if (mode->firstTime == 0.0)
	{
		mode->firstPhase = phase;
		mode->phase = phase;
		mode->firstTime = waves->time;
		return;
	}
	// Less than half a turn since then.
	mode->phase += remainder(phase - mode->phase, 2.0 * TNC_PI);
	mode->speed = (mode->phase - mode->firstPhase) / (waves->time - mode->firstTime) / mode->omega;
	mode->isDone = mode->phase - mode->firstPhase > 2.0 * TNC_PI * tncPeriodCount;
}

static void tncMeasureOctave(tncContext* context, int octave, double depth, tncOctaveModes* modes)
{
	const int cells = 64 << octave;
	const int finerLevels = octave + 3 < 6 ? octave + 3 : 6;
	tnWorldDef def = tncMakeWaveDef(context, cells, cells, TNC_FINE_CELL, octave + 1, finerLevels);
	tncSetWaveEdges(&def, tn_wrapEdge);
	// Finer levels have nothing of these waves.
	def.waves.tileCount = def.waves.tileCount < tncTwoLevels ? def.waves.tileCount : tncTwoLevels;
	*modes = tncMakeModes(octave, depth);
	tncWaves waves;
	if (!tncOpenWaves(context, &def, depth, &waves))
	{
		return;
	}
	double shortest = INFINITY, longest = 0.0;
	for (int i = 0; i < modes->count; ++i)
	{
		const tncMode* mode = modes->modes + i;
		const double period = 2.0 * TNC_PI / mode->omega;
		shortest = period < shortest ? period : shortest;
		longest = period > longest ? period : longest;
		tncAddPlaneWave(&waves, TNC_AMPLITUDE, mode->waveX, mode->waveZ);
	}
	tncEnterWaves(&waves, true, false);
	// Even a kernel that is 20 % off goes less than half a turn in a quarter of a period.
	const int interval = (int)(0.25 * shortest / TNC_WAVE_STEP);
	const double end = 2.0 * (tncPeriodCount + 1) * longest;
	bool done = false;
	while (waves.time < end && waves.failed == false && done == false)
	{
		tncStepWaves(&waves, interval);
		done = true;
		for (int i = 0; i < modes->count; ++i)
		{
			tncFollow(&waves, modes->modes + i);
			done = done && modes->modes[i].isDone;
		}
	}
	tncCloseWaves(&waves);
}

// Error of the waves along the axis at a length, between those that were measured.
static double tncGetAxisError(const tncOctaveModes* modes, double length)
{
	for (int i = 0; i + 1 < s_directions[tncAxis].count; ++i)
	{
		const tncMode* a = modes->modes + i;
		const tncMode* b = a + 1;
		if (length <= a->length && length >= b->length)
		{
			const double share = (a->length - length) / (a->length - b->length);
			return (1.0 - share) * a->speed + share * b->speed - 1.0;
		}
	}
	return NAN;
}

typedef struct tncSpeedErrors
{
	double all, resolved, spread;
} tncSpeedErrors;

static void tncCollectErrors(const tncOctaveModes* modes, tncSpeedErrors* errors)
{
	for (int i = 0; i < modes->count; ++i)
	{
		const tncMode* mode = modes->modes + i;
		const double error = fabs(mode->speed - 1.0);
		// Written so that a NaN is kept.
		errors->all = error <= errors->all ? errors->all : error;
		if (mode->length >= 8.0 * TNC_FINE_CELL - 1.0e-9)
		{
			errors->resolved = error <= errors->resolved ? errors->resolved : error;
		}
		const double axis = tncGetAxisError(modes, mode->length);
		if (mode->direction != tncAxis && isfinite(axis))
		{
			const double spread = fabs(mode->speed - 1.0 - axis);
			errors->spread = spread <= errors->spread ? errors->spread : spread;
		}
	}
}

static void tncRunDepth(tncContext* context, double depth)
{
	char label[32];
	snprintf(label, sizeof(label), depth == TNC_DEEP ? "deep" : "depth %g m", depth);
	tncPanel* speeds = NULL;
	if (depth == TNC_DEEP)
	{
		speeds = tncAddPanel(context, "wavelength (m)", "phase speed (m/s)", "deep water");
	}
	if (speeds != NULL)
	{
		speeds->logX = true;
		speeds->logY = true;
	}
	tncSeries* exact = tncPanel_AddSeries(speeds, tnc_referenceRole, tnc_lineMark, "exact");
	tncSeries* measured = tncPanel_AddSeries(speeds, tnc_resultRole, tnc_dotMark, "measured");
	tncPanel* panel = tncAddPanel(context, "wavelength (m)", "phase speed over exact", "%s", label);
	tncSeries* one = tncPanel_AddSeries(panel, tnc_referenceRole, tnc_levelMark, "exact");
	tncSeries* ratios = tncPanel_AddSeries(panel, tnc_resultRole, tnc_dotMark, "measured");
	tncSeries_AddPoint(one, 1.0, 1.0);
	if (panel != NULL)
	{
		panel->logX = true;
	}

	tncSpeedErrors errors = {0};
	for (int octave = 0; octave < tncOctaveCount; ++octave)
	{
		tncOctaveModes modes;
		tncMeasureOctave(context, octave, depth, &modes);
		tncCollectErrors(&modes, &errors);
		for (int i = 0; i < modes.count; ++i)
		{
			const tncMode* mode = modes.modes + i;
			const double speed = mode->omega * mode->length / (2.0 * TNC_PI);
			tncSeries_AddPoint(ratios, mode->length, mode->speed);
			tncSeries_AddPoint(exact, mode->length, mode->direction == tncAxis ? speed : NAN);
			tncSeries_AddPoint(measured, mode->length, speed * mode->speed);
		}
	}
	tncJudge(context, true, errors.resolved, 0.05, 0.01, "%s: |dc/c| from 8 cells on", label);
	tncJudge(context, true, errors.all, 0.03, 0.01, "%s: |dc/c| from 4 cells on", label);
	tncJudge(context, true, errors.spread, 0.01, 0.003, "%s: difference between directions", label);
}

// The table of the reference knows the same formula.
static void tncCheckDispersion(tncContext* context)
{
	tncTable table;
	if (!tncReadTable(context, "w01_dispersion.csv", &table))
	{
		return;
	}
	const int lengths = tncFindColumn(&table, "wavelength");
	const int depths = tncFindColumn(&table, "H");
	const int speeds = tncFindColumn(&table, "c");
	double worst = 0.0;
	for (int row = 0; row < table.rowCount; ++row)
	{
		const double k = 2.0 * TNC_PI / tncGetValue(&table, row, lengths);
		const double depth = tncGetValue(&table, row, depths);
		const double speed = tncGetOmega(k, isfinite(depth) ? depth : TNC_DEEP) / k;
		const double error = fabs(speed / tncGetValue(&table, row, speeds) - 1.0);
		worst = error <= worst ? worst : error;
	}
	tncRequire(context, worst, 0.0, 1.0e-6, "formula against the table");
	tncFreeTable(&table);
}

void tncRunPhaseSpeed(tncContext* context)
{
	tncCheckDispersion(context);
	for (int i = tncDepthCount - 1; i >= 0; --i)
	{
		tncRunDepth(context, s_depths[i]);
	}
}
