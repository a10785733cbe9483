// SPDX-License-Identifier: MIT

#pragma once

#include "past/built.h"
#include "past/images.h"
#include "tools/hose.h"
#include "tools/tools.h"

// What a viewer remembers: the time line, strokes to undo and redo, and what was built.

typedef struct tnpMemory
{
	// Every so often while the water runs; and before each stroke, before each undo.
	tnpImages line, undo, redo;
	// Seconds between two images of the line: it grows when the line is full. And to the next one, which is more when the last was
	// slow to make.
	double interval, wait;
	// Which image of the line is shown, or -1: the water is where it is. The last one is the present then.
	int shown;
	tnpBuilt built;
} tnpMemory;

// What of a viewer is saved beside the run.
typedef struct tnpState
{
	char key[TNP_SCENE_KEY];
	int extraTracers;
	int64_t stepCount, strokeTicks;
	float kept[3];
	tnVec3 eye, target;
	tnpSprings springs;
	tnpHose hose;
	tnpBuilt built;
} tnpState;

// The run of a save that is being loaded, for whoever starts scenes.
typedef struct tnpLoading
{
	const uint8_t* bytes;
	size_t size;
	int extraTracers;
} tnpLoading;
