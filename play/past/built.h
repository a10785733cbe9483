// SPDX-License-Identifier: MIT

#pragma once

#include "bodies/scene_bodies.h"
#include "play.h"

// What a player has dug and built since a scene began, as a short text for links: places, sizes and how long each stroke was held.
// The same edits at the start of the scene give about the same ground and bodies; water and time are not in it.

enum
{
	// Edits that a link can hold: more would make links that some programs cut.
	TNP_MAX_BUILT = 400,
	// Bytes of an edit, and letters of all of them with the version before and the end after them.
	TNP_BUILT_BYTES = 16,
	TNP_BUILT_TEXT = 2 + (TNP_MAX_BUILT * TNP_BUILT_BYTES + 2) / 3 * 4,
};

typedef struct tnpBuiltItem
{
	// raise, lower, flatten, source, well, stack, throw (which puts a body), build or dig.
	tnpTool tool;
	// m; y of bodies and voxels.
	tnVec3 place;
	// Radius of a brush or ball, or size of a body, m.
	float radius;
	// Ground: strength times seconds. Springs: strength.
	float amount;
	// Flatten: the height, m.
	float height;
	tnsBodyKind kind;
	// Of a body, while the scene runs: its index. -1 for none.
	int body;
} tnpBuiltItem;

typedef struct tnpBuilt
{
	tnpBuiltItem items[TNP_MAX_BUILT];
	int count;
	// More was built than fits: what came last is not in it.
	bool full;
} tnpBuilt;

// Add an edit. Ground that is shaped on in one place is one edit.
void tnpBuilt_Add(tnpBuilt* built, const tnpBuiltItem* item);
// A body was taken away again.
void tnpBuilt_RemoveBody(tnpBuilt* built, int body);

// @param text receives the letters and a zero: TNP_BUILT_TEXT + 1 at most
void tnpBuilt_Write(const tnpBuilt* built, char* text);
// What is not such a text is refused with a sentence, and `built` stays as it was.
tnrResult tnpBuilt_Read(tnpBuilt* built, const char* text);
