// SPDX-License-Identifier: MIT

// The wave layer in pictures: waves where they are and nowhere else, no seams, no jumps.

#include "canvas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	columns = 64,
	rows = 64,
};

// A basin of 64 m with waves: levels have cells of 1/4, 1/2, 1 and 2 m, and the finest tiles are 16 m wide. All of them
// fit into the pool, so they are everywhere.
static tnWorld* MakeSea(float depth, bool waves)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columns;
	def.rowCount = rows;
	def.waves.enable = waves;
	def.waves.finerLevels = 2;
	def.waves.levelCount = 4;
	def.waves.takeFromFlow = false;
	def.waves.enableDetail = false;
	def.waves.breakingLimit = 0.0f;
	tnWorld* world = NULL;
	static float heights[columns * rows];
	for (int i = 0; i < columns * rows; ++i)
	{
		heights[i] = -depth;
	}
	if (tnCreateWorld(&def, &world).status == tn_ok)
	{
		(void)tnWorld_SetTerrain(world, heights);
		(void)tnWorld_FillToLevel(world, 0.0f);
	}
	return world;
}

// Something round of 1.6 m comes in from below: a ring of waves.
static bool AddRing(tnWorld* world, float x, float z)
{
	const tnWaveEllipse ellipse = {{x, z}, {1.0f, 0.0f}, {0.8f, 0.8f}, 0.4f};
	return tnWorld_AddWave(world, NULL, &ellipse).status == tn_ok;
}

static bool Run(tnWorld* world, int stepCount, float timeStep)
{
	bool good = true;
	for (int i = 0; i < stepCount && good; ++i)
	{
		good = tnWorld_Step(world, timeStep).status == tn_ok;
	}
	return good;
}

static tnrCamera LookDown(float x, float z, float y)
{
	return (tnrCamera){.eye = {x, y, z}, .target = {x, 0.0f, z}, .fieldOfView = 0.9f};
}

// Nothing but waves: water that one cannot look through, without what is made up.
static tnrFrame MakePlainFrame(const Canvas* canvas, tnrCamera camera)
{
	tnrFrame frame = MakeFrame(canvas, camera);
	frame.look.ripples = frame.look.caustics = frame.look.foam = 0.0f;
	frame.look.absorption = (tnVec3){20.0f, 20.0f, 20.0f};
	return frame;
}

static double GetMeanDifference(const uint8_t* a, const uint8_t* b)
{
	double sum = 0.0;
	for (int i = 0; i < width * height; ++i)
	{
		sum += GetDifference(a + 3 * i, b + 3 * i);
	}
	return sum / (width * height);
}

// ---------------------------------------------------------------------------------------------------------------------

// Two rings that cross, on clear water.
static int GoldenWaves(void)
{
	static Canvas canvas;
	tnWorld* world = MakeSea(1.5f, true);
	ENSURE(world != NULL && OpenCanvas(&canvas));
	ENSURE(tnrRenderer_SetWorld(canvas.renderer, world, NULL).ok);
	ENSURE(AddRing(world, 30.0f, 31.0f) && Run(world, 40, 1.0f / 60.0f));
	ENSURE(AddRing(world, 34.5f, 33.0f) && Run(world, 50, 1.0f / 60.0f));
	tnrRenderer_Update(canvas.renderer, world, 0.5f);
	const tnrFrame frame = MakeFrame(
		&canvas, (tnrCamera){.eye = {32.0f, 4.0f, 41.0f}, .target = {32.0f, 0.0f, 32.0f}, .fieldOfView = 0.8f});
	Draw(&canvas, &frame);
	ENSURE_EQUAL_INT(CompareGolden(&canvas, "waves"), 0);
	CloseCanvas(&canvas);
	tnDestroyWorld(world);
	return 0;
}

// A second after something came in the picture is another one around it, and the same one farther away than waves can be.
static int WavesShowWhereTheyAre(void)
{
	static Canvas canvas;
	static uint8_t calm[byteCount];
	tnWorld* world = MakeSea(4.0f, true);
	ENSURE(world != NULL && OpenCanvas(&canvas));
	ENSURE(tnrRenderer_SetWorld(canvas.renderer, world, NULL).ok);
	const tnrCamera camera = LookDown(32.0f, 32.0f, 22.0f);
	const tnrFrame frame = MakePlainFrame(&canvas, camera);
	Draw(&canvas, &frame);
	memcpy(calm, canvas.pixels, byteCount);
	ENSURE(AddRing(world, 28.0f, 33.0f) && Run(world, 60, 1.0f / 60.0f));
	tnrRenderer_Update(canvas.renderer, world, 1.0f);
	Draw(&canvas, &frame);

	int shown = 0, inside = 0;
	for (int y = 0; y < height; ++y)
	{
		for (int x = 0; x < width; ++x)
		{
			tnVec3 origin, direction;
			tnrGetPixelRay(&camera, width, height, (float)x + 0.5f, (float)y + 0.5f, &origin, &direction);
			const float reach = -origin.y / direction.y;
			const float distance =
				hypotf(origin.x + direction.x * reach - 28.0f, origin.z + direction.z * reach - 33.0f);
			const int difference = GetDifference(GetPixel(canvas.pixels, x, y), GetPixel(calm, x, y));
			inside += distance < 3.0f ? 1 : 0;
			shown += distance < 3.0f && difference > 2 ? 1 : 0;
			// The longest waves of the layer, 24 m, run 6 m in a second; the filters that make them reach 8 cells of 2 m.
			if (distance > 22.0f)
			{
				ENSURE_CLOSE(difference, 0, 1);
			}
		}
	}
	ENSURE(shown > inside / 3);
	CloseCanvas(&canvas);
	tnDestroyWorld(world);
	return 0;
}

// A picture of a ring, seen from above.
static bool DrawRing(Canvas* canvas, float x, float z, uint8_t* pixels)
{
	tnWorld* world = MakeSea(4.0f, true);
	const bool good = world != NULL && tnrRenderer_SetWorld(canvas->renderer, world, NULL).ok && AddRing(world, x, z) &&
		Run(world, 75, 1.0f / 60.0f);
	if (good)
	{
		tnrRenderer_Update(canvas->renderer, world, 1.0f);
		tnrCamera camera = LookDown(x, z, 4.0f);
		camera.eye.z += 4.0f;
		const tnrFrame frame = MakePlainFrame(canvas, camera);
		Draw(canvas, &frame);
		memcpy(pixels, canvas->pixels, byteCount);
	}
	tnDestroyWorld(world);
	return good;
}

// The same ring in the middle of a tile and where four tiles of the finest levels meet: the same picture. Without what
// neighbours lend, 3054 pixels differ by more than 6, and the mean by 1.5.
static int NoSeamBetweenTiles(void)
{
	static Canvas canvas;
	static uint8_t middle[byteCount], corner[byteCount];
	ENSURE(OpenCanvas(&canvas));
	ENSURE(DrawRing(&canvas, 24.0f, 24.0f, middle) && DrawRing(&canvas, 32.0f, 32.0f, corner));
	int big = 0;
	for (int i = 0; i < width * height; ++i)
	{
		big += GetDifference(middle + 3 * i, corner + 3 * i) > 6 ? 1 : 0;
	}
	printf("mean difference %.3f, %d pixels differ by more than 6\n", GetMeanDifference(middle, corner), big);
	// Places are rounded differently, and so are haze and the mesh, which is not cut in the same places.
	ENSURE(GetMeanDifference(middle, corner) < 0.1);
	ENSURE(big < 30);
	CloseCanvas(&canvas);
	return 0;
}

// Seen from just above the water a high wave stands before the sky.
static int WavesAreInTheMesh(void)
{
	static Canvas canvas;
	static uint8_t calm[byteCount];
	tnWorld* world = MakeSea(10.0f, true);
	ENSURE(world != NULL && OpenCanvas(&canvas));
	ENSURE(tnrRenderer_SetWorld(canvas.renderer, world, NULL).ok);
	const tnrCamera camera = {.eye = {32.0f, 0.4f, 44.0f}, .target = {32.0f, 0.4f, 32.0f}, .fieldOfView = 0.5f};
	const tnrFrame frame = MakePlainFrame(&canvas, camera);
	Draw(&canvas, &frame);
	memcpy(calm, canvas.pixels, byteCount);
	const tnWaveEllipse mound = {{32.0f, 32.0f}, {1.0f, 0.0f}, {4.0f, 4.0f}, 2.0f};
	ENSURE_OK(tnWorld_AddWave(world, NULL, &mound));
	ENSURE(Run(world, 2, 1.0f / 60.0f));
	tnrRenderer_Update(canvas.renderer, world, 1.0f);
	Draw(&canvas, &frame);
	// What stands highest before the sky, as samples of the world say.
	double expected = height;
	for (int i = 0; i < 200; ++i)
	{
		const tnVec3 place = {32.0f, 0.0f, 42.0f - 0.1f * (float)i};
		tnWaveSample sample;
		ENSURE_OK(tnWorld_SampleWaves(world, (tnVec2){place.x, place.z}, &sample));
		expected = fmin(expected, Project(&camera, (tnVec3){place.x, sample.height, place.z}).y);
	}
	ENSURE(expected < 0.8 * (height / 2));
	int highest = height;
	for (int y = height - 1; y >= 0; --y)
	{
		highest = GetDifference(GetPixel(canvas.pixels, width / 2, y), GetPixel(calm, width / 2, y)) > 12 ? y : highest;
	}
	// The shortest waves, which make its rim sharp, stay out of the mesh at this distance.
	const double share = (height / 2 - highest) / (height / 2 - expected);
	ENSURE_CLOSE(share, 0.95, 0.08);
	CloseCanvas(&canvas);
	tnDestroyWorld(world);
	return 0;
}

// The beginning of a step is the end of the one before.
static int StepsAreInterpolated(void)
{
	static Canvas canvas;
	static uint8_t before[byteCount], begin[byteCount];
	tnWorld* world = MakeSea(4.0f, true);
	ENSURE(world != NULL && OpenCanvas(&canvas));
	ENSURE(tnrRenderer_SetWorld(canvas.renderer, world, NULL).ok);
	const float timeStep = 1.0f / 20.0f;
	ENSURE(AddRing(world, 32.0f, 32.0f) && Run(world, 12, timeStep));
	const tnrFrame frame = MakePlainFrame(&canvas, LookDown(32.0f, 33.0f, 10.0f));
	tnrRenderer_Update(canvas.renderer, world, 1.0f);
	Draw(&canvas, &frame);
	memcpy(before, canvas.pixels, byteCount);
	ENSURE(Run(world, 1, timeStep));
	tnrRenderer_Update(canvas.renderer, world, 0.0f);
	Draw(&canvas, &frame);
	memcpy(begin, canvas.pixels, byteCount);
	tnrRenderer_Update(canvas.renderer, world, 1.0f);
	Draw(&canvas, &frame);
	const double jump = GetMeanDifference(before, begin), step = GetMeanDifference(begin, canvas.pixels);
	printf("jump %.3f, step %.3f\n", jump, step);
	ENSURE(step > 0.2);
	ENSURE(jump < 0.1 * step);
	CloseCanvas(&canvas);
	tnDestroyWorld(world);
	return 0;
}

// A lake at rest mirrors the sky as it does without the layer, exactly if nothing is made up. With waves too small to
// see it is rough: neither glass, nor brighter than what it mirrors.
static int CalmWaterMirrors(void)
{
	static Canvas canvas;
	static uint8_t plain[byteCount], layered[byteCount];
	ENSURE(OpenCanvas(&canvas));
	const tnrCamera camera = {.eye = {32.0f, 1.0f, 63.0f}, .target = {32.0f, 1.0f, 0.0f}, .fieldOfView = 0.5f};
	for (int i = 0; i < 2; ++i)
	{
		tnWorld* world = MakeSea(8.0f, i == 1);
		ENSURE(world != NULL && tnrRenderer_SetWorld(canvas.renderer, world, NULL).ok);
		ENSURE(Run(world, 3, 1.0f / 60.0f));
		tnrRenderer_Update(canvas.renderer, world, 1.0f);
		tnrFrame frame = MakeFrame(&canvas, camera);
		frame.look.ripples = 0.0f;
		Draw(&canvas, &frame);
		memcpy(i == 0 ? plain : layered, canvas.pixels, byteCount);
		tnDestroyWorld(world);
	}
	int most = 0;
	for (int i = 0; i < width * height; ++i)
	{
		const int difference = GetDifference(plain + 3 * i, layered + 3 * i);
		most = difference > most ? difference : most;
	}
	ENSURE_CLOSE(most, 0, 2);
	CloseCanvas(&canvas);
	return 0;
}

// Points of interest that jump around, worlds with and without waves by turns, a pool of one tile, waves as high as
// mountains, cameras in them, times that are none.
static int NonsenseIsHarmless(void)
{
	static Canvas canvas;
	ENSURE(OpenCanvas(&canvas));
	for (int i = 0; i < 4; ++i)
	{
		tnWorldDef def = tnDefaultWorldDef();
		def.columnCount = i % 2 == 0 ? 37 : 90;
		def.rowCount = 23;
		def.waves.enable = i != 2;
		def.waves.tileCount = i == 0 ? 1 : 70;
		def.waves.finerLevels = i == 3 ? 6 : 1;
		def.waves.levelCount = i == 3 ? 12 : 3;
		def.waves.breakingLimit = i == 1 ? 0.0f : 1.0f;
		def.keepPrevious = i != 3;
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_FillToLevel(world, 1.0f));
		ENSURE(tnrRenderer_SetWorld(canvas.renderer, world, NULL).ok);
		tnInterestDef interest = tnDefaultInterestDef();
		tnInterestId id;
		(void)tnWorld_CreateInterest(world, &interest, &id);
		for (int step = 0; step < 12; ++step)
		{
			interest.position = (tnVec2){(float)(step * 29 % 90), (float)(step * 17 % 23)};
			(void)tnWorld_SetInterest(world, id, &interest);
			const tnWaveDrop drop = {interest.position, step % 3 == 0 ? 1.0e6f : 0.1f};
			(void)tnWorld_AddDrops(world, &drop, 1);
			ENSURE(Run(world, 1, 1.0f / 60.0f));
			tnrRenderer_Update(canvas.renderer, world, step == 5 ? NAN : (float)step - 3.0f);
		}
		tnrFrame frame = MakeFrame(
			&canvas, (tnrCamera){.eye = {18.0f, 1.0f, 12.0f}, .target = {30.0f, 1.0f, 12.0f}, .fieldOfView = 1.0f});
		Draw(&canvas, &frame);
		frame.camera.eye = (tnVec3){NAN, INFINITY, 0.0f};
		frame.time = NAN;
		Draw(&canvas, &frame);
		frame.look.view = tnr_depthView;
		Draw(&canvas, &frame);
		tnDestroyWorld(world);
	}
	// Still alive: a calm lake is not black.
	tnWorld* world = MakeSea(4.0f, true);
	ENSURE(world != NULL && tnrRenderer_SetWorld(canvas.renderer, world, NULL).ok);
	const tnrFrame frame = MakeFrame(&canvas, LookDown(32.0f, 32.0f, 20.0f));
	Draw(&canvas, &frame);
	ENSURE(GetLight(GetPixel(canvas.pixels, width / 2, height / 2)) > 10.0f);
	CloseCanvas(&canvas);
	tnDestroyWorld(world);
	return 0;
}

static const Test s_tests[] = {
	{"GoldenWaves", GoldenWaves},
	{"WavesShowWhereTheyAre", WavesShowWhereTheyAre},
	{"NoSeamBetweenTiles", NoSeamBetweenTiles},
	{"WavesAreInTheMesh", WavesAreInTheMesh},
	{"StepsAreInterpolated", StepsAreInterpolated},
	{"CalmWaterMirrors", CalmWaterMirrors},
	{"NonsenseIsHarmless", NonsenseIsHarmless},
};

const TestSuite render_wavesSuite = TEST_SUITE("render_waves", s_tests);
