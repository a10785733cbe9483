// SPDX-License-Identifier: MIT

// A picture in memory for tests of the renderer, and golden pictures to compare with.

#include "canvas.h"

#include "scene.h"

#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool OpenCanvas(Canvas* canvas)
{
	tnrResult result;
	canvas->renderer = NULL;
	canvas->headless = tnrCreateHeadless(width, height, &result);
	if (canvas->headless != NULL)
	{
		canvas->renderer = tnrCreateRenderer(&result);
	}
	if (result.ok == false)
	{
		printf("%s\n", result.text);
	}
	return canvas->renderer != NULL;
}

void CloseCanvas(Canvas* canvas)
{
	tnrDestroyRenderer(canvas->renderer);
	tnrDestroyHeadless(canvas->headless);
}

tnrFrame MakeFrame(const Canvas* canvas, tnrCamera camera)
{
	tnrLook look = tnrDefaultLook();
	// Nothing but the world, in light that is the same everywhere, each pixel for itself.
	look.bloom = 0.0f;
	look.sides = true;
	look.clouds = 0.0f;
	look.plants = 0.0f;
	return (tnrFrame){.camera = camera,
		.look = look,
		.time = 10.0,
		.framebuffer = tnrHeadless_GetFramebuffer(canvas->headless),
		.width = width,
		.height = height};
}

void Draw(Canvas* canvas, const tnrFrame* frame)
{
	tnrRenderer_Draw(canvas->renderer, frame);
	tnrHeadless_Read(canvas->headless, canvas->pixels);
}

const uint8_t* GetPixel(const uint8_t* pixels, int x, int y)
{
	return pixels + (y * width + x) * 3;
}

float GetLight(const uint8_t* pixel)
{
	return 0.2126f * pixel[0] + 0.7152f * pixel[1] + 0.0722f * pixel[2];
}

int GetDifference(const uint8_t* a, const uint8_t* b)
{
	int most = 0;
	for (int i = 0; i < 3; ++i)
	{
		const int d = abs((int)a[i] - (int)b[i]);
		most = d > most ? d : most;
	}
	return most;
}

Spot Project(const tnrCamera* camera, tnVec3 place)
{
	const tnVec3 eye = camera->eye;
	const double d[3] = {place.x - eye.x, place.y - eye.y, place.z - eye.z};
	double f[3] = {camera->target.x - eye.x, camera->target.y - eye.y, camera->target.z - eye.z};
	const double length = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
	f[0] /= length, f[1] /= length, f[2] /= length;
	// Right is horizontal and square to the view, up square to both.
	const double flat = sqrt(f[0] * f[0] + f[2] * f[2]);
	const double r[3] = {-f[2] / flat, 0.0, f[0] / flat};
	const double u[3] = {r[1] * f[2] - r[2] * f[1], r[2] * f[0] - r[0] * f[2], r[0] * f[1] - r[1] * f[0]};
	const double ahead = d[0] * f[0] + d[1] * f[1] + d[2] * f[2];
	const double scale = 0.5 * height / tan(0.5 * camera->fieldOfView) / ahead;
	return (Spot){0.5 * width + scale * (d[0] * r[0] + d[1] * r[1] + d[2] * r[2]),
		0.5 * height - scale * (d[0] * u[0] + d[1] * u[1] + d[2] * u[2])};
}

// ---------------------------------------------------------------------------------------------------------------------
// Golden pictures

// Software of one version draws the same bytes each time. Other versions and other machines round textures and powers
// differently: by a level or two almost everywhere, more where that tips a pixel over an edge. What these allow is far
// less than what any visible change of a shader does: 1 % more exposure already shifts the mean by 0.9.
#define MEAN_TOLERANCE 1.0
#define BIG_DIFFERENCE 24
#define BIG_SHARE 0.01

static bool ReadPicture(const char* path, uint8_t* pixels)
{
	png_image image;
	memset(&image, 0, sizeof(image));
	image.version = PNG_IMAGE_VERSION;
	if (png_image_begin_read_from_file(&image, path) == 0)
	{
		return false;
	}
	image.format = PNG_FORMAT_RGB;
	if (image.width != width || image.height != height)
	{
		png_image_free(&image);
		return false;
	}
	return png_image_finish_read(&image, NULL, pixels, 0, NULL) != 0;
}

int CompareGolden(const Canvas* canvas, const char* name)
{
	static uint8_t expected[byteCount];
	char path[512];
	snprintf(path, sizeof(path), "%s/test/reference/render/%s.png", TARN_SOURCE_FOLDER, name);
	const char* write = getenv("TARN_WRITE_GOLDEN");
	if (write != NULL && strcmp(write, "1") == 0)
	{
		ENSURE(tnsWritePicture(path, canvas->pixels, width, height).status == tns_ok);
	}
	ENSURE(ReadPicture(path, expected));
	double sum = 0.0;
	int bigCount = 0;
	for (int i = 0; i < width * height; ++i)
	{
		const int difference = GetDifference(canvas->pixels + 3 * i, expected + 3 * i);
		sum += difference;
		bigCount += difference > BIG_DIFFERENCE ? 1 : 0;
	}
	printf("%s: mean difference %.3f, %d pixels differ by more than %d\n", name, sum / (width * height), bigCount,
		BIG_DIFFERENCE);
	ENSURE_CLOSE(sum / (width * height), 0.0, MEAN_TOLERANCE);
	ENSURE_CLOSE((double)bigCount / (width * height), 0.0, BIG_SHARE);
	return 0;
}
