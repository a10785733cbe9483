// SPDX-License-Identifier: MIT

// W10: walls, edges that absorb, and waves that the flow could carry too.

#include "kits/wave_kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
	tncEdgeColumns = 512,
	tncEdgeRows = 128,
	tncEdgeLevels = 2,
};

#define TNC_EDGE_CELL 1.0

// ---------------------------------------------------------------------------------------------------------------------
// Reflection

typedef struct tncReturn
{
	double along, against;
} tncReturn;

// A train runs to the east edge and as far again.
static tncReturn tncSendTrain(tncContext* context, const tncWaveTrain* train, tnEdgeKind kind)
{
	tnWorldDef def = tncMakeWaveDef(context, tncEdgeColumns, tncEdgeRows, TNC_EDGE_CELL, tncEdgeLevels, 3);
	tncSetWaveEdges(&def, tn_wrapEdge);
	def.edges[tn_west].kind = kind;
	def.edges[tn_east].kind = kind;
	tncWaves waves;
	if (!tncOpenWaves(context, &def, train->depth, &waves))
	{
		return (tncReturn){NAN, NAN};
	}
	tncAddTrain(&waves, train);
	tncEnterWaves(&waves, true, true);
	const double k = 2.0 * TNC_PI / train->wavelength;
	const double waveZ = 2.0 * TNC_PI * train->rowWaves / (tncEdgeRows * TNC_EDGE_CELL);
	const double speed = tncGetGroupSpeed(k, train->depth) * sqrt(1.0 - waveZ * waveZ / (k * k));
	const double distance = tncEdgeColumns * TNC_EDGE_CELL - train->start;
	tncStepWaves(&waves, (int64_t)(2.0 * distance / speed / waves.timeStep + 0.5));
	const tncEnergySplit end = tncSplitEnergy(&waves, train);
	tncCloseWaves(&waves);
	return (tncReturn){end.along, end.against};
}

// Waves in two bands lose a little to each other on the way: the same happens where nothing reflects them.
static void tncRunReflections(tncContext* context)
{
	const double lengths[6] = {4.5, 6.0, 8.0, 12.0, 16.0, 24.0};
	tncPanel* panel = tncAddPanel(context, "wavelength (cells)", "reflected amplitude", "absorbing edge");
	tncSeries* straight = tncPanel_AddSeries(panel, tnc_resultRole, tnc_lineMark, "straight on");
	tncSeries* slanted = tncPanel_AddSeries(panel, tnc_variantRole, tnc_lineMark, "at 45 degrees");
	double least = INFINITY, most = 0.0, mostSlanted = 0.0;
	for (int i = 0; i < 6; i += context->config.ends ? 5 : 1)
	{
		const double width = fmax(1.5 * lengths[i], 12.0);
		// Outside of the zone of 48 m in which the longest waves are absorbed.
		const double start = tncEdgeColumns * TNC_EDGE_CELL - 48.0 - 3.5 * width;
		tncWaveTrain train = {lengths[i], width, TNC_AMPLITUDE, start, TNC_DEEP, false, 0};
		const tncReturn open = tncSendTrain(context, &train, tn_wrapEdge);
		const tncReturn wall = tncSendTrain(context, &train, tn_wallEdge);
		const tncReturn absorb = tncSendTrain(context, &train, tn_absorbEdge);
		const double reflected = sqrt(wall.against / open.along);
		const double absorbed = sqrt(absorb.against / open.along);
		least = reflected >= least ? least : reflected;
		most = absorbed <= most ? most : absorbed;
		train.rowWaves = (int)(tncEdgeRows * TNC_EDGE_CELL / lengths[i] / sqrt(2.0) + 0.5);
		const tncReturn openSlanted = tncSendTrain(context, &train, tn_wrapEdge);
		const tncReturn absorbSlanted = tncSendTrain(context, &train, tn_absorbEdge);
		const double slant = sqrt(absorbSlanted.against / openSlanted.along);
		mostSlanted = slant <= mostSlanted ? mostSlanted : slant;
		tncSeries_AddPoint(straight, lengths[i], absorbed);
		tncSeries_AddPoint(slanted, lengths[i], slant);
		tncTell(context, absorbed, "absorbing edge: waves of %g m: reflected amplitude", lengths[i]);
		tncTell(context, slant, "absorbing edge: waves of %g m at 45 degrees", lengths[i]);
	}
	tncJudgeRange(
		context, true, least, (tncRange){0.98, 1.02}, (tncRange){0.98, 1.02}, "wall: least reflected amplitude");
	tncJudge(context, true, most, 0.05, 0.01, "absorbing edge: most reflected amplitude");
	tncJudge(context, true, mostSlanted, 0.1, 0.03, "absorbing edge at 45 degrees: most reflected amplitude");
}

// ---------------------------------------------------------------------------------------------------------------------
// Standing waves

// Zero crossings of a coefficient that swings.
typedef struct tncSwing
{
	double last, lastTime, firstZero, lastZero;
	int count;
} tncSwing;

static void tncSwing_Add(tncSwing* swing, double time, double value)
{
	if (swing->lastTime > 0.0 && (value < 0.0) != (swing->last < 0.0))
	{
		const double share = swing->last / (swing->last - value);
		swing->lastZero = swing->lastTime + share * (time - swing->lastTime);
		swing->firstZero = swing->count == 0 ? swing->lastZero : swing->firstZero;
		swing->count += 1;
	}
	swing->last = value;
	swing->lastTime = time;
}

static double tncSwing_GetPeriod(const tncSwing* swing)
{
	return swing->count > 1 ? 2.0 * (swing->lastZero - swing->firstZero) / (swing->count - 1) : NAN;
}

// Phase speed over exact of a standing wave along x between walls all around, over 10 periods.
static double tncMeasureBasin(tncContext* context, int rowCount, int levelCount, double wavelength, double depth)
{
	const int columnCount = 128;
	const double cellSize = 0.25;
	const tnWorldDef def = tncMakeWaveDef(context, columnCount, rowCount, cellSize, levelCount, 0);
	tncWaves waves;
	if (!tncOpenWaves(context, &def, depth, &waves))
	{
		return NAN;
	}
	const double k = 2.0 * TNC_PI / wavelength;
	const double omega = tncGetOmega(k, depth);
	tncAddPlaneWave(&waves, TNC_AMPLITUDE, k, 0.0);
	tncEnterWaves(&waves, true, false);
	tncSwing swing = {0};
	while (swing.count < 22 && waves.time < 16.0 * 2.0 * TNC_PI / omega && waves.failed == false)
	{
		tncStepWaves(&waves, 1);
		tncSwing_Add(&swing, waves.time, tncProjectWave(&waves, tnc_bandHeights, k, 0.0));
	}
	tncCloseWaves(&waves);
	return 2.0 * TNC_PI / omega / tncSwing_GetPeriod(&swing);
}

static void tncRunBasins(tncContext* context)
{
	const double lengths[3] = {2.0, 3.2, 4.0};
	double worst = 0.0;
	for (int i = 0; i < 3; ++i)
	{
		const double error = fabs(tncMeasureBasin(context, 128, 2, lengths[i], 2.0) - 1.0);
		worst = error <= worst ? worst : error;
	}
	tncJudge(context, true, worst, 0.05, 0.01, "basin with walls: |dc/c|");
	// Canals of 16, 8 and 4 cells.
	for (int rows = 16; rows >= 4; rows /= 2)
	{
		tncJudge(context, true, fabs(tncMeasureBasin(context, rows, 1, 2.0, 2.0) - 1.0), 0.05, 0.01,
			"canal of %d cells: |dc/c|", rows);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// The same wave in the flow and in the layer

static double tncMeasureFlow(tncContext* context, double wavelength, double depth)
{
	tnWorldDef def = tncMakeWaveDef(context, 128, 8, 0.5, 1, 0);
	def.waves.enable = false;
	tnWorld* world = NULL;
	float* depths = calloc((size_t)(def.columnCount * def.rowCount), sizeof(float));
	tncSwing swing = {0};
	const double k = 2.0 * TNC_PI / wavelength;
	bool good = depths != NULL && tnCreateWorld(&def, &world).status == tn_ok;
	for (int i = 0; i < def.columnCount * def.rowCount && good; ++i)
	{
		const double x = (i % def.columnCount + 0.5) * 0.5;
		depths[i] = (float)(depth + 0.001 * depth * cos(k * x));
	}
	good = good && tnWorld_SetDepths(world, depths).status == tn_ok;
	double time = 0.0;
	while (good && swing.count < 22)
	{
		good = tnWorld_Step(world, (float)TNC_WAVE_STEP).status == tn_ok && time < 600.0;
		time += TNC_WAVE_STEP;
		const tnFieldView view = tnWorld_GetDepth(world);
		double sum = 0.0;
		for (int column = 0; column < def.columnCount; ++column)
		{
			sum += cos(k * (column + 0.5) * 0.5) * ((double)view.data[column] - depth);
		}
		tncSwing_Add(&swing, time, sum);
	}
	tnDestroyWorld(world);
	free(depths);
	return wavelength / tncSwing_GetPeriod(&swing);
}

static double tncMeasureLayer(tncContext* context, double wavelength, double depth)
{
	// 256 m that wrap; only the two coarsest of four levels.
	tnWorldDef def = tncMakeWaveDef(context, 512, 512, 0.5, 4, 4);
	tncSetWaveEdges(&def, tn_wrapEdge);
	def.waves.tileCount = 1 + 4;
	tncWaves waves;
	if (!tncOpenWaves(context, &def, depth, &waves))
	{
		return NAN;
	}
	const double k = 2.0 * TNC_PI / wavelength;
	tncAddPlaneWave(&waves, TNC_AMPLITUDE, k, 0.0);
	tncEnterWaves(&waves, true, false);
	tncSwing swing = {0};
	while (swing.count < 22 && waves.time < 600.0 && waves.failed == false)
	{
		tncStepWaves(&waves, 1);
		tncSwing_Add(&swing, waves.time, tncProjectWave(&waves, tnc_bandHeights, k, 0.0));
	}
	tncCloseWaves(&waves);
	return wavelength / tncSwing_GetPeriod(&swing);
}

static void tncRunBothLayers(tncContext* context)
{
	// 32 depths long.
	const double flow = tncMeasureFlow(context, 32.0, 1.0);
	const double layer = tncMeasureLayer(context, 32.0, 1.0);
	tncTell(context, flow, "wave of 32 depths in the flow (m/s)");
	tncTell(context, layer, "the same in the layer (m/s)");
	tncJudge(context, true, fabs(layer / flow - 1.0), 0.02, 0.02, "long waves in the layer against the flow: speed");
}

void tncRunWaveEdges(tncContext* context)
{
	tncRunReflections(context);
	tncRunBasins(context);
	tncRunBothLayers(context);
}
