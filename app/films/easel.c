// SPDX-License-Identifier: MIT

// A context without a window, pixels to draw on, and ways for them into a picture or a video.

#include "films/easel.h"

#include "system/errors.h"
#include "system/platform.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

tnsResult MakeFolderOf(const char* path)
{
	char folder[1024];
	const char* slash = strrchr(path, '/');
	const int length = slash != NULL ? (int)(slash - path) : 0;
	snprintf(folder, sizeof(folder), "%.*s", length, path);
	if (length > 0 && (length >= (int)sizeof(folder) || !MakeFolders(folder)))
	{
		return MakeError(tns_fileError, "%s: cannot be made: %s", folder, strerror(errno));
	}
	return (tnsResult){.status = tns_ok};
}

tnsResult OpenEasel(Easel* easel, int width, int height)
{
	*easel = (Easel){.width = width, .height = height};
	tnrResult drawing;
	easel->headless = tnrCreateHeadless(width, height, &drawing);
	easel->renderer = easel->headless != NULL ? tnrCreateRenderer(&drawing) : NULL;
	if (easel->renderer == NULL)
	{
		CloseEasel(easel);
		return MakeError(tns_fileError, "cannot draw: %.400s", drawing.text);
	}
	easel->pixels = malloc((size_t)width * (size_t)height * 3);
	if (easel->pixels == NULL)
	{
		CloseEasel(easel);
		return MakeError(tns_outOfMemory, "no memory for pictures of %d x %d pixels", width, height);
	}
	return (tnsResult){.status = tns_ok};
}

tnsResult Easel_OpenVideo(Easel* easel, const char* path, double framesPerSecond)
{
	tnsResult result = MakeFolderOf(path);
	if (result.status == tns_ok)
	{
		char error[512];
		easel->videoPath = path;
		easel->video = OpenVideo(path, easel->width, easel->height, framesPerSecond, error, sizeof(error));
		result = easel->video == NULL ? MakeError(tns_fileError, "%s: %.400s", path, error) : result;
	}
	return result;
}

void Easel_Draw(Easel* easel, tnrFrame frame)
{
	frame.framebuffer = tnrHeadless_GetFramebuffer(easel->headless);
	frame.width = easel->width;
	frame.height = easel->height;
	tnrRenderer_Draw(easel->renderer, &frame);
	tnrHeadless_Read(easel->headless, easel->pixels);
}

static tnsResult FinishVideo(Easel* easel)
{
	char error[512] = "";
	const bool isWhole = easel->video == NULL || CloseVideo(easel->video, error, sizeof(error));
	easel->video = NULL;
	return isWhole ? (tnsResult){.status = tns_ok} : MakeError(tns_fileError, "%s: %.400s", easel->videoPath, error);
}

tnsResult Easel_AddFrame(Easel* easel)
{
	if (easel->video != NULL && !Video_AddFrame(easel->video, easel->pixels))
	{
		// Closing it tells why.
		const tnsResult result = FinishVideo(easel);
		return result.status != tns_ok ? result : MakeError(tns_fileError, "%s: broken off", easel->videoPath);
	}
	return (tnsResult){.status = tns_ok};
}

tnsResult CloseEasel(Easel* easel)
{
	const tnsResult result = FinishVideo(easel);
	// The renderer needs the context to let go of what it made there.
	tnrDestroyRenderer(easel->renderer);
	tnrDestroyHeadless(easel->headless);
	free(easel->pixels);
	*easel = (Easel){0};
	return result;
}
