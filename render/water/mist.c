// SPDX-License-Identifier: MIT

// Mist over places where spray comes down hard.

#include "water/mist.h"

#include "gl/vectors.h"

#include <stdlib.h>
#include <string.h>

// Blocks are about so wide, meters.
#define BLOCK 1.2f
// s: what lands within this time counts for one look; the mean is over the second one.
#define LOOK_TIME 0.05f
#define MEMORY 0.8f
// W/m^2: half of the mist that there can be. Water that falls 5 m, 0.06 m^3/s on each square meter.
#define HALF_POWER 3000.0f
// Less than this is no mist.
#define LEAST_SHARE 0.06f
// s that a puff lasts, and puffs of a block at one time.
#define LIFE 3.5f
#define PUFFS 5
#define COVER 0.13f

bool tnrMakeMist(tnrMist* mist, const tnWorld* world)
{
	const tnWorldDef def = tnWorld_GetDef(world);
	*mist = (tnrMist){.wind = def.spray.wind, .time = -1.0};
	if (def.spray.enable == false)
	{
		return true;
	}
	mist->cells = tnrClampInt((int)(BLOCK / def.cellSize + 0.5f), 1, 1024);
	mist->columnCount = (def.columnCount + mist->cells - 1) / mist->cells;
	mist->rowCount = (def.rowCount + mist->cells - 1) / mist->cells;
	mist->power = calloc((size_t)mist->columnCount * (size_t)mist->rowCount, sizeof(float));
	return mist->power != NULL;
}

void tnrForgetMist(tnrMist* mist)
{
	free(mist->power);
	*mist = (tnrMist){0};
}

void tnrUpdateMist(tnrMist* mist, const tnrWater* water, const tnWorld* world)
{
	const double time = tnWorld_GetTime(world);
	const double passed = mist->time >= 0.0 ? fmax(time - mist->time, 0.0) : (double)MEMORY;
	if (mist->power == NULL || passed == 0.0)
	{
		return;
	}
	mist->time = time;
	const float keep = expf(-(float)passed / MEMORY);
	const size_t count = (size_t)mist->columnCount * (size_t)mist->rowCount;
	for (size_t i = 0; i < count; ++i)
	{
		mist->power[i] *= keep;
	}
	const tnSprayInstances spray = tnSurface_GetSpray(water->surface);
	const tnVec2 origin = tnWorld_GetDef(world).origin;
	const float side = (float)mist->cells * water->cellSize;
	// Half of the density of water, over the area and the time of a look.
	const float factor = (1.0f - keep) * 500.0f / (side * side * LOOK_TIME);
	for (int i = 0; i < spray.count; ++i)
	{
		const tnSprayInstance* particle = spray.items + i;
		if (particle->timeToLand < LOOK_TIME)
		{
			const int column = (int)((particle->position.x - origin.x) / side);
			const int row = (int)((particle->position.z - origin.z) / side);
			const tnVec3 v = particle->velocity;
			mist->power[row * mist->columnCount + column] +=
				factor * particle->volume * (v.x * v.x + v.y * v.y + v.z * v.z);
		}
	}
}

// In [0, 1): a number for a puff, and one more for each `which`.
static float tnrGetChance(uint32_t seed, uint32_t which)
{
	uint32_t x = seed * 0x9E3779B1u + which * 0x85EBCA6Bu;
	x ^= x >> 15;
	x *= 0x2C1B3C6Du;
	x ^= x >> 12;
	return (float)(x >> 8) / 16777216.0f;
}

static tnrPuff tnrMakePuff(const tnrMist* mist, const tnrWater* water, int block, int index, double time, float share)
{
	const int column = block % mist->columnCount, row = block / mist->columnCount;
	const float side = (float)mist->cells * water->cellSize;
	const uint32_t own = (uint32_t)(block * PUFFS + index);
	const double lives = time / LIFE + (double)tnrGetChance(own, 0u);
	const uint32_t seed = own + 7919u * (uint32_t)((int64_t)lives & 0xFFFF);
	const float age = (float)(lives - floor(lives));
	const int cellX = tnrClampInt((int)(((float)column + 0.5f) * (float)mist->cells), 0, water->columnCount - 1);
	const int cellZ = tnrClampInt((int)(((float)row + 0.5f) * (float)mist->cells), 0, water->rowCount - 1);
	const float surface = tnSurface_Get(water->surface, tn_surfaceHeight, cellX, cellZ);
	// It is thrown up and outwards, slows down, and goes with the wind.
	const float thrown = 1.0f - (1.0f - age) * (1.0f - age);
	const float size = 0.5f + share;
	const float spread = side * (1.0f + 4.5f * thrown);
	tnrPuff puff;
	puff.place.x = ((float)column + 0.5f) * side + spread * (tnrGetChance(seed, 1u) - 0.5f) + mist->wind.x * age;
	puff.place.z = ((float)row + 0.5f) * side + spread * (tnrGetChance(seed, 2u) - 0.5f) + mist->wind.z * age;
	puff.place.y = surface + size * (0.15f + (0.5f + 2.2f * tnrGetChance(seed, 3u)) * thrown);
	puff.radius = size * (0.6f + 1.5f * thrown) * fmaxf(side / BLOCK, 0.5f);
	puff.cover = COVER * share * tnrSmoothStep(0.0f, 0.12f, age) * (1.0f - tnrSmoothStep(0.3f, 1.0f, age));
	puff.seed = tnrGetChance(seed, 4u);
	return puff;
}

int tnrMakePuffs(const tnrMist* mist, const tnrWater* water, double time, tnrPuff* puffs)
{
	int count = 0;
	for (int block = 0; block < mist->columnCount * mist->rowCount && mist->power != NULL; ++block)
	{
		const float share = mist->power[block] / (mist->power[block] + HALF_POWER);
		for (int i = 0; i < PUFFS && share > LEAST_SHARE && count < tnr_mostPuffs; ++i)
		{
			puffs[count++] = tnrMakePuff(mist, water, block, i, time, share);
		}
	}
	return count;
}
