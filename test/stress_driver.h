// SPDX-License-Identifier: MIT

#pragma once

// Turns bytes into calls of the public interface: a small world with some edges, knobs and layers, then terrain, water,
// sources, weather, queries, steps, mostly with sensible values and now and then with absurd ones. Every promise that
// can be checked from outside is checked after every call. Used by a fuzz target, which finds the bytes, and by a test,
// which makes them from a seed.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct StressReport
{
	int callCount, refusedCount, stepCount;
	// Steps of the shallow method, and changes of method or advection.
	int shallowStepCount, methodChangeCount;
	// Of the first world at the end.
	uint64_t hash;
	// Most sub-steps of a step, and most tiles of a world that slept while others were awake.
	int maxSubSteps, maxSleepingTiles;
	// Was a second world compared bit by bit?
	bool hadTwin;
	// The promise that was broken and the call that broke it. Empty if all held.
	char text[512];
} StressReport;

// Returns false if a promise was broken. Does not keep the bytes.
bool StressRun(const uint8_t* bytes, size_t size, StressReport* report);
