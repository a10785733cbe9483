// SPDX-License-Identifier: MIT

// The window of `tarn view`: GLFW hands in events and the clock, and the viewer of play/ draws.

#include "viewer/viewer_window.h"

#include "commands/methods.h"
#include "commands/options.h"
#include "commands/scene_paths.h"
#include "play.h"
#include "system/packed_file.h"
#include "system/platform.h"
#include "system/video.h"
#include "viewer/level_progress.h"
#include "viewer/speaker.h"

#define GLFW_INCLUDE_NONE
#include <GLES3/gl3.h>
#include <GLFW/glfw3.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Pictures a second of a recording. The window may be faster or slower: pictures are left out or shown twice.
static const double s_recordingRate = 30.0;

// Of a saved world.
static const size_t s_mostSaveBytes = (size_t)2 << 30;

typedef struct Viewer
{
	const ViewerOptions* options;
	GLFWwindow* window;
	tnpPlay* play;
	Speaker* speaker;
	FILE* log;
	double startClock;
	// Pixels as the viewer counts them, in which a button has the same size on every screen, per pixel of GLFW.
	double mouseScale;

	// The picture as it was read, and the recording in progress.
	uint8_t* pixels;
	size_t pixelBytes;
	Video* video;
	char videoPath[maxScenePath];
	int videoWidth, videoHeight;
	int64_t videoFrames;
	double videoStart;

	// The save that was written or opened last.
	char savePath[maxScenePath];

	// What the file that is kept knows of levels.
	tnpLevelBest* keptBest;
	// When the level of a study was last seen to be played.
	double overSince;

	// What the log said last.
	bool loggedPaused;
	tnpTool loggedTool;
	int loggedScene, loggedMethod;
	double titleTime;
} Viewer;

// ---------------------------------------------------------------------------------------------------------------------
// Log

// An index of g_methodNames, or -1: voxels have no method.
static int GetMethod(const Viewer* viewer)
{
	const tnWorld* world = tnpPlay_GetWorld(viewer->play);
	if (world == NULL)
	{
		return -1;
	}
	const tnWorldDef def = tnWorld_GetDef(world);
	return FindMethodName(def.method, def.advection);
}

static double SumBed(const tnWorld* world)
{
	const tnFieldView bed = tnWorld_GetBed(world);
	double sum = 0.0;
	for (int row = 0; row < bed.rowCount; ++row)
	{
		for (int column = 0; column < bed.columnCount; ++column)
		{
			sum += (double)bed.data[(size_t)row * (size_t)bed.stride + (size_t)column];
		}
	}
	return sum;
}

// Ground of all voxels that are shown. Reads row by row.
static double SumGround(const Viewer* viewer)
{
	const tnVoxelWorld* world = tnpPlay_GetVoxelWorld(viewer->play);
	const tnVoxelBox box = tnpPlay_GetVoxelBox(viewer->play);
	uint8_t solid[512];
	double sum = 0.0;
	for (int32_t y = box.low.y; y < box.high.y; ++y)
	{
		for (int32_t z = box.low.z; z < box.high.z; ++z)
		{
			const tnVoxelBox row = {{box.low.x, y, z}, {box.high.x, y + 1, z + 1}};
			const int count = row.high.x - row.low.x;
			if (count > (int)sizeof(solid) || tnVoxelWorld_Read(world, row, solid, NULL, NULL).status != tn_ok)
			{
				return -1.0;
			}
			for (int i = 0; i < count; ++i)
			{
				sum += (double)solid[i] / (double)TN_VOXEL_ROCK;
			}
		}
	}
	return sum;
}

static void WriteLog(Viewer* viewer, const char* event)
{
	if (viewer->log == NULL)
	{
		return;
	}
	const tnpStatus status = tnpPlay_GetStatus(viewer->play);
	const tnWorld* world = tnpPlay_GetWorld(viewer->play);
	const tnpPast past = tnpPlay_GetPast(viewer->play);
	const double ground = world != NULL ? SumBed(world) : SumGround(viewer);
	const int method = GetMethod(viewer);
	char stem[maxScenePath];
	GetSceneStem(viewer->options->paths[tnpPlay_GetScene(viewer->play)], stem, sizeof(stem));
	fprintf(viewer->log,
		"event=%s clock=%.3f frame=%" PRId64 " step=%" PRId64 " time=%.4f scene=%s method=%s tool=%s paused=%d "
		"bodies=%d physics=%d undo=%d past=%d back=%.3f level=%s volume=%.9g ground=%.9g drift=%.3g hash=%016" PRIx64
		"\n",
		event, GetSeconds() - viewer->startClock, status.frameCount, status.stepCount, status.time, stem,
		method >= 0 ? g_methodNames[method] : "voxels", tnpGetToolName(tnpPlay_GetTool(viewer->play)),
		tnpPlay_IsPaused(viewer->play) ? 1 : 0, status.bodyCount, tnpGetToolRefusal(tnp_grabTool) == NULL ? 1 : 0,
		past.undoCount, past.count, past.end - status.time,
		tnpPlay_GetLevel(viewer->play) != NULL ? tnsGetLevelStateName(tnsLevel_GetState(tnpPlay_GetLevel(viewer->play)))
											   : "none",
		status.volume, ground, status.drift, tnpPlay_GetHash(viewer->play));
	fflush(viewer->log);
}

static void RememberState(Viewer* viewer)
{
	viewer->loggedPaused = tnpPlay_IsPaused(viewer->play);
	viewer->loggedTool = tnpPlay_GetTool(viewer->play);
	viewer->loggedScene = tnpPlay_GetScene(viewer->play);
	viewer->loggedMethod = GetMethod(viewer);
}

// A line for whatever is different from the last line.
static void LogChanges(Viewer* viewer)
{
	const bool scene = tnpPlay_GetScene(viewer->play) != viewer->loggedScene;
	const bool paused = tnpPlay_IsPaused(viewer->play) != viewer->loggedPaused;
	const bool tool = tnpPlay_GetTool(viewer->play) != viewer->loggedTool;
	const bool method = GetMethod(viewer) != viewer->loggedMethod;
	if (scene || paused || tool || method)
	{
		WriteLog(viewer, scene ? "scene" : paused ? "pause" : method ? "method" : "tool");
		RememberState(viewer);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Events

static int TranslateKey(int key)
{
	static const struct
	{
		int theirs, ours;
	} keys[] = {
		{GLFW_KEY_ESCAPE, tnp_escapeKey},
		{GLFW_KEY_TAB, tnp_tabKey},
		{GLFW_KEY_LEFT, tnp_leftKey},
		{GLFW_KEY_RIGHT, tnp_rightKey},
		{GLFW_KEY_UP, tnp_upKey},
		{GLFW_KEY_DOWN, tnp_downKey},
		{GLFW_KEY_PAGE_UP, tnp_pageUpKey},
		{GLFW_KEY_PAGE_DOWN, tnp_pageDownKey},
		{GLFW_KEY_LEFT_SHIFT, tnp_shiftKey},
		{GLFW_KEY_RIGHT_SHIFT, tnp_shiftKey},
		{GLFW_KEY_LEFT_CONTROL, tnp_controlKey},
		{GLFW_KEY_RIGHT_CONTROL, tnp_controlKey},
		{GLFW_KEY_F1, tnp_f1Key},
		{GLFW_KEY_F2, tnp_f2Key},
		{GLFW_KEY_F3, tnp_f3Key},
		{GLFW_KEY_F4, tnp_f4Key},
		{GLFW_KEY_F5, tnp_f5Key},
		{GLFW_KEY_F12, tnp_f12Key},
		{GLFW_KEY_ENTER, tnp_enterKey},
		{GLFW_KEY_KP_ENTER, tnp_enterKey},
		{GLFW_KEY_KP_ADD, '+'},
		{GLFW_KEY_KP_SUBTRACT, '-'},
	};
	// Letters, digits and signs are their upper case ASCII in GLFW too.
	if (key >= ' ' && key < 128)
	{
		return key;
	}
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); ++i)
	{
		if (keys[i].theirs == key)
		{
			return keys[i].ours;
		}
	}
	return -1;
}

static void ToggleSound(Viewer* viewer)
{
	const bool on = Speaker_Toggle(viewer->speaker);
	tnpPlay_ShowMessage(
		viewer->play, viewer->speaker == NULL ? "There is no device for sound here" : (on ? "Sound on" : "Sound off"));
	WriteLog(viewer, on ? "sound-on" : "sound-off");
}

static void OnKey(GLFWwindow* window, int key, int code, int action, int modifiers)
{
	(void)code;
	Viewer* viewer = glfwGetWindowUserPointer(window);
	const int translated = TranslateKey(key);
	// Held keys repeat for what goes in steps; a pause must not flicker.
	const bool repeats = translated == '.' || translated == '[' || translated == ']' || translated == tnp_rightKey;
	if (action == GLFW_REPEAT && repeats == false)
	{
		return;
	}
	// With shift it chooses a method.
	if (key == GLFW_KEY_M && action == GLFW_PRESS && (modifiers & GLFW_MOD_SHIFT) == 0)
	{
		ToggleSound(viewer);
		return;
	}
	tnpPlay_Key(viewer->play, translated, action != GLFW_RELEASE);
	if (action != GLFW_RELEASE)
	{
		WriteLog(viewer, "key");
	}
	LogChanges(viewer);
}

static void OnButton(GLFWwindow* window, int button, int action, int modifiers)
{
	(void)modifiers;
	Viewer* viewer = glfwGetWindowUserPointer(window);
	const tnpButton translated = button == GLFW_MOUSE_BUTTON_LEFT ? tnp_leftButton
		: button == GLFW_MOUSE_BUTTON_RIGHT                       ? tnp_rightButton
		: button == GLFW_MOUSE_BUTTON_MIDDLE                      ? tnp_middleButton
																  : tnp_buttonCount;
	tnpPlay_MouseButton(viewer->play, translated, action == GLFW_PRESS);
	WriteLog(viewer, action == GLFW_PRESS ? "press" : "release");
	LogChanges(viewer);
}

static void OnMove(GLFWwindow* window, double x, double y)
{
	Viewer* viewer = glfwGetWindowUserPointer(window);
	tnpPlay_MouseMove(viewer->play, (float)(x * viewer->mouseScale), (float)(y * viewer->mouseScale));
}

static void OnScroll(GLFWwindow* window, double dx, double dy)
{
	Viewer* viewer = glfwGetWindowUserPointer(window);
	tnpPlay_Scroll(viewer->play, (float)dx, (float)dy);
}

// Keys that are held while the window loses the keyboard are never released.
static void OnFocus(GLFWwindow* window, int focused)
{
	Viewer* viewer = glfwGetWindowUserPointer(window);
	static const char held[] = "WASDQE";
	for (const char* key = held; focused == GLFW_FALSE && *key != '\0'; ++key)
	{
		tnpPlay_Key(viewer->play, *key, false);
	}
	for (int key = tnp_leftKey; focused == GLFW_FALSE && key <= tnp_controlKey; ++key)
	{
		tnpPlay_Key(viewer->play, key, false);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Pictures and recordings

// Read the picture that was drawn last: 3 bytes per pixel, rows from the top.
static bool ReadPicture(Viewer* viewer, int width, int height)
{
	const size_t rowBytes = (size_t)width * 4;
	const size_t bytes = rowBytes * (size_t)height;
	if (viewer->pixelBytes < bytes)
	{
		uint8_t* more = realloc(viewer->pixels, bytes);
		if (more == NULL)
		{
			return false;
		}
		viewer->pixels = more;
		viewer->pixelBytes = bytes;
	}
	glBindFramebuffer(GL_FRAMEBUFFER, 0);
	glPixelStorei(GL_PACK_ALIGNMENT, 4);
	glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, viewer->pixels);
	for (int row = 0; row < height / 2; ++row)
	{
		uint8_t* upper = viewer->pixels + (size_t)row * rowBytes;
		uint8_t* lower = viewer->pixels + (size_t)(height - 1 - row) * rowBytes;
		for (size_t i = 0; i < rowBytes; ++i)
		{
			const uint8_t byte = upper[i];
			upper[i] = lower[i];
			lower[i] = byte;
		}
	}
	for (size_t i = 0; i < (size_t)width * (size_t)height; ++i)
	{
		memmove(viewer->pixels + 3 * i, viewer->pixels + 4 * i, 3);
	}
	return true;
}

// A name that no file has yet: tarn-dam_break-3.png.
static void MakeFileName(const Viewer* viewer, const char* ending, char* path, size_t size)
{
	char stem[200];
	GetSceneStem(viewer->options->paths[tnpPlay_GetScene(viewer->play)], stem, sizeof(stem));
	int number = 1;
	do
	{
		snprintf(path, size, "tarn-%s-%d%s", stem, number, ending);
		number += 1;
	} while (IsFile(path) && number < 100000);
}

static void SavePicture(Viewer* viewer, int width, int height)
{
	char path[maxScenePath];
	char text[maxScenePath + 32];
	MakeFileName(viewer, ".png", path, sizeof(path));
	if (ReadPicture(viewer, width, height) == false)
	{
		tnpPlay_ShowMessage(viewer->play, "No memory for a picture");
		return;
	}
	const tnsResult result = tnsWritePicture(path, viewer->pixels, width, height);
	snprintf(text, sizeof(text), "%s%s", result.status == tns_ok ? "Saved " : "",
		result.status == tns_ok ? path : result.text);
	tnpPlay_ShowMessage(viewer->play, text);
	WriteLog(viewer, "picture");
}

// ---------------------------------------------------------------------------------------------------------------------
// Saves

static void SaveWorld(Viewer* viewer)
{
	char path[maxScenePath];
	char text[2 * maxScenePath];
	size_t size = 0;
	MakeFileName(viewer, ".tarn", path, sizeof(path));
	tnrResult result = tnpPlay_Save(viewer->play, NULL, 0, &size);
	void* bytes = result.ok ? malloc(size) : NULL;
	const char* error = result.ok ? "No memory to save the world" : result.text;
	if (bytes != NULL)
	{
		result = tnpPlay_Save(viewer->play, bytes, size, &size);
		error = result.ok ? WritePackedFile(path, bytes, size) : result.text;
	}
	free(bytes);
	snprintf(text, sizeof(text), "%s%s", error == NULL ? "Saved " : "", error == NULL ? path : error);
	tnpPlay_ShowMessage(viewer->play, text);
	if (error == NULL)
	{
		snprintf(viewer->savePath, sizeof(viewer->savePath), "%s", path);
	}
	WriteLog(viewer, error == NULL ? "saved" : "save-failed");
}

// @return NULL, or why not
static const char* LoadWorld(Viewer* viewer, const char* path)
{
	static char text[2 * maxScenePath];
	void* bytes = NULL;
	size_t size = 0;
	const char* error = ReadPackedFile(path, s_mostSaveBytes, &bytes, &size);
	if (error == NULL)
	{
		const tnrResult result = tnpPlay_Load(viewer->play, bytes, size);
		snprintf(text, sizeof(text), "%s: %s", path, result.text);
		error = result.ok ? NULL : text;
	}
	free(bytes);
	if (error == NULL)
	{
		snprintf(viewer->savePath, sizeof(viewer->savePath), "%s", path);
	}
	return error;
}

static void OpenWorld(Viewer* viewer, const char* path)
{
	char text[2 * maxScenePath];
	const char* error = LoadWorld(viewer, path);
	snprintf(text, sizeof(text), "%s%s", error == NULL ? "Opened " : "", error == NULL ? path : error);
	tnpPlay_ShowMessage(viewer->play, text);
	WriteLog(viewer, error == NULL ? "opened" : "open-failed");
}

// The save that was written or opened last; or the newest of this scene in the folder.
static void OpenLastWorld(Viewer* viewer)
{
	char path[maxScenePath], next[maxScenePath], stem[200];
	snprintf(path, sizeof(path), "%s", viewer->savePath);
	GetSceneStem(viewer->options->paths[tnpPlay_GetScene(viewer->play)], stem, sizeof(stem));
	for (int number = 1; viewer->savePath[0] == '\0' && number < 100000; ++number)
	{
		snprintf(next, sizeof(next), "tarn-%s-%d.tarn", stem, number);
		if (IsFile(next) == false)
		{
			break;
		}
		snprintf(path, sizeof(path), "%s", next);
	}
	if (path[0] == '\0')
	{
		tnpPlay_ShowMessage(viewer->play, "Nothing has been saved here: ctrl+S does it; or drop a file on the window");
		return;
	}
	OpenWorld(viewer, path);
}

static void OnDrop(GLFWwindow* window, int count, const char** paths)
{
	Viewer* viewer = glfwGetWindowUserPointer(window);
	if (count > 0)
	{
		OpenWorld(viewer, paths[0]);
	}
}

static void BeginRecording(Viewer* viewer, int width, int height)
{
	char error[512], text[maxScenePath + 32];
	MakeFileName(viewer, ".mp4", viewer->videoPath, sizeof(viewer->videoPath));
	viewer->video = OpenVideo(viewer->videoPath, width, height, s_recordingRate, error, sizeof(error));
	if (viewer->video == NULL)
	{
		tnpPlay_ShowMessage(viewer->play, error);
		tnpPlay_SetRecording(viewer->play, false);
		return;
	}
	viewer->videoWidth = width;
	viewer->videoHeight = height;
	viewer->videoFrames = 0;
	viewer->videoStart = GetSeconds();
	snprintf(text, sizeof(text), "Recording %s, F5 ends it", viewer->videoPath);
	tnpPlay_ShowMessage(viewer->play, text);
}

static void EndRecording(Viewer* viewer)
{
	char error[512], text[maxScenePath + 32];
	if (viewer->video == NULL)
	{
		return;
	}
	const bool good = CloseVideo(viewer->video, error, sizeof(error));
	viewer->video = NULL;
	tnpPlay_SetRecording(viewer->play, false);
	snprintf(text, sizeof(text), "%s%s", good ? "Saved " : "", good ? viewer->videoPath : error);
	tnpPlay_ShowMessage(viewer->play, text);
	WriteLog(viewer, good ? "recorded" : "recording-failed");
}

static void Record(Viewer* viewer, int width, int height)
{
	const bool wanted = tnpPlay_IsRecording(viewer->play);
	const bool resized = width != viewer->videoWidth || height != viewer->videoHeight;
	if (viewer->video != NULL && (wanted == false || resized))
	{
		EndRecording(viewer);
		return;
	}
	if (wanted && viewer->video == NULL)
	{
		BeginRecording(viewer, width, height);
	}
	if (viewer->video == NULL)
	{
		return;
	}
	// As many pictures as are due by the clock; most when a slow machine stumbles.
	const int most = 30;
	const int64_t due = (int64_t)((GetSeconds() - viewer->videoStart) * s_recordingRate) + 1;
	if (viewer->videoFrames >= due || ReadPicture(viewer, width, height) == false)
	{
		return;
	}
	for (int i = 0; i < most && viewer->videoFrames < due; ++i, ++viewer->videoFrames)
	{
		if (Video_AddFrame(viewer->video, viewer->pixels) == false)
		{
			EndRecording(viewer);
			return;
		}
	}
	viewer->videoFrames = due;
}

// ---------------------------------------------------------------------------------------------------------------------
// Window

static char s_windowError[256];

static void OnError(int code, const char* text)
{
	(void)code;
	snprintf(s_windowError, sizeof(s_windowError), "%s", text);
}

static int ReportNoWindow(const char* what)
{
	fprintf(stderr, "tarn view: %s (%s); `tarn run SCENE --video out.mp4` makes a video without one.\n", what,
		s_windowError[0] != '\0' ? s_windowError : "no reason given");
	return exitUsage;
}

static void UpdateTitle(Viewer* viewer)
{
	const double now = GetSeconds();
	if (now < viewer->titleTime)
	{
		return;
	}
	// Often enough to read, seldom enough for the window manager.
	viewer->titleTime = now + 0.5;
	const tnpStatus status = tnpPlay_GetStatus(viewer->play);
	char title[256];
	snprintf(title, sizeof(title), "tarn - %s - %.0f fps",
		tnpPlay_GetSceneTitle(viewer->play, tnpPlay_GetScene(viewer->play)), (double)status.framesPerSecond);
	glfwSetWindowTitle(viewer->window, title);
}

// Some systems count window pixels that are larger than real ones, others give a fine screen a larger window; both say
// how much larger things should be drawn than on an ordinary screen.
static float UpdateScale(Viewer* viewer, int* width, int* height)
{
	int windowWidth, windowHeight;
	float scale, scaleY;
	glfwGetFramebufferSize(viewer->window, width, height);
	glfwGetWindowSize(viewer->window, &windowWidth, &windowHeight);
	glfwGetWindowContentScale(viewer->window, &scale, &scaleY);
	scale = scale > 0.0f ? scale : 1.0f;
	viewer->mouseScale = windowWidth > 0 ? (double)*width / windowWidth / (double)scale : 1.0;
	return scale;
}

// Say at the start which levels have been won, and keep those that are won from then on.
static void FollowLevels(Viewer* viewer, bool begin)
{
	char stem[maxScenePath];
	for (int i = 0; i < viewer->options->pathCount && viewer->keptBest != NULL; ++i)
	{
		if (tnpPlay_IsLevel(viewer->play, i) == false)
		{
			continue;
		}
		tnpLevelBest* kept = viewer->keptBest + i;
		if (begin)
		{
			GetSceneStem(viewer->options->paths[i], stem, sizeof(stem));
			const LevelResult found = FindLevelResult(stem);
			// Of older files only the name is known: any time is better.
			const double unknown = 1.0e6;
			tnpPlay_SetLevelBest(
				viewer->play, i, (tnpLevelBest){found.stars, found.seconds > 0.0 ? found.seconds : unknown});
			*kept = tnpPlay_GetLevelBest(viewer->play, i);
			continue;
		}
		const tnpLevelBest best = tnpPlay_GetLevelBest(viewer->play, i);
		if (best.stars != kept->stars || best.time != kept->time)
		{
			GetSceneStem(viewer->options->paths[i], stem, sizeof(stem));
			KeepLevelResult(stem, (LevelResult){best.stars, best.time});
			*kept = best;
		}
	}
}

// Keep what comes out of a study. @return is it over, and seen?
static bool FollowOutcome(Viewer* viewer, double now)
{
	// Seconds of the clock.
	const double look = 5.0;
	ViewerOutcome* outcome = viewer->options->outcome;
	const tnsLevel* level = tnpPlay_GetLevel(viewer->play);
	if (outcome == NULL || level == NULL || tnpPlay_IsReplaying(viewer->play))
	{
		return false;
	}
	const tnsLevelState state = tnsLevel_GetState(level);
	const double time = tnsLevel_GetTime(level);
	outcome->attempts += outcome->attempts == 0 || time < outcome->seconds ? 1 : 0;
	*outcome = (ViewerOutcome){tnsGetLevelStateName(state), time, tnsLevel_GetStars(level).count, outcome->attempts};
	viewer->overSince = state == tns_levelPlaying ? now : viewer->overSince;
	return now - viewer->overSince > look;
}

static int RunLoop(Viewer* viewer)
{
	// The log goes on while nothing happens, so that a test can watch the water.
	const int64_t logInterval = 5;
	double last = GetSeconds();
	int64_t frame = 0;
	while (glfwWindowShouldClose(viewer->window) == GLFW_FALSE && tnpPlay_WantsToClose(viewer->play) == false)
	{
		if (WasInterrupted())
		{
			return exitInterrupted;
		}
		int width, height;
		const float scale = UpdateScale(viewer, &width, &height);
		const double now = GetSeconds();
		tnpPlay_Frame(viewer->play, now - last, 0, width, height, scale);
		last = now;
		Speaker_Follow(viewer->speaker, viewer->play);
		if (width > 0 && height > 0)
		{
			if (tnpPlay_WantsScreenshot(viewer->play))
			{
				SavePicture(viewer, width, height);
			}
			Record(viewer, width, height);
			if (tnpPlay_WantsSave(viewer->play))
			{
				SaveWorld(viewer);
			}
			if (tnpPlay_WantsOpen(viewer->play))
			{
				OpenLastWorld(viewer);
			}
			glfwSwapBuffers(viewer->window);
			glfwPollEvents();
		}
		else
		{
			// Minimised: no swap to wait for, and nobody watches.
			glfwWaitEventsTimeout(0.05);
		}
		UpdateTitle(viewer);
		if (FollowOutcome(viewer, now))
		{
			break;
		}
		FollowLevels(viewer, false);
		LogChanges(viewer);
		frame += 1;
		if (frame % logInterval == 0)
		{
			WriteLog(viewer, "frame");
		}
		if (viewer->options->frameCount > 0 && frame >= viewer->options->frameCount)
		{
			break;
		}
	}
	return exitOk;
}

// Those of levels are better than the names of their files. False if it is no level, or cannot be read: then it stands
// among the scenes, and says why when it is chosen.
static bool ReadLevelTitle(const char* path, char* title, size_t size)
{
	const bool isVoxels = tnsIsVoxelSceneFile(path);
	tnsVoxelScene* voxels = isVoxels ? tnsLoadVoxelScene(path, NULL) : NULL;
	tnsScene* scene = isVoxels ? NULL : tnsLoadScene(path, NULL);
	const tnsScene* base = voxels != NULL ? tnsVoxelScene_GetBase(voxels) : scene;
	const tnsLevelInfo* level = base != NULL ? tnsScene_GetLevel(base) : NULL;
	if (level != NULL)
	{
		snprintf(title, size, "%s", level->title);
	}
	tnsDestroyVoxelScene(voxels);
	tnsDestroyScene(scene);
	return level != NULL;
}

static tnpPlay* CreatePlay(const ViewerOptions* options, tnrResult* result)
{
	tnpSceneItem* items = calloc((size_t)options->pathCount, sizeof(tnpSceneItem));
	char(*titles)[64] = calloc((size_t)options->pathCount, sizeof(*titles));
	tnpPlay* play = NULL;
	*result = (tnrResult){.text = "out of memory"};
	// A level of somebody's own has its fellows beside it.
	const char* first = options->paths[options->firstScene];
	char firstTitle[64];
	const bool amongLevels = ReadLevelTitle(first, firstTitle, sizeof(firstTitle));
	for (int i = 0; items != NULL && titles != NULL && i < options->pathCount; ++i)
	{
		GetSceneStem(options->paths[i], titles[i], sizeof(titles[i]));
		for (char* letter = titles[i]; *letter != '\0'; ++letter)
		{
			*letter = *letter == '_' ? ' ' : *letter;
		}
		const bool candidate = IsLevelPath(options->paths[i]) || (amongLevels && AreBeside(options->paths[i], first));
		const bool level = candidate && ReadLevelTitle(options->paths[i], titles[i], sizeof(titles[i]));
		items[i] = (tnpSceneItem){.title = titles[i], .path = options->paths[i], .level = level};
	}
	if (items != NULL && titles != NULL)
	{
		tnpPlayDef def = tnpDefaultPlayDef();
		def.scenes = items;
		def.sceneCount = options->pathCount;
		def.firstScene = options->firstScene;
		def.workerCount = options->workerCount > 0 ? options->workerCount : GetProcessorCount();
		def.workerCount = def.workerCount < TN_MAX_WORKERS ? def.workerCount : TN_MAX_WORKERS;
		def.touch = options->touch;
		def.quality = options->quality;
		def.greets = true;
		def.method = options->method;
		def.advection = options->advection;
		def.memoryLimit = GetMemoryLimit(options->memory);
		def.allowOutside = options->allowOutside;
		play = tnpCreatePlay(&def, result);
	}
	free(titles);
	free(items);
	return play;
}

static GLFWwindow* OpenWindow(const ViewerOptions* options)
{
	glfwWindowHint(GLFW_CLIENT_API, GLFW_OPENGL_ES_API);
	glfwWindowHint(GLFW_CONTEXT_CREATION_API, GLFW_EGL_CONTEXT_API);
	glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
	glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 0);
	glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
	return glfwCreateWindow(options->width, options->height, "tarn", NULL, NULL);
}

static int RunInWindow(Viewer* viewer)
{
	glfwMakeContextCurrent(viewer->window);
	glfwSwapInterval(1);
	tnrResult result;
	viewer->play = CreatePlay(viewer->options, &result);
	if (viewer->play == NULL)
	{
		fprintf(stderr, "tarn view: %s\n", result.text);
		return exitFile;
	}
	const char* error = viewer->options->save != NULL ? LoadWorld(viewer, viewer->options->save) : NULL;
	if (error != NULL)
	{
		fprintf(stderr, "tarn view: %s\n", error);
		tnpDestroyPlay(viewer->play);
		return exitFile;
	}
	if (viewer->options->paused)
	{
		tnpPlay_SetPaused(viewer->play, true);
	}
	glfwSetWindowUserPointer(viewer->window, viewer);
	glfwSetKeyCallback(viewer->window, OnKey);
	glfwSetMouseButtonCallback(viewer->window, OnButton);
	glfwSetCursorPosCallback(viewer->window, OnMove);
	glfwSetScrollCallback(viewer->window, OnScroll);
	glfwSetWindowFocusCallback(viewer->window, OnFocus);
	glfwSetDropCallback(viewer->window, OnDrop);
	CatchInterrupts();
	viewer->keptBest = calloc((size_t)viewer->options->pathCount, sizeof(tnpLevelBest));
	// Whoever takes part in a study plays for the study.
	if (viewer->options->outcome == NULL)
	{
		FollowLevels(viewer, true);
	}
	else
	{
		free(viewer->keptBest);
		viewer->keptBest = NULL;
	}
	viewer->overSince = GetSeconds();
	RememberState(viewer);
	WriteLog(viewer, "start");
	viewer->speaker = OpenSpeaker();
	const int exitCode = RunLoop(viewer);
	CloseSpeaker(viewer->speaker);
	EndRecording(viewer);
	WriteLog(viewer, "end");
	tnpDestroyPlay(viewer->play);
	free(viewer->pixels);
	free(viewer->keptBest);
	return exitCode;
}

bool ReadSaveScene(const char* path, char* name, size_t size)
{
	void* bytes = NULL;
	size_t byteCount = 0;
	char key[TNP_SCENE_KEY];
	const char* error = ReadPackedFile(path, s_mostSaveBytes, &bytes, &byteCount);
	if (error != NULL)
	{
		fprintf(stderr, "tarn view: %s\n", error);
		return false;
	}
	const tnrResult result = tnpReadSaveScene(bytes, byteCount, key);
	free(bytes);
	if (result.ok == false)
	{
		fprintf(stderr, "tarn view: %s: %s\n", path, result.text);
	}
	snprintf(name, size, "%s", key);
	return result.ok;
}

int RunViewer(const ViewerOptions* options)
{
	Viewer viewer = {.options = options, .startClock = GetSeconds(), .mouseScale = 1.0};
	glfwSetErrorCallback(OnError);
	if (glfwInit() == GLFW_FALSE)
	{
		return ReportNoWindow("there is no display here");
	}
	viewer.window = OpenWindow(options);
	if (viewer.window == NULL)
	{
		glfwTerminate();
		return ReportNoWindow("the display has no OpenGL ES 3");
	}
	if (options->log != NULL)
	{
		viewer.log = fopen(options->log, "w");
	}
	int exitCode = exitFile;
	if (options->log != NULL && viewer.log == NULL)
	{
		fprintf(stderr, "tarn view: cannot write %s\n", options->log);
	}
	else
	{
		exitCode = RunInWindow(&viewer);
	}
	if (viewer.log != NULL)
	{
		fclose(viewer.log);
	}
	glfwDestroyWindow(viewer.window);
	glfwTerminate();
	return exitCode;
}
