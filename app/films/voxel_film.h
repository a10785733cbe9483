// SPDX-License-Identifier: MIT

#pragma once

#include "voxel_scene.h"

/// @file A run of a scene of voxels, drawn without a window: a video, and a last picture.

typedef struct VoxelFilm VoxelFilm;

typedef struct VoxelFilmDef
{
	/// A video file, and a PNG of the end. NULL: not wanted.
	const char *video, *picture;
	int width, height;
	double framesPerSecond;
	/// Seconds of water in a second of film.
	double speed;
	/// The last frame begins before so many steps are done.
	int steps;
	bool blocky;
	const tnsVoxelRun* run;
} VoxelFilmDef;

/// @return NULL if the result is not tns_ok: no OpenGL, no ffmpeg, a file that cannot be made
VoxelFilm* OpenVoxelFilm(const VoxelFilmDef* def, tnsResult* result);
/// Draw the frames that are due. Call it before the first step and after every one.
tnsResult VoxelFilm_Advance(VoxelFilm* film);
/// Draw the last picture, finish the video, and free the film. NULL is allowed.
tnsResult CloseVoxelFilm(VoxelFilm* film);
