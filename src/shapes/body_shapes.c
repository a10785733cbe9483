// SPDX-License-Identifier: MIT

// Triangles of boxes, spheres, capsules, cylinders, hulls and meshes. A new shape is added here.

#include "body_shapes.h"

#include "../core/numerics.h"
#include "body_edges.h"
#include "body_hull.h"
#include "body_measure.h"

#include <math.h>

enum
{
	// Triangles along an edge of the octahedron that balls are made of. The rim of everything round has 4 times as many
	// sides, and is the same after a quarter turn and in a mirror.
	TN_BALL_STEPS = 6,
	TN_RIM_SIDES = 4 * TN_BALL_STEPS,
	// Points of a half ball without its rim: a pole and rings of 4, 8, ...
	TN_DOME_POINTS = 1 + 2 * TN_BALL_STEPS * (TN_BALL_STEPS - 1),
	TN_DOME_TRIANGLES = 4 * TN_BALL_STEPS * TN_BALL_STEPS,
};

#define TN_PI 3.14159265358979323846

static void tnMesh_AddTriangle(tnMesh* mesh, int a, int b, int c)
{
	int32_t* triangle = mesh->triangles + 3 * (ptrdiff_t)mesh->triangleCount++;
	triangle[0] = a;
	triangle[1] = b;
	triangle[2] = c;
}

static void tnMesh_AddPoint(tnMesh* mesh, double x, double y, double z)
{
	mesh->points[mesh->pointCount++] = (tnVec3){(float)x, (float)y, (float)z};
}

static void tnMesh_AddBox(tnMesh* mesh, tnVec3 half)
{
	// Corner: 1 for +x, 2 for +y, 4 for +z.
	static const uint8_t corners[12][3] = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4}, {2, 6, 7},
		{2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
	const int base = mesh->pointCount;
	for (int i = 0; i < 8; ++i)
	{
		tnMesh_AddPoint(mesh, i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
	}
	for (int i = 0; i < 12; ++i)
	{
		tnMesh_AddTriangle(mesh, base + corners[i][0], base + corners[i][1], base + corners[i][2]);
	}
}

// Sines of steps of a quarter turn. The ends are exact, and so is every symmetry.
static double tnGetStepSine(int step)
{
	return step == TN_BALL_STEPS ? 1.0 : tnSinTurns(step / (double)TN_RIM_SIDES);
}

// Point `side` of the ring `level` of a ball of radius 1: level 0 is the pole at +y, TN_BALL_STEPS the rim.
static void tnGetBallPoint(int level, int side, double* out)
{
	static const int axisX[5] = {1, 0, -1, 0, 1};
	static const int axisZ[5] = {0, 1, 0, -1, 0};
	const int quarter = level > 0 ? side / level : 0;
	const int step = level > 0 ? side % level : 0;
	const double a = tnGetStepSine(level - step);
	const double b = tnGetStepSine(step);
	const double y = tnGetStepSine(TN_BALL_STEPS - level);
	const double length = sqrt(a * a + b * b + y * y);
	out[0] = (a * axisX[quarter] + b * axisX[quarter + 1]) / length;
	out[1] = y / length;
	out[2] = (a * axisZ[quarter] + b * axisZ[quarter + 1]) / length;
}

// A ring of points around y. Returns the first.
static int tnMesh_AddRim(tnMesh* mesh, double radius, double y)
{
	const int base = mesh->pointCount;
	for (int i = 0; i < TN_RIM_SIDES; ++i)
	{
		double p[3];
		tnGetBallPoint(TN_BALL_STEPS, i, p);
		tnMesh_AddPoint(mesh, radius * p[0], y, radius * p[2]);
	}
	return base;
}

// A triangle of the upper half; the lower half is its mirror.
static void tnMesh_AddSided(tnMesh* mesh, bool upper, int a, int b, int c)
{
	tnMesh_AddTriangle(mesh, a, upper ? b : c, upper ? c : b);
}

static int tnGetDomeIndex(int base, int rim, int level, int side)
{
	if (level == TN_BALL_STEPS)
	{
		return rim + side % TN_RIM_SIDES;
	}
	// A pole, and rings of 4, 8, 12, ...
	return level == 0 ? base : base + 1 + 2 * level * (level - 1) + side % (4 * level);
}

// Half a ball on a rim at height y.
static void tnMesh_AddDome(tnMesh* mesh, bool upper, int rim, double radius, double y)
{
	const int base = mesh->pointCount;
	for (int level = 0; level < TN_BALL_STEPS; ++level)
	{
		const int sides = level > 0 ? 4 * level : 1;
		for (int i = 0; i < sides; ++i)
		{
			double p[3];
			tnGetBallPoint(level, i, p);
			tnMesh_AddPoint(mesh, radius * p[0], y + (upper ? radius : -radius) * p[1], radius * p[2]);
		}
	}
	for (int level = 0; level < TN_BALL_STEPS; ++level)
	{
		for (int quarter = 0; quarter < 4; ++quarter)
		{
			for (int i = 0; i <= level; ++i)
			{
				const int here = quarter * level + i;
				const int below = quarter * (level + 1) + i;
				const int a = tnGetDomeIndex(base, rim, level, here);
				const int b = tnGetDomeIndex(base, rim, level + 1, below + 1);
				tnMesh_AddSided(mesh, upper, a, b, tnGetDomeIndex(base, rim, level + 1, below));
				if (i < level)
				{
					tnMesh_AddSided(mesh, upper, a, tnGetDomeIndex(base, rim, level, here + 1), b);
				}
			}
		}
	}
}

static void tnMesh_AddTube(tnMesh* mesh, int upper, int lower)
{
	for (int i = 0; i < TN_RIM_SIDES; ++i)
	{
		const int next = (i + 1) % TN_RIM_SIDES;
		tnMesh_AddTriangle(mesh, upper + i, upper + next, lower + i);
		tnMesh_AddTriangle(mesh, upper + next, lower + next, lower + i);
	}
}

static void tnMesh_AddDisc(tnMesh* mesh, bool upper, int rim, double y)
{
	const int center = mesh->pointCount;
	tnMesh_AddPoint(mesh, 0.0, y, 0.0);
	for (int i = 0; i < TN_RIM_SIDES; ++i)
	{
		tnMesh_AddSided(mesh, upper, center, rim + (i + 1) % TN_RIM_SIDES, rim + i);
	}
}

// Area of the polygon of the rim of radius 1.
static double tnGetRimArea(void)
{
	return 0.5 * TN_RIM_SIDES * tnSinTurns(1.0 / TN_RIM_SIDES);
}

// Volume of the ball of radius 1 that the domes make.
static double tnGetBallVolume(void)
{
	double sum = 0.0;
	for (int level = 0; level < TN_BALL_STEPS; ++level)
	{
		for (int i = 0; i <= level; ++i)
		{
			double a[3], b[3], c[3], d[3];
			tnGetBallPoint(level, i % tnMaxInt(4 * level, 1), a);
			tnGetBallPoint(level + 1, i + 1, b);
			tnGetBallPoint(level + 1, i, c);
			tnGetBallPoint(level, (i + 1) % tnMaxInt(4 * level, 1), d);
			for (int part = 0; part < (i < level ? 2 : 1); ++part)
			{
				const double* p = part == 0 ? b : d;
				const double* q = part == 0 ? c : b;
				sum += a[0] * (p[1] * q[2] - p[2] * q[1]) + a[1] * (p[2] * q[0] - p[0] * q[2]) +
					a[2] * (p[0] * q[1] - p[1] * q[0]);
			}
		}
	}
	// Eight eighths, and six times the volume of each tetrahedron.
	return 8.0 * sum / 6.0;
}

// How much larger the radius of a polyhedron with domes has to be than that of the true shape.
static double tnGetDomeScale(double radius, double halfLength)
{
	const double ball = tnGetBallVolume() * radius * radius * radius;
	const double tube = tnGetRimArea() * radius * radius * 2.0 * halfLength;
	const double target = TN_PI * radius * radius * (4.0 / 3.0 * radius + 2.0 * halfLength);
	double scale = 1.0;
	// Newton's steps for scale^3 ball + scale^2 tube = target. The first one is off by a hundredth squared.
	for (int i = 0; i < 6; ++i)
	{
		const double excess = scale * scale * (scale * ball + tube) - target;
		scale -= excess / (scale * (3.0 * scale * ball + 2.0 * tube));
	}
	return scale;
}

static void tnMesh_AddCapsule(tnMesh* mesh, float radius, float halfLength)
{
	const double r = radius * tnGetDomeScale(radius, halfLength);
	const int upper = tnMesh_AddRim(mesh, r, halfLength);
	int lower = upper;
	if (halfLength > 0.0f)
	{
		lower = tnMesh_AddRim(mesh, r, -halfLength);
		tnMesh_AddTube(mesh, upper, lower);
	}
	tnMesh_AddDome(mesh, true, upper, r, halfLength);
	tnMesh_AddDome(mesh, false, lower, r, -halfLength);
}

static void tnMesh_AddCylinder(tnMesh* mesh, float radius, float halfLength)
{
	const double r = radius * sqrt(TN_PI / tnGetRimArea());
	const int upper = tnMesh_AddRim(mesh, r, halfLength);
	const int lower = tnMesh_AddRim(mesh, r, -halfLength);
	tnMesh_AddTube(mesh, upper, lower);
	tnMesh_AddDisc(mesh, true, upper, halfLength);
	tnMesh_AddDisc(mesh, false, lower, -halfLength);
}

// Points that no triangle of the shape uses are left out. False if memory ran out.
static bool tnMesh_AddUsedPoints(
	tnMesh* mesh, tnMemory* memory, const tnVec3* points, int pointCount, const int32_t* triangles, int triangleCount)
{
	int32_t* places = tnMemory_Alloc(memory, (size_t)pointCount * sizeof(int32_t));
	if (places == NULL)
	{
		return false;
	}
	for (int i = 0; i < triangleCount; ++i)
	{
		int32_t corners[3];
		for (int j = 0; j < 3; ++j)
		{
			const int32_t point = triangles[3 * (ptrdiff_t)i + j];
			if (places[point] == 0)
			{
				mesh->points[mesh->pointCount++] = points[point];
				places[point] = mesh->pointCount;
			}
			corners[j] = places[point] - 1;
		}
		tnMesh_AddTriangle(mesh, corners[0], corners[1], corners[2]);
	}
	tnMemory_Free(memory, places, (size_t)pointCount * sizeof(int32_t));
	return true;
}

static tnResult tnMesh_AddHull(tnMesh* mesh, tnMemory* memory, int index, const tnShapeDef* shape)
{
	const size_t size = 6 * (size_t)shape->pointCount * sizeof(int32_t);
	int32_t* triangles = tnMemory_Alloc(memory, size);
	if (triangles == NULL)
	{
		return tnFail(tn_outOfMemory, "out of memory for shapes[%d]", index);
	}
	int triangleCount = 0;
	const tnHullStatus status = tnMakeHull(shape->points, shape->pointCount, memory, triangles, &triangleCount);
	tnResult result = tnSuccess();
	if (status == tn_hullFlat)
	{
		result = tnFail(tn_invalidArgument, "shapes[%d].points must not lie in one plane, of %d points all do", index,
			shape->pointCount);
	}
	else if (status == tn_hullOutOfMemory ||
		!tnMesh_AddUsedPoints(mesh, memory, shape->points, shape->pointCount, triangles, triangleCount))
	{
		result = tnFail(tn_outOfMemory, "out of memory for shapes[%d]", index);
	}
	tnMemory_Free(memory, triangles, size);
	return result;
}

static tnResult tnMesh_AddMesh(tnMesh* mesh, tnMemory* memory, int index, const tnShapeDef* shape)
{
	tnResult result = tnCheckClosed(index, shape, memory);
	if (result.status != tn_ok)
	{
		return result;
	}
	const int first = mesh->triangleCount;
	if (!tnMesh_AddUsedPoints(mesh, memory, shape->points, shape->pointCount, shape->triangles, shape->triangleCount))
	{
		return tnFail(tn_outOfMemory, "out of memory for shapes[%d]", index);
	}
	const double volume = tnMesh_GetSolid(mesh, first).volume;
	if (!(volume > 0.0))
	{
		return tnFail(tn_invalidArgument,
			"shapes[%d] is inside out: triangles must run counterclockwise seen from outside, its volume is %g", index,
			volume);
	}
	return tnSuccess();
}

void tnGetShapeSize(const tnShapeDef* shape, int* points, int* triangles)
{
	switch (shape->kind)
	{
		case tn_boxShape:
			*points = 8;
			*triangles = 12;
			break;
		case tn_sphereShape:
			*points = TN_RIM_SIDES + 2 * TN_DOME_POINTS;
			*triangles = 2 * TN_DOME_TRIANGLES;
			break;
		case tn_capsuleShape:
			*points = 2 * TN_RIM_SIDES + 2 * TN_DOME_POINTS;
			*triangles = 2 * TN_DOME_TRIANGLES + 2 * TN_RIM_SIDES;
			break;
		case tn_cylinderShape:
			*points = 2 * TN_RIM_SIDES + 2;
			*triangles = 4 * TN_RIM_SIDES;
			break;
		case tn_hullShape:
			*points = shape->pointCount;
			*triangles = 2 * shape->pointCount;
			break;
		default:
			*points = shape->pointCount;
			*triangles = shape->triangleCount;
			break;
	}
}

tnResult tnMesh_AddShape(tnMesh* mesh, tnMemory* memory, int index, const tnShapeDef* shape)
{
	switch (shape->kind)
	{
		case tn_boxShape:
			tnMesh_AddBox(mesh, shape->halfExtents);
			return tnSuccess();
		case tn_sphereShape:
			tnMesh_AddCapsule(mesh, shape->radius, 0.0f);
			return tnSuccess();
		case tn_capsuleShape:
			tnMesh_AddCapsule(mesh, shape->radius, shape->halfLength);
			return tnSuccess();
		case tn_cylinderShape:
			tnMesh_AddCylinder(mesh, shape->radius, shape->halfLength);
			return tnSuccess();
		case tn_hullShape:
			return tnMesh_AddHull(mesh, memory, index, shape);
		default:
			return tnMesh_AddMesh(mesh, memory, index, shape);
	}
}
