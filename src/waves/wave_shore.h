// SPDX-License-Identifier: MIT

#pragma once

#include "wave_fit.h"
#include "wave_pool.h"

// Waves over shallow ground hand energy to waves of half their length, in the next finer band. See wave_shore.c.

// Of a tile of level 1 or more to the up to four tiles of the next finer level above it, over one step. Reads a halo of
// 1 of its heights and rates. Writes its own cells and those of the finer tiles, never a halo: tiles of one level may
// run at the same time, levels one after the other, coarse first.
// @param slots of the finer tiles, -1 for none: [2 * row + column]
// @param depths by cell, m, stride TN_WAVE_STRIDE, 0 or less where it is dry; NULL if all of the tile has tile->depth
// @param gravity m/s^2
// @return which finer tiles got something: bit 2 * row + column. They may have been at rest: the caller wakes them.
int tnWaveShore_HandTo(
	const tnWavePool* pool, int slot, const int slots[4], const float* depths, float gravity, float timeStep);

static inline int tnWaveShore_HandDown(
	const tnWavePool* pool, int slot, const float* depths, float gravity, float timeStep)
{
	const tnWaveTile* tile = pool->tiles + slot;
	int children[4] = {-1, -1, -1, -1};
	for (int i = 0; i < 4; ++i)
	{
		children[i] = tnWavePool_FindChild(pool, tile, i);
	}
	return tnWaveShore_HandTo(pool, slot, children, depths, gravity, timeStep);
}

// Share of its energy that a wave of an amplitude hands down, 1/s.
// @param waveNumber typical of the band, 1/m: tnGetTypicalWaveNumber
float tnGetHandDownRate(float waveNumber, float depth, float amplitude, float gravity);
