// SPDX-License-Identifier: MIT

// A world is saved and restored, and kept and taken back by a ring of images, beside copying as many bytes in the same run. The
// hash is that of the world in the end, which went back as often as it was kept.

#include "bench/bench_saving.h"

#include "bench/bench_surface.h"
#include "commands/options.h"
#include "system/platform.h"
#include "tarn/tarn.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct SavingEntry
{
	const char* name;
	int size;
	BenchHills hills;
} SavingEntry;

static const SavingEntry s_entries[] = {
	{"awake_256", 256, benchHillsAwake},
	{"awake_1024", 1024, benchHillsAwake},
	{"tenth_1024", 1024, benchHillsTenth},
	{"resting_1024", 1024, benchHillsResting},
};

enum
{
	warmSteps = 200,
};

static const float s_step = 0.025f;

typedef struct SavingLine
{
	double copySeconds, saveSeconds, restoreSeconds, pushSeconds, backSeconds;
	size_t byteCount, ownBytes;
	uint64_t hash;
} SavingLine;

typedef struct SavingRun
{
	tnWorld* world;
	tnRollback* rollback;
	void* bytes;
	void* copy;
	size_t byteCount;
} SavingRun;

static tnResult Prepare(const SavingEntry* entry, int workerCount, SavingRun* run)
{
	tnResult result = MakeBenchHills(entry->hills, entry->size, workerCount, &run->world);
	for (int i = 0; i < warmSteps && result.status == tn_ok; ++i)
	{
		result = tnWorld_Step(run->world, s_step);
	}
	const tnRollbackDef def = tnDefaultRollbackDef();
	result = result.status == tn_ok ? tnCreateRollback(run->world, &def, &run->rollback) : result;
	result = result.status == tn_ok ? tnWorld_Save(run->world, NULL, 0, &run->byteCount) : result;
	if (result.status != tn_ok)
	{
		return result;
	}
	// Sizes hang on what is at rest: some more room.
	run->byteCount += run->byteCount / 4 + 65536;
	run->bytes = malloc(run->byteCount);
	run->copy = malloc(run->byteCount);
	if (run->bytes == NULL || run->copy == NULL)
	{
		return (tnResult){.status = tn_outOfMemory, .text = "out of memory for a snapshot"};
	}
	memset(run->bytes, 1, run->byteCount);
	memset(run->copy, 2, run->byteCount);
	return tnRollback_Push(run->rollback);
}

// Keep the state after a step, and go back to the one before it, whose tiles are all that is copied.
static tnResult GoForthAndBack(SavingRun* run, SavingLine* line)
{
	tnResult result = tnWorld_Step(run->world, s_step);
	const double begin = GetSeconds();
	result = result.status == tn_ok ? tnRollback_Push(run->rollback) : result;
	const double pushed = GetSeconds();
	tnRollbackImage image = {0};
	result = result.status == tn_ok ? tnRollback_GetImage(run->rollback, 0, &image) : result;
	const double asked = GetSeconds();
	result = result.status == tn_ok ? tnRollback_Restore(run->rollback, 1) : result;
	const double back = GetSeconds();
	line->pushSeconds = fmin(line->pushSeconds, pushed - begin);
	line->backSeconds = fmin(line->backSeconds, back - asked);
	line->ownBytes = image.ownBytes;
	return result;
}

static tnResult SaveAndRestore(SavingRun* run, SavingLine* line)
{
	const double begin = GetSeconds();
	tnResult result = tnWorld_Save(run->world, run->bytes, run->byteCount, &line->byteCount);
	const double saved = GetSeconds();
	result = result.status == tn_ok ? tnWorld_Restore(run->world, run->bytes, line->byteCount) : result;
	const double restored = GetSeconds();
	if (result.status == tn_ok)
	{
		memcpy(run->copy, run->bytes, line->byteCount);
	}
	const double copied = GetSeconds();
	line->saveSeconds = fmin(line->saveSeconds, saved - begin);
	line->restoreSeconds = fmin(line->restoreSeconds, restored - saved);
	line->copySeconds = fmin(line->copySeconds, copied - restored);
	return result;
}

static tnResult TimeSaving(const SavingEntry* entry, const BenchRun* config, SavingLine* line)
{
	SavingRun run = {0};
	tnResult result = Prepare(entry, config->workerCount, &run);
	for (int part = 0; part < 2; ++part)
	{
		for (int i = 0; i < config->runCount && result.status == tn_ok && !WasInterrupted(); ++i)
		{
			const double end = GetSeconds() + 0.5 * config->seconds;
			do
			{
				result = part == 0 ? GoForthAndBack(&run, line) : SaveAndRestore(&run, line);
			} while (result.status == tn_ok && GetSeconds() < end && !WasInterrupted());
		}
	}
	line->hash = run.world != NULL ? tnWorld_GetHash(run.world) : 0;
	tnDestroyRollback(run.rollback);
	tnDestroyWorld(run.world);
	free(run.bytes);
	free(run.copy);
	return result;
}

int RunSavingBench(const BenchRun* config)
{
	puts(config->csv
			? "name,workers,bytes,image_bytes,ms_per_copy,ms_per_save,ms_per_restore,ms_per_push,ms_per_back,hash"
			: "name           workers     bytes image_bytes ms_per_copy ms_per_save ms_per_restore ms_per_push "
			  "ms_per_back  hash");
	for (size_t i = 0; i < sizeof(s_entries) / sizeof(s_entries[0]) && !WasInterrupted(); ++i)
	{
		SavingLine line = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, 0, 0, 0};
		const tnResult result = TimeSaving(s_entries + i, config, &line);
		if (result.status != tn_ok)
		{
			fprintf(stderr, "tarn bench: %s: %s\n", s_entries[i].name, result.text);
			return exitWorld;
		}
		printf(config->csv ? "%s,%d,%zu,%zu,%.4f,%.4f,%.4f,%.4f,%.4f,%016" PRIx64 "\n"
						   : "%-14s %7d %9zu %11zu %11.3f %11.3f %14.3f %11.3f %11.3f  %016" PRIx64 "\n",
			s_entries[i].name, config->workerCount, line.byteCount, line.ownBytes, 1000.0 * line.copySeconds,
			1000.0 * line.saveSeconds, 1000.0 * line.restoreSeconds, 1000.0 * line.pushSeconds,
			1000.0 * line.backSeconds, line.hash);
		fflush(stdout);
	}
	return exitOk;
}
