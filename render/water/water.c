// SPDX-License-Identifier: MIT

// The water on the GPU: the tiles of a surface that have changed, and tracers.

#include "water/water.h"

#include "gl/vectors.h"

#include <stdlib.h>
#include <string.h>

// Layers of the surface.
enum
{
	heightLayer,
	flowLayer,
	waveLayer,
};

bool tnrMakeWater(tnrWater* water, const tnWorld* world)
{
	const tnWorldDef def = tnWorld_GetDef(world);
	const size_t cellCount = (size_t)def.columnCount * (size_t)def.rowCount;
	*water = (tnrWater){.columnCount = def.columnCount,
		.rowCount = def.rowCount,
		.cellSize = def.cellSize,
		.gravity = def.gravity,
		.tracerCount = def.tracerCount,
		.hasFoam = def.foam.enable};
	// Waves have textures of their own, which are finer.
	tnSurfaceDef surface = tnDefaultSurfaceDef();
	surface.addWaves = false;
	const bool hasTracers = def.tracerCount > 0;
	if (hasTracers)
	{
		water->tracers = calloc(cellCount * (size_t)def.tracerCount, sizeof(float));
		water->halves = malloc(cellCount * sizeof(uint16_t) * 4);
	}
	if (tnCreateSurface(world, &surface, &water->surface).status != tn_ok ||
		(hasTracers && (water->tracers == NULL || water->halves == NULL)))
	{
		tnrForgetWater(water);
		return false;
	}
	const int columns = def.columnCount, rows = def.rowCount;
	water->surfaceTexture = tnrMakeTexture(GL_R32F, columns, rows, 1, GL_NEAREST, GL_CLAMP_TO_EDGE);
	water->flowTexture = tnrMakeTexture(GL_RGBA16F, columns, rows, 1, GL_LINEAR, GL_CLAMP_TO_EDGE);
	water->waveTexture = tnrMakeTexture(GL_RGBA16F, columns, rows, 1, GL_LINEAR, GL_CLAMP_TO_EDGE);
	water->tracerTexture =
		tnrMakeTexture(GL_RGBA16F, hasTracers ? columns : 1, hasTracers ? rows : 1, 1, GL_LINEAR, GL_CLAMP_TO_EDGE);
	return true;
}

void tnrDestroyWater(tnrWater* water)
{
	glDeleteTextures(1, &water->surfaceTexture);
	glDeleteTextures(1, &water->flowTexture);
	glDeleteTextures(1, &water->waveTexture);
	glDeleteTextures(1, &water->tracerTexture);
	tnrForgetWater(water);
}

void tnrForgetWater(tnrWater* water)
{
	tnDestroySurface(water->surface);
	free(water->tracers);
	free(water->halves);
	memset(water, 0, sizeof(*water));
}

// Upload a layer of all tiles in which it has changed.
static void tnrUploadLayer(const tnrWater* water, tnSurfaceChanges changes, int layer, GLenum format, GLenum type)
{
	for (int i = 0; i < changes.count; ++i)
	{
		tnSurfaceTile tile;
		if ((changes.items[i].layers >> layer & 1u) != 0 &&
			tnSurface_GetTile(water->surface, changes.items[i].tile, &tile).status == tn_ok)
		{
			glTexSubImage2D(
				GL_TEXTURE_2D, 0, tile.column, tile.row, tile.columns, tile.rows, format, type, tile.texels[layer]);
		}
	}
}

static void tnrUploadTiles(const tnrWater* water, tnSurfaceChanges changes)
{
	if (changes.count == 0)
	{
		return;
	}
	glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
	glPixelStorei(GL_UNPACK_ROW_LENGTH, TN_SURFACE_TILE_SIZE);
	tnrBindTexture(tnr_surfaceUnit, water->surfaceTexture);
	tnrUploadLayer(water, changes, heightLayer, GL_RED, GL_FLOAT);
	tnrBindTexture(tnr_flowUnit, water->flowTexture);
	tnrUploadLayer(water, changes, flowLayer, GL_RGBA, GL_HALF_FLOAT);
	tnrBindTexture(tnr_waveUnit, water->waveTexture);
	tnrUploadLayer(water, changes, waveLayer, GL_RGBA, GL_HALF_FLOAT);
	glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

static float tnrGetHeight(const tnrWater* water, int column, int row)
{
	const int tileColumns = (water->columnCount + TN_SURFACE_TILE_SIZE - 1) / TN_SURFACE_TILE_SIZE;
	tnSurfaceTile tile;
	if (tnSurface_GetTile(
			water->surface, row / TN_SURFACE_TILE_SIZE * tileColumns + column / TN_SURFACE_TILE_SIZE, &tile)
			.status != tn_ok)
	{
		return -INFINITY;
	}
	return ((const float*)tile.texels[heightLayer])[(row - tile.row) * TN_SURFACE_TILE_SIZE + column - tile.column];
}

bool tnrFindLevel(const tnrWater* water, const tnrGround* ground, float x, float z, float* level)
{
	// Beyond the edges what is at them goes on.
	const float column = tnrClamp(x / water->cellSize - 0.5f, 0.0f, (float)(water->columnCount - 1));
	const float row = tnrClamp(z / water->cellSize - 0.5f, 0.0f, (float)(water->rowCount - 1));
	const int c = (int)column, r = (int)row;
	const int c1 = c + 1 < water->columnCount ? c + 1 : c, r1 = r + 1 < water->rowCount ? r + 1 : r;
	const float fx = column - (float)c, fz = row - (float)r;
	*level = tnrMix(tnrMix(tnrGetHeight(water, c, r), tnrGetHeight(water, c1, r), fx),
		tnrMix(tnrGetHeight(water, c, r1), tnrGetHeight(water, c1, r1), fx), fz);
	const size_t n = (size_t)water->columnCount;
	const float* bed = ground->bed;
	const float low = tnrMix(tnrMix(bed[(size_t)r * n + (size_t)c], bed[(size_t)r * n + (size_t)c1], fx),
		tnrMix(bed[(size_t)r1 * n + (size_t)c], bed[(size_t)r1 * n + (size_t)c1], fx), fz);
	return *level > low;
}

static void tnrCopyTracers(tnrWater* water, const tnWorld* world)
{
	const size_t columns = (size_t)water->columnCount;
	for (int channel = 0; channel < water->tracerCount; ++channel)
	{
		const tnFieldView tracer = tnWorld_GetTracer(world, channel);
		float* to = water->tracers + (size_t)channel * columns * (size_t)water->rowCount;
		for (int row = 0; row < water->rowCount && tracer.data != NULL; ++row)
		{
			memcpy(
				to + (size_t)row * columns, tracer.data + (size_t)row * (size_t)tracer.stride, columns * sizeof(float));
		}
	}
	water->tracersAreStale = true;
}

void tnrUpdateWater(tnrWater* water, const tnWorld* world, float alpha)
{
	if (tnSurface_Update(water->surface, world, alpha).status != tn_ok)
	{
		return;
	}
	water->subSteps = tnWorld_GetStats(world).subStepsWanted;
	water->maxDepth = water->maxSpeed = 0.0f;
	for (int i = 0; i < tnSurface_GetTileCount(water->surface); ++i)
	{
		tnSurfaceTile tile;
		tnSurface_GetTile(water->surface, i, &tile);
		water->maxDepth = fmaxf(water->maxDepth, tile.maxDepth);
		water->maxSpeed = fmaxf(water->maxSpeed, tile.maxSpeed);
	}
	if (water->tracerCount > 0)
	{
		tnrCopyTracers(water, world);
	}
	tnrUploadTiles(water, tnSurface_TakeChanges(water->surface));
}

void tnrMixTracers(tnrWater* water, const tnrLook* look)
{
	const bool same = memcmp(water->tracerColors, look->tracerColors, sizeof(look->tracerColors)) == 0 &&
		memcmp(water->tracerDensity, look->tracerDensity, sizeof(look->tracerDensity)) == 0;
	if (water->tracerCount == 0 || (same && water->tracersAreStale == false))
	{
		return;
	}
	memcpy(water->tracerColors, look->tracerColors, sizeof(look->tracerColors));
	memcpy(water->tracerDensity, look->tracerDensity, sizeof(look->tracerDensity));
	water->tracersAreStale = false;
	const size_t cellCount = (size_t)water->columnCount * (size_t)water->rowCount;
	for (size_t i = 0; i < cellCount; ++i)
	{
		tnVec3 color = {0.0f, 0.0f, 0.0f};
		float density = 0.0f;
		for (int channel = 0; channel < water->tracerCount; ++channel)
		{
			const float amount =
				tnrClamp(water->tracers[(size_t)channel * cellCount + i], 0.0f, 100.0f) * look->tracerDensity[channel];
			color = tnrAddScaled(color, look->tracerColors[channel], amount);
			density += amount;
		}
		uint16_t* texel = water->halves + i * 4;
		texel[0] = tnrMakeHalf(color.x);
		texel[1] = tnrMakeHalf(color.y);
		texel[2] = tnrMakeHalf(color.z);
		texel[3] = tnrMakeHalf(density);
	}
	glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
	tnrBindTexture(tnr_tracerUnit, water->tracerTexture);
	glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, water->columnCount, water->rowCount, GL_RGBA, GL_HALF_FLOAT, water->halves);
}
