// SPDX-License-Identifier: MIT

// The surface of hills and lakes with waves on them: when all of it moves, when a tenth does, and at rest; after each step, and
// for another moment between the same two states. The hash is that of all texels.

#include "bench/bench_surface.h"

#include "commands/options.h"
#include "system/platform.h"
#include "tarn/tarn.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct SurfaceEntry
{
	const char* name;
	int size;
	BenchHills kind;
} SurfaceEntry;

static const SurfaceEntry s_entries[] = {
	{"awake_256", 256, benchHillsAwake},
	{"awake_512", 512, benchHillsAwake},
	{"awake_1024", 1024, benchHillsAwake},
	{"tenth_1024", 1024, benchHillsTenth},
	{"resting_1024", 1024, benchHillsResting},
};

enum
{
	warmSteps = 8,
	// In which water at rest falls asleep.
	restSteps = 200,
	// Steps whose texels are hashed.
	hashedSteps = 4,
};

static const float s_step = 0.025f;

typedef struct SurfaceLine
{
	double stepSeconds, updateSeconds, momentSeconds;
	int awake, changed;
	uint64_t hash;
} SurfaceLine;

static float GetBed(int column, int row)
{
	return 4.0f * sinf((float)column * 0.05f) * cosf((float)row * 0.04f) - 2.0f;
}

static tnResult FillWorld(BenchHills hills, int size, tnWorld* world)
{
	const size_t count = (size_t)size * (size_t)size;
	float* bed = malloc(count * sizeof(float));
	float* depth = malloc(count * sizeof(float));
	tnResult result = {.status = bed != NULL && depth != NULL ? tn_ok : tn_outOfMemory};
	for (size_t i = 0; i < count && result.status == tn_ok; ++i)
	{
		const int column = (int)(i % (size_t)size), row = (int)(i / (size_t)size);
		// A tenth of the world: 4 x 4 tiles behind a wall have waves, and those beside them are awake, too.
		const int yard = 4 * TN_SURFACE_TILE_SIZE;
		const bool moves = hills == benchHillsAwake || (hills == benchHillsTenth && column < yard && row < yard);
		const bool wall =
			hills == benchHillsTenth && ((column == yard - 1 && row < yard) || (row == yard - 1 && column < yard));
		bed[i] = hills == benchHillsAwake ? GetBed(column, row) : floorf(16.0f * GetBed(column, row)) / 16.0f;
		bed[i] += wall ? 8.0f : 0.0f;
		depth[i] = fmaxf(1.5f + (moves ? 0.3f * sinf((float)column * 0.3f) : 0.0f) - bed[i], 0.0f);
	}
	result = result.status == tn_ok ? tnWorld_SetTerrain(world, bed) : result;
	result = result.status == tn_ok ? tnWorld_SetDepths(world, depth) : result;
	free(bed);
	free(depth);
	return result;
}

tnResult MakeBenchHills(BenchHills hills, int size, int workerCount, tnWorld** world)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = def.rowCount = size;
	def.keepPrevious = true;
	def.tasks.workerCount = workerCount;
	tnResult result = tnCreateWorld(&def, world);
	return result.status == tn_ok ? FillWorld(hills, size, *world) : result;
}

static uint64_t HashTexels(const tnSurface* surface, uint64_t hash)
{
	// As of the default def: floats, and twice four halves.
	static const size_t bytes[3] = {4, 8, 8};
	for (int i = 0; i < tnSurface_GetTileCount(surface); ++i)
	{
		tnSurfaceTile tile;
		tnSurface_GetTile(surface, i, &tile);
		for (int layer = 0; layer < 3; ++layer)
		{
			const uint8_t* texels = tile.texels[layer];
			for (size_t j = 0; j < (size_t)tile.size * (size_t)tile.size * bytes[layer]; ++j)
			{
				hash = (hash ^ texels[j]) * 0x100000001B3ull;
			}
		}
	}
	return hash;
}

static tnResult StepOnce(tnWorld* world, tnSurface* surface, SurfaceLine* line)
{
	const double begin = GetSeconds();
	tnResult result = tnWorld_Step(world, s_step);
	const double stepped = GetSeconds();
	result = result.status == tn_ok ? tnSurface_Update(surface, world, 0.5f) : result;
	const double updated = GetSeconds();
	line->changed = tnSurface_TakeChanges(surface).count;
	const double asked = GetSeconds();
	result = result.status == tn_ok ? tnSurface_Update(surface, world, 0.75f) : result;
	const double moved = GetSeconds();
	tnSurface_TakeChanges(surface);
	line->stepSeconds = fmin(line->stepSeconds, stepped - begin);
	line->updateSeconds = fmin(line->updateSeconds, updated - stepped);
	line->momentSeconds = fmin(line->momentSeconds, moved - asked);
	line->awake = tnWorld_GetStats(world).awakeTileCount;
	return result;
}

static tnResult TimeSurface(const SurfaceEntry* entry, const BenchRun* config, SurfaceLine* line)
{
	tnWorld* world = NULL;
	tnSurface* surface = NULL;
	const tnSurfaceDef def = tnDefaultSurfaceDef();
	tnResult result = MakeBenchHills(entry->kind, entry->size, config->workerCount, &world);
	result = result.status == tn_ok ? tnCreateSurface(world, &def, &surface) : result;
	const int warm = entry->kind == benchHillsAwake ? warmSteps : restSteps;
	for (int i = 0; i < warm && result.status == tn_ok; ++i)
	{
		result = tnWorld_Step(world, s_step);
	}
	line->hash = 0xCBF29CE484222325ull;
	for (int i = 0; i < hashedSteps && result.status == tn_ok; ++i)
	{
		result = StepOnce(world, surface, line);
		line->hash = result.status == tn_ok ? HashTexels(surface, line->hash) : 0;
	}
	line->stepSeconds = line->updateSeconds = line->momentSeconds = INFINITY;
	for (int run = 0; run < config->runCount && result.status == tn_ok && !WasInterrupted(); ++run)
	{
		const double end = GetSeconds() + config->seconds;
		do
		{
			result = StepOnce(world, surface, line);
		} while (result.status == tn_ok && GetSeconds() < end && !WasInterrupted());
	}
	tnDestroySurface(surface);
	tnDestroyWorld(world);
	return result;
}

int RunSurfaceBench(const BenchRun* config)
{
	puts(config->csv ? "name,workers,awake,changed,ms_per_step,ms_per_update,ms_per_moment,hash"
					 : "name             workers  awake changed ms_per_step ms_per_update ms_per_moment  hash");
	for (size_t i = 0; i < sizeof(s_entries) / sizeof(s_entries[0]) && !WasInterrupted(); ++i)
	{
		SurfaceLine line = {INFINITY, INFINITY, INFINITY, 0, 0, 0};
		const tnResult result = TimeSurface(s_entries + i, config, &line);
		if (result.status != tn_ok)
		{
			fprintf(stderr, "tarn bench: %s: %s\n", s_entries[i].name, result.text);
			return exitWorld;
		}
		printf(config->csv ? "%s,%d,%d,%d,%.4f,%.4f,%.4f,%016" PRIx64 "\n"
						   : "%-16s %7d %6d %7d %11.3f %13.3f %13.3f  %016" PRIx64 "\n",
			s_entries[i].name, config->workerCount, line.awake, line.changed, 1000.0 * line.stepSeconds,
			1000.0 * line.updateSeconds, 1000.0 * line.momentSeconds, line.hash);
		fflush(stdout);
	}
	return exitOk;
}
