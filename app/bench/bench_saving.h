// SPDX-License-Identifier: MIT

#pragma once

#include "bench/bench_run.h"

/// @file What it costs to keep a world and to go back: `tarn bench --saving`.

/// Print a line for each. @return an ExitCode
int RunSavingBench(const BenchRun* config);
