// SPDX-License-Identifier: MIT

#pragma once

#include <stdint.h>

/// @file A tiny font: 5 x 7 dots above the baseline and 2 below it, printable ASCII and a few signs of units.
/// Glyphs are grown with a corner-rounding rule and box-filtered down again, so that they look drawn and not typed
/// on a printer of 1985.

/// An RGB picture, 8 bits a channel, rows packed.
typedef struct Image
{
	uint8_t* pixels;
	int width, height;
} Image;

/// A colour, channels in [0, 1].
typedef struct Color
{
	float r, g, b;
} Color;

/// Heights and advances in pixels at a text size: size 1 is one pixel per dot.
#define FONT_ADVANCE 6
#define FONT_ASCENT 7
#define FONT_DESCENT 2

/// Width of a line of UTF-8 text in pixels.
int MeasureText(const char* text, float size);

/// Draw a line of UTF-8 text. Unknown characters become a box.
/// @param x, y the left end and the top of the capitals, pixels
void DrawText(Image* image, float x, float y, const char* text, float size, Color color);

/// Draw text with a soft rim of another colour, for names on a busy ground.
void DrawTextWithHalo(Image* image, float x, float y, const char* text, float size, Color color, Color halo);

/// Mix a colour into a pixel. Outside the picture nothing happens.
void BlendPixel(Image* image, int x, int y, Color color, float alpha);
