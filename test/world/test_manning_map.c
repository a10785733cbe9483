// SPDX-License-Identifier: MIT

// Rough and smooth ground: a map of factors on Manning's n.

#include "harness.h"
#include "snapshot_kit.h"

#include <tarn/tarn.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	columns = 45,
	rows = 33,
	cells = columns * rows,
};

// A sloping bed with bumps, a jet, and boxes that stand in the way. Steps are so short that all worlds take as many sub-steps.
static tnWorld* MakeStream(int method, float manning, bool wraps, int shift, const tnAllocator* allocator)
{
	static float bed[cells], depths[cells];
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columns, def.rowCount = rows;
	def.method = (tnMethod)(method % tn_methodCount);
	def.manning = manning;
	for (int side = 0; side < tn_sideCount && wraps; ++side)
	{
		def.edges[side].kind = tn_wrapEdge;
	}
	if (allocator != NULL)
	{
		def.allocator = *allocator;
	}
	for (int i = 0; i < cells; ++i)
	{
		const int column = (i % columns + shift) % columns, row = i / columns;
		bed[i] = 0.02f * (float)((column * 5 + row * 3) % 7);
		depths[i] = 0.2f + (column > 10 && column < 20 && row > 5 && row < 25 ? 0.4f : 0.0f);
	}
	tnWorld* world = NULL;
	bool ok = tnCreateWorld(&def, &world).status == tn_ok;
	ok = ok && tnWorld_SetTerrain(world, bed).status == tn_ok && tnWorld_SetDepths(world, depths).status == tn_ok;
	return ok ? world : NULL;
}

static tnResult AddBox(tnWorld* world, float x, float z)
{
	tnShapeDef shape = tnDefaultShapeDef();
	shape.halfExtents = (tnVec3){2.3f, 1.0f, 1.7f};
	tnBodyDef body = tnDefaultBodyDef();
	body.shapes = &shape;
	body.shapeCount = 1;
	body.mass = INFINITY;
	body.mode = tn_blockingBody;
	body.pose.position = (tnVec3){x, 0.3f, z};
	tnBodyId id;
	return tnWorld_CreateBody(world, &body, &id);
}

static int Run(tnWorld* world, int steps)
{
	for (int i = 0; i < steps; ++i)
	{
		ENSURE_OK(tnWorld_Step(world, 1.0f / 100.0f));
	}
	return 0;
}

static void FillMap(float* map, float value)
{
	for (int i = 0; i < cells; ++i)
	{
		map[i] = value;
	}
}

// A factor of 2 everywhere is twice the n, bit for bit; 1 is no map; and 0 is ground without friction.
static int EvenMapsAreNumbers(void)
{
	static float map[cells];
	static const float s_factors[3] = {1.0f, 2.0f, 0.0f};
	for (int method = 0; method < tn_methodCount; ++method)
	{
		for (int bodies = 0; bodies < 2; ++bodies)
		{
			for (int i = 0; i < 3; ++i)
			{
				const float n = 0.04f;
				tnWorld* mapped = MakeStream(method, n, bodies == 1, 0, NULL);
				// Something else than none, so that the same kernels run.
				tnWorld* plain = MakeStream(method, i < 2 ? s_factors[i] * n : 1.0e-30f, bodies == 1, 0, NULL);
				ENSURE(mapped != NULL && plain != NULL);
				FillMap(map, s_factors[i]);
				ENSURE_OK(tnWorld_SetManningMap(mapped, map));
				ENSURE(bodies == 0 ||
					(AddBox(mapped, 15.3f, 12.1f).status == tn_ok && AddBox(plain, 15.3f, 12.1f).status == tn_ok));
				ENSURE(bodies == 0 ||
					(AddBox(mapped, 44.0f, 32.0f).status == tn_ok && AddBox(plain, 44.0f, 32.0f).status == tn_ok));
				ENSURE(Run(mapped, 60) == 0 && Run(plain, 60) == 0);
				ENSURE_EQUAL_HEX(tnWorld_GetHash(mapped), tnWorld_GetHash(plain));
				tnDestroyWorld(mapped);
				tnDestroyWorld(plain);
			}
		}
	}
	return 0;
}

// Water that runs down an even slope, in two lanes with a wall between them: each lane is as fast as its own n lets it be,
// q = h^(5/3) sqrt(slope) / n.
static int LanesHaveTheirOwnSpeed(void)
{
	enum
	{
		length = 200,
		width = 9,
	};
	static float bed[length * width], map[length * width];
	static float along[(length + 1) * width], across[length * (width + 1)];
	const float slope = 0.01f, n = 0.03f;
	// Pipes make waves of their own on such a slope, with a map as with a number.
	for (int method = tn_linearMethod; method < tn_methodCount; ++method)
	{
		tnWorldDef def = tnDefaultWorldDef();
		def.columnCount = length, def.rowCount = width;
		def.method = (tnMethod)method;
		def.manning = n;
		def.edges[tn_east].kind = tn_openEdge;
		for (int i = 0; i < length * width; ++i)
		{
			const int row = i / length;
			bed[i] = slope * (float)(length - i % length) + (row == 4 ? 20.0f : 0.0f);
			map[i] = row < 4 ? 1.0f : 2.0f;
		}
		tnWorld* world;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_SetTerrain(world, bed));
		ENSURE_OK(tnWorld_SetManningMap(world, map));
		for (int lane = 0; lane < 2; ++lane)
		{
			tnSourceDef source = tnDefaultSourceDef();
			source.center = (tnVec2){2.5f, lane == 0 ? 2.0f : 7.0f};
			source.radius = 1.5f;
			source.rate = 2.0f;
			tnSourceId id;
			ENSURE_OK(tnWorld_CreateSource(world, &source, &id));
		}
		for (int i = 0; i < 30 * 400; ++i)
		{
			ENSURE_OK(tnWorld_Step(world, 1.0f / 30.0f));
		}
		const tnFieldView depth = tnWorld_GetDepth(world);
		ENSURE_OK(tnWorld_CopyDischarge(world, along, across));
		float depths[2];
		for (int lane = 0; lane < 2; ++lane)
		{
			const int row = lane == 0 ? 2 : 6;
			const float own = lane == 0 ? n : 2.0f * n;
			const float right = powf(along[row * (length + 1) + length / 2] * own / sqrtf(slope), 0.6f);
			depths[lane] = depth.data[row * depth.stride + length / 2];
			ENSURE_CLOSE(depths[lane], right, 0.001f * right);
		}
		ENSURE(depths[1] > 1.4f * depths[0]);
		tnDestroyWorld(world);
	}
	return 0;
}

// A wrapped world whose ground, water and map are shifted along goes on as the other one, shifted along: also across its edges.
static int MapsGoAroundWrappedWorlds(void)
{
	static float map[2][cells], tall[2][cells];
	for (int method = 0; method < tn_methodCount; ++method)
	{
		tnWorld* worlds[2];
		for (int i = 0; i < 2; ++i)
		{
			const int shift = 17 * i;
			for (int cell = 0; cell < cells; ++cell)
			{
				const int column = (cell % columns + shift) % columns;
				map[i][cell] = 0.2f * (float)((3 * column + cell / columns) % 11);
				tall[i][cell] = 0.3f + 0.01f * (float)((column * column + 7 * (cell / columns)) % 23);
			}
			worlds[i] = MakeStream(method, 0.1f, true, shift, NULL);
			ENSURE(worlds[i] != NULL);
			ENSURE_OK(tnWorld_SetDepths(worlds[i], tall[i]));
			ENSURE_OK(tnWorld_SetManningMap(worlds[i], map[i]));
			ENSURE(Run(worlds[i], 80) == 0);
		}
		const tnFieldView first = tnWorld_GetDepth(worlds[0]), second = tnWorld_GetDepth(worlds[1]);
		for (int cell = 0; cell < cells; ++cell)
		{
			const int column = cell % columns, row = cell / columns;
			ENSURE(
				second.data[row * second.stride + column] == first.data[row * first.stride + (column + 17) % columns]);
		}
		tnDestroyWorld(worlds[0]);
		tnDestroyWorld(worlds[1]);
	}
	return 0;
}

// Part of snapshots and images, in place as in new worlds, and gone where the save has none.
static int MapsAreSaved(void)
{
	static float map[cells];
	for (int i = 0; i < cells; ++i)
	{
		map[i] = 0.3f * (float)(i % 9);
	}
	for (int method = 0; method < tn_methodCount; ++method)
	{
		tnWorld* world = MakeStream(method, 0.08f, true, 0, NULL);
		ENSURE(world != NULL);
		tnRollback* rollback;
		tnRollbackDef def = tnDefaultRollbackDef();
		ENSURE_OK(tnCreateRollback(world, &def, &rollback));
		Bytes without, with, again;
		ENSURE(SaveWorld(world, &without));
		ENSURE_OK(tnRollback_Push(rollback));
		ENSURE(Run(world, 10) == 0);
		const uint64_t plain = tnWorld_GetHash(world);
		ENSURE_OK(tnWorld_SetManningMap(world, map));
		ENSURE(SaveWorld(world, &with));
		ENSURE_OK(tnRollback_Push(rollback));
		ENSURE_OK(tnWorld_BeginStep(world, 1.0f / 100.0f));
		ENSURE(SaveWorld(world, &again));
		ENSURE_OK(tnWorld_EndStep(world));
		ENSURE(again.size == with.size && memcmp(again.data, with.data, with.size) == 0);
		FreeBytes(&again);
		ENSURE(Run(world, 9) == 0);
		const uint64_t rough = tnWorld_GetHash(world);
		// Another world, and this one with nothing, with another map, and from an image.
		tnWorld* other;
		ENSURE_OK(tnCreateWorldFrom(with.data, with.size, NULL, &other));
		ENSURE(Run(other, 10) == 0);
		ENSURE_EQUAL_HEX(tnWorld_GetHash(other), rough);
		ENSURE_OK(tnWorld_Restore(other, without.data, without.size));
		ENSURE(SaveWorld(other, &again));
		ENSURE(again.size == without.size && memcmp(again.data, without.data, again.size) == 0);
		FreeBytes(&again);
		ENSURE(Run(other, 10) == 0);
		ENSURE_EQUAL_HEX(tnWorld_GetHash(other), plain);
		tnDestroyWorld(other);
		for (int kind = 0; kind < 3; ++kind)
		{
			ENSURE_OK(tnWorld_SetManningMap(world, NULL));
			ENSURE_OK(kind == 0 ? tnRollback_Restore(rollback, 0) : tnWorld_Restore(world, with.data, with.size));
			ENSURE(Run(world, 10) == 0);
			ENSURE_EQUAL_HEX(tnWorld_GetHash(world), rough);
		}
		ENSURE_OK(tnRollback_Restore(rollback, 1));
		ENSURE(Run(world, 10) == 0);
		ENSURE_EQUAL_HEX(tnWorld_GetHash(world), plain);
		FreeBytes(&with);
		FreeBytes(&without);
		tnDestroyRollback(rollback);
		tnDestroyWorld(world);
	}
	return 0;
}

static int BadMapsAreRefused(void)
{
	static float map[cells];
	CountedMemory memory = {0};
	const tnAllocator allocator = {CountedAlloc, CountedFree, &memory};
	tnWorld* world = MakeStream(tn_shallowMethod, 0.03f, false, 0, &allocator);
	ENSURE(world != NULL);
	static const float s_bad[] = {-1.0e-9f, 1000.1f, NAN, INFINITY, -INFINITY};
	for (size_t i = 0; i < sizeof(s_bad) / sizeof(s_bad[0]); ++i)
	{
		FillMap(map, 3.0f);
		map[cells - 1] = s_bad[i];
		ENSURE_REFUSED(tnWorld_SetManningMap(world, map), tn_invalidArgument, "map[1484] must be in [0, 1000]");
	}
	ENSURE_REFUSED(tnWorld_SetManningMap(NULL, map), tn_invalidArgument, "world must not be NULL");
	FillMap(map, 1000.0f);
	memory.failAt = memory.count + 1;
	ENSURE_REFUSED(tnWorld_SetManningMap(world, map), tn_outOfMemory, "out of memory");
	memory.failAt = 0;
	ENSURE_OK(tnWorld_SetManningMap(world, NULL));
	ENSURE_OK(tnWorld_SetManningMap(world, map));
	// The roughest of all: water stands.
	ENSURE_OK(tnWorld_SetManning(world, 10.0f));
	const int64_t count = memory.count;
	ENSURE(Run(world, 20) == 0);
	ENSURE_OK(tnWorld_SetManningMap(world, map));
	ENSURE_EQUAL_INT(memory.count, count);
	const tnFieldView depth = tnWorld_GetDepth(world);
	for (int i = 0; i < cells; ++i)
	{
		ENSURE(isfinite(depth.data[i / columns * depth.stride + i % columns]));
	}
	tnDestroyWorld(world);
	return 0;
}

static const Test s_tests[] = {
	{"EvenMapsAreNumbers", EvenMapsAreNumbers},
	{"LanesHaveTheirOwnSpeed", LanesHaveTheirOwnSpeed},
	{"MapsGoAroundWrappedWorlds", MapsGoAroundWrappedWorlds},
	{"MapsAreSaved", MapsAreSaved},
	{"BadMapsAreRefused", BadMapsAreRefused},
};

const TestSuite manning_mapSuite = TEST_SUITE("manning_map", s_tests);
