// SPDX-License-Identifier: MIT

// Records what a player does in a level, and does it again.

#include "viewer/play_internal.h"

#include <stdlib.h>

enum
{
	// Inputs of twenty minutes of strokes.
	mostInputs = 1 << 17,
};

void tnpForgetInputs(tnpPlay* play)
{
	if (play->replay.kept == false)
	{
		free(play->replay.inputs);
		play->replay = (tnpReplay){0};
	}
}

void tnpNoteInput(tnpPlay* play, const tnpInput* input)
{
	tnpReplay* replay = &play->replay;
	const bool played = play->level != NULL && tnsLevel_GetState(play->level) == tns_levelPlaying;
	if (played == false || replay->playing || replay->full)
	{
		return;
	}
	if (replay->count == replay->capacity)
	{
		const int capacity = replay->capacity > 0 ? 2 * replay->capacity : 256;
		tnpInput* inputs = capacity <= mostInputs ? realloc(replay->inputs, (size_t)capacity * sizeof(tnpInput)) : NULL;
		if (inputs == NULL)
		{
			// Half a replay would show another end.
			replay->full = true;
			return;
		}
		replay->inputs = inputs;
		replay->capacity = capacity;
	}
	replay->inputs[replay->count] = *input;
	replay->inputs[replay->count].step = play->stepCount;
	replay->count += 1;
}

void tnpNotePlace(tnpPlay* play, tnpInputKind kind, int which, tnVec3 place, bool flag)
{
	tnpInput input = {.kind = kind, .which = which};
	input.with.at.place = place;
	input.with.at.flag = flag;
	tnpNoteInput(play, &input);
}

bool tnpPlay_IsReplaying(const tnpPlay* play)
{
	return play->replay.playing;
}

bool tnpPlay_Replay(tnpPlay* play)
{
	tnpReplay* replay = &play->replay;
	const bool over = play->level != NULL && tnsLevel_GetState(play->level) != tns_levelPlaying;
	if (over == false || replay->full)
	{
		return false;
	}
	replay->kept = true;
	tnpPlay_Reset(play);
	replay->kept = false;
	// A world that cannot begin again has said so.
	replay->playing = play->level != NULL && tnsLevel_GetState(play->level) == tns_levelPlaying;
	replay->next = 0;
	replay->drive = (tnVec2){0.0f, 0.0f};
	play->paused = play->paused && replay->playing == false;
	play->pausedForLevel = false;
	return replay->playing;
}

static void tnpDoInput(tnpPlay* play, const tnpInput* input)
{
	tnsRun* run = tnsLevel_GetRun(play->level);
	const tnVec3 place = input->with.at.place;
	switch (input->kind)
	{
		case tnp_strokeInput:
			(void)tnpApplyLevelStroke(play->level, play->world, &input->with.stroke, play->timeStep);
			break;
		case tnp_voxelBeginInput:
			play->voxels->stroke = (tnpVoxelStroke){.tool = (tnpTool)input->which};
			break;
		case tnp_voxelInput:
			play->voxels->stroke.hand = input->with.voxel.hand;
			play->voxels->stroke.along = input->with.voxel.along;
			(void)tnpApplyVoxelLevelStroke(play->level, play->voxels, &play->voxels->stroke);
			break;
		case tnp_driveInput:
			play->replay.drive = (tnVec2){place.x, place.z};
			break;
		case tnp_hoseInput:
			(void)tnsLevel_AimHose(play->level, input->with.at.flag ? &place : NULL);
			break;
		case tnp_stackInput:
			(void)tnsLevel_Stack(play->level, place, NULL);
			break;
		case tnp_takeInput:
			(void)tnsLevel_TakeBack(play->level, input->which);
			break;
		case tnp_cutInput:
			(void)tnsLevel_Cut(play->level, input->which);
			break;
		case tnp_grabInput:
			(void)tnsRun_GrabBody(run, input->which, place);
			break;
		case tnp_dragInput:
			tnsRun_DragBody(run, place);
			break;
		case tnp_releaseInput:
			tnsRun_ReleaseBody(run, input->with.at.flag ? &place : NULL);
			break;
	}
}

void tnpReplayInputs(tnpPlay* play)
{
	tnpReplay* replay = &play->replay;
	while (replay->next < replay->count && replay->inputs[replay->next].step <= play->stepCount)
	{
		tnpDoInput(play, replay->inputs + replay->next);
		replay->next += 1;
	}
	if (tnpHasAvatar(play))
	{
		(void)tnsLevel_Drive(play->level, replay->drive);
	}
}
