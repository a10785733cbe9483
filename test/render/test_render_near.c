// SPDX-License-Identifier: MIT

// The picture close up: foam and ripples on fast water, seen from just above it.

#include "canvas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	columns = 96,
	rows = 96,
};

// A lake of 1 m cells, 3 m deep, that flows east, and east is joined to west.
static tnWorld* MakeStream(float speed, float foam)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columns;
	def.rowCount = rows;
	def.method = tn_shallowMethod;
	def.foam.enable = true;
	def.edges[tn_west].kind = def.edges[tn_east].kind = tn_wrapEdge;
	tnWorld* world = NULL;
	if (tnCreateWorld(&def, &world).status != tn_ok)
	{
		return NULL;
	}
	float* velocities = calloc((size_t)(columns + 1) * (rows + 1) * 2, sizeof(float));
	for (int i = 0; i < columns * rows; ++i)
	{
		velocities[i] = speed;
	}
	const bool ok = tnWorld_FillToLevel(world, 3.0f).status == tn_ok &&
		tnWorld_SetVelocities(world, velocities, velocities + (columns + 1) * (rows + 1)).status == tn_ok &&
		tnWorld_AddFoam(world, (tnVec2){48.0f, 48.0f}, 40.0f, foam).status == tn_ok &&
		tnWorld_Step(world, 1.0f / 60.0f).status == tn_ok;
	free(velocities);
	if (ok == false)
	{
		tnDestroyWorld(world);
		return NULL;
	}
	return world;
}

static bool DrawStream(Canvas* canvas, float speed, float foam, tnrCamera camera, double time)
{
	tnWorld* world = MakeStream(speed, foam);
	const bool ok = world != NULL && tnrRenderer_SetWorld(canvas->renderer, world, NULL).ok;
	if (ok)
	{
		tnrFrame frame = MakeFrame(canvas, camera);
		frame.time = time;
		Draw(canvas, &frame);
	}
	tnDestroyWorld(world);
	return ok;
}

// How much light changes from a pixel to another so far away, over how much it changes at all.
static double GetChange(const uint8_t* pixels, int dx, int dy)
{
	double sum = 0.0, squares = 0.0, changes = 0.0;
	int count = 0;
	for (int y = 0; y + dy < height; ++y)
	{
		for (int x = 0; x + dx < width; ++x)
		{
			const double light = (double)GetLight(GetPixel(pixels, x, y));
			sum += light;
			squares += light * light;
			changes += fabs(light - (double)GetLight(GetPixel(pixels, x + dx, y + dy)));
			count += 1;
		}
	}
	const double mean = sum / count;
	return changes / count / sqrt(squares / count - mean * mean);
}

// A flow carries foam along, and draws it out: it is smoother along the flow than across, and across it is no finer than on still
// water, at any moment. Foam whose texture is folded over itself is.
static int FoamIsNotMarbled(void)
{
	static Canvas canvas;
	ENSURE(OpenCanvas(&canvas));
	const tnrCamera above = {.eye = {48.0f, 12.0f, 48.1f}, .target = {48.0f, 3.0f, 48.0f}, .fieldOfView = 0.9f};
	ENSURE(DrawStream(&canvas, 0.0f, 1.0f, above, 0.3));
	const double still = GetChange(canvas.pixels, 0, 1), stillAlong = GetChange(canvas.pixels, 1, 0);
	for (int i = 0; i < 4; ++i)
	{
		ENSURE(DrawStream(&canvas, 4.0f, 1.0f, above, 0.3 + 0.55 * i));
		const double along = GetChange(canvas.pixels, 1, 0), across = GetChange(canvas.pixels, 0, 1);
		printf("light changes by %.3f along and %.3f across a flow, by %.3f and %.3f without\n", along, across,
			stillAlong, still);
		ENSURE(along < 0.95 * across);
		ENSURE(across < 1.05 * still);
	}
	CloseCanvas(&canvas);
	return 0;
}

// Against the sun water glitters, but no pixel is white where all around it are dark.
static int GlitterIsNoStatic(void)
{
	static Canvas canvas;
	ENSURE(OpenCanvas(&canvas));
	const tnrLook look = tnrDefaultLook();
	const tnrCamera low = {.eye = {48.0f - 30.0f * cosf(look.sunAzimuth), 4.2f, 48.0f - 30.0f * sinf(look.sunAzimuth)},
		.target = {48.0f, 3.0f, 48.0f},
		.fieldOfView = 0.9f};
	for (int i = 0; i < 2; ++i)
	{
		ENSURE(DrawStream(&canvas, 3.0f * (float)i, 0.0f, low, 1.0));
		int alone = 0, count = 0;
		for (int y = height / 2 + 4; y < height - 1; ++y)
		{
			for (int x = 1; x < width - 1; ++x)
			{
				const float light = GetLight(GetPixel(canvas.pixels, x, y));
				const float a = GetLight(GetPixel(canvas.pixels, x - 1, y));
				const float b = GetLight(GetPixel(canvas.pixels, x + 1, y));
				const float c = GetLight(GetPixel(canvas.pixels, x, y - 1));
				const float d = GetLight(GetPixel(canvas.pixels, x, y + 1));
				alone += light > fmaxf(fmaxf(a, b), fmaxf(c, d)) + 12.0f ? 1 : 0;
				count += 1;
			}
		}
		printf("%d of %d pixels stand out of all around them\n", alone, count);
		ENSURE(alone < count / 5000);
	}
	CloseCanvas(&canvas);
	return 0;
}

// Light of the sky at the horizon, and of water just below it, seen by a swimmer in a lake that ends at the edges of its world.
static int LandAndWaterGoOn(void)
{
	static Canvas canvas;
	ENSURE(OpenCanvas(&canvas));
	tnWorld* world = MakeStream(0.0f, 0.0f);
	ENSURE(world != NULL && tnrRenderer_SetWorld(canvas.renderer, world, NULL).ok);
	const tnrCamera camera = {.eye = {48.0f, 5.0f, 60.0f}, .target = {48.0f, 5.0f, 0.0f}, .fieldOfView = 0.9f};
	tnrFrame frame = MakeFrame(&canvas, camera);
	// Rows from the horizon in the middle of the picture down to where the world ends, 60 m away and 2 m below.
	const int end = height / 2 + (int)(0.5f * (float)height / tanf(0.45f) * 2.0f / 60.0f);
	float steps[2] = {0.0f, 0.0f};
	for (int i = 0; i < 2; ++i)
	{
		frame.look.sides = i == 0;
		Draw(&canvas, &frame);
		for (int y = height / 2 - 2; y < end + 4; ++y)
		{
			float above = 0.0f, below = 0.0f;
			for (int x = 0; x < width; ++x)
			{
				above += GetLight(GetPixel(canvas.pixels, x, y)) / width;
				below += GetLight(GetPixel(canvas.pixels, x, y + 1)) / width;
			}
			steps[i] = fmaxf(steps[i], fabsf(below - above));
		}
	}
	printf("rows around the horizon differ by up to %.1f where the world ends, %.1f where it goes on\n",
		(double)steps[0], (double)steps[1]);
	ENSURE(steps[1] < 10.0f && steps[1] < 0.5f * steps[0]);
	// From above there is no rim, and no other colour beyond it.
	frame.camera = (tnrCamera){.eye = {96.0f, 60.0f, 48.1f}, .target = {96.0f, 0.0f, 48.0f}, .fieldOfView = 0.9f};
	Draw(&canvas, &frame);
	double inside = 0.0, outside = 0.0;
	for (int y = 40; y < height - 40; ++y)
	{
		for (int x = 20; x < 60; ++x)
		{
			inside += (double)GetLight(GetPixel(canvas.pixels, width / 2 - x, y)) / (40.0 * (height - 80));
			outside += (double)GetLight(GetPixel(canvas.pixels, width / 2 + x, y)) / (40.0 * (height - 80));
		}
	}
	printf("water inside %.1f, outside %.1f\n", inside, outside);
	ENSURE_CLOSE(inside, outside, 6.0);
	tnDestroyWorld(world);
	CloseCanvas(&canvas);
	return 0;
}

// What is much brighter than white spreads; nothing else does.
static int BrightPlacesSpread(void)
{
	static Canvas canvas;
	static uint8_t plain[byteCount];
	ENSURE(OpenCanvas(&canvas));
	tnWorld* world = MakeStream(0.0f, 0.0f);
	ENSURE(world != NULL && tnrRenderer_SetWorld(canvas.renderer, world, NULL).ok);
	const tnrLook look = tnrDefaultLook();
	for (int i = 0; i < 2; ++i)
	{
		// Into the sun, and away from it.
		const float sign = i == 0 ? 1.0f : -1.0f;
		const tnrCamera camera = {.eye = {48.0f, 10.0f, 48.0f},
			.target = {48.0f + sign * cosf(look.sunAzimuth), 10.0f + tanf(look.sunElevation),
				48.0f + sign * sinf(look.sunAzimuth)},
			.fieldOfView = 0.9f};
		tnrFrame frame = MakeFrame(&canvas, camera);
		Draw(&canvas, &frame);
		memcpy(plain, canvas.pixels, byteCount);
		frame.look.bloom = 1.0f;
		Draw(&canvas, &frame);
		int changed = 0;
		for (int j = 0; j < width * height; ++j)
		{
			changed += GetDifference(plain + 3 * j, canvas.pixels + 3 * j) > 0 ? 1 : 0;
		}
		printf("%d pixels are brighter\n", changed);
		ENSURE(i == 0 ? changed > 30 && changed < width * height / 4 : changed == 0);
	}
	tnDestroyWorld(world);
	CloseCanvas(&canvas);
	return 0;
}

// Clouds throw shadows: land is darker here than there, and where they are off it is not.
static int CloudsThrowShadows(void)
{
	static Canvas canvas;
	ENSURE(OpenCanvas(&canvas));
	tnWorld* world = MakeStream(0.0f, 0.0f);
	ENSURE(world != NULL);
	float depths[columns * rows] = {0.0f};
	ENSURE_OK(tnWorld_SetDepths(world, depths));
	ENSURE(tnrRenderer_SetWorld(canvas.renderer, world, NULL).ok);
	tnrFrame frame = MakeFrame(
		&canvas, (tnrCamera){.eye = {48.0f, 80.0f, 48.1f}, .target = {48.0f, 0.0f, 48.0f}, .fieldOfView = 0.8f});
	double darkest = 1.0;
	for (int moment = 0; moment < 8; ++moment)
	{
		double light[2] = {0.0, 0.0};
		for (int i = 0; i < 2; ++i)
		{
			frame.time = 60.0 * moment;
			frame.look.clouds = (float)i;
			Draw(&canvas, &frame);
			for (int j = 0; j < width * height; ++j)
			{
				light[i] += (double)GetLight(canvas.pixels + 3 * j);
			}
		}
		darkest = fmin(darkest, light[1] / light[0]);
	}
	printf("clouds leave %.2f of the light\n", darkest);
	ENSURE(darkest < 0.97 && darkest > 0.5);
	tnDestroyWorld(world);
	CloseCanvas(&canvas);
	return 0;
}

// Trees and grass stand on land, none in a lake, and none where water has come; with a share of 0 there are none.
static int PlantsStandOnLand(void)
{
	static Canvas canvas;
	static uint8_t bare[byteCount];
	ENSURE(OpenCanvas(&canvas));
	static float heights[columns * rows], depths[columns * rows];
	for (int i = 0; i < columns * rows; ++i)
	{
		heights[i] = 4.0f + 0.02f * (float)(i % columns);
	}
	const tnrGroundDef ground = {.beachLevel = 0.0f, .treeLine = 1.0e3f, .snowLine = 2.0e3f, .rockSlope = 0.75f};
	// Dry land, land that was flooded 5 m deep, and dry land again without plants.
	int counts[3];
	for (int i = 0; i < 3; ++i)
	{
		tnWorld* world = MakeStream(0.0f, 0.0f);
		ENSURE(world != NULL);
		for (int j = 0; j < columns * rows; ++j)
		{
			depths[j] = i == 1 ? 5.0f : 0.0f;
		}
		ENSURE_OK(tnWorld_SetTerrain(world, heights));
		ENSURE_OK(tnWorld_SetDepths(world, depths));
		ENSURE(tnrRenderer_SetWorld(canvas.renderer, world, &ground).ok);
		tnrFrame frame = MakeFrame(
			&canvas, (tnrCamera){.eye = {48.0f, 30.0f, 90.0f}, .target = {48.0f, 4.0f, 48.0f}, .fieldOfView = 0.9f});
		Draw(&canvas, &frame);
		memcpy(bare, canvas.pixels, byteCount);
		frame.look.plants = i == 2 ? NAN : 1.0f;
		Draw(&canvas, &frame);
		counts[i] = 0;
		for (int j = 0; j < width * height; ++j)
		{
			counts[i] += GetDifference(bare + 3 * j, canvas.pixels + 3 * j) > 8 ? 1 : 0;
		}
		tnDestroyWorld(world);
	}
	printf(
		"%d pixels with plants on land, %d in a lake, %d with nonsense for a share\n", counts[0], counts[1], counts[2]);
	ENSURE(counts[0] > 400);
	ENSURE(counts[1] == 0 && counts[2] == 0);
	CloseCanvas(&canvas);
	return 0;
}

// An eye in the water sees the sky in a window above it, 48.6 degrees to each side, and beyond that only water; water takes red first. An
// eye half out of it sees both, with the line where it is, and one above it sees no more than it always did.
static int EyesMayDive(void)
{
	static Canvas canvas;
	ENSURE(OpenCanvas(&canvas));
	tnWorld* world = MakeStream(0.0f, 0.0f);
	ENSURE(world != NULL && tnrRenderer_SetWorld(canvas.renderer, world, NULL).ok);
	// From 1 m below the surface, 30 and 70 degrees from straight up.
	float light[2];
	for (int i = 0; i < 2; ++i)
	{
		const float angle = i == 0 ? 0.52f : 1.22f;
		tnrFrame frame = MakeFrame(&canvas,
			(tnrCamera){.eye = {48.0f, 2.0f, 48.0f},
				.target = {48.0f + sinf(angle), 2.0f + cosf(angle), 48.0f},
				.fieldOfView = 0.2f});
		frame.look.sides = false;
		Draw(&canvas, &frame);
		light[i] = 0.0f;
		for (int j = 0; j < width * height; ++j)
		{
			light[i] += GetLight(canvas.pixels + 3 * j) / (width * height);
		}
	}
	const uint8_t* middle = GetPixel(canvas.pixels, width / 2, height / 2);
	printf("light %.1f in the window, %.1f beside it; red %d, green %d there\n", (double)light[0], (double)light[1],
		middle[0], middle[1]);
	ENSURE(light[0] > light[1] + 15.0f);
	ENSURE(middle[0] < middle[1] - 40);
	// Level with the surface: air above, water below.
	tnrFrame frame = MakeFrame(
		&canvas, (tnrCamera){.eye = {48.0f, 3.0f, 48.0f}, .target = {48.0f, 3.0f, 0.0f}, .fieldOfView = 0.9f});
	frame.look.sides = false;
	Draw(&canvas, &frame);
	const uint8_t* above = GetPixel(canvas.pixels, width / 2, height / 4);
	const uint8_t* below = GetPixel(canvas.pixels, width / 2, 3 * height / 4);
	ENSURE(above[0] > below[0] + 60);
	// Nothing of this where there is no water, or it is not drawn, or an eye is nowhere.
	static uint8_t dry[byteCount];
	frame.camera.eye.y = 2.0f;
	frame.look.water = false;
	Draw(&canvas, &frame);
	memcpy(dry, canvas.pixels, byteCount);
	frame.look.water = true;
	Draw(&canvas, &frame);
	ENSURE(memcmp(dry, canvas.pixels, byteCount) != 0);
	frame.camera.eye.x = NAN;
	Draw(&canvas, &frame);
	frame.camera.eye = (tnVec3){-1.0e6f, 2.0f, 1.0e7f};
	Draw(&canvas, &frame);
	tnDestroyWorld(world);
	CloseCanvas(&canvas);
	return 0;
}

// Fast water over earth is brown, over sand below the beach hardly, and slow water clears: how red it is beside how blue.
static int FastWaterIsBrown(void)
{
	static Canvas canvas;
	ENSURE(OpenCanvas(&canvas));
	const tnrCamera above = {.eye = {48.0f, 20.0f, 48.1f}, .target = {48.0f, 1.0f, 48.0f}, .fieldOfView = 0.9f};
	double ratios[4];
	for (int i = 0; i < 4; ++i)
	{
		static const float speeds[4] = {0.0f, 0.8f, 4.0f, 4.0f};
		tnWorld* world = MakeStream(speeds[i], 0.0f);
		const tnrGroundDef ground = {
			.beachLevel = i == 3 ? 9.0f : -9.0f, .treeLine = 1.0e3f, .snowLine = 2.0e3f, .rockSlope = 0.75f};
		ENSURE(world != NULL && tnrRenderer_SetWorld(canvas.renderer, world, &ground).ok);
		const tnrFrame frame = MakeFrame(&canvas, above);
		Draw(&canvas, &frame);
		double red = 0.0, blue = 0.0;
		for (int j = 0; j < width * height; ++j)
		{
			red += canvas.pixels[3 * j];
			blue += canvas.pixels[3 * j + 2];
		}
		ratios[i] = red / blue;
		tnDestroyWorld(world);
	}
	printf("red over blue %.2f at rest, %.2f and %.2f over earth, %.2f over sand\n", ratios[0], ratios[1], ratios[2],
		ratios[3]);
	ENSURE(ratios[1] > 1.05 * ratios[0] && ratios[2] > 1.2 * ratios[1]);
	ENSURE(ratios[3] < 0.9 * ratios[2]);
	CloseCanvas(&canvas);
	return 0;
}

// Boxes stand in a world with terrain, too, where they are and in their mirror image; nonsense is none, and the next world has none.
static int BoxesStandInWater(void)
{
	static Canvas canvas;
	static uint8_t bare[byteCount];
	ENSURE(OpenCanvas(&canvas));
	tnWorld* world = MakeStream(0.0f, 0.0f);
	ENSURE(world != NULL && tnrRenderer_SetWorld(canvas.renderer, world, NULL).ok);
	const tnrCamera camera = {.eye = {48.0f, 6.0f, 70.0f}, .target = {48.0f, 3.0f, 48.0f}, .fieldOfView = 0.6f};
	const tnrFrame frame = MakeFrame(&canvas, camera);
	Draw(&canvas, &frame);
	memcpy(bare, canvas.pixels, byteCount);
	const tnrBoxDef box = {.center = {48.0f, 4.0f, 48.0f},
		.half = {1.0f, 1.0f, 1.0f},
		.rotation = {0.0f, 0.0f, 0.0f, 1.0f},
		.look = {.color = {0.6f, 0.05f, 0.05f}, .material = tnr_paintMaterial}};
	tnrRenderer_SetBoxes(canvas.renderer, &box, 1);
	Draw(&canvas, &frame);
	const Spot spot = Project(&camera, box.center);
	const uint8_t* pixel = GetPixel(canvas.pixels, (int)spot.x, (int)spot.y);
	ENSURE(pixel[0] > pixel[2] + 40);
	int changed = 0;
	for (int i = 0; i < width * height; ++i)
	{
		changed += GetDifference(bare + 3 * i, canvas.pixels + 3 * i) > 12 ? 1 : 0;
	}
	printf("%d pixels show a box and its mirror image\n", changed);
	ENSURE(changed > 300 && changed < width * height / 6);
	ENSURE(tnrRenderer_SetWorld(canvas.renderer, world, NULL).ok);
	Draw(&canvas, &frame);
	ENSURE(memcmp(bare, canvas.pixels, byteCount) == 0);
	tnrRenderer_SetBoxes(canvas.renderer, NULL, 3);
	tnrRenderer_SetBoxes(canvas.renderer, &box, -1);
	Draw(&canvas, &frame);
	ENSURE(memcmp(bare, canvas.pixels, byteCount) == 0);
	tnDestroyWorld(world);
	CloseCanvas(&canvas);
	return 0;
}

// A block of ground with steep sides is a house: a roof stands on it, and its walls have windows. Where it is dug at it is ground again,
// and so are blocks that are no houses: low ones, and those that are no rectangles.
static int HousesHaveRoofs(void)
{
	static Canvas canvas;
	static uint8_t before[byteCount];
	static float heights[columns * rows], depths[columns * rows];
	ENSURE(OpenCanvas(&canvas));
	const tnrCamera camera = {.eye = {48.0f, 8.0f, 84.0f}, .target = {48.0f, 6.0f, 48.0f}, .fieldOfView = 0.9f};
	const tnrGroundDef ground = {.beachLevel = -9.0f, .treeLine = 1.0e3f, .snowLine = 2.0e3f, .rockSlope = 0.75f};
	// Above the middle of its eaves, and beside that.
	const Spot roof = Project(&camera, (tnVec3){48.0f, 7.6f, 48.0f}),
			   wall = Project(&camera, (tnVec3){48.0f, 4.5f, 52.1f});
	float lights[3];
	double dark[3];
	tnWorld* worlds[3];
	for (int i = 0; i < 3; ++i)
	{
		worlds[i] = MakeStream(0.0f, 0.0f);
		ENSURE(worlds[i] != NULL);
		// 12 m x 8 m, 6 m high; 1 m high; with a corner missing.
		for (int j = 0; j < columns * rows; ++j)
		{
			const int column = j % columns, row = j / columns;
			const bool inside = column >= 42 && column < 54 && row >= 44 && row < 52;
			const bool missing = i == 2 && column < 45 && row < 46;
			heights[j] = inside && missing == false ? (i == 1 ? 1.0f : 6.0f) : 0.0f;
		}
		ENSURE_OK(tnWorld_SetTerrain(worlds[i], heights));
		ENSURE_OK(tnWorld_SetDepths(worlds[i], depths));
		ENSURE(tnrRenderer_SetWorld(canvas.renderer, worlds[i], &ground).ok);
		const tnrFrame frame = MakeFrame(&canvas, camera);
		Draw(&canvas, &frame);
		const uint8_t* pixel = GetPixel(canvas.pixels, (int)roof.x, (int)roof.y);
		lights[i] = (float)pixel[0] - (float)pixel[2];
		// Rows of windows: light of a row of the wall comes and goes.
		dark[i] = 0.0;
		for (int x = -20; x < 20; ++x)
		{
			dark[i] += fabsf(GetLight(GetPixel(canvas.pixels, (int)wall.x + x, (int)wall.y)) -
				GetLight(GetPixel(canvas.pixels, (int)wall.x + x + 1, (int)wall.y)));
		}
	}
	printf("red less blue above the eaves %.0f, of a low block %.0f, of another shape %.0f; windows %.0f, none %.0f\n",
		(double)lights[0], (double)lights[1], (double)lights[2], dark[0], dark[1]);
	ENSURE(lights[0] > lights[1] + 30.0f && lights[0] > lights[2] + 30.0f);
	ENSURE(dark[0] > 200.0 && dark[0] > 4.0 * dark[1]);
	// The same picture each time, until it is dug at.
	ENSURE(tnrRenderer_SetWorld(canvas.renderer, worlds[0], &ground).ok);
	const tnrFrame frame = MakeFrame(&canvas, camera);
	Draw(&canvas, &frame);
	memcpy(before, canvas.pixels, byteCount);
	Draw(&canvas, &frame);
	ENSURE(memcmp(before, canvas.pixels, byteCount) == 0);
	tnBrush brush = tnDefaultBrush();
	brush.center = (tnVec2){48.5f, 48.5f};
	brush.radius = 0.6f;
	brush.amount = -2.0f;
	ENSURE_OK(tnWorld_EditTerrain(worlds[0], &brush));
	tnrRenderer_Update(canvas.renderer, worlds[0], 1.0f);
	Draw(&canvas, &frame);
	const uint8_t* pixel = GetPixel(canvas.pixels, (int)roof.x, (int)roof.y);
	printf("where it was dug at %.0f\n", (double)pixel[0] - (double)pixel[2]);
	ENSURE((float)pixel[0] - (float)pixel[2] < lights[0] - 30.0f);
	for (int i = 0; i < 3; ++i)
	{
		tnDestroyWorld(worlds[i]);
	}
	CloseCanvas(&canvas);
	return 0;
}

// What the water shows at the lower edge of a picture is what a taller picture shows there, which has drawn the ground below: shadows and
// light on the ground are not drawn out into curtains.
static int NoCurtainsAtTheEdge(void)
{
	static Canvas canvas;
	static uint8_t small[byteCount];
	static float heights[columns * rows], depths[columns * rows];
	ENSURE(OpenCanvas(&canvas));
	tnWorld* world = MakeStream(0.0f, 0.0f);
	ENSURE(world != NULL);
	for (int i = 0; i < columns * rows; ++i)
	{
		// Ridges across the view, and along it.
		heights[i] = 0.5f * sinf(0.9f * (float)(i / columns)) + 0.4f * sinf(0.7f * (float)(i % columns));
		depths[i] = 3.0f - heights[i];
	}
	ENSURE_OK(tnWorld_SetTerrain(world, heights));
	ENSURE_OK(tnWorld_SetDepths(world, depths));
	const tnrGroundDef ground = {.beachLevel = 9.0f, .treeLine = 1.0e3f, .snowLine = 2.0e3f, .rockSlope = 9.0f};
	ENSURE(tnrRenderer_SetWorld(canvas.renderer, world, &ground).ok);
	// The same eye with half as many rows.
	tnrFrame frame = MakeFrame(
		&canvas, (tnrCamera){.eye = {48.0f, 9.0f, 70.0f}, .target = {48.0f, 3.0f, 58.0f}, .fieldOfView = 1.2f});
	frame.look.sides = false;
	frame.look.glitter = 0.0f;
	tnrFrame half = frame;
	half.height = height / 2;
	half.camera.fieldOfView = 2.0f * atanf(0.5f * tanf(0.6f));
	Draw(&canvas, &half);
	memcpy(small, canvas.pixels, byteCount);
	Draw(&canvas, &frame);
	double difference = 0.0, contrast = 0.0, bias = 0.0;
	const int edge = 12;
	for (int i = 0; i < edge; ++i)
	{
		for (int x = 20; x < width - 20; ++x)
		{
			const float light = GetLight(GetPixel(canvas.pixels, x, height * 3 / 4 - 1 - i));
			difference += fabsf(light - GetLight(GetPixel(small, x, height - 1 - i)));
			bias += light - GetLight(GetPixel(small, x, height - 1 - i));
			contrast += fabsf(light - GetLight(GetPixel(canvas.pixels, x - 10, height * 3 / 4 - 1 - i)));
		}
	}
	printf("the lowest rows differ by %.2f, where light differs by %.2f from place to place, and are darker by %.2f\n",
		difference / (edge * (width - 40)), contrast / (edge * (width - 40)), bias / (edge * (width - 40)));
	// 1 for a picture of another place, 1.4 for one that is drawn out.
	ENSURE(difference < 0.85 * contrast);
	tnDestroyWorld(world);
	CloseCanvas(&canvas);
	return 0;
}

// Trees throw shadows: ground beside them is darker than without, and nothing is lighter. Shadows go with the
// strength that the look gives them.
static int TreesThrowShadows(void)
{
	static Canvas canvas;
	static uint8_t plain[byteCount];
	static float heights[columns * rows], depths[columns * rows];
	ENSURE(OpenCanvas(&canvas));
	tnWorld* world = MakeStream(0.0f, 0.0f);
	ENSURE(world != NULL);
	for (int i = 0; i < columns * rows; ++i)
	{
		heights[i] = 4.0f;
	}
	ENSURE_OK(tnWorld_SetTerrain(world, heights));
	ENSURE_OK(tnWorld_SetDepths(world, depths));
	const tnrGroundDef ground = {.beachLevel = 0.0f, .treeLine = 1.0e3f, .snowLine = 2.0e3f, .rockSlope = 0.75f};
	ENSURE(tnrRenderer_SetWorld(canvas.renderer, world, &ground).ok);
	tnrFrame frame = MakeFrame(
		&canvas, (tnrCamera){.eye = {48.0f, 40.0f, 70.0f}, .target = {48.0f, 4.0f, 48.0f}, .fieldOfView = 0.9f});
	frame.look.plants = 1.0f;
	frame.look.shadows = 0.0f;
	Draw(&canvas, &frame);
	memcpy(plain, canvas.pixels, byteCount);
	frame.look.shadows = 1.0f;
	Draw(&canvas, &frame);
	int darker = 0, lighter = 0;
	for (int i = 0; i < width * height; ++i)
	{
		const float change = GetLight(canvas.pixels + 3 * i) - GetLight(plain + 3 * i);
		darker += change < -12.0f ? 1 : 0;
		lighter += change > 1.0f ? 1 : 0;
	}
	printf("%d pixels in shadows of trees, %d lighter\n", darker, lighter);
	// Edges are smoothed, which makes a few pixels beside a shadow lighter.
	ENSURE(darker > 400 && darker < width * height / 2 && lighter < darker / 20);
	tnDestroyWorld(world);
	CloseCanvas(&canvas);
	return 0;
}

// Less quality draws less, step by step, and the best is the default.
static int QualityStepsDown(void)
{
	static Canvas canvas;
	static float heights[columns * rows], depths[columns * rows];
	ENSURE(OpenCanvas(&canvas));
	tnWorld* world = MakeStream(0.0f, 0.0f);
	ENSURE(world != NULL);
	for (int i = 0; i < columns * rows; ++i)
	{
		heights[i] = 4.0f;
	}
	ENSURE_OK(tnWorld_SetTerrain(world, heights));
	ENSURE_OK(tnWorld_SetDepths(world, depths));
	const tnrGroundDef ground = {.beachLevel = 0.0f, .treeLine = 1.0e3f, .snowLine = 2.0e3f, .rockSlope = 0.75f};
	ENSURE(tnrRenderer_SetWorld(canvas.renderer, world, &ground).ok);
	tnrFrame frame = MakeFrame(
		&canvas, (tnrCamera){.eye = {48.0f, 30.0f, 90.0f}, .target = {48.0f, 4.0f, 48.0f}, .fieldOfView = 0.9f});
	static uint8_t bare[byteCount];
	Draw(&canvas, &frame);
	memcpy(bare, canvas.pixels, byteCount);
	int counts[4];
	for (int quality = -1; quality < 3; ++quality)
	{
		tnrSetQuality(&frame.look, quality);
		frame.look.bloom = frame.look.clouds = 0.0f;
		Draw(&canvas, &frame);
		counts[quality + 1] = 0;
		for (int j = 0; j < width * height; ++j)
		{
			counts[quality + 1] += GetDifference(bare + 3 * j, canvas.pixels + 3 * j) > 8 ? 1 : 0;
		}
	}
	printf("pixels of plants by quality: %d, %d, %d, %d\n", counts[0], counts[1], counts[2], counts[3]);
	ENSURE(counts[0] == 0 && counts[1] == 0 && counts[2] > 100 && counts[3] > counts[2] * 3 / 2);
	tnrLook look = tnrDefaultLook();
	const tnrLook best = look;
	tnrSetQuality(&look, 99);
	ENSURE(look.plants == best.plants && look.bloom == best.bloom && look.clouds == best.clouds);
	tnrSetQuality(&look, 0);
	ENSURE(look.bloom == 0.0f && look.clouds == 0.0f && look.plants == 0.0f && look.caustics == best.caustics);
	tnDestroyWorld(world);
	CloseCanvas(&canvas);
	return 0;
}

static const Test s_tests[] = {
	{"QualityStepsDown", QualityStepsDown},
	{"TreesThrowShadows", TreesThrowShadows},
	{"NoCurtainsAtTheEdge", NoCurtainsAtTheEdge},
	{"HousesHaveRoofs", HousesHaveRoofs},
	{"BoxesStandInWater", BoxesStandInWater},
	{"FastWaterIsBrown", FastWaterIsBrown},
	{"EyesMayDive", EyesMayDive},
	{"PlantsStandOnLand", PlantsStandOnLand},
	{"LandAndWaterGoOn", LandAndWaterGoOn},
	{"BrightPlacesSpread", BrightPlacesSpread},
	{"CloudsThrowShadows", CloudsThrowShadows},
	{"FoamIsNotMarbled", FoamIsNotMarbled},
	{"GlitterIsNoStatic", GlitterIsNoStatic},
};
const TestSuite render_nearSuite = TEST_SUITE("render_near", s_tests);
