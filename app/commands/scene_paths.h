// SPDX-License-Identifier: MIT

#pragma once

#include <stdbool.h>
#include <stddef.h>

/// @file Where scenes are.

enum
{
	maxScenePath = 1024,
};

/// "river_valley" for "scenes/river_valley.json".
void GetSceneStem(const char* path, char* stem, size_t size);

/// The file that a word of the user means: a path, or the name of a scene in the folder scenes.
void FindScenePath(const char* word, char* path, size_t size);

/// Paths of all .json files in the folder of a file, in the order of their names. Free with FreeScenePaths.
/// @return how many; 0 if the folder cannot be read
int ListScenesBeside(const char* path, char*** paths);
/// The same, and for a file in a folder scenes, scenes/voxels or scenes/levels those of all three, levels last.
int ListScenesAround(const char* path, char*** paths);
/// Is a file in a folder scenes/levels?
bool IsLevelPath(const char* path);
/// Are two files in the same folder?
bool AreBeside(const char* a, const char* b);
void FreeScenePaths(char** paths, int count);
