// SPDX-License-Identifier: MIT

#include "options.h"
#include "platform.h"
#include "progress.h"
#include "recorder.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char s_help[] =
	"tarn run - run a scene without a screen\n"
	"\n"
	"Usage: tarn run SCENE [OPTIONS]\n"
	"\n"
	"Reads a scene, lets the water run, and leaves pictures and numbers in a folder.\n"
	"\n"
	"  SCENE            a scene file, or the name of one in the folder scenes: `river_valley` is the same as\n"
	"                   `scenes/river_valley.json`\n"
	"  --out DIR        where the files go (default: out/ and the name of the scene)\n"
	"  --seconds S      seconds of water (default: what the scene says)\n"
	"  --every S        seconds of water between pictures; 0 for the last one only (default: as the scene says)\n"
	"  --scale N        pixels per cell, 0.01 to 64 (default: the scene's, or pictures of about 1000 pixels)\n"
	"  --dump LIST      also write raw fields with every picture: depth, velocity, tracer, bed, surface;\n"
	"                   several with commas between\n"
	"  --method M       pipe or linear (default: what the scene says)\n"
	"  --workers N      threads, 1 to 64 (default: one per processor; the water does not depend on it)\n"
	"  --simd SET       scalar, sse2, avx2, neon, wasm or auto (default: auto; the water does not depend on it)\n"
	"  --quiet          say nothing unless something is wrong\n"
	"\n"
	"Files:\n"
	"  frame_0000.png ...   maps, the first one before anything moves\n"
	"  final.png            the map at the end\n"
	"  gauges.csv           after every step: time, then surface, depth, vx, vz of every gauge (m, m/s)\n"
	"  events.csv           time,region,event,max_depth: became_wet, became_dry, rose_above, fell_below\n"
	"  summary.json         ledger, gauges, regions, timings, hash\n"
	"  depth_0000.r32 ...   with --dump: little-endian float32, row by row; sizes and units in .r32.json\n"
	"\n"
	"While it runs it shows: time, speed as a multiple of real time, volume of the water, sub-steps per step, and\n"
	"tiles awake (tiles that are dry or at rest sleep and cost nothing). At the end it prints the ledger, which\n"
	"says where every cubic meter came from and went, and a hash of the water: the same on every machine.\n"
	"\n"
	"Ctrl-C stops after the current step and still writes the last picture and the summary. Twice stops at once.\n"
	"\n"
	"Examples:\n"
	"  tarn run river_valley\n"
	"  tarn run scenes/dam_break.json --seconds 20 --every 0.5 --out /tmp/dam\n"
	"  tarn run island_tide --method linear --dump depth,velocity --every 60\n"
	"\n"
	"Exit codes: 0 done, 1 wrong usage, 2 a scene or file is missing or wrong, 3 the world refused something or\n"
	"there is no memory for it, 130 interrupted.\n";

static int RunScene(int argc, char** argv);

const Command g_runCommand = {
	"run", "run a scene without a screen: pictures, time series, ledger, hash", s_help, RunScene};

enum
{
	maxPath = 1024,
};

typedef struct RunOptions
{
	double seconds, every, scale;
	int method, simd, workerCount;
	unsigned dumps;
	const char* out;
	bool quiet;
} RunOptions;

static int ReportResult(const tnsResult* result)
{
	fprintf(stderr, "tarn run: %s\n", result->text);
	return result->status == tns_worldError || result->status == tns_outOfMemory ? exitWorld : exitFile;
}

// "river_valley" for "scenes/river_valley.json".
static void FindStem(const char* path, char* stem, size_t size)
{
	const char* slash = strrchr(path, '/');
	snprintf(stem, size, "%s", slash != NULL ? slash + 1 : path);
	char* dot = strrchr(stem, '.');
	if (dot != NULL && dot != stem)
	{
		*dot = '\0';
	}
}

static void FindScene(const char* word, char* path, size_t size)
{
	snprintf(path, size, "%s", word);
	if (!IsFile(path) && strpbrk(word, "/.") == NULL)
	{
		char known[maxPath];
		snprintf(known, sizeof(known), "scenes/%s.json", word);
		if (IsFile(known))
		{
			snprintf(path, size, "%s", known);
		}
	}
}

static void FormatStatus(tnsRun* run, const RunNumbers* numbers, char* text, size_t size)
{
	tnWorld* world = tnsRun_GetWorld(run);
	const tnStats stats = tnWorld_GetStats(world);
	const double time = tnsRun_GetTime(run);
	const double speed = numbers->stepSeconds > 0.0 ? time / numbers->stepSeconds : 0.0;
	snprintf(text, size, "%.1f of %.1f s  %.3gx real time  %.5g m3  %d sub-steps  %d of %d tiles awake", time,
		tnsRun_GetSeconds(run), speed, tnWorld_GetLedger(world).volume, stats.subSteps, stats.awakeTileCount,
		stats.tileCount);
}

// Step to the end, or to the first interrupt or error.
static tnsResult RunLoop(tnsRun* run, Recorder* recorder, double every, bool quiet, RunNumbers* numbers)
{
	const double seconds = tnsRun_GetSeconds(run);
	Progress progress = BeginProgress(quiet);
	tnsResult result = {.status = tns_ok};
	// Halves of a time step decide which step a picture belongs to.
	const double halfStep = 0.5 * (double)tnsScene_GetInfo(tnsRun_GetScene(run))->timeStep;
	double nextFrame = 0.0;

	while (result.status == tns_ok)
	{
		const double clock = GetSeconds();
		if (every > 0.0 && tnsRun_GetTime(run) + halfStep >= nextFrame)
		{
			result = RecordFrame(recorder);
			// After an --every shorter than a step, the next picture is still ahead.
			while (nextFrame <= tnsRun_GetTime(run) + halfStep)
			{
				nextFrame += every;
			}
		}
		const double share = tnsRun_IsFinished(run) ? 1.0 : tnsRun_GetTime(run) / seconds;
		if (IsProgressDue(&progress, share))
		{
			char text[256];
			FormatStatus(run, numbers, text, sizeof(text));
			ShowProgress(&progress, share, text);
		}
		numbers->interrupted = WasInterrupted() && !tnsRun_IsFinished(run);
		numbers->recordSeconds += GetSeconds() - clock;
		if (result.status != tns_ok || tnsRun_IsFinished(run) || numbers->interrupted)
		{
			break;
		}

		const double begin = GetSeconds();
		result = tnsRun_Step(run);
		const double end = GetSeconds();
		numbers->stepSeconds += end - begin;
		if (result.status == tns_ok)
		{
			const tnStats stats = tnWorld_GetStats(tnsRun_GetWorld(run));
			numbers->stepCount += 1;
			numbers->subStepCount += stats.subSteps;
			numbers->mostSubSteps = stats.subSteps > numbers->mostSubSteps ? stats.subSteps : numbers->mostSubSteps;
			numbers->mostAwakeTiles =
				stats.awakeTileCount > numbers->mostAwakeTiles ? stats.awakeTileCount : numbers->mostAwakeTiles;
			numbers->leastWaveSpeed =
				stats.waveSlowdown < numbers->leastWaveSpeed ? stats.waveSlowdown : numbers->leastWaveSpeed;
			result = RecordStep(recorder);
			numbers->recordSeconds += GetSeconds() - end;
		}
	}
	EndProgress(&progress);
	return result;
}

static void PrintSummary(tnsRun* run, const Recorder* recorder, const RunNumbers* numbers, const char* folder)
{
	tnWorld* world = tnsRun_GetWorld(run);
	const tnsSceneInfo* info = tnsScene_GetInfo(tnsRun_GetScene(run));
	const tnWorldDef def = tnWorld_GetDef(world);
	const tnStats stats = tnWorld_GetStats(world);
	const tnLedger ledger = tnWorld_GetLedger(world);
	const double time = tnsRun_GetTime(run);

	printf("%s%s\n", info->name, numbers->interrupted ? " (interrupted)" : "");
	printf("  water        %.6g s in %" PRId64 " steps, %s method, %d x %d cells of %g m\n", time, numbers->stepCount,
		def.method == tn_pipeMethod ? "pipe" : "linear", def.columnCount, def.rowCount, (double)def.cellSize);
	printf("  clock        %.3g s for the water (%.3gx real time), %.3g s for files; %d worker%s, %s\n",
		numbers->stepSeconds, numbers->stepSeconds > 0.0 ? time / numbers->stepSeconds : 0.0, numbers->recordSeconds,
		def.tasks.workerCount, def.tasks.workerCount == 1 ? "" : "s", tnGetSimdName(stats.simd));
	printf("  sub-steps    %" PRId64 ", at most %d in a step\n", numbers->subStepCount, numbers->mostSubSteps);
	if (numbers->leastWaveSpeed < 1.0f)
	{
		printf("               waves were slowed down to %.3g of their speed: maxSubSteps is too small for the depth\n",
			(double)numbers->leastWaveSpeed);
	}
	printf("  tiles        %d, at most %d awake, %d at the end\n", stats.tileCount, numbers->mostAwakeTiles,
		stats.awakeTileCount);
	printf("  memory       %.3g MB\n", (double)stats.byteCount / 1.0e6);
	printf("\n  ledger, m3 since the beginning\n");
	LedgerLine lines[ledgerLineCount];
	ListLedger(&ledger, lines);
	for (int i = 0; i < ledgerLineCount; ++i)
	{
		printf("  %-12s %+.6f\n", lines[i].name, lines[i].volume);
	}
	printf("\n  hash         %016" PRIx64 "\n", tnWorld_GetHash(world));
	printf("  files        %s (final.png and %d frames)\n", folder, GetFrameCount(recorder));
}

static int RunAndRecord(tnsRun* run, const RunOptions* options, const char* folder)
{
	const tnsSceneInfo* info = tnsScene_GetInfo(tnsRun_GetScene(run));
	const float scale = options->scale > 0.0 ? (float)options->scale : (float)info->view.scale;
	const RecorderDef def = {.folder = folder, .dumps = options->dumps, .pixelsPerCell = scale};
	tnsResult result;
	Recorder* recorder = CreateRecorder(&def, run, &result);
	if (recorder == NULL)
	{
		return ReportResult(&result);
	}
	RunNumbers numbers = {.leastWaveSpeed = 1.0f};
	CatchInterrupts();
	const double every = options->every >= 0.0 ? options->every : info->view.every;
	result = RunLoop(run, recorder, every, options->quiet, &numbers);
	const double begin = GetSeconds();
	const tnsResult end = RecordEnd(recorder, &numbers);
	numbers.recordSeconds += GetSeconds() - begin;
	result = result.status == tns_ok ? end : result;

	if (!options->quiet)
	{
		PrintSummary(run, recorder, &numbers, folder);
	}
	DestroyRecorder(recorder);
	if (result.status != tns_ok)
	{
		return ReportResult(&result);
	}
	return numbers.interrupted ? exitInterrupted : exitOk;
}

static int RunScene(int argc, char** argv)
{
	static const char* const methods[] = {"pipe", "linear", NULL};
	static const char* const sets[] = {"auto", "scalar", "sse2", "avx2", "neon", "wasm", NULL};
	static const char* const fields[] = {"depth", "velocity", "tracer", "bed", "surface", NULL};
	const int processorCount = GetProcessorCount();
	RunOptions options = {
		.seconds = -1.0,
		.every = -1.0,
		.method = tn_methodCount,
		.simd = tn_simdAuto,
		.workerCount = processorCount < TN_MAX_WORKERS ? processorCount : TN_MAX_WORKERS,
	};
	const Option table[] = {
		{.name = "seconds", .kind = optionDouble, .target = &options.seconds, .least = 0.0, .most = 1.0e9},
		{.name = "every", .kind = optionDouble, .target = &options.every, .least = 0.0, .most = 1.0e9},
		{.name = "scale", .kind = optionDouble, .target = &options.scale, .least = 0.01, .most = 64.0},
		{.name = "method", .kind = optionChoice, .target = &options.method, .choices = methods},
		{.name = "simd", .kind = optionChoice, .target = &options.simd, .choices = sets},
		{.name = "workers", .kind = optionInt, .target = &options.workerCount, .least = 1, .most = TN_MAX_WORKERS},
		{.name = "dump", .kind = optionChoices, .target = &options.dumps, .choices = fields},
		{.name = "out", .kind = optionText, .target = (void*)&options.out},
		{.name = "quiet", .kind = optionFlag, .target = &options.quiet},
	};
	Words words;
	int exitCode;
	if (!ReadOptions(&g_runCommand, table, sizeof(table) / sizeof(table[0]), argc, argv, &words, 1, &exitCode))
	{
		return exitCode;
	}
	if (words.count == 0)
	{
		return ReportUsage(&g_runCommand, "which scene? For instance: tarn run scenes/river_valley.json");
	}
	if (!tnIsSimdAvailable((tnSimd)options.simd))
	{
		return ReportUsage(
			&g_runCommand, "--simd %s is not to be had here; `tarn --version` lists what is", sets[options.simd]);
	}

	char path[maxPath];
	FindScene(words.words[0], path, sizeof(path));
	tnsResult result;
	tnsScene* scene = tnsLoadScene(path, &result);
	if (scene == NULL)
	{
		return ReportResult(&result);
	}
	tnsOverrides overrides = tnsDefaultOverrides();
	overrides.method = (tnMethod)options.method;
	overrides.simd = (tnSimd)options.simd;
	overrides.workerCount = options.workerCount;
	overrides.seconds = options.seconds;

	tnsRun* run;
	result = tnsStartScene(scene, &overrides, &run);
	if (result.status == tns_ok)
	{
		char stem[maxPath];
		char folder[maxPath + 8];
		FindStem(path, stem, sizeof(stem));
		snprintf(folder, sizeof(folder), "out/%s", stem);
		exitCode = RunAndRecord(run, &options, options.out != NULL ? options.out : folder);
		tnsDestroyRun(run);
	}
	else
	{
		exitCode = ReportResult(&result);
	}
	tnsDestroyScene(scene);
	return exitCode;
}
