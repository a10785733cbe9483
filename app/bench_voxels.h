// SPDX-License-Identifier: MIT

#pragma once

#include <stdbool.h>

/// @file What worlds of voxels cost: `tarn bench --voxels`.

typedef struct VoxelBenchConfig
{
	int workerCount, runCount;
	/// Length of a timed run.
	double seconds;
	bool csv;
} VoxelBenchConfig;

/// Print a line for each. @return an ExitCode
int RunVoxelBench(const VoxelBenchConfig* config);
