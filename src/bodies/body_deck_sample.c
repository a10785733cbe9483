// SPDX-License-Identifier: MIT

// What a host asks about the water on decks.

#include "body_deck.h"

#include <math.h>
#include <string.h>

// The cell around a place. False if it is outside of the world.
static bool tnFindColumn(const tnGrid* grid, tnVec2 position, int* column, int* row)
{
	if (!tnIsFinite(position.x) || !tnIsFinite(position.z) || !tnGrid_Contains(grid, position))
	{
		return false;
	}
	*column = tnClampInt((int)(((double)position.x - grid->origin.x) / grid->cellSize), 0, grid->columnCount - 1);
	*row = tnClampInt((int)(((double)position.z - grid->origin.z) / grid->cellSize), 0, grid->rowCount - 1);
	return true;
}

static float tnGetVelocity(const tnDeckCell* deck, int side)
{
	const float depth = (float)deck->depth;
	return depth > TN_WET_DEPTH ? 0.5f * (deck->flow[side] + deck->flow[side + 1]) / depth : 0.0f;
}

tnVec2 tnDeckCell_GetVelocity(const tnDeckCell* deck)
{
	return (tnVec2){tnGetVelocity(deck, tn_deckWest), tnGetVelocity(deck, tn_deckNorth)};
}

tnDeckSample tnSampleDeck(const tnDecks* decks, const tnGrid* grid, tnVec2 position)
{
	tnDeckSample sample = {0};
	int column = 0, row = 0;
	if (decks->count == 0 || !tnFindColumn(grid, position, &column, &row))
	{
		return sample;
	}
	const tnDeckCell* deck = tnDecks_Find(decks, tnGrid_Index(grid, column, row));
	if (deck == NULL)
	{
		return sample;
	}
	sample.covered = true;
	sample.underside = deck->underside;
	sample.bed = deck->bed;
	sample.surface = deck->bed;
	if (!(deck->depth > 0.0))
	{
		return sample;
	}
	// Between the centres of cells that have water; nearest first, so that mirrored places have mirrored bits.
	const tnVec2 center = tnGrid_GetCenter(grid, column, row);
	const float offX = (position.x - center.x) / grid->cellSize;
	const float offZ = (position.z - center.z) / grid->cellSize;
	const int32_t besideX = deck->beside[offX < 0.0f ? tn_deckWest : tn_deckEast];
	const int32_t besideZ = deck->beside[offZ < 0.0f ? tn_deckNorth : tn_deckSouth];
	const tnDeckCell* cells[3] = {
		deck, besideX >= 0 ? decks->cells + besideX : NULL, besideZ >= 0 ? decks->cells + besideZ : NULL};
	const float x = tnAbsFloat(offX);
	const float z = tnAbsFloat(offZ);
	const float weights[3] = {1.0f - (x + z), x, z};
	float sums[6] = {0};
	for (int i = 0; i < 3; ++i)
	{
		const tnDeckCell* cell = cells[i] != NULL && cells[i]->depth > 0.0 ? cells[i] : deck;
		const tnVec2 velocity = tnDeckCell_GetVelocity(cell);
		const float values[5] = {
			cell->bed, (float)tnDeckCell_GetSurface(cell), (float)cell->depth, velocity.x, velocity.z};
		for (int k = 0; k < 5; ++k)
		{
			sums[k] += weights[i] * values[k];
		}
	}
	sample.bed = sums[0];
	sample.surface = tnMaxFloat(sums[1], sums[0]);
	sample.depth = tnMaxFloat(sums[2], 0.0f);
	sample.velocity = (tnVec2){sums[3], sums[4]};
	sample.wet = sample.depth > TN_WET_DEPTH;
	return sample;
}

// How much a surface rises along an axis, over a meter.
static float tnGetRise(const tnDecks* decks, const tnGrid* grid, const tnDeckCell* deck, int side)
{
	const int32_t before = deck->beside[side];
	const int32_t after = deck->beside[side + 1];
	const tnDeckCell* first = before >= 0 && decks->cells[before].depth > 0.0 ? decks->cells + before : deck;
	const tnDeckCell* second = after >= 0 && decks->cells[after].depth > 0.0 ? decks->cells + after : deck;
	const float cells = (first != deck ? 1.0f : 0.0f) + (second != deck ? 1.0f : 0.0f);
	const float rise = (float)(tnDeckCell_GetSurface(second) - tnDeckCell_GetSurface(first));
	return cells > 0.0f ? rise / (cells * grid->cellSize) : 0.0f;
}

void tnDecks_AddToSample(const tnDecks* decks, const tnGrid* grid, tnVec2 position, tnSample* sample)
{
	if (decks->wetCount == 0)
	{
		return;
	}
	const tnDeckSample deck = tnSampleDeck(decks, grid, position);
	if (!(deck.depth > 0.0f))
	{
		return;
	}
	int column = 0, row = 0;
	tnFindColumn(grid, position, &column, &row);
	const tnDeckCell* cell = tnDecks_Find(decks, tnGrid_Index(grid, column, row));
	const float riseX = tnGetRise(decks, grid, cell, tn_deckWest);
	const float riseZ = tnGetRise(decks, grid, cell, tn_deckNorth);
	const float length = sqrtf(1.0f + (riseX * riseX + riseZ * riseZ));
	sample->bed = deck.bed;
	sample->surface = deck.surface;
	sample->depth = deck.surface - deck.bed;
	sample->velocity = deck.velocity;
	sample->normal = (tnVec3){-riseX / length, 1.0f / length, -riseZ / length};
	memset(sample->tracers, 0, sizeof(sample->tracers));
	sample->foam = 0.0f;
	sample->wet = deck.wet;
}

int tnDecks_Copy(const tnDecks* decks, const tnGrid* grid, float* depths, float* surfaces)
{
	const size_t bytes = (size_t)grid->columnCount * (size_t)grid->rowCount * sizeof(float);
	float* fields[2] = {depths, surfaces};
	for (int i = 0; i < 2; ++i)
	{
		if (fields[i] != NULL)
		{
			memset(fields[i], 0, bytes);
		}
	}
	int count = 0;
	for (int i = 0; i < decks->count; ++i)
	{
		const tnDeckCell* deck = decks->cells + i;
		if (!(deck->depth > 0.0))
		{
			continue;
		}
		const size_t at =
			(size_t)(deck->cell / grid->stride) * (size_t)grid->columnCount + (size_t)(deck->cell % grid->stride);
		count += 1;
		if (depths != NULL)
		{
			depths[at] = (float)deck->depth;
		}
		if (surfaces != NULL)
		{
			surfaces[at] = (float)tnDeckCell_GetSurface(deck);
		}
	}
	return count;
}
