// SPDX-License-Identifier: MIT

// The threads of a world, or the host's tasks.

// For sysconf and pthread_sigmask in a build without compiler extensions.
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include "parallel.h"

#include <stdatomic.h>

// A job is open while its items are dealt out. A thread joins an open job, takes items until none are left, and leaves.
// The caller takes items too, then closes the job and waits for the threads that joined. A thread that wakes up too
// late finds the job closed and has delayed nobody: more workers than cores cost little.
//
// One number holds it all, so that joining and closing cannot miss each other:
//
//     job << 32 | open << 31 | threads that joined and have not left
//
// What a job reads (fcn, context, count, shares) is written only while no job is open and no thread is in one.
//
// Each worker has a share of the items that follow each other, and goes over it from the front. Who is done helps
// others, from the back of their shares. So most items of a pass are run by the worker that ran them in the last one, and
// find what they need in the cache of its core: moving it from one core to another costs more than many a pass.

#if defined(_WIN32)
#define TN_THREADS 1
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#elif defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
#define TN_THREADS 0
#else
#define TN_THREADS 1
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
#endif

#define TN_JOB_OPEN ((uint64_t)1 << 31)
#define TN_JOB_ACTIVE (TN_JOB_OPEN - 1)

enum
{
	// How often a thread looks again before it goes to sleep: 5 to 20 microseconds with the pause of tnPause, which is
	// longer than the gap between two passes of a step and shorter than waking a sleeping thread.
	TN_SPIN_COUNT = 400,
	// Atomics that different threads hammer lie in different cache lines.
	TN_CACHE_LINE = 64,
};

typedef struct tnWorker
{
	tnParallel* parallel;
	int workerIndex;
#if TN_THREADS
#if defined(_WIN32)
	HANDLE thread;
#else
	pthread_t thread;
#endif
#endif
} tnWorker;

// The items of a worker that are left: end << 32 | next.
typedef struct tnShare
{
	_Alignas(TN_CACHE_LINE) _Atomic(uint64_t) items;
} tnShare;

struct tnParallel
{
	tnItemFcn* fcn;
	void* context;
	int count;

	tnTaskSystem tasks;
	int workerCount;
	int threadCount;
	int spinCount;
	bool isRunning; // items are dealt out. Written before the first task starts and after the last has ended.
	tnWorker workers[TN_MAX_WORKERS];

	int shareCount;
	tnShare shares[TN_MAX_WORKERS];
	_Alignas(TN_CACHE_LINE) _Atomic(uint64_t) job;
	_Alignas(TN_CACHE_LINE) atomic_int sleeperCount;
	atomic_bool callerSleeps;
	atomic_bool quit;

#if TN_THREADS
#if defined(_WIN32)
	SRWLOCK mutex;
	CONDITION_VARIABLE workCondition, doneCondition;
#else
	pthread_mutex_t mutex;
	pthread_cond_t workCondition, doneCondition;
#endif
#endif
};

// Takes an item of a share, from its front or from its back. -1 if none is left.
static int tnTakeItem(tnShare* share, bool isOwn)
{
	uint64_t items = atomic_load_explicit(&share->items, memory_order_relaxed);
	for (;;)
	{
		const uint32_t next = (uint32_t)items, end = (uint32_t)(items >> 32);
		if (next >= end)
		{
			return -1;
		}
		const uint64_t rest = isOwn ? items + 1 : items - ((uint64_t)1 << 32);
		if (atomic_compare_exchange_weak_explicit(
				&share->items, &items, rest, memory_order_relaxed, memory_order_relaxed))
		{
			return (int)(isOwn ? next : end - 1);
		}
	}
}

static void tnRunItems(tnParallel* parallel, int workerIndex)
{
	const int shareCount = parallel->shareCount;
	for (int i = 0; i < shareCount; ++i)
	{
		tnShare* share = parallel->shares + (workerIndex + i) % shareCount;
		for (int item = tnTakeItem(share, i == 0); item >= 0; item = tnTakeItem(share, i == 0))
		{
			parallel->fcn(item, workerIndex, parallel->context);
		}
	}
}

// Cuts the items into shares as equal as can be, one for each worker that can get any.
static void tnDealItems(tnParallel* parallel, int count)
{
	parallel->count = count;
	parallel->shareCount = tnMinInt(count, parallel->workerCount);
	for (int i = 0; i < parallel->shareCount; ++i)
	{
		const uint64_t begin = (uint64_t)count * (uint64_t)i / (uint64_t)parallel->shareCount;
		const uint64_t end = (uint64_t)count * (uint64_t)(i + 1) / (uint64_t)parallel->shareCount;
		atomic_store_explicit(&parallel->shares[i].items, end << 32 | begin, memory_order_relaxed);
	}
}

#if TN_THREADS

#if defined(_WIN32)

static void tnLock(tnParallel* parallel)
{
	AcquireSRWLockExclusive(&parallel->mutex);
}

static void tnUnlock(tnParallel* parallel)
{
	ReleaseSRWLockExclusive(&parallel->mutex);
}

static void tnWaitForWork(tnParallel* parallel)
{
	SleepConditionVariableSRW(&parallel->workCondition, &parallel->mutex, INFINITE, 0);
}

static void tnWaitForDone(tnParallel* parallel)
{
	SleepConditionVariableSRW(&parallel->doneCondition, &parallel->mutex, INFINITE, 0);
}

static void tnSignalWork(tnParallel* parallel)
{
	WakeConditionVariable(&parallel->workCondition);
}

static void tnSignalAll(tnParallel* parallel)
{
	WakeAllConditionVariable(&parallel->workCondition);
}

static void tnSignalDone(tnParallel* parallel)
{
	WakeConditionVariable(&parallel->doneCondition);
}

static int tnGetCoreCount(void)
{
	SYSTEM_INFO info;
	GetSystemInfo(&info);
	return (int)info.dwNumberOfProcessors;
}

#else

static void tnLock(tnParallel* parallel)
{
	pthread_mutex_lock(&parallel->mutex);
}

static void tnUnlock(tnParallel* parallel)
{
	pthread_mutex_unlock(&parallel->mutex);
}

static void tnWaitForWork(tnParallel* parallel)
{
	pthread_cond_wait(&parallel->workCondition, &parallel->mutex);
}

static void tnWaitForDone(tnParallel* parallel)
{
	pthread_cond_wait(&parallel->doneCondition, &parallel->mutex);
}

static void tnSignalWork(tnParallel* parallel)
{
	pthread_cond_signal(&parallel->workCondition);
}

static void tnSignalAll(tnParallel* parallel)
{
	pthread_cond_broadcast(&parallel->workCondition);
}

static void tnSignalDone(tnParallel* parallel)
{
	pthread_cond_signal(&parallel->doneCondition);
}

static int tnGetCoreCount(void)
{
#ifdef _SC_NPROCESSORS_ONLN
	return tnClampInt((int)sysconf(_SC_NPROCESSORS_ONLN), 1, TN_MAX_WORKERS);
#else
	return TN_MAX_WORKERS;
#endif
}

#endif

// Tell the processor that this thread is only waiting.
static void tnPause(void)
{
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
	__builtin_ia32_pause();
#elif defined(__GNUC__) && (defined(__aarch64__) || defined(__ARM_ARCH_7A__))
	__asm__ volatile("yield" ::: "memory");
#elif defined(_WIN32)
	YieldProcessor();
#endif
}

// Is there an open job other than the one this thread was in last?
static bool tnIsNewJob(uint64_t job, uint64_t lastJob)
{
	return (job & TN_JOB_OPEN) != 0 && job >> 32 != lastJob;
}

// Blocks until there is a new job or the world is destroyed. False for the latter.
static bool tnAwaitJob(tnParallel* parallel, uint64_t lastJob)
{
	for (int i = 0; i < parallel->spinCount; ++i)
	{
		if (tnIsNewJob(atomic_load_explicit(&parallel->job, memory_order_relaxed), lastJob))
		{
			return true;
		}
		tnPause();
	}

	// The caller opens a job and then looks for sleepers; here it is the other way round. So one of the two sees the
	// other, and the lock makes sure that a signal finds this thread waiting.
	bool running = true;
	tnLock(parallel);
	atomic_fetch_add(&parallel->sleeperCount, 1);
	for (;;)
	{
		running = !atomic_load(&parallel->quit);
		if (!running || tnIsNewJob(atomic_load(&parallel->job), lastJob))
		{
			break;
		}
		tnWaitForWork(parallel);
	}
	atomic_fetch_sub(&parallel->sleeperCount, 1);
	tnUnlock(parallel);
	return running;
}

static void tnWorkUntilQuit(const tnWorker* worker)
{
	tnParallel* parallel = worker->parallel;
	uint64_t lastJob = 0;
	while (tnAwaitJob(parallel, lastJob))
	{
		uint64_t job = atomic_load(&parallel->job);
		if (!tnIsNewJob(job, lastJob) || !atomic_compare_exchange_weak(&parallel->job, &job, job + 1))
		{
			continue;
		}
		lastJob = job >> 32;
		tnRunItems(parallel, worker->workerIndex);

		job = atomic_fetch_sub(&parallel->job, 1) - 1;
		bool isLast = (job & (TN_JOB_OPEN | TN_JOB_ACTIVE)) == 0;
		if (isLast && atomic_load(&parallel->callerSleeps))
		{
			tnLock(parallel);
			tnSignalDone(parallel);
			tnUnlock(parallel);
		}
	}
}

#if defined(_WIN32)

static DWORD WINAPI tnThreadMain(void* argument)
{
	tnWorkUntilQuit(argument);
	return 0;
}

static bool tnStartThread(tnWorker* worker)
{
	worker->thread = CreateThread(NULL, 0, tnThreadMain, worker, 0, NULL);
	return worker->thread != NULL;
}

static void tnJoinThread(tnWorker* worker)
{
	WaitForSingleObject(worker->thread, INFINITE);
	CloseHandle(worker->thread);
}

static bool tnInitLocks(tnParallel* parallel)
{
	InitializeSRWLock(&parallel->mutex);
	InitializeConditionVariable(&parallel->workCondition);
	InitializeConditionVariable(&parallel->doneCondition);
	return true;
}

static void tnDestroyLocks(tnParallel* parallel)
{
	(void)parallel;
}

#else

static void* tnThreadMain(void* argument)
{
	tnWorkUntilQuit(argument);
	return NULL;
}

static bool tnStartThread(tnWorker* worker)
{
	// Signals belong to the host: its handlers must not run on our threads.
	sigset_t all, old;
	sigfillset(&all);
	bool masked = pthread_sigmask(SIG_SETMASK, &all, &old) == 0;
	bool started = pthread_create(&worker->thread, NULL, tnThreadMain, worker) == 0;
	if (masked)
	{
		pthread_sigmask(SIG_SETMASK, &old, NULL);
	}
	return started;
}

static void tnJoinThread(tnWorker* worker)
{
	pthread_join(worker->thread, NULL);
}

static bool tnInitLocks(tnParallel* parallel)
{
	if (pthread_mutex_init(&parallel->mutex, NULL) != 0)
	{
		return false;
	}
	if (pthread_cond_init(&parallel->workCondition, NULL) != 0)
	{
		pthread_mutex_destroy(&parallel->mutex);
		return false;
	}
	if (pthread_cond_init(&parallel->doneCondition, NULL) != 0)
	{
		pthread_cond_destroy(&parallel->workCondition);
		pthread_mutex_destroy(&parallel->mutex);
		return false;
	}
	return true;
}

static void tnDestroyLocks(tnParallel* parallel)
{
	pthread_cond_destroy(&parallel->doneCondition);
	pthread_cond_destroy(&parallel->workCondition);
	pthread_mutex_destroy(&parallel->mutex);
}

#endif

static void tnStartThreads(tnParallel* parallel)
{
	if (!tnInitLocks(parallel))
	{
		parallel->workerCount = 1;
		return;
	}
	// With fewer cores than threads a waiting thread would spin on the core that the work needs.
	parallel->spinCount = parallel->workerCount <= tnGetCoreCount() ? TN_SPIN_COUNT : 0;
	for (int i = 1; i < parallel->workerCount; ++i)
	{
		if (!tnStartThread(&parallel->workers[i]))
		{
			break;
		}
		parallel->threadCount += 1;
	}
	parallel->workerCount = parallel->threadCount + 1;
	if (parallel->threadCount == 0)
	{
		tnDestroyLocks(parallel);
	}
}

static void tnStopThreads(tnParallel* parallel)
{
	if (parallel->threadCount == 0)
	{
		return;
	}
	tnLock(parallel);
	atomic_store(&parallel->quit, true);
	tnSignalAll(parallel);
	tnUnlock(parallel);
	for (int i = 1; i <= parallel->threadCount; ++i)
	{
		tnJoinThread(&parallel->workers[i]);
	}
	tnDestroyLocks(parallel);
}

static bool tnIsJobBusy(tnParallel* parallel)
{
	return (atomic_load(&parallel->job) & TN_JOB_ACTIVE) != 0;
}

static void tnRunOnThreads(tnParallel* parallel)
{
	TN_ASSERT((atomic_load(&parallel->job) & (TN_JOB_OPEN | TN_JOB_ACTIVE)) == 0);
	uint64_t number = (atomic_load(&parallel->job) >> 32) + 1;
	// 0 is what a thread that has seen no job yet takes for its last one. After 2^32 jobs it is skipped.
	number = (uint32_t)number == 0 ? 1 : (uint32_t)number;
	atomic_store(&parallel->job, number << 32 | TN_JOB_OPEN);

	int sleeperCount = atomic_load(&parallel->sleeperCount);
	if (sleeperCount > 0)
	{
		int wanted = tnMinInt(parallel->count, parallel->workerCount) - 1;
		tnLock(parallel);
		if (wanted >= sleeperCount)
		{
			tnSignalAll(parallel);
		}
		else
		{
			for (int i = 0; i < wanted; ++i)
			{
				tnSignalWork(parallel);
			}
		}
		tnUnlock(parallel);
	}

	tnRunItems(parallel, 0);

	atomic_fetch_and(&parallel->job, ~TN_JOB_OPEN);
	for (int i = 0; i < parallel->spinCount && tnIsJobBusy(parallel); ++i)
	{
		tnPause();
	}
	if (tnIsJobBusy(parallel))
	{
		tnLock(parallel);
		atomic_store(&parallel->callerSleeps, true);
		while (tnIsJobBusy(parallel))
		{
			tnWaitForDone(parallel);
		}
		atomic_store(&parallel->callerSleeps, false);
		tnUnlock(parallel);
	}
}

#endif

static void tnHostTask(void* taskContext)
{
	const tnWorker* worker = taskContext;
	tnRunItems(worker->parallel, worker->workerIndex);
}

static void tnRunOnHost(tnParallel* parallel)
{
	const tnTaskSystem* tasks = &parallel->tasks;
	void* hostTasks[TN_MAX_WORKERS];
	int taskCount = tnMinInt(parallel->count, parallel->workerCount);
	for (int i = 1; i < taskCount; ++i)
	{
		hostTasks[i] = tasks->startFcn(tnHostTask, &parallel->workers[i], tasks->context);
	}
	tnRunItems(parallel, 0);
	for (int i = 1; i < taskCount; ++i)
	{
		if (hostTasks[i] != NULL)
		{
			tasks->waitFcn(hostTasks[i], tasks->context);
		}
	}
}

tnParallel* tnCreateParallel(tnMemory* memory, const tnTaskSystem* tasks)
{
	tnParallel* parallel = tnMemory_Alloc(memory, sizeof(tnParallel));
	if (parallel == NULL)
	{
		return NULL;
	}
	for (int i = 0; i < TN_MAX_WORKERS; ++i)
	{
		atomic_init(&parallel->shares[i].items, 0);
	}
	atomic_init(&parallel->job, 0);
	atomic_init(&parallel->sleeperCount, 0);
	atomic_init(&parallel->callerSleeps, false);
	atomic_init(&parallel->quit, false);
	parallel->tasks = *tasks;
	parallel->workerCount = tnClampInt(tasks->workerCount, 1, TN_MAX_WORKERS);
	for (int i = 0; i < TN_MAX_WORKERS; ++i)
	{
		parallel->workers[i].parallel = parallel;
		parallel->workers[i].workerIndex = i;
	}
	if (tasks->startFcn == NULL && parallel->workerCount > 1)
	{
#if TN_THREADS
		tnStartThreads(parallel);
#else
		parallel->workerCount = 1;
#endif
	}
	return parallel;
}

void tnDestroyParallel(tnParallel* parallel, tnMemory* memory)
{
	if (parallel == NULL)
	{
		return;
	}
#if TN_THREADS
	tnStopThreads(parallel);
#endif
	tnMemory_Free(memory, parallel, sizeof(tnParallel));
}

int tnParallel_GetWorkerCount(const tnParallel* parallel)
{
	return parallel->workerCount;
}

bool tnParallel_IsRunning(const tnParallel* parallel)
{
	return parallel != NULL && parallel->isRunning;
}

void tnParallelFor(tnParallel* parallel, int count, tnItemFcn* fcn, void* context)
{
	if (count <= 1 || parallel->workerCount == 1)
	{
		for (int item = 0; item < count; ++item)
		{
			fcn(item, 0, context);
		}
		return;
	}

	parallel->fcn = fcn;
	parallel->context = context;
	parallel->isRunning = true;
	tnDealItems(parallel, count);
	if (parallel->tasks.startFcn != NULL)
	{
		tnRunOnHost(parallel);
	}
#if TN_THREADS
	else
	{
		tnRunOnThreads(parallel);
	}
#endif
	parallel->isRunning = false;
}
