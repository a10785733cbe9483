// SPDX-License-Identifier: MIT

// tarn replay: plays a recording of tarn run --record, and says whether it has the same bits.

#include "commands/options.h"
#include "system/platform.h"
#include "tarn/tarn.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char s_help[] =
	"tarn replay - play a recording\n"
	"\n"
	"Usage: tarn replay FILE [OPTIONS]\n"
	"\n"
	"Does once more what `tarn run SCENE --record FILE` did, on this machine or another, and compares every step.\n"
	"Where two machines do not have the same bits it names the first step and the tile of 64 x 64 cells.\n"
	"\n"
	"  --workers N      threads, 1 to 64 (default: one per processor; the water does not depend on it)\n"
	"  --simd SET       scalar, sse2, avx2, neon, wasm or auto (default: auto; the water does not depend on it)\n"
	"\n"
	"Exit codes: 0 the same bits, 2 the file is missing or damaged, 4 other bits.\n";

static int PlayRecording(int argc, char** argv);

const Command g_replayCommand = {"replay", "play a recording of a run, and compare its bits", s_help, PlayRecording};

// All bytes of a file, or NULL.
static uint8_t* ReadAll(const char* path, size_t* size)
{
	FILE* file = fopen(path, "rb");
	uint8_t* bytes = NULL;
	size_t capacity = 0, got = 1;
	*size = 0;
	while (file != NULL && got > 0)
	{
		if (*size == capacity)
		{
			capacity = capacity == 0 ? 1u << 20 : 2 * capacity;
			uint8_t* larger = realloc(bytes, capacity);
			if (larger == NULL)
			{
				break;
			}
			bytes = larger;
		}
		got = fread(bytes + *size, 1, capacity - *size, file);
		*size += got;
	}
	const bool whole = file != NULL && got == 0 && ferror(file) == 0;
	if (file != NULL)
	{
		fclose(file);
	}
	if (!whole)
	{
		free(bytes);
		return NULL;
	}
	return bytes;
}

static int PlayBytes(const char* path, const uint8_t* bytes, size_t size, const tnWorldDef* hooks)
{
	tnReplay* replay = NULL;
	tnResult result = tnCreateReplay(bytes, size, hooks, &replay);
	tnReplayState state = {0};
	const double begin = GetSeconds();
	while (result.status == tn_ok && !state.atEnd)
	{
		result = tnReplay_Step(replay, &state);
	}
	const double seconds = GetSeconds() - begin;
	int exitCode = exitOk;
	if (result.status != tn_ok)
	{
		fprintf(stderr, "tarn replay: %s: %s\n", path, result.text);
		exitCode = result.status == tn_outOfMemory ? exitWorld : exitFile;
	}
	else
	{
		printf("%s\n  %" PRId64 " steps in %.3g s\n  hash %016" PRIx64 "\n", path, state.stepCount, seconds,
			tnWorld_GetHash(tnReplay_GetWorld(replay)));
		if (!state.parted)
		{
			printf("  the same bits as recorded\n");
		}
		else if (state.tileColumn >= 0)
		{
			printf("  OTHER BITS from step %" PRId64 " on, first in the tile of cells %d to %d, %d to %d\n",
				state.partedStep, 64 * state.tileColumn, 64 * state.tileColumn + 63, 64 * state.tileRow,
				64 * state.tileRow + 63);
		}
		else
		{
			printf("  OTHER BITS from step %" PRId64 " on, in bodies, waves, spray or the ledger\n", state.partedStep);
		}
		exitCode = state.parted ? exitFailed : exitOk;
	}
	tnDestroyReplay(replay);
	return exitCode;
}

static int PlayRecording(int argc, char** argv)
{
	static const char* const sets[] = {"auto", "scalar", "sse2", "avx2", "neon", "wasm", NULL};
	const int processorCount = GetProcessorCount();
	int workerCount = processorCount < TN_MAX_WORKERS ? processorCount : TN_MAX_WORKERS;
	int simd = tn_simdAuto;
	const Option table[] = {
		{.name = "workers", .kind = optionInt, .target = &workerCount, .least = 1, .most = TN_MAX_WORKERS},
		{.name = "simd", .kind = optionChoice, .target = &simd, .choices = sets},
	};
	Words words;
	int exitCode;
	if (!ReadOptions(&g_replayCommand, table, sizeof(table) / sizeof(table[0]), argc, argv, &words, 1, &exitCode))
	{
		return exitCode;
	}
	if (words.count == 0)
	{
		return ReportUsage(&g_replayCommand, "which recording? tarn run SCENE --record FILE makes one");
	}
	if (!tnIsSimdAvailable((tnSimd)simd))
	{
		return ReportUsage(&g_replayCommand, "--simd %s: this processor does not have it", sets[simd]);
	}
	tnWorldDef hooks = tnDefaultWorldDef();
	hooks.tasks.workerCount = workerCount;
	hooks.simd = (tnSimd)simd;
	size_t size;
	uint8_t* bytes = ReadAll(words.words[0], &size);
	if (bytes == NULL)
	{
		fprintf(stderr, "tarn replay: cannot read %s\n", words.words[0]);
		return exitFile;
	}
	exitCode = PlayBytes(words.words[0], bytes, size, &hooks);
	free(bytes);
	return exitCode;
}
