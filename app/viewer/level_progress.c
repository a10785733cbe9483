// SPDX-License-Identifier: MIT

// How levels have been won, in a small file of the user.

#include "viewer/level_progress.h"

#include "commands/scene_paths.h"
#include "system/platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The folder, or with a name the file in it. Empty if the user has no place for such things.
static void GetStatePath(const char* name, char* path, size_t size)
{
	const char* state = getenv("XDG_STATE_HOME");
	const char* home = getenv("HOME");
	path[0] = '\0';
	// Relative ones are to be ignored, says the standard of these folders.
	if (state != NULL && state[0] == '/')
	{
		snprintf(path, size, "%s/tarn%s", state, name);
	}
	else if (home != NULL && home[0] == '/')
	{
		snprintf(path, size, "%s/.local/state/tarn%s", home, name);
	}
}

// Levels are known by their names, wherever among the others they stand: the number before it does not count.
static const char* SkipNumber(const char* stem)
{
	const size_t digits = strspn(stem, "0123456789");
	return digits > 0 && stem[digits] == '_' ? stem + digits + 1 : stem;
}

// "name", or "name stars seconds".
static bool ReadLine(char* line, const char* name, LevelResult* best)
{
	char* end = line + strcspn(line, " \r\n");
	const char* rest = *end != '\0' ? end + 1 : end;
	*end = '\0';
	if (strcmp(SkipNumber(line), name) != 0)
	{
		return false;
	}
	LevelResult found = {1, 0.0};
	if (sscanf(rest, "%d %lf", &found.stars, &found.seconds) != 2 || found.stars < 1 || !(found.seconds > 0.0))
	{
		found = (LevelResult){1, 0.0};
	}
	best->stars = found.stars > best->stars ? found.stars : best->stars;
	const bool better = found.seconds > 0.0 && (best->seconds == 0.0 || found.seconds < best->seconds);
	best->seconds = better ? found.seconds : best->seconds;
	return true;
}

LevelResult FindLevelResult(const char* stem)
{
	char path[maxScenePath], line[maxScenePath];
	GetStatePath("/levels", path, sizeof(path));
	FILE* file = path[0] != '\0' ? fopen(path, "r") : NULL;
	LevelResult best = {0};
	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
	{
		(void)ReadLine(line, SkipNumber(stem), &best);
	}
	if (file != NULL)
	{
		fclose(file);
	}
	return best;
}

void KeepLevelResult(const char* stem, LevelResult result)
{
	char path[maxScenePath];
	const LevelResult kept = FindLevelResult(stem);
	const bool better = result.stars > kept.stars ||
		(result.stars > 0 && result.seconds > 0.0 && (kept.seconds == 0.0 || result.seconds < kept.seconds));
	GetStatePath("", path, sizeof(path));
	if (better == false || path[0] == '\0' || MakeFolders(path) == false)
	{
		return;
	}
	GetStatePath("/levels", path, sizeof(path));
	FILE* file = fopen(path, "a");
	if (file != NULL)
	{
		fprintf(file, "%s %d %.3f\n", SkipNumber(stem), result.stars, result.seconds);
		fclose(file);
	}
}
