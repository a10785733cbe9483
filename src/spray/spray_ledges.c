// SPDX-License-Identifier: MIT

// Where water falls off a ledge.
//
// A heightfield lets what goes over a cliff drop at once: it is at the foot in the same step. Over a face with a fall of more than
// def.ledgeHeight, steeper than TN_LEDGE_SLOPE, the flow brought q dt dx of water to the lower cell. That is taken out again and
// put into the air at the lip. Columns are drawn down to a film at such a face, many times too fast; water that leaves a brink
// freely has 0.715 of the critical depth (q^2 / g)^(1/3) there (Rouse 1936), and the velocity that goes with it, or that of the
// stream above if it arrives faster (shallow method: others do not know their speed there). Cells have their turn every
// TN_TURN_PERIOD steps, with the water of all of them; particles begin as if they had left at a moment of that time, so that the
// sheet is without gaps. What has less than TN_LEAST_FALL runs down the wall as before.
//
// A cell gives to all ledges around it at once, and depths change after all have been looked at.

#include "spray.h"

#include "../core/numerics.h"

#define TN_LEDGE_SLOPE 1.5f
#define TN_BRINK 0.715f
#define TN_LEAST_FALL 1.0e-4f // m of depth in a cell
// Most of the water of the lower cell that is taken: the rest was there before.
#define TN_MOST_TAKEN 0.9f

typedef struct tnLedge
{
	int column, row;     // of the cell behind the face, in +x or +z
	bool alongX;         // water goes along x
	bool isDown;         // towards +x or +z
	ptrdiff_t high, low; // cells
	float discharge;     // downwards, m^2/s
	float wanted;        // m of depth in the lower cell
} tnLedge;

// ---------------------------------------------------------------------------------------------------------------------
// One cell

// Least step of the ground, m.
static float tnGetLedgeHeight(const tnSpray* spray, const tnGrid* grid)
{
	return tnMaxFloat(spray->def.ledgeHeight, TN_LEDGE_SLOPE * grid->cellSize);
}

// Velocity with which water arrives at the lip, m/s: across the face before the upper cell.
static float tnGetArrivalSpeed(const tnGrid* grid, const tnLedge* ledge)
{
	const int way = ledge->isDown ? -1 : 1;
	const int column = ledge->column + (ledge->alongX ? way : 0);
	const int row = ledge->row + (ledge->alongX ? 0 : way);
	if (column < 0 || column > grid->columnCount || row < 0 || row > grid->rowCount)
	{
		return 0.0f;
	}
	const float across =
		ledge->alongX ? tnGrid_GetFaceVelocityX(grid, column, row) : tnGrid_GetFaceVelocityZ(grid, column, row);
	return ledge->isDown ? across : -across;
}

// The ledge between a cell and the one above it on one of its four sides. False if nothing falls there.
static bool tnFindLedge(const tnSpray* spray, const tnSprayStep* step, int column, int row, int side, tnLedge* ledge)
{
	const tnGrid* grid = step->grid;
	const bool isDown = side == tn_west || side == tn_north;
	const bool alongX = side == tn_west || side == tn_east;
	const int faceColumn = column + (side == tn_east);
	const int faceRow = row + (side == tn_south);
	const int position = alongX ? faceColumn : faceRow;
	if (position == 0 || position == (alongX ? grid->columnCount : grid->rowCount))
	{
		// Faces of the edges belong to what is outside.
		return false;
	}
	const ptrdiff_t low = tnGrid_Index(grid, column, row);
	const ptrdiff_t way = alongX ? 1 : grid->stride;
	*ledge = (tnLedge){faceColumn, faceRow, alongX, isDown, isDown ? low - way : low + way, low, 0.0f, 0.0f};
	const float height = tnGetLedgeHeight(spray, grid);
	const float lip = grid->bed[ledge->high];
	if (!(lip - grid->bed[low] > height &&
			lip - (grid->bed[low] + tnGrid_GetHeight(grid, low)) > spray->def.ledgeHeight))
	{
		return false;
	}
	const ptrdiff_t face = tnGrid_Index(grid, faceColumn, faceRow);
	const float across = alongX ? grid->dischargeX[face] : grid->dischargeZ[face];
	ledge->discharge = isDown ? across : -across;
	ledge->wanted = ledge->discharge * (TN_TURN_PERIOD * step->timeStep) / grid->cellSize;
	return ledge->wanted >= TN_LEAST_FALL;
}

// Puts units into the air at the lip. Returns those that are left over.
static int64_t tnFallOverLedge(tnSpray* spray, const tnSprayStep* step, const tnLedge* ledge, int64_t units)
{
	const tnGrid* grid = step->grid;
	const float critical = (float)tnCubeRoot((double)ledge->discharge * ledge->discharge / step->gravity);
	const float arriving = grid->method == tn_shallowMethod ? tnGetArrivalSpeed(grid, ledge) : 0.0f;
	const float speed = tnMaxFloat(ledge->discharge / (TN_BRINK * critical), arriving);
	const float section = ledge->discharge / speed;
	float tracers[TN_MAX_TRACERS];
	for (int i = 0; i < grid->tracerCount; ++i)
	{
		tracers[i] = grid->tracers[i][ledge->low];
	}
	tnBrink brink = tnSpray_MakeBrink(step, ledge->column, ledge->row, ledge->alongX, units);
	for (int i = 0; i < brink.count; ++i)
	{
		tnBrink_NextPiece(&brink, i);
		const float time = TN_TURN_PERIOD * step->timeStep * brink.time;
		const float pace = speed * (0.9f + 0.2f * brink.pace);
		const float way = ledge->isDown ? pace : -pace;
		// Beyond the lip, where it is after its time in the air.
		const float beyond = (ledge->isDown ? 0.02f : -0.02f) * grid->cellSize + way * time;
		tnBirth birth = {.kind = tn_fallingSpray, .seed = brink.random, .tracers = tracers};
		const float y = grid->bed[ledge->high] + brink.height * section - 0.5f * step->gravity * time * time;
		const float across = brink.across + beyond;
		birth.position =
			tnSpray_GetPlace(spray, ledge->alongX ? across : brink.along, y, ledge->alongX ? brink.along : across);
		birth.velocity = (tnVec3){ledge->alongX ? way : 0.0f, -step->gravity * time, ledge->alongX ? 0.0f : way};
		const float lip = brink.across - (ledge->isDown ? -0.02f : 0.02f) * grid->cellSize;
		tnSpray_StopAtBodies(spray, step,
			tnSpray_GetPlace(spray, ledge->alongX ? lip : brink.along, y + 0.5f * step->gravity * time * time,
				ledge->alongX ? brink.along : lip),
			&birth.position);
		tnSpray_Add(spray, grid, &birth, brink.units);
	}
	return units - brink.units * brink.count;
}

// Most cells are not: a quick look.
static bool tnIsBelowLedge(const tnSpray* spray, const tnGrid* grid, ptrdiff_t cell)
{
	const float* bed = grid->bed + cell;
	const float lip = bed[0] + tnGetLedgeHeight(spray, grid);
	return bed[-1] > lip || bed[1] > lip || bed[-grid->stride] > lip || bed[grid->stride] > lip;
}

static void tnFallIntoCell(tnSpray* spray, const tnSprayStep* step, int column, int row)
{
	const tnGrid* grid = step->grid;
	if (!tnIsBelowLedge(spray, grid, tnGrid_Index(grid, column, row)))
	{
		return;
	}
	tnLedge ledges[tn_sideCount];
	float wanted[tn_sideCount];
	for (int side = 0; side < tn_sideCount; ++side)
	{
		wanted[side] = tnFindLedge(spray, step, column, row, side, ledges + side) ? ledges[side].wanted : 0.0f;
	}
	// Opposite sides first: the same bits for a mirrored cell.
	const float sum = (wanted[tn_west] + wanted[tn_east]) + (wanted[tn_north] + wanted[tn_south]);
	const ptrdiff_t cell = tnGrid_Index(grid, column, row);
	const float taken = tnMinFloat(sum, TN_MOST_TAKEN * grid->depth[cell]);
	const int64_t units = taken >= TN_LEAST_FALL ? tnSpray_CountTaken(spray, grid, cell, taken) : 0;
	if (units == 0)
	{
		return;
	}
	int64_t left = units;
	for (int side = 0; side < tn_sideCount; ++side)
	{
		if (wanted[side] > 0.0f)
		{
			const int64_t part = (int64_t)((double)units * ((double)wanted[side] / (double)sum));
			left -= part - tnFallOverLedge(spray, step, ledges + side, part);
		}
	}
	spray->rest += left;
	tnSpray_MarkTaken(spray, grid, column, row, taken);
}

// ---------------------------------------------------------------------------------------------------------------------
// All cells

static uint64_t tnLookForLedges(const tnSpray* spray, const tnSprayStep* step, ptrdiff_t begin, int count)
{
	const tnGrid* grid = step->grid;
	return step->kernels->findLedges(
		grid->bed + begin, grid->stride, tnGetLedgeHeight(spray, grid), 0.5f * TN_WALL, count);
}

void tnSpray_FallOverLedges(tnSpray* spray, const tnSprayStep* step)
{
	if (step->stepCount % TN_TURN_PERIOD == 0)
	{
		tnSpray_VisitCells(spray, step, tnLookForLedges, tnFallIntoCell);
	}
}
