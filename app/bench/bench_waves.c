// SPDX-License-Identifier: MIT

// The pools that Ottosson (2011, tables 6.1 and 6.2) timed, as tiles of ours, and two other ways to move the waves of the
// same field: a convolution of 13 x 13 taps (Tessendorf 2004) and a pair of Fourier transforms.

#include "bench/bench_waves.h"

#include "bench/bench_worlds.h"
#include "commands/options.h"
#include "system/platform.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef TARN_HAVE_FFTW
#include <fftw3.h>
#endif

// The field of eight pyramids of 128 x 128 cells.
enum
{
	fieldColumns = 512,
	fieldRows = 256,
	warmSteps = 16,
};

// What a step must move per cell: height and rate, read and written.
static const double s_bytesPerCell = 16.0;

typedef enum Ground
{
	// 60 m of water: deep for all levels.
	groundDeep = 0,
	// From 60 m to dry land: every cell has its own kernel.
	groundShelving,
	// The same, with a current of 0.5 m/s.
	groundCurrent,
} Ground;

typedef struct LayerEntry
{
	const char* name;
	tnWaveKernel kernel;
	Ground ground;
	// Cells of the world, and tiles: all that it takes if 0.
	int columnCount, rowCount, tileCount;
} LayerEntry;

static const LayerEntry s_entries[] = {
	{"pyramids_8x128", tn_fineWaves, groundDeep, fieldColumns, fieldRows, 0},
	{"pyramids_8x128_quick", tn_quickWaves, groundDeep, fieldColumns, fieldRows, 0},
	{"pyramids_8x128_gaussian", tn_gaussianWaves, groundDeep, fieldColumns, fieldRows, 0},
	{"pyramids_8x128_shelving", tn_fineWaves, groundShelving, fieldColumns, fieldRows, 0},
	{"pyramids_8x128_current", tn_fineWaves, groundCurrent, fieldColumns, fieldRows, 0},
	// 4 of 64 x 64, 16 of 32 x 32, 64 of 16 x 16 cells, and all that is coarser: 74 000 cells, 18 tiles.
	{"pyramids_84", tn_fineWaves, groundDeep, 1024, 1024, 18},
};

typedef struct LayerLine
{
	int tileCount;
	double cells, seconds; // of one step
	uint64_t hash;
} LayerLine;

static tnResult FillLayerWorld(const LayerEntry* entry, tnWorld* world)
{
	const size_t count = (size_t)entry->columnCount * (size_t)entry->rowCount;
	float* bed = malloc(count * sizeof(float));
	if (bed == NULL)
	{
		return (tnResult){.status = tn_outOfMemory, .text = "no memory for the terrain"};
	}
	for (size_t i = 0; i < count; ++i)
	{
		const float share = (float)(i % (size_t)entry->columnCount) / (float)entry->columnCount;
		bed[i] = entry->ground == groundDeep ? -60.0f : -60.0f + 64.0f * share;
	}
	tnResult result = tnWorld_SetTerrain(world, bed);
	if (result.status == tn_ok)
	{
		result = tnWorld_FillToLevel(world, 0.0f);
	}
	if (result.status == tn_ok && entry->ground == groundCurrent)
	{
		for (size_t i = 0; i < count; ++i)
		{
			bed[i] = 0.5f;
		}
		result = tnWorld_SetVelocities(world, bed, bed);
	}
	free(bed);

	if (result.status == tn_ok && entry->tileCount > 0)
	{
		tnInterestDef interest = tnDefaultInterestDef();
		interest.position = (tnVec2){0.125f * (float)entry->columnCount, 0.125f * (float)entry->rowCount};
		tnInterestId id;
		result = tnWorld_CreateInterest(world, &interest, &id);
	}
	// Drops everywhere, so that every tile has something to do.
	for (int i = 0; i < 64 && result.status == tn_ok; ++i)
	{
		const tnVec2 position = {0.25f * (float)entry->columnCount * BenchRandom(2u * (uint32_t)i),
			0.25f * (float)entry->rowCount * BenchRandom(2u * (uint32_t)i + 1u)};
		const tnWaveEllipse ellipse = {position, {1.0f, 0.0f}, {2.0f, 3.0f}, 0.05f};
		result = tnWorld_AddWave(world, NULL, &ellipse);
	}
	return result;
}

static tnResult StepLayer(tnWorld* world, int stepCount)
{
	tnResult result = {.status = tn_ok};
	for (int i = 0; i < stepCount && result.status == tn_ok; ++i)
	{
		result = tnWorld_Step(world, 1.0f / 60.0f);
	}
	return result;
}

static tnResult TimeLayer(const LayerEntry* entry, const LayerBenchConfig* config, LayerLine* line)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = entry->columnCount;
	def.rowCount = entry->rowCount;
	def.cellSize = 0.25f;
	def.tasks.workerCount = config->workerCount;
	// The flow sleeps: what is timed is the layer. A current would keep it awake, so it does not move it.
	def.sleepSpeed = 1000.0f;
	def.sleepTime = 0.0f;
	def.waves.enable = true;
	def.waves.kernel = entry->kernel;
	def.waves.finerLevels = 0;
	def.waves.levelCount = 5;
	def.waves.tileCount = entry->tileCount > 0 ? entry->tileCount : 64;
	def.waves.restHeight = 0.0f;
	def.waves.breakingLimit = 0.0f;
	def.waves.takeFromFlow = false;
	def.waves.reserve = true;
	def.waves.enableDetail = false;
	for (int side = 0; side < tn_sideCount; ++side)
	{
		def.edges[side].kind = entry->ground == groundDeep ? tn_wrapEdge : tn_wallEdge;
	}
	tnWorld* world;
	tnResult result = tnCreateWorld(&def, &world);
	if (result.status == tn_ok)
	{
		result = FillLayerWorld(entry, world);
	}
	if (result.status == tn_ok)
	{
		result = StepLayer(world, warmSteps);
	}
	if (result.status == tn_ok)
	{
		line->hash = tnWorld_GetHash(world);
		line->tileCount = tnWorld_GetWaveTileCount(world);
		line->cells = 4096.0 * line->tileCount;
		// Until the flow has fallen asleep.
		result = StepLayer(world, 64);
	}
	line->seconds = INFINITY;
	int stepCount = 64;
	for (int run = 0; run < config->runCount && result.status == tn_ok && !WasInterrupted();)
	{
		const double begin = GetSeconds();
		result = StepLayer(world, stepCount);
		const double time = GetSeconds() - begin;
		if (time < 0.5 * config->seconds && stepCount < 1 << 20)
		{
			stepCount *= 2;
			continue;
		}
		line->seconds = fmin(line->seconds, time / stepCount);
		run += 1;
	}
	tnDestroyWorld(world);
	return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Other ways

enum
{
	kernelReach = 6,
	iwaveStride = fieldColumns + 2 * 8,
};

// A field with a margin wide enough for the kernel.
typedef struct Iwave
{
	float* heights;
	float* rates;
	float* next;
	float taps[2 * kernelReach + 1][2 * kernelReach + 1];
	int threadCount, passCount;
} Iwave;

#if defined(__GNUC__) && defined(__x86_64__)
__attribute__((target("avx2")))
#endif
static void
MoveIwaveRow(const Iwave* iwave, int row)
{
	enum
	{
		// Sums that stay in registers.
		block = 32,
	};
	const float timeStep = 1.0f / 60.0f;
	for (int c = 0; c < fieldColumns; c += block)
	{
		const float* heights = iwave->heights + (row + kernelReach) * iwaveStride + 8 + c;
		float sums[block] = {0};
		for (int j = -kernelReach; j <= kernelReach; ++j)
		{
			for (int i = -kernelReach; i <= kernelReach; ++i)
			{
				const float tap = iwave->taps[j + kernelReach][i + kernelReach];
				const float* from = heights + j * iwaveStride + i;
				for (int k = 0; k < block; ++k)
				{
					sums[k] += tap * from[k];
				}
			}
		}
		float* rates = iwave->rates + row * fieldColumns + c;
		float* next = iwave->next + row * fieldColumns + c;
		for (int k = 0; k < block; ++k)
		{
			rates[k] = 0.999f * rates[k] - timeStep * sums[k];
			next[k] = heights[k] + timeStep * rates[k];
		}
	}
}

static void MoveIwavePart(void* context, int thread)
{
	const Iwave* iwave = context;
	const int begin = fieldRows * thread / iwave->threadCount;
	const int end = fieldRows * (thread + 1) / iwave->threadCount;
	for (int pass = 0; pass < iwave->passCount; ++pass)
	{
		for (int row = begin; row < end; ++row)
		{
			MoveIwaveRow(iwave, row);
		}
	}
}

// Seconds for one step by convolution, without what copying `next` back would cost.
static double TimeIwave(const LayerBenchConfig* config)
{
#if defined(__GNUC__) && defined(__x86_64__)
	if (!tnIsSimdAvailable(tn_simdAvx2))
	{
		return (double)NAN;
	}
#endif
	static Iwave iwave;
	const size_t heightCount = (size_t)iwaveStride * (fieldRows + 2 * kernelReach);
	const size_t cellCount = (size_t)fieldColumns * fieldRows;
	iwave.heights = calloc(heightCount, sizeof(float));
	iwave.rates = calloc(cellCount, sizeof(float));
	iwave.next = calloc(cellCount, sizeof(float));
	double best = INFINITY;
	if (iwave.heights != NULL && iwave.rates != NULL && iwave.next != NULL)
	{
		for (size_t i = 0; i < heightCount; ++i)
		{
			iwave.heights[i] = 0.1f * BenchRandom((uint32_t)i);
		}
		for (int i = 0; i < 13 * 13; ++i)
		{
			const float x = (float)(i % 13 - kernelReach), z = (float)(i / 13 - kernelReach);
			iwave.taps[i / 13][i % 13] = (i == 84 ? 1.0f : -0.1f / (1.0f + x * x + z * z));
		}
		iwave.threadCount = config->workerCount;
		iwave.passCount = 64;
		for (int run = 0; run <= config->runCount && !WasInterrupted(); ++run)
		{
			const double begin = GetSeconds();
			RunOnThreads(MoveIwavePart, &iwave, iwave.threadCount);
			best = run > 0 ? fmin(best, (GetSeconds() - begin) / iwave.passCount) : best;
		}
	}
	free(iwave.heights);
	free(iwave.rates);
	free(iwave.next);
	return isfinite(best) ? best : (double)NAN;
}

// Seconds for a transform of the field and back, on as many threads as the others have. NAN without the library.
static double TimeFft(const LayerBenchConfig* config)
{
#ifdef TARN_HAVE_FFTW
	fftwf_init_threads();
	fftwf_plan_with_nthreads(config->workerCount);
	float* field = fftwf_alloc_real((size_t)fieldColumns * fieldRows);
	fftwf_complex* waves = fftwf_alloc_complex((size_t)(fieldColumns / 2 + 1) * fieldRows);
	double best = INFINITY;
	if (field != NULL && waves != NULL)
	{
		const fftwf_plan forth = fftwf_plan_dft_r2c_2d(fieldRows, fieldColumns, field, waves, FFTW_MEASURE);
		const fftwf_plan back = fftwf_plan_dft_c2r_2d(fieldRows, fieldColumns, waves, field, FFTW_MEASURE);
		memset(field, 0, (size_t)fieldColumns * fieldRows * sizeof(float));
		const int passCount = 64;
		for (int run = 0; run <= config->runCount && !WasInterrupted(); ++run)
		{
			const double begin = GetSeconds();
			for (int pass = 0; pass < passCount; ++pass)
			{
				fftwf_execute(forth);
				fftwf_execute(back);
			}
			best = run > 0 ? fmin(best, (GetSeconds() - begin) / passCount) : best;
		}
		fftwf_destroy_plan(forth);
		fftwf_destroy_plan(back);
	}
	fftwf_free(field);
	fftwf_free(waves);
	fftwf_cleanup_threads();
	return isfinite(best) ? best : (double)NAN;
#else
	(void)config;
	return (double)NAN;
#endif
}

// ---------------------------------------------------------------------------------------------------------------------
// The table

static void PrintOther(const char* name, double seconds, double first, const LayerBenchConfig* config, const char* why)
{
	const double cells = (double)fieldColumns * fieldRows;
	if (!isfinite(seconds))
	{
		fprintf(stderr, "note: %s left out: %s\n", name, why);
		return;
	}
	printf(config->csv ? "%s,%d,%.0f,%d,%.5f,%.1f,%.3f,%.2f,\n" : "%-26s %6d %8.0f %7d %12.5f %12.1f %8.3f %8.2f\n",
		name, 0, cells, config->workerCount, 1.0e3 * seconds, cells / seconds / 1.0e6,
		config->bandwidth > 0.0 ? s_bytesPerCell * cells / seconds / config->bandwidth : 0.0, seconds / first);
}

int RunLayerBench(const LayerBenchConfig* config)
{
	if (config->csv)
	{
		puts("name,tiles,cells,workers,ms_per_step,mcells_per_s,roofline,to_first,hash");
	}
	else
	{
		printf("%-26s %6s %8s %7s %12s %12s %8s %8s  %s\n", "name", "tiles", "cells", "workers", "ms_per_step",
			"mcells_per_s", "roofline", "to_first", "hash");
	}
	double first = 0.0;
	for (size_t i = 0; i < sizeof(s_entries) / sizeof(s_entries[0]) && !WasInterrupted(); ++i)
	{
		const LayerEntry* entry = s_entries + i;
		LayerLine line = {0};
		const tnResult result = TimeLayer(entry, config, &line);
		if (result.status != tn_ok)
		{
			fprintf(stderr, "tarn bench: %s: %s\n", entry->name, result.text);
			return exitWorld;
		}
		first = i == 0 ? line.seconds : first;
		printf(config->csv ? "%s,%d,%.0f,%d,%.5f,%.1f,%.3f,%.2f,%016" PRIx64 "\n"
						   : "%-26s %6d %8.0f %7d %12.5f %12.1f %8.3f %8.2f  %016" PRIx64 "\n",
			entry->name, line.tileCount, line.cells, config->workerCount, 1.0e3 * line.seconds,
			line.cells / line.seconds / 1.0e6,
			config->bandwidth > 0.0 ? s_bytesPerCell * line.cells / line.seconds / config->bandwidth : 0.0,
			line.seconds / first, line.hash);
		fflush(stdout);
	}
	if (!WasInterrupted())
	{
		PrintOther("iwave_13x13", TimeIwave(config), first, config, "no AVX2 here, or no memory");
		PrintOther("fft_pair", TimeFft(config), first, config, "built without FFTW (libfftw3-dev)");
	}
	return exitOk;
}
