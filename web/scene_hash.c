// SPDX-License-Identifier: MIT

#include "scene_hash.h"

#include <time.h>

static double tnwGetClock(void)
{
	struct timespec now;
	timespec_get(&now, TIME_UTC);
	return (double)now.tv_sec + 1.0e-9 * (double)now.tv_nsec;
}

tnsResult tnwHashScene(const char* path, int stepCount, int workerCount, tnwSceneHash* hash)
{
	*hash = (tnwSceneHash){0};
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
