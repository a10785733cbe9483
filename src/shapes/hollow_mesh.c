// SPDX-License-Identifier: MIT

// Makes closed meshes of the basins that hollow_search.c has found, exactly: of the triangles that face into a basin, cut off at
// the height to which it can be filled, and of a level lid there.
//
// Shapes of a compound lie in each other and side by side. What of a triangle lies inside of another convex part, or flat on it, is cut
// away first, so that the floor of a boat of boxes ends where its walls stand. What is left is either in a basin or outside.
//
//        outside            The mesh that the water around a body meets is what is outside (o), and the lids (l). A basin is what
//     o lllllllll o         faces into it (i), turned round, and its lid. Both are closed but for corners that lie on edges of
//     o i       i o         others, where sums over them close all the same.
//     o iiiiiiiii o
//     ooooooooooooo

#include "hollow_mesh.h"

#include "body_measure.h"
#include "hollow_maker.h"

#include <math.h>
#include <string.h>

static bool tnMaker_Failed(const tnMaker* maker)
{
	return maker->points.failed || maker->triangles.failed || maker->edges.failed || maker->rims.failed;
}

// The highest corner of the mesh that is not above a height.
static float tnFindCornerBelow(const tnMesh* mesh, double height)
{
	float best = -HUGE_VALF;
	for (int i = 0; i < mesh->pointCount; ++i)
	{
		const float y = mesh->points[i].y;
		best = (double)y <= height && y > best ? y : best;
	}
	return best;
}

// Sort all triangles, and make lids. Returns whether all basins close; those that do not are lower from then on, or none at all.
static bool tnMaker_Sort(tnMaker* maker)
{
	const tnMesh* mesh = maker->mesh;
	maker->points.count = 0;
	maker->triangles.count = 0;
	for (int i = 0; i < mesh->pointCount; ++i)
	{
		tnVec3* point = tnGrowing_Add(&maker->points);
		if (point != NULL)
		{
			*point = mesh->points[i];
		}
	}
	for (int i = 0; i < mesh->triangleCount && !tnMaker_Failed(maker); ++i)
	{
		tnSortTriangle(maker, i);
	}
	bool closed = true;
	const double least = TN_TOUCHING * maker->extent;
	for (int basin = 0; basin < maker->search.basinCount && !tnMaker_Failed(maker); ++basin)
	{
		if (!maker->alive[basin])
		{
			continue;
		}
		bool closes = tnIsClosed(maker, basin);
		if (closes && maker->heights[basin] < HUGE_VALF)
		{
			const double area = tnFindLidEdges(maker, basin);
			closes = maker->edges.count >= 3 && maker->edges.count <= TN_MAX_LID_EDGES && area != 0.0 &&
				tnFillLid(maker, basin, area);
		}
		if (!closes)
		{
			maker->heights[basin] = maker->heights[basin] < HUGE_VALF
				? tnFindCornerBelow(mesh, (double)maker->heights[basin] - least)
				: -HUGE_VALF;
			maker->alive[basin] = (double)maker->heights[basin] > maker->search.low[2];
			closed = false;
		}
	}
	return closed;
}

static tnVec3 tnGetMadePoint(const tnMaker* maker, int32_t index)
{
	return ((const tnVec3*)maker->points.items)[index];
}

// Six times the volume of a basin, and its moments, from a point.
static void tnMeasureBasin(const tnMaker* maker, int basin, tnHollowShape* shape)
{
	const tnMadeTriangle* triangles = maker->triangles.items;
	double sum = 0.0, moments[3] = {0.0, 0.0, 0.0}, lid = 0.0;
	tnVec3 o = {0.0f, 0.0f, 0.0f};
	bool first = true;
	for (int i = 0; i < maker->triangles.count; ++i)
	{
		const bool isLid = triangles[i].basin == -2 - basin;
		if (triangles[i].basin != basin && !isLid)
		{
			continue;
		}
		double p[3][3];
		for (int k = 0; k < 3; ++k)
		{
			const tnVec3 q = tnGetMadePoint(maker, triangles[i].corners[k]);
			o = first ? q : o;
			first = false;
			p[k][0] = (double)q.x - o.x;
			p[k][1] = (double)q.y - o.y;
			p[k][2] = (double)q.z - o.z;
		}
		const double six = p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
			p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) + p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
		const double signedSix = isLid ? six : -six;
		sum += signedSix;
		for (int axis = 0; axis < 3; ++axis)
		{
			moments[axis] += signedSix * (p[0][axis] + p[1][axis] + p[2][axis]);
		}
		lid += isLid ? (p[1][2] - p[0][2]) * (p[2][0] - p[0][0]) - (p[1][0] - p[0][0]) * (p[2][2] - p[0][2]) : 0.0;
	}
	shape->volume = (float)(sum / 6.0);
	shape->lidArea = (float)(0.5 * lid);
	const double scale = sum > 0.0 ? 1.0 / (4.0 * sum) : 0.0;
	shape->centroid = (tnVec3){
		(float)(o.x + scale * moments[0]), (float)(o.y + scale * moments[1]), (float)(o.z + scale * moments[2])};
}

// Leave the largest. Returns whether any had to go.
static bool tnMaker_Choose(tnMaker* maker)
{
	bool changed = false;
	double volumes[TN_MAX_BASINS];
	int count = 0;
	for (int basin = 0; basin < maker->search.basinCount; ++basin)
	{
		volumes[basin] = 0.0;
		if (maker->alive[basin])
		{
			tnHollowShape shape;
			tnMeasureBasin(maker, basin, &shape);
			volumes[basin] = shape.volume;
			const double rough = maker->search.basins[basin].volume;
			if (!((double)shape.volume > 0.01 * rough && (double)shape.volume < 10.0 * rough))
			{
				maker->alive[basin] = false;
				changed = true;
			}
			count += maker->alive[basin];
		}
	}
	for (; count > TN_MAX_HOLLOWS; --count)
	{
		int smallest = -1;
		for (int basin = 0; basin < maker->search.basinCount; ++basin)
		{
			if (maker->alive[basin] && (smallest < 0 || volumes[basin] < volumes[smallest]))
			{
				smallest = basin;
			}
		}
		maker->alive[smallest] = false;
		changed = true;
	}
	return changed;
}

// Copy triangles that are wanted, and the points that they need. @param places room for all points; @return false if memory ran out
static bool tnMaker_Copy(const tnMaker* maker, int basin, bool hull, int32_t* places, tnVec3* points, int* pointCount,
	int32_t* triangles, int* triangleCount)
{
	const tnMadeTriangle* made = maker->triangles.items;
	for (int i = 0; i < maker->triangles.count; ++i)
	{
		const bool lid = made[i].basin <= -2;
		const bool wanted = hull ? made[i].basin < 0 : made[i].basin == basin || made[i].basin == -2 - basin;
		if (!wanted)
		{
			continue;
		}
		int32_t corners[3];
		for (int k = 0; k < 3; ++k)
		{
			const int32_t from = made[i].corners[k];
			if (places[from] == 0)
			{
				if (points != NULL)
				{
					points[*pointCount] = tnGetMadePoint(maker, from);
				}
				*pointCount += 1;
				places[from] = *pointCount;
			}
			corners[k] = places[from] - 1;
		}
		if (triangles != NULL)
		{
			int32_t* to = triangles + 3 * (ptrdiff_t)*triangleCount;
			const bool turn = !hull && !lid;
			to[0] = corners[0];
			to[1] = corners[turn ? 2 : 1];
			to[2] = corners[turn ? 1 : 2];
		}
		*triangleCount += 1;
	}
	return true;
}

static size_t tnGetPlaceBytes(const tnMaker* maker)
{
	return (size_t)maker->points.count * sizeof(int32_t);
}

static bool tnMakeHullMesh(tnMaker* maker, int32_t* places, tnMesh* hull)
{
	*hull = (tnMesh){0};
	for (int pass = 0; pass < 2; ++pass)
	{
		hull->pointCount = 0;
		hull->triangleCount = 0;
		memset(places, 0, tnGetPlaceBytes(maker));
		tnMaker_Copy(maker, -1, true, places, hull->points, &hull->pointCount, hull->triangles, &hull->triangleCount);
		if (pass == 0)
		{
			hull->points = tnMemory_Alloc(maker->memory, (size_t)hull->pointCount * sizeof(tnVec3));
			hull->triangles = tnMemory_Alloc(maker->memory, 3 * (size_t)hull->triangleCount * sizeof(int32_t));
			if (hull->points == NULL || hull->triangles == NULL)
			{
				tnMemory_Free(maker->memory, hull->points, (size_t)hull->pointCount * sizeof(tnVec3));
				tnMemory_Free(maker->memory, hull->triangles, 3 * (size_t)hull->triangleCount * sizeof(int32_t));
				*hull = (tnMesh){0};
				return false;
			}
		}
	}
	const tnSolid solid = tnMesh_GetSolid(hull, 0);
	tnMesh_Measure(hull, &solid);
	return true;
}

static bool tnMakeHollowMesh(tnMaker* maker, int32_t* places, tnHollowMesh* hollows)
{
	for (int pass = 0; pass < 2; ++pass)
	{
		hollows->pointCount = 0;
		hollows->triangleCount = 0;
		hollows->count = 0;
		memset(places, 0, tnGetPlaceBytes(maker));
		for (int basin = 0; basin < maker->search.basinCount; ++basin)
		{
			if (!maker->alive[basin])
			{
				continue;
			}
			tnHollowShape* shape = hollows->items + hollows->count;
			*shape = (tnHollowShape){.firstTriangle = hollows->triangleCount};
			tnMaker_Copy(maker, basin, false, places, hollows->points, &hollows->pointCount, hollows->triangles,
				&hollows->triangleCount);
			shape->triangleCount = hollows->triangleCount - shape->firstTriangle;
			shape->lid = maker->heights[basin];
			shape->open = maker->heights[basin] < HUGE_VALF;
			tnMeasureBasin(maker, basin, shape);
			maker->hollowOf[basin] = hollows->count;
			hollows->count += 1;
		}
		if (pass == 0)
		{
			hollows->points = tnMemory_Alloc(maker->memory, (size_t)hollows->pointCount * sizeof(tnVec3));
			hollows->triangles = tnMemory_Alloc(maker->memory, 3 * (size_t)hollows->triangleCount * sizeof(int32_t));
			if (hollows->points == NULL || hollows->triangles == NULL)
			{
				return false;
			}
		}
	}
	for (int basin = 0; basin < maker->search.basinCount; ++basin)
	{
		if (maker->alive[basin])
		{
			tnHollowShape* shape = hollows->items + maker->hollowOf[basin];
			shape->firstRim = maker->rims.count;
			if (shape->open)
			{
				tnFindRim(maker, basin, tnFindLidEdges(maker, basin));
			}
			shape->rimCount = maker->rims.count - shape->firstRim;
		}
	}
	if (maker->rims.count > 0)
	{
		hollows->rims = tnMemory_Alloc(maker->memory, (size_t)maker->rims.count * sizeof(tnRim));
		if (hollows->rims == NULL)
		{
			return false;
		}
		hollows->rimCount = maker->rims.count;
		memcpy(hollows->rims, maker->rims.items, (size_t)maker->rims.count * sizeof(tnRim));
	}
	return !tnMaker_Failed(maker);
}

static bool tnMaker_Run(tnMaker* maker, tnMesh* hull, tnHollowMesh* hollows)
{
	bool any = false;
	for (int basin = 0; basin < maker->search.basinCount; ++basin)
	{
		const double spill = maker->search.basins[basin].spill;
		maker->heights[basin] =
			spill < HUGE_VAL ? tnFindCornerBelow(maker->mesh, spill + maker->search.tolerance) : HUGE_VALF;
		maker->alive[basin] = (double)maker->heights[basin] > maker->search.low[2];
	}
	bool closed = false;
	for (int i = 0; i < TN_MAX_LOWERINGS && !closed && !tnMaker_Failed(maker); ++i)
	{
		closed = tnMaker_Sort(maker);
		closed = closed && !tnMaker_Choose(maker);
	}
	for (int basin = 0; basin < maker->search.basinCount; ++basin)
	{
		any = any || maker->alive[basin];
	}
	if (tnMaker_Failed(maker) || !closed || !any)
	{
		return !tnMaker_Failed(maker);
	}
	int32_t* places = tnMemory_Alloc(maker->memory, tnGetPlaceBytes(maker));
	if (places == NULL)
	{
		return false;
	}
	bool ok = tnMakeHollowMesh(maker, places, hollows);
	ok = ok && tnMakeHullMesh(maker, places, hull);
	tnMemory_Free(maker->memory, places, tnGetPlaceBytes(maker));
	if (!ok)
	{
		tnHollowMesh_Destroy(hollows, maker->memory);
	}
	return ok;
}

bool tnFindHollows(const tnMesh* mesh, tnMemory* memory, tnMesh* hull, tnHollowMesh* hollows)
{
	*hollows = (tnHollowMesh){0};
	*hull = (tnMesh){0};
	if (mesh->simple || mesh->triangleCount > TN_MAX_HOLLOW_TRIANGLES)
	{
		return true;
	}
	tnMaker maker = {
		.mesh = mesh,
		.memory = memory,
		.extent = (double)mesh->radius,
		.points = {.memory = memory, .unit = sizeof(tnVec3)},
		.triangles = {.memory = memory, .unit = sizeof(tnMadeTriangle)},
		.edges = {.memory = memory, .unit = sizeof(tnLidEdge)},
		.rims = {.memory = memory, .unit = sizeof(tnRim)},
	};
	bool ok = tnHollowSearch_Make(&maker.search, mesh, memory);
	if (ok && maker.search.basinCount > 0)
	{
		tnCarver count = {0};
		char* block = NULL;
		size_t bytes = 0;
		int32_t* parents = NULL;
		for (int pass = 0; pass < 2 && (pass == 0 || block != NULL); ++pass)
		{
			tnCarver carver = {.block = block};
			maker.planes = tnCarve(&carver, (size_t)mesh->triangleCount * sizeof(maker.planes[0]));
			maker.partOf = tnCarve(&carver, (size_t)mesh->triangleCount * sizeof(int32_t));
			maker.partTriangles = tnCarve(&carver, (size_t)mesh->triangleCount * sizeof(int32_t));
			maker.partBegin = tnCarve(&carver, (size_t)(mesh->pointCount + 1) * sizeof(int32_t));
			maker.parts = tnCarve(&carver, (size_t)mesh->pointCount * sizeof(tnMeshPart));
			maker.pieces = tnCarve(&carver, 2 * TN_MAX_PIECES * sizeof(tnPiece));
			parents = tnCarve(&carver, (size_t)mesh->pointCount * sizeof(int32_t));
			count = carver;
			if (pass == 0)
			{
				bytes = count.used;
				block = tnMemory_Alloc(memory, bytes);
			}
		}
		ok = block != NULL;
		if (ok)
		{
			tnMaker_FindParts(&maker, parents);
			ok = tnMaker_Run(&maker, hull, hollows);
		}
		tnMemory_Free(memory, block, bytes);
	}
	tnGrowing_Free(&maker.points);
	tnGrowing_Free(&maker.triangles);
	tnGrowing_Free(&maker.edges);
	tnGrowing_Free(&maker.rims);
	tnHollowSearch_Free(&maker.search);
	return ok;
}

void tnHollowMesh_Destroy(tnHollowMesh* hollows, tnMemory* memory)
{
	tnMemory_Free(memory, hollows->points, (size_t)hollows->pointCount * sizeof(tnVec3));
	tnMemory_Free(memory, hollows->triangles, 3 * (size_t)hollows->triangleCount * sizeof(int32_t));
	tnMemory_Free(memory, hollows->rims, (size_t)hollows->rimCount * sizeof(tnRim));
	*hollows = (tnHollowMesh){0};
}
