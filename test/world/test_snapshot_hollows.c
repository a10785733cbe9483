// SPDX-License-Identifier: MIT

// Snapshots of water in bodies and on them: boats with leaks and pumps, decks.

#include "boat_kit.h"
#include "busy_world.h"
#include "core/archive.h"
#include "snapshot_kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	bargeColumns = 24,
	bargeRows = 16,
};

// A basin with a boat of two compartments, half full, with a hole and a pump; and beside it a gutter on the rim of the basin that
// is fed at one end, and spills.
typedef struct Barge
{
	tnWorld* world;
	Boat boat;
	tnBodyId gutter, roof, crate;
} Barge;

static tnResult FloodBoat(const Barge* barge)
{
	const Boat* boat = &barge->boat;
	tnLeakDef leak = tnDefaultLeakDef();
	leak.position = (tnVec3){-1.0f, -0.45f, 0.0f};
	leak.area = 0.02f;
	tnLeakDef door = tnDefaultLeakDef();
	door.position = (tnVec3){0.0f, -0.3f, 0.0f};
	door.from = 0, door.to = 1;
	door.area = 0.005f;
	tnPumpDef pump = tnDefaultPumpDef();
	pump.from = 1;
	pump.rate = 0.03f;
	pump.position = (tnVec3){2.0f, 0.4f, 0.0f};
	tnResult result = tnWorld_SetLeak(barge->world, boat->id, 0, &leak);
	result = result.status == tn_ok ? tnWorld_SetLeak(barge->world, boat->id, 5, &door) : result;
	result = result.status == tn_ok ? tnWorld_SetPump(barge->world, boat->id, 2, &pump) : result;
	result = result.status == tn_ok ? tnWorld_SetHollowWater(barge->world, boat->id, 0, 0.4) : result;
	return result.status == tn_ok ? tnWorld_SetHollowWater(barge->world, boat->id, 1, 1.1) : result;
}

static bool StepBarge(Barge* barge, int count)
{
	bool ok = true;
	for (int i = 0; i < count && ok; ++i)
	{
		ok = tnWorld_Step(barge->world, 1.0f / 60.0f).status == tn_ok &&
			MoveBoat(barge->world, &barge->boat, 1.0 / 60.0, true) && TellBoat(barge->world, &barge->boat);
	}
	return ok;
}

static tnResult AddDeck(tnWorld* world, const tnShapeDef* shapes, int count, tnVec3 place, tnBodyId* id)
{
	tnBodyDef def = tnDefaultBodyDef();
	def.shapes = shapes;
	def.shapeCount = count;
	def.mass = INFINITY;
	def.mode = tn_blockingBody;
	def.pose.position = place;
	return tnWorld_CreateBody(world, &def, id);
}

static bool MakeBarge(Barge* barge, tnMethod method, tnAllocator allocator)
{
	static float heights[bargeColumns * bargeRows];
	for (int i = 0; i < bargeColumns * bargeRows; ++i)
	{
		heights[i] = i / bargeColumns < 11 ? 0.0f : (i % bargeColumns < 5 ? 4.0f : 0.5f);
	}
	*barge = (Barge){0};
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = bargeColumns, def.rowCount = bargeRows;
	def.method = method;
	def.tracerCount = 1;
	def.spray.enable = true;
	def.tasks.workerCount = 1;
	def.allocator = allocator;
	tnShapeDef shapes[6], slab = MakePlank(0.0f, 0.0f, 0.0f, 7.0f, 0.3f, 1.5f), roof = slab;
	roof.halfExtents = (tnVec3){2.0f, 0.2f, 2.0f};
	tnSourceDef source = tnDefaultSourceDef();
	source.center = (tnVec2){2.5f, 13.5f};
	source.radius = 1.5f;
	source.rate = 20.0f;
	tnSourceId sourceId;
	bool ok = tnCreateWorld(&def, &barge->world).status == tn_ok;
	ok = ok && tnWorld_SetTerrain(barge->world, heights).status == tn_ok;
	ok = ok && tnWorld_FillToLevel(barge->world, 2.0f).status == tn_ok;
	// Something dissolved that comes in through the hole, and goes out by the pump.
	ok = ok && tnWorld_AddTracer(barge->world, 0, (tnVec2){9.0f, 5.0f}, 4.0f, 1.0f).status == tn_ok;
	ok = ok && tnWorld_CreateSource(barge->world, &source, &sourceId).status == tn_ok;
	const int count = MakeBoatOfBoxes(shapes, true);
	ok = ok && AddBoat(barge->world, &barge->boat, shapes, count, BOAT_MASS, 9.3, 2.2, 5.4).status == tn_ok;
	ok = ok && AddDeck(barge->world, &slab, 1, (tnVec3){12.0f, 3.7f, 13.5f}, &barge->gutter).status == tn_ok;
	ok = ok && AddDeck(barge->world, &roof, 1, (tnVec3){18.1f, 4.0f, 5.0f}, &barge->roof).status == tn_ok;
	const tnShapeDef crate = MakePlank(0.0f, 0.0f, 0.0f, 1.2f, 1.0f, 1.3f);
	ok = ok && AddDeck(barge->world, &crate, 1, (tnVec3){3.6f, 1.7f, 5.2f}, &barge->crate).status == tn_ok;
	return ok && FloodBoat(barge).status == tn_ok && StepBarge(barge, 90);
}

// In the moment before a save: the boat, a crate in the water and the gutter have other shapes, or the roof goes.
static bool ChangeBarge(const Barge* barge, int change)
{
	const tnShapeDef slab = MakePlank(0.0f, 0.0f, 0.0f, 7.0f, 0.35f, 1.6f);
	const tnShapeDef crate = MakePlank(0.0f, 0.0f, 0.0f, 1.4f, 1.1f, 1.3f);
	tnShapeDef hull[6];
	const int count = MakeBoatOfBoxes(hull, true);
	hull[0].halfExtents.y = 0.06f;
	switch (change)
	{
		case 1:
			return tnWorld_SetBodyShapes(barge->world, barge->boat.id, hull, count).status == tn_ok &&
				tnWorld_SetBodyShapes(barge->world, barge->crate, &crate, 1).status == tn_ok &&
				tnWorld_SetBodyShapes(barge->world, barge->gutter, &slab, 1).status == tn_ok;
		case 2:
			return tnWorld_DestroyBody(barge->world, barge->roof).status == tn_ok;
		default:
			return true;
	}
}

static bool AreBargesSame(const Barge* a, const Barge* b)
{
	bool same = tnWorld_GetHash(a->world) == tnWorld_GetHash(b->world);
	const tnBodyId ids[4] = {a->boat.id, a->gutter, a->crate, a->roof};
	for (int i = 0; i < 4 && same && tnBody_IsValid(a->world, ids[i]); ++i)
	{
		tnBodyState first, second;
		memset(&first, 0, sizeof(first));
		memset(&second, 0, sizeof(second));
		same = tnWorld_GetBodyState(a->world, ids[i], &first).status == tn_ok &&
			tnWorld_GetBodyState(b->world, ids[i], &second).status == tn_ok &&
			memcmp(&first, &second, sizeof(first)) == 0;
	}
	for (int i = 0; i < 2 && same; ++i)
	{
		tnHollowState first, second;
		memset(&first, 0, sizeof(first));
		memset(&second, 0, sizeof(second));
		same = tnWorld_GetHollow(a->world, a->boat.id, i, &first).status == tn_ok &&
			tnWorld_GetHollow(b->world, b->boat.id, i, &second).status == tn_ok && first.held == second.held &&
			first.level == second.level && first.inflow == second.inflow;
	}
	const tnLedger first = tnWorld_GetLedger(a->world), second = tnWorld_GetLedger(b->world);
	return same && first.held == second.held && first.volume == second.volume && first.drift == second.drift;
}

// Where a section begins, behind its header, and its size.
static size_t FindSection(const Bytes* bytes, const char* name, size_t* size)
{
	for (size_t at = TN_SNAPSHOT_HEADER; at + TN_SECTION_HEADER <= bytes->size; at += TN_SECTION_HEADER + *size)
	{
		uint64_t stored;
		memcpy(&stored, bytes->data + at + 8, sizeof(stored));
		*size = (size_t)stored;
		if (memcmp(bytes->data + at, name, TN_SECTION_NAME) == 0)
		{
			return at + TN_SECTION_HEADER;
		}
	}
	*size = 0;
	return 0;
}

static int GoOnWithBarge(tnMethod method, int change)
{
	Barge barge;
	ENSURE(MakeBarge(&barge, method, (tnAllocator){0}));
	// There is something to keep.
	static float depths[bargeColumns * bargeRows];
	ENSURE(tnWorld_CopyDecks(barge.world, depths, NULL) > 10);
	ENSURE(tnWorld_GetLedger(barge.world).held > 0.5);
	ENSURE(ChangeBarge(&barge, change));
	Bytes bytes, again;
	ENSURE(SaveWorld(barge.world, &bytes));
	tnWorldDef hooks = tnDefaultWorldDef();
	hooks.tasks.workerCount = 2;
	Barge other = barge, later = barge;
	ENSURE_OK(tnCreateWorldFrom(bytes.data, bytes.size, &hooks, &other.world));
	ENSURE(SaveWorld(other.world, &again));
	ENSURE(again.size == bytes.size && memcmp(again.data, bytes.data, bytes.size) == 0);
	FreeBytes(&again);
	// In place, of a world that has gone on and lost its bodies, and its decks with them.
	ENSURE_OK(tnCreateWorldFrom(bytes.data, bytes.size, NULL, &later.world));
	for (int round = 0; round < 2; ++round)
	{
		ENSURE(StepBarge(&later, 20));
		ENSURE_OK(
			tnWorld_SetPump(later.world, later.boat.id, 7, &(tnPumpDef){.to = -1, .stamp = tnDefaultPumpDef().stamp}));
		const tnBodyId ids[4] = {later.boat.id, later.gutter, later.crate, later.roof};
		for (int i = 0; i < 4 && round == 1; ++i)
		{
			ENSURE(!tnBody_IsValid(later.world, ids[i]) || tnWorld_DestroyBody(later.world, ids[i]).status == tn_ok);
		}
		ENSURE_OK(tnWorld_Restore(later.world, bytes.data, bytes.size));
		later.boat = barge.boat;
		// Ids know what was handed out since; decks do not.
		ENSURE(SaveWorld(later.world, &again));
		size_t size, sizeBefore;
		const size_t at = FindSection(&again, "deck", &size), before = FindSection(&bytes, "deck", &sizeBefore);
		ENSURE(size == sizeBefore && memcmp(again.data + at, bytes.data + before, size) == 0);
		FreeBytes(&again);
	}
	// Rain on a roof that has been dry.
	ENSURE_OK(tnWorld_SetRain(barge.world, 1.0e-3f, NULL));
	ENSURE_OK(tnWorld_SetRain(other.world, 1.0e-3f, NULL));
	ENSURE_OK(tnWorld_SetRain(later.world, 1.0e-3f, NULL));
	for (int i = 0; i < 100; ++i)
	{
		ENSURE(AreBargesSame(&barge, &other));
		ENSURE(AreBargesSame(&barge, &later));
		ENSURE(StepBarge(&barge, 1) && StepBarge(&other, 1) && StepBarge(&later, 1));
	}
	ENSURE(AreBargesSame(&barge, &other) && AreBargesSame(&barge, &later));
	FreeBytes(&bytes);
	tnDestroyWorld(barge.world);
	tnDestroyWorld(other.world);
	tnDestroyWorld(later.world);
	return 0;
}

static int KeepsHollowsAndDecks(void)
{
	for (int method = 0; method < tn_methodCount; ++method)
	{
		for (int change = 0; change < 3; ++change)
		{
			if (GoOnWithBarge((tnMethod)method, change) != 0)
			{
				printf("method %d, change %d\n", method, change);
				return 1;
			}
		}
	}
	return 0;
}

// Saving and going back takes no memory with them, either, and without memory nothing is changed.
static int HollowsAllocateNothing(void)
{
	CountedMemory memory = {0};
	Barge barge;
	ENSURE(MakeBarge(&barge, tn_shallowMethod, (tnAllocator){CountedAlloc, CountedFree, &memory}));
	Bytes bytes;
	ENSURE(SaveWorld(barge.world, &bytes));
	const uint64_t hash = tnWorld_GetHash(barge.world);
	const int64_t before = memory.count;
	ENSURE(StepBarge(&barge, 10));
	ENSURE_OK(tnWorld_Restore(barge.world, bytes.data, bytes.size));
	ENSURE_EQUAL_INT(memory.count, before);
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
		if (made != NULL)
		{
			ENSURE_EQUAL_HEX(tnWorld_GetHash(made), hash);
			tnDestroyWorld(made);
		}
	}
	memory = (CountedMemory){0};
	FreeBytes(&bytes);
	tnDestroyWorld(barge.world);
	return 0;
}

// What is changed in the sections of bodies and decks is refused, and the world is as it was; or it can be stepped.
static int SurvivesChangedHollows(void)
{
	static const uint32_t s_words[] = {0x7fc00000u, 0x7f800000u, 0xffffffffu, 0x80000000u, 0x7fffffffu, 0x00000001u,
		0x00000000u, 0x00000005u, 0x4e6e6b28u, 0xce6e6b28u};
	Barge barge;
	ENSURE(MakeBarge(&barge, tn_shallowMethod, (tnAllocator){0}));
	Bytes bytes;
	ENSURE(SaveWorld(barge.world, &bytes));
	uint8_t* changed = malloc(bytes.size);
	TestRandom random = TestMakeRandom(77);
	int refusedCount = 0, count = TEST_REPEATS(1200);
	for (int i = 0; i < count; ++i)
	{
		size_t size;
		const size_t begin = FindSection(&bytes, i % 3 == 0 ? "body" : "deck", &size);
		ENSURE(size > 100);
		memcpy(changed, bytes.data, bytes.size);
		if (i % 7 == 0)
		{
			// Without sums put right all is refused.
			changed[begin + (size_t)TestRandomInt(&random, 0, (int)size - 1)] ^= (uint8_t)(1u << i % 8);
			ENSURE(IsRefused(barge.world, changed, bytes.size));
			continue;
		}
		for (int k = TestRandomInt(&random, 1, 3); k > 0; --k)
		{
			// Values of decks have 4 bytes but for four flags a cell.
			const size_t at = (size_t)TestRandomInt(&random, 0, (int)size - 5);
			memcpy(changed + begin + (IsBusyChance(&random, 2) ? at & ~(size_t)3 : at),
				s_words + TestRandomInt(&random, 0, 9), 4);
		}
		tnMendSnapshot(changed, bytes.size);
		const uint64_t hash = tnWorld_GetHash(barge.world);
		const tnResult result = tnWorld_Restore(barge.world, changed, bytes.size);
		ENSURE(result.status == tn_ok || tnWorld_GetHash(barge.world) == hash);
		refusedCount += result.status != tn_ok ? 1 : 0;
		for (int step = 0; step < 3 && result.status == tn_ok; ++step)
		{
			ENSURE_OK(tnWorld_Step(barge.world, 1.0f / 60.0f));
		}
	}
	ENSURE(refusedCount > count / 4);
	ENSURE_OK(tnWorld_Restore(barge.world, bytes.data, bytes.size));
	free(changed);
	FreeBytes(&bytes);
	tnDestroyWorld(barge.world);
	return 0;
}

static const Test s_tests[] = {{"KeepsHollowsAndDecks", KeepsHollowsAndDecks},
	{"HollowsAllocateNothing", HollowsAllocateNothing}, {"SurvivesChangedHollows", SurvivesChangedHollows}};
const TestSuite snapshot_hollowsSuite = TEST_SUITE("snapshot_hollows", s_tests);
