// SPDX-License-Identifier: MIT

#pragma once

#include "scene.h"

#include <stdbool.h>
#include <stddef.h>

/// @file The window of `tarn view`: GLFW around the viewer of play/.

/// How a level was played, for studies.
typedef struct ViewerOutcome
{
	/// "playing", "won" or "lost".
	const char* state;
	/// Seconds of water of the last attempt.
	double seconds;
	int stars;
	/// How often it was begun.
	int attempts;
} ViewerOutcome;

typedef struct ViewerOptions
{
	/// Scenes to choose from, and the one to begin with.
	char** paths;
	int pathCount, firstScene;
	int width, height;
	int workerCount;
	/// MiB that a scene may have.
	int memory;
	bool allowOutside;
	/// Of all scenes with columns, levels too. The counts: what the scene says.
	tnMethod method;
	tnAdvection advection;
	/// Leave after so many pictures. 0: when the user does.
	int frameCount;
	bool paused, touch;
	/// As in tnrSetQuality.
	int quality;
	/// Receives how a level was played; the window closes by itself some seconds after its end. May be NULL.
	ViewerOutcome* outcome;
	/// A saved world to begin with, or NULL.
	const char* save;
	/// A file that gets a line for everything that happens, for tests. May be NULL.
	const char* log;
} ViewerOptions;

/// "1280x720"
bool ReadWindowSize(const char* text, int* width, int* height);

/// @return an ExitCode
int RunViewer(const ViewerOptions* options);

/// The scene of a saved world, by its name. False: it has been said on stderr why not.
bool ReadSaveScene(const char* path, char* name, size_t size);
