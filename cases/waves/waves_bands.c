// SPDX-License-Identifier: MIT

// What goes into bands: W07 their sum is what was put in, W08 stamps have no volume.

#include "kits/wave_kit.h"

#include <math.h>

// ---------------------------------------------------------------------------------------------------------------------
// W07

enum
{
	tncBandLevels = 3,
};

typedef enum tncInput
{
	tnc_randomInput,
	tnc_impulseInput,
	tnc_constantInput,
	tnc_rampInput,
	tnc_inputCount,
} tncInput;

static const char* const s_inputs[tnc_inputCount] = {"random", "impulse", "constant", "ramp"};

static float tncGetInput(tncInput input, int column, int row)
{
	switch (input)
	{
		case tnc_randomInput:
			return (float)tncNoise((uint32_t)column, (uint32_t)row, 3);
		case tnc_impulseInput:
			return column == 131 && row == 77 ? 1.0f : 0.0f;
		case tnc_constantInput:
			return 1.0f;
		default:
			return (float)(0.01 * column - 0.003 * row);
	}
}

// Sum of bands against what was put in, without its mean: that is not the layer's. Over the largest of the input.
static double tncMeasurePartition(tncContext* context, tncInput input)
{
	enum
	{
		size = 256
	};
	tnWorldDef def = tncMakeWaveDef(context, size, size, 0.25, tncBandLevels, 4);
	tncSetWaveEdges(&def, tn_wrapEdge);
	tncWaves waves;
	if (!tncOpenWaves(context, &def, TNC_DEEP, &waves))
	{
		return NAN;
	}
	double mean = 0.0, largest = 0.0, worst = 0.0;
	for (int i = 0; i < size * size; ++i)
	{
		waves.heights[i] = tncGetInput(input, i % size, i / size);
		mean += (double)waves.heights[i] / (size * size);
		largest = fmax(largest, fabs((double)waves.heights[i]));
	}
	tncEnterWaves(&waves, true, false);
	tncSumBands(&waves, tnc_bandHeights, 0, waves.heights);
	for (int i = 0; i < size * size; ++i)
	{
		const double wanted = (double)tncGetInput(input, i % size, i / size) - mean;
		const double error = fabs((double)waves.heights[i] - wanted) / largest;
		worst = error <= worst ? worst : error;
	}
	tncCloseWaves(&waves);
	return worst;
}

// Odd sizes, odd offsets, walls: a patch in the middle of a world, without a mean.
static double tncMeasureOddPartition(tncContext* context, int column, int row, int columns, int rows)
{
	const tnWorldDef def = tncMakeWaveDef(context, 515, 389, 0.25, tncBandLevels, 0);
	tncWaves waves;
	if (!tncOpenWaves(context, &def, TNC_DEEP, &waves))
	{
		return NAN;
	}
	float* patch = waves.rates;
	double mean = 0.0, largest = 0.0, worst = 0.0;
	for (int i = 0; i < columns * rows; ++i)
	{
		patch[i] = (float)tncNoise((uint32_t)(i % columns), (uint32_t)(i / columns), 7);
		mean += (double)patch[i] / (columns * rows);
	}
	for (int i = 0; i < columns * rows; ++i)
	{
		patch[i] = (float)((double)patch[i] - mean);
		largest = fmax(largest, fabs((double)patch[i]));
	}
	waves.failed = tnWorld_AddWaveField(waves.world, column, row, columns, rows, patch, NULL).status != tn_ok;
	tncSumBands(&waves, tnc_bandHeights, 0, waves.heights);
	for (int r = 0; r < waves.rowCount; ++r)
	{
		for (int c = 0; c < waves.columnCount; ++c)
		{
			const bool inside = c >= column && c < column + columns && r >= row && r < row + rows;
			const double wanted = inside ? (double)patch[(r - row) * columns + c - column] : 0.0;
			const double error = fabs((double)waves.heights[r * waves.columnCount + c] - wanted) / largest;
			worst = error <= worst ? worst : error;
		}
	}
	worst = waves.failed ? NAN : worst;
	tncCloseWaves(&waves);
	return worst;
}

// What bands have together of waves from 8 cells to a quarter of the world.
static double tncMeasureResponse(tncContext* context)
{
	tnWorldDef def = tncMakeWaveDef(context, 256, 256, 0.25, tncBandLevels, 4);
	tncSetWaveEdges(&def, tn_wrapEdge);
	tncWaves waves;
	if (!tncOpenWaves(context, &def, TNC_DEEP, &waves))
	{
		return NAN;
	}
	for (int n = 4; n <= 32; ++n)
	{
		tncAddPlaneWave(&waves, TNC_AMPLITUDE, 2.0 * TNC_PI * n / 64.0, 0.0);
	}
	tncEnterWaves(&waves, true, false);
	double least = INFINITY;
	for (int n = 4; n <= 32; ++n)
	{
		const double share = tncProjectWave(&waves, tnc_bandHeights, 2.0 * TNC_PI * n / 64.0, 0.0) / TNC_AMPLITUDE;
		least = share >= least ? least : share;
	}
	tncCloseWaves(&waves);
	return least;
}

void tncRunPartition(tncContext* context)
{
	for (int input = 0; input < tnc_inputCount; ++input)
	{
		tncJudge(context, true, tncMeasurePartition(context, (tncInput)input), 1.0e-5, 1.0e-6,
			"%s: sum of bands: error", s_inputs[input]);
	}
	tncJudge(context, true, tncMeasureOddPartition(context, 227, 171, 61, 43), 1.0e-5, 1.0e-6,
		"61 x 43 cells at (227 171): sum of bands: error");
	tncJudge(context, true, tncMeasureOddPartition(context, 210, 180, 90, 29), 1.0e-5, 1.0e-6,
		"90 x 29 cells at (210 180): sum of bands: error");
	const double response = tncMeasureResponse(context);
	tncJudgeRange(context, true, response, (tncRange){0.98, 1.02}, (tncRange){0.98, 1.02},
		"waves from 8 cells on: least amplitude of all bands");
}

// ---------------------------------------------------------------------------------------------------------------------
// W08

enum
{
	tncStampCells = 256,
	tncStampLevels = 4,
	tncStampCount = 40,
};

#define TNC_STAMP_CELL 0.25

static tnWaveEllipse tncMakeStamp(int index)
{
	const uint32_t i = (uint32_t)index;
	tnWaveEllipse stamp = {0};
	// Up to 8 m beyond the edges of the world, from a cell to 8 m large.
	stamp.center = (tnVec2){(float)(32.0 + 40.0 * tncNoise(i, 0, 9)), (float)(32.0 + 40.0 * tncNoise(i, 1, 9))};
	stamp.axis = (tnVec2){(float)tncNoise(i, 2, 9) + 1.5f, (float)tncNoise(i, 3, 9)};
	stamp.radii = (tnVec2){(float)(0.25 * pow(32.0, 0.5 + 0.5 * tncNoise(i, 4, 9))),
		(float)(0.25 * pow(32.0, 0.5 + 0.5 * tncNoise(i, 5, 9)))};
	stamp.height = 0.1f;
	return stamp;
}

// What a stamp has put into all bands of a world, m^3.
typedef struct tncAdded
{
	double sum, size;
} tncAdded;

static tncAdded tncMeasureAdded(tncWaves* waves)
{
	tncAdded added = {0};
	for (int level = 0; level < tncStampLevels; ++level)
	{
		const int count = tncGetBandColumns(waves, level) * tncGetBandRows(waves, level);
		const double cellSize = ldexp(TNC_STAMP_CELL, level);
		tncCopyBand(waves, level, tnc_bandHeights, waves->heights);
		for (int i = 0; i < count; ++i)
		{
			const double value = (double)waves->heights[i] * cellSize * cellSize;
			added.sum += value;
			added.size += fabs(value);
		}
	}
	return added;
}

static tnWorldDef tncMakeStampDef(tncContext* context, tnEdgeKind edges)
{
	tnWorldDef def = tncMakeWaveDef(context, tncStampCells, tncStampCells, TNC_STAMP_CELL, tncStampLevels, 2);
	tncSetWaveEdges(&def, edges);
	return def;
}

// Coming in, going out, and moving, each in a world of its own: on top of other waves sums would be rounded.
static void tncRunStamps(tncContext* context, tnEdgeKind edges, const char* label)
{
	const tnWorldDef def = tncMakeStampDef(context, edges);
	double worst = 0.0;
	bool failed = false;
	for (int i = 0; i < tncStampCount; ++i)
	{
		tncWaves waves;
		if (!tncOpenWaves(context, &def, 4.0, &waves))
		{
			return;
		}
		const tnWaveEllipse after = tncMakeStamp(i);
		tnWaveEllipse before = after;
		before.center.x -= 0.31f;
		before.center.z += 0.17f;
		const tnResult result = tnWorld_AddWave(waves.world, i % 3 == 0 ? NULL : &before, i % 3 == 1 ? NULL : &after);
		failed = failed || result.status != tn_ok;
		const tncAdded added = tncMeasureAdded(&waves);
		const double share = added.size > 0.0 ? fabs(added.sum) / added.size : 0.0;
		worst = share <= worst ? worst : share;
		tncCloseWaves(&waves);
	}
	tncJudge(context, true, failed ? NAN : worst, 1.0e-6, 0.0, "%s: volume of stamps over what they add", label);
}

// Something that runs in circles, for 1000 steps.
static void tncRunCircles(tncContext* context)
{
	const tnWorldDef def = tncMakeStampDef(context, tn_wallEdge);
	tncWaves waves;
	if (!tncOpenWaves(context, &def, 4.0, &waves))
	{
		return;
	}
	tnWaveEllipse last = {0};
	double drift = 0.0;
	for (int step = 0; step < 1000; ++step)
	{
		const double angle = 0.01 * step;
		const tnWaveEllipse next = {{(float)(32.0 + 31.0 * cos(angle)), (float)(32.0 + 31.0 * sin(1.3 * angle))},
			{(float)-sin(angle), (float)cos(angle)}, {2.0f, 0.7f}, 0.1f};
		waves.failed = waves.failed || tnWorld_AddWave(waves.world, step == 0 ? NULL : &last, &next).status != tn_ok;
		last = next;
		tncStepWaves(&waves, 1);
		double volume = 0.0;
		for (int level = 0; level < tncStampLevels; ++level)
		{
			volume += tncGetBandVolume(&waves, level);
		}
		const double area = tncStampCells * TNC_STAMP_CELL * tncStampCells * TNC_STAMP_CELL;
		const double mean = fabs(volume) / area;
		drift = mean <= drift ? drift : mean;
	}
	tncJudge(context, true, waves.failed ? NAN : drift, 1.0e-5, 1.0e-7, "mean level in 1000 steps of a mover (m)");
	tncCloseWaves(&waves);
}

// Volume of the surface around a stamp, m^3, and its first moment along x about the middle of the stamp, m^4, under a
// Gaussian that goes with it: far away is what makes the sum zero.
static void tncWeighStamp(tncWaves* waves, const tnWaveEllipse* stamp, double* volume, double* moment)
{
	const double width = 1.5 * (double)stamp->radii.x + 2.0 * TNC_STAMP_CELL;
	*volume = 0.0;
	*moment = 0.0;
	tncSumBands(waves, tnc_bandHeights, 0, waves->heights);
	for (int i = 0; i < waves->columnCount * waves->rowCount; ++i)
	{
		const double x = (i % waves->columnCount + 0.5) * TNC_STAMP_CELL - (double)stamp->center.x;
		const double z = ((double)(i / waves->columnCount) + 0.5) * TNC_STAMP_CELL - (double)stamp->center.z;
		const double weight = exp(-0.5 * (x * x + z * z) / (width * width)) * TNC_STAMP_CELL * TNC_STAMP_CELL;
		*volume += weight * (double)waves->heights[i];
		*moment += weight * (double)waves->heights[i] * x;
	}
}

// The surface goes with a stamp that moves by a tenth of a cell.
static void tncRunSmoothness(tncContext* context, double radius)
{
	const tnWorldDef def = tncMakeStampDef(context, tn_wallEdge);
	double volumeChange = 0.0, momentChange = 0.0, lastVolume = NAN, lastMoment = NAN;
	for (int i = 0; i < 11; ++i)
	{
		tncWaves waves;
		if (!tncOpenWaves(context, &def, 4.0, &waves))
		{
			return;
		}
		const tnWaveEllipse stamp = {{(float)(31.03 + 0.1 * TNC_STAMP_CELL * i), 32.2f}, {1.0f, 0.3f},
			{(float)radius, (float)(0.7 * radius)}, 0.1f};
		waves.failed = tnWorld_AddWave(waves.world, NULL, &stamp).status != tn_ok;
		double volume, moment;
		tncWeighStamp(&waves, &stamp, &volume, &moment);
		if (i > 0)
		{
			volumeChange = fmax(volumeChange, fabs(volume / lastVolume - 1.0));
			momentChange = fmax(momentChange, fabs(moment - lastMoment) / (volume * radius));
		}
		lastVolume = waves.failed ? NAN : volume;
		lastMoment = moment;
		tncCloseWaves(&waves);
	}
	tncJudge(context, true, volumeChange, 0.01, 0.01, "radius %g m: change of volume in 0.1 cells", radius);
	tncJudge(context, true, momentChange, 0.01, 0.01, "radius %g m: change of first moment in 0.1 cells", radius);
}

void tncRunZeroSum(tncContext* context)
{
	tncRunStamps(context, tn_wallEdge, "walls");
	tncRunStamps(context, tn_absorbEdge, "absorbing edges");
	tncRunCircles(context);
	tncRunSmoothness(context, 0.25);
	tncRunSmoothness(context, 1.0);
	tncRunSmoothness(context, 6.0);
}
