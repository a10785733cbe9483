// SPDX-License-Identifier: MIT

// A voxel world as one piece of bytes: its blocks, in the order of the store, and then its state, as voxel_save.h has them.

#include "../core/archive.h"
#include "tarn/snapshot.h"
#include "tarn/voxel_save.h"
#include "voxel_world.h"

// A block, or the state: its length, and what tnVoxelWorld_SaveBlock or tnVoxelWorld_SaveState make of it.
static void tnWritePiece(tnVoxelWorld* world, tnArchive* archive, const tnVoxel* place)
{
	size_t size = 0;
	tnResult result = place != NULL ? tnVoxelWorld_SaveBlock(world, *place, NULL, 0, &size)
									: tnVoxelWorld_SaveState(world, NULL, 0, &size);
	uint64_t length = size;
	tnArchive_U64(archive, &length);
	uint8_t* bytes = result.status == tn_ok ? tnArchive_Reserve(archive, size) : NULL;
	if (bytes != NULL)
	{
		result = place != NULL ? tnVoxelWorld_SaveBlock(world, *place, bytes, size, &size)
							   : tnVoxelWorld_SaveState(world, bytes, size, &size);
	}
	if (result.status != tn_ok)
	{
		archive->result = result;
	}
}

static const uint8_t* tnReadPiece(tnArchive* archive, size_t* size)
{
	uint64_t length = 0;
	tnArchive_U64(archive, &length);
	if (length > tnArchive_GetRest(archive))
	{
		tnArchive_Refuse(archive, "a block must not be longer than what is left, got %llu", (unsigned long long)length);
		return NULL;
	}
	*size = (size_t)length;
	return tnArchive_Take(archive, *size);
}

static void tnArchivePlace(tnVoxel* place, tnArchive* archive)
{
	int x = place->x, y = place->y, z = place->z;
	tnArchive_Int(archive, &x, INT32_MIN, INT32_MAX, "block.x");
	tnArchive_Int(archive, &y, INT32_MIN, INT32_MAX, "block.y");
	tnArchive_Int(archive, &z, INT32_MIN, INT32_MAX, "block.z");
	*place = (tnVoxel){x, y, z};
}

tnResult tnVoxelWorld_Save(tnVoxelWorld* world, void* bytes, size_t capacity, size_t* size)
{
	tnResult result = tnVoxelWorld_CheckReady(world);
	if (size != NULL)
	{
		*size = 0;
	}
	if (result.status == tn_ok && (size == NULL || (bytes == NULL && capacity > 0)))
	{
		result = tnFail(tn_invalidArgument, "%s must not be NULL", size == NULL ? "size" : "bytes");
	}
	if (result.status != tn_ok)
	{
		return result;
	}
	tnArchive archive = tnMakeArchiveWriter(bytes, capacity);
	tnArchive_Begin(&archive, tn_voxelSnapshot);
	tnArchive_BeginSection(&archive, "blck", 1);
	int count = world->store.blockCount;
	tnArchive_Int(&archive, &count, 0, INT32_MAX, "blocks");
	for (int i = 0; i < count && tnArchive_IsOk(&archive); ++i)
	{
		tnVoxel place = world->store.blocks[i]->place;
		tnArchivePlace(&place, &archive);
		tnWritePiece(world, &archive, &place);
	}
	tnArchive_EndSection(&archive);
	tnArchive_BeginSection(&archive, "stat", 1);
	tnWritePiece(world, &archive, NULL);
	tnArchive_EndSection(&archive);
	tnArchive_End(&archive, tn_voxelSnapshot);
	*size = archive.at;
	return archive.result;
}

// Fill a world that is empty. Whatever fails, it is the caller's to destroy it.
static tnResult tnFillFrom(tnVoxelWorld* world, const void* bytes, size_t size)
{
	tnArchive archive = tnMakeArchiveReader(bytes, size, false);
	tnArchive_Begin(&archive, tn_voxelSnapshot);
	tnResult result = archive.result;
	int count = 0;
	if (tnArchive_IsOk(&archive))
	{
		tnArchive_BeginSection(&archive, "blck", 1);
		tnArchive_Int(&archive, &count, 0, INT32_MAX, "blocks");
	}
	for (int i = 0; i < count && result.status == tn_ok && tnArchive_IsOk(&archive); ++i)
	{
		tnVoxel place = {0};
		size_t length = 0;
		tnArchivePlace(&place, &archive);
		const uint8_t* piece = tnReadPiece(&archive, &length);
		result = piece != NULL ? tnVoxelWorld_LoadBlockFrom(world, place, piece, length) : archive.result;
	}
	if (result.status == tn_ok && tnArchive_IsOk(&archive))
	{
		tnArchive_EndSection(&archive);
		size_t length = 0;
		tnArchive_BeginSection(&archive, "stat", 1);
		const uint8_t* piece = tnReadPiece(&archive, &length);
		result = piece != NULL ? tnVoxelWorld_LoadState(world, piece, length) : archive.result;
		tnArchive_EndSection(&archive);
		tnArchive_End(&archive, tn_voxelSnapshot);
	}
	return result.status == tn_ok ? archive.result : result;
}

tnResult tnCreateVoxelWorldFrom(const void* bytes, size_t size, const tnVoxelWorldDef* def, tnVoxelWorld** world)
{
	if (world == NULL)
	{
		return tnFail(tn_invalidArgument, "world must not be NULL");
	}
	*world = NULL;
	tnVoxelWorld* made = NULL;
	tnResult result = tnCreateVoxelWorld(def, &made);
	if (result.status != tn_ok)
	{
		return result;
	}
	result = tnFillFrom(made, bytes, size);
	if (result.status != tn_ok)
	{
		tnDestroyVoxelWorld(made);
		made = NULL;
	}
	*world = made;
	return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// In place: another world is made of the bytes, and the two change places. So nothing is changed by what is refused.

// The other one works on nothing: it needs no threads, but room for as many workers.
static void* tnRunInPlace(tnTaskFcn* task, void* taskContext, void* context)
{
	(void)context;
	task(taskContext);
	return NULL;
}

static void tnWaitForNothing(void* hostTask, void* context)
{
	(void)hostTask, (void)context;
}

// Everything but what belongs to the host.
static void tnSwapVoxels(tnVoxelWorld* world, tnVoxelWorld* other)
{
	const tnVoxelWorld old = *world;
	*world = *other;
	*other = old;
	tnParallel* parallel = world->parallel;
	world->parallel = old.parallel;
	other->parallel = parallel;
	other->def = world->def;
	other->errors = world->errors;
	world->def = old.def;
	world->errors = old.errors;
	world->background = old.background;
	other->background = NULL;
	world->bodies = old.bodies;
	other->bodies = (tnVoxelBodies){0};
	world->store.memory = &world->memory;
	other->store.memory = &other->memory;
	// What the two have together is what was asked for; who gave what back will show.
	other->memory = world->memory;
	other->memory.byteCount += old.memory.byteCount;
	world->memory = old.memory;
}

tnResult tnVoxelWorld_Restore(tnVoxelWorld* world, const void* bytes, size_t size)
{
	tnResult result = tnVoxelWorld_CheckReady(world);
	if (result.status != tn_ok)
	{
		return result;
	}
	tnVoxelWorldDef def = world->def;
	def.errors = (tnErrorHook){0};
	def.tasks = (tnTaskSystem){tnRunInPlace, tnWaitForNothing, NULL, tnParallel_GetWorkerCount(world->parallel)};
	const size_t used = world->memory.byteCount;
	if (def.memoryLimit > 0)
	{
		def.memoryLimit = def.memoryLimit > used ? def.memoryLimit - used : 1;
	}
	tnVoxelWorld* other = NULL;
	result = tnCreateVoxelWorldFrom(bytes, size, &def, &other);
	if (result.status != tn_ok)
	{
		return tnVoxelWorld_Report(world, result);
	}
	const int32_t end = TN_MAX_VOXEL;
	tnVoxelWorld_ForgetTaken(world, (tnVoxelBox){{-end, -end, -end}, {end, end, end}});
	tnIdPool_Outlive(&other->sourceIds, &world->sourceIds);
	tnSwapVoxels(world, other);
	world->memory.byteCount = tnVoxelWorld_Close(other);
	tnVoxelWorld_LookAgain(world);
	tnVoxelWorld_ShowAgain(world);
	return result;
}
