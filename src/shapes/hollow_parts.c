// SPDX-License-Identifier: MIT

// The parts of a mesh, which share no point: their extent, volume and triangles, and whether they are convex.

#include "body_measure.h"
#include "hollow_maker.h"

#include <math.h>
#include <string.h>

static int tnFindRoot(int32_t* parents, int index)
{
	while (parents[index] != index)
	{
		parents[index] = parents[parents[index]];
		index = parents[index];
	}
	return index;
}

static void tnFindPlane(const tnMesh* mesh, int triangle, double plane[4])
{
	const int32_t* corners = mesh->triangles + 3 * (ptrdiff_t)triangle;
	tnMesh_GetNormal(mesh, corners, plane);
	const double length = tnNormal_GetLength(plane);
	const tnVec3 a = mesh->points[corners[0]];
	for (int axis = 0; axis < 3; ++axis)
	{
		plane[axis] = length > 0.0 ? plane[axis] / length : 0.0;
	}
	plane[3] = plane[0] * a.x + plane[1] * a.y + plane[2] * a.z;
}

// All corners of a part are behind all of its triangles.
static bool tnIsConvex(const tnMaker* maker, int part)
{
	const int begin = maker->partBegin[part];
	const int end = maker->partBegin[part + 1];
	if ((int64_t)(end - begin) * (end - begin) > TN_MAX_CONVEX_WORK)
	{
		return false;
	}
	for (int i = begin; i < end; ++i)
	{
		const double* plane = maker->planes[maker->partTriangles[i]];
		for (int k = begin; k < end; ++k)
		{
			for (int corner = 0; corner < 3; ++corner)
			{
				const tnVec3 p =
					maker->mesh->points[maker->mesh->triangles[3 * (ptrdiff_t)maker->partTriangles[k] + corner]];
				if (plane[0] * p.x + plane[1] * p.y + plane[2] * p.z - plane[3] > TN_TOUCHING * maker->extent)
				{
					return false;
				}
			}
		}
	}
	return true;
}

static void tnMeasurePart(tnMaker* maker, int part)
{
	tnMeshPart* item = maker->parts + part;
	for (int axis = 0; axis < 3; ++axis)
	{
		item->low[axis] = HUGE_VAL;
		item->high[axis] = -HUGE_VAL;
	}
	for (int i = maker->partBegin[part]; i < maker->partBegin[part + 1]; ++i)
	{
		const int triangle = maker->partTriangles[i];
		double n[3];
		tnMesh_GetNormal(maker->mesh, maker->mesh->triangles + 3 * (ptrdiff_t)triangle, n);
		const double area = tnNormal_GetLength(n);
		item->volume += maker->planes[triangle][3] * area / 6.0;
		for (int corner = 0; corner < 3; ++corner)
		{
			const tnVec3 q = maker->mesh->points[maker->mesh->triangles[3 * (ptrdiff_t)triangle + corner]];
			const double p[3] = {q.x, q.y, q.z};
			for (int axis = 0; axis < 3; ++axis)
			{
				item->low[axis] = p[axis] < item->low[axis] ? p[axis] : item->low[axis];
				item->high[axis] = p[axis] > item->high[axis] ? p[axis] : item->high[axis];
			}
		}
	}
	item->convex = tnIsConvex(maker, part);
}

// A part that has a room closed on all sides in it is not solid, whatever its outside is like.
static void tnExcludeAround(tnMaker* maker, int room)
{
	const tnMeshPart* inner = maker->parts + room;
	for (int i = 0; i < maker->partCount; ++i)
	{
		tnMeshPart* part = maker->parts + i;
		bool meets = true;
		for (int axis = 0; axis < 3; ++axis)
		{
			meets = meets && part->low[axis] < inner->high[axis] && inner->low[axis] < part->high[axis];
		}
		part->convex = part->convex && !meets;
	}
}

void tnMaker_FindParts(tnMaker* maker, int32_t* parents)
{
	const tnMesh* mesh = maker->mesh;
	for (int i = 0; i < mesh->pointCount; ++i)
	{
		parents[i] = i;
	}
	for (int i = 0; i < mesh->triangleCount; ++i)
	{
		tnFindPlane(mesh, i, maker->planes[i]);
		for (int k = 1; k < 3; ++k)
		{
			const int a = tnFindRoot(parents, mesh->triangles[3 * (ptrdiff_t)i]);
			const int b = tnFindRoot(parents, mesh->triangles[3 * (ptrdiff_t)i + k]);
			parents[tnMaxInt(a, b)] = tnMinInt(a, b);
		}
	}
	// Roots come before those that they stand for, so parts are counted in the order of their first points.
	for (int i = 0; i < mesh->pointCount; ++i)
	{
		const int root = tnFindRoot(parents, i);
		if (root == i)
		{
			maker->partBegin[maker->partCount] = i;
			maker->partCount += 1;
		}
	}
	// partBegin has the roots for now.
	for (int i = 0; i < mesh->triangleCount; ++i)
	{
		const int root = tnFindRoot(parents, mesh->triangles[3 * (ptrdiff_t)i]);
		int low = 0, high = maker->partCount - 1;
		while (low < high)
		{
			const int middle = (low + high) / 2;
			low = maker->partBegin[middle] < root ? middle + 1 : low;
			high = maker->partBegin[middle] < root ? high : middle;
		}
		maker->partOf[i] = low;
	}
	memset(maker->partBegin, 0, (size_t)(mesh->pointCount + 1) * sizeof(int32_t));
	for (int i = 0; i < mesh->triangleCount; ++i)
	{
		maker->partBegin[maker->partOf[i] + 1] += 1;
	}
	for (int i = 0; i < maker->partCount; ++i)
	{
		maker->partBegin[i + 1] += maker->partBegin[i];
	}
	for (int i = 0; i < mesh->triangleCount; ++i)
	{
		tnMeshPart* part = maker->parts + maker->partOf[i];
		maker->partTriangles[maker->partBegin[maker->partOf[i]] + part->triangleCount] = i;
		part->triangleCount += 1;
	}
	for (int i = 0; i < maker->partCount; ++i)
	{
		tnMeasurePart(maker, i);
	}
	for (int i = 0; i < maker->partCount; ++i)
	{
		if (maker->parts[i].volume < 0.0)
		{
			tnExcludeAround(maker, i);
		}
	}
}
