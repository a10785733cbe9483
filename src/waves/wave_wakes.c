// SPDX-License-Identifier: MIT

// Waves that bodies make.
//
// A hull is a pressure on the surface: P = p / (rho g), the thickness of it that is below the water. With Airy's linear
// waves
//
//   eta_tt = -Omega^2 (eta + P)        h = eta + P:    h_tt = -Omega^2 h + P_tt
//
// so h is a free wave that is raised by P_new - P_old in each step: water rises before a hull and falls behind it. The
// layer stores h. Beside the hull it is the surface, and below it the hull hides it.
//
// Depth. Water that is displaced at the depth d below the surface, all at once, finds the pressure zero at the surface and
// no way through the bed, so that a wave of wave number k is raised by cosh k(H - d) / cosh kH of it. This is just the share
// of the pressure of that wave that is felt at this depth (wave_column_pressure.inc). So a column of the share A of a cell,
// from the depth t down to b, displaces in a band with the wave number k
//
//   P_k = A (integral of a(d) from t to b)        a(d) = cosh k(H - d) / cosh kH
//       = A / k (e^(-k t) - e^(-k b) + e^(-k (2H - b)) - e^(-k (2H - t))) / (1 + e^(-2 k H))
//
// Its derivatives, by the height of the column and by its place, are the force of h on it (wave_forces.c). So what a body
// feels of its own waves is what they take from it: with W = rho g / 2 (integral of Omega^-2 h_t^2 + h^2) both are rho g
// (integral of h dP), and radiation damping, the resistance of the wake and the memory of the water come by themselves,
// as in the equations of Cummins for thin bodies. A body under water, whose columns move on but displace as much as before,
// makes waves since what is before it is raised and what is behind it sinks.
//
// Flow and layer. Each body gives the share r of what it displaces to the layer and 1 - r to the flow (body_relief.c). Of
// what it gives to the flow the layer has what cells of the flow cannot hold, P minus its mean over each cell, in bands
// finer than them:
//
//      flow cell            A column of the cut covers a rectangle of its cell. Where it covers all of it there is
//   |   ____|____  |        nothing to add; what counts is where in a cell a hull ends.
//   |__|    |    |_|
//
// A band gets what is drawn for it on cells half as large as its own.
//
// Footprints are those of the cut, which shows bodies at the end of the step. They change only when a body moves: water
// that rises along a pier makes no waves. All bodies in a block of cells are one displacement. A body that is destroyed
// leaves a hole in the water: its footprint is taken out again. One that is created has been there all the time: the
// water around it stands level.
//
// Water that heaves with a body at once. Before any wave has gone from a body the water around it moves as if the pressure
// at its surface were zero, and resists with the mass
//
//   M = rho 2 pi / 3 a b^2 / E c (1 + s)       E: complete elliptic integral of the second kind, perimeter over 4 a
//
// half of that of a disc, of radii a and b as those of its plan, in water on both sides (Lamb, art. 108 and 114). c is 1 for
// a box and pi / 4 for the hemisphere, which is exact, by how full the body is. s is the share of it that is under water, with
// water on both sides. The flow knows it of what a body displaces there, so the layer has the share r. wave_forces.c makes
// it a force.
//
// This water is heaved by waves, too, and resists that: a wave of frequency w lifts a body of the plan A by h (rho g A -
// w^2 M) a(d), and a body that heaves makes waves by as much less, as Haskind's relation says of the two. w^2 is g k. With
// 1 / (1 + k M / (rho A)) for 1 - k M / (rho A), which is the same for long waves and keeps its sign for short ones, a
// hemisphere of the radius 1 / k loses 0.29 rho V w of its speed to them; exact theory (Hulme 1982) has 0.27, and columns
// that know of no other 0.52.
//
// Blocks are decomposed by all workers, each in memory of its own. Bands of blocks beside each other share tiles: when all
// are done a row of tiles gets what they have for it in their order, so bits do not depend on who was first.

#include "wave_wakes.h"

#include "../core/numerics.h"
#include "../flow/cell_disc.h"
#include "wave_entry.h"
#include "wave_fit.h"

#include "../shapes/submerged_mesh.h"

#include <limits.h>
#include <math.h>

// Share of the height at which waves rest below which displacements are left out. They come in every step, all alike.
#define TN_LEAST_STIR 0.001f

// 3 (1 - pi / 4): a hemisphere fills two thirds of the box around it.
#define TN_ROUND_LOSS 0.643805510

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

// @param body whose column it is
static tnPrint tnMakePrint(const tnGrid* grid, const tnBody* body, const tnColumn* column)
{
	const ptrdiff_t cell = tnGrid_Index(grid, column->column, column->row);
	const float water = tnGrid_GetHeight(grid, cell);
	const bool wet = grid->depth[cell] > TN_DRY_DEPTH;
	// It is cut as if nothing held it in this step (body_flow.c), but something does.
	const float low = column->low + body->fall;
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
		.draft = wet ? grid->bed[cell] + water - low : 0.0f,
		.water = wet ? water : 0.0f,
		.relief = body->relief,
	};
}

// What a column displaces in a band, m over its cell.
// @param k wave number that is typical of the band, 1/m
// @param lost of what it has just sunk, m
static float tnGetDisplaced(const tnPrint* print, double k, double lost)
{
	const double bottom = (double)tnMinFloat(print->draft, print->water);
	const double top = (double)tnMaxFloat(print->draft - (print->high - print->low), 0.0f);
	if (!(bottom > top))
	{
		return 0.0f;
	}
	// As tnFeelWaveSums.
	const double up = tnExp(-k * top), down = tnExp(-k * bottom);
	const double all = tnExp(-2.0 * k * (double)print->water);
	const double floors = down > 0.0 && up > 0.0 ? all / down - all / up : 0.0;
	const double displaced = ((up - down) + floors) / k;
	const double sunk = (down + (down > 0.0 ? all / down : 0.0)) - (top > 0.0 ? up + all / up : 0.0);
	return (float)((double)print->share * (displaced - lost * sunk) / (1.0 + all));
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

// Cells of a patch that have the size of a flow cell or more: all of it is in one.
static void tnAddToCoarse(const tnWavePatch* patch, const tnPrint* print, int coarser, float height)
{
	// Arithmetic shifts would do, and C does not promise them; columns of prints are not negative.
	const int column = (print->column >> coarser) - patch->box.column;
	const int row = (print->row >> coarser) - patch->box.row;
	if (column >= 0 && column < patch->box.columnCount && row >= 0 && row < patch->box.rowCount)
	{
		const float area = (float)((int64_t)1 << (2 * coarser));
		patch->values[(ptrdiff_t)row * patch->stride + column] += height / area;
	}
}

// Add what a column displaces, times a sign: what it gives to the layer, and what the flow cannot hold of the rest.
// @param finer levels between cells of the patch and those of the flow
// @param finest whether the band is finer than the flow
// @param lost as of tnGetDisplaced
static void tnAddPrint(
	const tnWavePatch* patch, const tnPrint* print, int finer, bool finest, double k, double lost, float sign)
{
	const float given = finest ? 1.0f : print->relief;
	if (!(print->draft > 0.0f) || given == 0.0f)
	{
		return;
	}
	const bool coversAll = print->insetX - 0.5f * print->widthX <= 0.0f &&
		print->insetX + 0.5f * print->widthX >= 1.0f && print->insetZ - 0.5f * print->widthZ <= 0.0f &&
		print->insetZ + 0.5f * print->widthZ >= 1.0f;
	if (finest && print->relief == 0.0f && coversAll)
	{
		// What is added below is zero to the last bit.
		return;
	}
	const float mean = sign * given * tnGetDisplaced(print, k, lost);
	const float kept = finest ? (1.0f - print->relief) * mean : 0.0f;
	if (mean == 0.0f)
	{
		return;
	}
	if (finer <= 0)
	{
		tnAddToCoarse(patch, print, -finer, mean);
		return;
	}
	const int count = 1 << finer;
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
	const tnWaveBox cell = {print->column * count, print->row * count, count, count};
	const tnWaveBox box = tnMeetWaveBoxes(cell, patch->box);
	for (int r = box.row; r < box.row + box.rowCount; ++r)
	{
		float* restrict out =
			patch->values + (ptrdiff_t)(r - patch->box.row) * patch->stride + (box.column - patch->box.column);
		const float* restrict across = coversX + (box.column - cell.column);
		const float along = coversZ[r - cell.row];
		for (int c = 0; c < box.columnCount; ++c)
		{
			out[c] += height * (across[c] * along) - kept;
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

// What is drawn for a band.
typedef struct tnDrawnBand
{
	int finer;   // levels between cells that are drawn and those of the flow
	bool finest; // the band is finer than the flow
	double k;    // typical wave number, 1/m
} tnDrawnBand;

static void tnAddStirred(
	const tnWavePatch* patch, const tnGrid* grid, const tnBody* body, const tnCellBox* box, const tnDrawnBand* band)
{
	const double sunk = (double)body->heave->printedHeight - (double)body->aheadPose.position.y;
	const double most = 0.25 * (double)body->mesh.radius; // a jump
	const double lost = (1.0 - tnGetHeaveShare(body, band->k)) * (sunk > most ? most : (sunk < -most ? -most : sunk));
	for (int i = 0; i < body->printCount; ++i)
	{
		if (tnIsInBox(box, body->prints[i].column, body->prints[i].row))
		{
			tnAddPrint(patch, body->prints + i, band->finer, band->finest, band->k, 0.0, -1.0f);
		}
	}
	for (int i = 0; i < body->cut.columnCount; ++i)
	{
		if (tnIsInBox(box, body->cut.cells[i].column, body->cut.cells[i].row))
		{
			const tnColumn column = tnCut_GetColumn(&body->cut, i);
			const tnPrint print = tnMakePrint(grid, body, &column);
			tnAddPrint(patch, &print, band->finer, band->finest, band->k, lost, 1.0f);
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
static bool tnMayStir(const tnWaves* waves, const tnCellBox* box, int bandCount)
{
	return tnHasCells(box) && tnWaves_MayEnter(waves, tnGetFineBox(waves, box), bandCount);
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
	int bandCount; // that a block may stir
	size_t floatCount;
	tnCellBox blocks[TN_MOST_BLOCKS];
	float* memory[TN_MOST_BLOCKS];
	tnWaveEntry entries[TN_MOST_BLOCKS];
} tnStirring;

// Sums over what of a body is below the water: of its cross-sections, m^2, their moments, how deep and how full they are.
typedef struct tnPlan
{
	double area, x, z, xx, zz, xz;
	double covered, volume, draft;
} tnPlan;

static void tnPlan_Add(tnPlan* plan, const tnPrint* print, double x, double z, double cellArea, double cellSize)
{
	const double bottom = (double)tnMinFloat(print->draft, print->water);
	const double top = (double)tnMaxFloat(print->draft - (print->high - print->low), 0.0f);
	if (!(bottom > top))
	{
		return;
	}
	const double area = (double)print->share * cellArea;
	// With its own second moment, as that of a rectangle.
	const double ownX = (double)print->widthX * cellSize, ownZ = (double)print->widthZ * cellSize;
	plan->area += area;
	plan->x += area * x;
	plan->z += area * z;
	plan->xx += area * (x * x + ownX * ownX * (1.0 / 12.0));
	plan->zz += area * (z * z + ownZ * ownZ * (1.0 / 12.0));
	plan->xz += area * x * z;
	plan->covered += top > 0.0 ? area : 0.0;
	plan->volume += area * (bottom - top);
	plan->draft = bottom > plan->draft ? bottom : plan->draft;
}

static double tnPlan_GetAddedMass(const tnPlan* plan)
{
	if (!(plan->area > 0.0 && plan->draft > 0.0))
	{
		return 0.0;
	}
	const double x = plan->x / plan->area, z = plan->z / plan->area;
	const double xx = plan->xx / plan->area - x * x, zz = plan->zz / plan->area - z * z;
	const double xz = plan->xz / plan->area - x * z;
	const double half = 0.5 * (xx + zz);
	const double root = sqrt(0.25 * (xx - zz) * (xx - zz) + xz * xz);
	// The ellipse of the same moments has four times these as the squares of its radii; of those only the ratio counts.
	const double least = half - root > 1.0e-6 * half ? half - root : 1.0e-6 * half;
	const double ratio = sqrt(least / (half + root));
	const double a = sqrt(plan->area / (3.14159265358979 * ratio));
	const double b = ratio * a;
	const double sum = 3.0 * (a + b) - sqrt((3.0 * a + b) * (a + 3.0 * b)); // perimeter over pi
	const double disc = TN_WATER_DENSITY * (8.0 / 3.0) * a * a * b * b / sum;
	const double fullness = plan->volume / (plan->area * plan->draft);
	return disc * (1.0 - TN_ROUND_LOSS * (1.0 - fullness)) * (1.0 + plan->covered / plan->area);
}

static void tnMakePrintsOf(const tnGrid* grid, tnBody* body)
{
	const float* x = tnCut_GetField(&body->cut, tn_columnX);
	const float* z = tnCut_GetField(&body->cut, tn_columnZ);
	const double size = grid->cellSize;
	tnPlan plan = {0};
	for (int k = 0; k < body->cut.columnCount; ++k)
	{
		const tnColumn column = tnCut_GetColumn(&body->cut, k);
		body->prints[k] = tnMakePrint(grid, body, &column);
		tnPlan_Add(&plan, body->prints + k, (double)x[k], (double)z[k], size * size, size);
	}
	const double mass = (double)body->relief * tnPlan_GetAddedMass(&plan);
	body->heave->addedMass = (float)mass;
	body->heave->addedDepth = (float)(mass > 0.0 ? mass / (TN_WATER_DENSITY * plan.area) : 0.0);
	body->heave->printedHeight = body->aheadPose.position.y;
	body->printCount = body->cut.columnCount;
	body->isPrinted = true;
}

static void tnLookAtBody(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnStirring* stirring = context;
	tnBody* body = tnBodies_Get(stirring->bodies, stirring->bodies->list[item]);
	body->stirs = tnHasMoved(body);
	if (body->stirs && !body->isPrinted)
	{
		tnMakePrintsOf(stirring->grid, body);
		body->heave->lastAdded = body->heave->addedMass;
		body->printed = tnFindColumns(&body->cut);
		body->stirs = false;
	}
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
	if (body->stirs)
	{
		tnMakePrintsOf(stirring->grid, body);
	}
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
	if (!tnMayStir(stirring->waves, &most, stirring->bandCount))
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

// A block, as a band sees it.
typedef struct tnDrawing
{
	const tnStirring* stirring;
	const tnCellBox* block;
} tnDrawing;

static void tnDrawBlock(const tnWavePatch* patch, int level, int band, void* context)
{
	const tnDrawing* drawing = context;
	const tnBodies* bodies = drawing->stirring->bodies;
	const tnWavePool* pool = &drawing->stirring->waves->pool;
	const tnDrawnBand drawn = {pool->finerLevels - level, band < pool->finerLevels,
		6.283185307179586 / ((double)TN_WAVE_TYPICAL_CELLS * pool->cellSize[band])};
	for (int i = 0; i < bodies->count; ++i)
	{
		const tnBody* body = tnBodies_Get(bodies, bodies->list[i]);
		const tnCellBox shared = tnMeetBoxes(&body->stirred, drawing->block);
		if (body->stirs && tnHasCells(&shared))
		{
			tnAddStirred(patch, drawing->stirring->grid, body, drawing->block, &drawn);
		}
	}
}

static void tnDecomposeBlock(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	tnStirring* stirring = context;
	tnDrawing drawing = {stirring, stirring->blocks + item};
	tnWaves_DecomposeBands(stirring->waves, stirring->entries + item, stirring->memory[item],
		TN_LEAST_STIR * stirring->waves->def.restHeight, tnDrawBlock, &drawing);
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
	if (!tnHasCells(used) || !tnWaves_PlanEntry(waves, tnGetFineBox(waves, used), stirring->bandCount, &entry))
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

// Does a body among these give something of itself to the layer, or did it?
static bool tnAnyRelieved(const tnBodies* bodies, int first)
{
	bool any = false;
	for (int i = first; i >= 0 && !any; i = tnBodies_Get(bodies, i)->nextStirring)
	{
		const tnBody* body = tnBodies_Get(bodies, i);
		any = body->relief > 0.0f || (body->printCount > 0 && body->prints[0].relief > 0.0f);
	}
	return any;
}

void tnWaves_StirByBodies(tnWaves* waves, const tnGrid* grid, tnBodies* bodies, tnParallel* parallel)
{
	const int finer = waves->pool.finerLevels;
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
		stirring.bandCount = tnAnyRelieved(bodies, first) ? waves->pool.levelCount : finer;
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
	tnBodies_Get(bodies, index)->isPrinted = true;
	tnWaves_StirByBodies(waves, grid, &alone, parallel);
}
