// SPDX-License-Identifier: MIT

#pragma once

#include <stdbool.h>

/// @file What the wave layer costs: `tarn bench --waves`.

typedef struct LayerBenchConfig
{
	int workerCount, runCount;
	/// Length of a timed run.
	double seconds;
	/// Bytes per second that as many threads read and write in place.
	double bandwidth;
	bool csv;
} LayerBenchConfig;

/// Print a line for each. @return an ExitCode
int RunLayerBench(const LayerBenchConfig* config);
