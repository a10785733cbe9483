// SPDX-License-Identifier: MIT

// A step beside the host. Before it begins, what the world is goes into a second world, tile by tile where something has changed
// since the last time. Queries read that one while the first is stepped by a thread: they need no lock, and there may be any
// number of them.

#include "background.h"

#include "image.h"
#include "world.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Showing

static bool tnIsSameField(const tnArchiveField* a, const tnArchiveField* b)
{
	return a->number == b->number && a->columns == b->columns && a->rows == b->rows && strcmp(a->name, b->name) == 0;
}

// While the bytes are counted: there is nothing to do but to say the same as later.
static bool tnSkipField(void* context, tnArchive* archive, const tnArchiveField* field)
{
	(void)archive, (void)field;
	int* count = context;
	*count += 1;
	return *count <= TN_SHOWN_FIELDS;
}

static bool tnListField(void* context, tnArchive* archive, const tnArchiveField* field)
{
	(void)archive;
	tnBackground* background = context;
	if (background->fieldCount == TN_SHOWN_FIELDS)
	{
		return false;
	}
	const int index = background->fieldCount;
	background->isNew[index] =
		index >= background->fieldCountBefore || !tnIsSameField(background->fields + index, field);
	background->fields[index] = *field;
	background->fieldCount += 1;
	return true;
}

typedef struct tnShowing
{
	tnWorld* world; // whose fields they are
	tnBackground* background;
} tnShowing;

static bool tnShowField(void* context, tnArchive* archive, const tnArchiveField* field)
{
	const tnShowing* showing = context;
	const tnBackground* background = showing->background;
	int index = 0;
	while (index < background->fieldCount && !tnIsSameField(background->fields + index, field))
	{
		index += 1;
	}
	if (index == background->fieldCount)
	{
		return false;
	}
	const tnArchiveField* from = background->fields + index;
	for (int tile = 0; tile < field->tileColumns * field->tileRows && tnArchive_Applies(archive); ++tile)
	{
		if (field->tracked && !background->isNew[index] &&
			background->seen[tile] == showing->world->tiles.changes[tile])
		{
			continue;
		}
		const tnImageBox box = tnGetImageBox(field, tile);
		for (int row = box.row; row < box.row + box.rows; ++row)
		{
			memcpy(field->values + row * field->stride + box.column, from->values + row * from->stride + box.column,
				(size_t)box.columns * sizeof(float));
		}
	}
	return true;
}

static tnResult tnMissMemory(const tnWorld* world)
{
	char text[TN_MEMORY_TEXT];
	tnMemory_Explain(&world->memory, 0, text);
	return tnFail(tn_outOfMemory, "out of memory to step in the background: %s", text);
}

// Make the second world what the first one is.
static tnResult tnShow(tnWorld* world)
{
	tnBackground* background = world->background;
	tnMemory* memory = &world->memory;
	size_t size = 0;
	int count = 0;
	(void)tnWorld_SaveWith(world, NULL, 0, &size, tnSkipField, &count);
	if (size > background->byteCapacity)
	{
		// A body more must not mean to ask again.
		const size_t capacity = size + size / 4;
		uint8_t* bytes = tnMemory_AllocDirty(memory, capacity);
		if (bytes == NULL)
		{
			return tnMissMemory(world);
		}
		tnMemory_Free(memory, background->bytes, background->byteCapacity);
		background->bytes = bytes;
		background->byteCapacity = capacity;
	}
	background->fieldCountBefore = background->fieldCount;
	background->fieldCount = 0;
	tnResult result = tnWorld_SaveWith(world, background->bytes, size, &size, tnListField, background);
	tnShowing showing = {world, background};
	result = result.status == tn_ok
		? tnWorld_RestoreWith(background->shown, background->bytes, size, tnShowField, &showing)
		: result;
	if (result.status == tn_ok)
	{
		memcpy(background->seen, world->tiles.changes, (size_t)world->tiles.count * sizeof(uint32_t));
	}
	else
	{
		// Whatever is there is not what it says: all anew the next time.
		background->fieldCount = 0;
	}
	return result;
}

static tnResult tnOpenBackground(tnWorld* world)
{
	tnMemory* memory = &world->memory;
	tnBackground* background = tnMemory_Alloc(memory, sizeof(tnBackground));
	if (background == NULL)
	{
		return tnMissMemory(world);
	}
	world->background = background;
	tnWorldDef def = tnWorld_GetDef(world);
	def.tasks = (tnTaskSystem){.workerCount = 1};
	// What it is refused is told by the first world.
	def.errors = (tnErrorHook){0};
	tnResult result = tnSuccess();
	if (def.memoryLimit > 0)
	{
		def.memoryLimit = def.memoryLimit > memory->byteCount ? def.memoryLimit - memory->byteCount : 1;
	}
	background->seen = tnMemory_Alloc(memory, (size_t)world->tiles.count * sizeof(uint32_t));
	background->thread = tnCreateSideThread(memory);
	if (background->seen == NULL || background->thread == NULL)
	{
		result = tnMissMemory(world);
	}
	result = result.status == tn_ok ? tnCreateWorld(&def, &background->shown) : result;
	if (result.status == tn_ok)
	{
		background->shown->errors = world->errors;
	}
	else
	{
		tnWorld_EndBackground(world);
	}
	return result;
}

void tnWorld_EndBackground(tnWorld* world)
{
	tnBackground* background = world->background;
	if (background == NULL)
	{
		return;
	}
	tnMemory* memory = &world->memory;
	if (background->running)
	{
		tnSideThread_Wait(background->thread);
		background->running = false;
	}
	tnDestroySideThread(background->thread, memory);
	tnDestroyWorld(background->shown);
	tnMemory_Free(memory, background->bytes, background->byteCapacity);
	tnMemory_Free(memory, background->seen, (size_t)world->tiles.count * sizeof(uint32_t));
	tnMemory_Free(memory, background, sizeof(tnBackground));
	world->background = NULL;
}

// ---------------------------------------------------------------------------------------------------------------------
// What a host calls

static void tnStepBeside(void* context)
{
	tnWorld* world = context;
	tnWorld_StepNow(world, world->background->timeStep);
}

tnResult tnWorld_BeginStep(tnWorld* world, float timeStep)
{
	tnResult result = tnWorld_CheckReady(world);
	result = result.status == tn_ok ? tnCheckTimeStep(timeStep) : result;
	if (result.status == tn_ok && world->background == NULL)
	{
		result = tnOpenBackground(world);
	}
	result = result.status == tn_ok ? tnShow(world) : result;
	if (result.status == tn_ok)
	{
		tnBackground* background = world->background;
		background->timeStep = timeStep;
		background->running = true;
		tnSideThread_Start(background->thread, tnStepBeside, world);
	}
	return tnWorld_Report(world, result);
}

tnResult tnWorld_EndStep(tnWorld* world)
{
	tnResult result = world == NULL ? tnFail(tn_invalidArgument, "world must not be NULL") : tnSuccess();
	if (result.status == tn_ok && (world->background == NULL || !world->background->running))
	{
		result = tnFail(tn_notAvailable, "no step is running: call tnWorld_BeginStep first");
	}
	if (result.status == tn_ok && !tnSideThread_MayWait(world->background->thread))
	{
		// A task that waits for the step that waits for it.
		result = tnFail(tn_notAvailable,
			"world is stepping in the background: only the thread that called tnWorld_BeginStep may end this, and no "
			"task");
	}
	if (result.status == tn_ok)
	{
		tnSideThread_Wait(world->background->thread);
		world->background->running = false;
		tnWorld_RecordStep(world, world->background->timeStep);
	}
	return tnWorld_Report(world, result);
}

bool tnWorld_IsStepRunning(const tnWorld* world)
{
	return world != NULL && world->background != NULL && world->background->running;
}
