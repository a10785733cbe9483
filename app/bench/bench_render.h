// SPDX-License-Identifier: MIT

#pragma once

#include <stdbool.h>

/// @file What a picture costs, pass by pass.

typedef struct RenderBenchConfig
{
	int workerCount;
	/// Frames that are timed, the quickest counts.
	int runCount;
	bool csv;
} RenderBenchConfig;

/// Print a line for each world. @return an ExitCode
int RunRenderBench(const RenderBenchConfig* config);
