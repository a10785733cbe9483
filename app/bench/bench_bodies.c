// SPDX-License-Identifier: MIT

// 200 bodies over 2 % of the cells, and thousands of small ones, at rest and on the move, and the same water without them. The three worlds are timed
// in turns, so that what else the machine does is shared: the ratios are what this is for.

#include "bench/bench_bodies.h"

#include "bench/bench_worlds.h"
#include "commands/methods.h"
#include "commands/options.h"
#include "system/platform.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// The three worlds of a line.
enum
{
	noBodies = 0,
	restingBodies,
	movingBodies,
	turnCount,
};

static const BenchKind s_kinds[turnCount] = {benchNoBodies, benchRestingBodies, benchBodies};

typedef struct Turn
{
	const BenchEntry* entry;
	tnWorld* world;
	double best; // s, of a step
	double rtkc;
	uint64_t hash;
} Turn;

// Some steps of a world. Returns how long one of them took, in seconds.
static tnResult TimeTurn(Turn* turn, int stepCount, double* seconds)
{
	BenchSteps steps = {0};
	tnResult result = {.status = tn_ok};
	const double begin = GetSeconds();
	for (int i = 0; i < stepCount && result.status == tn_ok; ++i)
	{
		result = StepBenchWorld(turn->entry, turn->world, &steps);
	}
	const double time = GetSeconds() - begin;
	*seconds = time / stepCount;
	if (*seconds < turn->best)
	{
		const double cells = (double)turn->entry->columnCount * (double)turn->entry->rowCount;
		turn->best = *seconds;
		turn->rtkc = cells * steps.waterSeconds / time / 1000.0;
	}
	return result;
}

static tnResult TimeTurns(const BenchRun* config, Turn turns[turnCount])
{
	tnResult result = {.status = tn_ok};
	double seconds[turnCount] = {0.0};
	for (int k = 0; k < turnCount && result.status == tn_ok; ++k)
	{
		result = CreateBenchWorld(turns[k].entry, config->workerCount, &turns[k].world);
		result = result.status == tn_ok ? TimeTurn(turns + k, BENCH_HASH_STEPS, seconds + k) : result;
		// These steps have brought in the pages and the caches.
		turns[k].best = INFINITY;
		turns[k].hash = result.status == tn_ok ? tnWorld_GetHash(turns[k].world) : 0;
	}
	for (int i = 0; i < config->runCount && result.status == tn_ok && !WasInterrupted(); ++i)
	{
		for (int k = 0; k < turnCount && result.status == tn_ok; ++k)
		{
			const int stepCount = (int)fmax(1.0, fmin(1.0e6, ceil(config->seconds / seconds[k])));
			result = TimeTurn(turns + k, stepCount, seconds + k);
		}
	}
	for (int k = 0; k < turnCount; ++k)
	{
		tnDestroyWorld(turns[k].world);
	}
	return result;
}

// The entry of another kind with the same water.
static const BenchEntry* FindSister(const BenchEntry* entry, BenchKind kind)
{
	for (int i = 0; i < GetBenchEntryCount(); ++i)
	{
		const BenchEntry* other = GetBenchEntry(i);
		if (other->kind == kind && other->method == entry->method && other->advection == entry->advection &&
			other->subSteps == entry->subSteps && other->isGame == entry->isGame &&
			other->smallBodyCount == entry->smallBodyCount)
		{
			return other;
		}
	}
	return NULL;
}

static void PrintTurns(const BenchRun* config, const Turn turns[turnCount])
{
	const Turn* none = turns + noBodies;
	const Turn* rest = turns + restingBodies;
	const Turn* moving = turns + movingBodies;
	const double perBody = 1.0e6 / GetBenchBodyCount(moving->entry); // us of the clock for a body
	printf(config->csv ? "%s,%s,%d,%d,%.4f,%.4f,%.3f,%.2f,%.4f,%.3f,%.2f,%.0f,%016" PRIx64 "\n"
					   : "%-24s %-12s %7d %9d %10.3f %8.3f %6.2f %8.2f %10.3f %6.2f %8.2f %8.0f  %016" PRIx64 "\n",
		moving->entry->name, g_methodNames[FindMethodName(moving->entry->method, moving->entry->advection)],
		config->workerCount, moving->entry->subSteps, 1000.0 * none->best, 1000.0 * rest->best, rest->best / none->best,
		perBody * (rest->best - none->best), 1000.0 * moving->best, moving->best / none->best,
		perBody * (moving->best - none->best), moving->rtkc, moving->hash);
	fflush(stdout);
}

int RunBodyBench(const BenchRun* config)
{
	puts(config->csv ? "name,method,workers,sub_steps,ms_without,ms_rest,to_without,us_per_body,ms_moving,to_without,"
					   "us_per_body,rtkc,hash"
					 : "name                     method       workers sub_steps ms_without  ms_rest  ratio  us/body  "
					   "ms_moving  ratio  us/body     rtkc  hash");
	for (int i = 0; i < GetBenchEntryCount() && !WasInterrupted(); ++i)
	{
		const BenchEntry* entry = GetBenchEntry(i);
		if (entry->kind != benchBodies)
		{
			continue;
		}
		Turn turns[turnCount];
		memset(turns, 0, sizeof(turns));
		for (int k = 0; k < turnCount; ++k)
		{
			turns[k].entry = FindSister(entry, s_kinds[k]);
		}
		const tnResult result = TimeTurns(config, turns);
		if (result.status != tn_ok)
		{
			fprintf(stderr, "tarn bench: %s: %s\n", entry->name, result.text);
			return exitWorld;
		}
		if (!WasInterrupted())
		{
			PrintTurns(config, turns);
		}
	}
	return exitOk;
}
