// SPDX-License-Identifier: MIT

#pragma once

#include <stdbool.h>
#include <stddef.h>

/// @file Where scenes are.

enum
{
	maxScenePath = 1024,
	maxScenePathError = 2 * maxScenePath,
};

/// "river_valley" for "scenes/river_valley.json".
void GetSceneStem(const char* path, char* stem, size_t size);

/// The file that a word of the user means: a path, or the name of a scene. Names are looked for in the folder that the
/// environment variable TARN_SCENES names, in scenes here, in ../share/tarn/scenes beside the program, where an
/// installation has them, and in those of the source folder; in each in the folders voxels and levels in it too.
/// @param error receives one line if the result is false: TARN_SCENES is no folder, or no scene has that name
bool FindScenePath(const char* word, char* path, size_t size, char* error, size_t errorSize);

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
