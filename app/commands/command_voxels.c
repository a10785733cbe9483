// SPDX-License-Identifier: MIT

// `tarn voxels`: runs a scene of voxels, and draws or films it.

#include "commands/options.h"
#include "commands/scene_paths.h"
#include "films/voxel_film.h"
#include "system/platform.h"
#include "system/video.h"

#include <stdio.h>

static const char s_help[] =
	"tarn voxels - run a scene of voxels\n"
	"\n"
	"Usage: tarn voxels SCENE [OPTIONS]\n"
	"\n"
	"  SCENE            a scene file with a part \"voxels\", for instance scenes/voxels/u_bend.json, or the name of "
	"one\n"
	"                   in scenes/voxels: u_bend\n"
	"  --steps N        how long (default: what the scene says)\n"
	"  --picture FILE   write a picture of the end, a PNG\n"
	"  --video FILE     a film of the run: .mp4, .webp or .gif (with ffmpeg)\n"
	"  --size WxH       size of pictures in pixels (default: 1280x720)\n"
	"  --fps N          frames per second of the film, 1 to 240 (default 30)\n"
	"  --speed X        seconds of water in a second of the film (default 1)\n"
	"  --blocky         draw voxels as boxes\n"
	"  --memory MIB     mebibytes that the world may have (default 1024)\n"
	"\n"
	"At the end it prints how much of each liquid there is, in units, how wheels turn, and the hash of the world.\n"
	"\n"
	"Exit codes: 0 done, 1 wrong usage, 2 a scene or file is missing or wrong, 3 the world refused something.\n";

static int RunVoxels(int argc, char** argv);

const Command g_voxelsCommand = {"voxels", "run a scene of voxels, and draw it", s_help, RunVoxels};

static int GetExitCode(const tnsResult* result)
{
	fprintf(stderr, "tarn voxels: %s\n", result->text);
	return result->status == tns_worldError || result->status == tns_outOfMemory ? exitWorld : exitFile;
}

static int PrintEnd(const tnsVoxelRun* run)
{
	const tnsVoxelSceneInfo* info = tnsVoxelScene_GetInfo(tnsVoxelRun_GetScene(run));
	const tnVoxelWorld* world = tnsVoxelRun_GetWorld(run);
	printf("%s, %lld steps%s\n", info->name, (long long)tnsVoxelRun_GetStepCount(run),
		tnsVoxelRun_IsAtRest(run) ? ", at rest" : "");
	for (int liquid = 1; liquid <= info->worldDef.liquidCount; ++liquid)
	{
		const tnVoxelLedger ledger = tnVoxelWorld_GetLedger(world, liquid);
		printf("%s: %lld units, drift %lld\n", info->liquids[liquid - 1].name,
			(long long)(ledger.volume + ledger.waiting), (long long)ledger.drift);
	}
	for (int i = 0; i < info->wheelCount; ++i)
	{
		const tnsWheel wheel = tnsVoxelRun_GetWheel(run, i);
		printf("wheel %d: %.2f turns, rim at %.2f m/s\n", i + 1, wheel.turns, (double)(wheel.spin * wheel.radius));
	}
	printf("hash %016llx\n", (unsigned long long)tnVoxelWorld_GetHash(world));
	return exitOk;
}

static int StepAndDraw(tnsVoxelRun* run, const VoxelFilmDef* def)
{
	tnsResult result = {.status = tns_ok};
	VoxelFilm* film = NULL;
	if (def->video != NULL || def->picture != NULL)
	{
		film = OpenVoxelFilm(def, &result);
	}
	for (int i = 0; i <= def->steps && result.status == tns_ok && !WasInterrupted(); ++i)
	{
		result = i > 0 ? tnsVoxelRun_Step(run) : result;
		if (film != NULL && result.status == tns_ok)
		{
			result = VoxelFilm_Advance(film);
		}
	}
	const tnsResult closed = CloseVoxelFilm(film);
	result = result.status == tns_ok ? closed : result;
	if (result.status != tns_ok)
	{
		return GetExitCode(&result);
	}
	return WasInterrupted() ? exitInterrupted : PrintEnd(run);
}

static int RunVoxels(int argc, char** argv)
{
	VoxelFilmDef film = {.width = 1280, .height = 720, .framesPerSecond = 30.0, .speed = 1.0};
	const char* size = NULL;
	int steps = -1;
	int memory = defaultMemory;
	const Option options[] = {
		{"steps", optionInt, &steps, 0.0, 1.0e6, NULL},
		{"picture", optionText, &film.picture, 0.0, 0.0, NULL},
		{"video", optionText, &film.video, 0.0, 0.0, NULL},
		{"size", optionText, &size, 0.0, 0.0, NULL},
		{"fps", optionDouble, &film.framesPerSecond, 1.0, 240.0, NULL},
		{"speed", optionDouble, &film.speed, 0.001, 10000.0, NULL},
		{"blocky", optionFlag, &film.blocky, 0.0, 0.0, NULL},
		{"memory", optionInt, &memory, 1.0, mostMemory, NULL},
	};
	Words words;
	int exitCode;
	if (!ReadOptions(
			&g_voxelsCommand, options, (int)(sizeof(options) / sizeof(options[0])), argc, argv, &words, 1, &exitCode))
	{
		return exitCode;
	}
	if (size != NULL && !ReadPictureSize(size, &film.width, &film.height))
	{
		return ReportUsage(
			&g_voxelsCommand, "--size is WIDTHxHEIGHT in pixels, 16 to 8192 each, like 1280x720, not '%s'", size);
	}
	if (film.video != NULL && !IsVideoPath(film.video))
	{
		return ReportUsage(&g_voxelsCommand, "--video ends with .mp4, .webp or .gif, not like '%s'", film.video);
	}
	if (words.count == 0)
	{
		return ReportUsage(&g_voxelsCommand, "which scene?");
	}
	char path[maxScenePath];
	char unknown[maxScenePathError];
	if (!FindScenePath(words.words[0], path, sizeof(path), unknown, sizeof(unknown)))
	{
		fprintf(stderr, "tarn voxels: %s\n", unknown);
		return exitFile;
	}
	CatchInterrupts();
	tnsResult result;
	tnsVoxelScene* scene = tnsLoadVoxelScene(path, &result);
	tnVoxelWorldDef hooks = tnDefaultVoxelWorldDef();
	hooks.memoryLimit = GetMemoryLimit(memory);
	tnsVoxelRun* run = scene != NULL ? tnsVoxelScene_BeginWith(scene, &hooks, &result) : NULL;
	if (run == NULL)
	{
		exitCode = GetExitCode(&result);
	}
	else
	{
		film.run = run;
		film.steps = steps >= 0 ? steps : tnsVoxelScene_GetInfo(scene)->steps;
		exitCode = StepAndDraw(run, &film);
	}
	tnsDestroyVoxelRun(run);
	tnsDestroyVoxelScene(scene);
	return exitCode;
}
