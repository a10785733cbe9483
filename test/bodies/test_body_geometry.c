// SPDX-License-Identifier: MIT

// Shapes as meshes, and hulls of points: volumes, inertia and facets against what is known exactly, and what is
// refused.

#include "body_geometry_kit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Meshes for tests

static const tnVec3 s_cubePoints[8] = {
	{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {-1, 1, 1}, {1, 1, 1}};
static const int32_t s_cubeTriangles[36] = {
	0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};

static tnShapeDef MakeCubeMesh(void)
{
	tnShapeDef shape = tnDefaultShapeDef();
	shape.kind = tn_meshShape;
	shape.points = s_cubePoints;
	shape.pointCount = 8;
	shape.triangles = s_cubeTriangles;
	shape.triangleCount = 12;
	return shape;
}

// ---------------------------------------------------------------------------------------------------------------------
// Meshes

// Every edge of a mesh belongs to two triangles that run along it in opposite directions: found the slow way.
static bool IsClosed(const tnMesh* mesh)
{
	const int count = 3 * mesh->triangleCount;
	for (int i = 0; i < count; ++i)
	{
		const int a = mesh->triangles[i];
		const int b = mesh->triangles[i % 3 == 2 ? i - 2 : i + 1];
		int same = 0;
		int reverse = 0;
		for (int j = 0; j < count; ++j)
		{
			const int c = mesh->triangles[j];
			const int d = mesh->triangles[j % 3 == 2 ? j - 2 : j + 1];
			same += a == c && b == d;
			reverse += a == d && b == c;
		}
		if (same != 1 || reverse != 1)
		{
			return false;
		}
	}
	return true;
}

static int ShapesHaveTheirVolume(void)
{
	const tnGrid grid = MakeGrid();
	const double r = 1.3f, h = 1.6f;
	const double expected[4] = {8.0 * 1.7f * 0.6f * 1.1f, 4.0 / 3.0 * PI * r * r * r,
		PI * r * r * (2.0 * h + 4.0 / 3.0 * r), PI * r * r * 2.0 * h};
	for (int kind = tn_boxShape; kind <= tn_cylinderShape; ++kind)
	{
		const tnShapeDef shape = MakeShape((tnShapeKind)kind);
		Solid solid = CreateSolid(&shape, 1, &grid);
		ENSURE(solid.ok);
		// Coordinates are rounded to float32.
		ENSURE_CLOSE(solid.mesh.volume, expected[kind], 2.0e-7 * expected[kind]);
		ENSURE_CLOSE(solid.mesh.centroid.x, 0.0, 1.0e-7);
		ENSURE_CLOSE(solid.mesh.centroid.y, 0.0, 1.0e-7);
		ENSURE_CLOSE(solid.mesh.centroid.z, 0.0, 1.0e-7);
		ENSURE(solid.mesh.simple);
		ENSURE(IsClosed(&solid.mesh));
		DestroySolid(&solid);
	}
	return 0;
}

// Each point has its mirror in x, in z, and after a quarter turn, bit for bit.
// Of a box that lies askew in its frame: about its own axes (b^2 + c^2) / 12, and products that turning makes.
static int BoxesHaveTheirInertia(void)
{
	tnMemory memory;
	tnMemory_Init(&memory, NULL, 0);
	tnShapeDef shape = tnDefaultShapeDef();
	shape.halfExtents = (tnVec3){1.0f, 0.5f, 2.0f};
	tnMesh mesh;
	ENSURE_OK(tnMesh_Create(&mesh, &memory, &shape, 1));
	const double own[3] = {(1.0 + 16.0) / 12.0, (4.0 + 16.0) / 12.0, (4.0 + 1.0) / 12.0};
	for (int i = 0; i < 6; ++i)
	{
		ENSURE_CLOSE(mesh.inertia[i], i < 3 ? own[i] : 0.0, 1.0e-6);
	}
	tnMesh_Destroy(&mesh, &memory);

	// A turn by 30 degrees about z mixes x and y.
	const double cosine = cos(PI / 6.0);
	const double sine = sin(PI / 6.0);
	shape.pose.rotation = (tnQuat){0.0f, 0.0f, (float)sin(PI / 12.0), (float)cos(PI / 12.0)};
	ENSURE_OK(tnMesh_Create(&mesh, &memory, &shape, 1));
	ENSURE_CLOSE(mesh.inertia[0], own[0] * cosine * cosine + own[1] * sine * sine, 1.0e-6);
	ENSURE_CLOSE(mesh.inertia[1], own[0] * sine * sine + own[1] * cosine * cosine, 1.0e-6);
	ENSURE_CLOSE(mesh.inertia[2], own[2], 1.0e-6);
	ENSURE_CLOSE(mesh.inertia[3], (own[0] - own[1]) * sine * cosine, 1.0e-6);
	ENSURE_CLOSE(mesh.inertia[4], 0.0, 1.0e-6);
	tnMesh_Destroy(&mesh, &memory);
	return 0;
}

static int RoundShapesAreSymmetric(void)
{
	const tnGrid grid = MakeGrid();
	for (int kind = tn_sphereShape; kind <= tn_cylinderShape; ++kind)
	{
		const tnShapeDef shape = MakeShape((tnShapeKind)kind);
		Solid solid = CreateSolid(&shape, 1, &grid);
		ENSURE(solid.ok);
		for (int i = 0; i < solid.mesh.pointCount; ++i)
		{
			const tnVec3 p = solid.mesh.points[i];
			const tnVec3 images[4] = {{-p.x, p.y, p.z}, {p.x, p.y, -p.z}, {p.z, p.y, -p.x}, {p.x, -p.y, p.z}};
			int found = 0;
			for (int j = 0; j < 4; ++j)
			{
				for (int k = 0; k < solid.mesh.pointCount; ++k)
				{
					const tnVec3 q = solid.mesh.points[k];
					if (q.x == images[j].x && q.y == images[j].y && q.z == images[j].z)
					{
						++found;
						break;
					}
				}
			}
			ENSURE_EQUAL_INT(found, 4);
		}
		DestroySolid(&solid);
	}
	return 0;
}

static int CompoundsAddUp(void)
{
	const tnGrid grid = MakeGrid();
	tnShapeDef shapes[2] = {MakeShape(tn_boxShape), MakeShape(tn_sphereShape)};
	shapes[0].pose.position = (tnVec3){3.0f, 0.0f, 0.0f};
	shapes[0].pose.rotation = TurnAbout(0.0f, 1.0f, 0.0f, 90.0);
	shapes[1].pose.position = (tnVec3){-2.0f, 1.0f, 0.5f};
	Solid solid = CreateSolid(shapes, 2, &grid);
	ENSURE(solid.ok);
	ENSURE(!solid.mesh.simple);
	const double box = 8.0 * 1.7f * 0.6f * 1.1f;
	const double ball = 4.0 / 3.0 * PI * 1.3f * 1.3f * 1.3f;
	ENSURE_CLOSE(solid.mesh.volume, box + ball, 1.0e-6 * (box + ball));
	ENSURE_CLOSE(solid.mesh.centroid.x, (3.0 * box - 2.0 * ball) / (box + ball), 1.0e-6);
	ENSURE_CLOSE(solid.mesh.centroid.y, ball / (box + ball), 1.0e-6);
	ENSURE_CLOSE(solid.mesh.centroid.z, 0.5 * ball / (box + ball), 1.0e-6);
	// The box is turned: its long side lies along z.
	ENSURE_CLOSE(solid.mesh.points[7].x, 3.0 + 1.1, 1.0e-6);
	DestroySolid(&solid);
	return 0;
}

static tnResult TryShape(const tnShapeDef* shape)
{
	TestAllocator allocator = {0};
	const tnAllocator hooks = TestGetAllocator(&allocator);
	tnMemory memory;
	tnMemory_Init(&memory, &hooks, 0);
	tnMesh mesh;
	tnResult result = tnMesh_Create(&mesh, &memory, shape, 1);
	if (result.status == tn_ok)
	{
		tnMesh_Destroy(&mesh, &memory);
	}
	// A refusal that leaks is told by another status.
	if (allocator.liveBytes != 0 || allocator.badFreeCount != 0)
	{
		result = (tnResult){.status = (tnStatus)99, .text = "leaks"};
	}
	return result;
}

static int BadShapesAreRefused(void)
{
	tnShapeDef shape = MakeShape(tn_boxShape);
	shape.halfExtents.y = NAN;
	ENSURE_REFUSED(TryShape(&shape), tn_invalidArgument, "shapes[0].halfExtents must be in");
	shape = MakeShape(tn_sphereShape);
	shape.radius = -1.0f;
	ENSURE_REFUSED(TryShape(&shape), tn_invalidArgument, "shapes[0].radius must be in (0, 100000], got -1");
	shape = MakeShape(tn_cylinderShape);
	shape.halfLength = 0.0f;
	ENSURE_REFUSED(TryShape(&shape), tn_invalidArgument, "shapes[0].halfLength");
	shape = MakeShape(tn_capsuleShape);
	shape.halfLength = 0.0f;
	ENSURE_OK(TryShape(&shape));
	shape.halfLength = INFINITY;
	ENSURE_REFUSED(TryShape(&shape), tn_invalidArgument, "shapes[0].halfLength");
	shape = MakeShape(tn_boxShape);
	shape.stamp = 1;
	ENSURE_REFUSED(TryShape(&shape), tn_invalidArgument, "shapes[0].stamp");
	shape = MakeShape((tnShapeKind)77);
	ENSURE_REFUSED(TryShape(&shape), tn_invalidArgument, "shapes[0].kind");
	shape = MakeShape(tn_boxShape);
	shape.pose.rotation = (tnQuat){0};
	ENSURE_REFUSED(TryShape(&shape), tn_invalidArgument, "shapes[0].pose.rotation");
	shape = MakeShape(tn_boxShape);
	shape.pose.position.z = NAN;
	ENSURE_REFUSED(TryShape(&shape), tn_invalidArgument, "shapes[0].pose.position");
	ENSURE_REFUSED(TryShape(NULL), tn_invalidArgument, "shapes must not be NULL");
	return 0;
}

static int BadMeshesAreRefused(void)
{
	tnShapeDef shape = MakeCubeMesh();
	ENSURE_OK(TryShape(&shape));

	int32_t triangles[36];
	memcpy(triangles, s_cubeTriangles, sizeof(triangles));
	shape.triangles = triangles;
	shape.triangleCount = 11;
	ENSURE_REFUSED(TryShape(&shape), tn_invalidArgument, "is open: there is nothing beyond the edge from points[");
	shape.triangleCount = 12;
	triangles[7] = 8;
	ENSURE_REFUSED(TryShape(&shape), tn_invalidArgument, "shapes[0].triangles[7] must be in [0, 7], got 8");
	triangles[7] = -1;
	ENSURE_REFUSED(TryShape(&shape), tn_invalidArgument, "shapes[0].triangles[7]");
	memcpy(triangles, s_cubeTriangles, sizeof(triangles));

	// One triangle the other way around.
	triangles[0] = 6;
	triangles[2] = 0;
	ENSURE_REFUSED(TryShape(&shape), tn_invalidArgument, "two triangles run from points[");
	// All of them.
	for (int i = 0; i < 36; ++i)
	{
		triangles[i] = s_cubeTriangles[35 - i];
	}
	ENSURE_REFUSED(TryShape(&shape), tn_invalidArgument, "inside out");

	tnVec3 points[8];
	memcpy(points, s_cubePoints, sizeof(points));
	shape = MakeCubeMesh();
	shape.points = points;
	points[3].y = NAN;
	ENSURE_REFUSED(TryShape(&shape), tn_invalidArgument, "shapes[0].points[3]");
	points[3].y = 1.0e6f;
	ENSURE_REFUSED(TryShape(&shape), tn_invalidArgument, "shapes[0].points[3]");
	shape.points = NULL;
	ENSURE_REFUSED(TryShape(&shape), tn_invalidArgument, "shapes[0].points must not be NULL");
	shape = MakeCubeMesh();
	shape.triangleCount = 0;
	ENSURE_REFUSED(TryShape(&shape), tn_invalidArgument, "shapes[0].triangleCount");
	shape = MakeCubeMesh();
	shape.pointCount = -3;
	ENSURE_REFUSED(TryShape(&shape), tn_invalidArgument, "shapes[0].pointCount");
	return 0;
}

static int MeshesSurviveLackOfMemory(void)
{
	tnShapeDef shapes[3] = {MakeCubeMesh(), MakeCubeMesh(), MakeShape(tn_sphereShape)};
	shapes[0].kind = tn_hullShape;
	for (int failIn = 1; failIn < 20; ++failIn)
	{
		TestAllocator allocator = {.failIn = failIn};
		const tnAllocator hooks = TestGetAllocator(&allocator);
		tnMemory memory;
		tnMemory_Init(&memory, &hooks, 0);
		tnMesh mesh;
		const tnResult result = tnMesh_Create(&mesh, &memory, shapes, 3);
		const bool failed = allocator.failIn == 0;
		ENSURE_EQUAL_INT(result.status, failed ? tn_outOfMemory : tn_ok);
		tnMesh_Destroy(&mesh, &memory);
		ENSURE_EQUAL_INT(allocator.liveBytes, 0);
		ENSURE_EQUAL_INT(allocator.badFreeCount, 0);
		if (!failed)
		{
			ENSURE(failIn > 5);
			return 0;
		}
	}
	ENSURE(false);
	return 0;
}

// A ball of a million triangles.
static int MillionTrianglesAreChecked(void)
{
	const int rings = 500, sides = 1000;
	const int pointCount = 2 + (rings - 1) * sides;
	const int triangleCount = 2 * (rings - 1) * sides;
	tnVec3* points = malloc((size_t)pointCount * sizeof(tnVec3));
	int32_t* triangles = malloc(3 * (size_t)triangleCount * sizeof(int32_t));
	ENSURE(points != NULL && triangles != NULL);
	points[0] = (tnVec3){0.0f, 3.0f, 0.0f};
	points[1] = (tnVec3){0.0f, -3.0f, 0.0f};
	int32_t* out = triangles;
	for (int i = 1; i < rings; ++i)
	{
		const double polar = PI * i / rings;
		for (int j = 0; j < sides; ++j)
		{
			const double turn = 2.0 * PI * j / sides;
			const int here = 2 + (i - 1) * sides + j;
			const int next = 2 + (i - 1) * sides + (j + 1) % sides;
			points[here] = (tnVec3){(float)(3.0 * sin(polar) * cos(turn)), (float)(3.0 * cos(polar)),
				(float)(3.0 * sin(polar) * sin(turn))};
			const int32_t quad[6] = {
				here, next, i > 1 ? here - sides : 0, i < rings - 1 ? here + sides : 1, next, here};
			// Upwards the one with the ring above, downwards the one with the ring below, each with half of a quad.
			const int32_t first[3] = {quad[2], quad[1], quad[0]};
			const int32_t second[3] = {here, next, i < rings - 1 ? next + sides : 1};
			if (i == 1)
			{
				memcpy(out, first, sizeof(first));
				out += 3;
			}
			memcpy(out, second, sizeof(second));
			out += 3;
			if (i < rings - 1)
			{
				const int32_t third[3] = {here, next + sides, here + sides};
				memcpy(out, third, sizeof(third));
				out += 3;
			}
		}
	}
	ENSURE_EQUAL_INT((out - triangles) / 3, triangleCount);
	tnShapeDef shape = tnDefaultShapeDef();
	shape.kind = tn_meshShape;
	shape.points = points;
	shape.pointCount = pointCount;
	shape.triangles = triangles;
	shape.triangleCount = triangleCount;
	const tnGrid grid = MakeGrid();
	Solid solid = CreateSolid(&shape, 1, &grid);
	ENSURE(solid.ok);
	// A polyhedron inside the sphere: smaller by 2 pi^2 / 3 / 1000^2 and so on.
	ENSURE_CLOSE(solid.mesh.volume, 36.0 * PI, 2.0e-5 * 36.0 * PI);
	TurnSolid(&solid, (tnQuat){0.1f, 0.2f, 0.3f, 1.0f});
	CutSolid(&solid, &grid, (tnVec3){10.0f, 0.0f, 15.0f});
	ENSURE_CLOSE(AddColumns(&solid, &grid).volume, solid.mesh.volume, 1.0e-5 * solid.mesh.volume);
	DestroySolid(&solid);
	shape.triangleCount -= 1;
	ENSURE_REFUSED(TryShape(&shape), tn_invalidArgument, "is open");
	free(points);
	free(triangles);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Hulls

// Triangles of one plane are one facet, and only edges between facets count.
static int FlatSidesAreFacets(void)
{
	const tnGrid grid = MakeGrid();
	const struct
	{
		tnShapeKind kind;
		int facetCount, edgeCount;
	} kinds[] = {{tn_boxShape, 6, 12}, {tn_cylinderShape, 26, 72}};
	for (int i = 0; i < (int)(sizeof(kinds) / sizeof(kinds[0])); ++i)
	{
		const tnShapeDef shape = MakeShape(kinds[i].kind);
		Solid solid = CreateSolid(&shape, 1, &grid);
		ENSURE(solid.ok);
		ENSURE_EQUAL_INT(solid.mesh.facetCount, kinds[i].facetCount);
		ENSURE_EQUAL_INT(solid.mesh.edgeCount, kinds[i].edgeCount);
		DestroySolid(&solid);
	}
	return 0;
}

// All points are behind all sides but for `slack`.
static bool HoldsPoints(const tnMesh* mesh, const tnVec3* points, int count, double slack)
{
	for (int i = 0; i < mesh->triangleCount; ++i)
	{
		const tnVec3 a = mesh->points[mesh->triangles[3 * i]];
		const tnVec3 b = mesh->points[mesh->triangles[3 * i + 1]];
		const tnVec3 c = mesh->points[mesh->triangles[3 * i + 2]];
		const double ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z;
		const double vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
		const double nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
		const double length = sqrt(nx * nx + ny * ny + nz * nz);
		for (int j = 0; j < count; ++j)
		{
			const double volume = nx * (points[j].x - a.x) + ny * (points[j].y - a.y) + nz * (points[j].z - a.z);
			// Slivers have no direction: what counts is how far out of a side of some size a point is.
			if (volume > slack * length && volume > slack * slack)
			{
				return false;
			}
		}
	}
	return true;
}

static int HullsHoldTheirPoints(void)
{
	const tnGrid grid = MakeGrid();
	TestRandom random = TestMakeRandom(11);
	tnVec3 points[300];
	for (int run = 0; run < 60; ++run)
	{
		const int count = run < 20 ? 5 + run : TestRandomInt(&random, 40, 300);
		for (int i = 0; i < count; ++i)
		{
			tnVec3 p = {TestRandomFloat(&random, -3.0f, 3.0f), TestRandomFloat(&random, -2.0f, 2.0f),
				TestRandomFloat(&random, -1.0f, 1.0f)};
			if (run % 3 == 1)
			{
				// On a lattice: planes, lines and repeated points.
				p = (tnVec3){floorf(p.x), floorf(p.y), floorf(2.0f * p.z)};
			}
			else if (run % 3 == 2)
			{
				// On an ellipsoid: all of them are corners.
				const float length = sqrtf(p.x * p.x + p.y * p.y + p.z * p.z) + 1.0e-6f;
				p = (tnVec3){2.0f * p.x / length, p.y / length, 3.0f * p.z / length};
			}
			points[i] = p;
		}
		tnShapeDef shape = tnDefaultShapeDef();
		shape.kind = tn_hullShape;
		shape.points = points;
		shape.pointCount = count;
		Solid solid = CreateSolid(&shape, 1, &grid);
		ENSURE(solid.ok);
		ENSURE(IsClosed(&solid.mesh));
		ENSURE(solid.mesh.volume > 0.0f);
		// Euler: a closed surface without holes.
		ENSURE_EQUAL_INT(solid.mesh.triangleCount, 2 * solid.mesh.pointCount - 4);
		// The lattice of the hull has 2^20 steps over at most 6 m; sides of slivers tilt by some of them.
		ENSURE(HoldsPoints(&solid.mesh, points, count, 4.0e-5));
		DestroySolid(&solid);
	}
	return 0;
}

static int HullsOfKnownSolids(void)
{
	const tnGrid grid = MakeGrid();
	// A cube with points in it, on its sides, on its edges, and all corners twice.
	tnVec3 points[43];
	int count = 0;
	for (int i = 0; i < 27; ++i)
	{
		points[count++] = (tnVec3){(float)(i % 3 - 1), (float)(i / 3 % 3 - 1), (float)(i / 9 - 1)};
	}
	for (int i = 0; i < 16; ++i)
	{
		points[count++] = s_cubePoints[i % 8];
	}
	tnShapeDef shape = tnDefaultShapeDef();
	shape.kind = tn_hullShape;
	shape.points = points;
	shape.pointCount = count;
	Solid solid = CreateSolid(&shape, 1, &grid);
	ENSURE(solid.ok);
	ENSURE_CLOSE(solid.mesh.volume, 8.0, 1.0e-6);
	ENSURE_CLOSE(solid.mesh.centroid.x, 0.0, 1.0e-6);
	DestroySolid(&solid);

	// Flat in every way.
	for (int i = 0; i < count; ++i)
	{
		points[i].y = 0.25f;
	}
	ENSURE_REFUSED(TryShape(&shape), tn_invalidArgument, "shapes[0].points must not lie in one plane");
	for (int i = 0; i < count; ++i)
	{
		points[i].y = 0.3f * points[i].x - 0.7f * points[i].z;
	}
	ENSURE_REFUSED(TryShape(&shape), tn_invalidArgument, "one plane");
	for (int i = 0; i < count; ++i)
	{
		points[i] = (tnVec3){0.1f * (float)i, 0.2f * (float)i, -0.3f * (float)i};
	}
	ENSURE_REFUSED(TryShape(&shape), tn_invalidArgument, "one plane");
	for (int i = 0; i < count; ++i)
	{
		points[i] = (tnVec3){1.0f, 2.0f, 3.0f};
	}
	ENSURE_REFUSED(TryShape(&shape), tn_invalidArgument, "one plane");
	shape.pointCount = 3;
	ENSURE_REFUSED(TryShape(&shape), tn_invalidArgument, "shapes[0].pointCount must be in [4, 4096], got 3");
	return 0;
}

static const Test s_tests[] = {
	{"ShapesHaveTheirVolume", ShapesHaveTheirVolume},
	{"BoxesHaveTheirInertia", BoxesHaveTheirInertia},
	{"RoundShapesAreSymmetric", RoundShapesAreSymmetric},
	{"CompoundsAddUp", CompoundsAddUp},
	{"BadShapesAreRefused", BadShapesAreRefused},
	{"BadMeshesAreRefused", BadMeshesAreRefused},
	{"MeshesSurviveLackOfMemory", MeshesSurviveLackOfMemory},
	{"MillionTrianglesAreChecked", MillionTrianglesAreChecked},
	{"FlatSidesAreFacets", FlatSidesAreFacets},
	{"HullsHoldTheirPoints", HullsHoldTheirPoints},
	{"HullsOfKnownSolids", HullsOfKnownSolids},
};

const TestSuite body_geometrySuite = TEST_SUITE("body_geometry", s_tests);
