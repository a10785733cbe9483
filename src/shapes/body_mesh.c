// SPDX-License-Identifier: MIT

// Makes one closed mesh of the shapes of a body.

#include "body_mesh.h"

#include "../core/hash.h"
#include "body_edges.h"
#include "body_measure.h"
#include "body_shape_check.h"
#include "body_shapes.h"

#include <math.h>
#include <string.h>

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

// @param parts receives the sum of the shapes, each of them measured for itself
static tnResult tnMesh_Build(tnMesh* mesh, tnMemory* memory, const tnShapeDef* shapes, int shapeCount, int pointRoom,
	int triangleRoom, tnSolid* parts)
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
		const int firstPoint = mesh->pointCount;
		const int firstTriangle = mesh->triangleCount;
		result = tnMesh_AddShape(mesh, memory, i, shapes + i);
		if (result.status == tn_ok)
		{
			tnMesh_Place(mesh, firstPoint, &shapes[i].pose);
			// Far away points are rounded to some millimeters.
			const tnSolid solid = tnMesh_GetSolid(mesh, firstTriangle);
			*parts =
				(tnSolid){parts->volume + solid.volume, parts->x + solid.x, parts->y + solid.y, parts->z + solid.z};
			if (!((float)solid.volume > 0.0f))
			{
				result = tnFail(tn_invalidArgument,
					"shapes[%d].pose.position must be nearer for so small a shape to have a volume, got (%g, %g, %g)",
					i, (double)shapes[i].pose.position.x, (double)shapes[i].pose.position.y,
					(double)shapes[i].pose.position.z);
			}
		}
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
	tnSolid parts = {0};
	const tnResult result = tnMesh_Build(mesh, memory, shapes, shapeCount, pointRoom, triangleRoom, &parts);
	if (result.status == tn_ok)
	{
		mesh->simple = shapeCount == 1 && shapes[0].kind != tn_meshShape;
		tnMesh_Measure(mesh, &parts);
	}
	if (mesh->simple && !(tnMesh_FindEdges(mesh, memory) && tnMesh_FindFacets(mesh, memory)))
	{
		tnMesh_Destroy(mesh, memory);
		return tnFail(tn_outOfMemory, "out of memory for the edges of a mesh of %d triangles", triangleRoom);
	}
	return result;
}

// Has a shape points or triangles of its own?
static bool tnHasPoints(const tnShapeDef* shape)
{
	return shape->kind == tn_hullShape || shape->kind == tn_meshShape;
}

static uint64_t tnHashShape(uint64_t hash, const tnShapeDef* shape)
{
	const int32_t counts[3] = {(int32_t)shape->kind, shape->pointCount, shape->triangleCount};
	const float numbers[12] = {shape->halfExtents.x, shape->halfExtents.y, shape->halfExtents.z, shape->radius,
		shape->halfLength, shape->pose.position.x, shape->pose.position.y, shape->pose.position.z,
		shape->pose.rotation.x, shape->pose.rotation.y, shape->pose.rotation.z, shape->pose.rotation.w};
	hash = tnHashBytes(hash, counts, sizeof(counts));
	hash = tnHashBytes(hash, numbers, sizeof(numbers));
	hash = tnHashBytes(hash, shape->points, tnGetPointBytes(shape->pointCount));
	return tnHashBytes(hash, shape->triangles, tnGetTriangleBytes(shape->triangleCount));
}

// Put copies of shapes into a block, which may be NULL. Returns how many bytes that takes.
static size_t tnLayShapes(char* block, const tnShapeDef* shapes, int shapeCount)
{
	tnCarver carver = {.block = block};
	tnShapeDef* copies = tnCarve(&carver, (size_t)shapeCount * sizeof(tnShapeDef));
	for (int i = 0; i < shapeCount; ++i)
	{
		tnShapeDef shape = shapes[i];
		shape.pointCount = tnHasPoints(&shape) ? shape.pointCount : 0;
		shape.triangleCount = shape.kind == tn_meshShape ? shape.triangleCount : 0;
		tnVec3* points = shape.pointCount > 0 ? tnCarve(&carver, tnGetPointBytes(shape.pointCount)) : NULL;
		int32_t* triangles = shape.triangleCount > 0 ? tnCarve(&carver, tnGetTriangleBytes(shape.triangleCount)) : NULL;
		if (block == NULL)
		{
			continue;
		}
		if (points != NULL)
		{
			memcpy(points, shape.points, tnGetPointBytes(shape.pointCount));
		}
		if (triangles != NULL)
		{
			memcpy(triangles, shape.triangles, tnGetTriangleBytes(shape.triangleCount));
		}
		shape.points = points;
		shape.triangles = triangles;
		copies[i] = shape;
	}
	return carver.used;
}

bool tnMesh_KeepShapes(tnMesh* mesh, tnMemory* memory, const tnShapeDef* shapes, int shapeCount)
{
	mesh->shapeBytes = tnLayShapes(NULL, shapes, shapeCount);
	mesh->shapes = tnMemory_Alloc(memory, mesh->shapeBytes);
	if (mesh->shapes == NULL)
	{
		mesh->shapeBytes = 0;
		return false;
	}
	tnLayShapes((char*)mesh->shapes, shapes, shapeCount);
	mesh->shapeCount = shapeCount;
	mesh->shapeHash = TN_HASH_SEED;
	for (int i = 0; i < shapeCount; ++i)
	{
		mesh->shapeHash = tnHashShape(mesh->shapeHash, mesh->shapes + i);
	}
	return true;
}

void tnMesh_Destroy(tnMesh* mesh, tnMemory* memory)
{
	if (mesh->users != NULL && *mesh->users > 1)
	{
		*mesh->users -= 1;
		*mesh = (tnMesh){0};
		return;
	}
	tnMemory_Free(memory, mesh->users, sizeof(int));
	tnMemory_Free(memory, mesh->shapes, mesh->shapeBytes);
	tnMemory_Free(memory, mesh->points, tnGetPointBytes(mesh->pointCount));
	tnMemory_Free(memory, mesh->triangles, tnGetTriangleBytes(mesh->triangleCount));
	tnMemory_Free(memory, mesh->facets, tnGetFacetBytes(mesh->triangleCount));
	tnMemory_Free(memory, mesh->edges, tnGetEdgeBytes(mesh->triangleCount));
	*mesh = (tnMesh){0};
}

static bool tnAreSame(const void* a, const void* b, size_t bytes)
{
	return bytes == 0 || memcmp(a, b, bytes) == 0;
}

bool tnMesh_Share(tnMesh* mesh, tnMesh* other, tnMemory* memory)
{
	const size_t facetBytes = 3 * (size_t)mesh->facetCount * sizeof(int32_t);
	const size_t edgeBytes = 4 * (size_t)mesh->edgeCount * sizeof(int32_t);
	const bool same = mesh->shapeHash == other->shapeHash && mesh->pointCount == other->pointCount &&
		mesh->triangleCount == other->triangleCount && mesh->facetCount == other->facetCount &&
		mesh->edgeCount == other->edgeCount &&
		tnAreSame(mesh->points, other->points, tnGetPointBytes(mesh->pointCount)) &&
		tnAreSame(mesh->triangles, other->triangles, tnGetTriangleBytes(mesh->triangleCount)) &&
		tnAreSame(mesh->facets, other->facets, facetBytes) && tnAreSame(mesh->edges, other->edges, edgeBytes);
	if (!same)
	{
		return false;
	}
	if (other->users == NULL)
	{
		other->users = tnMemory_Alloc(memory, sizeof(int));
		if (other->users == NULL)
		{
			return true;
		}
		*other->users = 1;
	}
	tnMesh own = *mesh;
	mesh->points = other->points;
	mesh->triangles = other->triangles;
	mesh->facets = other->facets;
	mesh->edges = other->edges;
	mesh->shapes = other->shapes;
	mesh->users = other->users;
	*mesh->users += 1;
	tnMesh_Destroy(&own, memory);
	return true;
}

float tnMesh_GetWidth(const tnMesh* mesh, const tnPose* pose, float* extent)
{
	*extent = 0.0f;
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
	*extent = tnMaxFloat(high[2] - low[2], high[3] - low[3]);
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
