// SPDX-License-Identifier: MIT

// Defs of voxels, the life of a world of them, and blocks that come and go.

#include "voxel_save.h"

#include "../core/def_checks.h"
#include "voxel_current.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Defs

tnLiquidDef tnDefaultLiquidDef(void)
{
	return (tnLiquidDef){.viscosity = 1, .density = 1000.0f, .levels = true, .stamp = TN_DEF_STAMP};
}

tnReactionDef tnDefaultReactionDef(void)
{
	return (tnReactionDef){.first = 1, .second = 2, .rate = 64, .ground = 1, .stamp = TN_DEF_STAMP};
}

tnVoxelSourceDef tnDefaultVoxelSourceDef(void)
{
	return (tnVoxelSourceDef){.box = {{0, 0, 0}, {1, 1, 1}}, .liquid = 1, .rate = 64, .stamp = TN_DEF_STAMP};
}

tnVoxelOceanDef tnDefaultVoxelOceanDef(void)
{
	return (tnVoxelOceanDef){.box = {{0, 0, 0}, {1, 1, 1}}, .liquid = 1, .stamp = TN_DEF_STAMP};
}

tnVoxelWorldDef tnDefaultVoxelWorldDef(void)
{
	tnVoxelWorldDef def = {0};
	def.cap = 1024;
	def.rules = tn_componentRules;
	def.voxelSize = 0.75f; // as in Ylands
	def.stepRate = 60.0f;
	def.gravity = 9.81f;
	def.liquidCount = 1;
	for (int i = 0; i < TN_MAX_LIQUIDS; ++i)
	{
		def.liquids[i] = tnDefaultLiquidDef();
	}
	def.levelInterval = 8; // at 60 steps a second, 7 times a second
	def.chunkLimit = 16384;
	def.chunkReserve = 64;
	def.tasks.workerCount = 1;
	def.simd = tn_simdAuto;
	def.stamp = TN_DEF_STAMP;
	return def;
}

static bool tnCheckLiquid(tnResult* result, const tnLiquidDef* def, int index)
{
	if (def->stamp != TN_DEF_STAMP)
	{
		*result = tnFail(tn_invalidArgument, "liquids[%d].stamp is wrong: start from tnDefaultLiquidDef(), got 0x%x",
			index, (unsigned)def->stamp);
		return false;
	}
	bool ok = tnCheckCount(result, "liquids.viscosity", def->viscosity, 1, 1000);
	ok = ok && tnCheckRange(result, "liquids.density", def->density, 1.0e-3f, 1.0e6f);
	return ok && tnCheckCount(result, "liquids.evaporation", def->evaporation, 0, 1000000);
}

static tnResult tnCheckVoxelWorldDef(const tnVoxelWorldDef* def)
{
	if (def == NULL)
	{
		return tnFail(tn_invalidArgument, "def must not be NULL");
	}
	if (def->stamp != TN_DEF_STAMP)
	{
		return tnFail(tn_invalidArgument, "def.stamp is wrong: start from tnDefaultVoxelWorldDef(), got 0x%x",
			(unsigned)def->stamp);
	}
	tnResult result = tnSuccess();
	bool ok = tnCheckCount(&result, "rules", (int)def->rules, 0, tn_voxelRulesCount - 1);
	const int32_t largestCap = def->rules == tn_pressureRules ? TN_MAX_VOXEL_CAP / 2 : TN_MAX_VOXEL_CAP;
	ok = ok && tnCheckCount(&result, "cap", def->cap, 8, largestCap);
	ok = ok && tnCheckRange(&result, "voxelSize", def->voxelSize, 0.001f, 1000.0f);
	ok = ok && tnCheckRange(&result, "stepRate", def->stepRate, 0.001f, 1.0e6f);
	ok = ok && tnCheckRange(&result, "gravity", def->gravity, 1.0e-6f, 1000.0f);
	ok = ok && tnCheckCount(&result, "liquidCount", def->liquidCount, 1, TN_MAX_LIQUIDS);
	for (int i = 0; ok && i < def->liquidCount; ++i)
	{
		ok = tnCheckLiquid(&result, def->liquids + i, i);
	}
	ok = ok && tnCheckCount(&result, "levelInterval", def->levelInterval, 1, 64);
	ok = ok && tnCheckCount(&result, "chunkLimit", def->chunkLimit, 1, 1 << 20);
	ok = ok && tnCheckCount(&result, "chunkReserve", def->chunkReserve, 0, def->chunkLimit);
	ok = ok && tnCheckHooks(&result, &def->allocator, &def->tasks);
	ok = ok && tnCheckCount(&result, "simd", (int)def->simd, 0, tn_simdWasm);
	if (ok && !tnIsSimdAvailable(def->simd))
	{
		return tnFail(tn_notAvailable, "simd must be available on this processor, got %s", tnGetSimdName(def->simd));
	}
	return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Life

tnResult tnVoxelWorld_Report(const tnVoxelWorld* world, tnResult result)
{
	if (result.status != tn_ok && world != NULL && world->errors.fcn != NULL)
	{
		world->errors.fcn(&result, world->errors.context);
	}
	return result;
}

bool tnVoxelWorld_IsReady(const tnVoxelWorld* world)
{
	// First whether a step runs beside: then the rest is not for the host's thread to look at.
	return world != NULL && !tnVoxelWorld_IsStepRunning(world) && !world->locked &&
		!tnParallel_IsRunning(world->parallel);
}

tnResult tnVoxelWorld_CheckReady(const tnVoxelWorld* world)
{
	if (world == NULL)
	{
		return tnFail(tn_invalidArgument, "world must not be NULL");
	}
	if (tnVoxelWorld_IsStepRunning(world))
	{
		return tnVoxelWorld_Report(
			world, tnFail(tn_notAvailable, "world is stepping in the background: call tnVoxelWorld_EndStep first"));
	}
	if (!tnVoxelWorld_IsReady(world))
	{
		return tnVoxelWorld_Report(
			world, tnFail(tn_notAvailable, "world is stepping: call this before or after tnVoxelWorld_Step"));
	}
	return tnSuccess();
}

static tnResult tnReportVoxelCreate(const tnVoxelWorldDef* def, tnResult result)
{
	if (def != NULL && def->stamp == TN_DEF_STAMP && def->errors.fcn != NULL)
	{
		def->errors.fcn(&result, def->errors.context);
	}
	return result;
}

static size_t tnGetPickBytes(const tnVoxelWorldDef* def)
{
	return (size_t)def->chunkLimit * sizeof(tnVoxelPick);
}

static bool tnCreateVoxelParts(tnVoxelWorld* world)
{
	tnMemory* memory = &world->memory;
	const tnVoxelWorldDef* def = &world->def;
	tnVoxelStore_Init(&world->store, memory, def->cap, def->chunkLimit);
	world->store.spare = def->rules == tn_pressureRules ? TN_MAX_VOXEL_CAP - def->cap : 0;
	world->parallel = tnCreateParallel(memory, &def->tasks);
	world->picks = tnMemory_Alloc(memory, tnGetPickBytes(def));
	world->columns = tnMemory_Alloc(memory, (size_t)def->chunkLimit * sizeof(int32_t));
	if (world->parallel == NULL || world->picks == NULL || world->columns == NULL)
	{
		return false;
	}
	world->ends = tnMemory_Alloc(memory, TN_MAX_SPLIT * sizeof(tnVoxelEnds));
	world->kernels = tnGetVoxelKernels(def->simd);
	return world->ends != NULL && tnPagePool_Reserve(&world->store.liquidPages, memory, def->chunkReserve) &&
		tnVoxelWorld_ReserveWaiting(world, 1) && tnVoxelWorld_CreateLevels(world) && tnVoxelWorld_CreateFlow(world);
}

tnResult tnCreateVoxelWorld(const tnVoxelWorldDef* def, tnVoxelWorld** world)
{
	if (world == NULL)
	{
		return tnReportVoxelCreate(def, tnFail(tn_invalidArgument, "world must not be NULL"));
	}
	*world = NULL;
	const tnResult result = tnCheckVoxelWorldDef(def);
	if (result.status != tn_ok)
	{
		return tnReportVoxelCreate(def, result);
	}
	tnMemory memory;
	tnMemory_Init(&memory, &def->allocator, def->memoryLimit);
	tnVoxelWorld* made = tnMemory_Alloc(&memory, sizeof(tnVoxelWorld));
	if (made != NULL)
	{
		made->memory = memory;
		made->def = *def;
		made->errors = def->errors;
		if (!tnCreateVoxelParts(made))
		{
			memory = made->memory;
			tnDestroyVoxelWorld(made);
			made = NULL;
		}
	}
	if (made == NULL)
	{
		char text[TN_MEMORY_TEXT];
		tnMemory_Explain(&memory, 0, text);
		return tnReportVoxelCreate(
			def, tnFail(tn_outOfMemory, "chunkReserve: out of memory for %d chunks: %s", def->chunkReserve, text));
	}
	*world = made;
	return result;
}

size_t tnVoxelWorld_Close(tnVoxelWorld* world)
{
	tnMemory* memory = &world->memory;
	tnVoxelWorld_EndBackground(world);
	tnVoxelWorld_DestroyLevels(world);
	tnVoxelWorld_DestroyFlow(world);
	tnMemory_Free(memory, world->ends, TN_MAX_SPLIT * sizeof(tnVoxelEnds));
	tnDestroyParallel(world->parallel, memory);
	tnMemory_Free(memory, world->picks, tnGetPickBytes(&world->def));
	tnMemory_Free(memory, world->columns, (size_t)world->def.chunkLimit * sizeof(int32_t));
	tnMemory_Free(memory, world->waiting, (size_t)world->waitingCapacity * sizeof(tnVoxelWaiting));
	tnMemory_Free(memory, world->sources, (size_t)world->sourceCapacity * sizeof(tnVoxelSource));
	tnIdPool_Destroy(&world->sourceIds, memory);
	tnVoxelWorld_DestroySaver(world);
	tnVoxelBodies_Destroy(&world->bodies, memory);
	tnVoxelStore_Destroy(&world->store);
	tnMemory last = *memory;
	tnMemory_Free(&last, world, sizeof(tnVoxelWorld));
	return last.byteCount;
}

void tnDestroyVoxelWorld(tnVoxelWorld* world)
{
	if (tnVoxelWorld_IsStepRunning(world) && tnVoxelWorld_EndStep(world).status == tn_notAvailable)
	{
		// From a task, or from a thread that has not begun it.
		return;
	}
	if (world != NULL && tnVoxelWorld_CheckReady(world).status == tn_ok)
	{
		(void)tnVoxelWorld_Close(world);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Blocks

static tnResult tnCheckBlock(const tnVoxelWorld* world, tnVoxel block)
{
	const int32_t limit = TN_MAX_VOXEL / TN_VOXEL_BLOCK;
	const int32_t values[3] = {block.x, block.y, block.z};
	for (int i = 0; i < 3; ++i)
	{
		if (values[i] < -limit || values[i] >= limit)
		{
			return tnVoxelWorld_Report(world,
				tnFail(tn_invalidArgument, "block.%c must be in [%d, %d), got %d", "xyz"[i], -limit, limit, values[i]));
		}
	}
	return tnSuccess();
}

tnResult tnVoxelWorld_CheckNewBlock(const tnVoxelWorld* world, tnVoxel block)
{
	tnResult result = tnVoxelWorld_CheckReady(world);
	if (result.status == tn_ok)
	{
		result = tnCheckBlock(world, block);
	}
	if (result.status == tn_ok && tnVoxelStore_FindBlock(&world->store, block) != NULL)
	{
		return tnVoxelWorld_Report(
			world, tnFail(tn_invalidArgument, "block (%d, %d, %d) is loaded already", block.x, block.y, block.z));
	}
	return result;
}

// Chunks at a side of a block: number 0 to 63.
static int32_t tnGetSideChunk(int side, int32_t number)
{
	const int32_t across = number % 8;
	const int32_t up = number / 8;
	switch (side)
	{
		case tn_voxelWest:
		case tn_voxelEast:
			return tnGetChunkIndex(side == tn_voxelWest ? 0 : 7, up, across);
		case tn_voxelNorth:
		case tn_voxelSouth:
			return tnGetChunkIndex(across, up, side == tn_voxelNorth ? 0 : 7);
		default:
			return tnGetChunkIndex(across, side == tn_voxelDown ? 0 : 7, up);
	}
}

void tnVoxelBlock_SetStaleAround(tnVoxelBlock* block)
{
	for (int side = 0; side < tn_voxelSideCount; ++side)
	{
		for (int32_t i = 0; i < 64 && block->neighbours[side] != NULL; ++i)
		{
			tnVoxelBlock* owner;
			int32_t index;
			const tnVoxelChunk* other =
				tnVoxelBlock_GetNeighbour(block, tnGetSideChunk(side, i), (tnVoxelSide)side, &owner, &index);
			if (other->kinds != 0)
			{
				tnVoxelBlock_SetStale(owner, index, true);
			}
		}
	}
}

void tnVoxelBlock_WakeBorders(tnVoxelBlock* block)
{
	const tnVoxelChange all = {TN_ALL_LAYERS, {TN_ALL_LAYERS, TN_ALL_LAYERS, TN_ALL_LAYERS, TN_ALL_LAYERS}};
	for (int side = 0; side < tn_voxelSideCount; ++side)
	{
		for (int32_t i = 0; i < 64 && block->neighbours[side] != NULL; ++i)
		{
			tnVoxelBlock_WakeAround(block, tnGetSideChunk(side, i), &all);
		}
	}
}

tnResult tnVoxelWorld_LoadBlock(tnVoxelWorld* world, tnVoxel block)
{
	const tnResult result = tnVoxelWorld_CheckNewBlock(world, block);
	if (result.status != tn_ok)
	{
		return result;
	}
	tnVoxelBlock* made = tnVoxelStore_AddBlock(&world->store, block);
	if (made == NULL)
	{
		return tnVoxelWorld_Report(
			world, tnFail(tn_outOfMemory, "block: out of memory for (%d, %d, %d)", block.x, block.y, block.z));
	}
	tnVoxelWorld_LookAgain(world);
	// Where there was a wall there is air now.
	tnVoxelBlock_WakeBorders(made);
	tnVoxelBlock_SetStaleAround(made);
	for (int32_t i = 0; i < TN_BLOCK_CHUNKS; ++i)
	{
		made->chunks[i].changed = true;
		made->chunks[i].unshown = true;
	}
	world->stats.blockCount = world->store.blockCount;
	world->version += 1;
	return tnSuccess();
}

tnResult tnVoxelWorld_UnloadBlock(tnVoxelWorld* world, tnVoxel block)
{
	const tnResult result = tnVoxelWorld_CheckReady(world);
	if (result.status != tn_ok)
	{
		return result;
	}
	tnVoxelBlock* found = tnVoxelStore_FindBlock(&world->store, block);
	if (found == NULL)
	{
		return tnVoxelWorld_Report(
			world, tnFail(tn_invalidArgument, "block (%d, %d, %d) is not loaded", block.x, block.y, block.z));
	}
	for (int32_t i = 0; i < TN_BLOCK_CHUNKS; ++i)
	{
		const tnVoxelChunk* chunk = found->chunks + i;
		if (chunk->kinds == 0)
		{
			continue;
		}
		for (int32_t voxel = 0; voxel < TN_CHUNK_VOXELS; ++voxel)
		{
			const uint16_t word = tnGetWord(&world->store, chunk, voxel);
			world->ledgers[tnGetKind(word)].unloaded += tnGetAmount(word);
		}
	}
	// What waited for a place in it goes with it.
	for (int32_t kind = 1; kind <= world->def.liquidCount; ++kind)
	{
		world->ledgers[kind].unloaded += tnVoxelWorld_GetAccounts(world, found, kind);
	}
	int32_t kept = 0;
	for (int32_t i = 0; i < world->waitingCount; ++i)
	{
		const tnVoxelWaiting waiting = world->waiting[i];
		const bool inside =
			waiting.voxel.x >> 7 == block.x && waiting.voxel.y >> 7 == block.y && waiting.voxel.z >> 7 == block.z;
		if (inside)
		{
			world->ledgers[waiting.liquid].unloaded += waiting.amount;
		}
		else
		{
			world->waiting[kept++] = waiting;
		}
	}
	world->waitingCount = kept;
	const tnVoxel low = {TN_VOXEL_BLOCK * block.x, TN_VOXEL_BLOCK * block.y, TN_VOXEL_BLOCK * block.z};
	tnVoxelWorld_ForgetTaken(
		world, (tnVoxelBox){low, {low.x + TN_VOXEL_BLOCK, low.y + TN_VOXEL_BLOCK, low.z + TN_VOXEL_BLOCK}});
	tnVoxelWorld_ForgetParts(world);
	tnVoxelBlock_SetStaleAround(found);
	tnVoxelStore_RemoveBlock(&world->store, found);
	world->stats.blockCount = world->store.blockCount;
	return tnSuccess();
}

bool tnVoxelWorld_IsLoaded(const tnVoxelWorld* world, tnVoxel block)
{
	world = tnVoxelWorld_GetShown(world);
	return world != NULL && tnVoxelStore_FindBlock(&world->store, block) != NULL;
}
