// SPDX-License-Identifier: MIT

// Dam breaks in the plane: F04 through a breach, F09 around a column, F10 at angles to the grid.

#include "kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Share of a cell that waves cross in a step.
#define TNC_PLANE_COURANT 0.5

// ---------------------------------------------------------------------------------------------------------------------
// F04

#define TNC_BREACH_SIZE 80
#define TNC_BREACH_CELL 2.5

// Cells of the reference along a side.
#define TNC_BREACH_BLOCKS 40

static bool tncIsDam(int column, int row)
{
	double x = (column + 0.5) * TNC_BREACH_CELL;
	double z = (row + 0.5) * TNC_BREACH_CELL;
	return x > 95.0 && x < 105.0 && (z < 95.0 || z > 170.0);
}

static double tncMeasureBreach(const tncRun* run, const tncTable* table)
{
	double depths[TNC_BREACH_BLOCKS * TNC_BREACH_BLOCKS];
	double reference[TNC_BREACH_BLOCKS * TNC_BREACH_BLOCKS];
	for (int row = 0; row < TNC_BREACH_BLOCKS; ++row)
	{
		const float* upper = tncGetDepthRow(run, 2 * row);
		const float* lower = tncGetDepthRow(run, 2 * row + 1);
		for (int column = 0; column < TNC_BREACH_BLOCKS; ++column)
		{
			int c = 2 * column;
			int block = row * TNC_BREACH_BLOCKS + column;
			depths[block] = 0.25 * ((double)upper[c] + (double)upper[c + 1] + (double)lower[c] + (double)lower[c + 1]);
			// The first column of the table holds z.
			reference[block] = tncGetValue(table, row, column + 1);
		}
	}
	return tncMeasureL1(depths, reference, TNC_BREACH_BLOCKS * TNC_BREACH_BLOCKS);
}

void tncRunPartialDam(tncContext* context)
{
	tncTable table;
	if (tncReadTable(context, "f04_partial_dam.csv", &table) == false)
	{
		return;
	}

	tncScene scene = tncMakeScene(context, TNC_BREACH_SIZE, TNC_BREACH_SIZE, TNC_BREACH_CELL, 7.5, 0);
	for (int i = 0; i < TNC_BREACH_SIZE * TNC_BREACH_SIZE && scene.bed != NULL && scene.depth != NULL; ++i)
	{
		bool isDam = tncIsDam(i % TNC_BREACH_SIZE, i / TNC_BREACH_SIZE);
		float still = i % TNC_BREACH_SIZE < TNC_BREACH_SIZE / 2 ? 10.0f : 5.0f;
		scene.bed[i] = isDam ? 50.0f : 0.0f;
		scene.depth[i] = isDam ? 0.0f : still;
	}

	tncRun run;
	if (tncStartRun(context, &scene, tnc_transpose | tnc_flipRows, &run))
	{
		tncAdvance(&run, 7.2, tncGetTimeStep(TNC_BREACH_CELL, 10.0, TNC_PLANE_COURANT));
		double onDam = 0.0;
		for (int i = 0; i < TNC_BREACH_SIZE * TNC_BREACH_SIZE; ++i)
		{
			bool isDam = tncIsDam(i % TNC_BREACH_SIZE, i / TNC_BREACH_SIZE);
			double depth = (double)tncGetDepthRow(&run, i / TNC_BREACH_SIZE)[i % TNC_BREACH_SIZE];
			onDam = isDam ? fmax(onDam, depth) : onDam;
		}
		bool same = context->method->model == tnc_shallowModel;
		tncJudge(context, same, tncMeasureBreach(&run, &table), 0.015, 0.005, "L1(h) at 7.2 s");
		tncRequire(context, onDam, 0.0, 0.0, "water on the dam (m)");
		tncRequire(context, run.maxDepth, 0.0, 1.2 * 10.0, "largest depth (m)");
		tncJudgeGates(&run, "breach");
		tncEndRun(&run);
	}
	tncFreeScene(&scene);
	tncFreeTable(&table);
}

// ---------------------------------------------------------------------------------------------------------------------
// F09

#define TNC_PLANE_SIZE 200
#define TNC_PLANE_CELL 0.5
#define TNC_COLUMN_RADIUS 10.0

// Sub-cells along a side of a cell that sample the initial field.
#define TNC_PLANE_SAMPLES 8

static double tncPlaneX(double column)
{
	return (column - 0.5 * TNC_PLANE_SIZE) * TNC_PLANE_CELL;
}

static double tncCoverOfColumn(int column, int row)
{
	int inside = 0;
	for (int i = 0; i < TNC_PLANE_SAMPLES * TNC_PLANE_SAMPLES; ++i)
	{
		double x = tncPlaneX(column + (i % TNC_PLANE_SAMPLES + 0.5) / TNC_PLANE_SAMPLES);
		double z = tncPlaneX(row + (i / TNC_PLANE_SAMPLES + 0.5) / TNC_PLANE_SAMPLES);
		inside += x * x + z * z < TNC_COLUMN_RADIUS * TNC_COLUMN_RADIUS ? 1 : 0;
	}
	return inside / (double)(TNC_PLANE_SAMPLES * TNC_PLANE_SAMPLES);
}

static double tncInterpolateRings(const tncTable* table, int column, double radius)
{
	// Rings are half a meter wide and given at their middles.
	double at = radius / 0.5 - 0.5;
	int ring = (int)floor(at);
	if (ring < 0)
	{
		return tncGetValue(table, 0, column);
	}
	if (ring >= table->rowCount - 1)
	{
		return tncGetValue(table, table->rowCount - 1, column);
	}
	double share = at - ring;
	return (1.0 - share) * tncGetValue(table, ring, column) + share * tncGetValue(table, ring + 1, column);
}

static double tncMeasureRadial(const tncRun* run, const tncTable* table, const char* name)
{
	int tableColumn = tncFindColumn(table, name);
	double difference = 0.0;
	double sum = 0.0;
	for (int row = 0; row < TNC_PLANE_SIZE; ++row)
	{
		const float* depth = tncGetDepthRow(run, row);
		for (int column = 0; column < TNC_PLANE_SIZE; ++column)
		{
			double radius = hypot(tncPlaneX(column + 0.5), tncPlaneX(row + 0.5));
			if (radius < 48.0)
			{
				double exact = tncInterpolateRings(table, tableColumn, radius);
				difference += fabs((double)depth[column] - exact);
				sum += exact;
			}
		}
	}
	return difference / sum;
}

// Radius at which the water outside first stands a quarter of the crest above the outer depth, along an axis or a
// diagonal.
static double tncFindRingFront(const tncRun* run, bool diagonal, double outer)
{
	const int half = TNC_PLANE_SIZE / 2;
	double profile[TNC_PLANE_SIZE / 2];
	double radius[TNC_PLANE_SIZE / 2];
	double crest = outer;
	for (int i = 0; i < half; ++i)
	{
		int row = diagonal ? half + i : half;
		profile[i] = (double)tncGetDepthRow(run, row)[half + i];
		radius[i] = hypot(tncPlaneX(half + i + 0.5), tncPlaneX(row + 0.5));
		crest = fmax(crest, profile[i]);
	}
	double level = outer + 0.25 * (crest - outer);
	for (int i = half - 2; i >= 0; --i)
	{
		if (profile[i] > level && profile[i + 1] <= level)
		{
			return radius[i] + (radius[i + 1] - radius[i]) * (profile[i] - level) / (profile[i] - profile[i + 1]);
		}
	}
	return NAN;
}

// Cells that differ from their image under any of the eight symmetries. The start has them all.
static int64_t tncCountAsymmetry(tncRun* run)
{
	int64_t count = 0;
	size_t size = (size_t)TNC_PLANE_SIZE * sizeof(float);
	for (int row = 0; row < TNC_PLANE_SIZE; ++row)
	{
		memcpy(run->speedX + row * TNC_PLANE_SIZE, tncGetDepthRow(run, row), size);
	}
	for (int turn = 1; turn < tnc_turnCount; ++turn)
	{
		tncTurnField(run->speedX, TNC_PLANE_SIZE, TNC_PLANE_SIZE, turn, run->turned);
		for (int i = 0; i < TNC_PLANE_SIZE * TNC_PLANE_SIZE; ++i)
		{
			count += memcmp(run->speedX + i, run->turned + i, sizeof(float)) != 0 ? 1 : 0;
		}
	}
	return count;
}

static void tncRunColumn(tncContext* context, const tncTable* table, double outer, const char* label)
{
	const double inner = 3.0;
	bool same = context->method->model == tnc_shallowModel;
	bool isWet = outer > 0.0;
	tncScene scene = tncMakeScene(context, TNC_PLANE_SIZE, TNC_PLANE_SIZE, TNC_PLANE_CELL, 2.0, 0);
	for (int i = 0; i < TNC_PLANE_SIZE * TNC_PLANE_SIZE && scene.depth != NULL; ++i)
	{
		double cover = tncCoverOfColumn(i % TNC_PLANE_SIZE, i / TNC_PLANE_SIZE);
		scene.depth[i] = (float)(outer + (inner - outer) * cover);
	}

	tncRun run;
	if (tncStartRun(context, &scene, TNC_NO_TWIN, &run) == false)
	{
		tncFreeScene(&scene);
		return;
	}
	double timeStep = tncGetTimeStep(TNC_PLANE_CELL, inner, TNC_PLANE_COURANT);
	tncAdvance(&run, 1.0, timeStep);
	tncTell(context, tncMeasureRadial(&run, table, isWet ? "h_wet_t1" : "h_dry_t1"), "%s 1 s: L1(h)", label);
	tncAdvance(&run, 1.0, timeStep);
	double errorAt2 = tncMeasureRadial(&run, table, isWet ? "h_wet_t2" : "h_dry_t2");
	if (isWet)
	{
		tncTell(context, errorAt2, "%s 2 s: L1(h)", label);
		tncAdvance(&run, 2.0, timeStep);
		tncJudge(context, same, tncMeasureRadial(&run, table, "h_wet_t4"), 0.02, 0.006, "%s 4 s: L1(h)", label);
	}
	else
	{
		tncJudge(context, same, errorAt2, 0.1, 0.04, "%s 2 s: L1(h)", label);
	}

	double axis = tncFindRingFront(&run, false, outer);
	double diagonal = tncFindRingFront(&run, true, outer);
	tncJudge(context, same || isWet, fabs(diagonal - axis) / axis, 0.03, 0.01, "%s: front at 45 degrees: error", label);
	tncRequire(
		context, (double)tncCountAsymmetry(&run), 0.0, 0.0, "%s: cells that differ from their mirror images", label);
	tncRequire(context, run.maxDepth, 0.0, 1.2 * inner, "%s: largest depth (m)", label);
	tncJudgeGates(&run, label);
	tncEndRun(&run);
	tncFreeScene(&scene);
}

void tncRunRadialDam(tncContext* context)
{
	tncTable table;
	if (tncReadTable(context, "f09_radial_dam.csv", &table))
	{
		tncRunColumn(context, &table, 1.0, "wet");
		tncRunColumn(context, &table, 0.0, "dry");
		tncFreeTable(&table);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// F10

typedef struct tncStokerSolution
{
	double left, right, depth, speed, bore;
} tncStokerSolution;

static tncStokerSolution tncSolveStoker(double left, double right)
{
	double low = right;
	double high = left;
	for (int i = 0; i < 100; ++i)
	{
		double h = 0.5 * (low + high);
		double fan = 2.0 * (sqrt(TNC_GRAVITY * left) - sqrt(TNC_GRAVITY * h));
		double bore = (h - right) * sqrt(0.5 * TNC_GRAVITY * (h + right) / (h * right));
		if (fan > bore)
		{
			low = h;
		}
		else
		{
			high = h;
		}
	}
	tncStokerSolution solution = {left, right, 0.5 * (low + high), 0.0, 0.0};
	solution.speed = 2.0 * (sqrt(TNC_GRAVITY * left) - sqrt(TNC_GRAVITY * solution.depth));
	solution.bore = solution.depth * solution.speed / (solution.depth - right);
	return solution;
}

static double tncGetStokerDepth(const tncStokerSolution* solution, double x, double time)
{
	double s = x / time;
	double c = sqrt(TNC_GRAVITY * solution->left);
	if (s <= -c)
	{
		return solution->left;
	}
	if (s <= solution->speed - sqrt(TNC_GRAVITY * solution->depth))
	{
		return (2.0 * c - s) * (2.0 * c - s) / (9.0 * TNC_GRAVITY);
	}
	return s <= solution->bore ? solution->depth : solution->right;
}

// Mean over sub-cells of the depth at time: time 0 gives the start.
static double tncSampleRotatedDam(
	const tncStokerSolution* solution, int column, int row, const double* normal, double time)
{
	double sum = 0.0;
	for (int i = 0; i < TNC_PLANE_SAMPLES * TNC_PLANE_SAMPLES; ++i)
	{
		double x = tncPlaneX(column + (i % TNC_PLANE_SAMPLES + 0.5) / TNC_PLANE_SAMPLES);
		double z = tncPlaneX(row + (i / TNC_PLANE_SAMPLES + 0.5) / TNC_PLANE_SAMPLES);
		double distance = x * normal[0] + z * normal[1];
		double still = distance < 0.0 ? solution->left : solution->right;
		sum += time > 0.0 ? tncGetStokerDepth(solution, distance, time) : still;
	}
	return sum / (TNC_PLANE_SAMPLES * TNC_PLANE_SAMPLES);
}

static double tncRunAngle(
	tncContext* context, const tncStokerSolution* solution, double run, double rise, const char* label)
{
	const double time = 4.0;
	double length = hypot(run, rise);
	double normal[2] = {run / length, rise / length};
	double depthScale = 0.5 * (solution->left + solution->right);
	tncScene scene = tncMakeScene(context, TNC_PLANE_SIZE, TNC_PLANE_SIZE, TNC_PLANE_CELL, depthScale, 0);
	for (int i = 0; i < TNC_PLANE_SIZE * TNC_PLANE_SIZE && scene.depth != NULL; ++i)
	{
		scene.depth[i] = (float)tncSampleRotatedDam(solution, i % TNC_PLANE_SIZE, i / TNC_PLANE_SIZE, normal, 0.0);
	}

	double error = NAN;
	tncRun flow;
	if (tncStartRun(context, &scene, tnc_transpose | tnc_flipColumns, &flow))
	{
		tncAdvance(&flow, time, tncGetTimeStep(TNC_PLANE_CELL, solution->left, TNC_PLANE_COURANT));
		double difference = 0.0;
		double sum = 0.0;
		double highest = 0.0;
		for (int i = 0; i < TNC_PLANE_SIZE * TNC_PLANE_SIZE; ++i)
		{
			int column = i % TNC_PLANE_SIZE;
			int row = i / TNC_PLANE_SIZE;
			// Further out the bore meets its reflections from the edges.
			if (hypot(tncPlaneX(column + 0.5), tncPlaneX(row + 0.5)) < 28.0)
			{
				highest = fmax(highest, (double)tncGetDepthRow(&flow, row)[column]);
				double exact = tncSampleRotatedDam(solution, column, row, normal, time);
				difference += fabs((double)tncGetDepthRow(&flow, row)[column] - exact);
				sum += exact;
			}
		}
		error = difference / sum;
		bool same = context->method->model == tnc_shallowModel;
		tncJudge(context, same, error, 0.025, 0.008, "%s: L1(h) at 4 s", label);
		tncRequire(context, highest, 0.0, 1.2 * solution->left, "%s: largest depth (m)", label);
		tncJudgeGates(&flow, label);
		tncEndRun(&flow);
	}
	tncFreeScene(&scene);
	return error;
}

void tncRunOrientation(tncContext* context)
{
	tncStokerSolution solution = tncSolveStoker(1.0, 0.2);
	double errors[3];
	errors[0] = tncRunAngle(context, &solution, 1.0, 0.0, "0 degrees");
	errors[1] = tncRunAngle(context, &solution, 2.0, 1.0, "26.6 degrees");
	errors[2] = tncRunAngle(context, &solution, 1.0, 1.0, "45 degrees");
	double low = fmin(errors[0], fmin(errors[1], errors[2]));
	double high = fmax(errors[0], fmax(errors[1], errors[2]));
	double mean = (errors[0] + errors[1] + errors[2]) / 3.0;
	// The spread judges the grid and not the equations: it holds for every method.
	tncJudge(context, true, (high - low) / mean, 0.25, 0.1, "spread of L1(h) over angles");
}
