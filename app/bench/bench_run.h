// SPDX-License-Identifier: MIT

#pragma once

#include <stdbool.h>

/// @file How the benchmarks that stand alone (`tarn bench --bodies` and its sisters) are to be run.

typedef struct BenchRun
{
	int workerCount, runCount;
	/// Length of a timed run.
	double seconds;
	bool csv;
} BenchRun;
