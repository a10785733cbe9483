// SPDX-License-Identifier: MIT

#pragma once

#include "bench/bench_run.h"

/// @file What the surface for renderers costs: `tarn bench --surface`.

/// Print a line for each. @return an ExitCode
int RunSurfaceBench(const BenchRun* config);
