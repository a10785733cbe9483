// SPDX-License-Identifier: MIT

// Narrow gaps between two bodies that stand on the ground, in walls that are turned against the grid.
//
// The narrowest place that links see is right where one line of cells leads through a gap. A gap that is oblique to the grid is seen
// by lines of both axes, or lies in corners of cells whose water is elsewhere, and passes too much or nothing. So such a gap is closed
// where it is narrowest, by a plug, as if the bodies touched there; and water passes along its axis:
//
//          ▒▒▒▒▒▒ /                The axis is the line across the plug. The faces that it crosses, from the first cell on one side
//      o ▒▒▒▒▒▒ \ ▒▒▒▒             whose middle is free, beyond the mouth of the gap and to be seen from there, to the first one on
//       \  ▒▒▒ . \ ▒▒▒▒▒           the other (o), are open as wide as the gap is, one after the other. Where the axis goes through a
//        \  .   ▒ ▒▒▒▒▒            corner there are two ways around it, of half the width.
//         .   ▒▒▒▒▒▒ o
//
// With the plug the bodies are a wall, which is tight. So nothing but these faces lets water through, and what is opened is open:
// no other body may stand in the way, else all is left to the links.

#include "link_gaps.h"

#include <math.h>
#include <string.h>

// Cells. What is wider is left to links: they would not see that it is plugged, where both bodies are a cell away.
#define TN_GAP_WIDTH 0.95
// The axis of a gap is along the grid if it deviates by less than this: there links are right.
#define TN_GAP_ALONG (1.0 / 1024.0)
// Heads of two bodies are parallel, if they deviate by less than this share of the gap, and cells.
#define TN_GAP_EVEN_SHARE 0.02
#define TN_GAP_EVEN (1.0 / 256.0)
// A gap ends where it is as much wider than at its narrowest place, cells.
#define TN_GAP_OPENS 0.5
#define TN_GAP_STEP 0.125
// An axis that comes as near to a corner, along itself, goes through it, cells.
#define TN_GAP_CORNER (1.0 / 1024.0)
// A level belongs to a gap if that is as wide there, but for this share.
#define TN_GAP_LIKE 0.1
// Plugs end within the bodies, cells.
#define TN_PLUG_END 0.01

enum
{
	// Places in which a gap may be kept.
	TN_GAP_PROBES = 8,
};

typedef struct tnHull
{
	tnSpot spots[TN_SECTION_POINTS];
	int count;
} tnHull;

// From a place, along an axis and across it.
typedef struct tnAxis
{
	tnSpot at, along;
} tnAxis;

static double tnAxis_GetAlong(const tnAxis* axis, tnSpot p)
{
	return (p.u - axis->at.u) * axis->along.u + (p.v - axis->at.v) * axis->along.v;
}

static double tnAxis_GetAcross(const tnAxis* axis, tnSpot p)
{
	return (p.v - axis->at.v) * axis->along.u - (p.u - axis->at.u) * axis->along.v;
}

static tnSpot tnAxis_GetPlace(const tnAxis* axis, double along, double across)
{
	return (tnSpot){tnRoundPlace(axis->at.u + along * axis->along.u - across * axis->along.v),
		tnRoundPlace(axis->at.v + along * axis->along.v + across * axis->along.u)};
}

// How far two hulls are apart, and the places where they are nearest.
static double tnHull_GetGap(const tnHull* a, const tnHull* b, tnSpot ends[2])
{
	return tnPolygons_FindNearest(a->spots, a->count, b->spots, b->count, ends);
}

static bool tnFindHull(const tnLinkContext* context, const tnBody* body, double height, tnHull* hull)
{
	hull->count = tnGetSection(context, body, height, false, hull->spots);
	return hull->count > 2;
}

// Lowest and highest point of a body.
static void tnFindExtent(const tnBody* body, double extent[2])
{
	const tnAxes axes = tnQuat_GetAxes(body->aheadPose.rotation);
	extent[0] = INFINITY;
	extent[1] = -INFINITY;
	for (int i = 0; i < body->mesh.pointCount; ++i)
	{
		const tnVec3 p = body->mesh.points[i];
		const double y = (double)axes.x.y * p.x + (double)axes.y.y * p.y + (double)axes.z.y * p.z;
		extent[0] = y < extent[0] ? y : extent[0];
		extent[1] = y > extent[1] ? y : extent[1];
	}
	extent[0] += body->aheadPose.position.y;
	extent[1] += body->aheadPose.position.y;
}

// Are their frames nearer to each other than a gap may be wide?
static bool tnAreHullsNear(const tnHull* a, const tnHull* b)
{
	tnFrame frames[2];
	for (int i = 0; i < 2; ++i)
	{
		const tnHull* hull = i == 0 ? a : b;
		frames[i] = (tnFrame){INFINITY, -INFINITY, INFINITY, -INFINITY};
		for (int k = 0; k < hull->count; ++k)
		{
			frames[i].u0 = fmin(frames[i].u0, hull->spots[k].u);
			frames[i].u1 = fmax(frames[i].u1, hull->spots[k].u);
			frames[i].v0 = fmin(frames[i].v0, hull->spots[k].v);
			frames[i].v1 = fmax(frames[i].v1, hull->spots[k].v);
		}
	}
	return frames[0].u0 - frames[1].u1 < TN_GAP_WIDTH && frames[1].u0 - frames[0].u1 < TN_GAP_WIDTH &&
		frames[0].v0 - frames[1].v1 < TN_GAP_WIDTH && frames[1].v0 - frames[0].v1 < TN_GAP_WIDTH;
}

// Where along the axis a hull is, of its points that are as near to the other one as they get.
// @param side 1 if the hull is where places across are greater
static tnFrame tnFindFront(const tnHull* hull, const tnAxis* axis, double side, double even)
{
	double least = INFINITY;
	for (int i = 0; i < hull->count; ++i)
	{
		least = fmin(least, side * tnAxis_GetAcross(axis, hull->spots[i]));
	}
	tnFrame front = {INFINITY, -INFINITY, least, least};
	for (int i = 0; i < hull->count; ++i)
	{
		if (side * tnAxis_GetAcross(axis, hull->spots[i]) <= least + even)
		{
			const double along = tnAxis_GetAlong(axis, hull->spots[i]);
			front.u0 = fmin(front.u0, along);
			front.u1 = fmax(front.u1, along);
		}
	}
	return front;
}

// How far it is across from the axis to a hull, at a place along it.
static double tnGetClearance(const tnHull* hull, const tnAxis* axis, double side, double along)
{
	double least = INFINITY;
	for (int i = 0; i < hull->count; ++i)
	{
		const tnSpot a = hull->spots[i];
		const tnSpot b = hull->spots[(i + 1) % hull->count];
		const double fromA = tnAxis_GetAlong(axis, a) - along;
		const double fromB = tnAxis_GetAlong(axis, b) - along;
		if ((fromA <= 0.0) != (fromB <= 0.0))
		{
			const double share = fromA / (fromA - fromB);
			const double acrossA = tnAxis_GetAcross(axis, a);
			least = fmin(least, side * (acrossA + share * (tnAxis_GetAcross(axis, b) - acrossA)));
		}
	}
	return least;
}

// How far a gap goes along its axis. @param way 1 or -1
static double tnFindMouth(const tnHull hulls[2], const tnAxis* axis, double way, double width)
{
	double mouth = INFINITY;
	for (int i = 0; i < 2; ++i)
	{
		double most = 0.0;
		for (int k = 0; k < hulls[i].count; ++k)
		{
			most = fmax(most, way * tnAxis_GetAlong(axis, hulls[i].spots[k]));
		}
		mouth = fmin(mouth, most);
	}
	for (double along = TN_GAP_STEP; along < mouth; along += TN_GAP_STEP)
	{
		const double local =
			tnGetClearance(hulls, axis, -1.0, way * along) + tnGetClearance(hulls + 1, axis, 1.0, way * along);
		if (local > width + TN_GAP_OPENS)
		{
			return along;
		}
	}
	return mouth;
}

// ---------------------------------------------------------------------------------------------------------------------
// The way of the water

// A way through cells from the plug to one side.
typedef struct tnGapWalk
{
	const tnLinkContext* context;
	const tnHull* hulls;
	const tnAxis* axis;
	double way, mouth;
} tnGapWalk;

static bool tnIsInside(const tnGrid* grid, int column, int row)
{
	return column >= 0 && row >= 0 && column < grid->columnCount && row < grid->rowCount;
}

static void tnGap_AddFace(tnGap* gap, tnLinkPlace place, double share)
{
	if (gap->faceCount == TN_GAP_FACES)
	{
		gap->open = false;
		return;
	}
	gap->faces[gap->faceCount++] = (tnGapFace){place.column, place.row, place.alongZ, (float)share};
}

// How far a line is from a hull.
static double tnGetLineDistance(const tnHull* hull, tnSpot a, tnSpot b)
{
	tnSpot ends[2];
	const tnSpot line[2] = {a, b};
	return tnPolygons_FindNearest(hull->spots, hull->count, line, 2, ends);
}

// Does the way end in a cell that the axis crosses from `in` to `out`? Then where it leaves the axis.
static bool tnGapWalk_Ends(const tnGapWalk* walk, int column, int row, double in, double out, tnSpot* turn)
{
	const tnSpot middle = {column + 0.5, row + 0.5};
	const double along = walk->way * tnAxis_GetAlong(walk->axis, middle);
	if (!(out > walk->mouth) || !(along > walk->mouth))
	{
		return false;
	}
	const double from = fmin(fmax(along, fmax(in, walk->mouth)), out);
	*turn = tnAxis_GetPlace(walk->axis, walk->way * from, 0.0);
	for (int i = 0; i < 2; ++i)
	{
		const tnHull* hull = walk->hulls + i;
		const double square = tnPolygon_GetSquare(hull->spots, hull->count, middle);
		if (tnPolygon_Holds(hull->spots, hull->count, middle) || !(square > TN_LINK_TOLERANCE * TN_LINK_TOLERANCE) ||
			!(tnGetLineDistance(hull, *turn, middle) > TN_LINK_UNIT))
		{
			return false;
		}
	}
	return true;
}

// Does another body stand nearer to a line than a gap is wide?
static bool tnIsLineBarred(const tnLinkContext* context, const tnGap* gap, double height, tnSpot a, tnSpot b)
{
	const tnGroup* group = context->group;
	const int begin[2] = {(int)floor(fmin(a.u, b.u)) - 1, (int)floor(fmin(a.v, b.v)) - 1};
	const int end[2] = {(int)floor(fmax(a.u, b.u)) + 2, (int)floor(fmax(a.v, b.v)) + 2};
	const tnBody* last = NULL;
	for (int row = begin[1]; row < end[1]; ++row)
	{
		for (int column = begin[0]; column < end[0]; ++column)
		{
			const int slot = tnIsInside(context->grid, column, row) ? tnGroup_FindSlot(group, column, row) : -1;
			for (int at = slot >= 0 ? context->standers.heads[slot] : 0; at > 0;)
			{
				const int* link = context->standers.links + (ptrdiff_t)TN_STANDER_INTS * (at - 1);
				const tnBody* body = tnBodies_Get(context->bodies, link[0]);
				at = link[2];
				if (link[0] == gap->first || link[0] == gap->second || body == last)
				{
					continue;
				}
				last = body;
				const double reach = (double)body->mesh.radius / (double)context->grid->cellSize + 0.5 * gap->width;
				const tnSpot line[2] = {a, b};
				if (tnPolygon_GetSquare(line, 2, tnGetMiddle(context->grid, &body->aheadPose)) > reach * reach)
				{
					continue;
				}
				double extent[2];
				tnHull hull;
				tnFindExtent(body, extent);
				const double inside = height > extent[0] && height < extent[1] ? height : 0.5 * (extent[0] + extent[1]);
				if (!body->mesh.simple || !tnFindHull(context, body, inside, &hull) ||
					!(tnGetLineDistance(&hull, a, b) > 0.5 * gap->width))
				{
					return true;
				}
			}
		}
	}
	return false;
}

// Go along the axis from its plug to the first cell whose water is that of this side, and open the faces on the way.
// @param first its first cell, where the axis goes through the plug
static void tnGap_Walk(tnGap* gap, const tnGapWalk* walk, double height, const int first[2])
{
	const tnGrid* grid = walk->context->grid;
	const double at[2] = {walk->axis->at.u, walk->axis->at.v};
	const double to[2] = {walk->way * walk->axis->along.u, walk->way * walk->axis->along.v};
	int cell[2] = {first[0], first[1]};
	double in = 0.0;
	for (int step = 0; step < TN_GAP_FACES && gap->open; ++step)
	{
		// Where the axis crosses the next line of each kind.
		double next[2];
		for (int i = 0; i < 2; ++i)
		{
			next[i] = (cell[i] + (to[i] > 0.0 ? 1 : 0) - at[i]) / to[i];
		}
		const double out = fmin(next[0], next[1]);
		tnSpot turn;
		if (!tnIsInside(grid, cell[0], cell[1]))
		{
			break;
		}
		if (tnGapWalk_Ends(walk, cell[0], cell[1], in, out, &turn))
		{
			const tnSpot middle = {cell[0] + 0.5, cell[1] + 0.5};
			gap->open = !tnIsLineBarred(walk->context, gap, height, walk->axis->at, turn) &&
				!tnIsLineBarred(walk->context, gap, height, turn, middle);
			return;
		}
		const int ahead[2] = {to[0] > 0.0 ? 1 : -1, to[1] > 0.0 ? 1 : -1};
		const int before[2] = {cell[0] - (ahead[0] < 0 ? 1 : 0), cell[1] - (ahead[1] < 0 ? 1 : 0)};
		if (fabs(next[0] - next[1]) < TN_GAP_CORNER)
		{
			tnGap_AddFace(gap, (tnLinkPlace){before[0], cell[1], false}, 0.5);
			tnGap_AddFace(gap, (tnLinkPlace){cell[0] + ahead[0], before[1], true}, 0.5);
			tnGap_AddFace(gap, (tnLinkPlace){cell[0], before[1], true}, 0.5);
			tnGap_AddFace(gap, (tnLinkPlace){before[0], cell[1] + ahead[1], false}, 0.5);
			cell[0] += ahead[0];
			cell[1] += ahead[1];
		}
		else
		{
			const int axis = next[0] < next[1] ? 0 : 1;
			tnLinkPlace place = {cell[0], cell[1], axis == 1};
			*(axis == 0 ? &place.column : &place.row) = before[axis];
			tnGap_AddFace(gap, place, 1.0);
			cell[axis] += ahead[axis];
		}
		in = out;
	}
	gap->open = false;
}

// ---------------------------------------------------------------------------------------------------------------------
// Gaps

static void tnMakeGap(const tnLinkContext* context, tnGap* gap)
{
	const tnBody* first = tnBodies_Get(context->bodies, gap->first);
	const tnBody* second = tnBodies_Get(context->bodies, gap->second);
	double extents[2][2];
	tnHull hulls[2];
	tnFindExtent(first, extents[0]);
	tnFindExtent(second, extents[1]);
	const double bottom = fmax(extents[0][0], extents[1][0]);
	const double top = fmin(extents[0][1], extents[1][1]);
	const double height = 0.5 * (bottom + top);
	if (!(bottom < top) || !tnFindHull(context, first, height, hulls) ||
		!tnFindHull(context, second, height, hulls + 1) || !tnAreHullsNear(hulls, hulls + 1))
	{
		return;
	}
	tnSpot ends[2];
	gap->width = tnHull_GetGap(hulls, hulls + 1, ends);
	if (!(gap->width > TN_LINK_TOLERANCE) || !(gap->width < TN_GAP_WIDTH))
	{
		return;
	}
	// Across is from the first to the second.
	tnAxis axis = {{0.5 * (ends[0].u + ends[1].u), 0.5 * (ends[0].v + ends[1].v)},
		{(ends[1].v - ends[0].v) / gap->width, -(ends[1].u - ends[0].u) / gap->width}};
	if (fabs(axis.along.u) < TN_GAP_ALONG || fabs(axis.along.v) < TN_GAP_ALONG)
	{
		return;
	}
	const double even = TN_GAP_EVEN_SHARE * gap->width + TN_GAP_EVEN;
	const tnFrame fronts[2] = {tnFindFront(hulls, &axis, -1.0, even), tnFindFront(hulls + 1, &axis, 1.0, even)};
	const double from = fmax(fronts[0].u0, fronts[1].u0);
	const double to = fmin(fronts[0].u1, fronts[1].u1);
	axis.at = tnAxis_GetPlace(&axis, from < to ? 0.5 * (from + to) : 0.0, 0.0);
	const double half = 0.5 * gap->width + TN_PLUG_END;
	gap->plug[0] = tnAxis_GetPlace(&axis, 0.0, -half);
	gap->plug[1] = tnAxis_GetPlace(&axis, 0.0, half);
	gap->open = true;
	// On a line of the grid: in the cell that the axis comes from.
	const tnSpot at = axis.at;
	const int cell[2] = {axis.along.u > 0.0 ? (int)ceil(at.u) - 1 : (int)floor(at.u),
		axis.along.v > 0.0 ? (int)ceil(at.v) - 1 : (int)floor(at.v)};
	tnGapWalk walk = {context, hulls, &axis, 1.0, tnFindMouth(hulls, &axis, 1.0, gap->width)};
	tnGap_Walk(gap, &walk, height, cell);
	walk.way = -1.0;
	walk.mouth = tnFindMouth(hulls, &axis, -1.0, gap->width);
	if (gap->open)
	{
		tnGap_Walk(gap, &walk, height, cell);
	}
}

void tnPlaceGaps(tnLinkContext* context, int* scratchEnd)
{
	tnGapCache* cache = context->gaps;
	int* begin = context->standers.links + (ptrdiff_t)TN_STANDER_INTS * context->standers.count;
	// As doubles are aligned.
	const size_t off = (uintptr_t)begin % sizeof(double);
	char* place = (char*)begin + (off > 0 ? sizeof(double) - off : 0);
	const ptrdiff_t bytes = (char*)scratchEnd - place;
	const ptrdiff_t most = bytes > 0 ? bytes / (ptrdiff_t)sizeof(tnGap) : 0;
	const int count = context->group->bodyEnd - context->group->bodyBegin;
	// Bodies have some neighbours each.
	const int wanted = count < TN_MOST_GAPS / 8 ? 8 * count : TN_MOST_GAPS;
	cache->capacity = tnMaxInt(most < wanted ? (int)most : wanted, 1);
	cache->items = most > 0 ? (tnGap*)place : &cache->only;
	for (int i = 0; i < cache->capacity; ++i)
	{
		cache->items[i].first = -1;
	}
}

static tnGap* tnFindGap(const tnLinkContext* context, int first, int second)
{
	const tnGapCache* cache = context->gaps;
	const uint32_t mixed = ((uint32_t)first * 0x9e3779b1u) ^ ((uint32_t)second * 0x85ebca6bu);
	const int begin = (int)((mixed >> 8) % (uint32_t)cache->capacity);
	const int end = tnMinInt(begin + TN_GAP_PROBES, cache->capacity);
	int place = begin + (int)((mixed >> 4) % (uint32_t)(end - begin));
	for (int i = begin; i < end; ++i)
	{
		const tnGap* item = cache->items + i;
		if (item->first == first && item->second == second)
		{
			return cache->items + i;
		}
		place = item->first < 0 ? i : place;
	}
	tnGap* gap = cache->items + place;
	gap->first = first;
	gap->second = second;
	gap->open = false;
	gap->faceCount = 0;
	gap->likeHeight = INFINITY;
	tnMakeGap(context, gap);
	return gap;
}

// Is a gap as wide at this height as where it was found?
static bool tnIsGapLike(const tnLinkContext* context, tnGap* gap, double height)
{
	if (height != gap->likeHeight)
	{
		tnHull hulls[2];
		tnSpot ends[2];
		gap->likeHeight = height;
		gap->like = tnFindHull(context, tnBodies_Get(context->bodies, gap->first), height, hulls) &&
			tnFindHull(context, tnBodies_Get(context->bodies, gap->second), height, hulls + 1) &&
			fabs(tnHull_GetGap(hulls, hulls + 1, ends) - gap->width) <= TN_GAP_LIKE * gap->width;
	}
	return gap->like;
}

// Does a link see the plug of a gap?
static bool tnIsPlugSeen(const tnLinkPlace* place, const tnGap* gap)
{
	const int columns = place->alongZ ? 1 : 2;
	const int rows = place->alongZ ? 2 : 1;
	const double u0 = place->column - 1.0, u1 = place->column + columns + 1.0;
	const double v0 = place->row - 1.0, v1 = place->row + rows + 1.0;
	const tnSpot a = gap->plug[0], b = gap->plug[1];
	return !(a.u < u0 && b.u < u0) && !(a.u > u1 && b.u > u1) && !(a.v < v0 && b.v < v0) && !(a.v > v1 && b.v > v1);
}

int tnFindNearBodies(const tnLinkContext* context, const tnLinkPlace* place, int near[TN_NEAR_BODIES])
{
	int count = 0;
	if (context->group->bodyEnd - context->group->bodyBegin < 2)
	{
		return 0;
	}
	const int along = place->alongZ ? 1 : 2;
	const int across = place->alongZ ? 2 : 1;
	for (int row = place->row - 1; row <= place->row + across; ++row)
	{
		for (int column = place->column - 1; column <= place->column + along; ++column)
		{
			const bool inside = tnIsInside(context->grid, column, row);
			const int slot = inside ? tnGroup_FindSlot(context->group, column, row) : -1;
			for (int at = slot >= 0 ? context->standers.heads[slot] : 0; at > 0;)
			{
				const int* link = context->standers.links + (ptrdiff_t)TN_STANDER_INTS * (at - 1);
				bool again = !tnBodies_Get(context->bodies, link[0])->mesh.simple;
				for (int i = 0; i < count && !again; ++i)
				{
					again = near[i] == link[0];
				}
				if (!again && count == TN_NEAR_BODIES)
				{
					return 0;
				}
				if (!again)
				{
					near[count++] = link[0];
				}
				at = link[2];
			}
		}
	}
	return count;
}

// Is one nearer to the other than a gap is wide, as far as spheres around them tell?
static bool tnAreBodiesNear(const tnGrid* grid, const tnBody* first, const tnBody* second)
{
	const tnVec3 a = first->aheadPose.position;
	const tnVec3 b = second->aheadPose.position;
	const float reach = first->mesh.radius + second->mesh.radius + (float)TN_GAP_WIDTH * grid->cellSize;
	const float x = a.x - b.x;
	const float z = a.z - b.z;
	return x * x + z * z < reach * reach;
}

double tnPlugGaps(const tnLinkContext* context, const tnLinkPlace* place, const int* near, int count, double height,
	tnObstacles* obstacles)
{
	double open = 0.0;
	for (int i = 0; i < count; ++i)
	{
		for (int k = 0; k < i; ++k)
		{
			// The same, whichever comes first here.
			const int first = tnMinInt(near[i], near[k]);
			const int second = tnMaxInt(near[i], near[k]);
			if (!tnAreBodiesNear(
					context->grid, tnBodies_Get(context->bodies, first), tnBodies_Get(context->bodies, second)))
			{
				continue;
			}
			tnGap* gap = tnFindGap(context, first, second);
			double share = 0.0;
			for (int face = 0; face < gap->faceCount && gap->open; ++face)
			{
				const tnGapFace* at = gap->faces + face;
				const bool through =
					at->column == place->column && at->row == place->row && at->alongZ == place->alongZ;
				share += through ? (double)at->share : 0.0;
			}
			const bool seen = gap->open && (share > 0.0 || tnIsPlugSeen(place, gap));
			if (seen && tnIsGapLike(context, gap, height))
			{
				tnAddToLink(place, gap->plug, 2, obstacles);
				open += gap->width * share;
			}
		}
	}
	return open < 1.0 ? open : 1.0;
}
