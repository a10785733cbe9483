// SPDX-License-Identifier: MIT

// How waves spread: W03 rings of a hump, W04 a packet that runs one way.

#include "kits/wave_kit.h"

#include <math.h>
#include <stdio.h>

// ---------------------------------------------------------------------------------------------------------------------
// W03

enum
{
	tncRingCells = 512,
	tncRingLevels = 7,
	tncRayCount = 16,
};

#define TNC_RING_CELL 0.25
#define TNC_RING_HEIGHT 0.1
// Farthest that is looked at, m.
#define TNC_RING_REACH 30.0

// Middle of the hump, m: off the lines of all grids.
static const tnVec2 s_ringCenter = {64.11f, 63.93f};

static void tncEnterHump(tncWaves* waves)
{
	// 8 m to each side: 1e-14 of the height are left.
	const int reach = 32;
	const int column = (int)(s_ringCenter.x / (float)TNC_RING_CELL) - reach;
	const int row = (int)(s_ringCenter.z / (float)TNC_RING_CELL) - reach;
	for (int i = 0; i < 4 * reach * reach; ++i)
	{
		const double x = (column + i % (2 * reach) + 0.5) * TNC_RING_CELL - (double)s_ringCenter.x;
		const double z = ((double)(row + i / (2 * reach)) + 0.5) * TNC_RING_CELL - (double)s_ringCenter.z;
		waves->heights[i] = (float)(TNC_RING_HEIGHT * exp(-0.5 * (x * x + z * z)));
	}
	const tnResult result = tnWorld_AddWaveField(waves->world, column, row, 2 * reach, 2 * reach, waves->heights, NULL);
	waves->failed = waves->failed || result.status != tn_ok;
}

// Height of a field of the finest level, through the 4 x 4 cells around.
static double tncInterpolateField(const tncWaves* waves, const float* field, double x, double z)
{
	const double column = floor(x / waves->cellSize - 0.5);
	const double row = floor(z / waves->cellSize - 0.5);
	double weights[2][4];
	const double parts[2] = {x / waves->cellSize - 0.5 - column, z / waves->cellSize - 0.5 - row};
	for (int axis = 0; axis < 2; ++axis)
	{
		const double t = parts[axis];
		weights[axis][0] = -t * (t - 1.0) * (t - 2.0) / 6.0;
		weights[axis][1] = (t + 1.0) * (t - 1.0) * (t - 2.0) / 2.0;
		weights[axis][2] = -(t + 1.0) * t * (t - 2.0) / 2.0;
		weights[axis][3] = (t + 1.0) * t * (t - 1.0) / 6.0;
	}
	double sum = 0.0;
	for (int i = 0; i < 16; ++i)
	{
		const int cell = ((int)row - 1 + i / 4) * waves->columnCount + (int)column - 1 + i % 4;
		sum += weights[0][i % 4] * weights[1][i / 4] * (double)field[cell];
	}
	return sum;
}

typedef struct tncRingResult
{
	double error, sampledError, anisotropy, center;
} tncRingResult;

// Against a column of the table, on rays.
static tncRingResult tncMeasureRing(tncWaves* waves, const tncTable* table, const char* column, tncSeries* series)
{
	tncRingResult result = {0};
	tncSumBands(waves, tnc_bandHeights, 0, waves->heights);
	const int radii = tncFindColumn(table, "r");
	const int values = tncFindColumn(table, column);
	double squares = 0.0, errors = 0.0, sampledErrors = 0.0, variances = 0.0;
	for (int i = 0; i < table->rowCount; ++i)
	{
		const double r = tncGetValue(table, i, radii);
		const double exact = tncGetValue(table, i, values);
		if (r >= TNC_RING_REACH)
		{
			break;
		}
		double sum = 0.0, sumOfSquares = 0.0;
		for (int ray = 0; ray < tncRayCount; ++ray)
		{
			const double angle = 2.0 * TNC_PI * ray / tncRayCount;
			const double x = (double)s_ringCenter.x + r * cos(angle);
			const double z = (double)s_ringCenter.z + r * sin(angle);
			const double height = tncInterpolateField(waves, waves->heights, x, z);
			const double sample = tncGetHeight(waves, x, z);
			errors += (height - exact) * (height - exact);
			sampledErrors += (sample - exact) * (sample - exact);
			squares += exact * exact;
			sum += height;
			sumOfSquares += height * height;
		}
		const double mean = sum / tncRayCount;
		variances += sumOfSquares / tncRayCount - mean * mean;
		tncSeries_AddPoint(series, r, mean);
		result.center = i == 0 ? mean / exact : result.center;
	}
	result.error = sqrt(errors / squares);
	result.sampledError = sqrt(sampledErrors / squares);
	result.anisotropy = sqrt(variances / (squares / tncRayCount));
	return result;
}

static double tncSumVolumes(const tncWaves* waves)
{
	double sum = 0.0;
	for (int level = 0; level < waves->levelCount; ++level)
	{
		sum += tncGetBandVolume(waves, level);
	}
	return sum;
}

static void tncRunRing(tncContext* context, const char* file, double depth, const char* label)
{
	tncTable table;
	if (!tncReadTable(context, file, &table))
	{
		return;
	}
	// With walls, so that no volume goes: the first waves come back from them after the last look.
	const tnWorldDef def = tncMakeWaveDef(context, tncRingCells, tncRingCells, TNC_RING_CELL, tncRingLevels, 4);
	tncWaves waves;
	if (tncOpenWaves(context, &def, depth, &waves))
	{
		tncEnterHump(&waves);
		const double begin = tncSumVolumes(&waves);
		double drift = 0.0;
		const int times[3] = {1, 2, 4};
		for (int i = 0; i < 3; ++i)
		{
			while (waves.time < times[i] - 0.5 * TNC_WAVE_STEP && waves.failed == false)
			{
				tncStepWaves(&waves, 1);
			}
			char column[16];
			snprintf(column, sizeof(column), "eta_t%d", times[i]);
			tncPanel* panel = tncAddPanel(context, "r (m)", "surface (m)", "%s, %d s", label, times[i]);
			tncSeries* exact = tncPanel_AddSeries(panel, tnc_referenceRole, tnc_lineMark, "exact");
			tncSeries* own = tncPanel_AddSeries(panel, tnc_resultRole, tnc_lineMark, "mean of 16 rays");
			for (int row = 0; row < table.rowCount && tncGetValue(&table, row, 0) < TNC_RING_REACH; ++row)
			{
				tncSeries_AddPoint(
					exact, tncGetValue(&table, row, 0), tncGetValue(&table, row, tncFindColumn(&table, column)));
			}
			const tncRingResult result = tncMeasureRing(&waves, &table, column, own);
			tncJudge(context, true, result.error, 0.15, 0.04, "%s %d s: L2 error", label, times[i]);
			tncJudge(context, true, result.anisotropy, 0.03, 0.007, "%s %d s: anisotropy", label, times[i]);
			tncTell(context, result.center, "%s %d s: height in the middle over exact", label, times[i]);
			tncJudge(context, true, result.sampledError, 0.15, 0.15, "%s %d s: L2 error of samples", label, times[i]);
			const double change = fabs(tncSumVolumes(&waves) - begin);
			drift = change <= drift ? drift : change;
		}
		const double volume = 2.0 * TNC_PI * TNC_RING_HEIGHT;
		// Gaussian kernels know no walls.
		tncJudge(context, true, drift / volume, 1.0e-6, 1.0e-6, "%s: change of volume over that of the hump", label);
		tncCloseWaves(&waves);
	}
	tncFreeTable(&table);
}

void tncRunRingWaves(tncContext* context)
{
	tncSetPanelColumns(context, 3);
	tncRunRing(context, "w03_ring_deep.csv", TNC_DEEP, "deep");
	tncRunRing(context, "w03_ring_h2.csv", 2.0, "depth 2 m");
}

// ---------------------------------------------------------------------------------------------------------------------
// W04

void tncRunGroupVelocity(tncContext* context)
{
	tncTable table;
	if (!tncReadTable(context, "w04_packet_deep.csv", &table))
	{
		return;
	}
	// 256 m along x; rows that every level wraps at.
	tnWorldDef def = tncMakeWaveDef(context, 512, 256, 0.5, 3, 4);
	tncSetWaveEdges(&def, tn_wrapEdge);
	const tncWaveTrain train = {8.0, 12.0, 1.0, 64.0, TNC_DEEP, false, 0};
	tncWaves waves;
	if (tncOpenWaves(context, &def, TNC_DEEP, &waves))
	{
		tncAddTrain(&waves, &train);
		tncEnterWaves(&waves, true, true);
		const tncEnergySplit begin = tncSplitEnergy(&waves, &train);
		double phase = begin.phase, turned = 0.0;
		tncEnergySplit split = begin;
		for (int i = 1; i <= 40; ++i)
		{
			tncStepWaves(&waves, 30);
			split = tncSplitEnergy(&waves, &train);
			turned += remainder(phase - split.phase, 2.0 * TNC_PI);
			phase = split.phase;
			if (i % 20 == 0)
			{
				tncPanel* panel = tncAddPanel(context, "x (m)", "surface (m)", "after %d s", i / 2);
				tncSeries* exact = tncPanel_AddSeries(panel, tnc_referenceRole, tnc_lineMark, "exact");
				tncSeries* own = tncPanel_AddSeries(panel, tnc_resultRole, tnc_lineMark, "computed");
				const int column = tncFindColumn(&table, i == 20 ? "eta_t10" : "eta_t20");
				tncSumBands(&waves, tnc_bandHeights, 0, waves.heights);
				double errors = 0.0, squares = 0.0;
				for (int row = 0; row < table.rowCount; ++row)
				{
					const double x = tncGetValue(&table, row, 0);
					const double height = tncGetValue(&table, row, column);
					const double at = tncInterpolateField(&waves, waves.heights, x + train.start, 64.0);
					errors += (at - height) * (at - height);
					squares += height * height;
					tncSeries_AddPoint(exact, x, height);
					tncSeries_AddPoint(own, x, at);
				}
				tncTell(context, sqrt(errors / squares), "after %d s: L2 error of the surface", i / 2);
			}
		}
		// 8 m fit 32 times into the world: the carrier is one of its waves.
		const double wavelength = train.wavelength;
		const double celerity = tncGetOmega(2.0 * TNC_PI / wavelength, TNC_DEEP) * wavelength / (2.0 * TNC_PI);
		const double group = (split.middle - begin.middle) / waves.time;
		const double crest = turned / waves.time * wavelength / (2.0 * TNC_PI);
		const double exactGroup = tncGetRemark(&table, "mean speed");
		tncJudge(context, true, fabs(group / exactGroup - 1.0), 0.05, 0.01, "speed of the energy: error");
		tncJudge(context, true, fabs(crest / celerity - 1.0), 0.05, 0.01, "speed of crests: error");
		const double against = split.against / (split.along + split.against);
		tncJudge(context, true, begin.against / begin.along, 0.01, 0.01, "energy that runs the other way at the start");
		tncJudge(context, true, against, 0.01, 0.01, "energy that runs the other way after 20 s");
		tncTell(context, split.along / begin.along, "energy that is left after 20 s");
		tncCloseWaves(&waves);
	}
	tncFreeTable(&table);
}
