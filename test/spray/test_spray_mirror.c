// SPDX-License-Identifier: MIT

// A mirrored world has mirrored bits, in the air as well.

#include "harness.h"

#include <tarn/tarn.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float s_step = 1.0f / 60.0f;

enum
{
	mirrorColumns = 83,
	mirrorRows = 58,
	mirrorCells = mirrorColumns * mirrorRows,
	mostMirrored = 20000,
};

// How a scene lies: as it is, mirrored along x, along z, x for z, and turned.
typedef struct Attitude
{
	bool mirrorsX, mirrorsZ, swaps;
} Attitude;

static const Attitude s_attitudes[] = {
	{false, false, false}, {true, false, false}, {false, true, false}, {false, false, true}, {true, false, true}};

typedef struct Scene
{
	Attitude attitude;
	tnVec2 center;
	tnWorld* world;
} Scene;

// From the scene as it is into the mirrored world.
static tnVec2 MapWay(const Scene* scene, float x, float z)
{
	const float a = scene->attitude.mirrorsX ? -x : x;
	const float b = scene->attitude.mirrorsZ ? -z : z;
	return scene->attitude.swaps ? (tnVec2){b, a} : (tnVec2){a, b};
}

static tnVec3 MapVector(const Scene* scene, tnVec3 v)
{
	const tnVec2 way = MapWay(scene, v.x, v.z);
	return (tnVec3){way.x, v.y, way.z};
}

// A place by its way from the middle of the world.
static tnVec2 MapPlace(const Scene* scene, float x, float z)
{
	const tnVec2 way = MapWay(scene, x, z);
	return (tnVec2){scene->center.x + way.x, scene->center.z + way.z};
}

static int MapCell(const Scene* scene, int i)
{
	const int column = i % mirrorColumns;
	const int row = i / mirrorColumns;
	const int a = scene->attitude.mirrorsX ? mirrorColumns - 1 - column : column;
	const int b = scene->attitude.mirrorsZ ? mirrorRows - 1 - row : row;
	return scene->attitude.swaps ? a * mirrorRows + b : b * mirrorColumns + a;
}

// A plateau with cliffs to three sides, a hollow in it, rough ground around, and a pool.
static float GetMirrorBed(int column, int row)
{
	const bool isHollow = column > 30 && column < 34 && row > 22 && row < 26;
	const float rough = 0.1f * (float)((column * 7 + row * 13) % 11);
	return column < 45 && row > 8 && row < 40 && !isHollow ? 8.0f + 0.5f * rough : rough + (row > 44 ? 1.0f : -1.0f);
}

static bool OpenMirrorScene(Scene* scene, tnMethod method)
{
	static float bed[mirrorCells];
	const Attitude attitude = scene->attitude;
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = attitude.swaps ? mirrorRows : mirrorColumns;
	def.rowCount = attitude.swaps ? mirrorColumns : mirrorRows;
	def.cellSize = 0.5f;
	def.spray.enable = true;
	def.method = method;
	def.origin = (tnVec2){3.0f, -7.5f};
	def.spray.drag = 0.02f;
	const tnVec2 wind = MapWay(scene, 1.5f, 0.5f);
	def.spray.wind = wind;
	def.tracerCount = 1;
	const tnSide sides[2] = {attitude.mirrorsX ? tn_west : tn_east, attitude.mirrorsX ? tn_north : tn_south};
	def.edges[sides[attitude.swaps]].kind = tn_openEdge;
	scene->center = (tnVec2){3.0f + 0.25f * (float)def.columnCount, -7.5f + 0.25f * (float)def.rowCount};
	bool ok = tnCreateWorld(&def, &scene->world).status == tn_ok;
	for (int i = 0; i < mirrorCells; ++i)
	{
		bed[MapCell(scene, i)] = GetMirrorBed(i % mirrorColumns, i / mirrorColumns);
	}
	ok = ok && tnWorld_SetTerrain(scene->world, bed).status == tn_ok;
	ok = ok && tnWorld_FillToLevel(scene->world, 0.3f).status == tn_ok;
	// Its fronts break.
	ok = ok && tnWorld_AddWater(scene->world, MapPlace(scene, 12.125f, -1.375f), 5.0f, 120.0f, NULL).status == tn_ok;
	tnSourceDef source = tnDefaultSourceDef();
	source.center = MapPlace(scene, -12.125f, -2.375f);
	source.radius = 2.0f;
	source.rate = 6.0f;
	source.tracers[0] = 0.7f;
	tnSourceId sourceId;
	ok = ok && tnWorld_CreateSource(scene->world, &source, &sourceId).status == tn_ok;
	// The last three are their own mirror images: towards the middle, on a diagonal, and in the middle.
	const tnVec3 velocities[] = {
		{7.0f, 6.0f, -3.0f}, {0.0f, 9.0f, 0.0f}, {-3.0f, 12.0f, 0.0f}, {0.0f, 7.0f, 0.0f}, {0.0f, 8.0f, 0.0f}};
	const tnVec2 places[] = {{-3.25f, 1.5f}, {0.75f, 1.5f}, {4.75f, 0.0f}, {-2.5f, 2.5f}, {0.0f, 0.0f}};
	for (int i = 0; i < 5; ++i)
	{
		tnJetDef jet = tnDefaultJetDef();
		const tnVec2 place = MapPlace(scene, places[i].x, places[i].z);
		jet.position = (tnVec3){place.x, 9.0f, place.z};
		jet.velocity = MapVector(scene, velocities[i]);
		jet.spread = 0.2f;
		tnJetId id;
		ok = ok && tnWorld_CreateJet(scene->world, &jet, &id).status == tn_ok;
	}
	return ok;
}

// As numbers that can be compared: by place, then by the rest.
static int CompareParticles(const void* a, const void* b)
{
	return memcmp(a, b, sizeof(tnSprayParticle));
}

static int CopyParticles(const Scene* scene, const Scene* as, tnSprayParticle* particles)
{
	const tnSprayView view = tnWorld_GetSpray(scene->world);
	for (int i = 0; i < view.count && i < mostMirrored; ++i)
	{
		const tnSprayParticle* p = view.particles + i;
		particles[i] = *p;
		particles[i].velocity = MapVector(as, p->velocity);
		const tnVec2 place = MapPlace(as, p->position.x - scene->center.x, p->position.z - scene->center.z);
		particles[i].position = (tnVec3){place.x, p->position.y, place.z};
		// Mirrors make negative zeros.
		particles[i].velocity.x += 0.0f;
		particles[i].velocity.z += 0.0f;
	}
	qsort(particles, (size_t)view.count, sizeof(tnSprayParticle), CompareParticles);
	return view.count;
}

// All water, on the ground and in the air, has the bits of the scene as it is, mirrored.
static int EnsureMirrored(const Scene* first, const Scene* scene)
{
	const tnFieldView depths[2] = {tnWorld_GetDepth(first->world), tnWorld_GetDepth(scene->world)};
	const tnFieldView tracers[2] = {tnWorld_GetTracer(first->world, 0), tnWorld_GetTracer(scene->world, 0)};
	const int columns = scene->attitude.swaps ? mirrorRows : mirrorColumns;
	for (int i = 0; i < mirrorCells; ++i)
	{
		const int k = MapCell(scene, i);
		const ptrdiff_t cells[2] = {
			i / mirrorColumns * depths[0].stride + i % mirrorColumns, k / columns * depths[1].stride + k % columns};
		ENSURE(memcmp(depths[0].data + cells[0], depths[1].data + cells[1], sizeof(float)) == 0);
		ENSURE(memcmp(tracers[0].data + cells[0], tracers[1].data + cells[1], sizeof(float)) == 0);
	}
	static tnSprayParticle particles[2][mostMirrored];
	const Scene asIs = {.center = scene->center};
	const int count = CopyParticles(first, scene, particles[0]);
	ENSURE_EQUAL_INT(count, CopyParticles(scene, &asIs, particles[1]));
	ENSURE(count < mostMirrored && memcmp(particles[0], particles[1], (size_t)count * sizeof(particles[0][0])) == 0);
	return 0;
}

static int CountKind(const tnWorld* world, tnSprayKind kind)
{
	const tnSprayView view = tnWorld_GetSpray(world);
	int count = 0;
	for (int i = 0; i < view.count; ++i)
	{
		count += view.particles[i].kind == kind;
	}
	return count;
}

static int MirroredScenesMirror(void)
{
	for (int method = 0; method < tn_methodCount; ++method)
	{
		if (TEST_LEAVES_OUT(method + 2))
		{
			continue;
		}
		Scene scenes[5];
		for (int i = 0; i < 5; ++i)
		{
			scenes[i] = (Scene){.attitude = s_attitudes[i]};
			ENSURE(OpenMirrorScene(scenes + i, (tnMethod)method));
			int breakers = 0;
			for (int step = 0; step < 60 * 6; ++step)
			{
				ENSURE_OK(tnWorld_Step(scenes[i].world, s_step));
				breakers += step % 30 == 0 ? CountKind(scenes[i].world, tn_breakingSpray) : 0;
			}
			ENSURE(breakers > 300);
			ENSURE(EnsureMirrored(scenes, scenes + i) == 0);
		}
		const tnSprayStats stats = tnWorld_GetSprayStats(scenes[0].world);
		printf("%d in the air, %lld landed\n", stats.particleCount, (long long)stats.landedCount);
		ENSURE(stats.particleCount > 1000 && stats.landedCount > 3000 && stats.mergedCount == 0);
		ENSURE(tnWorld_GetLedger(scenes[0].world).edges[tn_east] < 0.0);
		for (int i = 0; i < 5; ++i)
		{
			tnDestroyWorld(scenes[i].world);
		}
	}
	return 0;
}

static const Test s_tests[] = {
	{"MirroredScenesMirror", MirroredScenesMirror},
};

const TestSuite spray_mirrorSuite = TEST_SUITE("spray_mirror", s_tests);
