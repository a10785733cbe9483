// SPDX-License-Identifier: MIT

// Voxel worlds that go back in place: the same bits again, ids that are nobody else's, and nothing changed by what is refused.

#include "snapshot_kit.h"
#include "voxel_kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	bodyLimit = 2,
};

// A world of one or two blocks in which something happens in every step. Two of the same seed get the same calls.
typedef struct Vessel
{
	tnVoxelWorld* world;
	TestRandom random;
	tnBodyId bodies[bodyLimit];
	tnPose poses[bodyLimit];
	tnVoxelSourceId source;
	int bodyCount;
} Vessel;

static tnVoxelWorldDef DrawVesselDef(TestRandom* random)
{
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.rules = (tnVoxelRules)TestRandomInt(random, 0, tn_voxelRulesCount - 1);
	def.cap = def.rules == tn_pressureRules ? 1024 : TestRandomInt(random, 8, 2000);
	def.liquidCount = TestRandomInt(random, 1, 3);
	for (int i = 0; i < def.liquidCount; ++i)
	{
		def.liquids[i] = tnDefaultLiquidDef();
		def.liquids[i].density = 500.0f * (float)(i + 1);
		def.liquids[i].viscosity = TestRandomInt(random, 1, 4);
		def.liquids[i].levels = TestRandomInt(random, 0, 2) > 0;
		def.liquids[i].evaporation = TestRandomInt(random, 0, 3) == 0 ? 10 : 0;
	}
	def.levelInterval = TestRandomInt(random, 1, 9);
	def.chunkReserve = TestRandomInt(random, 0, 64);
	return def;
}

static bool MakeVessel(Vessel* vessel, uint64_t seed, int workerCount, tnAllocator allocator)
{
	*vessel = (Vessel){.random = TestMakeRandom(seed)};
	TestRandom* random = &vessel->random;
	tnVoxelWorldDef def = DrawVesselDef(random);
	def.tasks.workerCount = workerCount;
	def.allocator = allocator;
	vessel->world = MakeRock(&def);
	bool ok = vessel->world != NULL;
	ok = ok &&
		(TestRandomInt(random, 0, 1) == 0 || tnVoxelWorld_LoadBlock(vessel->world, (tnVoxel){1, 0, 0}).status == tn_ok);
	for (int i = 0; i < 6 && ok; ++i)
	{
		const int x = TestRandomInt(random, 1, 40), y = TestRandomInt(random, 1, 30), z = TestRandomInt(random, 1, 40);
		const tnVoxelBox box = VoxelBox(x, y, z, x + TestRandomInt(random, 4, 24), y + TestRandomInt(random, 4, 20),
			z + TestRandomInt(random, 4, 24));
		ok = tnVoxelWorld_FillSolid(vessel->world, box, 0).status == tn_ok;
		ok = ok &&
			tnVoxelWorld_AddLiquid(
				vessel->world, box, TestRandomInt(random, 1, def.liquidCount), TestRandomInt(random, 0, def.cap), NULL)
					.status == tn_ok;
	}
	vessel->bodyCount = TestRandomInt(random, 0, bodyLimit);
	tnShapeDef shape = tnDefaultShapeDef();
	shape.halfExtents = (tnVec3){1.5f, 1.0f, 1.2f};
	tnBodyDef body = tnDefaultBodyDef();
	body.shapes = &shape;
	body.shapeCount = 1;
	for (int i = 0; i < vessel->bodyCount && ok; ++i)
	{
		body.pose.position = (tnVec3){8.0f + 10.0f * (float)i, 9.0f, 12.0f};
		vessel->poses[i] = body.pose;
		ok = tnVoxelWorld_CreateBody(vessel->world, &body, vessel->bodies + i).status == tn_ok;
	}
	tnVoxelSourceDef source = tnDefaultVoxelSourceDef();
	source.box = VoxelBox(4, 30, 4, 7, 31, 7);
	source.liquid = 1;
	source.rate = 8;
	return ok && tnVoxelWorld_CreateSource(vessel->world, &source, &vessel->source).status == tn_ok;
}

static tnResult StepVessel(Vessel* vessel)
{
	TestRandom* random = &vessel->random;
	const int x = TestRandomInt(random, 0, 60), y = TestRandomInt(random, 0, 40), z = TestRandomInt(random, 0, 60);
	const tnVoxelBox box = VoxelBox(x, y, z, x + 3, y + 3, z + 3);
	tnResult result = {.status = tn_ok};
	const int body = TestRandomInt(random, 0, bodyLimit - 1);
	switch (TestRandomInt(random, 0, 4))
	{
		case 0:
			result = tnVoxelWorld_FillSolid(vessel->world, box, TestRandomInt(random, 0, TN_VOXEL_ROCK));
			break;
		case 1:
			result = tnVoxelWorld_AddLiquid(vessel->world, box, 1, 700, NULL);
			break;
		case 2:
		{
			tnPose* pose = vessel->poses + body;
			pose->position.x += TestRandomFloat(random, -0.5f, 0.5f);
			pose->position.y += TestRandomFloat(random, -0.5f, 0.5f);
			result = body < vessel->bodyCount ? tnVoxelWorld_MoveBody(vessel->world, vessel->bodies[body], pose,
													(tnVec3){1.0f, 0.0f, 0.0f}, (tnVec3){0})
											  : result;
			break;
		}
		case 3:
		{
			const tnVoxel point = {x, y, z};
			result = tnVoxelWorld_SetInterests(vessel->world, &point, 1);
			break;
		}
		default:
			break;
	}
	// Chunks beside bodies that are put in again are awake, and who has a turn within a limit hangs on who is awake.
	const bool limited = TestRandomInt(random, 0, 3) == 0 && vessel->bodyCount == 0;
	return result.status == tn_ok ? tnVoxelWorld_Step(vessel->world, limited ? 20000 : 0) : result;
}

static bool SaveVoxels(tnVoxelWorld* world, Bytes* bytes)
{
	*bytes = (Bytes){0};
	if (tnVoxelWorld_Save(world, NULL, 0, &bytes->size).status != tn_ok)
	{
		return false;
	}
	bytes->data = malloc(bytes->size);
	size_t size = 0;
	return tnVoxelWorld_Save(world, bytes->data, bytes->size, &size).status == tn_ok && size == bytes->size;
}

static bool AreSameVoxels(tnVoxelWorld* a, tnVoxelWorld* b)
{
	Bytes first, second;
	const bool saved = SaveVoxels(a, &first) && SaveVoxels(b, &second);
	const bool same = saved && tnVoxelWorld_GetHash(a) == tnVoxelWorld_GetHash(b) && first.size == second.size &&
		memcmp(first.data, second.data, first.size) == 0;
	FreeBytes(&first);
	FreeBytes(&second);
	return same;
}

static tnResult RestoreVessel(Vessel* vessel, const Vessel* saved, const Bytes* bytes)
{
	tnResult result = tnVoxelWorld_Restore(vessel->world, bytes->data, bytes->size);
	*vessel = *saved;
	for (int i = 0; i < vessel->bodyCount && result.status == tn_ok; ++i)
	{
		result = tnVoxelWorld_MoveBody(
			vessel->world, vessel->bodies[i], vessel->poses + i, (tnVec3){1.0f, 0.0f, 0.0f}, (tnVec3){0});
	}
	return result;
}

// Random steps forth and back again, against a world that only goes forth.
static int VoxelsRollBack(void)
{
	for (uint64_t seed = 1; seed <= (uint64_t)TEST_REPEATS(16); ++seed)
	{
		Vessel vessel, reference;
		ENSURE(MakeVessel(&vessel, seed, 3, (tnAllocator){0}));
		ENSURE(MakeVessel(&reference, seed, 1, (tnAllocator){0}));
		TestRandom random = TestMakeRandom(seed * 31);
		for (int round = 0; round < 4; ++round)
		{
			Bytes bytes;
			ENSURE(SaveVoxels(vessel.world, &bytes));
			const Vessel saved = vessel;
			const int forth = TestRandomInt(&random, 1, 12);
			for (int i = 0; i < forth; ++i)
			{
				ENSURE_OK(StepVessel(&vessel));
			}
			// What never happened: a block more or less, ground, another source, one that is gone.
			if (TestRandomInt(&random, 0, 1) == 0 &&
				tnVoxelWorld_LoadBlock(vessel.world, (tnVoxel){0, 1, 0}).status == tn_ok)
			{
				ENSURE_OK(tnVoxelWorld_AddLiquid(vessel.world, VoxelBox(5, 130, 5, 20, 140, 20), 1, 500, NULL));
			}
			ENSURE_OK(tnVoxelWorld_FillSolidBall(vessel.world, (tnVec3){20.0f, 10.0f, 20.0f}, 6.0f, 0));
			ENSURE_OK(tnVoxelWorld_DestroySource(vessel.world, vessel.source));
			ENSURE_OK(RestoreVessel(&vessel, &saved, &bytes));
			FreeBytes(&bytes);
			for (int i = 0; i < forth; ++i)
			{
				ENSURE_OK(StepVessel(&vessel));
				ENSURE_OK(StepVessel(&reference));
			}
			if (!AreSameVoxels(vessel.world, reference.world))
			{
				printf("seed %d parts in round %d\n", (int)seed, round);
				return 1;
			}
			for (int i = 0; i < vessel.bodyCount; ++i)
			{
				tnBodyState mine, other;
				ENSURE_OK(tnVoxelWorld_GetBodyState(vessel.world, vessel.bodies[i], &mine));
				ENSURE_OK(tnVoxelWorld_GetBodyState(reference.world, reference.bodies[i], &other));
				ENSURE(mine.submergedVolume == other.submergedVolume);
			}
		}
		tnDestroyVoxelWorld(vessel.world);
		tnDestroyVoxelWorld(reference.world);
	}
	return 0;
}

// Sources that were made since are stale, and nobody ever gets their ids: after going back at once, and after a state was loaded.
static int VoxelIdsStayStale(void)
{
	for (int kind = 0; kind < 2; ++kind)
	{
		Vessel vessel;
		ENSURE(MakeVessel(&vessel, 5, 1, (tnAllocator){0}));
		tnVoxelWorld* world = vessel.world;
		Bytes bytes = {0};
		if (kind == 0)
		{
			ENSURE(SaveVoxels(world, &bytes));
		}
		else
		{
			ENSURE_OK(tnVoxelWorld_SaveState(world, NULL, 0, &bytes.size));
			bytes.data = malloc(bytes.size);
			ENSURE_OK(tnVoxelWorld_SaveState(world, bytes.data, bytes.size, &bytes.size));
		}
		tnVoxelSourceDef def = tnDefaultVoxelSourceDef();
		def.box = VoxelBox(4, 20, 4, 7, 21, 7);
		def.liquid = 1;
		tnVoxelSourceId later[4 * 5];
		int count = 0;
		for (int round = 0; round < 4; ++round)
		{
			ENSURE_OK(tnVoxelWorld_DestroySource(world, vessel.source));
			for (int i = 0; i < 5; ++i)
			{
				tnVoxelSourceId id;
				ENSURE_OK(tnVoxelWorld_CreateSource(world, &def, &id));
				ENSURE(id.index1 != vessel.source.index1 || id.generation != vessel.source.generation);
				for (int k = 0; k < count; ++k)
				{
					ENSURE(id.index1 != later[k].index1 || id.generation != later[k].generation);
				}
				later[count++] = id;
			}
			ENSURE_OK(kind == 0 ? tnVoxelWorld_Restore(world, bytes.data, bytes.size)
								: tnVoxelWorld_LoadState(world, bytes.data, bytes.size));
			for (int k = 0; k < count; ++k)
			{
				ENSURE(tnVoxelWorld_DestroySource(world, later[k]).status == tn_staleId);
			}
		}
		ENSURE_OK(tnVoxelWorld_DestroySource(world, vessel.source));
		FreeBytes(&bytes);
		tnDestroyVoxelWorld(world);
	}
	return 0;
}

static int RefusedVoxelsChangeNothing(void)
{
	Vessel vessel;
	ENSURE(MakeVessel(&vessel, 9, 1, (tnAllocator){0}));
	for (int i = 0; i < 10; ++i)
	{
		ENSURE_OK(StepVessel(&vessel));
	}
	Bytes bytes, before, after;
	ENSURE(SaveVoxels(vessel.world, &bytes));
	ENSURE_OK(StepVessel(&vessel));
	ENSURE(SaveVoxels(vessel.world, &before));
	ENSURE_REFUSED(tnVoxelWorld_Restore(NULL, bytes.data, bytes.size), tn_invalidArgument, "world must not be NULL");
	ENSURE_REFUSED(tnVoxelWorld_Restore(vessel.world, NULL, 100), tn_invalidArgument, "bytes must not be NULL");
	ENSURE_REFUSED(tnVoxelWorld_Restore(vessel.world, bytes.data, bytes.size - 1), tn_invalidArgument, "it is cut off");
	const size_t stride = bytes.size / (size_t)TEST_REPEATS(60) + 1;
	for (size_t at = 0; at < bytes.size; at += stride)
	{
		bytes.data[at] ^= 0x10;
		const tnResult result = tnVoxelWorld_Restore(vessel.world, bytes.data, bytes.size);
		ENSURE(result.status == tn_invalidArgument && result.text[0] != 0);
		bytes.data[at] ^= 0x10;
		ENSURE(tnVoxelWorld_Restore(vessel.world, bytes.data, at).status == tn_invalidArgument);
	}
	// Of a world with other rules.
	tnVoxelWorldDef def = tnVoxelWorld_GetDef(vessel.world);
	def.levelInterval += 1;
	tnVoxelWorld* other = MakeRock(&def);
	Bytes foreign;
	ENSURE(SaveVoxels(other, &foreign));
	ENSURE_REFUSED(
		tnVoxelWorld_Restore(vessel.world, foreign.data, foreign.size), tn_invalidArgument, "levelInterval must be");
	FreeBytes(&foreign);
	tnDestroyVoxelWorld(other);
	ENSURE(SaveVoxels(vessel.world, &after));
	ENSURE(before.size == after.size && memcmp(before.data, after.data, after.size) == 0);
	FreeBytes(&bytes);
	FreeBytes(&before);
	FreeBytes(&after);
	tnDestroyVoxelWorld(vessel.world);
	return 0;
}

// Whichever allocation fails, nothing has changed; and what is asked for is given back.
static int VoxelsRunOutOfMemory(void)
{
	CountedMemory memory = {0};
	Vessel vessel;
	ENSURE(MakeVessel(&vessel, 4, 2, (tnAllocator){CountedAlloc, CountedFree, &memory}));
	Bytes bytes, before, after;
	for (int i = 0; i < 8; ++i)
	{
		ENSURE_OK(StepVessel(&vessel));
	}
	const Vessel saved = vessel;
	ENSURE(SaveVoxels(vessel.world, &bytes));
	for (int i = 0; i < 8; ++i)
	{
		ENSURE_OK(StepVessel(&vessel));
	}
	ENSURE(SaveVoxels(vessel.world, &before));
	tnResult result = {.status = tn_outOfMemory};
	for (int64_t fail = 1; result.status != tn_ok; ++fail)
	{
		const size_t used = tnVoxelWorld_GetStats(vessel.world).byteCount;
		memory = (CountedMemory){.failAt = fail};
		result = tnVoxelWorld_Restore(vessel.world, bytes.data, bytes.size);
		ENSURE(result.status == tn_ok || result.status == tn_outOfMemory);
		memory.failAt = 0;
		if (result.status != tn_ok)
		{
			ENSURE(tnVoxelWorld_GetStats(vessel.world).byteCount == used);
			ENSURE(SaveVoxels(vessel.world, &after));
			ENSURE(before.size == after.size && memcmp(before.data, after.data, after.size) == 0);
			FreeBytes(&after);
		}
	}
	// Going back again and again takes no more.
	ENSURE_OK(RestoreVessel(&vessel, &saved, &bytes));
	const size_t used = tnVoxelWorld_GetStats(vessel.world).byteCount;
	for (int i = 0; i < 5; ++i)
	{
		ENSURE_OK(RestoreVessel(&vessel, &saved, &bytes));
		ENSURE(tnVoxelWorld_GetStats(vessel.world).byteCount == used);
	}
	FreeBytes(&bytes);
	FreeBytes(&before);
	tnDestroyVoxelWorld(vessel.world);
	return 0;
}

static const Test s_tests[] = {
	{"VoxelsRollBack", VoxelsRollBack},
	{"VoxelIdsStayStale", VoxelIdsStayStale},
	{"RefusedVoxelsChangeNothing", RefusedVoxelsChangeNothing},
	{"VoxelsRunOutOfMemory", VoxelsRunOutOfMemory},
};

const TestSuite voxel_restoreSuite = TEST_SUITE("voxel_restore", s_tests);
