// SPDX-License-Identifier: MIT

// Takes the place of png_files.c where there is no libpng.

#include "terrain/png_files.h"

#include "files/json.h"

tnsResult tnsReadPng(
	const unsigned char* bytes, size_t size, const char* name, const tnsGridRequest* request, tnsGrid* grid)
{
	(void)request;
	(void)bytes;
	(void)size;
	(void)grid;
	return tnsMakeError(tns_badFormat,
		"%.300s: this build of tarn has no libpng and cannot read PNG; allowed are .r16 .r32 .asc", name);
}

tnsResult tnsWritePicture(const char* path, const uint8_t* pixels, int width, int height)
{
	return tnsWritePlainPicture(path, pixels, width, height);
}
