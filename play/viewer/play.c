// SPDX-License-Identifier: MIT

// Scenes, the loop, and everything a shell can ask for.

#include "bodies/body_looks.h"
#include "bodies/displacer_looks.h"
#include "viewer/ground_looks.h"
#include "viewer/play_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A message stays until it can have been read, seconds.
static const double s_messageTime = 3.5;
// Seconds of a picture that may go into meshes of voxels: with a quarter of them the machine still draws 60 a second.
static const double s_meshTime = 0.004;

tnrResult tnpMakeError(const char* format, ...)
{
	tnrResult result = {0};
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(result.text, sizeof(result.text), format, arguments);
	va_end(arguments);
	return result;
}

static tnrResult tnpMakeSuccess(void)
{
	return (tnrResult){.ok = true};
}

tnpPlayDef tnpDefaultPlayDef(void)
{
	return (tnpPlayDef){.showPanel = true,
		.dye = true,
		.memoryLimit = TNS_DEFAULT_MEMORY_LIMIT,
		.pastLimit = TNP_DEFAULT_PAST,
		.quality = tnr_bestQuality,
		.method = tn_methodCount,
		.advection = tn_advectionCount};
}

void tnpPlay_ShowMessage(tnpPlay* play, const char* text)
{
	snprintf(play->message, sizeof(play->message), "%s", text != NULL ? text : "");
	play->messageTime = s_messageTime;
}

// ---------------------------------------------------------------------------------------------------------------------
// Scenes

// The channel that the dye tool uses, and how many to add for it.
static int tnpFindDye(const tnsSceneInfo* info, bool wanted, int* extra)
{
	*extra = 0;
	const int count = info->worldDef.tracerCount;
	for (int i = 0; i < count; ++i)
	{
		if (info->tracerNames[i] != NULL && strcmp(info->tracerNames[i], "dye") == 0)
		{
			return i;
		}
	}
	if (wanted == false || count == TN_MAX_TRACERS)
	{
		// Better the last channel of the scene than none.
		return count - 1;
	}
	*extra = 1;
	return count;
}

float tnpGetAspect(const tnpPlay* play)
{
	return play->windowHeight > 0.0f ? play->windowWidth / play->windowHeight : 0.0f;
}

tnpStage tnpGetStage(const tnpPlay* play)
{
	tnpStage stage = play->voxels != NULL ? tnpVoxels_GetStage(play->voxels) : tnpMakeStage(play->world);
	// A camera that goes along shows what is near.
	stage.whole = play->level != NULL && play->follows == false;
	tnsCamera view;
	if (play->framesAll == false && play->level == NULL && play->voxels == NULL && play->scene != NULL &&
		tnsScene_GetCamera(play->scene, 0.0, &view))
	{
		stage.hasView = true;
		stage.view = (tnrCamera){.eye = view.eye, .target = view.target, .fieldOfView = view.fieldOfView};
	}
	return stage;
}

tnrResult tnpShowScene(tnpPlay* play)
{
	if (play->renderer == NULL || (play->world == NULL && play->voxels == NULL))
	{
		return tnpMakeSuccess();
	}
	if (play->voxels != NULL)
	{
		return tnpVoxels_Show(play->voxels, play->renderer);
	}
	const tnrGroundDef ground = tnpGetGroundDef(play->run);
	return tnrRenderer_SetWorld(play->renderer, play->world, &ground);
}

void tnpLeaveScene(tnpPlay* play, const tnsScene* kept, const tnpVoxelPlay* keptVoxels)
{
	tnpEndStroke(play);
	tnpForgetHand(play);
	tnpForgetInputs(play);
	tnpForgetDam(play);
	play->overSeconds = 0.0;
	play->ghost = -1;
	tnsDestroyLevel(play->level);
	tnsDestroyRun(play->run);
	if (play->scene != kept)
	{
		tnsDestroyScene(play->scene);
	}
	if (play->voxels != keptVoxels)
	{
		tnpCloseVoxels(play->voxels);
	}
	play->scene = NULL;
	play->level = NULL;
	play->run = NULL;
	play->world = NULL;
	play->voxels = NULL;
	tnpForgetPast(play);
	play->springs.count = 0;
	play->hose = (tnpHose){0};
	play->stepCount = 0;
	play->strokeTicks = 0;
	play->strokePending = false;
	play->loop.due = 0.0;
	play->cursor = (tnRayHit){0};
}

// Start a scene. On failure everything stays as it was.
static tnrResult tnpStartRun(tnpPlay* play, tnsScene* scene)
{
	const tnsSceneInfo* info = tnsScene_GetInfo(scene);
	tnsOverrides overrides = tnsDefaultOverrides();
	overrides.workerCount = play->workerCount;
	overrides.memoryLimit = play->memoryLimit;
	overrides.allowOutside = play->allowOutside;
	overrides.method = play->method;
	overrides.advection = play->advection;
	// Nobody dyes in a level, and its water is that of `tarn run`.
	const bool wantsDye =
		play->loading != NULL ? play->loading->extraTracers > 0 : play->wantsDye && tnsScene_GetLevel(scene) == NULL;
	const int dyeChannel = tnpFindDye(info, wantsDye, &overrides.extraTracers);
	tnsRun* run;
	tnsResult started = tnsStartScene(scene, &overrides, &run);
	if (started.status != tns_ok)
	{
		return tnpMakeError("%s", started.text);
	}
	if (play->loading != NULL)
	{
		started = tnsRun_Restore(run, play->loading->bytes, play->loading->size);
	}
	tnsLevel* level = started.status == tns_ok ? tnsCreateLevel(run, &started) : NULL;
	if (started.status != tns_ok)
	{
		tnsDestroyRun(run);
		return tnpMakeError("%s", started.text);
	}
	tnWorld* world = tnsRun_GetWorld(run);
	if (play->renderer != NULL)
	{
		const tnrGroundDef ground = tnpGetGroundDef(run);
		const tnrResult shown = tnrRenderer_SetWorld(play->renderer, world, &ground);
		if (shown.ok == false)
		{
			tnsDestroyLevel(level);
			tnsDestroyRun(run);
			(void)tnpShowScene(play);
			return shown;
		}
	}
	tnpLeaveScene(play, scene, NULL);
	play->scene = scene;
	play->level = level;
	play->run = run;
	play->world = world;
	play->timeStep = info->timeStep;
	play->dyeChannel = dyeChannel;
	play->look.tracer = dyeChannel >= 0 ? dyeChannel : 0;
	return tnpMakeSuccess();
}

static tnrResult tnpOpenScene(tnpPlay* play, const char* path)
{
	tnsResult loaded;
	tnsScene* scene = tnsLoadScene(path, &loaded);
	if (scene == NULL)
	{
		return tnpMakeError("%s", loaded.text);
	}
	const tnMethod oldMethod = play->method;
	const tnAdvection oldAdvection = play->advection;
	play->method = play->wantedMethod;
	play->advection = play->wantedAdvection;
	const tnrResult result = tnpStartRun(play, scene);
	if (result.ok == false)
	{
		play->method = oldMethod;
		play->advection = oldAdvection;
		tnsDestroyScene(scene);
		return result;
	}
	const tnsSceneInfo* info = tnsScene_GetInfo(scene);
	play->look.maxDepth = info->view.maxDepth;
	play->look.maxSpeed = info->view.maxSpeed;
	const tnrLook plain = tnrDefaultLook();
	for (int i = 0; i < TN_MAX_TRACERS; ++i)
	{
		play->look.tracerColors[i] = info->view.hasTracerColor[i] ? info->view.tracerColors[i] : plain.tracerColors[i];
	}
	return result;
}

tnrResult tnpPlay_SetScene(tnpPlay* play, int index)
{
	if (index < 0 || index >= play->sceneCount)
	{
		return tnpMakeError("there is no scene %d, only 0 to %d", index, play->sceneCount - 1);
	}
	const char* path = play->paths[index];
	const tnrResult result = tnsIsVoxelSceneFile(path) ? tnpStartVoxels(play, path) : tnpOpenScene(play, path);
	if (result.ok == false)
	{
		tnpPlay_ShowMessage(play, result.text);
		return result;
	}
	play->sceneIndex = index;
	if (tnpPlay_HasTool(play, play->tool) == false || tnpPlay_GetToolRefusal(play, play->tool) != NULL)
	{
		play->tool = tnp_pourTool;
	}
	tnpFitParameters(play);
	tnpEnterLevel(play);
	play->framesAll = false;
	play->follows = false;
	const tnpStage stage = tnpGetStage(play);
	tnpCamera_Frame(&play->camera, &stage, tnpGetAspect(play));
	play->overviewDistance = play->camera.goal.distance;
	memset(&play->meter, 0, sizeof(play->meter));
	return result;
}

int tnpPlay_GetScene(const tnpPlay* play)
{
	return play->sceneIndex;
}

int tnpPlay_GetSceneCount(const tnpPlay* play)
{
	return play->sceneCount;
}

const char* tnpPlay_GetSceneTitle(const tnpPlay* play, int index)
{
	return index >= 0 && index < play->sceneCount ? play->titles[index] : "";
}

void tnpPlay_Reset(tnpPlay* play)
{
	const float confinement = play->values[tnp_vorticityConfinement], wind = play->values[tnp_windSpeed];
	tnpParameter tuned[tnp_parameterCount];
	for (int i = tnp_firstTuned; i <= tnp_lastTuned; ++i)
	{
		tuned[i] = tnpGetParameter(play, (tnpParameterIndex)i);
	}
	const tnrResult result = play->voxels != NULL ? tnpRestartVoxels(play) : tnpStartRun(play, play->scene);
	if (result.ok == false)
	{
		tnpPlay_ShowMessage(play, result.text);
		return;
	}
	tnpSetParameter(play, tnp_vorticityConfinement, confinement);
	tnpSetParameter(play, tnp_windSpeed, wind);
	for (int i = tnp_firstTuned; i <= tnp_lastTuned; ++i)
	{
		if (tuned[i].used && tnpGetParameter(play, (tnpParameterIndex)i).value != tuned[i].value)
		{
			tnpSetParameter(play, (tnpParameterIndex)i, tuned[i].value);
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Creation

static char* tnpCopyText(const char* text)
{
	const size_t size = strlen(text) + 1;
	char* copy = malloc(size);
	if (copy != NULL)
	{
		memcpy(copy, text, size);
	}
	return copy;
}

static bool tnpCopyScenes(tnpPlay* play, const tnpPlayDef* def)
{
	play->titles = calloc((size_t)def->sceneCount, sizeof(char*));
	play->paths = calloc((size_t)def->sceneCount, sizeof(char*));
	play->levels = calloc((size_t)def->sceneCount, sizeof(tnpLevelItem));
	if (play->titles == NULL || play->paths == NULL || play->levels == NULL)
	{
		return false;
	}
	for (int i = 0; i < def->sceneCount; ++i)
	{
		const char* path = def->scenes[i].path != NULL ? def->scenes[i].path : "";
		play->sceneCount = i + 1;
		play->levels[i].given = def->scenes[i].level;
		play->paths[i] = tnpCopyText(path);
		play->titles[i] = tnpCopyText(def->scenes[i].title != NULL ? def->scenes[i].title : path);
		if (play->paths[i] == NULL || play->titles[i] == NULL)
		{
			return false;
		}
	}
	return true;
}

// What lives on the GPU.
static tnrResult tnpCreatePicture(tnpPlay* play)
{
	tnrResult result = {0};
	play->renderer = tnrCreateRenderer(&result);
	if (play->renderer != NULL)
	{
		play->overlay = tnrCreateOverlay(&result);
	}
	if (play->overlay != NULL)
	{
		result = tnpShowScene(play);
	}
	if (play->overlay == NULL || result.ok == false)
	{
		if (play->overlay != NULL)
		{
			tnrDestroyOverlay(play->overlay);
		}
		if (play->renderer != NULL)
		{
			tnrDestroyRenderer(play->renderer);
		}
		play->renderer = NULL;
		play->overlay = NULL;
	}
	return result;
}

static void tnpSetUp(tnpPlay* play, const tnpPlayDef* def)
{
	play->workerCount = def->workerCount;
	play->memoryLimit = def->memoryLimit;
	play->allowOutside = def->allowOutside;
	play->wantsDye = def->dye;
	play->showPanel = def->showPanel;
	play->touch = def->touch;
	play->method = play->wantedMethod = def->method;
	play->advection = play->wantedAdvection = def->advection;
	play->look = tnrDefaultLook();
	tnrSetQuality(&play->look, def->quality);
	play->tool = tnp_pourTool;
	play->panel.rowScale = def->touch ? 1.4f : 1.0f;
	// What a player wants first; what a programmer wants is a click away.
	play->folds = (tnpFolds){.water = true, .waves = true, .brush = true, .bodies = true};
	play->hand = (tnpHand){.held = -1, .hovered = -1};
	play->greets = def->greets;
	tnpBeginPast(play, def->pastLimit);
	tnpSetDefaultParameters(play);
}

tnpPlay* tnpCreatePlay(const tnpPlayDef* def, tnrResult* result)
{
	tnrResult ignored;
	result = result != NULL ? result : &ignored;
	if (def == NULL || def->scenes == NULL || def->sceneCount < 1)
	{
		*result = tnpMakeError("a viewer needs a scene");
		return NULL;
	}
	tnpPlay* play = calloc(1, sizeof(tnpPlay));
	if (play == NULL || tnpCopyScenes(play, def) == false)
	{
		*result = tnpMakeError("out of memory");
		tnpDestroyPlay(play);
		return NULL;
	}
	tnpSetUp(play, def);
	*result = tnpCreatePicture(play);
	if (result->ok)
	{
		*result = tnpPlay_SetScene(play, def->firstScene);
	}
	if (result->ok == false)
	{
		tnpDestroyPlay(play);
		return NULL;
	}
	play->messageTime = 0.0;
	return play;
}

void tnpDestroyPlay(tnpPlay* play)
{
	if (play == NULL)
	{
		return;
	}
	if (play->overlay != NULL)
	{
		tnrDestroyOverlay(play->overlay);
	}
	if (play->renderer != NULL)
	{
		tnrDestroyRenderer(play->renderer);
	}
	tnpLeaveScene(play, NULL, NULL);
	for (int i = 0; i < play->sceneCount; ++i)
	{
		free(play->titles[i]);
		free(play->paths[i]);
	}
	free(play->titles);
	free(play->paths);
	free(play->levels);
	free(play->replay.inputs);
	free(play);
}

void tnpPlay_LoseContext(tnpPlay* play)
{
	if (play->overlay != NULL)
	{
		tnrOverlay_Forget(play->overlay);
	}
	if (play->renderer != NULL)
	{
		tnrRenderer_Forget(play->renderer);
	}
	play->overlay = NULL;
	play->renderer = NULL;
}

tnrResult tnpPlay_RestoreContext(tnpPlay* play)
{
	tnpPlay_LoseContext(play);
	return tnpCreatePicture(play);
}

// ---------------------------------------------------------------------------------------------------------------------
// The loop

static void tnpPauseWith(tnpPlay* play, const char* text)
{
	play->paused = true;
	tnpPlay_ShowMessage(play, text);
}

static void tnpNoteStroke(tnpPlay* play)
{
	tnpBuiltItem item = {.tool = play->stroke.tool, .body = -1};
	if (play->voxels != NULL)
	{
		const tnpVoxelStroke* stroke = &play->voxels->stroke;
		item.tool = stroke->tool;
		item.radius = stroke->radius;
		for (int i = 0; i < stroke->ballCount; ++i)
		{
			item.place = stroke->balls[i];
			tnpBuilt_Add(&play->past.built, &item);
		}
		return;
	}
	const tnpStroke* stroke = &play->stroke;
	if (stroke->tool < tnp_raiseTool || stroke->tool > tnp_flattenTool)
	{
		return;
	}
	item.place = (tnVec3){stroke->center.x, 0.0f, stroke->center.z};
	item.radius = stroke->radius;
	item.amount = stroke->strength * play->timeStep;
	item.height = stroke->tool == tnp_flattenTool ? stroke->height : 0.0f;
	tnpBuilt_Add(&play->past.built, &item);
}

// One tick of the stroke in progress: the world is edited, time stands still.
static void tnpApplyTool(tnpPlay* play)
{
	if (play->stroke.tool == tnp_hoseTool || play->stroke.tool == tnp_driveTool)
	{
		play->strokePending = false;
		return;
	}
	if (play->stroking == false && play->strokePending == false)
	{
		return;
	}
	play->stroke.tick = play->strokeTicks;
	play->strokeTicks += 1;
	if (play->voxels == NULL)
	{
		tnpInput input = {.kind = tnp_strokeInput};
		input.with.stroke = play->stroke;
		tnpNoteInput(play, &input);
	}
	const tnResult result = play->voxels != NULL
		? tnpApplyVoxelTool(play)
		: tnpApplyLevelStroke(play->level, play->world, &play->stroke, play->timeStep);
	if (result.status != tn_ok)
	{
		tnpPlay_ShowMessage(play, result.text);
	}
	else
	{
		tnpNoteStroke(play);
	}
	play->stroke.from = play->stroke.center;
	play->strokePending = false;
}

// It runs while it is held and the water does.
static void tnpPlayHose(tnpPlay* play)
{
	if (play->level != NULL)
	{
		return; // it has its own
	}
	const bool isHeld = (play->stroking || play->strokePending) && play->stroke.tool == tnp_hoseTool;
	const tnVec3 target = {play->stroke.center.x, play->cursor.point.y, play->stroke.center.z};
	const tnResult result = isHeld ? tnpHoldHose(play->world, &play->hose, tnpPlay_GetCamera(play).eye, target,
										 play->stroke.radius, play->stroke.strength)
								   : tnpCloseHose(play->world, &play->hose);
	if (result.status != tn_ok)
	{
		tnpPlay_ShowMessage(play, result.text);
	}
}

static tnsResult tnpStepColumns(tnpPlay* play)
{
	// mm/h are 1 / 3.6e6 m/s.
	float rain = play->values[tnp_rain] / 3.6e6f;
	rain += play->stroking || play->strokePending ? tnpGetRainRate(&play->stroke) : 0.0f;
	if (play->replay.playing)
	{
		tnpReplayInputs(play);
	}
	else
	{
		tnpPlayHose(play);
		tnpSinkDam(play);
		tnpApplyTool(play);
		tnpPrepareLevelStep(play);
	}
	const tnsResult rained = tnsRun_SetExtraRain(play->run, rain);
	const tnsResult stepped = rained.status == tns_ok ? tnsRun_Step(play->run) : rained;
	tnpWatchLevel(play);
	return stepped;
}

static tnsResult tnpStepVoxels(tnpPlay* play)
{
	if (play->replay.playing)
	{
		tnpReplayInputs(play);
	}
	else
	{
		tnpApplyTool(play);
		tnpPrepareLevelStep(play);
	}
	const tnsResult stepped = tnsVoxelRun_Step(play->voxels->run);
	tnpWatchLevel(play);
	return stepped;
}

bool tnpStepWater(tnpPlay* play)
{
	tnpLeavePast(play);
	const tnsResult result = play->voxels != NULL ? tnpStepVoxels(play) : tnpStepColumns(play);
	if (result.status != tns_ok)
	{
		tnpPauseWith(play, result.text);
		return false;
	}
	play->stepCount += 1;
	play->meter.steps += 1;
	play->meter.waterSeconds += (double)play->timeStep;
	return true;
}

// The cursor has moved since the last frame: its way is shared out among the steps of this one.
static void tnpAdvanceWater(tnpPlay* play, double seconds)
{
	const double begin = tnpGetClock();
	const double timeStep = (double)play->timeStep;
	const double pace = play->paused ? 1.0 : (double)play->values[tnp_pace] * tnpGetLevelPace(play);
	tnpLoop_Begin(&play->loop, seconds * pace, begin);
	const tnVec2 from = play->stroke.center;
	const tnVec2 to = {play->cursor.point.x, play->cursor.point.z};
	double expected = floor(play->loop.due / timeStep);
	expected = expected < TNP_MAX_FRAME_STEPS ? expected : TNP_MAX_FRAME_STEPS;
	if (play->stroking && seconds > 0.0)
	{
		play->stroke.velocity = (tnVec2){(float)((to.x - from.x) / seconds), (float)((to.z - from.z) / seconds)};
	}
	while (tnpLoop_Next(&play->loop, timeStep, tnpGetClock()))
	{
		const float share = expected > 1.0 ? (float)((double)play->loop.steps / expected) : 1.0f;
		tnpDragHand(play, share);
		if (play->stroking)
		{
			play->stroke.center.x = from.x + share * (to.x - from.x);
			play->stroke.center.z = from.z + share * (to.z - from.z);
		}
		if (play->paused)
		{
			// Tools go on while time stands still: build the dam first, then let it run.
			if (tnpWorksPaused(play, play->stroke.tool))
			{
				tnpApplyTool(play);
			}
		}
		else if (tnpStepWater(play) == false)
		{
			break;
		}
	}
	if (play->strokePending && play->stroking == false && play->paused && tnpWorksPaused(play, play->stroke.tool))
	{
		tnpApplyTool(play);
	}
	if (play->paused == false)
	{
		tnpWatchPast(play);
	}
	play->meter.stepSeconds += tnpGetClock() - begin;
}

void tnpMeasure(const tnpPlay* play, double* volume, double* drift)
{
	if (play->voxels == NULL)
	{
		const tnLedger ledger = tnWorld_GetLedger(play->world);
		*volume = ledger.volume;
		*drift = ledger.drift;
		return;
	}
	*volume = 0.0;
	*drift = (double)tnpVoxels_GetDrift(play->voxels);
	for (int liquid = 1; liquid <= play->voxels->info->worldDef.liquidCount; ++liquid)
	{
		*volume += tnpVoxels_GetVolume(play->voxels, liquid);
	}
}

static void tnpSampleMeter(tnpPlay* play, double seconds)
{
	tnpMeter* meter = &play->meter;
	meter->seconds += seconds;
	meter->frames += 1;
	if (meter->seconds < TNP_SAMPLE_TIME)
	{
		return;
	}
	double drift;
	tnpMeasure(play, &meter->volume, &drift);
	meter->framesPerSecond = (float)(meter->frames / meter->seconds);
	meter->speed = (float)(meter->waterSeconds / meter->seconds);
	// While paused the last value stays.
	if (meter->steps > 0)
	{
		meter->millisecondsPerStep = (float)(1.0e3 * meter->stepSeconds / meter->steps);
	}
	meter->drift = (float)drift;
	meter->framesHistory[meter->next] = meter->framesPerSecond;
	meter->stepHistory[meter->next] = meter->millisecondsPerStep;
	meter->driftHistory[meter->next] = meter->drift;
	meter->next = (meter->next + 1) % TNP_HISTORY;
	meter->count += meter->count < TNP_HISTORY ? 1 : 0;
	meter->seconds = meter->stepSeconds = meter->waterSeconds = 0.0;
	meter->frames = meter->steps = 0;
}

// The ring shows what the next click would touch.
static tnrMarker tnpGetMarker(const tnpPlay* play)
{
	tnrMarker marker = {0};
	const bool busy = play->drag == tnp_turnDrag || play->drag == tnp_panDrag || play->drag == tnp_panelDrag;
	// Rain falls everywhere, and a finger that is lifted points nowhere.
	const bool everywhere = play->tool == tnp_lookTool || play->tool == tnp_rainTool || play->tool == tnp_grabTool ||
		play->tool == tnp_cutTool || play->tool == tnp_driveTool || tnpIsBoatTool(play->tool) || play->voxels != NULL;
	if (everywhere || play->cursor.hit == false || busy || (play->touch && play->stroking == false))
	{
		return marker;
	}
	static const tnVec3 water = {0.35f, 0.8f, 1.0f}, ground = {1.0f, 0.75f, 0.35f}, dye = {1.0f, 0.35f, 0.6f};
	const bool puts = play->tool == tnp_throwTool || play->tool == tnp_stackTool;
	const bool digs = play->tool >= tnp_raiseTool && play->tool <= tnp_flattenTool;
	marker.center = (tnVec2){play->cursor.point.x, play->cursor.point.z};
	marker.radius = puts ? 0.5f * tnpGetBodySize(play) : play->values[tnp_brushRadius];
	marker.color = digs || puts ? ground : play->tool == tnp_dyeTool ? dye : water;
	return marker;
}

static void tnpDrawWorld(tnpPlay* play, uint32_t framebuffer, int width, int height)
{
	tnpApplyLook(play);
	if (play->voxels != NULL)
	{
		play->voxels->pointed = play->hand.held >= 0 ? play->hand.held : play->hand.hovered;
		tnpVoxels_CatchUp(play->voxels, play->renderer, s_meshTime);
	}
	else
	{
		const float alpha = play->paused ? 1.0f : tnpLoop_GetAlpha(&play->loop, (double)play->timeStep);
		tnpShowBodies(play->renderer, play->run, play->hand.held >= 0 ? play->hand.held : play->hand.hovered);
		tnpShowDisplacers(play->renderer, play->run);
		tnrRenderer_Update(play->renderer, play->world, alpha);
	}
	tnrFrame frame = {0};
	frame.camera = tnpPlay_GetCamera(play);
	frame.look = play->look;
	frame.marker = tnpGetMarker(play);
	frame.time = play->pictureTime;
	frame.framebuffer = framebuffer;
	frame.width = width;
	frame.height = height;
	tnrRenderer_Draw(play->renderer, &frame);
}

void tnpPlay_Frame(tnpPlay* play, double seconds, uint32_t framebuffer, int width, int height, float scale)
{
	// A debugger or a laptop lid makes hours; the clock of the picture need not follow.
	const double longest = 1.0;
	seconds = seconds > 0.0 ? (seconds < longest ? seconds : longest) : 0.0;
	// Screens have 1 to 4; the tests draw more coarsely than they click.
	scale = scale >= 0.1f && scale <= 16.0f ? scale : 1.0f;
	const bool visible = width > 0 && height > 0;
	if (visible)
	{
		play->windowWidth = (float)width / scale;
		play->windowHeight = (float)height / scale;
		play->scale = scale;
	}
	tnpFollowAvatar(play);
	const tnpStage stage = tnpGetStage(play);
	tnpCamera_Fit(&play->camera, &stage, tnpGetAspect(play));
	tnpMoveByKeys(play, (float)seconds);
	tnpCamera_Advance(&play->camera, &stage, (float)seconds);
	// Waves are fine where somebody looks.
	const tnVec2 viewpoint = {play->camera.shown.target.x, play->camera.shown.target.z};
	if (play->run != NULL)
	{
		tnsRun_SetViewpoint(play->run, &viewpoint);
	}
	tnpUpdateCursor(play);
	tnpMoveHand(play, seconds);
	tnpGrowRow(play);
	tnpAdvanceWater(play, seconds);
	tnpUpdateHover(play);
	play->ghost = tnpFindGhost(play);
	const bool over = play->level != NULL && tnsLevel_GetState(play->level) != tns_levelPlaying;
	play->overSeconds += over ? seconds : 0.0;
	play->pictureTime += seconds * (play->paused ? 0.0 : fmin((double)play->values[tnp_pace], 1.0));
	play->messageTime -= seconds;
	tnpSampleMeter(play, seconds);
	if (visible && play->renderer != NULL)
	{
		tnpDrawWorld(play, framebuffer, width, height);
		tnpDrawPanel(play, framebuffer, width, height);
	}
	play->frameCount += 1;
}
