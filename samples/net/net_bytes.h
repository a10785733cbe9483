// SPDX-License-Identifier: MIT

#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// Numbers as bytes, little-endian, the same on every machine. Who reads past the end, or finds something that cannot be, marks the
// reader as damaged and gets zeros from then on: so a message is read to its end and judged once.

typedef struct NetWriter
{
	uint8_t* bytes;
	int capacity, size;
	// Something did not fit, and was left out.
	bool full;
} NetWriter;

typedef struct NetReader
{
	const uint8_t* bytes;
	int size, place;
	bool damaged;
} NetReader;

static inline void Net_Put(NetWriter* writer, uint64_t value, int byteCount)
{
	if (writer->full || writer->capacity - writer->size < byteCount)
	{
		writer->full = true;
		return;
	}
	for (int i = 0; i < byteCount; ++i)
	{
		writer->bytes[writer->size++] = (uint8_t)(value >> (8 * i));
	}
}

static inline uint64_t Net_Take(NetReader* reader, int byteCount)
{
	if (reader->damaged || reader->size - reader->place < byteCount)
	{
		reader->damaged = true;
		return 0;
	}
	uint64_t value = 0;
	for (int i = 0; i < byteCount; ++i)
	{
		value |= (uint64_t)reader->bytes[reader->place++] << (8 * i);
	}
	return value;
}

// A number that must be in a range.
static inline int Net_TakeInt(NetReader* reader, int byteCount, int least, int most)
{
	const int64_t value = (int64_t)Net_Take(reader, byteCount);
	if (value < least || value > most)
	{
		reader->damaged = true;
		return least;
	}
	return (int)value;
}

// Floats travel as their bits: lockstep is about bits.
static inline void Net_PutFloat(NetWriter* writer, float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof(bits));
	Net_Put(writer, bits, 4);
}

static inline float Net_TakeFloat(NetReader* reader, float limit)
{
	const uint32_t bits = (uint32_t)Net_Take(reader, 4);
	float value;
	memcpy(&value, &bits, sizeof(value));
	// Written so that NaN is damage, too.
	if (!(value >= -limit && value <= limit))
	{
		reader->damaged = true;
		return 0.0f;
	}
	return value;
}

// Was all of it read, and all of it good?
static inline bool Net_IsWhole(const NetReader* reader)
{
	return !reader->damaged && reader->place == reader->size;
}
