// SPDX-License-Identifier: MIT

// Waves that bodies make.
//
// A hull is a pressure on the surface: P = p / (rho g), the thickness of it that is below the water. With
// Airy's linear waves
//
//   eta_tt = -Omega^2 (eta + P)        h = eta + P:    h_tt = -Omega^2 h + P_tt
//
// so h is a free wave that is raised by P_new - P_old in each step: water rises before a hull and falls behind it. The
// layer stores h. Beside the hull it is the surface, and below it the hull hides it.
//
// The flow feels every body at its own cells, and hands over what it makes of that (wave_handover.c). So the layer gets what
// cells of the flow cannot hold, P minus its mean over each cell, and only in bands finer than them:
//
//      flow cell            A column of the cut covers a rectangle of its cell. Where it covers all of it there is
//   |   ____|____  |        nothing to add; what counts is where in a cell a hull ends.
//   |__|    |    |_|
//
// Footprints are those of the cut, which shows bodies at the end of the step. They change only when a body moves: water
// that rises along a pier makes no waves. All bodies in a block of cells are one displacement. A body that is destroyed
// leaves a hole in the water: its footprint is taken out again.
//
// Blocks are decomposed by all workers, each in memory of its own. Bands of blocks beside each other share tiles: when all
// are done a row of tiles gets what they have for it in their order, so bits do not depend on who was first.

#include "wave_wakes.h"

#include "../flow/cell_disc.h"
#include "wave_entry.h"

#include <limits.h>

// Share of the height at which waves rest below which displacements are left out. They come in every step, all alike.
#define TN_LEAST_STIR 0.001f

static bool tnHasMoved(const tnBody* body)
{
	if (body->printCount != body->cut.columnCount)
	{
		return true;
	}
	for (int i = 0; i < body->printCount; ++i)
	{
		const tnColumn c = tnCut_GetColumn(&body->cut, i);
		const tnPrint* p = body->prints + i;
		if (c.column != p->column || c.row != p->row || c.low != p->low || c.high != p->high || c.share != p->share ||
			c.insetX != p->insetX || c.insetZ != p->insetZ)
		{
			return true;
		}
	}
	return false;
}

static tnPrint tnMakePrint(const tnGrid* grid, const tnColumn* column)
{
	const ptrdiff_t cell = tnGrid_Index(grid, column->column, column->row);
	const float surface = grid->bed[cell] + tnGrid_GetHeight(grid, cell);
	const bool wet = grid->depth[cell] > TN_DRY_DEPTH;
	return (tnPrint){
		.column = column->column,
		.row = column->row,
		.share = column->share,
		.low = column->low,
		.high = column->high,
		.insetX = column->insetX,
		.insetZ = column->insetZ,
		.widthX = column->widthX,
		.widthZ = column->widthZ,
		.thickness = wet ? tnClampFloat(surface, column->low, column->high) - column->low : 0.0f,
	};
}

// A span of a cell of the flow: how much of each of its fine cells it covers.
static void tnCoverSpan(float inset, float width, int count, float* covers)
{
	const float low = tnMaxFloat(inset - 0.5f * width, 0.0f) * (float)count;
	const float high = tnMinFloat(inset + 0.5f * width, 1.0f) * (float)count;
	for (int i = 0; i < count; ++i)
	{
		const float from = tnMaxFloat(low, (float)i);
		const float to = tnMinFloat(high, (float)(i + 1));
		covers[i] = tnMaxFloat(to - from, 0.0f);
	}
}

// Add what a column displaces beyond its mean over the cell, times a sign.
static void tnAddPrint(const tnWavePatch* patch, const tnPrint* print, int count, float sign)
{
	const float mean = sign * print->share * print->thickness;
	const bool coversAll = print->insetX - 0.5f * print->widthX <= 0.0f &&
		print->insetX + 0.5f * print->widthX >= 1.0f && print->insetZ - 0.5f * print->widthZ <= 0.0f &&
		print->insetZ + 0.5f * print->widthZ >= 1.0f;
	if (mean == 0.0f || coversAll)
	{
		// What is added below is zero to the last bit.
		return;
	}
	float coversX[64], coversZ[64];
	tnCoverSpan(print->insetX, print->widthX, count, coversX);
	tnCoverSpan(print->insetZ, print->widthZ, count, coversZ);
	float sumX = 0.0f, sumZ = 0.0f;
	for (int i = 0; i < count; ++i)
	{
		sumX += coversX[i];
		sumZ += coversZ[i];
	}
	if (!(sumX > 0.0f && sumZ > 0.0f))
	{
		return;
	}
	// The volume is exact, and spread over the rectangle that the column is in.
	const float height = mean * (float)(count * count) / (sumX * sumZ);
	for (int r = 0; r < count; ++r)
	{
		float* restrict out = patch->values + (ptrdiff_t)(print->row * count + r - patch->box.row) * patch->stride +
			(print->column * count - patch->box.column);
		for (int c = 0; c < count; ++c)
		{
			out[c] += height * (coversX[c] * coversZ[r]) - mean;
		}
	}
}

static void tnGrowBox(tnCellBox* box, int column, int row)
{
	box->columnBegin = tnMinInt(box->columnBegin, column);
	box->columnEnd = tnMaxInt(box->columnEnd, column + 1);
	box->rowBegin = tnMinInt(box->rowBegin, row);
	box->rowEnd = tnMaxInt(box->rowEnd, row + 1);
}

static const tnCellBox s_noCells = {INT_MAX, INT_MIN, INT_MAX, INT_MIN};

static tnCellBox tnJoinBoxes(const tnCellBox* a, const tnCellBox* b)
{
	return (tnCellBox){tnMinInt(a->columnBegin, b->columnBegin), tnMaxInt(a->columnEnd, b->columnEnd),
		tnMinInt(a->rowBegin, b->rowBegin), tnMaxInt(a->rowEnd, b->rowEnd)};
}

static bool tnIsInBox(const tnCellBox* box, int column, int row)
{
	return column >= box->columnBegin && column < box->columnEnd && row >= box->rowBegin && row < box->rowEnd;
}

static tnCellBox tnFindColumns(const tnCut* cut)
{
	tnCellBox box = s_noCells;
	for (int i = 0; i < cut->columnCount; ++i)
	{
		tnGrowBox(&box, cut->cells[i].column, cut->cells[i].row);
	}
	return box;
}

// The cells that a body displaces water in, or has, as far as they are in another box.
static tnCellBox tnFindStirred(const tnBody* body, const tnCellBox* within)
{
	tnCellBox box = s_noCells;
	for (int i = 0; i < body->printCount; ++i)
	{
		if (tnIsInBox(within, body->prints[i].column, body->prints[i].row))
		{
			tnGrowBox(&box, body->prints[i].column, body->prints[i].row);
		}
	}
	for (int i = 0; i < body->cut.columnCount; ++i)
	{
		if (tnIsInBox(within, body->cut.cells[i].column, body->cut.cells[i].row))
		{
			tnGrowBox(&box, body->cut.cells[i].column, body->cut.cells[i].row);
		}
	}
	return box;
}

static void tnAddStirred(
	const tnWavePatch* patch, const tnGrid* grid, const tnBody* body, const tnCellBox* box, int count)
{
	for (int i = 0; i < body->printCount; ++i)
	{
		if (tnIsInBox(box, body->prints[i].column, body->prints[i].row))
		{
			tnAddPrint(patch, body->prints + i, count, -1.0f);
		}
	}
	for (int i = 0; i < body->cut.columnCount; ++i)
	{
		if (tnIsInBox(box, body->cut.cells[i].column, body->cut.cells[i].row))
		{
			const tnColumn column = tnCut_GetColumn(&body->cut, i);
			const tnPrint print = tnMakePrint(grid, &column);
			tnAddPrint(patch, &print, count, 1.0f);
		}
	}
}

// The same cells of the finest level. There must be some: the ends of no box are too far away to be multiplied.
static tnWaveBox tnGetFineBox(const tnWaves* waves, const tnCellBox* box)
{
	const int count = 1 << waves->pool.finerLevels;
	return (tnWaveBox){box->columnBegin * count, box->rowBegin * count, (box->columnEnd - box->columnBegin) * count,
		(box->rowEnd - box->rowBegin) * count};
}

// Does the layer have tiles for what may happen in these cells?
static bool tnMayStir(const tnWaves* waves, const tnCellBox* box)
{
	return tnHasCells(box) && tnWaves_MayEnter(waves, tnGetFineBox(waves, box), waves->pool.finerLevels);
}

// Chain the bodies that stir cells of some rows, in order. Returns the first one, or -1.
static int tnChainStirring(tnBodies* bodies, int rowBegin, int rowEnd)
{
	int32_t first = -1;
	int32_t* end = &first;
	for (int i = 0; i < bodies->count; ++i)
	{
		tnBody* body = tnBodies_Get(bodies, bodies->list[i]);
		if (body->stirs && body->stirred.rowBegin < rowEnd && body->stirred.rowEnd > rowBegin)
		{
			*end = bodies->list[i];
			end = &body->nextStirring;
		}
	}
	*end = -1;
	return first;
}

enum
{
	// Blocks that are decomposed at once, at most: 12 KB of the stack, which may be that of a host's fiber.
	TN_MOST_BLOCKS = 8,
};

typedef struct tnStirring
{
	tnWaves* waves;
	const tnGrid* grid;
	tnBodies* bodies;
	// Blocks that wait to be decomposed: they have scratch memory of the waves one after the other.
	int blockCount;
	size_t floatCount;
	tnCellBox blocks[TN_MOST_BLOCKS];
	float* memory[TN_MOST_BLOCKS];
	tnWaveEntry entries[TN_MOST_BLOCKS];
} tnStirring;

static void tnLookAtBody(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnStirring* stirring = context;
	tnBody* body = tnBodies_Get(stirring->bodies, stirring->bodies->list[item]);
	body->stirs = tnHasMoved(body);
	body->stirred = s_noCells;
	if (body->stirs)
	{
		const tnCellBox before = body->printCount > 0 ? body->printed : s_noCells;
		// Its prints become those of these cells before the step ends.
		body->printed = tnFindColumns(&body->cut);
		body->stirred = tnJoinBoxes(&before, &body->printed);
	}
}

static void tnMakePrints(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnStirring* stirring = context;
	tnBody* body = tnBodies_Get(stirring->bodies, stirring->bodies->list[item]);
	for (int k = 0; k < body->cut.columnCount && body->stirs; ++k)
	{
		const tnColumn column = tnCut_GetColumn(&body->cut, k);
		body->prints[k] = tnMakePrint(stirring->grid, &column);
	}
	body->printCount = body->stirs ? body->cut.columnCount : body->printCount;
}

// The cells of a block that bodies stir.
// @param first of the bodies that stir cells of these rows, or -1
static tnCellBox tnFindUsed(const tnStirring* stirring, int first, const tnCellBox* block)
{
	// What their boxes have of the block is more than their columns do, and soon found.
	const tnBodies* bodies = stirring->bodies;
	tnCellBox most = s_noCells;
	for (int i = first; i >= 0; i = tnBodies_Get(bodies, i)->nextStirring)
	{
		const tnCellBox shared = tnMeetBoxes(&tnBodies_Get(bodies, i)->stirred, block);
		most = tnHasCells(&shared) ? tnJoinBoxes(&most, &shared) : most;
	}
	tnCellBox used = s_noCells;
	if (!tnMayStir(stirring->waves, &most))
	{
		return used;
	}
	for (int i = first; i >= 0; i = tnBodies_Get(bodies, i)->nextStirring)
	{
		const tnCellBox shared = tnMeetBoxes(&tnBodies_Get(bodies, i)->stirred, block);
		if (tnHasCells(&shared))
		{
			const tnCellBox box = tnFindStirred(tnBodies_Get(bodies, i), block);
			used = tnJoinBoxes(&used, &box);
		}
	}
	return used;
}

static void tnDecomposeBlock(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	tnStirring* stirring = context;
	const tnBodies* bodies = stirring->bodies;
	const tnCellBox* block = stirring->blocks + item;
	tnWaveEntry* entry = stirring->entries + item;
	const tnWavePatch patch = tnBeginWaveEntry(stirring->memory[item], entry->plan.averages[0]);
	for (int i = 0; i < bodies->count; ++i)
	{
		const tnBody* body = tnBodies_Get(bodies, bodies->list[i]);
		const tnCellBox shared = tnMeetBoxes(&body->stirred, block);
		if (body->stirs && tnHasCells(&shared))
		{
			tnAddStirred(&patch, stirring->grid, body, block, 1 << stirring->waves->pool.finerLevels);
		}
	}
	tnWaves_Decompose(stirring->waves, entry, stirring->memory[item], TN_LEAST_STIR * stirring->waves->def.restHeight);
}

// What blocks give to a cell is added in their order, whoever has decomposed them.
static void tnStirBlocks(tnStirring* stirring, tnParallel* parallel)
{
	tnParallelFor(parallel, stirring->blockCount, tnDecomposeBlock, stirring);
	tnWaves_AddEntries(stirring->waves, stirring->entries, stirring->blockCount, parallel);
	stirring->blockCount = 0;
	stirring->floatCount = 0;
}

static void tnPutBlock(tnStirring* stirring, tnParallel* parallel, const tnCellBox* block, const tnCellBox* used)
{
	tnWaves* waves = stirring->waves;
	tnWaveEntry entry;
	if (!tnHasCells(used) || !tnWaves_PlanEntry(waves, tnGetFineBox(waves, used), waves->pool.finerLevels, &entry))
	{
		return;
	}
	if (stirring->blockCount == TN_MOST_BLOCKS || stirring->floatCount + entry.floatCount > waves->entryFloats)
	{
		tnStirBlocks(stirring, parallel);
	}
	const int index = stirring->blockCount++;
	stirring->blocks[index] = *block;
	stirring->memory[index] = waves->entryScratch + stirring->floatCount;
	stirring->entries[index] = entry;
	stirring->floatCount += entry.floatCount;
}

void tnWaves_StirByBodies(tnWaves* waves, const tnGrid* grid, tnBodies* bodies, tnParallel* parallel)
{
	const int finer = waves->pool.finerLevels;
	if (finer == 0)
	{
		return;
	}
	tnStirring stirring;
	stirring.waves = waves;
	stirring.grid = grid;
	stirring.bodies = bodies;
	stirring.blockCount = 0;
	stirring.floatCount = 0;
	tnParallelFor(parallel, bodies->count, tnLookAtBody, &stirring);
	tnCellBox all = s_noCells;
	for (int i = 0; i < bodies->count; ++i)
	{
		all = tnJoinBoxes(&all, &tnBodies_Get(bodies, bodies->list[i])->stirred);
	}
	const int size = TN_WAVE_ENTRY_SIZE >> finer;
	for (int row = all.rowBegin / size * size; row < all.rowEnd; row += size)
	{
		const int first = tnChainStirring(bodies, row, row + size);
		for (int column = all.columnBegin / size * size; column < all.columnEnd && first >= 0; column += size)
		{
			const tnCellBox block = {column, column + size, row, row + size};
			const tnCellBox used = tnFindUsed(&stirring, first, &block);
			tnPutBlock(&stirring, parallel, &block, &used);
		}
	}
	tnStirBlocks(&stirring, parallel);
	tnParallelFor(parallel, bodies->count, tnMakePrints, &stirring);
}

void tnWaves_ForgetBody(tnWaves* waves, const tnGrid* grid, tnBodies* bodies, tnParallel* parallel, int index)
{
	tnBodies alone = {.pages = bodies->pages, .list = &index, .count = 1};
	tnCut_ClearColumns(&tnBodies_Get(bodies, index)->cut);
	tnWaves_StirByBodies(waves, grid, &alone, parallel);
}
