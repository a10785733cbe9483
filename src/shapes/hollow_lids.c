// SPDX-License-Identifier: MIT

// The level lid of a basin: the edges that it has to close, triangles between them, and where over its rim water comes and goes.

#include "hollow_maker.h"
#include "hollow_mesh.h"

#include <math.h>
#include <string.h>

// The edges of what faces into a basin that lie in the plane of its lid. Returns twice the area inside of them, signed.
double tnFindLidEdges(tnMaker* maker, int basin)
{
	maker->edges.count = 0;
	const tnMadeTriangle* triangles = maker->triangles.items;
	const tnVec3* points = maker->points.items;
	const float height = maker->heights[basin];
	double area = 0.0;
	for (int i = 0; i < maker->triangles.count; ++i)
	{
		for (int k = 0; k < 3 && triangles[i].basin == basin; ++k)
		{
			const int32_t a = triangles[i].corners[k];
			const int32_t b = triangles[i].corners[(k + 1) % 3];
			if (points[a].y == height && points[b].y == height)
			{
				tnLidEdge* edge = tnGrowing_Add(&maker->edges);
				if (edge != NULL)
				{
					*edge = (tnLidEdge){{points[a].x, points[a].z}, {points[b].x, points[b].z}, {a, b}};
					area += edge->from[0] * edge->to[1] - edge->to[0] * edge->from[1];
				}
			}
		}
	}
	return area;
}

// Does all that faces into a basin close up to a level hole?
bool tnIsClosed(const tnMaker* maker, int basin)
{
	const tnMadeTriangle* triangles = maker->triangles.items;
	const tnVec3* points = maker->points.items;
	double sum[3] = {0.0, 0.0, 0.0};
	double all = 0.0;
	for (int i = 0; i < maker->triangles.count; ++i)
	{
		if (triangles[i].basin != basin)
		{
			continue;
		}
		const tnVec3 a = points[triangles[i].corners[0]];
		const tnVec3 b = points[triangles[i].corners[1]];
		const tnVec3 c = points[triangles[i].corners[2]];
		const double u[3] = {(double)b.x - a.x, (double)b.y - a.y, (double)b.z - a.z};
		const double v[3] = {(double)c.x - a.x, (double)c.y - a.y, (double)c.z - a.z};
		const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
		all += fabs(n[0]) + fabs(n[1]) + fabs(n[2]);
		for (int axis = 0; axis < 3; ++axis)
		{
			sum[axis] += n[axis];
		}
	}
	const double limit = 1.0e-4 * all;
	const bool sideways = fabs(sum[0]) <= limit && fabs(sum[2]) <= limit;
	return all > 0.0 && sideways && (maker->heights[basin] < HUGE_VALF || fabs(sum[1]) <= limit);
}

typedef struct tnLidCrossing
{
	double z[2]; // at both ends of a band
	int turn;
} tnLidCrossing;

static void tnSortDoubles(double* values, int count)
{
	for (int i = 1; i < count; ++i)
	{
		const double value = values[i];
		int k = i;
		for (; k > 0 && value < values[k - 1]; --k)
		{
			values[k] = values[k - 1];
		}
		values[k] = value;
	}
}

static void tnSortCrossings(tnLidCrossing* items, int count)
{
	for (int i = 1; i < count; ++i)
	{
		const tnLidCrossing item = items[i];
		int k = i;
		for (; k > 0 && item.z[0] + item.z[1] < items[k - 1].z[0] + items[k - 1].z[1]; --k)
		{
			items[k] = items[k - 1];
		}
		items[k] = item;
	}
}

// Fill what is inside of the edges of a lid: bands between the corners along x, of which each is cut where edges cross it. Triangles
// face up and belong to nobody yet: `basin` is theirs, counted from -2 downwards. False if the edges do not close.
bool tnFillLid(tnMaker* maker, int basin, double area)
{
	const int edgeCount = maker->edges.count;
	const tnLidEdge* edges = maker->edges.items;
	const size_t placeBytes = 2 * (size_t)edgeCount * sizeof(double);
	const size_t crossingBytes = (size_t)edgeCount * sizeof(tnLidCrossing);
	double* places = tnMemory_Alloc(maker->memory, placeBytes);
	tnLidCrossing* crossings = tnMemory_Alloc(maker->memory, crossingBytes);
	bool closed = true;
	maker->points.failed = maker->points.failed || places == NULL || crossings == NULL;
	for (int i = 0; i < edgeCount && !maker->points.failed; ++i)
	{
		places[2 * i] = edges[i].from[0];
		places[2 * i + 1] = edges[i].to[0];
	}
	if (!maker->points.failed)
	{
		tnSortDoubles(places, 2 * edgeCount);
	}
	const double margin = 0.1 * TN_TOUCHING * maker->extent;
	int begin = 0;
	for (int band = 1; band < 2 * edgeCount && !maker->points.failed && closed; ++band)
	{
		const double low = places[begin], high = places[band];
		if (high - low <= margin)
		{
			continue;
		}
		begin = band;
		int count = 0;
		for (int i = 0; i < edgeCount; ++i)
		{
			const bool right = edges[i].to[0] > edges[i].from[0];
			const double* a = right ? edges[i].from : edges[i].to;
			const double* b = right ? edges[i].to : edges[i].from;
			if (a[0] <= low + margin && b[0] >= high - margin && b[0] - a[0] > margin)
			{
				const double slope = (b[1] - a[1]) / (b[0] - a[0]);
				crossings[count++] = (tnLidCrossing){{a[1] + slope * (low - a[0]), a[1] + slope * (high - a[0])},
					(right ? 1 : -1) * (area > 0.0 ? 1 : -1)};
			}
		}
		tnSortCrossings(crossings, count);
		int depth = 0;
		for (int i = 0; i < count; ++i)
		{
			const tnLidCrossing* from = crossings + i - 1;
			const tnLidCrossing* to = crossings + i;
			if (depth > 0 && to->z[0] + to->z[1] - from->z[0] - from->z[1] > margin)
			{
				const double y = (double)maker->heights[basin];
				const double corners[4][3] = {
					{low, y, from->z[0]}, {low, y, to->z[0]}, {high, y, to->z[1]}, {high, y, from->z[1]}};
				int32_t at[4];
				for (int k = 0; k < 4; ++k)
				{
					at[k] = tnAddPoint(maker, corners[k], maker->heights[basin]);
				}
				tnAddMade(maker, at[0], at[1], at[2], -2 - basin);
				tnAddMade(maker, at[0], at[2], at[3], -2 - basin);
			}
			depth += to->turn;
		}
		closed = depth == 0;
	}
	tnMemory_Free(maker->memory, places, placeBytes);
	tnMemory_Free(maker->memory, crossings, crossingBytes);
	return closed;
}

// ---------------------------------------------------------------------------------------------------------------------
// Rims

// The way out over the rim from a place on it. False if there is none, or none that leads anywhere else.
static bool tnFindWayOut(
	const tnMaker* maker, int basin, const double middle[2], const double out[2], double length, tnRim* rim)
{
	const tnHollowSearch* search = &maker->search;
	double crest = (double)maker->heights[basin];
	for (double way = 1.0e-4 * maker->extent; way < maker->extent; way *= 1.4)
	{
		const double point[3] = {middle[0] + way * out[0], middle[1] + way * out[1], crest - search->tolerance};
		double top;
		if (tnHollowSearch_IsSolid(search, point, &top))
		{
			crest = top > crest ? top : crest;
			continue;
		}
		const int other = tnHollowSearch_Locate(search, point);
		const bool hollow = other >= 0 && maker->alive[other] && point[2] < (double)maker->heights[other];
		if (other == TN_UNKNOWN_AIR || (hollow && other == basin))
		{
			continue;
		}
		*rim = (tnRim){
			.crest = {(float)(middle[0] + 0.5 * way * out[0]), (float)crest, (float)(middle[1] + 0.5 * way * out[1])},
			.beyond = {(float)point[0], (float)crest, (float)point[1]},
			.length = (float)length,
			.other = hollow ? (int16_t)maker->hollowOf[other] : (int16_t)-1,
		};
		// Of two hollows side by side the first one has what is between them.
		return !hollow || maker->hollowOf[basin] < maker->hollowOf[other];
	}
	return false;
}

void tnFindRim(tnMaker* maker, int basin, double area)
{
	const tnLidEdge* edges = maker->edges.items;
	double around = 0.0;
	for (int pass = 0; pass < 2; ++pass)
	{
		for (int i = 0; i < maker->edges.count; ++i)
		{
			const double d[2] = {edges[i].to[0] - edges[i].from[0], edges[i].to[1] - edges[i].from[1]};
			const double length = sqrt(d[0] * d[0] + d[1] * d[1]);
			if (pass == 0)
			{
				around += length;
			}
			else if (length > 1.0e-4 * around)
			{
				const int parts = 1 + (int)(24.0 * length / around);
				const double turn = area > 0.0 ? 1.0 : -1.0;
				const double out[2] = {turn * d[1] / length, -turn * d[0] / length};
				for (int k = 0; k < parts; ++k)
				{
					const double share = (k + 0.5) / parts;
					const double middle[2] = {edges[i].from[0] + share * d[0], edges[i].from[1] + share * d[1]};
					tnRim rim;
					if (tnFindWayOut(maker, basin, middle, out, length / parts, &rim))
					{
						tnRim* added = tnGrowing_Add(&maker->rims);
						if (added != NULL)
						{
							*added = rim;
						}
					}
				}
			}
		}
	}
}
