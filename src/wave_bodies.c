// SPDX-License-Identifier: MIT

// Bodies and the wave layer.
//
// Making waves. A hull is a pressure on the surface: P = p / (rho g), the thickness of it that is below the water. With
// Airy's linear waves
//
//   eta_tt = -Omega^2 (eta + P)        h = eta + P:    h_tt = -Omega^2 h + P_tt
//
// so h is a free wave that is raised by P_new - P_old in each step: water rises before a hull and falls behind it. The
// layer stores h. Beside the hull it is the surface, and below it the hull hides it.
//
// The flow feels every body at its own cells, and hands over what it makes of that (wave_flow.c). So the layer gets what
// cells of the flow cannot hold, P minus its mean over each cell, and only in bands finer than them:
//
//      flow cell            A column of the cut covers a rectangle of its cell. Where it covers all of it there is
//   |   ____|____  |        nothing to add; what counts is where in a cell a hull ends.
//   |__|    |    |_|
//
// Footprints are those of the cut, which shows bodies at the end of the step. They change only when a body moves: water
// that rises along a pier makes no waves. All bodies in a block of cells are one displacement.
//
// Feeling waves. Below the surface the pressure of a wave is rho g h a, with h = eta + P (what the hull presses on the
// water is part of it, so nothing of its own must be taken out; the weight of the water that it displaces at rest comes
// from the flow), and a falls off with the depth d below the surface of the flow:
//
//   a(d) = cosh(k (H - d)) / cosh(k H)        k = 2 pi / (6.9 cells), typical of the band
//
// Froude and Krylov's force on a column of cross-section A between the depths t and b, with t = 0 where it is open above:
//
//   upwards  rho g A h (a(b) - a(t))   (a(t) counts 0 at the surface)        sideways  -rho g grad h A (integral of a)
//
// Waves shorter than a column do not move it: h counts times sin(x) / x, x = pi width / length.
//
// Forces are explicit. Upwards they are divided by 1 + dt^2 rho g A / m, A the area at the bottom, so that a light body
// is not thrown further than the water could lift it; sideways they are times min(1, m / (rho V)): no body is faster
// than the water that it displaces would be.

#include "wave_bodies.h"

#include "discs.h"
#include "numerics.h"
#include "wave_entry.h"
#include "wave_tile_fit.h"

#include <math.h>
#include <string.h>

// Share of the height at which waves rest below which displacements are left out. They come in every step, all alike.
#define TN_LEAST_STIR 0.001f

// ---------------------------------------------------------------------------------------------------------------------
// Making waves

static bool tnHasMoved(const tnBody* body)
{
	if (body->printCount != body->cut.columnCount)
	{
		return true;
	}
	for (int i = 0; i < body->printCount; ++i)
	{
		const tnColumn* c = body->cut.columns + i;
		const tnPrint* p = body->prints + i;
		if (c->column != p->column || c->row != p->row || c->low != p->low || c->high != p->high ||
			c->share != p->share || c->insetX != p->insetX || c->insetZ != p->insetZ)
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
	const float mean = sign * print->share * print->thickness;
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

// A block of cells of the flow, and the part of it in which something is displaced.
typedef struct tnStirBlock
{
	tnCellBox box, used;
	bool any;
} tnStirBlock;

static bool tnIsInBlock(const tnStirBlock* block, int column, int row)
{
	return column >= block->box.columnBegin && column < block->box.columnEnd && row >= block->box.rowBegin &&
		row < block->box.rowEnd;
}

static void tnGrowBlock(tnStirBlock* block, int column, int row)
{
	if (!tnIsInBlock(block, column, row))
	{
		return;
	}
	tnCellBox* used = &block->used;
	used->columnBegin = block->any ? tnMinInt(used->columnBegin, column) : column;
	used->columnEnd = block->any ? tnMaxInt(used->columnEnd, column + 1) : column + 1;
	used->rowBegin = block->any ? tnMinInt(used->rowBegin, row) : row;
	used->rowEnd = block->any ? tnMaxInt(used->rowEnd, row + 1) : row + 1;
	block->any = true;
}

static void tnStirBlockByBodies(tnWaves* waves, const tnGrid* grid, const tnBodies* bodies, tnCellBox box)
{
	tnStirBlock block = {.box = box};
	for (int i = 0; i < bodies->count; ++i)
	{
		const tnBody* body = bodies->items + bodies->list[i];
		for (int k = 0; k < body->printCount && body->stirs; ++k)
		{
			tnGrowBlock(&block, body->prints[k].column, body->prints[k].row);
		}
		for (int k = 0; k < body->cut.columnCount && body->stirs; ++k)
		{
			tnGrowBlock(&block, body->cut.columns[k].column, body->cut.columns[k].row);
		}
	}
	if (!block.any)
	{
		return;
	}
	const int count = 1 << waves->pool.finerLevels;
	const tnCellBox used = block.used;
	const tnWavePatch patch = tnWaves_BeginEntry(waves,
		(tnWaveBox){used.columnBegin * count, used.rowBegin * count, (used.columnEnd - used.columnBegin) * count,
			(used.rowEnd - used.rowBegin) * count});
	for (int i = 0; i < bodies->count; ++i)
	{
		const tnBody* body = bodies->items + bodies->list[i];
		for (int k = 0; k < body->printCount && body->stirs; ++k)
		{
			if (tnIsInBlock(&block, body->prints[k].column, body->prints[k].row))
			{
				tnAddPrint(&patch, body->prints + k, count, -1.0f);
			}
		}
		for (int k = 0; k < body->cut.columnCount && body->stirs; ++k)
		{
			const tnColumn* column = body->cut.columns + k;
			if (tnIsInBlock(&block, column->column, column->row))
			{
				const tnPrint print = tnMakePrint(grid, column);
				tnAddPrint(&patch, &print, count, 1.0f);
			}
		}
	}
	tnWaves_Enter(waves, &patch, waves->pool.finerLevels, TN_LEAST_STIR * waves->def.restHeight);
}

void tnWaves_StirByBodies(tnWaves* waves, const tnGrid* grid, tnBodies* bodies)
{
	const int finer = waves->pool.finerLevels;
	if (finer == 0)
	{
		return;
	}
	tnStirBlock all = {.box = {0, grid->columnCount, 0, grid->rowCount}};
	for (int i = 0; i < bodies->count; ++i)
	{
		tnBody* body = bodies->items + bodies->list[i];
		body->stirs = tnHasMoved(body);
		for (int k = 0; k < body->printCount && body->stirs; ++k)
		{
			tnGrowBlock(&all, body->prints[k].column, body->prints[k].row);
		}
		for (int k = 0; k < body->cut.columnCount && body->stirs; ++k)
		{
			tnGrowBlock(&all, body->cut.columns[k].column, body->cut.columns[k].row);
		}
	}
	const int size = TN_WAVE_ENTRY_SIZE >> finer;
	for (int row = all.used.rowBegin / size * size; row < all.used.rowEnd && all.any; row += size)
	{
		for (int column = all.used.columnBegin / size * size; column < all.used.columnEnd; column += size)
		{
			tnStirBlockByBodies(waves, grid, bodies, (tnCellBox){column, column + size, row, row + size});
		}
	}
	for (int i = 0; i < bodies->count; ++i)
	{
		tnBody* body = bodies->items + bodies->list[i];
		for (int k = 0; k < body->cut.columnCount && body->stirs; ++k)
		{
			body->prints[k] = tnMakePrint(grid, body->cut.columns + k);
		}
		body->printCount = body->stirs ? body->cut.columnCount : body->printCount;
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Feeling waves

// A band at a place: height, m, and slope. False where it is not, or rests.
static bool tnSampleLevel(const tnWavePool* pool, int level, double x, double z, float* height, tnVec2* slope)
{
	const double size = pool->cellSize[level];
	const double u = (x - pool->origin.x) / size - 0.5;
	const double v = (z - pool->origin.z) / size - 0.5;
	if (!(fabs(u) < 1.0e8 && fabs(v) < 1.0e8))
	{
		return false;
	}
	const int column = (int)floor(u);
	const int row = (int)floor(v);
	const int tileColumn = tnGetWaveTileOf(column);
	const int tileRow = tnGetWaveTileOf(row);
	const int slot = tnWavePool_Find(pool, level, tileColumn, tileRow);
	if (slot < 0 || pool->tiles[slot].rests)
	{
		return false;
	}
	// The cells at its sides lie beside copies of those of the next tile.
	const float* h = pool->tiles[slot].fields[tn_waveHeight] +
		(ptrdiff_t)(row - tileRow * TN_WAVE_TILE) * TN_WAVE_STRIDE + (column - tileColumn * TN_WAVE_TILE);
	const float s = (float)(u - column);
	const float t = (float)(v - row);
	// Central differences, so that slopes have no steps; and linear between cells.
	const int down = TN_WAVE_STRIDE;
	float across[4], along[4];
	for (int i = 0; i < 4; ++i)
	{
		across[i] = h[i - 1] + t * (h[down + i - 1] - h[i - 1]);
		along[i] = h[(i - 1) * down] + s * (h[(i - 1) * down + 1] - h[(i - 1) * down]);
	}
	*height = along[1] + t * (along[2] - along[1]);
	const double slopeX = (double)((1.0f - s) * (across[2] - across[0]) + s * (across[3] - across[1]));
	const double slopeZ = (double)((1.0f - t) * (along[2] - along[0]) + t * (along[3] - along[1]));
	*slope = (tnVec2){(float)(0.5 * slopeX / size), (float)(0.5 * slopeZ / size)};
	return true;
}

// a(d) at two depths, and its integral between them.
typedef struct tnFalloff
{
	double top, bottom, integral;
} tnFalloff;

static tnFalloff tnGetFalloff(double k, double depth, double top, double bottom)
{
	// cosh(k (H - d)) / cosh(k H) without large numbers.
	const double floorTop = tnExp(-k * (2.0 * depth - top));
	const double floorBottom = tnExp(-k * (2.0 * depth - bottom));
	const double openTop = tnExp(-k * top);
	const double openBottom = tnExp(-k * bottom);
	const double scale = 1.0 / (1.0 + tnExp(-2.0 * k * depth));
	return (tnFalloff){
		.top = scale * (openTop + floorTop),
		.bottom = scale * (openBottom + floorBottom),
		.integral = scale / k * ((openTop - openBottom) + (floorBottom - floorTop)),
	};
}

typedef struct tnPushing
{
	const tnWaves* waves;
	const tnGrid* grid;
	tnBodies* bodies;
	float timeStep;
} tnPushing;

// Sums are double, as those of other forces.
typedef struct tnWaveLoad
{
	double force[3], torque[3];
	double area, volume; // at the bottom, and below the water
} tnWaveLoad;

static void tnFeelColumn(const tnPushing* pushing, const tnBody* body, const tnColumn* column, tnWaveLoad* load)
{
	const tnWaves* waves = pushing->waves;
	const tnGrid* grid = pushing->grid;
	const tnWavePool* pool = &waves->pool;
	const ptrdiff_t cell = tnGrid_Index(grid, column->column, column->row);
	const float water = tnGrid_GetHeight(grid, cell);
	const float surface = grid->bed[cell] + water;
	// Cuts show the body where it is expected at the end of the step; forces act where it is.
	const float shift = body->pose.position.y - body->aheadPose.position.y;
	const float low = column->low + shift;
	const float high = column->high + shift;
	if (!(grid->depth[cell] > TN_DRY_DEPTH) || !(surface > low))
	{
		return;
	}
	const double bottom = tnMinFloat(surface - low, water);
	const double top = tnMaxFloat(surface - high, 0.0f);
	if (!(bottom > top))
	{
		return;
	}
	const double size = grid->cellSize;
	const double area = (double)column->share * size * size;
	const double width = 0.5 * ((double)column->widthX + (double)column->widthZ) * size;
	const double weight = (double)TN_WATER_DENSITY * waves->gravity * area;
	const double middle = (double)surface - 0.5 * (top + bottom) - (double)body->pose.position.y;
	load->area += area;
	load->volume += area * (bottom - top);
	for (int level = 0; level < pool->levelCount; ++level)
	{
		const double length = (double)TN_WAVE_TYPICAL_CELLS * pool->cellSize[level];
		float height;
		tnVec2 slope;
		if (width >= length ||
			!tnSampleLevel(pool, level, (double)body->pose.position.x + column->x,
				(double)body->pose.position.z + column->z, &height, &slope))
		{
			continue;
		}
		const double k = 6.283185307179586 / length;
		const tnFalloff fall = tnGetFalloff(k, water, top, bottom);
		const double turns = 0.5 * width / length;
		const double share = turns > 1.0e-3 ? tnSinTurns(turns) / (6.283185307179586 * turns) : 1.0;
		const double up = weight * share * height * (fall.bottom - (top > 0.0 ? fall.top : 0.0));
		const double fx = -weight * share * slope.x * fall.integral;
		const double fz = -weight * share * slope.z * fall.integral;
		load->force[0] += fx;
		load->force[1] += up;
		load->force[2] += fz;
		load->torque[0] += middle * fz - column->z * up;
		load->torque[1] += column->z * fx - column->x * fz;
		load->torque[2] += column->x * up - middle * fx;
	}
}

static void tnPushBody(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnPushing* pushing = context;
	tnBody* body = pushing->bodies->items + pushing->bodies->list[item];
	tnBodyState* state = &body->state;
	tnWaveLoad load = {0};
	for (int i = 0; i < body->cut.columnCount && body->wet; ++i)
	{
		tnFeelColumn(pushing, body, body->cut.columns + i, &load);
	}
	const double mass = body->def.mass;
	const double dt = pushing->timeStep;
	const double stiff = dt * dt * (double)TN_WATER_DENSITY * pushing->waves->gravity * load.area;
	const double up = 1.0 / (1.0 + stiff / mass);
	const double displaced = (double)TN_WATER_DENSITY * load.volume;
	const double sideways = displaced > mass ? mass / displaced : 1.0;
	const double turn = up < sideways ? up : sideways;
	state->waveForce =
		(tnVec3){(float)(sideways * load.force[0]), (float)(up * load.force[1]), (float)(sideways * load.force[2])};
	state->waveTorque =
		(tnVec3){(float)(turn * load.torque[0]), (float)(turn * load.torque[1]), (float)(turn * load.torque[2])};
	const tnVec3 f = state->pressure, d = state->drag, w = state->waveForce;
	const tnVec3 t = state->pressureTorque, s = state->dragTorque, v = state->waveTorque;
	body->wrench.force = (tnVec3){f.x + d.x + w.x, f.y + d.y + w.y, f.z + d.z + w.z};
	body->wrench.torque = (tnVec3){t.x + s.x + v.x, t.y + s.y + v.y, t.z + s.z + v.z};
}

void tnWaves_PushBodies(
	const tnWaves* waves, const tnGrid* grid, tnBodies* bodies, tnParallel* parallel, float timeStep)
{
	tnPushing pushing = {waves, grid, bodies, timeStep};
	tnParallelFor(parallel, bodies->count, tnPushBody, &pushing);
}
