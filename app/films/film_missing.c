// SPDX-License-Identifier: MIT

#include "films/film.h"

#include <stdio.h>

// Stands in for film.c where OpenGL ES 3 was not there at build time.

Film* OpenFilm(const FilmDef* def, tnsResult* result)
{
	(void)def;
	result->status = tns_fileError;
	snprintf(result->text, sizeof(result->text),
		"--video, --frames and --picture need a renderer, and this tarn was built without one: install the packages "
		"libegl-dev, libgles-dev and libgl1-mesa-dri (or what they are called here), and build again from an empty "
		"build folder with TARN_RENDER=ON");
	return NULL;
}

// The others are never called: there is no film.

tnsResult Film_Advance(Film* film)
{
	(void)film;
	return (tnsResult){.status = tns_ok};
}

tnsResult CloseFilm(Film* film)
{
	(void)film;
	return (tnsResult){.status = tns_ok};
}

int Film_GetFrameCount(const Film* film)
{
	(void)film;
	return 0;
}

double Film_GetDrawSeconds(const Film* film)
{
	(void)film;
	return 0.0;
}

double Film_GetWriteSeconds(const Film* film)
{
	(void)film;
	return 0.0;
}

const char* Film_GetDeviceName(const Film* film)
{
	(void)film;
	return "";
}
