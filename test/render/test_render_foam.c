// SPDX-License-Identifier: MIT

// Foam and mist in pictures: white where the world says so, lace where there is less of it, and mist where water falls hard.

#include "canvas.h"
#include "water/mist.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	columns = 61,
	rows = 47,
};

// A lake, 2 m deep.
static tnWorld* MakeLake(bool foam)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columns;
	def.rowCount = rows;
	def.cellSize = 0.5f;
	def.foam.enable = foam;
	def.spray.enable = true;
	tnWorld* world = NULL;
	if (tnCreateWorld(&def, &world).status == tn_ok)
	{
		(void)tnWorld_FillToLevel(world, 2.0f);
	}
	return world;
}

static const tnrCamera s_camera = {.eye = {15.0f, 14.0f, 30.0f}, .target = {15.0f, 2.0f, 11.0f}, .fieldOfView = 0.8f};

// Mean brightness of a piece of the surface, and how much pixels differ from it.
static void MeasureLight(const uint8_t* pixels, tnVec2 center, float half, double* mean, double* spread)
{
	const Spot a = Project(&s_camera, (tnVec3){center.x - half, 2.0f, center.z - half});
	const Spot b = Project(&s_camera, (tnVec3){center.x + half, 2.0f, center.z + half});
	double sum = 0.0, squares = 0.0;
	int count = 0;
	for (int y = (int)a.y; y <= (int)b.y; ++y)
	{
		for (int x = (int)a.x; x <= (int)b.x; ++x)
		{
			const double light = (double)GetLight(GetPixel(pixels, x, y));
			sum += light;
			squares += light * light;
			count += 1;
		}
	}
	*mean = sum / count;
	*spread = sqrt(squares / count - *mean * *mean);
}

static bool DrawWorld(Canvas* canvas, tnWorld* world)
{
	if (tnrRenderer_SetWorld(canvas->renderer, world, NULL).ok == false)
	{
		return false;
	}
	const tnrFrame frame = MakeFrame(canvas, s_camera);
	Draw(canvas, &frame);
	return true;
}

// The more foam, the brighter; with much of it closed, with some of it a web that is neither water nor white; beside it
// nothing.
static int FoamIsWhiteAndLacy(void)
{
	static Canvas canvas;
	ENSURE(OpenCanvas(&canvas));
	static const float amounts[4] = {0.0f, 0.5f, 1.5f, 40.0f};
	double means[4], spreads[4], besides[4], unused;
	for (int i = 0; i < 4; ++i)
	{
		tnWorld* world = MakeLake(true);
		ENSURE(world != NULL);
		ENSURE_OK(tnWorld_AddFoam(world, (tnVec2){11.0f, 11.0f}, 4.0f, amounts[i]));
		ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		ENSURE(DrawWorld(&canvas, world));
		MeasureLight(canvas.pixels, (tnVec2){11.0f, 11.0f}, 2.0f, means + i, spreads + i);
		MeasureLight(canvas.pixels, (tnVec2){22.0f, 11.0f}, 2.0f, besides + i, &unused);
		tnDestroyWorld(world);
	}
	printf("light for foam 0, 0.5, 1.5, 40: %.1f, %.1f, %.1f, %.1f; spread %.1f, %.1f, %.1f, %.1f\n", means[0],
		means[1], means[2], means[3], spreads[0], spreads[1], spreads[2], spreads[3]);
	ENSURE(means[1] > means[0] + 3.0 && means[2] > means[1] + 15.0 && means[3] > means[2] + 15.0);
	ENSURE(means[3] > means[0] + 80.0);
	ENSURE(spreads[2] > spreads[0] + 10.0 && spreads[2] > spreads[3] + 10.0);
	ENSURE_CLOSE(besides[3], besides[0], 1.0);
	CloseCanvas(&canvas);
	return 0;
}

// Without the layer the renderer makes up its own: calm water then has none either, and the picture is the same.
static int CalmWaterIsTheSame(void)
{
	static Canvas canvas;
	static uint8_t before[byteCount];
	ENSURE(OpenCanvas(&canvas));
	for (int i = 0; i < 2; ++i)
	{
		tnWorld* world = MakeLake(i == 1);
		ENSURE(world != NULL);
		ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		ENSURE(DrawWorld(&canvas, world));
		if (i == 0)
		{
			memcpy(before, canvas.pixels, byteCount);
		}
		tnDestroyWorld(world);
	}
	ENSURE(memcmp(before, canvas.pixels, byteCount) == 0);
	CloseCanvas(&canvas);
	return 0;
}

// The renderer remembers where water falls hard, in W/m^2, and forgets: mist is there, and goes when the hose is shut.
static int MistRisesWhereWaterFalls(void)
{
	tnWorld* world = MakeLake(false);
	ENSURE(world != NULL);
	tnrMist mist;
	ENSURE(tnrMakeMist(&mist, world));
	static tnrPuff puffs[tnr_mostPuffs];
	tnrWater water = {.columnCount = columns, .rowCount = rows, .cellSize = 0.5f, .gravity = 9.81f};
	const tnSurfaceDef surface = tnDefaultSurfaceDef();
	ENSURE_OK(tnCreateSurface(world, &surface, &water.surface));
	tnJetDef jet = tnDefaultJetDef();
	jet.position = (tnVec3){15.0f, 9.0f, 11.0f};
	jet.velocity = (tnVec3){0.0f, -3.0f, 0.0f};
	jet.rate = 0.6f;
	jet.radius = 0.4f;
	tnJetId id;
	ENSURE_OK(tnWorld_CreateJet(world, &jet, &id));
	for (int step = 0; step < 300; ++step)
	{
		ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		ENSURE_OK(tnSurface_Update(water.surface, world, 1.0f));
		tnrUpdateMist(&mist, &water, world);
	}
	double power = 0.0;
	const double area = (double)(mist.cells * mist.cells) * 0.25;
	for (int i = 0; i < mist.columnCount * mist.rowCount; ++i)
	{
		power += (double)mist.power[i] * area;
	}
	// What arrives: 9 J/kg / 2 from the nozzle and g times 7 m, less drag.
	const double arriving = 600.0 * (4.5 + 9.81 * 7.0);
	printf("power %.0f W of %.0f\n", power, arriving);
	ENSURE_CLOSE(power, arriving, 0.25 * arriving);
	const int count = tnrMakePuffs(&mist, &water, 10.0, puffs);
	ENSURE(count > 0 && count <= tnr_mostPuffs);
	for (int i = 0; i < count; ++i)
	{
		const tnVec3 place = puffs[i].place;
		ENSURE(hypotf(place.x - 15.0f, place.z - 11.0f) < 6.0f && place.y >= 2.0f && place.y < 7.0f);
		ENSURE(puffs[i].cover >= 0.0f && puffs[i].cover < 0.2f && puffs[i].radius > 0.1f);
	}
	ENSURE_OK(tnWorld_DestroyJet(world, id));
	for (int step = 0; step < 360; ++step)
	{
		ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		ENSURE_OK(tnSurface_Update(water.surface, world, 1.0f));
		tnrUpdateMist(&mist, &water, world);
	}
	ENSURE_EQUAL_INT(tnrMakePuffs(&mist, &water, 16.0, puffs), 0);
	tnrForgetMist(&mist);
	tnDestroySurface(water.surface);
	tnDestroyWorld(world);
	return 0;
}

static const Test s_tests[] = {
	{"FoamIsWhiteAndLacy", FoamIsWhiteAndLacy},
	{"CalmWaterIsTheSame", CalmWaterIsTheSame},
	{"MistRisesWhereWaterFalls", MistRisesWhereWaterFalls},
};
const TestSuite render_foamSuite = TEST_SUITE("render_foam", s_tests);
