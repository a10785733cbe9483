// SPDX-License-Identifier: MIT

// Checks, suites, an allocator that counts, and random numbers for tests.

#include "harness.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static bool s_quiet;

void TestSetQuiet(bool quiet)
{
	s_quiet = quiet;
}

bool TestCheck(const char* file, int line, const char* expression, bool condition)
{
	if (condition == false && s_quiet == false)
	{
		printf("%s:%d: %s is false, expected true\n", file, line, expression);
	}
	return condition;
}

bool TestCheckInt(const char* file, int line, const char* expression, int64_t actual, int64_t expected)
{
	if (actual != expected && s_quiet == false)
	{
		printf("%s:%d: %s is %" PRId64 ", expected %" PRId64 "\n", file, line, expression, actual, expected);
	}
	return actual == expected;
}

bool TestCheckHex(const char* file, int line, const char* expression, uint64_t actual, uint64_t expected)
{
	if (actual != expected && s_quiet == false)
	{
		printf("%s:%d: %s is 0x%" PRIx64 ", expected 0x%" PRIx64 "\n", file, line, expression, actual, expected);
	}
	return actual == expected;
}

bool TestCheckClose(
	const char* file, int line, const char* expression, double actual, double expected, double tolerance)
{
	// Written so that NaN in any place fails.
	const bool close = fabs(actual - expected) <= tolerance;
	if (close == false && s_quiet == false)
	{
		printf("%s:%d: %s is %.9g, expected %.9g within %.3g, off by %.3g\n", file, line, expression, actual, expected,
			tolerance, actual - expected);
	}
	return close;
}

bool TestCheckText(const char* file, int line, const char* expression, const char* text, const char* part)
{
	// Every text contains an empty one.
	const bool found = text != NULL && (part[0] != '\0' ? strstr(text, part) != NULL : text[0] == '\0');
	if (found == false && s_quiet == false)
	{
		printf("%s:%d: %s is \"%s\", expected it to contain \"%s\"\n", file, line, expression,
			text != NULL ? text : "(NULL)", part);
	}
	return found;
}

bool TestCheckResult(
	const char* file, int line, const char* expression, tnResult result, tnStatus expected, const char* part)
{
	const bool sameStatus = result.status == expected;
	const bool sameText = part == NULL || strstr(result.text, part) != NULL;
	if (sameStatus == false && s_quiet == false)
	{
		printf("%s:%d: %s has status %d (\"%s\"), expected status %d\n", file, line, expression, (int)result.status,
			result.text, (int)expected);
	}
	else if (sameText == false && s_quiet == false)
	{
		printf("%s:%d: %s says \"%s\", expected it to contain \"%s\"\n", file, line, expression, result.text, part);
	}
	return sameStatus && sameText;
}

static double TestGetSeconds(void)
{
	struct timespec now;
#ifdef __MINGW32__
	clock_gettime(CLOCK_REALTIME, &now); // its headers have no timespec_get
#else
	timespec_get(&now, TIME_UTC);
#endif
	return (double)now.tv_sec + 1.0e-9 * (double)now.tv_nsec;
}

// Does "suite" or "suite.test" name this test?
static bool TestMatches(const char* filter, const char* suite, const char* test)
{
	if (filter == NULL)
	{
		return true;
	}
	const size_t suiteLength = strlen(suite);
	if (strncmp(filter, suite, suiteLength) != 0)
	{
		return false;
	}
	return filter[suiteLength] == 0 || (filter[suiteLength] == '.' && strcmp(filter + suiteLength + 1, test) == 0);
}

int TestRunSuites(const TestSuite* const* suites, int suiteCount, const char* filter)
{
	int passedCount = 0;
	int failedCount = 0;
	for (int i = 0; i < suiteCount; ++i)
	{
		for (int j = 0; j < suites[i]->testCount; ++j)
		{
			const Test* test = suites[i]->tests + j;
			if (TestMatches(filter, suites[i]->name, test->name) == false)
			{
				continue;
			}

			const double begin = TestGetSeconds();
			const bool passed = test->fcn() == 0;
			const double seconds = TestGetSeconds() - begin;
			printf("%s %s.%s (%.2f s)\n", passed ? "pass" : "FAIL", suites[i]->name, test->name, seconds);
			passedCount += passed ? 1 : 0;
			failedCount += passed ? 0 : 1;
		}
	}

	if (passedCount + failedCount == 0)
	{
		printf("no test is called %s\n", filter != NULL ? filter : "anything");
	}
	printf("%d passed, %d failed\n", passedCount, failedCount);
	return passedCount > 0 && failedCount == 0 ? 0 : 1;
}

// In front of every block, so that a free can be checked. After it comes a guard of the same kind.
typedef struct TestBlock
{
	void* base;
	size_t size;
} TestBlock;

static const unsigned char s_newByte = 0xCD;
static const unsigned char s_oldByte = 0xDD;
static const unsigned char s_guardByte = 0xFD;

// Bytes after a block, enough for one vector store past the end.
enum
{
	testGuardSize = 32
};

static void* TestAllocate(size_t size, size_t alignment, void* context)
{
	TestAllocator* allocator = context;
	if (allocator->failIn > 0)
	{
		allocator->failIn -= 1;
		if (allocator->failIn == 0)
		{
			allocator->failIn = allocator->failAfterwards ? 1 : 0;
			return NULL;
		}
	}

	const size_t extra = sizeof(TestBlock) + alignment + testGuardSize;
	unsigned char* base = size <= SIZE_MAX - extra ? malloc(size + extra) : NULL;
	if (base == NULL)
	{
		return NULL;
	}

	const uintptr_t first = (uintptr_t)base + sizeof(TestBlock);
	const size_t padding = (alignment - (size_t)(first & (alignment - 1))) & (alignment - 1);
	unsigned char* memory = base + sizeof(TestBlock) + padding;
	const TestBlock block = {base, size};
	memcpy(memory - sizeof(TestBlock), &block, sizeof(TestBlock));
	memset(memory, s_newByte, size);
	memset(memory + size, s_guardByte, testGuardSize);

	allocator->allocationCount += 1;
	allocator->liveBytes += size;
	if (allocator->liveBytes > allocator->peakBytes)
	{
		allocator->peakBytes = allocator->liveBytes;
	}
	return memory;
}

static void TestFree(void* memory, size_t size, void* context)
{
	TestAllocator* allocator = context;
	if (memory == NULL)
	{
		return;
	}

	TestBlock block;
	memcpy(&block, (unsigned char*)memory - sizeof(TestBlock), sizeof(TestBlock));
	bool good = size == block.size;
	const unsigned char* guard = (const unsigned char*)memory + block.size;
	for (int i = 0; i < testGuardSize; ++i)
	{
		good = good && guard[i] == s_guardByte;
	}

	allocator->badFreeCount += good ? 0 : 1;
	allocator->freeCount += 1;
	allocator->liveBytes -= block.size;
	memset(memory, s_oldByte, block.size);
	free(block.base);
}

void* TestAllocAligned(size_t size, size_t alignment)
{
	const size_t extra = sizeof(void*) + alignment;
	unsigned char* base = size <= SIZE_MAX - extra ? malloc(size + extra) : NULL;
	if (base == NULL)
	{
		return NULL;
	}
	// What malloc gave stands before what is handed out.
	const uintptr_t first = (uintptr_t)base + sizeof(void*);
	unsigned char* memory = base + sizeof(void*) + ((alignment - (size_t)(first & (alignment - 1))) & (alignment - 1));
	memcpy(memory - sizeof(void*), &base, sizeof(void*));
	return memory;
}

void TestFreeAligned(void* memory)
{
	if (memory != NULL)
	{
		void* base;
		memcpy(&base, (unsigned char*)memory - sizeof(void*), sizeof(void*));
		free(base);
	}
}

tnAllocator TestGetAllocator(TestAllocator* allocator)
{
	return (tnAllocator){.allocFcn = TestAllocate, .freeFcn = TestFree, .context = allocator};
}

TestRandom TestMakeRandom(uint64_t seed)
{
	return (TestRandom){seed};
}

// SplitMix64 (Steele, Lea, Flood 2014): every seed is good, zero included.
uint32_t TestRandomBits(TestRandom* random)
{
	random->state += 0x9E3779B97F4A7C15u;
	uint64_t bits = random->state;
	bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
	bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
	return (uint32_t)((bits ^ (bits >> 31)) >> 32);
}

float TestRandomFloat(TestRandom* random, float low, float high)
{
	// 24 bits fill the mantissa of a float, so the share is exact and below 1.
	const float share = (float)(TestRandomBits(random) >> 8) * (1.0f / 16777216.0f);
	const float value = low + (high - low) * share;
	// Rounding can reach high when the range is narrow.
	return value < high ? value : low;
}

int TestRandomInt(TestRandom* random, int low, int high)
{
	const uint64_t count = (uint64_t)((int64_t)high - (int64_t)low + 1);
	return (int)((int64_t)low + (int64_t)(((uint64_t)TestRandomBits(random) * count) >> 32));
}
