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
// sin(x) / x, x = pi width / L. wave_rectangle_means.inc has the means, and wave_column_pressure.inc the forces, both for blocks of columns: what no band
// changes is found once for all of them, and exponentials once for the coarsest.
//
// Forces are explicit: 0.35 of those of the heights at the start of this step and 0.65 of the last one's, each after what
// the body displaces on its way through the step has raised them. With waves that go v -= dt K h, h += dt v and displacements
// h += dP before that, their even mean is that of h - dt v / 2 + dP / 2, and that times dP is just what the waves gain: the
// energy that these steps keep is v^2 / 2 + h K h / 2 - dt v K h / 2. A little more of the last step takes a little from what
// goes up and down with the waves, which rounding, walls and slamming give. (With heights at the end of the step a crate of
// 5 % in a closed pond lifted itself up in half an hour.) Upwards forces are
// divided by 1 + s^2, s = dt^2 rho g A / (m + M), A the area at the bottom, so that a light body is not thrown further than
// the water could lift it: nothing for what is as large as a hand. Sideways they are times min(1, m / (rho V)): no body is
// faster than the water that it displaces would be.
//
// Water that heaves with a body at once has the mass M (wave_wakes.c). The engine of the host does not know of it: so what
// it takes to accelerate it is found ahead,
//   a = (F + m g + m o) / (m + M)     F all forces of water, o what else pushed the body in the last step
// and -M a is a part of the force, as is -M_t v while there is more and more of it, as the body plunges into the water. Then the engine finds just a. What rests on ground, or hangs from a rope, is pushed by
// that from below, and a is zero after a few steps.

#include "wave_forces.h"
#include "../shapes/submerged_mesh.h"

#include "../flow/cell_disc.h"
#include "wave_fit.h"
#include "wave_rectangle_means.h"
#include "wave_wakes.h"

#include <limits.h>
#include <string.h>

// Share of the load of this step in that of a step: see above.
#define TN_NEW_LOAD 0.35

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
		tnGetWaveTileOf((int)(first < -limit ? -limit : (first > limit ? limit : first)) - TN_PRINT_REACH),
		tnGetWaveTileOf((int)(last < -limit ? -limit : (last > limit ? limit : last)) + TN_PRINT_REACH)};
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

// Columns of a body that are below the water, so many of them at once, and what bands do to them.
typedef struct tnFeltColumns
{
	tnPrints prints;
	float x[TN_PRINT_BLOCK], z[TN_PRINT_BLOCK]; // from the centre of mass, m
	float widthZ[TN_PRINT_BLOCK];               // cells
	double surface[TN_PRINT_BLOCK];             // of the water, m
	double middle[TN_PRINT_BLOCK];              // height of what is below the water above the centre of mass, m
	tnWaveFalls falls;
} tnFeltColumns;

// What columns are looked up in.
typedef struct tnWetCut
{
	const tnColumnCell* cells;
	const float *shares, *lows, *highs, *x, *z, *widthsX, *widthsZ;
	float shift; // cuts show the body where it is expected at the end of the step; forces act halfway there
} tnWetCut;

static tnWetCut tnGetWetCut(const tnBody* body)
{
	const tnCut* cut = &body->cut;
	return (tnWetCut){
		.cells = cut->cells,
		.shares = tnCut_GetField(cut, tn_columnShare),
		.lows = tnCut_GetField(cut, tn_columnLow),
		.highs = tnCut_GetField(cut, tn_columnHigh),
		.x = tnCut_GetField(cut, tn_columnX),
		.z = tnCut_GetField(cut, tn_columnZ),
		.widthsX = tnCut_GetField(cut, tn_columnWidthX),
		.widthsZ = tnCut_GetField(cut, tn_columnWidthZ),
		.shift = 0.5f * (body->pose.position.y - body->aheadPose.position.y + body->fall),
	};
}

// Add columns from an index on, as long as there is room: those that have something below the water. Returns the next index.
static int tnFeltColumns_Add(tnFeltColumns* columns, const tnGrid* grid, const tnWetCut* cut, int index, int end)
{
	int i = 0;
	for (; index < end && i < TN_PRINT_BLOCK; ++index)
	{
		const ptrdiff_t cell = tnGrid_Index(grid, cut->cells[index].column, cut->cells[index].row);
		const float water = tnGrid_GetHeight(grid, cell);
		const float surface = grid->bed[cell] + water;
		const float low = cut->lows[index] + cut->shift;
		const float bottom = tnMinFloat(surface - low, water);
		const float top = tnMaxFloat(surface - (cut->highs[index] + cut->shift), 0.0f);
		if (grid->depth[cell] > TN_DRY_DEPTH && surface > low && bottom > top)
		{
			columns->x[i] = cut->x[index];
			columns->z[i] = cut->z[index];
			columns->prints.widthX[i] = cut->widthsX[index];
			columns->widthZ[i] = cut->widthsZ[index];
			columns->surface[i] = (double)surface;
			columns->falls.weight[i] = (double)cut->shares[index];
			columns->falls.bottom[i] = (double)bottom;
			columns->falls.top[i] = (double)top;
			columns->falls.water[i] = (double)water;
			++i;
		}
	}
	columns->prints.count = i;
	return index;
}

// From shares of cells to weights, and the area and volume of what was added.
static void tnFeltColumns_Measure(
	tnFeltColumns* columns, const tnPushing* pushing, const tnBody* body, tnWaveLoad* load)
{
	tnWaveFalls* falls = &columns->falls;
	const double size = pushing->grid->cellSize;
	const double perArea = (double)TN_WATER_DENSITY * pushing->waves->gravity;
	for (int i = 0; i < columns->prints.count; ++i)
	{
		const double area = falls->weight[i] * size * size;
		load->area += area;
		load->volume += area * (falls->bottom[i] - falls->top[i]);
		falls->weight[i] = perArea * area;
		columns->middle[i] =
			columns->surface[i] - 0.5 * (falls->top[i] + falls->bottom[i]) - (double)body->pose.position.y;
	}
}

// Cells of the world from the origin of a layer. There are no waves as far away.
static inline double tnBoundPlace(double place)
{
	const double limit = 1.0e6;
	const double high = place < limit ? place : limit;
	return high > -limit ? high : -limit;
}

// Where they are in the layer, and which are rows.
static void tnFeltColumns_Place(tnFeltColumns* columns, const tnPushing* pushing, const tnBody* body)
{
	tnPrints* prints = &columns->prints;
	const tnVec2 origin = pushing->waves->pool.origin;
	const double perCell = 1.0 / (double)pushing->grid->cellSize;
	const double x = (double)body->pose.position.x - origin.x;
	const double z = (double)body->pose.position.z - origin.z;
	for (int i = 0; i < tnGetPaddedPrintCount(prints->count); ++i)
	{
		prints->x[i] = tnBoundPlace((x + (double)columns->x[i]) * perCell);
	}
	int row = -1;
	for (int i = 0; i < prints->count; ++i)
	{
		if (i == 0 || columns->z[i] != columns->z[i - 1] || columns->widthZ[i] != columns->widthZ[i - 1])
		{
			++row;
			prints->z[row] = tnBoundPlace((z + (double)columns->z[i]) * perCell);
			prints->widthZ[row] = columns->widthZ[i];
		}
		prints->ends[row] = i + 1;
	}
	prints->rowCount = row + 1;
}

static void tnFeltColumns_Collect(const tnFeltColumns* columns, tnWaveLoad* load)
{
	for (int i = 0; i < columns->prints.count; ++i)
	{
		const double x = columns->x[i], y = columns->middle[i], z = columns->z[i];
		const double fx = columns->falls.forceX[i], fy = columns->falls.forceY[i], fz = columns->falls.forceZ[i];
		load->force[0] += fx;
		load->force[1] += fy;
		load->force[2] += fz;
		load->torque[0] += y * fz - z * fy;
		load->torque[1] += z * fx - x * fz;
		load->torque[2] += x * fy - y * fx;
	}
}

// Bands that a body feels.
typedef struct tnFeltBands
{
	uint32_t moving; // as tnFindMovingBands has it
	int finest, coarsest;
	double k; // of the coarsest one
	tnPrintBand bands[TN_MAX_WAVE_LEVELS];
} tnFeltBands;

static void tnPrintBand_Begin(tnPrintBand* band, const tnWavePool* pool, int level)
{
	const double cellSize = pool->cellSize[level];
	const int coarser = level - pool->finerLevels;
	const double scale = coarser > 0 ? 1.0 / (1 << coarser) : (double)(1 << -coarser);
	*band = (tnPrintBand){
		.pool = pool,
		.level = level,
		.scale = scale,
		.perUnit = (float)(1.0 / ((double)tnGetWidthShare(1.0f) * cellSize)),
		.perMeter = (float)(1.0 / cellSize),
		.tileColumn = INT_MIN,
		.tileRow = INT_MIN,
		.slot = -1,
	};
}

static void tnFeltBands_Begin(tnFeltBands* felt, const tnWavePool* pool, uint32_t moving)
{
	felt->moving = moving;
	felt->finest = felt->coarsest = -1;
	for (int level = 0; level < pool->levelCount; ++level)
	{
		if ((moving >> level & 1) != 0)
		{
			felt->finest = felt->finest < 0 ? level : felt->finest;
			felt->coarsest = level;
			tnPrintBand_Begin(felt->bands + level, pool, level);
		}
	}
	felt->k = 6.283185307179586 / ((double)TN_WAVE_TYPICAL_CELLS * pool->cellSize[felt->coarsest]);
}

// What all bands do to some columns.
static void tnFeltColumns_FeelAll(
	tnFeltColumns* columns, tnFeltBands* felt, const tnBody* body, const tnWaveKernels* kernels)
{
	const int count = tnGetPaddedPrintCount(columns->prints.count);
	double k = felt->k;
	kernels->beginFalls(&columns->falls, count, k);
	for (int level = felt->coarsest; level >= felt->finest; --level)
	{
		if (level < felt->coarsest)
		{
			kernels->squareFalls(&columns->falls, count);
			k *= 2.0;
		}
		if ((felt->moving >> level & 1) != 0)
		{
			tnPrintSums waves;
			kernels->samplePrints(felt->bands + level, &columns->prints, &waves);
			kernels->feelWaves(&columns->falls, count, &waves, k, tnGetHeaveShare(body, k));
		}
	}
}

// Columns of a body in blocks, the bands of a block one after the other.
static tnWaveLoad tnFeelWaves(const tnPushing* pushing, const tnBody* body)
{
	tnWaveLoad load = {0};
	// Where nothing moves there is no force to which area and volume would matter.
	const uint32_t moving = tnFindMovingBands(&pushing->waves->pool, body);
	if (moving == 0)
	{
		return load;
	}
	const tnWetCut cut = tnGetWetCut(body);
	tnFeltBands bands;
	tnFeltBands_Begin(&bands, &pushing->waves->pool, moving);
	// Loops go on to full vectors.
	tnFeltColumns columns;
	memset(&columns, 0, sizeof(columns));
	for (int index = 0; index < body->cut.columnCount;)
	{
		index = tnFeltColumns_Add(&columns, pushing->grid, &cut, index, body->cut.columnCount);
		tnFeltColumns_Measure(&columns, pushing, body, &load);
		tnFeltColumns_Place(&columns, pushing, body);
		tnFeltColumns_FeelAll(&columns, &bands, body, pushing->waves->kernels);
		tnFeltColumns_Collect(&columns, &load);
	}
	return load;
}

// The force that the water needs which heaves with a body.
// @param mass of the body and what it holds, kg
static void tnAddMass(const tnPushing* pushing, tnBody* body, double mass)
{
	tnBodyState* state = &body->state;
	const double rise = (double)body->motion.velocity.y;
	const double gravity = (double)pushing->waves->gravity;
	const bool knows = body->heave->lastStep > 0.0f;
	const double gained = knows ? (rise - (double)body->heave->lastRise) / (double)body->heave->lastStep : 0.0;
	const double other = knows ? gained - (double)body->heave->lastPush : 0.0;
	double force = (double)state->pressure.y + (double)state->drag.y + (double)state->waveForce.y;
	body->heave->lastStep = 0.0f;
	const float lastAdded = body->heave->lastAdded;
	body->heave->lastAdded = body->heave->addedMass;
	if (!tnIsFinite(body->def.mass) || !(body->heave->addedMass > 0.0f) || !body->wet)
	{
		return;
	}
	const double added = (double)body->heave->addedMass;
	// What comes to it has to be set in motion, and what it leaves behind goes on.
	const double more = added > (double)lastAdded ? added - (double)lastAdded : 0.0;
	const double slam = more * rise / (double)pushing->timeStep;
	const double accelerated = (force - slam + mass * (other - gravity)) / (mass + added);
	state->waveForce.y = tnBoundForce((double)state->waveForce.y - slam - added * accelerated);
	force = (double)state->pressure.y + (double)state->drag.y + (double)state->waveForce.y;
	body->heave->lastRise = body->motion.velocity.y;
	body->heave->lastPush = tnBoundForce(force / mass - gravity);
	body->heave->lastStep = pushing->timeStep;
}

// Loads of this step and the last one, as the body feels them.
static void tnMeetLastLoad(tnBody* body, tnWaveLoad* load)
{
	double* now[2] = {load->force, load->torque};
	bool felt = false;
	for (int i = 0; i < 6; ++i)
	{
		felt = felt || body->heave->lastWaves[i] != 0.0f;
	}
	for (int i = 0; i < 6; ++i)
	{
		double* value = now[i / 3] + i % 3;
		const float last = body->heave->lastWaves[i];
		body->heave->lastWaves[i] = tnBoundForce(*value);
		// Where there were no waves before they have come from elsewhere.
		*value = felt ? TN_NEW_LOAD * *value + (1.0 - TN_NEW_LOAD) * (double)last : *value;
	}
}

static void tnPushBody(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnPushing* pushing = context;
	tnBody* body = tnBodies_Get(pushing->bodies, pushing->bodies->list[item]);
	tnBodyState* state = &body->state;
	tnWaveLoad load = tnFeelWaves(pushing, body);
	tnMeetLastLoad(body, &load);
	const double mass = (double)body->def.mass + (double)body->heldMass;
	const double dt = pushing->timeStep;
	const double stiff = dt * dt * (double)TN_WATER_DENSITY * pushing->waves->gravity * load.area;
	const double heaves = mass + (double)body->heave->addedMass;
	const double up = 1.0 / (1.0 + stiff / heaves * (stiff / heaves));
	const double displaced = (double)TN_WATER_DENSITY * load.volume;
	const double sideways = displaced > mass ? mass / displaced : 1.0;
	const double turn = up < sideways ? up : sideways;
	state->waveForce = (tnVec3){tnBoundForce(sideways * load.force[0]), tnBoundForce(up * load.force[1]),
		tnBoundForce(sideways * load.force[2])};
	state->waveTorque = (tnVec3){
		tnBoundForce(turn * load.torque[0]), tnBoundForce(turn * load.torque[1]), tnBoundForce(turn * load.torque[2])};
	tnAddMass(pushing, body, mass);
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
