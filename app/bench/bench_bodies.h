// SPDX-License-Identifier: MIT

#pragma once

#include "bench/bench_run.h"

/// @file What bodies cost, beside the same water without them: `tarn bench --bodies`.

/// Print a line for each method. @return an ExitCode
int RunBodyBench(const BenchRun* config);
