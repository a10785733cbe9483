// SPDX-License-Identifier: MIT

#pragma once

// Small worlds drawn at random in which all layers are on and something happens in every step. Two that are made with the
// same seed get the same calls, whatever else differs between them.

#include "harness.h"

#include <tarn/tarn.h>

enum
{
	busyBodies = 3,
	// Worlds may be so many times as wide and as high, to have several tiles.
	busyScale = 4,
	// Cells of a world, at most.
	busyCells = 48 * 48 * busyScale * busyScale,
};

typedef struct BusyWorld
{
	tnWorld* world;
	tnWorldDef def;
	TestRandom random;
	tnBodyId bodies[busyBodies];
	tnPose poses[busyBodies];
	int bodyCount;
	tnInterestId interest;
	tnJetId jet;
	float width, height; // m
} BusyWorld;

static inline bool IsBusyChance(TestRandom* random, int count)
{
	return TestRandomInt(random, 1, count) == 1;
}

static inline tnVec2 DrawBusyPlace(BusyWorld* busy)
{
	return (tnVec2){busy->def.origin.x + busy->width * TestRandomFloat(&busy->random, 0.0f, 0.999f),
		busy->def.origin.z + busy->height * TestRandomFloat(&busy->random, 0.0f, 0.999f)};
}

// Tiles of waves have 64 cells: sides that are odd numbers of those of some level, and sides that are none at all.
static inline int DrawBusySide(TestRandom* random, int finerLevels)
{
	const int tile = 64 >> finerLevels;
	const int most = 48 / tile;
	switch (TestRandomInt(random, 0, 3))
	{
		case 0:
			return TestRandomInt(random, 4, 9);
		case 1:
			return TestRandomInt(random, 10, 47);
		default:
			return most >= 1 && tile >= 4 ? tile * TestRandomInt(random, 1, most < 5 ? most : 5) : 32;
	}
}

static inline void DrawBusyEdges(TestRandom* random, tnEdgeDef* edges)
{
	for (int axis = 0; axis < 2; ++axis)
	{
		const bool wraps = IsBusyChance(random, 2);
		for (int end = 0; end < 2; ++end)
		{
			tnEdgeDef* edge = edges + 2 * axis + end;
			*edge = tnDefaultEdgeDef();
			edge->kind = wraps ? tn_wrapEdge : (tnEdgeKind)TestRandomInt(random, tn_wallEdge, tn_inflowEdge);
			edge->level = TestRandomFloat(random, 0.5f, 2.0f);
			edge->inflow = edge->kind == tn_inflowEdge ? TestRandomFloat(random, 0.0f, 1.0f) : 0.0f;
			edge->spongeWidth = TestRandomInt(random, 1, 5);
		}
	}
}

// @param take may waves be handed over from the flow?
static inline tnWorldDef DrawBusyDef(TestRandom* random, bool take)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.waves.enable = !IsBusyChance(random, 8);
	def.waves.finerLevels = TestRandomInt(random, 0, 4);
	def.waves.levelCount = TestRandomInt(random, 1, def.waves.finerLevels + 3);
	def.waves.tileCount = IsBusyChance(random, 3) ? TestRandomInt(random, 1, 12) : 40;
	def.waves.kernel = (tnWaveKernel)TestRandomInt(random, 0, tn_waveKernelCount - 1);
	def.waves.breakingLimit = IsBusyChance(random, 4) ? 0.0f : TestRandomFloat(random, 0.1f, 2.0f);
	def.waves.takeFromFlow = take && IsBusyChance(random, 2);
	def.waves.restHeight = IsBusyChance(random, 3) ? 0.0f : 1.0e-6f;
	def.waves.damping = IsBusyChance(random, 2) ? 0.0f : 0.1f;
	def.waves.enableDrift = IsBusyChance(random, 2);
	def.waves.enableDetail = IsBusyChance(random, 2);
	def.columnCount = DrawBusySide(random, def.waves.finerLevels);
	def.rowCount = DrawBusySide(random, def.waves.finerLevels);
	def.cellSize = TestRandomFloat(random, 0.3f, 1.5f);
	def.origin = (tnVec2){TestRandomFloat(random, -50.0f, 50.0f), TestRandomFloat(random, -50.0f, 50.0f)};
	def.method = (tnMethod)TestRandomInt(random, 0, tn_methodCount - 1);
	def.advection = (tnAdvection)TestRandomInt(random, 0, tn_advectionCount - 1);
	def.section = (tnPipeSection)TestRandomInt(random, 0, tn_pipeSectionCount - 1);
	def.fixedSection = 1.0f;
	def.manning = IsBusyChance(random, 2) ? 0.03f : 0.0f;
	def.tracerCount = TestRandomInt(random, 0, 2);
	def.enableSleep = IsBusyChance(random, 2);
	def.spray.enable = !IsBusyChance(random, 4);
	def.spray.capacity = IsBusyChance(random, 2) ? 64 : 1024;
	def.spray.ledgeHeight = 0.3f;
	def.foam.enable = !IsBusyChance(random, 4);
	DrawBusyEdges(random, def.edges);
	return def;
}

static inline tnResult AddBusyBody(BusyWorld* busy)
{
	TestRandom* random = &busy->random;
	tnShapeDef shape = tnDefaultShapeDef();
	shape.kind = (tnShapeKind)TestRandomInt(random, tn_boxShape, tn_cylinderShape);
	shape.halfExtents = (tnVec3){
		TestRandomFloat(random, 0.2f, 2.0f), TestRandomFloat(random, 0.2f, 1.0f), TestRandomFloat(random, 0.2f, 2.0f)};
	shape.radius = TestRandomFloat(random, 0.2f, 1.5f);
	shape.halfLength = TestRandomFloat(random, 0.1f, 1.0f);
	tnBodyDef body = tnDefaultBodyDef();
	body.shapes = &shape;
	body.shapeCount = 1;
	body.mode = (tnBodyMode)TestRandomInt(random, 0, tn_bodyModeCount - 1);
	const tnVec2 place = DrawBusyPlace(busy);
	body.pose.position = (tnVec3){place.x, TestRandomFloat(random, 0.5f, 2.0f), place.z};
	body.pose.rotation = (tnQuat){0.0f, TestRandomFloat(random, -1.0f, 1.0f), 0.0f, 1.0f};
	tnBodyId id;
	const tnResult result = tnWorld_CreateBody(busy->world, &body, &id);
	if (result.status == tn_ok)
	{
		busy->poses[busy->bodyCount] = body.pose;
		busy->bodies[busy->bodyCount++] = id;
	}
	return result;
}

// A bed with steps, dry places and pools, and water in it.
static inline bool MakeScaledBusyWorld(
	BusyWorld* busy, uint64_t seed, int workerCount, bool take, tnAllocator allocator, int scale)
{
	*busy = (BusyWorld){.random = TestMakeRandom(seed)};
	TestRandom* random = &busy->random;
	tnWorldDef def = DrawBusyDef(random, take);
	def.columnCount *= scale;
	def.rowCount *= scale;
	def.tasks.workerCount = workerCount;
	def.allocator = allocator;
	busy->def = def;
	busy->width = (float)def.columnCount * def.cellSize;
	busy->height = (float)def.rowCount * def.cellSize;
	if (tnCreateWorld(&def, &busy->world).status != tn_ok)
	{
		return false;
	}
	static float bed[busyCells];
	const int stripe = TestRandomInt(random, 3, 12);
	const float tall = TestRandomFloat(random, 0.0f, 2.0f);
	for (int i = 0; i < def.columnCount * def.rowCount; ++i)
	{
		const bool high = (i % def.columnCount / stripe + i / def.columnCount / stripe) % 3 == 0;
		bed[i] = (high ? tall : 0.0f) + TestRandomFloat(random, 0.0f, 0.2f);
	}
	bool ok = tnWorld_SetTerrain(busy->world, bed).status == tn_ok;
	ok = ok && tnWorld_FillToLevel(busy->world, TestRandomFloat(random, 0.4f, 1.5f)).status == tn_ok;
	ok = ok && tnWorld_SetRain(busy->world, IsBusyChance(random, 2) ? 1.0e-4f : 0.0f, NULL).status == tn_ok;
	const int bodyCount = TestRandomInt(random, 0, busyBodies);
	for (int i = 0; i < bodyCount && ok; ++i)
	{
		ok = AddBusyBody(busy).status == tn_ok;
	}
	if (ok && def.spray.enable)
	{
		const tnVec2 place = DrawBusyPlace(busy);
		tnJetDef jet = tnDefaultJetDef();
		jet.position = (tnVec3){place.x, 3.0f, place.z};
		jet.velocity = (tnVec3){TestRandomFloat(random, -8.0f, 8.0f), 2.0f, TestRandomFloat(random, -8.0f, 8.0f)};
		jet.rate = 0.2f;
		ok = tnWorld_CreateJet(busy->world, &jet, &busy->jet).status == tn_ok;
	}
	if (ok && def.waves.enable && !IsBusyChance(random, 3))
	{
		tnInterestDef interest = tnDefaultInterestDef();
		interest.position = DrawBusyPlace(busy);
		interest.reach = TestRandomFloat(random, 1.0f, 30.0f);
		ok = tnWorld_CreateInterest(busy->world, &interest, &busy->interest).status == tn_ok;
	}
	if (ok && def.waves.enable)
	{
		ok = tnWorld_SetWind(busy->world, (tnVec2){TestRandomFloat(random, -20.0f, 20.0f), 3.0f}).status == tn_ok;
		const tnSwell swell = {{1.0f, TestRandomFloat(random, -1.0f, 1.0f)}, 0.05f, 1.5f, 0.0f};
		(void)tnWorld_SetSwell(busy->world, &swell, 1);
	}
	if (!ok)
	{
		tnDestroyWorld(busy->world);
		busy->world = NULL;
	}
	return ok;
}

static inline bool MakeBusyWorldWith(BusyWorld* busy, uint64_t seed, int workerCount, bool take, tnAllocator allocator)
{
	return MakeScaledBusyWorld(busy, seed, workerCount, take, allocator, 1);
}

static inline bool MakeBusyWorld(BusyWorld* busy, uint64_t seed, int workerCount, bool take)
{
	return MakeBusyWorldWith(busy, seed, workerCount, take, (tnAllocator){0});
}

static inline tnResult MoveBusyBody(BusyWorld* busy, int index)
{
	TestRandom* random = &busy->random;
	tnPose* pose = busy->poses + index;
	const tnVec3 velocity = {TestRandomFloat(random, -3.0f, 3.0f), TestRandomFloat(random, -2.0f, 2.0f),
		TestRandomFloat(random, -3.0f, 3.0f)};
	if (IsBusyChance(random, 10))
	{
		const tnVec2 place = DrawBusyPlace(busy);
		pose->position = (tnVec3){place.x, 1.0f, place.z};
	}
	pose->position.x += velocity.x / 60.0f;
	pose->position.y += velocity.y / 60.0f;
	pose->position.z += velocity.z / 60.0f;
	return tnWorld_MoveBody(busy->world, busy->bodies[index], pose, velocity, (tnVec3){0.0f, 1.0f, 0.0f});
}

static inline tnResult MakeBusyWave(BusyWorld* busy)
{
	TestRandom* random = &busy->random;
	const tnVec2 place = DrawBusyPlace(busy);
	switch (TestRandomInt(random, 0, 3))
	{
		case 0:
		{
			const tnWaveEllipse ellipse = {place, {1.0f, TestRandomFloat(random, -1.0f, 1.0f)},
				{TestRandomFloat(random, 0.1f, 4.0f), TestRandomFloat(random, 0.1f, 4.0f)},
				TestRandomFloat(random, -0.5f, 0.5f)};
			return tnWorld_AddWave(busy->world, NULL, &ellipse);
		}
		case 1:
		{
			const tnWaveDrop drop = {place, TestRandomFloat(random, 0.0f, 0.5f)};
			return tnWorld_AddDrops(busy->world, &drop, 1);
		}
		case 2:
			return tnWorld_SetWaveDamping(busy->world, TestRandomFloat(random, 0.0f, 0.5f));
		default:
		{
			tnInterestDef interest = tnDefaultInterestDef();
			interest.position = place;
			interest.reach = TestRandomFloat(random, 0.5f, 30.0f);
			return tnInterest_IsValid(busy->world, busy->interest)
				? tnWorld_SetInterest(busy->world, busy->interest, &interest)
				: (tnResult){.status = tn_ok};
		}
	}
}

static inline tnResult ChangeBusyWorld(BusyWorld* busy)
{
	TestRandom* random = &busy->random;
	const tnVec2 place = DrawBusyPlace(busy);
	switch (TestRandomInt(random, 0, 5))
	{
		case 0:
			if (busy->bodyCount == 0)
			{
				DrawBusyEdges(random, busy->def.edges);
			}
			return tnWorld_SetEdges(busy->world, busy->def.edges);
		case 1:
			return tnWorld_SetMethod(busy->world, (tnMethod)TestRandomInt(random, 0, tn_methodCount - 1),
				(tnAdvection)TestRandomInt(random, 0, tn_advectionCount - 1));
		case 2:
			return tnWorld_AddWater(busy->world, place, 1.0f, TestRandomFloat(random, -0.5f, 2.0f), NULL);
		case 3:
			return tnWorld_AddImpulse(
				busy->world, place, 2.0f, (tnVec2){TestRandomFloat(random, -1.0e4f, 1.0e4f), 0.0f});
		case 4:
			return busy->def.foam.enable ? tnWorld_AddFoam(busy->world, place, 2.0f, 1.0f)
										 : (tnResult){.status = tn_ok};
		default:
		{
			tnBrush brush = tnDefaultBrush();
			brush.center = place;
			brush.radius = TestRandomFloat(random, 0.5f, 3.0f);
			brush.amount = TestRandomFloat(random, -0.5f, 0.5f);
			return tnWorld_EditTerrain(busy->world, &brush);
		}
	}
}

// Something happens, and a step.
static inline tnResult StepBusyWorld(BusyWorld* busy)
{
	tnResult result = {.status = tn_ok};
	for (int i = 0; i < busy->bodyCount && result.status == tn_ok; ++i)
	{
		result = MoveBusyBody(busy, i);
	}
	if (result.status == tn_ok && busy->def.waves.enable && IsBusyChance(&busy->random, 2))
	{
		result = MakeBusyWave(busy);
	}
	if (result.status == tn_ok && IsBusyChance(&busy->random, 4))
	{
		result = ChangeBusyWorld(busy);
	}
	if (result.status == tn_ok)
	{
		result = tnWorld_Step(busy->world, IsBusyChance(&busy->random, 8) ? 1.0f / 50.0f : 1.0f / 60.0f);
	}
	return result;
}
