// SPDX-License-Identifier: MIT

// Dam breaks in the plane: F04 through a breach, F09 around a column, F10 at angles to the grid.

#include "kits/case_kit.h"

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

// Depths of the world and of the reference, in blocks of the reference.
typedef struct tncBreach
{
	double depth[TNC_BREACH_BLOCKS * TNC_BREACH_BLOCKS];
	double reference[TNC_BREACH_BLOCKS * TNC_BREACH_BLOCKS];
} tncBreach;

static void tncTakeBreach(const tncRun* run, const tncTable* table, tncBreach* breach)
{
	for (int row = 0; row < TNC_BREACH_BLOCKS; ++row)
	{
		const float* upper = tncGetDepthRow(run, 2 * row);
		const float* lower = tncGetDepthRow(run, 2 * row + 1);
		for (int column = 0; column < TNC_BREACH_BLOCKS; ++column)
		{
			int c = 2 * column;
			int block = row * TNC_BREACH_BLOCKS + column;
			double sum = (double)upper[c] + (double)upper[c + 1] + (double)lower[c] + (double)lower[c + 1];
			breach->depth[block] = 0.25 * sum;
			// The first column of the table holds z.
			breach->reference[block] = tncGetValue(table, row, column + 1);
		}
	}
}

// A section along a row or a column of blocks.
static void tncDrawBreach(tncContext* context, const tncBreach* breach, bool alongX, int index)
{
	double place = (index + 0.5) * 200.0 / TNC_BREACH_BLOCKS;
	tncPanel* panel = tncAddPanel(context, alongX ? "x (m)" : "z (m)", "depth (m)", "section at %s = %g m after 7.2 s",
		alongX ? "z" : "x", place);
	tncSeries* exact = tncPanel_AddSeries(panel, tnc_referenceRole, tnc_lineMark, "reference (640 x 640)");
	tncSeries* result = tncPanel_AddSeries(panel, tnc_resultRole, tnc_lineMark, "computed (80 x 80)");
	for (int i = 0; i < TNC_BREACH_BLOCKS && panel != NULL; ++i)
	{
		int block = alongX ? index * TNC_BREACH_BLOCKS + i : i * TNC_BREACH_BLOCKS + index;
		double at = (i + 0.5) * 200.0 / TNC_BREACH_BLOCKS;
		tncSeries_AddPoint(exact, at, breach->reference[block]);
		tncSeries_AddPoint(result, at, breach->depth[block]);
	}
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
	if (tncStartRun(context, &scene, tnc_transpose | tnc_flipColumns | tnc_flipRows, &run))
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
		tncBreach breach;
		tncTakeBreach(&run, &table, &breach);
		double error = tncMeasureL1(breach.depth, breach.reference, TNC_BREACH_BLOCKS * TNC_BREACH_BLOCKS);
		tncJudge(context, same, error, 0.015, 0.005, "L1(h) at 7.2 s");
		// Through the middle of the breach, behind the dam, upstream and downstream.
		tncDrawBreach(context, &breach, true, 26);
		tncDrawBreach(context, &breach, true, 12);
		tncDrawBreach(context, &breach, false, 17);
		tncDrawBreach(context, &breach, false, 24);
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

// Cells of an octant are drawn, of those off its two borders one in so many: the others are their mirror images or
// would hide each other.
#define TNC_SCATTER_STRIDE 7

static void tncDrawRadial(const tncRun* run, const tncTable* table, const char* name, const char* label, double time)
{
	tncPanel* panel = tncAddPanel(run->context, "radius (m)", "depth (m)", "%s, %g s", label, time);
	if (panel == NULL)
	{
		return;
	}
	panel->xMin = 0.0;
	panel->xMax = 40.0;
	tncSeries* exact = tncPanel_AddSeries(panel, tnc_referenceRole, tnc_lineMark, "reference (axisymmetric)");
	tncSeries* result = tncPanel_AddSeries(panel, tnc_resultRole, tnc_dotMark, "cells");
	int tableColumn = tncFindColumn(table, name);
	for (int i = 0; i < table->rowCount; ++i)
	{
		tncSeries_AddPoint(exact, 0.5 * (i + 0.5), tncGetValue(table, i, tableColumn));
	}
	const int half = TNC_PLANE_SIZE / 2;
	for (int row = half; row < TNC_PLANE_SIZE; ++row)
	{
		for (int column = row; column < TNC_PLANE_SIZE; ++column)
		{
			double radius = hypot(tncPlaneX(column + 0.5), tncPlaneX(row + 0.5));
			bool isBorder = row == half || row == column;
			bool isDrawn = isBorder || (row * TNC_PLANE_SIZE + column) % TNC_SCATTER_STRIDE == 0;
			if (isDrawn && radius < 40.0)
			{
				tncSeries_AddPoint(result, radius, (double)tncGetDepthRow(run, row)[column]);
			}
		}
	}
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
	int twinTurn = isWet ? tnc_transpose | tnc_flipColumns : tnc_flipRows;
	if (tncStartRun(context, &scene, twinTurn, &run) == false)
	{
		tncFreeScene(&scene);
		return;
	}
	double timeStep = tncGetTimeStep(TNC_PLANE_CELL, inner, TNC_PLANE_COURANT);
	tncAdvance(&run, 1.0, timeStep);
	tncDrawRadial(&run, table, isWet ? "h_wet_t1" : "h_dry_t1", label, 1.0);
	tncTell(context, tncMeasureRadial(&run, table, isWet ? "h_wet_t1" : "h_dry_t1"), "%s 1 s: L1(h)", label);
	tncAdvance(&run, 1.0, timeStep);
	double errorAt2 = tncMeasureRadial(&run, table, isWet ? "h_wet_t2" : "h_dry_t2");
	tncDrawRadial(&run, table, isWet ? "h_wet_t2" : "h_dry_t2", label, 2.0);
	if (isWet)
	{
		tncTell(context, errorAt2, "%s 2 s: L1(h)", label);
		tncAdvance(&run, 2.0, timeStep);
		tncDrawRadial(&run, table, "h_wet_t4", label, 4.0);
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
		tncSetPanelColumns(context, 3);
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

// Radius of the compared disc, meters: further out the bore meets its reflections from the edges.
#define TNC_ANGLE_RADIUS 28.0

// Half the width of the strip along the dam line in which the bore is looked for, meters.
#define TNC_ANGLE_STRIP 15.0

typedef struct tncBoreLine
{
	// Mean distance of the bore from the dam line, meters, and standard deviation of the depth along a line just behind
	// it, meters.
	double distance, ripple;
} tncBoreLine;

static double tncSampleDepth(const tncRun* run, double x, double z)
{
	double column = x / TNC_PLANE_CELL + 0.5 * TNC_PLANE_SIZE - 0.5;
	double row = z / TNC_PLANE_CELL + 0.5 * TNC_PLANE_SIZE - 0.5;
	int c = (int)floor(column);
	int r = (int)floor(row);
	double shareX = column - c;
	double shareZ = row - r;
	const float* upper = tncGetDepthRow(run, r);
	const float* lower = tncGetDepthRow(run, r + 1);
	double north = (1.0 - shareX) * (double)upper[c] + shareX * (double)upper[c + 1];
	double south = (1.0 - shareX) * (double)lower[c] + shareX * (double)lower[c + 1];
	return (1.0 - shareZ) * north + shareZ * south;
}

// Along the normal of the dam line at places along it: where the depth falls through half the height of the bore, and
// the depth three cells behind the exact place of it, where the steps of a line on a grid are not seen any more.
static tncBoreLine tncMeasureBoreLine(
	const tncRun* run, const tncStokerSolution* solution, const double* normal, double time)
{
	const double step = 0.1;
	double level = 0.5 * (solution->depth + solution->right);
	double behind = solution->bore * time - 3.0 * TNC_PLANE_CELL;
	double distanceSum = 0.0;
	double sum = 0.0;
	double squareSum = 0.0;
	int count = 0;
	for (double along = -TNC_ANGLE_STRIP; along <= TNC_ANGLE_STRIP; along += 0.5 * TNC_PLANE_CELL)
	{
		double distance = 0.0;
		for (double at = 0.0; at < TNC_ANGLE_RADIUS - step; at += step)
		{
			double x = at * normal[0] - along * normal[1];
			double z = at * normal[1] + along * normal[0];
			distance = tncSampleDepth(run, x, z) > level ? at + 0.5 * step : distance;
		}
		double depth =
			tncSampleDepth(run, behind * normal[0] - along * normal[1], behind * normal[1] + along * normal[0]);
		distanceSum += distance;
		sum += depth;
		squareSum += depth * depth;
		count += 1;
	}
	double mean = sum / count;
	return (tncBoreLine){distanceSum / count, sqrt(fmax(0.0, squareSum / count - mean * mean))};
}

static void tncDrawAngle(
	const tncRun* run, const tncStokerSolution* solution, const double* normal, double time, const char* label)
{
	tncPanel* panel = tncAddPanel(run->context, "distance from the dam line (m)", "depth (m)", "%s, 4 s", label);
	tncSeries* exact = tncPanel_AddSeries(panel, tnc_referenceRole, tnc_lineMark, "exact");
	tncSeries* result = tncPanel_AddSeries(panel, tnc_resultRole, tnc_dotMark, "cells");
	for (int i = -280; i <= 280 && panel != NULL; ++i)
	{
		tncSeries_AddPoint(exact, 0.1 * i, tncGetStokerDepth(solution, 0.1 * i, time));
	}
	for (int i = 0; i < TNC_PLANE_SIZE * TNC_PLANE_SIZE && panel != NULL; ++i)
	{
		double x = tncPlaneX(i % TNC_PLANE_SIZE + 0.5);
		double z = tncPlaneX(i / TNC_PLANE_SIZE + 0.5);
		// Scattered evenly, and few enough to see each.
		bool isDrawn = tncHash3((uint32_t)(i % TNC_PLANE_SIZE), (uint32_t)(i / TNC_PLANE_SIZE), 19) % 8 == 0;
		if (isDrawn && hypot(x, z) < TNC_ANGLE_RADIUS)
		{
			double depth = (double)tncGetDepthRow(run, i / TNC_PLANE_SIZE)[i % TNC_PLANE_SIZE];
			tncSeries_AddPoint(result, x * normal[0] + z * normal[1], depth);
		}
	}
}

// @param step the cells by which the normal of the dam line steps along x and z
static double tncRunAngle(
	tncContext* context, const tncStokerSolution* solution, const double* step, int twinTurn, const char* label)
{
	const double time = 4.0;
	double length = hypot(step[0], step[1]);
	double normal[2] = {step[0] / length, step[1] / length};
	double depthScale = 0.5 * (solution->left + solution->right);
	tncScene scene = tncMakeScene(context, TNC_PLANE_SIZE, TNC_PLANE_SIZE, TNC_PLANE_CELL, depthScale, 0);
	for (int i = 0; i < TNC_PLANE_SIZE * TNC_PLANE_SIZE && scene.depth != NULL; ++i)
	{
		scene.depth[i] = (float)tncSampleRotatedDam(solution, i % TNC_PLANE_SIZE, i / TNC_PLANE_SIZE, normal, 0.0);
	}

	double error = NAN;
	tncRun run;
	if (tncStartRun(context, &scene, twinTurn, &run))
	{
		tncAdvance(&run, time, tncGetTimeStep(TNC_PLANE_CELL, solution->left, TNC_PLANE_COURANT));
		double difference = 0.0;
		double sum = 0.0;
		double highest = 0.0;
		for (int i = 0; i < TNC_PLANE_SIZE * TNC_PLANE_SIZE; ++i)
		{
			int column = i % TNC_PLANE_SIZE;
			int row = i / TNC_PLANE_SIZE;
			if (hypot(tncPlaneX(column + 0.5), tncPlaneX(row + 0.5)) < TNC_ANGLE_RADIUS)
			{
				highest = fmax(highest, (double)tncGetDepthRow(&run, row)[column]);
				double exact = tncSampleRotatedDam(solution, column, row, normal, time);
				difference += fabs((double)tncGetDepthRow(&run, row)[column] - exact);
				sum += exact;
			}
		}
		error = difference / sum;
		bool same = context->method->model == tnc_shallowModel;
		tncJudge(context, same, error, 0.025, 0.008, "%s: L1(h) at 4 s", label);
		tncBoreLine line = tncMeasureBoreLine(&run, solution, normal, time);
		tncTell(context, line.distance / (solution->bore * time) - 1.0, "%s: bore speed: error", label);
		tncTell(context, line.ripple, "%s: ripple behind the bore (m)", label);
		tncRequire(context, highest, 0.0, 1.2 * solution->left, "%s: largest depth (m)", label);
		tncDrawAngle(&run, solution, normal, time, label);
		tncJudgeGates(&run, label);
		tncEndRun(&run);
	}
	tncFreeScene(&scene);
	return error;
}

void tncRunOrientation(tncContext* context)
{
	tncStokerSolution solution = tncSolveStoker(1.0, 0.2);
	double errors[3];
	const double steps[3][2] = {{1.0, 0.0}, {2.0, 1.0}, {1.0, 1.0}};
	tncSetPanelColumns(context, 3);
	errors[0] = tncRunAngle(context, &solution, steps[0], tnc_transpose | tnc_flipColumns, "0 degrees");
	errors[1] = tncRunAngle(context, &solution, steps[1], tnc_transpose | tnc_flipRows, "26.6 degrees");
	errors[2] = tncRunAngle(context, &solution, steps[2], tnc_flipColumns, "45 degrees");
	double low = fmin(errors[0], fmin(errors[1], errors[2]));
	double high = fmax(errors[0], fmax(errors[1], errors[2]));
	double mean = (errors[0] + errors[1] + errors[2]) / 3.0;
	// The spread judges the grid and not the equations: it holds for every method.
	tncJudge(context, true, (high - low) / mean, 0.25, 0.1, "spread of L1(h) over angles");
}
