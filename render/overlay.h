// SPDX-License-Identifier: MIT

#pragma once

#include "render.h"

/// @file Flat drawing on top of a picture: rectangles, lines, text. Coordinates are pixels of the overlay, x right,
/// y down. Shapes are collected on the CPU and drawn in one call. One font, made by tarn, in any size.

typedef struct tnrOverlay tnrOverlay;

/// 0xRRGGBBAA.
typedef uint32_t tnrColor;

tnrOverlay* tnrCreateOverlay(tnrResult* result);
void tnrDestroyOverlay(tnrOverlay* overlay);
/// Free without a GL call: the context is gone.
void tnrOverlay_Forget(tnrOverlay* overlay);

/// Start a picture. @param width, height of the overlay in its own pixels; it is stretched over the framebuffer
void tnrOverlay_Begin(tnrOverlay* overlay, float width, float height);
/// Draw what was collected, onto a framebuffer of this size in real pixels.
void tnrOverlay_End(tnrOverlay* overlay, uint32_t framebuffer, int width, int height);

/// @param corner radius of the corners, pixels
void tnrOverlay_Rectangle(
	tnrOverlay* overlay, float x, float y, float width, float height, float corner, tnrColor color);
void tnrOverlay_Line(tnrOverlay* overlay, float x0, float y0, float x1, float y1, float thickness, tnrColor color);
void tnrOverlay_Disc(tnrOverlay* overlay, float x, float y, float radius, tnrColor color);
void tnrOverlay_Triangle(
	tnrOverlay* overlay, float x0, float y0, float x1, float y1, float x2, float y2, tnrColor color);
/// ASCII text with its top left corner at (x, y). @param size height of a line, pixels
void tnrOverlay_Text(tnrOverlay* overlay, float x, float y, float size, tnrColor color, const char* text);
float tnrGetTextWidth(float size, const char* text);

/// What is drawn from here on is cut to this rectangle. Width 0: no longer cut.
void tnrOverlay_Clip(tnrOverlay* overlay, float x, float y, float width, float height);
