// SPDX-License-Identifier: MIT

// What a host of a surface is told has changed: a mirror that is kept by it alone, what rests, worlds that go back, water on decks.

#include "harness.h"
#include "surface_kit.h"

#include <stdlib.h>
#include <string.h>

static uint32_t s_random;

static uint32_t Draw(uint32_t end)
{
	s_random = s_random * 1664525u + 1013904223u;
	return (uint32_t)(((uint64_t)s_random * end) >> 32);
}

static float DrawFloat(float low, float high)
{
	return low + (high - low) * (float)Draw(1u << 24) / (float)(1 << 24);
}

// A host that knows only what it is told.
typedef struct Mirror
{
	uint8_t* texels[TN_MAX_SURFACE_LAYERS];
	size_t tileBytes[TN_MAX_SURFACE_LAYERS];
	int layerCount, tileCount;
} Mirror;

static Mirror MakeMirror(const tnSurface* surface, const tnSurfaceDef* def)
{
	Mirror mirror = {.layerCount = def->layerCount, .tileCount = tnSurface_GetTileCount(surface)};
	const size_t size = TN_SURFACE_TILE_SIZE + 2 * (size_t)def->halo;
	for (int i = 0; i < def->layerCount; ++i)
	{
		const size_t number = def->layers[i].format == tn_surfaceHalves ? 2 : 4;
		mirror.tileBytes[i] = size * size * (size_t)def->layers[i].channelCount * number;
		mirror.texels[i] = malloc(mirror.tileBytes[i] * (size_t)mirror.tileCount);
		memset(mirror.texels[i], 0xA5, mirror.tileBytes[i] * (size_t)mirror.tileCount);
	}
	return mirror;
}

static void FreeMirror(Mirror* mirror)
{
	for (int i = 0; i < mirror->layerCount; ++i)
	{
		free(mirror->texels[i]);
	}
}

// Returns how many tiles there were in the list.
static int FollowChanges(Mirror* mirror, tnSurface* surface)
{
	const tnSurfaceChanges changes = tnSurface_TakeChanges(surface);
	for (int i = 0; i < changes.count; ++i)
	{
		tnSurfaceTile tile;
		tnSurface_GetTile(surface, changes.items[i].tile, &tile);
		for (int layer = 0; layer < mirror->layerCount; ++layer)
		{
			if ((changes.items[i].layers >> layer & 1u) != 0)
			{
				memcpy(mirror->texels[layer] + mirror->tileBytes[layer] * (size_t)changes.items[i].tile,
					tile.texels[layer], mirror->tileBytes[layer]);
			}
		}
	}
	return changes.count;
}

// Tiles in which it is not what the surface has. @param layers how many of them are compared
static int CountUnlike(const Mirror* mirror, const tnSurface* surface, int layers)
{
	int wrong = 0;
	for (int i = 0; i < mirror->tileCount; ++i)
	{
		tnSurfaceTile tile;
		tnSurface_GetTile(surface, i, &tile);
		for (int layer = 0; layer < layers; ++layer)
		{
			wrong += memcmp(mirror->texels[layer] + mirror->tileBytes[layer] * (size_t)i, tile.texels[layer],
						 mirror->tileBytes[layer]) != 0
				? 1
				: 0;
		}
	}
	return wrong;
}

// What a random host has in its hands.
typedef struct RandomHost
{
	tnBodyId bodies[4];
	int bodyCount;
	bool slabs; // bodies are slabs in the air: decks
	bool edges; // edges of the world change
	uint8_t* bytes;
	size_t capacity, size; // of a snapshot, 0 for none
} RandomHost;

static tnBodyId AddSlab(tnWorld* world, tnVec3 place)
{
	tnShapeDef shape = tnDefaultShapeDef();
	shape.halfExtents = (tnVec3){5.0f, 0.25f, 3.0f};
	tnBodyDef def = tnDefaultBodyDef();
	def.shapes = &shape;
	def.shapeCount = 1;
	def.mass = INFINITY;
	def.mode = tn_blockingBody;
	def.pose.position = place;
	def.pose.rotation = (tnQuat){0.0f, 0.0f, 0.0f, 1.0f};
	tnBodyId id = {0};
	tnWorld_CreateBody(world, &def, &id);
	return id;
}

static void DisturbBodies(tnWorld* world, RandomHost* host, tnVec2 place)
{
	tnBodyId* body = host->bodies + Draw((uint32_t)host->bodyCount);
	tnPose pose = {{place.x, DrawFloat(0.0f, 2.5f), place.z}, {0.0f, DrawFloat(0.0f, 0.9f), 0.1f, 0.5f}};
	if (host->slabs)
	{
		pose = (tnPose){{place.x, DrawFloat(3.0f, 6.0f), place.z}, {0.0f, 0.0f, DrawFloat(-0.02f, 0.02f), 1.0f}};
	}
	if (Draw(6) == 0 && tnBody_IsValid(world, *body))
	{
		tnWorld_DestroyBody(world, *body);
	}
	else if (tnBody_IsValid(world, *body))
	{
		const tnVec3 velocity = {DrawFloat(-1.0f, 1.0f), 0.0f, DrawFloat(-1.0f, 1.0f)};
		tnWorld_MoveBody(world, *body, &pose, host->slabs ? (tnVec3){0} : velocity, (tnVec3){0.0f, 1.0f, 0.0f});
	}
	else
	{
		*body = host->slabs ? AddSlab(world, pose.position)
							: AddBox(world, pose.position, (tnVec3){1.5f, 1.0f, 1.5f}, 800.0f);
	}
	if (host->slabs)
	{
		// Onto it.
		tnWorld_AddWater(world, place, 2.0f, DrawFloat(0.0f, 5.0f), NULL);
	}
}

static void DisturbEdges(tnWorld* world)
{
	tnEdgeDef edges[tn_sideCount];
	for (int side = 0; side < tn_sideCount; ++side)
	{
		edges[side] = tnDefaultWorldDef().edges[side];
		edges[side].kind = Draw(2) == 0 ? tn_openEdge : tn_wallEdge;
	}
	for (int axis = 0; axis < 2; ++axis)
	{
		const tnSide low = axis == 0 ? tn_west : tn_north, high = axis == 0 ? tn_east : tn_south;
		if (Draw(2) == 0)
		{
			edges[low].kind = edges[high].kind = tn_wrapEdge;
		}
	}
	tnWorld_SetEdges(world, edges);
}

// Save the world now, or go back to when it was saved.
static void SaveOrRestore(tnWorld* world, RandomHost* host)
{
	if (host->size > 0 && Draw(2) == 0)
	{
		tnWorld_Restore(world, host->bytes, host->size);
		return;
	}
	size_t size = 0;
	tnWorld_Save(world, NULL, 0, &size);
	if (size > host->capacity)
	{
		free(host->bytes);
		host->bytes = malloc(size);
		host->capacity = size;
	}
	host->size = tnWorld_Save(world, host->bytes, host->capacity, &size).status == tn_ok ? size : 0;
}

static void Disturb(tnWorld* world, RandomHost* host)
{
	const tnVec2 place = {-13.0f + DrawFloat(1.0f, 74.0f), 7.5f + DrawFloat(1.0f, 42.0f)};
	switch (Draw(host->bodyCount > 0 ? 15 : 12))
	{
		case 0:
			tnWorld_AddWater(world, place, DrawFloat(0.5f, 4.0f), DrawFloat(-20.0f, 20.0f), NULL);
			break;
		case 1:
			tnWorld_EditTerrain(world,
				&(tnBrush){.kind = (tnBrushKind)Draw(3),
					.shape = (tnBrushShape)Draw(2),
					.center = place,
					.radius = DrawFloat(0.5f, 6.0f),
					.falloff = 0.5f,
					.amount = DrawFloat(0.0f, 0.5f),
					.height = DrawFloat(-1.0f, 3.0f)});
			break;
		case 2:
			tnWorld_AddImpulse(world, place, 2.0f, (tnVec2){DrawFloat(-9000.0f, 9000.0f), 500.0f});
			break;
		case 3:
			tnWorld_SetMethod(world, (tnMethod)Draw(tn_methodCount), tn_conservativeAdvection);
			break;
		case 4:
			tnWorld_SetRain(world, Draw(4) == 0 ? 1.0e-4f : 0.0f, NULL);
			break;
		case 5:
			tnWorld_AddFoam(world, place, 3.0f, 2.0f);
			break;
		case 6:
			SaveOrRestore(world, host);
			break;
		case 7:
			tnWorld_SetGravity(world, DrawFloat(1.0f, 12.0f));
			break;
		case 8:
			tnWorld_SetWorkerCount(world, 1 + (int)Draw(3));
			break;
		case 9:
			tnWorld_SetSleep(world, Draw(4) != 0, DrawFloat(0.0f, 0.03f), 0.3f);
			break;
		case 10:
			if (host->edges)
			{
				DisturbEdges(world);
			}
			break;
		case 11:
			AddWave(world, place, 0.8f, 0.1f);
			break;
		default:
			DisturbBodies(world, host, place);
			break;
	}
}

// After many random steps and edits a mirror that is kept by the list alone is the whole, and the whole is what a surface has that
// looks for the first time. Layers whose past matters (wetness, foam that was guessed) come last, and only the first are compared
// with the new one.
static int MissesNoChange(void)
{
	enum
	{
		plainKind = 0,
		bodyKind,
		foamKind,
		waveKind,
		deckKind,
		edgeKind,
		kindCount,
	};
	for (int kind = 0; kind < kindCount; ++kind)
	{
		s_random = 20261u + (uint32_t)kind;
		tnWorldDef def = tnDefaultWorldDef();
		def.sleepSpeed = kind == bodyKind || kind == deckKind ? 0.0f : 0.02f;
		def.sleepTime = 0.3f;
		def.friction = 1.5f;
		def.tasks.workerCount = 3;
		def.foam.enable = kind == foamKind;
		def.spray.enable = kind == foamKind;
		def.waves.enable = kind == waveKind || kind == deckKind;
		def.waves.finerLevels = 1;
		def.waves.levelCount = 3;
		def.waves.tileCount = 80;
		tnWorld* world = MakeHills(def);
		ENSURE(world != NULL);
		// Created with one worker, it must know of all that may come.
		tnWorld_SetWorkerCount(world, 1);
		tnSurfaceDef surfaceDef = GetFloats(kind == plainKind ? 0 : 2);
		surfaceDef.layerCount = 4;
		surfaceDef.layers[3] = (tnSurfaceLayerDef){tn_surfaceHalves, {tn_surfaceWetness, tn_surfaceFoam}, 2};
		tnSurface* surface = NULL;
		ENSURE(tnCreateSurface(world, &surfaceDef, &surface).status == tn_ok);
		Mirror mirror = MakeMirror(surface, &surfaceDef);
		RandomHost host = {.slabs = kind == deckKind, .edges = kind == edgeKind};
		host.bodyCount = kind == bodyKind || kind == deckKind ? 4 : 0;
		int listed = 0, updates = 0, decks = 0;
		const int rounds = TEST_REPEATS(1000);
		for (int i = 0; i < rounds; ++i)
		{
			// Quiet times, in which tiles fall asleep.
			if (i % 200 < 80 && Draw(2) == 0)
			{
				Disturb(world, &host);
			}
			if (Draw(8) != 0)
			{
				ENSURE(tnWorld_Step(world, s_step).status == tn_ok);
			}
			if (Draw(3) != 0)
			{
				const float alpha = Draw(2) == 0 ? 1.0f : DrawFloat(0.0f, 1.0f);
				ENSURE(tnSurface_Update(surface, world, alpha).status == tn_ok);
				listed += Draw(4) == 0 ? 0 : FollowChanges(&mirror, surface);
				updates += 1;
				if (i % 20 == 0)
				{
					listed += FollowChanges(&mirror, surface);
					tnSurface* fresh = NULL;
					ENSURE(tnCreateSurface(world, &surfaceDef, &fresh).status == tn_ok);
					ENSURE(tnSurface_Update(fresh, world, alpha).status == tn_ok);
					ENSURE_EQUAL_INT(CountUnlike(&mirror, surface, 4), 0);
					ENSURE_EQUAL_INT(CountUnlike(&mirror, fresh, 3), 0);
					tnDestroySurface(fresh);
					decks += tnWorld_CopyDecks(world, NULL, NULL);
				}
			}
		}
		// It was not all of them every time.
		ENSURE(listed > 100);
		ENSURE(def.waves.enable || listed < 6 * updates);
		// Decks are dry in the beginning, which is most of what brief builds see.
		ENSURE(kind != deckKind || decks > 400 / (TEST_BREVITY * TEST_BREVITY));
		free(host.bytes);
		FreeMirror(&mirror);
		tnDestroySurface(surface);
		tnDestroyWorld(world);
	}
	return 0;
}

// Water at rest is in no list, whatever the moment; where one tile moves its neighbours are only listed if a texel of them changes.
static int RestsInPeace(void)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = def.rowCount = 320;
	def.keepPrevious = true;
	tnWorld* world = NULL;
	ENSURE(tnCreateWorld(&def, &world).status == tn_ok);
	ENSURE(tnWorld_FillToLevel(world, 2.0f).status == tn_ok);
	ENSURE(tnWorld_EditTerrain(
			   world, &(tnBrush){.center = {160.0f, 160.0f}, .radius = 30.0f, .falloff = 1.0f, .amount = 3.0f})
			   .status == tn_ok);
	ENSURE(tnWorld_FillToLevel(world, 2.0f).status == tn_ok);
	const tnSurfaceDef surfaceDef = tnDefaultSurfaceDef();
	tnSurface* surface = NULL;
	ENSURE(tnCreateSurface(world, &surfaceDef, &surface).status == tn_ok);
	ENSURE(StepMany(world, 240));
	ENSURE(tnSurface_Update(surface, world, 1.0f).status == tn_ok);
	ENSURE_EQUAL_INT(tnSurface_TakeChanges(surface).count, 25);
	for (int i = 0; i < 20; ++i)
	{
		ENSURE(tnWorld_Step(world, s_step).status == tn_ok);
		ENSURE(tnSurface_Update(surface, world, 0.05f * (float)i).status == tn_ok);
		ENSURE_EQUAL_INT(tnSurface_TakeChanges(surface).count, 0);
	}
	// In the middle of the first tile, far from the others.
	ENSURE(tnWorld_AddWater(world, (tnVec2){30.0f, 30.0f}, 3.0f, 5.0f, NULL).status == tn_ok);
	ENSURE(tnSurface_Update(surface, world, 1.0f).status == tn_ok);
	const tnSurfaceChanges changes = tnSurface_TakeChanges(surface);
	ENSURE_EQUAL_INT(changes.count, 1);
	ENSURE_EQUAL_INT(changes.items[0].tile, 0);
	ENSURE_EQUAL_INT(tnSurface_TakeChanges(surface).count, 0);
	tnDestroySurface(surface);
	tnDestroyWorld(world);
	return 0;
}

// A world that goes back to what it was, asleep or not, is another one: the list has all that differs, and only that. So is one in
// which films are read by another gravity.
static int KnowsRestoredWorlds(void)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = def.rowCount = 192;
	def.keepPrevious = true;
	tnWorld* world = NULL;
	ENSURE(tnCreateWorld(&def, &world).status == tn_ok);
	ENSURE(tnWorld_FillToLevel(world, 2.0f).status == tn_ok && StepMany(world, 240));
	const tnSurfaceDef surfaceDef = GetFloats(0);
	tnSurface* surface = NULL;
	ENSURE(tnCreateSurface(world, &surfaceDef, &surface).status == tn_ok);
	Mirror mirror = MakeMirror(surface, &surfaceDef);
	size_t size;
	ENSURE(tnWorld_Save(world, NULL, 0, &size).status == tn_ok);
	uint8_t* bytes = malloc(size);
	ENSURE(tnWorld_Save(world, bytes, size, &size).status == tn_ok);
	// In the middle of the first tile and of the last one, until all of it sleeps again.
	ENSURE(tnWorld_EditTerrain(
			   world, &(tnBrush){.center = {30.0f, 30.0f}, .radius = 9.0f, .falloff = 1.0f, .amount = 3.0f})
			   .status == tn_ok);
	ENSURE(tnWorld_FillToLevel(world, 2.0f).status == tn_ok && StepMany(world, 400));
	ENSURE(tnWorld_GetStats(world).awakeTileCount == 0);
	ENSURE(tnSurface_Update(surface, world, 1.0f).status == tn_ok);
	FollowChanges(&mirror, surface);
	tnSurfaceTile before, after;
	ENSURE(tnSurface_GetTile(surface, 0, &before).status == tn_ok);
	ENSURE(tnWorld_Restore(world, bytes, size).status == tn_ok);
	for (int i = 0; i < 3; ++i)
	{
		tnSurface* fresh = NULL;
		ENSURE(tnSurface_Update(surface, world, 1.0f).status == tn_ok);
		ENSURE_EQUAL_INT(FollowChanges(&mirror, surface), i == 0 ? 1 : 0);
		ENSURE(tnCreateSurface(world, &surfaceDef, &fresh).status == tn_ok);
		ENSURE(tnSurface_Update(fresh, world, 1.0f).status == tn_ok);
		ENSURE_EQUAL_INT(CountUnlike(&mirror, fresh, 3), 0);
		tnDestroySurface(fresh);
		ENSURE(StepMany(world, 1));
	}
	ENSURE(tnSurface_GetTile(surface, 0, &after).status == tn_ok);
	ENSURE(after.edits != before.edits);
	free(bytes);
	FreeMirror(&mirror);
	tnDestroySurface(surface);
	tnDestroyWorld(world);

	world = MakeHills(tnDefaultWorldDef());
	ENSURE(world != NULL && StepMany(world, 30));
	ENSURE(tnCreateSurface(world, &surfaceDef, &surface).status == tn_ok);
	mirror = MakeMirror(surface, &surfaceDef);
	for (int i = 0; i < 2; ++i)
	{
		tnSurface* fresh = NULL;
		ENSURE(tnWorld_SetGravity(world, i == 0 ? 9.81f : 0.5f).status == tn_ok);
		ENSURE(tnSurface_Update(surface, world, 1.0f).status == tn_ok);
		ENSURE(FollowChanges(&mirror, surface) > 0);
		ENSURE(tnCreateSurface(world, &surfaceDef, &fresh).status == tn_ok);
		ENSURE(tnSurface_Update(fresh, world, 1.0f).status == tn_ok);
		ENSURE_EQUAL_INT(CountUnlike(&mirror, fresh, 3), 0);
		tnDestroySurface(fresh);
	}
	FreeMirror(&mirror);
	tnDestroySurface(surface);
	tnDestroyWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Decks

// A trough of 22 x 7 m high over dry ground and a pond, across seams of tiles. Water is poured in at one end.
static tnWorld* MakeTrough(int workerCount, tnSimd simd)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = 130;
	def.rowCount = 90;
	def.cellSize = 0.5f;
	def.keepPrevious = true;
	def.tasks.workerCount = workerCount;
	def.simd = simd;
	def.waves.enable = true;
	def.waves.levelCount = 3;
	def.waves.tileCount = 80;
	static float bed[130 * 90], depth[130 * 90];
	for (int i = 0; i < 130 * 90; ++i)
	{
		bed[i] = i % 130 < 64 ? 1.0f : 0.0f;
		depth[i] = i % 130 < 64 ? 0.0f : 0.8f;
	}
	tnWorld* world = NULL;
	if (tnCreateWorld(&def, &world).status != tn_ok)
	{
		return NULL;
	}
	tnWorld_SetTerrain(world, bed);
	tnWorld_SetDepths(world, depth);
	static const tnVec3 middles[4] = {
		{32.0f, 4.25f, 32.0f}, {32.0f, 5.0f, 29.0f}, {32.0f, 5.0f, 35.0f}, {20.5f, 5.0f, 32.0f}};
	static const tnVec3 halves[4] = {
		{12.0f, 0.25f, 3.5f}, {12.0f, 0.5f, 0.5f}, {12.0f, 0.5f, 0.5f}, {0.5f, 0.5f, 2.5f}};
	for (int i = 0; i < 4; ++i)
	{
		tnShapeDef shape = tnDefaultShapeDef();
		shape.halfExtents = halves[i];
		tnBodyDef body = tnDefaultBodyDef();
		body.shapes = &shape;
		body.shapeCount = 1;
		body.mass = INFINITY;
		body.mode = tn_blockingBody;
		body.pose.position = middles[i];
		body.pose.rotation = (tnQuat){0.0f, 0.0f, 0.0f, 1.0f};
		tnBodyId id;
		if (tnWorld_CreateBody(world, &body, &id).status != tn_ok)
		{
			tnDestroyWorld(world);
			return NULL;
		}
	}
	return world;
}

// All channels: the last layer remembers.
static tnSurfaceDef GetDeckDef(void)
{
	tnSurfaceDef def = GetFloats(1);
	def.layerCount = 4;
	def.layers[3] = (tnSurfaceLayerDef){tn_surfaceFloats, {tn_surfaceWetness, tn_surfaceFoam}, 2};
	return def;
}

// Cells of the deck with water in which the surface has something else than samples have. Waves below are none of theirs.
static int CountUnlikeDecks(const tnSurface* surface, const tnWorld* world, int* wetCount)
{
	const tnWorldDef def = tnWorld_GetDef(world);
	int wrong = 0;
	*wetCount = 0;
	for (int i = 0; i < def.columnCount * def.rowCount; ++i)
	{
		const int column = i % def.columnCount, row = i / def.columnCount;
		const tnVec2 place = {
			def.origin.x + ((float)column + 0.5f) * def.cellSize, def.origin.z + ((float)row + 0.5f) * def.cellSize};
		if (!tnWorld_SampleDeck(world, place).wet)
		{
			continue;
		}
		const tnSample sample = tnWorld_Sample(world, place);
		*wetCount += 1;
		wrong += tnSurface_Get(surface, tn_surfaceHeight, column, row) != sample.surface ? 1 : 0;
		wrong += tnSurface_Get(surface, tn_surfaceDepth, column, row) != sample.depth ? 1 : 0;
		wrong += tnSurface_Get(surface, tn_surfaceVelocityX, column, row) != sample.velocity.x ? 1 : 0;
		wrong += tnSurface_Get(surface, tn_surfaceVelocityZ, column, row) != sample.velocity.z ? 1 : 0;
		wrong += tnSurface_Get(surface, tn_surfaceBed, column, row) != sample.bed ? 1 : 0;
		wrong += tnSurface_Get(surface, tn_surfaceShown, column, row) != 1.0f ? 1 : 0;
		wrong += tnSurface_Get(surface, tn_surfaceWetness, column, row) <= 0.0f ? 1 : 0;
	}
	return wrong;
}

// Water on a deck is that which samples have, while it fills, runs, and runs dry; a mirror kept by the list is the whole.
static int ShowsDecks(void)
{
	tnWorld* world = MakeTrough(2, tn_simdAuto);
	ENSURE(world != NULL);
	const tnSurfaceDef surfaceDef = GetDeckDef();
	tnSurface* surface = NULL;
	ENSURE(tnCreateSurface(world, &surfaceDef, &surface).status == tn_ok);
	Mirror mirror = MakeMirror(surface, &surfaceDef);
	int most = 0;
	for (int i = 0; i < 160; ++i)
	{
		if (i < 60)
		{
			ENSURE(tnWorld_AddWater(world, (tnVec2){23.0f, 32.0f}, 1.5f, 0.4f, NULL).status == tn_ok);
		}
		if (i % 16 == 3)
		{
			ENSURE(AddWave(world, (tnVec2){50.0f, 30.0f}, 0.8f, 0.1f));
		}
		ENSURE(StepMany(world, 3));
		const float alpha = 0.25f * (float)(i % 5);
		ENSURE(tnSurface_Update(surface, world, alpha).status == tn_ok);
		int wetCount;
		ENSURE_EQUAL_INT(CountUnlikeDecks(surface, world, &wetCount), 0);
		most = wetCount > most ? wetCount : most;
		FollowChanges(&mirror, surface);
		tnSurface* fresh = NULL;
		ENSURE(tnCreateSurface(world, &surfaceDef, &fresh).status == tn_ok);
		ENSURE(tnSurface_Update(fresh, world, alpha).status == tn_ok);
		ENSURE_EQUAL_INT(CountUnlike(&mirror, surface, 4), 0);
		ENSURE_EQUAL_INT(CountUnlike(&mirror, fresh, 3), 0);
		tnDestroySurface(fresh);
	}
	ENSURE(most > 300);
	FreeMirror(&mirror);
	tnDestroySurface(surface);
	tnDestroyWorld(world);
	return 0;
}

// A deck that holds water which stands still keeps no tile busy.
static int DecksRest(void)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = def.rowCount = 128;
	def.friction = 2.0f;
	def.keepPrevious = true;
	tnWorld* world = NULL;
	ENSURE(tnCreateWorld(&def, &world).status == tn_ok);
	// A slab with a rim: water on it has nowhere to go.
	static const tnVec3 middles[5] = {
		{32.0f, 4.0f, 32.0f}, {27.0f, 5.0f, 32.0f}, {37.0f, 5.0f, 32.0f}, {32.0f, 5.0f, 27.0f}, {32.0f, 5.0f, 37.0f}};
	for (int i = 0; i < 5; ++i)
	{
		tnShapeDef shape = tnDefaultShapeDef();
		const tnVec3 wall = i < 3 ? (tnVec3){1.0f, 0.5f, 6.0f} : (tnVec3){6.0f, 0.5f, 1.0f};
		shape.halfExtents = i == 0 ? (tnVec3){6.0f, 0.5f, 6.0f} : wall;
		tnBodyDef body = tnDefaultBodyDef();
		body.shapes = &shape;
		body.shapeCount = 1;
		body.mass = INFINITY;
		body.mode = tn_blockingBody;
		body.pose.position = middles[i];
		body.pose.rotation = (tnQuat){0.0f, 0.0f, 0.0f, 1.0f};
		tnBodyId id;
		ENSURE(tnWorld_CreateBody(world, &body, &id).status == tn_ok);
	}
	tnSurfaceDef surfaceDef = tnDefaultSurfaceDef();
	surfaceDef.dryingTime = 0.1f;
	tnSurface* surface = NULL;
	ENSURE(tnCreateSurface(world, &surfaceDef, &surface).status == tn_ok);
	ENSURE(StepMany(world, 1));
	ENSURE(tnWorld_AddWater(world, (tnVec2){32.0f, 32.0f}, 3.0f, 20.0f, NULL).status == tn_ok);
	int quiet = 0, wetCount = 0;
	for (int i = 0; i < 6000 && quiet < 60; ++i)
	{
		ENSURE(StepMany(world, 1) && tnSurface_Update(surface, world, 0.5f).status == tn_ok);
		quiet = tnSurface_TakeChanges(surface).count == 0 ? quiet + 1 : 0;
	}
	ENSURE_EQUAL_INT(quiet, 60);
	wetCount = tnWorld_CopyDecks(world, NULL, NULL);
	ENSURE(wetCount > 30);
	tnDestroySurface(surface);
	tnDestroyWorld(world);
	return 0;
}

static int DecksHaveSameBits(void)
{
	const tnSurfaceDef surfaceDef = GetDeckDef();
	uint64_t golden = 0;
	for (int way = 0; way < 4 + tn_simdWasm + 1; ++way)
	{
		const tnSimd simd = way < 4 ? tn_simdAuto : (tnSimd)(way - 4);
		if (!tnIsSimdAvailable(simd))
		{
			continue;
		}
		tnWorld* world = MakeTrough(way < 4 ? 1 + way : 2, simd);
		tnSurface* surface = NULL;
		ENSURE(world != NULL && tnCreateSurface(world, &surfaceDef, &surface).status == tn_ok);
		uint64_t hash = 0xCBF29CE484222325ull;
		for (int i = 0; i < 8; ++i)
		{
			ENSURE(tnWorld_AddWater(world, (tnVec2){23.0f, 32.0f}, 1.5f, 4.0f, NULL).status == tn_ok);
			ENSURE(StepMany(world, 12));
			ENSURE(tnSurface_Update(surface, world, 0.25f * (float)(i % 5)).status == tn_ok);
			hash = HashSurface(surface, &surfaceDef, hash);
		}
		golden = way == 0 ? hash : golden;
		ENSURE_EQUAL_HEX(hash, golden);
		tnDestroySurface(surface);
		tnDestroyWorld(world);
	}
	return 0;
}

static const Test s_tests[] = {
	{"MissesNoChange", MissesNoChange},
	{"RestsInPeace", RestsInPeace},
	{"KnowsRestoredWorlds", KnowsRestoredWorlds},
	{"ShowsDecks", ShowsDecks},
	{"DecksRest", DecksRest},
	{"DecksHaveSameBits", DecksHaveSameBits},
};
const TestSuite surface_changesSuite = TEST_SUITE("surface_changes", s_tests);
