// SPDX-License-Identifier: MIT

// Memory from the host's hooks, or from the C library.

// For madvise in a build without compiler extensions.
#if defined(__linux__) && !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE
#endif

#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__SANITIZE_ADDRESS__)
#define TN_RED_ZONES 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TN_RED_ZONES 1
#endif
#endif
#ifdef TN_RED_ZONES
#include <sanitizer/asan_interface.h>
#endif
#ifdef _WIN32
#include <malloc.h>
#elif defined(__linux__)
#include <sys/mman.h>
#endif

enum
{
	// A cache line of every processor we know, and enough for every vector width.
	TN_ALIGNMENT = 64,
	// A huge page of x86 and of ARM with small base pages.
	TN_HUGE_PAGE = 1 << 21,
// Behind each part of a block.
#ifdef TN_RED_ZONES
	TN_RED_ZONE = TN_ALIGNMENT,
#else
	TN_RED_ZONE = 0,
#endif
};

bool tnMemory_HasRedZones(void)
{
	return TN_RED_ZONE > 0;
}

// Bytes that nobody may touch, and that one may touch again.
void tnMemory_Forbid(void* memory, size_t size)
{
#ifdef TN_RED_ZONES
	__asan_poison_memory_region(memory, size);
#else
	(void)memory;
	(void)size;
#endif
}

void tnMemory_Allow(void* memory, size_t size)
{
#ifdef TN_RED_ZONES
	__asan_unpoison_memory_region(memory, size);
#else
	(void)memory;
	(void)size;
#endif
}

#ifdef _WIN32

static void* tnDefaultAlloc(size_t size, size_t alignment, void* context)
{
	(void)context;
	return _aligned_malloc(size, alignment);
}

static void tnDefaultFree(void* memory, size_t size, void* context)
{
	(void)size;
	(void)context;
	_aligned_free(memory);
}

#else

// A row of a large field fills a page of 4 KiB, so a random sample would miss the address cache ten times: blocks of
// some megabytes are worth huge pages. But blocks that all begin at the start of a huge page fall on the same sets of
// the caches, row by row. So they begin a little later, each by a different amount, made from its address.
enum
{
	TN_FIRST_HUGE_SIZE = 2 * TN_HUGE_PAGE,
	TN_SHIFT_COUNT = 16,
	// One page of 4 KiB (the size of a way of a first-level cache) and 5 cache lines.
	TN_SHIFT_SIZE = 4096 + 5 * TN_ALIGNMENT,
};

static void* tnDefaultAlloc(size_t size, size_t alignment, void* context)
{
	(void)context;
	// The C library wants a multiple of the alignment. The caller has checked that rounding up cannot overflow.
	if (size < TN_FIRST_HUGE_SIZE)
	{
		const size_t rounded = (size + alignment - 1) / alignment * alignment;
		char* block = aligned_alloc(alignment, rounded);
		if (block != NULL)
		{
			tnMemory_Forbid(block + size, rounded - size);
		}
		return block;
	}
	const size_t needed = size + (TN_SHIFT_COUNT - 1) * TN_SHIFT_SIZE;
	const size_t rounded = (needed + TN_HUGE_PAGE - 1) / TN_HUGE_PAGE * TN_HUGE_PAGE;
	char* block = aligned_alloc(TN_HUGE_PAGE, rounded);
	if (block == NULL)
	{
		return NULL;
	}
#if defined(__linux__) && defined(MADV_HUGEPAGE)
	// A hint: without huge pages everything works as well, only slower. What lies behind the last whole page stays
	// small.
	(void)madvise(block, size / TN_HUGE_PAGE * TN_HUGE_PAGE, MADV_HUGEPAGE);
#endif
	return block + (uintptr_t)block / TN_HUGE_PAGE % TN_SHIFT_COUNT * TN_SHIFT_SIZE;
}

static void tnDefaultFree(void* memory, size_t size, void* context)
{
	(void)context;
	const size_t shift = size < TN_FIRST_HUGE_SIZE ? 0 : (uintptr_t)memory % TN_HUGE_PAGE;
	free((char*)memory - shift);
}

#endif

void tnMemory_Init(tnMemory* memory, const tnAllocator* allocator, size_t byteLimit)
{
	*memory = (tnMemory){.byteLimit = byteLimit};
	if (allocator != NULL && allocator->allocFcn != NULL && allocator->freeFcn != NULL)
	{
		memory->allocator = *allocator;
	}
	else
	{
		memory->allocator.allocFcn = tnDefaultAlloc;
		memory->allocator.freeFcn = tnDefaultFree;
	}
}

void* tnMemory_AllocDirty(tnMemory* memory, size_t size)
{
	// No object may be larger than the distance between two pointers.
	if (size == 0 || size > (size_t)PTRDIFF_MAX - 2 * TN_HUGE_PAGE)
	{
		return NULL;
	}
	if (memory->byteLimit != 0)
	{
		TN_ASSERT(memory->byteCount <= memory->byteLimit);
		if (size > memory->byteLimit - memory->byteCount)
		{
			memory->refused = memory->byteCount + size;
			memory->limited = true;
			return NULL;
		}
	}
	void* block = memory->allocator.allocFcn(size, TN_ALIGNMENT, memory->allocator.context);
	if (block == NULL)
	{
		memory->refused = memory->byteCount + size;
		memory->limited = false;
		return NULL;
	}
	memory->byteCount += size;
	return block;
}

void* tnMemory_Alloc(tnMemory* memory, size_t size)
{
	void* block = tnMemory_AllocDirty(memory, size);
	if (block != NULL)
	{
		memset(block, 0, size);
	}
	return block;
}

void tnMemory_Free(tnMemory* memory, void* block, size_t size)
{
	if (block == NULL)
	{
		return;
	}
	TN_ASSERT(size <= memory->byteCount);
	memory->byteCount -= size;
	tnMemory_Allow(block, size);
	memory->allocator.freeFcn(block, size, memory->allocator.context);
}

// "1000 bytes", "33.5 KiB", "1.5 MiB", "5.0 GiB": small numbers are not rounded to nothing.
static void tnNameBytes(size_t bytes, char* text, size_t size)
{
	static const char* const units[] = {"KiB", "MiB", "GiB", "TiB"};
	if (bytes < 10240)
	{
		snprintf(text, size, "%d bytes", (int)bytes);
		return;
	}
	double value = (double)bytes / 1024.0;
	int unit = 0;
	// 1023.95 would be written as 1024.0.
	while (value >= 1023.95 && unit < 3)
	{
		value /= 1024.0;
		unit += 1;
	}
	snprintf(text, size, "%.1f %s", value, units[unit]);
}

void tnMemory_Explain(const tnMemory* memory, size_t least, char text[TN_MEMORY_TEXT])
{
	char needed[16], limit[16];
	tnNameBytes(memory->refused > least ? memory->refused : least, needed, sizeof(needed));
	tnNameBytes(memory->byteLimit, limit, sizeof(limit));
	if (memory->limited)
	{
		snprintf(text, TN_MEMORY_TEXT, "%s are needed at least, memoryLimit is %s", needed, limit);
	}
	else
	{
		snprintf(text, TN_MEMORY_TEXT, "%s are needed at least, the allocator gave less", needed);
	}
}

void* tnCarve(tnCarver* carver, size_t bytes)
{
	const size_t line = TN_ALIGNMENT;
	const size_t whole = (bytes + line - 1) / line * line + TN_RED_ZONE;
	char* part = carver->block != NULL ? carver->block + carver->used : NULL;
	if (part != NULL)
	{
		tnMemory_Allow(part, bytes);
		tnMemory_Forbid(part + bytes, whole - bytes);
	}
	carver->used += whole;
	return part;
}

void* tnMemory_Grow(tnMemory* memory, void* block, size_t oldSize, size_t newSize)
{
	TN_ASSERT(newSize >= oldSize);
	void* grown = tnMemory_Alloc(memory, newSize);
	if (grown != NULL && block != NULL)
	{
		memcpy(grown, block, oldSize);
		tnMemory_Free(memory, block, oldSize);
	}
	return grown;
}
