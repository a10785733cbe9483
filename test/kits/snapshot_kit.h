// SPDX-License-Identifier: MIT

// What tests of snapshots share: bytes of a world, and memory that counts what is asked of it.

#pragma once

#include "harness.h"
#include "tarn/query.h"
#include "tarn/snapshot.h"

#include <stdlib.h>
#include <string.h>

typedef struct Bytes
{
	uint8_t* data;
	size_t size;
} Bytes;

static inline bool SaveWorld(const tnWorld* world, Bytes* bytes)
{
	*bytes = (Bytes){0};
	if (tnWorld_Save(world, NULL, 0, &bytes->size).status != tn_ok)
	{
		return false;
	}
	bytes->data = malloc(bytes->size);
	size_t size = 0;
	return tnWorld_Save(world, bytes->data, bytes->size, &size).status == tn_ok && size == bytes->size;
}

static inline void FreeBytes(Bytes* bytes)
{
	free(bytes->data);
	*bytes = (Bytes){0};
}

typedef struct CountedMemory
{
	int64_t count;  // of allocations
	int64_t failAt; // 0: none fails
} CountedMemory;

static inline void* CountedAlloc(size_t size, size_t alignment, void* context)
{
	CountedMemory* memory = context;
	memory->count += 1;
	return memory->count == memory->failAt ? NULL : TestAllocAligned(size, alignment);
}

static inline void CountedFree(void* block, size_t size, void* context)
{
	(void)size;
	(void)context;
	TestFreeAligned(block);
}

// Refused, with a text, and nothing has changed.
static inline bool IsRefused(tnWorld* world, const uint8_t* data, size_t size)
{
	const uint64_t hash = tnWorld_GetHash(world);
	const tnResult result = tnWorld_Restore(world, data, size);
	return result.status == tn_invalidArgument && result.text[0] != 0 && tnWorld_GetHash(world) == hash;
}
