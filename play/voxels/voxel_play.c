// SPDX-License-Identifier: MIT

// A scene of voxels in the viewer: its run, its picture, and where the cursor points in it.

#include "voxels/voxel_play.h"

#include "viewer/loop.h"
#include "voxels/voxel_looks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Scenes

static tnsVoxelRun* tnpBeginRun(const tnsVoxelScene* scene, int workerCount, size_t memoryLimit, tnsResult* result)
{
	tnVoxelWorldDef hooks = tnDefaultVoxelWorldDef();
	hooks.tasks.workerCount = workerCount > 0 ? workerCount : 1;
	hooks.memoryLimit = memoryLimit;
	return tnsVoxelScene_BeginWith(scene, &hooks, result);
}

// The first liquid that glows, or that does not. 0: there is none.
static int tnpFindLiquid(const tnsVoxelSceneInfo* info, bool glows)
{
	for (int i = 0; i < info->worldDef.liquidCount; ++i)
	{
		const tnVec3 glow = info->liquids[i].glow;
		if ((glow.x + glow.y + glow.z > 0.0f) == glows)
		{
			return i + 1;
		}
	}
	return 0;
}

static tnVoxel tnpGetChunkCounts(const tnpVoxelPlay* voxels)
{
	const tnVoxelBox box = voxels->chunks;
	return (tnVoxel){box.high.x - box.low.x, box.high.y - box.low.y, box.high.z - box.low.z};
}

static bool tnpMakePending(tnpVoxelPlay* voxels)
{
	voxels->chunks = tnpMakeVoxelDef(voxels->info, tn_smoothMesh).chunks;
	const tnVoxel size = tnpGetChunkCounts(voxels);
	voxels->chunkCount = size.x * size.y * size.z;
	voxels->isPending = calloc((size_t)voxels->chunkCount, sizeof(bool));
	return voxels->isPending != NULL;
}

tnpVoxelPlay* tnpOpenVoxels(const char* path, int workerCount, size_t memoryLimit, tnsResult* result)
{
	tnsVoxelScene* scene = tnsLoadVoxelScene(path, result);
	tnsVoxelRun* run = scene != NULL ? tnpBeginRun(scene, workerCount, memoryLimit, result) : NULL;
	if (run == NULL)
	{
		tnsDestroyVoxelScene(scene);
		return NULL;
	}
	tnpVoxelPlay* voxels = calloc(1, sizeof(*voxels));
	if (voxels == NULL)
	{
		tnsDestroyVoxelRun(run);
		tnsDestroyVoxelScene(scene);
		*result = (tnsResult){.status = tns_outOfMemory, .text = "out of memory"};
		return NULL;
	}
	voxels->scene = scene;
	voxels->info = tnsVoxelScene_GetInfo(scene);
	voxels->run = run;
	voxels->world = tnsVoxelRun_GetWorld(run);
	voxels->workerCount = workerCount;
	voxels->pointed = -1;
	voxels->memoryLimit = memoryLimit;
	voxels->water = tnpFindLiquid(voxels->info, false);
	voxels->lava = tnpFindLiquid(voxels->info, true);
	if (tnpMakePending(voxels) == false)
	{
		tnpCloseVoxels(voxels);
		*result = (tnsResult){.status = tns_outOfMemory, .text = "out of memory"};
		return NULL;
	}
	return voxels;
}

void tnpCloseVoxels(tnpVoxelPlay* voxels)
{
	if (voxels != NULL)
	{
		tnsDestroyVoxelRun(voxels->run);
		tnsDestroyVoxelScene(voxels->scene);
		free(voxels->isPending);
		free(voxels);
	}
}

tnsResult tnpVoxels_Restart(tnpVoxelPlay* voxels)
{
	tnsResult result;
	tnsVoxelRun* run = tnpBeginRun(voxels->scene, voxels->workerCount, voxels->memoryLimit, &result);
	if (run != NULL)
	{
		tnsDestroyVoxelRun(voxels->run);
		voxels->run = run;
		voxels->world = tnsVoxelRun_GetWorld(run);
	}
	return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Asking

tnpStage tnpVoxels_GetStage(const tnpVoxelPlay* voxels)
{
	const float size = voxels->info->worldDef.voxelSize;
	const tnVoxelBox shown = voxels->info->clip;
	tnpStage stage = {.cellSize = size};
	stage.low = (tnVec3){size * (float)shown.low.x, size * (float)shown.low.y, size * (float)shown.low.z};
	stage.high = (tnVec3){size * (float)shown.high.x, size * (float)shown.high.y, size * (float)shown.high.z};
	stage.overview = tnpGetVoxelCamera(voxels->info);
	return stage;
}

float tnpVoxels_GetTop(const tnpVoxelPlay* voxels, tnVec2 place, float below)
{
	const float size = voxels->info->worldDef.voxelSize;
	const tnVoxel n = voxels->info->size;
	const int x = (int)fminf(fmaxf(place.x / size, 0.0f), (float)(n.x - 1));
	const int z = (int)fminf(fmaxf(place.z / size, 0.0f), (float)(n.z - 1));
	int y = (int)fminf(fmaxf(below / size, 0.0f), (float)n.y);
	while (y > 0)
	{
		const tnVoxelState state = tnVoxelWorld_GetVoxel(voxels->world, (tnVoxel){x, y - 1, z});
		if (state.solid > 0 || state.amount > 0)
		{
			break;
		}
		y -= 1;
	}
	return (float)y * size;
}

float tnpVoxels_GetTimeStep(const tnpVoxelPlay* voxels)
{
	return 1.0f / voxels->info->worldDef.stepRate;
}

double tnpVoxels_GetVolume(const tnpVoxelPlay* voxels, int liquid)
{
	const tnVoxelWorldDef* def = &voxels->info->worldDef;
	const tnVoxelLedger ledger = tnVoxelWorld_GetLedger(voxels->world, liquid);
	const double side = (double)def->voxelSize;
	return (double)(ledger.volume + ledger.waiting) * side * side * side / (double)def->cap;
}

int64_t tnpVoxels_GetDrift(const tnpVoxelPlay* voxels)
{
	int64_t drift = 0;
	for (int liquid = 1; liquid <= voxels->info->worldDef.liquidCount; ++liquid)
	{
		const int64_t part = tnVoxelWorld_GetLedger(voxels->world, liquid).drift;
		// What one has lost and another has gained is wrong twice.
		drift += part < 0 ? -part : part;
	}
	return drift;
}

// ---------------------------------------------------------------------------------------------------------------------
// The picture

static int tnpGetChunkIndex(const tnpVoxelPlay* voxels, tnVoxel chunk)
{
	const tnVoxel size = tnpGetChunkCounts(voxels), low = voxels->chunks.low;
	const int x = chunk.x - low.x, y = chunk.y - low.y, z = chunk.z - low.z;
	const bool inside = x >= 0 && y >= 0 && z >= 0 && x < size.x && y < size.y && z < size.z;
	return inside ? (z * size.y + y) * size.x + x : -1;
}

// Ask the world what has changed.
static void tnpTakeChanged(tnpVoxelPlay* voxels)
{
	enum
	{
		capacity = 256,
	};
	tnVoxel chunks[capacity];
	int count = capacity;
	while (count >= capacity)
	{
		count = tnVoxelWorld_TakeChanged(voxels->world, chunks, capacity);
		for (int i = 0; i < count && i < capacity; ++i)
		{
			const int index = tnpGetChunkIndex(voxels, chunks[i]);
			if (index >= 0 && voxels->isPending[index] == false)
			{
				voxels->isPending[index] = true;
				voxels->pendingCount += 1;
			}
		}
	}
}

tnrResult tnpVoxels_Show(tnpVoxelPlay* voxels, tnrRenderer* renderer)
{
	const tnrVoxelDef def = tnpMakeVoxelDef(voxels->info, tn_smoothMesh);
	const tnrResult result = tnrRenderer_SetVoxels(renderer, voxels->world, &def);
	// All of it has just been drawn.
	tnpTakeChanged(voxels);
	memset(voxels->isPending, 0, (size_t)voxels->chunkCount * sizeof(bool));
	voxels->pendingCount = 0;
	return result;
}

// The next few that have changed, from where the last call ended: no place is always the last.
static int tnpTakePending(tnpVoxelPlay* voxels, tnVoxel* chunks, int capacity)
{
	const tnVoxel size = tnpGetChunkCounts(voxels), low = voxels->chunks.low;
	int count = 0;
	for (int i = 0; i < voxels->chunkCount && count < capacity && voxels->pendingCount > 0; ++i)
	{
		const int index = voxels->nextChunk;
		voxels->nextChunk = (index + 1) % voxels->chunkCount;
		if (voxels->isPending[index])
		{
			voxels->isPending[index] = false;
			voxels->pendingCount -= 1;
			chunks[count++] =
				(tnVoxel){low.x + index % size.x, low.y + index / size.x % size.y, low.z + index / size.x / size.y};
		}
	}
	return count;
}

void tnpVoxels_CatchUp(tnpVoxelPlay* voxels, tnrRenderer* renderer, double seconds)
{
	const double begin = tnpGetClock();
	tnpShowVoxelBoxes(renderer, voxels->run, voxels->pointed);
	tnpTakeChanged(voxels);
	tnVoxel chunks[TNP_MESH_PORTION];
	do
	{
		const int count = tnpTakePending(voxels, chunks, TNP_MESH_PORTION);
		// Bodies move where nothing else does.
		tnrRenderer_UpdateVoxels(renderer, voxels->world, chunks, count);
	} while (voxels->pendingCount > 0 && tnpGetClock() - begin < seconds);
}

// ---------------------------------------------------------------------------------------------------------------------
// Picking

// A walk from voxel to voxel (Amanatides and Woo 1987), in voxels.
typedef struct tnpWalk
{
	double origin[3], direction[3];
	int32_t low[3], high[3], voxel[3];
	// Where the ray is in this voxel: from `from` to the least of `next`.
	double from, next[3];
	// The axis along which it came in, or -1: it began here.
	int axis;
} tnpWalk;

// Go to where the ray comes into the box. False if it does not.
static bool tnpBeginWalk(tnpWalk* walk)
{
	double from = 0.0, to = 1.0e30;
	walk->axis = -1;
	for (int i = 0; i < 3; ++i)
	{
		const double step = walk->direction[i], low = (double)walk->low[i] - walk->origin[i];
		const double high = (double)walk->high[i] - walk->origin[i];
		if (step == 0.0)
		{
			to = low <= 0.0 && high >= 0.0 ? to : -1.0;
			continue;
		}
		const double near = (step > 0.0 ? low : high) / step, far = (step > 0.0 ? high : low) / step;
		walk->axis = near > from ? i : walk->axis;
		from = fmax(from, near);
		to = fmin(to, far);
	}
	if (!(from < to))
	{
		return false;
	}
	walk->from = from;
	for (int i = 0; i < 3; ++i)
	{
		const double step = walk->direction[i];
		const double place = walk->origin[i] + from * step;
		const double inside = fmin(fmax(floor(place), (double)walk->low[i]), (double)(walk->high[i] - 1));
		walk->voxel[i] = (int32_t)inside;
		walk->next[i] = step == 0.0 ? 1.0e30 : (inside + (step > 0.0 ? 1.0 : 0.0) - walk->origin[i]) / step;
	}
	return true;
}

static int tnpGetNearestSide(const tnpWalk* walk)
{
	const int first = walk->next[0] < walk->next[1] ? 0 : 1;
	return walk->next[2] < walk->next[first] ? 2 : first;
}

// To the next voxel. False past the end of the box.
static bool tnpWalkOn(tnpWalk* walk)
{
	const int axis = tnpGetNearestSide(walk);
	const int32_t step = walk->direction[axis] > 0.0 ? 1 : -1;
	walk->from = walk->next[axis];
	walk->axis = axis;
	walk->voxel[axis] += step;
	walk->next[axis] += (double)step / walk->direction[axis];
	return walk->voxel[axis] >= walk->low[axis] && walk->voxel[axis] < walk->high[axis];
}

// How high a voxel is filled, 0 to 1, with what counts. Films are too thin to be meant.
static double tnpGetFilling(const tnpVoxelPlay* voxels, const tnpWalk* walk, bool liquid, bool* wet)
{
	const double film = 1.0 / 32.0;
	const tnVoxelState state =
		tnVoxelWorld_GetVoxel(voxels->world, (tnVoxel){walk->voxel[0], walk->voxel[1], walk->voxel[2]});
	const double ground = (double)state.solid / (double)TN_VOXEL_ROCK;
	const double share = (double)state.amount / (double)voxels->info->worldDef.cap;
	*wet = liquid && share > film;
	return fmin(1.0, ground + (*wet ? share : 0.0));
}

// Does the ray meet the filling of this voxel, by its top or by a side?
static bool tnpMeetFilling(const tnpWalk* walk, double filling, double* distance, bool* top)
{
	const double level = (double)walk->voxel[1] + filling;
	const double begin = walk->origin[1] + walk->from * walk->direction[1];
	const double to = walk->next[tnpGetNearestSide(walk)];
	const double end = walk->origin[1] + to * walk->direction[1];
	*distance = walk->from;
	*top = false;
	if (begin <= level)
	{
		return filling > 0.0;
	}
	*top = true;
	*distance = end < level ? (level - walk->origin[1]) / walk->direction[1] : to;
	return filling > 0.0 && end < level;
}

tnpVoxelHit tnpVoxels_Pick(const tnpVoxelPlay* voxels, tnVec3 origin, tnVec3 direction, bool liquid)
{
	const double size = (double)voxels->info->worldDef.voxelSize;
	const tnVoxelBox shown = voxels->info->clip;
	tnpVoxelHit hit = {0};
	tnpWalk walk = {.origin = {(double)origin.x / size, (double)origin.y / size, (double)origin.z / size},
		.direction = {(double)direction.x, (double)direction.y, (double)direction.z},
		.low = {shown.low.x, shown.low.y, shown.low.z},
		.high = {shown.high.x, shown.high.y, shown.high.z}};
	bool going = tnpBeginWalk(&walk);
	for (; going; going = tnpWalkOn(&walk))
	{
		double distance;
		bool top, wet;
		const double filling = tnpGetFilling(voxels, &walk, liquid, &wet);
		if (tnpMeetFilling(&walk, filling, &distance, &top) == false)
		{
			continue;
		}
		const float far = (float)(distance * size);
		float normal[3] = {0.0f, 0.0f, 0.0f};
		const int axis = top || walk.axis < 0 ? 1 : walk.axis;
		normal[axis] = top || walk.axis < 0 || walk.direction[axis] < 0.0 ? 1.0f : -1.0f;
		hit.hit = true;
		hit.liquid = wet && normal[1] > 0.0f;
		hit.point = (tnVec3){origin.x + far * direction.x, origin.y + far * direction.y, origin.z + far * direction.z};
		hit.normal = (tnVec3){normal[0], normal[1], normal[2]};
		break;
	}
	return hit;
}
