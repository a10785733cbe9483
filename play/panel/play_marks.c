// SPDX-License-Identifier: MIT

// Marks at places of the world, drawn over the picture.

#include "panel/icons.h"
#include "viewer/play_internal.h"

#include <math.h>

// Springs and wells of the user, so that they can be found again.
void tnpShowSprings(tnpPlay* play)
{
	if (play->springs.count == 0 || tnpIsDrawing(play) == false)
	{
		return;
	}
	const tnrCamera camera = tnpPlay_GetCamera(play);
	const float unit = tnpGetUnit(play);
	for (int i = 0; i < play->springs.count; ++i)
	{
		const tnpSpring* spring = play->springs.items + i;
		const tnVec3 place = {spring->center.x, tnWorld_Sample(play->world, spring->center).surface, spring->center.z};
		float x, y;
		if (tnpProject(&camera, play->windowWidth, play->windowHeight, place, &x, &y))
		{
			const tnpTool tool = spring->kind == tn_wellSource ? tnp_wellTool : tnp_sourceTool;
			tnrOverlay_Disc(play->panel.overlay, x / unit, y / unit, 12.0f, 0x0e171dc0);
			tnpDrawToolIcon(play->panel.overlay, tool, x / unit, y / unit, 7.0f, g_tnpAccentColor);
		}
	}
}

bool tnpIsDrawing(const tnpPlay* play)
{
	return play->panel.overlay != NULL;
}

void tnpDrawRing(
	tnpPlay* play, const tnrCamera* camera, tnVec3 center, tnVec3 a, tnVec3 b, float radius, tnrColor color)
{
	enum
	{
		pieces = 72,
	};
	const float unit = tnpGetUnit(play);
	float x = 0.0f, y = 0.0f;
	bool seen = false;
	for (int i = 0; i <= pieces; ++i)
	{
		const float angle = 6.2831853f * (float)i / (float)pieces;
		const float u = radius * cosf(angle), v = radius * sinf(angle);
		const tnVec3 point = {center.x + u * a.x + v * b.x, center.y + u * a.y + v * b.y, center.z + u * a.z + v * b.z};
		float nextX, nextY;
		const bool visible = tnpProject(camera, play->windowWidth, play->windowHeight, point, &nextX, &nextY) &&
			fabsf(nextX) < 4.0f * play->windowWidth && fabsf(nextY) < 4.0f * play->windowHeight;
		if (visible && seen)
		{
			tnrOverlay_Line(play->panel.overlay, x / unit, y / unit, nextX / unit, nextY / unit, 1.5f, color);
		}
		x = nextX;
		y = nextY;
		seen = visible;
	}
}

// How far each band of waves reaches around each point of interest, the finest in the warmest colour.
void tnpShowRings(tnpPlay* play)
{
	static const tnrColor colors[] = {0xffd060e0, 0xff9a50d0, 0xe070a0c0, 0x9a70d0b0, 0x60a0e0a0, 0x60d0e090};
	const int colorCount = (int)(sizeof(colors) / sizeof(colors[0]));
	if (play->showRings == false || tnpIsDrawing(play) == false || tnpHasWaves(play) == false)
	{
		return;
	}
	const tnrCamera camera = tnpPlay_GetCamera(play);
	const int levelCount = tnWorld_GetDef(play->world).waves.levelCount;
	for (int i = 0; i < tnsRun_GetInterestCount(play->run); ++i)
	{
		tnInterestDef interest;
		if (tnsRun_GetInterest(play->run, i, &interest) == false)
		{
			continue;
		}
		const tnVec3 center = {
			interest.position.x, tnWorld_Sample(play->world, interest.position).surface, interest.position.z};
		for (int level = 0; level < levelCount; ++level)
		{
			const tnrColor color = colors[level < colorCount ? level : colorCount - 1];
			const tnVec3 east = {1.0f, 0.0f, 0.0f}, south = {0.0f, 0.0f, 1.0f};
			tnpDrawRing(play, &camera, center, east, south, ldexpf(interest.reach, level), color);
		}
	}
}
