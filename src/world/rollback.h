// SPDX-License-Identifier: MIT

#pragma once

#include "image.h"
#include "tarn/rollback.h"

// rollback.c keeps the ring, rollback_delta.c writes and reads what is between two of its images.

struct tnRollback
{
	tnMemory memory;
	tnWorld* world;
	tnImageStore store;
	tnImage* images; // a ring, with one that is being made
	int slotCount, newest, count;
	// tnTiles.changes when the world was what the newest image is.
	uint32_t* seen;
	int tileCount;
	const tnImage* held; // one that must not go now
};

tnResult tnRollback_CheckReady(const tnRollback* rollback);
tnResult tnRollback_CheckIndex(const tnRollback* rollback, int index, int least, const char* name);
tnResult tnRollback_Report(const tnRollback* rollback, tnResult result);
tnImage* tnRollback_Get(const tnRollback* rollback, int index);
// An image to be made. It is empty, and not there until it is kept.
tnImage* tnRollback_Begin(tnRollback* rollback);
// It is what the world is.
void tnRollback_Keep(tnRollback* rollback);
// The world was restored: tell a recording.
tnResult tnRollback_Record(const tnRollback* rollback);

// Make the sum of a delta that of its bytes, for tests that change them.
void tnMendDelta(void* bytes, size_t size);
