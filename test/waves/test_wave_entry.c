// SPDX-License-Identifier: MIT

// How displacements get into the tiles of the wave layer.

#include "core/hash.h"
#include "harness.h"
#include "waves/wave_drops.h"
#include "waves/wave_entry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.141592653589793

enum
{
	maxTiles = 512,
};

static void* Alloc(size_t size, size_t alignment, void* context)
{
	(void)context;
	return TestAllocAligned(size, alignment);
}

static void Free(void* memory, size_t size, void* context)
{
	(void)size;
	(void)context;
	TestFreeAligned(memory);
}

// A layer that has nothing but tiles.
typedef struct Layer
{
	tnWaves waves;
	tnMemory memory;
} Layer;

static bool OpenLayer(Layer* layer, int columnCount, int rowCount, float cellSize, int finerLevels, int levelCount)
{
	*layer = (Layer){0};
	const tnAllocator allocator = {Alloc, Free, NULL};
	tnMemory_Init(&layer->memory, &allocator, 0);
	tnWaves* waves = &layer->waves;
	waves->def.finerLevels = finerLevels;
	waves->def.levelCount = levelCount;
	waves->def.tileCount = maxTiles;
	waves->def.keptSteps = 1;
	waves->def.restHeight = 1.0e-6f;
	waves->filter = tnMakeWaveFilter(tn_simdAuto);
	waves->stamps = malloc(sizeof(tnWaveStamps));
	tnMakeWaveStamps(waves->stamps);
	waves->entryFloats = tnGetWaveEntryFloats(levelCount);
	waves->entryScratch = malloc(waves->entryFloats * sizeof(float));
	return tnWavePool_Create(
			   &waves->pool, &layer->memory, &waves->def, columnCount, rowCount, cellSize, (tnVec2){-3.0f, 5.0f}) &&
		tnWavePool_CreateFields(&waves->pool, &layer->memory, &waves->def);
}

static void CloseLayer(Layer* layer)
{
	tnWavePool_Destroy(&layer->waves.pool, &layer->memory);
	free(layer->waves.stamps);
	free(layer->waves.entryScratch);
}

// All tiles of the levels from `finest` on.
static void TakeAll(Layer* layer, int finest)
{
	tnWavePool* pool = &layer->waves.pool;
	for (int level = finest; level < pool->levelCount; ++level)
	{
		for (int row = 0; row * TN_WAVE_TILE < pool->rowCount[level]; ++row)
		{
			for (int column = 0; column * TN_WAVE_TILE < pool->columnCount[level]; ++column)
			{
				tnWavePool_Take(pool, (tnWavePlace){level, column, row});
			}
		}
	}
	tnWavePool_Link(pool);
}

typedef struct BandSums
{
	double sum, absolute;
	float highest;
	uint64_t hash;
} BandSums;

static BandSums SumBand(const Layer* layer, int level)
{
	BandSums sums = {.hash = TN_HASH_SEED};
	const tnWavePool* pool = &layer->waves.pool;
	for (int i = 0; i < pool->count; ++i)
	{
		const tnWaveTile* tile = pool->tiles + pool->order[i];
		for (int row = 0; row < TN_WAVE_TILE && tile->level == level; ++row)
		{
			const float* line = tile->fields[tn_waveHeight] + row * TN_WAVE_STRIDE;
			sums.hash = tnHashBytes(sums.hash, line, TN_WAVE_TILE * sizeof(float));
			for (int column = 0; column < TN_WAVE_TILE; ++column)
			{
				sums.sum += line[column];
				sums.absolute += fabs((double)line[column]);
				sums.highest = fmaxf(sums.highest, fabsf(line[column]));
			}
		}
	}
	return sums;
}

static float GetHeight(const Layer* layer, int level, int column, int row)
{
	const tnWavePool* pool = &layer->waves.pool;
	const int slot = tnWavePool_Find(pool, level, tnGetWaveTileOf(column), tnGetWaveTileOf(row));
	return slot < 0 ? 0.0f : pool->tiles[slot].fields[tn_waveHeight][(row & 63) * TN_WAVE_STRIDE + (column & 63)];
}

static tnWaveEllipse MakeEllipse(float x, float z, float a, float b, float height)
{
	return (tnWaveEllipse){{x, z}, {0.8f, 0.6f}, {a, b}, height};
}

// The bands that an ellipse gives add up to it (as far as grids can tell), each with a sum of zero; tiles are awake.
static int BandsAddUp(void)
{
	Layer layer;
	// 80 x 56 m, cells of 0.25 to 4 m.
	ENSURE(OpenLayer(&layer, 80, 56, 1.0f, 2, 5));
	TakeAll(&layer, 0);
	const tnWaveEllipse ellipse = MakeEllipse(35.0f, 33.0f, 4.0f, 2.0f, 0.5f);
	ENSURE(tnWaves_AddEllipses(&layer.waves, NULL, &ellipse));
	for (int level = 0; level < 5; ++level)
	{
		const BandSums sums = SumBand(&layer, level);
		ENSURE(sums.absolute > 0.0);
		// W08 of the study.
		ENSURE_CLOSE(sums.sum, 0.0, 1.0e-6 * sums.absolute);
	}
	// The middle of the ellipse: what all bands have there, by nearest cells. The volume went out of the coarsest band,
	// over a support as wide as the world.
	double height = 0.0;
	for (int level = 0; level < 5; ++level)
	{
		const float size = layer.waves.pool.cellSize[level];
		height += GetHeight(&layer, level, (int)floorf((35.0f + 3.0f) / size), (int)floorf((33.0f - 5.0f) / size));
	}
	ENSURE_CLOSE(height, 0.5, 0.1);

	// Taken out again, nothing is left but rounding.
	ENSURE(tnWaves_AddEllipses(&layer.waves, &ellipse, NULL));
	for (int level = 0; level < 5; ++level)
	{
		ENSURE(SumBand(&layer, level).highest < 1.0e-6f);
	}
	CloseLayer(&layer);
	return 0;
}

// A band gets the same bits whether finer ones are there or not, small ellipse or large.
static int BandsDoNotKnowEachOther(void)
{
	const tnWaveEllipse small = MakeEllipse(35.0f, 33.0f, 4.0f, 2.0f, 0.5f);
	const tnWaveEllipse moved = MakeEllipse(35.2f, 33.1f, 4.0f, 2.0f, 0.5f);
	const tnWaveEllipse large = MakeEllipse(35.0f, 33.0f, 60.0f, 36.0f, 0.5f);
	const tnWaveEllipse* pairs[3][2] = {{NULL, &small}, {&small, &moved}, {&small, &large}};
	for (int i = 0; i < 3; ++i)
	{
		Layer whole, part;
		ENSURE(OpenLayer(&whole, 80, 56, 1.0f, 3, 6));
		ENSURE(OpenLayer(&part, 80, 56, 1.0f, 3, 6));
		TakeAll(&whole, 0);
		TakeAll(&part, 2);
		ENSURE(tnWaves_AddEllipses(&whole.waves, pairs[i][0], pairs[i][1]));
		ENSURE(tnWaves_AddEllipses(&part.waves, pairs[i][0], pairs[i][1]));
		ENSURE_EQUAL_INT(SumBand(&part, 1).absolute, 0);
		for (int level = 0; level < 6; ++level)
		{
			const BandSums sums = SumBand(&whole, level);
			ENSURE(sums.absolute > 0.0);
			// Edges cut a part of the large one off, and its sum goes into heights that are there already.
			ENSURE_CLOSE(sums.sum, 0.0, (i < 2 ? 1.0e-6 : 3.0e-6) * sums.absolute);
			if (level >= 2)
			{
				ENSURE_EQUAL_HEX(SumBand(&part, level).hash, sums.hash);
			}
		}
		CloseLayer(&whole);
		CloseLayer(&part);
	}
	return 0;
}

// Where tiles are missing, fade, or have walls, the sum is zero all the same, and walls stay dry.
static int SumIsZeroEverywhere(void)
{
	Layer layer;
	ENSURE(OpenLayer(&layer, 160, 112, 1.0f, 2, 4));
	tnWavePool* pool = &layer.waves.pool;
	// Two tiles of the finest level that meet at a corner, of which one fades to the east; walls in the coarsest one.
	const int first = tnWavePool_Take(pool, (tnWavePlace){0, 1, 1});
	const int second = tnWavePool_Take(pool, (tnWavePlace){0, 2, 2});
	const int coarse = tnWavePool_Take(pool, (tnWavePlace){3, 0, 0});
	tnWavePool_Link(pool);
	pool->tiles[first].windows = true;
	pool->tiles[coarse].varied = true;
	for (int row = 0; row < TN_WAVE_TILE; ++row)
	{
		for (int column = 0; column < TN_WAVE_TILE; ++column)
		{
			const int cell = row * TN_WAVE_STRIDE + column;
			pool->tiles[first].fields[tn_waveWindow][cell] = column < 48 ? 1.0f : (64.0f - (float)column) / 16.0f;
			pool->tiles[coarse].fields[tn_waveMask][cell] = column > 16 ? 1.0f : 0.0f;
		}
	}
	// Their common corner is at (32, 32) m from the origin.
	const tnWaveEllipse ellipse = MakeEllipse(28.0f, 36.0f, 3.0f, 2.0f, 1.0f);
	ENSURE(tnWaves_AddEllipses(&layer.waves, NULL, &ellipse));
	const int levels[2] = {0, 3};
	for (int i = 0; i < 2; ++i)
	{
		const BandSums sums = SumBand(&layer, levels[i]);
		ENSURE(sums.absolute > 0.0);
		ENSURE_CLOSE(sums.sum, 0.0, 1.0e-6 * sums.absolute);
	}
	ENSURE(!pool->tiles[first].rests && !pool->tiles[second].rests && !pool->tiles[coarse].rests);
	for (int row = 0; row < TN_WAVE_TILE; ++row)
	{
		for (int column = 0; column <= 16; ++column)
		{
			ENSURE(pool->tiles[coarse].fields[tn_waveHeight][row * TN_WAVE_STRIDE + column] == 0.0f);
		}
	}
	CloseLayer(&layer);
	return 0;
}

// Mirrored ellipses have mirrored bands, bit for bit.
static int MirroredBits(void)
{
	Layer a, b;
	ENSURE(OpenLayer(&a, 128, 128, 1.0f, 1, 2));
	ENSURE(OpenLayer(&b, 128, 128, 1.0f, 1, 2));
	TakeAll(&a, 0);
	TakeAll(&b, 0);
	// The middle of the world is at x = 61.
	const tnWaveEllipse ellipse = {{50.25f, 33.0f}, {0.75f, 0.5f}, {4.0f, 2.0f}, 0.5f};
	const tnWaveEllipse mirror = {{71.75f, 33.0f}, {-0.75f, 0.5f}, {4.0f, 2.0f}, 0.5f};
	ENSURE(tnWaves_AddEllipses(&a.waves, NULL, &ellipse));
	ENSURE(tnWaves_AddEllipses(&b.waves, NULL, &mirror));
	for (int level = 0; level < 2; ++level)
	{
		const int columnCount = a.waves.pool.columnCount[level];
		double worst = 0.0;
		for (int row = 0; row < a.waves.pool.rowCount[level]; ++row)
		{
			for (int column = 0; column < columnCount; ++column)
			{
				const float left = GetHeight(&a, level, column, row);
				const float right = GetHeight(&b, level, columnCount - 1 - column, row);
				worst = fmax(worst, fabs((double)left - right));
			}
		}
		// Covers are made of lines along x whose ends round the other way; the filters then are exact mirrors.
		ENSURE(worst <= 3.0e-7);
	}
	const tnWaveDrop drop = {{50.375f, 33.625f}, 0.25f};
	const tnWaveDrop mirrorDrop = {{71.625f, 33.625f}, 0.25f};
	CloseLayer(&a);
	CloseLayer(&b);
	ENSURE(OpenLayer(&a, 128, 128, 1.0f, 1, 2));
	ENSURE(OpenLayer(&b, 128, 128, 1.0f, 1, 2));
	TakeAll(&a, 0);
	TakeAll(&b, 0);
	tnWaves_AddPoints(&a.waves, &drop, 1);
	tnWaves_AddPoints(&b.waves, &mirrorDrop, 1);
	for (int level = 0; level < 2; ++level)
	{
		const int columnCount = a.waves.pool.columnCount[level];
		for (int row = 0; row < a.waves.pool.rowCount[level]; ++row)
		{
			for (int column = 0; column < columnCount; ++column)
			{
				ENSURE(GetHeight(&a, level, column, row) == GetHeight(&b, level, columnCount - 1 - column, row));
			}
		}
	}
	CloseLayer(&a);
	CloseLayer(&b);
	return 0;
}

// Many drops in one call are the sum of the drops, and of zero volume. Drops outside do nothing.
static int DropsAddUp(void)
{
	enum
	{
		dropCount = 500,
	};
	Layer together, alone;
	// More than one block of 256 cells.
	ENSURE(OpenLayer(&together, 96, 80, 1.0f, 2, 4));
	ENSURE(OpenLayer(&alone, 96, 80, 1.0f, 2, 4));
	TakeAll(&together, 0);
	TakeAll(&alone, 0);
	tnWaveDrop drops[dropCount];
	TestRandom random = TestMakeRandom(7);
	for (int i = 0; i < dropCount; ++i)
	{
		drops[i] = (tnWaveDrop){{TestRandomFloat(&random, -10.0f, 100.0f), TestRandomFloat(&random, 0.0f, 90.0f)},
			TestRandomFloat(&random, 0.01f, 0.02f)};
	}
	tnWaves_AddPoints(&together.waves, drops, dropCount);
	for (int i = 0; i < dropCount; ++i)
	{
		tnWaves_AddPoints(&alone.waves, drops + i, 1);
	}
	for (int level = 0; level < 4; ++level)
	{
		const BandSums sums = SumBand(&together, level);
		ENSURE(sums.absolute > 0.0);
		ENSURE_CLOSE(sums.sum, 0.0, 1.0e-6 * sums.absolute);
		double worst = 0.0;
		for (int row = 0; row < together.waves.pool.rowCount[level]; ++row)
		{
			for (int column = 0; column < together.waves.pool.columnCount[level]; ++column)
			{
				worst = fmax(worst,
					fabs((double)GetHeight(&together, level, column, row) - GetHeight(&alone, level, column, row)));
			}
		}
		// Alone, each is corrected on its own support at the edges and in the coarsest band.
		ENSURE(level == 3 || worst < 0.02 * sums.highest);
	}
	CloseLayer(&together);
	CloseLayer(&alone);
	return 0;
}

// A wrapped level takes what crosses its seam at its other side.
static int WrapsAround(void)
{
	Layer layer;
	ENSURE(OpenLayer(&layer, 128, 64, 1.0f, 0, 2));
	tnWavePool_SetWrap(&layer.waves.pool, true, true, 128, 64);
	ENSURE(layer.waves.pool.wrapX[0] && layer.waves.pool.wrapZ[0]);
	TakeAll(&layer, 0);
	const tnWaveEllipse ellipse = MakeEllipse(-3.0f, 5.0f, 6.0f, 6.0f, 1.0f);
	ENSURE(tnWaves_AddEllipses(&layer.waves, NULL, &ellipse));
	for (int i = 0; i < 8; ++i)
	{
		// A quarter circle in each corner.
		ENSURE_CLOSE(GetHeight(&layer, 0, i, i), GetHeight(&layer, 0, 127 - i, 63 - i), 1.0e-6);
		ENSURE_CLOSE(GetHeight(&layer, 0, 127 - i, i), GetHeight(&layer, 0, i, 63 - i), 1.0e-6);
		ENSURE(fabsf(GetHeight(&layer, 0, i, i)) > 0.0f);
	}
	const BandSums sums = SumBand(&layer, 0);
	ENSURE_CLOSE(sums.sum, 0.0, 1.0e-6 * sums.absolute);
	CloseLayer(&layer);
	return 0;
}

static int RefusesNonsense(void)
{
	Layer layer;
	ENSURE(OpenLayer(&layer, 80, 56, 1.0f, 2, 5));
	TakeAll(&layer, 0);
	const tnWaves* waves = &layer.waves;
	tnWaveEllipse e = MakeEllipse(1.0f, 2.0f, 3.0f, 4.0f, 0.5f);
	ENSURE_OK(tnWaves_CheckEllipse(waves, &e, "after"));
	e.center.x = NAN;
	ENSURE_REFUSED(tnWaves_CheckEllipse(waves, &e, "after"), tn_invalidArgument, "after.center");
	ENSURE(!tnWaves_AddEllipses(&layer.waves, NULL, &e));
	e = MakeEllipse(1.0f, 2.0f, 3.0f, 4.0f, INFINITY);
	ENSURE_REFUSED(tnWaves_CheckEllipse(waves, &e, "before"), tn_invalidArgument, "before.height");
	ENSURE(!tnWaves_AddEllipses(&layer.waves, &e, NULL));
	e = MakeEllipse(1.0f, 2.0f, 0.0f, 4.0f, 0.5f);
	ENSURE_REFUSED(tnWaves_CheckEllipse(waves, &e, "after"), tn_invalidArgument, "radii");
	e = MakeEllipse(1.0f, 2.0f, 3.0f, -4.0f, 0.5f);
	ENSURE_REFUSED(tnWaves_CheckEllipse(waves, &e, "after"), tn_invalidArgument, "radii");
	e = MakeEllipse(1.0f, 2.0f, 3.0f, 4.0f, 0.5f);
	e.axis = (tnVec2){0.0f, 0.0f};
	ENSURE_REFUSED(tnWaves_CheckEllipse(waves, &e, "after"), tn_invalidArgument, "axis");

	tnWaveDrop drops[2] = {{{1.0f, 2.0f}, 1.0f}, {{1.0f, 2.0f}, NAN}};
	ENSURE_OK(tnWaves_CheckDrops(drops, 1));
	ENSURE_OK(tnWaves_CheckDrops(NULL, 0));
	ENSURE_REFUSED(tnWaves_CheckDrops(drops, -1), tn_invalidArgument, "count");
	ENSURE_REFUSED(tnWaves_CheckDrops(NULL, 1), tn_invalidArgument, "drops");
	ENSURE_REFUSED(tnWaves_CheckDrops(drops, 2), tn_invalidArgument, "drops[1].volume");
	drops[1] = (tnWaveDrop){{1.0f, -INFINITY}, 1.0f};
	ENSURE_REFUSED(tnWaves_CheckDrops(drops, 2), tn_invalidArgument, "drops[1].position");
	for (int level = 0; level < 5; ++level)
	{
		ENSURE(SumBand(&layer, level).highest == 0.0f);
	}
	CloseLayer(&layer);
	return 0;
}

// Huge, tiny, far off, thin: nothing is out of bounds, nothing is not finite.
static int TakesExtremes(void)
{
	Layer layer;
	ENSURE(OpenLayer(&layer, 80, 56, 1.0f, 2, 5));
	TakeAll(&layer, 0);
	const tnWaveEllipse ellipses[] = {
		MakeEllipse(35.0f, 33.0f, 1.0e-6f, 1.0e-6f, 1.0f),
		MakeEllipse(35.0f, 33.0f, 2.0e5f, 2.0e5f, 1.0f),
		MakeEllipse(35.0f, 33.0f, 2.0e5f, 1.0e-3f, 1.0f),
		MakeEllipse(35.0f, 33.0f, 30.0f, 0.01f, 1.0f),
		MakeEllipse(1.0e6f, -1.0e6f, 3.0f, 3.0f, 1.0f),
		MakeEllipse(-3.0f, 5.0f, 3.0f, 3.0f, 1.0e-38f),
		MakeEllipse(77.0f, 61.0f, 3.0f, 3.0f, 1.0f),
	};
	for (int i = 0; i < (int)(sizeof(ellipses) / sizeof(ellipses[0])); ++i)
	{
		ENSURE(tnWaves_AddEllipses(&layer.waves, NULL, ellipses + i));
		ENSURE(tnWaves_AddEllipses(&layer.waves, ellipses + i, ellipses));
	}
	const tnWaveDrop far = {{1.0e6f, -1.0e6f}, 1.0f};
	tnWaves_AddPoints(&layer.waves, &far, 1);
	for (int level = 0; level < 5; ++level)
	{
		ENSURE(SumBand(&layer, level).highest < 100.0f);
	}
	CloseLayer(&layer);
	return 0;
}

static const Test s_tests[] = {
	{"BandsAddUp", BandsAddUp},
	{"BandsDoNotKnowEachOther", BandsDoNotKnowEachOther},
	{"SumIsZeroEverywhere", SumIsZeroEverywhere},
	{"MirroredBits", MirroredBits},
	{"DropsAddUp", DropsAddUp},
	{"WrapsAround", WrapsAround},
	{"RefusesNonsense", RefusesNonsense},
	{"TakesExtremes", TakesExtremes},
};
const TestSuite wave_entrySuite = TEST_SUITE("wave_entry", s_tests);
