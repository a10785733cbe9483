// SPDX-License-Identifier: MIT

#include "errors.h"
#include "voxel_picture.h"

// Stands in for voxel_picture.c where OpenGL ES 3 was not there at build time.

tnsResult DrawVoxelPicture(const VoxelPicture* picture)
{
	(void)picture;
	return MakeError(tns_fileError, "--picture needs a renderer, and this tarn was built without one (TARN_RENDER)");
}
