// SPDX-License-Identifier: MIT

// A hash of bytes, the same on every machine.

#include "hash.h"

static uint64_t tnReadLittle(const uint8_t* bytes, size_t count)
{
	uint64_t word = 0;
	for (size_t i = 0; i < count; ++i)
	{
		word |= (uint64_t)bytes[i] << (8 * i);
	}
	return word;
}

uint64_t tnHashBytes(uint64_t hash, const void* bytes, size_t count)
{
	const uint8_t* next = bytes;
	for (; count > 0; next += 8)
	{
		const size_t size = count < 8 ? count : 8;
		hash = (hash ^ tnReadLittle(next, size)) * 0xff51afd7ed558ccdull;
		hash ^= hash >> 32;
		count -= size;
	}
	return hash;
}
