// SPDX-License-Identifier: MIT

// Coefficients of varied tiles, for one time step each: 134 KB (80 with 25 taps), and a fifth of a millisecond to make. Hosts
// that take steps of two lengths by turns would make them anew all the time. There are tnWavesDef.keptSteps for each tile that the
// pool may have, and one that needs no more than that never loses them; what others leave, because they are not there or have one
// depth, goes to those who ask for more.
//
// They are a function of what a tile knows of its bed and of the time step. So it changes no bit which of them are here.

#include "wave_kept_coefficients.h"

// The one of a tile that was not used for the longest time, of its list.
static int tnFindOldest(const tnWavePool* pool, const tnWaveTile* tile)
{
	int oldest = 0;
	for (int i = 1; i < tile->keptCount; ++i)
	{
		// As a difference, for numbers of uses come round.
		const uint32_t age = pool->use - pool->kept[tile->kept[i]].use;
		oldest = age > pool->use - pool->kept[tile->kept[oldest]].use ? i : oldest;
	}
	return oldest;
}

// Take from a tile that has more than its share. There is one if none are free and another has less.
static int tnTakeFromOther(tnWavePool* pool)
{
	for (int i = 0; i < pool->capacity; ++i)
	{
		tnWaveTile* tile = pool->tiles + pool->nextGiver;
		if (tile->keptCount > pool->keptSteps)
		{
			const int oldest = tnFindOldest(pool, tile);
			const int index = tile->kept[oldest];
			tile->kept[oldest] = tile->kept[--tile->keptCount];
			return index;
		}
		pool->nextGiver = (pool->nextGiver + 1) % pool->capacity;
	}
	TN_ASSERT(false);
	return -1;
}

bool tnWavePool_UseKept(tnWavePool* pool, int slot, float timeStep)
{
	tnWaveTile* tile = pool->tiles + slot;
	int index = -1;
	for (int i = 0; i < tile->keptCount; ++i)
	{
		index = pool->kept[tile->kept[i]].timeStep == timeStep ? tile->kept[i] : index;
	}
	const bool isNew = index < 0;
	if (isNew)
	{
		if (tile->keptCount < TN_WAVE_MOST_KEPT && pool->freeKeptCount > 0)
		{
			index = pool->freeKept[--pool->freeKeptCount];
			tile->kept[tile->keptCount++] = index;
		}
		else if (tile->keptCount < pool->keptSteps)
		{
			index = tnTakeFromOther(pool);
			tile->kept[tile->keptCount++] = index;
		}
		else
		{
			index = tile->kept[tnFindOldest(pool, tile)];
		}
	}
	tnWaveKept* kept = pool->kept + index;
	kept->timeStep = timeStep;
	kept->use = ++pool->use;
	for (int field = 0; field < TN_WAVE_KEPT_FIELDS; ++field)
	{
		tile->fields[tn_waveRest + field] = kept->fields[field];
	}
	return isNew;
}
