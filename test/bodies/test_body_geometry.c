// SPDX-License-Identifier: MIT

// Shapes as meshes, meshes cut at the lines of the grid, and integrals below a level surface: against what is known
// exactly.

#include "bodies/body_cut.h"
#include "bodies/body_kernels.h"
#include "bodies/body_thin_parts.h"
#include "harness.h"
#include "shapes/body_hull.h"
#include "shapes/submerged_mesh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979

// A body, and all that is needed to cut it.
typedef struct Solid
{
	tnMemory memory;
	tnMesh mesh;
	tnVec3* points;
	tnQuat rotation;
	tnCut cut;
	void* columnMemory;
	tnColumn* columns; // of the cut, one by one
	void* scratch;
	bool ok;
} Solid;

static tnGrid MakeGrid(void)
{
	// Odd and unequal, with an origin that is no multiple of the cell size.
	return (tnGrid){.columnCount = 53, .rowCount = 37, .cellSize = 0.75f, .origin = {-7.3f, 2.1f}};
}

static void DestroySolid(Solid* solid)
{
	free(solid->points);
	free(solid->columnMemory);
	free(solid->columns);
	free(solid->cut.faces);
	free(solid->scratch);
	tnMesh_Destroy(&solid->mesh, &solid->memory);
}

static Solid CreateSolid(const tnShapeDef* shapes, int shapeCount, const tnGrid* grid)
{
	Solid solid = {0};
	tnMemory_Init(&solid.memory, NULL, 0);
	const tnResult result = tnMesh_Create(&solid.mesh, &solid.memory, shapes, shapeCount);
	if (result.status != tn_ok)
	{
		printf("    %s\n", result.text);
		return solid;
	}
	const tnCutSize size = tnCut_GetSize(grid, &solid.mesh);
	solid.points = malloc((size_t)solid.mesh.pointCount * sizeof(tnVec3));
	solid.cut.faceCapacity = size.faceCapacity;
	tnCarver counter = {0};
	tnCut_PlaceColumns(&solid.cut, &counter, size.columnCapacity);
	solid.columnMemory = malloc(counter.used);
	tnCarver carver = {.block = solid.columnMemory};
	tnCut_PlaceColumns(&solid.cut, &carver, size.columnCapacity);
	solid.columns = malloc((size_t)size.columnCapacity * sizeof(tnColumn));
	solid.cut.faces = malloc((size_t)size.faceCapacity * sizeof(tnFaceCut));
	solid.scratch = malloc(size.scratchBytes);
	solid.ok = solid.points != NULL && solid.columnMemory != NULL && solid.columns != NULL && solid.cut.faces != NULL &&
		solid.scratch != NULL;
	return solid;
}

static void TurnSolid(Solid* solid, tnQuat rotation)
{
	const tnAxes axes = tnQuat_GetAxes(rotation);
	solid->rotation = rotation;
	for (int i = 0; i < solid->mesh.pointCount; ++i)
	{
		solid->points[i] = tnAxes_Turn(&axes, solid->mesh.points[i]);
	}
}

// Garbage, so that nothing is read before it is written.
static void SoilScratch(Solid* solid, const tnGrid* grid)
{
	const size_t bytes = tnCut_GetSize(grid, &solid->mesh).scratchBytes;
	tnMemory_Allow(solid->scratch, bytes);
	memset(solid->scratch, 0x7f, bytes);
}

static void CutSolidWith(Solid* solid, const tnGrid* grid, tnVec3 position, tnSimd simd)
{
	const tnPose pose = {position, solid->rotation};
	SoilScratch(solid, grid);
	tnCut_Make(&solid->cut, grid, &solid->mesh, &pose, NULL, tnGetBodyKernels(simd)->cutColumns, NULL, solid->scratch);
	SoilScratch(solid, grid);
	tnCut_MakeFaces(&solid->cut, grid, &solid->mesh, &pose, NULL, solid->scratch);
	for (int i = 0; i < solid->cut.columnCount; ++i)
	{
		solid->columns[i] = tnCut_GetColumn(&solid->cut, i);
	}
}

static void CutSolid(Solid* solid, const tnGrid* grid, tnVec3 position)
{
	CutSolidWith(solid, grid, position, tn_simdAuto);
}

static tnQuat TurnAbout(float x, float y, float z, double degrees)
{
	const double half = degrees * PI / 360.0;
	const float s = (float)sin(half);
	return (tnQuat){s * x, s * y, s * z, (float)cos(half)};
}

static tnQuat RandomTurn(TestRandom* random)
{
	tnQuat q;
	do
	{
		q.x = TestRandomFloat(random, -1.0f, 1.0f);
		q.y = TestRandomFloat(random, -1.0f, 1.0f);
		q.z = TestRandomFloat(random, -1.0f, 1.0f);
		q.w = TestRandomFloat(random, -1.0f, 1.0f);
	} while (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w < 0.01f);
	return q;
}

// Volume and first moments of all columns, m^3 and m^4, from the centre of mass.
typedef struct Sums
{
	double volume, x, z, area;
} Sums;

static Sums AddColumns(const Solid* solid, const tnGrid* grid)
{
	Sums sums = {0};
	const double cell = (double)grid->cellSize * grid->cellSize;
	for (int i = 0; i < solid->cut.columnCount; ++i)
	{
		const tnColumn* column = solid->columns + i;
		const double area = column->share * cell;
		const double volume = area * ((double)column->high - column->low);
		sums.area += area;
		sums.volume += volume;
		sums.x += area * column->x;
		sums.z += area * column->z;
	}
	return sums;
}

static tnShapeDef MakeShape(tnShapeKind kind)
{
	tnShapeDef shape = tnDefaultShapeDef();
	shape.kind = kind;
	shape.halfExtents = (tnVec3){1.7f, 0.6f, 1.1f};
	shape.radius = 1.3f;
	shape.halfLength = 1.6f;
	return shape;
}

// ---------------------------------------------------------------------------------------------------------------------
// Meshes for tests

static const tnVec3 s_cubePoints[8] = {
	{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {-1, 1, 1}, {1, 1, 1}};
static const int32_t s_cubeTriangles[36] = {
	0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};

enum
{
	maxOutline = 16,
};

// A polygon in the x-y plane, counterclockwise seen from +z, drawn out along z from -depth to depth.
typedef struct Prism
{
	tnVec3 points[2 * maxOutline];
	int32_t triangles[12 * maxOutline];
	int pointCount, triangleCount;
} Prism;

// `faces` are triangles of the outline.
static Prism MakePrism(const tnVec2* outline, int count, const int (*faces)[3], int faceCount, float depth)
{
	Prism prism = {.pointCount = 2 * count};
	for (int i = 0; i < count; ++i)
	{
		prism.points[i] = (tnVec3){outline[i].x, outline[i].z, depth};
		prism.points[count + i] = (tnVec3){outline[i].x, outline[i].z, -depth};
	}
	int32_t* out = prism.triangles;
	for (int i = 0; i < faceCount; ++i)
	{
		for (int j = 0; j < 3; ++j)
		{
			*out++ = faces[i][j];
		}
		for (int j = 2; j >= 0; --j)
		{
			*out++ = count + faces[i][j];
		}
	}
	for (int i = 0; i < count; ++i)
	{
		const int next = (i + 1) % count;
		const int32_t side[6] = {i, count + i, count + next, i, count + next, next};
		memcpy(out, side, sizeof(side));
		out += 6;
	}
	prism.triangleCount = (int)(out - prism.triangles) / 3;
	return prism;
}

// An L that lies down: a plate with a wall at its +x end.
static Prism MakeAngle(void)
{
	static const tnVec2 outline[6] = {{-2, -1}, {2, -1}, {2, 2}, {1, 2}, {1, 0}, {-2, 0}};
	static const int faces[4][3] = {{0, 1, 4}, {0, 4, 5}, {1, 2, 3}, {1, 3, 4}};
	return MakePrism(outline, 6, faces, 4, 1.5f);
}

// A C: a plate, a back at -x, and a roof.
static Prism MakeBracket(void)
{
	static const tnVec2 outline[8] = {{-2, -2}, {2, -2}, {2, -1}, {-1, -1}, {-1, 1}, {2, 1}, {2, 2}, {-2, 2}};
	static const int faces[6][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 7}, {4, 5, 6}, {4, 6, 7}};
	return MakePrism(outline, 8, faces, 6, 1.5f);
}

static tnShapeDef MakePrismShape(const Prism* prism)
{
	tnShapeDef shape = tnDefaultShapeDef();
	shape.kind = tn_meshShape;
	shape.points = prism->points;
	shape.pointCount = prism->pointCount;
	shape.triangles = prism->triangles;
	shape.triangleCount = prism->triangleCount;
	return shape;
}

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

// ---------------------------------------------------------------------------------------------------------------------
// Cuts

// What must hold for every cut.
static int CheckCut(const Solid* solid, const tnGrid* grid)
{
	const tnCut* cut = &solid->cut;
	ENSURE(!cut->truncated);
	for (int i = 0; i < cut->columnCount; ++i)
	{
		const tnColumn* c = solid->columns + i;
		ENSURE(c->share > 0.0f && c->share <= 1.0f);
		ENSURE(c->high > c->low);
		ENSURE(c->column >= 0 && c->column < grid->columnCount && c->row >= 0 && c->row < grid->rowCount);
		ENSURE(c->widthX >= 0.0f && c->widthX <= 1.00001f && c->widthZ >= 0.0f && c->widthZ <= 1.00001f);
		// What is covered lies within its extents.
		ENSURE(c->widthX * c->widthZ >= c->share * 0.999f - 1.0e-5f);
		ENSURE(c->insetX >= -1.0e-5f && c->insetX <= 1.00001f && c->insetZ >= -1.0e-5f && c->insetZ <= 1.00001f);
		if (i > 0)
		{
			const tnColumn* p = c - 1;
			const bool sorted = p->row < c->row || (p->row == c->row && p->column < c->column) ||
				(p->row == c->row && p->column == c->column && p->low <= c->low);
			ENSURE(sorted);
		}
	}
	// Runs are all columns, and as long as they can be.
	int next = 0;
	for (int i = 0; i < cut->runCount; ++i)
	{
		const tnColumnRun* run = cut->runs + i;
		ENSURE_EQUAL_INT(run->begin, next);
		ENSURE(run->end > run->begin);
		for (next = run->begin; next < run->end; ++next)
		{
			ENSURE_EQUAL_INT(cut->cells[next].row, cut->cells[run->begin].row);
			ENSURE_EQUAL_INT(cut->cells[next].column, cut->cells[run->begin].column + next - run->begin);
		}
		const tnColumnCell* last = cut->cells + next - 1;
		ENSURE(next == cut->columnCount || last[1].row != last->row || last[1].column != last->column + 1);
	}
	ENSURE_EQUAL_INT(next, cut->columnCount);
	for (int i = 0; i < cut->faceCount; ++i)
	{
		const tnFaceCut* f = cut->faces + i;
		ENSURE(f->share > 0.0f && f->share <= 1.0f);
		ENSURE(f->high > f->low);
		ENSURE(f->column >= 0 && f->column <= grid->columnCount && f->row >= 0 && f->row <= grid->rowCount);
	}
	return 0;
}

static int ColumnsHoldTheVolume(void)
{
	const tnGrid grid = MakeGrid();
	TestRandom random = TestMakeRandom(5);
	const Prism bracket = MakeBracket();
	for (int kind = 0; kind < 6; ++kind)
	{
		tnShapeDef shapes[2] = {MakeShape(kind < 4 ? (tnShapeKind)kind : tn_boxShape), MakeShape(tn_cylinderShape)};
		if (kind == 4)
		{
			shapes[0] = MakePrismShape(&bracket);
		}
		shapes[1].pose.position.x = 3.5f;
		Solid solid = CreateSolid(shapes, kind == 5 ? 2 : 1, &grid);
		ENSURE(solid.ok);
		for (int run = 0; run < 50; ++run)
		{
			TurnSolid(&solid, RandomTurn(&random));
			const tnVec3 position = {TestRandomFloat(&random, 0.0f, 25.0f), TestRandomFloat(&random, -3.0f, 3.0f),
				TestRandomFloat(&random, 9.0f, 23.0f)};
			CutSolid(&solid, &grid, position);
			ENSURE_EQUAL_INT(CheckCut(&solid, &grid), 0);
			const Sums sums = AddColumns(&solid, &grid);
			ENSURE_CLOSE(sums.volume, solid.mesh.volume, 1.0e-5 * solid.mesh.volume);
		}
		DestroySolid(&solid);
	}
	return 0;
}

// One half inside: a symmetric body whose middle is on the edge.
static int ColumnsEndAtTheEdge(void)
{
	const tnGrid grid = MakeGrid();
	const float east = grid.origin.x + (float)grid.columnCount * grid.cellSize;
	const float south = grid.origin.z + (float)grid.rowCount * grid.cellSize;
	TestRandom random = TestMakeRandom(6);
	for (int kind = tn_boxShape; kind <= tn_cylinderShape; ++kind)
	{
		const tnShapeDef shape = MakeShape((tnShapeKind)kind);
		Solid solid = CreateSolid(&shape, 1, &grid);
		ENSURE(solid.ok);
		const tnVec3 edges[4] = {
			{grid.origin.x, 0.0f, 13.3f}, {east, 0.0f, 13.3f}, {9.7f, 0.0f, grid.origin.z}, {9.7f, 0.0f, south}};
		for (int run = 0; run < 40; ++run)
		{
			TurnSolid(&solid, RandomTurn(&random));
			CutSolid(&solid, &grid, edges[run % 4]);
			ENSURE_EQUAL_INT(CheckCut(&solid, &grid), 0);
			// The position of the edge itself is rounded to 2e-6 m.
			ENSURE_CLOSE(AddColumns(&solid, &grid).volume, 0.5 * solid.mesh.volume, 1.0e-5 * solid.mesh.volume);
		}
		// Outside there is nothing.
		CutSolid(&solid, &grid, (tnVec3){east + 5.0f, 0.0f, 13.0f});
		ENSURE_EQUAL_INT(solid.cut.columnCount, 0);
		CutSolid(&solid, &grid, (tnVec3){-1.0e6f, 1.0e6f, 1.0e6f});
		ENSURE_EQUAL_INT(solid.cut.columnCount + solid.cut.faceCount, 0);
		DestroySolid(&solid);
	}
	return 0;
}

static int WrappedWorldsHaveNoEdge(void)
{
	tnGrid grid = MakeGrid();
	grid.wrapX = true;
	grid.wrapZ = true;
	TestRandom random = TestMakeRandom(7);
	const tnShapeDef shape = MakeShape(tn_capsuleShape);
	Solid solid = CreateSolid(&shape, 1, &grid);
	ENSURE(solid.ok);
	for (int run = 0; run < 50; ++run)
	{
		TurnSolid(&solid, RandomTurn(&random));
		const tnVec3 position = {
			TestRandomFloat(&random, -90.0f, 90.0f), 0.0f, TestRandomFloat(&random, -90.0f, 90.0f)};
		CutSolid(&solid, &grid, position);
		ENSURE_EQUAL_INT(CheckCut(&solid, &grid), 0);
		ENSURE_CLOSE(AddColumns(&solid, &grid).volume, solid.mesh.volume, 1.0e-5 * solid.mesh.volume);
	}
	DestroySolid(&solid);
	return 0;
}

// Bodies that are larger than the world, far too large for it, or far away: no crash, and full cells where they are.
static int HugeBodiesAreClipped(void)
{
	for (int wrap = 0; wrap < 2; ++wrap)
	{
		tnGrid grid = MakeGrid();
		grid.wrapX = wrap == 1;
		grid.wrapZ = wrap == 1;
		for (int kind = tn_boxShape; kind <= tn_cylinderShape; ++kind)
		{
			tnShapeDef shape = MakeShape((tnShapeKind)kind);
			shape.halfExtents = (tnVec3){1.0e5f, 3.0f, 9.0e4f};
			shape.radius = 1.0e5f;
			shape.halfLength = 1.0e5f;
			Solid solid = CreateSolid(&shape, 1, &grid);
			ENSURE(solid.ok);
			TurnSolid(&solid, TurnAbout(0.0f, 1.0f, 0.0f, 17.0));
			CutSolid(&solid, &grid, (tnVec3){10.0f, 1.0f, 12.0f});
			ENSURE_EQUAL_INT(CheckCut(&solid, &grid), 0);
			ENSURE_EQUAL_INT(solid.cut.columnCount, grid.columnCount * grid.rowCount);
			ENSURE(solid.columns[100].share == 1.0f);
			CutSolid(&solid, &grid, (tnVec3){1.0e6f, -1.0e6f, -1.0e6f});
			ENSURE_EQUAL_INT(CheckCut(&solid, &grid), 0);
			DestroySolid(&solid);
		}
	}
	return 0;
}

// Dragged across the grid in small steps nothing changes but where it is.
static int MotionIsContinuous(void)
{
	const tnGrid grid = MakeGrid();
	const double angles[3] = {0.0, 17.0, 45.0};
	for (int run = 0; run < 6; ++run)
	{
		tnShapeDef shape = MakeShape(run < 3 ? tn_boxShape : tn_sphereShape);
		Solid solid = CreateSolid(&shape, 1, &grid);
		ENSURE(solid.ok);
		TurnSolid(&solid, TurnAbout(0.0f, 1.0f, 0.0f, angles[run % 3]));
		// Seen from above.
		const Sums exact = {.volume = solid.mesh.volume, .area = run < 3 ? 4.0 * 1.7f * 1.1f : 0.0};
		double area = 0.0;
		for (int step = 0; step < 200; ++step)
		{
			const float way = (float)step * grid.cellSize / 97.0f;
			CutSolid(&solid, &grid, (tnVec3){5.0f + way, 0.3f, 15.0f + 0.37f * way});
			const Sums sums = AddColumns(&solid, &grid);
			ENSURE_CLOSE(sums.volume, exact.volume, 1.0e-5 * exact.volume);
			if (step == 0)
			{
				area = run < 3 ? exact.area : sums.area;
			}
			// Shares above 1 - 1e-4 count as 1, which is seen here but not in the volume.
			ENSURE_CLOSE(sums.area, area, 1.0e-4 * area);
			ENSURE_CLOSE(sums.x, 0.0, 3.0e-4 * area);
			ENSURE_CLOSE(sums.z, 0.0, 3.0e-4 * area);
		}
		DestroySolid(&solid);
	}
	return 0;
}

// The overlap of [a, b] with cell i, in cells.
static double Overlap(double a, double b, int i)
{
	const double low = fmax(a, i);
	const double high = fmin(b, i + 1.0);
	return high > low ? high - low : 0.0;
}

// Every instruction set cuts to the same bits.
static int CutsHaveSameBits(void)
{
	const tnGrid grid = MakeGrid();
	const tnShapeKind kinds[] = {tn_boxShape, tn_sphereShape, tn_cylinderShape};
	TestRandom random = {7};
	for (int run = 0; run < 60; ++run)
	{
		const tnShapeDef shape = MakeShape(kinds[run % 3]);
		Solid solid = CreateSolid(&shape, 1, &grid);
		ENSURE(solid.ok);
		TurnSolid(&solid, RandomTurn(&random));
		const tnVec3 position = {10.0f + 0.037f * (float)run, 0.0f, 15.0f - 0.041f * (float)run};
		CutSolid(&solid, &grid, position);
		const int count = solid.cut.columnCount;
		const size_t bytes = (size_t)count * sizeof(tnColumn);
		tnColumn* first = malloc(bytes);
		ENSURE(first != NULL && count > 0);
		memcpy(first, solid.columns, bytes);
		for (int simd = tn_simdScalar; simd <= tn_simdWasm; ++simd)
		{
			if (tnIsSimdAvailable((tnSimd)simd))
			{
				CutSolidWith(&solid, &grid, position, (tnSimd)simd);
				ENSURE_EQUAL_INT(solid.cut.columnCount, count);
				ENSURE(memcmp(first, solid.columns, bytes) == 0);
			}
		}
		free(first);
		DestroySolid(&solid);
	}
	return 0;
}

// A box along the axes against what it covers exactly: columns and faces.
static int UprightBoxesAreExact(void)
{
	const tnGrid grid = MakeGrid();
	TestRandom random = TestMakeRandom(8);
	for (int run = 0; run < 40; ++run)
	{
		tnShapeDef shape = MakeShape(tn_boxShape);
		shape.halfExtents = (tnVec3){TestRandomFloat(&random, 0.1f, 3.0f), 0.4f, TestRandomFloat(&random, 0.1f, 3.0f)};
		Solid solid = CreateSolid(&shape, 1, &grid);
		ENSURE(solid.ok);
		TurnSolid(&solid, (tnQuat){0.0f, 0.0f, 0.0f, 1.0f});
		const tnVec3 position = {TestRandomFloat(&random, 2.0f, 20.0f), 1.5f, TestRandomFloat(&random, 9.0f, 20.0f)};
		CutSolid(&solid, &grid, position);
		ENSURE_EQUAL_INT(CheckCut(&solid, &grid), 0);
		const double size = grid.cellSize;
		const double west = ((double)position.x - shape.halfExtents.x - grid.origin.x) / size;
		const double east = ((double)position.x + shape.halfExtents.x - grid.origin.x) / size;
		const double north = ((double)position.z - shape.halfExtents.z - grid.origin.z) / size;
		const double south = ((double)position.z + shape.halfExtents.z - grid.origin.z) / size;
		int found = 0;
		for (int i = 0; i < solid.cut.columnCount; ++i)
		{
			const tnColumn* c = solid.columns + i;
			const double x = Overlap(west, east, c->column), z = Overlap(north, south, c->row);
			// Positions of some ten cells in float32.
			ENSURE_CLOSE(c->share, x * z, 1.0e-4);
			ENSURE_CLOSE(c->low, 1.1, 1.0e-5);
			ENSURE_CLOSE(c->high, 1.9, 1.0e-5);
			ENSURE_CLOSE(c->widthX, x, 1.0e-5);
			ENSURE_CLOSE(c->widthZ, z, 1.0e-5);
			ENSURE_CLOSE(c->insetX, fmax(west - c->column, 0.0) + 0.5 * x, 1.0e-5);
			ENSURE_CLOSE(c->insetZ, fmax(north - c->row, 0.0) + 0.5 * z, 1.0e-5);
			const double cellX = grid.origin.x + size * (c->column + c->insetX) - position.x;
			ENSURE_CLOSE(c->x, cellX, 1.0e-5);
		}
		for (int i = 0; i < solid.cut.faceCount; ++i)
		{
			const tnFaceCut* f = solid.cut.faces + i;
			ENSURE(f->alongZ ? f->row > north - 1e-4 && f->row < south + 1e-4
							 : f->column > west - 1e-4 && f->column < east + 1e-4);
			const double share = f->alongZ ? Overlap(west, east, f->column) : Overlap(north, south, f->row);
			ENSURE_CLOSE(f->share, share, 1.0e-4);
			ENSURE_CLOSE(f->low, 1.1, 1.0e-5);
			ENSURE_CLOSE(f->high, 1.9, 1.0e-5);
			++found;
		}
		const int linesX = (int)(floor(east) - floor(west)), linesZ = (int)(floor(south) - floor(north));
		ENSURE_EQUAL_INT(found, linesX * (linesZ + 1) + linesZ * (linesX + 1));
		DestroySolid(&solid);
	}
	return 0;
}

static int ThinBoxesTakeTheirShare(void)
{
	// A dam of 0.6 cells along z, of several cells along x: the flow along x sees 0.6.
	const tnGrid grid = {.columnCount = 21, .rowCount = 17, .cellSize = 0.5f};
	tnShapeDef shape = MakeShape(tn_boxShape);
	shape.halfExtents = (tnVec3){1.0f, 1.0f, 0.15f};
	Solid solid = CreateSolid(&shape, 1, &grid);
	ENSURE(solid.ok);
	TurnSolid(&solid, (tnQuat){0.0f, 0.0f, 0.0f, 1.0f});
	CutSolid(&solid, &grid, (tnVec3){5.2f, 0.0f, 4.25f});
	ENSURE_EQUAL_INT(solid.cut.faceCount, 4);
	for (int i = 0; i < solid.cut.faceCount; ++i)
	{
		ENSURE(!solid.cut.faces[i].alongZ);
		ENSURE_CLOSE(solid.cut.faces[i].share, 0.6, 1.0e-5);
	}
	DestroySolid(&solid);
	return 0;
}

// A box that fills whole cells blocks the faces all around it, also if it is not quite there.
static int BoxesOnLinesBlock(void)
{
	const tnGrid grid = {.columnCount = 21, .rowCount = 17, .cellSize = 0.1f, .origin = {0.0f, 0.0f}};
	for (int layered = 0; layered < 2; ++layered)
	{
		const double shifts[3] = {0.0, 2.0e-6, -2.0e-6};
		for (int run = 0; run < 3; ++run)
		{
			tnShapeDef shapes[2] = {MakeShape(tn_boxShape), MakeShape(tn_boxShape)};
			shapes[0].halfExtents = (tnVec3){0.15f, 1.0f, 0.2f};
			// A second one on top makes it a compound.
			shapes[1].halfExtents = (tnVec3){0.15f, 0.5f, 0.2f};
			shapes[1].pose.position.y = 2.0f;
			Solid solid = CreateSolid(shapes, 1 + layered, &grid);
			ENSURE(solid.ok);
			TurnSolid(&solid, (tnQuat){0.0f, 0.0f, 0.0f, 1.0f});
			// From column 7 to 10 and from row 5 to 9.
			CutSolid(&solid, &grid, (tnVec3){(float)(0.85 + shifts[run]), 0.0f, (float)(0.7 + shifts[run])});
			int whole = 0;
			for (int i = 0; i < solid.cut.columnCount; ++i)
			{
				whole += solid.columns[i].share == 1.0f ? 1 : 0;
			}
			ENSURE_EQUAL_INT(whole, 12 * (1 + layered));
			int faces = 0;
			for (int i = 0; i < solid.cut.faceCount; ++i)
			{
				faces += solid.cut.faces[i].share > 0.999f ? 1 : 0;
			}
			ENSURE_EQUAL_INT(faces, (4 * 4 + 3 * 5) * (1 + layered));
			DestroySolid(&solid);
		}
	}
	return 0;
}

static const tnColumn* FindColumn(const Solid* solid, int column, int row, int layer)
{
	for (int i = 0; i < solid->cut.columnCount; ++i)
	{
		const tnColumn* c = solid->columns + i;
		if (c->column == column && c->row == row && layer-- == 0)
		{
			return c;
		}
	}
	return NULL;
}

static int CountLayers(const Solid* solid, int column, int row)
{
	int count = 0;
	while (FindColumn(solid, column, row, count) != NULL)
	{
		++count;
	}
	return count;
}

static int ConcaveMeshesHaveLayers(void)
{
	const tnGrid grid = {.columnCount = 21, .rowCount = 17, .cellSize = 1.0f};
	// The angle: one layer everywhere, high where its wall is.
	Prism prism = MakeAngle();
	tnShapeDef shape = MakePrismShape(&prism);
	Solid solid = CreateSolid(&shape, 1, &grid);
	ENSURE(solid.ok);
	TurnSolid(&solid, (tnQuat){0.0f, 0.0f, 0.0f, 1.0f});
	CutSolid(&solid, &grid, (tnVec3){10.25f, 5.0f, 8.5f});
	ENSURE_EQUAL_INT(CheckCut(&solid, &grid), 0);
	ENSURE_EQUAL_INT(CountLayers(&solid, 9, 8), 1);
	ENSURE_CLOSE(FindColumn(&solid, 9, 8, 0)->low, 4.0, 1.0e-5);
	ENSURE_CLOSE(FindColumn(&solid, 9, 8, 0)->high, 5.0, 1.0e-5);
	// A quarter of this cell is plate, the rest wall.
	ENSURE_CLOSE(FindColumn(&solid, 11, 8, 0)->high, 0.25 * 5.0 + 0.75 * 7.0, 1.0e-4);
	DestroySolid(&solid);

	// The bracket: a plate and a roof, and its back where they meet.
	prism = MakeBracket();
	shape = MakePrismShape(&prism);
	solid = CreateSolid(&shape, 1, &grid);
	ENSURE(solid.ok);
	for (int turn = 0; turn < 2; ++turn)
	{
		// Half a turn puts its back to the other side.
		TurnSolid(&solid, TurnAbout(0.0f, 1.0f, 0.0f, 180.0 * turn));
		CutSolid(&solid, &grid, (tnVec3){10.5f, 5.0f, 8.5f});
		ENSURE_EQUAL_INT(CheckCut(&solid, &grid), 0);
		ENSURE_EQUAL_INT(CountLayers(&solid, 10, 8), 2);
		ENSURE_CLOSE(FindColumn(&solid, 10, 8, 0)->low, 3.0, 1.0e-5);
		ENSURE_CLOSE(FindColumn(&solid, 10, 8, 0)->high, 4.0, 1.0e-5);
		ENSURE_CLOSE(FindColumn(&solid, 10, 8, 1)->low, 6.0, 1.0e-5);
		ENSURE_CLOSE(FindColumn(&solid, 10, 8, 1)->high, 7.0, 1.0e-5);
		const int back = turn == 0 ? 8 : 12;
		ENSURE_EQUAL_INT(CountLayers(&solid, back, 8), 1);
		ENSURE_CLOSE(FindColumn(&solid, back, 8, 0)->share, 0.5, 1.0e-5);
		ENSURE_CLOSE(FindColumn(&solid, back, 8, 0)->high - FindColumn(&solid, back, 8, 0)->low, 4.0, 1.0e-5);
		int pairs = 0;
		for (int i = 1; i < solid.cut.faceCount; ++i)
		{
			const tnFaceCut* f = solid.cut.faces + i;
			pairs += f->row == f[-1].row && f->column == f[-1].column && f->alongZ == f[-1].alongZ;
		}
		ENSURE(pairs >= 6);
	}
	// Upright, with the gap to the sky: one layer.
	TurnSolid(&solid, TurnAbout(0.0f, 0.0f, 1.0f, 90.0));
	CutSolid(&solid, &grid, (tnVec3){10.5f, 5.0f, 8.5f});
	ENSURE_EQUAL_INT(CountLayers(&solid, 10, 8), 1);
	ENSURE_CLOSE(FindColumn(&solid, 10, 8, 0)->low, 3.0, 1.0e-5);
	ENSURE_CLOSE(FindColumn(&solid, 10, 8, 0)->high, 4.0, 1.0e-5);
	DestroySolid(&solid);
	return 0;
}

// Both ways to sum up give the same for a convex body.
static int LayersAgreeWithSums(void)
{
	const tnGrid grid = MakeGrid();
	TestRandom random = TestMakeRandom(10);
	for (int kind = tn_boxShape; kind <= tn_cylinderShape; ++kind)
	{
		// The same shape twice: alone, and as a mesh.
		const tnShapeDef shape = MakeShape((tnShapeKind)kind);
		Solid simple = CreateSolid(&shape, 1, &grid);
		ENSURE(simple.ok);
		tnShapeDef meshShape = tnDefaultShapeDef();
		meshShape.kind = tn_meshShape;
		meshShape.points = simple.mesh.points;
		meshShape.pointCount = simple.mesh.pointCount;
		meshShape.triangles = simple.mesh.triangles;
		meshShape.triangleCount = simple.mesh.triangleCount;
		Solid layered = CreateSolid(&meshShape, 1, &grid);
		ENSURE(layered.ok && !layered.mesh.simple);
		for (int run = 0; run < 20; ++run)
		{
			const tnQuat turn = RandomTurn(&random);
			const tnVec3 position = {
				TestRandomFloat(&random, 0.0f, 20.0f), 0.0f, TestRandomFloat(&random, 9.0f, 20.0f)};
			TurnSolid(&simple, turn);
			TurnSolid(&layered, turn);
			CutSolid(&simple, &grid, position);
			CutSolid(&layered, &grid, position);
			const tnCut* a = &simple.cut;
			const tnCut* b = &layered.cut;
			int j = 0;
			for (int i = 0; i < a->columnCount; ++i)
			{
				// Slivers may be there in one and not in the other.
				const tnColumn* c = simple.columns + i;
				if (c->share < 1.0e-4f)
				{
					continue;
				}
				while (j < b->columnCount && (b->cells[j].row != c->row || b->cells[j].column != c->column))
				{
					++j;
				}
				ENSURE(j < b->columnCount);
				const tnColumn* d = layered.columns + j;
				const double volumeC = c->share * ((double)c->high - c->low);
				const double volumeD = d->share * ((double)d->high - d->low);
				ENSURE_CLOSE(d->share, c->share, 1.0e-4);
				ENSURE_CLOSE(volumeD, volumeC, 1.0e-5);
				ENSURE_CLOSE(d->share * d->x, c->share * c->x, 1.0e-4);
				ENSURE_CLOSE(d->widthX, c->widthX, 1.0e-4);
				ENSURE_CLOSE(d->insetZ, c->insetZ, 1.0e-4);
			}
		}
		DestroySolid(&simple);
		DestroySolid(&layered);
	}
	return 0;
}

// What lies between faces, as it is found on the way and as it is found from the faces afterwards.
static int CompareThinParts(Solid* solid, const tnGrid* grid, tnVec3 position, int* found)
{
	enum
	{
		capacity = 4096,
	};
	tnFaceCut items[2][capacity];
	tnThinParts first = {items[0], 0, capacity};
	tnThinParts second = {items[1], 0, capacity};
	const tnPose pose = {position, solid->rotation};
	SoilScratch(solid, grid);
	tnCut_Make(&solid->cut, grid, &solid->mesh, &pose, NULL, tnGetBodyKernels(tn_simdAuto)->cutColumns, &first,
		solid->scratch);
	ENSURE(!solid->cut.facesMade && solid->cut.faceCount == 0);
	tnCut_MakeFaces(&solid->cut, grid, &solid->mesh, &pose, NULL, solid->scratch);
	ENSURE(solid->cut.facesMade);
	tnThinParts_Find(&second, &solid->cut, grid);
	int at = 0;
	for (int i = 0; i < first.count; ++i)
	{
		const tnFaceCut* a = first.items + i;
		// Those that are nearly too small may be there in one and not in the other.
		if (a->share < TN_THIN_SHARE + 1.0e-5f)
		{
			continue;
		}
		const tnFaceCut* b = NULL;
		for (; at < second.count; ++at)
		{
			b = second.items + at;
			if (b->column == a->column && b->row == a->row && b->alongZ == a->alongZ && b->low == a->low)
			{
				break;
			}
			ENSURE(b->share < TN_THIN_SHARE + 1.0e-5f);
		}
		ENSURE(at < second.count);
		ENSURE_CLOSE(a->share, b->share, 1.0e-5);
		ENSURE(a->high == b->high);
		++at;
		*found += 1;
	}
	for (; at < second.count; ++at)
	{
		ENSURE(second.items[at].share < TN_THIN_SHARE + 1.0e-5f);
	}
	return 0;
}

static int ThinPartsAgreeWithFaces(void)
{
	const tnGrid grid = MakeGrid();
	TestRandom random = TestMakeRandom(16);
	int found = 0;
	for (int kind = tn_boxShape; kind <= tn_cylinderShape; ++kind)
	{
		for (int size = 0; size < 3; ++size)
		{
			// Larger than cells, of their size, and smaller.
			tnShapeDef shape = MakeShape((tnShapeKind)kind);
			const float scale = size == 0 ? 1.0f : (size == 1 ? 0.4f : 0.15f);
			shape.halfExtents = (tnVec3){scale * shape.halfExtents.x, shape.halfExtents.y, scale * shape.halfExtents.z};
			shape.radius *= scale;
			shape.halfLength *= scale;
			Solid solid = CreateSolid(&shape, 1, &grid);
			ENSURE(solid.ok);
			for (int run = 0; run < 40; ++run)
			{
				TurnSolid(&solid, RandomTurn(&random));
				const tnVec3 position = {
					TestRandomFloat(&random, 0.0f, 20.0f), 0.5f, TestRandomFloat(&random, 9.0f, 20.0f)};
				ENSURE_EQUAL_INT(CompareThinParts(&solid, &grid, position, &found), 0);
			}
			DestroySolid(&solid);
		}
	}
	ENSURE(found > 1000);

	// Walls along the lines, on them, nearly so, and between them: what stands on a line is seen there.
	const tnGrid even = {.columnCount = 21, .rowCount = 17, .cellSize = 0.5f};
	tnShapeDef shape = MakeShape(tn_boxShape);
	shape.halfExtents = (tnVec3){0.25f, 1.0f, 0.9f};
	Solid solid = CreateSolid(&shape, 1, &even);
	ENSURE(solid.ok);
	TurnSolid(&solid, (tnQuat){0.0f, 0.0f, 0.0f, 1.0f});
	const float shifts[4] = {0.0f, 2.0e-6f, -2.0e-6f, 0.1f};
	for (int i = 0; i < 4; ++i)
	{
		found = 0;
		const tnVec3 position = {4.25f + shifts[i], 0.0f, 4.1f};
		ENSURE_EQUAL_INT(CompareThinParts(&solid, &even, position, &found), 0);
	}
	DestroySolid(&solid);
	return 0;
}

// Faces agree, too, with those of the same body as a mesh of any kind.
static int FacesAgreeWithLayers(void)
{
	const tnGrid grid = MakeGrid();
	TestRandom random = TestMakeRandom(17);
	int compared = 0;
	for (int kind = tn_boxShape; kind <= tn_cylinderShape; ++kind)
	{
		const tnShapeDef shape = MakeShape((tnShapeKind)kind);
		Solid simple = CreateSolid(&shape, 1, &grid);
		ENSURE(simple.ok);
		tnShapeDef meshShape = tnDefaultShapeDef();
		meshShape.kind = tn_meshShape;
		meshShape.points = simple.mesh.points;
		meshShape.pointCount = simple.mesh.pointCount;
		meshShape.triangles = simple.mesh.triangles;
		meshShape.triangleCount = simple.mesh.triangleCount;
		Solid layered = CreateSolid(&meshShape, 1, &grid);
		ENSURE(layered.ok);
		for (int run = 0; run < 20; ++run)
		{
			const tnQuat turn = RandomTurn(&random);
			const tnVec3 position = {
				TestRandomFloat(&random, 0.0f, 20.0f), 0.0f, TestRandomFloat(&random, 9.0f, 20.0f)};
			TurnSolid(&simple, turn);
			TurnSolid(&layered, turn);
			CutSolid(&simple, &grid, position);
			CutSolid(&layered, &grid, position);
			const tnCut* a = &simple.cut;
			const tnCut* b = &layered.cut;
			int j = 0;
			for (int i = 0; i < a->faceCount; ++i)
			{
				const tnFaceCut* c = a->faces + i;
				// Slivers may be there in one and not in the other.
				if (c->share < 1.0e-4f)
				{
					continue;
				}
				while (j < b->faceCount &&
					(b->faces[j].row != c->row || b->faces[j].column != c->column || b->faces[j].alongZ != c->alongZ))
				{
					++j;
				}
				ENSURE(j < b->faceCount);
				const tnFaceCut* d = b->faces + j;
				ENSURE_CLOSE(d->share, c->share, 1.0e-4);
				ENSURE_CLOSE(d->share * d->low, c->share * c->low, 1.0e-4);
				ENSURE_CLOSE(d->share * d->high, c->share * c->high, 1.0e-4);
				++compared;
			}
		}
		DestroySolid(&simple);
		DestroySolid(&layered);
	}
	ENSURE(compared > 1000);
	return 0;
}

// A mirrored body in a mirrored place.
static int MirrorsMirror(void)
{
	const tnGrid grid = {.columnCount = 53, .rowCount = 37, .cellSize = 0.5f, .origin = {-13.25f, 0.0f}};
	TestRandom random = TestMakeRandom(12);
	for (int kind = tn_boxShape; kind <= tn_cylinderShape; ++kind)
	{
		const tnShapeDef shape = MakeShape((tnShapeKind)kind);
		Solid first = CreateSolid(&shape, 1, &grid);
		Solid second = CreateSolid(&shape, 1, &grid);
		ENSURE(first.ok && second.ok);
		for (int run = 0; run < 20; ++run)
		{
			const tnQuat turn = RandomTurn(&random);
			tnVec3 position = {TestRandomFloat(&random, -8.0f, 8.0f), 1.0f, TestRandomFloat(&random, 6.0f, 12.0f)};
			TurnSolid(&first, turn);
			CutSolid(&first, &grid, position);
			// These shapes are their own mirrors: turn about mirrored axes.
			TurnSolid(&second, (tnQuat){turn.x, -turn.y, -turn.z, turn.w});
			position.x = -position.x;
			CutSolid(&second, &grid, position);
			for (int i = 0; i < first.cut.columnCount; ++i)
			{
				const tnColumn* a = first.columns + i;
				const tnColumn* b = FindColumn(&second, grid.columnCount - 1 - a->column, a->row, 0);
				if (a->share < 2.0e-6f)
				{
					continue;
				}
				ENSURE(b != NULL);
				ENSURE_CLOSE(b->share, a->share, 1.0e-5);
				ENSURE_CLOSE(b->share * b->low, a->share * a->low, 2.0e-5);
				ENSURE_CLOSE(b->share * b->high, a->share * a->high, 2.0e-5);
				ENSURE_CLOSE(-b->share * b->x, a->share * a->x, 2.0e-5);
				ENSURE_CLOSE(b->share * b->z, a->share * a->z, 2.0e-5);
			}
		}
		DestroySolid(&first);
		DestroySolid(&second);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Forces

static tnSubmergence Submerge(const Solid* solid, float height)
{
	const tnAmbient ambient = {.height = height};
	const tnMotion motion = {0};
	const tnBodyDef def = tnDefaultBodyDef();
	return tnMesh_Submerge(tnGetTriangleKernels(tn_simdAuto), &solid->mesh, solid->points, &ambient, &motion, &def);
}

// The height at which a body displaces a volume.
static float FindFloatingHeight(const Solid* solid, double volume)
{
	float low = -solid->mesh.radius;
	float high = solid->mesh.radius;
	for (int i = 0; i < 60; ++i)
	{
		const float middle = 0.5f * (low + high);
		if (Submerge(solid, middle).volume < volume)
		{
			low = middle;
		}
		else
		{
			high = middle;
		}
	}
	return 0.5f * (low + high);
}

// Righting arms of boxes against the exact ones.
static int BoxesRightThemselves(void)
{
	FILE* file = fopen(TARN_SOURCE_FOLDER "/test/reference/b02_boxes.csv", "r");
	ENSURE(file != NULL);
	const tnGrid grid = MakeGrid();
	char line[512];
	int boxes = 0;
	while (fgets(line, sizeof(line), file) != NULL)
	{
		double b, l, d, s, gz[4];
		if (sscanf(line, "%lf,%lf,%lf,%lf,%*[^,],%*[^,],%*[^,],%*[^,],%*[^,],%*[^,],%lf,%lf,%lf,%lf", &b, &l, &d, &s,
				gz, gz + 1, gz + 2, gz + 3) != 8)
		{
			continue;
		}
		++boxes;
		tnShapeDef shape = MakeShape(tn_boxShape);
		shape.halfExtents = (tnVec3){(float)(0.5 * b), (float)(0.5 * d), (float)(0.5 * l)};
		Solid solid = CreateSolid(&shape, 1, &grid);
		ENSURE(solid.ok);
		const double heels[4] = {5.0, 10.0, 20.0, 30.0};
		for (int i = 0; i < 4; ++i)
		{
			for (int side = -1; side <= 1; side += 2)
			{
				TurnSolid(&solid, TurnAbout(0.0f, 0.0f, 1.0f, side * heels[i]));
				const float height = FindFloatingHeight(&solid, s * b * l * d);
				const tnSubmergence sub = Submerge(&solid, height);
				// Heeled about +z the side at -x goes down; buoyancy moves there and turns it back.
				ENSURE_CLOSE(-side * sub.center.x, gz[i], 1.0e-3 * b / 10.0);
				ENSURE_CLOSE(sub.center.z, 0.0, 1.0e-5 * l);
				ENSURE_CLOSE(sub.volume, s * b * l * d, 1.0e-5 * b * l * d);
			}
		}
		DestroySolid(&solid);
	}
	fclose(file);
	ENSURE(boxes >= 15);
	return 0;
}

static int BallsHaveCaps(void)
{
	const tnGrid grid = MakeGrid();
	tnShapeDef shape = MakeShape(tn_sphereShape);
	shape.radius = 2.0f;
	Solid solid = CreateSolid(&shape, 1, &grid);
	ENSURE(solid.ok);
	TestRandom random = TestMakeRandom(13);
	for (int run = 0; run < 200; ++run)
	{
		TurnSolid(&solid, RandomTurn(&random));
		const double t = TestRandomFloat(&random, -2.0f, 2.0f);
		const double h = 2.0 + t;
		const tnSubmergence sub = Submerge(&solid, (float)t);
		// Of a polyhedron of 288 triangles and the same volume, over the volume of the ball.
		const double volume = PI * h * h * (6.0 - h) / 3.0;
		ENSURE_CLOSE(sub.volume, volume, 0.004 * 32.0 / 3.0 * PI);
		ENSURE_CLOSE(sub.waterlineArea, PI * (4.0 - t * t), 0.03 * 4.0 * PI);
		if (volume > 1.0)
		{
			const double center = -PI * pow(4.0 - t * t, 2.0) / 4.0 / volume;
			ENSURE_CLOSE(sub.center.y, center, 0.02);
			ENSURE_CLOSE(sub.center.x, 0.0, 0.02);
			ENSURE_CLOSE(sub.center.z, 0.0, 0.02);
		}
	}
	DestroySolid(&solid);
	return 0;
}

// Above the water nothing, below all, and nothing jumps in between.
static int SubmergenceIsContinuous(void)
{
	const tnGrid grid = MakeGrid();
	TestRandom random = TestMakeRandom(14);
	const Prism prism = MakeBracket();
	const tnShapeDef shapes[3] = {MakeShape(tn_boxShape), MakeShape(tn_capsuleShape), MakePrismShape(&prism)};
	for (int kind = 0; kind < 3; ++kind)
	{
		Solid solid = CreateSolid(shapes + kind, 1, &grid);
		ENSURE(solid.ok);
		for (int run = 0; run < 10; ++run)
		{
			TurnSolid(&solid, RandomTurn(&random));
			const float reach = 1.01f * solid.mesh.radius;
			float previous = 0.0f;
			for (int step = 0; step <= 400; ++step)
			{
				const float height = reach * ((float)step / 200.0f - 1.0f);
				const tnSubmergence sub = Submerge(&solid, height);
				ENSURE(sub.volume >= previous - 1.0e-6f * solid.mesh.volume);
				ENSURE(sub.volume - previous <= reach / 200.0f * 4.0f * reach * reach);
				// The area is the derivative of the volume.
				const float delta = 2.0e-3f * reach;
				const double rise = Submerge(&solid, height + delta).volume - Submerge(&solid, height - delta).volume;
				if (sub.waterlineArea > 0.0f && height > -0.9f * reach && height < 0.9f * reach && kind < 2)
				{
					ENSURE_CLOSE(sub.waterlineArea, rise / (2.0 * delta), 0.02 * reach * reach);
				}
				previous = sub.volume;
			}
			ENSURE_CLOSE(previous, solid.mesh.volume, 2.0e-6 * solid.mesh.volume);
			// A thousand meters deep it is as exact.
			const tnSubmergence deep = Submerge(&solid, 1000.0f);
			ENSURE_CLOSE(deep.volume, solid.mesh.volume, 1.0e-6 * solid.mesh.volume);
			ENSURE(deep.waterlineArea == 0.0f);
			ENSURE(Submerge(&solid, -reach).volume == 0.0f);
		}
		DestroySolid(&solid);
	}
	return 0;
}

// A box that moves along its axes has the drag of the def on its front and its back.
static int DragFollowsTheDef(void)
{
	const tnGrid grid = MakeGrid();
	const tnShapeDef shape = MakeShape(tn_boxShape);
	Solid solid = CreateSolid(&shape, 1, &grid);
	ENSURE(solid.ok);
	TurnSolid(&solid, (tnQuat){0.0f, 0.0f, 0.0f, 1.0f});
	tnBodyDef def = tnDefaultBodyDef();
	def.pressureDrag = 1.2f;
	def.suction = 0.25f;
	def.creepSpeed = 0.0f;
	def.skinFriction = 0.01f;
	const tnAmbient deep = {.height = 10.0f, .velocity = {3.0f, 0.0f}};
	tnMotion motion = {.velocity = {1.0f, 0.0f, 0.0f}};
	tnSubmergence sub =
		tnMesh_Submerge(tnGetTriangleKernels(tn_simdAuto), &solid.mesh, solid.points, &deep, &motion, &def);
	const double front = 4.0 * 0.6f * 1.1f;
	const double sides = 2.0 * 4.0 * (1.7f * 0.6f + 1.7f * 1.1f);
	const double expected = 500.0 * 4.0 * (1.2 * 1.25 * front + 0.01 * sides);
	ENSURE_CLOSE(sub.dragForce.x, expected, 1.0e-5 * expected);
	ENSURE_CLOSE(sub.dragForce.y, 0.0, 1.0e-5 * expected);
	ENSURE_CLOSE(sub.dragForce.z, 0.0, 1.0e-5 * expected);
	ENSURE_CLOSE(sub.dragTorque.x, 0.0, 1.0e-5 * expected);
	ENSURE_CLOSE(sub.dragTorque.z, 0.0, 1.0e-5 * expected);
	ENSURE_CLOSE(sub.brake, expected / 2.0, 1.0e-5 * expected);
	// Creep adds a part that grows with the speed alone: 2 m/s (2 m/s + 0.5 m/s).
	def.creepSpeed = 0.5f;
	sub = tnMesh_Submerge(tnGetTriangleKernels(tn_simdAuto), &solid.mesh, solid.points, &deep, &motion, &def);
	const double creeping = 500.0 * 4.0 * (1.2 * 1.25 * 1.25 * front + 0.01 * sides);
	ENSURE_CLOSE(sub.dragForce.x, creeping, 1.0e-5 * creeping);
	def.creepSpeed = 0.0f;
	// Half out of the water, half of it, at half of the depth: the torque turns the top forward.
	const tnAmbient halfway = {.height = 0.0f, .velocity = {3.0f, 0.0f}};
	def.skinFriction = 0.0f;
	sub = tnMesh_Submerge(tnGetTriangleKernels(tn_simdAuto), &solid.mesh, solid.points, &halfway, &motion, &def);
	const double half = 500.0 * 4.0 * 1.2 * 1.25 * front / 2.0;
	ENSURE_CLOSE(sub.dragForce.x, half, 1.0e-5 * half);
	ENSURE_CLOSE(sub.dragTorque.z, 0.3 * half, 1.0e-5 * half);

	// Spin about y: the integral of |v|^3 over both long and both short sides.
	def.suction = 1.0f;
	motion = (tnMotion){.spin = {0.0f, 2.0f, 0.0f}};
	const tnAmbient still = {.height = 10.0f};
	sub = tnMesh_Submerge(tnGetTriangleKernels(tn_simdAuto), &solid.mesh, solid.points, &still, &motion, &def);
	ENSURE(sub.dragTorque.y < 0.0f);
	ENSURE_CLOSE(sub.dragForce.x, 0.0, 1.0e-3);
	ENSURE_CLOSE(sub.dragForce.y, 0.0, 1.0e-3);
	ENSURE(-sub.dragTorque.y <= 2.0f * sub.spinBrake * 1.0001f);
	const double torque = 500.0 * 1.2 * 4.0 * 2.0 * 0.6 * 2.0 * 2.0 * (pow(1.7, 4.0) + pow(1.1, 4.0)) / 4.0;
	// Three places for each triangle do not see all of the kink in the middle: they give 17/81 where 1/4 is exact.
	ENSURE_CLOSE(-sub.dragTorque.y, torque, 0.17 * torque);
	DestroySolid(&solid);
	return 0;
}

// Drag takes energy, always, and is within its bounds.
static int DragBrakes(void)
{
	const tnGrid grid = MakeGrid();
	TestRandom random = TestMakeRandom(15);
	const tnShapeDef shape = MakeShape(tn_cylinderShape);
	Solid solid = CreateSolid(&shape, 1, &grid);
	ENSURE(solid.ok);
	const tnBodyDef def = tnDefaultBodyDef();
	for (int run = 0; run < 200; ++run)
	{
		TurnSolid(&solid, RandomTurn(&random));
		const tnAmbient ambient = {.height = TestRandomFloat(&random, -2.0f, 2.0f)};
		tnMotion motion = {.velocity = {TestRandomFloat(&random, -3.0f, 3.0f), TestRandomFloat(&random, -3.0f, 3.0f),
							   TestRandomFloat(&random, -3.0f, 3.0f)}};
		if (run % 2 == 1)
		{
			motion.spin = motion.velocity;
			motion.velocity = (tnVec3){0};
		}
		const tnSubmergence sub =
			tnMesh_Submerge(tnGetTriangleKernels(tn_simdAuto), &solid.mesh, solid.points, &ambient, &motion, &def);
		const tnVec3 v = run % 2 == 1 ? motion.spin : motion.velocity;
		const tnVec3 f = run % 2 == 1 ? sub.dragTorque : sub.dragForce;
		const double power = (double)f.x * v.x + (double)f.y * v.y + (double)f.z * v.z;
		const double strength = sqrt((double)f.x * f.x + (double)f.y * f.y + (double)f.z * f.z);
		const double speed = sqrt((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z);
		ENSURE(power <= 0.0);
		ENSURE(strength <= (double)(run % 2 == 1 ? sub.spinBrake : sub.brake) * speed * 1.00001 + 1.0e-6);
	}
	DestroySolid(&solid);
	return 0;
}

static int WaterlinesClose(void)
{
	const tnGrid grid = MakeGrid();
	const tnShapeDef shape = MakeShape(tn_sphereShape);
	Solid solid = CreateSolid(&shape, 1, &grid);
	ENSURE(solid.ok);
	TurnSolid(&solid, (tnQuat){0.1f, 0.4f, -0.2f, 1.0f});
	const float height = 0.37f;
	tnVec3 points[600];
	const int count = tnMesh_CopyWaterline(&solid.mesh, solid.points, height, points, 600);
	ENSURE(count > 20 && count <= 600 && count % 2 == 0);
	ENSURE_EQUAL_INT(tnMesh_CopyWaterline(&solid.mesh, solid.points, height, NULL, 0), count);
	const double radius = sqrt(1.3 * 1.3 - 0.37 * 0.37);
	double length = 0.0;
	for (int i = 0; i < count; ++i)
	{
		ENSURE(points[i].y == height);
		ENSURE_CLOSE(sqrt((double)points[i].x * points[i].x + (double)points[i].z * points[i].z), radius, 0.04);
		// Each end is the end of two segments.
		int met = 0;
		for (int j = 0; j < count; ++j)
		{
			met += points[i].x == points[j].x && points[i].z == points[j].z;
		}
		ENSURE_EQUAL_INT(met, 2);
		if (i % 2 == 1)
		{
			length += hypot((double)points[i].x - points[i - 1].x, (double)points[i].z - points[i - 1].z);
		}
	}
	ENSURE_CLOSE(length, 2.0 * PI * radius, 0.02 * 2.0 * PI * radius);
	ENSURE_EQUAL_INT(tnMesh_CopyWaterline(&solid.mesh, solid.points, 9.0f, points, 600), 0);
	DestroySolid(&solid);
	return 0;
}

static int WidthsAreNarrow(void)
{
	const tnGrid grid = MakeGrid();
	tnShapeDef shape = MakeShape(tn_boxShape);
	shape.halfExtents = (tnVec3){4.0f, 0.5f, 0.25f};
	Solid solid = CreateSolid(&shape, 1, &grid);
	ENSURE(solid.ok);
	for (int degrees = 0; degrees <= 180; degrees += 15)
	{
		const tnPose pose = {.rotation = TurnAbout(0.0f, 1.0f, 0.0f, degrees)};
		ENSURE_CLOSE(tnMesh_GetWidth(&solid.mesh, &pose), 0.5, 1.0e-4);
	}
	// On its side.
	const tnPose pose = {.rotation = TurnAbout(1.0f, 0.0f, 0.0f, 90.0)};
	ENSURE_CLOSE(tnMesh_GetWidth(&solid.mesh, &pose), 1.0, 1.0e-4);
	DestroySolid(&solid);
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
	{"ColumnsHoldTheVolume", ColumnsHoldTheVolume},
	{"ColumnsEndAtTheEdge", ColumnsEndAtTheEdge},
	{"WrappedWorldsHaveNoEdge", WrappedWorldsHaveNoEdge},
	{"HugeBodiesAreClipped", HugeBodiesAreClipped},
	{"MotionIsContinuous", MotionIsContinuous},
	{"CutsHaveSameBits", CutsHaveSameBits},
	{"UprightBoxesAreExact", UprightBoxesAreExact},
	{"ThinBoxesTakeTheirShare", ThinBoxesTakeTheirShare},
	{"BoxesOnLinesBlock", BoxesOnLinesBlock},
	{"ConcaveMeshesHaveLayers", ConcaveMeshesHaveLayers},
	{"LayersAgreeWithSums", LayersAgreeWithSums},
	{"ThinPartsAgreeWithFaces", ThinPartsAgreeWithFaces},
	{"FacesAgreeWithLayers", FacesAgreeWithLayers},
	{"MirrorsMirror", MirrorsMirror},
	{"BoxesRightThemselves", BoxesRightThemselves},
	{"BallsHaveCaps", BallsHaveCaps},
	{"SubmergenceIsContinuous", SubmergenceIsContinuous},
	{"DragFollowsTheDef", DragFollowsTheDef},
	{"DragBrakes", DragBrakes},
	{"WaterlinesClose", WaterlinesClose},
	{"WidthsAreNarrow", WidthsAreNarrow},
};
const TestSuite body_geometrySuite = TEST_SUITE("body_geometry", s_tests);
