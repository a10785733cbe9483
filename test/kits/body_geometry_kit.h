// SPDX-License-Identifier: MIT

#pragma once

// Bodies made of shapes, as meshes that are cut at the lines of a grid: what tests of shapes, columns and forces
// share.

#include "bodies/body_cut.h"
#include "bodies/body_kernels.h"
#include "harness.h"

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

static inline tnGrid MakeGrid(void)
{
	// Odd and unequal, with an origin that is no multiple of the cell size.
	return (tnGrid){.columnCount = 53, .rowCount = 37, .cellSize = 0.75f, .origin = {-7.3f, 2.1f}};
}

static inline void DestroySolid(Solid* solid)
{
	free(solid->points);
	free(solid->columnMemory);
	free(solid->columns);
	free(solid->cut.faces);
	free(solid->scratch);
	tnMesh_Destroy(&solid->mesh, &solid->memory);
}

static inline Solid CreateSolid(const tnShapeDef* shapes, int shapeCount, const tnGrid* grid)
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

static inline void TurnSolid(Solid* solid, tnQuat rotation)
{
	const tnAxes axes = tnQuat_GetAxes(rotation);
	solid->rotation = rotation;
	for (int i = 0; i < solid->mesh.pointCount; ++i)
	{
		solid->points[i] = tnAxes_Turn(&axes, solid->mesh.points[i]);
	}
}

// Garbage, so that nothing is read before it is written.
static inline void SoilScratch(Solid* solid, const tnGrid* grid)
{
	const size_t bytes = tnCut_GetSize(grid, &solid->mesh).scratchBytes;
	tnMemory_Allow(solid->scratch, bytes);
	memset(solid->scratch, 0x7f, bytes);
}

static inline void CutSolidWith(Solid* solid, const tnGrid* grid, tnVec3 position, tnSimd simd)
{
	const tnPose pose = {position, solid->rotation};
	SoilScratch(solid, grid);
	tnCut_Make(
		&solid->cut, grid, &solid->mesh, &pose, NULL, NULL, tnGetBodyKernels(simd)->cutColumns, NULL, solid->scratch);
	SoilScratch(solid, grid);
	tnCut_MakeFaces(&solid->cut, grid, &solid->mesh, &pose, NULL, solid->scratch);
	for (int i = 0; i < solid->cut.columnCount; ++i)
	{
		solid->columns[i] = tnCut_GetColumn(&solid->cut, i);
	}
}

static inline void CutSolid(Solid* solid, const tnGrid* grid, tnVec3 position)
{
	CutSolidWith(solid, grid, position, tn_simdAuto);
}

static inline tnQuat TurnAbout(float x, float y, float z, double degrees)
{
	const double half = degrees * PI / 360.0;
	const float s = (float)sin(half);
	return (tnQuat){s * x, s * y, s * z, (float)cos(half)};
}

static inline tnQuat RandomTurn(TestRandom* random)
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

static inline Sums AddColumns(const Solid* solid, const tnGrid* grid)
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

static inline tnShapeDef MakeShape(tnShapeKind kind)
{
	tnShapeDef shape = tnDefaultShapeDef();
	shape.kind = kind;
	shape.halfExtents = (tnVec3){1.7f, 0.6f, 1.1f};
	shape.radius = 1.3f;
	shape.halfLength = 1.6f;
	return shape;
}

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
static inline Prism MakePrism(const tnVec2* outline, int count, const int (*faces)[3], int faceCount, float depth)
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

// A C: a plate, a back at -x, and a roof.
static inline Prism MakeBracket(void)
{
	static const tnVec2 outline[8] = {{-2, -2}, {2, -2}, {2, -1}, {-1, -1}, {-1, 1}, {2, 1}, {2, 2}, {-2, 2}};
	static const int faces[6][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 7}, {4, 5, 6}, {4, 6, 7}};
	return MakePrism(outline, 8, faces, 6, 1.5f);
}

static inline tnShapeDef MakePrismShape(const Prism* prism)
{
	tnShapeDef shape = tnDefaultShapeDef();
	shape.kind = tn_meshShape;
	shape.points = prism->points;
	shape.pointCount = prism->pointCount;
	shape.triangles = prism->triangles;
	shape.triangleCount = prism->triangleCount;
	return shape;
}
