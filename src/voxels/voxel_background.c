// SPDX-License-Identifier: MIT

// A step beside the host. Before it begins, what hosts can ask for goes into a second world, chunk by chunk where something has
// changed since the last time. Queries read that one while the first is stepped by a thread: they need no lock, and there may be any
// number of them. It has voxels and what bodies feel, and nothing that moves: no parts, no jets, no sources.

#include "voxel_background.h"

#include <string.h>

static tnResult tnMissMemory(const tnMemory* memory)
{
	char text[TN_MEMORY_TEXT];
	tnMemory_Explain(memory, 0, text);
	return tnFail(tn_outOfMemory, "out of memory to step in the background: %s", text);
}

// ---------------------------------------------------------------------------------------------------------------------
// Showing

static void tnShowLiquid(tnVoxelStore* store, tnVoxelChunk* shown, const tnVoxelChunk* chunk)
{
	if (chunk->liquid != NULL)
	{
		shown->liquid = shown->liquid != NULL ? shown->liquid : tnPagePool_Take(&store->liquidPages);
		memcpy(shown->liquid, chunk->liquid, TN_CHUNK_VOXELS * sizeof(uint16_t));
	}
	else if (shown->liquid != NULL)
	{
		tnPagePool_Give(&store->liquidPages, shown->liquid);
		shown->liquid = NULL;
	}
	shown->liquidFill = chunk->liquidFill;
}

static void tnShowSolid(tnVoxelStore* store, tnVoxelChunk* shown, const tnVoxelChunk* chunk)
{
	if (chunk->solid != NULL)
	{
		shown->solid = shown->solid != NULL ? shown->solid : tnPagePool_Take(&store->solidPages);
		memcpy(shown->solid, chunk->solid, TN_CHUNK_VOXELS);
	}
	else if (shown->solid != NULL)
	{
		tnPagePool_Give(&store->solidPages, shown->solid);
		shown->solid = NULL;
	}
	shown->solidFill = chunk->solidFill;
}

// Pages that were given back, because all in them is the same, are no change to a host; but hashes know.
static bool tnMustShow(const tnVoxelChunk* shown, const tnVoxelChunk* chunk)
{
	return chunk->unshown || (chunk->liquid == NULL) != (shown->liquid == NULL) ||
		(chunk->solid == NULL) != (shown->solid == NULL) || chunk->liquidFill != shown->liquidFill ||
		chunk->solidFill != shown->solidFill;
}

static bool tnShowBlock(tnVoxelStore* store, tnVoxelBlock* block)
{
	tnVoxelBlock* shown = tnVoxelStore_FindBlock(store, block->place);
	if (shown == NULL)
	{
		shown = tnVoxelStore_AddBlock(store, block->place);
		for (int32_t i = 0; i < TN_BLOCK_CHUNKS; ++i)
		{
			block->chunks[i].unshown = true;
		}
	}
	int32_t liquid = 0, solid = 0;
	for (int32_t i = 0; i < TN_BLOCK_CHUNKS && shown != NULL; ++i)
	{
		const tnVoxelChunk* chunk = block->chunks + i;
		const bool must = tnMustShow(shown->chunks + i, chunk);
		liquid += must && chunk->liquid != NULL && shown->chunks[i].liquid == NULL ? 1 : 0;
		solid += must && chunk->solid != NULL && shown->chunks[i].solid == NULL ? 1 : 0;
	}
	if (shown == NULL || !tnPagePool_Reserve(&store->liquidPages, store->memory, liquid) ||
		!tnPagePool_Reserve(&store->solidPages, store->memory, solid))
	{
		return false;
	}
	for (int32_t i = 0; i < TN_BLOCK_CHUNKS; ++i)
	{
		tnVoxelChunk* chunk = block->chunks + i;
		tnVoxelChunk* target = shown->chunks + i;
		target->layers = chunk->layers;
		target->kinds = chunk->kinds;
		target->taken = chunk->taken;
		if (tnMustShow(target, chunk))
		{
			tnShowLiquid(store, target, chunk);
			tnShowSolid(store, target, chunk);
			chunk->unshown = false;
		}
	}
	return true;
}

static bool tnShowBlocks(tnVoxelWorld* world, tnVoxelStore* store)
{
	for (int32_t i = store->blockCount - 1; i >= 0; --i)
	{
		if (tnVoxelStore_FindBlock(&world->store, store->blocks[i]->place) == NULL)
		{
			tnVoxelStore_RemoveBlock(store, store->blocks[i]);
		}
	}
	bool ok = true;
	for (int32_t i = 0; i < world->store.blockCount && ok; ++i)
	{
		ok = tnShowBlock(store, world->store.blocks[i]);
	}
	return ok;
}

// An array that is at least so large, with anything in it.
static bool tnMakeRoom(tnMemory* memory, void** block, size_t* capacity, size_t bytes)
{
	if (bytes > *capacity)
	{
		void* larger = tnMemory_AllocDirty(memory, bytes + bytes / 4);
		if (larger == NULL)
		{
			return false;
		}
		tnMemory_Free(memory, *block, *capacity);
		*block = larger;
		*capacity = bytes + bytes / 4;
	}
	return true;
}

// Meshes of bodies and who they are do not change in a step; what they feel and take does.
static bool tnShowBodies(tnVoxelWorld* world, tnVoxelBackground* background)
{
	const tnVoxelBodies* from = &world->bodies;
	const size_t itemBytes = (size_t)from->ids.slotCount * sizeof(tnVoxelBody);
	const size_t voxelBytes = (size_t)from->takenVoxels.capacity * sizeof(tnTakenPlace);
	const size_t chunkBytes = (size_t)from->takenChunks.capacity * sizeof(tnTakenPlace);
	size_t pointBytes = 0;
	for (int i = 0; i < from->ids.slotCount; ++i)
	{
		pointBytes += tnIdPool_IsUsed(&from->ids, i) ? (size_t)from->items[i].mesh.pointCount * sizeof(tnVec3) : 0;
	}
	if (!tnMakeRoom(&world->memory, &background->bytes, &background->byteCapacity,
			itemBytes + voxelBytes + chunkBytes + pointBytes))
	{
		return false;
	}
	// In the order of what they must be aligned to.
	uint8_t* next = background->bytes;
	tnVoxelBodies* to = &background->shown->bodies;
	*to = (tnVoxelBodies){.ids = from->ids, .takenVoxels = from->takenVoxels, .takenChunks = from->takenChunks};
	if (itemBytes > 0)
	{
		to->items = memcpy(next, from->items, itemBytes);
		next += itemBytes;
	}
	if (voxelBytes > 0)
	{
		to->takenVoxels.entries = memcpy(next, from->takenVoxels.entries, voxelBytes);
		next += voxelBytes;
	}
	if (chunkBytes > 0)
	{
		to->takenChunks.entries = memcpy(next, from->takenChunks.entries, chunkBytes);
		next += chunkBytes;
	}
	for (int i = 0; i < from->ids.slotCount; ++i)
	{
		if (tnIdPool_IsUsed(&from->ids, i))
		{
			const size_t bytes = (size_t)from->items[i].mesh.pointCount * sizeof(tnVec3);
			to->items[i].points = memcpy(next, from->items[i].points, bytes);
			next += bytes;
		}
	}
	return true;
}

// Make the second world what the first one is.
static tnResult tnShow(tnVoxelWorld* world)
{
	tnVoxelBackground* background = world->background;
	tnVoxelWorld* shown = background->shown;
	if (world->def.memoryLimit > 0)
	{
		const size_t used = world->memory.byteCount;
		shown->memory.byteLimit = world->def.memoryLimit > used ? world->def.memoryLimit - used : 1;
	}
	if (!tnShowBlocks(world, &shown->store))
	{
		return tnMissMemory(&shown->memory);
	}
	if (!tnShowBodies(world, background))
	{
		return tnMissMemory(&world->memory);
	}
	shown->stepCount = world->stepCount;
	memcpy(shown->ledgers, world->ledgers, sizeof(shown->ledgers));
	for (int32_t liquid = 1; liquid <= world->def.liquidCount; ++liquid)
	{
		background->waiting[liquid] = tnVoxelWorld_CountWaiting(world, liquid);
	}
	background->stats = tnVoxelWorld_GetStats(world);
	background->rests = tnVoxelWorld_IsAtRest(world);
	return tnSuccess();
}

// ---------------------------------------------------------------------------------------------------------------------
// Life

static tnResult tnOpenBackground(tnVoxelWorld* world)
{
	tnMemory* memory = &world->memory;
	tnVoxelBackground* background = tnMemory_Alloc(memory, sizeof(tnVoxelBackground));
	if (background == NULL)
	{
		return tnMissMemory(memory);
	}
	world->background = background;
	background->thread = tnCreateSideThread(memory);
	tnResult result = background->thread != NULL ? tnSuccess() : tnMissMemory(memory);
	tnVoxelWorldDef def = world->def;
	def.tasks = (tnTaskSystem){.workerCount = 1};
	// What it is refused is told by the first world.
	def.errors = (tnErrorHook){0};
	// It never steps.
	def.chunkLimit = 1;
	def.chunkReserve = 0;
	if (def.memoryLimit > 0)
	{
		def.memoryLimit = def.memoryLimit > memory->byteCount ? def.memoryLimit - memory->byteCount : 1;
	}
	result = result.status == tn_ok ? tnCreateVoxelWorld(&def, &background->shown) : result;
	if (result.status == tn_ok)
	{
		background->shown->errors = world->errors;
	}
	else
	{
		tnVoxelWorld_EndBackground(world);
	}
	return result;
}

void tnVoxelWorld_EndBackground(tnVoxelWorld* world)
{
	tnVoxelBackground* background = world->background;
	if (background == NULL)
	{
		return;
	}
	tnMemory* memory = &world->memory;
	tnDestroySideThread(background->thread, memory);
	if (background->shown != NULL)
	{
		// Not its own.
		background->shown->bodies = (tnVoxelBodies){0};
		tnDestroyVoxelWorld(background->shown);
	}
	tnMemory_Free(memory, background->bytes, background->byteCapacity);
	tnMemory_Free(memory, background, sizeof(tnVoxelBackground));
	world->background = NULL;
}

const tnVoxelWorld* tnVoxelWorld_GetShown(const tnVoxelWorld* world)
{
	return tnVoxelWorld_IsStepRunning(world) ? world->background->shown : world;
}

void tnVoxelWorld_ShowAgain(tnVoxelWorld* world)
{
	for (int32_t i = 0; i < world->store.blockCount; ++i)
	{
		for (int32_t k = 0; k < TN_BLOCK_CHUNKS; ++k)
		{
			world->store.blocks[i]->chunks[k].unshown = true;
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// What a host calls

static void tnStepBeside(void* context)
{
	tnVoxelWorld* world = context;
	world->background->result = tnVoxelWorld_StepNow(world, world->background->workLimit);
}

tnResult tnVoxelWorld_BeginStep(tnVoxelWorld* world, int64_t workLimit)
{
	tnResult result = tnVoxelWorld_CheckReady(world);
	if (result.status != tn_ok)
	{
		return result;
	}
	result = tnCheckWorkLimit(workLimit);
	if (result.status == tn_ok && world->background == NULL)
	{
		result = tnOpenBackground(world);
	}
	result = result.status == tn_ok ? tnShow(world) : result;
	if (result.status == tn_ok)
	{
		tnVoxelBackground* background = world->background;
		background->workLimit = workLimit;
		background->running = true;
		tnSideThread_Start(background->thread, tnStepBeside, world);
	}
	return tnVoxelWorld_Report(world, result);
}

tnResult tnVoxelWorld_EndStep(tnVoxelWorld* world)
{
	tnResult result = world == NULL ? tnFail(tn_invalidArgument, "world must not be NULL") : tnSuccess();
	if (result.status == tn_ok && !tnVoxelWorld_IsStepRunning(world))
	{
		result = tnFail(tn_notAvailable, "no step is running: call tnVoxelWorld_BeginStep first");
	}
	if (result.status == tn_ok && !tnSideThread_MayWait(world->background->thread))
	{
		// A task that waits for the step that waits for it.
		result = tnFail(tn_notAvailable,
			"world is stepping in the background: only the thread that called tnVoxelWorld_BeginStep may end this, and "
			"no task");
	}
	if (result.status == tn_ok)
	{
		tnSideThread_Wait(world->background->thread);
		world->background->running = false;
		result = world->background->result;
	}
	return tnVoxelWorld_Report(world, result);
}

bool tnVoxelWorld_IsStepRunning(const tnVoxelWorld* world)
{
	return world != NULL && world->background != NULL && world->background->running;
}
