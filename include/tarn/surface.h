// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/spray.h"

/// @file What a renderer needs of a world: the water between its last two states as tiles of texels that can be uploaded as they
/// are, which of them have changed, a mesh for those who have no shader for height fields, and spray.
///
///   tnSurface_Update(surface, world, alpha);             // after the step, or several
///   tnSurfaceChanges changes = tnSurface_TakeChanges(surface);
///   for (int i = 0; i < changes.count; ++i)
///   {
///       tnSurfaceTile tile;
///       tnSurface_GetTile(surface, changes.items[i].tile, &tile); // upload tile.texels
///   }
///
/// All workers of the world take part, and the bits are the same for any number of them and any instruction set. Tiles at rest
/// cost nothing, and are not in the list.

/// Most textures that one surface fills, and channels of each.
#define TN_MAX_SURFACE_LAYERS 4
#define TN_MAX_SURFACE_CHANNELS 4
/// Cells along a side of a tile.
#define TN_SURFACE_TILE_SIZE 64
/// Most texels around a tile that its neighbours lend.
#define TN_MAX_SURFACE_HALO 16

/// What a number of a texel is. Texels stand for cells: values are those at the middle of a cell.
typedef enum tnSurfaceChannel
{
	/// Height of what is drawn, meters: bed + depth + lift of bodies, and the waves if def.addWaves. It goes on under dry ground
	/// beside water, three cells far and level, so that the shore is where it meets the ground between two cells; on ground that lies
	/// lower than the water, at the front of a flood, it falls to the ground. In cells that bodies fill it goes on level from beside
	/// them. On decks (docs/bodies.md) it is the water that is seen from above, as tnWorld_Sample has it. Everywhere else it lies half
	/// a cell below the ground.
	tn_surfaceHeight = 0,
	/// Depth of the water, meters, without lift and waves; 0 where dry.
	tn_surfaceDepth,
	/// Ground, meters; under water on a deck the top of that.
	tn_surfaceBed,
	/// m/s, as tnWorld_CopyVelocities has it; on decks that of the water there.
	tn_surfaceVelocityX,
	tn_surfaceVelocityZ,
	/// Share of the water that foam covers, in [0, 1]. In worlds without foam: see guessFoam.
	tn_surfaceFoam,
	/// 1 under water; ground that fell dry keeps some for a while. In [0, 1].
	tn_surfaceWetness,
	/// Slope of the height along x and z. Only cells have a say where there is a surface.
	tn_surfaceSlopeX,
	tn_surfaceSlopeZ,
	/// How the surface bends, 1/m: it gathers light below it (negative) or spreads it. 0 at shores.
	tn_surfaceBend,
	/// The normal of the height, of length 1.
	tn_surfaceNormalX,
	tn_surfaceNormalY,
	tn_surfaceNormalZ,
	/// 1 where there is a surface to be drawn in this cell or up to three cells beside it, 0 where it is hidden below the ground.
	tn_surfaceShown,
	tn_surfaceChannelCount,
} tnSurfaceChannel;

typedef enum tnSurfaceFormat
{
	/// 32 bits.
	tn_surfaceFloats = 0,
	/// 16 bits: 11 bits of precision, at most 65504. Every device filters them.
	tn_surfaceHalves,
	tn_surfaceFormatCount,
} tnSurfaceFormat;

/// One texture: its numbers follow each other in every texel.
typedef struct tnSurfaceLayerDef
{
	tnSurfaceFormat format;
	tnSurfaceChannel channels[TN_MAX_SURFACE_CHANNELS];
	/// In [1, TN_MAX_SURFACE_CHANNELS].
	int channelCount;
} tnSurfaceLayerDef;

/// Describes a surface. Start from tnDefaultSurfaceDef.
typedef struct tnSurfaceDef
{
	tnSurfaceLayerDef layers[TN_MAX_SURFACE_LAYERS];
	/// In [1, TN_MAX_SURFACE_LAYERS].
	int layerCount;
	/// Texels of its neighbours around each tile, in [0, TN_MAX_SURFACE_HALO]: 1 for linear filters of a texture that holds only that
	/// tile, 2 for cubic ones. At the edges of the world the last texel is repeated.
	int halo;
	/// The wave layer of the world is part of height, slopes, bend and normals, as far as cells can hold it. Off: only the flow is,
	/// for hosts that draw waves from their own tiles (tnWorld_GetWaveTile). Default on.
	bool addWaves;
	/// Worlds without the foam layer get foam for looks where water is fast, falls, piles up, breaks, or is stirred by bodies.
	/// It drifts and fades in two seconds. Default on.
	bool guessFoam;
	/// Seconds in which wetness falls to 1/e, in [0.01, 1000]. Default 12.
	float dryingTime;
	/// Written by tnDefaultSurfaceDef and checked on creation. Leave alone.
	uint32_t stamp;
} tnSurfaceDef;

/// Three layers without halo: height as floats; depth, velocity and foam as halves; slopes, wetness and bend as halves.
TN_API tnSurfaceDef tnDefaultSurfaceDef(void);

/// A surface of a world. It has its own memory, from the allocator of the world, and must not be used after the world is destroyed
/// but to be destroyed itself. A world may have several.
typedef struct tnSurface tnSurface;

/// @param surface receives the surface, or NULL if the result is not tn_ok
TN_API tnResult tnCreateSurface(const tnWorld* world, const tnSurfaceDef* def, tnSurface** surface);
/// NULL is allowed. From a task of tnSurface_Update nothing is destroyed, and the error hook of the world is told.
TN_API void tnDestroySurface(tnSurface* surface);

/// Bring the surface up to date. Call it when the world has changed, or alpha. Allocates only when the first body comes.
/// @param world that of the creation
/// @param alpha in [0, 1]: 0 for the state before the last step, 1 for the state after it. Worlds without keepPrevious are always
/// shown as after it.
TN_API tnResult tnSurface_Update(tnSurface* surface, const tnWorld* world, float alpha);

/// A tile. Stale after the next update.
typedef struct tnSurfaceTile
{
	/// Its first cell, and how many cells of the world it has: 64 x 64 but for the last ones.
	int column, row, columns, rows;
	/// Texels along a side, halos included: 64 + 2 halo. Texel (c, r) is the cell (column + c - halo, row + r - halo). Beyond the
	/// edges of the world the last cells are repeated.
	int size, halo;
	/// By layer: size * size texels, row by row, without gaps.
	const void* texels[TN_MAX_SURFACE_LAYERS];
	/// Lowest and highest surface, largest depth (meters) and speed (m/s) of its cells.
	float lowest, highest, maxDepth, maxSpeed;
	/// It was computed in the last step.
	bool awake;
	/// Grows when a host edits something in it. As long as it is the same, so is its ground.
	uint32_t edits;
} tnSurfaceTile;

TN_API int tnSurface_GetTileCount(const tnSurface* surface);
/// @param index in [0, tnSurface_GetTileCount): row by row
TN_API tnResult tnSurface_GetTile(const tnSurface* surface, int index, tnSurfaceTile* tile);

typedef struct tnSurfaceChange
{
	int tile;
	/// Bit i is set if a texel of layer i is another, halos included.
	uint32_t layers;
} tnSurfaceChange;

/// In the order of tiles. Stale after the next call that takes a non-const surface.
typedef struct tnSurfaceChanges
{
	const tnSurfaceChange* items;
	int count;
} tnSurfaceChanges;

/// Tiles whose texels have changed since this was called last; all of them at first. Only those of which a bit is another.
TN_API tnSurfaceChanges tnSurface_TakeChanges(tnSurface* surface);

/// One number, as it is in the texels. 0 outside of the world, and for channels that no layer has.
TN_API float tnSurface_Get(const tnSurface* surface, tnSurfaceChannel channel, int column, int row);

// ---------------------------------------------------------------------------------------------------------------------
// A mesh, for hosts without shaders for height fields

/// Most vertices and indices of a tile.
#define TN_MAX_SURFACE_VERTICES (65 * 65 + 2 * 64 * 65 + 64 * 64)
#define TN_MAX_SURFACE_INDICES (64 * 64 * 4 * 3)

/// Arrays of the caller, and what is in them.
typedef struct tnSurfaceMesh
{
	/// Meters, in the host's space, and unit length. Normals may be NULL.
	tnVec3* positions;
	tnVec3* normals;
	int vertexCapacity;
	/// Three for each triangle, counter-clockwise as seen from above.
	uint32_t* indices;
	int indexCapacity;
	/// Set by tnSurface_BuildMesh: what the mesh has, or would have.
	int vertexCount, indexCount;
} tnSurfaceMesh;

/// Triangles of the water of a tile, between the middles of its cells and the first ones of the next tiles: cut off exactly where
/// the surface meets the ground. Meshes of neighbouring tiles fit together: vertices at seams have the same bits. They are as of the
/// last update; one of a tile may be another when that tile, or one of the eight around it, is in the list of changes.
/// Needs a layer with tn_surfaceHeight, best as floats. Several threads may ask at once.
/// If they do not fit, the counts say how much is needed, and the result is tn_outOfMemory; what fits has been written.
TN_API tnResult tnSurface_BuildMesh(const tnSurface* surface, int tile, tnSurfaceMesh* mesh);

// ---------------------------------------------------------------------------------------------------------------------
// Spray

/// Water in the air at the moment of the surface. Those that were not born then are left out.
typedef struct tnSprayInstance
{
	tnVec3 position; // m
	tnVec3 velocity; // m/s
	float volume;    // m^3
	float age;       // s
	/// Seconds until it meets the water or the ground below if it goes on like this; infinite for what rises, has just been born,
	/// or is outside of the world.
	float timeToLand;
	tnSprayKind kind;
	uint32_t seed;
} tnSprayInstance;

typedef struct tnSprayInstances
{
	const tnSprayInstance* items;
	int count;
} tnSprayInstances;

/// Stale after the next update. Empty in worlds without spray.
TN_API tnSprayInstances tnSurface_GetSpray(const tnSurface* surface);
