// SPDX-License-Identifier: MIT

#pragma once

#include "water/water.h"

// Mist over places where spray comes down. A coarse map remembers how hard water falls on each block of cells, and for how
// long; over blocks where it falls hard puffs rise, drift with the wind and dissolve. Nothing of it is state of the world.

typedef struct tnrMist
{
	// Power of what comes down, W/m^2, by block, a mean over the last seconds. NULL without spray.
	float* power;
	int columnCount, rowCount, cells; // cells along a block
	tnVec2 wind;
	double time; // of the world, of the last update; negative before the first
} tnrMist;

// A puff as the spray draws it.
typedef struct tnrPuff
{
	tnVec3 place; // m, from the origin of the world
	float radius, cover;
	float seed; // in [0, 1)
} tnrPuff;

enum
{
	tnr_mostPuffs = 1536,
};

// @return false without memory
bool tnrMakeMist(tnrMist* mist, const tnWorld* world);
void tnrForgetMist(tnrMist* mist);
// Remember what is about to land.
void tnrUpdateMist(tnrMist* mist, const tnrWater* water, const tnWorld* world);
// @param time of the picture, s @return puffs, tnr_mostPuffs at most
int tnrMakePuffs(const tnrMist* mist, const tnrWater* water, double time, tnrPuff* puffs);
