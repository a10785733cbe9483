// SPDX-License-Identifier: MIT

#pragma once

#include "tools/tools.h"
#include "voxels/voxel_play.h"

// What a player has done in a level, step by step, so that it can be shown again: the level begins anew and gets the same inputs at the same
// steps. The water is the same, bit for bit, and so are bodies, which begin anew with it.

typedef enum tnpInputKind
{
	tnp_strokeInput = 0,
	// Begins a stroke in voxels; and one tick of it.
	tnp_voxelBeginInput,
	tnp_voxelInput,
	// From this step on.
	tnp_driveInput,
	tnp_hoseInput,
	tnp_stackInput,
	tnp_takeInput,
	tnp_cutInput,
	tnp_grabInput,
	tnp_dragInput,
	tnp_releaseInput,
} tnpInputKind;

typedef struct tnpInput
{
	tnpInputKind kind;
	// The tool, or the body.
	int which;
	// Before which step.
	int64_t step;
	union
	{
		tnpStroke stroke;
		// Hose: open? Release: thrown?
		struct
		{
			tnVec3 place;
			bool flag;
		} at;
		struct
		{
			tnpVoxelHit hand;
			tnVec3 along;
		} voxel;
	} with;
} tnpInput;

typedef struct tnpReplay
{
	tnpInput* inputs;
	int count, capacity;
	// Memory ran out, or there were too many.
	bool full;
	// It is being shown: what comes next, and how the avatar is driven.
	bool playing;
	int next;
	tnVec2 drive;
	// The inputs stay when the scene begins anew.
	bool kept;
} tnpReplay;
