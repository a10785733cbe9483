// SPDX-License-Identifier: MIT

#include "body_hull.h"

#include <math.h>
#include <string.h>

// Points join the hull one by one: the triangles that a point can see are taken away, and the rim of the hole is joined
// to it. Whether a point sees a triangle is decided without rounding, on points that are moved to a fine lattice of
// whole numbers, so that the hole has one rim always. Along each axis the lattice spans the points: a hull is the same
// hull after stretching, and flat ones lose nothing.

enum
{
	// Steps of the lattice along each axis. Products of three differences and their sum of six stay below 2^63.
	TN_HULL_LATTICE = 1 << 20,
	// Points that are all within so many steps of a plane are flat: what remains would be rounding.
	TN_HULL_FLAT_STEPS = 4,
};

typedef struct tnLatticePoint
{
	int64_t x, y, z;
} tnLatticePoint;

typedef struct tnHullFace
{
	int32_t points[3];
	int32_t beyond[3]; // the face across the edge from points[i] to points[i + 1]
	tnLatticePoint normal;
	bool used, seen;
} tnHullFace;

typedef struct tnRimEdge
{
	int32_t from, to;
	int32_t beyond, side; // the face that stays, and which of its edges this is
} tnRimEdge;

typedef struct tnHull
{
	tnLatticePoint* points;
	tnHullFace* faces;
	tnRimEdge* rim;
	int32_t* freeFaces;
	int32_t* faceFrom; // of each point: the new face whose edge begins there
	int pointCount, faceCapacity, faceEnd, freeCount;
} tnHull;

static tnLatticePoint tnSubtract(tnLatticePoint a, tnLatticePoint b)
{
	return (tnLatticePoint){a.x - b.x, a.y - b.y, a.z - b.z};
}

static tnLatticePoint tnCrossProduct(tnLatticePoint a, tnLatticePoint b)
{
	return (tnLatticePoint){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static int64_t tnDotProduct(tnLatticePoint a, tnLatticePoint b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

// Length of a vector, for comparisons that need not be exact.
static double tnGetLength(tnLatticePoint a)
{
	return sqrt((double)a.x * (double)a.x + (double)a.y * (double)a.y + (double)a.z * (double)a.z);
}

// ---------------------------------------------------------------------------------------------------------------------

// False if the points have no extent along an axis.
static bool tnHull_PlacePoints(tnHull* hull, const tnVec3* points)
{
	tnVec3 low = points[0];
	tnVec3 high = points[0];
	for (int i = 1; i < hull->pointCount; ++i)
	{
		low.x = tnMinFloat(low.x, points[i].x);
		low.y = tnMinFloat(low.y, points[i].y);
		low.z = tnMinFloat(low.z, points[i].z);
		high.x = tnMaxFloat(high.x, points[i].x);
		high.y = tnMaxFloat(high.y, points[i].y);
		high.z = tnMaxFloat(high.z, points[i].z);
	}
	const double sizeX = (double)high.x - low.x;
	const double sizeY = (double)high.y - low.y;
	const double sizeZ = (double)high.z - low.z;
	if (!(sizeX > 0.0 && sizeY > 0.0 && sizeZ > 0.0))
	{
		return false;
	}
	for (int i = 0; i < hull->pointCount; ++i)
	{
		hull->points[i].x = (int64_t)(((double)points[i].x - low.x) / sizeX * TN_HULL_LATTICE + 0.5);
		hull->points[i].y = (int64_t)(((double)points[i].y - low.y) / sizeY * TN_HULL_LATTICE + 0.5);
		hull->points[i].z = (int64_t)(((double)points[i].z - low.z) / sizeZ * TN_HULL_LATTICE + 0.5);
	}
	return true;
}

static int tnHull_AddFace(tnHull* hull, int a, int b, int c)
{
	const int index = hull->freeCount > 0 ? hull->freeFaces[--hull->freeCount] : hull->faceEnd++;
	TN_ASSERT(index < hull->faceCapacity);
	const tnLatticePoint* points = hull->points;
	tnHullFace* face = hull->faces + index;
	*face = (tnHullFace){.points = {a, b, c}, .used = true};
	face->normal = tnCrossProduct(tnSubtract(points[b], points[a]), tnSubtract(points[c], points[a]));
	return index;
}

// The first tetrahedron: points that are far from each other, from their line, from their plane. False if flat.
static bool tnHull_Start(tnHull* hull)
{
	const tnLatticePoint* points = hull->points;
	int corners[4] = {0, 0, 0, 0};
	double best = 0.0;
	for (int i = 1; i < hull->pointCount; ++i)
	{
		const double length = tnGetLength(tnSubtract(points[i], points[0]));
		if (length > best)
		{
			best = length;
			corners[1] = i;
		}
	}
	const tnLatticePoint line = tnSubtract(points[corners[1]], points[0]);
	best = 0.0;
	for (int i = 1; i < hull->pointCount; ++i)
	{
		const double area = tnGetLength(tnCrossProduct(line, tnSubtract(points[i], points[0])));
		if (area > best)
		{
			best = area;
			corners[2] = i;
		}
	}
	const tnLatticePoint normal = tnCrossProduct(line, tnSubtract(points[corners[2]], points[0]));
	int64_t most = 0;
	for (int i = 1; i < hull->pointCount; ++i)
	{
		const int64_t volume = tnDotProduct(normal, tnSubtract(points[i], points[0]));
		if ((volume < 0 ? -volume : volume) > (most < 0 ? -most : most))
		{
			most = volume;
			corners[3] = i;
		}
	}
	if ((double)(most < 0 ? -most : most) <= TN_HULL_FLAT_STEPS * tnGetLength(normal))
	{
		return false;
	}
	// Counterclockwise from outside: the fourth point lies behind the first three.
	const int a = corners[0];
	const int b = most < 0 ? corners[1] : corners[2];
	const int c = most < 0 ? corners[2] : corners[1];
	const int d = corners[3];
	static const int32_t beyond[4][3] = {{3, 2, 1}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}};
	const int faces[4][3] = {{a, b, c}, {a, c, d}, {c, b, d}, {b, a, d}};
	for (int i = 0; i < 4; ++i)
	{
		tnHullFace* face = hull->faces + tnHull_AddFace(hull, faces[i][0], faces[i][1], faces[i][2]);
		memcpy(face->beyond, beyond[i], sizeof(face->beyond));
	}
	return true;
}

// Mark the faces that a point sees, from strictly outside. Returns how many there are.
static int tnHull_See(tnHull* hull, int point)
{
	int count = 0;
	for (int i = 0; i < hull->faceEnd; ++i)
	{
		tnHullFace* face = hull->faces + i;
		if (face->used)
		{
			const tnLatticePoint way = tnSubtract(hull->points[point], hull->points[face->points[0]]);
			face->seen = tnDotProduct(face->normal, way) > 0;
			count += face->seen ? 1 : 0;
		}
	}
	return count;
}

// Take the faces away that are seen. Returns how many edges their rim has.
static int tnHull_Open(tnHull* hull)
{
	int rimCount = 0;
	for (int i = 0; i < hull->faceEnd; ++i)
	{
		const tnHullFace* face = hull->faces + i;
		for (int j = 0; j < 3 && face->used && face->seen; ++j)
		{
			const tnHullFace* other = hull->faces + face->beyond[j];
			if (!other->seen)
			{
				const int from = face->points[j];
				const int to = face->points[(j + 1) % 3];
				const int side = other->points[0] == to ? 0 : (other->points[1] == to ? 1 : 2);
				hull->rim[rimCount++] = (tnRimEdge){from, to, face->beyond[j], side};
			}
		}
	}
	for (int i = hull->faceEnd - 1; i >= 0; --i)
	{
		if (hull->faces[i].used && hull->faces[i].seen)
		{
			hull->faces[i].used = false;
			hull->freeFaces[hull->freeCount++] = i;
		}
	}
	return rimCount;
}

static void tnHull_Join(tnHull* hull, int point, int rimCount)
{
	for (int i = 0; i < rimCount; ++i)
	{
		const tnRimEdge* edge = hull->rim + i;
		const int index = tnHull_AddFace(hull, edge->from, edge->to, point);
		hull->faceFrom[edge->from] = index;
		hull->faces[index].beyond[0] = edge->beyond;
		hull->faces[edge->beyond].beyond[edge->side] = index;
	}
	for (int i = 0; i < rimCount; ++i)
	{
		const int index = hull->faceFrom[hull->rim[i].from];
		const int next = hull->faceFrom[hull->rim[i].to];
		hull->faces[index].beyond[1] = next;
		hull->faces[next].beyond[2] = index;
	}
}

// Lay the arrays of a hull into a block, which may be NULL. Returns how many bytes that takes.
static size_t tnHull_Lay(tnHull* hull, void* block)
{
	const size_t n = (size_t)hull->pointCount;
	tnCarver carver = {.block = block};
	hull->points = tnCarve(&carver, n * sizeof(tnLatticePoint));
	hull->faces = tnCarve(&carver, 2 * n * sizeof(tnHullFace));
	hull->rim = tnCarve(&carver, 2 * n * sizeof(tnRimEdge));
	hull->freeFaces = tnCarve(&carver, 2 * n * sizeof(int32_t));
	hull->faceFrom = tnCarve(&carver, n * sizeof(int32_t));
	return carver.used;
}

tnHullStatus tnMakeHull(const tnVec3* points, int count, tnMemory* memory, int32_t* triangles, int* triangleCount)
{
	*triangleCount = 0;
	tnHull hull = {.pointCount = count, .faceCapacity = 2 * count};
	const size_t bytes = tnHull_Lay(&hull, NULL);
	void* block = tnMemory_Alloc(memory, bytes);
	if (block == NULL)
	{
		return tn_hullOutOfMemory;
	}
	tnHull_Lay(&hull, block);

	const bool solid = tnHull_PlacePoints(&hull, points) && tnHull_Start(&hull);
	for (int i = 0; i < count && solid; ++i)
	{
		if (tnHull_See(&hull, i) > 0)
		{
			tnHull_Join(&hull, i, tnHull_Open(&hull));
		}
	}
	for (int i = 0; i < hull.faceEnd && solid; ++i)
	{
		if (hull.faces[i].used)
		{
			memcpy(triangles + 3 * (*triangleCount)++, hull.faces[i].points, sizeof(hull.faces[i].points));
		}
	}
	tnMemory_Free(memory, block, bytes);
	return solid ? tn_hullMade : tn_hullFlat;
}
