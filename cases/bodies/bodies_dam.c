// SPDX-License-Identifier: MIT

// B06: a dam of boxes across a channel. It leaks nothing, overtops at its crest, breaks where a box is taken out.

#include "kits/rigid_kit.h"

#include <math.h>
#include <stdio.h>

enum
{
	TNC_DAM_COLUMNS = 40,
	TNC_DAM_ROWS = 32,
	// One more than fit: boxes that are shifted reach over both walls.
	TNC_DAM_BOXES = 17,
	// First column beyond the dam. Shifted, the dam reaches into it: water on that rim stands beside it, on the ground.
	TNC_DAM_DRY = 24,
	// Of a box along the flow.
	TNC_DAM_CELLS = 4,
};

#define TNC_DAM_CELL 0.5
#define TNC_DAM_BEGIN 10.0
#define TNC_DAM_LENGTH 2.0
#define TNC_DAM_CREST 1.5
#define TNC_DAM_WIDTH 1.0
#define TNC_DAM_LEVEL 1.0
#define TNC_DAM_INFLOW 0.05

typedef struct tncDam
{
	tncScene scene;
	tncRun run;
	tncRigid boxes[TNC_DAM_BOXES];
	int boxCount;
} tncDam;

// @param shift of the dam against the lines of the grid, along both axes, cells
static bool tncStartDam(tncContext* context, double shift, double density, tncDam* dam)
{
	tncScene* scene = &dam->scene;
	*scene = tncMakeScene(context, TNC_DAM_COLUMNS, TNC_DAM_ROWS, TNC_DAM_CELL, TNC_DAM_LEVEL, 0);
	double begin = TNC_DAM_BEGIN + shift * TNC_DAM_CELL;
	for (int i = 0; i < TNC_DAM_COLUMNS * TNC_DAM_ROWS && scene->depth != NULL; ++i)
	{
		double x = (i % TNC_DAM_COLUMNS) * TNC_DAM_CELL;
		double share = fmin(1.0, fmax(0.0, (begin - x) / TNC_DAM_CELL));
		scene->depth[i] = (float)(share * TNC_DAM_LEVEL);
	}
	if (context->method->model != tnc_shallowModel)
	{
		// Without self-advection only this limit makes a weir of a crest: see F18.
		scene->def.froudeLimit = TN_CRITICAL_LIMIT;
	}
	if (tncStartRun(context, scene, TNC_NO_TWIN, &dam->run) == false)
	{
		return false;
	}

	tnShapeDef shape = tncMakeBox(TNC_DAM_LENGTH, TNC_DAM_CREST, TNC_DAM_WIDTH);
	dam->boxCount = shift != 0.0 ? TNC_DAM_BOXES : TNC_DAM_BOXES - 1;
	for (int i = 0; i < dam->boxCount; ++i)
	{
		double z = (i + (shift != 0.0 ? -0.5 : 0.5)) * TNC_DAM_WIDTH + shift * TNC_DAM_CELL;
		dam->boxes[i] = tncMakeRigid(&shape, density, begin + 0.5 * TNC_DAM_LENGTH, 0.5 * TNC_DAM_CREST, z);
		dam->boxes[i].isDriven = true;
		tncAddRigid(&dam->run, dam->boxes + i, &shape, tn_blockingBody, (double)INFINITY);
	}
	return dam->run.failed == false;
}

static void tncEndDam(tncDam* dam)
{
	tncEndRun(&dam->run);
	tncFreeScene(&dam->scene);
}

static double tncSumDepths(const tncDam* dam, int columnBegin, int columnEnd)
{
	double sum = 0.0;
	for (int row = 0; row < TNC_DAM_ROWS; ++row)
	{
		for (int column = columnBegin; column < columnEnd; ++column)
		{
			sum += (double)tncGetDepthRow(&dam->run, row)[column];
		}
	}
	return sum;
}

static double tncGetDownstream(const tncDam* dam)
{
	return tncSumDepths(dam, TNC_DAM_DRY, TNC_DAM_COLUMNS) * TNC_DAM_CELL * TNC_DAM_CELL;
}

// Mean depth upstream, away from the inflow and from the dam.
static double tncGetUpstream(const tncDam* dam)
{
	return tncSumDepths(dam, 4, 16) / (12 * TNC_DAM_ROWS);
}

// a and d.
static void tncJudgeLeak(tncContext* context, double shift, const char* label)
{
	tncDam dam;
	if (tncStartDam(context, shift, 2.5, &dam))
	{
		double volume = dam.run.startVolume;
		tncSteps(&dam.run, 10000, 1.0 / 60.0);
		double leak = tncGetDownstream(&dam) / volume;
		tncJudgeProperty(context, leak, 1.0e-6, 0.0, "a %s dx 0.5: leak / volume after 10000 steps", label);
		tncRequire(context, tncGetMaxSpeed(&dam.run), 0.0, 1.0e-3, "a %s: fastest behind the dam (m/s)", label);
		tncRequire(context, fabs(tncGetUpstream(&dam) - TNC_DAM_LEVEL), 0.0, 1.0e-4, "a %s: level: change (m)", label);

		double before = tncGetVolume(dam.run.world);
		tnResult result = tnWorld_DestroyBody(dam.run.world, dam.boxes[8].id);
		tncRequire(context, (double)result.status, 0.0, 0.0, "d %s: destroy refused", label);
		tncRequire(context, fabs(tncGetVolume(dam.run.world) / before - 1.0), 0.0, 1.0e-9,
			"d %s: volume change by the removal", label);
		tncSteps(&dam.run, 1, 1.0 / 60.0);
		tncRequire(context, tncGetMaxSpeed(&dam.run), 0.01, 10.0, "d %s: fastest one step later (m/s)", label);
		tncSteps(&dam.run, 300, 1.0 / 60.0);
		tncRequire(context, tncGetDownstream(&dam) / volume, 0.01, 1.0, "d %s: share downstream after 5 s", label);
		tncJudgeGates(&dam.run, label);
	}
	tncEndDam(&dam);
}

// b and c.
static void tncJudgeOverflow(tncContext* context, double shift, const char* label)
{
	tncDam dam;
	if (tncStartDam(context, shift, 2.5, &dam) == false)
	{
		tncEndDam(&dam);
		return;
	}
	tnEdgeDef edges[2] = {tnDefaultEdgeDef(), tnDefaultEdgeDef()};
	edges[0].kind = tn_inflowEdge;
	edges[0].inflow = (float)TNC_DAM_INFLOW;
	edges[1].kind = tn_openEdge;
	bool good = tnWorld_SetEdge(dam.run.world, tn_west, edges).status == tn_ok &&
		tnWorld_SetEdge(dam.run.world, tn_east, edges + 1).status == tn_ok;
	tncRequire(context, good ? 0.0 : 1.0, 0.0, 0.0, "%s: edges refused", label);

	// 0.005 m/s of rise: 100 s to the crest.
	double first = NAN;
	for (int step = 0; step < 4500 && isnan(first) && dam.run.failed == false; ++step)
	{
		tncSteps(&dam.run, 1, 1.0 / 30.0);
		first = tncGetDownstream(&dam) > 0.0 ? tncGetUpstream(&dam) : first;
	}
	// 2 cm or 0.05 cells, whichever is more.
	tncJudgeBody(context, TNC_DAM_CELLS, fabs(first - TNC_DAM_CREST), 0.025, 0.005,
		"b %s dx 0.5: level at first overflow: error (m)", label);
	tncTell(context, first, "b %s: level at first overflow (m)", label);

	tncAdvance(&dam.run, 150.0, 1.0 / 30.0);
	double depth = 0.0;
	for (int i = 0; i < 50; ++i)
	{
		tncSteps(&dam.run, 30, 1.0 / 30.0);
		depth += tncGetUpstream(&dam) / 50.0;
	}
	double speed = TNC_DAM_INFLOW / depth;
	double head = depth - TNC_DAM_CREST + speed * speed / (2.0 * TNC_GRAVITY);
	double exact = 1.5 * cbrt(TNC_DAM_INFLOW * TNC_DAM_INFLOW / TNC_GRAVITY);
	tncJudgeBody(
		context, TNC_DAM_CELLS, fabs(head / exact - 1.0), 0.4, 0.15, "c %s dx 0.5: overflow head: error", label);
	tncJudgeGates(&dam.run, label);
	tncEndDam(&dam);
}

// e. Boxes that only their weight holds.
static void tncJudgeSliding(tncContext* context, double density, bool holds)
{
	tncDam dam;
	if (tncStartDam(context, 0.0, density, &dam))
	{
		for (int i = 0; i < dam.boxCount; ++i)
		{
			tncRigid* box = dam.boxes + i;
			box->isDriven = false;
			box->ground = 0.0;
			box->groundFriction = 0.6;
			for (int axis = 0; axis < 3; ++axis)
			{
				box->lockTurn[axis] = true;
			}
			box->lockMove[2] = true;
		}
		double start = dam.boxes[0].position.x;
		double force = 0.0;
		double moved = 0.0;
		for (int step = 0; step < 600 && dam.run.failed == false; ++step)
		{
			tncStepRigids(&dam.run, dam.boxes, dam.boxCount, 1.0 / 60.0);
			double sum = 0.0;
			for (int i = 0; i < dam.boxCount; ++i)
			{
				sum += dam.boxes[i].force.x / (dam.boxCount * TNC_DAM_WIDTH);
				moved = fmax(moved, fabs(dam.boxes[i].position.x - start));
			}
			force += sum / 600.0;
		}
		if (holds)
		{
			double exact = 0.5 * TNC_DENSITY * TNC_GRAVITY * TNC_DAM_LEVEL * TNC_DAM_LEVEL;
			tncJudgeBody(context, TNC_DAM_CELLS, fabs(force / exact - 1.0), 0.05, 0.01,
				"e s %g: push of the water: error", density);
			tncRequire(context, moved, 0.0, 0.01, "e s %g: farthest a box slid (m)", density);
		}
		else
		{
			tncRequire(context, moved, 0.1, INFINITY, "e s %g: farthest a box slid (m)", density);
		}
		tncJudgeGates(&dam.run, holds ? "heavy boxes" : "light boxes");
	}
	tncEndDam(&dam);
}

void tncRunBoxDam(tncContext* context)
{
	tncJudgeLeak(context, 0.0, "aligned");
	tncJudgeLeak(context, 0.25, "shifted");
	tncJudgeOverflow(context, 0.0, "aligned");
	tncJudgeOverflow(context, 0.25, "shifted");
	tncJudgeSliding(context, 2.5, true);
	// 0.6 of its weight is 3532 N/m, less than the 4905 N/m of the water.
	tncJudgeSliding(context, 0.2, false);
}
