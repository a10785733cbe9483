// SPDX-License-Identifier: MIT

// What a shell asks for.

#include "viewer/play_internal.h"

#include <math.h>

void tnpPlay_SetPaused(tnpPlay* play, bool paused)
{
	play->paused = paused;
}

bool tnpPlay_IsPaused(const tnpPlay* play)
{
	return play->paused;
}

void tnpPlay_StepOnce(tnpPlay* play)
{
	if (play->paused)
	{
		tnpStepWater(play);
	}
}

void tnpPlay_SetTool(tnpPlay* play, tnpTool tool)
{
	if ((int)tool < 0 || tool >= tnp_toolCount)
	{
		return;
	}
	const char* refusal = tnpPlay_GetToolRefusal(play, tool);
	if (refusal != NULL)
	{
		tnpPlay_ShowMessage(play, refusal);
		return;
	}
	tnpEndStroke(play);
	tnpEndHand(play);
	play->tool = tool;
	tnpFitLevelTool(play);
}

bool tnpHasWaves(const tnpPlay* play)
{
	return play->world != NULL && tnWorld_GetDef(play->world).waves.enable;
}

bool tnpPlay_HasTool(const tnpPlay* play, tnpTool tool)
{
	if ((int)tool < 0 || tool >= tnp_toolCount)
	{
		return false;
	}
	if (play->voxels != NULL && play->level == NULL)
	{
		return tnpIsVoxelTool(tool) || (tnpIsBodyTool(tool) && tnpIsBoatTool(tool) == false) || tool == tnp_lookTool ||
			tool == tnp_pourTool || tool == tnp_drainTool;
	}
	if (play->level != NULL)
	{
		return tnpLevelHasTool(play, tool);
	}
	if (tool == tnp_hoseTool)
	{
		return play->world != NULL && tnWorld_GetDef(play->world).spray.enable;
	}
	if (tnpIsBoatTool(tool))
	{
		return tnpHasHollows(play);
	}
	// Avatars are of levels.
	return tnpIsVoxelTool(tool) == false && tool != tnp_driveTool &&
		(tnpIsWaveTool(tool) == false || tnpHasWaves(play));
}

const char* tnpPlay_GetToolRefusal(const tnpPlay* play, tnpTool tool)
{
	if (tnpPlay_HasTool(play, tool) == false)
	{
		return play->level != NULL  ? "This level goes without it"
			: tool == tnp_driveTool ? "Only levels have this tool"
			: play->voxels != NULL  ? "This tool is not for voxels"
			: tnpIsVoxelTool(tool)  ? "This tool is for voxels only"
			: tool == tnp_hoseTool  ? "This scene has no spray, and so no hose"
			: tnpIsBoatTool(tool)   ? "Nothing is hollow here"
									: "This scene has no waves to play with";
	}
	if (tool == tnp_lavaTool && play->voxels != NULL && play->voxels->lava == 0)
	{
		return "This scene has no lava";
	}
	return tnpGetToolRefusal(tool);
}

tnpTool tnpPlay_GetTool(const tnpPlay* play)
{
	return play->tool;
}

void tnpPlay_SetBodyKind(tnpPlay* play, int kind)
{
	if (kind >= 0 && kind < tns_bodyKindCount && play->level == NULL)
	{
		play->hand.kind = (tnsBodyKind)kind;
	}
}

int tnpPlay_GetBodyKind(const tnpPlay* play)
{
	return (int)play->hand.kind;
}

void tnpPlay_SetView(tnpPlay* play, tnrView view)
{
	if ((int)view >= 0 && view < tnr_viewCount && play->voxels == NULL)
	{
		play->look.view = view;
	}
}

tnrView tnpPlay_GetView(const tnpPlay* play)
{
	return play->look.view;
}

tnrResult tnpPlay_SetMethod(tnpPlay* play, tnMethod method, tnAdvection advection)
{
	if (play->voxels != NULL)
	{
		return tnpMakeError("voxels have no methods to choose from");
	}
	if (play->level != NULL)
	{
		tnpPlay_ShowMessage(play, "Levels keep their method");
		return tnpMakeError("levels keep their method");
	}
	const tnResult result = tnWorld_SetMethod(play->world, method, advection);
	if (result.status != tn_ok)
	{
		tnpPlay_ShowMessage(play, result.text);
		return tnpMakeError("%s", result.text);
	}
	play->method = method;
	play->advection = advection;
	return (tnrResult){.ok = true};
}

double tnpPlay_GetTime(const tnpPlay* play)
{
	return play->voxels != NULL ? (double)tnsVoxelRun_GetStepCount(play->voxels->run) * (double)play->timeStep
								: tnWorld_GetTime(play->world);
}

tnpStatus tnpPlay_GetStatus(const tnpPlay* play)
{
	tnpStatus status = {0};
	tnpMeasure(play, &status.volume, &status.drift);
	status.stepCount = play->stepCount;
	status.framesPerSecond = play->meter.framesPerSecond;
	status.millisecondsPerStep = play->meter.millisecondsPerStep;
	status.speed = play->meter.speed;
	status.frameCount = play->frameCount;
	status.time = tnpPlay_GetTime(play);
	if (play->voxels != NULL)
	{
		tnpFillVoxelStatus(play, &status);
		return status;
	}
	for (int i = 0; i < tnsRun_GetBodyEnd(play->run); ++i)
	{
		tnsBody body;
		const bool there = tnsRun_GetBody(play->run, i, &body);
		status.bodyCount += there ? 1 : 0;
		status.tiedCount += there && body.tied ? 1 : 0;
	}
	status.waveTileCount = tnWorld_GetWaveTileCount(play->world);
	for (int i = 0; i < status.waveTileCount; ++i)
	{
		tnWaveTileView tile;
		const bool there = tnWorld_GetWaveTile(play->world, i, &tile).status == tn_ok;
		status.movingWaveTileCount += there && tile.rests == false ? 1 : 0;
	}
	return status;
}

tnWorld* tnpPlay_GetWorld(const tnpPlay* play)
{
	return play->world;
}

tnsRun* tnpPlay_GetRun(const tnpPlay* play)
{
	return play->run;
}

tnVoxelWorld* tnpPlay_GetVoxelWorld(const tnpPlay* play)
{
	return play->voxels != NULL ? play->voxels->world : NULL;
}

const tnsVoxelSceneInfo* tnpPlay_GetVoxelInfo(const tnpPlay* play)
{
	return play->voxels != NULL ? play->voxels->info : NULL;
}

tnVoxelBox tnpPlay_GetVoxelBox(const tnpPlay* play)
{
	return play->voxels != NULL ? play->voxels->info->clip : (tnVoxelBox){{0, 0, 0}, {0, 0, 0}};
}

uint64_t tnpPlay_GetHash(const tnpPlay* play)
{
	return play->voxels != NULL ? tnVoxelWorld_GetHash(play->voxels->world) : tnWorld_GetHash(play->world);
}

tnrCamera tnpPlay_GetCamera(const tnpPlay* play)
{
	const tnpStage stage = tnpGetStage(play);
	return tnpCamera_Get(&play->camera, &stage);
}

void tnpPlay_SetCamera(tnpPlay* play, const tnrCamera* camera)
{
	// Sums of what is not finite are not either, and farther away nothing of a world can be seen.
	const float farthest = 10.0f * TN_MAX_LENGTH;
	const tnVec3 eye = camera->eye, target = camera->target;
	if (fabsf(eye.x) + fabsf(eye.y) + fabsf(eye.z) + fabsf(target.x) + fabsf(target.y) + fabsf(target.z) < farthest)
	{
		play->camera.flying = false;
		play->camera.untouched = false;
		play->camera.goal = tnpMakePose(camera);
		play->camera.shown = play->camera.goal;
	}
}

bool tnpPlay_WantsScreenshot(tnpPlay* play)
{
	const bool wanted = play->wantsScreenshot;
	play->wantsScreenshot = false;
	return wanted;
}

bool tnpPlay_WantsSave(tnpPlay* play)
{
	const bool wanted = play->wantsSave;
	play->wantsSave = false;
	return wanted;
}

bool tnpPlay_WantsOpen(tnpPlay* play)
{
	const bool wanted = play->wantsOpen;
	play->wantsOpen = false;
	return wanted;
}

bool tnpPlay_IsRecording(const tnpPlay* play)
{
	return play->recording;
}

void tnpPlay_SetRecording(tnpPlay* play, bool recording)
{
	play->recording = recording;
}

bool tnpPlay_WantsToClose(const tnpPlay* play)
{
	return play->wantsToClose;
}
