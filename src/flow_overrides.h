// SPDX-License-Identifier: MIT

#pragma once

#include "core.h"

// Faces whose flow in a sub-step is not for the kernels to find: those around bodies. They come in groups that have no
// faces in common, and those in pieces of a row: TN_OVERRIDE_SIZE faces side by side, of which some are meant.

enum
{
	TN_OVERRIDE_SIZE = 8,
	// Rows that share a list of groups. With few of them a list has few groups that end before a row, or begin after it.
	TN_OVERRIDE_ROWS = 8,
};

#define TN_NO_OVERRIDE 1.0e30f

typedef struct tnOverrideGroup
{
	int firstRow;
	const int* rowPieces; // the pieces of row firstRow + i are [rowPieces[i], rowPieces[i + 1]); NULL if there are none
	const int32_t* columns; // of the first face of each piece
	// By axis: X faces (the west faces of cells) and Z faces (the north ones), TN_OVERRIDE_SIZE for each piece.
	const float* discharge[2]; // m^2/s; TN_NO_OVERRIDE for faces that are for the kernels
	const float* velocity[2];  // m/s; the discharge for pipes
} tnOverrideGroup;

// Rows [rowBegin, rowEnd) in which a group may have faces.
typedef struct tnOverrideSpan
{
	int rowBegin, rowEnd;
	int group;
} tnOverrideSpan;

typedef struct tnOverrideSource
{
	const tnOverrideGroup* groups;
	const tnOverrideSpan* spans; // by TN_OVERRIDE_ROWS rows
	const int* spanBegin;        // those of rows from i * TN_OVERRIDE_ROWS are [spanBegin[i], spanBegin[i + 1])
} tnOverrideSource;
