// SPDX-License-Identifier: MIT

#include "options.h"
#include "voxel_picture.h"

#include <stdio.h>

static const char s_help[] =
	"tarn voxels - run a scene of voxels\n"
	"\n"
	"Usage: tarn voxels SCENE [OPTIONS]\n"
	"\n"
	"  SCENE            a scene file with a part \"voxels\", for instance scenes/voxels/u_bend.json\n"
	"  --steps N        how long (default: what the scene says)\n"
	"  --picture FILE   write a picture of the end, a PNG\n"
	"  --size WxH       size of the picture in pixels (default: 1280x720)\n"
	"  --blocky         draw voxels as boxes\n"
	"\n"
	"At the end it prints how much of each liquid there is, in units, and the hash of the world.\n"
	"\n"
	"Exit codes: 0 done, 1 wrong usage, 2 a scene or file is missing or wrong, 3 the world refused something.\n";

static int RunVoxels(int argc, char** argv);

const Command g_voxelsCommand = {"voxels", "run a scene of voxels, and draw it", s_help, RunVoxels};

static int GetExitCode(const tnsResult* result)
{
	fprintf(stderr, "tarn voxels: %s\n", result->text);
	return result->status == tns_worldError || result->status == tns_outOfMemory ? exitWorld : exitFile;
}

static int StepAndDraw(const tnsVoxelSceneInfo* info, tnsVoxelRun* run, int steps, VoxelPicture* picture)
{
	for (int i = 0; i < steps; ++i)
	{
		const tnsResult stepped = tnsVoxelRun_Step(run);
		if (stepped.status != tns_ok)
		{
			return GetExitCode(&stepped);
		}
	}
	const tnVoxelWorld* world = tnsVoxelRun_GetWorld(run);
	printf("%s, %d steps%s\n", info->name, steps, tnVoxelWorld_IsAtRest(world) ? ", at rest" : "");
	for (int liquid = 1; liquid <= info->worldDef.liquidCount; ++liquid)
	{
		const tnVoxelLedger ledger = tnVoxelWorld_GetLedger(world, liquid);
		printf("liquid %d: %lld units, drift %lld\n", liquid, (long long)(ledger.volume + ledger.waiting),
			(long long)ledger.drift);
	}
	printf("hash %016llx\n", (unsigned long long)tnVoxelWorld_GetHash(world));
	if (picture->path != NULL)
	{
		picture->run = run;
		const tnsResult result = DrawVoxelPicture(picture);
		return result.status == tns_ok ? exitOk : GetExitCode(&result);
	}
	return exitOk;
}

static int RunVoxels(int argc, char** argv)
{
	VoxelPicture picture = {.width = 1280, .height = 720};
	const char* size = NULL;
	int steps = -1;
	const Option options[] = {
		{"steps", optionInt, &steps, 0.0, 1.0e6, NULL},
		{"picture", optionText, &picture.path, 0.0, 0.0, NULL},
		{"size", optionText, &size, 0.0, 0.0, NULL},
		{"blocky", optionFlag, &picture.blocky, 0.0, 0.0, NULL},
	};
	Words words;
	int exitCode;
	if (!ReadOptions(
			&g_voxelsCommand, options, (int)(sizeof(options) / sizeof(options[0])), argc, argv, &words, 1, &exitCode))
	{
		return exitCode;
	}
	char rest;
	if (size != NULL &&
		(sscanf(size, "%5dx%5d%c", &picture.width, &picture.height, &rest) != 2 || picture.width < 16 ||
			picture.height < 16 || picture.width > 16384 || picture.height > 16384))
	{
		return ReportUsage(&g_voxelsCommand, "--size is like 1280x720, each side from 16 to 16384, not '%s'", size);
	}
	if (words.count == 0)
	{
		return ReportUsage(&g_voxelsCommand, "which scene?");
	}
	tnsResult result;
	tnsVoxelScene* scene = tnsLoadVoxelScene(words.words[0], &result);
	tnsVoxelRun* run = scene != NULL ? tnsVoxelScene_Begin(scene, &result) : NULL;
	if (run == NULL)
	{
		exitCode = GetExitCode(&result);
	}
	else
	{
		const tnsVoxelSceneInfo* info = tnsVoxelScene_GetInfo(scene);
		exitCode = StepAndDraw(info, run, steps >= 0 ? steps : info->steps, &picture);
	}
	tnsDestroyVoxelRun(run);
	tnsDestroyVoxelScene(scene);
	return exitCode;
}
