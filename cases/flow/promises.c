// SPDX-License-Identifier: MIT

// What tarn promises besides physics: P02 no direction is special, P03 the ledger closes, P04 sleep changes nothing,
// P05 the same bits everywhere.

#include "golden.h"
#include "kits/case_kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// A busy scene: rough ground partly under water, sources, a drain, a well, a jet, weather and different edges.

// Numbers below are multiples of small powers of two where they decide cells or bits: exact on every machine.
static tncScene tncMakeBusyScene(tncContext* context, int columnCount, int rowCount, bool wrap)
{
	tncScene scene = tncMakeScene(context, columnCount, rowCount, 1.0, 3.0, 2);
	if (scene.bed == NULL || scene.depth == NULL || scene.map == NULL || scene.tracers[0] == NULL ||
		scene.tracers[1] == NULL)
	{
		return scene;
	}
	for (int i = 0; i < columnCount * rowCount; ++i)
	{
		int column = i % columnCount;
		int row = i / columnCount;
		int32_t height = tncTerrain256(column, row, 29);
		// A lake in one half, a column of water in the other.
		int32_t level = column < columnCount / 2 ? 1800 : 0;
		bool column2 = column > columnCount * 3 / 4 && row > rowCount / 3 && row < rowCount / 2;
		level = column2 ? height + 1024 : level;
		scene.bed[i] = (float)height / 256.0f;
		scene.depth[i] = level > height ? (float)(level - height) / 256.0f : 0.0f;
		scene.map[i] = (float)(tncHash3((uint32_t)column, (uint32_t)row, 41) >> 24) / 128.0f;
		scene.tracers[0][i] = (column / 8 + row / 8) % 2 == 0 ? 1.0f : 0.0f;
		scene.tracers[1][i] = 0.75f;
	}
	scene.useMap = true;
	scene.rain = 1.0f / 16384.0f;
	scene.evaporation = 1.0f / 65536.0f;
	scene.infiltration = 1.0f / 32768.0f;
	scene.def.manning = 0.03125f;
	scene.def.friction = 0.015625f;

	tnSourceDef source = tnDefaultSourceDef();
	source.center = (tnVec2){(float)(columnCount / 4) + 0.25f, (float)(rowCount / 2) + 0.125f};
	source.radius = 3.0f;
	source.rate = 2.0f;
	source.velocity = (tnVec2){1.5f, -0.5f};
	source.tracers[0] = 0.5f;
	source.tracers[1] = 0.75f;
	scene.sources[0] = source;
	source.center = (tnVec2){(float)(columnCount / 2) + 0.25f, (float)(rowCount / 4) + 0.375f};
	source.rate = -1.0f;
	source.velocity = (tnVec2){0.0f, 0.0f};
	scene.sources[1] = source;
	source.kind = tn_wellSource;
	source.center = (tnVec2){(float)(columnCount / 8) + 0.25f, (float)(rowCount * 3 / 4) + 0.25f};
	source.radius = 2.0f;
	source.level = 7.5f;
	scene.sources[2] = source;
	scene.sourceCount = 3;

	tnEdgeDef* edges = scene.def.edges;
	edges[tn_north].kind = tn_levelEdge;
	edges[tn_north].level = 6.5f;
	edges[tn_north].tideAmplitude = 0.5f;
	edges[tn_north].tidePeriod = 16.0f;
	edges[tn_south].kind = tn_absorbEdge;
	edges[tn_south].level = 6.0f;
	edges[tn_west].kind = wrap ? tn_wrapEdge : tn_inflowEdge;
	edges[tn_west].inflow = 0.5f;
	edges[tn_west].inflowBegin = rowCount / 4;
	edges[tn_west].inflowEnd = rowCount / 2;
	edges[tn_east].kind = wrap ? tn_wrapEdge : tn_openEdge;
	return scene;
}

// ---------------------------------------------------------------------------------------------------------------------
// P02

static int64_t tncCountDefects(tnFieldView own, tnFieldView other, int turn, float* packed, float* turned)
{
	for (int row = 0; row < own.rowCount; ++row)
	{
		memcpy(packed + row * own.columnCount, own.data + row * own.stride, (size_t)own.columnCount * sizeof(float));
	}
	tncTurnField(packed, own.columnCount, own.rowCount, turn, turned);
	int64_t count = 0;
	for (int row = 0; row < other.rowCount; ++row)
	{
		for (int column = 0; column < other.columnCount; ++column)
		{
			const float* a = turned + row * other.columnCount + column;
			const float* b = other.data + row * other.stride + column;
			count += memcmp(a, b, sizeof(float)) != 0 ? 1 : 0;
		}
	}
	return count;
}

// Tracers of dry cells mean nothing: they are not compared.
static int64_t tncCountTracerDefects(tncRun* run, int channel)
{
	tnFieldView depth = tnWorld_GetDepth(run->world);
	tnFieldView tracer = tnWorld_GetTracer(run->world, channel);
	tnFieldView otherDepth = tnWorld_GetDepth(run->twin);
	tnFieldView other = tnWorld_GetTracer(run->twin, channel);
	for (int row = 0; row < run->rowCount; ++row)
	{
		for (int column = 0; column < run->columnCount; ++column)
		{
			bool wet = depth.data[row * depth.stride + column] > 0.0f;
			run->speedX[row * run->columnCount + column] = wet ? tracer.data[row * tracer.stride + column] : 0.0f;
		}
	}
	tncTurnField(run->speedX, run->columnCount, run->rowCount, run->twinTurn, run->turned);
	int64_t count = 0;
	for (int row = 0; row < other.rowCount; ++row)
	{
		for (int column = 0; column < other.columnCount; ++column)
		{
			bool wet = otherDepth.data[row * otherDepth.stride + column] > 0.0f;
			float value = wet ? other.data[row * other.stride + column] : 0.0f;
			count += run->turned[row * other.columnCount + column] != value ? 1 : 0;
		}
	}
	return count;
}

void tncRunTurnedScenes(tncContext* context)
{
	for (int wrap = 0; wrap < 2; ++wrap)
	{
		const char* label = wrap != 0 ? "wrap" : "four edges";
		tncScene scene = tncMakeBusyScene(context, 77, 45, wrap != 0);
		for (int turn = 1; turn < tnc_turnCount; ++turn)
		{
			tncRun run;
			if (tncStartRun(context, &scene, turn, &run) == false)
			{
				continue;
			}
			tncRun_SetAcceleration(&run, 0.125, -0.0625);
			tncSteps(&run, 300, 1.0 / 32.0);
			int64_t depthDefects =
				tncCountDefects(tnWorld_GetDepth(run.world), tnWorld_GetDepth(run.twin), turn, run.speedX, run.turned);
			int64_t tracerDefects = tncCountTracerDefects(&run, 0) + tncCountTracerDefects(&run, 1);
			tncRequire(context, (double)depthDefects, 0.0, 0.0, "%s: turn %d: depths that differ", label, turn);
			tncRequire(context, (double)tracerDefects, 0.0, 0.0, "%s: turn %d: tracers that differ", label, turn);
			if (turn == 1)
			{
				tncTell(context, tncGetMaxSpeed(&run), "%s: fastest (m/s)", label);
			}
			tncEndRun(&run);
		}
		tncFreeScene(&scene);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// P03

static double tncSumEntries(const tnLedger* ledger, double* turnover)
{
	double entries[] = {ledger->sources, ledger->drains, ledger->wells, ledger->rain, ledger->evaporation,
		ledger->infiltration, ledger->edges[tn_west], ledger->edges[tn_east], ledger->edges[tn_north],
		ledger->edges[tn_south], ledger->edits};
	double sum = 0.0;
	*turnover = 0.0;
	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); ++i)
	{
		sum += entries[i];
		*turnover += fabs(entries[i]);
	}
	return sum;
}

static void tncDrawLedger(tncContext* context, const tnLedger* ledger)
{
	const char* names[] = {
		"sources", "drains", "wells", "rain", "evaporation", "infiltration", "west", "east", "north", "south", "edits"};
	const double entries[] = {ledger->sources, ledger->drains, ledger->wells, ledger->rain, ledger->evaporation,
		ledger->infiltration, ledger->edges[tn_west], ledger->edges[tn_east], ledger->edges[tn_north],
		ledger->edges[tn_south], ledger->edits};
	tncPanel* panel = tncAddPanel(context, "entry", "volume (m\xC2\xB3)", "entries of the ledger");
	tncSeries* result = tncPanel_AddSeries(panel, tnc_resultRole, tnc_barMark, "computed");
	for (int i = 0; i < 11; ++i)
	{
		tncPanel_AddCategory(panel, names[i]);
		tncSeries_AddPoint(result, i, entries[i]);
	}
}

// Edits while the water runs: pour, take, raise ground under water.
static void tncEditBusily(tncRun* run)
{
	double moved = 0.0;
	tnBrush brush = tnDefaultBrush();
	brush.center = (tnVec2){20.0f, 20.0f};
	brush.radius = 6.0f;
	brush.amount = 2.0f;
	tnResult results[3];
	results[0] = tnWorld_AddWater(run->world, (tnVec2){50.0f, 30.0f}, 5.0f, 40.0f, &moved);
	results[1] = tnWorld_EditTerrain(run->world, &brush);
	results[2] = tnWorld_AddWater(run->world, (tnVec2){12.0f, 12.0f}, 5.0f, -30.0f, &moved);
	for (int i = 0; i < 3; ++i)
	{
		run->failed = run->failed || results[i].status != tn_ok;
	}
}

void tncRunLedger(tncContext* context)
{
	tncScene scene = tncMakeBusyScene(context, 77, 45, false);
	tncRun run;
	if (tncStartRun(context, &scene, TNC_NO_TWIN, &run))
	{
		tncSteps(&run, 1000, 1.0 / 30.0);
		tncEditBusily(&run);
		tncRequire(context, run.failed ? 1.0 : 0.0, 0.0, 0.0, "edits that were refused");
		tncSteps(&run, 2000, 1.0 / 30.0);

		tnLedger ledger = tnWorld_GetLedger(run.world);
		double turnover = 0.0;
		double booked = tncSumEntries(&ledger, &turnover);
		double volume = tncGetVolume(run.world);
		tncRequire(context, fabs(volume - booked) / turnover, 0.0, 1.0e-6, "volume against the entries");
		// Sums in double precision, of the same floats: only the order differs.
		tncRequire(context, fabs(volume - ledger.volume) / volume, 0.0, 1.0e-12, "volume against the ledger's");
		tncRequire(
			context, fabs(ledger.volume - booked - ledger.drift) / turnover, 0.0, 1.0e-12, "drift against the entries");
		tncTell(context, turnover, "turnover (m3)");
		tncDrawLedger(context, &ledger);

		// Each entry has its sign, and something happened in each.
		tncRequire(context, ledger.sources, 1.0, INFINITY, "sources (m3)");
		tncRequire(context, ledger.drains, -INFINITY, -0.01, "drains (m3)");
		tncRequire(context, fabs(ledger.wells), 0.01, INFINITY, "wells (m3)");
		tncRequire(context, ledger.rain, 1.0, INFINITY, "rain (m3)");
		tncRequire(context, ledger.evaporation, -INFINITY, -0.01, "evaporation (m3)");
		tncRequire(context, ledger.infiltration, -INFINITY, -0.01, "infiltration (m3)");
		tncRequire(context, ledger.edges[tn_west], 1.0, INFINITY, "inflow edge (m3)");
		tncRequire(context, ledger.edges[tn_east], -INFINITY, -0.01, "open edge (m3)");
		tncRequire(context, fabs(ledger.edges[tn_north]), 0.01, INFINITY, "level edge (m3)");
		tncRequire(context, fabs(ledger.edges[tn_south]), 0.01, INFINITY, "absorbing edge (m3)");

		// The inflow and the source bring what they say. Their rates are exact in float32, the sums rounded.
		double seconds = tnWorld_GetTime(run.world);
		double inflow = 0.5 * (45 / 2 - 45 / 4) * seconds;
		tncRequire(context, fabs(ledger.edges[tn_west] / inflow - 1.0), 0.0, 1.0e-5, "inflow against its rate: error");
		tncRequire(
			context, fabs(ledger.sources / (2.0 * seconds) - 1.0), 0.0, 1.0e-5, "source against its rate: error");
		tncJudgeGates(&run, "busy scene");
		tncEndRun(&run);
	}
	tncFreeScene(&scene);
}

// ---------------------------------------------------------------------------------------------------------------------
// P04

void tncRunSleep(tncContext* context)
{
	enum
	{
		columnCount = 333,
		rowCount = 209
	};
	// Lakes at rest on a slope, dry land above them, and a spring on the land that runs down into the lakes.
	tncScene scene = tncMakeScene(context, columnCount, rowCount, 1.0, 2.0, 1);
	if (scene.bed != NULL && scene.depth != NULL && scene.tracers[0] != NULL)
	{
		for (int i = 0; i < columnCount * rowCount; ++i)
		{
			int32_t height = tncTerrain256(i % columnCount, i / columnCount, 17) + 8 * (i % columnCount);
			scene.bed[i] = (float)height / 256.0f;
			scene.depth[i] = height < 2000 ? (float)(2000 - height) / 256.0f : 0.0f;
			scene.tracers[0][i] = 0.5f;
		}
	}
	tnSourceDef spring = tnDefaultSourceDef();
	spring.center = (tnVec2){250.5f, 100.5f};
	spring.radius = 3.0f;
	spring.rate = 5.0f;
	scene.sources[0] = spring;
	scene.sourceCount = 1;
	scene.def.sleepTime = 0.25f;

	tncScene awake = tncTurnScene(context, &scene, tnc_noTurn);
	awake.def.enableSleep = false;
	tnWorld* sleeper = tncOpenScene(context, &scene);
	tnWorld* watcher = tncOpenScene(context, &awake);
	if (sleeper != NULL && watcher != NULL)
	{
		int64_t defects = 0;
		int fewest = tnWorld_GetStats(sleeper).tileCount;
		int failures = 0;
		for (int step = 1; step <= 600; ++step)
		{
			tnResult a = tnWorld_Step(sleeper, 1.0f / 30.0f);
			tnResult b = tnWorld_Step(watcher, 1.0f / 30.0f);
			failures += a.status != tn_ok || b.status != tn_ok ? 1 : 0;
			if (step == 300)
			{
				// Wakes a part of the lake that sleeps by now.
				a = tnWorld_AddWater(sleeper, (tnVec2){20.5f, 20.5f}, 4.0f, 30.0f, NULL);
				b = tnWorld_AddWater(watcher, (tnVec2){20.5f, 20.5f}, 4.0f, 30.0f, NULL);
				failures += a.status != tn_ok || b.status != tn_ok ? 1 : 0;
			}
			int awakeCount = tnWorld_GetStats(sleeper).awakeTileCount;
			fewest = awakeCount < fewest ? awakeCount : fewest;
			if (step % 50 == 0)
			{
				defects += tnWorld_GetHash(sleeper) != tnWorld_GetHash(watcher) ? 1 : 0;
			}
		}
		tnStats stats = tnWorld_GetStats(sleeper);
		tncRequire(context, (double)failures, 0.0, 0.0, "calls that were refused");
		tncRequire(context, (double)defects, 0.0, 0.0, "checkpoints with another hash (of 12)");
		// Without tiles asleep the comparison would say nothing.
		tncRequire(context, (double)fewest / stats.tileCount, 0.0, 0.5, "smallest share of tiles awake");
		tncRequire(context, (double)tnWorld_GetStats(watcher).awakeTileCount / stats.tileCount, 1.0, 1.0,
			"share of tiles awake without sleep");
	}
	tnDestroyWorld(sleeper);
	tnDestroyWorld(watcher);
	tncFreeScene(&scene);
	tncFreeScene(&awake);
}

// ---------------------------------------------------------------------------------------------------------------------
// P05

static uint64_t tncHashBusyScene(tncContext* context, int workerCount, tnSimd simd)
{
	uint64_t hash = 0;
	tncScene scene = tncMakeBusyScene(context, 131, 139, false);
	scene.def.tasks.workerCount = workerCount;
	scene.def.simd = simd;
	tnWorld* world = tncOpenScene(context, &scene);
	bool failed = world == NULL;
	// The full equations take many sub-steps here, and emulated processors and sanitizers are slow.
	const int stepCount = context->method->model == tnc_shallowModel ? 30 : 60;
	for (int step = 0; step < stepCount && failed == false; ++step)
	{
		failed = tnWorld_Step(world, 1.0f / 30.0f).status != tn_ok;
	}
	if (failed == false)
	{
		hash = tnWorld_GetHash(world);
	}
	tnDestroyWorld(world);
	tncFreeScene(&scene);
	return hash;
}

typedef struct tncGolden
{
	const char* method;
	uint64_t hash;
} tncGolden;

// 0 for a method without one.
static uint64_t tncGetGolden(const char* method)
{
	static const tncGolden golden[] = {
		{"pipe", TNC_GOLDEN_PIPE},
		{"pipe-mean", TNC_GOLDEN_PIPE_MEAN},
		{"pipe-fixed", TNC_GOLDEN_PIPE_FIXED},
		{"linear", TNC_GOLDEN_LINEAR},
		{"shallow", TNC_GOLDEN_SHALLOW},
		{"shallow-fine", TNC_GOLDEN_SHALLOW_FINE},
		{"shallow-sl", TNC_GOLDEN_SHALLOW_SL},
		{"shallow-mc", TNC_GOLDEN_SHALLOW_MC},
	};
	for (size_t i = 0; i < sizeof(golden) / sizeof(golden[0]); ++i)
	{
		if (strcmp(golden[i].method, method) == 0)
		{
			return golden[i].hash;
		}
	}
	return 0;
}

void tncRunSameBits(tncContext* context)
{
	const bool brief = context->config.brief;
	uint64_t first = tncHashBusyScene(context, brief ? 9 : 1, tn_simdAuto);
	int defects = 0;
	// The full equations are slow here, so only the largest count; the instruction sets below run with two.
	int workerCount = context->method->model == tnc_shallowModel ? 9 : 2;
	for (; workerCount <= 9 && !brief; ++workerCount)
	{
		defects += tncHashBusyScene(context, workerCount, tn_simdAuto) != first ? 1 : 0;
	}
	if (!brief)
	{
		tncRequire(context, (double)defects, 0.0, 0.0, "worker counts of 2..9 with another hash");
	}

	for (int simd = tn_simdScalar; simd <= (brief ? tn_simdScalar : tn_simdWasm); ++simd)
	{
		if (tnIsSimdAvailable((tnSimd)simd))
		{
			bool differs = tncHashBusyScene(context, 2, (tnSimd)simd) != first;
			tncRequire(context, differs ? 1.0 : 0.0, 0.0, 0.0, "%s: another hash", tnGetSimdName((tnSimd)simd));
		}
	}

	bool isGolden = tncGetGolden(context->method->name) == first;
	tncRequire(context, isGolden ? 0.0 : 1.0, 0.0, 0.0, "golden hash: %08x%08x differs", (unsigned)(first >> 32),
		(unsigned)(first & 0xFFFFFFFFu));
}
