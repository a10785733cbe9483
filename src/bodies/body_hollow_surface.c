// SPDX-License-Identifier: MIT

// The surface of the water in a hollow as triangles. Triangles of its mesh that the level cuts give edges of the surface. Between the
// heights along z at which edges begin and end, edges do not meet: sorted along x, the surface lies between the first and the second
// of them, the third and the fourth, and so on, as trapezoids. That needs no order of the edges, and islands are left out by itself.

#include "body_hollow.h"

// An edge of the surface, from its end at the lower z to that at the higher.
typedef struct tnSurfaceEdge
{
	double x[2], z[2];  // in the axes of the world
	double place[2][3]; // the same in the frame of the body
	double atMiddle;    // x where the strip at hand has its middle
} tnSurfaceEdge;

static void tnPutEnd(
	tnSurfaceEdge* edge, int end, const tnBodyHollows* hollows, int32_t below, int32_t above, double level)
{
	const tnVec3 a = hollows->points[below], b = hollows->points[above];
	const tnVec3 from = hollows->mesh.points[below], to = hollows->mesh.points[above];
	const double share = (level - (double)a.y) / ((double)b.y - (double)a.y);
	edge->x[end] = (double)a.x + share * ((double)b.x - (double)a.x);
	edge->z[end] = (double)a.z + share * ((double)b.z - (double)a.z);
	edge->place[end][0] = (double)from.x + share * ((double)to.x - (double)from.x);
	edge->place[end][1] = (double)from.y + share * ((double)to.y - (double)from.y);
	edge->place[end][2] = (double)from.z + share * ((double)to.z - (double)from.z);
}

// Where the level cuts a triangle. False if it does not.
static bool tnCutEdge(const tnBodyHollows* hollows, const int32_t* corners, double level, tnSurfaceEdge* edge)
{
	int end = 0;
	for (int i = 0; i < 3; ++i)
	{
		const int32_t a = corners[i], b = corners[(i + 1) % 3];
		const bool aboveA = (double)hollows->points[a].y > level, aboveB = (double)hollows->points[b].y > level;
		if (aboveA != aboveB)
		{
			tnPutEnd(edge, end++, hollows, aboveA ? b : a, aboveA ? a : b, level);
		}
	}
	if (end < 2 || edge->z[0] == edge->z[1])
	{
		return false;
	}
	if (edge->z[0] > edge->z[1])
	{
		const tnSurfaceEdge turned = *edge;
		for (int i = 0; i < 2; ++i)
		{
			edge->x[i] = turned.x[1 - i];
			edge->z[i] = turned.z[1 - i];
			for (int axis = 0; axis < 3; ++axis)
			{
				edge->place[i][axis] = turned.place[1 - i][axis];
			}
		}
	}
	return true;
}

// Insertion: there are some dozens.
static void tnSortHeights(double* heights, int count)
{
	for (int i = 1; i < count; ++i)
	{
		const double height = heights[i];
		int place = i;
		for (; place > 0 && heights[place - 1] > height; --place)
		{
			heights[place] = heights[place - 1];
		}
		heights[place] = height;
	}
}

static double tnGetShare(const tnSurfaceEdge* edge, double z)
{
	const double share = (z - edge->z[0]) / (edge->z[1] - edge->z[0]);
	return share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
}

static tnVec3 tnFindPlace(const tnSurfaceEdge* edge, double z)
{
	const double share = tnGetShare(edge, z);
	const double* from = edge->place[0];
	const double* to = edge->place[1];
	return (tnVec3){(float)(from[0] + share * (to[0] - from[0])), (float)(from[1] + share * (to[1] - from[1])),
		(float)(from[2] + share * (to[2] - from[2]))};
}

// Edges that cross a strip, from the left to the right.
static int tnSortEdges(tnSurfaceEdge* edges, int edgeCount, double low, double high, int32_t* order)
{
	const double middle = 0.5 * (low + high);
	int count = 0;
	for (int i = 0; i < edgeCount; ++i)
	{
		tnSurfaceEdge* edge = edges + i;
		if (!(edge->z[0] <= low && edge->z[1] >= high))
		{
			continue;
		}
		edge->atMiddle = edge->x[0] + tnGetShare(edge, middle) * (edge->x[1] - edge->x[0]);
		int place = count++;
		for (; place > 0 && edges[order[place - 1]].atMiddle > edge->atMiddle; --place)
		{
			order[place] = order[place - 1];
		}
		order[place] = i;
	}
	return count;
}

static int tnAddCorners(tnVec3* corners, int capacity, int count, const tnVec3* added, int addedCount)
{
	for (int i = 0; corners != NULL && i < addedCount && count + i < capacity; ++i)
	{
		corners[count + i] = added[i];
	}
	return count + addedCount;
}

static int tnFillStrips(
	tnSurfaceEdge* edges, int edgeCount, double* heights, int32_t* order, tnVec3* corners, int capacity)
{
	// Thinner strips are roundings, as a share of all.
	const double thin = 1.0e-7;
	int count = 0, heightCount = 0;
	for (int i = 0; i < edgeCount; ++i)
	{
		heights[heightCount++] = edges[i].z[0];
		heights[heightCount++] = edges[i].z[1];
	}
	tnSortHeights(heights, heightCount);
	const double least = heightCount > 0 ? thin * (heights[heightCount - 1] - heights[0]) : 0.0;
	for (int i = 0; i + 1 < heightCount; ++i)
	{
		const double low = heights[i], high = heights[i + 1];
		const int found = high - low > least ? tnSortEdges(edges, edgeCount, low, high, order) : 0;
		for (int k = 0; k + 1 < found; k += 2)
		{
			const tnSurfaceEdge* left = edges + order[k];
			const tnSurfaceEdge* right = edges + order[k + 1];
			const tnVec3 four[4] = {
				tnFindPlace(left, low), tnFindPlace(left, high), tnFindPlace(right, high), tnFindPlace(right, low)};
			const tnVec3 six[6] = {four[0], four[1], four[2], four[0], four[2], four[3]};
			count = tnAddCorners(corners, capacity, count, six, 6);
		}
	}
	return count;
}

int tnBodyHollows_CutSurface(const tnBodyHollows* hollows, int index, tnMemory* memory, tnVec3* corners, int capacity)
{
	const tnHollow* item = hollows->items + index;
	const tnHollowShape* shape = hollows->mesh.items + index;
	if (!(item->level > (double)item->low))
	{
		return 0;
	}
	// A full one is cut just below its lid.
	const double top = (double)item->high - 1.0e-5 * ((double)item->high - (double)item->low);
	const double level = item->level < top ? item->level : top;
	const int32_t* triangles = hollows->mesh.triangles + 3 * (ptrdiff_t)shape->firstTriangle;
	int edgeCount = 0;
	for (int i = 0; i < shape->triangleCount; ++i)
	{
		tnSurfaceEdge edge;
		edgeCount += tnCutEdge(hollows, triangles + 3 * (ptrdiff_t)i, level, &edge) ? 1 : 0;
	}
	if (edgeCount == 0)
	{
		return 0;
	}
	const size_t edgeBytes = (size_t)edgeCount * sizeof(tnSurfaceEdge);
	const size_t heightBytes = 2 * (size_t)edgeCount * sizeof(double), orderBytes = (size_t)edgeCount * sizeof(int32_t);
	tnSurfaceEdge* edges = tnMemory_Alloc(memory, edgeBytes);
	double* heights = tnMemory_Alloc(memory, heightBytes);
	int32_t* order = tnMemory_Alloc(memory, orderBytes);
	int count = -1;
	if (edges != NULL && heights != NULL && order != NULL)
	{
		int made = 0;
		for (int i = 0; i < shape->triangleCount; ++i)
		{
			made += tnCutEdge(hollows, triangles + 3 * (ptrdiff_t)i, level, edges + made) ? 1 : 0;
			if (made == edgeCount)
			{
				break;
			}
		}
		count = tnFillStrips(edges, edgeCount, heights, order, corners, capacity);
	}
	tnMemory_Free(memory, edges, edgeBytes);
	tnMemory_Free(memory, heights, heightBytes);
	tnMemory_Free(memory, order, orderBytes);
	return count;
}
