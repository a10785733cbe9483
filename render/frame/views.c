// SPDX-License-Identifier: MIT

// Colour scales of the views that show numbers instead of a picture.

#include "frame/views.h"

#include "gl/vectors.h"

#include <stdlib.h>
#include <string.h>

typedef struct Color
{
	float r, g, b;
} Color;

// Dark to light, equally spaced: readable in print and for the colour-blind.
static const Color s_depthScale[] = {
	{0.85f, 0.95f, 0.98f}, {0.55f, 0.83f, 0.92f}, {0.20f, 0.60f, 0.82f}, {0.10f, 0.34f, 0.67f}, {0.06f, 0.13f, 0.40f}};
static const Color s_heatScale[] = {
	{0.11f, 0.07f, 0.30f}, {0.42f, 0.11f, 0.48f}, {0.74f, 0.22f, 0.36f}, {0.95f, 0.48f, 0.16f}, {0.99f, 0.88f, 0.45f}};
static const Color s_turnScale[] = {
	{0.10f, 0.25f, 0.75f}, {0.45f, 0.65f, 0.95f}, {0.93f, 0.93f, 0.93f}, {0.96f, 0.55f, 0.42f}, {0.75f, 0.10f, 0.12f}};
static const Color s_stepScale[] = {
	{0.15f, 0.45f, 0.35f}, {0.40f, 0.70f, 0.30f}, {0.90f, 0.85f, 0.30f}, {0.90f, 0.50f, 0.15f}, {0.75f, 0.12f, 0.15f}};
// About what ground looks like in a view.
static const Color s_dry = {0.55f, 0.53f, 0.50f};
static const Color s_wet = {0.16f, 0.50f, 0.85f};
static const Color s_awake = {0.98f, 0.62f, 0.10f};
static const Color s_asleep = {0.20f, 0.26f, 0.36f};

enum
{
	scaleCount = 5
};

static Color tnrGetScaleColor(const Color* scale, float value)
{
	const float place = tnrClamp(value, 0.0f, 1.0f) * (scaleCount - 1);
	const int index = tnrClampInt((int)place, 0, scaleCount - 2);
	const float share = place - (float)index;
	const Color a = scale[index], b = scale[index + 1];
	return (Color){tnrMix(a.r, b.r, share), tnrMix(a.g, b.g, share), tnrMix(a.b, b.b, share)};
}

bool tnrMakeViews(tnrViews* views, int columnCount, int rowCount)
{
	views->texels = malloc((size_t)columnCount * (size_t)rowCount * 4);
	if (views->texels == NULL)
	{
		return false;
	}
	views->texture = tnrMakeTexture(GL_RGBA8, columnCount, rowCount, 1, GL_NEAREST, GL_CLAMP_TO_EDGE);
	return true;
}

void tnrDestroyViews(tnrViews* views)
{
	glDeleteTextures(1, &views->texture);
	tnrForgetViews(views);
}

void tnrForgetViews(tnrViews* views)
{
	free(views->texels);
	memset(views, 0, sizeof(*views));
}

static float tnrGetNumber(const tnrWater* water, tnSurfaceChannel channel, size_t cell)
{
	const size_t columns = (size_t)water->columnCount;
	return tnSurface_Get(water->surface, channel, (int)(cell % columns), (int)(cell / columns));
}

static float tnrGetSpeed(const tnrWater* water, size_t cell)
{
	const float u = tnrGetNumber(water, tn_surfaceVelocityX, cell), w = tnrGetNumber(water, tn_surfaceVelocityZ, cell);
	return sqrtf(u * u + w * w);
}

// 1/s, positive from +x towards +z.
static float tnrGetVorticity(const tnrWater* water, size_t cell)
{
	const size_t columns = (size_t)water->columnCount;
	const size_t column = cell % columns, row = cell / columns;
	if (column == 0 || row == 0 || column == columns - 1 || row == (size_t)water->rowCount - 1)
	{
		return 0.0f;
	}
	const float alongX =
		tnrGetNumber(water, tn_surfaceVelocityZ, cell + 1) - tnrGetNumber(water, tn_surfaceVelocityZ, cell - 1);
	const float alongZ = tnrGetNumber(water, tn_surfaceVelocityX, cell + columns) -
		tnrGetNumber(water, tn_surfaceVelocityX, cell - columns);
	return (alongX - alongZ) * 0.5f / water->cellSize;
}

// Relative number of sub-steps of a cell: how many cells its fastest wave crosses per second.
static float tnrGetCourant(const tnrWater* water, size_t cell)
{
	return (tnrGetSpeed(water, cell) + sqrtf(water->gravity * tnrGetNumber(water, tn_surfaceDepth, cell))) /
		water->cellSize;
}

static float tnrFindMost(const tnrWater* water, float (*get)(const tnrWater*, size_t))
{
	const size_t cellCount = (size_t)water->columnCount * (size_t)water->rowCount;
	float most = 1.0e-6f;
	for (size_t i = 0; i < cellCount; ++i)
	{
		const float value = fabsf(get(water, i));
		most = value > most ? value : most;
	}
	return most;
}

static const Color* tnrGetScale(tnrView view)
{
	switch (view)
	{
		case tnr_depthView:
			return s_depthScale;
		case tnr_speedView:
		case tnr_tracerView:
			return s_heatScale;
		case tnr_vorticityView:
			return s_turnScale;
		case tnr_subStepsView:
			return s_stepScale;
		default:
			return NULL;
	}
}

tnVec3 tnrGetViewColor(tnrView view, float share)
{
	const Color* scale = tnrGetScale(view);
	Color color = {0.0f, 0.0f, 0.0f};
	if (scale != NULL)
	{
		color = tnrGetScaleColor(scale, share);
	}
	else if (view == tnr_awakeView)
	{
		color = share < 0.5f ? s_asleep : s_awake;
	}
	else if (view == tnr_wetView)
	{
		color = share < 0.5f ? s_dry : s_wet;
	}
	return (tnVec3){color.r, color.g, color.b};
}

float tnrGetScaleEnd(const tnrWater* water, const tnrLook* look)
{
	switch (look->view)
	{
		case tnr_depthView:
			return look->maxDepth > 0.0f ? look->maxDepth : fmaxf(water->maxDepth, 1.0e-3f);
		case tnr_speedView:
			return look->maxSpeed > 0.0f ? look->maxSpeed : fmaxf(water->maxSpeed, 1.0e-3f);
		case tnr_vorticityView:
			// Single cells at walls turn much faster than the eddies one looks for.
			return 0.35f * tnrFindMost(water, tnrGetVorticity);
		case tnr_tracerView:
			return 1.0f;
		case tnr_subStepsView:
			return (float)(water->subSteps > 1 ? water->subSteps : 1);
		default:
			return 0.0f;
	}
}

static bool tnrIsAwake(const tnrWater* water, size_t cell)
{
	const int size = TN_SURFACE_TILE_SIZE, perRow = (water->columnCount + size - 1) / size;
	const int column = (int)(cell % (size_t)water->columnCount), row = (int)(cell / (size_t)water->columnCount);
	tnSurfaceTile tile;
	tnSurface_GetTile(water->surface, row / size * perRow + column / size, &tile);
	return tile.awake;
}

// The value of a cell on the scale of a view, 0 to 1.
static float tnrGetScaleShare(const tnrWater* water, const tnrLook* look, size_t cell, float end, float courant)
{
	const size_t cellCount = (size_t)water->columnCount * (size_t)water->rowCount;
	const int channel = tnrClampInt(look->tracer, 0, water->tracerCount > 0 ? water->tracerCount - 1 : 0);
	switch (look->view)
	{
		case tnr_depthView:
			return tnrGetNumber(water, tn_surfaceDepth, cell) / end;
		case tnr_speedView:
			return tnrGetSpeed(water, cell) / end;
		case tnr_vorticityView:
			return 0.5f + 0.5f * tnrGetVorticity(water, cell) / end;
		case tnr_tracerView:
			return water->tracers != NULL ? water->tracers[(size_t)channel * cellCount + cell] / end : 0.0f;
		case tnr_subStepsView:
			// Whole sub-steps, as the world would take them.
			return end > 1.0f ? (ceilf(end * tnrGetCourant(water, cell) / courant) - 1.0f) / (end - 1.0f) : 0.0f;
		case tnr_awakeView:
			return tnrIsAwake(water, cell) ? 1.0f : 0.0f;
		default:
			return 1.0f;
	}
}

void tnrFillView(tnrViews* views, const tnrWater* water, const tnrLook* look)
{
	const size_t cellCount = (size_t)water->columnCount * (size_t)water->rowCount;
	const float end = tnrGetScaleEnd(water, look);
	const float courant = look->view == tnr_subStepsView ? tnrFindMost(water, tnrGetCourant) : 1.0f;
	for (size_t i = 0; i < cellCount; ++i)
	{
		const tnVec3 color = tnrGetViewColor(look->view, tnrGetScaleShare(water, look, i, end, courant));
		const bool shown = look->view == tnr_awakeView || tnrGetNumber(water, tn_surfaceDepth, i) > TN_WET_DEPTH;
		uint8_t* texel = views->texels + i * 4;
		texel[0] = (uint8_t)(color.x * 255.0f + 0.5f);
		texel[1] = (uint8_t)(color.y * 255.0f + 0.5f);
		texel[2] = (uint8_t)(color.z * 255.0f + 0.5f);
		texel[3] = shown ? 255 : 0;
	}
	glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
	tnrBindTexture(tnr_viewUnit, views->texture);
	glTexSubImage2D(
		GL_TEXTURE_2D, 0, 0, 0, water->columnCount, water->rowCount, GL_RGBA, GL_UNSIGNED_BYTE, views->texels);
}
