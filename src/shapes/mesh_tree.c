// SPDX-License-Identifier: MIT

// A tree over triangles, halved at the middle of their order along the longest side, down to TN_LEAF of them. Nodes lie in the order
// in which they are visited: a box that is missed is left by going on to `next`, and no stack is needed.

#include "mesh_tree.h"

#include <math.h>
#include <string.h>

enum
{
	TN_LEAF = 4,
};

// How far beside a triangle a way still meets it, as a share of its sides: what goes through an edge meets both triangles
// rather than none.
#define TN_EDGE_SLACK 1.0e-6

// ---------------------------------------------------------------------------------------------------------------------
// Making

typedef struct tnTreeMaker
{
	const tnMesh* mesh;
	tnMeshTree* tree;
	float slack; // of boxes, m
} tnTreeMaker;

static float tnGetAxis(tnVec3 v, int axis)
{
	return axis == 0 ? v.x : (axis == 1 ? v.y : v.z);
}

// Three times the middle of a triangle along an axis.
static float tnGetKey(const tnMesh* mesh, int32_t triangle, int axis)
{
	const int32_t* corners = mesh->triangles + 3 * (ptrdiff_t)triangle;
	return tnGetAxis(mesh->points[corners[0]], axis) + tnGetAxis(mesh->points[corners[1]], axis) +
		tnGetAxis(mesh->points[corners[2]], axis);
}

// Let the triangles before `middle` have no greater keys than those after it (Hoare).
static void tnSelect(const tnMesh* mesh, int32_t* order, int begin, int end, int middle, int axis)
{
	int low = begin;
	int high = end - 1;
	while (low < high)
	{
		const float pivot = tnGetKey(mesh, order[low + (high - low) / 2], axis);
		int i = low;
		int k = high;
		while (i <= k)
		{
			while (tnGetKey(mesh, order[i], axis) < pivot)
			{
				++i;
			}
			while (tnGetKey(mesh, order[k], axis) > pivot)
			{
				--k;
			}
			if (i <= k)
			{
				const int32_t held = order[i];
				order[i++] = order[k];
				order[k--] = held;
			}
		}
		if (middle > k && middle < i)
		{
			return;
		}
		low = middle <= k ? low : i;
		high = middle <= k ? k : high;
	}
}

static void tnFindBounds(const tnTreeMaker* maker, int begin, int end, tnTreeNode* node)
{
	const tnMesh* mesh = maker->mesh;
	tnVec3 low = mesh->points[mesh->triangles[3 * (ptrdiff_t)maker->tree->order[begin]]];
	tnVec3 high = low;
	for (int i = begin; i < end; ++i)
	{
		for (int k = 0; k < 3; ++k)
		{
			const tnVec3 p = mesh->points[mesh->triangles[3 * (ptrdiff_t)maker->tree->order[i] + k]];
			low = (tnVec3){tnMinFloat(low.x, p.x), tnMinFloat(low.y, p.y), tnMinFloat(low.z, p.z)};
			high = (tnVec3){tnMaxFloat(high.x, p.x), tnMaxFloat(high.y, p.y), tnMaxFloat(high.z, p.z)};
		}
	}
	const float s = maker->slack;
	node->low = (tnVec3){low.x - s, low.y - s, low.z - s};
	node->high = (tnVec3){high.x + s, high.y + s, high.z + s};
}

// As deep as the logarithm of the count.
static void tnMakeNode(const tnTreeMaker* maker, int begin, int end)
{
	tnMeshTree* tree = maker->tree;
	const int index = tree->nodeCount++;
	tnTreeNode* node = tree->nodes + index;
	tnFindBounds(maker, begin, end, node);
	node->leaf = end - begin <= TN_LEAF ? 8 * begin + (end - begin) : -1;
	if (node->leaf < 0)
	{
		const float x = node->high.x - node->low.x;
		const float y = node->high.y - node->low.y;
		const float z = node->high.z - node->low.z;
		const int axis = x >= y && x >= z ? 0 : (y >= z ? 1 : 2);
		const int middle = begin + (end - begin) / 2;
		tnSelect(maker->mesh, tree->order, begin, end, middle, axis);
		tnMakeNode(maker, begin, middle);
		tnMakeNode(maker, middle, end);
	}
	node->next = tree->nodeCount;
}

bool tnMeshTree_Create(tnMeshTree* tree, tnMemory* memory, const tnMesh* mesh)
{
	const size_t count = (size_t)mesh->triangleCount;
	*tree = (tnMeshTree){.triangleCount = mesh->triangleCount};
	// Leaves have two triangles or more, if there are as many: no more nodes than triangles.
	tree->nodes = tnMemory_Alloc(memory, count * sizeof(tnTreeNode));
	tree->order = tnMemory_Alloc(memory, count * sizeof(int32_t));
	if (tree->nodes == NULL || tree->order == NULL)
	{
		tnMeshTree_Destroy(tree, memory);
		return false;
	}
	for (int i = 0; i < mesh->triangleCount; ++i)
	{
		tree->order[i] = i;
	}
	const tnTreeMaker maker = {mesh, tree, 4.0f * (float)TN_EDGE_SLACK * mesh->radius};
	tnMakeNode(&maker, 0, mesh->triangleCount);
	return true;
}

void tnMeshTree_Destroy(tnMeshTree* tree, tnMemory* memory)
{
	tnMemory_Free(memory, tree->nodes, (size_t)tree->triangleCount * sizeof(tnTreeNode));
	tnMemory_Free(memory, tree->order, (size_t)tree->triangleCount * sizeof(int32_t));
	memset(tree, 0, sizeof(*tree));
}

// ---------------------------------------------------------------------------------------------------------------------
// Asking

typedef struct tnCast
{
	tnMeshWay way;
	double inverse[3];
	tnCrossing crossing;
	tnMeshHit hit; // nearest so far
	bool found;
} tnCast;

static bool tnMeetsBox(const tnCast* cast, const tnTreeNode* node)
{
	const double low[3] = {node->low.x, node->low.y, node->low.z};
	const double high[3] = {node->high.x, node->high.y, node->high.z};
	double begin = 0.0;
	double end = cast->hit.at;
	for (int k = 0; k < 3; ++k)
	{
		const double a = (low[k] - cast->way.from[k]) * cast->inverse[k];
		const double b = (high[k] - cast->way.from[k]) * cast->inverse[k];
		const double first = a < b ? a : b;
		const double last = a < b ? b : a;
		begin = first > begin ? first : begin;
		end = last < end ? last : end;
	}
	return begin <= end;
}

static void tnCross3(const double a[3], const double b[3], double out[3])
{
	out[0] = a[1] * b[2] - a[2] * b[1];
	out[1] = a[2] * b[0] - a[0] * b[2];
	out[2] = a[0] * b[1] - a[1] * b[0];
}

static double tnDot3(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// After Moeller and Trumbore (1997).
static void tnMeetTriangle(tnCast* cast, const tnMesh* mesh, int32_t triangle)
{
	const int32_t* corners = mesh->triangles + 3 * (ptrdiff_t)triangle;
	const tnVec3 p = mesh->points[corners[0]];
	const tnVec3 q = mesh->points[corners[1]];
	const tnVec3 r = mesh->points[corners[2]];
	const double a[3] = {(double)q.x - p.x, (double)q.y - p.y, (double)q.z - p.z};
	const double b[3] = {(double)r.x - p.x, (double)r.y - p.y, (double)r.z - p.z};
	const double from[3] = {cast->way.from[0] - p.x, cast->way.from[1] - p.y, cast->way.from[2] - p.z};
	double across[3], turn[3];
	tnCross3(cast->way.way, b, across);
	const double det = tnDot3(a, across); // negative if it leaves
	if (det == 0.0 || (cast->crossing == tn_entering && det < 0.0) || (cast->crossing == tn_leaving && det > 0.0))
	{
		return;
	}
	const double u = tnDot3(from, across) / det;
	// Most are beside it: no need to know how far.
	if (!(u >= -TN_EDGE_SLACK && u <= 1.0 + 3.0 * TN_EDGE_SLACK))
	{
		return;
	}
	tnCross3(from, a, turn);
	const double v = tnDot3(cast->way.way, turn) / det;
	const double at = tnDot3(b, turn) / det;
	if (u >= -TN_EDGE_SLACK && v >= -TN_EDGE_SLACK && u + v <= 1.0 + TN_EDGE_SLACK && at >= 0.0 && at <= cast->hit.at)
	{
		double normal[3];
		tnCross3(a, b, normal);
		const double length = sqrt(tnDot3(normal, normal));
		if (length > 0.0)
		{
			cast->hit = (tnMeshHit){at, {normal[0] / length, normal[1] / length, normal[2] / length}};
			cast->found = true;
		}
	}
}

bool tnMeshTree_MayHold(const tnMeshTree* tree, const double place[3])
{
	const tnTreeNode* all = tree->nodes;
	return place[0] >= all->low.x && place[0] <= all->high.x && place[1] >= all->low.y && place[1] <= all->high.y &&
		place[2] >= all->low.z && place[2] <= all->high.z;
}

// Are both ends of a way on one side of the whole mesh?
static bool tnPasses(const tnMeshTree* tree, const tnMeshWay* way)
{
	const tnTreeNode* all = tree->nodes;
	const double low[3] = {all->low.x, all->low.y, all->low.z};
	const double high[3] = {all->high.x, all->high.y, all->high.z};
	for (int k = 0; k < 3; ++k)
	{
		const double from = way->from[k];
		const double to = from + way->way[k];
		if ((from < low[k] && to < low[k]) || (from > high[k] && to > high[k]))
		{
			return true;
		}
	}
	return false;
}

bool tnMeshTree_Cast(
	const tnMeshTree* tree, const tnMesh* mesh, const tnMeshWay* way, tnCrossing crossing, tnMeshHit* hit)
{
	if (tnPasses(tree, way))
	{
		return false;
	}
	tnCast cast = {.way = *way, .crossing = crossing, .hit.at = 1.0};
	for (int k = 0; k < 3; ++k)
	{
		// Large enough, and no NaN times zero.
		const double d = way->way[k];
		cast.inverse[k] = d > 1.0e-30 || d < -1.0e-30 ? 1.0 / d : 1.0e30;
	}
	for (int i = 0; i < tree->nodeCount;)
	{
		const tnTreeNode* node = tree->nodes + i;
		if (!tnMeetsBox(&cast, node))
		{
			i = node->next;
			continue;
		}
		for (int k = 0; node->leaf >= 0 && k < (node->leaf & 7); ++k)
		{
			tnMeetTriangle(&cast, mesh, tree->order[(node->leaf >> 3) + k]);
		}
		i += 1;
	}
	*hit = cast.hit;
	return cast.found;
}
