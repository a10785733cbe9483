// SPDX-License-Identifier: MIT

// Where the water of a cell is: the free arcs of its rim, and what a link from there to the next cell leaves open. See body_links.c.

#include "link_water.h"

#include <math.h>
#include <string.h>

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

bool tnIsFreeAt(const tnObstacles* obstacles, tnSpot place)
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

tnCellWater tnFindWater(const tnObstacles* obstacles, tnSpot corner)
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

double tnFindLink(const tnObstacles* obstacles, const tnObstacles* before, bool* pushed)
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
