// SPDX-License-Identifier: MIT

#pragma once

#include "water/water.h"

// Colour scales of the views that show numbers instead of a picture. Colours are display values, and reach the screen
// unchanged where the view says so (alpha 255).

typedef struct tnrViews
{
	GLuint texture;
	uint8_t* texels;
} tnrViews;

bool tnrMakeViews(tnrViews* views, int columnCount, int rowCount);
void tnrDestroyViews(tnrViews* views);
void tnrForgetViews(tnrViews* views);

// The value that gets the last colour.
float tnrGetScaleEnd(const tnrWater* water, const tnrLook* look);

// Colour every cell for look->view, which is not tnr_waterView, and upload.
void tnrFillView(tnrViews* views, const tnrWater* water, const tnrLook* look);
