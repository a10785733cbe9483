// SPDX-License-Identifier: MIT

#pragma once

#include "scene.h"

/// @file One number for a scene after so many steps, so that the browser, node and a native program can be compared.

/// What one run of a scene gave.
typedef struct tnwSceneHash
{
	/// tnWorld_GetHash at the end.
	uint64_t hash;
	/// Wall clock of the steps alone, seconds.
	double seconds;
} tnwSceneHash;

/// Run a scene by itself, not the one that is on the screen.
/// @param workerCount 0: as the library chooses
tnsResult tnwHashScene(const char* path, int stepCount, int workerCount, tnwSceneHash* hash);
