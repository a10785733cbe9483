// SPDX-License-Identifier: MIT

#pragma once

// The random driver: bytes become calls of the public interface, of all of it, on twin worlds that must stay the same bit for
// bit. Every promise that can be checked from outside is checked after every call. Used by fuzz targets, which find the bytes,
// by tests, which make them from seeds, and by the program tarn_driver, which runs for as long as one likes, shrinks what
// fails and prints it as a program. docs/testing.md has the rest.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct DriverOptions
{
	// A world of voxels instead of one with a terrain.
	bool voxels;
	// One world only: nothing to compare with.
	bool alone;
	// One world with threads of its own: for the thread sanitizer, which takes its time.
	bool threads;
	// Let this allocation fail, 1 is the first one of the run. 0: none.
	int64_t failAt;
} DriverOptions;

typedef struct DriverReport
{
	int64_t callCount, refusedCount, stepCount;
	// Worlds that ran side by side.
	int twinCount;
	// Of what the first world asked for.
	int64_t allocationCount;
	// Of the first world at the end.
	uint64_t hash;
	// Steps of the shallow method, changes of method or advection, most tiles that slept while others were awake.
	int64_t shallowStepCount, methodChangeCount;
	int maxSleepingTiles;
	// Steps with waves, with bodies, with spray in the air.
	int64_t waveStepCount, bodyStepCount, sprayStepCount;
	// Steps in which nothing could give energy to the water.
	int64_t quietStepCount;
	// The check that failed and the function that broke the promise: what stays the same while a failure is shrunk.
	char check[96];
	// The promise that was broken, in words. Empty if all held.
	char text[768];
} DriverReport;

// Calls with the values that they were made with.
typedef struct DriverRecord DriverRecord;

DriverRecord* DriverCreateRecord(void);
void DriverDestroyRecord(DriverRecord* record);
int DriverGetCallCount(const DriverRecord* record);

// Returns false if a promise was broken. Keeps no bytes.
// @param record receives the calls, may be NULL
bool DriverRunBytes(
	const uint8_t* bytes, size_t size, const DriverOptions* options, DriverRecord* record, DriverReport* report);
// The same calls with the same values again.
bool DriverRunRecord(const DriverRecord* record, const DriverOptions* options, DriverReport* report);
// The calls that bytes stand for, without making them.
void DriverRecordBytes(const uint8_t* bytes, size_t size, const DriverOptions* options, DriverRecord* record);
// Bytes from a seed.
void DriverMakeBytes(uint64_t seed, uint8_t* bytes, int byteCount);

// The calls as a program in C that needs the public headers only.
void DriverPrint(const DriverRecord* record, const DriverReport* report, FILE* file);

// Does a record still fail in the same way? The program asks in a process of its own, so that crashes can be shrunk too.
typedef bool DriverFailsFcn(const DriverRecord* record, void* context);
// Leaves out calls and makes values simpler for as long as it fails.
void DriverShrink(DriverRecord* record, DriverFailsFcn* fails, void* context, int attemptLimit);

// How often a public function was called with success, and without, since the start of the process.
void DriverGetCounts(const char* function, int64_t* okCount, int64_t* refusedCount);
