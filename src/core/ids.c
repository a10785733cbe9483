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
	uint32_t* generation = pool->generations + index;
	*generation = (*generation > pool->floor ? *generation : pool->floor) + 1;
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

// What was handed out of a slot up to now is nobody's any more.
static void tnEndGeneration(tnIdPool* pool, uint32_t generation)
{
	const uint32_t even = generation + (generation & 1u);
	pool->floor = even > pool->floor ? even : pool->floor;
}

void tnIdPool_BeginReturn(tnIdPool* pool, int slotCount)
{
	for (int i = slotCount; i < pool->slotCount; ++i)
	{
		tnEndGeneration(pool, pool->generations[i]);
		pool->generations[i] = 0;
	}
	pool->slotCount = slotCount;
	pool->count = 0;
}

void tnIdPool_ReturnSlot(tnIdPool* pool, int index, uint32_t generation)
{
	TN_ASSERT(index < pool->capacity);
	if (pool->generations[index] > generation)
	{
		tnEndGeneration(pool, pool->generations[index]);
	}
	pool->generations[index] = generation;
	pool->count += tnIsGenerationUsed(generation) ? 1 : 0;
}

void tnIdPool_EndReturn(tnIdPool* pool)
{
	pool->firstFree = 0;
	while (pool->firstFree < pool->slotCount && tnIsGenerationUsed(pool->generations[pool->firstFree]))
	{
		pool->firstFree += 1;
	}
}

void tnIdPool_Outlive(tnIdPool* pool, const tnIdPool* other)
{
	tnEndGeneration(pool, other->floor);
	for (int i = 0; i < other->slotCount; ++i)
	{
		if (i >= pool->slotCount || other->generations[i] > pool->generations[i])
		{
			tnEndGeneration(pool, other->generations[i]);
		}
	}
}

int tnIdPool_Archive(tnIdPool* pool, tnArchive* archive, const char* name)
{
	int slotCount = pool->slotCount;
	uint32_t floor = pool->floor;
	// Each has a generation at least.
	const size_t rest = tnArchive_Reads(archive) ? tnArchive_GetRest(archive) / sizeof(uint32_t) : INT32_MAX;
	tnArchive_Int(archive, &slotCount, 0, rest < INT32_MAX / 4 ? (int)rest : INT32_MAX / 4, name);
	tnArchive_U32(archive, &floor);
	if ((floor & 1u) != 0)
	{
		tnArchive_Refuse(archive, "%s: floor must be even, got %u", name, (unsigned)floor);
	}
	if (tnArchive_Applies(archive))
	{
		// Whatever was handed out until now, by this world or by the one that was saved, is over.
		pool->floor = floor > pool->floor ? floor : pool->floor;
		tnIdPool_BeginReturn(pool, slotCount);
	}
	return slotCount;
}

bool tnIdPool_ArchiveSlot(tnIdPool* pool, tnArchive* archive, int index, uint32_t* told)
{
	uint32_t generation = !tnArchive_Reads(archive) ? pool->generations[index] : 0;
	tnArchive_U32(archive, &generation);
	if (told != NULL)
	{
		*told = generation;
	}
	if (tnArchive_Applies(archive))
	{
		tnIdPool_ReturnSlot(pool, index, generation);
	}
	return tnIsGenerationUsed(generation) && tnArchive_IsOk(archive);
}

void tnIdPool_EndArchive(tnIdPool* pool, tnArchive* archive, int slotCount)
{
	(void)slotCount;
	if (tnArchive_Applies(archive))
	{
		TN_ASSERT(slotCount == pool->slotCount);
		tnIdPool_EndReturn(pool);
	}
}
