// SPDX-License-Identifier: MIT

// F17: a standing wave on a plane beach, with a shore that moves to and fro (Carrier & Greenspan, exact and nonlinear).

#include "kits/case_kit.h"

#include <math.h>
#include <stdlib.h>

#define TNC_BEACH_SLOPE 0.1
#define TNC_BEACH_CELL 0.5

// Columns of dry beach behind the last of the table, which is above the highest run-up already.
#define TNC_BEACH_MARGIN 8

// Seaward end of the comparison, meters: further out the table has no reference and the wall is felt.
#define TNC_BEACH_BEGIN -20.0

// Depth from which a cell counts as wet, meters: a hundredth of the range of the run-up, 0.6 m.
#define TNC_BEACH_WET 0.006

// Pictures show as much above and below the still water, meters: the waves are much smaller than the beach is deep.
#define TNC_BEACH_HEIGHT 0.4

#define TNC_BEACH_COURANT 0.5

// The depth by the table, 0 where it says nan.
static double tncGetBeachDepth(const tncTable* table, int row, const char* name)
{
	double surface = tncGetValue(table, row, tncFindColumn(table, name));
	return isnan(surface) ? 0.0 : fmax(0.0, surface - TNC_BEACH_SLOPE * tncGetValue(table, row, 0));
}

static double tncMeasureBeach(const tncRun* run, const tncTable* table, const char* name)
{
	double difference = 0.0;
	double sum = 0.0;
	for (int column = 0; column < run->columnCount; ++column)
	{
		bool inTable = column < table->rowCount;
		double exact = inTable ? tncGetBeachDepth(table, column, name) : 0.0;
		if (inTable == false || tncGetValue(table, column, 0) > TNC_BEACH_BEGIN)
		{
			difference += fabs((double)tncGetDepthRow(run, 0)[column] - exact);
			sum += exact;
		}
	}
	return difference / sum;
}

static void tncDrawBeach(const tncRun* run, const tncTable* table, const char* name, double periods)
{
	tncPanel* panel = tncAddPanel(run->context, "x (m)", "height (m)", "t = %g T", periods);
	if (panel == NULL)
	{
		return;
	}
	panel->xMin = TNC_BEACH_BEGIN;
	panel->xMax = 5.0;
	panel->yMin = -TNC_BEACH_HEIGHT;
	panel->yMax = TNC_BEACH_HEIGHT;
	tncSeries* ground = tncPanel_AddSeries(panel, tnc_groundRole, tnc_lineMark, "bed");
	tncSeries* exact = tncPanel_AddSeries(panel, tnc_referenceRole, tnc_lineMark, "exact");
	tncSeries* result = tncPanel_AddSeries(panel, tnc_resultRole, tnc_lineMark, "computed");
	for (int column = 0; column < table->rowCount; ++column)
	{
		double x = tncGetValue(table, column, 0);
		double bed = TNC_BEACH_SLOPE * x;
		double reference = tncGetBeachDepth(table, column, name);
		double depth = (double)tncGetDepthRow(run, 0)[column];
		if (x > TNC_BEACH_BEGIN - 1.0)
		{
			tncSeries_AddPoint(ground, x, bed);
			tncSeries_AddPoint(exact, x, reference > 0.0 ? bed + reference : NAN);
			tncSeries_AddPoint(result, x, depth > TNC_BEACH_WET ? bed + depth : NAN);
		}
	}
}

// End of the last wet cell, meters.
static double tncFindShore(const tncRun* run, double begin)
{
	int last = 0;
	for (int column = 0; column < run->columnCount; ++column)
	{
		last = (double)tncGetDepthRow(run, 0)[column] > TNC_BEACH_WET ? column : last;
	}
	return begin + (last + 1) * TNC_BEACH_CELL;
}

void tncRunBeach(tncContext* context)
{
	tncTable table;
	if (tncReadTable(context, "f17_carrier_greenspan.csv", &table) == false)
	{
		return;
	}

	double period = tncGetRemark(&table, "period T=");
	double exactShore = tncGetRemark(&table, "0.5T ");
	double begin = tncGetValue(&table, 0, 0) - 0.5 * TNC_BEACH_CELL;
	int columnCount = table.rowCount + TNC_BEACH_MARGIN;
	// A typical depth of the compared part.
	tncScene scene = tncMakeScene(context, columnCount, TNC_CHANNEL_ROWS, TNC_BEACH_CELL, 1.0, 0);
	for (int i = 0; i < columnCount * TNC_CHANNEL_ROWS && scene.bed != NULL && scene.depth != NULL; ++i)
	{
		int column = i % columnCount;
		scene.bed[i] = (float)(TNC_BEACH_SLOPE * (begin + (column + 0.5) * TNC_BEACH_CELL));
		scene.depth[i] = column < table.rowCount ? (float)tncGetBeachDepth(&table, column, "eta_0T") : 0.0f;
	}

	tncRun run;
	if (tncStartRun(context, &scene, tnc_transpose | tnc_flipColumns | tnc_flipRows, &run))
	{
		// Depth at the wall: 10 m.
		double timeStep = tncGetTimeStep(TNC_BEACH_CELL, -TNC_BEACH_SLOPE * begin, TNC_BEACH_COURANT);
		tncSetPanelColumns(context, 3);
		tncAdvance(&run, 0.25 * period, timeStep);
		double quarter = tncMeasureBeach(&run, &table, "eta_0.25T");
		tncDrawBeach(&run, &table, "eta_0.25T", 0.25);
		tncAdvance(&run, 0.25 * period, timeStep);
		double half = tncMeasureBeach(&run, &table, "eta_0.5T");
		tncDrawBeach(&run, &table, "eta_0.5T", 0.5);
		double shore = fabs(tncFindShore(&run, begin) - exactShore) / TNC_BEACH_CELL;
		tncAdvance(&run, 0.25 * period, timeStep);
		double threeQuarters = tncMeasureBeach(&run, &table, "eta_0.75T");
		tncDrawBeach(&run, &table, "eta_0.75T", 0.75);

		// Half a period the water runs down the beach, slowly against its waves, and every section that follows the
		// depth is good for it; velocities on faces leave a film behind that runs down late. Then it turns and rushes
		// up with as much speed as its waves have, where pipes feel the lack of self-advection: 3.5 % for local inertia
		// in general. A fixed section has the wrong speed anywhere on a slope.
		tncModel model = context->method->model;
		bool isPipe = model == tnc_pipeModel || model == tnc_meanPipeModel;
		bool isFull = model == tnc_shallowModel;
		bool isLinear = model == tnc_linearModel;
		tncTell(context, quarter, "L1(h) after 0.25 periods");
		tncJudge(context, isFull || isPipe || isLinear, half, 0.02, 0.002, "L1(h) after 0.5 periods");
		tncJudge(context, isFull || isPipe, shore, 2.0, 1.0, "shoreline after 0.5 periods: distance in cells");
		tncJudge(context, isFull || isLinear, threeQuarters, 0.03, 0.003, "L1(h) after 0.75 periods");
		tncRequire(context, tncGetRowSpread(&run), 0.0, 0.0, "beach: difference between rows (m)");
		tncJudgeGates(&run, "beach");
		tncEndRun(&run);
	}
	tncFreeScene(&scene);
	tncFreeTable(&table);
}
