// SPDX-License-Identifier: MIT

// What a host pulls out of a world, against answers that are known or found the slow way: samples, fields, rays.

#include "query_kit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// One float32 rounding of a number of size 1.
#define EPSILON 6.0e-8

static void MakeVelocities(uint64_t seed, float* velocitiesX, float* velocitiesZ)
{
	TestRandom random = TestMakeRandom(seed);
	for (int i = 0; i < cellCount; ++i)
	{
		velocitiesX[i] = TestRandomFloat(&random, -1.0f, 1.0f);
		velocitiesZ[i] = TestRandomFloat(&random, -1.0f, 1.0f);
	}
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
	static const uint64_t expected[tn_methodCount] = {0xfbb07fc95c852ebbu, 0x5740aea017e1a8ccu, 0x5740aea017e1a8ccu};
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

// Ponds on rough ground that run off and fall dry: no speed that is read is faster than what the height of the world can make, a
// fall and a front on dry ground together, sqrt(2 g d) + 2 sqrt(g d).
static int SpeedsOfDryingGround(void)
{
	enum
	{
		side = 12,
	};
	float worst[tn_methodCount] = {0.0f};
	for (int seed = 1; seed <= TEST_REPEATS(120); ++seed)
	{
		TestRandom random = TestMakeRandom((uint64_t)seed);
		float bed[side * side], depth[side * side], x[side * side], z[side * side];
		tnWorldDef def = tnDefaultWorldDef();
		def.columnCount = TestRandomInt(&random, 4, side);
		def.rowCount = TestRandomInt(&random, 4, side);
		def.cellSize = powf(10.0f, TestRandomFloat(&random, -0.5f, 1.0f));
		def.method = (tnMethod)TestRandomInt(&random, 0, tn_methodCount - 1);
		def.section = (tnPipeSection)(2 * TestRandomInt(&random, 0, 1));
		def.advection = (tnAdvection)TestRandomInt(&random, 0, tn_advectionCount - 1);
		const bool open = TestRandomInt(&random, 0, 1) == 0;
		def.edges[tn_east].kind = open ? tn_openEdge : tn_wallEdge;
		const float rough = powf(10.0f, TestRandomFloat(&random, -1.0f, 0.6f));
		const int cells = def.columnCount * def.rowCount;
		float low = 0.0f;
		float high = 0.0f;
		for (int i = 0; i < cells; ++i)
		{
			bed[i] = TestRandomFloat(&random, -rough, rough);
			depth[i] = TestRandomInt(&random, 0, 2) == 0 ? TestRandomFloat(&random, 0.0f, 2.0f) : 0.0f;
			low = fminf(low, bed[i]);
			high = fmaxf(high, bed[i] + depth[i]);
		}
		const float fall = def.gravity * (high - low);
		const float limit = sqrtf(2.0f * fall) + 2.0f * sqrtf(fall);
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_SetTerrain(world, bed));
		ENSURE_OK(tnWorld_SetDepths(world, depth));
		for (int step = 0; step < 300; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
			ENSURE_OK(tnWorld_CopyVelocities(world, x, z));
			float fastest = 0.0f;
			for (int i = 0; i < cells; ++i)
			{
				fastest = fmaxf(fastest, fmaxf(fabsf(x[i]), fabsf(z[i])));
			}
			const tnVec2 place = {TestRandomFloat(&random, 0.0f, (float)def.columnCount * def.cellSize),
				TestRandomFloat(&random, 0.0f, (float)def.rowCount * def.cellSize)};
			const tnSample sample = tnWorld_Sample(world, place);
			fastest = fmaxf(fastest, fmaxf(fabsf(sample.velocity.x), fabsf(sample.velocity.z)));
			worst[def.method] = fmaxf(worst[def.method], fastest / limit);
		}
		tnDestroyWorld(world);
	}
	for (int method = 0; method < tn_methodCount; ++method)
	{
		// Films of pipes reach 1.2 of it by design, thicker water that runs off 1.6.
		const bool good = worst[method] <= 2.0f;
		if (!good)
		{
			printf("method %d: %g of what heights can make\n", method, (double)worst[method]);
		}
		ENSURE(good);
	}
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
	{"SpeedsOfDryingGround", SpeedsOfDryingGround},
	{"BanksDoNotSlowTheWater", BanksDoNotSlowTheWater},
	{"TracersCountByWater", TracersCountByWater},
	{"FieldsAreViews", FieldsAreViews},
	{"DischargeIsVelocityTimesDepth", DischargeIsVelocityTimesDepth},
	{"SurfaceBetweenSteps", SurfaceBetweenSteps},
	{"RaysAgreeWithMarching", RaysAgreeWithMarching},
	{"RaysThatAreSpecial", RaysThatAreSpecial},
};

const TestSuite queriesSuite = TEST_SUITE("queries", s_tests);
