// SPDX-License-Identifier: MIT

#pragma once

#include "bench/bench_run.h"

/// @file What water in the air costs: `tarn bench --spray`.

/// Print a line for each. @return an ExitCode
int RunSprayBench(const BenchRun* config);
