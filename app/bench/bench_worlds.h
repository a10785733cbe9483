// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/tarn.h"

/// @file The worlds that `tarn bench` times. They are made of integer hashes and plain arithmetic, so that their bits,
/// and with them the hashes in the table, are the same everywhere.

typedef enum BenchKind
{
	/// Waves on deep water: every cell wet, every tile awake.
	benchWaves = 0,
	/// Water that runs up and down many shores.
	benchShores,
	/// Waves that carry four tracers.
	benchTracers,
	/// Water at rest.
	benchStillLake,
	/// Waves that are sampled.
	benchSamples,
	/// Waves on deep water that runs in currents of about 1 m/s, every cell wet: the one state from which all methods are
	/// compared.
	benchCurrents,
	/// Waves with 200 bodies afloat over 2 % of the cells, all of them moved before every step.
	benchBodies,
	/// The same bodies, which stay where they are, and a time step that stays as it is.
	benchRestingBodies,
	/// The same water without them.
	benchNoBodies,
	/// The lake at rest, with a wave layer full of rings.
	benchRings,
} BenchKind;

typedef struct BenchEntry
{
	const char* name;
	const char* title;
	BenchKind kind;
	tnMethod method;
	tnAdvection advection;
	tnPipeSection section;
	/// As in tnWorldDef.
	float friction, manning;
	int columnCount, rowCount;
	/// Sub-steps per call.
	int subSteps;
	tnSimd simd;
	/// As a game has it: steps of 1/60 s, with waves, spray and foam.
	bool isGame;
	/// Of boxes, barrels and balls of 0.5 to 1.9 m; steps are then 1/30 s. 0 for 200 bodies of some 12 m, in worlds that have some.
	int smallBodyCount;
} BenchEntry;

int GetBenchEntryCount(void);
const BenchEntry* GetBenchEntry(int index);

enum
{
	/// Entries at most, for arrays of their names.
	BENCH_ENTRY_LIMIT = 128,
	/// Large bodies of the worlds that have some, and the most small ones.
	BENCH_BODY_COUNT = 200,
	BENCH_MOST_BODIES = 10000,
	/// Steps from the beginning to the hash.
	BENCH_HASH_STEPS = 16,
};

/// Bodies of a world that has some.
int GetBenchBodyCount(const BenchEntry* entry);

tnResult CreateBenchWorld(const BenchEntry* entry, int workerCount, tnWorld** world);

/// What steps came to.
typedef struct BenchSteps
{
	int64_t subSteps;
	double waterSeconds;
} BenchSteps;

/// A call of as many sub-steps as the entry wants. Bodies that move are moved before it. Adds to the sums.
tnResult StepBenchWorld(const BenchEntry* entry, tnWorld* world, BenchSteps* steps);

/// A number in [0, 1) that depends on nothing but its seed.
float BenchRandom(uint32_t seed);
