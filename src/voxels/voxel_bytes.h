// SPDX-License-Identifier: MIT

#pragma once

#include "voxel_store.h"

// Bytes of saves: numbers, and planes of 4096 small values.
//
// Unsigned numbers are written 7 bits a byte, the lowest first, with bit 7 set in all but the last; signed ones as 2 n, or
// -2 n - 1 if n is negative. Every save ends with a check sum of all bytes before it.

typedef struct tnByteWriter
{
	uint8_t* bytes;
	size_t capacity;
	size_t size; // may be more than the capacity: then nothing is written there
	uint32_t sum;
} tnByteWriter;

typedef struct tnByteReader
{
	const uint8_t* bytes;
	size_t size;
	size_t at;
	bool failed; // read past the end, or something that is no number
	uint32_t version;
} tnByteReader;

tnByteWriter tnMakeWriter(void* bytes, size_t capacity);
void tnWriteByte(tnByteWriter* writer, uint32_t byte);
void tnWriteBytes(tnByteWriter* writer, const uint8_t* bytes, size_t count);
void tnWriteNumber(tnByteWriter* writer, uint64_t number);
void tnWriteSigned(tnByteWriter* writer, int64_t number);
void tnWriteVoxel(tnByteWriter* writer, tnVoxel voxel);
void tnWriteSum(tnByteWriter* writer);

uint32_t tnReadByte(tnByteReader* reader);
uint64_t tnReadNumber(tnByteReader* reader);
// A number in [low, high], or the reader has failed.
int64_t tnReadWithin(tnByteReader* reader, int64_t low, int64_t high);
int64_t tnReadSigned(tnByteReader* reader);
tnVoxel tnReadVoxel(tnByteReader* reader);

#define TN_SUM_BYTES 4

// What a save is of: the upper four bits of its first byte. The lower ones are the version.
typedef enum tnSaveKind
{
	tn_blockSave = 0xb0,
	tn_chunkSave = 0xc0,
	tn_stateSave = 0xd0,
} tnSaveKind;
#define TN_SAVE_VERSION 1
// States have the cursor and the rest of what waits since version 2, and whether connected liquid is known since version 3;
// before that they had something about memory. Older ones are read, too.
#define TN_STATE_VERSION 3

// Checks the first byte and the sum, and gives a reader of what is between them, and the version.
tnResult tnOpenSave(tnSaveKind kind, const void* bytes, size_t size, tnByteReader* reader);

// A plane is a sequence of runs, in the order of voxels or, after a byte of 32, column by column. The first byte of each is
//
//   class << 6 | length
//
// with class 0: nothing; 1: full, which is `full` or, with rooms, as much liquid of the current kind as there is room;
// 2: a value, which follows; 3: packed, where every voxel has its own. The length is 1 to 14 for 0 to 13, 15 and more for 14
// with a number after it, or whole layers, 1 to 16, for 16 to 31. Class 1 with length 15 changes the kind to that of the
// next byte; it is 1 at first. Packed: a byte width << 4 | kind, the least amount, and then for each voxel `width` bits of
// what it has on top of that.
typedef struct tnPlane
{
	const uint16_t* rooms; // NULL: values are plain numbers, else words of liquid
	uint16_t full;
	uint16_t most; // plain numbers
} tnPlane;

void tnWritePlane(tnByteWriter* writer, const tnPlane* plane, const uint16_t values[TN_CHUNK_VOXELS]);
// Values may be more than a voxel has room for. False: failed.
bool tnReadPlane(tnByteReader* reader, const tnPlane* plane, uint16_t values[TN_CHUNK_VOXELS]);
