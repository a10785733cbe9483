// SPDX-License-Identifier: MIT

// Bodies take room from liquid. Seen from above a body has the columns of voxels whose middle it covers: a wall as thick as a
// voxel is tight, however it stands. Along the middle of each column the mesh says from where to where the body reaches, and
// it takes that share of each voxel, in the 255 parts of ground:
//
//   solid = min(ground + sum of the shares of all bodies, TN_VOXEL_ROCK),
//
// so that what it takes changes bit by bit while it rises and sinks. To the rules that is ground like any other. What the host
// calls ground is kept beside it, in a map of the voxels that are taken, and comes back when the body is gone.
//
// Liquid for which there is no room any more waits (voxel_waiting.c) at the nearest voxel beside the body, or above it where
// there is none; from there it finds a place in the next step. A body that moves takes the new room before it gives back the
// old, so that nothing is pushed through it.

#include "voxel_taken.h"

#include "../shapes/submerged_mesh.h"
#include "voxel_location.h"
#include "voxel_world.h"

#include <math.h>
#include <string.h>

// Most voxels that the box around a body may have, in its own axes, and most columns in any pose: 2^22 take 64 MiB.
#define TN_MAX_TAKEN (1 << 22)
// So far, in voxels, a body looks for a voxel beside it.
#define TN_PUSH_REACH 32
// What waits at the same voxel is put together, if it is among so many of the last.
#define TN_MERGE_REACH 64

// ---------------------------------------------------------------------------------------------------------------------
// Maps of places

static bool tnIsSamePlace(tnVoxel a, tnVoxel b)
{
	return a.x == b.x && a.y == b.y && a.z == b.z;
}

static int32_t tnGetSlot(const tnTakenMap* map, tnVoxel place)
{
	uint32_t hash = (uint32_t)place.x * 0x9e3779b1u ^ (uint32_t)place.y * 0x85ebca6bu ^ (uint32_t)place.z * 0xc2b2ae35u;
	hash ^= hash >> 15;
	return (int32_t)(hash & (uint32_t)(map->capacity - 1));
}

static tnTakenPlace* tnTakenMap_Find(const tnTakenMap* map, tnVoxel place)
{
	if (map->count == 0)
	{
		return NULL;
	}
	for (int32_t i = tnGetSlot(map, place); map->entries[i].share != 0; i = (i + 1) & (map->capacity - 1))
	{
		if (tnIsSamePlace(map->entries[i].place, place))
		{
			return map->entries + i;
		}
	}
	return NULL;
}

// The place must not be there, and there must be room. The entry counts once it has a share.
static tnTakenPlace* tnTakenMap_Add(tnTakenMap* map, tnVoxel place)
{
	int32_t i = tnGetSlot(map, place);
	while (map->entries[i].share != 0)
	{
		i = (i + 1) & (map->capacity - 1);
	}
	map->entries[i] = (tnTakenPlace){.place = place};
	map->count += 1;
	return map->entries + i;
}

// Those behind it move up, as far as they may.
static void tnTakenMap_Remove(tnTakenMap* map, tnTakenPlace* entry)
{
	const int32_t mask = map->capacity - 1;
	int32_t hole = (int32_t)(entry - map->entries);
	for (int32_t i = (hole + 1) & mask; map->entries[i].share != 0; i = (i + 1) & mask)
	{
		const int32_t home = tnGetSlot(map, map->entries[i].place);
		if (((i - home) & mask) >= ((i - hole) & mask))
		{
			map->entries[hole] = map->entries[i];
			hole = i;
		}
	}
	map->entries[hole] = (tnTakenPlace){0};
	map->count -= 1;
}

// Room for so many more, with one half of the entries empty.
static bool tnTakenMap_Reserve(tnTakenMap* map, tnMemory* memory, int32_t more)
{
	int32_t capacity = tnMaxInt(map->capacity, 64);
	while (capacity < 2 * (map->count + more))
	{
		capacity *= 2;
	}
	if (capacity == map->capacity)
	{
		return true;
	}
	tnTakenMap grown = {.capacity = capacity};
	grown.entries = tnMemory_Alloc(memory, (size_t)capacity * sizeof(tnTakenPlace));
	if (grown.entries == NULL)
	{
		return false;
	}
	for (int32_t i = 0; i < map->capacity; ++i)
	{
		if (map->entries[i].share != 0)
		{
			*tnTakenMap_Add(&grown, map->entries[i].place) = map->entries[i];
		}
	}
	tnTakenMap_Destroy(map, memory);
	*map = grown;
	return true;
}

void tnTakenMap_Destroy(tnTakenMap* map, tnMemory* memory)
{
	tnMemory_Free(memory, map->entries, (size_t)map->capacity * sizeof(tnTakenPlace));
	*map = (tnTakenMap){0};
}

// ---------------------------------------------------------------------------------------------------------------------
// What a body takes in a pose

void tnTakenScratch_Destroy(tnTakenScratch* scratch, tnMemory* memory)
{
	tnMemory_Free(memory, scratch->points, (size_t)scratch->pointCapacity * 3 * sizeof(double));
	tnMemory_Free(memory, scratch->turned, (size_t)scratch->pointCapacity * sizeof(tnVec3));
	tnMemory_Free(memory, scratch->starts, (size_t)scratch->startCapacity * sizeof(int32_t));
	tnMemory_Free(memory, scratch->crossings, (size_t)scratch->crossingCapacity * sizeof(tnMeshCrossing));
	tnMemory_Free(memory, scratch->voxels, (size_t)scratch->voxelCapacity * sizeof(tnTakenVoxel));
	*scratch = (tnTakenScratch){0};
}

// An array of at least so many.
static bool tnGrowArray(tnMemory* memory, void* array, int32_t* capacity, int64_t count, size_t size)
{
	if (count <= *capacity)
	{
		return true;
	}
	if (count > INT32_MAX / 2)
	{
		return false;
	}
	const int32_t wanted = tnMaxInt((int32_t)count, *capacity + *capacity / 2);
	void* old;
	memcpy(&old, array, sizeof(old));
	void* grown = tnMemory_Grow(memory, old, (size_t)*capacity * size, (size_t)wanted * size);
	if (grown == NULL)
	{
		return false;
	}
	memcpy(array, &grown, sizeof(grown));
	*capacity = wanted;
	return true;
}

// Size of the box around the mesh in its own axes, and the largest distance from its origin, in voxels.
static void tnMeasureMesh(const tnVoxelWorld* world, const tnMesh* mesh, double extents[3], double* reach)
{
	double low[3] = {INFINITY, INFINITY, INFINITY};
	double high[3] = {-INFINITY, -INFINITY, -INFINITY};
	double square = 0.0;
	for (int i = 0; i < mesh->pointCount; ++i)
	{
		const double p[3] = {(double)mesh->points[i].x, (double)mesh->points[i].y, (double)mesh->points[i].z};
		for (int axis = 0; axis < 3; ++axis)
		{
			low[axis] = p[axis] < low[axis] ? p[axis] : low[axis];
			high[axis] = p[axis] > high[axis] ? p[axis] : high[axis];
		}
		const double mine = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
		square = mine > square ? mine : square;
	}
	for (int axis = 0; axis < 3; ++axis)
	{
		extents[axis] = (high[axis] - low[axis]) / (double)world->def.voxelSize;
	}
	*reach = sqrt(square) / (double)world->def.voxelSize;
}

bool tnVoxelBody_MayBlock(const tnVoxelWorld* world, const tnVoxelBody* body)
{
	double extents[3];
	double reach;
	tnMeasureMesh(world, &body->mesh, extents, &reach);
	return (extents[0] + 2.0) * (extents[1] + 2.0) * (extents[2] + 2.0) <= TN_MAX_TAKEN &&
		(2.0 * reach + 2.0) * (2.0 * reach + 2.0) <= TN_MAX_TAKEN;
}

bool tnVoxelBody_IsWide(const tnVoxelWorld* world, const tnVoxelBody* body)
{
	// A box of one voxel is one, whatever is rounded.
	const double least = 1.0 - 1.0e-6;
	double extents[3];
	double reach;
	tnMeasureMesh(world, &body->mesh, extents, &reach);
	return extents[0] >= least && extents[1] >= least && extents[2] >= least;
}

// Columns of voxels whose middle is in the box around the body.
typedef struct tnColumnRange
{
	int32_t lowX, lowZ, countX, countZ;
} tnColumnRange;

// False where there can be no voxels.
static bool tnFindColumns(const tnTakenScratch* scratch, int pointCount, tnColumnRange* range)
{
	double low[2] = {INFINITY, INFINITY};
	double high[2] = {-INFINITY, -INFINITY};
	for (int i = 0; i < pointCount; ++i)
	{
		for (int axis = 0; axis < 2; ++axis)
		{
			const double p = scratch->points[3 * i + 2 * axis];
			low[axis] = p < low[axis] ? p : low[axis];
			high[axis] = p > high[axis] ? p : high[axis];
		}
	}
	int32_t first[2];
	int32_t count[2];
	for (int axis = 0; axis < 2; ++axis)
	{
		const double from = ceil(low[axis] - 0.5);
		const double to = floor(high[axis] - 0.5);
		if (!(from > -TN_MAX_VOXEL && to < TN_MAX_VOXEL - 1 && to >= from))
		{
			return false;
		}
		first[axis] = (int32_t)from;
		count[axis] = (int32_t)to - (int32_t)from + 1;
	}
	*range = (tnColumnRange){first[0], first[1], count[0], count[1]};
	return true;
}

// Does the line z = pz, from a point towards +x, meet an edge, seen from above? Edges have one order, so that both triangles
// at an edge find the same, and one end, so that those at a corner do.
static bool tnMeetsEdge(const double* a, const double* b, double px, double pz)
{
	const double* low = a[2] <= b[2] ? a : b;
	const double* high = a[2] <= b[2] ? b : a;
	if (!(low[2] <= pz && pz < high[2]))
	{
		return false;
	}
	return px < low[0] + (pz - low[2]) * ((high[0] - low[0]) / (high[2] - low[2]));
}

typedef void tnCrossingFcn(tnTakenScratch* scratch, int32_t column, const tnMeshCrossing* crossing);

static void tnCountCrossing(tnTakenScratch* scratch, int32_t column, const tnMeshCrossing* crossing)
{
	(void)crossing;
	scratch->starts[column + 1] += 1;
}

// Sorted from the bottom up: starts[column] is the end of those that are there.
static void tnKeepCrossing(tnTakenScratch* scratch, int32_t column, const tnMeshCrossing* crossing)
{
	scratch->crossings[scratch->starts[column]++] = *crossing;
}

// Calls fcn where the middles of columns meet a triangle.
static void tnCrossTriangle(
	tnTakenScratch* scratch, const tnColumnRange* range, const int32_t corners[3], tnCrossingFcn* fcn)
{
	const double* a = scratch->points + 3 * (size_t)corners[0];
	const double* b = scratch->points + 3 * (size_t)corners[1];
	const double* c = scratch->points + 3 * (size_t)corners[2];
	double low[3];
	double high[3];
	for (int axis = 0; axis < 3; ++axis)
	{
		low[axis] = a[axis] < b[axis] ? a[axis] : b[axis];
		low[axis] = c[axis] < low[axis] ? c[axis] : low[axis];
		high[axis] = a[axis] > b[axis] ? a[axis] : b[axis];
		high[axis] = c[axis] > high[axis] ? c[axis] : high[axis];
	}
	const double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
	const double v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
	const double normal[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
	const int32_t firstX = tnMaxInt((int32_t)ceil(low[0] - 0.5) - range->lowX, 0);
	const int32_t lastX = tnMinInt((int32_t)floor(high[0] - 0.5) - range->lowX, range->countX - 1);
	const int32_t firstZ = tnMaxInt((int32_t)ceil(low[2] - 0.5) - range->lowZ, 0);
	const int32_t lastZ = tnMinInt((int32_t)floor(high[2] - 0.5) - range->lowZ, range->countZ - 1);
	for (int32_t x = firstX; x <= lastX; ++x)
	{
		for (int32_t z = firstZ; z <= lastZ; ++z)
		{
			const double px = (double)(range->lowX + x) + 0.5;
			const double pz = (double)(range->lowZ + z) + 0.5;
			const bool isInside = (tnMeetsEdge(a, b, px, pz) != tnMeetsEdge(b, c, px, pz)) != tnMeetsEdge(c, a, px, pz);
			if (!isInside)
			{
				continue;
			}
			double height = a[1];
			if (normal[1] != 0.0)
			{
				height -= (normal[0] * (px - a[0]) + normal[2] * (pz - a[2])) / normal[1];
			}
			height = height < low[1] ? low[1] : (height > high[1] ? high[1] : height);
			const tnMeshCrossing crossing = {height, normal[1] < 0.0 ? 1 : -1};
			fcn(scratch, x * range->countZ + z, &crossing);
		}
	}
}

static void tnCrossAll(tnTakenScratch* scratch, const tnMesh* mesh, const tnColumnRange* range, tnCrossingFcn* fcn)
{
	for (int i = 0; i < mesh->triangleCount; ++i)
	{
		tnCrossTriangle(scratch, range, mesh->triangles + 3 * (size_t)i, fcn);
	}
}

static void tnSortCrossings(tnMeshCrossing* crossings, int32_t count)
{
	for (int32_t i = 1; i < count; ++i)
	{
		const tnMeshCrossing moved = crossings[i];
		int32_t j = i;
		// Into the body before out of it, where they are at one height.
		for (; j > 0 &&
			 (crossings[j - 1].height > moved.height ||
				 (crossings[j - 1].height == moved.height && crossings[j - 1].turn < moved.turn));
			 --j)
		{
			crossings[j] = crossings[j - 1];
		}
		crossings[j] = moved;
	}
}

static bool tnAddTakenVoxel(tnVoxelWorld* world, tnVoxel voxel, double part)
{
	tnTakenScratch* scratch = &world->bodies.scratch;
	const int32_t share = tnMinInt((int32_t)(part * TN_VOXEL_ROCK + 0.5), TN_VOXEL_ROCK);
	tnVoxelBlock* block;
	if (share == 0 ||
		tnVoxelStore_FindChunk(&world->store, (tnVoxel){voxel.x >> 4, voxel.y >> 4, voxel.z >> 4}, &block) == NULL)
	{
		return true;
	}
	if (!tnGrowArray(&world->memory, &scratch->voxels, &scratch->voxelCapacity, (int64_t)scratch->voxelCount + 1,
			sizeof(tnTakenVoxel)))
	{
		return false;
	}
	scratch->voxels[scratch->voxelCount++] = (tnTakenVoxel){voxel, share};
	return true;
}

// Voxels of a column, from crossings in order.
static bool tnTakeColumn(tnVoxelWorld* world, int32_t x, int32_t z, const tnMeshCrossing* crossings, int32_t count)
{
	int32_t winding = 0;
	double part = 0.0; // of the voxel at `at`, so far
	double at = -INFINITY;
	for (int32_t i = 0; i + 1 < count; ++i)
	{
		winding += crossings[i].turn;
		if (winding <= 0)
		{
			continue;
		}
		const double from = fmax(crossings[i].height, -TN_MAX_VOXEL);
		const double to = fmin(crossings[i + 1].height, TN_MAX_VOXEL);
		for (double y = floor(from); y < to; y += 1.0)
		{
			if (y > at)
			{
				if (part > 0.0 && !tnAddTakenVoxel(world, (tnVoxel){x, (int32_t)at, z}, part))
				{
					return false;
				}
				at = y;
				part = 0.0;
			}
			part += fmin(to, y + 1.0) - fmax(from, y);
		}
	}
	return !(part > 0.0) || tnAddTakenVoxel(world, (tnVoxel){x, (int32_t)at, z}, part);
}

// Fills scratch.voxels: by x, then z, then y. False without memory.
static bool tnFindTaken(tnVoxelWorld* world, const tnMesh* mesh, const tnPose* pose)
{
	tnMemory* memory = &world->memory;
	tnTakenScratch* scratch = &world->bodies.scratch;
	scratch->voxelCount = 0;
	int32_t pointCapacity = scratch->pointCapacity;
	if (!tnGrowArray(memory, &scratch->points, &pointCapacity, mesh->pointCount, 3 * sizeof(double)))
	{
		return false;
	}
	if (pointCapacity > scratch->pointCapacity)
	{
		tnVec3* turned = tnMemory_Grow(memory, scratch->turned, (size_t)scratch->pointCapacity * sizeof(tnVec3),
			(size_t)pointCapacity * sizeof(tnVec3));
		if (turned == NULL)
		{
			// As large as they were.
			tnMemory_Free(memory, scratch->points, (size_t)pointCapacity * 3 * sizeof(double));
			tnMemory_Free(memory, scratch->turned, (size_t)scratch->pointCapacity * sizeof(tnVec3));
			scratch->points = NULL;
			scratch->turned = NULL;
			scratch->pointCapacity = 0;
			return false;
		}
		scratch->turned = turned;
		scratch->pointCapacity = pointCapacity;
	}
	tnMesh_Turn(mesh, pose->rotation, scratch->turned);
	const double size = (double)world->def.voxelSize;
	for (int i = 0; i < mesh->pointCount; ++i)
	{
		scratch->points[3 * i] = ((double)pose->position.x + (double)scratch->turned[i].x) / size;
		scratch->points[3 * i + 1] = ((double)pose->position.y + (double)scratch->turned[i].y) / size;
		scratch->points[3 * i + 2] = ((double)pose->position.z + (double)scratch->turned[i].z) / size;
	}
	tnColumnRange range;
	if (!tnFindColumns(scratch, mesh->pointCount, &range))
	{
		return true;
	}
	const int64_t columnCount = (int64_t)range.countX * range.countZ;
	if (!tnGrowArray(memory, &scratch->starts, &scratch->startCapacity, columnCount + 2, sizeof(int32_t)))
	{
		return false;
	}
	memset(scratch->starts, 0, (size_t)(columnCount + 2) * sizeof(int32_t));
	tnCrossAll(scratch, mesh, &range, tnCountCrossing);
	int64_t sum = 0;
	for (int64_t i = 0; i <= columnCount; ++i)
	{
		sum += scratch->starts[i];
		scratch->starts[i] = (int32_t)sum;
	}
	if (!tnGrowArray(memory, &scratch->crossings, &scratch->crossingCapacity, sum, sizeof(tnMeshCrossing)))
	{
		return false;
	}
	// Each start moves on to the end of its own, which is the start of the next.
	tnCrossAll(scratch, mesh, &range, tnKeepCrossing);
	bool enough = true;
	for (int32_t i = 0; i < columnCount && enough; ++i)
	{
		const int32_t start = i > 0 ? scratch->starts[i - 1] : 0;
		const int32_t count = scratch->starts[i] - start;
		// Where nothing is crossed there may be no memory for it.
		tnMeshCrossing* crossings = count > 0 ? scratch->crossings + start : NULL;
		tnSortCrossings(crossings, count);
		enough = tnTakeColumn(world, range.lowX + i / range.countZ, range.lowZ + i % range.countZ, crossings, count);
	}
	return enough;
}

// ---------------------------------------------------------------------------------------------------------------------
// Ground with bodies

static tnVoxelSpot tnFindSpot(const tnVoxelWorld* world, tnVoxel at)
{
	tnVoxelSpot spot = {.index = tnGetChunkIndex((at.x >> 4) & 7, (at.y >> 4) & 7, (at.z >> 4) & 7),
		.voxel = (at.y & 15) * TN_LAYER + (at.z & 15) * TN_ROW + (at.x & 15)};
	spot.chunk = tnVoxelStore_FindChunk(&world->store, (tnVoxel){at.x >> 4, at.y >> 4, at.z >> 4}, &spot.block);
	return spot;
}

int32_t tnVoxelWorld_GetGround(const tnVoxelWorld* world, tnVoxel voxel, int32_t solid)
{
	const tnTakenPlace* entry = tnTakenMap_Find(&world->bodies.takenVoxels, voxel);
	return entry != NULL ? entry->ground : solid;
}

int32_t tnVoxelWorld_AddTaken(const tnVoxelWorld* world, tnVoxel voxel, int32_t ground)
{
	const tnTakenPlace* entry = tnTakenMap_Find(&world->bodies.takenVoxels, voxel);
	return entry != NULL ? tnMinInt(ground + entry->share, TN_VOXEL_ROCK) : ground;
}

int32_t tnVoxelWorld_SetGround(tnVoxelWorld* world, tnVoxel voxel, int32_t ground)
{
	tnTakenPlace* entry = tnTakenMap_Find(&world->bodies.takenVoxels, voxel);
	if (entry == NULL)
	{
		return ground;
	}
	entry->ground = ground;
	return tnMinInt(ground + entry->share, TN_VOXEL_ROCK);
}

bool tnVoxelWorld_CopyGround(const tnVoxelWorld* world, tnVoxel place, uint8_t* ground)
{
	tnVoxelBlock* block;
	const tnVoxelChunk* chunk = tnVoxelStore_FindChunk(&world->store, place, &block);
	bool isSame = true;
	for (int32_t i = 0; i < TN_CHUNK_VOXELS; ++i)
	{
		const tnVoxel voxel = {
			16 * place.x + i % TN_ROW, 16 * place.y + i / TN_LAYER, 16 * place.z + i / TN_ROW % TN_ROW};
		const int32_t solid = chunk->solid != NULL ? chunk->solid[i] : chunk->solidFill;
		ground[i] = (uint8_t)(solid != 0 ? tnVoxelWorld_GetGround(world, voxel, solid) : 0);
		isSame = isSame && ground[i] == ground[0];
	}
	return isSame;
}

bool tnVoxelWorld_IsTakenNear(const tnVoxelWorld* world, tnVoxel chunk)
{
	const tnTakenMap* map = &world->bodies.takenChunks;
	bool is = false;
	for (int i = 0; i < 27 && map->count > 0 && !is; ++i)
	{
		const tnVoxel place = {chunk.x + i % 3 - 1, chunk.y + i / 3 % 3 - 1, chunk.z + i / 9 - 1};
		is = tnTakenMap_Find(map, place) != NULL;
	}
	return is;
}

static bool tnIsTaken(const tnVoxelWorld* world, const tnVoxelSpot* spot, tnVoxel voxel)
{
	return spot->chunk->taken && tnTakenMap_Find(&world->bodies.takenVoxels, voxel) != NULL;
}

// ---------------------------------------------------------------------------------------------------------------------
// Pushing aside

// Where liquid of a voxel that was taken goes on from: the nearest voxel beside the body that has room, else the first above
// it, else the voxel itself.
static tnVoxel tnFindWayOut(const tnVoxelWorld* world, tnVoxel from)
{
	static const tnVoxel ways[5] = {{-1, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 0, -1}, {0, 1, 0}};
	// Voxels in the middle of a body are equally far from several: each of them begins with another.
	const int32_t first = (from.x + from.z + from.y) & 3;
	bool isClosed[5] = {false};
	for (int32_t step = 0; step < 2 * TN_PUSH_REACH; ++step)
	{
		const bool goesUp = step >= TN_PUSH_REACH;
		const int32_t distance = 1 + step % TN_PUSH_REACH;
		for (int32_t i = 0; i < (goesUp ? 1 : 4); ++i)
		{
			const int32_t way = goesUp ? 4 : (first + i) & 3;
			const tnVoxel voxel = {
				from.x + distance * ways[way].x, from.y + distance * ways[way].y, from.z + distance * ways[way].z};
			const tnVoxelSpot spot = isClosed[way] ? (tnVoxelSpot){0} : tnFindSpot(world, voxel);
			if (spot.chunk == NULL || tnIsTaken(world, &spot, voxel))
			{
				isClosed[way] = isClosed[way] || spot.chunk == NULL;
				continue;
			}
			if (tnGetRoom(&world->store, spot.chunk, spot.voxel) > 0)
			{
				return voxel;
			}
			isClosed[way] = true;
		}
	}
	return from;
}

// Entries of what waits from `first` on are those of a body: let them go on beside it.
static void tnPushAside(tnVoxelWorld* world, int32_t first)
{
	int32_t kept = first;
	for (int32_t i = first; i < world->waitingCount; ++i)
	{
		tnVoxelWaiting waiting = world->waiting[i];
		waiting.voxel = tnFindWayOut(world, waiting.voxel);
		int32_t same = tnMaxInt(first, kept - TN_MERGE_REACH);
		while (same < kept &&
			(world->waiting[same].liquid != waiting.liquid ||
				!tnIsSamePlace(world->waiting[same].voxel, waiting.voxel)))
		{
			++same;
		}
		if (same < kept)
		{
			world->waiting[same].amount += waiting.amount;
		}
		else
		{
			world->waiting[kept++] = waiting;
		}
	}
	world->waitingCount = kept;
}

// ---------------------------------------------------------------------------------------------------------------------
// Taking and giving back

static int tnCompareVoxels(tnVoxel a, tnVoxel b)
{
	if (a.x != b.x)
	{
		return a.x < b.x ? -1 : 1;
	}
	if (a.z != b.z)
	{
		return a.z < b.z ? -1 : 1;
	}
	return a.y == b.y ? 0 : (a.y < b.y ? -1 : 1);
}

// What a body takes of a voxel before and after: two lists side by side.
typedef struct tnTakenPair
{
	tnVoxel voxel;
	int32_t before, after;
} tnTakenPair;

typedef struct tnTakenWalk
{
	const tnTakenVoxel* before;
	const tnTakenVoxel* after;
	int32_t beforeCount, afterCount;
	int32_t i, j;
} tnTakenWalk;

static bool tnWalkOn(tnTakenWalk* walk, tnTakenPair* pair)
{
	const bool hasBefore = walk->i < walk->beforeCount;
	const bool hasAfter = walk->j < walk->afterCount;
	if (!hasBefore && !hasAfter)
	{
		return false;
	}
	int order = hasBefore ? -1 : 1;
	if (hasBefore && hasAfter)
	{
		order = tnCompareVoxels(walk->before[walk->i].voxel, walk->after[walk->j].voxel);
	}
	*pair = (tnTakenPair){.voxel = order <= 0 ? walk->before[walk->i].voxel : walk->after[walk->j].voxel};
	pair->before = order <= 0 ? walk->before[walk->i++].share : 0;
	pair->after = order >= 0 ? walk->after[walk->j++].share : 0;
	return true;
}

typedef struct tnTakenNeeds
{
	int32_t places, chunks, solidPages, liquidPages, waiting;
} tnTakenNeeds;

// What taking more will need, at most. Each chunk counts once: those that were counted are marked as selected, which nobody
// else is between steps.
static tnTakenNeeds tnCountTaken(const tnVoxelWorld* world, tnTakenWalk walk)
{
	tnTakenNeeds needs = {0};
	tnTakenPair pair;
	const tnTakenWalk start = walk;
	while (tnWalkOn(&walk, &pair))
	{
		if (pair.after <= pair.before)
		{
			continue;
		}
		const tnVoxelSpot spot = tnFindSpot(world, pair.voxel);
		needs.places += 1;
		needs.waiting += spot.chunk->kinds != 0 && tnGetWord(&world->store, spot.chunk, spot.voxel) != 0 ? 1 : 0;
		if (!spot.chunk->selected)
		{
			spot.chunk->selected = true;
			needs.chunks += 1;
			needs.solidPages += spot.chunk->solid == NULL ? 1 : 0;
			needs.liquidPages += spot.chunk->liquid == NULL && spot.chunk->liquidFill != 0 ? 1 : 0;
		}
	}
	walk = start;
	while (tnWalkOn(&walk, &pair))
	{
		if (pair.after > pair.before)
		{
			tnFindSpot(world, pair.voxel).chunk->selected = false;
		}
	}
	return needs;
}

static tnResult tnReserveTaken(tnVoxelWorld* world, const tnTakenNeeds* needs)
{
	tnVoxelStore* store = &world->store;
	tnMemory* memory = &world->memory;
	const int32_t used = store->liquidPages.usedCount;
	if (needs->liquidPages > 0 && needs->liquidPages > world->def.chunkLimit - used)
	{
		return tnFail(tn_outOfMemory, "body needs %d more chunks of liquid, chunkLimit is %d and %d are used",
			needs->liquidPages, world->def.chunkLimit, used);
	}
	const bool enough = tnTakenMap_Reserve(&world->bodies.takenVoxels, memory, needs->places) &&
		tnTakenMap_Reserve(&world->bodies.takenChunks, memory, needs->chunks) &&
		tnPagePool_Reserve(&store->solidPages, memory, needs->solidPages) &&
		tnPagePool_Reserve(&store->liquidPages, memory, needs->liquidPages) &&
		tnVoxelWorld_ReserveWaiting(world, needs->waiting);
	return enough ? tnSuccess() : tnFail(tn_outOfMemory, "body: out of memory for %d voxels", needs->places);
}

// Count voxels of a chunk that are taken.
static void tnCountInChunk(tnVoxelWorld* world, tnVoxelChunk* chunk, tnVoxel voxel, int32_t more)
{
	const tnVoxel place = {voxel.x >> 4, voxel.y >> 4, voxel.z >> 4};
	tnTakenMap* map = &world->bodies.takenChunks;
	tnTakenPlace* entry = tnTakenMap_Find(map, place);
	if (entry == NULL)
	{
		entry = tnTakenMap_Add(map, place);
	}
	entry->share += more;
	chunk->taken = entry->share > 0;
	if (entry->share == 0)
	{
		// An empty entry does not end a search before it is removed.
		entry->share = 1;
		tnTakenMap_Remove(map, entry);
	}
}

// The share of all bodies of a voxel changes. Returns what becomes of its ground.
static int32_t tnChangeShare(tnVoxelWorld* world, const tnVoxelSpot* spot, tnVoxel voxel, int32_t more)
{
	tnTakenMap* map = &world->bodies.takenVoxels;
	tnTakenPlace* entry = tnTakenMap_Find(map, voxel);
	if (entry == NULL)
	{
		entry = tnTakenMap_Add(map, voxel);
		entry->ground = spot->chunk->solid[spot->voxel];
		tnCountInChunk(world, spot->chunk, voxel, 1);
	}
	const int32_t share = entry->share + more;
	const int32_t solid = tnMinInt(entry->ground + share, TN_VOXEL_ROCK);
	if (share > 0)
	{
		entry->share = share;
	}
	else
	{
		tnTakenMap_Remove(map, entry);
		tnCountInChunk(world, spot->chunk, voxel, -1);
	}
	return solid;
}

static void tnWriteSolid(tnVoxelWriter* writer, const tnVoxelSpot* spot, int32_t solid)
{
	if (writer->block != spot->block || writer->chunk != spot->index)
	{
		tnVoxelWriter_Wake(writer);
		*writer = (tnVoxelWriter){.block = spot->block, .chunk = spot->index};
	}
	if (spot->chunk->solid[spot->voxel] != solid)
	{
		spot->chunk->solid[spot->voxel] = (uint8_t)solid;
		tnVoxelWriter_Note(writer, spot->voxel);
	}
}

// All must have been reserved.
static void tnTakeMore(tnVoxelWorld* world, tnTakenWalk walk)
{
	tnVoxelStore* store = &world->store;
	const int32_t first = world->waitingCount;
	tnVoxelWriter writer = {0};
	tnTakenPair pair;
	while (tnWalkOn(&walk, &pair))
	{
		if (pair.after <= pair.before)
		{
			continue;
		}
		const tnVoxelSpot spot = tnFindSpot(world, pair.voxel);
		tnVoxelStore_OpenSolid(store, spot.chunk);
		if (spot.chunk->liquidFill != 0)
		{
			(void)tnVoxelStore_OpenLiquid(store, spot.chunk);
		}
		const int32_t solid = tnChangeShare(world, &spot, pair.voxel, pair.after - pair.before);
		tnWriteSolid(&writer, &spot, solid);
		const uint16_t word = spot.chunk->liquid != NULL ? spot.chunk->liquid[spot.voxel] : 0;
		// Under pressure there may be more than fits.
		const int32_t most = store->rooms[solid] > 0 ? store->rooms[solid] + store->spare : 0;
		const int32_t over = tnGetAmount(word) - most;
		if (over > 0)
		{
			world->waiting[world->waitingCount++] = (tnVoxelWaiting){pair.voxel, tnGetKind(word), over};
			spot.chunk->liquid[spot.voxel] = tnPackLiquid(tnGetKind(word), most);
		}
	}
	tnVoxelWriter_Wake(&writer);
	tnPushAside(world, first);
}

static void tnGiveBack(tnVoxelWorld* world, tnTakenWalk walk)
{
	tnVoxelWriter writer = {0};
	tnTakenPair pair;
	while (tnWalkOn(&walk, &pair))
	{
		if (pair.after < pair.before)
		{
			const tnVoxelSpot spot = tnFindSpot(world, pair.voxel);
			const int32_t solid = tnChangeShare(world, &spot, pair.voxel, pair.after - pair.before);
			tnWriteSolid(&writer, &spot, solid);
			if (!spot.chunk->taken)
			{
				tnVoxelStore_CloseSolid(&world->store, spot.chunk);
			}
		}
	}
	tnVoxelWriter_Wake(&writer);
}

static bool tnIsSameTaken(const tnTakenWalk* walk)
{
	if (walk->beforeCount != walk->afterCount)
	{
		return false;
	}
	bool is = true;
	for (int32_t i = 0; i < walk->beforeCount && is; ++i)
	{
		is =
			walk->before[i].share == walk->after[i].share && tnIsSamePlace(walk->before[i].voxel, walk->after[i].voxel);
	}
	return is;
}

static void tnChangeTaken(tnVoxelWorld* world, const tnTakenWalk* walk)
{
	tnTakeMore(world, *walk);
	tnGiveBack(world, *walk);
	world->version += 1;
	world->groundVersion += 1;
}

tnResult tnVoxelBody_TakeRoom(tnVoxelWorld* world, tnVoxelBody* body, const tnPose* pose)
{
	tnTakenScratch* scratch = &world->bodies.scratch;
	if (!body->isBlocking)
	{
		return tnSuccess();
	}
	if (!tnFindTaken(world, &body->mesh, pose) ||
		!tnGrowArray(&world->memory, &body->taken, &body->takenCapacity, scratch->voxelCount, sizeof(tnTakenVoxel)))
	{
		return tnFail(tn_outOfMemory, "body: out of memory to find its voxels");
	}
	const tnTakenWalk walk = {.before = body->taken,
		.after = scratch->voxels,
		.beforeCount = body->takenCount,
		.afterCount = scratch->voxelCount};
	if (tnIsSameTaken(&walk))
	{
		body->isPending = false;
		return tnSuccess();
	}
	const tnTakenNeeds needs = tnCountTaken(world, walk);
	const tnResult result = tnReserveTaken(world, &needs);
	if (result.status == tn_ok)
	{
		tnChangeTaken(world, &walk);
		memcpy(body->taken, scratch->voxels, (size_t)scratch->voxelCount * sizeof(tnTakenVoxel));
		body->takenCount = scratch->voxelCount;
		body->isPending = false;
	}
	return result;
}

void tnVoxelBody_GiveRoom(tnVoxelWorld* world, tnVoxelBody* body)
{
	if (body->takenCount > 0)
	{
		tnChangeTaken(world, &(tnTakenWalk){.before = body->taken, .beforeCount = body->takenCount});
		body->takenCount = 0;
	}
}

static bool tnIsInBox(tnVoxelBox box, tnVoxel v)
{
	return v.x >= box.low.x && v.x < box.high.x && v.y >= box.low.y && v.y < box.high.y && v.z >= box.low.z &&
		v.z < box.high.z;
}

void tnVoxelWorld_ForgetTaken(tnVoxelWorld* world, tnVoxelBox box)
{
	tnVoxelBodies* bodies = &world->bodies;
	for (int i = 0; i < bodies->ids.slotCount && bodies->takenVoxels.count > 0; ++i)
	{
		tnVoxelBody* body = bodies->items + i;
		if (!tnIdPool_IsUsed(&bodies->ids, i))
		{
			continue;
		}
		int32_t kept = 0;
		for (int32_t j = 0; j < body->takenCount; ++j)
		{
			const tnTakenVoxel taken = body->taken[j];
			if (tnIsInBox(box, taken.voxel))
			{
				const tnVoxelSpot spot = tnFindSpot(world, taken.voxel);
				(void)tnChangeShare(world, &spot, taken.voxel, -taken.share);
				body->isPending = true;
				bodies->isPending = true;
			}
			else
			{
				body->taken[kept++] = taken;
			}
		}
		body->takenCount = kept;
	}
}

void tnVoxelWorld_LookAgain(tnVoxelWorld* world)
{
	tnVoxelBodies* bodies = &world->bodies;
	for (int i = 0; i < bodies->ids.slotCount; ++i)
	{
		if (tnIdPool_IsUsed(&bodies->ids, i) && bodies->items[i].isBlocking)
		{
			bodies->items[i].isPending = true;
			bodies->isPending = true;
		}
	}
}

tnResult tnVoxelWorld_TakePending(tnVoxelWorld* world)
{
	tnVoxelBodies* bodies = &world->bodies;
	tnResult result = tnSuccess();
	for (int i = 0; i < bodies->ids.slotCount && bodies->isPending && result.status == tn_ok; ++i)
	{
		tnVoxelBody* body = bodies->items + i;
		if (tnIdPool_IsUsed(&bodies->ids, i) && body->isPending)
		{
			result = tnVoxelBody_TakeRoom(world, body, &body->pose);
		}
	}
	bodies->isPending = bodies->isPending && result.status != tn_ok;
	return result;
}
