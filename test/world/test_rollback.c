// SPDX-License-Identifier: MIT

// Going back some steps, and the same steps again; deltas from one machine to another; and bytes of deltas that are not what was
// written.

#include "busy_world.h"
#include "world/rollback.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	allImages = 9,
};

// A world of several tiles, most of them with some that sleep. Every third is of one tile.
static bool MakeWide(BusyWorld* busy, uint64_t seed, tnAllocator allocator)
{
	return MakeScaledBusyWorld(busy, seed, 1, false, allocator, seed % 3 == 0 ? 1 : busyScale);
}

static size_t GetSize(const tnWorld* world)
{
	size_t size = 0;
	return tnWorld_Save(world, NULL, 0, &size).status == tn_ok ? size : 0;
}

static uint64_t HashBytes(const tnWorld* world)
{
	size_t size = 0;
	if (tnWorld_Save(world, NULL, 0, &size).status != tn_ok)
	{
		return 0;
	}
	uint8_t* bytes = malloc(size);
	const bool ok = tnWorld_Save(world, bytes, size, &size).status == tn_ok;
	const uint64_t sum = ok ? tnSumBytes(bytes, size) : 0;
	free(bytes);
	return sum;
}

static tnRollback* MakeRollback(tnWorld* world, int imageCount)
{
	tnRollbackDef def = tnDefaultRollbackDef();
	def.imageCount = imageCount;
	tnRollback* rollback = NULL;
	return tnCreateRollback(world, &def, &rollback).status == tn_ok ? rollback : NULL;
}

static bool HaveSameBodies(const BusyWorld* a, const BusyWorld* b)
{
	for (int i = 0; i < a->bodyCount; ++i)
	{
		tnWrench first, second;
		if (tnWorld_GetBodyWrench(a->world, a->bodies[i], &first).status != tn_ok ||
			tnWorld_GetBodyWrench(b->world, b->bodies[i], &second).status != tn_ok ||
			memcmp(&first, &second, sizeof(first)) != 0)
		{
			return false;
		}
	}
	return true;
}

// Random steps forth and back: what is restored is saved as the same bytes as when it was pushed, unless it has a field of zeros
// that it did not have then.
static int GoesBack(void)
{
	for (uint64_t seed = 1; seed <= (uint64_t)TEST_REPEATS(9); ++seed)
	{
		BusyWorld busy;
		ENSURE(MakeWide(&busy, seed, (tnAllocator){0}));
		TestRandom random = TestMakeRandom(seed * 31);
		tnRollback* rollback = MakeRollback(busy.world, allImages);
		ENSURE(rollback != NULL);
		uint64_t hashes[64], saves[64];
		size_t sizes[64];
		BusyWorld states[64];
		int count = 0, there = 0;
		for (int i = 0; i < 40; ++i)
		{
			ENSURE_OK(tnRollback_Push(rollback));
			there += there < allImages ? 1 : 0;
			states[count] = busy;
			hashes[count] = tnWorld_GetHash(busy.world);
			saves[count] = HashBytes(busy.world);
			sizes[count] = GetSize(busy.world);
			count += 1;
			ENSURE_EQUAL_INT(tnRollback_GetCount(rollback), there);
			for (int k = TestRandomInt(&random, 0, 2); k > 0; --k)
			{
				ENSURE(StepBusyWorld(&busy).status == tn_ok);
			}
			if (IsBusyChance(&random, 4))
			{
				const int index = TestRandomInt(&random, 0, there - 1);
				ENSURE_OK(tnRollback_Restore(rollback, index));
				there -= index;
				ENSURE_EQUAL_INT(tnRollback_GetCount(rollback), there);
				count -= index;
				busy = states[count - 1];
				if (tnWorld_GetHash(busy.world) != hashes[count - 1])
				{
					printf("seed %llu: another hash %d images back\n", (unsigned long long)seed, index);
					return 1;
				}
				if (GetSize(busy.world) == sizes[count - 1] && HashBytes(busy.world) != saves[count - 1])
				{
					printf("seed %llu: other bytes %d images back\n", (unsigned long long)seed, index);
					return 1;
				}
			}
		}
		tnDestroyRollback(rollback);
		tnDestroyWorld(busy.world);
	}
	return 0;
}

// Eight steps back and again, against a world that did nothing of it.
static int StepsAgain(void)
{
	for (uint64_t seed = 101; seed <= 100 + (uint64_t)TEST_REPEATS(8); ++seed)
	{
		BusyWorld busy, reference;
		ENSURE(MakeWide(&busy, seed, (tnAllocator){0}));
		ENSURE(MakeWide(&reference, seed, (tnAllocator){0}));
		tnRollback* rollback = MakeRollback(busy.world, allImages);
		ENSURE(rollback != NULL);
		for (int round = 0; round < 3; ++round)
		{
			BusyWorld states[8];
			for (int attempt = 0; attempt < 2; ++attempt)
			{
				for (int i = 0; i < 8; ++i)
				{
					ENSURE_OK(tnRollback_Push(rollback));
					states[i] = busy;
					ENSURE(StepBusyWorld(&busy).status == tn_ok);
				}
				if (attempt == 0)
				{
					ENSURE_OK(tnRollback_Restore(rollback, 7));
					busy = states[0];
				}
			}
			for (int i = 0; i < 8; ++i)
			{
				ENSURE(StepBusyWorld(&reference).status == tn_ok);
			}
			ENSURE_EQUAL_HEX(tnWorld_GetHash(busy.world), tnWorld_GetHash(reference.world));
			ENSURE(HaveSameBodies(&busy, &reference));
		}
		tnDestroyRollback(rollback);
		tnDestroyWorld(busy.world);
		tnDestroyWorld(reference.world);
	}
	return 0;
}

typedef struct CountedMemory
{
	int64_t count, failAt;
} CountedMemory;

static void* CountedAlloc(size_t size, size_t alignment, void* context)
{
	CountedMemory* memory = context;
	memory->count += 1;
	return memory->count == memory->failAt ? NULL : TestAllocAligned(size, alignment);
}

static void CountedFree(void* block, size_t size, void* context)
{
	(void)size;
	(void)context;
	TestFreeAligned(block);
}

// A pool in one corner of a large dry world: what is pushed is what moved.
static tnWorld* MakeCornerPool(tnAllocator allocator, int side)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = side, def.rowCount = side;
	def.enableSleep = true;
	def.allocator = allocator;
	tnWorld* world = NULL;
	const tnBrush brush = {.kind = tn_raiseBrush, .center = {20.0f, 20.0f}, .radius = 15.0f, .amount = -5.0f};
	return tnCreateWorld(&def, &world).status == tn_ok && tnWorld_EditTerrain(world, &brush).status == tn_ok &&
			tnWorld_AddWater(world, (tnVec2){20.0f, 20.0f}, 8.0f, 300.0f, NULL).status == tn_ok
		? world
		: NULL;
}

// Memory is asked for once, and an image has of its own what changed.
static int CopiesWhatChanged(void)
{
	CountedMemory memory = {0};
	const tnAllocator allocator = {CountedAlloc, CountedFree, &memory};
	tnWorld* world = MakeCornerPool(allocator, 640);
	ENSURE(world != NULL);
	for (int i = 0; i < 120; ++i)
	{
		ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
	}
	const tnStats stats = tnWorld_GetStats(world);
	ENSURE_EQUAL_INT(stats.awakeTileCount, 4);
	tnRollback* rollback = MakeRollback(world, 9);
	ENSURE(rollback != NULL);
	const int64_t before = memory.count;
	for (int i = 0; i < 30; ++i)
	{
		ENSURE_OK(tnRollback_Push(rollback));
		tnRollbackImage image;
		ENSURE_OK(tnRollback_GetImage(rollback, 0, &image));
		ENSURE_EQUAL_INT(image.stepCount, 120 + i - i / 7);
		// Depth and flow of tiles that are awake; the bytes besides.
		const size_t tile = 65 * 65 * sizeof(float) + 16;
		ENSURE(image.byteCount >= 100 * 4 * tile);
		ENSURE(i == 0 || image.ownBytes <= (size_t)stats.awakeTileCount * 3 * tile + 8 * tile);
		ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		if (i % 7 == 6)
		{
			ENSURE_OK(tnRollback_Restore(rollback, 0));
		}
	}
	ENSURE_EQUAL_INT(memory.count, before);
	tnDestroyRollback(rollback);
	tnDestroyWorld(world);
	return 0;
}

// With little memory the oldest images go early, and nothing else happens.
static int LivesWithLittle(void)
{
	tnWorld* world = MakeCornerPool((tnAllocator){0}, 100);
	ENSURE(world != NULL);
	tnRollbackDef def = tnDefaultRollbackDef();
	def.imageCount = 50;
	def.byteCount = 1;
	tnRollback* rollback;
	const tnResult result = tnCreateRollback(world, &def, &rollback);
	ENSURE(result.status == tn_invalidArgument && rollback == NULL);
	// The text says how much it takes.
	const char* text = strstr(result.text, "at least ");
	ENSURE(text != NULL);
	def.byteCount = (size_t)strtoull(text + 9, NULL, 10);
	ENSURE_OK(tnCreateRollback(world, &def, &rollback));
	for (int i = 0; i < 60; ++i)
	{
		ENSURE_OK(tnRollback_Push(rollback));
		ENSURE(tnRollback_GetCount(rollback) >= (i < 2 ? i + 1 : 2) && tnRollback_GetCount(rollback) < 50);
		ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
	}
	tnRollbackImage oldest;
	ENSURE_OK(tnRollback_GetImage(rollback, tnRollback_GetCount(rollback) - 1, &oldest));
	ENSURE_OK(tnRollback_Restore(rollback, tnRollback_GetCount(rollback) - 1));
	ENSURE_EQUAL_INT(tnWorld_GetStats(world).stepCount, oldest.stepCount);
	tnDestroyRollback(rollback);
	tnDestroyWorld(world);
	return 0;
}

static int RefusesBadCalls(void)
{
	tnWorld* world = MakeCornerPool((tnAllocator){0}, 40);
	ENSURE(world != NULL);
	tnRollbackDef def = tnDefaultRollbackDef();
	tnRollback* rollback;
	ENSURE(tnCreateRollback(NULL, &def, &rollback).status == tn_invalidArgument && rollback == NULL);
	ENSURE(tnCreateRollback(world, NULL, &rollback).status == tn_invalidArgument);
	ENSURE(tnCreateRollback(world, &def, NULL).status == tn_invalidArgument);
	def.imageCount = 0;
	tnResult result = tnCreateRollback(world, &def, &rollback);
	ENSURE(result.status == tn_invalidArgument && strstr(result.text, "imageCount") != NULL);
	def = tnDefaultRollbackDef();
	def.stamp = 0;
	ENSURE(tnCreateRollback(world, &def, &rollback).status == tn_invalidArgument);
	def = tnDefaultRollbackDef();
	ENSURE_OK(tnCreateRollback(world, &def, &rollback));
	ENSURE(tnRollback_Push(NULL).status == tn_invalidArgument);
	ENSURE(tnRollback_Restore(NULL, 0).status == tn_invalidArgument);
	result = tnRollback_Restore(rollback, 0);
	ENSURE(result.status == tn_invalidArgument && strstr(result.text, "index") != NULL);
	ENSURE_EQUAL_INT(tnRollback_GetCount(NULL), 0);
	ENSURE_OK(tnRollback_Push(rollback));
	ENSURE(tnRollback_Restore(rollback, -1).status == tn_invalidArgument);
	ENSURE(tnRollback_Restore(rollback, 1).status == tn_invalidArgument);
	tnRollbackImage image;
	ENSURE(tnRollback_GetImage(rollback, 1, &image).status == tn_invalidArgument);
	ENSURE(tnRollback_GetImage(rollback, 0, NULL).status == tn_invalidArgument);
	ENSURE(tnRollback_GetImage(NULL, 0, &image).status == tn_invalidArgument);
	size_t size = 1;
	ENSURE(tnRollback_SaveDelta(rollback, 0, NULL, 0, &size).status == tn_invalidArgument && size == 0);
	ENSURE(tnRollback_SaveDelta(NULL, 0, NULL, 0, &size).status == tn_invalidArgument);
	ENSURE(tnRollback_RestoreDelta(rollback, NULL, 0).status == tn_invalidArgument);
	ENSURE(tnRollback_RestoreDelta(NULL, &size, sizeof(size)).status == tn_invalidArgument);
	ENSURE_OK(tnRollback_Push(rollback));
	ENSURE(tnRollback_SaveDelta(rollback, 1, NULL, 0, NULL).status == tn_invalidArgument);
	ENSURE(tnRollback_SaveDelta(rollback, 1, NULL, 10, &size).status == tn_invalidArgument);
	tnDestroyRollback(rollback);
	tnDestroyRollback(NULL);
	tnDestroyWorld(world);
	return 0;
}

// Whichever allocation fails: nothing has happened.
static int RunsOutOfMemory(void)
{
	for (uint64_t seed = 3; seed <= 3 + (uint64_t)TEST_REPEATS(4); ++seed)
	{
		CountedMemory memory = {0};
		const tnAllocator allocator = {CountedAlloc, CountedFree, &memory};
		BusyWorld busy;
		ENSURE(MakeBusyWorldWith(&busy, seed, 1, false, allocator));
		ENSURE(StepBusyWorld(&busy).status == tn_ok);
		const uint64_t hash = HashBytes(busy.world);
		tnResult result = {.status = tn_outOfMemory};
		for (int64_t fail = 1; result.status != tn_ok; ++fail)
		{
			memory.count = 0;
			memory.failAt = fail;
			const tnRollbackDef def = tnDefaultRollbackDef();
			tnRollback* rollback;
			result = tnCreateRollback(busy.world, &def, &rollback);
			ENSURE(result.status == tn_ok || (result.status == tn_outOfMemory && rollback == NULL));
			if (rollback != NULL)
			{
				result = tnRollback_Push(rollback);
				ENSURE(result.status == tn_ok || result.status == tn_outOfMemory);
				ENSURE_EQUAL_INT(tnRollback_GetCount(rollback), result.status == tn_ok ? 1 : 0);
				tnDestroyRollback(rollback);
			}
			ENSURE_EQUAL_HEX(HashBytes(busy.world), hash);
		}
		memory.failAt = 0;
		tnDestroyWorld(busy.world);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Deltas

typedef struct Bytes
{
	uint8_t* data;
	size_t size;
} Bytes;

static bool SaveDelta(const tnRollback* rollback, int base, Bytes* bytes)
{
	*bytes = (Bytes){0};
	if (tnRollback_SaveDelta(rollback, base, NULL, 0, &bytes->size).status != tn_ok)
	{
		return false;
	}
	bytes->data = malloc(bytes->size);
	size_t size = 0;
	return tnRollback_SaveDelta(rollback, base, bytes->data, bytes->size, &size).status == tn_ok && size == bytes->size;
}

static tnWorld* CopyWorld(const tnWorld* world)
{
	size_t size = 0;
	(void)tnWorld_Save(world, NULL, 0, &size);
	uint8_t* bytes = malloc(size);
	tnWorld* other = NULL;
	if (tnWorld_Save(world, bytes, size, &size).status == tn_ok)
	{
		(void)tnCreateWorldFrom(bytes, size, NULL, &other);
	}
	free(bytes);
	return other;
}

// A world that only gets deltas is the one that they are of, and goes on like it.
static int FollowsByDeltas(void)
{
	for (uint64_t seed = 1; seed <= (uint64_t)TEST_REPEATS(9); ++seed)
	{
		BusyWorld busy;
		ENSURE(MakeWide(&busy, seed, (tnAllocator){0}));
		TestRandom random = TestMakeRandom(seed * 7);
		for (int i = TestRandomInt(&random, 0, 20); i > 0; --i)
		{
			ENSURE(StepBusyWorld(&busy).status == tn_ok);
		}
		tnWorld* copy = CopyWorld(busy.world);
		ENSURE(copy != NULL);
		tnRollback* here = MakeRollback(busy.world, 6);
		tnRollback* there = MakeRollback(copy, 6);
		ENSURE(here != NULL && there != NULL);
		ENSURE_OK(tnRollback_Push(here));
		ENSURE_OK(tnRollback_Push(there));
		int known = 0; // index here of what they have there
		for (int i = 0; i < 16; ++i)
		{
			for (int k = TestRandomInt(&random, 0, 3); k > 0; --k)
			{
				ENSURE(StepBusyWorld(&busy).status == tn_ok);
			}
			ENSURE_OK(tnRollback_Push(here));
			known += 1;
			if (i < 15 && known < 5 && IsBusyChance(&random, 2))
			{
				continue; // lost
			}
			Bytes bytes;
			ENSURE(SaveDelta(here, known, &bytes));
			tnDeltaInfo info;
			ENSURE_OK(tnReadDeltaInfo(bytes.data, bytes.size, &info));
			const tnResult result = tnRollback_RestoreDelta(there, bytes.data, bytes.size);
			ENSURE_OK(result);
			tnRollbackImage first, second;
			ENSURE_OK(tnRollback_GetImage(here, 0, &first));
			ENSURE_OK(tnRollback_GetImage(there, 0, &second));
			ENSURE(first.sum == second.sum && first.sum == info.sum && first.time == second.time);
			ENSURE_EQUAL_HEX(tnWorld_GetHash(copy), tnWorld_GetHash(busy.world));
			free(bytes.data);
			known = 0;
		}
		for (int i = 0; i < 10; ++i)
		{
			ENSURE_OK(tnWorld_Step(busy.world, 1.0f / 60.0f));
			ENSURE_OK(tnWorld_Step(copy, 1.0f / 60.0f));
		}
		ENSURE_EQUAL_HEX(tnWorld_GetHash(copy), tnWorld_GetHash(busy.world));
		BusyWorld other = busy;
		other.world = copy;
		ENSURE(HaveSameBodies(&busy, &other));
		tnDestroyRollback(here);
		tnDestroyRollback(there);
		tnDestroyWorld(busy.world);
		tnDestroyWorld(copy);
	}
	return 0;
}

// A delta has what changed, and not more.
// A world whose bodies are gone, and one that was made of its bytes: images of both are the same, so the second follows the first.
static int FollowsWhereBodiesWere(void)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = 24, def.rowCount = 18;
	tnWorld *world, *other;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_OK(tnWorld_FillToLevel(world, 1.0f));
	tnShapeDef shape = tnDefaultShapeDef();
	shape.halfExtents = (tnVec3){3.0f, 1.0f, 3.0f};
	tnBodyDef body = tnDefaultBodyDef();
	body.shapes = &shape;
	body.shapeCount = 1;
	body.pose.position = (tnVec3){12.0f, 1.0f, 9.0f};
	tnBodyId id;
	ENSURE_OK(tnWorld_CreateBody(world, &body, &id));
	ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
	ENSURE_OK(tnWorld_DestroyBody(world, id));
	ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
	size_t size = 0;
	ENSURE_OK(tnWorld_Save(world, NULL, 0, &size));
	uint8_t* bytes = malloc(size);
	ENSURE_OK(tnWorld_Save(world, bytes, size, &size));
	ENSURE_OK(tnCreateWorldFrom(bytes, size, NULL, &other));
	free(bytes);
	const tnRollbackDef rollbackDef = tnDefaultRollbackDef();
	tnRollback *first, *second;
	ENSURE_OK(tnCreateRollback(world, &rollbackDef, &first));
	ENSURE_OK(tnCreateRollback(other, &rollbackDef, &second));
	ENSURE_OK(tnRollback_Push(first));
	ENSURE_OK(tnRollback_Push(second));
	ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
	ENSURE_OK(tnRollback_Push(first));
	ENSURE_OK(tnRollback_SaveDelta(first, 1, NULL, 0, &size));
	bytes = malloc(size);
	ENSURE_OK(tnRollback_SaveDelta(first, 1, bytes, size, &size));
	ENSURE_OK(tnRollback_RestoreDelta(second, bytes, size));
	ENSURE_EQUAL_HEX(tnWorld_GetHash(other), tnWorld_GetHash(world));
	free(bytes);
	tnDestroyRollback(first);
	tnDestroyRollback(second);
	tnDestroyWorld(world);
	tnDestroyWorld(other);
	return 0;
}

static int DeltasAreSmall(void)
{
	tnWorld* world = MakeCornerPool((tnAllocator){0}, 640);
	ENSURE(world != NULL);
	tnRollback* rollback = MakeRollback(world, 4);
	for (int i = 0; i < 3; ++i)
	{
		ENSURE_OK(tnRollback_Push(rollback));
		ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
	}
	size_t size = 0, whole = 0;
	ENSURE_OK(tnRollback_SaveDelta(rollback, 1, NULL, 0, &size));
	ENSURE_OK(tnWorld_Save(world, NULL, 0, &whole));
	// Of 100 tiles 4 are awake, and the water is in one.
	ENSURE(size < 3 * 64 * 64 * 4);
	ENSURE_OK(tnWorld_SetAcceleration(world, (tnVec2){0.1f, 0.0f}));
	ENSURE_OK(tnRollback_Push(rollback));
	ENSURE_OK(tnRollback_Push(rollback));
	ENSURE_OK(tnRollback_SaveDelta(rollback, 1, NULL, 0, &size));
	ENSURE(size < 256);
	tnDestroyRollback(rollback);
	tnDestroyWorld(world);
	return 0;
}

// Refused, with a text, and nothing has changed.
static bool IsRefused(tnRollback* rollback, const tnWorld* world, const uint8_t* data, size_t size, const char* word)
{
	const uint64_t hash = HashBytes(world);
	const int count = tnRollback_GetCount(rollback);
	// In its own block, so that nothing behind it can be read.
	uint8_t* copy = malloc(size > 0 ? size : 1);
	memcpy(copy, data, size);
	const tnResult result = tnRollback_RestoreDelta(rollback, copy, size);
	free(copy);
	const bool good = result.status == tn_invalidArgument && strstr(result.text, word) != NULL &&
		HashBytes(world) == hash && tnRollback_GetCount(rollback) == count;
	if (!good)
	{
		printf("status %d, \"%s\" should have %s\n", (int)result.status, result.text, word);
	}
	return good;
}

static int RefusesBadDeltas(void)
{
	BusyWorld busy, foreign;
	ENSURE(MakeBusyWorld(&busy, 9, 1, false));
	ENSURE(MakeBusyWorld(&foreign, 10, 1, false));
	tnRollback* rollback = MakeRollback(busy.world, 5);
	tnRollback* other = MakeRollback(foreign.world, 5);
	for (int i = 0; i < 2; ++i)
	{
		ENSURE_OK(tnRollback_Push(rollback));
		ENSURE_OK(tnRollback_Push(other));
		ENSURE(StepBusyWorld(&busy).status == tn_ok && StepBusyWorld(&foreign).status == tn_ok);
	}
	Bytes bytes, strange;
	ENSURE(SaveDelta(rollback, 1, &bytes) && SaveDelta(other, 1, &strange));
	// Of another world.
	ENSURE(IsRefused(rollback, busy.world, strange.data, strange.size, "base is another"));
	free(strange.data);
	// Cut off anywhere.
	for (size_t size = 0; size < bytes.size; size += size < 200 ? 1 : 997)
	{
		ENSURE(IsRefused(rollback, busy.world, bytes.data, size, size < 72 ? "cut off" : "size"));
	}
	// From the future, and another kind of bytes.
	bytes.data[8] = 2;
	ENSURE(IsRefused(rollback, busy.world, bytes.data, bytes.size, "newer"));
	bytes.data[8] = 1;
	bytes.data[0] = 'x';
	ENSURE(IsRefused(rollback, busy.world, bytes.data, bytes.size, "not bytes of a delta"));
	bytes.data[0] = 't';
	// Flipped anywhere.
	TestRandom random = TestMakeRandom(5);
	for (int i = 0; i < TEST_REPEATS(100); ++i)
	{
		const size_t at = (size_t)TestRandomInt(&random, 24, (int)bytes.size - 1);
		bytes.data[at] ^= (uint8_t)(1u << TestRandomInt(&random, 0, 7));
		ENSURE(IsRefused(rollback, busy.world, bytes.data, bytes.size, "damaged"));
		// Somebody who lies has the right sum. What the image is does not agree with what it should be then, or worse.
		uint8_t* mended = malloc(bytes.size);
		memcpy(mended, bytes.data, bytes.size);
		tnMendDelta(mended, bytes.size);
		if (at < 48 || at >= 56)
		{
			ENSURE(IsRefused(rollback, busy.world, mended, bytes.size, ""));
		}
		free(mended);
		ENSURE(SaveDelta(rollback, 1, &strange));
		free(bytes.data);
		bytes = strange;
	}
	// It is still a good one: whoever has the base gets what this world was.
	ENSURE_OK(tnRollback_RestoreDelta(rollback, bytes.data, bytes.size));
	free(bytes.data);
	tnDestroyRollback(rollback);
	tnDestroyRollback(other);
	tnDestroyWorld(busy.world);
	tnDestroyWorld(foreign.world);
	return 0;
}

static const Test s_tests[] = {
	{"GoesBack", GoesBack},
	{"StepsAgain", StepsAgain},
	{"CopiesWhatChanged", CopiesWhatChanged},
	{"LivesWithLittle", LivesWithLittle},
	{"RefusesBadCalls", RefusesBadCalls},
	{"RunsOutOfMemory", RunsOutOfMemory},
	{"FollowsByDeltas", FollowsByDeltas},
	{"FollowsWhereBodiesWere", FollowsWhereBodiesWere},
	{"DeltasAreSmall", DeltasAreSmall},
	{"RefusesBadDeltas", RefusesBadDeltas},
};

const TestSuite rollbackSuite = TEST_SUITE("rollback", s_tests);
