// SPDX-License-Identifier: MIT

#pragma once

#include <stdint.h>

// The font of the overlay: strokes of even width, baked once into an atlas of distances, so that text of any size is
// crisp with one texture fetch. Lengths are font units: capitals are 7 high, lower case letters 5.

enum
{
	tnr_firstGlyph = 32,
	tnr_glyphCount = 95,
	tnr_glyphsPerRow = 16,
	tnr_glyphRows = 6,
	// Texels per font unit. Distances are linear in between, so four are enough.
	tnr_fontScale = 4,
	tnr_glyphWidth = 10 * tnr_fontScale,
	tnr_glyphHeight = 12 * tnr_fontScale,
	tnr_fontWidth = tnr_glyphsPerRow * tnr_glyphWidth,
	tnr_fontHeight = tnr_glyphRows * tnr_glyphHeight,
};

// Font units: height of a line, where the baseline is below its top, room left of a glyph's origin in the atlas, room
// below its baseline, and the distance that a full step of the atlas means.
#define TNR_FONT_LINE 11.0f
#define TNR_FONT_ASCENT 8.2f
#define TNR_FONT_LEFT 1.5f
#define TNR_FONT_DESCENT 3.0f
#define TNR_FONT_RANGE 3.0f

// From the origin of a glyph to that of the next, font units. Characters that are not ASCII show as '?'.
float tnrGetGlyphAdvance(char character);
int tnrGetGlyphIndex(char character);

// @param texels tnr_fontWidth * tnr_fontHeight values; 128 is the rim of a stroke, more is inside. Row 0 is the top.
void tnrBakeFont(uint8_t* texels);
