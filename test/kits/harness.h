// SPDX-License-Identifier: MIT

#pragma once

// A test is a function that returns 0 when it passes. A file test_<name>.c ends with a table of them and a suite
//
//	static const Test s_tests[] = {{"LakeAtRest", LakeAtRest}, {"SameBits", SameBits}};
//	const TestSuite flowSuite = TEST_SUITE("flow", s_tests);
//
// and joins the program with one line `tarn_add_suite(flow)` in test/CMakeLists.txt, below the room that the file is in.

#include <tarn/base.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int TestFcn(void);

typedef struct Test
{
	const char* name;
	TestFcn* fcn;
} Test;

typedef struct TestSuite
{
	const char* name;
	const Test* tests;
	int testCount;
} TestSuite;

#define TEST_SUITE(suiteName, suiteTests)                                                                            \
	{                                                                                                                \
		.name = (suiteName), .tests = (suiteTests), .testCount = (int)(sizeof(suiteTests) / sizeof((suiteTests)[0])) \
	}

// Builds that run slowly (sanitizers, emulated processors, no optimisation: TARN_BRIEF_TESTS in CMake) do a quarter of what
// tests only repeat: seeds, cycles, combinations. The plain build does all of it.
#ifdef TARN_BRIEF_TESTS
#define TEST_BREVITY 4
#else
#define TEST_BREVITY 1
#endif
#define TEST_REPEATS(count) (((count) + TEST_BREVITY - 1) / TEST_BREVITY)
#define TEST_LEAVES_OUT(index) ((index) % TEST_BREVITY != 0)

// Each check evaluates its arguments once. A failing one prints file, line, expression, value and expected value, and
// makes the function it stands in return 1.

#define ENSURE(condition)                                                    \
	do                                                                       \
	{                                                                        \
		if (TestCheck(__FILE__, __LINE__, #condition, (condition)) == false) \
		{                                                                    \
			return 1;                                                        \
		}                                                                    \
	} while (0)

#define ENSURE_EQUAL_INT(actual, expected)                                                              \
	do                                                                                                  \
	{                                                                                                   \
		if (TestCheckInt(__FILE__, __LINE__, #actual, (int64_t)(actual), (int64_t)(expected)) == false) \
		{                                                                                               \
			return 1;                                                                                   \
		}                                                                                               \
	} while (0)

#define ENSURE_EQUAL_HEX(actual, expected)                                                                \
	do                                                                                                    \
	{                                                                                                     \
		if (TestCheckHex(__FILE__, __LINE__, #actual, (uint64_t)(actual), (uint64_t)(expected)) == false) \
		{                                                                                                 \
			return 1;                                                                                     \
		}                                                                                                 \
	} while (0)

// |actual - expected| <= tolerance. NaN is close to nothing.
#define ENSURE_CLOSE(actual, expected, tolerance)                                                                     \
	do                                                                                                                \
	{                                                                                                                 \
		if (TestCheckClose(__FILE__, __LINE__, #actual, (double)(actual), (double)(expected), (double)(tolerance)) == \
			false)                                                                                                    \
		{                                                                                                             \
			return 1;                                                                                                 \
		}                                                                                                             \
	} while (0)

// The text contains a part. An empty part: the text is empty too.
#define ENSURE_TEXT(text, part)                                                \
	do                                                                         \
	{                                                                          \
		if (TestCheckText(__FILE__, __LINE__, #text, (text), (part)) == false) \
		{                                                                      \
			return 1;                                                          \
		}                                                                      \
	} while (0)

// A tnResult is tn_ok. Prints its text if it is not.
#define ENSURE_OK(result)                                                                 \
	do                                                                                    \
	{                                                                                     \
		if (TestCheckResult(__FILE__, __LINE__, #result, (result), tn_ok, NULL) == false) \
		{                                                                                 \
			return 1;                                                                     \
		}                                                                                 \
	} while (0)

// A tnResult has a status, and its text contains a part.
#define ENSURE_REFUSED(result, expectedStatus, part)                                                   \
	do                                                                                                 \
	{                                                                                                  \
		if (TestCheckResult(__FILE__, __LINE__, #result, (result), (expectedStatus), (part)) == false) \
		{                                                                                              \
			return 1;                                                                                  \
		}                                                                                              \
	} while (0)

bool TestCheck(const char* file, int line, const char* expression, bool condition);
bool TestCheckInt(const char* file, int line, const char* expression, int64_t actual, int64_t expected);
bool TestCheckHex(const char* file, int line, const char* expression, uint64_t actual, uint64_t expected);
bool TestCheckClose(
	const char* file, int line, const char* expression, double actual, double expected, double tolerance);
bool TestCheckText(const char* file, int line, const char* expression, const char* text, const char* part);
bool TestCheckResult(
	const char* file, int line, const char* expression, tnResult result, tnStatus expected, const char* part);

// Failed checks print nothing while this is on: for tests of the checks themselves.
void TestSetQuiet(bool quiet);

// Runs the suites that the filter names: NULL for all, "suite", or "suite.test". Prints one line per test and, as the
// last line, "N passed, M failed". Returns the exit code of the program: 0 if something ran and nothing failed.
int TestRunSuites(const TestSuite* const* suites, int suiteCount, const char* filter);

// Aligned memory on every machine: C17 has aligned_alloc, which Windows does not. NULL if there is none.
void* TestAllocAligned(size_t size, size_t alignment);
void TestFreeAligned(void* memory);

// An allocator that counts. New memory is filled with garbage, so that nobody relies on zeros, and freed memory is
// filled with other garbage. For use by one thread at a time.
typedef struct TestAllocator
{
	int allocationCount, freeCount;
	size_t liveBytes, peakBytes;
	// Frees whose size was not the size that was asked for, or whose memory was written over its end.
	int badFreeCount;
	// Let this allocation return NULL: 1 is the next one, 0 is none. Counts down.
	int failIn;
	// Let all allocations after that one fail too.
	bool failAfterwards;
} TestAllocator;

// The allocator must outlive everything allocated from it.
tnAllocator TestGetAllocator(TestAllocator* allocator);

// A sequence of numbers that depends on the seed only.
typedef struct TestRandom
{
	uint64_t state;
} TestRandom;

TestRandom TestMakeRandom(uint64_t seed);
uint32_t TestRandomBits(TestRandom* random);
// In [low, high).
float TestRandomFloat(TestRandom* random, float low, float high);
// In [low, high], both included.
int TestRandomInt(TestRandom* random, int low, int high);
