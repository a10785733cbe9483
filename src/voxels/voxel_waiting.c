// SPDX-License-Identifier: MIT

// Liquid that has no place waits, and looks for one in each step.

#include "voxel_world.h"

bool tnVoxelWorld_ReserveWaiting(tnVoxelWorld* world, int32_t count)
{
	if (world->waitingCount + count <= world->waitingCapacity)
	{
		return true;
	}
	const int32_t capacity = 2 * (world->waitingCount + count);
	tnVoxelWaiting* grown = tnMemory_Grow(&world->memory, world->waiting,
		(size_t)world->waitingCapacity * sizeof(tnVoxelWaiting), (size_t)capacity * sizeof(tnVoxelWaiting));
	if (grown == NULL)
	{
		return false;
	}
	world->waiting = grown;
	world->waitingCapacity = capacity;
	return true;
}

// Put liquid into the first voxels with room from a place upwards. Returns what is left.
static int64_t tnPlaceAbove(tnVoxelWorld* world, tnVoxel voxel, int32_t kind, int64_t amount)
{
	for (; amount > 0; ++voxel.y)
	{
		tnVoxelBlock* block;
		tnVoxelChunk* chunk =
			tnVoxelStore_FindChunk(&world->store, (tnVoxel){voxel.x >> 4, voxel.y >> 4, voxel.z >> 4}, &block);
		if (chunk == NULL)
		{
			return amount;
		}
		const int32_t index = (voxel.y & 15) * TN_LAYER + (voxel.z & 15) * TN_ROW + (voxel.x & 15);
		const int32_t room = tnGetRoom(&world->store, chunk, index);
		const uint16_t word = tnGetWord(&world->store, chunk, index);
		if (room == 0 && tnGetAmount(word) == 0 && voxel.y > INT32_MIN)
		{
			return amount;
		}
		if (word != 0 && tnGetKind(word) != kind)
		{
			// Above another liquid: it sinks from there, or stays.
			continue;
		}
		const int64_t space = room - tnGetAmount(word);
		const int64_t moved = amount < space ? amount : space;
		if (moved > 0)
		{
			if (!tnVoxelStore_OpenLiquid(&world->store, chunk))
			{
				world->waitingMayFit = true;
				return amount;
			}
			tnVoxelWorld_SetWord(world, block,
				tnGetChunkIndex((voxel.x >> 4) & 7, (voxel.y >> 4) & 7, (voxel.z >> 4) & 7), index,
				tnPackLiquid(kind, tnGetAmount(word) + (int32_t)moved));
			amount -= moved;
		}
	}
	return 0;
}

void tnVoxelWorld_Wait(tnVoxelWorld* world, tnVoxel voxel, int32_t liquid, int64_t amount)
{
	world->waitingMayFit = true;
	TN_ASSERT(world->waitingCount < world->waitingCapacity);
	world->waiting[world->waitingCount++] = (tnVoxelWaiting){voxel, liquid, amount};
}

void tnVoxelWorld_PlaceWaiting(tnVoxelWorld* world)
{
	// What found no place finds none until something changes, which wakes somebody or makes something stale.
	world->waitingRests = world->waitingRests && !tnVoxelWorld_IsBusy(world);
	if (world->waitingCount == 0 || world->waitingRests)
	{
		return;
	}
	world->waitingMayFit = false;
	int32_t kept = 0;
	for (int32_t i = 0; i < world->waitingCount; ++i)
	{
		tnVoxelWaiting waiting = world->waiting[i];
		// From the voxel itself, which may have been dug out again; where it is rock, from the one above it.
		const int64_t before = waiting.amount;
		waiting.amount = tnPlaceAbove(world, waiting.voxel, waiting.liquid, waiting.amount);
		if (waiting.amount == before)
		{
			tnVoxel above = waiting.voxel;
			above.y += 1;
			waiting.amount = tnPlaceAbove(world, above, waiting.liquid, waiting.amount);
		}
		if (waiting.amount > 0)
		{
			world->waiting[kept++] = waiting;
		}
	}
	world->waitingCount = kept;
	// With components it may join one of these (voxel_levels.c).
	world->waitingRests = kept > 0 && world->def.rules == tn_basicRules && !world->waitingMayFit;
}
