// SPDX-License-Identifier: MIT

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// @file Pictures to a video file, through a pipe to ffmpeg. The ending of the path chooses the kind: .mp4 (H.264),
/// .webp and .gif (animated, looping).

typedef struct Video Video;

/// Can a video have this ending?
bool IsVideoPath(const char* path);

/// Start ffmpeg. A file of that name is replaced.
/// @param framesPerSecond in (0, 240]
/// @param error receives one line if the result is NULL: ffmpeg is missing, the ending is unknown
Video* OpenVideo(const char* path, int width, int height, double framesPerSecond, char* error, size_t errorSize);

/// Add a picture: 3 bytes per pixel, rows from the top, no gaps. Waits while ffmpeg is busy.
/// @return false if ffmpeg is gone; CloseVideo tells why
bool Video_AddFrame(Video* video, const uint8_t* pixels);

/// Finish the file and free the video. NULL is allowed.
/// @param error receives one line, in ffmpeg's words if it has some
/// @return false if the file is missing or not whole
bool CloseVideo(Video* video, char* error, size_t errorSize);

/// Can a video with this ending have sound?
bool CanVideoSound(const char* path);

/// Give a finished video the sound of a WAV file.
/// @param error receives one line, in ffmpeg's words if it has some @return false if the video has none, and is as it was
bool AddSoundToVideo(const char* path, const char* wavePath, char* error, size_t errorSize);
