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

#include "discs.h"
#include "sample.h"

#include <math.h>

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

void tnFoam_Add(tnFoam* foam, const tnGrid* grid, int column, int row, float amount)
{
	if (!foam->def.enable || !(amount > 0.0f))
	{
		return;
	}
	const int32_t most = (int32_t)(TN_MOST_ADDED * TN_FOAM_UNITS);
	int32_t* added = grid->foamAdded + tnGrid_Index(grid, column, row);
	const int32_t units = (int32_t)(tnMinFloat(amount, TN_MOST_ADDED) * TN_FOAM_UNITS);
	// With a limit the order still does not matter: the sum is the limit whichever comes first.
	*added = units < most - *added ? *added + units : most;
	foam->stirred[row / TN_TILE_SIZE * grid->tileColumnCount + column / TN_TILE_SIZE] = 1;
}

void tnFoam_AddSplash(tnFoam* foam, const tnGrid* grid, int column, int row, float depth, float speed)
{
	const float air = TN_AIR * tnMaxFloat(speed - TN_SPLASH_LIMIT, 0.0f) * depth;
	tnFoam_Add(foam, grid, column, row, foam->def.strength * air / TN_LAYER);
}

// ---------------------------------------------------------------------------------------------------------------------
// Bodies and waves

// What a body makes in a cell that may be beyond an edge.
static void tnStirCell(const tnFoamStep* step, const tnBody* body, const tnColumn* part, int x, int z)
{
	const tnGrid* grid = step->grid;
	const float size = grid->cellSize;
	int column = part->column + x;
	int row = part->row + z;
	column = grid->wrapX ? (column + grid->columnCount) % grid->columnCount : column;
	row = grid->wrapZ ? (row + grid->rowCount) % grid->rowCount : row;
	if (column < 0 || column >= grid->columnCount || row < 0 || row >= grid->rowCount ||
		grid->depth[tnGrid_Index(grid, column, row)] < TN_FULL_FOAM_DEPTH)
	{
		return;
	}
	float u, w;
	tnGrid_CopyVelocityRow(grid, row, column, column + 1, &u, &w);
	const tnVec3 at = {part->x + (float)x * size, 0.0f, part->z + (float)z * size};
	const tnVec3 own = tnMotion_At(&body->motion, at);
	const float dx = u - own.x;
	const float dz = w - own.z;
	const float speed = sqrtf(dx * dx + dz * dz + own.y * own.y);
	const float rate = step->foam->def.strength * TN_WAKE * tnMaxFloat(speed - TN_WAKE_LIMIT, 0.0f);
	// A cell inside has five of these.
	tnFoam_Add(step->foam, grid, column, row, 0.2f * part->share * rate * step->timeStep);
}

static void tnStirByBody(const tnFoamStep* step, const tnBody* body)
{
	const tnGrid* grid = step->grid;
	for (int i = 0; i < body->cut.columnCount; ++i)
	{
		const tnColumn column = tnCut_GetColumn(&body->cut, i);
		const tnColumn* part = &column;
		const ptrdiff_t cell = tnGrid_Index(grid, part->column, part->row);
		const float surface = grid->bed[cell] + tnGrid_GetHeight(grid, cell);
		if (part->low >= surface || part->high <= surface)
		{
			continue;
		}
		tnStirCell(step, body, part, 0, 0);
		tnStirCell(step, body, part, -1, 0);
		tnStirCell(step, body, part, 1, 0);
		tnStirCell(step, body, part, 0, -1);
		tnStirCell(step, body, part, 0, 1);
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
	const tnBodies* bodies = step->bodies;
	for (int i = 0; i < bodies->count; ++i)
	{
		const tnBody* body = bodies->items + bodies->list[i];
		if (body->wet)
		{
			tnStirByBody(step, body);
		}
	}
	for (int i = 0; i < step->waves->breakerCount && step->waves->enabled; ++i)
	{
		tnStirByBreaker(step, step->waves->breakers + i);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// The flow

// A row of a tile: what flows through its faces, m/s, and what comes of it.
typedef struct tnBirthRow
{
	float west[TN_TILE_SIZE + 1 + TN_FOAM_PAD];
	float north[TN_TILE_SIZE + TN_FOAM_PAD];
	float south[TN_TILE_SIZE + TN_FOAM_PAD];
	float drop[TN_TILE_SIZE + TN_FOAM_PAD];
	float fall[TN_TILE_SIZE + TN_FOAM_PAD];
	float shore[TN_TILE_SIZE + TN_FOAM_PAD];
} tnBirthRow;

// True if any cell may make foam.
static bool tnLookForBirths(const tnFoamStep* step, tnCellBox box, int row, tnBirthRow* births)
{
	const tnGrid* grid = step->grid;
	const ptrdiff_t line = tnGrid_Index(grid, box.columnBegin, row);
	const int count = box.columnEnd - box.columnBegin;
	// Ghosts are what is beyond the edges. Below the last row of a world that wraps are the faces above the first.
	const bool wraps = grid->wrapZ && row == grid->rowCount - 1;
	const float* below = grid->dischargeZ + (wraps ? box.columnBegin : line + grid->stride);
	tnFindFoamVelocities(step, grid->dischargeX + line, line - 1, line, count + 1, births->west);
	tnFindFoamVelocities(step, grid->dischargeZ + line, line - grid->stride, line, count, births->north);
	tnFindFoamVelocities(step, below, line, line + grid->stride, count, births->south);
	const tnBirthCells cells = {
		.bed = grid->bed + line,
		.depth = grid->depth + line,
		.stride = grid->stride,
		.rapidsLimit = TN_RAPIDS_LIMIT * grid->cellSize,
		.frontLimit = TN_FRONT_LEAST,
		.shoreLimit = TN_SHORE_LIMIT,
		.shoreFall = TN_SHORE_FALL * grid->cellSize,
		.wetDepth = TN_WET_DEPTH,
		.west = births->west,
		.north = births->north,
		.south = births->south,
		.drop = births->drop,
		.fall = births->fall,
		.shore = births->shore,
	};
	return step->kernels->look(&cells, count);
}

static bool tnBearInRow(const tnFoamStep* step, tnCellBox box, int row)
{
	const tnGrid* grid = step->grid;
	tnBirthRow births;
	if (!tnLookForBirths(step, box, row, &births))
	{
		return false;
	}
	const ptrdiff_t line = tnGrid_Index(grid, box.columnBegin, row);
	const float perCell = 1.0f / grid->cellSize;
	const float time = TN_BIRTH_PERIOD * step->timeStep * step->foam->def.strength;
	bool any = false;
	for (int i = 0; i < box.columnEnd - box.columnBegin; ++i)
	{
		const float depth = grid->depth[line + i];
		const float deep = tnClampFloat((depth - TN_FOAM_DEPTH) / (TN_FULL_FOAM_DEPTH - TN_FOAM_DEPTH), 0.0f, 1.0f);
		const float limit = tnMaxFloat(TN_FRONT_LIMIT * sqrtf(step->gravity * depth), TN_FRONT_LEAST);
		const float front = TN_FRONT * perCell * tnMaxFloat(births.drop[i] - limit, 0.0f);
		const float rapids = TN_RAPIDS * tnMaxFloat(perCell * births.fall[i] - TN_RAPIDS_LIMIT, 0.0f);
		const float shore = TN_SHORE * perCell * births.shore[i];
		const float born = deep * time * ((front + rapids) + shore);
		float* foam = grid->foam + line + i;
		*foam += born / (1.0f + *foam);
		any = any || born > 0.0f;
	}
	return any;
}

// Take what was added to the cells of a row.
static bool tnTakeAdded(const tnGrid* grid, tnCellBox box, int row)
{
	const ptrdiff_t line = tnGrid_Index(grid, 0, row);
	bool any = false;
	for (int column = box.columnBegin; column < box.columnEnd; ++column)
	{
		int32_t* added = grid->foamAdded + line + column;
		float* foam = grid->foam + line + column;
		if (*added > 0)
		{
			*foam += (float)*added / TN_FOAM_UNITS / (1.0f + *foam);
			*added = 0;
			any = true;
		}
	}
	return any;
}

bool tnFoam_BearInTile(const tnFoamStep* step, int tile)
{
	const tnGrid* grid = step->grid;
	const tnCellBox box = tnGetTileCells(grid, tile);
	bool any = false;
	for (int row = box.rowBegin; row < box.rowEnd; ++row)
	{
		any = (step->foam->stirred[tile] != 0 && tnTakeAdded(grid, box, row)) || any;
		const int turn = tnMinInt(row, grid->rowCount - 1 - row);
		if (step->tiles->awake[tile] != 0 && step->foam->def.strength > 0.0f &&
			(step->stepCount + turn) % TN_BIRTH_PERIOD == 0)
		{
			any = tnBearInRow(step, box, row) || any;
		}
	}
	return any;
}
