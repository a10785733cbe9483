// SPDX-License-Identifier: MIT

// Where scenes are: names become paths, and a folder becomes a list.

#define _POSIX_C_SOURCE 200809L

#include "commands/scene_paths.h"

#include "system/platform.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

enum
{
	maxPlaces = 4,
};

// Folders in which scenes have names, first come first. TARN_SCENES is not asked whether it is there.
static int ListPlaces(char places[maxPlaces][maxScenePath])
{
	int count = 0;
	const char* chosen = getenv("TARN_SCENES");
	if (chosen != NULL && chosen[0] != '\0')
	{
		snprintf(places[count++], maxScenePath, "%s", chosen);
	}
	snprintf(places[count++], maxScenePath, "scenes");
	char program[maxScenePath];
	if (GetProgramFolder(program, sizeof(program)))
	{
		const int length = snprintf(places[count], maxScenePath, "%s/../share/tarn/scenes", program);
		count += length < maxScenePath ? 1 : 0;
	}
#ifdef TARN_SOURCE_SCENES
	snprintf(places[count++], maxScenePath, "%s", TARN_SOURCE_SCENES);
#endif
	return count;
}

static bool FindInPlace(const char* place, const char* name, char* path, size_t size)
{
	static const char* const inner[] = {"", "/voxels", "/levels"};
	for (int i = 0; i < 3; ++i)
	{
		const int length = snprintf(path, size, "%s%s/%s.json", place, inner[i], name);
		if (length > 0 && (size_t)length < size && IsFile(path))
		{
			return true;
		}
	}
	return false;
}

bool FindScenePath(const char* word, char* path, size_t size, char* error, size_t errorSize)
{
	error[0] = '\0';
	snprintf(path, size, "%s", word);
	// What looks like a path or is there is one: who reads it says what is wrong with it.
	if (access(path, F_OK) == 0 || word[0] == '\0' || strpbrk(word, "/.") != NULL)
	{
		return true;
	}
	const char* chosen = getenv("TARN_SCENES");
	if (chosen != NULL && chosen[0] != '\0' && (strlen(chosen) >= maxScenePath || !IsFolder(chosen)))
	{
		snprintf(error, errorSize, "TARN_SCENES must be a folder with scenes in it, got '%.300s'", chosen);
		return false;
	}
	char places[maxPlaces][maxScenePath];
	const int count = ListPlaces(places);
	for (int i = 0; i < count; ++i)
	{
		if (FindInPlace(places[i], word, path, size))
		{
			return true;
		}
	}
	int length = snprintf(error, errorSize, "%.100s: there is no such file, and no scene of that name in", word);
	for (int i = 0; i < count && length > 0 && (size_t)length < errorSize; ++i)
	{
		if (i == 0 || IsFolder(places[i]))
		{
			length += snprintf(error + length, errorSize - (size_t)length, "%s %.400s", i > 0 ? "," : "", places[i]);
		}
	}
	snprintf(path, size, "%s", word);
	return false;
}

// Is this a folder of scenes that has those of voxels and levels in it?
static bool IsPlace(const char* folder, size_t length)
{
	static const char name[] = "scenes";
	const size_t nameLength = sizeof(name) - 1;
	if (length >= nameLength && strncmp(folder + length - nameLength, name, nameLength) == 0)
	{
		return true;
	}
	const char* chosen = getenv("TARN_SCENES");
	size_t chosenLength = chosen != NULL ? strlen(chosen) : 0;
	while (chosenLength > 1 && chosen[chosenLength - 1] == '/')
	{
		chosenLength -= 1;
	}
	while (length > 1 && folder[length - 1] == '/')
	{
		length -= 1;
	}
	return chosenLength > 0 && chosenLength == length && strncmp(folder, chosen, length) == 0;
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
	static const char inner[] = "/levels";
	const char* slash = strrchr(path, '/');
	char folder[maxScenePath];
	snprintf(folder, sizeof(folder), "%.*s", slash != NULL ? (int)(slash - path) : 0, path);
	return EndsWith(folder, inner) && IsPlace(folder, strlen(folder) - strlen(inner));
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
		const size_t outer = EndsWith(folder, inner[i]) ? strlen(folder) - strlen(inner[i]) : 0;
		if (outer > 0 && IsPlace(folder, outer))
		{
			folder[outer] = '\0';
			break;
		}
	}
	if (IsPlace(folder, strlen(folder)) == false)
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
