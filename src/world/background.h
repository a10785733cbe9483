// SPDX-License-Identifier: MIT

#pragma once

#include "../core/archive.h"
#include "../core/side_thread.h"
#include "tarn/world.h"

// A step beside the host: world_background.c.

enum
{
	TN_SHOWN_FIELDS = 96,
};

typedef struct tnBackground
{
	tnSideThread* thread;
	bool running; // written by the host's thread only
	float timeStep;
	// A world of its own that is what this one was before the step. It is what hosts read while it runs.
	struct tnWorld* shown;
	// Fields of the world, and whether they were there when `shown` was made what it is.
	tnArchiveField fields[TN_SHOWN_FIELDS];
	bool isNew[TN_SHOWN_FIELDS];
	int fieldCount, fieldCountBefore;
	uint8_t* bytes; // what is not in fields
	size_t byteCapacity;
	// tnTiles.changes when `shown` was made what it is.
	uint32_t* seen;
} tnBackground;

// Wait for the step, if one is running, and give all back.
void tnWorld_EndBackground(struct tnWorld* world);
