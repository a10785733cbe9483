// SPDX-License-Identifier: MIT

// Sound to a WAV file (RIFF WAVE, PCM, little-endian).

#include "system/wave_file.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	headerSize = 44,
	bytesPerFrame = 4,
	blockFrames = 1024,
};

struct WaveFile
{
	FILE* file;
	int sampleRate;
	uint32_t dataSize;
	bool failed;
};

static void PutNumber(uint8_t* bytes, uint32_t value, int size)
{
	for (int i = 0; i < size; ++i)
	{
		bytes[i] = (uint8_t)(value >> (8 * i));
	}
}

static bool WriteHeader(const WaveFile* wave)
{
	uint8_t bytes[headerSize];
	memcpy(bytes, "RIFF....WAVEfmt ", 16);
	PutNumber(bytes + 4, wave->dataSize + headerSize - 8, 4);
	PutNumber(bytes + 16, 16, 4); // bytes of the format
	PutNumber(bytes + 20, 1, 2);  // plain samples
	PutNumber(bytes + 22, 2, 2);  // channels
	PutNumber(bytes + 24, (uint32_t)wave->sampleRate, 4);
	PutNumber(bytes + 28, (uint32_t)wave->sampleRate * bytesPerFrame, 4);
	PutNumber(bytes + 32, bytesPerFrame, 2);
	PutNumber(bytes + 34, 16, 2); // bits
	memcpy(bytes + 36, "data", 4);
	PutNumber(bytes + 40, wave->dataSize, 4);
	return fwrite(bytes, 1, sizeof(bytes), wave->file) == sizeof(bytes);
}

WaveFile* OpenWaveFile(const char* path, int sampleRate)
{
	FILE* file = fopen(path, "wb");
	WaveFile* wave = file != NULL ? calloc(1, sizeof(WaveFile)) : NULL;
	if (wave == NULL)
	{
		if (file != NULL)
		{
			fclose(file);
		}
		return NULL;
	}
	*wave = (WaveFile){.file = file, .sampleRate = sampleRate};
	wave->failed = !WriteHeader(wave);
	return wave;
}

bool WaveFile_Add(WaveFile* wave, const float* stereo, int frameCount)
{
	uint8_t bytes[blockFrames * bytesPerFrame];
	for (int done = 0; done < frameCount && !wave->failed;)
	{
		const int count = frameCount - done < blockFrames ? frameCount - done : blockFrames;
		for (int i = 0; i < 2 * count; ++i)
		{
			const float x = stereo[2 * done + i];
			const float limited = x < -1.0f ? -1.0f : (x > 1.0f ? 1.0f : x);
			const float scaled = 32767.0f * limited;
			PutNumber(bytes + 2 * i, (uint32_t)(int32_t)(scaled + (scaled < 0.0f ? -0.5f : 0.5f)), 2);
		}
		const size_t size = (size_t)count * bytesPerFrame;
		// The format counts in 32 bits: some six hours.
		wave->failed = size > UINT32_MAX - headerSize - wave->dataSize || fwrite(bytes, 1, size, wave->file) != size;
		wave->dataSize += (uint32_t)size;
		done += count;
	}
	return !wave->failed;
}

bool CloseWaveFile(WaveFile* wave)
{
	if (wave == NULL)
	{
		return true;
	}
	bool good = !wave->failed && fseek(wave->file, 0, SEEK_SET) == 0 && WriteHeader(wave);
	good = fclose(wave->file) == 0 && good;
	free(wave);
	return good;
}
