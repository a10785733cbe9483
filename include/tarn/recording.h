// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/world.h"

/// @file What a host did with a world, as a stream of bytes, and the same once more: to show a bug again, to watch a game
/// again, to find where two machines have parted.
///
/// A recording begins with a snapshot of the world (tarn/snapshot.h). Then there is every call that changed it, in order, and
/// with each step a hash of the world after it and hashes of the tiles of 64 x 64 cells that it changed. Playing it does the
/// same calls with another world and compares: the same bits, or the first step and tile in which they differ. Calls that were
/// refused changed nothing and are left out, and so are queries.
///
/// Bytes of a recording may come from anywhere: what is cut off or damaged is refused with a text that says where.

/// Receives the bytes of a recording, piece by piece, in order. Called from inside of the calls that change the world, which
/// it must not call itself.
typedef void tnRecordFcn(const void* bytes, size_t size, void* context);

/// Record what is done with a world from now on.
/// @param write, context where bytes go: a file, memory, a socket. What is slow there makes calls slow.
TN_API tnResult tnWorld_StartRecording(tnWorld* world, tnRecordFcn* write, void* context);
/// The bytes so far are a whole recording. Destroying the world stops it, too.
TN_API tnResult tnWorld_StopRecording(tnWorld* world);
TN_API bool tnWorld_IsRecording(const tnWorld* world);

/// A recording that is being played.
typedef struct tnReplay tnReplay;

/// @param bytes of a recording. They are not copied: keep them until the replay is destroyed.
/// @param hooks as of tnCreateWorldFrom. NULL for the defaults.
/// @param replay receives the replay, or NULL if the result is not tn_ok
TN_API tnResult tnCreateReplay(const void* bytes, size_t size, const tnWorldDef* hooks, tnReplay** replay);
/// Destroys its world. NULL is allowed. From a task of that world nothing is destroyed, as with tnDestroyWorld.
TN_API void tnDestroyReplay(tnReplay* replay);

/// The world that is played: look at it as you like. Whatever else changes it makes it part from the recording.
TN_API tnWorld* tnReplay_GetWorld(const tnReplay* replay);

typedef struct tnReplayState
{
	/// Steps that were played.
	int64_t stepCount;
	/// There are no more.
	bool atEnd;
	/// The world has other bits than the recorded one.
	bool parted;
	/// If so, the step in which they were first seen, counted from 1, and the first tile of 64 x 64 cells whose water or ground
	/// differs; -1 if it is none: then it is in bodies, waves, spray or the ledger.
	int64_t partedStep;
	int tileColumn, tileRow;
} tnReplayState;

/// Do what was done up to the next step, and that step. Goes on after worlds have parted. Does nothing at the end.
/// @param state receives what is known then; may be NULL
TN_API tnResult tnReplay_Step(tnReplay* replay, tnReplayState* state);
