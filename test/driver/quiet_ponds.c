// SPDX-License-Identifier: MIT

// Ponds as deep as so many sub-steps can just follow, and a little less and more: where their number changes, or comes to its
// limit, energy must not grow (src/flow/sub_step_pace.c). Two hours of each: a gain of one part in a million of a step would
// show.

#include "quiet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
	columnCount = 24,
	rowCount = 17,
	cellCount = columnCount * rowCount,
	stepsPerMinute = 3600,
};

typedef struct Pond
{
	tnWorld* world;
	double depth, area; // of the water, and of a cell, m and m^2
	float alongX[cellCount], alongZ[cellCount];
} Pond;

static const struct
{
	const char* name;
	tnMethod method;
	tnAdvection advection;
	tnPipeSection section;
} s_methods[] = {
	{"pipe", tn_pipeMethod, tn_conservativeAdvection, tn_depthSection},
	{"pipe, mean sections", tn_pipeMethod, tn_conservativeAdvection, tn_meanSection},
	{"linear", tn_linearMethod, tn_conservativeAdvection, tn_depthSection},
	{"shallow", tn_shallowMethod, tn_conservativeAdvection, tn_depthSection},
	{"shallow, fine", tn_shallowMethod, tn_fineAdvection, tn_depthSection},
};

int QuietGetPondCount(int depthCount)
{
	return (int)(sizeof(s_methods) / sizeof(s_methods[0])) * 3 * 2 * 2 * depthCount;
}

// Water that is a little rough, of a depth that `limit` sub-steps of 1/60 s just follow, or of a share more.
static bool Start(Pond* pond, tnWorldDef* def, int limit, double share, uint64_t seed)
{
	def->columnCount = columnCount;
	def->rowCount = rowCount;
	def->cellSize = 0.25f;
	def->enableSleep = false;
	pond->area = (double)def->cellSize * def->cellSize;
	bool ok = tnCreateWorld(def, &pond->world).status == tn_ok;
	ok = ok && tnWorld_FillToLevel(pond->world, 1.0f).status == tn_ok;
	// Of a depth of one metre: it goes with the root of the depth.
	const double stable = ok ? (double)tnWorld_GetStats(pond->world).stableTimeStep : 0.0;
	const double root = 60.0 * stable * limit;
	pond->depth = root * root * (1.0 + share);
	ok = ok && pond->depth > 1.0 && tnWorld_FillToLevel(pond->world, (float)pond->depth).status == tn_ok;
	for (int i = 0; i < cellCount; ++i)
	{
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		pond->alongX[i] = 0.05f * ((float)(seed >> 40) / 16777216.0f - 0.5f);
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		pond->alongZ[i] = 0.05f * ((float)(seed >> 40) / 16777216.0f - 0.5f);
	}
	return ok && tnWorld_SetVelocities(pond->world, pond->alongX, pond->alongZ).status == tn_ok;
}

// Above that of the same water at rest, over its density. On level ground only what the surface is off its mean counts, which
// keeps all digits.
static double GetEnergy(Pond* pond, double gravity)
{
	const tnFieldView depth = tnWorld_GetDepth(pond->world);
	tnWorld_CopyVelocities(pond->world, pond->alongX, pond->alongZ);
	double mean = 0.0;
	for (int i = 0; i < cellCount; ++i)
	{
		mean += (double)depth.data[i / columnCount * depth.stride + i % columnCount] / cellCount;
	}
	double energy = 0.0;
	for (int i = 0; i < cellCount; ++i)
	{
		const double h = depth.data[i / columnCount * depth.stride + i % columnCount];
		const double u = pond->alongX[i], w = pond->alongZ[i];
		energy += 0.5 * pond->area * (h * (u * u + w * w) + gravity * (h - mean) * (h - mean));
	}
	return energy;
}

bool QuietRunPond(int number, int depthCount, double seconds, QuietReport* report)
{
	*report = (QuietReport){0};
	const int depth = number % depthCount, rest = number / depthCount;
	const bool alternates = rest % 2 == 1, capped = rest / 2 % 2 == 1;
	const int limit = 1 + rest / 4 % 3, method = rest / 12;
	tnWorldDef def = tnDefaultWorldDef();
	def.method = s_methods[method].method;
	def.advection = s_methods[method].advection;
	def.section = s_methods[method].section;
	def.maxSubSteps = capped ? limit : 16;
	// Up to 2 % to both sides: past them it is like everywhere.
	const double share = depthCount > 1 ? 0.04 * ((double)depth / (depthCount - 1) - 0.5) : 0.0;
	Pond* pond = calloc(1, sizeof(Pond));
	if (pond == NULL)
	{
		abort();
	}
	bool ok = Start(pond, &def, limit, share, (uint64_t)number);
	snprintf(report->world, sizeof(report->world), "pond of %.5f m, %s, at %d sub-steps, at most %d, 1/60%s s",
		pond->depth, s_methods[method].name, limit, def.maxSubSteps, alternates ? " and 1/61" : "");
	report->stepCount = (int64_t)(60.0 * seconds);
	double sum = 0.0;
	int subSteps = 0;
	for (int64_t step = 0; ok && step < report->stepCount; ++step)
	{
		ok = tnWorld_Step(pond->world, alternates && step % 2 != 0 ? 1.0f / 61.0f : 1.0f / 60.0f).status == tn_ok;
		const int now = tnWorld_GetStats(pond->world).subSteps;
		report->changeCount += step > 0 && now != subSteps ? 1 : 0;
		subSteps = now;
		if (step % 10 != 9)
		{
			continue;
		}
		sum += GetEnergy(pond, (double)def.gravity) * 10.0 / stepsPerMinute;
		if ((step + 1) % stepsPerMinute == 0)
		{
			report->firstEnergy = step < stepsPerMinute ? sum : report->firstEnergy;
			report->mostEnergy = step < stepsPerMinute ? 0.0 : fmax(report->mostEnergy, sum);
			sum = 0.0;
		}
	}
	const tnLedger ledger = tnWorld_GetLedger(pond->world);
	report->drift = ledger.drift / fmax(ledger.volume, 1.0e-9);
	// Rounding of depths may leave a hundredth of a millimeter everywhere.
	const double nothing = 0.5 * pond->area * cellCount * (double)def.gravity * 1.0e-10;
	if (!ok)
	{
		snprintf(report->text, sizeof(report->text), "a call was refused");
	}
	else if (!(report->mostEnergy <= 1.01 * report->firstEnergy + nothing))
	{
		snprintf(
			report->text, sizeof(report->text), "energy grows from %g to %g", report->firstEnergy, report->mostEnergy);
	}
	else if (!(fabs(report->drift) <= 1.0e-5))
	{
		snprintf(report->text, sizeof(report->text), "the ledger drifts by %g of the volume", report->drift);
	}
	tnDestroyWorld(pond->world);
	free(pond);
	return report->text[0] == 0;
}
