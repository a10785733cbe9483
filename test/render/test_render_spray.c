// SPDX-License-Identifier: MIT

// Spray in pictures: bright where water falls, nothing without it.

#include "canvas.h"
#include "tarn/spray.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	columns = 61,
	rows = 47,
	lipRow = 20,
};

// A ledge of 8 m across the world, over which a stream of 9 m falls to the south into a pool.
static tnWorld* MakeFall(bool spray, int32_t capacity)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columns;
	def.rowCount = rows;
	def.cellSize = 0.5f;
	def.method = tn_shallowMethod;
	def.spray.enable = spray;
	def.spray.capacity = capacity;
	def.edges[tn_north].kind = tn_inflowEdge;
	def.edges[tn_north].inflow = 0.8f;
	def.edges[tn_north].inflowBegin = 22;
	def.edges[tn_north].inflowEnd = 40;
	def.edges[tn_south].kind = tn_openEdge;
	tnWorld* world = NULL;
	static float heights[columns * rows];
	for (int i = 0; i < columns * rows; ++i)
	{
		const int column = i % columns, row = i / columns;
		const bool inStream = column >= 22 && column < 40;
		heights[i] = row < lipRow ? (inStream ? 8.0f : 9.5f) : -1.5f;
	}
	if (tnCreateWorld(&def, &world).status == tn_ok)
	{
		(void)tnWorld_SetTerrain(world, heights);
		(void)tnWorld_FillToLevel(world, 0.0f);
	}
	return world;
}

static bool Run(tnWorld* world, int stepCount)
{
	bool good = true;
	for (int i = 0; i < stepCount && good; ++i)
	{
		good = tnWorld_Step(world, 1.0f / 60.0f).status == tn_ok;
	}
	return good;
}

// From the pool, at half the height of the fall.
static const tnrCamera s_camera = {.eye = {15.5f, 4.5f, 30.0f}, .target = {15.5f, 4.0f, 10.0f}, .fieldOfView = 0.8f};

static bool DrawFall(Canvas* canvas, tnWorld* world, tnrCamera camera)
{
	if (tnrRenderer_SetWorld(canvas->renderer, world, NULL).ok == false)
	{
		return false;
	}
	const tnrFrame frame = MakeFrame(canvas, camera);
	Draw(canvas, &frame);
	return true;
}

// Mean brightness of a piece of the plane of the lip, as seen by the camera.
static double GetMeanLight(const uint8_t* pixels, float left, float right, float bottom, float top)
{
	const float z = 0.5f * lipRow + 1.0f;
	const Spot low = Project(&s_camera, (tnVec3){left, top, z}), high = Project(&s_camera, (tnVec3){right, bottom, z});
	double sum = 0.0;
	int count = 0;
	for (int y = (int)low.y; y <= (int)high.y; ++y)
	{
		for (int x = (int)low.x; x <= (int)high.x; ++x)
		{
			sum += (double)GetLight(GetPixel(pixels, x, y));
			count += 1;
		}
	}
	return sum / count;
}

// A fall over a ledge is brighter than the film on its rock would be alone, one out of a nozzle much brighter than dry
// rock, and the rock beside them is as it was.
static int FallsAreBright(void)
{
	static Canvas canvas;
	ENSURE(OpenCanvas(&canvas));
	double ledges[2], jets[2], besides[2];
	for (int i = 0; i < 2; ++i)
	{
		tnWorld* world = MakeFall(i == 1, 4096);
		ENSURE(world != NULL);
		tnJetDef jet = tnDefaultJetDef();
		jet.position = (tnVec3){6.0f, 9.0f, 11.0f};
		jet.velocity = (tnVec3){0.0f, -1.0f, 0.0f};
		jet.rate = 1.0f;
		jet.radius = 1.0f;
		tnJetId id;
		ENSURE_EQUAL_INT(tnWorld_CreateJet(world, &jet, &id).status, i == 1 ? tn_ok : tn_notAvailable);
		ENSURE(Run(world, 300));
		ENSURE((tnWorld_GetSpray(world).count > 300) == (i == 1));
		ENSURE(DrawFall(&canvas, world, s_camera));
		ledges[i] = GetMeanLight(canvas.pixels, 12.5f, 18.5f, 2.5f, 6.0f);
		jets[i] = GetMeanLight(canvas.pixels, 5.6f, 6.4f, 2.5f, 6.0f);
		besides[i] = GetMeanLight(canvas.pixels, 22.0f, 26.0f, 2.5f, 6.0f);
		tnDestroyWorld(world);
	}
	printf("light without and with spray: ledge %.1f, %.1f; jet %.1f, %.1f; beside them %.1f, %.1f\n", ledges[0],
		ledges[1], jets[0], jets[1], besides[0], besides[1]);
	ENSURE(ledges[1] > ledges[0] + 20.0);
	ENSURE(jets[1] > jets[0] + 60.0);
	ENSURE_CLOSE(besides[1], besides[0], 2.0);
	CloseCanvas(&canvas);
	return 0;
}

// Higher, with the sky above the ledge.
static const tnrCamera s_upwards = {.eye = {15.5f, 4.5f, 30.0f}, .target = {15.5f, 12.0f, 10.0f}, .fieldOfView = 0.8f};

static bool ThrowAtTheSky(tnWorld* world)
{
	tnJetDef jet = tnDefaultJetDef();
	jet.position = (tnVec3){8.0f, 10.5f, 9.0f};
	jet.velocity = (tnVec3){6.0f, 9.0f, 0.0f};
	jet.rate = 0.3f;
	tnJetId id;
	return tnWorld_CreateJet(world, &jet, &id).status == tn_ok;
}

// The pixel row down to which there is only sky.
static int GetHorizon(void)
{
	return (int)Project(&s_upwards, (tnVec3){15.5f, 10.5f, 9.0f}).y;
}

// A jet against the sky: it shows where its particles are, and nowhere else.
static int JetsAreWhereTheyAre(void)
{
	static Canvas canvas;
	static uint8_t before[byteCount];
	tnWorld* world = MakeFall(true, 4096);
	ENSURE(world != NULL && OpenCanvas(&canvas));
	ENSURE(DrawFall(&canvas, world, s_upwards));
	memcpy(before, canvas.pixels, byteCount);
	ENSURE(ThrowAtTheSky(world) && Run(world, 60));
	const tnSprayView spray = tnWorld_GetSpray(world);
	ENSURE(spray.count > 20);
	tnrRenderer_Update(canvas.renderer, world, 1.0f);
	const tnrFrame frame = MakeFrame(&canvas, s_upwards);
	Draw(&canvas, &frame);
	int changed = 0, strayed = 0;
	for (int y = 0; y < GetHorizon(); ++y)
	{
		for (int x = 0; x < width; ++x)
		{
			if (GetDifference(GetPixel(canvas.pixels, x, y), GetPixel(before, x, y)) < 4)
			{
				continue;
			}
			double nearest = 1.0e9;
			for (int i = 0; i < spray.count; ++i)
			{
				const Spot spot = Project(&s_upwards, spray.particles[i].position);
				nearest = fmin(nearest, hypot(spot.x - x, spot.y - y));
			}
			changed += 1;
			// Half of a streak at 11 m/s is 0.9 m and its radius 0.6 m, of 10 pixels each.
			strayed += nearest > 15.0 ? 1 : 0;
		}
	}
	printf("%d pixels changed, %d far from all particles\n", changed, strayed);
	ENSURE(changed > 200);
	ENSURE_EQUAL_INT(strayed, 0);
	CloseCanvas(&canvas);
	tnDestroyWorld(world);
	return 0;
}

// The beginning of a step is the end of the one before. Against the sky, where nothing else moves.
static int StepsAreInterpolated(void)
{
	static Canvas canvas;
	static uint8_t ends[3][byteCount];
	tnWorld* world = MakeFall(true, 4096);
	ENSURE(world != NULL && OpenCanvas(&canvas) && ThrowAtTheSky(world) && Run(world, 60));
	ENSURE(DrawFall(&canvas, world, s_upwards));
	memcpy(ends[0], canvas.pixels, byteCount);
	ENSURE(Run(world, 1));
	const tnrFrame frame = MakeFrame(&canvas, s_upwards);
	for (int i = 1; i < 3; ++i)
	{
		tnrRenderer_Update(canvas.renderer, world, i == 1 ? 0.0f : 1.0f);
		Draw(&canvas, &frame);
		memcpy(ends[i], canvas.pixels, byteCount);
	}
	double jump = 0.0, step = 0.0;
	for (int i = 0; i < GetHorizon() * width; ++i)
	{
		jump += GetDifference(ends[0] + 3 * i, ends[1] + 3 * i);
		step += GetDifference(ends[1] + 3 * i, ends[2] + 3 * i);
	}
	printf("jump %.0f, step %.0f\n", jump, step);
	// Without it the begin of a step would be its end.
	ENSURE(step > 500.0);
	// What is left is the drag of the air in one step, and rounding: it may tip a pixel over the border of a packet, but not many.
	ENSURE(jump < 0.05 * step);
	CloseCanvas(&canvas);
	tnDestroyWorld(world);
	return 0;
}

// The same picture again: with another world in between, and after a lost context.
static int AnotherWorldAndAnotherContext(void)
{
	static Canvas canvas;
	static uint8_t first[byteCount];
	tnWorld* fall = MakeFall(true, 4096);
	tnWorld* dry = MakeFall(false, 4096);
	ENSURE(fall != NULL && dry != NULL && OpenCanvas(&canvas) && Run(fall, 240));
	ENSURE(DrawFall(&canvas, fall, s_camera));
	memcpy(first, canvas.pixels, byteCount);
	ENSURE(DrawFall(&canvas, dry, s_camera));
	ENSURE(memcmp(first, canvas.pixels, byteCount) != 0);
	ENSURE(DrawFall(&canvas, fall, s_camera));
	ENSURE(memcmp(first, canvas.pixels, byteCount) == 0);
	tnrRenderer_Forget(canvas.renderer);
	tnrDestroyHeadless(canvas.headless);
	ENSURE(OpenCanvas(&canvas));
	ENSURE(DrawFall(&canvas, fall, s_camera));
	ENSURE(memcmp(first, canvas.pixels, byteCount) == 0);
	CloseCanvas(&canvas);
	tnDestroyWorld(fall);
	tnDestroyWorld(dry);
	return 0;
}

// A world as full of spray as it may be, cameras in the fall and of nonsense, a jet as strong as any.
static int NonsenseIsHarmless(void)
{
	static Canvas canvas;
	tnWorld* world = MakeFall(true, 16);
	ENSURE(world != NULL && OpenCanvas(&canvas));
	tnJetDef jet = tnDefaultJetDef();
	jet.position = (tnVec3){15.0f, 12.0f, 12.0f};
	jet.velocity = (tnVec3){0.0f, 200.0f, 0.0f};
	jet.rate = 1000.0f;
	tnJetId id;
	ENSURE_OK(tnWorld_CreateJet(world, &jet, &id));
	ENSURE(Run(world, 30));
	ENSURE_EQUAL_INT(tnWorld_GetSpray(world).count, 16);
	ENSURE(DrawFall(&canvas, world, s_camera));
	const tnrCamera inside = {.eye = {15.5f, 6.0f, 10.6f}, .target = {15.5f, 0.0f, 10.6f}, .fieldOfView = 1.0f};
	ENSURE(DrawFall(&canvas, world, inside));
	ENSURE(GetLight(GetPixel(canvas.pixels, width / 2, height / 2)) > 1.0f);
	tnrCamera lost = inside;
	lost.eye = (tnVec3){NAN, INFINITY, 0.0f};
	ENSURE(DrawFall(&canvas, world, lost));
	tnrRenderer_Update(canvas.renderer, world, NAN);
	CloseCanvas(&canvas);
	tnDestroyWorld(world);
	return 0;
}

static const Test s_tests[] = {
	{"FallsAreBright", FallsAreBright},
	{"JetsAreWhereTheyAre", JetsAreWhereTheyAre},
	{"StepsAreInterpolated", StepsAreInterpolated},
	{"AnotherWorldAndAnotherContext", AnotherWorldAndAnotherContext},
	{"NonsenseIsHarmless", NonsenseIsHarmless},
};

const TestSuite render_spraySuite = TEST_SUITE("render_spray", s_tests);
