// SPDX-License-Identifier: MIT

#pragma once

#include "core.h"

// Faces whose flow in a sub-step is not for the kernels to find: those around bodies.

// The west face of a cell of some column, or its north face.
typedef struct tnFaceOverride
{
	int column;
	bool alongZ;
	float discharge; // m^2/s
	float velocity;  // m/s
} tnFaceOverride;

// Some of them, sorted by row, X faces before Z faces: the X faces of row firstRow + i (around the world, if it wraps)
// are [rows[rowBegin + 2 i], rows[rowBegin + 2 i + 1]), and the Z faces follow.
typedef struct tnOverrideSpan
{
	int firstRow, rowCount;
	int rowBegin;
} tnOverrideSpan;

typedef struct tnFaceOverrides
{
	const tnFaceOverride* items;
	const int* rows;
	const tnOverrideSpan* spans; // by row of tiles
	const int* spanBegin;        // those of a row of tiles are [spanBegin[i], spanBegin[i + 1])
} tnFaceOverrides;
