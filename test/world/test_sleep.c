// SPDX-License-Identifier: MIT

// With sleepSpeed 0 sleep changes no bit, whatever layers are on and whatever a host does to water that sleeps.

#include "busy_world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Three pools of which two rest, and a world in which everything may happen.
static bool MakeQuiet(BusyWorld* busy, uint64_t seed, bool sleeps)
{
	*busy = (BusyWorld){.random = TestMakeRandom(seed)};
	TestRandom* random = &busy->random;
	tnWorldDef def = DrawBusyDef(random, false);
	// Several tiles of 64 cells.
	def.columnCount = TestRandomInt(random, 60, 200);
	def.rowCount = TestRandomInt(random, 4, 20);
	def.waves.finerLevels = TestRandomInt(random, 0, 1);
	def.waves.levelCount = TestRandomInt(random, 1, 3);
	def.enableSleep = sleeps;
	def.sleepSpeed = 0.0f;
	def.sleepTime = TestRandomFloat(random, 0.0f, 0.2f);
	for (int side = 0; side < tn_sideCount; ++side)
	{
		def.edges[side].kind = side < tn_north ? tn_wallEdge : def.edges[side].kind;
		def.edges[side].kind = def.edges[side].kind == tn_inflowEdge || def.edges[side].kind == tn_openEdge
			? tn_wallEdge
			: def.edges[side].kind;
		def.edges[side].level = 1.0f;
	}
	def.edges[tn_south].kind = def.edges[tn_north].kind == tn_wrapEdge ? tn_wrapEdge : def.edges[tn_south].kind;
	busy->def = def;
	busy->width = (float)def.columnCount * def.cellSize;
	busy->height = (float)def.rowCount * def.cellSize;
	if (tnCreateWorld(&def, &busy->world).status != tn_ok)
	{
		return false;
	}
	static float bed[200 * 20];
	for (int i = 0; i < def.columnCount * def.rowCount; ++i)
	{
		bed[i] = i % def.columnCount % 60 == 0 ? 2.0f : 0.25f * (float)(i % 3);
	}
	return tnWorld_SetTerrain(busy->world, bed).status == tn_ok &&
		tnWorld_FillToLevel(busy->world, 1.0f).status == tn_ok;
}

// Now and then, somewhere.
static tnResult DisturbQuiet(BusyWorld* busy)
{
	TestRandom* random = &busy->random;
	const tnVec2 place = DrawBusyPlace(busy);
	static float x[200 * 20], z[200 * 20];
	switch (TestRandomInt(random, 0, 9))
	{
		case 0:
			return tnWorld_FillToLevel(busy->world, 0.25f * (float)TestRandomInt(random, 3, 5));
		case 1:
			return tnWorld_AddWater(busy->world, place, 1.0f, 0.5f, NULL);
		case 2:
			for (int i = 0; i < 200 * 20; ++i)
			{
				x[i] = z[i] = i % 7 == 0 ? 0.3f : 0.0f;
			}
			return tnWorld_SetVelocities(busy->world, x, z);
		case 3:
			return busy->bodyCount < busyBodies ? AddBusyBody(busy) : (tnResult){.status = tn_ok};
		case 4:
		{
			tnBrush brush = tnDefaultBrush();
			brush.center = place;
			brush.amount = 0.25f;
			return tnWorld_EditTerrain(busy->world, &brush);
		}
		case 5:
			return busy->bodyCount > 0 ? tnWorld_DestroyBody(busy->world, busy->bodies[--busy->bodyCount])
									   : (tnResult){.status = tn_ok};
		default:
			return busy->def.waves.enable ? MakeBusyWave(busy) : (tnResult){.status = tn_ok};
	}
}

static int SleepChangesNoBit(void)
{
	int sleptCount = 0;
	for (int seed = 1; seed <= TEST_REPEATS(40); ++seed)
	{
		BusyWorld twins[2];
		for (int i = 0; i < 2; ++i)
		{
			ENSURE(MakeQuiet(twins + i, (uint64_t)seed, i == 1));
		}
		for (int step = 0; step < 90; ++step)
		{
			for (int i = 0; i < 2; ++i)
			{
				// Several at once: what waves see of an edit counts when they are added.
				for (int k = step % 30 > 24 ? TestRandomInt(&twins[i].random, 0, 4) : 0; k > 0; --k)
				{
					ENSURE_OK(DisturbQuiet(twins + i));
				}
				ENSURE_OK(tnWorld_Step(twins[i].world, 1.0f / 60.0f));
			}
			const tnStats stats = tnWorld_GetStats(twins[1].world);
			sleptCount += stats.awakeTileCount < stats.tileCount;
			if (tnWorld_GetHash(twins[0].world) != tnWorld_GetHash(twins[1].world))
			{
				printf("seed %d, step %d: waves %d, spray %d, foam %d, bodies %d\n", seed, step,
					twins[0].def.waves.enable, twins[0].def.spray.enable, twins[0].def.foam.enable, twins[0].bodyCount);
			}
			ENSURE_EQUAL_HEX(tnWorld_GetHash(twins[1].world), tnWorld_GetHash(twins[0].world));
		}
		for (int i = 0; i < 2; ++i)
		{
			tnDestroyWorld(twins[i].world);
		}
	}
	ENSURE(sleptCount > 10);
	return 0;
}

// Bodies in water, on dry ground and where water has just gone: heads below them settle where no water moves, and bodies feel them.
static int BodiesFeelTheSameAsleep(void)
{
	static float bed[12 * 90], none[12 * 90];
	int sleptCount = 0;
	for (int seed = 1; seed <= TEST_REPEATS(120); ++seed)
	{
		TestRandom random = TestMakeRandom((uint64_t)seed);
		tnWorldDef def = tnDefaultWorldDef();
		// Tiles have 64 cells: bodies lie across their borders, from north to south and from west to east.
		const int across = TestRandomInt(&random, 4, 12);
		const int along = TestRandomInt(&random, 4, 90);
		def.columnCount = seed % 2 == 0 ? across : along;
		def.rowCount = seed % 2 == 0 ? along : across;
		def.gravity = TestRandomFloat(&random, 1.0f, 30.0f);
		def.method = (tnMethod)TestRandomInt(&random, 0, tn_methodCount - 1);
		def.sleepSpeed = 0.0f;
		def.sleepTime = TestRandomFloat(&random, 0.0f, 0.2f);
		for (int side = tn_north; side <= tn_south && seed % 3 == 0; ++side)
		{
			def.edges[side].kind = tn_wrapEdge;
		}
		for (int i = 0; i < 12 * 90; ++i)
		{
			bed[i] = TestRandomFloat(&random, -2.0f, 0.0f);
		}
		tnShapeDef shape = tnDefaultShapeDef();
		shape.halfExtents = (tnVec3){TestRandomFloat(&random, 0.3f, 3.0f), 1.5f, TestRandomFloat(&random, 0.3f, 3.0f)};
		tnBodyDef bodyDef = tnDefaultBodyDef();
		bodyDef.shapes = &shape;
		bodyDef.shapeCount = 1;
		bodyDef.mass = TestRandomInt(&random, 0, 1) == 0 ? INFINITY : 1000.0f;
		bodyDef.mode = (tnBodyMode)TestRandomInt(&random, 0, tn_bodyModeCount - 1);
		bodyDef.pose.position = (tnVec3){TestRandomFloat(&random, 0.0f, (float)def.columnCount),
			TestRandomFloat(&random, -1.0f, 1.0f), TestRandomFloat(&random, 0.0f, (float)def.rowCount)};
		if (seed % 4 == 1 && def.columnCount > 64)
		{
			bodyDef.pose.position.x = TestRandomFloat(&random, 59.0f, 69.0f);
		}
		const bool wet = TestRandomInt(&random, 0, 1) == 0;
		const int emptied = TestRandomInt(&random, 1, 40);
		const float timeStep = TestRandomFloat(&random, 0.01f, 0.1f);
		tnWorld* worlds[2];
		tnBodyId ids[2];
		for (int i = 0; i < 2; ++i)
		{
			def.enableSleep = i == 1;
			ENSURE_OK(tnCreateWorld(&def, worlds + i));
			ENSURE_OK(tnWorld_SetTerrain(worlds[i], bed));
			ENSURE_OK(wet ? tnWorld_FillToLevel(worlds[i], 1.0f) : tnWorld_SetDepths(worlds[i], none));
			ENSURE_OK(tnWorld_CreateBody(worlds[i], &bodyDef, ids + i));
		}
		for (int step = 0; step < 120; ++step)
		{
			tnBodyState states[2];
			for (int i = 0; i < 2; ++i)
			{
				if (step == emptied)
				{
					ENSURE_OK(tnWorld_SetDepths(worlds[i], none));
				}
				ENSURE_OK(tnWorld_Step(worlds[i], timeStep));
				ENSURE_OK(tnWorld_GetBodyState(worlds[i], ids[i], states + i));
			}
			sleptCount += tnWorld_GetStats(worlds[1]).awakeTileCount == 0;
			ENSURE_EQUAL_HEX(tnWorld_GetHash(worlds[1]), tnWorld_GetHash(worlds[0]));
			ENSURE(states[0].waterlineHeight == states[1].waterlineHeight);
			ENSURE(states[0].submergedVolume == states[1].submergedVolume);
			ENSURE(states[0].pressure.y == states[1].pressure.y && states[0].drag.x == states[1].drag.x);
		}
		tnDestroyWorld(worlds[0]);
		tnDestroyWorld(worlds[1]);
	}
	ENSURE(sleptCount > 100);
	return 0;
}

// Films of any thinness beside edges that let water through, drained, with friction, for hosts whose time step varies: what looks
// still must stay as it is whatever comes. Edges that keep a velocity without water, and edges that radiate films, did not.
static int FilmsSleepTheSame(void)
{
	enum
	{
		side = 12,
	};
	static const tnEdgeKind kinds[] = {
		tn_wallEdge, tn_openEdge, tn_absorbEdge, tn_absorbEdge, tn_levelEdge, tn_levelEdge};
	int sleptCount = 0;
	int badCount = 0;
	for (int seed = 1; seed <= TEST_REPEATS(400); ++seed)
	{
		TestRandom random = TestMakeRandom((uint64_t)seed);
		float bed[side * side], depth[side * side];
		tnWorldDef def = tnDefaultWorldDef();
		def.columnCount = TestRandomInt(&random, 4, side);
		def.rowCount = TestRandomInt(&random, 4, side);
		def.cellSize = powf(10.0f, TestRandomFloat(&random, -1.0f, 1.0f));
		def.method = (tnMethod)TestRandomInt(&random, 0, tn_methodCount - 1);
		def.section = (tnPipeSection)TestRandomInt(&random, 0, tn_pipeSectionCount - 1);
		def.advection = (tnAdvection)TestRandomInt(&random, 0, tn_advectionCount - 1);
		def.friction = TestRandomInt(&random, 0, 2) > 0 ? 0.0f : powf(10.0f, TestRandomFloat(&random, 0.0f, 3.5f));
		def.sleepSpeed = 0.0f;
		def.sleepTime = 0.0f;
		def.tasks.workerCount = 1;
		for (int i = 0; i < tn_sideCount; ++i)
		{
			def.edges[i].kind = kinds[TestRandomInt(&random, 0, 5)];
			def.edges[i].level = TestRandomFloat(&random, -0.5f, 0.5f);
			def.edges[i].spongeWidth = TestRandomInt(&random, 1, 6);
		}
		const float rough = TestRandomInt(&random, 0, 1) == 0 ? 0.0f : 0.5f;
		// Films alone, or water of all depths that runs off.
		const float thinnest = TestRandomFloat(&random, -30.0f, -6.0f);
		const float thickest = TestRandomInt(&random, 0, 1) == 0 ? thinnest + 2.0f : 0.0f;
		for (int i = 0; i < side * side; ++i)
		{
			bed[i] = TestRandomFloat(&random, -rough, rough);
			depth[i] = powf(10.0f, TestRandomFloat(&random, thinnest, thickest));
		}
		const int drained = TestRandomInt(&random, 0, 60);
		const float radius = TestRandomFloat(&random, 0.1f, 15.0f) * def.cellSize;
		const bool varies = TestRandomInt(&random, 0, 1) == 0;
		tnWorld* worlds[2];
		for (int i = 0; i < 2; ++i)
		{
			def.enableSleep = i == 1;
			ENSURE_OK(tnCreateWorld(&def, worlds + i));
			ENSURE_OK(tnWorld_SetTerrain(worlds[i], bed));
			ENSURE_OK(tnWorld_SetDepths(worlds[i], depth));
		}
		bool same = true;
		for (int step = 0; step < 150 && same; ++step)
		{
			const float timeStep =
				varies && step % 25 == 24 ? powf(10.0f, TestRandomFloat(&random, -3.0f, -0.5f)) : 1.0f / 60.0f;
			for (int i = 0; i < 2; ++i)
			{
				if (step == drained)
				{
					const tnVec2 middle = {
						0.5f * def.cellSize * (float)def.columnCount, 0.5f * def.cellSize * (float)def.rowCount};
					ENSURE_OK(tnWorld_AddWater(worlds[i], middle, radius, -1.0e9f, NULL));
				}
				ENSURE_OK(tnWorld_Step(worlds[i], timeStep));
			}
			sleptCount += tnWorld_GetStats(worlds[1]).awakeTileCount == 0;
			same = tnWorld_GetHash(worlds[0]) == tnWorld_GetHash(worlds[1]);
			if (!same)
			{
				printf("seed %d, step %d: method %d, advection %d, edges %d %d %d %d, friction %g\n", seed, step,
					(int)def.method, (int)def.advection, (int)def.edges[0].kind, (int)def.edges[1].kind,
					(int)def.edges[2].kind, (int)def.edges[3].kind, (double)def.friction);
			}
		}
		badCount += same ? 0 : 1;
		tnDestroyWorld(worlds[0]);
		tnDestroyWorld(worlds[1]);
	}
	ENSURE_EQUAL_INT(badCount, 0);
	ENSURE(sleptCount > TEST_REPEATS(1000));
	return 0;
}

// Pipes let a lake rest whose surface is level up to rounding. The shallow method sees its slopes.
static int OtherMethodsWakeTheSame(void)
{
	int sleptCount = 0;
	for (int seed = 1; seed <= TEST_REPEATS(40); ++seed)
	{
		TestRandom random = TestMakeRandom((uint64_t)seed);
		float bed[9 * 7];
		for (int i = 0; i < 9 * 7; ++i)
		{
			bed[i] = TestRandomFloat(&random, -4.0f, 0.0f);
		}
		tnWorld* worlds[2];
		for (int i = 0; i < 2; ++i)
		{
			tnWorldDef def = tnDefaultWorldDef();
			def.columnCount = 9;
			def.rowCount = 7;
			def.method = (tnMethod)(seed % tn_methodCount);
			def.sleepSpeed = 0.0f;
			def.sleepTime = 0.0f;
			def.enableSleep = i == 1;
			ENSURE_OK(tnCreateWorld(&def, worlds + i));
			ENSURE_OK(tnWorld_SetTerrain(worlds[i], bed));
			ENSURE_OK(tnWorld_FillToLevel(worlds[i], 1.0f));
		}
		for (int step = 0; step < 60; ++step)
		{
			for (int i = 0; i < 2; ++i)
			{
				if (step == 30)
				{
					ENSURE_OK(tnWorld_SetMethod(
						worlds[i], (tnMethod)((seed + 2) % tn_methodCount), (tnAdvection)(seed % tn_advectionCount)));
				}
				ENSURE_OK(tnWorld_Step(worlds[i], 1.0f / 60.0f));
			}
			sleptCount += step < 30 && tnWorld_GetStats(worlds[1]).awakeTileCount == 0;
			ENSURE_EQUAL_HEX(tnWorld_GetHash(worlds[1]), tnWorld_GetHash(worlds[0]));
		}
		tnDestroyWorld(worlds[0]);
		tnDestroyWorld(worlds[1]);
	}
	ENSURE(sleptCount > 100 / TEST_BREVITY);
	return 0;
}

// A jet that falls on ground that sleeps: regions see the water in the step in which it lands.
static int RegionsSeeWhatLandsOnThem(void)
{
	tnWorld* worlds[2];
	for (int i = 0; i < 2; ++i)
	{
		tnWorldDef def = tnDefaultWorldDef();
		def.columnCount = 9;
		def.rowCount = 7;
		def.sleepSpeed = 0.0f;
		def.sleepTime = 0.0f;
		def.spray.enable = true;
		def.enableSleep = i == 1;
		ENSURE_OK(tnCreateWorld(&def, worlds + i));
		tnJetDef jet = tnDefaultJetDef();
		jet.position = (tnVec3){4.5f, 30.0f, 3.5f};
		jet.rate = 10.0f;
		tnJetId jetId;
		ENSURE_OK(tnWorld_CreateJet(worlds[i], &jet, &jetId));
		tnRegionDef region = tnDefaultRegionDef();
		region.center = (tnVec2){4.5f, 3.5f};
		region.extent = (tnVec2){4.0f, 4.0f};
		region.triggerDepth = 0.01f;
		tnRegionId regionId;
		ENSURE_OK(tnWorld_CreateRegion(worlds[i], &region, &regionId));
	}
	int eventCount = 0;
	bool slept = false;
	for (int step = 0; step < 600; ++step)
	{
		ENSURE_OK(tnWorld_Step(worlds[0], 1.0f / 60.0f));
		ENSURE_OK(tnWorld_Step(worlds[1], 1.0f / 60.0f));
		slept = slept || (eventCount == 0 && tnWorld_GetStats(worlds[1]).awakeTileCount == 0);
		const tnRegionEvents events = tnWorld_GetRegionEvents(worlds[0]);
		ENSURE_EQUAL_INT(tnWorld_GetRegionEvents(worlds[1]).count, events.count);
		eventCount += events.count;
	}
	ENSURE(slept && eventCount > 0);
	tnDestroyWorld(worlds[0]);
	tnDestroyWorld(worlds[1]);
	return 0;
}

// A body that spins on dry ground, far from water that moves: faces that it closes had its velocity, and none once their tile slept.
static int SpinsOnDryGroundSleepTheSame(void)
{
	tnWorld* worlds[2];
	for (int i = 0; i < 2; ++i)
	{
		tnWorldDef def = tnDefaultWorldDef();
		def.columnCount = 300;
		def.rowCount = 4;
		def.cellSize = 9.0f;
		def.method = tn_shallowMethod;
		def.enableSleep = i == 1;
		def.sleepSpeed = 0.0f;
		def.sleepTime = 0.0f;
		def.foam.enable = true;
		ENSURE_OK(tnCreateWorld(&def, worlds + i));
		tnSourceDef source = tnDefaultSourceDef();
		source.center = (tnVec2){2051.0f, 9.0f};
		source.rate = 81.0f;
		tnSourceId sourceId;
		ENSURE_OK(tnWorld_CreateSource(worlds[i], &source, &sourceId));
		tnShapeDef shape = tnDefaultShapeDef();
		shape.halfExtents = (tnVec3){13.5f, 13.5f, 13.5f};
		tnBodyDef body = tnDefaultBodyDef();
		body.shapes = &shape;
		body.shapeCount = 1;
		body.mass = 1.0f;
		body.pose.position.z = 18.0f;
		body.spin.z = 1.0f;
		tnBodyId bodyId;
		ENSURE_OK(tnWorld_CreateBody(worlds[i], &body, &bodyId));
	}
	int sleptCount = 0;
	for (int step = 0; step < 40; ++step)
	{
		for (int i = 0; i < 2; ++i)
		{
			ENSURE_OK(tnWorld_Step(worlds[i], 1.0f / 60.0f));
		}
		const tnStats stats = tnWorld_GetStats(worlds[1]);
		sleptCount += stats.awakeTileCount < stats.tileCount;
		ENSURE_EQUAL_HEX(tnWorld_GetHash(worlds[1]), tnWorld_GetHash(worlds[0]));
	}
	ENSURE(sleptCount > 10);
	tnDestroyWorld(worlds[0]);
	tnDestroyWorld(worlds[1]);
	return 0;
}

// A body that is made while all water sleeps, and whose cells are not around its position: they come round past an edge, or it
// is so fast that it will be elsewhere at the end of the step.
static int FarBodiesWakeWhatTheyCover(void)
{
	for (int fast = 0; fast < 2; ++fast)
	{
		tnWorld* worlds[2];
		for (int i = 0; i < 2; ++i)
		{
			tnWorldDef def = tnDefaultWorldDef();
			def.columnCount = fast ? 300 : 4;
			def.rowCount = 4;
			def.edges[tn_north].kind = def.edges[tn_south].kind = fast ? tn_wallEdge : tn_wrapEdge;
			def.enableSleep = i == 1;
			def.sleepSpeed = 0.0f;
			def.sleepTime = 0.0f;
			ENSURE_OK(tnCreateWorld(&def, worlds + i));
			ENSURE_OK(tnWorld_FillToLevel(worlds[i], 1.0f));
			for (int step = 0; step < 20; ++step)
			{
				ENSURE_OK(tnWorld_Step(worlds[i], 1.0f / 60.0f));
			}
		}
		ENSURE_EQUAL_INT(tnWorld_GetStats(worlds[1]).awakeTileCount, 0);
		for (int i = 0; i < 2; ++i)
		{
			tnShapeDef shape = tnDefaultShapeDef();
			shape.kind = tn_sphereShape;
			shape.radius = 1.0f;
			tnBodyDef body = tnDefaultBodyDef();
			body.shapes = &shape;
			body.shapeCount = 1;
			body.mass = 1.0f;
			body.pose.position = (tnVec3){fast ? 20.0f : 0.0f, 0.0f, fast ? 2.0f : -42.0f};
			body.velocity.x = fast ? 9000.0f : 0.0f;
			tnBodyId id;
			ENSURE_OK(tnWorld_CreateBody(worlds[i], &body, &id));
			ENSURE_OK(tnWorld_Step(worlds[i], 1.0f / 60.0f));
		}
		ENSURE(tnWorld_GetStats(worlds[1]).awakeTileCount > 0);
		ENSURE_EQUAL_HEX(tnWorld_GetHash(worlds[1]), tnWorld_GetHash(worlds[0]));
		tnDestroyWorld(worlds[0]);
		tnDestroyWorld(worlds[1]);
	}
	return 0;
}

// Water that sleeps and gets a push is heard at once.
static int SleepingWaterIsHeard(void)
{
	enum
	{
		capacity = 4,
	};
	tnWorld* worlds[2];
	for (int i = 0; i < 2; ++i)
	{
		tnWorldDef def = tnDefaultWorldDef();
		def.columnCount = 300;
		def.rowCount = 6;
		def.enableSleep = i == 1;
		def.sleepSpeed = 0.0f;
		def.sleepTime = 0.0f;
		ENSURE_OK(tnCreateWorld(&def, worlds + i));
		ENSURE_OK(tnWorld_FillToLevel(worlds[i], 1.0f));
		for (int step = 0; step < 20; ++step)
		{
			ENSURE_OK(tnWorld_Step(worlds[i], 1.0f / 60.0f));
		}
	}
	ENSURE_EQUAL_INT(tnWorld_GetStats(worlds[1]).awakeTileCount, 0);
	tnSound sounds[2][capacity];
	int counts[2];
	for (int i = 0; i < 2; ++i)
	{
		ENSURE_OK(tnWorld_AddImpulse(worlds[i], (tnVec2){128.0f, 2.5f}, 1.0f, (tnVec2){9000.0f, 0.0f}));
		ENSURE_OK(tnWorld_GetSounds(worlds[i], sounds[i], capacity, counts + i));
	}
	ENSURE_EQUAL_INT(counts[1], counts[0]);
	ENSURE(counts[0] > 0);
	for (int i = 0; i < counts[0]; ++i)
	{
		ENSURE_EQUAL_INT(memcmp(sounds[1] + i, sounds[0] + i, sizeof(tnSound)), 0);
	}
	tnDestroyWorld(worlds[0]);
	tnDestroyWorld(worlds[1]);
	return 0;
}

// A body that is said to turn, over ground that has run dry under it.
static int BodiesGoOnOverDryGround(void)
{
	for (int method = 0; method < tn_methodCount; ++method)
	{
		tnWorld* worlds[2];
		for (int i = 0; i < 2; ++i)
		{
			tnWorldDef def = tnDefaultWorldDef();
			def.columnCount = 4;
			def.rowCount = 4;
			def.method = (tnMethod)method;
			for (int edge = 0; edge < tn_sideCount; ++edge)
			{
				def.edges[edge].kind = tn_wrapEdge;
			}
			def.enableSleep = i == 1;
			def.sleepSpeed = 0.0f;
			def.sleepTime = 0.0f;
			ENSURE_OK(tnCreateWorld(&def, worlds + i));
			ENSURE_OK(tnWorld_FillToLevel(worlds[i], 1.0f));
			tnShapeDef shape = tnDefaultShapeDef();
			shape.kind = tn_cylinderShape;
			shape.radius = 1.0f;
			shape.halfLength = 1.0f;
			tnBodyDef body = tnDefaultBodyDef();
			body.shapes = &shape;
			body.shapeCount = 1;
			body.mass = 1.0f;
			body.mode = tn_floatingBody;
			body.pose.position.x = 1.0f;
			body.spin.z = 1.0f;
			tnBodyId id;
			ENSURE_OK(tnWorld_CreateBody(worlds[i], &body, &id));
			ENSURE_OK(tnWorld_Step(worlds[i], 1.0f / 60.0f));
			ENSURE_OK(tnWorld_FillToLevel(worlds[i], 0.0f));
			for (int step = 0; step < 17; ++step)
			{
				ENSURE_OK(tnWorld_Step(worlds[i], 0.1f));
			}
		}
		ENSURE_EQUAL_HEX(tnWorld_GetHash(worlds[1]), tnWorld_GetHash(worlds[0]));
		tnDestroyWorld(worlds[0]);
		tnDestroyWorld(worlds[1]);
	}
	return 0;
}

static const Test s_tests[] = {
	{"SleepChangesNoBit", SleepChangesNoBit},
	{"BodiesFeelTheSameAsleep", BodiesFeelTheSameAsleep},
	{"FilmsSleepTheSame", FilmsSleepTheSame},
	{"OtherMethodsWakeTheSame", OtherMethodsWakeTheSame},
	{"RegionsSeeWhatLandsOnThem", RegionsSeeWhatLandsOnThem},
	{"SpinsOnDryGroundSleepTheSame", SpinsOnDryGroundSleepTheSame},
	{"FarBodiesWakeWhatTheyCover", FarBodiesWakeWhatTheyCover},
	{"SleepingWaterIsHeard", SleepingWaterIsHeard},
	{"BodiesGoOnOverDryGround", BodiesGoOnOverDryGround},
};

const TestSuite sleepSuite = TEST_SUITE("sleep", s_tests);
