// SPDX-License-Identifier: MIT

// Memory of the wave layer: a lake on which nothing ever moved has next to none, and no bit depends on when it came.

#include "harness.h"

#include <stdlib.h>
#include <string.h>
#include <tarn/body.h>
#include <tarn/snapshot.h>
#include <tarn/tarn.h>
#include <tarn/waves.h>

static const float s_timeStep = 1.0f / 60.0f;

static tnWorld* MakeLake(int side, bool reserve)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = def.rowCount = side;
	def.waves.enable = true;
	def.waves.reserve = reserve;
	tnWorld* world = NULL;
	float* bed = malloc((size_t)side * (size_t)side * sizeof(float));
	for (int i = 0; bed != NULL && i < side * side; ++i)
	{
		bed[i] = -1.0f - 0.05f * (float)(i % side);
	}
	if (bed != NULL && tnCreateWorld(&def, &world).status == tn_ok)
	{
		(void)tnWorld_SetTerrain(world, bed);
		(void)tnWorld_FillToLevel(world, 0.0f);
	}
	free(bed);
	return world;
}

static tnResult DropIn(tnWorld* world, float x, float z)
{
	const tnWaveDrop drop = {{x, z}, 0.02f};
	return tnWorld_AddDrops(world, &drop, 1);
}

static size_t GetBytes(const tnWorld* world)
{
	return tnWorld_GetStats(world).byteCount;
}

// A tenth of 48.6 MB, and nothing that grows with the cells. The first wave brings the rest, once.
static int CalmLakesTakeLittle(void)
{
	static const int sides[2] = {256, 1024};
	for (int i = 0; i < 2; ++i)
	{
		tnWorldDef def = tnDefaultWorldDef();
		def.columnCount = def.rowCount = sides[i];
		tnWorld* bare = NULL;
		ENSURE_OK(tnCreateWorld(&def, &bare));
		tnWorld* world = MakeLake(sides[i], false);
		ENSURE(world != NULL);
		for (int step = 0; step < 3; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, s_timeStep));
		}
		ENSURE(GetBytes(world) - GetBytes(bare) < 200000);
		ENSURE_EQUAL_INT(tnWorld_GetWaveTileCount(world), 0);
		tnWaveStats stats;
		ENSURE_OK(tnWorld_GetWaveStats(world, &stats));
		ENSURE(stats.byteCount < 200000);
		// Nothing of it wakes by looking.
		tnWaveSample sample;
		ENSURE_OK(tnWorld_SampleWaves(world, (tnVec2){30.0f, 30.0f}, &sample));
		ENSURE_EQUAL_INT(sample.finestLevel, def.waves.levelCount);
		ENSURE(tnWorld_GetRipples(world).energy.data == NULL);

		ENSURE_OK(DropIn(world, 30.0f, 30.0f));
		const size_t bytes = GetBytes(world);
		ENSURE(bytes - GetBytes(bare) > 10000000);
		ENSURE(tnWorld_GetWaveTileCount(world) > 4);
		ENSURE_OK(tnWorld_Step(world, s_timeStep));
		ENSURE_OK(DropIn(world, 40.0f, 30.0f));
		ENSURE(GetBytes(world) == bytes);
		tnDestroyWorld(world);
		tnDestroyWorld(bare);
	}
	return 0;
}

// Each of these may make waves.
static tnResult Stir(tnWorld* world, int kind)
{
	const tnSwell swell = {{1.0f, 0.0f}, 0.1f, 2.0f, 0.0f};
	const tnSpectrumDef sea = tnDefaultSpectrumDef();
	const tnWaveEllipse ellipse = {{12.0f, 12.0f}, {1.0f, 0.0f}, {2.0f, 2.0f}, 0.1f};
	const float heights[4] = {0.1f, 0.0f, 0.0f, 0.0f};
	const tnShapeDef shape = tnDefaultShapeDef();
	tnBodyDef body = tnDefaultBodyDef();
	body.shapes = &shape;
	body.shapeCount = 1;
	body.pose.position = (tnVec3){20.0f, 0.0f, 20.0f};
	tnBodyId id;
	switch (kind)
	{
		case 0:
			return DropIn(world, 20.0f, 20.0f);
		case 1:
			return tnWorld_AddWave(world, NULL, &ellipse);
		case 2:
			return tnWorld_SetSwell(world, &swell, 1);
		case 3:
			return tnWorld_SetSpectrum(world, &sea);
		case 4:
			return tnWorld_AddWaveField(world, 8, 8, 2, 2, heights, NULL);
		case 5:
			return tnWorld_SetWind(world, (tnVec2){5.0f, 0.0f});
		case 6:
			return tnWorld_SetRain(world, 1.0e-5f, NULL);
		default:
			return tnWorld_CreateBody(world, &body, &id);
	}
}

enum
{
	stirCount = 8,
};

// Memory that was there before it was needed makes no difference: got for bodies that never come, or left from a time that a
// snapshot undoes.
static int RoomChangesNoBit(void)
{
	const tnShapeDef shape = tnDefaultShapeDef();
	tnBodyDef like = tnDefaultBodyDef();
	like.shapes = &shape;
	like.shapeCount = 1;
	for (int kind = 0; kind < stirCount; ++kind)
	{
		tnWorld* worlds[3] = {MakeLake(64, false), MakeLake(64, false), MakeLake(64, false)};
		ENSURE(worlds[0] != NULL && worlds[1] != NULL && worlds[2] != NULL);
		ENSURE_OK(tnWorld_ReserveBodies(worlds[1], 1, &like));
		size_t size = 0;
		ENSURE_OK(tnWorld_Save(worlds[2], NULL, 0, &size));
		void* bytes = malloc(size);
		ENSURE(bytes != NULL);
		ENSURE_OK(tnWorld_Save(worlds[2], bytes, size, &size));
		ENSURE_OK(Stir(worlds[2], (kind + 3) % stirCount));
		for (int step = 0; step < 20; ++step)
		{
			ENSURE_OK(tnWorld_Step(worlds[2], s_timeStep));
		}
		ENSURE_OK(tnWorld_Restore(worlds[2], bytes, size));
		free(bytes);
		ENSURE_EQUAL_INT(tnWorld_GetWaveTileCount(worlds[2]), 0);
		for (int step = 0; step < 40; ++step)
		{
			for (int i = 0; i < 3; ++i)
			{
				if (step == 7)
				{
					ENSURE_OK(Stir(worlds[i], kind));
				}
				ENSURE_OK(tnWorld_Step(worlds[i], s_timeStep));
			}
			ENSURE_EQUAL_HEX(tnWorld_GetHash(worlds[0]), tnWorld_GetHash(worlds[1]));
			ENSURE_EQUAL_HEX(tnWorld_GetHash(worlds[0]), tnWorld_GetHash(worlds[2]));
		}
		ENSURE(tnWorld_GetWaveTileCount(worlds[0]) > 0);
		for (int i = 0; i < 3; ++i)
		{
			tnDestroyWorld(worlds[i]);
		}
	}
	return 0;
}

// A world that goes on from bytes in a new one, whether the layer was stirred or not.
static int GoesOnInNewWorlds(void)
{
	for (int stirred = 0; stirred < 2; ++stirred)
	{
		tnWorld* world = MakeLake(48, false);
		ENSURE(world != NULL);
		ENSURE_OK(stirred != 0 ? DropIn(world, 20.0f, 20.0f) : tnWorld_Step(world, s_timeStep));
		ENSURE_OK(tnWorld_Step(world, s_timeStep));
		size_t size = 0;
		ENSURE_OK(tnWorld_Save(world, NULL, 0, &size));
		void* bytes = malloc(size);
		ENSURE(bytes != NULL);
		ENSURE_OK(tnWorld_Save(world, bytes, size, &size));
		tnWorld* other = NULL;
		ENSURE_OK(tnCreateWorldFrom(bytes, size, NULL, &other));
		free(bytes);
		for (int step = 0; step < 30; ++step)
		{
			ENSURE_EQUAL_HEX(tnWorld_GetHash(world), tnWorld_GetHash(other));
			ENSURE_OK(step == 9 ? DropIn(world, 10.0f, 20.0f) : tnWorld_Step(world, s_timeStep));
			ENSURE_OK(step == 9 ? DropIn(other, 10.0f, 20.0f) : tnWorld_Step(other, s_timeStep));
		}
		tnDestroyWorld(world);
		tnDestroyWorld(other);
	}
	return 0;
}

// What finds no memory is refused and changes nothing, and a step asks for none.
static int RefusesWithoutMemory(void)
{
	for (int kind = 0; kind < stirCount; ++kind)
	{
		TestAllocator allocator = {0};
		tnWorldDef def = tnDefaultWorldDef();
		def.columnCount = def.rowCount = 40;
		def.waves.enable = true;
		def.allocator = TestGetAllocator(&allocator);
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_FillToLevel(world, 4.0f));
		const uint64_t hash = tnWorld_GetHash(world);
		int failed = 0;
		for (int budget = 0; budget < 200; ++budget)
		{
			allocator.failIn = budget + 1;
			allocator.failAfterwards = true;
			const tnResult result = Stir(world, kind);
			allocator.failIn = 0;
			allocator.failAfterwards = false;
			if (result.status == tn_ok)
			{
				break;
			}
			failed += 1;
			ENSURE(result.status == tn_outOfMemory);
			ENSURE_EQUAL_HEX(tnWorld_GetHash(world), hash);
			ENSURE_EQUAL_INT(tnWorld_GetWaveTileCount(world), 0);
		}
		ENSURE(failed > 5);
		const int count = allocator.allocationCount;
		for (int step = 0; step < 30; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, s_timeStep));
		}
		ENSURE_EQUAL_INT(allocator.allocationCount, count);
		tnDestroyWorld(world);
		ENSURE_EQUAL_INT(allocator.allocationCount, allocator.freeCount);
	}
	return 0;
}

// All at once on creation, for who asks: then nothing that makes waves allocates.
static int ReservesOnCreation(void)
{
	TestAllocator allocator = {0};
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = def.rowCount = 40;
	def.waves.enable = true;
	def.waves.reserve = true;
	def.allocator = TestGetAllocator(&allocator);
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_OK(tnWorld_FillToLevel(world, 4.0f));
	ENSURE_OK(tnWorld_Step(world, s_timeStep));
	ENSURE(tnWorld_GetWaveTileCount(world) > 0);
	const int count = allocator.allocationCount;
	ENSURE_OK(Stir(world, 0));
	ENSURE_OK(Stir(world, 1));
	ENSURE_OK(Stir(world, 5));
	ENSURE_EQUAL_INT(allocator.allocationCount, count);
	tnDestroyWorld(world);

	def.waves.keptSteps = 0;
	ENSURE_REFUSED(tnCreateWorld(&def, &world), tn_invalidArgument, "waves.keptSteps");
	def.waves.keptSteps = 5;
	ENSURE_REFUSED(tnCreateWorld(&def, &world), tn_invalidArgument, "waves.keptSteps");
	return 0;
}

static const Test s_tests[] = {
	{"CalmLakesTakeLittle", CalmLakesTakeLittle},
	{"RoomChangesNoBit", RoomChangesNoBit},
	{"GoesOnInNewWorlds", GoesOnInNewWorlds},
	{"RefusesWithoutMemory", RefusesWithoutMemory},
	{"ReservesOnCreation", ReservesOnCreation},
};

const TestSuite wave_roomSuite = TEST_SUITE("wave_room", s_tests);
