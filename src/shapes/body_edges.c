// SPDX-License-Identifier: MIT

// Edges of a mesh, from its triangles, and facets: triangles that lie in one plane.

#include "body_edges.h"

#include "body_measure.h"

#include <string.h>

// Edges in a hash table. An edge is its two points, the lower one first, and two bits that say in which directions
// triangles run along it; 0 is a free slot.
typedef struct tnEdgeTable
{
	uint64_t* slots;
	size_t slotCount; // a power of two
} tnEdgeTable;

static uint64_t tnMakeEdge(int32_t a, int32_t b)
{
	const uint64_t low = (uint64_t)(a < b ? a : b);
	const uint64_t high = (uint64_t)(a < b ? b : a);
	return low << 33 | high << 2;
}

static uint64_t* tnEdgeTable_Find(const tnEdgeTable* table, uint64_t edge)
{
	uint64_t hash = edge * UINT64_C(0x9e3779b97f4a7c15);
	hash ^= hash >> 32;
	size_t at = (size_t)hash & (table->slotCount - 1);
	while (table->slots[at] != 0 && (table->slots[at] & ~UINT64_C(3)) != edge)
	{
		at = (at + 1) & (table->slotCount - 1);
	}
	return table->slots + at;
}

static tnResult tnCheckEdges(int index, const tnShapeDef* shape, const tnEdgeTable* table)
{
	for (int i = 0; i < 3 * shape->triangleCount; ++i)
	{
		const int32_t a = shape->triangles[i];
		const int32_t b = shape->triangles[i % 3 == 2 ? i - 2 : i + 1];
		if (a == b)
		{
			continue;
		}
		const uint64_t direction = a < b ? 1 : 2;
		uint64_t* slot = tnEdgeTable_Find(table, tnMakeEdge(a, b));
		if (*slot & direction)
		{
			return tnFail(tn_invalidArgument,
				"shapes[%d]: two triangles run from points[%d] to points[%d], the second is triangle %d", index, (int)a,
				(int)b, i / 3);
		}
		*slot = tnMakeEdge(a, b) | (*slot & 3) | direction;
	}
	for (int i = 0; i < 3 * shape->triangleCount; ++i)
	{
		const int32_t a = shape->triangles[i];
		const int32_t b = shape->triangles[i % 3 == 2 ? i - 2 : i + 1];
		if (a != b && (*tnEdgeTable_Find(table, tnMakeEdge(a, b)) & 3) != 3)
		{
			return tnFail(tn_invalidArgument,
				"shapes[%d] is open: there is nothing beyond the edge from points[%d] to points[%d] of triangle %d",
				index, (int)a, (int)b, i / 3);
		}
	}
	return tnSuccess();
}

tnResult tnCheckClosed(int index, const tnShapeDef* shape, tnMemory* memory)
{
	tnEdgeTable table = {.slotCount = 16};
	// An open mesh has up to three edges for each triangle.
	while (table.slotCount < (size_t)shape->triangleCount * 4)
	{
		table.slotCount *= 2;
	}
	table.slots = tnMemory_Alloc(memory, table.slotCount * sizeof(uint64_t));
	if (table.slots == NULL)
	{
		return tnFail(tn_outOfMemory, "out of memory for the edges of shapes[%d]", index);
	}
	const tnResult result = tnCheckEdges(index, shape, &table);
	tnMemory_Free(memory, table.slots, table.slotCount * sizeof(uint64_t));
	return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Edges and facets

size_t tnGetEdgeBytes(int triangleCount)
{
	return 4 * (size_t)(3 * triangleCount / 2) * sizeof(int32_t);
}

bool tnMesh_FindEdges(tnMesh* mesh, tnMemory* memory)
{
	const int count = 3 * mesh->triangleCount / 2;
	tnEdgeTable table = {.slotCount = 16};
	while (table.slotCount < (size_t)count * 2)
	{
		table.slotCount *= 2;
	}
	int32_t* places = tnMemory_Alloc(memory, table.slotCount * sizeof(int32_t));
	table.slots = tnMemory_Alloc(memory, table.slotCount * sizeof(uint64_t));
	mesh->edges = tnMemory_Alloc(memory, tnGetEdgeBytes(mesh->triangleCount));
	const bool ok = places != NULL && table.slots != NULL && mesh->edges != NULL;
	for (int i = 0; i < 3 * mesh->triangleCount && ok; ++i)
	{
		const int32_t a = mesh->triangles[i];
		const int32_t b = mesh->triangles[i % 3 == 2 ? i - 2 : i + 1];
		uint64_t* slot = tnEdgeTable_Find(&table, tnMakeEdge(a, b));
		const ptrdiff_t at = slot - table.slots;
		if (*slot == 0)
		{
			*slot = tnMakeEdge(a, b);
			places[at] = mesh->edgeCount++;
			int32_t* edge = mesh->edges + 4 * (ptrdiff_t)places[at];
			edge[0] = a;
			edge[1] = b;
			edge[2] = i / 3;
		}
		else
		{
			mesh->edges[4 * (ptrdiff_t)places[at] + 3] = i / 3;
		}
	}
	TN_ASSERT(!ok || mesh->edgeCount == count);
	tnMemory_Free(memory, places, table.slotCount * sizeof(int32_t));
	tnMemory_Free(memory, table.slots, table.slotCount * sizeof(uint64_t));
	return ok;
}

size_t tnGetFacetBytes(int triangleCount)
{
	return 3 * (size_t)triangleCount * sizeof(int32_t);
}

// Corners that are off the plane of a triangle by no more than this, over the radius of the mesh, lie in it. It is what
// rounding of doubles makes of points that do: body_sweep.c says why more would be a lot.
#define TN_PLANE_ROUNDING 1.0e-15

// Does a triangle lie in the plane of another?
static bool tnMesh_IsInPlane(const tnMesh* mesh, const int32_t* triangle, const int32_t* other)
{
	double normal[3];
	tnMesh_GetNormal(mesh, other, normal);
	const double limit = TN_PLANE_ROUNDING * (double)mesh->radius * tnNormal_GetLength(normal);
	const tnVec3 a = mesh->points[other[0]];
	bool in = true;
	for (int i = 0; i < 3; ++i)
	{
		const tnVec3 p = mesh->points[triangle[i]];
		const double height =
			normal[0] * ((double)p.x - a.x) + normal[1] * ((double)p.y - a.y) + normal[2] * ((double)p.z - a.z);
		in = in && height <= limit && height >= -limit;
	}
	return in;
}

// The triangle that stands for the facet of another, in a forest of them. Ways are halved as they are gone: a flat side may
// have a million triangles.
static int32_t tnFindFacet(int32_t* leaders, int32_t triangle)
{
	while (leaders[triangle] != triangle)
	{
		leaders[triangle] = leaders[leaders[triangle]];
		triangle = leaders[triangle];
	}
	return triangle;
}

// Let the largest triangle of each facet lead the others that lie in its plane.
static void tnMesh_JoinTriangles(const tnMesh* mesh, int32_t* leaders)
{
	for (int i = 0; i < mesh->edgeCount; ++i)
	{
		const int32_t* edge = mesh->edges + 4 * (ptrdiff_t)i;
		int32_t large = tnFindFacet(leaders, edge[2]);
		int32_t small = tnFindFacet(leaders, edge[3]);
		double normals[2][3];
		tnMesh_GetNormal(mesh, mesh->triangles + 3 * (ptrdiff_t)large, normals[0]);
		tnMesh_GetNormal(mesh, mesh->triangles + 3 * (ptrdiff_t)small, normals[1]);
		if (tnNormal_GetLength(normals[1]) > tnNormal_GetLength(normals[0]))
		{
			const int32_t swapped = large;
			large = small;
			small = swapped;
		}
		if (tnMesh_IsInPlane(mesh, mesh->triangles + 3 * (ptrdiff_t)small, mesh->triangles + 3 * (ptrdiff_t)large))
		{
			leaders[small] = large;
		}
	}
}

bool tnMesh_FindFacets(tnMesh* mesh, tnMemory* memory)
{
	const size_t bytes = 2 * (size_t)mesh->triangleCount * sizeof(int32_t);
	int32_t* leaders = tnMemory_Alloc(memory, bytes);
	mesh->facets = tnMemory_Alloc(memory, tnGetFacetBytes(mesh->triangleCount));
	if (leaders == NULL || mesh->facets == NULL)
	{
		tnMemory_Free(memory, leaders, bytes);
		return false;
	}
	int32_t* facets = leaders + mesh->triangleCount;
	for (int32_t i = 0; i < mesh->triangleCount; ++i)
	{
		leaders[i] = i;
	}
	tnMesh_JoinTriangles(mesh, leaders);
	// Those that were led before may not lie in the plane of whom their leader follows.
	for (int32_t i = 0; i < mesh->triangleCount; ++i)
	{
		const int32_t leader = tnFindFacet(leaders, i);
		const int32_t* triangle = mesh->triangles + 3 * (ptrdiff_t)i;
		facets[i] = tnMesh_IsInPlane(mesh, triangle, mesh->triangles + 3 * (ptrdiff_t)leader) ? leader : i;
	}
	for (int32_t i = 0; i < mesh->triangleCount; ++i)
	{
		leaders[i] = mesh->facetCount;
		if (facets[i] == i)
		{
			memcpy(mesh->facets + 3 * (ptrdiff_t)mesh->facetCount++, mesh->triangles + 3 * (ptrdiff_t)i,
				3 * sizeof(int32_t));
		}
	}
	int kept = 0;
	for (int i = 0; i < mesh->edgeCount; ++i)
	{
		const int32_t* edge = mesh->edges + 4 * (ptrdiff_t)i;
		if (facets[edge[2]] != facets[edge[3]])
		{
			const int32_t joined[4] = {edge[0], edge[1], leaders[facets[edge[2]]], leaders[facets[edge[3]]]};
			memcpy(mesh->edges + 4 * (ptrdiff_t)kept++, joined, sizeof(joined));
		}
	}
	mesh->edgeCount = kept;
	tnMemory_Free(memory, leaders, bytes);
	return true;
}
