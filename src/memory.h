// SPDX-License-Identifier: MIT

#pragma once

#include "core.h"

// Memory of one world: the host's hooks, or the C library's, with a count and a limit.
typedef struct tnMemory
{
	tnAllocator allocator;
	size_t byteCount;
	size_t byteLimit; // 0: none
} tnMemory;

void tnMemory_Init(tnMemory* memory, const tnAllocator* allocator, size_t byteLimit);

// Zeroed, aligned to 64 bytes. NULL if the limit or the allocator says no. Size 0 gives NULL.
void* tnMemory_Alloc(tnMemory* memory, size_t size);
void tnMemory_Free(tnMemory* memory, void* block, size_t size);

// Grow an array that may be NULL (oldSize 0). On failure the old array is untouched and NULL is returned.
void* tnMemory_Grow(tnMemory* memory, void* block, size_t oldSize, size_t newSize);
