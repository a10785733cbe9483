// SPDX-License-Identifier: MIT

#include "maps/map_internal.h"

#include <math.h>
#include <stdio.h>

// A cut along the middle row, for worlds so long and narrow that a map alone says little: flumes and wave tanks.

static const Color s_sky = {0.985f, 0.985f, 0.98f};
static const Color s_ground = {0.62f, 0.55f, 0.45f};
static const Color s_groundEdge = {0.36f, 0.30f, 0.24f};
static const Color s_line = {0.45f, 0.48f, 0.52f};
static const Color s_crest = {0.93f, 0.98f, 1.0f};

// Text size in pixels per dot.
static const float s_labelSize = 1.4f;

// Heights of the bottom and the top of the cut. They only ever part.
void ExtendSection(Map* map)
{
	const size_t line = (size_t)(map->height / 2) * (size_t)map->width;
	float low = INFINITY;
	float high = -INFINITY;
	for (int x = 0; x < map->width; ++x)
	{
		const float bed = map->bed[line + (size_t)x];
		low = fminf(low, bed);
		high = fmaxf(high, bed + fmaxf(map->water[line + (size_t)x], 0.0f));
	}
	// A flat and dry world still gets a cut of a decimeter.
	const float height = fmaxf(high - low, 0.1f);
	low -= 0.12f * height;
	high += 0.15f * height;
	map->sectionLow = map->sectionHigh > map->sectionLow ? fminf(map->sectionLow, low) : low;
	map->sectionHigh = fmaxf(map->sectionHigh, high);
}

void DrawSection(Map* map)
{
	const size_t line = (size_t)(map->height / 2) * (size_t)map->width;
	const float metersPerPixel = (map->sectionHigh - map->sectionLow) / (float)map->sectionHeight;
	for (int x = 0; x < map->width; ++x)
	{
		const float bed = map->bed[line + (size_t)x];
		const float water = fmaxf(map->water[line + (size_t)x], 0.0f);
		const float bedTop = (map->sectionHigh - bed) / metersPerPixel;
		const float waterTop = (map->sectionHigh - bed - water) / metersPerPixel;
		for (int y = 0; y < map->sectionHeight; ++y)
		{
			// Shares of the pixel below the two surfaces: edges one pixel soft.
			const float inWater = Saturate((float)y + 1.0f - waterTop);
			const float inGround = Saturate((float)y + 1.0f - bedTop);
			const float below = fmaxf((float)y + 0.5f - waterTop, 0.0f) * metersPerPixel;
			Color color = s_sky;
			if (water > 0.0f)
			{
				Color body = ShadeDepth(SandColor(), 0.25f * map->depthScale + 0.5f * below, map->depthScale);
				body = MixColor(body, s_crest, 0.75f * Saturate(2.5f - ((float)y + 0.5f - waterTop)));
				color = MixColor(color, body, inWater);
			}
			const Color ground = MixColor(s_ground, s_groundEdge, Saturate(2.0f - ((float)y + 0.5f - bedTop)));
			color = MixColor(color, ground, inGround);
			BlendPixel(&map->page, map->left + x, map->sectionTop + y, color, 1.0f);
		}
	}

	// Lines of equal height, about four.
	const float step = RoundUpNicely(0.25f * (map->sectionHigh - map->sectionLow));
	for (float height = step * ceilf(map->sectionLow / step); height < map->sectionHigh; height += step)
	{
		const int y = (int)roundf((map->sectionHigh - height) / metersPerPixel);
		if (y < 12 || y >= map->sectionHeight - 2)
		{
			continue;
		}
		for (int x = 0; x < map->width; ++x)
		{
			BlendPixel(&map->page, map->left + x, map->sectionTop + y, s_line, x % 6 < 3 ? 0.35f : 0.0f);
		}
		char text[32];
		// Sums of steps may miss zero by a hair.
		snprintf(text, sizeof(text), "%.3g m", fabsf(height) < 0.01f * step ? 0.0 : (double)height);
		DrawTextWithHalo(&map->page, (float)(map->left + 5), (float)(map->sectionTop + y - 11), text, s_labelSize,
			s_groundEdge, s_sky);
	}
	char text[64];
	snprintf(text, sizeof(text), "cut along the middle, heights \xc3\x97 %.2g", (double)(map->meters / metersPerPixel));
	DrawTextWithHalo(&map->page, (float)(map->left + map->width - 6 - MeasureText(text, s_labelSize)),
		(float)(map->sectionTop + 6), text, s_labelSize, s_groundEdge, s_sky);
}
