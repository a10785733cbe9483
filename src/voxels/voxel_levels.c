// SPDX-License-Identifier: MIT

// Connected liquid finds one level. Without this, liquid that moves from voxel to voxel leaves a slope of a unit per voxel
// and takes the square of the distance in steps for it, and nothing ever rises in the other arm of a U-bend.
//
// The pass that finds components and their levels. How their surfaces move towards them is in voxel_surface_rise.c.
//
// (Medvecky-Heretik 2018, sections 4.4 and 5.2, spreads over the outlets of a component in the same way; his components
// were sets of all of their voxels.)

#include "voxel_components.h"
#include "voxel_current.h"

#include <string.h>

bool tnVoxelWorld_CreateLevels(tnVoxelWorld* world)
{
	world->store.partPages[0] = (tnPagePool){.pageSize = sizeof(tnVoxelPart), .pagesPerSlab = 512};
	world->store.partPages[1] = (tnPagePool){.pageSize = TN_MAX_PARTS * sizeof(tnVoxelPart), .pagesPerSlab = 64};
	const size_t workerCount = (size_t)tnParallel_GetWorkerCount(world->parallel);
	world->divisions = tnMemory_Alloc(&world->memory, workerCount * sizeof(tnDivision));
	world->tasks = tnMemory_Alloc(&world->memory, TN_DIVIDE_BATCH * sizeof(tnDivideTask));
	const size_t exchangeBytes = TN_MAX_EXCHANGES * sizeof(tnVoxelExchange);
	world->highs = tnMemory_Alloc(&world->memory, exchangeBytes);
	world->lows = tnMemory_Alloc(&world->memory, exchangeBytes);
	world->covers = tnMemory_Alloc(&world->memory, TN_MAX_COVERS * sizeof(tnVoxelCover));
	world->jets = tnMemory_Alloc(&world->memory, TN_MAX_JETS * sizeof(tnVoxelJet));
	world->rises = tnMemory_Alloc(&world->memory, TN_RISE_BATCH * sizeof(tnRiseTask));
	return world->rises != NULL && world->jets != NULL && world->covers != NULL && world->divisions != NULL &&
		world->tasks != NULL && world->highs != NULL && world->lows != NULL;
}

void tnVoxelWorld_DestroyLevels(tnVoxelWorld* world)
{
	const size_t workerCount = world->parallel != NULL ? (size_t)tnParallel_GetWorkerCount(world->parallel) : 0;
	tnMemory_Free(&world->memory, world->divisions, workerCount * sizeof(tnDivision));
	tnMemory_Free(&world->memory, world->tasks, TN_DIVIDE_BATCH * sizeof(tnDivideTask));
	tnMemory_Free(&world->memory, world->highs, TN_MAX_EXCHANGES * sizeof(tnVoxelExchange));
	tnMemory_Free(&world->memory, world->lows, TN_MAX_EXCHANGES * sizeof(tnVoxelExchange));
	tnMemory_Free(&world->memory, world->covers, TN_MAX_COVERS * sizeof(tnVoxelCover));
	tnMemory_Free(&world->memory, world->jets, TN_MAX_JETS * sizeof(tnVoxelJet));
	tnMemory_Free(&world->memory, world->rises, TN_RISE_BATCH * sizeof(tnRiseTask));
}

int64_t tnVoxelWorld_GetAccounts(const tnVoxelWorld* world, const tnVoxelBlock* block, int32_t liquid)
{
	int64_t sum = 0;
	for (int32_t b = 0; b < world->store.blockCount; ++b)
	{
		const tnVoxelBlock* here = world->store.blocks[b];
		for (int32_t c = 0; c < TN_BLOCK_CHUNKS && (block == NULL || block == here); ++c)
		{
			const tnVoxelChunk* chunk = here->chunks + c;
			for (int32_t i = 0; i < chunk->partCount; ++i)
			{
				sum += chunk->parts[i].kind == liquid ? chunk->parts[i].account : 0;
			}
		}
	}
	return sum;
}

// ---------------------------------------------------------------------------------------------------------------------
// Visiting chunks in order

void tnForEachChunk(tnVoxelWorld* world, size_t bitsOffset, tnChunkFcn* fcn, bool isDownwards)
{
	const int32_t blockCount = world->store.blockCount;
	for (int32_t b = 0; b < blockCount; ++b)
	{
		tnVoxelBlock* block = world->store.blocks[isDownwards ? blockCount - 1 - b : b];
		const uint8_t* bits = (const uint8_t*)block + bitsOffset;
		for (int32_t column = 0; column < 64; ++column)
		{
			uint64_t eight = 1;
			if (column % 8 == 0)
			{
				memcpy(&eight, bits + column, sizeof(eight));
			}
			if (eight == 0)
			{
				column += 7;
				continue;
			}
			for (int32_t i = 0; i < 8 && bits[column] != 0; ++i)
			{
				const int32_t cy = isDownwards ? 7 - i : i;
				if ((bits[column] >> cy & 1) != 0)
				{
					fcn(world, block, column * 8 + cy);
				}
			}
		}
	}
}

static void tnUnlink(tnVoxelBlock* block, int32_t chunk)
{
	block->unlinked[chunk / 8] |= (uint8_t)(1 << chunk % 8);
}

static void tnFindVoxelPartsItem(int item, int workerIndex, void* context)
{
	tnVoxelWorld* world = context;
	tnFindVoxelParts(world, world->tasks + item, world->divisions + workerIndex);
}

static void tnDivideBatch(tnVoxelWorld* world)
{
	static const tnVoxelSide before[3] = {tn_voxelWest, tn_voxelNorth, tn_voxelDown};
	tnParallelFor(world->parallel, world->taskCount, tnFindVoxelPartsItem, world);
	for (int32_t i = 0; i < world->taskCount; ++i)
	{
		tnDivideTask* task = world->tasks + i;
		tnEndDivision(world, task);
		tnUnlink(task->block, task->chunk);
		for (int j = 0; j < 3; ++j)
		{
			tnVoxelBlock* owner;
			int32_t index;
			if (tnVoxelBlock_GetNeighbour(task->block, task->chunk, before[j], &owner, &index) != NULL)
			{
				tnUnlink(owner, index);
			}
		}
	}
	world->taskCount = 0;
}

// Air and rock.
static bool tnHasNoParts(const tnVoxelChunk* chunk)
{
	return chunk->kinds == 0 && chunk->partCount == 0;
}

int32_t tnCountAllStale(const tnVoxelWorld* world)
{
	int32_t stale = 0;
	for (int32_t b = 0; b < world->store.blockCount; ++b)
	{
		stale += world->store.blocks[b]->staleCount;
	}
	return stale;
}

static void tnDivide(tnVoxelWorld* world, tnVoxelBlock* block, int32_t chunk)
{
	if (tnHasNoParts(block->chunks + chunk))
	{
		tnVoxelBlock_SetStale(block, chunk, false);
		return;
	}
	tnBeginDivision(world, block, chunk, world->tasks + world->taskCount);
	world->taskCount += 1;
	if (world->taskCount == TN_DIVIDE_BATCH)
	{
		tnDivideBatch(world);
	}
}

static void tnLinkItem(int item, int workerIndex, void* context)
{
	const tnVoxelWorld* world = context;
	tnLinkChunk(world, world->tasks[item].block, world->tasks[item].chunk, world->divisions + workerIndex);
}

static void tnLinkBatch(tnVoxelWorld* world)
{
	tnParallelFor(world->parallel, world->taskCount, tnLinkItem, world);
	world->taskCount = 0;
}

static void tnLinkAgain(tnVoxelWorld* world, tnVoxelBlock* block, int32_t chunk)
{
	block->unlinked[chunk / 8] &= (uint8_t) ~(1 << chunk % 8);
	world->tasks[world->taskCount++] = (tnDivideTask){.block = block, .chunk = chunk};
	if (world->taskCount == TN_DIVIDE_BATCH)
	{
		tnLinkBatch(world);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Components

static void tnSeparate(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index)
{
	tnVoxelChunk* chunk = block->chunks + index;
	for (int32_t i = 0; i < chunk->partCount; ++i)
	{
		tnVoxelPart* part = chunk->parts + i;
		part->parent = part;
		part->order = world->stats.componentCount++;
		part->allLevels = part->levelSum;
		part->allSurfaces = part->surfaceCount;
		part->allLowest = part->lowest;
		part->allHighest = part->highest;
		part->allCovers = part->coverCount;
		part->allPressed = part->pressedCount;
		part->allPressedLevels = part->pressedSum;
		part->allOcean = part->inOcean;
		part->reserve = 0;
		part->wanted = part->taken = part->granted = part->dealt = part->given = 0;
		part->allWanted = part->allGranted = part->allDealt = 0;
	}
}

// The one that comes first in the world stands for both.
static void tnUnite(tnVoxelWorld* world, tnVoxelPart* a, tnVoxelPart* b)
{
	a = tnFindComponent(a);
	b = tnFindComponent(b);
	if (a == b)
	{
		return;
	}
	if (b->order < a->order)
	{
		tnVoxelPart* swap = a;
		a = b;
		b = swap;
	}
	b->parent = a;
	if (b->allSurfaces > 0)
	{
		a->allLowest = a->allSurfaces == 0 || b->allLowest < a->allLowest ? b->allLowest : a->allLowest;
		a->allHighest = a->allSurfaces == 0 || b->allHighest > a->allHighest ? b->allHighest : a->allHighest;
	}
	a->allCovers += b->allCovers;
	a->allPressed += b->allPressed;
	a->allPressedLevels += b->allPressedLevels;
	a->allLevels += b->allLevels;
	a->allSurfaces += b->allSurfaces;
	a->allOcean = a->allOcean || b->allOcean;
	a->account += b->account;
	b->account = 0;
	world->stats.componentCount -= 1;
}

static void tnUniteLinked(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index)
{
	static const tnVoxelSide sides[3] = {tn_voxelEast, tn_voxelSouth, tn_voxelUp};
	tnVoxelChunk* chunk = block->chunks + index;
	for (int direction = 0; direction < 3; ++direction)
	{
		tnVoxelBlock* owner;
		int32_t otherIndex;
		tnVoxelChunk* other = tnVoxelBlock_GetNeighbour(block, index, sides[direction], &owner, &otherIndex);
		for (int32_t i = 0; other != NULL && i < chunk->partCount; ++i)
		{
			for (int32_t label = 1; label <= other->partCount; ++label)
			{
				if ((chunk->parts[i].links[direction] >> label & 1u) != 0)
				{
					tnUnite(world, chunk->parts + i, other->parts + label - 1);
				}
			}
		}
	}
}

static void tnFindTargets(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index)
{
	tnVoxelChunk* chunk = block->chunks + index;
	for (int32_t i = 0; i < chunk->partCount; ++i)
	{
		tnVoxelPart* part = chunk->parts + i;
		if (part->parent != part)
		{
			part->parent = tnFindComponent(part);
			continue;
		}
		part->isRestless = false;
		part->isFinishing = false;
		part->isTrimming = false;
		if (part->allSurfaces == 0)
		{
			continue;
		}
		const int64_t left = part->account - part->reserve;
		if (part->allOcean)
		{
			world->ledgers[part->kind].ocean -= left;
			part->account = part->reserve;
			part->target = world->oceans[part->kind].level;
			part->isRestless = part->allLowest != part->target || part->allHighest != part->target;
			continue;
		}
		part->target = tnFloorDivide(part->allLevels + left, part->allSurfaces);
		part->isRestless = part->allLowest < part->target || part->allHighest > part->target + 1;
		part->isFinishing = !part->isRestless && left > 0;
		// Some stand at M + 1 that are needed below M, or for jets.
		part->isTrimming = (part->isRestless ? left <= 0 : left < 0) && part->allHighest == part->target + 1;
		part->isRestless = part->isRestless || part->isTrimming;
		// Viscous liquids have a turn less often.
		const bool isTheirTurn =
			world->stepCount / world->def.levelInterval % world->def.liquids[part->kind - 1].viscosity == 0;
		if (!isTheirTurn)
		{
			world->levelsPending = world->levelsPending || part->isRestless || part->isFinishing;
			part->isRestless = part->isFinishing = part->isTrimming = false;
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// A pass

// So far, in voxels, liquid that waits looks for a component: thicker ground keeps it until it is dug out.
#define TN_WAITING_REACH 16

// The component of a kind at a place, NULL if there is none, or none that can take something.
static tnVoxelPart* tnFindOpenComponent(tnVoxelWorld* world, tnVoxel voxel, int32_t kind)
{
	tnVoxelBlock* block;
	tnVoxelChunk* chunk =
		tnVoxelStore_FindChunk(&world->store, (tnVoxel){voxel.x >> 4, voxel.y >> 4, voxel.z >> 4}, &block);
	const int32_t index = (voxel.y & 15) * TN_LAYER + (voxel.z & 15) * TN_ROW + (voxel.x & 15);
	const int32_t label = chunk != NULL ? tnGetLabel(&world->store, chunk, index) : 0;
	const bool isFound = label >= 1 && label <= TN_MAX_PARTS && chunk->parts[label - 1].kind == kind;
	tnVoxelPart* component = isFound ? tnFindComponent(chunk->parts + label - 1) : NULL;
	return component != NULL && component->allSurfaces + component->allCovers > 0 ? component : NULL;
}

// Liquid that waits in or beside a component, or in ground that has one on any side of it, joins the account of the nearest,
// above rather than beside, and beside rather than below.
static void tnTakeWaiting(tnVoxelWorld* world)
{
	static const tnVoxel around[6] = {{0, 1, 0}, {-1, 0, 0}, {1, 0, 0}, {0, 0, -1}, {0, 0, 1}, {0, -1, 0}};
	int32_t kept = 0;
	for (int32_t i = 0; i < world->waitingCount; ++i)
	{
		const tnVoxelWaiting waiting = world->waiting[i];
		tnVoxel voxel = waiting.voxel;
		tnVoxelPart* found = tnFindOpenComponent(world, voxel, waiting.liquid);
		for (int32_t j = 0; j < 6 * TN_WAITING_REACH && found == NULL; ++j)
		{
			const tnVoxel way = around[j % 6];
			const int32_t distance = 1 + j / 6;
			voxel = (tnVoxel){waiting.voxel.x + distance * way.x, waiting.voxel.y + distance * way.y,
				waiting.voxel.z + distance * way.z};
			found = tnFindOpenComponent(world, voxel, waiting.liquid);
		}
		if (found != NULL)
		{
			found->account += waiting.amount;
			tnVoxelWorld_NoteWaiting(world, voxel, waiting.amount);
		}
		else
		{
			world->waiting[kept++] = waiting;
		}
	}
	world->waitingCount = kept;
	world->waitingRests = kept > 0 && !world->waitingMayFit;
}

// Each part knows the one that stands for it.
static void tnFindParent(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index)
{
	(void)world;
	tnVoxelChunk* chunk = block->chunks + index;
	for (int32_t i = 0; i < chunk->partCount; ++i)
	{
		chunk->parts[i].parent = tnFindComponent(chunk->parts + i);
	}
}

static void tnUniteAll(tnVoxelWorld* world)
{
	TN_FOR_EACH(world, unlinked, tnLinkAgain);
	tnLinkBatch(world);
	world->stats.componentCount = 0;
	TN_FOR_EACH(world, divided, tnSeparate);
	world->partCount = world->stats.componentCount;
	TN_FOR_EACH(world, divided, tnUniteLinked);
}

void tnVoxelWorld_FindComponents(tnVoxelWorld* world)
{
	if (tnCountAllStale(world) == 0)
	{
		world->taskCount = 0;
		tnUniteAll(world);
		TN_FOR_EACH(world, divided, tnFindParent);
		world->componentsKnown = true;
	}
}

void tnVoxelWorld_ForgetParts(tnVoxelWorld* world)
{
	world->jetCount = 0;
	world->componentsKnown = false;
	world->version += 1;
}

void tnVoxelWorld_Level(tnVoxelWorld* world)
{
	tnVoxelWorld_BeginExchanges(world);
	const bool someWait = world->waitingCount > 0 && !world->waitingRests;
	if (tnCountAllStale(world) == 0 && !someWait && !world->levelsPending && world->componentsKnown)
	{
		// Nothing has changed since the last pass, and after that everything was at rest, or it would have changed something.
		return;
	}
	world->taskCount = 0;
	TN_FOR_EACH(world, stale, tnDivide);
	tnDivideBatch(world);
	tnUniteAll(world);
	tnTakeWaiting(world);
	world->jetCount = 0;
	TN_FOR_EACH(world, divided, tnFindJets);
	world->levelsPending = false;
	if (world->def.liquidCount > 1)
	{
		tnVoxelWorld_FindCovers(world);
	}
	TN_FOR_EACH(world, divided, tnFindTargets);
	tnVoxelWorld_MoveSurfaces(world);
	if (world->def.liquidCount > 1)
	{
		tnVoxelWorld_MoveCovers(world);
	}
	world->componentsKnown = true;
}
