// SPDX-License-Identifier: MIT

#include "methods.h"
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
	"  --method M       pipe, linear, shallow, shallow-fine, shallow-sl or shallow-mc (default: what the scene says)\n"
	"  --beside LIST    run the scene with other methods too, several with commas between, and show all of them in\n"
	"                   one picture at the same time\n"
	"  --view V         what pictures show: water, depth, speed, tracer or vorticity (default: what the scene says)\n"
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
	"  linear/ ...          with --beside: the same files of each other method, without pictures\n"
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
	"  tarn run whirlpools --beside linear --view vorticity\n"
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
	// A MethodName, or methodNameCount for what the scene says, and a bit for each method beside it.
	int method;
	unsigned beside;
	// A MapMode, or -1 for what the scene says.
	int view;
	int simd, workerCount;
	unsigned dumps;
	const char* out;
	bool quiet;
} RunOptions;

// A scene with its own method first, and the others beside it.
typedef struct Runs
{
	tnsRun* runs[methodNameCount];
	RunNumbers numbers[methodNameCount];
	int count;
} Runs;

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

static const char* NameMethod(const tnsRun* run)
{
	const tnWorldDef def = tnWorld_GetDef(tnsRun_GetWorld(run));
	return g_methodNames[FindMethodName(def.method, def.advection)];
}

static void FormatStatus(const Runs* runs, char* text, size_t size)
{
	tnWorld* world = tnsRun_GetWorld(runs->runs[0]);
	const tnStats stats = tnWorld_GetStats(world);
	const double time = tnsRun_GetTime(runs->runs[0]);
	double seconds = 0.0;
	for (int i = 0; i < runs->count; ++i)
	{
		seconds += runs->numbers[i].stepSeconds;
	}
	const double speed = seconds > 0.0 ? time / seconds : 0.0;
	snprintf(text, size, "%.1f of %.1f s  %.3gx real time  %.5g m3  %d sub-steps  %d of %d tiles awake", time,
		tnsRun_GetSeconds(runs->runs[0]), speed, tnWorld_GetLedger(world).volume, stats.subSteps, stats.awakeTileCount,
		stats.tileCount);
}

static tnsResult StepRun(tnsRun* run, RunNumbers* numbers)
{
	const double begin = GetSeconds();
	const tnsResult result = tnsRun_Step(run);
	numbers->stepSeconds += GetSeconds() - begin;
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
	}
	return result;
}

// Step to the end, or to the first interrupt or error. All runs have the time step of the scene: they stay together.
static tnsResult RunLoop(Runs* runs, Recorder* recorder, double every, bool quiet, double* recordSeconds)
{
	tnsRun* first = runs->runs[0];
	const double seconds = tnsRun_GetSeconds(first);
	Progress progress = BeginProgress(quiet);
	tnsResult result = {.status = tns_ok};
	// Halves of a time step decide which step a picture belongs to.
	const double halfStep = 0.5 * (double)tnsScene_GetInfo(tnsRun_GetScene(first))->timeStep;
	double nextFrame = 0.0;
	bool interrupted = false;

	while (result.status == tns_ok)
	{
		double clock = GetSeconds();
		if (every > 0.0 && tnsRun_GetTime(first) + halfStep >= nextFrame)
		{
			result = RecordFrame(recorder);
			// After an --every shorter than a step, the next picture is still ahead.
			while (nextFrame <= tnsRun_GetTime(first) + halfStep)
			{
				nextFrame += every;
			}
		}
		const double share = tnsRun_IsFinished(first) ? 1.0 : tnsRun_GetTime(first) / seconds;
		if (IsProgressDue(&progress, share))
		{
			char text[256];
			FormatStatus(runs, text, sizeof(text));
			ShowProgress(&progress, share, text);
		}
		interrupted = WasInterrupted() && !tnsRun_IsFinished(first);
		*recordSeconds += GetSeconds() - clock;
		if (result.status != tns_ok || tnsRun_IsFinished(first) || interrupted)
		{
			break;
		}

		for (int i = 0; i < runs->count && result.status == tns_ok; ++i)
		{
			result = StepRun(runs->runs[i], runs->numbers + i);
		}
		if (result.status == tns_ok)
		{
			clock = GetSeconds();
			result = RecordStep(recorder);
			*recordSeconds += GetSeconds() - clock;
		}
	}
	for (int i = 0; i < runs->count; ++i)
	{
		runs->numbers[i].interrupted = interrupted;
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
		NameMethod(run), def.columnCount, def.rowCount, (double)def.cellSize);
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

// What the others did with the same scene.
static void PrintBeside(const Runs* runs)
{
	printf("\n  %-14s %12s %12s %10s  %s\n", "beside", "clock, s", "x real time", "sub-steps", "hash");
	for (int i = 0; i < runs->count; ++i)
	{
		const tnsRun* run = runs->runs[i];
		const RunNumbers* numbers = runs->numbers + i;
		const double speed = numbers->stepSeconds > 0.0 ? tnsRun_GetTime(run) / numbers->stepSeconds : 0.0;
		printf("  %-14s %12.3g %12.3g %10" PRId64 "  %016" PRIx64 "\n", NameMethod(run), numbers->stepSeconds, speed,
			numbers->subStepCount, tnWorld_GetHash(tnsRun_GetWorld(run)));
	}
}

static MapMode ModeOf(tnsViewMode mode)
{
	return mode == tns_depthView ? mapDepth
		: mode == tns_speedView  ? mapSpeed
		: mode == tns_tracerView ? mapTracer
								 : mapWater;
}

static int RunAndRecord(Runs* runs, const RunOptions* options, const char* folder)
{
	const tnsSceneInfo* info = tnsScene_GetInfo(tnsRun_GetScene(runs->runs[0]));
	const RecorderDef def = {
		.folder = folder,
		.dumps = options->dumps,
		.pixelsPerCell = options->scale > 0.0 ? (float)options->scale : (float)info->view.scale,
		.mode = options->view >= 0 ? (MapMode)options->view : ModeOf(info->view.mode),
	};
	tnsResult result;
	Recorder* recorder = CreateRecorder(&def, runs->runs, runs->count, &result);
	if (recorder == NULL)
	{
		return ReportResult(&result);
	}
	double recordSeconds = 0.0;
	CatchInterrupts();
	const double every = options->every >= 0.0 ? options->every : info->view.every;
	result = RunLoop(runs, recorder, every, options->quiet, &recordSeconds);
	// Pictures are shared; their time is told with the first run.
	runs->numbers[0].recordSeconds = recordSeconds;
	const double begin = GetSeconds();
	const tnsResult end = RecordEnd(recorder, runs->numbers);
	runs->numbers[0].recordSeconds += GetSeconds() - begin;
	result = result.status == tns_ok ? end : result;

	if (!options->quiet)
	{
		PrintSummary(runs->runs[0], recorder, runs->numbers, folder);
		if (runs->count > 1)
		{
			PrintBeside(runs);
		}
	}
	DestroyRecorder(recorder);
	if (result.status != tns_ok)
	{
		return ReportResult(&result);
	}
	return runs->numbers[0].interrupted ? exitInterrupted : exitOk;
}

static tnsResult StartRun(const tnsScene* scene, const tnsOverrides* standard, int method, Runs* runs)
{
	tnsOverrides overrides = *standard;
	if (method != methodNameCount)
	{
		overrides.method = GetNamedMethod((MethodName)method);
		overrides.advection = GetNamedAdvection((MethodName)method);
	}
	tnsRun* run;
	const tnsResult result = tnsStartScene(scene, &overrides, &run);
	if (result.status == tns_ok)
	{
		runs->runs[runs->count] = run;
		runs->numbers[runs->count] = (RunNumbers){.leastWaveSpeed = 1.0f};
		runs->count += 1;
	}
	return result;
}

static int StartAndRun(const tnsScene* scene, const RunOptions* options, const char* folder)
{
	const tnsSceneInfo* info = tnsScene_GetInfo(scene);
	const MethodName own = options->method != methodNameCount
		? (MethodName)options->method
		: FindMethodName(info->worldDef.method, info->worldDef.advection);
	if ((options->beside & 1u << own) != 0)
	{
		return ReportUsage(
			&g_runCommand, "--beside %s: the scene runs with it anyway; name others", g_methodNames[own]);
	}
	if (options->view == mapTracer && info->worldDef.tracerCount == 0)
	{
		return ReportUsage(&g_runCommand, "--view tracer: the scene has no tracers");
	}
	tnsOverrides overrides = tnsDefaultOverrides();
	overrides.simd = (tnSimd)options->simd;
	overrides.workerCount = options->workerCount;
	overrides.seconds = options->seconds;

	Runs runs = {.count = 0};
	tnsResult result = StartRun(scene, &overrides, options->method, &runs);
	for (int method = 0; method < methodNameCount && result.status == tns_ok; ++method)
	{
		if ((options->beside & 1u << method) != 0)
		{
			result = StartRun(scene, &overrides, method, &runs);
		}
	}
	const int exitCode = result.status == tns_ok ? RunAndRecord(&runs, options, folder) : ReportResult(&result);
	for (int i = 0; i < runs.count; ++i)
	{
		tnsDestroyRun(runs.runs[i]);
	}
	return exitCode;
}

static int RunScene(int argc, char** argv)
{
	// In the order of MapMode.
	static const char* const views[] = {"water", "depth", "speed", "tracer", "vorticity", NULL};
	static const char* const sets[] = {"auto", "scalar", "sse2", "avx2", "neon", "wasm", NULL};
	static const char* const fields[] = {"depth", "velocity", "tracer", "bed", "surface", NULL};
	const int processorCount = GetProcessorCount();
	RunOptions options = {
		.seconds = -1.0,
		.every = -1.0,
		.method = methodNameCount,
		.view = -1,
		.simd = tn_simdAuto,
		.workerCount = processorCount < TN_MAX_WORKERS ? processorCount : TN_MAX_WORKERS,
	};
	const Option table[] = {
		{.name = "seconds", .kind = optionDouble, .target = &options.seconds, .least = 0.0, .most = 1.0e9},
		{.name = "every", .kind = optionDouble, .target = &options.every, .least = 0.0, .most = 1.0e9},
		{.name = "scale", .kind = optionDouble, .target = &options.scale, .least = 0.01, .most = 64.0},
		{.name = "method", .kind = optionChoice, .target = &options.method, .choices = g_methodNames},
		{.name = "beside", .kind = optionChoices, .target = &options.beside, .choices = g_methodNames},
		{.name = "view", .kind = optionChoice, .target = &options.view, .choices = views},
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
	char stem[maxPath];
	char folder[maxPath + 8];
	FindStem(path, stem, sizeof(stem));
	snprintf(folder, sizeof(folder), "out/%s", stem);
	exitCode = StartAndRun(scene, &options, options.out != NULL ? options.out : folder);
	tnsDestroyScene(scene);
	return exitCode;
}
