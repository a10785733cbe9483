// SPDX-License-Identifier: MIT

// A thread that sleeps until there is something to do.

#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include "side_thread.h"

#if defined(_WIN32)
#define TN_SIDE_THREADS 1
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#elif defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
#define TN_SIDE_THREADS 0
#else
#define TN_SIDE_THREADS 1
#include <pthread.h>
#include <signal.h>
#endif

struct tnSideThread
{
	tnSideFcn* fcn; // NULL: nothing to do
	void* context;
	bool quit;
	bool started; // there is a thread
	bool inPlace; // there is none, and the function is running
#if TN_SIDE_THREADS
#if defined(_WIN32)
	SRWLOCK mutex;
	CONDITION_VARIABLE changed;
	HANDLE thread;
	DWORD owner; // who started what is being done
#else
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	pthread_t thread, owner;
#endif
#endif
};

#if TN_SIDE_THREADS

#if defined(_WIN32)

static void tnLock(tnSideThread* thread)
{
	AcquireSRWLockExclusive(&thread->mutex);
}

static void tnUnlock(tnSideThread* thread)
{
	ReleaseSRWLockExclusive(&thread->mutex);
}

static void tnAwait(tnSideThread* thread)
{
	SleepConditionVariableSRW(&thread->changed, &thread->mutex, INFINITE, 0);
}

static void tnTell(tnSideThread* thread)
{
	WakeAllConditionVariable(&thread->changed);
}

#else

static void tnLock(tnSideThread* thread)
{
	pthread_mutex_lock(&thread->mutex);
}

static void tnUnlock(tnSideThread* thread)
{
	pthread_mutex_unlock(&thread->mutex);
}

static void tnAwait(tnSideThread* thread)
{
	pthread_cond_wait(&thread->changed, &thread->mutex);
}

static void tnTell(tnSideThread* thread)
{
	pthread_cond_broadcast(&thread->changed);
}

#endif

static void tnServe(tnSideThread* thread)
{
	tnLock(thread);
	while (!thread->quit)
	{
		if (thread->fcn == NULL)
		{
			tnAwait(thread);
			continue;
		}
		tnUnlock(thread);
		thread->fcn(thread->context);
		tnLock(thread);
		thread->fcn = NULL;
		tnTell(thread);
	}
	tnUnlock(thread);
}

#if defined(_WIN32)

static DWORD WINAPI tnSideMain(void* argument)
{
	tnServe(argument);
	return 0;
}

static void tnOpen(tnSideThread* thread)
{
	InitializeSRWLock(&thread->mutex);
	InitializeConditionVariable(&thread->changed);
	thread->thread = CreateThread(NULL, 0, tnSideMain, thread, 0, NULL);
	thread->started = thread->thread != NULL;
}

static void tnClose(tnSideThread* thread)
{
	WaitForSingleObject(thread->thread, INFINITE);
	CloseHandle(thread->thread);
}

static void tnOwn(tnSideThread* thread)
{
	thread->owner = GetCurrentThreadId();
}

static bool tnIsOwner(const tnSideThread* thread)
{
	return thread->owner == GetCurrentThreadId();
}

#else

static void* tnSideMain(void* argument)
{
	tnServe(argument);
	return NULL;
}

static void tnOpen(tnSideThread* thread)
{
	if (pthread_mutex_init(&thread->mutex, NULL) != 0)
	{
		return;
	}
	if (pthread_cond_init(&thread->changed, NULL) != 0)
	{
		pthread_mutex_destroy(&thread->mutex);
		return;
	}
	// Signals belong to the host: its handlers must not run on our threads.
	sigset_t all, old;
	sigfillset(&all);
	const bool masked = pthread_sigmask(SIG_SETMASK, &all, &old) == 0;
	thread->started = pthread_create(&thread->thread, NULL, tnSideMain, thread) == 0;
	if (masked)
	{
		pthread_sigmask(SIG_SETMASK, &old, NULL);
	}
	if (!thread->started)
	{
		pthread_cond_destroy(&thread->changed);
		pthread_mutex_destroy(&thread->mutex);
	}
}

static void tnClose(tnSideThread* thread)
{
	pthread_join(thread->thread, NULL);
	pthread_cond_destroy(&thread->changed);
	pthread_mutex_destroy(&thread->mutex);
}

static void tnOwn(tnSideThread* thread)
{
	thread->owner = pthread_self();
}

static bool tnIsOwner(const tnSideThread* thread)
{
	return pthread_equal(thread->owner, pthread_self()) != 0;
}

#endif

#endif

tnSideThread* tnCreateSideThread(tnMemory* memory)
{
	tnSideThread* thread = tnMemory_Alloc(memory, sizeof(tnSideThread));
#if TN_SIDE_THREADS
	if (thread != NULL)
	{
		tnOpen(thread);
	}
#endif
	return thread;
}

void tnDestroySideThread(tnSideThread* thread, tnMemory* memory)
{
	if (thread == NULL)
	{
		return;
	}
#if TN_SIDE_THREADS
	if (thread->started)
	{
		tnLock(thread);
		thread->quit = true;
		tnTell(thread);
		tnUnlock(thread);
		tnClose(thread);
	}
#endif
	tnMemory_Free(memory, thread, sizeof(tnSideThread));
}

void tnSideThread_Start(tnSideThread* thread, tnSideFcn* fcn, void* context)
{
#if TN_SIDE_THREADS
	if (thread->started)
	{
		tnLock(thread);
		tnOwn(thread);
		thread->context = context;
		thread->fcn = fcn;
		tnTell(thread);
		tnUnlock(thread);
		return;
	}
#endif
	thread->inPlace = true;
	fcn(context);
	thread->inPlace = false;
}

bool tnSideThread_MayWait(const tnSideThread* thread)
{
#if TN_SIDE_THREADS
	if (thread->started)
	{
		return tnIsOwner(thread);
	}
#endif
	return !thread->inPlace;
}

void tnSideThread_Wait(tnSideThread* thread)
{
#if TN_SIDE_THREADS
	if (thread->started)
	{
		tnLock(thread);
		while (thread->fcn != NULL)
		{
			tnAwait(thread);
		}
		tnUnlock(thread);
	}
#else
	(void)thread;
#endif
}
