// SPDX-License-Identifier: MIT

// The random driver as a program, for as long as one likes. It runs seeds in a process of its own; when that finds something,
// or dies, the calls are shrunk, each attempt in yet another process, and printed as a program in C.

#define _DEFAULT_SOURCE // fork, mmap

#include "driver.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// A race shall end the process that shows it: it is found by that.
const char* __tsan_default_options(void);
const char* __tsan_default_options(void)
{
	return "halt_on_error=1";
}

enum
{
	// A run that takes longer hangs. Most take less than one, but not on a machine that is busy with other things.
	secondsPerRun = 600,
	shrinkAttempts = 3000,
	foundExit = 3,
	mostBytes = 1 << 16,
};

typedef struct Arguments
{
	uint64_t seed;
	int64_t count;
	double seconds;
	int byteCount;
	int findLimit;
	bool voxels;
	bool both;
	bool failsMemory;
	bool quick;
	bool threads;
	bool prints;
	const char* file;
	const char* folder;
} Arguments;

// What processes tell each other.
typedef struct Progress
{
	uint64_t seed;
	bool voxels;
	int64_t failAt;
	bool done;
	int64_t callCount, refusedCount, stepCount, runCount, twinCount, allocationCount;
	int64_t waveStepCount, bodyStepCount, sprayStepCount;
	DriverReport report;
} Progress;

static Progress* s_progress;
static Arguments s_arguments = {.count = 1000, .byteCount = 900, .findLimit = 5};
static uint8_t s_bytes[mostBytes];

static double GetSeconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1.0e-9 * (double)now.tv_nsec;
}

static void AddReport(const DriverReport* report)
{
	s_progress->callCount += report->callCount;
	s_progress->refusedCount += report->refusedCount;
	s_progress->stepCount += report->stepCount;
	s_progress->twinCount += report->twinCount;
	s_progress->waveStepCount += report->waveStepCount;
	s_progress->bodyStepCount += report->bodyStepCount;
	s_progress->sprayStepCount += report->sprayStepCount;
	s_progress->runCount += 1;
}

static bool RunOnce(const DriverOptions* options)
{
	alarm(secondsPerRun);
	DriverMakeBytes(s_progress->seed, s_bytes, s_arguments.byteCount);
	s_progress->failAt = options->failAt;
	s_progress->voxels = options->voxels;
	const bool ok = DriverRunBytes(s_bytes, (size_t)s_arguments.byteCount, options, NULL, &s_progress->report);
	AddReport(&s_progress->report);
	return ok;
}

// Every allocation of a run is made to fail in turn.
static bool RunWithoutMemory(DriverOptions options)
{
	options.alone = true;
	options.failAt = 0;
	if (!RunOnce(&options))
	{
		return false;
	}
	const int64_t count = s_progress->report.allocationCount;
	for (int64_t i = 1; i <= count; ++i)
	{
		options.failAt = i;
		s_progress->allocationCount += 1;
		if (!RunOnce(&options))
		{
			return false;
		}
	}
	return true;
}

static void RunSeeds(uint64_t first, uint64_t end, double stopAt)
{
	for (uint64_t seed = first; seed < end && (stopAt <= 0.0 || GetSeconds() < stopAt); ++seed)
	{
		s_progress->seed = seed;
		const DriverOptions options = {.voxels = s_arguments.both ? seed % 4 == 3 : s_arguments.voxels,
			.alone = s_arguments.quick,
			.threads = s_arguments.threads};
		const bool ok = s_arguments.failsMemory ? RunWithoutMemory(options) : RunOnce(&options);
		if (!ok)
		{
			_exit(foundExit);
		}
	}
	s_progress->done = true;
	_exit(0);
}

// ---------------------------------------------------------------------------------------------------------------------
// Shrinking

typedef struct Failure
{
	DriverOptions options;
	// Empty: the process died.
	char check[sizeof(((DriverReport*)NULL)->check)];
} Failure;

static bool FailsInProcess(const DriverRecord* record, void* context)
{
	const Failure* failure = context;
	memset(&s_progress->report, 0, sizeof(s_progress->report));
	fflush(NULL);
	const pid_t child = fork();
	if (child == 0)
	{
		alarm(secondsPerRun);
		if (freopen("/dev/null", "w", stderr) == NULL)
		{
			_exit(1);
		}
		const bool ok = DriverRunRecord(record, &failure->options, &s_progress->report);
		_exit(ok ? 0 : foundExit);
	}
	int status = 0;
	waitpid(child, &status, 0);
	const bool found = WIFEXITED(status) && WEXITSTATUS(status) == foundExit;
	const bool fine = WIFEXITED(status) && WEXITSTATUS(status) == 0;
	if (failure->check[0] == 0)
	{
		return !fine && !found;
	}
	return found && strcmp(s_progress->report.check, failure->check) == 0;
}

static void ShrinkAndPrint(const uint8_t* bytes, size_t size, Failure* failure)
{
	DriverRecord* record = DriverCreateRecord();
	DriverRecordBytes(bytes, size, &failure->options, record);
	DriverReport report = s_progress->report;
	if (FailsInProcess(record, failure))
	{
		const int before = DriverGetCallCount(record);
		DriverShrink(record, FailsInProcess, failure, shrinkAttempts);
		FailsInProcess(record, failure);
		report = s_progress->report;
		fprintf(stderr, "shrunk from %d calls to %d\n", before, DriverGetCallCount(record));
	}
	else
	{
		fprintf(stderr, "the record does not fail in the same way; not shrunk\n");
	}
	if (failure->check[0] == 0)
	{
		snprintf(
			report.text, sizeof(report.text), "the process died (seed %llu)", (unsigned long long)s_progress->seed);
		report.twinCount = 3;
	}
	char path[512] = "";
	if (s_arguments.folder != NULL)
	{
		snprintf(path, sizeof(path), "%s/driver_%llu%s.c", s_arguments.folder, (unsigned long long)s_progress->seed,
			failure->options.voxels ? "_voxels" : "");
	}
	FILE* file = path[0] != 0 ? fopen(path, "w") : stdout;
	if (file != NULL)
	{
		DriverPrint(record, &report, file);
		fprintf(stderr, "FOUND %s\n%s\n", report.text, path);
		if (file != stdout)
		{
			fclose(file);
		}
	}
	DriverDestroyRecord(record);
}

static int RunFile(const char* path)
{
	FILE* file = fopen(path, "rb");
	if (file == NULL)
	{
		fprintf(stderr, "%s cannot be read\n", path);
		return 2;
	}
	const size_t size = fread(s_bytes, 1, sizeof(s_bytes), file);
	fclose(file);
	Failure failure = {.options = {.voxels = s_arguments.voxels}};
	DriverRecord* record = DriverCreateRecord();
	DriverRecordBytes(s_bytes, size, &failure.options, record);
	const bool died = FailsInProcess(record, &failure);
	DriverDestroyRecord(record);
	if (!died && s_progress->report.check[0] == 0)
	{
		printf("%s: nothing found\n", path);
		return 0;
	}
	memcpy(failure.check, s_progress->report.check, sizeof(failure.check));
	ShrinkAndPrint(s_bytes, size, &failure);
	return 1;
}

// ---------------------------------------------------------------------------------------------------------------------

static int RunAll(void)
{
	const double begin = GetSeconds();
	const double stopAt = s_arguments.seconds > 0.0 ? begin + s_arguments.seconds : 0.0;
	const uint64_t end = s_arguments.seconds > 0.0 ? UINT64_MAX : s_arguments.seed + (uint64_t)s_arguments.count;
	int foundCount = 0;
	s_progress->seed = s_arguments.seed;
	uint64_t next = s_arguments.seed;
	while (!s_progress->done && foundCount < s_arguments.findLimit)
	{
		fflush(NULL);
		const pid_t child = fork();
		if (child == 0)
		{
			RunSeeds(next, end, stopAt);
		}
		int status = 0;
		waitpid(child, &status, 0);
		if (s_progress->done)
		{
			break;
		}
		foundCount += 1;
		const bool died = !WIFEXITED(status) || WEXITSTATUS(status) != foundExit;
		fprintf(stderr, "seed %llu%s: %s\n", (unsigned long long)s_progress->seed, s_progress->voxels ? ", voxels" : "",
			died ? "the process died" : s_progress->report.text);
		Failure failure = {.options = {.voxels = s_progress->voxels,
							   .alone = s_arguments.failsMemory || s_arguments.quick,
							   .threads = s_arguments.threads,
							   .failAt = s_progress->failAt}};
		if (!died)
		{
			memcpy(failure.check, s_progress->report.check, sizeof(failure.check));
		}
		DriverMakeBytes(s_progress->seed, s_bytes, s_arguments.byteCount);
		ShrinkAndPrint(s_bytes, (size_t)s_arguments.byteCount, &failure);
		next = s_progress->seed + 1;
		if (next >= end || (stopAt > 0.0 && GetSeconds() >= stopAt))
		{
			break;
		}
	}
	const double seconds = GetSeconds() - begin;
	printf("%lld worlds (%lld with twins), %lld calls, %lld refused, %lld steps (%lld with waves, %lld with bodies, "
		   "%lld with "
		   "spray)",
		(long long)s_progress->runCount, (long long)s_progress->twinCount, (long long)s_progress->callCount,
		(long long)s_progress->refusedCount, (long long)s_progress->stepCount, (long long)s_progress->waveStepCount,
		(long long)s_progress->bodyStepCount, (long long)s_progress->sprayStepCount);
	if (s_arguments.failsMemory)
	{
		printf(", %lld allocations failed", (long long)s_progress->allocationCount);
	}
	printf(" in %.1f s: %.0f calls/s, %.0f steps/s; %d found\n", seconds, (double)s_progress->callCount / seconds,
		(double)s_progress->stepCount / seconds, foundCount);
	return foundCount == 0 ? 0 : 1;
}

// All calls of a seed as a program, made or not.
static int PrintSeed(void)
{
	const DriverOptions options = {.voxels = s_arguments.voxels};
	DriverRecord* record = DriverCreateRecord();
	DriverReport report = {.twinCount = 3};
	snprintf(report.text, sizeof(report.text), "seed %llu", (unsigned long long)s_arguments.seed);
	DriverMakeBytes(s_arguments.seed, s_bytes, s_arguments.byteCount);
	DriverRecordBytes(s_bytes, (size_t)s_arguments.byteCount, &options, record);
	DriverPrint(record, &report, stdout);
	DriverDestroyRecord(record);
	return 0;
}

static void PrintUsage(void)
{
	printf("tarn_driver [--seed N] [--count N | --seconds S] [--bytes N] [--voxels | --both] [--alloc-fail] [--alone] "
		   "[--threads]\n"
		   "            [--find N] [--out FOLDER] [--file BYTES] [--print]\n"
		   "Random calls on random worlds. What it finds is shrunk and printed as a program in C.\n");
}

int main(int argc, char** argv)
{
	s_progress = mmap(NULL, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (s_progress == MAP_FAILED)
	{
		return 2;
	}
	for (int i = 1; i < argc; ++i)
	{
		const char* name = argv[i];
		const char* value = i + 1 < argc ? argv[i + 1] : "";
		bool takesValue = true;
		if (strcmp(name, "--seed") == 0)
		{
			s_arguments.seed = strtoull(value, NULL, 10);
		}
		else if (strcmp(name, "--count") == 0)
		{
			s_arguments.count = strtoll(value, NULL, 10);
		}
		else if (strcmp(name, "--seconds") == 0)
		{
			s_arguments.seconds = strtod(value, NULL);
		}
		else if (strcmp(name, "--bytes") == 0)
		{
			const int count = atoi(value);
			s_arguments.byteCount = count > mostBytes ? mostBytes : count < 1 ? 1 : count;
		}
		else if (strcmp(name, "--find") == 0)
		{
			s_arguments.findLimit = atoi(value);
		}
		else if (strcmp(name, "--out") == 0)
		{
			s_arguments.folder = value;
		}
		else if (strcmp(name, "--file") == 0)
		{
			s_arguments.file = value;
		}
		else
		{
			takesValue = false;
			if (strcmp(name, "--voxels") == 0)
			{
				s_arguments.voxels = true;
			}
			else if (strcmp(name, "--both") == 0)
			{
				s_arguments.both = true;
			}
			else if (strcmp(name, "--alloc-fail") == 0)
			{
				s_arguments.failsMemory = true;
			}
			else if (strcmp(name, "--alone") == 0)
			{
				s_arguments.quick = true;
			}
			else if (strcmp(name, "--threads") == 0)
			{
				s_arguments.threads = true;
			}
			else if (strcmp(name, "--print") == 0)
			{
				s_arguments.prints = true;
			}
			else
			{
				PrintUsage();
				return 2;
			}
		}
		i += takesValue ? 1 : 0;
	}
	if (s_arguments.prints)
	{
		return PrintSeed();
	}
	return s_arguments.file != NULL ? RunFile(s_arguments.file) : RunAll();
}
