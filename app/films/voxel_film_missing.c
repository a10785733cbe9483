// SPDX-License-Identifier: MIT

#include "films/voxel_film.h"
#include "system/errors.h"

// Stands in for voxel_film.c where OpenGL ES 3 was not there at build time.

VoxelFilm* OpenVoxelFilm(const VoxelFilmDef* def, tnsResult* result)
{
	(void)def;
	*result = MakeError(
		tns_fileError, "--picture and --video need a renderer, and this tarn was built without one (TARN_RENDER)");
	return NULL;
}

// The others are never called: there is no film.

tnsResult VoxelFilm_Advance(VoxelFilm* film)
{
	(void)film;
	return (tnsResult){.status = tns_ok};
}

tnsResult CloseVoxelFilm(VoxelFilm* film)
{
	(void)film;
	return (tnsResult){.status = tns_ok};
}
