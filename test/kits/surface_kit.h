// SPDX-License-Identifier: MIT

#pragma once

// Worlds for tests of the surface, and surfaces of them.

#include <tarn/tarn.h>

#include <math.h>

static const float s_step = 1.0f / 60.0f;

// All channels as floats, so that nothing is rounded.
static inline tnSurfaceDef GetFloats(int halo)
{
	tnSurfaceDef def = tnDefaultSurfaceDef();
	def.halo = halo;
	def.layerCount = 3;
	def.layers[0] = (tnSurfaceLayerDef){
		tn_surfaceFloats, {tn_surfaceHeight, tn_surfaceDepth, tn_surfaceVelocityX, tn_surfaceVelocityZ}, 4};
	def.layers[1] =
		(tnSurfaceLayerDef){tn_surfaceFloats, {tn_surfaceSlopeX, tn_surfaceSlopeZ, tn_surfaceBend, tn_surfaceShown}, 4};
	def.layers[2] = (tnSurfaceLayerDef){tn_surfaceFloats, {tn_surfaceNormalX, tn_surfaceNormalY, tn_surfaceBed}, 3};
	return def;
}

// Hills with lakes, brooks and brinks; more than two tiles along x, and neither side a multiple of anything.
enum
{
	columnCount = 150,
	rowCount = 87,
};

static inline float GetHill(int column, int row)
{
	const float x = (float)column, z = (float)row;
	float height = 2.0f * sinf(x * 0.11f) * cosf(z * 0.13f) + 0.03f * x;
	height += column > 70 && column < 90 ? 2.5f : 0.0f;
	height += row == 40 && column % 9 != 0 ? 1.5f : 0.0f;
	return height;
}

static inline tnWorld* MakeHills(tnWorldDef def)
{
	static float bed[columnCount * rowCount], depth[columnCount * rowCount];
	def.columnCount = columnCount;
	def.rowCount = rowCount;
	def.cellSize = 0.5f;
	def.origin = (tnVec2){-13.0f, 7.5f};
	def.keepPrevious = true;
	tnWorld* world = NULL;
	if (tnCreateWorld(&def, &world).status != tn_ok)
	{
		return NULL;
	}
	for (int row = 0; row < rowCount; ++row)
	{
		for (int column = 0; column < columnCount; ++column)
		{
			const int cell = row * columnCount + column;
			bed[cell] = GetHill(column, row);
			const float level = 1.2f + 0.3f * sinf((float)column * 0.4f);
			depth[cell] = level > bed[cell] && column < 120 ? level - bed[cell] : 0.0f;
		}
	}
	tnWorld_SetTerrain(world, bed);
	tnWorld_SetDepths(world, depth);
	return world;
}

static inline bool StepMany(tnWorld* world, int count)
{
	bool ok = true;
	for (int i = 0; i < count && ok; ++i)
	{
		ok = tnWorld_Step(world, s_step).status == tn_ok;
	}
	return ok;
}

static inline bool AddWave(tnWorld* world, tnVec2 place, float radius, float height)
{
	const tnWaveEllipse ellipse = {place, {1.0f, 0.0f}, {radius, radius}, height};
	return tnWorld_AddWave(world, NULL, &ellipse).status == tn_ok;
}

static inline tnBodyId AddBox(tnWorld* world, tnVec3 place, tnVec3 half, float mass)
{
	tnShapeDef shape = tnDefaultShapeDef();
	shape.halfExtents = half;
	tnBodyDef def = tnDefaultBodyDef();
	def.shapes = &shape;
	def.shapeCount = 1;
	def.mass = mass;
	def.pose.position = place;
	def.pose.rotation = (tnQuat){0.0f, 0.0f, 0.0f, 1.0f};
	tnBodyId id = {0};
	tnWorld_CreateBody(world, &def, &id);
	return id;
}

static inline uint64_t HashSurface(const tnSurface* surface, const tnSurfaceDef* def, uint64_t hash)
{
	const size_t size = TN_SURFACE_TILE_SIZE + 2 * (size_t)def->halo;
	for (int i = 0; i < tnSurface_GetTileCount(surface); ++i)
	{
		tnSurfaceTile tile;
		tnSurface_GetTile(surface, i, &tile);
		for (int layer = 0; layer < def->layerCount; ++layer)
		{
			const size_t number = def->layers[layer].format == tn_surfaceHalves ? 2 : 4;
			const uint8_t* bytes = tile.texels[layer];
			for (size_t j = 0; j < size * size * (size_t)def->layers[layer].channelCount * number; ++j)
			{
				hash = (hash ^ bytes[j]) * 0x100000001B3ull;
			}
		}
	}
	return hash;
}
