// SPDX-License-Identifier: MIT

#pragma once

// What fuzz targets of bytes of worlds share: inputs that say which bytes of something right become what.

#include "busy_world.h"

#include <stdlib.h>
#include <string.h>

#define REQUIRE(condition) \
	do                     \
	{                      \
		if (!(condition))  \
		{                  \
			abort();       \
		}                  \
	} while (0)

// Bytes may tell of water that no flow would have made: what it breaks is nobody's promise but that of memory.
static inline int IgnoreAssert(const char* condition, const char* file, int line)
{
	(void)condition, (void)file, (void)line;
	return 0;
}

typedef struct Input
{
	const uint8_t* bytes;
	size_t size;
} Input;

static inline uint32_t Draw(Input* input, int count)
{
	uint32_t value = 0;
	for (int i = 0; i < count; ++i)
	{
		value = value << 8 | (input->size > 0 ? *input->bytes : 0);
		input->bytes += input->size > 0 ? 1 : 0;
		input->size -= input->size > 0 ? 1 : 0;
	}
	return value;
}

// Change bytes. Returns how many are left.
static inline size_t Spoil(Input* input, uint8_t* data, size_t size)
{
	static const uint32_t s_words[] = {
		0x7fc00000u, 0x7f800000u, 0xffffffffu, 0x80000000u, 0x7fffffffu, 0x7f7fffffu, 1u};
	while (input->size >= 5)
	{
		const uint32_t kind = Draw(input, 1) % 8;
		const size_t at = Draw(input, 3) % size;
		const uint32_t value = Draw(input, 1);
		if (kind < 4)
		{
			data[at] = (uint8_t)value;
		}
		else if (kind < 6 && at + 4 <= size)
		{
			memcpy(data + at, s_words + value % 7, 4);
		}
		else if (kind == 6 && at + value <= size)
		{
			memmove(data + at, data + size / 2, value < size / 2 ? value : 0);
		}
		else if (kind == 7)
		{
			size -= size > 128 + value ? value : 0;
		}
	}
	return size;
}

// A small world with all layers that has run for some steps, chosen by the input.
static inline void MakeFuzzWorld(BusyWorld* busy, Input* input)
{
	tnSetAssertHandler(IgnoreAssert);
	const uint32_t seed = Draw(input, 1) % 64;
	const int stepCount = (int)(Draw(input, 1) % 12);
	REQUIRE(MakeBusyWorld(busy, seed, 1, false));
	for (int i = 0; i < stepCount; ++i)
	{
		REQUIRE(StepBusyWorld(busy).status == tn_ok);
	}
}

// In a block of its own, so that nothing behind it can be read.
static inline uint8_t* CopyExactly(const uint8_t* bytes, size_t size)
{
	uint8_t* copy = malloc(size > 0 ? size : 1);
	memcpy(copy, bytes, size);
	return copy;
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);
