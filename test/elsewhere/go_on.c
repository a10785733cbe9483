// SPDX-License-Identifier: MIT

// Goes on with worlds that another machine has saved in the middle of what happened in them, and compares the bits:
//
//   tarn_go_on [--seconds S] [--workers N] FILE ...
//
// Files are those of tarn_keep_worlds, laid out as kept_world.h says. After S seconds of the processor (on Windows: of the clock)
// with one file no more hashes of it are looked at, for emulated processors: the line says how far it came. Public headers only,
// so that it can be built for any machine.
// scripts/test_long.sh elsewhere does all of it.

#include "kept_world.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct Options
{
	int seconds, workers;
} Options;

static uint8_t* ReadWhole(const char* path, size_t* size)
{
	FILE* file = fopen(path, "rb");
	*size = 0;
	if (file == NULL)
	{
		return NULL;
	}
	long length = -1;
	if (fseek(file, 0, SEEK_END) == 0)
	{
		length = ftell(file);
		rewind(file);
	}
	// One more: no file is too short for memory of its own.
	uint8_t* bytes = length >= 0 ? malloc((size_t)length + 1) : NULL;
	*size = bytes != NULL ? fread(bytes, 1, (size_t)length, file) : 0;
	fclose(file);
	if (bytes != NULL && *size != (size_t)length)
	{
		free(bytes);
		return NULL;
	}
	return bytes;
}

// One world of either kind.
typedef struct AnyWorld
{
	tnWorld* columns;
	tnVoxelWorld* voxels;
} AnyWorld;

static tnResult CreateAny(const KeptWorld* kept, int workers, AnyWorld* world)
{
	if (kept->kind == keptVoxels)
	{
		tnVoxelWorldDef def = kept->def;
		def.tasks.workerCount = workers;
		return tnCreateVoxelWorldFrom(kept->snapshot, kept->snapshotSize, &def, &world->voxels);
	}
	tnWorldDef hooks = tnDefaultWorldDef();
	hooks.tasks.workerCount = workers;
	return tnCreateWorldFrom(kept->snapshot, kept->snapshotSize, &hooks, &world->columns);
}

static tnResult StepAny(AnyWorld* world, float timeStep)
{
	return world->voxels != NULL ? tnVoxelWorld_Step(world->voxels, 0) : tnWorld_Step(world->columns, timeStep);
}

static uint64_t HashAny(const AnyWorld* world)
{
	return world->voxels != NULL ? tnVoxelWorld_GetHash(world->voxels) : tnWorld_GetHash(world->columns);
}

// All in a file, with a line that says what came of it.
static bool GoOn(const char* path, const KeptWorld* kept, const Options* options, int* stepped)
{
	const clock_t begin = clock();
	AnyWorld world = {0};
	tnResult result = CreateAny(kept, options->workers, &world);
	int step = 0;
	bool same = result.status == tn_ok;
	uint64_t hash = 0, wanted = 0;
	while (same)
	{
		hash = HashAny(&world);
		wanted = GetKeptHash(kept, step / kept->interval);
		same = hash == wanted;
		// Never only the first hash: it is the one of the bytes that were read.
		if (!same || step == kept->steps ||
			(step > 0 && options->seconds > 0 && (clock() - begin) / CLOCKS_PER_SEC >= options->seconds))
		{
			break;
		}
		for (int i = 0; i < kept->interval && same; ++i, ++step)
		{
			result = StepAny(&world, kept->timeStep);
			same = result.status == tn_ok;
		}
	}
	if (result.status != tn_ok)
	{
		printf("FAIL %s: after %d steps: %s\n", path, step, result.text);
	}
	else if (!same)
	{
		printf("FAIL %s: after %d steps: hash %016" PRIx64 ", expected %016" PRIx64 "\n", path, step, hash, wanted);
	}
	else
	{
		printf("same %s: %d of %d steps\n", path, step, kept->steps);
	}
	tnDestroyWorld(world.columns);
	tnDestroyVoxelWorld(world.voxels);
	*stepped = step;
	return same;
}

static int ReadOption(const char* text, const char* value, int* number)
{
	char* end = NULL;
	const long read = value != NULL ? strtol(value, &end, 10) : -1;
	if (value == NULL || *value == '\0' || *end != '\0' || read < 0 || read > 100000)
	{
		fprintf(stderr, "%s: expected a number from 0 to 100000, got '%s'\n", text, value != NULL ? value : "");
		return 1;
	}
	*number = (int)read;
	return 0;
}

int main(int argc, char** argv)
{
	// Two workers: who saved had one.
	Options options = {0, 2};
	int first = 1;
	for (; first < argc && strncmp(argv[first], "--", 2) == 0; first += 2)
	{
		int* const number = strcmp(argv[first], "--seconds") == 0 ? &options.seconds
			: strcmp(argv[first], "--workers") == 0               ? &options.workers
																  : NULL;
		if (number == NULL)
		{
			fprintf(stderr, "unknown option '%s', allowed are: --seconds --workers\n", argv[first]);
			return 2;
		}
		if (ReadOption(argv[first], argv[first + 1], number) != 0)
		{
			return 2;
		}
	}
	if (first >= argc)
	{
		fprintf(stderr, "use: tarn_go_on [--seconds S] [--workers N] FILE ...\n");
		return 2;
	}
	int passed = 0, whole = 0;
	int64_t steps = 0;
	for (int i = first; i < argc; ++i)
	{
		size_t size;
		uint8_t* bytes = ReadWhole(argv[i], &size);
		KeptWorld kept;
		char text[160];
		if (bytes == NULL)
		{
			printf("FAIL %s: cannot be read\n", argv[i]);
		}
		else if (!ReadKept(bytes, size, &kept, text))
		{
			printf("FAIL %s: %s\n", argv[i], text);
		}
		else
		{
			int stepped = 0;
			const bool same = GoOn(argv[i], &kept, &options, &stepped);
			passed += same ? 1 : 0;
			whole += same && stepped == kept.steps ? 1 : 0;
			steps += stepped;
		}
		fflush(stdout);
		free(bytes);
	}
	const int failed = argc - first - passed;
	printf("%d passed, %d failed; %d with all steps, %" PRId64 " steps in all\n", passed, failed, whole, steps);
	return failed == 0 ? 0 : 1;
}
