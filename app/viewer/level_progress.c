// SPDX-License-Identifier: MIT

// Which levels have been won, in a small file of the user.

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

bool WasLevelWon(const char* stem)
{
	char path[maxScenePath], line[maxScenePath];
	GetStatePath("/levels", path, sizeof(path));
	FILE* file = path[0] != '\0' ? fopen(path, "r") : NULL;
	bool won = false;
	while (file != NULL && won == false && fgets(line, sizeof(line), file) != NULL)
	{
		line[strcspn(line, "\r\n")] = '\0';
		won = strcmp(line, stem) == 0;
	}
	if (file != NULL)
	{
		fclose(file);
	}
	return won;
}

void KeepLevelWon(const char* stem)
{
	char path[maxScenePath];
	GetStatePath("", path, sizeof(path));
	if (WasLevelWon(stem) || path[0] == '\0' || MakeFolders(path) == false)
	{
		return;
	}
	GetStatePath("/levels", path, sizeof(path));
	FILE* file = fopen(path, "a");
	if (file != NULL)
	{
		fprintf(file, "%s\n", stem);
		fclose(file);
	}
}
