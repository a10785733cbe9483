// SPDX-License-Identifier: MIT

#pragma once

#include "tarn_ode.h"

// Shapes for the water, made from the geoms of a body. Free with tnoFreeShapes.
typedef struct tnoShapes
{
	tnShapeDef* defs;
	int count;
} tnoShapes;

tnResult tnoMakeShapes(dBodyID body, tnoShapes* shapes);
void tnoFreeShapes(tnoShapes* shapes);

tnResult tnoMakeResult(tnStatus status, const char* text);
