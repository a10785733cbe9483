// SPDX-License-Identifier: MIT

// Dam breaks in a channel: F02 on a dry bed, F03 on a wet one.
//
// Methods without self-advection solve other equations and have middle states of their own, between a rarefaction that
// runs to the left and a bore of speed S that runs to the right, h_m and S for each:
//
//   pipe, mean section    q_t + g A h_x = 0 with A = h:
//                         q_m = 2/3 sqrt(g) (h_l^1.5 - h_m^1.5) = S (h_m - h_r), S^2 = g (h_m + h_r) / 2
//   pipe, upwind section  as above, but S^2 = g h_m
//   linear                u_t + g h_x = 0, h_t + (h u)_x = 0:  du/dh = g / (u/2 - sqrt(u^2/4 + g h)) in the fan,
//                         u_m = (h_m - h_r) sqrt(g / h_m), S^2 = g h_m
//   pipe, fixed section   linear waves: h_m = (h_l + h_r) / 2, S^2 = g H
//
// Why two answers for one equation: A h_x is a product of two functions that both jump in a bore, and has no value
// there until a path A(h) from h_r to h_m is chosen. The rule for the section of a face is that choice. The mean of
// both sides is the straight path, and gives the (g h^2 / 2)_x of the tables. The upwind side is the path that jumps at
// its beginning: the face of the bore pushes with the full h_m. Both are exact solutions, each of its own rule, and
// refining the grid leads to neither from the other. So each section is judged by its own.

#include "kits/case_kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TNC_DAM_COLUMNS 200
#define TNC_DAM_CELL 0.5

// Share of a cell that waves cross in a step.
#define TNC_DAM_COURANT 0.5

// Iterations of a bisection in double precision.
#define TNC_BISECTIONS 100

typedef struct tncMiddleState
{
	double depth, boreSpeed;
	/// Speed of the trailing edge of the fan.
	double fanTail;
} tncMiddleState;

typedef enum tncJumpRule
{
	tnc_meanJump,
	tnc_upwindJump,
	tnc_linearJump,
} tncJumpRule;

// Speed of linear at depth h in the fan that starts from rest at depth left: classical Runge-Kutta.
static double tncGetLinearFanSpeed(double left, double h)
{
	enum
	{
		steps = 200
	};
	double u = 0.0;
	double dh = (h - left) / steps;
	for (int i = 0; i < steps; ++i)
	{
		double at = left + i * dh;
		double slopes[4];
		double shift[4] = {0.0, 0.5 * dh, 0.5 * dh, dh};
		for (int j = 0; j < 4; ++j)
		{
			double uj = j == 0 ? u : u + shift[j] * slopes[j - 1];
			slopes[j] = TNC_GRAVITY / (0.5 * uj - sqrt(0.25 * uj * uj + TNC_GRAVITY * (at + shift[j])));
		}
		u += dh / 6.0 * (slopes[0] + 2.0 * slopes[1] + 2.0 * slopes[2] + slopes[3]);
	}
	return u;
}

// Discharge behind the fan less the discharge that feeds the bore: falls with the middle depth.
static double tncGetExcess(tncJumpRule rule, double left, double right, double h)
{
	if (rule == tnc_linearJump)
	{
		return tncGetLinearFanSpeed(left, h) - (h - right) * sqrt(TNC_GRAVITY / h);
	}
	double section = rule == tnc_meanJump ? 0.5 * (h + right) : h;
	double fan = 2.0 / 3.0 * sqrt(TNC_GRAVITY) * (pow(left, 1.5) - pow(h, 1.5));
	return fan - sqrt(TNC_GRAVITY * section) * (h - right);
}

static tncMiddleState tncSolveMiddle(tncJumpRule rule, double left, double right)
{
	double low = right;
	double high = left;
	for (int i = 0; i < TNC_BISECTIONS; ++i)
	{
		double h = 0.5 * (low + high);
		if (tncGetExcess(rule, left, right, h) > 0.0)
		{
			low = h;
		}
		else
		{
			high = h;
		}
	}

	tncMiddleState middle = {0};
	middle.depth = 0.5 * (low + high);
	double section = rule == tnc_meanJump ? 0.5 * (middle.depth + right) : middle.depth;
	middle.boreSpeed = sqrt(TNC_GRAVITY * section);
	double u = rule == tnc_linearJump ? tncGetLinearFanSpeed(left, middle.depth) : 0.0;
	middle.fanTail = 0.5 * u - sqrt(0.25 * u * u + TNC_GRAVITY * middle.depth);
	return middle;
}

static tncScene tncMakeDam(tncContext* context, double left, double right)
{
	double fixedSection = 0.5 * (left + right);
	tncScene scene = tncMakeScene(context, TNC_DAM_COLUMNS, TNC_CHANNEL_ROWS, TNC_DAM_CELL, fixedSection, 0);
	for (int i = 0; i < TNC_DAM_COLUMNS * TNC_CHANNEL_ROWS && scene.depth != NULL; ++i)
	{
		scene.depth[i] = (float)(i % TNC_DAM_COLUMNS < TNC_DAM_COLUMNS / 2 ? left : right);
	}
	return scene;
}

// x of the last cell deeper than a threshold.
static double tncFindFront(const double* depth, double threshold)
{
	int last = 0;
	for (int i = 0; i < TNC_DAM_COLUMNS; ++i)
	{
		last = depth[i] > threshold ? i : last;
	}
	return (last + 0.5 - TNC_DAM_COLUMNS / 2) * TNC_DAM_CELL;
}

// x of the last crossing of a depth, between cell centres.
static double tncFindCrossing(const double* depth, double level)
{
	for (int i = TNC_DAM_COLUMNS - 2; i >= 0; --i)
	{
		if (depth[i] > level && depth[i + 1] <= level)
		{
			double share = (depth[i] - level) / (depth[i] - depth[i + 1]);
			return (i + 0.5 + share - TNC_DAM_COLUMNS / 2) * TNC_DAM_CELL;
		}
	}
	return NAN;
}

// Mean depth of the middle half of the plateau between fan and bore.
static double tncMeasurePlateau(const double* depth, const tncMiddleState* middle, double time)
{
	double begin = (0.75 * middle->fanTail + 0.25 * middle->boreSpeed) * time;
	double end = (0.25 * middle->fanTail + 0.75 * middle->boreSpeed) * time;
	double sum = 0.0;
	int count = 0;
	for (int i = 0; i < TNC_DAM_COLUMNS; ++i)
	{
		double x = (i + 0.5 - TNC_DAM_COLUMNS / 2) * TNC_DAM_CELL;
		if (x >= begin && x <= end)
		{
			sum += depth[i];
			count += 1;
		}
	}
	return sum / count;
}

typedef struct tncProfile
{
	double time;
	double depth[TNC_DAM_COLUMNS];
	double discharge[TNC_DAM_COLUMNS];
	double depthReference[TNC_DAM_COLUMNS];
	double dischargeReference[TNC_DAM_COLUMNS];
} tncProfile;

static bool tncTakeProfile(tncRun* run, const tncTable* table, const char* time, tncProfile* profile)
{
	char depthName[16];
	char dischargeName[16];
	snprintf(depthName, sizeof(depthName), "h_t%s", time);
	snprintf(dischargeName, sizeof(dischargeName), "q_t%s", time);
	float* faces = calloc((TNC_DAM_COLUMNS + 1) * TNC_CHANNEL_ROWS, sizeof(float));
	bool good = faces != NULL && table->rowCount == TNC_DAM_COLUMNS &&
		tnWorld_CopyDischarge(run->world, faces, NULL).status == tn_ok;
	if (good)
	{
		const float* depth = tncGetDepthRow(run, 0);
		profile->time = atof(time);
		for (int i = 0; i < TNC_DAM_COLUMNS; ++i)
		{
			profile->depth[i] = (double)depth[i];
			profile->discharge[i] = 0.5 * ((double)faces[i] + (double)faces[i + 1]);
			profile->depthReference[i] = tncGetValue(table, i, tncFindColumn(table, depthName));
			profile->dischargeReference[i] = tncGetValue(table, i, tncFindColumn(table, dischargeName));
		}
	}
	else
	{
		tncRequire(run->context, NAN, 0.0, 0.0, "profile at %s s cannot be taken", time);
	}
	free(faces);
	return good;
}

// Depth above discharge. `own` has the middle state of the method's own equations, or is NULL.
static void tncDrawProfile(
	tncContext* context, const tncProfile* profile, const tncMiddleState* own, bool isDischarge, const char* label)
{
	tncPanel* panel = tncAddPanel(context, "x (m)", isDischarge ? "discharge (m\xC2\xB2/s)" : "depth (m)", "%s", label);
	tncSeries* exact = tncPanel_AddSeries(panel, tnc_referenceRole, tnc_lineMark, "exact");
	tncSeries* result = tncPanel_AddSeries(panel, tnc_resultRole, tnc_lineMark, "computed");
	for (int i = 0; i < TNC_DAM_COLUMNS && panel != NULL; ++i)
	{
		double x = (i + 0.5 - TNC_DAM_COLUMNS / 2) * TNC_DAM_CELL;
		tncSeries_AddPoint(exact, x, isDischarge ? profile->dischargeReference[i] : profile->depthReference[i]);
		tncSeries_AddPoint(result, x, isDischarge ? profile->discharge[i] : profile->depth[i]);
	}
	if (own != NULL && isDischarge == false)
	{
		tncSeries* plateau = tncPanel_AddSeries(panel, tnc_ownRole, tnc_lineMark, "middle state of its own equations");
		tncSeries_AddPoint(plateau, own->fanTail * profile->time, own->depth);
		tncSeries_AddPoint(plateau, own->boreSpeed * profile->time, own->depth);
	}
}

static double tncGetFrontError(const tncProfile* profile, double threshold)
{
	double exact = tncFindFront(profile->depthReference, threshold);
	return (tncFindFront(profile->depth, threshold) - exact) / exact;
}

static void tncJudgeRitter(tncRun* run, const tncTable* table, const char* time, double left)
{
	tncContext* context = run->context;
	bool same = context->method->model == tnc_shallowModel;
	tncProfile profile;
	if (tncTakeProfile(run, table, time, &profile) == false)
	{
		return;
	}

	double front = tncGetFrontError(&profile, 0.01 * left);
	double atDam = 0.5 * (profile.depth[TNC_DAM_COLUMNS / 2 - 1] + profile.depth[TNC_DAM_COLUMNS / 2]);
	double exactAtDam = 4.0 / 9.0 * left;
	tncJudge(context, same, tncMeasureL1(profile.depth, profile.depthReference, TNC_DAM_COLUMNS), 0.02, 0.006,
		"L1(h) at %s s", time);
	tncJudge(context, same, tncMeasureL1(profile.discharge, profile.dischargeReference, TNC_DAM_COLUMNS), 0.08, 0.025,
		"L1(q) at %s s", time);
	tncJudge(context, same, fabs(atDam - exactAtDam) / exactAtDam, 0.03, 0.01, "depth at the dam at %s s: error", time);
	tncJudgeRange(context, same, front, (tncRange){-0.15, 0.05}, (tncRange){-0.04, 0.04}, "front at %s s: error", time);

	char label[32];
	for (int i = 0; i < 2; ++i)
	{
		snprintf(label, sizeof(label), "%s after %s s", i == 0 ? "depth" : "discharge", time);
		tncDrawProfile(context, &profile, NULL, i == 1, label);
	}
}

// Water must not rise above the higher side nor, in a still frame, appear from nowhere.
static void tncJudgeChannel(tncRun* run, const char* label, double left)
{
	tncContext* context = run->context;
	tncRequire(context, tncGetRowSpread(run), 0.0, 0.0, "%s: difference between rows (m)", label);
	tncRequire(context, (run->maxDepth - left) / left, -INFINITY, 0.2, "%s: largest depth over the initial one", label);
	tncJudgeGates(run, label);
}

void tncRunRitter(tncContext* context)
{
	const double left = 2.0;
	tncTable table;
	if (tncReadTable(context, "f02_ritter.csv", &table) == false)
	{
		return;
	}

	tncScene scene = tncMakeDam(context, left, 0.0);
	tncRun run;
	if (tncStartRun(context, &scene, tnc_transpose | tnc_flipColumns | tnc_flipRows, &run))
	{
		double timeStep = tncGetTimeStep(TNC_DAM_CELL, left, TNC_DAM_COURANT);
		tncAdvance(&run, 2.5, timeStep);
		tncJudgeRitter(&run, &table, "2.5", left);
		tncAdvance(&run, 2.5, timeStep);
		tncJudgeRitter(&run, &table, "5", left);
		tncJudgeChannel(&run, "dry bed", left);
		tncEndRun(&run);
	}
	tncFreeScene(&scene);
	tncFreeTable(&table);
}

// The middle state that a method without self-advection has by its own equations.
static tncMiddleState tncGetOwnMiddle(tncModel model, double left, double right)
{
	tncMiddleState middle = {0};
	switch (model)
	{
		case tnc_pipeModel:
			middle = tncSolveMiddle(tnc_upwindJump, left, right);
			break;
		case tnc_meanPipeModel:
			middle = tncSolveMiddle(tnc_meanJump, left, right);
			break;
		case tnc_linearModel:
			middle = tncSolveMiddle(tnc_linearJump, left, right);
			break;
		default:
			middle.depth = 0.5 * (left + right);
			middle.boreSpeed = sqrt(TNC_GRAVITY * middle.depth);
			middle.fanTail = -middle.boreSpeed;
			break;
	}
	return middle;
}

// Water above the depth on the right, in the right half of the channel, m^2.
static double tncMeasureGain(const double* depth, double right)
{
	double sum = 0.0;
	for (int i = TNC_DAM_COLUMNS / 2; i < TNC_DAM_COLUMNS; ++i)
	{
		sum += (depth[i] - right) * TNC_DAM_CELL;
	}
	return sum;
}

// Middle depth at the later of two profiles, and bore speed between them. Without dissipation a bore is a train of
// waves on a step: its place is that of a sharp step with as much water behind it, and its first crest runs ahead of
// that.
static void tncJudgeMiddle(
	tncContext* context, const tncMiddleState* middle, const tncProfile* profiles, double right, const char* label)
{
	double seconds = profiles[1].time - profiles[0].time;
	double level = 0.5 * (middle->depth + right);
	double plateau = tncMeasurePlateau(profiles[1].depth, middle, profiles[1].time);
	double gain = tncMeasureGain(profiles[1].depth, right) - tncMeasureGain(profiles[0].depth, right);
	double bore = gain / (plateau - right) / seconds;
	double crest = (tncFindCrossing(profiles[1].depth, level) - tncFindCrossing(profiles[0].depth, level)) / seconds;
	tncJudge(context, true, fabs(plateau / middle->depth - 1.0), 0.05, 0.02, "%s: middle depth: error", label);
	tncJudge(context, true, fabs(bore / middle->boreSpeed - 1.0), 0.05, 0.02, "%s: bore speed: error", label);
	tncTell(context, crest / middle->boreSpeed - 1.0, "%s: speed of the first crest: error", label);
}

static void tncJudgeOwnMiddle(
	tncContext* context, const tncTable* table, const tncProfile* profiles, const char* name, double left, double right)
{
	char label[32];
	snprintf(label, sizeof(label), "%s own", name);
	tncModel model = context->method->model;
	tncMiddleState middle = tncGetOwnMiddle(model, left, right);
	if (model == tnc_meanPipeModel)
	{
		// The table must agree with the formula, or one of them is wrong.
		double tableDepth = tncGetRemark(table, "converges instead to hm=");
		double tableSpeed = tncGetRemark(table, " qm=") / (tableDepth - right);
		double depthDifference = fabs(middle.depth - tableDepth) / tableDepth;
		double speedDifference = fabs(middle.boreSpeed - tableSpeed) / tableSpeed;
		tncRequire(context, depthDifference, 0.0, 1.0e-6, "%s: middle depth: formula against the table", label);
		tncRequire(context, speedDifference, 0.0, 1.0e-6, "%s: bore speed: formula against the table", label);
	}
	tncJudgeMiddle(context, &middle, profiles, right, label);
}

// The middle depth of the full equations, from the table.
static void tncTellMiddle(tncContext* context, const tncTable* table, const tncProfile* profile, const char* label)
{
	tncMiddleState middle = {0};
	middle.depth = tncGetRemark(table, "hm=");
	middle.boreSpeed = tncGetRemark(table, "bore_speed=");
	middle.fanTail = tncGetRemark(table, "fan_tail=");
	double plateau = tncMeasurePlateau(profile->depth, &middle, profile->time);
	tncTell(context, plateau / middle.depth - 1.0, "%s: middle depth: error", label);
}

typedef struct tncStokerLimits
{
	double depth[2], discharge[2], bore[2];
} tncStokerLimits;

static void tncJudgeStoker(tncContext* context, const tncProfile* profile, const char* label, double left, double right,
	const tncStokerLimits* limits)
{
	bool isFull = context->method->model == tnc_shallowModel;
	tncMiddleState own = tncGetOwnMiddle(context->method->model, left, right);
	double low = right;
	double high = left;
	for (int i = 0; i < TNC_DAM_COLUMNS; ++i)
	{
		low = fmin(low, profile->depth[i]);
		high = fmax(high, profile->depth[i]);
	}
	double depthError = tncMeasureL1(profile->depth, profile->depthReference, TNC_DAM_COLUMNS);
	double dischargeError = tncMeasureL1(profile->discharge, profile->dischargeReference, TNC_DAM_COLUMNS);
	double front = tncGetFrontError(profile, right + 0.01 * left);
	double time = profile->time;
	tncJudge(context, isFull, depthError, limits->depth[0], limits->depth[1], "%s %g s: L1(h)", label, time);
	tncJudge(
		context, isFull, dischargeError, limits->discharge[0], limits->discharge[1], "%s %g s: L1(q)", label, time);
	double ambitiousBore = limits->bore[1];
	if (ambitiousBore == 0.0)
	{
		// One cell, with room for the last bit.
		ambitiousBore = 1.000001 * TNC_DAM_CELL / tncFindFront(profile->depthReference, right + 0.01 * left);
	}
	tncJudge(
		context, isFull, fabs(front), limits->bore[0], ambitiousBore, "%s %g s: bore position: error", label, time);
	tncJudge(context, isFull, fmax(high - left, right - low) / left, 0.05, 0.005, "%s %g s: overshoot", label, time);

	char title[48];
	for (int i = 0; i < 2; ++i)
	{
		snprintf(title, sizeof(title), "%s: %s after %g s", label, i == 0 ? "depth" : "discharge", time);
		tncDrawProfile(context, profile, isFull ? NULL : &own, i == 1, title);
	}
}

void tncRunStoker(tncContext* context)
{
	const double left = 2.0;
	const char* names[2] = {"f03_stoker_a.csv", "f03_stoker_b.csv"};
	const char* labels[2] = {"a", "b"};
	const double rights[2] = {0.5, 0.02};
	// The ambitious limit of the bore in a, here 0, is one cell.
	const tncStokerLimits limits[2] = {
		{{0.012, 0.003}, {0.05, 0.012}, {0.05, 0.0}},
		{{0.02, 0.006}, {0.08, 0.02}, {0.08, 0.02}},
	};

	for (int i = 0; i < 2; ++i)
	{
		tncTable table;
		if (tncReadTable(context, names[i], &table) == false)
		{
			continue;
		}
		tncScene scene = tncMakeDam(context, left, rights[i]);
		tncRun run;
		int twinTurn = i == 0 ? tnc_transpose | tnc_flipColumns : tnc_flipColumns | tnc_flipRows;
		if (tncStartRun(context, &scene, twinTurn, &run))
		{
			double timeStep = tncGetTimeStep(TNC_DAM_CELL, left, TNC_DAM_COURANT);
			tncProfile profiles[2];
			tncAdvance(&run, 2.5, timeStep);
			// The table of b has no reference at 2.5 s.
			bool good = tncTakeProfile(&run, &table, i == 0 ? "2.5" : "5", profiles + 0);
			profiles[0].time = 2.5;
			if (good && i == 0)
			{
				tncJudgeStoker(context, profiles + 0, labels[i], left, rights[i], limits + i);
			}
			tncAdvance(&run, 2.5, timeStep);
			if (good && tncTakeProfile(&run, &table, "5", profiles + 1))
			{
				tncJudgeStoker(context, profiles + 1, labels[i], left, rights[i], limits + i);
				if (context->method->model != tnc_shallowModel)
				{
					tncJudgeOwnMiddle(context, &table, profiles, labels[i], left, rights[i]);
				}
				else
				{
					tncTellMiddle(context, &table, profiles + 1, labels[i]);
				}
			}
			tncJudgeChannel(&run, labels[i], left);
			tncEndRun(&run);
		}
		tncFreeScene(&scene);
		tncFreeTable(&table);
	}
}
