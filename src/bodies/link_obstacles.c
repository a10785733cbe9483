// SPDX-License-Identifier: MIT

// Obstacles in the rectangle of a link: clipped, bridged where they touch, and the way between them that is narrowest. See body_links.c.

#include "link_obstacles.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Obstacles

int tnClipSide(const tnSpot* in, int count, bool alongV, double at, double keep, tnSpot* out)
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

int tnClipToFrame(tnSpot* spots, int count, const tnFrame* frame)
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

void tnObstacles_Add(tnObstacles* obstacles, const tnSpot* spots, int count)
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

void tnObstacles_Clip(const tnObstacles* from, const tnFrame* frame, tnObstacles* to)
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

double tnGetTurn(tnSpot a, tnSpot b, tnSpot p)
{
	return (b.u - a.u) * (p.v - a.v) - (b.v - a.v) * (p.u - a.u);
}

bool tnPolygon_Holds(const tnSpot* spots, int count, tnSpot p)
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

double tnPolygon_GetSquare(const tnSpot* spots, int count, tnSpot p)
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

double tnPolygons_FindNearest(const tnSpot* a, int aCount, const tnSpot* b, int bCount, tnSpot ends[2])
{
	if (tnPolygon_Holds(a, aCount, b[0]) || tnPolygon_Holds(b, bCount, a[0]) || tnDoSidesCross(a, aCount, b, bCount))
	{
		return 0.0;
	}
	double least = INFINITY;
	for (int turn = 0; turn < 2; ++turn)
	{
		const tnSpot* from = turn == 0 ? a : b;
		const tnSpot* to = turn == 0 ? b : a;
		const int fromCount = turn == 0 ? aCount : bCount;
		const int toCount = turn == 0 ? bCount : aCount;
		for (int i = 0; i < fromCount; ++i)
		{
			double square;
			const tnSpot nearest = tnPolygon_GetNearest(to, toCount, from[i], &square);
			if (square < least)
			{
				least = square;
				ends[turn] = from[i];
				ends[1 - turn] = nearest;
			}
		}
	}
	return sqrt(least);
}

void tnObstacles_Bridge(tnObstacles* obstacles)
{
	const int count = obstacles->count;
	for (int i = 1; i < count; ++i)
	{
		for (int k = 0; k < i && !obstacles->full; ++k)
		{
			const double distance = tnObstacles_GetDistance(obstacles, i, k);
			if (distance > 0.0 && distance <= TN_LINK_TOLERANCE)
			{
				const tnObstacle* a = obstacles->items + i;
				const tnObstacle* b = obstacles->items + k;
				tnSpot ends[2] = {{0.0, 0.0}, {0.0, 0.0}};
				tnPolygons_FindNearest(
					obstacles->spots + a->begin, a->count, obstacles->spots + b->begin, b->count, ends);
				tnObstacles_Add(obstacles, ends, 2);
			}
		}
	}
}

double tnObstacles_GetGap(const tnObstacles* obstacles, int first, int second)
{
	const double distance = tnObstacles_GetDistance(obstacles, first, second);
	return distance > TN_LINK_TOLERANCE ? distance : 0.0;
}

// ---------------------------------------------------------------------------------------------------------------------
// The narrowest place

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

double tnFindWidth(const tnObstacles* all, double u0, double u1, const tnWay* ends)
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
