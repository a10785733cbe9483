// SPDX-License-Identifier: MIT

// Decks as bytes: cells with their water, and the cells of the ground beside them. They are stored as they were found, because the
// bodies below them may have moved or gone since. What a step sets before it reads it is not stored: heads, gains, columns.

#include "../flow/flow_snapshot.h"
#include "body_snapshot.h"

// Heights and depths, m. Far more than there can be, and far less than what sums of them could not bear.
#define TN_MOST_LEVEL 1.0e9f
// Walls leave as much of a cell open, or a little more: body_deck_cells.c.
#define TN_LEAST_OPEN 0.1f

enum
{
	// Bytes of one cell, and of one of the ground.
	TN_DECK_CELL_BYTES = 84,
	TN_DECK_GROUND_BYTES = 16,
};

static int tnLimitCount(const tnArchive* archive, const tnGrid* grid, size_t unit)
{
	const int cells = grid->columnCount * grid->rowCount;
	const size_t rest = tnArchive_Reads(archive) ? tnArchive_GetRest(archive) / unit : INT32_MAX;
	return rest < (size_t)cells ? (int)rest : cells;
}

// A cell of the grid by column and row, after the last one: so they are in order, and each is there once.
static void tnArchivePlace(int32_t* cell, tnArchive* archive, const tnGrid* grid, int* place, const char* name)
{
	const int cells = grid->columnCount * grid->rowCount;
	const int least = *place + 1;
	*place = *cell / grid->stride * grid->columnCount + *cell % grid->stride;
	tnArchive_Int(archive, place, least, cells - 1, name);
	*cell = (int32_t)tnGrid_Index(grid, *place % grid->columnCount, *place / grid->columnCount);
}

static void tnArchiveSide(tnDeckCell* deck, tnArchive* archive, int side, int count, int groundCount)
{
	int beside = deck->beside[side];
	tnArchive_Int(archive, &beside, INT32_MIN, count - 1, "deck.beside");
	if (tnArchive_Reads(archive) && tnArchive_IsOk(archive) && beside != TN_DECK_CLOSED && beside < -groundCount)
	{
		tnArchive_Refuse(archive, "deck.beside must be at least %d, got %d", -groundCount, beside);
	}
	tnArchive_Float(archive, deck->crest + side, -TN_MOST_LEVEL, TN_MOST_LEVEL, "deck.crest");
	// Nobody finds the flow of a closed side anew.
	const float most = beside != TN_DECK_CLOSED ? TN_MOST_LEVEL : 0.0f;
	tnArchive_Float(archive, deck->flow + side, -most, most, "deck.flow");
	deck->beside[side] = beside;
}

static void tnArchiveDeckCell(
	tnDeckCell* deck, tnArchive* archive, const tnGrid* grid, int* place, int count, int groundCount, int slotCount)
{
	int body = deck->body;
	tnArchivePlace(&deck->cell, archive, grid, place, "deck.cell");
	// It may have gone since.
	tnArchive_Int(archive, &body, 0, slotCount - 1, "deck.body");
	deck->body = body;
	tnArchive_Double(archive, &deck->depth, -TN_MOST_LEVEL, TN_MOST_LEVEL, "deck.depth");
	for (int side = 0; side < tn_deckSideCount; ++side)
	{
		tnArchiveSide(deck, archive, side, count, groundCount);
	}
	tnArchive_Float(archive, &deck->underside, -TN_MOST_LEVEL, TN_MOST_LEVEL, "deck.underside");
	tnArchive_Float(archive, &deck->bed, -TN_MOST_LEVEL, TN_MOST_LEVEL, "deck.bed");
	tnArchive_Float(archive, &deck->open, TN_LEAST_OPEN, 1.0f, "deck.open");
	tnArchive_Float(archive, &deck->wallTop, -TN_MOST_LEVEL, TN_MOST_LEVEL, "deck.wallTop");
	tnArchive_Bool(archive, &deck->clear, "deck.clear");
	tnArchive_Bool(archive, &deck->flooded, "deck.flooded");
	tnArchive_Bool(archive, &deck->shoulder, "deck.shoulder");
	tnArchive_Bool(archive, &deck->lid, "deck.lid");
}

static void tnArchiveDeckGround(tnDeckGround* ground, tnArchive* archive, const tnGrid* grid, int* place)
{
	tnArchivePlace(&ground->cell, archive, grid, place, "ground.cell");
	tnArchive_Double(archive, &ground->pending, -TN_MOST_LEVEL, TN_MOST_LEVEL, "ground.pending");
	tnArchive_Float(archive, &ground->bed, -TN_MOST_LEVEL, TN_MOST_LEVEL, "ground.bed");
}

int64_t tnBodiesPlan_GetDeckColumns(const tnBodiesPlan* plan)
{
	// Bodies of a deck may have gone, and its cells are still there until the next step.
	const int least = tnMaxInt(plan->deckCount, (plan->deckGroundCount + 1) / 2);
	return plan->needs.deckColumns > least ? plan->needs.deckColumns : least;
}

void tnDecks_Archive(tnDecks* decks, tnArchive* archive, const tnGrid* grid, tnBodiesPlan* plan)
{
	int count = decks->count, groundCount = decks->groundCount, wetCount = decks->wetCount;
	double loose = decks->loose;
	uint64_t signature = decks->signature;
	tnArchive_Int(archive, &count, 0, tnLimitCount(archive, grid, TN_DECK_CELL_BYTES), "decks");
	tnArchive_Int(archive, &groundCount, 0, tnLimitCount(archive, grid, TN_DECK_GROUND_BYTES), "grounds");
	tnArchive_Int(archive, &wetCount, -TN_MAX_CELLS, TN_MAX_CELLS, "wetCount");
	tnArchive_Double(archive, &loose, -1.0e12, 1.0e12, "loose");
	tnArchive_U64(archive, &signature);
	int place = -1;
	for (int i = 0; i < count && tnArchive_IsOk(archive); ++i)
	{
		tnDeckCell deck = !tnArchive_Reads(archive) ? decks->cells[i] : (tnDeckCell){0};
		tnArchiveDeckCell(&deck, archive, grid, &place, count, groundCount, plan->slotCount);
		if (tnArchive_Applies(archive))
		{
			decks->cells[i] = deck;
		}
	}
	place = -1;
	for (int i = 0; i < groundCount && tnArchive_IsOk(archive); ++i)
	{
		tnDeckGround ground = !tnArchive_Reads(archive) ? decks->grounds[i] : (tnDeckGround){0};
		tnArchiveDeckGround(&ground, archive, grid, &place);
		if (tnArchive_Applies(archive))
		{
			decks->grounds[i] = ground;
		}
	}
	plan->deckCount = count;
	plan->deckGroundCount = groundCount;
	if (tnArchive_Applies(archive))
	{
		decks->count = count;
		decks->groundCount = groundCount;
		decks->columnCount = 0;
		decks->wetCount = wetCount;
		decks->loose = loose;
		decks->signature = signature;
	}
}
