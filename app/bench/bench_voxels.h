// SPDX-License-Identifier: MIT

#pragma once

#include "bench/bench_run.h"

/// @file What worlds of voxels cost: `tarn bench --voxels`.

/// Print a line for each. @return an ExitCode
int RunVoxelBench(const BenchRun* config);
