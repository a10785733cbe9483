// SPDX-License-Identifier: MIT

// Slots with generations.

#include "ids.h"

enum
{
	// Most worlds have a handful of sources, regions and gauges.
	TN_FIRST_ID_CAPACITY = 16,
};

static bool tnIsGenerationUsed(uint32_t generation)
{
	return (generation & 1u) != 0;
}

bool tnIdPool_Reserve(tnIdPool* pool, tnMemory* memory)
{
	return tnIdPool_ReserveMany(pool, memory, pool->count + 1);
}

bool tnIdPool_ReserveMany(tnIdPool* pool, tnMemory* memory, int count)
{
	int capacity = pool->capacity > 0 ? pool->capacity : TN_FIRST_ID_CAPACITY;
	while (capacity < count)
	{
		// The public index is an int32_t that starts at 1.
		if (capacity > INT32_MAX / 2)
		{
			return false;
		}
		capacity *= 2;
	}
	if (capacity <= pool->capacity)
	{
		return true;
	}
	const size_t unit = sizeof(pool->generations[0]);
	uint32_t* generations =
		tnMemory_Grow(memory, pool->generations, (size_t)pool->capacity * unit, (size_t)capacity * unit);
	if (generations == NULL)
	{
		return false;
	}
	pool->generations = generations;
	pool->capacity = capacity;
	return true;
}

int tnIdPool_GetNext(const tnIdPool* pool)
{
	int index = pool->firstFree;
	while (index < pool->slotCount && tnIsGenerationUsed(pool->generations[index]))
	{
		index += 1;
	}
	return index;
}

int tnIdPool_Take(tnIdPool* pool)
{
	const int index = tnIdPool_GetNext(pool);
	TN_ASSERT(index < pool->capacity);
	pool->generations[index] += 1;
	pool->slotCount = tnMaxInt(pool->slotCount, index + 1);
	pool->firstFree = index + 1;
	pool->count += 1;
	return index;
}

void tnIdPool_Release(tnIdPool* pool, int index)
{
	TN_ASSERT(tnIdPool_IsUsed(pool, index));
	pool->generations[index] += 1;
	pool->firstFree = tnMinInt(pool->firstFree, index);
	pool->count -= 1;
}

bool tnIdPool_IsUsed(const tnIdPool* pool, int index)
{
	return 0 <= index && index < pool->slotCount && tnIsGenerationUsed(pool->generations[index]);
}

uint32_t tnIdPool_GetGeneration(const tnIdPool* pool, int index)
{
	TN_ASSERT(0 <= index && index < pool->slotCount);
	return pool->generations[index];
}

int tnIdPool_Find(const tnIdPool* pool, int32_t index1, uint32_t generation)
{
	if (index1 <= 0 || index1 > pool->slotCount)
	{
		return -1;
	}
	int index = index1 - 1;
	return tnIsGenerationUsed(generation) && pool->generations[index] == generation ? index : -1;
}

void tnIdPool_Destroy(tnIdPool* pool, tnMemory* memory)
{
	tnMemory_Free(memory, pool->generations, (size_t)pool->capacity * sizeof(pool->generations[0]));
	*pool = (tnIdPool){0};
}
