// SPDX-License-Identifier: MIT

// The font of the overlay: strokes, baked into an atlas of distances.

#include "overlay/font.h"

#include "gl/vectors.h"

#include <stdlib.h>
#include <string.h>

enum
{
	maxSegments = 96,
	segmentsPerArc = 20
};

// Half the width of a stroke and the gap between two glyphs, font units.
#define STROKE 0.47f
#define GAP 1.55f

// A glyph: its width, and strokes on a grid with the origin at the left end of the baseline, y up.
// P x y x y ...         a line through points
// A x y rx ry a0 a1     an arc of an ellipse, degrees, counter-clockwise if a1 > a0
// D x y                 a dot
typedef struct Glyph
{
	float width;
	const char* strokes;
} Glyph;

static const Glyph s_glyphs[tnr_glyphCount] = {
	{1.6f, ""},
	{1.0f, "P .5 7 .5 2.3 D .5 .1"},
	{2.2f, "P .3 7 .3 5.2 P 1.9 7 1.9 5.2"},
	{5.6f, "P 1.4 0 2.2 7 P 3.4 0 4.2 7 P .2 2.4 5 2.4 P .6 4.7 5.4 4.7"},
	{4.4f, "A 2.2 5.25 1.9 1.75 30 270 A 2.2 1.75 2.05 1.75 90 -150 P 2.2 8 2.2 -1"},
	{6.4f, "A 1.4 5.6 1.4 1.4 0 360 A 5 1.4 1.4 1.4 0 360 P 1.2 0 5.2 7"},
	{5.2f, "P 5.2 0 1.2 4.8 A 2.2 5.6 1.3 1.4 220 -40 P 3.2 4.7 .9 3.3 A 2 1.85 2 1.85 125 310 P 3.3 .45 5 3.2"},
	{0.8f, "P .4 7 .4 5.2"},
	{1.8f, "A 3.2 2.9 2.8 5.4 130 230"},
	{1.8f, "A -1.4 2.9 2.8 5.4 50 -50"},
	{3.0f, "P 1.5 7 1.5 4.2 P .2 6.3 2.8 4.9 P 2.8 6.3 .2 4.9"},
	{4.4f, "P 2.2 1 2.2 5.4 P 0 3.2 4.4 3.2"},
	{1.0f, "P .7 .2 .2 -1.4"},
	{2.8f, "P 0 2.9 2.8 2.9"},
	{1.0f, "D .5 .1"},
	{3.0f, "P 0 -.6 3 7.4"},
	{4.4f, "A 2.2 3.5 2.2 3.5 0 360"},
	{4.4f, "P .7 5.6 2.5 7 2.5 0"},
	{4.4f, "A 2.15 5 2.05 2 165 -35 P 3.83 3.85 .1 0 4.4 0"},
	{4.4f, "A 2.1 5.3 1.85 1.7 150 -90 A 2.1 1.8 2.15 1.8 90 -150"},
	{4.4f, "P 3.3 0 3.3 7 0 2 4.5 2"},
	{4.4f, "P 4 7 .8 7 .62 3.9 A 2.1 2.25 2.2 2.25 132 -145"},
	{4.4f, "A 2.2 2.2 2.2 2.2 0 360 A 4 2.2 4 4.8 180 98"},
	{4.4f, "P .1 7 4.3 7 1.5 0"},
	{4.4f, "A 2.2 5.3 1.8 1.7 0 360 A 2.2 1.8 2.2 1.8 0 360"},
	{4.4f, "A 2.2 4.8 2.2 2.2 0 360 A .4 4.8 4 4.8 0 -82"},
	{1.0f, "D .5 .1 D .5 4.2"},
	{1.0f, "P .7 .2 .2 -1.4 D .6 4.2"},
	{4.2f, "P 4.1 5.6 .1 3.2 4.1 .8"},
	{4.2f, "P 0 2.2 4.2 2.2 P 0 4.3 4.2 4.3"},
	{4.2f, "P .1 5.6 4.1 3.2 .1 .8"},
	{3.8f, "A 1.9 5.2 1.8 1.8 165 -55 P 2.93 3.73 1.9 2.9 1.9 2.2 D 1.9 .1"},
	{6.4f, "A 3.2 3 1.4 1.6 0 360 P 4.6 4.6 4.6 2.3 A 5.4 2.4 .8 .9 180 350 A 3.2 3 3.1 3.8 -8 300"},
	{5.2f, "P 0 0 2.6 7 5.2 0 P .9 2.3 4.3 2.3"},
	{4.5f, "P 2.6 3.7 0 3.7 P 2.6 0 0 0 0 7 2.5 7 A 2.5 5.35 1.65 1.65 90 -90 A 2.6 1.85 1.9 1.85 90 -90"},
	{5.0f, "A 2.9 3.5 2.9 3.5 48 312"},
	{4.9f, "P 1.8 0 0 0 0 7 1.8 7 A 1.8 3.5 3.1 3.5 90 -90"},
	{4.0f, "P 4 7 0 7 0 0 4 0 P 0 3.7 3.4 3.7"},
	{3.9f, "P 3.9 7 0 7 0 0 P 0 3.6 3.3 3.6"},
	{5.2f, "A 2.9 3.5 2.9 3.5 48 312 P 4.84 .9 4.84 3.2 3 3.2"},
	{4.8f, "P 0 0 0 7 P 4.8 0 4.8 7 P 0 3.6 4.8 3.6"},
	{1.0f, "P .5 0 .5 7"},
	{3.4f, "P 3.2 7 3.2 2 A 1.6 2 1.6 2 0 -165"},
	{4.6f, "P 0 0 0 7 P 4.4 7 0 2.6 P 1.6 4.2 4.6 0"},
	{3.8f, "P 0 7 0 0 3.8 0"},
	{6.0f, "P 0 0 0 7 3 1.5 6 7 6 0"},
	{5.0f, "P 0 0 0 7 5 0 5 7"},
	{5.8f, "A 2.9 3.5 2.9 3.5 0 360"},
	{4.4f, "P 0 0 0 7 2.5 7 A 2.5 5.1 1.9 1.9 90 -90 P 2.5 3.2 0 3.2"},
	{5.8f, "A 2.9 3.5 2.9 3.5 0 360 P 3.6 1.6 5.6 -.6"},
	{4.6f, "P 0 0 0 7 2.5 7 A 2.5 5.1 1.9 1.9 90 -90 P 2.5 3.2 0 3.2 P 2.4 3.2 4.6 0"},
	{4.4f, "A 2.2 5.25 1.95 1.75 30 270 A 2.2 1.75 2.1 1.75 90 -150"},
	{5.0f, "P 0 7 5 7 P 2.5 7 2.5 0"},
	{4.8f, "P 0 7 0 2.4 A 2.4 2.4 2.4 2.4 180 360 P 4.8 2.4 4.8 7"},
	{5.0f, "P 0 7 2.5 0 5 7"},
	{7.2f, "P 0 7 1.8 0 3.6 6.2 5.4 0 7.2 7"},
	{4.8f, "P 0 0 4.8 7 P 0 7 4.8 0"},
	{5.0f, "P 0 7 2.5 3.4 5 7 P 2.5 3.4 2.5 0"},
	{4.6f, "P 0 7 4.6 7 0 0 4.6 0"},
	{1.7f, "P 1.6 7.6 .3 7.6 .3 -1.3 1.6 -1.3"},
	{3.0f, "P 0 7.4 3 -.6"},
	{1.7f, "P .1 7.6 1.4 7.6 1.4 -1.3 .1 -1.3"},
	{3.8f, "P .2 4.4 1.9 7 3.6 4.4"},
	{4.4f, "P 0 -1 4.4 -1"},
	{1.4f, "P .2 7 1.2 5.8"},
	{4.0f, "A 2 2.5 2 2.5 0 360 P 4 5 4 0"},
	{4.0f, "P 0 7 0 0 A 2 2.5 2 2.5 0 360"},
	{3.7f, "A 2 2.5 2 2.5 50 310"},
	{4.0f, "A 2 2.5 2 2.5 0 360 P 4 7 4 0"},
	{4.0f, "P .05 2.6 3.95 2.6 A 2 2.5 2 2.5 2 315"},
	{2.5f, "A 2.3 5.6 1.4 1.4 75 180 P .9 5.6 .9 0 P 0 4.8 2.3 4.8"},
	{4.0f, "A 2 2.5 2 2.5 0 360 P 4 5 4 0 A 2 0 2 2 0 -150"},
	{3.8f, "P 0 7 0 0 A 1.9 3.1 1.9 1.9 180 0 P 3.8 3.1 3.8 0"},
	{1.0f, "P .5 5 .5 0 D .5 6.9"},
	{1.4f, "P 1 5 1 -.8 A -.2 -.8 1.2 1.2 0 -80 D 1 6.9"},
	{3.8f, "P 0 7 0 0 P 3.4 5 0 1.8 P 1.4 3.1 3.7 0"},
	{1.0f, "P .5 7 .5 0"},
	{6.4f, "P 0 5 0 0 A 1.6 3.4 1.6 1.6 180 0 P 3.2 3.4 3.2 0 A 4.8 3.4 1.6 1.6 180 0 P 6.4 3.4 6.4 0"},
	{3.8f, "P 0 5 0 0 A 1.9 3.1 1.9 1.9 180 0 P 3.8 3.1 3.8 0"},
	{4.0f, "A 2 2.5 2 2.5 0 360"},
	{4.0f, "P 0 5 0 -2 A 2 2.5 2 2.5 0 360"},
	{4.0f, "P 4 5 4 -2 A 2 2.5 2 2.5 0 360"},
	{2.3f, "P 0 5 0 0 A 1.9 2.9 1.9 2.1 180 78"},
	{3.4f, "A 1.7 3.75 1.5 1.25 30 270 A 1.7 1.25 1.6 1.25 90 -150"},
	{2.4f, "P .9 6.6 .9 1.3 A 2.2 1.3 1.3 1.3 180 275 P 0 4.8 2.3 4.8"},
	{3.8f, "P 0 5 0 1.9 A 1.9 1.9 1.9 1.9 180 360 P 3.8 5 3.8 0"},
	{4.0f, "P 0 5 2 0 4 5"},
	{6.0f, "P 0 5 1.5 0 3 4.5 4.5 0 6 5"},
	{3.8f, "P 0 0 3.8 5 P 0 5 3.8 0"},
	{4.0f, "P 0 5 2.05 .1 P 4 5 1.9 -.3 1.2 -1.7 .3 -1.9"},
	{3.6f, "P 0 5 3.6 5 0 0 3.6 0"},
	{2.0f, "P 2 7.6 1.2 7.2 1.1 3.8 .2 3.2 1.1 2.6 1.2 -.8 2 -1.2"},
	{0.8f, "P .4 7.6 .4 -1.4"},
	{2.0f, "P 0 7.6 .8 7.2 .9 3.8 1.8 3.2 .9 2.6 .8 -.8 0 -1.2"},
	{4.4f, "A 1.1 3 1.1 .9 170 10 A 3.3 3.2 1.1 .9 190 350"},
};

typedef struct Segment
{
	float x0, y0, x1, y1;
} Segment;

typedef struct Outline
{
	Segment segments[maxSegments];
	int count;
} Outline;

static void AddSegment(Outline* outline, float x0, float y0, float x1, float y1)
{
	if (outline->count < maxSegments)
	{
		outline->segments[outline->count++] = (Segment){x0, y0, x1, y1};
	}
}

static void AddArc(Outline* outline, const float* numbers)
{
	const float begin = numbers[4] * TNR_PI / 180.0f;
	const float step = (numbers[5] - numbers[4]) * TNR_PI / 180.0f / segmentsPerArc;
	for (int i = 0; i < segmentsPerArc; ++i)
	{
		const float a = begin + step * (float)i, b = a + step;
		AddSegment(outline, numbers[0] + numbers[2] * cosf(a), numbers[1] + numbers[3] * sinf(a),
			numbers[0] + numbers[2] * cosf(b), numbers[1] + numbers[3] * sinf(b));
	}
}

static void AddStroke(Outline* outline, char command, const float* numbers, int count)
{
	if (command == 'A' && count == 6)
	{
		AddArc(outline, numbers);
	}
	else if (command == 'D' && count == 2)
	{
		AddSegment(outline, numbers[0], numbers[1], numbers[0], numbers[1] + 0.15f);
	}
	else if (command == 'P')
	{
		for (int i = 0; i + 3 < count; i += 2)
		{
			AddSegment(outline, numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3]);
		}
	}
}

static void ReadOutline(Outline* outline, const char* text)
{
	outline->count = 0;
	while (*text != 0)
	{
		const char command = *text++;
		float numbers[16];
		int count = 0;
		while (*text == ' ')
		{
			char* end = NULL;
			const float number = strtof(text, &end);
			if (end == text)
			{
				++text;
				break;
			}
			if (count < 16)
			{
				numbers[count++] = number;
			}
			text = end;
		}
		AddStroke(outline, command, numbers, count);
	}
}

static float GetDistance(const Outline* outline, float x, float y)
{
	float nearest = TNR_FONT_RANGE * TNR_FONT_RANGE;
	for (int i = 0; i < outline->count; ++i)
	{
		const Segment* s = &outline->segments[i];
		const float dx = s->x1 - s->x0, dy = s->y1 - s->y0;
		const float squared = dx * dx + dy * dy;
		const float along = squared > 0.0f ? ((x - s->x0) * dx + (y - s->y0) * dy) / squared : 0.0f;
		const float t = tnrClamp(along, 0.0f, 1.0f);
		const float ex = x - s->x0 - dx * t, ey = y - s->y0 - dy * t;
		const float d = ex * ex + ey * ey;
		nearest = d < nearest ? d : nearest;
	}
	return sqrtf(nearest);
}

int tnrGetGlyphIndex(char character)
{
	const int index = (int)(unsigned char)character - tnr_firstGlyph;
	return index >= 0 && index < tnr_glyphCount ? index : '?' - tnr_firstGlyph;
}

float tnrGetGlyphAdvance(char character)
{
	return s_glyphs[tnrGetGlyphIndex(character)].width + GAP;
}

void tnrBakeFont(uint8_t* texels)
{
	memset(texels, 0, (size_t)tnr_fontWidth * tnr_fontHeight);
	for (int glyph = 0; glyph < tnr_glyphCount; ++glyph)
	{
		Outline outline;
		ReadOutline(&outline, s_glyphs[glyph].strokes);
		const int left = glyph % tnr_glyphsPerRow * tnr_glyphWidth;
		const int top = glyph / tnr_glyphsPerRow * tnr_glyphHeight;
		for (int row = 0; row < tnr_glyphHeight; ++row)
		{
			const float y = (tnr_glyphHeight - row - 0.5f) / tnr_fontScale - TNR_FONT_DESCENT;
			for (int column = 0; column < tnr_glyphWidth; ++column)
			{
				const float x = (column + 0.5f) / tnr_fontScale - TNR_FONT_LEFT;
				const float inside = (STROKE - GetDistance(&outline, x, y)) / TNR_FONT_RANGE;
				texels[(top + row) * tnr_fontWidth + left + column] =
					(uint8_t)tnrClamp(128.0f + 255.0f * inside, 0.0f, 255.0f);
			}
		}
	}
}
