// SPDX-License-Identifier: MIT

// Memory of one world.

#pragma once

#include "core.h"

// Memory of one world: the host's hooks, or the C library's, with a count and a limit.
typedef struct tnMemory
{
	tnAllocator allocator;
	size_t byteCount;
	size_t byteLimit; // 0: none
	size_t refused;   // how many bytes there would have been with the last block that was refused
	bool limited;     // by byteLimit, not by the allocator
} tnMemory;

void tnMemory_Init(tnMemory* memory, const tnAllocator* allocator, size_t byteLimit);

// Zeroed, aligned to 64 bytes. NULL if the limit or the allocator says no. Size 0 gives NULL.
void* tnMemory_Alloc(tnMemory* memory, size_t size);
// The same with whatever was there before.
void* tnMemory_AllocDirty(tnMemory* memory, size_t size);
void tnMemory_Free(tnMemory* memory, void* block, size_t size);

enum
{
	TN_MEMORY_TEXT = 80,
};

// For the text of a result, after a block was refused: "33.5 KiB are needed at least, memoryLimit is 1000 bytes".
// @param least bytes that are needed for what it is about, as far as known; 0 if not
void tnMemory_Explain(const tnMemory* memory, size_t least, char text[TN_MEMORY_TEXT]);

// Arrays that share a block, one after the other, each from a line of the cache on. Under the address sanitizer there is
// a red zone behind each of them, so that it sees who writes beyond the end of one into the next.
typedef struct tnCarver
{
	char* block; // NULL: only count
	size_t used; // bytes; when all is carved, how long the block must be
} tnCarver;

// NULL if there is no block.
void* tnCarve(tnCarver* carver, size_t bytes);

// For arrays that are dealt out anew now and then: the same by hand. Without the address sanitizer both do nothing, and no
// room has to be left for it.
bool tnMemory_HasRedZones(void);
void tnMemory_Forbid(void* part, size_t bytes);
void tnMemory_Allow(void* part, size_t bytes);

// Grow an array that may be NULL (oldSize 0). On failure the old array is untouched and NULL is returned.
void* tnMemory_Grow(tnMemory* memory, void* block, size_t oldSize, size_t newSize);
