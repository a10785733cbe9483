// SPDX-License-Identifier: MIT

// A scene run by itself, and one number for what became of it.

#include "scene_hash.h"

#include "voxel_scene.h"

#include <time.h>

static double tnwGetClock(void)
{
	struct timespec now;
	timespec_get(&now, TIME_UTC);
	return (double)now.tv_sec + 1.0e-9 * (double)now.tv_nsec;
}

static tnsResult tnwHashVoxels(const char* path, int stepCount, int workerCount, tnwSceneHash* hash)
{
	tnsResult result;
	tnsVoxelScene* scene = tnsLoadVoxelScene(path, &result);
	tnVoxelWorldDef hooks = tnDefaultVoxelWorldDef();
	hooks.memoryLimit = TNS_DEFAULT_MEMORY_LIMIT;
	hooks.tasks.workerCount = workerCount > 0 ? workerCount : hooks.tasks.workerCount;
	tnsVoxelRun* run = scene != NULL ? tnsVoxelScene_BeginWith(scene, &hooks, &result) : NULL;
	const double begin = tnwGetClock();
	for (int step = 0; step < stepCount && result.status == tns_ok; ++step)
	{
		result = tnsVoxelRun_Step(run);
	}
	if (result.status == tns_ok)
	{
		hash->seconds = tnwGetClock() - begin;
		hash->hash = tnVoxelWorld_GetHash(tnsVoxelRun_GetWorld(run));
	}
	tnsDestroyVoxelRun(run);
	tnsDestroyVoxelScene(scene);
	return result;
}

tnsResult tnwHashScene(const char* path, int stepCount, int workerCount, tnwSceneHash* hash)
{
	*hash = (tnwSceneHash){0};
	if (tnsIsVoxelSceneFile(path))
	{
		return tnwHashVoxels(path, stepCount, workerCount, hash);
	}
	tnsResult result;
	tnsScene* scene = tnsLoadScene(path, &result);
	if (scene == NULL)
	{
		return result;
	}
	tnsRun* run = NULL;
	tnsOverrides overrides = tnsDefaultOverrides();
	overrides.workerCount = workerCount;
	result = tnsStartScene(scene, &overrides, &run);
	const double begin = tnwGetClock();
	for (int step = 0; step < stepCount && result.status == tns_ok; ++step)
	{
		result = tnsRun_Step(run);
	}
	if (result.status == tns_ok)
	{
		hash->seconds = tnwGetClock() - begin;
		hash->hash = tnWorld_GetHash(tnsRun_GetWorld(run));
	}
	tnsDestroyRun(run);
	tnsDestroyScene(scene);
	return result;
}
