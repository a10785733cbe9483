// SPDX-License-Identifier: MIT

// F13: tracers are carried by the same flows as the water: conserved, bounded, and constants stay constant.

#include "kits/case_kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define TNC_TRACER_CONSTANT 0.7

typedef struct tncTracerState
{
	double amount, low, high;
} tncTracerState;

// Over all cells that hold water, however little.
static tncTracerState tncMeasureTracer(const tncRun* run, int channel)
{
	tncTracerState state = {0.0, INFINITY, -INFINITY};
	tnFieldView tracer = tnWorld_GetTracer(run->world, channel);
	for (int row = 0; row < run->rowCount; ++row)
	{
		const float* depth = tncGetDepthRow(run, row);
		for (int column = 0; column < run->columnCount; ++column)
		{
			double c = (double)tracer.data[row * tracer.stride + column];
			if (depth[column] > 0.0f)
			{
				state.amount += c * (double)depth[column] * run->cellSize * run->cellSize;
				// A NaN ends up in both.
				state.low = c >= state.low ? state.low : c;
				state.high = c <= state.high ? state.high : c;
			}
		}
	}
	return state;
}

static void tncJudgeTracer(
	tncRun* run, int channel, const tncTracerState* start, double low, double high, const char* label)
{
	tncContext* context = run->context;
	tncTracerState end = tncMeasureTracer(run, channel);
	double drift = fabs(end.amount / start->amount - 1.0);
	tncJudgeProperty(context, drift, 1.0e-5, 1.0e-6, "%s: drift of the amount", label);
	tncJudgeProperty(context, fmax(low - end.low, end.high - high), 1.0e-4, 0.0, "%s: over the bounds", label);
}

static void tncJudgeConstant(tncRun* run, int channel, const char* label)
{
	tncTracerState end = tncMeasureTracer(run, channel);
	float constant = (float)TNC_TRACER_CONSTANT;
	double defect = fmax(fabs(end.low - (double)constant), fabs(end.high - (double)constant));
	tncJudgeProperty(run->context, defect, 1.0e-5, 1.0e-6, "%s: defect of a constant", label);
}

// Concentrations of two channels along the middle row, where there is water.
static void tncDrawTracers(const tncRun* run, const double* reference, const char* label)
{
	int row = run->rowCount / 2;
	const float* depth = tncGetDepthRow(run, row);
	tnFieldView tracers[2] = {tnWorld_GetTracer(run->world, 0), tnWorld_GetTracer(run->world, 1)};
	tncPanel* panel = tncAddPanel(run->context, "x (m), middle row", "concentration", "%s", label);
	tncSeries* exact = reference != NULL ? tncPanel_AddSeries(panel, tnc_referenceRole, tnc_lineMark, "exact") : NULL;
	tncSeries* constant = tncPanel_AddSeries(panel, tnc_ownRole, tnc_levelMark, "constant 0.7");
	tncSeries* results[2] = {tncPanel_AddSeries(panel, tnc_resultRole, tnc_lineMark, "computed"),
		tncPanel_AddSeries(panel, tnc_variantRole, tnc_lineMark, "computed constant")};
	tncSeries_AddPoint(constant, 0.0, TNC_TRACER_CONSTANT);
	for (int column = 0; column < run->columnCount && panel != NULL; ++column)
	{
		double x = (column + 0.5) * run->cellSize;
		tncSeries_AddPoint(exact, x, reference != NULL ? reference[column] : NAN);
		for (int i = 0; i < 2; ++i)
		{
			double c = (double)tracers[i].data[row * tracers[i].stride + column];
			tncSeries_AddPoint(results[i], x, depth[column] > TN_WET_DEPTH ? c : NAN);
		}
	}
}

static void tncFill(float* field, int count, double value)
{
	for (int i = 0; i < count; ++i)
	{
		field[i] = (float)value;
	}
}

// The dam break of F03a with 1 on the left and 0.25 on the right, and a constant beside it.
static void tncRunDamTracer(tncContext* context)
{
	enum
	{
		columnCount = 200,
		rowCount = TNC_CHANNEL_ROWS
	};
	const double cellSize = 0.5;
	tncTable table;
	if (tncReadTable(context, "f03_stoker_a.csv", &table) == false)
	{
		return;
	}
	tncScene scene = tncMakeScene(context, columnCount, rowCount, cellSize, 1.25, 2);
	if (scene.depth != NULL && scene.tracers[0] != NULL && scene.tracers[1] != NULL)
	{
		for (int i = 0; i < columnCount * rowCount; ++i)
		{
			bool left = i % columnCount < columnCount / 2;
			scene.depth[i] = left ? 2.0f : 0.5f;
			scene.tracers[0][i] = left ? 1.0f : 0.25f;
		}
		tncFill(scene.tracers[1], columnCount * rowCount, TNC_TRACER_CONSTANT);
	}
	tncRun run;
	if (tncStartRun(context, &scene, tnc_transpose | tnc_flipColumns, &run))
	{
		tncTracerState start = tncMeasureTracer(&run, 0);
		tncAdvance(&run, 5.0, tncGetTimeStep(cellSize, 2.0, 0.5));
		double values[columnCount];
		double reference[columnCount];
		double contact = NAN;
		double exactContact = tncGetRemark(&table, "um=") * 5.0;
		tnFieldView tracer = tnWorld_GetTracer(run.world, 0);
		for (int column = 0; column < columnCount; ++column)
		{
			values[column] = (double)tracer.data[column];
			reference[column] = tncGetValue(&table, column, tncFindColumn(&table, "c_t5"));
			if (column > 0 && values[column] <= 0.625 && values[column - 1] > 0.625)
			{
				contact = (column - columnCount / 2) * cellSize;
			}
		}
		bool same = context->method->model == tnc_shallowModel;
		tncJudge(context, same, tncMeasureL1(values, reference, columnCount), 0.02, 0.008, "a dam break: L1(c)");
		tncJudge(context, same, fabs(contact - exactContact) / cellSize, 2.0, 2.0,
			"a dam break: interface: distance in cells");
		tncDrawTracers(&run, reference, "a dam break, 5 s");
		tncJudgeTracer(&run, 0, &start, 0.25, 1.0, "a dam break");
		tncJudgeConstant(&run, 1, "b dam break");
		tncJudgeGates(&run, "a dam break");
		tncEndRun(&run);
	}
	tncFreeScene(&scene);
	tncFreeTable(&table);
}

// The circling disc of F05 with 1 in one half and 0 in the other, a constant, and later rain that brings 0.
static void tncRunBowlTracer(tncContext* context)
{
	enum
	{
		size = 128
	};
	tncScene scene = tncMakePlanarBowl(context, size, 2);
	if (scene.tracers[0] != NULL && scene.tracers[1] != NULL)
	{
		for (int i = 0; i < size * size; ++i)
		{
			scene.tracers[0][i] = i / size < size / 2 ? 1.0f : 0.0f;
		}
		tncFill(scene.tracers[1], size * size, TNC_TRACER_CONSTANT);
	}
	tncRun run;
	if (tncStartRun(context, &scene, tnc_transpose | tnc_flipRows, &run))
	{
		double period = tncGetPlanarBowlPeriod();
		double timeStep = tncGetTimeStep(run.cellSize, 3.0, 0.4);
		tncTracerState start = tncMeasureTracer(&run, 0);
		tncAdvance(&run, 3.0 * period, timeStep);
		tncDrawTracers(&run, NULL, "c circling disc, 3 periods");
		tncJudgeTracer(&run, 0, &start, 0.0, 1.0, "c circling disc");
		tncJudgeConstant(&run, 1, "b circling disc");
		tncJudgeGates(&run, "c circling disc");

		tncTracerState before = tncMeasureTracer(&run, 0);
		tncTracerState constantBefore = tncMeasureTracer(&run, 1);
		double volume = tncGetVolume(run.world);
		tncRun_SetRain(&run, 1.0e-3);
		tncAdvance(&run, period, timeStep);
		tncJudgeTracer(&run, 0, &before, 0.0, 1.0, "d rain on moving water");
		tncJudgeTracer(&run, 1, &constantBefore, 0.0, TNC_TRACER_CONSTANT, "d rain on a constant");
		double rain = 1.0e-3 * period * 64.0 * 64.0;
		tncRequire(
			context, fabs((tncGetVolume(run.world) - volume) / rain - 1.0), 0.0, 1.0e-5, "d rain: volume: error");
		tncJudgeGates(&run, "d rain on moving water");
		tncEndRun(&run);
	}
	tncFreeScene(&scene);
}

// A constant in a dry dam break on rough ground: the harshest wetting.
static void tncRunRoughTracer(tncContext* context)
{
	enum
	{
		columnCount = 97,
		rowCount = 61
	};
	tncScene scene = tncMakeScene(context, columnCount, rowCount, 1.0, 3.0, 2);
	if (scene.bed != NULL && scene.depth != NULL && scene.tracers[0] != NULL && scene.tracers[1] != NULL)
	{
		for (int i = 0; i < columnCount * rowCount; ++i)
		{
			scene.bed[i] = (float)tncTerrain256(i % columnCount, i / columnCount, 11) / 256.0f;
			scene.depth[i] = i % columnCount < 30 ? 6.0f : 0.0f;
			scene.tracers[0][i] = (i / 7) % 2 == 0 ? 1.0f : 0.0f;
		}
		tncFill(scene.tracers[1], columnCount * rowCount, TNC_TRACER_CONSTANT);
	}
	tncRun run;
	if (tncStartRun(context, &scene, tnc_flipColumns | tnc_flipRows, &run))
	{
		tncTracerState start = tncMeasureTracer(&run, 0);
		tncAdvance(&run, 60.0, tncGetTimeStep(1.0, 15.0, 0.5));
		tncDrawTracers(&run, NULL, "flood over rough ground, 60 s");
		tncJudgeTracer(&run, 0, &start, 0.0, 1.0, "flood over rough ground");
		tncJudgeConstant(&run, 1, "b flood over rough ground");
		tncJudgeGates(&run, "flood over rough ground");
		tncEndRun(&run);
	}
	tncFreeScene(&scene);
}

void tncRunTracers(tncContext* context)
{
	tncSetPanelColumns(context, 3);
	tncRunDamTracer(context);
	tncRunBowlTracer(context);
	tncRunRoughTracer(context);
}
