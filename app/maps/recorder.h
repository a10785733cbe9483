// SPDX-License-Identifier: MIT

#pragma once

#include "maps/map.h"
#include "scene.h"

#include <stdio.h>

/// @file What runs leave in a folder: pictures, raw fields, time series, a summary. Runs of one scene beside each other
/// share the pictures; the first has its other files in the folder itself, the others in a folder below it that has the
/// name of their method.

/// Fields to write raw, a bit each, in the order of the names of --dump.
typedef enum DumpBits
{
	dumpDepth = 1 << 0,
	dumpVelocity = 1 << 1,
	dumpTracer = 1 << 2,
	dumpBed = 1 << 3,
	dumpSurface = 1 << 4,
	dumpWaves = 1 << 5,
} DumpBits;

typedef struct RecorderDef
{
	const char* folder;
	unsigned dumps;
	/// Pixels per cell. 0: about 1000 pixels a picture.
	float pixelsPerCell;
	/// What the pictures show.
	MapMode mode;
} RecorderDef;

/// Numbers of the run itself, gathered while it goes.
typedef struct RunNumbers
{
	/// Steps taken, their seconds on the clock, and the seconds that pictures and files took.
	int64_t stepCount;
	double stepSeconds, recordSeconds;
	int64_t subStepCount;
	int mostSubSteps;
	/// Slowest waves over their true speed: below 1 if sub-steps were capped.
	float leastWaveSpeed;
	int mostAwakeTiles;
	bool interrupted;
} RunNumbers;

typedef struct Recorder Recorder;

/// Make the folders and open the time series.
/// @param runs of one scene, at most maxMapPanels, each with another method; they must outlive the recorder
/// @param result receives why not
/// @return NULL if it could not be done
Recorder* CreateRecorder(const RecorderDef* def, tnsRun* const* runs, int runCount, tnsResult* result);

/// NULL is allowed.
void DestroyRecorder(Recorder* recorder);

/// Write what is due after every step: gauges and events.
tnsResult RecordStep(Recorder* recorder);

/// Write the next picture, and the fields to dump.
tnsResult RecordFrame(Recorder* recorder);

/// Write final.png, the last fields and summary.json, and close the time series.
/// @param numbers one for each run
tnsResult RecordEnd(Recorder* recorder, const RunNumbers* numbers);

int GetFrameCount(const Recorder* recorder);

/// The entries of a ledger by name, for summaries.
typedef struct LedgerLine
{
	const char* name;
	double volume;
} LedgerLine;

enum
{
	ledgerLineCount = 15,
};

void ListLedger(const tnLedger* ledger, LedgerLine lines[ledgerLineCount]);
