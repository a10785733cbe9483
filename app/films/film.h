// SPDX-License-Identifier: MIT

#pragma once

#include "scene.h"

/// @file A run as the viewer would show it, drawn without a window: a video, a folder of pictures, a last picture. The
/// water makes its fixed steps; pictures fall between them and show states in between.

typedef struct Film Film;

typedef struct FilmDef
{
	/// A video file, a folder for a picture per frame, a file for a picture of the end. NULL: not wanted.
	const char *video, *frames, *picture;
	int width, height;
	double framesPerSecond;
	/// Seconds of water in a second of film, and before its first frame.
	double speed, from;
	/// The run the film shows. Its camera path is that of its scene, or a view of the whole world.
	const tnsRun* run;
	/// What the water shows: "water", "depth", "speed", "tracer" or "vorticity".
	const char* view;
} FilmDef;

/// @return NULL if the result is not tns_ok: no OpenGL, no ffmpeg, a file that cannot be made
Film* OpenFilm(const FilmDef* def, tnsResult* result);

/// Draw the frames that are due up to the time of the run. Call it before the first step and after every one.
tnsResult Film_Advance(Film* film);

/// Draw the last picture, finish the video, and free the film. NULL is allowed.
tnsResult CloseFilm(Film* film);

int Film_GetFrameCount(const Film* film);
/// Seconds on the clock that drawing took, and writing.
double Film_GetDrawSeconds(const Film* film);
double Film_GetWriteSeconds(const Film* film);
/// Who draws: "llvmpipe (LLVM 14.0.6, 256 bits)".
const char* Film_GetDeviceName(const Film* film);
