// SPDX-License-Identifier: MIT

#pragma once

// Small worlds with rough ground and odd sizes, of which answers are known or can be found the slow way.

#include "harness.h"
#include "tarn/tarn.h"

#include <math.h>
#include <string.h>

enum
{
	// Odd and unequal, and larger than a tile along x.
	columnCount = 71,
	rowCount = 23,
	cellCount = columnCount * rowCount,
};

static const float s_cellSize = 0.5f;
static const tnVec2 s_origin = {-8.0f, 3.0f};

static inline tnWorldDef MakeDef(void)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columnCount;
	def.rowCount = rowCount;
	def.cellSize = s_cellSize;
	def.origin = s_origin;
	return def;
}

static inline tnVec2 GetCenter(int column, int row)
{
	return (tnVec2){s_origin.x + ((float)column + 0.5f) * s_cellSize, s_origin.z + ((float)row + 0.5f) * s_cellSize};
}

// A place between the centres of the outermost cells.
static inline tnVec2 RandomPlace(TestRandom* random)
{
	const tnVec2 low = GetCenter(0, 0);
	const tnVec2 high = GetCenter(columnCount - 1, rowCount - 1);
	return (tnVec2){TestRandomFloat(random, low.x, high.x), TestRandomFloat(random, low.z, high.z)};
}

// A world with some ground and some water. NULL on failure.
static inline tnWorld* CreateWorld(const tnWorldDef* def, const float* heights, const float* depths)
{
	tnWorld* world = NULL;
	if (tnCreateWorld(def, &world).status != tn_ok)
	{
		return NULL;
	}
	if (tnWorld_SetTerrain(world, heights).status != tn_ok || tnWorld_SetDepths(world, depths).status != tn_ok)
	{
		tnDestroyWorld(world);
		return NULL;
	}
	return world;
}

// Rough ground, half of it under water of all depths, films and puddles included.
static inline void MakeRoughField(uint64_t seed, float* heights, float* depths)
{
	TestRandom random = TestMakeRandom(seed);
	for (int i = 0; i < cellCount; ++i)
	{
		heights[i] = TestRandomFloat(&random, 0.0f, 1.5f);
		const int kind = TestRandomInt(&random, 0, 9);
		depths[i] = kind < 3
			? 0.0f
			: (kind < 4 ? TestRandomFloat(&random, 0.0f, 2.0e-3f) : TestRandomFloat(&random, 0.0f, 1.0f));
		if (kind >= 7)
		{
			depths[i] = fmaxf(0.9f - heights[i], 0.0f);
		}
	}
}

static inline bool SameBits(const tnSample* a, const tnSample* b)
{
	return memcmp(&a->surface, &b->surface, sizeof(float)) == 0 && memcmp(&a->bed, &b->bed, sizeof(float)) == 0 &&
		memcmp(&a->depth, &b->depth, sizeof(float)) == 0 && memcmp(&a->velocity, &b->velocity, sizeof(tnVec2)) == 0 &&
		memcmp(&a->normal, &b->normal, sizeof(tnVec3)) == 0 &&
		memcmp(a->tracers, b->tracers, sizeof(a->tracers)) == 0 && a->wet == b->wet && a->inside == b->inside;
}
