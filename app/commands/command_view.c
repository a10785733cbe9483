// SPDX-License-Identifier: MIT

// `tarn view`: reads the options of the viewer and opens its window.

#include "commands/methods.h"
#include "commands/options.h"
#include "commands/scene_paths.h"
#include "viewer/viewer_window.h"

#include <stdio.h>
#include <string.h>

static const char s_help[] =
	"tarn view - play with a scene in a window\n"
	"\n"
	"Usage: tarn view [SCENE | SAVE.tarn] [OPTIONS]\n"
	"\n"
	"Pour, dig, dye and push with the mouse while the water runs, in columns or in voxels. F1 in the window shows all "
	"keys.\n"
	"\n"
	"  SCENE            a scene file, or the name of one in the folder scenes (default: pull_the_dam) or\n"
	"                   scenes/voxels, for instance volcano. The other scenes can be chosen in the window.\n"
	"  SAVE.tarn        a world that was saved in the window; its scene must be one of those above\n"
	"  --size WxH       size of the window in pixels (default: 1280x720)\n"
	"  --paused         begin with the water at rest\n"
	"  --touch          large buttons\n"
	"  --quality N      0 to 2 (default 2): with 0, for small GPUs, without plants, bloom and shadows of clouds\n"
	"  --method NAME    how the water moves, also in levels: pipe, linear, shallow, shallow-fine, shallow-sl or\n"
	"                   shallow-mc (default: what the scene says)\n"
	"  --workers N      threads, 1 to 64 (default: one per processor; the water does not depend on it)\n"
	"  --memory MIB     mebibytes that a scene may have (default 1024)\n"
	"  --allow-outside  scenes may name files outside of their folders\n"
	"  --frames N       leave after N pictures\n"
	"  --log FILE       write a line for every event: time, step, volume, method, hash\n"
	"\n"
	"The water takes the fixed time step of the scene. On a slow machine it runs slower than real time, and the\n"
	"window says so; it never takes other steps, so the same actions at the same steps give the same water.\n"
	"\n"
	"F12 saves a picture, F5 begins and ends a video (needs ffmpeg), both in the current folder.\n"
	"Ctrl+S saves the world there, ctrl+O opens the last one saved, and so does a file that is dropped on the window.\n"
	"\n"
	"Without a display: `tarn run SCENE --video out.mp4`.\n"
	"\n"
	"Exit codes: 0 done, 1 wrong usage or no display, 2 a scene or file is missing or wrong, 130 interrupted.\n";

static int ViewScene(int argc, char** argv);

const Command g_viewCommand = {"view", "play with a scene in a window: pour, dig, dye, push", s_help, ViewScene};

// "1280x720"
bool ReadWindowSize(const char* text, int* width, int* height)
{
	char rest;
	return sscanf(text, "%5dx%5d%c", width, height, &rest) == 2 && *width >= 64 && *height >= 64 && *width <= 16384 &&
		*height <= 16384;
}

static int FindPath(char** paths, int count, const char* path)
{
	for (int i = 0; i < count; ++i)
	{
		if (strcmp(paths[i], path) == 0)
		{
			return i;
		}
	}
	return -1;
}

static bool IsSavePath(const char* path)
{
	const size_t length = strlen(path);
	return length > 5 && strcmp(path + length - 5, ".tarn") == 0;
}

static int ViewScene(int argc, char** argv)
{
	ViewerOptions viewer = {.width = 1280,
		.height = 720,
		.memory = defaultMemory,
		.quality = 2,
		.method = tn_methodCount,
		.advection = tn_advectionCount};
	int method = methodNameCount;
	const char* size = NULL;
	const Option options[] = {
		{"size", optionText, &size, 0.0, 0.0, NULL},
		{"paused", optionFlag, &viewer.paused, 0.0, 0.0, NULL},
		{"touch", optionFlag, &viewer.touch, 0.0, 0.0, NULL},
		{"quality", optionInt, &viewer.quality, 0.0, 2.0, NULL},
		{"method", optionChoice, &method, 0.0, 0.0, g_methodNames},
		{"workers", optionInt, &viewer.workerCount, 1.0, 64.0, NULL},
		{"frames", optionInt, &viewer.frameCount, 1.0, 1.0e9, NULL},
		{"log", optionText, &viewer.log, 0.0, 0.0, NULL},
		{"memory", optionInt, &viewer.memory, 1.0, mostMemory, NULL},
		{"allow-outside", optionFlag, &viewer.allowOutside, 0.0, 0.0, NULL},
	};
	Words words;
	int exitCode;
	if (!ReadOptions(
			&g_viewCommand, options, (int)(sizeof(options) / sizeof(options[0])), argc, argv, &words, 1, &exitCode))
	{
		return exitCode;
	}
	if (size != NULL && ReadWindowSize(size, &viewer.width, &viewer.height) == false)
	{
		return ReportUsage(&g_viewCommand, "--size is like 1280x720, each side from 64 to 16384, not '%s'", size);
	}
	if (method < methodNameCount)
	{
		viewer.method = GetNamedMethod((MethodName)method);
		viewer.advection = GetNamedAdvection((MethodName)method);
	}
	char path[maxScenePath];
	char unknown[maxScenePathError];
	const char* wanted = words.count > 0 ? words.words[0] : "pull_the_dam";
	char key[maxScenePath];
	if (IsSavePath(wanted))
	{
		if (ReadSaveScene(wanted, key, sizeof(key)) == false)
		{
			return exitFile;
		}
		viewer.save = wanted;
		wanted = key;
	}
	if (!FindScenePath(wanted, path, sizeof(path), unknown, sizeof(unknown)))
	{
		fprintf(stderr, "tarn view: %s\n", unknown);
		return exitFile;
	}
	viewer.pathCount = ListScenesAround(path, &viewer.paths);
	viewer.firstScene = FindPath(viewer.paths, viewer.pathCount, path);
	char* onlyPath[1] = {path};
	char** listed = viewer.paths;
	const int listedCount = viewer.pathCount;
	if (viewer.firstScene < 0)
	{
		// A file with another ending, or one that is not there: the scene reader says what is wrong with it.
		viewer.paths = onlyPath;
		viewer.pathCount = 1;
		viewer.firstScene = 0;
	}
	exitCode = RunViewer(&viewer);
	FreeScenePaths(listed, listedCount);
	return exitCode;
}
