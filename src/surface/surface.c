// SPDX-License-Identifier: MIT

// The life of a surface, and the order of an update: what bodies cover ─→ which tiles may be others ─→ these, by all workers
// ─→ halos ─→ spray.
//
// A tile is made anew if anything it is made from may have changed: cells of it or beside it (tnTiles.changes), the moment between
// two states that differ, bodies, waves, foam and wetness that fade. Whether a bit of it really is another is found by comparing
// while it is written, so what the host is told is exact.

#include "surface.h"

#include "../core/def_checks.h"
#include "../core/numerics.h"

#include <math.h>
#include <string.h>

// Foam that is guessed falls to 1/e in this time, seconds.
#define TN_GUESSED_FOAM_LIFE 2.0
// Longest time over which foam and wetness fade at once, seconds: a game that was paused has not dried out.
#define TN_LONGEST_FADING 0.25

tnSurfaceDef tnDefaultSurfaceDef(void)
{
	tnSurfaceDef def = {0};
	def.layerCount = 3;
	def.layers[0] = (tnSurfaceLayerDef){tn_surfaceFloats, {tn_surfaceHeight}, 1};
	def.layers[1] = (tnSurfaceLayerDef){
		tn_surfaceHalves, {tn_surfaceDepth, tn_surfaceVelocityX, tn_surfaceVelocityZ, tn_surfaceFoam}, 4};
	def.layers[2] = (tnSurfaceLayerDef){
		tn_surfaceHalves, {tn_surfaceSlopeX, tn_surfaceSlopeZ, tn_surfaceWetness, tn_surfaceBend}, 4};
	def.addWaves = true;
	def.guessFoam = true;
	def.dryingTime = 12.0f;
	def.stamp = TN_DEF_STAMP;
	return def;
}

static bool tnCheckLayer(tnResult* result, const tnSurfaceLayerDef* layer, int index)
{
	if ((int)layer->format < 0 || layer->format >= tn_surfaceFormatCount)
	{
		*result = tnFail(tn_invalidArgument, "layers[%d].format must be in [0, %d], got %d", index,
			tn_surfaceFormatCount - 1, (int)layer->format);
		return false;
	}
	if (layer->channelCount < 1 || layer->channelCount > TN_MAX_SURFACE_CHANNELS)
	{
		*result = tnFail(tn_invalidArgument, "layers[%d].channelCount must be in [1, %d], got %d", index,
			TN_MAX_SURFACE_CHANNELS, layer->channelCount);
		return false;
	}
	for (int i = 0; i < layer->channelCount; ++i)
	{
		if ((int)layer->channels[i] < 0 || layer->channels[i] >= tn_surfaceChannelCount)
		{
			*result = tnFail(tn_invalidArgument, "layers[%d].channels[%d] must be in [0, %d], got %d", index, i,
				tn_surfaceChannelCount - 1, (int)layer->channels[i]);
			return false;
		}
	}
	return true;
}

static tnResult tnCheckSurfaceDef(const tnSurfaceDef* def)
{
	tnResult result = tnSuccess();
	if (def == NULL)
	{
		return tnFail(tn_invalidArgument, "def must not be NULL");
	}
	if (def->stamp != TN_DEF_STAMP)
	{
		return tnFail(tn_invalidArgument, "def must come from tnDefaultSurfaceDef, got stamp %u", (unsigned)def->stamp);
	}
	bool ok = tnCheckCount(&result, "layerCount", def->layerCount, 1, TN_MAX_SURFACE_LAYERS) &&
		tnCheckCount(&result, "halo", def->halo, 0, TN_MAX_SURFACE_HALO) &&
		tnCheckRange(&result, "dryingTime", def->dryingTime, 0.01f, 1000.0f);
	for (int i = 0; ok && i < def->layerCount; ++i)
	{
		ok = tnCheckLayer(&result, def->layers + i, i);
	}
	return result;
}

// Bytes of a field of numbers of all cells of all tiles.
static size_t tnGetFieldBytes(const tnSurface* surface)
{
	return (size_t)surface->tileCount * TN_SURFACE_TILE * TN_SURFACE_TILE * sizeof(float);
}

static void tnFreeSurface(tnSurface* surface)
{
	tnMemory* memory = &surface->memory;
	const size_t count = (size_t)surface->tileCount;
	for (int i = 0; i < surface->def.layerCount; ++i)
	{
		tnMemory_Free(memory, surface->texels[i], surface->layerBytes[i]);
	}
	tnMemory_Free(memory, surface->tiles, count * sizeof(tnSurfaceTileState));
	tnMemory_Free(memory, surface->dirty, count);
	tnMemory_Free(memory, surface->changed, count);
	tnMemory_Free(memory, surface->pending, count);
	tnMemory_Free(memory, surface->list, count * sizeof(int));
	tnMemory_Free(memory, surface->changes, count * sizeof(tnSurfaceChange));
	tnMemory_Free(memory, surface->foam[0], tnGetFieldBytes(surface));
	tnMemory_Free(memory, surface->foam[1], tnGetFieldBytes(surface));
	tnMemory_Free(memory, surface->wetness, tnGetFieldBytes(surface));
	tnMemory_Free(memory, surface->splashes, (size_t)surface->splashCapacity * sizeof(tnSurfaceSplash));
	tnMemory_Free(memory, surface->scratch, (size_t)surface->workerCount * sizeof(tnSurfaceScratch));
	tnMemory_Free(memory, surface->spray, (size_t)surface->sprayCapacity * sizeof(tnSprayInstance));
	tnSurface_FreeCover(surface);
	tnMemory last = surface->memory;
	tnMemory_Free(&last, surface, sizeof(tnSurface));
}

static bool tnAllocateSurface(tnSurface* surface)
{
	tnMemory* memory = &surface->memory;
	const size_t count = (size_t)surface->tileCount;
	const size_t size = TN_SURFACE_TILE + 2 * (size_t)surface->def.halo;
	bool ok = (surface->tiles = tnMemory_Alloc(memory, count * sizeof(tnSurfaceTileState))) != NULL;
	ok = ok && (surface->dirty = tnMemory_Alloc(memory, count)) != NULL;
	ok = ok && (surface->changed = tnMemory_Alloc(memory, count)) != NULL;
	ok = ok && (surface->pending = tnMemory_Alloc(memory, count)) != NULL;
	ok = ok && (surface->list = tnMemory_Alloc(memory, count * sizeof(int))) != NULL;
	ok = ok && (surface->changes = tnMemory_Alloc(memory, count * sizeof(tnSurfaceChange))) != NULL;
	ok = ok &&
		(surface->scratch = tnMemory_Alloc(memory, (size_t)surface->workerCount * sizeof(tnSurfaceScratch))) != NULL;
	for (int i = 0; i < surface->def.layerCount && ok; ++i)
	{
		const tnSurfaceLayerDef* layer = surface->def.layers + i;
		surface->texelBytes[i] =
			(size_t)layer->channelCount * (layer->format == tn_surfaceHalves ? sizeof(uint16_t) : sizeof(float));
		surface->tileBytes[i] = size * size * surface->texelBytes[i];
		surface->layerBytes[i] = count * surface->tileBytes[i];
		ok = (surface->texels[i] = tnMemory_Alloc(memory, surface->layerBytes[i])) != NULL;
	}
	if (surface->guesses)
	{
		const tnWorld* world = surface->world;
		ok = ok && (surface->foam[0] = tnMemory_Alloc(memory, tnGetFieldBytes(surface))) != NULL;
		ok = ok && (surface->foam[1] = tnMemory_Alloc(memory, tnGetFieldBytes(surface))) != NULL;
		surface->splashCapacity = (world->waves.enabled ? world->waves.pool.capacity : 0) +
			(world->def.spray.enable ? world->def.spray.capacity : 0);
		const size_t bytes = (size_t)surface->splashCapacity * sizeof(tnSurfaceSplash);
		ok = ok && (bytes == 0 || (surface->splashes = tnMemory_Alloc(memory, bytes)) != NULL);
	}
	if (surface->has[tn_surfaceWetness])
	{
		ok = ok && (surface->wetness = tnMemory_Alloc(memory, tnGetFieldBytes(surface))) != NULL;
	}
	surface->sprayCapacity = surface->world->def.spray.enable ? surface->world->def.spray.capacity : 0;
	const size_t sprayBytes = (size_t)surface->sprayCapacity * sizeof(tnSprayInstance);
	return ok && (sprayBytes == 0 || (surface->spray = tnMemory_Alloc(memory, sprayBytes)) != NULL);
}

// Pads beside rows are never written: what lies there is outside.
static void tnClearScratch(tnSurface* surface)
{
	for (int worker = 0; worker < surface->workerCount; ++worker)
	{
		for (int i = 0; i < TN_SURFACE_CELLS; ++i)
		{
			surface->scratch[worker].rings[i] = TN_SURFACE_OUTSIDE;
		}
	}
}

tnResult tnCreateSurface(const tnWorld* world, const tnSurfaceDef* def, tnSurface** surface)
{
	if (surface != NULL)
	{
		*surface = NULL;
	}
	tnResult result = tnWorld_CheckReady(world);
	result =
		result.status == tn_ok && surface == NULL ? tnFail(tn_invalidArgument, "surface must not be NULL") : result;
	result = result.status == tn_ok ? tnCheckSurfaceDef(def) : result;
	if (result.status != tn_ok)
	{
		return tnWorld_Report(world, result);
	}
	tnMemory memory;
	tnMemory_Init(&memory, &world->def.allocator, 0);
	tnSurface* made = tnMemory_Alloc(&memory, sizeof(tnSurface));
	if (made == NULL)
	{
		return tnWorld_Report(world, tnFail(tn_outOfMemory, "out of memory for a surface"));
	}
	made->world = world;
	made->def = *def;
	made->memory = memory;
	made->kernels = tnGetSurfaceKernels(world->def.simd);
	made->columnCount = world->grid.columnCount;
	made->rowCount = world->grid.rowCount;
	made->tileColumnCount = world->tiles.columnCount;
	made->tileRowCount = world->tiles.rowCount;
	made->tileCount = world->tiles.count;
	made->cellSize = world->grid.cellSize;
	// As many as the world may ever use: tnWorld_SetWorkerCount.
	made->workerCount = world->workerCount;
	made->time = -1.0;
	made->stepCount = -1;
	for (int i = 0; i < def->layerCount; ++i)
	{
		for (int j = 0; j < def->layers[i].channelCount; ++j)
		{
			made->has[def->layers[i].channels[j]] = true;
		}
	}
	made->guesses = made->has[tn_surfaceFoam] && def->guessFoam && world->grid.foam == NULL;
	if (!tnAllocateSurface(made))
	{
		result =
			tnFail(tn_outOfMemory, "out of memory for a surface of %d * %d cells", made->columnCount, made->rowCount);
		tnFreeSurface(made);
		return tnWorld_Report(world, result);
	}
	tnClearScratch(made);
	*surface = made;
	return result;
}

void tnDestroySurface(tnSurface* surface)
{
	if (surface != NULL && surface->isBusy)
	{
		(void)tnWorld_Report(surface->world,
			tnFail(tn_notAvailable, "surface is being updated: tasks must not destroy the surface that they work for"));
	}
	else if (surface != NULL)
	{
		tnFreeSurface(surface);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Update

static void tnMarkAround(tnSurface* surface, int tile)
{
	const int column = tile % surface->tileColumnCount, row = tile / surface->tileColumnCount;
	const bool wrapX = surface->world->grid.wrapX, wrapZ = surface->world->grid.wrapZ;
	for (int i = 0; i < 9; ++i)
	{
		int c = column + i % 3 - 1, r = row + i / 3 - 1;
		c = wrapX ? (c + surface->tileColumnCount) % surface->tileColumnCount : c;
		r = wrapZ ? (r + surface->tileRowCount) % surface->tileRowCount : r;
		if (c >= 0 && r >= 0 && c < surface->tileColumnCount && r < surface->tileRowCount)
		{
			surface->dirty[r * surface->tileColumnCount + c] = 1;
		}
	}
}

// Which tiles may be others. Returns how many there are in the list.
static int tnListDirtyTiles(tnSurface* surface, bool first, bool otherMoment)
{
	const tnWorld* world = surface->world;
	const bool stepped = world->stats.stepCount != surface->stepCount;
	memset(surface->dirty, first ? 1 : 0, (size_t)surface->tileCount);
	for (int tile = 0; tile < surface->tileCount; ++tile)
	{
		tnSurfaceTileState* state = surface->tiles + tile;
		const bool foams = world->grid.foam != NULL && world->foam.carried[tile] != 0;
		const bool touched = state->seen != world->tiles.changes[tile];
		const bool between = otherMoment && state->moves;
		const bool lifted = stepped && state->lifted;
		const bool covered = surface->cover.any && surface->cover.hashes[tile] != surface->cover.hashesBefore[tile];
		if (touched || between || lifted || covered)
		{
			tnMarkAround(surface, tile);
		}
		const bool fades = surface->passed > 0.0f && (state->dries || state->foams);
		const bool foamChanges = stepped && surface->has[tn_surfaceFoam] && (foams || state->hasFoam);
		// Hosts add waves between steps, too, and nobody counts that.
		const bool waves = state->wavy || state->waved;
		surface->dirty[tile] |= fades || foamChanges || waves || state->splashed ? 1 : 0;
		state->hasFoam = foams;
		state->waved = state->wavy;
		state->seen = world->tiles.changes[tile];
		state->edits = world->tiles.edits[tile];
		state->awake = world->tiles.awake[tile] != 0;
	}
	int count = 0;
	for (int tile = 0; tile < surface->tileCount; ++tile)
	{
		surface->changed[tile] = first ? 0xFF : 0;
		if (surface->dirty[tile] != 0)
		{
			surface->list[count++] = tile;
		}
	}
	return count;
}

static void tnMakeListedTile(int item, int workerIndex, void* context)
{
	tnSurface* surface = context;
	tnSurface_MakeTile(surface, surface->list[item], tnSurface_GetScratch(surface, workerIndex));
}

static void tnFillListedHalo(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	tnSurface* surface = context;
	tnSurface_FillHalo(surface, surface->list[item]);
}

// Halos of tiles that have changed, or that are beside one that has.
static void tnFillHalos(tnSurface* surface)
{
	memset(surface->dirty, 0, (size_t)surface->tileCount);
	for (int tile = 0; tile < surface->tileCount; ++tile)
	{
		if (surface->changed[tile] != 0)
		{
			tnMarkAround(surface, tile);
		}
	}
	int count = 0;
	for (int tile = 0; tile < surface->tileCount; ++tile)
	{
		if (surface->dirty[tile] != 0)
		{
			surface->list[count++] = tile;
		}
	}
	tnParallelFor(surface->world->parallel, count, tnFillListedHalo, surface);
}

static tnResult tnCheckUpdate(const tnSurface* surface, const tnWorld* world, float alpha)
{
	if (surface == NULL)
	{
		return tnFail(tn_invalidArgument, "surface must not be NULL");
	}
	if (world != surface->world)
	{
		return tnFail(tn_invalidArgument, "world must be the one that the surface was made of");
	}
	if (!(alpha >= 0.0f && alpha <= 1.0f))
	{
		return tnFail(tn_invalidArgument, "alpha must be in [0, 1], got %g", (double)alpha);
	}
	return tnSuccess();
}

tnResult tnSurface_Update(tnSurface* surface, const tnWorld* world, float alpha)
{
	tnResult result = tnWorld_CheckReady(world);
	result = result.status == tn_ok ? tnCheckUpdate(surface, world, alpha) : result;
	if (result.status != tn_ok)
	{
		return tnWorld_Report(world, result);
	}
	surface->isBusy = true;
	const bool first = surface->time < 0.0;
	const float share = world->grid.previousDepth != NULL ? alpha : 1.0f;
	const bool otherMoment = share != surface->alpha;
	const double passed = first || world->time < surface->time ? 0.0 : world->time - surface->time;
	surface->passed = (float)(passed < TN_LONGEST_FADING ? passed : TN_LONGEST_FADING);
	surface->keepWetness = (float)tnExp(-(double)surface->passed / surface->def.dryingTime);
	surface->keepFoam = (float)tnExp(-(double)surface->passed / TN_GUESSED_FOAM_LIFE);
	surface->alpha = share;
	const double timeStep = world->stats.stepCount > 0 ? world->time / (double)world->stats.stepCount : 0.0;
	surface->back = (1.0f - share) * (float)timeStep;
	if (!tnSurface_UpdateCover(surface))
	{
		surface->isBusy = false;
		return tnWorld_Report(
			world, tnFail(tn_outOfMemory, "out of memory for %d bodies in a surface", world->bodies.count));
	}
	tnSurface_UpdateSpray(surface);
	tnSurface_FindWaves(surface);
	if (surface->guesses)
	{
		tnSurface_FindSplashes(surface);
	}
	const int count = tnListDirtyTiles(surface, first, otherMoment);
	tnParallelFor(world->parallel, count, tnMakeListedTile, surface);
	for (int i = 0; i < count && surface->guesses; ++i)
	{
		tnSurfaceTileState* state = surface->tiles + surface->list[i];
		state->side ^= 1;
		state->foams = state->foamsNext;
	}
	if (surface->def.halo > 0 && count > 0)
	{
		tnFillHalos(surface);
	}
	const uint8_t allLayers = (uint8_t)((1u << surface->def.layerCount) - 1u);
	for (int tile = 0; tile < surface->tileCount; ++tile)
	{
		surface->pending[tile] |= surface->changed[tile] & allLayers;
	}
	surface->time = world->time;
	surface->stepCount = world->stats.stepCount;
	surface->isBusy = false;
	return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Asking

int tnSurface_GetTileCount(const tnSurface* surface)
{
	return surface != NULL ? surface->tileCount : 0;
}

tnResult tnSurface_GetTile(const tnSurface* surface, int index, tnSurfaceTile* tile)
{
	if (surface == NULL || tile == NULL)
	{
		return tnFail(tn_invalidArgument, surface == NULL ? "surface must not be NULL" : "tile must not be NULL");
	}
	*tile = (tnSurfaceTile){0};
	if (index < 0 || index >= surface->tileCount)
	{
		return tnFail(tn_invalidArgument, "index must be in [0, %d], got %d", surface->tileCount - 1, index);
	}
	const tnCellBox box = tnSurface_GetBox(surface, index);
	const tnSurfaceTileState* state = surface->tiles + index;
	*tile = (tnSurfaceTile){
		.column = box.columnBegin,
		.row = box.rowBegin,
		.columns = box.columnEnd - box.columnBegin,
		.rows = box.rowEnd - box.rowBegin,
		.size = TN_SURFACE_TILE + 2 * surface->def.halo,
		.halo = surface->def.halo,
		.lowest = state->bounds.lowest,
		.highest = state->bounds.highest,
		.maxDepth = state->bounds.deepest,
		.maxSpeed = sqrtf(state->bounds.fastest),
		.awake = state->awake,
		.edits = state->edits,
	};
	for (int i = 0; i < surface->def.layerCount; ++i)
	{
		tile->texels[i] = surface->texels[i] + (size_t)index * surface->tileBytes[i];
	}
	return tnSuccess();
}

tnSurfaceChanges tnSurface_TakeChanges(tnSurface* surface)
{
	tnSurfaceChanges changes = {0};
	if (surface == NULL || surface->time < 0.0)
	{
		return changes;
	}
	for (int tile = 0; tile < surface->tileCount; ++tile)
	{
		if (surface->pending[tile] != 0)
		{
			surface->changes[changes.count] = (tnSurfaceChange){tile, surface->pending[tile]};
			changes.count += 1;
		}
	}
	memset(surface->pending, 0, (size_t)surface->tileCount);
	changes.items = surface->changes;
	return changes;
}

static float tnReadHalf(uint16_t half)
{
	// Halves of tarn are normal numbers or zero.
	const uint32_t sign = (uint32_t)(half & 0x8000u) << 16, rest = half & 0x7FFFu;
	const uint32_t bits = rest == 0 ? sign : sign | ((rest << 13) + 0x38000000u);
	float value;
	memcpy(&value, &bits, sizeof(value));
	return value;
}

float tnSurface_Get(const tnSurface* surface, tnSurfaceChannel channel, int column, int row)
{
	if (surface == NULL || column < 0 || row < 0 || column >= surface->columnCount || row >= surface->rowCount)
	{
		return 0.0f;
	}
	const size_t halo = (size_t)surface->def.halo, size = TN_SURFACE_TILE + 2 * halo;
	const size_t texel = ((size_t)(row % TN_SURFACE_TILE) + halo) * size + (size_t)(column % TN_SURFACE_TILE) + halo;
	for (int i = 0; i < surface->def.layerCount; ++i)
	{
		const tnSurfaceLayerDef* layer = surface->def.layers + i;
		for (int j = 0; j < layer->channelCount; ++j)
		{
			if (layer->channels[j] != channel)
			{
				continue;
			}
			const uint8_t* from = surface->texels[i] +
				(size_t)tnSurface_FindTile(surface, column, row) * surface->tileBytes[i] +
				texel * surface->texelBytes[i];
			float value = 0.0f;
			uint16_t half = 0;
			if (layer->format == tn_surfaceFloats)
			{
				memcpy(&value, from + (size_t)j * sizeof(value), sizeof(value));
				return value;
			}
			memcpy(&half, from + (size_t)j * sizeof(half), sizeof(half));
			return tnReadHalf(half);
		}
	}
	return 0.0f;
}
