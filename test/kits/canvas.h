// SPDX-License-Identifier: MIT

#pragma once

#include "harness.h"
#include "headless.h"

// A picture in memory for tests of the renderer.

// Pictures are small: software draws them. All tests draw on a canvas of this size.
enum
{
	width = 320,
	height = 180,
	byteCount = width * height * 3
};

typedef struct Canvas
{
	tnrHeadless* headless;
	tnrRenderer* renderer;
	uint8_t pixels[byteCount];
} Canvas;

bool OpenCanvas(Canvas* canvas);
void CloseCanvas(Canvas* canvas);

tnrFrame MakeFrame(const Canvas* canvas, tnrCamera camera);
void Draw(Canvas* canvas, const tnrFrame* frame);

const uint8_t* GetPixel(const uint8_t* pixels, int x, int y);
float GetLight(const uint8_t* pixel);
// Largest difference of the three channels.
int GetDifference(const uint8_t* a, const uint8_t* b);

// The pixel that shows a place: the definition of a perspective camera, written down once more.
typedef struct Spot
{
	double x, y;
} Spot;

Spot Project(const tnrCamera* camera, tnVec3 place);

// Compare with the golden picture of a name. TARN_WRITE_GOLDEN=1 in the environment writes it anew. @return 0 if equal
int CompareGolden(const Canvas* canvas, const char* name);
