// SPDX-License-Identifier: MIT

// Where foam comes from: wherever water takes in air.
//
// Water that falls or runs into other water takes air along from about 1 m/s on (Chanson 1996: 0.8 to 1.1 m/s), and bubbles
// stay below as long as water is stirred faster than they rise, 0.4 m/s at most. Below that every rule gives 0: lakes and slow
// rivers make none. Rates are 1/s, h is the depth, dx the cell size.
//
//   fronts   TN_FRONT (d - max(TN_FRONT_LIMIT sqrt(g h), TN_FRONT_LEAST)) / dx
//            d is by how much the flow slows down across the cell, m/s: the sum of its speeds inwards less those outwards.
//            Bores and hydraulic jumps are some three cells wide whatever the cells are, and d is a third of their drop of
//            speed: 0.6 sqrt(g h) where they begin to break, at depths of 1 to 1.8. In smooth waves d goes to 0 with
//            the size of cells. So a front that passes leaves as much foam with small cells as with large ones.
//   rapids   TN_RAPIDS (f - TN_RAPIDS_LIMIT), f = sum over the faces through which water comes in of speed * fall / dx
//            f is how fast the surface of the water falls on its way into the cell, m/s: the power that turbulence gets.
//   shores   TN_SHORE (v - TN_SHORE_LIMIT) / dx, v the speed, m/s, with which water runs on dry ground that does not fall
//            steeply
//   bodies   TN_WAKE (v - TN_WAKE_LIMIT), v the speed of water in and beside the cells of a body against the body, m/s, where
//            the body comes through the surface
//   splashes TN_AIR (v - TN_SPLASH_LIMIT) / TN_LAYER for each meter of water that comes down with v: a plunging jet takes
//            in some 0.06 of its volume as air for each m/s of its speed beyond 1 m/s
//   breakers of the wave layer: 1 for TN_BREAKER_ENERGY, J/m^2, that waves lose
//
// The first three are less in water that is not some times as deep as bubbles are wide. They are found for every fourth row
// by turns, for four steps at once: from the nearer one of both edges on, so that mirrored scenes have mirrored foam.
//
// White water cannot get whiter: only the bare share of the surface, 1 / (1 + F), is covered anew.

#include "foam.h"

#include "../flow/cell_disc.h"
#include "../flow/grid_sample.h"

#include <math.h>
#include <string.h>

#define TN_FRONT 1.5f
#define TN_FRONT_LIMIT 0.15f
#define TN_FRONT_LEAST 0.3f // m/s: a drop of 1 m/s over three cells
#define TN_RAPIDS 0.5f      // 1/m: F of 1 for two meters of fall
#define TN_RAPIDS_LIMIT 0.4f
#define TN_SHORE 0.6f
#define TN_SHORE_LIMIT 0.5f // m/s: half of the speed of a front is left at its foot
#define TN_SHORE_FALL 0.25f // of a cell size
#define TN_WAKE 0.25f       // 1/m: F of 1 for four meters of way
#define TN_WAKE_LIMIT 1.0f
#define TN_AIR 0.06f // s/m
#define TN_SPLASH_LIMIT 1.0f
#define TN_LAYER 0.02f          // m of bubbles that are F = 1
#define TN_BREAKER_ENERGY 50.0f // what waves 20 cm high have, J/m^2
// Meters of depth below which water makes no foam, and from which on it makes all of it.
#define TN_FOAM_DEPTH 0.01f
#define TN_FULL_FOAM_DEPTH 0.05f

#define TN_BIRTH_PERIOD 4
// Most that one call adds: a whole number of units must fit, many times.
#define TN_MOST_ADDED 1000.0f

// ---------------------------------------------------------------------------------------------------------------------
// Added from outside

static void tnAddUnits(int32_t* added, float amount)
{
	const int32_t most = (int32_t)(TN_MOST_ADDED * TN_FOAM_UNITS);
	const int32_t units = (int32_t)(tnMinFloat(amount, TN_MOST_ADDED) * TN_FOAM_UNITS);
	// With a limit the order still does not matter: the sum is the limit whichever comes first.
	*added = units < most - *added ? *added + units : most;
}

// Something was added to cells of a row, a bit each from the column on.
static void tnMarkStirred(tnFoam* foam, const tnGrid* grid, int column, int row, uint64_t cells)
{
	tnStirred* stirred = foam->stirred + row / TN_TILE_SIZE * grid->tileColumnCount + column / TN_TILE_SIZE;
	const int shift = column % TN_TILE_SIZE;
	const uint64_t beyond = shift > 0 ? cells >> (TN_TILE_SIZE - shift) : 0;
	stirred->rows |= (uint64_t)1 << row % TN_TILE_SIZE;
	stirred->columns |= cells << shift;
	if (beyond != 0)
	{
		stirred[1].rows |= (uint64_t)1 << row % TN_TILE_SIZE;
		stirred[1].columns |= beyond;
	}
}

void tnFoam_Add(tnFoam* foam, const tnGrid* grid, int column, int row, float amount)
{
	if (foam->def.enable && amount > 0.0f)
	{
		tnAddUnits(grid->foamAdded + tnGrid_Index(grid, column, row), amount);
		tnMarkStirred(foam, grid, column, row, 1);
	}
}

void tnFoam_AddSplash(tnFoam* foam, const tnGrid* grid, int column, int row, float depth, float speed)
{
	const float air = TN_AIR * tnMaxFloat(speed - TN_SPLASH_LIMIT, 0.0f) * depth;
	tnFoam_Add(foam, grid, column, row, foam->def.strength * air / TN_LAYER);
}

// ---------------------------------------------------------------------------------------------------------------------
// Bodies and waves

enum
{
	// Columns of a body, side by side, whose water is looked at in one go.
	TN_STIR_COLUMNS = 30,
};

// Velocities of the water in their rows and the rows beside, m/s, from the column before the first one on.
typedef struct tnStirWater
{
	float u[3][TN_STIR_COLUMNS + 2 + TN_FOAM_PAD];
	float w[3][TN_STIR_COLUMNS + 2 + TN_FOAM_PAD];
} tnStirWater;

// An index that may be beyond an edge. False if there is no cell.
static bool tnFindIndex(int* index, int count, bool wraps)
{
	*index = wraps ? (*index + count) % count : *index;
	return *index >= 0 && *index < count;
}

static void tnReadStirRow(const tnGrid* grid, int column, int row, int count, float* u, float* w)
{
	for (int begin = 0; begin < count;)
	{
		int first = column + begin;
		const bool isInside = first >= 0 && first < grid->columnCount;
		// At most one column lies beyond an edge on each side.
		const int end = isInside ? tnMinInt(count, grid->columnCount - column) : begin + 1;
		if (tnFindIndex(&first, grid->columnCount, grid->wrapX))
		{
			tnGrid_CopyVelocityRow(grid, row, first, first + end - begin, u + begin, w + begin);
		}
		begin = end;
	}
}

// @param column, row of the first one of `count` columns
// Returns whether no edge is near.
static bool tnReadStirWater(const tnGrid* grid, int column, int row, int count, tnStirWater* water)
{
	memset(water, 0, sizeof(*water));
	for (int k = 0; k < 3; ++k)
	{
		int r = row + k - 1;
		if (tnFindIndex(&r, grid->rowCount, grid->wrapZ))
		{
			tnReadStirRow(grid, column - 1, r, count + 2, water->u[k], water->w[k]);
		}
	}
	return column > 1 && column + count + 1 < grid->columnCount && row > 1 && row + 2 < grid->rowCount;
}

// Returns where columns stir cells, a bit for each column, and sets the amounts.
static void tnFindStirring(const tnFoamStep* step, const tnBody* body, int begin, int end, const tnStirWater* water,
	float (*amounts)[TN_STIR_COLUMNS + TN_FOAM_PAD], uint32_t* bits)
{
	const tnGrid* grid = step->grid;
	const tnCut* cut = &body->cut;
	const tnVec3 v = body->motion.velocity;
	const tnVec3 s = body->motion.spin;
	const ptrdiff_t cell = tnGrid_Index(grid, cut->cells[begin].column, cut->cells[begin].row);
	const tnStirColumns columns = {
		.u = {water->u[0], water->u[1], water->u[2]},
		.w = {water->w[0], water->w[1], water->w[2]},
		.bed = grid->bed + cell,
		.depth = grid->depth + cell,
		.lift = grid->lift != NULL ? grid->lift + cell : NULL,
		.share = tnCut_GetField(cut, tn_columnShare) + begin,
		.low = tnCut_GetField(cut, tn_columnLow) + begin,
		.high = tnCut_GetField(cut, tn_columnHigh) + begin,
		.x = tnCut_GetField(cut, tn_columnX) + begin,
		.z = tnCut_GetField(cut, tn_columnZ) + begin,
		.velocity = {v.x, v.y, v.z},
		.spin = {s.x, s.y, s.z},
		.cellSize = grid->cellSize,
		.wakeLimit = TN_WAKE_LIMIT,
		.wake = step->foam->def.strength * TN_WAKE,
		.timeStep = step->timeStep,
		.amounts = {amounts[0], amounts[1], amounts[2], amounts[3], amounts[4]},
	};
	step->kernels->stir(&columns, end - begin, bits);
}

// Rows of cells that one worker adds foam to.
typedef struct tnStirRows
{
	int begin, end;
} tnStirRows;

// Is a row that may be beyond an edge one of them?
static bool tnHasRow(const tnGrid* grid, tnStirRows rows, int row)
{
	return tnFindIndex(&row, grid->rowCount, grid->wrapZ) && row >= rows.begin && row < rows.end;
}

// Add amounts to cells of a row, a bit each from the column on, where it is deep enough.
static void tnAddToCells(const tnFoamStep* step, int column, int row, uint32_t cells, const float* amounts)
{
	const ptrdiff_t first = tnGrid_Index(step->grid, column, row);
	const float* depth = step->grid->depth + first;
	int32_t* added = step->grid->foamAdded + first;
	uint64_t done = 0;
	for (; cells != 0; cells &= cells - 1)
	{
		const int i = tnFindLowestBit(cells);
		if (!(depth[i] < TN_FULL_FOAM_DEPTH))
		{
			tnAddUnits(added + i, amounts[i]);
			done |= (uint64_t)1 << i;
		}
	}
	if (done != 0)
	{
		tnMarkStirred(step->foam, step->grid, column, row, done);
	}
}

// @param begin, end of columns side by side, at most TN_STIR_COLUMNS
static void tnStirByColumns(const tnFoamStep* step, tnStirRows rows, const tnBody* body, int begin, int end)
{
	// The cell itself, and those around it.
	static const int8_t around[5][2] = {{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}};
	const tnGrid* grid = step->grid;
	const tnColumnCell first = body->cut.cells[begin];
	tnStirWater water;
	float amounts[5][TN_STIR_COLUMNS + TN_FOAM_PAD];
	uint32_t bits[5];
	const bool isInside = tnReadStirWater(grid, first.column, first.row, end - begin, &water);
	tnFindStirring(step, body, begin, end, &water, amounts, bits);
	for (int k = 0; k < 5; ++k)
	{
		int row = first.row + around[k][1];
		const bool counts = tnFindIndex(&row, grid->rowCount, grid->wrapZ) && row >= rows.begin && row < rows.end;
		if (counts && isInside && bits[k] != 0)
		{
			tnAddToCells(step, first.column + around[k][0], row, bits[k], amounts[k]);
		}
		for (uint32_t left = counts && !isInside ? bits[k] : 0; left != 0; left &= left - 1)
		{
			const int i = tnFindLowestBit(left);
			int column = first.column + i + around[k][0];
			if (tnFindIndex(&column, grid->columnCount, grid->wrapX))
			{
				tnAddToCells(step, column, row, 1, amounts[k] + i);
			}
		}
	}
}

static void tnStirByBody(const tnFoamStep* step, tnStirRows rows, const tnBody* body)
{
	const tnGrid* grid = step->grid;
	for (int i = 0; i < body->cut.runCount; ++i)
	{
		const tnColumnRun* run = body->cut.runs + i;
		const int row = body->cut.cells[run->begin].row;
		const bool any = tnHasRow(grid, rows, row - 1) || tnHasRow(grid, rows, row) || tnHasRow(grid, rows, row + 1);
		for (int begin = run->begin; begin < run->end && any; begin += TN_STIR_COLUMNS)
		{
			tnStirByColumns(step, rows, body, begin, tnMinInt(begin + TN_STIR_COLUMNS, run->end));
		}
	}
}

// Bodies in a row of tiles. Those at its borders are looked at from both sides.
static void tnStirByBodies(int tileRow, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnFoamStep* step = context;
	const tnBodies* bodies = step->bodies;
	const tnStirRows rows = {tileRow * TN_TILE_SIZE, (tileRow + 1) * TN_TILE_SIZE};
	for (int i = 0; i < bodies->count; ++i)
	{
		const tnBody* body = tnBodies_Get(bodies, bodies->list[i]);
		const tnCut* cut = &body->cut;
		// Columns are by row, unless they wrap.
		if (body->wet && cut->columnCount > 0 &&
			(step->grid->wrapZ ||
				(cut->cells[0].row <= rows.end && cut->cells[cut->columnCount - 1].row + 1 >= rows.begin)))
		{
			tnStirByBody(step, rows, body);
		}
	}
}

static void tnStirByBreaker(const tnFoamStep* step, const tnBreaker* breaker)
{
	const tnGrid* grid = step->grid;
	const tnVec2 center = {breaker->position.x, breaker->position.z};
	if (!tnGrid_Contains(grid, center))
	{
		return;
	}
	const tnDisc disc = tnMakeDisc(grid, center, tnMaxFloat(0.25f * breaker->wavelength, 0.5f * grid->cellSize));
	const float area = (float)tnMaxInt(disc.cellCount, 1) * grid->cellSize * grid->cellSize;
	const float amount = step->foam->def.strength * breaker->energy / (TN_BREAKER_ENERGY * area);
	for (int row = disc.box.rowBegin; row < disc.box.rowEnd; ++row)
	{
		for (int column = disc.box.columnBegin; column < disc.box.columnEnd; ++column)
		{
			if (tnDisc_Covers(&disc, grid, column, row))
			{
				tnFoam_Add(step->foam, grid, column, row, amount);
			}
		}
	}
}

void tnFoam_Stir(const tnFoamStep* step)
{
	if (step->bodies->count > 0)
	{
		tnParallelFor(step->parallel, step->grid->tileRowCount, tnStirByBodies, (void*)step);
	}
	for (int i = 0; i < step->waves->breakerCount && step->waves->enabled; ++i)
	{
		tnStirByBreaker(step, step->waves->breakers + i);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// The flow

// What is the same for all rows.
static tnBirthCells tnMakeBirthCells(const tnFoamStep* step)
{
	const tnGrid* grid = step->grid;
	return (tnBirthCells){
		.stride = grid->stride,
		.front = TN_FRONT,
		.frontLimit = TN_FRONT_LIMIT,
		.frontLeast = TN_FRONT_LEAST,
		.rapids = TN_RAPIDS,
		.rapidsLimit = TN_RAPIDS_LIMIT,
		.shore = TN_SHORE,
		.shoreLimit = TN_SHORE_LIMIT,
		.shoreFall = TN_SHORE_FALL * grid->cellSize,
		.wetDepth = TN_WET_DEPTH,
		.foamDepth = TN_FOAM_DEPTH,
		.foamDepthRange = TN_FULL_FOAM_DEPTH - TN_FOAM_DEPTH,
		.gravity = step->gravity,
		.cellSize = grid->cellSize,
		.perCell = 1.0f / grid->cellSize,
		.time = TN_BIRTH_PERIOD * step->timeStep * step->foam->def.strength,
	};
}

TN_INLINE void tnPrefetchBirths(const tnGrid* grid, int column, int row)
{
	const ptrdiff_t line = tnGrid_Index(grid, column, row);
	for (int i = -1; i <= 1; ++i)
	{
		tnPrefetchRow(grid->bed + line + i * (ptrdiff_t)grid->stride);
		tnPrefetchRow(grid->depth + line + i * (ptrdiff_t)grid->stride);
	}
	tnPrefetchRow(grid->dischargeX + line);
	tnPrefetchRow(grid->dischargeZ + line);
	tnPrefetchRow(grid->dischargeZ + line + grid->stride);
}

// Returns the cells with new foam, a bit each.
static uint64_t tnBearInRow(const tnFoamStep* step, tnCellBox box, int row, tnBirthCells* cells)
{
	const tnGrid* grid = step->grid;
	const ptrdiff_t line = tnGrid_Index(grid, box.columnBegin, row);
	// Ghosts are what is beyond the edges. Below the last row of a world that wraps are the faces above the first.
	const bool wraps = grid->wrapZ && row == grid->rowCount - 1;
	cells->bed = grid->bed + line;
	cells->depth = grid->depth + line;
	cells->dischargeX = grid->dischargeX + line;
	cells->dischargeZ[0] = grid->dischargeZ + line;
	cells->dischargeZ[1] = grid->dischargeZ + (wraps ? box.columnBegin : line + grid->stride);
	cells->foam = grid->foam + line;
	return step->kernels->bear(cells, box.columnEnd - box.columnBegin);
}

// Take what was added to some cells of a row. Returns which have got some, a bit each.
static uint64_t tnTakeAdded(const tnGrid* grid, tnCellBox box, int row, uint64_t columns)
{
	const ptrdiff_t line = tnGrid_Index(grid, box.columnBegin, row);
	uint64_t cells = 0;
	for (; columns != 0; columns &= columns - 1)
	{
		const int i = tnFindLowestBit64(columns);
		int32_t* added = grid->foamAdded + line + i;
		float* foam = grid->foam + line + i;
		if (*added > 0)
		{
			*foam += (float)*added / TN_FOAM_UNITS / (1.0f + *foam);
			*added = 0;
			cells |= (uint64_t)1 << i;
		}
	}
	return cells;
}

bool tnFoam_BearInTile(const tnFoamStep* step, int tile)
{
	const tnGrid* grid = step->grid;
	const tnCellBox box = tnGetTileCells(grid, tile);
	const tnStirred stirred = step->foam->stirred[tile];
	uint64_t* rows = tnFoam_GetRows(step->foam, tile);
	uint64_t any = 0;
	for (uint64_t left = stirred.rows; left != 0; left &= left - 1)
	{
		const int i = tnFindLowestBit64(left);
		const uint64_t cells = tnTakeAdded(grid, box, box.rowBegin + i, stirred.columns);
		rows[i] |= cells;
		any |= cells;
	}
	if (step->tiles->awake[tile] == 0 || !(step->foam->def.strength > 0.0f))
	{
		return any != 0;
	}
	tnBirthCells birthCells = tnMakeBirthCells(step);
	const int phase = (int)(step->stepCount % TN_BIRTH_PERIOD);
	for (int row = box.rowBegin; row < box.rowEnd; ++row)
	{
		const int turn = tnMinInt(row, grid->rowCount - 1 - row);
		if ((phase + turn) % TN_BIRTH_PERIOD == 0)
		{
			if (row + TN_BIRTH_PERIOD < box.rowEnd)
			{
				tnPrefetchBirths(grid, box.columnBegin, row + TN_BIRTH_PERIOD);
			}
			const uint64_t cells = tnBearInRow(step, box, row, &birthCells);
			rows[row - box.rowBegin] |= cells;
			any |= cells;
		}
	}
	return any != 0;
}
