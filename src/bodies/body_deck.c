// SPDX-License-Identifier: MIT

// The life of decks, what falls on them, and the order of their step.

#include "body_deck.h"

#include "../core/hash.h"
#include "../flow/cell_disc.h"

#include <string.h>

// Smaller bodies are no deck: half the diagonal, in cells. Slabs of two cells by two are.
#define TN_DECK_RADIUS 1.25f

int64_t tnDecks_GetColumnLimit(const tnGrid* grid, const tnBody* body)
{
	return body->mesh.radius >= TN_DECK_RADIUS * grid->cellSize ? body->cut.columnCapacity : 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Memory

// Lay the arrays into a block, which may be NULL. Returns how many bytes that takes.
static size_t tnDecks_Lay(tnDecks* decks, char* block, int columnCapacity, int capacity)
{
	tnCarver carver = {.block = block};
	decks->columnCapacity = columnCapacity;
	decks->capacity = capacity;
	decks->groundCapacity = 2 * capacity;
	decks->cells = tnCarve(&carver, (size_t)capacity * sizeof(tnDeckCell));
	decks->kept = tnCarve(&carver, (size_t)capacity * sizeof(tnDeckKept));
	decks->grounds = tnCarve(&carver, (size_t)decks->groundCapacity * sizeof(tnDeckGround));
	decks->columns[0] = tnCarve(&carver, (size_t)columnCapacity * sizeof(tnDeckColumn));
	decks->columns[1] = tnCarve(&carver, (size_t)columnCapacity * sizeof(tnDeckColumn));
	return carver.used;
}

bool tnDecks_Reserve(tnDecks* decks, tnMemory* memory, const tnGrid* grid, int64_t columnCount)
{
	if (columnCount <= decks->columnCapacity)
	{
		return true;
	}
	// Twice as much as there was: bodies come one by one.
	const int64_t doubled = 2 * (int64_t)decks->columnCapacity;
	const int64_t wanted = columnCount > doubled ? columnCount : doubled;
	const int64_t cellCount = (int64_t)grid->columnCount * grid->rowCount;
	if (wanted > INT32_MAX / 8)
	{
		return false;
	}
	tnDecks grown = *decks;
	const int capacity = (int)(wanted < cellCount ? wanted : cellCount);
	grown.blockBytes = tnDecks_Lay(&grown, NULL, (int)wanted, capacity);
	grown.block = tnMemory_Alloc(memory, grown.blockBytes);
	if (grown.block == NULL)
	{
		return false;
	}
	tnDecks_Lay(&grown, grown.block, (int)wanted, capacity);
	if (decks->block != NULL)
	{
		memcpy(grown.cells, decks->cells, (size_t)decks->count * sizeof(tnDeckCell));
		memcpy(grown.grounds, decks->grounds, (size_t)decks->groundCount * sizeof(tnDeckGround));
		memcpy(grown.columns[0], decks->columns[0], (size_t)decks->columnCount * sizeof(tnDeckColumn));
		tnMemory_Free(memory, decks->block, decks->blockBytes);
	}
	*decks = grown;
	return true;
}

void tnDecks_Destroy(tnDecks* decks, tnMemory* memory)
{
	tnMemory_Free(memory, decks->block, decks->blockBytes);
	memset(decks, 0, sizeof(*decks));
}

void tnDecks_Release(tnDecks* decks, tnMemory* memory, tnGrid* grid, tnTiles* tiles)
{
	for (int i = 0; i < decks->count; ++i)
	{
		tnDecks_Drop(decks, grid, tiles, decks->cells[i].cell, decks->cells[i].depth);
	}
	for (int i = 0; i < decks->groundCount; ++i)
	{
		decks->loose += decks->grounds[i].pending;
	}
	tnMemory_Free(memory, decks->block, decks->blockBytes);
	const tnDecks empty = {
		.loose = decks->loose,
		.gravity = decks->gravity,
		.friction = decks->friction,
		.manning = decks->manning,
	};
	*decks = empty;
}

// ---------------------------------------------------------------------------------------------------------------------
// What falls on them

void tnDecks_Watch(tnDecks* decks, const tnGrid* grid)
{
	for (int i = 0; i < decks->count; ++i)
	{
		decks->cells[i].before = grid->depth[decks->cells[i].cell];
	}
}

static bool tnIsInWell(const tnSources* sources, const tnGrid* grid, int32_t cell)
{
	const int row = cell / grid->stride;
	const int column = cell % grid->stride;
	for (int i = 0; sources != NULL && i < sources->ids.slotCount; ++i)
	{
		const tnSourceDef* def = &sources->items[i].def;
		if (tnIdPool_IsUsed(&sources->ids, i) && def->kind == tn_wellSource)
		{
			const tnDisc disc = tnMakeDisc(grid, def->center, def->radius);
			if (tnDisc_Covers(&disc, grid, column, row))
			{
				return true;
			}
		}
	}
	return false;
}

void tnDecks_Catch(tnDecks* decks, tnGrid* grid, const tnSources* sources)
{
	for (int i = 0; i < decks->count; ++i)
	{
		tnDeckCell* deck = decks->cells + i;
		float* depth = grid->depth + deck->cell;
		if (*depth > deck->before && (deck->clear || deck->depth > 0.0) && !tnIsInWell(sources, grid, deck->cell))
		{
			decks->wetCount += deck->depth > 0.0 ? 0 : 1;
			deck->depth += (double)*depth - (double)deck->before;
			tnGrid_NoteTaken(grid, *depth);
			*depth = deck->before;
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------

void tnDecks_Step(tnDecks* decks, tnGrid* grid, tnTiles* tiles, tnBodies* bodies, int64_t stepCount, float timeStep)
{
	if (decks->capacity == 0)
	{
		return;
	}
	tnDecks_FindCells(decks, grid, tiles, bodies, stepCount);
	if (decks->count > 0)
	{
		tnDecks_MoveWater(decks, grid, tiles, bodies, timeStep);
	}
}

double tnDecks_SumDepth(const tnDecks* decks)
{
	double sum = decks->loose;
	for (int i = 0; i < decks->count; ++i)
	{
		sum += decks->cells[i].depth;
	}
	for (int i = 0; i < decks->groundCount; ++i)
	{
		sum += decks->grounds[i].pending;
	}
	return sum;
}

double tnDecks_Empty(tnDecks* decks)
{
	const double sum = tnDecks_SumDepth(decks);
	decks->loose = 0.0;
	decks->wetCount = 0;
	for (int i = 0; i < decks->count; ++i)
	{
		decks->cells[i].depth = 0.0;
		memset(decks->cells[i].flow, 0, sizeof(decks->cells[i].flow));
	}
	for (int i = 0; i < decks->groundCount; ++i)
	{
		decks->grounds[i].pending = 0.0;
	}
	return sum;
}

uint64_t tnDecks_Hash(const tnDecks* decks, uint64_t hash)
{
	for (int i = 0; i < decks->count && decks->wetCount > 0; ++i)
	{
		const tnDeckCell* deck = decks->cells + i;
		if (deck->depth > 0.0)
		{
			hash = tnHashBytes(hash, &deck->cell, sizeof(deck->cell));
			hash = tnHashBytes(hash, &deck->depth, sizeof(deck->depth));
			hash = tnHashBytes(hash, deck->flow, sizeof(deck->flow));
		}
	}
	return hash;
}

int tnDecks_FindFrom(const tnDecks* decks, ptrdiff_t cell)
{
	int begin = 0;
	int end = decks->count;
	while (begin < end)
	{
		const int middle = (begin + end) / 2;
		if (decks->cells[middle].cell < cell)
		{
			begin = middle + 1;
		}
		else
		{
			end = middle;
		}
	}
	return begin;
}

const tnDeckCell* tnDecks_Find(const tnDecks* decks, ptrdiff_t cell)
{
	const int at = tnDecks_FindFrom(decks, cell);
	return at < decks->count && decks->cells[at].cell == cell ? decks->cells + at : NULL;
}
