// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/voxels.h"
#include "tarn/world.h"

/// @file Worlds as bytes: to save a game, to send a world to another machine, to go back some steps and play them again.
///
/// A snapshot has everything that the next step reads, with every layer: a world that is restored goes on with the same bits as
/// the one that was saved, on every machine. Not in it are hooks, the task system, the number of workers and the instruction
/// set: they are the host's, and change no bit. docs/saving.md has the layout.
///
/// Bytes may come from anywhere. What is cut off, damaged, of another kind, or of a newer version is refused with a text that
/// says what is wrong, and the world stays as it was.
///
/// All calls that save write at most `capacity` bytes and tell in `size` how many there are. With bytes NULL and capacity 0
/// they only tell.

/// Save a world. Does not allocate, and changes nothing.
/// @param size receives the number of bytes, also if capacity is too small
TN_API tnResult tnWorld_Save(const tnWorld* world, void* bytes, size_t capacity, size_t* size);

/// Make a world what it was when the bytes were saved, or another world of the same size and layers. Refused, with the field
/// named, if what cannot change after creation differs: cells, layers and their capacities, tracers, what is kept.
/// Allocates nothing if the world still has the bodies, curves, maps and ids that it had then, and its method.
///
/// Ids that were valid when the world was saved are valid again and name the same things. Ids that this world has handed out
/// since are stale, and stay so: what is made from now on gets ids of its own.
TN_API tnResult tnWorld_Restore(tnWorld* world, const void* bytes, size_t size);

/// Create a world from bytes.
/// @param hooks allocator, tasks, errors, memoryLimit and simd of the new world are those of this def, and the rest of it does
/// not matter. NULL for the defaults.
/// @param world receives the world, or NULL if the result is not tn_ok
TN_API tnResult tnCreateWorldFrom(const void* bytes, size_t size, const tnWorldDef* hooks, tnWorld** world);

/// What bytes tell of themselves.
typedef struct tnSnapshotInfo
{
	/// Of the layout.
	uint32_t version;
	/// Of the world that was saved, without hooks.
	tnWorldDef def;
	/// Seconds and steps since its creation.
	double time;
	int64_t stepCount;
} tnSnapshotInfo;

/// Look at bytes of a tnWorld without making a world of them. What this accepts may still be refused: only the beginning is
/// looked at.
TN_API tnResult tnReadSnapshotInfo(const void* bytes, size_t size, tnSnapshotInfo* info);

/// Cells along a side of a tile of tnWorld_GetTileHash.
#define TN_HASH_TILE 64

/// A hash of the water and the ground of a tile of 64 x 64 cells: bed, depth, flow, tracers, foam. Where those of two machines
/// differ, they have parted. The time, bodies, waves and spray are in tnWorld_GetHash only.
/// @param column, row of the tile: cell (64 column, 64 row) is its first
/// @return 0 outside of the world
TN_API uint64_t tnWorld_GetTileHash(const tnWorld* world, int column, int row);

/// The same for voxel worlds: all blocks and the state of tarn/voxel_save.h in one. Bodies are the host's to make again, and what
/// samples tell of currents is not in it.
TN_API tnResult tnVoxelWorld_Save(tnVoxelWorld* world, void* bytes, size_t capacity, size_t* size);
/// Make a world what it was when the bytes were saved. Its rules and liquids must be the same. A second world is made of the bytes
/// first and then takes its place: it allocates, and for a moment needs the memory of both.
///
/// Sources that were there then are valid again. Ids that this world has handed out since are stale, and stay so. Bodies stay, but
/// take no room until they are moved or the next step begins: move them to where they were then, before anything else, and all goes
/// on with the same bits (but for limits of work: see tarn/voxel_body.h).
TN_API tnResult tnVoxelWorld_Restore(tnVoxelWorld* world, const void* bytes, size_t size);
/// @param def of the world that was saved: rules and liquids must be the same, and chunkLimit for the same bits; hooks, workers,
/// chunkReserve and memoryLimit may differ
/// @param world receives the world, or NULL if the result is not tn_ok
TN_API tnResult tnCreateVoxelWorldFrom(
	const void* bytes, size_t size, const tnVoxelWorldDef* def, tnVoxelWorld** world);
