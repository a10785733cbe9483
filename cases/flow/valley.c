// SPDX-License-Identifier: MIT

// F14: a reservoir empties through a steep, winding, rough valley.

#include "kits/case_kit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TNC_VALLEY_WIDTH 1536.0
#define TNC_VALLEY_HEIGHT 1024.0
#define TNC_VALLEY_CELL 8.0
#define TNC_VALLEY_COLUMNS 192
#define TNC_VALLEY_ROWS 128
#define TNC_VALLEY_SECONDS 300.0
#define TNC_VALLEY_MANNING 0.033

// The reservoir: water to this level, meters, west of the dam.
#define TNC_VALLEY_LEVEL 46.0
#define TNC_VALLEY_DAM 304.0

// Distance of the nodes of the noise, meters. Gauges are squares of this size.
#define TNC_VALLEY_NODE 16.0
#define TNC_VALLEY_SEED 21u

#define TNC_VALLEY_COURANT 0.5

// Most gauges a table may have.
#define TNC_MAX_GAUGES 16

static double tncGetNode(int column, int row)
{
	static const tncOctave octaves[] = {{8, 768}, {4, 384}, {2, 192}};
	return tncSumOctaves(column, row, TNC_VALLEY_SEED, octaves, 3) / 256.0;
}

static double tncGetValleyBed(double x, double z)
{
	double middle = 512.0 + 120.0 * sin(2.0 * TNC_PI * x / 700.0);
	double side = (z - middle) / 150.0;
	double smooth = fmin(15.0 * side * side, 30.0) + 40.0 - 0.03 * x;

	int column = (int)floor(x / TNC_VALLEY_NODE);
	int row = (int)floor(z / TNC_VALLEY_NODE);
	double shareX = x / TNC_VALLEY_NODE - column;
	double shareZ = z / TNC_VALLEY_NODE - row;
	double north = (1.0 - shareX) * tncGetNode(column, row) + shareX * tncGetNode(column + 1, row);
	double south = (1.0 - shareX) * tncGetNode(column, row + 1) + shareX * tncGetNode(column + 1, row + 1);
	return smooth + (1.0 - shareZ) * north + shareZ * south;
}

static double tncGetReservoirDepth(double x, double bed)
{
	return x < TNC_VALLEY_DAM ? fmax(0.0, TNC_VALLEY_LEVEL - bed) : 0.0;
}

// The table was made on cells of 2 m: the formulas must give its volume there.
static double tncGetFineVolume(void)
{
	const double cell = 2.0;
	double sum = 0.0;
	for (int row = 0; row < (int)(TNC_VALLEY_HEIGHT / cell); ++row)
	{
		for (int column = 0; column < (int)(TNC_VALLEY_DAM / cell); ++column)
		{
			double x = (column + 0.5) * cell;
			sum += tncGetReservoirDepth(x, tncGetValleyBed(x, (row + 0.5) * cell)) * cell * cell;
		}
	}
	return sum;
}

typedef struct tncValleyGauges
{
	double arrival[TNC_MAX_GAUGES];
	// Largest depth of each cell of the world, meters.
	float* maxDepth;
} tncValleyGauges;

// The first cell of the square that holds a gauge. A square is two cells wide.
static int tncGetGaugeCell(const tncTable* table, int gauge)
{
	int column = 2 * (int)floor(tncGetValue(table, gauge, 0) / TNC_VALLEY_NODE);
	int row = 2 * (int)floor(tncGetValue(table, gauge, 1) / TNC_VALLEY_NODE);
	return row * TNC_VALLEY_COLUMNS + column;
}

static const int s_squareCells[4] = {0, 1, TNC_VALLEY_COLUMNS, TNC_VALLEY_COLUMNS + 1};

static void tncWatchValley(const tncRun* run, const tncTable* table, double time, tncValleyGauges* gauges)
{
	for (int i = 0; i < TNC_VALLEY_COLUMNS * TNC_VALLEY_ROWS; ++i)
	{
		float depth = tncGetDepthRow(run, i / TNC_VALLEY_COLUMNS)[i % TNC_VALLEY_COLUMNS];
		gauges->maxDepth[i] = fmaxf(gauges->maxDepth[i], depth);
	}
	for (int gauge = 0; gauge < table->rowCount; ++gauge)
	{
		int cell = tncGetGaugeCell(table, gauge);
		for (int i = 0; i < 4 && isnan(gauges->arrival[gauge]); ++i)
		{
			// A centimeter counts.
			gauges->arrival[gauge] = gauges->maxDepth[cell + s_squareCells[i]] > 0.01f ? time : NAN;
		}
	}
}

// Computed over reference values of all gauges.
typedef struct tncGaugePanels
{
	tncSeries* arrival;
	tncSeries* depth;
} tncGaugePanels;

static tncGaugePanels tncDrawGauges(tncContext* context)
{
	tncPanel* arrival = tncAddPanel(context, "reference arrival (s)", "computed arrival (s)", "arrival at the gauges");
	tncPanel* depth = tncAddPanel(context, "reference depth (m)", "computed depth (m)", "largest depth at the gauges");
	if (arrival != NULL && depth != NULL)
	{
		arrival->isComparison = true;
		depth->isComparison = true;
	}
	return (tncGaugePanels){tncPanel_AddSeries(arrival, tnc_resultRole, tnc_dotMark, "gauges"),
		tncPanel_AddSeries(depth, tnc_resultRole, tnc_dotMark, "gauges")};
}

// The table has the volume left in the valley after each twelfth of the time.
#define TNC_VALLEY_VOLUMES 12

static void tncReadVolumes(const tncTable* table, double* volumes)
{
	const char* at = strstr(table->text, "2T/12 ... T:");
	at = at != NULL ? at + strlen("2T/12 ... T:") : "";
	for (int i = 0; i < TNC_VALLEY_VOLUMES; ++i)
	{
		char* end = NULL;
		volumes[i] = strtod(at, &end);
		volumes[i] = end == at ? NAN : volumes[i];
		at = *end == ',' ? end + 1 : end;
	}
}

static void tncJudgeGauges(tncContext* context, const tncTable* table, const tncValleyGauges* gauges)
{
	double arrivalError = 0.0;
	double depthError = 0.0;
	tncGaugePanels panels = tncDrawGauges(context);
	for (int gauge = 0; gauge < table->rowCount; ++gauge)
	{
		int cell = tncGetGaugeCell(table, gauge);
		double depth = 0.0;
		for (int i = 0; i < 4; ++i)
		{
			depth += 0.25 * (double)gauges->maxDepth[cell + s_squareCells[i]];
		}
		double exactArrival = tncGetValue(table, gauge, tncFindColumn(table, "t_arr"));
		double exactDepth = tncGetValue(table, gauge, tncFindColumn(table, "hmax"));
		tncTell(context, gauges->arrival[gauge] / exactArrival - 1.0, "gauge %d: arrival: error", gauge);
		tncTell(context, depth / exactDepth - 1.0, "gauge %d: largest depth: error", gauge);
		tncSeries_AddPoint(panels.arrival, exactArrival, gauges->arrival[gauge]);
		tncSeries_AddPoint(panels.depth, exactDepth, depth);
		arrivalError += fabs(gauges->arrival[gauge] / exactArrival - 1.0) / table->rowCount;
		depthError += fabs(depth / exactDepth - 1.0) / table->rowCount;
	}

	double area = 0.0;
	for (int i = 0; i < TNC_VALLEY_COLUMNS * TNC_VALLEY_ROWS; ++i)
	{
		// As the table counts it: deeper than 5 cm at any time.
		area += gauges->maxDepth[i] > 0.05f ? TNC_VALLEY_CELL * TNC_VALLEY_CELL : 0.0;
	}
	double exactArea = tncGetRemark(table, "area ever wetted deeper than 5 cm: ");
	// Without self-advection a front on dry ground is too slow by a third and more, and the flow behind it too deep.
	bool same = context->method->model == tnc_shallowModel;
	tncJudge(context, same, arrivalError, 0.08, 0.02, "arrival: mean error");
	tncJudge(context, same, depthError, 0.18, 0.05, "largest depth: mean error");
	tncJudge(context, same, fabs(area / exactArea - 1.0), 0.05, 0.02, "flooded area: error");
}

void tncRunValley(tncContext* context)
{
	tncTable table;
	if (tncReadTable(context, "f14_valley.csv", &table) == false)
	{
		return;
	}

	tncScene scene = tncMakeScene(context, TNC_VALLEY_COLUMNS, TNC_VALLEY_ROWS, TNC_VALLEY_CELL, 5.0, 0);
	tncValleyGauges gauges = {0};
	gauges.maxDepth = calloc(TNC_VALLEY_COLUMNS * TNC_VALLEY_ROWS, sizeof(float));
	double deepest = 0.0;
	for (int i = 0; i < TNC_VALLEY_COLUMNS * TNC_VALLEY_ROWS && scene.bed != NULL && scene.depth != NULL; ++i)
	{
		double x = (i % TNC_VALLEY_COLUMNS + 0.5) * TNC_VALLEY_CELL;
		double z = (i / TNC_VALLEY_COLUMNS + 0.5) * TNC_VALLEY_CELL;
		double bed = tncGetValleyBed(x, z);
		scene.bed[i] = (float)bed;
		scene.depth[i] = (float)tncGetReservoirDepth(x, bed);
		deepest = fmax(deepest, (double)scene.depth[i]);
	}
	scene.def.manning = (float)TNC_VALLEY_MANNING;
	scene.def.edges[tn_east].kind = tn_openEdge;

	tncRun run;
	if (gauges.maxDepth != NULL && table.rowCount <= TNC_MAX_GAUGES &&
		tncStartRun(context, &scene, tnc_transpose | tnc_flipColumns | tnc_flipRows, &run))
	{
		// The table has six digits.
		double volumeError = fabs(tncGetFineVolume() / tncGetRemark(&table, "initial volume ") - 1.0);
		tncRequire(context, volumeError, 0.0, 2.0e-6, "volume of the reservoir against the table");
		for (int i = 0; i < TNC_MAX_GAUGES; ++i)
		{
			gauges.arrival[i] = NAN;
		}

		double timeStep = tncGetTimeStep(TNC_VALLEY_CELL, deepest, TNC_VALLEY_COURANT);
		int stepCount = (int)ceil(TNC_VALLEY_SECONDS / timeStep);
		double volumes[TNC_VALLEY_VOLUMES];
		tncReadVolumes(&table, volumes);
		tncSetPanelColumns(context, 3);
		tncPanel* panel = tncAddPanel(context, "time (s)", "water in the valley (m\xC2\xB3)", "volume left");
		tncSeries* exact = tncPanel_AddSeries(panel, tnc_referenceRole, tnc_dotMark, "reference (cells of 2 m)");
		tncSeries* result = tncPanel_AddSeries(panel, tnc_resultRole, tnc_lineMark, "computed");
		for (int i = 0; i < TNC_VALLEY_VOLUMES; ++i)
		{
			tncSeries_AddPoint(exact, TNC_VALLEY_SECONDS * (i + 1) / TNC_VALLEY_VOLUMES, volumes[i]);
		}
		for (int step = 1; step <= stepCount && run.failed == false; ++step)
		{
			tncSteps(&run, 1, TNC_VALLEY_SECONDS / stepCount);
			double time = TNC_VALLEY_SECONDS * step / stepCount;
			tncWatchValley(&run, &table, time, &gauges);
			if (panel != NULL && step % 16 == 0)
			{
				tncSeries_AddPoint(result, time, tncGetVolume(run.world));
			}
		}
		tncJudgeGauges(context, &table, &gauges);
		double volume = tncGetVolume(run.world);
		tncTell(context, volume, "volume left (m3)");
		tncTell(context, volume / volumes[TNC_VALLEY_VOLUMES - 1] - 1.0, "volume left: error");
		// Bounded: as in the bowls the surface may swing a fifth above where it was, and a surge that meets the side of
		// the valley may stand twice as deep as the water it came from.
		tncRequire(context, (run.maxSurface - TNC_VALLEY_LEVEL) / deepest, -INFINITY, 0.2,
			"highest surface over the reservoir in depths");
		tncRequire(context, run.maxDepth / deepest, 0.0, 2.0, "deepest water over the deepest at the start");
		tncJudgeGates(&run, "valley");
		tncEndRun(&run);
	}
	else
	{
		tncRequire(context, NAN, 0.0, 0.0, "valley cannot be run");
	}
	free(gauges.maxDepth);
	tncFreeScene(&scene);
	tncFreeTable(&table);
}
