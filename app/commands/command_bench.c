// SPDX-License-Identifier: MIT

// `tarn bench`: time per step of worlds, methods and numbers of workers, as a table or as CSV.

#include "bench/bench_bodies.h"
#include "bench/bench_render.h"
#include "bench/bench_saving.h"
#include "bench/bench_spray.h"
#include "bench/bench_surface.h"
#include "bench/bench_voxels.h"
#include "bench/bench_waves.h"
#include "bench/bench_worlds.h"
#include "commands/methods.h"
#include "commands/options.h"
#include "system/platform.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char s_help[] =
	"tarn bench - how fast the water is on this machine\n"
	"\n"
	"Usage: tarn bench [NAME...] [OPTIONS]\n"
	"       tarn bench --render [--runs R] [--csv]\n"
	"       tarn bench --bodies | --waves | --voxels | --spray | --surface | --saving [--workers N]\n"
	"                  [--runs R] [--seconds S] [--csv]\n"
	"\n"
	"Times worlds of 1 m cells and prints one line for each. Without a NAME all of them run.\n"
	"\n"
	"  NAME             runs the entries whose names contain it: `pipe`; `=bodies_pipe` that one alone\n"
	"  --list           say which entries there are and run none\n"
	"  --workers N,M    threads; several numbers with commas between (default: one per processor)\n"
	"  --runs R         timed runs of each entry, the best counts (default 5)\n"
	"  --seconds S      length of a timed run on the clock (default 0.4)\n"
	"  --csv            comma-separated lines: name,method,columns,rows,workers,ms_per_step,mcells_per_s,rtkc,\n"
	"                   roofline,hash\n"
	"  --per-second-of-water\n"
	"                   only the comparison of methods, see below; with --csv as lines name,method,workers,\n"
	"                   time_step_ms,ms_per_step,step_to_pipe,ms_per_s,to_pipe,to_linear,hash\n"
	"\n"
	"Instead of all these, one of:\n"
	"  --render         a picture of 1280 x 720 pixels, drawn without a window, of worlds of 256 x 256 and 512 x 512\n"
	"                   cells, and of a lake without and with waves: milliseconds of the best of R frames by pass\n"
	"                   (upload, terrain, water, overlay), the hash of the water, the device\n"
	"  --bodies         200 large and thousands of small bodies beside the same water without them, in turns: "
	"milliseconds\n"
	"                   of a step without, with bodies at rest and moving, ratios, microseconds a body "
	"(docs/bodies.md)\n"
	"  --waves          the wave layer while the flow sleeps: the pools that Ottosson (2011) timed (8 pyramids of\n"
	"                   128 x 128 cells: 6.5 ms; 84 pyramids: 4.3 ms) and others, beside a convolution of 13 x 13\n"
	"                   taps and a pair of Fourier transforms of the same field. roofline counts 16 bytes a cell\n"
	"  --voxels         worlds of voxels (docs/voxels.md)\n"
	"  --spray          50 000 particles (docs/spray.md)\n"
	"  --surface        what renderers get (docs/rendering.md)\n"
	"  --saving         saving and going back (docs/saving.md)\n"
	"\n"
	"Columns:\n"
	"  ms_per_step      milliseconds per sub-step of the flow. Entries take 4 sub-steps per call of\n"
	"                   tnWorld_Step, those named _single one; each as long as stability allows.\n"
	"  mcells_per_s     millions of cells advanced by a sub-step per second; sample_many: millions of samples\n"
	"                   per second\n"
	"  rtkc             real-time kilocells: thousands of cells that could run in real time, which is\n"
	"                   cells x time step / time for the step / 1000\n"
	"  roofline         28 bytes per cell and sub-step, over the bandwidth of this machine for reading and\n"
	"                   writing memory in place, measured in this run with as many threads\n"
	"  hash             of the water after 16 calls: the same on every machine and for any number of workers\n"
	"\n"
	"The worlds are 10 to 20 m deep with waves, all cells wet and all tiles awake, except: shores (a mix of wet\n"
	"and dry that keeps changing), still_lake (everything asleep; ms per call), tracers (four channels). bodies_*\n"
	"have 200 bodies (boxes, cylinders, hulls) over 2 % of the cells, all moved before every call; bodies_*_none is\n"
	"the same water without them.\n"
	"\n"
	"The entries moving_pipe, moving_linear and shallow start from one state, waves and currents of about 1 m/s. A\n"
	"second table compares them, size by size:\n"
	"  time_step_ms     the sub-step that stability allowed, milliseconds of water\n"
	"  step_to_pipe     clock per sub-step over that of pipe\n"
	"  ms_per_s         milliseconds on the clock for one second of water, in sub-steps of that length\n"
	"  to_pipe          the same over that of pipe, to_linear over that of linear\n"
	"\n"
	"Examples:\n"
	"  tarn bench\n"
	"  tarn bench pipe_fixed --workers 1,2 --runs 8\n"
	"  tarn bench --csv > bench.csv\n"
	"\n"
	"Exit codes: 0 done, 1 wrong usage, 2 no OpenGL ES 3 for --render, 3 a world refused something or there is no "
	"memory for it, 130 interrupted.\n";

static int RunBench(int argc, char** argv);

const Command g_benchCommand = {"bench", "how fast the water is on this machine", s_help, RunBench};

// Bytes a sub-step must move per cell, the measure that roofline counts with: depth and two flows read and written,
// bed read.
static const double s_bytesPerCell = 28.0;

enum
{
	sampleCount = 1 << 20,
};

typedef struct BenchConfig
{
	int workerCount, runCount;
	double seconds;
	bool csv;
	// Print the comparison of methods and nothing else.
	bool perSecondOnly;
} BenchConfig;

typedef struct BenchLine
{
	double msPerStep, millionsPerSecond;
	// Not a number where it would mean nothing.
	double rtkc, roofline;
	uint64_t hash;
} BenchLine;

// A line that the comparison of methods needs again.
typedef struct Compared
{
	const BenchEntry* entry;
	int workerCount;
	BenchLine line;
} Compared;

typedef struct Comparison
{
	Compared items[512];
	int count;
} Comparison;

// ---------------------------------------------------------------------------------------------------------------------
// Memory bandwidth

typedef struct Stream
{
	float* values;
	size_t count;
	int threadCount;
} Stream;

static void StreamPart(void* context, int thread)
{
	const Stream* stream = context;
	enum
	{
		// A block the compiler can unroll and widen without looking at the remainder.
		block = 64,
	};
	const size_t blocks = stream->count / block;
	const size_t begin = blocks * (size_t)thread / (size_t)stream->threadCount;
	const size_t end = blocks * (size_t)(thread + 1) / (size_t)stream->threadCount;
	for (size_t i = begin; i < end; ++i)
	{
		float* values = stream->values + i * block;
		for (int k = 0; k < block; ++k)
		{
			values[k] = values[k] * 0.999f + 0.001f;
		}
	}
}

// Bytes per second that threads together read and write in place, 8 per float. 0 if there is no memory for it.
static double MeasureBandwidth(int threadCount)
{
	// 256 MB: several times any cache.
	const size_t count = (size_t)64 << 20;
	// The first pass brings the pages, the best of the others counts.
	const int passes = 8;
	Stream stream = {malloc(count * sizeof(float)), count, threadCount};
	if (stream.values == NULL)
	{
		return 0.0;
	}
	for (size_t i = 0; i < count; ++i)
	{
		stream.values[i] = 1.0f;
	}
	double best = INFINITY;
	for (int pass = 0; pass < passes; ++pass)
	{
		const double begin = GetSeconds();
		if (!RunOnThreads(StreamPart, &stream, threadCount))
		{
			best = INFINITY;
			break;
		}
		const double time = GetSeconds() - begin;
		best = pass > 0 && time < best ? time : best;
	}
	// Look at a value, so that the loops may not be left out.
	const bool used = stream.values[count / 2] > 0.0f;
	free(stream.values);
	return used && isfinite(best) ? 8.0 * (double)count / best : 0.0;
}

// Measured once for a number of threads.
static double FindBandwidth(int threadCount)
{
	static double known[TN_MAX_WORKERS + 1];
	if (known[threadCount] == 0.0)
	{
		known[threadCount] = MeasureBandwidth(threadCount);
	}
	return known[threadCount];
}

// ---------------------------------------------------------------------------------------------------------------------
// Flow

static tnResult StepMany(tnWorld* world, float timeStep, int stepCount, int64_t* subSteps)
{
	for (int i = 0; i < stepCount; ++i)
	{
		const tnResult result = tnWorld_Step(world, timeStep);
		if (result.status != tn_ok)
		{
			return result;
		}
		*subSteps += tnWorld_GetStats(world).subSteps;
	}
	return (tnResult){.status = tn_ok};
}

static tnResult StepAtLimit(const BenchEntry* entry, tnWorld* world, int stepCount, BenchSteps* steps)
{
	tnResult result = {.status = tn_ok};
	*steps = (BenchSteps){0};
	for (int i = 0; i < stepCount && result.status == tn_ok; ++i)
	{
		result = StepBenchWorld(entry, world, steps);
	}
	return result;
}

static tnResult TimeFlow(const BenchEntry* entry, const BenchConfig* config, tnWorld* world, BenchLine* line)
{
	const double cells = (double)entry->columnCount * (double)entry->rowCount;
	BenchSteps steps;
	double begin = GetSeconds();
	tnResult result = StepAtLimit(entry, world, BENCH_HASH_STEPS, &steps);
	if (result.status != tn_ok)
	{
		return result;
	}
	// These steps also brought in the pages and the caches.
	double perStep = (GetSeconds() - begin) / BENCH_HASH_STEPS;
	line->hash = tnWorld_GetHash(world);

	double best = INFINITY;
	bool oddSubSteps = false;
	for (int run = 0; run < config->runCount && !WasInterrupted(); ++run)
	{
		const int stepCount = (int)fmax(1.0, fmin(1.0e6, ceil(config->seconds / perStep)));
		begin = GetSeconds();
		result = StepAtLimit(entry, world, stepCount, &steps);
		const double time = GetSeconds() - begin;
		if (result.status != tn_ok)
		{
			return result;
		}
		perStep = time / stepCount;
		oddSubSteps = oddSubSteps || steps.subSteps != (int64_t)stepCount * entry->subSteps;
		const double perSubStep = time / (double)steps.subSteps;
		if (perSubStep < best)
		{
			best = perSubStep;
			line->rtkc = cells * steps.waterSeconds / time / 1000.0;
		}
	}
	if (oddSubSteps)
	{
		fprintf(stderr, "note: %s: not every call took %d sub-steps; times are per sub-step all the same\n",
			entry->name, entry->subSteps);
	}
	const tnStats stats = tnWorld_GetStats(world);
	if ((entry->kind == benchWaves || entry->kind == benchCurrents) && stats.awakeTileCount != stats.tileCount)
	{
		fprintf(stderr, "note: %s: only %d of %d tiles were awake at the end\n", entry->name, stats.awakeTileCount,
			stats.tileCount);
	}
	line->msPerStep = 1000.0 * best;
	line->millionsPerSecond = cells / best / 1.0e6;
	const double bandwidth = FindBandwidth(config->workerCount);
	line->roofline = bandwidth > 0.0 ? s_bytesPerCell * cells / best / bandwidth : (double)NAN;
	return result;
}

static tnResult TimeStillLake(const BenchEntry* entry, const BenchConfig* config, tnWorld* world, BenchLine* line)
{
	const double cells = (double)entry->columnCount * (double)entry->rowCount;
	const float timeStep = 1.0f / 60.0f;
	// Far longer than anything takes to fall asleep.
	const int mostSteps = 3000;
	int64_t subSteps = 0;
	tnResult result = StepMany(world, timeStep, BENCH_HASH_STEPS, &subSteps);
	line->hash = tnWorld_GetHash(world);
	for (int i = 0; i < mostSteps && result.status == tn_ok && tnWorld_GetStats(world).awakeTileCount > 0; ++i)
	{
		result = StepMany(world, timeStep, 1, &subSteps);
	}
	if (tnWorld_GetStats(world).awakeTileCount > 0)
	{
		fprintf(
			stderr, "note: %s: %d tiles would not fall asleep\n", entry->name, tnWorld_GetStats(world).awakeTileCount);
	}

	double best = INFINITY;
	int stepCount = 16;
	for (int run = 0; run < config->runCount && result.status == tn_ok && !WasInterrupted();)
	{
		const double begin = GetSeconds();
		result = StepMany(world, timeStep, stepCount, &subSteps);
		const double time = GetSeconds() - begin;
		// Grow the run until the clock can measure it.
		if (time < 0.5 * config->seconds && stepCount < 1 << 20)
		{
			stepCount *= 2;
			continue;
		}
		best = fmin(best, time / stepCount);
		run += 1;
	}
	line->msPerStep = 1000.0 * best;
	line->millionsPerSecond = cells / best / 1.0e6;
	line->rtkc = cells * (double)timeStep / best / 1000.0;
	return result;
}

static tnResult TimeSamples(const BenchEntry* entry, const BenchConfig* config, tnWorld* world, BenchLine* line)
{
	BenchSteps steps;
	tnResult result = StepAtLimit(entry, world, BENCH_HASH_STEPS, &steps);
	if (result.status != tn_ok)
	{
		return result;
	}
	line->hash = tnWorld_GetHash(world);

	tnVec2* positions = malloc(sampleCount * sizeof(tnVec2));
	tnSample* samples = malloc(sampleCount * sizeof(tnSample));
	if (positions == NULL || samples == NULL)
	{
		free(positions);
		free(samples);
		return (tnResult){.status = tn_outOfMemory, .text = "no memory for the samples"};
	}
	// Anywhere in the world, in no order.
	for (int i = 0; i < sampleCount; ++i)
	{
		positions[i].x = BenchRandom(2u * (uint32_t)i) * (float)entry->columnCount;
		positions[i].z = BenchRandom(2u * (uint32_t)i + 1u) * (float)entry->rowCount;
	}
	double best = INFINITY;
	// One more, to warm up.
	for (int run = 0; run <= config->runCount && result.status == tn_ok && !WasInterrupted(); ++run)
	{
		const double begin = GetSeconds();
		result = tnWorld_SampleMany(world, positions, sampleCount, samples);
		best = run > 0 ? fmin(best, GetSeconds() - begin) : best;
	}
	free(positions);
	free(samples);
	line->msPerStep = 1000.0 * best;
	line->millionsPerSecond = sampleCount / best / 1.0e6;
	return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// The table

static void PrintHeader(bool csv)
{
	if (csv)
	{
		puts("name,method,columns,rows,workers,ms_per_step,mcells_per_s,rtkc,roofline,hash");
	}
	else
	{
		printf("%-32s %-12s %7s %6s %7s %12s %12s %12s %8s  %s\n", "name", "method", "columns", "rows", "workers",
			"ms_per_step", "mcells_per_s", "rtkc", "roofline", "hash");
	}
	fflush(stdout);
}

static void FormatOptional(double value, int digits, const char* none, char* text, size_t size)
{
	if (isfinite(value))
	{
		snprintf(text, size, "%.*f", digits, value);
	}
	else
	{
		snprintf(text, size, "%s", none);
	}
}

static void PrintLine(const BenchEntry* entry, const BenchConfig* config, const BenchLine* line)
{
	const char* method = g_methodNames[FindMethodName(entry->method, entry->advection)];
	char rtkc[32];
	char roofline[32];
	FormatOptional(line->rtkc, 0, config->csv ? "" : "-", rtkc, sizeof(rtkc));
	FormatOptional(line->roofline, 3, config->csv ? "" : "-", roofline, sizeof(roofline));
	printf(config->csv ? "%s,%s,%d,%d,%d,%.5f,%.1f,%s,%s,%016" PRIx64 "\n"
					   : "%-32s %-12s %7d %6d %7d %12.5f %12.1f %12s %8s  %016" PRIx64 "\n",
		entry->name, method, entry->columnCount, entry->rowCount, config->workerCount, line->msPerStep,
		line->millionsPerSecond, rtkc, roofline, line->hash);
	fflush(stdout);
}

// ---------------------------------------------------------------------------------------------------------------------
// The comparison of methods

// Milliseconds on the clock for a second of water. rtkc is thousands of cells x seconds of water / those on the clock.
static double FindCost(const Compared* item)
{
	return (double)item->entry->columnCount * (double)item->entry->rowCount / item->line.rtkc;
}

// The line of another method from the same state, with the same settings. NULL if it did not run.
static const Compared* FindPeer(const Comparison* comparison, const Compared* item, tnMethod method)
{
	for (int i = 0; i < comparison->count; ++i)
	{
		const Compared* peer = comparison->items + i;
		const BenchEntry* a = peer->entry;
		const BenchEntry* b = item->entry;
		if (a->method == method && a->columnCount == b->columnCount && a->rowCount == b->rowCount &&
			a->subSteps == b->subSteps && a->manning == b->manning && peer->workerCount == item->workerCount)
		{
			return peer;
		}
	}
	return NULL;
}

static void PrintComparison(const Comparison* comparison, const BenchConfig* config)
{
	if (comparison->count == 0)
	{
		return;
	}
	if (config->csv)
	{
		puts("name,method,workers,time_step_ms,ms_per_step,step_to_pipe,ms_per_s,to_pipe,to_linear,hash");
	}
	else
	{
		printf("%s%-32s %-12s %7s %12s %12s %12s %10s %8s %9s  %s\n", config->perSecondOnly ? "" : "\n", "name",
			"method", "workers", "time_step_ms", "ms_per_step", "step_to_pipe", "ms_per_s", "to_pipe", "to_linear",
			"hash");
	}
	for (int i = 0; i < comparison->count; ++i)
	{
		const Compared* item = comparison->items + i;
		const BenchEntry* entry = item->entry;
		const Compared* pipe = FindPeer(comparison, item, tn_pipeMethod);
		const Compared* linear = FindPeer(comparison, item, tn_linearMethod);
		const double cost = FindCost(item);
		const double nothing = (double)NAN;
		char stepToPipe[32];
		char toPipe[32];
		char toLinear[32];
		const char* none = config->csv ? "" : "-";
		FormatOptional(pipe != NULL ? item->line.msPerStep / pipe->line.msPerStep : nothing, 2, none, stepToPipe,
			sizeof(stepToPipe));
		FormatOptional(pipe != NULL ? cost / FindCost(pipe) : nothing, 2, none, toPipe, sizeof(toPipe));
		FormatOptional(linear != NULL ? cost / FindCost(linear) : nothing, 2, none, toLinear, sizeof(toLinear));
		printf(config->csv ? "%s,%s,%d,%.4f,%.5f,%s,%.3f,%s,%s,%016" PRIx64 "\n"
						   : "%-32s %-12s %7d %12.4f %12.5f %12s %10.3f %8s %9s  %016" PRIx64 "\n",
			entry->name, g_methodNames[FindMethodName(entry->method, entry->advection)], item->workerCount,
			1000.0 * item->line.msPerStep / cost, item->line.msPerStep, stepToPipe, cost, toPipe, toLinear,
			item->line.hash);
	}
	fflush(stdout);
}

static int RunEntry(const BenchEntry* entry, const BenchConfig* config, Comparison* comparison)
{
	tnWorld* world;
	tnResult result = CreateBenchWorld(entry, config->workerCount, &world);
	BenchLine line = {.rtkc = (double)NAN, .roofline = (double)NAN};
	if (result.status == tn_ok)
	{
		switch (entry->kind)
		{
			case benchWaves:
			case benchShores:
			case benchTracers:
			case benchCurrents:
			case benchBodies:
			case benchRestingBodies:
			case benchNoBodies:
			case benchRings:
				result = TimeFlow(entry, config, world, &line);
				break;
			case benchStillLake:
				result = TimeStillLake(entry, config, world, &line);
				break;
			case benchSamples:
				result = TimeSamples(entry, config, world, &line);
				break;
		}
		tnDestroyWorld(world);
	}
	if (result.status != tn_ok)
	{
		fprintf(stderr, "tarn bench: %s: %s\n", entry->name, result.text);
		return exitWorld;
	}
	if (WasInterrupted())
	{
		return exitOk;
	}
	if (!config->perSecondOnly)
	{
		PrintLine(entry, config, &line);
	}
	const int capacity = (int)(sizeof(comparison->items) / sizeof(comparison->items[0]));
	if (entry->kind == benchCurrents && comparison->count < capacity)
	{
		comparison->items[comparison->count] = (Compared){entry, config->workerCount, line};
		comparison->count += 1;
	}
	return exitOk;
}

// A part of a name, or all of it after a '='.
static bool IsNamedBy(const char* name, const char* word)
{
	return word[0] == '=' ? strcmp(name, word + 1) == 0 : strstr(name, word) != NULL;
}

static bool IsWanted(const BenchEntry* entry, const Words* words)
{
	for (int i = 0; i < words->count; ++i)
	{
		if (IsNamedBy(entry->name, words->words[i]))
		{
			return true;
		}
	}
	return words->count == 0;
}

static bool CheckNames(const Words* words)
{
	const char* names[BENCH_ENTRY_LIMIT];
	const int nameCount = GetBenchEntryCount();
	for (int k = 0; k < nameCount; ++k)
	{
		names[k] = GetBenchEntry(k)->name;
	}
	for (int i = 0; i < words->count; ++i)
	{
		bool known = false;
		for (int k = 0; k < nameCount; ++k)
		{
			known = known || IsNamedBy(names[k], words->words[i]);
		}
		if (!known)
		{
			const char* nearest = FindNearest(words->words[i], names, nameCount);
			ReportUsage(&g_benchCommand, "no entry contains '%s'%s%s%s", words->words[i],
				nearest != NULL ? ": did you mean " : "", nearest != NULL ? nearest : "", nearest != NULL ? "?" : "");
			return false;
		}
	}
	return true;
}

// Benchmarks of other things than the flow, one at a time.
typedef enum AloneBench
{
	aloneRender = 0,
	aloneBodies,
	aloneWaves,
	aloneVoxels,
	aloneSpray,
	aloneSurface,
	aloneSaving,
	aloneCount, // none of them
} AloneBench;

static const char* const s_aloneNames[aloneCount] = {
	"render", "bodies", "waves", "voxels", "spray", "surface", "saving"};

// The one that was asked for. False if something else was, too.
static bool FindAlone(const bool asked[aloneCount], bool others, AloneBench* found)
{
	*found = aloneCount;
	for (int i = 0; i < aloneCount; ++i)
	{
		if (asked[i] && (others || *found != aloneCount))
		{
			ReportUsage(&g_benchCommand, "--%s stands alone: no names, no --per-second-of-water, no other benchmark",
				s_aloneNames[i]);
			return false;
		}
		*found = asked[i] ? (AloneBench)i : *found;
	}
	return true;
}

static int RunAlone(AloneBench alone, const BenchConfig* config)
{
	const BenchRun run = {config->workerCount, config->runCount, config->seconds, config->csv};
	switch (alone)
	{
		case aloneRender:
			return RunRenderBench(&(RenderBenchConfig){run.workerCount, run.runCount, run.csv});
		case aloneBodies:
			return RunBodyBench(&run);
		case aloneWaves:
			return RunLayerBench(&(LayerBenchConfig){
				run.workerCount, run.runCount, run.seconds, FindBandwidth(run.workerCount), run.csv});
		case aloneVoxels:
			return RunVoxelBench(&run);
		case aloneSpray:
			return RunSprayBench(&run);
		case aloneSurface:
			return RunSurfaceBench(&run);
		case aloneSaving:
			return RunSavingBench(&run);
		case aloneCount:
			break;
	}
	return exitOk;
}

static int RunBench(int argc, char** argv)
{
	BenchConfig config = {.runCount = 5, .seconds = 0.4};
	const int processorCount = GetProcessorCount();
	IntList workers = {.values = {processorCount < TN_MAX_WORKERS ? processorCount : TN_MAX_WORKERS}, .count = 1};
	bool list = false;
	bool asked[aloneCount] = {false};
	const Option options[] = {
		{.name = "csv", .kind = optionFlag, .target = &config.csv},
		{.name = "list", .kind = optionFlag, .target = &list},
		{.name = s_aloneNames[aloneRender], .kind = optionFlag, .target = asked + aloneRender},
		{.name = s_aloneNames[aloneBodies], .kind = optionFlag, .target = asked + aloneBodies},
		{.name = s_aloneNames[aloneWaves], .kind = optionFlag, .target = asked + aloneWaves},
		{.name = s_aloneNames[aloneVoxels], .kind = optionFlag, .target = asked + aloneVoxels},
		{.name = s_aloneNames[aloneSpray], .kind = optionFlag, .target = asked + aloneSpray},
		{.name = s_aloneNames[aloneSurface], .kind = optionFlag, .target = asked + aloneSurface},
		{.name = s_aloneNames[aloneSaving], .kind = optionFlag, .target = asked + aloneSaving},
		{.name = "per-second-of-water", .kind = optionFlag, .target = &config.perSecondOnly},
		{.name = "workers", .kind = optionInts, .target = &workers, .least = 1, .most = TN_MAX_WORKERS},
		{.name = "runs", .kind = optionInt, .target = &config.runCount, .least = 1, .most = 1000},
		{.name = "seconds", .kind = optionDouble, .target = &config.seconds, .least = 0.001, .most = 3600.0},
	};
	Words words;
	int exitCode;
	if (!ReadOptions(&g_benchCommand, options, sizeof(options) / sizeof(options[0]), argc, argv, &words, 64, &exitCode))
	{
		return exitCode;
	}
	if (list)
	{
		for (int i = 0; i < GetBenchEntryCount(); ++i)
		{
			printf("%-32s %s\n", GetBenchEntry(i)->name, GetBenchEntry(i)->title);
		}
		return exitOk;
	}
	AloneBench alone;
	if (!FindAlone(asked, words.count > 0 || config.perSecondOnly, &alone) || !CheckNames(&words))
	{
		return exitUsage;
	}

	CatchInterrupts();
	if (alone != aloneCount)
	{
		config.workerCount = workers.values[0];
		const int code = RunAlone(alone, &config);
		return WasInterrupted() ? exitInterrupted : code;
	}
	if (!config.perSecondOnly)
	{
		PrintHeader(config.csv);
	}
	static Comparison comparison;
	int worst = exitOk;
	for (int i = 0; i < GetBenchEntryCount() && !WasInterrupted(); ++i)
	{
		const BenchEntry* entry = GetBenchEntry(i);
		if (!IsWanted(entry, &words) || (config.perSecondOnly && entry->kind != benchCurrents))
		{
			continue;
		}
		if (!tnIsSimdAvailable(entry->simd))
		{
			fprintf(stderr, "note: %s left out: no %s here\n", entry->name, tnGetSimdName(entry->simd));
			continue;
		}
		// Sampling is done by the calling thread: more workers would change nothing.
		const int repeatCount = entry->kind == benchSamples ? 1 : workers.count;
		for (int k = 0; k < repeatCount && !WasInterrupted(); ++k)
		{
			config.workerCount = entry->kind == benchSamples ? 1 : workers.values[k];
			const int code = RunEntry(entry, &config, &comparison);
			worst = code > worst ? code : worst;
		}
	}
	if (!config.csv || config.perSecondOnly)
	{
		PrintComparison(&comparison, &config);
	}
	if (!config.csv && !WasInterrupted())
	{
		for (int k = 0; k < workers.count; ++k)
		{
			const double bandwidth = FindBandwidth(workers.values[k]);
			printf("%smemory, read and write in place, %d thread%s: %.1f GB/s\n", k == 0 ? "\n" : "", workers.values[k],
				workers.values[k] == 1 ? "" : "s", bandwidth / 1.0e9);
		}
	}
	return WasInterrupted() ? exitInterrupted : worst;
}
