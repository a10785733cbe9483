// SPDX-License-Identifier: MIT

// Who takes part in a step: all that are awake, or what a limit of work leaves of them.
//
// Chunks that take no part are walls. A chunk must not fall asleep because of such a wall, or water would stop there for
// ever: it may do so only in a step in which all that are awake around it, and which it looks at, take part as well. So the
// unit of work is a neighbourhood, a chunk with those around it that are awake.
//
// With points of interest one half of the limit goes to the neighbourhoods of the nearest chunks, in each step again, so
// that they run at full rate. The rest goes to the neighbourhoods of all chunks in turn, in the order of their places, so
// that each of them falls asleep in the end if nothing moves in it. What is done is what fits into the limit, but at least
// one neighbourhood: in even steps the nearest one, in odd steps the one whose turn it is.

#include "voxel_world.h"

// ---------------------------------------------------------------------------------------------------------------------
// All that are awake

static int tnCountBits(uint32_t bits)
{
	int count = 0;
	for (; bits != 0; bits &= bits - 1)
	{
		count += 1;
	}
	return count;
}

static int64_t tnGetWork(const tnVoxelChunk* chunk)
{
	return (int64_t)TN_LAYER * tnCountBits(chunk->layers);
}

// Those that get no page wait for one. As many as have pages fit into the list.
static void tnAddPick(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index)
{
	tnVoxelChunk* chunk = block->chunks + index;
	const uint32_t kinds = tnGetKindsAround(block, index);
	if (kinds == 0 || (chunk->solid == NULL && world->store.rooms[chunk->solidFill] == 0))
	{
		// Rock, or all dry: nothing to do.
		tnVoxelBlock_SetLayers(block, index, 0);
		return;
	}
	if (!tnVoxelStore_OpenLiquid(&world->store, chunk))
	{
		world->stats.waitingChunkCount += 1;
		return;
	}
	world->picks[world->pickCount++] =
		(tnVoxelPick){.block = block, .chunk = index, .kinds = kinds, .layers = chunk->layers};
}

// Column by column from the bottom up. Blocks lie in the same order.
static void tnPickAwake(tnVoxelWorld* world)
{
	const tnVoxelStore* store = &world->store;
	world->pickCount = 0;
	world->stats.waitingChunkCount = 0;
	for (int32_t first = 0; first < store->blockCount;)
	{
		int32_t end = first;
		int32_t awake = 0;
		while (end < store->blockCount && store->blocks[end]->place.x == store->blocks[first]->place.x &&
			store->blocks[end]->place.z == store->blocks[first]->place.z)
		{
			awake += store->blocks[end++]->awakeCount;
		}
		for (int32_t column = 0; column < 64 && awake > 0; ++column)
		{
			for (int32_t b = first; b < end; ++b)
			{
				tnVoxelBlock* block = store->blocks[b];
				for (uint32_t bits = block->awake[column]; bits != 0; bits &= bits - 1)
				{
					tnAddPick(world, block, column * 8 + tnFindLowestBit(bits));
					awake -= 1;
				}
			}
		}
		first = end;
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Neighbourhoods

// Chunks that one looks at, at most: those beside it, below and above, and those beside these.
#define TN_MAX_AROUND 14

// The way goes sideways first, as in tnGatherPad. Returns how many are loaded.
static int32_t tnFindAround(tnVoxelBlock* block, int32_t chunk, tnVoxelChunk* around[TN_MAX_AROUND])
{
	int32_t count = 0;
	for (int side = 0; side < tn_voxelSideCount; ++side)
	{
		tnVoxelBlock* owner;
		int32_t index;
		tnVoxelChunk* beside = tnVoxelBlock_GetNeighbour(block, chunk, (tnVoxelSide)side, &owner, &index);
		if (beside == NULL)
		{
			continue;
		}
		around[count++] = beside;
		for (int way = tn_voxelDown; way <= tn_voxelUp && side < tn_voxelDown; ++way)
		{
			tnVoxelBlock* next;
			int32_t nextIndex;
			tnVoxelChunk* found = tnVoxelBlock_GetNeighbour(owner, index, (tnVoxelSide)way, &next, &nextIndex);
			if (found != NULL)
			{
				around[count++] = found;
			}
		}
	}
	return count;
}

// Awake, and not waiting for a page.
static bool tnCanTakePart(const tnVoxelChunk* chunk)
{
	return chunk->layers != 0 && chunk->liquid != NULL;
}

// Select a chunk and all around it, if what that takes fits, or must. Returns how much it takes, -1 if it does not fit.
static int64_t tnTakeNeighbourhood(const tnVoxelPick* pick, int64_t limit, bool must)
{
	tnVoxelChunk* chunks[TN_MAX_AROUND + 1];
	const int32_t count = tnFindAround(pick->block, pick->chunk, chunks) + 1;
	chunks[count - 1] = pick->block->chunks + pick->chunk;
	int64_t work = 0;
	for (int32_t i = 0; i < count; ++i)
	{
		work += tnCanTakePart(chunks[i]) && !chunks[i]->selected ? tnGetWork(chunks[i]) : 0;
	}
	if (work > limit && !must)
	{
		return -1;
	}
	for (int32_t i = 0; i < count; ++i)
	{
		chunks[i]->selected = chunks[i]->selected || tnCanTakePart(chunks[i]);
	}
	return work;
}

void tnVoxelWorld_KeepAwake(tnVoxelWorld* world)
{
	for (int32_t i = 0; i < world->pickCount; ++i)
	{
		world->picks[i].block->chunks[world->picks[i].chunk].selected = true;
	}
	for (int32_t i = 0; i < world->pickCount; ++i)
	{
		tnVoxelPick* pick = world->picks + i;
		tnVoxelChunk* around[TN_MAX_AROUND];
		const int32_t count = tnFindAround(pick->block, pick->chunk, around);
		for (int32_t j = 0; j < count; ++j)
		{
			pick->moving |= around[j]->layers != 0 && !around[j]->selected ? pick->layers : 0;
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Near ones first

// How far a chunk is from the nearest point of interest, in chunks, up to TN_FARTHEST.
#define TN_FARTHEST 1023

static int32_t tnGetDistance(const tnVoxelWorld* world, const tnVoxelPick* pick)
{
	const tnVoxel place = tnGetChunkPlace(pick->block, pick->chunk);
	int32_t nearest = TN_FARTHEST;
	for (int32_t i = 0; i < world->interestCount; ++i)
	{
		const tnVoxel point = world->interests[i];
		const int32_t x = (point.x >> 4) - place.x;
		const int32_t y = (point.y >> 4) - place.y;
		const int32_t z = (point.z >> 4) - place.z;
		const int32_t distance = tnMaxInt(tnMaxInt(x < 0 ? -x : x, y < 0 ? -y : y), z < 0 ? -z : z);
		nearest = tnMinInt(nearest, distance);
	}
	return nearest;
}

// Picks by distance, and those of one distance as they come.
static void tnSortByDistance(const tnVoxelWorld* world, int32_t* order)
{
	int32_t starts[TN_FARTHEST + 2] = {0};
	for (int32_t i = 0; i < world->pickCount; ++i)
	{
		starts[tnGetDistance(world, world->picks + i) + 1] += 1;
	}
	for (int32_t i = 0; i < TN_FARTHEST; ++i)
	{
		starts[i + 1] += starts[i];
	}
	for (int32_t i = 0; i < world->pickCount; ++i)
	{
		order[starts[tnGetDistance(world, world->picks + i)]++] = i;
	}
}

// Returns how much that takes.
static int64_t tnTakeNearest(tnVoxelWorld* world, int64_t limit, bool must)
{
	int32_t* order = world->columns; // has no use yet
	tnSortByDistance(world, order);
	int64_t sum = 0;
	for (int32_t i = 0; i < world->pickCount; ++i)
	{
		const int64_t work = tnTakeNeighbourhood(world->picks + order[i], limit - sum, must && i == 0);
		if (work < 0)
		{
			break;
		}
		sum += work;
	}
	return sum;
}

// ---------------------------------------------------------------------------------------------------------------------
// All in turn

// Does chunk a come after b in the order of picks?
static bool tnIsAfter(tnVoxel a, tnVoxel b)
{
	const int32_t keysA[5] = {a.x >> 3, a.z >> 3, a.z & 7, a.x & 7, a.y};
	const int32_t keysB[5] = {b.x >> 3, b.z >> 3, b.z & 7, b.x & 7, b.y};
	for (int i = 0; i < 5; ++i)
	{
		if (keysA[i] != keysB[i])
		{
			return keysA[i] > keysB[i];
		}
	}
	return false;
}

static void tnTakeInTurn(tnVoxelWorld* world, int64_t limit, bool must)
{
	int32_t low = 0;
	int32_t high = world->pickCount;
	while (low < high)
	{
		const int32_t middle = (low + high) / 2;
		const tnVoxelPick* pick = world->picks + middle;
		const bool isAfter = tnIsAfter(tnGetChunkPlace(pick->block, pick->chunk), world->cursor);
		low = isAfter ? low : middle + 1;
		high = isAfter ? middle : high;
	}
	int64_t sum = 0;
	for (int32_t i = 0; i < world->pickCount; ++i)
	{
		const tnVoxelPick* pick = world->picks + (low + i) % world->pickCount;
		const int64_t work = tnTakeNeighbourhood(pick, limit - sum, must && sum == 0);
		if (work < 0)
		{
			break;
		}
		sum += work;
		world->cursor = tnGetChunkPlace(pick->block, pick->chunk);
	}
}

// Single units go along x and z in turn, and chunks that have their own turn each so many steps must not find the same one
// always: the number goes on by one from step to step, but now and then it jumps.
static int64_t tnGetTurn(int64_t stepCount)
{
	uint32_t jump = (uint32_t)(stepCount / 16) * 0x9e3779b1u;
	jump = (jump ^ jump >> 15) * 0x2c1b3c6du;
	jump = (jump ^ jump >> 12) * 0x297a2d39u;
	return stepCount + (int64_t)(jump >> 16);
}

static void tnKeepSelected(tnVoxelWorld* world)
{
	int32_t kept = 0;
	for (int32_t i = 0; i < world->pickCount; ++i)
	{
		if (world->picks[i].block->chunks[world->picks[i].chunk].selected)
		{
			world->picks[kept++] = world->picks[i];
		}
	}
	world->pickCount = kept;
}

static int64_t tnSumWork(const tnVoxelWorld* world)
{
	int64_t sum = 0;
	for (int32_t i = 0; i < world->pickCount; ++i)
	{
		sum += tnGetWork(world->picks[i].block->chunks + world->picks[i].chunk);
	}
	return sum;
}

void tnVoxelWorld_Pick(tnVoxelWorld* world, int64_t workLimit)
{
	tnPickAwake(world);
	world->turn = world->stepCount;
	world->isPartial = world->stats.waitingChunkCount > 0;
	int64_t work = tnSumWork(world);
	if (workLimit > 0 && work > workLimit)
	{
		const bool isNearTurn = world->interestCount > 0 && world->stepCount % 2 == 0;
		const int64_t near = world->interestCount > 0 ? tnTakeNearest(world, workLimit / 2, isNearTurn) : 0;
		tnTakeInTurn(world, workLimit - near, !isNearTurn);
		tnKeepSelected(world);
		world->turn = tnGetTurn(world->stepCount);
		world->isPartial = true;
		work = tnSumWork(world);
	}
	world->stats.workedChunkCount = world->pickCount;
	world->stats.workedVoxelCount = work;
}

// ---------------------------------------------------------------------------------------------------------------------
// Points of interest

tnResult tnVoxelWorld_SetInterests(tnVoxelWorld* world, const tnVoxel* points, int count)
{
	const tnResult result = tnVoxelWorld_CheckReady(world);
	if (result.status != tn_ok)
	{
		return result;
	}
	if (count < 0 || count > TN_MAX_VOXEL_INTERESTS || (points == NULL && count > 0))
	{
		return tnVoxelWorld_Report(world,
			tnFail(tn_invalidArgument, "count must be in [0, %d] with points, got %d", TN_MAX_VOXEL_INTERESTS, count));
	}
	for (int i = 0; i < count; ++i)
	{
		world->interests[i] = points[i];
	}
	world->interestCount = count;
	return result;
}
