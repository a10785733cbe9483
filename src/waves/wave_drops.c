// SPDX-License-Identifier: MIT

// Drops that fall on the wave layer.
//
// They are cubic B-splines of 4 x 4 cells of the finest level: the shortest wave of that level is 4 cells long, and
// keeps 2/3 of its height. All drops of a block of 256 x 256 cells are one displacement.

#include "wave_drops.h"

#include "wave_entry.h"

#include <math.h>

// Drops make waves in bands where they are at least this share of the height at which waves rest. Waves of drops add up
// like their square roots: 4096 drops in one place come to that height.
#define TN_DROP_SHARE (1.0f / 64.0f)

enum
{
	TN_DROP_BLOCK = 256,
	// Cells beside that of a drop.
	TN_DROP_REACH = 2,
};

// Weights of the cells from `cell - 1` on, for a place `rest` behind the middle of `cell`.
static void tnGetSpline(float rest, float weights[4])
{
	const float t = rest;
	const float s = 1.0f - rest;
	weights[0] = s * s * s * (1.0f / 6.0f);
	weights[3] = t * t * t * (1.0f / 6.0f);
	weights[1] = (2.0f / 3.0f) - t * t * (1.0f - 0.5f * t);
	weights[2] = (2.0f / 3.0f) - s * s * (1.0f - 0.5f * s);
}

// First cell of the 4 x 4 that a drop takes. False if it is outside of the world.
static bool tnGetDropPlace(const tnWavePool* pool, const tnWaveDrop* drop, int place[2], float rest[2])
{
	const float positions[2] = {drop->position.x, drop->position.z};
	const float origins[2] = {pool->origin.x, pool->origin.z};
	const int counts[2] = {pool->columnCount[0], pool->rowCount[0]};
	for (int axis = 0; axis < 2; ++axis)
	{
		float inside;
		const int cell = tnWavePool_GetCell(pool, 0, positions[axis], origins[axis], &inside);
		if (cell < 0 || cell >= counts[axis])
		{
			return false;
		}
		const bool isBefore = inside < 0.5f;
		rest[axis] = isBefore ? inside + 0.5f : inside - 0.5f;
		place[axis] = (isBefore ? cell - 1 : cell) - 1;
	}
	return true;
}

static int tnGetDropBlock(int place)
{
	// Places begin at -2.
	return (place + TN_DROP_REACH) / TN_DROP_BLOCK;
}

static void tnAddDropsOfBlock(tnWaves* waves, const tnWaveDrop* drops, int count, int blockColumn, int blockRow)
{
	const tnWavePool* pool = &waves->pool;
	int low[2] = {0, 0}, high[2] = {-1, -1};
	bool any = false;
	// A quick look first: is it in the block, or beside it?
	const float blockSize = (float)TN_DROP_BLOCK * pool->cellSize[0];
	const float centerX = pool->origin.x + ((float)blockColumn + 0.5f) * blockSize;
	const float centerZ = pool->origin.z + ((float)blockRow + 0.5f) * blockSize;
	const float reach = blockSize;
	for (int pass = 0; pass < 2; ++pass)
	{
		tnWavePatch patch = {0};
		if (pass == 1)
		{
			if (!any)
			{
				return;
			}
			patch = tnBeginWaveEntry(
				waves->entryScratch, (tnWaveBox){low[0], low[1], high[0] - low[0] + 4, high[1] - low[1] + 4});
		}
		const double perArea = 1.0 / ((double)pool->cellSize[0] * pool->cellSize[0]);
		for (int i = 0; i < count; ++i)
		{
			int place[2];
			float rest[2];
			if (!(fabsf(drops[i].position.x - centerX) <= reach && fabsf(drops[i].position.z - centerZ) <= reach))
			{
				continue;
			}
			if (!tnGetDropPlace(pool, drops + i, place, rest) || tnGetDropBlock(place[0]) != blockColumn ||
				tnGetDropBlock(place[1]) != blockRow)
			{
				continue;
			}
			if (pass == 0)
			{
				for (int axis = 0; axis < 2; ++axis)
				{
					low[axis] = any ? tnMinInt(low[axis], place[axis]) : place[axis];
					high[axis] = any ? tnMaxInt(high[axis], place[axis]) : place[axis];
				}
				any = true;
				continue;
			}
			float weightsX[4], weightsZ[4];
			tnGetSpline(rest[0], weightsX);
			tnGetSpline(rest[1], weightsZ);
			const float height = (float)(drops[i].volume * perArea);
			for (int r = 0; r < 4; ++r)
			{
				float* out = patch.values + (ptrdiff_t)(place[1] - low[1] + r) * patch.stride + (place[0] - low[0]);
				for (int c = 0; c < 4; ++c)
				{
					out[c] += height * (weightsX[c] * weightsZ[r]);
				}
			}
		}
		if (pass == 1)
		{
			tnWaves_Enter(waves, &patch, TN_DROP_SHARE * waves->def.restHeight);
		}
	}
}

void tnWaves_AddPoints(tnWaves* waves, const tnWaveDrop* drops, int count)
{
	const tnWavePool* pool = &waves->pool;
	int low[2] = {0, 0}, high[2] = {-1, -1};
	for (int i = 0; i < count; ++i)
	{
		int place[2];
		float rest[2];
		if (!tnGetDropPlace(pool, drops + i, place, rest))
		{
			continue;
		}
		for (int axis = 0; axis < 2; ++axis)
		{
			const int block = tnGetDropBlock(place[axis]);
			low[axis] = high[axis] < 0 ? block : tnMinInt(low[axis], block);
			high[axis] = tnMaxInt(high[axis], block);
		}
	}
	for (int row = low[1]; row <= high[1]; ++row)
	{
		for (int column = low[0]; column <= high[0]; ++column)
		{
			tnAddDropsOfBlock(waves, drops, count, column, row);
		}
	}
}

tnResult tnWaves_CheckDrops(const tnWaveDrop* drops, int count)
{
	const float far = 10.0f * TN_MAX_LENGTH;
	const float largest = 1.0e6f;
	if (count < 0)
	{
		return tnFail(tn_invalidArgument, "count must be at least 0, got %d", count);
	}
	if (count > 0 && drops == NULL)
	{
		return tnFail(tn_invalidArgument, "drops must not be NULL for a count of %d", count);
	}
	for (int i = 0; i < count; ++i)
	{
		const tnVec2 p = drops[i].position;
		if (!(tnAbsFloat(p.x) <= far && tnAbsFloat(p.z) <= far))
		{
			return tnFail(tn_invalidArgument, "drops[%d].position must be within %g along each axis, got (%g, %g)", i,
				(double)far, (double)p.x, (double)p.z);
		}
		if (!(tnAbsFloat(drops[i].volume) <= largest))
		{
			return tnFail(tn_invalidArgument, "drops[%d].volume must be in [%g, %g], got %g", i, -(double)largest,
				(double)largest, (double)drops[i].volume);
		}
	}
	return tnSuccess();
}
