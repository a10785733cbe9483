// SPDX-License-Identifier: MIT

// Water on decks in a surface: on bridges, aqueducts and roofs the water that is seen from above is drawn, as tnWorld_Sample has it,
// and not that below. Beside a deck the surface falls to the water on the ground, like a curtain.

#include "../core/hash.h"
#include "surface.h"

// What fcn does with a cell of a deck that has water, at a cell of a block.
typedef void tnDeckFcn(const tnDeckCell* deck, ptrdiff_t at, tnSurfaceScratch* scratch);

static bool tnIsDrawn(const tnDeckCell* deck)
{
	return deck->depth > (double)TN_WET_DEPTH;
}

// All cells of decks with water in a block, in the order of the grid. Returns whether there are any.
static bool tnForEachDeck(
	const tnSurface* surface, tnCellBox box, int margin, tnDeckFcn* fcn, tnSurfaceScratch* scratch)
{
	const tnDecks* decks = &surface->world->decks;
	const tnGrid* grid = &surface->world->grid;
	const int rowEnd = tnMinInt(box.rowBegin + TN_SURFACE_TILE + margin, surface->rowCount);
	const int columnBegin = tnMaxInt(box.columnBegin - margin, 0);
	const int columnEnd = tnMinInt(box.columnBegin + TN_SURFACE_TILE + margin, surface->columnCount);
	bool any = false;
	for (int row = tnMaxInt(box.rowBegin - margin, 0); row < rowEnd; ++row)
	{
		const ptrdiff_t begin = tnGrid_Index(grid, columnBegin, row);
		const ptrdiff_t end = begin + (columnEnd - columnBegin);
		for (int i = tnDecks_FindFrom(decks, begin); i < decks->count && decks->cells[i].cell < end; ++i)
		{
			if (tnIsDrawn(decks->cells + i))
			{
				const int column = columnBegin + (int)(decks->cells[i].cell - begin);
				fcn(decks->cells + i, tnSurface_GetBlockIndex(column - box.columnBegin, row - box.rowBegin), scratch);
				any = true;
			}
		}
	}
	return any;
}

static void tnRaiseToDeck(const tnDeckCell* deck, ptrdiff_t at, tnSurfaceScratch* scratch)
{
	scratch->surface[at] = (float)tnDeckCell_GetSurface(deck);
	scratch->depth[at] = scratch->surface[at] - deck->bed;
	scratch->rings[at] = 1.0f;
}

static void tnMoveWithDeck(const tnDeckCell* deck, ptrdiff_t at, tnSurfaceScratch* scratch)
{
	const tnVec2 velocity = tnDeckCell_GetVelocity(deck);
	scratch->velocityX[at] = velocity.x;
	scratch->velocityZ[at] = velocity.z;
}

bool tnSurface_ApplyDecks(const tnSurface* surface, tnCellBox box, tnSurfaceScratch* scratch)
{
	return surface->world->decks.wetCount > 0 && tnForEachDeck(surface, box, TN_SURFACE_MARGIN, tnRaiseToDeck, scratch);
}

void tnSurface_ApplyDeckVelocities(const tnSurface* surface, tnCellBox box, tnSurfaceScratch* scratch)
{
	if (surface->world->decks.wetCount > 0)
	{
		// As far around a tile as foam looks.
		tnForEachDeck(surface, box, 1, tnMoveWithDeck, scratch);
	}
}

void tnSurface_ApplyDeckRow(const tnSurface* surface, tnCellBox box, int row, float* beds, float* foam)
{
	const tnDecks* decks = &surface->world->decks;
	const ptrdiff_t begin = tnGrid_Index(&surface->world->grid, box.columnBegin, box.rowBegin + row);
	const ptrdiff_t end = begin + (box.columnEnd - box.columnBegin);
	int i = decks->wetCount > 0 ? tnDecks_FindFrom(decks, begin) : decks->count;
	for (; i < decks->count && decks->cells[i].cell < end; ++i)
	{
		const ptrdiff_t at = decks->cells[i].cell - begin;
		if (tnIsDrawn(decks->cells + i) && beds != NULL)
		{
			beds[at] = decks->cells[i].bed;
		}
		if (tnIsDrawn(decks->cells + i) && foam != NULL)
		{
			foam[at] = 0.0f;
		}
	}
}

void tnSurface_HashDecks(const tnSurface* surface, uint64_t* hashes)
{
	const tnDecks* decks = &surface->world->decks;
	const int stride = (int)surface->world->grid.stride;
	for (int i = 0; i < decks->count && decks->wetCount > 0; ++i)
	{
		const tnDeckCell* deck = decks->cells + i;
		if (tnIsDrawn(deck))
		{
			uint64_t* hash = hashes + tnSurface_FindTile(surface, deck->cell % stride, deck->cell / stride);
			*hash = tnHashBytes(*hash == 0 ? TN_HASH_SEED : *hash, &deck->cell, sizeof(deck->cell));
			*hash = tnHashBytes(*hash, &deck->depth, sizeof(deck->depth));
			*hash = tnHashBytes(*hash, &deck->bed, sizeof(deck->bed));
			*hash = tnHashBytes(*hash, deck->flow, sizeof(deck->flow));
		}
	}
}
