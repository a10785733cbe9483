// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/voxels.h"

/// @file Saves of voxel worlds: chunks, blocks and what belongs to no block. The same bytes on every machine.
///
/// A save of a chunk has everything that decides what happens next in it: ground, liquid, what moves, which liquid is
/// connected, and liquid on the way to a place. A chunk of rock, air or deep water takes 9 bytes, one with the surface of a
/// still lake over even ground 13.
///
/// To go on as if nothing had happened: save all blocks and the state, make a world with the same def, load all blocks, in any
/// order or chunk by chunk, then the state. Workers, instructions, hooks, chunkReserve and memoryLimit may differ. Bodies are the
/// host's to make again, and what samples tell of currents and heads is not in saves: see docs/voxels.md and tnVoxelSample.head.
///
/// All calls that save write at most `capacity` bytes and tell in `size` how many there are. With bytes NULL and capacity 0
/// they only tell. Bytes to load may come from anywhere: what is not a save for this world is refused, and the world stays
/// as it was.

/// No save of a chunk is larger, bytes.
#define TN_MAX_CHUNK_SAVE 32768

/// @param chunk place of a chunk: (1, 0, 0) begins at voxel 16. Its block must be loaded.
TN_API tnResult tnVoxelWorld_SaveChunk(tnVoxelWorld* world, tnVoxel chunk, void* bytes, size_t capacity, size_t* size);
/// Put a save in the place of a chunk, which need not be the one that it comes from. The liquid that was there counts as
/// unloaded. Neighbours wake up where something is different now.
TN_API tnResult tnVoxelWorld_LoadChunk(tnVoxelWorld* world, tnVoxel chunk, const void* bytes, size_t size);

/// A block, with what waits for a place in it. Save it, unload it, load it later: no liquid is lost.
TN_API tnResult tnVoxelWorld_SaveBlock(tnVoxelWorld* world, tnVoxel block, void* bytes, size_t capacity, size_t* size);
/// As tnVoxelWorld_LoadBlock, with what was saved in place of air. What faces other blocks wakes up.
TN_API tnResult tnVoxelWorld_LoadBlockFrom(tnVoxelWorld* world, tnVoxel block, const void* bytes, size_t size);

/// What belongs to no block: time, ledger, sources with their ids, oceans, reactions, interests, what waits, and who is
/// awake. States of older versions are read as well; up to version 2 they did not say if connected liquid was known, and it is
/// looked for again.
TN_API tnResult tnVoxelWorld_SaveState(tnVoxelWorld* world, void* bytes, size_t capacity, size_t* size);
/// The world must have the same rules, liquids and blocks as the one that was saved, with the same voxels in them.
TN_API tnResult tnVoxelWorld_LoadState(tnVoxelWorld* world, const void* bytes, size_t size);
