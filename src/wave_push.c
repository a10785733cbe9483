// SPDX-License-Identifier: MIT

// What bodies feel of waves.
//
// Below the surface the pressure of a wave is rho g h a, with h = eta + P (what the hull presses on the
// water is part of it, so nothing of its own must be taken out; the weight of the water that it displaces at rest comes
// from the flow), and a falls off with the depth d below the surface of the flow:
//
//   a(d) = cosh(k (H - d)) / cosh(k H)        k = 2 pi / (6.9 cells), typical of the band
//
// Froude and Krylov's force on a column of cross-section A between the depths t and b, with t = 0 where it is open above:
//
//   upwards  rho g A h (a(b) - a(t))   (a(t) counts 0 at the surface)        sideways  -rho g grad h A (integral of a)
//
// h is the mean over the rectangle that the column covers, and its slope along x the difference of its means over the
// rectangle's two sides: waves shorter than a column do not move it. A wave of length L along x thus counts times
// sin(x) / x, x = pi width / L.
//
// Forces are explicit. Upwards they are divided by 1 + dt^2 rho g A / m, A the area at the bottom, so that a light body
// is not thrown further than the water could lift it; sideways they are times min(1, m / (rho V)): no body is faster
// than the water that it displaces would be.

#include "wave_push.h"

#include "discs.h"
#include "numerics.h"
#include "wave_tile_fit.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum
{
	// Cells of a band that a column may reach over: less than a typical wave, and two more at each end.
	TN_PRINT_CELLS = 12,
	// Axes of a band that are kept, by columns and by rows of the world, and rows of waves that go with one: powers of two. Enough
	// for bodies of 16 cells, and not too much for the stacks of a host's fibers.
	TN_KEPT_AXES = 16,
	TN_KEPT_ROWS = 16,
};

// What a cell of a band counts for along one axis.
typedef enum tnPrintWeight
{
	tn_meanWeight = 0, // for the mean over the width
	tn_slopeWeight,    // for the difference of its ends, per meter
	tn_printWeightCount,
} tnPrintWeight;

typedef struct tnPrintAxis
{
	int first, count;
	double weights[TN_PRINT_CELLS][tn_printWeightCount];
} tnPrintAxis;

// Add Catmull and Rom's cubic at a place, in cells from the middle of cell 0.
static void tnAddCubic(tnPrintAxis* axis, tnPrintWeight kind, double place, double weight)
{
	const int whole = tnFloorToInt(place);
	const double t = place - whole;
	double(*at)[tn_printWeightCount] = axis->weights + (whole - 1 - axis->first);
	at[0][kind] += weight * t * (-0.5 + t * (1.0 - 0.5 * t));
	at[1][kind] += weight * (1.0 + t * t * (1.5 * t - 2.5));
	at[2][kind] += weight * t * (0.5 + t * (2.0 - 1.5 * t));
	at[3][kind] += weight * t * t * (0.5 * t - 0.5);
}

// sin(x) / x of half a width and a typical wave, both in cells.
static double tnGetShare(double width)
{
	const double turns = 0.5 * width / (double)TN_WAVE_TYPICAL_CELLS;
	return turns > 1.0e-3 ? tnSinTurns(turns) / (6.283185307179586 * turns) : 1.0;
}

// What a column asks of an axis: its middle and its width, in cells, from the middle of cell 0; less wide than a typical
// wave is long.
typedef struct tnPrintSpan
{
	double middle, width;
} tnPrintSpan;

// A difference over less than a cell would be that of the cubic's own slopes, which are too low by 13 % for typical waves.
// Over a cell it is that of the wave, but for a factor that is known.
static double tnGetSlopeSpan(double width)
{
	return width > 1.0 ? width : 1.0;
}

// @param unitShare that of 1
static double tnGetPerSpan(double width, double unitShare, double cellSize)
{
	const double span = tnGetSlopeSpan(width);
	const double share = tnGetShare(width);
	return share / ((width > 1.0 ? share : unitShare) * span * cellSize);
}

// @param perSpan as tnGetPerSpan has it
static void tnPrintAxis_Make(tnPrintAxis* axis, tnPrintSpan print, double perSpan)
{
	const double middle = print.middle;
	const double width = print.width;
	const double span = tnGetSlopeSpan(width);
	axis->first = tnFloorToInt(middle - 0.5 * span) - 1;
	axis->count = tnFloorToInt(middle + 0.5 * span) + 3 - axis->first;
	memset(axis->weights, 0, (size_t)axis->count * sizeof(axis->weights[0]));
	tnAddCubic(axis, tn_slopeWeight, middle + 0.5 * span, perSpan);
	tnAddCubic(axis, tn_slopeWeight, middle - 0.5 * span, -perSpan);
	// Gauss's three points: right to 1 % for waves as long as the width.
	const double reach = 0.5 * 0.7745966692414834 * width;
	tnAddCubic(axis, tn_meanWeight, middle - reach, 5.0 / 18.0);
	tnAddCubic(axis, tn_meanWeight, middle, 8.0 / 18.0);
	tnAddCubic(axis, tn_meanWeight, middle + reach, 5.0 / 18.0);
}

// An axis, and what for.
typedef struct tnKeptAxis
{
	tnPrintSpan print;
	tnPrintAxis axis;
} tnKeptAxis;

// What rows of a tile come to with an axis along x.
typedef struct tnKeptRows
{
	int rows[TN_KEPT_ROWS]; // -1 for none
	double sums[TN_KEPT_ROWS][tn_printWeightCount];
} tnKeptRows;

// A band that a body feels, and what its columns have found out about it. Those of a row of cells share their axis along z, and
// those of a column of cells the other one, and what it makes of the waves, but for the rim.
typedef struct tnFeltBand
{
	const tnWavePool* pool;
	int level;
	double cellSize, length; // of its cells and of a typical wave, m
	double unitShare;        // see tnGetPerSpan
	// The tile of the last column: its place, and its slot or -1.
	int tileColumn, tileRow;
	int slot;
	// The last widths, by axis.
	double widths[2], perSpans[2];
	tnKeptAxis kept[2][TN_KEPT_AXES];
	tnKeptRows rows[TN_KEPT_AXES];
} tnFeltBand;

// Axes are counted from a tile.
static void tnFeltBand_Forget(tnFeltBand* band)
{
	for (int i = 0; i < 2 * TN_KEPT_AXES; ++i)
	{
		band->kept[i / TN_KEPT_AXES][i % TN_KEPT_AXES].print.width = -1.0;
	}
}

static void tnFeltBand_Begin(tnFeltBand* band, const tnWavePool* pool, int level)
{
	band->pool = pool;
	band->level = level;
	band->cellSize = pool->cellSize[level];
	band->length = (double)TN_WAVE_TYPICAL_CELLS * band->cellSize;
	band->unitShare = tnGetShare(1.0);
	band->tileColumn = band->tileRow = INT_MIN;
	band->slot = -1;
	band->widths[0] = band->widths[1] = -1.0;
}

// @param index among those that are kept
static const tnPrintAxis* tnFeltBand_GetAxis(tnFeltBand* band, int axis, int index, tnPrintSpan print)
{
	tnKeptAxis* kept = band->kept[axis] + index;
	if (kept->print.middle != print.middle || kept->print.width != print.width)
	{
		if (band->widths[axis] != print.width)
		{
			band->widths[axis] = print.width;
			band->perSpans[axis] = tnGetPerSpan(print.width, band->unitShare, band->cellSize);
		}
		kept->print = print;
		tnPrintAxis_Make(&kept->axis, print, band->perSpans[axis]);
		for (int i = 0; i < TN_KEPT_ROWS && axis == 0; ++i)
		{
			band->rows[index].rows[i] = -1;
		}
	}
	return &kept->axis;
}

// A rectangle of the surface, m, at the middle of a column, and the cell of the world that it is in.
typedef struct tnPrintPlace
{
	double x, z, widthX, widthZ;
	int column, row;
} tnPrintPlace;

// Mean height of a band over such a rectangle, m, and slopes.
typedef struct tnPrintSums
{
	double height, slopes[2];
} tnPrintSums;

// Waves of a neighbour of a tile, or of itself, from the first cell of the one in the middle. NULL where there are none.
static const float* tnGetMovingHeights(const tnWavePool* pool, int slot, int k)
{
	const int other = pool->tiles[slot].neighbours[k];
	const ptrdiff_t column = (k % 3 - 1) * TN_WAVE_TILE;
	const ptrdiff_t row = (k / 3 - 1) * TN_WAVE_TILE;
	return other < 0 || pool->tiles[other].rests
		? NULL
		: pool->tiles[other].fields[tn_waveHeight] - row * TN_WAVE_STRIDE - column;
}

// What a row of waves comes to along x.
static inline void tnSumRow(
	const float* heights, int begin, int end, const tnPrintAxis* x, double sums[tn_printWeightCount])
{
	double mean = 0.0, slope = 0.0;
	for (int c = begin; c < end; ++c)
	{
		const double* weights = x->weights[c - x->first];
		const double height = (double)heights[c];
		mean += weights[tn_meanWeight] * height;
		slope += weights[tn_slopeWeight] * height;
	}
	sums[tn_meanWeight] = mean;
	sums[tn_slopeWeight] = slope;
}

static inline void tnPrintSums_Add(tnPrintSums* sums, const double weights[], const double row[])
{
	sums->height += weights[tn_meanWeight] * row[tn_meanWeight];
	sums->slopes[0] += weights[tn_meanWeight] * row[tn_slopeWeight];
	sums->slopes[1] += weights[tn_slopeWeight] * row[tn_meanWeight];
}

// A rectangle that needs no other tile. False if it rests.
static bool tnFeltBand_SampleTile(
	const tnWavePool* pool, int slot, const tnPrintAxis* x, const tnPrintAxis* z, tnKeptRows* rows, tnPrintSums* sums)
{
	const float* heights = tnGetMovingHeights(pool, slot, 4);
	for (int i = 0; i < z->count && heights != NULL; ++i)
	{
		const int r = z->first + i;
		const int index = r & (TN_KEPT_ROWS - 1);
		if (rows->rows[index] != r)
		{
			rows->rows[index] = r;
			tnSumRow(heights + (ptrdiff_t)r * TN_WAVE_STRIDE, x->first, x->first + x->count, x, rows->sums[index]);
		}
		tnPrintSums_Add(sums, z->weights[i], rows->sums[index]);
	}
	return heights != NULL;
}

// One that does. False if all of them rest.
static bool tnFeltBand_SampleTiles(
	const tnWavePool* pool, int slot, const tnPrintAxis* x, const tnPrintAxis* z, tnPrintSums* sums)
{
	const tnCellBox reach = {x->first, x->first + x->count, z->first, z->first + z->count};
	bool moves = false;
	for (int k = 0; k < 9; ++k)
	{
		const int column = (k % 3 - 1) * TN_WAVE_TILE;
		const int row = (k / 3 - 1) * TN_WAVE_TILE;
		const tnCellBox tile = {column, column + TN_WAVE_TILE, row, row + TN_WAVE_TILE};
		const tnCellBox part = tnMeetBoxes(&reach, &tile);
		const float* heights = tnHasCells(&part) ? tnGetMovingHeights(pool, slot, k) : NULL;
		for (int r = part.rowBegin; r < part.rowEnd && heights != NULL; ++r)
		{
			double along[tn_printWeightCount];
			tnSumRow(heights + (ptrdiff_t)r * TN_WAVE_STRIDE, part.columnBegin, part.columnEnd, x, along);
			tnPrintSums_Add(sums, z->weights[r - z->first], along);
		}
		moves = moves || heights != NULL;
	}
	return moves;
}

// A band over a rectangle. False where it is not, or rests.
static bool tnFeltBand_Sample(tnFeltBand* band, const tnPrintPlace* place, tnPrintSums* sums)
{
	const tnWavePool* pool = band->pool;
	const double size = band->cellSize;
	const double u = (place->x - pool->origin.x) / size - 0.5;
	const double v = (place->z - pool->origin.z) / size - 0.5;
	if (!(fabs(u) < 1.0e8 && fabs(v) < 1.0e8))
	{
		return false;
	}
	const int tileColumn = tnGetWaveTileOf(tnFloorToInt(u + 0.5));
	const int tileRow = tnGetWaveTileOf(tnFloorToInt(v + 0.5));
	if (tileColumn != band->tileColumn || tileRow != band->tileRow)
	{
		band->tileColumn = tileColumn;
		band->tileRow = tileRow;
		band->slot = tnWavePool_Find(pool, band->level, tileColumn, tileRow);
		tnFeltBand_Forget(band);
	}
	if (band->slot < 0)
	{
		return false;
	}
	const int index = place->column & (TN_KEPT_AXES - 1);
	const tnPrintSpan printX = {u - tileColumn * TN_WAVE_TILE, place->widthX / size};
	const tnPrintSpan printZ = {v - tileRow * TN_WAVE_TILE, place->widthZ / size};
	const tnPrintAxis* x = tnFeltBand_GetAxis(band, 0, index, printX);
	const tnPrintAxis* z = tnFeltBand_GetAxis(band, 1, place->row & (TN_KEPT_AXES - 1), printZ);
	// Tiles around it have the rest. What it has copies of is that of the last step.
	const bool inside =
		x->first >= 0 && x->first + x->count <= TN_WAVE_TILE && z->first >= 0 && z->first + z->count <= TN_WAVE_TILE;
	*sums = (tnPrintSums){0};
	return inside ? tnFeltBand_SampleTile(pool, band->slot, x, z, band->rows + index, sums)
				  : tnFeltBand_SampleTiles(pool, band->slot, x, z, sums);
}

// a(d) at two depths, and its integral between them.
typedef struct tnFalloff
{
	double top, bottom, integral;
} tnFalloff;

static tnFalloff tnGetFalloff(double k, double depth, double top, double bottom)
{
	// cosh(k (H - d)) / cosh(k H) without large numbers, with e^(k (d - 2 H)) = e^(-2 k H) / e^(-k d). Most columns reach up to the
	// surface, where d is 0.
	const double floorAll = tnExp(-2.0 * k * depth);
	const double openTop = top > 0.0 ? tnExp(-k * top) : 1.0;
	const double openBottom = tnExp(-k * bottom);
	const double floorTop = openTop > 0.0 ? floorAll / openTop : 0.0;
	const double floorBottom = openBottom > 0.0 ? floorAll / openBottom : 0.0;
	const double scale = 1.0 / (1.0 + floorAll);
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

// Tiles of a band along an axis, both included.
typedef struct tnTileSpan
{
	int first, last;
} tnTileSpan;

// Those that columns with their middles between two places can feel.
static tnTileSpan tnFindTileSpan(double low, double high, double origin, double cellSize)
{
	// Further off there are none.
	const double limit = 1.0e8;
	const double first = (low - origin) / cellSize;
	const double last = (high - origin) / cellSize;
	return (tnTileSpan){
		tnGetWaveTileOf((int)(first < -limit ? -limit : (first > limit ? limit : first)) - TN_PRINT_CELLS),
		tnGetWaveTileOf((int)(last < -limit ? -limit : (last > limit ? limit : last)) + TN_PRINT_CELLS)};
}

static bool tnMovesWithin(const tnWavePool* pool, int level, tnTileSpan columns, tnTileSpan rows)
{
	for (int row = rows.first; row <= rows.last; ++row)
	{
		for (int column = columns.first; column <= columns.last; ++column)
		{
			const int slot = tnWavePool_Find(pool, level, column, row);
			if (slot >= 0 && !pool->tiles[slot].rests)
			{
				return true;
			}
		}
	}
	return false;
}

// The bands of which a body may feel something, a bit for each: others need not be asked column by column.
static uint32_t tnFindMovingBands(const tnWavePool* pool, const tnBody* body)
{
	const tnCut* cut = &body->cut;
	if (cut->columnCount == 0 || !body->wet)
	{
		return 0;
	}
	const float* x = tnCut_GetField(cut, tn_columnX);
	const float* z = tnCut_GetField(cut, tn_columnZ);
	tnVec2 low = {x[0], z[0]};
	tnVec2 high = low;
	for (int i = 1; i < cut->columnCount; ++i)
	{
		low = (tnVec2){tnMinFloat(low.x, x[i]), tnMinFloat(low.z, z[i])};
		high = (tnVec2){tnMaxFloat(high.x, x[i]), tnMaxFloat(high.z, z[i])};
	}
	const tnVec3 p = body->pose.position;
	uint32_t bands = 0;
	for (int level = 0; level < pool->levelCount; ++level)
	{
		const double size = pool->cellSize[level];
		const tnTileSpan columns = tnFindTileSpan((double)p.x + low.x, (double)p.x + high.x, pool->origin.x, size);
		const tnTileSpan rows = tnFindTileSpan((double)p.z + low.z, (double)p.z + high.z, pool->origin.z, size);
		bands |= (uint32_t)tnMovesWithin(pool, level, columns, rows) << level;
	}
	return bands;
}

// What of a column is below the water.
typedef struct tnWetColumn
{
	double water;       // height of all of it, m
	double top, bottom; // m below the surface
	double area;        // m^2
	double middle;      // height above the centre of mass, m
} tnWetColumn;

// False if nothing is.
static bool tnGetWetColumn(const tnGrid* grid, const tnBody* body, const tnColumn* column, tnWetColumn* wet)
{
	const ptrdiff_t cell = tnGrid_Index(grid, column->column, column->row);
	const float water = tnGrid_GetHeight(grid, cell);
	const float surface = grid->bed[cell] + water;
	// Cuts show the body where it is expected at the end of the step; forces act where it is.
	const float shift = body->pose.position.y - body->aheadPose.position.y;
	const float low = column->low + shift;
	const float high = column->high + shift;
	wet->water = water;
	wet->bottom = tnMinFloat(surface - low, water);
	wet->top = tnMaxFloat(surface - high, 0.0f);
	wet->area = (double)column->share * grid->cellSize * grid->cellSize;
	wet->middle = (double)surface - 0.5 * (wet->top + wet->bottom) - (double)body->pose.position.y;
	return grid->depth[cell] > TN_DRY_DEPTH && surface > low && wet->bottom > wet->top;
}

// What a column feels of a band.
static void tnFeelColumn(const tnPushing* pushing, const tnBody* body, const tnColumn* column, const tnWetColumn* wet,
	tnFeltBand* band, tnWaveLoad* load)
{
	const double size = pushing->grid->cellSize;
	const tnPrintPlace place = {
		.x = (double)body->pose.position.x + column->x,
		.z = (double)body->pose.position.z + column->z,
		.widthX = (double)column->widthX * size,
		.widthZ = (double)column->widthZ * size,
		.column = column->column,
		.row = column->row,
	};
	tnPrintSums wave;
	if (place.widthX >= band->length || place.widthZ >= band->length || !tnFeltBand_Sample(band, &place, &wave))
	{
		return;
	}
	const double weight = (double)TN_WATER_DENSITY * pushing->waves->gravity * wet->area;
	const tnFalloff fall = tnGetFalloff(6.283185307179586 / band->length, wet->water, wet->top, wet->bottom);
	const double up = weight * wave.height * (fall.bottom - (wet->top > 0.0 ? fall.top : 0.0));
	const double fx = -weight * wave.slopes[0] * fall.integral;
	const double fz = -weight * wave.slopes[1] * fall.integral;
	load->force[0] += fx;
	load->force[1] += up;
	load->force[2] += fz;
	load->torque[0] += wet->middle * fz - column->z * up;
	load->torque[1] += column->z * fx - column->x * fz;
	load->torque[2] += column->x * up - wet->middle * fx;
}

// Columns of a body, a band after the other.
static tnWaveLoad tnFeelWaves(const tnPushing* pushing, const tnBody* body)
{
	const tnWavePool* pool = &pushing->waves->pool;
	tnWaveLoad load = {0};
	tnFeltBand band;
	// Where nothing moves there is no force to which area and volume would matter.
	const uint32_t bands = tnFindMovingBands(pool, body);
	bool isFirst = true;
	for (int level = 0; level < pool->levelCount; ++level)
	{
		if ((bands >> level & 1) == 0)
		{
			continue;
		}
		tnFeltBand_Begin(&band, pool, level);
		for (int i = 0; i < body->cut.columnCount; ++i)
		{
			const tnColumn column = tnCut_GetColumn(&body->cut, i);
			tnWetColumn wet;
			if (!tnGetWetColumn(pushing->grid, body, &column, &wet))
			{
				continue;
			}
			load.area += isFirst ? wet.area : 0.0;
			load.volume += isFirst ? wet.area * (wet.bottom - wet.top) : 0.0;
			tnFeelColumn(pushing, body, &column, &wet, &band, &load);
		}
		isFirst = false;
	}
	return load;
}

static void tnPushBody(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnPushing* pushing = context;
	tnBody* body = pushing->bodies->items + pushing->bodies->list[item];
	tnBodyState* state = &body->state;
	const tnWaveLoad load = tnFeelWaves(pushing, body);
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
