// SPDX-License-Identifier: MIT

#pragma once

#include "gl/gl.h"

// Two pictures that tile, made once: everything that looks random comes from them.
typedef struct tnrPatterns
{
	// Slopes of small waves: x, z, and their squares, for the roughness that is lost in the distance. 0.5 is flat.
	GLuint ripples;
	// Red: clouds of many sizes. Green: foam, the height of a web of bubbles. Blue: fine grain. Alpha: caustics.
	GLuint pattern;
} tnrPatterns;

enum
{
	tnr_patternSize = 256
};

bool tnrMakePatterns(tnrPatterns* patterns);
void tnrDestroyPatterns(tnrPatterns* patterns);
