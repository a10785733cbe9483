// SPDX-License-Identifier: MIT

#pragma once

#include <stdbool.h>

/// @file What water in the air costs: `tarn bench --spray`.

typedef struct SprayBenchConfig
{
	int workerCount, runCount;
	/// Length of a timed run.
	double seconds;
	bool csv;
} SprayBenchConfig;

/// Print a line for each. @return an ExitCode
int RunSprayBench(const SprayBenchConfig* config);
