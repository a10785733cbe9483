// SPDX-License-Identifier: MIT

// Pictures of worlds: what must be seen where, golden pictures, strange cameras and sizes, the overlay.

#include "canvas.h"
#include "overlay.h"
#include "scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef float HeightFcn(float x, float z);

// A world of 1 m cells with water up to a level. Sizes are odd and unequal in most tests.
static tnWorld* MakeWorld(int columns, int rows, HeightFcn* getHeight, float level)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columns;
	def.rowCount = rows;
	tnWorld* world = NULL;
	if (tnCreateWorld(&def, &world).status != tn_ok)
	{
		return NULL;
	}
	float* heights = malloc(sizeof(float) * (size_t)columns * (size_t)rows);
	for (int i = 0; i < columns * rows; ++i)
	{
		heights[i] = getHeight((float)(i % columns) + 0.5f, (float)(i / columns) + 0.5f);
	}
	tnWorld_SetTerrain(world, heights);
	tnWorld_FillToLevel(world, level);
	free(heights);
	return world;
}

static float GetDeepBed(float x, float z)
{
	(void)x;
	(void)z;
	return -8.0f;
}

// Deeper towards the east: 0.25 m per meter.
static float GetRamp(float x, float z)
{
	(void)z;
	return -0.25f * x;
}

// A beach: land in the north, water in the south, the shore at z = 20.
static float GetBeach(float x, float z)
{
	(void)x;
	return 0.12f * (20.0f - z);
}

static float GetHills(float x, float z)
{
	return 6.0f * sinf(0.11f * x) * cosf(0.07f * z) + 2.0f * sinf(0.31f * x + 0.23f * z);
}

// Looks straight down, north up.
static tnrCamera LookDown(float x, float z, float y)
{
	return (tnrCamera){.eye = {x, y, z}, .target = {x, 0.0f, z}, .fieldOfView = 0.9f};
}

// The place where the ray through the middle of a pixel meets the water or the ground.
static tnRayHit Pick(const tnWorld* world, const tnrCamera* camera, int x, int y)
{
	tnVec3 origin, direction;
	tnRayHit hit = {0};
	tnrGetPixelRay(camera, width, height, (float)x + 0.5f, (float)y + 0.5f, &origin, &direction);
	tnWorld_CastRay(world, origin, direction, 1.0e4f, &hit);
	return hit;
}

// ---------------------------------------------------------------------------------------------------------------------
// Golden pictures. TARN_WRITE_GOLDEN=1 in the environment writes them anew.

typedef struct Golden
{
	const char* scene;
	int stepCount;
	// Of the overview, if 0; otherwise a camera at this distance from a place, turned by azimuth and elevation.
	float distance, x, z, azimuth, elevation;
} Golden;

static const Golden s_goldens[] = {
	{"dam_break_town", 120, 60.0f, 80.0f, 62.0f, 0.8f, 0.4f},
	{"island_tide", 20, 170.0f, 500.0f, 440.0f, 1.2f, 0.25f},
	{"village_flood", 60, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f},
	{"polluted_river", 100, 90.0f, 250.0f, 100.0f, 1.4f, 0.45f},
	{"wave_tank", 120, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f},
};

static tnrCamera GetGoldenCamera(const Golden* golden, const tnWorld* world)
{
	if (golden->distance == 0.0f)
	{
		return tnrGetOverview(world);
	}
	const float y = tnWorld_Sample(world, (tnVec2){golden->x, golden->z}).surface;
	const float flat = golden->distance * cosf(golden->elevation);
	return (tnrCamera){.eye = {golden->x + flat * cosf(golden->azimuth), y + golden->distance * sinf(golden->elevation),
						   golden->z + flat * sinf(golden->azimuth)},
		.target = {golden->x, y, golden->z},
		.fieldOfView = 0.8f};
}

static int DrawScene(Canvas* canvas, const Golden* golden)
{
	char path[512];
	snprintf(path, sizeof(path), "%s/scenes/%s.json", TARN_SOURCE_FOLDER, golden->scene);
	tnsResult result;
	tnsScene* scene = tnsLoadScene(path, &result);
	ENSURE_TEXT(result.text, "");
	ENSURE(scene != NULL);
	tnsRun* run = NULL;
	result = tnsStartScene(scene, NULL, &run);
	ENSURE(result.status == tns_ok);
	ENSURE(tnrRenderer_SetWorld(canvas->renderer, tnsRun_GetWorld(run), NULL).ok);
	for (int i = 0; i < golden->stepCount; ++i)
	{
		ENSURE(tnsRun_Step(run).status == tns_ok);
		// Foam has a memory: the last steps are shown to the renderer as they come.
		if (i >= golden->stepCount - 10)
		{
			tnrRenderer_Update(canvas->renderer, tnsRun_GetWorld(run), 1.0f);
		}
	}
	const tnrFrame frame = MakeFrame(canvas, GetGoldenCamera(golden, tnsRun_GetWorld(run)));
	Draw(canvas, &frame);
	tnsDestroyRun(run);
	tnsDestroyScene(scene);
	return 0;
}

static int CompareScene(Canvas* canvas, const Golden* golden)
{
	return DrawScene(canvas, golden) != 0 ? 1 : CompareGolden(canvas, golden->scene);
}

static int GoldenPictures(void)
{
	static Canvas canvas;
	ENSURE(OpenCanvas(&canvas));
	int failures = 0;
	for (size_t i = 0; i < sizeof(s_goldens) / sizeof(s_goldens[0]); ++i)
	{
		failures += CompareScene(&canvas, &s_goldens[i]);
	}
	CloseCanvas(&canvas);
	ENSURE_EQUAL_INT(failures, 0);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// What a picture of water must show

// A camera low over still water sees the sky above the horizon, and the same sky upside down below it.
static int LakeMirrorsSky(void)
{
	static Canvas canvas;
	static uint8_t noon[byteCount];
	tnWorld* world = MakeWorld(131, 117, GetDeepBed, 0.0f);
	ENSURE(world != NULL && OpenCanvas(&canvas));
	ENSURE(tnrRenderer_SetWorld(canvas.renderer, world, NULL).ok);
	tnrFrame frame = MakeFrame(
		&canvas, (tnrCamera){.eye = {65.5f, 1.0f, 116.0f}, .target = {65.5f, 1.0f, 0.0f}, .fieldOfView = 0.5f});
	frame.look.ripples = frame.look.glitter = 0.0f;
	frame.look.sunAzimuth = 1.5f; // in the back
	Draw(&canvas, &frame);
	memcpy(noon, canvas.pixels, byteCount);
	frame.look.sunElevation = 0.05f;
	Draw(&canvas, &frame);

	// 2 degrees below the horizon, where 5/6 of the light is mirrored, and as far above it.
	const int offset = (int)(tanf(0.035f) / tanf(0.25f) * 0.5f * height);
	const int below = height / 2 + offset, above = height / 2 - 1 - offset;
	for (int x = 20; x < width; x += 40)
	{
		const uint8_t* water = GetPixel(noon, x, below);
		const uint8_t* sky = GetPixel(noon, x, above);
		const uint8_t* lateWater = GetPixel(canvas.pixels, x, below);
		const uint8_t* lateSky = GetPixel(canvas.pixels, x, above);
		// What is not mirrored is the dark water: at most a sixth of the difference between it and the sky.
		ENSURE_CLOSE(GetDifference(water, sky), 0, 40);
		ENSURE_CLOSE(GetDifference(lateWater, lateSky), 0, 40);
		// And the water goes with the sky when evening comes.
		const float skyChange = GetLight(sky) - GetLight(lateSky), waterChange = GetLight(water) - GetLight(lateWater);
		ENSURE(skyChange > 20.0f);
		ENSURE(waterChange > 0.6f * skyChange && waterChange < 1.5f * skyChange);
	}
	CloseCanvas(&canvas);
	tnDestroyWorld(world);
	return 0;
}

static int DeepWaterIsDarker(void)
{
	static Canvas canvas;
	// The east rim, through which the sky shines in, is out of the picture.
	tnWorld* world = MakeWorld(67, 31, GetRamp, 0.0f);
	ENSURE(world != NULL && OpenCanvas(&canvas));
	// Sand everywhere, so that only depth differs.
	tnrGroundDef ground = tnrDefaultGroundDef();
	ground.beachLevel = 100.0f;
	ENSURE(tnrRenderer_SetWorld(canvas.renderer, world, &ground).ok);
	tnrFrame frame = MakeFrame(&canvas, LookDown(24.5f, 15.5f, 45.0f));
	frame.look.ripples = frame.look.glitter = frame.look.caustics = 0.0f;
	Draw(&canvas, &frame);

	// Means over strips of 6 cells, from 0.5 m to 11.5 m deep.
	float lights[8] = {0.0f};
	int counts[8] = {0};
	for (int y = 40; y < 140; y += 4)
	{
		for (int x = 0; x < width; ++x)
		{
			const tnRayHit hit = Pick(world, &frame.camera, x, y);
			const int strip = (int)(hit.point.x / 6.0f);
			if (hit.hit && hit.water && strip >= 0 && strip < 8)
			{
				lights[strip] += GetLight(GetPixel(canvas.pixels, x, y));
				++counts[strip];
			}
		}
	}
	for (int i = 0; i < 8; ++i)
	{
		ENSURE(counts[i] > 50);
		lights[i] /= (float)counts[i];
		// The light that is left falls off as an exponential: deep strips differ little, but they do.
		ENSURE(i == 0 || lights[i] < lights[i - 1] - 0.5f);
	}
	ENSURE(lights[7] < 0.6f * lights[0]);
	CloseCanvas(&canvas);
	tnDestroyWorld(world);
	return 0;
}

// Going from land to water, water begins once and does not end again, and it begins where the level meets the slope.
static int ShoreIsOneLine(void)
{
	static Canvas canvas;
	static uint8_t dry[byteCount];
	tnWorld* world = MakeWorld(61, 43, GetBeach, 0.0f);
	ENSURE(world != NULL && OpenCanvas(&canvas));
	ENSURE(tnrRenderer_SetWorld(canvas.renderer, world, NULL).ok);
	tnrFrame frame = MakeFrame(&canvas, LookDown(30.5f, 21.5f, 30.0f));
	frame.look.glitter = frame.look.caustics = 0.0f;
	// A dye as dark as ink: no pixel of water looks like ground by chance.
	frame.look.absorption = (tnVec3){60.0f, 60.0f, 60.0f};
	frame.look.scatter = (tnVec3){0.0f, 0.0f, 0.0f};
	frame.look.water = false;
	Draw(&canvas, &frame);
	memcpy(dry, canvas.pixels, byteCount);
	frame.look.water = true;
	Draw(&canvas, &frame);

	for (int x = 10; x < width - 10; ++x)
	{
		int begins = 0, first = 0;
		bool before = false;
		for (int y = 0; y < height; ++y)
		{
			const float light = GetLight(GetPixel(canvas.pixels, x, y)), ground = GetLight(GetPixel(dry, x, y));
			const bool wet = light < 0.5f * ground;
			begins += wet != before ? 1 : 0;
			first = wet && before == false ? y : first;
			before = wet;
		}
		ENSURE_EQUAL_INT(begins, 1);
		// The waterline, and the centimeter of depth at which half of the water shows. A pixel is 16 cm.
		const tnRayHit hit = Pick(world, &frame.camera, x, first);
		ENSURE_CLOSE(hit.point.z, 20.1f, 0.2f);
	}
	CloseCanvas(&canvas);
	tnDestroyWorld(world);
	return 0;
}

// The view of tiles paints all ground in one colour while everything sleeps. Another colour in the picture would be the
// sky, seen through a gap between patches of different detail.
static int MeshHasNoGaps(void)
{
	static Canvas canvas;
	tnWorld* world = MakeWorld(389, 517, GetHills, -20.0f);
	ENSURE(world != NULL && OpenCanvas(&canvas));
	ENSURE(tnrRenderer_SetWorld(canvas.renderer, world, NULL).ok);
	const tnrCamera cameras[] = {
		{.eye = {190.0f, 60.0f, 430.0f}, .target = {195.0f, 0.0f, 340.0f}, .fieldOfView = 0.7f},
		{.eye = {60.0f, 35.0f, 60.0f}, .target = {110.0f, 0.0f, 110.0f}, .fieldOfView = 0.5f},
		{.eye = {200.0f, 260.0f, 300.0f}, .target = {201.0f, 0.0f, 250.0f}, .fieldOfView = 0.7f},
	};
	for (int i = 0; i < 3; ++i)
	{
		tnrFrame frame = MakeFrame(&canvas, cameras[i]);
		frame.look.view = tnr_awakeView;
		Draw(&canvas, &frame);
		for (int pixel = 1; pixel < width * height; ++pixel)
		{
			ENSURE_CLOSE(GetDifference(canvas.pixels, canvas.pixels + 3 * pixel), 0, 1);
		}
	}
	CloseCanvas(&canvas);
	tnDestroyWorld(world);
	return 0;
}

// Calm deep water is as even at the far rim of the world as anywhere, though there the bent ray looks past the last ground.
static int FarRimIsEven(void)
{
	static Canvas canvas;
	tnWorld* world = MakeWorld(161, 119, GetDeepBed, 0.0f);
	ENSURE(world != NULL && OpenCanvas(&canvas));
	ENSURE(tnrRenderer_SetWorld(canvas.renderer, world, NULL).ok);
	const tnrCamera camera = {.eye = {158.0f, 64.0f, 150.0f}, .target = {90.0f, 0.0f, 64.0f}, .fieldOfView = 0.8f};
	tnrFrame frame = MakeFrame(&canvas, camera);
	frame.look.ripples = frame.look.caustics = frame.look.foam = 0.0f;
	Draw(&canvas, &frame);
	int count = 0, worst = 0;
	for (int y = 2; y < height; ++y)
	{
		for (int x = 1; x < width; ++x)
		{
			const tnRayHit hit = Pick(world, &camera, x, y);
			// The outline itself is drawn softly, and the cut through the water in the south is another matter.
			const bool inside = hit.hit && Pick(world, &camera, x, y - 2).hit && Pick(world, &camera, x - 1, y - 2).hit;
			if (inside && hit.water && hit.point.z < 116.0f && hit.point.x < 158.0f &&
				(hit.point.x < 8.0f || hit.point.z < 8.0f))
			{
				const int difference = GetDifference(GetPixel(canvas.pixels, x, y), GetPixel(canvas.pixels, x - 1, y));
				worst = difference > worst ? difference : worst;
				count += 1;
			}
		}
	}
	printf("%d pixels at the rim, neighbours differ by %d at most\n", count, worst);
	ENSURE(count > 300);
	// The ground is seen through the water, by up to 5 levels. Where sky was taken for ground it was 51.
	ENSURE(worst <= 10);
	CloseCanvas(&canvas);
	tnDestroyWorld(world);
	return 0;
}

// Rays that the water bends past the lower edge of the picture find nothing there. What they show instead goes on from
// what is seen above: no row differs much more from the one above it than those near it do.
static int LowerEdgeHasNoSeam(void)
{
	static Canvas canvas;
	tnWorld* world = MakeWorld(97, 83, GetDeepBed, 0.0f);
	ENSURE(world != NULL && OpenCanvas(&canvas));
	ENSURE(tnrRenderer_SetWorld(canvas.renderer, world, NULL).ok);
	const tnrCamera camera = {.eye = {48.0f, 14.0f, 66.0f}, .target = {48.0f, 0.0f, 50.0f}, .fieldOfView = 0.8f};
	tnrFrame frame = MakeFrame(&canvas, camera);
	frame.look.ripples = frame.look.caustics = frame.look.foam = 0.0f;
	// Clear water, through which the ground is seen.
	frame.look.absorption = (tnVec3){0.01f, 0.01f, 0.01f};
	Draw(&canvas, &frame);
	double changes[height] = {0.0};
	for (int y = height / 3; y < height; ++y)
	{
		for (int x = 8; x < width - 8; ++x)
		{
			const tnRayHit hit = Pick(world, &camera, x, y);
			ENSURE(hit.hit && hit.water);
			changes[y] += GetDifference(GetPixel(canvas.pixels, x, y), GetPixel(canvas.pixels, x, y - 1));
		}
		// Something is seen of the ground.
		ENSURE(changes[y] > 0.3 * width);
	}
	double worst = 0.0;
	for (int y = height / 3 + 4; y < height - 4; ++y)
	{
		worst = fmax(worst, 2.0 * changes[y] / (changes[y - 4] + changes[y + 4]));
	}
	printf("a row differs from the next one by up to %.2f times what rows near it do\n", worst);
	// 2.6 where rays that leave the screen did not bend at all.
	ENSURE(worst < 2.0);
	CloseCanvas(&canvas);
	tnDestroyWorld(world);
	return 0;
}

static int DryGroundIsUntouched(void)
{
	static Canvas canvas;
	static uint8_t without[byteCount];
	tnWorld* world = MakeWorld(97, 83, GetHills, -2.0f);
	ENSURE(world != NULL && OpenCanvas(&canvas));
	ENSURE(tnrRenderer_SetWorld(canvas.renderer, world, NULL).ok);
	tnrFrame frame = MakeFrame(
		&canvas, (tnrCamera){.eye = {48.0f, 40.0f, 110.0f}, .target = {48.0f, 0.0f, 50.0f}, .fieldOfView = 0.8f});
	frame.look.water = false;
	Draw(&canvas, &frame);
	memcpy(without, canvas.pixels, byteCount);
	frame.look.water = true;
	Draw(&canvas, &frame);

	int dryCount = 0, changedCount = 0;
	for (int y = 8; y < height - 8; y += 2)
	{
		for (int x = 8; x < width - 8; x += 2)
		{
			// Smoothing of edges reaches 3 pixels far, and cells beside water are wet: dry means dry all around.
			bool dry = true;
			for (int i = 0; i < 25 && dry; ++i)
			{
				const tnRayHit hit = Pick(world, &frame.camera, x + (i % 5 - 2) * 3, y + (i / 5 - 2) * 3);
				const tnVec2 place = {hit.point.x, hit.point.z};
				dry = dry && hit.hit && hit.water == false && tnWorld_Sample(world, place).bed > -1.3f;
			}
			// One level, in one pixel of thousands, is what rounding does to the ground itself.
			const bool same = GetDifference(GetPixel(canvas.pixels, x, y), GetPixel(without, x, y)) <= 1;
			dryCount += dry ? 1 : 0;
			changedCount += same ? 0 : 1;
			ENSURE(dry == false || same);
		}
	}
	ENSURE(dryCount > 500);
	ENSURE(changedCount > 500);
	CloseCanvas(&canvas);
	tnDestroyWorld(world);
	return 0;
}

static int DyeIsSeen(void)
{
	static Canvas canvas;
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = 41;
	def.rowCount = 33;
	def.tracerCount = 2;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_OK(tnWorld_FillToLevel(world, 2.0f));
	ENSURE(OpenCanvas(&canvas));
	ENSURE(tnrRenderer_SetWorld(canvas.renderer, world, NULL).ok);
	tnrFrame frame = MakeFrame(&canvas, LookDown(20.5f, 16.5f, 30.0f));
	frame.look.tracerColors[1] = (tnVec3){0.9f, 0.05f, 0.05f};
	Draw(&canvas, &frame);
	const uint8_t* middle = GetPixel(canvas.pixels, width / 2, height / 2);
	ENSURE(middle[0] < middle[2]);
	ENSURE_OK(tnWorld_AddTracer(world, 1, (tnVec2){20.5f, 16.5f}, 4.0f, 1.0f));
	tnrRenderer_Update(canvas.renderer, world, 1.0f);
	Draw(&canvas, &frame);
	ENSURE(middle[0] > middle[2] + 40);
	CloseCanvas(&canvas);
	tnDestroyWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Views

static bool IsColor(const uint8_t* pixel, int r, int g, int b)
{
	const uint8_t color[3] = {(uint8_t)r, (uint8_t)g, (uint8_t)b};
	return GetDifference(pixel, color) <= 1;
}

// Two basins of 1 m and 4 m: a quarter of the scale, and its end.
static int ViewsShowTheWorld(void)
{
	static Canvas canvas;
	enum
	{
		columns = 80,
		rows = 48
	};
	static float depths[columns * rows];
	static uint8_t awake[columns * rows];
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columns;
	def.rowCount = rows;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	for (int i = 0; i < columns * rows; ++i)
	{
		depths[i] = i % columns < 30 ? 1.0f : (i % columns < 50 ? 0.0f : 4.0f);
	}
	ENSURE_OK(tnWorld_SetDepths(world, depths));
	ENSURE(OpenCanvas(&canvas));
	ENSURE(tnrRenderer_SetWorld(canvas.renderer, world, NULL).ok);
	tnrFrame frame = MakeFrame(&canvas, LookDown(40.0f, 24.0f, 60.0f));
	frame.look.view = tnr_depthView;
	frame.look.maxDepth = 4.0f;
	Draw(&canvas, &frame);
	int shallowCount = 0, deepCount = 0;
	for (int x = 4; x < width; x += 4)
	{
		const tnRayHit hit = Pick(world, &frame.camera, x, height / 2);
		const uint8_t* pixel = GetPixel(canvas.pixels, x, height / 2);
		if (hit.hit && hit.point.x > 2.0f && hit.point.x < 28.0f)
		{
			ENSURE(IsColor(pixel, 140, 212, 235));
			++shallowCount;
		}
		if (hit.hit && hit.point.x > 52.0f && hit.point.x < 78.0f)
		{
			ENSURE(IsColor(pixel, 15, 33, 102));
			++deepCount;
		}
	}
	ENSURE(shallowCount > 10 && deepCount > 10);
	// The legend says the same.
	const tnVec3 quarter = tnrGetViewColor(tnr_depthView, 0.25f);
	ENSURE_CLOSE(quarter.x, 140.0 / 255.0, 2.0e-3);
	ENSURE_CLOSE(tnrRenderer_GetViewEnd(canvas.renderer, &frame.look), 4.0, 0.0);
	frame.look.maxDepth = 0.0f;
	ENSURE_CLOSE(tnrRenderer_GetViewEnd(canvas.renderer, &frame.look), 4.0, 0.0);

	// The deep basin runs out, the far corner of the shallow one sleeps on.
	ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
	ENSURE_OK(tnWorld_CopyAwake(world, awake));
	tnrRenderer_Update(canvas.renderer, world, 1.0f);
	frame.look.view = tnr_awakeView;
	Draw(&canvas, &frame);
	for (int y = 4; y < height; y += 8)
	{
		for (int x = 4; x < width; x += 8)
		{
			const tnRayHit hit = Pick(world, &frame.camera, x, y);
			const float column = floorf(hit.point.x), row = floorf(hit.point.z);
			// Not at the border of a cell, where a rounding decides.
			if (hit.hit && fabsf(hit.point.x - column - 0.5f) < 0.4f && fabsf(hit.point.z - row - 0.5f) < 0.4f)
			{
				const bool expected = awake[(int)row * columns + (int)column] != 0;
				const uint8_t* pixel = GetPixel(canvas.pixels, x, y);
				ENSURE(expected ? IsColor(pixel, 250, 158, 26) : IsColor(pixel, 51, 66, 92));
			}
		}
	}
	// All views draw something of their own.
	static uint8_t before[byteCount];
	for (int view = 0; view < tnr_viewCount; ++view)
	{
		frame.look.view = (tnrView)view;
		frame.look.arrows = view == tnr_speedView;
		memcpy(before, canvas.pixels, byteCount);
		Draw(&canvas, &frame);
		ENSURE(memcmp(before, canvas.pixels, byteCount) != 0);
	}
	CloseCanvas(&canvas);
	tnDestroyWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Cameras

// A point on the ray through a pixel projects to that pixel.
static int PixelRayInvertsProjection(void)
{
	TestRandom random = TestMakeRandom(4);
	for (int i = 0; i < 200; ++i)
	{
		const tnrCamera camera = {.eye = {TestRandomFloat(&random, -50, 50), TestRandomFloat(&random, 5, 60),
									  TestRandomFloat(&random, -50, 50)},
			.target = {TestRandomFloat(&random, -50, 50), 0.0f, TestRandomFloat(&random, -50, 50)},
			.fieldOfView = TestRandomFloat(&random, 0.3f, 1.5f)};
		const float x = TestRandomFloat(&random, 0, width), y = TestRandomFloat(&random, 0, height);
		tnVec3 origin, d;
		tnrGetPixelRay(&camera, width, height, x, y, &origin, &d);
		ENSURE(origin.x == camera.eye.x && origin.y == camera.eye.y && origin.z == camera.eye.z);
		ENSURE_CLOSE(d.x * d.x + d.y * d.y + d.z * d.z, 1.0, 1.0e-5);

		const Spot spot =
			Project(&camera, (tnVec3){origin.x + 7.0f * d.x, origin.y + 7.0f * d.y, origin.z + 7.0f * d.z});
		ENSURE_CLOSE(spot.x, x, 0.02);
		ENSURE_CLOSE(spot.y, y, 0.02);
	}
	return 0;
}

// The renderer draws a place where the ray says it is: the middle of all pixels of a lone wet cell.
static int PictureAgreesWithRay(void)
{
	static Canvas canvas;
	enum
	{
		columns = 37,
		rows = 29,
		wetCell = 11 * columns + 24
	};
	static float depths[columns * rows];
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columns;
	def.rowCount = rows;
	def.origin = (tnVec2){1000.0f, -500.0f};
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	depths[wetCell] = 0.01f;
	ENSURE_OK(tnWorld_SetDepths(world, depths));
	ENSURE(OpenCanvas(&canvas));
	ENSURE(tnrRenderer_SetWorld(canvas.renderer, world, NULL).ok);
	tnrFrame frame = MakeFrame(&canvas,
		(tnrCamera){.eye = {1010.0f, 25.0f, -460.0f}, .target = {1018.0f, 0.0f, -486.0f}, .fieldOfView = 0.9f});
	frame.look.view = tnr_wetView;
	Draw(&canvas, &frame);
	double sumX = 0.0, sumY = 0.0;
	int count = 0;
	for (int i = 0; i < width * height; ++i)
	{
		// More blue than grey: smoothing mixes the rim of the cell with the ground.
		if (canvas.pixels[3 * i + 2] > canvas.pixels[3 * i] + 88)
		{
			sumX += i % width + 0.5;
			sumY += i / width + 0.5;
			++count;
		}
	}
	ENSURE(count > 8);
	tnVec3 origin, direction;
	tnRayHit hit;
	tnrGetPixelRay(&frame.camera, width, height, (float)(sumX / count), (float)(sumY / count), &origin, &direction);
	ENSURE_OK(tnWorld_CastRay(world, origin, direction, 1.0e3f, &hit));
	ENSURE(hit.hit);
	ENSURE_CLOSE(hit.point.x, 1024.5f, 0.3);
	ENSURE_CLOSE(hit.point.z, -488.5f, 0.3);

	// The overview has all four corners in the picture.
	const tnrCamera overview = tnrGetOverview(world);
	for (int corner = 0; corner < 4; ++corner)
	{
		const tnVec3 place = {1000.0f + (corner & 1 ? columns : 0), 0.0f, -500.0f + (corner & 2 ? rows : 0)};
		const Spot spot = Project(&overview, place);
		ENSURE(spot.x > 0.0 && spot.x < width && spot.y > 0.0 && spot.y < height);
	}
	CloseCanvas(&canvas);
	tnDestroyWorld(world);
	return 0;
}

// Wallin's blend map: grass in the west, snow in the east, whatever the heights say.
static int BlendMapChoosesTheGround(void)
{
	static Canvas canvas;
	static const uint8_t map[2 * 4] = {0, 255, 0, 0, 0, 0, 0, 255};
	tnWorld* world = MakeWorld(65, 53, GetHills, -100.0f);
	ENSURE(world != NULL && OpenCanvas(&canvas));
	tnrGroundDef ground = tnrDefaultGroundDef();
	const tnrFrame frame = MakeFrame(&canvas, LookDown(32.0f, 26.0f, 60.0f));
	int brightness[2][2];
	for (int mapped = 0; mapped < 2; ++mapped)
	{
		ground.blendMap = mapped ? map : NULL;
		ground.blendWidth = mapped ? 2 : 0;
		ground.blendHeight = mapped ? 1 : 0;
		ENSURE(tnrRenderer_SetWorld(canvas.renderer, world, &ground).ok);
		Draw(&canvas, &frame);
		for (int east = 0; east < 2; ++east)
		{
			int sum = 0;
			for (int i = 0; i < 400; ++i)
			{
				// 20 x 20 pixels well inside each half.
				const int x = width / 2 + (east ? 40 : -60) + i % 20;
				const uint8_t* pixel = GetPixel(canvas.pixels, x, height / 2 - 10 + i / 20);
				sum += pixel[0] + pixel[1] + pixel[2];
			}
			brightness[mapped][east] = sum / 1200;
		}
	}
	ENSURE(brightness[1][1] > brightness[1][0] + 50);
	ENSURE(brightness[1][1] > brightness[0][1] + 50);
	CloseCanvas(&canvas);
	tnDestroyWorld(world);
	return 0;
}

// Pictures of the host take the place of what was made: sand is red, and all else is as it was; steep ground has it, too. Without pixels, and
// with nonsense for a size, there are none.
static int TexturesCoverTheGround(void)
{
	static Canvas canvas;
	static uint8_t red[8 * 8 * 3];
	for (int i = 0; i < 8 * 8; ++i)
	{
		red[3 * i] = 230;
	}
	tnWorld* world = MakeWorld(65, 53, GetHills, -100.0f);
	ENSURE(world != NULL && OpenCanvas(&canvas));
	static const uint8_t map[4 * 4] = {255, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0};
	tnrGroundDef ground = tnrDefaultGroundDef();
	ground.blendMap = map;
	ground.blendWidth = 4;
	ground.blendHeight = 1;
	const tnrFrame frame = MakeFrame(&canvas, LookDown(32.0f, 26.0f, 60.0f));
	int redness[4][2] = {{0}};
	for (int i = 0; i < 4; ++i)
	{
		ground.textures[0] = i > 0 ? red : NULL;
		ground.textureSide = i == 2 ? -3 : i == 3 ? 100000 : 8;
		ground.textureSize = i == 2 ? NAN : 0.5f;
		ENSURE(tnrRenderer_SetWorld(canvas.renderer, world, &ground).ok);
		Draw(&canvas, &frame);
		for (int j = 0; j < 800; ++j)
		{
			const int east = j / 400, x = width / 2 + (east ? 40 : -60) + j % 20;
			const uint8_t* pixel = GetPixel(canvas.pixels, x, height / 2 - 10 + j % 400 / 20);
			redness[i][east] += pixel[0] - pixel[1];
		}
	}
	printf("red less green: %d in the west, %d in the east; without a texture %d and %d\n", redness[1][0] / 400,
		redness[1][1] / 400, redness[0][0] / 400, redness[0][1] / 400);
	ENSURE(redness[1][0] > redness[0][0] + 400 * 40);
	ENSURE(abs(redness[1][1] - redness[0][1]) < 400);
	ENSURE(redness[2][0] == redness[0][0] && redness[3][0] == redness[0][0]);
	CloseCanvas(&canvas);
	tnDestroyWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Life of a renderer

static int EditsAreSeen(void)
{
	static Canvas canvas, fresh;
	tnWorld* world = MakeWorld(65, 53, GetHills, -2.0f);
	ENSURE(world != NULL && OpenCanvas(&canvas));
	const tnrGroundDef ground = {.beachLevel = -1.0f, .treeLine = 50.0f, .snowLine = 80.0f, .rockSlope = 0.7f};
	ENSURE(tnrRenderer_SetWorld(canvas.renderer, world, &ground).ok);
	const tnrFrame frame = MakeFrame(&canvas, tnrGetOverview(world));
	Draw(&canvas, &frame);
	memcpy(fresh.pixels, canvas.pixels, byteCount);
	tnBrush brush = tnDefaultBrush();
	brush.center = (tnVec2){30.0f, 30.0f};
	brush.radius = 8.0f;
	brush.amount = 3.0f;
	brush.falloff = 1.0f;
	ENSURE_OK(tnWorld_EditTerrain(world, &brush));
	tnrRenderer_Update(canvas.renderer, world, 1.0f);
	Draw(&canvas, &frame);
	ENSURE(memcmp(fresh.pixels, canvas.pixels, byteCount) != 0);
	// An edited world looks like one that always was so.
	tnrRenderer* other = tnrCreateRenderer(NULL);
	ENSURE(other != NULL && tnrRenderer_SetWorld(other, world, &ground).ok);
	tnrRenderer_Draw(other, &frame);
	tnrHeadless_Read(canvas.headless, fresh.pixels);
	ENSURE(memcmp(fresh.pixels, canvas.pixels, byteCount) == 0);
	tnrDestroyRenderer(other);
	CloseCanvas(&canvas);
	tnDestroyWorld(world);
	return 0;
}

static int AnotherWorldAndAnotherContext(void)
{
	static Canvas canvas;
	static uint8_t first[byteCount];
	tnWorld* small = MakeWorld(33, 21, GetHills, -1.0f);
	tnWorld* large = MakeWorld(129, 257, GetHills, -1.0f);
	ENSURE(small != NULL && large != NULL && OpenCanvas(&canvas));
	const tnrFrame frame = MakeFrame(&canvas, tnrGetOverview(small));
	ENSURE(tnrRenderer_SetWorld(canvas.renderer, small, NULL).ok);
	Draw(&canvas, &frame);
	memcpy(first, canvas.pixels, byteCount);
	ENSURE(tnrRenderer_SetWorld(canvas.renderer, large, NULL).ok);
	Draw(&canvas, &frame);
	ENSURE(memcmp(first, canvas.pixels, byteCount) != 0);
	// The other world is not this one: an update with it changes nothing.
	tnrRenderer_Update(canvas.renderer, small, 1.0f);
	ENSURE(tnrRenderer_SetWorld(canvas.renderer, small, NULL).ok);
	Draw(&canvas, &frame);
	ENSURE(memcmp(first, canvas.pixels, byteCount) == 0);

	// The context is lost with all that was in it.
	tnrRenderer_Forget(canvas.renderer);
	tnrDestroyHeadless(canvas.headless);
	ENSURE(OpenCanvas(&canvas));
	ENSURE(tnrRenderer_SetWorld(canvas.renderer, small, NULL).ok);
	Draw(&canvas, &frame);
	ENSURE(memcmp(first, canvas.pixels, byteCount) == 0);
	CloseCanvas(&canvas);
	tnDestroyWorld(small);
	tnDestroyWorld(large);
	return 0;
}

static int BadInputIsHarmless(void)
{
	static Canvas canvas;
	tnrResult result;
	ENSURE(tnrCreateHeadless(0, 10, &result) == NULL && result.ok == false);
	ENSURE_TEXT(result.text, "1 to 16384 pixels");
	tnWorld* world = MakeWorld(21, 19, GetHills, 0.0f);
	ENSURE(world != NULL && OpenCanvas(&canvas));
	tnrFrame frame = MakeFrame(&canvas, tnrGetOverview(world));
	// Without a world the picture is black.
	Draw(&canvas, &frame);
	ENSURE(IsColor(canvas.pixels, 0, 0, 0));
	ENSURE(tnrRenderer_SetWorld(canvas.renderer, world, NULL).ok);
	tnrRenderer_Update(canvas.renderer, world, NAN);
	Draw(&canvas, &frame);
	static uint8_t good[byteCount];
	memcpy(good, canvas.pixels, byteCount);

	tnrFrame bad = frame;
	bad.width = 0;
	Draw(&canvas, &bad);
	ENSURE(memcmp(good, canvas.pixels, byteCount) == 0);
	bad = frame;
	bad.camera.eye = bad.camera.target;
	Draw(&canvas, &bad);
	bad.camera.eye.x = NAN;
	bad.camera.fieldOfView = -1.0f;
	bad.camera.nearPlane = 5.0f;
	bad.camera.farPlane = 1.0f;
	bad.look.sunAzimuth = bad.look.sunElevation = NAN;
	bad.look.exposure = NAN;
	bad.look.tracer = 99;
	bad.marker = (tnrMarker){.center = {NAN, 0.0f}, .radius = INFINITY};
	bad.time = NAN;
	for (int view = 0; view < tnr_viewCount; ++view)
	{
		bad.look.view = (tnrView)view;
		Draw(&canvas, &bad);
	}
	tnVec3 origin, direction;
	tnrGetPixelRay(&bad.camera, 0, -3, NAN, 2.0f, &origin, &direction);
	tnrGetPixelRay(&bad.camera, 0, 0, 1.0f, 2.0f, &origin, &direction);
	ENSURE(isfinite(origin.x) && isfinite(direction.x));
	// And all is well afterwards.
	Draw(&canvas, &frame);
	ENSURE(memcmp(good, canvas.pixels, byteCount) == 0);
	tnrDestroyRenderer(NULL);
	tnrDestroyHeadless(NULL);
	tnrDestroyOverlay(NULL);
	CloseCanvas(&canvas);
	tnDestroyWorld(world);
	return 0;
}

static int MeasuresPasses(void)
{
	static Canvas canvas;
	tnWorld* world = MakeWorld(65, 65, GetHills, 0.0f);
	ENSURE(world != NULL && OpenCanvas(&canvas));
	ENSURE(tnrRenderer_SetWorld(canvas.renderer, world, NULL).ok);
	const tnrFrame frame = MakeFrame(&canvas, tnrGetOverview(world));
	Draw(&canvas, &frame);
	tnrTimings timings = tnrRenderer_GetTimings(canvas.renderer);
	ENSURE(timings.total == 0.0f && timings.triangles > 1000);
	tnrRenderer_SetMeasuring(canvas.renderer, true);
	tnrRenderer_Update(canvas.renderer, world, 1.0f);
	Draw(&canvas, &frame);
	timings = tnrRenderer_GetTimings(canvas.renderer);
	ENSURE(timings.upload > 0.0f && timings.terrain > 0.0f && timings.water > 0.0f && timings.overlay > 0.0f);
	ENSURE_CLOSE(timings.total, timings.upload + timings.terrain + timings.water + timings.overlay, 0.01);
	CloseCanvas(&canvas);
	tnDestroyWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Overlay

static int OverlayDrawsShapes(void)
{
	static Canvas canvas;
	tnrResult result;
	ENSURE(OpenCanvas(&canvas));
	tnrOverlay* overlay = tnrCreateOverlay(&result);
	ENSURE_TEXT(result.text, "");
	ENSURE(overlay != NULL);
	const uint32_t framebuffer = tnrHeadless_GetFramebuffer(canvas.headless);
	// Half as many overlay pixels as real ones.
	tnrOverlay_Begin(overlay, width / 2, height / 2);
	tnrOverlay_Rectangle(overlay, 0, 0, width / 2, height / 2, 0, 0x000000FF);
	tnrOverlay_Rectangle(overlay, 10, 10, 40, 20, 6, 0xFF0000FF);
	tnrOverlay_Disc(overlay, 100, 20, 8, 0x00FF00FF);
	tnrOverlay_Line(overlay, 10, 50, 60, 50, 4, 0x0000FFFF);
	tnrOverlay_Triangle(overlay, 80, 60, 110, 60, 95, 40, 0xFFFF00FF);
	tnrOverlay_Clip(overlay, 120, 40, 10, 10);
	tnrOverlay_Rectangle(overlay, 110, 30, 40, 40, 0, 0xFFFFFF80);
	tnrOverlay_Clip(overlay, 0, 0, 0, 0);
	tnrOverlay_Text(overlay, 10, 65, 20, 0xFFFFFFFF, "Iil");
	tnrOverlay_End(overlay, framebuffer, width, height);
	tnrHeadless_Read(canvas.headless, canvas.pixels);

	const uint8_t* pixels = canvas.pixels;
	ENSURE(IsColor(GetPixel(pixels, 60, 40), 255, 0, 0));
	ENSURE(IsColor(GetPixel(pixels, 21, 21), 0, 0, 0)); // outside of the round corner
	ENSURE(IsColor(GetPixel(pixels, 21, 40), 255, 0, 0));
	ENSURE(IsColor(GetPixel(pixels, 200, 40), 0, 255, 0));
	ENSURE(IsColor(GetPixel(pixels, 212, 52), 0, 0, 0));
	ENSURE(IsColor(GetPixel(pixels, 70, 100), 0, 0, 255));
	ENSURE(IsColor(GetPixel(pixels, 70, 106), 0, 0, 0));
	ENSURE(IsColor(GetPixel(pixels, 190, 110), 255, 255, 0));
	ENSURE(IsColor(GetPixel(pixels, 162, 84), 0, 0, 0)); // outside of the triangle, inside of its box
	ENSURE(IsColor(GetPixel(pixels, 250, 90), 128, 128, 128));
	ENSURE(IsColor(GetPixel(pixels, 230, 90), 0, 0, 0)); // cut off

	// Three upright strokes, side by side, inside the width that is announced.
	int strokes = 0, last = 0;
	for (int x = 1; x < 120; ++x)
	{
		const bool lit = GetPixel(pixels, x, 155)[1] > 128, before = GetPixel(pixels, x - 1, 155)[1] > 128;
		strokes += lit && before == false ? 1 : 0;
		last = lit ? x : last;
	}
	ENSURE_EQUAL_INT(strokes, 3);
	const float textWidth = tnrGetTextWidth(20, "Iil");
	ENSURE(last < 2 * (10 + (int)textWidth));
	ENSURE_CLOSE(textWidth, tnrGetTextWidth(20, "I") + tnrGetTextWidth(20, "i") + tnrGetTextWidth(20, "l"), 1.0e-3);
	ENSURE_CLOSE(tnrGetTextWidth(40, "Iil"), 2.0 * textWidth, 1.0e-3);
	ENSURE(tnrGetTextWidth(20, "") == 0.0f && tnrGetTextWidth(20, NULL) == 0.0f);

	// More than fits is left out, and does no harm.
	tnrOverlay_Begin(overlay, 0, -1);
	for (int i = 0; i < 20000; ++i)
	{
		tnrOverlay_Disc(overlay, 0.5f, 0.5f, 0.1f, 0xFFFFFF01);
	}
	tnrOverlay_End(overlay, framebuffer, 4, 4);
	tnrDestroyOverlay(overlay);
	tnrOverlay_Forget(tnrCreateOverlay(NULL));
	CloseCanvas(&canvas);
	return 0;
}

static const Test s_tests[] = {
	{"GoldenPictures", GoldenPictures},
	{"LakeMirrorsSky", LakeMirrorsSky},
	{"DeepWaterIsDarker", DeepWaterIsDarker},
	{"ShoreIsOneLine", ShoreIsOneLine},
	{"MeshHasNoGaps", MeshHasNoGaps},
	{"FarRimIsEven", FarRimIsEven},
	{"LowerEdgeHasNoSeam", LowerEdgeHasNoSeam},
	{"DryGroundIsUntouched", DryGroundIsUntouched},
	{"DyeIsSeen", DyeIsSeen},
	{"ViewsShowTheWorld", ViewsShowTheWorld},
	{"PixelRayInvertsProjection", PixelRayInvertsProjection},
	{"PictureAgreesWithRay", PictureAgreesWithRay},
	{"BlendMapChoosesTheGround", BlendMapChoosesTheGround},
	{"TexturesCoverTheGround", TexturesCoverTheGround},
	{"EditsAreSeen", EditsAreSeen},
	{"AnotherWorldAndAnotherContext", AnotherWorldAndAnotherContext},
	{"BadInputIsHarmless", BadInputIsHarmless},
	{"MeasuresPasses", MeasuresPasses},
	{"OverlayDrawsShapes", OverlayDrawsShapes},
};

const TestSuite renderSuite = TEST_SUITE("render", s_tests);
