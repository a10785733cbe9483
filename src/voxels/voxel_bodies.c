// SPDX-License-Identifier: MIT

// Bodies in voxels. The surface around a body is the plane that fits the columns below it best,
//
//   h(x, z) = h0 + sx x + sz z,
//
// from a lattice of samples over its footprint: of those, the ones whose liquid reaches the body. There is none in the room that
// a body takes (voxel_taking.c): one that blocks is sampled along a ring around it, and from above where there is no such room,
// as in a shaft. What is below the plane is
// found exactly for the mesh (submerged_mesh.c): a shear y - sx x - sz z makes the plane level and keeps volumes. Liquids in
// layers of density rho_i, with tops h_i parallel to it, lift with
//
//   F = sum of (rho_i - rho_(i-1)) g V_i (-sx, 1, -sz)      through the middle of V_i, what is below h_i; rho_(-1) = 0.
//
// Drag is that of body.h against the mean velocity of the liquid at the submerged part of each column. Where only a part of the
// columns has liquid, all forces count for that part.

#include "voxel_body.h"

#include "../core/physical_constants.h"
#include "../shapes/body_def_check.h"
#include "../shapes/triangle_kernels.h"
#include "tarn/voxel_body.h"
#include "tarn/voxel_flow.h"
#include "voxel_flow.h"
#include "voxel_world.h"

#include <math.h>
#include <string.h>

enum
{
	// Samples along a side of the footprint. Odd, so that one is in the middle.
	TN_BODY_SAMPLES = 5,
	TN_BODY_SAMPLE_COUNT = TN_BODY_SAMPLES * TN_BODY_SAMPLES,
	// Of a ring.
	TN_RING_SAMPLE_COUNT = 4 * TN_BODY_SAMPLES,
};

// How far from the box around a body the ring is, in voxels: as far as there is no ground between, for what a body pushes aside
// stands beside it for a moment. Nearer than the first a column may belong to it, whose middle is half a voxel away at most.
#define TN_RING_FIRST 0.51f
#define TN_RING_LAST 2.51f

// Steepest surface that pushes, rise over run: columns of voxels at a fall differ by much more. A body that blocks may be a dam.
#define TN_STEEPEST 1.0f
#define TN_STEEPEST_DAM 8.0f

// ---------------------------------------------------------------------------------------------------------------------
// Life

static tnResult tnFindVoxelBody(const tnVoxelWorld* world, tnBodyId id, int* index)
{
	*index = tnIdPool_Find(&world->bodies.ids, id.index1, id.generation);
	return *index >= 0
		? tnSuccess()
		: tnFail(tn_staleId, "body id is null or stale, got (%d, %u)", (int)id.index1, (unsigned)id.generation);
}

static void tnVoxelBody_Free(tnVoxelBody* body, tnMemory* memory)
{
	tnMemory_Free(memory, body->points, (size_t)body->mesh.pointCount * sizeof(tnVec3));
	tnMemory_Free(memory, body->sheared, (size_t)body->mesh.pointCount * sizeof(tnVec3));
	tnMemory_Free(memory, body->taken, (size_t)body->takenCapacity * sizeof(tnTakenVoxel));
	tnMesh_Destroy(&body->mesh, memory);
	memset(body, 0, sizeof(*body));
}

static bool tnVoxelBodies_Reserve(tnVoxelBodies* bodies, tnMemory* memory)
{
	if (!tnIdPool_Reserve(&bodies->ids, memory))
	{
		return false;
	}
	if (bodies->capacity < bodies->ids.capacity)
	{
		tnVoxelBody* items = tnMemory_Grow(memory, bodies->items, (size_t)bodies->capacity * sizeof(tnVoxelBody),
			(size_t)bodies->ids.capacity * sizeof(tnVoxelBody));
		if (items == NULL)
		{
			return false;
		}
		bodies->items = items;
		bodies->capacity = bodies->ids.capacity;
	}
	return true;
}

void tnVoxelBodies_Destroy(tnVoxelBodies* bodies, tnMemory* memory)
{
	for (int i = 0; i < bodies->ids.slotCount; ++i)
	{
		if (tnIdPool_IsUsed(&bodies->ids, i))
		{
			tnVoxelBody_Free(bodies->items + i, memory);
		}
	}
	tnMemory_Free(memory, bodies->items, (size_t)bodies->capacity * sizeof(tnVoxelBody));
	tnTakenMap_Destroy(&bodies->takenVoxels, memory);
	tnTakenMap_Destroy(&bodies->takenChunks, memory);
	tnTakenScratch_Destroy(&bodies->scratch, memory);
	tnIdPool_Destroy(&bodies->ids, memory);
	memset(bodies, 0, sizeof(*bodies));
}

static void tnVoxelBody_Move(tnVoxelBody* body, const tnPose* pose, tnVec3 velocity, tnVec3 spin)
{
	body->pose = (tnPose){pose->position, tnQuat_Normalize(pose->rotation)};
	body->motion = (tnMotion){velocity, spin};
}

// A body with a mesh, which is freed if there is no memory for the rest or no room for it.
static tnResult tnFinishVoxelBody(tnVoxelWorld* world, tnVoxelBody* body)
{
	tnMemory* memory = &world->memory;
	const size_t bytes = (size_t)body->mesh.pointCount * sizeof(tnVec3);
	body->points = tnMemory_Alloc(memory, bytes);
	body->sheared = tnMemory_Alloc(memory, bytes);
	if (body->points == NULL || body->sheared == NULL || !tnVoxelBodies_Reserve(&world->bodies, memory))
	{
		return tnFail(tn_outOfMemory, "out of memory for a body of %d triangles", body->mesh.triangleCount);
	}
	const bool mayBlock = tnVoxelBody_MayBlock(world, body);
	if (!mayBlock && body->def.mode == tn_blockingBody)
	{
		return tnFail(tn_invalidArgument,
			"mode must be tn_autoBody or tn_floatingBody for a body of more than 2^22 voxels or columns of them, got "
			"%d",
			(int)body->def.mode);
	}
	body->isBlocking = body->def.mode == tn_blockingBody ||
		(body->def.mode == tn_autoBody && mayBlock && tnVoxelBody_IsWide(world, body));
	return tnVoxelBody_TakeRoom(world, body, &body->pose);
}

static tnResult tnMakeVoxelBody(tnVoxelWorld* world, const tnBodyDef* def, tnBodyId* id)
{
	tnMemory* memory = &world->memory;
	tnVoxelBody body = {.def = *def};
	body.def.shapes = NULL;
	tnResult result = tnMesh_Create(&body.mesh, memory, def->shapes, def->shapeCount);
	if (result.status != tn_ok)
	{
		return result;
	}
	tnVoxelBody_Move(&body, &def->pose, def->velocity, def->spin);
	body.state.buoyancyCenter = body.pose.position;
	result = tnFinishVoxelBody(world, &body);
	if (result.status != tn_ok)
	{
		tnVoxelBody_Free(&body, memory);
		return result;
	}
	const int index = tnIdPool_Take(&world->bodies.ids);
	world->bodies.items[index] = body;
	*id = (tnBodyId){index + 1, tnIdPool_GetGeneration(&world->bodies.ids, index)};
	return result;
}

tnResult tnVoxelWorld_CreateBody(tnVoxelWorld* world, const tnBodyDef* def, tnBodyId* id)
{
	if (id != NULL)
	{
		*id = (tnBodyId){0};
	}
	tnResult result = tnVoxelWorld_CheckReady(world);
	if (result.status != tn_ok)
	{
		return result;
	}
	result = id == NULL ? tnFail(tn_invalidArgument, "id must not be NULL") : tnBodies_CheckDef(def);
	result = result.status == tn_ok ? tnMakeVoxelBody(world, def, id) : result;
	return tnVoxelWorld_Report(world, result);
}

// The body of an id, NULL and a reason if there is none.
static tnVoxelBody* tnLookUpVoxelBody(const tnVoxelWorld* world, tnBodyId id, tnResult* result)
{
	int index = -1;
	*result = tnVoxelWorld_CheckReady(world);
	if (result->status == tn_ok)
	{
		*result = tnVoxelWorld_Report(world, tnFindVoxelBody(world, id, &index));
	}
	return index >= 0 ? world->bodies.items + index : NULL;
}

tnResult tnVoxelWorld_DestroyBody(tnVoxelWorld* world, tnBodyId id)
{
	tnResult result;
	tnVoxelBody* body = tnLookUpVoxelBody(world, id, &result);
	if (body != NULL)
	{
		tnVoxelBody_GiveRoom(world, body);
		tnVoxelBody_Free(body, &world->memory);
		tnIdPool_Release(&world->bodies.ids, id.index1 - 1);
	}
	return result;
}

bool tnVoxelWorld_HasBody(const tnVoxelWorld* world, tnBodyId id)
{
	return world != NULL && tnIdPool_Find(&world->bodies.ids, id.index1, id.generation) >= 0;
}

int tnVoxelWorld_GetBodies(const tnVoxelWorld* world, tnBodyId* ids, int capacity)
{
	int count = 0;
	for (int i = 0; world != NULL && i < world->bodies.ids.slotCount; ++i)
	{
		if (!tnIdPool_IsUsed(&world->bodies.ids, i))
		{
			continue;
		}
		if (ids != NULL && count < capacity)
		{
			ids[count] = (tnBodyId){i + 1, tnIdPool_GetGeneration(&world->bodies.ids, i)};
		}
		++count;
	}
	return count;
}

tnResult tnVoxelWorld_MoveBody(tnVoxelWorld* world, tnBodyId id, const tnPose* pose, tnVec3 velocity, tnVec3 spin)
{
	tnResult result;
	tnVoxelBody* body = tnLookUpVoxelBody(world, id, &result);
	if (body != NULL)
	{
		result = tnVoxelWorld_Report(world, tnBodies_CheckMotion(pose, velocity, spin));
	}
	if (result.status == tn_ok)
	{
		// One that stays where it is costs nothing.
		const tnPose next = {pose->position, tnQuat_Normalize(pose->rotation)};
		if (body->isPending || memcmp(&next, &body->pose, sizeof(next)) != 0)
		{
			result = tnVoxelWorld_Report(world, tnVoxelBody_TakeRoom(world, body, &next));
		}
	}
	if (result.status == tn_ok)
	{
		tnVoxelBody_Move(body, pose, velocity, spin);
	}
	return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// What the liquid does

static tnVec3 tnScale(tnVec3 v, float s)
{
	return (tnVec3){v.x * s, v.y * s, v.z * s};
}

static tnVec3 tnAdd(tnVec3 a, tnVec3 b)
{
	return (tnVec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static tnVec3 tnCross(tnVec3 a, tnVec3 b)
{
	return (tnVec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// The surface around a body, from its centre of mass.
typedef struct tnSurfacePlane
{
	float height;
	float slopeX, slopeZ;
	tnVec3 velocity; // of the liquid
	float share;     // of the samples with liquid that reaches the body
	tnVec2 middle;   // of these
	// Where layers are looked for: a wet sample near the middle.
	tnVec3 probe;
} tnSurfacePlane;

typedef struct tnBounds
{
	tnVec3 low, high;
} tnBounds;

static tnBounds tnFindBounds(const tnVoxelBody* body)
{
	tnBounds bounds = {body->points[0], body->points[0]};
	for (int i = 1; i < body->mesh.pointCount; ++i)
	{
		const tnVec3 p = body->points[i];
		bounds.low =
			(tnVec3){tnMinFloat(bounds.low.x, p.x), tnMinFloat(bounds.low.y, p.y), tnMinFloat(bounds.low.z, p.z)};
		bounds.high =
			(tnVec3){tnMaxFloat(bounds.high.x, p.x), tnMaxFloat(bounds.high.y, p.y), tnMaxFloat(bounds.high.z, p.z)};
	}
	return bounds;
}

// Bodies may be anywhere; voxels are not.
static bool tnIsWithinVoxels(const tnVoxelWorld* world, const tnVoxelBody* body, const tnBounds* bounds)
{
	const double limit = (double)(TN_MAX_VOXEL - 1) * (double)world->def.voxelSize;
	const tnVec3 p = body->pose.position;
	const float ends[6] = {p.x + bounds->low.x, p.x + bounds->high.x, p.y + bounds->low.y, p.y + bounds->high.y,
		p.z + bounds->low.z, p.z + bounds->high.z};
	bool is = true;
	for (int i = 0; i < 6; ++i)
	{
		is = is && (double)ends[i] > -limit && (double)ends[i] < limit;
	}
	return is;
}

// Slopes that fit best, from sums over samples about their mean: heights with places, and places with each other.
static void tnFitSlopes(tnSurfacePlane* plane, const double with[2], const double square[3], float steepest)
{
	const double determinant = square[0] * square[1] - square[2] * square[2];
	if (determinant > 1.0e-6 * square[0] * square[1])
	{
		const double x = (with[0] * square[1] - with[1] * square[2]) / determinant;
		const double z = (with[1] * square[0] - with[0] * square[2]) / determinant;
		plane->slopeX = tnClampFloat((float)x, -steepest, steepest);
		plane->slopeZ = tnClampFloat((float)z, -steepest, steepest);
	}
}

// Where the liquid is asked for, from the centre of mass: a lattice over the footprint, at a height.
static int tnPlaceLattice(const tnBounds* bounds, float height, tnVec3* offsets)
{
	for (int i = 0; i < TN_BODY_SAMPLE_COUNT; ++i)
	{
		const float u = ((float)(i % TN_BODY_SAMPLES) + 0.5f) / (float)TN_BODY_SAMPLES;
		const float v = ((float)(i / TN_BODY_SAMPLES) + 0.5f) / (float)TN_BODY_SAMPLES;
		offsets[i].x = bounds->low.x + u * (bounds->high.x - bounds->low.x);
		offsets[i].y = height;
		offsets[i].z = bounds->low.z + v * (bounds->high.z - bounds->low.z);
	}
	return TN_BODY_SAMPLE_COUNT;
}

static bool tnIsOpenAt(const tnVoxelWorld* world, tnVec3 point)
{
	const float size = world->def.voxelSize;
	const tnVoxel voxel = {
		(int32_t)floorf(point.x / size), (int32_t)floorf(point.y / size), (int32_t)floorf(point.z / size)};
	tnVoxelBlock* block;
	const tnVoxelChunk* chunk =
		tnVoxelStore_FindChunk(&world->store, (tnVoxel){voxel.x >> 4, voxel.y >> 4, voxel.z >> 4}, &block);
	const int32_t index = (voxel.y & 15) * TN_LAYER + (voxel.z & 15) * TN_ROW + (voxel.x & 15);
	return chunk != NULL && tnGetRoom(&world->store, chunk, index) > 0;
}

// The last place without ground and other bodies on the way from beside a body at a height outwards. False if there is none.
static bool tnWalkOut(const tnVoxelWorld* world, tnVec3 from, tnVec2 way, tnVec3* last)
{
	const float size = world->def.voxelSize;
	bool found = false;
	for (float distance = TN_RING_FIRST; distance <= TN_RING_LAST; distance += 1.0f)
	{
		const tnVec3 at = {from.x + distance * size * way.x, from.y, from.z + distance * size * way.z};
		if (!tnIsOpenAt(world, at))
		{
			break;
		}
		*last = at;
		found = true;
	}
	return found;
}

// The same along a ring around the body. `faces` receives where on the box around it they are felt.
static int tnPlaceRing(
	const tnVoxelWorld* world, const tnVoxelBody* body, const tnBounds* bounds, tnVec3* offsets, tnVec2* faces)
{
	const tnVec3 p = body->pose.position;
	int count = 0;
	for (int i = 0; i < TN_RING_SAMPLE_COUNT; ++i)
	{
		const float u = ((float)(i / 4) + 0.5f) / (float)TN_BODY_SAMPLES;
		const bool isFar = i % 2 != 0;
		const float sign = isFar ? 1.0f : -1.0f;
		tnVec3 from = {isFar ? bounds->high.x : bounds->low.x, 0.0f, isFar ? bounds->high.z : bounds->low.z};
		tnVec2 way = {0.0f, 0.0f};
		if (i % 4 < 2)
		{
			way.x = sign;
			from.z = bounds->low.z + u * (bounds->high.z - bounds->low.z);
		}
		else
		{
			way.z = sign;
			from.x = bounds->low.x + u * (bounds->high.x - bounds->low.x);
		}
		// Beside its middle, or where that is ground beside its top.
		tnVec3 last = from;
		tnVec3 high = from;
		high.y = bounds->high.y;
		if (tnWalkOut(world, tnAdd(p, from), way, &last) || tnWalkOut(world, tnAdd(p, high), way, &last))
		{
			faces[count] = (tnVec2){from.x, from.z};
			offsets[count++] = (tnVec3){last.x - p.x, last.y - p.y, last.z - p.z};
		}
	}
	return count;
}

// What is known of the surface at a body.
typedef struct tnSurfaceSamples
{
	tnVoxelSample items[TN_BODY_SAMPLE_COUNT]; // those that count
	tnVec2 offsets[TN_BODY_SAMPLE_COUNT];      // where they were taken, from the centre of mass
	tnVec2 faces[TN_BODY_SAMPLE_COUNT];        // and where they are felt
	int count;
	int nearest; // to the middle, with liquid
	float share; // of all samples
} tnSurfaceSamples;

// Where a body that blocks has no liquid on one side, and ground lower than the liquid on another, it is a dam: the surface goes
// down to its bottom there.
static bool tnIsBehindDam(tnVoxelSample* sample, float lowestWet, float bottom)
{
	sample->level = tnMaxFloat(sample->level, bottom);
	return sample->loaded && sample->level < lowestWet;
}

static void tnSampleSurface(tnVoxelWorld* world, tnVoxelBody* body, const tnBounds* bounds, tnSurfaceSamples* samples)
{
	tnVec3 all[TN_BODY_SAMPLE_COUNT];
	tnVec3 points[TN_BODY_SAMPLE_COUNT];
	const tnVec3 p = body->pose.position;
	const float above = bounds->high.y + TN_RING_FIRST * world->def.voxelSize;
	const float bottom = p.y + bounds->low.y;
	int allCount = body->isBlocking ? tnPlaceRing(world, body, bounds, all, samples->faces) : 0;
	const bool isRing = allCount > 0;
	if (!isRing)
	{
		allCount = tnPlaceLattice(bounds, body->isBlocking ? above : 0.0f, all);
	}
	for (int i = 0; i < allCount; ++i)
	{
		points[i] = (tnVec3){p.x + all[i].x, p.y + all[i].y, p.z + all[i].z};
	}
	samples->count = 0;
	if (!tnSampleVoxels(world, points, allCount, samples->items))
	{
		body->isShort = true;
		return;
	}
	float lowestWet = INFINITY;
	for (int i = 0; i < allCount; ++i)
	{
		const tnVoxelSample* sample = samples->items + i;
		const bool isWet = sample->depth > 0.0f && sample->level > bottom;
		lowestWet = isWet ? tnMinFloat(lowestWet, sample->level) : lowestWet;
	}
	float distance = INFINITY;
	for (int i = 0; i < allCount && lowestWet < INFINITY; ++i)
	{
		tnVoxelSample sample = samples->items[i];
		const bool isWet = sample.depth > 0.0f && sample.level > bottom;
		if (!isWet && !(isRing && tnIsBehindDam(&sample, lowestWet, bottom)))
		{
			continue;
		}
		const float square = all[i].x * all[i].x + all[i].z * all[i].z;
		if (isWet && square < distance)
		{
			samples->nearest = samples->count;
			distance = square;
		}
		samples->items[samples->count] = sample;
		samples->offsets[samples->count] = (tnVec2){all[i].x, all[i].z};
		samples->faces[samples->count] = isRing ? samples->faces[i] : samples->offsets[samples->count];
		++samples->count;
	}
	samples->share = isRing ? 1.0f : (float)samples->count / (float)allCount;
}

// Mean velocity at the middle of what is submerged in each column.
static tnVec3 tnSampleVelocity(
	tnVoxelWorld* world, tnVoxelBody* body, const tnBounds* bounds, const tnSurfaceSamples* surface)
{
	const tnVoxelSample* samples = surface->items;
	const tnVec2* offsets = surface->offsets;
	const int count = surface->count;
	tnVec3 points[TN_BODY_SAMPLE_COUNT];
	tnVoxelSample inside[TN_BODY_SAMPLE_COUNT];
	const tnVec3 p = body->pose.position;
	for (int i = 0; i < count; ++i)
	{
		const float top = tnMinFloat(samples[i].level, p.y + bounds->high.y);
		const float bottom = tnMaxFloat(samples[i].level - samples[i].depth, p.y + bounds->low.y);
		points[i] = (tnVec3){p.x + offsets[i].x, 0.5f * (top + bottom), p.z + offsets[i].z};
	}
	double sum[3] = {0.0, 0.0, 0.0};
	body->isShort = !tnSampleVoxels(world, points, count, inside);
	for (int i = 0; i < count; ++i)
	{
		sum[0] += (double)inside[i].velocity.x;
		sum[1] += (double)inside[i].velocity.y;
		sum[2] += (double)inside[i].velocity.z;
	}
	return (tnVec3){(float)(sum[0] / count), (float)(sum[1] / count), (float)(sum[2] / count)};
}

// Columns of a lake differ by a unit, and by one more while it settles: that must not push a body that has moved them.
static bool tnIsSloped(const tnVoxelWorld* world, const tnVoxelSample* samples, int count)
{
	float low = samples[0].level;
	float high = samples[0].level;
	for (int i = 1; i < count; ++i)
	{
		low = tnMinFloat(low, samples[i].level);
		high = tnMaxFloat(high, samples[i].level);
	}
	return high - low > 2.5f * world->def.voxelSize / (float)world->def.cap;
}

// False if no liquid reaches the body.
static bool tnFindSurface(tnVoxelWorld* world, tnVoxelBody* body, const tnBounds* bounds, tnSurfacePlane* plane)
{
	tnSurfaceSamples surface;
	tnSampleSurface(world, body, bounds, &surface);
	const tnVoxelSample* samples = surface.items;
	const tnVec2* faces = surface.faces;
	const int count = surface.count;
	if (count == 0)
	{
		return false;
	}
	// Differences from the first: a level lake has none, to the last bit.
	double mean[3] = {0.0, 0.0, 0.0};
	for (int i = 0; i < count; ++i)
	{
		mean[0] += (double)faces[i].x / count;
		mean[1] += (double)faces[i].z / count;
		mean[2] += ((double)samples[i].level - (double)samples[0].level) / count;
	}
	double with[2] = {0.0, 0.0};
	double square[3] = {0.0, 0.0, 0.0};
	for (int i = 0; i < count; ++i)
	{
		const double x = (double)faces[i].x - mean[0];
		const double z = (double)faces[i].z - mean[1];
		const double h = (double)samples[i].level - (double)samples[0].level - mean[2];
		with[0] += x * h;
		with[1] += z * h;
		square[0] += x * x;
		square[1] += z * z;
		square[2] += x * z;
	}
	if (body->isBlocking)
	{
		// In a channel all samples may lie on one line, and have a slope along it.
		square[0] += 1.0e-6;
		square[1] += 1.0e-6;
	}
	*plane = (tnSurfacePlane){.share = surface.share};
	if (!body->isBlocking || tnIsSloped(world, samples, count))
	{
		tnFitSlopes(plane, with, square, body->isBlocking ? TN_STEEPEST_DAM : TN_STEEPEST);
	}
	plane->middle = (tnVec2){(float)mean[0], (float)mean[1]};
	plane->height = (float)((double)samples[0].level + mean[2] - (double)body->pose.position.y) -
		(plane->slopeX * plane->middle.x + plane->slopeZ * plane->middle.z);
	plane->velocity = tnSampleVelocity(world, body, bounds, &surface);
	const tnVec2 probe = surface.offsets[surface.nearest];
	plane->probe =
		(tnVec3){body->pose.position.x + probe.x, samples[surface.nearest].level, body->pose.position.z + probe.z};
	return true;
}

typedef struct tnLiquidLayer
{
	float top;     // below the surface, m, at least 0
	float density; // kg/m^3
} tnLiquidLayer;

// Liquids from the surface down to a height. Returns how many layers, at most TN_MAX_LIQUIDS.
static int tnFindLayers(const tnVoxelWorld* world, tnVec3 surface, float bottom, tnLiquidLayer* layers)
{
	const float size = world->def.voxelSize;
	const float cap = (float)world->def.cap;
	tnVoxel voxel = {
		(int32_t)floorf(surface.x / size), (int32_t)floorf(surface.y / size), (int32_t)floorf(surface.z / size)};
	int count = 0;
	int kind = 0;
	for (; (float)(voxel.y + 1) * size > bottom && count < TN_MAX_LIQUIDS; --voxel.y)
	{
		const tnVoxelState state = tnVoxelWorld_GetVoxel(world, voxel);
		// Under a roof, or in rounded air, the surface is above the liquid.
		if (state.liquid == 0 && kind != 0)
		{
			break;
		}
		if (state.liquid != 0 && state.liquid != kind)
		{
			const float filled = (cap - (float)state.room + (float)tnMinInt(state.amount, state.room)) / cap;
			const float top = ((float)voxel.y + filled) * size;
			kind = state.liquid;
			layers[count].top = count == 0 ? 0.0f : tnMaxFloat(surface.y - top, 0.0f);
			layers[count++].density = world->def.liquids[kind - 1].density;
		}
	}
	return count;
}

// Sums over layers.
typedef struct tnBuoyancy
{
	double weight;    // of liquid displaced, over gravity, kg
	double center[3]; // of it times that
	tnSubmergence wet;
} tnBuoyancy;

static tnBuoyancy tnSumLayers(
	const tnVoxelWorld* world, tnVoxelBody* body, const tnBounds* bounds, const tnSurfacePlane* plane)
{
	tnLiquidLayer layers[TN_MAX_LIQUIDS];
	const int count = tnFindLayers(world, plane->probe, body->pose.position.y + bounds->low.y, layers);
	for (int i = 0; i < body->mesh.pointCount; ++i)
	{
		const tnVec3 p = body->points[i];
		body->sheared[i] = (tnVec3){p.x, p.y - (plane->slopeX * p.x + plane->slopeZ * p.z), p.z};
	}
	// Liquid that falls with the body does not drag it upwards.
	tnMotion motion = body->motion;
	motion.velocity.y -= plane->velocity.y;
	const tnTriangleKernels* kernels = tnGetTriangleKernels(world->def.simd);
	tnBuoyancy out = {0};
	float lighter = 0.0f;
	for (int i = 0; i < count; ++i)
	{
		const tnAmbient ambient = {plane->height - layers[i].top, {plane->velocity.x, plane->velocity.z}};
		tnSubmergence wet = tnMesh_Submerge(kernels, &body->mesh, body->sheared, &ambient, &motion, &body->def);
		wet.center.y += plane->slopeX * wet.center.x + plane->slopeZ * wet.center.z;
		const double more = ((double)layers[i].density - (double)lighter) * (double)wet.volume;
		lighter = layers[i].density;
		out.weight += more;
		out.center[0] += more * (double)wet.center.x;
		out.center[1] += more * (double)wet.center.y;
		out.center[2] += more * (double)wet.center.z;
		out.wet = i == 0 ? wet : out.wet;
	}
	return out;
}

static void tnFeelVoxelBody(tnVoxelWorld* world, tnVoxelBody* body)
{
	body->state = (tnBodyState){.buoyancyCenter = body->pose.position};
	body->wrench = (tnWrench){0};
	body->isWet = false;
	body->isShort = false;
	tnMesh_Turn(&body->mesh, body->pose.rotation, body->points);
	const tnBounds bounds = tnFindBounds(body);
	tnSurfacePlane plane;
	if (!tnIsWithinVoxels(world, body, &bounds) || !tnFindSurface(world, body, &bounds, &plane))
	{
		return;
	}
	tnBuoyancy sum = tnSumLayers(world, body, &bounds, &plane);
	if (!(sum.wet.volume > 0.0f))
	{
		return;
	}
	body->isWet = true;
	const float share = plane.share;
	const float density = (float)(sum.weight / (double)sum.wet.volume);
	tnVec3 center = sum.weight > 0.0 ? (tnVec3){(float)(sum.center[0] / sum.weight),
										   (float)(sum.center[1] / sum.weight), (float)(sum.center[2] / sum.weight)}
									 : sum.wet.center;
	// Of a part of the columns, the middle of that part.
	center.x += (1.0f - share) * (plane.middle.x - center.x);
	center.z += (1.0f - share) * (plane.middle.z - center.z);
	const float lift = share * world->def.gravity * (float)sum.weight;
	tnBodyState* state = &body->state;
	state->pressure = (tnVec3){-lift * plane.slopeX, lift, -lift * plane.slopeZ};
	state->pressureTorque = tnCross(center, state->pressure);

	// Drag was found for water.
	const float scale = share * density / TN_WATER_DENSITY;
	sum.wet.dragForce = tnScale(sum.wet.dragForce, scale);
	sum.wet.dragTorque = tnScale(sum.wet.dragTorque, scale);
	sum.wet.brake *= scale;
	sum.wet.spinBrake *= scale;
	sum.wet.volume *= share;
	const tnDrag drag = tnMesh_BoundDrag(
		&body->mesh, &body->def, body->pose.rotation, &body->motion, &sum.wet, INFINITY, 1.0f / world->def.stepRate);
	state->drag = drag.force;
	state->dragTorque = drag.torque;
	state->submergedVolume = tnMinFloat(sum.wet.volume, body->mesh.volume);
	state->buoyancyCenter = tnAdd(body->pose.position, center);
	state->waterlineArea = share * sum.wet.waterlineArea;
	state->waterlineHeight = body->pose.position.y + plane.height;
	state->current = (tnVec2){plane.velocity.x, plane.velocity.z};
	body->wrench.force = tnAdd(state->pressure, state->drag);
	body->wrench.torque = tnAdd(state->pressureTorque, state->dragTorque);
}

void tnVoxelWorld_FeelBodies(tnVoxelWorld* world)
{
	for (int i = 0; i < world->bodies.ids.slotCount; ++i)
	{
		if (tnIdPool_IsUsed(&world->bodies.ids, i))
		{
			tnFeelVoxelBody(world, world->bodies.items + i);
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Asking

// As tnLookUpVoxelBody, if there is somewhere to write to.
static const tnVoxelBody* tnAskVoxelBody(
	const tnVoxelWorld* world, tnBodyId id, const void* out, const char* name, tnResult* result)
{
	if (out == NULL)
	{
		*result = tnVoxelWorld_Report(world, tnFail(tn_invalidArgument, "%s must not be NULL", name));
		return NULL;
	}
	return tnLookUpVoxelBody(tnVoxelWorld_GetShown(world), id, result);
}

// As tnAskVoxelBody, for what it felt in the last step.
static const tnVoxelBody* tnAskWhatIsFelt(
	const tnVoxelWorld* world, tnBodyId id, const void* out, const char* name, tnResult* result)
{
	const tnVoxelBody* body = tnAskVoxelBody(world, id, out, name, result);
	if (body != NULL && body->isShort)
	{
		*result = tnVoxelWorld_Report(
			world, tnFail(tn_outOfMemory, "%s: the last step was out of memory for currents at the body", name));
		return NULL;
	}
	return body;
}

tnResult tnVoxelWorld_GetBodyWrench(const tnVoxelWorld* world, tnBodyId id, tnWrench* wrench)
{
	tnResult result;
	const tnVoxelBody* body = tnAskWhatIsFelt(world, id, wrench, "wrench", &result);
	if (body != NULL)
	{
		*wrench = body->wrench;
	}
	return result;
}

tnResult tnVoxelWorld_GetBodyState(const tnVoxelWorld* world, tnBodyId id, tnBodyState* state)
{
	tnResult result;
	const tnVoxelBody* body = tnAskWhatIsFelt(world, id, state, "state", &result);
	if (body != NULL)
	{
		*state = body->state;
		// As the host has it now; the rest is of the last step.
		state->pose = body->pose;
		state->velocity = body->motion.velocity;
		state->spin = body->motion.spin;
		state->mode = body->isBlocking ? tn_blockingBody : tn_floatingBody;
		state->volume = body->mesh.volume;
		state->userData = body->def.userData;
	}
	return result;
}

tnResult tnVoxelWorld_GetBodyMesh(const tnVoxelWorld* world, tnBodyId id, tnBodyMesh* mesh)
{
	tnResult result;
	const tnVoxelBody* body = tnAskVoxelBody(world, id, mesh, "mesh", &result);
	if (body != NULL)
	{
		*mesh = (tnBodyMesh){body->mesh.points, body->mesh.pointCount, body->mesh.triangles, body->mesh.triangleCount};
	}
	return result;
}

tnResult tnVoxelWorld_CopyBodyWaterline(
	const tnVoxelWorld* world, tnBodyId id, tnVec3* points, int capacity, int* count)
{
	tnResult result;
	const tnVoxelBody* body = tnAskVoxelBody(world, id, count, "count", &result);
	if (body == NULL)
	{
		return result;
	}
	if (points != NULL && capacity < 0)
	{
		return tnVoxelWorld_Report(world, tnFail(tn_invalidArgument, "capacity must be at least 0, got %d", capacity));
	}
	*count = 0;
	if (body->isWet)
	{
		const tnVec3 p = body->pose.position;
		const int room = points != NULL ? capacity : 0;
		*count = tnMesh_CopyWaterline(&body->mesh, body->points, body->state.waterlineHeight - p.y, points, room);
		for (int i = 0; i < tnMinInt(*count, room); ++i)
		{
			points[i] = tnAdd(points[i], p);
		}
	}
	return result;
}
