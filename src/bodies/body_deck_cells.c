// SPDX-License-Identifier: MIT

// Which cells have a deck, how high it lies, and what is beside it.
//
// The columns of all bodies around a deck are sorted by cell. In each cell they say how much is covered at which height. Where that
// is nearly all of it there is a deck, with its bed at the top of that and its underside at the bottom. What stands on the bed and
// covers less is a wall if it goes from side to side: then it is the crest of the face that it is nearest to. A cell of which less
// is covered passes what falls on it down to the flow: so the rim of a deck is where the last whole cell ends.

#include "body_deck.h"

#include <math.h>
#include <string.h>

// Cells that are covered up to this are decks.
#define TN_DECK_SHARE 0.85f

// Walls go from side to side up to this, and fill as much of their extent.
#define TN_WALL_SPAN 0.9f

// Walls whose middle is as near to both sides of a cell, in cells, stand in the way of both.
#define TN_WALL_MIDDLE 1.0e-3f

// Bodies that rise or fall faster than this, over the speed of waves on water as deep as a cell, are thrown or fall: nothing rests
// on them.
#define TN_DECK_FROUDE 0.5f

enum
{
	// Columns of a cell that are looked at, at most.
	TN_DECK_LAYERS = 8,
	// Bodies that have no deck are looked at every so many steps.
	TN_LOOK_PERIOD = 4,
};

// ---------------------------------------------------------------------------------------------------------------------
// Which bodies

static bool tnMayBeDeck(const tnGrid* grid, const tnBody* body)
{
	const float speed = tnAbsFloat(body->motion.velocity.y);
	return body->mode == tn_blockingBody && tnDecks_GetColumnLimit(grid, body) > 0 &&
		speed * speed <= TN_DECK_FROUDE * TN_DECK_FROUDE * grid->gravity * grid->cellSize;
}

// Does a body cover a cell with air below it? Where it never moves the water may rise and fall: there it is enough that there
// is no ground.
static bool tnHasAirBelow(const tnGrid* grid, const tnBody* body)
{
	const float* share = tnCut_GetField(&body->cut, tn_columnShare);
	const float* low = tnCut_GetField(&body->cut, tn_columnLow);
	const float gap = TN_DECK_GAP * grid->cellSize;
	const bool fixed = !tnIsFinite(body->def.mass);
	for (int i = 0; i < body->cut.columnCount; ++i)
	{
		const ptrdiff_t cell = tnGrid_Index(grid, body->cut.cells[i].column, body->cut.cells[i].row);
		const float height = fixed ? 0.0f : tnGrid_GetHeight(grid, cell);
		if (share[i] >= TN_DECK_SHARE && low[i] > grid->bed[cell] + height + gap)
		{
			return true;
		}
	}
	return false;
}

// Cells of a body and those beside it.
static tnCellBox tnGetNearBox(const tnBody* body)
{
	const tnCellBox* box = &body->touched;
	return (tnCellBox){box->columnBegin - 1, box->columnEnd + 1, box->rowBegin - 1, box->rowEnd + 1};
}

// Find the bodies that are decks, and the box of all of them. False if there are none.
static bool tnLookAtBodies(
	const tnDecks* decks, const tnGrid* grid, tnBodies* bodies, int64_t stepCount, tnCellBox* box)
{
	bool any = false;
	for (int i = 0; i < bodies->count; ++i)
	{
		tnBody* body = tnBodies_Get(bodies, bodies->list[i]);
		if (!tnMayBeDeck(grid, body))
		{
			body->raised = false;
			continue;
		}
		const bool due = body->raised || body->cutCount == 1 || (stepCount + i) % TN_LOOK_PERIOD == 0;
		if (due)
		{
			body->raised = tnHasAirBelow(grid, body);
		}
	}
	// What holds water stays a deck.
	for (int i = 0; i < decks->count && decks->wetCount > 0; ++i)
	{
		const tnDeckCell* deck = decks->cells + i;
		if (deck->depth > 0.0 && tnIdPool_IsUsed(&bodies->ids, deck->body))
		{
			tnBody* body = tnBodies_Get(bodies, deck->body);
			body->raised = body->raised || tnMayBeDeck(grid, body);
		}
	}
	for (int i = 0; i < bodies->count; ++i)
	{
		const tnBody* body = tnBodies_Get(bodies, bodies->list[i]);
		if (body->raised)
		{
			const tnCellBox near = tnGetNearBox(body);
			*box = !any
				? near
				: (tnCellBox){tnMinInt(box->columnBegin, near.columnBegin), tnMaxInt(box->columnEnd, near.columnEnd),
					  tnMinInt(box->rowBegin, near.rowBegin), tnMaxInt(box->rowEnd, near.rowEnd)};
			any = true;
		}
	}
	return any;
}

// Has a body a say in the decks inside of a box?
static bool tnHasSay(const tnGrid* grid, const tnBody* body, const tnCellBox* box)
{
	const tnCellBox near = tnGetNearBox(body);
	const tnCellBox shared = tnMeetBoxes(&near, box);
	// Where the world wraps a box may lie anywhere.
	return tnMayBeDeck(grid, body) && (body->raised || grid->wrapX || grid->wrapZ || tnHasCells(&shared));
}

static uint64_t tnGetSignature(const tnGrid* grid, const tnBodies* bodies, const tnCellBox* box)
{
	uint64_t signature = 1;
	for (int i = 0; i < bodies->count; ++i)
	{
		const int index = bodies->list[i];
		const tnBody* body = tnBodies_Get(bodies, index);
		if (tnHasSay(grid, body, box))
		{
			const uint64_t parts[3] = {(uint64_t)index, tnIdPool_GetGeneration(&bodies->ids, index), body->cutCount};
			for (int k = 0; k < 3; ++k)
			{
				signature = (signature ^ parts[k]) * 0x9e3779b97f4a7c15u;
				signature ^= signature >> 29;
			}
		}
	}
	return signature;
}

// ---------------------------------------------------------------------------------------------------------------------
// Columns by cell

// Merge runs that are sorted, until there is one.
static void tnSortColumns(tnDecks* decks)
{
	const int count = decks->columnCount;
	for (bool sorted = false; !sorted;)
	{
		const tnDeckColumn* from = decks->columns[0];
		tnDeckColumn* to = decks->columns[1];
		int begin = 0;
		sorted = true;
		while (begin < count)
		{
			int middle = begin + 1;
			while (middle < count && from[middle - 1].cell <= from[middle].cell)
			{
				++middle;
			}
			int end = middle + (middle < count ? 1 : 0);
			while (end < count && end > middle && from[end - 1].cell <= from[end].cell)
			{
				++end;
			}
			sorted = sorted && begin == 0 && middle == count;
			int a = begin;
			int b = middle;
			for (int k = begin; k < end; ++k)
			{
				const bool first = b == end || (a < middle && from[a].cell <= from[b].cell);
				to[k] = first ? from[a] : from[b];
				a += first ? 1 : 0;
				b += first ? 0 : 1;
			}
			begin = end;
		}
		decks->columns[1] = decks->columns[0];
		decks->columns[0] = to;
	}
}

static void tnCollectColumns(tnDecks* decks, const tnGrid* grid, const tnBodies* bodies, const tnCellBox* box)
{
	decks->columnCount = 0;
	for (int i = 0; i < bodies->count; ++i)
	{
		const int index = bodies->list[i];
		const tnBody* body = tnBodies_Get(bodies, index);
		if (!tnHasSay(grid, body, box))
		{
			continue;
		}
		for (int k = 0; k < body->cut.columnCount && decks->columnCount < decks->columnCapacity; ++k)
		{
			const tnColumnCell place = body->cut.cells[k];
			const int32_t cell = (int32_t)tnGrid_Index(grid, place.column, place.row);
			decks->columns[0][decks->columnCount] = (tnDeckColumn){cell, index, k};
			decks->columnCount += 1;
		}
	}
	tnSortColumns(decks);
}

// The columns of a cell.
typedef struct tnCellLayers
{
	tnColumn columns[TN_DECK_LAYERS];
	int32_t bodies[TN_DECK_LAYERS];
	int count;
} tnCellLayers;

// @param at the first of them
static tnCellLayers tnGetLayersAt(const tnDecks* decks, const tnBodies* bodies, int at)
{
	tnCellLayers layers = {.count = 0};
	for (int i = at; i < decks->columnCount && decks->columns[0][i].cell == decks->columns[0][at].cell; ++i)
	{
		if (layers.count < TN_DECK_LAYERS)
		{
			const tnDeckColumn* column = decks->columns[0] + i;
			layers.columns[layers.count] = tnCut_GetColumn(&tnBodies_Get(bodies, column->body)->cut, column->column);
			layers.bodies[layers.count] = column->body;
			layers.count += 1;
		}
	}
	return layers;
}

static tnCellLayers tnGetLayers(const tnDecks* decks, const tnBodies* bodies, int32_t cell)
{
	int begin = 0;
	int end = decks->columnCount;
	while (begin < end)
	{
		const int middle = (begin + end) / 2;
		if (decks->columns[0][middle].cell < cell)
		{
			begin = middle + 1;
		}
		else
		{
			end = middle;
		}
	}
	return begin < decks->columnCount && decks->columns[0][begin].cell == cell ? tnGetLayersAt(decks, bodies, begin)
																			   : (tnCellLayers){.count = 0};
}

// ---------------------------------------------------------------------------------------------------------------------
// Cells

// Heights between which nearly all of a cell is covered.
typedef struct tnSlab
{
	float low, high;
} tnSlab;

// From below upwards. Returns how many there are, at most TN_DECK_LAYERS.
static int tnFindSlabs(const tnCellLayers* layers, float gap, tnSlab slabs[TN_DECK_LAYERS])
{
	float heights[2 * TN_DECK_LAYERS];
	int heightCount = 0;
	for (int i = 0; i < 2 * layers->count; ++i)
	{
		const tnColumn* column = layers->columns + i / 2;
		const float height = i % 2 == 0 ? column->low : column->high;
		int at = heightCount++;
		for (; at > 0 && heights[at - 1] > height; --at)
		{
			heights[at] = heights[at - 1];
		}
		heights[at] = height;
	}
	int count = 0;
	for (int i = 0; i + 1 < heightCount; ++i)
	{
		float share = 0.0f;
		for (int k = 0; k < layers->count; ++k)
		{
			const tnColumn* column = layers->columns + k;
			share += column->low <= heights[i] && column->high >= heights[i + 1] ? column->share : 0.0f;
		}
		if (!(share >= TN_DECK_SHARE) || !(heights[i + 1] > heights[i]))
		{
			continue;
		}
		if (count > 0 && heights[i] <= slabs[count - 1].high + gap)
		{
			slabs[count - 1].high = heights[i + 1];
		}
		else if (count < TN_DECK_LAYERS)
		{
			slabs[count] = (tnSlab){heights[i], heights[i + 1]};
			count += 1;
		}
	}
	return count;
}

// The deck of a cell: the one that it had, or the highest. False if there is none.
static bool tnChooseSlab(
	const tnGrid* grid, const tnCellLayers* layers, int32_t cell, const tnDeckKept* old, tnSlab* slab)
{
	tnSlab slabs[TN_DECK_LAYERS];
	const float gap = TN_DECK_GAP * grid->cellSize;
	const int count = tnFindSlabs(layers, gap, slabs);
	bool found = false;
	float best = grid->cellSize;
	for (int i = 0; i < count; ++i)
	{
		if (!(slabs[i].low > grid->bed[cell] + gap))
		{
			continue;
		}
		const float off = old != NULL ? tnAbsFloat(slabs[i].high - old->bed) : grid->cellSize;
		if (!found || off < best || (best >= grid->cellSize && off >= grid->cellSize))
		{
			*slab = slabs[i];
			best = off;
			found = true;
		}
	}
	return found;
}

static void tnMakeCell(
	const tnGrid* grid, const tnCellLayers* layers, int32_t cell, tnSlab slab, const tnDeckKept* old, tnDeckCell* deck)
{
	*deck = (tnDeckCell){.cell = cell, .underside = slab.low, .bed = slab.high, .wallTop = slab.high, .body = -1};
	const float gap = TN_DECK_GAP * grid->cellSize;
	float nearest = 0.0f;
	float walls = 0.0f;
	float share = 0.0f;
	for (int i = 0; i < layers->count; ++i)
	{
		const tnColumn* column = layers->columns + i;
		if (column->low <= slab.high + gap && column->high > slab.high + gap)
		{
			walls += column->share;
			deck->wallTop = tnMaxFloat(deck->wallTop, column->high);
		}
		const float off = tnAbsFloat(column->high - slab.high);
		if (deck->body < 0 || off < nearest || (off == nearest && column->share > share))
		{
			deck->body = layers->bodies[i];
			nearest = off;
			share = column->share;
		}
	}
	deck->open = tnMaxFloat(1.0f - walls, 1.0f - TN_DECK_SHARE);
	if (old != NULL)
	{
		deck->depth = old->depth;
		deck->lid = old->lid;
		deck->flooded = old->flooded;
		memcpy(deck->flow, old->flow, sizeof(deck->flow));
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// What is beside them

// The cell at a side of a cell, or -1 beyond an edge that does not wrap.
static int32_t tnGetBeside(const tnGrid* grid, int32_t cell, int side)
{
	int column = cell % grid->stride + (side == tn_deckEast) - (side == tn_deckWest);
	int row = cell / grid->stride + (side == tn_deckSouth) - (side == tn_deckNorth);
	column = grid->wrapX ? (column + grid->columnCount) % grid->columnCount : column;
	row = grid->wrapZ ? (row + grid->rowCount) % grid->rowCount : row;
	const bool inside = column >= 0 && column < grid->columnCount && row >= 0 && row < grid->rowCount;
	return inside ? (int32_t)tnGrid_Index(grid, column, row) : -1;
}

// The top of a wall at a side of its cell, if there is one that begins no higher than `from`: else `from`.
// @param nearOnly only if it is the side that the wall is nearest to
static float tnGetWallTop(const tnCellLayers* layers, int side, float from, float gap, bool nearOnly)
{
	const bool alongX = side == tn_deckWest || side == tn_deckEast;
	float top = from;
	for (int i = 0; i < layers->count; ++i)
	{
		const tnColumn* column = layers->columns + i;
		const float span = alongX ? column->widthZ : column->widthX;
		const float off = (alongX ? column->insetX : column->insetZ) - 0.5f;
		const bool before = side == tn_deckWest || side == tn_deckNorth;
		const bool near = before ? off < TN_WALL_MIDDLE : off > -TN_WALL_MIDDLE;
		const bool wall = span >= TN_WALL_SPAN && column->share >= TN_WALL_SPAN * column->widthX * column->widthZ;
		if (wall && (near || !nearOnly) && column->low <= from + gap)
		{
			top = tnMaxFloat(top, column->high);
		}
	}
	return top;
}

static int tnGetOpposite(int side)
{
	return side ^ 1;
}

static void tnSiftDown(tnDeckGround* grounds, int at, int count)
{
	for (int child = 2 * at + 1; child < count; child = 2 * at + 1)
	{
		child += child + 1 < count && grounds[child + 1].cell > grounds[child].cell ? 1 : 0;
		if (grounds[at].cell >= grounds[child].cell)
		{
			return;
		}
		const tnDeckGround swapped = grounds[at];
		grounds[at] = grounds[child];
		grounds[child] = swapped;
		at = child;
	}
}

// Sort them by cell, each once.
static void tnSortGrounds(tnDecks* decks)
{
	tnDeckGround* grounds = decks->grounds;
	for (int i = decks->groundCount / 2 - 1; i >= 0; --i)
	{
		tnSiftDown(grounds, i, decks->groundCount);
	}
	for (int end = decks->groundCount - 1; end > 0; --end)
	{
		const tnDeckGround swapped = grounds[0];
		grounds[0] = grounds[end];
		grounds[end] = swapped;
		tnSiftDown(grounds, 0, end);
	}
	int count = 0;
	for (int i = 0; i < decks->groundCount; ++i)
	{
		if (count == 0 || grounds[count - 1].cell != grounds[i].cell)
		{
			grounds[count] = grounds[i];
			count += 1;
		}
	}
	decks->groundCount = count;
}

static int tnFindGround(const tnDecks* decks, int32_t cell)
{
	int begin = 0;
	int end = decks->groundCount;
	while (begin < end)
	{
		const int middle = (begin + end) / 2;
		if (decks->grounds[middle].cell < cell)
		{
			begin = middle + 1;
		}
		else
		{
			end = middle;
		}
	}
	return begin < decks->groundCount && decks->grounds[begin].cell == cell ? begin : -1;
}

static void tnListGrounds(tnDecks* decks, const tnGrid* grid, const tnBodies* bodies)
{
	decks->groundCount = 0;
	for (int i = 0; i < decks->count; ++i)
	{
		for (int side = 0; side < tn_deckSideCount; ++side)
		{
			const int32_t cell = tnGetBeside(grid, decks->cells[i].cell, side);
			if (cell >= 0 && tnDecks_Find(decks, cell) == NULL && decks->groundCount < decks->groundCapacity)
			{
				decks->grounds[decks->groundCount] = (tnDeckGround){.cell = cell};
				decks->groundCount += 1;
			}
		}
	}
	tnSortGrounds(decks);
	const float gap = TN_DECK_GAP * grid->cellSize;
	for (int i = 0; i < decks->groundCount; ++i)
	{
		tnDeckGround* ground = decks->grounds + i;
		tnSlab slabs[TN_DECK_LAYERS];
		const tnCellLayers layers = tnGetLayers(decks, bodies, ground->cell);
		ground->bed = grid->bed[ground->cell];
		if (tnFindSlabs(&layers, gap, slabs) > 0 && slabs[0].low <= ground->bed + gap)
		{
			ground->bed = tnMaxFloat(ground->bed, slabs[0].high);
		}
	}
}

static void tnFindSides(tnDecks* decks, const tnGrid* grid, const tnBodies* bodies)
{
	const float gap = TN_DECK_GAP * grid->cellSize;
	for (int i = 0; i < decks->count; ++i)
	{
		tnDeckCell* deck = decks->cells + i;
		const tnCellLayers own = tnGetLayers(decks, bodies, deck->cell);
		deck->shoulder = false;
		for (int side = 0; side < tn_deckSideCount; ++side)
		{
			const int32_t cell = tnGetBeside(grid, deck->cell, side);
			const tnDeckCell* other = cell >= 0 ? tnDecks_Find(decks, cell) : NULL;
			const int ground = cell >= 0 && other == NULL ? tnFindGround(decks, cell) : -1;
			deck->beside[side] =
				other != NULL ? (int32_t)(other - decks->cells) : (ground >= 0 ? -1 - ground : TN_DECK_CLOSED);
			if (other == deck || deck->beside[side] == TN_DECK_CLOSED)
			{
				deck->beside[side] = TN_DECK_CLOSED;
				deck->flow[side] = 0.0f;
				continue;
			}
			const float bed = other != NULL ? other->bed : decks->grounds[ground].bed;
			const float crest = tnMaxFloat(deck->bed, bed);
			const tnCellLayers layers = tnGetLayers(decks, bodies, cell);
			deck->crest[side] = tnMaxFloat(tnGetWallTop(&own, side, crest, gap, true),
				tnGetWallTop(&layers, tnGetOpposite(side), crest, gap, other != NULL));
			deck->shoulder = deck->shoulder || (other == NULL && bed >= deck->underside - gap);
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------

// Keep what cells hold.
static int tnKeepCells(tnDecks* decks)
{
	for (int i = 0; i < decks->count; ++i)
	{
		const tnDeckCell* deck = decks->cells + i;
		tnDeckKept* kept = decks->kept + i;
		*kept = (tnDeckKept){
			.depth = deck->depth, .cell = deck->cell, .bed = deck->bed, .lid = deck->lid, .flooded = deck->flooded};
		memcpy(kept->flow, deck->flow, sizeof(kept->flow));
	}
	for (int i = 0; i < decks->groundCount; ++i)
	{
		decks->loose += decks->grounds[i].pending;
	}
	const int count = decks->count;
	decks->count = 0;
	decks->groundCount = 0;
	return count;
}

void tnDecks_FindCells(tnDecks* decks, tnGrid* grid, tnTiles* tiles, tnBodies* bodies, int64_t stepCount)
{
	tnCellBox box = {0};
	const bool any = tnLookAtBodies(decks, grid, bodies, stepCount, &box);
	if (!any && decks->count == 0)
	{
		decks->signature = 0;
		return;
	}
	const uint64_t signature = any ? tnGetSignature(grid, bodies, &box) : 0;
	if (signature == decks->signature)
	{
		return;
	}
	decks->signature = signature;
	const int keptCount = tnKeepCells(decks);
	decks->columnCount = 0;
	if (any)
	{
		tnCollectColumns(decks, grid, bodies, &box);
	}
	int kept = 0;
	for (int i = 0; i < decks->columnCount;)
	{
		const int32_t cell = decks->columns[0][i].cell;
		for (; kept < keptCount && decks->kept[kept].cell < cell; ++kept)
		{
			tnDecks_Drop(decks, grid, tiles, decks->kept[kept].cell, decks->kept[kept].depth);
		}
		const tnDeckKept* old = kept < keptCount && decks->kept[kept].cell == cell ? decks->kept + kept : NULL;
		const tnCellLayers layers = tnGetLayersAt(decks, bodies, i);
		tnSlab slab = {0};
		if (decks->count < decks->capacity && tnChooseSlab(grid, &layers, cell, old, &slab))
		{
			tnMakeCell(grid, &layers, cell, slab, old, decks->cells + decks->count);
			decks->count += 1;
			kept += old != NULL ? 1 : 0;
		}
		while (i < decks->columnCount && decks->columns[0][i].cell == cell)
		{
			++i;
		}
	}
	for (; kept < keptCount; ++kept)
	{
		tnDecks_Drop(decks, grid, tiles, decks->kept[kept].cell, decks->kept[kept].depth);
	}
	tnListGrounds(decks, grid, bodies);
	tnFindSides(decks, grid, bodies);
}
