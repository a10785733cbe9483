// SPDX-License-Identifier: MIT

// What a host pulls out of a world, against answers that are known or found the slow way.

#include "harness.h"
#include "tarn/tarn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// One float32 rounding of a number of size 1.
#define EPSILON 6.0e-8

enum
{
	// Odd and unequal, and larger than a tile along x.
	columnCount = 71,
	rowCount = 23,
	cellCount = columnCount * rowCount,
};

static const float s_cellSize = 0.5f;
static const tnVec2 s_origin = {-8.0f, 3.0f};

static tnWorldDef MakeDef(void)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columnCount;
	def.rowCount = rowCount;
	def.cellSize = s_cellSize;
	def.origin = s_origin;
	return def;
}

static tnVec2 GetCenter(int column, int row)
{
	return (tnVec2){s_origin.x + ((float)column + 0.5f) * s_cellSize, s_origin.z + ((float)row + 0.5f) * s_cellSize};
}

// A place between the centres of the outermost cells.
static tnVec2 RandomPlace(TestRandom* random)
{
	const tnVec2 low = GetCenter(0, 0);
	const tnVec2 high = GetCenter(columnCount - 1, rowCount - 1);
	return (tnVec2){TestRandomFloat(random, low.x, high.x), TestRandomFloat(random, low.z, high.z)};
}

// A world with some ground and some water. NULL on failure.
static tnWorld* CreateWorld(const tnWorldDef* def, const float* heights, const float* depths)
{
	tnWorld* world = NULL;
	if (tnCreateWorld(def, &world).status != tn_ok)
	{
		return NULL;
	}
	if (tnWorld_SetTerrain(world, heights).status != tn_ok || tnWorld_SetDepths(world, depths).status != tn_ok)
	{
		tnDestroyWorld(world);
		return NULL;
	}
	return world;
}

// Rough ground, half of it under water of all depths, films and puddles included.
static void MakeRoughField(uint64_t seed, float* heights, float* depths)
{
	TestRandom random = TestMakeRandom(seed);
	for (int i = 0; i < cellCount; ++i)
	{
		heights[i] = TestRandomFloat(&random, 0.0f, 1.5f);
		const int kind = TestRandomInt(&random, 0, 9);
		depths[i] = kind < 3
			? 0.0f
			: (kind < 4 ? TestRandomFloat(&random, 0.0f, 2.0e-3f) : TestRandomFloat(&random, 0.0f, 1.0f));
		if (kind >= 7)
		{
			depths[i] = fmaxf(0.9f - heights[i], 0.0f);
		}
	}
}

static void MakeVelocities(uint64_t seed, float* velocitiesX, float* velocitiesZ)
{
	TestRandom random = TestMakeRandom(seed);
	for (int i = 0; i < cellCount; ++i)
	{
		velocitiesX[i] = TestRandomFloat(&random, -1.0f, 1.0f);
		velocitiesZ[i] = TestRandomFloat(&random, -1.0f, 1.0f);
	}
}

static bool SameBits(const tnSample* a, const tnSample* b)
{
	return memcmp(&a->surface, &b->surface, sizeof(float)) == 0 && memcmp(&a->bed, &b->bed, sizeof(float)) == 0 &&
		memcmp(&a->depth, &b->depth, sizeof(float)) == 0 && memcmp(&a->velocity, &b->velocity, sizeof(tnVec2)) == 0 &&
		memcmp(&a->normal, &b->normal, sizeof(tnVec3)) == 0 &&
		memcmp(a->tracers, b->tracers, sizeof(a->tracers)) == 0 && a->wet == b->wet && a->inside == b->inside;
}

// ---------------------------------------------------------------------------------------------------------------------
// Samples

// Interpolation between cells is exact for planes, and so are slopes. Heights stay below 16 m and few roundings enter.
static int PlanesAreReproduced(void)
{
	static float heights[cellCount], depths[cellCount];
	for (int row = 0; row < rowCount; ++row)
	{
		for (int column = 0; column < columnCount; ++column)
		{
			const tnVec2 center = GetCenter(column, row);
			const float bed = 1.0f + 0.125f * center.x - 0.0625f * center.z;
			heights[row * columnCount + column] = bed;
			depths[row * columnCount + column] = 8.0f - 0.0625f * center.x + 0.1875f * center.z - bed;
		}
	}
	const tnWorldDef def = MakeDef();
	tnWorld* world = CreateWorld(&def, heights, depths);
	ENSURE(world != NULL);
	TestRandom random = TestMakeRandom(1);
	for (int i = 0; i < 2000; ++i)
	{
		const tnVec2 place = RandomPlace(&random);
		const tnSample sample = tnWorld_Sample(world, place);
		const double bed = 1.0 + 0.125 * place.x - 0.0625 * place.z;
		const double surface = 8.0 - 0.0625 * place.x + 0.1875 * place.z;
		ENSURE(sample.wet && sample.inside);
		ENSURE_CLOSE(sample.bed, bed, 16.0 * 4.0 * EPSILON);
		ENSURE_CLOSE(sample.surface, surface, 16.0 * 4.0 * EPSILON);
		ENSURE_CLOSE(sample.depth, surface - bed, 16.0 * 8.0 * EPSILON);
		const double length = sqrt(1.0 + 0.0625 * 0.0625 + 0.1875 * 0.1875);
		// A slope is a difference of two heights over a cell of half a meter.
		ENSURE_CLOSE(sample.normal.x, 0.0625 / length, 16.0 * 8.0 * EPSILON);
		ENSURE_CLOSE(sample.normal.y, 1.0 / length, 16.0 * 8.0 * EPSILON);
		ENSURE_CLOSE(sample.normal.z, -0.1875 / length, 16.0 * 8.0 * EPSILON);
	}
	tnDestroyWorld(world);
	return 0;
}

// A lake with a beach and an island. Heights are multiples of 1/8, so sums are exact and the right answers too.
static int ShoresStayLevel(void)
{
	static float heights[cellCount], depths[cellCount];
	for (int row = 0; row < rowCount; ++row)
	{
		for (int column = 0; column < columnCount; ++column)
		{
			const bool island = column >= 10 && column < 14 && row >= 8 && row < 12;
			heights[row * columnCount + column] = island ? 5.0f : 0.0625f + 0.125f * (float)(column - 30);
		}
	}
	memset(depths, 0, sizeof(depths));
	const tnWorldDef def = MakeDef();
	tnWorld* world = CreateWorld(&def, heights, depths);
	ENSURE(world != NULL);
	ENSURE_OK(tnWorld_FillToLevel(world, 2.0f));

	TestRandom random = TestMakeRandom(2);
	int wetCount = 0;
	int dryCount = 0;
	for (int i = 0; i < 20000; ++i)
	{
		const tnVec2 place = RandomPlace(&random);
		const tnSample sample = tnWorld_Sample(world, place);
		if (sample.wet)
		{
			wetCount += 1;
			ENSURE(sample.surface == 2.0f);
			ENSURE(sample.depth == sample.surface - sample.bed);
			ENSURE(sample.depth > TN_WET_DEPTH);
			ENSURE(sample.normal.x == 0.0f && sample.normal.y == 1.0f && sample.normal.z == 0.0f);
			ENSURE(sample.velocity.x == 0.0f && sample.velocity.z == 0.0f);
		}
		else
		{
			dryCount += 1;
			// The waterline is where the ground comes through.
			ENSURE(sample.bed >= 2.0f - 2.0f * TN_WET_DEPTH);
			ENSURE(sample.surface >= sample.bed && sample.surface <= sample.bed + TN_WET_DEPTH);
		}
	}
	ENSURE(wetCount > 1000 && dryCount > 1000);

	// The bank of the island: dry exactly where the ground is higher than the water.
	const tnSample bank = tnWorld_Sample(world, GetCenter(10, 10));
	ENSURE(!bank.wet && bank.depth == 0.0f && bank.surface == 5.0f);
	tnDestroyWorld(world);
	return 0;
}

// The front of a flood on flat ground falls to the ground at the first dry cell.
static int FrontsFall(void)
{
	static float heights[cellCount], depths[cellCount];
	memset(heights, 0, sizeof(heights));
	for (int i = 0; i < cellCount; ++i)
	{
		depths[i] = i % columnCount < 20 ? 1.0f : 0.0f;
	}
	const tnWorldDef def = MakeDef();
	tnWorld* world = CreateWorld(&def, heights, depths);
	ENSURE(world != NULL);
	const tnVec2 wet = GetCenter(19, 11);
	for (int i = 0; i <= 8; ++i)
	{
		const tnVec2 place = {wet.x + s_cellSize * (float)i / 8.0f, wet.z};
		const tnSample sample = tnWorld_Sample(world, place);
		ENSURE_CLOSE(sample.depth, 1.0 - i / 8.0, 4.0 * EPSILON);
		ENSURE(sample.wet == (i < 8));
	}
	tnDestroyWorld(world);
	return 0;
}

// Water too thin to be wet is still there.
static int FilmsAreNotWet(void)
{
	static float heights[cellCount], depths[cellCount];
	memset(heights, 0, sizeof(heights));
	for (int i = 0; i < cellCount; ++i)
	{
		depths[i] = 0.5f * TN_WET_DEPTH;
	}
	const tnWorldDef def = MakeDef();
	tnWorld* world = CreateWorld(&def, heights, depths);
	ENSURE(world != NULL);
	TestRandom random = TestMakeRandom(3);
	for (int i = 0; i < 100; ++i)
	{
		const tnSample sample = tnWorld_Sample(world, RandomPlace(&random));
		ENSURE(!sample.wet);
		ENSURE_CLOSE(sample.depth, 0.5f * TN_WET_DEPTH, 1.0e-3 * 4.0 * EPSILON);
	}
	tnDestroyWorld(world);
	return 0;
}

static int OutsideIsTheNearestCell(void)
{
	static float heights[cellCount], depths[cellCount];
	MakeRoughField(4, heights, depths);
	const tnWorldDef def = MakeDef();
	tnWorld* world = CreateWorld(&def, heights, depths);
	ENSURE(world != NULL);

	const float width = columnCount * s_cellSize;
	const float height = rowCount * s_cellSize;
	TestRandom random = TestMakeRandom(5);
	for (int i = 0; i < 2000; ++i)
	{
		const tnVec2 place = {s_origin.x + TestRandomFloat(&random, -width, 2.0f * width),
			s_origin.z + TestRandomFloat(&random, -height, 2.0f * height)};
		const tnVec2 edge = {fminf(fmaxf(place.x, s_origin.x), s_origin.x + width),
			fminf(fmaxf(place.z, s_origin.z), s_origin.z + height)};
		const bool inside = place.x == edge.x && place.z == edge.z;
		tnSample sample = tnWorld_Sample(world, place);
		const tnSample expected = tnWorld_Sample(world, edge);
		ENSURE(sample.inside == inside && expected.inside);
		sample.inside = true;
		ENSURE(SameBits(&sample, &expected));
	}

	// Beyond the last centre the surface is level.
	const tnSample corner = tnWorld_Sample(world, s_origin);
	ENSURE(corner.bed == heights[0] && corner.inside);

	// Places that are nowhere, and places far away.
	const float absurd[] = {NAN, INFINITY, -INFINITY};
	for (int i = 0; i < 3; ++i)
	{
		for (int k = 1; k < 4; ++k)
		{
			const tnVec2 place = {(k & 1) != 0 ? absurd[i] : 0.0f, (k & 2) != 0 ? absurd[i] : 0.0f};
			tnSample sample = tnWorld_Sample(world, place);
			ENSURE(!sample.inside);
			sample.inside = true;
			ENSURE(SameBits(&sample, &corner));
		}
	}
	const tnSample far = tnWorld_Sample(world, (tnVec2){3.0e38f, -3.0e38f});
	ENSURE(!far.inside && far.bed == heights[columnCount - 1]);
	tnDestroyWorld(world);
	return 0;
}

// One by one or all at once, in any number: the same bits.
static int ManyIsTheSameAsOne(void)
{
	enum
	{
		placeCount = 3001,
	};
	static float heights[cellCount], depths[cellCount], velocitiesX[cellCount], velocitiesZ[cellCount];
	static tnVec2 places[placeCount];
	static tnSample samples[placeCount];
	MakeRoughField(6, heights, depths);
	MakeVelocities(7, velocitiesX, velocitiesZ);
	for (int method = 0; method < tn_methodCount; ++method)
	{
		tnWorldDef def = MakeDef();
		def.method = (tnMethod)method;
		def.tracerCount = 2;
		tnWorld* world = CreateWorld(&def, heights, depths);
		ENSURE(world != NULL);
		ENSURE_OK(tnWorld_SetVelocities(world, velocitiesX, velocitiesZ));
		ENSURE_OK(tnWorld_SetTracer(world, 1, velocitiesX));
		TestRandom random = TestMakeRandom(8);
		for (int i = 0; i < placeCount; ++i)
		{
			places[i].x = s_origin.x + TestRandomFloat(&random, -1.0f, columnCount * s_cellSize + 1.0f);
			places[i].z = s_origin.z + TestRandomFloat(&random, -1.0f, rowCount * s_cellSize + 1.0f);
		}
		int movingCount = 0;
		for (int count = 0; count <= placeCount; count = count < 20 ? count + 1 : count + 2981)
		{
			memset(samples, 0xff, sizeof(samples));
			ENSURE_OK(tnWorld_SampleMany(world, places, count, samples));
			for (int i = 0; i < count; ++i)
			{
				const tnSample sample = tnWorld_Sample(world, places[i]);
				ENSURE(SameBits(&sample, &samples[i]));
				ENSURE(sample.depth >= 0.0f && sample.surface >= sample.bed);
				ENSURE(sample.wet == (sample.depth > TN_WET_DEPTH));
				ENSURE_CLOSE(sample.normal.x * sample.normal.x + sample.normal.y * sample.normal.y +
						sample.normal.z * sample.normal.z,
					1.0, 8.0 * EPSILON);
				movingCount += sample.velocity.x != 0.0f && sample.tracers[1] != 0.0f ? 1 : 0;
			}
		}
		ENSURE(movingCount > placeCount / 4);
		tnDestroyWorld(world);
	}
	return 0;
}

static tnWorld* CreateRoughWorld(tnMethod method, bool mirrored, bool rotated)
{
	static float heights[cellCount], depths[cellCount], velocitiesX[cellCount], velocitiesZ[cellCount];
	static float turned[4][cellCount];
	MakeRoughField(9, heights, depths);
	MakeVelocities(10, velocitiesX, velocitiesZ);
	for (int row = 0; row < rowCount; ++row)
	{
		for (int column = 0; column < columnCount; ++column)
		{
			const int from = row * columnCount + (mirrored ? columnCount - 1 - column : column);
			const int to = rotated ? column * rowCount + row : row * columnCount + column;
			turned[0][to] = heights[from];
			turned[1][to] = depths[from];
			turned[2][to] = mirrored ? -velocitiesX[from] : velocitiesX[from];
			turned[3][to] = velocitiesZ[from];
		}
	}
	tnWorldDef def = MakeDef();
	def.method = method;
	def.columnCount = rotated ? rowCount : columnCount;
	def.rowCount = rotated ? columnCount : rowCount;
	def.origin = (tnVec2){0.0f, 0.0f};
	tnWorld* world = CreateWorld(&def, turned[0], turned[1]);
	if (world != NULL && tnWorld_SetVelocities(world, turned[rotated ? 3 : 2], turned[rotated ? 2 : 3]).status != tn_ok)
	{
		tnDestroyWorld(world);
		world = NULL;
	}
	return world;
}

// Mirrored and transposed water gives mirrored and transposed samples, to the bit. Places are multiples of 2^-10, so that
// mirroring them is exact.
static int SamplesHaveNoFavouriteDirection(void)
{
	for (int method = 0; method < tn_methodCount; ++method)
	{
		tnWorld* world = CreateRoughWorld((tnMethod)method, false, false);
		tnWorld* mirrored = CreateRoughWorld((tnMethod)method, true, false);
		tnWorld* rotated = CreateRoughWorld((tnMethod)method, false, true);
		ENSURE(world != NULL && mirrored != NULL && rotated != NULL);
		const float width = columnCount * s_cellSize;
		TestRandom random = TestMakeRandom(11);
		for (int i = 0; i < 3000; ++i)
		{
			const tnVec2 place = {(float)TestRandomInt(&random, 0, columnCount * 512) / 1024.0f,
				(float)TestRandomInt(&random, 0, rowCount * 512) / 1024.0f};
			const tnSample sample = tnWorld_Sample(world, place);
			tnSample other = tnWorld_Sample(mirrored, (tnVec2){width - place.x, place.z});
			// A place on the line between two cells has two nearest cells; the side it falls to may differ.
			const float cells = place.x / s_cellSize;
			if (cells == floorf(cells) || place.z / s_cellSize == floorf(place.z / s_cellSize))
			{
				continue;
			}
			other.velocity.x = 0.0f - other.velocity.x;
			other.normal.x = 0.0f - other.normal.x;
			// 0 - 0 is 0, -0 + 0 too: signs of zero do not count.
			tnSample plain = sample;
			plain.velocity.x += 0.0f;
			plain.normal.x += 0.0f;
			other.velocity.x += 0.0f;
			other.normal.x += 0.0f;
			ENSURE(SameBits(&plain, &other));

			other = tnWorld_Sample(rotated, (tnVec2){place.z, place.x});
			other.velocity = (tnVec2){other.velocity.z, other.velocity.x};
			other.normal = (tnVec3){other.normal.z, other.normal.y, other.normal.x};
			ENSURE(SameBits(&sample, &other));
		}
		tnDestroyWorld(world);
		tnDestroyWorld(mirrored);
		tnDestroyWorld(rotated);
	}
	return 0;
}

static uint64_t HashFloats(uint64_t hash, const float* values, int count)
{
	for (int i = 0; i < count; ++i)
	{
		uint32_t bits;
		memcpy(&bits, &values[i], sizeof(bits));
		// FNV-1a, a word at a time.
		hash = (hash ^ bits) * 0x100000001b3u;
	}
	return hash;
}

// The same bits from every compiler, at every -O level, for every instruction set.
static int SamplesHaveOneHash(void)
{
	static const uint64_t expected[tn_methodCount] = {0x07b29c847715ba41u, 0xa1c0285ecddb5acbu, 0xa1c0285ecddb5acbu};
	for (int method = 0; method < tn_methodCount; ++method)
	{
		tnWorld* world = CreateRoughWorld((tnMethod)method, false, false);
		ENSURE(world != NULL);
		uint64_t hash = 0xcbf29ce484222325u;
		TestRandom random = TestMakeRandom(12);
		for (int i = 0; i < 5000; ++i)
		{
			const tnVec2 place = {TestRandomFloat(&random, -1.0f, 38.0f), TestRandomFloat(&random, -1.0f, 14.0f)};
			const tnSample sample = tnWorld_Sample(world, place);
			const float values[] = {sample.surface, sample.bed, sample.depth, sample.velocity.x, sample.velocity.z,
				sample.normal.x, sample.normal.y, sample.normal.z, sample.wet ? 1.0f : 0.0f,
				sample.inside ? 1.0f : 0.0f};
			hash = HashFloats(hash, values, (int)(sizeof(values) / sizeof(values[0])));
		}
		tnDestroyWorld(world);
		ENSURE_EQUAL_HEX(hash, expected[method]);
	}
	return 0;
}

// A velocity that is linear in space lies exactly on the faces, and comes back between them.
static int VelocitiesAreInterpolated(void)
{
	static float heights[cellCount], depths[cellCount], velocitiesX[cellCount], velocitiesZ[cellCount];
	static float copyX[cellCount], copyZ[cellCount];
	memset(heights, 0, sizeof(heights));
	for (int row = 0; row < rowCount; ++row)
	{
		for (int column = 0; column < columnCount; ++column)
		{
			const int cell = row * columnCount + column;
			depths[cell] = 2.0f + 0.25f * (float)((column + row) % 3);
			velocitiesX[cell] = 0.5f + 0.03125f * (float)column - 0.0625f * (float)row;
			velocitiesZ[cell] = -1.0f + 0.0625f * (float)column + 0.03125f * (float)row;
		}
	}
	for (int method = 0; method < tn_methodCount; ++method)
	{
		tnWorldDef def = MakeDef();
		def.method = (tnMethod)method;
		tnWorld* world = CreateWorld(&def, heights, depths);
		ENSURE(world != NULL);
		ENSURE_OK(tnWorld_SetVelocities(world, velocitiesX, velocitiesZ));
		ENSURE_OK(tnWorld_CopyVelocities(world, copyX, copyZ));
		for (int row = 1; row < rowCount - 1; ++row)
		{
			for (int column = 1; column < columnCount - 1; ++column)
			{
				const int cell = row * columnCount + column;
				ENSURE_CLOSE(copyX[cell], velocitiesX[cell], 4.0 * 4.0 * EPSILON);
				ENSURE_CLOSE(copyZ[cell], velocitiesZ[cell], 4.0 * 4.0 * EPSILON);
			}
		}
		TestRandom random = TestMakeRandom(12);
		for (int i = 0; i < 1000; ++i)
		{
			const double column = TestRandomFloat(&random, 1.0f, columnCount - 2.0f);
			const double row = TestRandomFloat(&random, 1.0f, rowCount - 2.0f);
			const tnVec2 place = {
				s_origin.x + ((float)column + 0.5f) * s_cellSize, s_origin.z + ((float)row + 0.5f) * s_cellSize};
			const tnSample sample = tnWorld_Sample(world, place);
			// The place itself is rounded: 1e-6 m at a slope of 0.125 per meter.
			ENSURE_CLOSE(sample.velocity.x, 0.5 + 0.03125 * column - 0.0625 * row, 4.0e-6);
			ENSURE_CLOSE(sample.velocity.z, -1.0 + 0.0625 * column + 0.03125 * row, 4.0e-6);
		}

		// At a wall the water does not move through it, and moves freely along it.
		const tnSample wall = tnWorld_Sample(world, (tnVec2){s_origin.x, GetCenter(0, 11).z});
		ENSURE(wall.velocity.x == 0.0f);
		ENSURE_CLOSE(wall.velocity.z, velocitiesZ[11 * columnCount], 4.0 * 4.0 * EPSILON);

		// Either array may be left out.
		ENSURE_OK(tnWorld_CopyVelocities(world, NULL, copyZ));
		ENSURE_OK(tnWorld_CopyVelocities(world, copyX, NULL));
		tnDestroyWorld(world);
	}
	return 0;
}

// A river along x between high banks: its speed is the same up to the bank.
static int BanksDoNotSlowTheWater(void)
{
	static float heights[cellCount], depths[cellCount], velocitiesX[cellCount], velocitiesZ[cellCount];
	memset(velocitiesZ, 0, sizeof(velocitiesZ));
	for (int i = 0; i < cellCount; ++i)
	{
		const int row = i / columnCount;
		const bool river = row >= 8 && row < 15;
		heights[i] = river ? 0.0f : 1.5f;
		depths[i] = river ? 1.0f : 0.0f;
		velocitiesX[i] = river ? 2.0f : 0.0f;
	}
	const tnWorldDef def = MakeDef();
	tnWorld* world = CreateWorld(&def, heights, depths);
	ENSURE(world != NULL);
	ENSURE_OK(tnWorld_SetVelocities(world, velocitiesX, velocitiesZ));
	int wetCount = 0;
	for (int i = 0; i <= 80; ++i)
	{
		const tnVec2 place = {GetCenter(30, 0).x, GetCenter(0, 7).z + 8.0f * s_cellSize * (float)i / 80.0f};
		const tnSample sample = tnWorld_Sample(world, place);
		ENSURE_CLOSE(sample.velocity.x, sample.wet ? 2.0 : 0.0, 8.0 * EPSILON);
		ENSURE(sample.velocity.z == 0.0f);
		wetCount += sample.wet ? 1 : 0;
	}
	// Six cells of river, and two thirds of the way from its outermost centres to those of the bank: the ground there
	// rises from 0 to 1.5 and the water stands at 1.
	ENSURE_EQUAL_INT(wetCount, 1 + 2 * (30 + 6));
	tnDestroyWorld(world);
	return 0;
}

static int TracersCountByWater(void)
{
	static float heights[cellCount], depths[cellCount], concentrations[cellCount];
	memset(heights, 0, sizeof(heights));
	for (int i = 0; i < cellCount; ++i)
	{
		const int column = i % columnCount;
		depths[i] = column < 20 ? 1.0f : (column < 40 ? 3.0f : 0.0f);
		concentrations[i] = column < 20 ? 0.0f : (column < 40 ? 1.0f : 777.0f);
	}
	tnWorldDef def = MakeDef();
	def.tracerCount = 3;
	tnWorld* world = CreateWorld(&def, heights, depths);
	ENSURE(world != NULL);
	ENSURE_OK(tnWorld_SetTracer(world, 2, concentrations));
	const tnVec2 left = GetCenter(19, 5);
	tnSample sample = tnWorld_Sample(world, (tnVec2){left.x + 0.5f * s_cellSize, left.z});
	ENSURE_CLOSE(sample.tracers[2], 0.75, 4.0 * EPSILON);
	ENSURE(sample.tracers[0] == 0.0f && sample.tracers[3] == 0.0f);
	sample = tnWorld_Sample(world, left);
	ENSURE(sample.tracers[2] == 0.0f);
	// What a dry cell remembers has no say.
	const tnVec2 shore = GetCenter(39, 5);
	sample = tnWorld_Sample(world, (tnVec2){shore.x + 0.25f * s_cellSize, shore.z});
	ENSURE(sample.wet);
	ENSURE_CLOSE(sample.tracers[2], 1.0, 4.0 * EPSILON);
	sample = tnWorld_Sample(world, GetCenter(45, 5));
	ENSURE(sample.tracers[2] == 0.0f);
	tnDestroyWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Fields

static int FieldsAreViews(void)
{
	static float heights[cellCount], depths[cellCount];
	MakeRoughField(13, heights, depths);
	tnWorldDef def = MakeDef();
	def.tracerCount = 1;
	tnWorld* world = CreateWorld(&def, heights, depths);
	ENSURE(world != NULL);
	ENSURE_OK(tnWorld_SetTracer(world, 0, heights));
	const tnFieldView bed = tnWorld_GetBed(world);
	const tnFieldView depth = tnWorld_GetDepth(world);
	const tnFieldView tracer = tnWorld_GetTracer(world, 0);
	ENSURE_EQUAL_INT(bed.columnCount, columnCount);
	ENSURE_EQUAL_INT(bed.rowCount, rowCount);
	ENSURE(bed.stride >= columnCount);
	for (int row = 0; row < rowCount; ++row)
	{
		for (int column = 0; column < columnCount; ++column)
		{
			ENSURE(bed.data[row * bed.stride + column] == heights[row * columnCount + column]);
			ENSURE(depth.data[row * depth.stride + column] == depths[row * columnCount + column]);
			ENSURE(tracer.data[row * tracer.stride + column] == heights[row * columnCount + column]);
		}
	}
	ENSURE(tnWorld_GetTracer(world, 1).data == NULL);
	ENSURE(tnWorld_GetTracer(world, -1).data == NULL);
	ENSURE(tnWorld_GetPreviousDepth(world).data != NULL);
	tnDestroyWorld(world);

	def.keepPrevious = false;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE(tnWorld_GetPreviousDepth(world).data == NULL);
	ENSURE_EQUAL_INT(tnWorld_GetPreviousDepth(world).columnCount, 0);
	tnDestroyWorld(world);
	return 0;
}

// Discharge is velocity times depth, on all faces, whatever the method stores.
static int DischargeIsVelocityTimesDepth(void)
{
	static float heights[cellCount], depths[cellCount], velocitiesX[cellCount], velocitiesZ[cellCount];
	static float dischargeX[(columnCount + 1) * rowCount], dischargeZ[columnCount * (rowCount + 1)];
	for (int i = 0; i < cellCount; ++i)
	{
		heights[i] = 1.0f;
		depths[i] = 2.0f;
		velocitiesX[i] = 0.5f;
		velocitiesZ[i] = -0.25f;
	}
	for (int k = 0; k < 2 * tn_methodCount; ++k)
	{
		tnWorldDef def = MakeDef();
		def.method = (tnMethod)(k / 2);
		def.tracerCount = k % 2;
		for (int side = 0; side < tn_sideCount; ++side)
		{
			def.edges[side].kind = tn_wrapEdge;
		}
		tnWorld* world = CreateWorld(&def, heights, depths);
		ENSURE(world != NULL);
		ENSURE_OK(tnWorld_SetVelocities(world, velocitiesX, velocitiesZ));
		// The discharge is that of the last sub-step. In a ring without friction it does not change.
		ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		ENSURE_OK(tnWorld_CopyDischarge(world, dischargeX, dischargeZ));
		for (int i = 0; i < (columnCount + 1) * rowCount; ++i)
		{
			ENSURE_CLOSE(dischargeX[i], 1.0, 1.0e-6);
		}
		for (int i = 0; i < columnCount * (rowCount + 1); ++i)
		{
			ENSURE_CLOSE(dischargeZ[i], -0.5, 1.0e-6);
		}
		ENSURE_OK(tnWorld_CopyDischarge(world, NULL, NULL));
		tnDestroyWorld(world);
	}
	return 0;
}

static int SurfaceBetweenSteps(void)
{
	static float heights[cellCount], depths[cellCount], surface[cellCount];
	static float before[cellCount], after[cellCount];
	MakeRoughField(14, heights, depths);
	tnWorldDef def = MakeDef();
	tnWorld* world = CreateWorld(&def, heights, depths);
	ENSURE(world != NULL);
	ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
	for (int i = 0; i < cellCount; ++i)
	{
		const int row = i / columnCount;
		const int column = i % columnCount;
		const tnFieldView now = tnWorld_GetDepth(world);
		const tnFieldView previous = tnWorld_GetPreviousDepth(world);
		ENSURE(previous.data[row * previous.stride + column] == depths[i]);
		before[i] = heights[i] + depths[i];
		after[i] = heights[i] + now.data[row * now.stride + column];
	}
	ENSURE(memcmp(before, after, sizeof(before)) != 0);
	ENSURE_OK(tnWorld_CopySurface(world, 0.0f, surface));
	ENSURE_EQUAL_INT(memcmp(surface, before, sizeof(surface)), 0);
	ENSURE_OK(tnWorld_CopySurface(world, 1.0f, surface));
	ENSURE_EQUAL_INT(memcmp(surface, after, sizeof(surface)), 0);
	ENSURE_OK(tnWorld_CopySurface(world, 0.25f, surface));
	for (int i = 0; i < cellCount; ++i)
	{
		ENSURE_CLOSE(surface[i], 0.75 * before[i] + 0.25 * after[i], 4.0 * 4.0 * EPSILON);
	}
	tnDestroyWorld(world);

	def.keepPrevious = false;
	world = CreateWorld(&def, heights, depths);
	ENSURE(world != NULL);
	ENSURE_OK(tnWorld_CopySurface(world, 1.0f, surface));
	ENSURE_EQUAL_INT(memcmp(surface, before, sizeof(surface)), 0);
	ENSURE_REFUSED(tnWorld_CopySurface(world, 0.5f, surface), tn_notAvailable, "alpha");
	tnDestroyWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Rays

static float RayHeight(const tnWorld* world, tnVec3 origin, tnVec3 direction, double t)
{
	const tnVec2 place = {(float)(origin.x + direction.x * t), (float)(origin.z + direction.z * t)};
	return (float)(origin.y + direction.y * t) - tnWorld_Sample(world, place).surface;
}

// Walks along the ray in small steps inside the world. Returns the first t on or below the surface, -1 if there is none.
static double MarchRay(const tnWorld* world, tnVec3 origin, tnVec3 direction, double maxDistance, double step)
{
	for (double t = 0.0; t <= maxDistance; t += step)
	{
		const tnVec2 place = {(float)(origin.x + direction.x * t), (float)(origin.z + direction.z * t)};
		if (tnWorld_Sample(world, place).inside && RayHeight(world, origin, direction, t) <= 0.0f)
		{
			return t;
		}
	}
	return -1.0;
}

static int RaysAgreeWithMarching(void)
{
	static float heights[cellCount], depths[cellCount];
	int hitCount = 0;
	int waterCount = 0;
	int groundCount = 0;
	int missCount = 0;
	int sideCount = 0;
	for (int field = 0; field < 4; ++field)
	{
		MakeRoughField(15 + (uint64_t)field, heights, depths);
		if (field == 3)
		{
			// A steep cone in a lake: long smooth shores.
			for (int i = 0; i < cellCount; ++i)
			{
				const float x = (float)(i % columnCount) - 35.0f;
				const float z = (float)(i / columnCount) - 11.0f;
				heights[i] = 2.0f - 0.2f * sqrtf(x * x + z * z);
				depths[i] = fmaxf(0.5f - heights[i], 0.0f);
			}
		}
		const tnWorldDef def = MakeDef();
		tnWorld* world = CreateWorld(&def, heights, depths);
		ENSURE(world != NULL);
		TestRandom random = TestMakeRandom(20 + (uint64_t)field);
		for (int i = 0; i < 100; ++i)
		{
			// From around and above the world to somewhere in it.
			const tnVec3 origin = {s_origin.x + TestRandomFloat(&random, -5.0f, 40.0f),
				TestRandomFloat(&random, 2.6f, 6.0f), s_origin.z + TestRandomFloat(&random, -5.0f, 16.0f)};
			const tnVec2 target = RandomPlace(&random);
			tnVec3 direction = {
				target.x - origin.x, TestRandomFloat(&random, -1.0f, 2.0f) - origin.y, target.z - origin.z};
			const float scale = TestRandomFloat(&random, 0.01f, 3.0f);
			direction = (tnVec3){direction.x * scale, direction.y * scale, direction.z * scale};
			const float length =
				sqrtf(direction.x * direction.x + direction.y * direction.y + direction.z * direction.z);
			const float maxDistance = 60.0f / length;

			tnRayHit hit;
			ENSURE_OK(tnWorld_CastRay(world, origin, direction, maxDistance, &hit));
			const double step = 0.004 / (double)length;
			const double marched = MarchRay(world, origin, direction, maxDistance, step);
			if (marched >= 0.0)
			{
				// Marching can only be late, and by a step at most where it does not skip a thin crest.
				ENSURE(hit.hit);
				ENSURE((double)hit.distance <= marched + 1.0e-5 / (double)length * 60.0);
			}
			if (!hit.hit)
			{
				missCount += 1;
				continue;
			}
			hitCount += 1;
			const tnSample sample = tnWorld_Sample(world, (tnVec2){hit.point.x, hit.point.z});
			ENSURE_CLOSE(hit.point.x, origin.x + direction.x * hit.distance, 1.0e-4);
			ENSURE_CLOSE(hit.point.z, origin.z + direction.z * hit.distance, 1.0e-4);
			ENSURE(memcmp(&hit.normal, &sample.normal, sizeof(tnVec3)) == 0);
			waterCount += hit.water ? 1 : 0;
			groundCount += hit.water ? 0 : 1;
			// Coordinates up to 32 m have roundings of 2e-6 m; slopes are below 10.
			if (hit.point.y < sample.surface - 1.0e-4f)
			{
				// Through a side of the world, below the surface.
				sideCount += 1;
				const float right = s_origin.x + columnCount * s_cellSize;
				const float bottom = s_origin.z + rowCount * s_cellSize;
				const float distanceX = fminf(fabsf(hit.point.x - s_origin.x), fabsf(hit.point.x - right));
				const float distanceZ = fminf(fabsf(hit.point.z - s_origin.z), fabsf(hit.point.z - bottom));
				ENSURE_CLOSE(fminf(distanceX, distanceZ), 0.0, 1.0e-5);
				ENSURE(hit.water == (sample.wet && hit.point.y >= sample.bed));
			}
			else
			{
				ENSURE_CLOSE(hit.point.y, sample.surface, 1.0e-4);
				ENSURE(hit.water == sample.wet);
			}
			// Nothing before it.
			const double early = MarchRay(world, origin, direction, (double)hit.distance - step, step);
			ENSURE(early < 0.0 || (double)hit.distance - early < 1.0e-5 / (double)length * 60.0);
		}
		tnDestroyWorld(world);
	}
	ENSURE_EQUAL_INT(hitCount + missCount, 400);
	ENSURE(waterCount > 100);
	ENSURE(groundCount > 50);
	ENSURE(missCount > 0);
	ENSURE(sideCount > 0);
	return 0;
}

static int RaysThatAreSpecial(void)
{
	static float heights[cellCount], depths[cellCount];
	memset(heights, 0, sizeof(heights));
	for (int i = 0; i < cellCount; ++i)
	{
		depths[i] = i % columnCount < 30 ? 1.0f : 0.0f;
		heights[i] = i % columnCount < 30 ? 1.0f : 4.0f;
	}
	const tnWorldDef def = MakeDef();
	tnWorld* world = CreateWorld(&def, heights, depths);
	ENSURE(world != NULL);
	const tnVec2 wet = GetCenter(10, 10);
	const tnVec2 dry = GetCenter(50, 10);
	tnRayHit hit;

	// Straight down.
	ENSURE_OK(tnWorld_CastRay(world, (tnVec3){wet.x, 10.0f, wet.z}, (tnVec3){0.0f, -2.0f, 0.0f}, 100.0f, &hit));
	ENSURE(hit.hit && hit.water && hit.distance == 4.0f && hit.point.y == 2.0f && hit.normal.y == 1.0f);
	ENSURE_OK(tnWorld_CastRay(world, (tnVec3){dry.x, 10.0f, dry.z}, (tnVec3){0.0f, -2.0f, 0.0f}, 100.0f, &hit));
	ENSURE(hit.hit && !hit.water && hit.distance == 3.0f && hit.point.y == 4.0f);
	// Too short by a hair, and just long enough.
	ENSURE_OK(tnWorld_CastRay(world, (tnVec3){wet.x, 10.0f, wet.z}, (tnVec3){0.0f, -2.0f, 0.0f}, 3.999f, &hit));
	ENSURE(!hit.hit);
	ENSURE_OK(tnWorld_CastRay(world, (tnVec3){wet.x, 10.0f, wet.z}, (tnVec3){0.0f, -2.0f, 0.0f}, 4.0f, &hit));
	ENSURE(hit.hit);
	// Straight up, and level above everything.
	ENSURE_OK(tnWorld_CastRay(world, (tnVec3){wet.x, 10.0f, wet.z}, (tnVec3){0.0f, 1.0f, 0.0f}, 1.0e30f, &hit));
	ENSURE(!hit.hit);
	ENSURE_OK(tnWorld_CastRay(world, (tnVec3){wet.x, 10.0f, wet.z}, (tnVec3){1.0f, 0.0f, 0.0f}, 1.0e30f, &hit));
	ENSURE(!hit.hit);
	// Level, along the axes, into the bank between the columns 29 and 30.
	ENSURE_OK(tnWorld_CastRay(world, (tnVec3){wet.x, 3.0f, wet.z}, (tnVec3){1.0f, 0.0f, 0.0f}, 1.0e30f, &hit));
	ENSURE(hit.hit && !hit.water);
	ENSURE_CLOSE(hit.point.x, GetCenter(29, 0).x + s_cellSize * 2.0f / 3.0f, 1.0e-5);
	ENSURE_OK(tnWorld_CastRay(world, (tnVec3){wet.x, 3.0f, wet.z}, (tnVec3){0.0f, 0.0f, -1.0f}, 1.0e30f, &hit));
	ENSURE(!hit.hit);
	// Along the line between two centres, and along the edge of the world.
	ENSURE_OK(
		tnWorld_CastRay(world, (tnVec3){s_origin.x, 3.0f, s_origin.z}, (tnVec3){1.0f, -0.125f, 0.0f}, 1.0e30f, &hit));
	ENSURE(hit.hit && hit.water);
	ENSURE_CLOSE(hit.distance, 8.0, 1.0e-5);
	// Starts below the surface: in the water, and in the ground.
	ENSURE_OK(tnWorld_CastRay(world, (tnVec3){wet.x, 1.5f, wet.z}, (tnVec3){0.0f, 1.0f, 0.0f}, 100.0f, &hit));
	ENSURE(hit.hit && hit.water && hit.distance == 0.0f && hit.point.y == 1.5f);
	ENSURE_OK(tnWorld_CastRay(world, (tnVec3){wet.x, 0.5f, wet.z}, (tnVec3){0.0f, 1.0f, 0.0f}, 100.0f, &hit));
	ENSURE(hit.hit && !hit.water && hit.distance == 0.0f);
	// From outside: enters above the water, enters through the side, passes by, looks away.
	ENSURE_OK(tnWorld_CastRay(world, (tnVec3){-10.0f, 4.0f, wet.z}, (tnVec3){1.0f, -0.5f, 0.0f}, 100.0f, &hit));
	ENSURE(hit.hit && hit.water);
	ENSURE_CLOSE(hit.distance, 4.0, 1.0e-5);
	ENSURE_OK(tnWorld_CastRay(world, (tnVec3){-10.0f, 1.5f, wet.z}, (tnVec3){1.0f, 0.0f, 0.0f}, 100.0f, &hit));
	ENSURE(hit.hit && hit.water && hit.distance == 2.0f && hit.point.x == s_origin.x);
	ENSURE_OK(tnWorld_CastRay(world, (tnVec3){-10.0f, 1.5f, wet.z}, (tnVec3){0.0f, 0.0f, 1.0f}, 100.0f, &hit));
	ENSURE(!hit.hit);
	ENSURE_OK(tnWorld_CastRay(world, (tnVec3){-10.0f, 1.5f, wet.z}, (tnVec3){-1.0f, 0.0f, 0.0f}, 100.0f, &hit));
	ENSURE(!hit.hit);
	// Absurd but finite: bounded work, and an answer.
	const float sizes[] = {1.0e-45f, 1.0e-30f, 1.0f, 1.0e30f, 3.0e38f};
	for (int i = 0; i < 5; ++i)
	{
		for (int k = 0; k < 5; ++k)
		{
			const tnVec3 direction = {sizes[i], -sizes[k], sizes[(i + k) % 5]};
			ENSURE_OK(tnWorld_CastRay(world, (tnVec3){wet.x, 10.0f, wet.z}, direction, 3.0e38f, &hit));
			ENSURE_OK(tnWorld_CastRay(world, (tnVec3){-3.0e38f, 3.0e38f, -3.0e38f}, direction, 3.0e38f, &hit));
		}
	}
	tnDestroyWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Regions

static int RegionsMeasure(void)
{
	static float heights[cellCount], depths[cellCount];
	MakeRoughField(30, heights, depths);
	const tnWorldDef def = MakeDef();
	tnWorld* world = CreateWorld(&def, heights, depths);
	ENSURE(world != NULL);
	TestRandom random = TestMakeRandom(31);
	for (int i = 0; i < 200; ++i)
	{
		tnRegionDef region = tnDefaultRegionDef();
		region.shape = i % 2 == 0 ? tn_discRegion : tn_boxRegion;
		region.center = RandomPlace(&random);
		region.extent = (tnVec2){TestRandomFloat(&random, 0.01f, 20.0f), TestRandomFloat(&random, 0.01f, 8.0f)};
		double volume = 0.0;
		double wetArea = 0.0;
		double area = 0.0;
		float maxDepth = 0.0f;
		for (int cell = 0; cell < cellCount; ++cell)
		{
			const tnVec2 center = GetCenter(cell % columnCount, cell / columnCount);
			const float x = center.x - region.center.x;
			const float z = center.z - region.center.z;
			const bool inside = region.shape == tn_discRegion
				? x * x + z * z <= region.extent.x * region.extent.x
				: fabsf(x) <= region.extent.x && fabsf(z) <= region.extent.z;
			if (inside)
			{
				volume += (double)depths[cell] * 0.25;
				wetArea += depths[cell] > TN_WET_DEPTH ? 0.25 : 0.0;
				area += 0.25;
				maxDepth = fmaxf(maxDepth, depths[cell]);
			}
		}
		tnRegionState state;
		ENSURE_OK(tnWorld_MeasureRegion(world, &region, &state));
		if (area == 0.0)
		{
			// Between cell centres: the cell around the centre, whichever it is.
			ENSURE(state.area == 0.25);
			continue;
		}
		// Sums of doubles in another order.
		ENSURE_CLOSE(state.volume, volume, 1.0e-12 * (1.0 + volume));
		ENSURE(state.wetArea == wetArea && state.area == area && state.maxDepth == maxDepth);

		tnRegionId id;
		ENSURE_OK(tnWorld_CreateRegion(world, &region, &id));
		tnRegionState watched;
		ENSURE_OK(tnWorld_GetRegionState(world, id, &watched));
		ENSURE(watched.volume == state.volume && watched.wetArea == state.wetArea && watched.area == state.area &&
			watched.maxDepth == state.maxDepth);
		ENSURE_OK(tnWorld_DestroyRegion(world, id));
	}
	tnDestroyWorld(world);
	return 0;
}

static int RegionIdsGoStale(void)
{
	const tnWorldDef def = MakeDef();
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	tnRegionDef region = tnDefaultRegionDef();
	region.center = GetCenter(5, 5);
	tnRegionId ids[100];
	for (int i = 0; i < 100; ++i)
	{
		ENSURE_OK(tnWorld_CreateRegion(world, &region, &ids[i]));
		ENSURE_EQUAL_INT(ids[i].index1, i + 1);
	}
	ENSURE_OK(tnWorld_DestroyRegion(world, ids[41]));
	ENSURE(!tnRegion_IsValid(world, ids[41]) && tnRegion_IsValid(world, ids[40]) && tnRegion_IsValid(world, ids[99]));
	ENSURE_REFUSED(tnWorld_DestroyRegion(world, ids[41]), tn_staleId, "region");
	tnRegionId again;
	ENSURE_OK(tnWorld_CreateRegion(world, &region, &again));
	ENSURE_EQUAL_INT(again.index1, 42);
	ENSURE(tnRegion_IsValid(world, again) && !tnRegion_IsValid(world, ids[41]));
	tnRegionState state;
	ENSURE_REFUSED(tnWorld_GetRegionState(world, ids[41], &state), tn_staleId, "region");
	ENSURE(!tnRegion_IsValid(world, (tnRegionId){0}));
	tnDestroyWorld(world);
	return 0;
}

static int CheckEvent(tnRegionEvent event, tnRegionId region, tnRegionEventKind kind, uint64_t userData)
{
	ENSURE_EQUAL_INT(event.region.index1, region.index1);
	ENSURE_EQUAL_INT(event.region.generation, region.generation);
	ENSURE_EQUAL_INT(event.kind, kind);
	ENSURE_EQUAL_INT(event.userData, userData);
	return 0;
}

// Set the water of the whole world, step, and look at the events.
static tnRegionEvents StepWithDepth(tnWorld* world, float depth)
{
	static float depths[cellCount];
	for (int i = 0; i < cellCount; ++i)
	{
		depths[i] = depth;
	}
	tnRegionEvents none = {0};
	none.count = -1;
	if (tnWorld_SetDepths(world, depths).status != tn_ok || tnWorld_Step(world, 1.0f / 60.0f).status != tn_ok)
	{
		return none;
	}
	return tnWorld_GetRegionEvents(world);
}

static int RegionEventsComeInOrder(void)
{
	TestAllocator counter = {0};
	tnWorldDef def = MakeDef();
	def.allocator = TestGetAllocator(&counter);
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_EQUAL_INT(tnWorld_GetRegionEvents(world).count, 0);

	// Made in this order, but the first slot is freed and taken again, so that the last one made has the lowest index.
	tnRegionDef region = tnDefaultRegionDef();
	region.center = GetCenter(50, 5);
	region.extent = (tnVec2){1.0f, 1.0f};
	region.hysteresis = 0.0f;
	tnRegionId first, second, third;
	ENSURE_OK(tnWorld_CreateRegion(world, &region, &first));
	region.triggerDepth = 0.5f;
	region.userData = 22;
	ENSURE_OK(tnWorld_CreateRegion(world, &region, &second));
	ENSURE_OK(tnWorld_DestroyRegion(world, first));
	region.triggerDepth = 0.25f;
	region.userData = UINT64_MAX;
	region.shape = tn_boxRegion;
	ENSURE_OK(tnWorld_CreateRegion(world, &region, &third));
	ENSURE_EQUAL_INT(third.index1, 1);
	const int allocationCount = counter.allocationCount;

	tnRegionEvents events = StepWithDepth(world, 1.0f);
	ENSURE_EQUAL_INT(events.count, 4);
	ENSURE_EQUAL_INT(CheckEvent(events.events[0], third, tn_becameWet, UINT64_MAX), 0);
	ENSURE_EQUAL_INT(CheckEvent(events.events[1], third, tn_roseAbove, UINT64_MAX), 0);
	ENSURE_EQUAL_INT(CheckEvent(events.events[2], second, tn_becameWet, 22), 0);
	ENSURE_EQUAL_INT(CheckEvent(events.events[3], second, tn_roseAbove, 22), 0);
	ENSURE(events.events[0].maxDepth == 1.0f);
	// What stays as it is makes no event.
	ENSURE_EQUAL_INT(StepWithDepth(world, 1.0f).count, 0);
	ENSURE_EQUAL_INT(StepWithDepth(world, 0.75f).count, 0);
	// At the depth itself counts as below.
	events = StepWithDepth(world, 0.5f);
	ENSURE_EQUAL_INT(events.count, 1);
	ENSURE_EQUAL_INT(CheckEvent(events.events[0], second, tn_fellBelow, 22), 0);
	ENSURE_EQUAL_INT(StepWithDepth(world, 0.4f).count, 0);
	events = StepWithDepth(world, TN_WET_DEPTH);
	ENSURE_EQUAL_INT(events.count, 3);
	ENSURE_EQUAL_INT(CheckEvent(events.events[0], third, tn_becameDry, UINT64_MAX), 0);
	ENSURE_EQUAL_INT(CheckEvent(events.events[1], third, tn_fellBelow, UINT64_MAX), 0);
	ENSURE_EQUAL_INT(CheckEvent(events.events[2], second, tn_becameDry, 22), 0);
	events = StepWithDepth(world, 0.3f);
	ENSURE_EQUAL_INT(events.count, 3);
	ENSURE_EQUAL_INT(CheckEvent(events.events[0], third, tn_becameWet, UINT64_MAX), 0);
	ENSURE_EQUAL_INT(CheckEvent(events.events[1], third, tn_roseAbove, UINT64_MAX), 0);
	ENSURE_EQUAL_INT(CheckEvent(events.events[2], second, tn_becameWet, 22), 0);
	ENSURE_EQUAL_INT(counter.allocationCount, allocationCount);

	// Water that is there when a region is made is no news.
	ENSURE_OK(tnWorld_CreateRegion(world, &region, &first));
	ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
	ENSURE_EQUAL_INT(tnWorld_GetRegionEvents(world).count, 0);
	tnDestroyWorld(world);
	ENSURE_EQUAL_INT(counter.liveBytes, 0);
	ENSURE_EQUAL_INT(counter.badFreeCount, 0);
	return 0;
}

// A region that is above stays above until the water has fallen by the hysteresis, and by no more than half the depth.
static int RegionsForgiveRipples(void)
{
	tnWorldDef def = MakeDef();
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	tnRegionDef region = tnDefaultRegionDef();
	// Smaller than a cell and away from all centres: the cell around it is watched.
	region.center = GetCenter(7, 5);
	region.center.x += 0.2f;
	region.extent = (tnVec2){0.01f, 0.01f};
	region.triggerDepth = 0.5f;
	region.hysteresis = 0.125f;
	tnRegionId id;
	ENSURE_OK(tnWorld_CreateRegion(world, &region, &id));
	tnRegionState state;
	ENSURE_OK(tnWorld_GetRegionState(world, id, &state));
	ENSURE(state.area == 0.25);

	ENSURE_EQUAL_INT(StepWithDepth(world, 0.5f).count, 1);
	ENSURE_EQUAL_INT(StepWithDepth(world, 0.51f).count, 1);
	ENSURE_EQUAL_INT(StepWithDepth(world, 0.49f).count, 0);
	ENSURE_EQUAL_INT(StepWithDepth(world, 0.376f).count, 0);
	tnRegionEvents events = StepWithDepth(world, 0.375f);
	ENSURE_EQUAL_INT(events.count, 1);
	ENSURE(events.events[0].kind == tn_fellBelow);
	ENSURE_EQUAL_INT(StepWithDepth(world, 0.49f).count, 0);
	ENSURE_EQUAL_INT(StepWithDepth(world, 0.51f * TN_WET_DEPTH).count, 0);
	events = StepWithDepth(world, 0.5f * TN_WET_DEPTH);
	ENSURE_EQUAL_INT(events.count, 1);
	ENSURE(events.events[0].kind == tn_becameDry);

	region.hysteresis = -1.0f;
	ENSURE_REFUSED(tnWorld_CreateRegion(world, &region, &id), tn_invalidArgument, "hysteresis");
	tnDestroyWorld(world);
	return 0;
}

// Water poured into one corner of a dry world wakes the cells around it, and no others.
static int AwakeCellsAreThoseThatMove(void)
{
	enum
	{
		wide = 331,
		high = 97,
	};
	static uint8_t awake[wide * high];
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = wide;
	def.rowCount = high;
	def.sleepTime = 0.25f;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	for (int step = 0; step < 60; ++step)
	{
		ENSURE_OK(tnWorld_Step(world, 0.1f));
	}
	ENSURE_OK(tnWorld_CopyAwake(world, awake));
	for (int i = 0; i < wide * high; ++i)
	{
		ENSURE_EQUAL_INT(awake[i], 0);
	}

	ENSURE_OK(tnWorld_AddWater(world, (tnVec2){20.5f, 12.5f}, 3.0f, 5.0f, NULL));
	ENSURE_OK(tnWorld_Step(world, 0.1f));
	ENSURE_OK(tnWorld_CopyAwake(world, awake));
	const tnFieldView depth = tnWorld_GetDepth(world);
	int count = 0;
	for (int i = 0; i < wide * high; ++i)
	{
		const int column = i % wide;
		count += awake[i];
		ENSURE(awake[i] == 1 || depth.data[i / wide * depth.stride + column] == 0.0f);
		ENSURE(awake[i] == 0 || column < wide / 2);
	}
	ENSURE(count > 0);
	const tnStats stats = tnWorld_GetStats(world);
	ENSURE(stats.awakeTileCount > 0 && stats.awakeTileCount < stats.tileCount);
	tnDestroyWorld(world);
	return 0;
}

// Regions of sleeping tiles are skipped; nothing may be missed by that. The wave of a dam break crosses a dry, sleeping
// world, and each region along its way tells of it once, in the step in which its water comes.
static int RegionsOfSleepingTiles(void)
{
	enum
	{
		regionCount = 10,
	};
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = 320;
	def.rowCount = 9;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	tnRegionId ids[regionCount];
	bool wet[regionCount] = {0};
	for (int i = 0; i < regionCount; ++i)
	{
		tnRegionDef region = tnDefaultRegionDef();
		region.center = (tnVec2){16.0f + 32.0f * (float)i, 4.5f};
		region.extent = (tnVec2){3.0f, 3.0f};
		region.triggerDepth = 100.0f;
		region.hysteresis = 0.0f;
		region.userData = (uint64_t)i;
		ENSURE_OK(tnWorld_CreateRegion(world, &region, &ids[i]));
	}
	ENSURE_OK(tnWorld_Step(world, 0.1f));
	ENSURE_EQUAL_INT(tnWorld_GetRegionEvents(world).count, 0);
	double moved = 0.0;
	ENSURE_OK(tnWorld_AddWater(world, (tnVec2){30.0f, 4.5f}, 5.0f, 3000.0f, &moved));
	int eventCount = 0;
	for (int step = 0; step < 2000; ++step)
	{
		ENSURE_OK(tnWorld_Step(world, 0.1f));
		const tnRegionEvents events = tnWorld_GetRegionEvents(world);
		for (int i = 0; i < events.count; ++i)
		{
			const int index = (int)events.events[i].userData;
			ENSURE(events.events[i].kind == (wet[index] ? tn_becameDry : tn_becameWet));
			wet[index] = !wet[index];
			eventCount += 1;
		}
		for (int i = 0; i < regionCount; ++i)
		{
			tnRegionState state;
			ENSURE_OK(tnWorld_GetRegionState(world, ids[i], &state));
			ENSURE(wet[i] == (state.maxDepth > TN_WET_DEPTH));
		}
	}
	ENSURE(eventCount >= regionCount);
	tnDestroyWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Gauges

static int GaugesRemember(void)
{
	const tnWorldDef def = MakeDef();
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	tnGaugeId id, other;
	const tnVec2 place = GetCenter(30, 10);
	ENSURE_OK(tnWorld_CreateGauge(world, place, &id));
	ENSURE_OK(tnWorld_CreateGauge(world, GetCenter(2, 2), &other));
	ENSURE(tnGauge_IsValid(world, id) && tnGauge_IsValid(world, other));

	tnGaugeState state;
	ENSURE_OK(tnWorld_GetGaugeState(world, id, &state));
	ENSURE(state.arrivalTime == -1.0 && state.maxDepth == 0.0f && state.maxSpeed == 0.0f && !state.sample.wet);
	for (int i = 0; i < 4; ++i)
	{
		ENSURE_OK(tnWorld_Step(world, 0.25f));
	}
	ENSURE_OK(tnWorld_GetGaugeState(world, id, &state));
	ENSURE(state.arrivalTime == -1.0);

	StepWithDepth(world, 2.0f);
	const double arrival = tnWorld_GetTime(world);
	ENSURE_OK(tnWorld_GetGaugeState(world, id, &state));
	ENSURE(state.arrivalTime == arrival && state.maxDepth == 2.0f && state.sample.depth == 2.0f);
	StepWithDepth(world, 0.5f);
	ENSURE_OK(tnWorld_AddImpulse(world, place, 2.0f, (tnVec2){3000.0f, 0.0f}));
	ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
	ENSURE_OK(tnWorld_GetGaugeState(world, id, &state));
	const tnSample sample = tnWorld_Sample(world, place);
	ENSURE(SameBits(&sample, &state.sample));
	ENSURE(state.arrivalTime == arrival && state.maxDepth == 2.0f && state.maxSpeed > 0.0f);
	ENSURE(state.maxSpeed >= state.sample.velocity.x);
	const float maxSpeed = state.maxSpeed;
	for (int i = 0; i < 300; ++i)
	{
		ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
	}
	ENSURE_OK(tnWorld_GetGaugeState(world, id, &state));
	ENSURE(state.maxSpeed >= maxSpeed && state.maxSpeed > 2.0f * fabsf(state.sample.velocity.x));

	// A reset gauge knows only what is there now.
	ENSURE_OK(tnWorld_ResetGauge(world, id));
	ENSURE_OK(tnWorld_GetGaugeState(world, id, &state));
	ENSURE(state.arrivalTime == tnWorld_GetTime(world) && state.maxDepth == state.sample.depth &&
		state.maxSpeed < maxSpeed);

	ENSURE_OK(tnWorld_DestroyGauge(world, id));
	ENSURE(!tnGauge_IsValid(world, id) && tnGauge_IsValid(world, other));
	ENSURE_REFUSED(tnWorld_GetGaugeState(world, id, &state), tn_staleId, "gauge");
	ENSURE_REFUSED(tnWorld_ResetGauge(world, id), tn_staleId, "gauge");
	ENSURE_REFUSED(tnWorld_DestroyGauge(world, id), tn_staleId, "gauge");
	tnGaugeId again;
	ENSURE_OK(tnWorld_CreateGauge(world, place, &again));
	ENSURE_EQUAL_INT(again.index1, id.index1);
	ENSURE(!tnGauge_IsValid(world, id) && tnGauge_IsValid(world, again));
	for (int i = 0; i < 50; ++i)
	{
		ENSURE_OK(tnWorld_CreateGauge(world, place, &again));
	}
	ENSURE(tnGauge_IsValid(world, other));
	tnDestroyWorld(world);
	return 0;
}

static const Test s_tests[] = {
	{"PlanesAreReproduced", PlanesAreReproduced},
	{"ShoresStayLevel", ShoresStayLevel},
	{"FrontsFall", FrontsFall},
	{"FilmsAreNotWet", FilmsAreNotWet},
	{"OutsideIsTheNearestCell", OutsideIsTheNearestCell},
	{"ManyIsTheSameAsOne", ManyIsTheSameAsOne},
	{"SamplesHaveNoFavouriteDirection", SamplesHaveNoFavouriteDirection},
	{"SamplesHaveOneHash", SamplesHaveOneHash},
	{"VelocitiesAreInterpolated", VelocitiesAreInterpolated},
	{"BanksDoNotSlowTheWater", BanksDoNotSlowTheWater},
	{"TracersCountByWater", TracersCountByWater},
	{"FieldsAreViews", FieldsAreViews},
	{"DischargeIsVelocityTimesDepth", DischargeIsVelocityTimesDepth},
	{"SurfaceBetweenSteps", SurfaceBetweenSteps},
	{"RaysAgreeWithMarching", RaysAgreeWithMarching},
	{"RaysThatAreSpecial", RaysThatAreSpecial},
	{"RegionsMeasure", RegionsMeasure},
	{"RegionIdsGoStale", RegionIdsGoStale},
	{"RegionEventsComeInOrder", RegionEventsComeInOrder},
	{"RegionsForgiveRipples", RegionsForgiveRipples},
	{"RegionsOfSleepingTiles", RegionsOfSleepingTiles},
	{"GaugesRemember", GaugesRemember},
	{"AwakeCellsAreThoseThatMove", AwakeCellsAreThoseThatMove},
};
const TestSuite queriesSuite = TEST_SUITE("queries", s_tests);
