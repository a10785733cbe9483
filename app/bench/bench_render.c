// SPDX-License-Identifier: MIT

// What a picture costs, pass by pass, drawn in memory: `tarn bench --render`.

#include "bench/bench_render.h"

#include "bench/bench_worlds.h"
#include "commands/options.h"
#include "headless.h"
#include "system/platform.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum
{
	pictureWidth = 1280,
	pictureHeight = 720,
	// Steps before the hash, as in the other entries.
	hashStepCount = 16,
};

// Of water between two frames, seconds: a game at 60 frames per second.
static const float s_frameStep = 1.0f / 60.0f;

// Shores that keep changing: ground and water both fill the picture. Meters per cell and Manning's n as in the entries
// for the flow.
#define RENDER_ENTRY(size, method)                                                                                    \
	{                                                                                                                 \
		"render_" #size, "", benchShores, method, tn_conservativeAdvection, tn_depthSection, 0.0f, 0.03f, size, size, \
			1, tn_simdAuto, false, 0                                                                                  \
	}

static const BenchEntry s_entries[] = {
	RENDER_ENTRY(256, tn_shallowMethod),
	RENDER_ENTRY(512, tn_shallowMethod),
	// The same lake without the wave layer, and with it.
	{"lake_256", "", benchStillLake, tn_pipeMethod, tn_conservativeAdvection, tn_depthSection, 0.0f, 0.0f, 256, 256, 1,
		tn_simdAuto, false, 0},
	{"waves_256", "", benchRings, tn_pipeMethod, tn_conservativeAdvection, tn_depthSection, 0.0f, 0.0f, 256, 256, 1,
		tn_simdAuto, false, 0},
};

// The surface of lakes is 18 m high.
static const tnrCamera s_swimmer = {
	.eye = {128.0f, 20.0f, 150.0f}, .target = {128.0f, 18.0f, 128.0f}, .fieldOfView = 0.9f};

static void PrintRenderHeader(bool csv)
{
	if (csv)
	{
		puts("name,columns,rows,width,height,upload_ms,terrain_ms,water_ms,overlay_ms,total_ms,triangles,hash,device");
	}
	else
	{
		printf("%-12s %7s %6s %10s %10s %10s %10s %10s %10s %10s  %-16s  %s\n", "name", "columns", "rows", "pixels",
			"upload_ms", "terrain_ms", "water_ms", "overlay_ms", "total_ms", "triangles", "hash", "device");
	}
}

static void PrintRenderLine(
	const BenchEntry* entry, bool csv, const tnrTimings* timings, uint64_t hash, const char* device)
{
	printf(csv ? "%s,%d,%d,%d,%d,%.4f,%.4f,%.4f,%.4f,%.4f,%d,%016" PRIx64 ",\"%s\"\n"
			   : "%-12s %7d %6d %5dx%-4d %10.3f %10.3f %10.3f %10.3f %10.3f %10d  %016" PRIx64 "  %s\n",
		entry->name, entry->columnCount, entry->rowCount, pictureWidth, pictureHeight, (double)timings->upload,
		(double)timings->terrain, (double)timings->water, (double)timings->overlay, (double)timings->total,
		timings->triangles, hash, device);
	fflush(stdout);
}

static tnResult StepWater(tnWorld* world, int stepCount)
{
	tnResult result = {.status = tn_ok};
	for (int i = 0; i < stepCount && result.status == tn_ok; ++i)
	{
		result = tnWorld_Step(world, s_frameStep);
	}
	return result;
}

// The quickest of some frames of moving water.
static tnResult TimeFrames(tnrHeadless* headless, tnrRenderer* renderer, tnWorld* world, int runCount, tnrTimings* best)
{
	tnrFrame frame = {
		// All of a world with shores; of a lake what a swimmer sees.
		.camera = tnWorld_GetDef(world).method == tn_pipeMethod ? s_swimmer : tnrGetOverview(world),
		.look = tnrDefaultLook(),
		.framebuffer = tnrHeadless_GetFramebuffer(headless),
		.width = pictureWidth,
		.height = pictureHeight,
	};
	tnResult result = {.status = tn_ok};
	*best = (tnrTimings){.total = INFINITY};
	tnrRenderer_SetMeasuring(renderer, true);
	// One more: the first brings in shaders and textures.
	for (int run = 0; run <= runCount && result.status == tn_ok && !WasInterrupted(); ++run)
	{
		result = StepWater(world, 1);
		frame.time = run * (double)s_frameStep;
		// Between two states, as most frames of a game are.
		tnrRenderer_Update(renderer, world, 0.5f);
		tnrRenderer_Draw(renderer, &frame);
		const tnrTimings timings = tnrRenderer_GetTimings(renderer);
		if (run > 0 && timings.total < best->total)
		{
			*best = timings;
		}
	}
	return result;
}

static int RunRenderEntry(
	const BenchEntry* entry, const RenderBenchConfig* config, tnrHeadless* headless, tnrRenderer* renderer)
{
	tnWorld* world;
	tnResult result = CreateBenchWorld(entry, config->workerCount, &world);
	if (result.status != tn_ok)
	{
		fprintf(stderr, "tarn bench: %s: %s\n", entry->name, result.text);
		return exitWorld;
	}
	tnrResult drawing = {.ok = true};
	tnrTimings timings = {0};
	result = StepWater(world, hashStepCount);
	const uint64_t hash = tnWorld_GetHash(world);
	if (result.status == tn_ok)
	{
		drawing = tnrRenderer_SetWorld(renderer, world, NULL);
	}
	if (result.status == tn_ok && drawing.ok)
	{
		result = TimeFrames(headless, renderer, world, config->runCount, &timings);
	}
	tnDestroyWorld(world);
	if (result.status != tn_ok || !drawing.ok)
	{
		fprintf(stderr, "tarn bench: %s: %s\n", entry->name, drawing.ok ? result.text : drawing.text);
		return exitWorld;
	}
	if (!WasInterrupted())
	{
		PrintRenderLine(entry, config->csv, &timings, hash, tnrHeadless_GetDeviceName(headless));
	}
	return exitOk;
}

int RunRenderBench(const RenderBenchConfig* config)
{
	tnrResult drawing;
	tnrHeadless* headless = tnrCreateHeadless(pictureWidth, pictureHeight, &drawing);
	tnrRenderer* renderer = headless != NULL ? tnrCreateRenderer(&drawing) : NULL;
	int exitCode = exitOk;
	if (renderer == NULL)
	{
		fprintf(stderr, "tarn bench: --render: cannot draw: %s\n", drawing.text);
		exitCode = exitFile;
	}
	else
	{
		PrintRenderHeader(config->csv);
		for (size_t i = 0; i < sizeof(s_entries) / sizeof(s_entries[0]) && !WasInterrupted(); ++i)
		{
			const int code = RunRenderEntry(s_entries + i, config, headless, renderer);
			exitCode = code > exitCode ? code : exitCode;
		}
	}
	tnrDestroyRenderer(renderer);
	tnrDestroyHeadless(headless);
	return exitCode;
}
