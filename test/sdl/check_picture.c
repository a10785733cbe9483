// SPDX-License-Identifier: MIT

// Looks at the picture that samples/sdl has kept: is it that of a landscape with water? `check_picture FILE.bmp`.

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t ReadNumber(const uint8_t* bytes)
{
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

// Pixels of a kind, and how many colours there are of 5 bits a channel.
typedef struct Counts
{
	int water, ground, sky, colors, all;
} Counts;

// Water is blue or green with more blue than red; ground green or brown with more red than blue; the sky as it was cleared.
static void CountPixel(Counts* counts, const uint8_t* pixel, uint8_t* seen)
{
	const int blue = pixel[0], green = pixel[1], red = pixel[2];
	const bool sky = abs(red - 158) < 3 && abs(green - 191) < 3 && abs(blue - 224) < 3;
	const int color = red >> 3 << 10 | green >> 3 << 5 | blue >> 3;
	counts->sky += sky ? 1 : 0;
	counts->water += sky == false && blue > red + 15 ? 1 : 0;
	counts->ground += red > blue + 15 ? 1 : 0;
	counts->colors += seen[color] == 0 ? 1 : 0;
	counts->all += 1;
	seen[color] = 1;
}

int main(int argc, char** argv)
{
	static uint8_t seen[1 << 15];
	static uint8_t bytes[4 << 20];
	FILE* file = argc == 2 ? fopen(argv[1], "rb") : NULL;
	const size_t size = file != NULL ? fread(bytes, 1, sizeof(bytes), file) : 0;
	if (file != NULL)
	{
		fclose(file);
	}
	if (size < 54 || memcmp(bytes, "BM", 2) != 0 || bytes[28] != 24)
	{
		fprintf(stderr, "no picture of 24 bits\n");
		return 1;
	}
	const size_t first = ReadNumber(bytes + 10), width = ReadNumber(bytes + 18), height = ReadNumber(bytes + 22);
	const size_t pitch = (3 * width + 3) / 4 * 4;
	if (width > 4096 || height > 4096 || first + pitch * height > size)
	{
		fprintf(stderr, "a picture that is cut off\n");
		return 1;
	}
	Counts counts = {0};
	for (size_t row = 0; row < height; ++row)
	{
		for (size_t column = 0; column < width; ++column)
		{
			CountPixel(&counts, bytes + first + row * pitch + 3 * column, seen);
		}
	}
	printf("water %d, ground %d, sky %d of %d pixels, %d colours\n", counts.water, counts.ground, counts.sky,
		counts.all, counts.colors);
	// Lakes fill the valleys and leave the hills, and light, depth and shores give many colours.
	const bool good = counts.water > counts.all / 12 && counts.ground > counts.all / 8 && counts.sky < counts.all / 2 &&
		counts.colors > 300;
	return good ? 0 : 1;
}
