// SPDX-License-Identifier: MIT

// What tools do to voxels. A ball of the radius of the brush, row by row, and only in the part of the world that is shown.

#include "voxels/voxel_play.h"

#include <math.h>

// Of a full voxel, in each step at strength 1. What is poured falls away, so that half full is a stream.
static const float s_pourShare = 0.5f;
static const float s_drainShare = 0.125f;
// Width of the stream in widths of the brush.
static const float s_streamWidth = 0.5f;
// Steps from one ball of ground to the next while the hand is still, at strength 1: five a second.
static const float s_ballSteps = 12.0f;
// From one ball to the next along the way of the hand, in radii: a smooth trench.
static const float s_ballDistance = 0.5f;

bool tnpIsGroundTool(tnpTool tool)
{
	return tool == tnp_digTool || tool == tnp_buildTool;
}

bool tnpIsVoxelTool(tnpTool tool)
{
	return tnpIsGroundTool(tool) || tool == tnp_lavaTool;
}

static tnVec3 tnpAlong(tnVec3 from, tnVec3 direction, float distance)
{
	return (tnVec3){from.x + distance * direction.x, from.y + distance * direction.y, from.z + distance * direction.z};
}

static float tnpGetDot(tnVec3 a, tnVec3 b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static int tnpClampVoxel(float value, int32_t low, int32_t high)
{
	return value < (float)low ? low : value > (float)high ? high : (int)value;
}

// ---------------------------------------------------------------------------------------------------------------------
// Balls

typedef struct tnpEdit
{
	tnpTool tool;
	int liquid, amount;
	// Full voxels that have been changed.
	double moved;
} tnpEdit;

static double tnpCountGround(const tnVoxelWorld* world, tnVoxelBox row)
{
	double sum = 0.0;
	for (int x = row.low.x; x < row.high.x; ++x)
	{
		sum += (double)tnVoxelWorld_GetVoxel(world, (tnVoxel){x, row.low.y, row.low.z}).solid / TN_VOXEL_ROCK;
	}
	return sum;
}

static tnResult tnpEditRow(tnVoxelWorld* world, tnpEdit* edit, tnVoxelBox row)
{
	const bool digs = tnpIsGroundTool(edit->tool);
	const double before = digs ? tnpCountGround(world, row) : 0.0;
	int64_t units = 0;
	const tnResult result = digs ? tnVoxelWorld_FillSolid(world, row, edit->tool == tnp_digTool ? 0 : TN_VOXEL_ROCK)
		: edit->tool == tnp_drainTool ? tnVoxelWorld_RemoveLiquid(world, row, edit->amount, &units)
									  : tnVoxelWorld_AddLiquid(world, row, edit->liquid, edit->amount, &units);
	if (result.status == tn_ok)
	{
		const double after = digs ? tnpCountGround(world, row) : 0.0;
		edit->moved += fabs(after - before) + (double)units / (double)tnVoxelWorld_GetDef(world).cap;
	}
	return result;
}

// Edit the voxels whose middles are in a ball, or only those of its middle layer.
static tnResult tnpEditBall(const tnpVoxelPlay* voxels, tnpEdit* edit, tnVec3 center, float radius, bool flat)
{
	const float size = voxels->info->worldDef.voxelSize;
	const tnVoxelBox shown = voxels->info->clip;
	const float x = center.x / size, y = center.y / size, z = center.z / size, r = radius / size;
	const int middle = tnpClampVoxel(floorf(y), shown.low.y, shown.high.y - 1);
	const int bottom = flat ? middle : tnpClampVoxel(floorf(y - r), shown.low.y, shown.high.y);
	const int top = flat ? middle + 1 : tnpClampVoxel(ceilf(y + r), shown.low.y, shown.high.y);
	const int north = tnpClampVoxel(floorf(z - r), shown.low.z, shown.high.z);
	const int south = tnpClampVoxel(ceilf(z + r), shown.low.z, shown.high.z);
	tnResult result = {0};
	for (int j = bottom; j < top && result.status == tn_ok; ++j)
	{
		for (int k = north; k < south && result.status == tn_ok; ++k)
		{
			const float up = flat ? 0.0f : (float)j + 0.5f - y, along = (float)k + 0.5f - z;
			const float rest = r * r - up * up - along * along;
			if (rest < 0.0f)
			{
				continue;
			}
			const float half = sqrtf(rest);
			// Middles of voxels are at halves.
			const tnVoxelBox row = {{tnpClampVoxel(ceilf(x - half - 0.5f), shown.low.x, shown.high.x), j, k},
				{tnpClampVoxel(floorf(x + half - 0.5f) + 1.0f, shown.low.x, shown.high.x), j + 1, k + 1}};
			if (row.low.x < row.high.x)
			{
				result = tnpEditRow(voxels->world, edit, row);
			}
		}
	}
	return result;
}

tnResult tnpVoxels_PutBall(tnpVoxelPlay* voxels, tnpTool tool, tnVec3 center, float radius)
{
	tnpEdit edit = {.tool = tool};
	return tnpEditBall(voxels, &edit, center, radius, false);
}

// ---------------------------------------------------------------------------------------------------------------------
// Ground

// Where a ball of ground, or of air, goes for a hand that touches ground.
static tnVec3 tnpGetBallCenter(const tnpVoxelStroke* stroke)
{
	// Air from where the hand is; ground half sunk into the ground that is there.
	const float out = stroke->tool == tnp_buildTool ? 0.5f * stroke->radius + stroke->lift : 0.0f;
	return tnpAlong(stroke->hand.point, stroke->hand.normal, out);
}

static tnResult tnpShapeGround(tnpVoxelPlay* voxels, tnpVoxelStroke* stroke)
{
	tnpEdit edit = {.tool = stroke->tool};
	const float gap = s_ballDistance * stroke->radius;
	const float wait = s_ballSteps / stroke->strength;
	const tnVec3 to = {stroke->hand.point.x - stroke->last.x, stroke->hand.point.y - stroke->last.y,
		stroke->hand.point.z - stroke->last.z};
	// A hole gets deeper under a hand that is still: only what goes aside counts as a way.
	const float deep = stroke->tool == tnp_digTool ? tnpGetDot(to, stroke->along) : 0.0f;
	const float way = sqrtf(fmaxf(tnpGetDot(to, to) - deep * deep, 0.0f));
	const bool moves = stroke->begun && way >= gap;
	stroke->wait -= 1;
	if (stroke->begun && moves == false && stroke->wait > 0)
	{
		return (tnResult){0};
	}
	// Still: higher. On its way: from the ground again.
	const bool rises = stroke->begun && moves == false;
	stroke->lift = rises ? stroke->lift + gap : 0.0f;
	const float most = (float)TNP_MAX_BALLS;
	const int count = moves ? (int)fminf(ceilf(way / gap), most) : 1;
	tnResult result = {0};
	const tnVec3 end = tnpGetBallCenter(stroke);
	for (int i = 1; i <= count && result.status == tn_ok; ++i)
	{
		const float back = moves ? (float)(i - count) / (float)count : 0.0f;
		const tnVec3 center = tnpAlong(end, to, back);
		result = tnpEditBall(voxels, &edit, center, stroke->radius, false);
		stroke->balls[stroke->ballCount++] = center;
	}
	stroke->moved = edit.moved;
	stroke->begun = true;
	stroke->last = stroke->hand.point;
	stroke->wait = (int)fmaxf(wait, 1.0f);
	return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Liquid

// As high above the hand as the brush is wide, or just below a ceiling.
static tnVec3 tnpGetSpout(const tnpVoxelPlay* voxels, const tnpVoxelStroke* stroke)
{
	const float size = voxels->info->worldDef.voxelSize;
	const tnVoxelBox shown = voxels->info->clip;
	// Just outside of what it points at: not in the wall.
	const tnVec3 begin = tnpAlong(stroke->hand.point, stroke->hand.normal, 0.01f * size);
	const int x = tnpClampVoxel(floorf(begin.x / size), shown.low.x, shown.high.x - 1);
	const int z = tnpClampVoxel(floorf(begin.z / size), shown.low.z, shown.high.z - 1);
	int y = tnpClampVoxel(floorf(begin.y / size), shown.low.y, shown.high.y - 1);
	const int highest = tnpClampVoxel(floorf((begin.y + stroke->radius) / size), shown.low.y, shown.high.y - 1);
	while (y < highest && tnVoxelWorld_GetVoxel(voxels->world, (tnVoxel){x, y + 1, z}).solid < TN_VOXEL_ROCK)
	{
		y += 1;
	}
	return (tnVec3){begin.x, ((float)y + 0.5f) * size, begin.z};
}

static int tnpGetAmount(const tnpVoxelPlay* voxels, const tnpVoxelStroke* stroke, float share)
{
	const int cap = voxels->info->worldDef.cap;
	const float amount = share * stroke->strength * (float)cap;
	return amount < 1.0f ? 1 : amount > (float)cap ? cap : (int)amount;
}

tnResult tnpVoxels_ApplyStroke(tnpVoxelPlay* voxels, tnpVoxelStroke* stroke)
{
	tnpEdit edit = {.tool = stroke->tool, .liquid = voxels->water};
	stroke->ballCount = 0;
	stroke->moved = 0.0;
	tnResult result = {0};
	switch (stroke->tool)
	{
		case tnp_digTool:
		case tnp_buildTool:
			return tnpShapeGround(voxels, stroke);
		case tnp_drainTool:
			edit.amount = tnpGetAmount(voxels, stroke, s_drainShare);
			result = tnpEditBall(voxels, &edit, stroke->hand.point, stroke->radius, false);
			stroke->moved = edit.moved;
			return result;
		case tnp_lavaTool:
			edit.liquid = voxels->lava;
			break;
		case tnp_pourTool:
			break;
		default:
			return (tnResult){0};
	}
	if (edit.liquid < 1)
	{
		return (tnResult){0};
	}
	edit.amount = tnpGetAmount(voxels, stroke, s_pourShare);
	// At least the voxel under the hand: in a ball of this size there is always a middle.
	const float least = 0.71f * voxels->info->worldDef.voxelSize;
	const float radius = fmaxf(s_streamWidth * stroke->radius, least);
	result = tnpEditBall(voxels, &edit, tnpGetSpout(voxels, stroke), radius, true);
	stroke->moved = edit.moved;
	return result;
}
