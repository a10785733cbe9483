// SPDX-License-Identifier: MIT

// Shapes for the water from the geoms of a body of ODE.

#include "tarn_ode_shapes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

tnResult tnoMakeResult(tnStatus status, const char* text)
{
	tnResult result = {0};
	result.status = status;
	snprintf(result.text, sizeof(result.text), "%s", text);
	return result;
}

static tnQuat tnoToQuat(const dQuaternion from)
{
	return (tnQuat){(float)from[1], (float)from[2], (float)from[3], (float)from[0]};
}

tnPose tnoGetPose(dBodyID body)
{
	const dReal* position = dBodyGetPosition(body);
	const dReal* rotation = dBodyGetQuaternion(body);
	return (tnPose){{(float)position[0], (float)position[1], (float)position[2]}, tnoToQuat(rotation)};
}

void tnoSetPose(dBodyID body, const tnPose* pose)
{
	const dQuaternion rotation = {
		(dReal)pose->rotation.w, (dReal)pose->rotation.x, (dReal)pose->rotation.y, (dReal)pose->rotation.z};
	dBodySetPosition(body, (dReal)pose->position.x, (dReal)pose->position.y, (dReal)pose->position.z);
	dBodySetQuaternion(body, rotation);
}

// ---------------------------------------------------------------------------------------------------------------------
// Meshes: ODE tells the corners of each triangle, in the frame of the world. The same corner of two triangles comes out
// with the same bits, so corners are welded by comparing bits.

typedef struct tnoCorner
{
	tnVec3 point;
	int index;
} tnoCorner;

static int tnoCompareCorners(const void* a, const void* b)
{
	const tnoCorner* one = a;
	const tnoCorner* two = b;
	const int order = memcmp(&one->point, &two->point, sizeof(tnVec3));
	return order != 0 ? order : (one->index > two->index) - (one->index < two->index);
}

// From the frame of the world into that of the geom. Adding zero makes a negative zero a positive one.
static tnVec3 tnoToGeomFrame(dGeomID geom, const dVector3 point)
{
	const dReal* p = dGeomGetPosition(geom);
	const dReal* r = dGeomGetRotation(geom);
	const dReal d[3] = {point[0] - p[0], point[1] - p[1], point[2] - p[2]};
	return (tnVec3){(float)(r[0] * d[0] + r[4] * d[1] + r[8] * d[2]) + 0.0f,
		(float)(r[1] * d[0] + r[5] * d[1] + r[9] * d[2]) + 0.0f,
		(float)(r[2] * d[0] + r[6] * d[1] + r[10] * d[2]) + 0.0f};
}

static tnResult tnoMakeMesh(dGeomID geom, tnShapeDef* def)
{
	const int count = dGeomTriMeshGetTriangleCount(geom);
	if (count <= 0 || count > TN_MAX_BODY_TRIANGLES)
	{
		return tnoMakeResult(tn_invalidArgument, "a triangle mesh of the body has no triangles, or too many");
	}
	tnoCorner* corners = malloc((size_t)count * 3 * sizeof(tnoCorner));
	tnVec3* points = malloc((size_t)count * 3 * sizeof(tnVec3));
	int32_t* triangles = malloc((size_t)count * 3 * sizeof(int32_t));
	if (corners == NULL || points == NULL || triangles == NULL)
	{
		free(corners);
		free(points);
		free(triangles);
		return tnoMakeResult(tn_outOfMemory, "out of memory for the triangles of a body");
	}
	for (int i = 0; i < count; ++i)
	{
		dVector3 v[3];
		dGeomTriMeshGetTriangle(geom, i, &v[0], &v[1], &v[2]);
		for (int k = 0; k < 3; ++k)
		{
			corners[3 * i + k] = (tnoCorner){tnoToGeomFrame(geom, v[k]), 3 * i + k};
		}
	}
	qsort(corners, (size_t)count * 3, sizeof(tnoCorner), tnoCompareCorners);
	int pointCount = 0;
	for (int i = 0; i < 3 * count; ++i)
	{
		if (i == 0 || memcmp(&corners[i].point, &corners[i - 1].point, sizeof(tnVec3)) != 0)
		{
			points[pointCount++] = corners[i].point;
		}
		triangles[corners[i].index] = pointCount - 1;
	}
	free(corners);
	def->kind = tn_meshShape;
	def->points = points;
	def->pointCount = pointCount;
	def->triangles = triangles;
	def->triangleCount = count;
	return (tnResult){0};
}

// ---------------------------------------------------------------------------------------------------------------------
// Geoms

// ODE's capsules and cylinders run along z, those of tarn along y: a quarter turn about x, before the turn of the geom.
static tnQuat tnoTurnAxis(tnQuat q)
{
	const float half = 0.70710678f;
	return (tnQuat){half * (q.x + q.w), half * (q.y + q.z), half * (q.z - q.y), half * (q.w - q.x)};
}

static tnResult tnoMakeShape(dGeomID geom, tnShapeDef* def)
{
	*def = tnDefaultShapeDef();
	const dReal* offset = dGeomGetOffsetPosition(geom);
	dQuaternion turn;
	dGeomGetOffsetQuaternion(geom, turn);
	def->pose.position = (tnVec3){(float)offset[0], (float)offset[1], (float)offset[2]};
	def->pose.rotation = tnoToQuat(turn);

	const int kind = dGeomGetClass(geom);
	if (kind == dBoxClass)
	{
		dVector3 lengths;
		dGeomBoxGetLengths(geom, lengths);
		def->kind = tn_boxShape;
		def->halfExtents = (tnVec3){0.5f * (float)lengths[0], 0.5f * (float)lengths[1], 0.5f * (float)lengths[2]};
		return (tnResult){0};
	}
	if (kind == dSphereClass)
	{
		def->kind = tn_sphereShape;
		def->radius = (float)dGeomSphereGetRadius(geom);
		return (tnResult){0};
	}
	if (kind == dCapsuleClass || kind == dCylinderClass)
	{
		dReal radius = 0, length = 0;
		if (kind == dCapsuleClass)
		{
			dGeomCapsuleGetParams(geom, &radius, &length);
		}
		else
		{
			dGeomCylinderGetParams(geom, &radius, &length);
		}
		def->kind = kind == dCapsuleClass ? tn_capsuleShape : tn_cylinderShape;
		def->radius = (float)radius;
		def->halfLength = 0.5f * (float)length;
		def->pose.rotation = tnoTurnAxis(def->pose.rotation);
		return (tnResult){0};
	}
	if (kind == dTriMeshClass)
	{
		return tnoMakeMesh(geom, def);
	}
	return tnoMakeResult(tn_invalidArgument,
		kind == dConvexClass
			? "ODE does not tell what a convex geom was made from: attach the body with shapes"
			: "the body has a geom that is no box, sphere, capsule, cylinder or triangle mesh: attach it with shapes");
}

tnResult tnoMakeShapes(dBodyID body, tnoShapes* shapes)
{
	*shapes = (tnoShapes){0};
	int count = 0;
	for (dGeomID geom = dBodyGetFirstGeom(body); geom != NULL; geom = dBodyGetNextGeom(geom))
	{
		count += 1;
	}
	if (count == 0)
	{
		return tnoMakeResult(tn_invalidArgument, "the body has no geoms: give it some, or attach it with shapes");
	}
	shapes->defs = calloc((size_t)count, sizeof(tnShapeDef));
	if (shapes->defs == NULL)
	{
		return tnoMakeResult(tn_outOfMemory, "out of memory for the shapes of a body");
	}
	tnResult result = {0};
	for (dGeomID geom = dBodyGetFirstGeom(body); geom != NULL && result.status == tn_ok; geom = dBodyGetNextGeom(geom))
	{
		result = tnoMakeShape(geom, shapes->defs + shapes->count);
		shapes->count += 1;
	}
	if (result.status != tn_ok)
	{
		tnoFreeShapes(shapes);
	}
	return result;
}

void tnoFreeShapes(tnoShapes* shapes)
{
	for (int i = 0; i < shapes->count; ++i)
	{
		// Only shapes made here have them.
		free((void*)shapes->defs[i].points);
		free((void*)shapes->defs[i].triangles);
	}
	free(shapes->defs);
	*shapes = (tnoShapes){0};
}
