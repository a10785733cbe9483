// SPDX-License-Identifier: MIT

// Water that leaves cells over their faces: what ledges and crests have in common.
//
// All awake tiles are looked at in parallel for cells in which there may be something. These are visited by one worker, in order.
// They see the depths before anything was taken.
//
// A mirrored face has the same random numbers: they hang on how far it is from the middle of the world along both axes. Where the
// middle goes through a face, its pieces come in pairs, one on each side.

#include "spray.h"

#include <string.h>

// Particles of a birth, at most, and the volume that they should have, as a share of a cube of the cell.
#define TN_MOST_PIECES 4
#define TN_PIECE 0.002

// ---------------------------------------------------------------------------------------------------------------------
// Visits

typedef struct tnVisit
{
	tnSpray* spray;
	const tnSprayStep* step;
	tnLookFcn* look;
} tnVisit;

static tnCellBox tnGetTileBox(const tnGrid* grid, const tnTiles* tiles, int tile)
{
	const int column = tile % tiles->columnCount * TN_TILE_SIZE;
	const int row = tile / tiles->columnCount * TN_TILE_SIZE;
	return (tnCellBox){
		column, tnMinInt(column + TN_TILE_SIZE, grid->columnCount), row, tnMinInt(row + TN_TILE_SIZE, grid->rowCount)};
}

static void tnLookAtTile(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnVisit* visit = context;
	const tnSprayStep* step = visit->step;
	uint64_t rows = 0;
	if (step->tiles->awake[item] != 0)
	{
		const tnGrid* grid = step->grid;
		const tnCellBox box = tnGetTileBox(grid, step->tiles, item);
		const int width = box.columnEnd - box.columnBegin;
		uint64_t* cells = visit->spray->cells + (ptrdiff_t)item * TN_TILE_SIZE;
		for (int row = box.rowBegin; row < box.rowEnd; ++row)
		{
			const ptrdiff_t begin = tnGrid_Index(grid, box.columnBegin, row);
			const uint64_t found = visit->look(visit->spray, step, begin, width);
			cells[row - box.rowBegin] = found;
			rows |= (uint64_t)(found != 0) << (row - box.rowBegin);
		}
	}
	visit->spray->rows[item] = rows;
}

static void tnVisitTile(const tnVisit* visit, int tile, tnCellFcn* fcn)
{
	const tnCellBox box = tnGetTileBox(visit->step->grid, visit->step->tiles, tile);
	uint64_t rows = visit->spray->rows[tile];
	for (; rows != 0; rows &= rows - 1)
	{
		const int row = tnFindLowestBit64(rows);
		uint64_t cells = visit->spray->cells[(ptrdiff_t)tile * TN_TILE_SIZE + row];
		for (; cells != 0; cells &= cells - 1)
		{
			fcn(visit->spray, visit->step, box.columnBegin + tnFindLowestBit64(cells), box.rowBegin + row);
		}
	}
}

int64_t tnSpray_CountTaken(const tnSpray* spray, const tnGrid* grid, ptrdiff_t cell, float depth)
{
	const float before = grid->depth[cell];
	const float after = before - depth;
	const double taken = ((double)before - (double)after) * TN_SPRAY_UNITS;
	const int64_t units = (int64_t)taken;
	return after >= 0.0f && (double)units == taken && units > 0 && tnSpray_HasRoom(spray, units) ? units : 0;
}

void tnSpray_MarkTaken(tnSpray* spray, const tnGrid* grid, int column, int row, float depth)
{
	memcpy(spray->marks + column + row * grid->columnCount, &depth, sizeof(depth));
}

static void tnTakeMarked(tnSpray* spray, const tnSprayStep* step, int column, int row)
{
	tnGrid* grid = step->grid;
	int32_t* mark = spray->marks + column + row * grid->columnCount;
	if (*mark != 0)
	{
		float depth;
		memcpy(&depth, mark, sizeof(depth));
		float* cell = grid->depth + tnGrid_Index(grid, column, row);
		tnGrid_NoteTaken(grid, *cell);
		*cell -= depth;
		tnTiles_Touch(step->tiles, (tnCellBox){column, column + 1, row, row + 1});
		*mark = 0;
	}
}

void tnSpray_VisitCells(tnSpray* spray, const tnSprayStep* step, tnLookFcn* look, tnCellFcn* visitCell)
{
	tnVisit visit = {spray, step, look};
	tnParallelFor(step->parallel, step->tiles->count, tnLookAtTile, &visit);
	for (int pass = 0; pass < 2; ++pass)
	{
		for (int tile = 0; tile < step->tiles->count; ++tile)
		{
			if (spray->rows[tile] != 0)
			{
				tnVisitTile(&visit, tile, pass == 0 ? visitCell : tnTakeMarked);
			}
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Brinks

static int tnCountPieces(const tnGrid* grid, int64_t units)
{
	const double depth = (double)units / TN_SPRAY_UNITS;
	const double pieces = depth / (TN_PIECE * (double)grid->cellSize);
	return pieces < 1.0 ? 1 : (pieces < TN_MOST_PIECES ? (int)pieces : TN_MOST_PIECES);
}

tnBrink tnSpray_MakeBrink(const tnSprayStep* step, int column, int row, bool alongX, int64_t units)
{
	const tnGrid* grid = step->grid;
	// In halves of cells, from the middle of the world.
	const int across = alongX ? 2 * column - grid->columnCount : 2 * row - grid->rowCount;
	const int along = alongX ? 2 * row + 1 - grid->rowCount : 2 * column + 1 - grid->columnCount;
	tnBrink brink = {.size = grid->cellSize};
	brink.across = 0.5f * (float)across * grid->cellSize;
	brink.middle = 0.5f * (float)along * grid->cellSize;
	brink.way = along == 0 ? 0.0f : (along < 0 ? -1.0f : 1.0f);
	brink.count = tnCountPieces(grid, units);
	brink.count += along == 0 ? brink.count & 1 : 0;
	brink.units = units / brink.count;
	const uint32_t place =
		(uint32_t)(across < 0 ? -across : across) * 0x9e3779b1u ^ (uint32_t)(along < 0 ? -along : along);
	brink.random = tnScramble((uint32_t)step->stepCount * 0x85ebca6bu ^ tnScramble(place));
	return brink;
}

void tnBrink_NextPiece(tnBrink* brink, int piece)
{
	const bool isImage = brink->way == 0.0f && (piece & 1) != 0;
	if (isImage)
	{
		brink->along = -brink->along;
		return;
	}
	const float offset = tnNextFraction(&brink->random) - 0.5f;
	brink->along = brink->middle + (brink->way == 0.0f ? offset : brink->way * offset) * brink->size;
	brink->height = tnNextFraction(&brink->random);
	brink->time = tnNextFraction(&brink->random);
	brink->pace = tnNextFraction(&brink->random);
	brink->kick = tnNextFraction(&brink->random);
}
