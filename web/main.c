// SPDX-License-Identifier: MIT

// The browser shell around the viewer: what app/commands/command_view.c is on a desktop. The page owns the clock and the buttons
// and calls the functions of playground.h; nothing runs between two calls.

#include "playground.h"

#include "bodies/scene_bodies.h"
#include "play.h"
#include "scene_hash.h"
#include "text.h"
#include "tools/dam.h"
#include "viewer/play_camera.h"
#include "voxel_scene.h"

#include <GLES3/gl3.h>
#include <emscripten/html5.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	TNW_MAX_SCENES = 128,
	TNW_MAX_SELECTOR = 64,
	TNW_MAX_PATH = 128,
	TNW_MAX_TITLE = 80,
	// For going back: memory of pages with threads cannot grow.
	TNW_PAST = 64 << 20,
};

// What the page knows of a scene before it has fetched its file.
typedef struct tnwScene
{
	char path[TNW_MAX_PATH], title[TNW_MAX_TITLE];
	bool level;
} tnwScene;

// One page, one program: the page cannot hold a pointer for us, so this is global.
typedef struct tnwPlayground
{
	tnwScene scenes[TNW_MAX_SCENES];
	int sceneCount;
	tnpPlay* play;
	EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context;
	char canvas[TNW_MAX_SELECTOR];
	bool antialias;
	bool contextLost;
	// CSS pixels.
	float width, height;
	// The dam belongs to this world; a reset or another scene makes a new one.
	tnpDam* dam;
	const tnWorld* damWorld;
	int64_t damSteps;
	char error[1024];
	// A save, on its way out or in.
	uint8_t* save;
	size_t saveSize;
	float numbers[4];
} tnwPlayground;

static tnwPlayground s_page;

static bool tnwFail(const char* text)
{
	snprintf(s_page.error, sizeof(s_page.error), "%s", text);
	return false;
}

const char* tnwGetError(void)
{
	return s_page.error;
}

// ---------------------------------------------------------------------------------------------------------------------
// Start

bool tnwAddScene(const char* path, const char* title, bool level)
{
	if (s_page.sceneCount == TNW_MAX_SCENES || strlen(path) >= TNW_MAX_PATH)
	{
		return tnwFail("too many scenes, or the name of one is too long");
	}
	tnwScene* item = &s_page.scenes[s_page.sceneCount];
	snprintf(item->path, sizeof(item->path), "%s", path);
	snprintf(item->title, sizeof(item->title), "%s", title);
	item->level = level;
	s_page.sceneCount += 1;
	return true;
}

static bool tnwMakeContext(void)
{
	EmscriptenWebGLContextAttributes attributes;
	emscripten_webgl_init_context_attributes(&attributes);
	attributes.majorVersion = 2;
	attributes.alpha = false;
	attributes.depth = true;
	attributes.stencil = false;
	attributes.antialias = s_page.antialias;
	attributes.powerPreference = EM_WEBGL_POWER_PREFERENCE_HIGH_PERFORMANCE;
	s_page.context = emscripten_webgl_create_context(s_page.canvas, &attributes);
	if (s_page.context <= 0)
	{
		return tnwFail("this browser has no WebGL 2");
	}
	return emscripten_webgl_make_context_current(s_page.context) == EMSCRIPTEN_RESULT_SUCCESS ||
		tnwFail("the WebGL 2 context cannot be used");
}

bool tnwStart(const char* canvasSelector, int firstScene, int workerCount, bool antialias)
{
	snprintf(s_page.canvas, sizeof(s_page.canvas), "%s", canvasSelector);
	s_page.antialias = antialias;
	if (tnwMakeContext() == false)
	{
		return false;
	}
	tnpSceneItem items[TNW_MAX_SCENES];
	for (int i = 0; i < s_page.sceneCount; ++i)
	{
		const tnwScene* item = &s_page.scenes[i];
		items[i] = (tnpSceneItem){item->title, item->path, item->level};
	}
	tnpPlayDef def = tnpDefaultPlayDef();
	def.scenes = items;
	def.sceneCount = s_page.sceneCount;
	def.firstScene = firstScene;
	def.workerCount = workerCount;
	def.showPanel = false;
	def.touch = true;
	def.pastLimit = TNW_PAST;
	tnrResult result;
	s_page.play = tnpCreatePlay(&def, &result);
	return s_page.play != NULL || tnwFail(result.text);
}

void tnwLoseContext(void)
{
	s_page.contextLost = true;
	tnpPlay_LoseContext(s_page.play);
}

bool tnwRestoreContext(void)
{
	// A new handle, so that the extensions are switched on again. The context behind it is the canvas's own.
	emscripten_webgl_destroy_context(s_page.context);
	if (tnwMakeContext() == false)
	{
		return false;
	}
	const tnrResult result = tnpPlay_RestoreContext(s_page.play);
	s_page.contextLost = !result.ok;
	return result.ok || tnwFail(result.text);
}

// ---------------------------------------------------------------------------------------------------------------------
// The dam

// NULL for voxels, which have no dams and no regions.
static const tnsScene* tnwGetSceneOnScreen(void)
{
	const tnsRun* run = tnpPlay_GetRun(s_page.play);
	return run != NULL ? tnsRun_GetScene(run) : NULL;
}

// A new world, or the old one started again, has its dam again.
static void tnwFindDam(void)
{
	const tnWorld* world = tnpPlay_GetWorld(s_page.play);
	if (world == NULL)
	{
		tnpDestroyDam(s_page.dam);
		s_page.dam = NULL;
		s_page.damWorld = NULL;
		return;
	}
	const int64_t steps = tnWorld_GetStats(world).stepCount;
	if (world != s_page.damWorld || steps < s_page.damSteps)
	{
		tnpDestroyDam(s_page.dam);
		s_page.dam = tnpCreateDam(tnwGetSceneOnScreen(), world);
		s_page.damWorld = world;
	}
	s_page.damSteps = steps;
}

const float* tnwGetDam(void)
{
	tnwFindDam();
	const tnVec3 crest = s_page.dam != NULL ? tnpDam_GetCrest(s_page.dam) : (tnVec3){0};
	s_page.numbers[0] = crest.x;
	s_page.numbers[1] = crest.y;
	s_page.numbers[2] = crest.z;
	s_page.numbers[3] = s_page.dam != NULL ? tnpDam_GetShare(s_page.dam) : -1.0f;
	return s_page.numbers;
}

void tnwPullDam(float share)
{
	tnwFindDam();
	if (s_page.dam != NULL)
	{
		if (share > 0.0f && tnpDam_GetShare(s_page.dam) == 0.0f)
		{
			tnpPlay_Remember(s_page.play);
		}
		tnpDam_Pull(s_page.dam, tnpPlay_GetWorld(s_page.play), share);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Frames and input

void tnwFrame(double seconds, int width, int height, float scale)
{
	s_page.width = (float)width / scale;
	s_page.height = (float)height / scale;
	if (s_page.contextLost == false)
	{
		tnpPlay_Frame(s_page.play, seconds, 0, width, height, scale);
	}
}

void tnwMove(float x, float y)
{
	tnpPlay_MouseMove(s_page.play, x, y);
}

void tnwButton(int button, bool down)
{
	if (button >= 0 && button < tnp_buttonCount)
	{
		tnpPlay_MouseButton(s_page.play, (tnpButton)button, down);
	}
}

void tnwScroll(float dx, float dy)
{
	tnpPlay_Scroll(s_page.play, dx, dy);
}

void tnwPinch(float dx, float dy, float zoom, float turn)
{
	tnpPlay_Pinch(s_page.play, dx, dy, zoom, turn);
}

void tnwKey(int key, bool down)
{
	tnpPlay_Key(s_page.play, key, down);
}

bool tnwSetScene(int index)
{
	const tnrResult result = tnpPlay_SetScene(s_page.play, index);
	// The address of the old world may come back for the new one.
	s_page.damWorld = NULL;
	return result.ok || tnwFail(result.text);
}

bool tnwReplay(void)
{
	const bool begun = tnpPlay_Replay(s_page.play);
	s_page.damWorld = NULL;
	return begun;
}

const char* tnwGetSaveScene(void)
{
	static char key[TNP_SCENE_KEY];
	const tnrResult result = tnpReadSaveScene(s_page.save, s_page.saveSize, key);
	if (result.ok == false)
	{
		tnwFail(result.text);
		key[0] = '\0';
	}
	return key;
}

void tnwReset(void)
{
	tnpPlay_Reset(s_page.play);
	s_page.damWorld = NULL;
}

// ---------------------------------------------------------------------------------------------------------------------
// Saves, and going back. The dam is what the ground says, whenever time jumps.

uint8_t* tnwReserve(int size)
{
	free(s_page.save);
	s_page.save = size > 0 ? malloc((size_t)size) : NULL;
	s_page.saveSize = s_page.save != NULL ? (size_t)size : 0;
	return s_page.save;
}

const uint8_t* tnwSave(void)
{
	size_t size = 0;
	tnrResult result = tnpPlay_Save(s_page.play, NULL, 0, &size);
	if (result.ok && tnwReserve((int)size) == NULL)
	{
		tnwFail("out of memory for a save");
		return NULL;
	}
	result = result.ok ? tnpPlay_Save(s_page.play, s_page.save, size, &size) : result;
	tnwFail(result.text);
	return result.ok ? s_page.save : NULL;
}

int tnwGetSaveSize(void)
{
	return (int)s_page.saveSize;
}

static bool tnwJump(bool done)
{
	s_page.damWorld = NULL;
	return done;
}

bool tnwLoad(void)
{
	const tnrResult result = tnpPlay_Load(s_page.play, s_page.save, s_page.saveSize);
	tnwReserve(0);
	return tnwJump(result.ok) || tnwFail(result.text);
}

bool tnwUndo(void)
{
	return tnwJump(tnpPlay_Undo(s_page.play));
}

bool tnwRedo(void)
{
	return tnwJump(tnpPlay_Redo(s_page.play));
}

bool tnwGoBackTo(double time)
{
	return tnwJump(tnpPlay_GoBackTo(s_page.play, time));
}

const char* tnwGetBuilt(void)
{
	return tnpPlay_GetBuilt(s_page.play);
}

bool tnwBuild(const char* text)
{
	const tnrResult result = tnpPlay_Build(s_page.play, text);
	return result.ok || tnwFail(result.text);
}

void tnwSetPaused(bool paused)
{
	tnpPlay_SetPaused(s_page.play, paused);
}

void tnwStepOnce(void)
{
	tnpPlay_StepOnce(s_page.play);
}

void tnwSetTool(int tool)
{
	if (tool >= 0 && tool < tnp_toolCount)
	{
		tnpPlay_SetTool(s_page.play, (tnpTool)tool);
	}
}

void tnwSetBodyKind(int kind)
{
	tnpPlay_SetBodyKind(s_page.play, kind);
}

void tnwSetView(int view)
{
	if (view >= 0 && view < tnr_viewCount)
	{
		tnpPlay_SetView(s_page.play, (tnrView)view);
	}
}

bool tnwSetMethod(int method, int advection)
{
	if (method < 0 || method >= tn_methodCount || advection < 0 || advection >= tn_advectionCount)
	{
		return tnwFail("there is no such method");
	}
	const tnrResult result = tnpPlay_SetMethod(s_page.play, (tnMethod)method, (tnAdvection)advection);
	return result.ok || tnwFail(result.text);
}

bool tnwSetParameter(const char* name, float value)
{
	return tnpPlay_SetParameter(s_page.play, name, value);
}

void tnwSetCamera(float eyeX, float eyeY, float eyeZ, float targetX, float targetY, float targetZ)
{
	tnrCamera camera = tnpPlay_GetCamera(s_page.play);
	camera.eye = (tnVec3){eyeX, eyeY, eyeZ};
	camera.target = (tnVec3){targetX, targetY, targetZ};
	tnpPlay_SetCamera(s_page.play, &camera);
}

// ---------------------------------------------------------------------------------------------------------------------
// What the page shows

const char* tnwDescribe(void)
{
	tnwText* text = tnwBeginText();
	tnwText_Add(text, "{\"scenes\":[");
	for (int i = 0; i < s_page.sceneCount; ++i)
	{
		tnwText_Add(text, "%s{\"file\":", i > 0 ? "," : "");
		tnwText_AddString(text, s_page.scenes[i].path);
		tnwText_Add(text, ",\"title\":");
		tnwText_AddString(text, s_page.scenes[i].title);
		tnwText_Add(text, "}");
	}
	tnwText_Add(text, "],\"tools\":[");
	for (int i = 0; i < tnp_toolCount; ++i)
	{
		tnwText_Add(text, i > 0 ? "," : "");
		tnwText_AddString(text, tnpGetToolName((tnpTool)i));
	}
	tnwText_Add(text, "],\"refusals\":[");
	for (int i = 0; i < tnp_toolCount; ++i)
	{
		const char* refusal = tnpGetToolRefusal((tnpTool)i);
		tnwText_Add(text, i > 0 ? "," : "");
		tnwText_AddString(text, refusal != NULL ? refusal : "");
	}
	tnwText_Add(text, "],\"kinds\":[");
	for (int i = 0; i < tns_bodyKindCount; ++i)
	{
		tnwText_Add(text, i > 0 ? "," : "");
		tnwText_AddString(text, tnsGetBodyKindName((tnsBodyKind)i));
	}
	tnwText_Add(text, "],\"parameters\":[");
	const int count = s_page.play != NULL ? tnpPlay_GetParameterCount(s_page.play) : 0;
	for (int i = 0; i < count; ++i)
	{
		const tnpParameter parameter = tnpPlay_GetParameter(s_page.play, i);
		tnwText_Add(text, "%s{\"name\":", i > 0 ? "," : "");
		tnwText_AddString(text, parameter.name);
		tnwText_Add(text, ",\"title\":");
		tnwText_AddString(text, parameter.title);
		tnwText_Add(text, ",\"unit\":");
		tnwText_AddString(text, parameter.unit);
		tnwText_Add(text, ",\"low\":%.9g,\"high\":%.9g,\"value\":%.9g,\"logarithmic\":%s,\"used\":%s,\"tuning\":%s}",
			(double)parameter.low, (double)parameter.high, (double)parameter.value,
			parameter.logarithmic ? "true" : "false", parameter.used ? "true" : "false",
			parameter.tuning ? "true" : "false");
	}
	tnwText_Add(text, "]}");
	return tnwText_Get(text);
}

static void tnwAddColumns(tnwText* text, const tnpStatus* status)
{
	const tnWorld* world = tnpPlay_GetWorld(s_page.play);
	const tnWorldDef def = tnWorld_GetDef(world);
	tnwText_Add(text, "\"method\":%d,\"advection\":%d,\"simd\":\"%s\",", (int)def.method, (int)def.advection,
		tnGetSimdName(tnWorld_GetStats(world).simd));
	tnwText_Add(text, "\"bodies\":%d,\"tiedBodies\":%d,\"bodyKind\":%d,", status->bodyCount, status->tiedCount,
		tnpPlay_GetBodyKind(s_page.play));
	tnwText_Add(text, "\"workers\":%d,\"columns\":%d,\"rows\":%d,\"cellSize\":%.9g,", def.tasks.workerCount,
		def.columnCount, def.rowCount, (double)def.cellSize);
}

static void tnwAddVoxels(tnwText* text, const tnpStatus* status)
{
	const tnVoxelWorldDef def = tnVoxelWorld_GetDef(tnpPlay_GetVoxelWorld(s_page.play));
	const tnsVoxelSceneInfo* info = tnpPlay_GetVoxelInfo(s_page.play);
	tnwText_Add(text, "\"voxels\":{\"size\":[%d,%d,%d],\"awakeChunks\":%d,\"components\":%d,\"atRest\":%s,",
		info->size.x, info->size.y, info->size.z, status->awakeChunkCount, status->componentCount,
		status->atRest ? "true" : "false");
	tnwText_Add(text, "\"liquids\":[");
	for (int i = 0; i < status->liquidCount; ++i)
	{
		tnwText_Add(text, "%s{\"name\":", i > 0 ? "," : "");
		tnwText_AddString(text, info->liquids[i].name);
		tnwText_Add(text, ",\"volume\":%.17g}", status->liquidVolumes[i]);
	}
	tnwText_Add(text, "]},\"workers\":%d,\"cellSize\":%.9g,", def.tasks.workerCount, (double)def.voxelSize);
}

// Of each tool: null if the scene has it not, "" if it can be used, or why not.
static void tnwAddRefusals(tnwText* text)
{
	for (int i = 0; i < tnp_toolCount; ++i)
	{
		tnwText_Add(text, i > 0 ? "," : "\"refusals\":[");
		if (tnpPlay_HasTool(s_page.play, (tnpTool)i) == false)
		{
			tnwText_Add(text, "null");
			continue;
		}
		const char* refusal = tnpPlay_GetToolRefusal(s_page.play, (tnpTool)i);
		tnwText_AddString(text, refusal != NULL ? refusal : "");
	}
	tnwText_Add(text, "],");
}

static void tnwAddLevel(tnwText* text, const tnsLevel* level)
{
	const tnsLevelInfo* info = tnsLevel_GetInfo(level);
	const int losing = tnsLevel_GetLosingGoal(level);
	tnwText_Add(text, "\"level\":{\"state\":\"%s\",\"waiting\":%s,\"time\":%.9g,\"timeLeft\":%.9g,\"next\":%d,",
		tnsGetLevelStateName(tnsLevel_GetState(level)), tnpPlay_IsLevelWaiting(s_page.play) ? "true" : "false",
		tnsLevel_GetTime(level), tnsLevel_GetTimeLeft(level), tnpPlay_GetNextLevel(s_page.play));
	tnwText_Add(text, "\"losingGoal\":%d,\"goals\":[", losing);
	for (int i = 0; i < info->goalCount; ++i)
	{
		const tnsGoalReport goal = tnsLevel_GetGoal(level, i);
		tnwText_Add(text, "%s{\"label\":", i > 0 ? "," : "");
		tnwText_AddString(text, info->goals[i].label);
		tnwText_Add(text, ",\"progress\":%.3g,\"done\":%s,\"loses\":%s,\"count\":%d,\"needed\":%d}",
			(double)goal.progress, goal.done ? "true" : "false", info->goals[i].loses ? "true" : "false", goal.count,
			goal.needed);
	}
	const tnsStars stars = tnsLevel_GetStars(level);
	const tnsStarRules* rules = &info->stars;
	const struct
	{
		const char* name;
		double limit, used;
		bool given;
	} kinds[] = {{"time", rules->time, tnsLevel_GetTime(level), stars.time},
		{"tools", rules->tools, stars.toolsUsed, stars.tools}, {"water", rules->water, stars.waterUsed, stars.water},
		{"danger", rules->danger, stars.worstDanger, stars.danger}};
	tnwText_Add(text, "],\"over\":%s,\"replaying\":%s,\"starCount\":%d,\"stars\":[",
		tnpPlay_IsLevelOver(s_page.play) ? "true" : "false", tnpPlay_IsReplaying(s_page.play) ? "true" : "false",
		stars.count);
	bool first = true;
	for (int i = 0; i < 4; ++i)
	{
		if (kinds[i].limit >= 0.0)
		{
			tnwText_Add(text, "%s{\"name\":\"%s\",\"limit\":%.4g,\"used\":%.4g,\"given\":%s}", first ? "" : ",",
				kinds[i].name, kinds[i].limit, kinds[i].used, kinds[i].given ? "true" : "false");
			first = false;
		}
	}
	tnwText_Add(text, "],\"tools\":[");
	for (int i = 0; i < info->toolCount; ++i)
	{
		tnwText_Add(text, "%s{\"name\":", i > 0 ? "," : "");
		tnwText_AddString(text, info->tools[i].name);
		// Without a budget there is no end of it; JSON knows no infinity.
		if (isfinite(info->tools[i].budget))
		{
			tnwText_Add(text, ",\"left\":%.4g,\"budget\":%.4g", tnsLevel_GetLeft(level, i), info->tools[i].budget);
		}
		tnwText_Add(text, ",\"unit\":\"%s\"}", info->tools[i].unit);
	}
	tnwText_Add(text, "]},");
}

const char* tnwGetStatus(void)
{
	const tnpStatus status = tnpPlay_GetStatus(s_page.play);
	const tnrCamera camera = tnpPlay_GetCamera(s_page.play);
	tnwText* text = tnwBeginText();
	tnwText_Add(text, "{\"time\":%.9g,\"steps\":%lld,\"frames\":%lld,\"fps\":%.4g,\"stepMilliseconds\":%.4g,",
		status.time, (long long)status.stepCount, (long long)status.frameCount, (double)status.framesPerSecond,
		(double)status.millisecondsPerStep);
	tnwText_Add(text, "\"speed\":%.4g,\"volume\":%.17g,\"drift\":%.9g,\"paused\":%s,\"contextLost\":%s,",
		(double)status.speed, status.volume, status.drift, tnpPlay_IsPaused(s_page.play) ? "true" : "false",
		s_page.contextLost ? "true" : "false");
	tnwText_Add(text, "\"scene\":%d,\"tool\":%d,\"view\":%d,", tnpPlay_GetScene(s_page.play),
		(int)tnpPlay_GetTool(s_page.play), (int)tnpPlay_GetView(s_page.play));
	const tnpPast past = tnpPlay_GetPast(s_page.play);
	tnwText_Add(text, "\"past\":{\"available\":%s,\"count\":%d,\"index\":%d,\"begin\":%.9g,\"end\":%.9g,",
		past.available ? "true" : "false", past.count, past.index, past.begin, past.end);
	tnwText_Add(text, "\"undo\":%d,\"redo\":%d,\"bytes\":%zu},", past.undoCount, past.redoCount, past.byteCount);
	tnwAddRefusals(text);
	if (tnpPlay_GetLevel(s_page.play) != NULL)
	{
		tnwAddLevel(text, tnpPlay_GetLevel(s_page.play));
	}
	if (tnpPlay_GetWorld(s_page.play) != NULL)
	{
		tnwAddColumns(text, &status);
	}
	else
	{
		tnwAddVoxels(text, &status);
	}
	tnwText_Add(text, "\"camera\":[%.7g,%.7g,%.7g,%.7g,%.7g,%.7g]}", (double)camera.eye.x, (double)camera.eye.y,
		(double)camera.eye.z, (double)camera.target.x, (double)camera.target.y, (double)camera.target.z);
	return tnwText_Get(text);
}

double tnwGetTime(void)
{
	return tnpPlay_GetTime(s_page.play);
}

const char* tnwGetHash(void)
{
	tnwText* text = tnwBeginText();
	tnwText_Add(text, "%016llx", (unsigned long long)tnpPlay_GetHash(s_page.play));
	return tnwText_Get(text);
}

const char* tnwRunHash(const char* path, int stepCount, int workerCount)
{
	tnwSceneHash hash;
	const tnsResult result = tnwHashScene(path, stepCount, workerCount, &hash);
	tnwText* text = tnwBeginText();
	if (result.status != tns_ok)
	{
		tnwText_Add(text, "{\"error\":");
		tnwText_AddString(text, result.text);
		tnwText_Add(text, "}");
		return tnwText_Get(text);
	}
	tnwText_Add(text, "{\"hash\":\"%016llx\",\"milliseconds\":%.6g}", (unsigned long long)hash.hash,
		1000.0 * hash.seconds / (stepCount > 0 ? stepCount : 1));
	return tnwText_Get(text);
}

const float* tnwProject(float x, float y, float z)
{
	const tnrCamera camera = tnpPlay_GetCamera(s_page.play);
	const bool inFront =
		tnpProject(&camera, s_page.width, s_page.height, (tnVec3){x, y, z}, &s_page.numbers[0], &s_page.numbers[1]);
	s_page.numbers[2] = inFront ? 1.0f : 0.0f;
	return s_page.numbers;
}

const float* tnwSample(float x, float z)
{
	const tnWorld* world = tnpPlay_GetWorld(s_page.play);
	const tnSample sample = world != NULL ? tnWorld_Sample(world, (tnVec2){x, z}) : (tnSample){0};
	s_page.numbers[0] = sample.depth;
	s_page.numbers[1] = sample.bed;
	s_page.numbers[2] = sqrtf(sample.velocity.x * sample.velocity.x + sample.velocity.z * sample.velocity.z);
	return s_page.numbers;
}

const float* tnwMeasureRegion(const char* name)
{
	memset(s_page.numbers, 0, sizeof(s_page.numbers));
	const tnsScene* scene = tnwGetSceneOnScreen();
	for (int i = 0; scene != NULL && i < tnsScene_GetInfo(scene)->regionCount; ++i)
	{
		const tnRegionDef def = tnsScene_GetRegionDef(scene, i);
		tnRegionState state;
		if (strcmp(tnsScene_GetRegionName(scene, i), name) == 0 &&
			tnWorld_MeasureRegion(tnpPlay_GetWorld(s_page.play), &def, &state).status == tn_ok)
		{
			s_page.numbers[0] = (float)state.volume;
			s_page.numbers[1] = state.area > 0.0 ? (float)(state.wetArea / state.area) : 0.0f;
			s_page.numbers[2] = state.maxDepth;
		}
	}
	return s_page.numbers;
}

int main(void)
{
	// Everything begins with the first call of the page.
	return 0;
}
