// SPDX-License-Identifier: MIT

// Saves scenes in the middle of what happens in them, each with the hashes that its world has later, for tarn_go_on:
//
//   tarn_keep_worlds [--before N] [--steps N] [--interval N] [--methods all|turns] FOLDER SCENE ...
//
// A scene runs for half of its seconds, at most `before` steps, with its bodies and all that comes in it. Then its world goes on
// alone for `steps`: bodies stay where they are, and nobody else calls. Scenes take turns with the methods, the one that the
// scene asks for among them, or have all of them. FOLDER/NAME_METHOD.kept is written.

#include "kept_world.h"
#include "scene.h"
#include "voxel_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Options
{
	int before, steps, interval;
	bool allMethods;
	const char* folder;
} Options;

// How water may move: all methods, and all ways of the shallow one to carry momentum. The last is as the scene says.
typedef struct Way
{
	const char* name;
	tnMethod method;
	tnAdvection advection;
} Way;

static const Way s_ways[] = {
	{"pipes", tn_pipeMethod, tn_advectionCount},
	{"linear", tn_linearMethod, tn_advectionCount},
	{"conservative", tn_shallowMethod, tn_conservativeAdvection},
	{"fine", tn_shallowMethod, tn_fineAdvection},
	{"semi_lagrangian", tn_shallowMethod, tn_semiLagrangianAdvection},
	{"mac_cormack", tn_shallowMethod, tn_macCormackAdvection},
	{"own", tn_methodCount, tn_advectionCount},
};

enum
{
	wayCount = sizeof(s_ways) / sizeof(s_ways[0])
};

static bool Report(const char* path, const char* what)
{
	fprintf(stderr, "%s: %s\n", path, what);
	return false;
}

// The name of a scene: without folders and ending.
static void GetName(const char* path, char name[64])
{
	const char* slash = strrchr(path, '/');
	snprintf(name, 64, "%s", slash != NULL ? slash + 1 : path);
	char* dot = strrchr(name, '.');
	if (dot != NULL)
	{
		*dot = '\0';
	}
}

static bool WriteKeptFile(
	const Options* options, const char* scene, const char* method, const KeptWorld* kept, const uint64_t* hashes)
{
	char path[512];
	snprintf(path, sizeof(path), "%s/%s_%s.kept", options->folder, scene, method);
	const size_t before = GetKeptSize(kept->kind, kept->steps, kept->interval);
	uint8_t* bytes = malloc(before);
	WriteKept(kept, hashes, bytes);
	FILE* file = fopen(path, "wb");
	const bool whole = file != NULL && fwrite(bytes, 1, before, file) == before &&
		fwrite(kept->snapshot, 1, kept->snapshotSize, file) == kept->snapshotSize;
	const bool written = file != NULL && fclose(file) == 0 && whole;
	free(bytes);
	if (!written)
	{
		return Report(path, "cannot be written");
	}
	printf("kept %s: %zu bytes, %d steps\n", path, before + kept->snapshotSize, kept->steps);
	return true;
}

static bool StepAndHash(const Options* options, float timeStep, tnWorld* world, tnVoxelWorld* voxels, uint64_t* hashes)
{
	for (int i = 0; i <= options->steps; ++i)
	{
		if (i % options->interval == 0)
		{
			hashes[i / options->interval] = world != NULL ? tnWorld_GetHash(world) : tnVoxelWorld_GetHash(voxels);
		}
		if (i < options->steps &&
			(world != NULL ? tnWorld_Step(world, timeStep) : tnVoxelWorld_Step(voxels, 0)).status != tn_ok)
		{
			return false;
		}
	}
	return true;
}

static bool KeepRun(
	const Options* options, const char* path, tnsScene* scene, tnsRun* run, const char* method, uint64_t* hashes)
{
	const tnsSceneInfo* info = tnsScene_GetInfo(scene);
	const int half = (int)(0.5 * info->seconds / info->timeStep);
	for (int i = 0; i < half && i < options->before; ++i)
	{
		const tnsResult result = tnsRun_Step(run);
		if (result.status != tns_ok)
		{
			return Report(path, result.text);
		}
	}
	tnWorld* world = tnsRun_GetWorld(run);
	size_t size = 0;
	tnWorld_Save(world, NULL, 0, &size);
	uint8_t* bytes = malloc(size);
	bool fine = tnWorld_Save(world, bytes, size, &size).status == tn_ok || Report(path, "its world is not saved");
	fine =
		fine && (StepAndHash(options, info->timeStep, world, NULL, hashes) || Report(path, "its world does not step"));
	if (fine)
	{
		char name[64];
		GetName(path, name);
		const KeptWorld kept = {.kind = keptColumns,
			.timeStep = info->timeStep,
			.steps = options->steps,
			.interval = options->interval,
			.def = tnDefaultVoxelWorldDef(),
			.snapshot = bytes,
			.snapshotSize = size};
		fine = WriteKeptFile(options, name, method, &kept, hashes);
	}
	free(bytes);
	return fine;
}

static bool KeepScene(const Options* options, const char* path, const Way* way, uint64_t* hashes)
{
	tnsResult result;
	tnsScene* scene = tnsLoadScene(path, &result);
	if (scene == NULL)
	{
		return Report(path, result.text);
	}
	tnsOverrides overrides = tnsDefaultOverrides();
	overrides.method = way->method;
	overrides.advection = way->advection;
	overrides.workerCount = 1;
	tnsRun* run = NULL;
	result = tnsStartScene(scene, &overrides, &run);
	const bool kept = run != NULL ? KeepRun(options, path, scene, run, way->name, hashes) : Report(path, result.text);
	tnsDestroyRun(run);
	tnsDestroyScene(scene);
	return kept;
}

// Bodies are in no save of voxels. So where there are some, the hashes are those of a world that was made of the save; else
// those of the world that was saved, which knows nothing of it.
static bool KeepVoxelRun(const Options* options, const char* path, tnsVoxelRun* run, int half, uint64_t* hashes)
{
	for (int i = 0; i < half && i < options->before; ++i)
	{
		const tnsResult result = tnsVoxelRun_Step(run);
		if (result.status != tns_ok)
		{
			return Report(path, result.text);
		}
	}
	tnVoxelWorld* world = tnsVoxelRun_GetWorld(run);
	tnVoxelWorldDef def = tnVoxelWorld_GetDef(world);
	size_t size = 0;
	tnVoxelWorld_Save(world, NULL, 0, &size);
	uint8_t* bytes = malloc(size);
	bool fine = tnVoxelWorld_Save(world, bytes, size, &size).status == tn_ok || Report(path, "its world is not saved");
	tnVoxelWorld* alone = NULL;
	if (fine && tnVoxelWorld_GetBodies(world, NULL, 0) > 0)
	{
		def.tasks = tnDefaultVoxelWorldDef().tasks;
		const tnResult made = tnCreateVoxelWorldFrom(bytes, size, &def, &alone);
		fine = made.status == tn_ok || Report(path, made.text);
	}
	fine = fine &&
		(StepAndHash(options, 0.0f, NULL, alone != NULL ? alone : world, hashes) ||
			Report(path, "its world does not step"));
	if (fine)
	{
		char name[64];
		GetName(path, name);
		const KeptWorld kept = {.kind = keptVoxels,
			.steps = options->steps,
			.interval = options->interval,
			.def = def,
			.snapshot = bytes,
			.snapshotSize = size};
		fine = WriteKeptFile(options, name, "voxels", &kept, hashes);
	}
	tnDestroyVoxelWorld(alone);
	free(bytes);
	return fine;
}

static bool KeepVoxelScene(const Options* options, const char* path, uint64_t* hashes)
{
	tnsResult result;
	tnsVoxelScene* scene = tnsLoadVoxelScene(path, &result);
	if (scene == NULL)
	{
		return Report(path, result.text);
	}
	tnsVoxelRun* run = tnsVoxelScene_Begin(scene, &result);
	const bool kept = run != NULL ? KeepVoxelRun(options, path, run, tnsVoxelScene_GetInfo(scene)->steps / 2, hashes)
								  : Report(path, result.text);
	tnsDestroyVoxelRun(run);
	tnsDestroyVoxelScene(scene);
	return kept;
}

static int Usage(void)
{
	fprintf(stderr,
		"use: tarn_keep_worlds [--before N] [--steps N] [--interval N] [--methods all|turns] FOLDER SCENE ...\n"
		"steps must be a multiple of interval, and at most %d\n",
		keptMaxSteps);
	return 2;
}

int main(int argc, char** argv)
{
	Options options = {.before = keptMaxSteps, .steps = 300, .interval = 10};
	int at = 1;
	for (; at + 1 < argc && strncmp(argv[at], "--", 2) == 0; at += 2)
	{
		const char* value = argv[at + 1];
		if (strcmp(argv[at], "--before") == 0)
		{
			options.before = atoi(value);
		}
		else if (strcmp(argv[at], "--steps") == 0)
		{
			options.steps = atoi(value);
		}
		else if (strcmp(argv[at], "--interval") == 0)
		{
			options.interval = atoi(value);
		}
		else if (strcmp(argv[at], "--methods") == 0 && (strcmp(value, "all") == 0 || strcmp(value, "turns") == 0))
		{
			options.allMethods = strcmp(value, "all") == 0;
		}
		else
		{
			return Usage();
		}
	}
	if (at + 1 >= argc || options.before < 0 || options.steps < 1 || options.steps > keptMaxSteps ||
		options.interval < 1 || options.steps % options.interval != 0)
	{
		return Usage();
	}
	options.folder = argv[at++];
	uint64_t* hashes = malloc(sizeof(uint64_t) * ((size_t)(options.steps / options.interval) + 1));
	int failed = 0;
	for (int turn = 0; at < argc; ++at)
	{
		if (tnsIsVoxelSceneFile(argv[at]))
		{
			failed += KeepVoxelScene(&options, argv[at], hashes) ? 0 : 1;
			fflush(stdout);
			continue;
		}
		for (int way = 0; way < wayCount; ++way)
		{
			if (options.allMethods || way == turn % wayCount)
			{
				failed += KeepScene(&options, argv[at], s_ways + way, hashes) ? 0 : 1;
				fflush(stdout);
			}
		}
		++turn;
	}
	free(hashes);
	return failed == 0 ? 0 : 1;
}
