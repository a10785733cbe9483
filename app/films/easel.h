// SPDX-License-Identifier: MIT

#pragma once

#include "headless.h"
#include "render.h"
#include "scene.h"
#include "system/video.h"

/// @file Where films and pictures are drawn without a window, and how they get into files.

typedef struct Easel
{
	tnrHeadless* headless;
	tnrRenderer* renderer;
	/// 3 bytes each, rows from the top: the last picture.
	uint8_t* pixels;
	int width, height;
	/// NULL for none.
	Video* video;
	const char* videoPath;
} Easel;

/// On failure it is empty.
tnsResult OpenEasel(Easel* easel, int width, int height);
/// @param path must outlive the easel
tnsResult Easel_OpenVideo(Easel* easel, const char* path, double framesPerSecond);
/// Draw into the pixels. The frame need not say where to.
void Easel_Draw(Easel* easel, tnrFrame frame);
/// The pixels become the next picture of the video, if there is one.
tnsResult Easel_AddFrame(Easel* easel);
/// Finish the video, and free all.
tnsResult CloseEasel(Easel* easel);

/// The folder that a file will be in, and those above it.
tnsResult MakeFolderOf(const char* path);
