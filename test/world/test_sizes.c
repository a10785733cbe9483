// SPDX-License-Identifier: MIT

// What one call makes room for, another may make larger: bodies and edges, methods, layers, sources, in any order and in
// worlds from 4 x 4 cells on. The address sanitizer looks between the arrays of a block. And whatever allocation fails,
// the call says so and nothing has changed.

#include "core/memory.h"
#include "harness.h"
#include "tarn/tarn.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
	bodyLimit = 5,
	thingLimit = 20,
	stepsAtMost = 3,
};

// A random world, and who lives in it.
typedef struct Playground
{
	tnWorld* world;
	tnWorldDef def;
	tnBodyId bodies[bodyLimit];
	tnSourceId sources[thingLimit];
	tnRegionId regions[thingLimit];
	tnGaugeId gauges[thingLimit];
	tnJetId jets[thingLimit];
	tnInterestId interests[thingLimit];
	int bodyCount, sourceCount, regionCount, gaugeCount, jetCount, interestCount;
} Playground;

static tnWorldDef MakeRandomDef(TestRandom* random)
{
	tnWorldDef def = tnDefaultWorldDef();
	const bool tiny = TestRandomInt(random, 0, 2) > 0;
	def.columnCount = TestRandomInt(random, 4, tiny ? 12 : 90);
	def.rowCount = TestRandomInt(random, 4, tiny ? 12 : 90);
	def.cellSize = TestRandomFloat(random, 0.2f, 1.5f);
	def.origin = (tnVec2){TestRandomFloat(random, -20.0f, 20.0f), TestRandomFloat(random, -20.0f, 20.0f)};
	def.method = (tnMethod)TestRandomInt(random, 0, tn_methodCount - 1);
	def.advection = (tnAdvection)TestRandomInt(random, 0, tn_advectionCount - 1);
	def.tracerCount = TestRandomInt(random, 0, 2);
	def.keepPrevious = TestRandomInt(random, 0, 1) == 0;
	def.keepDischarge = TestRandomInt(random, 0, 1) == 0;
	def.maxSubSteps = TestRandomInt(random, 1, 6);
	def.spray.enable = TestRandomInt(random, 0, 2) == 0;
	def.spray.capacity = 64;
	def.foam.enable = TestRandomInt(random, 0, 2) == 0;
	def.waves.enable = TestRandomInt(random, 0, 3) == 0;
	def.waves.levelCount = TestRandomInt(random, 1, 4);
	def.waves.finerLevels = TestRandomInt(random, 0, 1);
	def.waves.tileCount = TestRandomInt(random, 1, 12);
	def.waves.kernel = tn_quickWaves;
	def.tasks.workerCount = TestRandomInt(random, 1, 3);
	return def;
}

// Somewhere, most often inside.
static tnVec2 PickPlace(const Playground* play, TestRandom* random, float margin)
{
	const float x = (float)play->def.columnCount * play->def.cellSize;
	const float z = (float)play->def.rowCount * play->def.cellSize;
	return (tnVec2){
		play->def.origin.x + TestRandomFloat(random, -margin, 1.0f + margin) * x,
		play->def.origin.z + TestRandomFloat(random, -margin, 1.0f + margin) * z,
	};
}

static tnPose PickPose(const Playground* play, TestRandom* random)
{
	const tnVec2 place = PickPlace(play, random, 0.3f);
	return (tnPose){
		.position = {place.x, TestRandomFloat(random, -0.5f, 2.0f), place.z},
		.rotation = {TestRandomFloat(random, -1.0f, 1.0f), TestRandomFloat(random, -1.0f, 1.0f),
			TestRandomFloat(random, -1.0f, 1.0f), 1.1f},
	};
}

static tnVec3 PickVector(TestRandom* random, float size)
{
	return (tnVec3){TestRandomFloat(random, -size, size), TestRandomFloat(random, -size, size),
		TestRandomFloat(random, -size, size)};
}

static tnResult MakeBody(Playground* play, TestRandom* random)
{
	const tnVec3 points[] = {{1.0f, 0.0f, 0.0f}, {-1.0f, 0.0f, 0.2f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};
	tnShapeDef shapes[2] = {tnDefaultShapeDef(), tnDefaultShapeDef()};
	const float size =
		play->def.cellSize * TestRandomFloat(random, 0.2f, TestRandomInt(random, 0, 3) == 0 ? 20.0f : 4.0f);
	for (int i = 0; i < 2; ++i)
	{
		shapes[i].kind = (tnShapeKind)TestRandomInt(random, 0, tn_hullShape);
		shapes[i].halfExtents = (tnVec3){size, 0.3f * size, TestRandomFloat(random, 0.1f, 1.0f) * size};
		shapes[i].radius = 0.7f * size;
		shapes[i].halfLength = size;
		shapes[i].points = points;
		shapes[i].pointCount = 4;
		shapes[i].pose.position.x = (float)i * size;
	}
	tnBodyDef def = tnDefaultBodyDef();
	def.shapes = shapes;
	def.shapeCount = TestRandomInt(random, 1, 2);
	def.mass = TestRandomInt(random, 0, 3) == 0 ? INFINITY : TestRandomFloat(random, 10.0f, 2000.0f);
	def.mode = (tnBodyMode)TestRandomInt(random, 0, tn_bodyModeCount - 1);
	def.pose = PickPose(play, random);
	def.velocity = PickVector(random, 3.0f);
	def.spin = PickVector(random, 2.0f);
	if (play->bodyCount == bodyLimit)
	{
		const tnResult result = tnWorld_DestroyBody(play->world, play->bodies[0]);
		play->bodyCount -= 1;
		play->bodies[0] = play->bodies[play->bodyCount];
		return result;
	}
	const tnResult result = tnWorld_CreateBody(play->world, &def, play->bodies + play->bodyCount);
	play->bodyCount += result.status == tn_ok ? 1 : 0;
	return result;
}

static tnResult MoveBody(Playground* play, TestRandom* random)
{
	const tnPose pose = PickPose(play, random);
	const tnVec3 velocity = PickVector(random, 5.0f);
	const tnVec3 spin = PickVector(random, 3.0f);
	const tnBodyMode mode = (tnBodyMode)TestRandomInt(random, 0, tn_bodyModeCount - 1);
	const int index = TestRandomInt(random, 0, bodyLimit - 1);
	if (index >= play->bodyCount)
	{
		return (tnResult){0};
	}
	const tnResult result = tnWorld_MoveBody(play->world, play->bodies[index], &pose, velocity, spin);
	return result.status == tn_ok ? tnWorld_SetBodyMode(play->world, play->bodies[index], mode) : result;
}

static tnResult ChangeEdges(Playground* play, TestRandom* random)
{
	tnEdgeDef edges[tn_sideCount];
	for (int side = 0; side < tn_sideCount; ++side)
	{
		edges[side] = tnDefaultEdgeDef();
		edges[side].kind = (tnEdgeKind)TestRandomInt(random, 0, tn_edgeKindCount - 1);
		edges[side].level = TestRandomFloat(random, 0.0f, 1.5f);
		edges[side].inflow = TestRandomFloat(random, 0.0f, 1.0f);
		edges[side].spongeWidth = TestRandomInt(random, 1, 5);
	}
	for (int side = 0; side < tn_sideCount; side += 2)
	{
		const bool wraps = TestRandomInt(random, 0, 1) == 0;
		for (int i = 0; i < 2; ++i)
		{
			tnEdgeKind* kind = &edges[side + i].kind;
			*kind = wraps ? tn_wrapEdge : (*kind == tn_wrapEdge ? tn_wallEdge : *kind);
		}
	}
	return tnWorld_SetEdges(play->world, edges);
}

static tnResult ChangeCurve(Playground* play, TestRandom* random)
{
	const tnCurvePoint points[3] = {{0.0f, 0.5f}, {1.0f, TestRandomFloat(random, 0.0f, 1.0f)}, {2.0f, 0.7f}};
	return tnWorld_SetEdgeCurve(play->world, (tnSide)TestRandomInt(random, 0, 3), points, TestRandomInt(random, 0, 3));
}

static tnResult ChangeMethod(Playground* play, TestRandom* random)
{
	return tnWorld_SetMethod(play->world, (tnMethod)TestRandomInt(random, 0, tn_methodCount - 1),
		(tnAdvection)TestRandomInt(random, 0, tn_advectionCount - 1));
}

static tnResult ChangeVorticity(Playground* play, TestRandom* random)
{
	return tnWorld_SetVorticityConfinement(play->world, TestRandomFloat(random, 0.0f, 0.5f));
}

static tnResult ChangeRain(Playground* play, TestRandom* random)
{
	static float map[90 * 90];
	for (int i = 0; i < 90 * 90; ++i)
	{
		map[i] = TestRandomFloat(random, 0.0f, 1.0f);
	}
	const float* used = TestRandomInt(random, 0, 2) == 0 ? NULL : map;
	return tnWorld_SetRain(play->world, TestRandomFloat(random, 0.0f, 1.0e-3f), used);
}

static tnResult MakeSource(Playground* play, TestRandom* random)
{
	tnSourceDef def = tnDefaultSourceDef();
	def.center = PickPlace(play, random, -0.1f);
	def.radius = TestRandomFloat(random, 0.1f, 3.0f);
	const int index = play->sourceCount;
	if (index == thingLimit)
	{
		play->sourceCount -= 1;
		return tnWorld_DestroySource(play->world, play->sources[index - 1]);
	}
	const tnResult result = tnWorld_CreateSource(play->world, &def, play->sources + index);
	play->sourceCount += result.status == tn_ok ? 1 : 0;
	return result;
}

static tnResult MakeRegion(Playground* play, TestRandom* random)
{
	tnRegionDef def = tnDefaultRegionDef();
	def.center = PickPlace(play, random, -0.1f);
	const int index = play->regionCount;
	if (index == thingLimit)
	{
		play->regionCount -= 1;
		return tnWorld_DestroyRegion(play->world, play->regions[index - 1]);
	}
	const tnResult result = tnWorld_CreateRegion(play->world, &def, play->regions + index);
	play->regionCount += result.status == tn_ok ? 1 : 0;
	return result;
}

static tnResult MakeGauge(Playground* play, TestRandom* random)
{
	const tnVec2 place = PickPlace(play, random, -0.1f);
	const int index = play->gaugeCount;
	if (index == thingLimit)
	{
		play->gaugeCount -= 1;
		return tnWorld_DestroyGauge(play->world, play->gauges[index - 1]);
	}
	const tnResult result = tnWorld_CreateGauge(play->world, place, play->gauges + index);
	play->gaugeCount += result.status == tn_ok ? 1 : 0;
	return result;
}

static tnResult MakeJet(Playground* play, TestRandom* random)
{
	tnJetDef def = tnDefaultJetDef();
	const tnVec2 place = PickPlace(play, random, 0.1f);
	def.position = (tnVec3){place.x, 3.0f, place.z};
	const int index = play->jetCount;
	if (index == thingLimit)
	{
		play->jetCount -= 1;
		return tnWorld_DestroyJet(play->world, play->jets[index - 1]);
	}
	const tnResult result = tnWorld_CreateJet(play->world, &def, play->jets + index);
	play->jetCount += result.status == tn_ok ? 1 : 0;
	return result;
}

static tnResult MakeInterest(Playground* play, TestRandom* random)
{
	tnInterestDef def = tnDefaultInterestDef();
	def.position = PickPlace(play, random, 0.1f);
	def.reach = TestRandomFloat(random, 1.0f, 40.0f);
	const int index = play->interestCount;
	if (index == thingLimit)
	{
		play->interestCount -= 1;
		return tnWorld_DestroyInterest(play->world, play->interests[index - 1]);
	}
	const tnResult result = tnWorld_CreateInterest(play->world, &def, play->interests + index);
	play->interestCount += result.status == tn_ok ? 1 : 0;
	return result;
}

static tnResult MakeWaves(Playground* play, TestRandom* random)
{
	static float heights[32 * 32];
	const int size = TestRandomInt(random, 1, 32);
	for (int i = 0; i < size * size; ++i)
	{
		heights[i] = TestRandomFloat(random, -0.05f, 0.05f);
	}
	const bool rates = TestRandomInt(random, 0, 1) == 0;
	return tnWorld_AddWaveField(play->world, 0, 0, size, size, heights, rates ? heights : NULL);
}

static tnResult MakeSwell(Playground* play, TestRandom* random)
{
	const tnSwell swell = {
		{1.0f, TestRandomFloat(random, -1.0f, 1.0f)}, 0.05f, TestRandomFloat(random, 1.0f, 4.0f), 0.0f};
	return tnWorld_SetSwell(play->world, &swell, TestRandomInt(random, 0, 1));
}

static tnResult ListenToWater(Playground* play, TestRandom* random)
{
	(void)random;
	tnSound sounds[4];
	int count;
	return tnWorld_GetSounds(play->world, sounds, 4, &count);
}

static tnResult Smooth(Playground* play, TestRandom* random)
{
	tnBrush brush = tnDefaultBrush();
	brush.kind = (tnBrushKind)TestRandomInt(random, 0, tn_brushKindCount - 1);
	brush.center = PickPlace(play, random, -0.1f);
	brush.radius = TestRandomFloat(random, 0.3f, 5.0f);
	brush.amount = TestRandomFloat(random, 0.0f, 0.5f);
	return tnWorld_EditTerrain(play->world, &brush);
}

typedef tnResult ChangeFcn(Playground* play, TestRandom* random);

static ChangeFcn* const s_changes[] = {MakeBody, MakeBody, MakeBody, MoveBody, MoveBody, ChangeEdges, ChangeEdges,
	ChangeEdges, ChangeCurve, ChangeMethod, ChangeVorticity, ChangeRain, MakeSource, MakeRegion, MakeGauge, MakeJet,
	MakeInterest, MakeWaves, MakeSwell, ListenToWater, Smooth};

enum
{
	changeCount = (int)(sizeof(s_changes) / sizeof(s_changes[0])),
};

static bool OpenPlayground(Playground* play, uint64_t seed, TestAllocator* allocator)
{
	TestRandom random = TestMakeRandom(seed);
	memset(play, 0, sizeof(*play));
	play->def = MakeRandomDef(&random);
	if (allocator != NULL)
	{
		play->def.allocator = TestGetAllocator(allocator);
	}
	return tnCreateWorld(&play->def, &play->world).status == tn_ok &&
		tnWorld_FillToLevel(play->world, TestRandomFloat(&random, 0.0f, 1.5f)).status == tn_ok;
}

static bool IsSound(const tnWorld* world)
{
	const tnFieldView depth = tnWorld_GetDepth(world);
	bool sound = true;
	for (int row = 0; row < depth.rowCount; ++row)
	{
		for (int column = 0; column < depth.columnCount; ++column)
		{
			const float value = depth.data[row * depth.stride + column];
			sound = sound && value >= 0.0f && isfinite(value);
		}
	}
	return sound;
}

static bool StepSome(tnWorld* world, TestRandom* random)
{
	bool ok = true;
	const int count = TestRandomInt(random, 0, stepsAtMost);
	for (int i = 0; i < count && ok; ++i)
	{
		ok = tnWorld_Step(world, 1.0f / 60.0f).status == tn_ok && IsSound(world);
	}
	return ok;
}

// Everything changes at any time. Steps do not allocate, and nothing is left of a world.
static int AnyOrder(void)
{
	for (int seed = 0; seed < TEST_REPEATS(120); ++seed)
	{
		TestAllocator allocator = {0};
		Playground play;
		ENSURE(OpenPlayground(&play, (uint64_t)seed, &allocator));
		TestRandom random = TestMakeRandom(1000u + (uint64_t)seed);
		for (int i = 0; i < 40; ++i)
		{
			const tnResult result = s_changes[TestRandomInt(&random, 0, changeCount - 1)](&play, &random);
			ENSURE(result.status != tn_outOfMemory);
			const int allocationCount = allocator.allocationCount;
			ENSURE(StepSome(play.world, &random));
			ENSURE_EQUAL_INT(allocator.allocationCount, allocationCount);
		}
		tnDestroyWorld(play.world);
		ENSURE_EQUAL_INT(allocator.liveBytes, 0);
		ENSURE_EQUAL_INT(allocator.badFreeCount, 0);
	}
	return 0;
}

static bool AreDefsSame(const tnWorldDef* a, const tnWorldDef* b)
{
	bool same =
		a->method == b->method && a->advection == b->advection && a->vorticityConfinement == b->vorticityConfinement;
	for (int side = 0; side < tn_sideCount; ++side)
	{
		same = same && a->edges[side].kind == b->edges[side].kind && a->edges[side].level == b->edges[side].level;
	}
	return same;
}

// Each allocation of each call fails in turn. The call then says so, nothing has changed and no memory is kept; when
// there is some it succeeds, and the water goes on as in a world that never lacked any.
static int MemoryFailsInTurn(void)
{
	int failureCount = 0;
	for (int seed = 0; seed < TEST_REPEATS(48); ++seed)
	{
		TestAllocator allocator = {0};
		Playground play, twin;
		ENSURE(OpenPlayground(&play, 500u + (uint64_t)seed, &allocator));
		ENSURE(OpenPlayground(&twin, 500u + (uint64_t)seed, NULL));
		TestRandom random = TestMakeRandom(2000u + (uint64_t)seed);
		for (int i = 0; i < 24; ++i)
		{
			ChangeFcn* change = s_changes[TestRandomInt(&random, 0, changeCount - 1)];
			const uint64_t hash = tnWorld_GetHash(play.world);
			const tnWorldDef def = tnWorld_GetDef(play.world);
			const Playground before = play;
			tnResult result = {.status = tn_outOfMemory};
			for (int failing = 1; result.status == tn_outOfMemory; ++failing)
			{
				ENSURE(failing < 300);
				TestRandom again = random;
				allocator.failIn = failing;
				result = change(&play, &again);
				const bool hasFailed = allocator.failIn == 0;
				allocator.failIn = 0;
				if (result.status != tn_outOfMemory)
				{
					// A call may do without what it did not get, but then it has not failed.
					ENSURE(hasFailed == false || result.status == tn_ok);
					continue;
				}
				failureCount += 1;
				const tnWorldDef now = tnWorld_GetDef(play.world);
				ENSURE(AreDefsSame(&now, &def));
				ENSURE_EQUAL_HEX(tnWorld_GetHash(play.world), hash);
				ENSURE_EQUAL_INT(tnWorld_GetBodies(play.world, NULL, 0), before.bodyCount);
				play = before;
			}
			ENSURE_EQUAL_INT(change(&twin, &random).status, result.status);
			ENSURE_EQUAL_INT(play.bodyCount, twin.bodyCount);
			ENSURE(memcmp(play.bodies, twin.bodies, (size_t)play.bodyCount * sizeof(play.bodies[0])) == 0);
			TestRandom again = random;
			ENSURE(StepSome(play.world, &again));
			ENSURE(StepSome(twin.world, &random));
			ENSURE_EQUAL_HEX(tnWorld_GetHash(play.world), tnWorld_GetHash(twin.world));
		}
		tnDestroyWorld(play.world);
		tnDestroyWorld(twin.world);
		ENSURE_EQUAL_INT(allocator.liveBytes, 0);
		ENSURE_EQUAL_INT(allocator.badFreeCount, 0);
	}
	ENSURE(failureCount > 100);
	return 0;
}

// Room that is made late is as good as room that was there: edges that wrap after bodies came, and before.
static int LateWrapIsEarlyWrap(void)
{
	for (int seed = 0; seed < TEST_REPEATS(24); ++seed)
	{
		uint64_t hashes[2] = {0};
		for (int late = 0; late < 2; ++late)
		{
			Playground play;
			ENSURE(OpenPlayground(&play, 900u + (uint64_t)seed, NULL));
			tnEdgeDef edges[tn_sideCount];
			for (int side = 0; side < tn_sideCount; ++side)
			{
				edges[side] = tnDefaultEdgeDef();
				edges[side].kind = seed % 3 == 0 || side / 2 == seed % 3 - 1 ? tn_wrapEdge : tn_wallEdge;
			}
			TestRandom random = TestMakeRandom(3000u + (uint64_t)seed);
			if (late == 0)
			{
				ENSURE_OK(tnWorld_SetEdges(play.world, edges));
			}
			for (int i = 0; i < 4; ++i)
			{
				ENSURE(MakeBody(&play, &random).status != tn_outOfMemory);
			}
			if (late == 1)
			{
				ENSURE_OK(tnWorld_SetEdges(play.world, edges));
			}
			for (int i = 0; i < 20; ++i)
			{
				ENSURE_OK(tnWorld_Step(play.world, 1.0f / 60.0f));
			}
			hashes[late] = tnWorld_GetHash(play.world);
			tnDestroyWorld(play.world);
		}
		ENSURE_EQUAL_HEX(hashes[0], hashes[1]);
	}
	return 0;
}

// More bodies than there is room for side by side, all over small worlds: room is counted by cells then. Asserts look on.
static int Crowds(void)
{
	for (int seed = 0; seed < TEST_REPEATS(16); ++seed)
	{
		TestRandom random = TestMakeRandom(4000u + (uint64_t)seed);
		TestAllocator allocator = {0};
		tnWorldDef def = tnDefaultWorldDef();
		def.columnCount = TestRandomInt(&random, 4, 60);
		def.rowCount = TestRandomInt(&random, 4, 60);
		def.allocator = TestGetAllocator(&allocator);
		for (int side = 0; side < tn_sideCount && seed % 4 != 0; ++side)
		{
			def.edges[side].kind = seed % 4 == 3 || side / 2 == seed % 4 - 1 ? tn_wrapEdge : tn_wallEdge;
		}
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_FillToLevel(world, 1.0f));
		tnShapeDef shape = tnDefaultShapeDef();
		tnBodyDef body = tnDefaultBodyDef();
		body.shapes = &shape;
		body.shapeCount = 1;
		body.mass = 1.0f;
		body.mode = tn_blockingBody;
		enum
		{
			crowd = 300,
		};
		tnBodyId ids[crowd];
		// From those that touch one cell to those that touch some.
		const float size = TestRandomFloat(&random, 0.05f, seed % 2 == 0 ? 0.3f : 1.5f);
		for (int i = 0; i < crowd; ++i)
		{
			shape.halfExtents = (tnVec3){size, 0.3f, size};
			body.pose.position = (tnVec3){0.0f, 1.0f, 0.0f};
			ENSURE_OK(tnWorld_CreateBody(world, &body, ids + i));
		}
		const int allocationCount = allocator.allocationCount;
		for (int step = 0; step < 6; ++step)
		{
			// At random, and side by side as close as groups may be.
			const int pitch = TestRandomInt(&random, 3, 6);
			for (int i = 0; i < crowd; ++i)
			{
				const int perRow = (def.columnCount + pitch - 1) / pitch;
				tnPose pose = {{(float)(i % perRow * pitch) + 1.5f, 1.0f, (float)(i / perRow * pitch) + 1.5f},
					{0.0f, 0.0f, 0.0f, 1.0f}};
				if (step % 2 == 0)
				{
					pose.position.x = TestRandomFloat(&random, -2.0f, (float)def.columnCount + 2.0f);
					pose.position.z = TestRandomFloat(&random, -2.0f, (float)def.rowCount + 2.0f);
				}
				ENSURE_OK(tnWorld_MoveBody(world, ids[i], &pose, PickVector(&random, 1.0f), PickVector(&random, 1.0f)));
			}
			ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		}
		ENSURE_EQUAL_INT(allocator.allocationCount, allocationCount);
		ENSURE(IsSound(world));
		tnDestroyWorld(world);
		ENSURE_EQUAL_INT(allocator.liveBytes, 0);
		ENSURE_EQUAL_INT(allocator.badFreeCount, 0);
	}
	return 0;
}

// What memory may be, in bytes: red zones between arrays take as much again, where there are some.
static size_t GetLimit(size_t bytes)
{
	return tnMemory_HasRedZones() ? 2 * bytes : bytes;
}

// Thousands of crates as large as a cell: what they hold, what making one takes, what is left when they are gone. And with
// room made ahead: the same bits, and hardly any memory for each.
static int ThousandsOfCrates(void)
{
	enum
	{
		crateCount = 3000,
	};
	static tnBodyId ids[crateCount];
	uint64_t hashes[2] = {0};
	for (int reserved = 0; reserved < 2; ++reserved)
	{
		TestAllocator allocator = {0};
		tnWorldDef def = tnDefaultWorldDef();
		def.allocator = TestGetAllocator(&allocator);
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_FillToLevel(world, 3.0f));
		tnShapeDef shape = tnDefaultShapeDef();
		tnBodyDef body = tnDefaultBodyDef();
		body.shapes = &shape;
		body.shapeCount = 1;
		const size_t before = allocator.liveBytes;
		size_t most = 0;
		for (int i = 0; i < crateCount; ++i)
		{
			if (reserved == 1 && i == 3)
			{
				const uint64_t hash = tnWorld_GetHash(world);
				ENSURE_OK(tnWorld_ReserveBodies(world, crateCount, &body));
				ENSURE_EQUAL_HEX(tnWorld_GetHash(world), hash);
				// The next body moves in.
				most = 0;
			}
			body.pose.position = (tnVec3){1.5f + 2.3f * (float)(i % 54), 3.0f, 1.5f + 2.3f * (float)(i / 54)};
			const size_t live = allocator.liveBytes;
			ENSURE_OK(tnWorld_CreateBody(world, &body, ids + i));
			most = allocator.liveBytes > live && allocator.liveBytes - live > most ? allocator.liveBytes - live : most;
			if (i == 2)
			{
				ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
				ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
			}
		}
		const size_t each = (allocator.liveBytes - before) / crateCount;
		ENSURE(each < GetLimit(9728));
		if (reserved == 1)
		{
			ENSURE(most < GetLimit(2 * 1024));
		}
		for (int i = 0; i < 3; ++i)
		{
			ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		}
		hashes[reserved] = tnWorld_GetHash(world);
		for (int i = 0; i < crateCount; ++i)
		{
			ENSURE_OK(tnWorld_DestroyBody(world, ids[i]));
		}
		// What depends on the size of the world only, and the list of ids, which knows old ones.
		ENSURE(allocator.liveBytes - before < 1024 * 1024);
		ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		const tnFieldView lift = tnWorld_GetLift(world);
		for (int row = 0; row < lift.rowCount; ++row)
		{
			for (int column = 0; column < lift.columnCount; ++column)
			{
				ENSURE(lift.data[row * lift.stride + column] == 0.0f);
			}
		}
		tnDestroyWorld(world);
		ENSURE_EQUAL_INT(allocator.liveBytes, 0);
	}
	ENSURE_EQUAL_HEX(hashes[0], hashes[1]);
	return 0;
}

// What a small body holds, by the count of the world: among few, where there is room for all that it may touch, and among so many
// that the cells of the world bound it. Limits are a little above what is measured.
static int BytesOfSmallBodies(void)
{
	enum
	{
		mostCrates = 10000,
		perRow = 100,
	};
	static const struct
	{
		int count;
		float half;
		size_t limit;
	} cases[] = {
		{1000, 0.5f, 24 * 1024},
		{mostCrates, 0.5f, 9728},
		// Barrels that lie in one cell: their groups are the smallest that there are.
		{mostCrates, 0.2f, 9728},
	};
	for (int k = 0; k < (int)(sizeof(cases) / sizeof(cases[0])); ++k)
	{
		tnWorldDef def = tnDefaultWorldDef();
		def.columnCount = 256;
		def.rowCount = 256;
		def.tasks.workerCount = 1;
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		tnShapeDef shape = tnDefaultShapeDef();
		const float half = cases[k].half;
		shape.halfExtents = (tnVec3){half, half, half};
		tnBodyDef body = tnDefaultBodyDef();
		body.shapes = &shape;
		body.shapeCount = 1;
		tnBodyId id;
		// The first one brings what depends on the size of the world.
		ENSURE_OK(tnWorld_CreateBody(world, &body, &id));
		const size_t before = tnWorld_GetStats(world).byteCount;
		for (int i = 1; i < cases[k].count; ++i)
		{
			body.pose.position = (tnVec3){2.0f + 2.5f * (float)(i % perRow), 3.0f, 2.0f + 2.5f * (float)(i / perRow)};
			ENSURE_OK(tnWorld_CreateBody(world, &body, &id));
		}
		const size_t each = (tnWorld_GetStats(world).byteCount - before) / (size_t)cases[k].count;
		printf("%d bodies of %.1f cells hold %zu bytes each\n", cases[k].count, 2.0 * (double)half, each);
		ENSURE(each < GetLimit(cases[k].limit));
		tnDestroyWorld(world);
	}
	return 0;
}

// Bodies that are alike share what does not change. Whoever goes first, the others keep it.
static int AlikeBodiesGo(void)
{
	tnWrench wrenches[3];
	memset(wrenches, 0, sizeof(wrenches));
	for (int gone = 0; gone < 3; ++gone)
	{
		TestAllocator allocator = {0};
		tnWorldDef def = tnDefaultWorldDef();
		def.columnCount = 32;
		def.rowCount = 32;
		def.allocator = TestGetAllocator(&allocator);
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_FillToLevel(world, 1.0f));
		tnShapeDef shape = tnDefaultShapeDef();
		shape.kind = tn_cylinderShape;
		tnBodyDef body = tnDefaultBodyDef();
		body.shapes = &shape;
		body.shapeCount = 1;
		body.pose.position = (tnVec3){16.3f, 1.1f, 16.2f};
		tnBodyId ids[3];
		for (int i = 0; i < 3; ++i)
		{
			ENSURE_OK(tnWorld_CreateBody(world, &body, ids + i));
		}
		// Two go, in another order each time, and one stays.
		ENSURE_OK(tnWorld_DestroyBody(world, ids[gone]));
		ENSURE_OK(tnWorld_DestroyBody(world, ids[(gone + 1) % 3]));
		for (int i = 0; i < 3; ++i)
		{
			ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		}
		ENSURE_OK(tnWorld_GetBodyWrench(world, ids[(gone + 2) % 3], wrenches + gone));
		ENSURE(wrenches[gone].force.y > 0.0f);
		ENSURE(memcmp(wrenches, wrenches + gone, sizeof(wrenches[0])) == 0);
		tnDestroyWorld(world);
		ENSURE_EQUAL_INT(allocator.liveBytes, 0);
		ENSURE_EQUAL_INT(allocator.badFreeCount, 0);
	}
	return 0;
}

// Discs on the ground, through each other in a few cells: more of them share faces than there is room for profiles, and the rest is merged.
// The same bits with any number of workers, and with room made ahead.
static int FacesThatManyShare(void)
{
	enum
	{
		discCount = 40,
	};
	uint64_t hashes[3] = {0};
	for (int run = 0; run < 3; ++run)
	{
		TestRandom random = TestMakeRandom(77);
		tnWorldDef def = tnDefaultWorldDef();
		def.columnCount = 24;
		def.rowCount = 24;
		def.tasks.workerCount = run == 1 ? 3 : 1;
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_FillToLevel(world, 1.0f));
		tnShapeDef shape = tnDefaultShapeDef();
		shape.kind = tn_cylinderShape;
		shape.radius = 0.95f;
		shape.halfLength = 0.15f;
		tnBodyDef body = tnDefaultBodyDef();
		body.shapes = &shape;
		body.shapeCount = 1;
		body.mass = INFINITY;
		body.mode = tn_blockingBody;
		if (run == 2)
		{
			ENSURE_OK(tnWorld_ReserveBodies(world, 2 * discCount, &body));
		}
		tnBodyId ids[discCount];
		for (int i = 0; i < discCount; ++i)
		{
			body.pose.position =
				(tnVec3){TestRandomFloat(&random, 11.0f, 13.0f), 0.15f, TestRandomFloat(&random, 11.0f, 13.0f)};
			ENSURE_OK(tnWorld_CreateBody(world, &body, ids + i));
		}
		for (int step = 0; step < 20; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
			ENSURE(IsSound(world));
		}
		hashes[run] = tnWorld_GetHash(world);
		ENSURE_EQUAL_HEX(hashes[run], hashes[0]);
		tnDestroyWorld(world);
	}
	return 0;
}

static const Test s_tests[] = {
	{"AnyOrder", AnyOrder},
	{"MemoryFailsInTurn", MemoryFailsInTurn},
	{"LateWrapIsEarlyWrap", LateWrapIsEarlyWrap},
	{"Crowds", Crowds},
	{"ThousandsOfCrates", ThousandsOfCrates},
	{"BytesOfSmallBodies", BytesOfSmallBodies},
	{"AlikeBodiesGo", AlikeBodiesGo},
	{"FacesThatManyShare", FacesThatManyShare},
};

const TestSuite sizesSuite = TEST_SUITE("sizes", s_tests);
