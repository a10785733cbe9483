// SPDX-License-Identifier: MIT

// Where crests break.
//
// A front steepens until it is as steep as water can stand, tan 20 degrees (Schaeffer, Madsen & Deigaard 1993, for the onset of
// the roller). A heightfield would carry on as a wall. Then the water of the crest is as fast as the wave itself, which is what
// breaking means, and falls ahead of it: a plunging jet. Between a cell and a lower one ahead of it there is such a front if
//
//   slope    surfaces differ by more than def.breakingSlope times a cell,
//   crest    the surface behind falls less steeply: negative curvature,
//   rise     water goes ahead, and raises the cell there at least TN_RISE as fast as the whole front at its speed would: rapids and
//            steps in a stream stand still and do not,
//   width    it is as wide as two cells, if there is water beside it: at least half as steep there,
//   depth    there is water ahead, and it reaches up to the ground of the crest: a shore or a ledge is no wave.
//
// What stands above the limit, e = drop - limit, goes over in the time of a fall, sqrt(2 drop / g), with the speed of a solitary
// wave, sqrt(g h) for the depth h under its crest (Russell 1845), on top of that of the water ahead. It begins in the
// upper half of what stands above the limit, and is thrown up no higher than e / 4.
//
// Momentum. Faces hold velocities, so a cell that loses depth T loses the momentum L of what leaves over its faces. Pieces across
// the front carry P; the face of the front gives P - L, and along the front they carry L. Only the cell upstream of a face, which
// the crest is for its front, looks at the face or changes it: order does not matter.

#include "../flow/cell_disc.h"
#include "spray.h"

#include <math.h>

#define TN_RISE 0.25f
// Least water ahead, m.
#define TN_LEAST_AHEAD 0.01f
// Least water that is thrown, m of depth, and most, as a share of the crest, by a front.
#define TN_LEAST_THROWN 1.0e-4f
#define TN_MOST_OF_CREST 0.05f
// Most of the discharge of a front that pieces may take along.
#define TN_MOST_OF_FLOW 0.5f

typedef struct tnCrest
{
	int column, row; // of the face
	bool alongX;     // the front moves along x
	bool isAhead;    // towards +x or +z
	float drop;      // of the surface, m
	float excess;    // of it above the limit, m
	float speed;     // with which water is thrown, m/s
	float section;   // of the face, m, before anything is taken
	float wanted;    // m of depth in the cell
} tnCrest;

// ---------------------------------------------------------------------------------------------------------------------
// Fronts

// Without bodies: what they lift is no wave.
static float tnGetSurface(const tnGrid* grid, ptrdiff_t cell)
{
	return grid->bed[cell] + grid->depth[cell];
}

// How fast a cell rises by what crosses its faces, m/s.
static float tnGetRise(const tnGrid* grid, ptrdiff_t cell)
{
	const float alongX = grid->dischargeX[cell] - grid->dischargeX[cell + 1];
	const float alongZ = grid->dischargeZ[cell] - grid->dischargeZ[cell + grid->stride];
	return (alongX + alongZ) / grid->cellSize;
}

// Does the surface fall from the cell more steeply than towards it?
static bool tnIsTop(const tnGrid* grid, ptrdiff_t behind, ptrdiff_t cell, float drop)
{
	return grid->bed[behind] >= 0.5f * TN_WALL || !(grid->depth[behind] > TN_DRY_DEPTH) ||
		tnGetSurface(grid, behind) - tnGetSurface(grid, cell) < drop;
}

// Is there a front beside this one, or no water? `beside` leads along the front.
static bool tnIsWide(const tnGrid* grid, ptrdiff_t cell, ptrdiff_t ahead, ptrdiff_t beside, float limit)
{
	int wetCount = 0;
	int steepCount = 0;
	for (int k = 0; k < 2; ++k)
	{
		const ptrdiff_t way = k == 0 ? beside : -beside;
		const bool isWet = grid->depth[cell + way] >= TN_LEAST_AHEAD && grid->depth[ahead + way] >= TN_LEAST_AHEAD;
		wetCount += isWet;
		steepCount += isWet && tnGetSurface(grid, cell + way) - tnGetSurface(grid, ahead + way) > 0.5f * limit;
	}
	return steepCount > 0 || wetCount == 0;
}

// The front ahead of a cell on one of its four sides. False if there is none.
static bool tnFindCrest(const tnSpray* spray, const tnSprayStep* step, int column, int row, int side, tnCrest* crest)
{
	const tnGrid* grid = step->grid;
	const bool isAhead = side == tn_east || side == tn_south;
	const bool alongX = side == tn_west || side == tn_east;
	const ptrdiff_t cell = tnGrid_Index(grid, column, row);
	const ptrdiff_t way = isAhead ? (alongX ? 1 : grid->stride) : -(alongX ? 1 : grid->stride);
	const ptrdiff_t ahead = cell + way;
	const float limit = spray->def.breakingSlope * grid->cellSize;
	const float drop = tnGetSurface(grid, cell) - tnGetSurface(grid, ahead);
	const int position = (alongX ? column : row) + isAhead;
	if (!(drop > limit) || position == 0 || position == (alongX ? grid->columnCount : grid->rowCount))
	{
		return false;
	}
	*crest = (tnCrest){column + (side == tn_east), row + (side == tn_south), alongX, isAhead, .drop = drop};
	const float ground = tnMaxFloat(grid->bed[cell], grid->bed[ahead]);
	const float depth = grid->depth[cell];
	if (!(tnGetSurface(grid, ahead) - ground >= TN_LEAST_AHEAD && depth > 0.0f) ||
		!(grid->depth[ahead] >= TN_LEAST_AHEAD && tnIsTop(grid, cell - way, cell, crest->drop)))
	{
		return false;
	}
	if (!tnIsWide(grid, cell, ahead, alongX ? grid->stride : 1, limit))
	{
		return false;
	}
	const float speed = sqrtf(step->gravity * depth);
	const ptrdiff_t face = tnGrid_Index(grid, crest->column, crest->row);
	const float toAhead = isAhead ? 1.0f : -1.0f;
	const float flow = toAhead * (alongX ? grid->flowX : grid->flowZ)[face];
	if (!(flow > 0.0f && tnGetRise(grid, ahead) > TN_RISE * spray->def.breakingSlope * speed))
	{
		return false;
	}
	const float drift = toAhead * (alongX ? grid->dischargeX : grid->dischargeZ)[face + way] / grid->depth[ahead];
	crest->excess = crest->drop - limit;
	crest->speed = speed + tnClampFloat(drift, -speed, speed);
	crest->section = grid->bed[cell] + depth - ground;
	// In the time of a fall, but the face must be able to give the momentum.
	const float share = TN_TURN_PERIOD * step->timeStep / sqrtf(2.0f * crest->drop / step->gravity);
	const float discharge = tnGrid_StoresVelocity(grid) ? flow * crest->section : flow;
	const float most =
		tnMinFloat(TN_MOST_OF_CREST * depth, TN_MOST_OF_FLOW * discharge / tnMaxFloat(crest->speed, 1.0e-3f));
	crest->wanted = tnMinFloat(crest->excess * tnMinFloat(share, 0.5f), most);
	return crest->wanted >= TN_LEAST_THROWN;
}

// ---------------------------------------------------------------------------------------------------------------------
// Births

// What the water of a cell loses of its discharge along an axis, m^2/s, if its depth falls.
static float tnGetLoss(const tnGrid* grid, int column, int row, bool alongX, float depth)
{
	if (!tnGrid_StoresVelocity(grid))
	{
		return 0.0f;
	}
	const ptrdiff_t cell = tnGrid_Index(grid, column, row);
	const ptrdiff_t way = alongX ? 1 : grid->stride;
	const float* flow = alongX ? grid->flowX : grid->flowZ;
	float loss = 0.0f;
	for (int k = 0; k < 2; ++k)
	{
		const ptrdiff_t other = k == 0 ? cell - way : cell + way;
		const float out = flow[k == 0 ? cell : cell + way];
		const float section = grid->bed[cell] + grid->depth[cell] - tnMaxFloat(grid->bed[cell], grid->bed[other]);
		const bool isUpstream = (k == 0 ? out < 0.0f : out > 0.0f) && section > 0.0f;
		loss += isUpstream ? out * tnMinFloat(depth, section) : 0.0f;
	}
	return loss;
}

// Throws units over a front; they move with `along` m/s along it. Returns the momentum that they carry across it, m^2/s, and takes
// them off `left`.
static double tnThrowOver(tnSpray* spray, const tnSprayStep* step, const tnCrest* crest, ptrdiff_t cell, int64_t units,
	float along, int64_t* left)
{
	const tnGrid* grid = step->grid;
	float tracers[TN_MAX_TRACERS];
	for (int i = 0; i < grid->tracerCount; ++i)
	{
		tracers[i] = grid->tracers[i][cell];
	}
	const float top = tnGetSurface(grid, cell);
	const float toAhead = crest->isAhead ? 1.0f : -1.0f;
	double carried = 0.0;
	tnBrink brink = tnSpray_MakeBrink(step, crest->column, crest->row, crest->alongX, units);
	for (int i = 0; i < brink.count; ++i)
	{
		tnBrink_NextPiece(&brink, i);
		const float time = TN_TURN_PERIOD * step->timeStep * brink.time;
		const float pace = toAhead * crest->speed * (0.9f + 0.2f * brink.pace);
		const float kick = brink.kick * sqrtf(0.5f * step->gravity * crest->excess);
		tnBirth birth = {.kind = tn_breakingSpray, .seed = brink.random, .tracers = tracers};
		const float across = brink.across + (toAhead * 0.02f * grid->cellSize + pace * time);
		const float beside = brink.along + along * time;
		const float y = top - 0.5f * brink.height * crest->excess + (kick * time - 0.5f * step->gravity * time * time);
		birth.position = tnSpray_GetPlace(spray, crest->alongX ? across : beside, y, crest->alongX ? beside : across);
		birth.velocity =
			(tnVec3){crest->alongX ? pace : along, kick - step->gravity * time, crest->alongX ? along : pace};
		tnSpray_Add(spray, grid, &birth, brink.units);
		carried += (double)brink.units / TN_SPRAY_UNITS * pace;
		*left -= brink.units;
	}
	return carried;
}

static void tnBreakCell(tnSpray* spray, const tnSprayStep* step, int column, int row)
{
	tnGrid* grid = step->grid;
	tnCrest crests[tn_sideCount];
	float wanted[tn_sideCount];
	for (int side = 0; side < tn_sideCount; ++side)
	{
		wanted[side] = tnFindCrest(spray, step, column, row, side, crests + side) ? crests[side].wanted : 0.0f;
	}
	const float sum = (wanted[tn_west] + wanted[tn_east]) + (wanted[tn_north] + wanted[tn_south]);
	const ptrdiff_t cell = tnGrid_Index(grid, column, row);
	const int64_t units = sum > 0.0f ? tnSpray_CountTaken(spray, grid, cell, sum) : 0;
	if (units == 0)
	{
		return;
	}
	const double taken = (double)units / TN_SPRAY_UNITS;
	const float lossX = tnGetLoss(grid, column, row, true, (float)taken);
	const float lossZ = tnGetLoss(grid, column, row, false, (float)taken);
	int64_t left = units;
	for (int side = 0; side < tn_sideCount; ++side)
	{
		if (wanted[side] > 0.0f)
		{
			const tnCrest* crest = crests + side;
			const double share = (double)wanted[side] / (double)sum;
			const float along = (float)((crest->alongX ? lossZ : lossX) / taken);
			const double carried =
				tnThrowOver(spray, step, crest, cell, (int64_t)((double)units * share), along, &left);
			const double given = carried - share * (crest->alongX ? lossX : lossZ);
			const float section = crest->section - (float)taken;
			tnAddDischarge(grid, crest->column, crest->row, crest->alongX, section, (float)-given);
		}
	}
	spray->rest += left;
	tnSpray_MarkTaken(spray, grid, column, row, sum);
}

// ---------------------------------------------------------------------------------------------------------------------
// All cells

static uint64_t tnLookForCrests(const tnSpray* spray, const tnSprayStep* step, ptrdiff_t begin, int count)
{
	const tnGrid* grid = step->grid;
	const float limit = spray->def.breakingSlope * grid->cellSize;
	return step->kernels->findFronts(
		grid->bed + begin, grid->depth + begin, grid->stride, limit, TN_LEAST_AHEAD, count);
}

void tnSpray_BreakCrests(tnSpray* spray, const tnSprayStep* step)
{
	// Not in the steps of ledges: so that each step has its share of the work.
	if (spray->def.breakingSlope > 0.0f && step->stepCount % TN_TURN_PERIOD == TN_TURN_PERIOD / 2)
	{
		tnSpray_VisitCells(spray, step, tnLookForCrests, tnBreakCell);
	}
}
