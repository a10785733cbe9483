// SPDX-License-Identifier: MIT

#include "bench/bench_render.h"
#include "commands/options.h"

#include <stdio.h>

// Stands in for bench_render.c where OpenGL ES 3 was not there at build time.
int RunRenderBench(const RenderBenchConfig* config)
{
	(void)config;
	fprintf(stderr,
		"tarn bench: --render: this tarn was built without a renderer: install the packages libegl-dev, libgles-dev "
		"and libgl1-mesa-dri (or what they are called here), and build again from an empty build folder\n");
	return exitFile;
}
