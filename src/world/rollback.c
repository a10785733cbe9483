// SPDX-License-Identifier: MIT

// The ring of images that a world goes back to.

#include "rollback.h"

#include "../core/hash.h"
#include "world.h"

#include <string.h>

enum
{
	TN_MOST_IMAGES = 4096,
};

tnRollbackDef tnDefaultRollbackDef(void)
{
	return (tnRollbackDef){.imageCount = 9, .stamp = TN_DEF_STAMP};
}

tnImage* tnRollback_Get(const tnRollback* rollback, int index)
{
	return rollback->images + (rollback->newest - index + rollback->slotCount) % rollback->slotCount;
}

static void tnDropOldest(tnRollback* rollback)
{
	tnImageStore_Release(&rollback->store, tnRollback_Get(rollback, rollback->count - 1));
	rollback->count -= 1;
}

// The newest one is what others are made from, and stays.
static bool tnMakeRoomForImage(void* context)
{
	tnRollback* rollback = context;
	if (rollback->count <= 1 || tnRollback_Get(rollback, rollback->count - 1) == rollback->held)
	{
		return false;
	}
	tnDropOldest(rollback);
	return true;
}

static void tnFreeRollback(tnRollback* rollback)
{
	while (rollback->count > 0)
	{
		tnDropOldest(rollback);
	}
	for (int i = 0; i < rollback->slotCount && rollback->images != NULL; ++i)
	{
		tnImageStore_FreeArrays(&rollback->store, rollback->images + i);
	}
	tnMemory memory = rollback->memory;
	tnMemory_Free(&memory, rollback->images, (size_t)rollback->slotCount * sizeof(tnImage));
	tnMemory_Free(&memory, rollback->seen, (size_t)rollback->tileCount * sizeof(uint32_t));
	tnImageStore_Destroy(&rollback->store);
	tnMemory_Free(&memory, rollback, sizeof(tnRollback));
}

static tnResult tnCheckRollbackDef(const tnRollbackDef* def)
{
	if (def == NULL)
	{
		return tnFail(tn_invalidArgument, "def must not be NULL");
	}
	if (def->stamp != TN_DEF_STAMP)
	{
		return tnFail(tn_invalidArgument, "def.stamp is wrong: start from tnDefaultRollbackDef(), got 0x%x",
			(unsigned)def->stamp);
	}
	if (def->imageCount < 1 || def->imageCount > TN_MOST_IMAGES)
	{
		return tnFail(tn_invalidArgument, "imageCount must be in [1, %d], got %d", TN_MOST_IMAGES, def->imageCount);
	}
	return tnSuccess();
}

tnResult tnCreateRollback(tnWorld* world, const tnRollbackDef* def, tnRollback** rollback)
{
	if (rollback != NULL)
	{
		*rollback = NULL;
	}
	tnResult result = tnWorld_CheckReady(world);
	if (result.status == tn_ok && rollback == NULL)
	{
		result = tnFail(tn_invalidArgument, "rollback must not be NULL");
	}
	result = result.status == tn_ok ? tnCheckRollbackDef(def) : result;
	if (result.status != tn_ok)
	{
		return tnWorld_Report(world, result);
	}
	const size_t blockBytes = tnGetImageBlockBytes(world);
	size_t byteCount = 0;
	const int imageBlocks = tnCountImageBlocks(world, blockBytes, &byteCount);
	// One that is being made while the oldest is still there.
	const size_t blocks =
		def->byteCount > 0 ? def->byteCount / blockBytes : (size_t)imageBlocks * (size_t)(def->imageCount + 1);
	if (def->byteCount > 0 && blocks < 2 * (size_t)imageBlocks)
	{
		return tnWorld_Report(world,
			tnFail(tn_invalidArgument, "byteCount must be at least %zu for this world, or 0, got %zu",
				2 * (size_t)imageBlocks * blockBytes, def->byteCount));
	}
	tnMemory memory;
	tnMemory_Init(&memory, &world->def.allocator, 0);
	tnRollback* made = blocks < INT32_MAX ? tnMemory_Alloc(&memory, sizeof(tnRollback)) : NULL;
	if (made != NULL)
	{
		made->memory = memory;
		made->world = world;
		if (!tnImageStore_Create(&made->store, world, (int)blocks))
		{
			tnMemory_Free(&memory, made, sizeof(tnRollback));
			made = NULL;
		}
	}
	if (made != NULL)
	{
		made->slotCount = def->imageCount + 1;
		made->tileCount = world->tiles.count;
		made->store.grows = def->byteCount == 0;
		made->store.makeRoom = tnMakeRoomForImage;
		made->store.context = made;
		bool ok = (made->images = tnMemory_Alloc(&made->memory, (size_t)made->slotCount * sizeof(tnImage))) != NULL;
		ok = ok && (made->seen = tnMemory_Alloc(&made->memory, (size_t)made->tileCount * sizeof(uint32_t))) != NULL;
		for (int i = 0; i < made->slotCount && ok; ++i)
		{
			ok = tnImageStore_Reserve(&made->store, made->images + i, 24, imageBlocks, byteCount);
		}
		if (!ok)
		{
			tnFreeRollback(made);
			made = NULL;
		}
	}
	if (made == NULL)
	{
		return tnWorld_Report(world,
			tnFail(tn_outOfMemory, "out of memory for %d images: %zu bytes are needed", def->imageCount,
				blocks * blockBytes));
	}
	*rollback = made;
	return result;
}

void tnDestroyRollback(tnRollback* rollback)
{
	// A task of a call that saves or goes back is one too many. Steps in the background have nothing to do with it.
	if (rollback != NULL &&
		(tnWorld_IsStepRunning(rollback->world) ||
			tnWorld_Report(rollback->world, tnWorld_CheckReady(rollback->world)).status == tn_ok))
	{
		tnFreeRollback(rollback);
	}
}

tnResult tnRollback_CheckReady(const tnRollback* rollback)
{
	return rollback == NULL ? tnFail(tn_invalidArgument, "rollback must not be NULL")
							: tnWorld_CheckReady(rollback->world);
}

tnResult tnRollback_Report(const tnRollback* rollback, tnResult result)
{
	return tnWorld_Report(rollback != NULL ? rollback->world : NULL, result);
}

static void tnRollback_See(tnRollback* rollback)
{
	memcpy(rollback->seen, rollback->world->tiles.changes, (size_t)rollback->tileCount * sizeof(uint32_t));
}

tnImage* tnRollback_Begin(tnRollback* rollback)
{
	return tnRollback_Get(rollback, -1);
}

void tnRollback_Keep(tnRollback* rollback)
{
	rollback->newest = (rollback->newest + 1) % rollback->slotCount;
	rollback->count += 1;
	if (rollback->count == rollback->slotCount)
	{
		tnDropOldest(rollback);
	}
	tnRollback_See(rollback);
}

tnResult tnRollback_Push(tnRollback* rollback)
{
	tnResult result = tnRollback_CheckReady(rollback);
	if (result.status == tn_ok)
	{
		const tnImage* before = rollback->count > 0 ? tnRollback_Get(rollback, 0) : NULL;
		result =
			tnImageStore_Write(&rollback->store, rollback->world, tnRollback_Begin(rollback), before, rollback->seen);
		if (result.status == tn_ok)
		{
			tnRollback_Keep(rollback);
		}
	}
	return tnRollback_Report(rollback, result);
}

tnResult tnRollback_CheckIndex(const tnRollback* rollback, int index, int least, const char* name)
{
	if (index < least || index >= rollback->count)
	{
		return tnFail(tn_invalidArgument, "%s must be in [%d, %d), got %d: there are %d images", name, least,
			rollback->count, index, rollback->count);
	}
	return tnSuccess();
}

tnResult tnRollback_Record(const tnRollback* rollback)
{
	return tnWorld_RecordSnapshot(rollback->world)
		? tnSuccess()
		: tnFail(tn_outOfMemory, "the world is restored, but no memory to record that: the recording has ended");
}

tnResult tnRollback_Restore(tnRollback* rollback, int index)
{
	tnResult result = tnRollback_CheckReady(rollback);
	result = result.status == tn_ok ? tnRollback_CheckIndex(rollback, index, 0, "index") : result;
	if (result.status == tn_ok)
	{
		result = tnImageStore_Apply(&rollback->store, rollback->world, tnRollback_Get(rollback, index),
			tnRollback_Get(rollback, 0), rollback->seen);
	}
	if (result.status == tn_ok)
	{
		for (int i = 0; i < index; ++i)
		{
			tnImageStore_Release(&rollback->store, tnRollback_Get(rollback, 0));
			rollback->newest = (rollback->newest - 1 + rollback->slotCount) % rollback->slotCount;
			rollback->count -= 1;
		}
		tnRollback_See(rollback);
		result = tnRollback_Record(rollback);
	}
	return tnRollback_Report(rollback, result);
}

int tnRollback_GetCount(const tnRollback* rollback)
{
	return rollback != NULL ? rollback->count : 0;
}

tnResult tnRollback_GetImage(const tnRollback* rollback, int index, tnRollbackImage* image)
{
	tnResult result = rollback == NULL ? tnFail(tn_invalidArgument, "rollback must not be NULL") : tnSuccess();
	if (image != NULL)
	{
		*image = (tnRollbackImage){0};
	}
	else if (result.status == tn_ok)
	{
		result = tnFail(tn_invalidArgument, "image must not be NULL");
	}
	result = result.status == tn_ok ? tnRollback_CheckIndex(rollback, index, 0, "index") : result;
	if (result.status == tn_ok)
	{
		const tnImage* is = tnRollback_Get(rollback, index);
		*image = (tnRollbackImage){is->time, is->stepCount, is->sum, (size_t)is->ownCount * rollback->store.blockBytes,
			(size_t)is->blockCount * rollback->store.blockBytes};
	}
	return tnRollback_Report(rollback, result);
}
