// SPDX-License-Identifier: MIT

#pragma once

// A file of a world in the middle of what happens in it, with the hashes that it has later. All numbers are little-endian:
//
//   bytes 0 .. 7    "tarnkept"
//   8 .. 11         version of this layout: 1
//   12 .. 15        kind: 1 for a tnWorld, 2 for a tnVoxelWorld
//   16 .. 19        time step, s, a float; 0 for voxels, whose steps have the length of their def
//   20 .. 23        steps
//   24 .. 27        steps from one hash to the next, of which the steps are a multiple
//   28 .. 31        words of a def
//   32 .. 39        bytes of the snapshot
//   40 .. 47        sum of this header, with 0 here, and of all up to the snapshot
//   words of a def  4 bytes each: what saves of voxels leave to the host; none for a tnWorld
//   hashes          8 bytes each: before the first step, and then each time
//   the rest        tnWorld_Save, tnVoxelWorld_Save, which have sums of their own

#include <tarn/tarn.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum
{
	keptHeaderSize = 48,
	keptVersion = 1,
	keptColumns = 1,
	keptVoxels = 2,
	keptLiquidWords = 4,
	keptDefWords = 9 + keptLiquidWords * TN_MAX_LIQUIDS,
	// Ten hours of 60 steps a second.
	keptMaxSteps = 2160000,
};

typedef struct KeptWorld
{
	int kind;
	float timeStep;
	int steps, interval;
	/// Of voxels: all but hooks, workers, instructions and memory.
	tnVoxelWorldDef def;
	/// In the bytes that were read.
	const uint8_t* snapshot;
	size_t snapshotSize;
	const uint8_t* hashes;
} KeptWorld;

/// Bytes up to the snapshot.
size_t GetKeptSize(int kind, int steps, int interval);

/// @param hashes steps / interval + 1 of them
/// @param bytes GetKeptSize of them, to which the snapshot must be added
void WriteKept(const KeptWorld* kept, const uint64_t* hashes, uint8_t* bytes);

/// @param kept refers to bytes
/// @param text receives what is wrong with them
bool ReadKept(const uint8_t* bytes, size_t size, KeptWorld* kept, char text[static 160]);

/// @param index 0 is before the first step
uint64_t GetKeptHash(const KeptWorld* kept, int index);
