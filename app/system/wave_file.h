// SPDX-License-Identifier: MIT

#pragma once

#include <stdbool.h>

/// @file Sound to a WAV file: 16 bits, two channels.

typedef struct WaveFile WaveFile;

/// @return NULL if the file cannot be made; errno says why
WaveFile* OpenWaveFile(const char* path, int sampleRate);

/// Left and right, interleaved, from -1 to 1; what is beyond becomes that.
bool WaveFile_Add(WaveFile* file, const float* stereo, int frameCount);

/// Write how long it is, and close it. NULL is allowed. @return false if it is not whole
bool CloseWaveFile(WaveFile* file);
