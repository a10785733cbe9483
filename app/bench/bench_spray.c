// SPDX-License-Identifier: MIT

// 50 000 particles: a cliff of 512 cells with a pool below it, and a lake under fountains. Each world beside the same one without
// the layer: the difference is what spray costs, flight, walls, landing, births and all.

#include "bench/bench_spray.h"

#include "commands/options.h"
#include "system/platform.h"
#include "tarn/tarn.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum
{
	columns = 512,
	rows = 512,
	fountainCount = 124,
	warmSteps = 480,
	turnSteps = 4, // births have their turns: timed steps are a multiple of this
};

static const float s_step = 1.0f / 60.0f;

typedef enum SprayKind
{
	sprayFalls = 0,
	sprayFountains,
} SprayKind;

typedef struct SprayEntry
{
	const char* name;
	SprayKind kind;
	tnMethod method;
} SprayEntry;

static const SprayEntry s_entries[] = {
	{"falls_pipe", sprayFalls, tn_pipeMethod},
	{"falls_shallow", sprayFalls, tn_shallowMethod},
	{"fountains_pipe", sprayFountains, tn_pipeMethod},
};

typedef struct SprayLine
{
	int particles;
	double bornPerStep, landedPerStep;
	double seconds, secondsWithout; // a step
	uint64_t hash;
} SprayLine;

static tnResult AddFountains(tnWorld* world)
{
	tnResult result = {.status = tn_ok};
	for (int i = 0; i < fountainCount && result.status == tn_ok; ++i)
	{
		tnJetDef jet = tnDefaultJetDef();
		jet.position = (tnVec3){20.0f + 30.0f * (float)(i % 16), 2.5f, 40.0f + 55.0f * (float)(i / 16)};
		jet.velocity = (tnVec3){3.0f, 8.0f, (float)(i % 5) - 2.0f};
		jet.rate = 0.2f;
		jet.spread = 0.1f;
		tnJetId id;
		result = tnWorld_CreateJet(world, &jet, &id);
	}
	return result;
}

static tnResult MakeWorld(const SprayEntry* entry, int workerCount, bool spray, tnWorld** world)
{
	static float bed[columns * rows];
	static float depth[columns * rows];
	const bool falls = entry->kind == sprayFalls;
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columns;
	def.rowCount = rows;
	def.method = entry->method;
	def.tasks.workerCount = workerCount;
	def.spray.enable = spray;
	def.spray.capacity = 1 << 17;
	def.enableSleep = false;
	if (falls)
	{
		// The river never ends, and leaves at the other end.
		def.edges[tn_west].kind = tn_levelEdge;
		def.edges[tn_west].level = 20.5f;
		def.edges[tn_east].kind = tn_openEdge;
	}
	for (int i = 0; i < columns * rows; ++i)
	{
		const bool isHigh = falls && i % columns < columns / 2;
		bed[i] = isHigh ? 20.0f - 0.002f * (float)(i % columns) : 0.0f;
		depth[i] = isHigh ? 0.5f : 2.0f;
	}
	tnResult result = tnCreateWorld(&def, world);
	result = result.status == tn_ok ? tnWorld_SetTerrain(*world, bed) : result;
	result = result.status == tn_ok ? tnWorld_SetDepths(*world, depth) : result;
	return result.status == tn_ok && spray && !falls ? AddFountains(*world) : result;
}

static tnResult StepMany(tnWorld* world, int count)
{
	tnResult result = {.status = tn_ok};
	for (int i = 0; i < count && result.status == tn_ok; ++i)
	{
		result = tnWorld_Step(world, s_step);
	}
	return result;
}

// In turns, so that what else the machine does is shared. The best of each counts.
static tnResult TimeBoth(const BenchRun* config, tnWorld* worlds[2], SprayLine* line)
{
	double best[2] = {INFINITY, INFINITY};
	int stepCount = turnSteps;
	tnResult result = {.status = tn_ok};
	const tnSprayStats before = tnWorld_GetSprayStats(worlds[0]);
	int64_t steps = 0;
	for (int run = 0; run < config->runCount && result.status == tn_ok && !WasInterrupted(); ++run)
	{
		double slowest = 0.0;
		for (int k = 0; k < 2 && result.status == tn_ok; ++k)
		{
			const double begin = GetSeconds();
			result = StepMany(worlds[k], stepCount);
			const double seconds = (GetSeconds() - begin) / stepCount;
			best[k] = fmin(best[k], seconds);
			slowest = fmax(slowest, seconds);
		}
		steps += stepCount;
		stepCount = turnSteps * (int)fmax(1.0, fmin(1.0e4, ceil(config->seconds / slowest / turnSteps)));
	}
	const tnSprayStats after = tnWorld_GetSprayStats(worlds[0]);
	line->seconds = best[0];
	line->secondsWithout = best[1];
	line->bornPerStep = (double)(after.bornCount - before.bornCount) / (double)steps;
	line->landedPerStep = (double)(after.landedCount - before.landedCount) / (double)steps;
	line->particles = after.particleCount;
	return result;
}

static tnResult TimeSpray(const SprayEntry* entry, const BenchRun* config, SprayLine* line)
{
	tnWorld* worlds[2] = {NULL, NULL};
	tnResult result = {.status = tn_ok};
	for (int k = 0; k < 2 && result.status == tn_ok; ++k)
	{
		result = MakeWorld(entry, config->workerCount, k == 0, worlds + k);
		result = result.status == tn_ok ? StepMany(worlds[k], warmSteps) : result;
	}
	if (result.status == tn_ok)
	{
		line->hash = tnWorld_GetHash(worlds[0]);
		result = TimeBoth(config, worlds, line);
	}
	tnDestroyWorld(worlds[0]);
	tnDestroyWorld(worlds[1]);
	return result;
}

int RunSprayBench(const BenchRun* config)
{
	puts(config->csv ? "name,workers,particles,born,landed,ms_per_step,ms_without,ms_of_spray,hash"
					 : "name             workers particles   born landed ms_per_step ms_without ms_of_spray  hash");
	for (size_t i = 0; i < sizeof(s_entries) / sizeof(s_entries[0]) && !WasInterrupted(); ++i)
	{
		SprayLine line = {0};
		const tnResult result = TimeSpray(s_entries + i, config, &line);
		if (result.status != tn_ok)
		{
			fprintf(stderr, "tarn bench: %s: %s\n", s_entries[i].name, result.text);
			return exitWorld;
		}
		printf(config->csv ? "%s,%d,%d,%.0f,%.0f,%.4f,%.4f,%.4f,%016" PRIx64 "\n"
						   : "%-16s %7d %9d %6.0f %6.0f %11.3f %10.3f %11.3f  %016" PRIx64 "\n",
			s_entries[i].name, config->workerCount, line.particles, line.bornPerStep, line.landedPerStep,
			1000.0 * line.seconds, 1000.0 * line.secondsWithout, 1000.0 * (line.seconds - line.secondsWithout),
			line.hash);
		fflush(stdout);
	}
	return exitOk;
}
