// SPDX-License-Identifier: MIT

// Who gets the tiles of the pool.
//
// Every point of interest asks in each level for the tiles within its reach, which doubles from level to level:
// detail falls off with distance, as it does for the eye. Levels are served from coarse to fine, wishes in each from near
// to far. A tile needs the one of the next coarser level above it: a band without those of longer waves below would be
// ripples on nothing. Places without water get none.
//
//   finest   . . # # # . .            A tile that is there already counts as nearer by an eighth of the reach, and may
//            . # # # # # .            be an eighth beyond it, so that somebody who walks up and down at the rim does not
//   coarsest # # # # # # #            make tiles come and go.
//
// What a body feels must not depend on where somebody looks. So bodies in the water, or just above it, ask for tiles of
// their own and are served before all points of interest, from at most half of the pool: first the coarse levels that
// take no more than a quarter of it everywhere, then in each level the tiles within TN_BODY_CELLS cells of the level of a
// body. Levels whose longest waves are shorter than half of the width of a body do not move it, and are left out. Without
// points of interest levels that fit everywhere come first, and bodies get their tiles from what is left.
//
// All keys are integers made from the places, and ties are decided by row and column: the same bits everywhere.

#include "wave_tile_dealer.h"

#include "../core/core.h"
#include "../core/hash.h"

#include <math.h>
#include <string.h>

enum
{
	// What a reach is cut into, and how much nearer a tile counts that is there already.
	TN_REACH_STEPS = 1024,
	TN_REACH_SLACK = 128,
	// Without interests all tiles of the world are looked at, up to so many times the pool.
	TN_MOST_PLACES = 64,
	// Around a body, of each level: what fades at the rim of the last tile, 24 cells, is beyond a wave of the level away.
	TN_BODY_CELLS = 48,
	// A level has waves of up to 12 cells: a body wider than two of them does not feel it.
	TN_BODY_WIDTH = 24,
	// Shares of the pool, one in so many: for coarse levels everywhere, and for these and bodies together.
	TN_COARSE_SHARE = 4,
	TN_BODY_SHARE = 2,
};

typedef struct tnDealing
{
	tnWaveDealer* dealer;
	const tnWavePool* pool;
	const tnWaveBed* bed;
	const tnBodies* bodies;
	const tnGrid* grid;
} tnDealing;

tnInterestDef tnDefaultInterestDef(void)
{
	tnInterestDef def = {0};
	def.reach = 16.0f;
	def.stamp = TN_DEF_STAMP;
	return def;
}

// Tiles to each side of an interest that it can ask for: a square of them is more than the pool has.
static int tnGetWishRadius(const tnWavePool* pool)
{
	return (int)sqrt((double)pool->capacity) + 1;
}

bool tnWaveDealer_Create(tnWaveDealer* dealer, tnMemory* memory, const tnWavePool* pool)
{
	*dealer = (tnWaveDealer){0};
	dealer->wishCapacity = TN_MOST_PLACES * pool->capacity;
	dealer->wishes = tnMemory_Alloc(memory, (size_t)dealer->wishCapacity * sizeof(tnWaveWish));
	dealer->chosen = tnMemory_Alloc(memory, (size_t)pool->capacity * sizeof(tnWavePlace));
	dealer->chosenMap = tnMemory_Alloc(memory, (size_t)pool->mapSize * sizeof(int32_t));
	if (dealer->wishes == NULL || dealer->chosen == NULL || dealer->chosenMap == NULL)
	{
		tnWaveDealer_Destroy(dealer, memory, pool);
		return false;
	}
	return true;
}

void tnWaveDealer_Destroy(tnWaveDealer* dealer, tnMemory* memory, const tnWavePool* pool)
{
	tnMemory_Free(memory, dealer->chosenMap, (size_t)pool->mapSize * sizeof(int32_t));
	tnMemory_Free(memory, dealer->chosen, (size_t)pool->capacity * sizeof(tnWavePlace));
	tnMemory_Free(memory, dealer->wishes, (size_t)dealer->wishCapacity * sizeof(tnWaveWish));
	tnMemory_Free(memory, dealer->interests.items, (size_t)dealer->interests.capacity * sizeof(tnInterestDef));
	tnIdPool_Destroy(&dealer->interests.ids, memory);
	*dealer = (tnWaveDealer){0};
}

bool tnWaveDealer_Reserve(tnWaveDealer* dealer, tnMemory* memory)
{
	return tnWaveDealer_ReserveMany(dealer, memory, dealer->interests.ids.count + 1);
}

bool tnWaveDealer_ReserveMany(tnWaveDealer* dealer, tnMemory* memory, int count)
{
	tnInterests* interests = &dealer->interests;
	if (count > 0 && !tnIdPool_ReserveMany(&interests->ids, memory, count))
	{
		return false;
	}
	if (interests->capacity < interests->ids.capacity)
	{
		const int capacity = interests->ids.capacity;
		tnInterestDef* items = tnMemory_Grow(memory, interests->items,
			(size_t)interests->capacity * sizeof(tnInterestDef), (size_t)capacity * sizeof(tnInterestDef));
		if (items == NULL)
		{
			return false;
		}
		interests->items = items;
		interests->capacity = capacity;
	}
	return true;
}

bool tnIsWaveTileWet(const tnWavePool* pool, const tnWaveBed* bed, int level, int column, int row)
{
	// Cells of the world that it covers, in a finer level a part of a cell.
	const int coarser = level - pool->finerLevels;
	const int64_t columnBegin = (int64_t)column * TN_WAVE_TILE;
	const int64_t rowBegin = (int64_t)row * TN_WAVE_TILE;
	if (coarser >= 0)
	{
		const int64_t limit = 1 << 28;
		if (columnBegin > limit || rowBegin > limit)
		{
			return false;
		}
		return tnWaveBed_IsWet(bed, (int)columnBegin << coarser, (int)(columnBegin + TN_WAVE_TILE) << coarser,
			(int)rowBegin << coarser, (int)(rowBegin + TN_WAVE_TILE) << coarser);
	}
	return tnWaveBed_IsWet(bed, (int)(columnBegin >> -coarser), (int)((columnBegin + TN_WAVE_TILE) >> -coarser),
		(int)(rowBegin >> -coarser), (int)((rowBegin + TN_WAVE_TILE) >> -coarser));
}

static int tnGetTileColumnCount(const tnWavePool* pool, int level)
{
	return (pool->columnCount[level] + TN_WAVE_TILE - 1) / TN_WAVE_TILE;
}

static int tnGetTileRowCount(const tnWavePool* pool, int level)
{
	return (pool->rowCount[level] + TN_WAVE_TILE - 1) / TN_WAVE_TILE;
}

// ---------------------------------------------------------------------------------------------------------------------
// Wishes

// Distance along an axis from a point to [begin, begin + size), in units of the size.
static double tnGetGap(double point, int begin)
{
	return point < begin ? begin - point : (point > begin + 1 ? point - begin - 1 : 0.0);
}

static bool tnIsBefore(const tnWaveWish* a, const tnWaveWish* b, bool byDistance)
{
	if (byDistance && a->distance != b->distance)
	{
		return a->distance < b->distance;
	}
	if (a->row != b->row)
	{
		return a->row < b->row;
	}
	return a->column != b->column ? a->column < b->column : a->distance < b->distance;
}

static void tnSiftWish(tnWaveWish* wishes, int at, int count, bool byDistance)
{
	for (int child = 2 * at + 1; child < count; child = 2 * at + 1)
	{
		if (child + 1 < count && tnIsBefore(wishes + child, wishes + child + 1, byDistance))
		{
			child += 1;
		}
		if (!tnIsBefore(wishes + at, wishes + child, byDistance))
		{
			return;
		}
		const tnWaveWish swap = wishes[at];
		wishes[at] = wishes[child];
		wishes[child] = swap;
		at = child;
	}
}

// Heap sort: any two wishes that differ have one order, and those that do not are the same.
static void tnSortWishes(tnWaveWish* wishes, int count, bool byDistance)
{
	for (int i = count / 2 - 1; i >= 0; --i)
	{
		tnSiftWish(wishes, i, count, byDistance);
	}
	for (int end = count - 1; end > 0; --end)
	{
		const tnWaveWish swap = wishes[0];
		wishes[0] = wishes[end];
		wishes[end] = swap;
		tnSiftWish(wishes, 0, end, byDistance);
	}
}

// Of several wishes for the same place, keep the nearest.
static int tnRemoveTwins(tnWaveWish* wishes, int count)
{
	tnSortWishes(wishes, count, false);
	int kept = 0;
	for (int i = 0; i < count; ++i)
	{
		if (kept == 0 || wishes[i].column != wishes[kept - 1].column || wishes[i].row != wishes[kept - 1].row)
		{
			wishes[kept++] = wishes[i];
		}
	}
	return kept;
}

// Where a place is in the map of what is chosen, or where it would be.
static int32_t* tnFindChosen(const tnWaveDealer* dealer, const tnWavePool* pool, tnWavePlace place)
{
	const uint32_t mask = (uint32_t)pool->mapSize - 1;
	uint32_t at = tnHashWavePlace(place.level, place.column, place.row) & mask;
	for (; dealer->chosenMap[at] != 0; at = (at + 1) & mask)
	{
		const tnWavePlace* other = dealer->chosen + dealer->chosenMap[at] - 1;
		if (other->level == place.level && other->column == place.column && other->row == place.row)
		{
			break;
		}
	}
	return dealer->chosenMap + at;
}

// Is a place in the coarsest level, or the one of the next coarser level above it chosen?
static bool tnHasParent(const tnWaveDealer* dealer, const tnWavePool* pool, tnWavePlace place)
{
	const tnWavePlace parent = {place.level + 1, place.column >> 1, place.row >> 1};
	return place.level == pool->levelCount - 1 || *tnFindChosen(dealer, pool, parent) != 0;
}

// Keep as many wishes as there are tiles: the nearest. All that was dropped has so many nearer ones before it that it
// would get nothing.
static int tnKeepNearest(tnWaveWish* wishes, int count, int tileCount)
{
	count = tnRemoveTwins(wishes, count);
	tnSortWishes(wishes, count, true);
	return tnMinInt(count, tileCount);
}

static int tnCollectWishes(tnWaveDealer* dealer, const tnWavePool* pool, const tnWaveBed* bed, int level)
{
	const double tileSize = (double)pool->cellSize[level] * TN_WAVE_TILE;
	const int radius = tnGetWishRadius(pool);
	int count = 0;
	for (int i = 0; i < dealer->interests.ids.slotCount; ++i)
	{
		if (!tnIdPool_IsUsed(&dealer->interests.ids, i))
		{
			continue;
		}
		const tnInterestDef* interest = dealer->interests.items + i;
		const double x = ((double)interest->position.x - pool->origin.x) / tileSize;
		const double z = ((double)interest->position.z - pool->origin.z) / tileSize;
		const double reach = (double)interest->reach * (double)(1 << level) / tileSize;
		const int middleColumn = (int)floor(x < -1.0e6 ? -1.0e6 : (x > 1.0e6 ? 1.0e6 : x));
		const int middleRow = (int)floor(z < -1.0e6 ? -1.0e6 : (z > 1.0e6 ? 1.0e6 : z));
		const int columnEnd = tnMinInt(middleColumn + radius + 1, tnGetTileColumnCount(pool, level));
		const int rowEnd = tnMinInt(middleRow + radius + 1, tnGetTileRowCount(pool, level));
		for (int row = tnMaxInt(middleRow - radius, 0); row < rowEnd; ++row)
		{
			for (int column = tnMaxInt(middleColumn - radius, 0); column < columnEnd; ++column)
			{
				const double gapX = tnGetGap(x, column);
				const double gapZ = tnGetGap(z, row);
				const double distance = sqrt(gapX * gapX + gapZ * gapZ) / reach * TN_REACH_STEPS;
				const int slot = tnWavePool_Find(pool, level, column, row);
				const bool there = slot >= 0 && !pool->tiles[slot].retiring;
				const int limit = there ? TN_REACH_STEPS + TN_REACH_SLACK : TN_REACH_STEPS;
				if (distance <= limit && tnHasParent(dealer, pool, (tnWavePlace){level, column, row}) &&
					tnIsWaveTileWet(pool, bed, level, column, row))
				{
					const int steps = (int)distance - (there ? TN_REACH_SLACK : 0);
					count = count < dealer->wishCapacity ? count : tnKeepNearest(dealer->wishes, count, pool->capacity);
					dealer->wishes[count++] = (tnWaveWish){column, row, steps};
				}
			}
		}
	}
	return tnKeepNearest(dealer->wishes, count, pool->capacity);
}

// All wet places of a level, or -1 if there are too many.
static int tnCollectAll(tnWaveDealer* dealer, const tnWavePool* pool, const tnWaveBed* bed, int level, int room)
{
	const int columns = tnGetTileColumnCount(pool, level);
	const int rows = tnGetTileRowCount(pool, level);
	if ((int64_t)columns * rows > dealer->wishCapacity)
	{
		return -1;
	}
	int count = 0;
	for (int row = 0; row < rows; ++row)
	{
		for (int column = 0; column < columns; ++column)
		{
			if (tnIsWaveTileWet(pool, bed, level, column, row))
			{
				dealer->wishes[count++] = (tnWaveWish){column, row, 0};
			}
		}
	}
	return count <= room ? count : -1;
}

// ---------------------------------------------------------------------------------------------------------------------
// What bodies ask for

// The cells of the world that a body may cover. Who has just come has not touched any yet.
static tnCellBox tnFindBodyCells(const tnBody* body, const tnGrid* grid)
{
	if (tnHasCells(&body->touched))
	{
		return body->touched;
	}
	const double radius = (double)body->mesh.radius;
	const double x = (double)body->pose.position.x - grid->origin.x;
	const double z = (double)body->pose.position.z - grid->origin.z;
	const double sides[4] = {x - radius, x + radius, z - radius, z + radius};
	int cells[4];
	for (int i = 0; i < 4; ++i)
	{
		const double side = sides[i] / grid->cellSize;
		cells[i] = (int)floor(side < -1.0e9 ? -1.0e9 : (side > 1.0e9 ? 1.0e9 : side));
	}
	return (tnCellBox){cells[0], cells[1] + 1, cells[2], cells[3] + 1};
}

// Is a body in the water, or no higher above it than it is large?
static bool tnIsNearWater(const tnBody* body, const tnGrid* grid)
{
	const tnCellBox box = tnFindBodyCells(body, grid);
	const int middleColumn = (box.columnBegin + box.columnEnd) / 2;
	const int middleRow = (box.rowBegin + box.rowEnd) / 2;
	const int column = grid->wrapX ? tnWrapWaveIndex(middleColumn, grid->columnCount)
								   : tnClampInt(middleColumn, 0, grid->columnCount - 1);
	const int row =
		grid->wrapZ ? tnWrapWaveIndex(middleRow, grid->rowCount) : tnClampInt(middleRow, 0, grid->rowCount - 1);
	const ptrdiff_t cell = tnGrid_Index(grid, column, row);
	const float surface = grid->bed[cell] + tnGrid_GetHeight(grid, cell);
	return body->wet || body->pose.position.y - body->mesh.radius <= surface + body->mesh.radius;
}

uint64_t tnHashWaveBodies(const tnBodies* bodies, const tnGrid* grid)
{
	uint64_t hash = 0;
	for (int i = 0; i < bodies->count; ++i)
	{
		const tnBody* body = tnBodies_Get(bodies, bodies->list[i]);
		if (tnIsNearWater(body, grid))
		{
			const tnCellBox box = tnFindBodyCells(body, grid);
			hash = tnHashBytes(hash, &box, sizeof(box));
		}
	}
	return hash;
}

// Tiles of a level that may be within reach of some cells of the world, along an axis, from first to last. Where the level
// does not go on at the other side these are only those that it has.
static void tnFindBodySpan(int begin, int end, double perTile, int tileCount, bool wraps, int span[2])
{
	const double reach = (double)TN_BODY_CELLS / TN_WAVE_TILE;
	const double low = floor(begin * perTile - reach);
	const double high = floor(end * perTile + reach);
	span[0] = (int)low;
	span[1] = (int)high;
	if (wraps)
	{
		span[1] = tnMinInt(span[1], span[0] + tileCount - 1);
		return;
	}
	span[0] = tnMaxInt(span[0], 0);
	span[1] = tnMinInt(span[1], tileCount - 1);
}

// Distance along an axis from [low, high] to [begin, begin + 1).
static double tnGetSpanGap(double low, double high, int begin)
{
	return high < begin ? begin - high : (low > begin + 1 ? low - begin - 1 : 0.0);
}

static int tnCollectOfBody(const tnDealing* dealing, const tnBody* body, int level, int count)
{
	tnWaveDealer* dealer = dealing->dealer;
	const tnWavePool* pool = dealing->pool;
	const tnCellBox cells = tnFindBodyCells(body, dealing->grid);
	const tnCellBox* box = &cells;
	const double worldCell = pool->cellSize[pool->finerLevels];
	const double cellSize = pool->cellSize[level];
	// The cells that it touches are up to one more than it is wide.
	const int width = tnMinInt(box->columnEnd - box->columnBegin, box->rowEnd - box->rowBegin) - 1;
	if (width * worldCell > TN_BODY_WIDTH * cellSize)
	{
		return count;
	}
	const double perTile = worldCell / (cellSize * TN_WAVE_TILE);
	const int columnCount = tnGetTileColumnCount(pool, level);
	const int rowCount = tnGetTileRowCount(pool, level);
	int columns[2], rows[2];
	tnFindBodySpan(box->columnBegin, box->columnEnd, perTile, columnCount, pool->wrapX[level], columns);
	tnFindBodySpan(box->rowBegin, box->rowEnd, perTile, rowCount, pool->wrapZ[level], rows);
	for (int r = rows[0]; r <= rows[1]; ++r)
	{
		for (int c = columns[0]; c <= columns[1]; ++c)
		{
			const int column = tnWrapWaveIndex(c, columnCount);
			const int row = tnWrapWaveIndex(r, rowCount);
			const double gapX = tnGetSpanGap(box->columnBegin * perTile, box->columnEnd * perTile, c);
			const double gapZ = tnGetSpanGap(box->rowBegin * perTile, box->rowEnd * perTile, r);
			const double reach = (double)TN_BODY_CELLS / TN_WAVE_TILE;
			const double distance = sqrt(gapX * gapX + gapZ * gapZ) / reach * TN_REACH_STEPS;
			const int slot = tnWavePool_Find(pool, level, column, row);
			const bool there = slot >= 0 && !pool->tiles[slot].retiring;
			const int limit = there ? TN_REACH_STEPS + TN_REACH_SLACK : TN_REACH_STEPS;
			if (distance <= limit && tnHasParent(dealer, pool, (tnWavePlace){level, column, row}) &&
				tnIsWaveTileWet(pool, dealing->bed, level, column, row))
			{
				const int steps = (int)distance - (there ? TN_REACH_SLACK : 0);
				count = count < dealer->wishCapacity ? count : tnKeepNearest(dealer->wishes, count, pool->capacity);
				dealer->wishes[count++] = (tnWaveWish){column, row, steps};
			}
		}
	}
	return count;
}

static int tnCollectOfBodies(const tnDealing* dealing, int level)
{
	int count = 0;
	for (int i = 0; i < dealing->bodies->count; ++i)
	{
		const tnBody* body = tnBodies_Get(dealing->bodies, dealing->bodies->list[i]);
		if (tnIsNearWater(body, dealing->grid))
		{
			count = tnCollectOfBody(dealing, body, level, count);
		}
	}
	return tnKeepNearest(dealing->dealer->wishes, count, dealing->pool->capacity);
}

// ---------------------------------------------------------------------------------------------------------------------
// Dealing

// Choose wishes of a level, as long as no more than so many places are chosen.
static void tnChooseWishes(const tnDealing* dealing, int level, int count, int mostChosen)
{
	tnWaveDealer* dealer = dealing->dealer;
	for (int i = 0; i < count && dealer->chosenCount < mostChosen; ++i)
	{
		const tnWavePlace place = {level, dealer->wishes[i].column, dealer->wishes[i].row};
		int32_t* chosen = tnFindChosen(dealer, dealing->pool, place);
		if (*chosen == 0 && tnHasParent(dealer, dealing->pool, place))
		{
			dealer->chosen[dealer->chosenCount] = place;
			*chosen = ++dealer->chosenCount;
		}
	}
}

// From the coarsest level on, all that fit everywhere.
static void tnChooseEverywhere(const tnDealing* dealing, int mostChosen)
{
	tnWaveDealer* dealer = dealing->dealer;
	for (int level = dealing->pool->levelCount - 1; level >= 0; --level)
	{
		const int count = tnCollectAll(dealer, dealing->pool, dealing->bed, level, mostChosen - dealer->chosenCount);
		if (count < 0)
		{
			return;
		}
		tnChooseWishes(dealing, level, count, mostChosen);
	}
}

static bool tnAnyBodyAsks(const tnDealing* dealing)
{
	for (int i = 0; i < dealing->bodies->count; ++i)
	{
		if (tnIsNearWater(tnBodies_Get(dealing->bodies, dealing->bodies->list[i]), dealing->grid))
		{
			return true;
		}
	}
	return false;
}

static void tnChoose(const tnDealing* dealing)
{
	tnWaveDealer* dealer = dealing->dealer;
	const tnWavePool* pool = dealing->pool;
	const bool anyInterest = dealer->interests.ids.count > 0;
	const bool anyBody = tnAnyBodyAsks(dealing);
	dealer->chosenCount = 0;
	memset(dealer->chosenMap, 0, (size_t)pool->mapSize * sizeof(int32_t));
	if (!anyInterest || anyBody)
	{
		tnChooseEverywhere(dealing, anyInterest ? pool->allowance / TN_COARSE_SHARE : pool->allowance);
	}
	const int forBodies = anyInterest ? pool->allowance / TN_BODY_SHARE : pool->allowance;
	for (int level = pool->levelCount - 1; level >= 0 && anyBody; --level)
	{
		tnChooseWishes(dealing, level, tnCollectOfBodies(dealing, level), forBodies);
	}
	for (int level = pool->levelCount - 1; level >= 0 && anyInterest; --level)
	{
		const int count = tnCollectWishes(dealer, pool, dealing->bed, level);
		tnChooseWishes(dealing, level, count, pool->capacity);
	}
}

bool tnWaveDealer_Deal(
	tnWaveDealer* dealer, tnWavePool* pool, const tnWaveBed* bed, const tnBodies* bodies, const tnGrid* grid)
{
	const tnDealing dealing = {dealer, pool, bed, bodies, grid};
	tnChoose(&dealing);
	bool changed = false;
	// Who is not chosen retires; who is, and was about to, stays.
	for (int i = 0; i < pool->count; ++i)
	{
		tnWaveTile* tile = pool->tiles + pool->order[i];
		tile->wanted = false;
	}
	for (int i = 0; i < dealer->chosenCount; ++i)
	{
		const tnWavePlace* place = dealer->chosen + i;
		const int slot = tnWavePool_Find(pool, place->level, place->column, place->row);
		if (slot >= 0)
		{
			pool->tiles[slot].wanted = true;
		}
	}
	for (int i = 0; i < pool->count; ++i)
	{
		tnWaveTile* tile = pool->tiles + pool->order[i];
		if (tile->retiring == tile->wanted)
		{
			tile->retiring = !tile->wanted;
			changed = true;
		}
		if (tile->retiring && tile->rests)
		{
			tnWavePool_Release(pool, pool->order[i]);
			changed = true;
		}
	}
	// New ones, as far as there is room: those that retire still have theirs.
	bool waits = false;
	for (int i = 0; i < dealer->chosenCount; ++i)
	{
		const tnWavePlace* place = dealer->chosen + i;
		if (tnWavePool_Find(pool, place->level, place->column, place->row) >= 0)
		{
			continue;
		}
		const int slot = tnWavePool_Take(pool, *place);
		changed = changed || slot >= 0;
		waits = waits || slot < 0;
	}
	if (changed)
	{
		tnWavePool_Link(pool);
	}
	pool->waits = waits;
	return changed;
}
