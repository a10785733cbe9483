// SPDX-License-Identifier: MIT

// Volume, middle and size of closed triangles.

#include "body_measure.h"

#include "../core/core.h"

#include <math.h>

tnSolid tnMesh_GetSolid(const tnMesh* mesh, int firstTriangle)
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

void tnMesh_GetNormal(const tnMesh* mesh, const int32_t* triangle, double normal[3])
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

double tnNormal_GetLength(const double normal[3])
{
	return sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
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
		const double length = tnNormal_GetLength(n);
		const double height = n[0] * ((double)a.x - o.x) + n[1] * ((double)a.y - o.y) + n[2] * ((double)a.z - o.z);
		// Slivers have no plane of their own, and lie between others.
		if (length > 0.0 && height < nearest * length)
		{
			nearest = height / length;
		}
	}
	return nearest > 0.0 && nearest < 1.0e30 ? (float)(1.998 * nearest) : 0.0f;
}

void tnMesh_Measure(tnMesh* mesh, const tnSolid* parts)
{
	tnSolid solid = tnMesh_GetSolid(mesh, 0);
	if (!(fabs(solid.volume - parts->volume) <= 1.0e-6 * parts->volume))
	{
		solid = *parts;
	}
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
