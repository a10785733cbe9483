// SPDX-License-Identifier: MIT

// Triangles of a surface, cut off at shores. Corners stand in the middle of cells; every quad between four of them is two triangles,
//
//     a---b      and of each only that part is kept where the surface is above the ground. Where an edge passes the ground it gets
//     | / |      a corner of its own, found from the lower to the higher cell, so that both triangles at the edge, and both tiles
//     c---d      at a seam, have the same bits.

#include "surface.h"

#include <math.h>
#include <string.h>

enum
{
	TN_MESH_SIDE = TN_SURFACE_TILE + 1,
	TN_MESH_CORNERS = TN_MESH_SIDE * TN_MESH_SIDE,
	// Kinds of edges from a corner: to b, to c, and from b to c.
	TN_MESH_EDGES = 3,
};

typedef struct tnMeshCorner
{
	tnVec3 position, normal;
	float depth; // above the ground, m
} tnMeshCorner;

typedef struct tnMeshBuilder
{
	const tnSurface* surface;
	tnCellBox box;
	tnSurfaceMesh* mesh;
	// Number of the vertex of each corner, and of each edge that has one; -1 for none yet.
	int32_t corners[TN_MESH_CORNERS];
	int32_t edges[TN_MESH_CORNERS][TN_MESH_EDGES];
	int vertexCount, indexCount;
} tnMeshBuilder;

static float tnGetMeshHeight(const tnSurface* surface, int column, int row)
{
	return tnSurface_Get(surface, tn_surfaceHeight, tnClampInt(column, 0, surface->columnCount - 1),
		tnClampInt(row, 0, surface->rowCount - 1));
}

static tnVec3 tnNormalizeMesh(float x, float y, float z)
{
	const float length = sqrtf(x * x + y * y + z * z);
	return (tnVec3){x / length, y / length, z / length};
}

static tnMeshCorner tnGetMeshCorner(const tnMeshBuilder* builder, int corner)
{
	const tnSurface* surface = builder->surface;
	const tnGrid* grid = &surface->world->grid;
	const int column = builder->box.columnBegin + corner % TN_MESH_SIDE;
	const int row = builder->box.rowBegin + corner / TN_MESH_SIDE;
	const float height = tnGetMeshHeight(surface, column, row);
	const float bed = grid->bed[tnGrid_Index(grid, column, row)];
	tnMeshCorner found = {.depth = height - bed};
	found.position = (tnVec3){grid->origin.x + ((float)column + 0.5f) * surface->cellSize, height,
		grid->origin.z + ((float)row + 0.5f) * surface->cellSize};
	const float slopeX = tnGetMeshHeight(surface, column + 1, row) - tnGetMeshHeight(surface, column - 1, row);
	const float slopeZ = tnGetMeshHeight(surface, column, row + 1) - tnGetMeshHeight(surface, column, row - 1);
	const bool has = surface->has[tn_surfaceSlopeX] && surface->has[tn_surfaceSlopeZ];
	const float perTwo = 0.5f / surface->cellSize;
	found.normal = tnNormalizeMesh(has ? -tnSurface_Get(surface, tn_surfaceSlopeX, column, row) : -slopeX * perTwo,
		1.0f, has ? -tnSurface_Get(surface, tn_surfaceSlopeZ, column, row) : -slopeZ * perTwo);
	return found;
}

static int32_t tnAddMeshVertex(tnMeshBuilder* builder, const tnMeshCorner* corner)
{
	tnSurfaceMesh* mesh = builder->mesh;
	const int vertex = builder->vertexCount++;
	if (vertex < mesh->vertexCapacity)
	{
		mesh->positions[vertex] = corner->position;
		if (mesh->normals != NULL)
		{
			mesh->normals[vertex] = corner->normal;
		}
	}
	return vertex;
}

static int32_t tnGetCornerVertex(tnMeshBuilder* builder, int corner)
{
	if (builder->corners[corner] < 0)
	{
		const tnMeshCorner found = tnGetMeshCorner(builder, corner);
		builder->corners[corner] = tnAddMeshVertex(builder, &found);
	}
	return builder->corners[corner];
}

// The vertex where an edge passes the ground.
static int32_t tnGetEdgeVertex(tnMeshBuilder* builder, int first, int second)
{
	const int low = first < second ? first : second, high = first < second ? second : first;
	const int way = high - low;
	// Edges to b and c belong to a; the one from b to c, too.
	const int kind = way == 1 ? 0 : (way == TN_MESH_SIDE ? 1 : 2);
	int32_t* vertex = &builder->edges[kind == 2 ? low - 1 : low][kind];
	if (*vertex < 0)
	{
		const tnMeshCorner a = tnGetMeshCorner(builder, low), b = tnGetMeshCorner(builder, high);
		const float t = a.depth / (a.depth - b.depth);
		tnMeshCorner shore = {0};
		shore.position = (tnVec3){a.position.x + (b.position.x - a.position.x) * t,
			a.position.y + (b.position.y - a.position.y) * t, a.position.z + (b.position.z - a.position.z) * t};
		shore.normal = tnNormalizeMesh(a.normal.x + (b.normal.x - a.normal.x) * t,
			a.normal.y + (b.normal.y - a.normal.y) * t, a.normal.z + (b.normal.z - a.normal.z) * t);
		*vertex = tnAddMeshVertex(builder, &shore);
	}
	return *vertex;
}

static void tnAddMeshTriangle(tnMeshBuilder* builder, int32_t a, int32_t b, int32_t c)
{
	tnSurfaceMesh* mesh = builder->mesh;
	const int32_t corners[3] = {a, b, c};
	for (int i = 0; i < 3; ++i)
	{
		if (builder->indexCount < mesh->indexCapacity)
		{
			mesh->indices[builder->indexCount] = (uint32_t)corners[i];
		}
		builder->indexCount += 1;
	}
}

// What of a triangle is above the ground: nothing, a triangle, or four corners.
static void tnCutTriangle(tnMeshBuilder* builder, const float* depths, const int corners[3])
{
	int32_t kept[4];
	int count = 0;
	for (int i = 0; i < 3; ++i)
	{
		const int from = corners[i], to = corners[(i + 1) % 3];
		const bool above = depths[from] > 0.0f, next = depths[to] > 0.0f;
		if (above)
		{
			kept[count++] = tnGetCornerVertex(builder, from);
		}
		if (above != next)
		{
			kept[count++] = tnGetEdgeVertex(builder, from, to);
		}
	}
	for (int i = 2; i < count; ++i)
	{
		tnAddMeshTriangle(builder, kept[0], kept[i - 1], kept[i]);
	}
}

static tnResult tnCheckSurfaceMesh(const tnSurface* surface, int tile, const tnSurfaceMesh* mesh)
{
	if (surface == NULL || mesh == NULL)
	{
		return tnFail(tn_invalidArgument, surface == NULL ? "surface must not be NULL" : "mesh must not be NULL");
	}
	if (tile < 0 || tile >= surface->tileCount)
	{
		return tnFail(tn_invalidArgument, "tile must be in [0, %d], got %d", surface->tileCount - 1, tile);
	}
	if (!surface->has[tn_surfaceHeight])
	{
		return tnFail(tn_notAvailable, "a layer must have tn_surfaceHeight for a mesh, got none");
	}
	const bool hasVertices = mesh->vertexCapacity == 0 || mesh->positions != NULL;
	const bool hasIndices = mesh->indexCapacity == 0 || mesh->indices != NULL;
	if (mesh->vertexCapacity < 0 || mesh->indexCapacity < 0 || !hasVertices || !hasIndices)
	{
		return tnFail(tn_invalidArgument, "mesh must have arrays of its capacities, got %d and %d",
			mesh->vertexCapacity, mesh->indexCapacity);
	}
	return tnSuccess();
}

tnResult tnSurface_BuildMesh(const tnSurface* surface, int tile, tnSurfaceMesh* mesh)
{
	const tnResult result = tnCheckSurfaceMesh(surface, tile, mesh);
	if (result.status != tn_ok)
	{
		return result;
	}
	tnMeshBuilder builder = {.surface = surface, .box = tnSurface_GetBox(surface, tile), .mesh = mesh};
	memset(builder.corners, 0xFF, sizeof(builder.corners));
	memset(builder.edges, 0xFF, sizeof(builder.edges));
	// The last quads are those to the first cells of the next tile.
	const int columns = tnMinInt(TN_MESH_SIDE, surface->columnCount - builder.box.columnBegin);
	const int rows = tnMinInt(TN_MESH_SIDE, surface->rowCount - builder.box.rowBegin);
	float depths[TN_MESH_CORNERS];
	const tnGrid* grid = &surface->world->grid;
	for (int row = 0; row < rows; ++row)
	{
		for (int column = 0; column < columns; ++column)
		{
			const int c = builder.box.columnBegin + column, r = builder.box.rowBegin + row;
			depths[row * TN_MESH_SIDE + column] = tnGetMeshHeight(surface, c, r) - grid->bed[tnGrid_Index(grid, c, r)];
		}
	}
	for (int row = 0; row < rows - 1; ++row)
	{
		for (int column = 0; column < columns - 1; ++column)
		{
			const int a = row * TN_MESH_SIDE + column, b = a + 1, c = a + TN_MESH_SIDE, d = c + 1;
			tnCutTriangle(&builder, depths, (const int[3]){a, c, b});
			tnCutTriangle(&builder, depths, (const int[3]){b, c, d});
		}
	}
	mesh->vertexCount = builder.vertexCount;
	mesh->indexCount = builder.indexCount;
	if (builder.vertexCount > mesh->vertexCapacity || builder.indexCount > mesh->indexCapacity)
	{
		return tnFail(tn_outOfMemory, "mesh needs %d vertices and %d indices, got room for %d and %d",
			builder.vertexCount, builder.indexCount, mesh->vertexCapacity, mesh->indexCapacity);
	}
	return result;
}
