// SPDX-License-Identifier: MIT

#include "body_forces.h"

#include "body_batch.h"
#include "body_kernels.h"
#include "discs.h"

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

static void tnBatch_Flush(const tnBodyKernels* kernels, tnBatch* batch)
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
static inline void tnBatch_Add(const tnBodyKernels* kernels, tnBatch* batch, tnVec3 a, tnVec3 b, tnVec3 c)
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

static void tnBatch_AddCut(const tnBodyKernels* kernels, tnBatch* batch, tnVec3 a, tnVec3 b, tnVec3 c)
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
	return (tnVec3){(float)(sums[0] * weight), (float)(sums[1] * weight), (float)(sums[2] * weight)};
}

static tnSubmergence tnBatch_GetSubmergence(const tnBatch* batch, bool whole)
{
	tnSubmergence out = {0};
	const double volume = batch->sums[tn_volumeSum];
	if (volume > 0.0)
	{
		out.volume = (float)volume;
		out.center = tnBatch_GetVector(batch, tn_volumeXSum, 1.0 / volume);
		out.center.y += batch->tide.height;
	}
	const double area = batch->sums[tn_areaSum];
	out.waterlineArea = !whole && area < 0.0 ? (float)-area : 0.0f;
	out.dragForce = tnBatch_GetVector(batch, tn_forceXSum, 1.0);
	out.dragTorque = tnBatch_GetVector(batch, tn_torqueXSum, 1.0);
	out.brake = (float)batch->sums[tn_brakeSum];
	out.spinBrake = (float)batch->sums[tn_spinBrakeSum];
	return out;
}

tnSubmergence tnMesh_Submerge(const tnBodyKernels* kernels, const tnMesh* mesh, const tnVec3* points,
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
	const float half = 0.5f * TN_WATER_DENSITY;
	tnBatch batch;
	memset(&batch, 0, sizeof(batch));
	batch.tide = (tnTide){
		// The volume of what is wholly below is the same from any height, and
		// exact from one that is near.
		.height = whole ? 0.0f : ambient->height,
		.flow = {ambient->velocity.x - motion->velocity.x, -motion->velocity.y,
			ambient->velocity.z - motion->velocity.z},
		.spin = motion->spin,
		.pressure = half * def->pressureDrag,
		.suction = half * def->pressureDrag * def->suction,
		.friction = half * def->skinFriction,
		.creep = def->creepSpeed,
	};
	const int32_t* triangle = mesh->triangles;
	const int32_t* end = triangle + 3 * (ptrdiff_t)mesh->triangleCount;
	for (; triangle < end; triangle += 3)
	{
		const tnVec3* a = points + triangle[0];
		const tnVec3* b = points + triangle[1];
		const tnVec3* c = points + triangle[2];
		if (whole || tnMaxFloat(tnMaxFloat(a->y, b->y), c->y) < ambient->height)
		{
			tnBatch_Add(kernels, &batch, *a, *b, *c);
		}
		else if (tnMinFloat(tnMinFloat(a->y, b->y), c->y) < ambient->height)
		{
			tnBatch_AddCut(kernels, &batch, *a, *b, *c);
		}
	}
	tnBatch_Flush(kernels, &batch);
	tnBatch_Fold(&batch);
	return tnBatch_GetSubmergence(&batch, whole);
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

tnDrag tnMesh_BoundDrag(const tnMesh* mesh, const tnBodyDef* def, tnQuat rotation, const tnMotion* motion,
	const tnSubmergence* wet, float waterMass, float timeStep)
{
	const float dt = timeStep;
	const float mass = def->mass;
	const float* k = mesh->inertia;
	const float bound = 1.0f + dt * wet->brake * (1.0f / mass + 1.0f / tnMaxFloat(waterMass, 1.0e-6f));
	const float spinBound = 1.0f + dt * wet->spinBrake / (mass * tnMinFloat(k[0], tnMinFloat(k[1], k[2])));
	tnDrag drag;
	drag.force = (tnVec3){wet->dragForce.x / bound, wet->dragForce.y / bound, wet->dragForce.z / bound};
	drag.torque = (tnVec3){wet->dragTorque.x / spinBound, wet->dragTorque.y / spinBound, wet->dragTorque.z / spinBound};
	if (def->damping > 0.0f && tnIsFinite(mass))
	{
		const float share = mesh->volume > 0.0f ? tnMinFloat(wet->volume / mesh->volume, 1.0f) : 0.0f;
		const float rate = def->damping * share / (1.0f + dt * def->damping);
		const tnVec3 momentum = tnMesh_GetMomentum(mesh, mass, rotation, motion->spin);
		drag.torque.x -= rate * momentum.x;
		drag.torque.y -= rate * momentum.y;
		drag.torque.z -= rate * momentum.z;
	}
	return drag;
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
