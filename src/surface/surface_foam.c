// SPDX-License-Identifier: MIT

// Foam of worlds that have none of their own: for looks only. It is made where the kernels say, where waves break, where spray
// comes down and where bodies stir the water; it drifts with the flow and fades.

#include "surface.h"

#include "../core/numerics.h"

#include <math.h>
#include <string.h>

enum
{
	// Foam drifts so many cells between two updates at most.
	TN_MOST_DRIFT = 7,
	TN_FOAM_MARGIN = TN_MOST_DRIFT + 1,
	TN_FOAM_BLOCK = TN_SURFACE_TILE + 2 * TN_FOAM_MARGIN,
};

// Spray is a splash so many seconds before it lands.
#define TN_SPLASH_TIME 0.05f

static float tnSmoothStep(float low, float high, float value)
{
	const float share = tnClampFloat((value - low) / (high - low), 0.0f, 1.0f);
	return share * share * (3.0f - 2.0f * share);
}

// Foam in a disc, most in its middle. Place and radius in cells.
static void tnAddSplash(tnSurface* surface, float x, float z, float radius, float foam)
{
	const bool near = x + radius >= 0.0f && z + radius >= 0.0f && x - radius <= (float)surface->columnCount &&
		z - radius <= (float)surface->rowCount;
	if (!(foam > 0.0f && near) || surface->splashCount >= surface->splashCapacity)
	{
		return;
	}
	surface->splashes[surface->splashCount++] = (tnSurfaceSplash){x, z, radius, foam};
	const int left = tnClampInt((int)(x - radius), 0, surface->columnCount - 1) / TN_SURFACE_TILE;
	const int right = tnClampInt((int)(x + radius), 0, surface->columnCount - 1) / TN_SURFACE_TILE;
	const int top = tnClampInt((int)(z - radius), 0, surface->rowCount - 1) / TN_SURFACE_TILE;
	const int bottom = tnClampInt((int)(z + radius), 0, surface->rowCount - 1) / TN_SURFACE_TILE;
	for (int row = top; row <= bottom; ++row)
	{
		for (int column = left; column <= right; ++column)
		{
			surface->tiles[row * surface->tileColumnCount + column].splashed = true;
		}
	}
}

void tnSurface_FindSplashes(tnSurface* surface)
{
	const tnWorld* world = surface->world;
	const tnVec2 origin = world->grid.origin;
	const float perMeter = 1.0f / surface->cellSize;
	for (int tile = 0; tile < surface->tileCount; ++tile)
	{
		surface->tiles[tile].splashed = false;
	}
	surface->splashCount = 0;
	// Of the same state they are known.
	if (world->stats.stepCount == surface->stepCount)
	{
		return;
	}
	// Where waves broke in the last step: as wide as the crest is long, whiter the higher it was.
	for (int i = 0; world->waves.enabled && i < world->waves.breakerCount; ++i)
	{
		const tnBreaker* breaker = &world->waves.breakers[i];
		// Lower crests than these turn over without a sound.
		const float made = 0.9f * tnSmoothStep(0.01f, 0.06f, breaker->amplitude);
		const float radius = tnMaxFloat(0.25f * breaker->wavelength * perMeter, 0.5f);
		if (radius < 64.0f)
		{
			tnAddSplash(surface, (breaker->position.x - origin.x) * perMeter - 0.5f,
				(breaker->position.z - origin.z) * perMeter - 0.5f, radius, made);
		}
	}
	// Where spray is about to come down: some times as wide as what falls, whiter the faster.
	for (int i = 0; i < surface->sprayCount; ++i)
	{
		const tnSprayInstance* drop = surface->spray + i;
		if (drop->timeToLand < TN_SPLASH_TIME)
		{
			const float width = 8.0f * (float)tnCubeRoot((double)drop->volume) * perMeter;
			tnAddSplash(surface, (drop->position.x - origin.x) * perMeter - 0.5f,
				(drop->position.z - origin.z) * perMeter - 0.5f, tnClampFloat(width, 1.2f, 16.0f),
				tnSmoothStep(1.0f, 7.0f, -drop->velocity.y));
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Drift

static bool tnHasFoamAround(const tnSurface* surface, int tile)
{
	const int column = tile % surface->tileColumnCount, row = tile / surface->tileColumnCount;
	for (int i = 0; i < 9; ++i)
	{
		const int c = column + i % 3 - 1, r = row + i / 3 - 1;
		if (c >= 0 && r >= 0 && c < surface->tileColumnCount && r < surface->tileRowCount &&
			surface->tiles[r * surface->tileColumnCount + c].foams)
		{
			return true;
		}
	}
	return false;
}

// The foam of the last update in a tile and around it; beyond the edges of the world as at them.
static void tnCopyOldFoam(const tnSurface* surface, tnCellBox box, float* out)
{
	for (int row = 0; row < TN_FOAM_BLOCK; ++row)
	{
		const int r = tnClampInt(box.rowBegin + row - TN_FOAM_MARGIN, 0, surface->rowCount - 1);
		for (int column = 0; column < TN_FOAM_BLOCK;)
		{
			const int wanted = box.columnBegin + column - TN_FOAM_MARGIN;
			const int c = tnClampInt(wanted, 0, surface->columnCount - 1);
			const int tile = tnSurface_FindTile(surface, c, r);
			const float* from = surface->foam[surface->tiles[tile].side] + tnSurface_GetFieldBegin(tile) +
				(ptrdiff_t)(r % TN_SURFACE_TILE) * TN_SURFACE_TILE;
			const int left = TN_SURFACE_TILE - c % TN_SURFACE_TILE;
			const int inside = tnMinInt(tnMinInt(left, surface->columnCount - c), TN_FOAM_BLOCK - column);
			const int count = wanted == c ? inside : 1;
			float* to = out + (ptrdiff_t)row * TN_FOAM_BLOCK + column;
			if (surface->tiles[tile].foams)
			{
				memcpy(to, from + c % TN_SURFACE_TILE, (size_t)count * sizeof(float));
			}
			else
			{
				memset(to, 0, (size_t)count * sizeof(float));
			}
			column += count;
		}
	}
}

bool tnSurface_DriftFoam(const tnSurface* surface, tnCellBox box, int tile, tnSurfaceScratch* scratch)
{
	if (!tnHasFoamAround(surface, tile))
	{
		return false;
	}
	float* old = scratch->oldFoam;
	tnCopyOldFoam(surface, box, old);
	const float shift = surface->passed / surface->cellSize, most = (float)TN_MOST_DRIFT;
	const float keep = surface->keepFoam;
	for (int row = 0; row < box.rowEnd - box.rowBegin; ++row)
	{
		const float* u = scratch->velocityX + tnSurface_GetBlockIndex(0, row);
		const float* w = scratch->velocityZ + tnSurface_GetBlockIndex(0, row);
		float* out = scratch->drifted + (ptrdiff_t)row * TN_SURFACE_TILE;
		for (int i = 0; i < TN_SURFACE_TILE; ++i)
		{
			const float x = (float)(i + TN_FOAM_MARGIN) - tnClampFloat(u[i] * shift, -most, most);
			const float z = (float)(row + TN_FOAM_MARGIN) - tnClampFloat(w[i] * shift, -most, most);
			const int column = (int)x, line = (int)z;
			const float fx = x - (float)column, fz = z - (float)line;
			const float* at = old + (ptrdiff_t)line * TN_FOAM_BLOCK + column;
			const float above = at[0] + (at[1] - at[0]) * fx;
			const float below = at[TN_FOAM_BLOCK] + (at[TN_FOAM_BLOCK + 1] - at[TN_FOAM_BLOCK]) * fx;
			out[i] = (above + (below - above) * fz) * keep;
		}
	}
	return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Splashes and bodies

// What a body stirs up that is over a cell, at the height of the surface, and moves against the water.
static float tnStirFoam(const tnSurface* surface, int from, float height, float u, float w)
{
	const tnSurfaceCover* cover = &surface->cover;
	if (cover->kind[from] == tn_coverNone || cover->high[from] < height ||
		(cover->low[from] > height && cover->kind[from] != tn_coverWall))
	{
		return 0.0f;
	}
	const float x = cover->velocity[from].x - u, z = cover->velocity[from].z - w;
	return 0.75f * tnSmoothStep(0.5f, 3.0f, sqrtf(x * x + z * z));
}

static void tnStirTile(const tnSurface* surface, tnCellBox box, const tnSurfaceScratch* scratch, float* foam)
{
	for (int row = 0; row < box.rowEnd - box.rowBegin; ++row)
	{
		for (int column = 0; column < box.columnEnd - box.columnBegin; ++column)
		{
			const ptrdiff_t at = tnSurface_GetBlockIndex(column, row);
			const int c = box.columnBegin + column, r = box.rowBegin + row, cell = r * surface->columnCount + c;
			float* own = foam + (ptrdiff_t)row * TN_SURFACE_TILE + column;
			const int places[5] = {cell, c > 0 ? cell - 1 : cell, c < surface->columnCount - 1 ? cell + 1 : cell,
				r > 0 ? cell - surface->columnCount : cell,
				r < surface->rowCount - 1 ? cell + surface->columnCount : cell};
			for (int i = 0; i < 5 && scratch->depth[at] > TN_WET_DEPTH; ++i)
			{
				*own = tnMaxFloat(*own,
					tnStirFoam(
						surface, places[i], scratch->surface[at], scratch->velocityX[at], scratch->velocityZ[at]));
			}
		}
	}
}

static void tnSplashTile(const tnSurfaceSplash* splash, tnCellBox box, const tnSurfaceScratch* scratch, float* foam)
{
	const float reach = splash->radius;
	const int left = tnMaxInt((int)(splash->x - reach), box.columnBegin);
	const int right = tnMinInt((int)(splash->x + reach) + 1, box.columnEnd - 1);
	const int top = tnMaxInt((int)(splash->z - reach), box.rowBegin);
	const int bottom = tnMinInt((int)(splash->z + reach) + 1, box.rowEnd - 1);
	for (int row = top; row <= bottom; ++row)
	{
		for (int column = left; column <= right; ++column)
		{
			const float dx = ((float)column - splash->x) / reach, dz = ((float)row - splash->z) / reach;
			const float made = splash->foam * tnClampFloat(1.0f - dx * dx - dz * dz, 0.0f, 1.0f);
			float* own = foam + (ptrdiff_t)(row - box.rowBegin) * TN_SURFACE_TILE + (column - box.columnBegin);
			const ptrdiff_t at = tnSurface_GetBlockIndex(column - box.columnBegin, row - box.rowBegin);
			if (made > *own && scratch->depth[at] > TN_WET_DEPTH)
			{
				*own = made;
			}
		}
	}
}

bool tnSurface_AddSplashes(const tnSurface* surface, tnCellBox box, const tnSurfaceScratch* scratch, float* foam)
{
	if (surface->cover.any && surface->cover.cellCount > 0)
	{
		tnStirTile(surface, box, scratch, foam);
	}
	for (int i = 0; i < surface->splashCount; ++i)
	{
		tnSplashTile(surface->splashes + i, box, scratch, foam);
	}
	for (int i = 0; i < TN_SURFACE_TILE * (box.rowEnd - box.rowBegin); ++i)
	{
		if (foam[i] > 0.0f)
		{
			return true;
		}
	}
	return false;
}
