// SPDX-License-Identifier: MIT

#pragma once

#include "files/scene_codec.h"
#include "world/scene_run.h"

// The frame of saves of runs: a header, a part of the host with a sum, and the bytes of the world.

typedef enum tnsSaveKind
{
	tns_columnSave = 1,
	tns_voxelSave = 2,
} tnsSaveKind;

// @param counted has counted the part of the host. @param writer receives where to write it; `out` is NULL if only the size was
// asked for
tnsResult tnsBeginSave(tnsSaveKind kind, const tnsCodec* counted, size_t worldSize, void* bytes, size_t capacity,
	size_t* size, tnsCodec* writer);
// @return where the bytes of the world go
uint8_t* tnsEndSave(tnsCodec* writer);
// Check the frame. The codec then reads the part of the host, unless it has refused.
tnsCodec tnsReadSave(tnsSaveKind kind, const void* bytes, size_t size, const void** world, size_t* worldSize);

// scene_waves.c: of run->waves.
void tnsCodeWaves(tnsCodec* codec, tnsRun* run);
void tnsTakeWaves(tnsRun* run, const tnsWaves* waves);
