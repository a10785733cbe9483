// SPDX-License-Identifier: MIT

// Wind that blows waves up: where there is none, who may change no bit, and what ends a fetch. Heights are of case W16.

#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tarn/snapshot.h>
#include <tarn/tarn.h>
#include <tarn/waves.h>

enum
{
	columns = 400,
	rows = 64,
};

static const float s_timeStep = 1.0f / 15.0f;

typedef struct Setting
{
	int workerCount;
	tnSimd simd;
	bool sleep, grows, dam;
} Setting;

// A pond 100 m long and 2 m deep, without end across the wind; with a dam across it in the middle, or without.
static tnWorld* MakePond(Setting setting)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columns;
	def.rowCount = rows;
	def.cellSize = 0.25f;
	def.waves.enable = true;
	def.waves.finerLevels = 1;
	def.waves.levelCount = 3;
	def.waves.enableWindWaves = setting.grows;
	def.edges[tn_north].kind = tn_wrapEdge;
	def.edges[tn_south].kind = tn_wrapEdge;
	def.enableSleep = setting.sleep;
	def.tasks.workerCount = setting.workerCount;
	def.simd = setting.simd;
	tnWorld* world = NULL;
	float* bed = malloc(sizeof(float) * columns * rows);
	for (int i = 0; bed != NULL && i < columns * rows; ++i)
	{
		bed[i] = setting.dam && abs(i % columns - 200) < 5 ? 1.0f : -2.0f;
	}
	if (bed != NULL && tnCreateWorld(&def, &world).status == tn_ok)
	{
		(void)tnWorld_SetTerrain(world, bed);
		(void)tnWorld_FillToLevel(world, 0.0f);
	}
	free(bed);
	return world;
}

static bool Run(tnWorld* world, int stepCount, float timeStep)
{
	bool ok = true;
	for (int i = 0; i < stepCount; ++i)
	{
		ok = ok && tnWorld_Step(world, timeStep).status == tn_ok;
	}
	return ok;
}

static double GetSquare(const tnWorld* world, float begin, float end)
{
	double sum = 0.0;
	for (int i = 0; i < 400; ++i)
	{
		const tnVec2 place = {begin + (end - begin) * ((float)(i % 40) + 0.5f) / 40.0f, 0.5f + 1.5f * (float)(i / 40)};
		tnWaveSample sample;
		sum += tnWorld_SampleWaves(world, place, &sample).status == tn_ok ? sample.height * sample.height / 400.0 : NAN;
	}
	return sum;
}

// No wind, no waves; wind without the field of the def makes none either; with it they grow along the wind and with time.
static int GrowsWithWindOnly(void)
{
	const tnVec2 wind = {16.0f, 0.0f};
	tnWorld* calm = MakePond((Setting){1, tn_simdAuto, true, true, false});
	tnWorld* off = MakePond((Setting){1, tn_simdAuto, true, false, false});
	tnWorld* on = MakePond((Setting){1, tn_simdAuto, true, true, false});
	ENSURE(calm != NULL && off != NULL && on != NULL);
	ENSURE_OK(tnWorld_SetWind(off, wind));
	ENSURE_OK(tnWorld_SetWind(on, wind));
	ENSURE(Run(calm, 200, s_timeStep) && Run(off, 200, s_timeStep) && Run(on, 3000, s_timeStep));
	ENSURE(GetSquare(calm, 10.0f, 90.0f) == 0.0 && GetSquare(off, 10.0f, 90.0f) == 0.0);
	const double far = GetSquare(on, 60.0f, 95.0f);
	ENSURE(far > 4.0 * GetSquare(on, 5.0f, 30.0f));
	const tnSpectrumDef sea = tnGetWindSea(wind, 95.0f, 9.81f);
	printf("%.3g m of %.3g\n", 4.0 * sqrt(far), (double)sea.significantHeight);
	ENSURE(4.0 * sqrt(far) < (double)sea.significantHeight && 4.0 * sqrt(far) > 0.2 * (double)sea.significantHeight);
	tnDestroyWorld(calm);
	tnDestroyWorld(off);
	tnDestroyWorld(on);
	return 0;
}

// Behind a dam the wind begins anew.
static int ShoresEndAFetch(void)
{
	tnWorld* worlds[2] = {
		MakePond((Setting){1, tn_simdAuto, true, true, false}), MakePond((Setting){1, tn_simdAuto, true, true, true})};
	double squares[2];
	for (int i = 0; i < 2; ++i)
	{
		ENSURE(worlds[i] != NULL);
		ENSURE_OK(tnWorld_SetWind(worlds[i], (tnVec2){16.0f, 0.0f}));
		ENSURE(Run(worlds[i], 3000, s_timeStep));
		squares[i] = GetSquare(worlds[i], 60.0f, 95.0f);
		tnDestroyWorld(worlds[i]);
	}
	printf("%.3g m, behind the dam %.3g\n", 4.0 * sqrt(squares[0]), 4.0 * sqrt(squares[1]));
	ENSURE(squares[1] < 0.5 * squares[0]);
	return 0;
}

// Workers, vectors, sleep, and going on from bytes in another world.
static int BitsStayTheSame(void)
{
	static const Setting settings[] = {{1, tn_simdAuto, true, true, true}, {3, tn_simdAuto, true, true, true},
		{1, tn_simdScalar, true, true, true}, {7, tn_simdAuto, false, true, true}};
	tnWorld* worlds[5] = {NULL};
	for (int i = 0; i < 4; ++i)
	{
		worlds[i] = MakePond(settings[i]);
		ENSURE(worlds[i] != NULL);
	}
	for (int part = 0; part < 8; ++part)
	{
		const int count = part < 3 ? 4 : 5;
		for (int i = 0; i < count; ++i)
		{
			// It turns, gets weaker, and ends.
			ENSURE_OK(tnWorld_SetWind(
				worlds[i], (tnVec2){part < 7 ? 90.0f - 5.0f * (float)part : 0.0f, 8.0f * (float)(part % 3)}));
			ENSURE(Run(worlds[i], 67, 0.1f));
			ENSURE_EQUAL_HEX(tnWorld_GetHash(worlds[i]), tnWorld_GetHash(worlds[0]));
		}
		if (part == 2)
		{
			size_t size = 0;
			ENSURE_OK(tnWorld_Save(worlds[0], NULL, 0, &size));
			void* bytes = malloc(size);
			ENSURE(bytes != NULL);
			ENSURE_OK(tnWorld_Save(worlds[0], bytes, size, &size));
			ENSURE_OK(tnCreateWorldFrom(bytes, size, NULL, &worlds[4]));
			free(bytes);
		}
	}
	ENSURE(GetSquare(worlds[0], 10.0f, 90.0f) > 0.0);
	for (int i = 0; i < 5; ++i)
	{
		tnDestroyWorld(worlds[i]);
	}
	return 0;
}

static const Test s_tests[] = {
	{"GrowsWithWindOnly", GrowsWithWindOnly},
	{"ShoresEndAFetch", ShoresEndAFetch},
	{"BitsStayTheSame", BitsStayTheSame},
};

const TestSuite wave_windSuite = TEST_SUITE("wave_wind", s_tests);
