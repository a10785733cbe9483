// SPDX-License-Identifier: MIT

// Runs: stepping with the property gates that hold for every case and every method.

#include "kits/case_kit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Steps between probes of all depths: a probe costs about as much as a step.
#define TNC_PROBE_INTERVAL 16

// Volume drift of a run relative to all the water that was ever booked: realistic and ambitious limit of case F11.
#define TNC_DRIFT_REALISTIC 1.0e-5
#define TNC_DRIFT_AMBITIOUS 1.0e-6

bool tncStartRun(tncContext* context, const tncScene* scene, int twinTurn, tncRun* run)
{
	*run = (tncRun){0};
	run->context = context;
	run->twinTurn = twinTurn;
	run->columnCount = scene->def.columnCount;
	run->rowCount = scene->def.rowCount;
	run->cellSize = (double)scene->def.cellSize;
	run->minDepth = INFINITY;
	run->maxDepth = -INFINITY;
	run->maxSurface = -INFINITY;

	size_t count = (size_t)run->columnCount * (size_t)run->rowCount;
	run->speedX = calloc(count, sizeof(float));
	run->speedZ = calloc(count, sizeof(float));
	run->turned = calloc(count, sizeof(float));
	run->world = tncOpenScene(context, scene);
	bool good = run->speedX != NULL && run->speedZ != NULL && run->turned != NULL && run->world != NULL;
	if (good && twinTurn != TNC_NO_TWIN)
	{
		tncScene turned = tncTurnScene(context, scene, twinTurn);
		run->twin = tncOpenScene(context, &turned);
		tncFreeScene(&turned);
		good = run->twin != NULL;
	}

	if (good == false)
	{
		tncEndRun(run);
		run->failed = true;
		return false;
	}
	run->startVolume = tncGetVolume(run->world);
	return true;
}

void tncEndRun(tncRun* run)
{
	tnDestroyWorld(run->world);
	tnDestroyWorld(run->twin);
	free(run->speedX);
	free(run->speedZ);
	free(run->turned);
	run->world = NULL;
	run->twin = NULL;
	run->speedX = NULL;
	run->speedZ = NULL;
	run->turned = NULL;
}

static void tncProbe(tncRun* run)
{
	tnFieldView depth = tnWorld_GetDepth(run->world);
	tnFieldView bed = tnWorld_GetBed(run->world);
	for (int row = 0; row < run->rowCount; ++row)
	{
		for (int column = 0; column < run->columnCount; ++column)
		{
			float h = depth.data[row * depth.stride + column];
			if (isfinite(h) == false)
			{
				run->badCount += 1;
				continue;
			}
			run->minDepth = h < run->minDepth ? h : run->minDepth;
			run->maxDepth = h > run->maxDepth ? h : run->maxDepth;
			double surface = (double)h + (double)bed.data[row * bed.stride + column];
			run->maxSurface = h > TN_WET_DEPTH && surface > run->maxSurface ? surface : run->maxSurface;
		}
	}
}

void tncSteps(tncRun* run, int64_t stepCount, double timeStep)
{
	for (int64_t i = 0; i < stepCount && run->failed == false; ++i)
	{
		tnResult result = tnWorld_Step(run->world, (float)timeStep);
		if (result.status == tn_ok && run->twin != NULL)
		{
			result = tnWorld_Step(run->twin, (float)timeStep);
		}
		if (result.status != tn_ok)
		{
			run->failed = true;
			tncRequire(run->context, NAN, 0.0, 0.0, "step refused");
		}
		run->stepCount += 1;
		if (run->stepCount % TNC_PROBE_INTERVAL == 0 || (stepCount > 1 && i == stepCount - 1))
		{
			tncProbe(run);
		}
	}
}

void tncAdvance(tncRun* run, double seconds, double timeStep)
{
	// The float32 time step may not be rounded up past the limit that the caller has in mind.
	int64_t stepCount = (int64_t)ceil(seconds / timeStep - 1.0e-6);
	tncSteps(run, stepCount, seconds / (double)stepCount);
}

void tncRun_SetAcceleration(tncRun* run, double x, double z)
{
	bool flipColumns = (run->twinTurn & tnc_flipColumns) != 0;
	bool flipRows = (run->twinTurn & tnc_flipRows) != 0;
	tnVec2 acceleration = {(float)x, (float)z};
	tnResult result = tnWorld_SetAcceleration(run->world, acceleration);
	if (result.status == tn_ok && run->twin != NULL)
	{
		tnVec2 flipped = {flipColumns ? -acceleration.x : acceleration.x, flipRows ? -acceleration.z : acceleration.z};
		tnVec2 swapped = {flipped.z, flipped.x};
		result = tnWorld_SetAcceleration(run->twin, (run->twinTurn & tnc_transpose) != 0 ? swapped : flipped);
	}
	run->failed = run->failed || result.status != tn_ok;
}

void tncRun_SetRain(tncRun* run, double rate)
{
	tnResult result = tnWorld_SetRain(run->world, (float)rate, NULL);
	if (result.status == tn_ok && run->twin != NULL)
	{
		result = tnWorld_SetRain(run->twin, (float)rate, NULL);
	}
	run->failed = run->failed || result.status != tn_ok;
}

void tncRun_SetEdgeCurve(tncRun* run, tnSide side, const tnCurvePoint* points, int count)
{
	tnResult result = tnWorld_SetEdgeCurve(run->world, side, points, count);
	if (result.status == tn_ok && run->twin != NULL)
	{
		result = tnWorld_SetEdgeCurve(run->twin, tncTurnSide(side, run->twinTurn), points, count);
	}
	run->failed = run->failed || result.status != tn_ok;
	tncRequire(run->context, result.status != tn_ok ? 1.0 : 0.0, 0.0, 0.0, "curves that were refused");
}

tncSourcePair tncRun_CreateSource(tncRun* run, const tnSourceDef* def)
{
	tncSourcePair pair = {0};
	tnResult result = tnWorld_CreateSource(run->world, def, &pair.own);
	if (result.status == tn_ok && run->twin != NULL)
	{
		tnWorldDef worldDef = tnWorld_GetDef(run->world);
		tnSourceDef turned = tncTurnSource(def, &worldDef, run->twinTurn);
		result = tnWorld_CreateSource(run->twin, &turned, &pair.other);
	}
	run->failed = run->failed || result.status != tn_ok;
	return pair;
}

void tncRun_DestroySource(tncRun* run, tncSourcePair pair)
{
	tnResult result = tnWorld_DestroySource(run->world, pair.own);
	if (result.status == tn_ok && run->twin != NULL)
	{
		result = tnWorld_DestroySource(run->twin, pair.other);
	}
	run->failed = run->failed || result.status != tn_ok;
}

static void tncJudgeTwin(tncRun* run, const char* label)
{
	tncRequire(
		run->context, (double)tncCountTwinDefects(run), 0.0, 0.0, "%s: cells that differ from the turned run", label);
}

void tncDropTwin(tncRun* run, const char* label)
{
	tncJudgeTwin(run, label);
	tnDestroyWorld(run->twin);
	run->twin = NULL;
}

double tncGetVolume(const tnWorld* world)
{
	tnFieldView depth = tnWorld_GetDepth(world);
	double cellSize = (double)tnWorld_GetDef(world).cellSize;
	double sum = 0.0;
	for (int row = 0; row < depth.rowCount; ++row)
	{
		for (int column = 0; column < depth.columnCount; ++column)
		{
			sum += (double)depth.data[row * depth.stride + column];
		}
	}
	return sum * cellSize * cellSize;
}

double tncGetMaxSpeed(tncRun* run)
{
	tnResult result = tnWorld_CopyVelocities(run->world, run->speedX, run->speedZ);
	if (result.status != tn_ok)
	{
		return NAN;
	}
	double fastest = 0.0;
	for (int i = 0; i < run->columnCount * run->rowCount; ++i)
	{
		double speed = hypot((double)run->speedX[i], (double)run->speedZ[i]);
		// Written so that a NaN is kept.
		fastest = speed <= fastest ? fastest : speed;
	}
	return fastest;
}

int64_t tncCountTwinDefects(tncRun* run)
{
	tnFieldView own = tnWorld_GetDepth(run->world);
	tnFieldView other = tnWorld_GetDepth(run->twin);
	for (int row = 0; row < run->rowCount; ++row)
	{
		memcpy(run->speedX + row * run->columnCount, own.data + row * own.stride,
			(size_t)run->columnCount * sizeof(float));
	}
	tncTurnField(run->speedX, run->columnCount, run->rowCount, run->twinTurn, run->turned);

	int64_t count = 0;
	for (int row = 0; row < other.rowCount; ++row)
	{
		for (int column = 0; column < other.columnCount; ++column)
		{
			const float* a = run->turned + row * other.columnCount + column;
			const float* b = other.data + row * other.stride + column;
			count += memcmp(a, b, sizeof(float)) != 0 ? 1 : 0;
		}
	}
	return count;
}

double tncGetRowSpread(const tncRun* run)
{
	tnFieldView depth = tnWorld_GetDepth(run->world);
	double spread = 0.0;
	for (int row = 1; row < run->rowCount; ++row)
	{
		for (int column = 0; column < run->columnCount; ++column)
		{
			double difference = fabs((double)depth.data[row * depth.stride + column] - (double)depth.data[column]);
			spread = difference <= spread ? spread : difference;
		}
	}
	return spread;
}

void tncJudgeGates(tncRun* run, const char* label)
{
	tncContext* context = run->context;
	tncProbe(run);
	tncRequire(context, (double)run->badCount, 0.0, 0.0, "%s: depths that are not finite", label);
	tncRequire(context, run->minDepth, 0.0, INFINITY, "%s: smallest depth (m)", label);

	tnLedger ledger = tnWorld_GetLedger(run->world);
	double entries[] = {ledger.sources, ledger.drains, ledger.wells, ledger.rain, ledger.evaporation,
		ledger.infiltration, ledger.edges[tn_west], ledger.edges[tn_east], ledger.edges[tn_north],
		ledger.edges[tn_south], ledger.edits};
	double booked = 0.0;
	double turnover = 0.0;
	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); ++i)
	{
		booked += entries[i];
		turnover += fabs(entries[i]);
	}
	double drift = fabs(tncGetVolume(run->world) - booked) / turnover;
	tncRequire(context, drift, 0.0, TNC_DRIFT_REALISTIC, "%s: volume drift", label);
	if (context->method->grade == tnc_ambitiousGrade)
	{
		tncRequire(context, drift, 0.0, TNC_DRIFT_AMBITIOUS, "%s: volume drift (A)", label);
	}
	else
	{
		tncHope(context, drift, 0.0, TNC_DRIFT_AMBITIOUS, "%s: volume drift (A)", label);
	}
	if (run->twin != NULL)
	{
		tncJudgeTwin(run, label);
	}
}

const float* tncGetDepthRow(const tncRun* run, int row)
{
	tnFieldView depth = tnWorld_GetDepth(run->world);
	return depth.data + row * depth.stride;
}

double tncMeasureL1(const double* values, const double* reference, int count)
{
	double difference = 0.0;
	double sum = 0.0;
	for (int i = 0; i < count; ++i)
	{
		difference += fabs(values[i] - reference[i]);
		sum += fabs(reference[i]);
	}
	return difference / sum;
}

double tncGetTimeStep(double cellSize, double depth, double courant)
{
	return courant * cellSize / sqrt(TNC_GRAVITY * depth);
}
