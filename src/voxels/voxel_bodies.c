// SPDX-License-Identifier: MIT

// Bodies in voxels. The surface around a body is the plane that fits the columns below it best,
//
//   h(x, z) = h0 + sx x + sz z,
//
// from a lattice of samples over its footprint: of those, the ones whose liquid reaches the body. What is below the plane is
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
};

// Steepest surface that pushes, rise over run: columns of voxels at a fall differ by much more.
#define TN_STEEPEST 1.0f

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
	tnIdPool_Destroy(&bodies->ids, memory);
	memset(bodies, 0, sizeof(*bodies));
}

static void tnVoxelBody_Move(tnVoxelBody* body, const tnPose* pose, tnVec3 velocity, tnVec3 spin)
{
	body->pose = (tnPose){pose->position, tnQuat_Normalize(pose->rotation)};
	body->motion = (tnMotion){velocity, spin};
}

static tnResult tnMakeVoxelBody(tnVoxelWorld* world, const tnBodyDef* def, tnBodyId* id)
{
	tnMemory* memory = &world->memory;
	tnVoxelBody body = {.def = *def};
	body.def.shapes = NULL;
	const tnResult result = tnMesh_Create(&body.mesh, memory, def->shapes, def->shapeCount);
	if (result.status != tn_ok)
	{
		return result;
	}
	const size_t bytes = (size_t)body.mesh.pointCount * sizeof(tnVec3);
	body.points = tnMemory_Alloc(memory, bytes);
	body.sheared = tnMemory_Alloc(memory, bytes);
	if (body.points == NULL || body.sheared == NULL || !tnVoxelBodies_Reserve(&world->bodies, memory))
	{
		const int triangleCount = body.mesh.triangleCount;
		tnVoxelBody_Free(&body, memory);
		return tnFail(tn_outOfMemory, "out of memory for a body of %d triangles", triangleCount);
	}
	tnVoxelBody_Move(&body, &def->pose, def->velocity, def->spin);
	body.state.buoyancyCenter = body.pose.position;
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
	if (result.status == tn_ok && def->mode == tn_blockingBody)
	{
		result = tnFail(
			tn_invalidArgument, "mode must be tn_autoBody or tn_floatingBody in a voxel world, got %d", (int)def->mode);
	}
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
		tnVoxelBody_Move(body, pose, velocity, spin);
	}
	return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// What the liquid does

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
static void tnFitSlopes(tnSurfacePlane* plane, const double with[2], const double square[3])
{
	const double determinant = square[0] * square[1] - square[2] * square[2];
	if (determinant > 1.0e-6 * square[0] * square[1])
	{
		const double x = (with[0] * square[1] - with[1] * square[2]) / determinant;
		const double z = (with[1] * square[0] - with[0] * square[2]) / determinant;
		plane->slopeX = tnClampFloat((float)x, -TN_STEEPEST, TN_STEEPEST);
		plane->slopeZ = tnClampFloat((float)z, -TN_STEEPEST, TN_STEEPEST);
	}
}

// Samples whose liquid reaches the body come first. Returns how many; `offsets` receives their places from the centre of mass,
// and `nearest` which of them is nearest to the middle.
static int tnSampleSurface(tnVoxelWorld* world, tnVoxelBody* body, const tnBounds* bounds, tnVoxelSample* samples,
	tnVec2* offsets, int* nearest)
{
	tnVec3 points[TN_BODY_SAMPLE_COUNT];
	tnVec2 all[TN_BODY_SAMPLE_COUNT];
	const tnVec3 p = body->pose.position;
	for (int i = 0; i < TN_BODY_SAMPLE_COUNT; ++i)
	{
		const float u = ((float)(i % TN_BODY_SAMPLES) + 0.5f) / (float)TN_BODY_SAMPLES;
		const float v = ((float)(i / TN_BODY_SAMPLES) + 0.5f) / (float)TN_BODY_SAMPLES;
		all[i].x = bounds->low.x + u * (bounds->high.x - bounds->low.x);
		all[i].z = bounds->low.z + v * (bounds->high.z - bounds->low.z);
		points[i] = (tnVec3){p.x + all[i].x, p.y, p.z + all[i].z};
	}
	if (!tnSampleVoxels(world, points, TN_BODY_SAMPLE_COUNT, samples))
	{
		body->isShort = true;
		return 0;
	}
	int count = 0;
	float distance = INFINITY;
	for (int i = 0; i < TN_BODY_SAMPLE_COUNT; ++i)
	{
		if (samples[i].depth > 0.0f && samples[i].level > p.y + bounds->low.y)
		{
			samples[count] = samples[i];
			offsets[count] = all[i];
			const float square = all[i].x * all[i].x + all[i].z * all[i].z;
			*nearest = square < distance ? count : *nearest;
			distance = tnMinFloat(square, distance);
			++count;
		}
	}
	return count;
}

// Mean velocity at the middle of what is submerged in each column.
static tnVec3 tnSampleVelocity(tnVoxelWorld* world, tnVoxelBody* body, const tnBounds* bounds,
	const tnVoxelSample* samples, const tnVec2* offsets, int count)
{
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

// False if no liquid reaches the body.
static bool tnFindSurface(tnVoxelWorld* world, tnVoxelBody* body, const tnBounds* bounds, tnSurfacePlane* plane)
{
	tnVoxelSample samples[TN_BODY_SAMPLE_COUNT];
	tnVec2 offsets[TN_BODY_SAMPLE_COUNT];
	int nearest = 0;
	const int count = tnSampleSurface(world, body, bounds, samples, offsets, &nearest);
	if (count == 0)
	{
		return false;
	}
	// Differences from the first: a level lake has none, to the last bit.
	double mean[3] = {0.0, 0.0, 0.0};
	for (int i = 0; i < count; ++i)
	{
		mean[0] += (double)offsets[i].x / count;
		mean[1] += (double)offsets[i].z / count;
		mean[2] += ((double)samples[i].level - (double)samples[0].level) / count;
	}
	double with[2] = {0.0, 0.0};
	double square[3] = {0.0, 0.0, 0.0};
	for (int i = 0; i < count; ++i)
	{
		const double x = (double)offsets[i].x - mean[0];
		const double z = (double)offsets[i].z - mean[1];
		const double h = (double)samples[i].level - (double)samples[0].level - mean[2];
		with[0] += x * h;
		with[1] += z * h;
		square[0] += x * x;
		square[1] += z * z;
		square[2] += x * z;
	}
	*plane = (tnSurfacePlane){.share = (float)count / (float)TN_BODY_SAMPLE_COUNT};
	tnFitSlopes(plane, with, square);
	plane->middle = (tnVec2){(float)mean[0], (float)mean[1]};
	plane->height = (float)((double)samples[0].level + mean[2] - (double)body->pose.position.y) -
		(plane->slopeX * plane->middle.x + plane->slopeZ * plane->middle.z);
	plane->velocity = tnSampleVelocity(world, body, bounds, samples, offsets, count);
	plane->probe = (tnVec3){
		body->pose.position.x + offsets[nearest].x, samples[nearest].level, body->pose.position.z + offsets[nearest].z};
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
	return tnLookUpVoxelBody(world, id, result);
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
		state->mode = tn_floatingBody;
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
