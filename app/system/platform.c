// SPDX-License-Identifier: MIT

// What the program needs from the operating system and C does not have: clocks, terminals, folders, interrupts,
// threads.

// winsize and its ioctl are older than POSIX and hidden without this.
#define _DEFAULT_SOURCE 1
#define _POSIX_C_SOURCE 200809L

#include "system/platform.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

double GetSeconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1.0e-9 * (double)now.tv_nsec;
}

int GetProcessorCount(void)
{
	const int count = (int)sysconf(_SC_NPROCESSORS_ONLN);
	return count > 1 ? count : 1;
}

bool IsErrorTerminal(void)
{
	return isatty(STDERR_FILENO) == 1;
}

int GetTerminalWidth(void)
{
	struct winsize size;
	const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
	return known ? (int)size.ws_col : 80;
}

bool IsFile(const char* path)
{
	struct stat info;
	return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

bool IsFolder(const char* path)
{
	struct stat info;
	return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool GetProgramFolder(char* folder, size_t size)
{
#if defined(__APPLE__)
	uint32_t room = (uint32_t)size;
	const bool known = _NSGetExecutablePath(folder, &room) == 0;
#else
	const ssize_t length = readlink("/proc/self/exe", folder, size);
	const bool known = length > 0 && (size_t)length < size;
	folder[known ? length : 0] = '\0';
#endif
	char* slash = known ? strrchr(folder, '/') : NULL;
	if (slash != NULL)
	{
		*slash = '\0';
	}
	return slash != NULL;
}

static bool MakeFolder(const char* path)
{
	if (mkdir(path, 0777) == 0)
	{
		return true;
	}
	struct stat info;
	if (errno == EEXIST && stat(path, &info) == 0 && !S_ISDIR(info.st_mode))
	{
		errno = ENOTDIR;
		return false;
	}
	return errno == EEXIST;
}

bool MakeFolders(const char* path)
{
	char part[4096];
	const size_t length = strlen(path);
	if (length == 0 || length >= sizeof(part))
	{
		errno = ENAMETOOLONG;
		return false;
	}
	memcpy(part, path, length + 1);
	for (size_t i = 1; i < length; ++i)
	{
		if (part[i] == '/')
		{
			part[i] = '\0';
			if (!MakeFolder(part))
			{
				return false;
			}
			part[i] = '/';
		}
	}
	return MakeFolder(part);
}

static volatile sig_atomic_t s_interrupted = 0;

static void HandleInterrupt(int signalNumber)
{
	(void)signalNumber;
	s_interrupted = 1;
}

void CatchInterrupts(void)
{
	struct sigaction action;
	memset(&action, 0, sizeof(action));
	action.sa_handler = HandleInterrupt;
	// Files that are being written go on; the handler leaves after one use.
	action.sa_flags = (int)(SA_RESTART | SA_RESETHAND);
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

bool WasInterrupted(void)
{
	return s_interrupted != 0;
}

typedef struct ThreadStart
{
	void (*fcn)(void* context, int thread);
	void* context;
	int thread;
} ThreadStart;

static void* StartThread(void* argument)
{
	const ThreadStart* start = argument;
	start->fcn(start->context, start->thread);
	return NULL;
}

bool RunOnThreads(void (*fcn)(void* context, int thread), void* context, int threadCount)
{
	enum
	{
		most = 256,
	};
	pthread_t threads[most];
	ThreadStart starts[most];
	if (threadCount > most)
	{
		return false;
	}
	int started = 1;
	for (; started < threadCount; ++started)
	{
		starts[started] = (ThreadStart){fcn, context, started};
		if (pthread_create(threads + started, NULL, StartThread, starts + started) != 0)
		{
			break;
		}
	}
	fcn(context, 0);
	for (int i = 1; i < started; ++i)
	{
		pthread_join(threads[i], NULL);
	}
	return started == threadCount;
}
