// SPDX-License-Identifier: MIT

// One tile of a surface, from the grid to its texels.
//
// Shores. Water meets the ground somewhere between a wet cell and a dry one. What is drawn must run into the ground there, so dry
// cells beside water get a surface too, though they show none of it:
//
//       water  ~~~~~~~~~~/..o    o: the surface goes on level, under the ground of the dry cell. Where it passes the
//              _________/           slope of the ground is the shore, at any place between the two cells.
//
//       water  ~~~~~.            A dry cell that lies lower than the water beside it is the front of a flood: there
//              ______'___o       the surface falls to its bed.
//
// Cells further out follow from the ones before, in three rings, for coarse meshes that skip cells. Further still the surface lies
// just under the ground.
//
// A tile is made from its own cells and four more on each side, and needs nothing that another one has made, but for foam that has
// drifted, of the update before. So tiles are made in any order.

#include "../flow/grid_sample.h"
#include "surface.h"

#include <math.h>
#include <string.h>

// How far below dry ground the surface lies where there is no water near, cells.
#define TN_HIDDEN 0.5f

tnSurfaceStates tnSurface_GetStates(const tnSurface* surface, int column, int row)
{
	const tnGrid* grid = &surface->world->grid;
	const ptrdiff_t at = tnGrid_Index(grid, column, row);
	tnSurfaceStates states = {
		.bed = grid->bed + at,
		.depth = grid->depth + at,
		.depthBefore = grid->depth + at,
		.share = surface->alpha,
		.wetDepth = TN_WET_DEPTH,
	};
	// At the end the state itself, not a rounded mix.
	if (grid->previousDepth != NULL && surface->alpha < 1.0f)
	{
		states.depthBefore = grid->previousDepth + at;
	}
	if (grid->lift != NULL)
	{
		states.lift = states.liftBefore = grid->lift + at;
		if (grid->previousLift != NULL && surface->alpha < 1.0f)
		{
			states.liftBefore = grid->previousLift + at;
		}
	}
	return states;
}

float tnSurface_GetCell(const tnSurface* surface, int column, int row, float* depth)
{
	const tnSurfaceStates states = tnSurface_GetStates(surface, column, row);
	const float mixed = states.depthBefore[0] + (states.depth[0] - states.depthBefore[0]) * states.share;
	float height = states.bed[0] + mixed;
	if (states.lift != NULL && (states.lift[0] != 0.0f || states.liftBefore[0] != 0.0f))
	{
		const float lift = states.liftBefore[0] + (states.lift[0] - states.liftBefore[0]) * states.share;
		height = tnMaxFloat(height + lift, states.bed[0]);
	}
	*depth = mixed;
	return height;
}

// Rows of a block that are in the world.
typedef struct tnBlockRows
{
	int begin, end; // from the first row of the tile
} tnBlockRows;

static tnBlockRows tnGetBlockRows(const tnSurface* surface, tnCellBox box)
{
	return (tnBlockRows){tnMaxInt(-TN_SURFACE_MARGIN, -box.rowBegin),
		tnMinInt(TN_SURFACE_TILE + TN_SURFACE_MARGIN, surface->rowCount - box.rowBegin)};
}

static void tnFillRings(float* rings, int begin, int end)
{
	for (int i = begin; i < end; ++i)
	{
		rings[i] = TN_SURFACE_OUTSIDE;
	}
}

// Ask for what a row of a block will be made from. Rows of a block are short and far apart: processors do not see them come.
static void tnFetchRow(const tnGrid* grid, int column, int row)
{
	enum
	{
		lineFloats = 16
	};
	const ptrdiff_t at = tnGrid_Index(grid, column, row);
	for (int i = 0; i < TN_SURFACE_BLOCK; i += lineFloats)
	{
		TN_PREFETCH(grid->bed + at + i);
		TN_PREFETCH(grid->depth + at + i);
		TN_PREFETCH(grid->flowX + at + i);
		TN_PREFETCH(grid->flowZ + at + i);
		if (grid->previousDepth != NULL)
		{
			TN_PREFETCH(grid->previousDepth + at + i);
		}
	}
}

// Depths, surfaces and which cells are wet, of some rows of a block. Returns what there is in them.
static int tnMixRows(
	const tnSurface* surface, tnCellBox box, int begin, int end, tnSurfaceScratch* scratch, uint8_t* rowFlags)
{
	const int first = box.columnBegin - TN_SURFACE_MARGIN;
	const int left = tnMaxInt(-first, 0);
	const int right = tnMinInt(TN_SURFACE_BLOCK, surface->columnCount - first);
	const tnBlockRows inside = tnGetBlockRows(surface, box);
	int all = 0;
	for (int row = begin; row < end; ++row)
	{
		const ptrdiff_t at = tnSurface_GetBlockIndex(-TN_SURFACE_MARGIN, row);
		rowFlags[row + TN_SURFACE_MARGIN] = 0;
		if (row < inside.begin || row >= inside.end)
		{
			tnFillRings(scratch->rings + at, 0, TN_SURFACE_BLOCK);
			continue;
		}
		// Far enough for a trip to main memory.
		const int ahead = 6;
		if (row + ahead < inside.end)
		{
			tnFetchRow(&surface->world->grid, first, box.rowBegin + row + ahead);
		}
		const tnSurfaceStates states = tnSurface_GetStates(surface, first, box.rowBegin + row);
		const int found = surface->kernels->mix(
			&states, TN_SURFACE_BLOCK, scratch->depth + at, scratch->surface + at, scratch->rings + at);
		tnFillRings(scratch->rings + at, 0, left);
		tnFillRings(scratch->rings + at, right, TN_SURFACE_BLOCK);
		rowFlags[row + TN_SURFACE_MARGIN] = (uint8_t)found;
		all |= found;
	}
	return all;
}

// Rows that are no part of a tile, and not beside it, matter where the surface is continued.
static int tnMixMargins(const tnSurface* surface, tnCellBox box, tnSurfaceScratch* scratch, uint8_t* rowFlags)
{
	const int end = TN_SURFACE_TILE + TN_SURFACE_MARGIN;
	return tnMixRows(surface, box, -TN_SURFACE_MARGIN, -1, scratch, rowFlags) |
		tnMixRows(surface, box, TN_SURFACE_TILE + 1, end, scratch, rowFlags);
}

static void tnContinueBlock(
	const tnSurface* surface, tnCellBox box, tnSurfaceScratch* scratch, const uint8_t* rowFlags, int found)
{
	const tnGrid* grid = &surface->world->grid;
	const tnBlockRows inside = tnGetBlockRows(surface, box);
	const int first = box.columnBegin - TN_SURFACE_MARGIN;
	bool open[TN_SURFACE_BLOCK];
	for (int i = 0; i < TN_SURFACE_BLOCK; ++i)
	{
		open[i] = (rowFlags[i] & TN_ROW_HAS_DRY) != 0;
	}
	for (int ring = 1; ring <= TN_SURFACE_RINGS && (found & TN_ROW_HAS_WET) != 0; ++ring)
	{
		const int begin = tnMaxInt(inside.begin, 1 - TN_SURFACE_MARGIN);
		const int end = tnMinInt(inside.end, TN_SURFACE_TILE + TN_SURFACE_MARGIN - 1);
		for (int row = begin; row < end; ++row)
		{
			bool* isOpen = &open[row + TN_SURFACE_MARGIN];
			if (*isOpen)
			{
				const ptrdiff_t at = tnSurface_GetBlockIndex(-TN_SURFACE_MARGIN, row);
				*isOpen = surface->kernels->grow(grid->bed + tnGrid_Index(grid, first, box.rowBegin + row),
					scratch->surface + at, scratch->rings + at, ring, TN_SURFACE_BLOCK);
			}
		}
	}
	for (int row = inside.begin; row < inside.end; ++row)
	{
		if (open[row + TN_SURFACE_MARGIN])
		{
			const ptrdiff_t at = tnSurface_GetBlockIndex(-TN_SURFACE_MARGIN, row);
			surface->kernels->hide(grid->bed + tnGrid_Index(grid, first, box.rowBegin + row), scratch->rings + at,
				TN_HIDDEN * surface->cellSize, TN_SURFACE_BLOCK, scratch->surface + at);
		}
	}
}

// Beyond the edges of the world fields go on as they are there.
static void tnExtendBlock(const tnSurface* surface, tnCellBox box, float* field)
{
	const tnBlockRows inside = tnGetBlockRows(surface, box);
	const int begin = tnMaxInt(inside.begin, -1), end = tnMinInt(inside.end, TN_SURFACE_TILE + 1);
	const int last = surface->columnCount - 1 - box.columnBegin;
	for (int row = begin; row < end && (box.columnBegin == 0 || last < TN_SURFACE_TILE); ++row)
	{
		float* at = field + tnSurface_GetBlockIndex(0, row);
		if (box.columnBegin == 0)
		{
			at[-1] = at[0];
		}
		for (int i = last + 1; i <= TN_SURFACE_TILE; ++i)
		{
			at[i] = at[last];
		}
	}
	const size_t bytes = (size_t)TN_SURFACE_BLOCK * sizeof(float);
	if (begin == 0)
	{
		memcpy(field + tnSurface_GetBlockIndex(-TN_SURFACE_MARGIN, -1),
			field + tnSurface_GetBlockIndex(-TN_SURFACE_MARGIN, 0), bytes);
	}
	for (int row = end; row <= TN_SURFACE_TILE; ++row)
	{
		memcpy(field + tnSurface_GetBlockIndex(-TN_SURFACE_MARGIN, row),
			field + tnSurface_GetBlockIndex(-TN_SURFACE_MARGIN, end - 1), bytes);
	}
}

// Faces above a row of cells of a tile. At the end of a world that does not wrap the neighbour is the cell itself.
static void tnFindFacesAbove(
	const tnSurface* surface, int column, int row, bool upper, bool lower, float* velocity, float* section)
{
	const tnGrid* grid = &surface->world->grid;
	const ptrdiff_t below = tnGrid_Index(grid, column, lower ? row : row - 1);
	const ptrdiff_t above = tnGrid_Index(grid, column, upper ? row - 1 : row);
	const tnSurfaceFaces faces = {
		.bed = {grid->bed + above, grid->bed + below},
		.depth = {grid->depth + above, grid->depth + below},
		.flow = grid->flowZ + tnGrid_Index(grid, column, row),
		.limit = TN_READ_LIMIT * grid->gravity,
		.storesVelocity = tnGrid_StoresVelocity(grid),
	};
	surface->kernels->faces(&faces, TN_SURFACE_TILE, velocity, section);
}

static void tnFindVelocitiesAlongX(const tnSurface* surface, tnCellBox box, int row, tnSurfaceScratch* scratch)
{
	const tnGrid* grid = &surface->world->grid;
	const ptrdiff_t cell = tnGrid_Index(grid, box.columnBegin - TN_SURFACE_MARGIN, box.rowBegin + row);
	const tnSurfaceFaces faces = {
		.bed = {grid->bed + cell - 1, grid->bed + cell},
		.depth = {grid->depth + cell - 1, grid->depth + cell},
		.flow = grid->flowX + cell,
		.limit = TN_READ_LIMIT * grid->gravity,
		.storesVelocity = tnGrid_StoresVelocity(grid),
	};
	float* velocity = scratch->rows[0];
	float* section = scratch->rows[1];
	// One more than cells, in whole vectors.
	surface->kernels->faces(&faces, TN_SURFACE_BLOCK + 8, velocity, section);
	float* out = scratch->velocityX + tnSurface_GetBlockIndex(-TN_SURFACE_MARGIN, row);
	surface->kernels->cells(velocity, section, velocity + 1, section + 1, grid->depth + cell, TN_SURFACE_BLOCK, out);
	if (!grid->wrapX)
	{
		// Cells at the ends have no neighbour there.
		float* own = scratch->velocityX + tnSurface_GetBlockIndex(0, row);
		const int last = surface->columnCount - 1;
		if (box.columnBegin == 0)
		{
			tnGrid_CopyVelocityRow(grid, box.rowBegin + row, 0, 1, own, NULL);
		}
		if (last - box.columnBegin <= TN_SURFACE_TILE)
		{
			tnGrid_CopyVelocityRow(grid, box.rowBegin + row, last, last + 1, own + (last - box.columnBegin), NULL);
		}
	}
}

static void tnFindVelocities(const tnSurface* surface, tnCellBox box, int tile, tnSurfaceScratch* scratch)
{
	const tnGrid* grid = &surface->world->grid;
	if (surface->world->tiles.awake[tile] == 0 && surface->world->tiles.active[tile] == 0)
	{
		// What sleeps stands still.
		memset(scratch->velocityX, 0, sizeof(scratch->velocityX));
		memset(scratch->velocityZ, 0, sizeof(scratch->velocityZ));
		return;
	}
	// Foam looks at neighbours: along x in the same row, along z in the same column.
	const int more = surface->guesses ? 1 : 0;
	const int begin = tnMaxInt(-more, -box.rowBegin);
	const int end = tnMinInt(TN_SURFACE_TILE + more, surface->rowCount - box.rowBegin);
	for (int row = begin; row < end; ++row)
	{
		const int worldRow = box.rowBegin + row;
		const int now = row & 1, next = now ^ 1;
		if (row == begin)
		{
			tnFindFacesAbove(surface, box.columnBegin, worldRow, worldRow > 0 || grid->wrapZ, true, scratch->faces[now],
				scratch->sections[now]);
		}
		tnFindFacesAbove(surface, box.columnBegin, worldRow + 1, true, worldRow + 1 < surface->rowCount || grid->wrapZ,
			scratch->faces[next], scratch->sections[next]);
		surface->kernels->cells(scratch->faces[now], scratch->sections[now], scratch->faces[next],
			scratch->sections[next], grid->depth + tnGrid_Index(grid, box.columnBegin, worldRow), TN_SURFACE_TILE,
			scratch->velocityZ + tnSurface_GetBlockIndex(0, row));
		if (row >= 0 && row < TN_SURFACE_TILE)
		{
			tnFindVelocitiesAlongX(surface, box, row, scratch);
		}
	}
	tnExtendBlock(surface, box, scratch->velocityX);
	tnExtendBlock(surface, box, scratch->velocityZ);
}

// Foam of worlds that have none of their own. Returns where it is now.
static float* tnGuessFoam(tnSurface* surface, tnCellBox box, int tile, tnSurfaceScratch* scratch)
{
	tnSurfaceTileState* state = surface->tiles + tile;
	float* foam = scratch->foam;
	const bool drifts = tnSurface_DriftFoam(surface, box, tile, scratch);
	bool any = false;
	for (int row = 0; row < box.rowEnd - box.rowBegin; ++row)
	{
		const ptrdiff_t at = tnSurface_GetBlockIndex(0, row);
		const tnSurfaceFoamRow cells = {
			.depth = scratch->depth + at,
			.surface = {scratch->surface + at - TN_SURFACE_STRIDE, scratch->surface + at,
				scratch->surface + at + TN_SURFACE_STRIDE},
			.velocityX = scratch->velocityX + at,
			.velocityZ = {scratch->velocityZ + at - TN_SURFACE_STRIDE, scratch->velocityZ + at,
				scratch->velocityZ + at + TN_SURFACE_STRIDE},
			.drifted = drifts ? scratch->drifted + (ptrdiff_t)row * TN_SURFACE_TILE : NULL,
			.wetDepth = TN_WET_DEPTH,
			.gravity = surface->world->grid.gravity,
			.perTwoCells = 0.5f / surface->cellSize,
		};
		any = surface->kernels->foam(&cells, TN_SURFACE_TILE, foam + (ptrdiff_t)row * TN_SURFACE_TILE) || any;
	}
	if (state->splashed || surface->cover.any)
	{
		any = tnSurface_AddSplashes(surface, box, scratch, foam) || any;
	}
	// Tiles without foam have none in their buffers either: whoever reads them asks first. Most tiles are such.
	state->foamsNext = any;
	if (any)
	{
		memcpy(surface->foam[state->side ^ 1] + tnSurface_GetFieldBegin(tile), foam, sizeof(scratch->foam));
	}
	return foam;
}

// What the texels of a tile are made of.
typedef struct tnTileRows
{
	const float* foam; // of the tile, or NULL: that of the layer, or none
	float* wetness;    // of the tile, or NULL: as wet as the state of the tile says
	const bool* open;  // by row of the block: all of it is wet, and inside of the world. NULL: nobody knows
	// Of the row that is being packed, by channel.
	const float* channels[tn_surfaceChannelCount];
} tnTileRows;

static void tnBeginRows(tnTileRows* rows, tnSurfaceScratch* scratch)
{
	for (int i = 0; i < tn_surfaceChannelCount; ++i)
	{
		rows->channels[i] = scratch->rows[i];
	}
}

static void tnFindSlopes(const tnSurface* surface, int row, const tnTileRows* rows, tnSurfaceScratch* scratch)
{
	const ptrdiff_t at = tnSurface_GetBlockIndex(0, row);
	const bool* open = rows->open != NULL ? rows->open + row + TN_SURFACE_MARGIN : NULL;
	const float* rings = open != NULL && open[-1] && open[0] && open[1] ? NULL : scratch->rings + at;
	surface->kernels->slopes(scratch->surface + at, rings, 1.0f / surface->cellSize, TN_SURFACE_TILE,
		scratch->rows[tn_surfaceSlopeX], scratch->rows[tn_surfaceSlopeZ], scratch->rows[tn_surfaceBend]);
}

// Numbers that few hosts ask for.
static void tnMakeOtherRows(const tnSurface* surface, tnCellBox box, int row, tnSurfaceScratch* scratch)
{
	const bool* has = surface->has;
	const ptrdiff_t at = tnSurface_GetBlockIndex(0, row);
	if (has[tn_surfaceBed])
	{
		const tnGrid* grid = &surface->world->grid;
		memcpy(scratch->rows[tn_surfaceBed], grid->bed + tnGrid_Index(grid, box.columnBegin, box.rowBegin + row),
			(size_t)TN_SURFACE_TILE * sizeof(float));
		tnSurface_ApplyDeckRow(surface, box, row, scratch->rows[tn_surfaceBed], NULL);
	}
	if (has[tn_surfaceNormalX] || has[tn_surfaceNormalY] || has[tn_surfaceNormalZ])
	{
		surface->kernels->normals(scratch->rows[tn_surfaceSlopeX], scratch->rows[tn_surfaceSlopeZ], TN_SURFACE_TILE,
			scratch->rows[tn_surfaceNormalX], scratch->rows[tn_surfaceNormalY], scratch->rows[tn_surfaceNormalZ]);
	}
	for (int i = 0; i < TN_SURFACE_TILE && has[tn_surfaceShown]; ++i)
	{
		scratch->rows[tn_surfaceShown][i] = scratch->rings[at + i] > 0.5f ? 1.0f : 0.0f;
	}
}

static void tnMakeRow(
	const tnSurface* surface, tnCellBox box, int row, bool slopes, tnTileRows* rows, tnSurfaceScratch* scratch)
{
	const tnGrid* grid = &surface->world->grid;
	const ptrdiff_t at = tnSurface_GetBlockIndex(0, row);
	const int count = TN_SURFACE_TILE;
	const float** channels = rows->channels;
	channels[tn_surfaceHeight] = scratch->surface + at;
	channels[tn_surfaceDepth] = scratch->depth + at;
	channels[tn_surfaceVelocityX] = scratch->velocityX + at;
	channels[tn_surfaceVelocityZ] = scratch->velocityZ + at;
	if (rows->foam != NULL)
	{
		channels[tn_surfaceFoam] = rows->foam + (ptrdiff_t)row * count;
	}
	else if (surface->has[tn_surfaceFoam] && grid->foam != NULL)
	{
		surface->kernels->cover(
			grid->foam + tnGrid_Index(grid, box.columnBegin, box.rowBegin + row), count, scratch->rows[tn_surfaceFoam]);
		tnSurface_ApplyDeckRow(surface, box, row, NULL, scratch->rows[tn_surfaceFoam]);
	}
	if (rows->wetness != NULL)
	{
		channels[tn_surfaceWetness] = rows->wetness + (ptrdiff_t)row * count;
	}
	if (slopes)
	{
		tnFindSlopes(surface, row, rows, scratch);
	}
	tnMakeOtherRows(surface, box, row, scratch);
	// A tile at the edge repeats its last cell.
	const int last = box.columnEnd - box.columnBegin - 1;
	for (int channel = 0; last < count - 1 && channel < tn_surfaceChannelCount; ++channel)
	{
		float* values = (float*)channels[channel];
		for (int i = last + 1; i < count && surface->has[channel]; ++i)
		{
			values[i] = values[last];
		}
	}
}

static void tnPackRow(const tnSurface* surface, const tnSurfaceLayerDef* layer, const float* const* rows, void* texels)
{
	const float* channels[TN_MAX_SURFACE_CHANNELS];
	for (int i = 0; i < layer->channelCount; ++i)
	{
		channels[i] = rows[layer->channels[i]];
	}
	if (layer->format == tn_surfaceHalves)
	{
		surface->kernels->packHalves(channels, layer->channelCount, TN_SURFACE_TILE, texels);
	}
	else
	{
		surface->kernels->packFloats(channels, layer->channelCount, TN_SURFACE_TILE, texels);
	}
}

// Write a row of texels of a layer, if it is another. Returns whether it is.
// @param known some of the tile is another: this one need not be compared
static bool tnWriteRow(
	const tnSurface* surface, int layer, uint8_t* own, const float* const* rows, bool known, tnSurfaceScratch* scratch)
{
	const tnSurfaceLayerDef* def = surface->def.layers + layer;
	const size_t bytes = surface->texelBytes[layer] * TN_SURFACE_TILE;
	if (known)
	{
		tnPackRow(surface, def, rows, own);
		return true;
	}
	tnPackRow(surface, def, rows, scratch->texels);
	const bool changed = memcmp(own, scratch->texels, bytes) != 0;
	if (changed)
	{
		memcpy(own, scratch->texels, bytes);
	}
	return changed;
}

// Beyond the edge the last row is repeated. Returns whether that changed something.
static bool tnRepeatRow(uint8_t* last, size_t bytes, size_t pitch, int times)
{
	bool changed = false;
	for (int i = 1; i <= times; ++i)
	{
		uint8_t* next = last + (size_t)i * pitch;
		if (memcmp(next, last, bytes) != 0)
		{
			memcpy(next, last, bytes);
			changed = true;
		}
	}
	return changed;
}

static tnSurfaceBounds tnJoinLanes(const tnSurfaceBoundLanes* lanes)
{
	tnSurfaceBounds bounds = {.lowest = INFINITY, .highest = -INFINITY};
	for (int i = 0; i < TN_BOUND_LANES; ++i)
	{
		bounds.highest = tnMaxFloat(bounds.highest, lanes->highest[i]);
		bounds.lowest = tnMinFloat(bounds.lowest, -lanes->sunken[i]);
		bounds.deepest = tnMaxFloat(bounds.deepest, lanes->deepest[i]);
		bounds.fastest = tnMaxFloat(bounds.fastest, lanes->fastest[i]);
	}
	return bounds;
}

static void tnPackTile(tnSurface* surface, tnCellBox box, int tile, tnTileRows* rows, tnSurfaceScratch* scratch)
{
	tnSurfaceTileState* state = surface->tiles + tile;
	tnSurfaceBoundLanes lanes = {0};
	for (int i = 0; i < TN_BOUND_LANES; ++i)
	{
		lanes.highest[i] = lanes.sunken[i] = -INFINITY;
	}
	const bool* has = surface->has;
	const bool slopes = has[tn_surfaceSlopeX] || has[tn_surfaceSlopeZ] || has[tn_surfaceBend] ||
		has[tn_surfaceNormalX] || has[tn_surfaceNormalY] || has[tn_surfaceNormalZ];
	const int layerCount = surface->def.layerCount, rowCount = box.rowEnd - box.rowBegin;
	const size_t halo = (size_t)surface->def.halo, size = TN_SURFACE_TILE + 2 * halo;
	uint8_t* texels[TN_MAX_SURFACE_LAYERS];
	for (int layer = 0; layer < layerCount; ++layer)
	{
		texels[layer] = surface->texels[layer] + (size_t)tile * surface->tileBytes[layer] +
			(halo * size + halo) * surface->texelBytes[layer];
	}
	uint32_t changed = surface->changed[tile];
	tnBeginRows(rows, scratch);
	for (int row = 0; row < rowCount; ++row)
	{
		tnMakeRow(surface, box, row, slopes, rows, scratch);
		const float* const* from = rows->channels;
		surface->kernels->bound(from[tn_surfaceHeight], from[tn_surfaceDepth], from[tn_surfaceVelocityX],
			from[tn_surfaceVelocityZ], TN_SURFACE_TILE, &lanes);
		for (int layer = 0; layer < layerCount; ++layer)
		{
			uint8_t* own = texels[layer] + (size_t)row * size * surface->texelBytes[layer];
			const bool known = (changed >> layer & 1u) != 0;
			changed |= tnWriteRow(surface, layer, own, from, known, scratch) ? 1u << layer : 0u;
		}
	}
	for (int layer = 0; layer < layerCount && rowCount < TN_SURFACE_TILE; ++layer)
	{
		const size_t texel = surface->texelBytes[layer], pitch = size * texel;
		uint8_t* last = texels[layer] + (size_t)(rowCount - 1) * pitch;
		changed |= tnRepeatRow(last, TN_SURFACE_TILE * texel, pitch, TN_SURFACE_TILE - rowCount) ? 1u << layer : 0u;
	}
	state->bounds = tnJoinLanes(&lanes);
	surface->changed[tile] = (uint8_t)changed;
}

// Wetness after some time. Returns that of the tile, or NULL if it is the same everywhere.
static float* tnUpdateWetness(tnSurface* surface, tnCellBox box, int tile, int found, tnSurfaceScratch* scratch)
{
	tnSurfaceTileState* state = surface->tiles + tile;
	const int rowCount = box.rowEnd - box.rowBegin;
	// Half wet from where it counts as wet.
	const float scale = 0.5f / TN_WET_DEPTH;
	const uint8_t before = state->wetness;
	float* wetness = surface->wetness + tnSurface_GetFieldBegin(tile);
	state->dries = false;
	const bool deep = (found & TN_ROW_IS_SHALLOW) == 0;
	if (deep || (before == 0 && (found & TN_ROW_HAS_WATER) == 0))
	{
		state->wetness = deep ? 1 : 0;
		for (int i = 0; i < TN_SURFACE_TILE; ++i)
		{
			scratch->rows[tn_surfaceWetness][i] = deep ? 1.0f : 0.0f;
		}
		return NULL;
	}
	for (int i = 0; i < TN_SURFACE_TILE * TN_SURFACE_TILE && before != 2; ++i)
	{
		wetness[i] = before == 1 ? 1.0f : 0.0f;
	}
	state->wetness = 2;
	for (int row = 0; row < rowCount; ++row)
	{
		const bool dries = surface->kernels->wet(scratch->depth + tnSurface_GetBlockIndex(0, row), scale,
			surface->keepWetness, TN_SURFACE_TILE, wetness + (ptrdiff_t)row * TN_SURFACE_TILE);
		state->dries = state->dries || dries;
	}
	return wetness;
}

static bool tnHasCoverAround(const tnSurface* surface, int tile)
{
	const int column = tile % surface->tileColumnCount, row = tile / surface->tileColumnCount;
	for (int i = 0; i < 9 && surface->cover.any; ++i)
	{
		const int c = column + i % 3 - 1, r = row + i / 3 - 1;
		if (c >= 0 && r >= 0 && c < surface->tileColumnCount && r < surface->tileRowCount &&
			surface->cover.hashes[r * surface->tileColumnCount + c] != 0)
		{
			return true;
		}
	}
	return false;
}

// Which rows of a tile, and beside it, are wet from end to end. False: at the sides of the world there is none.
static bool tnFindOpenRows(const tnSurface* surface, tnCellBox box, const uint8_t* rowFlags, bool* open)
{
	for (int row = -1; row <= TN_SURFACE_TILE; ++row)
	{
		const bool inside = box.rowBegin + row >= 0 && box.rowBegin + row < surface->rowCount;
		open[row + TN_SURFACE_MARGIN] = inside && (rowFlags[row + TN_SURFACE_MARGIN] & TN_ROW_HAS_DRY) == 0;
	}
	return box.columnBegin >= TN_SURFACE_MARGIN && box.columnEnd + TN_SURFACE_MARGIN <= surface->columnCount;
}

void tnSurface_MakeTile(tnSurface* surface, int tile, tnSurfaceScratch* scratch)
{
	const tnCellBox box = tnSurface_GetBox(surface, tile);
	tnSurfaceTileState* state = surface->tiles + tile;
	uint8_t rowFlags[TN_SURFACE_BLOCK];
	int found = tnMixRows(surface, box, -1, TN_SURFACE_TILE + 1, scratch, rowFlags);
	const bool covered = tnHasCoverAround(surface, tile);
	if (covered || state->wavy || (found & TN_ROW_HAS_DRY) != 0)
	{
		found |= tnMixMargins(surface, box, scratch, rowFlags);
	}
	bool open[TN_SURFACE_BLOCK];
	bool decks = false;
	// At the end of a step only the last state was looked at.
	const bool unknown = surface->alpha == 1.0f && surface->world->grid.previousDepth != NULL;
	state->moves = unknown || (found & TN_ROW_MOVES) != 0;
	state->lifted = (found & TN_ROW_IS_LIFTED) != 0;
	if (covered)
	{
		tnSurface_ApplyCover(surface, box, scratch);
		decks = tnSurface_ApplyDecks(surface, box, scratch);
		// For wetness: there is water, and it may be thin, whatever the flow is.
		found |= decks ? TN_ROW_HAS_WATER | TN_ROW_IS_SHALLOW : 0;
		tnSurface_GrowAroundBodies(surface, box, scratch);
	}
	else if ((found & TN_ROW_HAS_DRY) != 0)
	{
		tnContinueBlock(surface, box, scratch, rowFlags, found);
	}
	if (state->wavy)
	{
		tnSurface_AddWaves(surface, box, scratch);
		// The layer is on the water below.
		decks = decks && tnSurface_ApplyDecks(surface, box, scratch);
	}
	tnExtendBlock(surface, box, scratch->surface);
	tnExtendBlock(surface, box, scratch->depth);
	tnFindVelocities(surface, box, tile, scratch);
	tnSurface_ApplyDeckVelocities(surface, box, scratch);
	tnTileRows rows = {0};
	if (!covered && tnFindOpenRows(surface, box, rowFlags, open))
	{
		rows.open = open;
	}
	if (surface->guesses)
	{
		rows.foam = tnGuessFoam(surface, box, tile, scratch);
	}
	if (surface->has[tn_surfaceWetness])
	{
		rows.wetness = tnUpdateWetness(surface, box, tile, found, scratch);
	}
	if (surface->has[tn_surfaceFoam] && !surface->guesses && surface->world->grid.foam == NULL)
	{
		memset(scratch->rows[tn_surfaceFoam], 0, sizeof(scratch->rows[0]));
	}
	tnPackTile(surface, box, tile, &rows, scratch);
}

// ---------------------------------------------------------------------------------------------------------------------
// Halos

void tnSurface_FillHalo(tnSurface* surface, int tile)
{
	const tnCellBox box = tnSurface_GetBox(surface, tile);
	const int halo = surface->def.halo, size = TN_SURFACE_TILE + 2 * halo;
	for (int layer = 0; layer < surface->def.layerCount; ++layer)
	{
		const size_t texel = surface->texelBytes[layer];
		uint8_t* own = surface->texels[layer] + (size_t)tile * surface->tileBytes[layer];
		bool changed = false;
		for (int row = -halo; row < TN_SURFACE_TILE + halo; ++row)
		{
			const bool aside = row < 0 || row >= TN_SURFACE_TILE;
			for (int column = -halo; column < TN_SURFACE_TILE + halo; ++column)
			{
				if (!aside && column == 0)
				{
					column = TN_SURFACE_TILE - 1;
					continue;
				}
				const int c = tnClampInt(box.columnBegin + column, 0, surface->columnCount - 1);
				const int r = tnClampInt(box.rowBegin + row, 0, surface->rowCount - 1);
				const uint8_t* from = surface->texels[layer] +
					(size_t)tnSurface_FindTile(surface, c, r) * surface->tileBytes[layer] +
					((size_t)(r % TN_SURFACE_TILE + halo) * (size_t)size + (size_t)(c % TN_SURFACE_TILE + halo)) *
						texel;
				uint8_t* to = own + ((size_t)(row + halo) * (size_t)size + (size_t)(column + halo)) * texel;
				if (memcmp(to, from, texel) != 0)
				{
					memcpy(to, from, texel);
					changed = true;
				}
			}
		}
		surface->changed[tile] |= (uint8_t)(changed ? 1u << layer : 0u);
	}
}
