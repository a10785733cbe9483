// SPDX-License-Identifier: MIT

// Worlds as bytes: a world that was saved goes on with the same bits, wherever it is restored, and bytes that are not what was
// saved are refused.

#include "busy_world.h"
#include "core/archive.h"
#include "snapshot_kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Everything that a host can see of two worlds at once: their hashes, and their bodies.
static bool AreSame(const BusyWorld* a, const BusyWorld* b)
{
	if (tnWorld_GetHash(a->world) != tnWorld_GetHash(b->world))
	{
		return false;
	}
	for (int i = 0; i < a->bodyCount; ++i)
	{
		tnWrench first, second;
		if (tnWorld_GetBodyWrench(a->world, a->bodies[i], &first).status != tn_ok ||
			tnWorld_GetBodyWrench(b->world, b->bodies[i], &second).status != tn_ok ||
			memcmp(&first, &second, sizeof(first)) != 0)
		{
			return false;
		}
	}
	return true;
}

// A world that goes on, beside one that was made of its bytes at some step.
static int GoOn(uint64_t seed, int stepCount)
{
	BusyWorld busy;
	ENSURE(MakeBusyWorld(&busy, seed, 1, false));
	TestRandom random = TestMakeRandom(seed ^ 0x5bd1e995u);
	const int before = TestRandomInt(&random, 0, 60);
	for (int i = 0; i < before; ++i)
	{
		ENSURE(StepBusyWorld(&busy).status == tn_ok);
	}
	Bytes bytes;
	ENSURE(SaveWorld(busy.world, &bytes));
	tnWorldDef hooks = tnDefaultWorldDef();
	hooks.tasks.workerCount = TestRandomInt(&random, 1, 3);
	hooks.simd = IsBusyChance(&random, 2) ? tn_simdScalar : tn_simdAuto;
	BusyWorld other = busy;
	const tnResult result = tnCreateWorldFrom(bytes.data, bytes.size, &hooks, &other.world);
	ENSURE_OK(result);
	ENSURE(AreSame(&busy, &other));
	// What was restored is saved as the same bytes.
	Bytes again;
	ENSURE(SaveWorld(other.world, &again));
	ENSURE(again.size == bytes.size && memcmp(again.data, bytes.data, bytes.size) == 0);
	FreeBytes(&again);
	for (int i = 0; i < stepCount; ++i)
	{
		ENSURE(StepBusyWorld(&busy).status == tn_ok);
		ENSURE(StepBusyWorld(&other).status == tn_ok);
		if (!AreSame(&busy, &other))
		{
			printf("seed %llu parts %d steps after %d\n", (unsigned long long)seed, i + 1, before);
			return 1;
		}
	}
	FreeBytes(&bytes);
	tnDestroyWorld(busy.world);
	tnDestroyWorld(other.world);
	return 0;
}

static int GoesOnInNewWorlds(void)
{
	for (uint64_t seed = 1; seed <= (uint64_t)TEST_REPEATS(48); ++seed)
	{
		if (GoOn(seed, 40) != 0)
		{
			return 1;
		}
	}
	return 0;
}

static int GoesOnForLong(void)
{
	for (uint64_t seed = 1001; seed <= 1000 + (uint64_t)TEST_REPEATS(6); ++seed)
	{
		if (GoOn(seed, 300) != 0)
		{
			return 1;
		}
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// In place

// Back to where a world was, and the same again: random steps forth and back, against one that only goes forth.
static int RollsBack(void)
{
	for (uint64_t seed = 1; seed <= (uint64_t)TEST_REPEATS(40); ++seed)
	{
		BusyWorld busy, reference;
		ENSURE(MakeBusyWorld(&busy, seed, 1, false));
		ENSURE(MakeBusyWorld(&reference, seed, 1, false));
		TestRandom random = TestMakeRandom(seed * 77);
		for (int round = 0; round < 6; ++round)
		{
			Bytes bytes;
			ENSURE(SaveWorld(busy.world, &bytes));
			const BusyWorld saved = busy;
			const int forth = TestRandomInt(&random, 1, 8);
			for (int attempt = TestRandomInt(&random, 1, 3); attempt > 0; --attempt)
			{
				for (int i = 0; i < forth; ++i)
				{
					ENSURE(StepBusyWorld(&busy).status == tn_ok);
				}
				if (attempt > 1)
				{
					// Something that never happened: ids, maps and curves that have to go again.
					tnSourceId source;
					tnGaugeId gauge;
					const tnSourceDef def = {.radius = 1.0f,
						.rate = 0.5f,
						.center = DrawBusyPlace(&busy),
						.stamp = tnDefaultSourceDef().stamp};
					ENSURE_OK(tnWorld_CreateSource(busy.world, &def, &source));
					ENSURE_OK(tnWorld_CreateGauge(busy.world, def.center, &gauge));
					if (busy.bodyCount > 0)
					{
						ENSURE_OK(tnWorld_DestroyBody(busy.world, busy.bodies[0]));
					}
					ENSURE_OK(tnWorld_Step(busy.world, 1.0f / 60.0f));
					const tnWorld* world = busy.world;
					ENSURE_OK(tnWorld_Restore(busy.world, bytes.data, bytes.size));
					busy = saved;
					ENSURE(busy.world == world && !tnSource_IsValid(world, source) && !tnGauge_IsValid(world, gauge));
				}
			}
			for (int i = 0; i < forth; ++i)
			{
				ENSURE(StepBusyWorld(&reference).status == tn_ok);
			}
			FreeBytes(&bytes);
			if (!AreSame(&busy, &reference))
			{
				printf("seed %llu parts in round %d\n", (unsigned long long)seed, round);
				return 1;
			}
		}
		tnDestroyWorld(busy.world);
		tnDestroyWorld(reference.world);
	}
	return 0;
}

// Ids of the save are valid again and name the same, ids made since are stale, and nobody ever gets them again.
static int KeepsIds(void)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = 21, def.rowCount = 17;
	tnWorld* world;
	ENSURE_OK(tnCreateWorld(&def, &world));
	tnSourceDef source = tnDefaultSourceDef();
	source.center = (tnVec2){5.0f, 5.0f};
	tnSourceId ids[3];
	for (int i = 0; i < 3; ++i)
	{
		source.rate = (float)i;
		ENSURE_OK(tnWorld_CreateSource(world, &source, ids + i));
	}
	ENSURE_OK(tnWorld_DestroySource(world, ids[1]));
	Bytes bytes;
	ENSURE(SaveWorld(world, &bytes));
	tnSourceId later[4];
	for (int round = 0; round < 3; ++round)
	{
		ENSURE_OK(tnWorld_DestroySource(world, ids[2]));
		for (int i = 0; i < 4; ++i)
		{
			source.rate = 100.0f;
			ENSURE_OK(tnWorld_CreateSource(world, &source, later + i));
		}
		ENSURE_OK(tnWorld_Restore(world, bytes.data, bytes.size));
		tnSourceDef found;
		ENSURE(tnSource_IsValid(world, ids[0]) && !tnSource_IsValid(world, ids[1]));
		ENSURE_OK(tnWorld_GetSource(world, ids[2], &found, NULL));
		ENSURE_CLOSE(found.rate, 2.0f, 0.0f);
		for (int i = 0; i < 4; ++i)
		{
			ENSURE(!tnSource_IsValid(world, later[i]));
		}
		// Whatever is made now is somebody else.
		ENSURE_OK(tnWorld_DestroySource(world, ids[2]));
		for (int i = 0; i < 8; ++i)
		{
			tnSourceId id;
			ENSURE_OK(tnWorld_CreateSource(world, &source, &id));
			for (int k = 0; k < 4; ++k)
			{
				ENSURE(!tnSource_IsValid(world, later[k]));
				ENSURE(id.index1 != later[k].index1 || id.generation != later[k].generation);
			}
			ENSURE(!tnSource_IsValid(world, ids[1]) && !tnSource_IsValid(world, ids[2]));
		}
		ENSURE_OK(tnWorld_Restore(world, bytes.data, bytes.size));
	}
	FreeBytes(&bytes);
	tnDestroyWorld(world);
	return 0;
}

// The same of everything that has an id, by snapshots and by images: what was made since is stale, and never another's.
typedef struct AnyId
{
	int32_t index1;
	uint32_t generation;
} AnyId;

enum
{
	sourceKind,
	regionKind,
	gaugeKind,
	interestKind,
	jetKind,
	bodyKind,
	idKindCount,
};

static bool MakeThing(tnWorld* world, int kind, AnyId* id)
{
	const tnVec2 place = {5.0f, 5.0f};
	tnResult result = {.status = tn_ok};
	switch (kind)
	{
		case sourceKind:
		{
			tnSourceDef def = tnDefaultSourceDef();
			def.center = place;
			tnSourceId made;
			result = tnWorld_CreateSource(world, &def, &made);
			*id = (AnyId){made.index1, made.generation};
			break;
		}
		case regionKind:
		{
			tnRegionDef def = tnDefaultRegionDef();
			def.center = place;
			tnRegionId made;
			result = tnWorld_CreateRegion(world, &def, &made);
			*id = (AnyId){made.index1, made.generation};
			break;
		}
		case gaugeKind:
		{
			tnGaugeId made;
			result = tnWorld_CreateGauge(world, place, &made);
			*id = (AnyId){made.index1, made.generation};
			break;
		}
		case interestKind:
		{
			const tnInterestDef def = tnDefaultInterestDef();
			tnInterestId made;
			result = tnWorld_CreateInterest(world, &def, &made);
			*id = (AnyId){made.index1, made.generation};
			break;
		}
		case jetKind:
		{
			tnJetDef def = tnDefaultJetDef();
			def.position = (tnVec3){5.0f, 3.0f, 5.0f};
			tnJetId made;
			result = tnWorld_CreateJet(world, &def, &made);
			*id = (AnyId){made.index1, made.generation};
			break;
		}
		default:
		{
			const tnShapeDef shape = tnDefaultShapeDef();
			tnBodyDef def = tnDefaultBodyDef();
			def.shapes = &shape;
			def.shapeCount = 1;
			def.pose.position = (tnVec3){6.0f, 1.0f, 6.0f};
			tnBodyId made;
			result = tnWorld_CreateBody(world, &def, &made);
			*id = (AnyId){made.index1, made.generation};
			break;
		}
	}
	return result.status == tn_ok;
}

// Destroying it tells if it was there.
static bool EndThing(tnWorld* world, int kind, AnyId id)
{
	switch (kind)
	{
		case sourceKind:
			return tnWorld_DestroySource(world, (tnSourceId){id.index1, id.generation}).status == tn_ok;
		case regionKind:
			return tnWorld_DestroyRegion(world, (tnRegionId){id.index1, id.generation}).status == tn_ok;
		case gaugeKind:
			return tnWorld_DestroyGauge(world, (tnGaugeId){id.index1, id.generation}).status == tn_ok;
		case interestKind:
			return tnWorld_DestroyInterest(world, (tnInterestId){id.index1, id.generation}).status == tn_ok;
		case jetKind:
			return tnWorld_DestroyJet(world, (tnJetId){id.index1, id.generation}).status == tn_ok;
		default:
			return tnWorld_DestroyBody(world, (tnBodyId){id.index1, id.generation}).status == tn_ok;
	}
}

static int KeepIdsOfKind(tnWorld* world, int kind, int way)
{
	AnyId kept[2], later[30];
	int laterCount = 0;
	ENSURE(MakeThing(world, kind, kept) && MakeThing(world, kind, kept + 1));
	Bytes bytes;
	ENSURE(SaveWorld(world, &bytes));
	tnRollback* rollback = NULL;
	const tnRollbackDef def = tnDefaultRollbackDef();
	ENSURE_OK(tnCreateRollback(world, &def, &rollback));
	ENSURE_OK(tnRollback_Push(rollback));
	for (int round = 0; round < 3; ++round)
	{
		// Its place is free for others.
		ENSURE(round == 0 || EndThing(world, kind, kept[round % 2]));
		for (int i = 0; i < 5; ++i)
		{
			AnyId id;
			ENSURE(MakeThing(world, kind, &id));
			for (int k = 0; k < laterCount; ++k)
			{
				ENSURE(id.index1 != later[k].index1 || id.generation != later[k].generation);
			}
			later[laterCount++] = id;
		}
		ENSURE(EndThing(world, kind, later[laterCount - 1]));
		ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		ENSURE_OK(way == 0 ? tnWorld_Restore(world, bytes.data, bytes.size) : tnRollback_Restore(rollback, 0));
		for (int k = 0; k < laterCount; ++k)
		{
			ENSURE(!EndThing(world, kind, later[k]));
		}
	}
	// Those of the save are there, and go once.
	for (int i = 0; i < 2; ++i)
	{
		ENSURE(EndThing(world, kind, kept[i]) && !EndThing(world, kind, kept[i]));
	}
	tnDestroyRollback(rollback);
	FreeBytes(&bytes);
	return 0;
}

static int KeepsIdsOfAllKinds(void)
{
	for (int way = 0; way < 2; ++way)
	{
		tnWorldDef def = tnDefaultWorldDef();
		def.columnCount = 21, def.rowCount = 17;
		def.waves.enable = def.spray.enable = true;
		def.waves.finerLevels = 0;
		def.waves.levelCount = 1;
		def.waves.tileCount = 2;
		tnWorld* world;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_FillToLevel(world, 1.0f));
		for (int kind = 0; kind < idKindCount; ++kind)
		{
			if (KeepIdsOfKind(world, kind, way) != 0)
			{
				printf("kind %d, way %d\n", kind, way);
				return 1;
			}
		}
		tnDestroyWorld(world);
	}
	return 0;
}

// Saving, and restoring what a world has been a moment ago, takes no memory.
static int AllocatesNothing(void)
{
	for (uint64_t seed = 1; seed <= (uint64_t)TEST_REPEATS(24); ++seed)
	{
		CountedMemory memory = {0};
		const tnAllocator allocator = {CountedAlloc, CountedFree, &memory};
		BusyWorld busy;
		ENSURE(MakeBusyWorldWith(&busy, seed, 1, false, allocator));
		for (int i = 0; i < 10; ++i)
		{
			ENSURE(StepBusyWorld(&busy).status == tn_ok);
		}
		Bytes bytes;
		const int64_t before = memory.count;
		ENSURE(SaveWorld(busy.world, &bytes));
		for (int i = 0; i < 8; ++i)
		{
			for (int k = 0; k < busy.bodyCount; ++k)
			{
				ENSURE(MoveBusyBody(&busy, k).status == tn_ok);
			}
			ENSURE_OK(tnWorld_Step(busy.world, 1.0f / 60.0f));
		}
		ENSURE_OK(tnWorld_Restore(busy.world, bytes.data, bytes.size));
		ENSURE_EQUAL_INT(memory.count, before);
		FreeBytes(&bytes);
		tnDestroyWorld(busy.world);
	}
	return 0;
}

// Whichever allocation fails: the world stays as it was.
static int RunsOutOfMemory(void)
{
	for (uint64_t seed = 3; seed <= 3 + (uint64_t)TEST_REPEATS(6); ++seed)
	{
		BusyWorld busy;
		ENSURE(MakeBusyWorld(&busy, seed, 1, false));
		tnSourceId source;
		tnSourceDef def = tnDefaultSourceDef();
		def.center = DrawBusyPlace(&busy);
		ENSURE_OK(tnWorld_CreateSource(busy.world, &def, &source));
		for (int i = 0; i < 5; ++i)
		{
			ENSURE(StepBusyWorld(&busy).status == tn_ok);
		}
		Bytes bytes;
		ENSURE(SaveWorld(busy.world, &bytes));
		CountedMemory memory = {0};
		tnWorldDef hooks = tnDefaultWorldDef();
		hooks.allocator = (tnAllocator){CountedAlloc, CountedFree, &memory};
		tnResult result = {.status = tn_outOfMemory};
		for (int64_t fail = 1; result.status != tn_ok; ++fail)
		{
			memory = (CountedMemory){.failAt = fail};
			tnWorld* made;
			result = tnCreateWorldFrom(bytes.data, bytes.size, &hooks, &made);
			ENSURE((result.status == tn_ok) == (made != NULL));
			ENSURE(result.status == tn_ok || result.status == tn_outOfMemory);
			if (made == NULL)
			{
				continue;
			}
			ENSURE_EQUAL_HEX(tnWorld_GetHash(made), tnWorld_GetHash(busy.world));
			tnDestroyWorld(made);
		}
		// In place: a world that has none of the things.
		tnWorldDef empty = tnWorld_GetDef(busy.world);
		empty.allocator = hooks.allocator;
		result.status = tn_outOfMemory;
		for (int64_t fail = 1; result.status != tn_ok; ++fail)
		{
			memory = (CountedMemory){0};
			tnWorld* made;
			ENSURE_OK(tnCreateWorld(&empty, &made));
			ENSURE_OK(tnWorld_FillToLevel(made, 1.0f));
			const uint64_t hash = tnWorld_GetHash(made);
			memory.failAt = memory.count + fail;
			result = tnWorld_Restore(made, bytes.data, bytes.size);
			ENSURE(result.status == tn_ok || result.status == tn_outOfMemory);
			ENSURE_EQUAL_HEX(tnWorld_GetHash(made), result.status == tn_ok ? tnWorld_GetHash(busy.world) : hash);
			memory.failAt = 0;
			ENSURE_OK(tnWorld_Step(made, 1.0f / 60.0f));
			tnDestroyWorld(made);
		}
		FreeBytes(&bytes);
		tnDestroyWorld(busy.world);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Bytes that are not what was saved

// A world whose snapshot is small, with a body, a source, rain and a curve.
static tnWorld* MakeSmallWorld(void)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = 9, def.rowCount = 7;
	def.tracerCount = 1;
	def.method = tn_shallowMethod;
	def.edges[tn_west].kind = tn_levelEdge;
	tnWorld* world = NULL;
	if (tnCreateWorld(&def, &world).status != tn_ok)
	{
		return NULL;
	}
	const tnCurvePoint points[2] = {{0.0f, 0.5f}, {10.0f, 1.0f}};
	tnShapeDef shape = tnDefaultShapeDef();
	tnBodyDef body = tnDefaultBodyDef();
	body.shapes = &shape;
	body.shapeCount = 1;
	body.pose.position = (tnVec3){4.0f, 0.6f, 3.0f};
	tnBodyId bodyId;
	tnSourceId sourceId;
	tnSourceDef source = tnDefaultSourceDef();
	source.center = (tnVec2){6.0f, 3.0f};
	bool ok = tnWorld_FillToLevel(world, 0.6f).status == tn_ok;
	ok = ok && tnWorld_SetEdgeCurve(world, tn_west, points, 2).status == tn_ok;
	ok = ok && tnWorld_CreateBody(world, &body, &bodyId).status == tn_ok;
	ok = ok && tnWorld_CreateSource(world, &source, &sourceId).status == tn_ok;
	ok = ok && tnWorld_SetRain(world, 1.0e-5f, NULL).status == tn_ok;
	for (int i = 0; i < 20 && ok; ++i)
	{
		ok = tnWorld_Step(world, 1.0f / 60.0f).status == tn_ok;
	}
	return ok ? world : NULL;
}

static int RefusesCutBytes(void)
{
	tnWorld* world = MakeSmallWorld();
	ENSURE(world != NULL);
	Bytes bytes;
	ENSURE(SaveWorld(world, &bytes));
	ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
	for (size_t size = 0; size < bytes.size; ++size)
	{
		uint8_t* cut = malloc(size + 1);
		memcpy(cut, bytes.data, size);
		ENSURE(IsRefused(world, cut, size));
		// With sums put right there is less to see it by.
		tnMendSnapshot(cut, size);
		ENSURE(IsRefused(world, cut, size));
		free(cut);
	}
	ENSURE_OK(tnWorld_Restore(world, bytes.data, bytes.size));
	FreeBytes(&bytes);
	tnDestroyWorld(world);
	return 0;
}

static int RefusesFlippedBytes(void)
{
	tnWorld* world = MakeSmallWorld();
	ENSURE(world != NULL);
	Bytes bytes;
	ENSURE(SaveWorld(world, &bytes));
	ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
	for (size_t at = 0; at < bytes.size; ++at)
	{
		const uint8_t bit = (uint8_t)(1u << at % 8);
		bytes.data[at] ^= bit;
		ENSURE(IsRefused(world, bytes.data, bytes.size));
		bytes.data[at] ^= bit;
	}
	FreeBytes(&bytes);
	tnDestroyWorld(world);
	return 0;
}

static int RefusesByName(void)
{
	tnWorld* world = MakeSmallWorld();
	ENSURE(world != NULL);
	Bytes bytes;
	ENSURE(SaveWorld(world, &bytes));
	size_t size;
	ENSURE_REFUSED(tnWorld_Save(world, bytes.data, bytes.size - 1, &size), tn_invalidArgument, "capacity must be");
	ENSURE(size == bytes.size);
	FreeBytes(&bytes);
	ENSURE(SaveWorld(world, &bytes));
	ENSURE_REFUSED(tnWorld_Save(world, NULL, 0, NULL), tn_invalidArgument, "size must not be NULL");
	ENSURE_REFUSED(tnWorld_Save(NULL, NULL, 0, &size), tn_invalidArgument, "world must not be NULL");
	ENSURE_REFUSED(tnWorld_Restore(world, NULL, 100), tn_invalidArgument, "bytes must not be NULL");
	ENSURE_REFUSED(tnWorld_Restore(world, bytes.data, bytes.size - 1), tn_invalidArgument, "it is cut off");
	uint8_t* changed = malloc(bytes.size);
	memcpy(changed, bytes.data, bytes.size);
	changed[0] = 'T';
	ENSURE_REFUSED(tnWorld_Restore(world, changed, bytes.size), tn_invalidArgument, "not bytes of a snapshot");
	memcpy(changed, bytes.data, bytes.size);
	changed[8] = 200;
	ENSURE_REFUSED(tnWorld_Restore(world, changed, bytes.size), tn_invalidArgument, "a newer tarn has written it");
	memcpy(changed, bytes.data, bytes.size);
	changed[bytes.size - 1] ^= 1;
	ENSURE_REFUSED(tnWorld_Restore(world, changed, bytes.size), tn_invalidArgument, "damaged");
	// A section from the future, with sums that are right.
	memcpy(changed, bytes.data, bytes.size);
	changed[TN_SNAPSHOT_HEADER + 4] = 9;
	tnMendSnapshot(changed, bytes.size);
	ENSURE_REFUSED(tnWorld_Restore(world, changed, bytes.size), tn_invalidArgument, "version of section wrld");
	memcpy(changed, bytes.data, bytes.size);
	changed[TN_SNAPSHOT_HEADER] = 'x';
	tnMendSnapshot(changed, bytes.size);
	ENSURE_REFUSED(tnWorld_Restore(world, changed, bytes.size), tn_invalidArgument, "section wrld must come");
	// Another kind of world.
	memcpy(changed, bytes.data, bytes.size);
	changed[32] = tn_voxelSnapshot;
	tnMendSnapshot(changed, bytes.size);
	ENSURE_REFUSED(tnWorld_Restore(world, changed, bytes.size), tn_invalidArgument, "kind must be 1, got 2");
	// A world of another size, or with other layers.
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = 9, def.rowCount = 8;
	def.tracerCount = 1;
	tnWorld* other;
	ENSURE_OK(tnCreateWorld(&def, &other));
	ENSURE_REFUSED(tnWorld_Restore(other, bytes.data, bytes.size), tn_invalidArgument, "rowCount must be 8 as in");
	tnDestroyWorld(other);
	def.rowCount = 7;
	def.foam.enable = true;
	ENSURE_OK(tnCreateWorld(&def, &other));
	ENSURE_REFUSED(tnWorld_Restore(other, bytes.data, bytes.size), tn_invalidArgument, "foam.enable must be 1");
	tnDestroyWorld(other);
	free(changed);
	FreeBytes(&bytes);
	tnDestroyWorld(world);
	return 0;
}

// Bytes changed at random, with sums put right: refused, or a world that can be stepped. Never anything else.
static int SurvivesChangedBytes(void)
{
	static const uint32_t s_words[] = {0x7fc00000u, 0x7f800000u, 0xffffffffu, 0x80000000u, 0x7fffffffu, 0x00000001u};
	tnWorld* world = MakeSmallWorld();
	ENSURE(world != NULL);
	Bytes bytes;
	ENSURE(SaveWorld(world, &bytes));
	uint8_t* changed = malloc(bytes.size);
	TestRandom random = TestMakeRandom(2025);
	int refusedCount = 0, count = TEST_REPEATS(6000);
	for (int i = 0; i < count; ++i)
	{
		memcpy(changed, bytes.data, bytes.size);
		for (int k = TestRandomInt(&random, 1, 3); k > 0; --k)
		{
			const size_t at = (size_t)TestRandomInt(&random, TN_SNAPSHOT_HEADER, (int)bytes.size - 5);
			memcpy(changed + at, s_words + TestRandomInt(&random, 0, 5), 4);
		}
		tnMendSnapshot(changed, bytes.size);
		const uint64_t hash = tnWorld_GetHash(world);
		const tnResult result = tnWorld_Restore(world, changed, bytes.size);
		ENSURE(result.status == tn_ok || (result.status != tn_ok && tnWorld_GetHash(world) == hash));
		refusedCount += result.status != tn_ok ? 1 : 0;
	}
	ENSURE(refusedCount > count / 4);
	free(changed);
	FreeBytes(&bytes);
	tnDestroyWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Tuning, hashes of tiles

// What was tuned is part of a snapshot, and what is tuned while a world runs is as if it had been created so.
static int KeepsTuning(void)
{
	for (int method = 0; method < tn_methodCount; ++method)
	{
		tnWorldDef def = tnDefaultWorldDef();
		def.columnCount = 33, def.rowCount = 29;
		def.method = (tnMethod)method;
		def.foam.enable = def.spray.enable = def.waves.enable = true;
		def.waves.tileCount = 16;
		tnWorldDef tuned = def;
		tuned.gravity = 3.7f, tuned.friction = 0.1f, tuned.manning = 0.05f, tuned.froudeLimit = 1.0f;
		tuned.section = tn_fixedSection, tuned.fixedSection = 1.3f;
		tuned.liveliness = 0.8f, tuned.maxSubSteps = 5, tuned.enableSleep = false, tuned.sleepSpeed = 0.01f;
		tuned.foam.lifetime = 3.0f, tuned.foam.strength = 2.0f, tuned.spray.drag = 0.05f;
		tuned.waves.viscosity = 1.0e-3f, tuned.waves.breakingLimit = 0.5f, tuned.waves.restHeight = 1.0e-5f;
		tnWorld *changed, *created, *restored;
		ENSURE_OK(tnCreateWorld(&def, &changed));
		ENSURE_OK(tnCreateWorld(&tuned, &created));
		ENSURE_OK(tnWorld_SetGravity(changed, tuned.gravity));
		ENSURE_OK(tnWorld_SetFriction(changed, tuned.friction));
		ENSURE_OK(tnWorld_SetManning(changed, tuned.manning));
		ENSURE_OK(tnWorld_SetFroudeLimit(changed, tuned.froudeLimit));
		ENSURE_OK(tnWorld_SetLiveliness(changed, tuned.liveliness));
		ENSURE_OK(tnWorld_SetSection(changed, tuned.section, tuned.fixedSection));
		ENSURE_OK(tnWorld_SetMaxSubSteps(changed, tuned.maxSubSteps));
		ENSURE_OK(tnWorld_SetSleep(changed, tuned.enableSleep, tuned.sleepSpeed, tuned.sleepTime));
		ENSURE_OK(tnWorld_SetFoam(changed, tuned.foam.lifetime, tuned.foam.strength));
		ENSURE_OK(tnWorld_SetSpray(changed, &tuned.spray));
		ENSURE_OK(tnWorld_SetWaves(changed, tuned.waves.viscosity, tuned.waves.breakingLimit, tuned.waves.restHeight));
		ENSURE_REFUSED(tnWorld_SetGravity(changed, 0.0f), tn_invalidArgument, "gravity must be");
		ENSURE_REFUSED(tnWorld_SetSection(changed, tn_fixedSection, 0.0f), tn_invalidArgument, "fixedSection must be");
		ENSURE_REFUSED(tnWorld_SetSection(changed, tn_pipeSectionCount, 1.0f), tn_invalidArgument, "section must be");
		ENSURE_REFUSED(tnWorld_SetMaxSubSteps(changed, 0), tn_invalidArgument, "maxSubSteps must be");
		ENSURE_REFUSED(tnWorld_SetWaves(changed, 0.0f, 0.0f, 0.0f), tn_invalidArgument, "breakingLimit must stay");
		ENSURE_REFUSED(tnWorld_SetWorkerCount(changed, 2), tn_invalidArgument, "count must be in [1, 1]");
		Bytes bytes;
		ENSURE(SaveWorld(changed, &bytes));
		ENSURE_OK(tnCreateWorldFrom(bytes.data, bytes.size, NULL, &restored));
		FreeBytes(&bytes);
		tnWorld* worlds[3] = {changed, created, restored};
		for (int i = 0; i < 3; ++i)
		{
			ENSURE_OK(tnWorld_FillToLevel(worlds[i], 1.0f));
			ENSURE_OK(tnWorld_AddWater(worlds[i], (tnVec2){10.0f, 10.0f}, 3.0f, 60.0f, NULL));
			for (int step = 0; step < 60; ++step)
			{
				ENSURE_OK(tnWorld_Step(worlds[i], 1.0f / 60.0f));
			}
			ENSURE_EQUAL_HEX(tnWorld_GetHash(worlds[i]), tnWorld_GetHash(changed));
			const tnWorldDef now = tnWorld_GetDef(worlds[i]);
			ENSURE(now.gravity == tuned.gravity && now.foam.strength == tuned.foam.strength && !now.enableSleep);
		}
		for (int i = 0; i < 3; ++i)
		{
			tnDestroyWorld(worlds[i]);
		}
	}
	return 0;
}

// The number of workers changes while a world runs, and no bit does.
static int ChangesWorkers(void)
{
	BusyWorld a, b;
	ENSURE(MakeBusyWorld(&a, 5, 4, false));
	ENSURE(MakeBusyWorld(&b, 5, 1, false));
	ENSURE_REFUSED(tnWorld_SetWorkerCount(a.world, 5), tn_invalidArgument, "count must be in [1, 4], got 5");
	for (int i = 0; i < 30; ++i)
	{
		ENSURE_OK(tnWorld_SetWorkerCount(a.world, 1 + i % 4));
		ENSURE(StepBusyWorld(&a).status == tn_ok && StepBusyWorld(&b).status == tn_ok);
		ENSURE(AreSame(&a, &b));
	}
	tnDestroyWorld(a.world);
	tnDestroyWorld(b.world);
	return 0;
}

static int HashesTiles(void)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = 150, def.rowCount = 70;
	tnWorld *a, *b;
	ENSURE_OK(tnCreateWorld(&def, &a));
	ENSURE_OK(tnCreateWorld(&def, &b));
	ENSURE_OK(tnWorld_AddWater(b, (tnVec2){100.0f, 10.0f}, 2.0f, 5.0f, NULL));
	for (int row = 0; row < 2; ++row)
	{
		for (int column = 0; column < 3; ++column)
		{
			const bool same = tnWorld_GetTileHash(a, column, row) == tnWorld_GetTileHash(b, column, row);
			ENSURE(same == !(column == 1 && row == 0) && tnWorld_GetTileHash(a, column, row) != 0);
		}
	}
	ENSURE_EQUAL_HEX(tnWorld_GetTileHash(a, 3, 0), 0);
	ENSURE_EQUAL_HEX(tnWorld_GetTileHash(a, 0, -1), 0);
	tnDestroyWorld(a);
	tnDestroyWorld(b);
	return 0;
}

static int TellsWhatBytesAre(void)
{
	tnWorld* world = MakeSmallWorld();
	ENSURE(world != NULL);
	Bytes bytes;
	ENSURE(SaveWorld(world, &bytes));
	tnSnapshotInfo info;
	ENSURE_OK(tnReadSnapshotInfo(bytes.data, bytes.size, &info));
	ENSURE_EQUAL_INT(info.version, 1);
	ENSURE_EQUAL_INT(info.def.columnCount, 9);
	ENSURE_EQUAL_INT(info.def.method, tn_shallowMethod);
	ENSURE_EQUAL_INT(info.stepCount, 20);
	ENSURE_CLOSE(info.time, tnWorld_GetTime(world), 0.0);
	FreeBytes(&bytes);
	tnDestroyWorld(world);
	return 0;
}

// A file that version 1 has written, of MakeSmallWorld: it is read by all later ones. How its water goes on changes with what
// golden hashes change with; that it can be read does not.
#define OLD_HASH 0x9b12effeafd380abull
#define OLD_HASH_LATER 0x3e09f7ed6f773dddull

static int ReadsVersion1(void)
{
	FILE* file = fopen(TARN_SOURCE_FOLDER "/test/reference/snapshot_1.tarn", "rb");
	ENSURE(file != NULL);
	static uint8_t data[1 << 17];
	const size_t size = fread(data, 1, sizeof(data), file);
	fclose(file);
	tnWorld* world;
	ENSURE_OK(tnCreateWorldFrom(data, size, NULL, &world));
	ENSURE_EQUAL_HEX(tnWorld_GetHash(world), OLD_HASH);
	ENSURE_EQUAL_INT(tnWorld_GetBodies(world, NULL, 0), 1);
	for (int i = 0; i < 60; ++i)
	{
		ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
	}
	ENSURE_EQUAL_HEX(tnWorld_GetHash(world), OLD_HASH_LATER);
	tnDestroyWorld(world);
	return 0;
}

// Voxels: a world that was saved goes on with the same bits in another one.
static int KeepsVoxels(void)
{
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.liquidCount = 2;
	def.liquids[1] = tnDefaultLiquidDef();
	def.liquids[1].density = 2000.0f;
	tnVoxelWorld *world, *other;
	ENSURE_OK(tnCreateVoxelWorld(&def, &world));
	ENSURE_OK(tnVoxelWorld_LoadBlock(world, (tnVoxel){0, 0, 0}));
	ENSURE_OK(tnVoxelWorld_LoadBlock(world, (tnVoxel){-1, 0, 0}));
	ENSURE_OK(tnVoxelWorld_FillSolid(world, (tnVoxelBox){{-20, 0, 0}, {20, 2, 20}}, TN_VOXEL_ROCK));
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, (tnVoxelBox){{-4, 6, 3}, {4, 12, 9}}, 1, 800, NULL));
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, (tnVoxelBox){{2, 13, 3}, {5, 16, 9}}, 2, 700, NULL));
	for (int round = 0; round < TEST_REPEATS(4); ++round)
	{
		for (int i = 0; i < 13; ++i)
		{
			ENSURE_OK(tnVoxelWorld_Step(world, 0));
		}
		Bytes bytes = {0};
		ENSURE_OK(tnVoxelWorld_Save(world, NULL, 0, &bytes.size));
		bytes.data = malloc(bytes.size);
		ENSURE_OK(tnVoxelWorld_Save(world, bytes.data, bytes.size, &bytes.size));
		size_t size;
		ENSURE_REFUSED(tnVoxelWorld_Save(world, bytes.data, 100, &size), tn_invalidArgument, "capacity must be");
		ENSURE_OK(tnVoxelWorld_Save(world, bytes.data, bytes.size, &size));
		ENSURE_OK(tnCreateVoxelWorldFrom(bytes.data, bytes.size, &def, &other));
		for (int i = 0; i < 60; ++i)
		{
			ENSURE_EQUAL_HEX(tnVoxelWorld_GetHash(world), tnVoxelWorld_GetHash(other));
			ENSURE_OK(tnVoxelWorld_Step(world, 0));
			ENSURE_OK(tnVoxelWorld_Step(other, 0));
		}
		tnDestroyVoxelWorld(other);
		for (size_t at = 0; at < bytes.size; at += 7)
		{
			bytes.data[at] ^= 0x10;
			ENSURE(tnCreateVoxelWorldFrom(bytes.data, bytes.size, &def, &other).status != tn_ok && other == NULL);
			bytes.data[at] ^= 0x10;
		}
		for (size_t cut = 0; cut < bytes.size; cut += 11)
		{
			ENSURE(tnCreateVoxelWorldFrom(bytes.data, cut, &def, &other).status != tn_ok && other == NULL);
		}
		FreeBytes(&bytes);
	}
	tnDestroyVoxelWorld(world);
	return 0;
}

static const Test s_tests[] = {{"KeepsVoxels", KeepsVoxels}, {"ReadsVersion1", ReadsVersion1},
	{"GoesOnInNewWorlds", GoesOnInNewWorlds}, {"GoesOnForLong", GoesOnForLong}, {"RollsBack", RollsBack},
	{"KeepsIds", KeepsIds}, {"KeepsIdsOfAllKinds", KeepsIdsOfAllKinds}, {"AllocatesNothing", AllocatesNothing},
	{"RunsOutOfMemory", RunsOutOfMemory}, {"RefusesCutBytes", RefusesCutBytes},
	{"RefusesFlippedBytes", RefusesFlippedBytes}, {"RefusesByName", RefusesByName},
	{"SurvivesChangedBytes", SurvivesChangedBytes}, {"KeepsTuning", KeepsTuning}, {"ChangesWorkers", ChangesWorkers},
	{"HashesTiles", HashesTiles}, {"TellsWhatBytesAre", TellsWhatBytesAre}};
const TestSuite snapshotSuite = TEST_SUITE("snapshot", s_tests);
