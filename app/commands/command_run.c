// SPDX-License-Identifier: MIT

// `tarn run`: steps a scene, alone or with methods side by side, and writes maps, tables, fields and films.

#include "commands/methods.h"
#include "commands/options.h"
#include "commands/scene_paths.h"
#include "films/film.h"
#include "films/soundtrack.h"
#include "level.h"
#include "maps/recorder.h"
#include "system/platform.h"
#include "system/progress.h"
#include "system/video.h"
#include "voxel_scene.h"

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
	"  SCENE            a scene file, or the name of a scene; `tarn --help` says where names are looked for\n"
	"  --out DIR        where the files go (default: out/ and the name of the scene)\n"
	"  --seconds S      seconds of water (default: what the scene says)\n"
	"  --every S        seconds of water between pictures; 0 for the last one only (default: as the scene says)\n"
	"  --scale N        pixels per cell, 0.01 to 64 (default: the scene's, or pictures of about 1000 pixels)\n"
	"  --dump LIST      also write raw fields with every picture: depth, velocity, tracer, bed, surface,\n"
	"                   waves; several with commas between\n"
	"  --method M       pipe, linear, shallow, shallow-fine, shallow-sl or shallow-mc (default: what the scene says)\n"
	"  --beside LIST    run the scene with other methods too, several with commas between, and show all of them in\n"
	"                   one picture at the same time\n"
	"  --view V         what pictures show: water, depth, speed, tracer, vorticity, waves (the height of the wave\n"
	"                   layer) or surface-with-waves (default: what the scene says)\n"
	"  --video FILE     a film of the run as the viewer shows it, drawn without a screen: .mp4, .webp or .gif (with\n"
	"                   ffmpeg). The camera is that of the scene, or a view of the whole world\n"
	"  --frames DIR     the same film as a PNG per frame: frame_00000.png ...\n"
	"  --picture FILE   the end of the run as the viewer shows it, a PNG\n"
	"  --size WxH       pixels of all these, 16 to 8192 each way (default 960x540)\n"
	"  --fps N          frames per second of the film, 1 to 240 (default 30)\n"
	"  --speed X        seconds of water in a second of the film (default: what the scene says, or 1)\n"
	"  --from S         seconds of water before the first frame (default 0)\n"
	"  --sound FILE     what the run sounds like from the camera of the film, a WAV file. Films that end with .mp4 "
	"have\n"
	"                   it as their sound track\n"
	"  --record FILE    all that is done, for `--replay`\n"
	"  --replay FILE    no scene: `tarn replay FILE`\n"
	"  --workers N      threads, 1 to 64 (default: one per processor; the water does not depend on it)\n"
	"  --simd SET       scalar, sse2, avx2, neon, wasm or auto (default: auto; the water does not depend on it)\n"
	"  --memory MIB     mebibytes that the water, and what is read to make it, may have (default 1024)\n"
	"  --allow-outside  the scene may name files outside of its folder: by an absolute path, by .., or behind a link\n"
	"  --quiet          say nothing unless something is wrong\n"
	"\n"
	"Files:\n"
	"  frame_0000.png ...   maps, the first one before anything moves\n"
	"  final.png            the map at the end\n"
	"  gauges.csv           after every step: time, then surface, depth, vx, vz of every gauge (m, m/s)\n"
	"  events.csv           time,region,event,max_depth: became_wet, became_dry, rose_above, fell_below\n"
	"  summary.json         ledger, gauges, regions, timings, hash\n"
	"  depth_0000.r32 ...   with --dump: little-endian float32, row by row; sizes and units in .r32.json\n"
	"  linear/ ...          with --beside: the same files of each other method, without pictures; films show the\n"
	"                       scene's own method\n"
	"\n"
	"While it runs it shows: time, speed as a multiple of real time, volume of the water, sub-steps per step, and\n"
	"tiles awake (tiles that are dry or at rest sleep and cost nothing). At the end it prints the ledger, which\n"
	"says where every cubic meter came from and went, and a hash of the water: the same on every machine. Of a level\n"
	"it says whether it was won or lost; nobody plays it.\n"
	"\n"
	"Ctrl-C stops after the current step and still writes the last picture, the summary, and the end of a film.\n"
	"Twice stops at once.\n"
	"\n"
	"Examples:\n"
	"  tarn run river_valley\n"
	"  tarn run valley_flood --seconds 60 --every 0 --video flood.mp4\n"
	"  tarn run mountain_river --seconds 300 --every 0 --picture river.png --size 1280x720\n"
	"\n"
	"Exit codes: 0 done, 1 wrong usage, 2 a scene or file is missing or wrong, 3 the world refused something or\n"
	"there is no memory for it, 130 interrupted.\n";

static int RunScene(int argc, char** argv);

const Command g_runCommand = {
	"run", "run a scene without a screen: pictures, time series, ledger, hash", s_help, RunScene};

typedef struct RunOptions
{
	double seconds, every, scale;
	// A MethodName, or methodNameCount for what the scene says, and a bit for each method beside it.
	int method;
	unsigned beside;
	// A MapMode, or -1 for what the scene says.
	int view;
	int simd, workerCount;
	// MiB.
	int memory;
	bool allowOutside;
	unsigned dumps;
	const char* out;
	const char* record;
	const char* sound;
	bool quiet;
	// run and view are filled in when the run starts. speed 0: as the scene says.
	FilmDef film;
} RunOptions;

// In the order of MapMode.
static const char* const s_views[] = {
	"water", "depth", "speed", "tracer", "vorticity", "waves", "surface-with-waves", NULL};

// A scene with its own method first, and the others beside it.
typedef struct Runs
{
	tnsRun* runs[methodNameCount];
	RunNumbers numbers[methodNameCount];
	int count;
	// Of the first run, if the scene is a level: nobody plays it, but it is told how it ends. Else NULL.
	tnsLevel* level;
} Runs;

static int ReportResult(const tnsResult* result)
{
	fprintf(stderr, "tarn run: %s\n", result->text);
	return result->status == tns_worldError || result->status == tns_outOfMemory ? exitWorld : exitFile;
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

// A map, if it is time for one.
static tnsResult RecordDue(Recorder* recorder, double time, double every, double* nextFrame)
{
	if (!(every > 0.0) || time < *nextFrame)
	{
		return (tnsResult){.status = tns_ok};
	}
	// After an --every shorter than a step, the next picture is still ahead.
	while (*nextFrame <= time)
	{
		*nextFrame += every;
	}
	return RecordFrame(recorder);
}

// Step to the end, or to the first interrupt or error. All runs have the time step of the scene: they stay together.
static tnsResult RunLoop(
	Runs* runs, Recorder* recorder, Film* film, Soundtrack* sound, double every, bool quiet, double* recordSeconds)
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
		result = RecordDue(recorder, tnsRun_GetTime(first) + halfStep, every, &nextFrame);
		*recordSeconds += GetSeconds() - clock;
		if (film != NULL && result.status == tns_ok)
		{
			result = Film_Advance(film);
		}
		if (sound != NULL && result.status == tns_ok)
		{
			result = Soundtrack_Advance(sound);
		}
		clock = GetSeconds();
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
		if (runs->level != NULL && result.status == tns_ok)
		{
			tnsLevel_Update(runs->level);
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

static void PrintLevel(const tnsLevel* level)
{
	const tnsLevelInfo* info = tnsLevel_GetInfo(level);
	const tnsLevelState state = tnsLevel_GetState(level);
	const int losing = tnsLevel_GetLosingGoal(level);
	printf("  level        %s: %s after %.1f s", info->title, tnsGetLevelStateName(state), tnsLevel_GetTime(level));
	printf("%s%s\n", losing >= 0 ? ", " : "", losing >= 0 ? info->goals[losing].label : "");
	for (int i = 0; i < info->goalCount; ++i)
	{
		const tnsGoal* goal = info->goals + i;
		const tnsGoalReport report = tnsLevel_GetGoal(level, i);
		printf("               %s %s: %.3g, %s %.3g %s\n", report.done ? "[x]" : "[ ]", goal->label, report.value,
			goal->atMost ? "at most" : "at least", report.limit, goal->loses ? "loses" : "wins");
	}
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
		: mode == tns_wavesView  ? mapWaves
								 : mapWater;
}

static bool IsFilmWanted(const FilmDef* film)
{
	return film->video != NULL || film->frames != NULL || film->picture != NULL;
}

static Film* StartFilm(const Runs* runs, const RunOptions* options, tnsResult* result)
{
	const tnsSceneInfo* info = tnsScene_GetInfo(tnsRun_GetScene(runs->runs[0]));
	FilmDef def = options->film;
	def.run = runs->runs[0];
	def.speed = def.speed > 0.0 ? def.speed : info->videoSpeed;
	// The picture of the water has its tracers and waves in it: a map of them is for those who ask.
	const bool isInWater = info->view.mode == tns_tracerView || info->view.mode == tns_wavesView;
	const MapMode own = isInWater ? mapWater : ModeOf(info->view.mode);
	def.view = s_views[options->view >= 0 ? options->view : (int)own];
	return OpenFilm(&def, result);
}

// What is asked for, or what a film needs for its sound track.
typedef struct RunSound
{
	Soundtrack* track;
	char path[maxScenePath];
	bool isForVideo;
} RunSound;

static tnsResult StartSound(RunSound* sound, const Runs* runs, const RunOptions* options)
{
	tnsResult result = {.status = tns_ok};
	const char* video = options->film.video;
	sound->isForVideo = video != NULL && CanVideoSound(video) && HasSound();
	if (options->sound == NULL && !sound->isForVideo)
	{
		return result;
	}
	const int length = options->sound != NULL ? snprintf(sound->path, sizeof(sound->path), "%s", options->sound)
											  : snprintf(sound->path, sizeof(sound->path), "%s.wav.part", video);
	if (length >= (int)sizeof(sound->path))
	{
		result.status = tns_fileError;
		snprintf(result.text, sizeof(result.text), "the path of the sound is too long");
		return result;
	}
	const tnsSceneInfo* info = tnsScene_GetInfo(tnsRun_GetScene(runs->runs[0]));
	const SoundtrackDef def = {
		.path = sound->path,
		.speed = options->film.speed > 0.0 ? options->film.speed : info->videoSpeed,
		.from = options->film.from,
		.run = runs->runs[0],
	};
	sound->track = OpenSoundtrack(&def, &result);
	return result;
}

// After the film: it gets the sound.
static tnsResult EndSound(RunSound* sound, const RunOptions* options, bool isFilmGood)
{
	if (sound->track == NULL)
	{
		return (tnsResult){.status = tns_ok};
	}
	// A film of one picture lasts no time.
	const bool isForVideo = sound->isForVideo && Soundtrack_HasSamples(sound->track);
	tnsResult result = CloseSoundtrack(sound->track);
	char error[512];
	if (result.status == tns_ok && isFilmGood && isForVideo &&
		!AddSoundToVideo(options->film.video, sound->path, error, sizeof(error)))
	{
		result.status = tns_fileError;
		snprintf(result.text, sizeof(result.text), "%.200s: %.300s", options->film.video, error);
	}
	if (options->sound == NULL)
	{
		(void)remove(sound->path);
	}
	return result;
}

static void PrintFilm(const Film* film, const FilmDef* def)
{
	const int count = Film_GetFrameCount(film);
	printf("  film         %d frame%s of %d x %d pixels, drawn by %s\n", count, count == 1 ? "" : "s", def->width,
		def->height, Film_GetDeviceName(film));
	if (count > 0)
	{
		printf("               %.3g ms to draw a frame, %.3g ms to write it\n",
			1000.0 * Film_GetDrawSeconds(film) / count, 1000.0 * Film_GetWriteSeconds(film) / count);
	}
	const char* const paths[] = {def->video, def->frames, def->picture};
	for (int i = 0; i < 3; ++i)
	{
		if (paths[i] != NULL)
		{
			printf("               %s\n", paths[i]);
		}
	}
}

// --record
typedef struct Tape
{
	FILE* file;
	bool failed;
} Tape;

static void WriteTape(const void* bytes, size_t size, void* context)
{
	Tape* tape = context;
	tape->failed = tape->failed || fwrite(bytes, 1, size, tape->file) != size;
}

static tnsResult StartTape(Tape* tape, const char* path, tnWorld* world)
{
	tnsResult result = {.status = tns_ok};
	tape->file = fopen(path, "wb");
	if (tape->file == NULL)
	{
		result.status = tns_fileError;
		snprintf(result.text, sizeof(result.text), "cannot write %.200s", path);
		return result;
	}
	const tnResult started = tnWorld_StartRecording(world, WriteTape, tape);
	if (started.status != tn_ok)
	{
		result.status = tns_worldError;
		snprintf(result.text, sizeof(result.text), "%.200s", started.text);
	}
	return result;
}

static tnsResult EndTape(Tape* tape, const char* path, tnWorld* world)
{
	tnsResult result = {.status = tns_ok};
	if (tape->file == NULL)
	{
		return result;
	}
	const bool whole = tnWorld_StopRecording(world).status == tn_ok;
	const bool closed = fclose(tape->file) == 0;
	tape->file = NULL;
	if (!whole || tape->failed || !closed)
	{
		result.status = tns_fileError;
		snprintf(result.text, sizeof(result.text), "%.200s could not be written whole", path);
	}
	return result;
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
	Film* film = NULL;
	if (IsFilmWanted(&options->film))
	{
		film = StartFilm(runs, options, &result);
		if (film == NULL)
		{
			DestroyRecorder(recorder);
			return ReportResult(&result);
		}
	}
	double recordSeconds = 0.0;
	CatchInterrupts();
	const double every = options->every >= 0.0 ? options->every : info->view.every;
	tnWorld* world = tnsRun_GetWorld(runs->runs[0]);
	Tape tape = {0};
	RunSound sound = {0};
	result = StartSound(&sound, runs, options);
	result = options->record != NULL && result.status == tns_ok ? StartTape(&tape, options->record, world) : result;
	if (result.status == tns_ok)
	{
		result = RunLoop(runs, recorder, film, sound.track, every, options->quiet, &recordSeconds);
	}
	const tnsResult taped = EndTape(&tape, options->record, world);
	result = result.status == tns_ok ? taped : result;
	// Pictures are shared; their time is told with the first run.
	runs->numbers[0].recordSeconds = recordSeconds;
	const double begin = GetSeconds();
	const tnsResult end = RecordEnd(recorder, runs->numbers);
	runs->numbers[0].recordSeconds += GetSeconds() - begin;
	result = result.status == tns_ok ? end : result;

	if (!options->quiet)
	{
		PrintSummary(runs->runs[0], recorder, runs->numbers, folder);
		if (runs->level != NULL)
		{
			PrintLevel(runs->level);
		}
		if (runs->count > 1)
		{
			PrintBeside(runs);
		}
		if (film != NULL)
		{
			PrintFilm(film, &options->film);
		}
		if (options->sound != NULL)
		{
			printf("  sound        %s\n", options->sound);
		}
	}
	const tnsResult closed = CloseFilm(film);
	result = result.status == tns_ok ? closed : result;
	const tnsResult sounded = EndSound(&sound, options, result.status == tns_ok);
	result = result.status == tns_ok ? sounded : result;
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
	// All of them together.
	for (int i = 0; i < runs->count; ++i)
	{
		const size_t bytes = tnWorld_GetStats(tnsRun_GetWorld(runs->runs[i])).byteCount;
		overrides.memoryLimit = overrides.memoryLimit > bytes ? overrides.memoryLimit - bytes : 1;
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
	if ((options->view == mapWaves || options->view == mapSurfaceWithWaves) && !info->worldDef.waves.enable)
	{
		return ReportUsage(&g_runCommand, "--view %s: the scene has no waves", s_views[options->view]);
	}
	if ((options->dumps & dumpWaves) != 0 && !info->worldDef.waves.enable)
	{
		return ReportUsage(&g_runCommand, "--dump waves: the scene has no waves");
	}
	const double seconds = options->seconds >= 0.0 ? options->seconds : info->seconds;
	if (options->film.from > 0.0 && options->film.from >= seconds)
	{
		return ReportUsage(
			&g_runCommand, "--from %g: the run ends after %g seconds of water", options->film.from, seconds);
	}
	tnsOverrides overrides = tnsDefaultOverrides();
	overrides.simd = (tnSimd)options->simd;
	overrides.workerCount = options->workerCount;
	overrides.seconds = options->seconds;
	overrides.memoryLimit = GetMemoryLimit(options->memory);
	overrides.allowOutside = options->allowOutside;

	Runs runs = {.count = 0};
	tnsResult result = StartRun(scene, &overrides, options->method, &runs);
	for (int method = 0; method < methodNameCount && result.status == tns_ok; ++method)
	{
		if ((options->beside & 1u << method) != 0)
		{
			result = StartRun(scene, &overrides, method, &runs);
		}
	}
	if (result.status == tns_ok)
	{
		runs.level = tnsCreateLevel(runs.runs[0], &result);
	}
	const int exitCode = result.status == tns_ok ? RunAndRecord(&runs, options, folder) : ReportResult(&result);
	tnsDestroyLevel(runs.level);
	for (int i = 0; i < runs.count; ++i)
	{
		tnsDestroyRun(runs.runs[i]);
	}
	return exitCode;
}

static int CheckFilm(FilmDef* film, const char* size)
{
	if (size != NULL && !ReadPictureSize(size, &film->width, &film->height))
	{
		return ReportUsage(
			&g_runCommand, "--size is WIDTHxHEIGHT in pixels, 16 to 8192 each, like 1280x720, not '%s'", size);
	}
	if (film->video != NULL && !IsVideoPath(film->video))
	{
		return ReportUsage(&g_runCommand, "--video ends with .mp4, .webp or .gif, not like '%s'", film->video);
	}
	return exitOk;
}

// Play a recording if the arguments say so: they are those of `tarn replay` then, which says what it does not know.
// @return false if they do not
static bool PlayInstead(int argc, char** argv, int* exitCode)
{
	static const char option[] = "--replay";
	const size_t length = sizeof(option) - 1;
	int at = 0;
	while (
		at < argc && (strncmp(argv[at], option, length) != 0 || (argv[at][length] != '\0' && argv[at][length] != '=')))
	{
		++at;
	}
	if (at == argc)
	{
		return false;
	}
	if (argv[at][length] == '=')
	{
		argv[at] += length + 1;
	}
	else
	{
		argc -= 1;
		memmove(argv + at, argv + at + 1, (size_t)(argc - at) * sizeof(argv[0]));
	}
	*exitCode = g_replayCommand.runFcn(argc, argv);
	return true;
}

static int RunScene(int argc, char** argv)
{
	int exitCode;
	if (PlayInstead(argc, argv, &exitCode))
	{
		return exitCode;
	}
	static const char* const sets[] = {"auto", "scalar", "sse2", "avx2", "neon", "wasm", NULL};
	static const char* const fields[] = {"depth", "velocity", "tracer", "bed", "surface", "waves", NULL};
	const int processorCount = GetProcessorCount();
	RunOptions options = {
		.seconds = -1.0,
		.every = -1.0,
		.method = methodNameCount,
		.view = -1,
		.simd = tn_simdAuto,
		.workerCount = processorCount < TN_MAX_WORKERS ? processorCount : TN_MAX_WORKERS,
		.memory = defaultMemory,
		.film = {.width = 960, .height = 540, .framesPerSecond = 30.0},
	};
	const char* size = NULL;
	const Option table[] = {
		{.name = "seconds", .kind = optionDouble, .target = &options.seconds, .least = 0.0, .most = 1.0e9},
		{.name = "every", .kind = optionDouble, .target = &options.every, .least = 0.0, .most = 1.0e9},
		{.name = "scale", .kind = optionDouble, .target = &options.scale, .least = 0.01, .most = 64.0},
		{.name = "method", .kind = optionChoice, .target = &options.method, .choices = g_methodNames},
		{.name = "beside", .kind = optionChoices, .target = &options.beside, .choices = g_methodNames},
		{.name = "view", .kind = optionChoice, .target = &options.view, .choices = s_views},
		{.name = "simd", .kind = optionChoice, .target = &options.simd, .choices = sets},
		{.name = "workers", .kind = optionInt, .target = &options.workerCount, .least = 1, .most = TN_MAX_WORKERS},
		{.name = "memory", .kind = optionInt, .target = &options.memory, .least = 1, .most = mostMemory},
		{.name = "allow-outside", .kind = optionFlag, .target = &options.allowOutside},
		{.name = "dump", .kind = optionChoices, .target = &options.dumps, .choices = fields},
		{.name = "out", .kind = optionText, .target = (void*)&options.out},
		{.name = "sound", .kind = optionText, .target = (void*)&options.sound},
		{.name = "record", .kind = optionText, .target = (void*)&options.record},
		{.name = "quiet", .kind = optionFlag, .target = &options.quiet},
		{.name = "video", .kind = optionText, .target = (void*)&options.film.video},
		{.name = "frames", .kind = optionText, .target = (void*)&options.film.frames},
		{.name = "picture", .kind = optionText, .target = (void*)&options.film.picture},
		{.name = "size", .kind = optionText, .target = (void*)&size},
		{.name = "fps", .kind = optionDouble, .target = &options.film.framesPerSecond, .least = 1.0, .most = 240.0},
		{.name = "speed", .kind = optionDouble, .target = &options.film.speed, .least = 0.001, .most = 10000.0},
		{.name = "from", .kind = optionDouble, .target = &options.film.from, .least = 0.0, .most = 1.0e9},
	};
	Words words;
	if (!ReadOptions(&g_runCommand, table, sizeof(table) / sizeof(table[0]), argc, argv, &words, 1, &exitCode))
	{
		return exitCode;
	}
	if (words.count == 0)
	{
		return ReportUsage(&g_runCommand, "which scene? For instance: tarn run river_valley");
	}
	if (!tnIsSimdAvailable((tnSimd)options.simd))
	{
		return ReportUsage(
			&g_runCommand, "--simd %s is not to be had here; `tarn --version` lists what is", sets[options.simd]);
	}
	exitCode = CheckFilm(&options.film, size);
	if (exitCode != exitOk)
	{
		return exitCode;
	}

	char path[maxScenePath];
	char unknown[maxScenePathError];
	if (!FindScenePath(words.words[0], path, sizeof(path), unknown, sizeof(unknown)))
	{
		fprintf(stderr, "tarn run: %s\n", unknown);
		return exitFile;
	}
	if (tnsIsVoxelSceneFile(path))
	{
		return ReportUsage(&g_runCommand, "%s is a scene of voxels: `tarn voxels %s` runs it", path, path);
	}
	tnsResult result;
	tnsScene* scene = tnsLoadScene(path, &result);
	if (scene == NULL)
	{
		return ReportResult(&result);
	}
	char stem[maxScenePath];
	char folder[maxScenePath + 8];
	GetSceneStem(path, stem, sizeof(stem));
	snprintf(folder, sizeof(folder), "out/%s", stem);
	exitCode = StartAndRun(scene, &options, options.out != NULL ? options.out : folder);
	tnsDestroyScene(scene);
	return exitCode;
}
