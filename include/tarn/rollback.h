// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/world.h"

/// @file The last states of a world, to go back to: for games whose players act before they know what the others did, for undo,
/// for a time line. And deltas: what turns a state that two machines have into a newer one.
///
///   tnRollback_Push(rollback);          // before every step
///   tnWorld_Step(world, timeStep);
///   ...
///   tnRollback_Restore(rollback, 7);    // eight states ago; what was known then is known again, and so on
///
/// Images share what did not change between them, in tiles of 64 x 64 cells: a push costs what has changed since the last one.
/// All that tarn/snapshot.h says of a world that is restored is true here: the same bits, ids, and what cannot change.

/// A ring of images of one world.
typedef struct tnRollback tnRollback;

/// Start from tnDefaultRollbackDef.
typedef struct tnRollbackDef
{
	/// Images that are kept, in [1, 4096]. With one more the oldest goes.
	int imageCount;
	/// Memory for what images consist of, bytes. It is asked for once. 0: enough for imageCount images that share nothing. With less
	/// than is needed the oldest images go before their time; it must be enough for two.
	size_t byteCount;
	/// Written by tnDefaultRollbackDef and checked on creation. Leave alone.
	uint32_t stamp;
} tnRollbackDef;

/// 9 images: now, and eight steps back.
TN_API tnRollbackDef tnDefaultRollbackDef(void);

/// @param world the one that is rolled back. A world may have several; destroy them before it.
/// @param rollback receives it, or NULL if the result is not tn_ok
TN_API tnResult tnCreateRollback(tnWorld* world, const tnRollbackDef* def, tnRollback** rollback);
/// NULL is allowed. From a task of its world nothing is destroyed, and the error hook is told.
TN_API void tnDestroyRollback(tnRollback* rollback);

/// Keep what the world is now. It is image 0 then, and the others are one older. Allocates only if the world has got bodies, waves or
/// the like since the last push: what is not cells.
TN_API tnResult tnRollback_Push(tnRollback* rollback);

/// Make the world what it was when an image was pushed. Newer images go: that one is image 0 then.
/// @param index 0 for the newest image, in [0, tnRollback_GetCount)
TN_API tnResult tnRollback_Restore(tnRollback* rollback, int index);

/// Images that are there.
TN_API int tnRollback_GetCount(const tnRollback* rollback);

typedef struct tnRollbackImage
{
	/// Of the world when it was pushed: seconds and steps since its creation.
	double time;
	int64_t stepCount;
	/// Of all its bits. Two machines that have the same here have the same image.
	uint64_t sum;
	/// What it needed that the image before it did not have, and what it is in all.
	size_t ownBytes, byteCount;
} tnRollbackImage;

TN_API tnResult tnRollback_GetImage(const tnRollback* rollback, int index, tnRollbackImage* image);

// ---------------------------------------------------------------------------------------------------------------------
// Deltas

/// Write what turns an image into image 0. Whoever has the same base, from the same steps or from earlier deltas, makes the newer one
/// of it. Compressors (zstd, outside of tarn) like the bytes; see docs/saving.md for their layout.
/// Writes at most `capacity` bytes and tells in `size` how many there are. With bytes NULL and capacity 0 it only tells.
/// @param base index of an image, in [1, tnRollback_GetCount)
TN_API tnResult tnRollback_SaveDelta(const tnRollback* rollback, int base, void* bytes, size_t capacity, size_t* size);

/// Make the world what the bytes say. One of the images must be the base that they were made of: others are refused by name, and so
/// are bytes that are cut off, damaged, or of another world. Nothing has changed then. Else the new state is image 0.
TN_API tnResult tnRollback_RestoreDelta(tnRollback* rollback, const void* bytes, size_t size);

/// What a delta tells of itself.
typedef struct tnDeltaInfo
{
	/// Steps and sum of the image it needs, and of the one it makes: tnRollbackImage.
	int64_t baseStepCount, stepCount;
	uint64_t baseSum, sum;
} tnDeltaInfo;

/// Only the beginning is looked at: what this accepts may still be refused.
TN_API tnResult tnReadDeltaInfo(const void* bytes, size_t size, tnDeltaInfo* info);
