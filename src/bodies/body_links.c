// SPDX-License-Identifier: MIT

// How much of a face is open beside bodies that stand on the ground.
//
// Water has one head for each cell, so what decides whether it gets from one cell to the next is not the line between them but the
// way from the middle of the one to the middle of the other: the link. A sheet of any thickness that stands anywhere in between cuts
// it. Each line of cells from one side of a wall to the other has such a link, so that walls are tight whatever their thickness,
// their place and their yaw; and so are boxes that touch along an edge.
//
//          u0            u1
//    low   ┌─────────────┐  v = 0        The rectangle of a link: from middle to middle, as wide as the face. What bodies
//          │     ▒▒      │               take of it, cut at one height, are convex obstacles. The width that is left is
//          p     ▒▒      q               that of the narrowest place between p and q: the cheapest way from the low to the
//          │           ▒▒│               high side, which costs as much as it is long, and nothing within obstacles. So a
//    high  └───────────▒▒┘  v = 1        gap between bodies is as wide as it is, and one that lies in two rows is so in sum.
//
// What touches the end of the rectangle beside p belongs to the side on which it does: water beyond is not that around p.
// Obstacles that are nearer to each other than TN_SEALED_SHARE touch. Narrow gaps that are oblique to the grid: link_gaps.c.
//
// Where a body stands on the middle of a cell, the water of the cell is that along the free arcs of its rim, and links begin there.
// Arcs that are not joined within the cell are several waters. One of them may be by far the largest, and the others do not count.
// Else, as where a sheet stands in the middle, a link must see all of them: along a row of piers it does; across a wall, where each
// is on its own side, nothing passes, and what is in the cell waits. And where the body leaves no more than a sliver at one side, the
// cell is open to that side alone: its water is pushed out, and nothing can pass.
//
// All places are multiples of 2^-20 of a cell. So what is mirrored is so to the last bit, though it is computed the other way round.

#include "body_links.h"

#include "body_cover.h"
#include "link_gaps.h"
#include "link_layers.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Swept cells
//
// A wall about as thick as a cell that moves never fills a cell that it crosses, if it is turned, or if both of its sides cross lines
// of the grid in the same step: what is left of the cell before it is then behind it, in one step, with the water in it. So in the
// step in which the water of a cell is not before the wall any more, the cell is full of wall, and its water goes to the cells before
// it: carried along, since its head says nothing about that.

// Cells of which moving bodies leave more than this change sides with their water: a thin wall does not take along what a cell
// holds.
#define TN_SWEPT_SHARE 0.15f

// Time step over cell size, s/m, below which nothing is swept: the discharge that takes water along in a step has no end.
#define TN_LEAST_SWEPT_STEP 1.0e-5f

// Cells. What is thicker fills cells on its way, whatever its yaw.
#define TN_SWEEPING_THICKNESS 2.0f

enum
{
	// A bit beside those of the sides that water leaves through.
	tn_sweptBit = 1 << tn_rimSideCount,
};

static unsigned tnCellWater_GetSides(const tnCellWater* water)
{
	unsigned sides = 0;
	for (int side = 0; side < tn_rimSideCount; ++side)
	{
		sides |= water->open[side] != 0 ? 1u << side : 0;
	}
	return sides;
}

// What a body leaves of a cell at a height, if it is the only one there.
static tnCellWater tnFindWaterAt(const tnLinkContext* context, const tnLinkPlace* place, const tnStander* stander,
	float low, float high, bool before, tnObstacles* obstacles)
{
	tnFindObstacles(context, place, stander, 1, low, high, before, obstacles);
	if (obstacles->full)
	{
		return (tnCellWater){.free = true};
	}
	return tnFindWater(obstacles, (tnSpot){0.0, 0.0});
}

// Is the water that was at a side of a cell parted by a body from all that is at this side now?
static bool tnIsParted(const tnObstacles* obstacles, const tnCellWater* was, const tnCellWater* is, int side)
{
	bool parted = !was->filled && !is->filled;
	for (int i = 0; i < is->count && parted; ++i)
	{
		const double along = 0.5 * (was->at[side][0] + is->at[side][i]);
		const double inset = TN_LINK_INSET;
		const tnSpot spots[tn_rimSideCount] = {
			{inset, along}, {1.0 - inset, along}, {along, inset}, {along, 1.0 - inset}};
		parted = !tnIsFreeAt(obstacles, spots[side]);
	}
	return parted;
}

// Is it about as thick as a cell, and the cells that it passes in a step, and does it move?
static bool tnMaySweep(const tnBody* body, const tnGrid* grid)
{
	const tnVec3 from = body->pose.position;
	const tnVec3 to = body->aheadPose.position;
	const float way = fabsf(to.x - from.x) + fabsf(to.z - from.z);
	return memcmp(&body->aheadPose, &body->pose, sizeof(tnPose)) != 0 &&
		body->mesh.thickness < TN_SWEEPING_THICKNESS * grid->cellSize + way;
}

// Is it filled, and all around it?
static bool tnIsWithin(const tnGroup* group, int slot)
{
	return tnIsFilled(group, slot) && tnIsFilled(group, slot - 1) && tnIsFilled(group, slot + 1) &&
		tnIsFilled(group, tnGroup_GetNorthSlot(group, slot)) && tnIsFilled(group, tnGroup_GetSouthSlot(group, slot));
}

// The sides of a cell before a body that has just got past its middle, or 0.
static unsigned tnFindSidesBefore(const tnLinkContext* context, int slot, int column, int row)
{
	const tnGroup* group = context->group;
	const float solid = tnGroup_GetField(group, tn_cellSolid)[slot];
	if (!(solid > 1.0f - TN_SWEPT_SHARE) || tnGroup_GetChain(group, tn_cellChain)[slot] != 0 ||
		!(tnGroup_GetField(group, tn_cellCovered)[slot] > TN_COVERED_COPY) || tnIsWithin(group, slot))
	{
		return 0;
	}
	tnStander standers[TN_LINK_BODIES];
	const int count = tnAddStanders(context, slot, column, row, false, standers, 0);
	if (count != 1 || !tnMaySweep(standers->body, context->grid))
	{
		return 0;
	}
	const tnLinkPlace place = {column, row, false};
	tnObstacles obstacles;
	const tnCellWater was = tnFindWaterAt(context, &place, standers, standers->low, standers->high, true, &obstacles);
	const tnCellWater is = tnFindWaterAt(context, &place, standers, standers->low, standers->high, false, &obstacles);
	const unsigned before = tnCellWater_GetSides(&was);
	const unsigned behind = tnCellWater_GetSides(&is);
	if (was.free || is.free || before == 0 || was.count > 1 || (is.filled && behind == 0))
	{
		return 0;
	}
	for (int side = 0; side < tn_rimSideCount; ++side)
	{
		if ((before & behind & 1u << side) != 0 && !tnIsParted(&obstacles, &was, &is, side))
		{
			return 0;
		}
	}
	return before;
}

// Where a slot is: the cells beside it, and the faces between.
typedef struct tnCellSides
{
	int slots[tn_rimSideCount], faces[tn_rimSideCount];
} tnCellSides;

static tnCellSides tnGroup_GetSides(const tnGroup* group, int slot)
{
	const int south = tnGroup_GetSouthSlot(group, slot);
	return (tnCellSides){{slot - 1, slot + 1, tnGroup_GetNorthSlot(group, slot), south}, {slot, slot + 1, slot, south}};
}

// Can water go to a cell? 2: it may take all of it.
static int tnTakesSwept(const tnLinkContext* context, int slot, int from, int column, int row)
{
	const tnGroup* group = context->group;
	if (context->swept[slot] != 0 || tnIsFilled(group, slot))
	{
		return 0;
	}
	if (!tnStandsIn(group, context->grid, slot))
	{
		return 2;
	}
	tnStander standers[TN_LINK_BODIES];
	const int count = tnAddStanders(context, slot, column, row, false, standers, 0);
	if (count != 1)
	{
		return 0;
	}
	const tnLinkPlace place = {column, row, false};
	tnObstacles obstacles;
	const tnCellWater water =
		tnFindWaterAt(context, &place, standers, standers->low, standers->high, false, &obstacles);
	return water.free ? 2 : (water.count == 1 && water.open[from] != 0 ? 1 : 0);
}

// Fill the cells that bodies get past in this step, and note what leaves them.
static void tnSweepCells(const tnLinkContext* context)
{
	tnGroup* group = context->group;
	const tnGrid* grid = context->grid;
	const int slotCount = group->stripCount * TN_STRIP_SIZE;
	bool any = false;
	// Copies of cells beyond an edge that wraps would have to follow.
	for (int slot = 0; slot < slotCount && !group->crosses; ++slot)
	{
		const tnStrip* strip = group->strips + slot / TN_STRIP_SIZE;
		if (strip->solves && tnStandsIn(group, grid, slot))
		{
			context->swept[slot] =
				(uint8_t)tnFindSidesBefore(context, slot, strip->column + slot % TN_STRIP_SIZE, strip->row);
			any |= context->swept[slot] != 0;
		}
	}
	if (!any)
	{
		return;
	}
	static const int s_opposite[tn_rimSideCount] = {tn_eastSide, tn_westSide, tn_southSide, tn_northSide};
	static const int s_steps[tn_rimSideCount][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
	for (int slot = 0; slot < slotCount; ++slot)
	{
		const unsigned before = context->swept[slot];
		if (before == 0)
		{
			continue;
		}
		const tnStrip* strip = group->strips + slot / TN_STRIP_SIZE;
		const tnCellSides sides = tnGroup_GetSides(group, slot);
		int takes[tn_rimSideCount] = {0};
		int most = 0;
		for (int side = 0; side < tn_rimSideCount; ++side)
		{
			const bool alongZ = side >= tn_northSide;
			const float kind = tnGroup_GetFace(group, alongZ, tn_faceKind)[sides.faces[side]];
			if ((before & 1u << side) != 0 && kind > 0.0f && sides.slots[side] != slot)
			{
				takes[side] = tnTakesSwept(context, sides.slots[side], s_opposite[side],
					strip->column + slot % TN_STRIP_SIZE + s_steps[side][0], strip->row + s_steps[side][1]);
			}
			most = tnMaxInt(most, takes[side]);
		}
		unsigned out = 0;
		for (int side = 0; side < tn_rimSideCount; ++side)
		{
			out |= most > 0 && takes[side] == most ? 1u << side : 0;
		}
		// Who has nowhere to go stays.
		context->swept[slot] = (uint8_t)(out != 0 ? out | tn_sweptBit : before);
	}
	for (int slot = 0; slot < slotCount; ++slot)
	{
		if ((context->swept[slot] & tn_sweptBit) == 0)
		{
			context->swept[slot] = 0;
			continue;
		}
		tnGroup_GetField(group, tn_cellSolid)[slot] = 1.0f;
		tnGroup_GetField(group, tn_cellBlocked)[slot] = 1.0f;
		group->leastOpen = 0.0f;
		group->sweeps = true;
	}
}

// Discharge that takes the water of swept cells along, to tn_faceFall, which is free until the first sub-step.
// @param perSpeed time step over cell size, s/m
static void tnCarrySwept(const tnLinkContext* context, float perSpeed)
{
	const tnGroup* group = context->group;
	const size_t bytes = tnGetFieldLength(group->stripCount) * sizeof(float);
	for (int axis = 0; axis < 2; ++axis)
	{
		memset(tnGroup_GetFace(group, axis == 1, tn_faceFall) - TN_STRIP_SIZE, 0, bytes);
	}
	for (int slot = 0; slot < group->stripCount * TN_STRIP_SIZE; ++slot)
	{
		const tnCellSides sides = tnGroup_GetSides(group, slot);
		int count = 0;
		for (int side = 0; side < tn_rimSideCount; ++side)
		{
			count += (context->swept[slot] & 1u << side) != 0 ? 1 : 0;
		}
		for (int side = 0; side < tn_rimSideCount && count > 0; ++side)
		{
			if ((context->swept[slot] & 1u << side) != 0)
			{
				const bool out = side == tn_eastSide || side == tn_southSide;
				const float flow = context->grid->depth[tnGroup_GetCell(group, slot)] / (perSpeed * (float)count);
				tnGroup_GetFace(group, side >= tn_northSide, tn_faceFall)[sides.faces[side]] += out ? flow : -flow;
			}
		}
	}
}

// How high solids of a cell reach; its ground if there are none: fields may hold what was there once.
static float tnGetTop(const tnGroup* group, int slot, float ground)
{
	const bool covered = tnGroup_GetField(group, tn_cellCovered)[slot] > 0.0f;
	return covered ? tnGroup_GetField(group, tn_cellHigh)[slot] : ground;
}

static void tnLinkFace(const tnLinkContext* context, int slot, bool alongZ)
{
	tnGroup* group = context->group;
	const tnGrid* grid = context->grid;
	const int first = alongZ ? tnGroup_GetNorthSlot(group, slot) : slot - 1;
	const int32_t cell = tnGroup_GetCell(group, slot);
	const int32_t before = alongZ ? tnGroup_GetCell(group, first) : cell - 1;
	const float ground = tnMaxFloat(grid->bed[before], grid->bed[cell]);
	const tnStrip* strip = group->strips + slot / TN_STRIP_SIZE;
	const int column = strip->column + slot % TN_STRIP_SIZE;
	const tnLinkPlace place = {column - (alongZ ? 0 : 1), strip->row - (alongZ ? 1 : 0), alongZ};
	tnStander standers[TN_LINK_BODIES];
	tnLinkLayers layers;
	int count = tnAddStanders(context, first, place.column, place.row, false, standers, 0);
	count = count < 0 ? count : tnAddStanders(context, slot, column, strip->row, false, standers, count);
	if (count <= 0)
	{
		return;
	}
	const unsigned sweptFirst = context->swept[first];
	const unsigned sweptSecond = context->swept[slot];
	if ((sweptFirst | sweptSecond) != 0)
	{
		const bool out = (sweptFirst & 1u << (alongZ ? tn_southSide : tn_eastSide)) != 0 ||
			(sweptSecond & 1u << (alongZ ? tn_northSide : tn_westSide)) != 0;
		const float top = tnMaxFloat(tnGetTop(group, first, grid->bed[before]), tnGetTop(group, slot, grid->bed[cell]));
		layers.items[0] = (tnLayer){1.0f, ground, top};
		layers.count = out ? 0 : 1;
	}
	else if (tnIsFilled(group, first) && tnIsFilled(group, slot))
	{
		// Neither can be pushed into the other.
		const float* high = tnGroup_GetField(group, tn_cellHigh);
		layers.items[0] = (tnLayer){1.0f, ground, tnMaxFloat(high[first], high[slot])};
		layers.count = 1;
	}
	else
	{
		// Those beside it close gaps.
		for (int i = 0; i < 4 && count >= 0; ++i)
		{
			const int of = i < 2 ? first : slot;
			const int ofColumn = i < 2 ? place.column : column;
			const int ofRow = i < 2 ? place.row : strip->row;
			const int step = i % 2 == 0 ? -1 : 1;
			const int beside =
				alongZ ? of + step : (step < 0 ? tnGroup_GetNorthSlot(group, of) : tnGroup_GetSouthSlot(group, of));
			const bool inside = beside >= 0 && beside < group->stripCount * TN_STRIP_SIZE && beside != of;
			// Slots side by side may be of strips that are not.
			const tnStrip* near = group->strips + (inside ? beside / TN_STRIP_SIZE : 0);
			const int nearColumn = near->column + beside % TN_STRIP_SIZE;
			const bool joined =
				!alongZ || (near->row == group->strips[of / TN_STRIP_SIZE].row && nearColumn == ofColumn + step);
			if (inside && joined)
			{
				count = tnAddStanders(context, beside, ofColumn + (alongZ ? step : 0), ofRow + (alongZ ? 0 : step),
					true, standers, count);
			}
		}
		float heights[TN_LINK_HEIGHTS];
		if (count < 0)
		{
			return;
		}
		const int heightCount = tnFindLevels(standers, count, ground, TN_SEALED_GAP * grid->cellSize, heights);
		if (!tnFindLayers(context, &place, standers, count, heights, heightCount, &layers))
		{
			return;
		}
	}
	tnGroup_GetFace(group, alongZ, tn_faceKind)[slot] = (float)tn_linkedFace;
	group->strips[slot / TN_STRIP_SIZE].solid[alongZ] = true;
	tnGroup_GetFace(group, alongZ, tn_faceLow)[slot] = ground;
	tnGroup_GetFace(group, alongZ, tn_faceHigh)[slot] = ground;
	tnGroup_GetFace(group, alongZ, tn_faceSpeed)[slot] = 0.0f;
	for (int i = 0; i < layers.count; ++i)
	{
		const tnLayer layer = layers.items[i];
		const bool narrow = layer.share < 1.0f;
		group->strips[slot / TN_STRIP_SIZE].narrow[alongZ] |= narrow;
		group->narrow |= narrow;
		tnGroup_AddToFace(
			group, alongZ, slot, layer, tnGetFaceSpeed(grid, &place, standers, count, layer.low, layer.high));
	}
}

bool tnGroup_LinkFaces(
	tnGroup* group, const tnGrid* grid, const tnBodies* bodies, const int* grouped, float perSpeed, float* scratch)
{
	const int slotCount = group->stripCount * TN_STRIP_SIZE;
	bool any = false;
	for (int slot = 0; slot < slotCount && !any; ++slot)
	{
		any = group->strips[slot / TN_STRIP_SIZE].solves && tnStandsIn(group, grid, slot);
	}
	if (!any)
	{
		return false;
	}
	tnSectionCache cache;
	cache.next = 0;
	for (int i = 0; i < TN_SECTION_CACHE; ++i)
	{
		cache.items[i].body = NULL;
	}
	tnGapCache gaps;
	tnLinkContext context = {group, grid, bodies, &cache, &gaps,
		{.heads = (int*)scratch, .links = (int*)scratch + 2 * (ptrdiff_t)slotCount},
		(uint8_t*)((int*)scratch + slotCount)};
	const int room = (int)tnGetPackedStride(group->stripCount) * tn_packedFieldCount;
	context.standers.capacity = (room - 2 * slotCount) / TN_STANDER_INTS;
	if (!tnListStanders(&context, grouped))
	{
		return false;
	}
	tnPlaceGaps(&context, (int*)scratch + room);
	memset(context.swept, 0, (size_t)slotCount);
	if (perSpeed > TN_LEAST_SWEPT_STEP)
	{
		tnSweepCells(&context);
	}
	if (group->sweeps)
	{
		tnCarrySwept(&context, perSpeed);
	}
	for (int slot = 0; slot < slotCount; ++slot)
	{
		for (int axis = 0; axis < 2; ++axis)
		{
			if (!(tnGroup_GetFace(group, axis == 1, tn_faceKind)[slot] > 0.0f))
			{
				continue;
			}
			const int first = axis == 1 ? tnGroup_GetNorthSlot(group, slot) : slot - 1;
			if (tnStandsIn(group, grid, slot) || tnStandsIn(group, grid, first))
			{
				tnLinkFace(&context, slot, axis == 1);
			}
		}
	}
	return true;
}
