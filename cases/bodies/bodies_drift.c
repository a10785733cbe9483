// SPDX-License-Identifier: MIT

// Bodies and currents: B04 drift, B05 momentum and energy.

#include "kits/rigid_kit.h"

#include <math.h>
#include <stdlib.h>

// Of bodies that block, and of bodies in floating mode, which are meant to be about as large as a cell, m.
#define TNC_DRIFT_CELL 0.5
#define TNC_DRIFT_COARSE_CELL 3.0
#define TNC_DRIFT_DEPTH 4.0
#define TNC_DRIFT_STEP (1.0 / 60.0)

// The box of both cases: 4 x 8 cells.
#define TNC_DRIFT_BEAM 4.0
#define TNC_DRIFT_LENGTH 2.0
#define TNC_DRIFT_HEIGHT 1.0

// Cells along its length, which lies along the flow.
#define TNC_DRIFT_CELLS 4

// A box that floats in a channel without ends, at rest in a water that is level.
typedef struct tncDrifter
{
	tncScene scene;
	tncRun run;
	tncRigid rigid;
	tnShapeDef shape;
} tncDrifter;

static tncBlock tncGetDrifterBlock(const tncVec3* p)
{
	return (tncBlock){{p->x - 0.5 * TNC_DRIFT_LENGTH, p->y - 0.5 * TNC_DRIFT_HEIGHT, p->z - 0.5 * TNC_DRIFT_BEAM},
		{p->x + 0.5 * TNC_DRIFT_LENGTH, p->y + 0.5 * TNC_DRIFT_HEIGHT, p->z + 0.5 * TNC_DRIFT_BEAM}};
}

// How a box is put into the water.
typedef struct tncDriftStart
{
	tnBodyMode mode;
	int rowCount; // of small cells
	double density;
	// Speed of the water, m/s, and height above where the box floats, m.
	double current, raised;
} tncDriftStart;

static bool tncStartDrifter(tncContext* context, const tncDriftStart* start, tncDrifter* drifter)
{
	// About the 32 m of the tanks of all these cases, an odd number of coarse cells. In 192 m the water has 70 000 times the
	// momentum of the body, of which floats keep less than B04 asks for.
	const bool isCoarse = start->mode == tn_floatingBody;
	const double cellSize = isCoarse ? TNC_DRIFT_COARSE_CELL : TNC_DRIFT_CELL;
	const int columnCount = isCoarse ? 11 : 64;
	const int coarseRows = ((int)(start->rowCount * TNC_DRIFT_CELL / TNC_DRIFT_COARSE_CELL) + 2) | 1;
	const int rowCount = isCoarse ? coarseRows : start->rowCount;
	tncScene* scene = &drifter->scene;
	*scene = tncMakeScene(context, columnCount, rowCount, cellSize, TNC_DRIFT_DEPTH, 0);
	scene->def.edges[tn_west].kind = tn_wrapEdge;
	scene->def.edges[tn_east].kind = tn_wrapEdge;
	scene->useVelocity = true;
	for (int i = 0; i < columnCount * rowCount && scene->velocityX != NULL; ++i)
	{
		scene->velocityX[i] = (float)start->current;
	}
	tncFill(scene, TNC_DRIFT_DEPTH);

	drifter->shape = tncMakeBox(TNC_DRIFT_LENGTH, TNC_DRIFT_HEIGHT, TNC_DRIFT_BEAM);
	double y = TNC_DRIFT_DEPTH + (0.5 - start->density) * TNC_DRIFT_HEIGHT + start->raised;
	// Off the lines of the grid.
	drifter->rigid = tncMakeRigid(&drifter->shape, start->density, 10.1, y, 0.5 * rowCount * cellSize + 0.05);
	for (int axis = 0; axis < 3; ++axis)
	{
		drifter->rigid.lockTurn[axis] = true;
	}
	tncBlock block = tncGetDrifterBlock(&drifter->rigid.position);
	tncCarve(scene, &block, TNC_DRIFT_DEPTH);
	return tncStartRun(context, scene, TNC_NO_TWIN, &drifter->run);
}

static void tncEndDrifter(tncDrifter* drifter)
{
	tncEndRun(&drifter->run);
	tncFreeScene(&drifter->scene);
}

// ---------------------------------------------------------------------------------------------------------------------
// B04

// A quarter of the density of water: the box then weighs 1/2000 of the water, which it slows down by that share.
#define TNC_DRIFT_DENSITY 0.25

// Speed of the water under the box and as far before and behind it, in a strip as wide as the box, m/s.
static double tncGetSpeedAround(const tncDrifter* drifter)
{
	enum
	{
		samples = 9
	};
	const double width = drifter->run.columnCount * drifter->run.cellSize;
	double sum = 0.0;
	for (int i = 0; i < samples * samples; ++i)
	{
		const double along = (i % samples + 0.5) / samples - 0.5;
		const double across = ((double)(i / samples) + 0.5) / samples - 0.5;
		const double x = drifter->rigid.position.x + along * 3.0 * TNC_DRIFT_LENGTH;
		const double z = drifter->rigid.position.z + across * TNC_DRIFT_BEAM;
		const tnVec2 place = {(float)(x - floor(x / width) * width), (float)z};
		sum += (double)tnWorld_Sample(drifter->run.world, place).velocity.x / (samples * samples);
	}
	return sum;
}

static void tncJudgeDrift(tncContext* context, tnBodyMode mode, const char* label)
{
	tncDrifter drifter;
	if (tncStartDrifter(context, &(tncDriftStart){mode, 64, TNC_DRIFT_DENSITY, 1.0, 0.0}, &drifter) &&
		tncAddRigid(&drifter.run, &drifter.rigid, &drifter.shape, mode, 0.0))
	{
		tncPanel* panel = tncAddPanel(context, "time (s)", "speed over the current's", "%s: drift", label);
		tncSeries* exact = tncPanel_AddSeries(panel, tnc_referenceRole, tnc_levelMark, "current");
		tncSeries* result = tncPanel_AddSeries(panel, tnc_resultRole, tnc_lineMark, "computed");
		tncSeries_AddPoint(exact, 0.0, 1.0);
		double relaxation = INFINITY;
		double time = 0.0;
		double fastest = 0.0;
		double worstDrop = 0.0;
		double startZ = drifter.rigid.position.z;
		double startMomentum = tncGetWaterMomentum(&drifter.run);
		double worstMomentum = 0.0;
		// 20 relaxation times, but at most two minutes: longer than any body of this size needs.
		while (time < fmin(20.0 * relaxation, 120.0) && drifter.run.failed == false)
		{
			tncStepRigids(&drifter.run, &drifter.rigid, 1, TNC_DRIFT_STEP);
			time += TNC_DRIFT_STEP;
			double speed = drifter.rigid.velocity.x;
			relaxation = isinf(relaxation) && speed >= 1.0 - exp(-1.0) ? time : relaxation;
			worstDrop = fmax(worstDrop, fastest - speed);
			fastest = fmax(fastest, speed);
			double momentum = tncGetWaterMomentum(&drifter.run) + drifter.rigid.mass * speed;
			worstMomentum = fmax(worstMomentum, fabs(momentum - startMomentum));
			tncSeries_AddPoint(result, time, speed);
		}
		tncTell(context, relaxation, "%s: relaxation time (s)", label);
		tncTell(context, time, "%s: time (s)", label);
		tncJudgeBody(
			context, TNC_DRIFT_CELLS, fabs(drifter.rigid.velocity.x - 1.0), 0.01, 0.001, "%s: |u/u0 - 1|", label);
		tncJudge(context, true, fastest, 1.001, 1.001, "%s: fastest u/u0", label);
		tncJudge(context, true, worstDrop, 0.01, 0.01, "%s: largest loss of speed on the way (m/s)", label);
		tncJudgeBody(context, TNC_DRIFT_CELLS, worstMomentum / drifter.rigid.mass, 0.05, 0.001,
			"%s: total momentum: change / (body mass u0)", label);
		// Water that the box has slowed down goes along with it, if water carries its momentum along: nothing rubs.
		tncJudge(context, context->method->model == tnc_shallowModel,
			fabs(drifter.rigid.velocity.x / tncGetSpeedAround(&drifter) - 1.0), 0.01, 0.001,
			"%s: |u / that of the water around it - 1|", label);
		tncTell(context, drifter.rigid.position.z - startZ, "%s: drift across (m)", label);
		double mean = 0.0;
		for (int step = 0; step < 300; ++step)
		{
			tncStepRigids(&drifter.run, &drifter.rigid, 1, TNC_DRIFT_STEP);
			mean += drifter.rigid.velocity.x / 300.0;
		}
		tncTell(context, mean, "%s: u/u0: mean of the 5 s after that", label);
		tncJudgeGates(&drifter.run, label);
	}
	tncEndDrifter(&drifter);
}

// A moving body in a tank at rest comes to a stop and does not turn back.
static void tncJudgeStop(tncContext* context, tnBodyMode mode, const char* label)
{
	tncDrifter drifter;
	if (tncStartDrifter(context, &(tncDriftStart){mode, 64, TNC_DRIFT_DENSITY, 0.0, 0.0}, &drifter))
	{
		drifter.rigid.velocity.x = 1.0;
		double slowest = 1.0;
		if (tncAddRigid(&drifter.run, &drifter.rigid, &drifter.shape, mode, 0.0))
		{
			for (int step = 0; step < 3600 && drifter.run.failed == false; ++step)
			{
				tncStepRigids(&drifter.run, &drifter.rigid, 1, TNC_DRIFT_STEP);
				slowest = fmin(slowest, drifter.rigid.velocity.x);
			}
		}
		tncRequire(context, fabs(drifter.rigid.velocity.x), 0.0, 0.1, "%s: stopping: speed after 60 s (m/s)", label);
		tncRequire(context, slowest, -0.05, 1.0, "%s: stopping: slowest (m/s)", label);
		tncJudgeGates(&drifter.run, "stopping");
	}
	tncEndDrifter(&drifter);
}

void tncRunDrift(tncContext* context)
{
	tncJudgeDrift(context, tn_blockingBody, "blocking dx 0.5");
	tncJudgeDrift(context, tn_floatingBody, "floating dx 3");
	tncJudgeStop(context, tn_blockingBody, "blocking dx 0.5");
	tncJudgeStop(context, tn_floatingBody, "floating dx 3");
}

// ---------------------------------------------------------------------------------------------------------------------
// B05

#define TNC_PUSH 100.0
#define TNC_PUSH_ROWS 32

// Potential energy of the water against a level, with a box that floats in it: all but a constant, J.
static double tncGetPotentialEnergy(const tncRun* run, const tncBlock* block, double level)
{
	double sum = 0.0;
	double width = run->columnCount * run->cellSize;
	for (int row = 0; row < run->rowCount; ++row)
	{
		for (int column = 0; column < run->columnCount; ++column)
		{
			// The box may lie across the seam.
			double cover = 0.0;
			for (int turn = -1; turn <= 1; ++turn)
			{
				tncBlock shifted = *block;
				shifted.lower.x += turn * width;
				shifted.upper.x += turn * width;
				cover += tncGetCover(&shifted, run->cellSize, column, row);
			}
			double above = tncGetSurface(run->world, column, row) - level;
			double below = block->lower.y - level;
			sum += (1.0 - cover) * above * above + cover * below * below;
		}
	}
	return 0.5 * TNC_DENSITY * TNC_GRAVITY * sum * run->cellSize * run->cellSize;
}

static double tncSumFaceEnergy(const tncRun* run, const float* discharge, int faceColumns, int step)
{
	tnFieldView depth = tnWorld_GetDepth(run->world);
	double sum = 0.0;
	for (int row = 0; row < run->rowCount; ++row)
	{
		for (int column = 0; column < run->columnCount; ++column)
		{
			int left = step == 1 ? (column + run->columnCount - 1) % run->columnCount : column;
			int up = step == 1 ? row : row - 1;
			if (up < 0)
			{
				continue;
			}
			double h = (double)depth.data[row * depth.stride + column] + (double)depth.data[up * depth.stride + left];
			double q = (double)discharge[row * faceColumns + column];
			sum += h > 0.0 ? q * q / (0.5 * h) : 0.0;
		}
	}
	return sum;
}

static double tncGetWaterKineticEnergy(const tncRun* run)
{
	int columnCount = run->columnCount;
	float* x = calloc((size_t)(columnCount + 1) * (size_t)run->rowCount, sizeof(float));
	float* z = calloc((size_t)columnCount * (size_t)(run->rowCount + 1), sizeof(float));
	double sum = NAN;
	if (x != NULL && z != NULL && tnWorld_CopyDischarge(run->world, x, z).status == tn_ok)
	{
		sum = tncSumFaceEnergy(run, x, columnCount + 1, 1) + tncSumFaceEnergy(run, z, columnCount, columnCount);
	}
	free(x);
	free(z);
	return 0.5 * TNC_DENSITY * sum * run->cellSize * run->cellSize;
}

// Of body and water, against a box that floats at `rest` in still water, J: all but a constant.
static double tncGetTotalEnergy(const tncRun* run, const tncRigid* rigid, double rest, double level)
{
	tncBlock block = tncGetDrifterBlock(&rigid->position);
	return tncGetKineticEnergy(rigid) + rigid->mass * TNC_GRAVITY * (rigid->position.y - rest) +
		tncGetWaterKineticEnergy(run) + tncGetPotentialEnergy(run, &block, level);
}

typedef struct tncBalance
{
	double worstMomentum, startEnergy, mostEnergy, endEnergy, endSpeed;
	// How far the body came after the push, cells.
	double way;
} tncBalance;

// @param calmCount steps for which it floats before the push
static void tncFollowPush(tncDrifter* drifter, double level, int calmCount, tncBalance* balance)
{
	tncRun* run = &drifter->run;
	tncRigid* rigid = &drifter->rigid;
	const double rest = rigid->position.y;
	rigid->linearDamping = 2.0;
	for (int step = 0; step < calmCount; ++step)
	{
		tncStepRigids(run, rigid, 1, TNC_DRIFT_STEP);
	}
	rigid->linearDamping = 0.0;
	rigid->velocity.x += TNC_PUSH / rigid->mass;
	double startMomentum = tncGetWaterMomentum(run) + rigid->mass * rigid->velocity.x;
	double startX = rigid->position.x;
	// Before its first step a body has lifted nothing, and the surface says nothing: then it is what a level lake has.
	double bottom = rest - 0.5 * TNC_DRIFT_HEIGHT - level;
	double still = 0.5 * TNC_DENSITY * TNC_GRAVITY * TNC_DRIFT_LENGTH * TNC_DRIFT_BEAM * bottom * bottom;
	balance->startEnergy =
		calmCount > 0 ? tncGetTotalEnergy(run, rigid, rest, level) : tncGetKineticEnergy(rigid) + still;
	balance->mostEnergy = -INFINITY;
	tncPanel* panel = tncAddPanel(run->context, "time (s)", "momentum (N s)", "pushed box");
	tncSeries* body = tncPanel_AddSeries(panel, tnc_variantRole, tnc_lineMark, "body");
	tncSeries* whole = tncPanel_AddSeries(panel, tnc_resultRole, tnc_lineMark, "body and water");
	for (int step = 0; step < 1800 && run->failed == false; ++step)
	{
		// Where the step took the body the water has made room.
		tncStepRigids(run, rigid, 1, TNC_DRIFT_STEP);
		double momentum = tncGetWaterMomentum(run) + rigid->mass * rigid->velocity.x;
		double error = fabs(momentum - startMomentum) / TNC_PUSH;
		balance->worstMomentum = error <= balance->worstMomentum ? balance->worstMomentum : error;
		double energy = tncGetTotalEnergy(run, rigid, rest, level);
		balance->endEnergy = energy;
		balance->mostEnergy = energy <= balance->mostEnergy ? balance->mostEnergy : energy;
		tncSeries_AddPoint(body, (step + 1) * TNC_DRIFT_STEP, rigid->mass * rigid->velocity.x);
		tncSeries_AddPoint(whole, (step + 1) * TNC_DRIFT_STEP, momentum);
	}
	balance->endSpeed = rigid->velocity.x;
	balance->way = (rigid->position.x - startX) / run->cellSize;
}

// @param isSmooth without drag, which would stop the box before it crosses a line of the grid
static void tncJudgePush(tncContext* context, tnBodyMode mode, bool isSmooth, const char* label)
{
	tncDrifter drifter;
	if (tncStartDrifter(context, &(tncDriftStart){mode, TNC_PUSH_ROWS, 0.5, 0.0, 0.0}, &drifter))
	{
		drifter.rigid.isSmooth = isSmooth;
		if (tncAddRigid(&drifter.run, &drifter.rigid, &drifter.shape, mode, 0.0))
		{
			tncBalance balance = {0};
			tncFollowPush(&drifter, TNC_DRIFT_DEPTH, 300, &balance);
			double input = 0.5 * TNC_PUSH * TNC_PUSH / drifter.rigid.mass;
			tncJudgeBody(
				context, TNC_DRIFT_CELLS, balance.worstMomentum, 0.05, 0.001, "%s: momentum: worst error", label);
			double gain = (balance.mostEnergy - balance.startEnergy) / input;
			// A floating body lets the water through where it is: what is below it has no surface of its own.
			if (isSmooth)
			{
				// Hoped for: in the first six steps after the push it rises by 1.3 to 1.5 %, while the water takes up its
				// share, and in the first minute it comes down to less than there was.
				tncHope(context, gain, -INFINITY, 0.01, "%s: energy gained / input", label);
				tncRequire(context, (balance.endEnergy - balance.startEnergy) / input, -INFINITY, 0.01,
					"%s: energy gained for good / input", label);
			}
			else if (mode == tn_blockingBody)
			{
				tncJudgeBody(context, TNC_DRIFT_CELLS, gain, 0.01, 0.001, "%s: energy gained / input", label);
			}
			else
			{
				tncTell(context, gain, "%s: energy gained / input", label);
			}
			tncTell(context, (balance.endEnergy - balance.startEnergy) / input, "%s: energy change / input", label);
			tncTell(context, balance.endSpeed * drifter.rigid.mass / TNC_PUSH, "%s: momentum left in the body", label);
			tncTell(context, balance.way, "%s: way after the push (cells)", label);
			tncJudgeGates(&drifter.run, label);
		}
	}
	tncEndDrifter(&drifter);
}

// The same without the five seconds in which the water closes around a body that has just appeared.
static void tncJudgePushAsItAppears(tncContext* context)
{
	tncDrifter drifter;
	if (tncStartDrifter(context, &(tncDriftStart){tn_blockingBody, TNC_PUSH_ROWS, 0.5, 0.0, 0.0}, &drifter) &&
		tncAddRigid(&drifter.run, &drifter.rigid, &drifter.shape, tn_blockingBody, 0.0))
	{
		tncBalance balance = {0};
		tncFollowPush(&drifter, TNC_DRIFT_DEPTH, 0, &balance);
		double input = 0.5 * TNC_PUSH * TNC_PUSH / drifter.rigid.mass;
		double gain = (balance.mostEnergy - balance.startEnergy) / input;
		tncRequire(context, balance.worstMomentum, 0.0, 0.05, "pushed as it appears dx 0.5: momentum: worst error");
		tncRequire(context, gain, -INFINITY, 0.01, "pushed as it appears dx 0.5: energy gained / input");
	}
	tncEndDrifter(&drifter);
}

// Dropped from half a meter. What the water feels is the head that stands over the bed without water in it, and the
// drag: their impulse is the one that caught the body.
static void tncJudgeDrop(tncContext* context, tnBodyMode mode, const char* label)
{
	tncDrifter drifter;
	if (tncStartDrifter(context, &(tncDriftStart){mode, TNC_PUSH_ROWS, 0.5, 0.0, 1.0}, &drifter) &&
		tncAddRigid(&drifter.run, &drifter.rigid, &drifter.shape, mode, 0.0))
	{
		tncRun* run = &drifter.run;
		tncRigid* rigid = &drifter.rigid;
		double water = 0.0;
		double seconds = 0.0;
		double fastest = 0.0;
		double energy = rigid->mass * TNC_GRAVITY * rigid->position.y;
		for (int step = 0; step < 1800 && run->failed == false; ++step)
		{
			tncStepRigids(run, rigid, 1, TNC_DRIFT_STEP);
			double lifted = tncMeasureLevel(run->world, NULL, 0, 0.0).mean * run->columnCount * run->rowCount *
				run->cellSize * run->cellSize;
			tnBodyState state = {0};
			run->failed = run->failed || tnWorld_GetBodyState(run->world, rigid->id, &state).status != tn_ok;
			double displaced = lifted - tncGetVolume(run->world);
			water += (TNC_DENSITY * TNC_GRAVITY * displaced + (double)state.drag.y) * TNC_DRIFT_STEP;
			seconds += TNC_DRIFT_STEP;
			fastest = fmin(fastest, rigid->velocity.y);
		}
		double impulse = rigid->mass * (rigid->velocity.y + TNC_GRAVITY * seconds);
		tncJudgeBody(
			context, TNC_DRIFT_CELLS, fabs(water / impulse - 1.0), 0.05, 0.001, "%s: drop: impulse: error", label);
		tncTell(context, rigid->velocity.y, "%s: drop: speed after 30 s (m/s)", label);
		tncRequire(context, fastest, -3.2, -1.0, "%s: drop: speed at the water (m/s)", label);
		tncTell(context, rigid->mass * TNC_GRAVITY * rigid->position.y - energy, "%s: drop: energy lost (J)", label);
		tncJudgeGates(run, "drop");
	}
	tncEndDrifter(&drifter);
}

void tncRunMomentum(tncContext* context)
{
	tncJudgePush(context, tn_blockingBody, false, "blocking dx 0.5");
	tncJudgePush(context, tn_floatingBody, false, "floating dx 3");
	tncJudgePush(context, tn_blockingBody, true, "blocking without drag dx 0.5");
	tncJudgePushAsItAppears(context);
	tncJudgeDrop(context, tn_blockingBody, "blocking dx 0.5");
	tncJudgeDrop(context, tn_floatingBody, "floating dx 3");
}
