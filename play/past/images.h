// SPDX-License-Identifier: MIT

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A list of saves of a world in memory, oldest first, of bounded length and size.

enum
{
	TNP_MAX_IMAGES = 64,
};

typedef struct tnpImage
{
	uint8_t* bytes;
	size_t size;
	// Steps of the viewer, and seconds of water.
	int64_t step;
	double time;
} tnpImage;

typedef struct tnpImages
{
	tnpImage items[TNP_MAX_IMAGES];
	int count;
	// Of all together, and most.
	size_t size, limit;
} tnpImages;

// Take over an image; oldest ones go to make room. One that is larger than the limit is not taken: false, and it is freed.
bool tnpImages_Push(tnpImages* images, tnpImage image);
// Keep the first so many.
void tnpImages_Cut(tnpImages* images, int count);
void tnpImages_Remove(tnpImages* images, int index);
// The last one, which becomes the caller's. There must be one.
tnpImage tnpImages_Pop(tnpImages* images);
// Every second one goes; the first and the last stay.
void tnpImages_Thin(tnpImages* images);
