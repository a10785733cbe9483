// SPDX-License-Identifier: MIT

#pragma once

// Scenes that tests read from texts and run.

#include "harness.h"
#include "scene.h"

#include <string.h>

typedef struct Play
{
	tnsScene* scene;
	tnsRun* run;
	tnWorld* world;
} Play;

static inline tnsScene* Parse(const char* text, tnsResult* result)
{
	return tnsParseScene(text, strlen(text), "s.json", NULL, result);
}

static inline int Start(const char* text, int workerCount, Play* play)
{
	tnsResult result;
	*play = (Play){0};
	play->scene = Parse(text, &result);
	ENSURE_TEXT(result.text, "");
	tnsOverrides overrides = tnsDefaultOverrides();
	overrides.workerCount = workerCount;
	result = tnsStartScene(play->scene, &overrides, &play->run);
	ENSURE_TEXT(result.text, "");
	play->world = tnsRun_GetWorld(play->run);
	return 0;
}

static inline int Run(const Play* play, double seconds)
{
	const double end = tnsRun_GetTime(play->run) + seconds - 0.001;
	while (tnsRun_GetTime(play->run) < end)
	{
		const tnsResult result = tnsRun_Step(play->run);
		ENSURE_TEXT(result.text, "");
	}
	return 0;
}

static inline void Stop(Play* play)
{
	tnsDestroyRun(play->run);
	tnsDestroyScene(play->scene);
	*play = (Play){0};
}
