// SPDX-License-Identifier: MIT

#include "tarn/voxel_flow.h"

#include "voxel_components.h"
#include "voxel_current.h"
#include "voxel_flow.h"

#include <stdio.h>

// What liquid is at points. Heights are in units, y * cap + units above the bottom of voxel y, until they are told.

// ---------------------------------------------------------------------------------------------------------------------
// Columns of voxels

// A voxel of a column that is being walked along.
typedef struct tnColumnVoxel
{
	tnVoxelSpot spot;
	int64_t y; // in the world
	int32_t amount;
	int32_t room; // 0: rock, or not loaded
} tnColumnVoxel;

static tnColumnVoxel tnReadColumn(const tnVoxelStore* store, const tnVoxelSpot* spot, int64_t y)
{
	const bool isLoaded = spot->chunk != NULL;
	return (tnColumnVoxel){
		*spot, y, isLoaded ? tnGetAmount(spot->word) : 0, isLoaded ? tnGetRoom(store, spot->chunk, spot->voxel) : 0};
}

static tnColumnVoxel tnGetVertical(const tnVoxelStore* store, const tnColumnVoxel* from, bool up)
{
	const tnVoxelSpot spot = tnGetNext(store, &from->spot, 1, up);
	return tnReadColumn(store, &spot, from->y + (up ? 1 : -1));
}

// The last voxel of the same chunk on the way, where all of the chunk is the same: nothing but air, or full.
static void tnSkipAlike(const tnVoxelStore* store, tnColumnVoxel* voxel, bool up)
{
	const tnVoxelChunk* chunk = voxel->spot.chunk;
	if (chunk->liquid == NULL && chunk->solid == NULL && store->rooms[chunk->solidFill] == store->cap)
	{
		const int32_t layer = voxel->spot.voxel / TN_LAYER;
		const int32_t last = up ? TN_VOXEL_CHUNK - 1 : 0;
		voxel->y += last - layer;
		voxel->spot.voxel += (last - layer) * TN_LAYER;
	}
}

// Height of the ground of a voxel.
static int64_t tnGetGround(const tnVoxelStore* store, const tnColumnVoxel* voxel)
{
	return (voxel->y + 1) * store->cap - voxel->room;
}

static int64_t tnGetTop(const tnVoxelStore* store, const tnColumnVoxel* voxel)
{
	return tnGetGround(store, voxel) + voxel->amount;
}

// From a voxel with liquid up to the one with its surface. True if there is a roof above that: rock, or ground that is dry.
static bool tnClimbToSurface(const tnVoxelStore* store, tnColumnVoxel* voxel)
{
	while (voxel->amount == voxel->room)
	{
		tnSkipAlike(store, voxel, true);
		const tnColumnVoxel above = tnGetVertical(store, voxel, true);
		if (above.amount == 0)
		{
			return above.room < store->cap;
		}
		*voxel = above;
	}
	return false;
}

// From air down to the first voxel that has ground or liquid, or to the last one of air above rock.
static void tnFallToSurface(const tnVoxelStore* store, tnColumnVoxel* voxel)
{
	while (voxel->amount == 0 && voxel->room == store->cap)
	{
		tnSkipAlike(store, voxel, false);
		const tnColumnVoxel below = tnGetVertical(store, voxel, false);
		if (below.room == 0)
		{
			return;
		}
		*voxel = below;
	}
}

// Liquid from the surface down to ground or air, in units.
static int64_t tnMeasureDepth(const tnVoxelStore* store, tnColumnVoxel voxel)
{
	int64_t depth = voxel.amount;
	while (voxel.room == store->cap && voxel.amount > 0)
	{
		const int64_t before = voxel.y;
		tnSkipAlike(store, &voxel, false);
		depth += (before - voxel.y) * store->cap;
		voxel = tnGetVertical(store, &voxel, false);
		// Where there is room left, what is above it falls.
		depth += voxel.amount == voxel.room ? voxel.amount : 0;
		voxel.amount = voxel.amount == voxel.room ? voxel.amount : 0;
	}
	return depth;
}

// The component of a voxel with liquid. NULL if there is none, if it has no surface, or if that is not known now.
static const tnVoxelPart* tnFindSampleComponent(const tnVoxelWorld* world, const tnColumnVoxel* voxel)
{
	const tnVoxelStore* store = &world->store;
	const tnVoxelChunk* chunk = voxel->spot.chunk;
	const int32_t label = world->componentsKnown ? tnGetLabel(store, chunk, voxel->spot.voxel) : 0;
	if (label < 1 || label > chunk->partCount || chunk->parts[label - 1].kind != tnGetKind(voxel->spot.word))
	{
		return NULL;
	}
	// It may have begun to fall since.
	const tnColumnVoxel below = tnGetVertical(store, voxel, false);
	const bool falls =
		below.room > below.amount && (below.amount == 0 || tnGetKind(below.spot.word) == tnGetKind(voxel->spot.word));
	const tnVoxelPart* component = falls ? NULL : tnFindComponent(chunk->parts + label - 1);
	return component != NULL && component->allSurfaces > 0 ? component : NULL;
}

// ---------------------------------------------------------------------------------------------------------------------
// Points

typedef struct tnVoxelPoint
{
	tnVoxel voxel;
	double height; // above the bottom of the voxel, in voxels
} tnVoxelPoint;

static bool tnFindPoint(const tnVoxelWorld* world, tnVec3 point, tnVoxelPoint* found, int* badAxis)
{
	const float values[3] = {point.x, point.y, point.z};
	int32_t voxel[3];
	for (int i = 0; i < 3; ++i)
	{
		const double value = (double)values[i] / (double)world->def.voxelSize;
		if (!(value >= -TN_MAX_VOXEL && value < TN_MAX_VOXEL))
		{
			*badAxis = i;
			return false;
		}
		voxel[i] = (int32_t)value;
		voxel[i] -= (double)voxel[i] > value ? 1 : 0;
		found->height = i == 1 ? value - voxel[i] : found->height;
	}
	found->voxel = (tnVoxel){voxel[0], voxel[1], voxel[2]};
	return true;
}

static tnVoxelSample tnSampleAt(tnVoxelWorld* world, const tnVoxelPoint* point)
{
	const tnVoxelStore* store = &world->store;
	const tnVoxel at = point->voxel;
	tnVoxelSample sample = {0};
	tnVoxelSpot spot = {.index = tnGetChunkIndex((at.x >> 4) & 7, (at.y >> 4) & 7, (at.z >> 4) & 7),
		.voxel = (at.y & 15) * TN_LAYER + (at.z & 15) * TN_ROW + (at.x & 15)};
	spot.chunk = tnVoxelStore_FindChunk(store, (tnVoxel){at.x >> 4, at.y >> 4, at.z >> 4}, &spot.block);
	if (spot.chunk == NULL)
	{
		return sample;
	}
	spot.word = tnGetWord(store, spot.chunk, spot.voxel);
	tnColumnVoxel voxel = tnReadColumn(store, &spot, at.y);
	const double height = point->height * store->cap;
	sample.loaded = true;
	sample.inLiquid = voxel.amount > 0 && height >= store->cap - voxel.room &&
		(voxel.amount == voxel.room || height < store->cap - voxel.room + voxel.amount);
	sample.liquid = sample.inLiquid ? (uint8_t)tnGetKind(spot.word) : 0;
	tnFallToSurface(store, &voxel);
	const tnVoxelPart* component = voxel.amount > 0 ? tnFindSampleComponent(world, &voxel) : NULL;
	if (voxel.amount > 0)
	{
		double velocity[3];
		const double speed = (double)world->def.voxelSize * (double)world->def.stepRate;
		tnGetVoxelVelocity(world, &voxel.spot, velocity);
		sample.velocity =
			(tnVec3){(float)(velocity[0] * speed), (float)(velocity[1] * speed), (float)(velocity[2] * speed)};
	}
	const bool isRoofed = voxel.amount > 0 && tnClimbToSurface(store, &voxel);
	const double meters = (double)world->def.voxelSize / store->cap;
	const double top = (double)tnGetTop(store, &voxel);
	const double head = component != NULL ? (double)component->allLevels / component->allSurfaces : top;
	sample.level = (float)((isRoofed && head > top ? head : top) * meters);
	sample.head = (float)(head * meters);
	sample.depth = (float)((double)tnMeasureDepth(store, voxel) * meters);
	return sample;
}

static tnResult tnRefusePoint(const tnVoxelWorld* world, const char* name, tnVec3 point, int axis)
{
	const float values[3] = {point.x, point.y, point.z};
	const double limit = TN_MAX_VOXEL * (double)world->def.voxelSize;
	return tnVoxelWorld_Report(world,
		tnFail(tn_invalidArgument, "%s.%c must be in [%g, %g), got %g", name, "xyz"[axis], -limit, limit,
			(double)values[axis]));
}

bool tnSampleVoxels(tnVoxelWorld* world, const tnVec3* points, int count, tnVoxelSample* samples)
{
	world->flow->isShort = false;
	for (int i = 0; i < count; ++i)
	{
		tnVoxelPoint found = {0};
		int axis = 0;
		if (tnFindPoint(world, points[i], &found, &axis))
		{
			samples[i] = tnSampleAt(world, &found);
		}
	}
	return !world->flow->isShort;
}

// Velocities would be those of a world in which levels and jets move nothing.
static tnResult tnRefuseCurrents(const tnVoxelWorld* world)
{
	return tnVoxelWorld_Report(world, tnFail(tn_outOfMemory, "sample: out of memory for currents"));
}

tnResult tnVoxelWorld_Sample(tnVoxelWorld* world, tnVec3 point, tnVoxelSample* sample)
{
	const tnResult ready = tnVoxelWorld_CheckReady(world);
	if (ready.status != tn_ok)
	{
		return ready;
	}
	if (sample == NULL)
	{
		return tnVoxelWorld_Report(world, tnFail(tn_invalidArgument, "sample must not be NULL"));
	}
	tnVoxelPoint found = {0};
	int axis = 0;
	if (!tnFindPoint(world, point, &found, &axis))
	{
		return tnRefusePoint(world, "point", point, axis);
	}
	tnVoxelSample result;
	if (!tnSampleVoxels(world, &point, 1, &result))
	{
		return tnRefuseCurrents(world);
	}
	*sample = result;
	return ready;
}

tnResult tnVoxelWorld_SampleMany(tnVoxelWorld* world, const tnVec3* points, int count, tnVoxelSample* samples)
{
	const tnResult ready = tnVoxelWorld_CheckReady(world);
	if (ready.status != tn_ok)
	{
		return ready;
	}
	if (count < 0)
	{
		return tnVoxelWorld_Report(world, tnFail(tn_invalidArgument, "count must be >= 0, got %d", count));
	}
	if (count > 0 && (points == NULL || samples == NULL))
	{
		return tnVoxelWorld_Report(world,
			tnFail(tn_invalidArgument, "%s must not be NULL for a count of %d", points == NULL ? "points" : "samples",
				count));
	}
	for (int i = 0; i < count; ++i)
	{
		tnVoxelPoint found = {0};
		int axis = 0;
		if (!tnFindPoint(world, points[i], &found, &axis))
		{
			char name[32];
			(void)snprintf(name, sizeof(name), "points[%d]", i);
			return tnRefusePoint(world, name, points[i], axis);
		}
	}
	return tnSampleVoxels(world, points, count, samples) ? ready : tnRefuseCurrents(world);
}
