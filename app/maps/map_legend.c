// SPDX-License-Identifier: MIT

// What is written around a map: title, names of places, scale, legends of colours.

#include "maps/map_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Sizes in pixels.
enum
{
	margin = 22,
	titleHeight = 64,
	legendHeight = 92,
	// The legend needs this much, however narrow the world.
	leastPageWidth = 860,
	barHeight = 14,
	sectionHeight = 190,
	sectionGap = 14,
	// Between panels, and the line over each if there are several.
	panelGap = 18,
	captionHeight = 30,
};

// Widest and highest picture of a world, pixels: fits a page and a screen. Several share a wider one.
static const float s_targetWidth = 1040.0f;
static const float s_targetHeight = 900.0f;
static const float s_sharedWidth = 1600.0f;

// Text sizes in pixels per dot.
static const float s_titleSize = 3.0f;
static const float s_textSize = 2.0f;
static const float s_smallSize = 1.6f;

static const Color s_paper = {0.972f, 0.964f, 0.945f};
static const Color s_ink = {0.13f, 0.16f, 0.20f};
static const Color s_faintInk = {0.42f, 0.44f, 0.46f};
static const Color s_white = {1.0f, 1.0f, 1.0f};

bool IsPlainMode(MapMode mode)
{
	return mode == mapDepth || mode == mapSpeed || mode == mapVorticity || mode == mapWaves;
}

bool IsWaveMode(MapMode mode)
{
	return mode == mapWaves || mode == mapSurfaceWithWaves;
}

void LayOutPanels(const MapDef* def, int* panelColumns, float* zoom)
{
	// Beside each other is how one compares: fewer in a row must show the cells this much larger to be worth it.
	const float gain = 1.3f;
	const float width = def->panelCount > 1 ? s_sharedWidth : s_targetWidth;
	*zoom = 0.0f;
	for (int rows = 1; rows <= def->panelCount; ++rows)
	{
		// The fewest columns for so many rows: a last row that is nearly empty wastes the page.
		const int columns = (def->panelCount + rows - 1) / rows;
		const float fitting =
			fminf(width / (float)(columns * def->columnCount), s_targetHeight / (float)rows / (float)def->rowCount);
		if (fitting > gain * *zoom)
		{
			*panelColumns = columns;
			*zoom = fitting;
		}
	}
}

// Height of a panel with its caption and its cut.
static int FindPanelHeight(const Map* map)
{
	return map->captionHeight + map->height + (map->sectionHeight > 0 ? map->sectionHeight + sectionGap : 0);
}

void LayOutPage(Map* map)
{
	const int columns = map->panelColumns;
	const int rows = (map->def.panelCount + columns - 1) / columns;
	const int pageWidth = columns * map->width + (columns - 1) * panelGap + 2 * margin;
	map->page.width = pageWidth > leastPageWidth ? pageWidth : leastPageWidth;
	// Worlds this many times as wide as long get a cut.
	const int narrow = 4;
	map->sectionHeight = map->width >= narrow * map->height ? sectionHeight : 0;
	map->captionHeight = map->def.panelCount > 1 ? captionHeight : 0;
	map->page.height = titleHeight + rows * FindPanelHeight(map) + (rows - 1) * panelGap + legendHeight;
}

void SelectPanel(Map* map, int panel)
{
	const int columns = map->panelColumns;
	const int column = panel % columns;
	const int row = panel / columns;
	const int width = columns * map->width + (columns - 1) * panelGap;
	map->left = (map->page.width - width) / 2 + column * (map->width + panelGap);
	map->top = titleHeight + row * (FindPanelHeight(map) + panelGap) + map->captionHeight;
	map->sectionTop = map->top + map->height + sectionGap;
}

static void FillRectangle(Image* image, int left, int top, int width, int height, Color color, float alpha)
{
	for (int y = top; y < top + height; ++y)
	{
		for (int x = left; x < left + width; ++x)
		{
			BlendPixel(image, x, y, color, alpha);
		}
	}
}

static void DrawFrame(Image* image, int left, int top, int width, int height, Color color, float alpha)
{
	FillRectangle(image, left - 1, top - 1, width + 2, 1, color, alpha);
	FillRectangle(image, left - 1, top + height, width + 2, 1, color, alpha);
	FillRectangle(image, left - 1, top, 1, height, color, alpha);
	FillRectangle(image, left + width, top, 1, height, color, alpha);
}

static void FormatNumber(float value, char* text, size_t size)
{
	snprintf(text, size, "%.4g", (double)value);
}

// What a bar of the legend shows.
typedef enum Bar
{
	depthBar,
	speedBar,
	tracerBar,
	rampBar,
	divergingBar,
} Bar;

// A scale of colours with its name above and its ends below. Shows exactly what the map does to a pixel.
static void DrawBar(Map* map, Bar bar, int channel, int left, int top, int width, const char* name, float scale)
{
	for (int y = 0; y < barHeight; ++y)
	{
		for (int x = 0; x < width; ++x)
		{
			const float share = ((float)x + 0.5f) / (float)width;
			// Water of a middling depth is the ground of the scales of speed and concentration.
			Color color = ShadeDepth(SandColor(), 0.45f, 1.0f);
			switch (bar)
			{
				case depthBar:
					color = ShadeDepth(SandColor(), share, 1.0f);
					break;
				case speedBar:
					color = ShadeSpeed(color, share, 1.0f, LegendStreak(map, x, y));
					break;
				case tracerBar:
					color = ShadeTracer(color, channel, share, 1.0f);
					break;
				case rampBar:
					color = RampColor(share);
					break;
				case divergingBar:
					color = DivergingColor(2.0f * share - 1.0f);
					break;
			}
			BlendPixel(&map->page, left + x, top + y, color, 1.0f);
		}
	}
	DrawFrame(&map->page, left, top, width, barHeight, s_ink, 0.6f);
	DrawText(&map->page, (float)left, (float)(top - 20), name, s_smallSize, s_ink);

	// Begin, middle and end.
	for (int tick = 0; tick <= 2; ++tick)
	{
		char text[32];
		FormatNumber(bar == divergingBar ? (float)(tick - 1) * scale : 0.5f * (float)tick * scale, text, sizeof(text));
		const int x = left + tick * (width - 1) / 2;
		FillRectangle(&map->page, x, top + barHeight + 1, 1, 4, s_ink, 0.6f);
		const int textWidth = MeasureText(text, s_smallSize);
		const int shift = tick * textWidth / 2;
		DrawText(&map->page, (float)(x - shift), (float)(top + barHeight + 8), text, s_smallSize, s_faintInk);
	}
}

// A scale bar of 1, 2 or 5 times a power of ten, at most a sixth of the page.
static void DrawDistance(Map* map, int right, int top)
{
	const float wanted = map->meters * (float)map->page.width / 6.0f;
	const float decade = powf(10.0f, floorf(log10f(wanted)));
	const float lead = wanted / decade;
	const float length = decade * (lead >= 5.0f ? 5.0f : lead >= 2.0f ? 2.0f : 1.0f);
	const int width = (int)roundf(length / map->meters);
	const int left = right - width;
	for (int part = 0; part < 4; ++part)
	{
		const int begin = left + part * width / 4;
		const int end = left + (part + 1) * width / 4;
		FillRectangle(&map->page, begin, top, end - begin, 6, part % 2 == 0 ? s_ink : s_white, 1.0f);
	}
	DrawFrame(&map->page, left, top, width, 6, s_ink, 1.0f);
	char text[48];
	if (length >= 1000.0f)
	{
		snprintf(text, sizeof(text), "%g km", (double)(length / 1000.0f));
	}
	else
	{
		snprintf(text, sizeof(text), "%g m", (double)length);
	}
	DrawText(&map->page, (float)(right - MeasureText(text, s_smallSize)), (float)(top - 20), text, s_smallSize, s_ink);
}

static void DrawRightAligned(Image* image, int right, float y, const char* text, float size, Color color)
{
	DrawText(image, (float)(right - MeasureText(text, size)), y, text, size, color);
}

// Shorten text until it fits, with dots at the end.
static void FitText(const char* text, int width, float size, char* fitted, size_t capacity)
{
	snprintf(fitted, capacity, "%s", text);
	size_t length = strlen(fitted);
	while (length > 0 && MeasureText(fitted, size) > width)
	{
		length -= 1;
		// Not into the middle of a character.
		while (length > 0 && ((unsigned char)fitted[length] & 0xC0) == 0x80)
		{
			length -= 1;
		}
		snprintf(fitted + length, capacity - length, "..");
		if (length > 0 && MeasureText(fitted, size) > width)
		{
			fitted[length] = '\0';
		}
	}
}

void DrawPage(Map* map, double time, const char* note)
{
	Image* page = &map->page;
	const int left = margin;
	const int right = page->width - margin;
	FillRectangle(page, 0, 0, page->width, page->height, s_paper, 1.0f);

	char clock[64];
	snprintf(clock, sizeof(clock), "t = %.1f s", time);
	const int clockWidth = MeasureText(clock, s_titleSize);
	DrawRightAligned(page, right, 14.0f, clock, s_titleSize, s_ink);
	DrawRightAligned(page, right, 42.0f, note, s_smallSize, s_faintInk);

	char text[maxMapText];
	FitText(map->def.title, right - left - clockWidth - 30, s_titleSize, text, sizeof(text));
	DrawText(page, (float)left, 14.0f, text, s_titleSize, s_ink);
	FitText(map->def.subtitle, right - left - MeasureText(note, s_smallSize) - 30, s_smallSize, text, sizeof(text));
	DrawText(page, (float)left, 42.0f, text, s_smallSize, s_faintInk);

	for (int panel = 0; panel < map->def.panelCount; ++panel)
	{
		SelectPanel(map, panel);
		DrawFrame(page, map->left, map->top, map->width, map->height, s_ink, 0.8f);
		if (map->sectionHeight > 0)
		{
			DrawFrame(page, map->left, map->sectionTop, map->width, map->sectionHeight, s_ink, 0.8f);
		}
		if (map->captionHeight > 0)
		{
			FitText(map->def.captions[panel], map->width, s_textSize, text, sizeof(text));
			DrawText(page, (float)map->left, (float)(map->top - captionHeight + 7), text, s_textSize, s_ink);
		}
	}

	const int barTop = page->height - legendHeight + 40;
	const int gap = 34;
	const MapDef* def = &map->def;
	// The scale bar has the rest.
	const int room = (right - left) * 4 / 5 - 10;
	if (def->mode == mapVorticity)
	{
		DrawBar(
			map, divergingBar, 0, left, barTop, 400, "vorticity, 1/s: against and with the clock", map->vorticityScale);
	}
	else if (def->mode == mapWaves)
	{
		DrawBar(map, divergingBar, 0, left, barTop, 400, "height of the waves, m", map->waveScale);
	}
	else if (IsPlainMode(def->mode))
	{
		const bool depth = def->mode == mapDepth;
		DrawBar(map, rampBar, 0, left, barTop, 250, depth ? "depth, m" : "speed, m/s",
			depth ? map->depthScale : map->speedScale);
	}
	else
	{
		const int firstTracer = def->mode == mapTracer ? def->tracer : 0;
		// More than three would leave no room to read them.
		const int most = def->mode == mapTracer ? 1 : 3;
		const int tracerCount = def->tracerCount < most ? def->tracerCount : most;
		const int share = room / (2 + tracerCount) - gap;
		const int width = share > 250 ? 250 : share;
		int x = left;
		DrawBar(map, depthBar, 0, x, barTop, width, "depth, m", map->depthScale);
		x += width + gap;
		DrawBar(map, speedBar, 0, x, barTop, width, "speed, m/s", map->speedScale);
		for (int channel = firstTracer; channel < firstTracer + tracerCount; ++channel)
		{
			x += width + gap;
			FitText(def->tracerNames[channel], width, s_smallSize, text, sizeof(text));
			DrawBar(map, tracerBar, channel, x, barTop, width, text, map->tracerScales[channel]);
		}
	}
	DrawDistance(map, right, barTop + 4);
}

// Distance from the outline of a mark, pixels. Negative inside.
static float OutlineDistance(const MapMark* mark, float x, float y, float radiusX, float radiusZ)
{
	if (mark->kind == mapDisc)
	{
		return sqrtf(x * x + y * y) - radiusX;
	}
	const float dx = fabsf(x) - radiusX;
	const float dy = fabsf(y) - radiusZ;
	const float outsideX = fmaxf(dx, 0.0f);
	const float outsideY = fmaxf(dy, 0.0f);
	return sqrtf(outsideX * outsideX + outsideY * outsideY) + fminf(fmaxf(dx, dy), 0.0f);
}

static void BlendInside(Map* map, int x, int y, Color color, float alpha)
{
	if (x >= 0 && y >= 0 && x < map->width && y < map->height)
	{
		BlendPixel(&map->page, map->left + x, map->top + y, color, alpha);
	}
}

// A gauge is a ring of this radius with a dot, pixels.
static const float s_gaugeRing = 6.0f;
static const Color s_regionColor = {1.0f, 0.86f, 0.42f};
static const Color s_halo = {0.08f, 0.09f, 0.11f};

static void DrawOutline(Map* map, const MapMark* mark)
{
	const Color needle = {0.90f, 0.20f, 0.16f};
	const float x = (mark->x - map->def.originX) / map->meters;
	const float y = (mark->z - map->def.originZ) / map->meters;
	const float ring = s_gaugeRing;
	const bool gauge = mark->kind == mapGauge;
	const float radiusX = gauge ? ring : mark->extentX / map->meters;
	const float radiusZ = mark->kind == mapBox ? mark->extentZ / map->meters : radiusX;

	const int xEnd = (int)ceilf(x + radiusX) + 3;
	const int yEnd = (int)ceilf(y + radiusZ) + 3;
	for (int j = (int)floorf(y - radiusZ) - 3; j < yEnd; ++j)
	{
		for (int i = (int)floorf(x - radiusX) - 3; i < xEnd; ++i)
		{
			const float dx = (float)i + 0.5f - x;
			const float dy = (float)j + 0.5f - y;
			if (gauge)
			{
				const float distance = sqrtf(dx * dx + dy * dy);
				BlendInside(map, i, j, s_halo, 0.55f * Saturate(2.4f - fabsf(distance - ring)));
				BlendInside(map, i, j, s_white, Saturate(1.4f - fabsf(distance - ring)));
				BlendInside(map, i, j, needle, Saturate(3.2f - distance));
				continue;
			}
			const float distance = fabsf(OutlineDistance(mark, dx, dy, radiusX, radiusZ));
			// Dashes of eight pixels, along the angle of a disc and along the sides of a box.
			const float along = mark->kind == mapDisc ? atan2f(dy, dx) * radiusX : dx + dy;
			const float dash = fmodf(along + 8000.0f, 14.0f) < 9.0f ? 1.0f : 0.0f;
			BlendInside(map, i, j, s_halo, 0.40f * dash * Saturate(2.2f - distance));
			BlendInside(map, i, j, s_regionColor, 0.95f * dash * Saturate(1.25f - distance));
		}
	}
}

// Where a name stands, pixels of the map.
typedef struct Label
{
	float x, y, width, height;
} Label;

enum
{
	// More names than this nobody reads.
	maxLabels = 256
};

static bool Overlap(const Label* a, const Label* b)
{
	return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height && b->y < a->y + a->height;
}

// The name stands to the right of a gauge and over a region, and inside the map.
static Label PlaceLabel(const Map* map, const MapMark* mark)
{
	const bool gauge = mark->kind == mapGauge;
	const float size = gauge ? s_textSize : s_smallSize;
	const float x = (mark->x - map->def.originX) / map->meters;
	const float y = (mark->z - map->def.originZ) / map->meters;
	const float reach = mark->kind == mapBox ? mark->extentZ / map->meters : mark->extentX / map->meters;
	Label label = {0.0f, 0.0f, (float)MeasureText(mark->name, size), FONT_ASCENT * size};
	label.x = gauge ? x + s_gaugeRing + 6.0f : x - 0.5f * label.width;
	label.y = gauge ? y - 0.5f * label.height : y - reach - label.height - 6.0f;
	if (gauge && label.x + label.width > (float)map->width - 6.0f)
	{
		label.x = x - s_gaugeRing - 6.0f - label.width;
	}
	label.x = fmaxf(fminf(label.x, (float)map->width - label.width - 6.0f), 6.0f);
	label.y = fmaxf(fminf(label.y, (float)map->height - 20.0f), 6.0f);
	return label;
}

// All outlines, and every name that does not run into one before it.
void DrawMarks(Map* map)
{
	for (int i = 0; i < map->def.markCount; ++i)
	{
		DrawOutline(map, map->def.marks + i);
	}
	Label placed[maxLabels];
	int placedCount = 0;
	for (int i = 0; i < map->def.markCount && placedCount < maxLabels; ++i)
	{
		const MapMark* mark = map->def.marks + i;
		const Label label = PlaceLabel(map, mark);
		bool free = true;
		for (int j = 0; j < placedCount; ++j)
		{
			free = free && !Overlap(&label, placed + j);
		}
		if (!free)
		{
			continue;
		}
		placed[placedCount] = label;
		placedCount += 1;
		const bool gauge = mark->kind == mapGauge;
		DrawTextWithHalo(&map->page, label.x + (float)map->left, label.y + (float)map->top, mark->name,
			gauge ? s_textSize : s_smallSize, gauge ? s_white : s_regionColor, s_halo);
	}
}
