// SPDX-License-Identifier: MIT

#include "voxels/voxel_scene_model.h"

#include <math.h>
#include <stdlib.h>

// Forms of ground, tile by tile: what is there is read, changed and written back. Only + - * / sqrt of doubles and the
// noise of procedural.c: the same ground everywhere.

// Columns along a side of a tile.
#define TNS_TILE 16

// The columns of a tile that a form may change, x fastest, then z, then y.
typedef struct tnsTile
{
	tnVoxelBox box;
	uint8_t* solid;
} tnsTile;

static double tnsClampTo(double x, double low, double high)
{
	return x < low ? low : x > high ? high : x;
}

// In [-1, 1), with hills of two sizes whose lattices do not line up.
static double tnsGetRoughness(double x, double z, double length, uint32_t seed)
{
	const double px = (0.8 * x - 0.6 * z) / length, pz = (0.6 * x + 0.8 * z) / length;
	return 1.5 * tnsNoise(px, pz, seed) + 0.5 * tnsNoise(2.7 * px, 2.7 * pz, seed + 1u) - 1.0;
}

// In [0, 1): layers of noise, each faded into the next.
static double tnsGetSpaceNoise(const tnsGroundRule* rule, tnsVoxelPoint at)
{
	const double x = at.x / rule->length, y = at.y / rule->length, z = at.z / rule->length;
	const double layer = floor(y), t = y - layer;
	const double share = t * t * (3.0 - 2.0 * t);
	const uint32_t seed = rule->seed + 7u * (uint32_t)(int32_t)layer;
	return tnsNoise(x, z, seed) * (1.0 - share) + tnsNoise(x, z, seed + 7u) * share;
}

// ---------------------------------------------------------------------------------------------------------------------
// Distances

// Square of the distance to a line from a to b, and how far along it the nearest point is, 0 to 1.
static double tnsGetLineGap(const tnsVoxelPoint* a, const tnsVoxelPoint* b, tnsVoxelPoint at, bool flat, double* along)
{
	const double dx = b->x - a->x, dy = flat ? 0.0 : b->y - a->y, dz = b->z - a->z;
	const double px = at.x - a->x, py = flat ? 0.0 : at.y - a->y, pz = at.z - a->z;
	const double square = dx * dx + dy * dy + dz * dz;
	*along = square > 0.0 ? tnsClampTo((px * dx + py * dy + pz * dz) / square, 0.0, 1.0) : 0.0;
	const double gx = px - *along * dx, gy = py - *along * dy, gz = pz - *along * dz;
	return gx * gx + gy * gy + gz * gz;
}

// Distance to a line with corners. Flat: seen from above, with the height of the line at the nearest place.
static double tnsGetPathGap(const tnsGroundRule* rule, tnsVoxelPoint at, bool flat, double* height)
{
	double best = INFINITY;
	for (int i = 0; i + 1 < rule->pointCount || i == 0; ++i)
	{
		const tnsVoxelPoint* a = &rule->points[i];
		const tnsVoxelPoint* b = &rule->points[i + 1 < rule->pointCount ? i + 1 : i];
		double along;
		const double gap = tnsGetLineGap(a, b, at, flat, &along);
		if (gap < best)
		{
			best = gap;
			*height = a->y + (b->y - a->y) * along;
		}
	}
	return sqrt(best);
}

static bool tnsIsInCylinder(const tnsGroundRule* rule, tnsVoxelPoint at)
{
	const tnsVoxelPoint *a = &rule->points[0], *b = &rule->points[1];
	const double dx = b->x - a->x, dy = b->y - a->y, dz = b->z - a->z;
	const double px = at.x - a->x, py = at.y - a->y, pz = at.z - a->z;
	const double square = dx * dx + dy * dy + dz * dz, dot = px * dx + py * dy + pz * dz;
	return dot >= 0.0 && dot <= square &&
		px * px + py * py + pz * pz - dot * dot / square <= rule->radius * rule->radius;
}

// A ship along x: full in the middle, sharp at both ends, with a round bottom that rises towards the ends.
static bool tnsIsInHull(const tnsGroundRule* rule, double x, double y, double z)
{
	const tnVoxelBox b = rule->box;
	const double u = (2.0 * x - (double)(b.low.x + b.high.x)) / (double)(b.high.x - b.low.x);
	const double v = (y - (double)b.low.y) / (double)(b.high.y - b.low.y) - 0.3 * u * u * u * u;
	if (u <= -1.0 || u >= 1.0 || v <= 0.0 || y >= (double)b.high.y)
	{
		return false;
	}
	const double round = (1.0 - v) * (1.0 - v) * (1.0 - v);
	const double beam = 0.5 * (double)(b.high.z - b.low.z) * (1.0 - u * u * fabs(u)) * (1.0 - round);
	return fabs(z - 0.5 * (double)(b.low.z + b.high.z)) <= beam;
}

// What is nearer to the outside than the planks are thick belongs to them, corners too: no inner voxel touches the sea,
// and there is no hole to be seen either.
static int tnsGetHull(const tnsGroundRule* rule, tnsVoxelPoint at, int old)
{
	if (tnsIsInHull(rule, at.x, at.y, at.z) == false)
	{
		return old;
	}
	for (int i = 0; i < 18; ++i)
	{
		const double wall = rule->radius;
		if (tnsIsInHull(rule, at.x + wall * (double)(i % 3 - 1), at.y - wall * (double)(i / 9),
				at.z + wall * (double)(i / 3 % 3 - 1)) == false)
		{
			return rule->solid;
		}
	}
	for (int i = 0; i < rule->bulkheadCount; ++i)
	{
		if (at.x >= rule->bulkheads[i] && at.x < rule->bulkheads[i] + rule->radius)
		{
			return rule->solid;
		}
	}
	return 0;
}

// What becomes of a voxel. @param at its middle
static int tnsGetSolid(const tnsGroundRule* rule, tnsVoxelPoint at, int old)
{
	double height;
	switch (rule->kind)
	{
		case tns_ballGround:
		case tns_pathGround:
			return tnsGetPathGap(rule, at, false, &height) <= rule->radius ? rule->solid : old;
		case tns_cylinderGround:
			return tnsIsInCylinder(rule, at) ? rule->solid : old;
		case tns_hullGround:
			return tnsGetHull(rule, at, old);
		case tns_noiseGround:
			return tnsGetSpaceNoise(rule, at) >= rule->limit ? rule->solid : old;
		default:
			return rule->solid;
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Heights

// @param at middle of a column
static double tnsGetHeight(const tnsGroundRule* rule, tnsVoxelPoint at, tnVoxel size)
{
	const double rough =
		rule->amplitude > 0.0 ? rule->amplitude * tnsGetRoughness(at.x, at.z, rule->length, rule->seed) : 0.0;
	if (rule->kind == tns_slopeGround)
	{
		const double share = rule->alongZ ? at.z / (double)size.z : at.x / (double)size.x;
		return rule->from + (rule->to - rule->from) * share + rough;
	}
	if (rule->kind == tns_coneGround)
	{
		double foot = 0.0;
		const double gap = tnsGetPathGap(rule, at, true, &foot);
		// Steeper towards the top, as ash lies.
		const double share = tnsClampTo(1.0 - gap / rule->radius, 0.0, 1.0);
		const double side = foot + rule->height * (0.55 * share + 0.45 * share * share) + rough * (share > 0.0);
		const double top = foot + rule->height - rule->depth * (1.0 - gap * gap / (rule->crater * rule->crater));
		return share == 0.0 ? 0.0 : gap < rule->crater && top < side ? top : side;
	}
	if (rule->kind == tns_canyonGround)
	{
		double floorHeight = 0.0;
		const double gap = tnsGetPathGap(rule, at, true, &floorHeight) + rough - 0.5 * rule->width;
		return floorHeight + (gap > 0.0 ? gap * rule->steepness : 0.0);
	}
	return rule->height + rough;
}

// Hills and slopes end what was there before; cones are put on it, canyons are cut into it.
static int tnsJoinHeight(tnsGroundKind kind, int old, int share)
{
	if (kind == tns_coneGround)
	{
		return old > share ? old : share;
	}
	return kind == tns_canyonGround && old < share ? old : share;
}

// ---------------------------------------------------------------------------------------------------------------------
// Tiles

static void tnsShapeColumn(const tnsGroundRule* rule, tnVoxel move, tnVoxel size, const tnsTile* tile, int x, int z)
{
	const tnVoxelBox box = tile->box;
	const int width = box.high.x - box.low.x, layer = width * (box.high.z - box.low.z);
	const int first = (z - box.low.z) * width + x - box.low.x;
	tnsVoxelPoint at = {(double)(x - move.x) + 0.5, 0.0, (double)(z - move.z) + 0.5};
	if (rule->kind >= tns_hillsGround)
	{
		const double height = tnsGetHeight(rule, at, size) + (double)move.y;
		for (int y = box.low.y; y < box.high.y; ++y)
		{
			uint8_t* solid = &tile->solid[first + (y - box.low.y) * layer];
			const double share = tnsClampTo(height - (double)y, 0.0, 1.0);
			*solid = (uint8_t)tnsJoinHeight(rule->kind, *solid, (int)(share * (double)rule->solid));
		}
		return;
	}
	for (int y = box.low.y; y < box.high.y; ++y)
	{
		uint8_t* solid = &tile->solid[first + (y - box.low.y) * layer];
		at.y = (double)(y - move.y) + 0.5;
		*solid = (uint8_t)tnsGetSolid(rule, at, *solid);
	}
}

static int32_t tnsClampVoxel(double x, int32_t high)
{
	return x <= 0.0 ? 0 : x >= (double)high ? high : (int32_t)x;
}

// Voxels that a form can change, within the scene. May be empty.
static tnVoxelBox tnsGetGroundBox(const tnsGroundRule* rule, tnVoxel move, tnVoxel size)
{
	double low[3] = {0.0, 0.0, 0.0}, high[3] = {(double)size.x, (double)size.y, (double)size.z};
	if (rule->kind == tns_boxGround || rule->kind == tns_hullGround || rule->kind == tns_noiseGround)
	{
		const tnVoxelBox b = rule->box;
		const double lows[3] = {b.low.x, b.low.y, b.low.z}, highs[3] = {b.high.x, b.high.y, b.high.z};
		const double moves[3] = {move.x, move.y, move.z};
		for (int i = 0; i < 3; ++i)
		{
			low[i] = lows[i] + moves[i];
			high[i] = highs[i] + moves[i];
		}
	}
	else if (rule->kind < tns_hillsGround || rule->kind == tns_coneGround)
	{
		low[0] = low[1] = low[2] = INFINITY;
		high[0] = high[1] = high[2] = -INFINITY;
		for (int i = 0; i < rule->pointCount; ++i)
		{
			const tnsVoxelPoint p = rule->points[i];
			const double at[3] = {p.x + move.x, p.y + move.y, p.z + move.z};
			for (int k = 0; k < 3; ++k)
			{
				low[k] = fmin(low[k], floor(at[k] - rule->radius));
				high[k] = fmax(high[k], ceil(at[k] + rule->radius));
			}
		}
	}
	if (rule->kind == tns_coneGround)
	{
		low[1] = 0.0;
		high[1] = (double)size.y;
	}
	return (tnVoxelBox){{tnsClampVoxel(low[0], size.x), tnsClampVoxel(low[1], size.y), tnsClampVoxel(low[2], size.z)},
		{tnsClampVoxel(high[0], size.x), tnsClampVoxel(high[1], size.y), tnsClampVoxel(high[2], size.z)}};
}

static tnResult tnsShapeTile(
	tnVoxelWorld* world, const tnsGroundRule* ground, tnVoxel move, tnVoxel size, const tnsTile* tile)
{
	const tnResult result = tnVoxelWorld_Read(world, tile->box, tile->solid, NULL, NULL);
	if (result.status != tn_ok)
	{
		return result;
	}
	for (int z = tile->box.low.z; z < tile->box.high.z; ++z)
	{
		for (int x = tile->box.low.x; x < tile->box.high.x; ++x)
		{
			tnsShapeColumn(ground, move, size, tile, x, z);
		}
	}
	return tnVoxelWorld_SetSolid(world, tile->box, tile->solid);
}

tnResult tnsMakeGround(tnVoxelWorld* world, const tnsGroundRule* ground, tnVoxel move, tnVoxel size)
{
	const tnVoxelBox box = tnsGetGroundBox(ground, move, size);
	if (box.low.x >= box.high.x || box.low.y >= box.high.y || box.low.z >= box.high.z)
	{
		return (tnResult){0};
	}
	if (ground->kind == tns_boxGround)
	{
		return tnVoxelWorld_FillSolid(world, box, ground->solid);
	}
	uint8_t* solid = malloc((size_t)(TNS_TILE * TNS_TILE) * (size_t)(box.high.y - box.low.y));
	if (solid == NULL)
	{
		return (tnResult){.status = tn_outOfMemory, .text = "no memory for a tile of ground"};
	}
	tnResult result = {0};
	for (int z = box.low.z; z < box.high.z && result.status == tn_ok; z += TNS_TILE)
	{
		for (int x = box.low.x; x < box.high.x && result.status == tn_ok; x += TNS_TILE)
		{
			tnsTile tile = {{{x, box.low.y, z}, {x + TNS_TILE, box.high.y, z + TNS_TILE}}, solid};
			tile.box.high.x = tile.box.high.x < box.high.x ? tile.box.high.x : box.high.x;
			tile.box.high.z = tile.box.high.z < box.high.z ? tile.box.high.z : box.high.z;
			result = tnsShapeTile(world, ground, move, size, &tile);
		}
	}
	free(solid);
	return result;
}
