// SPDX-License-Identifier: MIT

#pragma once

#include "bench/bench_run.h"
#include "tarn/world.h"

/// @file What the surface for renderers costs: `tarn bench --surface`.

/// Hills and lakes of 1 m cells, with the state before kept: of which all moves, or 4 x 4 tiles of 64 x 64 cells and those beside them,
/// or nothing (after some steps).
typedef enum BenchHills
{
	benchHillsAwake = 0,
	benchHillsTenth,
	benchHillsResting,
} BenchHills;

/// @param world receives the world, also if filling it failed
tnResult MakeBenchHills(BenchHills hills, int size, int workerCount, tnWorld** world);

/// Print a line for each. @return an ExitCode
int RunSurfaceBench(const BenchRun* config);
