// SPDX-License-Identifier: MIT

#include "body_forces.h"

#include "discs.h"

// Every processor of these kinds has these vectors.
#if defined(TN_HAVE_SSE2)
#define TN_SIMD_SSE2
#elif defined(TN_HAVE_NEON)
#define TN_SIMD_NEON
#else
#define TN_SIMD_SCALAR
#endif
#include "simd.h"

#include <math.h>
#include <string.h>

// Volume below a plane from the divergence theorem: with heights t from the
// plane, V is the integral of t over the projected area of the surface below
// it, because t is 0 on the plane itself. In the same way the moments are
// integrals of x t, z t and t^2 / 2. Over a triangle these are polynomials of
// its corners.

// Triangles are taken eight at a time, in lanes that do not mix, for the sake
// of vector units.

enum
{
	TN_LANES = 8,
	// Batches whose sums are kept in float32 before they join the others.
	TN_FOLD_BATCHES = 64,
};

// What is summed up over triangles.
enum
{
	tn_volumeSum,
	tn_volumeXSum,
	tn_volumeYSum,
	tn_volumeZSum,
	tn_areaSum, // projected area of what is below, positive upwards
	tn_forceXSum,
	tn_forceYSum,
	tn_forceZSum,
	tn_torqueXSum,
	tn_torqueYSum,
	tn_torqueZSum,
	tn_brakeSum,
	tn_spinBrakeSum,
	tn_sumCount,
};

// What the water does around the body.
typedef struct tnTide
{
	float height; // of the plane from which t is measured
	tnVec3 flow;  // of the water against the centre of mass, m/s
	tnVec3 spin;
	float pressure, suction, friction; // half the density times coefficients, kg/m^3
	float creep;                       // m/s
} tnTide;

typedef struct tnBatch
{
	float corners[9][TN_LANES]; // x, y, z of three corners
	float lanes[tn_sumCount][TN_LANES];
	double sums[tn_sumCount];
	int count, batchCount;
	tnTide tide;
} tnBatch;

// Three numbers in each lane.
typedef struct tnVec3W
{
	tnFloatW x, y, z;
} tnVec3W;

static inline tnVec3W tnSplatVecW(tnVec3 a)
{
	return (tnVec3W){tnSplatW(a.x), tnSplatW(a.y), tnSplatW(a.z)};
}

static inline tnVec3W tnSubVecW(tnVec3W a, tnVec3W b)
{
	return (tnVec3W){tnSubW(a.x, b.x), tnSubW(a.y, b.y), tnSubW(a.z, b.z)};
}

// a + s b
static inline tnVec3W tnAddScaledW(tnVec3W a, tnFloatW s, tnVec3W b)
{
	return (tnVec3W){tnAddW(a.x, tnMulW(s, b.x)), tnAddW(a.y, tnMulW(s, b.y)), tnAddW(a.z, tnMulW(s, b.z))};
}

static inline tnFloatW tnDotW(tnVec3W a, tnVec3W b)
{
	return tnAddW(tnAddW(tnMulW(a.x, b.x), tnMulW(a.y, b.y)), tnMulW(a.z, b.z));
}

static inline tnVec3W tnCrossW(tnVec3W a, tnVec3W b)
{
	return (tnVec3W){
		tnSubW(tnMulW(a.y, b.z), tnMulW(a.z, b.y)),
		tnSubW(tnMulW(a.z, b.x), tnMulW(a.x, b.z)),
		tnSubW(tnMulW(a.x, b.y), tnMulW(a.y, b.x)),
	};
}

static inline tnFloatW tnSum3W(tnFloatW a, tnFloatW b, tnFloatW c)
{
	return tnAddW(tnAddW(a, b), c);
}

// Drag on a part of a triangle: what is added up.
typedef struct tnPushW
{
	tnVec3W force, torque;
	tnFloatW brake, spinBrake;
} tnPushW;

// Pressure and friction at r, with a normal of length 1, for an area.
static inline void tnPushW_Add(tnPushW* sum, const tnTide* tide, tnVec3W r, tnVec3W normal, tnFloatW area)
{
	const tnFloatW zero = tnSplatW(0.0f);
	const tnVec3W flow = tnSubVecW(tnSplatVecW(tide->flow), tnCrossW(tnSplatVecW(tide->spin), r));
	const tnFloatW across = tnDotW(flow, normal);
	const tnFloatW square = tnSubW(tnDotW(flow, flow), tnMulW(across, across));
	const tnFloatW speed = tnSqrtW(tnMaxW(square, zero));
	// Both point along the flow: pressure on what it meets, suction on what it leaves.
	// Only sideways: heave loses its energy to the waves it makes.
	const tnFloatW level = tnSubW(tnSplatW(1.0f), tnMulW(normal.y, normal.y));
	const tnFloatW creep = tnMulW(tnSplatW(tide->creep), level);
	const tnFloatW ahead = tnMulW(tnSplatW(tide->pressure), tnSubW(creep, across));
	const tnFloatW behind = tnMulW(tnSplatW(tide->suction), tnAddW(creep, across));
	const tnFloatW push = tnMulW(tnSelectW(tnGreaterW(zero, across), ahead, behind), area);
	const tnFloatW rub = tnMulW(tnMulW(tnSplatW(tide->friction), speed), area);
	const tnFloatW strength = tnMulW(tnSubW(push, rub), across);
	const tnVec3W arm = tnCrossW(r, normal);
	sum->force = tnAddScaledW(tnAddScaledW(sum->force, strength, normal), rub, flow);
	sum->torque = tnAddScaledW(tnAddScaledW(sum->torque, strength, arm), rub, tnCrossW(r, flow));
	sum->brake = tnAddW(sum->brake, tnAddW(push, rub));
	const tnFloatW turning = tnAddW(tnMulW(push, tnDotW(arm, arm)), tnMulW(rub, tnDotW(r, r)));
	sum->spinBrake = tnAddW(sum->spinBrake, turning);
}

static inline void tnBatch_Sum(tnBatch* batch, int index, int lane, tnFloatW value)
{
	float* sum = batch->lanes[index] + lane;
	tnStoreW(sum, tnAddW(tnLoadW(sum), value));
}

static inline tnVec3W tnBatch_LoadCorner(const tnBatch* batch, int corner, int lane)
{
	return (tnVec3W){
		tnLoadW(batch->corners[3 * corner] + lane),
		tnLoadW(batch->corners[3 * corner + 1] + lane),
		tnLoadW(batch->corners[3 * corner + 2] + lane),
	};
}

// @param twiceArea projected, positive upwards
static inline void tnBatch_AddVolume(tnBatch* batch, int lane, tnVec3W a, tnVec3W b, tnVec3W c, tnFloatW twiceArea)
{
	const tnFloatW height = tnSplatW(batch->tide.height);
	const tnFloatW tA = tnSubW(a.y, height), tB = tnSubW(b.y, height), tC = tnSubW(c.y, height);
	const tnFloatW sum = tnSum3W(tA, tB, tC);
	const tnFloatW area = tnMulW(tnSplatW(0.5f), twiceArea);
	const tnFloatW weight = tnMulW(area, tnSplatW(1.0f / 12.0f));
	const tnFloatW sumX = tnSum3W(a.x, b.x, c.x), sumZ = tnSum3W(a.z, b.z, c.z);
	const tnFloatW x = tnSum3W(tnMulW(a.x, tA), tnMulW(b.x, tB), tnMulW(c.x, tC));
	const tnFloatW y = tnSum3W(tnMulW(tA, tA), tnMulW(tB, tB), tnMulW(tC, tC));
	const tnFloatW z = tnSum3W(tnMulW(a.z, tA), tnMulW(b.z, tB), tnMulW(c.z, tC));
	tnBatch_Sum(batch, tn_areaSum, lane, area);
	tnBatch_Sum(batch, tn_volumeSum, lane, tnMulW(tnMulW(area, sum), tnSplatW(1.0f / 3.0f)));
	tnBatch_Sum(batch, tn_volumeXSum, lane, tnMulW(weight, tnAddW(tnMulW(sumX, sum), x)));
	tnBatch_Sum(batch, tn_volumeYSum, lane, tnMulW(tnMulW(weight, tnSplatW(0.5f)), tnAddW(tnMulW(sum, sum), y)));
	tnBatch_Sum(batch, tn_volumeZSum, lane, tnMulW(weight, tnAddW(tnMulW(sumZ, sum), z)));
}

// Drag at places half way from the middle of a triangle to its corners, which is exact for squares of the speed: it
// does not depend on how a flat side is divided into triangles.
static inline void tnBatch_AddDrag(tnBatch* batch, int lane, tnVec3W a, tnVec3W b, tnVec3W c, tnVec3W normal)
{
	const tnFloatW zero = tnSplatW(0.0f);
	const tnFloatW one = tnSplatW(1.0f);
	const tnFloatW half = tnSplatW(0.5f);
	const tnFloatW sixth = tnSplatW(1.0f / 6.0f);
	const tnFloatW twice = tnSqrtW(tnDotW(normal, normal));
	const tnFloatW scale = tnDivW(one, tnSelectW(tnGreaterW(twice, zero), twice, one));
	normal = (tnVec3W){tnMulW(normal.x, scale), tnMulW(normal.y, scale), tnMulW(normal.z, scale)};
	const tnFloatW third = tnMulW(twice, sixth);
	const tnVec3W middle = {
		tnMulW(tnSum3W(a.x, b.x, c.x), sixth),
		tnMulW(tnSum3W(a.y, b.y, c.y), sixth),
		tnMulW(tnSum3W(a.z, b.z, c.z), sixth),
	};
	tnPushW push = {{zero, zero, zero}, {zero, zero, zero}, zero, zero};
	tnPushW_Add(&push, &batch->tide, tnAddScaledW(middle, half, a), normal, third);
	tnPushW_Add(&push, &batch->tide, tnAddScaledW(middle, half, b), normal, third);
	tnPushW_Add(&push, &batch->tide, tnAddScaledW(middle, half, c), normal, third);
	tnBatch_Sum(batch, tn_forceXSum, lane, push.force.x);
	tnBatch_Sum(batch, tn_forceYSum, lane, push.force.y);
	tnBatch_Sum(batch, tn_forceZSum, lane, push.force.z);
	tnBatch_Sum(batch, tn_torqueXSum, lane, push.torque.x);
	tnBatch_Sum(batch, tn_torqueYSum, lane, push.torque.y);
	tnBatch_Sum(batch, tn_torqueZSum, lane, push.torque.z);
	tnBatch_Sum(batch, tn_brakeSum, lane, push.brake);
	tnBatch_Sum(batch, tn_spinBrakeSum, lane, push.spinBrake);
}

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

static void tnBatch_Flush(tnBatch* batch)
{
	// Lanes that are not in use hold a triangle without area.
	for (int j = 0; j < 9 && batch->count < TN_LANES; ++j)
	{
		for (int i = batch->count; i < TN_LANES; ++i)
		{
			batch->corners[j][i] = 0.0f;
		}
	}
	for (int lane = 0; lane < TN_LANES; lane += TN_SIMD_WIDTH)
	{
		const tnVec3W a = tnBatch_LoadCorner(batch, 0, lane);
		const tnVec3W b = tnBatch_LoadCorner(batch, 1, lane);
		const tnVec3W c = tnBatch_LoadCorner(batch, 2, lane);
		const tnVec3W normal = tnCrossW(tnSubVecW(b, a), tnSubVecW(c, a));
		tnBatch_AddVolume(batch, lane, a, b, c, normal.y);
		tnBatch_AddDrag(batch, lane, a, b, c, normal);
	}
	batch->count = 0;
	if (++batch->batchCount == TN_FOLD_BATCHES)
	{
		tnBatch_Fold(batch);
	}
}

// A triangle below the plane.
static inline void tnBatch_Add(tnBatch* batch, tnVec3 a, tnVec3 b, tnVec3 c)
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
		tnBatch_Flush(batch);
	}
}

// Where an edge meets the plane, taken from the lower end, so that both
// triangles of the edge get the same point.
static inline tnVec3 tnCutEdge(tnVec3 below, tnVec3 above, float height)
{
	const float t = (height - below.y) / (above.y - below.y);
	return (tnVec3){below.x + t * (above.x - below.x), height, below.z + t * (above.z - below.z)};
}

static void tnBatch_AddCut(tnBatch* batch, tnVec3 a, tnVec3 b, tnVec3 c)
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
		tnBatch_Add(batch, a, tnCutEdge(a, b, height), tnCutEdge(a, c, height));
	}
	else
	{
		const tnVec3 onB = tnCutEdge(b, a, height);
		const tnVec3 onC = tnCutEdge(c, a, height);
		tnBatch_Add(batch, onB, b, c);
		tnBatch_Add(batch, onB, c, onC);
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

tnSubmergence tnMesh_Submerge(
	const tnMesh* mesh, const tnVec3* points, const tnAmbient* ambient, const tnMotion* motion, const tnBodyDef* def)
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
	for (int i = 0; i < mesh->triangleCount; ++i, triangle += 3)
	{
		const tnVec3 a = points[triangle[0]];
		const tnVec3 b = points[triangle[1]];
		const tnVec3 c = points[triangle[2]];
		const int below = (a.y < ambient->height) + (b.y < ambient->height) + (c.y < ambient->height);
		if (whole || below == 3)
		{
			tnBatch_Add(&batch, a, b, c);
		}
		else if (below > 0)
		{
			tnBatch_AddCut(&batch, a, b, c);
		}
	}
	tnBatch_Flush(&batch);
	tnBatch_Fold(&batch);
	return tnBatch_GetSubmergence(&batch, whole);
}

int tnMesh_CopyWaterline(const tnMesh* mesh, const tnVec3* points, float height, tnVec3* out, int capacity)
{
	int count = 0;
	for (int i = 0; i < mesh->triangleCount; ++i)
	{
		const int32_t* triangle = mesh->triangles + 3 * (ptrdiff_t)i;
		tnVec3 ends[3];
		int found = 0;
		for (int j = 0; j < 3; ++j)
		{
			const tnVec3 p = points[triangle[j]];
			const tnVec3 q = points[triangle[j == 2 ? 0 : j + 1]];
			if ((p.y < height) != (q.y < height))
			{
				ends[found++] = p.y < height ? tnCutEdge(p, q, height) : tnCutEdge(q, p, height);
			}
		}
		for (int j = 0; found == 2 && j < 2; ++j)
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
