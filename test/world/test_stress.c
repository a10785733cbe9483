// SPDX-License-Identifier: MIT

// Random calls on random worlds, from fixed seeds: nothing that a host can do breaks a promise. The program tarn_driver and
// the fuzz target fuzz_world look for more with the same driver. What it has found is in test_found_by_stress.c.

#include "driver.h"
#include "harness.h"
#include "quiet.h"

#include <tarn/tarn.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
	runCount = TEST_REPEATS(80),
	voxelRunCount = TEST_REPEATS(40),
	// About eighty calls, steps not counted.
	byteCount = 900,
	shortByteCount = 250,
};

static bool RunSeed(int seed, bool voxels, bool alone, DriverReport* report)
{
	uint8_t bytes[byteCount];
	DriverMakeBytes((uint64_t)seed, bytes, byteCount);
	const DriverOptions options = {.voxels = voxels, .alone = alone};
	return DriverRunBytes(bytes, sizeof(bytes), &options, NULL, report);
}

static int RandomCallsKeepAllPromises(void)
{
	DriverReport sum = {0};
	int sleepingCount = 0;
	int failCount = 0;
	for (int run = 0; run < runCount; ++run)
	{
		DriverReport report;
		if (!RunSeed(run, false, false, &report))
		{
			printf("tarn_driver --seed %d --count 1: %s\n", run, report.text);
			failCount += 1;
		}
		sum.callCount += report.callCount;
		sum.refusedCount += report.refusedCount;
		sum.stepCount += report.stepCount;
		sum.twinCount += report.twinCount;
		sum.shallowStepCount += report.shallowStepCount;
		sum.methodChangeCount += report.methodChangeCount;
		sum.waveStepCount += report.waveStepCount;
		sum.bodyStepCount += report.bodyStepCount;
		sum.sprayStepCount += report.sprayStepCount;
		sum.quietStepCount += report.quietStepCount;
		sleepingCount += report.maxSleepingTiles > 0 ? 1 : 0;
	}
	ENSURE_EQUAL_INT(failCount, 0);
	// Enough of everything, or the promises were not put to the test.
	ENSURE(sum.callCount > 60 * runCount);
	ENSURE(sum.stepCount > 40 * runCount);
	ENSURE(sum.refusedCount > 3 * runCount && sum.refusedCount < sum.callCount / 2);
	ENSURE(sum.twinCount > runCount * 3 / 2);
	ENSURE(sleepingCount > runCount / 20);
	ENSURE(sum.shallowStepCount > 8 * runCount && sum.shallowStepCount < sum.stepCount - 8 * runCount);
	ENSURE(sum.methodChangeCount > runCount / 4);
	ENSURE(sum.waveStepCount > 5 * runCount && sum.bodyStepCount > 5 * runCount && sum.sprayStepCount > 5 * runCount);
	// Few worlds are left alone for long enough; QuietWorldsStayQuiet has more of them. A brief run may have none.
	ENSURE(sum.quietStepCount > 0 || TEST_BREVITY > 1);
	return 0;
}

static int RandomCallsOnVoxelsKeepAllPromises(void)
{
	DriverReport sum = {0};
	int failCount = 0;
	for (int run = 0; run < voxelRunCount; ++run)
	{
		DriverReport report;
		if (!RunSeed(run, true, false, &report))
		{
			printf("tarn_driver --voxels --seed %d --count 1: %s\n", run, report.text);
			failCount += 1;
		}
		sum.callCount += report.callCount;
		sum.refusedCount += report.refusedCount;
		sum.stepCount += report.stepCount;
		sum.twinCount += report.twinCount;
		sum.bodyStepCount += report.bodyStepCount;
	}
	ENSURE_EQUAL_INT(failCount, 0);
	ENSURE(sum.callCount > 60 * voxelRunCount);
	ENSURE(sum.stepCount > 20 * voxelRunCount);
	ENSURE(sum.refusedCount > 3 * voxelRunCount && sum.refusedCount < sum.callCount / 2);
	ENSURE(sum.twinCount > voxelRunCount * 3 / 2);
	ENSURE(sum.bodyStepCount > 3 * voxelRunCount);
	return 0;
}

// Nothing that is public is left out: the names come from the headers.
static int DriverCallsAllFunctions(void)
{
	static const char* const functions[] = {
#include "public_functions.inc"
	};
	enum
	{
		functionCount = (int)(sizeof(functions) / sizeof(functions[0])),
		// As many as it takes, and a few for when the driver changes.
		seedCount = TEST_REPEATS(1200),
		// A brief run is too short for the rarest; the plain build leaves none out.
		missingAtMost = TEST_BREVITY > 1 ? functionCount / 10 : 0,
	};
	ENSURE(functionCount > 150);
	int missing = functionCount;
	for (int seed = 0; seed < seedCount && missing > 0; ++seed)
	{
		DriverReport report;
		// Columns without twins: what these promise is put to the test above. Voxels are saved for twins.
		RunSeed(1000 + seed, seed % 2 != 0, seed % 2 == 0, &report);
		missing = 0;
		for (int i = 0; i < functionCount; ++i)
		{
			int64_t okCount, refusedCount;
			DriverGetCounts(functions[i], &okCount, &refusedCount);
			missing += okCount == 0 ? 1 : 0;
			if (okCount == 0 && seed == seedCount - 1)
			{
				printf("%s was never called with success, refused %d times\n", functions[i], (int)refusedCount);
			}
		}
	}
	ENSURE(missing <= missingAtMost);
	return 0;
}

// Every allocation of a few runs is made to fail in turn: the call says so, changes nothing, and all goes on.
static int MemoryMayRunOutAnywhere(void)
{
	enum
	{
		count = TEST_REPEATS(4)
	};
	int failCount = 0;
	int64_t allocationCount = 0;
	for (int seed = 0; seed < 2 * count; ++seed)
	{
		uint8_t bytes[shortByteCount];
		DriverMakeBytes((uint64_t)seed, bytes, shortByteCount);
		DriverOptions options = {.voxels = seed % 2 != 0, .alone = true};
		DriverReport report;
		DriverRunBytes(bytes, sizeof(bytes), &options, NULL, &report);
		const int64_t last = report.allocationCount;
		allocationCount += last;
		for (options.failAt = 1; options.failAt <= last; ++options.failAt)
		{
			if (!DriverRunBytes(bytes, sizeof(bytes), &options, NULL, &report))
			{
				printf("seed %d, allocation %d: %s\n", seed, (int)options.failAt, report.text);
				failCount += 1;
			}
		}
	}
	ENSURE_EQUAL_INT(failCount, 0);
	ENSURE(allocationCount > 20 * count);
	return 0;
}

// What the driver finds it shrinks: here to the calls that a check of ours does not like.
static bool HasRain(const DriverRecord* record, void* context)
{
	int* attemptCount = context;
	*attemptCount += 1;
	FILE* file = tmpfile();
	if (file == NULL)
	{
		return false;
	}
	const DriverReport report = {0};
	DriverPrint(record, &report, file);
	rewind(file);
	char line[512];
	bool found = false;
	while (fgets(line, sizeof(line), file) != NULL)
	{
		found = found || strstr(line, "tnWorld_SetRain(world") != NULL;
	}
	fclose(file);
	return found;
}

static int FailuresAreShrunk(void)
{
	DriverRecord* record = DriverCreateRecord();
	const DriverOptions options = {0};
	int attemptCount = 0;
	uint8_t bytes[byteCount];
	for (int seed = 0; !HasRain(record, &attemptCount); ++seed)
	{
		ENSURE(seed < 100);
		DriverMakeBytes((uint64_t)seed, bytes, byteCount);
		DriverRecordBytes(bytes, sizeof(bytes), &options, record);
	}
	ENSURE(DriverGetCallCount(record) > 20);
	DriverShrink(record, HasRain, &attemptCount, 2000);
	// The world, and the call.
	ENSURE_EQUAL_INT(DriverGetCallCount(record), 2);
	ENSURE(attemptCount < 2000);
	DriverDestroyRecord(record);
	return 0;
}

// Two minutes of closed worlds instead of the hour of tarn_quiet.
static int QuietWorldsStayQuiet(void)
{
	enum
	{
		count = TEST_REPEATS(4)
	};
	static const int seeds[4] = {0, 2, 9, 12};
	int failCount = 0;
	for (int i = 0; i < count; ++i)
	{
		QuietReport report;
		if (!QuietRun((uint64_t)seeds[i], 120.0, &report))
		{
			printf("tarn_quiet --seed %d --count 1 --seconds 120: %s: %s\n", seeds[i], report.world, report.text);
			failCount += 1;
		}
	}
	ENSURE_EQUAL_INT(failCount, 0);
	return 0;
}

// The same calls once more, in a process that has done other things in between, and other memory.
static int SameCallsHaveTheSameHash(void)
{
	enum
	{
		count = TEST_REPEATS(20)
	};
	static uint64_t hashes[count];
	for (int pass = 0; pass < 2; ++pass)
	{
		for (int seed = 0; seed < count; ++seed)
		{
			DriverReport report;
			RunSeed(seed, seed % 4 == 3, false, &report);
			ENSURE(pass == 0 || report.hash == hashes[seed]);
			hashes[seed] = report.hash;
		}
	}
	return 0;
}

// A crate that is left to itself in water that moves everywhere alike, as a host moves it. Returns its mean speed from the
// sixth to the tenth second, as a share of that of the water; NAN if a call is refused.
static float MeasureDrifter(tnMethod method, float degrees)
{
	enum
	{
		driftSide = 32,
		stepCount = 600,
	};
	const float timeStep = 1.0f / 60.0f;
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = def.rowCount = driftSide;
	def.cellSize = 0.5f;
	def.method = method;
	for (int i = 0; i < tn_sideCount; ++i)
	{
		def.edges[i].kind = tn_wrapEdge;
	}
	static float velocitiesX[driftSide * driftSide], velocitiesZ[driftSide * driftSide];
	for (int i = 0; i < driftSide * driftSide; ++i)
	{
		velocitiesX[i] = 1.0f;
	}
	const tnShapeDef shape = tnDefaultShapeDef();
	tnBodyDef body = tnDefaultBodyDef();
	body.shapes = &shape;
	body.shapeCount = 1;
	body.pose.position = (tnVec3){8.0f, 2.0f, 8.0f};
	body.pose.rotation.y = sinf(degrees * 3.14159265f / 360.0f);
	body.pose.rotation.w = cosf(degrees * 3.14159265f / 360.0f);
	body.velocity.x = 1.0f;
	tnWorld* world = NULL;
	tnBodyId id;
	bool ok = tnCreateWorld(&def, &world).status == tn_ok && tnWorld_FillToLevel(world, 2.0f).status == tn_ok &&
		tnWorld_SetVelocities(world, velocitiesX, velocitiesZ).status == tn_ok &&
		tnWorld_CreateBody(world, &body, &id).status == tn_ok;
	tnPose pose = body.pose;
	tnVec3 velocity = body.velocity;
	float sum = 0.0f;
	for (int step = 0; step < stepCount && ok; ++step)
	{
		tnWrench wrench = {0};
		ok = tnWorld_Step(world, timeStep).status == tn_ok && tnWorld_GetBodyWrench(world, id, &wrench).status == tn_ok;
		velocity.x += timeStep * wrench.force.x / body.mass;
		velocity.y += timeStep * (wrench.force.y / body.mass - def.gravity);
		velocity.z += timeStep * wrench.force.z / body.mass;
		pose.position.x += timeStep * velocity.x;
		pose.position.x -= pose.position.x > 16.0f ? 16.0f : 0.0f;
		pose.position.y += timeStep * velocity.y;
		pose.position.z += timeStep * velocity.z;
		ok = ok && tnWorld_MoveBody(world, id, &pose, velocity, (tnVec3){0}).status == tn_ok;
		sum += step >= stepCount / 2 ? velocity.x : 0.0f;
	}
	tnDestroyWorld(world);
	return ok ? sum / (float)(stepCount / 2) : NAN;
}

// Nothing but the water moves it, so it is no faster. A twentieth is for the waves that it makes.
static int DriftersDoNotOutrunTheCurrent(void)
{
	static const tnMethod methods[3] = {tn_pipeMethod, tn_linearMethod, tn_shallowMethod};
	for (int i = 0; i < 6; ++i)
	{
		const tnMethod method = methods[i / 2];
		const float degrees = i % 2 == 0 ? 0.0f : 30.0f;
		const float share = MeasureDrifter(method, degrees);
		ENSURE(share > 0.5f);
		ENSURE_CLOSE(fmaxf(share - 1.0f, 0.0f), 0.0f, 0.05f);
	}
	return 0;
}

static const Test s_tests[] = {
	{"RandomCallsKeepAllPromises", RandomCallsKeepAllPromises},
	{"RandomCallsOnVoxelsKeepAllPromises", RandomCallsOnVoxelsKeepAllPromises},
	{"DriverCallsAllFunctions", DriverCallsAllFunctions},
	{"MemoryMayRunOutAnywhere", MemoryMayRunOutAnywhere},
	{"FailuresAreShrunk", FailuresAreShrunk},
	{"QuietWorldsStayQuiet", QuietWorldsStayQuiet},
	{"SameCallsHaveTheSameHash", SameCallsHaveTheSameHash},
	{"DriftersDoNotOutrunTheCurrent", DriftersDoNotOutrunTheCurrent},
};

const TestSuite stressSuite = TEST_SUITE("stress", s_tests);
