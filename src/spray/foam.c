// SPDX-License-Identifier: MIT

// How foam is carried and fades.
//
//   dF/dt + d(F u)/dx + d(F w)/dz = births - F / lifetime
//
// F is an amount per area, without unit: about 1 where half of the water is covered. Foam floats, so it goes with the
// velocity of the surface and is not thinned by depth: where the flow draws together, foam gathers in lines.
//
// Second order upwind, once a step. A face lets the share c = u dt/dx of a cell pass, with the amount at its side half a step
// later,
//
//   ^F = F +- r slope(F),   r = (1 - s) / 2,   s = sum of c over the faces through which it leaves,
//
// and slopes as those of tracers (tracers.c). Slopes are at most 2 F, so a cell gives s F + s (1 - s) F <= F: foam is never
// negative, for s <= 1. Where more leaves, the step is divided, by four at most, since a share is 1 at most: foam goes no
// further than a cell in a step. What leaves a cell enters the next: the sum is kept up to rounding.
//
// Foam fades by e^(-dt / lifetime) a step, exactly.
//
// It is carried in tiles where there is some, and in those beside them; anywhere else it is 0 in both buffers. Tiles that
// sleep are not woken: their foam stays where it is and fades, and no face lets any in or out. A tile with less than
// TN_LEAST_FOAM, and none beside it with more, is cleared; not where sleep must change no bit. Of a tile only cells with foam,
// and those beside them, are computed: foam.h has a bit for each of them.

#include "foam.h"

#include "../core/numerics.h"

#include <string.h>

#define TN_LEAST_FOAM 1.0e-3f
#define TN_MOST_FOAM_STEPS 4
// Cells around foam whose faces count in a step: before the last of four parts foam is three cells from where it was, slopes
// look two cells further, and shares beside those cells are added up.
#define TN_FOAM_REACH 7

bool tnFoam_Create(tnFoam* foam, tnMemory* memory, const tnGrid* grid, const tnFoamDef* def)
{
	foam->def = *def;
	if (!def->enable)
	{
		return true;
	}
	foam->tileCount = grid->tileColumnCount * grid->tileRowCount;
	const size_t count = (size_t)foam->tileCount;
	bool ok = (foam->busy = tnMemory_Alloc(memory, count)) != NULL;
	ok = ok && (foam->carried = tnMemory_Alloc(memory, count)) != NULL;
	ok = ok && (foam->stirred = tnMemory_Alloc(memory, count * sizeof(tnStirred))) != NULL;
	ok = ok && (foam->most = tnMemory_Alloc(memory, count * sizeof(float))) != NULL;
	ok = ok && (foam->cells = tnMemory_Alloc(memory, count * TN_TILE_SIZE * sizeof(uint64_t))) != NULL;
	ok = ok && (foam->cellsNext = tnMemory_Alloc(memory, count * TN_TILE_SIZE * sizeof(uint64_t))) != NULL;
	ok = ok && (foam->sides = tnMemory_Alloc(memory, count * sizeof(tnFoamSides))) != NULL;
	ok = ok && (foam->near = tnMemory_Alloc(memory, count * sizeof(uint64_t))) != NULL;
	return ok && (foam->list = tnMemory_Alloc(memory, count * sizeof(int))) != NULL;
}

void tnFoam_Destroy(tnFoam* foam, tnMemory* memory)
{
	const size_t count = (size_t)foam->tileCount;
	tnMemory_Free(memory, foam->busy, count);
	tnMemory_Free(memory, foam->carried, count);
	tnMemory_Free(memory, foam->stirred, count * sizeof(tnStirred));
	tnMemory_Free(memory, foam->most, count * sizeof(float));
	tnMemory_Free(memory, foam->cells, count * TN_TILE_SIZE * sizeof(uint64_t));
	tnMemory_Free(memory, foam->cellsNext, count * TN_TILE_SIZE * sizeof(uint64_t));
	tnMemory_Free(memory, foam->sides, count * sizeof(tnFoamSides));
	tnMemory_Free(memory, foam->near, count * sizeof(uint64_t));
	tnMemory_Free(memory, foam->list, count * sizeof(int));
	memset(foam, 0, sizeof(*foam));
}

// ---------------------------------------------------------------------------------------------------------------------
// Shares

// A row across the north and the south edge: the ghost row, or the other side.
static ptrdiff_t tnGetFoamRow(const tnGrid* grid, int row)
{
	const int count = grid->rowCount;
	return tnGrid_Index(grid, 0, grid->wrapZ ? (row + count) % count : tnClampInt(row, -1, count));
}

// Rows of a tile with foam, a bit each, in it and in the columns beside it that are within TN_FOAM_REACH.
static uint64_t tnFindRows(const tnFoamStep* step, int tileColumn, int tileRow)
{
	const tnFoamSides* sides = step->foam->sides + (ptrdiff_t)tileRow * step->grid->tileColumnCount + tileColumn;
	const uint64_t west = tileColumn > 0 ? sides[-1].east : 0;
	const uint64_t east = tileColumn < step->grid->tileColumnCount - 1 ? sides[1].west : 0;
	return sides->any | west | east;
}

// Rows that are so near to those, in a world that does not wrap along x.
static uint64_t tnFindRowsNear(const tnFoamStep* step, tnCellBox box, int reach)
{
	const tnGrid* grid = step->grid;
	const int last = grid->tileRowCount - 1;
	const int height = grid->rowCount - last * TN_TILE_SIZE; // of the last tiles
	const int column = box.columnBegin / TN_TILE_SIZE;
	const int row = box.rowBegin / TN_TILE_SIZE;
	uint64_t here = tnFindRows(step, column, row);
	// Before the first row, with the nearest as highest bit, and behind the last one of a whole tile.
	uint64_t before = row > 0 ? tnFindRows(step, column, row - 1) : 0;
	uint64_t after = row < last ? tnFindRows(step, column, row + 1) : 0;
	if (grid->wrapZ && row == 0)
	{
		before = tnFindRows(step, column, last) << (TN_TILE_SIZE - height);
		before |= height < TN_TILE_SIZE ? tnFindRows(step, column, tnMaxInt(last - 1, 0)) >> height : 0;
	}
	if (grid->wrapZ && row >= last - 1)
	{
		// The first row follows right behind the last one, where these do not fill a tile.
		const uint64_t first = tnFindRows(step, column, 0);
		const uint64_t behind = height < TN_TILE_SIZE ? first << height : 0;
		here |= row == last ? behind : 0;
		after = row == last ? first >> (TN_TILE_SIZE - height) % TN_TILE_SIZE : after | behind;
	}
	uint64_t near = here;
	for (int i = 1; i <= reach; ++i)
	{
		near |= here << i | here >> i | before >> (TN_TILE_SIZE - i) | after << (TN_TILE_SIZE - i);
	}
	return near;
}

// May what is too far from foam, or too little of it, be left out? Not where sleep must change no bit.
static bool tnMayRest(const tnTiles* tiles)
{
	return tiles->enableSleep && tiles->sleepSpeed > 0.0f;
}

// Rows of a tile whose shares count in this step, a bit each: foam goes four cells in it at most.
static uint64_t tnFindRowsOfStep(const tnFoamStep* step, tnCellBox box)
{
	if (!tnMayRest(step->tiles) || step->grid->wrapX)
	{
		return ~(uint64_t)0;
	}
	return tnFindRowsNear(step, box, TN_FOAM_REACH);
}

// Is foam carried through the faces of a tile, beyond a border between tiles?
static bool tnIsLive(const tnFoamStep* step, int tileColumn, int tileRow)
{
	const tnGrid* grid = step->grid;
	const int columns = grid->tileColumnCount;
	const int rows = grid->tileRowCount;
	// Beyond an edge that does not wrap there is nothing that could sleep.
	if ((!grid->wrapX && (tileColumn < 0 || tileColumn >= columns)) ||
		(!grid->wrapZ && (tileRow < 0 || tileRow >= rows)))
	{
		return true;
	}
	const int tile = (tileRow + rows) % rows * columns + (tileColumn + columns) % columns;
	return step->tiles->awake[tile] != 0 && step->foam->carried[tile] != 0;
}

// Are the tiles beside one live?
typedef struct tnLiveSides
{
	bool west, east, north, south;
} tnLiveSides;

static tnLiveSides tnFindLiveSides(const tnFoamStep* step, tnCellBox box)
{
	const int column = box.columnBegin / TN_TILE_SIZE;
	const int row = box.rowBegin / TN_TILE_SIZE;
	return (tnLiveSides){
		.west = tnIsLive(step, column - 1, row),
		.east = tnIsLive(step, column + 1, row),
		.north = tnIsLive(step, column, row - 1),
		.south = tnIsLive(step, column, row + 1),
	};
}

// Shares of the cells before some faces that go through them, towards +x or +z. `first` and `second` are the cells before and
// behind the first face.
static void tnFindShares(const tnFoamStep* step, const float* discharge, ptrdiff_t first, ptrdiff_t second, int count,
	bool live, float* shares)
{
	if (!live)
	{
		memset(shares, 0, (size_t)count * sizeof(float));
		return;
	}
	const tnGrid* grid = step->grid;
	const tnFoamFaces faces = {.bed = {grid->bed + first, grid->bed + second},
		.depth = {grid->depth + first, grid->depth + second},
		.discharge = discharge,
		.spread = step->timeStep / grid->cellSize};
	// Kernels write whole vectors, and the next face may be that of another tile.
	if (count % 8 == 0)
	{
		step->kernels->shares(&faces, count, shares);
		return;
	}
	float found[TN_TILE_SIZE + TN_FOAM_PAD];
	step->kernels->shares(&faces, count, found);
	memcpy(shares, found, (size_t)count * sizeof(float));
}

static void tnFindSharesX(const tnFoamStep* step, tnCellBox box, int row, tnLiveSides live)
{
	const tnGrid* grid = step->grid;
	const int count = box.columnEnd - box.columnBegin;
	const ptrdiff_t line = tnGrid_Index(grid, 0, row);
	const ptrdiff_t begin = line + box.columnBegin;
	// Across a wrapped edge the first face and the last are one.
	if (grid->wrapX && box.columnBegin == 0)
	{
		tnFindShares(
			step, grid->dischargeX + line, line + grid->columnCount - 1, line, 1, live.west, grid->foamShareX + line);
		tnFindShares(step, grid->dischargeX + line + 1, line, line + 1, count - 1, true, grid->foamShareX + line + 1);
	}
	else
	{
		tnFindShares(step, grid->dischargeX + begin, begin - 1, begin, count, true, grid->foamShareX + begin);
		grid->foamShareX[begin] = live.west ? grid->foamShareX[begin] : 0.0f;
	}
	// The next tile has the last one if it is live.
	const bool isEdge = box.columnEnd == grid->columnCount;
	if (isEdge || !live.east)
	{
		const bool wraps = grid->wrapX && isEdge;
		const ptrdiff_t end = line + (wraps ? 0 : box.columnEnd);
		tnFindShares(step, grid->dischargeX + end, line + box.columnEnd - 1, end, 1, live.east,
			grid->foamShareX + line + box.columnEnd);
	}
}

static void tnFindSharesZ(const tnFoamStep* step, tnCellBox box, int row, tnLiveSides sides)
{
	const tnGrid* grid = step->grid;
	const bool live = (row != box.rowBegin || sides.north) && (row != box.rowEnd || sides.south);
	if (row == box.rowEnd && row < grid->rowCount && live)
	{
		return;
	}
	const bool wraps = grid->wrapZ && (row == 0 || row == grid->rowCount);
	const ptrdiff_t first = tnGrid_Index(grid, box.columnBegin, (wraps ? grid->rowCount : row) - 1);
	const ptrdiff_t second = tnGrid_Index(grid, box.columnBegin, wraps ? 0 : row);
	tnFindShares(step, grid->dischargeZ + second, first, second, box.columnEnd - box.columnBegin, live,
		grid->foamShareZ + tnGrid_Index(grid, box.columnBegin, row));
}

TN_INLINE void tnPrefetchShares(const tnGrid* grid, int column, int row)
{
	const ptrdiff_t line = tnGrid_Index(grid, column, row);
	tnPrefetchRow(grid->bed + line);
	tnPrefetchRow(grid->depth + line);
	tnPrefetchRow(grid->dischargeX + line);
	tnPrefetchRow(grid->dischargeZ + line);
	tnPrefetchRow(grid->foamShareX + line);
	tnPrefetchRow(grid->foamShareZ + line);
}

static void tnFindSharesOfTile(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnFoamStep* step = context;
	const int tile = step->foam->list[item];
	const tnCellBox box = tnGetTileCells(step->grid, tile);
	if (step->tiles->awake[tile] == 0)
	{
		return;
	}
	const uint64_t near = tnFindRowsOfStep(step, box);
	const tnLiveSides live = tnFindLiveSides(step, box);
	step->foam->near[tile] = near;
	for (int row = box.rowBegin; row <= box.rowEnd; ++row)
	{
		if ((near >> (tnMinInt(row, box.rowEnd - 1) - box.rowBegin) & 1) == 0)
		{
			continue;
		}
		tnFindSharesZ(step, box, row, live);
		if (row < box.rowEnd)
		{
			tnPrefetchShares(step->grid, box.columnBegin, row + 1);
			tnFindSharesX(step, box, row, live);
		}
	}
}

// Nobody has found shares beyond the rows that count, in this tile or in those that its last faces belong to: they are of some step
// before, in which foam was there. What leaves the outermost cells must not depend on that.
static void tnForgetOldShares(const tnFoamStep* step, int tile, tnCellBox box, int row, tnLiveSides live)
{
	const tnGrid* grid = step->grid;
	const uint64_t* near = step->foam->near + tile;
	const int i = row - box.rowBegin, count = box.columnEnd - box.columnBegin;
	const bool isLast = row + 1 == box.rowEnd;
	const bool isSouths = isLast && row + 1 < grid->rowCount && live.south;
	const bool hasSouth = isSouths ? (near[grid->tileColumnCount] & 1) != 0 : isLast || (near[0] >> (i + 1) & 1) != 0;
	if (!hasSouth)
	{
		memset(grid->foamShareZ + tnGrid_Index(grid, box.columnBegin, row + 1), 0, (size_t)count * sizeof(float));
	}
	const bool isEasts = box.columnEnd < grid->columnCount && live.east;
	if (isEasts && (near[1] >> i & 1) == 0)
	{
		grid->foamShareX[tnGrid_Index(grid, box.columnEnd, row)] = 0.0f;
	}
}

// What leaves each cell, as a share of it.
static void tnFindLeaving(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnFoamStep* step = context;
	const tnGrid* grid = step->grid;
	const int tile = step->foam->list[item];
	const tnCellBox box = tnGetTileCells(grid, tile);
	const int count = box.columnEnd - box.columnBegin;
	const tnLiveSides live = tnFindLiveSides(step, box);
	float most = 0.0f;
	for (int row = box.rowBegin; row < box.rowEnd && step->tiles->awake[tile] != 0; ++row)
	{
		if ((step->foam->near[tile] >> (row - box.rowBegin) & 1) == 0)
		{
			continue;
		}
		tnForgetOldShares(step, tile, box, row, live);
		const ptrdiff_t line = tnGrid_Index(grid, box.columnBegin, row);
		const float* north = grid->foamShareZ + line;
		tnPrefetchRow(grid->foamShareX + line + grid->stride);
		tnPrefetchRow(grid->foamLeaving + line + grid->stride);
		const float largest = step->kernels->leaving(
			grid->foamShareX + line, north, north + grid->stride, count, grid->foamLeaving + line);
		most = tnMaxFloat(most, largest);
	}
	step->foam->most[tile] = most;
}

// ---------------------------------------------------------------------------------------------------------------------
// Carrying

typedef struct tnFoamPass
{
	const tnFoamStep* step;
	float part; // of the step
	float keep; // what is left after fading
	bool isFirst;
} tnFoamPass;

// No foam in a row of the second buffer.
static void tnClearNext(const tnFoamPass* pass, int tile, tnCellBox box, int row)
{
	const tnGrid* grid = pass->step->grid;
	uint64_t* cells = pass->step->foam->cellsNext + (ptrdiff_t)tile * TN_TILE_SIZE + (row - box.rowBegin);
	if (*cells != 0)
	{
		const size_t bytes = (size_t)(box.columnEnd - box.columnBegin) * sizeof(float);
		memset(grid->foamNext + tnGrid_Index(grid, box.columnBegin, row), 0, bytes);
		*cells = 0;
	}
}

// In a tile that sleeps foam only fades.
static float tnFadeTile(const tnFoamPass* pass, int tile, tnCellBox box)
{
	const tnGrid* grid = pass->step->grid;
	const uint64_t* cells = tnFoam_GetRows(pass->step->foam, tile);
	uint64_t* cellsNext = pass->step->foam->cellsNext + (ptrdiff_t)tile * TN_TILE_SIZE;
	float most = 0.0f;
	for (int row = box.rowBegin; row < box.rowEnd; ++row)
	{
		tnClearNext(pass, tile, box, row);
		const ptrdiff_t line = tnGrid_Index(grid, box.columnBegin, row);
		for (int i = 0; i < box.columnEnd - box.columnBegin && cells[row - box.rowBegin] != 0; ++i)
		{
			const float f = pass->keep * grid->foam[line + i];
			grid->foamNext[line + i] = f > TN_NO_FOAM ? f : 0.0f;
			cellsNext[row - box.rowBegin] |= (uint64_t)(f > TN_NO_FOAM) << i;
			most = tnMaxFloat(most, f);
		}
	}
	return most;
}

// Cells with foam in a row of a tile, a bit each.
static uint64_t tnReadRow(const tnFoamStep* step, int tileColumn, int row)
{
	const int tile = row / TN_TILE_SIZE * step->grid->tileColumnCount + tileColumn;
	return tnFoam_GetRows(step->foam, tile)[row % TN_TILE_SIZE];
}

// Cells of a row of a tile that can have foam after a part of the step, a bit each: those with foam, and those beside them. A
// cell without foam has no slope either, since there is none below 0.
static uint64_t tnFindWanted(const tnFoamStep* step, tnCellBox box, int row)
{
	const tnGrid* grid = step->grid;
	const int last = grid->tileColumnCount - 1;
	const int count = box.columnEnd - box.columnBegin;
	const int column = box.columnBegin / TN_TILE_SIZE;
	const int above = row > 0 ? row - 1 : grid->wrapZ ? grid->rowCount - 1 : row;
	const int below = row < grid->rowCount - 1 ? row + 1 : grid->wrapZ ? 0 : row;
	const uint64_t here = tnReadRow(step, column, row);
	uint64_t wanted = here | here << 1 | here >> 1 | tnReadRow(step, column, above) | tnReadRow(step, column, below);
	if (column > 0 || grid->wrapX)
	{
		const int end = column > 0 ? TN_TILE_SIZE : grid->columnCount - last * TN_TILE_SIZE;
		wanted |= tnReadRow(step, column > 0 ? column - 1 : last, row) >> (end - 1) & 1;
	}
	if (column < last || grid->wrapX)
	{
		wanted |= (tnReadRow(step, column < last ? column + 1 : 0, row) & 1) << (count - 1);
	}
	return wanted & ~(uint64_t)0 >> (TN_TILE_SIZE - count);
}

// Blocks of eight cells of which any is wanted, whole. Kernels make as many cells at once, or parts of them.
static uint64_t tnFillBlocks(uint64_t bits)
{
	bits |= bits >> 4;
	bits |= bits >> 2;
	bits |= bits >> 1;
	return (bits & 0x0101010101010101u) * 0xffu;
}

// A bit for each of these blocks.
static uint32_t tnListBlocks(uint64_t blocks)
{
	// Bit 0 of byte i goes to bit 56 + i, and nothing else gets that far.
	return (uint32_t)((blocks & 0x0101010101010101u) * 0x0102040810204080u >> 56);
}

static tnFoamCells tnMakeFoamCells(const tnFoamPass* pass, tnCellBox box, int row)
{
	const tnGrid* grid = pass->step->grid;
	const ptrdiff_t line = tnGrid_Index(grid, box.columnBegin, row);
	tnFoamCells cells = {
		.sharesX = grid->foamShareX + line,
		.sharesZ = {grid->foamShareZ + line, grid->foamShareZ + line + grid->stride},
		.part = pass->part,
		.keep = pass->keep,
		.next = grid->foamNext + line,
	};
	const bool isInside = row >= 2 && row < grid->rowCount - 2;
	for (int i = 0; i < 5; ++i)
	{
		const ptrdiff_t other =
			isInside ? line + (i - 2) * (ptrdiff_t)grid->stride : tnGetFoamRow(grid, row + i - 2) + box.columnBegin;
		cells.foam[i] = grid->foam + other;
		if (i >= 1 && i <= 3)
		{
			cells.leaving[i - 1] = grid->foamLeaving + other;
		}
	}
	return cells;
}

// Foam of some blocks of a row.
static float tnCarryBlocks(
	const tnFoamPass* pass, const tnFoamCells* cells, int count, uint32_t blocks, uint32_t known, uint64_t* bits)
{
	float most = 0.0f;
	while (blocks != 0)
	{
		const int begin = tnFindLowestBit(blocks);
		const int end = begin + tnFindLowestBit(~(blocks >> begin));
		const uint32_t run = (1u << end) - (1u << begin);
		const float largest =
			pass->step->kernels->carry(cells, 8 * begin, tnMinInt(8 * end, count), (run & ~known) == 0, bits);
		most = tnMaxFloat(most, largest);
		blocks &= ~run;
	}
	return most;
}

// Ask for what the next row of a tile has besides the rows around this one.
TN_INLINE void tnPrefetchCarry(const tnGrid* grid, int column, int row, uint64_t wanted)
{
	const ptrdiff_t line = tnGrid_Index(grid, column, row + 1);
	const ptrdiff_t below = row + 2 < grid->rowCount ? line + grid->stride : line;
	const ptrdiff_t last = row + 3 < grid->rowCount ? below + grid->stride : below;
	for (int i = 0; i < TN_TILE_SIZE; i += 16)
	{
		if ((wanted >> i & 0xffff) != 0)
		{
			TN_PREFETCH(grid->foamShareX + line + i);
			TN_PREFETCH(grid->foamNext + line + i);
			TN_PREFETCH(grid->foamShareZ + below + i);
			TN_PREFETCH(grid->foamLeaving + below + i);
			TN_PREFETCH(grid->foam + last + i);
		}
	}
}

static float tnCarryTile(const tnFoamPass* pass, int tile, tnCellBox box)
{
	const int count = box.columnEnd - box.columnBegin;
	const int rowCount = box.rowEnd - box.rowBegin;
	uint64_t* cellsNext = pass->step->foam->cellsNext + (ptrdiff_t)tile * TN_TILE_SIZE;
	float alongX[TN_TILE_SIZE + TN_FOAM_PAD];
	float alongZ[TN_TILE_SIZE + TN_FOAM_PAD];
	float most = 0.0f;
	uint32_t known = 0; // blocks whose fluxes from above are in alongZ
	// Sides are those before the first part.
	const bool knowsRows = pass->isFirst && !pass->step->grid->wrapX;
	const uint64_t near = knowsRows ? tnFindRowsNear(pass->step, box, 1) : ~(uint64_t)0;
	for (int i = 0; i < rowCount; ++i)
	{
		const bool isNear = (near >> i & 1) != 0;
		const uint64_t wanted = isNear ? tnFillBlocks(tnFindWanted(pass->step, box, box.rowBegin + i)) : 0;
		const uint32_t blocks = tnListBlocks(wanted);
		if ((cellsNext[i] & ~wanted) != 0)
		{
			tnClearNext(pass, tile, box, box.rowBegin + i);
		}
		if (blocks != 0)
		{
			tnFoamCells cells = tnMakeFoamCells(pass, box, box.rowBegin + i);
			tnPrefetchCarry(pass->step->grid, box.columnBegin, box.rowBegin + i, wanted);
			cells.alongX = alongX;
			cells.alongZ = alongZ;
			cellsNext[i] = 0;
			most = tnMaxFloat(most, tnCarryBlocks(pass, &cells, count, blocks, known, cellsNext + i));
		}
		known = blocks;
	}
	return most;
}

static void tnCarryFoam(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnFoamPass* pass = context;
	const tnFoamStep* step = pass->step;
	const int tile = step->foam->list[item];
	const tnCellBox box = tnGetTileCells(step->grid, tile);
	step->foam->most[tile] = step->tiles->awake[tile] != 0 ? tnCarryTile(pass, tile, box) : tnFadeTile(pass, tile, box);
}

// Two columns on either side of a world that wraps.
static void tnWrapColumns(const tnGrid* grid, float* field)
{
	const int n = grid->columnCount;
	for (int row = 0; row < grid->rowCount && grid->wrapX; ++row)
	{
		float* line = field + tnGrid_Index(grid, 0, row);
		for (int i = 1; i <= 2; ++i)
		{
			line[-i] = line[n - i];
			line[n - 1 + i] = line[i - 1];
		}
	}
}

// Beyond edges that do not wrap there is no foam: what was wrapped there would come back in.
void tnFoam_SetEdges(const tnGrid* grid)
{
	for (int row = 0; row < grid->rowCount && grid->foam != NULL && !grid->wrapX; ++row)
	{
		const ptrdiff_t begin = tnGrid_Index(grid, 0, row);
		const ptrdiff_t end = begin + grid->columnCount;
		for (int i = 0; i < 2; ++i)
		{
			grid->foam[begin - 2 + i] = grid->foamNext[begin - 2 + i] = 0.0f;
			grid->foam[end + i] = grid->foamNext[end + i] = 0.0f;
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// The step

static void tnFindSides(tnFoam* foam, int tile)
{
	const uint64_t* cells = tnFoam_GetRows(foam, tile);
	tnFoamSides sides = {0};
	for (int i = 0; i < TN_TILE_SIZE; ++i)
	{
		sides.any |= (uint64_t)(cells[i] != 0) << i;
		sides.west |= (uint64_t)(cells[i] << (TN_TILE_SIZE - TN_FOAM_REACH) != 0) << i;
		sides.east |= (uint64_t)(cells[i] >> (TN_TILE_SIZE - TN_FOAM_REACH) != 0) << i;
	}
	foam->sides[tile] = sides;
}

void tnFoam_Renew(tnFoam* foam, const tnGrid* grid)
{
	// Bits of cells that are not there would lead out of the world.
	for (int tile = 0; tile < foam->tileCount; ++tile)
	{
		const tnCellBox box = tnGetTileCells(grid, tile);
		uint64_t* cells = tnFoam_GetRows(foam, tile);
		for (int row = 0; row < TN_TILE_SIZE; ++row)
		{
			const bool inside = row < box.rowEnd - box.rowBegin;
			cells[row] &= inside ? ~(uint64_t)0 >> (TN_TILE_SIZE - (box.columnEnd - box.columnBegin)) : 0;
		}
		tnFindSides(foam, tile);
	}
	// The second buffer is written before it is read, but for what its bits say.
	memset(foam->cellsNext, 0, (size_t)foam->tileCount * TN_TILE_SIZE * sizeof(uint64_t));
	for (int row = 0; row < grid->rowCount; ++row)
	{
		memset(grid->foamNext + tnGrid_Index(grid, 0, row), 0, (size_t)grid->columnCount * sizeof(float));
	}
}

static void tnBearFoam(int tile, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnFoamStep* step = context;
	if ((step->tiles->awake[tile] != 0 || step->foam->stirred[tile].rows != 0) && tnFoam_BearInTile(step, tile))
	{
		step->foam->busy[tile] = 1;
	}
	step->foam->stirred[tile] = (tnStirred){0};
	if (step->foam->carried[tile] != 0 || step->foam->busy[tile] != 0)
	{
		tnFindSides(step->foam, tile);
	}
}

static bool tnIsNearFoam(const tnFoamStep* step, int tileColumn, int tileRow)
{
	const tnGrid* grid = step->grid;
	// As tiles wake each other: across a wrapped edge the last one may be narrow.
	const int reachX = grid->wrapX ? 2 : 1;
	const int reachZ = grid->wrapZ ? 2 : 1;
	for (int z = tileRow - reachZ; z <= tileRow + reachZ; ++z)
	{
		for (int x = tileColumn - reachX; x <= tileColumn + reachX; ++x)
		{
			const int row = grid->wrapZ ? (z + 2 * grid->tileRowCount) % grid->tileRowCount : z;
			const int column = grid->wrapX ? (x + 2 * grid->tileColumnCount) % grid->tileColumnCount : x;
			if (row >= 0 && row < grid->tileRowCount && column >= 0 && column < grid->tileColumnCount &&
				step->foam->busy[row * grid->tileColumnCount + column] != 0)
			{
				return true;
			}
		}
	}
	return false;
}

static void tnClearTile(const tnFoamStep* step, int tile)
{
	const tnGrid* grid = step->grid;
	const tnCellBox box = tnGetTileCells(grid, tile);
	const size_t bytes = (size_t)(box.columnEnd - box.columnBegin) * sizeof(float);
	for (int row = box.rowBegin; row < box.rowEnd; ++row)
	{
		const ptrdiff_t line = tnGrid_Index(grid, box.columnBegin, row);
		memset(grid->foam + line, 0, bytes);
		memset(grid->foamNext + line, 0, bytes);
	}
	step->foam->sides[tile] = (tnFoamSides){0};
	memset(tnFoam_GetRows(step->foam, tile), 0, TN_TILE_SIZE * sizeof(uint64_t));
	memset(step->foam->cellsNext + (ptrdiff_t)tile * TN_TILE_SIZE, 0, TN_TILE_SIZE * sizeof(uint64_t));
}

static void tnListTiles(const tnFoamStep* step)
{
	tnFoam* foam = step->foam;
	foam->listCount = 0;
	for (int tile = 0; tile < foam->tileCount; ++tile)
	{
		const int columns = step->grid->tileColumnCount;
		const bool near = tnIsNearFoam(step, tile % columns, tile / columns);
		const bool before = foam->carried[tile] != 0;
		const bool now = near && (before || foam->busy[tile] != 0 || step->tiles->awake[tile] != 0);
		foam->carried[tile] = now ? 1 : 0;
		if (now)
		{
			foam->list[foam->listCount++] = tile;
		}
		else if (before)
		{
			tnClearTile(step, tile);
		}
	}
}

static float tnFindMostOfTiles(const tnFoam* foam)
{
	float most = 0.0f;
	for (int i = 0; i < foam->listCount; ++i)
	{
		most = tnMaxFloat(most, foam->most[foam->list[i]]);
	}
	return most;
}

void tnFoam_Step(const tnFoamStep* step)
{
	tnFoam* foam = step->foam;
	tnGrid* grid = step->grid;
	tnFoam_Stir(step);
	tnParallelFor(step->parallel, foam->tileCount, tnBearFoam, (void*)step);
	tnListTiles(step);
	if (foam->listCount == 0)
	{
		return;
	}
	tnParallelFor(step->parallel, foam->listCount, tnFindSharesOfTile, (void*)step);
	tnParallelFor(step->parallel, foam->listCount, tnFindLeaving, (void*)step);
	tnWrapColumns(grid, grid->foamLeaving);
	const float most = tnFindMostOfTiles(foam);
	int count = 1;
	for (; count < TN_MOST_FOAM_STEPS && most > (float)count; ++count)
	{
	}
	const float keep = (float)tnExp(-(double)step->timeStep / foam->def.lifetime);
	for (int i = 0; i < count; ++i)
	{
		tnFoamPass pass = {step, 1.0f / (float)count, i == count - 1 ? keep : 1.0f, i == 0};
		tnWrapColumns(grid, grid->foam);
		tnParallelFor(step->parallel, foam->listCount, tnCarryFoam, &pass);
		float* swap = grid->foam;
		grid->foam = grid->foamNext;
		grid->foamNext = swap;
		uint64_t* swapCells = foam->cells;
		foam->cells = foam->cellsNext;
		foam->cellsNext = swapCells;
	}
	const float least = tnMayRest(step->tiles) ? TN_LEAST_FOAM : TN_NO_FOAM;
	for (int i = 0; i < foam->listCount; ++i)
	{
		const int tile = foam->list[i];
		foam->busy[tile] = foam->most[tile] > least ? 1 : 0;
	}
}
