// SPDX-License-Identifier: MIT

// What the wave layer promises besides physics: one result whatever the workers and instructions, no direction that is
// special, no memory in a step, named errors, and a cost that the pool of tiles decides.

#include "golden.h"
#include "harness.h"
#include "tarn/tarn.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	// Cells of the world. Waves have a finer level below, and two coarser ones.
	worldSize = 64,
	finerLevels = 1,
	levelCount = 4,
	fieldSize = worldSize << finerLevels,
};

static const float s_timeStep = 1.0f / 64.0f;

static tnWorldDef MakeDef(tnWaveKernel kernel)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = worldSize;
	def.rowCount = worldSize;
	def.cellSize = 0.5f;
	def.waves.enable = true;
	def.waves.kernel = kernel;
	def.waves.finerLevels = finerLevels;
	def.waves.levelCount = levelCount;
	def.waves.tileCount = 16;
	def.waves.timeStep = s_timeStep;
	def.waves.reserve = true;
	return def;
}

// The eight symmetries of a square, as in the cases: flips first, then the transposition.
static void Turn(int turn, int* column, int* row)
{
	const int c = (turn & 1) != 0 ? worldSize - 1 - *column : *column;
	const int r = (turn & 2) != 0 ? worldSize - 1 - *row : *row;
	*column = (turn & 4) != 0 ? r : c;
	*row = (turn & 4) != 0 ? c : r;
}

static tnVec2 TurnVector(int turn, tnVec2 v, float size)
{
	const tnVec2 flipped = {(turn & 1) != 0 ? size - v.x : v.x, (turn & 2) != 0 ? size - v.z : v.z};
	return (turn & 4) != 0 ? (tnVec2){flipped.z, flipped.x} : flipped;
}

// Shores, islands and depths from nothing to 4 m, in steps that floats have.
static bool FillBasin(tnWorld* world, int turn)
{
	float bed[worldSize * worldSize];
	TestRandom random = TestMakeRandom(11);
	float bumps[16 * 16];
	for (int i = 0; i < 16 * 16; ++i)
	{
		bumps[i] = (float)(TestRandomInt(&random, 0, 64)) * 0.0625f;
	}
	for (int i = 0; i < worldSize * worldSize; ++i)
	{
		int column = i % worldSize;
		int row = i / worldSize;
		const float depth = bumps[row / 4 * 16 + column / 4];
		Turn(turn, &column, &row);
		bed[row * worldSize + column] = -depth + 0.25f;
	}
	return tnWorld_SetTerrain(world, bed).status == tn_ok && tnWorld_FillToLevel(world, 0.0f).status == tn_ok;
}

// An ellipse on its way.
static tnWaveEllipse MakeEllipse(int step)
{
	tnWaveEllipse ellipse = {0};
	ellipse.center = (tnVec2){8.0f + 0.125f * (float)step, 20.0f - 0.0625f * (float)step};
	ellipse.axis = (tnVec2){1.0f, -0.5f};
	ellipse.radii = (tnVec2){1.5f, 0.75f};
	ellipse.height = 0.125f;
	return ellipse;
}

static bool RunBusy(tnWorld* world, int stepCount)
{
	bool ok = true;
	for (int step = 0; step < stepCount && ok; ++step)
	{
		const tnWaveEllipse before = MakeEllipse(step - 1);
		const tnWaveEllipse after = MakeEllipse(step);
		ok = tnWorld_AddWave(world, step > 0 ? &before : NULL, &after).status == tn_ok;
		if (step % 8 == 0)
		{
			const tnWaveDrop drop = {{20.0f + 0.25f * (float)step, 12.0f}, 0.01f};
			ok = ok && tnWorld_AddDrops(world, &drop, 1).status == tn_ok;
		}
		ok = ok && tnWorld_Step(world, s_timeStep).status == tn_ok;
	}
	return ok;
}

static uint64_t HashBusy(tnWaveKernel kernel, int workerCount, tnSimd simd)
{
	tnWorldDef def = MakeDef(kernel);
	def.tasks.workerCount = workerCount;
	def.simd = simd;
	def.edges[tn_east].kind = tn_absorbEdge;
	tnWorld* world = NULL;
	bool ok = tnCreateWorld(&def, &world).status == tn_ok && FillBasin(world, 0);
	tnInterestDef interest = tnDefaultInterestDef();
	interest.position = (tnVec2){10.0f, 16.0f};
	interest.reach = 8.0f;
	tnInterestId id;
	ok = ok && tnWorld_CreateInterest(world, &interest, &id).status == tn_ok;
	ok = ok && RunBusy(world, 40);
	interest.position.x = 24.0f;
	ok = ok && tnWorld_SetInterest(world, id, &interest).status == tn_ok && RunBusy(world, 60);
	const uint64_t hash = ok ? tnWorld_GetHash(world) : 0;
	tnDestroyWorld(world);
	return hash;
}

static int SameBits(void)
{
	for (int kernel = 0; kernel < tn_waveKernelCount; ++kernel)
	{
		const uint64_t first = HashBusy((tnWaveKernel)kernel, 1, tn_simdAuto);
		ENSURE(first != 0);
		for (int workerCount = 1; workerCount <= 5; ++workerCount)
		{
			if (TEST_LEAVES_OUT(workerCount - 1))
			{
				continue;
			}
			ENSURE_EQUAL_HEX(HashBusy((tnWaveKernel)kernel, workerCount, tn_simdAuto), first);
		}
		for (int simd = tn_simdScalar; simd <= tn_simdWasm; ++simd)
		{
			if (tnIsSimdAvailable((tnSimd)simd))
			{
				ENSURE_EQUAL_HEX(HashBusy((tnWaveKernel)kernel, 2, (tnSimd)simd), first);
			}
		}
	}
	return 0;
}

// The same bits on every machine, for any compiler, and in WebAssembly.
static int BitsAreGolden(void)
{
	ENSURE_EQUAL_HEX(HashBusy(tn_fineWaves, 2, tn_simdAuto), TNC_GOLDEN_WAVES);
	ENSURE_EQUAL_HEX(HashBusy(tn_quickWaves, 2, tn_simdAuto), TNC_GOLDEN_WAVES_QUICK);
	ENSURE_EQUAL_HEX(HashBusy(tn_gaussianWaves, 2, tn_simdAuto), TNC_GOLDEN_WAVES_GAUSSIAN);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Turned scenes

// Heights of a level as one field. Zeros where nothing is.
static void CopyLevel(const tnWorld* world, int level, float* field)
{
	const int size = fieldSize >> level;
	memset(field, 0, (size_t)size * (size_t)size * sizeof(float));
	for (int i = 0; i < tnWorld_GetWaveTileCount(world); ++i)
	{
		tnWaveTileView view;
		if (tnWorld_GetWaveTile(world, i, &view).status != tn_ok || view.level != level)
		{
			continue;
		}
		for (int r = 0; r < view.size && view.row * view.size + r < size; ++r)
		{
			for (int c = 0; c < view.size && view.column * view.size + c < size; ++c)
			{
				field[(view.row * view.size + r) * size + view.column * view.size + c] =
					view.heights[r * view.stride + c];
			}
		}
	}
}

// Largest difference between a world and its turned twin, over the largest height.
static double CompareTurned(const tnWorld* world, const tnWorld* twin, int turn, int levels)
{
	static float own[fieldSize * fieldSize];
	static float other[fieldSize * fieldSize];
	double difference = 0.0, largest = 0.0;
	for (int level = 0; level < levels; ++level)
	{
		const int size = fieldSize >> level;
		CopyLevel(world, level, own);
		CopyLevel(twin, level, other);
		for (int i = 0; i < size * size; ++i)
		{
			const int c = (turn & 1) != 0 ? size - 1 - i % size : i % size;
			const int r = (turn & 2) != 0 ? size - 1 - i / size : i / size;
			const int at = (turn & 4) != 0 ? c * size + r : r * size + c;
			// Written out: gcc 12 for arm64 breaks down over fmax here.
			const double gap = fabs((double)own[i] - (double)other[at]);
			const double height = fabs((double)own[i]);
			difference = gap > difference ? gap : difference;
			largest = height > largest ? height : largest;
		}
	}
	return largest > 0.0 ? difference / largest : NAN;
}

// Random heights, in steps that floats have, and drops.
static bool EnterTurned(tnWorld* world, int turn, bool drops)
{
	static float field[fieldSize * fieldSize];
	TestRandom random = TestMakeRandom(29);
	for (int i = 0; i < fieldSize * fieldSize; ++i)
	{
		const int c = (turn & 1) != 0 ? fieldSize - 1 - i % fieldSize : i % fieldSize;
		const int r = (turn & 2) != 0 ? fieldSize - 1 - i / fieldSize : i / fieldSize;
		const int at = (turn & 4) != 0 ? c * fieldSize + r : r * fieldSize + c;
		field[at] = (float)TestRandomInt(&random, -64, 64) / 4096.0f;
	}
	bool ok = tnWorld_AddWaveField(world, 0, 0, fieldSize, fieldSize, field, field).status == tn_ok;
	const tnWaveDrop drop = {TurnVector(turn, (tnVec2){20.25f, 11.5f}, worldSize * 0.5f), 0.0625f};
	return ok && (!drops || tnWorld_AddDrops(world, &drop, 1).status == tn_ok);
}

// @return what they differ by, NAN if something was refused
static double RunTurned(tnWaveKernel kernel, int levels, int turn, bool flat, bool flows)
{
	tnWorld* worlds[2] = {NULL, NULL};
	bool ok = true;
	for (int i = 0; i < 2 && ok; ++i)
	{
		tnWorldDef def = MakeDef(kernel);
		def.waves.levelCount = levels;
		const int own = i == 0 ? 0 : turn;
		ok = tnCreateWorld(&def, worlds + i).status == tn_ok;
		ok = ok && (flat || FillBasin(worlds[i], own));
		ok = ok && (!flat || tnWorld_FillToLevel(worlds[i], 2.0f).status == tn_ok);
		ok = ok && EnterTurned(worlds[i], own, levels > 1);
		const tnVec2 hump = TurnVector(own, (tnVec2){10.25f, 20.5f}, worldSize * 0.5f);
		ok = ok && (!flows || tnWorld_AddWater(worlds[i], hump, 6.0f, 60.0f, NULL).status == tn_ok);
		for (int step = 0; step < 40 && ok; ++step)
		{
			ok = tnWorld_Step(worlds[i], s_timeStep).status == tn_ok;
		}
	}
	const double difference = ok ? CompareTurned(worlds[0], worlds[1], turn, levels) : NAN;
	tnDestroyWorld(worlds[0]);
	tnDestroyWorld(worlds[1]);
	return difference;
}

// Mirrored scenes have mirrored bits. Steps alone, of one level, do not even know columns from rows; filters do the ones
// before the others, so that transposed scenes differ in the last bit when they begin. Gaussian kernels know no walls: at
// an edge that is inside of a tile waves run out.
static int NoDirectionIsSpecial(void)
{
	for (int kernel = 0; kernel < tn_gaussianWaves; ++kernel)
	{
		for (int turn = 1; turn < 8; ++turn)
		{
			if (TEST_LEAVES_OUT(turn + 1))
			{
				continue;
			}
			const double limit = (turn & 4) != 0 ? 2.0e-6 : 0.0;
			ENSURE_CLOSE(RunTurned((tnWaveKernel)kernel, levelCount, turn, true, false), 0.0, limit);
			ENSURE_CLOSE(RunTurned((tnWaveKernel)kernel, levelCount, turn, false, false), 0.0, limit);
			ENSURE_CLOSE(RunTurned((tnWaveKernel)kernel, 1, turn, true, false), 0.0, 0.0);
			ENSURE_CLOSE(RunTurned((tnWaveKernel)kernel, 1, turn, false, false), 0.0, 0.0);
			// Water that runs down carries waves along.
			if (turn < 4)
			{
				ENSURE_CLOSE(RunTurned((tnWaveKernel)kernel, levelCount, turn, true, true), 0.0, 0.0);
				ENSURE_CLOSE(RunTurned((tnWaveKernel)kernel, levelCount, turn, false, true), 0.0, 0.0);
			}
		}
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Memory, tiles, samples

static int StepsDoNotAllocate(void)
{
	TestAllocator allocator = {0};
	tnWorldDef def = MakeDef(tn_fineWaves);
	def.allocator = TestGetAllocator(&allocator);
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE(FillBasin(world, 0));
	tnInterestDef interest = tnDefaultInterestDef();
	tnInterestId id;
	interest.reach = 8.0f;
	ENSURE_OK(tnWorld_CreateInterest(world, &interest, &id));
	const int count = allocator.allocationCount;
	for (int i = 0; i < 20; ++i)
	{
		// Tiles come and go, steps change their length, waves are made.
		interest.position.x = (float)(i * 2);
		ENSURE_OK(tnWorld_SetInterest(world, id, &interest));
		ENSURE(RunBusy(world, 8));
		ENSURE_OK(tnWorld_Step(world, i % 4 == 0 ? 1.0f / 30.0f : s_timeStep));
	}
	ENSURE_EQUAL_INT(allocator.allocationCount, count);
	tnDestroyWorld(world);
	ENSURE_EQUAL_INT(allocator.allocationCount, allocator.freeCount);
	ENSURE_EQUAL_INT(allocator.badFreeCount, 0);
	return 0;
}

// Whatever allocation fails, the world is not made, and nothing is left behind.
static int AllocationsMayFail(void)
{
	for (int i = 1; i < 200; ++i)
	{
		TestAllocator allocator = {0};
		allocator.failIn = i;
		tnWorldDef def = MakeDef(tn_fineWaves);
		def.allocator = TestGetAllocator(&allocator);
		tnWorld* world = NULL;
		const tnResult result = tnCreateWorld(&def, &world);
		tnDestroyWorld(world);
		ENSURE_EQUAL_INT(allocator.allocationCount, allocator.freeCount);
		ENSURE_EQUAL_INT(allocator.liveBytes, 0);
		if (result.status == tn_ok)
		{
			return 0;
		}
		ENSURE(world == NULL);
	}
	return 1;
}

// More points of interest cost neither tiles nor memory.
static int InterestsShareThePool(void)
{
	TestAllocator allocator = {0};
	tnWorldDef def = MakeDef(tn_fineWaves);
	def.columnCount = 256;
	def.rowCount = 192;
	def.allocator = TestGetAllocator(&allocator);
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_OK(tnWorld_FillToLevel(world, 2.0f));
	size_t bytes = 0;
	const size_t liveBytes = allocator.liveBytes;
	TestRandom random = TestMakeRandom(3);
	enum
	{
		count = 200
	};
	for (int i = 0; i < count; ++i)
	{
		tnInterestDef interest = tnDefaultInterestDef();
		interest.position =
			(tnVec2){TestRandomFloat(&random, -20.0f, 148.0f), TestRandomFloat(&random, -20.0f, 116.0f)};
		tnInterestId id;
		ENSURE_OK(tnWorld_CreateInterest(world, &interest, &id));
		ENSURE_OK(tnWorld_Step(world, s_timeStep));
		tnWaveStats stats;
		ENSURE_OK(tnWorld_GetWaveStats(world, &stats));
		bytes = i == 0 ? stats.byteCount : bytes;
		ENSURE_EQUAL_INT(stats.byteCount, bytes);
		ENSURE(tnWorld_GetWaveTileCount(world) <= def.waves.tileCount);
	}
	// Only the list of the points themselves has grown, by doubling.
	ENSURE(allocator.liveBytes - liveBytes < count * 4 * sizeof(tnInterestDef));
	tnDestroyWorld(world);
	return 0;
}

static uint64_t HashTiles(const tnWorld* world)
{
	uint64_t hash = 0xCBF29CE484222325u;
	for (int i = 0; i < tnWorld_GetWaveTileCount(world); ++i)
	{
		tnWaveTileView view;
		tnWorld_GetWaveTile(world, i, &view);
		const int place[3] = {view.level, view.column, view.row};
		for (int k = 0; k < 3; ++k)
		{
			hash = (hash ^ (uint64_t)(place[k] + 1)) * 0x100000001B3u;
		}
	}
	return hash;
}

// Which tiles there are depends on where interests are, not on their order, nor on what was before.
static int DealingHasNoOrder(void)
{
	const tnVec2 places[5] = {{10.0f, 10.0f}, {100.0f, 20.0f}, {60.0f, 80.0f}, {5.0f, 90.0f}, {128.0f, 96.0f}};
	uint64_t hashes[3] = {0};
	for (int way = 0; way < 3; ++way)
	{
		tnWorldDef def = MakeDef(tn_fineWaves);
		def.columnCount = 256;
		def.rowCount = 192;
		def.waves.tileCount = 24;
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_FillToLevel(world, 2.0f));
		tnInterestId ids[6];
		if (way == 2)
		{
			// Somebody who was here and went.
			tnInterestDef guest = tnDefaultInterestDef();
			guest.position = (tnVec2){64.0f, 48.0f};
			guest.reach = 60.0f;
			ENSURE_OK(tnWorld_CreateInterest(world, &guest, ids + 5));
			ENSURE_OK(tnWorld_Step(world, s_timeStep));
			ENSURE_OK(tnWorld_DestroyInterest(world, ids[5]));
			for (int i = 0; i < 16; ++i)
			{
				ENSURE_OK(tnWorld_Step(world, s_timeStep));
			}
		}
		for (int i = 0; i < 5; ++i)
		{
			const int k = way == 1 ? 4 - i : i;
			tnInterestDef interest = tnDefaultInterestDef();
			interest.position = places[k];
			interest.reach = 12.0f;
			ENSURE_OK(tnWorld_CreateInterest(world, &interest, ids + k));
		}
		for (int i = 0; i < 64; ++i)
		{
			ENSURE_OK(tnWorld_Step(world, s_timeStep));
		}
		hashes[way] = HashTiles(world);
		ENSURE(tnWorld_GetWaveTileCount(world) > 4);
		tnDestroyWorld(world);
	}
	ENSURE_EQUAL_HEX(hashes[1], hashes[0]);
	ENSURE_EQUAL_HEX(hashes[2], hashes[0]);
	return 0;
}

// A place that has the same levels has the same waves, wherever else there are finer ones.
static int SamplesKnowOnlyTheirLevels(void)
{
	tnWorld* worlds[2] = {NULL, NULL};
	for (int i = 0; i < 2; ++i)
	{
		tnWorldDef def = MakeDef(tn_fineWaves);
		def.columnCount = 128;
		// The coarser levels, or those and an interest.
		def.waves.tileCount = i == 0 ? 2 + 1 + 1 : 16;
		ENSURE_OK(tnCreateWorld(&def, worlds + i));
		ENSURE_OK(tnWorld_FillToLevel(worlds[i], 2.0f));
		if (i == 1)
		{
			tnInterestDef interest = tnDefaultInterestDef();
			interest.position = (tnVec2){56.0f, 16.0f};
			interest.reach = 14.0f;
			tnInterestId id;
			ENSURE_OK(tnWorld_CreateInterest(worlds[1], &interest, &id));
		}
		ENSURE(RunBusy(worlds[i], 90));
	}
	tnWaveStats stats;
	ENSURE_OK(tnWorld_GetWaveStats(worlds[0], &stats));
	ENSURE_EQUAL_INT(stats.tileCounts[0], 0);
	ENSURE_OK(tnWorld_GetWaveStats(worlds[1], &stats));
	ENSURE(stats.tileCounts[0] > 0 && stats.tileCounts[0] < 8);
	TestRandom random = TestMakeRandom(5);
	int count = 0;
	bool moves = false;
	for (int i = 0; i < 1000; ++i)
	{
		const tnVec2 place = {TestRandomFloat(&random, 0.0f, 64.0f), TestRandomFloat(&random, 0.0f, 32.0f)};
		tnWaveSample samples[2];
		ENSURE_OK(tnWorld_SampleWaves(worlds[0], place, samples));
		ENSURE_OK(tnWorld_SampleWaves(worlds[1], place, samples + 1));
		if (samples[0].finestLevel == samples[1].finestLevel)
		{
			ENSURE(samples[0].height == samples[1].height && samples[0].rate == samples[1].rate);
			ENSURE(samples[0].slope.x == samples[1].slope.x && samples[0].velocity.z == samples[1].velocity.z);
			count += 1;
			moves = moves || samples[0].height != 0.0f;
		}
	}
	ENSURE(count > 100 && count < 900 && moves);
	tnDestroyWorld(worlds[0]);
	tnDestroyWorld(worlds[1]);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Bad input

static tnWorld* OpenFlat(bool enable)
{
	tnWorldDef def = MakeDef(tn_fineWaves);
	def.waves.enable = enable;
	tnWorld* world = NULL;
	if (tnCreateWorld(&def, &world).status == tn_ok)
	{
		tnWorld_FillToLevel(world, 2.0f);
	}
	return world;
}

static tnResult TryDef(const tnWavesDef* waves)
{
	tnWorldDef def = MakeDef(tn_fineWaves);
	def.waves = *waves;
	tnWorld* world = NULL;
	const tnResult result = tnCreateWorld(&def, &world);
	tnDestroyWorld(world);
	return result;
}

static int DefsAreChecked(void)
{
	const tnWavesDef good = MakeDef(tn_fineWaves).waves;
	ENSURE_OK(TryDef(&good));
	tnWavesDef def = good;
	def.kernel = tn_waveKernelCount;
	ENSURE_REFUSED(TryDef(&def), tn_invalidArgument, "waves.kernel");
	const int counts[2] = {-1, 7};
	for (int i = 0; i < 2; ++i)
	{
		def = good;
		def.finerLevels = counts[i];
		ENSURE_REFUSED(TryDef(&def), tn_invalidArgument, "waves.finerLevels");
		def = good;
		def.levelCount = i == 0 ? 0 : good.finerLevels + 8;
		ENSURE_REFUSED(TryDef(&def), tn_invalidArgument, "waves.levelCount");
		def = good;
		def.tileCount = i == 0 ? 0 : 65537;
		ENSURE_REFUSED(TryDef(&def), tn_invalidArgument, "waves.tileCount");
	}
	const float bad[4] = {NAN, -1.0f, INFINITY, 1.0e6f};
	for (int i = 0; i < 4; ++i)
	{
		def = good;
		def.damping = bad[i];
		ENSURE_REFUSED(TryDef(&def), tn_invalidArgument, "waves.damping");
		def = good;
		def.viscosity = bad[i];
		ENSURE_REFUSED(TryDef(&def), tn_invalidArgument, "waves.viscosity");
		def = good;
		def.breakingLimit = bad[i];
		ENSURE_REFUSED(TryDef(&def), tn_invalidArgument, "waves.breakingLimit");
		def = good;
		def.restHeight = bad[i];
		ENSURE_REFUSED(TryDef(&def), tn_invalidArgument, "waves.restHeight");
		def = good;
		def.timeStep = bad[i];
		ENSURE_REFUSED(TryDef(&def), tn_invalidArgument, "waves.timeStep");
	}
	// Nobody looks at a def that is off.
	def.enable = false;
	ENSURE_OK(TryDef(&def));
	return 0;
}

static int InterestsAreChecked(void)
{
	tnWorld* world = OpenFlat(true);
	tnInterestDef def = tnDefaultInterestDef();
	tnInterestId id = {7, 7};
	ENSURE_REFUSED(tnWorld_CreateInterest(world, &def, NULL), tn_invalidArgument, "id");
	ENSURE_REFUSED(tnWorld_CreateInterest(world, NULL, &id), tn_invalidArgument, "def");
	ENSURE_EQUAL_INT(id.index1, 0);
	def.stamp = 1;
	ENSURE_REFUSED(tnWorld_CreateInterest(world, &def, &id), tn_invalidArgument, "stamp");
	const float bad[4] = {NAN, INFINITY, 0.0f, -1.0f};
	for (int i = 0; i < 4; ++i)
	{
		def = tnDefaultInterestDef();
		def.reach = bad[i];
		ENSURE_REFUSED(tnWorld_CreateInterest(world, &def, &id), tn_invalidArgument, "reach");
	}
	for (int i = 0; i < 2; ++i)
	{
		def = tnDefaultInterestDef();
		def.position.z = bad[i];
		ENSURE_REFUSED(tnWorld_CreateInterest(world, &def, &id), tn_invalidArgument, "position");
	}
	def = tnDefaultInterestDef();
	def.position = (tnVec2){-FLT_MAX, FLT_MAX};
	ENSURE_OK(tnWorld_CreateInterest(world, &def, &id));
	ENSURE_OK(tnWorld_Step(world, s_timeStep));
	ENSURE(tnInterest_IsValid(world, id));
	ENSURE(!tnInterest_IsValid(NULL, id));
	ENSURE_REFUSED(tnWorld_SetInterest(world, id, NULL), tn_invalidArgument, "def");
	ENSURE_OK(tnWorld_DestroyInterest(world, id));
	ENSURE(!tnInterest_IsValid(world, id));
	ENSURE_REFUSED(tnWorld_DestroyInterest(world, id), tn_staleId, "interest");
	ENSURE_REFUSED(tnWorld_SetInterest(world, id, &def), tn_staleId, "interest");
	ENSURE_REFUSED(tnWorld_DestroyInterest(world, (tnInterestId){0}), tn_staleId, "interest");
	tnDestroyWorld(world);
	return 0;
}

static int MakersAreChecked(void)
{
	tnWorld* world = OpenFlat(true);
	ENSURE_OK(tnWorld_Step(world, s_timeStep));
	const uint64_t hash = tnWorld_GetHash(world);
	const tnWaveEllipse good = MakeEllipse(0);
	const float bad[3] = {NAN, INFINITY, 1.0e9f};
	for (int i = 0; i < 3; ++i)
	{
		tnWaveEllipse ellipse = good;
		ellipse.center.x = bad[i];
		ENSURE_REFUSED(tnWorld_AddWave(world, &good, &ellipse), tn_invalidArgument, "after.center");
		ellipse = good;
		ellipse.radii.z = bad[i];
		ENSURE_REFUSED(tnWorld_AddWave(world, &ellipse, NULL), tn_invalidArgument, "before.radii");
		ellipse = good;
		ellipse.height = bad[i];
		ENSURE_REFUSED(tnWorld_AddWave(world, NULL, &ellipse), tn_invalidArgument, "after.height");
		const tnWaveDrop drops[2] = {{{1.0f, 1.0f}, 0.1f}, {{1.0f, 1.0f}, bad[i]}};
		ENSURE_REFUSED(tnWorld_AddDrops(world, drops, 2), tn_invalidArgument, "drops[1].volume");
		const tnWaveDrop lost = {{bad[i], 1.0f}, 0.1f};
		ENSURE_REFUSED(tnWorld_AddDrops(world, &lost, 1), tn_invalidArgument, "drops[0].position");
		const float values[4] = {0.0f, 0.0f, bad[i], 0.0f};
		ENSURE_REFUSED(tnWorld_AddWaveField(world, 0, 0, 2, 2, values, NULL), tn_invalidArgument, "heights[2]");
		ENSURE_REFUSED(tnWorld_AddWaveField(world, 0, 0, 2, 2, NULL, values), tn_invalidArgument, "rates[2]");
		ENSURE_REFUSED(tnWorld_SetWind(world, (tnVec2){0.0f, bad[i]}), tn_invalidArgument, "velocity");
		ENSURE_REFUSED(tnWorld_SetWaveDamping(world, bad[i]), tn_invalidArgument, "damping");
		const tnSwell swell = {{1.0f, 0.0f}, 0.1f, bad[i], 0.0f};
		ENSURE(tnWorld_SetSwell(world, &swell, 1).status == tn_invalidArgument);
		ENSURE_REFUSED(tnWorld_Step(world, bad[i]), tn_invalidArgument, "timeStep");
	}
	tnWaveEllipse ellipse = good;
	ellipse.radii.x = 0.0f;
	ENSURE_REFUSED(tnWorld_AddWave(world, NULL, &ellipse), tn_invalidArgument, "after.radii");
	ellipse = good;
	ellipse.axis = (tnVec2){0.0f, 0.0f};
	ENSURE_REFUSED(tnWorld_AddWave(world, NULL, &ellipse), tn_invalidArgument, "after.axis");
	ENSURE_REFUSED(tnWorld_SetWaveDamping(world, -0.1f), tn_invalidArgument, "damping");
	ENSURE_REFUSED(tnWorld_SetWaveDamping(world, 1000.1f), tn_invalidArgument, "damping");
	ENSURE_REFUSED(tnWorld_AddDrops(world, NULL, 1), tn_invalidArgument, "drops");
	ENSURE_REFUSED(tnWorld_AddDrops(world, NULL, -1), tn_invalidArgument, "count");
	ENSURE_REFUSED(tnWorld_SetSwell(world, NULL, 1), tn_invalidArgument, "swells");
	ENSURE_REFUSED(tnWorld_SetSwell(world, NULL, TN_MAX_SWELLS + 1), tn_invalidArgument, "count");
	const float zeros[4] = {0};
	ENSURE_REFUSED(tnWorld_AddWaveField(world, 0, 0, 0, 2, zeros, NULL), tn_invalidArgument, "columns");
	ENSURE_REFUSED(tnWorld_AddWaveField(world, 0, 0, 2, 5000, zeros, NULL), tn_invalidArgument, "rows");
	ENSURE_REFUSED(tnWorld_AddWaveField(world, -1, 0, 2, 2, zeros, NULL), tn_invalidArgument, "inside");
	ENSURE_REFUSED(tnWorld_AddWaveField(world, 0, fieldSize - 1, 2, 2, zeros, NULL), tn_invalidArgument, "inside");
	ENSURE_REFUSED(tnWorld_AddWaveField(world, INT32_MAX, 0, 2, 2, zeros, NULL), tn_invalidArgument, "inside");
	// Refused means nothing has changed; nothing to add neither.
	ENSURE_OK(tnWorld_AddWave(world, NULL, NULL));
	ENSURE_OK(tnWorld_AddDrops(world, NULL, 0));
	ENSURE_OK(tnWorld_AddWaveField(world, 0, 0, 2, 2, NULL, NULL));
	ENSURE_EQUAL_HEX(tnWorld_GetHash(world), hash);

	tnWaveSample sample;
	tnWaveTileView view;
	ENSURE_REFUSED(tnWorld_SampleWaves(world, (tnVec2){NAN, 0.0f}, &sample), tn_invalidArgument, "position");
	ENSURE_REFUSED(tnWorld_SampleWaves(world, (tnVec2){0.0f, 0.0f}, NULL), tn_invalidArgument, "sample");
	ENSURE_OK(tnWorld_SampleWaves(world, (tnVec2){-FLT_MAX, FLT_MAX}, &sample));
	ENSURE_EQUAL_INT(sample.finestLevel, levelCount);
	const int tileCount = tnWorld_GetWaveTileCount(world);
	ENSURE_REFUSED(tnWorld_GetWaveTile(world, -1, &view), tn_invalidArgument, "index");
	ENSURE_REFUSED(tnWorld_GetWaveTile(world, tileCount, &view), tn_invalidArgument, "index");
	ENSURE_REFUSED(tnWorld_GetWaveTile(world, 0, NULL), tn_invalidArgument, "view");
	ENSURE_REFUSED(tnWorld_GetWaveStats(world, NULL), tn_invalidArgument, "stats");
	tnDestroyWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Who sees waves

// Gauges remember what samples say, and rays end on the surface that samples have.
static int GaugesAndRaysSeeWaves(void)
{
	tnWorld* world = OpenFlat(true);
	ENSURE(world != NULL);
	const tnVec2 place = {20.3f, 18.6f};
	tnGaugeId gauge;
	ENSURE_OK(tnWorld_CreateGauge(world, place, &gauge));
	const tnWaveEllipse ellipse = {{16.5f, 16.0f}, {1.0f, 0.2f}, {4.0f, 3.0f}, 0.2f};
	ENSURE_OK(tnWorld_AddWave(world, NULL, &ellipse));
	tnGaugeState state;
	float deepest = 0.0f, least = FLT_MAX;
	for (int i = 0; i < 120; ++i)
	{
		ENSURE_OK(tnWorld_Step(world, s_timeStep));
		const tnSample sample = tnWorld_Sample(world, place);
		ENSURE_OK(tnWorld_GetGaugeState(world, gauge, &state));
		ENSURE(state.sample.surface == sample.surface && state.sample.velocity.x == sample.velocity.x);
		deepest = fmaxf(deepest, sample.depth);
		least = fminf(least, sample.depth);
	}
	ENSURE(state.maxDepth == deepest);
	ENSURE(deepest - least > 0.02f);

	TestRandom random = TestMakeRandom(5);
	int waterCount = 0;
	for (int i = 0; i < 400; ++i)
	{
		const tnVec3 origin = {TestRandomFloat(&random, 5.0f, 27.0f), 3.0f, TestRandomFloat(&random, 5.0f, 27.0f)};
		// From straight down to 1 in 10.
		const float slant = i % 4 == 0 ? 0.0f : TestRandomFloat(&random, 0.0f, 10.0f);
		const float angle = TestRandomFloat(&random, 0.0f, 6.28f);
		const tnVec3 direction = {slant * cosf(angle), -1.0f, slant * sinf(angle)};
		tnRayHit hit;
		ENSURE_OK(tnWorld_CastRay(world, origin, direction, 1000.0f, &hit));
		if (!hit.hit)
		{
			continue;
		}
		const tnSample sample = tnWorld_Sample(world, (tnVec2){hit.point.x, hit.point.z});
		// A ray that leaves the world does so above the water.
		ENSURE(hit.water);
		waterCount += 1;
		ENSURE_CLOSE(hit.point.y, sample.surface, 1.0e-4);
		ENSURE(hit.normal.x == sample.normal.x && hit.normal.z == sample.normal.z);
		// Nothing of it was below the surface before.
		for (int k = 1; k < 200; ++k)
		{
			const float t = hit.distance * (float)k / 200.0f;
			const tnVec2 at = {origin.x + t * direction.x, origin.z + t * direction.z};
			ENSURE(origin.y + t * direction.y > tnWorld_Sample(world, at).surface - 1.0e-4f);
		}
	}
	ENSURE(waterCount > 200);
	tnDestroyWorld(world);
	return 0;
}

// Damping that is set acts as that of the def.
static int DampingCanBeSet(void)
{
	double energies[2];
	for (int i = 0; i < 2; ++i)
	{
		tnWorld* world = OpenFlat(true);
		ENSURE(world != NULL);
		const tnWaveEllipse ellipse = {{16.5f, 16.0f}, {1.0f, 0.2f}, {4.0f, 3.0f}, 0.1f};
		ENSURE_OK(tnWorld_AddWave(world, NULL, &ellipse));
		ENSURE_OK(tnWorld_SetWaveDamping(world, i == 0 ? 0.0f : 0.5f));
		ENSURE(tnWorld_GetDef(world).waves.damping == (i == 0 ? 0.0f : 0.5f));
		for (int step = 0; step < 30; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, s_timeStep));
		}
		tnWaveStats stats;
		ENSURE_OK(tnWorld_GetWaveStats(world, &stats));
		energies[i] = 0.0;
		for (int level = 0; level < levelCount; ++level)
		{
			energies[i] += stats.energies[level];
		}
		tnDestroyWorld(world);
	}
	// Of amplitudes exp(-damping t) is left, of energies its square. Heights are cut off where tiles rest.
	ENSURE_CLOSE(energies[1] / energies[0], exp(-2.0 * 0.5 * 30.0 * (double)s_timeStep), 1.0e-3);
	return 0;
}

// Worlds without the layer, and none at all.
static int OffMeansNotAvailable(void)
{
	tnWorld* off = OpenFlat(false);
	tnWorld* worlds[2] = {off, NULL};
	const tnStatus statuses[2] = {tn_notAvailable, tn_invalidArgument};
	for (int i = 0; i < 2; ++i)
	{
		tnWorld* world = worlds[i];
		tnInterestDef def = tnDefaultInterestDef();
		tnInterestId id = {0};
		const tnWaveEllipse ellipse = MakeEllipse(0);
		const tnWaveDrop drop = {{1.0f, 1.0f}, 0.1f};
		const float zero = 0.0f;
		tnWaveSample sample;
		tnWaveTileView view;
		tnWaveStats stats;
		ENSURE_REFUSED(tnWorld_CreateInterest(world, &def, &id), statuses[i], "");
		ENSURE_REFUSED(tnWorld_SetInterest(world, id, &def), statuses[i], "");
		ENSURE_REFUSED(tnWorld_DestroyInterest(world, id), statuses[i], "");
		ENSURE_REFUSED(tnWorld_AddWave(world, NULL, &ellipse), statuses[i], "");
		ENSURE_REFUSED(tnWorld_AddDrops(world, &drop, 1), statuses[i], "");
		ENSURE_REFUSED(tnWorld_AddWaveField(world, 0, 0, 1, 1, &zero, NULL), statuses[i], "");
		ENSURE_REFUSED(tnWorld_SetSwell(world, NULL, 0), statuses[i], "");
		ENSURE_REFUSED(tnWorld_SetWind(world, (tnVec2){0.0f, 0.0f}), statuses[i], "");
		ENSURE_REFUSED(tnWorld_SetWaveDamping(world, 0.1f), statuses[i], "");
		ENSURE_REFUSED(tnWorld_SampleWaves(world, (tnVec2){1.0f, 1.0f}, &sample), statuses[i], "");
		ENSURE_REFUSED(tnWorld_GetWaveTile(world, 0, &view), statuses[i], "");
		ENSURE_REFUSED(tnWorld_GetWaveStats(world, &stats), statuses[i], "");
		ENSURE_EQUAL_INT(tnWorld_GetWaveTileCount(world), 0);
		ENSURE_EQUAL_INT(tnWorld_GetBreakers(world).count, 0);
		ENSURE(tnWorld_GetRipples(world).energy.data == NULL);
		ENSURE(!tnInterest_IsValid(world, id));
	}
	tnDestroyWorld(off);
	return 0;
}

// Heights along a line through where a drop fell two seconds ago, in water that has come up from one depth to another, by a
// share of it in each step.
static int DropInRisenWater(double first, double last, double share, float heights[worldSize])
{
	tnWorldDef def = MakeDef(tn_fineWaves);
	def.tasks.workerCount = 1;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	for (double depth = first; depth < last; depth += share * depth)
	{
		ENSURE_OK(tnWorld_FillToLevel(world, (float)depth));
		ENSURE_OK(tnWorld_Step(world, s_timeStep));
	}
	ENSURE_OK(tnWorld_FillToLevel(world, (float)last));
	for (int step = 0; step < 160; ++step)
	{
		if (step == 32)
		{
			const tnWaveDrop drop = {{16.0f, 16.0f}, 1.0f};
			ENSURE_OK(tnWorld_AddDrops(world, &drop, 1));
		}
		ENSURE_OK(tnWorld_Step(world, s_timeStep));
	}
	for (int i = 0; i < worldSize; ++i)
	{
		tnWaveSample sample;
		ENSURE_OK(tnWorld_SampleWaves(world, (tnVec2){0.5f * (float)i, 16.0f}, &sample));
		heights[i] = sample.height;
	}
	tnDestroyWorld(world);
	return 0;
}

// Depths are read now and then, and waves are fitted anew where they differ by 2 % from those that they were fitted to, however
// slowly it came to that.
static int SlowRisesAreFollowed(void)
{
	float before[worldSize], after[worldSize], risen[worldSize];
	ENSURE_EQUAL_INT(DropInRisenWater(0.25, 0.25, 1.0, before), 0);
	ENSURE_EQUAL_INT(DropInRisenWater(2.0, 2.0, 1.0, after), 0);
	ENSURE_EQUAL_INT(DropInRisenWater(0.25, 2.0, 0.0006, risen), 0);
	double size = 0.0, error = 0.0, change = 0.0;
	for (int i = 0; i < worldSize; ++i)
	{
		size += (double)after[i] * (double)after[i];
		error += ((double)risen[i] - (double)after[i]) * ((double)risen[i] - (double)after[i]);
		change += ((double)before[i] - (double)after[i]) * ((double)before[i] - (double)after[i]);
	}
	ENSURE(sqrt(error / size) < 0.05);
	ENSURE(sqrt(change / size) > 0.5);
	return 0;
}

static const Test s_tests[] = {
	{"SameBits", SameBits},
	{"BitsAreGolden", BitsAreGolden},
	{"NoDirectionIsSpecial", NoDirectionIsSpecial},
	{"StepsDoNotAllocate", StepsDoNotAllocate},
	{"AllocationsMayFail", AllocationsMayFail},
	{"InterestsShareThePool", InterestsShareThePool},
	{"DealingHasNoOrder", DealingHasNoOrder},
	{"SamplesKnowOnlyTheirLevels", SamplesKnowOnlyTheirLevels},
	{"DefsAreChecked", DefsAreChecked},
	{"InterestsAreChecked", InterestsAreChecked},
	{"MakersAreChecked", MakersAreChecked},
	{"GaugesAndRaysSeeWaves", GaugesAndRaysSeeWaves},
	{"DampingCanBeSet", DampingCanBeSet},
	{"OffMeansNotAvailable", OffMeansNotAvailable},
	{"SlowRisesAreFollowed", SlowRisesAreFollowed},
};
const TestSuite wavesSuite = TEST_SUITE("waves", s_tests);
