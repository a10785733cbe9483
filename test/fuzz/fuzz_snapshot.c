// SPDX-License-Identifier: MIT

// Snapshots that somebody has changed. The first bytes choose a small world with all layers and how long it runs before it is
// saved; the others say which bytes of its snapshot become what, or where it is cut and spliced. Sums are put right then: without
// that nothing would get further than to them. What is refused changes nothing. What is let in can be stepped, saved and restored
// again, whatever it is.

#include "busy_world.h"
#include "core/archive.h"

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
static int IgnoreAssert(const char* condition, const char* file, int line)
{
	(void)condition, (void)file, (void)line;
	return 0;
}

typedef struct Input
{
	const uint8_t* bytes;
	size_t size;
} Input;

static uint32_t Draw(Input* input, int count)
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

// Change the bytes of a snapshot. Returns its size.
static size_t Spoil(Input* input, uint8_t* data, size_t size)
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

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
	tnSetAssertHandler(IgnoreAssert);
	Input input = {bytes, size};
	const uint32_t seed = Draw(&input, 1) % 64;
	const int stepCount = (int)(Draw(&input, 1) % 12);
	const bool mends = Draw(&input, 1) % 8 != 0;
	BusyWorld busy;
	REQUIRE(MakeBusyWorld(&busy, seed, 1, false));
	for (int i = 0; i < stepCount; ++i)
	{
		REQUIRE(StepBusyWorld(&busy).status == tn_ok);
	}
	size_t saveSize = 0;
	REQUIRE(tnWorld_Save(busy.world, NULL, 0, &saveSize).status == tn_ok);
	uint8_t* data = malloc(saveSize);
	REQUIRE(tnWorld_Save(busy.world, data, saveSize, &saveSize).status == tn_ok);
	saveSize = Spoil(&input, data, saveSize);
	// In its own block, so that nothing behind it can be read.
	uint8_t* save = malloc(saveSize);
	memcpy(save, data, saveSize);
	free(data);
	if (mends)
	{
		tnMendSnapshot(save, saveSize);
	}
	const uint64_t hash = tnWorld_GetHash(busy.world);
	tnWorldDef hooks = tnDefaultWorldDef();
	hooks.memoryLimit = (size_t)256 << 20;
	tnWorld* other = NULL;
	const tnResult made = tnCreateWorldFrom(save, saveSize, &hooks, &other);
	REQUIRE((made.status == tn_ok) == (other != NULL));
	const tnResult restored = tnWorld_Restore(busy.world, save, saveSize);
	REQUIRE(restored.status == tn_ok || (restored.text[0] != 0 && tnWorld_GetHash(busy.world) == hash));
	REQUIRE(restored.status != tn_ok || made.status != tn_invalidArgument);
	tnWorld* worlds[2] = {busy.world, other};
	for (int i = 0; i < 2; ++i)
	{
		for (int k = 0; k < 3 && worlds[i] != NULL; ++k)
		{
			REQUIRE(tnWorld_Step(worlds[i], 1.0f / 60.0f).status == tn_ok);
		}
		size_t again = 0;
		REQUIRE(worlds[i] == NULL || tnWorld_Save(worlds[i], NULL, 0, &again).status == tn_ok);
		tnDestroyWorld(worlds[i]);
	}
	free(save);
	return 0;
}
