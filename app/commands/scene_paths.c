// SPDX-License-Identifier: MIT

// Where scenes are: names become paths, and a folder becomes a list.

#define _POSIX_C_SOURCE 200809L

#include "commands/scene_paths.h"

#include "system/platform.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void GetSceneStem(const char* path, char* stem, size_t size)
{
	const char* slash = strrchr(path, '/');
	snprintf(stem, size, "%s", slash != NULL ? slash + 1 : path);
	char* dot = strrchr(stem, '.');
	if (dot != NULL && dot != stem)
	{
		*dot = '\0';
	}
}

void FindScenePath(const char* word, char* path, size_t size)
{
	snprintf(path, size, "%s", word);
	if (!IsFile(path) && strpbrk(word, "/.") == NULL)
	{
		static const char* const folders[] = {"scenes", "scenes/voxels", "scenes/levels"};
		for (int i = 0; i < 3 && !IsFile(path); ++i)
		{
			char known[maxScenePath];
			snprintf(known, sizeof(known), "%s/%s.json", folders[i], word);
			snprintf(path, size, "%s", IsFile(known) ? known : word);
		}
	}
}

static int ComparePaths(const void* a, const void* b)
{
	return strcmp(*(char* const*)a, *(char* const*)b);
}

static bool AddPath(char*** paths, int* count, const char* path)
{
	char** more = realloc(*paths, (size_t)(*count + 1) * sizeof(char*));
	if (more == NULL)
	{
		return false;
	}
	*paths = more;
	const size_t size = strlen(path) + 1;
	more[*count] = malloc(size);
	if (more[*count] == NULL)
	{
		return false;
	}
	memcpy(more[*count], path, size);
	*count += 1;
	return true;
}

int ListScenesBeside(const char* path, char*** paths)
{
	char folder[maxScenePath];
	const char* slash = strrchr(path, '/');
	const int length = slash != NULL ? (int)(slash - path) + 1 : 0;
	snprintf(folder, sizeof(folder), "%.*s", length, path);
	*paths = NULL;
	int count = 0;
	DIR* directory = opendir(length > 0 ? folder : ".");
	if (directory == NULL)
	{
		return 0;
	}
	for (const struct dirent* entry = readdir(directory); entry != NULL; entry = readdir(directory))
	{
		char file[maxScenePath];
		const size_t nameLength = strlen(entry->d_name);
		const int needed = snprintf(file, sizeof(file), "%s%s", folder, entry->d_name);
		const bool isScene = nameLength > 5 && strcmp(entry->d_name + nameLength - 5, ".json") == 0;
		if (isScene && needed < (int)sizeof(file) && IsFile(file) && AddPath(paths, &count, file) == false)
		{
			break;
		}
	}
	closedir(directory);
	if (count > 1)
	{
		qsort(*paths, (size_t)count, sizeof(char*), ComparePaths);
	}
	return count;
}

static bool EndsWith(const char* text, const char* end)
{
	const size_t length = strlen(text), endLength = strlen(end);
	return length >= endLength && strcmp(text + length - endLength, end) == 0;
}

bool IsLevelPath(const char* path)
{
	const char* slash = strrchr(path, '/');
	char folder[maxScenePath];
	snprintf(folder, sizeof(folder), "%.*s", slash != NULL ? (int)(slash - path) : 0, path);
	return EndsWith(folder, "scenes/levels");
}

bool AreBeside(const char* a, const char* b)
{
	const char* slashA = strrchr(a, '/');
	const char* slashB = strrchr(b, '/');
	const size_t lengthA = slashA != NULL ? (size_t)(slashA - a) : 0;
	const size_t lengthB = slashB != NULL ? (size_t)(slashB - b) : 0;
	return lengthA == lengthB && strncmp(a, b, lengthA) == 0;
}

int ListScenesAround(const char* path, char*** paths)
{
	static const char* const inner[] = {"/voxels", "/levels"};
	char folder[maxScenePath];
	const char* slash = strrchr(path, '/');
	snprintf(folder, sizeof(folder), "%.*s", slash != NULL ? (int)(slash - path) : 0, path);
	for (int i = 0; i < 2; ++i)
	{
		char full[32];
		snprintf(full, sizeof(full), "scenes%s", inner[i]);
		folder[strlen(folder) - (EndsWith(folder, full) ? strlen(inner[i]) : 0)] = '\0';
	}
	if (EndsWith(folder, "scenes") == false)
	{
		return ListScenesBeside(path, paths);
	}
	// Files of any name there.
	char place[maxScenePath + 16];
	snprintf(place, sizeof(place), "%s/", folder);
	int count = ListScenesBeside(place, paths);
	for (int i = 0; i < 2; ++i)
	{
		char** more;
		snprintf(place, sizeof(place), "%s%s/", folder, inner[i]);
		const int moreCount = ListScenesBeside(place, &more);
		for (int k = 0; k < moreCount && AddPath(paths, &count, more[k]); ++k)
		{
		}
		FreeScenePaths(more, moreCount);
	}
	return count;
}

void FreeScenePaths(char** paths, int count)
{
	for (int i = 0; i < count; ++i)
	{
		free(paths[i]);
	}
	free(paths);
}
