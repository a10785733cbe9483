// SPDX-License-Identifier: MIT

#include "body_mesh.h"

#include "body_hull.h"
#include "numerics.h"

#include <math.h>
#include <string.h>

enum
{
	// Triangles along an edge of the octahedron that balls are made of. The rim of everything round has 4 times as many
	// sides, and is the same after a quarter turn and in a mirror.
	TN_BALL_STEPS = 6,
	TN_RIM_SIDES = 4 * TN_BALL_STEPS,
	// Points of a half ball without its rim: a pole and rings of 4, 8, ...
	TN_DOME_POINTS = 1 + 2 * TN_BALL_STEPS * (TN_BALL_STEPS - 1),
	TN_DOME_TRIANGLES = 4 * TN_BALL_STEPS * TN_BALL_STEPS,
	// Three for each triangle: more points than that are not used.
	TN_MAX_BODY_POINTS = 3 * TN_MAX_BODY_TRIANGLES,
};

#define TN_PI 3.14159265358979323846

// Shortest rotation that still has a direction.
#define TN_LEAST_QUAT 1.0e-6f

// ---------------------------------------------------------------------------------------------------------------------
// Checks

static bool tnIsLength(float value)
{
	return value > 0.0f && value <= TN_MAX_LENGTH;
}

static bool tnIsPlace(tnVec3 p)
{
	return tnAbsFloat(p.x) <= TN_MAX_LENGTH && tnAbsFloat(p.y) <= TN_MAX_LENGTH && tnAbsFloat(p.z) <= TN_MAX_LENGTH;
}

static tnResult tnCheckShapePose(int index, const tnPose* pose)
{
	const tnVec3 p = pose->position;
	if (!tnIsPlace(p))
	{
		return tnFail(tn_invalidArgument,
			"shapes[%d].pose.position must be at most %g along each axis, got (%g, %g, %g)", index,
			(double)TN_MAX_LENGTH, (double)p.x, (double)p.y, (double)p.z);
	}
	const tnQuat q = pose->rotation;
	const bool finite = tnIsFinite(q.x) && tnIsFinite(q.y) && tnIsFinite(q.z) && tnIsFinite(q.w);
	const float most =
		tnMaxFloat(tnMaxFloat(tnAbsFloat(q.x), tnAbsFloat(q.y)), tnMaxFloat(tnAbsFloat(q.z), tnAbsFloat(q.w)));
	if (!finite || !(most >= TN_LEAST_QUAT))
	{
		return tnFail(tn_invalidArgument,
			"shapes[%d].pose.rotation must be finite and not near zero, got (%g, %g, %g, %g)", index, (double)q.x,
			(double)q.y, (double)q.z, (double)q.w);
	}
	return tnSuccess();
}

static tnResult tnCheckPoints(int index, const tnShapeDef* shape, int most)
{
	if (shape->points == NULL)
	{
		return tnFail(tn_invalidArgument, "shapes[%d].points must not be NULL", index);
	}
	if (shape->pointCount < 4 || shape->pointCount > most)
	{
		return tnFail(
			tn_invalidArgument, "shapes[%d].pointCount must be in [4, %d], got %d", index, most, shape->pointCount);
	}
	for (int i = 0; i < shape->pointCount; ++i)
	{
		const tnVec3 p = shape->points[i];
		if (!tnIsPlace(p))
		{
			return tnFail(tn_invalidArgument,
				"shapes[%d].points[%d] must be at most %g along each axis, got (%g, %g, %g)", index, i,
				(double)TN_MAX_LENGTH, (double)p.x, (double)p.y, (double)p.z);
		}
	}
	return tnSuccess();
}

static tnResult tnCheckTriangles(int index, const tnShapeDef* shape)
{
	if (shape->triangles == NULL)
	{
		return tnFail(tn_invalidArgument, "shapes[%d].triangles must not be NULL", index);
	}
	if (shape->triangleCount < 4 || shape->triangleCount > TN_MAX_BODY_TRIANGLES)
	{
		return tnFail(tn_invalidArgument, "shapes[%d].triangleCount must be in [4, %d], got %d", index,
			TN_MAX_BODY_TRIANGLES, shape->triangleCount);
	}
	for (int i = 0; i < 3 * shape->triangleCount; ++i)
	{
		const int32_t point = shape->triangles[i];
		if (point < 0 || point >= shape->pointCount)
		{
			return tnFail(tn_invalidArgument, "shapes[%d].triangles[%d] must be in [0, %d], got %d", index, i,
				shape->pointCount - 1, (int)point);
		}
	}
	return tnSuccess();
}

static tnResult tnCheckShape(int index, const tnShapeDef* shape)
{
	if (shape->stamp != TN_DEF_STAMP)
	{
		return tnFail(tn_invalidArgument, "shapes[%d].stamp is wrong: start from tnDefaultShapeDef(), got 0x%x", index,
			(unsigned)shape->stamp);
	}
	if ((int)shape->kind < 0 || shape->kind >= tn_shapeKindCount)
	{
		return tnFail(tn_invalidArgument, "shapes[%d].kind must be in [0, %d], got %d", index, tn_shapeKindCount - 1,
			(int)shape->kind);
	}
	const tnVec3 half = shape->halfExtents;
	if (shape->kind == tn_boxShape && !(tnIsLength(half.x) && tnIsLength(half.y) && tnIsLength(half.z)))
	{
		return tnFail(tn_invalidArgument, "shapes[%d].halfExtents must be in (0, %g], got (%g, %g, %g)", index,
			(double)TN_MAX_LENGTH, (double)half.x, (double)half.y, (double)half.z);
	}
	const bool isRound =
		shape->kind == tn_sphereShape || shape->kind == tn_capsuleShape || shape->kind == tn_cylinderShape;
	if (isRound && !tnIsLength(shape->radius))
	{
		return tnFail(tn_invalidArgument, "shapes[%d].radius must be in (0, %g], got %g", index, (double)TN_MAX_LENGTH,
			(double)shape->radius);
	}
	if (shape->kind == tn_cylinderShape && !tnIsLength(shape->halfLength))
	{
		return tnFail(tn_invalidArgument, "shapes[%d].halfLength must be in (0, %g], got %g", index,
			(double)TN_MAX_LENGTH, (double)shape->halfLength);
	}
	if (shape->kind == tn_capsuleShape && !(shape->halfLength >= 0.0f && shape->halfLength <= TN_MAX_LENGTH))
	{
		return tnFail(tn_invalidArgument, "shapes[%d].halfLength must be in [0, %g], got %g", index,
			(double)TN_MAX_LENGTH, (double)shape->halfLength);
	}
	tnResult result = tnCheckShapePose(index, &shape->pose);
	if (result.status == tn_ok && (shape->kind == tn_hullShape || shape->kind == tn_meshShape))
	{
		result = tnCheckPoints(index, shape, shape->kind == tn_hullShape ? TN_MAX_HULL_POINTS : TN_MAX_BODY_POINTS);
	}
	if (result.status == tn_ok && shape->kind == tn_meshShape)
	{
		result = tnCheckTriangles(index, shape);
	}
	return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Closed meshes

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

// Each edge belongs to two triangles, that run along it in opposite directions.
static tnResult tnCheckClosed(int index, const tnShapeDef* shape, tnMemory* memory)
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
// Shapes

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

typedef struct tnSolid
{
	double volume;  // m^3
	double x, y, z; // its first moments, m^4
} tnSolid;

static tnSolid tnMeasure(const tnMesh* mesh, int firstTriangle)
{
	tnSolid solid = {0};
	if (mesh->triangleCount <= firstTriangle)
	{
		return solid;
	}
	// From a point of the shape, so that nothing is lost if it lies far away.
	const tnVec3 o = mesh->points[mesh->triangles[3 * (ptrdiff_t)firstTriangle]];
	for (int i = firstTriangle; i < mesh->triangleCount; ++i)
	{
		const int32_t* triangle = mesh->triangles + 3 * (ptrdiff_t)i;
		double p[3][3];
		for (int j = 0; j < 3; ++j)
		{
			p[j][0] = (double)mesh->points[triangle[j]].x - o.x;
			p[j][1] = (double)mesh->points[triangle[j]].y - o.y;
			p[j][2] = (double)mesh->points[triangle[j]].z - o.z;
		}
		const double six = p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
			p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) + p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
		solid.volume += six;
		solid.x += six * (p[0][0] + p[1][0] + p[2][0]);
		solid.y += six * (p[0][1] + p[1][1] + p[2][1]);
		solid.z += six * (p[0][2] + p[1][2] + p[2][2]);
	}
	solid.volume /= 6.0;
	solid.x = solid.x / 24.0 + solid.volume * o.x;
	solid.y = solid.y / 24.0 + solid.volume * o.y;
	solid.z = solid.z / 24.0 + solid.volume * o.z;
	return solid;
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
	const double volume = tnMeasure(mesh, first).volume;
	if (!(volume > 0.0))
	{
		return tnFail(tn_invalidArgument,
			"shapes[%d] is inside out: triangles must run counterclockwise seen from outside, its volume is %g", index,
			volume);
	}
	return tnSuccess();
}

// ---------------------------------------------------------------------------------------------------------------------

tnAxes tnQuat_GetAxes(tnQuat rotation)
{
	double x = rotation.x;
	double y = rotation.y;
	double z = rotation.z;
	double w = rotation.w;
	const double square = x * x + y * y + z * z + w * w;
	if (!(square > 0.0))
	{
		return (tnAxes){{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};
	}
	const double scale = 2.0 / square;
	const double xx = scale * x * x, yy = scale * y * y, zz = scale * z * z;
	const double xy = scale * x * y, xz = scale * x * z, yz = scale * y * z;
	const double wx = scale * w * x, wy = scale * w * y, wz = scale * w * z;
	return (tnAxes){
		.x = {(float)(1.0 - yy - zz), (float)(xy + wz), (float)(xz - wy)},
		.y = {(float)(xy - wz), (float)(1.0 - xx - zz), (float)(yz + wx)},
		.z = {(float)(xz + wy), (float)(yz - wx), (float)(1.0 - xx - yy)},
	};
}

static void tnMesh_Place(tnMesh* mesh, int firstPoint, const tnPose* pose)
{
	const tnAxes axes = tnQuat_GetAxes(pose->rotation);
	for (int i = firstPoint; i < mesh->pointCount; ++i)
	{
		const tnVec3 p = tnAxes_Turn(&axes, mesh->points[i]);
		mesh->points[i] = (tnVec3){p.x + pose->position.x, p.y + pose->position.y, p.z + pose->position.z};
	}
}

// Points and triangles that a shape needs at most.
static void tnGetShapeSize(const tnShapeDef* shape, int* points, int* triangles)
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

static tnResult tnMesh_AddShape(tnMesh* mesh, tnMemory* memory, int index, const tnShapeDef* shape)
{
	tnResult result = tnSuccess();
	const int firstPoint = mesh->pointCount;
	switch (shape->kind)
	{
		case tn_boxShape:
			tnMesh_AddBox(mesh, shape->halfExtents);
			break;
		case tn_sphereShape:
			tnMesh_AddCapsule(mesh, shape->radius, 0.0f);
			break;
		case tn_capsuleShape:
			tnMesh_AddCapsule(mesh, shape->radius, shape->halfLength);
			break;
		case tn_cylinderShape:
			tnMesh_AddCylinder(mesh, shape->radius, shape->halfLength);
			break;
		case tn_hullShape:
			result = tnMesh_AddHull(mesh, memory, index, shape);
			break;
		default:
			result = tnMesh_AddMesh(mesh, memory, index, shape);
			break;
	}
	if (result.status == tn_ok)
	{
		tnMesh_Place(mesh, firstPoint, &shape->pose);
	}
	return result;
}

// Inertia over mass about the origin: sums over the tetrahedra between the origin and each triangle.
static void tnMesh_MeasureInertia(tnMesh* mesh)
{
	static const int s_axes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
	double moments[6] = {0.0};
	for (int i = 0; i < mesh->triangleCount; ++i)
	{
		double p[4][3] = {{0.0}};
		for (int j = 0; j < 3; ++j)
		{
			const tnVec3 q = mesh->points[mesh->triangles[3 * (ptrdiff_t)i + j]];
			p[j][0] = q.x;
			p[j][1] = q.y;
			p[j][2] = q.z;
			p[3][0] += q.x;
			p[3][1] += q.y;
			p[3][2] += q.z;
		}
		const double six = p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
			p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) + p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
		for (int k = 0; k < 6; ++k)
		{
			const int a = s_axes[k][0];
			const int b = s_axes[k][1];
			moments[k] += six * (p[0][a] * p[0][b] + p[1][a] * p[1][b] + p[2][a] * p[2][b] + p[3][a] * p[3][b]);
		}
	}
	const double scale = mesh->volume > 0.0f ? 1.0 / (120.0 * mesh->volume) : 0.0;
	mesh->inertia[0] = (float)(scale * (moments[1] + moments[2]));
	mesh->inertia[1] = (float)(scale * (moments[0] + moments[2]));
	mesh->inertia[2] = (float)(scale * (moments[0] + moments[1]));
	for (int k = 3; k < 6; ++k)
	{
		mesh->inertia[k] = (float)(-scale * moments[k]);
	}
}

// A normal of a triangle, twice as long as its area.
static void tnMesh_GetNormal(const tnMesh* mesh, const int32_t* triangle, double normal[3])
{
	const tnVec3 a = mesh->points[triangle[0]];
	const tnVec3 b = mesh->points[triangle[1]];
	const tnVec3 c = mesh->points[triangle[2]];
	const double u[3] = {(double)b.x - a.x, (double)b.y - a.y, (double)b.z - a.z};
	const double v[3] = {(double)c.x - a.x, (double)c.y - a.y, (double)c.z - a.z};
	for (int i = 0; i < 3; ++i)
	{
		const int j = (i + 1) % 3;
		const int k = (i + 2) % 3;
		normal[i] = u[j] * v[k] - u[k] * v[j];
	}
}

static double tnGetLength(const double vector[3])
{
	return sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
}

// The diameter of a ball around the centroid that a convex mesh holds, with room for rounding.
static float tnMesh_GetThickness(const tnMesh* mesh)
{
	const tnVec3 o = mesh->centroid;
	double nearest = 1.0e30;
	for (int i = 0; i < mesh->triangleCount; ++i)
	{
		const int32_t* triangle = mesh->triangles + 3 * (ptrdiff_t)i;
		const tnVec3 a = mesh->points[triangle[0]];
		double n[3];
		tnMesh_GetNormal(mesh, triangle, n);
		const double length = tnGetLength(n);
		const double height = n[0] * ((double)a.x - o.x) + n[1] * ((double)a.y - o.y) + n[2] * ((double)a.z - o.z);
		// Slivers have no plane of their own, and lie between others.
		if (length > 0.0 && height < nearest * length)
		{
			nearest = height / length;
		}
	}
	return nearest > 0.0 && nearest < 1.0e30 ? (float)(1.998 * nearest) : 0.0f;
}

// Volume, middle and size of what has been added.
static void tnMesh_Measure(tnMesh* mesh)
{
	const tnSolid solid = tnMeasure(mesh, 0);
	mesh->volume = (float)solid.volume;
	if (solid.volume > 0.0)
	{
		mesh->centroid =
			(tnVec3){(float)(solid.x / solid.volume), (float)(solid.y / solid.volume), (float)(solid.z / solid.volume)};
	}
	float square = 0.0f;
	for (int i = 0; i < mesh->pointCount; ++i)
	{
		const tnVec3 p = mesh->points[i];
		square = tnMaxFloat(square, p.x * p.x + p.y * p.y + p.z * p.z);
	}
	mesh->radius = sqrtf(square);
	mesh->thickness = mesh->simple ? tnMesh_GetThickness(mesh) : 0.0f;
	tnMesh_MeasureInertia(mesh);
}

static size_t tnGetPointBytes(int count)
{
	return (size_t)count * sizeof(tnVec3);
}

static size_t tnGetTriangleBytes(int count)
{
	return 3 * (size_t)count * sizeof(int32_t);
}

// Move into memory that fits. On failure the mesh keeps what it has.
static bool tnMesh_Shrink(tnMesh* mesh, tnMemory* memory, int pointRoom, int triangleRoom)
{
	tnVec3* points = tnMemory_Alloc(memory, tnGetPointBytes(mesh->pointCount));
	int32_t* triangles = tnMemory_Alloc(memory, tnGetTriangleBytes(mesh->triangleCount));
	if (points == NULL || triangles == NULL)
	{
		tnMemory_Free(memory, points, tnGetPointBytes(mesh->pointCount));
		tnMemory_Free(memory, triangles, tnGetTriangleBytes(mesh->triangleCount));
		return false;
	}
	memcpy(points, mesh->points, tnGetPointBytes(mesh->pointCount));
	memcpy(triangles, mesh->triangles, tnGetTriangleBytes(mesh->triangleCount));
	tnMemory_Free(memory, mesh->points, tnGetPointBytes(pointRoom));
	tnMemory_Free(memory, mesh->triangles, tnGetTriangleBytes(triangleRoom));
	mesh->points = points;
	mesh->triangles = triangles;
	return true;
}

static tnResult tnMesh_Build(
	tnMesh* mesh, tnMemory* memory, const tnShapeDef* shapes, int shapeCount, int pointRoom, int triangleRoom)
{
	mesh->points = tnMemory_Alloc(memory, tnGetPointBytes(pointRoom));
	mesh->triangles = tnMemory_Alloc(memory, tnGetTriangleBytes(triangleRoom));
	tnResult result = tnSuccess();
	if (mesh->points == NULL || mesh->triangles == NULL)
	{
		result = tnFail(tn_outOfMemory, "out of memory for a mesh of %d triangles", triangleRoom);
	}
	for (int i = 0; i < shapeCount && result.status == tn_ok; ++i)
	{
		result = tnMesh_AddShape(mesh, memory, i, shapes + i);
	}
	const bool fits = mesh->pointCount == pointRoom && mesh->triangleCount == triangleRoom;
	if (result.status == tn_ok && !fits && !tnMesh_Shrink(mesh, memory, pointRoom, triangleRoom))
	{
		result = tnFail(tn_outOfMemory, "out of memory for a mesh of %d triangles", mesh->triangleCount);
	}
	if (result.status != tn_ok)
	{
		tnMemory_Free(memory, mesh->points, tnGetPointBytes(pointRoom));
		tnMemory_Free(memory, mesh->triangles, tnGetTriangleBytes(triangleRoom));
		*mesh = (tnMesh){0};
	}
	return result;
}

// Corners that are off the plane of a triangle by no more than this, over the radius of the mesh, lie in it. It is what
// rounding of doubles makes of points that do: body_sweep.c says why more would be a lot.
#define TN_PLANE_ROUNDING 1.0e-15

// Does a triangle lie in the plane of another?
static bool tnMesh_IsInPlane(const tnMesh* mesh, const int32_t* triangle, const int32_t* other)
{
	double normal[3];
	tnMesh_GetNormal(mesh, other, normal);
	const double limit = TN_PLANE_ROUNDING * (double)mesh->radius * tnGetLength(normal);
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
		if (tnGetLength(normals[1]) > tnGetLength(normals[0]))
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

// Replace triangles of edges by facets, and leave out the edges within them. False if memory ran out.
static bool tnMesh_FindFacets(tnMesh* mesh, tnMemory* memory)
{
	const size_t bytes = 2 * (size_t)mesh->triangleCount * sizeof(int32_t);
	int32_t* leaders = tnMemory_Alloc(memory, bytes);
	mesh->facets = tnMemory_Alloc(memory, tnGetTriangleBytes(mesh->triangleCount));
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

static size_t tnGetEdgeBytes(int triangleCount)
{
	return 4 * (size_t)(3 * triangleCount / 2) * sizeof(int32_t);
}

// The edges of a closed mesh. False if memory ran out.
static bool tnMesh_FindEdges(tnMesh* mesh, tnMemory* memory)
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

tnResult tnMesh_Create(tnMesh* mesh, tnMemory* memory, const tnShapeDef* shapes, int shapeCount)
{
	*mesh = (tnMesh){0};
	if (shapeCount < 1)
	{
		return tnFail(tn_invalidArgument, "shapeCount must be at least 1, got %d", shapeCount);
	}
	if (shapes == NULL)
	{
		return tnFail(tn_invalidArgument, "shapes must not be NULL");
	}
	int pointRoom = 0;
	int triangleRoom = 0;
	for (int i = 0; i < shapeCount; ++i)
	{
		const tnResult result = tnCheckShape(i, shapes + i);
		if (result.status != tn_ok)
		{
			return result;
		}
		int points, triangles;
		tnGetShapeSize(shapes + i, &points, &triangles);
		pointRoom += points;
		triangleRoom += triangles;
		if (triangleRoom > TN_MAX_BODY_TRIANGLES || pointRoom > TN_MAX_BODY_POINTS)
		{
			return tnFail(tn_invalidArgument,
				"shapes must have at most %d triangles and %d points together, got %d and %d up to shapes[%d]",
				TN_MAX_BODY_TRIANGLES, TN_MAX_BODY_POINTS, triangleRoom, pointRoom, i);
		}
	}
	const tnResult result = tnMesh_Build(mesh, memory, shapes, shapeCount, pointRoom, triangleRoom);
	if (result.status == tn_ok)
	{
		mesh->simple = shapeCount == 1 && shapes[0].kind != tn_meshShape;
		tnMesh_Measure(mesh);
	}
	if (mesh->simple && !(tnMesh_FindEdges(mesh, memory) && tnMesh_FindFacets(mesh, memory)))
	{
		tnMesh_Destroy(mesh, memory);
		return tnFail(tn_outOfMemory, "out of memory for the edges of a mesh of %d triangles", triangleRoom);
	}
	return result;
}

void tnMesh_Destroy(tnMesh* mesh, tnMemory* memory)
{
	tnMemory_Free(memory, mesh->points, tnGetPointBytes(mesh->pointCount));
	tnMemory_Free(memory, mesh->triangles, tnGetTriangleBytes(mesh->triangleCount));
	tnMemory_Free(memory, mesh->facets, tnGetTriangleBytes(mesh->triangleCount));
	tnMemory_Free(memory, mesh->edges, tnGetEdgeBytes(mesh->triangleCount));
	*mesh = (tnMesh){0};
}

float tnMesh_GetWidth(const tnMesh* mesh, const tnPose* pose)
{
	if (mesh->pointCount == 0)
	{
		return 0.0f;
	}
	// Along which direction the points spread most: the first axis of their covariance.
	const tnAxes axes = tnQuat_GetAxes(pose->rotation);
	double x = 0.0, z = 0.0, xx = 0.0, xz = 0.0, zz = 0.0;
	for (int i = 0; i < mesh->pointCount; ++i)
	{
		const tnVec3 p = tnAxes_Turn(&axes, mesh->points[i]);
		x += p.x;
		z += p.z;
		xx += (double)p.x * p.x;
		xz += (double)p.x * p.z;
		zz += (double)p.z * p.z;
	}
	const double weight = 1.0 / mesh->pointCount;
	const double cross = xz - weight * x * z;
	const double half = 0.5 * ((xx - weight * x * x) - (zz - weight * z * z));
	const double root = sqrt(half * half + cross * cross);
	double dirX = half > 0.0 ? half + root : cross;
	double dirZ = half > 0.0 ? cross : root - half;
	const double length = sqrt(dirX * dirX + dirZ * dirZ);
	dirX = length > 0.0 ? dirX / length : 1.0;
	dirZ = length > 0.0 ? dirZ / length : 0.0;

	// Along x, z, and along and across the spread.
	float low[4] = {0}, high[4] = {0};
	for (int i = 0; i < mesh->pointCount; ++i)
	{
		const tnVec3 p = tnAxes_Turn(&axes, mesh->points[i]);
		const float u = (float)dirX * p.x + (float)dirZ * p.z;
		const float v = (float)dirX * p.z - (float)dirZ * p.x;
		const float at[4] = {p.x, p.z, u, v};
		for (int j = 0; j < 4; ++j)
		{
			low[j] = i == 0 ? at[j] : tnMinFloat(low[j], at[j]);
			high[j] = i == 0 ? at[j] : tnMaxFloat(high[j], at[j]);
		}
	}
	const float square = tnMinFloat(high[0] - low[0], high[1] - low[1]);
	return tnMinFloat(square, tnMinFloat(high[2] - low[2], high[3] - low[3]));
}

tnQuat tnQuat_Normalize(tnQuat q)
{
	const float length = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
	return (tnQuat){q.x / length, q.y / length, q.z / length, q.w / length};
}

void tnMesh_Turn(const tnMesh* mesh, tnQuat rotation, tnVec3* points)
{
	const tnAxes axes = tnQuat_GetAxes(rotation);
	for (int i = 0; i < mesh->pointCount; ++i)
	{
		points[i] = tnAxes_Turn(&axes, mesh->points[i]);
	}
}
