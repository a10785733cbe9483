// SPDX-License-Identifier: MIT

#pragma once

#include "../core/core.h"

// Faces whose flow in a sub-step is not for the kernels to find: those around bodies. They come in groups that have no
// faces in common, and those in pieces of a row: TN_OVERRIDE_SIZE faces side by side, of which some are meant.

enum
{
	TN_OVERRIDE_SIZE = 8,
};

#define TN_NO_OVERRIDE 1.0e30f

typedef struct tnOverrideGroup
{
	const int32_t* columns; // of the first face of each piece
	// By axis: X faces (the west faces of cells) and Z faces (the north ones), TN_OVERRIDE_SIZE for each piece.
	const float* discharge[2]; // m^2/s; TN_NO_OVERRIDE for faces that are for the kernels
	const float* velocity[2];  // m/s; the discharge for pipes
	bool plain;                // no face lies beside water that sleeps, nor at an edge that wraps
} tnOverrideGroup;

// What a group has in a row of the world.
typedef struct tnOverrideRow
{
	const struct tnOverrideRow* next; // of another group in this row, or NULL
	const tnOverrideGroup* group;
	const int* pieces; // [pieces[0], pieces[1]) of the group
} tnOverrideRow;

typedef struct tnOverrideSource
{
	tnOverrideRow* const* rows; // by row of the world: that of the first group in it, or NULL
	bool plain;                 // all groups are
} tnOverrideSource;
