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
// Obstacles that are nearer to each other than TN_SEALED_SHARE touch.
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

#include <math.h>
#include <string.h>

enum
{
	TN_LINK_POINTS = 512,
	TN_LINK_OBSTACLES = 48,
	TN_LINK_BODIES = 24,
	TN_SECTION_POINTS = 128,
	TN_SECTION_CACHE = 16,
	// Of a mesh that is not convex, at most.
	TN_LINK_TRIANGLES = 4096,
	// Corners that clipping at the four sides of a rectangle adds.
	TN_CLIP_CORNERS = 4,
};

// In cells.
#define TN_LINK_TOLERANCE ((double)TN_SEALED_SHARE)
// What is as near to a line as this is on it.
#define TN_LINK_TOUCH 1.0e-4
// The rim of a cell lies so far inside of it.
#define TN_LINK_INSET (1.0 / 512.0)
// As far beyond the sides of a link another body shows that a sliver is part of a gap.
#define TN_LINK_BEYOND 0.25
// Water along less than this share of the longest part of the rim does not count: a corner that a wall cuts off. What cuts a cell
// through its middle leaves two that are longer.
#define TN_LINK_MINOR 0.5
#define TN_LINK_UNIT (1.0 / 1048576.0)

// Along the link, and across.
typedef struct tnSpot
{
	double u, v;
} tnSpot;

// A convex polygon, or a line of two points.
typedef struct tnObstacle
{
	int begin, count;
} tnObstacle;

typedef struct tnObstacles
{
	tnSpot spots[TN_LINK_POINTS];
	int spotCount;
	tnObstacle items[TN_LINK_OBSTACLES];
	int count;
	bool full; // there was no room for all: nothing is open
} tnObstacles;

// From (u0, v0) to (u1, v1).
typedef struct tnFrame
{
	double u0, u1, v0, v1;
} tnFrame;

static double tnRoundPlace(double place)
{
	return rint(place * (1.0 / TN_LINK_UNIT)) * TN_LINK_UNIT;
}

// ---------------------------------------------------------------------------------------------------------------------
// Obstacles

// Keep what is on one side of a line. `keep` is 1 for places from `at` on, -1 for those up to it.
static int tnClipSide(const tnSpot* in, int count, bool alongV, double at, double keep, tnSpot* out)
{
	int kept = 0;
	// A line has two ends and one side.
	const int sideCount = count == 2 ? 1 : count;
	for (int i = 0; i < sideCount && count > 1; ++i)
	{
		const tnSpot a = in[i];
		const tnSpot b = in[(i + 1) % count];
		const double fromA = keep * ((alongV ? a.v : a.u) - at);
		const double fromB = keep * ((alongV ? b.v : b.u) - at);
		if (fromA >= 0.0)
		{
			out[kept++] = a;
		}
		if ((fromA >= 0.0) != (fromB >= 0.0))
		{
			const double share = fromA / (fromA - fromB);
			tnSpot cross = {a.u + share * (b.u - a.u), a.v + share * (b.v - a.v)};
			*(alongV ? &cross.v : &cross.u) = at;
			out[kept++] = cross;
		}
		if (count == 2 && fromB >= 0.0)
		{
			out[kept++] = b;
		}
	}
	return count > 1 ? kept : 0;
}

// @param spots room for four more
static int tnClipToFrame(tnSpot* spots, int count, const tnFrame* frame)
{
	if (count < 2)
	{
		return 0;
	}
	tnFrame box = {spots[0].u, spots[0].u, spots[0].v, spots[0].v};
	for (int i = 1; i < count; ++i)
	{
		box.u0 = spots[i].u < box.u0 ? spots[i].u : box.u0;
		box.u1 = spots[i].u > box.u1 ? spots[i].u : box.u1;
		box.v0 = spots[i].v < box.v0 ? spots[i].v : box.v0;
		box.v1 = spots[i].v > box.v1 ? spots[i].v : box.v1;
	}
	if (box.u0 > frame->u1 || box.u1 < frame->u0 || box.v0 > frame->v1 || box.v1 < frame->v0)
	{
		return 0;
	}
	tnSpot other[TN_SECTION_POINTS + TN_CLIP_CORNERS];
	if (box.u0 < frame->u0 || box.u1 > frame->u1)
	{
		count = tnClipSide(spots, count, false, frame->u0, 1.0, other);
		count = tnClipSide(other, count, false, frame->u1, -1.0, spots);
	}
	if (box.v0 < frame->v0 || box.v1 > frame->v1)
	{
		count = tnClipSide(spots, count, true, frame->v0, 1.0, other);
		count = tnClipSide(other, count, true, frame->v1, -1.0, spots);
	}
	return count;
}

static void tnObstacles_Add(tnObstacles* obstacles, const tnSpot* spots, int count)
{
	if (count < 2)
	{
		return;
	}
	if (obstacles->count == TN_LINK_OBSTACLES || obstacles->spotCount + count > TN_LINK_POINTS)
	{
		obstacles->full = true;
		return;
	}
	tnObstacle* item = obstacles->items + obstacles->count++;
	*item = (tnObstacle){obstacles->spotCount, count};
	for (int i = 0; i < count; ++i)
	{
		obstacles->spots[obstacles->spotCount++] = (tnSpot){tnRoundPlace(spots[i].u), tnRoundPlace(spots[i].v)};
	}
}

// Obstacles as a frame sees them.
static void tnObstacles_Clip(const tnObstacles* from, const tnFrame* frame, tnObstacles* to)
{
	to->spotCount = 0;
	to->count = 0;
	to->full = from->full;
	for (int i = 0; i < from->count; ++i)
	{
		tnSpot spots[TN_SECTION_POINTS + TN_CLIP_CORNERS];
		const tnObstacle* item = from->items + i;
		memcpy(spots, from->spots + item->begin, (size_t)item->count * sizeof(tnSpot));
		tnObstacles_Add(to, spots, tnClipToFrame(spots, item->count, frame));
	}
}

static double tnGetSquare(tnSpot a, tnSpot b)
{
	const double u = a.u - b.u;
	const double v = a.v - b.v;
	return u * u + v * v;
}

static double tnGetTurn(tnSpot a, tnSpot b, tnSpot p)
{
	return (b.u - a.u) * (p.v - a.v) - (b.v - a.v) * (p.u - a.u);
}

static bool tnPolygon_Holds(const tnSpot* spots, int count, tnSpot p)
{
	bool left = false, right = false;
	for (int i = 0; i < count; ++i)
	{
		const double turn = tnGetTurn(spots[i], spots[(i + 1) % count], p);
		left |= turn > 0.0;
		right |= turn < 0.0;
	}
	return count > 2 && !(left && right);
}

// Square of the distance of a place from the rim of a polygon.
static double tnPolygon_GetSquare(const tnSpot* spots, int count, tnSpot p)
{
	double least = tnGetSquare(spots[0], p);
	for (int i = 0; i < count; ++i)
	{
		const tnSpot a = spots[i];
		const tnSpot b = spots[(i + 1) % count];
		const double length = tnGetSquare(a, b);
		const double along = (p.u - a.u) * (b.u - a.u) + (p.v - a.v) * (b.v - a.v);
		double square = tnGetSquare(a, p);
		if (along > 0.0 && along < length)
		{
			const double turn = tnGetTurn(a, b, p);
			square = turn * turn / length;
		}
		least = square < least ? square : least;
	}
	return least;
}

static bool tnDoSidesCross(const tnSpot* a, int aCount, const tnSpot* b, int bCount)
{
	for (int i = 0; i < aCount; ++i)
	{
		for (int k = 0; k < bCount; ++k)
		{
			const tnSpot a0 = a[i], a1 = a[(i + 1) % aCount];
			const tnSpot b0 = b[k], b1 = b[(k + 1) % bCount];
			if (tnGetTurn(a0, a1, b0) * tnGetTurn(a0, a1, b1) < 0.0 &&
				tnGetTurn(b0, b1, a0) * tnGetTurn(b0, b1, a1) < 0.0)
			{
				return true;
			}
		}
	}
	return false;
}

static double tnObstacles_GetDistance(const tnObstacles* obstacles, int first, int second)
{
	const tnSpot* a = obstacles->spots + obstacles->items[first].begin;
	const tnSpot* b = obstacles->spots + obstacles->items[second].begin;
	const int aCount = obstacles->items[first].count;
	const int bCount = obstacles->items[second].count;
	if (tnPolygon_Holds(a, aCount, b[0]) || tnPolygon_Holds(b, bCount, a[0]) || tnDoSidesCross(a, aCount, b, bCount))
	{
		return 0.0;
	}
	double least = tnGetSquare(a[0], b[0]);
	for (int i = 0; i < bCount; ++i)
	{
		const double square = tnPolygon_GetSquare(a, aCount, b[i]);
		least = square < least ? square : least;
	}
	for (int i = 0; i < aCount; ++i)
	{
		const double square = tnPolygon_GetSquare(b, bCount, a[i]);
		least = square < least ? square : least;
	}
	return sqrt(least);
}

// The place of the rim of a polygon that is nearest to another place.
static tnSpot tnPolygon_GetNearest(const tnSpot* spots, int count, tnSpot p, double* square)
{
	tnSpot nearest = spots[0];
	*square = tnGetSquare(spots[0], p);
	for (int i = 0; i < count; ++i)
	{
		const tnSpot a = spots[i];
		const tnSpot b = spots[(i + 1) % count];
		const double length = tnGetSquare(a, b);
		const double along = (p.u - a.u) * (b.u - a.u) + (p.v - a.v) * (b.v - a.v);
		const double share = length > 0.0 ? along / length : 0.0;
		const double within = share < 0.0 ? 0.0 : (share > 1.0 ? 1.0 : share);
		const tnSpot place = {a.u + within * (b.u - a.u), a.v + within * (b.v - a.v)};
		if (tnGetSquare(place, p) < *square)
		{
			*square = tnGetSquare(place, p);
			nearest = place;
		}
	}
	return nearest;
}

static void tnObstacles_FindNearest(const tnObstacles* obstacles, int first, int second, tnSpot ends[2])
{
	double least = 4.0;
	for (int turn = 0; turn < 2; ++turn)
	{
		const tnObstacle* a = obstacles->items + (turn == 0 ? first : second);
		const tnObstacle* b = obstacles->items + (turn == 0 ? second : first);
		for (int i = 0; i < a->count; ++i)
		{
			double square;
			const tnSpot place = obstacles->spots[a->begin + i];
			const tnSpot nearest = tnPolygon_GetNearest(obstacles->spots + b->begin, b->count, place, &square);
			if (square < least)
			{
				least = square;
				ends[0] = place;
				ends[1] = nearest;
			}
		}
	}
}

// Close the gaps between those that touch, within the tolerance: a line between the two places that are nearest to each other.
static void tnObstacles_Bridge(tnObstacles* obstacles)
{
	const int count = obstacles->count;
	for (int i = 1; i < count; ++i)
	{
		for (int k = 0; k < i && !obstacles->full; ++k)
		{
			const double distance = tnObstacles_GetDistance(obstacles, i, k);
			if (distance > 0.0 && distance <= TN_LINK_TOLERANCE)
			{
				tnSpot ends[2] = {{0.0, 0.0}, {0.0, 0.0}};
				tnObstacles_FindNearest(obstacles, i, k, ends);
				tnObstacles_Add(obstacles, ends, 2);
			}
		}
	}
}

// Of those that touch, within a tolerance.
static double tnObstacles_GetGap(const tnObstacles* obstacles, int first, int second)
{
	const double distance = tnObstacles_GetDistance(obstacles, first, second);
	return distance > TN_LINK_TOLERANCE ? distance : 0.0;
}

// ---------------------------------------------------------------------------------------------------------------------
// The narrowest place

// A link: where it begins and ends.
typedef struct tnWay
{
	tnSpot from, to;
} tnWay;

typedef struct tnSides
{
	double low, high; // what it costs to get there from an obstacle
} tnSides;

// Obstacles that touch an end of the rectangle belong to the side on which they do, seen from where the link begins or ends.
static void tnTouchEnd(const tnSpot* spots, int count, tnSpot end, double inwards, tnSides* sides)
{
	double least = TN_LINK_TOUCH;
	for (int i = 0; i < count; ++i)
	{
		const double from = inwards * (spots[i].u - end.u);
		least = from < least ? from : least;
	}
	if (!(least < TN_LINK_TOUCH))
	{
		return;
	}
	// Those that do not touch it quite are as near as they get.
	bool low = false, high = false;
	for (int i = 0; i < count; ++i)
	{
		const double from = inwards * (spots[i].u - end.u);
		low |= from <= least + TN_LINK_UNIT && spots[i].v <= end.v;
		high |= from <= least + TN_LINK_UNIT && spots[i].v >= end.v;
	}
	sides->low = low ? 0.0 : sides->low;
	sides->high = high ? 0.0 : sides->high;
}

// What it costs to get from an obstacle to the side of the rectangle.
// @param more whether another one stands beyond
static double tnGetSideCost(double distance, bool more)
{
	const double least = more ? TN_LINK_TOUCH : TN_LINK_TOLERANCE;
	return distance > least ? distance : 0.0;
}

// The width of the narrowest place of a link that crosses the obstacles, or of a cell if it has no ends.
// @param ends may be NULL
static double tnFindWidth(const tnObstacles* all, double u0, double u1, const tnWay* ends)
{
	tnObstacles seen;
	const tnFrame wide = {u0, u1, -TN_LINK_BEYOND, 1.0 + TN_LINK_BEYOND};
	tnObstacles_Clip(all, &wide, &seen);
	if (seen.full)
	{
		return 0.0;
	}
	tnSides reach[TN_LINK_OBSTACLES]; // of obstacles: their least and their greatest v
	bool beyondLow = false, beyondHigh = false;
	for (int i = 0; i < seen.count; ++i)
	{
		const tnSpot* spots = seen.spots + seen.items[i].begin;
		reach[i] = (tnSides){spots[0].v, spots[0].v};
		for (int k = 1; k < seen.items[i].count; ++k)
		{
			reach[i].low = spots[k].v < reach[i].low ? spots[k].v : reach[i].low;
			reach[i].high = spots[k].v > reach[i].high ? spots[k].v : reach[i].high;
		}
		beyondLow |= reach[i].low < 0.0;
		beyondHigh |= reach[i].high > 1.0;
	}
	tnSides sides[TN_LINK_OBSTACLES];
	double costs[TN_LINK_OBSTACLES];
	bool done[TN_LINK_OBSTACLES];
	for (int i = 0; i < seen.count; ++i)
	{
		// Those that are wholly beyond are as good as the side, if they are near enough to close a gap.
		done[i] = reach[i].high < -TN_LINK_TOLERANCE || reach[i].low > 1.0 + TN_LINK_TOLERANCE;
		sides[i].low = tnGetSideCost(reach[i].low, beyondLow);
		sides[i].high = tnGetSideCost(1.0 - reach[i].high, beyondHigh);
		if (ends != NULL)
		{
			const tnSpot* spots = seen.spots + seen.items[i].begin;
			tnTouchEnd(spots, seen.items[i].count, ends->from, 1.0, sides + i);
			tnTouchEnd(spots, seen.items[i].count, ends->to, -1.0, sides + i);
		}
		costs[i] = sides[i].low;
	}
	double width = 1.0;
	for (;;)
	{
		int next = -1;
		for (int i = 0; i < seen.count; ++i)
		{
			next = !done[i] && costs[i] < width && (next < 0 || costs[i] < costs[next]) ? i : next;
		}
		if (next < 0)
		{
			break;
		}
		done[next] = true;
		const double across = costs[next] + sides[next].high;
		width = across < width ? across : width;
		for (int i = 0; i < seen.count; ++i)
		{
			if (!done[i] && costs[i] > costs[next])
			{
				const double cost = costs[next] + tnObstacles_GetGap(&seen, next, i);
				costs[i] = cost < costs[i] ? cost : costs[i];
			}
		}
	}
	return tnRoundPlace(width);
}

// ---------------------------------------------------------------------------------------------------------------------
// Where the water of a cell is

// Sides of a cell.
enum
{
	tn_westSide = 0,
	tn_eastSide,
	tn_northSide,
	tn_southSide,
	tn_rimSideCount,
};

enum
{
	// Waters that a cell may have which bodies part, and one of which is not by far the largest.
	TN_CELL_WATERS = 4,
};

// The water of a cell, by side: whether links may begin there, and where.
typedef struct tnCellWater
{
	bool free;   // they begin in the middle
	bool filled; // next to nothing is left: it is open to one side at most
	int count;   // of waters that bodies part
	// Else they begin at these sides of the rim: bits, of all waters or none, and at these places along it.
	unsigned open[tn_rimSideCount];
	double at[tn_rimSideCount][TN_CELL_WATERS];
} tnCellWater;

enum
{
	TN_RIM_SPANS = 32,
};

// What obstacles take of the rim: an interval of its length, which is that of four sides.
typedef struct tnRimSpan
{
	double begin, end;
	int cluster; // that of this obstacle
} tnRimSpan;

// Places on the rim go around it: north from west to east, east from north to south, and back.
static double tnGetRimPlace(int side, double along, double length)
{
	switch (side)
	{
		case tn_northSide:
			return along;
		case tn_eastSide:
			return length + along;
		case tn_southSide:
			return 2.0 * length + (length - along);
		default:
			return 3.0 * length + (length - along);
	}
}

typedef struct tnCellRim
{
	tnRimSpan spans[TN_RIM_SPANS];
	int count;
	double inset, length;
	bool full;
} tnCellRim;

static void tnCellRim_Add(tnCellRim* rim, int side, double low, double high, int cluster)
{
	if (rim->count == TN_RIM_SPANS)
	{
		rim->full = true;
		return;
	}
	const double a = tnGetRimPlace(side, low, rim->length);
	const double b = tnGetRimPlace(side, high, rim->length);
	rim->spans[rim->count++] = (tnRimSpan){a < b ? a : b, a < b ? b : a, cluster};
}

// What the obstacles take of each side of the rim.
// @param corner of the cell
static void tnCellRim_Touch(tnCellRim* rim, const tnObstacles* seen, tnSpot corner)
{
	for (int i = 0; i < seen->count; ++i)
	{
		for (int side = 0; side < tn_rimSideCount; ++side)
		{
			const bool alongV = side == tn_westSide || side == tn_eastSide;
			const bool far = side == tn_eastSide || side == tn_southSide;
			tnSpot spots[TN_SECTION_POINTS + TN_CLIP_CORNERS];
			const int count = seen->items[i].count;
			const double line = (alongV ? corner.u : corner.v) + rim->inset + (far ? rim->length : 0.0);
			const double limit = far ? line - TN_LINK_TOUCH : line + TN_LINK_TOUCH;
			const int kept =
				tnClipSide(seen->spots + seen->items[i].begin, count, !alongV, limit, far ? 1.0 : -1.0, spots);
			if (kept == 0)
			{
				continue;
			}
			double low = rim->length, high = 0.0;
			for (int k = 0; k < kept; ++k)
			{
				const double along = (alongV ? spots[k].v - corner.v : spots[k].u - corner.u) - rim->inset;
				low = along < low ? along : low;
				high = along > high ? along : high;
			}
			tnCellRim_Add(rim, side, low, high, i);
		}
	}
}

static void tnJoinClusters(int* clusters, int count, int a, int b)
{
	for (int i = 0; i < count; ++i)
	{
		clusters[i] = clusters[i] == a ? b : clusters[i];
	}
}

// Sort spans, and join those that touch. What goes over the end of the rim goes on at its begin.
static void tnCellRim_Join(tnCellRim* rim, int* clusters, int clusterCount)
{
	for (int i = 1; i < rim->count; ++i)
	{
		const tnRimSpan span = rim->spans[i];
		int place = i;
		for (; place > 0 && rim->spans[place - 1].begin > span.begin; --place)
		{
			rim->spans[place] = rim->spans[place - 1];
		}
		rim->spans[place] = span;
	}
	int kept = 0;
	for (int i = 0; i < rim->count; ++i)
	{
		const tnRimSpan span = rim->spans[i];
		tnRimSpan* last = rim->spans + kept - 1;
		if (kept > 0 && span.begin <= last->end + TN_LINK_TOLERANCE)
		{
			last->end = span.end > last->end ? span.end : last->end;
			tnJoinClusters(clusters, clusterCount, clusters[span.cluster], clusters[last->cluster]);
			continue;
		}
		rim->spans[kept++] = span;
	}
	const double around = 4.0 * rim->length;
	if (kept > 1 && rim->spans[0].begin + around <= rim->spans[kept - 1].end + TN_LINK_TOLERANCE)
	{
		tnJoinClusters(clusters, clusterCount, clusters[rim->spans[0].cluster], clusters[rim->spans[kept - 1].cluster]);
		rim->spans[0].begin = rim->spans[kept - 1].begin - around;
		kept -= 1;
	}
	rim->count = kept;
}

// Are two arcs parted by obstacles that hang together? Arc `i` comes before span `i`.
static bool tnCellRim_Parts(const tnCellRim* rim, const int* clusters, int a, int b)
{
	for (int i = a; i < b; ++i)
	{
		for (int k = 0; k < rim->count; ++k)
		{
			const bool outside = k < a || k >= b;
			if (outside && clusters[rim->spans[i].cluster] == clusters[rim->spans[k].cluster])
			{
				return true;
			}
		}
	}
	return false;
}

// The longest free piece of each side between places of the rim, which may go beyond its end.
// @param longest of the same water so far, by side
static void tnCellWater_OpenSides(
	tnCellWater* water, int which, double longest[tn_rimSideCount], const tnCellRim* rim, double begin, double end)
{
	static const int s_order[tn_rimSideCount] = {tn_northSide, tn_eastSide, tn_southSide, tn_westSide};
	const double length = rim->length;
	for (int turn = -1; turn <= 1; ++turn)
	{
		for (int i = 0; i < tn_rimSideCount; ++i)
		{
			const double from = (4.0 * turn + i) * length;
			const double low = begin > from ? begin : from;
			const double high = end < from + length ? end : from + length;
			const int side = s_order[i];
			if (high - low > TN_LINK_TOUCH && high - low > longest[side])
			{
				const double middle = 0.5 * (low + high) - from;
				const bool back = side == tn_southSide || side == tn_westSide;
				longest[side] = high - low;
				water->open[side] |= 1u << which;
				water->at[side][which] = tnRoundPlace(rim->inset + (back ? length - middle : middle));
			}
		}
	}
}

// The water is that around the longest arcs that hang together, if they are by far the longest; else it is that of all, and only
// where all of them are.
static void tnCellWater_ChooseArcs(tnCellWater* water, const tnCellRim* rim, const int* clusters)
{
	const double around = 4.0 * rim->length;
	double lengths[TN_RIM_SPANS];
	double begins[TN_RIM_SPANS];
	int parts[TN_RIM_SPANS];
	double sums[TN_RIM_SPANS] = {0.0};
	double most = 0.0;
	for (int i = 0; i < rim->count; ++i)
	{
		begins[i] = i > 0 ? rim->spans[i - 1].end : rim->spans[rim->count - 1].end - around;
		lengths[i] = rim->spans[i].begin - begins[i];
		parts[i] = i;
		for (int k = 0; k < i && parts[i] == i; ++k)
		{
			parts[i] = parts[k] == k && !tnCellRim_Parts(rim, clusters, k, i) ? k : i;
		}
		sums[parts[i]] += lengths[i] > TN_LINK_TOLERANCE ? lengths[i] : 0.0;
		most = sums[parts[i]] > most ? sums[parts[i]] : most;
	}
	int count = 0;
	for (int i = 0; i < rim->count; ++i)
	{
		if (!(sums[i] > TN_LINK_MINOR * most))
		{
			continue;
		}
		if (count == TN_CELL_WATERS)
		{
			*water = (tnCellWater){.filled = false};
			return;
		}
		double longest[tn_rimSideCount] = {0.0};
		for (int k = i; k < rim->count; ++k)
		{
			if (parts[k] == i)
			{
				tnCellWater_OpenSides(water, count, longest, rim, begins[k], begins[k] + lengths[k]);
			}
		}
		count += 1;
	}
	water->count = count;
	for (int side = 0; side < tn_rimSideCount; ++side)
	{
		water->open[side] = water->open[side] == (1u << count) - 1u ? water->open[side] : 0;
	}
}

// A cell of which a body leaves next to nothing: its one side that is free, if there is one.
static void tnCellWater_OpenSliver(tnCellWater* water, const tnObstacles* obstacles, tnSpot corner)
{
	tnObstacles whole;
	const tnObstacles* seen = &whole;
	const tnFrame frame = {corner.u, corner.u + 1.0, corner.v, corner.v + 1.0};
	tnObstacles_Clip(obstacles, &frame, &whole);
	int only = -1;
	int count = 0;
	for (int side = 0; side < tn_rimSideCount; ++side)
	{
		const bool alongV = side == tn_westSide || side == tn_eastSide;
		const bool far = side == tn_eastSide || side == tn_southSide;
		double taken = 0.0;
		for (int i = 0; i < seen->count; ++i)
		{
			const tnSpot* spots = seen->spots + seen->items[i].begin;
			double low = 1.0, high = 0.0;
			for (int k = 0; k < seen->items[i].count; ++k)
			{
				const double from = alongV ? spots[k].u - corner.u : spots[k].v - corner.v;
				const double along = alongV ? spots[k].v - corner.v : spots[k].u - corner.u;
				const bool touches = far ? from > 1.0 - TN_LINK_TOUCH : from < TN_LINK_TOUCH;
				low = touches && along < low ? along : low;
				high = touches && along > high ? along : high;
			}
			taken += high > low ? high - low : 0.0;
		}
		only = taken < 0.5 ? side : only;
		count += taken < 0.5 ? 1 : 0;
	}
	if (count == 1)
	{
		water->open[only] = 1;
	}
}

// Obstacles of a cell that touch each other, whatever is beside it.
static void tnFindClusters(const tnObstacles* seen, int* clusters)
{
	for (int i = 0; i < seen->count; ++i)
	{
		clusters[i] = i;
		for (int k = 0; k < i; ++k)
		{
			if (clusters[i] != clusters[k] && !(tnObstacles_GetGap(seen, i, k) > 0.0))
			{
				tnJoinClusters(clusters, i + 1, clusters[i], clusters[k]);
			}
		}
	}
}

static bool tnIsFreeAt(const tnObstacles* obstacles, tnSpot place)
{
	const double square = TN_LINK_TOLERANCE * TN_LINK_TOLERANCE;
	for (int i = 0; i < obstacles->count; ++i)
	{
		const tnSpot* spots = obstacles->spots + obstacles->items[i].begin;
		const int count = obstacles->items[i].count;
		if (tnPolygon_Holds(spots, count, place) || !(tnPolygon_GetSquare(spots, count, place) > square))
		{
			return false;
		}
	}
	return true;
}

// Arcs of the rim that are no slivers.
static int tnCellRim_CountArcs(const tnCellRim* rim)
{
	int count = 0;
	for (int i = 0; i < rim->count; ++i)
	{
		const double begin = i > 0 ? rim->spans[i - 1].end : rim->spans[rim->count - 1].end - 4.0 * rim->length;
		count += rim->spans[i].begin - begin > TN_LINK_TOLERANCE ? 1 : 0;
	}
	return count;
}

// @param corner of the cell
static tnCellWater tnFindWater(const tnObstacles* obstacles, tnSpot corner)
{
	tnCellWater water = {.free = tnIsFreeAt(obstacles, (tnSpot){corner.u + 0.5, corner.v + 0.5})};
	if (water.free)
	{
		return water;
	}
	tnObstacles seen;
	tnCellRim rim = {.inset = TN_LINK_INSET, .length = 1.0 - 2.0 * TN_LINK_INSET};
	const double far = rim.inset + rim.length;
	const tnFrame frame = {corner.u + rim.inset, corner.u + far, corner.v + rim.inset, corner.v + far};
	tnObstacles_Clip(obstacles, &frame, &seen);
	int clusters[TN_LINK_OBSTACLES];
	tnFindClusters(&seen, clusters);
	tnCellRim_Touch(&rim, &seen, corner);
	tnCellRim_Join(&rim, clusters, seen.count);
	if (rim.full || seen.full)
	{
		return water;
	}
	if (rim.count > 0 && tnCellRim_CountArcs(&rim) == 0)
	{
		water.filled = true;
		tnCellWater_OpenSliver(&water, obstacles, corner);
		return water;
	}
	if (rim.count > 0)
	{
		tnCellWater_ChooseArcs(&water, &rim, clusters);
		return water;
	}
	// A post, in a cell that is free around it.
	for (int side = 0; side < tn_rimSideCount; ++side)
	{
		water.open[side] = 1;
		water.at[side][0] = 0.5;
	}
	water.count = 1;
	return water;
}

// A link that leads into a slot, as between two piers, from free water: what is long in it is narrow for a part of its length only,
// and it resists like that. The narrowest place counts on the next link.
static double tnWidenMouth(const tnObstacles* obstacles, double width)
{
	const double least = width + TN_LINK_TOUCH;
	const double far = 0.5 * TN_LINK_BEYOND;
	const double first = tnFindWidth(obstacles, -TN_LINK_BEYOND, -far, NULL);
	const double last = tnFindWidth(obstacles, 2.0 + far, 2.0 + TN_LINK_BEYOND, NULL);
	const bool in = last > 0.0 && last <= least && tnFindWidth(obstacles, -TN_LINK_BEYOND, 0.5, NULL) >= 1.0;
	const bool out = first > 0.0 && first <= least && tnFindWidth(obstacles, 1.5, 2.0 + TN_LINK_BEYOND, NULL) >= 1.0;
	if (!in && !out)
	{
		return width;
	}
	double begin = 1.5, end = 0.5;
	for (int i = 0; i < obstacles->spotCount; ++i)
	{
		const double u = obstacles->spots[i].u;
		begin = u > 0.5 && u < begin ? u : begin;
		end = u < 1.5 && u > end ? u : end;
	}
	const double narrow = in ? 1.5 - begin : end - 0.5;
	return tnRoundPlace(1.0 / ((1.0 - narrow) + narrow / width));
}

static bool tnCellWater_IsShut(const tnCellWater* water)
{
	return !(
		water->open[tn_westSide] || water->open[tn_eastSide] || water->open[tn_northSide] || water->open[tn_southSide]);
}

// Where links to a side begin. Returns how many places there are.
static int tnCellWater_GetSpots(
	const tnCellWater* water, int side, double middle, double rim, tnSpot spots[TN_CELL_WATERS])
{
	if (water->free)
	{
		spots[0] = (tnSpot){middle, 0.5};
		return 1;
	}
	for (int i = 0; i < water->count; ++i)
	{
		spots[i] = (tnSpot){tnRoundPlace(rim), water->at[side][i]};
	}
	return water->open[side] != 0 ? water->count : 0;
}

// The width between the waters of two cells. If a cell has several, all of them must meet one of the other cell: else a wall
// would leak where it passes from one line of cells to the next.
static double tnJoinWaters(
	const tnObstacles* obstacles, const tnSpot* from, int fromCount, const tnSpot* to, int toCount)
{
	bool fromMeets[TN_CELL_WATERS] = {false};
	bool toMeets[TN_CELL_WATERS] = {false};
	double width = 0.0;
	for (int i = 0; i < fromCount; ++i)
	{
		for (int k = 0; k < toCount; ++k)
		{
			const tnWay way = {from[i], to[k]};
			width = tnFindWidth(obstacles, way.from.u, way.to.u, &way);
			fromMeets[i] |= width > 0.0;
			toMeets[k] |= width > 0.0;
		}
	}
	bool all = true;
	for (int i = 0; i < fromCount; ++i)
	{
		all = all && fromMeets[i];
	}
	for (int k = 0; k < toCount; ++k)
	{
		all = all && toMeets[k];
	}
	if (!all)
	{
		return 0.0;
	}
	return fromCount == 1 && toCount == 1 ? width : tnFindWidth(obstacles, from[0].u, to[0].u, NULL);
}

// What is left of a link, as a share of the width of its face.
// @param before where bodies were when the step began; may be NULL
// @param pushed whether that is asked for, if they have moved
static double tnFindLink(const tnObstacles* obstacles, const tnObstacles* before, bool* pushed)
{
	tnCellWater first = tnFindWater(obstacles, (tnSpot){0.0, 0.0});
	tnCellWater second = tnFindWater(obstacles, (tnSpot){1.0, 0.0});
	*pushed = first.filled != second.filled && tnCellWater_IsShut(first.filled ? &first : &second);
	// What a body pushes out of a cell leaves it in the step in which it fills the cell.
	if (before != NULL && first.filled && tnCellWater_IsShut(&first))
	{
		tnCellWater_OpenSliver(&first, before, (tnSpot){0.0, 0.0});
	}
	if (before != NULL && second.filled && tnCellWater_IsShut(&second))
	{
		tnCellWater_OpenSliver(&second, before, (tnSpot){1.0, 0.0});
	}
	if (first.filled || second.filled)
	{
		const unsigned out = first.filled ? first.open[tn_eastSide] : second.open[tn_westSide];
		return out != 0 && !(first.filled && second.filled) ? 1.0 : 0.0;
	}
	tnSpot from[TN_CELL_WATERS], to[TN_CELL_WATERS];
	const int fromCount = tnCellWater_GetSpots(&first, tn_eastSide, 0.5, 1.0 - TN_LINK_INSET, from);
	const int toCount = tnCellWater_GetSpots(&second, tn_westSide, 1.5, 1.0 + TN_LINK_INSET, to);
	double width = fromCount > 0 && toCount > 0 ? tnJoinWaters(obstacles, from, fromCount, to, toCount) : 0.0;
	// What stands in the middle of a cell counts on both sides, if it leaves a way through the cell.
	for (int i = 0; i < 2 && width > 0.0; ++i)
	{
		const bool free = i == 0 ? first.free : second.free;
		const double through = free ? 0.0 : tnFindWidth(obstacles, (double)i, i + 1.0, NULL);
		width = through > 0.0 && through < width ? through : width;
	}
	return width > 0.0 && width < 1.0 ? tnWidenMouth(obstacles, width) : width;
}

// ---------------------------------------------------------------------------------------------------------------------
// Bodies

// What stands in a link: a body, between two heights.
typedef struct tnStander
{
	const tnBody* body;
	int shiftColumn, shiftRow; // to where it is seen from there, in a world that wraps
	float share;               // of its columns, to weigh heights by
	float low, high;           // m
	bool beside;               // not in one of the two cells
} tnStander;

// Bodies by cell: lists of their columns.
typedef struct tnStanders
{
	int* heads; // by slot, + 1; 0 for none
	int* links; // three each: body, column, the next one + 1
	int count, capacity;
} tnStanders;

enum
{
	TN_STANDER_INTS = 3,
};

typedef struct tnSectionCache tnSectionCache;

typedef struct tnLinkContext
{
	tnGroup* group;
	const tnGrid* grid;
	const tnBodies* bodies;
	tnSectionCache* cache;
	tnStanders standers;
	uint8_t* swept; // by slot: see tnSweepCells
} tnLinkContext;

// False if there is no room for all.
static bool tnListStanders(tnLinkContext* context, const int* grouped)
{
	const tnGroup* group = context->group;
	tnStanders* list = &context->standers;
	memset(list->heads, 0, (size_t)(group->stripCount * TN_STRIP_SIZE) * sizeof(int));
	for (int i = group->bodyBegin; i < group->bodyEnd; ++i)
	{
		const tnBody* body = tnBodies_Get(context->bodies, grouped[i]);
		tnSlotWalk walk = {.slot = -1};
		for (int k = 0; k < body->cut.columnCount && body->mode == tn_blockingBody; ++k)
		{
			const int slot = tnSlotWalk_Find(&walk, group, body->cut.cells[k].column, body->cut.cells[k].row);
			if (slot < 0)
			{
				continue;
			}
			if (list->count == list->capacity)
			{
				return false;
			}
			int* link = list->links + (ptrdiff_t)TN_STANDER_INTS * list->count;
			link[0] = grouped[i];
			link[1] = k;
			link[2] = list->heads[slot];
			list->heads[slot] = ++list->count;
		}
	}
	for (int i = 0; i < group->seamCount; ++i)
	{
		list->heads[group->seams[i].copy] = list->heads[group->seams[i].origin];
	}
	return true;
}

// How far a range of cells has to be shifted to hold a cell, in a world that wraps.
static int tnFindShift(int begin, int end, int cell, int count, bool wrap)
{
	if (!wrap || (cell >= begin - 1 && cell <= end))
	{
		return 0;
	}
	const int turns = (cell - begin) >= 0 ? (cell - begin) / count : -((begin - cell + count - 1) / count);
	const int shift = turns * count;
	// One beside it is near enough.
	return cell >= begin + shift - 1 && cell <= end + shift ? shift : shift + count;
}

// The bodies of a cell. Intervals of a body that overlap are one, which is that of both cells.
// @param column, row where the cell is seen from the link, not wrapped
static int tnAddStanders(
	const tnLinkContext* context, int slot, int column, int row, bool beside, tnStander* standers, int count)
{
	const tnGrid* grid = context->grid;
	for (int at = context->standers.heads[slot]; at > 0 && count >= 0;)
	{
		const int* link = context->standers.links + (ptrdiff_t)TN_STANDER_INTS * (at - 1);
		const tnBody* body = tnBodies_Get(context->bodies, link[0]);
		const tnCellBox* box = &body->touched;
		at = link[2];
		const tnStander next = {
			.body = body,
			.shiftColumn = tnFindShift(box->columnBegin, box->columnEnd, column, grid->columnCount, grid->wrapX),
			.shiftRow = tnFindShift(box->rowBegin, box->rowEnd, row, grid->rowCount, grid->wrapZ),
			.share = tnCut_GetField(&body->cut, tn_columnShare)[link[1]],
			.low = tnCut_GetField(&body->cut, tn_columnLow)[link[1]],
			.high = tnCut_GetField(&body->cut, tn_columnHigh)[link[1]],
			.beside = beside,
		};
		tnStander* same = NULL;
		for (int i = 0; i < count && same == NULL; ++i)
		{
			const tnStander* s = standers + i;
			const bool here = s->shiftColumn == next.shiftColumn && s->shiftRow == next.shiftRow;
			const bool joined = body->mesh.simple || (s->low < next.high && next.low < s->high);
			same = s->body == body && here && joined ? standers + i : NULL;
		}
		if (same == NULL)
		{
			if (count == TN_LINK_BODIES)
			{
				return -1;
			}
			standers[count++] = next;
		}
		else if (same->beside == beside)
		{
			const float share = same->share + next.share;
			same->low = (same->share * same->low + next.share * next.low) / share;
			same->high = (same->share * same->high + next.share * next.high) / share;
			same->share = share;
		}
	}
	return count;
}

// ---------------------------------------------------------------------------------------------------------------------
// What bodies are at a height

// Where a link is: its first cell, not wrapped.
typedef struct tnLinkPlace
{
	int column, row;
	bool alongZ;
} tnLinkPlace;

// The hull of some places, in order.
static int tnMakeHull(tnSpot* spots, int count, tnSpot* hull)
{
	for (int i = 1; i < count; ++i)
	{
		const tnSpot spot = spots[i];
		int place = i;
		for (; place > 0 &&
			 (spots[place - 1].u > spot.u || (spots[place - 1].u == spot.u && spots[place - 1].v > spot.v));
			 --place)
		{
			spots[place] = spots[place - 1];
		}
		spots[place] = spot;
	}
	int kept = 0;
	for (int i = 0; i < count; ++i)
	{
		while (kept >= 2 && !(tnGetTurn(hull[kept - 2], hull[kept - 1], spots[i]) > 0.0))
		{
			kept -= 1;
		}
		hull[kept++] = spots[i];
	}
	const int lower = kept + 1;
	for (int i = count - 2; i >= 0; --i)
	{
		while (kept >= lower && !(tnGetTurn(hull[kept - 2], hull[kept - 1], spots[i]) > 0.0))
		{
			kept -= 1;
		}
		hull[kept++] = spots[i];
	}
	return kept > 1 ? kept - 1 : kept;
}

// Where the centre of mass of a body is, in cells of the grid.
static tnSpot tnGetMiddle(const tnGrid* grid, const tnPose* pose)
{
	const double scale = 1.0 / (double)grid->cellSize;
	return (tnSpot){((double)pose->position.x - (double)grid->origin.x) * scale,
		((double)pose->position.z - (double)grid->origin.z) * scale};
}

// The section of a convex body at a height: along x and z, in cells of the grid. Returns how many corners it has, or -1 if they are
// too many.
static int tnMakeSection(
	const tnGrid* grid, const tnMesh* mesh, const tnPose* pose, double height, tnSpot hull[TN_SECTION_POINTS])
{
	const tnAxes axes = tnQuat_GetAxes(pose->rotation);
	const tnSpot middle = tnGetMiddle(grid, pose);
	const double scale = 1.0 / (double)grid->cellSize;
	tnSpot spots[TN_SECTION_POINTS];
	int count = 0;
	for (int i = 0; i < mesh->edgeCount; ++i)
	{
		double ends[2][3];
		for (int k = 0; k < 2; ++k)
		{
			const tnVec3 p = mesh->points[mesh->edges[4 * (ptrdiff_t)i + k]];
			ends[k][0] = (double)axes.x.x * p.x + (double)axes.y.x * p.y + (double)axes.z.x * p.z;
			ends[k][1] = (double)axes.x.y * p.x + (double)axes.y.y * p.y + (double)axes.z.y * p.z;
			ends[k][2] = (double)axes.x.z * p.x + (double)axes.y.z * p.y + (double)axes.z.z * p.z;
		}
		const double from = height - pose->position.y - ends[0][1];
		const double to = height - pose->position.y - ends[1][1];
		if ((from < 0.0) == (to < 0.0))
		{
			continue;
		}
		if (count == TN_SECTION_POINTS / 2)
		{
			return -1;
		}
		const double share = from / (from - to);
		const double x = middle.u + scale * (ends[0][0] + share * (ends[1][0] - ends[0][0]));
		const double z = middle.v + scale * (ends[0][2] + share * (ends[1][2] - ends[0][2]));
		spots[count++] = (tnSpot){tnRoundPlace(x), tnRoundPlace(z)};
	}
	return count > 1 ? tnMakeHull(spots, count, hull) : 0;
}

// Sections that were made last: links beside each other see the same.
struct tnSectionCache
{
	struct
	{
		const tnBody* body;
		double height;
		bool before;
		int count;
		tnSpot hull[TN_SECTION_POINTS];
	} items[TN_SECTION_CACHE];
	int next;
};

static int tnSectionCache_Find(
	tnSectionCache* cache, const tnGrid* grid, const tnBody* body, double height, bool before)
{
	for (int i = 0; i < TN_SECTION_CACHE; ++i)
	{
		if (cache->items[i].body == body && cache->items[i].height == height && cache->items[i].before == before)
		{
			return i;
		}
	}
	const int place = cache->next;
	cache->next = (place + 1) % TN_SECTION_CACHE;
	cache->items[place].body = body;
	cache->items[place].height = height;
	cache->items[place].before = before;
	cache->items[place].count =
		tnMakeSection(grid, &body->mesh, before ? &body->pose : &body->aheadPose, height, cache->items[place].hull);
	return place;
}

static tnSpot tnToLink(const tnLinkPlace* place, double x, double z)
{
	return place->alongZ ? (tnSpot){z - place->row, x - place->column} : (tnSpot){x - place->column, z - place->row};
}

// What a link may look at.
static const tnFrame s_linkFrame = {-TN_LINK_BEYOND, 2.0 + TN_LINK_BEYOND, -TN_LINK_BEYOND, 1.0 + TN_LINK_BEYOND};

// Of bodies that are not convex: those of their triangles that face down, as far as they are below the height. Turned as they are
// when the step begins.
static void tnAddBottoms(const tnGrid* grid, const tnLinkPlace* place, const tnStander* stander, const tnPose* pose,
	double height, tnObstacles* obstacles)
{
	const tnBody* body = stander->body;
	const tnMesh* mesh = &body->mesh;
	const tnSpot middle = tnGetMiddle(grid, pose);
	const tnSpot shifted = {middle.u + stander->shiftColumn, middle.v + stander->shiftRow};
	const double scale = 1.0 / (double)grid->cellSize;
	// The frame, from the centre of mass, m.
	const tnSpot at = tnToLink(place, shifted.u, shifted.v);
	const float low[2] = {
		(float)((s_linkFrame.u0 - at.u) * grid->cellSize), (float)((s_linkFrame.v0 - at.v) * grid->cellSize)};
	const float high[2] = {
		(float)((s_linkFrame.u1 - at.u) * grid->cellSize), (float)((s_linkFrame.v1 - at.v) * grid->cellSize)};
	const double top = height - pose->position.y;
	for (int i = 0; i < mesh->triangleCount && !obstacles->full; ++i)
	{
		const int32_t* corners = mesh->triangles + 3 * (ptrdiff_t)i;
		const tnVec3 p[3] = {body->points[corners[0]], body->points[corners[1]], body->points[corners[2]]};
		bool outside = p[0].y > top && p[1].y > top && p[2].y > top;
		for (int axis = 0; axis < 2 && !outside; ++axis)
		{
			const bool x = (axis == 0) != place->alongZ;
			const float a = x ? p[0].x : p[0].z;
			const float b = x ? p[1].x : p[1].z;
			const float c = x ? p[2].x : p[2].z;
			outside = (a < low[axis] && b < low[axis] && c < low[axis]) ||
				(a > high[axis] && b > high[axis] && c > high[axis]);
		}
		// Counterclockwise from outside: seen from above, with z to the south, those that face down turn to the right.
		const float turn = (p[1].x - p[0].x) * (p[2].z - p[0].z) - (p[1].z - p[0].z) * (p[2].x - p[0].x);
		if (outside || !(turn > 0.0f))
		{
			continue;
		}
		tnSpot spots[6 + TN_CLIP_CORNERS];
		int count = 0;
		for (int k = 0; k < 3; ++k)
		{
			const tnVec3 a = p[k];
			const tnVec3 b = p[(k + 1) % 3];
			if (!(a.y > top))
			{
				spots[count++] = tnToLink(place, shifted.u + scale * a.x, shifted.v + scale * a.z);
			}
			if ((a.y > top) != (b.y > top))
			{
				const double share = (top - a.y) / ((double)b.y - a.y);
				const double x = a.x + share * ((double)b.x - a.x);
				const double z = a.z + share * ((double)b.z - a.z);
				spots[count++] = tnToLink(place, shifted.u + scale * x, shifted.v + scale * z);
			}
		}
		tnObstacles_Add(obstacles, spots, tnClipToFrame(spots, count, &s_linkFrame));
	}
}

static void tnAddObstacle(const tnLinkContext* context, const tnLinkPlace* place, const tnStander* stander, bool before,
	double height, tnObstacles* obstacles)
{
	const tnBody* body = stander->body;
	if (!body->mesh.simple)
	{
		obstacles->full |= body->mesh.triangleCount > TN_LINK_TRIANGLES;
		tnAddBottoms(context->grid, place, stander, before ? &body->pose : &body->aheadPose, height, obstacles);
		return;
	}
	const int found = tnSectionCache_Find(context->cache, context->grid, body, height, before);
	const int count = context->cache->items[found].count;
	tnSpot spots[TN_SECTION_POINTS + TN_CLIP_CORNERS];
	for (int i = 0; i < count; ++i)
	{
		const tnSpot spot = context->cache->items[found].hull[i];
		spots[i] = tnToLink(place, spot.u + stander->shiftColumn, spot.v + stander->shiftRow);
	}
	obstacles->full |= count < 0;
	tnObstacles_Add(obstacles, spots, tnClipToFrame(spots, count, &s_linkFrame));
}

// ---------------------------------------------------------------------------------------------------------------------
// Faces

// Does a body that blocks stand on the ground in a cell?
static bool tnStandsIn(const tnGroup* group, const tnGrid* grid, int slot)
{
	if (!(tnGroup_GetField(group, tn_cellCovered)[slot] > 0.0f) ||
		!(tnGroup_GetField(group, tn_cellBlocked)[slot] > 0.0f))
	{
		return false;
	}
	const int own = tnGroup_GetChain(group, tn_cellChain)[slot];
	if (own > 0)
	{
		const tnProfile* profile = group->profiles + own - 1;
		return profile->count > 0 && !(profile->breaks->volume > 0.0f);
	}
	return tnGroup_GetField(group, tn_cellSolid)[slot] > 0.0f &&
		tnGroup_GetField(group, tn_cellLow)[slot] <= grid->bed[tnGroup_GetCell(group, slot)];
}

// Is it wholly covered by one that does?
static bool tnIsFilled(const tnGroup* group, int slot)
{
	return tnGroup_GetChain(group, tn_cellChain)[slot] == 0 && tnGroup_GetField(group, tn_cellSolid)[slot] >= 1.0f;
}

// Is it in a level? Those beside the link, and small steps, do not divide it into levels.
static bool tnStander_IsAt(const tnStander* s, float low, float high)
{
	const float middle = 0.5f * (low + high);
	return s->low < middle && s->high > middle;
}

// Velocity of bodies through a face, m/s: their mean.
static float tnGetFaceSpeed(
	const tnGrid* grid, const tnLinkPlace* place, const tnStander* standers, int count, float low, float high)
{
	// Faces lie before their second cell.
	const tnFaceCut face = {
		.column = place->column + (place->alongZ ? 0 : 1),
		.row = place->row + (place->alongZ ? 1 : 0),
		.alongZ = place->alongZ,
	};
	float sum = 0.0f;
	float weight = 0.0f;
	for (int i = 0; i < count; ++i)
	{
		const tnBody* body = standers[i].body;
		if (standers[i].beside || !tnStander_IsAt(standers + i, low, high))
		{
			continue;
		}
		const tnVec2 offset = tnGetFaceOffset(grid, body, &face);
		const tnVec3 at = {offset.x, 0.5f * (low + high) - body->aheadPose.position.y, offset.z};
		const tnVec3 velocity = tnMotion_At(&body->motion, at);
		sum += standers[i].share * (place->alongZ ? velocity.z : velocity.x);
		weight += standers[i].share;
	}
	return weight > 0.0f ? sum / weight : 0.0f;
}

enum
{
	TN_LINK_HEIGHTS = 2 * TN_LINK_BODIES + 1,
};

// The heights between which the same bodies stand. Gaps that are lower than `least` are closed, and steps that are lower than half of
// it are none.
static int tnFindLevels(tnStander* standers, int count, float ground, float least, float* heights)
{
	int heightCount = 0;
	heights[heightCount++] = ground;
	for (int i = 0; i < count; ++i)
	{
		tnStander* s = standers + i;
		s->low = s->low < ground + least ? ground : s->low;
		for (int k = 0; k < count && s->low > ground; ++k)
		{
			const float gap = s->low - standers[k].high;
			s->low = gap > 0.0f && gap < least ? standers[k].high : s->low;
		}
		if (!s->beside)
		{
			heights[heightCount++] = s->low;
			heights[heightCount++] = s->high;
		}
	}
	for (int i = 1; i < heightCount; ++i)
	{
		const float height = heights[i];
		int place = i;
		for (; place > 0 && heights[place - 1] > height; --place)
		{
			heights[place] = heights[place - 1];
		}
		heights[place] = height;
	}
	int kept = 0;
	for (int i = 0; i < heightCount; ++i)
	{
		if (heights[i] >= ground && (kept == 0 || heights[i] > heights[kept - 1] + 0.5f * least))
		{
			heights[kept++] = heights[i];
		}
	}
	return kept;
}

// The obstacles of a level. Returns how many bodies stand in the two cells.
// @param before as they were when the step began
static int tnFindObstacles(const tnLinkContext* context, const tnLinkPlace* place, const tnStander* standers, int count,
	float low, float high, bool before, tnObstacles* obstacles)
{
	int here = 0;
	obstacles->count = 0;
	obstacles->spotCount = 0;
	obstacles->full = false;
	for (int i = 0; i < count; ++i)
	{
		const tnStander* s = standers + i;
		if (!tnStander_IsAt(s, low, high))
		{
			continue;
		}
		bool again = false;
		for (int k = 0; k < i; ++k)
		{
			const tnStander* other = standers + k;
			again |= other->body == s->body && other->shiftColumn == s->shiftColumn && other->shiftRow == s->shiftRow &&
				other->low <= low && other->high >= high;
		}
		here += s->beside ? 0 : 1;
		if (!again)
		{
			tnAddObstacle(context, place, s, before, 0.5 * ((double)low + (double)high), obstacles);
		}
	}
	tnObstacles_Bridge(obstacles);
	return here;
}

// Levels of a link with their shares.
typedef struct tnLinkLayers
{
	tnLayer items[TN_LINK_HEIGHTS];
	int count;
} tnLinkLayers;

// False if bodies do not stand there, or are too many.
static bool tnFindLayers(const tnLinkContext* context, const tnLinkPlace* place, const tnStander* standers, int count,
	const float* heights, int heightCount, tnLinkLayers* layers)
{
	layers->count = 0;
	bool moves = false;
	for (int i = 0; i < count; ++i)
	{
		const tnPose* ahead = &standers[i].body->aheadPose;
		moves |= memcmp(ahead, &standers[i].body->pose, sizeof(tnPose)) != 0;
	}
	for (int i = 0; i + 1 < heightCount; ++i)
	{
		tnObstacles obstacles, before;
		const int here =
			tnFindObstacles(context, place, standers, count, heights[i], heights[i + 1], false, &obstacles);
		if (obstacles.full || (i == 0 && here == 0))
		{
			return false;
		}
		bool pushed = false;
		double width = here > 0 ? tnFindLink(&obstacles, NULL, &pushed) : 1.0;
		if (pushed && moves)
		{
			tnFindObstacles(context, place, standers, count, heights[i], heights[i + 1], true, &before);
			width = tnFindLink(&obstacles, &before, &pushed);
		}
		const float share = (float)(1.0 - width);
		tnLayer* last = layers->items + layers->count - 1;
		if (!(share > 0.0f))
		{
			continue;
		}
		if (layers->count > 0 && last->share == share && last->high == heights[i])
		{
			last->high = heights[i + 1];
			continue;
		}
		layers->items[layers->count++] = (tnLayer){share, heights[i], heights[i + 1]};
	}
	return true;
}

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

// The sides of a cell before a body that has just got past its middle, or 0.
static unsigned tnFindSidesBefore(const tnLinkContext* context, int slot, int column, int row)
{
	const tnGroup* group = context->group;
	const float solid = tnGroup_GetField(group, tn_cellSolid)[slot];
	if (!(solid > 1.0f - TN_SWEPT_SHARE) || tnGroup_GetChain(group, tn_cellChain)[slot] != 0 ||
		!(tnGroup_GetField(group, tn_cellCovered)[slot] > TN_COVERED_COPY))
	{
		return 0;
	}
	tnStander standers[TN_LINK_BODIES];
	const int count = tnAddStanders(context, slot, column, row, false, standers, 0);
	const tnBody* body = standers->body;
	if (count != 1 || memcmp(&body->aheadPose, &body->pose, sizeof(tnPose)) == 0)
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
		const float* high = tnGroup_GetField(group, tn_cellHigh);
		layers.items[0] = (tnLayer){1.0f, ground, tnMaxFloat(high[first], high[slot])};
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
	tnLinkContext context = {group, grid, bodies, &cache,
		{.heads = (int*)scratch, .links = (int*)scratch + 2 * (ptrdiff_t)slotCount},
		(uint8_t*)((int*)scratch + slotCount)};
	const int room = (int)tnGetPackedStride(group->stripCount) * tn_packedFieldCount;
	context.standers.capacity = (room - 2 * slotCount) / TN_STANDER_INTS;
	if (!tnListStanders(&context, grouped))
	{
		return false;
	}
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
