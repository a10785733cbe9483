// SPDX-License-Identifier: MIT

// Surfaces of components rise and fall towards one level.
//
// Let l be the heights of the N open surfaces of a component, in units, and a what it has on account. At rest they all are
//
//   M = floor((sum l + a) / N)     or M + 1.
//
// Each pass takes half of what stands above M + 1 into the account, at most what the uppermost voxel holds, and puts half of
// what is missing below M from the account, at most what the uppermost voxel can take; if there is not enough, all get the
// same share of what they want. When none stands above M + 1 but some do below M, those at M + 1 give a unit each. When all
// are at M or M + 1 the rest of the account goes to some at M, a unit each. An ocean has its own M and an endless account.
// What is on account is part of the world's ledger.
//
// Chunks do so side by side, a batch at a time: each changes its own voxels, and the lowest ones of the chunk above if it rises
// there. What they do to components, and whom they wake, is left to the end of the batch, in the order of chunks. Those of a
// column look at each other, and are done by one worker.

#include "voxel_components.h"

#include "voxel_current.h"

// By how much the component wants a surface to rise; less than 0: to fall.
static int64_t tnGetWish(const tnVoxelPart* component, const tnVoxelSurface* surface)
{
	const int64_t level = surface->level;
	const int64_t target = component->target;
	if (surface->isDry && level >= target)
	{
		return 0;
	}
	if (component->allOcean)
	{
		const int64_t wish = target - level;
		return wish > surface->room ? surface->room : (wish < -surface->amount ? -surface->amount : wish);
	}
	if (component->isFinishing)
	{
		return level == target && surface->room > 0 ? 1 : 0;
	}
	if (component->isTrimming && level == target + 1)
	{
		return surface->amount > 0 ? -1 : 0;
	}
	if (level > target + 1)
	{
		const int64_t half = (level - target) / 2;
		return -(half < surface->amount ? half : surface->amount);
	}
	const int64_t half = level < target ? (target - level + 1) / 2 : 0;
	return half < surface->room ? half : surface->room;
}

static bool tnHasWishes(tnVoxelChunk* chunk)
{
	for (int32_t i = 0; i < chunk->partCount; ++i)
	{
		const tnVoxelPart* part = chunk->parts + i;
		const tnVoxelPart* component = tnGetComponent(chunk->parts + i);
		if (part->surfaceCount == 0)
		{
			continue;
		}
		if (component->isFinishing && part->lowest <= component->target)
		{
			return true;
		}
		const int64_t slack = component->allOcean || component->isTrimming ? 0 : 1;
		if (component->isRestless && (part->lowest < component->target || part->highest > component->target + slack))
		{
			return true;
		}
	}
	return false;
}

// May its liquid rise into the chunk above? Also onto dry ground there, which is no surface of which parts know.
static bool tnOpensAbove(const tnVoxelStore* store, const tnVoxelChunk* chunk, const tnVoxelChunk* above)
{
	for (int32_t i = 0; i < TN_LAYER; ++i)
	{
		const int32_t top = TN_CHUNK_VOXELS - TN_LAYER + i;
		const int32_t amount = tnGetAmount(tnGetWord(store, chunk, top));
		if (amount > 0 && amount >= tnGetRoom(store, chunk, top) && tnGetWord(store, above, i) == 0 &&
			tnGetRoom(store, above, i) > 0)
		{
			return true;
		}
	}
	return false;
}

// Pages for what may change: of the chunk, and of the one above if its liquid may rise there.
static bool tnOpenForLevels(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index)
{
	tnVoxelStore* store = &world->store;
	tnVoxelChunk* chunk = block->chunks + index;
	tnVoxelBlock* owner;
	int32_t aboveIndex;
	tnVoxelChunk* above = tnVoxelBlock_GetNeighbour(block, index, tn_voxelUp, &owner, &aboveIndex);
	const bool opensAbove = above != NULL && above->liquid == NULL && tnOpensAbove(store, chunk, above);
	return tnVoxelStore_OpenLiquid(store, chunk) && (!opensAbove || tnVoxelStore_OpenLiquid(store, above));
}

// ---------------------------------------------------------------------------------------------------------------------
// Batches

typedef void tnRiseFcn(const tnVoxelWorld* world, tnRiseTask* task, tnDivision* division);

typedef struct tnRiseRun
{
	tnVoxelWorld* world;
	tnRiseFcn* fcn;
	int32_t starts[TN_RISE_BATCH + 1]; // first tasks of columns, and the end
} tnRiseRun;

static void tnRiseColumn(int item, int workerIndex, void* context)
{
	const tnRiseRun* run = context;
	for (int32_t i = run->starts[item]; i < run->starts[item + 1]; ++i)
	{
		run->fcn(run->world, run->world->rises + i, run->world->divisions + workerIndex);
	}
}

static void tnRiseBatch(tnVoxelWorld* world, tnRiseFcn* fcn)
{
	tnRiseRun run = {.world = world, .fcn = fcn};
	int32_t count = 0;
	for (int32_t i = 0; i < world->riseCount; ++i)
	{
		const tnVoxelWriter* here = &world->rises[i].own;
		if (i == 0 || here->chunk / 8 != world->rises[i - 1].own.chunk / 8)
		{
			run.starts[count++] = i;
		}
	}
	run.starts[count] = world->riseCount;
	tnParallelFor(world->parallel, count, tnRiseColumn, &run);
	for (int32_t i = 0; i < world->riseCount; ++i)
	{
		const tnRiseTask* task = world->rises + i;
		tnVoxelWorld_NoteExchanges(world, task->own.block, task->own.chunk, task->notes, task->noteCount);
		tnVoxelWriter_Wake(&task->own);
		tnVoxelWriter_Wake(&task->above);
	}
	world->riseCount = 0;
}

static void tnAddRise(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index, tnRiseFcn* fcn)
{
	// Those of one block, so that no other batch has chunks below or above these.
	const bool isOther = world->riseCount > 0 && world->rises[0].own.block != block;
	if (world->riseCount == TN_RISE_BATCH || isOther)
	{
		tnRiseBatch(world, fcn);
	}
	tnRiseTask* task = world->rises + world->riseCount++;
	task->own = (tnVoxelWriter){.block = block, .chunk = index};
	task->above = (tnVoxelWriter){0};
	task->noteCount = 0;
}

static void tnSetSurface(
	tnRiseTask* task, int32_t voxel, int64_t units, tnVoxelWriter* writer, int32_t target, uint16_t word)
{
	task->notes[task->noteCount++] = (tnFlowNote){(int16_t)voxel, (int16_t)units};
	tnVoxelWriter_Set(writer, target, word);
}

// ---------------------------------------------------------------------------------------------------------------------
// Taking

static void tnTakeFrom(const tnVoxelWorld* world, tnRiseTask* task, tnDivision* division)
{
	const int32_t count = tnFindSurfaces(world, task->own.block, task->own.chunk, &division->view, division->surfaces);
	for (int32_t i = 0; i < count; ++i)
	{
		const tnVoxelSurface* surface = division->surfaces + i;
		const tnVoxelPart* component = tnGetComponent(surface->part);
		if (surface->isCovered || (!component->isRestless && !component->isFinishing))
		{
			continue;
		}
		const int64_t wish = tnGetWish(component, surface);
		if (wish < 0)
		{
			surface->part->taken -= wish;
			tnSetSurface(task, surface->voxel, -wish, &task->own, surface->voxel,
				tnPackLiquid(component->kind, surface->amount + (int32_t)wish));
		}
		else
		{
			surface->part->wanted += wish;
		}
	}
}

static void tnTake(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index)
{
	if (tnHasWishes(block->chunks + index) && tnOpenForLevels(world, block, index))
	{
		tnAddRise(world, block, index, tnTakeFrom);
	}
}

static void tnCount(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index)
{
	(void)world;
	tnVoxelChunk* chunk = block->chunks + index;
	for (int32_t i = 0; i < chunk->partCount; ++i)
	{
		tnVoxelPart* component = tnGetComponent(chunk->parts + i);
		component->account += chunk->parts[i].taken;
		component->allWanted += chunk->parts[i].wanted;
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Putting

// Of `granted` units for `wanted`, those for the wish that comes after `dealt`: shares that add up to all of them.
static int64_t tnDeal(int64_t wish, int64_t wanted, int64_t granted, int64_t* dealt)
{
	const int64_t before = *dealt;
	*dealt += wish;
	if (granted == wanted)
	{
		return wish;
	}
	// Wishes of a component are below 2^31, for voxels are, and a share of one is below 2^12.
	return *dealt * granted / wanted - before * granted / wanted;
}

static void tnGrant(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index)
{
	tnVoxelChunk* chunk = block->chunks + index;
	for (int32_t i = 0; i < chunk->partCount; ++i)
	{
		tnVoxelPart* part = chunk->parts + i;
		tnVoxelPart* component = tnGetComponent(part);
		if (part == component)
		{
			// It comes before all others.
			int64_t left = component->account - component->reserve;
			if (component->allOcean)
			{
				world->ledgers[component->kind].ocean += component->allWanted - left;
				component->account += component->allWanted - left;
				left = component->allWanted;
			}
			left = left > 0 ? left : 0;
			component->allGranted = left < component->allWanted ? left : component->allWanted;
			component->account -= component->allGranted;
		}
		if (part->wanted > 0)
		{
			part->granted = tnDeal(part->wanted, component->allWanted, component->allGranted, &component->allDealt);
		}
	}
}

static void tnPutInto(const tnVoxelWorld* world, tnRiseTask* task, tnDivision* division)
{
	const int32_t count = tnFindSurfaces(world, task->own.block, task->own.chunk, &division->view, division->surfaces);
	for (int32_t i = 0; i < count; ++i)
	{
		const tnVoxelSurface* surface = division->surfaces + i;
		tnVoxelPart* part = surface->part;
		const bool isOpen = part->granted > 0 && !surface->isCovered;
		const int64_t wish = isOpen ? tnGetWish(tnGetComponent(part), surface) : 0;
		// Where all was taken from a voxel with ground the one below it may now be a surface, with a wish that was not counted.
		if (wish <= 0 || part->dealt + wish > part->wanted)
		{
			continue;
		}
		const int32_t given = (int32_t)tnDeal(wish, part->wanted, part->granted, &part->dealt);
		part->given += given;
		if (given == 0)
		{
			continue;
		}
		const int32_t target = surface->voxel + (surface->above ? TN_LAYER : 0);
		const uint16_t word = tnPackLiquid(part->kind, (surface->above ? 0 : surface->amount) + given);
		const bool isTop = target >= TN_CHUNK_VOXELS;
		if (isTop && task->above.block == NULL)
		{
			(void)tnVoxelBlock_GetNeighbour(
				task->own.block, task->own.chunk, tn_voxelUp, &task->above.block, &task->above.chunk);
		}
		tnSetSurface(task, surface->voxel, -given, isTop ? &task->above : &task->own, target % TN_CHUNK_VOXELS, word);
	}
}

static void tnPut(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index)
{
	const tnVoxelChunk* chunk = block->chunks + index;
	bool any = false;
	for (int32_t i = 0; i < chunk->partCount; ++i)
	{
		any = any || chunk->parts[i].granted > 0;
	}
	if (any)
	{
		tnAddRise(world, block, index, tnPutInto);
	}
}

static void tnGiveBack(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index)
{
	(void)world;
	const tnVoxelChunk* chunk = block->chunks + index;
	for (int32_t i = 0; i < chunk->partCount; ++i)
	{
		tnGetComponent(chunk->parts + i)->account += chunk->parts[i].granted - chunk->parts[i].given;
	}
}

void tnVoxelWorld_MoveSurfaces(tnVoxelWorld* world)
{
	world->riseCount = 0;
	TN_FOR_EACH(world, divided, tnTake);
	tnRiseBatch(world, tnTakeFrom);
	TN_FOR_EACH(world, divided, tnCount);
	TN_FOR_EACH(world, divided, tnGrant);
	// What rises into the chunk above must not be taken there for a surface of its own.
	TN_FOR_EACH_DOWNWARDS(world, divided, tnPut);
	tnRiseBatch(world, tnPutInto);
	TN_FOR_EACH(world, divided, tnGiveBack);
}
