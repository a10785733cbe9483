// SPDX-License-Identifier: MIT

// Headers of messages of streams, and what may be in them.

#include "stream_message.h"

#include "../core/archive.h"

#include <string.h>

const uint8_t g_streamMagic[4] = {'t', 'n', 's', 't'};

void tnStreamPut(uint8_t* bytes, uint64_t value, int count)
{
	for (int i = 0; i < count; ++i)
	{
		bytes[i] = (uint8_t)(value >> (8 * i));
	}
}

uint64_t tnStreamGet(const uint8_t* bytes, int count)
{
	uint64_t value = 0;
	for (int i = 0; i < count; ++i)
	{
		value |= (uint64_t)bytes[i] << (8 * i);
	}
	return value;
}

int tnStreamPutCount(uint8_t* bytes, uint32_t count)
{
	int at = 0;
	for (; count >= 0x80; count >>= 7)
	{
		bytes[at++] = (uint8_t)(count | 0x80);
	}
	bytes[at++] = (uint8_t)count;
	return at;
}

int tnStreamGetCount(const uint8_t* bytes, size_t size, uint32_t* count)
{
	*count = 0;
	for (int i = 0; i < 4 && (size_t)i < size; ++i)
	{
		*count |= (uint32_t)(bytes[i] & 0x7f) << (7 * i);
		if ((bytes[i] & 0x80) == 0)
		{
			return i + 1;
		}
	}
	return 0;
}

static void tnPutFloat(uint8_t* bytes, float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof(bits));
	tnStreamPut(bytes, bits, 4);
}

static float tnGetFloat(const uint8_t* bytes)
{
	const uint32_t bits = (uint32_t)tnStreamGet(bytes, 4);
	float value;
	memcpy(&value, &bits, sizeof(value));
	return value;
}

void tnPutStreamHeader(uint8_t* head, const tnStreamViewInfo* info, size_t size)
{
	memset(head, 0, TN_STREAM_HEADER);
	memcpy(head, g_streamMagic, sizeof(g_streamMagic));
	head[4] = TN_STREAM_VERSION;
	head[5] = (uint8_t)info->tileSize;
	tnStreamPut(head + 8, size, 8);
	tnStreamPut(head + 24, info->number, 4);
	tnStreamPut(head + 28, (uint64_t)info->columnCount, 4);
	tnStreamPut(head + 32, (uint64_t)info->rowCount, 4);
	const float floats[7] = {info->cellSize, info->origin.x, info->origin.z, info->heightError, info->velocityError,
		info->foamError, info->dryDepth};
	for (int i = 0; i < 7; ++i)
	{
		tnPutFloat(head + 36 + 4 * i, floats[i]);
	}
	uint64_t time;
	memcpy(&time, &info->time, sizeof(time));
	tnStreamPut(head + 64, time, 8);
	tnStreamPut(head + 16, tnSumBytes(head + TN_STREAM_SUMMED, size - TN_STREAM_SUMMED), 8);
}

void tnMendStreamMessage(void* bytes, size_t size)
{
	if (size >= TN_STREAM_HEADER)
	{
		uint8_t* head = bytes;
		memcpy(head, g_streamMagic, sizeof(g_streamMagic));
		head[4] = TN_STREAM_VERSION;
		tnStreamPut(head + 8, size, 8);
		tnStreamPut(head + 16, tnSumBytes(head + TN_STREAM_SUMMED, size - TN_STREAM_SUMMED), 8);
	}
}

static bool tnIsWithin(double value, double low, double high)
{
	return value >= low && value <= high;
}

tnResult tnReadStreamHeader(const uint8_t* bytes, size_t size, tnStreamViewInfo* info)
{
	*info = (tnStreamViewInfo){0};
	if (bytes == NULL)
	{
		return tnFail(tn_invalidArgument, "bytes must not be NULL");
	}
	if (size < TN_STREAM_HEADER)
	{
		return tnFail(
			tn_invalidArgument, "message: size must be at least %d, got %zu: it is cut off", TN_STREAM_HEADER, size);
	}
	if (memcmp(bytes, g_streamMagic, sizeof(g_streamMagic)) != 0)
	{
		return tnFail(tn_invalidArgument,
			"message: these are not bytes of a stream: they begin with 0x%02x%02x%02x%02x", bytes[0], bytes[1],
			bytes[2], bytes[3]);
	}
	if (bytes[4] != TN_STREAM_VERSION)
	{
		return tnFail(tn_invalidArgument, "message: version must be %d, got %u: another tarn has written it",
			TN_STREAM_VERSION, (unsigned)bytes[4]);
	}
	if (tnStreamGet(bytes + 8, 8) != size)
	{
		return tnFail(tn_invalidArgument,
			"message: size must be %llu as its header tells, got %zu: it is cut off, or something follows",
			(unsigned long long)tnStreamGet(bytes + 8, 8), size);
	}
	if (tnStreamGet(bytes + 16, 8) != tnSumBytes(bytes + TN_STREAM_SUMMED, size - TN_STREAM_SUMMED) || bytes[6] != 0 ||
		bytes[7] != 0)
	{
		return tnFail(tn_invalidArgument, "message: it is damaged: its sum is not the one it tells");
	}
	tnStreamViewInfo told = {.tileSize = bytes[5], .number = (uint32_t)tnStreamGet(bytes + 24, 4)};
	const uint64_t columns = tnStreamGet(bytes + 28, 4), rows = tnStreamGet(bytes + 32, 4);
	told.cellSize = tnGetFloat(bytes + 36);
	told.origin = (tnVec2){tnGetFloat(bytes + 40), tnGetFloat(bytes + 44)};
	told.heightError = tnGetFloat(bytes + 48);
	told.velocityError = tnGetFloat(bytes + 52);
	told.foamError = tnGetFloat(bytes + 56);
	told.dryDepth = tnGetFloat(bytes + 60);
	const uint64_t time = tnStreamGet(bytes + 64, 8);
	memcpy(&told.time, &time, sizeof(time));
	const bool sound = columns >= 4 && columns <= 65536 && rows >= 4 && rows <= 65536 &&
		columns * rows <= TN_MAX_CELLS && (told.tileSize == 16 || told.tileSize == 32 || told.tileSize == 64) &&
		told.number > 0 && tnIsWithin((double)told.cellSize, 0.001, 1000.0) &&
		tnIsWithin((double)told.origin.x, -1.0e30, 1.0e30) && tnIsWithin((double)told.origin.z, -1.0e30, 1.0e30) &&
		tnIsWithin((double)told.heightError, 0.001, 10.0) && tnIsWithin((double)told.velocityError, 0.05, 100.0) &&
		tnIsWithin((double)told.foamError, 0.01, 0.5) && tnIsWithin((double)told.dryDepth, 0.0, 1.0) &&
		tnIsWithin(told.time, 0.0, 1.0e15);
	if (!sound)
	{
		return tnFail(tn_invalidArgument, "message: its header tells of no stream that there can be: %llu x %llu cells",
			(unsigned long long)columns, (unsigned long long)rows);
	}
	told.columnCount = (int)columns;
	told.rowCount = (int)rows;
	*info = told;
	return tnSuccess();
}
