// SPDX-License-Identifier: MIT

#include "submerged_mesh.h"

#include "../core/physical_constants.h"
#include "triangle_kernels.h"

#include <math.h>
#include <string.h>

// Volume below a plane from the divergence theorem: with heights t from the
// plane, V is the integral of t over the projected area of the surface below
// it, because t is 0 on the plane itself. In the same way the moments are
// integrals of x t, z t and t^2 / 2. Over a triangle these are polynomials of
// its corners.

enum
{
	// Batches whose sums are kept in float32 before they join the others.
	TN_FOLD_BATCHES = 64,
};

// A body this thin, volume over radius^3, has less volume than the rounding of float32 sums makes.
#define TN_THIN_VOLUME 1.0e-4f

// For bodies as large as a world that spin as fast as they may: float32 cannot hold the square of their speed times their
// area. In units of so many meters it can. A power of two: nothing else changes.
#define TN_LARGE_UNIT 1048576.0f

static void tnBatch_Fold(tnBatch* batch)
{
	for (int j = 0; j < tn_sumCount; ++j)
	{
		double sum = 0.0;
		for (int i = 0; i < TN_LANES; ++i)
		{
			sum += (double)batch->lanes[j][i];
			batch->lanes[j][i] = 0.0f;
		}
		batch->sums[j] += sum;
	}
	batch->batchCount = 0;
}

static void tnBatch_Flush(const tnTriangleKernels* kernels, tnBatch* batch)
{
	// Lanes that are not in use hold a triangle without area.
	for (int j = 0; j < 9 && batch->count < TN_LANES; ++j)
	{
		for (int i = batch->count; i < TN_LANES; ++i)
		{
			batch->corners[j][i] = 0.0f;
		}
	}
	kernels->sumBatch(batch);
	batch->count = 0;
	if (++batch->batchCount == TN_FOLD_BATCHES)
	{
		tnBatch_Fold(batch);
	}
}

// A triangle below the plane.
static inline void tnBatch_Add(const tnTriangleKernels* kernels, tnBatch* batch, tnVec3 a, tnVec3 b, tnVec3 c)
{
	const int i = batch->count++;
	batch->corners[0][i] = a.x;
	batch->corners[1][i] = a.y;
	batch->corners[2][i] = a.z;
	batch->corners[3][i] = b.x;
	batch->corners[4][i] = b.y;
	batch->corners[5][i] = b.z;
	batch->corners[6][i] = c.x;
	batch->corners[7][i] = c.y;
	batch->corners[8][i] = c.z;
	if (batch->count == TN_LANES)
	{
		tnBatch_Flush(kernels, batch);
	}
}

// Where an edge meets the plane, taken from the lower end, so that both
// triangles of the edge get the same point.
static inline tnVec3 tnCutEdge(tnVec3 below, tnVec3 above, float height)
{
	const float t = (height - below.y) / (above.y - below.y);
	return (tnVec3){below.x + t * (above.x - below.x), height, below.z + t * (above.z - below.z)};
}

static void tnBatch_AddCut(const tnTriangleKernels* kernels, tnBatch* batch, tnVec3 a, tnVec3 b, tnVec3 c)
{
	const float height = batch->tide.height;
	// Turn it so that a is the one that is alone on its side.
	const bool below[3] = {a.y < height, b.y < height, c.y < height};
	if (below[1] != below[0] && below[1] != below[2])
	{
		const tnVec3 first = a;
		a = b;
		b = c;
		c = first;
	}
	else if (below[2] != below[0] && below[2] != below[1])
	{
		const tnVec3 first = a;
		a = c;
		c = b;
		b = first;
	}
	if (a.y < height)
	{
		tnBatch_Add(kernels, batch, a, tnCutEdge(a, b, height), tnCutEdge(a, c, height));
	}
	else
	{
		const tnVec3 onB = tnCutEdge(b, a, height);
		const tnVec3 onC = tnCutEdge(c, a, height);
		tnBatch_Add(kernels, batch, onB, b, c);
		tnBatch_Add(kernels, batch, onB, c, onC);
	}
}

static void tnGetHeights(const tnMesh* mesh, const tnVec3* points, float* low, float* high)
{
	*low = points[0].y;
	*high = points[0].y;
	for (int i = 1; i < mesh->pointCount; ++i)
	{
		*low = tnMinFloat(*low, points[i].y);
		*high = tnMaxFloat(*high, points[i].y);
	}
}

static tnVec3 tnBatch_GetVector(const tnBatch* batch, int first, double weight)
{
	const double* sums = batch->sums + first;
	return (tnVec3){tnBoundForce(sums[0] * weight), tnBoundForce(sums[1] * weight), tnBoundForce(sums[2] * weight)};
}

static bool tnBatch_IsFinite(const tnBatch* batch)
{
	double sum = 0.0;
	for (int j = 0; j < tn_sumCount; ++j)
	{
		// Zero, unless it is not finite.
		sum += batch->sums[j] - batch->sums[j];
	}
	return sum == 0.0;
}

// Volume and moments of a triangle below the plane, from there on.
static void tnAddFinely(double sums[tn_sumCount], const double p[3][3])
{
	const double up = (p[1][2] - p[0][2]) * (p[2][0] - p[0][0]) - (p[1][0] - p[0][0]) * (p[2][2] - p[0][2]);
	const double area = 0.5 * up;
	const double t[3] = {p[0][1], p[1][1], p[2][1]};
	const double sum = t[0] + t[1] + t[2];
	const double x = p[0][0] + p[1][0] + p[2][0];
	const double z = p[0][2] + p[1][2] + p[2][2];
	double xt = x * sum, zt = z * sum, tt = sum * sum;
	for (int i = 0; i < 3; ++i)
	{
		xt += p[i][0] * t[i];
		zt += p[i][2] * t[i];
		tt += t[i] * t[i];
	}
	sums[tn_volumeSum] += area * sum / 3.0;
	sums[tn_volumeXSum] += area * xt / 12.0;
	sums[tn_volumeYSum] += 0.5 * area * tt / 12.0;
	sums[tn_volumeZSum] += area * zt / 12.0;
	sums[tn_areaSum] += area;
}

// The same as batches find, in double, for bodies with hardly any volume.
// @param whole all of it is below: then the height is only that from which the others are measured
static void tnSumFinely(const tnMesh* mesh, const tnVec3* points, double height, bool whole, double sums[tn_sumCount])
{
	for (int j = tn_volumeSum; j <= tn_areaSum; ++j)
	{
		sums[j] = 0.0;
	}
	for (int i = 0; i < mesh->triangleCount; ++i)
	{
		double corners[4][3];
		int count = 0;
		for (int j = 0; j < 3; ++j)
		{
			const tnVec3 a = points[mesh->triangles[3 * (ptrdiff_t)i + j]];
			const tnVec3 b = points[mesh->triangles[3 * (ptrdiff_t)i + (j + 1) % 3]];
			const double from = (double)a.y - height;
			const double to = (double)b.y - height;
			if (whole || from <= 0.0)
			{
				double* corner = corners[count++];
				corner[0] = a.x;
				corner[1] = from;
				corner[2] = a.z;
			}
			if (!whole && ((from < 0.0 && to > 0.0) || (from > 0.0 && to < 0.0)))
			{
				const double share = from / (from - to);
				double* corner = corners[count++];
				corner[0] = a.x + share * ((double)b.x - a.x);
				corner[1] = 0.0;
				corner[2] = a.z + share * ((double)b.z - a.z);
			}
		}
		for (int j = 2; j < count; ++j)
		{
			double part[3][3];
			memcpy(part[0], corners[0], sizeof(part[0]));
			memcpy(part[1], corners[j - 1], sizeof(part[1]));
			memcpy(part[2], corners[j], sizeof(part[2]));
			tnAddFinely(sums, (const double(*)[3])part);
		}
	}
}

tnBelow tnMesh_MeasureBelow(const tnMesh* mesh, const tnVec3* points, double height)
{
	double sums[tn_sumCount];
	tnSumFinely(mesh, points, height, false, sums);
	const double volume = sums[tn_volumeSum] > 0.0 ? sums[tn_volumeSum] : 0.0;
	tnBelow below = {.volume = volume, .area = sums[tn_areaSum] < 0.0 ? -sums[tn_areaSum] : 0.0};
	if (volume > 0.0)
	{
		below.center = (tnVec3){(float)(sums[tn_volumeXSum] / volume), (float)(height + sums[tn_volumeYSum] / volume),
			(float)(sums[tn_volumeZSum] / volume)};
	}
	return below;
}

// The middle of a part of a mesh is no further away than its points, whatever rounding says.
static float tnBoundPlace(float place, float radius)
{
	return tnClampFloat(place, -radius, radius);
}

static tnSubmergence tnBatch_GetSubmergence(const tnBatch* batch, const tnMesh* mesh, bool whole)
{
	tnSubmergence out = {0};
	const double volume = batch->sums[tn_volumeSum];
	if (volume > 0.0)
	{
		out.volume = (float)volume;
		out.center = tnBatch_GetVector(batch, tn_volumeXSum, 1.0 / volume);
		out.center.y += batch->tide.height;
		const float radius = 2.0f * mesh->radius; // of the mesh, which may be sheared
		out.center = (tnVec3){
			tnBoundPlace(out.center.x, radius), tnBoundPlace(out.center.y, radius), tnBoundPlace(out.center.z, radius)};
	}
	const double area = batch->sums[tn_areaSum];
	out.waterlineArea = !whole && area < 0.0 ? (float)-area : 0.0f;
	out.dragForce = tnBatch_GetVector(batch, tn_forceXSum, 1.0);
	out.dragTorque = tnBatch_GetVector(batch, tn_torqueXSum, 1.0);
	out.brake = tnBoundForce(batch->sums[tn_brakeSum]);
	out.spinBrake = tnBoundForce(batch->sums[tn_spinBrakeSum]);
	return out;
}

static inline tnVec3 tnScalePoint(tnVec3 p, float scale)
{
	return (tnVec3){scale * p.x, scale * p.y, scale * p.z};
}

// Sums over all triangles below the water.
// @param scale of all lengths, and of speeds with them
static void tnSumTriangles(const tnTriangleKernels* kernels, const tnMesh* mesh, const tnVec3* points,
	const tnAmbient* ambient, const tnMotion* motion, const tnBodyDef* def, bool whole, float scale, tnBatch* batch)
{
	const float half = 0.5f * TN_WATER_DENSITY;
	memset(batch, 0, sizeof(*batch));
	const tnVec3 flow = {
		ambient->velocity.x - motion->velocity.x, -motion->velocity.y, ambient->velocity.z - motion->velocity.z};
	batch->tide = (tnTide){
		// The volume of what is wholly below is the same from any height, and
		// exact from one that is near.
		.height = whole ? 0.0f : scale * ambient->height,
		.flow = tnScalePoint(flow, scale),
		.spin = motion->spin,
		.pressure = half * def->pressureDrag,
		.suction = half * def->pressureDrag * def->suction,
		.friction = half * def->skinFriction,
		.creep = scale * def->creepSpeed,
	};
	const int32_t* triangle = mesh->triangles;
	const int32_t* end = triangle + 3 * (ptrdiff_t)mesh->triangleCount;
	const float height = scale * ambient->height;
	for (; triangle < end; triangle += 3)
	{
		const tnVec3 a = tnScalePoint(points[triangle[0]], scale);
		const tnVec3 b = tnScalePoint(points[triangle[1]], scale);
		const tnVec3 c = tnScalePoint(points[triangle[2]], scale);
		if (whole || tnMaxFloat(tnMaxFloat(a.y, b.y), c.y) < height)
		{
			tnBatch_Add(kernels, batch, a, b, c);
		}
		else if (tnMinFloat(tnMinFloat(a.y, b.y), c.y) < height)
		{
			tnBatch_AddCut(kernels, batch, a, b, c);
		}
	}
	tnBatch_Flush(kernels, batch);
	tnBatch_Fold(batch);
}

tnSubmergence tnMesh_Submerge(const tnTriangleKernels* kernels, const tnMesh* mesh, const tnVec3* points,
	const tnAmbient* ambient, const tnMotion* motion, const tnBodyDef* def)
{
	tnSubmergence out = {0};
	if (mesh->pointCount == 0)
	{
		return out;
	}
	float low, high;
	tnGetHeights(mesh, points, &low, &high);
	if (!(low < ambient->height))
	{
		return out;
	}
	const bool whole = high <= ambient->height;
	tnBatch batch;
	tnSumTriangles(kernels, mesh, points, ambient, motion, def, whole, 1.0f, &batch);
	if (!tnBatch_IsFinite(&batch))
	{
		tnSumTriangles(kernels, mesh, points, ambient, motion, def, whole, 1.0f / TN_LARGE_UNIT, &batch);
		// Powers of the unit that they are in.
		static const int s_powers[tn_sumCount] = {3, 4, 4, 4, 2, 4, 4, 4, 5, 5, 5, 3, 5};
		for (int j = 0; j < tn_sumCount; ++j)
		{
			for (int i = 0; i < s_powers[j]; ++i)
			{
				batch.sums[j] *= (double)TN_LARGE_UNIT;
			}
		}
		batch.tide.height *= TN_LARGE_UNIT;
	}
	const bool thin = mesh->volume < TN_THIN_VOLUME * mesh->radius * mesh->radius * mesh->radius;
	if (thin)
	{
		tnSumFinely(mesh, points, batch.tide.height, whole, batch.sums);
	}
	out = tnBatch_GetSubmergence(&batch, mesh, whole);
	// No part is larger than all of it, however its points are rounded.
	out.volume = thin ? tnMinFloat(out.volume, mesh->volume) : out.volume;
	return out;
}

// Angular momentum of a body for a spin, in the axes of the world, as if it were of one density.
static tnVec3 tnMesh_GetMomentum(const tnMesh* mesh, float mass, tnQuat rotation, tnVec3 spin)
{
	const tnAxes axes = tnQuat_GetAxes(rotation);
	const float* k = mesh->inertia;
	const tnVec3 s = {
		axes.x.x * spin.x + axes.x.y * spin.y + axes.x.z * spin.z,
		axes.y.x * spin.x + axes.y.y * spin.y + axes.y.z * spin.z,
		axes.z.x * spin.x + axes.z.y * spin.y + axes.z.z * spin.z,
	};
	const tnVec3 own = {k[0] * s.x + k[3] * s.y + k[4] * s.z, k[3] * s.x + k[1] * s.y + k[5] * s.z,
		k[4] * s.x + k[5] * s.y + k[2] * s.z};
	const tnVec3 out = tnAxes_Turn(&axes, own);
	return (tnVec3){mass * out.x, mass * out.y, mass * out.z};
}

static bool tnIsForce(tnVec3 v)
{
	return tnAbsFloat(v.x) <= TN_MAX_FORCE && tnAbsFloat(v.y) <= TN_MAX_FORCE && tnAbsFloat(v.z) <= TN_MAX_FORCE;
}

// As tnMesh_BoundDrag, for masses, times and speeds whose products are beyond float32.
static tnDrag tnBoundDragFinely(const tnMesh* mesh, const tnBodyDef* def, tnQuat rotation, const tnMotion* motion,
	const tnSubmergence* wet, float waterMass, double dt)
{
	const double mass = def->mass;
	const float* k = mesh->inertia;
	const double heavy = mass * tnMinFloat(k[0], tnMinFloat(k[1], k[2]));
	const double brake = tnBoundForce(wet->brake), spinBrake = tnBoundForce(wet->spinBrake);
	const double bound = 1.0 + dt * brake * (1.0 / mass + 1.0 / tnMaxFloat(waterMass, TN_LEAST_WATER_MASS));
	// What has no inertia is at rest at once.
	const double spinBound = heavy > 0.0 ? 1.0 + dt * spinBrake / heavy : 1.0e300;
	double torque[3] = {wet->dragTorque.x / spinBound, wet->dragTorque.y / spinBound, wet->dragTorque.z / spinBound};
	const float turn = tnBoundForce(torque[1]);
	if (def->damping > 0.0f && tnIsFinite(def->mass))
	{
		const double share = mesh->volume > 0.0f ? tnMinFloat(wet->volume / mesh->volume, 1.0f) : 0.0f;
		const double rate = def->damping * share / (1.0 + dt * def->damping);
		const tnVec3 momentum = tnMesh_GetMomentum(mesh, 1.0f, rotation, motion->spin);
		torque[0] -= rate * mass * momentum.x;
		torque[1] -= rate * mass * momentum.y;
		torque[2] -= rate * mass * momentum.z;
	}
	return (tnDrag){
		.force = {tnBoundForce(wet->dragForce.x / bound), tnBoundForce(wet->dragForce.y / bound),
			tnBoundForce(wet->dragForce.z / bound)},
		.torque = {tnBoundForce(torque[0]), tnBoundForce(torque[1]), tnBoundForce(torque[2])},
		.turn = turn,
	};
}

tnDrag tnMesh_BoundDrag(const tnMesh* mesh, const tnBodyDef* def, tnQuat rotation, const tnMotion* motion,
	const tnSubmergence* wet, float waterMass, float timeStep)
{
	const float dt = timeStep;
	const float mass = def->mass;
	const float* k = mesh->inertia;
	const float bound = 1.0f + dt * wet->brake * (1.0f / mass + 1.0f / tnMaxFloat(waterMass, TN_LEAST_WATER_MASS));
	const float spinBound = 1.0f + dt * wet->spinBrake / (mass * tnMinFloat(k[0], tnMinFloat(k[1], k[2])));
	tnDrag drag;
	drag.force = (tnVec3){wet->dragForce.x / bound, wet->dragForce.y / bound, wet->dragForce.z / bound};
	drag.torque = (tnVec3){wet->dragTorque.x / spinBound, wet->dragTorque.y / spinBound, wet->dragTorque.z / spinBound};
	drag.turn = drag.torque.y;
	if (def->damping > 0.0f && tnIsFinite(mass))
	{
		const float share = mesh->volume > 0.0f ? tnMinFloat(wet->volume / mesh->volume, 1.0f) : 0.0f;
		const float rate = def->damping * share / (1.0f + dt * def->damping);
		const tnVec3 momentum = tnMesh_GetMomentum(mesh, mass, rotation, motion->spin);
		drag.torque.x -= rate * momentum.x;
		drag.torque.y -= rate * momentum.y;
		drag.torque.z -= rate * momentum.z;
	}
	return tnIsForce(drag.force) && tnIsForce(drag.torque)
		? drag
		: tnBoundDragFinely(mesh, def, rotation, motion, wet, waterMass, timeStep);
}

bool tnMesh_CutTriangle(const tnMesh* mesh, const tnVec3* points, int index, float height, tnVec3 ends[2])
{
	const int32_t* triangle = mesh->triangles + 3 * (ptrdiff_t)index;
	int found = 0;
	for (int j = 0; j < 3; ++j)
	{
		const tnVec3 p = points[triangle[j]];
		const tnVec3 q = points[triangle[j == 2 ? 0 : j + 1]];
		if (found < 2 && (p.y < height) != (q.y < height))
		{
			ends[found++] = p.y < height ? tnCutEdge(p, q, height) : tnCutEdge(q, p, height);
		}
	}
	return found == 2;
}

int tnMesh_CopyWaterline(const tnMesh* mesh, const tnVec3* points, float height, tnVec3* out, int capacity)
{
	int count = 0;
	for (int i = 0; i < mesh->triangleCount; ++i)
	{
		tnVec3 ends[2];
		const bool isCut = tnMesh_CutTriangle(mesh, points, i, height, ends);
		for (int j = 0; isCut && j < 2; ++j)
		{
			if (count < capacity)
			{
				out[count] = ends[j];
			}
			++count;
		}
	}
	return count;
}
