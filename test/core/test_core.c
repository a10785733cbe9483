// SPDX-License-Identifier: MIT

// The bottom rooms: results, asserts, memory, ids, parallel loops.

// For nanosleep in a build without compiler extensions.
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include "core/core.h"
#include "core/ids.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "harness.h"
#include "tarn/tarn.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

#if !defined(_WIN32) && !(defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__))
#define HAVE_THREADS 1
#include <pthread.h>
#else
#define HAVE_THREADS 0
#endif

#if defined(__SANITIZE_ADDRESS__)
#define HAVE_RED_ZONES 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAVE_RED_ZONES 1
#endif
#endif
#ifdef HAVE_RED_ZONES
#include <sanitizer/asan_interface.h>
#endif

// ---------------------------------------------------------------------------------------------------------------------
// Results

static int ResultTexts(void)
{
	ENSURE_OK(tnSuccess());
	ENSURE_EQUAL_INT(strlen(tnSuccess().text), 0);
	ENSURE_REFUSED(
		tnFail(tn_staleId, "%s must be > 0, got %d", "cellSize", -1), tn_staleId, "cellSize must be > 0, got -1");

	// A text that does not fit is cut, never written past the end.
	char large[400];
	memset(large, 'x', sizeof(large) - 1);
	large[sizeof(large) - 1] = 0;
	tnResult result = tnFail(tn_outOfMemory, "%s", large);
	ENSURE_EQUAL_INT(strlen(result.text), sizeof(result.text) - 1);
	ENSURE_EQUAL_INT(tnGetVersion(), TN_VERSION_MAJOR * 10000 + TN_VERSION_MINOR * 100 + TN_VERSION_PATCH);
	return 0;
}

#ifdef TN_ENABLE_ASSERT
static int s_assertCount;

static int CountAssert(const char* condition, const char* file, int line)
{
	s_assertCount += strstr(condition, "1 + 1 == 3") != NULL && strstr(file, "test_core") != NULL && line > 0 ? 1 : 0;
	return 0;
}

static int AssertHandlerIsCalled(void)
{
	s_assertCount = 0;
	tnSetAssertHandler(CountAssert);
	TN_ASSERT(1 + 1 == 3);
	TN_ASSERT(1 + 1 == 2);
	tnSetAssertHandler(NULL);
	ENSURE_EQUAL_INT(s_assertCount, 1);
	return 0;
}
#endif

// ---------------------------------------------------------------------------------------------------------------------
// Memory

static int MemoryIsZeroedAlignedAndCounted(void)
{
	TestAllocator counter = {0};
	const tnAllocator allocator = TestGetAllocator(&counter);
	tnMemory memory;
	tnMemory_Init(&memory, &allocator, 0);

	unsigned char* block = tnMemory_Alloc(&memory, 1001);
	ENSURE(block != NULL);
	ENSURE_EQUAL_INT((uintptr_t)block % 64, 0);
	for (int i = 0; i < 1001; ++i)
	{
		ENSURE_EQUAL_INT(block[i], 0);
	}
	ENSURE_EQUAL_INT(memory.byteCount, 1001);
	ENSURE(tnMemory_Alloc(&memory, 0) == NULL);
	ENSURE(tnMemory_Alloc(&memory, SIZE_MAX) == NULL);
	ENSURE(tnMemory_Alloc(&memory, SIZE_MAX / 2) == NULL);
	tnMemory_Free(&memory, NULL, 0);

	block[0] = 7;
	block[1000] = 9;
	unsigned char* grown = tnMemory_Grow(&memory, block, 1001, 3000);
	ENSURE(grown != NULL);
	ENSURE_EQUAL_INT(grown[0], 7);
	ENSURE_EQUAL_INT(grown[1000], 9);
	ENSURE_EQUAL_INT(grown[1001], 0);
	ENSURE_EQUAL_INT(grown[2999], 0);
	ENSURE_EQUAL_INT(memory.byteCount, 3000);

	counter.failIn = 1;
	ENSURE(tnMemory_Grow(&memory, grown, 3000, 5000) == NULL);
	ENSURE_EQUAL_INT(grown[1000], 9);
	ENSURE_EQUAL_INT(memory.byteCount, 3000);

	tnMemory_Free(&memory, grown, 3000);
	ENSURE_EQUAL_INT(memory.byteCount, 0);
	ENSURE_EQUAL_INT(counter.liveBytes, 0);
	ENSURE_EQUAL_INT(counter.badFreeCount, 0);
	return 0;
}

static int MemoryLimit(void)
{
	tnMemory memory;
	tnMemory_Init(&memory, NULL, 1000);
	void* first = tnMemory_Alloc(&memory, 600);
	ENSURE(first != NULL);
	ENSURE(tnMemory_Alloc(&memory, 401) == NULL);
	void* second = tnMemory_Alloc(&memory, 400);
	ENSURE(second != NULL);
	ENSURE_EQUAL_INT(memory.byteCount, 1000);
	ENSURE(tnMemory_Alloc(&memory, 1) == NULL);
	tnMemory_Free(&memory, first, 600);
	first = tnMemory_Alloc(&memory, 600);
	ENSURE(first != NULL);
	tnMemory_Free(&memory, first, 600);
	tnMemory_Free(&memory, second, 400);
	ENSURE_EQUAL_INT(memory.byteCount, 0);
	return 0;
}

// Large blocks of the default allocator take another way (huge pages).
static int LargeBlocks(void)
{
	tnMemory memory;
	tnMemory_Init(&memory, NULL, 0);
	const size_t size = ((size_t)9 << 20) + 12345;
	unsigned char* block = tnMemory_Alloc(&memory, size);
	ENSURE(block != NULL);
	ENSURE_EQUAL_INT((uintptr_t)block % 64, 0);
	ENSURE_EQUAL_INT(block[0] + block[size / 2] + block[size - 1], 0);
	block[size - 1] = 1;
	tnMemory_Free(&memory, block, size);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Ids

// Arrays that are carved out of a block do not overlap and begin on lines. The address sanitizer sees between them.
static int ArraysInOneBlock(void)
{
	const size_t sizes[] = {1, 64, 100, 4096, 12};
	tnMemory memory;
	tnMemory_Init(&memory, NULL, 0);
	tnCarver counter = {0};
	for (int i = 0; i < 5; ++i)
	{
		ENSURE(tnCarve(&counter, sizes[i]) == NULL);
	}
	char* block = tnMemory_Alloc(&memory, counter.used);
	ENSURE(block != NULL);
	tnCarver carver = {.block = block};
	size_t reached = 0;
	for (int i = 0; i < 5; ++i)
	{
		char* part = tnCarve(&carver, sizes[i]);
		ENSURE((uintptr_t)part % 64 == 0 && part >= block + reached);
		memset(part, 1, sizes[i]);
		reached = (size_t)(part - block) + sizes[i];
#ifdef HAVE_RED_ZONES
		ENSURE(!__asan_address_is_poisoned(part + sizes[i] - 1));
		ENSURE(__asan_address_is_poisoned(part + (sizes[i] + 7) / 8 * 8));
#endif
	}
	ENSURE_EQUAL_INT(carver.used, counter.used);
	ENSURE(reached <= counter.used);
#ifndef HAVE_RED_ZONES
	ENSURE_EQUAL_INT(counter.used, 64 + 64 + 128 + 4096 + 64);
#endif
	tnMemory_Free(&memory, block, counter.used);
	ENSURE_EQUAL_INT(memory.byteCount, 0);
	return 0;
}

static int IdsGoStale(void)
{
	TestAllocator counter = {0};
	const tnAllocator allocator = TestGetAllocator(&counter);
	tnMemory memory;
	tnMemory_Init(&memory, &allocator, 0);
	tnIdPool pool = {0};

	ENSURE_EQUAL_INT(tnIdPool_Find(&pool, 1, 1), -1);
	ENSURE(tnIdPool_Reserve(&pool, &memory));
	int index = tnIdPool_Take(&pool);
	ENSURE_EQUAL_INT(index, 0);
	uint32_t generation = tnIdPool_GetGeneration(&pool, index);
	ENSURE(tnIdPool_IsUsed(&pool, index));
	ENSURE_EQUAL_INT(tnIdPool_Find(&pool, index + 1, generation), index);

	// Null, out of range, and generations that never were.
	ENSURE_EQUAL_INT(tnIdPool_Find(&pool, 0, generation), -1);
	ENSURE_EQUAL_INT(tnIdPool_Find(&pool, -1, generation), -1);
	ENSURE_EQUAL_INT(tnIdPool_Find(&pool, INT32_MIN, generation), -1);
	ENSURE_EQUAL_INT(tnIdPool_Find(&pool, INT32_MAX, generation), -1);
	ENSURE_EQUAL_INT(tnIdPool_Find(&pool, 2, generation), -1);
	ENSURE_EQUAL_INT(tnIdPool_Find(&pool, 2, 0), -1);
	ENSURE_EQUAL_INT(tnIdPool_Find(&pool, 1, generation + 1), -1);
	ENSURE_EQUAL_INT(tnIdPool_Find(&pool, 1, generation + 2), -1);

	tnIdPool_Release(&pool, index);
	ENSURE(!tnIdPool_IsUsed(&pool, index));
	ENSURE_EQUAL_INT(tnIdPool_Find(&pool, index + 1, generation), -1);
	// The generation of a free slot is not an id either.
	ENSURE_EQUAL_INT(tnIdPool_Find(&pool, index + 1, tnIdPool_GetGeneration(&pool, index)), -1);

	ENSURE(tnIdPool_Reserve(&pool, &memory));
	ENSURE_EQUAL_INT(tnIdPool_Take(&pool), 0);
	ENSURE(tnIdPool_GetGeneration(&pool, 0) != generation);
	ENSURE_EQUAL_INT(tnIdPool_Find(&pool, 1, generation), -1);

	tnIdPool_Destroy(&pool, &memory);
	ENSURE_EQUAL_INT(counter.liveBytes, 0);
	return 0;
}

// Against a plain list: the lowest free index comes first, whatever the order of creation and destruction.
static int IdsComeLowestFirst(void)
{
	enum
	{
		slotLimit = 300,
	};
	tnMemory memory;
	tnMemory_Init(&memory, NULL, 0);
	tnIdPool pool = {0};
	bool used[slotLimit] = {0};
	int usedCount = 0;
	TestRandom random = TestMakeRandom(7);
	for (int i = 0; i < 20000; ++i)
	{
		// Waves of growth and shrinkage.
		bool take = TestRandomInt(&random, 0, 99) < (i / 1000 % 2 == 0 ? 60 : 40);
		if (take && usedCount < slotLimit)
		{
			int expected = 0;
			while (used[expected])
			{
				expected += 1;
			}
			ENSURE(tnIdPool_Reserve(&pool, &memory));
			ENSURE_EQUAL_INT(tnIdPool_Take(&pool), expected);
			used[expected] = true;
			usedCount += 1;
		}
		int index = TestRandomInt(&random, 0, slotLimit - 1);
		if (!take && used[index])
		{
			tnIdPool_Release(&pool, index);
			used[index] = false;
			usedCount -= 1;
		}
		ENSURE_EQUAL_INT(pool.count, usedCount);
		ENSURE(tnIdPool_IsUsed(&pool, index) == used[index]);
	}
	ENSURE(usedCount > 20);
	tnIdPool_Destroy(&pool, &memory);
	ENSURE_EQUAL_INT(memory.byteCount, 0);
	return 0;
}

static int IdsWithoutMemory(void)
{
	TestAllocator counter = {0};
	const tnAllocator allocator = TestGetAllocator(&counter);
	tnMemory memory;
	tnMemory_Init(&memory, &allocator, 0);
	tnIdPool pool = {0};
	counter.failIn = 1;
	ENSURE(!tnIdPool_Reserve(&pool, &memory));
	while (pool.count == 0 || pool.count < pool.capacity)
	{
		ENSURE(tnIdPool_Reserve(&pool, &memory));
		tnIdPool_Take(&pool);
	}
	const int count = pool.count;
	counter.failIn = 1;
	ENSURE(!tnIdPool_Reserve(&pool, &memory));
	ENSURE_EQUAL_INT(pool.count, count);
	ENSURE_EQUAL_INT(tnIdPool_Find(&pool, count, 1), count - 1);
	ENSURE(tnIdPool_Reserve(&pool, &memory));
	ENSURE_EQUAL_INT(tnIdPool_Take(&pool), count);
	tnIdPool_Destroy(&pool, &memory);
	ENSURE_EQUAL_INT(counter.liveBytes, 0);
	ENSURE_EQUAL_INT(counter.badFreeCount, 0);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Parallel loops

enum
{
	itemLimit = 3000,
};

typedef struct Ticks
{
	atomic_int items[itemLimit];
	atomic_int insideWorker[TN_MAX_WORKERS];
	atomic_int errors;
	int workerCount;
	// A plain sum per worker: ThreadSanitizer would see two threads with one index.
	int64_t sums[TN_MAX_WORKERS];
} Ticks;

static void Tick(int item, int workerIndex, void* context)
{
	Ticks* ticks = context;
	bool good = 0 <= item && item < itemLimit && 0 <= workerIndex && workerIndex < ticks->workerCount;
	if (!good)
	{
		atomic_fetch_add(&ticks->errors, 1);
		return;
	}
	if (atomic_fetch_add(&ticks->insideWorker[workerIndex], 1) != 0)
	{
		atomic_fetch_add(&ticks->errors, 1);
	}
	atomic_fetch_add(&ticks->items[item], 1);
	ticks->sums[workerIndex] += item;
	atomic_fetch_sub(&ticks->insideWorker[workerIndex], 1);
}

// Runs loops of many sizes and checks that each item came exactly once.
static int CheckLoops(tnParallel* parallel, int rounds)
{
	static const int counts[] = {0, 1, 2, 3, 8, 17, 100, itemLimit};
	static Ticks ticks;
	for (int round = 0; round < rounds; ++round)
	{
		int count = counts[round % (int)(sizeof(counts) / sizeof(counts[0]))];
		memset(&ticks, 0, sizeof(ticks));
		ticks.workerCount = tnParallel_GetWorkerCount(parallel);
		tnParallelFor(parallel, count, Tick, &ticks);
		ENSURE_EQUAL_INT(atomic_load(&ticks.errors), 0);
		for (int i = 0; i < itemLimit; ++i)
		{
			ENSURE_EQUAL_INT(atomic_load(&ticks.items[i]), i < count ? 1 : 0);
		}
		int64_t sum = 0;
		for (int i = 0; i < TN_MAX_WORKERS; ++i)
		{
			sum += ticks.sums[i];
		}
		ENSURE_EQUAL_INT(sum, (int64_t)count * (count - 1) / 2);
	}
	return 0;
}

static int EachItemOnce(void)
{
	for (int workerCount = 1; workerCount <= 9; ++workerCount)
	{
		TestAllocator counter = {0};
		const tnAllocator allocator = TestGetAllocator(&counter);
		tnMemory memory;
		tnMemory_Init(&memory, &allocator, 0);
		tnTaskSystem tasks = {.workerCount = workerCount};
		tnParallel* parallel = tnCreateParallel(&memory, &tasks);
		ENSURE(parallel != NULL);
		ENSURE(1 <= tnParallel_GetWorkerCount(parallel) && tnParallel_GetWorkerCount(parallel) <= workerCount);
#if HAVE_THREADS
		ENSURE_EQUAL_INT(tnParallel_GetWorkerCount(parallel), workerCount);
#endif
		const int allocationCount = counter.allocationCount;
		ENSURE_EQUAL_INT(CheckLoops(parallel, 80), 0);
		ENSURE_EQUAL_INT(counter.allocationCount, allocationCount);
		tnDestroyParallel(parallel, &memory);
		ENSURE_EQUAL_INT(counter.liveBytes, 0);
	}
	return 0;
}

static int ParallelWithoutMemory(void)
{
	TestAllocator counter = {.failIn = 1};
	const tnAllocator allocator = TestGetAllocator(&counter);
	tnMemory memory;
	tnMemory_Init(&memory, &allocator, 0);
	tnTaskSystem tasks = {.workerCount = 4};
	ENSURE(tnCreateParallel(&memory, &tasks) == NULL);
	tnDestroyParallel(NULL, &memory);
	ENSURE_EQUAL_INT(counter.liveBytes, 0);
	return 0;
}

// A host whose job system has no threads to spare: it runs tasks in place, or keeps them until it is asked to wait.
typedef struct Host
{
	bool lazy;
	int startCount, waitCount;
	tnTaskFcn* tasks[TN_MAX_WORKERS];
	void* contexts[TN_MAX_WORKERS];
	int keptCount;
} Host;

static void* StartHostTask(tnTaskFcn* task, void* taskContext, void* context)
{
	Host* host = context;
	host->startCount += 1;
	if (!host->lazy)
	{
		task(taskContext);
		return NULL;
	}
	host->tasks[host->keptCount] = task;
	host->contexts[host->keptCount] = taskContext;
	host->keptCount += 1;
	return &host->tasks[host->keptCount - 1];
}

static void WaitForHostTask(void* hostTask, void* context)
{
	Host* host = context;
	host->waitCount += 1;
	const ptrdiff_t index = (tnTaskFcn**)hostTask - host->tasks;
	host->tasks[index](host->contexts[index]);
}

static int HostRunsTasksInPlace(void)
{
	for (int lazy = 0; lazy < 2; ++lazy)
	{
		tnMemory memory;
		tnMemory_Init(&memory, NULL, 0);
		Host host = {.lazy = lazy == 1};
		tnTaskSystem tasks = {StartHostTask, WaitForHostTask, &host, 4};
		tnParallel* parallel = tnCreateParallel(&memory, &tasks);
		ENSURE(parallel != NULL);
		ENSURE_EQUAL_INT(tnParallel_GetWorkerCount(parallel), 4);
		for (int round = 0; round < 16; ++round)
		{
			host.keptCount = 0;
			ENSURE_EQUAL_INT(CheckLoops(parallel, 1), 0);
			static Ticks ticks;
			memset(&ticks, 0, sizeof(ticks));
			ticks.workerCount = 4;
			host = (Host){.lazy = lazy == 1};
			tnParallelFor(parallel, 100, Tick, &ticks);
			ENSURE_EQUAL_INT(host.startCount, 3);
			ENSURE_EQUAL_INT(host.waitCount, lazy == 1 ? 3 : 0);
			ENSURE_EQUAL_INT(atomic_load(&ticks.items[99]), 1);
			// Never more tasks than items.
			host = (Host){.lazy = lazy == 1};
			tnParallelFor(parallel, 2, Tick, &ticks);
			ENSURE_EQUAL_INT(host.startCount, 1);
		}
		tnDestroyParallel(parallel, &memory);
		ENSURE_EQUAL_INT(memory.byteCount, 0);
	}
	return 0;
}

#if HAVE_THREADS

typedef struct HostThread
{
	pthread_t thread;
	tnTaskFcn* task;
	void* taskContext;
	bool running;
} HostThread;

typedef struct ThreadHost
{
	HostThread threads[TN_MAX_WORKERS];
} ThreadHost;

static void* RunHostThread(void* argument)
{
	HostThread* thread = argument;
	thread->task(thread->taskContext);
	return NULL;
}

static void* StartHostThread(tnTaskFcn* task, void* taskContext, void* context)
{
	ThreadHost* host = context;
	for (int i = 0; i < TN_MAX_WORKERS; ++i)
	{
		HostThread* thread = &host->threads[i];
		if (!thread->running)
		{
			thread->task = task;
			thread->taskContext = taskContext;
			if (pthread_create(&thread->thread, NULL, RunHostThread, thread) != 0)
			{
				break;
			}
			thread->running = true;
			return thread;
		}
	}
	task(taskContext);
	return NULL;
}

static void WaitForHostThread(void* hostTask, void* context)
{
	(void)context;
	HostThread* thread = hostTask;
	pthread_join(thread->thread, NULL);
	thread->running = false;
}

static int HostRunsTasksOnThreads(void)
{
	tnMemory memory;
	tnMemory_Init(&memory, NULL, 0);
	ThreadHost host = {0};
	tnTaskSystem tasks = {StartHostThread, WaitForHostThread, &host, 5};
	tnParallel* parallel = tnCreateParallel(&memory, &tasks);
	ENSURE(parallel != NULL);
	ENSURE_EQUAL_INT(CheckLoops(parallel, 40), 0);
	tnDestroyParallel(parallel, &memory);
	return 0;
}

typedef struct Meeting
{
	atomic_int arrivedCount;
	atomic_int metCount;
} Meeting;

// Waits for the other item, ten seconds at most.
static void Meet(int item, int workerIndex, void* context)
{
	(void)item;
	(void)workerIndex;
	Meeting* meeting = context;
	atomic_fetch_add(&meeting->arrivedCount, 1);
	const time_t begin = time(NULL);
	while (atomic_load(&meeting->arrivedCount) < 2 && time(NULL) - begin < 10)
	{
	}
	atomic_fetch_add(&meeting->metCount, atomic_load(&meeting->arrivedCount) == 2 ? 1 : 0);
}

// Two items do run at the same time: each waits for the other. Also after the threads have gone to sleep.
static int ItemsRunAtOnce(void)
{
	tnMemory memory;
	tnMemory_Init(&memory, NULL, 0);
	tnTaskSystem tasks = {.workerCount = 2};
	tnParallel* parallel = tnCreateParallel(&memory, &tasks);
	ENSURE(parallel != NULL);
	for (int round = 0; round < 5; ++round)
	{
		Meeting meeting = {0};
		tnParallelFor(parallel, 2, Meet, &meeting);
		ENSURE_EQUAL_INT(atomic_load(&meeting.metCount), 2);
		// Long enough for an idle thread to stop spinning.
		const struct timespec pause = {0, 5 * 1000 * 1000};
		nanosleep(&pause, NULL);
	}
	tnDestroyParallel(parallel, &memory);
	return 0;
}

// A dam break of 30 steps. Returns its hash, 0 on failure.
static uint64_t RunDamBreak(int workerCount)
{
	enum
	{
		columnCount = 151,
		rowCount = 83,
	};
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columnCount;
	def.rowCount = rowCount;
	def.tasks.workerCount = workerCount;
	tnWorld* world = NULL;
	if (tnCreateWorld(&def, &world).status != tn_ok)
	{
		return 0;
	}
	static const float wetWidth = 60.0f;
	bool ok = true;
	for (int i = 0; i < 6; ++i)
	{
		tnVec2 center = {wetWidth * 0.5f, 10.0f + 12.0f * (float)i};
		ok = ok && tnWorld_AddWater(world, center, 10.0f, 500.0f + (float)i, NULL).status == tn_ok;
	}
	for (int i = 0; i < 30; ++i)
	{
		ok = ok && tnWorld_Step(world, 1.0f / 30.0f).status == tn_ok;
	}
	uint64_t hash = tnWorld_GetHash(world);
	tnDestroyWorld(world);
	return ok ? hash : 0;
}

typedef struct DamBreak
{
	int workerCount;
	uint64_t hash;
} DamBreak;

static void* DamBreakThread(void* argument)
{
	DamBreak* damBreak = argument;
	damBreak->hash = RunDamBreak(damBreak->workerCount);
	return NULL;
}

// Two worlds share nothing: two threads may run one each, with threads of their own.
static int WorldsInTwoThreads(void)
{
	const uint64_t expected = RunDamBreak(1);
	ENSURE(expected != 0);
	DamBreak damBreaks[2] = {{.workerCount = 2}, {.workerCount = 3}};
	pthread_t threads[2];
	for (int i = 0; i < 2; ++i)
	{
		ENSURE_EQUAL_INT(pthread_create(&threads[i], NULL, DamBreakThread, &damBreaks[i]), 0);
	}
	for (int i = 0; i < 2; ++i)
	{
		pthread_join(threads[i], NULL);
	}
	ENSURE_EQUAL_HEX(damBreaks[0].hash, expected);
	ENSURE_EQUAL_HEX(damBreaks[1].hash, expected);
	return 0;
}

#endif

static const Test s_tests[] = {
	{"ResultTexts", ResultTexts},
#ifdef TN_ENABLE_ASSERT
	{"AssertHandlerIsCalled", AssertHandlerIsCalled},
#endif
	{"MemoryIsZeroedAlignedAndCounted", MemoryIsZeroedAlignedAndCounted},
	{"MemoryLimit", MemoryLimit},
	{"LargeBlocks", LargeBlocks},
	{"ArraysInOneBlock", ArraysInOneBlock},
	{"IdsGoStale", IdsGoStale},
	{"IdsComeLowestFirst", IdsComeLowestFirst},
	{"IdsWithoutMemory", IdsWithoutMemory},
	{"EachItemOnce", EachItemOnce},
	{"ParallelWithoutMemory", ParallelWithoutMemory},
	{"HostRunsTasksInPlace", HostRunsTasksInPlace},
#if HAVE_THREADS
	{"HostRunsTasksOnThreads", HostRunsTasksOnThreads},
	{"ItemsRunAtOnce", ItemsRunAtOnce},
	{"WorldsInTwoThreads", WorldsInTwoThreads},
#endif
};
const TestSuite coreSuite = TEST_SUITE("core", s_tests);
