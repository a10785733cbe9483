// SPDX-License-Identifier: MIT

// Geoms of ODE from the shapes of a body.

#include "bodies/scene_ode_shapes.h"

#include <math.h>
#include <stdlib.h>

// ---------------------------------------------------------------------------------------------------------------------
// Small matrices

bool tnsSolve3(const double* m, const double* right, double* solution)
{
	const double c[3] = {m[4] * m[8] - m[5] * m[7], m[5] * m[6] - m[3] * m[8], m[3] * m[7] - m[4] * m[6]};
	const double determinant = m[0] * c[0] + m[1] * c[1] + m[2] * c[2];
	if (!(fabs(determinant) > 0.0))
	{
		return false;
	}
	const double x = right[0], y = right[1], z = right[2];
	solution[0] = (x * c[0] + y * (m[2] * m[7] - m[1] * m[8]) + z * (m[1] * m[5] - m[2] * m[4])) / determinant;
	solution[1] = (x * c[1] + y * (m[0] * m[8] - m[2] * m[6]) + z * (m[2] * m[3] - m[0] * m[5])) / determinant;
	solution[2] = (x * c[2] + y * (m[1] * m[6] - m[0] * m[7]) + z * (m[0] * m[4] - m[1] * m[3])) / determinant;
	return true;
}

void tnsGetPointMobility(dBodyID body, const dVector3 at, double* matrix)
{
	dMass mass;
	dBodyGetMass(body, &mass);
	const dReal* position = dBodyGetPosition(body);
	const double r[3] = {(double)(at[0] - position[0]), (double)(at[1] - position[1]), (double)(at[2] - position[2])};
	// Inertia in the frame of the world: R I R^T. ODE keeps rows of four.
	const dReal* turn = dBodyGetRotation(body);
	double inertia[9];
	for (int i = 0; i < 3; ++i)
	{
		for (int j = 0; j < 3; ++j)
		{
			double sum = 0.0;
			for (int a = 0; a < 3; ++a)
			{
				for (int b = 0; b < 3; ++b)
				{
					sum += (double)(turn[4 * i + a] * mass.I[4 * a + b] * turn[4 * j + b]);
				}
			}
			inertia[3 * i + j] = sum;
		}
	}
	// Column j: the velocity after a unit impulse along j is e / m + (I^-1 (r x e)) x r.
	for (int j = 0; j < 3; ++j)
	{
		const double e[3] = {j == 0 ? 1.0 : 0.0, j == 1 ? 1.0 : 0.0, j == 2 ? 1.0 : 0.0};
		const double moment[3] = {r[1] * e[2] - r[2] * e[1], r[2] * e[0] - r[0] * e[2], r[0] * e[1] - r[1] * e[0]};
		double spin[3] = {0};
		(void)tnsSolve3(inertia, moment, spin);
		matrix[j] = e[0] / (double)mass.mass + spin[1] * r[2] - spin[2] * r[1];
		matrix[3 + j] = e[1] / (double)mass.mass + spin[2] * r[0] - spin[0] * r[2];
		matrix[6 + j] = e[2] / (double)mass.mass + spin[0] * r[1] - spin[1] * r[0];
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Geoms

// A hull: ODE keeps the arrays, and wants a plane for each polygon, and the origin inside. Polygons begin with their
// number of corners. middle receives the point of the body that becomes the origin.
static dGeomID tnsMakeHull(dSpaceID space, const tnsPart* part, dReal* middle, void** memory)
{
	const size_t planeCount = (size_t)part->triangleCount, pointCount = (size_t)part->pointCount;
	const size_t realCount = 4 * planeCount + 3 * pointCount;
	char* block = malloc(realCount * sizeof(dReal) + 4 * planeCount * sizeof(unsigned int));
	if (block == NULL)
	{
		return NULL;
	}
	dReal* planes = (dReal*)block;
	dReal* points = planes + 4 * planeCount;
	unsigned int* polygons = (unsigned int*)(points + 3 * pointCount);
	for (size_t i = 0; i < pointCount; ++i)
	{
		middle[0] += (dReal)part->points[i].x / (dReal)pointCount;
		middle[1] += (dReal)part->points[i].y / (dReal)pointCount;
		middle[2] += (dReal)part->points[i].z / (dReal)pointCount;
	}
	for (size_t i = 0; i < pointCount; ++i)
	{
		points[3 * i] = (dReal)part->points[i].x - middle[0];
		points[3 * i + 1] = (dReal)part->points[i].y - middle[1];
		points[3 * i + 2] = (dReal)part->points[i].z - middle[2];
	}
	for (size_t i = 0; i < planeCount; ++i)
	{
		const int32_t* corners = part->triangles + 3 * i;
		const dReal* a = points + 3 * corners[0];
		const dReal* b = points + 3 * corners[1];
		const dReal* c = points + 3 * corners[2];
		const dReal u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
		dReal* plane = planes + 4 * i;
		plane[0] = u[1] * v[2] - u[2] * v[1];
		plane[1] = u[2] * v[0] - u[0] * v[2];
		plane[2] = u[0] * v[1] - u[1] * v[0];
		const dReal length = (dReal)sqrt((double)(plane[0] * plane[0] + plane[1] * plane[1] + plane[2] * plane[2]));
		for (int axis = 0; axis < 3 && length > 0; ++axis)
		{
			plane[axis] /= length;
		}
		plane[3] = plane[0] * a[0] + plane[1] * a[1] + plane[2] * a[2];
		polygons[4 * i] = 3;
		for (int k = 0; k < 3; ++k)
		{
			polygons[4 * i + 1 + (size_t)k] = (unsigned int)corners[k];
		}
	}
	*memory = block;
	return dCreateConvex(space, planes, (unsigned int)planeCount, points, (unsigned int)pointCount, polygons);
}

static dGeomID tnsMakeMesh(dSpaceID space, const tnsPart* part, void** memory, dTriMeshDataID* mesh)
{
	const size_t pointBytes = (size_t)part->pointCount * 3 * sizeof(float);
	const size_t indexCount = 3 * (size_t)part->triangleCount;
	char* block = malloc(pointBytes + indexCount * sizeof(dTriIndex));
	if (block == NULL)
	{
		return NULL;
	}
	float* points = (float*)block;
	dTriIndex* indices = (dTriIndex*)(block + pointBytes);
	for (int i = 0; i < part->pointCount; ++i)
	{
		points[3 * i] = part->points[i].x;
		points[3 * i + 1] = part->points[i].y;
		points[3 * i + 2] = part->points[i].z;
	}
	for (size_t i = 0; i < indexCount; ++i)
	{
		indices[i] = (dTriIndex)part->triangles[i];
	}
	*memory = block;
	*mesh = dGeomTriMeshDataCreate();
	dGeomTriMeshDataBuildSingle(
		*mesh, points, 3 * sizeof(float), part->pointCount, indices, (int)indexCount, 3 * sizeof(dTriIndex));
	// Hulls ask for the angles between faces.
	if (dGeomTriMeshDataPreprocess2(*mesh, 1U << dTRIDATAPREPROCESS_BUILD_FACE_ANGLES, NULL) == 0)
	{
		dGeomTriMeshDataDestroy(*mesh);
		*mesh = NULL;
		free(block);
		*memory = NULL;
		return NULL;
	}
	return dCreateTriMesh(space, *mesh, NULL, NULL, NULL);
}

// a * b, both w first as in ODE.
static void tnsMultiplyOde(const dQuaternion a, const dQuaternion b, dQuaternion product)
{
	product[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
	product[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
	product[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
	product[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

static void tnsToOde(tnQuat from, dQuaternion to)
{
	to[0] = (dReal)from.w;
	to[1] = (dReal)from.x;
	to[2] = (dReal)from.y;
	to[3] = (dReal)from.z;
}

// Puts a geom where its shape is: on the body, or for good. offset is that of hulls.
static void tnsPlaceGeom(dGeomID geom, dBodyID body, const tnPose* pose, const tnShapeDef* shape, dVector3 offset)
{
	dQuaternion turn = {1, 0, 0, 0};
	// Hulls and meshes have their pose in their points.
	if (shape->kind != tn_hullShape && shape->kind != tn_meshShape)
	{
		tnsToOde(shape->pose.rotation, turn);
		offset[0] = (dReal)shape->pose.position.x;
		offset[1] = (dReal)shape->pose.position.y;
		offset[2] = (dReal)shape->pose.position.z;
	}
	if (shape->kind == tn_capsuleShape || shape->kind == tn_cylinderShape)
	{
		// Those of ODE run along z: a quarter turn about -x brings z to y.
		const dQuaternion quarter = {(dReal)0.70710678118654752, (dReal)-0.70710678118654752, 0, 0};
		const dQuaternion before = {turn[0], turn[1], turn[2], turn[3]};
		tnsMultiplyOde(before, quarter, turn);
	}
	if (body != NULL)
	{
		dGeomSetBody(geom, body);
		dGeomSetOffsetPosition(geom, offset[0], offset[1], offset[2]);
		dGeomSetOffsetQuaternion(geom, turn);
		return;
	}
	dQuaternion rotation, all;
	dMatrix3 matrix;
	tnsToOde(pose->rotation, rotation);
	tnsMultiplyOde(rotation, turn, all);
	dRfromQ(matrix, rotation);
	dReal place[3] = {(dReal)pose->position.x, (dReal)pose->position.y, (dReal)pose->position.z};
	for (int i = 0; i < 3; ++i)
	{
		place[i] += matrix[4 * i] * offset[0] + matrix[4 * i + 1] * offset[1] + matrix[4 * i + 2] * offset[2];
	}
	dGeomSetPosition(geom, place[0], place[1], place[2]);
	dGeomSetQuaternion(geom, all);
}

static dGeomID tnsMakeGeom(
	dSpaceID space, const tnShapeDef* shape, const tnsPart* part, dReal* middle, void** memory, dTriMeshDataID* mesh)
{
	const dReal radius = (dReal)shape->radius, length = 2 * (dReal)shape->halfLength;
	switch (shape->kind)
	{
		case tn_boxShape:
			return dCreateBox(space, 2 * (dReal)shape->halfExtents.x, 2 * (dReal)shape->halfExtents.y,
				2 * (dReal)shape->halfExtents.z);
		case tn_sphereShape:
			return dCreateSphere(space, radius);
		case tn_capsuleShape:
			return dCreateCapsule(space, radius, length);
		case tn_cylinderShape:
			return dCreateCylinder(space, radius, length);
		case tn_hullShape:
			return tnsMakeHull(space, part, middle, memory);
		default:
			return tnsMakeMesh(space, part, memory, mesh);
	}
}

bool tnsMakeOdeShapes(dSpaceID space, dBodyID body, const tnsPhysicsBodyDef* def, tnsOdeShapes* shapes)
{
	const size_t count = (size_t)def->water->shapeCount;
	*shapes = (tnsOdeShapes){0};
	shapes->geoms = calloc(count, sizeof(dGeomID));
	shapes->meshes = calloc(count, sizeof(dTriMeshDataID));
	shapes->memory = calloc(count, sizeof(void*));
	if (shapes->geoms == NULL || shapes->meshes == NULL || shapes->memory == NULL)
	{
		tnsFreeOdeShapes(shapes);
		return false;
	}
	for (int i = 0; i < def->water->shapeCount; ++i)
	{
		const tnShapeDef* shape = def->water->shapes + i;
		dVector3 offset = {0};
		const dGeomID geom = tnsMakeGeom(space, shape, def->parts + i, offset, shapes->memory + i, shapes->meshes + i);
		if (geom == NULL)
		{
			tnsFreeOdeShapes(shapes);
			return false;
		}
		shapes->geoms[i] = geom;
		shapes->count += 1;
		tnsPlaceGeom(geom, body, &def->water->pose, shape, offset);
	}
	return true;
}

void tnsFreeOdeShapes(tnsOdeShapes* shapes)
{
	for (int i = 0; i < shapes->count; ++i)
	{
		dGeomDestroy(shapes->geoms[i]);
		if (shapes->meshes[i] != NULL)
		{
			dGeomTriMeshDataDestroy(shapes->meshes[i]);
		}
		free(shapes->memory[i]);
	}
	free(shapes->geoms);
	free(shapes->meshes);
	free(shapes->memory);
	*shapes = (tnsOdeShapes){0};
}
