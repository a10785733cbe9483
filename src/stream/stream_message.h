// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/stream.h"

#include "../core/core.h"

// Messages of a stream. All numbers are little-endian.
//
//   header   "tnst", version, side of tiles, 0, 0; size of all, sum of what follows; number of the message, columns, rows, 0;
//            cell size, origin, errors of height, velocity and foam, depth of what is dry; time
//   tile     count: its index; count: bytes that its bits take; number of the message that it is based on, 0 if on nothing;
//            bits, as stream_tile.h has them
//
// Counts take 7 bits a byte, the low ones first, with the high bit set if there are more.

enum
{
	TN_STREAM_VERSION = 1,
	TN_STREAM_HEADER = 72,
	// Where its sum begins.
	TN_STREAM_SUMMED = 24,
	// Most bytes that the tile takes before its bits.
	TN_STREAM_TILE_HEAD = 5 + 3 + 4,
	// Most bytes of its bits: tiles that would take more are not written.
	TN_STREAM_TILE_BYTES = 1 << 17,
};

extern const uint8_t g_streamMagic[4];

void tnPutStreamHeader(uint8_t* head, const tnStreamViewInfo* info, size_t size);
// Is it a whole message? What it tells is checked.
tnResult tnReadStreamHeader(const uint8_t* bytes, size_t size, tnStreamViewInfo* info);
// Make the sum of a message that of its bytes, for tests that change them.
void tnMendStreamMessage(void* bytes, size_t size);

void tnStreamPut(uint8_t* bytes, uint64_t value, int count);
uint64_t tnStreamGet(const uint8_t* bytes, int count);
// Returns how many bytes it took.
int tnStreamPutCount(uint8_t* bytes, uint32_t count);
// 0 if it does not end in time.
int tnStreamGetCount(const uint8_t* bytes, size_t size, uint32_t* count);
