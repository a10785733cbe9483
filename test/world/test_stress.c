// SPDX-License-Identifier: MIT

// Random calls on random worlds, from fixed seeds: nothing that a host can do breaks a promise. The program tarn_driver and
// the fuzz target fuzz_world look for more with the same driver. What it has found is here as small tests of their own.

#include "driver.h"
#include "harness.h"
#include "quiet.h"

#include <tarn/tarn.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	runCount = TEST_REPEATS(80),
	voxelRunCount = TEST_REPEATS(40),
	// About eighty calls, steps not counted.
	byteCount = 900,
	shortByteCount = 250,
};

static bool RunSeed(int seed, bool voxels, DriverReport* report)
{
	uint8_t bytes[byteCount];
	DriverMakeBytes((uint64_t)seed, bytes, byteCount);
	const DriverOptions options = {.voxels = voxels};
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
		if (!RunSeed(run, false, &report))
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
	ENSURE(sum.quietStepCount > 0);
	return 0;
}

static int RandomCallsOnVoxelsKeepAllPromises(void)
{
	DriverReport sum = {0};
	int failCount = 0;
	for (int run = 0; run < voxelRunCount; ++run)
	{
		DriverReport report;
		if (!RunSeed(run, true, &report))
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
		seedCount = TEST_REPEATS(600),
		// A brief run is too short for the rarest; the plain build leaves none out.
		missingAtMost = TEST_BREVITY > 1 ? functionCount / 10 : 0,
	};
	ENSURE(functionCount > 150);
	int missing = functionCount;
	for (int seed = 0; seed < seedCount && missing > 0; ++seed)
	{
		DriverReport report;
		RunSeed(1000 + seed, seed % 2 != 0, &report);
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

// Two minutes of closed worlds instead of the hour of tarn_quiet. With waves that are taken from the flow energy is known to
// grow: see known.h.
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
			RunSeed(seed, seed % 4 == 3, &report);
			ENSURE(pass == 0 || report.hash == hashes[seed]);
			hashes[seed] = report.hash;
		}
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// What was found

enum
{
	side = 16,
	cells = side * side,
	ringRows = 512
};

static float s_bed[cells];
static float s_depth[cells];
static float s_alongX[cells];
static float s_alongZ[cells];
static float s_faces[side * (ringRows + 1)];

static tnWorldDef MakeDef(int method)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = side;
	def.rowCount = side;
	def.method = (tnMethod)method;
	return def;
}

static int StepTimes(tnWorld* world, int count, float timeStep)
{
	for (int i = 0; i < count; ++i)
	{
		ENSURE_OK(tnWorld_Step(world, timeStep));
	}
	return 0;
}

// Cells that hold a few of the smallest floats, and momentum that wants to carry them out against higher water. A share
// of such a depth is off by half of itself, which once made it negative, and not a number in the next sub-step.
static int TracesOfWaterStayPositive(void)
{
	for (int units = 1; units <= 64; ++units)
	{
		// dt/dx above 1, so that half a unit of discharge is more than half a unit of depth.
		tnWorldDef def = MakeDef(tn_pipeMethod);
		def.cellSize = 0.05f;
		def.gravity = 1.0f;
		def.maxSubSteps = 1;
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		for (int i = 0; i < cells; ++i)
		{
			s_depth[i] = i % side == 0 ? (float)units * 1.4e-45f : 0.01f;
			s_alongX[i] = 0.5f + 0.1f * (float)(i / side);
			s_alongZ[i] = 0.0f;
		}
		ENSURE_OK(tnWorld_SetDepths(world, s_depth));
		ENSURE_OK(tnWorld_SetVelocities(world, s_alongX, s_alongZ));
		for (int step = 0; step < 4; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, 0.1f + 1.0e-3f * (float)units));
			const tnFieldView depth = tnWorld_GetDepth(world);
			for (int i = 0; i < cells; ++i)
			{
				ENSURE(depth.data[i / side * depth.stride + i % side] >= 0.0f);
			}
		}
		tnDestroyWorld(world);
	}
	return 0;
}

// Eight rows of tiles around a wrapped world: the last one sleeps, the first is awake because of the third. The faces
// between last and first must not go on pouring what they carried when the last fell asleep.
static int SleepAcrossAWrapMakesNoWater(void)
{
	for (int method = 0; method < tn_methodCount; ++method)
	{
		tnWorldDef def = MakeDef(method);
		def.rowCount = ringRows;
		def.edges[tn_north].kind = tn_wrapEdge;
		def.edges[tn_south].kind = tn_wrapEdge;
		def.sleepTime = 0.1f;
		def.sleepSpeed = 0.05f;
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_FillToLevel(world, 1.0f));
		static float across[side * ringRows];
		static float along[side * ringRows];
		for (int i = 0; i < side * ringRows; ++i)
		{
			const int row = i / side;
			along[i] = row < 5 || row > ringRows - 5 ? 0.04f : 0.0f;
		}
		ENSURE_OK(tnWorld_SetVelocities(world, across, along));
		int fewest = 8;
		for (int step = 0; step < 400; ++step)
		{
			// Keeps the third row of tiles busy.
			ENSURE_OK(tnWorld_AddImpulse(world, (tnVec2){8.0f, 160.0f}, 3.0f, (tnVec2){2.0e4f, 0.0f}));
			ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
			const int awake = tnWorld_GetStats(world).awakeTileCount;
			fewest = awake < fewest ? awake : fewest;
		}
		ENSURE(fewest < 8);
		// 6e-8 of the volume for each of 400 steps would be the worst.
		ENSURE_CLOSE(tnWorld_GetLedger(world).drift, 0.0, 2.0e-3);
		ENSURE_OK(tnWorld_CopyDischarge(world, NULL, s_faces));
		for (int column = 0; column < side; ++column)
		{
			ENSURE(s_faces[column] == s_faces[side * ringRows + column]);
		}
		tnDestroyWorld(world);
	}
	return 0;
}

// A pond in the outermost cells, with high ground on its other sides: the only face that moves is that of the edge.
static int PondsDrainOffEveryEdge(void)
{
	for (int edge = 0; edge < tn_sideCount; ++edge)
	{
		for (int method = 0; method < tn_methodCount; ++method)
		{
			double left[2];
			for (int sleep = 0; sleep < 2; ++sleep)
			{
				tnWorldDef def = MakeDef(method);
				def.edges[edge].kind = tn_openEdge;
				def.enableSleep = sleep != 0;
				tnWorld* world = NULL;
				ENSURE_OK(tnCreateWorld(&def, &world));
				for (int i = 0; i < cells; ++i)
				{
					const int distances[tn_sideCount] = {i % side, side - 1 - i % side, i / side, side - 1 - i / side};
					s_bed[i] = distances[edge] == 0 ? 0.0f : 50.0f;
					s_depth[i] = distances[edge] == 0 ? 20.0f : 0.0f;
				}
				ENSURE_OK(tnWorld_SetTerrain(world, s_bed));
				ENSURE_OK(tnWorld_SetDepths(world, s_depth));
				ENSURE(StepTimes(world, 600, 1.0f / 60.0f) == 0);
				left[sleep] = tnWorld_GetLedger(world).volume;
				tnDestroyWorld(world);
			}
			ENSURE(left[0] < 1.0);
			ENSURE(left[1] == left[0]);
		}
	}
	return 0;
}

// Water at rest at an edge has the same bits whether it sleeps or not, the sign of zero included.
static int RestAtEdgesHasTheBitsOfSleep(void)
{
	for (int kind = 0; kind < tn_edgeKindCount; ++kind)
	{
		for (int method = 0; method < tn_methodCount; ++method)
		{
			uint64_t hashes[2];
			for (int sleep = 0; sleep < 2; ++sleep)
			{
				tnWorldDef def = MakeDef(method);
				def.enableSleep = sleep != 0;
				def.sleepSpeed = 0.0f;
				for (int edge = 0; edge < tn_sideCount; ++edge)
				{
					def.edges[edge].kind = (tnEdgeKind)kind;
					def.edges[edge].level = 2.0f;
				}
				tnWorld* world = NULL;
				ENSURE_OK(tnCreateWorld(&def, &world));
				ENSURE_OK(tnWorld_FillToLevel(world, kind == tn_openEdge ? 0.0f : 2.0f));
				ENSURE(StepTimes(world, 120, 1.0f / 60.0f) == 0);
				ENSURE(sleep == 0 || tnWorld_GetStats(world).awakeTileCount == 0);
				hashes[sleep] = tnWorld_GetHash(world);
				tnDestroyWorld(world);
			}
			ENSURE_EQUAL_HEX(hashes[1], hashes[0]);
		}
	}
	return 0;
}

// Mirrored worlds: a level edge on one side, then on the other, and a sponge across. The sponge slows the faces of
// both.
static int SpongesSlowAllEdgesAlike(void)
{
	for (int axis = 0; axis < 2; ++axis)
	{
		for (int method = 0; method < tn_methodCount; ++method)
		{
			tnWorld* worlds[2] = {NULL, NULL};
			for (int mirror = 0; mirror < 2; ++mirror)
			{
				tnWorldDef def = MakeDef(method);
				def.edges[2 * axis + mirror].kind = tn_levelEdge;
				def.edges[2 * axis + mirror].level = 3.0f;
				def.edges[2 - 2 * axis].kind = tn_absorbEdge;
				def.edges[2 - 2 * axis].level = 1.0f;
				def.edges[2 - 2 * axis].spongeWidth = 12;
				ENSURE_OK(tnCreateWorld(&def, worlds + mirror));
				ENSURE_OK(tnWorld_FillToLevel(worlds[mirror], 1.0f));
				ENSURE(StepTimes(worlds[mirror], 60, 1.0f / 60.0f) == 0);
			}
			const tnFieldView first = tnWorld_GetDepth(worlds[0]);
			const tnFieldView second = tnWorld_GetDepth(worlds[1]);
			for (int i = 0; i < cells; ++i)
			{
				const int column = i % side;
				const int row = i / side;
				const int mirrorColumn = axis == 0 ? side - 1 - column : column;
				const int mirrorRow = axis == 1 ? side - 1 - row : row;
				ENSURE(
					first.data[row * first.stride + column] == second.data[mirrorRow * second.stride + mirrorColumn]);
			}
			tnDestroyWorld(worlds[0]);
			tnDestroyWorld(worlds[1]);
		}
	}
	return 0;
}

// One sub-step where forty are needed: waves are slowed, and so is the water that an absorbing edge lets in. It may
// swing, but the level outside is 1 m.
static int AbsorbingEdgesSlowDownToo(void)
{
	for (int method = 0; method < tn_methodCount; ++method)
	{
		tnWorldDef def = MakeDef(method);
		def.cellSize = 0.1f;
		def.maxSubSteps = 1;
		for (int edge = 0; edge < tn_sideCount; ++edge)
		{
			def.edges[edge].kind = tn_absorbEdge;
			def.edges[edge].level = 1.0f;
		}
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_FillToLevel(world, 0.5f));
		for (int step = 0; step < 200; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, 0.5f));
			ENSURE(tnWorld_GetStats(world).maxDepth < 1.5f);
		}
		tnDestroyWorld(world);
	}
	return 0;
}

// Water that comes after a long drought is not taken at once for all that could have seeped away before.
static int DryGroundIsOwedNothing(void)
{
	for (int kind = 0; kind < 2; ++kind)
	{
		const tnWorldDef def = MakeDef(tn_pipeMethod);
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(
			kind == 0 ? tnWorld_SetInfiltration(world, 1.0e-4f, NULL) : tnWorld_SetEvaporation(world, 1.0e-4f, NULL));
		ENSURE(StepTimes(world, 6000, 1.0f / 60.0f) == 0);
		ENSURE_OK(tnWorld_FillToLevel(world, 0.005f));
		ENSURE(StepTimes(world, 60, 1.0f / 60.0f) == 0);
		// 0.1 mm a second from 5 mm, in portions of 2^-18 m.
		ENSURE_CLOSE(tnWorld_GetLedger(world).volume, 0.0049 * cells, 1.0e-5 * cells);
		tnDestroyWorld(world);
	}
	return 0;
}

// A curve of inflows does not become one of levels when the kind of an edge changes.
static int CurvesGoWithTheKindOfEdge(void)
{
	tnWorldDef def = MakeDef(tn_pipeMethod);
	def.edges[tn_west].kind = tn_inflowEdge;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	const tnCurvePoint point = {0.0f, 500000.0f};
	ENSURE_OK(tnWorld_SetEdgeCurve(world, tn_west, &point, 1));
	tnEdgeDef edge = tnDefaultEdgeDef();
	edge.kind = tn_levelEdge;
	edge.level = 1.0f;
	ENSURE_OK(tnWorld_SetEdge(world, tn_west, &edge));
	ENSURE(StepTimes(world, 60, 1.0f / 60.0f) == 0);
	ENSURE(tnWorld_GetStats(world).maxDepth < 2.0f);
	// The same kind keeps its curve.
	const tnCurvePoint level = {0.0f, 5.0f};
	ENSURE_OK(tnWorld_SetEdgeCurve(world, tn_west, &level, 1));
	ENSURE_OK(tnWorld_SetEdge(world, tn_west, &edge));
	ENSURE(StepTimes(world, 60, 1.0f / 60.0f) == 0);
	ENSURE(tnWorld_GetStats(world).maxDepth > 2.0f);
	tnDestroyWorld(world);
	return 0;
}

// Cells of a millimeter 100 km from the origin: coordinates cannot tell them apart, but a disc has at least one.
static int SmallDiscsFarAwayHoldWater(void)
{
	tnWorldDef def = MakeDef(tn_pipeMethod);
	def.cellSize = 0.001f;
	def.origin = (tnVec2){1.0e5f, -1.0e5f};
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	double moved = 0.0;
	const tnVec2 center = {1.0e5f + 0.0078125f, -1.0e5f + 0.0078125f};
	ENSURE_OK(tnWorld_AddWater(world, center, 0.0002f, 1.0e-6f, &moved));
	ENSURE_CLOSE(moved, 1.0e-6, 1.0e-12);
	tnDestroyWorld(world);
	return 0;
}

// Pouring does not take away: water that an edge has raised above the limit stays.
static int PouringOnDeepWaterTakesNothing(void)
{
	tnWorldDef def = MakeDef(tn_pipeMethod);
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	for (int i = 0; i < cells; ++i)
	{
		s_bed[i] = -TN_MAX_LENGTH;
	}
	ENSURE_OK(tnWorld_SetTerrain(world, s_bed));
	ENSURE_OK(tnWorld_FillToLevel(world, 1.0e4f));
	double moved = 0.0;
	ENSURE_OK(tnWorld_AddWater(world, (tnVec2){8.0f, 8.0f}, 2.0f, 1000.0f, &moved));
	ENSURE(moved >= 0.0);
	tnDestroyWorld(world);
	return 0;
}

// The water of a disc gains all of an impulse, also beside an edge that wraps.
static int ImpulsesCrossWrappedEdges(void)
{
	for (int method = 0; method < tn_methodCount; ++method)
	{
		const tnVec2 places[] = {{8.0f, 8.0f}, {0.5f, 8.0f}, {15.5f, 8.0f}, {8.0f, 0.5f}, {8.0f, 15.5f}};
		for (int place = 0; place < 5; ++place)
		{
			tnWorldDef def = MakeDef(method);
			for (int edge = 0; edge < tn_sideCount; ++edge)
			{
				def.edges[edge].kind = tn_wrapEdge;
			}
			tnWorld* world = NULL;
			ENSURE_OK(tnCreateWorld(&def, &world));
			ENSURE_OK(tnWorld_FillToLevel(world, 1.0f));
			ENSURE_OK(tnWorld_AddImpulse(world, places[place], 0.4f, (tnVec2){1000.0f, 2000.0f}));
			ENSURE_OK(tnWorld_Step(world, 1.0e-4f));
			double momentum[2] = {0.0, 0.0};
			ENSURE_OK(tnWorld_CopyDischarge(world, s_faces, NULL));
			for (int i = 0; i < cells; ++i)
			{
				momentum[0] += 1000.0 * (double)s_faces[i / side * (side + 1) + i % side];
			}
			ENSURE_OK(tnWorld_CopyDischarge(world, NULL, s_faces));
			for (int i = 0; i < cells; ++i)
			{
				momentum[1] += 1000.0 * (double)s_faces[i];
			}
			// The slopes that the push makes take back 1e-4 of it in this step.
			ENSURE_CLOSE(momentum[0], 1000.0, 0.2);
			ENSURE_CLOSE(momentum[1], 2000.0, 0.4);
			tnDestroyWorld(world);
		}
	}
	return 0;
}

// The fastest rain and the strongest inflow that are accepted, on the smallest cells, with the longest step.
static int AbsurdRainAndInflowStayFinite(void)
{
	for (int which = 0; which < 2; ++which)
	{
		tnWorldDef def = MakeDef(tn_pipeMethod);
		def.manning = 0.03f;
		def.cellSize = which == 0 ? 1.0f : 0.001f;
		def.edges[tn_west].kind = tn_inflowEdge;
		def.edges[tn_west].inflow = which == 0 ? 0.0f : 1.0e6f;
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		for (int i = 0; i < cells; ++i)
		{
			s_depth[i] = 1.0e6f;
		}
		ENSURE_OK(tnWorld_SetRain(world, which == 0 ? 1000.0f : 0.0f, s_depth));
		ENSURE(StepTimes(world, 200, 10.0f) == 0);
		const tnFieldView depth = tnWorld_GetDepth(world);
		for (int i = 0; i < cells; ++i)
		{
			const float d = depth.data[i / side * depth.stride + i % side];
			ENSURE(d >= 0.0f && d < INFINITY);
		}
		tnDestroyWorld(world);
	}
	return 0;
}

// The faces of a level edge get their velocity from the level of the def before the first step too.
static int VelocitiesKnowTheLevelOutside(void)
{
	tnWorldDef def = MakeDef(tn_pipeMethod);
	def.edges[tn_west].kind = tn_levelEdge;
	def.edges[tn_west].level = 10.0f;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_OK(tnWorld_FillToLevel(world, 2.0f));
	for (int i = 0; i < cells; ++i)
	{
		s_alongX[i] = 1.0f;
		s_alongZ[i] = 0.0f;
	}
	ENSURE_OK(tnWorld_SetVelocities(world, s_alongX, s_alongZ));
	ENSURE_OK(tnWorld_CopyDischarge(world, s_faces, NULL));
	ENSURE(s_faces[0] == 10.0f);
	ENSURE(s_faces[1] == 2.0f);
	tnDestroyWorld(world);
	return 0;
}

// Absorbing edges change depths after all else: the largest depth of the stats is what is then there.
static int SpongesLowerTheLargestDepth(void)
{
	for (int advection = 0; advection < tn_advectionCount; ++advection)
	{
		tnWorldDef def = MakeDef(tn_shallowMethod);
		def.advection = (tnAdvection)advection;
		for (int edge = 0; edge < tn_sideCount; ++edge)
		{
			def.edges[edge].kind = tn_absorbEdge;
			def.edges[edge].level = 1.0f;
		}
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_FillToLevel(world, 2.0f));
		for (int step = 0; step < 10; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
			const tnFieldView depth = tnWorld_GetDepth(world);
			float largest = 0.0f;
			for (int i = 0; i < cells; ++i)
			{
				largest = fmaxf(largest, depth.data[i / side * depth.stride + i % side]);
			}
			ENSURE(tnWorld_GetStats(world).maxDepth == largest);
		}
		tnDestroyWorld(world);
	}
	return 0;
}

// Water that all but stands still, down to the smallest floats: how long its momentum may wait is then any number.
static int SlowestWaterMayWait(void)
{
	for (int exponent = -149; exponent <= -100; ++exponent)
	{
		tnWorldDef def = MakeDef(tn_shallowMethod);
		def.enableSleep = false;
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_FillToLevel(world, 1.0f));
		for (int i = 0; i < cells; ++i)
		{
			s_alongX[i] = ldexpf(1.0f, exponent);
			s_alongZ[i] = 0.0f;
		}
		ENSURE_OK(tnWorld_SetVelocities(world, s_alongX, s_alongZ));
		ENSURE(StepTimes(world, 3, 1.0f / 60.0f) == 0);
		ENSURE(tnWorld_GetStats(world).maxDepth == 1.0f);
		tnDestroyWorld(world);
	}
	return 0;
}

// What pipes are told as a discharge, shallow water does not take for a velocity.
static int PushedPipesMakeNoHaste(void)
{
	float stable[2];
	for (int changed = 0; changed < 2; ++changed)
	{
		tnWorldDef def = MakeDef(changed ? tn_pipeMethod : tn_shallowMethod);
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_FillToLevel(world, 100.0f));
		for (int i = 0; i < cells; ++i)
		{
			s_alongX[i] = 3.0f;
			s_alongZ[i] = -2.0f;
		}
		ENSURE_OK(tnWorld_SetVelocities(world, s_alongX, s_alongZ));
		ENSURE_OK(tnWorld_SetMethod(world, tn_shallowMethod, tn_conservativeAdvection));
		stable[changed] = tnWorld_GetStats(world).stableTimeStep;
		tnDestroyWorld(world);
	}
	// 3 m/s and 2 m/s besides waves of sqrt(2 g 100) = 44.3 m/s; before the change 3 m/s count twice.
	ENSURE_CLOSE(stable[1], 0.95 / 49.3, 0.001);
	ENSURE_CLOSE(stable[0], stable[1], 0.001);
	return 0;
}

// A push beside a wrapped edge shows on both of its sides before the next step too.
static int PushesShowOnBothSidesOfAWrap(void)
{
	for (int method = 0; method < tn_methodCount; ++method)
	{
		const tnVec2 places[] = {{0.5f, 8.5f}, {15.5f, 8.5f}, {8.5f, 0.5f}, {8.5f, 15.5f}};
		for (int place = 0; place < 4; ++place)
		{
			tnWorldDef def = MakeDef(method);
			for (int edge = 0; edge < tn_sideCount; ++edge)
			{
				def.edges[edge].kind = tn_wrapEdge;
			}
			tnWorld* world = NULL;
			ENSURE_OK(tnCreateWorld(&def, &world));
			ENSURE_OK(tnWorld_FillToLevel(world, 1.0f));
			ENSURE_OK(tnWorld_AddImpulse(world, places[place], 0.4f, (tnVec2){1000.0f, 2000.0f}));
			ENSURE_OK(tnWorld_CopyDischarge(world, s_faces, NULL));
			const float alongX = s_faces[8 * (side + 1)];
			ENSURE((alongX != 0.0f) == (place < 2));
			ENSURE(alongX == s_faces[8 * (side + 1) + side]);
			ENSURE_OK(tnWorld_CopyDischarge(world, NULL, s_faces));
			ENSURE((s_faces[8] != 0.0f) == (place >= 2));
			ENSURE(s_faces[8] == s_faces[side * side + 8]);
			tnDestroyWorld(world);
		}
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Hostile scenes
//
// Water is never faster than its head: sqrt(v^2 + 2 g drop) with the velocity v it comes with and the drop from its
// highest surface to the lowest bed. Only water that is set free at once may be: the tip of a dam break runs with
// 2 sqrt(g h), that is sqrt(2) times as fast, because the water behind pushes it (Ritter). The two components of a
// velocity live on different faces and are judged one by one.

#define GRAVITY 9.81
#define RITTER_FACTOR 1.41421356

enum
{
	hostileCells = 128 * 64
};

typedef struct Hostile
{
	const char* name;
	tnWorld* world;
	int columnCount, cellCount;
	double fastest;
	// Highest surface so far.
	double highest;
	// Most that waves were slowed down, in (0, 1].
	double slowest;
} Hostile;

static float s_hostileBed[hostileCells];
static float s_hostileDepth[hostileCells];
static float s_hostileX[hostileCells];
static float s_hostileZ[hostileCells];

static const char* const s_advectionNames[tn_advectionCount] = {
	"conservative", "fine", "semi-Lagrangian", "MacCormack"};

static tnWorldDef MakeHostileDef(int advection, int columnCount, int rowCount, int maxSubSteps)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columnCount;
	def.rowCount = rowCount;
	def.method = tn_shallowMethod;
	def.advection = (tnAdvection)advection;
	def.maxSubSteps = maxSubSteps;
	return def;
}

static int StartHostile(Hostile* scene, const char* name, const tnWorldDef* def)
{
	*scene = (Hostile){
		.name = name, .columnCount = def->columnCount, .cellCount = def->columnCount * def->rowCount, .slowest = 1.0};
	ENSURE(scene->cellCount <= hostileCells);
	ENSURE_OK(tnCreateWorld(def, &scene->world));
	ENSURE_OK(tnWorld_SetTerrain(scene->world, s_hostileBed));
	ENSURE_OK(tnWorld_SetDepths(scene->world, s_hostileDepth));
	return 0;
}

static int LookAtHostile(Hostile* scene)
{
	const tnFieldView depth = tnWorld_GetDepth(scene->world);
	const tnFieldView bed = tnWorld_GetBed(scene->world);
	ENSURE_OK(tnWorld_CopyVelocities(scene->world, s_hostileX, s_hostileZ));
	for (int i = 0; i < scene->cellCount; ++i)
	{
		const int column = i % scene->columnCount;
		const int row = i / scene->columnCount;
		const float d = depth.data[row * depth.stride + column];
		const float speed = fmaxf(fabsf(s_hostileX[i]), fabsf(s_hostileZ[i]));
		ENSURE(d >= 0.0f && isfinite(d) && isfinite(s_hostileX[i]) && isfinite(s_hostileZ[i]));
		scene->fastest = speed > scene->fastest ? speed : scene->fastest;
		const double surface = (double)bed.data[row * bed.stride + column] + d;
		scene->highest = d > 0.0f && surface > scene->highest ? surface : scene->highest;
	}
	return 0;
}

static int StepHostile(Hostile* scene, int count, float timeStep)
{
	for (int i = 0; i < count; ++i)
	{
		ENSURE_OK(tnWorld_Step(scene->world, timeStep));
		ENSURE(LookAtHostile(scene) == 0);
		scene->slowest = fmin(scene->slowest, (double)tnWorld_GetStats(scene->world).waveSlowdown);
	}
	// Each step rounds each depth by at most half a unit in the last place, 6e-8; the errors of many cells cancel.
	const tnLedger ledger = tnWorld_GetLedger(scene->world);
	ENSURE(fabs(ledger.drift) <= 1.0e-6 * ledger.volume);
	return 0;
}

// Ends a scene. Prints what was wrong with it, so that all are seen at once.
static int EndHostile(Hostile* scene, int advection, double limit)
{
	tnDestroyWorld(scene->world);
	if (scene->fastest <= limit)
	{
		return 0;
	}
	printf("%s, %s: %g m/s, limit %g\n", scene->name, s_advectionNames[advection], scene->fastest, limit);
	return 1;
}

static double GetFallSpeed(double drop)
{
	return sqrt(2.0 * GRAVITY * drop);
}

// A film of 5 cm runs over the edge of a cliff 100 m high, or down a steep slope, at all time steps.
static int FilmsFallNoFasterThanTheirHead(void)
{
	enum
	{
		columnCount = 128,
		rowCount = 4,
		edge = 32
	};
	static const int widths[] = {0, 4, 10, 40};
	static const float timeSteps[] = {1.0f / 60.0f, 0.25f, 1.0f};
	int failCount = 0;
	for (int advection = 0; advection < tn_advectionCount; ++advection)
	{
		for (int i = 0; i < 12; ++i)
		{
			if (TEST_LEAVES_OUT(advection + i))
			{
				continue;
			}
			const int width = widths[i % 4];
			const float timeStep = timeSteps[i / 4];
			for (int cell = 0; cell < columnCount * rowCount; ++cell)
			{
				const int column = cell % columnCount;
				const float down = (float)(column - edge + 1) / (float)(width + 1);
				s_hostileBed[cell] = 100.0f * fminf(fmaxf(1.0f - down, 0.0f), 1.0f);
				s_hostileDepth[cell] = 0.0f;
			}
			tnWorldDef def = MakeHostileDef(advection, columnCount, rowCount, 64);
			def.edges[tn_west].kind = tn_inflowEdge;
			def.edges[tn_west].inflow = 0.05f;
			def.edges[tn_east].kind = tn_openEdge;
			char name[64];
			snprintf(name, sizeof(name), "cliff of %d cells, steps of %g s", width, (double)timeStep);
			Hostile scene;
			ENSURE(StartHostile(&scene, name, &def) == 0);
			ENSURE(StepHostile(&scene, (int)(40.0f / timeStep), timeStep) == 0);
			// The film arrives at 100 m with the energy of critical flow and no more. The limit has a hundredth to
			// spare for the film of the front, where depths of 1e-6 m are rounded at 100 m (2^-17 m).
			const double energyHead = 1.5 * cbrt(0.05 * 0.05 / GRAVITY);
			failCount += EndHostile(&scene, advection, 1.01 * GetFallSpeed(100.0 + energyHead));
		}
	}
	ENSURE_EQUAL_INT(failCount, 0);
	return 0;
}

// A column 50 m high is set free on dry ground: one cell wide and seven, with as many sub-steps as it takes and with
// fewer.
static int ColumnsCollapse(void)
{
	enum
	{
		columnCount = 64,
		rowCount = 64
	};
	static const float timeSteps[] = {1.0f / 60.0f, 1.0f / 60.0f, 1.0f / 60.0f, 0.2f, 1.0f};
	static const int halfWidths[] = {0, 3, 3, 3, 3};
	static const int subSteps[] = {64, 64, 1, 4, 1};
	int failCount = 0;
	for (int advection = 0; advection < tn_advectionCount; ++advection)
	{
		for (int i = 0; i < 5; ++i)
		{
			if (TEST_LEAVES_OUT(advection + i))
			{
				continue;
			}
			for (int cell = 0; cell < columnCount * rowCount; ++cell)
			{
				const int x = abs(cell % columnCount - 30);
				const int z = abs(cell / columnCount - 31);
				s_hostileBed[cell] = 0.0f;
				s_hostileDepth[cell] = x <= halfWidths[i] && z <= halfWidths[i] ? 50.0f : 0.0f;
			}
			const tnWorldDef def = MakeHostileDef(advection, columnCount, rowCount, subSteps[i]);
			char name[64];
			snprintf(name, sizeof(name), "column of half %d, steps of %g s in %d", halfWidths[i], (double)timeSteps[i],
				subSteps[i]);
			Hostile scene;
			ENSURE(StartHostile(&scene, name, &def) == 0);
			ENSURE(StepHostile(&scene, 300, timeSteps[i]) == 0);
			// Slowed down or not, after 5 s and 300 steps a column does not stand.
			const float left = tnWorld_GetStats(scene.world).maxDepth;
			if (left > 10.0f)
			{
				printf("%s, %s: still %g m high\n", name, s_advectionNames[advection], (double)left);
				failCount += 1;
			}
			failCount += EndHostile(&scene, advection, RITTER_FACTOR * GetFallSpeed(50.0));
		}
	}
	ENSURE_EQUAL_INT(failCount, 0);
	return 0;
}

// The wall that held 200 m of water is gone. Sub-steps are far too few for it: the water is slowed down, but it moves.
static int DamsOfDeepWaterBreak(void)
{
	enum
	{
		columnCount = 96,
		rowCount = 4,
		wall = 48
	};
	static const float timeSteps[] = {1.0f / 240.0f, 1.0f / 60.0f, 1.0f / 60.0f, 0.1f, 0.5f};
	static const int subSteps[] = {1, 1, 64, 1, 1};
	int failCount = 0;
	for (int advection = 0; advection < tn_advectionCount; ++advection)
	{
		for (int i = 0; i < 5; ++i)
		{
			for (int cell = 0; cell < columnCount * rowCount; ++cell)
			{
				s_hostileBed[cell] = cell % columnCount == wall ? 250.0f : 0.0f;
				s_hostileDepth[cell] = cell % columnCount < wall ? 200.0f : 0.0f;
			}
			const tnWorldDef def = MakeHostileDef(advection, columnCount, rowCount, subSteps[i]);
			char name[64];
			snprintf(name, sizeof(name), "dam, steps of %g s in %d", (double)timeSteps[i], subSteps[i]);
			Hostile scene;
			ENSURE(StartHostile(&scene, name, &def) == 0);
			ENSURE(StepHostile(&scene, 2, timeSteps[i]) == 0);
			ENSURE(scene.fastest == 0.0);
			ENSURE((scene.slowest < 1.0) == (i != 0 && i != 2));
			for (int cell = 0; cell < columnCount * rowCount; ++cell)
			{
				s_hostileBed[cell] = 0.0f;
			}
			ENSURE_OK(tnWorld_SetTerrain(scene.world, s_hostileBed));
			ENSURE(StepHostile(&scene, 400, timeSteps[i]) == 0);
			// A sub-step of a wave or of the flow takes it half a cell or so: in 400 of them water gets 48 cells far.
			const tnFieldView depth = tnWorld_GetDepth(scene.world);
			if (!(depth.data[columnCount - 1] > 1.0f))
			{
				printf("%s, %s: %g m at the far end\n", name, s_advectionNames[advection],
					(double)depth.data[columnCount - 1]);
				failCount += 1;
			}
			failCount += EndHostile(&scene, advection, RITTER_FACTOR * GetFallSpeed(200.0));
		}
	}
	ENSURE_EQUAL_INT(failCount, 0);
	return 0;
}

// A cloudburst on pillars 20 m high, one cell and three cells wide.
static int RainRunsOffPillars(void)
{
	enum
	{
		columnCount = 36,
		rowCount = 36
	};
	int failCount = 0;
	for (int advection = 0; advection < tn_advectionCount; ++advection)
	{
		for (int i = 0; i < 4; ++i)
		{
			if (TEST_LEAVES_OUT(advection + i))
			{
				continue;
			}
			const int width = i % 2 == 0 ? 1 : 3;
			for (int cell = 0; cell < columnCount * rowCount; ++cell)
			{
				const int sum = cell % columnCount / width + cell / columnCount / width;
				s_hostileBed[cell] = sum % 2 == 0 ? 10.0f : -10.0f;
				s_hostileDepth[cell] = 0.0f;
			}
			const tnWorldDef def = MakeHostileDef(advection, columnCount, rowCount, i < 2 ? 64 : 1);
			char name[64];
			snprintf(name, sizeof(name), "pillars %d wide, %d sub-steps", width, def.maxSubSteps);
			Hostile scene;
			ENSURE(StartHostile(&scene, name, &def) == 0);
			ENSURE_OK(tnWorld_SetRain(scene.world, 0.01f, NULL));
			ENSURE(StepHostile(&scene, 1200, 1.0f / 60.0f) == 0);
			// 20 s of 1 cm/s on top.
			failCount += EndHostile(&scene, advection, RITTER_FACTOR * GetFallSpeed(20.2));
		}
	}
	ENSURE_EQUAL_INT(failCount, 0);
	return 0;
}

// The strongest inflow there is, through one face into a dry world, and a source as strong in one cell.
static int FloodsOfBiblicalSize(void)
{
	enum
	{
		columnCount = 64,
		rowCount = 16
	};
	int failCount = 0;
	for (int advection = 0; advection < tn_advectionCount; ++advection)
	{
		for (int i = 0; i < 3; ++i)
		{
			for (int cell = 0; cell < columnCount * rowCount; ++cell)
			{
				s_hostileBed[cell] = 0.0f;
				s_hostileDepth[cell] = 0.0f;
			}
			tnWorldDef def = MakeHostileDef(advection, columnCount, rowCount, i == 1 ? 4 : 64);
			if (i < 2)
			{
				def.edges[tn_west].kind = tn_inflowEdge;
				def.edges[tn_west].inflow = 1.0e6f;
				def.edges[tn_west].inflowBegin = 8;
				def.edges[tn_west].inflowEnd = 9;
			}
			char name[64];
			snprintf(name, sizeof(name), "%s, %d sub-steps", i < 2 ? "inflow" : "source", def.maxSubSteps);
			Hostile scene;
			ENSURE(StartHostile(&scene, name, &def) == 0);
			if (i == 2)
			{
				tnSourceDef source = tnDefaultSourceDef();
				source.center = (tnVec2){20.5f, 8.5f};
				source.radius = 0.3f;
				source.rate = 1.0e6f;
				tnSourceId id;
				ENSURE_OK(tnWorld_CreateSource(scene.world, &source, &id));
			}
			ENSURE(StepHostile(&scene, 120, 1.0f / 60.0f) == 0);
			// It enters at critical flow at most, with its head on top of what stands there. To water in slow motion it
			// is so much stronger.
			const double criticalSpeed = cbrt(GRAVITY * 1.0e6 / scene.slowest);
			const double head = scene.highest + 0.5 * criticalSpeed * criticalSpeed / GRAVITY;
			failCount += EndHostile(&scene, advection, RITTER_FACTOR * GetFallSpeed(head));
		}
	}
	ENSURE_EQUAL_INT(failCount, 0);
	return 0;
}

// Films from far below to just above what moves at all, on rough ground and in a bowl, pushed about.
static int FilmsSlosh(void)
{
	enum
	{
		columnCount = 64,
		rowCount = 64
	};
	int failCount = 0;
	for (int advection = 0; advection < tn_advectionCount; ++advection)
	{
		for (int i = 0; i < 4; ++i)
		{
			if (TEST_LEAVES_OUT(advection + i))
			{
				continue;
			}
			TestRandom random = TestMakeRandom((uint64_t)i);
			const tnWorldDef def = MakeHostileDef(advection, columnCount, rowCount, 8);
			for (int cell = 0; cell < columnCount * rowCount; ++cell)
			{
				const int x = cell % columnCount - 32;
				const int z = cell / columnCount - 32;
				const float rough = TestRandomFloat(&random, 0.0f, 1.0f);
				s_hostileBed[cell] = i % 2 == 0 ? (float)(x * x + z * z) / 2048.0f : rough;
				const float exponent = TestRandomFloat(&random, -7.0f, i < 2 ? -5.0f : -3.0f);
				s_hostileDepth[cell] = powf(10.0f, exponent);
				s_hostileX[cell] = TestRandomFloat(&random, -2.0f, 2.0f);
				s_hostileZ[cell] = TestRandomFloat(&random, -2.0f, 2.0f);
			}
			char name[64];
			snprintf(name, sizeof(name), "films %d", i);
			Hostile scene;
			ENSURE(StartHostile(&scene, name, &def) == 0);
			ENSURE_OK(tnWorld_SetVelocities(scene.world, s_hostileX, s_hostileZ));
			ENSURE(StepHostile(&scene, 600, 1.0f / 60.0f) == 0);
			// 2 m/s along each axis to begin with, and 1 m to fall.
			failCount += EndHostile(&scene, advection, RITTER_FACTOR * sqrt(8.0 + 2.0 * GRAVITY));
		}
	}
	ENSURE_EQUAL_INT(failCount, 0);
	return 0;
}

// Energy per density, m^5/s^2 for cells of 1 m: potential above the bed 0, and kinetic by face.
static double GetEnergy(tnWorld* world, int columnCount, int rowCount)
{
	static float faces[hostileCells + 256];
	const tnFieldView depth = tnWorld_GetDepth(world);
	const tnFieldView bed = tnWorld_GetBed(world);
	double sum = 0.0;
	for (int axis = 0; axis < 2; ++axis)
	{
		const int faceColumns = columnCount + (axis == 0 ? 1 : 0);
		tnWorld_CopyDischarge(world, axis == 0 ? faces : NULL, axis == 1 ? faces : NULL);
		for (int row = 0; row < rowCount; ++row)
		{
			for (int column = 0; column < columnCount; ++column)
			{
				const int second = row * depth.stride + column;
				const int first = second - (axis == 0 ? 1 : depth.stride);
				if (axis == 0)
				{
					const double d = depth.data[second];
					sum += GRAVITY * d * ((double)bed.data[second] + 0.5 * d);
				}
				const float discharge = faces[row * faceColumns + column];
				if (discharge == 0.0f || (axis == 0 ? column : row) == 0)
				{
					continue;
				}
				// As the library does it, in float: the surface upstream above the higher bed, or the higher surface.
				const float ground = fmaxf(bed.data[first], bed.data[second]);
				const float surfaceFirst = bed.data[first] + depth.data[first];
				const float surfaceSecond = bed.data[second] + depth.data[second];
				float section = (discharge > 0.0f ? surfaceFirst : surfaceSecond) - ground;
				section = section > 0.0f ? section : fmaxf(surfaceFirst, surfaceSecond) - ground;
				const double velocity = (double)discharge / section;
				sum += 0.25 * velocity * velocity * ((double)depth.data[first] + depth.data[second]);
			}
		}
	}
	return sum;
}

// Energy of the same water at rest.
static double GetRestEnergy(tnWorld* world, int columnCount, int rowCount)
{
	const tnFieldView bed = tnWorld_GetBed(world);
	const double volume = tnWorld_GetLedger(world).volume;
	double low = -100.0;
	double high = 100.0;
	double energy = 0.0;
	for (int i = 0; i < 60; ++i)
	{
		const double level = 0.5 * (low + high);
		double held = 0.0;
		energy = 0.0;
		for (int cell = 0; cell < columnCount * rowCount; ++cell)
		{
			const double ground = bed.data[cell / columnCount * bed.stride + cell % columnCount];
			const double d = fmax(level - ground, 0.0);
			held += d;
			energy += GRAVITY * d * (ground + 0.5 * d);
		}
		*(held > volume ? &high : &low) = level;
	}
	return energy;
}

typedef struct Basin
{
	const char* name;
	// Energy may pass its first value by this share.
	double growth;
} Basin;

// A closed basin without friction: kinetic and potential energy together, above that of rest, never grow. Velocities
// are half a sub-step ahead of depths (a leapfrog), which makes the sum swing by up to omega dt / 2 around what is kept:
// 1.8 % for the ripples here (wave number 0.5/m in 2 m of water, 1/60 s), and more for the waves of one or two cells
// that steps of 10 m make.
static int EnergyDoesNotGrow(void)
{
	enum
	{
		columnCount = 48,
		rowCount = 40
	};
	static const Basin basins[] = {{"ripples", 0.02}, {"dam break", 0.0}, {"bowl", 0.0}, {"rough ground", 0.0},
		{"rough surface", 0.0}, {"column", 0.0}, {"pillars", 0.05}};
	int failCount = 0;
	for (int advection = 0; advection < tn_advectionCount; ++advection)
	{
		for (int i = 0; i < 7; ++i)
		{
			if (TEST_LEAVES_OUT(advection + i))
			{
				continue;
			}
			TestRandom random = TestMakeRandom((uint64_t)i);
			for (int cell = 0; cell < columnCount * rowCount; ++cell)
			{
				const int column = cell % columnCount;
				const int row = cell / columnCount;
				const bool west = column < columnCount / 2;
				const float x = (float)(column - columnCount / 2);
				const float z = (float)(row - rowCount / 2);
				float bed = 0.0f;
				float level = west ? 2.0f : 1.0f;
				switch (i)
				{
					case 0:
						level = 2.0f + 0.05f * sinf(0.4f * x) * cosf(0.3f * z);
						break;
					case 1:
						break;
					case 2:
						bed = 0.01f * (x * x + z * z);
						level = west ? 2.5f : 0.0f;
						break;
					case 3:
						bed = TestRandomFloat(&random, 0.0f, 2.0f);
						level = west ? 4.0f : 1.0f;
						break;
					case 4:
						level = TestRandomFloat(&random, 0.0f, 2.0f);
						break;
					case 5:
						level = column < 8 && row < 8 ? 50.0f : 0.0f;
						break;
					default:
						bed = (column + row) % 2 == 0 ? 0.0f : 10.0f;
						level = west ? bed + 12.0f : 0.0f;
						break;
				}
				s_hostileBed[cell] = bed;
				s_hostileDepth[cell] = fmaxf(level - bed, 0.0f);
			}
			const tnWorldDef def = MakeHostileDef(advection, columnCount, rowCount, 64);
			Hostile scene;
			ENSURE(StartHostile(&scene, basins[i].name, &def) == 0);
			const double rest = GetRestEnergy(scene.world, columnCount, rowCount);
			const double first = GetEnergy(scene.world, columnCount, rowCount) - rest;
			ENSURE(first > 0.0);
			double most = 0.0;
			for (int step = 0; step < 600; ++step)
			{
				ENSURE_OK(tnWorld_Step(scene.world, 1.0f / 60.0f));
				most = fmax(most, (GetEnergy(scene.world, columnCount, rowCount) - rest) / first);
			}
			tnDestroyWorld(scene.world);
			if (most > 1.0 + basins[i].growth)
			{
				printf("%s, %s: energy %g\n", basins[i].name, s_advectionNames[advection], most);
				failCount += 1;
			}
		}
	}
	ENSURE_EQUAL_INT(failCount, 0);
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
	{"TracesOfWaterStayPositive", TracesOfWaterStayPositive},
	{"SleepAcrossAWrapMakesNoWater", SleepAcrossAWrapMakesNoWater},
	{"PondsDrainOffEveryEdge", PondsDrainOffEveryEdge},
	{"RestAtEdgesHasTheBitsOfSleep", RestAtEdgesHasTheBitsOfSleep},
	{"SpongesSlowAllEdgesAlike", SpongesSlowAllEdgesAlike},
	{"AbsorbingEdgesSlowDownToo", AbsorbingEdgesSlowDownToo},
	{"DryGroundIsOwedNothing", DryGroundIsOwedNothing},
	{"CurvesGoWithTheKindOfEdge", CurvesGoWithTheKindOfEdge},
	{"SmallDiscsFarAwayHoldWater", SmallDiscsFarAwayHoldWater},
	{"PouringOnDeepWaterTakesNothing", PouringOnDeepWaterTakesNothing},
	{"ImpulsesCrossWrappedEdges", ImpulsesCrossWrappedEdges},
	{"AbsurdRainAndInflowStayFinite", AbsurdRainAndInflowStayFinite},
	{"VelocitiesKnowTheLevelOutside", VelocitiesKnowTheLevelOutside},
	{"SpongesLowerTheLargestDepth", SpongesLowerTheLargestDepth},
	{"SlowestWaterMayWait", SlowestWaterMayWait},
	{"PushedPipesMakeNoHaste", PushedPipesMakeNoHaste},
	{"PushesShowOnBothSidesOfAWrap", PushesShowOnBothSidesOfAWrap},
	{"FilmsFallNoFasterThanTheirHead", FilmsFallNoFasterThanTheirHead},
	{"ColumnsCollapse", ColumnsCollapse},
	{"DamsOfDeepWaterBreak", DamsOfDeepWaterBreak},
	{"RainRunsOffPillars", RainRunsOffPillars},
	{"FloodsOfBiblicalSize", FloodsOfBiblicalSize},
	{"FilmsSlosh", FilmsSlosh},
	{"EnergyDoesNotGrow", EnergyDoesNotGrow},
};
const TestSuite stressSuite = TEST_SUITE("stress", s_tests);
