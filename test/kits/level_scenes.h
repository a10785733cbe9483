// SPDX-License-Identifier: MIT

#pragma once

// Small levels that tests write as texts.

#include "level_script.h"

// 11.5 x 8.5 m under half a meter of still water.
#define LAKE                                                                                                      \
	"{\"world\": {\"columns\": 23, \"rows\": 17, \"cellSize\": 0.5}, \"timeStep\": 0.02, \"water\": {\"level\": " \
	"0.5}, "                                                                                                      \
	"\"tracers\": [\"dye\"], "
#define DRY "{\"world\": {\"columns\": 43, \"rows\": 31, \"cellSize\": 0.5}, \"timeStep\": 0.02, "
#define REGION "\"regions\": [{\"name\": \"r\", \"shape\": \"box\", \"x\": 4, \"z\": 4, \"width\": 3, \"length\": 2}], "
#define HEAD "\"level\": {\"title\": \"T\", \"classes\": \"G1 C1\", \"story\": \"S\", \"timeLimit\": 5, "
#define GOAL "{\"label\": \"g\", \"measure\": \"depth\", \"region\": \"r\", \"atLeast\": 9}"

static inline int Begin(const char* text, LevelPlay* play)
{
	tnsResult result;
	*play = (LevelPlay){0};
	play->scene = tnsParseScene(text, strlen(text), "s.json", NULL, &result);
	ENSURE_TEXT(result.text, "");
	result = tnsStartScene(play->scene, NULL, &play->run);
	ENSURE_TEXT(result.text, "");
	play->world = tnsRun_GetWorld(play->run);
	play->level = tnsCreateLevel(play->run, &result);
	ENSURE_TEXT(result.text, "");
	ENSURE(play->level != NULL);
	return 0;
}

static inline int PlayFor(LevelPlay* play, double seconds)
{
	const double end = tnsRun_GetTime(play->run) + seconds - 0.001;
	while (tnsRun_GetTime(play->run) < end)
	{
		ENSURE(StepLevel(play, NULL, 0) == 0);
	}
	return 0;
}
