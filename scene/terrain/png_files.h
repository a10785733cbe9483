// SPDX-License-Identifier: MIT

#pragma once

// Grids of heights from PNG.

#include "scene.h"

// Read a grid from a PNG in memory. A grid that could not be finished is freed by the caller.
tnsResult tnsReadPng(
	const unsigned char* bytes, size_t size, const char* name, const tnsGridRequest* request, tnsGrid* grid);

// tnsWritePicture without libpng: the same picture, not compressed.
tnsResult tnsWritePlainPicture(const char* path, const uint8_t* pixels, int width, int height);
