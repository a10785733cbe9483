// SPDX-License-Identifier: MIT

// Volume, centre of mass and inertia of bodies.

#include "bodies/scene_solids.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Vectors

tnVec3 tnsAdd(tnVec3 a, tnVec3 b)
{
	return (tnVec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

tnVec3 tnsSubtract(tnVec3 a, tnVec3 b)
{
	return (tnVec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

tnVec3 tnsScale(tnVec3 a, float factor)
{
	return (tnVec3){a.x * factor, a.y * factor, a.z * factor};
}

float tnsDot(tnVec3 a, tnVec3 b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

tnVec3 tnsCross(tnVec3 a, tnVec3 b)
{
	return (tnVec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

float tnsGetLength(tnVec3 a)
{
	return sqrtf(tnsDot(a, a));
}

tnVec3 tnsRotate(tnQuat q, tnVec3 a)
{
	const tnVec3 axis = {q.x, q.y, q.z};
	const tnVec3 t = tnsScale(tnsCross(axis, a), 2.0f);
	return tnsAdd(a, tnsAdd(tnsScale(t, q.w), tnsCross(axis, t)));
}

tnVec3 tnsRotateBack(tnQuat q, tnVec3 a)
{
	return tnsRotate((tnQuat){-q.x, -q.y, -q.z, q.w}, a);
}

tnVec3 tnsToWorld(const tnPose* pose, tnVec3 point)
{
	return tnsAdd(pose->position, tnsRotate(pose->rotation, point));
}

tnVec3 tnsToBody(const tnPose* pose, tnVec3 point)
{
	return tnsRotateBack(pose->rotation, tnsSubtract(point, pose->position));
}

// ---------------------------------------------------------------------------------------------------------------------
// Solids

static tnResult tnsMakeSolidError(tnStatus status, const char* text)
{
	tnResult result = {0};
	result.status = status;
	snprintf(result.text, sizeof(result.text), "%s", text);
	return result;
}

// The surface of a shape as the world cuts it into triangles: put in far above, and taken out again.
static tnResult tnsMakePart(const tnsWater* water, const tnShapeDef* shape, tnsPart* part)
{
	tnBodyDef def = tnDefaultBodyDef();
	def.shapes = shape;
	def.shapeCount = 1;
	def.mode = water->voxels != NULL ? tn_floatingBody : def.mode;
	def.pose.position.y = TN_MAX_LENGTH;
	tnBodyId id = {0};
	tnResult result = tnsWater_CreateBody(water, &def, &id);
	if (result.status != tn_ok)
	{
		return result;
	}
	tnBodyMesh mesh = {0};
	result = tnsWater_GetBodyMesh(water, id, &mesh);
	if (result.status == tn_ok)
	{
		part->points = malloc((size_t)mesh.pointCount * sizeof(tnVec3));
		part->triangles = malloc(3 * (size_t)mesh.triangleCount * sizeof(int32_t));
		if (part->points == NULL || part->triangles == NULL)
		{
			result = tnsMakeSolidError(tn_outOfMemory, "out of memory for the shape of a body");
		}
		else
		{
			memcpy(part->points, mesh.points, (size_t)mesh.pointCount * sizeof(tnVec3));
			memcpy(part->triangles, mesh.triangles, 3 * (size_t)mesh.triangleCount * sizeof(int32_t));
			part->pointCount = mesh.pointCount;
			part->triangleCount = mesh.triangleCount;
		}
	}
	(void)tnsWater_DestroyBody(water, id);
	return result;
}

// Integrals over a solid of 1, of x, y, z, and of xx, yy, zz, xy, xz, yz: tetrahedra from the origin to each triangle.
typedef struct tnsMoments
{
	double volume, first[3], second[6];
} tnsMoments;

static void tnsAddPart(const tnsPart* part, tnsMoments* moments)
{
	static const int axes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
	for (int i = 0; i < part->triangleCount; ++i)
	{
		double p[3][3];
		for (int k = 0; k < 3; ++k)
		{
			const tnVec3 point = part->points[part->triangles[3 * i + k]];
			p[k][0] = (double)point.x;
			p[k][1] = (double)point.y;
			p[k][2] = (double)point.z;
		}
		const double volume =
			(p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) + p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
				p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0])) /
			6.0;
		double sum[3];
		for (int axis = 0; axis < 3; ++axis)
		{
			sum[axis] = p[0][axis] + p[1][axis] + p[2][axis];
			moments->first[axis] += volume * sum[axis] / 4.0;
		}
		moments->volume += volume;
		for (int k = 0; k < 6; ++k)
		{
			const int a = axes[k][0], b = axes[k][1];
			double products = sum[a] * sum[b];
			for (int corner = 0; corner < 3; ++corner)
			{
				products += p[corner][a] * p[corner][b];
			}
			moments->second[k] += volume * products / 20.0;
		}
	}
}

// Moves the shapes so that the centre of mass becomes the origin, and finds mass and inertia.
static tnResult tnsWeighSolid(const tnsBodyRule* rule, const tnsMoments* moments, tnsSolid* solid)
{
	if (!(moments->volume > 0.0))
	{
		return tnsMakeSolidError(tn_invalidArgument, "the body has no volume");
	}
	solid->volume = moments->volume;
	solid->mass = rule->hasMass ? (double)rule->mass : (double)rule->density * moments->volume;
	const double density = solid->mass / moments->volume;
	// Lighter than gas or heavier than a star: steps of a physics engine cannot follow that.
	if (!(density >= 0.5 && density <= 1.0e6))
	{
		return tnsMakeSolidError(
			tn_invalidArgument, "the mean density of the body must be from 0.5 to 1e6 kg/m^3: change its mass");
	}
	const double middle[3] = {
		moments->first[0] / moments->volume, moments->first[1] / moments->volume, moments->first[2] / moments->volume};
	solid->center = rule->hasCenter ? rule->center : (tnVec3){(float)middle[0], (float)middle[1], (float)middle[2]};
	const double c[3] = {(double)solid->center.x, (double)solid->center.y, (double)solid->center.z};
	// Second moments about the centre: of (x - c)(y - c).
	static const int axes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
	double second[6];
	for (int k = 0; k < 6; ++k)
	{
		const int a = axes[k][0], b = axes[k][1];
		second[k] = density *
			(moments->second[k] - c[a] * moments->first[b] - c[b] * moments->first[a] + c[a] * c[b] * moments->volume);
	}
	solid->inertia[0] = second[1] + second[2];
	solid->inertia[1] = second[0] + second[2];
	solid->inertia[2] = second[0] + second[1];
	solid->inertia[3] = -second[3];
	solid->inertia[4] = -second[4];
	solid->inertia[5] = -second[5];
	float farthest = 0.0f;
	for (int i = 0; i < solid->count; ++i)
	{
		solid->shapes[i].pose.position = tnsSubtract(solid->shapes[i].pose.position, solid->center);
		for (int k = 0; k < solid->parts[i].pointCount; ++k)
		{
			tnVec3* point = solid->parts[i].points + k;
			*point = tnsSubtract(*point, solid->center);
			farthest = fmaxf(farthest, tnsDot(*point, *point));
		}
	}
	solid->radius = sqrtf(farthest);
	return (tnResult){0};
}

tnResult tnsMakeSolid(const tnsWater* water, const tnsBodyRule* rule, tnsSolid* solid)
{
	*solid = (tnsSolid){0};
	solid->shapes = malloc((size_t)rule->shapeCount * sizeof(tnShapeDef));
	solid->parts = calloc((size_t)rule->shapeCount, sizeof(tnsPart));
	if (solid->shapes == NULL || solid->parts == NULL)
	{
		tnsFreeSolid(solid);
		return tnsMakeSolidError(tn_outOfMemory, "out of memory for the shapes of a body");
	}
	memcpy(solid->shapes, rule->shapes, (size_t)rule->shapeCount * sizeof(tnShapeDef));
	solid->count = rule->shapeCount;
	tnsMoments moments = {0};
	tnResult result = {0};
	for (int i = 0; i < solid->count && result.status == tn_ok; ++i)
	{
		result = tnsMakePart(water, solid->shapes + i, solid->parts + i);
		tnsAddPart(solid->parts + i, &moments);
	}
	if (result.status == tn_ok)
	{
		result = tnsWeighSolid(rule, &moments, solid);
	}
	if (result.status != tn_ok)
	{
		tnsFreeSolid(solid);
	}
	return result;
}

void tnsFreeSolid(tnsSolid* solid)
{
	for (int i = 0; i < solid->count; ++i)
	{
		free(solid->parts[i].points);
		free(solid->parts[i].triangles);
	}
	free(solid->shapes);
	free(solid->parts);
	*solid = (tnsSolid){0};
}
