// SPDX-License-Identifier: MIT

// Recordings: what was done with a world is done once more with the same bits, and what is not the same is found.

#include "busy_world.h"
#include "harness.h"
#include "tarn/tarn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Tape
{
	uint8_t* bytes;
	size_t size, capacity;
} Tape;

static void Append(const void* bytes, size_t size, void* context)
{
	Tape* tape = context;
	if (tape->size + size > tape->capacity)
	{
		tape->capacity = 2 * (tape->size + size);
		tape->bytes = realloc(tape->bytes, tape->capacity);
	}
	memcpy(tape->bytes + tape->size, bytes, size);
	tape->size += size;
}

static uint32_t GetWord(const Tape* tape, size_t at)
{
	const uint8_t* b = tape->bytes + at;
	return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

enum
{
	headerBytes = 12,
	recordBytes = 8,
	stepKind = 2,
	addWaterKind = 10,
	lastKind = 52,
};

static int PlayAll(const Tape* tape, int workerCount, tnReplayState* state, uint64_t* hash)
{
	tnWorldDef hooks = tnDefaultWorldDef();
	hooks.tasks.workerCount = workerCount;
	tnReplay* replay = NULL;
	ENSURE_OK(tnCreateReplay(tape->bytes, tape->size, &hooks, &replay));
	*state = (tnReplayState){0};
	while (!state->atEnd)
	{
		ENSURE_OK(tnReplay_Step(replay, state));
	}
	*hash = tnWorld_GetHash(tnReplay_GetWorld(replay));
	tnDestroyReplay(replay);
	return 0;
}

// Random worlds with every layer and edge, recorded from some step on, played with other numbers of workers.
static int RandomWorldsAreTheSameAgain(void)
{
	for (int seed = 1; seed <= TEST_REPEATS(40); ++seed)
	{
		BusyWorld busy;
		ENSURE(MakeBusyWorld(&busy, (uint64_t)seed, 1 + seed % 3, false));
		for (int i = 0; i < seed % 7; ++i)
		{
			ENSURE_OK(StepBusyWorld(&busy));
		}
		Tape tape = {0};
		ENSURE(!tnWorld_IsRecording(busy.world));
		ENSURE_OK(tnWorld_StartRecording(busy.world, Append, &tape));
		ENSURE(tnWorld_IsRecording(busy.world));
		const int stepCount = 12;
		for (int i = 0; i < stepCount; ++i)
		{
			ENSURE_OK(StepBusyWorld(&busy));
		}
		const uint64_t expected = tnWorld_GetHash(busy.world);
		ENSURE_OK(tnWorld_StopRecording(busy.world));
		const size_t size = tape.size;
		ENSURE_OK(StepBusyWorld(&busy));
		ENSURE(tape.size == size);
		tnReplayState state;
		uint64_t hash = 0;
		ENSURE(PlayAll(&tape, 1 + (seed + 1) % 3, &state, &hash) == 0);
		if (state.parted)
		{
			printf("seed %d parts in step %d\n", seed, (int)state.partedStep);
		}
		ENSURE(!state.parted && state.stepCount == stepCount);
		ENSURE_EQUAL_HEX(hash, expected);
		free(tape.bytes);
		tnDestroyWorld(busy.world);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Every call

enum
{
	side = 70,
};

static tnWorld* MakeLayeredWorld(void)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = side;
	def.rowCount = side;
	def.tracerCount = 2;
	def.waves.enable = true;
	def.waves.tileCount = 32;
	def.spray.enable = true;
	def.foam.enable = true;
	def.tasks.workerCount = 1;
	tnWorld* world = NULL;
	(void)tnCreateWorld(&def, &world);
	return world;
}

#define DO(call) ENSURE_OK(call)

static int CallsOfBodies(tnWorld* world)
{
	static const tnVec3 corners[4] = {{-1, -1, -1}, {1, -1, -1}, {0, -1, 1}, {0, 1, 0}};
	static const int32_t triangles[12] = {0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0};
	tnShapeDef shapes[4];
	for (int i = 0; i < 4; ++i)
	{
		shapes[i] = tnDefaultShapeDef();
		shapes[i].pose.position = (tnVec3){3.0f * (float)i, 0.0f, 0.0f};
	}
	shapes[1].kind = tn_hullShape;
	shapes[1].points = corners;
	shapes[1].pointCount = 4;
	shapes[2].kind = tn_meshShape;
	shapes[2].points = corners;
	shapes[2].pointCount = 4;
	shapes[2].triangles = triangles;
	shapes[2].triangleCount = 4;
	shapes[3].kind = tn_capsuleShape;
	shapes[3].radius = 0.7f;
	shapes[3].halfLength = 0.4f;
	tnBodyDef def = tnDefaultBodyDef();
	def.shapes = shapes;
	def.shapeCount = 4;
	def.mass = 5000.0f;
	def.userData = 0x123456789abcdefu;
	def.pose.position = (tnVec3){20.0f, 2.0f, 20.0f};
	tnBodyId body, other;
	DO(tnWorld_CreateBody(world, &def, &body));
	def.shapeCount = 1;
	DO(tnWorld_CreateBody(world, &def, &other));
	DO(tnWorld_SetBodyMode(world, body, tn_blockingBody));
	DO(tnWorld_Step(world, 1.0f / 60.0f));
	def.pose.position.x += 0.1f;
	DO(tnWorld_MoveBody(world, body, &def.pose, (tnVec3){1.0f, 0.0f, 0.5f}, (tnVec3){0.0f, 0.3f, 0.0f}));
	DO(tnWorld_DestroyBody(world, other));
	return 0;
}

static int CallsOfThings(tnWorld* world)
{
	const tnVec2 place = {30.0f, 31.0f};
	tnSourceDef sourceDef = tnDefaultSourceDef();
	sourceDef.center = place;
	sourceDef.radius = 3.0f;
	sourceDef.rate = 2.0f;
	tnSourceId source, other;
	DO(tnWorld_CreateSource(world, &sourceDef, &source));
	DO(tnWorld_CreateSource(world, &sourceDef, &other));
	sourceDef.rate = 4.0f;
	DO(tnWorld_SetSource(world, source, &sourceDef));
	DO(tnWorld_DestroySource(world, other));
	tnRegionDef regionDef = tnDefaultRegionDef();
	regionDef.center = place;
	regionDef.extent = (tnVec2){4.0f, 4.0f};
	regionDef.userData = 0xfedcba9876543210u;
	tnRegionId region, otherRegion;
	DO(tnWorld_CreateRegion(world, &regionDef, &region));
	DO(tnWorld_CreateRegion(world, &regionDef, &otherRegion));
	DO(tnWorld_DestroyRegion(world, otherRegion));
	tnGaugeId gauge, otherGauge;
	DO(tnWorld_CreateGauge(world, place, &gauge));
	DO(tnWorld_CreateGauge(world, place, &otherGauge));
	DO(tnWorld_ResetGauge(world, gauge));
	DO(tnWorld_DestroyGauge(world, otherGauge));
	tnInterestDef interestDef = tnDefaultInterestDef();
	interestDef.position = place;
	tnInterestId interest, otherInterest;
	DO(tnWorld_CreateInterest(world, &interestDef, &interest));
	DO(tnWorld_CreateInterest(world, &interestDef, &otherInterest));
	interestDef.reach = 20.0f;
	DO(tnWorld_SetInterest(world, interest, &interestDef));
	DO(tnWorld_DestroyInterest(world, otherInterest));
	tnJetDef jetDef = tnDefaultJetDef();
	jetDef.position = (tnVec3){10.0f, 4.0f, 10.0f};
	jetDef.velocity = (tnVec3){5.0f, 3.0f, 0.0f};
	jetDef.rate = 0.2f;
	tnJetId jet, otherJet;
	DO(tnWorld_CreateJet(world, &jetDef, &jet));
	DO(tnWorld_CreateJet(world, &jetDef, &otherJet));
	jetDef.rate = 0.3f;
	DO(tnWorld_SetJet(world, jet, &jetDef));
	DO(tnWorld_DestroyJet(world, otherJet));
	return 0;
}

static int CallsOfWater(tnWorld* world)
{
	static float map[side * side], other[side * side];
	for (int i = 0; i < side * side; ++i)
	{
		map[i] = 0.01f * (float)(i % side);
		other[i] = 1.0f + 0.02f * (float)(i / side);
	}
	const tnVec2 place = {40.0f, 20.0f};
	DO(tnWorld_SetTerrain(world, map));
	DO(tnWorld_SetDepths(world, other));
	DO(tnWorld_FillToLevel(world, 1.5f));
	DO(tnWorld_SetMethod(world, tn_shallowMethod, tn_conservativeAdvection));
	DO(tnWorld_SetVelocities(world, map, other));
	DO(tnWorld_SetVorticityConfinement(world, 0.1f));
	tnBrush brush = tnDefaultBrush();
	brush.center = place;
	brush.radius = 4.0f;
	DO(tnWorld_EditTerrain(world, &brush));
	DO(tnWorld_AddWater(world, place, 3.0f, 10.0f, NULL));
	DO(tnWorld_AddImpulse(world, place, 3.0f, (tnVec2){1000.0f, 500.0f}));
	DO(tnWorld_SetTracer(world, 1, map));
	DO(tnWorld_AddTracer(world, 0, place, 5.0f, 0.5f));
	DO(tnWorld_AddFoam(world, place, 5.0f, 0.5f));
	DO(tnWorld_SetAcceleration(world, (tnVec2){0.1f, -0.2f}));
	tnEdgeDef edge = tnWorld_GetDef(world).edges[tn_west];
	edge.kind = tn_levelEdge;
	edge.level = 1.5f;
	DO(tnWorld_SetEdge(world, tn_west, &edge));
	const tnCurvePoint curve[3] = {{0.0f, 1.4f}, {1.0f, 1.6f}, {2.0f, 1.5f}};
	DO(tnWorld_SetEdgeCurve(world, tn_west, curve, 3));
	DO(tnWorld_SetRain(world, 1.0e-4f, map));
	DO(tnWorld_SetEvaporation(world, 1.0e-5f, NULL));
	DO(tnWorld_SetInfiltration(world, 1.0e-5f, map));
	DO(tnWorld_Step(world, 1.0f / 60.0f));
	const tnWaveEllipse before = {place, {1.0f, 0.0f}, {2.0f, 1.0f}, 0.2f};
	tnWaveEllipse after = before;
	after.center.x += 1.0f;
	DO(tnWorld_AddWave(world, NULL, &before));
	DO(tnWorld_AddWave(world, &before, &after));
	DO(tnWorld_AddWave(world, &after, NULL));
	const tnWaveDrop drops[2] = {{place, 0.1f}, {{10.0f, 12.0f}, 0.05f}};
	DO(tnWorld_AddDrops(world, drops, 2));
	const tnSwell swell = {{1.0f, 0.3f}, 0.05f, 2.0f, 0.0f};
	DO(tnWorld_SetSwell(world, &swell, 1));
	tnSpectrumDef sea = tnDefaultSpectrumDef();
	sea.significantHeight = 0.1f;
	sea.peakPeriod = 2.0f;
	DO(tnWorld_SetSpectrum(world, &sea));
	DO(tnWorld_SetWind(world, (tnVec2){4.0f, 2.0f}));
	DO(tnWorld_SetWaveDamping(world, 0.05f));
	DO(tnWorld_AddWaveField(world, 10, 12, 8, 8, map, NULL));
	DO(tnWorld_AddWaveField(world, 10, 12, 8, 8, NULL, other));
	return 0;
}

// A boat of five boxes, with water in it, a leak and a pump.
static int CallsOfHollows(tnWorld* world)
{
	static const tnVec3 halves[5] = {
		{2, 0.05f, 1}, {0.05f, 0.5f, 1}, {0.05f, 0.5f, 1}, {2, 0.5f, 0.05f}, {2, 0.5f, 0.05f}};
	static const tnVec3 places[5] = {{0, -0.45f, 0}, {-1.95f, 0, 0}, {1.95f, 0, 0}, {0, 0, -0.95f}, {0, 0, 0.95f}};
	tnShapeDef shapes[5];
	for (int i = 0; i < 5; ++i)
	{
		shapes[i] = tnDefaultShapeDef();
		shapes[i].halfExtents = halves[i];
		shapes[i].pose.position = places[i];
	}
	tnBodyDef def = tnDefaultBodyDef();
	def.shapes = shapes;
	def.shapeCount = 5;
	def.mass = 2500.0f;
	def.pose.position = (tnVec3){50.0f, 1.7f, 50.0f};
	tnBodyId boat;
	DO(tnWorld_CreateBody(world, &def, &boat));
	ENSURE_EQUAL_INT(tnWorld_GetHollowCount(world, boat), 1);
	DO(tnWorld_SetHollowWater(world, boat, 0, 0.5));
	tnLeakDef leak = tnDefaultLeakDef();
	leak.position = (tnVec3){1.0f, -0.4f, 0.0f};
	DO(tnWorld_SetLeak(world, boat, 0, &leak));
	DO(tnWorld_SetLeak(world, boat, 1, &leak));
	DO(tnWorld_SetLeak(world, boat, 1, NULL));
	const tnPumpDef pump = tnDefaultPumpDef();
	DO(tnWorld_SetPump(world, boat, 0, &pump));
	DO(tnWorld_Step(world, 1.0f / 60.0f));
	shapes[0].halfExtents.y = 0.06f;
	DO(tnWorld_SetBodyShapes(world, boat, shapes, 5));
	return 0;
}

static int CallsOfTuning(tnWorld* world)
{
	DO(tnWorld_SetGravity(world, 3.7f));
	DO(tnWorld_SetFriction(world, 0.2f));
	DO(tnWorld_SetManning(world, 0.03f));
	static float rough[side * side];
	for (int i = 0; i < side * side; ++i)
	{
		rough[i] = 0.1f * (float)(i % 30);
	}
	DO(tnWorld_SetManningMap(world, rough));
	DO(tnWorld_Step(world, 1.0f / 60.0f));
	DO(tnWorld_SetManningMap(world, NULL));
	DO(tnWorld_SetManningMap(world, rough));
	DO(tnWorld_SetFroudeLimit(world, 0.8f));
	DO(tnWorld_SetSection(world, tn_meanSection, 2.0f));
	DO(tnWorld_SetMaxSubSteps(world, 5));
	DO(tnWorld_SetSleep(world, true, 0.002f, 0.7f));
	DO(tnWorld_SetFoam(world, 3.0f, 0.5f));
	tnSprayDef spray = tnWorld_GetDef(world).spray;
	spray.drag *= 0.5f;
	spray.wind.x += 1.0f;
	DO(tnWorld_SetSpray(world, &spray));
	const tnWavesDef waves = tnWorld_GetDef(world).waves;
	DO(tnWorld_SetWaves(world, 2.0f * waves.viscosity, 0.9f * waves.breakingLimit, waves.restHeight));
	return 0;
}

static int RecordEveryCall(Tape* tape, uint64_t* hash)
{
	tnWorld* world = MakeLayeredWorld();
	ENSURE(world != NULL);
	ENSURE_OK(tnWorld_StartRecording(world, Append, tape));
	ENSURE(CallsOfWater(world) == 0);
	ENSURE(CallsOfThings(world) == 0);
	ENSURE(CallsOfBodies(world) == 0);
	ENSURE(CallsOfHollows(world) == 0);
	ENSURE(CallsOfTuning(world) == 0);
	// Refused, and so not recorded.
	const size_t size = tape->size;
	ENSURE(tnWorld_SetRain(world, -1.0f, NULL).status == tn_invalidArgument);
	ENSURE(tnWorld_Step(world, -1.0f).status == tn_invalidArgument);
	ENSURE(tape->size == size);
	for (int i = 0; i < 20; ++i)
	{
		ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
	}
	*hash = tnWorld_GetHash(world);
	// Destroying it ends the recording.
	tnDestroyWorld(world);
	return 0;
}

static int EveryCallIsRecorded(void)
{
	Tape tape = {0};
	uint64_t expected = 0, hash = 0;
	ENSURE(RecordEveryCall(&tape, &expected) == 0);
	bool seen[lastKind + 1] = {false};
	size_t at = headerBytes;
	while (at < tape.size)
	{
		ENSURE(GetWord(&tape, at) <= lastKind);
		seen[GetWord(&tape, at)] = true;
		at += recordBytes + 4 * (size_t)GetWord(&tape, at + 4);
	}
	ENSURE(at == tape.size);
	for (int i = 1; i <= lastKind; ++i)
	{
		if (!seen[i])
		{
			printf("no call of kind %d was recorded\n", i);
		}
		ENSURE(seen[i]);
	}
	for (int workers = 1; workers <= 2; ++workers)
	{
		tnReplayState state;
		ENSURE(PlayAll(&tape, workers, &state, &hash) == 0);
		ENSURE(!state.parted);
		ENSURE_EQUAL_INT(state.stepCount, 24);
		ENSURE_EQUAL_HEX(hash, expected);
	}
	free(tape.bytes);
	return 0;
}

// Some water more than was recorded, in the second tile of the second row: the step and the tile are named.
static int PartingIsFound(void)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = 150;
	def.rowCount = 140;
	def.tasks.workerCount = 1;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_OK(tnWorld_FillToLevel(world, 1.0f));
	Tape tape = {0};
	ENSURE_OK(tnWorld_StartRecording(world, Append, &tape));
	for (int i = 0; i < 6; ++i)
	{
		if (i == 3)
		{
			ENSURE_OK(tnWorld_AddWater(world, (tnVec2){96.0f, 97.0f}, 4.0f, 5.0f, NULL));
		}
		ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
	}
	tnDestroyWorld(world);
	size_t at = headerBytes;
	while (GetWord(&tape, at) != addWaterKind)
	{
		at += recordBytes + 4 * (size_t)GetWord(&tape, at + 4);
	}
	// The volume is its last word: a bit of its mantissa.
	tape.bytes[at + recordBytes + 4 * 3 + 2] ^= 1;
	tnReplayState state;
	uint64_t hash = 0;
	ENSURE(PlayAll(&tape, 1, &state, &hash) == 0);
	ENSURE(state.parted);
	ENSURE_EQUAL_INT(state.partedStep, 4);
	ENSURE_EQUAL_INT(state.tileColumn, 1);
	ENSURE_EQUAL_INT(state.tileRow, 1);
	ENSURE_EQUAL_INT(state.stepCount, 6);
	free(tape.bytes);
	return 0;
}

// A world that goes back in the middle of its recording: so does the one that is played.
static int GoingBackIsRecorded(void)
{
	BusyWorld busy;
	ENSURE(MakeBusyWorld(&busy, 5, 1, false));
	size_t size = 0;
	(void)tnWorld_Save(busy.world, NULL, 0, &size);
	uint8_t* bytes = malloc(2 * size);
	ENSURE_OK(tnWorld_Save(busy.world, bytes, 2 * size, &size));
	Tape tape = {0};
	ENSURE_OK(tnWorld_StartRecording(busy.world, Append, &tape));
	for (int i = 0; i < 5; ++i)
	{
		ENSURE_OK(tnWorld_Step(busy.world, 1.0f / 60.0f));
	}
	ENSURE_OK(tnWorld_Restore(busy.world, bytes, size));
	for (int i = 0; i < 3; ++i)
	{
		ENSURE_OK(tnWorld_Step(busy.world, 1.0f / 50.0f));
	}
	const uint64_t expected = tnWorld_GetHash(busy.world);
	tnDestroyWorld(busy.world);
	tnReplayState state;
	uint64_t hash = 0;
	ENSURE(PlayAll(&tape, 2, &state, &hash) == 0);
	ENSURE(!state.parted);
	ENSURE_EQUAL_INT(state.stepCount, 8);
	ENSURE_EQUAL_HEX(hash, expected);
	free(tape.bytes);
	free(bytes);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Bytes that are none of ours

// Play until the end or a refusal. Whatever the bytes are, nothing else happens.
static int PlayAnything(const uint8_t* bytes, size_t size, int* refused)
{
	tnReplay* replay = NULL;
	tnResult result = tnCreateReplay(bytes, size, NULL, &replay);
	ENSURE((result.status == tn_ok) == (replay != NULL));
	tnReplayState state = {0};
	while (result.status == tn_ok && !state.atEnd)
	{
		result = tnReplay_Step(replay, &state);
	}
	ENSURE(result.status == tn_ok || result.text[0] != 0);
	*refused += result.status != tn_ok;
	if (replay != NULL)
	{
		ENSURE_OK(tnReplay_Step(replay, &state));
		ENSURE(state.atEnd);
	}
	tnDestroyReplay(replay);
	return 0;
}

static int DamagedBytesAreRefused(void)
{
	Tape tape = {0};
	uint64_t hash = 0;
	ENSURE(RecordEveryCall(&tape, &hash) == 0);
	TestRandom random = TestMakeRandom(7);
	int refused = 0;
	uint8_t* copy = malloc(tape.size);
	for (int i = 0; i < TEST_REPEATS(40); ++i)
	{
		// Cut off somewhere, in memory of just that size.
		const size_t size = (size_t)TestRandomInt(&random, 0, (int)tape.size - 1);
		uint8_t* part = malloc(size > 0 ? size : 1);
		memcpy(part, tape.bytes, size);
		ENSURE(PlayAnything(part, size, &refused) == 0);
		free(part);
		// Some bytes changed, mostly behind the snapshot.
		memcpy(copy, tape.bytes, tape.size);
		const int low = i % 4 == 0 ? 0 : (int)(headerBytes + recordBytes + 4 * GetWord(&tape, headerBytes + 4));
		for (int k = 0; k < 1 + i % 5; ++k)
		{
			copy[TestRandomInt(&random, low, (int)tape.size - 1)] = (uint8_t)TestRandomInt(&random, 0, 255);
		}
		ENSURE(PlayAnything(copy, tape.size, &refused) == 0);
	}
	// What is cut off between two records is a shorter recording; and changed heights are other heights.
	ENSURE(refused > TEST_REPEATS(40));
	free(copy);
	free(tape.bytes);
	return 0;
}

static int BadInput(void)
{
	tnWorld* world = MakeLayeredWorld();
	Tape tape = {0};
	ENSURE_REFUSED(tnWorld_StartRecording(NULL, Append, &tape), tn_invalidArgument, "world");
	ENSURE_REFUSED(tnWorld_StartRecording(world, NULL, &tape), tn_invalidArgument, "write");
	ENSURE_REFUSED(tnWorld_StopRecording(world), tn_invalidArgument, "not being recorded");
	ENSURE(!tnWorld_IsRecording(NULL));
	ENSURE(tape.size == 0);
	ENSURE_OK(tnWorld_StartRecording(world, Append, &tape));
	ENSURE_REFUSED(tnWorld_StartRecording(world, Append, &tape), tn_invalidArgument, "already");
	tnReplay* replay = NULL;
	ENSURE_REFUSED(tnCreateReplay(NULL, 5, NULL, &replay), tn_invalidArgument, "bytes");
	ENSURE_REFUSED(tnCreateReplay("nothing", 7, NULL, &replay), tn_invalidArgument, "not a recording");
	ENSURE_REFUSED(tnCreateReplay(tape.bytes, tape.size, NULL, NULL), tn_invalidArgument, "replay");
	tape.bytes[8] = 2;
	ENSURE_REFUSED(tnCreateReplay(tape.bytes, tape.size, NULL, &replay), tn_invalidArgument, "version 2");
	ENSURE_REFUSED(tnReplay_Step(NULL, NULL), tn_invalidArgument, "replay");
	ENSURE(tnReplay_GetWorld(NULL) == NULL);
	tnDestroyReplay(NULL);
	tnDestroyWorld(world);
	free(tape.bytes);
	return 0;
}

// Without memory nothing is recorded, and nothing is lost.
static int MemoryRunsOut(void)
{
	for (int fail = 1; fail <= 3; ++fail)
	{
		TestAllocator allocator = {0};
		tnWorldDef def = tnDefaultWorldDef();
		def.columnCount = 20;
		def.rowCount = 20;
		def.allocator = TestGetAllocator(&allocator);
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		const uint64_t hash = tnWorld_GetHash(world);
		Tape tape = {0};
		allocator.failIn = fail;
		allocator.failAfterwards = true;
		const tnResult result = tnWorld_StartRecording(world, Append, &tape);
		allocator.failIn = 0;
		allocator.failAfterwards = false;
		ENSURE_EQUAL_INT(result.status, tn_outOfMemory);
		ENSURE(!tnWorld_IsRecording(world));
		ENSURE_EQUAL_HEX(tnWorld_GetHash(world), hash);
		ENSURE(tape.size == 0 || fail == 3);
		tnDestroyWorld(world);
		ENSURE_EQUAL_INT(allocator.allocationCount, allocator.freeCount);
		free(tape.bytes);
	}
	return 0;
}

static const Test s_tests[] = {
	{"RandomWorldsAreTheSameAgain", RandomWorldsAreTheSameAgain},
	{"EveryCallIsRecorded", EveryCallIsRecorded},
	{"PartingIsFound", PartingIsFound},
	{"GoingBackIsRecorded", GoingBackIsRecorded},
	{"DamagedBytesAreRefused", DamagedBytesAreRefused},
	{"BadInput", BadInput},
	{"MemoryRunsOut", MemoryRunsOut},
};

const TestSuite recordingSuite = TEST_SUITE("recording", s_tests);
