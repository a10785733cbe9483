// SPDX-License-Identifier: MIT

// The handle over a dam that can be pulled: a button that stands over its crest.

#include "tools/dam.h"
#include "viewer/play_internal.h"

#include <math.h>

// A dam that gives way is gone after this time of the water, s.
static const float s_sinkTime = 1.1f;
// Between crest and handle, m.
static const float s_lift = 3.0f;

void tnpForgetDam(tnpPlay* play)
{
	tnpDestroyDam(play->dam);
	play->dam = NULL;
	play->damWorld = NULL;
	play->damSinks = false;
}

// A new world, or one that was put back to before, has its dam again.
static void tnpFindDam(tnpPlay* play)
{
	if (play->world == NULL)
	{
		tnpForgetDam(play);
		return;
	}
	if (play->world != play->damWorld || play->stepCount < play->damSteps)
	{
		tnpForgetDam(play);
		play->dam = tnpCreateDam(play->scene, play->world);
		play->damWorld = play->world;
	}
	play->damSteps = play->stepCount;
}

void tnpSinkDam(tnpPlay* play)
{
	if (play->damSinks && play->dam != NULL && play->world == play->damWorld)
	{
		tnpDam_Pull(play->dam, play->world, tnpDam_GetShare(play->dam) + play->timeStep / s_sinkTime);
		play->damSinks = tnpDam_GetShare(play->dam) < 1.0f;
	}
}

void tnpShowDam(tnpPlay* play, const tnpLayout* layout)
{
	tnpFindDam(play);
	if (play->dam == NULL || play->damSinks || tnpDam_GetShare(play->dam) >= 1.0f)
	{
		return;
	}
	const tnrCamera camera = tnpPlay_GetCamera(play);
	const float unit = tnpGetUnit(play), width = 124.0f, height = play->touch ? 44.0f : 32.0f;
	const tnVec3 crest = tnpDam_GetCrest(play->dam);
	float x, y, footX, footY;
	if (tnpProject(&camera, play->windowWidth, play->windowHeight, (tnVec3){crest.x, crest.y + s_lift, crest.z}, &x,
			&y) == false ||
		tnpProject(&camera, play->windowWidth, play->windowHeight, crest, &footX, &footY) == false)
	{
		return;
	}
	tnpBox box = {x / unit - 0.5f * width, y / unit - height - 18.0f, width, height};
	if (box.x < 0.0f || box.x + width > layout->width || box.y + height > layout->height || footY < 0.0f)
	{
		return;
	}
	box.y = fmaxf(box.y, layout->bar.y + layout->bar.height + 8.0f);
	tnpPanel* panel = &play->panel;
	if (panel->overlay != NULL)
	{
		tnrOverlay_Line(panel->overlay, x / unit, box.y + height, footX / unit, footY / unit, 3.0f, g_tnpAccentColor);
	}
	tnpPanel_BeginBox(panel, "dam", box, NULL);
	if (tnpPanel_Face(panel, "pull", box, false, true, "The dam gives way"))
	{
		tnpPlay_Remember(play);
		play->damSinks = true;
		play->paused = false;
	}
	tnpPanel_TextIn(panel, box, 14.0f, g_tnpTextColor, 0.5f, "Pull the dam");
	tnpPanel_EndBox(panel);
}
