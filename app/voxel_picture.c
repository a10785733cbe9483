// SPDX-License-Identifier: MIT

#include "voxel_picture.h"

#include "errors.h"
#include "headless.h"
#include "voxel_looks.h"

#include <stdlib.h>

static tnrResult Draw(tnrRenderer* renderer, const VoxelPicture* picture, uint32_t framebuffer)
{
	const tnsVoxelSceneInfo* info = tnsVoxelScene_GetInfo(tnsVoxelRun_GetScene(picture->run));
	const tnrVoxelDef def = tnpMakeVoxelDef(info, picture->blocky ? tn_blockyMesh : tn_smoothMesh);
	const tnrResult result = tnrRenderer_SetVoxels(renderer, tnsVoxelRun_GetWorld(picture->run), &def);
	if (result.ok)
	{
		tnrFrame frame = {.look = tnpMakeVoxelLook(info), .framebuffer = framebuffer};
		frame.camera = tnpGetVoxelCamera(info);
		frame.width = picture->width;
		frame.height = picture->height;
		frame.time = 3.0;
		tnpShowWheels(renderer, picture->run);
		tnrRenderer_Draw(renderer, &frame);
	}
	return result;
}

tnsResult DrawVoxelPicture(const VoxelPicture* picture)
{
	tnrResult drawing;
	tnsResult result = {.status = tns_ok};
	uint8_t* pixels = malloc((size_t)picture->width * (size_t)picture->height * 3);
	tnrHeadless* headless = tnrCreateHeadless(picture->width, picture->height, &drawing);
	tnrRenderer* renderer = headless != NULL ? tnrCreateRenderer(&drawing) : NULL;
	if (renderer != NULL)
	{
		drawing = Draw(renderer, picture, tnrHeadless_GetFramebuffer(headless));
	}
	if (pixels == NULL)
	{
		result = MakeError(tns_outOfMemory, "no memory for %d x %d pixels", picture->width, picture->height);
	}
	else if (drawing.ok == false)
	{
		result = MakeError(tns_fileError, "cannot draw: %.400s", drawing.text);
	}
	else
	{
		tnrHeadless_Read(headless, pixels);
		result = tnsWritePicture(picture->path, pixels, picture->width, picture->height);
	}
	tnrDestroyRenderer(renderer);
	tnrDestroyHeadless(headless);
	free(pixels);
	return result;
}
