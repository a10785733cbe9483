// SPDX-License-Identifier: MIT

// Steps beside the host: the same bits, queries that answer for the state before from many threads at once, and refusals of all
// else. And queries of many threads between two steps.

#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include "busy_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32) || (defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__))
#define HAS_THREADS 0
#else
#define HAS_THREADS 1
#include <pthread.h>
#endif

static uint64_t Mix(uint64_t hash, const void* data, size_t size)
{
	const uint8_t* bytes = data;
	for (size_t i = 0; i < size; ++i)
	{
		hash = (hash ^ bytes[i]) * 0x100000001b3u;
	}
	return hash;
}

static uint64_t MixView(uint64_t hash, tnFieldView view)
{
	for (int row = 0; row < view.rowCount && view.data != NULL; ++row)
	{
		hash = Mix(hash, view.data + (ptrdiff_t)row * view.stride, (size_t)view.columnCount * sizeof(float));
	}
	return hash;
}

// What queries tell of a world, all in one number. -1 if one was refused.
static uint64_t AskAll(const BusyWorld* busy)
{
	const tnWorld* world = busy->world;
	const tnWorldDef* def = &busy->def;
	uint64_t hash = tnWorld_GetHash(world);
	const double time = tnWorld_GetTime(world);
	const int64_t stepCount = tnWorld_GetStats(world).stepCount;
	hash = Mix(Mix(hash, &time, sizeof(time)), &stepCount, sizeof(stepCount));
	hash = MixView(hash, tnWorld_GetBed(world));
	hash = MixView(hash, tnWorld_GetDepth(world));
	hash = MixView(hash, tnWorld_GetPreviousDepth(world));
	hash = MixView(hash, tnWorld_GetFoam(world));
	hash = MixView(hash, tnWorld_GetTracer(world, 0));
	hash = MixView(hash, tnWorld_GetLift(world));
	const size_t cells = (size_t)def->columnCount * (size_t)def->rowCount;
	float* first = malloc(cells * sizeof(float));
	float* second = malloc(cells * sizeof(float));
	bool ok = tnWorld_CopySurface(world, 1.0f, first).status == tn_ok;
	hash = Mix(hash, first, cells * sizeof(float));
	ok = ok && tnWorld_CopyVelocities(world, first, second).status == tn_ok;
	hash = Mix(Mix(hash, first, cells * sizeof(float)), second, cells * sizeof(float));
	const int decks = tnWorld_CopyDecks(world, first, second);
	hash = Mix(hash, &decks, sizeof(decks));
	free(first);
	free(second);
	for (int i = 0; i < 20; ++i)
	{
		const tnVec2 place = {def->origin.x + busy->width * (float)i / 20.0f, def->origin.z + busy->height * 0.4f};
		tnSample sample = {0};
		ok = ok && tnWorld_SampleMany(world, &place, 1, &sample).status == tn_ok;
		hash = Mix(hash, &sample.surface, sizeof(float));
		hash = Mix(hash, &sample.velocity, sizeof(tnVec2));
		tnRayHit hit;
		const tnVec3 from = {place.x, 20.0f, place.z}, direction = {0.1f, -1.0f, 0.2f};
		ok = ok && tnWorld_CastRay(world, from, direction, 100.0f, &hit).status == tn_ok;
		hash = Mix(hash, &hit.distance, sizeof(float));
		const tnDeckSample deck = tnWorld_SampleDeck(world, place);
		hash = Mix(hash, &deck.below.surface, sizeof(float));
	}
	for (int i = 0; i < busy->bodyCount; ++i)
	{
		tnWrench wrench;
		tnBodyState state;
		tnVec3 points[64];
		int count = 0;
		ok = ok && tnBody_IsValid(world, busy->bodies[i]);
		ok = ok && tnWorld_GetBodyWrench(world, busy->bodies[i], &wrench).status == tn_ok;
		ok = ok && tnWorld_GetBodyState(world, busy->bodies[i], &state).status == tn_ok;
		(void)tnWorld_CopyWaterline(world, busy->bodies[i], points, 64, &count);
		hash = Mix(hash, &wrench, sizeof(wrench));
		hash = Mix(hash, &count, sizeof(count));
	}
	tnRegionDef region = tnDefaultRegionDef();
	region.center = (tnVec2){def->origin.x + 0.5f * busy->width, def->origin.z + 0.5f * busy->height};
	region.extent = (tnVec2){2.0f, 2.0f};
	tnRegionState state;
	ok = ok && tnWorld_MeasureRegion(world, &region, &state).status == tn_ok;
	hash = Mix(hash, &state.volume, sizeof(double));
	tnWaveSample waves;
	if (def->waves.enable)
	{
		ok = ok && tnWorld_SampleWaves(world, region.center, &waves).status == tn_ok;
		hash = Mix(hash, &waves.height, sizeof(float));
		tnWaveTileView tile;
		(void)tnWorld_GetWaveTile(world, 0, &tile);
	}
	const tnSprayView spray = tnWorld_GetSpray(world);
	hash = Mix(hash, &spray.count, sizeof(spray.count));
	size_t size = 0;
	ok = ok && tnWorld_Save(world, NULL, 0, &size).status == tn_ok;
	hash ^= tnWorld_GetTileHash(world, 0, 0);
	return ok ? hash : (uint64_t)-1;
}

#if HAS_THREADS
typedef struct Asker
{
	const BusyWorld* busy;
	uint64_t expected;
	int wrong;
} Asker;

static void* Ask(void* context)
{
	Asker* asker = context;
	for (int i = 0; i < 3; ++i)
	{
		asker->wrong += AskAll(asker->busy) != asker->expected ? 1 : 0;
	}
	return NULL;
}
#endif

// Many threads at once, all of which get the same answers. Returns how many did not.
static int AskTogether(const BusyWorld* busy, uint64_t expected)
{
#if HAS_THREADS
	enum
	{
		threadCount = 4,
	};
	pthread_t threads[threadCount];
	Asker askers[threadCount];
	int wrong = 0;
	for (int i = 0; i < threadCount; ++i)
	{
		askers[i] = (Asker){busy, expected, 0};
		wrong += pthread_create(threads + i, NULL, Ask, askers + i) != 0 ? 1000 : 0;
	}
	for (int i = 0; i < threadCount; ++i)
	{
		pthread_join(threads[i], NULL);
		wrong += askers[i].wrong;
	}
	return wrong;
#else
	return AskAll(busy) != expected ? 1 : 0;
#endif
}

static int QueriesOfManyThreads(void)
{
	for (uint64_t seed = 1; seed <= (uint64_t)TEST_REPEATS(6); ++seed)
	{
		BusyWorld busy;
		ENSURE(MakeBusyWorld(&busy, seed, 2, false));
		for (int i = 0; i < 6; ++i)
		{
			ENSURE(StepBusyWorld(&busy).status == tn_ok);
			const uint64_t expected = AskAll(&busy);
			ENSURE(expected != (uint64_t)-1);
			ENSURE_EQUAL_INT(AskTogether(&busy, expected), 0);
		}
		tnDestroyWorld(busy.world);
	}
	return 0;
}

// What happens between two steps, without the step.
static tnResult ChangeOnly(BusyWorld* busy)
{
	tnResult result = {.status = tn_ok};
	for (int i = 0; i < busy->bodyCount && result.status == tn_ok; ++i)
	{
		result = MoveBusyBody(busy, i);
	}
	if (result.status == tn_ok && IsBusyChance(&busy->random, 3))
	{
		result = ChangeBusyWorld(busy);
	}
	return result;
}

static int StepsBesideTheHost(void)
{
	for (uint64_t seed = 1; seed <= (uint64_t)TEST_REPEATS(12); ++seed)
	{
		BusyWorld busy, reference;
		const int scale = seed % 3 == 0 ? busyScale : 1;
		ENSURE(MakeScaledBusyWorld(&busy, seed, 1 + (int)(seed % 2), false, (tnAllocator){0}, scale));
		ENSURE(MakeScaledBusyWorld(&reference, seed, 1, false, (tnAllocator){0}, scale));
		for (int i = 0; i < 12; ++i)
		{
			ENSURE(ChangeOnly(&busy).status == tn_ok && ChangeOnly(&reference).status == tn_ok);
			const uint64_t expected = AskAll(&busy);
			const tnResult result = tnWorld_BeginStep(busy.world, 1.0f / 60.0f);
			ENSURE_OK(result);
			ENSURE(tnWorld_IsStepRunning(busy.world));
			if (i % 2 == 0)
			{
				ENSURE_EQUAL_INT(AskTogether(&busy, expected), 0);
			}
			ENSURE_OK(tnWorld_EndStep(busy.world));
			ENSURE(!tnWorld_IsStepRunning(busy.world));
			ENSURE_OK(tnWorld_Step(reference.world, 1.0f / 60.0f));
			if (tnWorld_GetHash(busy.world) != tnWorld_GetHash(reference.world))
			{
				printf("seed %llu parts in step %d\n", (unsigned long long)seed, i);
				return 1;
			}
		}
		tnDestroyWorld(busy.world);
		tnDestroyWorld(reference.world);
	}
	return 0;
}

static int RefusesChanges(void)
{
	BusyWorld busy;
	ENSURE(MakeBusyWorld(&busy, 4, 1, false));
	ENSURE(tnWorld_EndStep(busy.world).status == tn_notAvailable && tnWorld_EndStep(NULL).status == tn_invalidArgument);
	ENSURE(tnWorld_BeginStep(NULL, 0.01f).status == tn_invalidArgument && !tnWorld_IsStepRunning(NULL));
	ENSURE(tnWorld_BeginStep(busy.world, 0.0f).status == tn_invalidArgument && !tnWorld_IsStepRunning(busy.world));
	tnRollback* rollback;
	const tnRollbackDef rollbackDef = tnDefaultRollbackDef();
	ENSURE_OK(tnCreateRollback(busy.world, &rollbackDef, &rollback));
	ENSURE_OK(tnWorld_BeginStep(busy.world, 1.0f / 60.0f));
	const tnResult results[] = {tnWorld_Step(busy.world, 0.01f), tnWorld_BeginStep(busy.world, 0.01f),
		tnWorld_FillToLevel(busy.world, 1.0f), tnWorld_SetGravity(busy.world, 1.0f), tnRollback_Push(rollback),
		tnWorld_AddWater(busy.world, DrawBusyPlace(&busy), 1.0f, 1.0f, NULL)};
	for (int i = 0; i < (int)(sizeof(results) / sizeof(results[0])); ++i)
	{
		ENSURE_EQUAL_INT(results[i].status, tn_notAvailable);
		ENSURE(strstr(results[i].text, "tnWorld_EndStep") != NULL);
	}
	ENSURE_OK(tnWorld_EndStep(busy.world));
	ENSURE_OK(tnWorld_FillToLevel(busy.world, 1.0f));
	tnDestroyRollback(rollback);
	// Destroying waits.
	ENSURE_OK(tnWorld_BeginStep(busy.world, 1.0f / 60.0f));
	tnDestroyWorld(busy.world);
	return 0;
}

// A host whose tasks end the step that they are part of, or destroy its world: on the thread that starts tasks, and on another.
typedef struct Ender
{
	tnWorld* world;
	bool isCalled, isOther;
	int callCount, refusedCount, errorCount;
	tnTaskFcn* task;
	void* taskContext;
} Ender;

static void HearEnder(const tnResult* result, void* context)
{
	Ender* ender = context;
	ender->errorCount += result->status == tn_notAvailable && strstr(result->text, "tnWorld_BeginStep") != NULL ? 1 : 0;
}

static void* EndFromTask(void* context)
{
	Ender* ender = context;
	ender->callCount += 1;
	const tnResult result = tnWorld_EndStep(ender->world);
	ender->refusedCount += result.status == tn_notAvailable ? 1 : 0;
	tnDestroyWorld(ender->world);
	return NULL;
}

static void* StartAndEnd(tnTaskFcn* task, void* taskContext, void* context)
{
	Ender* ender = context;
	if (ender->isCalled)
	{
		void* (*call)(void*) = EndFromTask;
#if HAS_THREADS
		pthread_t thread;
		if (ender->isOther && pthread_create(&thread, NULL, call, ender) == 0)
		{
			pthread_join(thread, NULL);
			call = NULL;
		}
#endif
		if (call != NULL)
		{
			(void)call(ender);
		}
	}
	task(taskContext);
	return NULL;
}

static void WaitForNothing(void* hostTask, void* context)
{
	(void)hostTask, (void)context;
}

static int TasksDoNotEndTheirStep(void)
{
	for (int other = 0; other < 2; ++other)
	{
		Ender ender = {.isOther = other == 1};
		tnWorldDef def = tnDefaultWorldDef();
		def.columnCount = def.rowCount = 100;
		def.tasks = (tnTaskSystem){StartAndEnd, WaitForNothing, &ender, 3};
		def.errors = (tnErrorHook){HearEnder, &ender};
		ENSURE_OK(tnCreateWorld(&def, &ender.world));
		ENSURE_OK(tnWorld_FillToLevel(ender.world, 1.0f));
		for (int i = 0; i < 5; ++i)
		{
			ENSURE_OK(tnWorld_AddWater(ender.world, (tnVec2){40.0f, 30.0f}, 3.0f, 1.0f, NULL));
			ender.isCalled = true;
			ENSURE_OK(tnWorld_BeginStep(ender.world, 1.0f / 60.0f));
			ENSURE_OK(tnWorld_EndStep(ender.world));
			ender.isCalled = false;
		}
		ENSURE(ender.callCount > 0);
		ENSURE_EQUAL_INT(ender.refusedCount, ender.callCount);
		ENSURE_EQUAL_INT(ender.errorCount, 2 * ender.callCount);
		ENSURE_EQUAL_INT((int)tnWorld_GetStats(ender.world).stepCount, 5);
		tnDestroyWorld(ender.world);
	}
	return 0;
}

// What works for a world is not destroyed by tasks either: while a step is made, and while it works itself.
typedef struct Destroyer
{
	tnWorld* world;
	tnSurface* surface;
	tnRollback* rollback;
	tnReplay* replay;
	int callCount, errorCount;
} Destroyer;

static void HearDestroyer(const tnResult* result, void* context)
{
	Destroyer* destroyer = context;
	destroyer->errorCount += result->status == tn_notAvailable ? 1 : 0;
}

static void* StartAndDestroy(tnTaskFcn* task, void* taskContext, void* context)
{
	Destroyer* destroyer = context;
	destroyer->callCount +=
		destroyer->surface != NULL || destroyer->rollback != NULL || destroyer->replay != NULL ? 1 : 0;
	tnDestroySurface(destroyer->surface);
	tnDestroyRollback(destroyer->rollback);
	tnDestroyReplay(destroyer->replay);
	task(taskContext);
	return NULL;
}

typedef struct Tape
{
	uint8_t bytes[1 << 20];
	size_t size;
} Tape;

static void Append(const void* bytes, size_t size, void* context)
{
	Tape* tape = context;
	if (size <= sizeof(tape->bytes) - tape->size)
	{
		memcpy(tape->bytes + tape->size, bytes, size);
		tape->size += size;
	}
}

static int TasksDestroyNothing(void)
{
	Destroyer destroyer = {0};
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = def.rowCount = 100;
	def.keepPrevious = true;
	def.tasks = (tnTaskSystem){StartAndDestroy, WaitForNothing, &destroyer, 3};
	def.errors = (tnErrorHook){HearDestroyer, &destroyer};
	tnWorld* world;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_OK(tnWorld_FillToLevel(world, 1.0f));
	ENSURE_OK(tnWorld_AddWater(world, (tnVec2){40.0f, 30.0f}, 3.0f, 1.0f, NULL));
	tnSurface* surface;
	const tnSurfaceDef surfaceDef = tnDefaultSurfaceDef();
	ENSURE_OK(tnCreateSurface(world, &surfaceDef, &surface));
	tnRollback* rollback;
	const tnRollbackDef rollbackDef = tnDefaultRollbackDef();
	ENSURE_OK(tnCreateRollback(world, &rollbackDef, &rollback));
	destroyer.surface = surface;
	ENSURE_OK(tnSurface_Update(surface, world, 1.0f));
	destroyer.surface = NULL;
	ENSURE(destroyer.callCount > 0 && destroyer.errorCount == destroyer.callCount);

	const int before = destroyer.callCount;
	destroyer.rollback = rollback;
	ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
	destroyer.rollback = NULL;
	ENSURE(destroyer.callCount > before && destroyer.errorCount == destroyer.callCount);
	ENSURE_OK(tnRollback_Push(rollback));
	ENSURE_OK(tnSurface_Update(surface, world, 1.0f));
	tnDestroyRollback(rollback);
	tnDestroySurface(surface);

	static Tape tape;
	tape.size = 0;
	ENSURE_OK(tnWorld_StartRecording(world, Append, &tape));
	ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
	ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
	ENSURE_OK(tnWorld_StopRecording(world));
	tnDestroyWorld(world);
	tnReplay* replay;
	ENSURE_OK(tnCreateReplay(tape.bytes, tape.size, &def, &replay));
	const int third = destroyer.callCount, errors = destroyer.errorCount;
	destroyer.replay = replay;
	tnReplayState state;
	ENSURE_OK(tnReplay_Step(replay, &state));
	ENSURE(!state.parted);
	destroyer.replay = NULL;
	ENSURE(destroyer.callCount > third && destroyer.errorCount - errors == destroyer.callCount - third);
	tnDestroyReplay(replay);
	return 0;
}

typedef struct CountedMemory
{
	int64_t count, live, failAt;
} CountedMemory;

static void* CountedAlloc(size_t size, size_t alignment, void* context)
{
	CountedMemory* memory = context;
	memory->count += 1;
	if (memory->count == memory->failAt)
	{
		return NULL;
	}
	memory->live += 1;
	return TestAllocAligned(size, alignment);
}

static void CountedFree(void* block, size_t size, void* context)
{
	CountedMemory* memory = context;
	(void)size;
	memory->live -= block != NULL ? 1 : 0;
	TestFreeAligned(block);
}

static int AsksForMemoryOnce(void)
{
	CountedMemory memory = {0};
	const tnAllocator allocator = {CountedAlloc, CountedFree, &memory};
	BusyWorld busy;
	ENSURE(MakeBusyWorldWith(&busy, 8, 1, false, allocator));
	tnResult result = {.status = tn_outOfMemory};
	const uint64_t hash = tnWorld_GetHash(busy.world);
	for (int64_t fail = 1; result.status != tn_ok; ++fail)
	{
		memory.failAt = memory.count + fail;
		result = tnWorld_BeginStep(busy.world, 1.0f / 60.0f);
		ENSURE(result.status == tn_ok || result.status == tn_outOfMemory);
		ENSURE(result.status == tn_ok || (!tnWorld_IsStepRunning(busy.world) && tnWorld_GetHash(busy.world) == hash));
	}
	memory.failAt = 0;
	ENSURE_OK(tnWorld_EndStep(busy.world));
	const int64_t before = memory.count;
	for (int i = 0; i < 10; ++i)
	{
		ENSURE_OK(tnWorld_BeginStep(busy.world, 1.0f / 60.0f));
		ENSURE_OK(tnWorld_EndStep(busy.world));
	}
	// Waves and spray become more, and with them what is not cells: room for that grows by a quarter.
	ENSURE(memory.count <= before + 2);
	tnDestroyWorld(busy.world);
	ENSURE_EQUAL_INT(memory.live, 0);
	return 0;
}

static const Test s_tests[] = {
	{"QueriesOfManyThreads", QueriesOfManyThreads},
	{"StepsBesideTheHost", StepsBesideTheHost},
	{"RefusesChanges", RefusesChanges},
	{"TasksDoNotEndTheirStep", TasksDoNotEndTheirStep},
	{"TasksDestroyNothing", TasksDestroyNothing},
	{"AsksForMemoryOnce", AsksForMemoryOnce},
};

const TestSuite backgroundSuite = TEST_SUITE("background", s_tests);
