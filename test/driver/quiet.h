// SPDX-License-Identifier: MIT

#pragma once

// Long quiet worlds: closed, with every layer, and nothing that brings water or energy. What may happen in an hour that no
// short test sees: energy that grows a little in each step, water that is lost or found, lakes that never come to rest,
// memory that is not given back, particles that stay in the air.

#include <tarn/tarn.h>

#include <stdbool.h>
#include <stdint.h>

typedef struct QuietReport
{
	char world[256];
	// Kinetic energy of flow and waves, over density, m^5/s^2: mean of the first minute and largest mean of a later one.
	double firstEnergy, mostEnergy;
	// The same of all energy of the flow above that of rest, in worlds without bodies, waves and spray.
	double firstTotal, mostTotal;
	// Of the ledger, as a share of the volume.
	double drift;
	// Fastest water at the end, m/s, and how far still lakes are from their level, m.
	double speed, unrest;
	double oldestSpray;
	int64_t stepCount;
	// How often the number of sub-steps has changed. Ponds only.
	int64_t changeCount;
	bool isStill;
	// What is wrong. Empty if nothing is.
	char text[256];
} QuietReport;

// @param seconds of the water
bool QuietRun(uint64_t seed, double seconds, QuietReport* report);

// Ponds whose depths lie around the limits of one, two and three sub-steps, for all methods, for hosts that keep their time
// step and that alternate between two, with sub-steps to spare and without: so many of them with so many depths a limit.
int QuietGetPondCount(int depthCount);
// @param number of [0, QuietGetPondCount(depthCount))
bool QuietRunPond(int number, int depthCount, double seconds, QuietReport* report);
