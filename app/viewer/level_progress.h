// SPDX-License-Identifier: MIT

#pragma once

#include <stdbool.h>
#include <stddef.h>

/// @file How levels have been won, kept in a small file of the user: a line for each result that was better than all before, in tarn/levels
/// of XDG_STATE_HOME, or of ~/.local/state. Where there is no such place nothing is kept, and nobody is told.

/// Most stars and shortest time in seconds of water, of all times that a level was won. No stars: never. No seconds: not known.
typedef struct LevelResult
{
	int stars;
	double seconds;
} LevelResult;

/// @param stem the name of its file without folder and ending
LevelResult FindLevelResult(const char* stem);
/// Keep it if it is better.
void KeepLevelResult(const char* stem, LevelResult result);
