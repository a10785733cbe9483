// SPDX-License-Identifier: MIT

// The checks that every other test leans on: they must fail when they should.

#include "harness.h"

#include <math.h>
#include <string.h>

static int FailPlain(void)
{
	ENSURE(1 + 1 == 3);
	return 0;
}

static int FailInt(void)
{
	ENSURE_EQUAL_INT(41, 42);
	return 0;
}

static int FailHex(void)
{
	ENSURE_EQUAL_HEX(0x1ffffffffu, 0xffffffffu);
	return 0;
}

static int FailClose(void)
{
	ENSURE_CLOSE(1.0, 1.25, 0.2);
	return 0;
}

static int FailCloseNan(void)
{
	ENSURE_CLOSE(NAN, 1.0, INFINITY);
	return 0;
}

static int FailText(void)
{
	ENSURE_TEXT("cellSize must be > 0, got -1", "rowCount");
	return 0;
}

static int FailEmptyText(void)
{
	ENSURE_TEXT("cellSize must be > 0, got -1", "");
	return 0;
}

static int FailOk(void)
{
	const tnResult result = {.status = tn_staleId, .text = "source 3 was destroyed"};
	ENSURE_OK(result);
	return 0;
}

static int FailRefusedStatus(void)
{
	const tnResult result = {.status = tn_staleId, .text = "source 3 was destroyed"};
	ENSURE_REFUSED(result, tn_outOfMemory, "source 3");
	return 0;
}

static int FailRefusedText(void)
{
	const tnResult result = {.status = tn_staleId, .text = "source 3 was destroyed"};
	ENSURE_REFUSED(result, tn_staleId, "source 4");
	return 0;
}

static int ChecksFail(void)
{
	TestFcn* const failing[] = {FailPlain, FailInt, FailHex, FailClose, FailCloseNan, FailText, FailEmptyText, FailOk,
		FailRefusedStatus, FailRefusedText};
	const int failingCount = (int)(sizeof(failing) / sizeof(failing[0]));

	int failedCount = 0;
	TestSetQuiet(true);
	for (int i = 0; i < failingCount; ++i)
	{
		failedCount += failing[i]() == 1 ? 1 : 0;
	}
	TestSetQuiet(false);
	ENSURE_EQUAL_INT(failedCount, failingCount);
	return 0;
}

static int ChecksPass(void)
{
	const tnResult result = {.status = tn_staleId, .text = "source 3 was destroyed"};
	ENSURE(1 + 1 == 2);
	ENSURE_EQUAL_INT(-7, -7);
	ENSURE_EQUAL_HEX(UINT64_MAX, UINT64_MAX);
	ENSURE_CLOSE(1.0f, 1.25f, 0.25f);
	ENSURE_TEXT(result.text, "source 3");
	ENSURE_OK((tnResult){.status = tn_ok});
	ENSURE_REFUSED(result, tn_staleId, "destroyed");
	return 0;
}

static int AllocatorCounts(void)
{
	TestAllocator counter = {0};
	const tnAllocator allocator = TestGetAllocator(&counter);

	unsigned char* first = allocator.allocFcn(100, 64, allocator.context);
	unsigned char* second = allocator.allocFcn(7, 1, allocator.context);
	ENSURE(first != NULL && second != NULL);
	ENSURE_EQUAL_INT((uintptr_t)first % 64, 0);
	// Never zero: a read of memory that was not written must show.
	ENSURE_EQUAL_INT(first[99], 0xCD);
	ENSURE_EQUAL_INT(counter.allocationCount, 2);
	ENSURE_EQUAL_INT(counter.liveBytes, 107);

	allocator.freeFcn(first, 100, allocator.context);
	ENSURE_EQUAL_INT(counter.liveBytes, 7);
	ENSURE_EQUAL_INT(counter.peakBytes, 107);
	ENSURE_EQUAL_INT(counter.badFreeCount, 0);

	allocator.freeFcn(second, 8, allocator.context);
	ENSURE_EQUAL_INT(counter.freeCount, 2);
	ENSURE_EQUAL_INT(counter.liveBytes, 0);
	ENSURE_EQUAL_INT(counter.badFreeCount, 1);

	unsigned char* third = allocator.allocFcn(16, 16, allocator.context);
	ENSURE(third != NULL);
	// Inside the block that malloc gave, outside of the one that was asked for.
	memset(third, 0, 17);
	allocator.freeFcn(third, 16, allocator.context);
	ENSURE_EQUAL_INT(counter.badFreeCount, 2);
	return 0;
}

static int AllocatorFails(void)
{
	TestAllocator counter = {.failIn = 2};
	const tnAllocator allocator = TestGetAllocator(&counter);
	void* blocks[4];
	for (int i = 0; i < 4; ++i)
	{
		blocks[i] = allocator.allocFcn(8, 8, allocator.context);
		ENSURE((blocks[i] == NULL) == (i == 1));
	}
	for (int i = 0; i < 4; ++i)
	{
		allocator.freeFcn(blocks[i], 8, allocator.context);
	}
	ENSURE_EQUAL_INT(counter.freeCount, 3);

	counter.failIn = 1;
	counter.failAfterwards = true;
	ENSURE(allocator.allocFcn(8, 8, allocator.context) == NULL);
	ENSURE(allocator.allocFcn(8, 8, allocator.context) == NULL);
	ENSURE_EQUAL_INT(counter.liveBytes, 0);
	return 0;
}

static int RandomRepeats(void)
{
	TestRandom random = TestMakeRandom(2026);
	TestRandom again = TestMakeRandom(2026);
	TestRandom other = TestMakeRandom(2027);
	int sameCount = 0;
	int lowCount = 0;
	int highCount = 0;
	for (int i = 0; i < 1000; ++i)
	{
		const uint32_t bits = TestRandomBits(&random);
		ENSURE_EQUAL_HEX(bits, TestRandomBits(&again));
		sameCount += bits == TestRandomBits(&other) ? 1 : 0;

		const float value = TestRandomFloat(&random, -2.0f, 3.0f);
		ENSURE(value >= -2.0f && value < 3.0f);
		TestRandomFloat(&again, -2.0f, 3.0f);

		const int integer = TestRandomInt(&random, -1, 2);
		ENSURE(integer >= -1 && integer <= 2);
		lowCount += integer == -1 ? 1 : 0;
		highCount += integer == 2 ? 1 : 0;
		TestRandomInt(&again, -1, 2);
	}
	// Two streams agree in a place with probability 2^-32.
	ENSURE_EQUAL_INT(sameCount, 0);
	// Each of the 4 integers comes 250 times, with a standard deviation of 14: 6 of them leave room for any good seed.
	ENSURE_CLOSE(lowCount, 250, 84);
	ENSURE_CLOSE(highCount, 250, 84);
	return 0;
}

static const Test s_tests[] = {
	{"ChecksFail", ChecksFail},
	{"ChecksPass", ChecksPass},
	{"AllocatorCounts", AllocatorCounts},
	{"AllocatorFails", AllocatorFails},
	{"RandomRepeats", RandomRepeats},
};
const TestSuite harnessSuite = TEST_SUITE("harness", s_tests);
